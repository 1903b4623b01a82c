// air-split-l2-memref: L2 buffers become several, so that they can lie in several memory tiles.
//
// Looks at the segments whose herds (of those with one name the largest) have more than
// `tiles-per-l2-tile` cores, and in them at L2 allocations that only channel ops and a dealloc use.
// scf.parallel around channel ops is unrolled first.
//
// Along one dimension of the buffer each access must take all of it, or lie in one part; the parts
// come from the accesses of the second kind, at least two of them. They are runs, or blocks at even
// distances when a loop goes from block to block (each block less than a step of it). The buffer
// becomes one smaller buffer for each part:
//  - an access to one part is moved to it; offsets and strides are counted anew, a loop over blocks
//    then counts them
//  - an access to all becomes one for each part, over a new bundle of channels: the number of the
//    part in front of the old indices. The other end of its channel is split alike: it sends (takes)
//    for each part the elements of that part, in their order. Elements that no part holds are not
//    sent any more.
//
// Declines, with a remark: `air.no_split` on the alloc or its execute, an integer `air.memtile_col`
// on the alloc; other uses of the buffer; accesses that are not boxes of its coordinates; parts that
// overlap and are written one by one, or that are not all that is sent on; a channel with ends in
// several functions or in a herd, a broadcast, indices that are not constant, an end that is
// written in an order of its own, or other users. `max-launch-channels-mm2s` (puts) and
// `max-launch-channels-s2mm` (gets) set: a split after which a launch would have more channel ends
// than that in this direction, with a remark that is always shown. `least-row` set: a buffer is
// split along its last dimension where the rows of a part are as long, and what a core moves would not
// be contiguous otherwise; one that is sent on only where they are as long as `request`, too. `least-part` set: parts of which
// a launch moves fewer bytes, since each takes a transfer of its own, or whose rows are shorter than
// `least-row`, but for `air.kept` on the alloc. `request` set: parts of which rows are shorter than a request of the memory
// of the host, and that lie beside each other in its rows, become one part, which several transfers fill with a share of
// its rows each (SplitL2Plan.hpp).
#include "SplitL2Rewrite.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/pass/Pass.hpp"
#include "transform/channels/ChannelSpecializer.hpp"
#include "transform/channels/MovementLoops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace airlite {

namespace {

using air::ChannelAccessOp;
using air::SpanningAccess;
using air::SplitPlan;

/// Cores of the herds in a segment; herds with one name are one after the other on the same cores.
int64_t countTiles(Operation& segment) {
  std::unordered_map<std::string, int64_t> named;
  int64_t tiles = 0;
  segment.walk([&](Operation& op) {
    if (!isa<air::HerdOp>(&op)) return;
    air::HerdOp herd(&op);
    int64_t cores = 1;
    auto sizes = herd.constantSizes();
    for (int64_t size : sizes ? *sizes : std::vector<int64_t>())
      cores *= std::clamp<int64_t>(size, 0, 1 << 15);
    if (herd.symbol().empty()) {
      tiles += cores;
      return;
    }
    int64_t& known = named[std::string(herd.symbol())];
    known = std::max(known, cores);
  });
  for (const auto& [name, cores] : named)
    tiles += cores;
  return tiles;
}

/// What the functions of a module share: which of them use a channel, and names that are taken.
class ChannelTable {
 public:
  void read(Operation& module) {
    module.walk([&](Operation& op) {
      if (std::string_view name = symbolName(op); !name.empty()) names_.emplace(name);
      if (!air::isChannelAccess(op)) return;
      Operation* function = op.parentOfName("func.func");
      auto [entry, isNew] =
          functionOf_.emplace(std::string(ChannelAccessOp(&op).channelName()), function);
      if (!isNew && entry->second != function) entry->second = nullptr;
    });
  }
  bool isOnlyIn(const std::string& channel, Operation& function) const {
    auto entry = functionOf_.find(channel);
    return entry != functionOf_.end() && entry->second == &function;
  }
  std::string freeName() {
    while (names_.count(fmt::format("channel_{}", next_)))
      ++next_;
    return *names_.insert(fmt::format("channel_{}", next_)).first;
  }

