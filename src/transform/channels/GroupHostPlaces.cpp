// air-group-host-places: places of channels between the host and cores share channels of the host, by way of L2.
//
// Matches channels with more than `groups` places, of which a launch has one end, in memory of the host, and herds of one of its
// segments the other one. The places are divided into `groups`, in row-major order. What the host gets or puts of a group goes through
// one place of a new channel, in the order of the host; the segment has L2 memory for all that goes through a place.
//
//   host: get o[0]; get o[1]   ->   host: get g[0]; get g[0]   segment: get o[0] to m0; get o[1] to m1; put m0 to g[0]; put m1 to g[0]
//
// So many cores can exchange data with each other, where fewer cores could not do the same (air-fit-herds): no core waits until
// the host has taken what another one sent. What a group gets is handed on when all of it is there. Parallel
// loops of the host become copies; tokens give what is asynchronous the order of the program (air-enforce-channel-fifo-order).
//
// Declines, with a remark: other loops of the host than those with constant bounds, parallel ones of blocking transfers of several
// channels, conditions, indices that do not
// come from parallel loops, transfers of several sizes, broadcasts, cascades, packets with headers that somebody sees, channels that hold
// several transfers, and more than `max-bytes` of a group.
#include "AccessLists.hpp"
#include "ChannelOrder.hpp"
#include "MovementLoops.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/IndexValues.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/pass/Pass.hpp"
#include "transform/hierarchy/Hierarchy.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace airlite {

namespace {

using air::ChannelAccessOp;

constexpr std::string_view kGroupKind = "npu_dma_stream";
/// Transfers of the host, written out: more than a sequence should have.
constexpr int64_t kMostTransfers = 4096;

std::optional<int64_t> numberOf(Value value) {
  return computeNumber(value, [](Value operand) { return numberOf(operand); });
}

/// Times that a loop of constant bounds runs; none: other ops, and loops with other values than tokens.
std::optional<int64_t> iterationsOf(Operation& op) {
  if (!std::ranges::all_of(op.resultTypes(), air::isTokenType)) return std::nullopt;
  if (isa<scf::ForOp>(&op)) return scf::ForOp(&op).tripCount();
  if (!isa<scf::ParallelOp>(&op)) return std::nullopt;
  const scf::ParallelOp loop(&op);
  int64_t rounds = 1;
  for (unsigned i = 0; i < loop.numLoops(); ++i) {
    const auto lower = constantIntOf(loop.lowerBounds()[i]),
               upper = constantIntOf(loop.upperBounds()[i]), step = constantIntOf(loop.steps()[i]);
    const auto count = lower && upper && step ? scf::constantTripCount(*lower, *upper, *step)
                                              : std::optional<int64_t>();
    if (!count || __builtin_mul_overflow(rounds, *count, &rounds)) return std::nullopt;
  }
  return rounds;
}

/// A channel between the host and cores, in one launch.
class HostChannel {
 public:
  HostChannel(air::ChannelOp channel, const std::vector<Operation*>& accesses) : channel_(channel) {
    for (Operation* op : accesses)
      (op->parentOf<air::HerdOp>() ? ofCores_ : ofHost_).push_back(op);
  }

  air::ChannelOp channel() const { return channel_; }
  air::LaunchOp launch() const { return ofHost_.front()->parentOf<air::LaunchOp>(); }
  air::SegmentOp segment() const { return ofCores_.front()->parentOf<air::SegmentOp>(); }
  bool isToHost() const { return !ChannelAccessOp(ofHost_.front()).isPut(); }
  int64_t elements() const { return *air::elementsOf(ChannelAccessOp(ofHost_.front()).access()); }
  Type element() const {
    return elementTypeOrSelf(ChannelAccessOp(ofHost_.front()).access().memref.type());
  }
  int64_t places() const {
    int64_t all = 1;
    for (const int64_t size : channel_.sizes())
      all *= size;
    return all;
  }

