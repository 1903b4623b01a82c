// Types: uniquing, shapes, layouts; and what the Context itself owns.
#include "airlite/ir/Type.hpp"

#include "airlite/ir/Attribute.hpp"
#include "airlite/ir/Context.hpp"
#include "support/catch_all.hpp"

#include <array>
#include <set>

using namespace airlite;

namespace {

struct Fixture {
  Context context;
  Type f32 = FloatType::get(context, FloatKind::F32);
  Type i32 = IntegerType::get(context, 32);
  AffineExpr d0 = AffineExpr::dim(context, 0), d1 = AffineExpr::dim(context, 1);
  AffineExpr s0 = AffineExpr::symbol(context, 0);

  MemRefType memref(std::vector<int64_t> shape, Attribute layout = {}, Attribute space = {}) {
    return MemRefType::get(context, shape, f32, layout, space);
  }
  MemRefType mapped(std::vector<int64_t> shape, unsigned symbols, std::vector<AffineExpr> results) {
    auto rank = static_cast<unsigned>(shape.size());
    return memref(shape, AffineMapAttr::get(AffineMap::get(context, rank, symbols, results)));
  }
  Attribute strided(int64_t offset, std::vector<int64_t> strides) {
    return StridedLayoutAttr::get(context, offset, strides);
  }
};

using Sizes = std::vector<int64_t>;

}  // namespace

TEST_CASE_METHOD(Fixture, "equal types are the same type") {
  CHECK(IndexType::get(context) == IndexType::get(context));
  CHECK(IntegerType::get(context, 32) == i32);
  CHECK_FALSE(Type(IntegerType::get(context, 32, Signedness::Unsigned)) == i32);
  CHECK(IntegerType::get(context, 100) == IntegerType::get(context, 100));
  CHECK_FALSE(FloatType::get(context, FloatKind::F16) == FloatType::get(context, FloatKind::BF16));
  std::array<Type, 2> two = {f32, i32};
  CHECK(FunctionType::get(context, two, {}) == FunctionType::get(context, two, {}));
  CHECK_FALSE(FunctionType::get(context, two, {}) == FunctionType::get(context, {}, two));
  CHECK_FALSE(Type(TupleType::get(context, two)) == Type(FunctionType::get(context, two, {})));
  CHECK(VectorType::get(context, Sizes{4}, f32) == VectorType::get(context, Sizes{4}, f32));
  CHECK_FALSE(Type(VectorType::get(context, Sizes{4}, f32)) ==
              Type(RankedTensorType::get(context, Sizes{4}, f32)));
  CHECK(ComplexType::get(context, f32).elementType() == f32);
  CHECK(OpaqueType::get(context, "foo.bar<1>").text() == "foo.bar<1>");
  CHECK_FALSE(Type(UnrankedTensorType::get(context, f32)) ==
              Type(UnrankedMemRefType::get(context, f32, {})));
}

TEST_CASE_METHOD(Fixture, "widths and kinds of scalars") {
  CHECK(i32.isSignlessInteger(32));
  CHECK(IntegerType::get(context, 8, Signedness::Signed).isInteger(8));
  CHECK_FALSE(IntegerType::get(context, 8, Signedness::Signed).isSignlessInteger());
  CHECK(IndexType::get(context).bitWidth() == 64);
  CHECK(NoneType::get(context).bitWidth() == 0);
  CHECK_FALSE(Type().isIndex());
  CHECK_FALSE(Type().isF32());
  for (std::string_view name :
       {"f16", "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2", "tf32", "f8E4M3FNUZ", "f8E5M2FNUZ"})
    CHECK(FloatType::name(*FloatType::parseName(name)) == name);
  CHECK_FALSE(FloatType::parseName("f128"));
  CHECK(FloatType::get(context, FloatKind::TF32).width() == 19);
}

TEST_CASE_METHOD(Fixture, "many types stay unique while the table grows") {
  std::set<const void*> seen;
  for (int64_t i = 0; i < 20000; ++i)
    seen.insert(memref({i, i + 1}).storage());
  CHECK(seen.size() == 20000);
  for (int64_t i = 0; i < 20000; ++i)
    seen.insert(memref({i, i + 1}).storage());
  CHECK(seen.size() == 20000);
}

