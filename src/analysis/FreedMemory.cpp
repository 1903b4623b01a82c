// Uses of memory that an op before them, in the same block, has freed.
//
// The checks of races see this where something around is asynchronous. A computation with memory of its own is one point for them.
#include "Findings.hpp"
#include "RunOrder.hpp"
#include "airlite/dialect/Air.hpp"

#include <vector>

namespace airlite::analysis {

namespace {

/// Ops that use `memory`, or what is a view of it, or is handed on as it.
void addUsers(Value memory, std::vector<Operation*>& users) {
  for (OpOperand& use : memory.uses()) {
    Operation& user = *use.owner();
    users.push_back(&user);
    const bool isHandedOn = user.is("air.execute_terminator");
    for (const Value result : (isHandedOn ? *user.parentOp() : user).resultValues())
      if (air::bufferBefore(result) == memory) addUsers(result, users);
  }
}

/// Those that have been found are left out. What is freed in an air.execute is for the checks of races: tokens order it.
void checkFree(Operation& free, Findings& findings) {
  Operation* function = free.parentOfName("func.func");
  if (!function || free.parentOp()->is("air.execute") || findings.hasOneAt(free)) return;
  std::vector<Operation*> users;
  addUsers(air::bufferSource(free.operand(0)), users);
  Operation *first = nullptr, *firstInBlock = nullptr;
  for (Operation* use : users) {
    Operation* at = air::laterInBlock(free, *use);
    if (!at || (firstInBlock && !at->isBeforeInBlock(firstInBlock))) continue;
    first = use, firstInBlock = at;
  }
  if (!first || !findings.add({FindingKind::Fault, function, &free, first})) return;
  InFlightDiagnostic error = first->emitError();
  error << quoted(*first) << (first->is("memref.dealloc") ? " frees " : " uses ")
        << valueText(free.operand(0)) << ", which has been freed";
  error.note(free.location()) << "it is freed here";
}

}  // namespace

void checkFreed(Operation& module, Findings& findings) {
  module.walk([&](Operation& op) {
    if (op.is("memref.dealloc")) checkFree(op, findings);
  });
}

}  // namespace airlite::analysis
