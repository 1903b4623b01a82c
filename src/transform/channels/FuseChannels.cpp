// air-fuse-channels: one channel for transfers that follow each other in time.
//
// Matches channels of one declaration (sizes, broadcast, type, depth 1), each with one put and one
// get, between the same two places: launches, segments, herds (herds of one name count as one, as
// they are one on the device), with the same conditions on the ids of cores. Both puts take from
// one buffer, or from L3; both gets fill one buffer, or L3. With `aggressive-mode` the buffers do
// not matter where an end is in one of the levels named; other words mean nothing.
//
// Produces one channel, the one that is declared first, named by all these puts and gets. The ops
// stay where they are: what a loop and a transfer in front of or after it send goes through one
// channel, one after the other.
//
// A channel tells transfers apart by their order alone. So the transfers of one have to be done
// before those of the other begin, in the same order on both ends, as often in each run of a loop
// around. Where one end has that order and the other only lacks the token for it, it gets one: that
// cannot make a program hang, since data that is taken in order is not there before. Where none has
// it, both get one if the first transfer is done in any case: both of its ends wait for
// computations and such transfers only, not for the second one.
//
// Declines, with a remark: other orders, conditions other than affine.if on ids, puts from one
// buffer out of different loops (it may be filled anew between) without `aggressive-mode`.
#include "TransferStart.hpp"
#include "airlite/analysis/Access.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/IndexValues.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/pass/Pass.hpp"
#include "analysis/RunOrder.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace airlite {

namespace {

using namespace air;

/// A channel with one put and one get.
struct Line {
  ChannelOp channel;
  ChannelAccessOp put, get;
};

// -- Collecting -----------------------------------------------------------------------------------

class Lines {
 public:
  explicit Lines(Operation& module) {
    std::vector<ChannelOp> channels;
    module.walk(
        [&](Operation& op) {
          if (isa<ChannelOp>(&op)) return channels.emplace_back(&op), void();
          bool isAccess = isa<ChannelPutOp>(&op) || isa<ChannelGetOp>(&op);
          if (isAccess) return add(ChannelAccessOp(&op));
          forEachSymbolUse(op, [&](SymbolRefAttr use) { ++uses_[std::string(use.root())].others; });
        },
        WalkOrder::PreOrder);
    for (ChannelOp channel : channels) {
      const Uses& uses = uses_[std::string(channel.symbol())];
      bool isLine = uses.puts.size() == 1 && uses.gets.size() == 1 && uses.others == 0;
      if (isLine && channel.depth() == 1)
        lines_.push_back({channel, ChannelAccessOp(uses.puts[0]), ChannelAccessOp(uses.gets[0])});
    }
  }

  /// In the order of their declarations.
  const std::vector<Line>& all() const { return lines_; }

 private:
  struct Uses {
    std::vector<Operation*> puts, gets;
    unsigned others = 0;
  };

  void add(ChannelAccessOp op) {
    Uses& uses = uses_[std::string(op.channelName())];
    (op.isPut() ? uses.puts : uses.gets).push_back(op.op());
  }

