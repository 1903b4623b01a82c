// Registers, blocks and jumps (see Compiler.hpp).
#include "Compiler.hpp"

#include "Machine.hpp"
#include "Turns.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/ir/Context.hpp"

namespace airlite::interp {

Compiler::Compiler() {
  addControl(table_);
  addElementwise(table_);
  addAffine(table_);
  addMemRef(table_);
  addViews(table_);
  addLinalg(table_);
  addLinalgPack(table_);
  addVector(table_);
  addTensor(table_);
  addParallel(table_);
  addAir(table_);
  addChannels(table_);
  addGpu(table_);
  addRanks(table_);
}

Compiler::~Compiler() = default;

CompileFn Compiler::find(Operation& op) const {
  auto found = table_.find(op.name());
  return found == table_.end() ? nullptr : found->second;
}

// -- Functions ------------------------------------------------------------------------------------

namespace {

/// Leaves the function: in the function that a run began with, its results are those of the run.
Step doReturn(Run& run, const Inst& inst) {
  std::vector<Slot> values;
  for (uint32_t i = 0; i < inst.numIn; ++i)
    values.push_back(run.in(inst, i));
  std::vector<Frame>& frames = run.process.frames;
  for (std::shared_ptr<Memory>& memory : frames.back().stack) {
    memory->freed = true;
    memory->freedBy = inst.op;
  }
  if (frames.size() == 1) {
    run.machine.results() = std::move(values);
    return Step::End;
  }
  uint32_t at = frames.back().resultsAt;
  frames.pop_back();
  run.load();
  for (size_t i = 0; i < values.size(); ++i)
    run.registers[at + i] = std::move(values[i]);
  return Step::Next;
}

}  // namespace

const Code& Compiler::function(Operation& function) {
  Code*& code = functions_[&function];
  if (code) return *code;
  code = arena_.makeCode(&function);
  Builder builder(*this, *code);
  Region& body = func::FuncOp(&function).body();
  for (Value argument : body.front().arguments())
    code->params.push_back(builder.define(argument));
  builder.region(
      body, [&](Operation& end) { builder.emit(doReturn, end, builder.useAll(end.operands())); });
  return *code;
}

// -- Registers ------------------------------------------------------------------------------------

uint32_t Builder::use(Value value) {
  auto found = registers_.find(value);
  if (found != registers_.end()) return found->second;
  if (!outer_) return define(value);
  uint32_t local = capture(outer_->use(value));
  registers_[value] = local;
  return local;
}

uint32_t Builder::define(Value value) {
  auto [found, fresh] = registers_.emplace(value, code_.numRegisters);
  if (fresh) ++code_.numRegisters;
  return found->second;
}

uint32_t Builder::defineResults(Operation& op) {
  if (op.numResults() == 0) return 0;
  uint32_t first = define(op.result(0));
  for (unsigned i = 1; i < op.numResults(); ++i)
    define(op.result(i));
  return first;
}

uint32_t Builder::temporary(uint32_t count) {
  uint32_t first = code_.numRegisters;
  code_.numRegisters += count;
  return first;
}

uint32_t Builder::capture(uint32_t outer) {
  auto [found, fresh] = captures_.emplace(outer, code_.numRegisters);
  if (!fresh) return found->second;
  ++code_.numRegisters;
  code_.captured.push_back(outer);
  code_.params.push_back(found->second);
  return found->second;
}

// -- Instructions ---------------------------------------------------------------------------------

namespace {

Step doJump(Run& run, const Inst& inst) {
  run.pc = inst.jump;
  return Step::Next;
}

Step doMove(Run& run, const Inst& inst) {
  run.registers[inst.out] = run.in(inst, 0);
  return Step::Next;
}

Step doMoves(Run& run, const Inst& inst) {
  const auto& to = *static_cast<const std::vector<uint32_t>*>(inst.data);
  constexpr uint32_t kFew = 8;
  Slot few[kFew];
  std::vector<Slot> many(inst.numIn > kFew ? inst.numIn : 0);
  Slot* values = inst.numIn > kFew ? many.data() : few;
  for (uint32_t i = 0; i < inst.numIn; ++i)
    values[i] = run.in(inst, i);
  for (uint32_t i = 0; i < inst.numIn; ++i)
    run.registers[to[i]] = std::move(values[i]);
  return Step::Next;
}

Step doConstant(Run& run, const Inst& inst) {
  run.out(inst).setBits(static_cast<uint64_t>(inst.imm));
  return Step::Next;
}

Step doUnsupported(Run& run, const Inst& inst) {
  run.machine.error(run, *inst.op, RunStatus::Unsupported)
      << "not supported by the interpreter: '" << inst.op->name() << "'";
  return Step::Fail;
}

}  // namespace

Inst& Builder::emit(Handler handler, Operation& op, std::span<const uint32_t> in, uint32_t out) {
  Inst& inst = code_.insts.emplace_back();
  inst.handler = handler;
  inst.op = &op;
  inst.numIn = static_cast<uint32_t>(in.size());
  inst.in = in.empty() ? nullptr : arena().list(in);
  inst.out = out;
  return inst;
}

uint32_t Builder::jump(Operation& op) {
  emit(doJump, op);
  return here() - 1;
}

void Builder::jumpTo(Operation& op, uint32_t target) { emit(doJump, op).jump = target; }

void Builder::move(Operation& op, const Registers& from, const Registers& to) {
  Registers sources, targets;
  for (size_t i = 0; i < to.size(); ++i) {
    if (from[i] == to[i]) continue;
    sources.push_back(from[i]);
    targets.push_back(to[i]);
  }
  if (targets.empty()) return;
  if (targets.size() == 1) {
    emit(doMove, op, sources, targets[0]);
    return;
  }
  const void* data = arena().make<Registers>(targets);
  emit(doMoves, op, sources).data = data;
}

uint32_t Builder::constant(Operation& op, int64_t value) {
  uint32_t out = temporary();
  emit(doConstant, op, {}, out).imm = value;
  return out;
}

void Builder::unsupported(Operation& op) {
  defineResults(op);
  emit(doUnsupported, op);
}

// -- Regions --------------------------------------------------------------------------------------

namespace {

bool isHuge(Type type) {
  auto vector = type.dynCast<VectorType>();
  return vector && (!vector.hasStaticShape() || vector.numElements() > kMaxLanes);
}

bool hasHugeVector(Operation& op) {
  for (Value value : op.operands())
    if (isHuge(value.type())) return true;
  for (Value value : op.resultValues())
    if (isHuge(value.type())) return true;
  return false;
}

}  // namespace

void Builder::op(Operation& op) {
  CompileFn compile = compiler_.find(op);
  if (!compile || hasHugeVector(op) || !compile(*this, op)) unsupported(op);
}

void Builder::block(Block& block, const Terminate& terminate) {
  for (Operation& inner : block.ops()) {
    bool leaves =
        inner.next() == nullptr && inner.hasTrait(Trait::Terminator) && inner.numSuccessors() == 0;
    if (leaves) {
      terminate(inner);
      continue;
    }
    emitTurns(*this, inner, true);
    op(inner);
    emitTurns(*this, inner, false);
  }
}

void Builder::region(Region& region, Terminate terminate) {
  std::vector<uint32_t> exits;
  bool single = region.hasOneBlock();
  // Blocks need not stand in the order of dominance.
  if (!single)
    for (Block& each : region.blocks())
      for (Operation& inner : each.ops())
        defineResults(inner);
  auto leave = [&](Operation& end) {
    terminate(end);
    if (!single) exits.push_back(jump(end));
  };
  for (Block& each : region.blocks()) {
    Label& mine = label(each);
    mine.pc = here();
    mine.placed = true;
    block(each, leave);
  }
  for (Block& each : region.blocks()) {
    for (uint32_t inst : label(each).jumps)
      code_.insts[inst].jump = label(each).pc;
    labels_.erase(&each);
  }
  for (uint32_t exit : exits)
    patch(exit);
}

Builder::Terminate Builder::yieldTo(Registers targets) {
  return [this, targets](Operation& end) { move(end, useAll(end.operands()), targets); };
}

void Builder::branch(Operation& op, Block& target, OperandRange values) {
  Registers to;
  for (Value argument : target.arguments())
    to.push_back(define(argument));
  move(op, useAll(values), to);
  label(target).jumps.push_back(jump(op));
}

}  // namespace airlite::interp
