#include "transform/tiling/TileBuffers.hpp"

#include "airlite/analysis/Access.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "transform/script/ScriptRewrites.hpp"

#include <algorithm>

namespace airlite {

namespace {

using memref::MixedIndex;
using memref::SubViewOp;

/// From operand 0 to operand 1, both memrefs.
bool copiesBuffers(const Operation& op) {
  return (op.is("memref.copy") || op.is("linalg.copy")) && op.numResults() == 0 &&
         op.operand(0).type().isa<MemRefType>();
}

std::vector<Operation*> opsNamed(Operation& root, std::string_view name) {
  std::vector<Operation*> ops;
  root.walk([&](Operation& op) {
    if (op.is(name)) ops.push_back(&op);
  });
  return ops;
}

// -- Views ----------------------------------------------------------------------------------------

/// Whether the op computes the same when the memref has another layout or memory space.
bool takesAnyLayout(Operation& user) {
  if (user.numResults() > 0 && !user.is("memref.load")) return false;
  return user.is("memref.load") || user.is("memref.store") || user.is("memref.dealloc") ||
         user.is("memref.copy") || static_cast<bool>(linalg::asStructured(&user));
}

bool allTakeAnyLayout(Value memref) {
  return std::ranges::all_of(memref.uses(),
                             [](OpOperand& use) { return takesAnyLayout(*use.owner()); });
}

bool areAll(std::span<const int64_t> list, int64_t wanted) {
  return std::ranges::all_of(list, [&](int64_t entry) { return entry == wanted; });
}

bool isWhole(SubViewOp view) {
  const MemRefType source = view.sourceType();
  return source.hasStaticShape() && source.rank() == view.resultType().rank() &&
         areAll(view.staticOffsets(), 0) && areAll(view.staticStrides(), 1) &&
         std::ranges::equal(view.staticSizes(), source.shape());
}

/// A view of all of a buffer is the buffer.
bool dropWholeViews(Operation& root) {
  bool changed = false;
  for (Operation* op : opsNamed(root, "memref.subview")) {
    SubViewOp view(op);
    if (!isWhole(view) || !allTakeAnyLayout(view.result())) continue;
    view.result().replaceAllUsesWith(view.source());
    op->erase();
    changed = true;
  }
  return changed;
}

MixedIndex sumOf(const MixedIndex& a, const MixedIndex& b, Builder& builder, Location location) {
  if (a.isConstant() && b.isConstant()) return a.constant + b.constant;
  if (a.isConstant() && a.constant == 0) return b;
  if (b.isConstant() && b.constant == 0) return a;
  const auto valueOf = [&](const MixedIndex& index) {
    return index.isConstant() ? builder.constantIndex(location, index.constant) : index.value;
  };
  const Value left = valueOf(a), right = valueOf(b);
  return builder.create(location, "arith.addi", {left, right}, {builder.indexType()})->result();
}

bool keepsRank(SubViewOp view) {
  return view.sourceType().rank() == view.resultType().rank() && areAll(view.staticStrides(), 1);
}

/// A part of a part is a part of the whole.
bool joinViews(Operation& root) {
  bool changed = false;
  for (Operation* op : opsNamed(root, "memref.subview")) {
    SubViewOp inner(op);
    SubViewOp outer = dynCast<SubViewOp>(inner.source().definingOp());
    if (!outer || !keepsRank(inner) || !keepsRank(outer)) continue;
    Builder builder = Builder::before(*op);
    std::vector<MixedIndex> offsets = outer.offsets();
    const std::vector<MixedIndex> more = inner.offsets();
    for (size_t i = 0; i < offsets.size(); ++i)
      offsets[i] = sumOf(offsets[i], more[i], builder, op->location());
    Value joined = SubViewOp::create(builder, op->location(), outer.source(), offsets,
                                     inner.sizes(), inner.strides(), inner.resultType())
                       .result();
    inner.result().replaceAllUsesWith(joined);
    op->erase();
    if (!outer.result().hasUses()) outer->erase();
    changed = true;
  }
  return changed;
}

/// Where a buffer of a tile belongs: L2 in the loops of a program that says nothing, else where it is.
Attribute spaceOfTile(Operation& alloc, MemRefType bytes) {
  const bool isTile = alloc.parentOfName("scf.parallel") || alloc.parentOfName("scf.for");
  if (bytes.memorySpace() || !isTile || alloc.parentOfName("air.herd")) return bytes.memorySpace();
  return Builder(alloc.context()).i32Attr(static_cast<int64_t>(air::MemoryLevel::L2));
}

/// The only view of the bytes of an allocation, from the first on; null when there are others.
Operation* onlyViewOf(Operation& alloc) {
  Operation* view = nullptr;
  for (OpOperand& use : alloc.result().uses()) {
    Operation* user = use.owner();
    if (user->is("memref.dealloc")) continue;
    if (view || !user->is("memref.view")) return nullptr;
    view = user;
  }
  const bool isAtStart = view && constantIntOf(view->operand(1)) == int64_t{0};
  const bool isStatic = view && view->result().type().cast<MemRefType>().hasStaticShape();
  return isAtStart && isStatic && view->block() == alloc.block() ? view : nullptr;
}

/// Bytes that are looked at in one way become a buffer of that type.
bool typeByteBuffers(Operation& root) {
  bool changed = false;
  for (Operation* op : opsNamed(root, "memref.alloc")) {
    Operation* view = onlyViewOf(*op);
    if (!view || !allTakeAnyLayout(view->result())) continue;
    const auto seen = view->result().type().cast<MemRefType>();
    if (!seen.hasIdentityLayout()) continue;
    const MemRefType type =
        MemRefType::get(op->context(), seen.shape(), seen.elementType(), {},
                        spaceOfTile(*op, op->result().type().cast<MemRefType>()));
    Builder builder = Builder::before(*op);
    const Value buffer = memref::AllocOp::create(builder, op->location(), type).result();
    if (Attribute alignment = op->attr("alignment"))
      buffer.definingOp()->setAttr("alignment", alignment);
    view->result().replaceAllUsesWith(buffer);
    view->erase();
    op->result().replaceAllUsesWith(buffer);
    op->erase();
    changed = true;
  }
  return changed;
}

// -- Copies and buffers that do nothing -----------------------------------------------------------

/// The op only puts something into the buffer, or frees it.
bool onlyPuts(OpOperand& use) {
  Operation* user = use.owner();
  if (user->is("memref.dealloc")) return true;
  const bool isTarget = user->is("linalg.fill") || copiesBuffers(*user);
  return isTarget && user->numResults() == 0 && use.index() == 1;
}

/// Buffers that nobody reads, with all that is put into them.
bool dropUnreadBuffers(Operation& root) {
  bool changed = false;
  for (Operation* op : opsNamed(root, "memref.alloc")) {
    std::vector<Operation*> users;
    bool isUnread = true;
    for (OpOperand& use : op->result().uses()) {
      isUnread &= onlyPuts(use);
      users.push_back(use.owner());
    }
    if (!isUnread) continue;
    for (Operation* user : users)
      user->erase();
    op->erase();
    changed = true;
  }
  return changed;
}

/// Writes each element of `buffer`, whatever it holds, and reads none.
bool writesOver(Operation& op, Value buffer, analysis::AccessReader& reader) {
  const analysis::Buffer written = reader.bufferOf(buffer);
  const auto isOther = [&](Value input) {
    return !input.type().isa<MemRefType>() ||
           (reader.bufferOf(input).isKnown() && reader.bufferOf(input) != written);
  };
  if (copiesBuffers(op)) return op.operand(1) == buffer && isOther(op.operand(0));
  linalg::StructuredOp linalg = linalg::asStructured(&op);
  if (!linalg || !linalg.onBuffers() || linalg.numOutputs() != 1) return false;
  const AffineMap map = linalg.indexingMaps().back();
  return linalg.outputs()[0] == buffer && !linalg.readsOutput(0) && map.isProjectedPermutation() &&
         std::ranges::all_of(linalg.inputs(), isOther);
}

/// Whether the first op after the copy that touches its target writes all of it.
bool isWrittenOver(Operation& copy, analysis::AccessReader& reader) {
  const Value target = copy.operand(1);
  const analysis::BufferAccess whole{reader.bufferOf(target), analysis::AccessKind::Write,
                                     reader.elementsOf(target)};
  for (Operation* op = copy.next(); op; op = op->next()) {
    if (writesOver(*op, target, reader)) return true;
    for (const analysis::BufferAccess& access : reader.all(*op))
      if (reader.mayOverlap(access, whole)) return false;
  }
  return false;
}

bool dropWrittenOverCopies(Operation& root) {
  std::vector<Operation*> dead;
  analysis::AccessReader reader;
  root.walk([&](Operation& op) {
    if (copiesBuffers(op) && isWrittenOver(op, reader)) dead.push_back(&op);
  });
  for (Operation* copy : dead)
    copy->erase();
  return !dead.empty();
}

// -- Sums that stay in their buffer ---------------------------------------------------------------

/// A buffer of a loop that holds a part of another one while a round works on it.
struct Accumulator {
  Operation* alloc = nullptr;
  Operation* in = nullptr;
  Operation* out = nullptr;
  Operation* dealloc = nullptr;
};

class AccumulatorHoist {
 public:
  explicit AccumulatorHoist(scf::ForOp loop) : loop_(loop) {}

