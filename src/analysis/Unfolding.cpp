// Walks a function as it would run, in the order of the program, and notes what comes before what.
// Each process (the function, an instance, an asynchronous op) is a chain of points; tokens, values
// that an execute hands out and ends of bodies join them. The rules are those of the interpreter
// (docs/interpreter.md).
#include "airlite/analysis/Unfolding.hpp"

#include "../support/IndexText.hpp"
#include "AssumedSources.hpp"
#include "ChannelPlaces.hpp"
#include "UnfoldPlans.hpp"
#include "UnfoldValues.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Cf.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/Lanes.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>
#include <map>

namespace airlite::analysis {

struct Unfolder::Plans : analysis::Plans {
  using analysis::Plans::Plans;
};

namespace {

constexpr unsigned kDeepestCall = 64;

struct Range {
  int64_t lower = 0, upper = 0, step = 1;
  int64_t count() const { return lower < upper ? (upper - lower - 1) / step + 1 : 0; }
};

bool isToken(Value value) { return air::isTokenType(value.type()); }
bool isMemRef(Value value) {
  return value.type().isa<MemRefType>() || value.type().isa<UnrankedMemRefType>();
}

}  // namespace

class Unfolder::Run {
 public:
  Run(Plans& plans, const UnfoldOptions& options)
      : plans_(plans), options_(options), values_(options) {}

  Unfolding unfold(Operation& function) {
    Block& entry = func::FuncOp(&function).entry();
    Flow flow;
    flow.instance = addInstance(&function, kNone, {});
    flow.started = &started_;
    for (Value argument : entry.arguments())
      if (isMemRef(argument)) values_.set(argument, {false, 0, kNone, addBuffer(argument)});
    walk(function.region(0), flow);
    out_.assumptions = values_.assumptions;
    return std::move(out_);
  }

 private:
  /// Cores of a herd meet at its barriers: the k-th time each at the k-th.
  struct Team {
    int64_t size = 0;
    std::vector<PointId> barriers;
    std::vector<int64_t> arrived;
  };
  /// A process, as far as it has come.
  struct Flow {
    PointId at = kNone;
    InstanceId instance = 0;
    std::vector<PointId>* started = nullptr;  // ends of what was started and is not waited for
    uint32_t launch = 0;
    uint64_t core = 0;  // of the herd around it, plus one
    uint32_t process = 0;
    Team* team = nullptr;
    size_t barriersPassed = 0;
    unsigned calls = 0;
  };

  bool isStopped() const { return out_.stoppedAt != nullptr; }
  void stop(Operation& op, std::string why) {
    if (isStopped()) return;
    out_.stoppedAt = &op;
    out_.stoppedBecause = std::move(why);
  }

  // -- Points ------------------------------------------------------------------------------------

  InstanceId addInstance(Operation* op, InstanceId outer, std::vector<int64_t> index) {
    out_.instances.push_back({op, outer, std::move(index)});
    return static_cast<InstanceId>(out_.instances.size() - 1);
  }

  PointId addPoint(PointKind kind, Operation& op, const Flow& flow) {
    if (out_.points.size() >= options_.maxPoints) {
      stop(op, "the program is too large");
      out_.isTooLarge = true;
    }
    Point point;
    point.kind = kind;
    point.op = &op;
    point.instance = flow.instance;
    out_.points.push_back(point);
    return static_cast<PointId>(out_.points.size() - 1);
  }

  void addArc(PointId from, PointId to) {
    if (from != kNone) out_.arcs.push_back({from, to});
  }

  /// A point of its process.
  PointId addStep(PointKind kind, Operation& op, Flow& flow) {
    PointId point = addPoint(kind, op, flow);
    addArc(flow.at, point);
    flow.at = point;
    return point;
  }

  PointId join(std::vector<PointId> points, Operation& op, const Flow& flow) {
    std::erase(points, kNone);
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    if (points.empty()) return kNone;
    if (points.size() == 1) return points.front();
    PointId point = addPoint(PointKind::Join, op, flow);
    for (PointId before : points)
      addArc(before, point);
    return point;
  }

  // -- Memory ------------------------------------------------------------------------------------

  uint32_t addBuffer(Value value) {
    bool isPerCore = false;
    if (Operation* def = value.definingOp(); def && !def->parentOf<air::HerdOp>())
      isPerCore = air::memoryLevel(value.type()) == air::MemoryLevel::L1 &&
                  (def->parentOf<air::SegmentOp>() || def->parentOf<air::LaunchOp>());
    out_.buffers.push_back({value, isPerCore});
    return static_cast<uint32_t>(out_.buffers.size() - 1);
  }

  uint32_t bufferOf(Value value, const Flow& flow) {
    Slot slot = values_.get(value);
    if (slot.buffer == kNone) {
      slot.buffer = addBuffer(value);  // a global
      values_.set(value, slot);
    }
    if (!out_.buffers[slot.buffer].isPerCore || flow.core == 0) return slot.buffer;
    auto [own, isNew] = copies_.try_emplace({slot.buffer, flow.core}, 0);
    if (isNew) {
      own->second = static_cast<uint32_t>(out_.buffers.size());
      out_.buffers.push_back({value, false});
    }
    return own->second;
  }

