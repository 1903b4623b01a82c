#include "airlite/gpu/object/Hsaco.hpp"
#include "airlite/gpu/target/GpuTarget.hpp"
#include "airlite/gpu/target/LlvmText.hpp"
#include "gpu/GpuKernels.hpp"
#include "support/catch_all.hpp"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

using namespace airlite::gpu;
using Catch::Matchers::Contains;

namespace {

Bytes compileObject(const std::string& text, const GpuTargetOptions& options) {
  llvm::LLVMContext context;
  auto module = parseLlvmText(text, context);
  REQUIRE(module);
  auto target = GpuTarget::create(options);
  REQUIRE(target);
  auto object = target->compile(**module);
  INFO(object.error().message);
  REQUIRE(object);
  return *object;
}

HsacoInfo compileAndRead(const std::string& text, const GpuTargetOptions& options) {
  auto hsaco = linkHsaco(compileObject(text, options));
  INFO(hsaco.error().message);
  REQUIRE(hsaco);
  auto info = readHsaco(*hsaco);
  INFO(info.error().message);
  REQUIRE(info);
  return *info;
}

}  // namespace

TEST_CASE("a hsaco reads back as it was meant, on every cpu", "[gpu][object]") {
  const std::string cpu = GENERATE("gfx90a", "gfx942", "gfx1100", "gfx1201");
  const auto info = compileAndRead(test::tiledMatmul(), {.cpu = cpu});
  CHECK_THAT(info.target, Contains("amdgcn-amd-amdhsa--" + cpu));
  CHECK(info.codeObjectVersion == 5);
  REQUIRE(info.kernels.size() == 1);
  const auto* kernel = info.find("matmul");
  REQUIRE(kernel);
  CHECK(kernel->symbol == "matmul.kd");
  CHECK(kernel->ldsBytes == 2048);
  CHECK(kernel->waveSize == 64);
  CHECK(kernel->privateBytes == 0);
  CHECK(kernel->vgprSpills == 0);
  CHECK(kernel->sgprSpills == 0);
  CHECK(kernel->vgprCount > 4);
  CHECK(kernel->vgprCount <= 64);
  CHECK(kernel->sgprCount > 4);
  CHECK(kernel->codeBytes > 100);
  CHECK(kernel->maxWorkgroupSize == 256);
  CHECK(kernel->requiredWorkgroup == std::array<std::uint32_t, 3>{16, 16, 1});
}

TEST_CASE("kernel arguments have offsets, kinds and no hidden tail", "[gpu][object]") {
  const auto info = compileAndRead(test::vectorAdd, {});
  const auto* kernel = info.find("vadd");
  REQUIRE(kernel);
  CHECK(kernel->kernargBytes == 28);
  CHECK(kernel->kernargAlign == 8);
  REQUIRE(kernel->args.size() == 4);
  CHECK(kernel->args[2].name == "out");
  CHECK(kernel->args[2].offset == 16);
  CHECK(kernel->args[2].size == 8);
  CHECK(kernel->args[2].kind == "global_buffer");
  CHECK(kernel->args[2].addressSpace == "global");
  CHECK(kernel->args[3].offset == 24);
  CHECK(kernel->args[3].size == 4);
  CHECK(kernel->args[3].kind == "by_value");
  CHECK(kernel->ldsBytes == 0);
  CHECK_FALSE(kernel->requiredWorkgroup);
}

TEST_CASE("wave size and code object version are choices", "[gpu][object]") {
  const auto narrow = compileAndRead(test::vectorAdd, {.cpu = "gfx1100", .waveSize = 32});
  CHECK(narrow.find("vadd")->waveSize == 32);
  CHECK(compileAndRead(test::vectorAdd, {.codeObjectVersion = 400}).codeObjectVersion == 4);
  CHECK(compileAndRead(test::vectorAdd, {.codeObjectVersion = 600}).codeObjectVersion == 6);
}

TEST_CASE("scratch use is reported", "[gpu][object]") {
  const std::string text = test::declarations + R"(
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %i, i32 %j) {
  %a = alloca [64 x i32], addrspace(5)
  %w = getelementptr i32, ptr addrspace(5) %a, i32 %i
  store volatile i32 7, ptr addrspace(5) %w
  %r = getelementptr i32, ptr addrspace(5) %a, i32 %j
  %v = load volatile i32, ptr addrspace(5) %r
  store i32 %v, ptr addrspace(1) %p
  ret void
})";
  CHECK(compileAndRead(text, {}).find("k")->privateBytes >= 256);
}

TEST_CASE("linking garbage is an error text, and linking works afterwards", "[gpu][object]") {
  const Bytes garbage = {'h', 'e', 'l', 'l', 'o'};
  const auto linked = linkHsaco(garbage);
  REQUIRE_FALSE(linked);
  CHECK_THAT(linked.error().message, Contains("lld"));
  CHECK(linkHsaco(compileObject(test::vectorAdd, {})));
}

TEST_CASE("reading something else is an error text", "[gpu][object]") {
  CHECK_THAT(readHsaco(Bytes{}).error().message, Contains("not a hsaco"));
  CHECK_THAT(readHsaco(Bytes(100, 0x7f)).error().message, Contains("not a hsaco"));
  CHECK_FALSE(readHsaco(compileObject(test::vectorAdd, {})));  // not linked yet
}

TEST_CASE("no damaged hsaco crashes the reader", "[gpu][object]") {
  const auto hsaco = linkHsaco(compileObject(test::vectorAdd, {}));
  REQUIRE(hsaco);
  for (size_t length = 0; length < hsaco->size(); length += 7)
    (void)readHsaco(std::span(hsaco->data(), length));
  for (size_t at = 0; at < hsaco->size(); ++at) {
    auto damaged = *hsaco;
    damaged[at] ^= 0xff;
    (void)readHsaco(damaged);
  }
  SUCCEED();
}
