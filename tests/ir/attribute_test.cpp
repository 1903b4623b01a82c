// Attributes: wrapping, rounding, sorting, dense data; and the float formats bit by bit.
#include "airlite/ir/Attribute.hpp"

#include "airlite/ir/Context.hpp"
#include "support/catch_all.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

using namespace airlite;

namespace {

struct Fixture {
  Context context;
  Type integer(unsigned width, Signedness s = Signedness::Signless) {
    return IntegerType::get(context, width, s);
  }
  Type floating(FloatKind kind) { return FloatType::get(context, kind); }
  ShapedType tensor(std::vector<int64_t> shape, Type element) {
    return RankedTensorType::get(context, shape, element);
  }
  NamedAttribute named(std::string_view name, int64_t value) {
    return {Identifier::get(context, name), IntegerAttr::getIndex(context, value)};
  }
  std::vector<Attribute> integers(Type type, std::vector<int64_t> values) {
    std::vector<Attribute> result;
    for (int64_t value : values)
      result.push_back(IntegerAttr::get(type, value));
    return result;
  }
};

bool sameBits(double a, double b) {
  return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
}

}  // namespace

TEST_CASE_METHOD(Fixture, "integers wrap to their width") {
  CHECK(IntegerAttr::get(integer(8), 255).value() == -1);
  CHECK(IntegerAttr::get(integer(8), 255).zext() == 255);
  CHECK(IntegerAttr::get(integer(8), 256) == IntegerAttr::get(integer(8), 0));
  CHECK(IntegerAttr::get(integer(1), 1).value() == 1);
  CHECK(IntegerAttr::get(integer(1), -1).value() == 1);
  CHECK(IntegerAttr::get(integer(1, Signedness::Signed), 1).value() == -1);
  CHECK(IntegerAttr::get(integer(8, Signedness::Unsigned), -1).value() == 255);
  CHECK(IntegerAttr::get(integer(8, Signedness::Signed), 255).value() == -1);
  CHECK(IntegerAttr::get(integer(64), -1).zext() == ~0ull);
  CHECK(IntegerAttr::get(integer(128), -5).value() == -5);
  CHECK(IntegerAttr::getBool(context, true) == IntegerAttr::get(integer(1), 1));
  CHECK(IntegerAttr::getBool(context, false).value() == 0);
  CHECK_FALSE(Attribute(IntegerAttr::get(integer(32), 1)) ==
              Attribute(IntegerAttr::get(integer(64), 1)));
  CHECK(constantInt(IntegerAttr::getIndex(context, -7)) == -7);
}

TEST_CASE_METHOD(Fixture, "floats are rounded and compared by their bits") {
  Type f32 = floating(FloatKind::F32), f64 = floating(FloatKind::F64);
  CHECK(FloatAttr::get(f32, 0.1).value() == static_cast<double>(0.1f));
  CHECK(FloatAttr::get(f64, 0.1).value() == 0.1);
  CHECK_FALSE(FloatAttr::get(f32, 0.0) == FloatAttr::get(f32, -0.0));
  CHECK(FloatAttr::get(f32, NAN) == FloatAttr::get(f32, NAN));
  CHECK(std::isinf(FloatAttr::get(floating(FloatKind::F16), 1e6).value()));
  CHECK(attributeType(FloatAttr::get(f32, 1)) == f32);
  CHECK_FALSE(attributeType(UnitAttr::get(context)));
}

TEST_CASE_METHOD(Fixture, "dictionaries sort, find, add and remove") {
  std::vector<NamedAttribute> entries = {named("b", 2), named("a", 1), named("c", 3)};
  DictionaryAttr dictionary = DictionaryAttr::get(context, entries);
  CHECK(dictionary.value()[0].name == "a");
  CHECK(dictionary.value()[2].name == "c");
  std::swap(entries[0], entries[2]);
  CHECK(DictionaryAttr::get(context, entries) == dictionary);
  CHECK(constantInt(dictionary.get("b")) == 2);
  CHECK(constantInt(dictionary.get(Identifier::get(context, "c"))) == 3);
  CHECK_FALSE(dictionary.get("d"));
  CHECK(dictionary.without("x") == dictionary);
  CHECK(dictionary.without("a").size() == 2);
  NamedAttribute replaced = named("b", 5);
  CHECK(constantInt(dictionary.with(replaced.name, replaced.value).get("b")) == 5);
  CHECK(DictionaryAttr::get(context, {}).empty());
  CHECK(DictionaryAttr::get(context, {}) == DictionaryAttr::get(context, {}));
  std::vector<NamedAttribute> twice = {named("k", 1), named("a", 0), named("k", 2)};
  CHECK(constantInt(DictionaryAttr::get(context, twice).get("k")) == 2);
  CHECK(DictionaryAttr::get(context, twice).size() == 2);
}

