// Arithmetic, casts and math in kernels against the same in C++.
#include "EmitTest.hpp"
#include "airlite/ir/Attribute.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

using namespace airlite;
using namespace airlite::gpu;
using namespace airlite::gpu::test;

namespace {

/// Applies each of `ops` and stores what it gives to `%out[op, %i]`.
std::string resultsOf(const std::vector<std::string>& ops, const std::string& arguments,
                      const std::string& out) {
  std::string text;
  std::vector<std::string> values;
  for (const std::string& op : ops) {
    values.push_back("%r" + std::to_string(values.size()));
    text += values.back() + " = " + op + " " + arguments + "\n";
  }
  return text + storeEach(values, out, ", %i");
}

/// A kernel that applies each binary op to all pairs of `a` and `b`: out[op][i].
template <class T>
std::vector<T> applyAll(const std::string& type, const std::vector<std::string>& ops,
                        std::vector<T> a, std::vector<T> b) {
  const auto n = std::to_string(a.size()), rows = std::to_string(ops.size());
  const auto in = "memref<" + n + "x" + type + ">";
  const auto out = "memref<" + rows + "x" + n + "x" + type + ">";
  std::string body = "%i = gpu.thread_id x\n %x = memref.load %a[%i] : " + in +
                     "\n %y = memref.load %b[%i] : " + in + "\n";
  body += resultsOf(ops, "%x, %y : " + type, out);
  Program program(
      oneKernel("%a: " + in + ", %b: " + in + ", %out: " + out, body, static_cast<int>(a.size())));
  std::vector<T> result(a.size() * ops.size());
  runMain(hostOf(program), {bufferOf(a), bufferOf(b),
                            bufferOf(result, {static_cast<std::int64_t>(ops.size()),
                                              static_cast<std::int64_t>(a.size())})});
  compileForAll(program);
  return result;
}

template <class T> struct Pairs { std::vector<T> a, b; };

template <class T> Pairs<T> integerPairs() {
  const T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  Pairs<T> pairs;
  for (T x : {T(0), T(1), T(-1), T(7), T(-7), T(100), low, high})
    for (T y : {T(1), T(2), T(-2), T(3), T(-3), T(7), high}) {
      pairs.a.push_back(x);
      pairs.b.push_back(y);
    }
  return pairs;
}

std::int64_t floorDiv(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(std::floor(static_cast<double>(a) / static_cast<double>(b)));
}
std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(std::ceil(static_cast<double>(a) / static_cast<double>(b)));
}

template <class T> void checkIntegers(const std::string& type) {
  using U = std::make_unsigned_t<T>;
  const auto pairs = integerPairs<T>();
  const auto n = pairs.a.size();
  const auto got =
      applyAll<T>(type,
                  {"arith.addi", "arith.subi", "arith.muli", "arith.divsi", "arith.remsi",
                   "arith.divui", "arith.remui", "arith.floordivsi", "arith.ceildivsi",
                   "arith.ceildivui", "arith.andi", "arith.xori", "arith.maxsi", "arith.minui"},
                  pairs.a, pairs.b);
  for (size_t i = 0; i < n; ++i) {
    const T a = pairs.a[i], b = pairs.b[i];
    const U ua = static_cast<U>(a), ub = static_cast<U>(b);
    const T expected[] = {T(ua + ub),
                          T(ua - ub),
                          T(U(std::uint64_t(ua) * ub)),
                          T(a / b),
                          T(a % b),
                          T(ua / ub),
                          T(ua % ub),
                          T(floorDiv(a, b)),
                          T(ceilDiv(a, b)),
                          T(ua / ub + (ua % ub != 0)),
                          T(a & b),
                          T(a ^ b),
                          std::max(a, b),
                          T(std::min(ua, ub))};
    for (size_t k = 0; k < std::size(expected); ++k) {
      INFO(type << " op " << k << " of " << +a << ", " << +b);
      CHECK(got[k * n + i] == expected[k]);
    }
  }
}

float fromBits16(airlite::FloatKind kind, std::uint16_t bits) {
  return static_cast<float>(floatFromBits(kind, bits));
}

