// Which DMA channel of a tile serves which place of a channel.
#include "Dma.hpp"

#include <algorithm>
#include <array>

namespace airlite::npu {

namespace {

constexpr std::string_view kTilePin = "air.tile_dma_channel";
constexpr std::string_view kMemTileFloor = "air.memtile_dma_channel_min";

std::optional<int64_t> numberAt(const Operation& op, std::string_view name) {
  auto number = op.attrOf<IntegerAttr>(name);
  return number ? std::optional(number.value()) : std::nullopt;
}

std::string_view directionOf(bool isPut) {
  return aie::directionName(isPut ? aie::Direction::MM2S : aie::Direction::S2MM);
}

}  // namespace

int64_t TileDma::numChannels() const { return aie::deviceOf(tile_).limits(kind_).channels; }

/// The DMA channel that the declaration asks for, on tiles of cores.
std::optional<int64_t> TileDma::pinOf(const Site& site) const {
  if (kind_ != aie::TileKind::Core) return std::nullopt;
  return numberAt(*site.op.channel().op(), kTilePin);
}

/// On a memory tile a transfer can keep the lower DMA channels free.
int64_t TileDma::firstAllowed(const Site& site) const {
  if (kind_ != aie::TileKind::Mem) return 0;
  return numberAt(*site.op.op(), kMemTileFloor).value_or(0);
}

LogicalResult TileDma::checkPins(const std::vector<Site*>& sites) const {
  for (const Site* site : sites) {
    auto inRange = [&](int64_t number) { return number >= 0 && number < numChannels(); };
    auto report = [&](std::string_view name, int64_t number, std::string_view tile) {
      site->op->emitOpError() << name << " = " << number << " is out of range [0, " << numChannels()
                              << ") for the " << directionOf(site->isPut) << " DMA channels of "
                              << tile;
      return failure();
    };
    if (auto pin = pinOf(*site); pin && !inRange(*pin)) return report(kTilePin, *pin, "tile");
    if (!inRange(firstAllowed(*site)))
      return report(kMemTileFloor, firstAllowed(*site), "this memtile");
  }
  return success();
}

std::optional<int64_t> TileDma::freeChannel(bool isPut, int64_t from) const {
  for (int64_t channel = from; channel < numChannels(); ++channel) {
    bool taken = std::any_of(ports_.begin(), ports_.end(), [&](const Port& port) {
      return port.isPut == isPut && port.channel == channel;
    });
    if (!taken) return channel;
  }
  return std::nullopt;
}

/// Packets that a core sends one after the other anyway share a DMA channel. Asynchronous ones do
/// only when there is no other: a transfer waits for those before it.
TileDma::Port* TileDma::sharedPort(const Site& site) {
  if (!site.isPacket || !site.isPut || kind_ != aie::TileKind::Core) return nullptr;
  if (!site.isOrdered && freeChannel(true, 0)) return nullptr;
  for (Port& port : ports_)
    if (port.isPut && port.isPacket) return &port;
  return nullptr;
}

LogicalResult TileDma::refuseAnother(const Site& site, Operation& tileUser) const {
  return tileUser.emitOpError()
         << (site.isPut ? "puts into " : "gets from ") << wanted_[site.isPut].size()
         << " channels by DMA, but its tile has " << numChannels()
         << " DMA channels in this direction"
         << (site.isPut ? "; packets (channel_type \"npu_dma_packet\") can share one"
                        : "; what one sender puts in a fixed order can be one channel, or come "
                          "through one L2 buffer");
}

LogicalResult TileDma::addPort(Site& site, Operation& tileUser) {
  auto pin = pinOf(site);
  Port* port = pin ? nullptr : sharedPort(site);
  if (pin)
    for (Port& other : ports_)
      if (other.isPut == site.isPut && other.channel == *pin) port = &other;
  if (port && pin && !(port->isPacket && site.isPacket && site.isPut))
    return site.op->emitOpError() << "asks for DMA channel " << *pin << ", as @"
                                  << port->sites[0]->place.channel
                                  << " does; only packets that are sent can share one";
  if (!port) {
    auto channel = pin ? pin : freeChannel(site.isPut, firstAllowed(site));
    if (!channel) return refuseAnother(site, tileUser);
    port = &ports_.emplace_back(Port{site.isPut, site.isPacket, *channel});
  }
  portOf_[site.isPut][site.place] = static_cast<size_t>(port - ports_.data());
  port->sites.push_back(&site);
  return success();
}

/// Where places are more than DMA channels, packets come last: they can share one.
TileDma::Turn TileDma::turnOf(const Site& site) const {
  if (pinOf(site)) return Turn::Pinned;
  const bool isScarce = static_cast<int64_t>(wanted_[site.isPut].size()) > numChannels();
  return isScarce && site.isPacket ? Turn::Shared : Turn::Alone;
}

LogicalResult TileDma::choosePorts(const std::vector<Site*>& sites, Operation& tileUser) {
  const aie::Device& device = aie::deviceOf(tile_);
  if (device.generation == aie::Generation::Aie1)
    return tileUser.emitOpError() << "not supported: transfers on devices of the first generation";
  if (failed(checkPins(sites))) return failure();
  for (const Site* site : sites)
    wanted_[site->isPut].insert(site->place);
  for (const Turn turn : {Turn::Pinned, Turn::Alone, Turn::Shared})
    for (Site* site : sites)
      if (turnOf(*site) == turn && !portOf_[site->isPut].count(site->place))
        if (failed(addPort(*site, tileUser))) return failure();
  for (Port& port : ports_)
    port.sites.clear();
  for (Site* site : sites)
    ports_[portOf_[site->isPut].at(site->place)].sites.push_back(site);
  return success();
}

std::vector<TileDma::Port*> TileDma::ports() {
  std::vector<Port*> ports;
  for (bool isPut : {true, false})
    for (Port& port : ports_)
      if (port.isPut == isPut) ports.push_back(&port);
  return ports;
}

/// Where a bank has too few descriptors, DMA channels of it move to the other one, those with most descriptors first.
void TileDma::spreadBanks() {
  if (numBanks() != 2) return;
  const size_t most = aie::deviceOf(tile_).limits(kind_).bds / numBanks();
  const auto sizeOf = [](const Port& port) {
    size_t size = 0;
    for (const DmaTask& task : port.program.tasks)
      size += task.sites.size();
    return size;
  };
  std::array<size_t, 2> used = {};
  std::vector<Port*> largest;
  for (Port& port : ports_) {
    used[static_cast<size_t>(port.channel) % 2] += sizeOf(port);
    largest.push_back(&port);
  }
  std::ranges::stable_sort(largest, std::ranges::greater(),
                           [&](Port* port) { return sizeOf(*port); });
  for (Port* port : largest) {
    const auto bank = static_cast<size_t>(port->channel) % 2;
    const size_t size = sizeOf(*port);
    if (used[bank] <= most || used[1 - bank] + size >= used[bank]) continue;
    const auto channel = freeChannelInBank(*port, 1 - bank);
    if (!channel) continue;
    port->channel = *channel;
    used[bank] -= size;
    used[1 - bank] += size;
  }
}

std::optional<int64_t> TileDma::freeChannelInBank(const Port& port, size_t bank) const {
  int64_t from = 0;
  for (const Site* site : port.sites)
    from = std::max(from, firstAllowed(*site));
  for (auto channel = freeChannel(port.isPut, from); channel;
       channel = freeChannel(port.isPut, *channel + 1))
    if (static_cast<size_t>(*channel) % 2 == bank) return channel;
  return std::nullopt;
}

LogicalResult TileDma::planPrograms(const std::vector<Block*>& roots, bool again) {
  size_t descriptors = aie::deviceOf(tile_).limits(kind_).bds;
  for (Port& port : ports_) {
    std::string name = kind_ == aie::TileKind::Core ? "compute-tile " : "memory tile ";
    name += std::string(directionOf(port.isPut)) + " channel " + std::to_string(port.channel);
    if (failed(planProgram(port.sites, roots, again, name, descriptors, port.program)))
      return failure();
  }
  spreadBanks();
  return success();
}

void TileDma::appendEnds(std::vector<DmaEnd>& ends) const {
  for (bool isPut : {false, true})
    for (const auto& [place, number] : portOf_[isPut]) {
      const Port& port = ports_[number];
      auto first = std::find_if(port.sites.begin(), port.sites.end(),
                                [&](const Site* site) { return site->place == place; });
      ends.push_back({place, isPut, &tile_, port.channel, (*first)->op.op()});
    }
}

}  // namespace airlite::npu
