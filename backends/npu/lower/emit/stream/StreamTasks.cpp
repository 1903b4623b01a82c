// Ops that drive DMA channels as tasks: chains of descriptors that are written, started, awaited.
#include "StreamDescriptors.hpp"
#include "airlite/dialect/Aiex.hpp"

#include <algorithm>

namespace airlite::npu {
namespace {

/// Memory tiles count their own locks after those of the western neighbour.
unsigned dmaLock(TileKind kind, unsigned lock) {
  return kind == TileKind::Mem ? *memDmaLockBase(Neighbour::Own) + lock : lock;
}

// -- Tasks ----------------------------------------------------------------------------------------

/// A part of a task under construction.
struct Link {
  aie::DmaBdOp op;
  unsigned bd = 0;
};

class TaskMaker {
 public:
  TaskMaker(SequenceState& state, aiex::ConfigureTaskOp op) : state_(state), op_(op) {}

  LogicalResult run() {
    id_ = TaskId(state_.tasks.size());
    task_.op = op_.op();
    task_.issuesToken = op_.issuesToken();
    if (failed(findPlace()) || failed(findRuns())) return failure();
    state_.tasks.push_back(task_);
    if (failed(takeBds())) return failure();
    for (const Link& link : links_)
      if (failed(write(link))) return failure();
    state_.tasks[id_] = task_;
    state_.values.bindTask(op_->result(), id_);
    return success();
  }

 private:
  LogicalResult findPlace() {
    if (!op_->is("aiex.dma_configure_task")) {
      const ShimChannel* shim = shimChannelOf(state_, *op_, "alloc");
      if (!shim) return failure();
      task_.place = {shim->tile, shim->direction, shim->channel};
      if (shim->packetId) packet_ = aie::PacketInfo{0, *shim->packetId};
      return success();
    }
    const auto tile = placeOfTile(state_.config, *op_, op_.tile() ? op_.tile().op() : nullptr);
    if (!tile) return failure();
    const aie::Channel channel = *op_.channel();
    const bool sends = channel.direction == aie::Direction::MM2S;
    task_.place = {*tile, sends ? DmaDirection::Mm2s : DmaDirection::S2mm, uint8_t(channel.index)};
    packet_ = aie::packetInfo(op_->attr("packet"));
    return success();
  }

  std::optional<int64_t> known(const aie::MaybeStatic& number, std::string_view what,
                               Operation& user) {
    if (number.isConstant()) return number.constant;
    return state_.values.numberFor(user, number.value, what);
  }

  LogicalResult findRuns() {
    const auto repeats = known(op_.repeatCount(), "the repeat count", *op_);
    if (!repeats) return failure();
    if (*repeats < 0 || *repeats >= int64_t(maxTaskRepeat))
      return op_->emitOpError() << "repeat count " << *repeats << " is not in 0 to "
                                << maxTaskRepeat - 1;
    task_.runs = *repeats + 1;
    return success();
  }

  /// The number that the program asks for, for the first descriptor or each.
  LogicalResult wantedBd(aie::DmaBdOp bd, std::optional<int64_t>& wanted) {
    wanted = bd.bdId();
    const bool takesOperand = links_.empty() && op_->is("aiex.dma_configure_task");
    const OperandRange value = takesOperand ? op_->operandGroup("bd_id_val") : OperandRange();
    if (value.empty()) return success();
    wanted = state_.values.numberFor(*op_, value[0], "the number of its descriptor");
    return wanted ? success() : failure();
  }

  LogicalResult takeBds() {
    for (const aie::DmaBdOp bd : op_.descriptors()) {
      std::optional<int64_t> wanted;
      if (failed(wantedBd(bd, wanted))) return failure();
      const auto number = takeBd(state_, *bd, task_.place, id_, wanted);
      if (!number) return failure();
      links_.push_back({bd, *number});
      task_.bds.push_back(*number);
    }
    if (!links_.empty()) return success();
    return op_->emitOpError() << "has no descriptors";
  }

