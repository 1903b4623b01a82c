// air-loop-fusion: a buffer that holds one step instead of all.
//
// Matches, in asynchronous programs, an L2 buffer in the body of a segment or of a loop there
// (`fusion-scope`: of a launch, of both) that sibling loops fill with gets and drain with puts, each
// drain after all fills. The loops become one, which runs as often as their trip counts have in common. An
// iteration allocates the buffer, fills it, drains it and frees it; a loop that did more iterations
// keeps them as an inner loop. One token goes round: the buffer of a step is freed before that of
// the next one is allocated. What waited for one of the loops waits for the new one, what stood
// between the loops and waited is after it. scf.parallel with such drains is unrolled first,
// and the launch canonicalized.
//
// The buffer keeps its size and the accesses their places in it: air-shrink-memref-sizes-by-access
// makes it as large as a step.
//
// Declines, with a remark:
//  - loops that are not of constant trip counts, carry anything but one token, or move other data
//    than that of the buffer; a buffer that is used by anything else, freed several times or never
//  - a drain that does not wait for each fill: then the program does not say what it reads
//  - a step that reads what another step writes, or what no fill of the step has written for
//  certain
//  - trip counts with nothing in common
//  - something that blocks between the loops
//  - where a step might wait for a later one: cores that need what the next step brings before they
//    have taken this one, orders of transfers that no longer fit (BufferStepOrder.hpp)
#include "FusionPlan.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/GreedyRewriter.hpp"
#include "airlite/pass/Pass.hpp"
#include "transform/channels/AccessLists.hpp"
#include "transform/channels/MovementLoops.hpp"
#include "transform/dependency/TokenMoves.hpp"
#include "transform/dependency/TokenResults.hpp"

#include <algorithm>
#include <memory>
#include <unordered_set>

namespace airlite::air {

namespace {

using analysis::LinearReader;
using analysis::LinearSum;
using analysis::SymbolRange;
using Values = std::vector<Value>;

// -- Rewriting ------------------------------------------------------------------------------------

class Fuser {
 public:
  Fuser(FusionCandidate& candidate, IndexConstants& constants)
      : in_(candidate), constants_(constants), loops_(candidate.loops()) {
    auto before = [](Operation* a, Operation* b) { return a->isBeforeInBlock(b); };
    first_ = *std::min_element(loops_.begin(), loops_.end(), before);
    last_ = *std::max_element(loops_.begin(), loops_.end(), before);
    tokenType_ = tokenOf(*in_.alloc).type();
  }

  /// Empty when the loops were fused, else why not.
  std::string_view run() {
    for (Operation* op = first_; op != last_; op = op->next())
      if (mayBlock(*op)) return "something blocks between the loops";
    Values start = startTokens();
    std::vector<Operation*> late = waitersBetween();
    scf::ForOp fused = createLoop(start);
    Values end = fillBody(fused);
    finish(fused, end);
    Operation* after = fused.op();
    for (Operation* op : late) {
      op->moveAfter(after);
      after = op;
    }
    return {};
  }

 private:
  bool isOwn(Operation* op) const {
    return std::find(loops_.begin(), loops_.end(), op) != loops_.end();
  }

  /// What the loops and the allocation wait for, but for each other.
  Values startTokens() {
    Values tokens, start;
    for (Value wait : AsyncOp(in_.alloc).dependencies())
      tokens.push_back(wait);
    for (Operation* loop : loops_)
      tokens.push_back(scf::ForOp(loop).initArgs()[0]);
    for (Value leaf : throughJoins(tokens))
      if (leaf != tokenOf(*in_.alloc) && !isOwn(leaf.definingOp())) addOnce(start, leaf);
    return start;
  }

  /// Ops between the loops that wait for them.
  std::vector<Operation*> waitersBetween() {
    std::vector<Operation*> late;
    std::unordered_set<Value> results;
    auto add = [&](Operation& op) {
      for (Value result : op.resultValues())
        results.insert(result);
    };
    for (Operation* op = first_; op != last_; op = op->next()) {
      if (isOwn(op)) {
        add(*op);
        continue;
      }
      bool waits = false;
      op->walk([&](Operation& inner) {
        for (Value operand : inner.operands())
          waits |= results.count(operand) > 0;
      });
      if (!waits) continue;
      add(*op);
      late.push_back(op);
    }
    return late;
  }

