// Access lists against brute force: no rewrite may change the elements of a transfer or their order.
// AIRLITE_LIST_RUNS=N runs that many random lists.
#include "airlite/analysis/AccessList.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/text/Parser.hpp"
#include "support/catch_all.hpp"

#include <cstdlib>
#include <random>

using namespace airlite;
using namespace airlite::analysis;

namespace {

using Random = std::mt19937_64;
using Elements = std::vector<int64_t>;

unsigned runs() {
  const char* text = std::getenv("AIRLITE_LIST_RUNS");
  return text ? static_cast<unsigned>(std::atoi(text)) : 5000;
}

int64_t between(Random& random, int64_t least, int64_t most) {
  return least + static_cast<int64_t>(random() % static_cast<uint64_t>(most - least + 1));
}

/// Three values to stand in offsets, and memrefs.
struct Program {
  Context context;
  OwningOp module;
  std::vector<Value> symbols, memrefs;

  Program() {
    registerAllDialects(context);
    module = parseSource(context, R"(
      func.func @f(%a: index, %b: index, %c: index, %m: memref<4x6xf32>, %n: memref<f32>,
                   %o: memref<4x6xf32, strided<[8, 1]>>, %p: memref<?x6xf32>, %q: memref<*xf32>) {
        return
      })",
                         "test");
    REQUIRE(module);
    Block& body = module->region().front().front().region().front();
    for (unsigned i = 0; i < body.numArguments(); ++i)
      (i < 3 ? symbols : memrefs).push_back(body.argument(i));
  }
};

int64_t valueOf(const LinearSum& sum, const std::vector<Value>& symbols,
                const std::vector<int64_t>& values) {
  int64_t result = sum.constant;
  for (const LinearSum::Term& term : sum.terms)
    for (size_t i = 0; i < symbols.size(); ++i)
      if (symbols[i] == term.symbol) result += term.coefficient * values[i];
  return result;
}

/// What the list stands for, by its definition.
Elements elementsOf(const AccessList& list, const std::vector<Value>& symbols,
                    const std::vector<int64_t>& values) {
  int64_t start = 0;
  for (const ListDim& dim : list.dims)
    start += valueOf(dim.offset, symbols, values) * dim.stride;
  Elements elements{start};
  for (const ListDim& dim : list.dims) {
    Elements next;
    for (int64_t element : elements)
      for (int64_t i = 0; i < dim.size; ++i)
        next.push_back(element + i * dim.stride);
    elements = std::move(next);
  }
  return elements;
}

ListDim randomDim(Random& random, const Program& program) {
  constexpr int64_t kStrides[] = {0, 1, 1, 2, 3, 4, 6, 8, 12, 24};
  ListDim dim{{}, between(random, 1, 4), kStrides[random() % std::size(kStrides)]};
  if (random() % 2) dim.offset.constant = between(random, 0, 5);
  for (Value symbol : program.symbols)
    if (random() % 4 == 0) REQUIRE(dim.offset.add({0, {{symbol, 1}}}, between(random, -2, 3)));
  return dim;
}

AccessList randomList(Random& random, const Program& program) {
  AccessList list;
  int64_t rank = between(random, 1, 5);
  for (int64_t i = 0; i < rank; ++i)
    list.dims.push_back(randomDim(random, program));
  // Neighbours that are one run are rare otherwise.
  for (size_t i = list.dims.size(); i-- > 1;)
    if (random() % 2) list.dims[i - 1].stride = list.dims[i].size * list.dims[i].stride;
  return list;
}

std::vector<int64_t> randomValues(Random& random) {
  return {between(random, 0, 9), between(random, 0, 9), between(random, 0, 9)};
}

bool isCanonical(const AccessList& list) {
  for (size_t i = 1; i < list.dims.size(); ++i)
    if (list.dims[i - 1].stride == list.dims[i].size * list.dims[i].stride) return false;
  return true;
}

}  // namespace

TEST_CASE("canonical lists have the same elements in the same order", "[list]") {
  Program program;
  Random random(1);
  unsigned shorter = 0;
  for (unsigned run = 0; run < runs(); ++run) {
    AccessList list = randomList(random, program), before = list;
    std::vector<int64_t> values = randomValues(random);
    std::optional<int64_t> largest;
    if (random() % 3 == 0) largest = between(random, 2, 6);
    canonicalize(list, largest);
    REQUIRE(elementsOf(list, program.symbols, values) ==
            elementsOf(before, program.symbols, values));
    REQUIRE((largest || isCanonical(list)));
    shorter += list.dims.size() < before.dims.size();
    AccessList again = list;
    canonicalize(again, largest);
    REQUIRE(elementsOf(again, program.symbols, values) ==
            elementsOf(before, program.symbols, values));
  }
  CHECK(shorter > runs() / 3);
}

