// One constant op per value and type in each isolated region, kept at the start of it.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "airlite/ir/Rewriter.hpp"

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
    std::string_view op;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const {
      return std::hash<const void*>()(key.block) * 17 ^ std::hash<Attribute>()(key.value) * 31 ^
             std::hash<Type>()(key.type);
    }
  };
  static Block* homeBlock(Operation& op);
  static Attribute valueOf(Operation& op);

  std::unordered_map<Key, Operation*, KeyHash> pool_;
  std::unordered_map<Operation*, Key> keys_;
};

}  // namespace airlite