  std::map<std::string, Uses> uses_;
  std::vector<Line> lines_;
};

// -- Two lines ------------------------------------------------------------------------------------

HierarchyOp homeOf(Operation& op) {
  for (Operation* at = op.parentOp(); at; at = at->parentOp())
    if (HierarchyOp home = asHierarchy(at)) return home;
  return HierarchyOp();
}

bool isLoop(Operation& op) { return op.hasTrait(Trait::LoopLike) && !asHierarchy(&op); }

/// The same in both: a constant, a value, an id of the hierarchy op around.
bool isSameIndex(Value a, Value b, HierarchyOp homeOfA, HierarchyOp homeOfB) {
  if (isSameNumber(a, b)) return true;
  auto isId = [](Value value, HierarchyOp home) {
    return home && value.isBlockArgument() && value.argumentBlock() == &home.body() &&
           value.index() < home.numDims();
  };
  return isId(a, homeOfA) && isId(b, homeOfB) && a.index() == b.index();
}

bool isSameList(OperandRange a, OperandRange b, HierarchyOp homeOfA, HierarchyOp homeOfB) {
  if (a.size() != b.size()) return false;
  for (unsigned i = 0; i < a.size(); ++i)
    if (!isSameIndex(a[i], b[i], homeOfA, homeOfB)) return false;
  return true;
}

/// The conditionals between an op and the hierarchy op around, inner ones first.
std::vector<Operation*> branchesTo(Operation& op) {
  std::vector<Operation*> result;  // an op inside of the branch each
  for (Operation* at = &op; at->parentOp() && !asHierarchy(at->parentOp()); at = at->parentOp())
    if (isConditional(*at->parentOp())) result.push_back(at);
  return result;
}

/// Both run on the same cores, and both or none.
bool haveSameConditions(Operation& a, Operation& b) {
  std::vector<Operation*> left = branchesTo(a), right = branchesTo(b);
  if (left.size() != right.size()) return false;
  for (size_t i = 0; i < left.size(); ++i) {
    Operation &x = *left[i]->parentOp(), &y = *right[i]->parentOp();
    if (left[i]->parentRegion()->index() != right[i]->parentRegion()->index()) return false;
    if (&x == &y) continue;
    if (!isa<affine::IfOp>(&x) || !isa<affine::IfOp>(&y)) return false;
    if (affine::IfOp(&x).condition() != affine::IfOp(&y).condition()) return false;
    if (!isSameList(x.operands(), y.operands(), homeOf(a), homeOf(b))) return false;
  }
  return true;
}

/// Whether loops run `block` more than once in a run of the launch or function around it.
bool isInLoop(const Block& block) {
  for (Operation* at = block.parentOp(); at && !isa<LaunchOp>(at); at = at->parentOp())
    if (isLoop(*at)) return true;
  return false;
}

/// Whether several instances of one op run `block` side by side.
bool hasInstances(const Block& block) {
  for (Operation* at = block.parentOp(); at && !isa<LaunchOp>(at); at = at->parentOp()) {
    HierarchyOp hierarchy = asHierarchy(at);
    bool isParallel = hierarchy ? hierarchy.numDims() > 0 : at->hasTrait(Trait::ParallelLoop);
    if (isParallel) return true;
  }
  return false;
}

/// Transfers through one place in each run of `block`; null when that is not known.
std::optional<int64_t> transfersIn(const Block& block, ChannelAccessOp op) {
  int64_t count = sendsOf(*op);
  auto isIndexedBy = [&](Value id) {
    for (Value index : op.indices())
      if (index == id) return true;
    return false;
  };
  for (Operation* at = op.op(); at->block() != &block;) {
    at = at->parentOp();
    if (isa<affine::IfOp>(at)) continue;
    std::optional<int64_t> runs;
    HierarchyOp hierarchy = asHierarchy(at);
    if (isa<scf::ForOp>(at)) runs = scf::ForOp(at).tripCount();
    unsigned dims = hierarchy                  ? hierarchy.numDims()
                    : isa<scf::ParallelOp>(at) ? scf::ParallelOp(at).numLoops()
                                               : 0;
    if (hierarchy || isa<scf::ParallelOp>(at)) {
      runs = 1;
      for (unsigned i = 0; i < dims; ++i)
        if (!isIndexedBy(at->region().front().argument(i))) return std::nullopt;
    }
    if (!runs || __builtin_mul_overflow(count, *runs, &count)) return std::nullopt;
  }
  return count;
}

// -- Fusing ---------------------------------------------------------------------------------------

class Fuser {
 public:
  Fuser(PassContext& context, std::vector<MemoryLevel> levels)
      : context_(context), levels_(std::move(levels)), order_(reach_) {}

  bool run(Operation& module) {
    Lines lines(module);
    for (const Line& line : lines.all())
      start_.addPair(*line.put, *line.get);
    for (const Line& line : lines.all())
      place(line);
    return changed_;
  }

 private:
  using Group = std::vector<Line>;
  /// What has to be equal: the declaration, the launch and function, both homes, both buffers.
  using Key =
      std::tuple<const void*, Operation*, const void*, const void*, const void*, const void*>;

  void place(const Line& line) {
    std::vector<Group>& groups = groups_[keyOf(line)];
    std::string_view obstacle;
    for (Group& group : groups) {
      obstacle = obstacleTo(group, line);
      if (!obstacle.empty()) continue;
      rename(line, group[0].channel);
      group.push_back(line);
      return;
    }
    if (!obstacle.empty()) context_.remark(*line.channel.op(), obstacle);
    groups.push_back({line});
  }

  // -- What has to be equal

  Key keyOf(const Line& line) {
    DictionaryAttr declaration = line.channel->attributes().without(kSymbolName);
    Operation* around = scopeOf(*line.put.op());
    bool isOneScope = around && around == scopeOf(*line.get.op());
    // A key of its own: nothing is equal to it.
    if (!isOneScope) around = line.channel.op();
    bool isFree = isInLevels(line.put) || isInLevels(line.get);
    return {declaration.storage(),
            around,
            homeKey(line.put),
            homeKey(line.get),
            isFree ? nullptr : bufferKey(line.put),
            isFree ? nullptr : bufferKey(line.get)};
  }

