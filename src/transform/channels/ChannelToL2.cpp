// air-channel-to-l2: what parts of one launch send each other goes through L2 memory.
//
// Matches a channel whose puts and gets all stand in one launch, where ids, constants and numbers of
// loops decide which transfer is which. All that goes through a place of the channel lies in a new buffer, one transfer
// after the other: a put becomes a copy into it, a get a copy out of it, which may take parts of several puts.
//
// - What puts stands before what gets: herds run one after the other, as their program has them. So
//   the whole launch is put in program order first, without tokens, and what puts is moved before what gets
//   where values and memory allow that (PutsBeforeGets.cpp). Loops of other kinds around transfers become scf.for.
// - A herd that puts and gets is divided into rounds with barriers between (HerdRounds.cpp).
// - Where that takes more than half of `max-bytes`, loops around the two ends that run equally often become one loop, with the herd in it (StreamLoops.cpp):
//   the buffer then has what one run of it sends. Rounds that the other end has before its loop or after it are taken out before (EvenRounds.cpp).
// - Buffers that only gather what goes to L3, or hand out what comes from there, are left out (L2Relays.cpp).
//
// For GPUs, where a launch is a kernel, a herd its waves, and L2 the memory of a workgroup. Declines,
// with a remark, and with an attribute at the puts and gets that says why: places that several cores
// put into or get from, other conditions, transfers that are sent several times or that pad, cores that send each other
// other sizes than they take, gets before their puts, circles of cores, more than `max-bytes`.
#include "AccessLists.hpp"
#include "ChannelEvents.hpp"
#include "EvenRounds.hpp"
#include "HerdRounds.hpp"
#include "L2Relays.hpp"
#include "PutsBeforeGets.hpp"
#include "StreamLoops.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/transform/DropTokens.hpp"
#include "airlite/transform/Lowering.hpp"
#include "transform/hierarchy/Hierarchy.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace airlite {

namespace {

using air::Access;
using air::ChannelAccessOp;
using air::ChannelEvent;
using air::ChannelEvents;
using air::HerdOp;
using air::IndexEntry;

/// Where the elements of a site start: first + the sum of factors * runs of the loops around.
struct Slots {
  int64_t first = 0;
  std::vector<int64_t> factors;
};

/// A put or get that some core comes to.
struct Site {
  Operation* op = nullptr;  // gone when its herd is written as rounds: copies have its number
  bool isPut = false;
  Operation* level = nullptr;
  Slots slots;
  int64_t elements = 0;  // of one transfer
};
/// The number of a site, as long as the pass runs.
constexpr std::string_view kSite = "airlite.site";

/// One channel on its way into memory.
struct Plan {
  Operation* channel = nullptr;
  Type elementType;
  std::map<int64_t, Site> sites;   // by number
  std::vector<Operation*> levels;  // whose processes put or get
};

std::vector<scf::ForOp> loopsAround(Operation& site) {
  std::vector<scf::ForOp> loops;
  Operation* level = air::levelAround(site);
  for (Operation* at = site.parentOp(); at != level; at = at->parentOp())
    if (isa<scf::ForOp>(at)) loops.insert(loops.begin(), scf::ForOp(at));
  return loops;
}

/// Where the transfers of one site start, as all of its events have it; none where that is no such sum.
std::optional<Slots> slotsOf(const std::vector<const ChannelEvent*>& events) {
  Slots slots;
  const size_t depth = events.front()->runs.size();
  std::map<std::vector<int64_t>, int64_t> numbers;
  for (const ChannelEvent* event : events) {
    const auto [known, isNew] = numbers.try_emplace(event->runs, event->start);
    if (!isNew && known->second != event->start) return std::nullopt;
  }
  const auto start = numbers.find(std::vector<int64_t>(depth, 0));
  if (start == numbers.end()) return std::nullopt;
  slots.first = start->second;
  for (size_t i = 0; i < depth; ++i) {
    std::vector<int64_t> next(depth, 0);
    next[i] = 1;
    const auto second = numbers.find(next);
    slots.factors.push_back(second == numbers.end() ? 0 : second->second - slots.first);
  }
  for (const auto& [runs, number] : numbers) {
    int64_t sum = slots.first;
    for (size_t i = 0; i < depth; ++i)
      sum += slots.factors[i] * runs[i];
    if (sum != number) return std::nullopt;
  }
  return slots;
}

/// A packet that goes to one of its destinations.
bool hasDestination(Operation& op) {
  const int group = op.def().operandIndex("dest");
  return group >= 0 && !op.operandGroup(static_cast<unsigned>(group)).empty();
}

/// All channels of one launch, or of a round of a loop in it. One class: the place of each transfer depends on all others, and every rewrite on the places.
class LaunchExchange {
 public:
  LaunchExchange(std::map<Operation*, std::vector<Operation*>> channels, Block* scope,
                 int64_t maxBytes, PassContext& context)
      : channels_(std::move(channels)), scope_(scope), maxBytes_(maxBytes), context_(context) {}

