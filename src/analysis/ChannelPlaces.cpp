#include "ChannelPlaces.hpp"

#include "airlite/dialect/Aie.hpp"

#include <algorithm>

namespace airlite::analysis {

std::vector<int64_t> shapeOf(air::ChannelOp channel, bool isPut) {
  std::vector<int64_t> sizes = channel.sizes();
  std::vector<int64_t> shape = channel.broadcastShape().value_or(sizes);
  std::vector<int64_t>& side = isPut ? sizes : shape;
  side.insert(side.begin(), std::max(sizes.size(), shape.size()) - side.size(), 1);
  return side;
}

std::optional<ChannelPlace> placeOf(air::ChannelOp channel, bool isPut,
                                    std::span<const int64_t> index) {
  std::vector<int64_t> sizes = shapeOf(channel, true), shape = shapeOf(channel, false);
  const std::vector<int64_t>& side = isPut ? sizes : shape;
  size_t missing = side.size() - std::min(side.size(), index.size());
  ChannelPlace place;
  int64_t at = 0, copies = 1;
  for (size_t d = 0; d < side.size(); ++d) {
    // Cores of a broadcast name themselves by their ids: where it has one place, any id is that.
    bool isAny = !isPut && shape[d] == 1 && channel.broadcastShape();
    int64_t i = d < missing || isAny ? 0 : index[d - missing];
    if (i < 0 || i >= side[d]) return std::nullopt;
    place.index.push_back(sizes[d] == 1 ? 0 : i);
    if (sizes[d] == 1) copies *= shape[d];
    if (!isPut && sizes[d] == 1) at = at * shape[d] + i;
  }
  place.destination = static_cast<uint32_t>(at);
  place.numDestinations = static_cast<uint32_t>(copies);
  return place;
}

bool namesDestination(Operation& op) {
  return isa<air::ChannelPutOp>(&op) && !op.operandGroup("dest").empty();
}

bool isForOneOfSeveral(air::ChannelOp channel, air::ChannelAccessOp op, bool areNamed) {
  if (!op.isPut() || channel.canonicalType() != "npu_dma_packet") return false;
  auto ids = channel->attrOf<ArrayAttr>("packet_ids");
  if (!areNamed && (!ids || ids.value().size() < 2)) return false;
  auto product = [](const std::vector<int64_t>& sizes) {
    int64_t result = 1;
    for (int64_t size : sizes)
      result *= size;
    return result;
  };
  return product(shapeOf(channel, false)) > product(shapeOf(channel, true));
}

int64_t elementBytesOf(air::ChannelAccessOp transfer) {
  return aie::elementBytes(elementTypeOrSelf(transfer.access().memref.type())).value_or(0);
}

}  // namespace airlite::analysis
