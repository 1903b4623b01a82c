// lower-affine: replaces the affine dialect by scf, arith, memref and vector.
//
// Matches every affine op. affine.apply, min, max, delinearize_index and linearize_index become
// arith on index; floordiv, ceildiv and mod keep affine's rounding for negative values. affine.for
// becomes scf.for (several bounds through arith.maxsi / minsi), affine.parallel scf.parallel, whose
// reductions start at the neutral value of their kind, affine.if an scf.if on the conjunction of
// its constraints. Accesses and transfers become their memref and vector counterparts.
//
// With around-transfers, only affine.for and affine.parallel loops around DMAs, puts and gets are replaced, and
// what is inside of them but for affine.apply: what the passes on transfers follow is scf.for and scf.parallel.
//
// Declines, with an error at the op: a division by a constant that is not positive, and the
// reduction "assign", which has no neutral value.
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/Reductions.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/transform/Lowering.hpp"

#include <algorithm>
#include <set>

namespace airlite {

namespace {

using affine::Application;
using LowerFn = LogicalResult (*)(Operation& op, Rewriter& rewriter);

using Values = std::vector<Value>;

std::optional<Values> expand(Rewriter& rewriter, Operation& op, const Application& application) {
  return affine::expandMap(rewriter, op.location(), application);
}

Value createBinary(Rewriter& rewriter, Location location, std::string_view name, Value lhs,
                   Value rhs) {
  return rewriter.create(location, name, {lhs, rhs}, {lhs.type()})->result();
}

/// All results of the map combined by `name`, an op of two operands.
Value expandReduced(Rewriter& rewriter, Operation& op, const Application& application,
                    std::string_view name) {
  std::optional<Values> values = expand(rewriter, op, application);
  if (!values || values->empty()) return Value();
  Value result = values->front();
  for (size_t i = 1; i < values->size(); ++i)
    result = createBinary(rewriter, op.location(), name, result, (*values)[i]);
  return result;
}

Value expandLower(Rewriter& rewriter, Operation& op, const Application& bound) {
  return expandReduced(rewriter, op, bound, "arith.maxsi");
}
Value expandUpper(Rewriter& rewriter, Operation& op, const Application& bound) {
  return expandReduced(rewriter, op, bound, "arith.minsi");
}

/// Attributes of `op` but for those that its definition or the affine form gives it.
NamedAttrList otherAttributes(Operation& op, std::initializer_list<std::string_view> own = {}) {
  NamedAttrList list(op.attributes());
  for (const AttrDef& def : op.def().attributes)
    list.erase(def.name);
  for (std::string_view name : own)
    list.erase(name);
  list.erase("operandSegmentSizes");
  return list;
}

void copyAttributes(const NamedAttrList& from, Operation& to) {
  for (const NamedAttribute& entry : from.entries())
    to.setAttr(entry.name.str(), entry.value);
}

// -- Values --------------------------------------------------------------------------------------

LogicalResult lowerApply(Operation& op, Rewriter& rewriter) {
  std::optional<Values> values = expand(rewriter, op, affine::ApplyOp(&op).application());
  if (!values) return failure();
  rewriter.replaceOp(op, *values);
  return success();
}

LogicalResult lowerMinMax(Operation& op, Rewriter& rewriter) {
  std::string_view name = op.is("affine.min") ? "arith.minsi" : "arith.maxsi";
  Value value = expandReduced(rewriter, op, affine::MapOp(&op).application(), name);
  if (!value) return failure();
  rewriter.replaceOp(op, value);
  return success();
}

/// The basis without an outer bound: what divides.
Values divisors(Rewriter& rewriter, Operation& op, std::span<const int64_t> statics,
                OperandRange dynamic, bool hasOuterBound) {
  Values values;
  unsigned next = 0;
  for (size_t i = 0; i < statics.size(); ++i) {
    bool isDynamic = statics[i] == kDynamic;
    Value operand = isDynamic ? dynamic[next++] : Value();
    if (i == 0 && hasOuterBound) continue;
    values.push_back(isDynamic ? operand : rewriter.constantIndex(op.location(), statics[i]));
  }
  return values;
}

LogicalResult lowerDelinearize(Operation& op, Rewriter& rewriter) {
  affine::DelinearizeIndexOp split(&op);
  Values by =
      divisors(rewriter, op, split.staticBasis(), split.dynamicBasis(), split.hasOuterBound());
  AffineExpr index = AffineExpr::dim(op.context(), 0);
  AffineExpr divisor = AffineExpr::symbol(op.context(), 0);
  Values results(op.numResults());
  Value rest = split.linearIndex();
  for (size_t i = by.size(); i > 0; --i) {
    std::span<const Value> dims(&rest, 1), symbols(&by[i - 1], 1);
    results[i] = affine::expandExpr(rewriter, op.location(), index.mod(divisor), dims, symbols);
    rest = affine::expandExpr(rewriter, op.location(), index.floorDiv(divisor), dims, symbols);
  }
  results[0] = rest;
  rewriter.replaceOp(op, results);
  return success();
}

LogicalResult lowerLinearize(Operation& op, Rewriter& rewriter) {
  affine::LinearizeIndexOp join(&op);
  if (join.multiIndex().empty()) {
    rewriter.replaceOp(op, rewriter.constantIndex(op.location(), 0));
    return success();
  }
  Values by = divisors(rewriter, op, join.staticBasis(), join.dynamicBasis(), join.hasOuterBound());
  Value sum = join.multiIndex()[0];
  for (unsigned i = 1; i < join.multiIndex().size(); ++i) {
    Value scaled = createBinary(rewriter, op.location(), "arith.muli", sum, by[i - 1]);
    sum = createBinary(rewriter, op.location(), "arith.addi", scaled, join.multiIndex()[i]);
  }
  rewriter.replaceOp(op, sum);
  return success();
}

// -- Loops and conditionals ----------------------------------------------------------------------

/// `region` moves to `to`; its affine.yield becomes an scf.yield.
void moveBody(Rewriter& rewriter, Region& from, Region& to) {
  if (from.empty()) return;
  to.takeBody(from);
  Operation& yield = to.front().back();
  Values values = yield.operands().vec();
  rewriter.setBefore(yield);
  scf::YieldOp::create(rewriter, yield.location(), values);
  rewriter.eraseOp(yield);
}

LogicalResult lowerFor(Operation& op, Rewriter& rewriter) {
  affine::ForOp loop(&op);
  Value lower = expandLower(rewriter, op, loop.lowerBound());
  Value upper = lower ? expandUpper(rewriter, op, loop.upperBound()) : Value();
  if (!upper) return failure();
  Value step = rewriter.constantIndex(op.location(), loop.step());
  Values inits = loop.inits().vec();
  scf::ForOp next = scf::ForOp::create(rewriter, op.location(), lower, upper, step, inits);
  rewriter.eraseBlock(next.body());
  moveBody(rewriter, loop.region(), next.region());
  copyAttributes(otherAttributes(op), *next);
  rewriter.replaceOp(op, *next);
  return success();
}

Value constraintHolds(Rewriter& rewriter, Operation& op, unsigned i, Value zero) {
  affine::IfOp branch(&op);
  IntegerSet set = branch.condition();
  Values operands = op.operands().vec();
  std::span<const Value> all(operands);
  Value value = affine::expandExpr(rewriter, op.location(), set.constraints()[i],
                                   all.first(set.numDims()), all.subspan(set.numDims()));
  if (!value) return Value();
  auto predicate = set.isEquality(i) ? arith::CmpIPredicate::eq : arith::CmpIPredicate::sge;
  Attribute attr = rewriter.i64Attr(static_cast<int64_t>(predicate));
  return rewriter
      .create(op.location(), "arith.cmpi", {value, zero}, {rewriter.intType(1)},
              {rewriter.named("predicate", attr)})
      ->result();
}

LogicalResult lowerIf(Operation& op, Rewriter& rewriter) {
  affine::IfOp branch(&op);
  Value condition;
  Value zero = rewriter.constantIndex(op.location(), 0);
  for (unsigned i = 0; i < branch.condition().constraints().size(); ++i) {
    Value holds = constraintHolds(rewriter, op, i, zero);
    if (!holds) return failure();
    condition =
        condition ? createBinary(rewriter, op.location(), "arith.andi", condition, holds) : holds;
  }
  if (!condition)
    condition = rewriter.constant(op.location(), IntegerAttr::getBool(op.context(), true));
  OperationState state(op.context(), op.location(), "scf.if");
  state.operands = {condition};
  state.resultTypes = op.resultTypes();
  state.attributes = otherAttributes(op, {"condition"});
  state.addRegion();
  state.addRegion();
  Operation* next = rewriter.create(state);
  moveBody(rewriter, branch.thenRegion(), next->region(0));
  moveBody(rewriter, branch.elseRegion(), next->region(1));
  rewriter.replaceOp(op, *next);
  return success();
}

// -- parallel ------------------------------------------------------------------------------------

memref::AtomicKind kindOf(int64_t number) { return static_cast<memref::AtomicKind>(number); }

/// The first value of reduction `i`; null, reported, when there is none.
Value neutralValue(Rewriter& rewriter, affine::ParallelOp loop, unsigned i) {
  memref::AtomicKind kind = kindOf(loop.reduction(i));
  if (Attribute start = neutralOf(kind, loop->result(i).type()))
    return rewriter.constant(loop->location(), start);
  loop->emitOpError() << "not supported: reduction "
                      << (combinerOf(kind).empty() ? "\"assign\"" : "of this type")
                      << " has no neutral value";
  return Value();
}

/// affine.yield of a parallel loop as scf.reduce.
void createReduce(Rewriter& rewriter, Operation& yield, const std::vector<int64_t>& kinds) {
  OperationState state(yield.context(), yield.location(), "scf.reduce");
  state.addOperands(yield.operands());
  for (size_t i = 0; i < kinds.size(); ++i)
    state.addRegion();
  rewriter.setBefore(yield);
  Operation* reduce = rewriter.create(state);
  for (unsigned i = 0; i < kinds.size(); ++i) {
    Block& block = reduce->region(i).addBlock();
    Type type = yield.operand(i).type();
    Value lhs = block.addArgument(type, yield.location());
    Value rhs = block.addArgument(type, yield.location());
    rewriter.setToEnd(block);
    Value value = createBinary(rewriter, yield.location(), combinerOf(kindOf(kinds[i])), lhs, rhs);
    rewriter.create(yield.location(), "scf.reduce.return", {value}, {});
  }
  rewriter.eraseOp(yield);
}

LogicalResult lowerParallel(Operation& op, Rewriter& rewriter) {
  affine::ParallelOp loop(&op);
  Values lower, upper, steps, inits;
  std::vector<int64_t> kinds;
  if (loop.numDims() == 0)
    return op.emitOpError() << "not supported: a parallel loop without dimensions";
  for (unsigned i = 0; i < loop.numDims(); ++i) {
    lower.push_back(expandLower(rewriter, op, loop.lowerBound(i)));
    upper.push_back(lower.back() ? expandUpper(rewriter, op, loop.upperBound(i)) : Value());
    if (!upper.back()) return failure();
  }
  for (unsigned i = 0; i < loop.numDims(); ++i)
    steps.push_back(rewriter.constantIndex(op.location(), loop.step(i)));
  for (unsigned i = 0; i < op.numResults(); ++i) {
    kinds.push_back(loop.reduction(i));
    inits.push_back(neutralValue(rewriter, loop, i));
    if (!inits.back()) return failure();
  }
  scf::ParallelOp next =
      scf::ParallelOp::create(rewriter, op.location(), lower, upper, steps, inits);
  rewriter.eraseBlock(next.body());
  next.region().takeBody(loop.region());
  createReduce(rewriter, next.body().back(), kinds);
  copyAttributes(otherAttributes(op), *next);
  rewriter.replaceOp(op, *next);
  return success();
}

// -- Memory --------------------------------------------------------------------------------------

/// `op` as the memref or vector op called `name`: its map becomes index operands.
LogicalResult lowerAccess(Operation& op, Rewriter& rewriter, std::string_view name) {
  affine::AccessOp access(&op);
  std::optional<Values> indices = expand(rewriter, op, access.access());
  if (!indices) return failure();
  OperationState state(op.context(), op.location(), name);
  for (unsigned i = 0; i <= access.memrefIndex(); ++i)
    state.operands.push_back(op.operand(i));
  state.addOperands(*indices);
  state.resultTypes = op.resultTypes();
  state.attributes = NamedAttrList(op.attributes());
  state.attributes.erase("map");
  rewriter.replaceOp(op, *rewriter.create(state));
  return success();
}

LogicalResult lowerLoad(Operation& op, Rewriter& rewriter) {
  return lowerAccess(op, rewriter, "memref.load");
}
LogicalResult lowerStore(Operation& op, Rewriter& rewriter) {
  return lowerAccess(op, rewriter, "memref.store");
}
LogicalResult lowerPrefetch(Operation& op, Rewriter& rewriter) {
  return lowerAccess(op, rewriter, "memref.prefetch");
}
LogicalResult lowerVectorLoad(Operation& op, Rewriter& rewriter) {
  return lowerAccess(op, rewriter, "vector.load");
}
LogicalResult lowerVectorStore(Operation& op, Rewriter& rewriter) {
  return lowerAccess(op, rewriter, "vector.store");
}

/// The memref operand at `at` and its expanded subscripts.
bool addPart(Rewriter& rewriter, Operation& op, unsigned at, AffineMap map, Values& operands) {
  Application part{map, op.operands().slice(at + 1, map.numInputs()).vec()};
  std::optional<Values> indices = expand(rewriter, op, part);
  if (!indices) return false;
  operands.push_back(op.operand(at));
  operands.insert(operands.end(), indices->begin(), indices->end());
  return true;
}

LogicalResult lowerDmaStart(Operation& op, Rewriter& rewriter) {
  affine::DmaStartOp dma(&op);
  OperationState state(op.context(), op.location(), "memref.dma_start");
  Values tag;
  if (!addPart(rewriter, op, dma.sourceIndex(), dma.map("src_map"), state.operands) ||
      !addPart(rewriter, op, dma.destIndex(), dma.map("dst_map"), state.operands) ||
      !addPart(rewriter, op, dma.tagIndex(), dma.map("tag_map"), tag))
    return failure();
  // memref has the number of elements before the tag.
  unsigned rest = dma.numElementsIndex();
  state.operands.push_back(op.operand(rest));
  state.addOperands(tag);
  for (unsigned i = rest + 1; i < op.numOperands(); ++i)
    state.operands.push_back(op.operand(i));
  state.attributes = otherAttributes(op, {"src_map", "dst_map", "tag_map"});
  rewriter.create(state);
  rewriter.eraseOp(op);
  return success();
}

LogicalResult lowerDmaWait(Operation& op, Rewriter& rewriter) {
  affine::DmaWaitOp wait(&op);
  OperationState state(op.context(), op.location(), "memref.dma_wait");
  if (!addPart(rewriter, op, 0, wait.tagMap(), state.operands)) return failure();
  state.operands.push_back(op.operand(wait.numElementsIndex()));
  state.attributes = otherAttributes(op, {"tag_map"});
  rewriter.create(state);
  rewriter.eraseOp(op);
  return success();
}

// -- All of them ---------------------------------------------------------------------------------

struct Lowering {
  std::string_view name;
  LowerFn lower;
};

constexpr Lowering kLowerings[] = {
    {"affine.apply", lowerApply},
    {"affine.min", lowerMinMax},
    {"affine.max", lowerMinMax},
    {"affine.delinearize_index", lowerDelinearize},
    {"affine.linearize_index", lowerLinearize},
    {"affine.for", lowerFor},
    {"affine.if", lowerIf},
    {"affine.parallel", lowerParallel},
    {"affine.load", lowerLoad},
    {"affine.store", lowerStore},
    {"affine.vector_load", lowerVectorLoad},
    {"affine.vector_store", lowerVectorStore},
    {"affine.prefetch", lowerPrefetch},
    {"affine.dma_start", lowerDmaStart},
    {"affine.dma_wait", lowerDmaWait},
};

LowerFn loweringOf(const Operation& op) {
  if (op.def().dialect != "affine") return nullptr;
  for (const Lowering& lowering : kLowerings)
    if (op.is(lowering.name)) return lowering.lower;
  return nullptr;
}

LogicalResult lowerLoopsAroundTransfers(Operation& root, bool* changed);

class LowerAffine : public Pass {
 public:
  LowerAffine() : Pass("lower-affine", "Replaces affine ops by scf, arith, memref and vector") {
    option("around-transfers", aroundTransfers_, "only loops around DMAs, puts and gets");
    example("airlite-opt --lower-affine in.mlir");
  }
  PassResult run(Operation& op, PassContext&) override {
    bool changed = false;
    const bool isDone = succeeded(aroundTransfers_ ? lowerLoopsAroundTransfers(op, &changed)
                                                   : lowerAffine(op, &changed));
    return isDone ? changedIf(changed) : PassResult::Failed;
  }