  bool run() {
    std::vector<Operation*> accesses;
    for (const auto& [channel, list] : channels_)
      accesses.insert(accesses.end(), list.begin(), list.end());
    for (Operation* op : accesses) {
      if (op->hasAttr("pad_before") || op->hasAttr("pad_after"))
        return decline(*op, "the transfer pads");
      if (air::sendsOf(*op) != 1 || hasDestination(*op))
        return decline(*op, "it sends several times, or to some of its places");
    }
    air::EventReader reader(accesses, scope_);
    if (!reader.read()) return decline(*reader.place(), reader.reason());
    for (const auto& [channel, list] : channels_)
      if (!planChannel(*channel, list, reader.of(channel))) return false;
    if (!orderSides() || !planRounds(reader)) return false;
    // The places of buffers are found while the sites are still there.
    std::vector<Operation*> firsts;
    for (const Plan& plan : plans_)
      firsts.push_back(firstSide(plan));
    for (air::HerdRounds& rounds : rounds_)
      rounds.write();
    for (size_t i = 0; i < plans_.size(); ++i) {
      if (firsts[i]) convert(plans_[i], firsts[i], reader.of(plans_[i].channel).most);
    }
    return true;
  }

 private:
  /// Where it is, for a message at another op.
  static std::string wherePrefix(const Operation& at, const Operation& op) {
    return &at == &op ? "" : " (" + formatLocation(at.context(), at.location()) + ")";
  }

  bool decline(Operation& at, const std::string& reason) {
    for (const auto& [channel, list] : channels_)
      for (Operation* op : list) {
        op->removeAttr(kSite);
        op->setAttr(air::kStays, StringAttr::get(op->context(), reason + wherePrefix(at, *op)));
      }
    context_.remark(at, "channels of cores stay: " + reason);
    return false;
  }

  bool planChannel(Operation& channel, const std::vector<Operation*>& accesses,
                   const ChannelEvents& events) {
    Plan plan;
    plan.channel = &channel;
    for (Operation* op : accesses) {
      plan.elementType = elementTypeOrSelf(ChannelAccessOp(op).access().memref.type());
      Operation* level = air::levelAround(*op);
      if (std::ranges::find(plan.levels, level) == plan.levels.end()) plan.levels.push_back(level);
      std::vector<const ChannelEvent*> own;
      for (const auto* list : {&events.puts, &events.gets})
        for (const ChannelEvent& event : *list)
          if (event.op == op) own.push_back(&event);
      if (own.empty()) continue;  // no core comes there
      const auto slots = slotsOf(own);
      if (!slots) return decline(*op, "its number in the order of transfers is no sum over loops");
      const int64_t number = nextSite_++;
      op->setAttr(kSite, IntegerAttr::getIndex(op->context(), number));
      plan.sites[number] = {op, ChannelAccessOp(op).isPut(), level, *slots, own.front()->elements};
    }
    return fits(plan, events) && keep(std::move(plan));
  }

