// How far the functions of air-fast-floats are from exact values: the interpreter runs them on many
// numbers, and double is the measure. The errors are those that FastFloat.hpp states.
#include "airlite/dialect/Dialects.hpp"
#include "airlite/interp/Interpreter.hpp"
#include "airlite/ir/Type.hpp"
#include "airlite/pass/Pipeline.hpp"
#include "airlite/support/SplitMix64.hpp"
#include "airlite/text/Parser.hpp"
#include "support/catch_all.hpp"
#include "support/pass_support.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

using namespace airlite;
using namespace airlite::interp;

namespace {

constexpr size_t kCount = 4000;

template <class T> MemRef memory(const std::vector<T>& values) {
  MemRef memref{std::make_shared<Memory>(), 0, {static_cast<int64_t>(values.size())}, {1}};
  memref.memory->data.resize(values.size() * sizeof(T));
  memref.memory->known.assign(values.size() * sizeof(T), 1);
  std::memcpy(memref.memory->data.data(), values.data(), values.size() * sizeof(T));
  return memref;
}

template <class T> T elementAt(const MemRef& memref, size_t i) {
  T value{};
  std::memcpy(&value, memref.memory->data.data() + i * sizeof(T), sizeof value);
  return value;
}

struct Numbers {
  std::string_view type;  // f32 or bf16
  double least, most;
  bool isLogarithmic = false;
};

double roundedTo(std::string_view type, double value) {
  const FloatKind kind = type == "f32" ? FloatKind::F32 : FloatKind::BF16;
  return floatFromBits(kind, floatToBits(kind, value));
}

std::vector<double> draw(SplitMix64& random, const Numbers& from) {
  std::vector<double> values;
  for (size_t i = 0; i < kCount; ++i) {
    const double at = static_cast<double>(random.next() >> 11) / 9007199254740992.0;
    const double value = from.isLogarithmic ? from.least * std::pow(from.most / from.least, at)
                                            : from.least + (from.most - from.least) * at;
    values.push_back(roundedTo(from.type, value));
  }
  return values;
}

MemRef memoryOf(std::string_view type, const std::vector<double>& values) {
  if (type == "f32") return memory(std::vector<float>(values.begin(), values.end()));
  std::vector<uint16_t> bits;
  for (double value : values)
    bits.push_back(static_cast<uint16_t>(floatToBits(FloatKind::BF16, value)));
  return memory(bits);
}

double numberAt(std::string_view type, const MemRef& memref, size_t i) {
  if (type == "f32") return elementAt<float>(memref, i);
  return floatFromBits(FloatKind::BF16, elementAt<uint16_t>(memref, i));
}

/// %r = op of %x and %y for all numbers, after the pass.
std::vector<double> computed(const std::string& op, const Numbers& numbers,
                             const std::vector<double>& x, const std::vector<double>& y) {
  Context context;
  registerAllDialects(context);
  const std::string text = fmt::format(R"(
func.func @f(%a: memref<{0}x{1}>, %b: memref<{0}x{1}>, %c: memref<{0}x{1}>) {{
  linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}} ins(%a, %b : memref<{0}x{1}>, memref<{0}x{1}>) outs(%c : memref<{0}x{1}>) {{
  ^bb0(%x: {1}, %y: {1}, %old: {1}):
    {2}
    linalg.yield %r : {1}
  }}
  return
}})",
                                       kCount, numbers.type, op);
  OwningOp module = parseSource(context, text, "in.mlir");
  REQUIRE(module);
  Pipeline pipeline;
  REQUIRE(parsePipeline(context, tests::corePasses(),
                        "air-fast-floats{everywhere=true},canonicalize,cse", pipeline));
  REQUIRE(runPipeline(*module, pipeline, {}).result == PassResult::Changed);
  MemRef result = memoryOf(numbers.type, std::vector<double>(kCount, 0));
  Program program(*module);
  Outcome outcome = program.run(*program.find("f"),
                                {memoryOf(numbers.type, x), memoryOf(numbers.type, y), result});
  REQUIRE(outcome.status == RunStatus::Done);
  std::vector<double> values;
  for (size_t i = 0; i < kCount; ++i)
    values.push_back(numberAt(numbers.type, result, i));
  return values;
}

