// Tokens, processes and iteration spaces (see Async.hpp).
#include "Async.hpp"

#include "Access.hpp"
#include "RankSide.hpp"
#include "Ranks.hpp"
#include "airlite/dialect/Lanes.hpp"

#include <numeric>

namespace airlite::interp {

namespace {
constexpr int64_t kMaxInstances = int64_t(1) << 20;
}

Step readTokens(Run& run, const Inst& inst, uint32_t first, uint32_t count,
                std::vector<uint32_t>& tokens) {
  for (uint32_t i = first; i < first + count; ++i) {
    const Slot& slot = run.in(inst, i);
    if (!slot.isBits())
      return slot.isPoison() ? run.machine.poisonError(run, inst, slot, "a dependency")
                             : Step::Retry;
    tokens.push_back(static_cast<uint32_t>(slot.bits()));
  }
  return Step::Next;
}

Step doAwait(Run& run, const Inst& inst) {
  std::vector<uint32_t> tokens;
  if (Step s = readTokens(run, inst, 0, inst.numIn, tokens); s != Step::Next) return s;
  return run.machine.waitFor(run, tokens, inst.op);
}

Step doEnd(Run&, const Inst&) { return Step::End; }

void emitAwait(Builder& b, Operation& op, const Builder::Registers& tokens) {
  if (!tokens.empty()) b.emit(doAwait, op, tokens);
}

Step startProcess(Run& run, const Inst& inst, Process*& process, uint32_t after) {
  std::vector<uint32_t> tokens{after};
  if (Step s = readTokens(run, inst, 0, inst.numIn, tokens); s != Step::Next) return s;
  Machine& machine = run.machine;
  uint32_t token = machine.tokens.make(inst.op);
  Scope* scope = machine.newScope(run.process.asyncScope, token);
  process = &machine.spawn(*static_cast<const Code*>(inst.data), run, scope, scope, tokens);
  run.out(inst).setBits(token);
  return Step::Next;
}

static Step doLaunch(Run& run, const Inst& inst) {
  Process* process = nullptr;
  return startProcess(run, inst, process);
}

static Step doLaunchInOrder(Run& run, const Inst& inst) {
  uint32_t& before = run.process.lastRuns[inst.op];
  Process* process = nullptr;
  Step step = startProcess(run, inst, process, before);
  if (step == Step::Next) before = static_cast<uint32_t>(run.out(inst).bits());
  return step;
}

void emitLaunch(Builder& b, Operation& op, const Code& code, const Builder::Registers& tokens,
                uint32_t out, OwnRuns runs) {
  Inst& inst = b.emit(runs == OwnRuns::InOrder ? doLaunchInOrder : doLaunch, op, tokens, out);
  inst.data = &code;
  inst.isStart = true;
}

void emitAsync(Builder& b, Operation& op, const Builder::Registers& dependencies, bool isAsync,
               const std::function<void(Builder&)>& body, OwnRuns runs) {
  if (!isAsync) {
    emitAwait(b, op, dependencies);
    body(b);
    return;
  }
  Code& code = *b.arena().makeCode(&op);
  Builder inner(b.compiler(), code, &b);
  body(inner);
  inner.emit(doEnd, op);
  emitLaunch(b, op, code, dependencies, b.defineResults(op), runs);
}

// -- Iteration spaces -----------------------------------------------------------------------------

namespace {

struct Range {
  int64_t lower, upper, step;
  int64_t count() const { return lower < upper ? (upper - lower - 1) / step + 1 : 0; }
};

Step readRanges(Run& run, const Inst& inst, uint32_t dims, std::vector<Range>& ranges) {
  int64_t numbers[3 * kMaxRank];
  if (Step s = readNumbers(run, inst, 0, 3 * dims, numbers, "a size"); s != Step::Next) return s;
  int64_t total = 1;
  for (uint32_t i = 0; i < dims; ++i) {
    Range range{numbers[i], numbers[dims + i], numbers[2 * dims + i]};
    if (range.step <= 0) {
      run.machine.error(run, *inst.op) << "a step must be positive, but it is " << range.step;
      return Step::Fail;
    }
    ranges.push_back(range);
    if (!__builtin_mul_overflow(total, range.count(), &total) && total <= kMaxInstances) continue;
    run.machine.error(run, *inst.op) << "more than " << kMaxInstances << " instances";
    return Step::Fail;
  }
  return Step::Next;
}

/// The position of a core in its herd, as a number; the first core of a herd has 0.
uint64_t coreKey(const std::vector<int64_t>& index, int64_t lane) {
  uint64_t key = 0;
  for (int64_t i : index)
    key = (key << 20) | static_cast<uint64_t>(i & 0xfffff);
  return (key << 8) | static_cast<uint64_t>(lane & 0xff);
}

/// Memory next to a core that a launch or segment allocates is there once for each core; it
/// stays/// from one herd to the next. The first core has the original.
void giveOwnMemory(Slot& slot, uint64_t key) {
  if (slot.kind() != SlotKind::View || key == 0) return;
  const View& view = slot.as<View>();
  if (!view.memory->perCore) return;
  std::shared_ptr<Memory> own;
  for (const auto& [core, memory] : view.memory->copies)
    if (core == key) own = memory;
  if (!own) {
    own = std::make_shared<Memory>(*view.memory);
    own->copies.clear();
    view.memory->copies.emplace_back(key, own);
  }
  auto* copy = new View(view);
  copy->references = 0;
  copy->memory = own;
  slot.set(SlotKind::View, copy);
}

class Starter {
 public:
  Starter(Run& run, const Inst& inst, const Instances& instances, std::vector<Range> ranges)
      : run_(run), inst_(inst), instances_(instances), ranges_(std::move(ranges)) {}