  scf::ForOp createLoop(const Values& start) {
    Value token = joinTokens(*last_, start, tokenType_);
    Builder builder = Builder::before(*last_);
    Value lower = constants_.get(*last_, 0), step = constants_.get(*last_, 1);
    Value upper = constants_.get(*last_, in_.steps);
    if (Operation* like = stepLoop()) {
      scf::ForOp loop(like);
      lower = loop.lowerBound(), upper = loop.upperBound(), step = loop.step();
    }
    scf::ForOp fused =
        scf::ForOp::create(builder, last_->location(), lower, upper, step, std::span(&token, 1));
    for (Operation* loop : loops_)
      copyAttributes(*loop, *fused);
    return fused;
  }

  /// A loop whose iterations are the steps, and from whose variable those of the others can be
  /// computed; null when there is none.
  Operation* stepLoop() const {
    for (Operation* op : loops_) {
      if (scf::ForOp(op).tripCount() != in_.steps) continue;
      int64_t step = rangeOf(*op).step;
      bool fitsAll = std::all_of(loops_.begin(), loops_.end(),
                                 [&](Operation* other) { return advanceOf(*other) % step == 0; });
      if (fitsAll) return op;
    }
    return nullptr;
  }

  static SymbolRange rangeOf(Operation& loop) {
    return *LinearReader().rangeOf(scf::ForOp(&loop).inductionVar());
  }
  /// By how much the variable of `loop` grows in a step.
  int64_t advanceOf(Operation& loop) const {
    SymbolRange range = rangeOf(loop);
    return range.count / in_.steps * range.step;
  }

  static void copyAttributes(Operation& from, Operation& to) {
    for (const NamedAttribute& attribute : from.attributes().value())
      if (!to.hasAttr(attribute.name)) to.setAttr(attribute.name, attribute.value);
  }

  /// Allocation, fills, drains, deallocation. Returns the token of the end.
  Values fillBody(scf::ForOp fused) {
    Value entered = fused.regionIterArg(0), allocated = tokenOf(*in_.alloc);
    releaseAlloc();
    in_.alloc->moveTo(fused.body(), nullptr);
    AsyncOp(in_.alloc).setDependencies(std::span(&entered, 1));
    Values filled, drained;
    for (Operation* loop : in_.fills)
      addIteration(scf::ForOp(loop), fused, allocated, filled);
    Value all = joined(fused.body(), filled);
    for (Operation* loop : in_.drains)
      addIteration(scf::ForOp(loop), fused, all, drained);
    releaseDealloc(fused);
    in_.dealloc->moveTo(fused.body(), nullptr);
    AsyncOp(in_.dealloc).setDependencies(drained);
    return {tokenOf(*in_.dealloc)};
  }

  void finish(scf::ForOp fused, const Values& end) {
    Builder builder = Builder::atEnd(fused.body());
    scf::YieldOp::create(builder, fused->location(), end);
    for (Operation* loop : loops_) {
      loop->result().replaceAllUsesWith(fused->result());
      loop->erase();
    }
  }

  /// What waited for the allocation waits for what that waits for.
  void releaseAlloc() {
    Values waits = AsyncOp(in_.alloc).dependencies().vec();
    replaceWaits(tokenOf(*in_.alloc), waits, [&](Operation& user) { return !isOwn(&user); });
  }

  /// What waited for the deallocation waits for the loop, and for what else that waited for.
  void releaseDealloc(scf::ForOp fused) {
    Value token = tokenOf(*in_.dealloc);
    if (!token.hasUses()) return;
    Values waits{fused->result()};
    for (Value wait : AsyncOp(in_.dealloc).dependencies())
      if (!isOwn(wait.definingOp())) addOnce(waits, wait);
    token.replaceAllUsesWith(joinTokens(*in_.dealloc, waits, tokenType_));
  }

  static Value joined(Block& block, const Values& tokens) {
    if (tokens.size() == 1) return tokens.front();
    Builder builder = Builder::atEnd(block);
    Type type = tokens.front().type();
    return builder
        .create(block.parentOp()->location(), "air.wait_all", tokens, std::span(&type, 1))
        ->result();
  }

