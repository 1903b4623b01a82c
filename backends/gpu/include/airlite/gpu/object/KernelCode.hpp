// What the machine code of a kernel consists of, read back from its hsaco: instructions by kind, and
// the loop that matters. Nothing is measured: a device with other waves, clocks and memory may be
// slower than the issue slots say.
//
//   auto codes = gpu::readKernelCode(module.hsaco, module.info);
//   if (codes && codes->front().mainLoop.matrixCycles) print(codes->front().matrixShare(1));
#pragma once

#include "airlite/gpu/object/Hsaco.hpp"

#include <map>

namespace airlite::gpu {

/// Kinds of instructions by the unit that runs them.
enum class CodeKind {
  Matrix,
  Fma,
  Vector,
  Scalar,
  GlobalLoad,
  GlobalStore,
  LdsRead,
  LdsWrite,
  Barrier,
  Wait,
  Branch
};

/// A stretch of code. Bytes are those of one lane.
struct CodeCounts {
  std::uint32_t instructions = 0;
  std::map<CodeKind, std::uint32_t> of;  ///< kinds that do not occur are absent
  std::uint32_t matrixCycles = 0;        ///< that the matrix unit is busy, by the device's table
  std::uint32_t globalBytes = 0;         ///< loaded
  std::uint32_t ldsReadBytes = 0, ldsWriteBytes = 0;

  std::uint32_t count(CodeKind kind) const {
    const auto found = of.find(kind);
    return found == of.end() ? 0 : found->second;
  }
};

struct KernelCode {
  std::string name;
  CodeCounts whole;
  /// The innermost loop with the most cycles of the matrix unit, else with the most instructions;
  /// without instructions in a kernel that has no loop.
  CodeCounts mainLoop;
  unsigned wavesPerSimd = 0;  ///< 0: the device is not in the table
  std::string limitedBy;      ///< registers, LDS or waves
  unsigned issueCycles = 0;   ///< of an instruction of one wave; 0: the device is not in the table

  /// Cycles of the matrix unit in all cycles of the main loop, when `waves` of a SIMD take turns and
  /// none of them issues anything beside its own matrix instructions. 0 without matrix instructions.
  double matrixShare(unsigned waves) const;
};

/// Of each kernel in `hsaco`, in the order of `info`, which was read from it. Fails on code that LLVM
/// cannot disassemble.
Result<std::vector<KernelCode>> readKernelCode(std::span<const std::uint8_t> hsaco,
                                               const HsacoInfo& info);

}  // namespace airlite::gpu
