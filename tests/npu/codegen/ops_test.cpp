// Each op by itself, with values from memory that the interpreter has too.
#include "CodegenTesting.hpp"

#include <fmt/format.h>

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::codegen;

namespace {

const std::vector<TestBuffer> kBuffers = {{"a", "i32", 16, 4},
                                          {"b", "i16", 16, 2},
                                          {"c", "i8", 16, 1},
                                          {"d", "f32", 8, 4},
                                          {"e", "bf16", 8, 2}};

std::string bufferOf(std::string_view type) {
  return type == "i32" ? "%a" : type == "i16" ? "%b" : "%c";
}

std::string memrefOf(std::string_view type) { return fmt::format("memref<16x{}, 2 : i32>", type); }

constexpr std::string_view kIndices =
    "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
    "  %c2 = arith.constant 2 : index\n  %c9 = arith.constant 9 : index\n";

std::string loads(std::string_view type) {
  return fmt::format("{0}  %x = memref.load {1}[%c0] : {2}\n  %y = memref.load {1}[%c1] : {2}\n",
                     kIndices, bufferOf(type), memrefOf(type));
}

std::string store(std::string_view type, std::string_view value) {
  return fmt::format("  memref.store {}, {}[%c2] : {}\n", value, bufferOf(type), memrefOf(type));
}

}  // namespace

TEST_CASE("integer operations of all widths", "[codegen]") {
  SplitMix64 random(1);
  for (std::string_view type : {"i8", "i16", "i32"})
    for (std::string_view op :
         {"addi", "subi", "muli", "andi", "ori", "xori", "minsi", "maxsi", "minui", "maxui"})
      for (int round = 0; round < 3; ++round)
        checkSame(kBuffers,
                  loads(type) + fmt::format("  %r = arith.{} %x, %y : {}\n", op, type) +
                      store(type, "%r"),
                  random);
}

TEST_CASE("leading zeros", "[codegen]") {
  SplitMix64 random(7);
  for (std::string_view number : {"%x", "%zero", "%one", "%minus", "%far"})
    checkSame(kBuffers,
              loads("i32") +
                  fmt::format("  %zero = arith.constant 0 : i32\n  %one = arith.constant 1 : i32\n"
                              "  %minus = arith.constant -1 : i32\n"
                              "  %far = arith.shrui %x, %one : i32\n"
                              "  %r = math.ctlz {} : i32\n",
                              number) +
                  store("i32", "%r"),
              random);
}

TEST_CASE("shifts by what is known and by what is not", "[codegen]") {
  SplitMix64 random(2);
  for (std::string_view type : {"i8", "i16", "i32"})
    for (std::string_view op : {"shli", "shrsi", "shrui"})
      for (std::string_view amount : {"%y7", "%k"})
        checkSame(kBuffers,
                  loads(type) +
                      fmt::format("  %seven = arith.constant 7 : {0}\n  %k = arith.constant 3 : "
                                  "{0}\n  %y7 = arith.andi %y, %seven : {0}\n"
                                  "  %r = arith.{1} %x, {2} : {0}\n",
                                  type, op, amount) +
                      store(type, "%r"),
                  random);
}

TEST_CASE("regions with blocks in loops", "[codegen]") {
  SplitMix64 random(8);
  checkSame(kBuffers, loads("i32") + R"(
  %n = scf.for %i = %c0 to %c9 step %c1 iter_args(%s = %x) -> i32 {
    %t:2 = scf.execute_region -> (i32, i32) {
      %less = arith.cmpi slt, %s, %y : i32
      cf.cond_br %less, ^add, ^other(%s : i32)
    ^add:
      %sum = arith.addi %s, %x : i32
      scf.yield %sum, %y : i32, i32
    ^other(%r: i32):
      %u = memref.load %a[%i] : memref<16xi32, 2 : i32>
      %q = arith.xori %r, %u : i32
      %odd = arith.trunci %q : i32 to i1
      cf.cond_br %odd, ^last(%q : i32), ^last(%u : i32)
    ^last(%w: i32):
      scf.yield %w, %w : i32, i32
    }
    %v = arith.subi %t#0, %t#1 : i32
    scf.yield %v : i32
  }
)" + store("i32", "%n"),
            random);
}

