// Effects as the definitions say them.
#include "support/catch_all.hpp"
#include "test_dialect.hpp"

using namespace airlite;
using namespace airlite::test;

TEST_CASE("effects of single ops") {
  Fixture f;
  f.context.setAllowUnregistered(true);
  OwningOp module = f.module();
  Block& block = body(module);
  Operation* alloc = f.add(block, "t.alloc", {}, {f.index()});
  Operation* read = f.add(block, "t.read", {alloc->result()}, {f.i32()});
  Operation* write = f.add(block, "t.write", {alloc->result()});
  Operation* send = f.add(block, "t.send");
  Operation* nothing = f.add(block, "t.nothing");
  Operation* add = f.add(block, "t.add", {read->result(), read->result()}, {f.i32()});
  Operation* opaque = f.add(block, "t.op");
  Operation* unknown = f.add(block, "x.y");

  std::vector<EffectInstance> effects;
  REQUIRE(effectsOf(*alloc, effects));
  REQUIRE(effects.size() == 1);
  CHECK(effects[0].effect == Effect::Allocate);
  CHECK(effects[0].value == alloc->result());
  effects.clear();
  REQUIRE(effectsOf(*read, effects));
  CHECK(effects[0].value == alloc->result());
  effects.clear();
  REQUIRE(effectsOf(*send, effects));
  CHECK_FALSE(effects[0].value);
  CHECK_FALSE(effectsOf(*opaque, effects));
  CHECK_FALSE(effectsOf(*unknown, effects));

  CHECK(isMemoryEffectFree(*nothing));
  CHECK_FALSE(isPure(*nothing));  // free of effects, but not said to be safe early
  CHECK(isPure(*add));
  CHECK_FALSE(isMemoryEffectFree(*read));
  CHECK_FALSE(isMemoryEffectFree(*opaque));

  CHECK(isTriviallyDead(*nothing));
  CHECK(isTriviallyDead(*add));
  CHECK_FALSE(isTriviallyDead(*read));  // used
  add->erase();
  CHECK(isTriviallyDead(*read));
  CHECK_FALSE(isTriviallyDead(*write));
  CHECK_FALSE(isTriviallyDead(*send));
  CHECK_FALSE(isTriviallyDead(*opaque));
  CHECK_FALSE(isTriviallyDead(*unknown));
  CHECK_FALSE(isTriviallyDead(*alloc));
  write->erase();
  read->erase();
  CHECK(isTriviallyDead(*alloc));
  CHECK(isTriviallyDead(*f.add(block, "t.init", {}, {f.index()})));
  CHECK_FALSE(isTriviallyDead(*f.func(block, "f")));
}

TEST_CASE("effects of what is inside") {
  Fixture f;
  OwningOp module = f.module();
  Operation* outer = f.add(body(module), "t.region", {}, {}, 1);
  Operation* inner = f.add(outer->region().addBlock(), "t.region", {}, {}, 1);
  Block& block = inner->region().addBlock();
  CHECK(isMemoryEffectFree(*outer));
  CHECK(isPure(*outer));
  CHECK(isTriviallyDead(*outer));
  Operation* read = f.add(block, "t.read", {f.constant(block, 1)->result()}, {f.i32()});
  CHECK_FALSE(isMemoryEffectFree(*outer));
  CHECK(isTriviallyDead(*outer));
  f.add(block, "t.write", {read->result()});
  CHECK_FALSE(isTriviallyDead(*outer));

  Operation* loop = f.add(body(module), "t.loop", {}, {}, 1);
  f.add(loop->region().addBlock(), "t.yield");
  CHECK(isMemoryEffectFree(*loop));
  CHECK_FALSE(isPure(*loop));
  CHECK(isTriviallyDead(*loop));
}
