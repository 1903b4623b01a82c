// Canonicalizations of scf.if, scf.index_switch and scf.execute_region.
#include "RegionRewrites.hpp"
#include "ScfInternal.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Dominance.hpp"

#include <algorithm>

namespace airlite::scf {

namespace {

bool onlyYields(Block& block) { return &block.front() == &block.back(); }

void dropYields(Region& region, Rewriter& rewriter, const std::vector<bool>& kept) {
  if (region.empty()) return;
  Operation& yield = region.front().back();
  std::vector<Value> values;
  for (unsigned i = 0; i < kept.size(); ++i)
    if (kept[i]) values.push_back(yield.operand(i));
  rewriter.modify(yield, [&] { yield.setOperands(values); });
}

/// `op` with only those results that `kept` says; the others have no uses or become `others`.
void keepResults(Operation& op, Rewriter& rewriter, const std::vector<bool>& kept,
                 std::span<const Value> others) {
  std::vector<Type> types;
  for (unsigned i = 0; i < kept.size(); ++i)
    if (kept[i]) types.push_back(op.result(i).type());
  std::vector<Value> operands = op.operands().vec();
  Operation* next = recreate(rewriter, op, operands, types);
  for (Region& region : next->regions())
    dropYields(region, rewriter, kept);
  unsigned at = 0;
  for (unsigned i = 0; i < kept.size(); ++i) {
    Value value = kept[i] ? next->result(at++) : others[i];
    if (value) rewriter.replaceAllUses(op.result(i), value);
  }
  rewriter.eraseOp(op);
}

}  // namespace

// -- if: by its condition ------------------------------------------------------------------------

LogicalResult ifConstantCondition(Operation& op, Rewriter& rewriter) {
  IfOp branch(&op);
  std::optional<int64_t> condition = constantIntOf(branch.condition());
  if (!condition) return failure();
  if (*condition != 0)
    replaceByRegion(rewriter, op, branch.thenRegion());
  else if (branch.hasElse())
    replaceByRegion(rewriter, op, branch.elseRegion());
  else
    rewriter.eraseOp(op);
  return success();
}

/// if (not c) a else b is if (c) b else a.
LogicalResult ifNegatedCondition(Operation& op, Rewriter& rewriter) {
  IfOp branch(&op);
  Operation* negation = branch.condition().definingOp();
  if (!branch.hasElse() || !negation || !negation->is("arith.xori") ||
      constantIntOf(negation->operand(1)).value_or(0) == 0)
    return failure();
  rewriter.modify(op, [&] {
    op.setOperand(0, negation->operand(0));
    Region kept(&op);
    kept.takeBody(branch.thenRegion());
    branch.thenRegion().takeBody(branch.elseRegion());
    branch.elseRegion().takeBody(kept);
  });
  return success();
}

/// Inside the regions the condition itself is known.
LogicalResult ifKnownCondition(Operation& op, Rewriter& rewriter) {
  IfOp branch(&op);
  if (branch.condition().definingOp() && constantIntOf(branch.condition())) return failure();
  std::vector<std::pair<OpOperand*, bool>> uses;
  for (OpOperand& use : branch.condition().uses()) {
    if (isInside(*use.owner(), branch.thenRegion()))
      uses.emplace_back(&use, true);
    else if (isInside(*use.owner(), branch.elseRegion()))
      uses.emplace_back(&use, false);
  }
  if (uses.empty()) return failure();
  Value constants[2];
  for (auto [use, known] : uses) {
    Value& value = constants[known ? 1 : 0];
    rewriter.setBefore(op);
    if (!value) value = rewriter.constant(op.location(), IntegerAttr::getBool(op.context(), known));
    OpOperand* at = use;
    Value with = value;
    rewriter.modify(*at->owner(), [&] { at->set(with); });
  }
  return success();
}

// -- if: by its results --------------------------------------------------------------------------

LogicalResult ifUnusedResults(Operation& op, Rewriter& rewriter) {
  std::vector<bool> kept;
  for (unsigned i = 0; i < op.numResults(); ++i)
    kept.push_back(op.result(i).hasUses());
  if (std::find(kept.begin(), kept.end(), false) == kept.end()) return failure();
  keepResults(op, rewriter, kept, std::vector<Value>(kept.size()));
  return success();
}

/// Results that both regions have from outside become arith.select. Tokens stay: what reads the
/// order of a program follows them through conditionals, and not through arithmetic.
LogicalResult ifToSelect(Operation& op, Rewriter& rewriter) {
  IfOp branch(&op);
  if (op.numResults() == 0) return failure();
  std::vector<bool> kept;
  std::vector<Value> selected;
  rewriter.setBefore(op);
  for (unsigned i = 0; i < op.numResults(); ++i) {
    Value yes = branch.thenYield().values()[i], no = branch.elseYield().values()[i];
    bool isFree = !isInside(yes, branch.thenRegion()) && !isInside(no, branch.elseRegion());
    bool hoistable = isFree && (yes == no || !air::isTokenType(yes.type()));
    kept.push_back(!hoistable);
    if (hoistable && yes != no)
      yes = rewriter
                .create(op.location(), "arith.select", {branch.condition(), yes, no}, {yes.type()})
                ->result();
    selected.push_back(hoistable ? yes : Value());
  }
  if (std::find(kept.begin(), kept.end(), false) == kept.end()) return failure();
  keepResults(op, rewriter, kept, selected);
  return success();
}

LogicalResult ifEmptyElse(Operation& op, Rewriter& rewriter) {
  IfOp branch(&op);
  bool plain = op.numResults() == 0 && branch.hasElse() && onlyYields(branch.elseBlock());
  if (!plain) return failure();
  rewriter.eraseBlock(branch.elseBlock());
  rewriter.notifyModified(op);
  return success();
}

// -- if: two into one ----------------------------------------------------------------------------

/// Whether all results of the outer op are what an absent inner op would give too: then nothing but
/// the conditions matters.
static bool canCombine(IfOp outer, IfOp inner, std::vector<Value>& elseValues) {
  for (unsigned i = 0; i < outer->numResults(); ++i) {
    Value yes = outer.thenYield().values()[i], no = outer.elseYield().values()[i];
    if (yes.definingOp() == inner.op()) {
      if (inner.elseYield().values()[yes.index()] != no) return false;
      elseValues.push_back(no);
    } else if (yes == no || (!isInside(yes, outer.thenRegion()) && !air::isTokenType(yes.type()))) {
      elseValues.push_back(no);
    } else {
      return false;
    }
  }
  return true;
}

/// if (a) { if (b) { .. } } is if (a && b) { .. }.
LogicalResult ifCombineNested(Operation& op, Rewriter& rewriter) {
  IfOp outer(&op);
  IfOp inner = dynCast<IfOp>(&outer.thenBlock().front());
  if (!inner || inner->next() != &outer.thenBlock().back()) return failure();
  if (outer.hasElse() && !onlyYields(outer.elseBlock())) return failure();
  if (inner.hasElse() && !onlyYields(inner.elseBlock())) return failure();
  std::vector<Value> elseValues;
  bool plain = op.numResults() == 0 && inner->numResults() == 0;
  if (!plain && !(outer.hasElse() && inner->numResults() != 0)) return failure();
  if (!canCombine(outer, inner, elseValues)) return failure();
  // A result that is not the inner op's is chosen by the outer condition alone.
  rewriter.setBefore(op);
  std::vector<Value> results;
  std::vector<Type> types = inner->resultTypes();
  Value both = rewriter
                   .create(op.location(), "arith.andi", {outer.condition(), inner.condition()},
                           {rewriter.intType(1)})
                   ->result();
  std::vector<Value> operands{both};
  Operation* next = recreate(rewriter, *inner, operands, types);
  rewriter.moveBefore(*next, op);
  rewriter.setBefore(op);
  for (unsigned i = 0; i < op.numResults(); ++i) {
    Value yes = outer.thenYield().values()[i];
    if (yes.definingOp() == inner.op())
      results.push_back(next->result(yes.index()));
    else if (yes == elseValues[i])
      results.push_back(yes);
    else
      results.push_back(rewriter
                            .create(op.location(), "arith.select",
                                    {outer.condition(), yes, elseValues[i]}, {yes.type()})
                            ->result());
  }
  rewriter.replaceOp(op, results);
  return success();
}

namespace {

/// Uses of the results of `first` in region `into` become what `from`, which has run, has yielded.
void forwardResults(IfOp first, Rewriter& rewriter, Region& from, Region& into) {
  if (into.empty()) return;
  for (unsigned i = 0; i < first->numResults(); ++i) {
    Value yielded = from.front().back().operand(i);
    std::vector<OpOperand*> uses;
    for (OpOperand& use : first->result(i).uses())
      if (isInside(*use.owner(), into)) uses.push_back(&use);
    for (OpOperand* use : uses)
      rewriter.modify(*use->owner(), [&] { use->set(yielded); });
  }
}

/// The ops of both regions, then what both have yielded. Either may be empty (no else).
void joinRegions(Region& target, Region& first, Region& second, Rewriter& rewriter,
                 Location location) {
  if (first.empty() && second.empty()) return;
  Block& block = target.addBlock();
  std::vector<Value> yields;
  for (Region* region : {&first, &second}) {
    if (region->empty()) continue;
    Operation* end = &region->front().back();
    std::vector<Value> values = end->operands().vec();
    yields.insert(yields.end(), values.begin(), values.end());
    rewriter.eraseOp(*end);
    Block& from = region->front();
    if (!from.empty()) block.splice(nullptr, from, &from.front());
  }
  rewriter.setToEnd(block);
  YieldOp::create(rewriter, location, yields);
}

}  // namespace

/// Two scf.if in a row with the same condition become one.
LogicalResult ifCombineConsecutive(Operation& op, Rewriter& rewriter) {
  IfOp second(&op);
  IfOp first = op.prev() ? dynCast<IfOp>(op.prev()) : IfOp();
  if (!first || first.condition() != second.condition()) return failure();
  if (first->attributes() != second->attributes()) return failure();
  forwardResults(first, rewriter, first.thenRegion(), second.thenRegion());
  if (first.hasElse()) forwardResults(first, rewriter, first.elseRegion(), second.elseRegion());
  std::vector<Type> types = first->resultTypes();
  for (Type type : second->resultTypes())
    types.push_back(type);
  OperationState state(op.location(), op.def());
  state.operands = {second.condition()};
  state.addTypes(types);
  state.attributes = NamedAttrList(first->attributes());
  state.addRegion();
  state.addRegion();
  rewriter.setBefore(op);
  IfOp joined(rewriter.create(state));
  joinRegions(joined.thenRegion(), first.thenRegion(), second.thenRegion(), rewriter,
              op.location());
  joinRegions(joined.elseRegion(), first.elseRegion(), second.elseRegion(), rewriter,
              op.location());
  for (unsigned i = 0; i < joined->numResults(); ++i) {
    unsigned split = first->numResults();
    rewriter.replaceAllUses(i < split ? first->result(i) : op.result(i - split), joined->result(i));
  }
  rewriter.eraseOp(op);
  rewriter.eraseOp(*first);
  return success();
}

// -- index_switch and execute_region -------------------------------------------------------------

LogicalResult indexSwitchConstant(Operation& op, Rewriter& rewriter) {
  IndexSwitchOp select(&op);
  std::optional<int64_t> value = constantIntOf(select.arg());
  if (!value) return failure();
  std::span<const int64_t> cases = select.cases();
  auto it = std::find(cases.begin(), cases.end(), *value);
  Region& taken = it == cases.end() ? select.defaultRegion()
                                    : select.caseRegion(static_cast<unsigned>(it - cases.begin()));
  replaceByRegion(rewriter, op, taken);
  return success();
}

LogicalResult executeRegionInline(Operation& op, Rewriter& rewriter) {
  Region& region = op.region();
  if (!region.hasOneBlock() || !region.front().back().is("scf.yield")) return failure();
  replaceByRegion(rewriter, op, region);
  return success();
}

}  // namespace airlite::scf
