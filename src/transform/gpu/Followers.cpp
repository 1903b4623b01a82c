#include "Followers.hpp"

#include "TileWriter.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>

namespace airlite::gpu {

bool readsElsewhere(linalg::StructuredOp op) {
  return std::ranges::any_of(op.body().ops(), [](Operation& inner) {
    std::vector<EffectInstance> effects;
    return !inner.hasTrait(Trait::Terminator) &&
           (inner.numRegions() != 0 || !effectsOf(inner, effects) || !effects.empty());
  });
}

namespace {

using linalg::StructuredOp;

bool asksSize(const Operation& op) {
  return op.is("memref.dim") && constantIntOf(op.operand(1)).has_value();
}

StructuredOp nextOp(Operation& op) {
  Operation* next = op.next();
  while (next && !linalg::asStructured(next) && mayBePassed(*next))
    next = next->next();
  return next ? linalg::asStructured(next) : StructuredOp(nullptr);
}

/// Who asks for sizes of a buffer gets what it was made with.
void replaceSizes(Operation& buffer) {
  const auto type = buffer.result().type().cast<MemRefType>();
  std::vector<Operation*> questions;
  for (OpOperand& use : buffer.result().uses())
    if (asksSize(*use.owner())) questions.push_back(use.owner());
  for (Operation* question : questions) {
    const auto dim = static_cast<size_t>(*constantIntOf(question->operand(1)));
    Builder builder = Builder::before(*question);
    const auto before = type.shape().first(dim);
    const auto open = static_cast<unsigned>(std::ranges::count(before, kDynamic));
    const Value size = type.dim(dim) == kDynamic
                           ? buffer.operand(open)
                           : builder.constantIndex(question->location(), type.dim(dim));
    question->result().replaceAllUsesWith(size);
    question->erase();
  }
}

/// Zeros stay zeros.
bool isLinearOp(Operation& inner) {
  constexpr std::string_view kOps[] = {"arith.extf",   "arith.truncf",  "arith.sitofp",
                                       "arith.uitofp", "arith.extsi",   "arith.extui",
                                       "arith.trunci", "arith.mulf",    "arith.muli",
                                       "arith.negf",   "arith.constant"};
  return inner.hasTrait(Trait::Terminator) || std::ranges::count(kOps, inner.name());
}

/// Whether the result of the body is `argument`, converted and multiplied.
bool comesFrom(Value value, Value argument) {
  if (value == argument) return true;
  Operation* op = value.definingOp();
  if (!op || op->is("arith.constant")) return false;
  return std::ranges::any_of(op->operands(),
                             [&](Value operand) { return comesFrom(operand, argument); });
}

}  // namespace

bool mayBePassed(Operation& op) {
  if (op.hasTrait(Trait::ConstantLike) || op.is("memref.alloc") || op.is("memref.dealloc"))
    return true;
  std::vector<EffectInstance> effects;
  return op.numRegions() == 0 && !op.hasTrait(Trait::Terminator) && effectsOf(op, effects) &&
         effects.empty();
}

StructuredOp writerBefore(Operation& op, Value memref, bool isUnread) {
  const Value source = memref::viewSource(memref);
  for (Operation* before = op.prev(); before; before = before->prev()) {
    StructuredOp structured = linalg::asStructured(before);
    if (!structured && mayBePassed(*before)) continue;
    if (!structured || !structured.onBuffers() || (isUnread && readsElsewhere(structured))) break;
    for (Value output : structured.outputs())
      if (memref::viewSource(output) == source)
        return output == memref ? structured : StructuredOp(nullptr);
    for (Value input : structured.inputs())
      if (isUnread && memref::viewSource(input) == source) return StructuredOp(nullptr);
  }
  return StructuredOp(nullptr);
}

unsigned wholeOperand(StructuredOp maker) {
  const auto maps = maker.indexingMaps();
  for (unsigned i = 0; i < maker.numInputs(); ++i)
    if (maker->operand(i).type().isa<MemRefType>() && maps[i].isIdentity() &&
        comesFrom(maker.body().back().operand(0), maker.bodyArgument(i)))
      return i;
  return maker.numInputs();
}

StructuredOp makerOf(StructuredOp op, Value memref, std::span<Operation* const> others) {
  StructuredOp maker = writerBefore(*op, memref, true);
  Operation* const users[] = {maker.op(), op.op()};
  if (!maker || !isTileOp(maker) || maker.readsOutput(0) || !isUsedOnlyBy(memref, users))
    return StructuredOp(nullptr);
  if (!std::ranges::all_of(maker.body().ops(), isLinearOp) ||
      wholeOperand(maker) == maker.numInputs())
    return StructuredOp(nullptr);
  for (Operation* between = op->prev(); between != maker.op(); between = between->prev())
    if (!mayBePassed(*between) && !std::ranges::count(others, between))
      return StructuredOp(nullptr);
  for (Value input : maker.inputs())
    if (memref::viewSource(input) == memref::viewSource(op.outputs()[0]))
      return StructuredOp(nullptr);
  return maker;
}

int takenOperand(StructuredOp follower, Value from) {
  const auto maps = follower.indexingMaps();
  int taken = -1;
  for (unsigned i = 0; i < follower->numOperands(); ++i) {
    if (follower->operand(i) != from) continue;
    const bool isUsed = i < follower.numInputs() || follower.readsOutput(i - follower.numInputs());
    if (!isUsed) continue;
    if (!maps[i].isIdentity()) return -1;
    taken = static_cast<int>(i);
  }
  return taken;
}

bool isUsedOnlyBy(Value memref, std::span<Operation* const> ops) {
  Operation* buffer = memref.definingOp();
  if (!buffer || !buffer->is("memref.alloc")) return false;
  return std::ranges::all_of(memref.uses(), [&](OpOperand& use) {
    Operation* user = use.owner();
    return std::ranges::count(ops, user) || user->is("memref.dealloc") || asksSize(*user);
  });
}

std::vector<StructuredOp> followersOf(const Made& made) {
  std::vector<StructuredOp> followers;
  std::vector<Operation*> users = made.others;
  users.push_back(made.op.op());
  Value from = made.memref;
  const auto rank = static_cast<unsigned>(from.type().cast<MemRefType>().rank());
  for (StructuredOp op = nextOp(*made.op); op; op = nextOp(*op)) {
    if (!isTileOp(op) || op.numLoops() != rank || takenOperand(op, from) < 0) break;
    const Value to = op.outputs()[0];
    // It is read while others write their part of the result.
    const auto isOverwritten = [&](Value memref) {
      return memref.type().isa<MemRefType>() && memref != from &&
             memref::viewSource(memref) == memref::viewSource(to);
    };
    if (std::ranges::any_of(made.read, isOverwritten) ||
        std::ranges::any_of(op.inputs(), isOverwritten))
      break;
    users.push_back(op.op());
    if (to != from && !isUsedOnlyBy(from, users)) break;
    followers.push_back(op);
    from = to;
  }
  return followers;
}

void eraseWithMemory(std::span<Operation* const> ops, std::span<const Value> memory) {
  if (ops.empty()) return;
  Operation* last = ops.back();
  std::vector<Operation*> between;
  for (Operation* op = ops.front(); op != last; op = op->next())
    if (op->is("memref.dealloc")) between.push_back(op);
  for (Operation* op : between)
    op->moveAfter(last);
  for (Operation* op : ops)
    op->erase();
  for (Value memref : memory) {
    Operation* buffer = memref.definingOp();
    if (!buffer || !isUsedOnlyBy(memref, {})) continue;
    replaceSizes(*buffer);
    std::vector<Operation*> ends;
    for (OpOperand& use : memref.uses())
      ends.push_back(use.owner());
    for (Operation* end : ends)
      end->erase();
    buffer->erase();
  }
}

}  // namespace airlite::gpu
