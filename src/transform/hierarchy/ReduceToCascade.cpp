// Pipelines for scf.parallel with a reduction, see the header.
#include "ReduceToCascade.hpp"

#include "Hierarchy.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>

namespace airlite {

namespace {

/// What the program does with the buffers around the loop, in program order.
struct Surroundings {
  Operation* initAlloc = nullptr;
  std::vector<Operation*> initWriters;   // before the loop: they fill the initial value
  std::vector<Operation*> initDeallocs;  // after it
  std::vector<Operation*> consumers;     // of the result
  std::vector<Operation*> ownAllocs;     // buffers that only consumers use
  std::vector<Operation*> ownDeallocs;
  std::vector<Operation*> computedLater;  // operands of consumers, of what is there before the loop
};

std::vector<Operation*> usersInOrder(Value value) {
  std::vector<Operation*> users;
  for (OpOperand& use : value.uses())
    if (std::find(users.begin(), users.end(), use.owner()) == users.end())
      users.push_back(use.owner());
  std::sort(users.begin(), users.end(), [](Operation* a, Operation* b) {
    return a->block() == b->block() ? a->isBeforeInBlock(b) : a->block() < b->block();
  });
  return users;
}

bool isDealloc(Operation* op) { return isa<memref::DeallocOp>(op); }

/// Those whose rounds run beside each other in one launch, segment or function, the outermost first.
std::vector<Operation*> parallelLoopsAround(Operation& op) {
  std::vector<Operation*> loops;
  for (Operation* at = op.parentOp(); at && !air::asHierarchy(at); at = at->parentOp())
    if (isa<scf::ParallelOp>(at)) loops.insert(loops.begin(), at);
  return loops;
}

bool hasConstantBounds(scf::ParallelOp loop) {
  for (unsigned i = 0; i < loop.numLoops(); ++i)
    for (Value bound : {loop.lowerBounds()[i], loop.upperBounds()[i], loop.steps()[i]})
      if (!constantIntOf(bound)) return false;
  return true;
}

/// Writes nothing but `buffer`, and reads no other memory.
bool onlyTouches(Operation& op, Value buffer) {
  std::vector<EffectInstance> effects;
  if (!effectsOf(op, effects)) return false;
  return std::all_of(effects.begin(), effects.end(),
                     [&](const EffectInstance& effect) { return effect.value == buffer; });
}

class ReductionCheck {
 public:
  explicit ReductionCheck(scf::ParallelOp loop) : loop_(loop) {}

  LogicalResult run(Surroundings& found) {
    if (failed(checkShape()) || failed(checkInit(found)) || failed(checkConsumers(found)))
      return failure();
    collectOwnBuffers(found);
    return success();
  }

 private:
  LogicalResult error(std::string_view what) const {
    return loop_->emitOpError() << "not supported: " << what;
  }

  LogicalResult checkShape() const {
    if (loop_.numLoops() != 1) return error("a reduction over more than one dimension");
    if (loop_.initVals().size() != 1) return error("more than one reduction in a loop");
    if (!loop_.initVals()[0].type().isa<MemRefType>())
      return error("a reduction of values that are not memrefs");
    Block& body = loop_.reduce().reduction(0);
    if (body.back().operand(0) != body.argument(0))
      return error("a reduction that does not accumulate into its first argument");
    std::optional<int64_t> lower = constantIntOf(loop_.lowerBounds()[0]);
    std::optional<int64_t> upper = constantIntOf(loop_.upperBounds()[0]);
    if (lower && upper && *upper <= *lower) return error("a reduction over no iterations");
    for (Operation* around : parallelLoopsAround(*loop_.op()))
      if (!hasConstantBounds(scf::ParallelOp(around)))
        return error("a reduction in a parallel loop whose bounds are not constant");
    return success();
  }

  LogicalResult checkInit(Surroundings& found) const {
    Value init = loop_.initVals()[0];
    found.initAlloc = init.definingOp();
    if (!found.initAlloc || !isa<memref::AllocOp>(found.initAlloc) ||
        found.initAlloc->block() != loop_->block())
      return error("an initial value that is not allocated beside the loop");
    for (Operation* user : usersInOrder(init)) {
      if (user == loop_.op()) continue;
      if (user->block() != loop_->block())
        return error("an initial value that is used inside of other regions");
      bool before = user->isBeforeInBlock(loop_.op());
      if (!before && !isDealloc(user)) return error("an initial value that is used later");
      if (before && (!onlyTouches(*user, init) || user->hasResultUses()))
        return error("an initial value that is computed from other memory");
      (before ? found.initWriters : found.initDeallocs).push_back(user);
    }
    return success();
  }

