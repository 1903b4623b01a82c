// Folders and canonicalizations of the scf loops.
#include "RegionRewrites.hpp"
#include "ScfInternal.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Dominance.hpp"

#include <algorithm>

namespace airlite::scf {

namespace {

bool isEmptyBody(Block& body) { return &body.front() == &body.back(); }

/// `value` as `base + constant`.
std::optional<int64_t> offsetFrom(Value value, Value base) {
  Operation* op = value.definingOp();
  if (!op || !op->is("arith.addi")) return std::nullopt;
  if (op->operand(0) == base) return constantIntOf(op->operand(1));
  return op->operand(1) == base ? constantIntOf(op->operand(0)) : std::nullopt;
}

/// Trip count of a loop of constant bounds, or of bounds that are a constant apart.
std::optional<int64_t> knownTripCount(ForOp loop) {
  if (std::optional<int64_t> count = loop.tripCount()) return count;
  std::optional<int64_t> distance = offsetFrom(loop.upperBound(), loop.lowerBound());
  if (!distance) return std::nullopt;
  if (*distance <= 0) return 0;
  std::optional<int64_t> step = constantIntOf(loop.step());
  return step ? constantTripCount(0, *distance, *step) : std::nullopt;
}

void eraseArguments(Block& block, unsigned first, const std::vector<bool>& kept) {
  for (size_t i = kept.size(); i > 0; --i)
    if (!kept[i - 1]) block.eraseArgument(first + static_cast<unsigned>(i - 1));
}

template <class Range>
std::vector<Value> keepOnly(const Range& values, const std::vector<bool>& kept) {
  std::vector<Value> result;
  size_t i = 0;
  for (Value value : values)
    if (kept[i++]) result.push_back(value);
  return result;
}

std::vector<Type> typesOf(std::span<const Value> values) {
  std::vector<Type> types;
  for (Value value : values)
    types.push_back(value.type());
  return types;
}

}  // namespace

// -- for -----------------------------------------------------------------------------------------

/// A loop that never runs and has results gives its init values.
LogicalResult foldFor(Operation& op, std::span<const Attribute>, std::vector<FoldResult>& results) {
  ForOp loop(&op);
  if (op.numResults() == 0 || knownTripCount(loop) != 0) return failure();
  for (Value init : loop.initArgs())
    results.emplace_back(init);
  return success();
}

/// The results of a loop whose body only yields what it has from outside.
static bool forwardEmptyFor(ForOp loop, Rewriter& rewriter, bool runs) {
  if (!runs || !isEmptyBody(loop.body()) || loop.numIterArgs() == 0) return false;
  std::vector<Value> results;
  for (Value value : loop.yield().values()) {
    if (isInside(value, loop.region())) return false;
    results.push_back(value);
  }
  rewriter.replaceOp(*loop, results);
  return true;
}

LogicalResult simplifyTrivialFor(Operation& op, Rewriter& rewriter) {
  ForOp loop(&op);
  std::optional<int64_t> count = knownTripCount(loop);
  if (count == 0) {
    std::vector<Value> inits = loop.initArgs().vec();
    rewriter.replaceOp(op, inits);
    return success();
  }
  if (count == 1) {
    std::vector<Value> values{loop.lowerBound()};
    for (Value init : loop.initArgs())
      values.push_back(init);
    replaceByRegion(rewriter, op, loop.region(), values);
    return success();
  }
  return success(forwardEmptyFor(loop, rewriter, count.has_value()));
}

/// A token of a loop says that all in it is done, whatever the body yields.
static bool standsForBody(Value result, ForOp loop) {
  if (!air::isTokenType(result.type()) || !result.hasUses()) return false;
  return loop->walkWith([](Operation& op) {
    return air::isAsyncOp(op) && air::AsyncOp(&op).token() ? WalkResult::Interrupt
                                                           : WalkResult::Advance;
  }) == WalkResult::Interrupt;
}

/// An iter arg goes when it never changes, or when nobody inside or after the loop reads it. (An
/// async token that is carried through new ops of the body is read by them, so it stays.)
LogicalResult removeForIterArgs(Operation& op, Rewriter& rewriter) {
  ForOp loop(&op);
  std::vector<bool> kept;
  for (unsigned i = 0; i < loop.numIterArgs(); ++i) {
    Value argument = loop.regionIterArg(i), yielded = loop.yielded(i), init = loop.initArgs()[i];
    bool unread = !argument.hasUses() && (init == yielded || !op.result(i).hasUses());
    bool changes = yielded != argument || standsForBody(op.result(i), loop);
    kept.push_back(changes && !unread);
  }
  if (std::find(kept.begin(), kept.end(), false) == kept.end()) return failure();
  std::vector<Value> inits = loop.initArgs().vec();
  std::vector<Value> operands{loop.lowerBound(), loop.upperBound(), loop.step()};
  std::vector<Value> keptInits = keepOnly(inits, kept);
  operands.insert(operands.end(), keptInits.begin(), keptInits.end());
  ForOp next(recreate(rewriter, op, operands, typesOf(keptInits)));
  for (unsigned i = 0; i < kept.size(); ++i)
    if (!kept[i]) rewriter.replaceAllUses(next.regionIterArg(i), inits[i]);
  std::vector<Value> yields = keepOnly(next.yield().values(), kept);
  rewriter.modify(*next.yield(), [&] { next.yield()->setOperands(yields); });
  eraseArguments(next.body(), 1, kept);
  replaceKept(rewriter, op, *next, kept, inits);
  return success();
}

// -- parallel ------------------------------------------------------------------------------------

namespace {

/// Trip counts of the dims, where known.
std::vector<std::optional<int64_t>> tripCounts(ParallelOp loop) {
  std::vector<std::optional<int64_t>> counts;
  for (unsigned i = 0; i < loop.numLoops(); ++i) {
    std::optional<int64_t> lower = constantIntOf(loop.lowerBounds()[i]);
    std::optional<int64_t> upper = constantIntOf(loop.upperBounds()[i]);
    std::optional<int64_t> step = constantIntOf(loop.steps()[i]);
    // A step that is not a step has no meaning: folding may bring it about, and it must not stay.
    if (step && *step <= 0) {
      counts.push_back(0);
      continue;
    }
    bool known = lower && upper && step;
    counts.push_back(known ? constantTripCount(*lower, *upper, *step) : std::nullopt);
  }
  return counts;
}

/// The body of a loop that runs once, with each reduction applied to its init value.
void inlineSingleIteration(ParallelOp loop, Rewriter& rewriter) {
  std::vector<Value> lower = loop.lowerBounds().vec(), inits = loop.initVals().vec();
  ReduceOp reduce = loop.reduce();
  rewriter.inlineBlockBefore(loop.body(), *loop, lower);
  std::vector<Value> results;
  for (unsigned i = 0; i < reduce.numReductions(); ++i) {
    Block& block = reduce.reduction(i);
    Operation* end = &block.back();
    std::vector<Value> values{inits[i], reduce.values()[i]};
    rewriter.inlineBlockBefore(block, *reduce, values);
    results.push_back(end->operand(0));
    rewriter.eraseOp(*end);
  }
  rewriter.replaceOp(*loop, results);
  rewriter.eraseOp(*reduce);
}

void dropDims(ParallelOp loop, Rewriter& rewriter, const std::vector<bool>& kept) {
  std::vector<Value> lower = keepOnly(loop.lowerBounds(), kept);
  std::vector<Value> upper = keepOnly(loop.upperBounds(), kept);
  std::vector<Value> steps = keepOnly(loop.steps(), kept);
  for (unsigned i = 0; i < kept.size(); ++i)
    if (!kept[i]) rewriter.replaceAllUses(loop.body().argument(i), loop.lowerBounds()[i]);
  rewriter.modify(*loop, [&] {
    loop->setOperandGroup(0, lower);
    loop->setOperandGroup(1, upper);
    loop->setOperandGroup(2, steps);
    eraseArguments(loop.body(), 0, kept);
  });
}

}  // namespace

/// Dims that run once go; without any iteration the results are the init values.
LogicalResult collapseParallel(Operation& op, Rewriter& rewriter) {
  ParallelOp loop(&op);
  std::vector<std::optional<int64_t>> counts = tripCounts(loop);
  if (std::find(counts.begin(), counts.end(), 0) != counts.end()) {
    std::vector<Value> inits = loop.initVals().vec();
    rewriter.replaceOp(op, inits);
    return success();
  }
  std::vector<bool> kept;
  for (const std::optional<int64_t>& count : counts)
    kept.push_back(count != 1);
  auto numKept = static_cast<size_t>(std::count(kept.begin(), kept.end(), true));
  if (numKept == kept.size()) return failure();
  if (numKept == 0)
    inlineSingleIteration(loop, rewriter);
  else
    dropDims(loop, rewriter, kept);
  return success();
}

/// A parallel loop that holds nothing but another one, whose bounds do not depend on it and neither
/// of which has results, becomes one loop.
LogicalResult mergeNestedParallel(Operation& op, Rewriter& rewriter) {
  ParallelOp outer(&op);
  ParallelOp inner = dynCast<ParallelOp>(&outer.body().front());
  bool isOnlyOp = inner && inner->next() == &outer.body().back();
  if (!isOnlyOp || op.numResults() != 0 || inner->numResults() != 0) return failure();
  for (Value value : inner->operands())
    if (isInside(value, outer.region())) return failure();
  auto joined = [](OperandRange a, OperandRange b) {
    std::vector<Value> values = a.vec();
    values.insert(values.end(), b.begin(), b.end());
    return values;
  };
  std::vector<Value> lower = joined(outer.lowerBounds(), inner.lowerBounds());
  std::vector<Value> upper = joined(outer.upperBounds(), inner.upperBounds());
  std::vector<Value> steps = joined(outer.steps(), inner.steps());
  std::vector<Value> variables;
  for (unsigned i = 0; i < inner.numLoops(); ++i)
    variables.push_back(outer.body().addArgument(rewriter.indexType(), op.location()));
  rewriter.modify(op, [&] {
    outer->setOperandGroup(0, lower);
    outer->setOperandGroup(1, upper);
    outer->setOperandGroup(2, steps);
  });
  Operation* innerEnd = &inner.body().back();
  rewriter.inlineBlockBefore(inner.body(), *inner, variables);
  rewriter.eraseOp(*innerEnd);
  rewriter.eraseOp(*inner);
  return success();
}

// -- while ---------------------------------------------------------------------------------------

/// In the after region the condition is true; after the loop a result that is the condition is
/// false.
LogicalResult whileConditionInBody(Operation& op, Rewriter& rewriter) {
  WhileOp loop(&op);
  ConditionOp end = loop.conditionOp();
  bool changed = false;
  auto replace = [&](Value value, bool constant, InsertPoint where) {
    if (!value.hasUses()) return;
    rewriter.setInsertPoint(where);
    Attribute attr = IntegerAttr::getBool(op.context(), constant);
    rewriter.replaceAllUses(value, rewriter.constant(op.location(), attr));
    changed = true;
  };
  bool known = constantIntOf(end.condition()).has_value();
  for (unsigned i = 0; i < end.args().size() && !known; ++i) {
    if (end.args()[i] != end.condition()) continue;
    Block& after = loop.afterBody();
    replace(after.argument(i), true, {&after, &after.front()});
    replace(op.result(i), false, {op.block(), op.next()});
  }
  return success(changed);
}

namespace {

/// What an operand in the after region is in the before region; null for what only the after
/// region has.
Value asPassed(WhileOp loop, Value value) {
  if (value.argumentBlock() == &loop.afterBody()) return loop.conditionOp().args()[value.index()];
  return !isInside(value, loop.after()) ? value : Value();
}

/// The predicates of arith.cmpi come in pairs: eq ne, slt sge, sle sgt, ult uge, ule ugt.
int64_t inversePredicate(int64_t predicate) {
  constexpr int64_t kInverse[] = {1, 0, 5, 4, 3, 2, 9, 8, 7, 6};
  return predicate >= 0 && predicate < 10 ? kInverse[predicate] : -1;
}

}  // namespace

/// A comparison in the body that is the condition again, or its inverse, is known.
LogicalResult whileConditionAgain(Operation& op, Rewriter& rewriter) {
  WhileOp loop(&op);
  Operation* condition = loop.conditionOp().condition().definingOp();
  if (!condition || !condition->is("arith.cmpi")) return failure();
  auto wanted = condition->attrOf<IntegerAttr>("predicate").value();
  bool changed = false;
  for (Operation& inner : loop.afterBody().ops()) {
    if (!inner.is("arith.cmpi") || !inner.hasResultUses()) continue;
    if (asPassed(loop, inner.operand(0)) != condition->operand(0) ||
        asPassed(loop, inner.operand(1)) != condition->operand(1))
      continue;
    auto predicate = inner.attrOf<IntegerAttr>("predicate").value();
    if (predicate != wanted && predicate != inversePredicate(wanted)) continue;
    if (!inner.result().type().isSignlessInteger(1)) continue;
    rewriter.setBefore(inner);
    Attribute known = IntegerAttr::getBool(op.context(), predicate == wanted);
    rewriter.replaceAllUses(inner.result(), rewriter.constant(inner.location(), known));
    changed = true;
  }
  return success(changed);
}

/// An argument of the before region that every iteration passes on unchanged is its init value.
LogicalResult whileInvariantArgs(Operation& op, Rewriter& rewriter) {
  WhileOp loop(&op);
  bool changed = false;
  for (unsigned i = 0; i < op.numOperands(); ++i) {
    Value argument = loop.beforeBody().argument(i), init = op.operand(i);
    Value yielded = loop.yield().values()[i];
    bool passedOn = yielded.argumentBlock() == &loop.afterBody() &&
                    loop.conditionOp().args()[yielded.index()] == argument;
    if (!passedOn && yielded != init) continue;
    if (!argument.hasUses()) continue;
    rewriter.replaceAllUses(argument, init);
    changed = true;
  }
  return success(changed);
}

/// A value from before the loop that the condition passes on is known after it and in the body.
LogicalResult whileInvariantResults(Operation& op, Rewriter& rewriter) {
  WhileOp loop(&op);
  bool changed = false;
  for (unsigned i = 0; i < op.numResults(); ++i) {
    Value passed = loop.conditionOp().args()[i];
    Value argument = loop.afterBody().argument(i);
    if (isInside(passed, loop.before())) continue;
    if (!argument.hasUses() && !op.result(i).hasUses()) continue;
    rewriter.replaceAllUses(argument, passed);
    rewriter.replaceAllUses(op.result(i), passed);
    changed = true;
  }
  return success(changed);
}

/// An argument that the before region does not read is not carried.
LogicalResult whileUnusedInits(Operation& op, Rewriter& rewriter) {
  WhileOp loop(&op);
  std::vector<bool> kept;
  for (Value argument : loop.beforeBody().arguments())
    kept.push_back(argument.hasUses());
  if (std::find(kept.begin(), kept.end(), false) == kept.end()) return failure();
  std::vector<Value> inits = keepOnly(op.operands(), kept);
  Operation& yield = *loop.yield();
  std::vector<Value> yields = keepOnly(yield.operands(), kept);
  rewriter.modify(yield, [&] { yield.setOperands(yields); });
  rewriter.modify(op, [&] {
    op.setOperands(inits);
    eraseArguments(loop.beforeBody(), 0, kept);
  });
  return success();
}

/// What neither the after region nor anybody after the loop reads is not passed on.
LogicalResult whileUnusedResults(Operation& op, Rewriter& rewriter) {
  WhileOp loop(&op);
  std::vector<bool> kept;
  for (unsigned i = 0; i < op.numResults(); ++i)
    kept.push_back(op.result(i).hasUses() || loop.afterBody().argument(i).hasUses());
  if (std::find(kept.begin(), kept.end(), false) == kept.end()) return failure();
  ConditionOp end = loop.conditionOp();
  std::vector<Value> passed = keepOnly(end.args(), kept);
  std::vector<Type> types = typesOf(passed);
  passed.insert(passed.begin(), end.condition());
  rewriter.modify(*end, [&] { end->setOperands(passed); });
  eraseArguments(loop.afterBody(), 0, kept);
  std::vector<Value> inits = op.operands().vec();
  Operation* next = recreate(rewriter, op, inits, types);
  unsigned at = 0;
  for (unsigned i = 0; i < kept.size(); ++i)
    if (kept[i]) rewriter.replaceAllUses(op.result(i), next->result(at++));
  rewriter.eraseOp(op);
  return success();
}

// -- forall --------------------------------------------------------------------------------------

namespace {

/// Moves constant operands of one bound list into its static list.
bool foldBounds(ForallOp loop, Rewriter& rewriter, unsigned group, std::string_view name) {
  auto attr = loop->attrOf<DenseArrayAttr>(name);
  std::vector<int64_t> statics(attr.values().begin(), attr.values().end());
  std::vector<Value> dynamic;
  OperandRange operands = loop->operandGroup(group);
  unsigned next = 0;
  for (int64_t& value : statics) {
    if (value != kDynamic) continue;
    Value operand = operands[next++];
    std::optional<int64_t> constant = constantIntOf(operand);
    // A step that is not a step is left for the run time to meet.
    bool foldable = constant && *constant != kDynamic && (group != 2 || *constant > 0);
    if (foldable)
      value = *constant;
    else
      dynamic.push_back(operand);
  }
  if (dynamic.size() == operands.size()) return false;
  rewriter.modify(*loop, [&] {
    loop->setOperandGroup(group, dynamic);
    loop->setAttr(name, DenseArrayAttr::getI64(loop->context(), statics));
  });
  return true;
}

std::optional<int64_t> tripCount(ForallOp loop, unsigned i) {
  int64_t lower = loop.staticLowerBounds()[i], upper = loop.staticUpperBounds()[i];
  int64_t step = loop.staticSteps()[i];
  if (lower == kDynamic || upper == kDynamic || step == kDynamic) return std::nullopt;
  return constantTripCount(lower, upper, step);
}

}  // namespace

LogicalResult forallConstantBounds(Operation& op, Rewriter& rewriter) {
  ForallOp loop(&op);
  bool changed = foldBounds(loop, rewriter, 0, "staticLowerBound");
  changed |= foldBounds(loop, rewriter, 1, "staticUpperBound");
  changed |= foldBounds(loop, rewriter, 2, "staticStep");
  return success(changed);
}

/// No iteration: the outputs. A single one, without outputs and mapping: the body.
LogicalResult forallTrivial(Operation& op, Rewriter& rewriter) {
  ForallOp loop(&op);
  bool single = true;
  for (unsigned i = 0; i < loop.rank(); ++i) {
    std::optional<int64_t> count = tripCount(loop, i);
    if (count == 0) {
      std::vector<Value> outputs = loop.outputs().vec();
      rewriter.replaceOp(op, outputs);
      return success();
    }
    single = single && count == 1;
  }
  if (!single || op.numResults() != 0 || op.hasAttr("mapping")) return failure();
  std::vector<Value> variables;
  for (int64_t lower : loop.staticLowerBounds())
    variables.push_back(rewriter.constantIndex(op.location(), lower));
  replaceByRegion(rewriter, op, loop.region(), variables);
  return success();
}

/// Dims that run once are not dims: their index is the lower bound.
LogicalResult forallUnitDims(Operation& op, Rewriter& rewriter) {
  ForallOp loop(&op);
  std::vector<bool> kept;
  for (unsigned i = 0; i < loop.rank(); ++i)
    kept.push_back(tripCount(loop, i) != 1);
  auto count = static_cast<size_t>(std::count(kept.begin(), kept.end(), true));
  if (count == 0 || count == kept.size() || op.hasAttr("mapping")) return failure();
  rewriter.setBefore(op);
  for (unsigned i = 0; i < kept.size(); ++i)
    if (!kept[i])
      rewriter.replaceAllUses(loop.inductionVar(i),
                              rewriter.constantIndex(op.location(), loop.staticLowerBounds()[i]));
  rewriter.modify(op, [&] {
    eraseArguments(loop.body(), 0, kept);
    for (std::string_view name : {"staticLowerBound", "staticUpperBound", "staticStep"}) {
      std::span<const int64_t> all = op.attrOf<DenseArrayAttr>(name).values();
      std::vector<int64_t> rest;
      for (size_t i = 0; i < kept.size(); ++i)
        if (kept[i]) rest.push_back(all[i]);
      op.setAttr(name, DenseArrayAttr::getI64(op.context(), rest));
    }
  });
  return success();
}

}  // namespace airlite::scf
