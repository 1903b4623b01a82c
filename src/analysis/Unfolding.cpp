// Walks a function as it would run, in the order of the program, and notes what comes before what.
// Each process (the function, an instance, an asynchronous op) is a chain of points; tokens, values
// that an execute hands out and ends of bodies join them. The rules are those of the interpreter
// (docs/interpreter.md).
#include "airlite/analysis/Unfolding.hpp"

#include "ChannelPlaces.hpp"
#include "UnfoldRun.hpp"
#include "airlite/dialect/Cf.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"

namespace airlite::analysis {

struct Unfolder::Plans : analysis::Plans {
  using analysis::Plans::Plans;
};

namespace unfold {
namespace {

void visitPlain(UnfoldRun& run, Operation& op, const OpPlan& plan, Flow& flow) {
  waitForOperands(run, op, plan, flow);
  if (plan.accesses.empty() && plan.maybes.empty()) {
    run.graph.out.uncertainTouches += plan.numUncertain;
    return;
  }
  addTouches(run, run.graph.addStep(PointKind::Step, op, flow), plan, flow);
}

void visitTokenSelect(UnfoldRun& run, Operation& op) {
  std::optional<int64_t> number = run.values.decide(op.operand(0));
  if (!number) return run.graph.stop(op, "a condition that cannot be evaluated");
  run.values.set(op.result(), run.values.get(op.operand(*number ? 1 : 2)));
}

void visitWaitAll(UnfoldRun& run, Operation& op, Flow& flow) {
  std::vector<PointId> points = tokenPoints(run, op.operands());
  if (Value token = air::AsyncOp(&op).token()) {
    run.values.set(token, {true, ++run.locks, run.graph.join(std::move(points), op, flow), kNone});
    return;
  }
  points.push_back(flow.at);
  flow.at = run.graph.join(std::move(points), op, flow);
}

void bindExecuted(UnfoldRun& run, Operation& op, Operation* left, PointId done) {
  Operation* terminator = op.region().hasOneBlock() ? op.region().front().terminator() : left;
  for (unsigned i = 1; i < op.numResults(); ++i) {
    Slot slot;
    if (terminator && i <= terminator->numOperands())
      slot = run.values.get(terminator->operand(i - 1));
    slot.point = done;
    run.values.set(op.result(i), slot);
  }
}

/// The terminator by which an execute is left, else null.
Operation* runBody(UnfoldRun& run, Operation& op, const OpPlan& plan, Flow& flow) {
  if (plan.kind == PlanKind::Execute) return walk(run, op.region(), flow);
  if (plan.kind == PlanKind::Hierarchy) {
    runInstances(run, air::asHierarchy(&op), flow);
    return nullptr;
  }
  waitForOperands(run, op, plan, flow);
  if (plan.kind == PlanKind::Channel)
    runTransfer(run, air::ChannelAccessOp(&op), plan, flow);
  else
    addTouches(run, run.graph.addStep(PointKind::Step, op, flow), plan, flow);
  return nullptr;
}

void visitAsync(UnfoldRun& run, Operation& op, const OpPlan& plan, Flow& flow) {
  std::vector<PointId> before = tokenPoints(run, air::AsyncOp(&op).dependencies());
  before.push_back(flow.at);
  Value token = air::AsyncOp(&op).token();
  PointId* ownRun = nullptr;
  if (token && plan.isInOrder) {
    ownRun = &run.lastRuns.try_emplace({flow.process, &op}, kNone).first->second;
    before.push_back(*ownRun);
  }
  PointId begin = run.graph.join(std::move(before), op, flow);
  if (!token) {
    flow.at = begin;
    runBody(run, op, plan, flow);
    return;
  }
  std::vector<PointId> started;
  Flow child = flow;
  child.at = begin;
  child.started = &started;
  child.process = ++run.processes;
  Operation* left = runBody(run, op, plan, child);
  started.push_back(child.at);
  PointId done = run.graph.join(std::move(started), op, flow);
  if (ownRun) *ownRun = done;
  flow.started->push_back(done);
  run.values.set(token, {true, ++run.locks, done, kNone});
  if (plan.kind == PlanKind::Execute) bindExecuted(run, op, left, done);
}

/// The numbers that decide how often, or which of, its bodies run.
OperandRange decidingOf(Operation& op) {
  if (scf::WhileOp loop = dynCast<scf::WhileOp>(&op))
    return loop.before().front().back().operands().slice(0, 1);
  return op.operands();
}

void visitControl(UnfoldRun& run, Operation& op, PlanKind kind, Flow& flow) {
  switch (kind) {
    case PlanKind::For: return visitFor(run, op, flow);
    case PlanKind::AffineFor: return visitAffineFor(run, op, flow);
    case PlanKind::Parallel: return visitParallel(run, op, flow);
    case PlanKind::Forall: return visitForall(run, op, flow);
    case PlanKind::AffineParallel: return visitAffineParallel(run, op, flow);
    case PlanKind::While: return visitWhile(run, op, flow);
    default: return visitBranch(run, op, flow);
  }
}

void visit(UnfoldRun& run, Operation& op, Flow& flow) {
  const OpPlan& plan = run.plans.of(op);
  switch (plan.kind) {
    case PlanKind::Nothing: return waitForOperands(run, op, plan, flow);
    case PlanKind::Plain: return visitPlain(run, op, plan, flow);
    case PlanKind::Allocate:
      waitForOperands(run, op, plan, flow);
      for (Value result : op.resultValues())
        if (isMemRef(result)) run.values.set(result, {false, 0, kNone, addBuffer(run, result)});
      return;
    case PlanKind::TokenAlloc:
      return run.values.set(op.result(), {true, ++run.locks, kNone, kNone});
    case PlanKind::TokenSelect: return visitTokenSelect(run, op);
    case PlanKind::Barrier: return visitBarrier(run, op, flow);
    case PlanKind::WaitAll: return visitWaitAll(run, op, flow);
    case PlanKind::Execute:
    case PlanKind::Dma:
    case PlanKind::Channel:
    case PlanKind::Hierarchy: return visitAsync(run, op, plan, flow);
    case PlanKind::Call: return visitCall(run, op, flow);
    case PlanKind::For:
    case PlanKind::AffineFor:
    case PlanKind::Parallel:
    case PlanKind::Forall:
    case PlanKind::AffineParallel:
    case PlanKind::While:
    case PlanKind::Branch:
      visitControl(run, op, plan.kind, flow);
      return addOpenRuns(run, op, decidingOf(op), flow);
    case PlanKind::Region: return visitRegion(run, op, flow);
    case PlanKind::Unknown:
      if (op.hasTrait(Trait::Terminator)) return;
      return run.graph.stop(op, "'" + std::string(op.name()) + "' around asynchronous ops");
  }
}

void walk(UnfoldRun& run, Block& block, Flow& flow) {
  for (Operation& op : block.ops()) {
    if (run.graph.isStopped()) return;
    visit(run, op, flow);
  }
}

}  // namespace

std::vector<PointId> tokenPoints(const UnfoldRun& run, OperandRange tokens) {
  std::vector<PointId> points;
  for (Value token : tokens)
    if (isToken(token)) points.push_back(run.values.get(token).point);
  return points;
}

Operation* walk(UnfoldRun& run, Region& region, Flow& flow) {
  std::map<Operation*, int64_t> same;  // of branches that are tried: how often they went one way
  Block* block = &region.front();
  for (size_t blocks = 0; !run.graph.isStopped(); ++blocks) {
    if (blocks > run.options.maxPoints) {
      run.graph.stopAsTooLarge(*region.parentOp(), "its blocks follow each other without an end");
      break;
    }
    walk(run, *block, flow);
    Operation* end = block->empty() ? nullptr : &block->back();
    if (run.graph.isStopped() || !end || end->numSuccessors() == 0)
      return run.graph.isStopped() ? nullptr : end;
    std::optional<unsigned> successor = successorOf(run, *end, same);
    run.graph.out.hasOpenBranches |=
        end->numOperands() > 0 && run.varies.isAssumed(end->operand(0), run.values);
    auto operands = successor ? cf::successorOperands(*end, *successor) : std::nullopt;
    if (!operands) {
      run.graph.stop(*end, "a branch that cannot be followed");
      break;
    }
    block = end->successor(*successor);
    std::vector<Slot> slots;
    for (Value operand : *operands)
      slots.push_back(carried(run, operand));
    for (unsigned i = 0; i < slots.size(); ++i)
      run.values.set(block->argument(i), slots[i]);
  }
  return nullptr;
}

}  // namespace unfold

int64_t Unfolding::amountOf(const Point& point) const {
  if (!lanes[point.lane].isMixed || point.elements < 0) return point.elements;
  return point.elements * elementBytesOf(air::ChannelAccessOp(point.op));
}

Unfolder::Unfolder(Operation& module) : plans_(std::make_unique<Plans>(module)) {}
Unfolder::~Unfolder() = default;

Unfolding Unfolder::unfold(Operation& function, const UnfoldOptions& options) {
  unfold::UnfoldRun run(*plans_, options);
  Block& entry = func::FuncOp(&function).entry();
  std::vector<PointId> started;
  UnfoldFlow flow;
  flow.instance = run.graph.addInstance(&function, kNone, {});
  flow.started = &started;
  for (Value argument : entry.arguments())
    if (unfold::isMemRef(argument))
      run.values.set(argument, {false, 0, kNone, unfold::addBuffer(run, argument)});
  Operation* end = unfold::walk(run, function.region(0), flow);
  if (end)
    for (Value result : end->operands())
      if (unfold::isMemRef(result))
        run.graph.out.results.push_back(unfold::wholeBuffer(run, result));
  run.graph.out.assumptions = run.values.assumptions;
  return std::move(run.graph.out);
}

}  // namespace airlite::analysis
