// Vectors, lane by lane as the interpreter has them.
#include "CodegenTesting.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::codegen;

namespace {

struct Shape {
  std::string_view element;
  unsigned lanes, bytes;
};

constexpr Shape kShapes[] = {{"i8", 32, 1},  {"i8", 64, 1}, {"i16", 16, 2},
                             {"i16", 32, 2}, {"i32", 8, 4}, {"i32", 16, 4}};

std::vector<TestBuffer> buffers(const Shape& s) {
  return {{"m", std::string(s.element), s.lanes * 4, s.bytes}};
}

/// Loads of two vectors, `ops` on %x and %y that give %r, and a store at the end.
std::string body(const Shape& s, const std::string& ops) {
  std::string memref = fmt::format("memref<{}x{}, 2 : i32>", s.lanes * 4, s.element);
  std::string vector = fmt::format("vector<{}x{}>", s.lanes, s.element);
  return fmt::format(
      "  %c0 = arith.constant 0 : index\n  %cn = arith.constant {0} : index\n"
      "  %cnn = arith.constant {1} : index\n  %c1 = arith.constant 1 : index\n"
      "  %x = vector.load %m[%c0] : {2}, {3}\n  %y = vector.load %m[%cn] : {2}, {3}\n"
      "  %s = memref.load %m[%c1] : {2}\n"
      "{4}  vector.store %r, %m[%cnn] : {2}, {3}\n",
      s.lanes, s.lanes * 2, memref, vector, ops);
}

/// On cores of both instruction sets.
void checkOnBoth(const std::vector<TestBuffer>& buffers, const std::string& ops, SplitMix64& random,
                 const std::string& members = "") {
  for (const isa::InstructionSet* set : isa::instructionSets()) {
    INFO(set->name);
    CHECK(checkSame(buffers, ops, random, members, *set));
  }
}

void check(const Shape& s, const std::string& ops, SplitMix64& random) {
  checkOnBoth(buffers(s), body(s, ops), random);
}

}  // namespace

TEST_CASE("lanes of integers", "[codegen][vectors]") {
  SplitMix64 random(1);
  for (const Shape& s : kShapes)
    for (std::string_view op :
         {"addi", "subi", "andi", "ori", "xori", "minsi", "maxsi", "minui", "maxui", "muli"})
      check(s, fmt::format("  %r = arith.{} %x, %y : vector<{}x{}>\n", op, s.lanes, s.element),
            random);
}

TEST_CASE("lanes that are all alike", "[codegen][vectors]") {
  SplitMix64 random(2);
  for (const Shape& s : kShapes)
    check(s,
          fmt::format("  %b = vector.broadcast %s : {1} to vector<{0}x{1}>\n"
                      "  %k = arith.constant dense<-3> : vector<{0}x{1}>\n"
                      "  %p = arith.addi %b, %k : vector<{0}x{1}>\n"
                      "  %r = arith.xori %p, %y : vector<{0}x{1}>\n",
                      s.lanes, s.element),
          random);
}