  void addTouches(PointId point, const OpPlan& plan, const Flow& flow) {
    out_.points[point].firstTouch = static_cast<uint32_t>(out_.touches.size());
    out_.uncertainTouches += plan.numUncertain;
    for (const BufferAccess& access : plan.accesses) {
      Touch touch{bufferOf(access.buffer.value, flow), access.kind, !access.region};
      if (access.region) {
        std::optional<int64_t> start = values_.number(access.region->start);
        if (!start) {
          ++out_.uncertainTouches;
          continue;
        }
        touch.start = *start;
        touch.dims = &access.region->dims;
      }
      out_.touches.push_back(touch);
    }
    out_.points[point].numTouches =
        static_cast<uint32_t>(out_.touches.size()) - out_.points[point].firstTouch;
  }

  /// What an execute produces has to be there.
  void waitForOperands(Operation& op, const OpPlan& plan, Flow& flow) {
    if (plan.pending.empty()) return;
    std::vector<PointId> points{flow.at};
    for (Value value : plan.pending)
      if (!isToken(value)) points.push_back(values_.get(value).point);
    flow.at = join(std::move(points), op, flow);
  }

  // -- Ops ---------------------------------------------------------------------------------------

  /// Follows branches from block to block; the terminator that leaves the region, null when the
  /// walk has stopped.
  Operation* walk(Region& region, Flow& flow) {
    std::map<Operation*, int64_t> same;  // of branches that are tried: how often they went one way
    Block* block = &region.front();
    for (size_t blocks = 0; !isStopped(); ++blocks) {
      if (blocks > options_.maxPoints) {
        stop(*region.parentOp(), "its blocks follow each other without an end");
        out_.isTooLarge = true;
        break;
      }
      walk(*block, flow);
      Operation* end = block->empty() ? nullptr : &block->back();
      if (isStopped() || !end || end->numSuccessors() == 0) return isStopped() ? nullptr : end;
      std::optional<unsigned> successor = successorOf(*end, same);
      auto operands = successor ? cf::successorOperands(*end, *successor) : std::nullopt;
      if (!operands) {
        stop(*end, "a branch that cannot be followed");
        break;
      }
      block = end->successor(*successor);
      std::vector<Slot> slots;
      for (Value operand : *operands)
        slots.push_back(carried(operand));
      for (unsigned i = 0; i < slots.size(); ++i)
        values_.set(block->argument(i), slots[i]);
    }
    return nullptr;
  }

  /// A condition that the program does not fix has to change some time, or a loop had no end.
  std::optional<unsigned> successorOf(Operation& end, std::map<Operation*, int64_t>& same) {
    if (end.numSuccessors() == 1) return 0u;
    std::optional<int64_t> number = values_.decide(end.operand(0));
    if (!number) return std::nullopt;
    bool isFixed = !varies_.isAssumedIn(end.operand(0), *end.parentOp(), values_);
    int64_t most = std::max<int64_t>(options_.assumedTrips, 1);
    if (cf::SwitchOp choice = dynCast<cf::SwitchOp>(&end)) {
      unsigned chosen = 0;
      for (unsigned i = 0; i < choice.numCases(); ++i)
        if (choice.caseValue(i) == *number) chosen = i + 1;
      if (isFixed || same[&end]++ < most) return chosen;
      same[&end] = 0;
      return (chosen + 1) % end.numSuccessors();
    }
    unsigned chosen = *number ? 0 : 1;
    if (isFixed || same[&end]++ < most) return chosen;
    same[&end] = 0;
    return 1 - chosen;
  }

  void walk(Block& block, Flow& flow) {
    for (Operation& op : block.ops()) {
      if (isStopped()) return;
      visit(op, flow);
    }
  }

  void visit(Operation& op, Flow& flow) {
    const OpPlan& plan = plans_.of(op);
    switch (plan.kind) {
      case PlanKind::Nothing:
        return waitForOperands(op, plan, flow);
      case PlanKind::Plain:
        return visitPlain(op, plan, flow);
      case PlanKind::Allocate:
        waitForOperands(op, plan, flow);
        for (Value result : op.resultValues())
          if (isMemRef(result)) values_.set(result, {false, 0, kNone, addBuffer(result)});
        return;
      case PlanKind::TokenAlloc:
        return values_.set(op.result(), {true, ++locks_, kNone, kNone});
      case PlanKind::TokenSelect:
        return visitTokenSelect(op);
      case PlanKind::Barrier:
        return visitBarrier(op, flow);
      case PlanKind::WaitAll:
        return visitWaitAll(op, flow);
      case PlanKind::Execute:
      case PlanKind::Dma:
      case PlanKind::Channel:
      case PlanKind::Hierarchy:
        return visitAsync(op, plan, flow);
      case PlanKind::Call:
        return visitCall(op, flow);
      case PlanKind::For:
        return visitFor(op, flow);
      case PlanKind::AffineFor:
        return visitAffineFor(op, flow);
      case PlanKind::Parallel:
        return visitParallel(op, flow);
      case PlanKind::Forall:
        return visitForall(op, flow);
      case PlanKind::AffineParallel:
        return visitAffineParallel(op, flow);
      case PlanKind::While:
        return visitWhile(op, flow);
      case PlanKind::Region:
        return visitRegion(op, flow);
      case PlanKind::If:
      case PlanKind::AffineIf:
      case PlanKind::Switch:
        return visitBranch(op, plan.kind, flow);
      case PlanKind::Unknown:
        if (op.hasTrait(Trait::Terminator)) return;
        return stop(op, "'" + std::string(op.name()) + "' around asynchronous ops");
    }
  }

