// air-relay-gets: what a core gets from more cores than it has DMA channels comes by way of L2.
//
// Matches herds directly in a segment whose cores get from more than `most` places of channels, some of them filled by
// cores. For each core, and each get from a core in the order of its program and in the loops around it, the segment
// gets the data into L2 memory and puts them into a channel with one place for each core, from which all of these gets
// take. So one DMA channel of the core does, and a memory tile takes from more cores than a core can.
//
// Each of these transfers waits for the one before it. The segment takes what the core would take next, so it
// waits for no sender for which the core would not have waited.
//
// Declines, with a remark: asynchronous gets, gets in other loops than scf.for with constant bounds, indices that are not constants and ids,
// sizes that are not constant, broadcasts, packets and channels that hold several transfers.
#include "AccessLists.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"
#include "transform/hierarchy/Hierarchy.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace airlite {

namespace {

using air::ChannelAccessOp;
using air::HerdOp;

/// Channels of a module into which only cores put.
class CoreChannels {
 public:
  explicit CoreChannels(Operation& module) {
    module.walk([&](Operation& op) {
      if (!isa<air::ChannelPutOp>(&op)) return;
      const std::string name(ChannelAccessOp(&op).channelName());
      (op.parentOf<HerdOp>() ? ofCores_ : ofOthers_).insert(name);
    });
  }

  bool fills(ChannelAccessOp get) const {
    const std::string name(get.channelName());
    return ofCores_.contains(name) && !ofOthers_.contains(name);
  }

 private:
  std::set<std::string> ofCores_, ofOthers_;
};

bool isId(Value value, HerdOp herd) {
  return value.isBlockArgument() && value.argumentBlock() == &herd.body() &&
         value.index() < herd.numDims();
}

/// A herd whose gets from cores go by way of L2.
class Relay {
 public:
  Relay(HerdOp herd, const CoreChannels& channels) : herd_(herd) {
    herd->walk(
        [&](Operation& op) {
          if (!isa<air::ChannelGetOp>(&op)) return;
          const ChannelAccessOp get(&op);
          places_.insert(placeOf(get));
          if (channels.fills(get)) gets_.push_back(&op);
        },
        WalkOrder::PreOrder);
  }

  bool isNeeded(size_t most) const { return places_.size() > most && !gets_.empty(); }

  std::string_view obstacle() const {
    if (!isa<air::SegmentOp>(herd_->parentOp()) || !herd_.constantSizes())
      return "stays: it is not directly in a segment, or its sizes are not constants";
    for (Operation* op : gets_) {
      const ChannelAccessOp get(op);
      if (const std::string_view why = obstacleTo(get); !why.empty()) return why;
    }
    return {};
  }

  void run() {
    std::vector<int64_t> sizes = *herd_.constantSizes();
    own_ = air::createChannel(*herd_.op(), sizes, "npu_dma_stream");
    sizes.resize(2, 1);
    std::vector<Value> tokens;
    for (ids_[0] = 0; ids_[0] < sizes[0]; ++ids_[0])
      for (ids_[1] = 0; ids_[1] < sizes[1]; ++ids_[1]) {
        Builder builder = Builder::before(*herd_.op());
        const Type token = DialectType::get(builder.context(), "air.async.token");
        const Value none = builder.create(herd_->location(), "air.wait_all", {}, {token})->result();
        tokens.push_back(relay(builder, herd_.body(), none));
      }
    free(tokens);
    for (Operation* op : gets_)
      takeFromSegment(*op);
  }

 private:
  /// A channel and its indices: constants, or -1 and less for ids. Others are no obstacle yet.
  std::pair<std::string, std::vector<int64_t>> placeOf(ChannelAccessOp get) const {
    std::vector<int64_t> indices;
    for (const Value index : get.indices().vec())
      indices.push_back(constantIntOf(index).value_or(-1 - static_cast<int64_t>(index.index())));
    return {std::string(get.channelName()), indices};
  }

