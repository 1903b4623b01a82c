// Affine expressions: uniquing, the simplifications done while building, evaluation. Sums come from
// flat text and may be very long, so nothing here recurses along the left side of an expression;
// the right side is only as deep as the brackets were.
#include "ContextImpl.hpp"
#include "PrintHooks.hpp"
#include "airlite/ir/Affine.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace airlite {

using namespace detail;

namespace {

// ---------------------------------------------------------------------------------------------
// Uniquing
// ---------------------------------------------------------------------------------------------

AffineExpr uniqueLeaf(Context& context, AffineKind kind, int64_t value) {
  return AffineExpr(context.impl().affineExprs.findOrMake(
      Hasher().add(kind).add(value).value(),
      [&](const AffineExprStorage& other) { return other.kind == kind && other.value == value; },
      [&] {
        Arena& arena = context.impl().arena;
        return arena.make<AffineExprStorage>(&context, kind, nullptr, nullptr, value);
      }));
}

const AffineExprStorage* storageOf(AffineExpr expr) {
  return static_cast<const AffineExprStorage*>(expr.pointer());
}
const AffineBinaryStorage& binaryOf(AffineExpr expr) {
  return static_cast<const AffineBinaryStorage&>(*storageOf(expr));
}

int64_t magnitude(int64_t value) {
  // The magnitude of the least integer does not fit; half of it still divides.
  if (value == std::numeric_limits<int64_t>::min()) return int64_t{1} << 62;
  return value < 0 ? -value : value;
}

bool isMultiple(AffineExpr expr, int64_t of) { return expr.largestKnownDivisor() % of == 0; }

int64_t divisorOfQuotient(AffineExpr lhs, AffineExpr rhs) {
  int64_t by = magnitude(rhs.constantValue().value_or(0));
  return by != 0 && isMultiple(lhs, by) ? lhs.largestKnownDivisor() / by : 1;
}

int64_t divisorOfBinary(AffineKind kind, AffineExpr lhs, AffineExpr rhs) {
  int64_t left = lhs.largestKnownDivisor(), right = rhs.largestKnownDivisor();
  int64_t product;
  switch (kind) {
    case AffineKind::Mul:
      return __builtin_mul_overflow(left, right, &product) ? std::max(left, right) : product;
    case AffineKind::FloorDiv:
    case AffineKind::CeilDiv: return divisorOfQuotient(lhs, rhs);
    default: return std::gcd(left, right);
  }
}

/// The expression as it is, without simplification.
AffineExpr uniqueBinary(AffineKind kind, AffineExpr lhs, AffineExpr rhs) {
  Context& context = lhs.context();
  auto same = [&](const AffineExprStorage& other) {
    return other.kind == kind && other.lhs == storageOf(lhs) && other.rhs == storageOf(rhs);
  };
  auto make = [&] {
    return context.impl().arena.make<AffineBinaryStorage>(
        AffineExprStorage{&context, kind, storageOf(lhs), storageOf(rhs), 0},
        lhs.isSymbolicOrConstant() && rhs.isSymbolicOrConstant(), divisorOfBinary(kind, lhs, rhs));
  };
  uint64_t hash = Hasher().add(kind).add(lhs).add(rhs).value();
  return AffineExpr(context.impl().affineExprs.findOrMake(hash, same, make));
}

// ---------------------------------------------------------------------------------------------
// Arithmetic that says when it cannot
// ---------------------------------------------------------------------------------------------

std::optional<int64_t> checkedAdd(int64_t a, int64_t b) {
  int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? std::nullopt : std::optional(sum);
}

std::optional<int64_t> checkedMul(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? std::nullopt : std::optional(product);
}

int64_t floorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
int64_t ceilDivide(int64_t a, int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }
int64_t modulo(int64_t a, int64_t b) { return a % b < 0 ? a % b + b : a % b; }

std::optional<int64_t> compute(AffineKind kind, int64_t a, int64_t b) {
  if (kind == AffineKind::Add) return checkedAdd(a, b);
  if (kind == AffineKind::Mul) return checkedMul(a, b);
  if (b <= 0) return std::nullopt;
  if (kind == AffineKind::Mod) return modulo(a, b);
  return kind == AffineKind::FloorDiv ? floorDivide(a, b) : ceilDivide(a, b);
}

AffineExpr foldConstants(AffineKind kind, AffineExpr lhs, AffineExpr rhs) {
  std::optional<int64_t> a = lhs.constantValue(), b = rhs.constantValue();
  if (!a || !b) return {};
  std::optional<int64_t> value = compute(kind, *a, *b);
  return value ? AffineExpr::constant(lhs.context(), *value) : AffineExpr();
}

bool isKind(AffineExpr expr, AffineKind kind) { return expr.kind() == kind; }

// ---------------------------------------------------------------------------------------------
// Sums
// ---------------------------------------------------------------------------------------------

struct Term {
  AffineExpr expr;
  int64_t factor;
};

Term termOf(AffineExpr expr) {
  if (isKind(expr, AffineKind::Mul))
    if (auto factor = expr.rhs().constantValue()) return {expr.lhs(), *factor};
  return {expr, 1};
}

// c1 * x + c2 * x
AffineExpr addLikeTerms(AffineExpr lhs, AffineExpr rhs) {
  Term left = termOf(lhs), right = termOf(rhs);
  if (left.expr != right.expr) return {};
  std::optional<int64_t> factor = checkedAdd(left.factor, right.factor);
  return factor ? left.expr * *factor : AffineExpr();
}

// (x + c1) + c2 and (x + c1) + y: the constant ends up on the right, once.
AffineExpr addToShifted(AffineExpr lhs, AffineExpr rhs) {
  if (!isKind(lhs, AffineKind::Add)) return {};
  std::optional<int64_t> shift = lhs.rhs().constantValue();
  if (!shift) return {};
  std::optional<int64_t> constant = rhs.constantValue();
  if (!constant) return (lhs.lhs() + rhs) + lhs.rhs();
  std::optional<int64_t> sum = checkedAdd(*shift, *constant);
  return sum ? lhs.lhs() + *sum : AffineExpr();
}

/// The q of `(x floordiv q) * -q` or `((x floordiv q) * q) * -1`; null for anything else.
AffineExpr wholeMultiple(AffineExpr x, AffineExpr product) {
  if (!isKind(product, AffineKind::Mul)) return {};
  AffineExpr quotient = product.lhs(), factor = product.rhs();
  bool negated = factor.isConstant(-1) && isKind(quotient, AffineKind::Mul);
  if (negated) {
    factor = quotient.rhs();
    quotient = quotient.lhs();
  }
  if (!isKind(quotient, AffineKind::FloorDiv) || quotient.lhs() != x) return {};
  AffineExpr divisor = quotient.rhs();
  if (negated) return divisor == factor ? divisor : AffineExpr();
  bool positive = divisor.constantValue().value_or(0) > 0;
  return positive && divisor == -factor ? divisor : AffineExpr();
}

bool belongsRight(AffineExpr lhs, AffineExpr rhs) {
  return isKind(lhs, AffineKind::Constant) ||
         (lhs.isSymbolicOrConstant() && !rhs.isSymbolicOrConstant());
}

// ---------------------------------------------------------------------------------------------
// Products
// ---------------------------------------------------------------------------------------------

// (x * c1) * c2 and (x * c1) * s
AffineExpr multiplyScaled(AffineExpr lhs, AffineExpr rhs) {
  if (!isKind(lhs, AffineKind::Mul)) return {};
  std::optional<int64_t> scale = lhs.rhs().constantValue();
  if (!scale) return {};
  std::optional<int64_t> constant = rhs.constantValue();
  if (!constant) return (lhs.lhs() * rhs) * lhs.rhs();
  std::optional<int64_t> product = checkedMul(*scale, *constant);
  return product ? lhs.lhs() * *product : AffineExpr();
}

// ---------------------------------------------------------------------------------------------
// Quotients and remainders
// ---------------------------------------------------------------------------------------------

// (x * c1) / c2 where c2 divides c1: rounding plays no role.
AffineExpr divideScaled(AffineExpr lhs, int64_t by) {
  if (!isKind(lhs, AffineKind::Mul)) return {};
  std::optional<int64_t> scale = lhs.rhs().constantValue();
  return scale && *scale % by == 0 ? lhs.lhs() * (*scale / by) : AffineExpr();
}

bool splitsAt(AffineExpr sum, int64_t by) {
  return isKind(sum, AffineKind::Add) && (isMultiple(sum.lhs(), by) || isMultiple(sum.rhs(), by));
}

// (x + y) floordiv c where c divides x or y: each side by itself, as often as it goes.
AffineExpr floorDivideSum(AffineExpr lhs, AffineExpr rhs, int64_t by) {
  std::vector<AffineExpr> quotients;
  for (; splitsAt(lhs, by); lhs = lhs.lhs())
    quotients.push_back(lhs.rhs().floorDiv(rhs));
  AffineExpr result = lhs.floorDiv(rhs);
  for (size_t i = quotients.size(); i-- > 0;)
    result = result + quotients[i];
  return result;
}

// (x + y) mod c where c divides one side; (x mod c1) mod c where c divides c1.
AffineExpr reduceOnceForMod(AffineExpr expr, int64_t by) {
  if (isKind(expr, AffineKind::Add)) {
    if (isMultiple(expr.lhs(), by)) return expr.rhs();
    return isMultiple(expr.rhs(), by) ? expr.lhs() : AffineExpr();
  }
  if (!isKind(expr, AffineKind::Mod)) return {};
  int64_t inner = expr.rhs().constantValue().value_or(0);
  return inner > 0 && inner % by == 0 ? expr.lhs() : AffineExpr();
}

/// `expr` without what makes no difference to `expr mod by`.
AffineExpr reduceForMod(AffineExpr expr, int64_t by) {
  while (AffineExpr reduced = reduceOnceForMod(expr, by))
    expr = reduced;
  return expr;
}

}  // namespace

