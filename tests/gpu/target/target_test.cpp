#include "airlite/gpu/target/GpuTarget.hpp"
#include "airlite/gpu/target/KernelCheck.hpp"
#include "airlite/gpu/target/LlvmText.hpp"
#include "gpu/GpuKernels.hpp"
#include "support/catch_all.hpp"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

using namespace airlite::gpu;
using Catch::Matchers::Contains;

namespace {

/// The error of compiling `text` for gfx942, empty when it compiles.
std::string compileError(const std::string& text) {
  llvm::LLVMContext context;
  auto module = parseLlvmText(text, context);
  if (!module) return module.error().message;
  auto target = GpuTarget::create({});
  return target->compile(**module).error().message;
}

std::string assembly(const std::string& text, const GpuTargetOptions& options) {
  llvm::LLVMContext context;
  auto module = parseLlvmText(text, context);
  auto target = GpuTarget::create(options);
  REQUIRE(target);
  target->prepare(**module);
  REQUIRE(target->check(**module));
  REQUIRE(target->optimize(**module));
  auto code = target->emitAssembly(**module);
  REQUIRE(code);
  return *code;
}

std::string unaryKernel(const std::string& intrinsic, const std::string& type) {
  return "declare " + type + " @" + intrinsic + "(" + type + ")\n" +
         "define amdgpu_kernel void @k(ptr addrspace(1) %p) {\n" + "  %x = load " + type +
         ", ptr addrspace(1) %p\n" + "  %y = call " + type + " @" + intrinsic + "(" + type +
         " %x)\n" + "  store " + type + " %y, ptr addrspace(1) %p\n  ret void\n}\n";
}

}  // namespace

TEST_CASE("an unknown cpu is refused with the nearest names", "[gpu][target]") {
  const auto typo = GpuTarget::create({.cpu = "gfx943"});
  REQUIRE_FALSE(typo);
  CHECK_THAT(typo.error().message, Contains("unknown gpu cpu 'gfx943'") && Contains("gfx942"));
  CHECK_THAT(typo.error().message, Contains("supported: gfx90a, gfx942, gfx1100, gfx1201"));
  CHECK_THAT(GpuTarget::create({.cpu = "gfx1200x"}).error().message, Contains("gfx1200"));
  CHECK_FALSE(GpuTarget::create({.cpu = ""}));
  CHECK_FALSE(GpuTarget::create({.cpu = "gfx950"}));
  CHECK(GpuTarget::create({.cpu = "gfx1030"}));
}

TEST_CASE("wave sizes follow the cpu", "[gpu][target]") {
  CHECK(GpuTarget::create({.cpu = "gfx1100", .waveSize = 32}));
  CHECK(GpuTarget::create({.cpu = "gfx11-generic", .waveSize = 32}));
  CHECK_THAT(GpuTarget::create({.cpu = "gfx942", .waveSize = 32}).error().message,
             Contains("'gfx942' has no 32-lane waves"));
  CHECK_THAT(GpuTarget::create({.cpu = "gfx9-generic", .waveSize = 32}).error().message,
             Contains("no 32-lane waves"));
  CHECK_THAT(GpuTarget::create({.cpu = "gfx1100", .waveSize = 16}).error().message,
             Contains("wave size must be 32 or 64, got 16"));
  CHECK(GpuTarget::create({.cpu = "gfx942", .waveSize = 0})->waveSize() == 64);
}

TEST_CASE("the code object version is checked", "[gpu][target]") {
  CHECK_THAT(GpuTarget::create({.codeObjectVersion = 5}).error().message,
             Contains("400, 500 or 600, got 5"));
}

TEST_CASE("assembly names the cpu and has real instructions", "[gpu][target]") {
  const auto code = assembly(test::tiledMatmul(), {.cpu = "gfx1201"});
  CHECK_THAT(code, Contains("gfx1201") && Contains("s_barrier_signal") && Contains("ds_store_b32"));
  CHECK_THAT(code, Contains(".amdhsa_wavefront_size32 0"));
}

TEST_CASE("fmuladd is never contracted", "[gpu][target]") {
  const std::string text = R"(
declare float @llvm.fmuladd.f32(float, float, float)
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %x = load float, ptr addrspace(1) %p
  %y = call float @llvm.fmuladd.f32(float %x, float %x, float %x)
  store float %y, ptr addrspace(1) %p
  ret void
})";
  const auto code = assembly(text, {});
  CHECK_THAT(code, Contains("v_mul_f32") && Contains("v_add_f32"));
  CHECK_THAT(code, !Contains("v_fma") && !Contains("v_mac"));
}

