// air-to-std: what is left of an AIR program on the host, as ops of airrt.
//
// Runs after air-to-aie, whose devices it leaves alone. Of the hierarchy, loops and loads remain:
// a launch becomes affine.for loops over its iterations, a segment airrt.segment_load, a herd
// airrt.herd_load with its scalar operands. Puts and gets of L3 memory become airrt.dma_memcpy_nd
// on the shim channel that `metadata` or `metadataArray` names; those of L2 and L1 happen on the
// device and are gone. Tokens become events: the token of a transfer is an airrt.wait_all of its
// event and of the events that it waits for. Executes are ops in order, after a blocking wait for
// what they depend on when they touch memory.
//
// At the end of a launch the host waits for what it has received (`air.launch_end`), not before;
// its iterations overlap where they may (HostLoops.hpp, orderTransfers).
//
// A transfer of more than four dimensions becomes loops over the outermost ones.
//
// Refused with an error at the op: iteration spaces that are not constant, places of channels that
// depend on loops, ranks.
#include "HostLoops.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Airrt.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/npu/lower/Passes.hpp"
#include "airlite/pass/Pass.hpp"
#include "lower/tiles/InstanceNumbers.hpp"

#include <algorithm>

namespace airlite::npu {

namespace {

bool isL3(Type type) { return air::memoryLevel(type) == air::MemoryLevel::L3; }

bool isWait(Operation& op) { return isa<airrt::WaitAllOp>(&op); }

/// Nothing but waits that only join, and the terminator.
bool onlyWaits(Block& block) {
  for (Operation& op : block.ops())
    if (!op.hasTrait(Trait::Terminator) && !(isWait(op) && op.numResults())) return false;
  return true;
}

/// One class: the ops of a program nest in each other, and each kind is lowered in a few lines.
class HostLowering {
 public:
  explicit HostLowering(Operation& module) : channels_(module), events_(module.context()) {}

  LogicalResult run(Operation& function) {
    for (Value argument : function.region().front().arguments())
      if (air::isTokenType(argument.type()))
        return function.emitOpError() << "not supported: a function of the host that takes tokens";
    for (Block& block : function.region().blocks()) {
      HostScope scope;
      lowerBlock(block, scope);
      if (succeeded(result_)) orderTransfers(block, channels_, false);
    }
    if (succeeded(result_)) repairSymbols(function);
    return result_;
  }

 private:
  void fail(Operation& op, std::string_view what) {
    op.emitOpError() << "not supported: " << what;
    result_ = failure();
  }

  void lowerBlock(Block& block, const HostScope& scope) {
    for (unsigned i = 0; i < block.numArguments(); ++i)
      toEvent(block.argument(i));
    for (Operation& op : block.ops())
      if (succeeded(result_)) lower(op, scope);
  }

  void toEvent(Value value) {
    if (air::isTokenType(value.type())) value.setType(airrt::eventType(events_));
  }

  void lower(Operation& op, const HostScope& scope) {
    if (isa<air::LaunchOp>(&op)) return lowerLaunch(air::LaunchOp(&op));
    if (isa<air::SegmentOp>(&op)) return lowerSegment(air::SegmentOp(&op), scope);
    if (isa<air::HerdOp>(&op)) return lowerHerd(air::HerdOp(&op), scope);
    if (isa<air::RankOp>(&op)) return fail(op, "ranks; run air-rank-to-launch first");
    if (isa<air::ExecuteOp>(&op)) return lowerExecute(air::ExecuteOp(&op), scope);
    if (isa<air::WaitAllOp>(&op)) return lowerWait(air::WaitAllOp(&op));
    if (isa<air::DmaMemcpyNdOp>(&op)) return lowerDma(air::DmaMemcpyNdOp(&op), scope);
    if (isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op))
      return lowerChannel(air::ChannelAccessOp(&op), scope);
    if (op.is("memref.alloc") || op.is("memref.dealloc")) return lowerMemory(op);
    if (isa<scf::ParallelOp>(&op) && choosesPlaces(op)) return lowerPlaces(op, scope);
    lowerControl(op, scope);
  }

  // -- Tokens -------------------------------------------------------------------------------------

  /// An event that fires after those `op` waits for, in place of its token.
  void replaceToken(air::AsyncOp op, std::span<const Value> events) {
    if (!op.token()) return;
    op.token().replaceAllUsesWith(
        createWait(Builder::before(*op.op()), op->location(), events, true)->result());
  }

  void lowerWait(air::WaitAllOp op) {
    bool isAsync = static_cast<bool>(op.token());
    Operation* wait =
        createWait(Builder::before(*op.op()), op->location(), op.dependencies().vec(), isAsync);
    for (std::string_view mark : {"air.launch_end", "air.segment_end"})
      if (Attribute value = op->attr(mark)) wait->setAttr(mark, value);
    if (isAsync) op.token().replaceAllUsesWith(wait->result());
    op->erase();
  }

