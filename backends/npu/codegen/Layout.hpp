// Cycles to bundles with addresses.
#pragma once

#include "Schedule.hpp"
#include "airlite/npu/isa/Assembler.hpp"
#include "airlite/npu/isa/Program.hpp"

#include <string>
#include <vector>

namespace airlite::npu::codegen {

/// A stretch of bundles that is entered at its top.
struct Piece {
  std::vector<Cycle> cycles{};
  uint32_t block = 0;      ///< which block of the function begins here
  bool isBlock = false;    ///< false: a jump that a block needs after its own
  bool isAligned = false;  ///< jumped to, or returned to
  /// A hardware loop, or what leads into it without a pause: bundles are made longer where the rules of such loops ask for
  /// it (docs/hardware/isa.md, rules.zol), and none that does nothing comes in between.
  bool isWide = false;
  bool isLoop = false;        ///< a hardware loop; the piece before it sets ls and le
  bool fallsThrough = false;  ///< what comes next in memory runs next, and nothing else
};

struct FunctionCode {
  std::string name;
  Location location;  ///< of what stands for no op: the frame
  std::vector<Piece> pieces;
};

/// Functions with the numbers that calls use; one without pieces lies elsewhere.
struct LaidOut {
  isa::Program program;
  std::vector<Location> locations;  ///< of each bundle
  std::vector<isa::SymbolUse> relocations;
  std::string error;  ///< not empty: a mistake of ours
};

/// Puts the functions one after the other from address 0. What is jumped to lies at 16 bytes: the
/// bundles before it are made longer.
LaidOut layOut(const std::vector<FunctionCode>& functions,
               const isa::InstructionSet& set = isa::aie2());

}  // namespace airlite::npu::codegen
