// The names of a device that the host uses for shim channels.
#include "HostTasks.hpp"

namespace airlite::npu {

ShimPorts::ShimPorts(Operation& device) {
  addAllocations(device);
  addFifos(device);
}

/// Several names may stand for one channel: the first of them is the one that is used.
void ShimPorts::addAllocations(Operation& device) {
  std::vector<std::pair<aie::Channel, const ShimPort*>> channels;
  for (Operation& op : device.region().front().ops()) {
    if (!isa<aie::ShimDmaAllocationOp>(&op)) continue;
    aie::ShimDmaAllocationOp shim(&op);
    const ShimPort* port = nullptr;
    for (auto& [channel, known] : channels)
      if (channel == shim.channel() && known->tile == shim.tile().op()) port = known;
    if (!port) {
      bool sends = shim.channel().direction == aie::Direction::MM2S;
      ports_.push_back(
          std::make_unique<ShimPort>(ShimPort{std::string(shim.name()), shim.tile().op(), sends}));
      port = ports_.back().get();
      channels.push_back({shim.channel(), port});
    }
    byName_[std::string(shim.name())] = port;
  }
}

static bool isShim(aie::TileOp tile) { return tile && tile.kind() == aie::TileKind::ShimNoc; }

void ShimPorts::addFifos(Operation& device) {
  for (Operation& op : device.region().front().ops()) {
    if (!isa<aie::ObjectFifoOp>(&op)) continue;
    aie::ObjectFifoOp fifo(&op);
    bool sends = isShim(fifo.producer());
    aie::TileOp shim = sends ? fifo.producer() : aie::TileOp();
    for (aie::TileOp consumer : fifo.consumers())
      if (!sends && isShim(consumer)) shim = consumer;
    if (!shim) continue;
    ports_.push_back(
        std::make_unique<ShimPort>(ShimPort{std::string(fifo.name()), shim.op(), sends}));
    byName_[std::string(fifo.name())] = ports_.back().get();
  }
}

const ShimPort* ShimPorts::find(std::string_view name) const {
  auto found = byName_.find(std::string(name));
  return found == byName_.end() ? nullptr : found->second;
}

}  // namespace airlite::npu
