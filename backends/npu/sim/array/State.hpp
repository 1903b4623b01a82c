// The state of the array: what the parts of the simulator share. Plain data and short questions.
#pragma once

#include "airlite/npu/sim/array/Array.hpp"
#include "sim/array/Banks.hpp"
#include "sim/array/Channel.hpp"
#include "sim/array/ControlPort.hpp"
#include "sim/array/Ddr.hpp"
#include "sim/array/DdrTraffic.hpp"
#include "sim/array/Locks.hpp"
#include "sim/array/Sampler.hpp"
#include "sim/array/Switch.hpp"
#include "sim/array/TileHost.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace airlite::npu::sim {

using Cascade = std::array<uint8_t, cascadeBytes>;

/// What a run has used, where it was estimated (sim/model).
struct ArrayTraffic {
  std::vector<PortTraffic> ports = {};
  std::vector<ChannelTraffic> channels = {};
  std::array<uint64_t, 2> ddrRequests{};  ///< by DmaDirection
  std::map<Tile, CoreWork> work = {};
  std::map<Tile, uint64_t> bankStalls = {};
};

struct TileState {
  TileState(ArrayState& array, Tile place);

  ArrayState& array;
  Tile place;
  TileKind kind;
  std::vector<uint8_t> memory;
  std::vector<bool> written;  ///< the words of `memory`; none when nobody asks
  LockBank locks;
  Banks banks;              ///< of a core tile; others are not charged
  uint64_t bankStalls = 0;  ///< cycles in which its core stood for a bank
  Switch streams;
  ControlPort control;
  bool rests = false;  ///< nothing worked at the last look; words that come in are seen anyway
  std::vector<Channel> channels;  ///< S2MM, then MM2S
  std::vector<uint32_t> bdWords;
  std::map<uint32_t, uint32_t> registers;  ///< last values of the others
  uint32_t mux = 0, demux = 0;             ///< shim

  std::unique_ptr<Core> core;
  TileHost host;
  uint32_t coreControl = 2;  ///< in reset after power-up
  bool coreRuns = false;
  std::vector<uint8_t> program;  ///< of its core, as far as it was written
  /// What comes in by the cascade, from the north and from the west.
  std::array<Fifo<Cascade>, 2> cascadeIn;

  void fault(std::string text, Origin origin = {});
  /// Some bytes of `memory` get a value.
  void noteWritten(const uint8_t* at, size_t size);
  bool isWritten(const uint8_t* at) const {
    return written.empty() || written[size_t(at - memory.data()) / sizeof(uint32_t)];
  }
  Channel& channel(DmaDirection direction, unsigned number);
  /// Where the channel meets the switch; none when the shim's multiplexer leads elsewhere.
  std::optional<unsigned> portOf(DmaDirection direction, unsigned number) const;
  unsigned tokenSlave() const { return *portIndex(kind, PortSide::Slave, {Bundle::Ctrl, 0}); }
  std::span<uint32_t> bd(unsigned id);

  /// A client of this tile's memory asks for the banks of those bytes.
  void useBanks(uint32_t offset, size_t size, unsigned key, MemoryClient& client);
  void step();
  /// False: nothing here would change in this cycle. Costs next to nothing while that stays so.
  bool isAwake() { return !(rests && streams.isIdle()) && look(); }
  /// Something from outside may have given this tile work: a register, a lock.
  void wake() { rests = false; }

 private:
  bool works() const;
  bool look();
  void stepCore();
};

struct ArrayState {
  ArrayState(const Device& device, ArrayOptions options, CoreFactory* cores);

  const Device& device;
  ArrayOptions options;
  CoreFactory* cores;
  uint64_t now = 0;
  uint64_t lastProgress = 0;
  bool someLocksAreDirty = false;  ///< of any tile: requests that the end of the cycle answers
  std::vector<Banks*> busyBanks;   ///< that were asked for in this cycle
  std::array<DdrTraffic, 2> ddrTraffic;           ///< by DmaDirection
  std::unique_ptr<Sampler> sampler;               ///< none: nobody watches
  std::vector<std::unique_ptr<TileState>> tiles;  ///< column by column
  Ddr ddr;
  std::map<TokenActor, unsigned> tokens;  ///< that reached the firmware
  std::optional<ArrayTraffic> estimated;  ///< none: the parts know what they did
  std::optional<Fault> fault;
  std::vector<Fault> warnings;
  std::set<std::pair<Tile, unsigned>> warnedOf;  ///< descriptors that have a warning

  TileState* at(Tile tile);
  TileState* neighbour(Tile tile, Neighbour side);
  /// Keeps the first of all faults: of the least tile in the earliest cycle.
  void raise(Tile tile, std::string text, Origin origin = {});
  /// Of a descriptor of the tile, once.
  void warn(Tile tile, std::string text, Origin origin);
  /// What the runs since the last call were warned of, and what stands in streams if they are done.
  std::vector<Fault> takeWarnings(bool isFinished);
  /// The operation of the runtime stream that wrote a descriptor last, and the one that runs.
  std::map<uint32_t, uint32_t> bdWriters;  ///< by the address of the descriptor
  std::optional<uint32_t> operation;
  void progress() { lastProgress = now; }
  /// One cycle of everything.
  void step();
  bool isAwake();
  bool ripens() const;
  void settleLocks();
  void settleBanks();
};

/// A register write by configuration; a text when the model does not know what it means.
std::optional<std::string> writeRegister(TileState& tile, uint32_t offset, uint32_t value,
                                         uint32_t mask);
Result<uint32_t> readRegister(TileState& tile, uint32_t offset);

/// What waits, in the order of tiles.
std::vector<Wait> waitsOf(ArrayState& array);
/// What `tile`'s core waits for, if it does (Report.cpp).
std::optional<Wait> waitOfCore(const TileState& tile);
/// Fills the chain of a result that has hung (WaitChain.cpp).
void findChain(ArrayState& array, RunResult& result);

constexpr uint32_t wordFrom(const uint8_t* at) {
  return uint32_t(at[0]) | uint32_t(at[1]) << 8 | uint32_t(at[2]) << 16 | uint32_t(at[3]) << 24;
}
constexpr void wordTo(uint8_t* at, uint32_t value) {
  for (int i = 0; i < 4; ++i)
    at[i] = uint8_t(value >> 8 * i);
}

}  // namespace airlite::npu::sim