  /// Between a launch and cores of one of its segments.
  bool isOne() const {
    if (ofHost_.empty() || ofCores_.empty() || !launch() || !segment()) return false;
    const bool ofOneLaunch = std::ranges::all_of(ofHost_, [&](Operation* op) {
      return op->parentOf<air::LaunchOp>().op() == launch().op() &&
             !op->parentOf<air::SegmentOp>() &&
             air::memoryLevel(ChannelAccessOp(op).access().memref.type()) == air::MemoryLevel::L3;
    });
    return ofOneLaunch && segment()->parentOp() == launch().op() &&
           std::ranges::all_of(ofCores_, [&](Operation* op) {
             return op->parentOf<air::SegmentOp>().op() == segment().op();
           });
  }

  std::string_view obstacle(int64_t groups, int64_t maxBytes) const {
    if (channel_.broadcastShape() || channel_.depth() != 1 || !isPlainKind())
      return "stays: it is a broadcast, a cascade or of packets with headers, or holds several "
             "transfers";
    for (Operation* op : ofCores_)
      if (air::elementsOf(ChannelAccessOp(op).access()) != sizeOfAll())
        return "stays: its transfers have several sizes, or a size is not constant";
    int64_t transfers = 0;
    for (Operation* op : ofHost_) {
      if (const std::string_view why = obstacleTo(*op); !why.empty()) return why;
      transfers += timesOf(*op);
      if (transfers > kMostTransfers) return "stays: the host has too many transfers";
    }
    const int64_t bits = element().bitWidth();
    const int64_t all = transfers * elements() * ((bits + 7) / 8);
    return (all + groups - 1) / groups > maxBytes ? "stays: L2 has no room for all of a group"
                                                  : std::string_view();
  }

  /// Now parallel loops of the host are written out, and places are numbers; else why not.
  std::string_view writeOutParallels() {
    Operation& launch = *this->launch().op();
    while (Operation* loop = outermostParallel()) {
      if (!air::unrollParallel(*loop, isForThisAlone(*loop)).empty())
        return "stays: something in a parallel loop of the host blocks, or it has too many "
               "iterations";
      ofHost_.clear();
      for (Operation* op : air::channelAccessesIn(launch))
        if (ChannelAccessOp(op).channel().op() == channel_.op() && !op->parentOf<air::HerdOp>())
          ofHost_.push_back(op);
    }
    return std::ranges::all_of(ofHost_, [&](Operation* op) { return placeOf(*op).has_value(); })
               ? std::string_view()
               : "stays: an index of the host does not come from a parallel loop";
  }

  /// None: it is not known.
  std::optional<int64_t> placeOf(Operation& op) const {
    const std::vector<int64_t> sizes = channel_.sizes();
    const std::vector<Value> indices = ChannelAccessOp(&op).indices().vec();
    int64_t place = 0;
    for (size_t i = 0; i < indices.size(); ++i) {
      const auto index = numberOf(indices[i]);
      if (!index || *index < 0 || i >= sizes.size() || *index >= sizes[i]) return std::nullopt;
      place = place * sizes[i] + *index;
    }
    return place;
  }
  const std::vector<Operation*>& ofHost() const { return ofHost_; }
  /// How often a transfer of the host runs, at most one time more than may be written out.
  int64_t timesOf(Operation& op) const {
    int64_t times = 1;
    for (Operation* at = op.parentOp(); at != launch().op(); at = at->parentOp())
      if (__builtin_mul_overflow(times, *iterationsOf(*at), &times)) return kMostTransfers + 1;
    return std::min(times, kMostTransfers + 1);
  }

 private:
  bool isPlainKind() const {
    for (const std::string_view header :
         {"keep_pkt_header", "packet_ids", "air.src_writes_pkt_header"})
      if (channel_->hasAttr(header)) return false;
    return channel_.canonicalType() == kGroupKind || channel_.canonicalType() == "npu_dma_packet";
  }