  void visitPlain(Operation& op, const OpPlan& plan, Flow& flow) {
    waitForOperands(op, plan, flow);
    if (plan.accesses.empty()) {
      out_.uncertainTouches += plan.numUncertain;
      return;
    }
    addTouches(addStep(PointKind::Step, op, flow), plan, flow);
  }

  void visitTokenSelect(Operation& op) {
    std::optional<int64_t> number = values_.decide(op.operand(0));
    if (!number) return stop(op, "a condition that cannot be evaluated");
    values_.set(op.result(), values_.get(op.operand(*number ? 1 : 2)));
  }

  void visitBarrier(Operation& op, Flow& flow) {
    if (!flow.team) return;
    Team& team = *flow.team;
    size_t number = flow.barriersPassed++;
    if (number == team.barriers.size()) {
      team.barriers.push_back(addPoint(PointKind::Join, op, flow));
      team.arrived.push_back(0);
    }
    ++team.arrived[number];
    addArc(flow.at, team.barriers[number]);
    flow.at = team.barriers[number];
  }

  std::vector<PointId> tokenPoints(OperandRange tokens) const {
    std::vector<PointId> points;
    for (Value token : tokens)
      if (isToken(token)) points.push_back(values_.get(token).point);
    return points;
  }

  void visitWaitAll(Operation& op, Flow& flow) {
    std::vector<PointId> points = tokenPoints(op.operands());
    if (Value token = air::AsyncOp(&op).token()) {
      values_.set(token, {true, ++locks_, join(std::move(points), op, flow), kNone});
      return;
    }
    points.push_back(flow.at);
    flow.at = join(std::move(points), op, flow);
  }

  void visitAsync(Operation& op, const OpPlan& plan, Flow& flow) {
    std::vector<PointId> before = tokenPoints(air::AsyncOp(&op).dependencies());
    before.push_back(flow.at);
    Value token = air::AsyncOp(&op).token();
    PointId* ownRun = nullptr;
    if (token && plan.isInOrder) {
      ownRun = &lastRuns_.try_emplace({flow.process, &op}, kNone).first->second;
      before.push_back(*ownRun);
    }
    PointId begin = join(std::move(before), op, flow);
    if (!token) {
      flow.at = begin;
      return runBody(op, plan, flow);
    }
    std::vector<PointId> started;
    Flow child = flow;
    child.at = begin;
    child.started = &started;
    child.process = ++processes_;
    runBody(op, plan, child);
    started.push_back(child.at);
    PointId end = join(std::move(started), op, flow);
    if (ownRun) *ownRun = end;
    flow.started->push_back(end);
    values_.set(token, {true, ++locks_, end, kNone});
    if (plan.kind == PlanKind::Execute) bindExecuted(op, end);
  }

  void bindExecuted(Operation& op, PointId end) {
    Operation* terminator = op.region().hasOneBlock() ? op.region().front().terminator() : left_;
    for (unsigned i = 1; i < op.numResults(); ++i) {
      Slot slot;
      if (terminator && i <= terminator->numOperands())
        slot = values_.get(terminator->operand(i - 1));
      slot.point = end;
      values_.set(op.result(i), slot);
    }
  }

  void runBody(Operation& op, const OpPlan& plan, Flow& flow) {
    if (plan.kind == PlanKind::Execute) {
      left_ = walk(op.region(), flow);
      return;
    }
    if (plan.kind == PlanKind::Hierarchy) return runInstances(air::asHierarchy(&op), flow);
    waitForOperands(op, plan, flow);
    if (plan.kind == PlanKind::Channel) return runTransfer(air::ChannelAccessOp(&op), plan, flow);
    addTouches(addStep(PointKind::Step, op, flow), plan, flow);
  }

  // -- Channels ----------------------------------------------------------------------------------

