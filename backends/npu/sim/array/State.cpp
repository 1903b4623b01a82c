#include "sim/array/State.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace airlite::npu::sim {

TileState::TileState(ArrayState& owner, Tile tile)
    : array(owner),
      place(tile),
      kind(kindOfRow(tile.row)),
      memory(size_t(limitsOf(kind).dataMemory.value)),
      locks(limitsOf(kind).locks, owner.someLocksAreDirty),
      streams(kind, owner.options.timing),
      bdWords(size_t(limitsOf(kind).bds) * limitsOf(kind).bdWords),
      host(*this),
      cascadeIn{Fifo<Cascade>(owner.options.timing.cascadeDepth),
                Fifo<Cascade>(owner.options.timing.cascadeDepth)} {
  if (owner.options.sanitizes) written.resize(memory.size() / sizeof(uint32_t));
  for (const auto direction : {DmaDirection::S2mm, DmaDirection::Mm2s})
    for (unsigned i = 0; i < limitsOf(kind).channels; ++i)
      channels.emplace_back(*this, direction, i);
  if (kind != TileKind::Core || !owner.cores) return;
  core = owner.cores->make(place.column, place.row);
  if (core && owner.options.profiles) core->countCycles();
  core->reset();
}

void TileState::noteWritten(const uint8_t* at, size_t size) {
  if (written.empty() || size == 0) return;
  const size_t first = size_t(at - memory.data());
  for (size_t word = first / sizeof(uint32_t); word <= (first + size - 1) / sizeof(uint32_t);
       ++word)
    written[word] = true;
}

void TileState::fault(std::string text, Origin origin) {
  array.raise(place, std::move(text), origin);
}

Channel& TileState::channel(DmaDirection direction, unsigned number) {
  return channels[number + (direction == DmaDirection::Mm2s ? limitsOf(kind).channels : 0)];
}

std::span<uint32_t> TileState::bd(unsigned id) {
  const unsigned words = limitsOf(kind).bdWords;
  return std::span(bdWords).subspan(size_t(id) * words, words);
}

std::optional<unsigned> TileState::portOf(DmaDirection direction, unsigned number) const {
  const bool intoArray = direction == DmaDirection::Mm2s;
  const PortSide side = intoArray ? PortSide::Slave : PortSide::Master;
  if (kind != TileKind::Shim) return portIndex(kind, side, {Bundle::Dma, uint8_t(number)});
  const ShimMuxField* field = shimMuxFor(intoArray, number);
  if (!field || ((intoArray ? mux : demux) >> field->lsb & 3) != unsigned(ShimSource::Dma))
    return std::nullopt;
  return portIndex(kind, side, field->port);
}

namespace {

/// Words that reach the end of a switch where no DMA, core or neighbour takes them.
void drain(TileState& tile) {
  for (unsigned m = 0; m < 32 && tile.streams.fullMasters() >> m; ++m) {
    const Flit* head =
        tile.streams.fullMasters() >> m & 1 ? tile.streams.atMaster(m, tile.array.now) : nullptr;
    if (!head) continue;
    const Port port = *portAt(tile.kind, PortSide::Master, m);
    const bool isToFirmware = tile.kind == TileKind::Shim && port == Port{Bundle::South, 0};
    if (isToFirmware && head->isToken) {
      ++tile.array.tokens[head->actor];
      tile.array.progress();
      tile.streams.leave(m, tile.array.now);
    } else if (isToFirmware) {
      tile.fault("a word other than a token left by SOUTH0");
    } else if (port.bundle == Bundle::Ctrl) {
      if (auto wrong = tile.control.take(tile, *head, tile.streams.keepsHeader(m)))
        tile.fault(std::move(*wrong));
      tile.array.progress();
      tile.streams.leave(m, tile.array.now);
    } else if (tile.kind == TileKind::Shim && port.bundle == Bundle::South &&
               tile.portOf(DmaDirection::S2mm, 0) != m && tile.portOf(DmaDirection::S2mm, 1) != m) {
      tile.fault(fmt::format("a word left the array by {}, which leads to no DMA", name(port)));
    } else if (port.bundle != Bundle::Dma && port.bundle != Bundle::Core &&
               port.bundle != Bundle::Fifo && port.bundle != Bundle::South) {
      const auto wire = wireOf(tile.kind, port);
      const Tile next{uint8_t(tile.place.column + wire->columns),
                      uint8_t(tile.place.row + wire->rows)};
      if (!tile.array.at(next)) tile.fault(fmt::format("a word left the array by {}", name(port)));
    }
  }
}

}  // namespace

void TileState::useBanks(uint32_t offset, size_t size, unsigned key, MemoryClient& client) {
  if (kind != TileKind::Core || !array.options.timing.chargesBanks) return;
  const Generation generation = array.device.generation;
  const uint32_t width = coreBankBytes(generation);
  if (!banks.isDirty()) array.busyBanks.push_back(&banks);
  for (uint32_t at = offset / width * width; at < offset + size; at += width)
    banks.request(physicalBank(kind, at, generation), key, client);
}

