// Overlap of strided pieces: an equation in bounded integers.
#include "airlite/analysis/Overlap.hpp"

#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Scf.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace airlite::analysis {

namespace {

using Wide = __int128;

/// Larger numbers than any offset; products of two fit into Wide with room for sums.
constexpr int64_t kLimit = int64_t{1} << 55;

Wide mod(Wide value, Wide by) {
  Wide rest = value % by;
  return rest < 0 ? rest + by : rest;
}
Wide ceilDiv(Wide value, Wide by) { return value >= 0 ? (value + by - 1) / by : -(-value / by); }

struct Term {
  Wide coefficient;  // > 0
  Wide most;         // 0 <= x <= most
};

/// sum of coefficient * x == target, 0 <= x <= most, all positive.
class BoundedEquation {
 public:
  explicit BoundedEquation(std::vector<Term> terms) : terms_(std::move(terms)) {
    std::sort(terms_.begin(), terms_.end(),
              [](const Term& a, const Term& b) { return a.coefficient > b.coefficient; });
    mergeEqual();
    rest_.resize(terms_.size() + 1);
    for (size_t i = terms_.size(); i-- > 0;)
      rest_[i] = before(rest_[i + 1], terms_[i]);
  }

  Answer solve(Wide target) {
    steps_ = kOverlapSteps;
    return solve(0, target);
  }

 private:
  /// What terms i, i+1, ... can sum up to: multiples of `gcd` up to `most`, all of them when dense.
  struct Rest {
    Wide gcd = 0, most = 0;
    bool dense = true;
  };

  void mergeEqual() {
    std::vector<Term> merged;
    for (const Term& term : terms_) {
      if (term.most == 0) continue;
      if (!merged.empty() && merged.back().coefficient == term.coefficient)
        merged.back().most += term.most;
      else
        merged.push_back(term);
    }
    terms_ = std::move(merged);
  }

  static Rest before(const Rest& rest, const Term& term) {
    bool fills = rest.gcd == 0 ||
                 (term.coefficient % rest.gcd == 0 && term.coefficient <= rest.most + rest.gcd);
    return {gcd(rest.gcd, term.coefficient), rest.most + term.coefficient * term.most,
            rest.dense && fills};
  }

  static Wide gcd(Wide a, Wide b) {
    while (b != 0)
      a = std::exchange(b, a % b);
    return a;
  }

  Answer solve(size_t at, Wide target) {
    const Rest& rest = rest_[at];
    if (target < 0 || target > rest.most) return Answer::No;
    if (target == 0) return Answer::Yes;
    if (target % rest.gcd != 0) return Answer::No;
    if (rest.dense) return Answer::Yes;
    return search(terms_[at], at, target);
  }

  /// Tries the values of x that leave the other terms a sum that they can reach.
  Answer search(const Term& term, size_t at, Wide target) {
    const Rest& rest = rest_[at + 1];
    Wide most = std::min(term.most, target / term.coefficient);
    Wide least = std::max<Wide>(0, ceilDiv(target - rest.most, term.coefficient));
    Wide period = rest.gcd / gcd(rest.gcd, term.coefficient), first = most;
    while (first >= least && (target - term.coefficient * first) % rest.gcd != 0) {
      if (steps_ == 0) return Answer::Unknown;
      --steps_, --first;
    }
    Answer answer = Answer::No;
    for (Wide x = first; x >= least; x -= period) {
      if (steps_ == 0) return Answer::Unknown;
      --steps_;
      Answer inner = solve(at + 1, target - term.coefficient * x);
      if (inner == Answer::Yes) return inner;
      if (inner == Answer::Unknown) answer = inner;
    }
    return answer;
  }

  std::vector<Term> terms_;
  std::vector<Rest> rest_;
  unsigned steps_ = 0;
};

/// What runs without bounds only counts modulo its stride.
Answer solveModulo(std::vector<Term> terms, Wide target, Wide modulus) {
  std::vector<Term> reduced;
  Wide most = 0;
  for (const Term& term : terms) {
    Wide coefficient = term.coefficient % modulus;
    if (coefficient == 0) continue;
    // After that many steps the rests repeat.
    Wide period =
        modulus / std::gcd(static_cast<int64_t>(modulus), static_cast<int64_t>(coefficient));
    reduced.push_back({coefficient, std::min(term.most, period - 1)});
    most += coefficient * reduced.back().most;
  }
  target = mod(target, modulus);
  if (most < target) return Answer::No;
  // sum == target + k * modulus; with y = limit - k: sum + y * modulus == target + limit * modulus.
  Wide limit = (most - target) / modulus;
  reduced.push_back({modulus, limit});
  return BoundedEquation(std::move(reduced)).solve(target + limit * modulus);
}

bool tooLarge(int64_t value) { return value > kLimit || value < -kLimit; }

}  // namespace