struct Bound {
  std::string name;
  std::string op;  // with TYPE
  double (*exact)(double, double);
  double ofF32, ofBf16;  ///< binary logarithms of the errors
  double least, most;
  bool isLogarithmic = false, isAbsolute = false;
};

double largestError(const Bound& bound, std::string_view type, SplitMix64& random) {
  const Numbers numbers{type, bound.least, bound.most, bound.isLogarithmic};
  const std::vector<double> x = draw(random, numbers), y = draw(random, numbers);
  std::string op = bound.op;
  for (size_t at; (at = op.find("TYPE")) != std::string::npos;)
    op.replace(at, 4, type);
  const std::vector<double> found = computed(op, numbers, x, y);
  double largest = 0;
  for (size_t i = 0; i < kCount; ++i) {
    const double exact = bound.exact(x[i], y[i]), error = std::abs(found[i] - exact);
    largest = std::max(largest, bound.isAbsolute ? error : error / std::abs(exact));
    if (!std::isfinite(found[i])) return INFINITY;
  }
  return largest;
}

}  // namespace

TEST_CASE("fast floats: errors against double", "[transform][floats]") {
  SplitMix64 random(5);
  const Bound bounds[] = {
      {"mulf", "%r = arith.mulf %x, %y : TYPE", [](double x, double y) { return x * y; }, -21, -8,
       1e-9, 1e9, true},
      {"divf", "%r = arith.divf %x, %y : TYPE", [](double x, double y) { return x / y; }, -20, -8,
       1e-9, 1e9, true},
      {"sqrt", "%r = math.sqrt %x : TYPE", [](double x, double) { return std::sqrt(x); }, -20, -8,
       1e-12, 1e12, true},
      {"rsqrt", "%r = math.rsqrt %x : TYPE", [](double x, double) { return 1 / std::sqrt(x); }, -20,
       -8, 1e-12, 1e12, true},
      {"exp", "%r = math.exp %x : TYPE", [](double x, double) { return std::exp(x); }, -16, -7.7,
       -86, 88},
      {"tanh", "%r = math.tanh %x : TYPE", [](double x, double) { return std::tanh(x); }, -16, -7.1,
       -20, 20},
      {"tanh near 0", "%r = math.tanh %x : TYPE", [](double x, double) { return std::tanh(x); },
       -16, -7.1, 1e-6, 1, true},
      {"erf", "%r = math.erf %x : TYPE", [](double x, double) { return std::erf(x); }, -17, -7.3,
       -5, 5, false, true},
      {"exp2", "%r = math.exp2 %x : TYPE", [](double x, double) { return std::exp2(x); }, -16, -7.7,
       -125, 127},
      {"expm1", "%r = math.expm1 %x : TYPE", [](double x, double) { return std::expm1(x); }, -14,
       -7.4, -5, 80},
      {"expm1 near 0", "%r = math.expm1 %x : TYPE", [](double x, double) { return std::expm1(x); },
       -14, -7.4, 1e-6, 1, true},
      {"log", "%r = math.log %x : TYPE", [](double x, double) { return std::log(x); }, -16, -7.8,
       1e-30, 1e30, true},
      {"log near 1", "%r = math.log %x : TYPE", [](double x, double) { return std::log(x); }, -16,
       -7.8, 1.01, 1.4},
      {"log2", "%r = math.log2 %x : TYPE", [](double x, double) { return std::log2(x); }, -16, -7.8,
       1.1, 4},
      {"log10", "%r = math.log10 %x : TYPE", [](double x, double) { return std::log10(x); }, -16,
       -7.8, 1e3, 1e6, true},
      {"log1p", "%r = math.log1p %x : TYPE", [](double x, double) { return std::log1p(x); }, -16,
       -7.8, 1e-9, 1e9, true},
      {"log1p below 0", "%r = math.log1p %x : TYPE", [](double x, double) { return std::log1p(x); },
       -16, -7.8, -0.9, -0.1},
      {"sin", "%r = math.sin %x : TYPE", [](double x, double) { return std::sin(x); }, -16, -7.8,
       -8, 8, false, true},
      {"cos", "%r = math.cos %x : TYPE", [](double x, double) { return std::cos(x); }, -16, -7.8,
       -8, 8, false, true},
      {"sin of large numbers", "%r = math.sin %x : TYPE",
       [](double x, double) { return std::sin(x); }, -9, -7, -4000, 4000, false, true},
      {"a square", "%k = arith.constant 2.0 : TYPE  %r = math.powf %x, %k : TYPE",
       [](double x, double) { return x * x; }, -20, -8, -1e6, 1e6},
      {"a power of -3", "%k = arith.constant -3.0 : TYPE  %r = math.powf %x, %k : TYPE",
       [](double x, double) { return 1 / (x * x * x); }, -18, -8, 1e-6, 1e6, true},
      {"a power of 0.75", "%k = arith.constant 0.75 : TYPE  %r = math.powf %x, %k : TYPE",
       [](double x, double) { return std::pow(x, 0.75); }, -13, -7.8, 1e-9, 1e9, true},
      {"floor", "%r = math.floor %x : TYPE", [](double x, double) { return std::floor(x); }, -60,
       -60, -300, 300, false, true},
      {"ceil", "%r = math.ceil %x : TYPE", [](double x, double) { return std::ceil(x); }, -60, -60,
       -300, 300, false, true},
      {"trunc", "%r = math.trunc %x : TYPE", [](double x, double) { return std::trunc(x); }, -60,
       -60, -3, 3, false, true},
      {"round", "%r = math.round %x : TYPE", [](double x, double) { return std::round(x); }, -60,
       -60, -3, 3, false, true},
      {"roundeven", "%r = math.roundeven %x : TYPE",
       [](double x, double) { return std::nearbyint(x); }, -60, -60, -1e7, 1e7, false, true},
      {"gelu, by tanh",
       "%h = arith.constant 0.5 : TYPE  %k = arith.constant 0.044715 : TYPE  "
       "%s = arith.constant 0.7978845608 : TYPE  %one = arith.constant 1.0 : TYPE  "
       "%q = arith.mulf %x, %x : TYPE  %t = arith.mulf %q, %x : TYPE  %u = arith.mulf %t, %k : "
       "TYPE  "
       "%v = arith.addf %x, %u : TYPE  %w = arith.mulf %v, %s : TYPE  %z = math.tanh %w : TYPE  "
       "%p = arith.addf %z, %one : TYPE  %n = arith.mulf %p, %x : TYPE  %r = arith.mulf %n, %h : "
       "TYPE",
       [](double x, double) {
         return 0.5 * x * (1 + std::tanh(0.7978845608 * (x + 0.044715 * x * x * x)));
       },
       -12, -4, -4, 4, false, true},
      {"maximumf", "%r = arith.maximumf %x, %y : TYPE",
       [](double x, double y) { return std::max(x, y); }, -60, -60, -1e3, 1e3, false, true},
      {"minnumf", "%r = arith.minnumf %x, %y : TYPE",
       [](double x, double y) { return std::min(x, y); }, -60, -60, -1e3, 1e3, false, true},
      {"relu", "%z = arith.constant 0.0 : TYPE  %r = arith.maximumf %z, %x : TYPE",
       [](double x, double) { return std::max(x, 0.0); }, -60, -60, -1e3, 1e3, false, true},
      {"negf, absf",
       "%n = arith.negf %x : TYPE  %p = math.absf %n : TYPE  %r = arith.negf %p : TYPE",
       [](double x, double) { return -std::abs(x); }, -60, -60, -1e3, 1e3, false, true},
  };
  for (const Bound& bound : bounds) {
    for (std::string_view type : {"f32", "bf16"}) {
      const bool isComparing = bound.ofF32 == -60;
      if (isComparing && type == "bf16" && bound.name.ends_with("mumf")) continue;  // stays
      if (type == "bf16" && bound.name == "minnumf") continue;
      const double error = std::log2(largestError(bound, type, random));
      INFO(bound.name << " of " << type << ": 2^" << error);
      CHECK(error <= (type == "f32" ? bound.ofF32 : bound.ofBf16));
    }
  }
}

