// A core program as decoded bundles with their addresses.
//
//   for (const ProgramBundle& each : program.bundles) visit(each.address, each.bundle);
#pragma once

#include "airlite/device/AieDevices.hpp"
#include "airlite/npu/isa/Bundle.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace airlite::npu::isa {

/// docs/hardware/isa.md, rules.program_memory.
inline constexpr uint32_t kProgramMemoryBytes =
    aie::limitsOf(aie::Generation::Aie2, aie::TileKind::Core).programBytes;
inline constexpr uint32_t kCodeAlignment =
    16;  ///< of jump targets and loops, rules.branches.alignment
/// From the start of the last bundle that sets a bound of a hardware loop to the start of its last one, at least
/// (docs/hardware/isa.md, rules.zol).
inline constexpr uint32_t kLoopSetupBytes = 112;
/// `le - ls` of loops in whose last bundle a store of a part of a word is lost (rules.zol.errata), at most.
inline constexpr uint32_t kShortLoopBytes = 96;

struct ProgramBundle {
  uint32_t address = 0;
  Bundle bundle;
  unsigned line = 0;  ///< of the source, from 1; 0: there is none

  uint32_t end() const { return address + bundle.size(); }
};

struct Symbol {
  std::string name;
  uint32_t address = 0;
  bool isCode = false;  ///< is before a bundle, not before data
};

struct Program {
  std::vector<ProgramBundle> bundles;  ///< by address, not overlapping
  std::vector<Symbol> symbols;

  /// The bundle that begins at `address`; bundles.size() when none does.
  size_t indexAt(uint32_t address) const;
};

}  // namespace airlite::npu::isa
