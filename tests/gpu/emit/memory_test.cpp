// Views, copies, small types in memory, constants, vectors.
#include "EmitTest.hpp"

#include <numeric>

using namespace airlite;
using namespace airlite::gpu;
using namespace airlite::gpu::test;

namespace {

std::vector<float> counting(size_t n) {
  std::vector<float> values(n);
  std::iota(values.begin(), values.end(), 0.0f);
  return values;
}

/// Row `i` of `a` (rows of 8) times column `j` of `b` (rows of 4).
float dot8(const std::vector<float>& a, const std::vector<float>& b, size_t i, size_t j) {
  float sum = 0;
  for (size_t k = 0; k < 8; ++k)
    sum += a[i * 8 + k] * b[k * 4 + j];
  return sum;
}

}  // namespace

TEST_CASE("views of views") {
  Program program(oneKernel("%m: memref<8x16xf32>, %o: index, %out: memref<6xf32>",
                            R"(
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %s = memref.subview %m[%o, 4] [4, 8] [1, 1]
        : memref<8x16xf32> to memref<4x8xf32, strided<[16, 1], offset: ?>>
    %a = memref.load %s[%c1, %c2] : memref<4x8xf32, strided<[16, 1], offset: ?>>
    %row = memref.subview %s[2, 0] [1, 4] [1, 2]
        : memref<4x8xf32, strided<[16, 1], offset: ?>> to memref<4xf32, strided<[2], offset: ?>>
    %b = memref.load %row[%c3] : memref<4xf32, strided<[2], offset: ?>>
    %t = memref.transpose %m (d0, d1) -> (d1, d0)
        : memref<8x16xf32> to memref<16x8xf32, strided<[1, 16]>>
    %c = memref.load %t[%c5, %c2] : memref<16x8xf32, strided<[1, 16]>>
    %e = memref.expand_shape %m [[0], [1, 2]] output_shape [8, 4, 4]
        : memref<8x16xf32> into memref<8x4x4xf32>
    %d = memref.load %e[%c1, %c2, %c3] : memref<8x4x4xf32>
    %f = memref.collapse_shape %m [[0, 1]] : memref<8x16xf32> into memref<128xf32>
    %i = arith.constant 100 : index
    %g = memref.load %f[%i] : memref<128xf32>
    %r = memref.reinterpret_cast %m to offset: [%o], sizes: [4, 4], strides: [8, 2]
        : memref<8x16xf32> to memref<4x4xf32, strided<[8, 2], offset: ?>>
    %h = memref.load %r[%c3, %c1] : memref<4x4xf32, strided<[8, 2], offset: ?>>)" +
                                storeEach({"%a", "%b", "%c", "%d", "%g", "%h"}, "memref<6xf32>")));
  auto m = counting(128);
  std::vector<float> out(6, -1.0f);
  runMain(hostOf(program), {bufferOf(m, {8, 16}), HostValue::ofInteger(3), bufferOf(out)});
  CHECK(out == std::vector<float>{70, 90, 37, 27, 100, 29});
  compileForAll(program);
}

TEST_CASE("copies between memory spaces") {
  Program program(oneKernel("%m: memref<4x6xi16>, %out: memref<6x4xi16>", R"(
    %lds = memref.alloc() {} : memref<4x6xi16, 3>
    %own = memref.alloca() : memref<4x6xi16, 5>
    memref.copy %m, %lds : memref<4x6xi16> to memref<4x6xi16, 3>
    gpu.barrier
    memref.copy %lds, %own : memref<4x6xi16, 3> to memref<4x6xi16, 5>
    %t = memref.transpose %own (d0, d1) -> (d1, d0)
        : memref<4x6xi16, 5> to memref<6x4xi16, strided<[1, 6]>, 5>
    memref.copy %t, %out : memref<6x4xi16, strided<[1, 6]>, 5> to memref<6x4xi16>
    memref.dealloc %lds : memref<4x6xi16, 3>)"));
  std::vector<std::int16_t> m(24), out(24, -1);
  std::iota(m.begin(), m.end(), std::int16_t(0));
  runMain(hostOf(program), {bufferOf(m, {4, 6}), bufferOf(out, {6, 4})});
  for (size_t i = 0; i < 6; ++i)
    for (size_t j = 0; j < 4; ++j)
      CHECK(out[i * 4 + j] == m[j * 6 + i]);
  compileForAll(program);
}

TEST_CASE("i1 and i4 take a byte, constants come from the program") {
  Program program("memref.global \"private\" constant @table : memref<4xi8> = "
                  "dense<[10, -20, 30, -40]>\n" +
                  oneKernel("%flags: memref<4xi1>, %small: memref<4xi4>, %flag: i1, "
                            "%out: memref<4xi32>",
                            R"(
    %i = gpu.thread_id x
    %t = memref.get_global @table : memref<4xi8>
    %v = memref.load %t[%i] : memref<4xi8>
    %f = memref.load %flags[%i] : memref<4xi1>
    %n = memref.load %small[%i] : memref<4xi4>
    %wide = arith.extsi %v : i8 to i32
    %nibble = arith.extsi %n : i4 to i32
    %both = arith.xori %f, %flag : i1
    %r = arith.select %both, %wide, %nibble : i32
    memref.store %both, %flags[%i] : memref<4xi1>
    memref.store %r, %out[%i] : memref<4xi32>)",
                            4));
  std::vector<std::uint8_t> flags = {0, 1, 0, 1}, small = {1, 15, 7, 8};
  std::vector<std::int32_t> out(4);
  runMain(hostOf(program),
          {bufferOf(flags), bufferOf(small), HostValue::ofInteger(1), bufferOf(out)});
  CHECK(out == std::vector<std::int32_t>{10, -1, 30, -8});
  CHECK(flags == std::vector<std::uint8_t>{1, 0, 1, 0});
  compileForAll(program);
}

