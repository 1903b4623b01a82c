// air-relay-gets: what a core gets from more cores than it has DMA channels comes by way of L2.
//
// Matches herds directly in a segment with a core that gets from more than `most` places of channels, some of them filled
// by cores. For each core, and each get from a core in the order of its program, in the loops around it and where its id
// takes the branch, the segment gets the data into L2 memory and puts them into a channel with one place for each core,
// from which all of these gets take. So one DMA channel of the core does, and a memory tile takes from more cores than a
// core can. With `from-all` the same is done for what the host and the segment send.
//
// Each of these transfers waits for the one before it. The segment takes what the core would take next, so it
// waits for no sender for which the core would not have waited. Asynchronous gets that follow each other are taken in
// any order and put in theirs; the core waits for each, so that they take from its place in turn.
//
// Declines, with a remark: gets in other loops than scf.for with constant bounds, conditions and indices that ids do not
// decide, sizes that are not constant, broadcasts, packets of one sender (they can share a channel), packets with headers
// that somebody sees, and channels that hold several transfers. With `from-all`, broadcasts and cascades stay as they are.
#include "AccessLists.hpp"
#include "airlite/analysis/CoreValues.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/IndexValues.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"
#include "transform/hierarchy/Hierarchy.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace airlite {

namespace {

using air::ChannelAccessOp;
using air::HerdOp;

constexpr std::string_view kStream = "npu_dma_stream", kPacket = "npu_dma_packet";

/// Who puts into the channels of a module.
class Senders {
 public:
  explicit Senders(Operation& module) {
    module.walk([&](Operation& op) {
      if (isa<air::ChannelPutOp>(&op))
        herds_[std::string(ChannelAccessOp(&op).channelName())].insert(op.parentOf<HerdOp>().op());
    });
  }

  bool areCores(ChannelAccessOp get) const {
    const std::set<Operation*>& herds = of(get);
    return !herds.empty() && !herds.contains(nullptr);
  }

  /// Null for what is no core.
  const std::set<Operation*>& of(ChannelAccessOp get) const {
    static const std::set<Operation*> none;
    const auto found = herds_.find(std::string(get.channelName()));
    return found == herds_.end() ? none : found->second;
  }

 private:
  std::map<std::string, std::set<Operation*>> herds_;
};

/// A herd whose gets from cores go by way of L2.
class Relay {
 public:
  Relay(HerdOp herd, const Senders& senders, bool fromAll) : herd_(herd) {
    herd->walk(
        [&](Operation& op) {
          if (!isa<air::ChannelGetOp>(&op)) return;
          const ChannelAccessOp get(&op);
          if (fromAll ? !isRouted(get) : senders.areCores(get)) add(get, senders);
        },
        WalkOrder::PreOrder);
  }

  bool isNeeded(size_t most) {
    if (gets_.empty()) return false;
    bool isMore = false;
    forEachCore([&] {
      std::set<Place> places;
      collect(herd_.body(), places);
      isMore |= places.size() > most;
    });
    return isMore;
  }

  std::string_view obstacle() {
    if (!isa<air::SegmentOp>(herd_->parentOp()) || !herd_.constantSizes())
      return "stays: it is not directly in a segment, or its sizes are not constants";
    for (Operation* op : gets_)
      if (const std::string_view why = obstacleTo(ChannelAccessOp(op)); !why.empty()) return why;
    std::string_view why;
    forEachCore([&] {
      for (Operation* op : gets_)
        if (why.empty()) why = obstacleOnCore(ChannelAccessOp(op));
    });
    return why;
  }

  void run() {
    own_ = air::createChannel(*herd_.op(), *herd_.constantSizes(), kStream);
    std::vector<Value> tokens;
    forEachCore([&] {
      if (!takesAny(herd_.body())) return;
      Builder builder = Builder::before(*herd_.op());
      const Type token = DialectType::get(builder.context(), "air.async.token");
      const Value none = builder.create(herd_->location(), "air.wait_all", {}, {token})->result();
      tokens.push_back(relay(builder, herd_.body(), {none, none}).last);
    });
    free(tokens);
    for (Operation* op : gets_)
      takeFromSegment(*op);
  }

 private:
  /// A channel and its indices, those that are not known left out.
  using Place = std::pair<std::string, std::vector<std::optional<int64_t>>>;

  /// What the next transfers wait for.
  struct Order {
    Value base;  // gets
    Value last;  // puts
  };

