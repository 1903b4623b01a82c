// What vshuffle of a core does with two registers of 512 bits, side by side: it reads them as a
// matrix, row by row, and gives one half of what is there column by column; or the first register as
// matrices one after the other, and gives each of them column by column.
//
//   auto mode = findShuffleMode(aie::Generation::Aie2, 2, evenLanes, 32);
#pragma once

#include "airlite/device/AieDevices.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace airlite::npu {

/// The mode whose result begins with these elements of so many bytes: number `lanes` and those
/// after it are the second register's. None when there is no such mode.
std::optional<uint32_t> findShuffleMode(aie::Generation generation, unsigned elementBytes,
                                        std::span<const int64_t> from, int64_t lanes);

}  // namespace airlite::npu