TEST_CASE("fast floats: comparisons", "[transform][floats]") {
  SplitMix64 random(6);
  for (std::string_view type : {"f32", "bf16"})
    for (std::string_view predicate : {"olt", "ogt", "ole", "oge", "oeq", "one", "ult", "une"}) {
      const Numbers numbers{type, -2, 2};
      std::vector<double> x = draw(random, numbers), y = draw(random, numbers);
      for (size_t i = 0; i < kCount; i += 3)
        y[i] = x[i];
      const std::vector<double> found =
          computed(fmt::format("%t = arith.cmpf {}, %x, %y : {}  %r = arith.select %t, %x, %y : {}",
                               predicate, type, type),
                   numbers, x, y);
      for (size_t i = 0; i < kCount; ++i) {
        const std::string_view order = predicate.substr(1);
        const bool holds = order == "lt"   ? x[i] < y[i]
                           : order == "gt" ? x[i] > y[i]
                           : order == "le" ? x[i] <= y[i]
                           : order == "ge" ? x[i] >= y[i]
                           : order == "eq" ? x[i] == y[i]
                                           : x[i] != y[i];
        if (found[i] != (holds ? x[i] : y[i])) FAIL(predicate << " of " << x[i] << " and " << y[i]);
      }
    }
}

TEST_CASE("fast floats: comparisons of zeros, infinities and NaN", "[transform][floats]") {
  struct Row {
    std::string_view predicate;
    double x, y;
    bool holds;
  };
  const Row rows[] = {
      {"olt", -0.0, 0.0, false},
      {"oeq", -0.0, 0.0, true},
      {"oge", -0.0, 0.0, true},
      {"one", -0.0, 0.0, false},
      {"ogt", 0.0, -0.0, false},
      {"oeq", INFINITY, INFINITY, true},
      {"oge", -INFINITY, -INFINITY, true},
      {"olt", -INFINITY, -3e38, true},
      {"ogt", INFINITY, 3e38, true},
      {"one", INFINITY, INFINITY, false},
      {"olt", -1e-40, 0.0, true},
      {"oeq", -INFINITY, INFINITY, false},
  };
  auto compared = [](std::string_view type, const std::string& operands, double x, double y) {
    const std::vector<double> left(kCount, x), right(kCount, y);
    return computed(
               fmt::format("%t = arith.cmpf {}  %r = arith.uitofp %t : i1 to {}", operands, type),
               {type, 0, 0}, left, right)[0] == 1;
  };
  for (std::string_view type : {"f32", "bf16"}) {
    for (const Row& row : rows) {
      INFO(row.predicate << " of " << row.x << " and " << row.y << " in " << type);
      CHECK(compared(type, fmt::format("{}, %x, %y : {}", row.predicate, type), row.x, row.y) ==
            row.holds);
    }
    for (double x : {double{NAN}, -double{NAN}, 1.0, double{INFINITY}, -0.0})
      for (std::string_view predicate : {"une", "uno", "oeq", "ord"}) {
        INFO(predicate << " of " << x << " and itself in " << type);
        CHECK(compared(type, fmt::format("{}, %x, %x : {}", predicate, type), x, x) ==
              (std::isnan(x) == predicate.starts_with('u')));
      }
  }
}

