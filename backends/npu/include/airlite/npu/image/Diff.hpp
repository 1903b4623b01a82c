// Compares two images by what they do: registers and memories after all writes, tasks and waits in
// their order. It ignores the position of writes, how they are split into commands, and padding.
//
//   Result<std::vector<std::string>> lines = diffImages(before, after);
//   if (lines && lines->empty()) say("they do the same");
#pragma once

#include "airlite/npu/device/Registers.hpp"
#include "airlite/npu/image/Image.hpp"
#include "airlite/support/Result.hpp"

#include <string>
#include <vector>

namespace airlite::npu {

/// One line for each difference, none when the two mean the same. A CDO, a PDI and an xclbin can be
/// compared with each other: then only their configuration is. A refusal says which file.
Result<std::vector<std::string>> diffImages(ByteSpan before, ByteSpan after,
                                            Generation generation = Generation::Aie2);

}  // namespace airlite::npu
