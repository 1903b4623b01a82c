// Device descriptions: JSON files with limits, or the limits of a device of AieDevices.hpp.
#include "airlite/analysis/DeviceLimits.hpp"

#include "../text/JsonTree.hpp"
#include "DeviceFiles.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/support/Text.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace airlite::analysis {

std::string_view resourceKey(Resource resource) {
  switch (resource) {
    case Resource::ComputeTiles: return "compute_tiles";
    case Resource::L2Bytes: return "l2_bytes";
    case Resource::DmaChannels: return "dma_channels";
    case Resource::L1Bytes: return "l1_bytes";
  }
  return "";
}

std::string_view resourceName(Resource resource) {
  switch (resource) {
    case Resource::ComputeTiles: return "compute tiles";
    case Resource::L2Bytes: return "bytes of L2 memory";
    case Resource::DmaChannels: return "DMA channels";
    case Resource::L1Bytes: return "bytes of L1 memory per core";
  }
  return "";
}

std::string countText(int64_t count, Resource resource) {
  std::string name(resourceName(resource));
  if (count == 1) name.erase(name.find("s", name[0] == 'b' ? 4 : name.size() - 1), 1);
  return std::to_string(count) + " " + name;
}

namespace {

using text::JsonKind;
using text::JsonNode;
using text::JsonTree;

/// The array of an NPU: its core tiles, the memory of its memory tiles, all channels of all DMAs.
Limits limitsOf(const aie::Device& device) {
  int64_t cores = 0, bytes = 0, channels = 0;
  for (int64_t col = 0; col < device.columns; ++col)
    for (int64_t row = 0; row < device.rows; ++row) {
      aie::TileKind kind = device.kindOf({col, row});
      const aie::TileLimits& tile = device.limits(kind);
      cores += kind == aie::TileKind::Core;
      bytes += kind == aie::TileKind::Mem ? tile.memoryBytes : 0;
      channels += 2 * tile.channels;
    }
  Limits limits;
  limits[Resource::ComputeTiles] = cores;
  // L2 of a device without memory tiles is memory of the programmable logic, which is not
  // described.
  if (bytes > 0) limits[Resource::L2Bytes] = bytes;
  limits[Resource::DmaChannels] = channels;
  limits[Resource::L1Bytes] = device.limits(aie::TileKind::Core).memoryBytes;
  return limits;
}

/// The channels of one direction: of a core, of all tiles of the other kinds.
void addDmas(const aie::Device& device, DeviceLimits& limits) {
  int64_t memory = 0, shims = 0;
  for (int64_t col = 0; col < device.columns; ++col)
    for (int64_t row = 0; row < device.rows; ++row) {
      aie::TileKind kind = device.kindOf({col, row});
      if (kind == aie::TileKind::Core) continue;
      (kind == aie::TileKind::Mem ? memory : shims) += device.limits(kind).channels;
    }
  int64_t core = device.limits(aie::TileKind::Core).channels;
  limits.dmasOf(DmaSite::Core) = {core, core};
  if (memory > 0) limits.dmasOf(DmaSite::MemoryTiles) = {memory, memory};
  limits.dmasOf(DmaSite::Shims) = {shims, shims};
  limits.isArray = true;
}

class DescriptionReader {
 public:
  DescriptionReader(Context& context, std::string fileName, std::string text)
      : context_(context), source_(context.sources().add(std::move(fileName), std::move(text))) {}

  std::optional<DeviceLimits> read() {
    constexpr size_t kMaxDepth = 16;
    if (failed(text::readJsonTree(context_, source_, kMaxDepth, tree_))) return std::nullopt;
    if (tree_.kind(0) != JsonKind::Object) return fail(0, "expected an object");
    // The device that the rest changes comes first, wherever it stands.
    for (JsonNode m = tree_.firstChild(0); m != text::kNoNode; m = tree_.next(m))
      if (tree_.key(m) == "aie") readAie(m);
    for (JsonNode m = tree_.firstChild(0); m != text::kNoNode; m = tree_.next(m))
      readMember(m);
    if (!isBad_ && !hasFormat_) fail(0, "expected \"format\": \"airlite-device\"");
    if (!isBad_ && limits_.name.empty()) fail(0, "expected a member \"name\"");
    return isBad_ ? std::nullopt : std::optional(limits_);
  }

 private:
  std::nullopt_t fail(JsonNode node, const std::string& message) {
    emitError(context_, Location::inSource(source_, tree_.offset(node))) << message;
    isBad_ = true;
    return std::nullopt;
  }

  void readMember(JsonNode member) {
    std::string_view key = tree_.key(member);
    if (key.starts_with("//") || key == "aie") return;
    if (key == "format") return readFormat(member);
    if (key == "version") return readVersion(member);
    if (key == "name") return readName(member);
    if (key == "device") return readLimits(member, limits_.device);
    if (key == "segment") return readLimits(member, limits_.segment);
    if (key == "herd") return readLimits(member, limits_.herd);
    if (key == "core") return readDmas(member, limits_.dmasOf(DmaSite::Core));
    if (key == "memory_tiles") return readDmas(member, limits_.dmasOf(DmaSite::MemoryTiles));
    if (key == "shims") return readDmas(member, limits_.dmasOf(DmaSite::Shims));
    static constexpr std::string_view kKeys[] = {"format",       "version", "name", "aie",
                                                 "device",       "segment", "herd", "core",
                                                 "memory_tiles", "shims"};
    fail(member, "unknown member \"" + std::string(key) + "\"" + didYouMean(key, kKeys));
  }

