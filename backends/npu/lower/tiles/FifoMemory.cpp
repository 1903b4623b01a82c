// Which L2 buffers are links of object FIFOs, and on which memory tile.
#include "FifoMemory.hpp"

#include "DescriptorOrder.hpp"
#include "airlite/ir/Builder.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace airlite::npu {

LogicalResult FifoMemory::read() {
  if (failed(readL2Sites(*design_.source, sites_))) return failure();
  std::vector<Operation*> order;
  std::map<Operation*, std::vector<Site*>> byMemory;
  for (Site& site : sites_) {
    std::vector<Site*>& sites = byMemory[site.memory];
    if (sites.empty()) order.push_back(site.memory);
    sites.push_back(&site);
  }
  for (Operation* memory : order)
    if (failed(addLink(*memory, byMemory.at(memory)))) return failure();
  return success();
}

LogicalResult FifoMemory::addLink(Operation& memory, std::vector<Site*> sites) {
  FifoLink link{&memory, nullptr, {}, {}};
  if (memory.hasAttr(air::kZeroMemory))
    return memory.emitOpError()
           << "not supported by object FIFOs: L2 memory that begins with zeros";
  for (Site* site : sites) {
    const Pattern& pattern = site->pattern;
    if (site->isPacket) return site->op->emitOpError() << "not supported by object FIFOs: packets";
    if (!pattern.dims.empty() || !pattern.pads.empty() || site->sends != 1)
      return site->op->emitOpError()
             << "not supported by object FIFOs: L2 memory in another order than it lies, padding, "
                "and data that are sent again";
    (site->isPut ? link.puts : link.gets).push_back(site);
  }
  if (failed(checkTurns(memory, sites))) return failure();
  const auto byOffset = [](const Site* a, const Site* b) {
    return a->pattern.offset < b->pattern.offset;
  };
  std::ranges::stable_sort(link.gets, byOffset);
  std::ranges::stable_sort(link.puts, byOffset);
  const bool isSimple = link.gets.size() == 1 || link.puts.size() == 1;
  const bool isSame = link.gets.size() != 1 || link.puts.size() != 1 ||
                      link.gets[0]->pattern == link.puts[0]->pattern;
  if (!isSimple || !isSame)
    return memory.emitOpError() << "not supported by object FIFOs: L2 memory that is not filled or "
                                   "not sent as a whole";
  if (failed(placeLink(link))) return failure();
  links_.push_back(std::move(link));
  return success();
}

/// Each transfer once, those that fill it first, again and again.
LogicalResult FifoMemory::checkTurns(Operation& memory, const std::vector<Site*>& sites) const {
  const std::vector<Block*> roots = {&design_.source->region().front()};
  const Sequence sequence = sequenceOf(sites, roots, true);
  bool isInTurn = !sequence.unknown && sequence.runs.size() == 1 &&
                  sequence.runs[0].word.size() == sites.size();
  if (isInTurn) {
    const std::vector<Site*>& word = sequence.runs[0].word;
    isInTurn = !word.front()->isPut && word.back()->isPut &&
               std::ranges::is_partitioned(word, [](const Site* site) { return !site->isPut; });
  }
  std::set<ChannelPlace> places;
  for (const Site* site : sites)
    isInTurn &= places.insert(site->place).second;
  if (isInTurn) return success();
  return memory.emitOpError() << "not supported by object FIFOs: L2 memory that is not filled and "
                                 "sent in turn, each part once";
}

// -- Tiles ----------------------------------------------------------------------------------------

bool FifoMemory::fits(const Tile& tile, const FifoLink& link) const {
  const auto limits = design_.device.device().limits(aie::TileKind::Mem);
  return tile.bytes + l2BytesOf(*link.memory) <= static_cast<int64_t>(limits.memoryBytes) &&
         tile.in + std::ssize(link.gets) <= static_cast<int64_t>(limits.channels) &&
         tile.out + std::ssize(link.puts) <= static_cast<int64_t>(limits.channels);
}

LogicalResult FifoMemory::placeLink(FifoLink& link) {
  std::optional<int64_t> column;
  if (auto asked = link.memory->attrOf<IntegerAttr>("air.memtile_col")) column = asked.value();
  Tile* tile = tileFor(link, column);
  if (!tile || !fits(*tile, link))
    return link.memory->emitOpError() << "does not fit: its memory tile has not enough memory or "
                                         "DMA channels left";
  tile->bytes += l2BytesOf(*link.memory);
  tile->in += std::ssize(link.gets);
  tile->out += std::ssize(link.puts);
  link.tile = tile->op;
  return success();
}

/// As many tiles as there are columns of cores share the traffic.
FifoMemory::Tile* FifoMemory::tileFor(const FifoLink& link, std::optional<int64_t> column) {
  Tile* best = nullptr;
  size_t numOpen = 0;
  for (Tile& tile : tiles_) {
    numOpen += !tile.column;
    if (tile.column != column) continue;
    if (column) return &tile;
    if (fits(tile, link) && (!best || tile.bytes < best->bytes)) best = &tile;
  }
  const bool isRoom = tiles_.size() < static_cast<size_t>(design_.device.device().columns);
  if (column || (isRoom && (!best || numOpen < columnsOfCores(design_))))
    return &createTile(link, column);
  return best;
}

FifoMemory::Tile& FifoMemory::createTile(const FifoLink& link, std::optional<int64_t> column) {
  Operation& tile = createMemTile(design_, link.memory->location(), column);
  return tiles_.emplace_back(Tile{&tile, column, 0, 0, 0});
}

}  // namespace airlite::npu