TEST_CASE("fast floats: powers of zeros and negative numbers", "[transform][floats]") {
  struct Row {
    double exponent, x, result;
  };
  const Row rows[] = {{2.5, 0, 0},  {0.3333, -0.0, 0}, {-1.5, 0, INFINITY}, {9, -2, -512},
                      {10, -1, 1},  {10, -2, 1024},    {9, 0, 0},           {40, -1, 1},
                      {-9, -1, -1}, {2.5, 4, 32},      {1.5, -4, NAN},      {11, -0.0, 0}};
  for (std::string_view type : {"f32", "bf16"})
    for (const Row& row : rows) {
      const std::vector<double> x(kCount, row.x);
      const double found =
          computed(fmt::format("%k = arith.constant {0:.4f} : {1}  %r = math.powf %x, %k : {1}",
                               row.exponent, type),
                   {type, 0, 0}, x, x)[0];
      INFO(row.x << " to the power of " << row.exponent << " in " << type << ": " << found);
      if (std::isnan(row.result))
        CHECK(std::isnan(found));
      else
        CHECK((found == row.result || std::abs(found - row.result) <= 0.01 * std::abs(row.result)));
    }
}

TEST_CASE("fast floats: exponentials beyond the numbers of f32", "[transform][floats]") {
  const Numbers numbers{"f32", 0, 0};
  std::vector<double> x(kCount, -INFINITY);
  x[1] = -200, x[2] = 200, x[3] = 88.8, x[4] = -87.4;
  const std::vector<double> found = computed("%r = math.exp %x : f32", numbers, x, x);
  CHECK(found[0] == 0);
  CHECK(found[1] == 0);
  CHECK(std::isinf(found[2]));
  CHECK(std::isinf(found[3]));
  CHECK(found[4] == 0);
}