// ---------------------------------------------------------------------------------------------
// Building
// ---------------------------------------------------------------------------------------------

AffineExpr AffineExpr::constant(Context& context, int64_t value) {
  return uniqueLeaf(context, AffineKind::Constant, value);
}
AffineExpr AffineExpr::dim(Context& context, unsigned position) {
  return uniqueLeaf(context, AffineKind::Dim, position);
}
AffineExpr AffineExpr::symbol(Context& context, unsigned position) {
  return uniqueLeaf(context, AffineKind::Symbol, position);
}

AffineExpr AffineExpr::operator+(AffineExpr other) const {
  if (AffineExpr folded = foldConstants(AffineKind::Add, *this, other)) return folded;
  bool bothConstant = constantValue() && other.constantValue();
  if (!bothConstant && belongsRight(*this, other)) return other + *this;
  if (other.isConstant(0)) return *this;
  if (AffineExpr merged = addLikeTerms(*this, other)) return merged;
  if (AffineExpr shifted = addToShifted(*this, other)) return shifted;
  if (AffineExpr divisor = wholeMultiple(*this, other)) return mod(divisor);
  return uniqueBinary(AffineKind::Add, *this, other);
}

AffineExpr AffineExpr::operator*(AffineExpr other) const {
  if (AffineExpr folded = foldConstants(AffineKind::Mul, *this, other)) return folded;
  bool bothConstant = constantValue() && other.constantValue();
  if (!bothConstant && belongsRight(*this, other)) return other * *this;
  if (other.isConstant(1)) return *this;
  if (other.isConstant(0)) return other;
  bool simplifies = other.isSymbolicOrConstant();
  if (AffineExpr scaled = simplifies ? multiplyScaled(*this, other) : AffineExpr()) return scaled;
  return uniqueBinary(AffineKind::Mul, *this, other);
}

