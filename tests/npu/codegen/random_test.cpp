// Random programs: what the core leaves in memory is what the interpreter leaves, byte by byte.
#include "CodegenTesting.hpp"
#include "RandomBody.hpp"
#include "RandomLoop.hpp"

#include <cstdlib>

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::codegen;

namespace {

const std::vector<TestBuffer> kBuffers = {
    {"a", "i32", 32, 4}, {"b", "i16", 32, 2}, {"c", "i8", 32, 1}};

/// Calls `check` AIRLITE_CODEGEN_RUNS times with random numbers, from AIRLITE_CODEGEN_SEED on; most
/// of the programs must be small enough for a core.
template <typename Check> void checkMany(unsigned runs, Check check) {
  const char *wanted = std::getenv("AIRLITE_CODEGEN_RUNS"),
             *seed = std::getenv("AIRLITE_CODEGEN_SEED");
  if (wanted) runs = static_cast<unsigned>(std::atoi(wanted));
  const uint64_t first = seed ? std::strtoull(seed, nullptr, 10) : 1;
  unsigned fitting = 0;
  for (uint64_t i = first; i < first + runs; ++i) {
    SplitMix64 random(i);
    INFO("AIRLITE_CODEGEN_SEED=" << i);
    fitting += check(random);
  }
  CHECK(fitting * 10 >= runs * 9);
}

void checkBodies(unsigned runs, const RandomBody::Options& options) {
  checkMany(runs, [&](SplitMix64& random) {
    std::string members = options.calls ? RandomBody::functions(random) : "";
    std::string body = RandomBody(random, options).make();
    return checkSame(kBuffers, body, random, members);
  });
}

bool isPipelined(const std::string& body) {
  TestDevice device(RandomLoop::buffers(), body + "\n  aie.end");
  DiagnosticCollector messages(device.context);
  std::optional<CoreCode> code = device.compile();
  return code &&
         std::ranges::any_of(code->loops, [](const LoopReport& loop) { return loop.interval > 0; });
}

}  // namespace

TEST_CASE("random straight code", "[codegen][random]") { checkBodies(100, {30, 0}); }
TEST_CASE("random structured code", "[codegen][random]") { checkBodies(200, {8, 3}); }
TEST_CASE("random blocks", "[codegen][random]") { checkBodies(100, {6, 2, 0, true}); }
TEST_CASE("random code with more values than registers", "[codegen][random]") {
  checkBodies(60, {60, 1, 120});
}
// Of a loop in which a value lived while that of a late store was on its way to the same register.
TEST_CASE("random code with a late store and a short value", "[codegen][random]") {
  SplitMix64 random(8721);
  const std::string body = RandomBody(random, {60, 1, 120}).make();
  CHECK(checkSame(kBuffers, body, random, ""));
}
TEST_CASE("random calls", "[codegen][random]") { checkBodies(60, {8, 2, 10, false, true}); }

TEST_CASE("random loops of vectors and scalars", "[codegen][random]") {
  checkMany(200, [](SplitMix64& random) {
    return checkSame(RandomLoop::buffers(), RandomLoop(random).make(), random);
  });
}

TEST_CASE("many of the random loops are pipelined", "[codegen][random]") {
  unsigned pipelined = 0;
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    SplitMix64 random(seed);
    pipelined += isPipelined(RandomLoop(random).make());
  }
  CHECK(pipelined >= 20);
}
