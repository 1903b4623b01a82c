// The scheduler: which process runs next and for how long, what tokens wake, and how a run begins
// and ends.
#include "Machine.hpp"

#include "Channels.hpp"
#include "Compiler.hpp"
#include "Deadlock.hpp"
#include "RankSide.hpp"
#include "Ranks.hpp"
#include "airlite/dialect/Func.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace airlite::interp {

Machine::Machine(Compiler& compiler, Context& context, const RunOptions& options)
    : compiler_(compiler), context_(context), options_(options), rng_(options.seed) {
  root_ = newScope(nullptr, 0);
}

Machine::~Machine() = default;

/// Steele's SplitMix64: a seed means the same schedule on every machine.
uint64_t Machine::random(uint64_t below) {
  uint64_t z = rng_ += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return (z ^ z >> 31) % below;
}

// -- Errors ---------------------------------------------------------------------------------------

static std::string instanceText(const Place& place) {
  std::string text;
  for (int64_t i : place.index)
    text += (text.empty() ? "" : ", ") + std::to_string(i);
  return "in instance (" + text + ") of this " + std::string(place.op->name());
}

InFlightDiagnostic Machine::error(Run& run, Operation& op, RunStatus status) {
  status_ = status;
  InFlightDiagnostic diagnostic = op.emitError();
  for (const Place* place = run.process.place.get(); place; place = place->outer.get())
    if (!place->index.empty() && place->op != &op)
      placeNotes_.push_back({Severity::Note, place->op->location(), instanceText(*place), {}});
  return diagnostic;
}

Step Machine::poisonError(Run& run, const Inst& inst, const Slot& slot, std::string_view use) {
  InFlightDiagnostic diagnostic = error(run, *inst.op);
  diagnostic << use << " of '" << inst.op->name() << "' has no defined value";
  if (const Origin* from = origins.find(slot.bits()))
    diagnostic.note(from->op->location()) << "it comes from here: " << from->what;
  return Step::Fail;
}

// -- Tokens and scopes ----------------------------------------------------------------------------

uint32_t Tokens::make(Operation* op, bool fired) {
  Token& token = all_.emplace_back();
  token.op = op;
  token.fired = fired;
  return static_cast<uint32_t>(all_.size() - 1);
}

std::vector<Process*> Tokens::fire(uint32_t number) {
  std::vector<uint32_t> ready{number};
  std::vector<Process*> waiters;
  while (!ready.empty()) {
    Token& token = all_[ready.back()];
    ready.pop_back();
    if (token.fired) continue;
    token.fired = true;
    for (uint32_t dependent : token.dependents)
      if (--all_[dependent].waiting == 0) ready.push_back(dependent);
    waiters.insert(waiters.end(), token.waiters.begin(), token.waiters.end());
    token.dependents = {};
    token.waiters = {};
  }
  return waiters;
}

uint32_t Tokens::join(std::span<const uint32_t> inputs, Operation* op) {
  uint32_t number = make(op);
  for (uint32_t input : inputs) {
    if (all_[input].fired) continue;
    all_[input].dependents.push_back(number);
    ++all_[number].waiting;
  }
  all_[number].fired = all_[number].waiting == 0;
  return number;
}

void Machine::fire(uint32_t number) {
  for (Process* waiter : tokens.fire(number))
    if (--waiter->waitCount == 0) wake(*waiter);
}

void Machine::waitForTokens(Process& process, std::span<const uint32_t> list, Operation* op) {
  process.waitTokens.clear();
  for (uint32_t token : list) {
    if (tokens.isFired(token)) continue;
    tokens[token].waiters.push_back(&process);
    process.waitTokens.push_back(token);
  }
  process.waitCount = static_cast<uint32_t>(process.waitTokens.size());
  if (process.waitCount) block(process, Wait::Tokens, op);
}

Step Machine::waitFor(Run& run, std::span<const uint32_t> list, Operation* op) {
  waitForTokens(run.process, list, op);
  return run.process.wait == Wait::Nothing ? Step::Next : Step::Block;
}

