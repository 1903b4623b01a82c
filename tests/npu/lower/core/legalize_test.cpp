// What a function computes before and after air-aie-legalize-core, bit by bit.
#include "LegalizeTesting.hpp"

#include <fmt/format.h>

#include <cstdlib>

using namespace airlite;
using namespace airlite::npu;

namespace {

/// `%r = OP` on scalars of these types.
std::string scalarFunction(std::string_view op, const std::vector<std::string>& types,
                           std::string_view suffix, std::string_view result) {
  std::string parameters, operands;
  for (size_t i = 0; i < types.size(); ++i) {
    parameters += fmt::format("{}%a{}: {}", i ? ", " : "", i, types[i]);
    operands += fmt::format("{}%a{}", i ? ", " : "", i);
  }
  return fmt::format("func.func @f({}) -> {} {{\n  %r = {} {} : {}\n  return %r : {}\n}}\n",
                     parameters, result, op, operands, suffix, result);
}

void checkScalar(std::string_view op, const std::vector<std::string>& types,
                 std::string_view suffix, std::string_view result, int runs = 1500) {
  std::string text = scalarFunction(op, types, suffix, result);
  INFO(text);
  LegalizedPair pair(text);
  SplitMix64 random(3);
  pair.compare(random, runs);
}

/// What %x0, %x1 and %x2 leave when they are divided by a constant: any number, one beside a multiple, one at the ends.
std::string divisionsBy(int64_t divisor, const std::string& type) {
  const unsigned width = type == "i8" ? 8 : type == "i16" ? 16 : 32;
  const int64_t least = -(int64_t(1) << (width - 1)), most = -(least + 1);
  std::string text = fmt::format(R"(  %c = arith.constant {0} : {1}
  %three = arith.constant 3 : {1}
  %zero = arith.constant 0 : {1}
  %least = arith.constant {2} : {1}
  %most = arith.constant {3} : {1}
  %near = arith.andi %b, %three : {1}
  %product = arith.muli %x0, %c : {1}
  %below = arith.subi %product, %three : {1}
  %x1 = arith.addi %below, %near : {1}
  %isLow = arith.cmpi slt, %b, %zero : {1}
  %low = arith.addi %least, %near : {1}
  %high = arith.subi %most, %near : {1}
  %x2 = arith.select %isLow, %low, %high : {1}
)",
                                 divisor, type, least, most);
  std::string results, types;
  for (std::string op : {"divsi", "divui", "remsi", "remui", "floordivsi"})
    for (int x = 0; x < 3; ++x) {
      text += fmt::format("  %{0}{1} = arith.{0} %x{1}, %c : {2}\n", op, x, type);
      results += fmt::format("{}%{}{}", results.empty() ? "" : ", ", op, x);
      types += (types.empty() ? "" : ", ") + type;
    }
  return fmt::format("func.func @f(%x0: {0}, %b: {0}) -> ({1}) {{\n{2}  return {3} : {1}\n}}\n",
                     type, types, text, results);
}

}  // namespace