void TileState::stepCore() {
  if (host.isBlocked()) {
    ++bankStalls;
    return array.progress();
  }
  core->step(host);
  const auto status = core->status();
  if (status.state == CoreState::Faulted)
    fault("core: " + status.text, {.programCounter = status.programCounter});
  if (status.state == CoreState::Running) array.progress();
  coreRuns = status.state != CoreState::Done && status.state != CoreState::Faulted;
}

void TileState::step() {
  if (coreRuns) stepCore();
  for (auto& one : channels)
    one.step();
  if (streams.isIdle()) return;
  if (streams.fullMasters()) drain(*this);
  std::optional<std::string> wrong;
  if (streams.step(array.now, wrong)) array.progress();
  if (wrong) fault(std::move(*wrong));
}

bool TileState::look() {
  rests = !works();
  return !rests;
}

bool TileState::works() const {
  if (coreRuns || !streams.isIdle()) return true;
  for (const auto& one : channels)
    if (one.isBusy()) return true;
  return false;
}

ArrayState::ArrayState(const Device& of, ArrayOptions chosen, CoreFactory* maker)
    : device(of), options(chosen), cores(maker) {
  options.timing = timingOn(device.generation, options.timing);
  for (unsigned column = 0; column < device.columns; ++column)
    for (unsigned row = 0; row < Device::rows; ++row)
      tiles.push_back(std::make_unique<TileState>(*this, Tile{uint8_t(column), uint8_t(row)}));
  for (auto& tile : tiles)
    for (unsigned m = 0; m < portCount(tile->kind, PortSide::Master); ++m) {
      const auto wire = wireOf(tile->kind, *portAt(tile->kind, PortSide::Master, m));
      TileState* to = wire ? at({uint8_t(tile->place.column + wire->columns),
                                 uint8_t(tile->place.row + wire->rows)})
                           : nullptr;
      const auto slave = to ? portIndex(to->kind, PortSide::Slave, wire->slave) : std::nullopt;
      if (slave) tile->streams.wire(m, to->streams, *slave);
    }
  if (options.observer) sampler = std::make_unique<Sampler>(*this, *options.observer);
}

TileState* ArrayState::at(Tile tile) {
  if (!device.has(tile)) return nullptr;
  return tiles[size_t(tile.column) * Device::rows + tile.row].get();
}

TileState* ArrayState::neighbour(Tile tile, Neighbour side) {
  const auto place = device.memoryNeighbour(tile, side);
  return place ? at(*place) : nullptr;
}

void ArrayState::raise(Tile tile, std::string text, Origin origin) {
  if (fault && (fault->cycle < now || fault->tile <= tile)) return;
  fault = Fault{tile, now, std::move(text), origin};
}

void ArrayState::warn(Tile tile, std::string text, Origin origin) {
  if (!origin.bd || !warnedOf.insert({tile, *origin.bd}).second) return;
  warnings.push_back(Fault{tile, now, std::move(text), origin});
}

std::vector<Fault> ArrayState::takeWarnings(bool isFinished) {
  if (options.sanitizes && isFinished)
    for (const auto& tile : tiles) {
      for (const Channel& channel : tile->channels)
        if (const unsigned words = channel.wordsWaiting())
          warnings.push_back(Fault{
              tile->place,
              now,
              fmt::format("{}: {} words have come that no descriptor takes", channel.name(), words),
              {}});
      if (!tile->streams.isIdle())
        warnings.push_back(
            Fault{tile->place, now, "words stand in its stream switch, and nobody takes them", {}});
    }
  return std::exchange(warnings, {});
}

void ArrayState::step() {
  const size_t count = tiles.size();
  for (size_t i = 0; i < count; ++i) {
    TileState& tile = *tiles[options.reversesTileOrder ? count - 1 - i : i];
    if (tile.isAwake()) tile.step();
  }
  settleLocks();
  settleBanks();
  for (DdrTraffic& direction : ddrTraffic)
    if (direction.isDirty()) direction.settle(now, options.timing);
  if (sampler) sampler->sample(now);
  ++now;
}

void ArrayState::settleBanks() {
  for (Banks* banks : busyBanks)
    banks->settle(now);
  busyBanks.clear();
}

void ArrayState::settleLocks() {
  if (!someLocksAreDirty) return;
  someLocksAreDirty = false;
  for (auto& tile : tiles) {
    if (!tile->locks.isDirty()) continue;
    unsigned granted = 0;
    if (auto wrong = tile->locks.settle(granted)) tile->fault(std::move(*wrong));
    if (!granted) continue;
    progress();
    for (auto& waiting : tiles)
      waiting->wake();  // the lock may be a neighbour's
  }
}

bool ArrayState::isAwake() {
  if (someLocksAreDirty) return true;
  return std::ranges::any_of(tiles, [](auto& tile) { return tile->isAwake(); });
}

bool ArrayState::ripens() const {
  for (const auto& tile : tiles) {
    if (tile->streams.ripens(now)) return true;
    for (const auto& channel : tile->channels)
      if (channel.ripens()) return true;
  }
  return false;
}

}  // namespace airlite::npu::sim