TEST_CASE("vectors of one and two dimensions") {
  Program program(oneKernel("%a: memref<4x8xf32>, %b: memref<8x4xf32>, %out: memref<4x4xf32>, "
                            "%sums: memref<8xf32>, %k: index",
                            R"(
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %pad = arith.constant -1.0 : f32
    %x = vector.load %a[%c0, %c0] : memref<4x8xf32>, vector<4x8xf32>
    %y = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]}
        : memref<8x4xf32>, vector<8x4xf32>
    %zero = arith.constant dense<0.0> : vector<4x4xf32>
    %p = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
        affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %x, %y, %zero : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
    vector.store %p, %out[%c0, %c0] : memref<4x4xf32>, vector<4x4xf32>
    %row = vector.extract %x[2] : vector<8xf32> from vector<4x8xf32>
    %total = vector.reduction <add>, %row : vector<8xf32> into f32
    %all = vector.broadcast %total : f32 to vector<8xf32>
    %one = vector.extract %row[%k] : f32 from vector<8xf32>
    %some = vector.insert %one, %all[0] : f32 into vector<8xf32>
    %tail = vector.transfer_read %a[%c2, %k], %pad : memref<4x8xf32>, vector<4xf32>
    %head = vector.insert_strided_slice %tail, %some {offsets = [4], strides = [1]}
        : vector<4xf32> into vector<8xf32>
    vector.transfer_write %head, %sums[%c0] {in_bounds = [true]}
        : vector<8xf32>, memref<8xf32>)"));
  auto a = counting(32), b = counting(32);
  std::vector<float> out(16), sums(8);
  runMain(hostOf(program), {bufferOf(a, {4, 8}), bufferOf(b, {8, 4}), bufferOf(out, {4, 4}),
                            bufferOf(sums), HostValue::ofInteger(6)});
  for (size_t i = 0; i < 4; ++i)
    for (size_t j = 0; j < 4; ++j)
      CHECK(out[i * 4 + j] == dot8(a, b, i, j));
  CHECK(sums == std::vector<float>{22, 156, 156, 156, 22, 23, -1, -1});
  compileForAll(program);
}

TEST_CASE("linalg and affine ops in kernels") {
  Program program(oneKernel("%a: memref<4x8xf32>, %b: memref<8x4xf32>, %c: memref<4x4xf32>", R"(
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%c : memref<4x4xf32>)
    linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>) outs(%c : memref<4x4xf32>)
    affine.for %i = 0 to 4 {
      %v = affine.load %c[%i, 3 - %i] : memref<4x4xf32>
      %w = arith.negf %v : f32
      affine.store %w, %c[%i, 3 - %i] : memref<4x4xf32>
    })"));
  auto a = counting(32), b = counting(32);
  std::vector<float> c(16);
  runMain(hostOf(program), {bufferOf(a, {4, 8}), bufferOf(b, {8, 4}), bufferOf(c, {4, 4})});
  for (size_t i = 0; i < 4; ++i)
    for (size_t j = 0; j < 4; ++j) {
      const float sum = dot8(a, b, i, j);
      CHECK(c[i * 4 + j] == (i + j == 3 ? -sum : sum));
    }
  compileForAll(program);
}

TEST_CASE("atomics and buffers of the kernel itself") {
  Program program(R"(
gpu.module @k {
  gpu.func @kernel(%out: memref<2xi32>, %sum: memref<1xf32>)
      workgroup(%w : memref<1xi32, 3>) private(%p : memref<2xi32, 5>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %three = arith.constant 3 : i32
    %half = arith.constant 0.5 : f32
    %i = gpu.thread_id x
    %first = arith.cmpi eq, %i, %c0 : index
    scf.if %first {
      memref.store %zero, %w[%c0] : memref<1xi32, 3>
    }
    gpu.barrier
    %old = memref.atomic_rmw addi %three, %w[%c0] : (i32, memref<1xi32, 3>) -> i32
    %f = memref.atomic_rmw addf %half, %sum[%c0] : (f32, memref<1xf32>) -> f32
    memref.store %old, %p[%c1] : memref<2xi32, 5>
    gpu.barrier
    scf.if %first {
      %total = memref.load %w[%c0] : memref<1xi32, 3>
      %own = memref.load %p[%c1] : memref<2xi32, 5>
      memref.store %total, %out[%c0] : memref<2xi32>
      memref.store %own, %out[%c1] : memref<2xi32>
    }
    gpu.return
  }
}
func.func @main(%out: memref<2xi32>, %sum: memref<1xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @k::@kernel blocks in (%c4, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%out : memref<2xi32>, %sum : memref<1xf32>)
  return
}
)");
  std::vector<std::int32_t> out(2, -1);
  std::vector<float> sum(1, 0.0f);
  runMain(hostOf(program), {bufferOf(out), bufferOf(sum)});
  CHECK(out == std::vector<std::int32_t>{192, 0});
  CHECK(sum[0] == 128.0f);
  compileForAll(program);
}