  void lowerExecute(air::ExecuteOp op, const HostScope& scope) {
    Block& body = op.body();
    bool isPure = true;
    for (Operation& inner : body.ops())
      isPure = isPure && (airlite::isPure(inner) || inner.hasTrait(Trait::Terminator));
    std::vector<Value> waited = op.dependencies().vec();
    if (!isPure && !waited.empty())
      createWait(Builder::before(*op.op()), op->location(), waited, false);
    lowerBlock(body, scope);
    if (failed(result_)) return;
    std::vector<Value> results = body.back().operands().vec();
    unsigned first = op->numResults() - static_cast<unsigned>(results.size());
    inlineBefore(body, *op.op(), {});
    for (unsigned i = 0; i < results.size(); ++i)
      op->result(first + i).replaceAllUsesWith(results[i]);
    replaceToken(op, isPure ? std::span<const Value>(waited) : std::span<const Value>());
    op->erase();
  }

  // -- Hierarchy
  // ------------------------------------------------------------------------------------

  /// Ids, sizes and kernel operands, for the arguments of the body.
  static std::vector<Value> argumentsFor(air::HierarchyOp op, std::span<const Value> ids) {
    std::vector<Value> values(ids.begin(), ids.end());
    for (Value size : op.sizes())
      values.push_back(size);
    for (Value operand : op.kernelOperands())
      values.push_back(operand);
    return values;
  }

  static std::vector<Value> idsOf(air::HierarchyOp op) {
    std::vector<Value> ids;
    for (unsigned i = 0; i < op.numDims(); ++i)
      ids.push_back(op.id(i));
    return ids;
  }

  /// The loops over a hierarchy op, with its body in them.
  void inlineInLoops(air::HierarchyOp op, std::span<const int64_t> sizes) {
    std::vector<int64_t> zeros(sizes.size(), 0), ones(sizes.size(), 1);
    std::vector<Operation*> loops;
    std::vector<Value> ids;
    Builder builder = Builder::before(*op.op());
    createNest(builder, op->location(), zeros, sizes, ones, loops, ids);
    ids.resize(op.numDims());
    Operation& before = loops.empty() ? *op.op() : loops.back()->region().front().back();
    inlineBefore(op.body(), before, argumentsFor(op, ids));
    if (!loops.empty() && isa<air::LaunchOp>(op.op()))
      loops[0]->setAttr("affine_opt_label", builder.stringAttr("tiling"));
  }

  void lowerLaunch(air::LaunchOp op) {
    auto sizes = op.constantSizes();
    if (!sizes) return fail(*op.op(), "iterations that are not constant");
    markTransfers(op);
    lowerBlock(op.body(), {idsOf(op)});
    if (failed(result_)) return;
    orderTransfers(op.body(), channels_, true);
    if (sizes->empty()) createUnitBounds(op);
    replaceToken(op, op.dependencies().vec());
    if (sizes->empty()) sizes->push_back(1);
    inlineInLoops(op, *sizes);
    op->erase();
  }

  /// Transfers that need no order say which launch they are of.
  void markTransfers(air::LaunchOp op) {
    const bool areSame = op->hasAttr(air::kSameValues), readFirst = op->hasAttr(air::kReadsFirst);
    if (!areSame && !readFirst) return;
    const Attribute number = Builder::before(*op.op()).i64Attr(markedLaunches_++);
    op->walk([&](Operation& inner) {
      const bool writes = isa<air::ChannelGetOp>(&inner);
      if (areSame && writes) inner.setAttr(air::kSameValues, number);
      if (readFirst && (writes || isa<air::ChannelPutOp>(&inner)))
        inner.setAttr(air::kReadsFirst, number);
    });
  }

  /// A launch without dimensions is one iteration: a loop from 0 by 1, whose bounds other launches
  /// have as operands.
  static void createUnitBounds(air::LaunchOp op) {
    Builder builder = Builder::before(*op.op());
    for (int64_t bound : {0, 1})
      builder.constantIndex(op->location(), bound);
  }

  void lowerSegment(air::SegmentOp op, const HostScope& outer) {
    auto sizes = op.constantSizes();
    if (!sizes) return fail(*op.op(), "iterations that are not constant");
    HostScope scope{outer.ids, std::string(op.symbol())};
    lowerBlock(op.body(), scope);
    if (failed(result_)) return;
    createLoad(Builder::atStart(op.body()), *op.op(), "airrt.segment_load", {}, {});
    replaceToken(op, op.dependencies().vec());
    inlineInLoops(op, *sizes);
    op->erase();
  }

