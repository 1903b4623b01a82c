// What programs with vectors compute before and after air-aie-legalize-core: shapes and types that
// the vector unit has nothing for, next to those that it has.
#include "LegalizeTesting.hpp"

#include <fmt/format.h>

using namespace airlite;
using namespace airlite::npu;

namespace {

constexpr std::string_view kHeader = R"(
#rows = affine_map<(m, n, k) -> (m, k)>
#columns = affine_map<(m, n, k) -> (k, n)>
#turned = affine_map<(m, n, k) -> (n, k)>
#result = affine_map<(m, n, k) -> (m, n)>
#left = affine_map<(n, k) -> (k)>
#right = affine_map<(n, k) -> (n, k)>
#sum = affine_map<(n, k) -> (n)>
#one = affine_map<(k) -> (k)>
#none = affine_map<(k) -> ()>
#swap = affine_map<(i, j) -> (j, i)>
#column = affine_map<(i, j) -> (i)>
#repeat = affine_map<(i, j) -> (0, j)>
)";

/// A function of two memories of 12 x 32 elements (`a` to read, `c` to write), a row and numbers.
std::string function(std::string_view element, std::string_view body) {
  bool isFloat = element.find('f') != std::string_view::npos;
  return fmt::format(R"({3}
func.func @f(%a: memref<12x32x{0}>, %c: memref<12x32x{0}>, %m: memref<64x{0}>, %s: {0}, %k: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c16 = arith.constant 16 : index
  %c30 = arith.constant 30 : index
  %pad = arith.constant {1} : {0}
{2}
  return
}}
)",
                     element, isFloat ? "1.5" : "7", body, kHeader);
}

void check(std::string_view element, std::string body, int runs = 12) {
  for (size_t at = 0; (at = body.find("$T", at)) != std::string::npos;)
    body.replace(at, 2, element);
  LegalizedPair pair(function(element, body),
                     "air-aie-legalize-core{functions=true vectorize=true}");
  SplitMix64 random(21);
  pair.compare(random, runs);
}

constexpr std::string_view kIntegers[] = {"i8", "i16", "i32"};
constexpr std::string_view kFloats[] = {"f32", "bf16"};
constexpr std::string_view kAll[] = {"i8", "i16", "i32", "f32", "bf16"};

/// `ops` between loads and a store of vectors with this shape, at [%k, 3] and so on.
std::string lanewise(std::string_view shape, std::string_view ops) {
  return fmt::format(R"(
  %x = vector.transfer_read %a[%k, %c3], %pad {{in_bounds = [{1}]}} : memref<12x32x$T>, vector<{0}x$T>
  %y = vector.transfer_read %a[%c1, %k], %pad {{in_bounds = [{1}]}} : memref<12x32x$T>, vector<{0}x$T>
  {2}
  vector.transfer_write %r, %c[%c2, %k] {{in_bounds = [{1}]}} : vector<{0}x$T>, memref<12x32x$T>
)",
                     shape, shape.find('x') == std::string_view::npos ? "true" : "true, true", ops);
}

}  // namespace

TEST_CASE("vectors by elements: arithmetic of any shape", "[npu][legalize][vectors]") {
  for (std::string_view shape : {"5", "1", "3x4", "16"}) {
    std::string vector = fmt::format("vector<{}x$T>", shape);
    std::string bools = fmt::format("vector<{}xi1>", shape);
    auto ops = [&](std::string_view text) {
      return lanewise(shape, fmt::format(fmt::runtime(text), vector, bools));
    };
    for (std::string_view type : kIntegers) {
      check(type, ops("%t = arith.addi %x, %y : {0}  %r = arith.muli %t, %y : {0}"), 4);
      check(type,
            ops("%three = arith.constant dense<3> : {0}\n"
                "%t = arith.cmpi ult, %x, %y : {0}  %n = arith.cmpi sgt, %x, %y : {0}\n"
                "%b = arith.xori %t, %n : {1}\n"
                "%u = arith.select %b, %x, %y : {1}, {0}\n"
                "%w = arith.minui %u, %y : {0}  %r = arith.shrsi %w, %three : {0}"),
            4);
    }
    for (std::string_view type : kFloats) {
      check(type, ops("%t = arith.mulf %x, %y : {0}  %r = arith.divf %t, %y : {0}"), 4);
      check(type,
            ops("%t = arith.cmpf olt, %x, %y : {0}\n"
                "%u = arith.select %t, %x, %y : {1}, {0}\n"
                "%e = math.exp %u : {0}  %r = arith.maximumf %e, %x : {0}"),
            4);
    }
  }
}

