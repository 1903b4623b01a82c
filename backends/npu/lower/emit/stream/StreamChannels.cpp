// Descriptors, queues and tokens of the channels that a sequence drives.
#include "StreamWriter.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/npu/device/StreamWords.hpp"

#include <algorithm>

namespace airlite::npu {
namespace {

/// Bit 22 of a channel's status, the highest of Task_Queue_Size: set when all 4 places are taken.
/// [A] docs/hardware/formats.md section 2. That the firmware of a Phoenix polls as its drivers
/// write it is C: the stream of other tools polls only in tests.
constexpr uint32_t queueIsFull = 1u << 22;

/// Token-completion packets carry the controller id in bits 12:8 of the control register.
constexpr uint32_t controllerMask = 0x1F00;
constexpr unsigned controllerShift = 8;

/// From this argument on the firmware does not translate the address of itself: the xclbin flow
/// adds its offset [docs/hardware/formats.md 9.1].
constexpr uint32_t firstUntranslated = 5;
constexpr uint64_t untranslatedOffset = 0x8000'0000;

uint32_t registerOf(const DmaPlace& place, uint32_t offset) {
  return addressOf(place.tile, offset).value;
}

/// The packet id that tokens of a tile travel with; none when a circuit takes them.
std::optional<uint8_t> tokenPacket(const ArrayConfig& config, Tile tile) {
  for (const Flow& flow : config.flows) {
    const bool isOfTokens = flow.source.tile == tile && flow.source.port.bundle == Bundle::Ctrl;
    if (isOfTokens && flow.isPacket()) return flow.packetIds.front();
  }
  return std::nullopt;
}

void nameController(SequenceState& state, Operation& user, const DmaPlace& place) {
  if (std::ranges::find(state.withController, place) != state.withController.end()) return;
  state.withController.push_back(place);
  const auto id = tokenPacket(state.config, place.tile);
  if (!id) return;
  const uint32_t control = controlOffset(place.kind(), place.direction, place.channel);
  state.emit(
      txnMaskWrite(registerOf(place, control), uint32_t(*id) << controllerShift, controllerMask),
      user);
}

TxnOp pollFor(uint32_t address, uint32_t value, uint32_t mask) {
  TxnOp op = txnMaskWrite(address, value, mask);
  op.code = uint8_t(TxnCode::MaskPoll);
  return op;
}

void waitForRoom(SequenceState& state, Operation& user, const DmaPlace& place,
                 ChannelQueue& queue) {
  if (queue.mayBeQueued() < taskQueueDepth) return;
  const uint32_t status = statusOffset(place.kind(), place.direction, place.channel);
  state.emit(pollFor(registerOf(place, status), 0, queueIsFull), user);
  queue.sawRoom();
}

/// Who holds descriptors of the bank, a note each.
InFlightDiagnostic& noteHolders(InFlightDiagnostic& error, const SequenceState& state,
                                const BdPool& pool, Range bank) {
  constexpr unsigned mostNotes = 3;
  std::vector<int> named;
  for (unsigned bd = bank.begin; bd < bank.end && named.size() < mostNotes; ++bd) {
    const int owner = pool.owner(bd);
    if (owner < 0 || std::ranges::find(named, owner) != named.end()) continue;
    named.push_back(owner);
    const RuntimeTask& task = state.tasks[size_t(owner)];
    error.note(task.op->location())
        << "BD " << bd << " is held by this task, which is neither awaited nor freed before";
  }
  return error;
}

}  // namespace

std::string text(const DmaPlace& place) {
  return std::string(name(place.direction)) + " " + std::to_string(place.channel) + " of (" +
         std::to_string(place.tile.column) + "," + std::to_string(place.tile.row) + ")";
}

LogicalResult startTask(SequenceState& state, Operation& user, TaskId id, unsigned firstBd) {
  RuntimeTask& task = state.tasks[id];
  const DmaPlace& place = task.place;
  const QueueEntry entry{uint8_t(firstBd), uint16_t(task.runs), task.issuesToken};
  const auto word = encode(place.kind(), entry);
  if (!word) return user.emitOpError() << word.error().message;
  ChannelQueue& queue = state.queues[place];
  if (task.issuesToken) nameController(state, user, place);
  waitForRoom(state, user, place, queue);
  const uint32_t start = startQueueOffset(place.kind(), place.direction, place.channel);
  state.emit(txnWrite(registerOf(place, start), *word), user);
  queue.push(id, task.issuesToken);
  task.waitsBefore = state.waits;
  return success();
}

void emitSync(SequenceState& state, Operation& user, const SyncOn& sync) {
  state.emit(txnSync(sync), user);
  ++state.waits;
  for (unsigned column = 0; column < sync.columns; ++column)
    for (unsigned row = 0; row < sync.rows; ++row) {
      const Tile tile{uint8_t(sync.tile.column + column), uint8_t(sync.tile.row + row)};
      const auto queue = state.queues.find({tile, sync.direction, sync.channel});
      if (queue != state.queues.end()) queue->second.takeToken();
    }
}

LogicalResult emitPatch(SequenceState& state, Operation& user, uint32_t address, uint32_t argument,
                        uint64_t plus) {
  Block& block = state.sequence.region().front();
  if (argument >= block.numArguments())
    return user.emitOpError() << "names argument " << argument << " of a sequence that has "
                              << block.numArguments();
  const uint64_t fold = argument >= firstUntranslated ? untranslatedOffset : 0;
  state.emit(txnPatch(address, argument, plus + fold), user);
  return success();
}

const ShimChannel* shimChannelOf(const SequenceState& state, Operation& user,
                                 std::string_view attribute) {
  const auto symbol = user.attrOf<SymbolRefAttr>(attribute);
  for (const ShimChannel& shim : state.config.shims)
    if (symbol && shim.name == symbol.root()) return &shim;
  user.emitOpError() << user.attr(attribute) << " is not a channel of a shim";
  return nullptr;
}

std::optional<unsigned> takeBd(SequenceState& state, Operation& user, const DmaPlace& place,
                               TaskId task, std::optional<int64_t> wanted) {
  BdPool& pool = state.pools[place.tile];
  const Range bank = bdsOfChannel(place.kind(), place.channel);
  if (wanted && (*wanted < 0 || !bank.contains(unsigned(*wanted)))) {
    user.emitOpError() << "wants BD " << *wanted << ", " << text(place) << " uses BDs "
                       << bank.begin << " to " << bank.end - 1;
    return std::nullopt;
  }
  const auto bd = wanted ? std::optional(unsigned(*wanted)) : pool.firstFree(bank);
  if (bd && pool.owner(*bd) == BdPool::free) {
    pool.give(*bd, task);
    return bd;
  }
  InFlightDiagnostic error = user.emitOpError();
  if (bd)
    error << "wants BD " << *bd << " of " << text(place) << ", which is in use"
          << (pool.owner(*bd) == BdPool::reserved ? " by the configuration" : "");
  else
    error << "needs a buffer descriptor for " << text(place) << ", all " << bank.end - bank.begin
          << " are in use";
  noteHolders(error, state, pool, bd ? Range{*bd, *bd + 1} : bank);
  return std::nullopt;
}

void freeTask(SequenceState& state, TaskId id, Location where) {
  RuntimeTask& task = state.tasks[id];
  if (task.isFreed) return;
  task.isFreed = true, task.freedAt = where;
  state.pools[task.place.tile].release(id);
}

}  // namespace airlite::npu