  std::optional<int64_t> sizeOfAll() const {
    return air::elementsOf(ChannelAccessOp(ofHost_.front()).access());
  }

  std::string_view obstacleTo(Operation& op) const {
    if (air::elementsOf(ChannelAccessOp(&op).access()) != sizeOfAll() || !sizeOfAll())
      return "stays: its transfers have several sizes, or a size is not constant";
    for (Operation* at = op.parentOp(); at != launch().op(); at = at->parentOp())
      if (!iterationsOf(*at))
        return "stays: a transfer is in something else than loops of constant bounds";
    return {};
  }

  /// Blocking transfers of this channel.
  bool isForThisAlone(Operation& loop) const {
    bool isAlone = loop.numResults() == 0;
    loop.walk([&](Operation& op) {
      if (&op == &loop || op.hasTrait(Trait::Terminator)) return;
      const bool isOwn = air::isChannelAccess(op) &&
                         ChannelAccessOp(&op).channel().op() == channel_.op() &&
                         op.numResults() == 0;
      isAlone =
          isAlone && (isOwn || isa<scf::ForOp>(&op) || isa<scf::ParallelOp>(&op) || isPure(op));
    });
    return isAlone;
  }

  Operation* outermostParallel() const {
    for (Operation* op : ofHost_) {
      Operation* found = nullptr;
      for (Operation* at = op->parentOp(); at != launch().op(); at = at->parentOp())
        if (isa<scf::ParallelOp>(at)) found = at;
      if (found) return found;
    }
    return nullptr;
  }

  air::ChannelOp channel_;
  std::vector<Operation*> ofHost_, ofCores_;
};

/// Writes what the segment does for one channel.
class Grouping {
 public:
  Grouping(HostChannel& channel, int64_t groups)
      : channel_(channel),
        groups_(groups),
        body_(channel.segment().body()),
        token_(DialectType::get(channel.channel()->context(), "air.async.token")),
        location_(channel.channel()->location()) {}

  void run() {
    const int64_t sizes[] = {groups_};
    name_ = air::createChannel(*channel_.segment().op(), sizes, kGroupKind);
    for (Operation* op : channel_.ofHost())
      groupOf_[op] = groupOf(*channel_.placeOf(*op));
    Builder builder = Builder::before(body_.front());
    allocate(builder);
    std::vector<Value> ends;
    for (int64_t group = 0; group < groups_; ++group)
      if (countIn(channel_.launch().body(), group)) addGroup(builder, group, ends);
    sendThroughGroups();
    builder = Builder::before(body_.back());
    builder.create(location_, "air.wait_all", ends, {});
    for (const auto& [place, memory] : memory_)
      memref::DeallocOp::create(builder, location_, memory);
  }

 private:
  /// L2 memory with a row for each transfer of a place.
  void allocate(Builder& builder) {
    std::map<int64_t, int64_t> rows;
    for (Operation* op : channel_.ofHost())
      rows[*channel_.placeOf(*op)] += channel_.timesOf(*op);
    for (const auto& [place, count] : rows) {
      const int64_t shape[] = {count, channel_.elements()};
      const Attribute level = IntegerAttr::get(IntegerType::get(builder.context(), 64), 1);
      const MemRefType type = MemRefType::get(builder.context(), shape, channel_.element());
      memory_[place] =
          memref::AllocOp::create(builder, location_, type.withMemorySpace(level)).result();
    }
  }

  void addGroup(Builder& builder, int64_t group, std::vector<Value>& ends) {
    Block& ofHost = channel_.launch().body();
    const Value start = waitFor(builder, {});
    if (!channel_.isToHost()) {
      const Value all = exchangeWithHost(builder, ofHost, group, start);
      for (const Value end : exchangeWithCores(builder, group, all))
        ends.push_back(end);
      return;
    }
    const Value all = waitFor(builder, exchangeWithCores(builder, group, start));
    ends.push_back(exchangeWithHost(builder, ofHost, group, all));
  }

