// The recipe on random linalg programs (docs/recipe.md): after every pass the functions compute what
// they did, the checker has nothing to say at the end, and nothing is left outside of the hierarchy.
//
// AIRLITE_RECIPE_RUNS=N takes that many programs instead of a few, AIRLITE_RECIPE_SEED=N begins
// elsewhere, AIRLITE_RECIPE_SCHEDULES=N runs each so often. scripts/prove.py --nests=N does it on
// all cores.
#include "airlite/dialect/Dialects.hpp"
#include "airlite/interp/MeaningCheck.hpp"
#include "airlite/pass/Pipeline.hpp"
#include "airlite/support/SplitMix64.hpp"
#include "airlite/testing/Generate.hpp"
#include "airlite/text/Parser.hpp"
#include "support/catch_all.hpp"
#include "support/pass_support.hpp"

#include <fmt/format.h>

#include <iostream>

using namespace airlite;

namespace {

using tests::corePasses;
using tests::setting;
using tests::shown;

#ifdef __SANITIZE_ADDRESS__
constexpr uint64_t kNests = 10;
#else
constexpr uint64_t kNests = 60;
#endif

/// Options of the recipe, by the seed: herds, tiles and layouts of all kinds.
std::string recipeOf(uint64_t seed) {
  SplitMix64 random(seed * 77 + 5);
  auto pick = [&](std::initializer_list<const char*> from) {
    return std::string(from.begin()[random.next() % from.size()]);
  };
  return "air-npu{herd=" + pick({"4,4", "2,2", "1,4", "4,1", "2,4", "1,1"}) +
         pick({"", "", " l1-tile=4,4,4,4,4", " l1-tile=8,8,8,8,8", " l1-tile=2,8,4,2,3"}) +
         pick({"", " l2-tile=8,8,8,8,8", " l2-tile=16,16,16,16,16"}) +
         pick({"", "", " blocks=2,2,2", " pack=false"}) + pick({"", "", "", " l2=false"}) + "}";
}

/// Runs `pipeline`; empty, or what went wrong. The recipe may warn, of links that have to be shared.
std::string problemOf(Context& context, Operation& module, const std::string& pipeline,
                      interp::MeaningCheck* meaning) {
  DiagnosticCollector collector(context);
  Pipeline passes;
  REQUIRE(parsePipeline(context, corePasses(), pipeline, passes));
  PipelineOptions options;
  options.reproducerOnInternalError = false;
  if (meaning)
    options.checkEach = [&](Operation& whole, const Pass& pass) {
      return meaning->check(whole, pass.name());
    };
  PipelineOutcome outcome = runPipeline(module, passes, options);
  bool isSilent = outcome.result != PassResult::Failed;
  for (const Diagnostic& diagnostic : collector.diagnostics())
    isSilent = isSilent && (meaning || diagnostic.severity > Severity::Warning);
  return isSilent ? "" : shown(context, collector);
}

/// Every computation is in a herd: nothing was too difficult for the recipe.
bool isAllInHerds(Operation& module) {
  bool isAll = true;
  module.walk([&](Operation& op) {
    isAll = isAll && (!op.is("linalg.generic") || op.parentOfName("air.herd"));
  });
  return isAll;
}

}  // namespace

TEST_CASE("random linalg programs compute the same after every pass of the recipe", "[nests]") {
  uint64_t runs = setting("AIRLITE_RECIPE_RUNS", kNests);
  uint64_t first = setting("AIRLITE_RECIPE_SEED", 1);
  for (uint64_t seed = first; seed < first + runs; ++seed) {
    std::string recipe = recipeOf(seed), notCompared;
    INFO("airlite-opt --generate=" << seed << " --generate-kind=nest --check-each --pipeline='"
                                   << recipe << "'");
    Context context;
    registerAllDialects(context);
    OwningOp module = parseSource(context, testing::generateNest(seed), "nest", {});
    REQUIRE(module);
    interp::MeaningCheckOptions options;
    options.argumentSets = 1;
    options.schedules = static_cast<unsigned>(setting("AIRLITE_RECIPE_SCHEDULES", 3));
    options.log = [&](std::string_view text) { notCompared = text; };
    interp::MeaningCheck meaning(options);
    meaning.begin(*module);
    REQUIRE(notCompared == "");
    CHECK(problemOf(context, *module, recipe, &meaning) == "");
    CHECK(problemOf(context, *module, "air-verify-program", nullptr) == "");
    CHECK(isAllInHerds(*module));
  }
  std::cout << fmt::format("proof nests {}\n", runs);
}