Scope* Machine::newScope(Scope* parent, uint32_t token) {
  Scope* scope = nullptr;
  if (freeScopes_.empty()) {
    scope = &scopes_.emplace_back();
  } else {
    scope = freeScopes_.back();
    freeScopes_.pop_back();
  }
  *scope = {parent, 1, token};
  if (parent) ++parent->open;
  return scope;
}

void Machine::closeOne(Scope* scope) {
  while (scope && --scope->open == 0) {
    if (scope->token) fire(scope->token);
    Scope* parent = scope->parent;
    freeScopes_.push_back(scope);
    scope = parent;
  }
}

bool Machine::holdAffinity(Run& run, std::span<const uint32_t> list, uint32_t done, Operation* op) {
  std::vector<uint32_t> held;
  for (uint32_t token : list)
    if (auto found = affinity_.find(token);
        found != affinity_.end() && !tokens.isFired(found->second))
      held.push_back(found->second);
  if (!held.empty()) {
    waitForTokens(run.process, held, op);
    return false;
  }
  for (uint32_t token : list)
    affinity_[token] = done;
  return true;
}

// -- Processes ------------------------------------------------------------------------------------

Process& Machine::newProcess(const Code& code) {
  Process& process = *processes_.emplace_back(std::make_unique<Process>());
  process.slot = static_cast<uint32_t>(processes_.size() - 1);
  ++started_;
  Frame& frame = process.frames.emplace_back();
  frame.code = &code;
  frame.registers.resize(code.numRegisters);
  return process;
}

Process& Machine::spawn(const Code& code, Run& from, Scope* done, Scope* async,
                        std::span<const uint32_t> dependencies, std::vector<int64_t> index) {
  const Process& creator = from.process;
  Process& process = newProcess(code);
  auto place = std::make_shared<Place>();
  *place = {code.op, std::move(index), creator.place};
  process.place = std::move(place);
  process.doneScope = done;
  process.asyncScope = async;
  process.level = creator.level;
  process.lane = creator.lane;
  process.launch = creator.launch;
  process.team = creator.team;
  process.ranks = creator.ranks;
  process.rank = creator.rank;
  std::vector<Slot>& registers = process.frames[0].registers;
  for (size_t i = 0; i < code.captured.size(); ++i)
    registers[code.params[i]] = from.registers[code.captured[i]];
  waitForTokens(process, dependencies, code.op);
  if (process.wait == Wait::Nothing) runnable_.push_back(&process);
  return process;
}

RankSpace* Machine::newRankSpace() {
  return rankSpaces_.emplace_back(std::make_shared<RankSpace>()).get();
}

void Machine::block(Process& process, Wait wait, Operation* op) {
  process.wait = wait;
  process.waitOp = op;
}

void Machine::wake(Process& process) {
  if (process.wait == Wait::Nothing) return;
  process.wait = Wait::Nothing;
  runnable_.push_back(&process);
}

void Machine::remove(Process& process) {
  uint32_t slot = process.slot;
  std::swap(processes_[slot], processes_.back());
  processes_[slot]->slot = slot;
  processes_.pop_back();
}

void Machine::finish(Process& process) {
  closeOne(process.doneScope);
  remove(process);
}

/// The operands that are results of an execute, in place of the promise of them.
Step Machine::retry(Run& run, const Inst& inst) {
  std::vector<uint32_t> missing;
  bool changed = false;
  for (uint32_t i = 0; i < inst.numIn; ++i) {
    Slot& slot = run.in(inst, i);
    if (slot.kind() != SlotKind::Pending) continue;
    const Box& box = slot.as<Box>();
    if (!tokens.isFired(box.token)) {
      missing.push_back(box.token);
      continue;
    }
    Slot value = box.value;
    slot = value;
    changed = true;
  }
  if (!missing.empty()) return waitFor(run, missing, inst.op);
  if (changed) return Step::Retry;
  for (uint32_t i = 0; i < inst.numIn; ++i)
    if (run.in(inst, i).isPoison()) return poisonError(run, inst, run.in(inst, i), "an operand");
  error(run, *inst.op, RunStatus::Unsupported)
      << "not supported by the interpreter: '" << inst.op->name() << "' on these types";
  return Step::Fail;
}