  void runTransfer(air::ChannelAccessOp op, const OpPlan& plan, Flow& flow) {
    if (!plan.channel) return stop(*op, "the channel is not declared");
    uint32_t lane = 0, destination = 0;
    if (!findLane(op, plan, flow, lane, destination)) return;
    if (plan.isForOneOfSeveral)
      return stop(*op, "which destination a packet is for is known when it runs");
    PointKind kind = op.isPut() ? PointKind::Send : PointKind::Receive;
    PointId offer = addStep(PointKind::Offer, *op, flow);
    PointId point = addStep(kind, *op, flow);
    addTouches(point, plan, flow);
    out_.points[point].begin = offer;
    out_.points[point].lane = lane;
    out_.points[point].destination = destination;
    out_.points[point].elements = elementsOf(op);
    if (!op.isPut()) return;
    PointId sent = addStep(PointKind::Sent, *op, flow);
    out_.points[sent].lane = lane;
    out_.points[sent].begin = point;
  }

  /// What a put sends, zeros around it included, or a get takes; -1 when it cannot be told.
  int64_t elementsOf(air::ChannelAccessOp op) {
    air::Access access = op.access();
    std::vector<std::optional<int64_t>> sizes;
    for (const air::IndexEntry& size : access.sizes)
      sizes.push_back(values_.decide(size));
    if (access.isWhole()) {
      MemRefType type = access.memref.type().dynCast<MemRefType>();
      if (!type) return -1;
      for (int64_t size : type.shape())
        sizes.push_back(size == kDynamic ? std::nullopt : std::optional(size));
    }
    for (std::string_view padding : {"pad_before", "pad_after"})
      if (auto zeros = op->attrOf<DenseArrayAttr>(padding))
        for (size_t i = 0; i < zeros.values().size() && i < sizes.size(); ++i)
          if (sizes[i]) *sizes[i] += zeros.values()[i];
    int64_t total = air::sendsOf(*op);
    for (std::optional<int64_t> size : sizes)
      if (!size || *size < 0 || __builtin_mul_overflow(total, *size, &total)) return -1;
    return total;
  }

  bool findLane(air::ChannelAccessOp op, const OpPlan& plan, const Flow& flow, uint32_t& lane,
                uint32_t& destination) {
    std::vector<int64_t> index;
    for (Value value : op.indices()) {
      std::optional<int64_t> number = values_.decide(value);
      if (!number) return stop(*op, "an index of the channel is no integer"), false;
      index.push_back(*number);
    }
    std::optional<ChannelPlace> place = placeOf(plan.channel, op.isPut(), index);
    if (!place) {
      out_.faults.push_back({op.op(), flow.instance,
                             "index " + indexText(index) + " is outside of channel '@" +
                                 std::string(plan.channel.symbol()) + "' of shape " +
                                 indexText(shapeOf(plan.channel, op.isPut()))});
      return false;
    }
    destination = place->destination;
    lane = laneAt(plan, plan.isPerLaunch ? flow.launch : 0, std::move(place->index),
                  place->numDestinations);
    return true;
  }

  uint32_t laneAt(const OpPlan& plan, uint32_t launch, std::vector<int64_t> place,
                  uint32_t copies) {
    auto [entry, isNew] = lanes_.try_emplace({{plan.channel.op(), launch}, place},
                                             static_cast<uint32_t>(out_.lanes.size()));
    if (isNew)
      out_.lanes.push_back(
          {plan.channel, std::move(place), std::max<int64_t>(plan.channel.depth(), 1), copies});
    return entry->second;
  }

  // -- Hierarchy ---------------------------------------------------------------------------------

  void runInstances(air::HierarchyOp op, Flow& flow) {
    std::vector<Range> ranges;
    for (Value size : op.sizes()) {
      std::optional<int64_t> number = values_.decide(size);
      if (!number) return stop(*op, "a size is no integer");
      ranges.push_back({0, *number, 1});
    }
    PointId acquire = acquireLocks(op, flow);
    // Each core gets its own part of memory next to it: it has to be there.
    if (isa<air::HerdOp>(op.op())) waitForMemory(op, flow);
    bindArguments(op);
    int64_t lanes = lanesOf(op);
    Team team;
    team.size = lanes;
    for (const Range& range : ranges)
      team.size *= range.count();
    std::vector<PointId> started;
    forEachInstance(op, ranges, lanes, [&](const std::vector<int64_t>& index, int64_t lane) {
      Flow instance = flow;
      instance.instance = addInstance(op.op(), flow.instance, index);
      if (lanes > 1) setLane(op, instance.instance, lane);
      instance.started = &started;
      instance.process = ++processes_;
      if (isa<air::LaunchOp>(op.op())) instance.launch = ++launches_;
      if (isa<air::HerdOp>(op.op())) {
        instance.core =
            coreOf(index) * static_cast<uint64_t>(kMostLanes) + static_cast<uint64_t>(lane);
        instance.team = &team;
        instance.barriersPassed = 0;
      }
      for (unsigned i = 0; i < op.numDims(); ++i)
        values_.setNumber(op.id(i), index[i]);
      walk(op->region(), instance);
      started.push_back(instance.at);
    });
    checkBarriers(team, flow);
    started.push_back(flow.at);
    flow.at = join(std::move(started), *op, flow);
    if (acquire == kNone) return;
    PointId release = addStep(PointKind::Release, *op, flow);
    out_.points[release].begin = acquire;
  }