 private:
  std::unordered_set<std::string> names_;
  std::unordered_map<std::string, Operation*> functionOf_;
  unsigned next_ = 0;
};

/// A channel that spanning accesses use, and all that use it.
struct SplitChannel {
  air::ChannelOp channel;
  std::vector<std::pair<SplitPlan*, const SpanningAccess*>> near;
  std::vector<air::FarAccess> far;
};

struct Caps {
  int64_t puts = 0, gets = 0;  // 0: none
  int64_t leastPart = 0;       // bytes
  int64_t leastRow = 0;        // bytes
  int64_t requestBytes = 0;    // of the memory of the host
};

/// One class: whether a plan is accepted depends on all other plans of the function.
class FunctionSplitter {
 public:
  FunctionSplitter(Operation& function, const Caps& caps, ChannelTable& table, PassContext& context)
      : function_(function), caps_(caps), table_(table), context_(context), rewriter_(constants_) {}

  bool run(int64_t tilesPerL2) {
    std::vector<Operation*> segments;
    function_.walk([&](Operation& op) {
      if (isa<air::SegmentOp>(&op) && countTiles(op) > tilesPerL2) segments.push_back(&op);
    });
    bool changed = false;
    for (Operation* segment : segments)
      if (hasBuffers(*segment)) changed |= unrollParallels(*segment);
    // Those inside of loops are others now.
    std::vector<Operation*> allocs;
    for (Operation* segment : segments)
      collectAllocs(*segment, allocs);
    if (allocs.empty()) return changed;
    findPlans(allocs);
    checkChannels();
    declineShortParts();
    applyCaps();
    checkChannels();
    return rewrite() || changed;
  }

 private:
  void decline(Operation& alloc, std::string_view why) {
    context_.remark(alloc, fmt::format("not split: {}", why));
  }

  static bool isBuffer(Operation& op) {
    return isa<memref::AllocOp>(&op) &&
           air::memoryLevel(op.result().type()) == air::MemoryLevel::L2;
  }
  /// Why a buffer stays whole; empty: it need not.
  static std::string_view wishAgainst(Operation& op) {
    Operation& parent = *op.parentOp();
    if (op.hasAttr("air.no_split") ||
        (isa<air::ExecuteOp>(&parent) && parent.hasAttr("air.no_split")))
      return "it has air.no_split";
    return op.attrOf<IntegerAttr>("air.memtile_col") ? "it has a memory tile (air.memtile_col)"
                                                     : "";
  }
  static bool hasBuffers(Operation& segment) {
    return segment.walkWith([](Operation& op) {
      const bool isMeant = isBuffer(op) && wishAgainst(op).empty();
      return isMeant ? WalkResult::Interrupt : WalkResult::Advance;
    }) == WalkResult::Interrupt;
  }

  void collectAllocs(Operation& segment, std::vector<Operation*>& allocs) {
    segment.walk([&](Operation& op) {
      if (!isBuffer(op)) return;
      const std::string_view why = wishAgainst(op);
      if (!why.empty()) return decline(op, why);
      allocs.push_back(&op);
    });
  }

  bool unrollParallels(Operation& segment) {
    std::vector<Operation*> loops;
    segment.walk([&](Operation& op) {
      if (!isa<scf::ParallelOp>(&op) || op.parentOfName("air.herd")) return;
      bool moves = op.walkWith([](Operation& inner) {
        return air::isChannelAccess(inner) ? WalkResult::Interrupt : WalkResult::Advance;
      }) == WalkResult::Interrupt;
      if (moves) loops.push_back(&op);
    });
    bool changed = false;
    for (Operation* loop : loops) {
      std::string_view obstacle = air::unrollParallel(*loop);
      if (!obstacle.empty()) context_.remark(*loop, fmt::format("not unrolled: {}", obstacle));
      changed |= obstacle.empty();
    }
    return changed;
  }

