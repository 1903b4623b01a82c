// The interface between the array simulator and what executes bundles: a core asks its host (its
// tile) for memory, locks, streams and the cascade; the array steps the core. Neither includes
// anything else of the other.
//
//   uint32_t lock = 48;  // the first of its own tile
//   if (host.acquire(lock, -1) == Reply::Stalled) return;  // asks again in the next cycle
#pragma once

#include "airlite/device/AieDevices.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace airlite::npu::sim {

/// What became of a request of this cycle.
enum class Reply : uint8_t {
  Done,     ///< it happened
  Stalled,  ///< nothing happened: the same request is to be made again next cycle
  Faulted,  ///< it can never happen; CoreHost::faultText says why
};

/// A word of a stream. A 128-bit access is four of them, of which the last may carry TLAST.
struct StreamWord {
  uint32_t value = 0;
  bool isLast = false;  ///< TLAST
  friend bool operator==(const StreamWord&, const StreamWord&) = default;
};

/// What the cascade moves at once, the lowest byte first.
constexpr unsigned cascadeBytes = aie::cascadeBits(aie::Generation::Aie2) / 8;

/// What a core sees of the tile around it, in the cycle in which it is stepped. Effects are seen by
/// later requests of the same core at once; the array decides what other tiles see when.
class CoreHost {
 public:
  virtual ~CoreHost() = default;

  /// Data memory, at 0x40000..0x7FFFF as core code counts (south, west, north, own; 64 KB each).
  /// Stalled: the bank is taken this cycle. Faulted: no memory there, or the end of a window is
  /// crossed. No alignment is asked for here: that is the core's.
  virtual Reply load(uint32_t address, std::span<uint8_t> to) = 0;
  virtual Reply store(uint32_t address, std::span<const uint8_t> from) = 0;

  /// Registers of the own tile, by the processor bus (lda.tm, st.tm); `offset` as everybody counts
  /// them. Faulted: no such register, one that the model does not know, or the bus is off.
  virtual Reply readRegister(uint32_t offset, uint32_t& value) = 0;
  virtual Reply writeRegister(uint32_t offset, uint32_t value) = 0;

  /// Locks as core code counts: 0-15 south, 16-31 west, 32-47 north, 48-63 own.
  /// acquire with value < 0: when the lock is at least -value, subtract -value; with value >= 0: when
  /// it equals value, and it stays so. Stalled when it does not hold. [docs/hardware/formats.md
  /// section 2; UG1583 says that acquire_equal changes nothing]
  virtual Reply acquire(unsigned lock, int value) = 0;
  /// Adds `change`. A sum outside 0..63 is a fault: the hardware's answer to it is not known.
  virtual Reply release(unsigned lock, int change) = 0;

  /// The one stream port CORE0 each way. Stalled: nothing there, or no room.
  virtual Reply readStream(StreamWord& word) = 0;
  virtual Reply writeStream(StreamWord word) = 0;

  /// Cascade: where it comes from and goes to is in Accumulator_Control, FIFOs of 2 each side.
  virtual Reply readCascade(std::span<uint8_t, cascadeBytes> to) = 0;
  virtual Reply writeCascade(std::span<const uint8_t, cascadeBytes> from) = 0;

  /// The text of the last request that was answered Faulted.
  virtual std::string faultText() const = 0;
  /// Cycles since the array was made: what the timer registers show.
  virtual uint64_t cycle() const = 0;
};

enum class CoreState : uint8_t {
  Disabled,  ///< not enabled, or in reset
  Running,
  StalledOnMemory,
  StalledOnLock,
  StalledOnStreamIn,
  StalledOnStreamOut,
  StalledOnCascadeIn,
  StalledOnCascadeOut,
  Done,     ///< executed DONE
  Faulted,  ///< see CoreStatus::text
};
constexpr bool isStalled(CoreState state) {
  return state >= CoreState::StalledOnMemory && state <= CoreState::StalledOnCascadeOut;
}

struct CoreStatus {
  CoreState state = CoreState::Disabled;
  uint32_t programCounter = 0;  ///< of the bundle that runs, stalls, ended or faulted; bytes
  unsigned lock = 0;            ///< StalledOnLock: as core code counts
  int lockValue = 0;            ///< StalledOnLock: what acquire was asked for
  std::string text;             ///< Faulted: what and why
};

constexpr uint32_t programBytes =
    aie::limitsOf(aie::Generation::Aie2, aie::TileKind::Core).programBytes;

/// What the program of a core has done since its tile was made.
struct CoreWork {
  uint64_t bundles = 0;       ///< issued
  uint64_t products = 0;      ///< of elements, in all lanes of the matrix unit, used or not
  unsigned mostProducts = 0;  ///< of one instruction: what the unit can do in a cycle, in that mode
};

/// Of the bundle at one address of program memory.
struct BundleCycles {
  uint64_t issued = 0;   ///< cycles in which it was issued
  uint64_t stalled = 0;  ///< in which what it had begun stood still
};

/// Executes bundles. One per core tile; made by the user of the array, who may give none.
class Core {
 public:
  virtual ~Core() = default;

  /// Registers and pipeline as after power-up, program counter 0, disabled. Program memory stays.
  virtual void reset() = 0;
  virtual void enable(bool isEnabled) = 0;
  /// One cycle. Called while enabled and neither done nor faulted; a stalled core tries again.
  virtual void step(CoreHost& host) = 0;
  virtual CoreStatus status() const = 0;
  /// Bytes into program memory; offset + size is at most programBytes. What no write has touched
  /// is not initialised, and executing it faults.
  virtual void writeProgram(uint32_t offset, std::span<const uint8_t> bytes) = 0;
  /// Whether the program may release that lock, as core code counts: who waits for it waits for this
  /// core then. True when the core cannot tell.
  virtual bool mayRelease(unsigned lock) const { return static_cast<void>(lock), true; }
  /// Zeros when the core does not count.
  virtual CoreWork work() const { return {}; }
  /// From now on counts where the program spends its cycles (cyclesAt).
  virtual void countCycles() {}
  /// For each address of program memory, since countCycles; empty without it.
  virtual std::span<const BundleCycles> cyclesAt() const { return {}; }
};

/// The maker of cores that the array is given: a core for the tile (column, row).
class CoreFactory {
 public:
  virtual ~CoreFactory() = default;
  virtual std::unique_ptr<Core> make(unsigned column, unsigned row) = 0;
};

}  // namespace airlite::npu::sim
