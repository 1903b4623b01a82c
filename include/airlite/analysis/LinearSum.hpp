// Index arithmetic as data: constant + sum of coefficient * symbol, and what values a symbol takes.
//
//   analysis::LinearReader reader;
//   const analysis::LinearSum& sum = reader.read(index);  // e.g. 16 * %i + %j + 4
//   if (sum.isConstant()) use(sum.constant);
#pragma once

#include "airlite/ir/Affine.hpp"
#include "airlite/ir/Operation.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace airlite::analysis {

/// constant + sum of coefficient * symbol. A symbol is a loop variable, an id of a hierarchy level,
/// or a value that is not known further; no symbol occurs twice, no coefficient is 0.
struct LinearSum {
  struct Term {
    Value symbol;
    int64_t coefficient = 0;
    bool operator==(const Term&) const = default;
  };
  int64_t constant = 0;
  std::vector<Term> terms;

  bool isConstant() const { return terms.empty(); }
  /// Adds factor * other. False, with `*this` unchanged, when a number leaves the range of offsets
  /// into a memory (2^50).
  [[nodiscard]] bool add(const LinearSum& other, int64_t factor);
  bool operator==(const LinearSum&) const = default;
};

/// The values lower + k * step, 0 <= k < count.
struct SymbolRange {
  int64_t lower = 0;
  int64_t step = 1;
  int64_t count = 0;
};

/// Reads index values as sums: through arith, affine.apply, casts, arguments of hierarchy ops and
/// results of executes. Each value is read once.
///
/// Arithmetic on index is taken not to overflow (a program whose offsets do addresses nothing
/// sensible); on other integers, which may wrap, a sum is followed only where the ranges of its
/// symbols prove that it does not.
class LinearReader {
 public:
  /// How far a sum is followed: through arguments of hierarchy ops, or, for those who write the sum
  /// into the program again, only where all symbols can be used next to the value.
  enum class Reach { Program, Body };
  explicit LinearReader(Reach reach = Reach::Program) : reach_(reach) {}

  /// Always answers: a value that cannot be followed is a symbol itself.
  const LinearSum& read(Value value);
  /// Null when the expression is not linear in its operands.
  std::optional<LinearSum> readExpr(AffineExpr expr, std::span<const Value> dims,
                                    std::span<const Value> symbols, unsigned depth = 0);
  /// Of a loop variable or an id whose bounds are constant; null for other symbols.
  std::optional<SymbolRange> rangeOf(Value symbol);

 private:
  LinearSum follow(Value value, unsigned depth);
  LinearSum readDeep(Value value, unsigned depth);
  std::optional<LinearSum> followOp(Operation& op, Value value, unsigned depth);
  std::optional<LinearSum> followArgument(Value value, unsigned depth);
  bool fits(const LinearSum& sum, Type type);
  std::optional<SymbolRange> findRange(Value symbol);
  std::optional<SymbolRange> rangeBetween(Value lower, Value upper, Value step);

  Reach reach_;
  std::unordered_map<Value, LinearSum> sums_;
  std::unordered_map<Value, std::optional<SymbolRange>> ranges_;
};

}  // namespace airlite::analysis
