// Two images compared by what they do: registers and memories when all is written, tasks and waits
// in their order. Where writes stand, how they are cut into commands, and paddings do not count.
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
