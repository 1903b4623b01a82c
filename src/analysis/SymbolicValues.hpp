// Index arithmetic and conditions of a program as polynomials.
#pragma once

#include "airlite/analysis/LinearSum.hpp"
#include "airlite/analysis/Polynomial.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"

#include <unordered_map>

namespace airlite::analysis {

/// A value is read once; what is computed without effects from the same things is the same. As
/// LinearReader, it takes arithmetic on index not to overflow.
class SymbolicValues {
 public:
  explicit SymbolicValues(Atoms& atoms) : atoms_(atoms) {}

  /// Of any type: what is not a number, or cannot be followed, is an atom. i1 is 0 or 1.
  Polynomial read(Value value) { return read(value, 0); }
  Polynomial read(const air::IndexEntry& entry) {
    return entry.value ? read(entry.value) : Polynomial::constant(entry.constant);
  }
  Polynomial trips(Value lower, Value upper, Value step);
  Polynomial trips(affine::ForOp loop);
  /// 1 where `set` contains its operands.
  Polynomial contains(affine::IfOp branch);
  /// 1 where `value` is `number`.
  Polynomial isEqual(Value value, int64_t number);

 private:
  Polynomial read(Value value, unsigned depth);
  Polynomial readSymbol(Value value, unsigned depth);
  std::optional<Polynomial> readOp(Operation& op, unsigned depth);
  std::optional<Polynomial> readIndexOp(Operation& op, unsigned depth);
  std::optional<Polynomial> readLogic(Operation& op, unsigned depth);
  std::optional<Polynomial> readReceived(Operation& load, unsigned depth);
  std::optional<Polynomial> readPure(Operation& op, unsigned depth);
  Polynomial readCompare(Operation& op, unsigned depth);
  Polynomial readExpr(AffineExpr expr, std::span<const Value> dims, std::span<const Value> symbols,
                      unsigned depth);
  /// The largest (smallest) result of a map.
  Polynomial readExtreme(const affine::Application& application, bool isMax, unsigned depth);

  Atoms& atoms_;
  LinearReader linear_;
  std::unordered_map<Value, Polynomial> known_;
  std::unordered_map<Value, unsigned> heights_;  // of what readPure has read
};

}  // namespace airlite::analysis