  // -- Lanes -------------------------------------------------------------------------------------

  /// How often a core runs its body: once for each lane where something tells lanes apart.
  int64_t lanesOf(air::HierarchyOp op) {
    air::HerdOp herd = dynCast<air::HerdOp>(op.op());
    if (!herd || !air::runsOncePerLane(herd)) return 1;
    return clipped(*op, air::waveSizeOf(*op).value_or(kMostLanes));
  }

  void setLane(air::HierarchyOp op, InstanceId instance, int64_t lane) {
    out_.instances[instance].lane = lane;
    auto [known, isNew] = laneIds_.try_emplace(op.op());
    if (isNew)
      op->walk([&](Operation& inner) {
        if (inner.is("gpu.lane_id")) known->second.push_back(inner.result());
      });
    for (Value id : known->second)
      values_.setNumber(id, lane);
  }

  template <class Fn>
  void forEachInstance(air::HierarchyOp op, const std::vector<Range>& ranges, int64_t lanes,
                       Fn each) {
    forEachPoint(*op, ranges, [&](const std::vector<int64_t>& index) {
      for (int64_t lane = 0; lane < lanes && !isStopped(); ++lane)
        each(index, lane);
    });
  }

  PointId acquireLocks(air::HierarchyOp op, Flow& flow) {
    if (op.affinity().empty()) return kNone;
    PointId acquire = addStep(PointKind::Acquire, *op, flow);
    Point& point = out_.points[acquire];
    point.firstLock = static_cast<uint32_t>(out_.locks.size());
    for (Value token : op.affinity())
      if (Slot slot = values_.get(token); slot.isKnown)
        out_.locks.push_back(static_cast<uint64_t>(slot.number));
    point.numLocks = static_cast<uint32_t>(out_.locks.size()) - point.firstLock;
    return acquire;
  }

  void waitForMemory(air::HierarchyOp op, Flow& flow) {
    std::vector<PointId> points{flow.at};
    for (Value operand : op.kernelOperands())
      if (isMemRef(operand)) points.push_back(values_.get(operand).point);
    flow.at = join(std::move(points), *op, flow);
  }

  /// Numbers are followed to the operand when they are asked for.
  void bindArguments(air::HierarchyOp op) {
    for (unsigned i = 0; i < op.numKernelOperands(); ++i) {
      Slot slot = values_.get(op.kernelOperands()[i]);
      if (!isToken(op.kernelArgument(i))) slot.isKnown = false;
      values_.set(op.kernelArgument(i), slot);
    }
  }

  void checkBarriers(const Team& team, const Flow& flow) {
    for (size_t i = 0; i < team.arrived.size(); ++i)
      if (team.arrived[i] != team.size && !isStopped())
        return out_.faults.push_back(
            {out_.points[team.barriers[i]].op, flow.instance,
             "only " + std::to_string(team.arrived[i]) + " of the " + std::to_string(team.size) +
                 " cores of the herd come to barrier number " + std::to_string(i + 1)});
  }

  static constexpr int64_t kMostLanes = 64;

  static uint64_t coreOf(const std::vector<int64_t>& index) {
    uint64_t core = 0;
    for (int64_t i : index)
      core = (core << 20) | static_cast<uint64_t>(i & 0xfffff);
    return core + 1;
  }

  template <class Fn> void forEachPoint(Operation& op, const std::vector<Range>& ranges, Fn each) {
    std::vector<int64_t> index;
    for (const Range& range : ranges) {
      if (range.step <= 0) return stop(op, "a step that is not positive");
      if (range.count() == 0) return;
      index.push_back(range.lower);
    }
    bool isClipped = isa<air::LaunchOp>(&op) || op.hasTrait(Trait::ParallelLoop);
    int64_t left = isClipped ? clipped(op, INT64_MAX) : INT64_MAX;
    for (; left > 0; --left) {
      if (isStopped()) return;
      each(index);
      size_t d = ranges.size();
      while (d > 0 && (index[d - 1] += ranges[d - 1].step) >= ranges[d - 1].upper) {
        --d;
        index[d] = ranges[d].lower;
      }
      if (d == 0) return;
    }
  }

  // -- Calls and branches ------------------------------------------------------------------------

  void visitCall(Operation& op, Flow& flow) {
    func::FuncOp callee = func::CallOp(&op).function();
    if (!callee || callee.isDeclaration()) return stop(op, "a call of a function without a body");
    if (flow.calls == kDeepestCall) return stop(op, "calls are nested too deeply");
    for (unsigned i = 0; i < op.numOperands(); ++i)
      values_.set(callee.argument(i), carried(op.operand(i)));
    ++flow.calls;
    InstanceId outer = flow.instance;
    flow.instance = addInstance(callee.op(), outer, {});
    Operation* end = walk(callee.body(), flow);
    flow.instance = outer;
    --flow.calls;
    if (end) bindResults(op, *end);
  }

