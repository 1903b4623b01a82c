// The folders of arith against plain C++ arithmetic, on random and on awkward constants.
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/Builtin.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "support/catch_all.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>

using namespace airlite;

namespace {

/// A module to make ops in, folded one at a time.
class Folder {
 public:
  Folder() {
    registerBuiltin(context);
    registerArith(context);
    registerUb(context);
    registerMath(context);
    module_ = OwningOp(builtin::ModuleOp::create(context, Location()).op());
  }

  Type integer(unsigned width) { return IntegerType::get(context, width); }
  Type real(FloatKind kind) { return FloatType::get(context, kind); }

  /// What result `index` folds to; null when the op does not fold to constants.
  Attribute fold(std::string_view name, std::vector<Attribute> constants, std::vector<Type> types,
                 std::vector<NamedAttribute> attrs = {}, unsigned index = 0) {
    Builder builder = Builder::atEnd(builtin::ModuleOp(module_.get()).body());
    std::vector<Value> operands;
    for (Attribute constant : constants)
      operands.push_back(builder.constant({}, constant));
    Operation* op = builder.create(Location(), name, operands, types, attrs);
    std::vector<FoldResult> results;
    bool folded = succeeded(foldOp(*op, results)) && index < results.size();
    Attribute constant = folded ? constantOf(results[index]) : Attribute();
    op->erase();
    for (Value operand : operands)
      operand.definingOp()->erase();
    return constant;
  }

  NamedAttribute predicate(int64_t value) {
    return {Identifier::get(context, "predicate"), IntegerAttr::get(integer(64), value)};
  }

  Context context;

