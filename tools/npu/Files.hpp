// The files that a design becomes.
#pragma once

#include "../common/WriteFiles.hpp"
#include "airlite/npu/lower/ArrayConfig.hpp"

#include <optional>
#include <string>
#include <vector>

namespace airlite::tools {

/// A design with the places that were chosen for it.
struct PlacedDesign {
  Operation* device;
  npu::ArrayConfig config;
};

/// One step of the host: the design is loaded and its sequence runs on these arguments.
struct NpuStep {
  const PlacedDesign* design;
  Operation* sequence;
  std::vector<unsigned> arguments;  ///< numbers of the program's
};

/// What the host does. Arguments from `numArguments` on are memory that the program makes for
/// itself.
struct NpuPlan {
  std::vector<Value> arguments;
  std::vector<Operation*> contents;  ///< of each argument the global that it begins with, or null
  size_t numArguments = 0;
  std::vector<NpuStep> steps;
};

/// NAME.xclbin, NAME.pdi, NAME.cdo, NAME.insts.bin, NAME.locations.txt, core_COL_ROW.elf and .s for
/// each design, where NAME is its name (and begins the files of cores when there are several),
/// NAME.bin of each constant that a program brings along, and manifest.json. None after errors have
/// been reported.
std::optional<std::vector<Artifact>> npuImages(const std::vector<PlacedDesign>& designs,
                                               const NpuPlan& plan);

/// The configuration as text, `NAME.config.txt`, and as a picture, `NAME.floorplan.svg`.
Artifact configText(const npu::ArrayConfig& config);
Artifact floorplan(const npu::ArrayConfig& config);

}  // namespace airlite::tools
