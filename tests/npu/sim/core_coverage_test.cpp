// How many forms have semantics: the number in docs/npu_sim_core.md is this one. And that no form
// computes after its results are due.
#include "CoreTesting.hpp"
#include "airlite/npu/isa/Timing.hpp"

#include <fstream>
#include <sstream>

using namespace airlite;
using namespace airlite::npu;

TEST_CASE("the documentation tells how many forms are done", "[core][docs]") {
  unsigned done = 0;
  for (unsigned i = 0; i < isa::kAie2FormCount; ++i)
    done += sim::hasSemantics(static_cast<isa::Form>(i));
  std::ifstream file(AIRLITE_SOURCE_DIR "/docs/npu_sim_core.md");
  std::stringstream text;
  text << file.rdbuf();
  const std::string line = "\n" + std::to_string(done) + " of " +
                           std::to_string(isa::kAie2FormCount) + " forms have semantics.\n";
  INFO(line);
  CHECK(text.str().find(line) != std::string::npos);
}
