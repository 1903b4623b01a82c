// air-fold-moves: linalg ops read elements where they lie, and not where others have moved them.
//
// Frontends keep the rows of a reduction as a dimension of size 1, reduce along the first dimension of a transposed
// copy, and repeat the results to subtract or divide them: softmax and norms are such chains. Matches, in the
// block of a function, for linalg ops on buffers that are no products of matrices and no convolutions:
//
// - buffers that the function makes with dimensions of size 1, and views that add or drop such dimensions. They
//   lose them, with the loops that nothing else needs.
// - reads of a buffer that one op before fills with copies of elements of another one: copies that are repeated, by
//   any op, copies in another order by reductions. They read the other one. The copies go away with their buffer
//   where nothing else reads them.
// - reads of a buffer that is filled with one constant, and copies of such a buffer. They compute with the constant.
// - buffers that nothing reads. They go away with the ops that compute them.
//
// Declines: ops that use the indices of their loops, buffers with other uses, what the source loses in between.
#include "CollapsedViews.hpp"
#include "airlite/analysis/Access.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"
#include "transform/script/ScriptRewrites.hpp"

#include <algorithm>
#include <ranges>
#include <unordered_set>
#include <vector>

namespace airlite {

namespace {

using linalg::IteratorKind;
using linalg::StructuredOp;

/// An op whose operands may be read by other maps.
bool isMovable(StructuredOp op) {
  if (!op || !op.onBuffers() || op->numResults() != 0 || linalg::isProductOfMatrices(op))
    return false;
  return !op.usesIndices() && std::ranges::none_of(op.iterators(), [](IteratorKind kind) {
    return kind == IteratorKind::Window;
  });
}

bool changesShape(const Operation& op) {
  return op.is("memref.expand_shape") || op.is("memref.collapse_shape");
}

std::vector<int64_t> withoutOnes(MemRefType type) {
  std::vector<int64_t> sizes;
  std::ranges::copy_if(type.shape(), std::back_inserter(sizes),
                       [](int64_t size) { return size != 1; });
  return sizes;
}

bool hasOnes(MemRefType type) { return withoutOnes(type).size() != type.shape().size(); }

void setMaps(StructuredOp op, const std::vector<AffineMap>& maps) {
  std::vector<Attribute> attrs;
  for (const AffineMap& map : maps)
    attrs.push_back(AffineMapAttr::get(map));
  op->setAttr("indexing_maps", ArrayAttr::get(op->context(), attrs));
}

// -- Dimensions of size 1 -------------------------------------------------------------------------

/// A buffer and the views of it that only add or drop dimensions of size 1.
struct Names {
  std::vector<Value> values;
  std::vector<Operation*> ops, frees;  // what uses them, and what ends them
};

class OneDims {
 public:
  explicit OneDims(Operation& function) : function_(function) {}

  bool run() {
    std::vector<Operation*> allocs;
    for (Operation& op : function_.region().front().ops())
      if (isa<memref::AllocOp>(&op)) allocs.push_back(&op);
    bool changed = false;
    for (Operation* alloc : allocs)
      changed |= drop(*alloc);
    return changed;
  }

 private:
  bool drop(Operation& alloc) {
    auto type = alloc.result().type().cast<MemRefType>();
    if (!type.hasStaticShape() || !type.hasIdentityLayout() || withoutOnes(type).empty())
      return false;
    Names names;
    if (!follow(alloc.result(), names)) return false;
    if (!hasOnes(type) && names.values.size() == 1) return false;
    Builder builder = Builder::before(alloc);
    auto plain = MemRefType::get(builder.context(), withoutOnes(type), type.elementType())
                     .withMemorySpace(type.memorySpace());
    const Value buffer = memref::AllocOp::create(builder, alloc.location(), plain).result();
    for (Operation* op : names.ops)
      rename(op, names.values, buffer);
    for (Operation* free : names.frees)
      free->setOperand(0, buffer);
    for (auto name = names.values.rbegin(); name != names.values.rend(); ++name)
      name->definingOp()->erase();
    return true;
  }

  /// All names of the buffer; false when something uses it that has to see all dimensions.
  static bool follow(Value value, Names& names) {
    names.values.push_back(value);
    for (OpOperand& use : value.uses()) {
      Operation* user = use.owner();
      if (isa<memref::DeallocOp>(user)) {
        names.frees.push_back(user);
      } else if (changesShape(*user)) {
        auto from = value.type().cast<MemRefType>(), to = user->result().type().cast<MemRefType>();
        if (withoutOnes(from) != withoutOnes(to) || !follow(user->result(), names)) return false;
      } else {
        const StructuredOp op = linalg::asStructured(user);
        if (!isMovable(op) || !hasLoop(op)) return false;
        if (std::ranges::find(names.ops, user) == names.ops.end()) names.ops.push_back(user);
      }
    }
    return true;
  }