  Value waitFor(Builder& builder, const std::vector<Value>& tokens) const {
    return builder.create(location_, "air.wait_all", tokens, std::span(&token_, 1))->result();
  }

  std::vector<Value> exchangeWithCores(Builder& builder, int64_t group, Value start) {
    std::vector<Value> ends;
    for (const auto& [place, memory] : memory_)
      if (groupOf(place) == group) ends.push_back(exchangeWithCore(builder, place, start));
    return ends;
  }

  int64_t groupOf(int64_t place) const { return place * groups_ / channel_.places(); }

  /// All transfers of a place, one after the other.
  Value exchangeWithCore(Builder& builder, int64_t place, Value start) {
    const Value memory = memory_.at(place);
    const int64_t rows = memory.type().cast<MemRefType>().dim(0);
    const std::string name(channel_.channel().symbol());
    const std::vector<int64_t> sizes = channel_.channel().sizes();
    std::vector<Value> of(sizes.size());
    for (size_t i = sizes.size(), rest = static_cast<size_t>(place); i-- > 0;) {
      const auto size = static_cast<size_t>(sizes[i]);
      of[i] = builder.constantIndex(location_, static_cast<int64_t>(rest % size));
      rest /= size;
    }
    if (rows == 1) return exchange(builder, name, of, place, {}, !channel_.isToHost(), start);
    const scf::ForOp loop =
        scf::ForOp::create(builder, location_, builder.constantIndex(location_, 0),
                           builder.constantIndex(location_, rows),
                           builder.constantIndex(location_, 1), std::span(&start, 1));
    Builder inside = Builder::atEnd(loop.body());
    const Value end = exchange(inside, name, of, place, {0, {{loop.inductionVar(), 1}}},
                               !channel_.isToHost(), loop.regionIterArg(0));
    scf::YieldOp::create(inside, location_, std::span(&end, 1));
    return loop->result();
  }

  /// What the host does in `body` for a group, in its order and in loops like its own.
  Value exchangeWithHost(Builder& builder, Block& body, int64_t group, Value order) {
    for (Operation& op : body.ops()) {
      if (const auto found = groupOf_.find(&op);
          found != groupOf_.end() && found->second == group) {
        const int64_t place = *channel_.placeOf(op);
        const Value of = builder.constantIndex(location_, group);
        order = exchange(builder, name_, {of}, place, rows_[place], channel_.isToHost(), order);
        ++rows_[place].constant;
      }
      if (isa<scf::ForOp>(&op) && countIn(scf::ForOp(&op).body(), group))
        order = exchangeWithHost(builder, scf::ForOp(&op), group, order);
    }
    return order;
  }

  Value exchangeWithHost(Builder& builder, scf::ForOp loop, int64_t group, Value order) {
    const int64_t rounds = *loop.tripCount();
    const scf::ForOp made =
        scf::ForOp::create(builder, location_, builder.constantIndex(location_, 0),
                           builder.constantIndex(location_, rounds),
                           builder.constantIndex(location_, 1), std::span(&order, 1));
    std::map<int64_t, int64_t> ofRound;
    for (const auto& [place, memory] : memory_)
      ofRound[place] = countOf(loop.body(), place);
    for (const auto& [place, count] : ofRound)
      if (count) rows_[place].terms.push_back({made.inductionVar(), count});
    Builder inside = Builder::atEnd(made.body());
    const Value end = exchangeWithHost(inside, loop.body(), group, made.regionIterArg(0));
    scf::YieldOp::create(inside, location_, std::span(&end, 1));
    for (const auto& [place, count] : ofRound) {
      if (!count) continue;
      rows_[place].terms.pop_back();
      rows_[place].constant += (rounds - 1) * count;
    }
    return made->result();
  }

