// One constant op per value and type in each isolated region, kept at the start of it.
#pragma once

#include "../ir/UniqueTable.hpp"
#include "../support/AddressMap.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <deque>

namespace airlite {

class ConstantPool {
 public:
  /// Takes a constant op into the pool and moves it to the start of its region. When an equal one
  /// is known already, `op` is replaced by it and erased: false.
  bool adopt(Operation& op, Rewriter& rewriter);
  /// `op` is about to be erased.
  void forget(Operation& op);
  void clear();

 private:
  struct Key {
    const Block* block;
    Attribute value;
    Type type;
    const OpDef* def;
    bool operator==(const Key&) const = default;
    uint64_t hash() const;
  };
  struct Entry {
    Key key;
    Operation* op;  // null: it has been erased
    uint32_t number;
  };
  static Block* homeBlock(Operation& op);
  static Attribute valueOf(Operation& op);

  Entry& entryOf(const Key& key);
  bool isAdopted(const Operation* op) const { return op && numbers_.get(op) != 0; }

  std::deque<Entry> entries_;
  detail::UniqueTable<Entry> table_;
  detail::AddressMap numbers_;  // of the entries of ops, from 1
};

}  // namespace airlite
