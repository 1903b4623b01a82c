// Overlap of strided pieces against brute force, on thousands of small random cases: "no" must
// never be wrong, and how often the answer is exact is measured. AIRLITE_OVERLAP_RUNS=N runs that
// many.
#include "airlite/analysis/Overlap.hpp"

#include "airlite/dialect/Dialects.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/text/Parser.hpp"
#include "support/catch_all.hpp"

#include <cstdlib>
#include <functional>
#include <iostream>
#include <random>
#include <set>

using namespace airlite;
using namespace airlite::analysis;

namespace {

using Random = std::mt19937_64;

unsigned runs() {
  const char* text = std::getenv("AIRLITE_OVERLAP_RUNS");
  return text ? static_cast<unsigned>(std::atoi(text)) : 5000;
}

int64_t between(Random& random, int64_t least, int64_t most) {
  return least + static_cast<int64_t>(random() % static_cast<uint64_t>(most - least + 1));
}

/// All sums that the dimensions reach, one that is unbounded taking `reach` steps both ways.
std::set<int64_t> sums(std::span<const StridedDim> dims, int64_t start, int64_t reach) {
  std::set<int64_t> result{start};
  for (const StridedDim& dim : dims) {
    std::set<int64_t> next;
    bool bounded = dim.count != kUnbounded;
    for (int64_t sum : result)
      for (int64_t x = bounded ? 0 : -reach; x < (bounded ? dim.count : reach + 1); ++x)
        next.insert(sum + x * dim.stride);
    result = std::move(next);
  }
  return result;
}

bool meet(const std::set<int64_t>& a, const std::set<int64_t>& b) {
  for (int64_t element : a)
    if (b.count(element)) return true;
  return false;
}

/// How often the analysis said what is so.
struct Score {
  unsigned total = 0, exact = 0, unsafe = 0, disjoint = 0;

  void add(Answer said, bool overlaps) {
    ++total;
    disjoint += !overlaps;
    exact += said == (overlaps ? Answer::Yes : Answer::No);
    unsafe += said == Answer::No && overlaps;
  }
  double share() const { return total ? double(exact) / total : 0; }
  void print(const char* what) const {
    std::cout << what << ": " << total << " cases, " << disjoint << " disjoint, exact in "
              << 100 * share() << " %, unsafe " << unsafe << "\n";
  }
};

std::vector<StridedDim> randomDims(Random& random, unsigned most, bool unbounded) {
  std::vector<StridedDim> dims(random() % (most + 1));
  for (StridedDim& dim : dims) {
    dim.count = between(random, 1, 5);
    dim.stride = between(random, -13, 13);
    if (unbounded && random() % 6 == 0) dim.count = kUnbounded;
  }
  return dims;
}

}  // namespace

TEST_CASE("equations in bounded integers against brute force", "[overlap]") {
  Random random(1);
  Score score;
  for (unsigned run = 0; run < runs(); ++run) {
    std::vector<StridedDim> dims = randomDims(random, 5, false);
    int64_t target = between(random, -60, 60);
    score.add(hasSolution(dims, target), sums(dims, 0, 0).count(target) != 0);
  }
  score.print("bounded equations");
  CHECK(score.unsafe == 0);
  CHECK(score.exact == score.total);
}

TEST_CASE("equations with unbounded variables against brute force", "[overlap]") {
  Random random(2);
  Score score;
  for (unsigned run = 0; run < runs() / 5; ++run) {
    std::vector<StridedDim> dims = randomDims(random, 4, true);
    int64_t target = between(random, -30, 30);
    score.add(hasSolution(dims, target), sums(dims, 0, 40).count(target) != 0);
  }
  score.print("unbounded equations");
  CHECK(score.unsafe == 0);
  CHECK(score.exact == score.total);
}

