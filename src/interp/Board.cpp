// The shared memory of ranks (see Board.hpp). Waiting is a futex and no condition variable: one that is
// killed while it waits at a condition variable may block all others for ever.
#include "Board.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace airlite::interp {

namespace {
constexpr size_t kBuckets = 4096;
constexpr size_t kLine = 64;

size_t roundedUp(size_t bytes) { return (bytes + kLine - 1) / kLine * kLine; }

size_t bucketOf(const BoardKey& key) {
  uint64_t hash = 0xcbf29ce484222325;
  for (uint64_t word : {key.kind, key.op, key.number, key.part})
    hash = (hash ^ word) * 0x9e3779b97f4a7c15 + (hash >> 29);
  return hash % kBuckets;
}
}  // namespace

struct Board::Header {
  pthread_mutex_t lock;
  std::atomic<uint64_t> changes;
  uint64_t used;
  uint64_t isStuck;
  std::array<uint64_t, kBuckets> buckets;
  std::array<Participant, kMaxParticipants> participants;
};

/// Its bytes are at `bytes`, in a block of a power of two.
struct Board::Entry {
  uint64_t next;
  BoardKey key;
  uint64_t bytes, size, capacity;
};

Board::Header& Board::header() const { return *reinterpret_cast<Header*>(memory_.data()); }

size_t Board::leastBytes() { return roundedUp(sizeof(Header)); }

Board Board::make(std::span<std::byte> memory) {
  Board board(memory);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&board.header().lock, &attributes);
  pthread_mutexattr_destroy(&attributes);
  board.header().used = roundedUp(sizeof(Header));
  return board;
}

Board::Lock::Lock(const Board& board) : mutex_(&board.header().lock) {
  auto* mutex = static_cast<pthread_mutex_t*>(mutex_);
  // Whoever died with it has failed, so the run ends with an error whatever it left behind.
  if (pthread_mutex_lock(mutex) == EOWNERDEAD) pthread_mutex_consistent(mutex);
}

Board::Lock::~Lock() { pthread_mutex_unlock(static_cast<pthread_mutex_t*>(mutex_)); }

// -- Memory ---------------------------------------------------------------------------------------

uint64_t Board::allocate(size_t bytes) {
  uint64_t offset = header().used;
  if (bytes > memory_.size() - offset) throw BoardFull();
  header().used = std::min(roundedUp(offset + bytes), memory_.size());
  return offset;
}

Board::Entry* Board::find(const BoardKey& key) const {
  for (uint64_t offset = header().buckets[bucketOf(key)]; offset;) {
    auto* entry = reinterpret_cast<Entry*>(at(offset));
    if (entry->key == key) return entry;
    offset = entry->next;
  }
  return nullptr;
}

std::span<const std::byte> Board::read(const BoardKey& key) const {
  const Entry* entry = find(key);
  return entry ? std::span<const std::byte>(at(entry->bytes), entry->size)
               : std::span<const std::byte>();
}

void Board::write(const BoardKey& key, std::span<const std::byte> bytes) {
  Entry* entry = find(key);
  if (!entry) {
    uint64_t offset = allocate(sizeof(Entry));
    entry = reinterpret_cast<Entry*>(at(offset));
    uint64_t& first = header().buckets[bucketOf(key)];
    entry->key = key;
    entry->next = first;
    first = offset;
  }
  if (bytes.size() > entry->capacity) {
    // Doubling: the blocks that are left behind are no larger than the last one.
    size_t capacity = std::bit_ceil(std::max(bytes.size(), kLine));
    entry->bytes = allocate(capacity);
    entry->capacity = capacity;
  }
  std::memcpy(at(entry->bytes), bytes.data(), bytes.size());
  entry->size = bytes.size();
}

// -- Those that take part -------------------------------------------------------------------------

Participant& Board::participant(uint32_t number) const { return header().participants[number]; }

uint32_t Board::addParticipant() {
  auto& all = header().participants;
  auto found = std::ranges::find(all, Taking::Free, &Participant::state);
  if (found == all.end()) return kMaxParticipants;
  *found = {};
  found->state = Taking::Runs;
  found->idleAt = UINT64_MAX;
  return static_cast<uint32_t>(found - all.begin());
}

uint64_t Board::changes() const { return header().changes.load(); }

/// The half of the count that a futex can wait for.
static uint32_t* futexWord(std::atomic<uint64_t>& changes) {
  static_assert(std::endian::native == std::endian::little);
  return reinterpret_cast<uint32_t*>(&changes);
}

void Board::noteChange() {
  header().changes.fetch_add(1);
  syscall(SYS_futex, futexWord(header().changes), FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

bool Board::noteIdle(uint32_t number, uint64_t changes) {
  participant(number).idleAt = changes;
  bool isStuck = std::ranges::all_of(header().participants, [&](const Participant& other) {
    return other.state == Taking::Free ||
           (other.state == Taking::Runs && other.idleAt == header().changes.load());
  });
  if (!isStuck) return false;
  header().isStuck = 1;
  noteChange();
  return true;
}

bool Board::isStuck() const { return header().isStuck != 0; }

void Board::waitForChange(uint64_t changes, unsigned milliseconds) const {
  timespec time{milliseconds / 1000, static_cast<long>(milliseconds % 1000) * 1000000};
  syscall(SYS_futex, futexWord(header().changes), FUTEX_WAIT, static_cast<uint32_t>(changes), &time,
          nullptr, 0);
}

}  // namespace airlite::interp