  LogicalResult checkConsumers(Surroundings& found) const {
    found.consumers = usersInOrder(loop_->result());
    for (Operation* user : found.consumers) {
      if (user->block() != loop_->block())
        return error("a result that is used inside of other regions");
      if (user->hasTrait(Trait::Terminator) || user->hasResultUses())
        return error("a result that is handed on");
      for (Value operand : user->operands())
        if (!canMoveUp(operand, found.computedLater))
          return error("a user of the result with operands from after the loop");
    }
    if (found.consumers.empty()) return success();
    for (Operation* op = loop_->next(); op != found.consumers.back(); op = op->next()) {
      bool user =
          std::find(found.consumers.begin(), found.consumers.end(), op) != found.consumers.end();
      if (!user && !isDealloc(op) && !isMemoryEffectFree(*op))
        return error("other work between the loop and the users of its result");
    }
    return success();
  }

  /// The value is there before the loop, or can be computed there by pure ops, which are added in
  /// their order.
  bool canMoveUp(Value value, std::vector<Operation*>& ops) const {
    Operation* op = value.definingOp();
    if (!op || op == loop_.op() || op->block() != loop_->block() || !loop_->isBeforeInBlock(op))
      return true;
    if (std::find(ops.begin(), ops.end(), op) != ops.end()) return true;
    if (!isPure(*op) || op->numRegions() > 0) return false;
    for (Value operand : op->operands())
      if (operand.definingOp() == loop_.op() || !canMoveUp(operand, ops)) return false;
    ops.push_back(op);
    return true;
  }

  /// Allocations beside the loop that nothing but consumers and deallocs use.
  void collectOwnBuffers(Surroundings& found) const {
    for (Operation* consumer : found.consumers)
      for (Value operand : consumer->operands()) {
        Operation* alloc = operand.definingOp();
        if (!alloc || !isa<memref::AllocOp>(alloc) || alloc->block() != loop_->block()) continue;
        if (std::find(found.ownAllocs.begin(), found.ownAllocs.end(), alloc) !=
            found.ownAllocs.end())
          continue;
        std::vector<Operation*> users = usersInOrder(operand), deallocs;
        bool own = std::all_of(users.begin(), users.end(), [&](Operation* user) {
          if (isDealloc(user) && user->block() == loop_->block()) deallocs.push_back(user);
          return isDealloc(user) || std::find(found.consumers.begin(), found.consumers.end(),
                                              user) != found.consumers.end();
        });
        if (!own) continue;
        found.ownAllocs.push_back(alloc);
        found.ownDeallocs.insert(found.ownDeallocs.end(), deallocs.begin(), deallocs.end());
      }
  }

  scf::ParallelOp loop_;
};

class CascadePipeline {
 public:
  CascadePipeline(air::HerdOp herd, scf::ParallelOp loop, const Surroundings& around)
      : herd_(herd),
        loop_(loop),
        around_(around),
        count_((*herd.constantSizes())[0]),
        other_((*herd.constantSizes())[1]),
        id_(herd.id(count_ == 1 ? 1 : 0)),
        builder_(Builder::before(herd.body().back())) {
    if (count_ == 1) count_ = other_;  // first-dim=1: the loop runs along the second dimension
  }

  void build() {
    if (count_ > 1) makeChannel();
    Block* last = count_ > 1 ? branchOnIds() : nullptr;
    if (last) builder_.setBefore(last->back());
    stage(/*receives=*/count_ > 1, /*sends=*/false);
    eraseOriginals();
  }

 private:
  /// The rounds of parallel loops around the herd have places of their own.
  void makeChannel() {
    Builder outside = Builder::before(*herd_.op());
    std::vector<int64_t> sizes;
    for (Operation* op : parallelLoopsAround(*herd_.op())) {
      scf::ParallelOp around(op);
      for (unsigned i = 0; i < around.numLoops(); ++i) {
        const int64_t lower = *constantIntOf(around.lowerBounds()[i]);
        const int64_t step = *constantIntOf(around.steps()[i]);
        sizes.push_back(
            *scf::constantTripCount(lower, *constantIntOf(around.upperBounds()[i]), step));
        round_.push_back(roundOf(outside, around.inductionVars()[i], lower, step));
      }
    }
    sizes.push_back(count_ - 1);
    channel_ = air::createChannel(*herd_.op(), sizes, "npu_cascade");
  }