  Step start(Scope* scope) {
    scope_ = scope;
    std::vector<std::vector<int64_t>> points = allPoints();
    if (instances_.isRank && run_.machine.options().ranks) return startProcesses(points);
    startHere(points);
    return Step::Next;
  }

 private:
  /// The ranks are processes of the operating system.
  Step startProcesses(const std::vector<std::vector<int64_t>>& points) {
    Machine& machine = run_.machine;
    if (!machine.side()) {
      auto side = RankSide::ofHost(machine, *machine.options().ranks);
      if (!side) {
        machine.error(run_, *inst_.op) << "cannot start the ranks: " << side.error().message;
        return Step::Fail;
      }
      machine.takeSide(std::move(*side));
    }
    RankSide::Start start{
        inst_.op, instances_.code, static_cast<uint32_t>(points.size()), scope_,
        [&](Machine& there, uint32_t rank) {
          ranks_ = there.newRankSpace();
          ranks_->count = static_cast<uint32_t>(points.size());
          place(there.spawn(*instances_.code, run_, there.root(), there.root(), {}, points[rank]),
                points[rank], 0);
        }};
    return machine.side()->start(run_, start);
  }

  void startHere(std::vector<std::vector<int64_t>>& points) {
    Scope* scope = scope_;
    if (instances_.isHerd) {
      team_ = std::make_shared<Team>();
      team_->size = static_cast<uint32_t>(points.size() * lanes());
      for (const Range& range : ranges_)
        team_->extent.push_back(range.count());
    }
    if (instances_.isRank) {
      ranks_ = run_.machine.newRankSpace();
      ranks_->count = static_cast<uint32_t>(points.size());
    }
    bool oneByOne = instances_.isLaunch && points.size() > 1 && run_.machine.random(2) == 0;
    if (oneByOne) return startInSequence(points);
    for (std::vector<int64_t>& point : points)
      startPoint(point, scope, {});
  }

  unsigned lanes() const {
    if (!instances_.usesLanes) return 1;
    std::optional<int64_t> stated = air::waveSizeOf(*inst_.op);
    return stated ? static_cast<unsigned>(*stated) : run_.machine.options().lanes;
  }