  /// One of more than one round, which stays.
  static bool hasLoop(StructuredOp op) {
    return std::ranges::any_of(op.loopSizes(), [](int64_t size) { return size > 1; });
  }

  static void rename(Operation* user, const std::vector<Value>& names, Value buffer) {
    StructuredOp op(user);
    if (op->is("linalg.fill")) return op->setOperand(1, buffer);  // of any number of dimensions
    if (!op->is("linalg.generic")) op = tiling::generalized(op);
    std::vector<AffineMap> maps = op.indexingMaps();
    const std::vector<int64_t> loops = op.loopSizes();
    for (unsigned i = 0; i < op->numOperands(); ++i) {
      if (std::ranges::find(names, op->operand(i)) == names.end()) continue;
      const auto shape = op->operand(i).type().cast<MemRefType>().shape();
      std::vector<AffineExpr> kept;
      for (unsigned dim = 0; dim < shape.size(); ++dim)
        if (shape[dim] != 1) kept.push_back(maps[i].result(dim));
      maps[i] = AffineMap::get(op->context(), maps[i].numDims(), 0, kept);
      op->setOperand(i, buffer);
    }
    dropLoops(op, maps, loops);
  }

  /// Loops of one round along which no operand has a dimension any more. In sums with others their round is 0.
  static void dropLoops(StructuredOp op, std::vector<AffineMap>& maps,
                        const std::vector<int64_t>& sizes) {
    Context& context = op->context();
    std::vector<AffineExpr> places;
    std::vector<Attribute> kinds;
    auto iterators = op->attrOf<ArrayAttr>("iterator_types");
    for (unsigned loop = 0; loop < sizes.size(); ++loop) {
      const AffineExpr dim = AffineExpr::dim(context, loop);
      const bool hasDim = std::ranges::any_of(maps, [&](const AffineMap& map) {
        return std::ranges::find(map.results(), dim) != map.results().end();
      });
      if (sizes[loop] == 1 && !hasDim) {
        places.push_back(AffineExpr::constant(context, 0));
        continue;
      }
      places.push_back(AffineExpr::dim(context, static_cast<unsigned>(kinds.size())));
      kinds.push_back(iterators[loop]);
    }
    for (AffineMap& map : maps) {
      std::vector<AffineExpr> results;
      for (AffineExpr expr : map.results())
        results.push_back(expr.replace(places, {}));
      map = AffineMap::get(context, static_cast<unsigned>(kinds.size()), 0, results);
    }
    setMaps(op, maps);
    op->setAttr("iterator_types", ArrayAttr::get(context, kinds));
  }

  Operation& function_;
};

// -- Copies ---------------------------------------------------------------------------------------

/// Whether the op copies its input to all of its output, and does nothing else.
bool movesInput(StructuredOp op) {
  if (!op || !op.onBuffers() || op.numInputs() != 1 || op.numOutputs() != 1 || !isMovable(op))
    return false;
  const Operation& last = op.body().back();
  const std::vector<AffineMap> maps = op.indexingMaps();
  return last.numOperands() == 1 && last.operand(0) == op.bodyArgument(0) &&
         op.inputs()[0].type().isa<MemRefType>() && maps[1].isPermutation() &&
         maps[0].isProjectedPermutation();
}

/// Takes the inputs away that `numbers` has a constant for.
StructuredOp withConstants(StructuredOp op, const std::vector<Operation*>& numbers) {
  std::vector<Value> inputs;
  std::vector<AffineMap> maps;
  const std::vector<AffineMap> all = op.indexingMaps();
  for (unsigned i = 0; i < all.size(); ++i) {
    if (i < op.numInputs() && numbers[i]) continue;
    maps.push_back(all[i]);
    if (i < op.numInputs()) inputs.push_back(op.inputs()[i]);
  }
  Builder builder = Builder::before(*op.op());
  StructuredOp made = linalg::createGeneric(builder, op->location(), inputs, op.outputs().vec(),
                                            maps, op.iterators());
  linalg::copyDialectAttributes(op, made);
  Builder inside = Builder::atEnd(made.body());
  IRMapping mapping;
  for (unsigned i = 0, at = 0; i < all.size(); ++i) {
    const bool isNumber = i < op.numInputs() && numbers[i];
    const Value element = isNumber ? inside.clone(*numbers[i])->result() : made.bodyArgument(at++);
    if (Value argument = op.bodyArgument(i)) mapping.map(argument, element);
  }
  for (Operation& inner : op.body().ops())
    inside.clone(inner, mapping);
  op->erase();
  return made;
}

class MoveFolder {
 public:
  explicit MoveFolder(Operation& function) {
    for (Operation& op : function.region().front().ops())
      if (isMovable(linalg::asStructured(&op))) readers_.push_back(&op);
  }

