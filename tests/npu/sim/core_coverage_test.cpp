// How many forms have semantics: the number in docs/npu_sim_core.md is this one. And that no form
// computes after its results are due.
#include "CoreTesting.hpp"
#include "airlite/npu/isa/Timing.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

using namespace airlite;
using namespace airlite::npu;

TEST_CASE("the documentation tells how many forms are done", "[core][docs]") {
  const isa::InstructionSet& set = *GENERATE(&isa::aie2(), &isa::aie2p());
  size_t done = 0;
  for (size_t i = 0; i < set.forms.size(); ++i)
    done += sim::hasSemantics(set.formAt(i));
  std::ifstream file(AIRLITE_SOURCE_DIR "/docs/npu_sim_core.md");
  std::stringstream text;
  text << file.rdbuf();
  const std::string_view which = &set == &isa::aie2() ? "" : " of AIE2P";
  const std::string line =
      fmt::format("\n{} of {} forms{} have semantics.\n", done, set.forms.size(), which);
  INFO(line);
  CHECK(text.str().find(line) != std::string::npos);
}
