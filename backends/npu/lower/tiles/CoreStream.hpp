// Gets without a DMA: besides its DMA channels a core has a stream of words that it reads itself.
#pragma once

#include "Sites.hpp"

#include <span>

namespace airlite::npu {

/// A get of words by a circuit.
bool canReadWords(const Site& site);

/// Puts a loop in the place of the get, at the first use of its memory when it is asynchronous: the
/// core stands still until all is there. `later` are the gets that follow in the stream. The store
/// in the loop.
Operation& readWords(Site& site, std::span<Operation* const> later);

}  // namespace airlite::npu
