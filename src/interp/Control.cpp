// Control flow of one process: cf, func, and the loops and branches of scf that run in order.
#include "Access.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Cf.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Symbols.hpp"
#include "dialect/ConstantFolding.hpp"

namespace airlite::interp {

using folding::maskOf;
using folding::signExtend;

namespace {

constexpr size_t kMaxCallDepth = 4096;

// -- Branches -------------------------------------------------------------------------------------

/// Goes to `jump` when the condition does not hold.
Step doBranchUnless(Run& run, const Inst& inst) {
  const Slot& condition = run.in(inst, 0);
  if (!condition.isBits()) [[unlikely]]
    return condition.isPoison() ? run.machine.poisonError(run, inst, condition, "the condition")
                                : Step::Retry;
  if (!condition.bits()) run.pc = inst.jump;
  return Step::Next;
}

/// Goes to `jump` unless the operand is `imm`.
Step doBranchUnlessEqual(Run& run, const Inst& inst) {
  const Slot& flag = run.in(inst, 0);
  if (!flag.isBits()) [[unlikely]]
    return flag.isPoison() ? run.machine.poisonError(run, inst, flag, "the selector") : Step::Retry;
  if (flag.number() != inst.imm) run.pc = inst.jump;
  return Step::Next;
}

uint32_t branchUnless(Builder& b, Operation& op, uint32_t condition) {
  b.emit(doBranchUnless, op, {condition});
  return b.here() - 1;
}

uint32_t branchUnlessEqual(Builder& b, Operation& op, uint32_t flag, int64_t value) {
  b.emit(doBranchUnlessEqual, op, {flag}).imm = value;
  return b.here() - 1;
}

bool compileBr(Builder& b, Operation& op) {
  b.branch(op, *op.successor(0), *cf::successorOperands(op, 0));
  return true;
}

bool compileCondBr(Builder& b, Operation& op) {
  uint32_t otherwise = branchUnless(b, op, b.use(op.operand(0)));
  b.branch(op, *op.successor(0), *cf::successorOperands(op, 0));
  b.patch(otherwise);
  b.branch(op, *op.successor(1), *cf::successorOperands(op, 1));
  return true;
}

bool compileSwitch(Builder& b, Operation& op) {
  cf::SwitchOp choice(&op);
  uint64_t mask = maskOf(choice.flag().type().bitWidth());
  uint32_t flag = b.use(choice.flag());
  for (unsigned i = 0; i < choice.numCases(); ++i) {
    auto value = static_cast<int64_t>(static_cast<uint64_t>(choice.caseValue(i)) & mask);
    uint32_t next = branchUnlessEqual(b, op, flag, value);
    b.branch(op, *choice.caseDest(i), *cf::successorOperands(op, i + 1));
    b.patch(next);
  }
  b.branch(op, *choice.defaultDest(), *cf::successorOperands(op, 0));
  return true;
}

bool compileAssert(Builder& b, Operation& op) {
  auto handler = +[](Run& run, const Inst& inst) {
    const Slot& condition = run.in(inst, 0);
    if (!condition.isBits())
      return condition.isPoison() ? run.machine.poisonError(run, inst, condition, "the condition")
                                  : Step::Retry;
    if (condition.bits()) return Step::Next;
    auto text = inst.op->attrOf<StringAttr>("msg");
    run.machine.error(run, *inst.op) << "assertion failed: " << (text ? text.value() : "");
    return Step::Fail;
  };
  b.emit(handler, op, {b.use(op.operand(0))});
  return true;
}

// -- Calls ----------------------------------------------------------------------------------------

/// in: arguments, from operand `first` on.
Step enterFunction(Run& run, const Inst& inst, Operation& callee, uint32_t first) {
  if (run.process.frames.size() >= kMaxCallDepth) {
    run.machine.error(run, *inst.op) << "calls are nested deeper than " << kMaxCallDepth;
    return Step::Fail;
  }
  const Code& code = run.machine.compiler().function(callee);
  Frame frame;
  frame.code = &code;
  frame.resultsAt = inst.out;
  frame.registers.resize(code.numRegisters);
  for (uint32_t i = first; i < inst.numIn; ++i)
    frame.registers[code.params[i - first]] = run.in(inst, i);
  run.save();
  run.process.frames.push_back(std::move(frame));
  run.load();
  return Step::Next;
}

Step doCall(Run& run, const Inst& inst) {
  return enterFunction(run, inst, *static_cast<Operation*>(const_cast<void*>(inst.data)), 0);
}

Step noBody(Run& run, const Inst& inst, std::string_view name) {
  run.machine.error(run, *inst.op, RunStatus::Unsupported)
      << "not supported by the interpreter: the function '" << name << "' has no body";
  return Step::Fail;
}

/// A function as a value is the address of its op.
Step doCallIndirect(Run& run, const Inst& inst) {
  int64_t callee = 0;
  if (Step s = readNumbers(run, inst, 0, 1, &callee, "the callee"); s != Step::Next) return s;
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  func::FuncOp function(reinterpret_cast<Operation*>(static_cast<uintptr_t>(callee)));
  if (function.isDeclaration()) return noBody(run, inst, function.symName());
  return enterFunction(run, inst, *function.op(), 1);
}

bool compileCallIndirect(Builder& b, Operation& op) {
  Builder::Registers in = b.useAll(op.operands());
  b.emit(doCallIndirect, op, in, b.defineResults(op));
  return true;
}

bool compileFunctionValue(Builder& b, Operation& op) {
  auto function = dynCast<func::FuncOp>(lookupSymbol(&op, func::ConstantOp(&op).value()));
  if (!function) return false;
  uint32_t address =
      b.constant(op, static_cast<int64_t>(reinterpret_cast<uintptr_t>(function.op())));
  b.move(op, {address}, {b.defineResults(op)});
  return true;
}

/// A function whose body is elsewhere: only a call with numbers can be noted, what it does to
/// memory is not known.
Step doExternalCall(Run& run, const Inst& inst) {
  bool numbersOnly = inst.op->numResults() == 0;
  for (uint32_t i = 0; i < inst.numIn; ++i) {
    SlotKind kind = run.in(inst, i).kind();
    if (kind == SlotKind::Pending) return Step::Retry;
    numbersOnly = numbersOnly && (kind == SlotKind::Bits || kind == SlotKind::Poison);
  }
  if (run.machine.options().recordCalls && numbersOnly) {
    for (uint32_t i = 0; i < inst.numIn; ++i) {
      const Slot& slot = run.in(inst, i);
      run.machine.calls.push_back({slot.isBits() ? slot.bits() : 0, slot.isPoison()});
    }
    return Step::Next;
  }
  return noBody(run, inst, inst.op->attrOf<SymbolRefAttr>("callee").leaf());
}

bool compileCall(Builder& b, Operation& op) {
  func::FuncOp callee = func::CallOp(&op).function();
  Builder::Registers in = b.useAll(op.operands());
  if (!callee || callee.isDeclaration()) {
    b.emit(doExternalCall, op, in, b.defineResults(op));
    return true;
  }
  b.emit(doCall, op, in, b.defineResults(op)).data = callee.op();
  return true;
}

// -- Loops ----------------------------------------------------------------------------------------

/// in: counter, lower, upper, step. Goes to `jump` when there is no first iteration.
Step doForInit(Run& run, const Inst& inst) {
  for (uint32_t i = 1; i < 4; ++i) {
    const Slot& slot = run.in(inst, i);
    if (slot.isPoison()) return run.machine.poisonError(run, inst, slot, "a bound");
    if (!slot.isBits()) return Step::Retry;
  }
  auto width = static_cast<unsigned>(inst.imm);
  int64_t lower = signExtend(run.in(inst, 1).bits(), width);
  int64_t step = signExtend(run.in(inst, 3).bits(), width);
  if (step <= 0) {
    run.machine.error(run, *inst.op) << "the step of a loop must be positive, but it is " << step;
    return Step::Fail;
  }
  run.in(inst, 0).setBits(run.in(inst, 1).bits());
  if (lower >= signExtend(run.in(inst, 2).bits(), width)) run.pc = inst.jump;
  return Step::Next;
}

/// Goes back to `jump` for another iteration.
Step doForNext(Run& run, const Inst& inst) {
  auto width = static_cast<unsigned>(inst.imm);
  int64_t at = signExtend(run.in(inst, 0).bits(), width), next = 0;
  int64_t upper = signExtend(run.in(inst, 2).bits(), width);
  bool overflow = __builtin_add_overflow(at, signExtend(run.in(inst, 3).bits(), width), &next) ||
                  signExtend(static_cast<uint64_t>(next), width) != next;
  if (overflow && next != upper) {
    run.machine.error(run, *inst.op) << "the counter of a loop overflows";
    return Step::Fail;
  }
  if (overflow || next >= upper) return Step::Next;
  run.in(inst, 0).setBits(static_cast<uint64_t>(next) & maskOf(width));
  run.pc = inst.jump;
  return Step::Next;
}

}  // namespace

void Builder::forLoop(Operation& op, uint32_t lower, uint32_t upper, uint32_t step, unsigned width,
                      uint32_t counter, const std::function<void()>& body) {
  emit(doForInit, op, {counter, lower, upper, step}).imm = width;
  uint32_t init = here() - 1, start = here();
  body();
  Inst& next = emit(doForNext, op, {counter, lower, upper, step});
  next.imm = width;
  next.jump = start;
  patch(init);
}

namespace {

// A loop whose results are tokens: the results fire when every op inside has finished.

Step doEnterScope(Run& run, const Inst& inst) {
  uint32_t token = run.machine.tokens.make(inst.op);
  Process& process = run.process;
  Scope* scope = run.machine.newScope(process.asyncScope, token);
  run.out(inst).setBits(token);
  process.loops.push_back(process.asyncScope);
  process.asyncScope = scope;
  return Step::Next;
}

/// in: the token of the scope, then the tokens that the loop ends with; out: its results.
Step doLeaveScope(Run& run, const Inst& inst) {
  for (uint32_t i = 1; i < inst.numIn; ++i)
    if (run.in(inst, i).kind() == SlotKind::Pending) return Step::Retry;
  Process& process = run.process;
  Scope* scope = process.asyncScope;
  process.asyncScope = process.loops.back();
  process.loops.pop_back();
  auto all = static_cast<uint32_t>(run.in(inst, 0).bits());
  const auto& outs = *static_cast<const Builder::Registers*>(inst.data);
  for (uint32_t i = 1; i < inst.numIn; ++i) {
    if (outs[i - 1] == UINT32_MAX) continue;
    uint32_t inputs[] = {all, static_cast<uint32_t>(run.in(inst, i).bits())};
    run.registers[outs[i - 1]].setBits(run.machine.tokens.join(inputs, inst.op));
  }
  run.machine.closeOne(scope);
  return Step::Next;
}

bool hasTokens(Operation& op) {
  for (Value result : op.resultValues())
    if (air::isTokenType(result.type())) return true;
  return false;
}

/// `carried`: where the values are when the loop is done.
void loopResults(Builder& b, Operation& op, const Builder::Registers& carried, uint32_t scope) {
  uint32_t first = b.defineResults(op);
  Builder::Registers results, in{scope}, outs;
  for (uint32_t i = 0; i < op.numResults(); ++i) {
    bool isToken = air::isTokenType(op.result(i).type());
    results.push_back(first + i);
    in.push_back(carried[i]);
    outs.push_back(isToken ? first + i : UINT32_MAX);
  }
  b.move(op, carried, results);
  if (hasTokens(op)) b.emit(doLeaveScope, op, in).data = b.arena().make<Builder::Registers>(outs);
}

uint32_t enterScope(Builder& b, Operation& op) {
  uint32_t scope = b.temporary();
  if (hasTokens(op)) b.emit(doEnterScope, op, {}, scope);
  return scope;
}

bool compileFor(Builder& b, Operation& op) {
  scf::ForOp loop(&op);
  uint32_t scope = enterScope(b, op);
  uint32_t lower = b.use(loop.lowerBound()), upper = b.use(loop.upperBound()),
           step = b.use(loop.step()), counter = b.define(loop.inductionVar());
  Builder::Registers carried;
  for (Value argument : loop.regionIterArgs())
    carried.push_back(b.define(argument));
  b.move(op, b.useAll(loop.initArgs()), carried);
  b.forLoop(op, lower, upper, step, loop.inductionVar().type().bitWidth(), counter,
            [&] { b.region(loop.region(), b.yieldTo(carried)); });
  loopResults(b, op, carried, scope);
  return true;
}

bool compileWhile(Builder& b, Operation& op) {
  scf::WhileOp loop(&op);
  uint32_t scope = enterScope(b, op);
  Builder::Registers before, after;
  for (Value argument : loop.beforeBody().arguments())
    before.push_back(b.define(argument));
  for (Value argument : loop.afterBody().arguments())
    after.push_back(b.define(argument));
  b.move(op, b.useAll(loop.inits()), before);
  uint32_t start = b.here(), condition = b.temporary();
  b.region(loop.before(), [&](Operation& end) {
    scf::ConditionOp test(&end);
    Builder::Registers from = b.useAll(test.args());
    from.push_back(b.use(test.condition()));
    Builder::Registers to = after;
    to.push_back(condition);
    b.move(end, from, to);
  });
  uint32_t done = branchUnless(b, op, condition);
  b.region(loop.after(), b.yieldTo(before));
  b.jumpTo(op, start);
  b.patch(done);
  loopResults(b, op, after, scope);
  return true;
}

Builder::Registers resultRegisters(Builder& b, Operation& op) {
  Builder::Registers results;
  uint32_t first = b.defineResults(op);
  for (uint32_t i = 0; i < op.numResults(); ++i)
    results.push_back(first + i);
  return results;
}

}  // namespace

bool compileIf(Builder& b, Operation& op, uint32_t condition) {
  Builder::Registers results = resultRegisters(b, op);
  uint32_t otherwise = branchUnless(b, op, condition);
  b.region(op.region(0), b.yieldTo(results));
  if (op.region(1).empty()) {
    b.patch(otherwise);
    return true;
  }
  uint32_t end = b.jump(op);
  b.patch(otherwise);
  b.region(op.region(1), b.yieldTo(results));
  b.patch(end);
  return true;
}

namespace {

bool compileScfIf(Builder& b, Operation& op) { return compileIf(b, op, b.use(op.operand(0))); }

bool compileIndexSwitch(Builder& b, Operation& op) {
  scf::IndexSwitchOp choice(&op);
  Builder::Registers results = resultRegisters(b, op), ends;
  uint32_t flag = b.use(choice.arg());
  for (unsigned i = 0; i < choice.numCases(); ++i) {
    uint32_t next = branchUnlessEqual(b, op, flag, choice.cases()[i]);
    b.region(choice.caseRegion(i), b.yieldTo(results));
    ends.push_back(b.jump(op));
    b.patch(next);
  }
  b.region(choice.defaultRegion(), b.yieldTo(results));
  for (uint32_t end : ends)
    b.patch(end);
  return true;
}

bool compileExecuteRegion(Builder& b, Operation& op) {
  b.region(op.region(0), b.yieldTo(resultRegisters(b, op)));
  return true;
}

bool compileNothing(Builder&, Operation&) { return true; }

/// What is kept the same way here whatever the type is called.
bool isSameKind(Type from, Type to) {
  if (from.isIntOrIndexOrFloat() && to.isIntOrIndexOrFloat())
    return from.bitWidth() == to.bitWidth() && from.isFloat() == to.isFloat();
  auto shaped = from.dynCast<ShapedType>(), other = to.dynCast<ShapedType>();
  bool views = shaped && other && from.isa<VectorType>() == to.isa<VectorType>();
  return views && elementTypeOrSelf(from) == elementTypeOrSelf(to);
}

bool compileTypeCast(Builder& b, Operation& op) {
  if (op.numOperands() != 1 || op.numResults() != 1) return false;
  Type from = op.operand(0).type(), to = op.result().type();
  bool tokens = air::isTokenType(from) && air::isTokenType(to);
  if (!tokens && !isSameKind(from, to)) return false;
  b.move(op, {b.use(op.operand(0))}, {b.defineResults(op)});
  return true;
}

}  // namespace

void addControl(CompileTable& table) {
  table["cf.br"] = compileBr;
  table["cf.cond_br"] = compileCondBr;
  table["cf.switch"] = compileSwitch;
  table["cf.assert"] = compileAssert;
  table["func.call"] = compileCall;
  table["func.call_indirect"] = compileCallIndirect;
  table["func.constant"] = compileFunctionValue;
  table["builtin.unrealized_conversion_cast"] = compileTypeCast;
  table["scf.for"] = compileFor;
  table["scf.while"] = compileWhile;
  table["scf.if"] = compileScfIf;
  table["scf.index_switch"] = compileIndexSwitch;
  table["scf.execute_region"] = compileExecuteRegion;
  table["memref.alloca_scope"] = compileExecuteRegion;
  table["memref.prefetch"] = compileNothing;
  table["affine.prefetch"] = compileNothing;
}

}  // namespace airlite::interp
