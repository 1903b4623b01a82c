#include "../../common/CommandLine.hpp"
#include "../../common/Session.hpp"
#include "../CompileRequest.hpp"
#include "../GpuUsage.hpp"
#include "../gpu/GpuTarget.hpp"
#include "../run/ProgramRun.hpp"

namespace airlite::tools {
namespace {

class NoGpuTarget : public Target {
 public:
  std::vector<std::string> devices() const override { return {}; }

  int compile(const CLI::App& app, const CompileRequest& o) const override {
    if (const auto code = refuseNpuOptions(app, o)) return *code;
    return usageError(app, "target '" + o.target + "' is not in this build: it has no GPU backend");
  }

  std::span<const std::string_view> places() const override {
    static constexpr std::string_view kPlaces[] = {"host", "hip"};
    return kPlaces;
  }

  int run(const CLI::App& app, const RunRequest& o) const override {
    if (const auto code = refuseSimulatorOptions(app, o)) return *code;
    return usageError(app, "this build has no GPU backend, only --on=interp, sim and xrt");
  }

  Examination examine(const DoctorRequest& request) const override {
    return {
        "GPU", gpuLines(request.root), {{"compile for AMD GPUs", "this build has no GPU backend"}}};
  }
};

}  // namespace

const Target& gpuTarget() {
  static const NoGpuTarget target;
  return target;
}

}  // namespace airlite::tools
