// Operations: memory, operands, groups, use lists, walking, cloning.
#include "support/catch_all.hpp"
#include "test_dialect.hpp"

#include <algorithm>
#include <random>

using namespace airlite;
using namespace airlite::test;

using Values = std::vector<Value>;

TEST_CASE("an operation holds what its state said") {
  Fixture f;
  Operation* a = f.make("t.op", {}, {f.index(), f.i32()});
  Operation* b = f.make("t.op", {a->result(1), a->result(0), a->result(1)}, {f.i32()}, 2);
  CHECK(b->numOperands() == 3);
  CHECK(b->operand(0) == a->result(1));
  CHECK(b->operands().vec() == Values{a->result(1), a->result(0), a->result(1)});
  CHECK(b->operandTypes() == std::vector<Type>{f.i32(), f.index(), f.i32()});
  CHECK(b->resultTypes() == std::vector<Type>{f.i32()});
  CHECK(b->numRegions() == 2);
  CHECK(b->region(1).index() == 1);
  CHECK(b->region(1).parentOp() == b);
  CHECK(a->result(1).numUses() == 2);
  CHECK(a->result(0).hasOneUse());
  CHECK(b->operands().use(2).index() == 2);
  CHECK(b->operands().use(2).owner() == b);
  b->destroy();
  CHECK_FALSE(a->hasResultUses());
  a->destroy();
}

TEST_CASE("all memory goes back to the context") {
  Fixture f;
  size_t before = f.context.liveBytes();
  {
    OwningOp module = f.module();
    Operation* func = f.func(body(module), "f");
    Value argument = body(*func).addArgument(f.index(), Location());
    Operation* op = f.add(body(*func), "t.op", {argument}, {f.index()});
    op->setOperands(Values(40, argument));
    f.add(body(*func), "t.ret", {op->result()});
    CHECK(f.context.liveBytes() > before);
  }
  CHECK(f.context.liveBytes() == before);
}

TEST_CASE("operands grow, shrink and keep their uses") {
  Fixture f;
  Operation* a = f.make("t.op", {}, {f.index(), f.index(), f.index()});
  Operation* user = f.make("t.op", {a->result(0)});
  Values many;
  for (unsigned i = 0; i < 20; ++i)
    many.push_back(a->result(i % 3));
  user->setOperands(many);
  CHECK(user->operands().vec() == many);
  CHECK(a->result(0).numUses() == 7);
  user->eraseOperand(1);
  many.erase(many.begin() + 1);
  CHECK(user->operands().vec() == many);
  for (unsigned i = 0; i < user->numOperands(); ++i)
    CHECK(user->opOperand(i).index() == i);
  user->setOperands({});
  CHECK_FALSE(a->hasResultUses());
  user->setOperands(Values{a->result(2)});
  user->replaceUsesOfWith(a->result(2), a->result(1));
  CHECK(user->operand(0) == a->result(1));
  user->destroy();
  a->destroy();
}

TEST_CASE("uses are replaced, all or some") {
  Fixture f;
  Operation* a = f.make("t.op", {}, {f.index(), f.index()});
  Operation* b = f.make("t.op", {a->result(0), a->result(0)});
  Operation* c = f.make("t.op", {a->result(0)});
  a->result(0).replaceUsesIf(a->result(1), [&](OpOperand& use) { return use.owner() == b; });
  CHECK(a->result(1).numUses() == 2);
  CHECK(c->operand(0) == a->result(0));
  a->result(0).replaceAllUsesWith(a->result(0));
  CHECK(a->result(0).hasOneUse());
  a->result(1).replaceAllUsesWith(a->result(0));
  CHECK(a->result(0).numUses() == 3);
  for (Operation* op : {b, c, a})
    op->destroy();
}