/// Sums and products in a 16-bit format are those of f32, rounded.
void checkHalf(const std::string& type, airlite::FloatKind kind) {
  Pairs<std::uint16_t> pairs;
  for (double x : {0.0, 1.0, -1.5, 3.140625, 1000.0, 1e-3, -65504.0})
    for (double y : {1.0, 0.1, -7.0, 2048.5}) {
      pairs.a.push_back(static_cast<std::uint16_t>(floatToBits(kind, x)));
      pairs.b.push_back(static_cast<std::uint16_t>(floatToBits(kind, y)));
    }
  const auto n = pairs.a.size();
  const auto got = applyAll<std::uint16_t>(
      type, {"arith.addf", "arith.subf", "arith.mulf", "arith.maximumf"}, pairs.a, pairs.b);
  for (size_t i = 0; i < n; ++i) {
    const float a = fromBits16(kind, pairs.a[i]), b = fromBits16(kind, pairs.b[i]);
    const float expected[] = {a + b, a - b, a * b, std::max(a, b)};
    for (size_t k = 0; k < 4; ++k) {
      INFO(type << " op " << k << " of " << a << ", " << b);
      CHECK(got[k * n + i] == floatToBits(kind, expected[k]));
    }
  }
}

/// out[k][i] = op k of x[i].
std::vector<float> applyMath(const std::vector<std::string>& ops, std::vector<float> x,
                             bool isCompiled = true) {
  const auto n = std::to_string(x.size()), rows = std::to_string(ops.size());
  const auto out = "memref<" + rows + "x" + n + "xf32>";
  std::string body = "%i = gpu.thread_id x\n %x = memref.load %a[%i] : memref<" + n + "xf32>\n";
  body += resultsOf(ops, "%x : f32", out);
  Program program(
      oneKernel("%a: memref<" + n + "xf32>, %out: " + out, body, static_cast<int>(x.size())));
  std::vector<float> result(x.size() * ops.size());
  runMain(hostOf(program), {bufferOf(x), bufferOf(result, {static_cast<std::int64_t>(ops.size()),
                                                           static_cast<std::int64_t>(x.size())})});
  if (isCompiled) compileForAll(program);
  return result;
}

}  // namespace

TEST_CASE("integer arithmetic is that of C++") {
  SECTION("i8") { checkIntegers<std::int8_t>("i8"); }
  SECTION("i16") { checkIntegers<std::int16_t>("i16"); }
  SECTION("i32") { checkIntegers<std::int32_t>("i32"); }
}

TEST_CASE("f16 and bf16 round as they should") {
  checkHalf("f16", airlite::FloatKind::F16);
  checkHalf("bf16", airlite::FloatKind::BF16);
}

TEST_CASE("casts") {
  Program program(oneKernel("%x: memref<8xf32>, %out: memref<10x8xi64>",
                            R"(
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<8xf32>
    %si = arith.fptosi %v : f32 to i32
    %si8 = arith.trunci %si : i32 to i8
    %e0 = arith.extsi %si8 : i8 to i64
    %e1 = arith.extui %si8 : i8 to i64
    %h = arith.truncf %v : f32 to f16
    %hb = arith.bitcast %h : f16 to i16
    %e2 = arith.extui %hb : i16 to i64
    %b = arith.truncf %v : f32 to bf16
    %bb = arith.bitcast %b : bf16 to i16
    %e3 = arith.extui %bb : i16 to i64
    %d = arith.extf %v : f32 to f64
    %e4 = arith.bitcast %d : f64 to i64
    %f = arith.sitofp %si8 : i8 to f32
    %fb = arith.bitcast %f : f32 to i32
    %e5 = arith.extui %fb : i32 to i64
    %u = arith.uitofp %si8 : i8 to f32
    %ub = arith.bitcast %u : f32 to i32
    %e6 = arith.extui %ub : i32 to i64
    %ix = arith.index_cast %si8 : i8 to index
    %e7 = arith.index_cast %ix : index to i64
    %iu = arith.index_castui %si8 : i8 to index
    %e8 = arith.index_cast %iu : index to i64
    %zero = arith.constant 0.0 : f32
    %neg = arith.cmpf olt, %v, %zero : f32
    %e9 = arith.extui %neg : i1 to i64
    )" + storeEach({"%e0", "%e1", "%e2", "%e3", "%e4", "%e5", "%e6", "%e7", "%e8", "%e9"},
                   "memref<10x8xi64>", ", %i"),
                            8));
  std::vector<float> x = {0.0f, 1.5f, -1.5f, 127.9f, -128.0f, 300.3f, 1e-3f, -65000.0f};
  std::vector<std::int64_t> out(80);
  runMain(hostOf(program), {bufferOf(x), bufferOf(out, {10, 8})});
  for (size_t i = 0; i < 8; ++i) {
    const auto narrow = static_cast<std::int8_t>(static_cast<std::int32_t>(x[i]));
    const auto wide = static_cast<std::uint8_t>(narrow);
    INFO("of " << x[i]);
    CHECK(out[i] == narrow);
    CHECK(out[8 + i] == wide);
    CHECK(static_cast<std::uint64_t>(out[16 + i]) == floatToBits(airlite::FloatKind::F16, x[i]));
    CHECK(static_cast<std::uint64_t>(out[24 + i]) == floatToBits(airlite::FloatKind::BF16, x[i]));
    CHECK(out[32 + i] == std::bit_cast<std::int64_t>(static_cast<double>(x[i])));
    CHECK(out[40 + i] == std::bit_cast<std::uint32_t>(static_cast<float>(narrow)));
    CHECK(out[48 + i] == std::bit_cast<std::uint32_t>(static_cast<float>(wide)));
    CHECK(out[56 + i] == narrow);
    CHECK(out[64 + i] == wide);
    CHECK(out[72 + i] == (x[i] < 0));
  }
  compileForAll(program);
}

