#include "gpu/GpuTarget.hpp"
#include "npu/NpuTarget.hpp"

#include <algorithm>

namespace airlite::tools {

std::span<const Target* const> targets() {
  static const Target* const all[] = {&gpuTarget(), &npuTarget()};
  return all;
}

const Target& targetOfDevice(std::string_view device) {
  for (const Target* target : targets())
    if (std::ranges::count(target->devices(), device)) return *target;
  return gpuTarget();
}

const Target* targetOfPlace(std::string_view place) {
  for (const Target* target : targets())
    if (std::ranges::count(target->places(), place)) return target;
  return nullptr;
}

std::string_view defaultPlace() {
  return gpuTarget().devices().empty() ? "interp" : gpuTarget().places().front();
}

}  // namespace airlite::tools
