// What the emitter refuses, by name and at the op.
#include "EmitTest.hpp"

using namespace airlite;
using namespace airlite::gpu;
using namespace airlite::gpu::test;
using Catch::Matchers::Contains;

namespace {

/// The diagnostics that compiling a kernel with this body gives.
std::string refusal(const std::string& body, const std::string& args = "%m: memref<4xf64>",
                    const std::string& before = "") {
  Program program(before + oneKernel(args, body));
  const auto compiled = compileForGpu(*program.module, {});
  CHECK_FALSE(compiled);
  return program.messages();
}

}  // namespace

TEST_CASE("what kernels cannot have") {
  const std::string load = "%c0 = arith.constant 0 : index\n"
                           "%x = memref.load %m[%c0] : memref<4xf64>\n";
  CHECK_THAT(refusal(load + "%y = math.exp %x : f64"), Contains("not supported: math.exp on f64"));
  CHECK_THAT(refusal(load + "%y = math.tanh %x : f64"),
             Contains("not supported: math.tanh on f64"));
  CHECK_THAT(refusal(load + "%y = math.acosh %x : f64"),
             Contains("not supported: math.acosh on f64"));
  CHECK_THAT(refusal("gpu.printf \"%d\" %i : index", "%i: index"),
             Contains("not supported: 'gpu.printf' in a kernel"));
  CHECK_THAT(refusal("%b = memref.alloc() : memref<4xf32>"), Contains("memory space 0"));
  CHECK_THAT(refusal("%b = memref.alloc() : memref<4xf32, 2>"),
             Contains("a kernel has memory spaces 0, 3 and 5"));
  CHECK_THAT(refusal("%c0 = arith.constant 4 : index\n"
                     "%b = memref.alloc(%c0) : memref<?xf32, 3>"),
             Contains("not known before it runs"));
}

TEST_CASE("calls that cannot be inlined") {
  CHECK_THAT(refusal("func.call @f() : () -> ()", "%m: memref<4xf64>", "func.func private @f()\n"),
             Contains("'@f', which has no body"));
  CHECK_THAT(refusal("func.call @f() : () -> ()", "%m: memref<4xf64>",
                     "func.func private @f() {\n call @f() : () -> ()\n return\n}\n"),
             Contains("a recursive call"));
}

TEST_CASE("more LDS than a workgroup has") {
  const std::string args = "%m: memref<4xf32>", c0 = "%c0 = arith.constant 0 : index\n";
  CHECK_THAT(refusal("%b = memref.alloc() {} : memref<20000xf32, 3>", args),
             Contains("error: a buffer of 80000 bytes does not fit; a workgroup has 65536"));
  CHECK_THAT(refusal("%b = memref.alloca() : memref<9000000000000000000xf32, 5>", args),
             Contains("does not fit; a work-item may have"));
  Program program(oneKernel(args, c0 + R"(
    %a = memref.alloc() {} : memref<10000xf32, 3>
    %b = memref.alloc() {} : memref<10000xf32, 3>
    memref.copy %a, %b : memref<10000xf32, 3> to memref<10000xf32, 3>
    %x = memref.load %b[%c0] : memref<10000xf32, 3>
    memref.store %x, %m[%c0] : memref<4xf32>)"));
  const auto compiled = compileForGpu(*program.module, {});
  CHECK_FALSE(compiled);
  CHECK_THAT(compiled.error().message, Contains("needs 80000 bytes of LDS"));
}

TEST_CASE("a kernel for another wave size than the target's") {
  Program program(oneKernel("%m: memref<4xf32>", ""));
  GpuTargetOptions target;
  target.cpu = "gfx1100";
  target.waveSize = 32;
  const auto compiled = compileForGpu(*program.module, target);
  CHECK_FALSE(compiled);
  CHECK_THAT(compiled.error().message, Contains("made for waves of 64 lanes"));
}
