// Canonicalizations of the air dialect (facts: docs/facts/pass_semantics.md section 0):
//  - hierarchy ops lose unused and repeated kernel operands
//  - a wait_all of one token or without effect goes
//  - an execute hands on what needs no waiting for, and becomes a join when it does nothing else
//  - constants move into access lists
//  - copying a piece of memory onto itself goes (channels that nothing names: Canonicalize.cpp)
// Views of memory are in AirCompose.cpp, dependency lists in AirDependence.cpp.
#include "AirSyntax.hpp"
#include "airlite/ir/Dominance.hpp"

#include <algorithm>

namespace airlite::air {

void noteUnused(std::span<const Value> values, Rewriter& rewriter) {
  for (Value value : values)
    if (Operation* def = value.definingOp(); def && !def->hasResultUses())
      rewriter.notifyModified(*def);
}

// -- Hierarchy ----------------------------------------------------------------------------------

/// Index of the first equal operand before `i`, or `i`.
static unsigned firstEqual(OperandRange operands, unsigned i) {
  for (unsigned j = 0; j < i; ++j)
    if (operands[j] == operands[i]) return j;
  return i;
}

LogicalResult dropUnusedArgs(Operation& raw, Rewriter& rewriter) {
  HierarchyOp op(&raw);
  OperandRange operands = op.kernelOperands();
  std::vector<Value> kept;
  std::vector<unsigned> dropped;
  // First all of them: an argument without uses may get those of a later one.
  for (unsigned i = 0; i < operands.size(); ++i)
    if (unsigned same = firstEqual(operands, i); same != i)
      rewriter.replaceAllUses(op.kernelArgument(i), op.kernelArgument(same));
  for (unsigned i = 0; i < operands.size(); ++i) {
    if (op.kernelArgument(i).hasUses())
      kept.push_back(operands[i]);
    else
      dropped.push_back(2 * op.numDims() + i);
  }
  if (dropped.empty()) return failure();
  unsigned group = isa<RankOp>(&raw) ? 3 : 2;
  std::vector<Value> before = operands.vec();
  rewriter.modify(raw, [&] {
    for (size_t i = dropped.size(); i--;)
      op.body().eraseArgument(dropped[i]);
    raw.setOperandGroup(group, kept);
  });
  noteUnused(before, rewriter);
  return success();
}

// -- Tokens -----------------------------------------------------------------------------------

static LogicalResult foldWaitAll(Operation& op, Rewriter& rewriter) {
  Value token = AsyncOp(&op).token();
  bool useless = token ? !token.hasUses() : op.numOperands() == 0;
  bool forwards = token && op.numOperands() == 1 && op.operand(0).type() == token.type();
  if (!useless && !forwards) return failure();
  keepFootprintsWithout(op, rewriter);
  if (useless) {
    rewriter.eraseOp(op);
    return success();
  }
  rewriter.replaceOp(op, op.operand(0));
  return success();
}

// -- execute ------------------------------------------------------------------------------------

/// A value that is there before the execute begins, or a constant.
static Value availableOutside(Operation& execute, Value value, Rewriter& rewriter) {
  if (!isInside(value, execute.region())) return value;
  Operation* def = value.definingOp();
  if (!def || !def->hasTrait(Trait::ConstantLike)) return Value();
  rewriter.setBefore(execute);
  return rewriter.clone(*def)->result();
}

static LogicalResult forwardResults(Operation& op, Rewriter& rewriter) {
  Operation& terminator = op.region().front().back();
  bool changed = false;
  for (unsigned i = 0; i < terminator.numOperands(); ++i) {
    Value result = op.result(i + 1);
    Value outside =
        result.hasUses() ? availableOutside(op, terminator.operand(i), rewriter) : Value();
    if (!outside) continue;
    rewriter.replaceAllUses(result, outside);
    changed = true;
  }
  return success(changed);
}

/// Only reads, computes, or allocates what nobody sees.
static bool doesNothing(Operation& execute) {
  bool nothing = true;
  execute.region().walk([&](Operation& op) {
    std::vector<EffectInstance> effects;
    nothing &= effectsOf(op, effects) && !op.hasTrait(Trait::LoopLike);
    for (const EffectInstance& effect : effects)
      nothing &= effect.effect == Effect::Read || effect.effect == Effect::Allocate;
  });
  return nothing;
}

/// Its token fires when what it waited for has: a join.
static LogicalResult executeToJoin(Operation& op, Rewriter& rewriter) {
  for (unsigned i = 1; i < op.numResults(); ++i)
    if (op.result(i).hasUses()) return failure();
  if (!doesNothing(op)) return failure();
  Type type = op.result().type();
  Operation* join =
      rewriter.create(op.location(), "air.wait_all", op.operands().vec(), std::span(&type, 1));
  rewriter.replaceAllUses(op.result(), join->result());
  rewriter.eraseOp(op);
  return success();
}

// -- Access lists -------------------------------------------------------------------------------

/// A constant that a static list can hold: one number in it stands for "a value".
static std::optional<int64_t> listedConstant(Value value) {
  const std::optional<int64_t> constant = constantIntOf(value);
  return constant && *constant != kDynamic ? constant : std::nullopt;
}

static bool hasConstant(OperandRange values) {
  return std::any_of(values.begin(), values.end(),
                     [](Value value) { return listedConstant(value).has_value(); });
}

/// Writes constants of one list, whose values are operand group `group`, into its static part.
static bool foldList(Operation& op, unsigned group, const ListNames& names, const ListParts& list) {
  if (!list.statics || !hasConstant(list.values)) return false;
  std::vector<int64_t> entries(list.entries().begin(), list.entries().end());
  std::vector<Value> kept;
  unsigned next = 0, dynamic = list.values.size();
  for (int64_t& entry : entries) {
    if (entry != kDynamic || next >= dynamic) continue;
    Value value = list.values[next++];
    if (std::optional<int64_t> constant = listedConstant(value))
      entry = *constant;
    else
      kept.push_back(value);
  }
  if (kept.size() == dynamic) return false;
  op.setAttr(names.statics, DenseArrayAttr::getI64(op.context(), entries));
  op.setOperandGroup(group, kept);
  return true;
}

/// The last list first: what stands before it does not move.
static bool foldSide(Operation& op, const AccessNames& side) {
  if (op.def().operandIndex(side.memref) < 0) return false;
  AccessParts parts = partsOf(op, side);
  unsigned first = firstGroupOf(op, side);
  bool changed = foldList(op, first + 3, side.strides, parts.strides);
  changed |= foldList(op, first + 2, side.sizes, parts.sizes);
  changed |= foldList(op, first + 1, side.offsets, parts.offsets);
  return changed;
}

static bool hasConstantInLists(Operation& op, const AccessNames& side) {
  if (op.def().operandIndex(side.memref) < 0) return false;
  unsigned first = firstGroupOf(op, side);
  return hasConstant(op.operandGroup(first + 1)) || hasConstant(op.operandGroup(first + 2)) ||
         hasConstant(op.operandGroup(first + 3));
}

static LogicalResult foldAccessConstants(Operation& op, Rewriter& rewriter) {
  if (!hasConstantInLists(op, kDst) && !hasConstantInLists(op, kSrc)) return failure();
  std::vector<Value> before = op.operands().vec();
  bool changed = foldSide(op, kDst);
  changed |= foldSide(op, kSrc);
  if (!changed) return failure();
  rewriter.notifyModified(op);
  noteUnused(before, rewriter);
  return success();
}

static bool isSameList(std::span<const IndexEntry> a, std::span<const IndexEntry> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](IndexEntry x, IndexEntry y) {
    return x.value == y.value && x.constant == y.constant;
  });
}