TEST_CASE("legalize: float arithmetic", "[npu][legalize]") {
  for (std::string type : {"f32", "bf16"}) {
    for (std::string op :
         {"arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.maximumf",
          "arith.minimumf", "arith.maxnumf", "arith.minnumf", "math.copysign", "math.powf"})
      checkScalar(op, {type, type}, type, type);
    for (std::string op :
         {"arith.negf", "math.absf", "math.exp", "math.sqrt", "math.rsqrt", "math.floor",
          "math.ceil", "math.trunc", "math.round", "math.roundeven", "math.log", "math.log2",
          "math.log10", "math.tanh", "math.sin", "math.cos", "math.exp2"})
      checkScalar(op, {type}, type, type);
    checkScalar("math.erf", {type}, type, type, 150);
  }
  for (std::string type : {"f32", "bf16"})
    checkScalar("math.fma", {type, type, type}, type, type, 20'000);
}

TEST_CASE("legalize: float comparisons", "[npu][legalize]") {
  for (std::string predicate : {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq",
                                "ugt", "uge", "ult", "ule", "une", "uno", "true"})
    for (std::string type : {"f32", "bf16"})
      checkScalar("arith.cmpf " + predicate + ",", {type, type}, type, "i1", 600);
}

TEST_CASE("legalize: float conversions", "[npu][legalize]") {
  checkScalar("arith.extf", {"bf16"}, "bf16 to f32", "f32");
  checkScalar("arith.truncf", {"f32"}, "f32 to bf16", "bf16");
  for (std::string integer : {"i1", "i8", "i16", "i32"})
    for (std::string type : {"f32", "bf16"}) {
      checkScalar("arith.sitofp", {integer}, integer + " to " + type, type);
      checkScalar("arith.uitofp", {integer}, integer + " to " + type, type);
      checkScalar("arith.fptosi", {type}, type + " to " + integer, integer);
      checkScalar("arith.fptoui", {type}, type + " to " + integer, integer);
    }
}

TEST_CASE("legalize: integers", "[npu][legalize]") {
  for (std::string type : {"i8", "i16", "i32"}) {
    for (std::string op : {"math.absi", "math.ctlz", "math.cttz", "math.ctpop"})
      checkScalar(op, {type}, type, type);
    // An operand is a divisor that is not zero.
    for (std::string op : {"ceildivsi", "floordivsi", "ceildivui"}) {
      LegalizedPair pair(
          fmt::format("func.func @f(%a: {0}, %b: {0}) -> {0} {{\n  %c3 = arith.constant 3 : {0}\n"
                      "  %c7 = arith.constant 7 : {0}\n  %s = arith.shrsi %b, %c3 : {0}\n"
                      "  %z = arith.constant 0 : {0}\n  %n = arith.cmpi eq, %s, %z : {0}\n"
                      "  %d = arith.select %n, %c7, %s : {0}\n  %r = arith.{1} %a, %d : {0}\n"
                      "  return %r : {0}\n}}\n",
                      type, op));
      SplitMix64 random(4);
      pair.compare(random, 1500);
    }
  }
  for (std::string op : {"addui_extended", "mulsi_extended", "mului_extended"}) {
    std::string last = op == "addui_extended" ? "i1" : "i32";
    LegalizedPair pair(fmt::format(
        "func.func @f(%a: i32, %b: i32) -> (i32, {0}) {{\n  %l, %h = arith.{1} %a, %b : i32{2}\n"
        "  return %l, %h : i32, {0}\n}}\n",
        last, op, last == "i1" ? ", i1" : ""));
    SplitMix64 random(6);
    pair.compare(random, 1500);
  }
}

TEST_CASE("legalize: integers divided by constants", "[npu][legalize]") {
  SplitMix64 random(7);
  auto check = [&](int64_t divisor, const std::string& type, int runs) {
    LegalizedPair pair(divisionsBy(divisor, type));
    pair.compare(random, runs);
  };
  for (int64_t divisor = -128; divisor < 128; ++divisor)
    if (std::abs(divisor) > 1) check(divisor, "i8", 40);
  for (std::string type : {"i16", "i32"}) {
    const unsigned width = type == "i16" ? 16 : 32;
    const int64_t least = -(int64_t(1) << (width - 1));
    for (int64_t divisor : {int64_t(3), int64_t(7), int64_t(10), int64_t(641), int64_t(-7), least,
                            least + 1, -least - 1})
      check(divisor, type, 200);
    for (unsigned i = 0; i < 100; ++i) {
      const auto bits = static_cast<int64_t>(random.next()) >> (64 - width + i % (width - 3));
      if (std::abs(bits) > 1) check(bits, type, 60);
    }
  }
}

TEST_CASE("legalize: memory of several dimensions and views", "[npu][legalize]") {
  LegalizedPair pair(R"(
#map = affine_map<(d0, d1) -> (d1, d0)>
memref.global "private" constant @table : memref<2x3xi32> = dense<[[1, 2, 3], [4, 5, 6]]>
func.func @g(%m: memref<2x3xi32>, %i: index) -> i32 {
  %c1 = arith.constant 1 : index
  %v = memref.load %m[%c1, %i] : memref<2x3xi32>
  return %v : i32
}
func.func @f(%a: memref<4x6x8xi32>, %s: memref<i32>, %i: index) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %view = memref.subview %a[%i, 1, 2] [1, 4, 3] [1, 1, 2]
      : memref<4x6x8xi32> to memref<4x3xi32, strided<[8, 2], offset: ?>>
  %turned = memref.transpose %view (d0, d1) -> (d1, d0)
      : memref<4x3xi32, strided<[8, 2], offset: ?>> to memref<3x4xi32, strided<[2, 8], offset: ?>>
  %flat = memref.collapse_shape %a [[0, 1], [2]] : memref<4x6x8xi32> into memref<24x8xi32>
  %split = memref.expand_shape %flat [[0, 1], [2, 3]] output_shape [8, 3, 4, 2]
      : memref<24x8xi32> into memref<8x3x4x2xi32>
  %open = memref.cast %a : memref<4x6x8xi32> to memref<?x6x8xi32>
  %n = memref.dim %a, %c2 : memref<4x6x8xi32>
  scf.for %x = %c0 to %c3 step %c1 {
    %t = memref.load %turned[%x, %i] : memref<3x4xi32, strided<[2, 8], offset: ?>>
    %u = memref.load %split[%x, %c2, %i, %c1] : memref<8x3x4x2xi32>
    %w = memref.load %open[%i, %x, %c3] : memref<?x6x8xi32>
    %v = memref.load %s[] : memref<i32>
    %tu = arith.addi %t, %u : i32
    %vw = arith.xori %v, %w : i32
    %sum = arith.muli %tu, %vw : i32
    memref.store %sum, %s[] : memref<i32>
    memref.store %sum, %view[%i, %x] : memref<4x3xi32, strided<[8, 2], offset: ?>>
  }
  %table = memref.get_global @table : memref<2x3xi32>
  %two = arith.minsi %i, %c2 : index
  %entry = func.call @g(%table, %two) : (memref<2x3xi32>, index) -> i32
  %size = arith.index_cast %n : index to i32
  return %entry, %size : i32, i32
})");
  SplitMix64 random(8);
  pair.compare(random, 60);
}

