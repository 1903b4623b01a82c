// Polynomials over numbers that a program leaves open: how often something is done.
//
// What is not a sum or product (a division, a comparison, a minimum) is an atom of its own, keyed by
// what it is computed from, so that the same computation is the same atom wherever it occurs.
//
//   Atoms atoms;
//   Polynomial twice = atoms.sum(atoms.of(n), atoms.of(n));
//   twice.asConstant();  // none: it depends on n
#pragma once

#include "airlite/ir/Operation.hpp"
#include "airlite/support/FunctionRef.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace airlite::analysis {

using AtomId = uint32_t;

/// coefficient * the product of `atoms`, which are sorted; a power is repeated.
struct Monomial {
  std::vector<AtomId> atoms;
  int64_t coefficient = 0;
  bool operator==(const Monomial&) const = default;
};

/// A sum of monomials, sorted by their atoms, none with coefficient 0: equal polynomials are equal
/// data. One that is not known is too large to be followed, or was computed with such a one.
struct Polynomial {
  std::vector<Monomial> terms;
  bool isKnown = true;

  static Polynomial constant(int64_t number);
  static Polynomial unknown() { return {{}, false}; }
  bool isZero() const { return isKnown && terms.empty(); }
  /// The number that it is; null when it depends on atoms, or is not known.
  std::optional<int64_t> asConstant() const;
  bool operator==(const Polynomial&) const = default;
};

enum class AtomKind : uint8_t {
  Value,     // a value of the program
  Trips,     // (distance, step): how often a loop runs, ceildiv(max(0, distance), step)
  Equal,     // 1 where its operand is 0, else 0
  Negative,  // 1 where its operand is below 0, else 0
  FloorDiv,
  CeilDiv,
  Mod,
  Min,
  Max,
  Pure,  // what an op without effects computes, by the name of the op
};

/// Atoms, and arithmetic on the polynomials over them.
class Atoms {
 public:
  Polynomial of(Value value);
  /// Folds what it can: constants, distances that cannot be negative, exact divisions. `name` is of
  /// an AtomKind::Pure.
  Polynomial make(AtomKind kind, std::vector<Polynomial> operands, std::string name = {});

  Polynomial sum(const Polynomial& a, const Polynomial& b, int64_t factorOfB = 1);
  Polynomial difference(const Polynomial& a, const Polynomial& b) { return sum(a, b, -1); }
  Polynomial product(const Polynomial& a, const Polynomial& b);
  /// 1 - `a`: of a condition.
  Polynomial negated(const Polynomial& a) { return difference(Polynomial::constant(1), a); }

  /// Proven for all numbers that the values may be; false when it is not known.
  bool isNonNegative(const Polynomial& a) const;
  bool isPositive(const Polynomial& a) const;

  /// Values in it, at any depth, each once.
  std::vector<Value> valuesOf(const Polynomial& a) const;
  Polynomial substitute(const Polynomial& a, const std::map<AtomId, Polynomial>& by);
  /// The atom of a value, for `substitute`.
  AtomId atomOf(Value value);

  std::string text(const Polynomial& a, FunctionRef<std::string(Value)> nameOf) const;

 private:
  struct Atom {
    AtomKind kind = AtomKind::Value;
    airlite::Value value;
    std::string name;
    std::vector<Polynomial> operands;
  };

  AtomId intern(Atom atom);
  std::optional<Polynomial> fold(AtomKind kind, std::vector<Polynomial>& operands);
  std::optional<Polynomial> foldTrips(std::vector<Polynomial>& operands);
  std::optional<Polynomial> foldDivision(AtomKind kind, const std::vector<Polynomial>& operands);
  std::optional<Polynomial> foldExtreme(bool isMax, std::vector<Polynomial>& operands);
  bool isNonNegative(AtomId atom) const;
  bool isCondition(AtomId atom) const;
  std::string text(AtomId atom, FunctionRef<std::string(Value)> nameOf) const;
  void addValues(const Polynomial& a, std::vector<Value>& out) const;

  std::vector<Atom> atoms_;
  std::map<std::pair<std::string, std::vector<int64_t>>, AtomId> ids_;
};

}  // namespace airlite::analysis