  void forEachCore(FunctionRef<void()> visit) {
    std::vector<int64_t> sizes = herd_.constantSizes().value_or(std::vector<int64_t>{});
    sizes.resize(2, 1);
    for (int64_t x = 0; x < sizes[0]; ++x)
      for (int64_t y = 0; y < sizes[1]; ++y) {
        ids_ = herd_.numDims() == 1 ? std::vector{x} : std::vector{x, y};
        values_ = analysis::CoreValues(herd_, ids_);
        visit();
      }
  }

  static bool isConditional(Operation& op) {
    return op.is("scf.if") || op.is("affine.if") || op.is("scf.index_switch");
  }

  /// The blocks in `op` that the core runs; all of them where that is not known.
  std::vector<Block*> blocksOf(Operation& op) {
    Region* taken = isConditional(op) ? takenRegion(op, values_) : nullptr;
    std::vector<Block*> blocks;
    for (unsigned i = 0; i < op.numRegions(); ++i)
      for (Block& block : op.region(i).blocks())
        if (!taken || taken == &op.region(i)) blocks.push_back(&block);
    return blocks;
  }

  void collect(Block& body, std::set<Place>& places) {
    for (Operation& op : body.ops()) {
      if (isa<air::ChannelGetOp>(&op)) places.insert(placeOf(ChannelAccessOp(&op)));
      for (Block* block : blocksOf(op))
        collect(*block, places);
    }
  }

  Place placeOf(ChannelAccessOp get) {
    Place place{std::string(get.channelName()), {}};
    for (const Value index : get.indices().vec())
      place.second.push_back(values_(index));
    return place;
  }

  bool isRelayed(Operation& op) const { return std::ranges::find(gets_, &op) != gets_.end(); }

  bool takesAny(Block& body) {
    return std::ranges::any_of(body.ops(), [&](Operation& op) {
      return isRelayed(op) ||
             std::ranges::any_of(blocksOf(op), [&](Block* block) { return takesAny(*block); });
    });
  }

  void add(ChannelAccessOp get, const Senders& senders) {
    gets_.push_back(get.op());
    senders_.insert(senders.of(get).begin(), senders.of(get).end());
  }

  /// Several cores take what is put, or no DMA does.
  static bool isRouted(ChannelAccessOp get) {
    const air::ChannelOp channel = get.channel();
    return !channel || channel.broadcastShape() ||
           (channel.canonicalType() != kStream && channel.canonicalType() != kPacket);
  }

  bool isOneSender() const {
    if (senders_.size() != 1) return false;
    const HerdOp herd = dynCast<HerdOp>(*senders_.begin());
    const auto sizes = herd ? herd.constantSizes() : std::nullopt;
    return sizes && std::ranges::all_of(*sizes, [](int64_t size) { return size == 1; });
  }

  std::string_view obstacleTo(ChannelAccessOp get) const {
    if (isRouted(get) || get.channel().depth() != 1)
      return "stays: a channel is a broadcast or a cascade, or holds several transfers";
    const Operation& channel = *get.channel().op();
    const bool isPacket = get.channel().canonicalType() == kPacket;
    if (isPacket && isOneSender()) return "stays: packets of one core can share a DMA channel";
    for (const std::string_view header :
         {"keep_pkt_header", "packet_ids", "air.src_writes_pkt_header"})
      if (channel.hasAttr(header)) return "stays: somebody sees the headers of its packets";
    if (!air::elementsOf(get.access())) return "stays: a size is not constant";
    for (Operation* at = get->parentOp(); at != herd_.op(); at = at->parentOp())
      if (!isConditional(*at) && !(isa<scf::ForOp>(at) && scf::ForOp(at).tripCount()))
        return "stays: a get is in something else than conditions and loops of constant bounds";
    return {};
  }

  std::string_view obstacleOnCore(ChannelAccessOp get) {
    for (Operation* at = get->parentOp(); at != herd_.op(); at = at->parentOp())
      if (isConditional(*at) && !takenRegion(*at, values_))
        return "stays: a condition of a get is not decided by ids";
    for (const auto& index : placeOf(get).second)
      if (!index) return "stays: an index of a channel is not decided by ids";
    return {};
  }

  /// The core gets from its place.
  void takeFromSegment(Operation& get) {
    std::vector<Value> ids;
    for (unsigned i = 0; i < herd_.numDims(); ++i)
      ids.push_back(herd_.body().argument(i));
    get.setAttr("chan_name", SymbolRefAttr::get(get.context(), own_));
    get.setOperandGroup(1, ids);
    if (const Value token = ChannelAccessOp(&get).token())
      Builder::after(get).create(get.location(), "air.wait_all", {token}, {});
  }