  // -- Plans --------------------------------------------------------------------------------------

  void findPlans(const std::vector<Operation*>& allocs) {
    air::ProgramOrder order;
    function_.walk([&](Operation& op) {
      if (!air::isChannelAccess(op)) return;
      order.emplace(&op, order.size());
      usesOf_[std::string(ChannelAccessOp(&op).channelName())].push_back(ChannelAccessOp(&op));
    });
    plans_.reserve(allocs.size());
    for (Operation* alloc : allocs) {
      std::string why;
      if (auto plan = air::planSplit(*alloc, order, {caps_.leastRow, caps_.requestBytes}, why))
        joinShort(plans_.emplace_back(std::move(*plan)));
      else if (!why.empty())
        decline(*alloc, why);
    }
    isAccepted_.assign(plans_.size(), true);
  }

  size_t numberOf(const SplitPlan& plan) const { return static_cast<size_t>(&plan - &plans_[0]); }

  void reject(const SplitPlan& plan, std::string_view why) {
    if (!isAccepted_[numberOf(plan)]) return;
    isAccepted_[numberOf(plan)] = false;
    decline(*plan.alloc, why);
  }

  /// Until what is left agrees on all channels.
  void checkChannels() {
    for (bool changed = true; changed;) {
      changed = false;
      channels_.clear();
      order_.clear();
      owners_.clear();
      for (SplitPlan& plan : plans_)
        if (isAccepted_[numberOf(plan)]) addChannels(plan);
      for (const std::string& name : order_) {
        SplitChannel& channel = channels_[name];
        std::string why = checkChannel(name, channel);
        if (why.empty()) continue;
        changed = true;
        for (auto [plan, access] : channel.near)
          reject(*plan, fmt::format("channel @{} {}", name, why));
      }
    }
  }

  void addChannels(SplitPlan& plan) {
    for (const SpanningAccess& access : plan.spanning) {
      std::string name(access.op.channelName());
      auto [entry, isNew] = channels_.try_emplace(name);
      if (isNew) order_.push_back(name);
      entry->second.channel = access.op.channel();
      entry->second.near.push_back({&plan, &access});
      owners_.insert(access.op.op());
    }
    for (const air::LocalAccess& access : plan.local)
      owners_.insert(access.op.op());
  }

  static bool hasConstantIndices(ChannelAccessOp op) {
    OperandRange indices = op.indices();
    return std::all_of(indices.begin(), indices.end(),
                       [](Value index) { return constantIntOf(index).has_value(); });
  }

  /// Empty when the channel can be split, else why not.
  std::string checkChannel(const std::string& name, SplitChannel& channel) {
    if (!channel.channel) return "is not declared";
    if (channel.channel.broadcastShape()) return "is a broadcast";
    if (!table_.isOnlyIn(name, function_)) return "is used in other functions";
    auto [plan, access] = channel.near.front();
    for (auto [otherPlan, other] : channel.near) {
      bool isAlike =
          otherPlan->parts.isLike(plan->parts) && other->op.isPut() == access->op.isPut() &&
          other->list.count() == access->list.count() &&
          other->innerCount() == access->innerCount() &&
          other->list.dims[other->listDim].size == access->list.dims[access->listDim].size;
      if (!isAlike) return "serves buffers that are not split alike";
    }
    channel.far.clear();
    size_t near = 0;
    for (ChannelAccessOp op : usesOf_[name]) {
      if (!hasConstantIndices(op)) return "has indices that are not constant";
      if (op.indices().size() != access->op.indices().size())
        return "has different numbers of indices";
      if (op.isPut() == access->op.isPut()) {
        ++near;
        continue;
      }
      if (owners_.count(op.op())) return "ends in another buffer that is split";
      if (op->parentOfName("air.herd")) return "ends in a herd";
      auto far = air::planFarEnd(op, *access);
      if (!far) return "has an end that cannot be split in the same way";
      channel.far.push_back(std::move(*far));
    }
    agreeOnShares(channel);
    return near == channel.near.size() ? "" : "is used by other buffers, too";
  }

