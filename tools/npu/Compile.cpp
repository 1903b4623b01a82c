#include "Compile.hpp"

#include "../common/KernelPipeline.hpp"
#include "Files.hpp"
#include "airlite/dialect/Aie.hpp"
#include "airlite/npu/codegen/CoreCode.hpp"
#include "airlite/npu/lower/Report.hpp"
#include "airlite/text/Printer.hpp"

#include <algorithm>
#include <iterator>

namespace airlite::tools {
namespace {

/// Cores serve every iteration of the launch; herds that the recipe placed stay where they are.
constexpr std::string_view kDesignPasses =
    "air-to-aie{device=npu1 row-offset=2 col-offset=0 emit-while-loop=true},"
    "air-to-std,airrt-to-npu";
/// Of designs, too: a core may be written as its author likes.
constexpr std::string_view kCorePasses = "air-aie-legalize-core";

class NpuCompilation {
 public:
  NpuCompilation(Operation& module, const NpuRequest& request, Stopwatch& watch, NpuResult& result)
      : module_(module), o_(request), watch_(watch), result_(result) {}

  int run() {
    if (designs().empty())
      if (int code = makeDesign(); code != kSuccess) return code;
    return needsConfig() ? makeFiles() : int(kSuccess);
  }

 private:
  bool needsConfig() const {
    return o_.emit.images || o_.emit.config || o_.emit.floorplan || o_.emit.report;
  }

  std::vector<Operation*> designs() const {
    std::vector<Operation*> found;
    for (Operation& op : module_.region().front().ops())
      if (isa<aie::DeviceOp>(&op)) found.push_back(&op);
    return found;
  }

  int runPasses(const char* step, const std::string& passes) {
    watch_.next(step);
    return runPassText(module_, o_.frontend, o_.tool, o_.inputText, passes);
  }

  void addModule(const char* name) { result_.files.push_back({name, printToString(module_)}); }

  /// The recipe is checked as every program is: what it makes must not hang or race either.
  std::string recipe() const {
    std::string passes = o_.frontend.pipeline.empty() ? "air-npu" : o_.frontend.pipeline;
    return o_.noVerifyProgram ? passes : "air-verify-program," + passes + ",air-verify-program";
  }

  int makeDesign() {
    int code = runPasses("recipe", recipe());
    if (code != kSuccess) return code;
    if (o_.emit.air) addModule("program.mlir");
    if (!needsConfig() && !o_.emit.aie) return kSuccess;
    code = runPasses("design", std::string(kDesignPasses));
    if (code == kSuccess && o_.emit.aie) addModule("design.mlir");
    return code;
  }

  int makeFiles() {
    if (int code = runPasses("cores", std::string(kCorePasses)); code != kSuccess) return code;
    const std::vector<Operation*> found = designs();
    if (found.empty()) {
      module_.emitError() << "there is no segment or herd to compile";
      return kFailure;
    }
    if (found.size() == 1) return makeFilesOf(*found[0]);
    InFlightDiagnostic error = found[1]->emitOpError();
    error << "not supported: a second design in a program";
    error.note(found[0]->location()) << "the first one is here";
    return kFailure;
  }

  int makeFilesOf(Operation& design) {
    const std::string_view device = aie::DeviceOp(&design).device().name;
    if (!device.starts_with(kNpu)) {
      design.emitOpError() << "is for device '" << device << "', the target is " << kNpu;
      return kFailure;
    }
    watch_.next("configure");
    const auto config = npu::configure(design, npu::codegen::generateCore, o_.objectFolders);
    if (!config) return kFailure;
    watch_.next("files");
    if (o_.emit.config) result_.files.push_back(configText(*config));
    if (o_.emit.floorplan) result_.files.push_back(floorplan(*config));
    if (o_.emit.report) report(*config);
    if (!o_.emit.images) return kSuccess;
    auto images = npuImages(*config, design);
    if (!images) return kFailure;
    std::ranges::move(*images, std::back_inserter(result_.files));
    return kSuccess;
  }

  void report(const npu::ArrayConfig& config) {
    const npu::ResourceReport resources = npu::resourcesOf(config);
    result_.table = npu::resourceTable(config, resources);
    result_.files.push_back(
        {fileName(config.name, ".resources.json"), npu::resourceJson(config, resources)});
  }

  Operation& module_;
  const NpuRequest& o_;
  Stopwatch& watch_;
  NpuResult& result_;
};

}  // namespace

int compileForNpu(Operation& module, const NpuRequest& request, Stopwatch& watch,
                  NpuResult& result) {
  return NpuCompilation(module, request, watch, result).run();
}

}  // namespace airlite::tools
