// Host functions: launches in loops, buffers, results, and what goes wrong.
#include "EmitTest.hpp"

#include <cmath>

using namespace airlite;
using namespace airlite::gpu;
using namespace airlite::gpu::test;
using Catch::Matchers::Contains;

namespace {

const std::string twoKernels = R"(
gpu.module @step_module {
  gpu.func @scale(%from: memref<?xf32>, %to: memref<?xf32>, %by: f32) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %i = gpu.global_id x
    %v = memref.load %from[%i] : memref<?xf32>
    %w = arith.mulf %v, %by : f32
    memref.store %w, %to[%i] : memref<?xf32>
    gpu.return
  }
  gpu.func @add(%from: memref<?xf32>, %to: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %i = gpu.global_id x
    %v = memref.load %from[%i] : memref<?xf32>
    %w = memref.load %to[%i] : memref<?xf32>
    %s = arith.addf %v, %w : f32
    memref.store %s, %to[%i] : memref<?xf32>
    gpu.return
  }
}
func.func @main(%m: memref<?xf32>, %times: index) -> (index, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %half = arith.constant 0.5 : f32
  %n = memref.dim %m, %c0 : memref<?xf32>
  %groups = arith.ceildivui %n, %c32 : index
  %tmp = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %times step %c1 {
    gpu.launch_func @step_module::@scale blocks in (%groups, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%m : memref<?xf32>, %tmp : memref<?xf32>, %half : f32)
    gpu.launch_func @step_module::@add blocks in (%groups, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%tmp : memref<?xf32>, %m : memref<?xf32>)
  }
  memref.dealloc %tmp : memref<?xf32>
  %sum = func.call @sum(%m) : (memref<?xf32>) -> f32
  return %n, %sum : index, f32
}
func.func private @sum(%m: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %m, %c0 : memref<?xf32>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
    %v = memref.load %m[%i] : memref<?xf32>
    %t = arith.addf %acc, %v : f32
    scf.yield %t : f32
  }
  return %s : f32
}
)";

}  // namespace

TEST_CASE("two launches in a loop") {
  Program program(twoKernels);
  const auto host = hostOf(program);
  REQUIRE(host.find("main"));
  std::vector<float> m(64, 1.0f);
  const auto run = runMain(host, {bufferOf(m), HostValue::ofInteger(3)});
  CHECK(m == std::vector<float>(64, 3.375f));
  CHECK(run.launches == 6);
  CHECK(run.stats.workgroups == 12);
  CHECK(run.allocatedBytes == 256);
  CHECK(run.leakedBuffers == 0);
  REQUIRE(run.results.size() == 2);
  CHECK(run.results[0].integer == 64);
  CHECK(run.results[1].number == 216.0);
  compileForAll(program);
}

TEST_CASE("buffers that a function returns live on") {
  Program program(R"(
func.func @main(%n: index, %s: i16) -> (memref<?x2xi16>, i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloc(%n) : memref<?x2xi16>
  %lost = memref.alloc() : memref<100xf64>
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c2) step (%c1, %c1) {
    memref.store %s, %m[%i, %j] : memref<?x2xi16>
  }
  %t = arith.constant true
  return %m, %t : memref<?x2xi16>, i1
}
)");
  const auto run = runMain(hostOf(program), {HostValue::ofInteger(5), HostValue::ofInteger(-3)});
  const auto& buffer = run.results[0];
  CHECK(buffer.shape == std::vector<std::int64_t>{5, 2});
  CHECK(static_cast<const std::int16_t*>(buffer.data)[9] == -3);
  CHECK(run.results[1].integer == 1);
  CHECK(run.leakedBuffers == 1);
  CHECK(run.allocatedBytes == 820);
}

