// Which LDS variables a kernel reaches, and where they lie.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace llvm {
class Function;
class GlobalVariable;
}  // namespace llvm

namespace airlite::gpu {

/// The LDS (address space 3) variables of one kernel, its helper functions included.
struct LdsLayout {
  std::vector<std::pair<llvm::GlobalVariable*, std::uint32_t>> offsets;  ///< bytes from LDS start
  std::uint64_t bytes = 0;
};

/// Variables in module order, each at its alignment (4 at least).
LdsLayout layoutLds(const llvm::Function& kernel);

}  // namespace airlite::gpu
