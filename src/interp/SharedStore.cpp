// Places memory and channels on the board (see SharedStore.hpp).
#include "SharedStore.hpp"

#include "RankSide.hpp"

#include <algorithm>
#include <cstring>

namespace airlite::interp {

namespace {

/// Kinds of blobs.
constexpr uint64_t kLaneBlob = 1, kSymmetricBlob = 2;

/// Where a block of the symmetric heap is: the parts of all ranks, one after the other.
struct SymmetricPlace {
  uint64_t offset = 0, bytes = 0;
};

size_t lineOf(size_t bytes) { return (bytes + 63) / 64 * 64; }

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
  size_t bytes = copy.data.size();
  Board::Lock lock(board_);
  placeAt(*memory, board_.allocate(roomFor(bytes)), bytes);
  std::ranges::copy(copy.data, memory->data.begin());
  std::ranges::copy(copy.known, memory->known.begin());
  handedOut_.push_back(memory);
  return true;
}

void SharedStore::share(ChannelState& channel) {
  for (size_t i = 0; i < channel.lanes.size(); ++i) {
    ChannelLane& lane = channel.lanes[i];
    if (lane.shared) continue;
    lane.shared = BoardKey{kLaneBlob, numbers_->at(channel.channel.op()), i, 0};
    if (lane.sent() == 0) continue;
    Board::Lock lock(board_);
    board_.write(*lane.shared, bytesOfLane(lane));
  }
}

std::vector<std::shared_ptr<Memory>> SharedStore::symmetric(Operation* op, uint64_t group, uint32_t number, uint32_t count, const Memory& fresh) {
  Board::Lock lock(board_);
  BoardKey key{kSymmetricBlob, numbers_->at(op), number, group};
  SymmetricPlace place;
  std::span<const std::byte> found = board_.read(key);
  if (found.empty()) {
    place = {board_.allocate(count * roomFor(fresh.data.size())), fresh.data.size()};
    board_.write(key, std::as_bytes(std::span(&place, 1)));
  } else {
    std::memcpy(&place, found.data(), sizeof place);
  }
  std::vector<std::shared_ptr<Memory>> parts;
  for (uint32_t rank = 0; rank < count; ++rank) {
    Memory& part = *parts.emplace_back(std::make_shared<Memory>(fresh));
    placeAt(part, place.offset + rank * roomFor(place.bytes), place.bytes);
    if (!found.empty()) continue;
    std::ranges::copy(fresh.data, part.data.begin());
    std::ranges::copy(fresh.known, part.known.begin());
  }
  return parts;
}

void SharedStore::takeBack() {
  for (const std::shared_ptr<Memory>& memory : handedOut_) {
    memory->freed = memory->freed || *memory->freedByAny;
    memory->freedByAny = nullptr;
    memory->data.takeOver();
    memory->known.takeOver();
  }
  handedOut_.clear();
}

AtomicTurn::AtomicTurn(Run& run, const Memory& memory) {
  if (memory.freedByAny) lock_.emplace(run.machine.side()->board());
}

}  // namespace airlite::interp
