// Polynomials over open numbers: one normal form, folding, signs; and what balance is proven of.
#include "airlite/analysis/Polynomial.hpp"

#include "airlite/analysis/SymbolicBalance.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/text/Parser.hpp"
#include "support/catch_all.hpp"

#include <random>

using namespace airlite;
using namespace airlite::analysis;

namespace {

/// A function with four open numbers.
struct Numbers {
  Context context;
  OwningOp module;
  Atoms atoms;
  std::vector<Value> values;
  std::vector<Polynomial> open;

  Numbers() {
    registerAllDialects(context);
    module = parseSource(context,
                         "func.func private @f(%a: index, %b: index, %c: index, %d: index) "
                         "{ return }",
                         "numbers");
    REQUIRE(module);
    module->walk([&](Operation& op) {
      if (func::FuncOp function = dynCast<func::FuncOp>(&op))
        for (unsigned i = 0; i < 4; ++i)
          values.push_back(function.argument(i));
    });
    for (Value value : values)
      open.push_back(atoms.of(value));
  }

  std::string show(const Polynomial& a) {
    return atoms.text(a, [&](Value value) { return std::string(1, "abcd"[value.index()]); });
  }
  Polynomial number(int64_t n) { return Polynomial::constant(n); }
};

}  // namespace

TEST_CASE("polynomial: sums and products have one form", "[polynomial]") {
  Numbers n;
  Polynomial a = n.open[0], b = n.open[1];
  Polynomial square = n.atoms.product(n.atoms.sum(a, b), n.atoms.sum(b, a));
  Polynomial terms = n.atoms.sum(n.atoms.product(a, a), n.atoms.product(b, b));
  terms = n.atoms.sum(terms, n.atoms.product(b, a), 2);
  CHECK(square == terms);
  CHECK(n.atoms.difference(square, terms).isZero());
  CHECK(n.show(n.atoms.sum(n.atoms.product(a, b), n.number(3), -1)) == "a * b - 3");
  CHECK(n.show({}) == "0");
  CHECK(n.number(7).asConstant() == 7);
  CHECK_FALSE(a.asConstant());
}

TEST_CASE("polynomial: what is too large is not known, and stays so", "[polynomial]") {
  Numbers n;
  Polynomial power = n.open[0];
  for (int i = 0; i < 4; ++i)
    power = n.atoms.product(power, power);
  CHECK_FALSE(power.isKnown);
  CHECK_FALSE(n.atoms.sum(power, n.number(1)).isKnown);
  CHECK_FALSE(n.atoms.difference(power, power).isZero());
  CHECK_FALSE(Polynomial::constant(INT64_MAX).isKnown);
}

TEST_CASE("polynomial: trips, comparisons, divisions fold", "[polynomial]") {
  Numbers n;
  Polynomial a = n.open[0], four = n.number(4);
  auto make = [&](AtomKind kind, Polynomial x, Polynomial y) {
    return n.atoms.make(kind, {std::move(x), std::move(y)});
  };
  CHECK(make(AtomKind::Trips, n.number(9), four).asConstant() == 3);
  CHECK(make(AtomKind::Trips, n.number(-9), four).asConstant() == 0);
  CHECK_FALSE(make(AtomKind::Trips, a, n.number(0)).isKnown);
  Polynomial trips = make(AtomKind::Trips, a, n.number(1));
  CHECK(n.show(trips) == "max(0, a)");
  CHECK(make(AtomKind::Trips, n.atoms.product(a, four), four) == trips);
  CHECK(make(AtomKind::Trips, trips, n.number(1)) == trips);  // not negative
  CHECK(n.show(make(AtomKind::Trips, a, four)) == "ceildiv(max(0, a), 4)");
  CHECK(make(AtomKind::FloorDiv, n.number(-5), four).asConstant() == -2);
  CHECK(make(AtomKind::CeilDiv, n.number(-5), four).asConstant() == -1);
  CHECK(make(AtomKind::Mod, n.number(-5), four).asConstant() == 3);
  CHECK(make(AtomKind::FloorDiv, n.atoms.product(a, four), four) == a);
  CHECK(make(AtomKind::Mod, n.atoms.product(a, four), four).isZero());
  CHECK(make(AtomKind::Max, n.number(2), four).asConstant() == 4);
  CHECK(make(AtomKind::Min, a, n.open[1]) == make(AtomKind::Min, n.open[1], a));
  Polynomial equal = n.atoms.make(AtomKind::Equal, {n.atoms.difference(a, four)});
  CHECK(equal == n.atoms.make(AtomKind::Equal, {n.atoms.difference(four, a)}));
  CHECK(n.atoms.product(equal, equal) == equal);
}

TEST_CASE("polynomial: signs are proven or not known", "[polynomial]") {
  Numbers n;
  Polynomial trips = n.atoms.make(AtomKind::Trips, {n.open[0], n.number(2)});
  CHECK(n.atoms.isNonNegative(trips));
  CHECK_FALSE(n.atoms.isPositive(trips));
  CHECK(n.atoms.isPositive(n.atoms.sum(trips, n.number(1))));
  CHECK_FALSE(n.atoms.isNonNegative(n.open[0]));
  CHECK_FALSE(n.atoms.isNonNegative(n.atoms.difference(trips, n.number(1))));
  CHECK_FALSE(n.atoms.isPositive({}));
}

