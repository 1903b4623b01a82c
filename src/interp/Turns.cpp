// Turns with L1 memory that the cores of a herd share (see Turns.hpp).
#include "Turns.hpp"

#include "Async.hpp"

namespace airlite::interp {

namespace {

/// The core of `herd` that a process belongs to.
const std::vector<int64_t>* coreOf(const Process& process, const Operation* herd) {
  for (const Place* place = process.place.get(); place; place = place->outer.get())
    if (place->op == herd) return &place->index;
  return nullptr;
}

uint64_t countOf(const TurnCounts::Cores& counts, const std::vector<int64_t>& core) {
  const auto found = counts.find(core);
  return found == counts.end() ? 0 : found->second;
}

/// A writer comes when all readers have seen what it wrote before, a reader when all writers have
/// written once more.
bool isNext(const TurnMark& mark, const TurnCounts& counts, const std::vector<int64_t>& core) {
  const auto& others = mark.writes ? mark.takers->readers : mark.takers->writers;
  const uint64_t own = countOf(mark.writes ? counts.written : counts.read, core);
  for (const std::vector<int64_t>& other : others) {
    const uint64_t theirs = countOf(mark.writes ? counts.read : counts.written, other);
    if (theirs < own + (mark.writes ? 0 : 1)) return false;
  }
  return true;
}

Step doTurn(Run& run, const Inst& inst) {
  const auto& mark = *static_cast<const TurnMark*>(inst.data);
  const std::vector<int64_t>* core = coreOf(run.process, mark.takers->herd);
  if (!core || !mark.cores.count(*core)) return Step::Next;
  const Slot& slot = run.in(inst, 0);
  if (slot.kind() != SlotKind::View) return Step::Retry;
  std::shared_ptr<TurnCounts>& counts = slot.as<View>().memory->turns;
  if (!counts) counts = std::make_shared<TurnCounts>();
  if (mark.begins) {
    if (isNext(mark, *counts, *core)) return Step::Next;
    counts->waiters.push_back(&run.process);
    run.machine.block(run.process, Wait::Turn, inst.op);
    return Step::Block;
  }
  ++(mark.writes ? counts->written : counts->read)[*core];
  const std::vector<Process*> waiters = std::move(counts->waiters);
  counts->waiters.clear();
  for (Process* waiter : waiters)
    run.machine.wake(*waiter);
  return Step::Next;
}

Step doNoTurns(Run& run, const Inst& inst) {
  run.machine.error(run, *inst.op, RunStatus::Unsupported)
      << "not supported by the interpreter: L1 memory that cores share: "
      << *static_cast<const std::string*>(inst.data);
  return Step::Fail;
}

/// Cores that take a turn between the same ops have one mark.
void note(Compiler& compiler, TurnMark mark, Operation* at, const std::vector<int64_t>& core) {
  std::vector<TurnMark>& marks = compiler.turns[at];
  for (TurnMark& other : marks)
    if (other.takers == mark.takers && other.begins == mark.begins && other.writes == mark.writes &&
        other.first == mark.first) {
      other.cores.insert(core);
      return;
    }
  mark.cores.insert(core);
  marks.push_back(std::move(mark));
}

void noteMemory(Builder& body, air::HerdOp herd, Value argument, const analysis::HandOver& uses) {
  std::vector<analysis::CoreBody> bodies;
  for (const analysis::CoreUses& core : uses.cores)
    bodies.push_back({&herd.body(), core.uses, analysis::CoreValues(herd, core.id)});
  const analysis::Turns turns = analysis::turnsOf(bodies);
  if (!turns.error.empty()) {
    body.emit(doNoTurns, *turns.op).data = body.arena().make<std::string>(turns.error);
    return;
  }
  auto takers = std::make_shared<TurnTakers>();
  takers->herd = herd.op();
  for (size_t i = 0; i < turns.cores.size(); ++i) {
    if (turns.cores[i].write.first) takers->writers.insert(uses.cores[i].id);
    if (turns.cores[i].read.first) takers->readers.insert(uses.cores[i].id);
  }
  for (size_t i = 0; i < turns.cores.size(); ++i)
    for (bool writes : {true, false}) {
      const analysis::Turn& turn = writes ? turns.cores[i].write : turns.cores[i].read;
      if (!turn.first) continue;
      TurnMark mark{takers, argument, true, writes, turn.first};
      note(body.compiler(), mark, turn.first, uses.cores[i].id);
      mark.begins = false;
      note(body.compiler(), mark, turn.last, uses.cores[i].id);
    }
}

/// What ops from the first of a turn to `last` have started.
Builder::Registers startedIn(Builder& b, Operation& first, Operation& last) {
  Builder::Registers tokens;
  for (Operation* op = &first; op; op = op == &last ? nullptr : op->next())
    for (unsigned i = 0; i < op->numResults(); ++i)
      if (air::isTokenType(op->result(i).type())) tokens.push_back(b.use(op->result(i)));
  return tokens;
}

}  // namespace

void noteTurns(Builder& body, air::HerdOp herd) {
  for (unsigned i = 0; i < herd.numKernelOperands(); ++i) {
    const Value argument = herd.kernelArgument(i);
    auto type = argument.type().dynCast<MemRefType>();
    if (!type || air::memoryLevel(type) != air::MemoryLevel::L1) continue;
    const Value memory = analysis::allocationOf(herd.kernelOperands()[i]);
    if (memory.isBlockArgument()) continue;
    const analysis::HandOver uses = analysis::handOverOf(memory);
    if (uses.isShared && uses.herds.size() == 1) noteMemory(body, herd, argument, uses);
  }
}

void emitTurns(Builder& b, Operation& op, bool begins) {
  const auto found = b.compiler().turns.find(&op);
  if (found == b.compiler().turns.end()) return;
  for (const TurnMark& mark : found->second) {
    if (mark.begins != begins) continue;
    if (!begins) emitAwait(b, op, startedIn(b, *mark.first, op));
    b.emit(doTurn, op, {b.use(mark.memory)}).data = b.arena().make<TurnMark>(mark);
  }
}

}  // namespace airlite::interp
