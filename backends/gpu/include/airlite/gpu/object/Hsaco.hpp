// hsaco files: an amdgcn shared object with its kernel metadata. Written by lld, read back by this
// reader. Facts: docs/facts/toolchain_facts.md; LLVM's AMDGPUUsage "Code Object V5 Metadata".
//
//   Result<std::vector<uint8_t>> file = linkHsaco(object);
//   Result<HsacoInfo> info = readHsaco(*file);
//   uint32_t registers = info->find("matmul")->vgprCount;
#pragma once

#include "airlite/support/Result.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::gpu {

/// One entry of the kernel argument segment. Offsets and sizes in bytes.
struct HsacoArg {
  std::string name;  ///< empty when the IR gave none
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
  std::string kind;          ///< "global_buffer", "by_value", "hidden_block_count_x", ...
  std::string addressSpace;  ///< "global", "local", ...; empty for values

  bool isHidden() const { return kind.starts_with("hidden_"); }
};

/// What a loader and a reader of reports need to know about one kernel. All sizes in bytes.
struct HsacoKernel {
  std::string name;
  std::string symbol;  ///< the kernel descriptor, name + ".kd"
  std::uint32_t kernargBytes = 0;
  std::uint32_t kernargAlign = 0;
  std::uint32_t ldsBytes = 0;      ///< static LDS per workgroup
  std::uint32_t privateBytes = 0;  ///< scratch per work-item
  std::uint32_t vgprCount = 0;     ///< unified total (VGPR + AGPR) on gfx90a and gfx942
  std::uint32_t agprCount = 0;     ///< 0 where the cpu has none
  std::uint32_t sgprCount = 0;
  std::uint32_t vgprSpills = 0;
  std::uint32_t sgprSpills = 0;
  std::uint32_t waveSize = 0;
  std::uint32_t maxWorkgroupSize = 0;  ///< work-items
  std::uint32_t codeBytes = 0;         ///< machine code of the kernel function
  std::optional<std::array<std::uint32_t, 3>> requiredWorkgroup;
  std::vector<HsacoArg> args;  ///< in segment order, hidden ones last
};

struct HsacoInfo {
  std::string target;              ///< such as "amdgcn-amd-amdhsa--gfx942"
  unsigned codeObjectVersion = 0;  ///< 4, 5 or 6
  std::vector<HsacoKernel> kernels;

  /// Null when there is no such kernel.
  const HsacoKernel* find(std::string_view name) const;
};

/// Links one relocatable object into a loadable hsaco, in process. Fails on undefined symbols.
/// Serialised inside, because lld is not thread-safe; uses temporary files, removed before it
/// returns.
Result<std::vector<std::uint8_t>> linkHsaco(std::span<const std::uint8_t> object);

/// Reads the metadata note and the symbol table of a hsaco. Fails on anything that is not one;
/// never trusts a length in the file.
Result<HsacoInfo> readHsaco(std::span<const std::uint8_t> hsaco);

}  // namespace airlite::gpu