TEST_CASE("lanes are compared and selected", "[codegen][vectors]") {
  SplitMix64 random(3);
  for (const Shape& s : kShapes)
    for (std::string_view predicate :
         {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"})
      check(s,
            fmt::format("  %seven = arith.constant dense<1> : vector<{0}x{1}>\n"
                        "  %p = arith.andi %x, %seven : vector<{0}x{1}>\n"
                        "  %q = arith.andi %y, %seven : vector<{0}x{1}>\n"
                        "  %t = arith.cmpi {2}, %p, %q : vector<{0}x{1}>\n"
                        "  %u = arith.cmpi {2}, %x, %y : vector<{0}x{1}>\n"
                        "  %z = arith.select %t, %x, %y : vector<{0}xi1>, vector<{0}x{1}>\n"
                        "  %r = arith.select %u, %z, %p : vector<{0}xi1>, vector<{0}x{1}>\n",
                        s.lanes, s.element, predicate),
            random);
}

TEST_CASE("a condition selects whole vectors", "[codegen][vectors]") {
  SplitMix64 random(4);
  for (const Shape& s : kShapes)
    for (std::string_view predicate : {"slt", "sge"})
      check(s,
            fmt::format("  %zero = arith.constant 0 : {1}\n"
                        "  %t = arith.cmpi {2}, %s, %zero : {1}\n"
                        "  %r = arith.select %t, %x, %y : vector<{0}x{1}>\n",
                        s.lanes, s.element, predicate),
            random);
}

TEST_CASE("products of lanes that were widened", "[codegen][vectors]") {
  SplitMix64 random(17);
  const std::vector<TestBuffer> both = {{"n", "i16", 128, 2}, {"w", "i32", 128, 4}};
  for (std::string_view left : {"extsi", "extui"})
    for (std::string_view right : {"extsi", "extui"})
      for (int second : {0, 16})  // the halves of %y, in turn or not
        checkOnBoth(
            both,
            fmt::format(
                "  %c0 = arith.constant 0 : index\n  %c16 = arith.constant 16 : index\n"
                "  %c32 = arith.constant 32 : index\n"
                "  %x = vector.load %n[%c0] : memref<128xi16, 2 : i32>, vector<32xi16>\n"
                "  %y = vector.load %n[%c32] : memref<128xi16, 2 : i32>, vector<32xi16>\n"
                "  %x0 = vector.extract_strided_slice %x {{offsets = [0], sizes = [16], strides = "
                "[1]}} : vector<32xi16> to vector<16xi16>\n"
                "  %x1 = vector.extract_strided_slice %x {{offsets = [16], sizes = [16], strides = "
                "[1]}} : vector<32xi16> to vector<16xi16>\n"
                "  %y0 = vector.extract_strided_slice %y {{offsets = [{2}], sizes = [16], strides "
                "= "
                "[1]}} : vector<32xi16> to vector<16xi16>\n"
                "  %y1 = vector.extract_strided_slice %y {{offsets = [{3}], sizes = [16], strides "
                "= "
                "[1]}} : vector<32xi16> to vector<16xi16>\n"
                "  %a0 = arith.{0} %x0 : vector<16xi16> to vector<16xi32>\n"
                "  %a1 = arith.{0} %x1 : vector<16xi16> to vector<16xi32>\n"
                "  %b0 = arith.{1} %y0 : vector<16xi16> to vector<16xi32>\n"
                "  %b1 = arith.{1} %y1 : vector<16xi16> to vector<16xi32>\n"
                "  %p0 = arith.muli %a0, %b0 : vector<16xi32>\n"
                "  %p1 = arith.muli %a1, %b1 : vector<16xi32>\n"
                "  %q = arith.addi %p1, %a1 : vector<16xi32>\n"
                "  vector.store %p0, %w[%c0] : memref<128xi32, 2 : i32>, vector<16xi32>\n"
                "  vector.store %q, %w[%c16] : memref<128xi32, 2 : i32>, vector<16xi32>\n",
                left, right, second, 16 - second),
            random);
}

/// Sums of up to five products of halves of three registers and of a number in all lanes, in any order, some used twice and some with a
/// conditional between them.
std::string sumsOfProducts(SplitMix64& random) {
  std::string text = "  %c0 = arith.constant 0 : index\n  %c16 = arith.constant 16 : index\n"
                     "  %c32 = arith.constant 32 : index\n  %c64 = arith.constant 64 : index\n"
                     "  %number = memref.load %n[%c16] : memref<128xi16, 2 : i32>\n"
                     "  %all = vector.broadcast %number : i16 to vector<16xi16>\n"
                     "  %f6 = arith.extsi %all : vector<16xi16> to vector<16xi32>\n"
                     "  %s0 = vector.load %w[%c0] : memref<128xi32, 2 : i32>, vector<16xi32>\n";
  const auto below = [&](uint64_t count) { return random.next() % count; };
  for (unsigned reg = 0; reg < 3; ++reg) {
    text +=
        fmt::format("  %r{0} = vector.load %n[%c{1}] : memref<128xi16, 2 : i32>, vector<32xi16>\n",
                    reg, 32 * reg);
    for (unsigned half = 0; half < 2; ++half)
      text += fmt::format(
          "  %h{0} = vector.extract_strided_slice %r{1} {{offsets = [{2}], sizes = [16], strides = "
          "[1]}} : vector<32xi16> to vector<16xi16>\n"
          "  %f{0} = arith.{3} %h{0} : vector<16xi16> to vector<16xi32>\n",
          2 * reg + half, reg, 16 * half, below(4) ? "extsi" : "extui");
  }
  const unsigned products = 2 + static_cast<unsigned>(below(4));
  std::string sum = below(3) ? "%s0" : "";
  for (unsigned i = 0; i < products; ++i) {
    text +=
        fmt::format("  %p{0} = arith.muli %f{1}, %f{2} : vector<16xi32>\n", i, below(7), below(7));
    if (below(8) == 0)
      text += fmt::format("  %zero{0} = arith.constant 0 : i16\n"
                          "  %is{0} = arith.cmpi slt, %number, %zero{0} : i16\n  scf.if %is{0} {{\n"
                          "    memref.store %zero{0}, %n[%c64] : memref<128xi16, 2 : i32>\n  }}\n",
                          i);
    const std::string product = fmt::format("%p{}", i);
    if (!sum.empty())
      text += below(2)
                  ? fmt::format("  %t{} = arith.addi {}, {} : vector<16xi32>\n", i, sum, product)
                  : fmt::format("  %t{} = arith.addi {}, {} : vector<16xi32>\n", i, product, sum);
    sum = sum.empty() ? product : fmt::format("%t{}", i);
    if (below(6) == 0)
      text +=
          fmt::format("  vector.store {}, %w[%c32] : memref<128xi32, 2 : i32>, vector<16xi32>\n",
                      below(2) ? sum : product);
  }
  return text +
         fmt::format("  vector.store {}, %w[%c16] : memref<128xi32, 2 : i32>, vector<16xi32>\n",
                     sum);
}

TEST_CASE("sums of products of lanes that were widened", "[codegen][vectors]") {
  SplitMix64 random(18);
  const std::vector<TestBuffer> both = {{"n", "i16", 128, 2}, {"w", "i32", 128, 4}};
  for (unsigned run = 0; run < 150; ++run)
    checkOnBoth(both, sumsOfProducts(random), random);
}

TEST_CASE("lanes of integers are shifted", "[codegen][vectors]") {
  SplitMix64 random(16);
  for (const Shape& s : kShapes)
    for (std::string_view op : {"shli", "shrsi", "shrui"})
      for (unsigned bits : {1u, 3u, s.bytes * 8 - 1})
        check(s,
              fmt::format("  %k = arith.constant dense<{3}> : vector<{0}x{1}>\n"
                          "  %r = arith.{2} %x, %k : vector<{0}x{1}>\n",
                          s.lanes, s.element, op, bits),
              random);
}

TEST_CASE("each lane is that of one of two registers", "[codegen][vectors]") {
  SplitMix64 random(17);
  for (const Shape& s : kShapes)
    for (unsigned run = 0; run < 4; ++run) {
      // The first time lanes up to one of them, which is what the end of a row needs.
      const unsigned first = static_cast<unsigned>(random.next() % s.lanes);
      std::string from;
      for (unsigned lane = 0; lane < s.lanes; ++lane) {
        const bool isFirst = run == 0 ? lane < first : random.next() % 2 != 0;
        from += fmt::format("{}{}", lane ? ", " : "", isFirst ? lane : s.lanes + lane);
      }
      check(s,
            fmt::format("  %r = vector.shuffle %x, %y [{0}] : vector<{1}x{2}>, vector<{1}x{2}>\n",
                        from, s.lanes, s.element),
            random);
    }
}

TEST_CASE("lanes of integers become twice as wide, and half", "[codegen][vectors]") {
  SplitMix64 random(15);
  for (auto [narrow, wide, lanes, bytes] :
       {std::tuple{"i8", "i16", 32u, 1u}, std::tuple{"i16", "i32", 16u, 2u}})
    for (std::string_view op : {"extsi", "extui"}) {
      const std::vector<TestBuffer> both = {{"n", narrow, lanes * 4, bytes},
                                            {"w", wide, lanes * 4, bytes * 2}};
      // Both halves of a register, the upper one also as it is; then back, side by side and alone.
      std::string even;
      for (unsigned i = 0; i < lanes * 2; ++i)
        even += fmt::format("{}{}", i ? ", " : "", i * 2);
      std::string ops =
          fmt::format("  %c0 = arith.constant 0 : index\n  %c1 = arith.constant {2} : index\n"
                      "  %c2 = arith.constant {3} : index\n  %c3 = arith.constant {4} : index\n"
                      "  %x = vector.load %n[%c0] : memref<{5}x{0}, 2 : i32>, vector<{3}x{0}>\n"
                      "  %l = vector.extract_strided_slice %x {{offsets = [0], sizes = [{2}], "
                      "strides = [1]}} : "
                      "vector<{3}x{0}> to vector<{2}x{0}>\n"
                      "  %h = vector.extract_strided_slice %x {{offsets = [{2}], sizes = [{2}], "
                      "strides = [1]}} "
                      ": vector<{3}x{0}> to vector<{2}x{0}>\n"
                      "  %lw = arith.{6} %l : vector<{2}x{0}> to vector<{2}x{1}>\n"
                      "  %hw = arith.{6} %h : vector<{2}x{0}> to vector<{2}x{1}>\n"
                      "  %sum = arith.addi %lw, %hw : vector<{2}x{1}>\n"
                      "  vector.store %lw, %w[%c0] : memref<{5}x{1}, 2 : i32>, vector<{2}x{1}>\n"
                      "  vector.store %hw, %w[%c1] : memref<{5}x{1}, 2 : i32>, vector<{2}x{1}>\n"
                      "  vector.store %sum, %w[%c2] : memref<{5}x{1}, 2 : i32>, vector<{2}x{1}>\n"
                      "  %y = vector.load %w[%c3] : memref<{5}x{1}, 2 : i32>, vector<{2}x{1}>\n"
                      "  %t = arith.trunci %y : vector<{2}x{1}> to vector<{2}x{0}>\n"
                      "  vector.store %t, %n[%c2] : memref<{5}x{0}, 2 : i32>, vector<{2}x{0}>\n"
                      "  vector.store %h, %n[%c3] : memref<{5}x{0}, 2 : i32>, vector<{2}x{0}>\n"
                      "  %by = vector.bitcast %y : vector<{2}x{1}> to vector<{3}x{0}>\n"
                      "  %bs = vector.bitcast %sum : vector<{2}x{1}> to vector<{3}x{0}>\n"
                      "  %j = vector.shuffle %by, %bs [{7}] : vector<{3}x{0}>, vector<{3}x{0}>\n"
                      "  vector.store %j, %n[%c0] : memref<{5}x{0}, 2 : i32>, vector<{3}x{0}>\n",
                      narrow, wide, lanes, lanes * 2, lanes * 3, lanes * 4, op, even);
      checkOnBoth(both, ops, random);
    }
}

TEST_CASE("loops over vectors, carried values and calls", "[codegen][vectors]") {
  SplitMix64 random(5);
  for (const Shape& s : kShapes) {
    std::string vector = fmt::format("vector<{}x{}>", s.lanes, s.element);
    std::string memref = fmt::format("memref<{}x{}, 2 : i32>", s.lanes * 4, s.element);
    std::string members =
        fmt::format("func.func private @twice(%v: {0}, %w: {0}) -> {0} {{\n"
                    "  %a = arith.addi %v, %v : {0}\n  %b = arith.subi %a, %w : {0}\n"
                    "  func.return %b : {0}\n}}\n"
                    "func.func private @sum(%m: {1}, %i: index) -> {0} {{\n"
                    "  %a = vector.load %m[%i] : {1}, {0}\n  func.return %a : {0}\n}}\n",
                    vector, memref);
    std::string ops =
        fmt::format("  %r = scf.for %i = %c0 to %cnn step %cn iter_args(%acc = %x) -> ({0}) {{\n"
                    "    %v = vector.load %m[%i] : {1}, {0}\n    %p = arith.muli %v, %acc : {0}\n"
                    "    %q = func.call @twice(%p, %v) : ({0}, {0}) -> {0}\n"
                    "    %n = func.call @sum(%m, %i) : ({1}, index) -> {0}\n"
                    "    %o = arith.addi %q, %n : {0}\n    %o2 = arith.addi %o, %p : {0}\n"
                    "    scf.yield %o2 : {0}\n  }}\n",
                    vector, memref);
    checkOnBoth(buffers(s), body(s, ops), random, members);
  }
}

TEST_CASE("more vectors than registers", "[codegen][vectors]") {
  SplitMix64 random(6);
  const Shape s = {"i32", 16, 4};
  std::string ops, last = "%x";
  for (int i = 0; i < 18; ++i)
    ops += fmt::format("  %v{} = arith.addi {}, {} : vector<16xi32>\n", i,
                       i ? fmt::format("%v{}", i - 1) : "%x", i % 3 ? "%y" : "%x");
  for (int i = 0; i < 18; ++i) {
    ops += fmt::format("  %w{} = arith.xori {}, %v{} : vector<16xi32>\n", i, last, (i * 7) % 18);
    last = fmt::format("%w{}", i);
  }
  check(s, ops + "  %r = arith.addi " + last + ", %v3 : vector<16xi32>\n", random);
}

namespace {

/// Numbers without NaN and infinity, of small and of very different sizes.
Memories floats(const std::vector<TestBuffer>& buffers, SplitMix64& random) {
  Memories all = randomMemories(buffers, random);
  for (size_t b = 0; b < buffers.size(); ++b)
    for (size_t i = 0; i < all[b].size(); i += buffers[b].elementBytes) {
      uint8_t* high = &all[b][i + buffers[b].elementBytes - 1];
      *high = static_cast<uint8_t>((*high & 0x80) | (0x38 + random.next() % (i % 3 ? 4 : 16)));
      if (random.next() % 16 == 0) std::fill_n(&all[b][i], buffers[b].elementBytes - 1, uint8_t{0});
      if (random.next() % 32 == 0) *high &= 0x80, all[b][i + buffers[b].elementBytes - 2] = 0;
    }
  return all;
}

void checkFloats(const std::vector<TestBuffer>& buffers, const std::string& ops, SplitMix64& random,
                 const isa::InstructionSet& set = isa::aie2()) {
  Memories before = floats(buffers, random), expected = interpret(buffers, ops, before);
  TestDevice device(buffers, ops + "\n  aie.end");
  device.surroundings.set = &set;
  INFO(set.name);
  DiagnosticCollector messages(device.context);
  auto code = device.compile();
  for (const Diagnostic& message : messages.diagnostics())
    UNSCOPED_INFO(message.message);
  REQUIRE(code);
  TestRun run(*code);
  for (size_t i = 0; i < buffers.size(); ++i)
    std::copy(before[i].begin(), before[i].end(),
              run.host.memory.begin() + device.addressOf(buffers[i]));
  run.run();
  for (size_t i = 0; i < buffers.size(); ++i) {
    const uint8_t* found = &run.host.memory[device.addressOf(buffers[i])];
    INFO(ops);
    CHECK(std::vector<uint8_t>(found, found + buffers[i].bytes()) == expected[i]);
  }
}

}  // namespace

TEST_CASE("lanes of floats", "[codegen][vectors]") {
  const isa::InstructionSet& set = *GENERATE(&isa::aie2(), &isa::aie2p());
  SplitMix64 random(7);
  for (const Shape& s :
       {Shape{"f32", 16, 4}, Shape{"f32", 8, 4}, Shape{"bf16", 16, 2}, Shape{"bf16", 32, 2}})
    for (std::string_view op : {"addf", "subf", "mulf", "maximumf", "minimumf"})
      for (int round = 0; round < 20; ++round)
        if (op == "addf" || op == "subf" || s.element == "bf16")
          checkFloats(buffers(s),
                      body(s, fmt::format("  %r = arith.{} %x, %y : vector<{}x{}>\n", op, s.lanes,
                                          s.element)),
                      random, set);
}

TEST_CASE("widths of floats", "[codegen][vectors]") {
  const isa::InstructionSet& set = *GENERATE(&isa::aie2(), &isa::aie2p());
  SplitMix64 random(8);
  const std::vector<TestBuffer> both = {{"f", "f32", 64, 4}, {"h", "bf16", 64, 2}};
  for (int round = 0; round < 10; ++round)
    checkFloats(both,
                "  %c0 = arith.constant 0 : index\n  %c32 = arith.constant 32 : index\n"
                "  %x = vector.load %f[%c0] : memref<64xf32, 2 : i32>, vector<16xf32>\n"
                "  %y = vector.load %h[%c0] : memref<64xbf16, 2 : i32>, vector<16xbf16>\n"
                "  %n = arith.truncf %x : vector<16xf32> to vector<16xbf16>\n"
                "  %w = arith.extf %y : vector<16xbf16> to vector<16xf32>\n"
                "  vector.store %n, %h[%c32] : memref<64xbf16, 2 : i32>, vector<16xbf16>\n"
                "  vector.store %w, %f[%c32] : memref<64xf32, 2 : i32>, vector<16xf32>\n",
                random, set);
}

TEST_CASE("products of f32 in pieces, with and without a sum", "[codegen][vectors]") {
  const isa::InstructionSet& set = *GENERATE(&isa::aie2(), &isa::aie2p());
  const std::string_view alone = &set == &isa::aie2() ? "" : ", 1";
  SplitMix64 random(9);
  const Shape s = {"f32", 16, 4};
  for (std::string_view counts : {"1, 1", "1, 2", "2, 1", "1, 3", "3, 1", "2, 2", "3, 3"})
    for (std::string_view sum : {"%zero", "%x", "%y"})
      for (int round = 0; round < 10; ++round)
        checkFloats(buffers(s),
                    body(s, fmt::format("  %zero = arith.constant dense<0.0> : vector<16xf32>\n"
                                        "  %r = math.fma %x, %y, {} {{air.bf16_pieces = array<i64: "
                                        "{}{}>}} : vector<16xf32>\n",
                                        sum, counts, alone)),
                    random, set);
}

TEST_CASE("rows of f32 as numbers, lanes of bits, constants and sums", "[codegen][vectors]") {
  const isa::InstructionSet& set = *GENERATE(&isa::aie2(), &isa::aie2p());
  SplitMix64 random(10);
  const Shape s = {"f32", 16, 4};
  for (int round = 0; round < 20; ++round)
    checkFloats(buffers(s),
                body(s, fmt::format(R"(
  %k = arith.constant dense<1.4426950408889634> : vector<16xf32>
  %zero = arith.constant dense<0> : vector<16xi32>
  %seven = arith.constant dense<7> : vector<16xi32>
  %p = math.fma %x, %k, %y {{air.bf16_pieces = array<i64: 2, 2{}>}} : vector<16xf32>
  %d = arith.subf %p, %x : vector<16xf32>
  %bits = arith.bitcast %d : vector<16xf32> to vector<16xi32>
  %less = arith.cmpi slt, %bits, %zero : vector<16xi32>
  %up = arith.shli %bits, %seven : vector<16xi32>
  %down = arith.shrsi %bits, %seven : vector<16xi32>
  %chosen = arith.select %less, %up, %down : vector<16xi1>, vector<16xi32>
  %first = vector.extract %chosen[0] : i32 from vector<16xi32>
  %all = vector.broadcast %first : i32 to vector<16xi32>
  %mixed = arith.xori %all, %chosen : vector<16xi32>
  %r = arith.bitcast %mixed : vector<16xi32> to vector<16xf32>
)",
                                    &set == &isa::aie2() ? "" : ", 1")),
                random, set);
}

TEST_CASE("the cascade hands on 512 bits", "[codegen][vectors]") {
  const Shape s = {"i32", 16, 4};
  TestDevice device(buffers(s),
                    "  %c0 = arith.constant 0 : index\n"
                    "  %x = aie.get_cascade() : vector<16xi32>\n"
                    "  %y = arith.addi %x, %x : vector<16xi32>\n"
                    "  aie.put_cascade(%y : vector<16xi32>)\n"
                    "  vector.store %x, %m[%c0] : memref<64xi32, 2 : i32>, vector<16xi32>\n"
                    "  aie.end");
  auto code = device.compile();
  REQUIRE(code);
  TestRun run(*code);
  for (size_t i = 0; i < sim::cascadeBytes; ++i)
    run.host.cascadeIn[i] = static_cast<uint8_t>(i % 4 == 0 ? i : 0);
  run.run();
  for (size_t i = 0; i < sim::cascadeBytes; ++i) {
    CHECK(run.host.memory[device.addressOf(buffers(s)[0]) + i] == run.host.cascadeIn[i]);
    CHECK(run.host.cascadeOut[i] == 2 * run.host.cascadeIn[i]);
  }
}

TEST_CASE("what vectors cannot do is said", "[codegen][errors]") {
  auto messageOf = [](const std::string& ops) {
    const Shape s = {"i32", 8, 4};
    TestDevice device(buffers(s), body(s, ops) + "  aie.end");
    DiagnosticCollector messages(device.context);
    CHECK(!device.compile());
    REQUIRE(messages.diagnostics().size() == 1);
    return messages.diagnostics()[0].message;
  };
  CHECK(messageOf("  %t = arith.cmpi eq, %x, %y : vector<8xi32>\n"
                  "  %r = arith.extui %t : vector<8xi1> to vector<8xi32>\n")
            .find("anything but selecting") != std::string::npos);
  CHECK(messageOf("  %r = arith.divsi %x, %y : vector<8xi32>\n").find("nothing that a core") !=
        std::string::npos);
  CHECK(messageOf("  %r = vector.load %m[%c1] : memref<32xi32, 2 : i32>, vector<8xi32>\n")
            .find("which is not a multiple of 32") != std::string::npos);
}

TEST_CASE("products of bf16 tiles, with sums that are loaded, computed, stored and used",
          "[codegen][vectors]") {
  SplitMix64 random(11);
  const std::vector<TestBuffer> all = {
      {"a", "bf16", 512, 2}, {"b", "bf16", 512, 2}, {"c", "f32", 256, 4}};
  // Exponents near that of 1, so that no sum is infinite or no number.
  auto nearOne = [](std::string_view buffer, unsigned count, std::string_view element,
                    std::string_view bits, std::string_view mask, std::string_view one) {
    return fmt::format(R"(
  %end_{0} = arith.constant {1} : index
  %mask_{0} = arith.constant {4} : {3}
  %one_{0} = arith.constant {5} : {3}
  scf.for %i = %k0 to %end_{0} step %k1 {{
    %x = memref.load %{0}[%i] : memref<{1}x{2}, 2 : i32>
    %xb = arith.bitcast %x : {2} to {3}
    %xm = arith.andi %xb, %mask_{0} : {3}
    %xo = arith.ori %xm, %one_{0} : {3}
    %xn = arith.bitcast %xo : {3} to {2}
    memref.store %xn, %{0}[%i] : memref<{1}x{2}, 2 : i32>
  }}
)",
                       buffer, count, element, bits, mask, one);
  };
  const std::string near = "  %k0 = arith.constant 0 : index\n  %k1 = arith.constant 1 : index\n" +
                           nearOne("a", 512, "bf16", "i16", "0x87ff", "0x3c00") +
                           nearOne("b", 512, "bf16", "i16", "0x87ff", "0x3c00") +
                           nearOne("c", 256, "f32", "i32", "0x87ffffff", "0x3c000000");
  const std::string product = R"(
  %k16 = arith.constant 16 : index
  %k32 = arith.constant 32 : index
  scf.for %i = %k0 to %k16 step %k1 {
    %at = arith.muli %i, %k32 : index
    %to = arith.muli %i, %k16 : index
    %p = vector.load %a[%at] : memref<512xbf16, 2 : i32>, vector<32xbf16>
    %q = vector.load %b[%at] : memref<512xbf16, 2 : i32>, vector<32xbf16>
    %s = vector.load %c[%to] : memref<256xf32, 2 : i32>, vector<16xf32>
    %pt = vector.shape_cast %p : vector<32xbf16> to vector<4x8xbf16>
    %qt = vector.shape_cast %q : vector<32xbf16> to vector<8x4xbf16>
    BEFORE
    %st = vector.shape_cast SUM : vector<16xf32> to vector<4x4xf32>
    %r = vector.contract {air.sum_depth = 8 : i64, indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
        affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel",
        "parallel", "reduction"], kind = #vector.kind<add>} %pt, %qt, %st
        : vector<4x8xbf16>, vector<8x4xbf16> into vector<4x4xf32>
    %u = vector.shape_cast %r : vector<4x4xf32> to vector<16xf32>
    AFTER
    vector.store RESULT, %c[%to] : memref<256xf32, 2 : i32>, vector<16xf32>
  }
)";
  auto with = [&](std::string before, std::string sum, std::string after, std::string result) {
    std::string text = product;
    for (const auto& [from, to] : {std::pair<std::string, std::string>{"BEFORE", before},
                                   {"SUM", sum},
                                   {"AFTER", after},
                                   {"RESULT", result}})
      text.replace(text.find(from), from.size(), to);
    return near + text;
  };
  CHECK(checkSame(all, with("", "%s", "", "%u"), random));
  // A row that others read too is not a sum alone: it is copied.
  CHECK(checkSame(all,
                  with("%d = arith.addf %s, %s : vector<16xf32>", "%d",
                       "%e = arith.addf %u, %s : vector<16xf32>", "%e"),
                  random));
}