  void readFormat(JsonNode node) {
    hasFormat_ = tree_.kind(node) == JsonKind::String && tree_.string(node) == "airlite-device";
    if (!hasFormat_) fail(node, "expected \"airlite-device\"");
  }

  void readVersion(JsonNode node) {
    if (tree_.kind(node) != JsonKind::Natural || tree_.number(node) != 1)
      fail(node, "expected version 1");
  }

  void readName(JsonNode node) {
    if (tree_.kind(node) != JsonKind::String) return void(fail(node, "expected a string"));
    limits_.name = tree_.string(node);
  }

  void readAie(JsonNode node) {
    if (tree_.kind(node) != JsonKind::String) return void(fail(node, "expected a string"));
    const aie::Device* device = aie::findDevice(tree_.string(node));
    if (device) {
      limits_.device = limitsOf(*device);
      return addDmas(*device, limits_);
    }
    fail(node, "unknown AI Engine device \"" + std::string(tree_.string(node)) + "\"" +
                   didYouMean(tree_.string(node), aie::kDeviceNames));
  }

  void readLimits(JsonNode node, Limits& limits) {
    if (tree_.kind(node) != JsonKind::Object) return void(fail(node, "expected an object"));
    for (JsonNode m = tree_.firstChild(node); m != text::kNoNode; m = tree_.next(m))
      readLimit(m, limits);
  }

  void readLimit(JsonNode member, Limits& limits) {
    std::string_view key = tree_.key(member);
    if (key.starts_with("//")) return;
    std::vector<std::string_view> keys;
    for (Resource resource : kResources) {
      keys.push_back(resourceKey(resource));
      if (keys.back() != key) continue;
      return readCount(member, limits[resource]);
    }
    fail(member, "unknown resource \"" + std::string(key) + "\"" + didYouMean(key, keys));
  }

  void readDmas(JsonNode node, DmaLimits& limits) {
    if (tree_.kind(node) != JsonKind::Object) return void(fail(node, "expected an object"));
    static constexpr std::string_view kKeys[] = {"dma_in", "dma_out"};
    for (JsonNode m = tree_.firstChild(node); m != text::kNoNode; m = tree_.next(m)) {
      std::string_view key = tree_.key(m);
      if (key.starts_with("//")) continue;
      if (key == "dma_in" || key == "dma_out")
        readCount(m, key == "dma_in" ? limits.in : limits.out);
      else
        fail(m, "unknown resource \"" + std::string(key) + "\"" + didYouMean(key, kKeys));
    }
  }

  /// null takes a limit away that "aie" has set.
  void readCount(JsonNode node, std::optional<int64_t>& limit) {
    if (tree_.kind(node) == JsonKind::Null) return limit.reset();
    bool isCount = tree_.kind(node) == JsonKind::Natural && tree_.number(node) <= INT64_MAX;
    if (!isCount) return void(fail(node, "expected a number of 0 or more, or null for no limit"));
    limit = static_cast<int64_t>(tree_.number(node));
  }

  Context& context_;
  uint32_t source_;
  JsonTree tree_;
  DeviceLimits limits_;
  bool isBad_ = false;
  bool hasFormat_ = false;
};

std::optional<std::string> readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) return std::nullopt;
  return text.str();
}

}  // namespace

std::optional<DeviceLimits> parseDeviceLimits(Context& context, std::string fileName,
                                              std::string text) {
  return DescriptionReader(context, std::move(fileName), std::move(text)).read();
}

std::vector<std::string_view> builtinDevices() {
  std::vector<std::string_view> names;
  for (const DeviceFile& file : deviceFiles())
    names.push_back(file.name);
  return names;
}

std::optional<DeviceLimits> findDeviceLimits(Context& context, std::string_view name) {
  for (const DeviceFile& file : deviceFiles())
    if (file.name == name)
      return parseDeviceLimits(context, "data/devices/" + std::string(name) + ".json",
                               std::string(file.text));
  if (const aie::Device* device = aie::findDevice(name)) {
    DeviceLimits limits{std::string(name), limitsOf(*device), {}, {}};
    addDmas(*device, limits);
    return limits;
  }
  if (std::optional<std::string> text = readFile(std::string(name)))
    return parseDeviceLimits(context, std::string(name), std::move(*text));
  std::vector<std::string_view> names = builtinDevices();
  for (std::string_view known : aie::kDeviceNames)
    if (std::find(names.begin(), names.end(), known) == names.end()) names.push_back(known);
  emitError(context, Location()) << "unknown device '" << name
                                 << "': neither a device that airlite knows nor a file to read"
                                 << didYouMean(name, names);
  return std::nullopt;
}

}  // namespace airlite::analysis
