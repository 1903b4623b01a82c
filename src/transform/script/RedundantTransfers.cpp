// transform.air.eliminate_redundant_vector_transfers and eliminate_cascade_memcpy: data that are moved
// twice.
//
// The first replaces a vector.transfer_read by an earlier one of its block with the same operands,
// attributes and type, when nothing between may write the memory.
//
// The second replaces two whole air.dma_memcpy_nd, of which the second reads what the first wrote into
// a buffer that nothing else uses, by one, at the place of the second. Declines, with a remark: other
// numbers of elements in the buffer than in its source, writes or frees between the two, a token of
// the first that others wait for when the second has none.
#include "ScriptRewrites.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "transform/channels/AccessLists.hpp"

#include <algorithm>

namespace airlite {

namespace {

bool isAllocation(Value value) {
  Operation* op = value.definingOp();
  return op && (op->is("memref.alloc") || op->is("memref.alloca"));
}

/// Both are known, and are different memory.
bool areApart(Value a, Value b) {
  const Value rootA = memref::viewSource(a), rootB = memref::viewSource(b);
  return rootA != rootB && isAllocation(rootA) && isAllocation(rootB);
}

/// May `op`, or what is in it, change or free what `memory` holds?
bool mayChange(Operation& op, Value memory) {
  bool may = false;
  op.walk([&](Operation& inner) {
    if (inner.hasTrait(Trait::Terminator)) return;
    std::vector<EffectInstance> effects;
    if (!effectsOf(inner, effects) && !inner.hasTrait(Trait::RecursiveEffects)) may = true;
    for (const EffectInstance& effect : effects) {
      const bool changes = effect.effect == Effect::Write || effect.effect == Effect::Free ||
                           effect.effect == Effect::Receive || effect.effect == Effect::Sync;
      if (changes && !(effect.value && areApart(effect.value, memory))) may = true;
    }
  });
  return may;
}

bool isSameRead(const Operation& a, const Operation& b) {
  return a.result().type() == b.result().type() && a.attributes() == b.attributes() &&
         std::ranges::equal(a.operands(), b.operands());
}

}  // namespace

void dropRedundantReads(Operation& root, std::unordered_set<Operation*>& erased) {
  std::vector<Block*> blocks;
  root.walk([&](Operation& op) {
    for (Region& region : op.regions())
      for (Block& block : region.blocks())
        blocks.push_back(&block);
  });
  for (Block* block : blocks) {
    std::vector<Operation*> known;  // reads whose memory has not changed since
    for (Operation* op = block->empty() ? nullptr : &block->front(); op;) {
      Operation* next = op->next();
      const bool isRead = op->is("vector.transfer_read");
      const auto same =
          isRead ? std::ranges::find_if(
                       known, [&](Operation* earlier) { return isSameRead(*earlier, *op); })
                 : known.end();
      if (same != known.end()) {
        op->result().replaceAllUsesWith((*same)->result());
        erased.insert(op);
        op->erase();
      } else if (isRead) {
        known.push_back(op);
      } else if (!isPure(*op)) {
        std::erase_if(known, [&](Operation* read) { return mayChange(*op, read->operand(0)); });
      }
      op = next;
    }
  }
}

// -- Two copies as one ----------------------------------------------------------------------------

namespace {

using air::DmaMemcpyNdOp;

int64_t elementsIn(Value memory) {
  auto type = memory.type().dynCast<MemRefType>();
  return type && type.hasStaticShape() ? type.numElements() : -1;
}

/// The copy that fills the buffer which `second` reads, and nothing else uses; null: there is none.
Operation* filledBy(DmaMemcpyNdOp second) {
  const Value buffer = second.src().memref;
  if (!isAllocation(buffer)) return nullptr;
  Operation* first = nullptr;
  for (OpOperand& use : buffer.uses()) {
    Operation* user = use.owner();
    if (user == second.op() || user->is("memref.dealloc")) continue;
    if (first || !isa<DmaMemcpyNdOp>(user) || DmaMemcpyNdOp(user).dst().memref != buffer)
      return nullptr;
    first = user;
  }
  return first;
}

/// Somebody but the second copy waits for the first one.
bool isAwaitedByOthers(DmaMemcpyNdOp first, DmaMemcpyNdOp second) {
  if (!first.token()) return false;
  for (OpOperand& use : first.token().uses())
    if (use.owner() != second.op()) return true;
  return false;
}

/// Why the two do not become one; empty when they can.
std::string_view obstacle(DmaMemcpyNdOp first, DmaMemcpyNdOp second) {
  for (const DmaMemcpyNdOp& copy : {first, second})
    if (!copy.dst().isWhole() || !copy.src().isWhole() || !copy.padBefore().empty() ||
        !copy.padAfter().empty())
      return "stays: it moves a part of its memory";
  const Value source = first.src().memref, buffer = second.src().memref;
  if (elementsIn(source) < 0 || elementsIn(source) != elementsIn(buffer))
    return "stays: the buffer has not as many elements as its source";
  Operation* at = first->next();
  for (; at && at != second.op(); at = at->next())
    if (!isPure(*at) && mayChange(*at, source))
      return "stays: what it copied may change before it is copied on";
  if (!at) return "stays: the second copy does not follow in its block";
  if (!second.token() && isAwaitedByOthers(first, second))
    return "stays: others wait for its token";
  return {};
}

void join(DmaMemcpyNdOp first, DmaMemcpyNdOp second, std::unordered_set<Operation*>& erased) {
  const Value buffer = second.src().memref;
  Builder builder = Builder::before(*second.op());
  // A token that nobody waits for says nothing: then the copy blocks.
  const bool isAwaited =
      second.token() && (second.token().hasUses() || isAwaitedByOthers(first, second));
  Operation* joined = air::createDma(builder, *second.op(), second.dst(), first.src(), isAwaited);
  std::vector<Value> dependencies = first.dependencies().vec();
  for (Value token : second.dependencies())
    if (token != first.token() && std::ranges::find(dependencies, token) == dependencies.end())
      dependencies.push_back(token);
  air::AsyncOp(joined).setDependencies(dependencies);
  if (isAwaited) {
    second.token().replaceAllUsesWith(joined->result());
    if (first.token())
      first.token().replaceUsesIf(joined->result(),
                                  [&](OpOperand& use) { return use.owner() != second.op(); });
  }
  erased.insert({first.op(), second.op()});
  second->erase();
  first->erase();
  std::vector<Operation*> frees;
  for (OpOperand& use : buffer.uses())
    frees.push_back(use.owner());
  for (Operation* op : frees) {
    erased.insert(op);
    op->erase();
  }
  erased.insert(buffer.definingOp());
  buffer.definingOp()->erase();
}

}  // namespace

void joinCascadedCopies(Operation& root, PassContext& context,
                        std::unordered_set<Operation*>& erased) {
  std::vector<Operation*> copies;
  root.walk([&](Operation& op) {
    if (isa<DmaMemcpyNdOp>(&op)) copies.push_back(&op);
  });
  for (Operation* op : copies) {
    if (erased.contains(op)) continue;
    const DmaMemcpyNdOp second(op);
    Operation* first = filledBy(second);
    if (!first) continue;
    if (const std::string_view why = obstacle(DmaMemcpyNdOp(first), second); !why.empty()) {
      context.remark(*first, why);
      continue;
    }
    context.declareEffectChange(CountedEffect::Dma, "two copies become one");
    join(DmaMemcpyNdOp(first), second, erased);
  }
}

}  // namespace airlite
