// air-loop-fusion: a buffer that holds one step instead of all.
//
// Matches an L2 buffer in the body of a segment (`fusion-scope`: of a launch, of both) that sibling
// loops fill with gets and drain with puts, each drain after all fills. The loops become one, which
// runs as often as their trip counts have in common. An iteration allocates the buffer, fills it,
// drains it and frees it; a loop that did more iterations keeps them as an inner loop. One token
// goes round: the buffer of a step is freed before that of the next one is allocated. What waited
// for one of the loops waits for the new one, what stood between the loops and waited stands behind
// it. scf.parallel with such drains is unrolled first, and the launch canonicalized.
//
// The buffer keeps its size and the accesses their places in it: air-shrink-memref-sizes-by-access
// makes it as large as a step.
//
// Declines, with a remark:
//  - loops that are not of constant trip counts, carry anything but one token, or move other data
//    than that of the buffer; a buffer that is used by anything else, freed several times or never
//  - a drain that does not wait for each fill: then the program does not say what it reads
//  - a step that reads what another step writes, or what no fill of the step has written for certain
//  - trip counts with nothing in common
//  - something that blocks between the loops
//  - where a step might wait for a later one: cores that need what the next step brings before they
//    have taken this one, orders of transfers that no longer fit (StepOrder.hpp)
#include "BufferBoxes.hpp"
#include "BufferUses.hpp"
#include "ChannelNests.hpp"
#include "MovementLoops.hpp"
#include "StepOrder.hpp"
#include "TokenMoves.hpp"
#include "TokenReach.hpp"
#include "TokenResults.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/GreedyRewriter.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <unordered_set>

namespace airlite::air {

namespace {

using analysis::LinearReader;
using analysis::LinearSum;
using analysis::SymbolRange;
using Values = std::vector<Value>;

bool isChannelAccess(Operation& op) { return isa<ChannelPutOp>(&op) || isa<ChannelGetOp>(&op); }

/// The op of `block` around `op`; null when it is not in there.
Operation* inBlock(Operation& op, const Block& block) {
  Operation* up = &op;
  while (up && up->block() != &block)
    up = up->parentOp();
  return up;
}

// -- What is matched ------------------------------------------------------------------------------

struct Candidate : StepwiseBuffer {
  Operation* alloc = nullptr;    // executes
  Operation* dealloc = nullptr;

  Value buffer() const { return onlyOp(*alloc)->result(); }
  MemRefType type() const { return buffer().type().cast<MemRefType>(); }
  std::vector<Operation*> loops() const {
    std::vector<Operation*> all = fills;
    all.insert(all.end(), drains.begin(), drains.end());
    return all;
  }
};

/// An execute of nothing but an allocation in L2.
bool isAllocation(Operation& op) {
  Operation* alloc = onlyOp(op);
  if (!alloc || !isa<memref::AllocOp>(alloc) || !tokenOf(op)) return false;
  MemRefType type = alloc->result().type().cast<MemRefType>();
  return memoryLevel(type) == MemoryLevel::L2 && type.hasStaticShape() && type.hasIdentityLayout();
}

/// Sorts the uses of a buffer. Nothing is said of one that no loops fill and drain.
class Matcher {
 public:
  explicit Matcher(Operation& alloc) : block_(*alloc.block()) { found_.alloc = &alloc; }

  bool isMatch() { return !found_.fills.empty() && !found_.drains.empty(); }
  Candidate& found() { return found_; }

  std::string_view match() {
    BufferUses uses(found_.buffer());
    std::string_view why = uses.escapes ? "its buffer is passed on" : std::string_view();
    for (Operation* op : uses.accesses)
      if (std::string_view obstacle = addAccess(*op); why.empty()) why = obstacle;
    if (!why.empty()) return why;
    for (auto* loops : {&found_.fills, &found_.drains})
      std::sort(loops->begin(), loops->end(),
                [](Operation* a, Operation* b) { return a->isBeforeInBlock(b); });
    for (Operation* loop : found_.loops())
      if (std::string_view obstacle = checkLoop(*loop); !obstacle.empty()) return obstacle;
    return checkDealloc(uses.deallocs);
  }