TEST_CASE("polynomial: random expressions are what they compute", "[polynomial]") {
  std::mt19937_64 random(7);
  for (int run = 0; run < 300; ++run) {
    Numbers n;
    std::vector<int64_t> number;
    for (int i = 0; i < 4; ++i)
      number.push_back(static_cast<int64_t>(random() % 13) - 6);
    std::vector<std::pair<Polynomial, int64_t>> made;
    for (size_t i = 0; i < 4; ++i)
      made.emplace_back(n.open[i], number[i]);
    made.emplace_back(n.number(2), 2);
    for (int step = 0; step < 12; ++step) {
      auto [a, x] = made[random() % made.size()];
      auto [b, y] = made[random() % made.size()];
      int64_t divisor = static_cast<int64_t>(1 + random() % 4), up = x + (x > 0 ? divisor - 1 : 0);
      Polynomial by = n.number(divisor);
      int64_t down = x / divisor - (x % divisor < 0);
      if (std::abs(x) > 1000 || std::abs(y) > 1000) continue;
      switch (random() % 8) {
        case 0: made.emplace_back(n.atoms.sum(a, b, 3), x + 3 * y); break;
        case 1: made.emplace_back(n.atoms.product(a, b), x * y); break;
        case 2:
          made.emplace_back(n.atoms.make(AtomKind::Trips, {a, by}), x > 0 ? up / divisor : 0);
          break;
        case 3: made.emplace_back(n.atoms.make(AtomKind::FloorDiv, {a, by}), down); break;
        case 4: made.emplace_back(n.atoms.make(AtomKind::Mod, {a, by}), x - divisor * down); break;
        case 5: made.emplace_back(n.atoms.make(AtomKind::Max, {a, b}), std::max(x, y)); break;
        case 6:
          made.emplace_back(n.atoms.make(AtomKind::Negative, {n.atoms.difference(a, b)}), x < y);
          break;
        default:
          made.emplace_back(n.atoms.make(AtomKind::Equal, {n.atoms.difference(a, b)}), x == y);
      }
    }
    std::map<AtomId, Polynomial> numbers;
    for (size_t i = 0; i < 4; ++i)
      numbers[n.atoms.atomOf(n.values[i])] = n.number(number[i]);
    for (const auto& [polynomial, value] : made) {
      if (!polynomial.isKnown) continue;
      INFO(n.show(polynomial));
      Polynomial result = n.atoms.substitute(polynomial, numbers);
      if (result.isKnown) CHECK(result.asConstant() == value);
      if (n.atoms.isNonNegative(polynomial)) CHECK(value >= 0);
      if (n.atoms.isPositive(polynomial)) CHECK(value > 0);
      for (const auto& [other, otherValue] : made)
        if (n.atoms.difference(polynomial, other).isZero()) CHECK(value == otherValue);
    }
  }
}

TEST_CASE("balance for all numbers: what is said of each channel", "[polynomial]") {
  Context context;
  registerAllDialects(context);
  OwningOp module = parseSource(context, R"(
    air.channel @same []
    air.channel @other []
    air.channel @constant []
    air.channel @never [2]
    func.func @f(%m: memref<8xi32>, %n: index, %k: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %n step %c1 {
        air.channel.put @same[] (%m[] [] []) : (memref<8xi32>)
        air.channel.put @other[] (%m[] [] []) : (memref<8xi32>)
        air.channel.put @never[%c1] (%m[] [] []) : (memref<8xi32>)
        air.channel.put @never[%c1] (%m[] [] []) : (memref<8xi32>)
      }
      air.channel.put @constant[] (%m[] [] []) : (memref<8xi32>)
      air.channel.get @never[%c1] (%m[] [] []) : (memref<8xi32>)
      scf.for %i = %c0 to %n step %c1 {
        air.channel.get @same[] (%m[] [] []) : (memref<8xi32>)
        air.channel.get @never[%c1] (%m[] [] []) : (memref<8xi32>)
        air.channel.get @never[%c1] (%m[] [] []) : (memref<8xi32>)
      }
      scf.for %i = %c0 to %k step %c1 {
        air.channel.get @other[] (%m[] [] []) : (memref<8xi32>)
      }
      return
    })",
                                "balance");
  REQUIRE(module);
  BalanceProver prover(*module);
  std::string said;
  module->walk([&](Operation& op) {
    if (!isa<func::FuncOp>(&op)) return;
    for (ProvenBalance& proven : prover.prove(op).open)
      said += std::string(proven.channel.symbol()) + ": " + proven.puts + " | " + proven.gets +
              (proven.answer == ProvenBalance::Answer::Balanced ? " yes; " : " no; ");
  });
  CHECK(said == "never: 2 * max(0, %arg1) | 2 * max(0, %arg1) + 1 no; "
                "same: max(0, %arg1) | max(0, %arg1) yes; ");
}
