#include "CompileGpu.hpp"

#include "../../common/CommandLine.hpp"
#include "../../common/WriteFiles.hpp"
#include "../GpuUsage.hpp"
#include "Artifacts.hpp"
#include "KernelTable.hpp"
#include "Kernels.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/gpu/target/GpuTarget.hpp"
#include "airlite/text/Printer.hpp"

#include <fmt/format.h>

#include <iostream>
#include <optional>

namespace airlite::tools {
namespace {

constexpr const char* kTool = "airlite-compile";

int fail(const std::string& error) {
  std::cerr << kTool << ": error: " << error << "\n";
  return kFailure;
}

Artifact programArtifact(Operation& module) { return {"program.mlir", printToString(module)}; }

void listFiles(const CompileRequest& o, const std::vector<Artifact>& files) {
  for (const Artifact& file : files)
    std::cerr << fmt::format("{}: wrote {}/{}, {} bytes\n", kTool, o.output, file.name,
                             file.bytes.size());
}

EmitKinds kindsOf(const CompileRequest& o) {
  if (o.emit.empty()) return {false, false, true, true};
  return {o.emits("ll"), o.emits("asm"), o.emits("hsaco"), o.emits("manifest")};
}

/// A cpu that LLVM does not know is wrong usage, with a suggestion.
std::optional<int> checkTarget(const CLI::App& app, const CompileRequest& o) {
  gpu::GpuTargetOptions options;
  options.cpu = o.target;
  options.codeObjectVersion = o.codeObjectVersion;
  auto target = gpu::GpuTarget::create(options);
  if (target) return std::nullopt;
  return usageError(app, target.error().message);
}

void describe(const gpu::CompiledKernels& compiled) {
  for (const gpu::CompiledModule& module : compiled.modules)
    for (const gpu::CompiledKernel& kernel : module.kernels) {
      const gpu::HsacoKernel* object = module.info.find(kernel.name);
      if (!object) continue;
      std::cerr << fmt::format(
          "{}: kernel {}: block {}x{}x{}, {} VGPRs, {} SGPRs, {} bytes of LDS, {} of scratch\n",
          kTool, kernel.name, kernel.block[0], kernel.block[1], kernel.block[2], object->vgprCount,
          object->sgprCount, object->ldsBytes, object->privateBytes);
    }
}

/// The intermediate files that no pass writes.
Result<void> dumpLlvm(const CompileRequest& o, const gpu::CompiledKernels& compiled) {
  if (o.frontend.dumpDir.empty()) return {};
  EmitKinds only{true, false, false, false};
  return writeArtifacts(o.frontend.dumpDir, artifactsOf(compiled, o.target, "", only));
}

class Compilation {
 public:
  explicit Compilation(const CompileRequest& o) : o_(o) {}

  int run() {
    Context context;
    registerAllDialects(context);
    DiagnosticPrinter printer(context, o_.frontend.diagnostics);
    int code = compile(context);
    if (code == kSuccess && printer.errors()) code = kFailure;  // --Werror
    if (code == kSuccess) code = write();
    watch_.stop();
    if (o_.frontend.timing) watch_.print(kTool);
    return code;
  }

 private:
  int compile(Context& context) {
    std::string text;
    watch_.next("read");
    OwningOp module = readProgramToRun(context, o_.frontend, kTool, text);
    if (!module) return kFailure;
    watch_.next("lower to kernels");
    int code = lowerToKernels(*module, {o_.frontend, kTool, text},
                              {.verifyProgram = !o_.noVerifyProgram,
                               .exact = o_.exact,
                               .device = o_.target,
                               .leavesOut = true});
    if (code != kSuccess) return code;
    if (o_.emits("air")) program_ = programArtifact(*module);
    watch_.next("compile for " + o_.target);
    gpu::GpuTargetOptions target;
    target.cpu = o_.target;
    target.waveSize = waveSizeOf(*module);
    target.codeObjectVersion = o_.codeObjectVersion;
    auto compiled = gpu::compileForGpu(*module, target, {.assembly = kindsOf(o_).assembly});
    if (!compiled) return fail(compiled.error().message);
    if (compiled->modules.empty()) return fail("there is no air.launch to compile");
    compiled_ = std::move(*compiled);
    return kSuccess;
  }

  int write() {
    watch_.next("write");
    std::vector<Artifact> files =
        artifactsOf(compiled_, o_.target, inputName(o_.frontend.input), kindsOf(o_));
    if (program_) files.push_back(*program_);
    if (const auto dumped = dumpLlvm(o_, compiled_); !dumped) return fail(dumped.error().message);
    if (const auto written = writeArtifacts(o_.output, files); !written)
      return fail(written.error().message);
    if (const int code = report(); code != kSuccess || !o_.frontend.verbose) return code;
    describe(compiled_);
    listFiles(o_, files);
    return kSuccess;
  }

  int report() const {
    if (o_.report.empty()) return kSuccess;
    const auto table = kernelTable(compiled_, o_.target);
    if (!table) return fail(table.error().message);
    std::cout << *table;
    return kSuccess;
  }

  const CompileRequest& o_;
  Stopwatch watch_;
  gpu::CompiledKernels compiled_;
  std::optional<Artifact> program_;
};

}  // namespace

int compileForGpu(const CLI::App& app, const CompileRequest& o) {
  if (const auto code = refuseNpuOptions(app, o)) return *code;
  if (const auto code = checkTarget(app, o)) return *code;
  return Compilation(o).run();
}

}  // namespace airlite::tools
