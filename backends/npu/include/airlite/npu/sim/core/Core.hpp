// The cores of the simulator, AIE2 and AIE2P: they run the bytes of program memory with the exposed
// pipeline.
// docs/npu_sim_core.md says what is modelled, and how sure each number is.
//
//   std::unique_ptr<Aie2Core> core = makeAie2Core();
//   core->write(isa::Reg::r0, bytes);
//   CoreCounters done = core->counters();
#pragma once

#include "airlite/npu/isa/Tables.hpp"
#include "airlite/npu/sim/CoreHost.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace airlite::npu::sim {

/// What a core has done since its reset.
struct CoreCounters {
  uint64_t cycles = 0;   ///< steps, stalls included
  uint64_t bundles = 0;  ///< issued
  uint64_t stalls = 0;   ///< steps in which the pipeline stood still
};

/// A core, of either set, whose registers can be looked at.
class Aie2Core : public Core {
 public:
  /// The bytes that are in a register now, lowest first: writes that are under way are not seen.
  virtual std::vector<uint8_t> read(isa::Reg reg) const = 0;
  /// Puts bytes into a register at once; excess bits are dropped, missing ones are 0.
  virtual void write(isa::Reg reg, std::span<const uint8_t> bytes) = 0;
  virtual CoreCounters counters() const = 0;
};

/// Of the tile (column, row), counted from the start of the partition.
std::unique_ptr<Aie2Core> makeAie2Core(unsigned column = 0, unsigned row = 2);

/// The same of any instruction set.
std::unique_ptr<Aie2Core> makeCore(const isa::InstructionSet& set, unsigned column = 0,
                                   unsigned row = 2);

/// Makes an Aie2Core for every tile.
std::unique_ptr<CoreFactory> makeAie2CoreFactory();
std::unique_ptr<CoreFactory> makeCoreFactory(const isa::InstructionSet& set);

/// True when the simulator knows what the form does; executing another one is a fault that names
/// it.
bool hasSemantics(isa::Form form);

}  // namespace airlite::npu::sim
