// Rows of numbers, 16 lanes at a time: what air-vectorize-reductions writes for the innermost loops
// of a structured op.
#pragma once

#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace airlite {

/// Of a vector of f32, and of the vectors of bf16 that become one.
inline constexpr int64_t kLanes = 16;

/// Sums that a loop carries, of AIE2.
inline constexpr int64_t kMostSums = 16;

/// How the extreme of numbers of bf16 is found by their bits: the greatest and the least of them as integers, one of which
/// it is. The greater of two positive numbers has the greater bits, of two negative ones the lesser.
struct ExtremeBits {
  std::array<std::string_view, 2> ops;  ///< that find the greatest bits, and the least
  std::array<int64_t, 2> neutral;
  arith::CmpIPredicate
      takesGreatest;  ///< the greatest with 0: it is the extreme, else the least is
};

/// An op that combines numbers in any order.
struct RowCombiner {
  std::string_view name;
  double neutral;
  int64_t leastRounds;  ///< fewer do not overlap well, so that more chains gain nothing
  const ExtremeBits* bits = nullptr;
};

/// A structured op with one result, which is combined along one of its loops.
struct RowReduction {
  linalg::StructuredOp op;
  unsigned loop = 0;
  const RowCombiner* combiner = nullptr;
  Operation* combining = nullptr;  ///< in the body
  Value combined;                  ///< its operand that is not the result so far
  size_t mostSums = kMostSums;     ///< of a loop: of its rows and chains together
  /// The last vector of a row may read what lies after the row.
  bool readsBeyond = false;
  /// Squares that are summed for a root (RootsOfSums.hpp).
  bool isForRoundedRoots = false;
};

/// The buffer that holds the rows of `operand`, further apart than they are long (air-align-rows), if `operand` is a view of
/// all of its rows from their beginning on; else `operand`.
Value bufferOfRows(Value operand);

/// Is the last index of an operand the index of the loop?
bool isAlong(AffineMap map, unsigned loop);

/// An index for each loop of the op; none for the one along the row.
using LoopIndices = std::vector<Value>;

/// Lanes in which row i begins with lane `i * stride`, which is what its numbers were combined to.
struct JoinedRows {
  Value lanes;
  int64_t stride = 0;
};

/// Writes ops at the insertion point of its rewriter. One class: loops, their vectors and the joining of lanes are written with
/// what is known of one op.
///
///   RowsInLanes lanes(match, rewriter);
///   JoinedRows totals = lanes.joined(lanes.combined(rows), false);
///   Value first = lanes.extract(totals, 0);
class RowsInLanes {
 public:
  RowsInLanes(const RowReduction& match, Rewriter& rewriter);

  /// A loop over several rows at once, or a few: 16 numbers of each row, combined lane by lane.
  /// Numbers that fill no vector are left out, unless the vectors may read what lies after a row.
  std::vector<Value> combined(const std::vector<LoopIndices>& rows);

  /// Lanes of each row combined with each other; `isDense`: the results lie side by side.
  JoinedRows joined(std::vector<Value> rows, bool isDense);
  Value extract(const JoinedRows& rows, size_t row);

  Value combine(Value a, Value b);
  /// As f32.
  Value wide(Value number);
  /// An index further on.
  Value plus(Value at, int64_t by);
  /// The indices of an operand when the loop along the row is at `at`.
  std::vector<Value> placeOf(unsigned operand, const LoopIndices& indices, Value at) const;
  Value loadNumber(unsigned operand, const LoopIndices& indices, Value at);

 private:
  Type lanesOf(Type element) const;
  Value index(int64_t value) { return rewriter_.constantIndex(location_, value); }
  Value broadcast(Value number);
  Value constantLanes(Attribute number);
  Value loadLanes(unsigned operand, const LoopIndices& indices, Value at);
  Value shuffle(Value a, Value b, const std::array<int64_t, kLanes>& from);
  /// How many rows go through one loop.
  size_t rowsAtOnce() const;
  size_t rowsThatFit() const;
  /// How many vectors of a row are combined side by side, with `rows` at once.
  size_t chainsFor(size_t rows) const;
  std::vector<Value> combinedAtOnce(std::span<const LoopIndices> rows);
  /// The loop over whole vectors: for each chain, its vector of each row.
  std::vector<Value> ofVectors(std::span<const LoopIndices> rows, std::vector<IRMapping>& values,
                               int64_t chains, int64_t inChains);
  Value narrowNumbers() const;
  Value neutralLanes();
  std::vector<Value> neutralBits();
  std::vector<Value> extremeBits(IRMapping& values, std::vector<Value> soFar,
                                 const LoopIndices& row, Value at);
  Value numbersOfBits(Value greatest, Value least);
  /// What does not change along the row.
  IRMapping invariants(const LoopIndices& row);
  /// With the 16 numbers at `at`, or the first `count` of them.
  Value combineNumbers(IRMapping& values, Value soFar, const LoopIndices& row, Value at,
                       int64_t count = kLanes);
  /// The first lanes of `numbers`, and after them what changes nothing.
  Value firstLanes(Value numbers, int64_t count);
  Value bodyInLanes(IRMapping& values);

  const RowReduction& match_;
  linalg::StructuredOp op_;
  Rewriter& rewriter_;
  Location location_;
  std::vector<AffineMap> maps_;
  const int64_t vectors_;  ///< of a row, which are whole
  const int64_t rest_;     ///< numbers after them
};

}  // namespace airlite
