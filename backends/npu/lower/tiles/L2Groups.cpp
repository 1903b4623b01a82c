// Which L2 memory must be on one tile, since its transfers share places of channels.
#include "L2Memory.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace airlite::npu {

namespace {

using Parts = std::vector<std::vector<Site*>>;
using PartOfMemory = std::map<Operation*, size_t>;
using PartOfPlace = std::map<std::pair<bool, ChannelPlace>, size_t>;

void merge(size_t from, size_t into, Parts& parts, PartOfMemory& groupOf,
           PartOfPlace& groupOfPlace) {
  parts[into].insert(parts[into].end(), parts[from].begin(), parts[from].end());
  parts[from].clear();
  for (auto& [memory, group] : groupOf)
    if (group == from) group = into;
  for (auto& [place, group] : groupOfPlace)
    if (group == from) group = into;
}

/// A place of a channel is one DMA channel of one tile: what shares it stays together.
Parts partsOf(std::vector<Site>& sites) {
  PartOfMemory groupOf;
  PartOfPlace groupOfPlace;
  Parts parts;
  for (Site& site : sites) {
    auto [memory, isNewMemory] = groupOf.try_emplace(site.memory, parts.size());
    auto [place, isNewPlace] = groupOfPlace.try_emplace({site.isPut, site.place}, memory->second);
    if (isNewMemory && isNewPlace) parts.emplace_back();
    size_t into = std::min(memory->second, place->second);
    size_t from = std::max(memory->second, place->second);
    if (isNewMemory) memory->second = from = into;
    if (from != into) merge(from, into, parts, groupOf, groupOfPlace);
    parts[into].push_back(&site);
  }
  return parts;
}

/// A column that has no memory tile is as good as none.
LogicalResult pinTo(L2Group& group, Operation& memory, const aie::Device& device) {
  auto col = memory.attrOf<IntegerAttr>("air.memtile_col");
  if (!col) return success();
  if (col.value() < 0 || col.value() >= device.columns || device.memRows == 0) {
    memory.emitWarning() << "air.memtile_col=" << col.value()
                         << " has no memtile in target; ignoring";
    return success();
  }
  if (!group.col) group.col = col.value();
  if (*group.col == col.value()) return success();
  return memory.emitOpError() << "asks for memory tile column " << col.value()
                              << ", but shares a channel with memory of column " << *group.col;
}

LogicalResult fillGroup(L2Group& group, std::vector<Site*> sites, const aie::Device& device) {
  std::sort(sites.begin(), sites.end());  // in program order: all are in one vector
  std::set<ChannelPlace> places[2];
  for (Site* site : sites) {
    places[site->isPut].insert(site->place);
    if (std::find(group.memory.begin(), group.memory.end(), site->memory) != group.memory.end())
      continue;
    if (failed(pinTo(group, *site->memory, device))) return failure();
    group.memory.push_back(site->memory);
    group.bytes += l2BytesOf(*site->memory);
  }
  group.gets = places[0].size();
  group.puts = places[1].size();
  group.sites = std::move(sites);
  return success();
}

}  // namespace

LogicalResult groupL2Memory(std::vector<Site>& sites, const aie::Device& device,
                            std::vector<L2Group>& groups) {
  for (std::vector<Site*>& part : partsOf(sites))
    if (!part.empty() && failed(fillGroup(groups.emplace_back(), std::move(part), device)))
      return failure();
  return success();
}

}  // namespace airlite::npu
