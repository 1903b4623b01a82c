// Blocks and regions: lists, arguments, order, predecessors.
#include "support/catch_all.hpp"
#include "test_dialect.hpp"

#include <algorithm>
#include <random>

using namespace airlite;
using namespace airlite::test;

TEST_CASE("block arguments keep their numbers") {
  Fixture f;
  OwningOp module = f.module();
  Block& block = body(*f.func(body(module), "f"));
  Value a = block.addArgument(f.index(), Location());
  Value c = block.addArgument(f.i32(), Location());
  Value b = block.insertArgument(1, f.index(), Location::inSource(1, 5));
  CHECK(block.arguments() == std::vector<Value>{a, b, c});
  CHECK(c.index() == 2);
  CHECK(b.location() == Location::inSource(1, 5));
  CHECK(b.argumentBlock() == &block);
  CHECK(b.definingOp() == nullptr);
  CHECK(b.parentRegion() == block.parent());
  block.eraseArgument(0);
  CHECK(block.numArguments() == 2);
  CHECK(b.index() == 0);
  CHECK(c.index() == 1);
}

TEST_CASE("blocks are inserted, moved, split and erased") {
  Fixture f;
  OwningOp module = f.module();
  Region& region = f.func(body(module), "f")->region();
  Block& first = region.front();
  Block* last = &region.addBlock();
  Block* middle = Block::create(f.context);
  region.insert(middle, last);
  CHECK(region.numBlocks() == 3);
  CHECK(first.next() == middle);
  CHECK(first.isEntry());
  last->moveBefore(middle);
  CHECK(middle->prev() == last);
  CHECK(&region.back() == middle);
  last->erase();
  CHECK(first.next() == middle);

  Operation* a = f.add(first, "t.op");
  Operation* b = f.add(first, "t.nothing");
  Block* tail = first.splitBefore(b);
  CHECK(first.next() == tail);
  CHECK(&first.back() == a);
  CHECK(b->block() == tail);

  Operation* other = f.func(body(module), "g");
  other->region().takeBody(region);
  CHECK(region.empty());
  CHECK(other->region().numBlocks() == 4);
  CHECK(tail->parentOp() == other);
  other->region().clear();
  CHECK(other->region().empty());
}

TEST_CASE("splice moves a range") {
  Fixture f;
  OwningOp module = f.module();
  Block& from = body(*f.func(body(module), "f"));
  Block& to = body(*f.func(body(module), "g"));
  Operation* a = f.add(from, "t.op");
  Operation* b = f.add(from, "t.nothing");
  Operation* c = f.add(from, "t.send");
  Operation* x = f.add(to, "t.infer");
  to.splice(x, from, b, c);
  CHECK(names(from) == std::vector<std::string>{"t.op", "t.send"});
  CHECK(names(to) == std::vector<std::string>{"t.nothing", "t.infer"});
  to.splice(nullptr, from, a);
  CHECK(from.empty());
  CHECK(names(to) == std::vector<std::string>{"t.nothing", "t.infer", "t.op", "t.send"});
  to.splice(b, to, c);
  CHECK(&to.front() == c);
  CHECK(c->isBeforeInBlock(b));
  CHECK(x->isBeforeInBlock(a));
}

TEST_CASE("predecessors follow the terminators") {
  Fixture f;
  OwningOp module = f.module();
  Region& region = f.func(body(module), "f")->region();
  Block& entry = region.front();
  Block& a = region.addBlock();
  Block& b = region.addBlock();
  Operation* branch = f.add(entry, "t.br", {}, {}, 0, {&a, &a, &b});
  CHECK(a.predecessors() == std::vector<Block*>{&entry, &entry});
  CHECK(entry.successors() == std::vector<Block*>{&a, &a, &b});
  branch->setSuccessor(0, &b);
  CHECK(a.predecessorTerminators().size() == 1);
  CHECK(b.predecessorTerminators().size() == 2);
  b.replaceAllUsesWith(&a);
  CHECK(b.hasNoPredecessors());
  CHECK(a.predecessorTerminators().size() == 3);
  branch->erase();
  CHECK(a.hasNoPredecessors());
}

TEST_CASE("terminator of a block") {
  Fixture f;
  f.context.setAllowUnregistered(true);
  OwningOp module = f.module();
  Block& block = body(*f.func(body(module), "f"));
  CHECK(block.terminator() == nullptr);
  f.add(block, "t.op");
  CHECK(block.terminator() == nullptr);
  Operation* unknown = f.add(block, "x.y");
  CHECK(block.terminator() == unknown);
  Operation* ret = f.add(block, "t.ret");
  CHECK(block.terminator() == ret);
}

TEST_CASE("order agrees with a vector under random changes") {
  Fixture f;
  std::mt19937 random(GENERATE(1u, 2u, 3u));
  OwningOp module = f.module();
  Block& block = body(*f.func(body(module), "f"));
  std::vector<Operation*> model;
  auto pick = [&](size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random); };
  auto at = [&](size_t i) { return i < model.size() ? model[i] : nullptr; };
  for (unsigned step = 0; step < 4000; ++step) {
    size_t action = model.size() < 4 ? 0 : pick(5);
    size_t where = pick(model.size() + 1);
    if (action <= 1) {
      // Often at the same place, so that the numbers between two ops run out.
      size_t spot = pick(2) ? std::min<size_t>(2, model.size()) : where;
      Operation* op = f.make("t.nothing");
      block.insert(op, at(spot));
      model.insert(model.begin() + static_cast<long>(spot), op);
    } else if (action == 2) {
      size_t victim = pick(model.size());
      model[victim]->erase();
      model.erase(model.begin() + static_cast<long>(victim));
    } else {
      size_t from = pick(model.size());
      Operation* op = model[from];
      Operation* before = at(where);
      op->moveTo(block, before);
      if (before == op) continue;
      model.erase(model.begin() + static_cast<long>(from));
      auto spot = before ? std::find(model.begin(), model.end(), before) : model.end();
      model.insert(spot, op);
    }
    REQUIRE(block.numOps() == model.size());
    if (model.empty()) continue;
    size_t i = pick(model.size());
    size_t j = pick(model.size());
    REQUIRE(model[i]->isBeforeInBlock(model[j]) == (i < j));
  }
  std::vector<Operation*> found;
  for (Operation& op : block.ops())
    found.push_back(&op);
  CHECK(found == model);
  std::vector<Operation*> backwards;
  for (Operation* op = &block.back(); op; op = op->prev())
    backwards.push_back(op);
  std::reverse(backwards.begin(), backwards.end());
  CHECK(backwards == model);
}

TEST_CASE("many branches to one block are destroyed quickly") {
  Fixture f;
  OwningOp module = f.module();
  Region& region = f.func(body(module), "f")->region();
  Block& exit = region.addBlock();
  for (unsigned i = 0; i < 100000; ++i)
    f.add(region.addBlock(), "t.br", {}, {}, 0, {&exit});
  CHECK(exit.predecessorTerminators().size() == 100000);
}