  bool fits(const Plan& plan, const ChannelEvents& events) {
    int64_t bytes = std::max<int64_t>(1, events.most);
    bool wraps = false;
    for (int64_t size : air::ChannelOp(plan.channel).sizes())
      wraps = wraps || __builtin_mul_overflow(bytes, size, &bytes);
    const int64_t width = (plan.elementType.bitWidth() + 7) / 8;
    wraps = wraps || __builtin_mul_overflow(bytes, width, &bytes);
    if (!wraps && bytes <= maxBytes_) return true;
    return decline(*plan.channel, "its transfers, each with a place of its own, take more than " +
                                      std::to_string(maxBytes_) + " bytes");
  }

  bool keep(Plan plan) {
    plans_.push_back(std::move(plan));
    return true;
  }

  /// The innermost op around all sites.
  static Operation* around(const Plan& plan) {
    const auto isInside = [](Operation* outer, Operation* inner) {
      return outer != inner && outer->isAncestor(inner);
    };
    Operation* at = plan.sites.begin()->second.op->parentOp();
    while (!std::ranges::all_of(plan.sites, [&](const auto& entry) {
      const Site& site = entry.second;
      return isa<HerdOp>(site.level) ? isInside(at, site.level) : isInside(at, site.op);
    }))
      at = at->parentOp();
    return at;
  }

  /// The op right below `outer` that holds the site; null: something else than segments is between
  /// it and the process.
  static Operation* sideOf(const Site& site, Operation* outer) {
    Operation* at = isa<HerdOp>(site.level) ? site.level : site.op;
    bool isInProcess = !isa<HerdOp>(site.level);
    for (; at->parentOp() != outer; at = at->parentOp()) {
      isInProcess = isInProcess && at->parentOp() != site.level;
      const bool isPart =
          isa<HerdOp>(at) || isa<air::SegmentOp>(at) || isInProcess || site.level->isAncestor(at);
      if (!isPart) return nullptr;
    }
    return at;
  }

  static bool isBefore(Operation* a, Operation* b) {
    for (Operation* at = a->next(); at; at = at->next())
      if (at == b) return true;
    return false;
  }

  bool orderSides() {
    for (const Plan& plan : plans_) {
      if (plan.sites.empty()) continue;
      Operation* outer = around(plan);
      Operation* first = sideOf(plan.sites.begin()->second, outer);
      for (const auto& [number, site] : plan.sites) {
        Operation* side = sideOf(site, outer);
        if (!first || !side || side->block() != first->block())
          return decline(*site.op,
                         "what puts and what gets does not follow each other in one block");
      }
      for (const auto& [n, put] : plan.sites)
        for (const auto& [m, get] : plan.sites) {
          const bool isExchange = put.level == get.level && isa<HerdOp>(put.level);
          if (!put.isPut || get.isPut || isExchange) continue;
          Operation *from = sideOf(put, outer), *to = sideOf(get, outer);
          if (from == to || !isBefore(from, to))
            return decline(*get.op,
                           "the get stands before a put, or in one loop with it, and parts "
                           "of a kernel run in the order of the program");
        }
    }
    return true;
  }

  /// The first op of the block that holds a site; null: no process comes to one.
  static Operation* firstSide(const Plan& plan) {
    if (plan.sites.empty()) return nullptr;
    Operation* outer = around(plan);
    Operation* first = nullptr;
    for (const auto& [number, site] : plan.sites) {
      Operation* side = sideOf(site, outer);
      if (!first || isBefore(side, first)) first = side;
    }
    return first;
  }

  bool planRounds(air::EventReader& reader) {
    std::map<Operation*, std::vector<Operation*>> exchanged;  // by herd
    for (const Plan& plan : plans_)
      for (Operation* herd : plan.levels) {
        if (!isa<HerdOp>(herd)) continue;
        const auto has = [&](bool isPut) {
          return std::ranges::any_of(plan.sites, [&](const auto& entry) {
            return entry.second.isPut == isPut && entry.second.level == herd;
          });
        };
        if (!has(true) || !has(false)) continue;
        if (plan.levels.size() != 1)
          return decline(*plan.channel, "it connects the cores of a herd and other herds");
        const int64_t size = plan.sites.begin()->second.elements;
        for (const auto& [number, site] : plan.sites)
          if (site.elements != size)
            return decline(*site.op, "cores send each other other sizes than they take");
        exchanged[herd].push_back(plan.channel);
      }
    for (const auto& [herd, list] : exchanged) {
      rounds_.emplace_back(HerdOp(herd), list, reader);
      if (!rounds_.back().plan()) return decline(*herd, rounds_.back().reason());
    }
    return true;
  }

