// The analysis of packet channels, see the header.
#include "PacketRouting.hpp"

#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace airlite {

namespace {

/// The allocation or argument that is reached through views, executes and kernel arguments.
Value bufferOf(Value value) {
  return memref::lastOfChain(value, [](Value inner) {
    if (!inner.isBlockArgument()) return air::bufferBefore(inner);
    air::HierarchyOp op = air::asHierarchy(inner.argumentBlock()->parentOp());
    return op ? op.tiedOperand(inner) : Value();
  });
}

/// Elements that one access moves; null when not known.
std::optional<int64_t> elementsOf(const air::Access& access) {
  if (access.isWhole()) {
    auto type = access.memref.type().dynCast<MemRefType>();
    return type && type.hasStaticShape() ? std::optional(type.numElements()) : std::nullopt;
  }
  int64_t product = 1;
  for (const air::IndexEntry& size : access.sizes) {
    std::optional<int64_t> known = size.known();
    if (!known || __builtin_mul_overflow(product, *known, &product)) return std::nullopt;
  }
  return product;
}

/// Times that the loops around `op` run it.
std::optional<int64_t> repetitions(Operation& op) {
  int64_t product = 1;
  for (Operation* up = op.parentOp(); up; up = up->parentOp()) {
    std::optional<int64_t> trips = 1;
    if (isa<scf::ForOp>(up)) trips = scf::ForOp(up).tripCount();
    if (isa<affine::ForOp>(up)) trips = affine::ForOp(up).tripCount();
    if (!trips || __builtin_mul_overflow(product, *trips, &product)) return std::nullopt;
  }
  return product;
}

/// Dimensions along which one channel reaches several destinations.
std::vector<bool> broadcastDims(air::ChannelOp channel) {
  std::vector<int64_t> sizes = channel.sizes();
  std::optional<std::vector<int64_t>> shape = channel.broadcastShape();
  std::vector<bool> result(sizes.size(), false);
  for (size_t i = 0; shape && i < std::min(shape->size(), sizes.size()); ++i)
    result[i] = sizes[i] == 1 && (*shape)[i] > 1;
  return result;
}

/// Everything that an access moves, over all loops and all channels of the bundle that it may name.
std::optional<int64_t> volumeOf(Operation& op, air::ChannelOp channel) {
  air::ChannelAccessOp access(&op);
  std::optional<int64_t> elements = elementsOf(access.access()), times = repetitions(op);
  int64_t volume = 0;
  if (!elements || !times || __builtin_mul_overflow(*elements, *times, &volume))
    return std::nullopt;
  std::vector<int64_t> sizes = channel.sizes();
  for (unsigned i = 0; i < access.indices().size() && i < sizes.size(); ++i)
    if (!constantIntOf(access.indices()[i]) && __builtin_mul_overflow(volume, sizes[i], &volume))
      return std::nullopt;
  return volume;
}

}  // namespace

Value destinationOf(Operation& put) {
  if (!isa<air::ChannelPutOp>(&put)) return Value();
  OperandRange dest = put.operandGroup("dest");
  return dest.empty() ? Value() : dest[0];
}

bool PacketChannel::namesDestination() const {
  return std::any_of(puts.begin(), puts.end(),
                     [](Operation* put) { return bool(destinationOf(*put)); });
}

std::vector<int64_t> PacketChannel::packetIds() const {
  std::vector<int64_t> ids;
  auto array = op->attrOf<ArrayAttr>("packet_ids");
  for (Attribute id : array ? array.value() : std::span<const Attribute>())
    ids.push_back(constantInt(id).value_or(-1));
  return ids;
}

PacketRouting::PacketRouting(Operation& module) {
  collect(module);
  for (PacketChannel& channel : channels_)
    classify(channel);
  connect();
  for (size_t i = 0; i < channels_.size(); ++i)
    if (channels_[i].kind == PacketKind::Demux) findHops(i);
}

const PacketChannel* PacketRouting::find(Operation& access) const {
  air::ChannelOp channel = air::ChannelAccessOp(&access).channel();
  auto found = channel ? byOp_.find(channel.op()) : byOp_.end();
  return found == byOp_.end() ? nullptr : &channels_[found->second];
}