TEST_CASE("equations at the limits", "[overlap]") {
  constexpr int64_t kHuge = int64_t{1} << 62;
  CHECK(hasSolution({}, 0) == Answer::Yes);
  CHECK(hasSolution({}, 1) == Answer::No);
  CHECK(hasSolution(std::vector<StridedDim>{{0, 1}}, 0) == Answer::No);
  CHECK(hasSolution(std::vector<StridedDim>{{5, 0}}, 0) == Answer::Yes);
  CHECK(hasSolution(std::vector<StridedDim>{{kHuge, 2}}, 4) == Answer::Unknown);
  CHECK(hasSolution(std::vector<StridedDim>{{4, INT64_MIN}}, 4) == Answer::Unknown);
  CHECK(hasSolution(std::vector<StridedDim>{{1 << 30, 1 << 20}, {1 << 20, 1}}, 1 << 29) ==
        Answer::Yes);
  // Knapsack: given up, never "no".
  std::vector<StridedDim> knapsack;
  for (int64_t i = 0; i < 40; ++i)
    knapsack.push_back({2, 1'000'000'007 + 7919 * i * i});
  CHECK(hasSolution(knapsack, 20'000'000'001) != Answer::Yes);
}

// -- Regions with symbols -------------------------------------------------------------------------

namespace {

/// A nest of loops, the variables of which are the symbols of random regions.
struct Nest {
  Context context;
  OwningOp module;
  scf::ForOp outer, middle, inner;
  Value opaque;
  LinearReader reader;

  Nest() {
    registerAllDialects(context);
    module = parseSource(context, R"(
      func.func @f(%n: index) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c3 = arith.constant 3 : index
        %c4 = arith.constant 4 : index
        %c12 = arith.constant 12 : index
        scf.for %i = %c0 to %c4 step %c1 {
          scf.for %j = %c2 to %c12 step %c3 {
            scf.for %k = %c1 to %c4 step %c2 {
              %s = arith.addi %j, %k : index
            }
          }
        }
        return
      })",
                         "nest");
    REQUIRE(module);
    module->walk([&](Operation& op) {
      scf::ForOp loop = dynCast<scf::ForOp>(&op);
      if (!loop) return;
      (!inner ? inner : !middle ? middle : outer) = loop;
    });
    opaque = module->region().front().front().region().front().argument(0);
  }

  struct Symbol {
    Value value;
    std::vector<int64_t> values;
  };
  std::vector<Symbol> symbols() {
    return {{outer.inductionVar(), {0, 1, 2, 3}},
            {middle.inductionVar(), {2, 5, 8, 11}},
            {inner.inductionVar(), {1, 3}},
            {opaque, {-2, -1, 0, 1, 2, 3}}};
  }

  /// Brute force tries some values of the opaque symbol only: what it finds disjoint may overlap.
  StridedRegion randomRegion(Random& random, bool withOpaque) {
    StridedRegion region;
    region.start.constant = between(random, -20, 20);
    for (const Symbol& symbol : symbols())
      if (random() % 2 && (withOpaque || symbol.value != opaque))
        REQUIRE(region.start.add(LinearSum{0, {{symbol.value, 1}}}, between(random, -9, 9)));
    region.dims = randomDims(random, 2, false);
    return region;
  }
};

using Values = std::unordered_map<Value, int64_t>;

int64_t evaluate(const LinearSum& sum, const Values& values) {
  int64_t result = sum.constant;
  for (const LinearSum::Term& term : sum.terms)
    result += term.coefficient * values.at(term.symbol);
  return result;
}

void forEachValues(const std::vector<Nest::Symbol>& symbols, size_t at, Values& values,
                   const std::function<void()>& body) {
  if (at == symbols.size()) return body();
  for (int64_t value : symbols[at].values) {
    values[symbols[at].value] = value;
    forEachValues(symbols, at + 1, values, body);
  }
}

}  // namespace

namespace {

void compareSameRun(bool withOpaque, uint64_t seed, double floor) {
  Nest nest;
  Random random(seed);
  Score score;
  for (unsigned run = 0; run < runs() / 2; ++run) {
    StridedRegion a = nest.randomRegion(random, withOpaque),
                  b = nest.randomRegion(random, withOpaque);
    bool overlaps = false;
    Values values;
    forEachValues(nest.symbols(), 0, values, [&] {
      overlaps = overlaps || meet(sums(a.dims, evaluate(a.start, values), 0),
                                  sums(b.dims, evaluate(b.start, values), 0));
    });
    score.add(overlap(a, b, nest.reader), overlaps);
  }
  score.print(withOpaque ? "same run, with an opaque symbol" : "same run");
  CHECK(score.unsafe == 0);
  CHECK(score.share() >= floor);
}

void compareAcrossRuns(bool withOpaque, uint64_t seed, double floor) {
  Nest nest;
  Random random(seed);
  Score score;
  std::vector<Nest::Symbol> symbols = nest.symbols();
  std::vector<Nest::Symbol> around{symbols[0], symbols[3]}, inside{symbols[2]};
  const Nest::Symbol& variable = symbols[1];
  for (unsigned run = 0; run < runs() / 5; ++run) {
    StridedRegion later = nest.randomRegion(random, withOpaque),
                  earlier = nest.randomRegion(random, withOpaque);
    bool overlaps = false;
    Values values;
    auto elements = [&](const StridedRegion& region, int64_t value) {
      std::set<int64_t> result;
      values[variable.value] = value;
      forEachValues(inside, 0, values,
                    [&] { result.merge(sums(region.dims, evaluate(region.start, values), 0)); });
      return result;
    };
    forEachValues(around, 0, values, [&] {
      for (size_t i = 0; i < variable.values.size() && !overlaps; ++i)
        for (size_t j = i + 1; j < variable.values.size() && !overlaps; ++j)
          overlaps =
              meet(elements(earlier, variable.values[i]), elements(later, variable.values[j]));
    });
    score.add(overlapAcross(later, earlier, *nest.middle, nest.reader), overlaps);
  }
  score.print(withOpaque ? "across runs, with an opaque symbol" : "across runs");
  CHECK(score.unsafe == 0);
  CHECK(score.share() >= floor);
}

}  // namespace

TEST_CASE("overlap in one run of the loops against brute force", "[overlap]") {
  compareSameRun(false, 3, 1.0);
  compareSameRun(true, 4, 0.7);
}

TEST_CASE("overlap across runs of a loop against brute force", "[overlap]") {
  compareAcrossRuns(false, 5, 1.0);
  compareAcrossRuns(true, 6, 0.65);
}

TEST_CASE("widening covers every run", "[overlap]") {
  Nest nest;
  Random random(7);
  for (unsigned run = 0; run < runs() / 10; ++run) {
    StridedRegion region = nest.randomRegion(random, true), wide = region;
    REQUIRE(widen(wide, *nest.middle, nest.reader));
    Values values{{nest.outer.inductionVar(), 2}, {nest.opaque, 1}};
    std::set<int64_t> covered = sums(wide.dims, evaluate(wide.start, values), 0), all;
    std::vector<Nest::Symbol> symbols = nest.symbols();
    forEachValues({symbols[1], symbols[2]}, 0, values,
                  [&] { all.merge(sums(region.dims, evaluate(region.start, values), 0)); });
    CHECK(covered == all);
  }
}