TEST_CASE("legalize: structured ops and affine loops", "[npu][legalize]") {
  LegalizedPair pair(R"(
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @f(%a: memref<6x5xf32>, %b: memref<5x7xf32>, %c: memref<6x7xf32>, %m: memref<6xf32>,
             %p: memref<6x7xi32>, %q: memref<6x7xi32>, %k: index) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<6x7xf32>)
  linalg.matmul ins(%a, %b : memref<6x5xf32>, memref<5x7xf32>) outs(%c : memref<6x7xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%c : memref<6x7xf32>) outs(%m : memref<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %x = arith.maximumf %out, %in : f32
    linalg.yield %x : f32
  }
  affine.for %i = 0 to 6 {
    affine.parallel (%j) = (0) to (7) {
      affine.if affine_set<(d0, d1) : (d0 - d1 >= 0)> (%i, %j) {
        %v = affine.load %q[%i, (%j * 3 + 1) mod 7] : memref<6x7xi32>
        %w = arith.addi %v, %v : i32
        affine.store %w, %p[%i, %j] : memref<6x7xi32>
      }
    }
  }
  %one = arith.constant 1 : index
  %chosen = scf.index_switch %k -> index
  case 0 { scf.yield %k : index }
  case 2 { %r = arith.addi %one, %one : index  scf.yield %r : index }
  default { scf.yield %one : index }
  %old = memref.load %p[%chosen, %chosen] : memref<6x7xi32>
  %new = arith.index_cast %k : index to i32
  %s = arith.addi %old, %new : i32
  memref.store %s, %p[%chosen, %chosen] : memref<6x7xi32>
  return
})");
  SplitMix64 random(10);
  pair.compare(random, 25);
}

TEST_CASE("legalize: sums of loops in registers", "[npu][legalize]") {
  LegalizedPair pair(R"(
func.func @f(%a: memref<8xi32>, %b: memref<8xi32>, %c: memref<8xi32>, %k: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %true = arith.constant true
  scf.for %i = %c0 to %c8 step %c1 {        // a sum at a place that does not change
    %x = memref.load %a[%i] : memref<8xi32>
    %s = memref.load %b[%k] : memref<8xi32>
    %t = arith.addi %s, %x : i32
    memref.store %t, %b[%k] : memref<8xi32>
    %u = memref.load %b[%k] : memref<8xi32>
    %w = arith.xori %u, %s : i32
    memref.store %w, %b[%k] : memref<8xi32>
    scf.for %j = %c0 to %c2 step %c1 {      // at one that changes outside
      %p = memref.load %c[%i] : memref<8xi32>
      %q = arith.muli %p, %w : i32
      memref.store %q, %c[%i] : memref<8xi32>
    }
  }
  scf.for %i = %c0 to %c8 step %c1 {        // other elements of the same buffer
    %x = memref.load %a[%i] : memref<8xi32>
    %s = memref.load %a[%k] : memref<8xi32>
    %t = arith.addi %s, %x : i32
    memref.store %t, %a[%k] : memref<8xi32>
  }
  scf.for %i = %c0 to %n step %c1 {         // may not run at all
    %s = memref.load %b[%k] : memref<8xi32>
    %t = arith.addi %s, %s : i32
    memref.store %t, %b[%k] : memref<8xi32>
  }
  scf.for %i = %c0 to %c8 step %c1 {        // stored in a conditional
    %s = memref.load %c[%k] : memref<8xi32>
    %odd = arith.trunci %s : i32 to i1
    scf.if %odd {
      %t = arith.addi %s, %s : i32
      memref.store %t, %c[%k] : memref<8xi32>
    }
  }
  scf.for %i = %c0 to %c8 step %c1 {        // stored first
    %x = memref.load %a[%i] : memref<8xi32>
    memref.store %x, %b[%k] : memref<8xi32>
    %s = memref.load %b[%k] : memref<8xi32>
    memref.store %s, %c[%i] : memref<8xi32>
  }
  return
})");
  SplitMix64 random(12);
  pair.compare(random, 60);
}

