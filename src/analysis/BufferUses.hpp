// Where a buffer is used, followed from where it is made.
#pragma once

#include "airlite/dialect/Air.hpp"

#include <vector>

namespace airlite::air {

/// Uses of `buffer` through views, executes and arguments of hierarchy ops. A hierarchy op that
/// gets the buffer is among the accesses, and so are those inside it.
struct BufferUses {
  std::vector<Operation*> accesses, deallocs;
  /// It is passed on to where it cannot be followed, such as the next iteration of a loop.
  bool escapes = false;

  explicit BufferUses(Value buffer);

 private:
  void add(OpOperand& use);
  void enter(HierarchyOp hierarchy, Value buffer);

  std::vector<Value> open_;
};

/// The only op of an execute besides its terminator; null for other ops, and when there are
/// several.
Operation* onlyOp(Operation& op);

}  // namespace airlite::air