  /// The transfers for the gets in `body`, after `order`.
  Order relay(Builder& builder, Block& body, Order order) {
    for (Operation& op : body.ops()) {
      if (isRelayed(op)) order = relay(builder, ChannelAccessOp(&op), order);
      for (Block* block : blocksOf(op)) {
        if (!takesAny(*block)) continue;
        order = isa<scf::ForOp>(&op) ? relay(builder, scf::ForOp(&op), order)
                                     : relay(builder, *block, order);
      }
    }
    return order;
  }

  Order relay(Builder& builder, scf::ForOp loop, Order order) {
    const Location location = loop->location();
    const auto number = [&](int64_t value) { return builder.constantIndex(location, value); };
    const scf::ForOp made =
        scf::ForOp::create(builder, location, number(0), number(*loop.tripCount()), number(1),
                           std::span(&order.last, 1));
    Builder inside = Builder::atEnd(made.body());
    const Value before = made.regionIterArg(0);
    const Value last = relay(inside, loop.body(), {before, before}).last;
    scf::YieldOp::create(inside, location, std::span(&last, 1));
    return {made->result(), made->result()};
  }

  Order relay(Builder& builder, ChannelAccessOp get, Order order) {
    const Location location = get->location();
    const Value memory = memoryFor(get);
    std::vector<Value> from, to;
    for (const auto& index : placeOf(get).second)
      from.push_back(builder.constantIndex(location, *index));
    for (const int64_t id : ids_)
      to.push_back(builder.constantIndex(location, id));
    const bool isAsync = !!get.token();
    Value taken = air::createChannelGet(builder, location, get.channelName(), from, memory,
                                        isAsync ? order.base : order.last)
                      ->result();
    if (isAsync)
      taken =
          builder.create(location, "air.wait_all", {taken, order.last}, {taken.type()})->result();
    const Value put = air::createChannelPut(builder, location, own_, to, memory, taken)->result();
    return {isAsync ? order.base : put, put};
  }

  /// L2 memory for the elements of one get.
  Value memoryFor(ChannelAccessOp get) {
    Builder builder = Builder::before(*herd_.op());
    const int64_t elements = *air::elementsOf(get.access());
    const Attribute level = IntegerAttr::get(IntegerType::get(builder.context(), 64), 1);
    const Type element = get.access().memref.type().cast<MemRefType>().elementType();
    const auto type =
        MemRefType::get(builder.context(), std::span(&elements, 1), element).withMemorySpace(level);
    Operation* alloc = memref::AllocOp::create(builder, get->location(), type).op();
    if (!memory_.empty()) alloc->moveBefore(memory_.front());
    if (memory_.empty()) alloc->moveBefore(&herd_->block()->front());
    memory_.push_back(alloc);
    return alloc->result();
  }

  /// At the end of the segment, which waits for all that it holds anyway.
  void free(const std::vector<Value>& tokens) {
    Builder builder = Builder::before(herd_->block()->back());
    builder.create(herd_->location(), "air.wait_all", tokens, {});
    for (Operation* alloc : memory_)
      memref::DeallocOp::create(builder, alloc->location(), alloc->result());
  }

  HerdOp herd_;
  std::vector<Operation*> gets_;  // that come by way of L2
  std::set<Operation*> senders_;  // herds that put for them; null: who is no core
  std::string own_;               // the channel from the segment
  std::vector<Operation*> memory_;
  // Of the core that is looked at.
  std::vector<int64_t> ids_;
  analysis::CoreValues values_;
};

class RelayGets : public Pass {
 public:
  RelayGets() : Pass("air-relay-gets", "Brings what cores get from many cores by way of L2") {
    anchor("builtin.module");
    option("most", most_, "places of channels that a core can get from itself");
    option("from-all", fromAll_, "also what the host and the segment send");
    example("airlite-opt --air-relay-gets in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    const Senders senders(module);
    std::vector<HerdOp> herds;
    module.walk([&](Operation& op) {
      if (const auto herd = dynCast<HerdOp>(&op)) herds.push_back(herd);
    });
    bool changed = false;
    for (const HerdOp herd : herds) {
      Relay relay(herd, senders, fromAll_);
      if (!relay.isNeeded(static_cast<size_t>(std::max<int64_t>(0, most_)))) continue;
      if (const std::string_view why = relay.obstacle(); !why.empty()) {
        context.remark(*herd.op(), why);
        continue;
      }
      relay.run();
      changed = true;
    }
    if (changed)
      for (const CountedEffect effect : {CountedEffect::ChannelPut, CountedEffect::ChannelGet})
        context.declareEffectChange(effect, "data between cores come by way of L2");
    return changedIf(changed);
  }

 private:
  int64_t most_ = 2;
  bool fromAll_ = false;
};

}  // namespace

void registerRelayGets(PassRegistry& registry) { registry.add<RelayGets>(); }

}  // namespace airlite
