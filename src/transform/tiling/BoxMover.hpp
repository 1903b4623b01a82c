// Launches whose cores copy boxes between two buffers in the memory of the host, where no DMA does: elements of 8 or 16 bits that
// begin or end inside of words of 4 bytes, or that have others between them. What shares a word with the box of `to` is brought in first,
// and goes back as it was. Private to transform/.
#pragma once

#include "LaunchWriter.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace airlite::tiling {

struct BoxMove {
  struct Side {
    Value memory;                ///< a row-major buffer
    int64_t first = 0;           ///< element of the buffer that is the first one of the box
    std::vector<int64_t> steps;  ///< elements between neighbours along each dimension
  };
  Side from, to;
  std::vector<int64_t> sizes;
  Value rest;  ///< the number that all of `to` is filled with; null: not known
};

/// Of two views of buffers of the host, of one shape and of elements of 8 or 16 bits. None: where their elements are is not known.
std::optional<BoxMove> boxMove(Value from, Value to);

/// Whether a value is a part of a buffer of the host, of such elements and with places that are known, that no DMA reaches.
bool isOddPart(Value value);

/// Whether a core has room for the fewest rows that are whole words, and these are apart from those of others.
bool canMoveBox(const BoxMove& move, const RowCores& cores);

/// Writes the launches at the insertion point.
void moveBox(Rewriter& rewriter, Location location, const BoxMove& move, const RowCores& cores);

}  // namespace airlite::tiling
