// air-fold-broadcasts: a product of matrices reads what a broadcast would copy.
//
// Matches, in a function, products of matrices of which an input is a buffer that one linalg op before it fills with repeated
// copies of another one, as frameworks give each batch of a linear layer weights of its own. The product reads the other one instead, by
// a map without the repeated dimensions, and becomes a linalg.generic. The copies go away with their buffer where nothing else
// reads them.
//
// Declines: copies that repeat nothing, buffers that something else writes or that have views, and what the source loses
// in between.
#include "CollapsedViews.hpp"
#include "airlite/analysis/Access.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <vector>

namespace airlite {

using linalg::StructuredOp;

namespace {

/// Whether the op copies its input to several places of all of its output, and does nothing else.
bool repeatsInput(StructuredOp op) {
  if (op.numInputs() != 1 || op.numOutputs() != 1 || !op.onBuffers()) return false;
  const Operation& last = op.body().back();
  if (last.numOperands() != 1 || last.operand(0) != op.bodyArgument(0)) return false;
  const std::vector<AffineMap> maps = op.indexingMaps();
  return op.inputs()[0].type().isa<MemRefType>() && maps[1].isIdentity() &&
         maps[0].isProjectedPermutation() && maps[0].numResults() < op.numLoops();
}

/// The op that fills a buffer made in the function, before anything reads it; null: there is none, or not only one.
Operation* fillerOf(Value buffer) {
  const Operation* alloc = buffer.definingOp();
  if (!alloc || !isa<memref::AllocOp>(alloc)) return nullptr;
  Operation* filler = nullptr;
  for (OpOperand& use : buffer.uses()) {
    Operation* user = use.owner();
    if (isa<memref::DeallocOp>(user)) continue;
    const StructuredOp op = linalg::asStructured(user);
    if (!op) return nullptr;
    if (use.index() < op.numInputs()) continue;
    if (filler || !repeatsInput(op)) return nullptr;
    filler = user;
  }
  return filler;
}

class BroadcastFolder {
 public:
  explicit BroadcastFolder(Operation& function) {
    function.walk([&](Operation& op) {
      const StructuredOp structured = linalg::asStructured(&op);
      if (structured && op.parentOp() == &function && linalg::isProductOfMatrices(structured))
        products_.push_back(&op);
    });
  }

  bool run() {
    bool changed = false;
    for (Operation* product : products_)
      changed |= fold(StructuredOp(product));
    return changed;
  }

 private:
  bool fold(StructuredOp product) {
    std::vector<AffineMap> maps = product.indexingMaps();
    std::vector<Value> copies;
    for (unsigned i = 0; i < product.numInputs(); ++i) {
      const Value copy = product.inputs()[i];
      Operation* filler = fillerOf(copy);
      if (!filler || filler->block() != product->block() ||
          !filler->isBeforeInBlock(product.op()) || losesSource(*filler, *product.op()))
        continue;
      if (copies.empty() && !product->is("linalg.generic")) product = tiling::generalized(product);
      const StructuredOp source(filler);
      maps[i] = source.indexingMaps()[0].compose(maps[i]);
      product->setOperand(i, source.inputs()[0]);
      if (std::ranges::find(copies, copy) == copies.end()) copies.push_back(copy);
    }
    if (copies.empty()) return false;
    std::vector<Attribute> attrs;
    for (const AffineMap& map : maps)
      attrs.push_back(AffineMapAttr::get(map));
    product->setAttr("indexing_maps", ArrayAttr::get(product->context(), attrs));
    for (Value copy : copies)
      eraseUnread(copy);
    return true;
  }

  /// Something between the two may write what the first one copies.
  static bool losesSource(Operation& filler, const Operation& product) {
    analysis::AccessReader reader;
    std::vector<analysis::BufferAccess> reads = reader.all(filler);
    std::erase_if(reads, [](const analysis::BufferAccess& access) {
      return access.kind != analysis::AccessKind::Read;
    });
    for (Operation* op = filler.next(); op != &product; op = op->next())
      for (const analysis::BufferAccess& other : reader.all(*op))
        if (std::ranges::any_of(reads, [&](const analysis::BufferAccess& read) {
              return reader.mayConflict(read, other);
            }))
          return true;
    return false;
  }

  static void eraseUnread(Value copy) {
    std::vector<Operation*> users;
    for (OpOperand& use : copy.uses())
      users.push_back(use.owner());
    const Operation* filler = fillerOf(copy);
    if (std::ranges::any_of(
            users, [&](Operation* op) { return op != filler && !isa<memref::DeallocOp>(op); }))
      return;
    for (Operation* op : users)
      op->erase();
    copy.definingOp()->erase();
  }

  std::vector<Operation*> products_;
};

class FoldBroadcasts : public Pass {
 public:
  FoldBroadcasts()
      : Pass("air-fold-broadcasts", "Lets products of matrices read what broadcasts would copy") {
    anchor("func.func");
    example("airlite-opt --air-fold-broadcasts in.mlir");
  }

  PassResult run(Operation& function, PassContext&) override {
    return changedIf(BroadcastFolder(function).run());
  }
};

}  // namespace

void registerFoldBroadcasts(PassRegistry& registry) { registry.add<FoldBroadcasts>(); }

}  // namespace airlite