 private:
  static Attribute constantOf(const FoldResult& result) {
    return result.attribute ? result.attribute : airlite::constantOf(result.value);
  }
  OwningOp module_;
};

/// Constants where things go wrong, then random ones.
template <class Int> std::vector<Int> interestingInts(std::mt19937_64& random, int count) {
  using Limits = std::numeric_limits<Int>;
  std::vector<Int> values = {0,
                             1,
                             2,
                             7,
                             Int(-1),
                             Int(-2),
                             Limits::min(),
                             Limits::max(),
                             Int(Limits::min() + 1),
                             Int(Limits::max() - 1)};
  for (int i = 0; i < count; ++i)
    values.push_back(static_cast<Int>(random() >> (random() % (8 * sizeof(Int)))));
  return values;
}

template <class Int> struct Reference {
  std::string_view name;
  /// Empty: undefined, must not fold.
  std::optional<Int> (*compute)(Int, Int);
};

template <class Int> using Unsigned = std::make_unsigned_t<Int>;

template <class Int> bool divides(Int a, Int b) {
  return b != 0 && !(a == std::numeric_limits<Int>::min() && b == -1);
}

template <class Int> constexpr int kBits = 8 * sizeof(Int);

template <class Int> std::vector<Reference<Int>> references() {
  using U = Unsigned<Int>;
  using Result = std::optional<Int>;
  using Wide = __int128;
  return {
      {"arith.addi", [](Int a, Int b) -> Result { return Int(U(a) + U(b)); }},
      {"arith.subi", [](Int a, Int b) -> Result { return Int(U(a) - U(b)); }},
      {"arith.muli", [](Int a, Int b) -> Result { return Int(uint64_t(a) * uint64_t(b)); }},
      {"arith.divsi", [](Int a, Int b) { return divides(a, b) ? Result(a / b) : Result(); }},
      {"arith.divui", [](Int a, Int b) { return b ? Result(Int(U(a) / U(b))) : Result(); }},
      {"arith.remui", [](Int a, Int b) { return b ? Result(Int(U(a) % U(b))) : Result(); }},
      {"arith.remsi", [](Int a, Int b) { return b ? Result(Int(Wide(a) % Wide(b))) : Result(); }},
      {"arith.ceildivui",
       [](Int a, Int b) {
         return b ? Result(Int((Wide(U(a)) + Wide(U(b)) - 1) / Wide(U(b)))) : Result();
       }},
      {"arith.floordivsi",
       [](Int a, Int b) {
         if (!divides(a, b)) return Result();
         Wide remainder = ((Wide(a) % b) + b) % b;
         return Result(Int((Wide(a) - remainder) / b));
       }},
      {"arith.ceildivsi",
       [](Int a, Int b) {
         if (!divides(a, b)) return Result();
         Wide remainder = ((-Wide(a) % b) + b) % b;
         return Result(Int((Wide(a) + remainder) / b));
       }},
      {"arith.andi", [](Int a, Int b) -> Result { return Int(a & b); }},
      {"arith.ori", [](Int a, Int b) -> Result { return Int(a | b); }},
      {"arith.xori", [](Int a, Int b) -> Result { return Int(a ^ b); }},
      {"arith.maxsi", [](Int a, Int b) -> Result { return std::max(a, b); }},
      {"arith.minsi", [](Int a, Int b) -> Result { return std::min(a, b); }},
      {"arith.maxui", [](Int a, Int b) -> Result { return Int(std::max(U(a), U(b))); }},
      {"arith.minui", [](Int a, Int b) -> Result { return Int(std::min(U(a), U(b))); }},
      {"arith.shli",
       [](Int a, Int b) { return U(b) < kBits<Int> ? Result(Int(uint64_t(a) << b)) : Result(); }},
      {"arith.shrsi",
       [](Int a, Int b) { return U(b) < kBits<Int> ? Result(Int(a >> b)) : Result(); }},
      {"arith.shrui",
       [](Int a, Int b) { return U(b) < kBits<Int> ? Result(Int(U(a) >> b)) : Result(); }},
  };
}

/// Undefined results stay unfolded, except where an identity gives the result without computing.
template <class Int>
void checkAgainst(Folder& folder, const Reference<Int>& reference, Int a, Int b) {
  Type type = folder.integer(kBits<Int>);
  std::vector<Attribute> constants = {IntegerAttr::get(type, a), IntegerAttr::get(type, b)};
  Attribute folded = folder.fold(reference.name, constants, {type});
  std::optional<Int> expected = reference.compute(a, b);
  INFO(reference.name << " " << int64_t(a) << ", " << int64_t(b));
  REQUIRE(static_cast<bool>(folded) == expected.has_value());
  if (expected) CHECK(folded.template cast<IntegerAttr>().value() == int64_t(*expected));
}

template <class Int> void checkAllIntOps() {
  Folder folder;
  std::mt19937_64 random(20);
  std::vector<Int> values = interestingInts<Int>(random, 10);
  for (const Reference<Int>& reference : references<Int>())
    for (Int a : values)
      for (Int b : values)
        checkAgainst(folder, reference, a, b);
}

template <class Int> void checkComparisons() {
  Folder folder;
  std::mt19937_64 random(21);
  using U = Unsigned<Int>;
  std::vector<Int> values = interestingInts<Int>(random, 6);
  Type type = folder.integer(kBits<Int>);
  for (Int a : values)
    for (Int b : values) {
      bool expected[] = {a == b,      a != b,       a<b, a <= b, a> b, a >= b,
                         U(a) < U(b), U(a) <= U(b), U(a) > U(b),       U(a) >= U(b)};
      for (int p = 0; p < 10; ++p) {
        Attribute folded =
            folder.fold("arith.cmpi", {IntegerAttr::get(type, a), IntegerAttr::get(type, b)},
                        {folder.integer(1)}, {folder.predicate(p)});
        REQUIRE(folded);
        CHECK(folded.cast<IntegerAttr>().value() == int64_t(expected[p]));
      }
    }
}

template <class Int> void checkExtended() {
  Folder folder;
  std::mt19937_64 random(22);
  std::vector<Int> values = interestingInts<Int>(random, 8);
  Type type = folder.integer(kBits<Int>);
  auto high = [&](std::string_view op, Int a, Int b) {
    Attribute folded = folder.fold(op, {IntegerAttr::get(type, a), IntegerAttr::get(type, b)},
                                   {type, type}, {}, 1);
    REQUIRE(folded);
    return Int(folded.cast<IntegerAttr>().value());
  };
  for (Int a : values)
    for (Int b : values) {
      using U = Unsigned<Int>;
      CHECK(high("arith.mulsi_extended", a, b) == Int((__int128(a) * b) >> kBits<Int>));
      auto wide = static_cast<unsigned __int128>(U(a)) * U(b);
      CHECK(high("arith.mului_extended", a, b) == Int(wide >> kBits<Int>));
    }
}

/// Floats as bit patterns, so that zeros and NaN count.
bool sameFloat(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
}

template <class Float> std::vector<Float> interestingFloats(std::mt19937_64& random, int count) {
  using Limits = std::numeric_limits<Float>;
  std::vector<Float> values = {Float(0.0),         Float(-0.0),        Float(1.0),
                               Float(-1.0),        Float(1.5),         Float(3.0),
                               Limits::max(),      Limits::min(),      Limits::denorm_min(),
                               Limits::epsilon(),  Limits::infinity(), -Limits::infinity(),
                               Limits::quiet_NaN()};
  using Bits = std::conditional_t<sizeof(Float) == 4, uint32_t, uint64_t>;
  for (int i = 0; i < count; ++i)
    values.push_back(std::bit_cast<Float>(static_cast<Bits>(random())));
  for (int i = 0; i < count; ++i)
    values.push_back(std::ldexp(Float(random() % 100000), int(random() % 30) - 20));
  return values;
}

template <class Float> void checkFloatOps(FloatKind kind) {
  struct Op {
    std::string_view name;
    Float (*compute)(Float, Float);
  };
  const Op ops[] = {
      {"arith.addf", [](Float a, Float b) { return a + b; }},
      {"arith.subf", [](Float a, Float b) { return a - b; }},
      {"arith.mulf", [](Float a, Float b) { return a * b; }},
      {"arith.divf", [](Float a, Float b) { return a / b; }},
      {"arith.remf", [](Float a, Float b) { return std::fmod(a, b); }},
  };
  Folder folder;
  std::mt19937_64 random(23);
  Type type = folder.real(kind);
  std::vector<Float> values = interestingFloats<Float>(random, 10);
  for (const Op& op : ops)
    for (Float a : values)
      for (Float b : values) {
        Attribute folded = folder.fold(
            op.name, {FloatAttr::get(type, double(a)), FloatAttr::get(type, double(b))}, {type});
        INFO(op.name << " " << a << ", " << b);
        REQUIRE(folded);
        CHECK(sameFloat(folded.cast<FloatAttr>().value(), double(op.compute(a, b))));
      }
}

double foldFloat(Folder& folder, std::string_view op, Type type, std::vector<double> values) {
  std::vector<Attribute> constants;
  for (double value : values)
    constants.push_back(FloatAttr::get(type, value));
  Attribute folded = folder.fold(op, constants, {type});
  REQUIRE(folded);
  return folded.cast<FloatAttr>().value();
}

}  // namespace