Answer hasSolution(std::span<const StridedDim> terms, int64_t target) {
  std::vector<Term> bounded;
  Wide shifted = target;
  int64_t modulus = 0;
  bool isEmpty = false, isLarge = tooLarge(target);
  for (const StridedDim& dim : terms) {
    isEmpty |= dim.count == 0;
    isLarge |= tooLarge(dim.stride) || tooLarge(dim.count);
    if (dim.stride == 0 || dim.count == 1 || isEmpty || isLarge) continue;
    if (dim.count == kUnbounded) {
      modulus = std::gcd(modulus, dim.stride);
      continue;
    }
    Wide most = dim.count - 1;
    if (dim.stride < 0) shifted -= dim.stride * most;
    bounded.push_back({dim.stride < 0 ? -Wide(dim.stride) : Wide(dim.stride), most});
  }
  if (isEmpty) return Answer::No;
  if (isLarge) return Answer::Unknown;
  if (modulus != 0) return solveModulo(std::move(bounded), shifted, modulus);
  return BoundedEquation(std::move(bounded)).solve(shifted);
}

// -- Regions --------------------------------------------------------------------------------------

namespace {

bool isDefinedIn(Value value, Operation& op) {
  for (Region* at = value.parentRegion(); at; at = at->parentRegion())
    if (at->parentOp() == &op) return true;
  return false;
}

/// The symbol runs over its values: as a dimension of `region`, with the constant that it starts at
/// added to `start`.
bool addDim(Value symbol, int64_t coefficient, LinearReader& reader, LinearSum& start,
            std::vector<StridedDim>& dims) {
  std::optional<SymbolRange> range = reader.rangeOf(symbol);
  if (!range) {
    dims.push_back({kUnbounded, coefficient});
    return true;
  }
  int64_t stride;
  if (__builtin_mul_overflow(coefficient, range->step, &stride)) return false;
  dims.push_back({range->count, stride});
  return start.add(LinearSum{range->lower, {}}, coefficient);
}

/// The equation a == b as terms and the constant that they have to reach.
struct Equation {
  std::vector<StridedDim> terms;
  int64_t target = 0;

  void addRegions(const StridedRegion& a, const StridedRegion& b) {
    terms = a.dims;
    for (const StridedDim& dim : b.dims)
      terms.push_back({dim.count, -dim.stride});
  }
};

}  // namespace

namespace {

/// First and last element, as seen from the start; null when a dimension has no bounds.
std::optional<std::pair<Wide, Wide>> extent(std::span<const StridedDim> dims) {
  Wide least = 0, most = 0;
  for (const StridedDim& dim : dims) {
    if (dim.count < 1) return std::nullopt;
    Wide last = Wide(dim.count - 1) * dim.stride;
    (last < 0 ? least : most) += last;
  }
  return std::pair(least, most);
}

/// The quick answer to most questions: one ends before the other begins.
bool areApart(const StridedRegion& a, const StridedRegion& b) {
  if (a.start.terms != b.start.terms) return false;
  auto ofA = extent(a.dims), ofB = extent(b.dims);
  if (!ofA || !ofB) return false;
  Wide difference = Wide(a.start.constant) - b.start.constant;
  return difference + ofA->second < ofB->first || ofB->second < difference + ofA->first;
}

}  // namespace

Answer overlap(const StridedRegion& a, const StridedRegion& b, LinearReader& reader) {
  if (areApart(a, b)) return Answer::No;
  LinearSum difference = a.start;
  if (!difference.add(b.start, -1)) return Answer::Unknown;
  Equation equation;
  equation.addRegions(a, b);
  LinearSum start{difference.constant, {}};
  for (const LinearSum::Term& term : difference.terms)
    if (!addDim(term.symbol, term.coefficient, reader, start, equation.terms))
      return Answer::Unknown;
  return hasSolution(equation.terms, -start.constant);
}