TEST_CASE("vectors by elements: what the unit has stays", "[npu][legalize][vectors]") {
  LegalizedPair pair(function("i32", R"(
  %z = arith.constant dense<0> : vector<16xi32>
  %r = scf.for %i = %c0 to %c12 step %c1 iter_args(%acc = %z) -> (vector<16xi32>) {
    %x = vector.load %a[%i, %c16] : memref<12x32xi32>, vector<16xi32>
    %y = arith.addi %acc, %x : vector<16xi32>
    scf.yield %y : vector<16xi32>
  }
  vector.store %r, %c[%k, %c0] : memref<12x32xi32>, vector<16xi32>)"),
                     "air-aie-legalize-core{functions=true vectorize=true}");
  int scalars = 0;
  pair.after().walk([&](Operation& op) {
    scalars += op.is("memref.load") || op.is("memref.store") || op.is("memref.global");
  });
  CHECK(scalars == 0);
  SplitMix64 random(22);
  pair.compare(random, 8);
}

TEST_CASE("vectors by elements: rows of any alignment", "[npu][legalize][vectors]") {
  for (std::string_view type : kAll)
    check(type, R"(
  %x = vector.load %a[%k, %c3] : memref<12x32x$T>, vector<16x$T>
  vector.store %x, %c[%k, %c1] : memref<12x32x$T>, vector<16x$T>
  %y = vector.load %a[%c1, %k] : memref<12x32x$T>, vector<2x5x$T>
  vector.store %y, %c[%c4, %k] : memref<12x32x$T>, vector<2x5x$T>)");
}