  /// What `loop` does in a step, after `token`. Tokens of its end go to `ends`.
  void addIteration(scf::ForOp loop, scf::ForOp fused, Value token, Values& ends) {
    int64_t perStep = *loop.tripCount() / in_.steps;
    if (perStep == 1) return splice(loop, fused, fused.body(), token, Value(), ends);
    Builder builder = Builder::atEnd(fused.body());
    Value upper = constants_.get(*fused, advanceOf(*loop));
    Value step = constants_.get(*fused, rangeOf(*loop).step);
    scf::ForOp inner = scf::ForOp::create(builder, loop->location(), constants_.get(*fused, 0),
                                          upper, step, std::span(&token, 1));
    Values innerEnds;
    splice(loop, fused, inner.body(), inner.regionIterArg(0), inner.inductionVar(), innerEnds);
    Value end = joined(inner.body(), innerEnds);
    builder.setToEnd(inner.body());
    scf::YieldOp::create(builder, loop->location(), std::span(&end, 1));
    ends.push_back(inner->result());
  }

  /// Moves the body of `loop` to the end of `target`. `inner`: the variable of the loop in a step.
  void splice(scf::ForOp loop, scf::ForOp fused, Block& target, Value token, Value inner,
              Values& ends) {
    Operation& yield = loop.body().back();
    Value last = yield.operand(0);
    Value variable = loop.inductionVar();
    if (variable.hasUses()) variable.replaceAllUsesWith(variableIn(loop, fused, target, inner));
    loop.regionIterArg(0).replaceAllUsesWith(token);
    if (last == loop.regionIterArg(0)) last = token;
    std::vector<Operation*> moved;
    for (Operation& op : loop.body().ops())
      if (&op != &yield) moved.push_back(&op);
    for (Operation* op : moved)
      op->moveTo(target, nullptr);
    addOnce(ends, last);
    for (Operation* op : moved)
      for (Value result : op->resultValues())
        if (isTokenType(result.type()) && !result.hasUses()) addOnce(ends, result);
    // The old loop stays valid until it is erased.
    yield.setOperand(0, loop.initArgs()[0]);
  }

  /// The variable of `loop` from those of the fused and the inner loop.
  Value variableIn(scf::ForOp loop, scf::ForOp fused, Block& target, Value inner) {
    SymbolRange outer = rangeOf(*fused);
    int64_t factor = advanceOf(*loop) / outer.step;
    LinearSum sum{rangeOf(*loop).lower - factor * outer.lower, {{fused.inductionVar(), factor}}};
    if (inner) sum.terms.push_back({inner, 1});
    return materializeIn(sum, target);
  }

  /// At the end of `target`.
  Value materializeIn(const LinearSum& sum, Block& target) {
    Builder builder = Builder::atEnd(target);
    Operation* mark = builder.create(target.parentOp()->location(), "air.wait_all",
                                     std::span<const Value>(), std::span(&tokenType_, 1));
    Value value = materialize(sum, *mark, constants_);
    mark->erase();
    return value;
  }

  FusionCandidate& in_;
  IndexConstants& constants_;
  std::vector<Operation*> loops_;
  Operation* first_ = nullptr;
  Operation* last_ = nullptr;
  Type tokenType_;
};

// -- The pass -------------------------------------------------------------------------------------

class LoopFusion : public Pass {
 public:
  LoopFusion() : Pass("air-loop-fusion", "L2 buffers hold one step of the loops that use them") {
    option("fusion-scope", scope_, "where: bodies of segments, of launches, of both",
           {"segment", "launch", "all"});
    example("airlite-opt --air-loop-fusion --air-shrink-memref-sizes-by-access in.mlir");
  }

  PassResult run(Operation& root, PassContext& context) override {
    std::vector<Operation*> launches;
    root.walkWith([&](Operation& op) {
      if (!isa<LaunchOp>(&op)) return WalkResult::Advance;
      launches.push_back(&op);
      return WalkResult::Skip;
    });
    std::unique_ptr<ChannelUsers> users;
    bool changed = false;
    for (Operation* launch : launches) {
      changed |= unroll(*launch, context);
      std::vector<std::unique_ptr<FusionCandidate>> found = collect(*launch, context);
      if (found.empty()) continue;
      if (!users) users = std::make_unique<ChannelUsers>(root);
      changed |= fuse(*launch, found, *users, context);
    }
    return changedIf(changed);
  }

 private:
  std::vector<Block*> bodies(Operation& launch) const {
    std::vector<Block*> blocks;
    if (scope_ != "segment") blocks.push_back(&launch.region().front());
    if (scope_ == "launch") return blocks;
    launch.walkWith([&](Operation& op) {
      if (isa<SegmentOp>(&op)) blocks.push_back(&op.region().front());
      if (isa<scf::ForOp>(&op) && isa<SegmentOp>(op.parentOp()))
        blocks.push_back(&scf::ForOp(&op).body());
      return isa<HerdOp>(&op) || isa<ExecuteOp>(&op) ? WalkResult::Skip : WalkResult::Advance;
    });
    return blocks;
  }

