// What `configure` knows while it works: where the ops of a design came to lie. Each step adds its
// part of the configuration; a step that fails has reported.
#pragma once

#include "airlite/dialect/Aie.hpp"
#include "airlite/npu/lower/ArrayConfig.hpp"
#include "airlite/support/LogicalResult.hpp"

#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

namespace airlite::npu {

struct Layout {
  explicit Layout(aie::DeviceOp design, const Device& device)
      : op(design), device(device), config{std::string(design.name()), device, {}, {}, {}, {}} {}

  aie::DeviceOp op;
  const Device& device;
  ArrayConfig config;

  std::unordered_map<const Operation*, Tile> tiles;      ///< by the op that makes the tile
  std::unordered_map<const Operation*, Bytes> buffers;   ///< by aie.buffer: its offset
  std::unordered_map<const Operation*, unsigned> locks;  ///< by aie.lock: its number
  std::vector<Location> flowLocations;                   ///< of config.flows
  /// Channels of open tiles that became others: tile op, direction, channel as written.
  std::map<std::tuple<const Operation*, DmaDirection, int64_t>, unsigned> channels;
  /// Cores that name no size of their stack, and the bytes of it that they need beyond what they have by default.
  std::vector<std::pair<aie::CoreOp, Bytes>> deepCores;
  std::vector<std::string> objectFolders;  ///< where objects for cores may be, beside the source's

  /// Where the tile of an op that stands on one (its first operand) is.
  Tile tileOf(const Operation& element) const { return tiles.at(element.operand(0).definingOp()); }
  unsigned channelOf(const Operation* tile, DmaDirection direction, int64_t written) const {
    auto found = channels.find({tile, direction, written});
    return found == channels.end() ? unsigned(written) : found->second;
  }
  /// The configuration of a tile, made when it is missing.
  TileConfig& at(Tile tile);

  /// The neighbour of `from` whose memory and locks those of `owner` are; none: out of reach.
  /// East is nothing that a core sees.
  std::optional<Neighbour> neighbour(Tile from, Tile owner) const;
};

constexpr DmaDirection directionOf(aie::Direction direction) {
  return direction == aie::Direction::S2MM ? DmaDirection::S2mm : DmaDirection::Mm2s;
}

/// The ops directly in the device that are of type `Op`.
template <class Op> std::vector<Op> membersOf(aie::DeviceOp device) {
  std::vector<Op> found;
  for (Operation& member : device.body().ops())
    if (airlite::isa<Op>(&member)) found.push_back(Op(&member));
  return found;
}

/// Bytes of a buffer; the verifier has seen that there is a number.
inline int64_t sizeOf(aie::BufferOp buffer) { return buffer.bytes().value_or(0); }

/// The name that messages, reports and host programs use: its symbol, or a number of its own.
std::string nameOf(const Layout& layout, aie::BufferOp buffer);

// -- Steps, in this order ---------------------------------------------------------------------

/// Refuses ops that nothing here knows.
LogicalResult checkMembers(Layout& layout);
/// Chooses the tiles and channels of what is open; makes the flows.
LogicalResult placeDesign(Layout& layout);
/// Routes the flows, and those of the tokens that tell the host when shims are done.
LogicalResult routeDesign(Layout& layout);
LogicalResult placeBuffers(Layout& layout);
LogicalResult numberLocks(Layout& layout);
/// Descriptors and what starts them.
LogicalResult makeDescriptors(Layout& layout);
LogicalResult setCascades(Layout& layout);
LogicalResult nameShimChannels(Layout& layout);
/// Programs: compiled, or read from the file that the core names. Fails without a word when all that is missing is
/// what `deepCores` has afterwards.
LogicalResult makeCores(Layout& layout, const CoreCompiler& compile);

}  // namespace airlite::npu
