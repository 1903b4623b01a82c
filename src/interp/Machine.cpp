// The scheduler: which process runs next and for how long, what tokens wake, and how a run begins
// and ends.
#include "Machine.hpp"

#include "Channels.hpp"
#include "Compiler.hpp"
#include "Deadlock.hpp"
#include "Ranks.hpp"
#include "airlite/dialect/Func.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace airlite::interp {

Machine::Machine(Compiler& compiler, Context& context, const RunOptions& options)
    : compiler_(compiler), context_(context), options_(options), rng_(options.seed) {
  tokens_.emplace_back();  // number 0 is not a token
  tokens_[0].fired = true;
  origins_.emplace_back();  // nor is origin 0 one
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

uint64_t Machine::origin(Operation* op, std::string what) {
  auto [found, fresh] = originOf_.emplace(op, origins_.size());
  if (fresh) origins_.push_back({op, std::move(what)});
  return found->second;
}

void Machine::noteOrigin(InFlightDiagnostic& diagnostic, uint64_t origin) const {
  if (origin == 0 || origin >= origins_.size()) return;
  const Origin& from = origins_[origin];
  diagnostic.note(from.op->location()) << "it comes from here: " << from.what;
}

Step Machine::poisonError(Run& run, const Inst& inst, const Slot& slot, std::string_view use) {
  InFlightDiagnostic diagnostic = error(run, *inst.op);
  diagnostic << use << " of '" << inst.op->name() << "' has no defined value";
  noteOrigin(diagnostic, slot.bits());
  return Step::Fail;
}

// -- Tokens and scopes ----------------------------------------------------------------------------

uint32_t Machine::newToken(Operation* op, bool fired) {
  Token& token = tokens_.emplace_back();
  token.op = op;
  token.fired = fired;
  return static_cast<uint32_t>(tokens_.size() - 1);
}

void Machine::fire(uint32_t number) {
  std::vector<uint32_t> ready{number};
  while (!ready.empty()) {
    Token& token = tokens_[ready.back()];
    ready.pop_back();
    if (token.fired) continue;
    token.fired = true;
    for (uint32_t dependent : token.dependents)
      if (--tokens_[dependent].waiting == 0) ready.push_back(dependent);
    for (Process* waiter : token.waiters)
      if (--waiter->waitCount == 0) wake(*waiter);
    token.dependents = {};
    token.waiters = {};
  }
}

uint32_t Machine::join(std::span<const uint32_t> inputs, Operation* op) {
  uint32_t number = newToken(op);
  for (uint32_t input : inputs) {
    if (tokens_[input].fired) continue;
    tokens_[input].dependents.push_back(number);
    ++tokens_[number].waiting;
  }
  tokens_[number].fired = tokens_[number].waiting == 0;
  return number;
}

void Machine::waitForTokens(Process& process, std::span<const uint32_t> tokens, Operation* op) {
  process.waitTokens.clear();
  for (uint32_t token : tokens) {
    if (tokens_[token].fired) continue;
    tokens_[token].waiters.push_back(&process);
    process.waitTokens.push_back(token);
  }
  process.waitCount = static_cast<uint32_t>(process.waitTokens.size());
  if (process.waitCount) block(process, Wait::Tokens, op);
}

Step Machine::waitFor(Run& run, std::span<const uint32_t> tokens, Operation* op) {
  waitForTokens(run.process, tokens, op);
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

bool Machine::holdAffinity(Run& run, std::span<const uint32_t> tokens, uint32_t done,
                           Operation* op) {
  std::vector<uint32_t> held;
  for (uint32_t token : tokens)
    if (auto found = affinity_.find(token); found != affinity_.end() && !isFired(found->second))
      held.push_back(found->second);
  if (!held.empty()) {
    waitForTokens(run.process, held, op);
    return false;
  }
  for (uint32_t token : tokens)
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
    if (!isFired(box.token)) {
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

void Machine::schedule() {
  uint64_t turns = 0;
  while ((!runnable_.empty() || !late_.empty()) && status_ == RunStatus::Done) {
    if (runnable_.empty()) takeLate();
    if (options_.maxSteps && steps_ >= options_.maxSteps) {
      status_ = RunStatus::TooLong;
      message_ = fmt::format("the run takes more than {} steps", options_.maxSteps);
      return;
    }
    if (options_.wantsStop && turns++ % 16 == 0 && options_.wantsStop(steps_)) {
      status_ = RunStatus::Stopped;
      message_ = fmt::format("the run was stopped after {} steps", steps_);
      return;
    }
    size_t chosen = random(runnable_.size());
    Process& process = *runnable_[chosen];
    std::swap(runnable_[chosen], runnable_.back());
    runnable_.pop_back();
    if (executeSome(process)) runnable_.push_back(&process);
  }
  if (status_ != RunStatus::Done || processes_.empty()) return;
  status_ = RunStatus::Deadlock;
  reportDeadlock(*this);
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
  Outcome outcome;
  DiagnosticEngine& engine = context_.diagnostics();
  DiagnosticEngine::Handler handler;
  handler = engine.setHandler([&](const Diagnostic& diagnostic) {
    Diagnostic shown = diagnostic;
    addPlaces(shown);
    if (message_.empty() && shown.severity == Severity::Error) message_ = shown.message;
    if (handler) handler(shown);
  });
  start(function, arguments);
  schedule();
  engine.setHandler(handler);
  outcome.status = status_;
  outcome.message = message_;
  outcome.steps = steps_;
  outcome.processes = started_;
  outcome.calls = std::move(calls);
  if (status_ != RunStatus::Done) return outcome;
  std::span<const Type> types = func::FuncOp(&function).functionType().results();
  for (size_t i = 0; i < results_.size(); ++i)
    outcome.results.push_back(datumOf(results_[i], types[i]));
  return outcome;
}

void Machine::addPlaces(Diagnostic& diagnostic) {
  for (Diagnostic& note : placeNotes_)
    diagnostic.notes.push_back(std::move(note));
  placeNotes_.clear();
}

}  // namespace airlite::interp