TEST_CASE("both halves of products, sums with a carry, selection") {
  Program program(oneKernel("%out: memref<6xi32>, %a: i32, %b: i32", R"(
    %low, %high = arith.mulsi_extended %a, %b : i32
    %ulow, %uhigh = arith.mului_extended %a, %b : i32
    %sum, %carry = arith.addui_extended %a, %b : i32, i1
    %less = arith.cmpi slt, %a, %b : i32
    %min = arith.select %less, %a, %b : i32
    %bit = arith.extui %carry : i1 to i32)" + storeEach({"%low", "%high", "%uhigh", "%sum", "%bit",
                                                         "%min"},
                                                        "memref<6xi32>")));
  std::vector<std::int32_t> out(6);
  const std::int32_t a = -123456789, b = 987654321;
  runMain(hostOf(program), {bufferOf(out), HostValue::ofInteger(a), HostValue::ofInteger(b)});
  const std::int64_t product = std::int64_t{a} * b;
  const auto wide = std::uint64_t{static_cast<std::uint32_t>(a)} * static_cast<std::uint32_t>(b);
  CHECK(out[0] == static_cast<std::int32_t>(product));
  CHECK(out[1] == static_cast<std::int32_t>(product >> 32));
  CHECK(out[2] == static_cast<std::int32_t>(wide >> 32));
  CHECK(out[3] == a + b);
  CHECK(out[4] == 1);
  CHECK(out[5] == a);
  compileForAll(program);
}

TEST_CASE("math on f32") {
  const std::vector<float> x = {0.0f,  -0.0f, 1e-4f, 0.2f, -0.3f, 0.49f,
                                0.51f, 1.0f,  -2.5f, 9.0f, 40.0f};
  using Function = double (*)(double);
  const std::pair<const char*, Function> functions[] = {
      {"tanh", std::tanh},   {"erf", std::erf},     {"exp", std::exp},     {"sin", std::sin},
      {"cos", std::cos},     {"absf", std::fabs},   {"floor", std::floor}, {"ceil", std::ceil},
      {"round", std::round}, {"trunc", std::trunc}, {"tan", std::tan},     {"atan", std::atan},
      {"sinh", std::sinh},   {"cosh", std::cosh},   {"expm1", std::expm1}, {"cbrt", std::cbrt},
      {"sqrt", nullptr}};
  std::vector<std::string> ops;
  for (const auto& [name, function] : functions)
    ops.push_back(std::string("math.") + name);
  const auto got = applyMath(ops, x);
  for (size_t k = 0; k < ops.size(); ++k)
    for (size_t i = 0; i < x.size(); ++i) {
      INFO(ops[k] << " of " << x[i]);
      if (!functions[k].second) continue;  // of negative numbers as well: compiled only
      const double expected = functions[k].second(x[i]);
      CHECK(got[k * x.size() + i] == Approx(expected).epsilon(1e-6).margin(1e-30));
    }
}

/// How far the functions that kernels spell out are from the exact values at most, in units of the last place
/// of f32, on this machine: those of docs/gpu.md. Between `low` and `high`, and the same with the other sign
/// where the function is odd or even.
struct FunctionBound {
  const char* name;
  double (*exact)(double);
  double low, high;
  double units;
  bool takesNegative = true;
};