TEST_CASE_METHOD(Fixture, "large dictionaries are searched right") {
  std::vector<NamedAttribute> entries;
  for (int i = 0; i < 100; ++i)
    entries.push_back(named("name" + std::to_string(i), i));
  DictionaryAttr dictionary = DictionaryAttr::get(context, entries);
  for (int i = 0; i < 100; ++i) {
    CHECK(constantInt(dictionary.get("name" + std::to_string(i))) == i);
    CHECK_FALSE(dictionary.get("name" + std::to_string(i) + "x"));
  }
}

TEST_CASE_METHOD(Fixture, "lists of named attributes") {
  NamedAttrList list(DictionaryAttr::get(context, std::vector{named("a", 1)}));
  list.set(Identifier::get(context, "b"), IntegerAttr::getIndex(context, 2));
  list.set(Identifier::get(context, "a"), IntegerAttr::getIndex(context, 3));
  CHECK(list.entries().size() == 2);
  CHECK(constantInt(list.get("a")) == 3);
  CHECK(constantInt(list.erase("a")) == 3);
  CHECK_FALSE(list.erase("a"));
  CHECK(list.dictionary(context).size() == 1);
  CHECK(NamedAttrList(DictionaryAttr()).empty());
}

TEST_CASE_METHOD(Fixture, "symbol references") {
  std::vector<std::string_view> nested = {"inner", "leaf"};
  SymbolRefAttr path = SymbolRefAttr::get(context, "root", nested);
  CHECK(path.root() == "root");
  CHECK(path.nested() == nested);
  CHECK(path.leaf() == "leaf");
  CHECK_FALSE(path.isFlat());
  SymbolRefAttr flat = SymbolRefAttr::get(context, "root");
  CHECK(flat.isFlat());
  CHECK(flat.leaf() == "root");
  CHECK(flat == SymbolRefAttr::get(context, "root"));
}

TEST_CASE_METHOD(Fixture, "texts, types, layouts, locations") {
  CHECK(StringAttr::get(context, std::string_view("a\0b", 3)).value().size() == 3);
  CHECK_FALSE(Attribute(StringAttr::get(context, "x")) == Attribute(OpaqueAttr::get(context, "x")));
  CHECK(TypeAttr::get(integer(8)).value() == integer(8));
  std::vector<int64_t> strides = {8, kDynamic};
  auto layout = StridedLayoutAttr::get(context, kDynamic, strides);
  CHECK(layout.offset() == kDynamic);
  CHECK(layout.strides()[1] == kDynamic);
  CHECK(layout == StridedLayoutAttr::get(context, kDynamic, strides));
  CHECK_FALSE(layout == StridedLayoutAttr::get(context, 0, strides));
  CHECK(LocationAttr::get(context, Location::inSource(1, 2)).value() == Location::inSource(1, 2));
  CHECK(ArrayAttr::get(context, {}).size() == 0);
  Dialect(context, "demo", "").attr({.name = "demo.kind", .doc = ""});
  auto kind = DialectAttr::getKeyword(context, "demo.kind", "add");
  CHECK(kind.keyword() == "add");
  CHECK(kind.name() == "demo.kind");
  CHECK(kind == DialectAttr::getKeyword(context, "demo.kind", "add"));
  CHECK_FALSE(DialectAttr::getKeyword(context, "demo.none", "add"));
}

TEST_CASE_METHOD(Fixture, "dense arrays") {
  std::vector<int64_t> values = {1, 255, -1};
  auto bytes = DenseArrayAttr::get(integer(8), values);
  CHECK(std::vector(bytes.values().begin(), bytes.values().end()) ==
        std::vector<int64_t>{1, -1, -1});
  std::vector<int32_t> narrow = {3, -4};
  CHECK(DenseArrayAttr::getI32(context, narrow).values()[1] == -4);
  std::vector<double> reals = {0.1, -0.0};
  auto floats = DenseArrayAttr::getFloats(floating(FloatKind::F32), reals);
  CHECK(floats.floats()[0] == static_cast<double>(0.1f));
  CHECK(std::signbit(floats.floats()[1]));
  CHECK_FALSE(DenseArrayAttr::get(integer(32), {}) == DenseArrayAttr::get(integer(64), {}));
}

TEST_CASE_METHOD(Fixture, "dense elements find splats by themselves") {
  Type i8 = integer(8);
  auto full = DenseElementsAttr::get(tensor({2, 2}, i8), integers(i8, {1, 2, 3, 4}));
  CHECK_FALSE(full.isSplat());
  CHECK(full.raw().size() == 4);
  CHECK(constantInt(full.element(2)) == 3);
  CHECK_FALSE(constantInt(full));
  auto equal = DenseElementsAttr::get(tensor({2, 2}, i8), integers(i8, {7, 7, 7, 7}));
  auto splat = DenseElementsAttr::get(tensor({2, 2}, i8), integers(i8, {7}));
  CHECK(equal == splat);
  CHECK(splat.isSplat());
  CHECK(splat.raw().size() == 1);
  CHECK(constantInt(splat) == 7);
  CHECK(constantInt(splat.element(3)) == 7);
  CHECK(DenseElementsAttr::get(tensor({1}, i8), integers(i8, {5})).isSplat());
  CHECK(DenseElementsAttr::get(tensor({2, 2}, i8), integers(i8, {1, 2, 1, 2})).isSplat() == false);
}

