// Lists of passes with typed options: their text, and pipelines made of them.
#include "airlite/dialect/Dialects.hpp"
#include "airlite/pass/Pipeline.hpp"
#include "airlite/transform/Passes.hpp"
#include "support/catch_all.hpp"

using namespace airlite;
using Catch::Matchers::Contains;

static PassRegistry corePasses() {
  PassRegistry registry;
  registerAllPasses(registry);
  return registry;
}

TEST_CASE("a list of passes is printed as parsePipeline reads it") {
  const PassList list = {
      {"inline"},
      {"air-place-herds", {{"num-rows", 4}, {"num-cols", 2}}},
      {"func.func", {}, {{"air-tile-linalg", {{"herd", std::vector<int64_t>{2, 4}}}}, {"cse"}}}};
  const std::string text = pipelineText(list);
  CHECK(text ==
        "inline,air-place-herds{num-rows=4 num-cols=2},func.func(air-tile-linalg{herd=2,4},cse)");
  Context context;
  registerAllDialects(context);
  Pipeline fromList, fromText;
  REQUIRE(addPasses(context, corePasses(), list, fromList));
  REQUIRE(parsePipeline(context, corePasses(), text, fromText));
  CHECK(fromList.str() == fromText.str());
}

TEST_CASE("text with blanks stays one option") {
  CHECK(pipelineText({{"a", {{"b", "c d"}, {"e", true}}}}) == "a{b=\"c d\" e=true}");
}

TEST_CASE("the text of each recipe makes the same passes") {
  const PassRegistry registry = corePasses();
  Context context;
  registerAllDialects(context);
  for (std::string_view name : registry.recipeNames()) {
    const auto recipe = registry.createRecipe(name);
    Pipeline fromList, fromText;
    REQUIRE(addPasses(context, registry, recipe->passes(), fromList));
    REQUIRE(parsePipeline(context, registry, recipe->pipeline(), fromText));
    CHECK(fromList.str() == fromText.str());
  }
}

TEST_CASE("a list says what it cannot set") {
  Context context;
  registerAllDialects(context);
  const auto problemOf = [&](const PassList& list) {
    DiagnosticCollector collector(context);
    Pipeline pipeline;
    CHECK_FALSE(addPasses(context, corePasses(), list, pipeline));
    return collector.diagnostics().empty() ? "" : collector.diagnostics()[0].message;
  };
  CHECK_THAT(problemOf({{"cze"}}), Contains("unknown pass 'cze'"));
  CHECK_THAT(problemOf({{"air-place-herds", {{"num-rows", true}}}}), Contains("has another type"));
  CHECK_THAT(problemOf({{"air-place-herds", {{"rows", 4}}}}), Contains("has no option 'rows'"));
}