TEST_CASE("integer folders agree with wrapping arithmetic") {
  checkAllIntOps<int8_t>();
  checkAllIntOps<int16_t>();
  checkAllIntOps<int32_t>();
  checkAllIntOps<int64_t>();
}

TEST_CASE("comparison folders agree with C++ comparisons") {
  checkComparisons<int8_t>();
  checkComparisons<int32_t>();
  checkComparisons<int64_t>();
}

TEST_CASE("high halves of products agree with wide multiplication") {
  checkExtended<int8_t>();
  checkExtended<int32_t>();
  checkExtended<int64_t>();
}

TEST_CASE("odd widths wrap at the width") {
  Folder folder;
  std::mt19937_64 random(24);
  for (unsigned width : {1u, 3u, 5u, 12u, 33u, 63u}) {
    Type type = folder.integer(width);
    uint64_t mask = (uint64_t(1) << width) - 1;
    for (int i = 0; i < 50; ++i) {
      uint64_t a = random() & mask, b = random() & mask;
      Attribute constants[] = {IntegerAttr::get(type, int64_t(a)),
                               IntegerAttr::get(type, int64_t(b))};
      auto folded = [&](std::string_view op) {
        Attribute value = folder.fold(op, {constants[0], constants[1]}, {type});
        REQUIRE(value);
        return value.cast<IntegerAttr>().zext();
      };
      CHECK(folded("arith.addi") == ((a + b) & mask));
      CHECK(folded("arith.subi") == ((a - b) & mask));
      CHECK(folded("arith.muli") == ((a * b) & mask));
      CHECK(folded("arith.maxui") == std::max(a, b));
    }
  }
}

TEST_CASE("float folders agree with the hardware") {
  checkFloatOps<float>(FloatKind::F32);
  checkFloatOps<double>(FloatKind::F64);
}

// Sums and products of two numbers of 11 bits are exact in double or round the same way, so one
// rounding of the double result is the reference.
TEST_CASE("narrow float folders round once into their format") {
  Folder folder;
  std::mt19937_64 random(25);
  for (FloatKind kind : {FloatKind::F16, FloatKind::BF16, FloatKind::F8E5M2}) {
    Type type = folder.real(kind);
    auto number = [&] {
      double whole = double(random() % 4096) - 2048;
      return roundToFormat(kind, std::ldexp(whole, int(random() % 12) - 8));
    };
    for (int i = 0; i < 300; ++i) {
      double a = number(), b = number();
      CHECK(sameFloat(foldFloat(folder, "arith.addf", type, {a, b}), roundToFormat(kind, a + b)));
      CHECK(sameFloat(foldFloat(folder, "arith.mulf", type, {a, b}), roundToFormat(kind, a * b)));
    }
  }
}

