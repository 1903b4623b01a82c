// The simulator of an array: takes the bytes that a driver would, and steps tiles cycle by cycle.
// It knows nothing of who made them. What is not modelled is a fault that names it.
//
//   const auto cores = makeAie2CoreFactory();  // sim/core/Core.hpp
//   Array array(*Device::named("npu1"), {}, cores.get());
//   if (const auto fault = array.load(xclbin)) return fail(fault->text);
//   const unsigned input = array.addBuffer(Bytes(4096));  // fill array.buffer(input)
//   const RunResult result = array.run(*readTxn(stream));
//   if (!result) std::cerr << result.text();
#pragma once

#include "airlite/npu/device/Device.hpp"
#include "airlite/npu/image/Cdo.hpp"
#include "airlite/npu/image/Image.hpp"
#include "airlite/npu/image/Txn.hpp"
#include "airlite/npu/sim/CoreHost.hpp"
#include "airlite/npu/sim/array/Observer.hpp"
#include "airlite/npu/sim/array/Timing.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace airlite::npu::sim {

struct ArrayOptions {
  Timing timing;
  /// Steps the tiles of a cycle in the other order. Nothing may depend on it: tests turn it on.
  bool reversesTileOrder = false;
  uint64_t cycleLimit = 1'000'000'000;
  Observer* observer = nullptr;  ///< lives longer than the array; none: costs nothing
  /// Asked every few thousand cycles with how many the run has taken; true ends it as Stopped.
  std::function<bool(uint64_t cycles)> wantsStop = {};
  /// Notes which words of memory are written: RunResult::warnings.
  bool sanitizes = false;
  /// Cores count where their programs spend cycles: Array::cyclesAt.
  bool profiles = false;
};

/// Something that the hardware, or this model of it, cannot do.
struct Fault {
  Tile tile;  ///< where; of no meaning for faults of files and of the stream
  uint64_t cycle = 0;
  std::string text;
  Origin origin = {};
  friend bool operator==(const Fault&, const Fault&) = default;
};

/// Idle ends a chain of waits: something that does nothing, waits for nothing and will do nothing.
enum class WaitKind : uint8_t { Lock, StreamIn, StreamOut, Token, Core, Idle };

/// One thing that cannot continue, and what it waits for.
struct Wait {
  Tile tile;
  std::string who;  ///< "MM2S 0", "core", "slave SOUTH0", "sync"
  WaitKind kind = WaitKind::Lock;
  Tile other;         ///< Lock: the tile whose lock it is
  unsigned lock = 0;  ///< Lock: its number in that tile
  /// "sync": the channel of `tile` whose token it is.
  DmaDirection direction = DmaDirection::S2mm;
  unsigned channel = 0;
  std::string text;  ///< the whole sentence
  Origin origin = {};
};

enum class Outcome : uint8_t { Finished, Faulted, Hung, OutOfCycles, Stopped };

struct RunResult {
  Outcome outcome = Outcome::Finished;
  uint64_t cycles = 0;  ///< that this run took
  std::optional<Fault> fault;
  std::vector<Wait> waits;  ///< Hung, OutOfCycles, Stopped: in the order of tiles
  /// Hung: waits that each wait for the next, from what the stream waits for if it does. It ends
  /// with a circle, from `circleFrom` on, or with something that is idle. Who could release a lock
  /// follows from descriptors and programs, where a core computes lock numbers it may be any.
  std::vector<Wait> chain = {};
  std::optional<size_t> circleFrom = std::nullopt;
  /// With ArrayOptions::sanitizes: descriptors that send words of a tile which nobody has written since
  /// power-up (each descriptor once), and, of a run that has finished, words that stand in streams.
  std::vector<Fault> warnings = {};

  explicit operator bool() const { return outcome == Outcome::Finished; }
  /// For people: one line, then one for each wait, then the chain.
  std::string text() const;
};

struct ArrayState;

/// A partition of a device after power-up: memories 0, locks 0, no core enabled. Not copyable.
class Array {
 public:
  /// Without `cores`, enabling a core is a fault.
  explicit Array(const Device& device, ArrayOptions options = {}, CoreFactory* cores = nullptr);
  ~Array();
  Array(Array&&) noexcept;

  /// Configuration: a CDO, a PDI or an xclbin, by its bytes. The first fault ends it.
  std::optional<Fault> load(ByteSpan image);
  std::optional<Fault> apply(const Cdo& cdo);
  std::optional<Fault> write(Address address, uint32_t value);
  std::optional<Fault> maskWrite(Address address, uint32_t mask, uint32_t value);
  std::optional<Fault> writeBlock(Address address, std::span<const uint32_t> words);
  /// Memories, locks, status registers and everything that can be written. In the window of lock
  /// requests it acquires or releases, as a read of the bus does.
  Result<uint32_t> read(Address address) const;

  /// A buffer in DDR, zeros at first. Its number is the argument index that patches name.
  unsigned addBuffer(Bytes size);
  std::span<uint8_t> buffer(unsigned argument);
  /// The device address of its first byte.
  uint64_t bufferAddress(unsigned argument) const;

  /// Executes the instruction stream until its last operation is done.
  RunResult run(const Txn& stream);
  /// How long that would take, by the performance model (docs/npu_model.md): no word moves, buffers in
  /// DDR stay as they are. The traffic of the array is the model's afterwards, and nothing else can be
  /// run on it.
  RunResult estimate(const Txn& stream);
  /// Steps until nothing moves any more: every queue empty, every core done or disabled. What
  /// waits for a lock or a stream then is Hung; a receiver that waits for data too.
  RunResult settle();

  std::span<const uint8_t> memory(Tile tile) const;
  unsigned lock(Tile tile, unsigned number) const;
  /// Status of the core of that tile; Disabled where there is none.
  CoreStatus core(Tile tile) const;
  /// Cycles in which the core of that tile stalled since a memory bank served another client.
  uint64_t bankStalls(Tile tile) const;
  /// What the core of that tile has done; zeros where there is none.
  CoreWork work(Tile tile) const;
  /// Core::cyclesAt; empty where there is no core, without `profiles`, and after `estimate`.
  std::span<const BundleCycles> cyclesAt(Tile tile) const;
  /// Masters of switches and channels that moved words, in the order of tiles.
  std::vector<PortTraffic> portTraffic() const;
  std::vector<ChannelTraffic> channelTraffic() const;
  /// Requests to DDR, in one direction, of all shims.
  uint64_t ddrRequests(DmaDirection direction) const;
  const Timing& timing() const;
  uint64_t cycle() const;

 private:
  std::unique_ptr<ArrayState> state_;
};

}  // namespace airlite::npu::sim