TEST_CASE("division", "[codegen]") {
  SplitMix64 random(3);
  for (std::string_view type : {"i8", "i16", "i32"})
    for (std::string_view op : {"divsi", "divui", "remsi", "remui"})
      for (std::string_view divisor : {"%odd", "%k8", "%k5", "%minus"})
        for (int round = 0; round < 2; ++round)
          checkSame(
              kBuffers,
              loads(type) +
                  fmt::format("  %low = arith.constant 30 : {0}\n  %one = arith.constant 1 : {0}\n"
                              "  %k8 = arith.constant 8 : {0}\n  %k5 = arith.constant 5 : {0}\n"
                              "  %masked = arith.andi %y, %low : {0}\n"
                              "  %odd = arith.ori %masked, %one : {0}\n"
                              "  %minus = arith.constant -7 : {0}\n"
                              "  %r = arith.{1} %x, {2} : {0}\n",
                              type, op, divisor) +
                  store(type, "%r"),
              random);
}

TEST_CASE("comparisons, selections and widths", "[codegen]") {
  SplitMix64 random(4);
  for (std::string_view type : {"i8", "i16", "i32"})
    for (std::string_view predicate :
         {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"})
      checkSame(kBuffers,
                loads(type) +
                    fmt::format("  %t = arith.cmpi {1}, %x, %y : {0}\n"
                                "  %r = arith.select %t, %x, %y : {0}\n"
                                "  %u = arith.extui %t : i1 to i32\n"
                                "  %s = arith.extsi %t : i1 to i32\n"
                                "  memref.store %u, %a[%c9] : memref<16xi32, 2 : i32>\n"
                                "  memref.store %s, %a[%c1] : memref<16xi32, 2 : i32>\n",
                                type, predicate) +
                    store(type, "%r"),
                random);
}

TEST_CASE("extensions and truncations", "[codegen]") {
  SplitMix64 random(5);
  for (int round = 0; round < 5; ++round)
    checkSame(kBuffers,
              std::string(kIndices) +
                  "  %x = memref.load %c[%c9] : memref<16xi8, 2 : i32>\n"
                  "  %y = memref.load %b[%c9] : memref<16xi16, 2 : i32>\n"
                  "  %z = memref.load %a[%c9] : memref<16xi32, 2 : i32>\n"
                  "  %sum = arith.addi %x, %x : i8\n"
                  "  %0 = arith.extsi %sum : i8 to i32\n  %1 = arith.extui %sum : i8 to i16\n"
                  "  %2 = arith.extsi %y : i16 to i32\n  %3 = arith.trunci %z : i32 to i8\n"
                  "  %4 = arith.trunci %z : i32 to i1\n  %5 = arith.select %4, %0, %2 : i32\n"
                  "  %6 = arith.extui %x : i8 to i32\n"
                  "  memref.store %5, %a[%c0] : memref<16xi32, 2 : i32>\n"
                  "  memref.store %6, %a[%c2] : memref<16xi32, 2 : i32>\n"
                  "  memref.store %1, %b[%c0] : memref<16xi16, 2 : i32>\n"
                  "  memref.store %3, %c[%c0] : memref<16xi8, 2 : i32>\n",
              random);
}

TEST_CASE("floats are bits", "[codegen]") {
  SplitMix64 random(6);
  checkSame(kBuffers,
            std::string(kIndices) + "  %k = arith.constant 1.500000e+00 : f32\n"
                                    "  %h = arith.constant -2.500000e-01 : bf16\n"
                                    "  %x = memref.load %d[%c1] : memref<8xf32, 2 : i32>\n"
                                    "  %y = memref.load %e[%c1] : memref<8xbf16, 2 : i32>\n"
                                    "  %b0 = arith.bitcast %x : f32 to i32\n"
                                    "  memref.store %b0, %a[%c0] : memref<16xi32, 2 : i32>\n"
                                    "  memref.store %k, %d[%c0] : memref<8xf32, 2 : i32>\n"
                                    "  memref.store %h, %e[%c0] : memref<8xbf16, 2 : i32>\n"
                                    "  memref.store %y, %e[%c2] : memref<8xbf16, 2 : i32>\n",
            random);
}

TEST_CASE("a pointer may be chosen at run time", "[codegen]") {
  SplitMix64 random(7);
  std::vector<TestBuffer> buffers = {{"a", "i32", 16, 4}, {"b", "i32", 16, 4}};
  for (int round = 0; round < 4; ++round)
    checkSame(buffers,
              std::string(kIndices) +
                  "  %x = memref.load %a[%c0] : memref<16xi32, 2 : i32>\n"
                  "  %z = arith.constant 0 : i32\n  %t = arith.cmpi slt, %x, %z : i32\n"
                  "  %m = arith.select %t, %a, %b : memref<16xi32, 2 : i32>\n"
                  "  %f = arith.constant 15 : index\n"
                  "  %v = memref.load %m[%c9] : memref<16xi32, 2 : i32>\n"
                  "  scf.for %i = %c0 to %f step %c1 {\n"
                  "    memref.store %v, %m[%i] : memref<16xi32, 2 : i32>\n"
                  "    memref.store %x, %a[%f] : memref<16xi32, 2 : i32>\n  }\n",
              random);
}

TEST_CASE("cores that are alike are compiled once, others are not", "[codegen]") {
  const std::vector<TestBuffer> buffers = {{"m", "i32", 64, 4}};
  const std::string body =
      "  %c = arith.constant 3 : index\n  %x = memref.load %m[%c] : memref<64xi32, 2 : i32>\n"
      "  %y = arith.addi %x, %x : i32\n  memref.store %y, %m[%c] : memref<64xi32, 2 : i32>\n"
      "  aie.end";
  TestDevice device(buffers, body);
  CoreCodeCache cache;
  auto bytesOf = [&](const CoreSurroundings& around) {
    return encode(cache.generate(*device.core, around)->program);
  };
  const auto first = bytesOf(device.surroundings);
  CHECK(bytesOf(device.surroundings) == first);
  CoreSurroundings moved = device.surroundings;
  for (auto& [buffer, address] : moved.buffers)
    address += 64;
  CHECK(bytesOf(moved) != first);
  CHECK(bytesOf(moved) == encode(generateCore(*device.core, moved)->program));
  device.core->walk([&](Operation& op) {
    if (op.is("arith.constant")) op.setAttr("value", IntegerAttr::get(op.result().type(), 5));
  });
  CHECK(bytesOf(device.surroundings) != first);
}

TEST_CASE("cores that call functions of one name are alike where these are", "[codegen]") {
  const std::vector<TestBuffer> buffers = {{"m", "i32", 64, 4}};
  TestDevice device(buffers, "  func.call @f(%m) : (memref<64xi32, 2 : i32>) -> ()\n  aie.end",
                    "  func.func private @f(%n: memref<64xi32, 2 : i32>) {\n"
                    "    %c = arith.constant 3 : index\n"
                    "    %x = memref.load %n[%c] : memref<64xi32, 2 : i32>\n"
                    "    %y = arith.addi %x, %x : i32\n"
                    "    memref.store %y, %n[%c] : memref<64xi32, 2 : i32>\n"
                    "    func.return\n  }\n");
  CoreCodeCache cache;
  const auto bytes = [&] {
    return encode(cache.generate(*device.core, device.surroundings)->program);
  };
  const auto first = bytes();
  CHECK(bytes() == first);
  device.core->parentOp()->walk([&](Operation& op) {
    if (op.is("arith.constant")) op.setAttr("value", IntegerAttr::get(op.result().type(), 5));
  });
  CHECK(bytes() != first);
  CHECK(bytes() == encode(generateCore(*device.core, device.surroundings)->program));
}
