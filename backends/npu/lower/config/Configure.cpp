// The steps of `configure`, and what all of them share.
#include "DesignLayout.hpp"

#include <algorithm>

namespace airlite::npu {

const TileConfig* ArrayConfig::of(Tile tile) const {
  auto found = std::ranges::find(tiles, tile, &TileConfig::tile);
  return found == tiles.end() ? nullptr : &*found;
}

const ShimChannel* ArrayConfig::shimNamed(std::string_view wanted) const {
  auto found = std::ranges::find(shims, wanted, &ShimChannel::name);
  return found == shims.end() ? nullptr : &*found;
}

TileConfig& Layout::at(Tile tile) {
  auto place = std::ranges::lower_bound(config.tiles, tile, {}, &TileConfig::tile);
  if (place == config.tiles.end() || place->tile != tile)
    place = config.tiles.insert(place, TileConfig{tile});
  return *place;
}

std::optional<Neighbour> Layout::neighbour(Tile from, Tile owner) const {
  if (from == owner) return Neighbour::Own;
  for (Neighbour side : {Neighbour::South, Neighbour::West, Neighbour::North, Neighbour::East})
    if (device.memoryNeighbour(from, side) == owner) return side;
  return std::nullopt;
}

std::string nameOf(const Layout& layout, aie::BufferOp buffer) {
  if (auto symbol = buffer->attrOf<StringAttr>("sym_name")) return std::string(symbol.value());
  unsigned number = 0;
  for (aie::BufferOp other : membersOf<aie::BufferOp>(layout.op)) {
    if (other == buffer) break;
    number += !other->hasAttr("sym_name");
  }
  return "buffer_" + std::to_string(number);
}

namespace {

/// Ops that may stand in a device: handled by a step, or of no meaning for the configuration.
bool isKnown(const Operation& op) {
  constexpr std::string_view known[] = {"aie.tile",
                                        "aie.logical_tile",
                                        "aie.core",
                                        "aie.lock",
                                        "aie.buffer",
                                        "aie.mem",
                                        "aie.memtile_dma",
                                        "aie.flow",
                                        "aie.packet_flow",
                                        "aie.cascade_flow",
                                        "aie.end",
                                        "aie.configure_cascade",
                                        "aie.runtime_sequence",
                                        "aie.shim_dma_allocation",
                                        "func.func",
                                        "air.channel",
                                        "memref.global"};
  return std::ranges::find(known, op.name()) != std::end(known) || op.hasTrait(Trait::Pure);
}

/// Buffers are placed after it, so this begins anew.
void giveStack(aie::CoreOp core, Bytes needed) {
  constexpr int64_t kUnit = 64;  // its alignment on AIE2P, and a multiple of that on AIE2
  const int64_t bytes = (needed.value + kUnit - 1) / kUnit * kUnit;
  core->setAttr("stack_size", IntegerAttr::get(IntegerType::get(core->context(), 32), bytes));
}

/// Everything but programs.
LogicalResult arrange(Layout& layout) {
  for (auto step : {checkMembers, placeDesign, placeBuffers, numberLocks, makeDescriptors,
                    setCascades, nameShimChannels, routeDesign})
    if (failed(step(layout))) return failure();
  return success();
}

/// None after an error.
const Device* deviceFor(Operation& op) {
  const std::string_view name = aie::DeviceOp(&op).device().name;
  const Device* device = Device::named(name);
  if (!device) op.emitOpError() << "not supported: images for device '" << name << "'";
  return device;
}

}  // namespace

LogicalResult checkMembers(Layout& layout) {
  LogicalResult result = success();
  for (Operation& member : layout.op.body().ops())
    if (!isKnown(member))
      result |= member.emitOpError() << "not supported: in a design that becomes an image";
  return result;
}

std::optional<ArrayConfig> configure(Operation& op, const CoreCompiler& compile,
                                     std::span<const std::string> objectFolders) {
  const Device* device = deviceFor(op);
  if (!device) return std::nullopt;
  for (const bool isLast : {false, true}) {
    Layout layout(aie::DeviceOp(&op), *device);
    layout.objectFolders.assign(objectFolders.begin(), objectFolders.end());
    if (failed(arrange(layout))) return std::nullopt;
    if (succeeded(makeCores(layout, compile))) return std::move(layout.config);
    if (isLast || layout.deepCores.empty()) break;
    for (auto [core, bytes] : layout.deepCores)
      giveStack(core, bytes);
  }
  return std::nullopt;
}

std::optional<ArrayConfig> configureWithoutPrograms(Operation& op) {
  const Device* device = deviceFor(op);
  if (!device) return std::nullopt;
  Layout layout(aie::DeviceOp(&op), *device);
  if (failed(arrange(layout))) return std::nullopt;
  return std::move(layout.config);
}

}  // namespace airlite::npu