double unitsBetween(float found, double exact) {
  const auto nearest = static_cast<float>(exact);
  if (found == nearest || (std::isnan(found) && std::isnan(nearest))) return 0;
  if (!std::isfinite(found) || !std::isfinite(nearest)) return 1e9;
  const float next = std::nextafter(std::fabs(nearest), std::numeric_limits<float>::infinity());
  return std::fabs(double{found} - exact) / (double{next} - std::fabs(nearest));
}

TEST_CASE("functions that kernels spell out keep their bounds") {
  const FunctionBound bounds[] = {
      {"tan", std::tan, 1e-6, 1e4, 3},
      {"asin", std::asin, 1e-6, 1, 4},
      {"acos", std::acos, 1e-6, 1, 3},
      {"atan", std::atan, 1e-6, 1e6, 3},
      {"sinh", std::sinh, 1e-6, 88, 5},
      {"cosh", std::cosh, 1e-6, 88, 3},
      {"tanh", std::tanh, 1e-6, 20, 4},
      {"erf", std::erf, 1e-6, 6, 6},
      {"expm1", std::expm1, 1e-6, 88, 3},
      {"cbrt", std::cbrt, 1e-6, 1e30, 2},
      {"log1p", std::log1p, 1e-6, 1e30, 3, false},
  };
  for (const auto& each : bounds) {
    std::mt19937 random(4);
    std::uniform_real_distribution<double> exponent(std::log(each.low), std::log(each.high));
    std::vector<float> x(1024);
    double most = 0;
    float worst = 0;
    for (int round = 0; round < 16; ++round) {
      for (float& number : x) {
        number = static_cast<float>(std::exp(exponent(random)));
        if (each.takesNegative && random() % 2) number = -number;
      }
      const auto got = applyMath({std::string("math.") + each.name}, x, false);
      for (size_t i = 0; i < x.size(); ++i) {
        const double units = unitsBetween(got[i], each.exact(double{x[i]}));
        if (units > most) worst = x[i];
        most = std::max(most, units);
      }
    }
    INFO(each.name << " of " << worst << ": " << most);
    CHECK(most <= each.units);
  }
}

TEST_CASE("math on f32 where not all numbers are allowed") {
  const std::vector<float> x = {0.0f, 1e-6f, 0.1f, 0.5f, 0.7f, 0.999f, 1.0f};
  const auto got = applyMath(
      {"math.asin", "math.acos", "math.log1p", "math.exp2", "math.sqrt", "math.rsqrt", "math.log"},
      x);
  const auto n = x.size();
  for (size_t i = 0; i < n; ++i) {
    INFO("of " << x[i]);
    const double v = x[i];
    CHECK(got[i] == Approx(std::asin(v)).epsilon(1e-6));
    CHECK(got[n + i] == Approx(std::acos(v)).epsilon(1e-6));
    CHECK(got[2 * n + i] == Approx(std::log1p(v)).epsilon(1e-6));
    CHECK(got[3 * n + i] == Approx(std::exp2(v)).epsilon(1e-6));
    CHECK(got[4 * n + i] == std::sqrt(x[i]));
    CHECK(got[5 * n + i] == static_cast<float>(1.0 / std::sqrt(double{x[i]})));
    if (v > 0) CHECK(got[6 * n + i] == Approx(std::log(v)).epsilon(1e-6));
  }
}

TEST_CASE("the angle of a point") {
  std::vector<float> y, x;
  const float infinity = std::numeric_limits<float>::infinity();
  for (float a : {0.0f, -0.0f, 1.0f, -3.0f, 1e-3f, infinity, -infinity})
    for (float b : {0.0f, -0.0f, 1.0f, -2.0f, 500.0f, infinity, -infinity}) {
      y.push_back(a);
      x.push_back(b);
    }
  const auto got = applyAll<float>("f32", {"math.atan2", "math.powf", "math.copysign"}, y, x);
  for (size_t i = 0; i < x.size(); ++i) {
    INFO("of " << y[i] << ", " << x[i]);
    CHECK(got[i] == Approx(std::atan2(double{y[i]}, double{x[i]})).epsilon(1e-6));
    CHECK(std::signbit(got[i]) == std::signbit(y[i]));
    CHECK(got[2 * x.size() + i] == std::copysign(y[i], x[i]));
  }
}