TEST_CASE("bad IR is an error text", "[gpu][target]") {
  CHECK_THAT(compileError("define void @f( {"), Contains("<llvm ir>:1:"));
  CHECK_THAT(compileError("define i32 @f() { ret void }"), Contains("<llvm ir>:1:"));
  const auto phi = "define void @f() {\nentry:\n  br label %a\na:\n"
                   "  %x = phi i32 [1, %a]\n  ret void\n}";
  CHECK_THAT(compileError(phi), Contains("invalid LLVM IR"));
}

TEST_CASE("math without a lowering is refused by name", "[gpu][target]") {
  CHECK_THAT(compileError(unaryKernel("llvm.exp.f64", "double")),
             Contains("llvm.exp of f64") && Contains("in 'k'"));
  CHECK_THAT(compileError(unaryKernel("llvm.tanh.f32", "float")), Contains("llvm.tanh of f32"));
  CHECK(isMathSupported("exp", FloatKind::BF16));
  CHECK_FALSE(isMathSupported("exp", FloatKind::F64));
  CHECK_FALSE(isMathSupported("tan", FloatKind::F32));
}

TEST_CASE("math that isMathSupported promises does compile", "[gpu][target]") {
  const auto type = GENERATE(std::pair("f16", "half"), std::pair("bf16", "bfloat"),
                             std::pair("f32", "float"), std::pair("f64", "double"));
  const auto kind = type.first == std::string("f64") ? FloatKind::F64 : FloatKind::F32;
  for (const std::string name : {"exp", "exp2", "log", "log2", "log10", "sqrt", "sin", "cos",
                                 "tanh", "fabs", "floor", "ceil", "rint", "roundeven"}) {
    const auto error = compileError(unaryKernel("llvm." + name + "." + type.first, type.second));
    INFO(name << " " << type.first << ": " << error);
    CHECK(error.empty() == isMathSupported(name, kind));
  }
}

TEST_CASE("LDS is checked before code generation", "[gpu][target]") {
  const auto kernel = [](const std::string& global) {
    return global + "\ndefine amdgpu_kernel void @k() {\n  store i32 1, ptr addrspace(3) @m\n"
                    "  ret void\n}";
  };
  CHECK_THAT(compileError(kernel("@m = internal addrspace(3) global [65540 x i8] poison")),
             Contains("kernel 'k' needs 65540 bytes of LDS; a workgroup has 65536"));
  CHECK_THAT(compileError(kernel("@m = internal addrspace(3) global i32 0")),
             Contains("'m' is initialised"));
  CHECK_THAT(compileError(kernel("@m = external addrspace(3) global [0 x i8]")),
             Contains("'m' is external"));
  CHECK(compileError(kernel("@m = internal addrspace(3) global [65536 x i8] poison")).empty());
}

TEST_CASE("what LLVM dies of is an error text", "[gpu][target]") {
  const std::string call = "declare void @elsewhere()\n"
                           "define amdgpu_kernel void @k() {\n  call void @elsewhere()\n"
                           "  ret void\n}";
  CHECK_THAT(compileError(call), Contains("call of 'elsewhere'"));
  // MFMA exists, but not on gfx1100: instruction selection stops with report_fatal_error.
  const std::string mfma = R"(
declare <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half>, <4 x half>, <4 x float>,
                                                      i32, i32, i32)
define amdgpu_kernel void @k(ptr addrspace(1) %p, <4 x half> %a, <4 x float> %c) {
  %r = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(
           <4 x half> %a, <4 x half> %a, <4 x float> %c, i32 0, i32 0, i32 0)
  store <4 x float> %r, ptr addrspace(1) %p
  ret void
})";
  CHECK(compileError(mfma).empty());
  llvm::LLVMContext context;
  auto module = parseLlvmText(mfma, context);
  auto target = GpuTarget::create({.cpu = "gfx1100"});
  const auto code = target->compile(**module);
  REQUIRE_FALSE(code);
  CHECK_THAT(code.error().message, Contains("LLVM gave up: Cannot select"));
  CHECK(compileError(test::vectorAdd).empty());  // and LLVM still works afterwards
}
