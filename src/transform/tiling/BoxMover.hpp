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

/// Elements of a flat buffer that a core has.
struct ElementRange {
  int64_t begin = 0, length = 0;
};

/// Rows that one launch moves.
struct BoxShare {
  unsigned dim = 0;             ///< along which rows follow each other
  int64_t first = 0, rows = 0;  ///< the first row, and rows of a core
  ElementRange from, to;        ///< of the first core
  int64_t instances = 1, columns = 1, columnCores = 1;

  int64_t cores() const { return columns * columnCores; }
  int64_t all() const { return instances * cores() * rows; }
};

/// All rows of a box, launch by launch. Empty: a core has no room for the fewest rows that are whole words, or these are not apart from
/// those of others.
std::vector<BoxShare> sharesOf(const BoxMove& move, const RowCores& cores);

/// Writes the launches at the insertion point.
void moveBox(Rewriter& rewriter, Location location, const BoxMove& move,
             const std::vector<BoxShare>& shares);

}  // namespace airlite::tiling