  /// What a value is, to be kept when the values that it comes from change.
  Slot carried(Value value) {
    Slot slot = values_.get(value);
    if (isToken(value)) return slot;
    if (std::optional<int64_t> number = values_.number(value))
      slot.isKnown = true, slot.number = *number;
    if (!isMemRef(value) || slot.buffer != kNone) return slot;
    // A part of a buffer begins somewhere else: what is done with it there is left out.
    Buffer buffer = plans_.reader().bufferOf(value);
    bool isSelf = buffer.value == value || isHandedIn(value, buffer);
    if (buffer.isKnown() && isSelf) slot.buffer = values_.get(buffer.value).buffer;
    return slot;
  }

  /// An argument of a hierarchy op that is the whole of a buffer of outside.
  static bool isHandedIn(Value value, const Buffer& buffer) {
    while (value.isBlockArgument()) {
      air::HierarchyOp hierarchy = air::asHierarchy(value.argumentBlock()->parentOp());
      Value outside = hierarchy ? hierarchy.tiedOperand(value) : Value();
      if (!outside) return false;
      if (outside == buffer.value) return true;
      value = outside;
    }
    return false;
  }

  void bindResults(Operation& op, Operation& terminator) {
    std::vector<Slot> slots;
    for (unsigned i = 0; i < op.numResults() && i < terminator.numOperands(); ++i)
      slots.push_back(carried(terminator.operand(i)));
    for (unsigned i = 0; i < slots.size(); ++i)
      values_.set(op.result(i), slots[i]);
  }

  void visitBranch(Operation& op, PlanKind kind, Flow& flow) {
    std::optional<unsigned> chosen = chosenRegion(op, kind);
    if (!chosen) return stop(op, "a condition that cannot be evaluated");
    Region& region = op.region(*chosen);
    if (region.empty()) return;
    Operation* end = walk(region, flow);
    if (end && op.numResults() > 0) bindResults(op, *end);
  }

  /// Runs its body once.
  void visitRegion(Operation& op, Flow& flow) {
    Operation* end = walk(op.region(0), flow);
    if (end) bindResults(op, *end);
  }

  std::optional<unsigned> chosenRegion(Operation& op, PlanKind kind) {
    if (kind == PlanKind::AffineIf) return chosenBySet(affine::IfOp(&op));
    std::optional<int64_t> number = values_.decide(op.operand(0));
    if (!number) return std::nullopt;
    if (kind == PlanKind::If) return *number ? 0u : 1u;
    std::span<const int64_t> cases = scf::IndexSwitchOp(&op).cases();
    auto found = std::find(cases.begin(), cases.end(), *number);
    return found == cases.end() ? 0u : static_cast<unsigned>(found - cases.begin()) + 1;
  }

  std::optional<unsigned> chosenBySet(affine::IfOp op) {
    std::optional<std::vector<int64_t>> operands = decideAll(op.setOperands().vec());
    if (!operands) return std::nullopt;
    unsigned dims = op.condition().numDims();
    std::optional<bool> holds = op.condition().contains(std::span(*operands).first(dims),
                                                        std::span(*operands).subspan(dims));
    if (!holds) return std::nullopt;
    return *holds ? 0u : 1u;
  }

  std::optional<std::vector<int64_t>> decideAll(const std::vector<Value>& values) {
    std::vector<int64_t> numbers;
    for (Value value : values) {
      std::optional<int64_t> number = values_.decide(value);
      if (!number) return std::nullopt;
      numbers.push_back(*number);
    }
    return numbers;
  }

  /// How many of `count` runs are unfolded.
  int64_t clipped(Operation& op, int64_t count) const {
    bool isClipped = options_.maxRepetitions > 0 && !plans_.hasChannels(op);
    return isClipped ? std::min(count, options_.maxRepetitions) : count;
  }

  // -- Loops -------------------------------------------------------------------------------------

  void visitFor(Operation& op, Flow& flow) {
    scf::ForOp loop(&op);
    auto bounds = decideAll({loop.lowerBound(), loop.upperBound(), loop.step()});
    if (!bounds) return stop(op, "a bound that is no integer");
    runLoop(op, {(*bounds)[0], (*bounds)[1], (*bounds)[2]}, loop.initArgs(), flow);
  }

  void visitAffineFor(Operation& op, Flow& flow) {
    affine::ForOp loop(&op);
    std::optional<int64_t> lower = bound(loop.lowerBound(), true);
    std::optional<int64_t> upper = bound(loop.upperBound(), false);
    if (!lower || !upper) return stop(op, "a bound that cannot be evaluated");
    runLoop(op, {*lower, *upper, loop.step()}, loop.inits(), flow);
  }

  std::optional<int64_t> bound(const affine::Application& application, bool isLower) {
    auto operands = decideAll(application.operands);
    if (!operands) return std::nullopt;
    unsigned dims = application.map.numDims();
    auto results = application.map.evaluate(std::span(*operands).first(dims),
                                            std::span(*operands).subspan(dims));
    if (!results || results->empty()) return std::nullopt;
    return isLower ? *std::max_element(results->begin(), results->end())
                   : *std::min_element(results->begin(), results->end());
  }

