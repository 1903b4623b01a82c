// Affine expressions, maps and sets: what building simplifies, what text says, and that no
// simplification changes a value.
#include "airlite/ir/Affine.hpp"

#include "airlite/ir/Context.hpp"
#include "support/catch_all.hpp"

#include <functional>
#include <limits>
#include <random>

using namespace airlite;

namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

struct Fixture {
  Context context;
  AffineExpr d0 = AffineExpr::dim(context, 0), d1 = AffineExpr::dim(context, 1);
  AffineExpr s0 = AffineExpr::symbol(context, 0), s1 = AffineExpr::symbol(context, 1);
  AffineExpr c(int64_t value) { return AffineExpr::constant(context, value); }
  AffineMap map(unsigned dims, unsigned symbols, std::vector<AffineExpr> results) {
    return AffineMap::get(context, dims, symbols, results);
  }
};

using Values = std::vector<int64_t>;

}  // namespace

TEST_CASE_METHOD(Fixture, "constants fold and move right") {
  CHECK(c(2) + c(3) == c(5));
  CHECK(c(4) + d0 == d0 + 4);
  CHECK(c(4) * d0 == d0 * 4);
  CHECK(s0 + d0 == d0 + s0);
  CHECK(s0 * d0 == d0 * s0);
  CHECK(d0 + 0 == d0);
  CHECK(d0 * 1 == d0);
  CHECK(d0 * 0 == c(0));
  CHECK((d0 + 2) + 3 == d0 + 5);
  CHECK((d0 + 2) + d1 == (d0 + d1) + 2);
  CHECK((d0 * 2) * 3 == d0 * 6);
  CHECK((d0 * 2) * s0 == (d0 * s0) * 2);
  CHECK(c(-7).mod(c(3)) == c(2));
  CHECK(c(-7).floorDiv(c(2)) == c(-4));
  CHECK(c(-7).ceilDiv(c(2)) == c(-3));
  CHECK(c(7).ceilDiv(c(2)) == c(4));
}

TEST_CASE_METHOD(Fixture, "like terms come together") {
  CHECK(d0 + d0 == d0 * 2);
  CHECK(d0 * 3 + d0 * -1 == d0 * 2);
  CHECK(d0 - d0 == c(0));
  CHECK(d0 * 3 - d0 * 3 == c(0));
  CHECK(-(-d0) == d0);
}

TEST_CASE_METHOD(Fixture, "quotients and remainders by constants") {
  CHECK(d0.mod(c(1)) == c(0));
  CHECK(d0.floorDiv(c(1)) == d0);
  CHECK(d0.ceilDiv(c(1)) == d0);
  CHECK((d0 * 8).mod(c(4)) == c(0));
  CHECK((d0 * 8).floorDiv(c(4)) == d0 * 2);
  CHECK((d0 * 8).ceilDiv(c(4)) == d0 * 2);
  CHECK((d0 * 8 + d1).mod(c(4)) == d1.mod(c(4)));
  CHECK((d0 * 8 + d1).floorDiv(c(4)) == d0 * 2 + d1.floorDiv(c(4)));
  CHECK(d0.mod(c(8)).mod(c(4)) == d0.mod(c(4)));
  CHECK_FALSE(d0.mod(c(6)).mod(c(4)) == d0.mod(c(4)));
  CHECK(d0 - d0.floorDiv(c(4)) * 4 == d0.mod(c(4)));
  CHECK(d0 - (d0.floorDiv(s0) * s0) == d0.mod(s0));
  CHECK_FALSE(d0 - d1.floorDiv(c(4)) * 4 == d0.mod(c(4)));
  CHECK(d0.mod(c(0)).kind() == AffineKind::Mod);
  CHECK(d0.floorDiv(c(-2)).kind() == AffineKind::FloorDiv);
}

TEST_CASE_METHOD(Fixture, "nothing folds when it would overflow") {
  CHECK((c(kMax) + c(1)).isBinary());
  CHECK((c(kMax) * c(2)).isBinary());
  CHECK(((d0 + kMax) + 1).isBinary());
  CHECK(((d0 + kMax) + 1).evaluate(Values{-5}, {}) == std::optional(kMax - 4));
  CHECK(((d0 * kMax) * 2).evaluate(Values{0}, {}) == 0);
  CHECK((d0 * kMax + d0 * kMax).isBinary());
  CHECK_FALSE((d0 + 1).evaluate(Values{kMax}, {}));
  CHECK(c(kDynamic).largestKnownDivisor() == int64_t{1} << 62);
  CHECK((-c(kDynamic)).isBinary());
}

