#include "Passes.hpp"

#include "airlite/gpu/lower/Lower.hpp"
#include "airlite/interp/MeaningCheck.hpp"
#include "airlite/npu/lower/Passes.hpp"
#include "airlite/transform/Passes.hpp"

#include <iostream>

namespace airlite::tools {

PassRegistry allPasses() {
  PassRegistry registry;
  registerAllPasses(registry);
  gpu::registerGpuPasses(registry);
  npu::registerNpuPasses(registry);
  return registry;
}

PipelineOutcome runPasses(Operation& module, const Driver& driver, const Pipeline& pipeline) {
  const FrontendOptions& o = driver.frontend;
  if (o.verbose) std::cerr << driver.tool << ": passes: " << pipeline.str() << "\n";
  PipelineOptions options;
  options.timing = o.timing;
  options.remarks = o.remarks;
  options.inputText = driver.inputText;
  options.log = [](std::string_view text) { std::cerr << text; };
  if (!o.dumpDir.empty()) {
    options.printAfterAll = options.printModuleScope = true;
    options.printTreeDir = o.dumpDir;
  }
  // As far as the interpreter follows: up to the pass that makes kernels. It says where it stops.
  interp::MeaningCheckOptions check;
  check.log = [&](std::string_view text) {
    std::cerr << driver.tool << ": remark: " << text << "\n";
  };
  interp::MeaningCheck meaning(check);
  if (o.checkEach) {
    meaning.begin(module);
    options.checkEach = [&](Operation& whole, const Pass& pass) {
      return meaning.check(whole, pass.name());
    };
  }
  PipelineOutcome outcome = runPipeline(module, pipeline, options);
  if (outcome.internalError && !outcome.reproducerPath.empty())
    std::cerr << driver.tool << ": note: reproducer written to '" << outcome.reproducerPath
              << "'\n";
  return outcome;
}

int exitCode(const PipelineOutcome& outcome) {
  if (outcome.internalError) return kInternal;
  return outcome.result == PassResult::Failed ? kFailure : kSuccess;
}

int runPassText(Operation& module, const Driver& driver, const std::string& passes) {
  Pipeline pipeline;
  if (!parsePipeline(module.context(), allPasses(), passes, pipeline)) return kUsage;
  return exitCode(runPasses(module, driver, pipeline));
}

bool hasTransfersToOrder(Operation& module) {
  const WalkResult result = module.walkWith([](Operation& op) {
    return op.name().starts_with("air.") ? WalkResult::Interrupt : WalkResult::Advance;
  });
  return result == WalkResult::Interrupt;
}

OwningOp readProgramToRun(Context& context, const FrontendOptions& o, std::string_view tool,
                          std::string& text) {
  OwningOp module = readProgram(context, o, tool, text);
  if (!module || !o.asyncTransfers) return module;
  for (const std::string_view passes : kAsyncTransfers) {
    if (!hasTransfersToOrder(*module)) break;
    if (runPassText(*module, {o, tool, text}, std::string(passes)) != kSuccess) return OwningOp();
  }
  return module;
}

}  // namespace airlite::tools
