// Places memory and channels on the board (see SharedStore.hpp).
#include "SharedStore.hpp"

#include "RankSide.hpp"

#include <algorithm>
#include <cstring>

namespace airlite::interp {

namespace {

/// Kinds of blobs.
constexpr uint64_t kLaneBlob = 1, kSymmetricBlob = 2, kHandedBlob = 3;

/// Where memory is; of the symmetric heap the parts of all ranks, one after the other.
struct BlockPlace {
  uint64_t offset = 0, bytes = 0;  // of one part
};

/// False: nobody has written it.
bool findPlace(const Board& board, const BoardKey& key, BlockPlace& place) {
  std::span<const std::byte> found = board.read(key);
  if (!found.empty()) std::memcpy(&place, found.data(), sizeof place);
  return !found.empty();
}

size_t lineOf(size_t bytes) { return (bytes + 63) / 64 * 64; }

/// In the line of the mark that memory is freed: the number of the op that did it.
constexpr size_t kFreedBy = 8;

/// A line for the mark that it is freed, the bytes, and which of them are known.
size_t roomFor(size_t bytes) { return 64 + 2 * lineOf(bytes); }

bool isNextToCore(const Memory& memory) {
  return memory.perCore || memory.turns || !memory.copies.empty() || !memory.routes.empty();
}

}  // namespace

Operation* moduleAround(Operation* op) {
  while (op->parentOp())
    op = op->parentOp();
  return op;
}

void SharedStore::numberOps(Operation* op) {
  if (numbers_) return;
  numbers_ = std::make_shared<std::unordered_map<const Operation*, uint64_t>>();
  moduleAround(op)->walk([&](Operation& each) { numbers_->emplace(&each, numbers_->size()); });
}

void SharedStore::placeAt(Memory& memory, uint64_t offset, size_t bytes) {
  std::byte* data = board_.at(offset + 64);
  auto* known = reinterpret_cast<uint8_t*>(board_.at(offset + 64 + lineOf(bytes)));
  memory.data.placeIn({data, bytes});
  memory.known.placeIn({known, bytes});
  memory.freedByAny = reinterpret_cast<uint8_t*>(board_.at(offset));
}

bool SharedStore::share(const std::shared_ptr<Memory>& memory) {
  if (memory->freedByAny || memory->constant || memory->freed) return true;
  if (isNextToCore(*memory)) return false;
  Memory copy = *memory;
  Board::Lock lock(board_);
  // Processes that are alike hand out the same things in the same order: one of them is the first.
  BoardKey key{kHandedBlob, 0, handedOut_.size(), epoch_};
  handedOut_.push_back(memory);
  BlockPlace place{0, copy.data.size()};
  if (findPlace(board_, key, place)) {
    placeAt(*memory, place.offset, place.bytes);
    return true;
  }
  place.offset = board_.allocate(roomFor(place.bytes));
  board_.write(key, std::as_bytes(std::span(&place, 1)));
  placeAt(*memory, place.offset, place.bytes);
  std::ranges::copy(copy.data, memory->data.begin());
  std::ranges::copy(copy.known, memory->known.begin());
  return true;
}

void SharedStore::share(ChannelState& channel) {
  for (size_t i = 0; i < channel.lanes.size(); ++i) {
    ChannelLane& lane = channel.lanes[i];
    if (lane.shared) continue;
    lane.shared = BoardKey{kLaneBlob, numbers_->at(channel.channel.op()), i, epoch_};
    if (lane.sent() == 0) continue;
    Board::Lock lock(board_);
    if (board_.read(*lane.shared).empty()) board_.write(*lane.shared, bytesOfLane(lane));
  }
}

std::vector<std::shared_ptr<Memory>> SharedStore::symmetric(Operation* op, uint64_t group,
                                                            uint32_t number, uint32_t count,
                                                            const Memory& fresh) {
  Board::Lock lock(board_);
  BoardKey key{kSymmetricBlob, numbers_->at(op), number, group};
  BlockPlace place{0, fresh.data.size()};
  bool isThere = findPlace(board_, key, place);
  if (!isThere) {
    place.offset = board_.allocate(count * roomFor(place.bytes));
    board_.write(key, std::as_bytes(std::span(&place, 1)));
  }
  std::vector<std::shared_ptr<Memory>> parts;
  for (uint32_t rank = 0; rank < count; ++rank) {
    Memory& part = *parts.emplace_back(std::make_shared<Memory>(fresh));
    placeAt(part, place.offset + rank * roomFor(place.bytes), place.bytes);
    if (isThere) continue;
    std::ranges::copy(fresh.data, part.data.begin());
    std::ranges::copy(fresh.known, part.known.begin());
  }
  return parts;
}

void SharedStore::noteFreed(Memory& memory, const Operation& op) {
  const auto found = numbers_->find(&op);
  const uint64_t number = found == numbers_->end() ? UINT64_MAX : found->second;
  std::memcpy(memory.freedByAny + kFreedBy, &number, sizeof number);
  *memory.freedByAny = 1;
}

Operation* SharedStore::freedBy(const Memory& memory) const {
  if (!memory.freedByAny || !*memory.freedByAny) return memory.freedBy;
  uint64_t number = 0;
  std::memcpy(&number, memory.freedByAny + kFreedBy, sizeof number);
  for (const auto& [op, other] : *numbers_)
    if (other == number) return const_cast<Operation*>(op);
  return memory.freedBy;
}

void SharedStore::takeBack() {
  for (const std::shared_ptr<Memory>& memory : handedOut_) {
    memory->freedBy = freedBy(*memory);
    memory->freed = memory->freed || *memory->freedByAny;
    memory->freedByAny = nullptr;
    memory->data.takeOver();
    memory->known.takeOver();
  }
  handedOut_.clear();
  ++epoch_;
}

void SharedStore::takeBack(ChannelState& channel) {
  for (ChannelLane& lane : channel.lanes) {
    if (!lane.shared) continue;
    Board::Lock lock(board_);
    if (auto bytes = board_.read(*lane.shared); !bytes.empty()) readLane(lane, bytes);
    lane.shared.reset();
  }
}

AtomicTurn::AtomicTurn(Run& run, const Memory& memory) {
  if (memory.freedByAny) lock_.emplace(run.machine.side()->board());
}

}  // namespace airlite::interp
