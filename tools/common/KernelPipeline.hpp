// The passes between an AIR program and what a backend takes, as the drivers run them. Part of the
// drivers that know the passes of the backends, hence not in the common library.
#pragma once

#include "Frontend.hpp"
#include "airlite/gpu/lower/Lower.hpp"
#include "airlite/interp/MeaningCheck.hpp"
#include "airlite/npu/lower/Passes.hpp"
#include "airlite/pass/Pipeline.hpp"
#include "airlite/transform/Passes.hpp"

#include <iostream>
#include <optional>

namespace airlite::tools {

/// Lanes of a wave that a module in kernel form is made for.
inline unsigned waveSizeOf(Operation& module) {
  int64_t size = gpu::kDefaultWaveSize;
  module.walk([&](Operation& op) {
    if (!op.is("gpu.func")) return;
    if (std::optional<int64_t> stated = constantInt(op.attr(gpu::kWaveSizeAttr))) size = *stated;
  });
  return static_cast<unsigned>(size);
}

/// The passes of airlite and its backends.
inline PassRegistry allPasses() {
  PassRegistry registry;
  registerAllPasses(registry);
  gpu::registerGpuPasses(registry);
  npu::registerNpuPasses(registry);
  return registry;
}

/// Runs passes as every driver does: what the options print, time and check. An exit code.
inline int runPasses(Operation& module, const FrontendOptions& o, std::string_view tool,
                     std::string_view inputText, const Pipeline& pipeline) {
  if (o.verbose) std::cerr << tool << ": passes: " << pipeline.str() << "\n";
  PipelineOptions options;
  options.timing = o.timing;
  options.remarks = o.remarks;
  options.inputText = inputText;
  options.log = [](std::string_view text) { std::cerr << text; };
  if (!o.dumpDir.empty()) {
    options.printAfterAll = options.printModuleScope = true;
    options.printTreeDir = o.dumpDir;
  }
  // As far as the interpreter follows: up to the pass that makes kernels. It says where it stops.
  interp::MeaningCheckOptions check;
  check.log = [&](std::string_view text) { std::cerr << tool << ": remark: " << text << "\n"; };
  interp::MeaningCheck meaning(check);
  if (o.checkEach) {
    meaning.begin(module);
    options.checkEach = [&](Operation& whole, const Pass& pass) {
      return meaning.check(whole, pass.name());
    };
  }
  PipelineOutcome outcome = runPipeline(module, pipeline, options);
  if (outcome.internalError && !outcome.reproducerPath.empty())
    std::cerr << tool << ": note: reproducer written to '" << outcome.reproducerPath << "'\n";
  if (outcome.internalError) return kInternal;
  return outcome.result == PassResult::Failed ? kFailure : kSuccess;
}

/// A text that cannot be read is the user's mistake and has been reported.
inline int runPassText(Operation& module, const FrontendOptions& o, std::string_view tool,
                       std::string_view inputText, const std::string& passes) {
  Pipeline pipeline;
  if (!parsePipeline(module.context(), allPasses(), passes, pipeline)) return kUsage;
  return runPasses(module, o, tool, inputText, pipeline);
}
inline int runPassList(Operation& module, const FrontendOptions& o, std::string_view tool,
                       std::string_view inputText, const PassList& passes) {
  Pipeline pipeline;
  if (!addPasses(module.context(), allPasses(), passes, pipeline)) return kInternal;
  return runPasses(module, o, tool, inputText, pipeline);
}

/// readProgram; with `o.asyncTransfers` what nobody gives a token gets one, so that a put in front of
/// the segment that takes its data does not stand in the way.
inline OwningOp readProgramToRun(Context& context, const FrontendOptions& o, std::string_view tool,
                                 std::string& text) {
  OwningOp module = readProgram(context, o, tool, text);
  if (!module || !o.asyncTransfers) return module;
  const int code = runPassText(*module, o, tool, text, "air-dependency{keep-channel-order=true}");
  return code == kSuccess ? std::move(module) : OwningOp();
}

/// An exit code; kSuccess when the module is in kernel form now. `verifyProgram`: programs that hang
/// or race are refused first. What `o.pipeline` asks for comes before all of it.
inline int lowerToKernels(Operation& module, const FrontendOptions& o, std::string_view tool,
                          std::string_view inputText, bool verifyProgram = false) {
  std::string passes = o.pipeline.empty() ? "" : o.pipeline + ",";
  if (verifyProgram) passes += "air-verify-program,";
  return runPassText(module, o, tool, inputText, passes + gpu::gpuPipelineText());
}

}  // namespace airlite::tools