 private:
  std::string_view addAccess(Operation& op) {
    Operation* loop = inBlock(op, block_);
    if (!isChannelAccess(op) || !loop || !isa<scf::ForOp>(loop))
      return "its buffer is used by something else than transfers in loops";
    auto& loops = isa<ChannelPutOp>(&op) ? found_.drains : found_.fills;
    if (std::find(loops.begin(), loops.end(), loop) == loops.end()) loops.push_back(loop);
    return {};
  }

  std::string_view checkLoop(Operation& op) {
    scf::ForOp loop(&op);
    if (loop.numIterArgs() != 1 || !isTokenType(op.result().type()))
      return "a loop does not carry one token";
    if (!loop.inductionVar().type().isIndex()) return "a loop counts in integers of some width";
    std::optional<int64_t> trips = loop.tripCount();
    if (!trips || *trips < 1) return "a loop has no constant trip count";
    found_.steps = found_.steps ? std::gcd(found_.steps, *trips) : *trips;
    std::string_view why;
    bool isFill = std::find(found_.fills.begin(), found_.fills.end(), &op) != found_.fills.end();
    loop.region().walk([&](Operation& inner) {
      if (isChannelAccess(inner) && !isOwn(inner, isFill)) why = "a loop moves other data, too";
      bool isKnown = isChannelAccess(inner) || isa<WaitAllOp>(&inner) || isa<scf::ForOp>(&inner) ||
                     inner.hasTrait(Trait::Terminator) || isCalculation(inner);
      bool isInExecute = inner.parentOp() != &op && isa<ExecuteOp>(inner.parentOp());
      if (!isKnown && !isInExecute) why = "a loop does something else than moving data";
      if (mayBlock(inner) && !isInExecute) why = "something in a loop blocks";
    });
    return why;
  }

  bool isOwn(Operation& op, bool isFill) {
    bool isSide = isa<ChannelGetOp>(&op) == isFill;
    return isSide && bufferBefore(ChannelAccessOp(&op).access().memref) == found_.buffer();
  }

  std::string_view checkDealloc(const std::vector<Operation*>& deallocs) {
    if (deallocs.size() != 1) return "its buffer is not freed once";
    found_.dealloc = deallocs.front()->parentOp();
    bool isThere = found_.dealloc->block() == &block_ && onlyOp(*found_.dealloc) &&
                   tokenOf(*found_.dealloc);
    for (Operation* loop : found_.loops())
      isThere = isThere && loop->isBeforeInBlock(found_.dealloc);
    return isThere ? "" : "its buffer is not freed behind the loops";
  }

  Block& block_;
  Candidate found_{{{}, {}, 0}};
};

// -- Data -----------------------------------------------------------------------------------------

/// The elements that a transfer touches in a step: a box that moves on from step to step.
struct StepBox {
  BufferBox box;
  std::vector<int64_t> advance;
};

/// What the steps of a candidate read and write.
class StepData {
 public:
  explicit StepData(const Candidate& candidate)
      : candidate_(candidate), shape_(shapeOf(candidate.type())) {}

  /// Empty when each step reads what it writes, and nothing that another step writes.
  std::string_view check() {
    std::vector<StepBox> writes, reads;
    for (Operation* loop : candidate_.fills)
      if (!collect(*loop, writes)) return "where a transfer reads or writes is not known";
    for (Operation* loop : candidate_.drains)
      if (!collect(*loop, reads)) return "where a transfer reads or writes is not known";
    if (!areApart(writes)) return "a step writes what another step has written";
    for (const StepBox& read : reads)
      if (std::none_of(writes.begin(), writes.end(),
                       [&](const StepBox& write) { return isWritten(read, write); }))
        return "a step may read what it has not written";
    return {};
  }

 private:
  bool collect(Operation& loop, std::vector<StepBox>& boxes) {
    bool isKnown = true;
    loop.walk([&](Operation& op) {
      if (!isKnown || !isChannelAccess(op)) return;
      std::optional<StepBox> box = read(ChannelAccessOp(&op), scf::ForOp(&loop));
      isKnown = box.has_value();
      if (isKnown) boxes.push_back(std::move(*box));
    });
    return isKnown;
  }