void PacketRouting::collect(Operation& module) {
  std::vector<Operation*> accesses;
  module.walk(
      [&](Operation& op) {
        size_t at = order_.size();
        order_[&op] = at;
        if (isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op)) accesses.push_back(&op);
        recordWrites(op, at);
        if (!isa<air::ChannelOp>(&op)) return;
        air::ChannelOp channel(&op);
        if (channel.canonicalType() != "npu_dma_packet") return;
        byOp_[&op] = channels_.size();
        channels_.push_back({channel, {}, {}, PacketKind::Unknown, 1, {}, {}, {}});
      },
      WalkOrder::PreOrder);
  for (Operation* access : accesses) {
    air::ChannelOp channel = air::ChannelAccessOp(access).channel();
    auto found = channel ? byOp_.find(channel.op()) : byOp_.end();
    if (found == byOp_.end()) continue;
    PacketChannel& packets = channels_[found->second];
    (isa<air::ChannelPutOp>(access) ? packets.puts : packets.gets).push_back(access);
  }
}

void PacketRouting::recordWrites(Operation& op, size_t at) {
  if (isa<air::ChannelGetOp>(&op)) {
    writes_[bufferOf(air::ChannelAccessOp(&op).access().memref)].push_back({at, &op, true});
    return;
  }
  if (air::asHierarchy(&op) || op.hasTrait(Trait::Terminator)) return;
  std::vector<EffectInstance> effects;
  bool known = effectsOf(op, effects);
  if (!known && op.hasTrait(Trait::RecursiveEffects)) return;  // what is inside counts
  if (!known) {  // a call: it may write all that it is given
    for (Value operand : op.operands())
      if (operand.type().isa<MemRefType>()) writes_[bufferOf(operand)].push_back({at, &op, false});
    return;
  }
  for (const EffectInstance& effect : effects)
    if (effect.effect == Effect::Write && effect.value)
      writes_[bufferOf(effect.value)].push_back({at, &op, false});
}

void PacketRouting::classify(PacketChannel& channel) const {
  std::vector<bool> spread = broadcastDims(channel.op);
  if (std::find(spread.begin(), spread.end(), true) == spread.end()) {
    channel.kind = PacketKind::Single;
    return;
  }
  std::vector<int64_t> shape = *channel.op.broadcastShape();
  std::map<std::vector<int64_t>, std::optional<int64_t>> taken;  // by place along the spread dims
  bool everywhere = false;
  std::optional<int64_t> sent = 0, received = 0;
  auto add = [](std::optional<int64_t>& sum, std::optional<int64_t> volume) {
    int64_t result = 0;
    bool bad = !sum || !volume || __builtin_add_overflow(*sum, *volume, &result);
    sum = bad ? std::nullopt : std::optional(result);
  };
  for (Operation* put : channel.puts)
    add(sent, volumeOf(*put, channel.op));
  for (Operation* get : channel.gets) {
    std::vector<int64_t> place;
    OperandRange indices = air::ChannelAccessOp(get).indices();
    for (unsigned i = 0; i < indices.size() && i < spread.size(); ++i)
      if (spread[i]) {
        std::optional<int64_t> index = constantIntOf(indices[i]);
        everywhere |= !index;
        place.push_back(index.value_or(-1));
      }
    auto [entry, isNew] = taken.emplace(place, 0);
    add(entry->second, volumeOf(*get, channel.op));
  }
  channel.destinations = static_cast<unsigned>(taken.size());
  if (everywhere) {  // the index is an id: one destination for each place
    int64_t places = 1;
    for (size_t i = 0; i < spread.size(); ++i)
      if (spread[i] && __builtin_mul_overflow(places, shape[i], &places)) return;
    if (taken.size() != 1 || places > 1 << 20) return;
    channel.destinations = static_cast<unsigned>(places);
  }
  if (channel.destinations == 1) channel.kind = PacketKind::Single;
  if (channel.destinations <= 1) return;
  bool eachAll = sent.has_value();
  for (auto& [place, volume] : taken) {
    eachAll &= volume == sent;
    add(received, volume);
  }
  int64_t total = 0;
  if (everywhere && received) {
    bool bad = __builtin_mul_overflow(*received, int64_t{channel.destinations}, &total);
    received = bad ? std::nullopt : std::optional(total);
  }
  if (eachAll) channel.kind = PacketKind::Broadcast;
  if (!eachAll && sent && sent == received) channel.kind = PacketKind::Demux;
  if (channel.namesDestination()) channel.kind = PacketKind::Demux;
}

