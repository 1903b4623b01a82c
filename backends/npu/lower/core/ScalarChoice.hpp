// Which ops on vectors are written by scalars, and whose elements are computed where they are used. It
// looks at the program and changes nothing.
#pragma once

#include "CoreMemory.hpp"
#include "VectorUnit.hpp"

#include <unordered_map>

namespace airlite::npu {

/// A vector that no register holds: between ops with regions it travels in a buffer.
bool isCarriedInBuffer(Type type);

class ScalarChoice {
 public:
  bool isScalarized(Operation& op);
  /// Whether the unit has the op, so that it stays.
  bool isOfUnit(Operation& op) { return unit_.has(op); }
  /// Whether nothing is lost when the elements of a scalarized op are computed where its only user
  /// reads them: each is read once, and means the same there.
  bool mayDefer(Operation& op);
  /// Whether an op that stays uses the vector, as a value in a register.
  bool isWholeUse(OpOperand& use);
  bool isNeededWhole(Operation& op);

 private:
  bool isBetterByScalars(Operation& op);
  Operation* onlyScalarUser(Operation& op);
  bool readsTheSameThere(Operation& read);
  bool mayMeet(Operation& read, Operation& write, bool lanewise);

  VectorUnit unit_;
  Places places_;
  std::unordered_map<Operation*, bool> decided_;
};

}  // namespace airlite::npu
