#include "ProgramRun.hpp"

#include "../../common/CommandLine.hpp"
#include "Deliver.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/support/Text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

namespace airlite::tools {
namespace {

constexpr const char* kTool = "airlite-run";

Result<void> readPositions(const std::string& option, const std::vector<std::string>& texts,
                           Positions& positions) {
  for (const std::string& text : texts)
    if (auto added = addPosition(option, text, positions); !added) return added;
  return {};
}

}  // namespace

std::optional<int> refuseSimulatorOptions(const CLI::App& app, const RunRequest& o) {
  if (!o.machine.empty()) return usageError(app, "--machine needs --on=model");
  if (!o.tuned.empty()) return usageError(app, "--tuned needs --on=sim, model or xrt");
  if (o.instructions.empty() && !o.hasSimulatorOptions()) return std::nullopt;
  return usageError(app, std::string("an instruction stream, ") + RunRequest::kSimulatorOptions +
                             " need --on=sim or --on=model");
}

std::optional<int> refuseGpuOptions(const CLI::App& app, const RunRequest& o) {
  if (o.target.empty()) return std::nullopt;
  return usageError(app, "--target needs --on=host, hip, sim or xrt");
}

bool readSeed(std::string_view text, std::string_view prefix, uint64_t& seed) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), seed);
  return code == std::errc() && end == text.data() + text.size();
}

Result<void> readInit(const RunRequest& o, ArgumentRequest& request) {
  if (o.init.empty()) return {};
  request.init = o.init == "zero" ? InitKind::Zero : InitKind::Random;
  if (o.init == "zero" || readSeed(o.init, "random:", request.seed)) return {};
  return Error{"expected --init=zero or --init=random:SEED, got '" + o.init + "'"};
}

ProgramRun::ProgramRun(const RunRequest& o) : o_(o), function_(o.function) {}

int ProgramRun::run(const CLI::App& app) {
  if (const auto read = readOptions(); !read) return usageError(app, read.error().message);
  if (const auto read = readArguments(); !read) return usageError(app, read.error().message);
  Context context;
  registerAllDialects(context);
  DiagnosticPrinter printer(context, o_.frontend.diagnostics);
  int code = runAll(context);
  watch_.stop();
  if (o_.frontend.timing) watch_.print(kTool);
  return code == kSuccess && printer.errors() ? kFailure : code;
}

Driver ProgramRun::driver() const { return {o_.frontend, kTool, text_}; }

Result<void> ProgramRun::readArguments() {
  if (auto init = readInit(o_, wanted_); !init) return init;
  if (auto read = readPositions("--input", o_.inputs, wanted_.inputs); !read) return read;
  if (auto read = readPositions("--shape", o_.shapes, wanted_.shapes); !read) return read;
  if (auto read = readPositions("--output", o_.outputs, wanted_.outputs); !read) return read;
  return readPositions("--expect", o_.expects, wanted_.expects);
}

/// The function with a body that is asked for; main, or the only one that is not private, where none is.
Result<Operation*> ProgramRun::findFunction(Operation& module) const {
  if (const func::FuncOp entry = func::findEntry(module, function_)) return entry.op();
  std::vector<std::string_view> names;
  for (Operation& op : module.region().front().ops())
    if (const auto function = dynCast<func::FuncOp>(&op); function && !function.isDeclaration())
      names.push_back(function.symName());
  if (function_.empty() && names.size() > 1)
    return Error{
        fmt::format("there is no function 'main' with a body; --function names one of '{}'",
                    fmt::join(names, "', '"))};
  const std::string wanted = function_.empty() ? "main" : function_;
  return Error{"there is no function '" + wanted + "' with a body" + didYouMean(wanted, names)};
}

HostFunction ProgramRun::signatureOf(Operation& op) const {
  const func::FuncOp function(&op);
  HostFunction signature{std::string(function.symName()), {}, {}};
  for (Type type : function.functionType().inputs())
    signature.params.push_back(layoutOf(type));
  for (Type type : function.functionType().results())
    signature.results.push_back(layoutOf(type));
  return signature;
}

int ProgramRun::runAll(Context& context) {
  watch_.next("read");
  OwningOp module = readProgramToRun(context, o_.frontend, kTool, text_);
  if (!module) return kFailure;
  if (const auto prepared = prepare(*module); !prepared) return failRun(prepared.error().message);
  const auto function = findFunction(*module);
  if (!function) return failRun(function.error().message);
  function_ = symbolName(**function);
  signature_ = signatureOf(**function);
  auto made = makeArguments(signature_, wanted_);
  if (!made) return failRun(made.error().message);
  arguments_ = std::move(*made);
  if (const int code = execute(*module, **function); code != kSuccess) return code;
  if (!delivers()) return kSuccess;
  watch_.next("check and write");
  return deliver({signature_, arguments_, results_}, wanted_, {o_.relative, o_.absolute});
}

}  // namespace airlite::tools
