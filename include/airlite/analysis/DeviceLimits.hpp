// What a device has for programs, and who asks for how much of it: plain data. A description is a
// file (docs/resources.md); those of the devices that airlite knows are part of the library.
//
//   std::optional<DeviceLimits> limits = findDeviceLimits(context, "npu1");
//   auto tiles = limits->device[Resource::ComputeTiles];
#pragma once

#include "airlite/ir/Context.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::analysis {

/// The resources of section 2.2 of the compute model, and the memory of a core.
enum class Resource : uint8_t { ComputeTiles, L2Bytes, DmaChannels, L1Bytes };
inline constexpr size_t kNumResources = 4;
inline constexpr std::array<Resource, kNumResources> kResources = {
    Resource::ComputeTiles, Resource::L2Bytes, Resource::DmaChannels, Resource::L1Bytes};

/// As files and reports in JSON name it: `compute_tiles`.
std::string_view resourceKey(Resource resource);
/// As messages name it: `compute tiles`, `bytes of L2 memory`, ...
std::string_view resourceName(Resource resource);
/// `1 compute tile`, `2 compute tiles`.
std::string countText(int64_t count, Resource resource);

/// How much there is of each resource; none: no limit.
struct Limits {
  std::array<std::optional<int64_t>, kNumResources> of;
  std::optional<int64_t>& operator[](Resource r) { return of[static_cast<size_t>(r)]; }
  std::optional<int64_t> operator[](Resource r) const { return of[static_cast<size_t>(r)]; }
  bool operator==(const Limits&) const = default;
};

/// Tiles of an NPU that have DMAs, by the memory that they serve: L1, L2, L3.
enum class DmaSite : uint8_t { Core, MemoryTiles, Shims };
inline constexpr std::array<DmaSite, 3> kDmaSites = {DmaSite::Core, DmaSite::MemoryTiles,
                                                     DmaSite::Shims};

/// DMA channels into and out of the memory of a site: of one core; of all memory tiles or shims
/// together. None: no limit.
struct DmaLimits {
  std::optional<int64_t> in, out;
  bool operator==(const DmaLimits&) const = default;
};

struct DeviceLimits {
  std::string name;
  Limits device;   // all of it; L1: of one core
  Limits segment;  // one instance of a segment without nested ones
  Limits herd;     // one herd
  std::array<DmaLimits, 3> dmas = {};
  bool isArray = false;  // AI Engines: cores load and store their own memory only
  DmaLimits& dmasOf(DmaSite site) { return dmas[static_cast<size_t>(site)]; }
  const DmaLimits& dmasOf(DmaSite site) const { return dmas[static_cast<size_t>(site)]; }
};

/// The description called `name`: one of builtinDevices(), any device of AieDevices.hpp, or else
/// the file of that name. Empty after a reported error.
std::optional<DeviceLimits> findDeviceLimits(Context& context, std::string_view name);
/// Reads a description from the text of a file. Errors are reported at their position in it.
std::optional<DeviceLimits> parseDeviceLimits(Context& context, std::string fileName,
                                              std::string text);
/// Names of the descriptions that are part of the library.
std::vector<std::string_view> builtinDevices();

}  // namespace airlite::analysis