TEST_CASE("a loop in the list is the loop around the transfer", "[list]") {
  Program program;
  Random random(2);
  unsigned added = 0;
  for (unsigned run = 0; run < runs(); ++run) {
    AccessList list = randomList(random, program), before = list;
    std::vector<int64_t> values = randomValues(random);
    SymbolRange range{between(random, -3, 3), between(random, 1, 3), between(random, 0, 4)};
    if (!addLoop(list, program.symbols[0], range)) {
      REQUIRE(list == before);
      continue;
    }
    ++added;
    Elements expected;
    for (int64_t trip = 0; trip < range.count; ++trip) {
      std::vector<int64_t> inLoop = values;
      inLoop[0] = range.lower + trip * range.step;
      Elements more = elementsOf(before, program.symbols, inLoop);
      expected.insert(expected.end(), more.begin(), more.end());
    }
    REQUIRE(elementsOf(list, program.symbols, values) == expected);
    if (random() % 2) canonicalize(list);
    REQUIRE(elementsOf(list, program.symbols, values) == expected);
  }
  CHECK(added > runs() / 2);
}

TEST_CASE("split dimensions have the same elements in the same order", "[list]") {
  Program program;
  Random random(3);
  for (unsigned run = 0; run < runs(); ++run) {
    AccessList list = randomList(random, program);
    list.dims.back().size = between(random, 1, 64);
    AccessList before = list;
    std::vector<int64_t> values = randomValues(random);
    int64_t largest = between(random, 2, 9), alignment = between(random, 1, 4);
    splitLargeDims(list, largest, alignment);
    REQUIRE(elementsOf(list, program.symbols, values) ==
            elementsOf(before, program.symbols, values));
  }
}

TEST_CASE("dimensions that cannot be split stay", "[list]") {
  AccessList prime{{{{}, 1031, 1}}, 0};
  splitLargeDims(prime, 1023);
  CHECK(prime.dims.size() == 1);
  AccessList odd{{{{}, 30, 1}}, 0};  // 15 and 10 are not multiples of 4
  splitLargeDims(odd, 16, 4);
  CHECK(odd.dims.size() == 1);
  AccessList large{{{{}, 4096, 2}}, 0};
  splitLargeDims(large, 16);
  CHECK(large.dims.size() == 3);
}

TEST_CASE("lists that are read", "[list]") {
  Program program;
  LinearReader reader;
  auto read = [&](unsigned memref, std::vector<air::IndexEntry> offsets,
                  std::vector<air::IndexEntry> sizes, std::vector<air::IndexEntry> strides) {
    return readAccessList(
        {program.memrefs[memref], std::move(offsets), std::move(sizes), std::move(strides)},
        reader);
  };
  CHECK(read(0, {}, {}, {})->isWhole());
  CHECK(read(0, {{0}}, {{24}}, {{1}})->isWhole());
  CHECK(read(0, {{0}, {0}}, {{4}, {6}}, {{6}, {1}})->isWhole());
  CHECK(read(0, {{1}, {0}}, {{3}, {6}}, {{6}, {1}})->volume == 24);
  CHECK_FALSE(read(0, {{1}, {0}}, {{3}, {6}}, {{6}, {1}})->isWhole());
  CHECK_FALSE(read(0, {{0, program.symbols[0]}}, {{24}}, {{1}})->isWhole());
  CHECK(read(1, {}, {}, {})->isWhole());
  // Gaps between the rows: not the whole memref, but its elements.
  CHECK(read(2, {}, {}, {})->volume == 0);
  CHECK(read(2, {}, {}, {})->dims.front().stride == 8);
  // Offsets that are coordinates, and strides of the memref.
  CHECK(read(0, {{1}, {2}}, {{3}}, {{1}})->dims.size() == 3);
  CHECK(read(0, {{1}, {2}}, {{1}, {3}}, {})->dims.front().stride == 6);
  CHECK(read(0, {}, {{3}}, {{2}})->dims.size() == 1);
  CHECK_FALSE(read(3, {}, {}, {}));
  CHECK_FALSE(read(4, {}, {}, {}));
  CHECK(read(4, {{1}}, {{3}}, {{2}}));
  CHECK_FALSE(read(0, {{0}}, {{0, program.symbols[0]}}, {{1}}));
  CHECK_FALSE(read(0, {{0}}, {{0}}, {{1}}));
  CHECK_FALSE(read(0, {{0}}, {{2}}, {{-1}}));
  CHECK_FALSE(read(0, {{0}, {0}, {0}}, {{2}}, {{1}}));
}
