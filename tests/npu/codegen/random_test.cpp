// Random programs: what the core leaves in memory is what the interpreter leaves, byte by byte.
#include "CodegenTesting.hpp"
#include "RandomBody.hpp"

#include <cstdlib>

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::codegen;

namespace {

const std::vector<TestBuffer> kBuffers = {
    {"a", "i32", 32, 4}, {"b", "i16", 32, 2}, {"c", "i8", 32, 1}};

/// AIRLITE_CODEGEN_RUNS programs of each kind, from AIRLITE_CODEGEN_SEED on.
void checkMany(unsigned runs, const RandomBody::Options& options) {
  const char *wanted = std::getenv("AIRLITE_CODEGEN_RUNS"),
             *seed = std::getenv("AIRLITE_CODEGEN_SEED");
  if (wanted) runs = static_cast<unsigned>(std::atoi(wanted));
  const uint64_t first = seed ? std::strtoull(seed, nullptr, 10) : 1;
  unsigned fitting = 0;
  for (uint64_t i = first; i < first + runs; ++i) {
    SplitMix64 random(i);
    std::string members = options.calls ? RandomBody::functions(random) : "";
    std::string body = RandomBody(random, options).make();
    INFO("AIRLITE_CODEGEN_SEED=" << i);
    fitting += checkSame(kBuffers, body, random, members);
  }
  CHECK(fitting * 10 >= runs * 9);
}

}  // namespace

TEST_CASE("random straight code", "[codegen][random]") { checkMany(100, {30, 0}); }
TEST_CASE("random structured code", "[codegen][random]") { checkMany(200, {8, 3}); }
TEST_CASE("random blocks", "[codegen][random]") { checkMany(100, {6, 2, 0, true}); }
TEST_CASE("random code with more values than registers", "[codegen][random]") {
  checkMany(60, {60, 1, 120});
}
TEST_CASE("random calls", "[codegen][random]") { checkMany(60, {8, 2, 10, false, true}); }
