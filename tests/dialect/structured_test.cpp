// The views of structured ops and of memref views that passes build on.
#include "airlite/dialect/Builtin.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Verifier.hpp"
#include "airlite/transform/LinalgToLoops.hpp"
#include "support/catch_all.hpp"

using namespace airlite;

namespace {

/// A block to build in, with arguments of the given types. Its ops go with it.
struct Scratch {
  Scratch() { registerAllDialects(context); }
  ~Scratch() {
    if (module) module->destroy();
  }

  Block& open(std::vector<Type> types) {
    OperationState state(context, Location(), "func.func");
    auto type = FunctionType::get(context, types, {});
    state.addAttribute(context, "sym_name", StringAttr::get(context, "f"));
    state.addAttribute(context, "function_type", TypeAttr::get(type));
    state.regions.push_back(std::make_unique<Region>(nullptr));
    module = Operation::create(context, state);
    Block& body = module->region().addBlock();
    for (Type t : types)
      body.addArgument(t, Location());
    return body;
  }
  MemRefType memref(std::vector<int64_t> shape, Attribute layout = Attribute()) {
    return MemRefType::get(context, shape, FloatType::get(context, FloatKind::F32), layout,
                           Attribute());
  }
  Attribute strided(int64_t offset, std::vector<int64_t> strides) {
    return StridedLayoutAttr::get(context, offset, strides);
  }

  Context context;
  Operation* module = nullptr;
};

}  // namespace

TEST_CASE("a named op gets its body, maps and loops from the table") {
  Scratch s;
  Block& body = s.open({s.memref({4, 8}), s.memref({8, 16}), s.memref({4, 16})});
  Builder builder = Builder::atEnd(body);
  Value inputs[] = {body.argument(0), body.argument(1)}, outputs[] = {body.argument(2)};
  linalg::StructuredOp op = linalg::asStructured(
      linalg::createNamedOp(builder, Location(), "linalg.matmul", inputs, outputs));
  REQUIRE(op);
  CHECK(succeeded(verify(*op)));
  CHECK(op.loopSizes() == std::vector<int64_t>{4, 16, 8});
  CHECK(op.indexingMaps()[1].str() == "(d0, d1, d2) -> (d2, d1)");
  CHECK(op.iterators()[2] == linalg::IteratorKind::Reduction);
  CHECK(op.readsOutput(0));
  CHECK(op.onBuffers());
  CHECK(op.body().numOps() == 3);
}

TEST_CASE("every row of the table has one map per operand and a loop for each dim") {
  Scratch s;
  for (std::string_view name : linalg::namedOpNames()) {
    const OpDef* def = s.context.findOp("linalg." + std::string(name));
    REQUIRE(def);
    CHECK(def->hasCustomSyntax());
    CHECK(linalg::findNamedOp(def->name()));
  }
  CHECK_FALSE(linalg::findNamedOp("linalg.generic"));
  CHECK_FALSE(linalg::findNamedOp("memref.load"));
}

TEST_CASE("a fill does not read its output; elements that do not fit are an error") {
  Scratch s;
  Type f32 = FloatType::get(s.context, FloatKind::F32);
  Block& body = s.open({f32, s.memref({4}), IndexType::get(s.context)});
  Builder builder = Builder::atEnd(body);
  Value value[] = {body.argument(0)}, out[] = {body.argument(1)}, buffer[] = {body.argument(1)};
  linalg::StructuredOp fill(linalg::createNamedOp(builder, Location(), "linalg.fill", value, out));
  CHECK_FALSE(fill.readsOutput(0));
  std::vector<EffectInstance> effects;
  REQUIRE(effectsOf(*fill, effects));
  REQUIRE(effects.size() == 1);
  CHECK(effects[0].effect == Effect::Write);

  DiagnosticCollector collector(s.context);
  CHECK_FALSE(linalg::createNamedOp(builder, Location(), "linalg.add", buffer, out));
  CHECK(collector.hasErrors());
}

TEST_CASE("subview types follow offsets, sizes and strides") {
  Scratch s;
  MemRefType source = s.memref({8, 16});
  auto infer = [&](std::vector<int64_t> offsets, std::vector<int64_t> sizes,
                   std::vector<int64_t> strides) {
    return memref::SubViewOp::inferType(source, offsets, sizes, strides);
  };
  CHECK(infer({1, 2}, {2, 4}, {1, 2}) == s.memref({2, 4}, s.strided(18, {16, 2})));
  CHECK(infer({kDynamic, 0}, {2, kDynamic}, {1, 1}) ==
        s.memref({2, kDynamic}, s.strided(kDynamic, {16, 1})));
  CHECK_FALSE(infer({0}, {2}, {1}));
  // An offset that overflows is unknown, not wrong.
  CHECK(infer({INT64_MAX, 0}, {1, 1}, {1, 1}) == s.memref({1, 1}, s.strided(kDynamic, {16, 1})));
}

TEST_CASE("collapsing needs groups that are contiguous") {
  Scratch s;
  using memref::CollapseShapeOp;
  using memref::ExpandShapeOp;
  MemRefType gap = s.memref({4, 4}, s.strided(0, {8, 1}));
  CHECK_FALSE(CollapseShapeOp::inferType(gap, {{0, 1}}));
  CHECK(CollapseShapeOp::inferType(gap, {{0}, {1}}) == gap);
  CHECK(CollapseShapeOp::inferType(s.memref({4, 4}), {{0, 1}}) == s.memref({16}));
  MemRefType unit = s.memref({4, 1}, s.strided(0, {8, 3}));
  CHECK(CollapseShapeOp::inferType(unit, {{0, 1}}) == s.memref({4}, s.strided(0, {8})));
  std::vector<int64_t> shape = {2, 2, 4};
  CHECK(ExpandShapeOp::inferType(gap, shape, {{0, 1}, {2}}) ==
        s.memref({2, 2, 4}, s.strided(0, {16, 8, 1})));
  CHECK_FALSE(ExpandShapeOp::inferType(gap, shape, {{0, 2}, {1}}));
}

TEST_CASE("dims that a rank-reduced subview leaves out are found by their strides") {
  Scratch s;
  MemRefType source = s.memref({1, 4, 1});
  Block& body = s.open({source});
  Builder builder = Builder::atEnd(body);
  std::vector<memref::MixedIndex> zeros(3, memref::MixedIndex(0)), ones(3, memref::MixedIndex(1));
  std::vector<memref::MixedIndex> sizes = {1, 4, 1};
  memref::SubViewOp view =
      memref::SubViewOp::create(builder, Location(), body.argument(0), zeros, sizes, ones,
                                s.memref({1, 4}, s.strided(0, {4, 1})));
  auto dropped = view.droppedDims();
  REQUIRE(dropped);
  CHECK(*dropped == std::vector<bool>{false, false, true});
  CHECK(succeeded(verify(*view)));
}

TEST_CASE("lowering says why it cannot") {
  Scratch s;
  Type tensor = RankedTensorType::get(s.context, std::vector<int64_t>{4},
                                      FloatType::get(s.context, FloatKind::F32));
  Block& body = s.open({tensor});
  Builder builder = Builder::atEnd(body);
  Value value[] = {body.argument(0)};
  Operation* op = linalg::createNamedOp(builder, Location(), "linalg.exp", value, value);
  REQUIRE(op);
  CHECK(linalg::loopObstacle(*op) == "not supported: linalg op on tensors");
  DiagnosticCollector collector(s.context);
  CHECK(failed(linalg::convertLinalgToLoops(*s.module)));
  CHECK(collector.diagnostics().size() == 1);
}
