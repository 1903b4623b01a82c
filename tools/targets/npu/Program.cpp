#include "Program.hpp"

#include <fmt/format.h>

namespace airlite::tools {

bool readRecipe(Operation& module, const std::string& text, const npu::CompileOptions& options,
                Pipeline& recipe) {
  const std::string checked =
      fmt::format("{},{},{}", pipelineText({npu::checkBeforeRecipe(options.target)}), text,
                  pipelineText({npu::checkAfterRecipe(options.target)}));
  return parsePipeline(module.context(), allPasses(), options.verifyProgram ? checked : text,
                       recipe);
}

int compileForNpu(Operation& module, const Driver& driver, npu::CompileOptions options,
                  Stopwatch& watch, npu::CompiledDesigns& result) {
  Pipeline recipe;
  const std::string& text = driver.frontend.pipeline;
  if (!text.empty()) {
    if (!readRecipe(module, text, options, recipe)) return kUsage;
    options.recipe = &recipe;
  }
  bool isBroken = false;
  options.remarks = driver.frontend.remarks;
  options.onStep = [&](std::string_view step) { watch.next(std::string(step)); };
  options.runPasses = [&](Operation& op, const Pipeline& passes) {
    PipelineOutcome outcome = runPasses(op, driver, passes);
    isBroken |= outcome.internalError;
    return outcome;
  };
  auto compiled = npu::compileForNpu(module, options);
  if (!compiled) return isBroken ? kInternal : kFailure;
  result = std::move(*compiled);
  return kSuccess;
}

}  // namespace airlite::tools
