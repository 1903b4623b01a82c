// Finds out which message of a channel a load reads.
#include "ReceivedData.hpp"

#include "RunOrder.hpp"
#include "airlite/analysis/Access.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/Lanes.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>

namespace airlite::analysis {

namespace {

/// The ops are walked by themselves.
bool onlyHoldsOps(Operation& op) {
  return op.numRegions() > 0 && (op.name().starts_with("scf.") ||
                                 op.name().starts_with("affine.") || op.name().starts_with("air."));
}

/// The one op of `herd` that writes `memory` before `load` reads it; null where there are several.
Operation* onlyWriter(air::HerdOp herd, Value memory, Operation& load) {
  AccessReader reader;
  Operation* writer = nullptr;
  bool isOne = true;
  herd->walk([&](Operation& op) {
    const bool isMadeOrFreed = &op == memory.definingOp() || op.is("memref.dealloc");
    if (onlyHoldsOps(op) || isMadeOrFreed) return;
    const bool isLater = load.parentOp() == herd.op() && air::laterInBlock(load, op);
    if (isLater) return;
    std::vector<BufferAccess> accesses;
    reader.direct(op, accesses);
    for (const BufferAccess& access : accesses) {
      if (access.kind == AccessKind::Read) continue;
      if (access.buffer.isKnown() && access.buffer.value != memory) continue;
      isOne &= !writer || writer == &op;
      writer = &op;
    }
  });
  return isOne ? writer : nullptr;
}

bool areApart(OperandRange a, OperandRange b) {
  for (unsigned i = 0; i < std::min(a.size(), b.size()); ++i) {
    const auto first = constantIntOf(a[i]), second = constantIntOf(b[i]);
    if (first && second && *first != *second) return true;
  }
  return false;
}

/// No other get of the module takes from one of its destinations.
bool isAlone(air::ChannelAccessOp get) {
  Operation* module = get.channel()->parentOp();
  bool isOne = true;
  module->walk([&](Operation& op) {
    if (&op == get.op() || !isa<air::ChannelGetOp>(&op)) return;
    const air::ChannelAccessOp other(&op);
    if (other.channelName() == get.channelName()) isOne &= areApart(other.indices(), get.indices());
  });
  return isOne;
}

/// What is around it runs once.
bool runsOnce(air::HerdOp herd) {
  for (Operation* around = herd->parentOp(); around; around = around->parentOp()) {
    if (isa<func::FuncOp>(around)) return true;
    const air::HierarchyOp level = air::asHierarchy(around);
    const auto sizes = level ? level.constantSizes() : std::nullopt;
    if (!sizes || std::ranges::any_of(*sizes, [](int64_t size) { return size != 1; })) return false;
  }
  return false;
}

/// The loops around `op` up to its herd, outermost first.
std::optional<std::vector<scf::ForOp>> loopsAround(Operation& op, air::HerdOp herd) {
  std::vector<scf::ForOp> loops;
  for (Operation* around = op.parentOp(); around != herd.op(); around = around->parentOp()) {
    const auto loop = dynCast<scf::ForOp>(around);
    if (!loop || !loop.tripCount() || !constantIntOf(loop.lowerBound())) return std::nullopt;
    loops.insert(loops.begin(), loop);
  }
  return loops;
}

}  // namespace

std::string Received::form() const {
  const auto type = get.access().memref.type().cast<MemRefType>();
  std::string text = "'@" + std::string(get.channelName()) + "'";
  for (const int64_t size : type.shape())
    text += " " + std::to_string(size);
  return text;
}

Value SameData::representative(Value value) {
  Operation* load = value.definingOp();
  const std::optional<Received> data = load ? findReceived(*load) : std::nullopt;
  if (!data) return value;
  std::string key = data->form() + ":";
  for (unsigned i = 1; i < load->numOperands(); ++i) {
    const std::optional<int64_t> index = constantIntOf(load->operand(i));
    if (!index) return value;
    key += " " + std::to_string(*index);
  }
  return first_.try_emplace(key, value).first->second;
}

std::optional<Received> findReceived(Operation& load) {
  const auto herd = load.parentOf<air::HerdOp>();
  if (!load.is("memref.load") || !herd || air::runsOncePerLane(herd) || !runsOnce(herd))
    return std::nullopt;
  const Value memory = air::bufferSource(load.operand(0));
  const Operation* made = memory.definingOp();
  if (!made || !made->is("memref.alloc") || made->parentOf<air::HerdOp>() != herd)
    return std::nullopt;
  Operation* writer = onlyWriter(herd, memory, load);
  if (!writer || !isa<air::ChannelGetOp>(writer)) return std::nullopt;
  const air::ChannelAccessOp get(writer);
  const bool isWhole = get.channel() && get.access().isWhole() &&
                       get.access().memref.type() == load.operand(0).type() &&
                       memory.type() == load.operand(0).type();
  if (!isWhole || !air::laterInBlock(*writer, load) || !isAlone(get)) return std::nullopt;
  const auto loops = loopsAround(*writer, herd);
  return loops ? std::optional(Received{get, *loops}) : std::nullopt;
}

}  // namespace airlite::analysis