TEST_CASE("operand groups") {
  Fixture f;
  Operation* src = f.make("t.op", {}, {f.index(), IntegerType::get(f.context, 1)});
  Value x = src->result(0);
  Value flag = src->result(1);
  Operation* op = f.make("t.groups", {x, flag, x, x});
  auto sizes = [&](std::vector<int32_t> list) {
    op->setAttr("operandSegmentSizes", DenseArrayAttr::getI32(f.context, list));
  };
  auto bounds = [&](unsigned group) { return op->operandGroupBounds(group); };
  using Bounds = std::pair<unsigned, unsigned>;

  SECTION("as the sizes say") {
    sizes({1, 1, 2});
    CHECK(bounds(0) == Bounds(0, 1));
    CHECK(bounds(1) == Bounds(1, 1));
    CHECK(bounds(2) == Bounds(2, 2));
    CHECK(op->operandGroup("c").size() == 2);
    op->setOperandGroup(1, {});
    CHECK(op->operands().vec() == Values{x, x, x});
    CHECK(op->operandGroup("b").empty());
    CHECK(op->operandGroup("c").size() == 2);
    op->setOperandGroup(2, Values(5, x));
    CHECK(op->numOperands() == 6);
    CHECK(bounds(2) == Bounds(1, 5));
  }
  SECTION("malformed sizes stay inside") {
    constexpr int32_t kHuge = INT32_MAX;
    const std::vector<std::vector<int32_t>> malformed{
        {-1, -5, 100}, {kHuge, kHuge, kHuge}, {9}, {}, {0, 0, 0, 7}};
    for (const std::vector<int32_t>& bad : malformed) {
      sizes(bad);
      for (unsigned group = 0; group < 5; ++group) {
        auto [start, size] = bounds(group);
        CHECK(start + size <= op->numOperands());
      }
    }
    op->setAttr("operandSegmentSizes", StringAttr::get(f.context, "x"));
    CHECK(bounds(0) == Bounds(0, 0));
    op->removeAttr("operandSegmentSizes");
    CHECK(bounds(2) == Bounds(0, 0));
  }
  op->destroy();

  Operation* pairs = f.make("t.pairs", {x, x, x, x});
  CHECK(pairs->operandGroupBounds(1) == Bounds(2, 2));
  pairs->destroy();
  Operation* maybe = f.make("t.maybe", {}, {f.index()});
  CHECK(maybe->operandGroup(0u).empty());
  CHECK(maybe->resultGroupBounds(0) == Bounds(0, 1));
  maybe->destroy();
  src->destroy();
}

TEST_CASE("attributes are set and removed") {
  Fixture f;
  Operation* op = f.make("t.op");
  CHECK_FALSE(op->hasAttr("a"));
  op->setAttr("a", UnitAttr::get(f.context));
  op->setAttr("b", StringAttr::get(f.context, "x"));
  CHECK(op->attrOf<StringAttr>("b").value() == "x");
  CHECK_FALSE(op->attrOf<StringAttr>("a"));
  op->setAttr("b", Attribute());
  op->removeAttr("missing");
  CHECK(op->attributes().size() == 1);
  op->destroy();
}

TEST_CASE("ancestors and positions") {
  Fixture f;
  OwningOp module = f.module();
  Operation* func = f.func(body(module), "f");
  Operation* outer = f.add(body(*func), "t.region", {}, {}, 1);
  outer->region().addBlock();
  Operation* inner = f.add(body(*outer), "t.op");
  CHECK(inner->parentOp() == outer);
  CHECK(inner->parentOfName("t.func") == func);
  CHECK(inner->parentOfName("t.none") == nullptr);
  CHECK(func->isProperAncestor(inner));
  CHECK_FALSE(inner->isProperAncestor(inner));
  CHECK(inner->isAncestor(inner));
  CHECK(func->region().isProperAncestor(&outer->region()));
  CHECK_FALSE(outer->region().isProperAncestor(&func->region()));
  inner->moveBefore(outer);
  CHECK(names(body(*func)) == std::vector<std::string>{"t.op", "t.region"});
  inner->moveAfter(outer);
  CHECK(outer->isBeforeInBlock(inner));
  inner->moveTo(body(*outer), nullptr);
  CHECK(body(*outer).numOps() == 1);
}

namespace {

/// module { func { region { op } op } op }
OwningOp nested(Fixture& f) {
  OwningOp module = f.module();
  Operation* func = f.func(body(module), "f");
  Operation* region = f.add(body(*func), "t.region", {}, {}, 1);
  region->region().addBlock();
  f.add(region->region().addBlock(), "t.nothing");
  f.add(body(*func), "t.op");
  f.add(body(module), "t.send");
  return module;
}

}  // namespace

TEST_CASE("walks visit in order") {
  Fixture f;
  OwningOp module = nested(f);
  std::string text;
  auto note = [&](Operation& op) { text += std::string(op.name().substr(2)) + " "; };
  module->walk(note);
  CHECK(text == "nothing region op func send module ");
  text.clear();
  module->walk(note, WalkOrder::PreOrder);
  CHECK(text == "module func region nothing op send ");
  text.clear();
  module->region().walk(note);
  CHECK(text == "nothing region op func send ");
  text.clear();
  WalkResult result = module->walkWith([&](Operation& op) {
    note(op);
    if (op.is("t.region")) return WalkResult::Skip;
    return op.is("t.op") ? WalkResult::Interrupt : WalkResult::Advance;
  });
  CHECK(result == WalkResult::Interrupt);
  CHECK(text == "module func region op ");
}

TEST_CASE("a walk may erase what it is given and does not visit what it adds") {
  Fixture f;
  OwningOp module = nested(f);
  module->region().walk([](Operation& op) {
    if (!op.is("t.func")) op.erase();
  });
  CHECK(body(module).numOps() == 1);
  CHECK(body(body(module).front()).empty());
  unsigned visited = 0;
  module->walkWith([&](Operation& op) {
    ++visited;
    if (op.is("t.func")) Builder::after(op).clone(op);
    return WalkResult::Advance;
  });
  CHECK(visited == 2);
  CHECK(body(module).numOps() == 2);
  module->walkWith([&](Operation& op) {
    if (!op.is("t.func")) return WalkResult::Advance;
    op.erase();
    return WalkResult::Skip;
  });
  CHECK(body(module).empty());
}