TEST_CASE("vectors by elements: transfers", "[npu][legalize][vectors]") {
  for (std::string_view type : kAll)
    check(type, R"(
  %x = vector.transfer_read %a[%k, %c30], %s : memref<12x32x$T>, vector<4x8x$T>
  vector.transfer_write %x, %c[%c8, %c30] : vector<4x8x$T>, memref<12x32x$T>
  %y = vector.transfer_read %a[%c8, %k], %s {permutation_map = #swap} : memref<12x32x$T>, vector<5x7x$T>
  vector.transfer_write %y, %c[%k, %c4] {permutation_map = #swap, in_bounds = [true, true]} : vector<5x7x$T>, memref<12x32x$T>
  %z = vector.transfer_read %a[%k, %k], %s {permutation_map = #column} : memref<12x32x$T>, vector<6x$T>
  vector.transfer_write %z, %c[%c1, %c30] : vector<6x$T>, memref<12x32x$T>
  %w = vector.transfer_read %a[%k, %k], %s {permutation_map = #repeat, in_bounds = [true, true]} : memref<12x32x$T>, vector<3x4x$T>
  vector.transfer_write %w, %c[%c8, %c8] : vector<3x4x$T>, memref<12x32x$T>)");
}

TEST_CASE("vectors by elements: masks", "[npu][legalize][vectors]") {
  for (std::string_view type : kAll)
    check(type, R"(
  %c9 = arith.constant 9 : index
  %n = arith.addi %k, %c3 : index
  %mask = vector.create_mask %n : vector<11xi1>
  %few = vector.constant_mask [5] : vector<11xi1>
  %x = vector.transfer_read %a[%c0, %c4], %s, %mask {in_bounds = [true]} : memref<12x32x$T>, vector<11x$T>
  %y = vector.maskedload %a[%c2, %k], %few, %x : memref<12x32x$T>, vector<11xi1>, vector<11x$T> into vector<11x$T>
  vector.maskedstore %c[%c3, %k], %mask, %y : memref<12x32x$T>, vector<11xi1>, vector<11x$T>
  %i = vector.step : vector<11xindex>
  %twice = arith.addi %i, %i : vector<11xindex>
  %g = vector.gather %m[%k] [%twice], %mask, %y : memref<64x$T>, vector<11xindex>, vector<11xi1>, vector<11x$T> into vector<11x$T>
  vector.scatter %m[%c3] [%twice], %few, %g : memref<64x$T>, vector<11xindex>, vector<11xi1>, vector<11x$T>
  %e = vector.expandload %a[%c4, %k], %mask, %g : memref<12x32x$T>, vector<11xi1>, vector<11x$T> into vector<11x$T>
  vector.compressstore %c[%c9, %k], %mask, %e : memref<12x32x$T>, vector<11xi1>, vector<11x$T>)");
}

TEST_CASE("vectors by elements: rearrangements", "[npu][legalize][vectors]") {
  for (std::string_view type : kAll)
    check(type, R"(
  %c27 = arith.constant 27 : index
  %x = vector.load %a[%k, %c1] : memref<12x32x$T>, vector<4x6x$T>
  %t = vector.transpose %x, [1, 0] : vector<4x6x$T> to vector<6x4x$T>
  %flat = vector.shape_cast %t : vector<6x4x$T> to vector<24x$T>
  %part = vector.extract_strided_slice %flat {offsets = [3], sizes = [8], strides = [1]} : vector<24x$T> to vector<8x$T>
  %row = vector.extract %x[2] : vector<6x$T> from vector<4x6x$T>
  %v = vector.insert_strided_slice %row, %flat {offsets = [7], strides = [1]} : vector<6x$T> into vector<24x$T>
  %e = vector.extract %v[%k] : $T from vector<24x$T>
  %o = vector.extractelement %v[%c4 : index] : vector<24x$T>
  %w = vector.insert %e, %v[%c8] : $T into vector<24x$T>
  %u = vector.insert %o, %w[1] : $T into vector<24x$T>
  %u2 = vector.insertelement %s, %u[%k : index] : vector<24x$T>
  vector.store %u2, %c[%c0, %c0] : memref<12x32x$T>, vector<24x$T>
  %sh = vector.shuffle %part, %row [0, 9, 13, 2, 8] : vector<8x$T>, vector<6x$T>
  vector.store %sh, %c[%c1, %k] : memref<12x32x$T>, vector<5x$T>
  %both = vector.interleave %part, %part : vector<8x$T> -> vector<16x$T>
  vector.store %both, %c[%c2, %c3] : memref<12x32x$T>, vector<16x$T>
  %even, %odd = vector.deinterleave %both : vector<16x$T> -> vector<8x$T>
  vector.store %odd, %c[%c3, %c3] : memref<12x32x$T>, vector<8x$T>
  %four = vector.from_elements %s, %e, %o, %s : vector<2x2x$T>
  vector.store %four, %c[%c4, %c3] : memref<12x32x$T>, vector<2x2x$T>
  %b = vector.broadcast %row : vector<6x$T> to vector<3x6x$T>
  %ins = vector.insert %row, %b[1] : vector<6x$T> into vector<3x6x$T>
  vector.store %ins, %c[%c8, %c3] : memref<12x32x$T>, vector<3x6x$T>
  %sp = vector.splat %s : vector<3x$T>
  vector.store %sp, %c[%c8, %c27] : memref<12x32x$T>, vector<3x$T>
  %list = arith.constant dense<[1, 2, 3]> : vector<3xi32>
  %numbers = arith.index_cast %list : vector<3xi32> to vector<3xindex>
  %third = vector.extract %numbers[2] : index from vector<3xindex>
  memref.store %s, %c[%third, %c30] : memref<12x32x$T>)");
}

TEST_CASE("vectors by elements: the same bits in other elements", "[npu][legalize][vectors]") {
  check("i32", R"(
  %x = vector.load %a[%k, %c1] : memref<12x32xi32>, vector<6xi32>
  %h = vector.bitcast %x : vector<6xi32> to vector<12xi16>
  %r = vector.shuffle %h, %h [1, 0, 2, 3, 5, 4, 8, 9, 7, 6, 11, 10] : vector<12xi16>, vector<12xi16>
  %f = vector.bitcast %r : vector<12xi16> to vector<6xf32>
  %n = arith.negf %f : vector<6xf32>
  %i = arith.bitcast %n : vector<6xf32> to vector<6xi32>
  vector.store %i, %c[%c1, %k] : memref<12x32xi32>, vector<6xi32>)");
}

TEST_CASE("vectors by elements: reductions and products", "[npu][legalize][vectors]") {
  for (std::string_view type : kAll) {
    bool isFloat = type.find('f') != type.npos;
    for (std::string_view kind : isFloat ? std::vector<std::string_view>{"add", "mul", "maximumf"}
                                         : std::vector<std::string_view>{"add", "minui", "xor"})
      check(type,
            fmt::format(R"(
  %x = vector.load %a[%k, %c0] : memref<12x32x$T>, vector<16x$T>
  %y = vector.load %a[%k, %c1] : memref<12x32x$T>, vector<3x7x$T>
  %p = vector.reduction <{0}>, %x : vector<16x$T> into $T
  %q = vector.reduction <{0}>, %x, %p : vector<16x$T> into $T
  %z = vector.broadcast %q : $T to vector<3x$T>
  %r = vector.multi_reduction <{0}>, %y, %z [1] : vector<3x7x$T> to vector<3x$T>
  %t = vector.multi_reduction <{0}>, %y, %q [0, 1] : vector<3x7x$T> to $T
  memref.store %p, %m[%c1] : memref<64x$T>
  memref.store %t, %m[%c2] : memref<64x$T>
  vector.store %r, %m[%c8] : memref<64x$T>, vector<3x$T>
  %c14 = vector.extract %x[14] : $T from vector<16x$T>
  memref.store %c14, %m[%c3] : memref<64x$T>)",
                        kind),
            5);
    check(type, R"(
  %x = vector.load %a[%k, %c0] : memref<12x32x$T>, vector<4x8x$T>
  %y = vector.load %a[%k, %c1] : memref<12x32x$T>, vector<8x5x$T>
  %w = vector.load %a[%k, %c2] : memref<12x32x$T>, vector<5x8x$T>
  %z = vector.load %c[%k, %c3] : memref<12x32x$T>, vector<4x5x$T>
  %p = vector.contract {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z : vector<4x8x$T>, vector<8x5x$T> into vector<4x5x$T>
  %q = vector.contract {indexing_maps = [#rows, #turned, #result], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %w, %p : vector<4x8x$T>, vector<5x8x$T> into vector<4x5x$T>
  vector.store %q, %c[%k, %c3] : memref<12x32x$T>, vector<4x5x$T>
  %u = vector.load %a[%k, %k] : memref<12x32x$T>, vector<8x$T>
  %five = vector.load %a[%c1, %k] : memref<12x32x$T>, vector<5x$T>
  %g = vector.contract {indexing_maps = [#left, #right, #sum], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %u, %w, %five : vector<8x$T>, vector<5x8x$T> into vector<5x$T>
  vector.store %g, %c[%c8, %c3] : memref<12x32x$T>, vector<5x$T>
  %d = vector.contract {indexing_maps = [#one, #one, #none], iterator_types = ["reduction"], kind = #vector.kind<add>} %u, %u, %s : vector<8x$T>, vector<8x$T> into $T
  memref.store %d, %m[%c8] : memref<64x$T>
  %e = vector.broadcast %d : $T to vector<8x5x$T>
  %o = vector.outerproduct %u, %five, %e : vector<8x$T>, vector<5x$T>
  vector.store %o, %c[%c1, %c12] : memref<12x32x$T>, vector<8x5x$T>)",
          4);
  }
  check("bf16", R"(
  %x = vector.load %a[%k, %c0] : memref<12x32xbf16>, vector<4x8xbf16>
  %y = vector.load %a[%k, %c1] : memref<12x32xbf16>, vector<8x5xbf16>
  %z = arith.constant dense<1.5> : vector<4x5xf32>
  %p = vector.contract {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z : vector<4x8xbf16>, vector<8x5xbf16> into vector<4x5xf32>
  %t = arith.truncf %p : vector<4x5xf32> to vector<4x5xbf16>
  vector.store %t, %c[%k, %c3] : memref<12x32xbf16>, vector<4x5xbf16>)");
}

TEST_CASE("vectors by elements: carried by loops and conditionals", "[npu][legalize][vectors]") {
  for (std::string_view type : kAll) {
    std::string add = type.find('f') == type.npos ? "arith.addi" : "arith.mulf";
    for (std::string_view shape : {"3", "16", "2x5"})
      check(type,
            fmt::format(R"(
  %zero = arith.constant dense<{2}> : vector<{0}x$T>
  %first = vector.broadcast %s : $T to vector<{0}x$T>
  %p:3 = scf.for %i = %c0 to %c8 step %c1 iter_args(%u = %zero, %v = %first, %n = %c0) -> (vector<{0}x$T>, vector<{0}x$T>, index) {{
    %x = vector.transfer_read %a[%i, %k], %s : memref<12x32x$T>, vector<{0}x$T>
    %y = {1} %u, %x : vector<{0}x$T>
    %next = arith.addi %n, %i : index
    scf.yield %v, %y, %next : vector<{0}x$T>, vector<{0}x$T>, index
  }}
  %odd = arith.cmpi ne, %k, %c0 : index
  %q = scf.if %odd -> (vector<{0}x$T>) {{
    %t = {1} %p#0, %first : vector<{0}x$T>
    scf.yield %t : vector<{0}x$T>
  }} else {{
    scf.yield %p#1 : vector<{0}x$T>
  }}
  %w:2 = scf.while (%g = %q, %n = %p#2) : (vector<{0}x$T>, index) -> (index, vector<{0}x$T>) {{
    %go = arith.cmpi ult, %n, %c30 : index
    scf.condition(%go) %n, %g : index, vector<{0}x$T>
  }} do {{
  ^bb0(%n: index, %g: vector<{0}x$T>):
    %h = {1} %g, %p#1 : vector<{0}x$T>
    %more = arith.addi %n, %c1 : index
    scf.yield %h, %more : vector<{0}x$T>, index
  }}
  vector.transfer_write %w#1, %c[%k, %k] : vector<{0}x$T>, memref<12x32x$T>
  vector.transfer_write %q, %c[%c4, %k] : vector<{0}x$T>, memref<12x32x$T>)",
                        shape, add, add == "arith.addi" ? "0" : "0.5"),
            5);
  }
}

TEST_CASE("vectors by elements: memory that is written in between", "[npu][legalize][vectors]") {
  for (std::string_view type : {"i32", "bf16"}) {
    std::string op = type == "i32" ? "arith.divsi %w, %d" : "arith.divf %w, %d";
    check(type, fmt::format(R"(
  %d = arith.constant dense<{0}> : vector<7x$T>
  %w = vector.load %c[%k, %c0] : memref<12x32x$T>, vector<7x$T>
  %r = {1} : vector<7x$T>
  vector.store %r, %c[%k, %c1] : memref<12x32x$T>, vector<7x$T>
  %x = vector.load %c[%k, %c0] : memref<12x32x$T>, vector<7x$T>
  vector.store %d, %c[%k, %c0] : memref<12x32x$T>, vector<7x$T>
  vector.store %x, %c[%c4, %c0] : memref<12x32x$T>, vector<7x$T>
  %y = vector.load %c[%k, %c3] : memref<12x32x$T>, vector<3x3x$T>
  %t = vector.transpose %y, [1, 0] : vector<3x3x$T> to vector<3x3x$T>
  vector.store %t, %c[%k, %c3] : memref<12x32x$T>, vector<3x3x$T>)",
                            type == "i32" ? "3" : "3.0", op));
  }
}
