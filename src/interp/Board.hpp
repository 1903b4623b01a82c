// Memory that several processes share, with what they have to agree on: one lock, a count of changes
// to wait for, named blobs of bytes, and a list of those that take part. It holds offsets and no
// addresses, so each process may see it at another place.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <string_view>

namespace airlite::interp {

/// What a blob is called.
struct BoardKey {
  uint64_t kind = 0, op = 0, number = 0, part = 0;
  bool operator==(const BoardKey&) const = default;
};

/// What a process says of itself.
enum class Taking : uint8_t { Free, Runs, Ended };
struct Participant {
  Taking state = Taking::Free;
  uint8_t status = 0;   // a RunStatus, once it has ended
  uint64_t idleAt = 0;  // it has nothing to do unless more than so many changes are made
  uint64_t steps = 0, processes = 0;
  std::array<char, 256> message = {};
};

/// More than the shared memory holds.
struct BoardFull : std::bad_alloc {
  const char* what() const noexcept override { return "the memory that ranks share is full"; }
};

class Board {
 public:
  static constexpr uint32_t kMaxParticipants = 1025;

  static size_t leastBytes();
  /// Makes a board of zeros.
  static Board make(std::span<std::byte> memory);
  /// One that another process has made.
  static Board see(std::span<std::byte> memory) { return Board(memory); }

  /// Held by one process at a time. One that dies gives it back.
  class Lock {
   public:
    explicit Lock(const Board& board);
    ~Lock();
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    void* mutex_;
  };

  // -- With the lock held
  /// Zeros that stay until the end. Throws BoardFull.
  uint64_t allocate(size_t bytes);
  std::byte* at(uint64_t offset) const { return memory_.data() + offset; }
  /// Empty: there is none of this name.
  std::span<const std::byte> read(const BoardKey& key) const;
  void write(const BoardKey& key, std::span<const std::byte> bytes);
  Participant& participant(uint32_t number) const;
  /// The number of one that nobody uses; kMaxParticipants when there is none.
  uint32_t addParticipant();
  uint64_t changes() const;
  /// All who wait look again.
  void noteChange();
  /// Participant `number` has seen `changes` changes and has nothing to do. True when this holds for
  /// all, so that nobody will ever have anything to do.
  bool noteIdle(uint32_t number, uint64_t changes);
  bool isStuck() const;

  // -- Without
  /// Waits until there are more changes than these, for `milliseconds` at most.
  void waitForChange(uint64_t changes, unsigned milliseconds) const;

 private:
  struct Header;
  struct Entry;
  explicit Board(std::span<std::byte> memory) : memory_(memory) {}
  Header& header() const;
  Entry* find(const BoardKey& key) const;

  std::span<std::byte> memory_;
};

}  // namespace airlite::interp
