// What a core can do: ops on single elements of memory, and the buffers of the host that they name.
#pragma once

#include "airlite/ir/Operation.hpp"

#include <algorithm>

namespace airlite {

bool isL1(Type type);
bool isL3(Type type);

template <class Predicate> bool anyInside(Operation& op, Predicate&& predicate) {
  bool found = false;
  op.walk([&](Operation& inner) { found |= predicate(inner); });
  return found;
}

/// A load or store of an element.
bool isAccess(const Operation& op);
/// A loop or conditional.
bool isControl(const Operation& op);
/// A load or store, control, or arithmetic.
bool isCoreOp(Operation& op);
/// All that a core can do with memory of the host once it is in L1, or that needs none of it.
bool isForCore(Operation& root);
/// A buffer of static row-major shape, of elements of whole bytes, that has no other name.
bool isWhole(Value buffer);
/// The op, or one in it, uses the buffer other than by loads and stores.
bool hasOtherUses(Value buffer, Operation& op);

}  // namespace airlite
