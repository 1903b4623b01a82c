// Rewriter notifications, folding of single ops, constants.
#include "support/catch_all.hpp"
#include "test_dialect.hpp"

using namespace airlite;
using namespace airlite::test;

namespace {

struct Log : RewriteListener {
  void inserted(Operation& op) override { note("+", op); }
  void modified(Operation& op) override { note("~", op); }
  void erased(Operation& op) override { note("-", op); }
  void replaced(Operation& op) override { note("=", op); }
  void note(const char* what, Operation& op) {
    text += (text.empty() ? "" : " ") + std::string(what) + std::string(op.name().substr(2));
  }
  std::string take() { return std::exchange(text, ""); }
  std::string text;
};

}  // namespace

TEST_CASE("a rewriter tells its listener") {
  Fixture f;
  OwningOp module = f.module();
  Log log;
  Rewriter rewriter(f.context, &log);
  rewriter.setToEnd(body(module));
  Operation* a = rewriter.create(Location(), "t.infer", {}, {});
  Operation* b = rewriter.create(Location(), "t.op", {a->result()}, {});
  CHECK(log.take() == "+infer +op");
  Operation* c = rewriter.create(Location(), "t.alloc", {}, {f.index()});
  c->moveBefore(a);
  log.take();
  rewriter.replaceOp(*a, *c);
  CHECK(log.take() == "=infer ~op -infer");
  CHECK(b->operand(0) == c->result());
  rewriter.modify(*b, [&] { b->setAttr("x", UnitAttr::get(f.context)); });
  CHECK(log.take() == "~op");
  rewriter.moveBefore(*b, *b);
  Operation* region = f.add(body(module), "t.region", {}, {}, 1);
  Block& inner = region->region().addBlock();
  Operation* def = f.add(inner, "t.infer", {}, {f.index()});
  f.add(inner, "t.op", {def->result()});
  log.take();
  rewriter.setBefore(*region);
  rewriter.clone(*region);
  CHECK(log.take() == "+infer +op +region");
  rewriter.setBefore(*region);
  rewriter.eraseOp(*region);
  CHECK(log.take() == "-region -op -infer");
  CHECK(rewriter.insertPoint().before == nullptr);
}

TEST_CASE("a block is inlined") {
  Fixture f;
  OwningOp module = f.module();
  Value x = f.constant(body(module), 1)->result();
  Operation* region = f.add(body(module), "t.region", {}, {}, 1);
  Block& source = region->region().addBlock();
  Value argument = source.addArgument(f.i32(), Location());
  Operation* user = f.add(source, "t.op", {argument});
  Log log;
  Rewriter rewriter(f.context, &log);
  rewriter.inlineBlockBefore(source, *region, std::vector<Value>{x});
  CHECK(log.take() == "~op ~op");
  CHECK(user->operand(0) == x);
  CHECK(region->region().empty());
  CHECK(names(body(module)) == std::vector<std::string>{"t.const", "t.op", "t.region"});
}

TEST_CASE("folding") {
  Fixture f;
  OwningOp module = f.module();
  Block& block = body(module);
  Operation* one = f.constant(block, 1);
  Operation* two = f.constant(block, 2);
  Value unknown = f.add(block, "t.alloc", {}, {f.i32()})->result();
  std::vector<FoldResult> results;

  Operation* sum = f.add(block, "t.add", {one->result(), two->result()}, {f.i32()});
  REQUIRE(succeeded(foldOp(*sum, results)));
  REQUIRE(results.size() == 1);
  CHECK(results[0].attribute == IntegerAttr::get(f.i32(), 3));

  // Constants of commutative ops move right, once.
  Operation* mixed = f.add(block, "t.add", {one->result(), unknown}, {f.i32()});
  REQUIRE(succeeded(foldOp(*mixed, results)));
  CHECK(results.empty());
  CHECK(mixed->operand(0) == unknown);
  CHECK(failed(foldOp(*mixed, results)));

  Operation* difference = f.add(block, "t.sub", {unknown, one->result()}, {f.i32()});
  REQUIRE(succeeded(foldOp(*difference, results)));
  CHECK(results[0].value == unknown);

  CHECK(failed(foldOp(*one, results)));
  CHECK(constantIntOf(two->result()) == 2);
  CHECK_FALSE(constantIntOf(unknown));
  CHECK_FALSE(constantOf(Value()));
}
