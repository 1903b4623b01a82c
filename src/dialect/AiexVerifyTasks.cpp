// Rules of tasks, configurations and locks in runtime sequences.
#include "AiexInternal.hpp"
#include "airlite/ir/Symbols.hpp"

namespace airlite::aiex {

using aie::requireRange;

LogicalResult verifyInSequence(Operation& op) {
  if (op.parentOf<aie::RuntimeSequenceOp>()) return success();
  return op.emitOpError() << "expects to be in an aie.runtime_sequence";
}

LogicalResult findEndpoint(Operation& op, SymbolRefAttr reference, Operation*& endpoint) {
  endpoint = lookupSymbol(&op, reference);
  if (isa<aie::ShimDmaAllocationOp>(endpoint) || isa<aie::ObjectFifoOp>(endpoint)) return success();
  return op.emitOpError() << reference << " is not an aie.shim_dma_allocation or aie.objectfifo";
}

// -- Tasks --------------------------------------------------------------------------------------

namespace {

/// Descriptors one after the other; the last block ends with aie.end.
LogicalResult verifyTaskBlocks(Operation& op) {
  if (op.region().empty()) return op.emitOpError() << "expects a body";
  for (Block& block : op.region().blocks()) {
    Operation* last = block.empty() ? nullptr : &block.back();
    if (!last || (!last->is("aie.end") && !last->is("aie.next_bd")))
      return op.emitOpError() << "expects blocks to end with aie.next_bd or aie.end";
    aie::BdBlock found;
    if (failed(aie::readBdBlock(block, found))) return failure();
    bool isEnd = last->is("aie.end") && !block.isEntry();
    if (!found.bd && !isEnd) return last->emitOpError() << "ends a block without an aie.dma_bd";
  }
  return success();
}

LogicalResult verifyRepeats(Operation& op) {
  bool isRuntime = !op.operandGroup("repeat_count_val").empty();
  if (isRuntime && aie::intAttr(op, "repeat_count").value_or(0) != 0)
    return op.emitOpError() << "has both a constant and a runtime repeat count";
  return requireRange(op, "repeat count", aie::intAttr(op, "repeat_count").value_or(0), 0,
                      aie::kMaxTaskRepeats - 1);
}

LogicalResult verifyTask(Operation& op) {
  if (failed(verifyInSequence(op)) || failed(verifyTaskBlocks(op)) || failed(verifyRepeats(op)))
    return failure();
  ConfigureTaskOp task(&op);
  auto channel = task.channel();
  bool sends = !channel || channel->direction == aie::Direction::MM2S;
  for (aie::DmaBdOp bd : task.descriptors())
    if (!sends && !bd.padding().empty())
      return bd->emitOpError() << "padding is only supported in MM2S channels";
  return success();
}

}  // namespace

LogicalResult verifyConfigureTask(Operation& op) {
  using aie::TileKind;
  aie::TileOp tile;
  if (failed(aie::requireTile(op, {TileKind::Core, TileKind::Mem, TileKind::ShimNoc}, tile)))
    return failure();
  if (auto kind = tile.kind()) {
    int64_t channels = aie::deviceOf(op).limits(*kind).channels;
    if (failed(requireRange(op, "channel index", aie::intAttr(op, "channel").value_or(0), 0,
                            channels - 1)))
      return failure();
  }
  if (failed(aie::verifyPacketInfo(op, aie::packetInfo(op.attr("packet"))))) return failure();
  return verifyTask(op);
}

LogicalResult verifyConfigureTaskFor(Operation& op) {
  Operation* endpoint = nullptr;
  if (failed(findEndpoint(op, op.attrOf<SymbolRefAttr>("alloc"), endpoint))) return failure();
  return verifyTask(op);
}

LogicalResult verifyTaskUse(Operation& op) {
  if (failed(verifyInSequence(op))) return failure();
  // A task may also come through the arguments and results of loops.
  Operation* source = op.operand(0).definingOp();
  if (!source || source->numRegions() != 0) return success();
  return op.emitOpError() << "expects a task made by aiex.dma_configure_task or "
                             "aiex.dma_configure_task_for";
}

LogicalResult verifyAwait(Operation& op) {
  if (failed(verifyTaskUse(op))) return failure();
  ConfigureTaskOp task = taskOf(op.operand(0));
  if (!task || task.issuesToken()) return success();
  InFlightDiagnostic diagnostic = op.emitOpError();
  diagnostic << "cannot wait for a task that issues no token";
  diagnostic.note(task->location()) << "consider adding {issue_token = true} here";
  return diagnostic;
}

// -- Configurations -------------------------------------------------------------------------------

/// The device called so, which stands beside the one around `op`.
static aie::DeviceOp deviceNamed(Operation& op, std::string_view attribute) {
  return dynCast<aie::DeviceOp>(lookupSymbol(&op, op.attrOf<SymbolRefAttr>(attribute)));
}

LogicalResult verifyConfigure(Operation& op) {
  if (deviceNamed(op, "symbol")) return success();
  return op.emitOpError() << op.attr("symbol") << " is not an aie.device";
}

static LogicalResult verifyArguments(Operation& op, aie::RuntimeSequenceOp sequence) {
  auto wanted = sequence.body().arguments();
  if (op.numOperands() != wanted.size())
    return op.emitOpError() << "expects " << wanted.size() << " arguments, found "
                            << op.numOperands();
  for (unsigned i = 0; i < wanted.size(); ++i)
    if (op.operand(i).type() != wanted[i].type())
      return op.emitOpError() << "argument " << i << " must have type " << wanted[i].type()
                              << ", found " << op.operand(i).type();
  return success();
}

LogicalResult verifyRun(Operation& op) {
  aie::DeviceOp device = deviceNamed(*op.parentOp(), "symbol");
  if (!device) return success();  // reported at the aiex.configure
  auto name = op.attrOf<SymbolRefAttr>("runtime_sequence_symbol");
  auto sequence = dynCast<aie::RuntimeSequenceOp>(lookupSymbolIn(*device, name.root()));
  if (!sequence || sequence->region().empty())
    return op.emitOpError() << name << " is not an aie.runtime_sequence of device @"
                            << device.name();
  return verifyArguments(op, sequence);
}

LogicalResult verifyLoadPdi(Operation& op) {
  if (failed(verifyInSequence(op))) return failure();
  if (!op.hasAttr("device_ref") || deviceNamed(op, "device_ref")) return success();
  return op.emitOpError() << op.attr("device_ref") << " is not an aie.device";
}

LogicalResult verifyPreempt(Operation& op) {
  if (failed(verifyInSequence(op))) return failure();
  return requireRange(op, "level", aie::intAttr(op, "level").value_or(0), 0, 3);
}

LogicalResult verifySetLock(Operation& op) {
  if (failed(verifyInSequence(op))) return failure();
  auto lock = dynCast<aie::LockOp>(op.operand(0).definingOp());
  if (!lock) return op.emitOpError() << "expects its lock to be made by aie.lock";
  auto kind = lock.tile() ? lock.tile().kind() : std::nullopt;
  if (!kind) return success();
  int64_t most = aie::deviceOf(op).limits(*kind).maxLockValue;
  return requireRange(op, "lock value", aie::intAttr(op, "value").value_or(0), 0, most);
}

}  // namespace airlite::aiex
