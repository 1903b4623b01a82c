#include "Npu.hpp"

#include "../common/CommandLine.hpp"
#include "../common/KernelPipeline.hpp"
#include "NpuFiles.hpp"
#include "airlite/dialect/Aie.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/npu/lower/Report.hpp"
#include "airlite/text/Printer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iostream>

namespace airlite::tools {
namespace {

constexpr const char* kTool = "airlite-compile";

/// Cores serve every iteration of the launch; herds that the recipe placed stay where they are.
constexpr std::string_view kDesignPasses =
    "air-to-aie{device=npu1 row-offset=2 col-offset=0 emit-while-loop=true}";

constexpr std::array<std::string_view, 5> kKinds = {"air", "aie", "images", "config",
                                                    "floorplan.svg"};

class NpuCompilation {
 public:
  explicit NpuCompilation(const NpuOptions& options) : o_(options) {}

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
  bool emits(std::string_view kind) const {
    if (o_.emit.empty()) return kind == "images";
    return std::find(o_.emit.begin(), o_.emit.end(), kind) != o_.emit.end();
  }
  bool needsConfig() const {
    return emits("images") || emits("config") || emits("floorplan.svg") || !o_.report.empty();
  }

  int compile(Context& context) {
    watch_.next("read");
    OwningOp module = readProgram(context, o_.frontend, kTool, text_);
    if (!module) return kFailure;
    if (designsOf(*module).empty())
      if (int code = makeDesign(*module); code != kSuccess) return code;
    return needsConfig() ? makeFiles(*module) : kSuccess;
  }

  static std::vector<Operation*> designsOf(Operation& module) {
    std::vector<Operation*> found;
    for (Operation& op : module.region().front().ops())
      if (isa<aie::DeviceOp>(&op)) found.push_back(&op);
    return found;
  }

  /// The recipe is checked as every program is: what it makes must not hang or race either.
  std::string recipe() const {
    std::string passes = o_.frontend.pipeline.empty() ? "air-npu" : o_.frontend.pipeline;
    return o_.noVerifyProgram ? passes : "air-verify-program," + passes + ",air-verify-program";
  }

  int makeDesign(Operation& module) {
    watch_.next("recipe");
    int code = runPassText(module, o_.frontend, kTool, text_, recipe());
    if (code != kSuccess) return code;
    if (emits("air")) files_.push_back({"program.mlir", printToString(module)});
    if (!needsConfig() && !emits("aie")) return kSuccess;
    watch_.next("design");
    code = runPassText(module, o_.frontend, kTool, text_, std::string(kDesignPasses));
    if (code == kSuccess && emits("aie")) files_.push_back({"design.mlir", printToString(module)});
    return code;
  }

  // -- From the design ----------------------------------------------------------------------------

  int makeFiles(Operation& module) {
    const std::vector<Operation*> designs = designsOf(module);
    if (designs.empty()) return module.emitError() << "there is no segment or herd to compile", kFailure;
    if (designs.size() > 1) {
      InFlightDiagnostic error = designs[1]->emitOpError();
      error << "not supported: a second design in a program";
      error.note(designs[0]->location()) << "the first one is here";
      return kFailure;
    }
    return makeFilesOf(*designs[0]);
  }

  int makeFilesOf(Operation& design) {
    const std::string_view device = aie::DeviceOp(&design).device().name;
    if (!device.starts_with(kNpu))
      return design.emitOpError() << "is for device '" << device << "', the target is " << kNpu,
             kFailure;
    watch_.next("configure");
    const auto config = npu::configure(design);
    if (!config) return kFailure;
    watch_.next("files");
    if (emits("config")) files_.push_back(configText(*config));
    if (emits("floorplan.svg")) files_.push_back(floorplan(*config));
    if (!o_.report.empty()) report(*config);
    if (!emits("images")) return kSuccess;
    auto images = npuImages(*config, design);
    if (!images) return kFailure;
    std::move(images->begin(), images->end(), std::back_inserter(files_));
    return kSuccess;
  }

  void report(const npu::ArrayConfig& config) {
    const npu::ResourceReport resources = npu::resourcesOf(config);
    table_ = npu::resourceTable(config, resources);
    files_.push_back({fileName(config.name, ".resources.json"), npu::resourceJson(config, resources)});
  }

  int write() {
    watch_.next("write");
    std::string error;
    if (!writeArtifacts(o_.output, files_, error)) {
      std::cerr << kTool << ": error: " << error << "\n";
      return kFailure;
    }
    std::cout << table_;
    if (o_.frontend.verbose)
      for (const Artifact& file : files_)
        std::cerr << fmt::format("{}: wrote {}/{}, {} bytes\n", kTool, o_.output, file.name,
                                 file.bytes.size());
    return kSuccess;
  }

  const NpuOptions& o_;
  Stopwatch watch_;
  std::string text_, table_;
  std::vector<Artifact> files_;
};

}  // namespace

int compileForNpu(const CLI::App& app, const NpuOptions& options) {
  for (const std::string& kind : options.emit)
    if (std::find(kKinds.begin(), kKinds.end(), kind) == kKinds.end())
      return usageError(app, fmt::format("--emit={} is not for {}: it has images (the default), "
                                         "air, aie, config and floorplan.svg",
                                         kind, kNpu));
  return NpuCompilation(options).run();
}

}  // namespace airlite::tools
