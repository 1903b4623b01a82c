// Kernels in kernel form, compiled for every cpu and run on the host twin.
#include "EmitTest.hpp"

#include <cmath>

using namespace airlite;
using namespace airlite::gpu;
using namespace airlite::gpu::test;

namespace {

const std::string vectorAdd = R"(
gpu.module @add_module {
  gpu.func @add(%a: memref<?xf32>, %b: memref<?xf32>, %out: memref<?xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, airlite.wave_size = 64 : i32} {
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %size = gpu.block_dim x
    %start = arith.muli %block, %size : index
    %i = arith.addi %start, %thread : index
    %in = arith.cmpi ult, %i, %n : index
    scf.if %in {
      %x = memref.load %a[%i] : memref<?xf32>
      %y = memref.load %b[%i] : memref<?xf32>
      %sum = arith.addf %x, %y : f32
      memref.store %sum, %out[%i] : memref<?xf32>
    }
    gpu.return
  }
}
func.func @main(%a: memref<?xf32>, %b: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : index
  %block = arith.constant 64 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %groups = arith.ceildivui %n, %block : index
  gpu.launch_func @add_module::@add blocks in (%groups, %one, %one) threads in (%block, %one, %one)
      args(%a : memref<?xf32>, %b : memref<?xf32>, %out : memref<?xf32>, %n : index)
  return
}
)";

/// C = A * B, 32 x 32, in tiles of 16 x 16 through LDS; grid 2 x 2.
const std::string matmul = R"(
gpu.module @mm_module {
  gpu.func @mm(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %c: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 16, 16, 1>, airlite.wave_size = 64 : i32} {
    %ta = memref.alloc() {} : memref<16x16xf32, 3>
    %tb = memref.alloc() {} : memref<16x16xf32, 3>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %r0 = arith.muli %by, %c16 : index
    %q0 = arith.muli %bx, %c16 : index
    %row = arith.addi %r0, %ty : index
    %col = arith.addi %q0, %tx : index
    %sum = scf.for %k = %c0 to %c32 step %c16 iter_args(%acc = %zero) -> (f32) {
      %ka = arith.addi %k, %tx : index
      %kb = arith.addi %k, %ty : index
      %va = memref.load %a[%row, %ka] : memref<32x32xf32>
      %vb = memref.load %b[%kb, %col] : memref<32x32xf32>
      memref.store %va, %ta[%ty, %tx] : memref<16x16xf32, 3>
      memref.store %vb, %tb[%ty, %tx] : memref<16x16xf32, 3>
      gpu.barrier
      %part = scf.for %j = %c0 to %c16 step %c1 iter_args(%in = %acc) -> (f32) {
        %x = memref.load %ta[%ty, %j] : memref<16x16xf32, 3>
        %y = memref.load %tb[%j, %tx] : memref<16x16xf32, 3>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %in, %p : f32
        scf.yield %s : f32
      }
      gpu.barrier
      scf.yield %part : f32
    }
    memref.store %sum, %c[%row, %col] : memref<32x32xf32>
    gpu.return
  }
}
func.func @main(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %c: memref<32x32xf32>) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %block = arith.constant 16 : index
  gpu.launch_func @mm_module::@mm blocks in (%two, %two, %one) threads in (%block, %block, %one)
      args(%a : memref<32x32xf32>, %b : memref<32x32xf32>, %c : memref<32x32xf32>)
  return
}
)";

std::vector<float> ramp(size_t n, float step) {
  std::vector<float> values(n);
  for (size_t i = 0; i < n; ++i)
    values[i] = std::sin(step * static_cast<float>(i + 1));
  return values;
}

}  // namespace

TEST_CASE("a guarded vector addition") {
  Program program(vectorAdd);
  const auto host = hostOf(program);
  for (size_t n : {0u, 1u, 64u, 1000u}) {
    auto a = ramp(n, 0.3f), b = ramp(n, 0.7f);
    std::vector<float> out(n + 1, -1.0f);
    const auto run =
        runMain(host, {bufferOf(a), bufferOf(b), bufferOf(out, {static_cast<int64_t>(n)})});
    for (size_t i = 0; i < n; ++i)
      REQUIRE(out[i] == a[i] + b[i]);
    CHECK(out[n] == -1.0f);
    CHECK(run.launches == 1);
    CHECK(run.stats.workgroups == (n + 63) / 64);
  }
  compileForAll(program);
}

TEST_CASE("a matmul through LDS gives the same bits in every order") {
  Program program(matmul);
  const auto host = hostOf(program);
  auto a = ramp(1024, 0.37f), b = ramp(1024, 0.11f);
  std::vector<float> expected(1024);
  for (size_t i = 0; i < 1024; ++i) {
    float sum = 0;
    for (size_t k = 0; k < 32; ++k) {
      const volatile float product = a[i / 32 * 32 + k] * b[k * 32 + i % 32];
      sum += product;
    }
    expected[i] = sum;
  }
  for (auto order : {RunOrder::Forward, RunOrder::Reverse, RunOrder::Random}) {
    std::vector<float> c(1024, -1.0f);
    RunOptions options;
    options.order = order;
    const auto run = runMain(
        host, {bufferOf(a, {32, 32}), bufferOf(b, {32, 32}), bufferOf(c, {32, 32})}, options);
    CHECK(c == expected);
    CHECK(run.stats.barriers == 4 * 4);
  }
  compileForAll(program);
}