/// Copying a piece of a buffer onto itself does nothing; its token becomes the join of what it
/// waited for.
static LogicalResult eraseSelfCopy(Operation& op, Rewriter& rewriter) {
  DmaMemcpyNdOp dma(&op);
  if (op.operandGroup("dst")[0] != op.operandGroup("src")[0]) return failure();
  Access dst = dma.dst(), src = dma.src();
  bool same = isSameList(dst.offsets, src.offsets) && isSameList(dst.sizes, src.sizes) &&
              isSameList(dst.strides, src.strides);
  bool plain = !op.hasAttr("pad_before") && !op.hasAttr("pad_after") && !op.hasAttr("src_rank") &&
               !op.hasAttr("dst_rank");
  if (!same || !plain) return failure();
  if (Value token = dma.token()) {
    std::vector<Value> tokens = dma.dependencies().vec();
    Type type = token.type();
    Operation* join = rewriter.create(op.location(), "air.wait_all", tokens, std::span(&type, 1));
    rewriter.replaceOp(op, join->result());
  } else {
    rewriter.eraseOp(op);
  }
  return success();
}

void addAirPatterns(OpDef& def) {
  if (def.name() == "air.execute") {
    def.canonicalize("forward-results", forwardResults);
    def.canonicalize("execute-to-join", executeToJoin);
    def.canonicalize("carry-tokens", carryTokensThroughLoops);
  } else if (def.name() == "air.wait_all") {
    def.canonicalize("fold-wait-all", foldWaitAll);
  } else {
    bool isDma = def.name() == "air.dma_memcpy_nd";
    def.canonicalize("fold-access-constants", foldAccessConstants);
    def.canonicalize("compose-views", isDma ? composeDmaViews : composeChannelViews);
    if (isDma) def.canonicalize("erase-self-copy", eraseSelfCopy);
  }
  def.canonicalizeLate("simplify-dependencies", simplifyDependencies);
}

}  // namespace airlite::air