  /// Tokens that the loop results in cover everything inside.
  void runLoop(Operation& op, Range range, OperandRange inits, Flow& flow) {
    if (range.step <= 0) return stop(op, "a step that is not positive");
    Block& body = op.region(0).front();
    std::vector<Slot> carriedSlots;
    for (Value init : inits)
      carriedSlots.push_back(carried(init));
    std::vector<PointId> started;
    std::vector<PointId>* outerStarted = std::exchange(flow.started, &started);
    InstanceId outer = flow.instance;
    int64_t left = clipped(op, range.count());
    for (int64_t i = range.lower; left > 0 && !isStopped(); --left, i += range.step) {
      flow.instance = addInstance(&op, outer, {i});
      values_.setNumber(body.argument(0), i);
      for (unsigned k = 0; k < carriedSlots.size(); ++k)
        values_.set(body.argument(k + 1), carriedSlots[k]);
      Operation* end = walk(op.region(0), flow);
      if (!end) break;
      for (unsigned k = 0; k < carriedSlots.size(); ++k)
        carriedSlots[k] = carried(end->operand(k));
    }
    flow.instance = outer;
    flow.started = outerStarted;
    bindLoopResults(op, carriedSlots, started, flow);
  }

  /// Where the program does not fix the condition, a number of runs is tried.
  void visitWhile(Operation& op, Flow& flow) {
    scf::WhileOp loop(&op);
    std::vector<Slot> slots;
    for (Value init : loop.inits())
      slots.push_back(carried(init));
    std::vector<PointId> started;
    std::vector<PointId>* outerStarted = std::exchange(flow.started, &started);
    InstanceId outer = flow.instance;
    for (int64_t i = 0;; ++i) {
      flow.instance = addInstance(&op, outer, {i});
      if (out_.instances.size() > 2 * options_.maxPoints) {
        stop(op, "it runs too often");
        out_.isTooLarge = true;
      }
      Operation* end = runPart(loop.before(), slots, 0, flow);
      if (!end) break;
      slots.clear();
      scf::ConditionOp test(end);
      for (Value argument : test.args())
        slots.push_back(carried(argument));
      std::optional<bool> goesOn = decideWhile(op, test.condition(), i);
      if (!goesOn) stop(op, "a condition that cannot be evaluated");
      if (!goesOn || !*goesOn) break;
      Operation* yield = runPart(loop.after(), slots, 0, flow);
      if (!yield) break;
      slots.clear();
      for (Value operand : yield->operands())
        slots.push_back(carried(operand));
    }
    flow.instance = outer;
    flow.started = outerStarted;
    if (!isStopped()) bindLoopResults(op, slots, started, flow);
  }

  Operation* runPart(Region& region, const std::vector<Slot>& slots, unsigned first, Flow& flow) {
    for (unsigned k = 0; k < slots.size(); ++k)
      values_.set(region.front().argument(first + k), slots[k]);
    return walk(region, flow);
  }

  std::optional<bool> decideWhile(Operation& loop, Value condition, int64_t run) {
    std::optional<int64_t> number = values_.decide(condition);
    if (!number) return std::nullopt;
    if (*number == 0 || !varies_.isAssumedIn(condition, loop, values_)) return *number != 0;
    return run < std::max<int64_t>(options_.assumedTrips, 1);
  }

  void bindLoopResults(Operation& op, std::vector<Slot>& slots, std::vector<PointId>& started,
                       Flow& flow) {
    PointId all = op.numResults() == 0 ? kNone : join(started, op, flow);
    for (unsigned i = 0; i < slots.size(); ++i) {
      if (isToken(op.result(i))) slots[i].point = join({slots[i].point, all}, op, flow);
      values_.set(op.result(i), slots[i]);
    }
    if (op.numResults() == 0)
      flow.started->insert(flow.started->end(), started.begin(), started.end());
    else
      flow.started->push_back(all);
  }

  // -- Parallel loops ----------------------------------------------------------------------------

  /// The process waits for the bodies. Tensors that they share are no memory.
  void runSideBySide(Operation& op, const std::vector<Range>& ranges, Flow& flow) {
    Block& block = op.region(0).front();
    std::vector<PointId> bodies;
    forEachPoint(op, ranges, [&](const std::vector<int64_t>& index) {
      Flow body = flow;
      body.process = ++processes_;
      body.instance = addInstance(&op, flow.instance, index);
      for (unsigned i = 0; i < index.size(); ++i)
        values_.setNumber(block.argument(i), index[i]);
      walk(op.region(0), body);
      bodies.push_back(body.at);
    });
    bodies.push_back(flow.at);
    flow.at = join(std::move(bodies), op, flow);
  }

