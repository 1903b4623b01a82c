// The files that a design becomes.
#pragma once

#include "HostPlan.hpp"
#include "airlite/npu/lower/ArrayConfig.hpp"
#include "airlite/support/Artifact.hpp"

#include <optional>
#include <string>
#include <vector>

namespace airlite::npu {

/// A design with the places that were chosen for it.
struct PlacedDesign {
  Operation* device;
  ArrayConfig config;
};

/// NAME.xclbin, NAME.pdi, NAME.cdo, NAME.insts.bin, NAME.locations.txt, core_COL_ROW.elf and .s for
/// each design, where NAME is its name (and begins the files of cores when there are several),
/// NAME.bin of each constant of the program, and manifest.json. None after errors have
/// been reported.
std::optional<std::vector<Artifact>> imageFiles(const std::vector<PlacedDesign>& designs,
                                                const HostPlan& plan);

/// The configuration as text, `NAME.config.txt`, and as a picture, `NAME.floorplan.svg`.
Artifact configText(const ArrayConfig& config);
Artifact floorplan(const ArrayConfig& config);

}  // namespace airlite::npu