  std::optional<StepBox> read(ChannelAccessOp op, scf::ForOp loop) {
    Access access = op.access();
    if (access.memref.type() != candidate_.type()) return std::nullopt;
    auto list = analysis::readAccessList(access, reader_);
    auto range = reader_.rangeOf(loop.inductionVar());
    std::optional<BufferBox> box = list ? boxOf(*list, shape_) : std::nullopt;
    if (!box || !range) return std::nullopt;
    Value variable = loop.inductionVar();
    auto isInner = [&](Value symbol) { return symbol != variable && isInside(symbol, *loop); };
    if (!box->bindAll(isInner, reader_)) return std::nullopt;
    StepBox result{std::move(*box), {}};
    // The iterations of a step; its first one moves on by as many.
    int64_t perStep = range->count / candidate_.steps;
    if (!result.box.bind(variable, {range->lower, range->step, perStep})) return std::nullopt;
    for (int64_t step : result.box.terms.back().step)
      result.advance.push_back(step * perStep);
    return result;
  }

  /// How much higher `a` starts than `b`, where that is a number.
  static std::optional<int64_t> distance(const LinearSum& a, const LinearSum& b) {
    LinearSum difference = a;
    if (!difference.add(b, -1) || !difference.isConstant()) return std::nullopt;
    return difference.constant;
  }

  /// No element is written in two steps.
  bool areApart(const std::vector<StepBox>& writes) const {
    const StepBox& first = writes.front();
    bool moves = false;
    for (unsigned dim = 0; dim < shape_.size(); ++dim) {
      int64_t low = 0, high = 0;
      for (const StepBox& write : writes) {
        auto at = distance(write.box.start[dim], first.box.start[dim]);
        if (!at || write.advance != first.advance) return false;
        low = std::min(low, *at + write.box.below(dim));
        high = std::max(high, *at + write.box.below(dim) + write.box.extent(dim));
      }
      int64_t step = std::abs(first.advance[dim]), extent = high - low;
      moves |= step >= extent;
      // Coordinates name elements only as far as they stay in their dimension.
      if (dim > 0 && step * (candidate_.steps - 1) + extent > shape_[dim]) return false;
    }
    return moves;
  }

  bool isWritten(const StepBox& read, const StepBox& write) const {
    if (read.advance != write.advance || !write.box.isFull()) return false;
    for (unsigned dim = 0; dim < shape_.size(); ++dim) {
      auto at = distance(read.box.start[dim], write.box.start[dim]);
      if (!at) return false;
      int64_t low = *at + read.box.below(dim) - write.box.below(dim);
      if (low < 0 || low + read.box.extent(dim) > write.box.extent(dim)) return false;
    }
    return true;
  }

  const Candidate& candidate_;
  std::vector<int64_t> shape_;
  LinearReader reader_;
};

/// Users of `token` that are loops of the candidate or in them.
std::vector<Operation*> usersInside(const Candidate& candidate, Value token) {
  std::vector<Operation*> loops = candidate.loops(), users;
  for (OpOperand& use : token.uses()) {
    Operation* around = inBlock(*use.owner(), *candidate.alloc->block());
    if (std::find(loops.begin(), loops.end(), around) != loops.end()) users.push_back(use.owner());
  }
  return users;
}

/// Tokens of the loops: each drain starts after each fill, and what is in the loops starts after
/// what they carry.
std::string_view checkTokens(const Candidate& candidate) {
  TokenReach reach;
  for (Operation* drain : candidate.drains) {
    Values leaves = throughJoins(scf::ForOp(drain).initArgs().vec());
    for (Operation* fill : candidate.fills)
      if (std::find(leaves.begin(), leaves.end(), fill->result()) == leaves.end())
        return "a drain does not wait for a fill: what it reads is not said";
  }
  std::string_view why;
  for (Operation* op : candidate.loops()) {
    scf::ForOp loop(op);
    auto isCarried = [&](Value token) { return token == loop.regionIterArg(0); };
    op->walk([&](Operation& inner) {
      if (isChannelAccess(inner) &&
          !reach.reaches(TokenReach::waitsOf(inner, loop.body()), isCarried))
        why = "a transfer does not wait for what its loop carries";
    });
    for (Operation* user : usersInside(candidate, op->result()))
      if (!isa<scf::ForOp>(user) || user->block() != op->block())
        why = "something in a loop waits for another loop";
  }
  return why;
}

// -- Rewriting ------------------------------------------------------------------------------------

class Fuser {
 public:
  Fuser(Candidate& candidate, IndexConstants& constants)
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
    scf::ForOp fused = scf::ForOp::create(builder, last_->location(), lower, upper, step,
                                          std::span(&token, 1));
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
    return builder.create(block.parentOp()->location(), "air.wait_all", tokens, std::span(&type, 1))
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

