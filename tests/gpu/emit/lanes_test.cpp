// Numbers of other lanes: gpu.shuffle, and the reductions that vectors of waves make of it.
#include "EmitTest.hpp"
#include "airlite/gpu/lower/Lower.hpp"
#include "airlite/pass/Pipeline.hpp"
#include "airlite/transform/Passes.hpp"

#include <cmath>
#include <random>

using namespace airlite;
using namespace airlite::gpu;
using namespace airlite::gpu::test;
using Catch::Matchers::Contains;

namespace {

std::string shuffleBody(const std::string& mode, int offset, const std::string& type) {
  return R"(
    %i = gpu.thread_id x
    %o = arith.constant )" +
         std::to_string(offset) + R"( : i32
    %w = arith.constant 64 : i32
    %v = memref.load %in[%i] : memref<128x)" +
         type + R"(>
    %s, %valid = gpu.shuffle )" +
         mode + R"( %v, %o, %w : )" + type + R"(
    memref.store %s, %out[%i] : memref<128x)" +
         type + R"(>
    memref.store %valid, %has[%i] : memref<128xi1>)";
}

template <class T> void checkShuffle(const std::string& mode, int offset, const std::string& type) {
  INFO(mode << " " << offset << " " << type);
  Program program(oneKernel(
      "%in: memref<128x" + type + ">, %out: memref<128x" + type + ">, %has: memref<128xi1>",
      shuffleBody(mode, offset, type), 128));
  std::vector<T> in(128), out(128);
  std::vector<std::uint8_t> has(128);
  for (int i = 0; i < 128; ++i)
    in[static_cast<size_t>(i)] = static_cast<T>(i * i - 1000);
  for (auto order : {RunOrder::Forward, RunOrder::Reverse, RunOrder::Random}) {
    RunOptions options;
    options.order = order;
    runMain(hostOf(program), {bufferOf(in), bufferOf(out), bufferOf(has)}, options);
    for (int i = 0; i < 128; ++i) {
      const int lane = i % 64;
      const int from = mode == "xor"    ? lane ^ offset
                       : mode == "idx"  ? offset
                       : mode == "down" ? lane + offset
                                        : lane - offset;
      const bool isThere = from >= 0 && from < 64;
      CHECK((has[static_cast<size_t>(i)] & 1) == isThere);
      if (isThere) CHECK(out[static_cast<size_t>(i)] == in[static_cast<size_t>(i - lane + from)]);
    }
  }
  for (const char* cpu : {"gfx90a", "gfx942"})
    compileFor(program, cpu);
}

}  // namespace

TEST_CASE("shuffles read other lanes of their wave") {
  for (const char* mode : {"xor", "down", "up", "idx"})
    for (int offset : {0, 1, 5, 63}) {
      checkShuffle<float>(mode, offset, "f32");
      checkShuffle<std::int64_t>(mode, offset, "i64");
    }
  checkShuffle<std::int32_t>("xor", 32, "i32");
  checkShuffle<double>("down", 7, "f64");
}

TEST_CASE("what a shuffle cannot do is said") {
  auto body = shuffleBody("xor", 1, "f32");
  body.replace(body.find("constant 64"), 11, "constant 32");
  const std::string args = "%in: memref<128xf32>, %out: memref<128xf32>, %has: memref<128xi1>";
  Program narrow(oneKernel(args, body, 128));
  CHECK_FALSE(HostProgram::create(*narrow.module));
  CHECK_THAT(narrow.messages(), Contains("among other lanes than those of the whole wave"));
  // Devices with waves of 32 lanes permute within 32.
  Program wide(oneKernel(args, shuffleBody("xor", 1, "f32"), 128));
  GpuTargetOptions target;
  target.cpu = "gfx1100";
  target.waveSize = 64;
  const auto compiled = compileForGpu(*wide.module, target, {});
  REQUIRE_FALSE(compiled);
  CHECK_THAT(compiled.error().message, Contains("that gfx1100 does not have"));
}

TEST_CASE("softmax of rows of any length") {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> number(-4, 4);
  for (const char* device : {"gfx942", "gfx1100"})
    for (std::int64_t columns : {1, 2, 63, 64, 65, 129, 256, 300, 1000, 2048}) {
      INFO(device << " " << columns);
      const std::int64_t rows = 7;
      const auto type = "memref<7x" + std::to_string(columns) + "xf32>";
      Program program("func.func @main(%a: " + type + ", %c: " + type +
                      ") {\nlinalg.softmax dimension(1) ins(%a : " + type + ") outs(%c : " + type +
                      ")\nreturn\n}\n");
      PassRegistry registry;
      registerAllPasses(registry);
      registerGpuPasses(registry);
      Pipeline pipeline;
      REQUIRE(parsePipeline(program.context, registry,
                            std::string("air-gpu{device=") + device + "}," + gpuPipelineText(),
                            pipeline));
      REQUIRE(runPipeline(*program.module, pipeline, {}).result != PassResult::Failed);
      std::vector<float> a(static_cast<size_t>(rows * columns)), c(a.size(), -1);
      for (float& x : a)
        x = number(random);
      const auto run =
          runMain(hostOf(program), {bufferOf(a, {rows, columns}), bufferOf(c, {rows, columns})});
      CHECK(run.launches == 1);
      for (std::int64_t i = 0; i < rows; ++i) {
        const float* x = &a[static_cast<size_t>(i * columns)];
        double greatest = -1e30, sum = 0;
        for (std::int64_t j = 0; j < columns; ++j)
          greatest = std::max(greatest, double{x[j]});
        for (std::int64_t j = 0; j < columns; ++j)
          sum += std::exp(x[j] - greatest);
        for (std::int64_t j = 0; j < columns; ++j) {
          const double exact = std::exp(x[j] - greatest) / sum;
          // The difference is rounded once (8 u), exp and quotient, and a sum of 2048.
          CHECK(std::fabs(double{c[static_cast<size_t>(i * columns + j)]} - exact) <= 2e-6 * exact);
        }
      }
    }
}