/// Short and long turns alike: races between neighbouring instructions need the one, those between
/// far ones the other.
static uint64_t turnLength(Machine& machine) {
  switch (machine.random(4)) {
    case 0: return 1 + machine.random(4);
    case 1: return 1 + machine.random(256);
    default: return 1 + machine.random(1 << 16);
  }
}

/// The work of an op that comes late is kept back; that an asynchronous one is started is not.
bool Machine::mustWait(Process& process, const Inst& inst) {
  const std::vector<Operation*>& late = options_.late;
  if (inst.isStart || std::find(late.begin(), late.end(), inst.op) == late.end()) {
    process.isLate = false;
    return false;
  }
  if (process.isLate) return false;
  late_.push_back(&process);
  return true;
}

/// Nothing else can continue: one that was kept back may.
void Machine::takeLate() {
  std::swap(late_[random(late_.size())], late_.back());
  late_.back()->isLate = true;
  runnable_.push_back(late_.back());
  late_.pop_back();
}

/// The instruction runs once more, with as many steps less that are left.
static bool goesOn(Run& run, uint64_t& left) {
  --run.pc;
  left -= std::min(run.spent, left - 1);
  return true;
}

bool Machine::executeSome(Process& process) {
  Run run(*this, process);
  const bool hasLate = !options_.late.empty();
  uint64_t turn = turnLength(*this), left = turn;
  if (options_.maxSteps) left = turn = std::min(turn, options_.maxSteps - steps_);
  for (; left; --left) {
    const Inst& inst = run.insts[run.pc];
    if (hasLate && mustWait(process, inst)) [[unlikely]] {
      steps_ += turn - left;
      run.save();
      return false;
    }
    ++run.pc;
    Step step = inst.handler(run, inst);
    if (step == Step::Next) [[likely]]
      continue;
    if (step == Step::Again && goesOn(run, left)) continue;
    if (step == Step::Retry) {
      --run.pc;
      step = retry(run, inst);
      if (step == Step::Retry) continue;
    } else if (step == Step::Block) {
      --run.pc;
    }
    steps_ += turn - left;
    if (step == Step::End) {
      finish(process);
      return false;
    }
    run.save();
    return false;
  }
  steps_ += turn;
  run.save();
  return true;
}

bool Machine::mustStop() {
  if (!options_.wantsStop || !options_.wantsStop(steps_)) return false;
  end(RunStatus::Stopped, fmt::format("the run was stopped after {} steps", steps_));
  return true;
}

/// Until nothing can run.
void Machine::runAll() {
  uint64_t turns = 0;
  while ((!runnable_.empty() || !late_.empty()) && status_ == RunStatus::Done) {
    if (runnable_.empty()) takeLate();
    if (options_.maxSteps && steps_ >= options_.maxSteps) {
      return end(RunStatus::TooLong,
                 fmt::format("the run takes more than {} steps", options_.maxSteps));
    }
    if (turns++ % 16 == 0 && mustStop()) return;
    size_t chosen = random(runnable_.size());
    Process& process = *runnable_[chosen];
    std::swap(runnable_[chosen], runnable_.back());
    runnable_.pop_back();
    if (executeSome(process)) runnable_.push_back(&process);
  }
}

void Machine::schedule() {
  do
    runAll();
  while (isFine() && side_ && side_->waitForOthers());
  if (!isFine() || processes_.empty()) return;
  status_ = RunStatus::Deadlock;
  side_ ? side_->reportStuck() : reportDeadlock(*this);
}

// -- Ranks in several processes -------------------------------------------------------------------

void Machine::takeSide(std::unique_ptr<RankSide> side) { side_ = std::move(side); }

void Machine::end(RunStatus status, std::string message) {
  status_ = status;
  if (message_.empty()) message_ = std::move(message);
}

void Machine::countWork(uint64_t steps, uint64_t processes) {
  steps_ += steps;
  started_ += processes;
}