  LogicalResult write(const Link& link) {
    const auto wanted = want(link.op);
    if (!wanted) return failure();
    auto prepared = prepareBd(state_, *link.op, task_.place, *wanted);
    if (!prepared || failed(checkRuns(link, prepared->runs)) ||
        failed(addLocks(link, prepared->builder)) ||
        failed(addOutOfOrderId(link.op, *wanted, prepared->builder)))
      return failure();
    addNext(link, prepared->builder);
    task_.writesHost |= !sends() && prepared->host;
    return writeBd(state_, *link.op, task_.place, link.bd, *prepared);
  }

  LogicalResult addOutOfOrderId(aie::DmaBdOp bd, const WantedBd& wanted, BdBuilder& builder) {
    if (!bd.outOfOrderId()) return success();
    if (!wanted.packet)
      return bd->emitOpError() << "out_of_order_id needs a packet, whose header carries it";
    builder.set(BdField::OutOfOrderId, *bd.outOfOrderId());
    return success();
  }

  bool sends() const { return task_.place.direction == DmaDirection::Mm2s; }

  std::optional<WantedBd> want(aie::DmaBdOp bd) {
    WantedBd wanted;
    wanted.memref = bd.buffer();
    wanted.packet = sends() ? (bd.packet() ? bd.packet() : packet_) : std::nullopt;
    wanted.burst = numberOf(*bd, "burst_length");
    const auto bytes = elementBytesFor(*bd, bd.buffer());
    const auto offset = known(bd.offset(), "its offset", *bd);
    if (!bytes || !offset || failed(addDims(bd, wanted.shape))) return std::nullopt;
    wanted.offset = *offset;
    wanted.shape.kind = task_.place.kind();
    wanted.shape.elementBytes = *bytes;
    wanted.shape.mayRunMore = links_.size() == 1 && task_.runs == 1 && !wanted.packet;
    if (failed(addLength(bd, wanted.shape))) return std::nullopt;
    return wanted;
  }

  LogicalResult addDims(aie::DmaBdOp bd, TransferShape& shape) {
    for (const aie::BdDim& dim : bd.dims()) {
      const auto size = known(dim.size, "a size", *bd);
      const auto stride = size ? known(dim.stride, "a stride", *bd) : std::nullopt;
      if (!stride) return failure();
      shape.dims.push_back({*size, *stride});
    }
    for (const aie::BdPad& pad : bd.padding())
      shape.pads.push_back({pad.before, pad.after});
    return success();
  }

  /// Elements of one run as the dimensions say.
  static int64_t elementsOf(const TransferShape& shape) {
    const size_t most = limitsOf(shape.kind).dims;
    int64_t elements = 1;
    for (size_t i = shape.dims.size() > most ? 1 : 0; i < shape.dims.size(); ++i)
      if (__builtin_mul_overflow(elements, shape.dims[i].size, &elements)) return -1;
    return elements;
  }

  LogicalResult addLength(aie::DmaBdOp bd, TransferShape& shape) {
    const auto given = bd.length();
    if (given) {
      const auto length = known(*given, "its length", *bd);
      if (!length) return failure();
      shape.length = *length;
    }
    if (!shape.dims.empty()) {
      const int64_t elements = elementsOf(shape);
      if (!given || !shape.pads.empty() || shape.length == elements) return success();
      return bd->emitOpError() << "its length is " << shape.length << " elements, its sizes give "
                               << elements << " in each run";
    }
    if (given) return success();
    const auto type = bd.buffer().type().dynCast<MemRefType>();
    if (!type || !type.hasStaticShape())
      return bd->emitOpError() << "expects a length: the size of its buffer is open";
    shape.length = type.numElements();
    return success();
  }

  /// A dimension that became runs of the descriptor must be run as often by the task.
  LogicalResult checkRuns(const Link& link, int64_t runs) {
    if (runs == 1) return success();
    // One that the program wrote is counted by its repeat_count; one that a split left is not.
    const bool isSplit = link.op.dims().size() <= limitsOf(task_.place.kind()).dims;
    if (isSplit) task_.runs = runs;
    if (task_.runs % runs == 0) return success();
    return link.op->emitOpError() << "has an outermost dimension of " << runs
                                  << ", but its task runs " << task_.runs
                                  << (task_.runs == 1 ? " time" : " times")
                                  << ": expected repeat_count = " << runs - 1;
  }

