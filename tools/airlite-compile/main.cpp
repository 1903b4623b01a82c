// airlite-compile: a program becomes files that a device can load, in one process.
#include "../common/CommandLine.hpp"
#include "../common/Frontend.hpp"
#include "../common/WriteFiles.hpp"
#include "../targets/Passes.hpp"
#include "../targets/gpu/Kernels.hpp"
#include "../targets/npu/CompileNpu.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/support/Text.hpp"
#include "airlite/text/Printer.hpp"

#include <fmt/format.h>

#include <iostream>
#if AIRLITE_HAVE_GPU
#include "Artifacts.hpp"
#endif

namespace airlite {
namespace {

using namespace tools;

constexpr const char* kTool = "airlite-compile";

struct Options {
  FrontendOptions frontend;
  std::string output;
  std::string target;
  std::vector<std::string> emit;  // empty: what the target has for users
  std::string report;             // of an NPU: "resources"
  unsigned codeObjectVersion = 500;
  bool listTargets = false;
  std::vector<std::string> objectFolders;
  std::vector<std::string> numbers;
  std::string function;  // of an NPU
  bool noVerifyProgram = false, exact = false;
};

constexpr const char* kDescription =
    "Compiles an AIR program (text or JSON) to files that a device can load.\n"
    "\n"
    "Examples:\n"
    "  airlite-compile examples/matmul/matmul.mlir --target=gfx942 -o out\n"
    "  airlite-compile in.mlir --target=gfx1100 --emit=asm,manifest -o out -v\n"
    "  airlite-compile design.mlir --target=npu1 -o out --report=resources\n"
    "  airlite-compile examples/npu/matmul_i32.mlir --target=npu1 --emit=air,aie -o out --remarks\n"
    "  airlite-compile in.mlir --target=npu1 --emit=air --pipeline='air-npu{herd=2,2}' -o out\n"
    "  airlite-opt in.mlir --canonicalize | airlite-compile --target=gfx90a -o out\n"
    "\n"
    "GPUs: writes a .hsaco (--emit: also .ll, .s) for each function with launches, and "
    "manifest.json\n"
    "with the kernels: arguments, grid, block, and registers, LDS and scratch as the object says.\n"
    "npu1 (npu1_1col, npu1_2col, npu1_3col: so many of its columns): writes NAME.xclbin,\n"
    "NAME.insts.bin, NAME.pdi, NAME.cdo, core_COL_ROW.elf and .s, "
    "NAME.locations.txt and manifest.json.\n--emit has also air (the program after the recipe "
    "air-npu),\naie (the design of its tiles), config (what was chosen for it), floorplan.svg. A "
    "program with an\naie.device is a design already: no recipe runs.\n"
    "Nothing is written when something fails.\n"
    "Exit codes: 0 fine, 1 the program cannot be compiled, 2 wrong usage, 3 internal error.";

void addOptions(CLI::App& app, Options& o) {
  app.add_option("input", o.frontend.input, "input file, - for standard input")->type_name("FILE");
  app.add_option("-o,--output", o.output, "folder for the files, made when it is not there")
      ->type_name("DIR");
  app.add_option("--target", o.target, "the device, see --list-targets")->type_name("CPU");
  app.add_option(
         "--emit", o.emit,
         "what to write: hsaco, manifest, ll, asm; air (the program after all passes); of an NPU "
         "images, aie (the design of its tiles), config, floorplan.svg; a list with commas")
      ->delimiter(',')
      ->check(CLI::IsMember(
          {"hsaco", "manifest", "ll", "asm", "air", "aie", "images", "config", "floorplan.svg"}))
      ->type_name("KINDS")
      ->allow_extra_args(false)
      ->default_str("hsaco,manifest; images");
  app.add_option(
         "--report", o.report,
         "of an NPU: resources, what each tile uses and where each flow goes; a table here, "
         "NAME.resources.json among the files")
      ->check(CLI::IsMember({"resources"}))
      ->type_name("WHAT");
  addRepeated(
      app, "-L,--object-path", o.objectFolders,
      "of an NPU: a folder with objects that cores name (link_with); first that of the source")
      ->type_name("DIR");
  app.add_option("--function", o.function,
                 "of an NPU: the function to compile, where there are several")
      ->type_name("NAME");
  addRepeated(app, "--set", o.numbers,
              "of an NPU: the design is for this value of argument N, an integer, index or float, "
              "and does not take it")
      ->type_name("N=VALUE");
  app.add_option("--pipeline", o.frontend.pipeline,
                 "passes or a recipe before those of a GPU; for npu1 in place of air-npu")
      ->type_name("PASSES");
  app.add_option("--code-object-version", o.codeObjectVersion,
                 "400 for ROCm 5, 500 for ROCm 6 and 7, 600 for newer loaders")
      ->check(CLI::IsMember({400, 500, 600}))
      ->type_name("N");
  app.add_flag("--check-each", o.frontend.checkEach,
               "run the functions on random arguments before and after each pass that the "
               "interpreter can follow, and stop at the first that changes what they compute");
  app.add_flag("--remarks", o.frontend.remarks, "show why passes did or did not act");
  app.add_flag("--no-verify-program", o.noVerifyProgram,
               "do not ask first whether the program hangs or races (air-verify-program)");
  app.add_flag("--exact", o.exact,
               "NPU: sums of floats one after the other, as the program has them, and not as the "
               "matrix unit makes them");
  app.add_flag("--list-targets", o.listTargets, "print the devices and stop");
  addFrontendOptions(app, o.frontend);
}

bool emits(const Options& o, std::string_view kind) {
  return std::find(o.emit.begin(), o.emit.end(), kind) != o.emit.end();
}

bool isNpuTarget(const std::string& name) {
  const aie::Device* device = aie::findDevice(name);
  return device && device->isTarget();
}

int listTargets() {
#if AIRLITE_HAVE_GPU
  for (std::string_view cpu : gpu::GpuTarget::supportedCpus())
    std::cout << cpu << "\n";
#endif
  for (const aie::Device& device : aie::devices())
    if (device.isTarget()) std::cout << device.name << "\n";
  return kSuccess;
}

// -- GPU ----------------------------------------------------------------------------------------

#if AIRLITE_HAVE_GPU

int fail(const std::string& error) {
  std::cerr << kTool << ": error: " << error << "\n";
  return kFailure;
}

Artifact programArtifact(Operation& module) { return {"program.mlir", printToString(module)}; }

void listFiles(const Options& o, const std::vector<Artifact>& files) {
  for (const Artifact& file : files)
    std::cerr << fmt::format("{}: wrote {}/{}, {} bytes\n", kTool, o.output, file.name,
                             file.bytes.size());
}

EmitKinds kindsOf(const Options& o) {
  if (o.emit.empty()) return {false, false, true, true};
  return {emits(o, "ll"), emits(o, "asm"), emits(o, "hsaco"), emits(o, "manifest")};
}

/// A cpu that LLVM does not know is wrong usage, with a suggestion.
std::optional<int> checkTarget(const CLI::App& app, const Options& o) {
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
Result<void> dumpLlvm(const Options& o, const gpu::CompiledKernels& compiled) {
  if (o.frontend.dumpDir.empty()) return {};
  EmitKinds only{true, false, false, false};
  return writeArtifacts(o.frontend.dumpDir, artifactsOf(compiled, o.target, "", only));
}

class Compilation {
 public:
  explicit Compilation(const Options& o) : o_(o) {}

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
    int code = lowerToKernels(*module, {o_.frontend, kTool, text}, !o_.noVerifyProgram);
    if (code != kSuccess) return code;
    if (emits(o_, "air")) program_ = programArtifact(*module);
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
    if (!o_.frontend.verbose) return kSuccess;
    describe(compiled_);
    listFiles(o_, files);
    return kSuccess;
  }

  const Options& o_;
  Stopwatch watch_;
  gpu::CompiledKernels compiled_;
  std::optional<Artifact> program_;
};

int compileProgram(const CLI::App& app, const Options& o) {
  if (std::optional<int> code = checkTarget(app, o)) return *code;
  return Compilation(o).run();
}

#else

int compileProgram(const CLI::App& app, const Options& o) {
  return usageError(app, "target '" + o.target + "' is not in this build: it has no GPU backend");
}

#endif

int toolMain(int argc, char** argv) {
  CLI::App app{kDescription, kTool};
  Options options;
  addOptions(app, options);
  if (std::optional<int> code = parseArguments(app, argc, argv, {"-o", "-h", "-v", "-L"}))
    return *code;
  if (options.listTargets) return listTargets();
  if (options.target.empty()) return usageError(app, "no --target given, see --list-targets");
  if (options.output.empty()) return usageError(app, "no folder for the files given: -o DIR");
  if (isNpuTarget(options.target))
    return compileForNpu(app, {options.frontend, options.target, options.output, options.emit,
                               options.report, options.objectFolders, options.function,
                               options.numbers, options.noVerifyProgram, options.exact});
  for (const char* kind : {"aie", "images", "config", "floorplan.svg"})
    if (emits(options, kind))
      return usageError(app, fmt::format("--emit={} is for {}", kind, aie::defaultNpu().name));
  if (!options.report.empty())
    return usageError(app, fmt::format("--report is for {}", aie::defaultNpu().name));
  if (!options.objectFolders.empty())
    return usageError(app, fmt::format("--object-path is for {}", aie::defaultNpu().name));
  if (!options.function.empty() || !options.numbers.empty())
    return usageError(app, fmt::format("--function and --set are for {}", aie::defaultNpu().name));
  return compileProgram(app, options);
}

}  // namespace
}  // namespace airlite

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  try {
    return airlite::toolMain(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "airlite-compile: internal error: " << error.what() << "; please report it\n";
    return airlite::tools::kInternal;
  }
}
