// Affine expressions as arith operations on index, rounded as affine says (towards minus infinity,
// ceildiv towards plus infinity) while arith.divsi and remsi round towards zero.
#include "AffineInternal.hpp"
#include "airlite/dialect/Arith.hpp"

namespace airlite::affine {

namespace {

using Predicate = arith::CmpIPredicate;

class Expander {
 public:
  Expander(Builder& builder, Location location, std::span<const Value> dims,
           std::span<const Value> symbols)
      : builder_(builder), location_(location), dims_(dims), symbols_(symbols) {}

  Value expand(AffineExpr expr) {
    switch (expr.kind()) {
      case AffineKind::Constant: return constant(expr.value());
      case AffineKind::Dim: return input(dims_, expr.position());
      case AffineKind::Symbol: return input(symbols_, expr.position());
      default: return expandBinary(expr);
    }
  }

 private:
  Value expandBinary(AffineExpr expr) {
    if (!checkDivisor(expr)) return Value();
    Value lhs = expand(expr.lhs());
    Value rhs = lhs ? expand(expr.rhs()) : Value();
    if (!rhs) return Value();
    switch (expr.kind()) {
      case AffineKind::Add: return binary("arith.addi", lhs, rhs);
      case AffineKind::Mul: return binary("arith.muli", lhs, rhs);
      case AffineKind::Mod: return modulo(lhs, rhs);
      case AffineKind::FloorDiv: return floorDivide(lhs, rhs);
      default: return ceilDivide(lhs, rhs);
    }
  }

  bool checkDivisor(AffineExpr expr) {
    bool divides = expr.kind() == AffineKind::Mod || expr.kind() == AffineKind::FloorDiv ||
                   expr.kind() == AffineKind::CeilDiv;
    if (!divides || expr.rhs().constantValue().value_or(1) > 0) return true;
    emitError(builder_.context(), location_)
        << (expr.kind() == AffineKind::Mod ? "modulo" : "division")
        << " by non-positive value is not supported";
    return false;
  }

  Value input(std::span<const Value> values, unsigned position) {
    if (position < values.size()) return values[position];
    emitError(builder_.context(), location_) << "affine expression uses a missing operand";
    return Value();
  }

  Value constant(int64_t value) { return builder_.constantIndex(location_, value); }
  Value binary(std::string_view name, Value lhs, Value rhs) {
    return builder_.create(location_, name, {lhs, rhs}, {lhs.type()})->result();
  }
  Value compare(Predicate predicate, Value lhs, Value rhs) {
    Attribute attr = builder_.i64Attr(static_cast<int64_t>(predicate));
    return builder_
        .create(location_, "arith.cmpi", {lhs, rhs}, {builder_.intType(1)},
                {builder_.named("predicate", attr)})
        ->result();
  }
  Value select(Value condition, Value yes, Value no) {
    return builder_.create(location_, "arith.select", {condition, yes, no}, {yes.type()})->result();
  }

  /// The remainder has the sign of the left side: negative ones are one divisor too low.
  Value modulo(Value lhs, Value rhs) {
    Value remainder = binary("arith.remsi", lhs, rhs);
    Value isNegative = compare(Predicate::slt, remainder, constant(0));
    return select(isNegative, binary("arith.addi", remainder, rhs), remainder);
  }

  /// For a negative a: -1 - ((-1 - a) / b), which divides values that are not negative.
  Value floorDivide(Value lhs, Value rhs) {
    Value zero = constant(0), minusOne = constant(-1);
    Value isNegative = compare(Predicate::slt, lhs, zero);
    Value dividend = select(isNegative, binary("arith.subi", minusOne, lhs), lhs);
    Value quotient = binary("arith.divsi", dividend, rhs);
    return select(isNegative, binary("arith.subi", minusOne, quotient), quotient);
  }

  /// For a <= 0: a / b, which rounds towards zero, so up; otherwise (a - 1) / b + 1. (The usual
  /// -(-a / b) is wrong for the least integer.)
  Value ceilDivide(Value lhs, Value rhs) {
    Value zero = constant(0), one = constant(1);
    Value isNotPositive = compare(Predicate::sle, lhs, zero);
    Value decremented = binary("arith.subi", lhs, one);
    Value quotient = binary("arith.divsi", select(isNotPositive, lhs, decremented), rhs);
    return select(isNotPositive, quotient, binary("arith.addi", quotient, one));
  }

  Builder& builder_;
  Location location_;
  std::span<const Value> dims_;
  std::span<const Value> symbols_;
};

}  // namespace

Value expandExpr(Builder& builder, Location location, AffineExpr expr, std::span<const Value> dims,
                 std::span<const Value> symbols) {
  return Expander(builder, location, dims, symbols).expand(expr);
}

std::optional<std::vector<Value>> expandMap(Builder& builder, Location location,
                                            const Application& application) {
  std::vector<Value> results;
  for (AffineExpr expr : application.map.results()) {
    Value value = expandExpr(builder, location, expr, application.dims(), application.symbols());
    if (!value) return std::nullopt;
    results.push_back(value);
  }
  return results;
}

}  // namespace airlite::affine