  bool run() {
    const std::optional<int64_t> rounds = loop_.tripCount();
    if (!rounds || *rounds < 1) return false;
    bool changed = false;
    for (Operation* alloc : opsInBody("memref.alloc")) {
      const std::optional<Accumulator> sums = accumulatorOf(*alloc);
      if (!sums || !isOnlyUser(*sums)) continue;
      moveOut(*sums);
      changed = true;
    }
    return changed;
  }

 private:
  std::vector<Operation*> opsInBody(std::string_view name) const {
    std::vector<Operation*> ops;
    for (Operation& op : loop_.body().ops())
      if (op.is(name)) ops.push_back(&op);
    return ops;
  }

  /// The value is the same in each round, or is a view that can be made in front of the loop.
  bool isInvariant(Value value) const {
    Operation* op = value.definingOp();
    if (!op || !loop_->isAncestor(op)) return !isOwnArgument(value);
    return op->block() == &loop_.body() && op->is("memref.subview") &&
           std::ranges::all_of(op->operands(), [&](Value operand) {
             Operation* source = operand.definingOp();
             return source ? !loop_->isAncestor(source) : !isOwnArgument(operand);
           });
  }

  bool isOwnArgument(Value value) const {
    return std::ranges::count(loop_.body().arguments(), value) != 0;
  }