bool widen(StridedRegion& region, Operation& op, LinearReader& reader) {
  LinearSum start{region.start.constant, {}};
  for (const LinearSum::Term& term : region.start.terms) {
    if (!isDefinedIn(term.symbol, op))
      start.terms.push_back(term);
    else if (!addDim(term.symbol, term.coefficient, reader, start, region.dims))
      return false;
  }
  region.start = std::move(start);
  return true;
}

namespace {

/// Takes the term of `symbol` out of the sum.
int64_t takeCoefficient(LinearSum& sum, Value symbol) {
  for (auto it = sum.terms.begin(); it != sum.terms.end(); ++it) {
    if (it->symbol != symbol) continue;
    int64_t coefficient = it->coefficient;
    sum.terms.erase(it);
    return coefficient;
  }
  return 0;
}

/// How far the variable moves in one run of the body; null when that is not constant.
std::optional<int64_t> stepOf(Operation& loop, LinearReader& reader) {
  if (affine::ForOp affineFor = dynCast<affine::ForOp>(&loop)) return affineFor.step();
  scf::ForOp scfFor = dynCast<scf::ForOp>(&loop);
  if (!scfFor) return std::nullopt;
  const LinearSum& step = reader.read(scfFor.step());
  return step.isConstant() && step.constant > 0 ? std::optional(step.constant) : std::nullopt;
}

/// No loop runs more often: what it would address is not memory.
constexpr int64_t kMostRuns = int64_t{1} << 40;
/// Runs of which each distance is asked by itself, where the two pieces move differently.
constexpr int64_t kMostDistances = 64;

/// Two pieces that move with a loop variable: its part of their starts, taken out of them.
struct Moving {
  StridedRegion later, earlier;
  Value variable;
  int64_t ofLater = 0, ofEarlier = 0;
  int64_t moved() const { return ofLater - ofEarlier; }
};

/// The earlier run is number i, 0 <= i < count - distance, the later one `distance` after it.
Answer overlapAt(Moving pieces, const SymbolRange& range, int64_t distance, LinearReader& reader) {
  int64_t stride, apart;
  if (__builtin_mul_overflow(pieces.moved(), range.step, &stride) ||
      __builtin_mul_overflow(range.step, distance, &apart))
    return Answer::Unknown;
  LinearSum& start = pieces.later.start;
  bool fits = start.add(LinearSum{range.lower, {}}, pieces.moved()) &&
              start.add(LinearSum{apart, {}}, pieces.ofLater);
  if (!fits) return Answer::Unknown;
  pieces.later.dims.push_back({range.count - distance, stride});
  return overlap(pieces.later, pieces.earlier, reader);
}

Answer overlapAtAny(const Moving& pieces, const SymbolRange& range, LinearReader& reader) {
  Answer answer = Answer::No;
  for (int64_t distance = 1; distance < range.count && answer != Answer::Yes; ++distance) {
    Answer here = overlapAt(pieces, range, distance, reader);
    if (here != Answer::No) answer = here;
  }
  return answer;
}

}  // namespace

Answer overlapAcross(const StridedRegion& later, const StridedRegion& earlier, Operation& loop,
                     LinearReader& reader) {
  Moving pieces{later, earlier, loop.region().front().argument(0)};
  std::optional<SymbolRange> range = reader.rangeOf(pieces.variable);
  std::optional<int64_t> step = stepOf(loop, reader);
  if (range && range->count < 2) return Answer::No;
  StridedRegion& a = pieces.later;
  pieces.ofLater = takeCoefficient(a.start, pieces.variable);
  pieces.ofEarlier = takeCoefficient(pieces.earlier.start, pieces.variable);
  if (!widen(a, loop, reader) || !widen(pieces.earlier, loop, reader)) return Answer::Unknown;
  int64_t moved = pieces.moved(), stride;
  if (moved != 0 && range && range->count <= kMostDistances)
    return overlapAtAny(pieces, *range, reader);
  // The variable is i in the earlier run and i + step * (1 + k), k >= 0, in the later one; that i
  // bounds k is left out.
  if (__builtin_mul_overflow(pieces.ofLater, step.value_or(1), &stride)) return Answer::Unknown;
  a.dims.push_back({range ? range->count - 1 : step ? kMostRuns : kUnbounded, stride});
  if (step && !a.start.add(LinearSum{stride, {}}, 1)) return Answer::Unknown;
  if (moved != 0 && !addDim(pieces.variable, moved, reader, a.start, a.dims))
    return Answer::Unknown;
  return overlap(a, pieces.earlier, reader);
}

}  // namespace airlite::analysis