  static void createLoad(Builder builder, Operation& op, std::string_view name,
                         std::vector<Value> operands, std::string_view segment) {
    OperationState state(builder.context(), op.location(), name);
    state.operands = std::move(operands);
    state.addAttribute(builder.context(), kSymbolName, builder.stringAttr(symbolName(op)));
    if (!segment.empty())
      state.addAttribute(builder.context(), "segment_name", builder.stringAttr(segment));
    state.resultTypes.push_back(builder.intType(64));
    builder.create(state);
  }

  void lowerHerd(air::HerdOp op, const HostScope& scope) {
    bool hasDma = false;
    op->walk([&](Operation& inner) { hasDma |= isa<air::DmaMemcpyNdOp>(&inner); });
    std::string segment = scope.segment;
    if (segment.empty() && channels_.hasDevice(op.symbol())) segment = op.symbol();
    createLoad(Builder::before(*op.op()), *op.op(), "airrt.herd_load", scalarsOf(op, segment),
               segment);
    replaceToken(op, op.dependencies().vec());
    if (hasDma) {
      lowerBlock(op.body(), {idsOf(op), scope.segment});
      if (failed(result_)) return;
      if (failed(copyOutHerd(op))) result_ = failure();
    }
    if (succeeded(result_)) op->erase();
  }

  /// What the host writes to the cores. A design has a place for each scalar operand; without one,
  /// those that nobody reads are left out.
  std::vector<Value> scalarsOf(air::HerdOp op, std::string_view segment) const {
    std::vector<Value> scalars;
    if (op->hasAttr(kCountsInstances)) return scalars;
    bool hasDesign = channels_.hasDevice(segment);
    for (unsigned i = 0; i < op.numKernelOperands(); ++i)
      if (op.kernelArgument(i).type().isIntOrIndexOrFloat() &&
          (hasDesign || op.kernelArgument(i).hasUses()))
        scalars.push_back(op.kernelOperands()[i]);
    return scalars;
  }

  // -- Data
  // -----------------------------------------------------------------------------------------

  /// L2 and L1 memory is that of the device.
  void lowerMemory(Operation& op) {
    bool isAlloc = op.numResults() != 0;
    Type type = isAlloc ? op.result().type() : op.operand(0).type();
    if (isL3(type)) return;
    Builder builder = Builder::before(op);
    if (isAlloc) {
      Operation* alloc = builder.create(op.location(), "airrt.alloc", {}, {type});
      op.result().replaceAllUsesWith(alloc->result());
    } else {
      builder.create(op.location(), "airrt.dealloc", {op.operand(0)}, {});
    }
    op.erase();
  }

  void lowerChannel(air::ChannelAccessOp op, const HostScope& scope) {
    const bool isHosts = isL3(op.access().memref.type());
    if (Operation* loop = isHosts ? loopOverTransfer(op) : nullptr) return lower(*loop, scope);
    std::vector<Value> events = op.dependencies().vec();
    if (isHosts) {
      Operation* transfer = createTransfer(op, scope, channels_);
      if (!transfer) return void(result_ = failure());
      if (transfer->numResults()) events.insert(events.begin(), transfer->result());
    }
    replaceToken(op, events);
    op->erase();
  }

  void lowerDma(air::DmaMemcpyNdOp op, const HostScope& scope) {
    air::Access dst = op.dst(), src = op.src();
    auto isL1 = [](const air::Access& access) {
      return air::memoryLevel(access.memref.type()) == air::MemoryLevel::L1;
    };
    bool isOnTile = isL1(dst) || isL1(src);
    if (isL1(dst) && isL1(src)) return fail(*op.op(), "a copy between cores on the host");
    std::vector<Value> waited = op.dependencies().vec();
    if (!waited.empty()) createWait(Builder::before(*op.op()), op->location(), waited, false);
    Builder builder = Builder::before(*op.op());
    Operation* made =
        isOnTile ? createTransfer(op, isL1(dst) ? src : dst, builder, scope) : createCopy(op);
    if (!made) return void(result_ = failure());
    if (op.token()) op.token().replaceAllUsesWith(made->result());
    op->erase();
  }

  // -- Control flow
  // -----------------------------------------------------------------------------------

  /// Loops and choices carry events as they carried tokens, no other op knows them.
  static bool carriesEvents(const Operation& op) {
    return op.numRegions() > 0 || (op.hasTrait(Trait::Terminator) && !op.is("func.return"));
  }

  static bool isOfTokens(const Operation& op) {
    auto isToken = [](Type type) { return air::isTokenType(type) || airrt::isEventType(type); };
    return std::ranges::any_of(op.operandTypes(), isToken) ||
           std::ranges::any_of(op.resultTypes(), isToken);
  }