TEST_CASE_METHOD(Fixture, "shapes: dynamic sizes, element counts") {
  ShapedType type = memref({4, kDynamic, 8});
  CHECK(type.rank() == 3);
  CHECK(type.isDynamicDim(1));
  CHECK(type.numDynamicDims() == 1);
  CHECK_FALSE(type.hasStaticShape());
  CHECK(memref({4, 8}).numElements() == 32);
  CHECK(memref({}).numElements() == 1);
  CHECK(memref({}).hasStaticShape());
  int64_t huge = int64_t{1} << 40;
  CHECK(memref({huge, huge}).numElements() == std::numeric_limits<int64_t>::max());
  CHECK(memref({huge, huge, 0}).numElements() == 0);
  CHECK_FALSE(UnrankedTensorType::get(context, f32).hasRank());
  CHECK_FALSE(UnrankedTensorType::get(context, f32).hasStaticShape());
}

TEST_CASE_METHOD(Fixture, "clones keep what still fits") {
  Attribute space = IntegerAttr::get(i32, 2);
  MemRefType type = memref({4, 4}, strided(0, {8, 1}), space);
  ShapedType retyped = type.cloneWith(std::nullopt, i32);
  CHECK(retyped.cast<MemRefType>().layout() == strided(0, {8, 1}));
  ShapedType reshaped = type.cloneWith(Sizes{2}, f32);
  CHECK_FALSE(reshaped.cast<MemRefType>().layout());
  CHECK(memorySpaceOf(reshaped) == space);
  auto unranked = UnrankedMemRefType::get(context, f32, space);
  CHECK(unranked.cloneWith(std::nullopt, i32) == UnrankedMemRefType::get(context, i32, space));
  CHECK(unranked.cloneWith(Sizes{3}, f32) == memref({3}, {}, space));
  auto tensor = RankedTensorType::get(context, Sizes{2}, f32, space);
  CHECK(tensor.cloneWith(Sizes{3}, i32).cast<RankedTensorType>().encoding() == space);
  CHECK(elementTypeOrSelf(type) == f32);
  CHECK(elementTypeOrSelf(i32) == i32);
  CHECK_FALSE(memorySpaceOf(f32));
}

TEST_CASE_METHOD(Fixture, "memory spaces are kept as written, but for the default 0") {
  Attribute one64 = IntegerAttr::get(IntegerType::get(context, 64), 1);
  Attribute one32 = IntegerAttr::get(i32, 1);
  CHECK_FALSE(memref({4}, {}, one64) == memref({4}, {}, one32));
  CHECK(memref({4}, {}, IntegerAttr::get(i32, 0)) == memref({4}));
  CHECK(memref({4}).withMemorySpace(one32).memorySpace() == one32);
  Attribute text = StringAttr::get(context, "L2");
  CHECK(memref({4}, {}, text).memorySpace() == text);
}

TEST_CASE_METHOD(Fixture, "an identity map is not a layout, an equivalent strided layout is one") {
  CHECK(mapped({4, 4}, 0, {d0, d1}) == memref({4, 4}));
  CHECK(mapped({4, 4}, 1, {d0, d1}) == memref({4, 4}));
  MemRefType written = memref({4, 4}, strided(0, {4, 1}));
  CHECK_FALSE(written == memref({4, 4}));
  CHECK(written.hasIdentityLayout());
  CHECK(memref({4, 4}).hasIdentityLayout());
  CHECK_FALSE(memref({4, 4}, strided(1, {4, 1})).hasIdentityLayout());
  CHECK_FALSE(memref({4, 4}, strided(0, {kDynamic, 1})).hasIdentityLayout());
  CHECK(mapped({4, 4}, 0, {d0 * 4 + d1}).hasIdentityLayout());
  CHECK(memref({4, kDynamic}).hasIdentityLayout());
  CHECK_FALSE(memref({4, kDynamic}, strided(0, {kDynamic, 1})).hasIdentityLayout());
}

