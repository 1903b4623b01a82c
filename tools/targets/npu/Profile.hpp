// Where the programs of cores spent their cycles, by lines of the source.
#pragma once

#include "RunRecord.hpp"
#include "airlite/npu/image/LocationMap.hpp"
#include "airlite/npu/sim/array/Array.hpp"

#include <string>

namespace airlite::tools {

/// A table with a row for each line: its share of the cycles of all cores that ran, cycles for each of these on average, how many of
/// them were waits, bytes of program memory, and the text of the line where it is known. For arrays with ArrayOptions::profiles.
std::string profileText(const npu::Device& device, const npu::sim::Array& array,
                        const npu::LocationMap& locations, const SourceText& program);

}  // namespace airlite::tools
