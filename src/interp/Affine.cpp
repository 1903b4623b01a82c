// The affine dialect, and maps for everybody: an expression is compiled to a few instructions of a
// stack machine; a plain dim or constant costs nothing.
#include "Access.hpp"
#include "dialect/ConstantFolding.hpp"

namespace airlite::interp {

namespace {

using Wide = __int128;

/// One instruction: an operand, a constant, or an operation on the two values on top.
struct AffineInst {
  AffineKind kind;
  int64_t value = 0;
};
using AffineCode = std::vector<AffineInst>;
constexpr size_t kMaxDepth = 64;

/// False when the expression nests too deep.
bool flatten(AffineExpr expr, unsigned numDims, AffineCode& code, size_t depth = 0) {
  if (depth >= kMaxDepth) return false;
  AffineKind kind = expr.kind();
  if (expr.isBinary()) {
    if (!flatten(expr.lhs(), numDims, code, depth + 1) ||
        !flatten(expr.rhs(), numDims, code, depth + 1))
      return false;
    code.push_back({kind});
  } else if (kind == AffineKind::Constant) {
    code.push_back({kind, expr.value()});
  } else {
    int64_t first = kind == AffineKind::Symbol ? numDims : 0;
    code.push_back({AffineKind::Dim, first + static_cast<int64_t>(expr.position())});
  }
  return true;
}

Wide divided(AffineKind kind, Wide a, Wide b) {
  Wide remainder = a % b < 0 ? a % b + b : a % b;
  if (kind == AffineKind::Mod) return remainder;
  Wide floor = (a - remainder) / b;
  return kind == AffineKind::CeilDiv && remainder != 0 ? floor + 1 : floor;
}

/// An empty text, or why there is no value.
std::string_view combine(AffineKind kind, Wide a, Wide b, bool wraps, int64_t& result) {
  bool isSum = kind == AffineKind::Add, isProduct = kind == AffineKind::Mul;
  if (!isSum && !isProduct && b <= 0) return "division by a number that is not positive";
  Wide value = isSum ? a + b : isProduct ? a * b : divided(kind, a, b);
  bool overflow = value > INT64_MAX || value < INT64_MIN;
  if (overflow && !wraps) return "overflow";
  result = static_cast<int64_t>(value);
  return "";
}

Step doExpr(Run& run, const Inst& inst) {
  const auto& code = *static_cast<const AffineCode*>(inst.data);
  int64_t stack[kMaxDepth + 1];
  size_t top = 0;
  for (const AffineInst& step : code) {
    if (step.kind == AffineKind::Constant) {
      stack[top++] = step.value;
      continue;
    }
    if (step.kind == AffineKind::Dim) {
      const Slot& slot = run.in(inst, static_cast<uint32_t>(step.value));
      if (slot.isPoison()) return run.machine.poisonError(run, inst, slot, "an index");
      if (!slot.isBits()) return Step::Retry;
      stack[top++] = slot.number();
      continue;
    }
    --top;
    std::string_view why = combine(step.kind, stack[top - 1], stack[top],
                                   run.machine.options().affineWraps, stack[top - 1]);
    if (why.empty()) continue;
    run.machine.error(run, *inst.op) << why << " in the map of '" << inst.op->name() << "'";
    return Step::Fail;
  }
  run.out(inst).setBits(static_cast<uint64_t>(stack[0]));
  return Step::Next;
}

Step doExtreme(Run& run, const Inst& inst) {
  int64_t best = 0;
  for (uint32_t i = 0; i < inst.numIn; ++i) {
    const Slot& slot = run.in(inst, i);
    if (slot.isPoison()) return run.machine.poisonError(run, inst, slot, "an operand");
    if (!slot.isBits()) return Step::Retry;
    int64_t value = slot.number();
    if (i == 0 || (inst.imm ? value > best : value < best)) best = value;
  }
  run.out(inst).setBits(static_cast<uint64_t>(best));
  return Step::Next;
}

}  // namespace

uint32_t applyExpr(Builder& b, Operation& op, AffineExpr expr, unsigned numDims,
                   const Builder::Registers& operands) {
  if (expr.kind() == AffineKind::Dim) return operands[expr.position()];
  if (expr.kind() == AffineKind::Symbol) return operands[numDims + expr.position()];
  if (expr.kind() == AffineKind::Constant) return b.constant(op, expr.value());
  AffineCode code;
  uint32_t out = b.temporary();
  if (!flatten(expr, numDims, code)) {
    b.unsupported(op);
    return out;
  }
  b.emit(doExpr, op, operands, out).data = b.arena().make<AffineCode>(code);
  return out;
}

Builder::Registers applyMap(Builder& b, Operation& op, AffineMap map,
                            const Builder::Registers& operands) {
  Builder::Registers results;
  for (AffineExpr expr : map.results())
    results.push_back(applyExpr(b, op, expr, map.numDims(), operands));
  return results;
}

uint32_t extremeOf(Builder& b, Operation& op, const Builder::Registers& values, bool greatest) {
  if (values.size() == 1) return values[0];
  uint32_t out = b.temporary();
  b.emit(doExtreme, op, values, out).imm = greatest;
  return out;
}

namespace {

bool compileApply(Builder& b, Operation& op) {
  affine::MapOp map(&op);
  Builder::Registers values = applyMap(b, op, map.application());
  uint32_t value = extremeOf(b, op, values, op.is("affine.max"));
  b.move(op, {value}, {b.defineResults(op)});
  return true;
}

bool compileAffineFor(Builder& b, Operation& op) {
  affine::ForOp loop(&op);
  uint32_t lower = extremeOf(b, op, applyMap(b, op, loop.lowerBound()), true);
  uint32_t upper = extremeOf(b, op, applyMap(b, op, loop.upperBound()), false);
  uint32_t step = b.constant(op, loop.step()), counter = b.define(loop.inductionVar());
  Builder::Registers carried, results;
  for (unsigned i = 0; i < loop.inits().size(); ++i)
    carried.push_back(b.define(loop.regionIterArg(i)));
  b.move(op, b.useAll(loop.inits()), carried);
  b.forLoop(op, lower, upper, step, 64, counter,
            [&] { b.region(loop.region(), b.yieldTo(carried)); });
  uint32_t first = b.defineResults(op);
  for (uint32_t i = 0; i < op.numResults(); ++i)
    results.push_back(first + i);
  b.move(op, carried, results);
  return true;
}

/// 1 when all values are as they should be: `imm` has a bit for each that must be 0, the others
/// must not be negative.
Step doHolds(Run& run, const Inst& inst) {
  const auto& isEquality = *static_cast<const std::vector<bool>*>(inst.data);
  bool holds = true;
  for (uint32_t i = 0; i < inst.numIn; ++i) {
    const Slot& slot = run.in(inst, i);
    if (slot.isPoison()) return run.machine.poisonError(run, inst, slot, "the condition");
    if (!slot.isBits()) return Step::Retry;
    holds = holds && (isEquality[i] ? slot.number() == 0 : slot.number() >= 0);
  }
  run.out(inst).setBits(holds);
  return Step::Next;
}

bool compileAffineIf(Builder& b, Operation& op) {
  affine::IfOp branch(&op);
  IntegerSet set = branch.condition();
  Builder::Registers operands = b.useAll(branch.setOperands()), values;
  std::vector<bool> isEquality;
  for (unsigned i = 0; i < set.constraints().size(); ++i) {
    values.push_back(applyExpr(b, op, set.constraints()[i], set.numDims(), operands));
    isEquality.push_back(set.isEquality(i));
  }
  uint32_t condition = b.temporary();
  b.emit(doHolds, op, values, condition).data = b.arena().make<std::vector<bool>>(isEquality);
  return compileIf(b, op, condition);
}

bool compileAffineLoad(Builder& b, Operation& op) {
  affine::LoadOp load(&op);
  Builder::Registers indices = applyMap(b, op, load.access());
  emitLoad(b, op, b.use(load.memref()), indices, load.memrefType().elementType(),
           b.defineResults(op));
  return true;
}

bool compileAffineStore(Builder& b, Operation& op) {
  affine::StoreOp store(&op);
  Builder::Registers indices = applyMap(b, op, store.access());
  emitStore(b, op, b.use(store.value()), b.use(store.memref()), indices,
            store.memrefType().elementType());
  return true;
}

/// in: the linear index, then the basis; out: one number per result, the outermost first.
Step doDelinearize(Run& run, const Inst& inst) {
  int64_t numbers[kMaxRank + 1];
  if (Step s = readNumbers(run, inst, 0, inst.numIn, numbers, "an operand"); s != Step::Next)
    return s;
  int64_t rest = numbers[0];
  auto results = static_cast<uint32_t>(inst.imm);
  for (uint32_t i = results; i-- > 1;) {
    int64_t size = numbers[inst.numIn - (results - i)];
    if (size <= 0) {
      run.machine.error(run, *inst.op) << "the basis must be positive, but it has " << size;
      return Step::Fail;
    }
    int64_t digit = ((rest % size) + size) % size;
    run.out(inst, i).setBits(static_cast<uint64_t>(digit));
    rest = (rest - digit) / size;
  }
  run.out(inst, 0).setBits(static_cast<uint64_t>(rest));
  return Step::Next;
}

Builder::Registers basisRegisters(Builder& b, Operation& op, const std::vector<int64_t>& basis,
                                  OperandRange dynamic) {
  Builder::Registers registers;
  unsigned next = 0;
  for (int64_t size : basis)
    registers.push_back(size == kDynamic ? b.use(dynamic[next++]) : b.constant(op, size));
  return registers;
}

bool compileDelinearize(Builder& b, Operation& op) {
  affine::DelinearizeIndexOp view(&op);
  if (op.numResults() > kMaxRank) return false;
  Builder::Registers in{b.use(view.linearIndex())};
  Builder::Registers basis = basisRegisters(b, op, view.staticBasis(), view.dynamicBasis());
  in.insert(in.end(), basis.begin(), basis.end());
  b.emit(doDelinearize, op, in, b.defineResults(op)).imm = op.numResults();
  return true;
}

/// in: the indices, then as many sizes without the outermost.
Step doLinearize(Run& run, const Inst& inst) {
  int64_t numbers[2 * kMaxRank];
  if (Step s = readNumbers(run, inst, 0, inst.numIn, numbers, "an operand"); s != Step::Next)
    return s;
  auto count = static_cast<uint32_t>(inst.imm);
  int64_t linear = count ? numbers[0] : 0;
  for (uint32_t i = 1; i < count; ++i)
    linear = linear * numbers[count + i - 1] + numbers[i];
  run.out(inst).setBits(static_cast<uint64_t>(linear));
  return Step::Next;
}

bool compileLinearize(Builder& b, Operation& op) {
  affine::LinearizeIndexOp view(&op);
  if (view.multiIndex().size() > kMaxRank) return false;
  Builder::Registers in = b.useAll(view.multiIndex());
  Builder::Registers basis = basisRegisters(b, op, view.staticBasis(), view.dynamicBasis());
  if (view.hasOuterBound() && !basis.empty()) basis.erase(basis.begin());
  in.insert(in.end(), basis.begin(), basis.end());
  b.emit(doLinearize, op, in, b.defineResults(op)).imm = view.multiIndex().size();
  return true;
}

}  // namespace

void addAffine(CompileTable& table) {
  table["affine.apply"] = compileApply;
  table["affine.min"] = compileApply;
  table["affine.max"] = compileApply;
  table["affine.for"] = compileAffineFor;
  table["affine.if"] = compileAffineIf;
  table["affine.load"] = compileAffineLoad;
  table["affine.store"] = compileAffineStore;
  table["affine.delinearize_index"] = compileDelinearize;
  table["affine.linearize_index"] = compileLinearize;
}

}  // namespace airlite::interp
