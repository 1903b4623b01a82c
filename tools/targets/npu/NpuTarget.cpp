#include "NpuTarget.hpp"

#include "../MachineFiles.hpp"
#include "CompileNpu.hpp"
#include "RunNpu.hpp"
#include "XrtLibrary.hpp"
#include "airlite/device/AieDevices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unistd.h>

namespace airlite::tools {
namespace {

namespace fs = std::filesystem;

struct Npu {
  std::string node;  ///< "accel0"
  std::string id;    ///< PCI device and revision
  std::string model;
  std::string driver, firmware;
  bool isOpenable = false;
  bool isKnown = false;  ///< airlite makes files for it
};

/// PCI ids of NPUs: 1502 is npu1 (Phoenix, Hawk Point), 17f0 npu2 by its revision.
struct Model {
  const char* device;
  const char* name;
  bool isTarget;
};
constexpr Model models[] = {
    {"0x1502", "Ryzen AI NPU of Phoenix or Hawk Point (npu1)", true},
    {"0x17f0", "Ryzen AI NPU of Strix, Strix Halo or Krackan (npu2)", false},
    {"0x17f1", "Ryzen AI NPU (npu2)", false}};
constexpr const char* amd = "0x1022";

std::vector<Npu> findNpus(const fs::path& root) {
  std::vector<Npu> found;
  for (const fs::path& entry : entriesOf(root / "sys/class/accel")) {
    const fs::path device = entry / "device";
    if (lineOf(device / "vendor") != amd) continue;
    Npu npu{entry.filename().string(), lineOf(device / "device"), "AMD accelerator", {}, {}};
    for (const Model& model : models)
      if (npu.id == model.device) npu.model = model.name, npu.isKnown = model.isTarget;
    std::error_code error;
    npu.driver = fs::read_symlink(device / "driver", error).filename().string();
    npu.firmware = lineOf(device / "fw_version");
    const fs::path node = root / "dev/accel" / npu.node;
    npu.isOpenable = ::access(node.c_str(), R_OK | W_OK) == 0;
    found.push_back(npu);
  }
  return found;
}

std::string orUnknown(const std::string& text) { return text.empty() ? "unknown" : text; }

std::string npuLines(const std::vector<Npu>& npus, const fs::path& root) {
  std::string text;
  for (const Npu& npu : npus)
    text += fmt::format("  {}: {} ({}), driver {}, firmware {}{}\n", npu.node, npu.model, npu.id,
                        orUnknown(npu.driver), orUnknown(npu.firmware),
                        npu.isOpenable ? "" : ", which this user may not open");
  if (npus.empty()) text += "  no NPU in " + (root / "sys/class/accel").string() + "\n";
  const std::string version = lineOf(root / "sys/module/amdxdna/version");
  if (!version.empty()) text += "  module amdxdna, version " + version + "\n";
  return text;
}

Ability runDesigns(const std::vector<Npu>& npus, const std::string& library, std::string& version) {
  Ability ability{"run designs on an NPU (--on=xrt)", {}};
  const auto xrt = XrtLibrary::load(library);
  ability.whyNot = xrt.error().message;
  version = xrt ? (*xrt)->name() + ", with all that is needed" : ability.whyNot;
  if (!ability.whyNot.empty()) return ability;
  const auto usable = std::ranges::find(npus, true, &Npu::isKnown);
  if (usable == npus.end())
    ability.whyNot = npus.empty() ? "there is no NPU" : "its files are not made yet";
  else if (!usable->isOpenable)
    ability.whyNot =
        "/dev/accel/" + usable->node + " cannot be opened: is the user in group render?";
  return ability;
}

class NpuTarget : public Target {
 public:
  std::vector<std::string> devices() const override {
    std::vector<std::string> names;
    for (const aie::Device& device : aie::devices())
      if (device.isTarget()) names.emplace_back(device.name);
    return names;
  }

  int compile(const CLI::App& app, const CompileRequest& request) const override {
    return compileForNpu(app, request);
  }

  std::span<const std::string_view> places() const override {
    static constexpr std::string_view kPlaces[] = {"sim", "model", "xrt"};
    return kPlaces;
  }

  int run(const CLI::App& app, const RunRequest& request) const override {
    return runOnNpu(app, request);
  }

  Examination examine(const DoctorRequest& request) const override {
    const fs::path root(request.root);
    const std::vector<Npu> npus = findNpus(root);
    std::string xrt;
    const Ability designs = runDesigns(npus, request.library, xrt);
    return {"NPU",
            npuLines(npus, root) + "  XRT: " + xrt + "\n",
            {{"compile for npu1, and run designs on the simulated NPU (--on=sim)"}, designs}};
  }
};

}  // namespace

const Target& npuTarget() {
  static const NpuTarget target;
  return target;
}

}  // namespace airlite::tools
