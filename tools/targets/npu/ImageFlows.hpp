// The streams of a design of which only bytes are known.
#pragma once

#include "NpuDesign.hpp"

#include <string>

namespace airlite::tools {

/// The routes that the image sets and its stream changes, followed from each port where something can
/// enter, in the form of NAME.resources.json: flows named by their sources, and no tiles. An error for
/// an image that cannot be read, or words of a switch that have no meaning.
Result<std::string> flowsOfImage(const npu::Device& device, const NpuRun& run);

}  // namespace airlite::tools