  void visitForall(Operation& op, Flow& flow) {
    scf::ForallOp loop(&op);
    auto lower = mixed(loop.staticLowerBounds(), loop.dynamicLowerBounds()),
         upper = mixed(loop.staticUpperBounds(), loop.dynamicUpperBounds()),
         step = mixed(loop.staticSteps(), loop.dynamicSteps());
    if (!lower || !upper || !step) return stop(op, "a bound that is no integer");
    std::vector<Range> ranges;
    for (unsigned i = 0; i < loop.rank(); ++i)
      ranges.push_back({(*lower)[i], (*upper)[i], (*step)[i]});
    runSideBySide(op, ranges, flow);
  }

  std::optional<std::vector<int64_t>> mixed(std::span<const int64_t> statics, OperandRange values) {
    std::vector<int64_t> numbers;
    for (const memref::MixedIndex& entry : memref::mixedIndices(statics, values)) {
      std::optional<int64_t> number =
          entry.isConstant() ? std::optional(entry.constant) : values_.decide(entry.value);
      if (!number) return std::nullopt;
      numbers.push_back(*number);
    }
    return numbers;
  }

  void visitAffineParallel(Operation& op, Flow& flow) {
    affine::ParallelOp loop(&op);
    std::vector<Range> ranges;
    for (unsigned i = 0; i < loop.numDims(); ++i) {
      std::optional<int64_t> lower = bound(loop.lowerBound(i), true);
      std::optional<int64_t> upper = bound(loop.upperBound(i), false);
      if (!lower || !upper) return stop(op, "a bound that cannot be evaluated");
      ranges.push_back({*lower, *upper, loop.step(i)});
    }
    if (op.numResults() > 0) return stop(op, "numbers reduced around asynchronous ops");
    runSideBySide(op, ranges, flow);
  }

  /// Without results the process waits for the bodies; with tokens the loop is asynchronous; one
  /// that reduces numbers runs in order, and its tokens come when all is done that bodies started.
  void visitParallel(Operation& op, Flow& flow) {
    scf::ParallelOp loop(&op);
    std::vector<Range> ranges;
    for (unsigned i = 0; i < loop.numLoops(); ++i) {
      auto bounds = decideAll({loop.lowerBounds()[i], loop.upperBounds()[i], loop.steps()[i]});
      if (!bounds) return stop(op, "a bound that is no integer");
      ranges.push_back({(*bounds)[0], (*bounds)[1], (*bounds)[2]});
    }
    std::vector<Value> results = op.resultValues();
    bool isAsync = !results.empty() && std::all_of(results.begin(), results.end(), isToken);
    bool isOrdered = !results.empty() && !isAsync;
    const bool hasTokens = std::any_of(results.begin(), results.end(), isToken);
    std::vector<PointId> begin = tokenPoints(loop.initVals()), started, bodies;
    begin.push_back(flow.at);
    PointId first = isAsync ? join(begin, op, flow) : flow.at;
    forEachPoint(op, ranges, [&](const std::vector<int64_t>& index) {
      Flow body = flow;
      body.at = isOrdered ? flow.at : first;
      if (!isOrdered) body.process = ++processes_;
      body.started = hasTokens ? &started : flow.started;
      body.instance = addInstance(&op, flow.instance, index);
      for (unsigned i = 0; i < index.size(); ++i)
        values_.setNumber(loop.inductionVars()[i], index[i]);
      walk(loop->region(0), body);
      bodies.push_back(body.at);
      if (isOrdered) flow.at = body.at;
    });
    started.insert(started.end(), bodies.begin(), bodies.end());
    if (!isAsync) {
      bodies.push_back(flow.at);
      flow.at = join(std::move(bodies), op, flow);
    }
    if (!hasTokens) return;
    started.push_back(isAsync ? first : flow.at);
    if (isOrdered) started.insert(started.end(), begin.begin(), begin.end());
    PointId end = join(std::move(started), op, flow);
    flow.started->push_back(end);
    for (Value result : results)
      if (isToken(result)) values_.set(result, {true, ++locks_, end, kNone});
  }

  Plans& plans_;
  const UnfoldOptions& options_;
  UnfoldValues values_;
  Unfolding out_;
  std::vector<PointId> started_;
  std::map<std::pair<uint32_t, uint64_t>, uint32_t> copies_;  // (buffer, core) -> its own
  std::map<std::pair<std::pair<Operation*, uint32_t>, std::vector<int64_t>>, uint32_t> lanes_;
  std::map<std::pair<uint32_t, Operation*>, PointId> lastRuns_;  // of a transfer in a process
  std::map<Operation*, std::vector<Value>> laneIds_;             // of a herd
  AssumedSources varies_;
  Operation* left_ = nullptr;  // the terminator by which the last execute was left
  uint32_t launches_ = 0, processes_ = 0;
  int64_t locks_ = 0;
};

Unfolder::Unfolder(Operation& module) : plans_(std::make_unique<Plans>(module)) {}
Unfolder::~Unfolder() = default;

Unfolding Unfolder::unfold(Operation& function, const UnfoldOptions& options) {
  return Run(*plans_, options).unfold(function);
}

}  // namespace airlite::analysis