  bool run() {
    bool changed = false;
    for (Operation* reader : readers_)
      if (!gone_.contains(reader)) changed |= fold(StructuredOp(reader));
    return changed;
  }

 private:
  /// With the constants of buffers that are filled.
  bool foldNumbers(StructuredOp& reader) {
    std::vector<Operation*> numbers(reader.numInputs());
    std::vector<std::pair<Value, Operation*>> filled;
    for (unsigned i = 0; i < reader.numInputs(); ++i) {
      Operation* fill = moverOf(reader.inputs()[i]);
      Operation* number = fill && fill->is("linalg.fill") ? fill->operand(0).definingOp() : nullptr;
      if (!number || !number->is("arith.constant") || fill->block() != reader->block() ||
          !fill->isBeforeInBlock(reader.op()))
        continue;
      numbers[i] = number;
      filled.push_back({reader.inputs()[i], fill});
    }
    const bool leavesNone = filled.size() == reader.numInputs();
    if (filled.empty() || leavesNone || !saysSizesWithout(reader, numbers)) return false;
    gone_.insert(reader.op());
    reader = withConstants(reader, numbers);
    for (const auto& [buffer, fill] : filled)
      if (!gone_.contains(fill)) eraseUnread(buffer, *fill);
    return true;
  }

  static bool saysSizesWithout(StructuredOp reader, const std::vector<Operation*>& numbers) {
    std::vector<bool> isSaid(reader.numLoops(), false);
    const std::vector<AffineMap> maps = reader.indexingMaps();
    for (unsigned i = 0; i < maps.size(); ++i)
      for (AffineExpr expr : maps[i].results())
        if ((i >= numbers.size() || !numbers[i]) && expr.kind() == AffineKind::Dim)
          isSaid[expr.position()] = true;
    return std::ranges::find(isSaid, false) == isSaid.end();
  }

  bool fold(StructuredOp reader) {
    bool changed = foldNumbers(reader);
    for (unsigned i = 0; i < reader.numInputs(); ++i) {
      Operation* mover = moverOf(reader.inputs()[i]);
      if (!mover || mover->is("linalg.fill") || !isFoldable(StructuredOp(mover), reader)) continue;
      const Value copy = reader.inputs()[i];
      if (!reader->is("linalg.generic")) {
        gone_.insert(reader.op());
        reader = tiling::generalized(reader);
      }
      const std::vector<AffineMap> moved = StructuredOp(mover).indexingMaps();
      std::vector<AffineMap> maps = reader.indexingMaps();
      maps[i] = moved[0].compose(moved[1].inversePermutation()).compose(maps[i]);
      orderLoops(reader, maps, maps[i]);
      reader->setOperand(i, StructuredOp(mover).inputs()[0]);
      eraseUnread(copy, *mover);
      changed = true;
    }
    return changed;
  }

  /// Loops in the order of the dimensions that `first` reads, where it has all of them: along rows of memory.
  static void orderLoops(StructuredOp op, std::vector<AffineMap>& maps, AffineMap first) {
    if (first.isPermutation()) {
      auto iterators = op->attrOf<ArrayAttr>("iterator_types");
      std::vector<Attribute> kinds;
      for (AffineExpr loop : first.results())
        kinds.push_back(iterators[loop.position()]);
      for (AffineMap& map : maps)
        map = map.compose(first.inversePermutation());
      op->setAttr("iterator_types", ArrayAttr::get(op->context(), kinds));
    }
    setMaps(op, maps);
  }

  /// The op that fills a buffer made in the function, as the only one; null: there is none.
  static Operation* moverOf(Value buffer) {
    const Operation* alloc = buffer.definingOp();
    if (!alloc || !isa<memref::AllocOp>(alloc)) return nullptr;
    Operation* mover = nullptr;
    for (OpOperand& use : buffer.uses()) {
      if (isa<memref::DeallocOp>(use.owner())) continue;
      const StructuredOp op = linalg::asStructured(use.owner());
      if (!op) return nullptr;
      if (use.index() < op.numInputs()) continue;
      if (mover || (!op->is("linalg.fill") && !movesInput(op))) return nullptr;
      mover = use.owner();
    }
    return mover;
  }