TEST_CASE_METHOD(Fixture, "largest known divisor") {
  CHECK(d0.largestKnownDivisor() == 1);
  CHECK(c(0).largestKnownDivisor() == 0);
  CHECK(c(-6).largestKnownDivisor() == 6);
  CHECK((d0 * 12 + d1 * 8).largestKnownDivisor() == 4);
  CHECK((d0 * 12).mod(c(8)).largestKnownDivisor() == 4);
  CHECK((d0 * s0 * 6).largestKnownDivisor() == 6);
  CHECK((d0 * 6 + 3).floorDiv(s0).largestKnownDivisor() == 1);
}

TEST_CASE_METHOD(Fixture, "questions about expressions") {
  CHECK((s0 + 3).isSymbolicOrConstant());
  CHECK_FALSE((s0 + d0).isSymbolicOrConstant());
  CHECK((d0 * s0).isPureAffine());
  CHECK_FALSE((d0 * d1).isPureAffine());
  CHECK_FALSE((d0.mod(d1) + 1).isPureAffine());
  CHECK((d0 + s1).usesSymbol(1));
  CHECK_FALSE((d0 + s1).usesSymbol(0));
  CHECK((d0.mod(d1) + 1).usesDim(1));
  CHECK_FALSE(d0.evaluate({}, {}));
  CHECK_FALSE(d0.mod(s0).evaluate(Values{3}, Values{0}));
}

TEST_CASE_METHOD(Fixture, "replacing simplifies again") {
  AffineExpr expr = d0 * 4 + d1 + s0;
  CHECK(expr.replace(std::vector{c(2), c(3)}, std::vector{c(1)}) == c(12));
  CHECK(expr.replace(std::vector{d1, d0}, {}) == d1 * 4 + d0 + s0);
  CHECK(expr.replace(std::vector{AffineExpr(), c(0)}, {}) == d0 * 4 + s0);
  CHECK(expr.shiftDims(2, 3).str() == "d3 * 4 + d4 + s0");
  CHECK(expr.shiftSymbols(1, 2).str() == "d0 * 4 + d1 + s2");
}

TEST_CASE_METHOD(Fixture, "text is what MLIR prints") {
  CHECK((d0 - 1).str() == "d0 - 1");
  CHECK((-d0).str() == "-d0");
  CHECK((d0 * -2).str() == "d0 * -2");
  CHECK((d0 + 5).mod(c(3)).str() == "(d0 + 5) mod 3");
  CHECK((d0 - d1).str() == "d0 - d1");
  CHECK((d0 - d1 * 2).str() == "d0 - d1 * 2");
  CHECK((d0 - (d1 + s0)).str() == "d0 - (d1 + s0)");
  CHECK((-(d0 + 1)).str() == "-(d0 + 1)");
  CHECK(((-d0).mod(c(4))).str() == "(-d0) mod 4");
  CHECK((d0.floorDiv(c(2)).mod(c(3)) * 5).str() == "((d0 floordiv 2) mod 3) * 5");
  CHECK((d0.ceilDiv(s0) + d1.mod(c(2))).str() == "d0 ceildiv s0 + d1 mod 2");
  CHECK((d0 - d1.mod(c(2))).str() == "d0 - d1 mod 2");
  CHECK(c(-3).str() == "-3");
  CHECK((d0 + c(kDynamic)).str() == "d0 + -9223372036854775808");
}

