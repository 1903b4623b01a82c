// Index arithmetic read as sums of products with constants.
#include "airlite/analysis/LinearSum.hpp"

#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>

namespace airlite::analysis {

namespace {

/// Larger numbers are not offsets into a memory.
constexpr int64_t kLargestTerm = int64_t{1} << 50;
/// Longest sum; a longer one is a symbol, so that reading stays linear in the program.
constexpr size_t kMostSumTerms = 16;
/// Deepest expression followed; deeper ones are programs made to be slow.
constexpr unsigned kDeepestSum = 256;

bool isSmall(int64_t value) { return value <= kLargestTerm && value >= -kLargestTerm; }

/// a + factor * b, or nothing when it is too large.
std::optional<int64_t> addScaled(int64_t a, int64_t b, int64_t factor) {
  int64_t product, sum;
  if (__builtin_mul_overflow(b, factor, &product) || __builtin_add_overflow(a, product, &sum))
    return std::nullopt;
  return isSmall(sum) ? std::optional(sum) : std::nullopt;
}

LinearSum symbol(Value value) { return {0, {{value, 1}}}; }

}  // namespace

bool LinearSum::add(const LinearSum& other, int64_t factor) {
  LinearSum sum = *this;
  std::optional<int64_t> newConstant = addScaled(constant, other.constant, factor);
  if (!newConstant) return false;
  sum.constant = *newConstant;
  for (const Term& term : other.terms) {
    auto same = std::find_if(sum.terms.begin(), sum.terms.end(),
                             [&](const Term& mine) { return mine.symbol == term.symbol; });
    std::optional<int64_t> coefficient =
        addScaled(same == sum.terms.end() ? 0 : same->coefficient, term.coefficient, factor);
    if (!coefficient) return false;
    if (same == sum.terms.end())
      sum.terms.push_back({term.symbol, *coefficient});
    else
      same->coefficient = *coefficient;
  }
  std::erase_if(sum.terms, [](const Term& term) { return term.coefficient == 0; });
  *this = std::move(sum);
  return true;
}

const LinearSum& LinearReader::read(Value value) {
  auto known = sums_.find(value);
  if (known != sums_.end()) return known->second;
  LinearSum sum = follow(value, 0);
  return sums_.emplace(value, std::move(sum)).first->second;
}

LinearSum LinearReader::readDeep(Value value, unsigned depth) {
  auto known = sums_.find(value);
  if (known != sums_.end()) return known->second;
  if (depth > kDeepestSum) return symbol(value);
  LinearSum sum = follow(value, depth);
  sums_.emplace(value, sum);
  return sum;
}

LinearSum LinearReader::follow(Value value, unsigned depth) {
  if (std::optional<int64_t> constant = constantIntOf(value)) {
    if (isSmall(*constant)) return {*constant, {}};
    return symbol(value);
  }
  std::optional<LinearSum> sum = value.isBlockArgument()
                                     ? followArgument(value, depth)
                                     : followOp(*value.definingOp(), value, depth);
  bool usable = sum && sum->terms.size() <= kMostSumTerms && fits(*sum, value.type());
  return usable ? *sum : symbol(value);
}

std::optional<LinearSum> LinearReader::followOp(Operation& op, Value value, unsigned depth) {
  if (isa<air::ExecuteOp>(&op)) {
    Operation* terminator = op.region().front().terminator();
    bool has = value.index() > 0 && terminator && value.index() <= terminator->numOperands();
    if (!has) return std::nullopt;
    return readDeep(terminator->operand(value.index() - 1), depth + 1);
  }
  if (op.is("arith.index_cast")) return readDeep(op.operand(0), depth + 1);
  if (isa<affine::ApplyOp>(&op)) {
    affine::Application application = affine::ApplyOp(&op).application();
    return readExpr(application.map.result(0), application.dims(), application.symbols(),
                    depth + 1);
  }
  bool isSum = op.is("arith.addi") || op.is("arith.subi");
  if (!isSum && !op.is("arith.muli")) return std::nullopt;
  LinearSum lhs = readDeep(op.operand(0), depth + 1), rhs = readDeep(op.operand(1), depth + 1);
  if (isSum) return lhs.add(rhs, op.is("arith.addi") ? 1 : -1) ? std::optional(lhs) : std::nullopt;
  if (!lhs.isConstant()) std::swap(lhs, rhs);
  LinearSum product;
  bool works = lhs.isConstant() && product.add(rhs, lhs.constant);
  return works ? std::optional(product) : std::nullopt;
}

std::optional<LinearSum> LinearReader::readExpr(AffineExpr expr, std::span<const Value> dims,
                                                std::span<const Value> symbols, unsigned depth) {
  if (depth > kDeepestSum) return std::nullopt;
  if (std::optional<int64_t> constant = expr.constantValue())
    return isSmall(*constant) ? std::optional(LinearSum{*constant, {}}) : std::nullopt;
  if (expr.kind() == AffineKind::Dim) return readDeep(dims[expr.position()], depth);
  if (expr.kind() == AffineKind::Symbol) return readDeep(symbols[expr.position()], depth);
  if (expr.kind() != AffineKind::Add && expr.kind() != AffineKind::Mul) return std::nullopt;
  std::optional<LinearSum> lhs = readExpr(expr.lhs(), dims, symbols, depth);
  std::optional<LinearSum> rhs = readExpr(expr.rhs(), dims, symbols, depth);
  if (!lhs || !rhs) return std::nullopt;
  if (expr.kind() == AffineKind::Add) return lhs->add(*rhs, 1) ? lhs : std::nullopt;
  if (!lhs->isConstant()) std::swap(lhs, rhs);
  LinearSum product;
  bool works = lhs->isConstant() && product.add(*rhs, lhs->constant);
  return works ? std::optional(product) : std::nullopt;
}

std::optional<LinearSum> LinearReader::followArgument(Value value, unsigned depth) {
  Operation* owner = value.argumentBlock()->parentOp();
  air::HierarchyOp hierarchy = air::asHierarchy(owner);
  if (!hierarchy || value.argumentBlock() != &hierarchy.body()) return std::nullopt;
  if (value.index() < hierarchy.numDims()) return std::nullopt;
  bool isSize = value.index() < 2 * hierarchy.numDims();
  Value outside = isSize ? hierarchy.sizes()[value.index() - hierarchy.numDims()]
                         : hierarchy.tiedOperand(value);
  LinearSum sum = readDeep(outside, depth + 1);
  if (reach_ == Reach::Body && !sum.isConstant()) return std::nullopt;
  return sum;
}

/// Index sums are taken as they are; a narrower integer must hold all that the sum can be.
bool LinearReader::fits(const LinearSum& sum, Type type) {
  IntegerType integer = type.dynCast<IntegerType>();
  if (!integer) return true;
  if (integer.width() < 2 || integer.width() > 64) return false;
  bool isSymbolItself = sum.constant == 0 && sum.terms.size() == 1 &&
                        sum.terms[0].coefficient == 1 && sum.terms[0].symbol.type() == type;
  if (isSymbolItself) return true;
  int64_t limit = integer.width() > 51 ? kLargestTerm : (int64_t{1} << (integer.width() - 1)) - 1;
  __int128 least = sum.constant, most = sum.constant;
  for (const LinearSum::Term& term : sum.terms) {
    std::optional<SymbolRange> range = rangeOf(term.symbol);
    if (!range || range->count == 0) return false;
    __int128 from = static_cast<__int128>(term.coefficient) * range->lower;
    __int128 to = from + static_cast<__int128>(term.coefficient) * range->step * (range->count - 1);
    least += std::min(from, to), most += std::max(from, to);
  }
  return least >= -limit && most <= limit;
}

// -- Ranges ---------------------------------------------------------------------------------------

std::optional<SymbolRange> LinearReader::rangeOf(Value value) {
  if (!value.isBlockArgument()) return std::nullopt;
  auto known = ranges_.find(value);
  if (known != ranges_.end()) return known->second;
  std::optional<SymbolRange> range = findRange(value);
  ranges_[value] = range;
  return range;
}

std::optional<SymbolRange> LinearReader::rangeBetween(Value lower, Value upper, Value step) {
  LinearSum from = read(lower), to = read(upper), by = read(step);
  if (!from.isConstant() || !to.isConstant() || !by.isConstant()) return std::nullopt;
  std::optional<int64_t> count = scf::constantTripCount(from.constant, to.constant, by.constant);
  if (!count || !isSmall(*count)) return std::nullopt;
  return SymbolRange{from.constant, by.constant, *count};
}

std::optional<SymbolRange> LinearReader::findRange(Value value) {
  Operation* owner = value.argumentBlock()->parentOp();
  unsigned at = value.index();
  if (!owner || !value.argumentBlock()->isEntry()) return std::nullopt;
  if (air::HierarchyOp hierarchy = air::asHierarchy(owner)) {
    if (at >= hierarchy.numDims()) return std::nullopt;
    const LinearSum& size = read(hierarchy.sizes()[at]);
    if (!size.isConstant() || size.constant < 0) return std::nullopt;
    return SymbolRange{0, 1, size.constant};
  }
  if (scf::ForOp loop = dynCast<scf::ForOp>(owner); loop && at == 0)
    return rangeBetween(loop.lowerBound(), loop.upperBound(), loop.step());
  if (scf::ParallelOp loop = dynCast<scf::ParallelOp>(owner); loop && at < loop.numLoops())
    return rangeBetween(loop.lowerBounds()[at], loop.upperBounds()[at], loop.steps()[at]);
  if (affine::ForOp loop = dynCast<affine::ForOp>(owner); loop && at == 0) {
    std::optional<int64_t> lower = loop.constantLowerBound(), count = loop.tripCount();
    if (!lower || !count || !isSmall(*lower) || !isSmall(*count)) return std::nullopt;
    return SymbolRange{*lower, loop.step(), *count};
  }
  return std::nullopt;
}

}  // namespace airlite::analysis
