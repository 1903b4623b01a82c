// From a program, or a design of tiles, to the files that a driver of an NPU loads: what
// airlite-compile writes and airlite-run keeps in memory.
#pragma once

#include "../common/Frontend.hpp"
#include "../common/WriteFiles.hpp"
#include "airlite/ir/Operation.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::tools {

inline constexpr std::string_view kNpu = "npu1";
/// All of the array, and parts of it that are so many columns wide.
inline constexpr std::string_view kNpuTargets[] = {kNpu, "npu1_1col", "npu1_2col", "npu1_3col"};
inline bool isNpuTarget(std::string_view name) {
  return std::ranges::find(kNpuTargets, name) != std::end(kNpuTargets);
}

/// What `--emit` can name. Images: everything that a run needs.
struct NpuEmit {
  bool air = false, aie = false, images = true, config = false, floorplan = false;
  bool report = false;  ///< NAME.resources.json, and the table

  /// More than text: where everything is on the array.
  bool needsConfig() const { return images || config || floorplan || report; }
};

struct NpuRequest {
  const FrontendOptions& frontend;
  std::string_view tool;
  std::string_view inputText;  ///< what `module` was read from
  NpuEmit emit;
  bool noVerifyProgram = false;
  /// Where objects are that cores name (`link_with`), behind the folder of the source.
  std::span<const std::string> objectFolders = {};
  std::string_view target = kNpu;  ///< one of kNpuTargets
  /// Floats have the bits of the program as it is; else sums of products may be the matrix unit's.
  bool exact = false;
  bool keepsUnitSums = false;  ///< for NpuResult::withUnitSums
};

struct NpuResult {
  std::vector<Artifact> files;
  std::string table;  ///< of --report
  /// The program after the recipe, where its sums of floats are the matrix unit's (linalg::kSumDepth)
  /// and not those of the program as it was, when the request asks for it; else null.
  OwningOp withUnitSums;
};

/// Compiles `module`, which may become the design on the way. An exit code; errors have been
/// reported. Without passes of the user's, linalg ops get the largest herds with which all fits,
/// and a program of herds stays as it is where the recipe needs too much.
int compileForNpu(Operation& module, const NpuRequest& request, Stopwatch& watch,
                  NpuResult& result);

}  // namespace airlite::tools