  /// Both ends of a channel share rows out, or none.
  static void agreeOnShares(SplitChannel& channel) {
    const std::vector<int64_t>& cuts = channel.near.front().first->cuts;
    const bool areNear = std::ranges::all_of(
        channel.near, [&](const auto& near) { return near.first->cuts == cuts; });
    const bool areFar = std::ranges::all_of(channel.far, [&](const air::FarAccess& far) {
      return cuts.empty() || air::hasRows(far.list, far.listDim, cuts.back());
    });
    if (areNear && areFar) return;
    for (auto& [plan, access] : channel.near)
      plan->cuts.clear();
  }

  // -- Channel ends of launches -------------------------------------------------------------------

  /// Ends of channels in the body of a launch, outside of its segments.
  struct Ends {
    int64_t puts = 0, gets = 0;
    int64_t& of(bool isPut) { return isPut ? puts : gets; }
  };

  /// The host starts the transfer of each part on its own.
  void declineShortParts() {
    if (caps_.leastPart <= 0) return;
    for (SplitPlan& plan : plans_) {
      if (!isAccepted_[numberOf(plan)] || needsSeveralTiles(plan)) continue;
      if (bytesOfPart(plan) < caps_.leastPart)
        reject(plan, "its parts are moved in less time than a transfer takes to start");
      else if (hasShortRows(plan) && !plan.alloc->hasAttr(air::kKept))
        reject(plan, "rows of its parts would be short");
    }
  }

  /// What is kept is cut along its rows even where these are short, but no buffer more often than a request of the memory of
  /// the host is worth.
  void joinShort(SplitPlan& plan) const {
    const bool isCut = plan.alloc->hasAttr(air::kKept) || !hasShortRows(plan);
    if (isCut && caps_.requestBytes > 0) air::joinShortParts(plan, caps_.requestBytes);
  }

  /// The memory of the host takes as long for them as for longer ones.
  bool hasShortRows(const SplitPlan& plan) const {
    const auto bytes = static_cast<int64_t>(plan.type.elementType().bitWidth()) / 8;
    const bool isAlongRows = plan.parts.dim + 1 == plan.type.shape().size();
    return isAlongRows && plan.parts.width * bytes < caps_.leastRow;
  }

  /// More cores put to it, or get from it, than a memory tile has channels.
  static bool needsSeveralTiles(const SplitPlan& plan) {
    constexpr int64_t kChannels = aie::limitsOf(aie::Generation::Aie2, aie::TileKind::Mem).channels;
    const auto puts = std::ranges::count_if(
        plan.local, [](const air::LocalAccess& access) { return access.op.isPut(); });
    return std::max<int64_t>(puts, std::ssize(plan.local) - puts) > kChannels;
  }

  /// Iterations of a launch of one dimension, whose transfers the host starts together: they are one with a dimension more.
  static int64_t iterationsInRow(air::LaunchOp launch) {
    const auto sizes = launch.numDims() == 1 ? launch.constantSizes() : std::nullopt;
    return sizes ? std::max<int64_t>(sizes->front(), 1) : 1;
  }

  /// Of the longest transfer between a launch and a part; more than any where there is none, or where
  /// its length is not known.
  int64_t bytesOfPart(const SplitPlan& plan) {
    const auto bits = static_cast<int64_t>(elementTypeOrSelf(plan.memref.type()).bitWidth());
    std::optional<int64_t> most;
    for (const SpanningAccess& access : plan.spanning)
      for (const air::FarAccess& far : channels_[std::string(access.op.channelName())].far) {
        Operation* launch = launchOf(far.op);
        if (!launch) continue;
        const std::optional<int64_t> elements = far.list.count();
        if (!elements) return INT64_MAX;
        const int64_t rounds = air::roundsOf(*far.op) * iterationsInRow(air::LaunchOp(launch));
        most = std::max(most.value_or(0), *elements * rounds * bits / 8);
      }
    return most ? *most / plan.parts.count() : INT64_MAX;
  }

