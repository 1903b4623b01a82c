// Which shim channel serves which place of a channel.
#include "Shims.hpp"

#include "airlite/ir/Builder.hpp"

#include <algorithm>
#include <bit>
#include <set>

namespace airlite::npu {

LogicalResult Shims::checkColumn(const ShimDemand& demand) const {
  const aie::Device& device = design_.device.device();
  int64_t column = *demand.column;
  if (column < 0 || column >= device.columns)
    return demand.end->op->emitOpError()
           << "air.shim_col column " << column << " is out of range [0, " << device.columns << ")";
  if (device.nocColumns >> column & 1) return success();
  return demand.end->op->emitOpError() << "air.shim_col column " << column << " has no shim DMA";
}

size_t Shims::perShim() const {
  return design_.device.device().limits(aie::TileKind::ShimNoc).channels;
}

size_t Shims::numOpen(const std::vector<ShimDemand>& demands) const {
  std::set<int64_t> asked;
  for (const ShimDemand& demand : demands)
    if (demand.column) asked.insert(*demand.column);
  return static_cast<size_t>(std::popcount(design_.device.device().nocColumns)) - asked.size();
}

/// The column at the other end, or a number for a memory tile without one.
int64_t Shims::farOf(const ShimDemand& demand) {
  Operation* tile = demand.end->tile;
  if (const auto column = aie::TileOp(tile).col()) return *column;
  auto found = std::ranges::find(memTiles_, tile);
  if (found == memTiles_.end()) found = memTiles_.insert(found, tile);
  return design_.device.device().columns + (found - memTiles_.begin());
}

Shims::Place Shims::placeOf(const ShimDemand& demand) {
  if (demand.column) return {demand.column, 0};
  return {std::nullopt, spread_.empty() ? 0 : farOf(demand)};
}

/// How many shims each place needs for itself, where there are so many.
void Shims::spread(const std::vector<ShimDemand>& demands) {
  std::map<int64_t, std::pair<size_t, size_t>> wanted;  // sent, taken
  for (const ShimDemand& demand : demands) {
    if (demand.column) continue;
    auto& [sent, taken] = wanted[farOf(demand)];
    ++(demand.isTaken ? taken : sent);
  }
  std::map<int64_t, size_t> shims;
  size_t all = 0;
  for (const auto& [far, channels] : wanted)
    all += shims[far] = (std::max(channels.first, channels.second) + perShim() - 1) / perShim();
  if (all <= numOpen(demands)) spread_ = std::move(shims);
}

/// How many DMA channels are left for packets that may share, where there are not enough for all.
LogicalResult Shims::count(const std::vector<ShimDemand>& demands) {
  std::map<Key, std::pair<size_t, size_t>> wanted;  // all; those that may share
  for (const ShimDemand& demand : demands) {
    if (demand.column && failed(checkColumn(demand))) return failure();
    const Place place = placeOf(demand);
    Key key{place, demand.isTaken};
    Bucket& bucket = buckets_[key];
    bucket.shims = &shims_[place];
    ++wanted[key].first;
    wanted[key].second += demand.isPacket && !demand.isTaken && !demand.isDedicated;
  }
  for (auto& [key, bucket] : buckets_) {
    const auto& [place, isTaken] = key;
    const size_t shims = place.column      ? 1
                         : spread_.empty() ? numOpen(demands)
                                           : spread_.at(place.far);
    bucket.most = perShim() * shims;
    auto [all, mayShare] = wanted[key];
    size_t alone = all - mayShare;
    if (all > bucket.most && alone < bucket.most) bucket.sharing = bucket.most - alone;
  }
  return success();
}

LogicalResult Shims::assign(const std::vector<ShimDemand>& demands, std::vector<TilePort>& ports) {
  spread(demands);
  if (failed(count(demands))) return failure();
  for (const ShimDemand& demand : demands) {
    Bucket& bucket = buckets_[{placeOf(demand), demand.isTaken}];
    TilePort port = take(bucket, demand);
    if (!port.tile) return refuse(demand, bucket);
    ports.push_back(port);
  }
  return success();
}

TilePort Shims::take(Bucket& bucket, const ShimDemand& demand) {
  bool shares = bucket.sharing > 0 && demand.isPacket && !demand.isTaken && !demand.isDedicated;
  size_t number = bucket.used;
  if (shares && bucket.slots.size() == bucket.sharing)
    number = bucket.slots[bucket.shared++ % bucket.sharing];
  else if (++bucket.used > bucket.most)
    return {};
  else if (shares)
    bucket.slots.push_back(number);
  if (number / perShim() == bucket.shims->size()) bucket.shims->push_back(createShim(demand));
  return {(*bucket.shims)[number / perShim()], static_cast<int64_t>(number % perShim())};
}

Operation* Shims::createShim(const ShimDemand& demand) {
  Builder builder(design_.device->context());
  OperationState state(builder.context(), demand.end->op->location(), "aie.logical_tile");
  state.resultTypes.push_back(builder.indexType());
  state.addAttribute(builder.context(), "tile_type",
                     keyword(builder.context(), *state.def, "tile_type", "ShimNOCTile"));
  if (demand.column) state.addAttribute(builder.context(), "col", builder.i32Attr(*demand.column));
  return createTileOp(design_, state);
}

LogicalResult Shims::refuse(const ShimDemand& demand, const Bucket& bucket) const {
  auto report = demand.end->op->emitOpError();
  report << "needs shim channel number " << bucket.used << (demand.isTaken ? " to" : " from")
         << " the host";
  if (demand.column)
    report << " in column " << *demand.column << ", which has " << bucket.most;
  else
    report << ", but device '" << design_.device.device().name << "' has " << bucket.most;
  return report;
}

}  // namespace airlite::npu