AffineExpr AffineExpr::mod(AffineExpr other) const {
  int64_t by = other.constantValue().value_or(0);
  if (by <= 0) return uniqueBinary(AffineKind::Mod, *this, other);
  if (isMultiple(*this, by)) return constant(context(), 0);
  AffineExpr reduced = reduceForMod(*this, by);
  if (isMultiple(reduced, by)) return constant(context(), 0);
  if (AffineExpr folded = foldConstants(AffineKind::Mod, reduced, other)) return folded;
  return uniqueBinary(AffineKind::Mod, reduced, other);
}

AffineExpr AffineExpr::floorDiv(AffineExpr other) const {
  int64_t by = other.constantValue().value_or(0);
  if (by <= 0) return uniqueBinary(AffineKind::FloorDiv, *this, other);
  if (AffineExpr folded = foldConstants(AffineKind::FloorDiv, *this, other)) return folded;
  if (by == 1) return *this;
  if (AffineExpr divided = divideScaled(*this, by)) return divided;
  if (splitsAt(*this, by)) return floorDivideSum(*this, other, by);
  return uniqueBinary(AffineKind::FloorDiv, *this, other);
}

AffineExpr AffineExpr::ceilDiv(AffineExpr other) const {
  int64_t by = other.constantValue().value_or(0);
  if (by <= 0) return uniqueBinary(AffineKind::CeilDiv, *this, other);
  if (AffineExpr folded = foldConstants(AffineKind::CeilDiv, *this, other)) return folded;
  if (by == 1) return *this;
  if (AffineExpr divided = divideScaled(*this, by)) return divided;
  return uniqueBinary(AffineKind::CeilDiv, *this, other);
}

AffineExpr AffineExpr::operator+(int64_t other) const { return *this + constant(context(), other); }
AffineExpr AffineExpr::operator*(int64_t other) const { return *this * constant(context(), other); }
AffineExpr AffineExpr::operator-() const { return *this * -1; }
AffineExpr AffineExpr::operator-(AffineExpr other) const { return *this + -other; }

AffineExpr AffineExpr::binary(AffineKind kind, AffineExpr lhs, AffineExpr rhs) {
  switch (kind) {
    case AffineKind::Add: return lhs + rhs;
    case AffineKind::Mul: return lhs * rhs;
    case AffineKind::Mod: return lhs.mod(rhs);
    case AffineKind::FloorDiv: return lhs.floorDiv(rhs);
    default: return lhs.ceilDiv(rhs);
  }
}