  // -- Writing

  void convert(const Plan& plan, Operation* first, int64_t most) {
    std::vector<int64_t> shape = air::ChannelOp(plan.channel).sizes();
    shape.push_back(std::max<int64_t>(1, most));
    Builder builder = Builder::before(*first);
    constexpr int64_t kL2 = 1;
    const Type type = MemRefType::get(builder.context(), shape, plan.elementType, Attribute(),
                                      builder.i32Attr(kL2));
    OperationState state(builder.context(), plan.channel->location(), "memref.alloc");
    state.resultTypes.push_back(type);
    state.setOperandSegments(builder.context(), std::vector<int32_t>{0, 0});
    const Value buffer = builder.create(state)->result();
    // Rounds have made copies of the sites, and removed those that no core reaches.
    std::vector<Operation*> sites;
    Operation* outer = first->parentOp();
    outer->walk([&](Operation& op) {
      if (air::isChannelAccess(op) && ChannelAccessOp(&op).channel().op() == plan.channel)
        sites.push_back(&op);
    });
    for (Operation* site : sites)
      convertSite(plan, *site, buffer, shape);
    for (Operation* level : plan.levels)
      for (Operation* at = level; !at->isAncestor(outer); at = at->parentOp())
        if (const air::HierarchyOp inner = air::asHierarchy(at)) air::isolate(inner);
    plan.channel->erase();
  }

  void convertSite(const Plan& plan, Operation& site, Value buffer,
                   const std::vector<int64_t>& shape) {
    const Site* known = siteOf(plan, site);
    if (!known) return site.erase();  // no core comes here
    Builder builder = Builder::before(site);
    const ChannelAccessOp access(&site);
    Access there{buffer, {}, {}, {}};
    const std::vector<Value> indices = access.indices().vec();
    const size_t last = shape.size() - 1;
    for (size_t i = 0; i < last; ++i) {
      const bool isOne = shape[i] == 1 || i >= indices.size();
      there.offsets.push_back(isOne ? IndexEntry{0, Value()} : IndexEntry{0, indices[i]});
    }
    there.offsets.push_back(startOf(builder, site, known->slots));
    int64_t stride = 1;
    for (size_t i = shape.size(); i-- > 0; stride *= shape[i]) {
      there.sizes.insert(there.sizes.begin(), {i == last ? known->elements : 1, Value()});
      there.strides.insert(there.strides.begin(), {stride, Value()});
    }
    air::createDma(builder, site, access.isPut() ? there : access.access(),
                   access.isPut() ? access.access() : there);
    site.erase();
  }

  static const Site* siteOf(const Plan& plan, Operation& op) {
    const auto number = op.attrOf<IntegerAttr>(kSite);
    const auto site = number ? plan.sites.find(number.value()) : plan.sites.end();
    return site == plan.sites.end() ? nullptr : &site->second;
  }

  static IndexEntry startOf(Builder& builder, Operation& site, const Slots& slots) {
    const Location where = site.location();
    const auto make = [&](std::string_view op, Value a, Value b) {
      return builder.create(where, op, {a, b}, {builder.indexType()})->result();
    };
    Value sum;
    std::vector<scf::ForOp> loops = loopsAround(site);
    loops.erase(loops.begin(), loops.end() - std::ssize(slots.factors));  // around the scope
    for (size_t i = 0; i < slots.factors.size(); ++i) {
      if (slots.factors[i] == 0) continue;
      if (!sum) sum = builder.constantIndex(where, slots.first);
      Value run = make("arith.subi", loops[i].inductionVar(), loops[i].lowerBound());
      run = make("arith.divsi", run, loops[i].step());
      run = make("arith.muli", run, builder.constantIndex(where, slots.factors[i]));
      sum = make("arith.addi", sum, run);
    }
    return sum ? IndexEntry{0, sum} : IndexEntry{slots.first, Value()};
  }