  Value roundOf(Builder& outside, Value variable, int64_t lower, int64_t step) const {
    if (lower == 0 && step == 1) return variable;
    const AffineExpr round = (AffineExpr::dim(outside.context(), 0) - lower)
                                 .floorDiv(AffineExpr::constant(outside.context(), step));
    affine::Application application{AffineMap::get(outside.context(), 1, 0, std::span(&round, 1)),
                                    {variable}};
    return affine::ApplyOp::create(outside, loop_->location(), application)->result();
  }

  /// The place of the channel for a hop to or from `place` in the line of cores.
  std::vector<Value> indicesOf(Value place) const {
    std::vector<Value> indices = round_;
    indices.push_back(place);
    return indices;
  }

  /// Makes the stages that send and returns the block of core 0.
  Block* branchOnIds() {
    AffineExpr id = AffineExpr::symbol(builder_.context(), 0);
    Operation* first = makeIf({id - (count_ - 1)}, {true});
    builder_.setBefore(first->region(0).front().back());
    stage(false, true);
    Block* rest = &first->region(1).front();
    if (count_ == 2) return rest;
    builder_.setBefore(rest->back());
    Operation* middle = makeIf({id - 1, -id + (count_ - 2)}, {false, false});
    builder_.setBefore(middle->region(0).front().back());
    stage(true, true);
    return &middle->region(1).front();
  }

  Operation* makeIf(const std::vector<AffineExpr>& constraints, const std::vector<bool>& equal) {
    Context& context = builder_.context();
    OperationState state(context, loop_->location(), "affine.if");
    state.operands = {id_};
    IntegerSet set = IntegerSet::get(context, 0, 1, constraints, equal);
    state.addAttribute(context, "condition", IntegerSetAttr::get(set));
    for (int i = 0; i < 2; ++i) {
      Block& block = state.addRegion().addBlock(context);
      Builder::atEnd(block).create(loop_->location(), "affine.yield", {}, {});
    }
    return builder_.create(state);
  }

  /// At the insertion point: the initial value, what comes in, the combination, what is passed on.
  void stage(bool receives, bool sends) {
    IRMapping map;
    builder_.clone(*around_.initAlloc, map);
    for (Operation* writer : around_.initWriters)
      builder_.clone(*writer, map);
    Value init = map.lookupOr(around_.initAlloc->result());
    Value part = loop_.reduce().values()[0];
    if (receives)
      air::createChannelGet(builder_, loop_->location(), channel_, indicesOf(id_), init);
    combine(map, part, init);
    if (sends) {
      Value one = builder_.constantIndex(loop_->location(), 1);
      Value below =
          builder_.create(loop_->location(), "arith.subi", {id_, one}, {id_.type()})->result();
      air::createChannelPut(builder_, loop_->location(), channel_, indicesOf(below), part);
    } else {
      consume(part);
    }
    for (Operation* dealloc : around_.initDeallocs)
      builder_.clone(*dealloc, map);
  }

  void combine(IRMapping& map, Value part, Value init) {
    Block& body = loop_.reduce().reduction(0);
    map.map(body.argument(0), part);
    map.map(body.argument(1), init);
    for (Operation& op : body.ops())
      if (&op != &body.back()) builder_.clone(op, map);
  }

  void consume(Value part) {
    for (Operation* op : around_.computedLater)
      op->moveBefore(herd_.op());
    loop_->result().replaceAllUsesWith(part);
    InsertPoint point = builder_.insertPoint();
    for (const auto* ops : {&around_.ownAllocs, &around_.consumers, &around_.ownDeallocs})
      for (Operation* op : *ops)
        op->moveTo(*point.block, point.before);
  }

  void eraseOriginals() {
    for (const auto* ops : {&around_.initDeallocs, &around_.initWriters})
      for (Operation* op : *ops)
        op->erase();
    loop_->setOperandGroup(3, {});  // the initial value
    around_.initAlloc->erase();
  }

  air::HerdOp herd_;
  scf::ParallelOp loop_;
  const Surroundings& around_;
  int64_t count_;
  int64_t other_;
  Value id_;
  Builder builder_;
  std::string channel_;
  std::vector<Value> round_;  // of each parallel loop around the herd
};

}  // namespace

LogicalResult checkReduction(Operation& loop) {
  Surroundings found;
  return ReductionCheck(scf::ParallelOp(&loop)).run(found);
}

void reduceToCascade(air::HerdOp herd, scf::ParallelOp loop) {
  Surroundings found;
  if (succeeded(ReductionCheck(loop).run(found))) CascadePipeline(herd, loop, found).build();
}

}  // namespace airlite
