// Which L2 buffers can be split into parts, and how: the analysis of air-split-l2-memref.
#pragma once

#include "airlite/analysis/AccessList.hpp"
#include "airlite/dialect/Air.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace airlite::air {

/// What each part holds of one dimension of a buffer: the coordinates base + q * gap + r with
/// 0 <= q < blocks, 0 <= r < width.
struct Parts {
  unsigned dim = 0;
  std::vector<int64_t> bases;  // one for each part
  int64_t blocks = 1, gap = 0, width = 0;

  int64_t count() const { return static_cast<int64_t>(bases.size()); }
  /// Of the dimension in a part.
  int64_t size() const { return blocks * width; }
  /// The same coordinates, if of another dimension.
  bool isLike(const Parts& other) const {
    return bases == other.bases && blocks == other.blocks && gap == other.gap &&
           width == other.width;
  }
};

/// An access to all of the dimension, in one dimension of its list.
struct SpanningAccess {
  ChannelAccessOp op;
  analysis::AccessList list;
  size_t listDim = 0;

  /// Elements that one step of that dimension of the list moves.
  int64_t innerCount() const;
};

/// An access to one part only.
struct LocalAccess {
  ChannelAccessOp op;
  unsigned part = 0;
};

struct SplitPlan {
  Operation* alloc = nullptr;
  Value memref;  // as the accesses name it: the result of the alloc, or of the execute around
  MemRefType type;
  Parts parts;
  // Where the rows of a spanning access for a part are cut, the ends included: what lies between two cuts has a place of
  // its own. Empty: an access for a part has all of them.
  std::vector<int64_t> cuts;

  int64_t shares() const { return std::max<int64_t>(1, std::ssize(cuts) - 1); }
  std::vector<SpanningAccess> spanning;
  std::vector<LocalAccess> local;
  std::vector<Operation*> deallocs;  // or the executes around them
};

/// Puts and gets, numbered in the order of the program.
using ProgramOrder = std::unordered_map<Operation*, size_t>;

/// Bytes of the rows of a part; 0: any.
struct RowNeeds {
  int64_t least = 0;
  int64_t request = 0;  // of the memory of the host
};

/// How the buffer of `alloc` could be split as far as the buffer itself says; `why` not otherwise
/// (empty: nothing asks for it). Along the outermost dimension that can be split; with `needs.least`
/// along the last one, where otherwise what cores move would not lie in a part one after the other, and
/// rows of a part are as long, those that are sent on a request.
std::optional<SplitPlan> planSplit(Operation& alloc, const ProgramOrder& order,
                                   const RowNeeds& needs, std::string& why);

/// How often the loops around an access run it, within its launch, segment or herd; loops of unknown length count once.
int64_t roundsOf(Operation& access);

/// Parts of a buffer that lie beside each other in the rows of the memory of the host.
struct ShortParts {
  int64_t count = 1;
  int64_t rowBytes = 0;  // of a part
  int64_t rows = 0;      // of the memory of the host that L2 holds at a time
  int64_t steps = 0;     // in which cores take these
  int64_t rounds = 1;    // in which all cores take them between two times that they are brought
};

/// How many such parts are better one part, whose rows are no longer than a request of `requestBytes`; 1: none. As many
/// transfers as before fill it, each with a share of the rows, and each column of cores takes its part of the rows. A memory
/// tile has room for that and others beside it, its locks count the rounds, and the steps are a few pieces of equal length,
/// so that columns need not wait for each other. What comes in turns lies there twice, with descriptors for two columns.
int64_t partsJoined(const ShortParts& parts, int64_t requestBytes);

/// Makes one part of `partsJoined` of the plan.
void joinShortParts(SplitPlan& plan, int64_t requestBytes);

/// What the far end of a channel does for a spanning access: its list with one dimension for the
/// elements that are split.
struct FarAccess {
  ChannelAccessOp op;
  analysis::AccessList list;
  size_t listDim = 0;
};
/// Whether it is a list of two dimensions, that many rows and columns of a part.
bool hasRows(const analysis::AccessList& list, size_t listDim, int64_t rows);
/// Null when the elements that the far end sends or takes for a part are not a list.
std::optional<FarAccess> planFarEnd(ChannelAccessOp op, const SpanningAccess& near);

/// Position of dimension `dim` of the memref in each list entry of an access to it, as far as it
/// has entries for it: how many coordinates a stride is.
struct ListUnits {
  std::vector<std::optional<unsigned>> dims;  // of the memref; null: of size 1 at offset 0
  std::vector<int64_t> units;
};
std::optional<ListUnits> unitsOf(const analysis::AccessList& list, MemRefType type);

}  // namespace airlite::air