  // -- What surrounds a descriptor in its block

  LogicalResult addLocks(const Link& link, BdBuilder& builder) {
    bool isBefore = true;
    for (Operation& op : link.op->block()->ops()) {
      if (&op == link.op.op()) isBefore = false;
      if (airlite::isa<aie::UseLockOp>(&op) &&
          failed(addLock(aie::UseLockOp(&op), isBefore, builder)))
        return failure();
    }
    return success();
  }

  LogicalResult addLock(aie::UseLockOp use, bool isBefore, BdBuilder& builder) {
    const auto lock = placeOfLock(state_.config, *use, use.lock() ? use.lock().op() : nullptr);
    const auto value = lock ? known(use.value(), "its value", *use) : std::nullopt;
    if (!value) return failure();
    if (lock->tile != task_.place.tile)
      return use->emitOpError() << "not supported in a task: the lock of another tile";
    const unsigned number = dmaLock(task_.place.kind(), lock->number);
    if (isBefore)
      builder.acquire(number, int(use.action() == aie::LockAction::Acquire ? *value : -*value));
    else
      builder.release(number, int(*value));
    return success();
  }

  void addNext(const Link& link, BdBuilder& builder) {
    Operation& last = link.op->block()->back();
    if (!last.is("aie.next_bd")) return;
    const auto next = std::ranges::find_if(
        links_, [&](const Link& other) { return other.op->block() == last.successor(0); });
    if (next != links_.end()) builder.next(next->bd);  // else the block of the end
  }

  SequenceState& state_;
  aiex::ConfigureTaskOp op_;
  TaskId id_ = 0;
  RuntimeTask task_;
  std::optional<aie::PacketInfo> packet_;
  std::vector<Link> links_;
};

LogicalResult configureTask(SequenceState& state, Operation& op) {
  return TaskMaker(state, aiex::ConfigureTaskOp(&op)).run();
}

/// The task that an op names; reports one that is not known.
std::optional<TaskId> taskOf(SequenceState& state, Operation& op) {
  const auto task = state.values.task(op.operand(0));
  if (!task) op.emitOpError() << "its task is not known when the stream is made";
  return task;
}

LogicalResult startTaskOp(SequenceState& state, Operation& op) {
  const auto id = taskOf(state, op);
  if (!id) return failure();
  const RuntimeTask& task = state.tasks[*id];
  if (!task.isFreed) return startTask(state, op, *id, task.bds.front());
  return (op.emitOpError() << "starts a task whose descriptors may be in use by others")
             .note(task.freedAt)
         << "they were given back here";
}

LogicalResult awaitTask(SequenceState& state, Operation& op) {
  const auto id = taskOf(state, op);
  if (!id) return failure();
  const DmaPlace place = state.tasks[*id].place;
  if (!state.tasks[*id].issuesToken)
    return op.emitOpError() << "cannot wait for a task that issues no token";
  ChannelQueue& queue = state.queues[place];
  const auto tokens = queue.tokensUntil(*id);
  if (!tokens)
    return op.emitOpError() << "would wait forever: the task is not started since the last wait";
  for (unsigned i = 0; i < *tokens; ++i)
    emitSync(state, op, {place.tile, place.direction, place.channel, 1, 1});
  if (!queue.isActive(*id)) freeTask(state, *id, op.location());
  return success();
}

LogicalResult freeTaskOp(SequenceState& state, Operation& op) {
  const auto id = taskOf(state, op);
  if (!id) return failure();
  state.queues[state.tasks[*id].place].assumeDone(*id);
  freeTask(state, *id, op.location());
  return success();
}

constexpr SequenceRow kTaskRows[] = {
    {"aiex.dma_configure_task", configureTask}, {"aiex.dma_configure_task_for", configureTask},
    {"aiex.dma_start_task", startTaskOp},       {"aiex.dma_await_task", awaitTask},
    {"aiex.dma_free_task", freeTaskOp},
};

}  // namespace

std::span<const SequenceRow> taskRows() { return kTaskRows; }

}  // namespace airlite::npu