  static bool isFoldable(StructuredOp mover, StructuredOp reader) {
    const AffineMap source = mover.indexingMaps()[0];
    const bool repeats = source.numResults() < mover.numLoops();
    const bool reduces = std::ranges::any_of(
        reader.iterators(), [](IteratorKind kind) { return kind == IteratorKind::Reduction; });
    return (repeats || reduces) && mover.op() != reader.op() && mover->block() == reader->block() &&
           mover->isBeforeInBlock(reader.op()) && !losesSource(*mover.op(), *reader.op()) &&
           saysSizes(mover, reader);
  }

  /// Another operand has each loop, or the source does.
  static bool saysSizes(StructuredOp mover, StructuredOp reader) {
    std::vector<bool> isSaid(reader.numLoops(), false);
    const std::vector<AffineMap> maps = reader.indexingMaps(), moved = mover.indexingMaps();
    const AffineMap back = moved[0].compose(moved[1].inversePermutation());
    const Value copy = mover.outputs()[0];
    for (unsigned i = 0; i < maps.size(); ++i) {
      const AffineMap map = reader->operand(i) == copy ? back.compose(maps[i]) : maps[i];
      for (AffineExpr expr : map.results())
        if (expr.kind() == AffineKind::Dim) isSaid[expr.position()] = true;
    }
    return std::ranges::find(isSaid, false) == isSaid.end();
  }

  /// Something between the two may write what the first one copies.
  static bool losesSource(Operation& mover, const Operation& reader) {
    analysis::AccessReader accesses;
    std::vector<analysis::BufferAccess> reads = accesses.all(mover);
    std::erase_if(reads, [](const analysis::BufferAccess& access) {
      return access.kind != analysis::AccessKind::Read;
    });
    for (Operation* op = mover.next(); op && op != &reader; op = op->next())
      for (const analysis::BufferAccess& other : accesses.all(*op))
        if (std::ranges::any_of(reads, [&](const analysis::BufferAccess& read) {
              return accesses.mayConflict(read, other);
            }))
          return true;
    return false;
  }

  void eraseUnread(Value copy, Operation& mover) {
    std::vector<Operation*> users;
    for (OpOperand& use : copy.uses())
      users.push_back(use.owner());
    if (std::ranges::any_of(
            users, [&](Operation* op) { return op != &mover && !isa<memref::DeallocOp>(op); }))
      return;
    gone_.insert(&mover);
    for (Operation* op : users)
      op->erase();
    copy.definingOp()->erase();
  }

  std::vector<Operation*> readers_;
  std::unordered_set<Operation*> gone_;
};

/// Whether a use of a buffer leaves nothing that another op reads.
bool onlyWrites(OpOperand& use) {
  Operation* op = use.owner();
  if (isa<memref::DeallocOp>(op)) return true;
  const StructuredOp structured = linalg::asStructured(op);
  return structured && structured.onBuffers() && structured.numOutputs() == 1 &&
         use.index() == structured.numInputs();
}

/// Buffers that nothing reads, with the ops that write them, the last ones first: what only these read is not read then.
bool dropUnread(Operation& function) {
  std::vector<Operation*> allocs;
  for (Operation& op : function.region().front().ops())
    if (isa<memref::AllocOp>(&op)) allocs.push_back(&op);
  bool changed = false;
  for (Operation* alloc : allocs | std::views::reverse) {
    std::vector<Operation*> users;
    bool isUnread = alloc->result().hasUses();
    for (OpOperand& use : alloc->result().uses()) {
      isUnread &= onlyWrites(use);
      users.push_back(use.owner());
    }
    if (!isUnread) continue;
    for (Operation* op : users)
      op->erase();
    alloc->erase();
    changed = true;
  }
  return changed;
}

class FoldMoves : public Pass {
 public:
  FoldMoves()
      : Pass("air-fold-moves",
             "Lets linalg ops read elements where they lie before they are moved") {
    anchor("func.func");
    example("airlite-opt --air-fold-moves in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    if (func::FuncOp(&function).isDeclaration()) return PassResult::Unchanged;
    context.declareEffectChange(CountedEffect::Store, "copies that nothing reads are not made");
    std::unordered_set<Operation*> copies;
    fillInsteadOfCopies(function, context, copies);
    const bool drops = OneDims(function).run();
    const bool folds = MoveFolder(function).run();
    bool hasUnread = false;
    while (dropUnread(function))
      hasUnread = true;
    return changedIf(hasUnread || folds || drops || !copies.empty());
  }
};

}  // namespace

void registerFoldMoves(PassRegistry& registry) { registry.add<FoldMoves>(); }

}  // namespace airlite