  /// The launch, else the function.
  static Operation* scopeOf(Operation& op) {
    for (Operation* at = op.parentOp(); at; at = at->parentOp())
      if (isa<LaunchOp>(at) || at->hasTrait(Trait::Function)) return at;
    return nullptr;
  }

  static const void* homeKey(ChannelAccessOp op) {
    HierarchyOp home = homeOf(*op.op());
    if (!home) return nullptr;
    Attribute name = isa<HerdOp>(home.op()) ? home->attr(kSymbolName) : Attribute();
    return name ? static_cast<const void*>(name.storage()) : home.op();
  }

  bool isInLevels(ChannelAccessOp op) const {
    std::optional<MemoryLevel> level = memoryLevel(op.access().memref.type());
    return level && std::find(levels_.begin(), levels_.end(), *level) != levels_.end();
  }

  const void* bufferKey(ChannelAccessOp op) {
    Value memref = op.access().memref;
    if (memoryLevel(memref.type()) == MemoryLevel::L3) return nullptr;
    Value buffer = reader_.bufferOf(memref).value;
    return buffer ? static_cast<const void*>(buffer.impl()) : op.op();
  }

  // -- Order

  std::string_view obstacleTo(const Group& group, const Line& line) {
    for (const Line& member : group)
      if (std::string_view obstacle = obstacleTo(member, line); !obstacle.empty()) return obstacle;
    return {};
  }

  std::string_view obstacleTo(const Line& a, const Line& b) {
    bool sameConditions = haveSameConditions(*a.put.op(), *b.put.op()) &&
                          haveSameConditions(*a.get.op(), *b.get.op());
    if (!sameConditions) return "is not fused: its ends run under other conditions";
    bool isFree = isInLevels(a.put) || isInLevels(a.get);
    if (!isFree && isRefilled(a.put, b.put))
      return "is not fused: its buffer may be filled anew between two loops that send it";
    std::optional<bool> puts = direction(a.put, b.put), gets = direction(a.get, b.get);
    if (!puts || !gets || *puts != *gets)
      return "is not fused: the transfers are not in the same order on both ends";
    if (!hasSameCounts(a, b)) return "is not fused: the ends take turns in different ways";
    return orderBoth(a, b, *puts);
  }

  /// One buffer nearer than L3, sent by different loops.
  bool isRefilled(ChannelAccessOp a, ChannelAccessOp b) {
    if (memoryLevel(a.access().memref.type()) == MemoryLevel::L3) return false;
    Block* block = commonBlock(*a.op(), *b.op());
    return block && isLoop(*ancestorIn(*block, *a.op())) && isLoop(*ancestorIn(*block, *b.op()));
  }

  /// Whether `a` stands first; null when they cannot be put in order.
  static std::optional<bool> direction(ChannelAccessOp a, ChannelAccessOp b) {
    Block* block = commonBlock(*a.op(), *b.op());
    if (!block) return std::nullopt;
    Operation *x = ancestorIn(*block, *a.op()), *y = ancestorIn(*block, *b.op());
    if (x == y) return std::nullopt;
    bool isSame = isSameList(a.indices(), b.indices(), HierarchyOp(), HierarchyOp());
    // An order within each instance says nothing of transfers through the place of another one.
    if (hasInstances(*block) && !isSame) return std::nullopt;
    return x->isBeforeInBlock(y);
  }

  /// In each run of what is around both puts, and around both gets, as many transfers go through.
  static bool hasSameCounts(const Line& a, const Line& b) {
    Block *puts = commonBlock(*a.put.op(), *b.put.op()),
          *gets = commonBlock(*a.get.op(), *b.get.op());
    if (!isInLoop(*puts) && !isInLoop(*gets)) return true;
    for (const Line* line : {&a, &b}) {
      std::optional<int64_t> sent = transfersIn(*puts, line->put);
      if (!sent || sent != transfersIn(*gets, line->get)) return false;
    }
    return true;
  }