  std::map<Operation*, std::vector<Operation*>> channels_;
  Block* scope_;
  int64_t maxBytes_;
  PassContext& context_;
  std::vector<Plan> plans_;
  std::vector<air::HerdRounds> rounds_;
  int64_t nextSite_ = 0;
};

using AccessesOfChannels = std::map<Operation*, std::vector<Operation*>>;

/// By launch and channel: the puts and gets of channels that one launch uses alone.
std::map<Operation*, AccessesOfChannels> channelsOfCores(Operation& module) {
  AccessesOfChannels accesses;
  module.walk([&](Operation& op) {
    if (!air::isChannelAccess(op)) return;
    if (Operation* channel = ChannelAccessOp(&op).channel().op()) accesses[channel].push_back(&op);
  });
  std::map<Operation*, AccessesOfChannels> found;
  for (auto& [channel, list] : accesses) {
    Operation* launch = list.front()->parentOf<air::LaunchOp>().op();
    const bool isOfCores = launch && std::ranges::all_of(list, [&](Operation* op) {
                             return op->parentOf<air::LaunchOp>().op() == launch;
                           });
    if (isOfCores) found[launch][channel] = std::move(list);
  }
  return found;
}

/// The body of the innermost loop of a process that holds all puts and gets; null: there is none.
Block* scopeOf(const std::vector<Operation*>& accesses) {
  for (Operation* at = accesses.front()->parentOp(); at; at = at->parentOp()) {
    const bool holdsAll =
        isa<scf::ForOp>(at) && !at->parentOf<HerdOp>() &&
        std::ranges::all_of(accesses, [&](Operation* op) { return at->isAncestor(op); });
    if (holdsAll) return &scf::ForOp(at).body();
  }
  return nullptr;
}

/// What all buffers of L2 memory in `launch` take.
int64_t bytesOfL2(Operation& launch) {
  int64_t bytes = 0;
  launch.walk([&](Operation& op) {
    if (!op.is("memref.alloc") || air::memoryLevel(op.result().type()) != air::MemoryLevel::L2)
      return;
    const auto type = op.result().type().cast<MemRefType>();
    if (type.hasStaticShape())
      bytes += type.numElements() * ((type.elementType().bitWidth() + 7) / 8);
  });
  return bytes;
}

/// A put or get of another channel than those; null: there is none.
Operation* otherAccess(Operation& module) {
  const auto channels = channelsOfCores(module);
  Operation* other = nullptr;
  module.walk([&](Operation& op) {
    if (!air::isChannelAccess(op)) return;
    Operation* channel = ChannelAccessOp(&op).channel().op();
    const bool isOfCores = std::ranges::any_of(
        channels, [&](const auto& entry) { return entry.second.contains(channel); });
    if (!isOfCores && !other) other = &op;
  });
  return other;
}

class ChannelToL2 : public Pass {
 public:
  ChannelToL2() : Pass("air-channel-to-l2", "Lets cores of a launch exchange data in L2 memory") {
    anchor("builtin.module");
    example("airlite-opt --air-channel-to-l2 in.mlir");
    option("max-bytes", maxBytes_, "bytes of L2 memory for one channel at most");
  }

  PassResult run(Operation& module, PassContext& context) override {
    if (channelsOfCores(module).empty()) return PassResult::Unchanged;
    if (Operation* other = otherAccess(module)) {
      // In program order, which is what is left without tokens, it might wait for ever.
      context.remark(*other, "channels of cores stay: the program has other channels, too "
                             "(air-channel-to-dma comes first)");
      return PassResult::Unchanged;
    }
    const std::optional<bool> byRounds = wayOf(module, context);
    if (!byRounds) return PassResult::Changed;
    if (!convertAll(module, *byRounds, context)) return PassResult::Failed;
    for (const CountedEffect effect : {CountedEffect::Dma, CountedEffect::ChannelPut,
                                       CountedEffect::ChannelGet, CountedEffect::Store})
      context.declareEffectChange(effect, "a put is a copy into L2, a get one out of it");
    return PassResult::Changed;
  }