// ---------------------------------------------------------------------------------------------
// Questions
// ---------------------------------------------------------------------------------------------

std::optional<int64_t> AffineExpr::constantValue() const {
  return kind() == AffineKind::Constant ? std::optional(value()) : std::nullopt;
}

bool AffineExpr::isSymbolicOrConstant() const {
  if (isBinary()) return binaryOf(*this).symbolicOrConstant;
  return kind() != AffineKind::Dim;
}

int64_t AffineExpr::largestKnownDivisor() const {
  if (isBinary()) return binaryOf(*this).divisor;
  return kind() == AffineKind::Constant ? magnitude(value()) : 1;
}

namespace {

/// The binary nodes from `expr` down its left side, and the leaf at the end.
struct LeftSpine {
  explicit LeftSpine(AffineExpr expr) : leaf(expr) {
    for (; leaf.isBinary(); leaf = leaf.lhs())
      nodes.push_back(leaf);
  }
  std::vector<AffineExpr> nodes;
  AffineExpr leaf;
};

bool usesLeaf(AffineExpr expr, AffineExpr leaf) {
  LeftSpine spine(expr);
  if (spine.leaf == leaf) return true;
  for (AffineExpr node : spine.nodes)
    if (usesLeaf(node.rhs(), leaf)) return true;
  return false;
}

bool isPureNode(AffineExpr node) {
  if (node.kind() == AffineKind::Add) return true;
  if (node.rhs().isSymbolicOrConstant()) return true;
  return node.kind() == AffineKind::Mul && node.lhs().isSymbolicOrConstant();
}

}  // namespace

bool AffineExpr::isPureAffine() const {
  for (AffineExpr node : LeftSpine(*this).nodes)
    if (!isPureNode(node) || !node.rhs().isPureAffine()) return false;
  return true;
}

bool AffineExpr::usesDim(unsigned position) const {
  return usesLeaf(*this, dim(context(), position));
}
bool AffineExpr::usesSymbol(unsigned position) const {
  return usesLeaf(*this, symbol(context(), position));
}

// ---------------------------------------------------------------------------------------------
// Replacing and evaluating
// ---------------------------------------------------------------------------------------------

namespace {

AffineExpr replaceLeaf(AffineExpr leaf, std::span<const AffineExpr> dims,
                       std::span<const AffineExpr> symbols) {
  if (leaf.kind() == AffineKind::Constant) return leaf;
  std::span<const AffineExpr> list = leaf.kind() == AffineKind::Dim ? dims : symbols;
  if (leaf.position() >= list.size() || !list[leaf.position()]) return leaf;
  return list[leaf.position()];
}

std::optional<int64_t> evaluateLeaf(AffineExpr leaf, std::span<const int64_t> dims,
                                    std::span<const int64_t> symbols) {
  if (leaf.kind() == AffineKind::Constant) return leaf.value();
  std::span<const int64_t> list = leaf.kind() == AffineKind::Dim ? dims : symbols;
  if (leaf.position() >= list.size()) return std::nullopt;
  return list[leaf.position()];
}

}  // namespace

AffineExpr AffineExpr::replace(std::span<const AffineExpr> dims,
                               std::span<const AffineExpr> symbols) const {
  LeftSpine spine(*this);
  AffineExpr result = replaceLeaf(spine.leaf, dims, symbols);
  for (size_t i = spine.nodes.size(); i-- > 0;) {
    AffineExpr node = spine.nodes[i];
    result = binary(node.kind(), result, node.rhs().replace(dims, symbols));
  }
  return result;
}

AffineExpr AffineExpr::shiftDims(unsigned numDims, unsigned shift) const {
  std::vector<AffineExpr> dims;
  for (unsigned i = 0; i < numDims; ++i)
    dims.push_back(dim(context(), i + shift));
  return replace(dims, {});
}

AffineExpr AffineExpr::shiftSymbols(unsigned numSymbols, unsigned shift) const {
  std::vector<AffineExpr> symbols;
  for (unsigned i = 0; i < numSymbols; ++i)
    symbols.push_back(symbol(context(), i + shift));
  return replace({}, symbols);
}

std::optional<int64_t> AffineExpr::evaluate(std::span<const int64_t> dims,
                                            std::span<const int64_t> symbols) const {
  LeftSpine spine(*this);
  std::optional<int64_t> result = evaluateLeaf(spine.leaf, dims, symbols);
  for (size_t i = spine.nodes.size(); i-- > 0 && result;) {
    std::optional<int64_t> right = spine.nodes[i].rhs().evaluate(dims, symbols);
    if (!right) return std::nullopt;
    result = compute(spine.nodes[i].kind(), *result, *right);
  }
  return result;
}

std::string AffineExpr::str() const { return storage_ ? printAffineToString(*this) : ""; }

}  // namespace airlite
