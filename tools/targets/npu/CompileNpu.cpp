#include "CompileNpu.hpp"

#include "../../common/CommandLine.hpp"
#include "../../common/WriteFiles.hpp"
#include "Program.hpp"
#include "TuneNpu.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/npu/compile/Entry.hpp"

#include <fmt/format.h>

#include <charconv>
#include <iostream>
#include <map>
#include <optional>

namespace airlite::tools {
namespace {

constexpr const char* kTool = "airlite-compile";

struct Kind {
  std::string_view name;
  bool npu::Outputs::*field;
};
constexpr Kind kKinds[] = {{"air", &npu::Outputs::air},
                           {"aie", &npu::Outputs::aie},
                           {"images", &npu::Outputs::images},
                           {"config", &npu::Outputs::config},
                           {"floorplan.svg", &npu::Outputs::floorplan}};

/// False when a kind is not one of an NPU; `wrong` is it then.
bool readKinds(const std::vector<std::string>& names, npu::Outputs& emit, std::string& wrong) {
  emit.images = names.empty();
  for (const std::string& name : names) {
    const Kind* kind = std::ranges::find(kKinds, name, &Kind::name);
    if (kind == std::end(kKinds)) return wrong = name, false;
    emit.*kind->field = true;
  }
  return true;
}

int write(const CompileRequest& o, const npu::CompiledDesigns& result) {
  if (const auto written = writeArtifacts(o.output, result.files); !written) {
    std::cerr << kTool << ": error: " << written.error().message << "\n";
    return kFailure;
  }
  std::cout << result.table;
  if (o.frontend.verbose)
    for (const Artifact& file : result.files)
      std::cerr << fmt::format("{}: wrote {}/{}, {} bytes\n", kTool, o.output, file.name,
                               file.bytes.size());
  return kSuccess;
}

/// --report=plan: keeps what is said of how ops are mapped, while it lives. Other remarks pass as far as
/// they are asked for.
class PlanReport {
 public:
  PlanReport(Context& context, bool passesRemarks) : context_(context) {
    previous_ =
        context_.diagnostics().setHandler([this, passesRemarks](const Diagnostic& diagnostic) {
          if (keep(diagnostic)) return;
          if (diagnostic.severity != Severity::Remark || passesRemarks) previous_(diagnostic);
        });
  }
  ~PlanReport() { context_.diagnostics().setHandler(std::move(previous_)); }
  PlanReport(const PlanReport&) = delete;
  PlanReport& operator=(const PlanReport&) = delete;
  const std::string& text() const { return text_; }

 private:
  bool keep(const Diagnostic& diagnostic) {
    constexpr std::string_view kPass = "[air-tile-linalg] ", kRecipe = "compiled by ";
    const std::string_view message = diagnostic.message;
    if (diagnostic.severity != Severity::Remark ||
        !(message.starts_with(kPass) || message.starts_with(kRecipe)))
      return false;
    text_ += fmt::format("{}: {}\n", formatLocation(context_, diagnostic.location),
                         message.starts_with(kPass) ? message.substr(kPass.size()) : message);
    return true;
  }

  Context& context_;
  DiagnosticEngine::Handler previous_;
  std::string text_;
};

std::optional<Attribute> numberOf(std::string_view text, Type type) {
  double value = 0;
  int64_t integer = 0;
  const char* end = text.data() + text.size();
  const auto [stop, code] = type.isFloat() ? std::from_chars(text.data(), end, value)
                                           : std::from_chars(text.data(), end, integer);
  if (code != std::errc() || stop != end || !type.isIntOrIndexOrFloat()) return std::nullopt;
  return type.isFloat() ? Attribute(FloatAttr::get(type, value))
                        : Attribute(IntegerAttr::get(type, integer));
}

/// "N=VALUE" of an argument of `function`.
bool readNumber(const std::string& text, func::FuncOp function,
                std::map<unsigned, Attribute>& numbers) {
  const size_t equals = std::min(text.find('='), text.size());
  unsigned position = 0;
  const auto [stop, code] = std::from_chars(text.data(), text.data() + equals, position);
  if (code != std::errc() || stop != text.data() + equals || equals == text.size() ||
      position >= function.numArguments())
    return false;
  const Type type = function.functionType().inputs()[position];
  const auto number = numberOf(std::string_view(text).substr(equals + 1), type);
  if (number) numbers[position] = *number;
  return number.has_value();
}

int compile(CompileRequest o, const npu::Outputs& outputs, Stopwatch& watch) {
  Context context;
  registerAllDialects(context);
  DiagnosticPrinter printer(context, o.frontend.diagnostics);
  std::string text;
  watch.next("read");
  OwningOp module = readProgramToRun(context, o.frontend, kTool, text);
  if (!module || !chooseFunction(kTool, o, *module)) return kFailure;
  if (!o.tuned.empty())
    if (const int code = takeChoice(context, o.tuned, o.target, text, o.frontend.pipeline);
        code != kSuccess)
      return code;
  npu::CompileOptions options{.target = o.target,
                              .outputs = outputs,
                              .verifyProgram = !o.noVerifyProgram,
                              .exact = o.exact,
                              .floatBlocks = o.floatBlocks,
                              .objectFolders = o.objectFolders};
  npu::CompiledDesigns result;
  std::optional<PlanReport> plans;
  if (o.report == "plan") {
    plans.emplace(context, o.frontend.remarks);
    o.frontend.remarks = true;
  }
  int code = compileForNpu(*module, {o.frontend, kTool, text}, options, watch, result);
  if (plans) std::cout << plans->text();
  if (code == kSuccess && printer.errors()) code = kFailure;  // --Werror
  watch.next("write");
  return code == kSuccess ? write(o, result) : code;
}

}  // namespace

bool chooseFunction(std::string_view tool, const CompileRequest& o, Operation& module) {
  if (o.function.empty() && o.numbers.empty()) return true;
  Operation* entry = func::findEntry(module, o.function).op();
  if (!entry || !npu::keepOnly(module, *entry)) {
    std::cerr << fmt::format("{}: error: there is no function '{}' with a body to compile\n", tool,
                             o.function.empty() ? "main" : o.function);
    return false;
  }
  std::map<unsigned, Attribute> numbers;
  for (const std::string& text : o.numbers)
    if (!readNumber(text, func::FuncOp(entry), numbers)) {
      std::cerr << fmt::format("{}: error: --set={} is not a value of an integer, index or float "
                               "argument of '{}': N=VALUE, N counts from 0\n",
                               tool, text, func::FuncOp(entry).symName());
      return false;
    }
  npu::fixScalars(*entry, numbers);
  return true;
}

int compileForNpu(const CLI::App& app, const CompileRequest& options) {
  npu::Outputs emit;
  std::string wrong;
  if (!readKinds(options.emit, emit, wrong))
    return usageError(app, fmt::format("--emit={} is not for {}: it has images (the default), "
                                       "air, aie, config and floorplan.svg",
                                       wrong, aie::defaultNpu().name));
  if (options.report == "kernel")
    return usageError(
        app, "--report=kernel is for GPUs; an NPU has --report=plan and --report=resources");
  emit.report = options.report == "resources";
  Stopwatch watch;
  int code = compile(options, emit, watch);
  watch.stop();
  if (options.frontend.timing) watch.print(kTool);
  return code;
}

}  // namespace airlite::tools