TEST_CASE("arguments that do not fit") {
  Program program("func.func @main(%m: memref<4x?xf32, strided<[?, 1]>>, %x: f16) {\n return\n}\n");
  const auto host = hostOf(program);
  std::vector<float> m(64);
  const auto error = [&](std::vector<HostValue> args) {
    const auto run = host.run("main", args);
    CHECK_FALSE(run);
    return run.error().message;
  };
  const auto half = HostValue::ofFloat(0.5);
  CHECK_THAT(error({half}), Contains("'main' takes 2 arguments, got 1"));
  CHECK_THAT(error({half, half}), Contains("expected a buffer"));
  CHECK_THAT(error({bufferOf(m, {8, 8}), half}), Contains("expected a buffer of shape [4, ?]"));
  CHECK_THAT(error({HostValue::buffer(m.data(), {4, 4}, {16, 2}), half}),
             Contains("expected strides [?, 1], got [16, 2]"));
  CHECK_THAT(error({HostValue::buffer(m.data(), {4, 4}, {}, 1), half}),
             Contains("expected an offset of 0, got 1"));
  CHECK_THAT(error({bufferOf(m, {4, 4}), HostValue::ofInteger(1)}), Contains("got an integer"));
  CHECK(host.run("main", std::vector<HostValue>{bufferOf(m, {4, 16}), half}));
  CHECK_THAT(host.run("other", {}).error().message, Contains("no function 'other'"));
}

TEST_CASE("a run that fails leaves a message and no memory") {
  Program program(R"(
func.func @huge(%n: index) {
  %m = memref.alloc(%n) : memref<?x1024xf64>
  return
}
func.func @twice() {
  %m = memref.alloc() : memref<4xf64>
  memref.dealloc %m : memref<4xf64>
  memref.dealloc %m : memref<4xf64>
  return
}
func.func @check(%ok: i1) {
  %m = memref.alloc() : memref<4xf64>
  cf.assert %ok, "it was not ok"
  memref.dealloc %m : memref<4xf64>
  return
}
)");
  const auto host = hostOf(program);
  const auto error = [&](const char* name, std::vector<HostValue> args) {
    return host.run(name, args).error().message;
  };
  CHECK_THAT(error("huge", {HostValue::ofInteger(std::int64_t(1) << 40)}),
             Contains("cannot allocate a buffer of 1099511627776x1024 elements"));
  CHECK_THAT(error("huge", {HostValue::ofInteger(-1)}), Contains("cannot allocate"));
  CHECK_THAT(error("twice", {}), Contains("freed already"));
  CHECK_THAT(error("check", {HostValue::ofInteger(0)}), Contains("it was not ok"));
  CHECK(error("check", {HostValue::ofInteger(1)}).empty());
}

TEST_CASE("a launch with the wrong block size") {
  auto text = twoKernels;
  text.replace(text.find("constant 32"), 11, "constant 16");
  Program program(text);
  const auto host = hostOf(program);
  std::vector<float> m(64, 1.0f);
  const auto run = host.run("main", std::vector<HostValue>{bufferOf(m), HostValue::ofInteger(1)});
  CHECK_THAT(run.error().message, Contains("launch of @step_module::@scale"));
  CHECK_THAT(run.error().message, Contains("32x1x1"));
}

TEST_CASE("math in host functions is libm's") {
  Program program(R"(
func.func @main(%x: f64, %y: f32) -> (f64, f64, f32, f64) {
  %a = math.tanh %x : f64
  %b = math.exp %x : f64
  %c = math.atan2 %y, %y : f32
  %v = vector.broadcast %x : f64 to vector<2xf64>
  %w = math.erf %v : vector<2xf64>
  %d = vector.extract %w[1] : f64 from vector<2xf64>
  return %a, %b, %c, %d : f64, f64, f32, f64
}
)");
  const auto run = runMain(hostOf(program), {HostValue::ofFloat(0.7), HostValue::ofFloat(-2.0)});
  CHECK(run.results[0].number == Approx(std::tanh(0.7)));
  CHECK(run.results[1].number == Approx(std::exp(0.7)));
  CHECK(run.results[2].number == Approx(std::atan2(-2.0, -2.0)));
  CHECK(run.results[3].number == Approx(std::erf(0.7)));
}

TEST_CASE("functions for kernels only are not host functions") {
  Program program(R"(
func.func private @lane(%m: memref<4xf32, 3>) {
  gpu.barrier
  return
}
func.func @main() {
  return
}
)");
  const auto host = hostOf(program);
  CHECK(host.find("main"));
  CHECK_FALSE(host.find("lane"));
}