  void applyCaps() {
    if (caps_.puts <= 0 && caps_.gets <= 0) return;
    std::unordered_map<Operation*, Ends> ends;  // by launch
    for (const auto& [name, uses] : usesOf_)
      for (ChannelAccessOp op : uses)
        if (Operation* launch = launchOf(op)) ++ends[launch].of(op.isPut());
    std::unordered_set<std::string> accepted;
    // What no memory tile can serve alone comes first.
    for (const bool isNeeded : {true, false})
      for (SplitPlan& plan : plans_) {
        if (!isAccepted_[numberOf(plan)] || needsSeveralTiles(plan) != isNeeded) continue;
        if (staysBelow(plan, ends, accepted)) continue;
        isAccepted_[numberOf(plan)] = false;
      }
  }

  /// The launch in which `op` is, when it is in none of its segments.
  static Operation* launchOf(ChannelAccessOp op) {
    Operation* at = op->parentOp();
    while (at && !air::asHierarchy(at))
      at = at->parentOp();
    return at && isa<air::LaunchOp>(at) ? at : nullptr;
  }

  bool staysBelow(SplitPlan& plan, std::unordered_map<Operation*, Ends>& ends,
                  std::unordered_set<std::string>& accepted) {
    auto after = ends;
    for (const SpanningAccess& access : plan.spanning) {
      std::string name(access.op.channelName());
      if (accepted.count(name)) continue;
      for (const air::FarAccess& far : channels_[name].far) {
        Operation* launch = launchOf(far.op);
        if (launch) after[launch].of(far.op.isPut()) += plan.parts.count() * plan.shares() - 1;
      }
      bool isPut = !access.op.isPut();
      int64_t cap = isPut ? caps_.puts : caps_.gets;
      for (auto& [launch, now] : after) {
        if (cap <= 0 || now.of(isPut) <= cap || now.of(isPut) == ends[launch].of(isPut)) continue;
        plan.alloc->emitRemark() << fmt::format(
            "air-split-l2-memref: skipping split (factor={}) on L2 alloc via channel @{} to avoid "
            "pushing launch {} endpoint count from {} to {} (cap={})",
            plan.parts.count(), name, isPut ? "MM2S" : "S2MM", ends[launch].of(isPut),
            now.of(isPut), cap);
        return false;
      }
    }
    for (const SpanningAccess& access : plan.spanning)
      accepted.insert(std::string(access.op.channelName()));
    ends = std::move(after);
    return true;
  }

  // -- Rewriting ----------------------------------------------------------------------------------

  bool rewrite() {
    bool changed = false;
    for (SplitPlan& plan : plans_) {
      if (!isAccepted_[numberOf(plan)]) continue;
      changed = true;
      rewriter_.makeParts(plan);
      for (const SpanningAccess& access : plan.spanning)
        rewriter_.splitNear(plan, access, partChannel(plan, access));
      for (const air::LocalAccess& access : plan.local)
        rewriter_.moveToPart(plan, access);
      rewriter_.eraseBuffer(plan);
    }
    rewriter_.tidyLoops();
    return changed;
  }

  /// The bundle for the channel of `access`, made with the far ends when it is asked for first.
  const air::PartChannel& partChannel(const SplitPlan& plan, const SpanningAccess& access) {
    std::string old(access.op.channelName());
    auto [entry, isNew] = partChannels_.try_emplace(old);
    if (!isNew) return entry->second;
    entry->second = {table_.freeName(), !access.op.indices().empty()};
    declare(channels_[old].channel, entry->second, plan.parts.count() * plan.shares());
    for (const air::FarAccess& far : channels_[old].far)
      rewriter_.splitFar(far, plan, entry->second);
    return entry->second;
  }