  /// Transfers of the host in one run of `body`, for a group or of a place.
  int64_t countIn(Block& body, int64_t group) const {
    return count(body, [&](Operation& op) { return groupOf_.at(&op) == group; });
  }
  int64_t countOf(Block& body, int64_t place) const {
    return count(body, [&](Operation& op) { return *channel_.placeOf(op) == place; });
  }
  int64_t count(Block& body, FunctionRef<bool(Operation&)> counts) const {
    int64_t all = 0;
    for (Operation& op : body.ops()) {
      if (groupOf_.contains(&op)) all += counts(op);
      if (isa<scf::ForOp>(&op))
        if (const int64_t inner = count(scf::ForOp(&op).body(), counts))
          all += inner * *iterationsOf(op);
    }
    return all;
  }

  /// One row of the memory of a place goes to a channel (`isPut`) or comes from it.
  Value exchange(Builder& builder, const std::string& name, const std::vector<Value>& indices,
                 int64_t place, const analysis::LinearSum& row, bool isPut, Value after) {
    const Value memory = memory_.at(place);
    const auto type = memory.type().cast<MemRefType>();
    Operation* made = isPut
                          ? air::createChannelPut(builder, location_, name, indices, memory, after)
                          : air::createChannelGet(builder, location_, name, indices, memory, after);
    if (type.dim(0) > 1)
      air::writeAccessList(
          ChannelAccessOp(made),
          {{{row, 1, type.dim(1), Value()}, {{}, type.dim(1), 1, Value()}}, type.numElements()},
          *made, constants_);
    return made->result();
  }

  void sendThroughGroups() {
    for (const auto& [op, group] : groupOf_) {
      const Value index = Builder::before(*op).constantIndex(op->location(), group);
      op->setAttr("chan_name", SymbolRefAttr::get(op->context(), name_));
      op->setOperandGroup(1, std::span(&index, 1));
    }
  }

  HostChannel& channel_;
  int64_t groups_;
  Block& body_;
  Type token_;
  Location location_;
  std::string name_;  // of the channel between the host and the segment
  std::map<Operation*, int64_t> groupOf_;
  std::map<int64_t, Value> memory_;              // of each place
  std::map<int64_t, analysis::LinearSum> rows_;  // of each place: the next one that the host has
  air::IndexConstants constants_;
};

class GroupHostPlaces : public Pass {
 public:
  GroupHostPlaces()
      : Pass("air-group-host-places",
             "Brings what many cores exchange with the host by way of L2") {
    anchor("builtin.module");
    option("groups", groups_, "places of the new channels");
    option("max-bytes", maxBytes_, "of L2 for a group");
    example("airlite-opt --air-group-host-places in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    std::map<Operation*, std::vector<Operation*>> accesses;
    std::vector<Operation*> channels;
    for (Operation* op : air::channelAccessesIn(module))
      if (Operation* channel = ChannelAccessOp(op).channel().op()) {
        if (accesses[channel].empty()) channels.push_back(channel);
        accesses[channel].push_back(op);
      }
    bool changed = false;
    for (Operation* op : channels) {
      HostChannel channel(air::ChannelOp(op), accesses[op]);
      if (groups_ < 1 || channel.places() <= groups_ || !channel.isOne()) continue;
      if (const std::string_view why = channel.obstacle(groups_, maxBytes_); !why.empty()) {
        context.remark(*op, why);
        continue;
      }
      changed = true;
      if (const std::string_view why = channel.writeOutParallels(); !why.empty())
        context.remark(*op, why);
      else
        Grouping(channel, groups_).run();
    }
    if (changed) air::keepChannelOrder(module, context);
    if (changed)
      for (const CountedEffect effect : {CountedEffect::ChannelPut, CountedEffect::ChannelGet})
        context.declareEffectChange(effect, "data between cores and the host come by way of L2");
    return changedIf(changed);
  }

 private:
  int64_t groups_ = aie::defaultNpu().columns,
          maxBytes_ = aie::defaultNpu().limits(aie::TileKind::Mem).memoryBytes / 2;
};

}  // namespace

void registerGroupHostPlaces(PassRegistry& registry) { registry.add<GroupHostPlaces>(); }

}  // namespace airlite