namespace {

/// `OP` on rows of elements with a rest, at offsets; counts the vector ops that came out.
void checkVectors(std::string_view type, std::string_view ops, std::string_view out, int expected) {
  std::string text = fmt::format(R"(
func.func @f(%a: memref<3x128x{0}>, %b: memref<3x128x{0}>, %c: memref<3x128x{2}>, %s: {0}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %end = arith.constant 117 : index
  scf.for %i = %c0 to %c3 step %c1 {{
    scf.for %j = %c0 to %end step %c1 {{
      %x = memref.load %a[%i, %j] : memref<3x128x{0}>
      %y = memref.load %b[%i, %j] : memref<3x128x{0}>
      {1}
      memref.store %r, %c[%i, %j] : memref<3x128x{2}>
    }}
  }}
  return
}})",
                                 type, ops, out);
  LegalizedPair pair(text, "air-aie-legalize-core{functions=true vectorize=true}");
  int found = 0;
  pair.after().walk([&](Operation& op) { found += op.is("vector.store"); });
  INFO(text);
  CHECK(found == expected);
  SplitMix64 random(14);
  pair.compare(random, 6);
}

}  // namespace

/// Stores of a loop by 512 bits, and of the vector of 256 that takes a part of the rest of a row.
constexpr int kWholeAndHalf = 2;