TEST_CASE_METHOD(Fixture, "dense elements keep raw bytes in one form") {
  Type i4 = integer(4), i1 = integer(1), i16 = integer(16);
  auto nibble = DenseElementsAttr::get(tensor({2}, i4), integers(i4, {-1, 3}));
  CHECK(nibble.raw()[0] == std::byte{0x0f});
  CHECK(constantInt(nibble.element(0)) == -1);
  std::array<std::byte, 2> dirty = {std::byte{0xff}, std::byte{0xf3}};
  CHECK(DenseElementsAttr::getRaw(tensor({2}, i4), dirty) == nibble);
  auto bools = DenseElementsAttr::get(tensor({2}, i1), integers(i1, {1, 0}));
  CHECK(bools.raw()[0] == std::byte{1});
  auto shorts = DenseElementsAttr::get(tensor({2}, i16), integers(i16, {0x1234, 0}));
  CHECK(shorts.raw()[0] == std::byte{0x34});
  Type f16 = floating(FloatKind::F16);
  std::vector<Attribute> halves = {FloatAttr::get(f16, 1.0), FloatAttr::get(f16, -2.5)};
  auto reals = DenseElementsAttr::get(tensor({2}, f16), halves);
  CHECK(reals.raw().size() == 4);
  CHECK(reals.element(1) == halves[1]);
  CHECK(DenseElementsAttr::elementSize(IndexType::get(context)) == 8);
  CHECK(DenseElementsAttr::elementSize(integer(24)) == 3);
  CHECK(DenseElementsAttr::elementSize(integer(128)) == 0);
  CHECK(DenseElementsAttr::elementSize(ComplexType::get(context, f16)) == 0);
}

TEST_CASE_METHOD(Fixture, "wrong amounts of dense data give nothing") {
  Type i8 = integer(8);
  CHECK_FALSE(DenseElementsAttr::get(tensor({3}, i8), integers(i8, {1, 2})));
  CHECK_FALSE(DenseElementsAttr::get(tensor({2}, i8), {}));
  CHECK_FALSE(DenseElementsAttr::get(tensor({kDynamic}, i8), integers(i8, {1})));
  std::vector<Attribute> texts = {StringAttr::get(context, "x")};
  CHECK_FALSE(DenseElementsAttr::get(tensor({1}, i8), texts));
  CHECK_FALSE(DenseElementsAttr::get(tensor({1}, floating(FloatKind::F32)), integers(i8, {1})));
  auto none = DenseElementsAttr::get(tensor({0}, i8), {});
  REQUIRE(none);
  CHECK(none.raw().empty());
  CHECK_FALSE(none.element(0));
  CHECK_FALSE(constantInt(none));
}

// ---------------------------------------------------------------------------------------------
// Float formats
// ---------------------------------------------------------------------------------------------

TEST_CASE("every bit pattern of the small formats survives the way through double") {
  auto [kind, width] = GENERATE(table<FloatKind, unsigned>({{FloatKind::F16, 16},
                                                            {FloatKind::BF16, 16},
                                                            {FloatKind::F8E4M3FN, 8},
                                                            {FloatKind::F8E5M2, 8},
                                                            {FloatKind::F8E4M3FNUZ, 8},
                                                            {FloatKind::F8E5M2FNUZ, 8},
                                                            {FloatKind::TF32, 19}}));
  unsigned wrong = 0;
  for (uint64_t bits = 0; bits < (1ull << width); ++bits)
    wrong += floatToBits(kind, floatFromBits(kind, bits)) != bits;
  CHECK(wrong == 0);
}

