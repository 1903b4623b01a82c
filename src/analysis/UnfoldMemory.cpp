// Buffers, what is touched of them, and values that are kept while the program continues.
#include "UnfoldRun.hpp"
#include "airlite/dialect/MemRef.hpp"

#include <algorithm>

namespace airlite::analysis::unfold {

namespace {

uint32_t bufferOf(UnfoldRun& run, Value value, const Flow& flow) {
  Slot slot = run.values.get(value);
  if (slot.buffer == kNone) {
    slot.buffer = addBuffer(run, value);
    Operation* def = value.definingOp();
    run.graph.out.buffers[slot.buffer].isUnknown = !def || !isa<memref::GetGlobalOp>(def);
    run.values.set(value, slot);
  }
  if (!run.graph.out.buffers[slot.buffer].isPerCore || flow.core == 0) return slot.buffer;
  auto [own, isNew] = run.copies.try_emplace({slot.buffer, flow.core}, 0);
  if (isNew) {
    own->second = static_cast<uint32_t>(run.graph.out.buffers.size());
    run.graph.out.buffers.push_back({value, false, slot.buffer, false});
  }
  return own->second;
}

/// An argument of a hierarchy op that is the whole of a buffer of outside.
bool isHandedIn(Value value, const Buffer& buffer) {
  while (value.isBlockArgument()) {
    air::HierarchyOp hierarchy = air::asHierarchy(value.argumentBlock()->parentOp());
    Value outside = hierarchy ? hierarchy.tiedOperand(value) : Value();
    if (!outside) return false;
    if (outside == buffer.value) return true;
    value = outside;
  }
  return false;
}

}  // namespace

uint32_t addBuffer(UnfoldRun& run, Value value) {
  bool isPerCore = false;
  if (Operation* def = value.definingOp(); def && !def->parentOf<air::HerdOp>())
    isPerCore = air::memoryLevel(value.type()) == air::MemoryLevel::L1 &&
                (def->parentOf<air::SegmentOp>() || def->parentOf<air::LaunchOp>());
  run.graph.out.buffers.push_back({value, isPerCore});
  return static_cast<uint32_t>(run.graph.out.buffers.size() - 1);
}

namespace {

void addMaybes(UnfoldRun& run, PointId point, const std::vector<BufferAccess>& accesses,
               const Flow& flow, bool isOfOpenRun) {
  for (const BufferAccess& access : accesses)
    run.graph.out.maybes.push_back(
        {access.buffer.isKnown() ? bufferOf(run, access.buffer.value, flow) : kNone, access.kind,
         isOfOpenRun});
  Point& at = run.graph.out.points[point];
  at.numMaybes = static_cast<uint32_t>(run.graph.out.maybes.size()) - at.firstMaybe;
}

}  // namespace

namespace {

/// The sizes of a transfer that are known here, as the last piece of a row whose length is computed.
bool knowsSizes(UnfoldRun& run, Operation& op, const BufferAccess& access, Touch& touch) {
  const bool isDma = isa<air::DmaMemcpyNdOp>(&op);
  const bool isTransfer = isDma || isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op);
  if (!isTransfer || !access.region || !access.buffer.isKnown()) return false;
  const air::Access lists = !isDma                             ? air::ChannelAccessOp(&op).access()
                            : access.kind == AccessKind::Write ? air::DmaMemcpyNdOp(&op).dst()
                                                               : air::DmaMemcpyNdOp(&op).src();
  const std::optional<int64_t> start = run.values.number(access.region->start);
  if (!start || lists.sizes.size() != access.region->dims.size()) return false;
  std::vector<StridedDim> dims = access.region->dims;
  for (size_t i = 0; i < dims.size(); ++i) {
    const air::IndexEntry& size = lists.sizes[i];
    const auto count = size.value ? run.values.number(size.value) : std::optional(size.constant);
    if (!count || *count < 0) return false;
    dims[i].count = *count;
  }
  touch.start = *start;
  touch.dims = &run.graph.out.ownDims.emplace_back(std::move(dims));
  return true;
}

}  // namespace

