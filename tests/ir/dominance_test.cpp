// Dominance, against the definition: a block dominates another when every path passes it.
#include "airlite/ir/Dominance.hpp"

#include "support/catch_all.hpp"
#include "test_dialect.hpp"

#include <random>
#include <set>

using namespace airlite;
using namespace airlite::test;

namespace {

std::set<Block*> reachable(Block* entry, Block* without) {
  std::set<Block*> seen;
  std::vector<Block*> pending;
  auto visit = [&](Block* block) {
    if (block != without && seen.insert(block).second) pending.push_back(block);
  };
  visit(entry);
  while (!pending.empty()) {
    Block* block = pending.back();
    pending.pop_back();
    for (Block* successor : block->successors())
      visit(successor);
  }
  return seen;
}

}  // namespace

TEST_CASE("dominance between blocks agrees with brute force") {
  Fixture f;
  std::mt19937 random(11);
  auto pick = [&](size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random); };
  for (unsigned round = 0; round < 200; ++round) {
    OwningOp module = f.module();
    Region& region = f.func(body(module), "f")->region();
    std::vector<Block*> blocks{&region.front()};
    size_t count = 1 + pick(9);
    while (blocks.size() < count)
      blocks.push_back(&region.addBlock());
    for (Block* block : blocks) {
      std::vector<Block*> successors;
      for (size_t n = pick(4); n-- > 0;)
        successors.push_back(blocks[pick(count)]);
      f.add(*block, "t.br", {}, {}, 0, successors);
    }
    DominanceInfo info;
    std::set<Block*> all = reachable(blocks[0], nullptr);
    for (Block* a : blocks) {
      REQUIRE(info.isReachable(a) == all.contains(a));
      std::set<Block*> around = reachable(blocks[0], a);
      for (Block* b : blocks) {
        bool expected = a == b || !all.contains(b) || (all.contains(a) && !around.contains(b));
        REQUIRE(info.dominates(a, b) == expected);
        bool proper = info.properlyDominates(&a->front(), &b->front());
        REQUIRE(proper == (a != b && expected));
      }
    }
  }
}

TEST_CASE("dominance of values and operations") {
  Fixture f;
  OwningOp module = f.module();
  Operation* func = f.func(body(module), "f");
  Block& entry = body(*func);
  Value argument = entry.addArgument(f.index(), Location());
  Operation* first = f.add(entry, "t.infer", {}, {f.index()});
  Operation* region = f.add(entry, "t.region", {}, {f.index()}, 1);
  Operation* inner = f.add(region->region().addBlock(), "t.infer", {}, {f.index()});
  Operation* last = f.add(entry, "t.ret");
  DominanceInfo info;
  CHECK(info.dominates(argument, inner));
  CHECK_FALSE(info.dominates(argument, func));
  CHECK(info.dominates(first->result(), inner));
  CHECK(info.dominates(first->result(), last));
  CHECK_FALSE(info.dominates(first->result(), first));
  CHECK_FALSE(info.dominates(inner->result(), last));
  CHECK_FALSE(info.dominates(region->result(), inner));
  CHECK(info.properlyDominates(region, inner));
  CHECK(info.properlyDominates(first, inner));
  CHECK_FALSE(info.properlyDominates(inner, region));
  CHECK_FALSE(info.properlyDominates(first, first));

  // The module is a graph region: order does not matter in it.
  Operation* later = f.add(body(module), "t.infer", {}, {f.index()});
  Operation* early = f.make("t.op");
  body(module).insert(early, func);
  CHECK(info.dominates(later->result(), early));
  CHECK(info.dominates(later->result(), inner));
}
