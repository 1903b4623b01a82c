// air-split-launch-for-padding: tiles that reach over the end of the data.
//
// Matches an air.launch with `air.actual_sizes`: how much of each of its first two dimensions is
// there (0: all). The size of a tile is what the body multiplies an id with, where that number of
// tiles just covers the actual size. Data beyond it is not there: what is read of it counts for
// nothing. Where the tiles divide the sizes nothing is to be done.
//
// With split-mode=multi-launch the launch becomes up to four in a row, with channels and segments
// of their own: interior, m_boundary (the last tile of the first dimension), n_boundary, corner. In
// the last tiles
//  - pad-location=source: what reads from L3 takes what is there and zeros after it
//  - pad-location=memtile: it is shortened together with what fills the buffer in L2, which then
//    lies as it did before, and what reads the buffer gets the zeros; lists that run in blocks are
//    shortened by whole blocks
// A list that takes an even part of a tile (one of several shims) is shortened as its place in the
// tile says; one of which nothing is left stays as it was.
//
// With split-mode=single-launch there is one launch, and an scf.if on the ids around a copy of the
// body for each of the four. Pure ops and allocations stay in front of it, what frees these comes
// after.
//
// Declines, with a remark: sizes or tiles that are not known, more dimensions with a rest, launches
// that share channels with others or whose parts would get names that are taken; asynchronous ops
// and channels in a single launch; at a transfer that depends on an id and stays whole: lists of
// which it is not known where in the tile they are, or that do not fill buffers of their own shape
// in L2.
#include "PaddingPlan.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace airlite {

namespace {

using air::Cut;
using air::Tiling;

/// Which iterations: in each of the first two dimensions all, all but the last, or the last.
struct Share {
  std::string_view name;
  bool isEnd[2];
};
constexpr Share kShares[] = {{"interior", {false, false}},
                             {"m_boundary", {true, false}},
                             {"n_boundary", {false, true}},
                             {"corner", {true, true}}};

constexpr unsigned kSizesGroup = 1;

std::string renamed(std::string_view name, const Share& share) {
  return std::string(name) + "_" + std::string(share.name);
}

/// The channels of a module by who uses them, and all names that are taken.
class ChannelUses {
 public:
  explicit ChannelUses(Operation& module) {
    std::vector<Operation*> channels;
    std::unordered_map<std::string_view, std::set<Operation*>> users;  // null: outside of launches
    module.walk([&](Operation& op) {
      if (isa<air::ChannelOp>(&op)) channels.push_back(&op);
      if (auto name = op.attrOf<SymbolRefAttr>("chan_name"))
        users[name.root()].insert(op.parentOfName("air.launch"));
      names_.emplace(symbolName(op));
    });
    for (Operation* channel : channels) {
      const std::set<Operation*>& all = users[symbolName(*channel)];
      if (all.size() == 1) owned_[*all.begin()].push_back(channel);
      if (all.size() > 1) sharing_.insert(all.begin(), all.end());
    }
  }

  bool shares(Operation& launch) const { return sharing_.count(&launch) > 0; }
  /// The channels that only `launch` uses.
  const std::vector<Operation*>& ownedBy(Operation& launch) { return owned_[&launch]; }
  /// A part of the launch would get a name that something has.
  bool clashes(Operation& launch) {
    std::vector<Operation*> named = owned_[&launch];
    launch.walk([&](Operation& op) {
      if (isRenamed(op)) named.push_back(&op);
    });
    for (Operation* op : named)
      for (const Share& share : kShares)
        if (names_.count(renamed(symbolName(*op), share))) return true;
    return false;
  }
  static bool isRenamed(const Operation& op) {
    return (isa<air::SegmentOp>(&op) || isa<air::LaunchOp>(&op)) && !symbolName(op).empty();
  }

 private:
  std::unordered_map<Operation*, std::vector<Operation*>> owned_;
  std::set<Operation*> sharing_;
  std::unordered_set<std::string> names_;
};

// -- One launch -----------------------------------------------------------------------------------

class Splitter {
 public:
  Splitter(air::LaunchOp launch, const std::vector<Tiling>& tilings, const std::vector<Cut>& cuts,
           const std::vector<Operation*>& channels)
      : launch_(launch), tilings_(tilings), cuts_(cuts), channels_(channels) {}

  void run() {
    std::vector<Value> tokens;
    for (const Share& share : kShares)
      if (hasIterations(share)) makeShare(share, tokens);
    if (Value token = launch_.token()) {
      Type type = token.type();
      Operation* done = Builder::before(*launch_).create(launch_->location(), "air.wait_all",
                                                         tokens, std::span(&type, 1));
      token.replaceAllUsesWith(done->result());
    }
    launch_->erase();
    for (Operation* channel : channels_)
      channel->erase();
  }

 private:
  bool isSplit(unsigned dim) const { return dim < tilings_.size() && tilings_[dim].hasBoundary(); }

