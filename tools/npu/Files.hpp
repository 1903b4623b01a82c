// The files that a design becomes.
#pragma once

#include "../common/WriteFiles.hpp"
#include "airlite/npu/lower/ArrayConfig.hpp"

#include <optional>
#include <string>
#include <vector>

namespace airlite::tools {

/// NAME.xclbin, NAME.pdi, NAME.cdo, NAME.insts.bin, core_COL_ROW.elf and .s, NAME.locations.txt,
/// manifest.json, where NAME is that of the design. None after errors have been reported.
std::optional<std::vector<Artifact>> npuImages(const npu::ArrayConfig& config, Operation& device);

/// The configuration as text, `NAME.config.txt`, and as a picture, `NAME.floorplan.svg`.
Artifact configText(const npu::ArrayConfig& config);
Artifact floorplan(const npu::ArrayConfig& config);

}  // namespace airlite::tools