TEST_CASE("a clone is the same tree with its own values") {
  Fixture f;
  OwningOp module = f.module();
  Value outside = f.constant(body(module), 1)->result();
  Operation* region = f.add(body(module), "t.region", {outside}, {f.i32()}, 1);
  Block& entry = region->region().addBlock();
  Block& exit = region->region().addBlock();
  Value argument = exit.addArgument(f.i32(), Location());
  // The user stands before the definition in the list of blocks.
  Operation* user = f.add(entry, "t.op", {argument, outside});
  f.add(entry, "t.br", {outside}, {}, 0, {&exit});
  f.add(exit, "t.br", {}, {}, 0, {&exit});

  IRMapping mapping;
  Operation* copy = region->clone(mapping);
  CHECK(copy->block() == nullptr);
  CHECK(mapping.lookupOr(region->result()) == copy->result());
  CHECK(copy->operand(0) == outside);
  Operation& userCopy = copy->region().front().front();
  Block& exitCopy = copy->region().back();
  CHECK(userCopy.operand(0) == exitCopy.argument(0));
  CHECK(userCopy.operand(1) == outside);
  CHECK(user->operand(0) == argument);
  CHECK(exitCopy.predecessors() == std::vector<Block*>{&copy->region().front(), &exitCopy});
  CHECK(exit.predecessors().size() == 2);

  Operation* other = f.constant(body(module), 2);
  IRMapping replaced;
  replaced.map(outside, other->result());
  Operation* second = region->clone(replaced);
  CHECK(second->operand(0) == other->result());
  CHECK(second->region().front().front().operand(1) == other->result());
  second->destroy();
  copy->destroy();
}

TEST_CASE("deep nesting costs no stack") {
  Fixture f;
  OwningOp module = f.module();
  Value value = f.constant(body(module), 3)->result();
  Block* block = &body(module);
  constexpr unsigned kDepth = 100000;
  for (unsigned i = 0; i < kDepth; ++i) {
    Operation* op = f.add(*block, "t.region", {}, {}, 1);
    block = &op->region().addBlock();
  }
  f.add(*block, "t.op", {value});
  unsigned count = 0;
  module->walk([&](Operation&) { ++count; });
  CHECK(count == kDepth + 3);
  OwningOp copy(module->clone());
  CHECK(f.verifyMessages(*copy).empty());
  CHECK_FALSE(isMemoryEffectFree(*body(copy).front().next()));
}

TEST_CASE("use lists agree with a simple model under random changes") {
  Fixture f;
  std::mt19937 random(7);
  Operation* source = f.make("t.op", {}, std::vector<Type>(6, f.index()));
  std::vector<Operation*> users;
  std::vector<Values> model;
  auto pick = [&](size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random); };
  auto randomValues = [&] {
    Values values(pick(9));
    for (Value& value : values)
      value = source->result(static_cast<unsigned>(pick(6)));
    return values;
  };
  for (unsigned step = 0; step < 3000; ++step) {
    size_t action = users.empty() ? 0 : pick(6);
    size_t at = users.empty() ? 0 : pick(users.size());
    if (action == 0) {
      model.push_back(randomValues());
      users.push_back(f.make("t.op", model.back()));
    } else if (action == 1) {
      users[at]->destroy();
      users.erase(users.begin() + static_cast<long>(at));
      model.erase(model.begin() + static_cast<long>(at));
    } else if (action == 2) {
      model[at] = randomValues();
      users[at]->setOperands(model[at]);
    } else if (action == 3 && !model[at].empty()) {
      size_t i = pick(model[at].size());
      users[at]->eraseOperand(static_cast<unsigned>(i));
      model[at].erase(model[at].begin() + static_cast<long>(i));
    } else if (action == 4 && !model[at].empty()) {
      size_t i = pick(model[at].size());
      model[at][i] = source->result(static_cast<unsigned>(pick(6)));
      users[at]->setOperand(static_cast<unsigned>(i), model[at][i]);
    } else if (action == 5) {
      Value from = source->result(static_cast<unsigned>(pick(6)));
      Value to = source->result(static_cast<unsigned>(pick(6)));
      from.replaceAllUsesWith(to);
      for (Values& values : model)
        std::replace(values.begin(), values.end(), from, to);
    }
    std::vector<size_t> expected(6), found(6);
    for (size_t u = 0; u < users.size(); ++u) {
      REQUIRE(users[u]->operands().vec() == model[u]);
      for (Value value : model[u])
        ++expected[value.index()];
    }
    for (Value value : source->resultValues())
      for (OpOperand& use : value.uses()) {
        REQUIRE(use.get() == value);
        REQUIRE(&use.owner()->opOperand(use.index()) == &use);
        ++found[value.index()];
      }
    REQUIRE(found == expected);
  }
  for (Operation* user : users)
    user->destroy();
  source->destroy();
}