TEST_CASE("fast floats: functions at their limits", "[transform][floats]") {
  struct Limit {
    std::string_view op;
    double x, result;
  };
  const Limit limits[] = {{"math.tanh %x", 20, 1},
                          {"math.tanh %x", -20, -1},
                          {"math.erf %x", 20, 1},
                          {"math.erf %x", -1e30, -1},
                          {"math.exp2 %x", -200, 0},
                          {"math.exp2 %x", 200, INFINITY},
                          {"math.exp2 %x", -126, 1.1754943508222875e-38},
                          {"math.expm1 %x", -200, -1},
                          {"math.log %x", 0, -INFINITY},
                          {"math.log %x", INFINITY, INFINITY},
                          {"math.log1p %x", -1, -INFINITY},
                          {"math.floor %x", -0x1p100, -0x1p100},
                          {"math.ceil %x", 65536, 65536},
                          {"arith.divf %one, %x", INFINITY, 0},
                          {"arith.divf %one, %x", -1e38, 0},
                          {"arith.divf %one, %x", 2e38, 0},
                          {"arith.divf %one, %x", NAN, NAN},
                          {"math.rsqrt %x", -1, NAN},
                          {"math.sqrt %x", 0, 0},
                          {"math.sqrt %x", -1, NAN}};
  for (std::string_view type : {"f32", "bf16"})
    for (const Limit& limit : limits) {
      const std::vector<double> x(kCount, limit.x);
      const std::string op =
          fmt::format("%one = arith.constant 1.0 : {0}  %r = {1} : {0}", type, limit.op);
      const double found = computed(op, {type, 0, 0}, x, x)[0];
      INFO(limit.op << " of " << limit.x << " in " << type << ": " << found);
      CHECK((std::isnan(limit.result)
                 ? std::isnan(found)
                 : found == limit.result || std::abs(found - limit.result) < 1e-37));
    }
}

TEST_CASE("fast floats: a sigmoid of a large negative number is 0", "[transform][floats]") {
  for (std::string_view type : {"f32", "bf16"}) {
    const std::vector<double> x(kCount, -200);
    const std::string op = fmt::format(
        "%one = arith.constant 1.0 : {0}  %n = arith.negf %x : {0}  %e = math.exp %n : {0}  "
        "%d = arith.addf %e, %one : {0}  %r = arith.divf %one, %d : {0}",
        type);
    CHECK(computed(op, {type, 0, 0}, x, x)[0] == 0);
  }
}