  std::vector<std::vector<int64_t>> allPoints() const {
    std::vector<std::vector<int64_t>> points{{}};
    for (const Range& range : ranges_) {
      std::vector<std::vector<int64_t>> longer;
      for (const std::vector<int64_t>& point : points)
        for (int64_t i = 0; i < range.count(); ++i) {
          longer.push_back(point);
          longer.back().push_back(range.lower + i * range.step);
        }
      points = std::move(longer);
    }
    return points;
  }

  /// Each instance waits for the one before, in a random order.
  void startInSequence(std::vector<std::vector<int64_t>>& points) {
    Machine& machine = run_.machine;
    for (size_t i = points.size(); i > 1; --i)
      std::swap(points[i - 1], points[machine.random(i)]);
    std::vector<uint32_t> before;
    for (std::vector<int64_t>& point : points) {
      uint32_t token = machine.tokens.make(inst_.op);
      Scope* own = machine.newScope(scope_, token);
      startPoint(point, own, before);
      machine.closeOne(own);
      before = {token};
    }
  }

  void startPoint(const std::vector<int64_t>& point, Scope* scope,
                  std::span<const uint32_t> dependencies) {
    for (unsigned lane = 0; lane < lanes(); ++lane) {
      ++scope->open;
      Scope* async = instances_.bodiesOnly ? run_.process.asyncScope : scope;
      Process& process =
          run_.machine.spawn(*instances_.code, run_, scope, async, dependencies, point);
      place(process, point, static_cast<int64_t>(lane));
    }
  }

  void place(Process& process, const std::vector<int64_t>& point, int64_t lane) {
    std::vector<Slot>& registers = process.frames[0].registers;
    for (size_t i = 0; i < point.size(); ++i)
      registers[instances_.ids[i]].setBits(static_cast<uint64_t>(point[i]));
    if (!instances_.keepsLevel) process.level = instances_.level;
    if (instances_.isLaunch) process.launch = run_.machine.newLaunch();
    if (ranks_) {
      process.ranks = ranks_;
      process.rank = rankOf(point);
    }
    if (!instances_.isHerd) return;
    process.team = team_;
    process.lane = lane;
    for (uint32_t param : instances_.code->params)
      giveOwnMemory(registers[param], coreKey(point, lane));
  }

  uint32_t rankOf(const std::vector<int64_t>& point) const {
    int64_t rank = 0;
    for (size_t i = 0; i < point.size(); ++i)
      rank = rank * ranges_[i].count() + point[i];
    return static_cast<uint32_t>(rank);
  }

  Run& run_;
  const Inst& inst_;
  const Instances& instances_;
  std::vector<Range> ranges_;
  RankSpace* ranks_ = nullptr;
  Scope* scope_ = nullptr;
  std::shared_ptr<Team> team_;
};

Step doInstances(Run& run, const Inst& inst) {
  const auto& instances = *static_cast<const Instances*>(inst.data);
  std::vector<Range> ranges;
  std::vector<uint32_t> affinity;
  if (Step s = readRanges(run, inst, instances.dims, ranges); s != Step::Next) return s;
  if (Step s = readTokens(run, inst, 3 * instances.dims, instances.numAffinity, affinity);
      s != Step::Next)
    return s;
  Machine& machine = run.machine;
  const bool needsAll = !instances.isRank || machine.options().ranks;
  for (uint32_t i = 3 * instances.dims + instances.numAffinity; needsAll && i < inst.numIn; ++i)
    if (run.in(inst, i).kind() == SlotKind::Pending) return Step::Retry;
  uint32_t token = machine.tokens.make(inst.op);
  if (!machine.holdAffinity(run, affinity, token, inst.op)) return Step::Block;
  Scope* scope = machine.newScope(run.process.asyncScope, token);
  Step started = Starter(run, inst, instances, ranges).start(scope);
  machine.closeOne(scope);
  if (started != Step::Next) return started;
  run.out(inst).setBits(token);
  return Step::Next;
}

}  // namespace

void emitInstances(Builder& b, Operation& op, const Instances& instances,
                   const Builder::Registers& in, uint32_t out) {
  b.emit(doInstances, op, in, out).data = b.arena().make<Instances>(instances);
}

}  // namespace airlite::interp