TEST_CASE("legalize: rows of elements by vectors", "[npu][legalize]") {
  for (std::string type : {"i8", "i16", "i32"})
    for (std::string op : {"addi", "subi", "muli", "andi", "ori", "xori", "minsi", "maxsi"})
      checkVectors(
          type, fmt::format("%t = arith.{0} %x, %y : {1}  %r = arith.{0} %t, %s : {1}", op, type),
          type, type == "i32" ? 1 : kWholeAndHalf);
  for (std::string op : {"addf", "subf"}) {
    checkVectors("f32", fmt::format("%r = arith.{} %x, %y : f32", op), "f32", 1);
    checkVectors("bf16", fmt::format("%r = arith.{} %x, %y : bf16", op), "bf16", kWholeAndHalf);
  }
  checkVectors("bf16", "%r = arith.mulf %x, %y : bf16", "bf16", kWholeAndHalf);
  checkVectors("bf16",
               "%e = arith.extf %x : bf16 to f32  %g = arith.extf %y : bf16 to f32  %r = "
               "arith.addf %e, %g : f32",
               "f32", 1);
  checkVectors("f32", "%t = arith.subf %x, %y : f32  %r = arith.truncf %t : f32 to bf16", "bf16",
               1);
  for (std::string op : {"maximumf", "minimumf"})
    checkVectors("bf16", fmt::format("%r = arith.{} %x, %y : bf16", op), "bf16", kWholeAndHalf);
  // Factors in pieces, the rest of the row included, which takes lanes of its own.
  checkVectors("f32", "%r = math.fma %x, %y, %s {air.bf16_pieces = array<i64: 3, 3>} : f32", "f32",
               1);
  checkVectors("f32",
               "%k = arith.constant 9 : i32  %zero = arith.constant 0 : i32  "
               "%w = arith.bitcast %x : f32 to i32  %less = arith.cmpi slt, %w, %zero : i32  "
               "%u = arith.shli %w, %k : i32  %d = arith.shrsi %w, %k : i32  "
               "%o = arith.select %less, %u, %d : i32  %r = arith.bitcast %o : i32 to f32",
               "f32", 1);
  // Integers of twice the width, or half of it.
  for (auto [narrow, wide] : {std::pair{"i8", "i16"}, std::pair{"i16", "i32"}}) {
    for (std::string op : {"extsi", "extui"})
      checkVectors(narrow,
                   fmt::format("%u = arith.{2} %x : {0} to {1}  %v = arith.{2} %y : {0} to {1}  "
                               "%r = arith.muli %u, %v : {1}",
                               narrow, wide, op),
                   wide, 1);
    checkVectors(wide,
                 fmt::format("%t = arith.addi %x, %y : {1}  %r = arith.trunci %t : {1} to {0}",
                             narrow, wide),
                 narrow, 1);
  }
  // Several vectors of the wide elements: 32 lanes of i32 are two.
  checkVectors("i8", "%r = arith.extsi %x : i8 to i32", "i32", 2);
  checkVectors("i8",
               "%u = arith.extui %x : i8 to i32  %v = arith.extsi %y : i8 to i32  "
               "%p = arith.muli %u, %v : i32  %l = arith.cmpi slt, %p, %u : i32  "
               "%q = arith.select %l, %p, %v : i32  %r = arith.trunci %q : i32 to i8",
               "i8", 1);
  checkVectors("i32",
               "%k = arith.constant 5 : i32  %u = arith.shrsi %x, %k : i32  "
               "%v = arith.maxui %u, %y : i32  %r = arith.trunci %v : i32 to i8",
               "i8", 1);
  for (std::string op : {"shli", "shrsi", "shrui"})
    checkVectors("i16", "%k = arith.constant 5 : i16  %r = arith." + op + " %x, %k : i16", "i16",
                 kWholeAndHalf);
  // Floats of integers.
  for (std::string op : {"sitofp", "uitofp"}) {
    for (std::string from : {"i8", "i16", "i32"})
      checkVectors(from, fmt::format("%r = arith.{} %x : {} to f32", op, from), "f32",
                   from == "i8" ? 2 : 1);
    for (std::string from : {"i8", "i16"})
      checkVectors(from, fmt::format("%r = arith.{} %x : {} to bf16", op, from), "bf16", 1);
    checkVectors("i32", fmt::format("%r = arith.{} %x : i32 to bf16", op), "bf16", 0);
  }
  // Integers of floats: below and around one, with few bits after the point, with none.
  for (auto [mask, bits] : {std::pair{0x83ffffff, 0x3c000000}, std::pair{0x83ffffff, 0x40000000},
                            std::pair{0x83ffffff, 0x48000000}, std::pair{0x81ffffff, 0x4c000000}})
    for (std::string op : {"fptosi", "fptoui"})
      checkVectors(
          "i32",
          fmt::format("%m = arith.constant {} : i32  %k = arith.constant {} : i32  "
                      "%u = arith.andi %x, %m : i32  %v = arith.ori %u, %k : i32  "
                      "%f = arith.bitcast %v : i32 to f32  %r = arith.{} %f : f32 to i32",
                      op == "fptosi" ? static_cast<int32_t>(mask) : mask & 0x7fffffff, bits, op),
          "i32", 1);
  // No vector gives these bits.
  checkVectors("f32", "%r = arith.mulf %x, %y : f32", "f32", 0);
}

TEST_CASE("legalize: rows are combined by vectors", "[npu][legalize]") {
  SplitMix64 random(17);
  for (std::string type : {"i8", "i16", "i32", "bf16"})
    for (std::string op : {"addi", "muli", "andi", "ori", "xori", "minsi", "maxsi", "minui",
                           "maxui", "maximumf", "minimumf"}) {
      if ((type == "bf16") != op.ends_with("f")) continue;
      for (int64_t count : {40, 117, 128}) {
        std::string text = fmt::format(R"(
func.func @f(%a: memref<3x128x{0}>, %b: memref<3x{0}>, %c: memref<128x{0}>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %end = arith.constant {2} : index
  scf.for %i = %c0 to %c3 step %c1 {{
    scf.for %j = %c0 to %end step %c1 {{
      %x = memref.load %a[%i, %j] : memref<3x128x{0}>
      %s = memref.load %b[%i] : memref<3x{0}>
      %r = arith.{1} %s, %x : {0}
      memref.store %x, %c[%j] : memref<128x{0}>
      memref.store %r, %b[%i] : memref<3x{0}>
    }}
  }}
  return
}})",
                                       type, op, count);
        LegalizedPair pair(text, "air-aie-legalize-core{functions=true vectorize=true}");
        int found = 0;
        pair.after().walk([&](Operation& o) { found += o.is("vector.shuffle"); });
        INFO(text);
        CHECK(found >= 4);
        pair.compare(random, 3);
      }
    }
}