  bool hasIterations(const Share& share) const {
    for (unsigned i = 0; i < 2; ++i) {
      if (share.isEnd[i] && !isSplit(i)) return false;
      if (!share.isEnd[i] && isSplit(i) && tilings_[i].grid == 1) return false;
    }
    return true;
  }

  void makeShare(const Share& share, std::vector<Value>& tokens) {
    Builder builder = Builder::before(*launch_);
    air::LaunchOp launch(builder.clone(*launch_));
    launch->removeAttr("air.actual_sizes");
    if (launch.token()) tokens.push_back(launch.token());
    std::vector<Value> sizes = launch.sizes().vec();
    for (unsigned i = 0; i < 2 && i < sizes.size(); ++i)
      if (isSplit(i)) sizes[i] = bindDimension(launch, i, share.isEnd[i]);
    launch->setOperandGroup(kSizesGroup, sizes);
    rename(launch, share);
    std::vector<Operation*> transfers = air::transfersOf(*launch);
    for (const Cut& cut : cuts_)
      if (share.isEnd[cut.tiling]) air::applyCut(*transfers[cut.transfer], cut);
  }

  /// Ids and sizes are those of the whole launch. Returns the size of the share.
  Value bindDimension(air::LaunchOp launch, unsigned i, bool isEnd) const {
    Location location = launch->location();
    int64_t grid = tilings_[i].grid;
    Builder inside = Builder::atStart(launch.body());
    if (launch.sizeArgument(i).hasUses())
      launch.sizeArgument(i).replaceAllUsesWith(inside.constantIndex(location, grid));
    Builder builder = Builder::before(*launch);
    if (!isEnd) return builder.constantIndex(location, grid - 1);
    if (launch.id(i).hasUses())
      launch.id(i).replaceAllUsesWith(inside.constantIndex(location, grid - 1));
    return builder.constantIndex(location, 1);
  }

  /// Channels and segments get names of their own.
  void rename(air::LaunchOp launch, const Share& share) {
    Context& context = launch->context();
    auto setName = [&](Operation& op) {
      op.setAttr(kSymbolName, StringAttr::get(context, renamed(symbolName(op), share)));
    };
    for (Operation* channel : channels_)
      setName(*Builder::before(*channel).clone(*channel));
    launch->walk([&](Operation& op) {
      if (auto name = op.attrOf<SymbolRefAttr>("chan_name"))
        op.setAttr("chan_name", SymbolRefAttr::get(context, renamed(name.root(), share)));
      if (ChannelUses::isRenamed(op)) setName(op);
    });
  }

  air::LaunchOp launch_;
  const std::vector<Tiling>& tilings_;
  const std::vector<Cut>& cuts_;
  const std::vector<Operation*>& channels_;
};

// -- One launch with branches ---------------------------------------------------------------------

/// The body of a launch, in branches of an scf.if on the ids. What does not change stays in front
/// of them, and what frees buffers that stay comes after.
class Brancher {
 public:
  Brancher(air::LaunchOp launch, const std::vector<Tiling>& tilings, const std::vector<Cut>& cuts)
      : launch_(launch), tilings_(tilings), cuts_(cuts) {}

  /// A body with channels or asynchronous ops cannot be told apart so simply.
  static bool canRun(air::LaunchOp launch) {
    WalkResult result = launch->walkWith([&](Operation& op) {
      bool isAsync = air::isAsyncOp(op) && air::AsyncOp(&op).token() && &op != launch.op();
      bool isChannel = isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op);
      return isAsync || isChannel ? WalkResult::Interrupt : WalkResult::Advance;
    });
    return result != WalkResult::Interrupt;
  }

  void run() {
    launch_->removeAttr("air.actual_sizes");
    for (Operation& op : launch_.body().ops())
      if (&op != &launch_.body().back()) sort(op);
    Builder builder = Builder::before(launch_.body().back());
    branch(builder, 0, {});
    for (Operation* op : after_)
      op->moveBefore(&launch_.body().back());
    for (size_t i = inside_.size(); i > 0; --i)
      inside_[i - 1]->erase();
  }

 private:
  void sort(Operation& op) {
    auto usesInside = [&](Operation& user) {
      return std::ranges::any_of(user.operands(), [&](Value value) {
        return value.definingOp() && isInside_.count(value.definingOp());
      });
    };
    bool stays = op.numRegions() == 0 && !usesInside(op) && (isPure(op) || op.is("memref.alloc"));
    if (stays) return;
    if (op.is("memref.dealloc") && !usesInside(op)) return after_.push_back(&op);
    inside_.push_back(&op);
    isInside_.insert(&op);
  }

