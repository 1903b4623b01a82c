// Transfers of elements smaller than the 32-bit words that a DMA moves.
#pragma once

#include "airlite/dialect/Air.hpp"

namespace airlite::npu {

/// The number of elements that fill all words which `elements` of them begin; the same number for
/// elements of a word or more.
int64_t toWholeWords(int64_t elements, Type element);

/// Transfers that end within a word of a DMA, or a vector of a cascade, are extended to its end, by each end of a channel alone: so
/// they have to move the same number of bytes at a time. Where they do not, the words of one end
/// would hold other bytes than those of the other. Failures have been reported.
LogicalResult checkWholeWords(Operation& module);

}  // namespace airlite::npu