 private:
  /// In program order, all channels or none: what is left would wait for ever in that order.
  bool convertAll(Operation& module, bool byRounds, PassContext& context) const {
    bool changed = false;
    if (failed(air::dropTokens(module, changed))) return false;
    for (const auto& [launch, channels] : channelsOfCores(module)) {
      if (failed(toPlainLoops(*launch, channels))) return false;
      if (byRounds) {
        air::evenRounds(*launch);
        air::fuseStreams(*launch);
      }
      air::putsBeforeGets(*launch, !byRounds);
    }
    bool all = true;
    for (auto& [launch, channels] : channelsOfCores(module)) {
      std::map<Block*, AccessesOfChannels> scopes;
      for (auto& [channel, list] : channels)
        scopes[scopeOf(list)][channel] = std::move(list);
      for (auto& [scope, list] : scopes)
        all = LaunchExchange(std::move(list), scope, maxBytes_, context).run() && all;
      if (all) air::skipRelays(*launch);
    }
    return all;
  }

  /// Whether loops around channels run round by round: where that needs less memory, and all that is sent is much. None: there is no way.
  std::optional<bool> wayOf(Operation& module, PassContext& context) const {
    const std::optional<int64_t> bytes = triedOnCopy(module, false, context);
    if (bytes && *bytes <= maxBytes_ / 2) return false;
    const std::optional<int64_t> less = triedOnCopy(module, true, context);
    if (less && (!bytes || *less < *bytes)) return true;
    return bytes ? std::optional(false) : std::nullopt;
  }

  /// Loops around transfers.
  static LogicalResult toPlainLoops(Operation& launch, const AccessesOfChannels& channels) {
    std::vector<Operation*> parallel;
    bool hasAffine = false;
    for (const auto& [channel, list] : channels)
      for (Operation* at : list)
        for (; at != &launch; at = at->parentOp()) {
          hasAffine = hasAffine || at->is("affine.for");
          if (at->is("scf.parallel") && !std::ranges::count(parallel, at)) parallel.push_back(at);
        }
    Rewriter rewriter(launch.context());
    for (Operation* op : parallel)
      if (failed(parallelToLoops(*op, rewriter))) return failure();
    return hasAffine ? lowerAffine(launch) : success();
  }

  /// Does it work? How much L2 memory a launch has then, at most. If not, the puts and gets say why, and nothing else has changed. Of
  /// rounds, which are tried after all at once, they do not: what was wrong then is what users can change.
  std::optional<int64_t> triedOnCopy(Operation& module, bool byRounds, PassContext& context) const {
    const OwningOp copy(module.clone());
    const std::vector<Operation*> originals = air::channelAccessesIn(module),
                                  copies = air::channelAccessesIn(*copy);
    for (size_t i = 0; i < copies.size(); ++i)
      copies[i]->setAttr(kAccess, IntegerAttr::getIndex(module.context(), static_cast<int64_t>(i)));
    if (convertAll(*copy, byRounds, context)) return mostL2(*copy);
    if (byRounds) return std::nullopt;
    for (Operation* op : air::channelAccessesIn(*copy)) {
      const auto number = op->attrOf<IntegerAttr>(kAccess);
      if (number && op->hasAttr(air::kStays))
        originals[static_cast<size_t>(number.value())]->setAttr(air::kStays, op->attr(air::kStays));
    }
    return std::nullopt;
  }

  static int64_t mostL2(Operation& module) {
    int64_t most = 0;
    module.walk([&](Operation& op) {
      if (isa<air::LaunchOp>(&op)) most = std::max(most, bytesOfL2(op));
    });
    return most;
  }

  static constexpr std::string_view kAccess = "airlite.access";
  int64_t maxBytes_ = 65'536;
};

}  // namespace

void registerChannelToL2(PassRegistry& registry) { registry.add<ChannelToL2>(); }

}  // namespace airlite
