#include "Doctor.hpp"

#include "../common/CommandLine.hpp"
#include "XrtLibrary.hpp"
#include "airlite/npu/device/Device.hpp"
#if AIRLITE_HAVE_GPU
#include "HipLibrary.hpp"
#endif

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <thread>
#include <unistd.h>
#include <vector>

namespace airlite::tools {
namespace {

namespace fs = std::filesystem;

/// The first line of a small file; empty when there is none.
std::string lineOf(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r'))
    line.pop_back();
  return line;
}

std::vector<fs::path> entriesOf(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

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

/// The AMD GPUs that the kernel driver shows, by their architecture.
std::string gpuLines(const fs::path& root) {
  std::string text;
  for (const fs::path& node : entriesOf(root / "sys/class/kfd/kfd/topology/nodes")) {
    std::ifstream file(node / "properties");
    std::string key, value;
    while (file >> key >> value) {
      unsigned version = 0;
      std::from_chars(value.data(), value.data() + value.size(), version);
      if (key != "gfx_target_version" || version == 0) continue;
      text += fmt::format("  node {}: gfx{}{:x}{:x}\n", node.filename().string(), version / 10000,
                          version / 100 % 100, version % 100);
    }
  }
  return text.empty() ? "  no AMD GPU\n" : text;
}

struct Ability {
  std::string what;
  std::string whyNot;  ///< empty: it can
};

Ability runOnNpu(const std::vector<Npu>& npus, const std::string& library, std::string& version) {
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

#if AIRLITE_HAVE_GPU
Ability runOnGpu() {
  Ability ability{"run kernels on an AMD GPU (--on=hip)", {}};
  ability.whyNot = HipLibrary::load().error().message;
  return ability;
}
#endif

std::string abilityLines(const std::vector<Ability>& abilities) {
  std::string text;
  for (const Ability& ability : abilities)
    text += fmt::format("  {} {}{}\n", ability.whyNot.empty() ? "yes" : "no ", ability.what,
                        ability.whyNot.empty() ? "" : ": " + ability.whyNot);
  return text;
}

}  // namespace

std::string doctorReport(const DoctorRequest& request) {
  const fs::path root(request.root);
  const std::vector<Npu> npus = findNpus(root);
  std::string xrt;
  std::vector<Ability> abilities{
      {"run programs in the interpreter (--on=interp)", {}},
      {"compile for npu1, and run designs on the simulated NPU (--on=sim)", {}},
      runOnNpu(npus, request.library, xrt)};
#if AIRLITE_HAVE_GPU
  abilities.push_back({"compile for AMD GPUs, and run kernels on this processor (--on=host)", {}});
  abilities.push_back(runOnGpu());
#else
  abilities.push_back({"compile for AMD GPUs", "this build has no GPU backend"});
#endif
  return fmt::format(
      "airlite {}\nprocessor\n  {} threads\nNPU\n{}  XRT: {}\nGPU\n{}what airlite can "
      "do here\n{}",
      versionText(), std::thread::hardware_concurrency(), npuLines(npus, root), xrt, gpuLines(root),
      abilityLines(abilities));
}

}  // namespace airlite::tools
