// The memory of a host function as arguments of a runtime sequence.
#pragma once

#include "airlite/ir/Operation.hpp"
#include "airlite/support/LogicalResult.hpp"

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace airlite::npu {

/// Another name for the same memref: casts, statements about alignment.
bool isRenaming(Operation& op);

/// Where the elements of a memref are: an argument of the sequence, from its element `start` on, and
/// as many more as each of `indices` times its number.
struct HostMemory {
  unsigned argument = 0;
  int64_t start = 0;
  std::vector<std::pair<Value, int64_t>> indices;
};

class HostArguments {
 public:
  /// The arguments of `function`, then the L3 memory that it makes and the constant globals that it
  /// names, in the order of the text. Memory that is copied into an argument which nothing else
  /// uses is that argument. Failures have been reported.
  LogicalResult read(Operation& function);
  std::vector<Type> types() const { return types_; }
  /// Of each argument the constant memref.global that it begins with; null: none.
  const std::vector<Operation*>& contents() const { return contents_; }
  /// The argument that `memref` is, by any name, or a part of.
  std::optional<HostMemory> find(Value memref) const;
  /// Is `op` a copy that need not happen?
  bool isResult(Operation& op) const { return results_.count(&op) != 0; }

 private:
  void add(Value value);
  void readResult(Operation& copy);
  LogicalResult addGlobal(Operation& get);

  std::unordered_map<Value, unsigned> numbers_;
  std::vector<Type> types_;
  std::vector<Operation*> contents_;
  std::unordered_set<Operation*> results_;
};

}  // namespace airlite::npu