TEST_CASE("legalize: the loop along which elements lie side by side goes innermost",
          "[npu][legalize]") {
  SplitMix64 random(18);
  auto check = [&](const std::string& text, bool hasVectors) {
    LegalizedPair pair(text, "air-aie-legalize-core{functions=true vectorize=true}");
    int found = 0;
    pair.after().walk([&](Operation& op) { found += op.is("vector.store"); });
    INFO(text);
    CHECK((found > 0) == hasVectors);
    pair.compare(random, 3);
  };
  // Sums of columns: also of floats, whose order stays. The output may not be the input.
  for (auto [element, op] : {std::pair{"f32", "addf"}, std::pair{"bf16", "addf"},
                             std::pair{"i8", "addi"}, std::pair{"i32", "maxui"}})
    for (bool isApart : {true, false})
      check(fmt::format(R"(
func.func @f(%a: memref<5x32x{0}>, %b: memref<5x32x{0}>) {{
  %c = memref.subview {2}[0, 0] [1, 32] [1, 1] : memref<5x32x{0}> to memref<32x{0}, strided<[1]>>
  linalg.generic {{indexing_maps = [affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> (j)>],
      iterator_types = ["parallel", "reduction"]}}
      ins(%a : memref<5x32x{0}>) outs(%c : memref<32x{0}, strided<[1]>>) {{
    ^bb0(%x: {0}, %s: {0}):
      %r = arith.{1} %x, %s : {0}
      linalg.yield %r : {0}
  }}
  return
}})",
                        element, op, isApart ? "%b" : "%a"),
            isApart);
  for (std::string element : {"i8", "f32", "bf16"})
    check(fmt::format(R"(
func.func @f(%a: memref<1x5x5x32x{0}>, %w: memref<3x3x{0}>, %b: memref<1x2x2x32x{0}>) {{
  linalg.pooling_nhwc_max {{strides = dense<2> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}}
      ins(%a, %w : memref<1x5x5x32x{0}>, memref<3x3x{0}>) outs(%b : memref<1x2x2x32x{0}>)
  return
}})",
                      element),
          element != "f32");
  check(R"(
func.func @f(%a: memref<1x5x5x32xi8>, %w: memref<3x3x32xi8>, %b: memref<1x3x3x32xi32>) {
  linalg.depthwise_conv_2d_nhwc_hwc ins(%a, %w : memref<1x5x5x32xi8>, memref<3x3x32xi8>)
      outs(%b : memref<1x3x3x32xi32>)
  return
})",
        true);
}

TEST_CASE("legalize: rows that no vector may take", "[npu][legalize]") {
  LegalizedPair pair(R"(
func.func @f(%a: memref<200xi32>, %b: memref<200xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {       // reads what it has stored
    %next = arith.addi %i, %c1 : index
    %x = memref.load %a[%i] : memref<200xi32>
    %y = arith.addi %x, %x : i32
    memref.store %y, %a[%next] : memref<200xi32>
  }
  scf.for %i = %c5 to %c64 step %c1 {       // begins inside a vector
    %x = memref.load %a[%i] : memref<200xi32>
    memref.store %x, %b[%i] : memref<200xi32>
  }
  scf.for %i = %c0 to %c5 step %c1 {        // is short
    %x = memref.load %a[%i] : memref<200xi32>
    memref.store %x, %b[%i] : memref<200xi32>
  }
  scf.for %i = %c0 to %c64 step %c1 {       // one element for all, which is stored
    %x = memref.load %b[%c5] : memref<200xi32>
    memref.store %x, %b[%i] : memref<200xi32>
  }
  scf.for %i = %c0 to %c64 step %c1 {       // the same, which is not: by vectors
    %x = memref.load %a[%c5] : memref<200xi32>
    %at = arith.addi %i, %c16 : index
    memref.store %x, %b[%at] : memref<200xi32>
  }
  return
})",
                     "air-aie-legalize-core{functions=true vectorize=true}");
  int found = 0;
  pair.after().walk([&](Operation& op) { found += op.is("vector.store"); });
  CHECK(found == 1);
  SplitMix64 random(15);
  pair.compare(random, 10);
}