  void declare(air::ChannelOp old, const air::PartChannel& channel, int64_t parts) {
    // After the channels at the top of the module, where the old one may be the last.
    Operation* last = old.op();
    while (last->next() && isa<air::ChannelOp>(last->next()))
      last = last->next();
    Operation* made = Builder::after(*last).clone(*old);
    std::vector<int64_t> sizes{parts};
    for (int64_t size : old.sizes())
      sizes.push_back(size);
    if (!channel.hasOldIndices) sizes = {parts, 1};
    Builder builder(made->context());
    std::vector<Attribute> dims;
    for (int64_t size : sizes)
      dims.push_back(builder.i64Attr(size));
    made->setAttr("size", ArrayAttr::get(made->context(), dims));
    made->setAttr(kSymbolName, builder.stringAttr(channel.name));
  }

  Operation& function_;
  Caps caps_;
  ChannelTable& table_;
  PassContext& context_;
  air::IndexConstants constants_;
  air::BufferSplitter rewriter_;
  std::unordered_map<std::string, std::vector<ChannelAccessOp>> usesOf_;
  std::vector<SplitPlan> plans_;
  std::vector<bool> isAccepted_;
  std::unordered_map<std::string, SplitChannel> channels_;
  std::vector<std::string> order_;         // of channels_
  std::unordered_set<Operation*> owners_;  // accesses to buffers that are split
  std::unordered_map<std::string, air::PartChannel> partChannels_;
};

class SplitL2Memref : public Pass {
 public:
  SplitL2Memref() : Pass("air-split-l2-memref", "Splits L2 buffers over several memory tiles") {
    anchor("func.func");
    option("tiles-per-l2-tile", tilesPerL2Tile_, "cores that one memory tile serves");
    option("max-launch-channels-mm2s", maxPuts_,
           "most channel puts in a launch after a split; 0: any");
    option("max-launch-channels-s2mm", maxGets_,
           "most channel gets in a launch after a split; 0: any");
    option(
        "least-row", leastRow_,
        "bytes of a row of a part: a buffer with such rows is split along its last dimension where "
        "that makes what a core moves contiguous; 0: along the first one that can be split");
    option(
        "request", requestBytes_,
        "bytes that the memory of the host gives at a time: parts beside each other with shorter "
        "rows become one part, where cores take them in pieces; 0: none");
    option("least-part", leastPart_, "bytes that a launch moves of each part, at least");
    example("airlite-opt --air-split-l2-memref=tiles-per-l2-tile=4 in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    Operation* module = function.parentOp();
    for (int64_t number :
         {tilesPerL2Tile_, maxPuts_, maxGets_, leastPart_, leastRow_, requestBytes_}) {
      if (number >= 0) continue;
      function.emitError() << "options of air-split-l2-memref must not be negative";
      return PassResult::Failed;
    }
    if (module != module_) {
      table_ = ChannelTable();
      table_.read(*module);
      module_ = module;
    }
    FunctionSplitter splitter(function, {maxPuts_, maxGets_, leastPart_, leastRow_, requestBytes_},
                              table_, context);
    if (!splitter.run(tilesPerL2Tile_)) return PassResult::Unchanged;
    air::tidyTransfers(function);
    air::declareCopies(context);
    return PassResult::Changed;
  }

 private:
  int64_t tilesPerL2Tile_ = 4, maxPuts_ = 0, maxGets_ = 0, leastPart_ = 0, leastRow_ = 0,
          requestBytes_ = 0;
  Operation* module_ = nullptr;  // that the table is of
  ChannelTable table_;
};

}  // namespace

void registerSplitL2Memref(PassRegistry& registry) { registry.add<SplitL2Memref>(); }

}  // namespace airlite