TEST_CASE("what a compiled kernel says of itself") {
  Program program(matmul);
  CompileOptions options;
  options.assembly = true;
  const auto compiled = compileFor(program, "gfx942", options);
  REQUIRE(compiled.modules.size() == 1);
  const auto& module = compiled.modules[0];
  CHECK(module.name == "mm_module");
  CHECK(module.llvmText.find("define protected amdgpu_kernel void @mm(") != std::string::npos);
  CHECK(module.asmText.find("mm.kd") != std::string::npos);
  CHECK(module.info.target == "amdgcn-amd-amdhsa--gfx942");
  const auto* kernel = module.find("mm");
  REQUIRE(kernel);
  CHECK(kernel->block == Dim3{16, 16, 1});
  CHECK(kernel->grid == Dim3{2, 2, 1});
  REQUIRE(kernel->args.size() == 3);
  CHECK(kernel->args[2].slots[0].offset == 16);
  CHECK(kernel->args[2].shape == std::vector<std::int64_t>{32, 32});
  CHECK(module.info.find("mm")->ldsBytes == 2048);
}

TEST_CASE("open sizes and offsets are arguments of their own") {
  Program program(vectorAdd);
  const auto compiled = compileFor(program, "gfx90a");
  const auto& kernel = compiled.modules[0].kernels[0];
  CHECK_FALSE(kernel.grid);
  REQUIRE(kernel.args[0].slots.size() == 2);
  CHECK(kernel.args[0].slots[1].kind == SlotKind::Size);
  CHECK(kernel.args[1].slots[0].offset == 16);
  CHECK(kernel.args[3].slots[0].offset == 48);
}

TEST_CASE("structured loops and conditions") {
  // Collatz steps of each number below 64: a while inside of a for.
  Program program(oneKernel("%out: memref<64xi32>", R"(
    %i = gpu.thread_id x
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %index = arith.index_cast %i : index to i32
    %start = arith.addi %index, %c1 : i32
    %end:2 = scf.while (%n = %start, %steps = %c0) : (i32, i32) -> (i32, i32) {
      %go = arith.cmpi ne, %n, %c1 : i32
      scf.condition(%go) %n, %steps : i32, i32
    } do {
    ^bb0(%n: i32, %steps: i32):
      %odd = arith.remui %n, %c2 : i32
      %isOdd = arith.cmpi eq, %odd, %c1 : i32
      %next = scf.if %isOdd -> (i32) {
        %t = arith.muli %n, %c3 : i32
        %u = arith.addi %t, %c1 : i32
        scf.yield %u : i32
      } else {
        %h = arith.shrui %n, %c1 : i32
        scf.yield %h : i32
      }
      %more = arith.addi %steps, %c1 : i32
      scf.yield %next, %more : i32, i32
    }
    memref.store %end#1, %out[%i] : memref<64xi32>)",
                            64));
  std::vector<std::int32_t> out(64, -1);
  runMain(hostOf(program), {bufferOf(out)});
  for (int i = 0; i < 64; ++i) {
    int steps = 0;
    for (int n = i + 1; n != 1; ++steps)
      n = n % 2 ? 3 * n + 1 : n / 2;
    CHECK(out[static_cast<size_t>(i)] == steps);
  }
  compileForAll(program);
}

TEST_CASE("ids, lanes and waves") {
  Program program(oneKernel("%out: memref<4x128xindex>", R"(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %i = gpu.thread_id x
    %lane = gpu.lane_id
    %wave = gpu.subgroup_id : index
    %size = gpu.subgroup_size : index
    %grid = gpu.grid_dim x
    %sum = arith.addi %size, %grid : index
    %g = gpu.global_id x
    memref.store %lane, %out[%c0, %i] : memref<4x128xindex>
    memref.store %wave, %out[%c1, %i] : memref<4x128xindex>
    memref.store %sum, %out[%c2, %i] : memref<4x128xindex>
    memref.store %g, %out[%c3, %i] : memref<4x128xindex>)",
                            128));
  std::vector<std::int64_t> out(512, -1);
  runMain(hostOf(program), {bufferOf(out, {4, 128})});
  for (size_t i = 0; i < 128; ++i) {
    CHECK(out[i] == static_cast<std::int64_t>(i % 64));
    CHECK(out[128 + i] == static_cast<std::int64_t>(i / 64));
    CHECK(out[256 + i] == 65);
    CHECK(out[384 + i] == static_cast<std::int64_t>(i));
  }
  const auto compiled = compileFor(program, "gfx942");
  REQUIRE(compiled.modules[0].kernels[0].gridArg);
  CHECK(compiled.modules[0].kernels[0].gridArg->slots[2].offset == 16);
  compileForAll(program);
}

TEST_CASE("helper functions are part of the kernel") {
  Program program("func.func private @twice(%m: memref<?xf32, 5>, %x: f32) -> (f32, f32) {\n"
                  "  %c0 = arith.constant 0 : index\n"
                  "  memref.store %x, %m[%c0] : memref<?xf32, 5>\n"
                  "  %y = arith.addf %x, %x : f32\n"
                  "  return %y, %x : f32, f32\n}\n" +
                  oneKernel("%out: memref<3xf32>, %x: f32", R"(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %p = memref.alloca() : memref<4xf32, 5>
    %d = memref.cast %p : memref<4xf32, 5> to memref<?xf32, 5>
    %r:2 = func.call @twice(%d, %x) : (memref<?xf32, 5>, f32) -> (f32, f32)
    %s = memref.load %p[%c0] : memref<4xf32, 5>
    memref.store %r#0, %out[%c0] : memref<3xf32>
    memref.store %r#1, %out[%c1] : memref<3xf32>
    memref.store %s, %out[%c2] : memref<3xf32>)"));
  std::vector<float> out(3, -1.0f);
  Program& p = program;
  const auto host = hostOf(p);
  runMain(host, {bufferOf(out), HostValue::ofFloat(1.5)});
  CHECK(out == std::vector<float>{3.0f, 1.5f, 1.5f});
  compileForAll(program);
}
