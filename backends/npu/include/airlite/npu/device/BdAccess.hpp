// Which words a BD moves, and in which order. Source: docs/hardware/formats.md section 3
// (dimensions, padding, iteration).
//
//   for (int64_t i = 0; i < length; ++i)
//     if (std::optional<Words> at = wordOf(bd, i)) visit(at->value);  // none: a zero of padding
#pragma once

#include "airlite/npu/device/BufferDescriptor.hpp"

#include <cstdint>
#include <optional>

namespace airlite::npu {

/// Word `index` (0 .. length - 1) of the stream: how many words after the base it is in memory,
/// none for a zero of padding. The base itself moves by `iteration` steps: 0 .. IterationWrap - 1.
std::optional<Words> wordOf(const BufferDescriptor& bd, int64_t index, int64_t iteration = 0);

/// The number of words from the base that the BD may touch in all its iterations: one more than the
/// largest that wordOf gives. Exact without padding; with padding as if each dimension were run to
/// its end.
Words reachOf(const BufferDescriptor& bd);

/// Refuses a BD of a core or memory tile that leaves the memory it starts in: 64 KB, or 512 KB of
/// the memory tile or a neighbour. DDR has no end that a BD knows.
std::optional<Error> outOfMemory(const BufferDescriptor& bd);

}  // namespace airlite::npu
