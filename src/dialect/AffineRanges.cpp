// What the bounds and steps of affine.for say about expressions of its induction variables.
#include "AffineInternal.hpp"
#include "MemRefInternal.hpp"

#include <numeric>

namespace airlite::affine {

ForOp inductionLoop(Value value) {
  Block* block = value ? value.argumentBlock() : nullptr;
  if (!block || value.index() != 0) return ForOp();
  return dynCast<ForOp>(block->parentOp());
}

namespace {

struct Range {
  int64_t least = 0;
  int64_t most = 0;
};

/// Values that the induction variable of a loop of constant bounds takes; empty when the bounds
/// are not known or there is none.
std::optional<Range> rangeOf(Value value) {
  ForOp loop = inductionLoop(value);
  std::optional<int64_t> count = loop ? loop.tripCount() : std::nullopt;
  if (!count || *count <= 0) return std::nullopt;
  int64_t lower = *loop.constantLowerBound();
  int64_t distance = memref::saturatingMul(*count - 1, loop.step());
  int64_t last = memref::saturatingAdd(lower, distance);
  if (distance == kDynamic || last == kDynamic) return std::nullopt;
  return Range{lower, last};
}

class Knowledge {
 public:
  explicit Knowledge(std::span<const Value> dims) : dims_(dims) {}

  AffineExpr simplify(AffineExpr expr) const {
    if (!expr.isBinary()) return expr;
    AffineExpr lhs = simplify(expr.lhs()), rhs = simplify(expr.rhs());
    if (lhs != expr.lhs() || rhs != expr.rhs()) expr = AffineExpr::binary(expr.kind(), lhs, rhs);
    bool divides = expr.kind() == AffineKind::Mod || expr.kind() == AffineKind::FloorDiv;
    int64_t divisor = divides ? expr.rhs().constantValue().value_or(0) : 0;
    return divisor > 0 ? simplifyDivision(expr, divisor) : expr;
  }

 private:
  AffineExpr simplifyDivision(AffineExpr expr, int64_t divisor) const {
    Context& context = expr.context();
    bool isMod = expr.kind() == AffineKind::Mod;
    if (isMod && divisorOf(expr.lhs()) % divisor == 0) return AffineExpr::constant(context, 0);
    std::optional<Range> range = rangeOfExpr(expr.lhs());
    if (!range) return expr;
    int64_t quotient = floorDiv(range->least, divisor);
    if (quotient != floorDiv(range->most, divisor)) return expr;
    if (!isMod) return AffineExpr::constant(context, quotient);
    return quotient == 0 ? expr.lhs() : expr;
  }

  static int64_t floorDiv(int64_t a, int64_t b) { return a / b - (a % b < 0); }

  /// A number that divides every value of the expression; 0 when it is always 0.
  int64_t divisorOf(AffineExpr expr) const {
    if (auto constant = expr.constantValue())
      return *constant == kDynamic ? 1 : std::abs(*constant);
    if (expr.kind() == AffineKind::Dim) return divisorOfDim(expr.position());
    if (!expr.isBinary()) return 1;
    if (expr.kind() == AffineKind::Add || expr.kind() == AffineKind::Mod)
      return std::gcd(divisorOf(expr.lhs()), divisorOf(expr.rhs()));
    if (expr.kind() != AffineKind::Mul) return 1;
    int64_t product = memref::saturatingMul(divisorOf(expr.lhs()), divisorOf(expr.rhs()));
    return product == kDynamic ? 1 : product;
  }

  int64_t divisorOfDim(unsigned position) const {
    ForOp loop = position < dims_.size() ? inductionLoop(dims_[position]) : ForOp();
    std::optional<int64_t> lower = loop ? loop.constantLowerBound() : std::nullopt;
    if (!lower || *lower == kDynamic) return 1;
    return std::gcd(*lower, loop.step());
  }

  /// Of dims, constants, sums and products with a constant.
  std::optional<Range> rangeOfExpr(AffineExpr expr) const {
    if (auto constant = expr.constantValue()) return Range{*constant, *constant};
    if (expr.kind() == AffineKind::Dim)
      return expr.position() < dims_.size() ? rangeOf(dims_[expr.position()]) : std::nullopt;
    bool linear = expr.kind() == AffineKind::Add || expr.kind() == AffineKind::Mul;
    if (!linear) return std::nullopt;
    std::optional<Range> a = rangeOfExpr(expr.lhs()), b = rangeOfExpr(expr.rhs());
    if (!a || !b) return std::nullopt;
    return expr.kind() == AffineKind::Add ? sum(*a, *b) : product(*a, *b);
  }

  static std::optional<Range> checked(int64_t least, int64_t most) {
    if (least == kDynamic || most == kDynamic) return std::nullopt;
    return Range{least, most};
  }
  static std::optional<Range> sum(Range a, Range b) {
    return checked(memref::saturatingAdd(a.least, b.least), memref::saturatingAdd(a.most, b.most));
  }
  static std::optional<Range> product(Range a, Range b) {
    if (b.least != b.most) return std::nullopt;
    int64_t x = memref::saturatingMul(a.least, b.least);
    int64_t y = memref::saturatingMul(a.most, b.least);
    return checked(std::min(x, y), x == kDynamic || y == kDynamic ? kDynamic : std::max(x, y));
  }

  std::span<const Value> dims_;
};

}  // namespace

AffineExpr simplifyByLoops(AffineExpr expr, std::span<const Value> dims) {
  return Knowledge(dims).simplify(expr);
}

}  // namespace airlite::affine