  std::string_view obstacleTo(ChannelAccessOp get) const {
    const air::ChannelOp channel = get.channel();
    if (!channel || channel.broadcastShape() || channel.depth() != 1 ||
        channel.canonicalType() != "npu_dma_stream")
      return "stays: a channel is a broadcast, of packets or a cascade, or holds several transfers";
    for (const Value index : get.indices().vec())
      if (!constantIntOf(index) && !isId(index, herd_))
        return "stays: an index of a channel is no constant and no id";
    if (get.token()) return "stays: a get is asynchronous";
    if (!air::elementsOf(get.access())) return "stays: a size is not constant";
    for (Operation* at = get->parentOp(); at != herd_.op(); at = at->parentOp())
      if (!isa<scf::ForOp>(at) || !scf::ForOp(at).tripCount())
        return "stays: a get is in something else than loops of constant bounds";
    return {};
  }

  /// The core gets from its place.
  void takeFromSegment(Operation& get) {
    std::vector<Value> ids;
    for (unsigned i = 0; i < herd_.numDims(); ++i)
      ids.push_back(herd_.body().argument(i));
    get.setAttr("chan_name", SymbolRefAttr::get(get.context(), own_));
    get.setOperandGroup(1, ids);
  }

  /// The transfers for the gets in `body`, after `token`; the token of the last one.
  Value relay(Builder& builder, Block& body, Value token) {
    for (Operation& op : body.ops()) {
      if (std::ranges::find(gets_, &op) != gets_.end())
        token = relay(builder, ChannelAccessOp(&op), token);
      const auto loop = dynCast<scf::ForOp>(&op);
      if (loop && holdsGets(op)) token = relay(builder, loop, token);
    }
    return token;
  }

  Value relay(Builder& builder, scf::ForOp loop, Value token) {
    const Location location = loop->location();
    const auto number = [&](int64_t value) { return builder.constantIndex(location, value); };
    const scf::ForOp made = scf::ForOp::create(
        builder, location, number(0), number(*loop.tripCount()), number(1), std::span(&token, 1));
    Builder inside = Builder::atEnd(made.body());
    const Value last = relay(inside, loop.body(), made.regionIterArg(0));
    scf::YieldOp::create(inside, location, std::span(&last, 1));
    return made->result();
  }

  Value relay(Builder& builder, ChannelAccessOp get, Value token) {
    const Location location = get->location();
    const Value memory = memoryFor(get);
    const auto number = [&](int64_t value) { return builder.constantIndex(location, value); };
    std::vector<Value> from, to;
    for (const Value index : get.indices().vec())
      from.push_back(number(isId(index, herd_) ? ids_[index.index()] : *constantIntOf(index)));
    for (unsigned i = 0; i < herd_.numDims(); ++i)
      to.push_back(number(ids_[i]));
    Operation* taken =
        air::createChannelGet(builder, location, get.channelName(), from, memory, token);
    return air::createChannelPut(builder, location, own_, to, memory, taken->result())->result();
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

  bool holdsGets(Operation& op) const {
    return std::ranges::any_of(gets_, [&](Operation* get) { return op.isProperAncestor(get); });
  }

  HerdOp herd_;
  std::vector<Operation*> gets_;  // from cores
  std::set<std::pair<std::string, std::vector<int64_t>>> places_;
  std::string own_;  // the channel from the segment
  std::vector<Operation*> memory_;
  int64_t ids_[2] = {0, 0};  // of the core whose gets are written down
};

class RelayGets : public Pass {
 public:
  RelayGets() : Pass("air-relay-gets", "Brings what cores get from many cores by way of L2") {
    anchor("builtin.module");
    option("most", most_, "places of channels that a core can get from itself");
    example("airlite-opt --air-relay-gets in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    const CoreChannels channels(module);
    std::vector<HerdOp> herds;
    module.walk([&](Operation& op) {
      if (const auto herd = dynCast<HerdOp>(&op)) herds.push_back(herd);
    });
    bool changed = false;
    for (const HerdOp herd : herds) {
      Relay relay(herd, channels);
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
};

}  // namespace

void registerRelayGets(PassRegistry& registry) { registry.add<RelayGets>(); }

}  // namespace airlite