void PacketRouting::connect() {
  for (size_t to = 0; to < channels_.size(); ++to)
    for (Operation* put : channels_[to].puts) {
      size_t at = order_.at(put);
      auto found = writes_.find(bufferOf(air::ChannelAccessOp(put).access().memref));
      if (found == writes_.end()) continue;
      // Writes are in program order; a write that is not a get ends what came before.
      for (size_t i = found->second.size(); i--;) {
        const Write& write = found->second[i];
        if (write.at > at) continue;
        if (!write.isGet) break;
        air::ChannelOp from = air::ChannelAccessOp(write.op).channel();
        auto known = from ? byOp_.find(from.op()) : byOp_.end();
        if (known == byOp_.end() || known->second == to) continue;
        std::vector<size_t>& next = channels_[known->second].next;
        if (std::find(next.begin(), next.end(), to) == next.end()) next.push_back(to);
      }
    }
}

/// Channels with one destination from which packets get to `demux`, with their distances.
std::vector<std::pair<size_t, unsigned>> PacketRouting::upstream(size_t demux,
                                                                 bool keepOnly) const {
  std::vector<std::pair<size_t, unsigned>> found{{demux, 0}};
  std::set<size_t> seen{demux};
  for (size_t i = 0; i < found.size(); ++i)
    for (size_t from = 0; from < channels_.size(); ++from) {
      const PacketChannel& channel = channels_[from];
      bool leads =
          std::find(channel.next.begin(), channel.next.end(), found[i].first) != channel.next.end();
      bool keeps = channel.op->hasAttr("keep_pkt_header") || channel.packetIds().size() > 1;
      if (!leads || channel.kind != PacketKind::Single || (keepOnly && !keeps)) continue;
      if (seen.insert(from).second) found.push_back({from, found[i].second + 1});
    }
  found.erase(found.begin());
  return found;
}

void PacketRouting::findHops(size_t demux) {
  std::vector<std::pair<size_t, unsigned>> before = upstream(demux, false);
  std::set<size_t> onPath;
  std::vector<size_t> open;
  for (auto [channel, distance] : before)
    if (channels_[channel].namesDestination()) open.push_back(channel);
  bool stated = !open.empty() || channels_[demux].namesDestination();
  auto isBefore = [&](size_t channel) {
    return std::any_of(before.begin(), before.end(),
                       [&](const auto& entry) { return entry.first == channel; });
  };
  while (!open.empty()) {
    size_t channel = open.back();
    open.pop_back();
    if (!onPath.insert(channel).second) continue;
    for (size_t next : channels_[channel].next)
      if (isBefore(next)) open.push_back(next);
  }
  if (!stated) {  // older programs say at each channel that it keeps the header
    before = upstream(demux, true);
    for (auto [channel, distance] : before)
      onPath.insert(channel);
  }
  std::stable_sort(before.begin(), before.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  for (auto [channel, distance] : before) {
    if (!onPath.contains(channel) || channels_[channel].demux) continue;
    channels_[channel].demux = demux;
    channels_[demux].hops.push_back(channel);
  }
}

Operation* PacketRouting::payloadWriter(Operation& put) const {
  auto found = writes_.find(bufferOf(air::ChannelAccessOp(&put).access().memref));
  if (found == writes_.end()) return nullptr;
  Operation* last = nullptr;
  for (const Write& write : found->second) {
    Operation* holder = write.op->parentOp();
    bool near = write.op->block() == put.block() ||
                (holder && isa<air::ExecuteOp>(holder) && holder->block() == put.block());
    if (!write.isGet && near && write.at < order_.at(&put)) last = write.op;
  }
  return last;
}

}  // namespace airlite
