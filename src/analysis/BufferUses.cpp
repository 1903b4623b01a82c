// Where a buffer is used.
#include "BufferUses.hpp"

#include "airlite/dialect/Linalg.hpp"
#include "airlite/ir/OpDef.hpp"

namespace airlite::air {

BufferUses::BufferUses(Value buffer) {
  open_.push_back(buffer);
  while (!open_.empty()) {
    Value next = open_.back();
    open_.pop_back();
    for (OpOperand& use : next.uses())
      add(use);
  }
}

void BufferUses::add(OpOperand& use) {
  Operation& op = *use.owner();
  if (op.is("memref.dealloc")) return deallocs.push_back(&op);
  if (op.is("air.execute_terminator")) {
    Operation& execute = *op.parentOp();
    unsigned tokens = execute.numResults() - op.numOperands();
    return open_.push_back(execute.result(tokens + use.index()));
  }
  if (HierarchyOp hierarchy = asHierarchy(&op)) return enter(hierarchy, use.get());
  bool hasOtherRegions = op.numRegions() > 0 && !linalg::asStructured(&op);
  escapes |= op.hasTrait(Trait::Terminator) || hasOtherRegions;
  for (Value result : op.resultValues()) {
    if (!result.type().isa<MemRefType>()) continue;
    if (bufferBefore(result) != use.get()) escapes = true;
    open_.push_back(result);
  }
  accesses.push_back(&op);
}

void BufferUses::enter(HierarchyOp hierarchy, Value buffer) {
  accesses.push_back(hierarchy.op());
  for (unsigned i = 0; i < hierarchy.numKernelOperands(); ++i)
    if (hierarchy.kernelOperands()[i] == buffer) open_.push_back(hierarchy.kernelArgument(i));
}

Operation* onlyOp(Operation& op) {
  if (!isa<ExecuteOp>(&op)) return nullptr;
  Block& body = ExecuteOp(&op).body();
  bool alone = !body.empty() && body.front().next() && !body.front().next()->next();
  return alone ? &body.front() : nullptr;
}

}  // namespace airlite::air