TEST_CASE_METHOD(Fixture, "strided form of every layout that has one") {
  auto check = [](MemRefType type, Sizes strides, int64_t offset) {
    auto form = type.stridedForm();
    REQUIRE(form);
    CHECK(form->strides == strides);
    CHECK(form->offset == offset);
  };
  check(memref({2, 3, 4}), {12, 4, 1}, 0);
  check(memref({kDynamic, 3, 4}), {12, 4, 1}, 0);
  check(memref({2, kDynamic, 4}), {kDynamic, 4, 1}, 0);
  check(memref({}), {}, 0);
  check(memref({4, 4}, strided(kDynamic, {16, kDynamic})), {16, kDynamic}, kDynamic);
  check(mapped({4, 4}, 0, {d0 * 64 + d1 + 7}), {64, 1}, 7);
  check(mapped({4, 4}, 1, {d0 * 64 + s0 + d1}), {64, 1}, kDynamic);
  check(mapped({4, 4}, 1, {d0 * s0 + d1}), {kDynamic, 1}, 0);
  check(mapped({4, 4}, 0, {(d0 + d1 * 2 + 1) * 4}), {4, 8}, 4);
  check(mapped({4, 4}, 0, {d1}), {0, 1}, 0);
  check(mapped({4, 8}, 1, {d0 + s0, d1}), {8, 1}, kDynamic);
  check(mapped({4, 8}, 0, {d0 + 2, d1}), {8, 1}, 16);
  CHECK_FALSE(mapped({4, 8}, 0, {d1, d0}).stridedForm());
  CHECK_FALSE(mapped({4, 8}, 0, {d0, d1 + 1}).stridedForm());
  AffineExpr half = d0.floorDiv(AffineExpr::constant(context, 2));
  CHECK_FALSE(mapped({4, 8}, 0, {half + d1}).stridedForm());
  int64_t huge = int64_t{1} << 40;
  check(memref({2, huge, huge}), {kDynamic, huge, 1}, 0);
}

TEST_CASE_METHOD(Fixture, "definitions are registered once and found by name") {
  const OpDef& early = context.opDef("demo.op");
  CHECK_FALSE(early.registered);
  CHECK(early.dialect == "demo");
  CHECK(context.findOp("demo.op") == nullptr);
  CHECK(&context.opDef("demo.op") == &early);
  for (int round = 0; round < 2; ++round) {
    Dialect dialect(context, "demo", "A dialect.");
    dialect.op("op").doc("An op.");
    dialect.op("other");
    dialect.type({.name = "demo.token", .doc = "A type."});
    dialect.attr({.name = "demo.kind", .doc = "An attribute."});
    dialect.materializer([](Context&, Attribute, Type, Location) -> Operation* { return nullptr; });
  }
  CHECK(context.findOp("demo.op") == &early);
  CHECK(early.registered);
  CHECK(context.opNames() == std::vector<std::string_view>{"demo.op", "demo.other"});
  CHECK(context.opDefs().size() == 2);
  CHECK(context.dialects().size() == 1);
  CHECK(context.typeDefs().size() == 1);
  CHECK(context.attrDefs().size() == 1);
  CHECK(context.hasDialect("demo"));
  CHECK_FALSE(context.hasDialect("demo.op"));
  CHECK_FALSE(context.findType("demo.kind"));
  CHECK(isDialectType(DialectType::get(context, "demo.token"), "demo.token"));
  CHECK_FALSE(DialectType::get(context, "demo.nothing"));
  CHECK(context.materializeConstant({}, f32, Location()) == nullptr);
}

TEST_CASE_METHOD(Fixture, "identifiers are unique and keep their address") {
  Identifier first = Identifier::get(context, "value");
  for (int i = 0; i < 5000; ++i)
    Identifier::get(context, std::to_string(i));
  CHECK(Identifier::get(context, "value") == first);
  CHECK(first == "value");
  CHECK(Identifier::get(context, "").str().empty());
}

TEST_CASE_METHOD(Fixture, "memory is given back and counted") {
  size_t before = context.liveBytes();
  std::vector<std::pair<void*, size_t>> blocks;
  for (size_t size = 0; size < 3000; size += 7)
    blocks.emplace_back(context.allocate(size), size);
  for (auto [memory, size] : blocks)
    std::fill_n(static_cast<char*>(memory), size, 'x');
  CHECK(context.liveBytes() > before);
  for (auto [memory, size] : blocks)
    context.deallocate(memory, size);
  CHECK(context.liveBytes() == before);
  for (auto [memory, size] : blocks)
    CHECK(reinterpret_cast<uintptr_t>(memory) % 16 == 0);
}
