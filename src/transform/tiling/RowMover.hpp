// Launches whose cores copy rows between two matrices in the memory of the host, of which one has rows that do not begin at
// whole words. All that a DMA moves are whole rows, so many that they are whole words together. Private to transform/.
#pragma once

#include "LaunchWriter.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace airlite::tiling {

/// Whether a value is a row-major buffer of the host.
bool isWholeOfHost(Value buffer);
/// Of 8 or 16 bits.
bool isPartOfWord(Type element);
/// Whether offsets and sizes of a view are numbers, its steps one, and all dimensions there.
bool isPlainPart(memref::SubViewOp view);
/// Whether rows of a view of such memory begin and end at whole words, so that a DMA reaches them; dimensions that lie together are one
/// run.
bool isInWords(MemRefType view);

/// The fill with a constant that is all that touches a buffer before a copy to a view of it, but for the op that makes the view. Null: there is
/// more, or other.
Operation* fillBeforeCopy(Value buffer, Operation& copy);

/// Rows of `from` become rows of `to`, both row-major and of one element type of 8 or 16 bits. Each row is copied in
/// `windows` parts of `length` elements, `fromStep` apart in `from`, from `fromFirst` on, and `toStep` apart in `to`, the first one first: elements of `to`
/// that nothing is copied to hold anything then, but for those up to `filledTo`, which become zero.
struct RowMove {
  Value from, to;
  int64_t batches = 1;               ///< matrices
  int64_t rows = 0;                  ///< that are moved, of each
  int64_t fromRows = 0, toRows = 0;  ///< of a matrix
  int64_t fromRow = 0, toRow = 0;    ///< elements of a row
  int64_t windows = 1, fromFirst = 0, fromStep = 0, toStep = 0, length = 0;
  int64_t filledTo = 0;
  int64_t zeroRows = 0;  ///< after the last one, in `to`, that become zero
  int64_t elementBytes = 1;
};

/// Whether a core has room for the fewest rows that are whole words, and matrices begin at such.
bool canMoveRows(const RowMove& move, int64_t l1Bytes);

/// Writes the launches at the insertion point: one for all moves where each can have columns of cores of its own, with the last rows, which
/// end inside of a word, beside the others. No move reads what another one writes. Returns the moves whose rows of zeros are left to others:
/// a core writes them only with the last rows, where it has room.
std::vector<const RowMove*> moveRows(Rewriter& rewriter, Location location,
                                     std::span<const RowMove> moves, const RowCores& cores);

}  // namespace airlite::tiling