void Machine::wakeAtSharedLanes() {
  for (const auto& process : processes_) {
    bool isAtLane = process->wait == Wait::ChannelSpace || process->wait == Wait::ChannelTaken ||
                    process->wait == Wait::ChannelData;
    if (!isAtLane || !process->waitLane->shared) continue;
    process->waitLane->waiters.clear();
    wake(*process);
  }
}

// -- The beginning and the end --------------------------------------------------------------------

static Slot slotOf(Datum& datum, Type type) {
  Slot slot;
  if (auto* scalar = std::get_if<Scalar>(&datum)) {
    scalar->poison ? slot.setPoison(0) : slot.setBits(scalar->bits);
  } else if (auto* memref = std::get_if<MemRef>(&datum)) {
    auto* view = new View;
    view->memory = memref->memory;
    view->offset = memref->offset;
    view->sizes = memref->sizes;
    view->strides = memref->strides;
    if (type.isa<MemRefType>() || type.isa<UnrankedMemRefType>())
      if (auto level = air::memoryLevel(type)) view->memory->level = static_cast<uint8_t>(*level);
    slot.set(SlotKind::View, view);
  } else {
    auto* array = new Array;
    for (const Scalar& lane : std::get<std::vector<Scalar>>(datum))
      array->lanes.push_back({lane.bits, lane.poison ? uint64_t(1) : 0});
    slot.set(SlotKind::Array, array);
  }
  return slot;
}

static Datum datumOf(Slot& slot, Type type) {
  while (slot.kind() == SlotKind::Pending) {
    Slot value = slot.as<Box>().value;
    slot = value;
  }
  if (slot.kind() == SlotKind::View) {
    const View& view = slot.as<View>();
    int64_t bytes = std::max(1u, elementBytes(elementTypeOrSelf(type)));
    return MemRef{view.memory, view.offset + view.base / bytes, view.sizes, view.strides};
  }
  if (slot.kind() == SlotKind::Array) {
    std::vector<Scalar> lanes;
    for (const Lane& lane : slot.as<Array>().lanes)
      lanes.push_back({lane.bits, lane.origin != 0});
    return lanes;
  }
  return Scalar{slot.isPoison() ? 0 : slot.bits(), slot.isPoison()};
}

void Machine::start(Operation& function, std::vector<Datum>& arguments) {
  const Code& code = compiler_.function(function);
  Process& process = newProcess(code);
  process.doneScope = process.asyncScope = root_;
  Block& entry = func::FuncOp(&function).entry();
  for (size_t i = 0; i < arguments.size() && i < code.params.size(); ++i)
    process.frames[0].registers[code.params[i]] =
        slotOf(arguments[i], entry.argument(static_cast<unsigned>(i)).type());
  runnable_.push_back(&process);
}

Outcome Machine::run(Operation& function, std::vector<Datum> arguments) {
  start(function, arguments);
  Outcome outcome = runStarted();
  if (!isFine()) return outcome;
  std::span<const Type> types = func::FuncOp(&function).functionType().results();
  for (size_t i = 0; i < results_.size(); ++i)
    outcome.results.push_back(datumOf(results_[i], types[i]));
  return outcome;
}

Outcome Machine::runStarted() {
  Outcome outcome;
  DiagnosticEngine& engine = context_.diagnostics();
  DiagnosticEngine::Handler handler;
  handler = engine.setHandler([&](const Diagnostic& diagnostic) {
    Diagnostic shown = diagnostic;
    addPlaces(shown);
    if (message_.empty() && shown.severity == Severity::Error) message_ = shown.message;
    if (handler) handler(shown);
  });
  schedule();
  if (side_) side_->close();
  engine.setHandler(handler);
  outcome.status = status_;
  outcome.message = message_;
  outcome.steps = steps_;
  outcome.processes = started_;
  outcome.calls = std::move(calls);
  return outcome;
}

void Machine::addPlaces(Diagnostic& diagnostic) {
  for (Diagnostic& note : placeNotes_)
    diagnostic.notes.push_back(std::move(note));
  placeNotes_.clear();
}

}  // namespace airlite::interp
