// canonicalize: folds constants, removes dead operations and applies the canonicalization patterns
// of every op's definition until nothing changes; unreachable blocks go and straight-line blocks
// merge. Channels that nothing names go at the end: that is asked once of the whole program, a
// pattern would have to ask it for each. It never declines; it stops with a remark when it does not
// settle in `max-iterations`.
#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/pass/GreedyRewriter.hpp"
#include "airlite/pass/Pass.hpp"

#include <unordered_set>

namespace airlite {

namespace {

/// Any reference by name below the symbol table keeps the declaration.
bool eraseUnusedChannels(Operation& root) {
  std::vector<Operation*> channels;
  root.walk([&](Operation& op) {
    if (isa<air::ChannelOp>(&op) && nearestSymbolTable(op.parentOp())) channels.push_back(&op);
  });
  if (channels.empty()) return false;
  Operation* outermost = &root;
  while (outermost->parentOp())
    outermost = outermost->parentOp();
  std::unordered_set<std::string_view> used;
  outermost->walk([&](Operation& op) {
    forEachSymbolUse(op, [&](SymbolRefAttr use) { used.insert(use.root()); });
  });
  bool erased = false;
  for (Operation* channel : channels) {
    if (used.count(symbolName(*channel))) continue;
    channel->erase();
    erased = true;
  }
  return erased;
}

class Canonicalize : public Pass {
 public:
  Canonicalize()
      : Pass("canonicalize",
             "Folds, removes dead code and brings operations into their usual form") {
    option("top-down", topDown_, "visit operations from the top of the program");
    option("region-simplify", regionSimplify_, "remove unreachable blocks, merge blocks");
    option("max-iterations", maxIterations_, "rounds over the program");
    example("airlite-opt --canonicalize in.mlir");
  }

  PassResult run(Operation& op, PassContext& context) override {
    // Code that provably never runs, or that copies a buffer onto itself, may go.
    constexpr std::string_view kReason = "unreachable or without effect";
    context.declareEffectChange(CountedEffect::Store, kReason);
    context.declareEffectChange(CountedEffect::Dma, kReason);
    context.declareEffectChange(CountedEffect::ChannelPut, kReason);
    context.declareEffectChange(CountedEffect::ChannelGet, kReason);
    GreedyOptions options;
    options.topDown = topDown_;
    options.simplifyRegions = regionSimplify_;
    options.maxIterations = maxIterations_ < 0 ? ~0u : static_cast<unsigned>(maxIterations_);
    GreedyOutcome outcome = applyCanonicalization(op, options);
    if (!outcome.converged) context.remark(op, "did not settle within max-iterations");
    return changedIf(eraseUnusedChannels(op) || outcome.changed);
  }

 private:
  bool topDown_ = true;
  bool regionSimplify_ = true;
  int64_t maxIterations_ = 10;
};

}  // namespace

void registerCanonicalize(PassRegistry& registry) { registry.add<Canonicalize>(); }

}  // namespace airlite