  /// None: the buffer is used in another way.
  std::optional<Accumulator> accumulatorOf(Operation& alloc) const {
    Accumulator sums{.alloc = &alloc};
    const Value buffer = alloc.result();
    if (alloc.numOperands() > 0 || air::memoryLevel(buffer.type()) != air::MemoryLevel::L1)
      return std::nullopt;
    for (OpOperand& use : buffer.uses()) {
      Operation* user = use.owner();
      if (user->block() != &loop_.body()) return std::nullopt;
      if (user->is("memref.dealloc")) {
        sums.dealloc = user;
      } else if (copiesBuffers(*user) && use.index() == 1 && !sums.in) {
        sums.in = user;
      } else if (copiesBuffers(*user) && use.index() == 0 && !sums.out) {
        sums.out = user;
      } else if (!linalg::asStructured(user)) {
        return std::nullopt;
      }
    }
    if (!sums.in || !sums.out || !sums.dealloc) return std::nullopt;
    if (sums.in->operand(0) != sums.out->operand(1) || !isInvariant(sums.in->operand(0)))
      return std::nullopt;
    return standsInOrder(sums) ? std::optional(sums) : std::nullopt;
  }

  /// In first, out last.
  static bool standsInOrder(const Accumulator& sums) {
    for (OpOperand& use : sums.alloc->result().uses()) {
      Operation* user = use.owner();
      if (user == sums.in || user == sums.out || user == sums.dealloc) continue;
      if (!sums.in->isBeforeInBlock(user) || !user->isBeforeInBlock(sums.out)) return false;
    }
    return sums.in->isBeforeInBlock(sums.out);
  }

  /// Nothing else in the loop touches the part of the other buffer.
  bool isOnlyUser(const Accumulator& sums) const {
    analysis::AccessReader reader;
    const Value part = sums.in->operand(0);
    const analysis::BufferAccess all{reader.bufferOf(part), analysis::AccessKind::Write,
                                     std::nullopt};
    for (Operation& op : loop_.body().ops()) {
      if (&op == sums.in || &op == sums.out) continue;
      for (const analysis::BufferAccess& access : reader.all(op))
        if (reader.mayOverlap(access, all)) return false;
    }
    return true;
  }

  void moveOut(const Accumulator& sums) {
    Operation* view = sums.in->operand(0).definingOp();
    if (view && loop_->isAncestor(view)) view->moveBefore(loop_.op());
    sums.alloc->moveBefore(loop_.op());
    sums.in->moveBefore(loop_.op());
    Operation* after = loop_->next();
    sums.out->moveBefore(after);
    sums.dealloc->moveBefore(after);
  }

  scf::ForOp loop_;
};

}  // namespace

bool simplifyTileBuffers(Operation& root, PassContext& context) {
  bool changed = dropWholeViews(root);
  changed |= joinViews(root);
  changed |= typeByteBuffers(root);
  std::unordered_set<Operation*> erased;
  fillInsteadOfCopies(root, context, erased);
  changed |= !erased.empty();
  bool drops = dropUnreadBuffers(root);
  drops |= dropWrittenOverCopies(root);
  if (drops) context.declareEffectChange(CountedEffect::Store, "what nobody reads is not written");
  return changed || drops;
}

bool hoistAccumulators(Operation& root, PassContext& context) {
  bool changed = false;
  for (Operation* loop : opsNamed(root, "scf.for"))  // inner ones first
    changed |= AccumulatorHoist(scf::ForOp(loop)).run();
  if (changed)
    context.declareEffectChange(CountedEffect::Store, "sums stay in their buffer for all rounds");
  return changed;
}

}  // namespace airlite
