// Programs for AMD GPUs, and for this processor by way of the same kernels: all of the Python package
// that knows LLVM.
#include "airlite/gpu/emit/Compile.hpp"
#include "airlite/gpu/emit/HostProgram.hpp"
#include "airlite/gpu/lower/Lower.hpp"
#include "airlite/gpu/target/GpuTarget.hpp"
#include "airlite/pass/Pipeline.hpp"
#include "airlite/text/Printer.hpp"
#include "src/Gpu.hpp"
#include "targets/Passes.hpp"
#include "targets/gpu/Artifacts.hpp"
#include "targets/gpu/Kernels.hpp"

#include <utility>

namespace airlite::python {
namespace {

/// An error without a message: it has been reported.
Result<void> lower(Operation& module, bool verifyProgram) {
  const std::string first = verifyProgram ? "air-verify-program," : "";
  Pipeline pipeline;
  PipelineOptions options;
  options.reproducerOnInternalError = false;
  if (!parsePipeline(module.context(), tools::allPasses(),
                     first + gpu::gpuPipelineText(/*exact=*/true), pipeline) ||
      runPipeline(module, pipeline, options).result == PassResult::Failed)
    return Error{};
  return {};
}

class JitRunner final : public HostRunner {
 public:
  explicit JitRunner(gpu::HostProgram program) : program_(std::move(program)) {}

  Result<HostOutcome> run(const std::string& function, std::span<const HostValue> values,
                          unsigned threads) const override {
    gpu::RunOptions options;
    options.threads = threads;
    auto run = program_.run(function, values, options);
    if (!run) return run.error();
    return HostOutcome{std::move(run->results), run->memory,        run->launches,
                       run->stats.workgroups,   run->stats.threads, run->leakedBuffers,
                       run->stats.seconds};
  }

 private:
  gpu::HostProgram program_;
};

class LlvmSupport final : public GpuSupport {
 public:
  std::vector<std::string> devices() const override {
    const auto& cpus = gpu::GpuTarget::supportedCpus();
    return {cpus.begin(), cpus.end()};
  }

  Result<std::vector<Artifact>> compile(Operation& module, const std::string& target,
                                        bool verifyProgram, const GpuKinds& kinds) const override {
    if (const auto lowered = lower(module, verifyProgram); !lowered) return lowered.error();
    gpu::GpuTargetOptions options;
    options.cpu = target;
    options.waveSize = tools::waveSizeOf(module);
    std::vector<Artifact> files;
    if (kinds.program) files.push_back({"program.mlir", printToString(module)});
    auto compiled = gpu::compileForGpu(module, options, {.assembly = kinds.assembly});
    if (!compiled) return compiled.error();
    if (compiled->modules.empty()) return Error{"there is no air.launch to compile"};
    const tools::EmitKinds wanted{kinds.llvm, kinds.assembly, kinds.hsaco, kinds.manifest};
    for (Artifact& file : tools::artifactsOf(*compiled, target, "", wanted))
      files.push_back(std::move(file));
    return files;
  }

  Result<std::unique_ptr<HostRunner>> compileForHost(Operation& module) const override {
    if (const auto lowered = lower(module, false); !lowered) return lowered.error();
    auto program = gpu::HostProgram::create(module);
    if (!program) return program.error();
    return std::unique_ptr<HostRunner>(std::make_unique<JitRunner>(std::move(*program)));
  }
};

}  // namespace
}  // namespace airlite::python

extern "C" __attribute__((visibility("default"))) const airlite::python::GpuSupport*
airlite_gpu_support() {
  static const airlite::python::LlvmSupport support;
  return &support;
}