  void lowerControl(Operation& op, const HostScope& scope) {
    if (!carriesEvents(op) && isOfTokens(op)) return fail(op, "tokens of such an op on the host");
    for (Value result : op.resultValues())
      toEvent(result);
    for (Region& region : op.regions())
      for (Block& block : region.blocks())
        lowerBlock(block, scope);
    if (failed(result_)) return;
    if (isa<scf::ParallelOp>(&op)) return lowerParallel(scf::ParallelOp(&op));
    if (isa<scf::ForOp>(&op)) return dropEmptyLoop(scf::ForOp(&op));
    if (isa<scf::IfOp>(&op) && !scope.segment.empty()) return foldChoice(scf::IfOp(&op));
  }

  static bool onlyEvents(Operation& op) {
    std::vector<Type> types = op.resultTypes();
    return std::all_of(types.begin(), types.end(), airrt::isEventType);
  }

  void dropEmptyLoop(scf::ForOp loop) {
    if (!onlyWaits(loop.body()) || !onlyEvents(*loop.op())) return;
    for (unsigned i = 0; i < loop.numIterArgs(); ++i)
      loop->result(i).replaceAllUsesWith(loop.initArgs()[i]);
    loop->erase();
  }

  /// A choice between things that happen on the device: the host waits for the same either way.
  void foldChoice(scf::IfOp choice) {
    if (!choice.hasElse() || choice->numResults() == 0 || !onlyEvents(*choice.op())) return;
    if (!onlyWaits(choice.thenBlock()) || !onlyWaits(choice.elseBlock())) return;
    std::vector<Value> taken = choice.thenYield().values().vec();
    std::vector<Value> other = choice.elseYield().values().vec();
    inlineBefore(choice.thenBlock(), *choice.op(), {});
    inlineBefore(choice.elseBlock(), *choice.op(), {});
    for (unsigned i = 0; i < choice->numResults(); ++i) {
      Value both[] = {taken[i], other[i]};
      Operation* wait = createWait(Builder::before(*choice.op()), choice->location(), both, true);
      choice->result(i).replaceAllUsesWith(wait->result());
    }
    choice->erase();
  }

  /// Loops of one iteration after the other, where bounds are constant; the ones in sequential
  /// loops stay, for their events are those of the loop around.
  void lowerParallel(scf::ParallelOp loop) {
    std::vector<int64_t> lower, upper, steps;
    if (!readBounds(loop, lower, upper, steps) || !onlyEvents(*loop.op()) ||
        isa<scf::ForOp>(loop->parentOp()))
      return;
    std::vector<Operation*> loops;
    std::vector<Value> variables;
    Builder builder = Builder::before(*loop.op());
    createNest(builder, loop->location(), lower, upper, steps, loops, variables);
    bool isEmpty = onlyWaits(loop.body());
    inlineBefore(loop.body(), loops.back()->region().front().back(), variables);
    for (unsigned i = 0; i < loop->numResults(); ++i) {
      Value init[] = {loop.initVals()[i]};
      Operation* wait = createWait(Builder::before(*loop.op()), loop->location(), init, true);
      loop->result(i).replaceAllUsesWith(wait->result());
    }
    loop->erase();
    if (isEmpty) loops[0]->erase();
  }

  /// A loop over places of a channel: each has a shim channel of its own.
  void lowerPlaces(Operation& loop, const HostScope& scope) {
    auto copies = unrollPlaces(scf::ParallelOp(&loop));
    if (!copies) return fail(loop, "places of a channel that are not constant");
    for (Operation* copy : *copies)
      if (succeeded(result_)) lower(*copy, scope);
  }

  HostChannels channels_;
  Context& events_;
  LogicalResult result_ = success();
  int64_t markedLaunches_ = 0;  // launches whose transfers need no order, so far
};

class AirToStd : public Pass {
 public:
  AirToStd() : Pass("air-to-std", "Turns the host side of an AIR program into airrt operations") {
    anchor("builtin.module");
    example("airlite-opt --air-to-aie='device=npu1' --air-to-std in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    for (CountedEffect effect : {CountedEffect::ChannelPut, CountedEffect::ChannelGet,
                                 CountedEffect::Dma, CountedEffect::Store})
      context.declareEffectChange(effect, "the host keeps its half of each transfer");
    std::vector<Operation*> functions;
    module.walkWith([&](Operation& op) {
      if (op.is("aie.device")) return WalkResult::Skip;
      if (!op.is("func.func")) return WalkResult::Advance;
      if (!op.region().empty()) functions.push_back(&op);
      return WalkResult::Skip;
    });
    HostLowering lowering(module);
    for (Operation* function : functions)
      if (failed(lowering.run(*function))) return PassResult::Failed;
    return changedIf(!functions.empty());
  }
};

}  // namespace

void registerAirToStd(PassRegistry& registry) { registry.add<AirToStd>(); }

}  // namespace airlite::npu
