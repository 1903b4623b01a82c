#include "MachineRun.hpp"

#include "../../common/CommandLine.hpp"
#include "../../common/Session.hpp"
#include "../Passes.hpp"
#include "Deliver.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/runner/Machine.hpp"
#include "airlite/runner/Timeline.hpp"

#include <fmt/format.h>

#include <iostream>

namespace airlite::tools {
namespace {

constexpr const char* kMachineTool = "airlite-run";

int estimate(Context& context, const RunRequest& o) {
  const auto file = readInput(o.machine);
  if (!file) return failRun(file.error().message);
  const auto machine = runner::parseMachine(context, inputName(o.machine), *file);
  if (!machine) return kFailure;
  std::string text;
  OwningOp module = readProgramToRun(context, o.frontend, kMachineTool, text);
  if (!module) return kFailure;
  Operation* function = func::findEntry(*module, o.function).op();
  if (!function)
    return failRun(o.function.empty() ? "there are several functions, or none: give --function"
                                      : "there is no function '" + o.function + "' with a body");
  const auto timeline = runner::runOnMachine(*function, *machine);
  if (!timeline) return kFailure;
  if (o.stats) std::cout << runner::reportOf(*timeline);
  std::cout << fmt::format("about {} cycles on {}, {:.3f} us\n", timeline->cycles, machine->name,
                           double(timeline->cycles) / machine->clock * 1e6);
  if (o.trace.empty()) return kSuccess;
  const auto written = writeOutput(o.trace, runner::traceOf(*timeline));
  return written ? static_cast<int>(kSuccess) : failRun(written.error().message);
}

}  // namespace

int runOnMachineFile(const CLI::App& app, const RunRequest& o) {
  if (!o.view.empty() || !o.record.empty() || !o.timing.empty() || o.cycles != 0 ||
      !o.target.empty() || o.exact || o.floatBlocks || !o.tuned.empty() || !o.instructions.empty())
    return usageError(app,
                      "with --machine there are --function, --stats and --trace: the file says "
                      "all of the machine");
  Context context;
  registerAllDialects(context);
  DiagnosticPrinter printer(context, o.frontend.diagnostics);
  const int code = estimate(context, o);
  return code == kSuccess && printer.errors() ? kFailure : code;
}

}  // namespace airlite::tools
