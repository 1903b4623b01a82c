#include "GpuUsage.hpp"

#include "../common/CommandLine.hpp"
#include "MachineFiles.hpp"
#include "airlite/device/AieDevices.hpp"

#include <fmt/format.h>

#include <charconv>
#include <fstream>

namespace airlite::tools {

std::optional<int> refuseNpuOptions(const CLI::App& app, const CompileRequest& o) {
  const auto refuse = [&](const std::string& option) {
    return usageError(app, fmt::format("{} for {}", option, aie::defaultNpu().name));
  };
  for (const char* kind : {"aie", "images", "config", "floorplan.svg"})
    if (o.emits(kind)) return refuse(fmt::format("--emit={} is", kind));
  if (o.report == "plan" || o.report == "resources")
    return refuse(fmt::format("--report={} is", o.report));
  if (!o.objectFolders.empty()) return refuse("--object-path is");
  if (!o.tuned.empty()) return refuse("--tuned is");
  if (o.floatBlocks) return usageError(app, "--float-blocks is for npu2");
  if (!o.function.empty() || !o.numbers.empty()) return refuse("--function and --set are");
  return std::nullopt;
}

std::string gpuLines(const std::string& root) {
  std::string text;
  for (const auto& node :
       entriesOf(std::filesystem::path(root) / "sys/class/kfd/kfd/topology/nodes")) {
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

}  // namespace airlite::tools