  Candidate& in_;
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
      std::vector<std::unique_ptr<Candidate>> found = collect(*launch, context);
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
      return isa<HerdOp>(&op) || isa<ExecuteOp>(&op) ? WalkResult::Skip : WalkResult::Advance;
    });
    return blocks;
  }

  /// Parallel loops of drains whose buffer a loop fills.
  bool unroll(Operation& launch, PassContext& context) const {
    std::vector<Operation*> loops;
    for (Block* block : bodies(launch))
      for (Operation& op : block->ops())
        if (isAllocation(op)) addParallel(op, loops);
    bool changed = false;
    for (Operation* loop : loops) {
      std::string_view why = unrollParallel(*loop);
      if (!why.empty()) context.remark(*loop, why);
      changed |= why.empty();
    }
    if (!changed) return false;
    // What came before the loop as a whole may be more than a copy has to wait for.
    applyCanonicalization(launch);
    for (CountedEffect effect : {CountedEffect::ChannelPut, CountedEffect::ChannelGet})
      context.declareEffectChange(effect, "parallel loops around transfers are unrolled");
    return true;
  }

  static void addParallel(Operation& alloc, std::vector<Operation*>& loops) {
    std::vector<Operation*> parallel;
    bool isFilled = false;
    for (Operation* op : BufferUses(onlyOp(alloc)->result()).accesses) {
      Operation* around = inBlock(*op, *alloc.block());
      if (!around) continue;
      isFilled |= isa<ChannelGetOp>(op) && isa<scf::ForOp>(around);
      bool isDrain = isa<ChannelPutOp>(op) && isa<scf::ParallelOp>(around) &&
                     isa<scf::ForOp>(op->parentOp());
      if (isDrain) parallel.push_back(around);
    }
    for (Operation* loop : parallel)
      if (isFilled && std::find(loops.begin(), loops.end(), loop) == loops.end())
        loops.push_back(loop);
  }

  std::vector<std::unique_ptr<Candidate>> collect(Operation& launch, PassContext& context) const {
    std::vector<std::unique_ptr<Candidate>> found;
    for (Block* block : bodies(launch)) {
      for (Operation& op : block->ops()) {
        if (!isAllocation(op)) continue;
        Matcher matcher(op);
        std::string_view why = matcher.match();
        if (!matcher.isMatch()) continue;
        if (why.empty()) why = check(matcher.found());
        if (why.empty())
          found.push_back(std::make_unique<Candidate>(matcher.found()));
        else
          context.remark(op, why);
      }
    }
    return found;
  }

  static std::string_view check(const Candidate& candidate) {
    if (candidate.steps == 1) return "the trip counts of its loops have nothing in common";
    std::string_view why = checkTokens(candidate);
    return why.empty() ? StepData(candidate).check() : why;
  }

  static bool fuse(Operation& launch, std::vector<std::unique_ptr<Candidate>>& found,
                   const ChannelUsers& users, PassContext& context) {
    std::vector<StepwiseBuffer*> buffers;
    for (auto& candidate : found)
      buffers.push_back(candidate.get());
    checkStepOrder(launch, buffers, users);
    bool changed = false;
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
