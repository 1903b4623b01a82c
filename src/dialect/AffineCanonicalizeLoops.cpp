// Canonicalizations of affine.for, affine.if and affine.parallel.
#include "AffineInternal.hpp"
#include "RegionRewrites.hpp"

#include <algorithm>

namespace airlite::affine {

// -- for -----------------------------------------------------------------------------------------

namespace {

/// A bound is the max (min) of its results: equal ones go, of the constants one is left.
AffineMap reduceBound(AffineMap map, bool isLower) {
  std::optional<int64_t> best;
  for (AffineExpr expr : map.results()) {
    std::optional<int64_t> value = expr.constantValue();
    if (!value) continue;
    best = !best ? *value : isLower ? std::max(*best, *value) : std::min(*best, *value);
  }
  std::vector<AffineExpr> results;
  for (AffineExpr expr : map.results()) {
    bool isKnown = std::find(results.begin(), results.end(), expr) != results.end();
    std::optional<int64_t> value = expr.constantValue();
    if (!isKnown && (!value || value == best)) results.push_back(expr);
  }
  return AffineMap::get(map.context(), map.numDims(), map.numSymbols(), results);
}

bool simplifyBound(ForOp loop, Rewriter& rewriter, bool isLower) {
  Application bound = isLower ? loop.lowerBound() : loop.upperBound();
  Application before = bound;
  // A bound that is just a value stays that value: it is how text writes it.
  composeAndSimplify(bound);
  bound.map = reduceBound(bound.map, isLower);
  if (bound == before) return false;
  rewriter.modify(*loop, [&] {
    loop->setOperandGroup(isLower ? 0 : 1, bound.operands);
    loop->setAttr(isLower ? kLowerBoundMap : kUpperBoundMap, AffineMapAttr::get(bound.map));
  });
  return true;
}

bool isEmptyBody(Block& body) { return &body.front() == &body.back(); }

}  // namespace

LogicalResult simplifyForBounds(Operation& op, Rewriter& rewriter) {
  ForOp loop(&op);
  bool changed = simplifyBound(loop, rewriter, true);
  changed |= simplifyBound(loop, rewriter, false);
  return success(changed);
}

LogicalResult simplifyTrivialFor(Operation& op, Rewriter& rewriter) {
  ForOp loop(&op);
  if (loop.tripCount() != 0) return failure();
  std::vector<Value> inits = loop.inits().vec();
  rewriter.replaceOp(op, inits);
  return success();
}

/// A body that only yields values known before the loop, or its own arguments in place.
LogicalResult removeEmptyFor(Operation& op, Rewriter& rewriter) {
  ForOp loop(&op);
  if (!isEmptyBody(loop.body())) return failure();
  bool runs = loop.tripCount().value_or(0) > 0;
  std::vector<Value> results;
  for (unsigned i = 0; i < op.numResults(); ++i) {
    Value yielded = loop.yield()->operand(i);
    bool isOwn = yielded == loop.regionIterArg(i);
    bool isInside = yielded.parentBlock() == &loop.body();
    if (!isOwn && (isInside || !runs)) return failure();
    results.push_back(isOwn ? loop.inits()[i] : yielded);
  }
  rewriter.replaceOp(op, results);
  return success();
}

// -- if ------------------------------------------------------------------------------------------

LogicalResult simplifyIfOperands(Operation& op, Rewriter& rewriter) {
  IntegerSet set = IfOp(&op).condition();
  std::vector<Value> operands = op.operands().vec();
  if (!composeAndSimplify(set, operands)) return failure();
  rewriter.modify(op, [&] {
    op.setOperands(operands);
    op.setAttr(kCondition, IntegerSetAttr::get(set));
  });
  return success();
}

/// Whether all constraints hold, as far as they are constants; nothing when that is open.
static std::optional<bool> decided(IntegerSet set) {
  bool open = false;
  for (unsigned i = 0; i < set.constraints().size(); ++i) {
    std::optional<int64_t> value = set.constraints()[i].constantValue();
    bool holds = value && (set.isEquality(i) ? *value == 0 : *value >= 0);
    if (value && !holds) return false;
    open = open || !value;
  }
  return open ? std::nullopt : std::optional<bool>(true);
}

LogicalResult decideIf(Operation& op, Rewriter& rewriter) {
  IfOp branch(&op);
  std::optional<bool> holds = decided(branch.condition());
  if (!holds) return failure();
  Region& taken = *holds ? branch.thenRegion() : branch.elseRegion();
  if (taken.empty())
    rewriter.eraseOp(op);
  else
    replaceByRegion(rewriter, op, taken);
  return success();
}

LogicalResult removeEmptyElse(Operation& op, Rewriter& rewriter) {
  IfOp branch(&op);
  if (!branch.hasElse() || op.numResults() != 0 || !isEmptyBody(branch.elseBlock()))
    return failure();
  rewriter.eraseBlock(branch.elseBlock());
  rewriter.notifyModified(op);
  return success();
}

// -- parallel ------------------------------------------------------------------------------------

LogicalResult simplifyParallelBounds(Operation& op, Rewriter& rewriter) {
  ParallelOp loop(&op);
  Application lower{loop.lowerBoundsMap(), loop.lowerBoundsOperands().vec()};
  Application upper{loop.upperBoundsMap(), loop.upperBoundsOperands().vec()};
  bool changed = composeAndSimplify(lower);
  changed |= composeAndSimplify(upper);
  if (!changed) return failure();
  std::vector<Value> operands = lower.operands;
  operands.insert(operands.end(), upper.operands.begin(), upper.operands.end());
  rewriter.modify(op, [&] {
    op.setOperands(operands);
    op.setAttr("lowerBoundsMap", AffineMapAttr::get(lower.map));
    op.setAttr("upperBoundsMap", AffineMapAttr::get(upper.map));
  });
  return success();
}

}  // namespace airlite::affine