TEST_CASE("fused multiply-add rounds once") {
  Folder folder;
  std::mt19937_64 random(26);
  Type f32 = folder.real(FloatKind::F32);
  std::vector<float> values = interestingFloats<float>(random, 6);
  for (float a : values)
    for (float b : values)
      for (float c : values) {
        INFO(a << " * " << b << " + " << c);
        double folded = foldFloat(folder, "math.fma", f32, {a, b, c});
        CHECK(sameFloat(folded, double(std::fma(a, b, c))));
      }
}

TEST_CASE("integers become floats with one rounding") {
  Folder folder;
  std::mt19937_64 random(27);
  Type i64 = folder.integer(64);
  Type f32 = folder.real(FloatKind::F32), f64 = folder.real(FloatKind::F64);
  std::vector<int64_t> values = interestingInts<int64_t>(random, 300);
  values.push_back(9007199791611905);  // rounding to double first gives another float
  for (int64_t value : values) {
    Attribute constant = IntegerAttr::get(i64, value);
    auto folded = [&](std::string_view op, Type type) {
      return folder.fold(op, {constant}, {type}).cast<FloatAttr>().value();
    };
    INFO(value);
    CHECK(folded("arith.sitofp", f32) == double(static_cast<float>(value)));
    CHECK(folded("arith.uitofp", f32) == double(static_cast<float>(uint64_t(value))));
    CHECK(folded("arith.sitofp", f64) == static_cast<double>(value));
    CHECK(folded("arith.uitofp", f64) == static_cast<double>(uint64_t(value)));
  }
}

TEST_CASE("floats become integers only when they fit") {
  Folder folder;
  Type f64 = folder.real(FloatKind::F64), i8 = folder.integer(8), i64 = folder.integer(64);
  auto folded = [&](std::string_view op, double value, Type type) {
    return folder.fold(op, {FloatAttr::get(f64, value)}, {type});
  };
  auto value = [](Attribute a) { return a.cast<IntegerAttr>().value(); };
  CHECK(value(folded("arith.fptosi", 127.9, i8)) == 127);
  CHECK(value(folded("arith.fptosi", -128.9, i8)) == -128);
  CHECK(value(folded("arith.fptosi", -0x1p63, i64)) == std::numeric_limits<int64_t>::min());
  CHECK(folded("arith.fptoui", 255.9, i8).cast<IntegerAttr>().zext() == 255);
  CHECK(value(folded("arith.fptoui", -0.9, i8)) == 0);
  CHECK_FALSE(folded("arith.fptosi", 128.0, i8));
  CHECK_FALSE(folded("arith.fptosi", -129.0, i8));
  CHECK_FALSE(folded("arith.fptosi", 0x1p63, i64));
  CHECK_FALSE(folded("arith.fptoui", 256.0, i8));
  CHECK_FALSE(folded("arith.fptoui", -1.0, i8));
  CHECK_FALSE(folded("arith.fptosi", std::nan(""), i8));
}

TEST_CASE("minimum and maximum order zeros and treat NaN as they say") {
  Folder folder;
  Type f32 = folder.real(FloatKind::F32);
  double nan = std::nan("");
  CHECK(std::signbit(foldFloat(folder, "arith.minimumf", f32, {0.0, -0.0})));
  CHECK_FALSE(std::signbit(foldFloat(folder, "arith.maximumf", f32, {-0.0, 0.0})));
  CHECK(std::isnan(foldFloat(folder, "arith.maximumf", f32, {1.0, nan})));
  CHECK(std::isnan(foldFloat(folder, "arith.minimumf", f32, {nan, 1.0})));
  CHECK(foldFloat(folder, "arith.maxnumf", f32, {nan, 1.0}) == 1.0);
  CHECK(foldFloat(folder, "arith.minnumf", f32, {1.0, nan}) == 1.0);
  CHECK(std::isnan(foldFloat(folder, "arith.minnumf", f32, {nan, nan})));
}

TEST_CASE("dense constants fold element by element") {
  Folder folder;
  Type i16 = folder.integer(16);
  int64_t shape[] = {4};
  auto type = VectorType::get(folder.context, shape, i16);
  auto dense = [&](std::vector<int64_t> values) {
    std::vector<Attribute> elements;
    for (int64_t value : values)
      elements.push_back(IntegerAttr::get(i16, value));
    return DenseElementsAttr::get(type, elements);
  };
  Attribute sum = folder.fold("arith.addi", {dense({1, 32767, -5, 0}), dense({1})}, {type});
  CHECK(sum == dense({2, -32768, -4, 1}));
  CHECK_FALSE(folder.fold("arith.divsi", {dense({1, 2, 3, 4}), dense({1, 0, 1, 1})}, {type}));
}
