// What a run on the simulator came to, with the source lines that faults and waits come from.
#pragma once

#include "airlite/npu/image/LocationMap.hpp"
#include "airlite/npu/sim/array/Array.hpp"

#include <string>

namespace airlite::tools {

/// The line of an instruction, of a descriptor (of what the host wrote, if it did) or of a step of the
/// host; null where nothing is known.
const npu::SourcePlace* sourceOf(npu::Tile tile, const npu::sim::Origin& origin,
                                 const npu::LocationMap& locations);

std::string faultText(const npu::sim::Fault& fault, const npu::LocationMap& locations);

/// One line, then a line for each wait; after it the lines of the program.
std::string runText(const npu::sim::RunResult& result, const npu::LocationMap& locations);

}  // namespace airlite::tools
