#include "RunNpu.hpp"

#include "../../common/CommandLine.hpp"
#include "../run/Deliver.hpp"
#include "../run/MachineRun.hpp"
#include "../run/ProgramRun.hpp"
#include "SimProgram.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/npu/sim/array/Timing.hpp"
#include "airlite/support/Text.hpp"

#include <algorithm>
#include <optional>

namespace airlite::tools {

/// With the names that the design gives to its arguments still in it.
static SimRequest simRequestOf(const RunRequest& o) {
  SimRequest request;
  request.inputs = o.inputs, request.shapes = o.shapes;
  request.outputs = o.outputs, request.expects = o.expects;
  request.tolerance = {o.relative, o.absolute};
  request.reverseTiles = o.reverseTiles, request.sanitize = o.sanitize, request.cycles = o.cycles;
  request.stats = o.stats, request.profile = o.profile, request.trace = o.trace;
  request.record = o.record, request.view = o.view;
  request.estimates = o.on == "model";
  request.onDevice = o.on == "xrt", request.xrtLibrary = o.xrtLibrary;
  request.verbose = o.frontend.verbose;
  return request;
}

static std::string timingHint(const std::string& text) {
  const std::vector<std::string_view> names = npu::sim::timingNames();
  const std::string name = text.substr(0, text.find('='));
  return std::ranges::find(names, name) == names.end() ? didYouMean(name, names) : std::string();
}

/// To look at a run nobody has to give values: most programs take as long with any.
static RunRequest initFor(const RunRequest& o) {
  RunRequest wanted = o;
  if (o.init.empty() && (!o.view.empty() || !o.record.empty() || o.on == "model"))
    wanted.init = "zero";
  return wanted;
}

/// The device that a program is compiled for; none for a name that is no NPU.
static std::optional<std::string_view> targetOf(const RunRequest& o) {
  if (o.target.empty()) return aie::defaultNpu().name;
  const aie::Device* device = aie::findDevice(o.target);
  return device && device->isTarget() ? std::optional(device->name) : std::nullopt;
}

/// What needs values.
static bool asksForValues(const RunRequest& o) {
  return !o.outputs.empty() || !o.expects.empty() || !o.compare.empty() || o.sanitize ||
         o.reverseTiles || o.profile;
}

int runOnNpu(const CLI::App& app, const RunRequest& o) {
  if (o.on == "model" && asksForValues(o))
    return usageError(app, "--on=model computes no values: --output, --expect, --compare, "
                           "--sanitize, --reverse-tiles and --profile need --on=sim");
  if (!o.machine.empty() && o.on != "model") return usageError(app, "--machine needs --on=model");
  if (!o.machine.empty()) return runOnMachineFile(app, o);
  const auto target = targetOf(o);
  if (!target)
    return usageError(
        app, "--target=" + o.target + " is not an NPU, see airlite-compile " + "--list-targets");
  SimRequest request = simRequestOf(o);
  if (request.onDevice && o.hasSimulatorOptions())
    return usageError(app,
                      std::string(RunRequest::kSimulatorOptions) + " need --on=sim or --on=model");
  for (const std::string& text : o.timing)
    if (const auto set = npu::sim::setTiming(request.timing, text); !set)
      return usageError(app, "--sim-timing: " + set.error().message + timingHint(text));
  if (const auto read = readInit(initFor(o), request.arguments); !read)
    return usageError(app, read.error().message);
  if (!isDesign(o.frontend.input)) {
    if (!o.instructions.empty())
      return failRun("'" + o.frontend.input + "' is not an image for an NPU");
    return runProgramOnSimulator({o.frontend, o.function, !o.compare.empty(), o.exact,
                                  o.floatBlocks, std::string(*target), o.tuned},
                                 std::move(request));
  }
  if (!o.compare.empty() || o.exact || o.floatBlocks || !o.target.empty() || !o.tuned.empty())
    return usageError(app, "--compare, --exact, --float-blocks, --tuned and --target need the "
                           "program: a design is bytes alone");
  const auto design = readDesign(o.frontend.input, o.instructions);
  return design ? runDesign(*design, std::move(request)) : failRun(design.error().message);
}

}  // namespace airlite::tools
