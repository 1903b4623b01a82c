// Between which numbers an index lies, whatever runs: what proves most accesses at once.
#pragma once

#include "PathValues.hpp"
#include "airlite/analysis/LinearSum.hpp"

namespace airlite::analysis {

/// Both are taken, unless values depend on each other.
struct Interval {
  int64_t low = 0, high = 0;
};

class IndexIntervals {
 public:
  explicit IndexIntervals(LinearReader& reader) : reader_(reader) {}

  /// Null where no bound is known.
  std::optional<Interval> of(Value value) { return of(value, 0); }
  std::optional<Interval> of(const IndexTerm& term);
  /// The first and the last place; null when that is not known, empty when nothing is touched.
  struct Places {
    bool isEmpty = false;
    Interval range;
  };
  std::optional<Places> of(const Reach& reach);

 private:
  std::optional<Interval> of(Value value, unsigned depth);
  std::optional<Interval> of(const LinearSum& sum, unsigned depth);
  std::optional<Interval> of(AffineExpr expr, const IndexTerm& term, unsigned depth);
  std::optional<Interval> ofOp(Operation& op, unsigned depth);
  std::optional<Interval> ofMap(const affine::Application& map, bool isLeast, unsigned depth);
  std::optional<Interval> ofCounter(Value variable, unsigned depth);
  std::optional<Interval> ofStart(const std::vector<ReachProduct>& start);
  std::optional<LinearSum> sumOf(const IndexTerm& term);

  LinearReader& reader_;
  std::unordered_map<const detail::ValueImpl*, std::optional<Interval>> known_;
};

}  // namespace airlite::analysis
