// Which shim channel serves which place of a channel.
#include "Shims.hpp"

#include "airlite/ir/Builder.hpp"

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

size_t Shims::numOpen() const {
  std::set<int64_t> asked;
  for (const auto& [key, bucket] : buckets_)
    if (key.first) asked.insert(*key.first);
  return static_cast<size_t>(std::popcount(design_.device.device().nocColumns)) - asked.size();
}

/// How many DMA channels are left for packets that may share, where there are not enough for all.
LogicalResult Shims::count(const std::vector<ShimDemand>& demands) {
  std::map<Key, std::pair<size_t, size_t>> wanted;  // all; those that may share
  for (const ShimDemand& demand : demands) {
    if (demand.column && failed(checkColumn(demand))) return failure();
    Key key{demand.column, demand.isTaken};
    Bucket& bucket = buckets_[key];
    bucket.shims = &shims_[demand.column];
    ++wanted[key].first;
    wanted[key].second += demand.isPacket && !demand.isTaken && !demand.isDedicated;
  }
  size_t perShim = design_.device.device().limits(aie::TileKind::ShimNoc).channels;
  for (auto& [key, bucket] : buckets_) {
    bucket.most = perShim * (key.first ? 1 : numOpen());
    auto [all, mayShare] = wanted[key];
    size_t alone = all - mayShare;
    if (all > bucket.most && alone < bucket.most) bucket.sharing = bucket.most - alone;
  }
  return success();
}

LogicalResult Shims::assign(const std::vector<ShimDemand>& demands, std::vector<TilePort>& ports) {
  if (failed(count(demands))) return failure();
  for (const ShimDemand& demand : demands) {
    Bucket& bucket = buckets_[{demand.column, demand.isTaken}];
    TilePort port = take(bucket, demand);
    if (!port.tile) return refuse(demand, bucket);
    ports.push_back(port);
  }
  return success();
}

TilePort Shims::take(Bucket& bucket, const ShimDemand& demand) {
  size_t perShim = design_.device.device().limits(aie::TileKind::ShimNoc).channels;
  bool shares = bucket.sharing > 0 && demand.isPacket && !demand.isTaken && !demand.isDedicated;
  size_t number = bucket.used;
  if (shares && bucket.slots.size() == bucket.sharing)
    number = bucket.slots[bucket.shared++ % bucket.sharing];
  else if (++bucket.used > bucket.most)
    return {};
  else if (shares)
    bucket.slots.push_back(number);
  if (number / perShim == bucket.shims->size()) bucket.shims->push_back(createShim(demand));
  return {(*bucket.shims)[number / perShim], static_cast<int64_t>(number % perShim)};
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
