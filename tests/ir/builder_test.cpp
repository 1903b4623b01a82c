// Builder: insertion points, inference, short forms.
#include "support/catch_all.hpp"
#include "test_dialect.hpp"

using namespace airlite;
using namespace airlite::test;

TEST_CASE("operations go where the builder stands") {
  Fixture f;
  OwningOp module = f.module();
  Block& block = body(module);
  Builder builder = Builder::atEnd(block);
  Operation* a = builder.create(Location(), "t.nothing", {}, {});
  builder.create(Location(), "t.send", {}, {});
  builder.setBefore(*a);
  builder.create(Location(), "t.alloc", {}, {f.index()});
  builder.setAfter(*a);
  builder.create(Location(), "t.op", {}, {});
  builder.setToStart(block);
  builder.create(Location(), "t.only", {}, {});
  CHECK(names(block) ==
        std::vector<std::string>{"t.only", "t.alloc", "t.nothing", "t.op", "t.send"});
  Operation* loose = Builder(f.context).create(Location(), "t.nothing", {}, {});
  CHECK(loose->block() == nullptr);
  loose->destroy();
}

TEST_CASE("result types are inferred when the definition says them") {
  Fixture f;
  OwningOp module = f.module();
  Builder builder = Builder::atEnd(body(module));
  Value x = f.constant(body(module), 1)->result();
  CHECK(builder.create(Location(), "t.infer", {}, {})->result().type() == f.index());
  CHECK(builder.create(Location(), "t.add", {x, x}, {})->result().type() == f.i32());
  CHECK(builder.create(Location(), "t.sub", {x, x}, {})->result().type() == f.i32());
  const int64_t shape[] = {4};
  Type memref = MemRefType::get(f.context, shape, f.i32());
  Value buffer = builder.create(Location(), "t.alloc", {}, {memref})->result();
  CHECK(builder.create(Location(), "t.element", {buffer}, {})->result().type() == f.i32());
  Operation* constant =
      builder.create(Location(), "t.const", {}, {}, {builder.named("value", builder.indexAttr(4))});
  CHECK(constant->result().type() == f.index());
  // What the definition does not say is left to the verifier.
  Operation* unknown = builder.create(Location(), "t.alloc", {}, {});
  CHECK(unknown->numResults() == 0);
  CHECK(f.verifyMessages(*module) == std::vector<std::string>{"'t.alloc' op requires one result"});
}

TEST_CASE("declared regions are made") {
  Fixture f;
  Builder builder(f.context);
  Operation* op = builder.create(Location(), "t.region", {}, {});
  CHECK(op->numRegions() == 1);
  CHECK(op->region().empty());
  op->destroy();
}
