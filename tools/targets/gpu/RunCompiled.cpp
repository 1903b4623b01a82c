#include "RunCompiled.hpp"

#include "../../common/CommandLine.hpp"
#include "../Passes.hpp"
#include "../run/Deliver.hpp"
#include "../run/InterpCompare.hpp"
#include "../run/ProgramRun.hpp"
#include "../run/Progress.hpp"
#include "Hip.hpp"
#include "Kernels.hpp"
#include "airlite/device/GpuMatrix.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/gpu/emit/HostProgram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <utility>

namespace airlite::tools {
namespace {

class CompiledRun : public ProgramRun {
 public:
  using ProgramRun::ProgramRun;

 private:
  Result<void> readOptions() override {
    run_.threads = o_.threads;
    if (o_.order == "forward") return {};
    run_.order = o_.order == "reverse" ? gpu::RunOrder::Reverse : gpu::RunOrder::Random;
    if (o_.order == "reverse" || readSeed(o_.order, "random:", run_.seed)) return {};
    return Error{"expected --order=forward, reverse or random:SEED, got '" + o_.order + "'"};
  }

  /// Tensors of the signature become memory, which values can be given for.
  Result<void> prepare(Operation& module) override {
    const auto wanted = findFunction(module);
    if (!wanted) return Error{wanted.error().message};
    if (!dropOthers(module, **wanted))
      return Error{"functions that are not run could not be erased"};
    bool hasTensors = false;
    module.walk([&](Operation& op) {
      const auto function = dynCast<func::FuncOp>(&op);
      if (!function || function.isDeclaration()) return;
      for (const auto& types :
           {function.functionType().inputs(), function.functionType().results()})
        hasTensors |= std::ranges::any_of(types, [](Type t) { return t.isa<RankedTensorType>(); });
    });
    if (!hasTensors) return {};
    if (runPassText(module, driver(), "inline,air-bufferize-linalg{required=true}") != kSuccess)
      return Error{"the tensors of the function could not become memory"};
    return {};
  }

  /// Erases functions that the one to run does not need: what is in them must not keep it from being run.
  bool dropOthers(Operation& module, const Operation& function) {
    bool hasOthers = false;
    module.walk([&](Operation& op) {
      if (!isa<func::FuncOp>(&op) || &op == &function) return;
      op.setAttr("sym_visibility", StringAttr::get(op.context(), "private"));
      hasOthers = true;
    });
    return !hasOthers || runPassText(module, driver(), "symbol-dce") == kSuccess;
  }

  int execute(Operation& module, Operation&) override {
    // Lowering changes the module, and the run its arguments; the interpreter takes them as they were.
    OwningOp given(o_.compare.empty() ? nullptr : module.clone());
    std::vector<Argument> before;
    if (given) before = arguments_;
    if (const int code = runKernels(module); code != kSuccess || !given) return code;
    watch_.next("compare with the interpreter");
    const auto function = findFunction(*given);
    if (!function) return failRun(function.error().message);
    return compareWithInterpreter({*given, **function, std::move(before)},
                                  {signature_, arguments_, results_}, {o_.relative, o_.absolute},
                                  o_.exact);
  }

  int runKernels(Operation& module) {
    watch_.next("lower to kernels");
    const KernelOptions kernels{false, o_.exact, o_.target};
    if (const int code = lowerToKernels(module, driver(), kernels); code != kSuccess) return code;
    return o_.on == "hip" ? runHip(module) : runHost(module);
  }

  int runHost(Operation& module) {
    watch_.next("compile for the host");
    auto program = gpu::HostProgram::create(module);
    if (!program) return failRun(program.error().message);
    std::vector<HostValue> values;
    for (const Argument& argument : arguments_)
      values.push_back(argument.value);
    watch_.next("run");
    Progress progress(std::string(driver().tool), o_.progress);
    run_.progress = std::ref(progress);
    auto run = program->run(function_, values, run_);
    if (!run) return failRun(run.error().message);
    results_ = std::move(run->results);
    memory_ = run->memory;
    describe(*run);
    return kSuccess;
  }

  void describe(const gpu::HostRun& run) const {
    if (o_.frontend.verbose)
      std::cerr << fmt::format(
          "{}: {} launches, {} workgroups, {} barriers, {} threads, {:.4f} s on the host\n",
          driver().tool, run.launches, run.stats.workgroups, run.stats.barriers, run.stats.threads,
          run.stats.seconds);
    if (run.leakedBuffers)
      std::cerr << fmt::format("{}: warning: {} buffers were allocated and never freed\n",
                               driver().tool, run.leakedBuffers);
  }

  int runHip(Operation& module) {
    if (!signature_.results.empty())
      return failRun("not supported with --on=hip: results of a function");
    watch_.next("compile and run on HIP");
    const auto outcome = runOnHip(module, waveSizeOf(module), function_, arguments_);
    if (!outcome) return failRun(outcome.error());
    if (o_.frontend.verbose)
      std::cerr << fmt::format("{}: {} launches, {:.6f} s on {}\n", driver().tool,
                               outcome->launches, outcome->seconds, outcome->device);
    return kSuccess;
  }

  gpu::RunOptions run_;
};

}  // namespace

int runCompiled(const CLI::App& app, const RunRequest& o) {
  if (const auto code = refuseSimulatorOptions(app, o)) return *code;
  if (!o.target.empty() && !amdgpu::findGpuDevice(o.target))
    return usageError(app, "--target=" + o.target + " is none of gfx90a, gfx942, gfx1100, gfx1201");
  if (!o.schedule.empty()) return usageError(app, "--schedule needs --on=interp");
  return CompiledRun(o).run(app);
}

}  // namespace airlite::tools