TEST_CASE_METHOD(Fixture, "maps") {
  AffineMap identity = AffineMap::identity(context, 2);
  CHECK(identity.str() == "(d0, d1) -> (d0, d1)");
  CHECK(identity.isIdentity());
  CHECK(map(2, 1, {d0 + s0}).str() == "(d0, d1)[s0] -> (d0 + s0)");
  CHECK(AffineMap::constant(context, 7).str() == "() -> (7)");
  CHECK(AffineMap::constant(context, 7).constantResult() == 7);
  CHECK(map(0, 0, {}).str() == "() -> ()");
  std::vector<unsigned> positions = {1, 0};
  AffineMap swap = AffineMap::permutation(context, 2, positions);
  CHECK(swap.isPermutation());
  CHECK_FALSE(swap.isIdentity());
  CHECK(swap.compose(swap) == identity);
  CHECK(swap.inversePermutation() == swap);
  CHECK(map(3, 0, {d1}).isProjectedPermutation());
  CHECK_FALSE(map(3, 0, {d1}).isPermutation());
  CHECK_FALSE(map(2, 0, {d0, d0}).isProjectedPermutation());
  CHECK_FALSE(map(3, 0, {d1}).inversePermutation());
  CHECK(map(2, 1, {d0 * 2 + s0}).evaluate(Values{3, 0}, Values{1}) == Values{7});
  CHECK_FALSE(map(1, 1, {d0.mod(s0)}).evaluate(Values{3}, Values{0}));
}

TEST_CASE_METHOD(Fixture, "composition keeps the symbols of both, the outer ones first") {
  AffineMap outer = map(1, 1, {d0 * 2 + s0});
  AffineMap inner = map(2, 1, {d0 + d1 + s0});
  AffineMap composed = outer.compose(inner);
  CHECK(composed.numDims() == 2);
  CHECK(composed.numSymbols() == 2);
  CHECK(composed.evaluate(Values{1, 2}, Values{100, 10}) == Values{126});
}

TEST_CASE_METHOD(Fixture, "integer sets") {
  std::vector<AffineExpr> constraints = {d0 - 1, d1 - s0};
  IntegerSet set = IntegerSet::get(context, 2, 1, constraints, {false, true});
  CHECK(set.str() == "(d0, d1)[s0] : (d0 - 1 >= 0, d1 - s0 == 0)");
  CHECK(set.contains(Values{1, 4}, Values{4}) == true);
  CHECK(set.contains(Values{0, 4}, Values{4}) == false);
  CHECK(set.contains(Values{1, 5}, Values{4}) == false);
  CHECK_FALSE(set.contains(Values{1}, {}).has_value());
  CHECK(set == IntegerSet::get(context, 2, 1, constraints, {false, true}));
  CHECK_FALSE(set == IntegerSet::get(context, 2, 1, constraints, {true, true}));
}

TEST_CASE_METHOD(Fixture, "unused operands go, equal operands merge") {
  AffineExpr d2 = AffineExpr::dim(context, 2);
  AffineMap before = map(3, 2, {d0 + d2, s1});
  std::vector<unsigned> different = {0, 1, 2, 3, 4};
  auto dropped = dropUnusedOperands(before, different);
  CHECK(dropped.map.str() == "(d0, d1)[s0] -> (d0 + d1, s0)");
  CHECK(dropped.keptOperands == std::vector<unsigned>{0, 2, 4});
  std::vector<unsigned> equal = {5, 1, 5, 3, 5};
  auto merged = dropUnusedOperands(before, equal);
  CHECK(merged.map.str() == "(d0)[s0] -> (d0 * 2, s0)");
  CHECK(merged.keptOperands == std::vector<unsigned>{0, 4});
}

TEST_CASE_METHOD(Fixture, "very long sums are handled without recursion") {
  constexpr unsigned kTerms = 200000;
  AffineExpr sum = c(0);
  for (unsigned i = 0; i < kTerms; ++i)
    sum = sum + AffineExpr::dim(context, i) * 4;
  Values dims(kTerms, 1);
  CHECK(sum.evaluate(dims, {}) == 4 * int64_t{kTerms});
  CHECK(sum.floorDiv(c(2)).evaluate(dims, {}) == 2 * int64_t{kTerms});
  CHECK((sum + 1).mod(c(4)) == c(1));
  CHECK(sum.isPureAffine());
  CHECK(sum.usesDim(kTerms - 1));
  CHECK(sum.str().starts_with("d0 * 4 + d1 * 4 + "));
  CHECK(sum.shiftDims(kTerms, 1).usesDim(kTerms));
}

// ---------------------------------------------------------------------------------------------
// Random expressions: built once as a plain tree and once through airlite
// ---------------------------------------------------------------------------------------------