TEST_CASE("small formats round to the nearest value, ties to even") {
  auto [kind, width, largest] =
      GENERATE(table<FloatKind, unsigned, uint64_t>({{FloatKind::F16, 16, 0x7bff},
                                                     {FloatKind::BF16, 16, 0x7f7f},
                                                     {FloatKind::F8E4M3FN, 8, 0x7e},
                                                     {FloatKind::F8E5M2, 8, 0x7b},
                                                     {FloatKind::F8E4M3FNUZ, 8, 0x7f},
                                                     {FloatKind::F8E5M2FNUZ, 8, 0x7f},
                                                     {FloatKind::TF32, 19, 0x3fbff}}));
  unsigned wrong = 0;
  for (uint64_t bits = 0; bits < largest; ++bits) {
    double low = floatFromBits(kind, bits), high = floatFromBits(kind, bits + 1);
    double middle = low + (high - low) / 2;  // exact: one bit more than the format has
    wrong += floatToBits(kind, middle) != (bits & 1 ? bits + 1 : bits);
    wrong += floatToBits(kind, std::nextafter(middle, 0)) != bits;
    wrong += floatToBits(kind, std::nextafter(middle, INFINITY)) != bits + 1;
    const bool hasNegative = bits || floatToBits(kind, -0.0);
    wrong += floatToBits(kind, -low) != (hasNegative ? bits | (1ull << (width - 1)) : 0);
  }
  CHECK(wrong == 0);
}

TEST_CASE("f32 agrees with the machine") {
  std::mt19937_64 random(7);
  unsigned wrong = 0;
  for (int i = 0; i < 1000000; ++i) {
    double value = std::bit_cast<double>(random());
    if (std::isnan(value)) continue;
    // Most random doubles are out of range: bring every second one into it.
    int exponent = 0;
    double fraction = std::frexp(value, &exponent);
    if (i % 2) value = std::ldexp(fraction, static_cast<int>(random() % 320) - 160);
    auto expected = std::bit_cast<uint32_t>(static_cast<float>(value));
    wrong += floatToBits(FloatKind::F32, value) != expected;
  }
  CHECK(wrong == 0);
}

TEST_CASE("infinities, NaNs and what is too large") {
  CHECK(floatToBits(FloatKind::F16, INFINITY) == 0x7c00);
  CHECK(floatToBits(FloatKind::F16, -INFINITY) == 0xfc00);
  CHECK(floatToBits(FloatKind::F16, 65519.9) == 0x7bff);
  CHECK(floatToBits(FloatKind::F16, 65520) == 0x7c00);
  CHECK(floatToBits(FloatKind::F8E5M2, 1e9) == 0x7c);
  CHECK(floatToBits(FloatKind::F8E4M3FN, 448) == 0x7e);
  CHECK(floatToBits(FloatKind::F8E4M3FN, 464) == 0x7e);
  CHECK(floatToBits(FloatKind::F8E4M3FN, 465) == 0x7f);
  CHECK(floatToBits(FloatKind::F8E4M3FN, -INFINITY) == 0xff);
  CHECK(std::isnan(floatFromBits(FloatKind::F8E4M3FN, 0x7f)));
  CHECK(floatFromBits(FloatKind::F8E4M3FN, 0x7e) == 448);
  // Without infinities and -0 the pattern of -0 is NaN, and exponents are one larger.
  CHECK(floatFromBits(FloatKind::F8E4M3FNUZ, 0x7f) == 240);
  CHECK(floatFromBits(FloatKind::F8E5M2FNUZ, 0x7f) == 57344);
  CHECK(floatFromBits(FloatKind::F8E4M3FNUZ, 1) == std::ldexp(1.0, -10));
  CHECK(floatFromBits(FloatKind::F8E4M3FNUZ, 0x81) == -std::ldexp(1.0, -10));
  CHECK(floatToBits(FloatKind::F8E4M3FNUZ, 247.9) == 0x7f);
  CHECK(floatToBits(FloatKind::F8E4M3FNUZ, 248) == 0x80);
  for (double value : {double{-INFINITY}, double{INFINITY}, double{NAN}, -1e9})
    CHECK(floatToBits(FloatKind::F8E5M2FNUZ, value) == 0x80);
  CHECK(std::isnan(floatFromBits(FloatKind::F8E5M2FNUZ, 0x80)));
  CHECK(floatToBits(FloatKind::F8E4M3FNUZ, -std::ldexp(1.0, -11)) == 0);
  CHECK(floatToBits(FloatKind::BF16, std::bit_cast<double>(0x7ff0000000000001ull)) == 0x7fc0);
  CHECK(std::isnan(roundToFormat(FloatKind::F16, NAN)));
  // A signalling NaN of a small format is not made quiet.
  CHECK(floatToBits(FloatKind::F32, floatFromBits(FloatKind::F32, 0x7f800001)) == 0x7f800001);
}

TEST_CASE("subnormals") {
  CHECK(floatFromBits(FloatKind::F16, 1) == std::ldexp(1.0, -24));
  CHECK(floatToBits(FloatKind::F16, std::ldexp(1.0, -25)) == 0);
  CHECK(floatToBits(FloatKind::F16, std::ldexp(1.5, -25)) == 1);
  CHECK(floatToBits(FloatKind::F16, std::ldexp(-1.0, -300)) == 0x8000);
  CHECK(sameBits(roundToFormat(FloatKind::F32, -5e-324), -0.0));
  CHECK(roundToFormat(FloatKind::F64, 5e-324) == 5e-324);
}
