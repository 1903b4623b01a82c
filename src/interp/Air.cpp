// The air dialect without its data movement: hierarchy ops, execute, wait_all.
#include "Access.hpp"
#include "Async.hpp"
#include "Turns.hpp"
#include "airlite/dialect/Lanes.hpp"

namespace airlite::interp {

namespace {

bool isAsync(Operation& op) { return static_cast<bool>(air::AsyncOp(&op).token()); }

// -- Hierarchy ops --------------------------------------------------------------------------------

Level levelOf(Operation& op) {
  if (isa<air::LaunchOp>(&op)) return Level::Launch;
  if (isa<air::SegmentOp>(&op)) return Level::Segment;
  return isa<air::HerdOp>(&op) ? Level::Core : Level::Host;
}

/// The instances and the wait for all of them.
void emitHierarchy(Builder& b, air::HierarchyOp op) {
  Code& code = *b.arena().makeCode(op.op());
  Builder body(b.compiler(), code, &b);
  Instances instances;
  instances.code = &code;
  instances.dims = op.numDims();
  instances.level = levelOf(*op);
  instances.keepsLevel = false;
  instances.isLaunch = isa<air::LaunchOp>(op.op());
  instances.isHerd = isa<air::HerdOp>(op.op());
  instances.isRank = isa<air::RankOp>(op.op());
  instances.usesLanes = instances.isHerd && air::runsOncePerLane(air::HerdOp(op.op()));
  for (unsigned i = 0; i < op.numDims(); ++i) {
    instances.ids.push_back(body.define(op.id(i)));
    body.bind(op.sizeArgument(i), body.capture(b.use(op.sizes()[i])));
  }
  for (unsigned i = 0; i < op.numKernelOperands(); ++i)
    body.bind(op.kernelArgument(i), body.capture(b.use(op.kernelOperands()[i])));
  if (instances.isHerd) noteTurns(body, air::HerdOp(op.op()));
  body.region(op->region(), [&](Operation& end) { body.emit(doEnd, end); });
  Builder::Registers in;
  uint32_t zero = b.constant(*op, 0), one = b.constant(*op, 1), token = b.temporary();
  in.insert(in.end(), op.numDims(), zero);
  for (Value size : op.sizes())
    in.push_back(b.use(size));
  in.insert(in.end(), op.numDims(), one);
  for (Value held : op.affinity())
    in.push_back(b.use(held));
  instances.numAffinity = op.affinity().size();
  // Each core gets its own part of memory next to it: it has to be there. So has all that a process of its own gets.
  for (Value operand : op.kernelOperands())
    if ((instances.isHerd && operand.type().isa<MemRefType>()) ||
        (instances.isRank && !air::isTokenType(operand.type())))
      in.push_back(b.use(operand));
  emitInstances(b, *op, instances, in, token);
  emitAwait(b, *op, {token});
}

bool compileHierarchy(Builder& b, Operation& op) {
  air::HierarchyOp hierarchy(&op);
  if (hierarchy.numDims() > kMaxRank) return false;
  emitAsync(b, op, b.useAll(hierarchy.dependencies()), isAsync(op),
            [&](Builder& inner) { emitHierarchy(inner, hierarchy); });
  return true;
}

// -- Execute --------------------------------------------------------------------------------------

/// in: dependencies; out: the token, then promises of the results.
Step doExecute(Run& run, const Inst& inst) {
  Process* process = nullptr;
  if (Step s = startProcess(run, inst, process); s != Step::Next) return s;
  for (unsigned i = 1; i < inst.op->numResults(); ++i) {
    auto* box = new Box;
    box->token = static_cast<uint32_t>(run.out(inst).bits());
    run.out(inst, i).set(SlotKind::Pending, box);
    process->boxes.push_back(run.out(inst, i));
  }
  return Step::Next;
}

Step doExecuteEnd(Run& run, const Inst& inst) {
  for (uint32_t i = 0; i < inst.numIn; ++i)
    run.process.boxes[i].mutableAs<Box>().value = run.in(inst, i);
  return Step::End;
}

bool compileExecute(Builder& b, Operation& op) {
  Code& code = *b.arena().makeCode(&op);
  Builder body(b.compiler(), code, &b);
  body.region(op.region(),
              [&](Operation& end) { body.emit(doExecuteEnd, end, body.useAll(end.operands())); });
  Builder::Registers in = b.useAll(air::AsyncOp(&op).dependencies());
  Inst& inst = b.emit(doExecute, op, in, b.defineResults(op));
  inst.data = &code;
  inst.isStart = true;
  return true;
}

// -- Tokens ---------------------------------------------------------------------------------------

Step doJoin(Run& run, const Inst& inst) {
  std::vector<uint32_t> tokens;
  if (Step s = readTokens(run, inst, 0, inst.numIn, tokens); s != Step::Next) return s;
  run.out(inst).setBits(run.machine.tokens.join(tokens, inst.op));
  return Step::Next;
}

bool compileWaitAll(Builder& b, Operation& op) {
  Builder::Registers tokens = b.useAll(op.operands());
  if (!isAsync(op))
    emitAwait(b, op, tokens);
  else
    b.emit(doJoin, op, tokens, b.defineResults(op));
  return true;
}

Step doTokenAlloc(Run& run, const Inst& inst) {
  run.out(inst).setBits(run.machine.tokens.make(inst.op, true));
  return Step::Next;
}

bool compileTokenAlloc(Builder& b, Operation& op) {
  b.emit(doTokenAlloc, op, {}, b.defineResults(op));
  return true;
}

/// What it does to memory is not known; without memory it stands for time that passes, and is
/// noted as a call is.
Step doCustom(Run& run, const Inst& inst) {
  for (uint32_t i = 0; i < inst.numIn; ++i) {
    SlotKind kind = run.in(inst, i).kind();
    if (kind == SlotKind::Pending) return Step::Retry;
    if (kind == SlotKind::Bits || kind == SlotKind::Poison) continue;
    run.machine.error(run, *inst.op, RunStatus::Unsupported)
        << "not supported by the interpreter: 'air.custom' on memory, which may do anything to it";
    return Step::Fail;
  }
  for (uint32_t i = 0; run.machine.options().recordCalls && i < inst.numIn; ++i) {
    const Slot& slot = run.in(inst, i);
    run.machine.calls.push_back({slot.isBits() ? slot.bits() : 0, slot.isPoison()});
  }
  return Step::Next;
}

bool compileCustom(Builder& b, Operation& op) {
  emitAsync(b, op, b.useAll(air::AsyncOp(&op).dependencies()), isAsync(op), [&](Builder& inner) {
    Builder::Registers in;
    for (Value operand : op.operandGroup("custom_operands"))
      in.push_back(inner.use(operand));
    inner.emit(doCustom, op, in);
  });
  return true;
}

/// How many devices there are is not a question of meaning.
bool compileUniverse(Builder& b, Operation& op) {
  b.move(op, {b.use(op.operand(0))}, {b.defineResults(op)});
  return true;
}

}  // namespace

void addAir(CompileTable& table) {
  for (std::string_view name : {"air.launch", "air.segment", "air.herd", "air.rank"})
    table[name] = compileHierarchy;
  table["air.execute"] = compileExecute;
  table["air.wait_all"] = compileWaitAll;
  table["air.token.alloc"] = compileTokenAlloc;
  table["air.custom"] = compileCustom;
  table["air.universe.alloc"] = compileUniverse;
}

}  // namespace airlite::interp