  std::string_view orderBoth(const Line& a, const Line& b, bool aIsFirst) {
    const Line &first = aIsFirst ? a : b, &second = aIsFirst ? b : a;
    if (!areRunsApart(a.put) || !areRunsApart(a.get))
      return "is not fused: runs of an op around it are in no order";
    bool puts = order_.areApart(*first.put.op(), *second.put.op());
    bool gets = order_.areApart(*first.get.op(), *second.get.op());
    Operation* later[] = {second.put.op(), second.get.op()};
    if (!puts && !gets && !start_.isFreeOf(*first.put, later))
      return "is not fused: on neither end its transfers have to come in order";
    if (!puts) puts = addOrder(*first.put.op(), *second.put.op());
    if (!gets) gets = addOrder(*first.get.op(), *second.get.op());
    return puts && gets ? std::string_view()
                        : "is not fused: on one end its transfers do not come in order";
  }

  /// The hierarchy ops and parallel loops around, up to the launch, run one after the other, or each
  /// of their instances has a place of its own.
  bool areRunsApart(ChannelAccessOp op) {
    for (Operation* at = op->parentOp(); at && !isa<LaunchOp>(at); at = at->parentOp()) {
      const bool isFree = isa<scf::ParallelOp>(at) && namesInstance(op, scf::ParallelOp(at));
      if (at->hasTrait(Trait::ParallelLoop) && !isFree && !order_.isSequential(*at)) return false;
    }
    return true;
  }

  /// Whether the indices hold each number of the loop as it is.
  static bool namesInstance(ChannelAccessOp op, scf::ParallelOp loop) {
    const std::vector<Value> indices = op.indices().vec();
    return std::ranges::all_of(loop.inductionVars(), [&](Value number) {
      return std::ranges::find(indices, number) != indices.end();
    });
  }

  /// Makes `second` wait for `first`.
  bool addOrder(Operation& first, Operation& second) {
    Block& block = *commonBlock(first, second);
    Operation& before = *ancestorIn(block, first);
    for (Operation* at = &second; at->block() != &block; at = at->parentOp())
      if (asHierarchy(at->parentOp())) return false;
    if (!AsyncOp(&second).token() || !hasNothingElse(before, first)) return false;
    for (Value token : before.resultValues()) {
      if (!order_.covers(token, first)) continue;
      std::vector<Value> old = AsyncOp(&second).dependencies().vec(), tokens = old;
      tokens.push_back(token);
      AsyncOp(&second).setDependencies(tokens);
      if (order_.areApart(first, second)) return changed_ = true;
      AsyncOp(&second).setDependencies(old);
    }
    return false;
  }

  /// The end of `around` is that of `op`: it does not wait for other things, which may need more.
  static bool hasNothingElse(Operation& around, Operation& op) {
    return around.walkWith([&](Operation& inner) {
      bool mayWait = isa<ChannelPutOp>(&inner) || isa<ChannelGetOp>(&inner) ||
                     asHierarchy(&inner) || inner.is("func.call") ||
                     (isa<WaitAllOp>(&inner) && !AsyncOp(&inner).token());
      return mayWait && &inner != &op ? WalkResult::Interrupt : WalkResult::Advance;
    }) != WalkResult::Interrupt;
  }

  void rename(const Line& line, ChannelOp kept) {
    Attribute name = SymbolRefAttr::get(kept->context(), kept.symbol());
    line.put->setAttr("chan_name", name);
    line.get->setAttr("chan_name", name);
    line.channel.op()->erase();
    changed_ = true;
  }

  PassContext& context_;
  std::vector<MemoryLevel> levels_;
  TokenReach reach_;
  RunOrder order_;
  TransferStart start_;
  analysis::AccessReader reader_;
  std::map<Key, std::vector<Group>> groups_;
  bool changed_ = false;
};

class FuseChannels : public Pass {
 public:
  FuseChannels()
      : Pass("air-fuse-channels", "Sends transfers that follow each other through one channel") {
    anchor("builtin.module");
    option("aggressive-mode", aggressiveMode_,
           "levels (L1, L2, L3): channels with an end there are fused whatever their buffers are");
    example("airlite-opt --air-fuse-channels=aggressive-mode=L1 in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    std::vector<MemoryLevel> levels;
    for (MemoryLevel level : {MemoryLevel::L1, MemoryLevel::L2, MemoryLevel::L3})
      for (const std::string& word : aggressiveMode_)
        if (word == levelName(level)) levels.push_back(level);
    return changedIf(Fuser(context, std::move(levels)).run(module));
  }

 private:
  std::vector<std::string> aggressiveMode_;
};

}  // namespace

void registerFuseChannels(PassRegistry& registry) { registry.add<FuseChannels>(); }

}  // namespace airlite
