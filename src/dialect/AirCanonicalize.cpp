// Canonicalizations of the air dialect (facts: pass_semantics.md section 0):
//  - hierarchy ops lose unused and repeated kernel operands
//  - token lists lose repeated tokens; a wait_all of one token or without effect goes
//  - constants move into access lists
//  - a private use of a channel that has neither puts nor gets: the declaration goes
#include <algorithm>

#include "AirSyntax.hpp"
#include "airlite/ir/Symbols.hpp"

namespace airlite::air {

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
  for (unsigned i = 0; i < operands.size(); ++i) {
    Value argument = op.kernelArgument(i);
    if (unsigned same = firstEqual(operands, i); same != i)
      rewriter.replaceAllUses(argument, op.kernelArgument(same));
    if (argument.hasUses())
      kept.push_back(operands[i]);
    else
      dropped.push_back(2 * op.numDims() + i);
  }
  if (dropped.empty()) return failure();
  unsigned group = isa<RankOp>(&raw) ? 3 : 2;
  rewriter.modify(raw, [&] {
    for (size_t i = dropped.size(); i--;) op.body().eraseArgument(dropped[i]);
    raw.setOperandGroup(group, kept);
  });
  return success();
}

// -- Tokens -----------------------------------------------------------------------------------

LogicalResult dropRepeatedTokens(Operation& raw, Rewriter& rewriter) {
  AsyncOp op(&raw);
  std::vector<Value> unique;
  for (Value token : op.dependencies())
    if (std::find(unique.begin(), unique.end(), token) == unique.end()) unique.push_back(token);
  if (unique.size() == op.dependencies().size()) return failure();
  rewriter.modify(raw, [&] { op.setDependencies(unique); });
  return success();
}

/// An execute waits through plain operands: it has a single group and no segment sizes.
static LogicalResult dropRepeatedExecuteTokens(Operation& op, Rewriter& rewriter) {
  std::vector<Value> unique;
  for (Value token : op.operands())
    if (std::find(unique.begin(), unique.end(), token) == unique.end()) unique.push_back(token);
  if (unique.size() == op.numOperands()) return failure();
  rewriter.modify(op, [&] { op.setOperands(unique); });
  return success();
}

static LogicalResult foldWaitAll(Operation& op, Rewriter& rewriter) {
  Value token = AsyncOp(&op).token();
  bool useless = token ? !token.hasUses() : op.numOperands() == 0;
  if (useless) {
    rewriter.eraseOp(op);
    return success();
  }
  bool forwards = token && op.numOperands() == 1 && op.operand(0).type() == token.type();
  if (!forwards) return failure();
  rewriter.replaceOp(op, op.operand(0));
  return success();
}

// -- Access lists -------------------------------------------------------------------------------

/// Writes constants of one list into its static part.
static bool foldList(Operation& op, std::string_view list, Rewriter& rewriter) {
  int group = op.def().operandIndex(list);
  if (group < 0) return false;
  std::string staticName = "static_" + std::string(list);
  DenseArrayAttr statics = op.attrOf<DenseArrayAttr>(staticName);
  if (!statics) return false;
  std::vector<int64_t> entries(statics.values().begin(), statics.values().end());
  std::vector<Value> dynamic = op.operandGroup(static_cast<unsigned>(group)).vec();
  std::vector<Value> kept;
  size_t next = 0;
  for (int64_t& entry : entries) {
    if (entry != kDynamic || next >= dynamic.size()) continue;
    Value value = dynamic[next++];
    if (std::optional<int64_t> constant = constantIntOf(value))
      entry = *constant;
    else
      kept.push_back(value);
  }
  if (kept.size() == dynamic.size()) return false;
  rewriter.modify(op, [&] {
    op.setAttr(staticName, DenseArrayAttr::getI64(op.context(), entries));
    op.setOperandGroup(static_cast<unsigned>(group), kept);
  });
  return true;
}

static LogicalResult foldAccessConstants(Operation& op, Rewriter& rewriter) {
  bool changed = false;
  for (std::string_view list : {"dst_offsets", "dst_sizes", "dst_strides", "src_offsets",
                                "src_sizes", "src_strides"})
    changed |= foldList(op, list, rewriter);
  return success(changed);
}

/// Copying a whole buffer onto itself does nothing; its token becomes the join of what it waited
/// for.
static LogicalResult eraseSelfCopy(Operation& op, Rewriter& rewriter) {
  DmaMemcpyNdOp dma(&op);
  Access dst = dma.dst(), src = dma.src();
  bool same = dst.memref == src.memref && dst.isWhole() && src.isWhole() &&
              dma.padBefore().empty() && !op.hasAttr("src_rank") && !op.hasAttr("dst_rank");
  if (!same) return failure();
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

// -- Channels -----------------------------------------------------------------------------------

/// Any reference by name below the symbol table keeps the declaration.
static LogicalResult eraseUnusedChannel(Operation& op, Rewriter& rewriter) {
  Operation* table = nearestSymbolTable(op.parentOp());
  std::string_view name = symbolName(op);
  bool used = !table;
  if (table)
    table->walkWith([&](Operation& inner) {
      forEachSymbolUse(inner, [&](SymbolRefAttr use) { used |= use.root() == name; });
      return used ? WalkResult::Interrupt : WalkResult::Advance;
    });
  if (used) return failure();
  rewriter.eraseOp(op);
  return success();
}

void addAirPatterns(OpDef& def) {
  if (def.name() == "air.channel") {
    def.canonicalize("erase-unused-channel", eraseUnusedChannel);
    return;
  }
  if (def.name() == "air.execute") {
    def.canonicalize("drop-repeated-tokens", dropRepeatedExecuteTokens);
    return;
  }
  if (def.name() == "air.wait_all") {
    def.canonicalize("fold-wait-all", foldWaitAll);
    def.canonicalize("drop-repeated-tokens", dropRepeatedExecuteTokens);
    return;
  }
  def.canonicalize("fold-access-constants", foldAccessConstants);
  def.canonicalize("drop-repeated-tokens", dropRepeatedTokens);
  if (def.name() == "air.dma_memcpy_nd") def.canonicalize("erase-self-copy", eraseSelfCopy);
}

}  // namespace airlite::air
