// What a function computes before and after air-aie-legalize-core, bit by bit.
#include "LegalizeTesting.hpp"

#include <fmt/format.h>

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

}  // namespace

TEST_CASE("legalize: float arithmetic", "[npu][legalize]") {
  for (std::string type : {"f32", "bf16"}) {
    for (std::string op : {"arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.maximumf",
                           "arith.minimumf", "arith.maxnumf", "arith.minnumf", "math.copysign"})
      checkScalar(op, {type, type}, type, type);
    for (std::string op : {"arith.negf", "math.absf", "math.exp", "math.sqrt", "math.rsqrt"})
      checkScalar(op, {type}, type, type);
  }
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
