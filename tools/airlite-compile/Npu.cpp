#include "Npu.hpp"

#include "../common/CommandLine.hpp"
#include "../npu/Compile.hpp"
#include "airlite/dialect/Dialects.hpp"

#include <fmt/format.h>

#include <iostream>

namespace airlite::tools {
namespace {

constexpr const char* kTool = "airlite-compile";

struct Kind {
  std::string_view name;
  bool NpuEmit::*field;
};
constexpr Kind kKinds[] = {{"air", &NpuEmit::air},
                           {"aie", &NpuEmit::aie},
                           {"images", &NpuEmit::images},
                           {"config", &NpuEmit::config},
                           {"floorplan.svg", &NpuEmit::floorplan}};

/// False when a kind is not one of an NPU; `wrong` is it then.
bool readKinds(const std::vector<std::string>& names, NpuEmit& emit, std::string& wrong) {
  emit.images = names.empty();
  for (const std::string& name : names) {
    const Kind* kind = std::ranges::find(kKinds, name, &Kind::name);
    if (kind == std::end(kKinds)) return wrong = name, false;
    emit.*kind->field = true;
  }
  return true;
}

int write(const NpuOptions& o, const NpuResult& result) {
  std::string error;
  if (!writeArtifacts(o.output, result.files, error)) {
    std::cerr << kTool << ": error: " << error << "\n";
    return kFailure;
  }
  std::cout << result.table;
  if (o.frontend.verbose)
    for (const Artifact& file : result.files)
      std::cerr << fmt::format("{}: wrote {}/{}, {} bytes\n", kTool, o.output, file.name,
                               file.bytes.size());
  return kSuccess;
}

int compile(const NpuOptions& o, const NpuEmit& emit, Stopwatch& watch) {
  Context context;
  registerAllDialects(context);
  DiagnosticPrinter printer(context, o.frontend.diagnostics);
  std::string text;
  watch.next("read");
  OwningOp module = readProgram(context, o.frontend, kTool, text);
  if (!module) return kFailure;
  NpuResult result;
  int code = compileForNpu(
      *module, {o.frontend, kTool, text, emit, o.noVerifyProgram, o.objectFolders}, watch, result);
  if (code == kSuccess && printer.errors()) code = kFailure;  // --Werror
  watch.next("write");
  return code == kSuccess ? write(o, result) : code;
}

}  // namespace

int compileForNpu(const CLI::App& app, const NpuOptions& options) {
  NpuEmit emit;
  std::string wrong;
  if (!readKinds(options.emit, emit, wrong))
    return usageError(app, fmt::format("--emit={} is not for {}: it has images (the default), "
                                       "air, aie, config and floorplan.svg",
                                       wrong, kNpu));
  emit.report = !options.report.empty();
  Stopwatch watch;
  int code = compile(options, emit, watch);
  watch.stop();
  if (options.frontend.timing) watch.print(kTool);
  return code;
}

}  // namespace airlite::tools
