#include "GpuTarget.hpp"

#include "../GpuUsage.hpp"
#include "CompileGpu.hpp"
#include "HipLibrary.hpp"
#include "RunCompiled.hpp"
#include "airlite/gpu/target/GpuTarget.hpp"

namespace airlite::tools {
namespace {

class AmdGpus : public Target {
 public:
  std::vector<std::string> devices() const override {
    const auto cpus = gpu::GpuTarget::supportedCpus();
    return {cpus.begin(), cpus.end()};
  }

  int compile(const CLI::App& app, const CompileRequest& request) const override {
    return compileForGpu(app, request);
  }

  std::span<const std::string_view> places() const override {
    static constexpr std::string_view kPlaces[] = {"host", "hip"};
    return kPlaces;
  }

  int run(const CLI::App& app, const RunRequest& request) const override {
    return runCompiled(app, request);
  }

  Examination examine(const DoctorRequest& request) const override {
    return {"GPU",
            gpuLines(request.root),
            {{"compile for AMD GPUs, and run kernels on this processor (--on=host)"},
             {"run kernels on an AMD GPU (--on=hip)", HipLibrary::load().error().message}}};
  }
};

}  // namespace

const Target& gpuTarget() {
  static const AmdGpus target;
  return target;
}

}  // namespace airlite::tools
