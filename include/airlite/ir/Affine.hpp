// Affine expressions, maps and integer sets, simplified as they are built.
//
//   AffineExpr d0 = AffineExpr::dim(context, 0);
//   AffineExpr four = AffineExpr::constant(context, 4);
//   bool isSame = (d0 * 8).floorDiv(four) == d0 * 2;  // true: building simplifies
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace airlite {

class Context;

enum class AffineKind : uint8_t { Add, Mul, Mod, FloorDiv, CeilDiv, Constant, Dim, Symbol };

namespace detail {
struct AffineExprStorage {
  Context* context;
  AffineKind kind;
  const AffineExprStorage* lhs;  // binary kinds
  const AffineExprStorage* rhs;
  int64_t value;  // the constant, or the position of a dim or symbol
};
struct AffineMapStorage;
struct IntegerSetStorage;
}  // namespace detail

/// An expression over dims and symbols: + * mod floordiv ceildiv. `mod`, `floordiv` and `ceildiv`
/// round towards minus infinity as in mathematics; their right side must be positive when it is
/// evaluated. Building simplifies: constants fold and move right, x*1, x+0, like terms, nested
/// mod and div by constants.
class AffineExpr {
 public:
  AffineExpr() = default;
  explicit AffineExpr(const detail::AffineExprStorage* storage) : storage_(storage) {}
  static AffineExpr constant(Context& context, int64_t value);
  static AffineExpr dim(Context& context, unsigned position);
  static AffineExpr symbol(Context& context, unsigned position);

  explicit operator bool() const { return storage_ != nullptr; }
  bool operator==(const AffineExpr&) const = default;
  Context& context() const { return *storage_->context; }
  AffineKind kind() const { return storage_->kind; }
  bool isBinary() const { return kind() <= AffineKind::CeilDiv; }
  AffineExpr lhs() const { return AffineExpr(storage_->lhs); }
  AffineExpr rhs() const { return AffineExpr(storage_->rhs); }
  /// The constant.
  int64_t value() const { return storage_->value; }
  /// The position of a dim or symbol.
  unsigned position() const { return static_cast<unsigned>(storage_->value); }
  std::optional<int64_t> constantValue() const;
  bool isConstant(int64_t value) const { return constantValue() == value; }

  AffineExpr operator+(AffineExpr other) const;
  AffineExpr operator+(int64_t other) const;
  AffineExpr operator-(AffineExpr other) const;
  AffineExpr operator-(int64_t other) const { return *this + -other; }
  AffineExpr operator-() const;
  AffineExpr operator*(AffineExpr other) const;
  AffineExpr operator*(int64_t other) const;
  AffineExpr mod(AffineExpr other) const;
  AffineExpr floorDiv(AffineExpr other) const;
  AffineExpr ceilDiv(AffineExpr other) const;
  static AffineExpr binary(AffineKind kind, AffineExpr lhs, AffineExpr rhs);

  /// No dims inside.
  bool isSymbolicOrConstant() const;
  /// Products have a constant or symbolic side; mod and div a symbolic right side.
  bool isPureAffine() const;
  bool usesDim(unsigned position) const;
  bool usesSymbol(unsigned position) const;
  /// The greatest constant that divides every value of the expression (0 for the constant 0).
  int64_t largestKnownDivisor() const;
  /// Rebuilds (and so simplifies) with dims and symbols replaced; a missing entry stays.
  AffineExpr replace(std::span<const AffineExpr> dims, std::span<const AffineExpr> symbols) const;
  AffineExpr shiftDims(unsigned numDims, unsigned shift) const;
  AffineExpr shiftSymbols(unsigned numSymbols, unsigned shift) const;
  /// Null on division by a value that is not positive, or on overflow.
  std::optional<int64_t> evaluate(std::span<const int64_t> dims,
                                  std::span<const int64_t> symbols) const;
  std::string str() const;
  const void* pointer() const { return storage_; }

 private:
  const detail::AffineExprStorage* storage_ = nullptr;
};

/// `(d0, d1)[s0] -> (e0, e1)`.
class AffineMap {
 public:
  AffineMap() = default;
  explicit AffineMap(const detail::AffineMapStorage* storage) : storage_(storage) {}
  static AffineMap get(Context& context, unsigned numDims, unsigned numSymbols,
                       std::span<const AffineExpr> results);
  static AffineMap identity(Context& context, unsigned numDims);
  static AffineMap constant(Context& context, int64_t value);
  /// `(d0, ..., dn-1) -> (d_p0, d_p1, ...)`.
  static AffineMap permutation(Context& context, unsigned numDims,
                               std::span<const unsigned> positions);

  explicit operator bool() const { return storage_ != nullptr; }
  bool operator==(const AffineMap&) const = default;
  Context& context() const;
  unsigned numDims() const;
  unsigned numSymbols() const;
  unsigned numInputs() const { return numDims() + numSymbols(); }
  std::span<const AffineExpr> results() const;
  unsigned numResults() const { return static_cast<unsigned>(results().size()); }
  AffineExpr result(unsigned i) const { return results()[i]; }
  bool isIdentity() const;
  /// Each result is a different dim (and all dims occur when `full`).
  bool isProjectedPermutation() const;
  bool isPermutation() const;
  /// The value of a map with one constant result.
  std::optional<int64_t> constantResult() const;
  /// `this` after `other`: (this . other)(x) = this(other(x)).
  AffineMap compose(AffineMap other) const;
  /// Each result of an invertible (projected) permutation solved for its dim; null if not one.
  AffineMap inversePermutation() const;
  std::optional<std::vector<int64_t>> evaluate(std::span<const int64_t> dims,
                                               std::span<const int64_t> symbols) const;
  std::string str() const;
  const void* pointer() const { return storage_; }
  /// A mark that the affine dialect leaves on maps it could not simplify, so as not to try again.
  bool isKnownSimple() const;
  void noteSimple() const;

 private:
  const detail::AffineMapStorage* storage_ = nullptr;
};

/// `(d0)[s0] : (e0 >= 0, e1 == 0)`.
class IntegerSet {
 public:
  IntegerSet() = default;
  explicit IntegerSet(const detail::IntegerSetStorage* storage) : storage_(storage) {}
  static IntegerSet get(Context& context, unsigned numDims, unsigned numSymbols,
                        std::span<const AffineExpr> constraints, const std::vector<bool>& equality);

  explicit operator bool() const { return storage_ != nullptr; }
  bool operator==(const IntegerSet&) const = default;
  Context& context() const;
  unsigned numDims() const;
  unsigned numSymbols() const;
  unsigned numInputs() const { return numDims() + numSymbols(); }
  std::span<const AffineExpr> constraints() const;
  /// Constraint `i` is `== 0` (else `>= 0`).
  bool isEquality(unsigned i) const;
  std::optional<bool> contains(std::span<const int64_t> dims,
                               std::span<const int64_t> symbols) const;
  std::string str() const;
  const void* pointer() const { return storage_; }

 private:
  const detail::IntegerSetStorage* storage_ = nullptr;
};

/// Drops dims and symbols that no result uses and merges equal operands; `operands` (dims, then
/// symbols) is rewritten to match. Operand identity is what `same` says.
struct AffineSimplification {
  AffineMap map;
  std::vector<unsigned> keptOperands;  // indices into the operands before, in the new order
};
AffineSimplification dropUnusedOperands(AffineMap map, std::span<const unsigned> operandClass);

}  // namespace airlite

template <> struct std::hash<airlite::AffineMap> {
  size_t operator()(airlite::AffineMap m) const noexcept {
    return std::hash<const void*>()(m.pointer());
  }
};