void addTouches(UnfoldRun& run, PointId point, const OpPlan& plan, const Flow& flow) {
  Operation& op = *run.graph.out.points[point].op;
  run.graph.out.points[point].firstTouch = static_cast<uint32_t>(run.graph.out.touches.size());
  run.graph.out.points[point].firstMaybe = static_cast<uint32_t>(run.graph.out.maybes.size());
  run.graph.out.uncertainTouches += plan.numUncertain;
  for (const BufferAccess& access : plan.accesses) {
    Touch touch{bufferOf(run, access.buffer.value, flow), access.kind, !access.region};
    if (access.region) {
      std::optional<int64_t> start = run.values.number(access.region->start);
      if (!start) {
        ++run.graph.out.uncertainTouches;
        run.graph.out.maybes.push_back({touch.buffer, touch.kind});
        continue;
      }
      touch.start = *start;
      touch.dims = &access.region->dims;
    }
    run.graph.out.touches.push_back(touch);
  }
  std::vector<BufferAccess> open;
  for (const BufferAccess& access : plan.maybes) {
    Touch touch;
    if (!knowsSizes(run, op, access, touch)) {
      open.push_back(access);
      continue;
    }
    --run.graph.out.uncertainTouches;
    touch.buffer = bufferOf(run, access.buffer.value, flow);
    touch.kind = access.kind;
    if (std::none_of(touch.dims->begin(), touch.dims->end(),
                     [](const StridedDim& dim) { return dim.count == 0; }))
      run.graph.out.touches.push_back(touch);
  }
  run.graph.out.points[point].numTouches =
      static_cast<uint32_t>(run.graph.out.touches.size()) - run.graph.out.points[point].firstTouch;
  addMaybes(run, point, open, flow, false);
}

namespace {

/// A number that an argument has may not be one that the program is made for; a branch on it is made
/// for both ways.
bool isOpenIn(UnfoldRun& run, Operation& op, OperandRange values) {
  const bool ofArguments = run.plans.of(op).kind != PlanKind::Branch;
  for (Value value : values)
    if (numberWidth(value.type()) != 0 && run.varies.isAssumed(value, run.values, ofArguments))
      return true;
  return false;
}

}  // namespace

void addOpenRuns(UnfoldRun& run, Operation& op, OperandRange deciding, Flow& flow) {
  if (run.graph.isStopped() || !isOpenIn(run, op, deciding)) return;
  const std::vector<BufferAccess>& writes = run.plans.writesOf(op);
  if (writes.empty()) return;
  const PointId point = run.graph.addStep(PointKind::Step, op, flow);
  run.graph.out.points[point].firstMaybe = static_cast<uint32_t>(run.graph.out.maybes.size());
  addMaybes(run, point, writes, flow, true);
}

void waitForOperands(UnfoldRun& run, Operation& op, const OpPlan& plan, Flow& flow) {
  if (plan.pending.empty()) return;
  std::vector<PointId> points{flow.at};
  for (Value value : plan.pending)
    if (!isToken(value)) points.push_back(run.values.get(value).point);
  flow.at = run.graph.join(std::move(points), op, flow);
}

uint32_t wholeBuffer(UnfoldRun& run, Value value) { return carried(run, value).buffer; }

Slot carried(UnfoldRun& run, Value value) {
  Slot slot = run.values.get(value);
  if (isToken(value)) return slot;
  if (std::optional<int64_t> number = run.values.number(value))
    slot.isKnown = true, slot.number = *number;
  if (!isMemRef(value) || slot.buffer != kNone) return slot;
  // A part of a buffer begins somewhere else: what is done with it there is left out.
  Buffer buffer = run.plans.reader().bufferOf(value);
  bool isSelf = buffer.value == value || isHandedIn(value, buffer);
  if (buffer.isKnown() && isSelf) slot.buffer = run.values.get(buffer.value).buffer;
  return slot;
}

void bindResults(UnfoldRun& run, Operation& op, Operation& terminator) {
  std::vector<Slot> slots;
  for (unsigned i = 0; i < op.numResults() && i < terminator.numOperands(); ++i)
    slots.push_back(carried(run, terminator.operand(i)));
  for (unsigned i = 0; i < slots.size(); ++i)
    run.values.set(op.result(i), slots[i]);
}

}  // namespace airlite::analysis::unfold