  /// Dimension by dimension; at the end, the copy for one share.
  void branch(Builder& builder, unsigned dim, Share share) {
    while (dim < 2 && !(dim < tilings_.size() && tilings_[dim].hasBoundary()))
      ++dim;
    if (dim == 2) return makeShare(builder, share);
    Location location = launch_->location();
    Value last = builder.constantIndex(location, tilings_[dim].grid - 1);
    auto below = static_cast<int64_t>(arith::CmpIPredicate::ult);
    NamedAttribute predicate = builder.named("predicate", builder.i64Attr(below));
    Value isInterior = builder
                           .create(location, "arith.cmpi", {launch_.id(dim), last},
                                   {builder.intType(1)}, {predicate})
                           ->result();
    auto conditional = scf::IfOp::create(builder, location, {}, isInterior, true);
    for (bool isEnd : {false, true}) {
      share.isEnd[dim] = isEnd;
      Block& block = isEnd ? conditional.elseBlock() : conditional.thenBlock();
      Builder inside = Builder::before(block.back());
      branch(inside, dim + 1, share);
    }
  }

  void makeShare(Builder& builder, Share share) {
    for (const Share& named : kShares)
      if (std::ranges::equal(named.isEnd, share.isEnd)) share.name = named.name;
    IRMapping mapping;
    std::vector<Operation*> transfers;
    for (Operation* op : inside_) {
      Operation* copy = builder.clone(*op, mapping);
      for (Operation* transfer : air::transfersOf(*copy))
        transfers.push_back(transfer);
      copy->walk([&](Operation& inner) {
        if (ChannelUses::isRenamed(inner))
          inner.setAttr(kSymbolName,
                        StringAttr::get(inner.context(), renamed(symbolName(inner), share)));
      });
    }
    for (const Cut& cut : cuts_)
      if (share.isEnd[cut.tiling]) air::applyCut(*transfers[cut.transfer], cut);
  }

  air::LaunchOp launch_;
  const std::vector<Tiling>& tilings_;
  const std::vector<Cut>& cuts_;
  std::vector<Operation*> inside_, after_;  // in the branches; after them
  std::unordered_set<Operation*> isInside_;
};

// -- The pass -------------------------------------------------------------------------------------

class SplitLaunchForPadding : public Pass {
 public:
  SplitLaunchForPadding()
      : Pass("air-split-launch-for-padding", "Splits launches whose tiles do not divide the data") {
    anchor("builtin.module");
    option("split-mode", splitMode_, "how the iterations at the end are told apart",
           {"multi-launch", "single-launch"});
    option("pad-location", padLocation_, "who adds the zeros", {"memtile", "source"});
    option("use-dma-memcpy", useDmaMemcpy_, "the old name of pad-location=source");
    example("airlite-opt --air-split-launch-for-padding='pad-location=source' in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    std::vector<Operation*> launches;
    module.walk([&](Operation& op) {
      if (isa<air::LaunchOp>(&op) && op.hasAttr("air.actual_sizes")) launches.push_back(&op);
    });
    if (launches.empty()) return PassResult::Unchanged;
    ChannelUses uses(module);
    bool changed = false;
    for (Operation* launch : launches)
      changed |= trySplit(air::LaunchOp(launch), uses, context);
    if (changed)
      for (CountedEffect effect : {CountedEffect::ChannelPut, CountedEffect::ChannelGet,
                                   CountedEffect::Dma, CountedEffect::Store})
        context.declareEffectChange(effect, "each part of a launch has its own copy");
    return changedIf(changed);
  }

 private:
  bool trySplit(air::LaunchOp launch, ChannelUses& uses, PassContext& context) const {
    auto decline = [&](std::string_view why) {
      context.remark(*launch, why);
      return false;
    };
    std::string_view why;
    std::vector<Tiling> tilings = air::tilingsOf(launch, why);
    if (!why.empty()) return decline(why);
    auto end = std::find_if(tilings.rbegin(), tilings.rend(),
                            [](const Tiling& tiling) { return tiling.hasBoundary(); });
    if (end == tilings.rend()) return decline("its tiles divide the data");
    if (tilings.rend() - end > 2) return decline("a dimension after the second one has a rest");
    if (uses.shares(*launch)) return decline("it shares a channel with others");
    if (uses.clashes(*launch)) return decline("a name that a part of it would get is taken");
    bool isSingle = splitMode_ == "single-launch";
    if (isSingle && !Brancher::canRun(launch))
      return decline("a single launch takes synchronous DMAs only");
    auto where = padLocation_ == "source" || useDmaMemcpy_ ? air::PadLocation::Source
                                                           : air::PadLocation::Memtile;
    std::vector<Cut> cuts = air::planCuts(launch, tilings, where, context);
    if (isSingle)
      Brancher(launch, tilings, cuts).run();
    else
      Splitter(launch, tilings, cuts, uses.ownedBy(*launch)).run();
    return true;
  }

  std::string splitMode_ = "multi-launch", padLocation_ = "memtile";
  bool useDmaMemcpy_ = false;
};

}  // namespace

void registerSplitLaunchForPadding(PassRegistry& registry) {
  registry.add<SplitLaunchForPadding>();
}

}  // namespace airlite
