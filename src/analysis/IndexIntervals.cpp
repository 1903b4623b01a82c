#include "IndexIntervals.hpp"

#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>

namespace airlite::analysis {

namespace {

constexpr unsigned kDeepestInterval = 64;

using Range = std::optional<Interval>;

/// Null when it leaves the range of offsets into a memory.
Range rangeOf(__int128 low, __int128 high) {
  constexpr __int128 kLargest = static_cast<__int128>(1) << 60;
  if (low < -kLargest || high > kLargest || low > high) return std::nullopt;
  return Interval{static_cast<int64_t>(low), static_cast<int64_t>(high)};
}

Range sumOfRanges(const Range& a, const Range& b) {
  if (!a || !b) return std::nullopt;
  return rangeOf(static_cast<__int128>(a->low) + b->low, static_cast<__int128>(a->high) + b->high);
}

Range productOfRanges(const Range& a, const Range& b) {
  if (!a || !b) return std::nullopt;
  const auto times = [](int64_t x, int64_t y) { return static_cast<__int128>(x) * y; };
  const __int128 corners[] = {times(a->low, b->low), times(a->low, b->high), times(a->high, b->low),
                              times(a->high, b->high)};
  return rangeOf(*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4));
}

Range negative(const Range& a) { return a ? rangeOf(-a->high, -a->low) : a; }

int64_t floorQuotient(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

/// By a positive constant, rounded down.
Range floorOfRanges(const Range& a, const Range& b) {
  if (!a || !b || b->low != b->high || b->low <= 0) return std::nullopt;
  return Interval{floorQuotient(a->low, b->low), floorQuotient(a->high, b->low)};
}

/// Of a positive constant; exact where the whole range lies between two of its multiples.
Range remainderOfRanges(const Range& a, const Range& b) {
  if (!b || b->low != b->high || b->low <= 0) return std::nullopt;
  if (a && floorQuotient(a->low, b->low) == floorQuotient(a->high, b->low)) {
    const int64_t begin = floorQuotient(a->low, b->low) * b->low;
    return Interval{a->low - begin, a->high - begin};
  }
  return Interval{0, b->low - 1};
}

bool fitsType(const Range& range, Type type) {
  const IntegerType integer = type.dynCast<IntegerType>();
  if (!range || !integer) return true;
  if (integer.width() < 2) return false;
  if (integer.width() > 60) return true;
  const int64_t limit = int64_t{1} << (integer.width() - 1);
  return range->low >= -limit && range->high < limit;
}

}  // namespace

std::optional<Interval> IndexIntervals::of(Value value, unsigned depth) {
  if (depth > kDeepestInterval || numberWidth(value.type()) == 0) return std::nullopt;
  if (const auto known = known_.find(value.impl()); known != known_.end()) return known->second;
  const LinearSum& sum = reader_.read(value);
  const bool isItself = sum.terms.size() == 1 && sum.terms[0].symbol == value;
  Range range;
  if (!isItself)
    range = of(LinearSum(sum), depth + 1);
  else if (value.isBlockArgument())
    range = ofCounter(value, depth + 1);
  else
    range = ofOp(*value.definingOp(), depth + 1);
  if (!fitsType(range, value.type())) range.reset();
  known_[value.impl()] = range;
  return range;
}

std::optional<Interval> IndexIntervals::of(const LinearSum& sum, unsigned depth) {
  Range total = Interval{sum.constant, sum.constant};
  for (const LinearSum::Term& term : sum.terms)
    total = sumOfRanges(total, productOfRanges(of(term.symbol, depth + 1),
                                               Interval{term.coefficient, term.coefficient}));
  return total;
}

std::optional<Interval> IndexIntervals::ofCounter(Value variable, unsigned depth) {
  if (const auto range = reader_.rangeOf(variable)) {
    if (range->count <= 0) return std::nullopt;
    return rangeOf(range->lower,
                   range->lower + static_cast<__int128>(range->step) * (range->count - 1));
  }
  Operation* owner = variable.argumentBlock()->parentOp();
  const auto counters = owner ? countersOf(*owner) : std::nullopt;
  if (!counters) return std::nullopt;
  for (const Counter& counter : *counters) {
    if (counter.variable != variable) continue;
    const Range step = of(counter.step);
    const Range lower =
        counter.lower.map ? ofMap(*counter.lower.map, false, depth) : of(counter.lower.term);
    const Range upper =
        counter.upper.map ? ofMap(*counter.upper.map, true, depth) : of(counter.upper.term);
    if (!step || step->low <= 0 || !lower || !upper) return std::nullopt;
    return rangeOf(lower->low, static_cast<__int128>(upper->high) - 1);
  }
  return std::nullopt;
}

std::optional<Interval> IndexIntervals::ofMap(const affine::Application& map, bool isLeast,
                                              unsigned depth) {
  Range result;
  const IndexTerm term{
      {}, {}, {map.dims().begin(), map.dims().end()}, {map.symbols().begin(), map.symbols().end()}};
  bool isFirst = true;
  for (AffineExpr expr : map.map.results()) {
    const Range next = of(expr, term, depth + 1);
    if (!next) return std::nullopt;
    if (isFirst)
      result = next;
    else if (isLeast)
      result = Interval{std::min(result->low, next->low), std::min(result->high, next->high)};
    else
      result = Interval{std::max(result->low, next->low), std::max(result->high, next->high)};
    isFirst = false;
  }
  return result;
}

std::optional<Interval> IndexIntervals::of(AffineExpr expr, const IndexTerm& term, unsigned depth) {
  if (depth > kDeepestInterval) return std::nullopt;
  if (const auto sum = reader_.readExpr(expr, term.dims, term.symbols)) return of(*sum, depth + 1);
  if (!expr.isBinary()) return std::nullopt;
  const Range lhs = of(expr.lhs(), term, depth + 1), rhs = of(expr.rhs(), term, depth + 1);
  switch (expr.kind()) {
    case AffineKind::Add: return sumOfRanges(lhs, rhs);
    case AffineKind::Mul: return productOfRanges(lhs, rhs);
    case AffineKind::Mod: return remainderOfRanges(lhs, rhs);
    case AffineKind::FloorDiv: return floorOfRanges(lhs, rhs);
    case AffineKind::CeilDiv: return negative(floorOfRanges(negative(lhs), rhs));
    default: return std::nullopt;
  }
}

std::optional<Interval> IndexIntervals::ofOp(Operation& op, unsigned depth) {
  if (const auto constant = constantIntOf(op.result(0))) return Interval{*constant, *constant};
  if (isa<affine::MinOp>(&op) || isa<affine::MaxOp>(&op) || isa<affine::ApplyOp>(&op))
    return ofMap(affine::MapOp(&op).application(), !isa<affine::MaxOp>(&op), depth);
  const auto operand = [&](unsigned i) { return of(op.operand(i), depth + 1); };
  if (op.is("arith.select")) {
    const Range a = operand(1), b = operand(2);
    if (!a || !b) return std::nullopt;
    return Interval{std::min(a->low, b->low), std::max(a->high, b->high)};
  }
  if (op.is("arith.index_cast") || op.is("arith.extsi")) return operand(0);
  if (op.numOperands() != 2) return std::nullopt;
  const Range a = operand(0), b = operand(1);
  const bool isNatural = a && a->low >= 0;
  if (op.is("arith.addi")) return sumOfRanges(a, b);
  if (op.is("arith.subi")) return sumOfRanges(a, negative(b));
  if (op.is("arith.muli")) return productOfRanges(a, b);
  if (op.is("arith.floordivsi")) return floorOfRanges(a, b);
  if (op.is("arith.divsi") || op.is("arith.divui"))
    return isNatural ? floorOfRanges(a, b) : std::nullopt;
  if (op.is("arith.remsi") || op.is("arith.remui"))
    return isNatural ? remainderOfRanges(a, b) : std::nullopt;
  if (op.is("arith.minsi") && a && b)
    return Interval{std::min(a->low, b->low), std::min(a->high, b->high)};
  if (op.is("arith.maxsi") && a && b)
    return Interval{std::max(a->low, b->low), std::max(a->high, b->high)};
  return std::nullopt;
}

std::optional<Interval> IndexIntervals::of(const IndexTerm& term) {
  if (term.expr) return of(term.expr, term, 0);
  if (!term.entry.value) return Interval{term.entry.constant, term.entry.constant};
  return of(term.entry.value);
}

std::optional<LinearSum> IndexIntervals::sumOf(const IndexTerm& term) {
  if (term.expr) return reader_.readExpr(term.expr, term.dims, term.symbols);
  return term.entry.value ? reader_.read(term.entry.value) : LinearSum{term.entry.constant, {}};
}

/// As one sum where that works: what occurs in several products counts once.
std::optional<Interval> IndexIntervals::ofStart(const std::vector<ReachProduct>& start) {
  LinearSum total;
  bool isSum = true;
  for (const ReachProduct& product : start) {
    const auto factor = sumOf(product.factor), stride = sumOf(product.stride);
    isSum =
        isSum && factor && stride && stride->isConstant() && total.add(*factor, stride->constant);
  }
  if (isSum)
    if (const Range range = of(total, 0)) return range;
  Range range = Interval{0, 0};
  for (const ReachProduct& product : start)
    range = sumOfRanges(range, productOfRanges(of(product.factor), of(product.stride)));
  return range;
}

std::optional<IndexIntervals::Places> IndexIntervals::of(const Reach& reach) {
  Range range = ofStart(reach.start);
  for (const Reach::Dim& dim : reach.dims) {
    const Range size = of(dim.size), stride = of(dim.stride);
    if (size && size->high <= 0) return Places{true, {}};
    if (!size || !stride) return std::nullopt;
    const Range steps = Interval{0, size->high - 1};
    range = sumOfRanges(range, productOfRanges(steps, stride));
  }
  return range ? std::optional(Places{false, *range}) : std::nullopt;
}

}  // namespace airlite::analysis