namespace {

struct Tree {
  AffineExpr expr;
  std::function<std::optional<int64_t>(const Values&, const Values&)> value;
};

int64_t floorOf(int64_t a, int64_t b) { return (a - (((a % b) + b) % b)) / b; }

std::optional<int64_t> plain(AffineKind kind, int64_t a, int64_t b) {
  if (kind == AffineKind::Add) return a + b;
  if (kind == AffineKind::Mul) return a * b;
  if (b <= 0) return std::nullopt;
  if (kind == AffineKind::Mod) return a - floorOf(a, b) * b;
  return kind == AffineKind::FloorDiv ? floorOf(a, b) : -floorOf(-a, b);
}

class Generator {
 public:
  Generator(Context& context, unsigned seed) : context_(context), random_(seed) {}

  Tree make(int depth) {
    if (depth == 0 || pick(5) == 0) return leaf();
    auto kind = static_cast<AffineKind>(pick(5));
    Tree lhs = make(depth - 1);
    // Reusing the left side is what like terms and `x - x floordiv c * c` need.
    Tree rhs = pick(4) == 0 ? lhs : pick(2) ? constant() : make(depth - 1);
    return combine(kind, lhs, rhs);
  }
  Tree modPattern(int depth) {
    Tree x = make(depth), c = constant();
    Tree product = combine(AffineKind::Mul, combine(AffineKind::FloorDiv, x, c), c);
    return combine(AffineKind::Add, x, combine(AffineKind::Mul, product, fixed(-1)));
  }
  int64_t value() { return static_cast<int64_t>(pick(21)) - 10; }

 private:
  unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }
  Tree constant() { return fixed(pick(3) == 0 ? value() : static_cast<int64_t>(1 + pick(8))); }
  Tree fixed(int64_t v) {
    return {AffineExpr::constant(context_, v), [v](auto&, auto&) { return std::optional(v); }};
  }
  Tree leaf() {
    unsigned position = pick(2);
    switch (pick(3)) {
      case 0: return constant();
      case 1:
        return {AffineExpr::dim(context_, position),
                [position](auto& dims, auto&) { return std::optional(dims[position]); }};
      default:
        return {AffineExpr::symbol(context_, position),
                [position](auto&, auto& symbols) { return std::optional(symbols[position]); }};
    }
  }
  static Tree combine(AffineKind kind, Tree lhs, Tree rhs) {
    AffineExpr expr = AffineExpr::binary(kind, lhs.expr, rhs.expr);
    return {expr, [=](auto& dims, auto& symbols) -> std::optional<int64_t> {
              auto a = lhs.value(dims, symbols), b = rhs.value(dims, symbols);
              return a && b ? plain(kind, *a, *b) : std::nullopt;
            }};
  }

  Context& context_;
  std::mt19937 random_;
};

}  // namespace

TEST_CASE_METHOD(Fixture, "simplification never changes a value") {
  Generator generator(context, 42);
  unsigned compared = 0;
  for (int i = 0; i < 20000; ++i) {
    Tree tree = i % 4 == 0 ? generator.modPattern(2) : generator.make(4);
    for (int sample = 0; sample < 8; ++sample) {
      Values dims = {generator.value(), generator.value()};
      Values symbols = {generator.value(), generator.value()};
      auto expected = tree.value(dims, symbols);
      if (!expected) continue;
      auto found = tree.expr.evaluate(dims, symbols);
      ++compared;
      if (found == expected) continue;
      FAIL(tree.expr.str() << " is " << found.value_or(-9999) << ", expected " << *expected);
    }
  }
  CHECK(compared > 50000);
}

TEST_CASE_METHOD(Fixture, "the largest known divisor divides, rebuilding keeps values") {
  Generator generator(context, 43);
  for (int i = 0; i < 5000; ++i) {
    AffineExpr expr = generator.make(4).expr;
    Values dims = {generator.value(), generator.value()};
    Values symbols = {generator.value(), generator.value()};
    auto value = expr.evaluate(dims, symbols);
    int64_t divisor = expr.largestKnownDivisor();
    if (value) CHECK((divisor == 0 ? *value == 0 : *value % divisor == 0));
    auto again = expr.replace({}, {}).evaluate(dims, symbols);
    if (value && again) CHECK(*again == *value);
  }
}
