// npu.dma_memcpy_nd and npu.dma_wait: copies between host memory and the array, each with one
// descriptor of a shim that it names.
#include "StreamDescriptors.hpp"

namespace airlite::npu {
namespace {

constexpr size_t copyDims = 4;

std::optional<std::vector<int64_t>> entries(SequenceState& state, Operation& op,
                                            std::string_view name) {
  const auto statics = op.attrOf<DenseArrayAttr>("static_" + std::string(name)).values();
  const OperandRange values = op.operandGroup(name);
  std::vector<int64_t> result;
  unsigned next = 0;
  for (const int64_t constant : statics) {
    const auto known =
        constant != kDynamic
            ? std::optional(constant)
            : state.values.numberFor(op, values[next++], "one of its " + std::string(name));
    if (!known) return std::nullopt;
    result.push_back(*known);
  }
  return result;
}

/// A copy is a task of its own, with a descriptor that it names.
class CopyMaker {
 public:
  CopyMaker(SequenceState& state, Operation& op) : state_(state), op_(op) {}

  LogicalResult run() {
    const ShimChannel* shim = shimChannelOf(state_, op_, "metadata");
    if (!shim) return failure();
    const DmaPlace place{shim->tile, shim->direction, shim->channel};
    const bool sends = shim->direction == DmaDirection::Mm2s;
    auto wanted = want(*shim);
    if (!wanted) return failure();
    const auto prepared = prepareBd(state_, op_, place, *wanted);
    if (!prepared) return failure();
    const auto number = unsigned(numberOf(op_, "id"));
    if (failed(takeBack(place, number))) return failure();
    // The end of what is received always gives a token [docs/hardware/formats.md 9.2].
    const bool token = !sends || numberOf(op_, "issue_token") != 0;
    const auto id = TaskId(state_.tasks.size());
    state_.tasks.push_back({&op_, place, {number}, prepared->runs, token, !sends});
    if (!takeBd(state_, op_, place, id, number)) return failure();
    if (failed(writeBd(state_, op_, place, number, *prepared))) return failure();
    return startTask(state_, op_, id, number);
  }

 private:
  std::optional<WantedBd> want(const ShimChannel& shim) {
    const auto offsets = entries(state_, op_, "offsets");
    const auto sizes = offsets ? entries(state_, op_, "sizes") : std::nullopt;
    const auto strides = sizes ? entries(state_, op_, "strides") : std::nullopt;
    if (!strides) return std::nullopt;
    WantedBd wanted;
    wanted.memref = op_.operand(0);
    const auto bytes = elementBytesFor(op_, wanted.memref);
    if (!bytes) return std::nullopt;
    wanted.shape.elementBytes = *bytes;
    for (size_t i = 0; i < copyDims; ++i) {
      wanted.shape.dims.push_back({(*sizes)[i], (*strides)[i]});
      wanted.offset += (*offsets)[i] * (*strides)[i];
    }
    wanted.burst = numberOf(op_, "burst_length");
    wanted.packet = packetOf(shim);
    return wanted;
  }

  std::optional<aie::PacketInfo> packetOf(const ShimChannel& shim) const {
    if (shim.direction == DmaDirection::S2mm) return std::nullopt;
    if (const auto own = aie::packetInfo(op_.attr("packet"))) return own;
    return shim.packetId ? std::optional(aie::PacketInfo{0, *shim.packetId}) : std::nullopt;
  }

  /// Copies name their descriptors and never free them: naming one again says that the copy before
  /// is done. That needs a wait in between, of whatever channel.
  LogicalResult takeBack(const DmaPlace& place, unsigned number) {
    const int owner = state_.pools[place.tile].owner(number);
    if (owner < 0 || !state_.tasks[size_t(owner)].op->is(op_.name())) return success();
    const RuntimeTask& before = state_.tasks[size_t(owner)];
    const bool isDone = !state_.queues[before.place].isActive(TaskId(owner));
    if (isDone || state_.waits > before.waitsBefore) {
      freeTask(state_, TaskId(owner), op_.location());
      return success();
    }
    return (op_.emitOpError() << "uses BD " << number << " again without a wait in between")
               .note(before.op->location())
           << "it may still be in use by this copy";
  }

  SequenceState& state_;
  Operation& op_;
};

LogicalResult copy(SequenceState& state, Operation& op) { return CopyMaker(state, op).run(); }

LogicalResult waitForCopy(SequenceState& state, Operation& op) {
  const ShimChannel* shim = shimChannelOf(state, op, "symbol");
  if (!shim) return failure();
  const DmaPlace place{shim->tile, shim->direction, shim->channel};
  if (!state.queues[place].awaitsToken())
    return op.emitOpError() << "would wait forever: nothing that issues a token is started on "
                            << text(place) << " since the last wait";
  emitSync(state, op, {place.tile, place.direction, place.channel, 1, 1});
  return success();
}

constexpr SequenceRow kCopyRows[] = {
    {"aiex.npu.dma_memcpy_nd", copy},
    {"aiex.npu.dma_wait", waitForCopy},
};

}  // namespace

std::span<const SequenceRow> copyRows() { return kCopyRows; }

}  // namespace airlite::npu