  /// Parallel loops of drains whose buffer a loop fills.
  bool unroll(Operation& launch, PassContext& context) const {
    std::vector<Operation*> loops;
    for (Block* block : bodies(launch))
      for (Operation& op : block->ops())
        if (isL2Allocation(op)) addParallel(op, loops);
    bool changed = false;
    for (Operation* loop : loops) {
      std::string_view why = unrollParallel(*loop);
      if (!why.empty()) context.remark(*loop, why);
      changed |= why.empty();
    }
    if (!changed) return false;
    // What came before the loop as a whole may be more than a copy has to wait for.
    applyCanonicalization(launch);
    constexpr std::string_view kReason = "parallel loops are unrolled, what has no effect may go";
    for (CountedEffect effect : {CountedEffect::ChannelPut, CountedEffect::ChannelGet,
                                 CountedEffect::Dma, CountedEffect::Store})
      context.declareEffectChange(effect, kReason);
    return true;
  }

  static void addParallel(Operation& alloc, std::vector<Operation*>& loops) {
    std::vector<Operation*> parallel;
    bool isFilled = false;
    for (Operation* op : BufferUses(onlyOp(alloc)->result()).accesses) {
      Operation* around = inBlock(*op, *alloc.block());
      if (!around) continue;
      isFilled |= isa<ChannelGetOp>(op) && isa<scf::ForOp>(around);
      bool isDrain =
          isa<ChannelPutOp>(op) && isa<scf::ParallelOp>(around) && isa<scf::ForOp>(op->parentOp());
      if (isDrain) parallel.push_back(around);
    }
    for (Operation* loop : parallel)
      if (isFilled && std::find(loops.begin(), loops.end(), loop) == loops.end())
        loops.push_back(loop);
  }

  std::vector<std::unique_ptr<FusionCandidate>> collect(Operation& launch,
                                                        PassContext& context) const {
    std::vector<std::unique_ptr<FusionCandidate>> found;
    for (Block* block : bodies(launch)) {
      for (Operation& op : block->ops()) {
        if (!isL2Allocation(op)) continue;
        FusionCandidate candidate;
        std::string_view why;
        bool isMatch = matchFusion(op, candidate, why);
        if (isMatch) found.push_back(std::make_unique<FusionCandidate>(std::move(candidate)));
        if (!why.empty()) context.remark(op, why);
      }
    }
    return found;
  }

  /// A drain moves data of its buffer alone: it need not wait until the other buffers of the round
  /// are filled. Returns whether one did.
  static bool forgetOthers(FusionCandidate& candidate,
                           const std::vector<std::unique_ptr<FusionCandidate>>& found) {
    std::unordered_set<Operation*> others;
    for (const auto& other : found)
      if (other.get() != &candidate) others.insert(other->fills.begin(), other->fills.end());
    bool changed = false;
    for (Operation* drain : candidate.drains) {
      Values waits = throughJoins(scf::ForOp(drain).initArgs().vec());
      if (!std::erase_if(waits, [&](Value wait) { return others.count(wait.definingOp()) > 0; }))
        continue;
      Value token = joinTokens(*drain, waits, waits.front().type());
      drain->setOperand(3, token);
      changed = true;
    }
    return changed;
  }

  static bool fuse(Operation& launch, std::vector<std::unique_ptr<FusionCandidate>>& found,
                   const ChannelUsers& users, PassContext& context) {
    std::vector<StepwiseBuffer*> buffers;
    for (auto& candidate : found)
      buffers.push_back(candidate.get());
    bool changed = false;
    for (auto& candidate : found)
      if (candidate->rounds) changed |= forgetOthers(*candidate, found);
    checkStepOrder(launch, buffers, users);
    IndexConstants constants;
    for (auto& candidate : found) {
      Operation* alloc = candidate->alloc;
      std::string_view why = candidate->obstacle;
      if (why.empty()) why = Fuser(*candidate, constants).run();
      if (!why.empty()) context.remark(*alloc, why);
      changed |= why.empty();
    }
    return changed;
  }

  std::string scope_ = "segment";
};

}  // namespace

}  // namespace airlite::air

namespace airlite {

void registerLoopFusion(PassRegistry& registry) { registry.add<air::LoopFusion>(); }

}  // namespace airlite