 private:
  bool aroundTransfers_ = false;
};

}  // namespace

namespace {

/// Lowers the affine ops inside `root` that are meant.
LogicalResult lowerThose(Operation& root, bool* changed,
                         FunctionRef<bool(const Operation&)> isMeant) {
  std::vector<Operation*> ops;
  root.walk(
      [&](Operation& op) {
        if (&op != &root && loweringOf(op) && isMeant(op)) ops.push_back(&op);
      },
      WalkOrder::PreOrder);
  Rewriter rewriter(root.context());
  for (Operation* op : ops) {
    rewriter.setBefore(*op);
    if (failed(loweringOf(*op)(*op, rewriter))) return failure();
  }
  if (changed) *changed = !ops.empty();
  return success();
}

LogicalResult lowerLoopsAroundTransfers(Operation& root, bool* changed) {
  std::set<const Operation*> loops;
  root.walk([&](Operation& op) {
    if (!isa<air::DmaMemcpyNdOp>(&op) && !op.is("air.channel.put") && !op.is("air.channel.get"))
      return;
    for (Operation* around = op.parentOp(); around; around = around->parentOp())
      if (isa<affine::ForOp>(around) || around->is("affine.parallel")) loops.insert(around);
  });
  return lowerThose(root, changed, [&](const Operation& op) {
    if (isa<affine::ApplyOp>(&op)) return false;
    for (const Operation* around = &op; around; around = around->parentOp())
      if (loops.contains(around)) return true;
    return false;
  });
}

}  // namespace

LogicalResult lowerAffine(Operation& root, bool* changed) {
  return lowerThose(root, changed, [](const Operation&) { return true; });
}

LogicalResult expandAffineIndexOps(Operation& root, bool* changed) {
  return lowerThose(root, changed, [](const Operation& op) {
    return isa<affine::DelinearizeIndexOp>(&op) || isa<affine::LinearizeIndexOp>(&op);
  });
}

void registerLowerAffine(PassRegistry& registry) { registry.add<LowerAffine>(); }

}  // namespace airlite
