// A pass that says it changed nothing has changed nothing: the pipeline takes its word and neither
// verifies nor counts effects again. Asked of every pass on random programs, before and after the
// stages of the recipe.
#include "airlite/dialect/Dialects.hpp"
#include "airlite/pass/Pipeline.hpp"
#include "airlite/testing/Generate.hpp"
#include "airlite/text/Parser.hpp"
#include "airlite/text/Printer.hpp"
#include "support/catch_all.hpp"
#include "support/pass_support.hpp"

using namespace airlite;

namespace {

using tests::corePasses;

PassResult run(Operation& module, std::string_view text) {
  Pipeline pipeline;
  REQUIRE(parsePipeline(module.context(), corePasses(), text, pipeline));
  PipelineOptions options;
  options.verifyEach = options.countEffects = options.reproducerOnInternalError = false;
  return runPipeline(module, pipeline, options).result;
}

std::string generic(Operation& module) { return printToString(module, {.generic = true}); }

/// Runs each pass on a copy of what `stage` makes of `program`; how many said "unchanged".
unsigned checkStage(const std::string& program, std::string_view stage) {
  Context context;
  registerAllDialects(context);
  DiagnosticCollector silence(context);
  OwningOp module = parseSource(context, program, "random.mlir");
  REQUIRE(module);
  if (!stage.empty() && run(*module, stage) == PassResult::Failed) return 0;
  std::string before = generic(*module);
  unsigned unchanged = 0;
  for (std::string_view pass : corePasses().names()) {
    OwningOp copy(module->clone());
    if (run(*copy, pass) != PassResult::Unchanged) continue;
    ++unchanged;
    INFO(pass << " after '" << stage << "' on\n" << before);
    REQUIRE(generic(*copy) == before);
  }
  return unchanged;
}

}  // namespace

TEST_CASE("a pass that says unchanged has changed nothing", "[unchanged]") {
  constexpr std::string_view kAir[] = {"", "canonicalize,cse", "air-dependency"};
  constexpr std::string_view kNest[] = {"",
                                        "air-tile-linalg,air-par-to-herd{depth=1},"
                                        "air-par-to-launch{has-air-segment=true},air-copy-to-dma",
                                        "air-npu"};
  unsigned unchanged = 0;
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    std::string air = testing::generateProgram(seed), nest = testing::generateNest(seed);
    for (std::string_view stage : kAir)
      unchanged += checkStage(air, stage);
    for (std::string_view stage : kNest)
      unchanged += checkStage(nest, stage);
  }
  CHECK(unchanged > 500);  // most passes have nothing to do on most programs
}
