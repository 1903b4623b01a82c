// air-collapse-rows: ops on rows of buffers with several dimensions get two.
//
// Matches, in a function, structured ops on contiguous buffers of the host with a loop that is a reduction and several loops
// around the rows, as the steps of a softmax over the last of three dimensions are, or several reductions. Loops of a kind next to each
// other that each buffer has as dimensions next to each other, or not at all, become one, by views of the buffers; a buffer that nobody uses
// otherwise is made so. Elementwise ops on these buffers, and what fills them, follow. Then all rows can be shared
// out, and air-fuse-rows sees which ops belong together. The same for elementwise ops to whose rows the same is done, as a bias of
// channels is added, where no reduction has to do with them.
//
// With `products` it begins with products of matrices instead: the rows of all batches of a linear layer, which share their
// right factor, become one dimension, so that one plan has them all. Ops on rows of the same buffers follow as well.
//
// Declines: ops that use the number of a loop, buffers that two ops would want with different dimensions.
#include "CollapsedViews.hpp"
#include "RowShares.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace airlite {

using linalg::IteratorKind;
using linalg::StructuredOp;

namespace {

/// Loops, or dimensions, that become one, in their order.
using Groups = memref::Reassociation;

/// The dimension of a buffer along which a loop runs.
std::optional<int64_t> dimOfLoop(AffineMap map, unsigned loop) {
  for (unsigned dim = 0; dim < map.numResults(); ++dim)
    if (map.result(dim).usesDim(loop)) return dim;
  return std::nullopt;
}

/// Its loops are dimensions of contiguous buffers of the host.
bool isReadable(StructuredOp op) {
  if (!op.onBuffers() || op.numLoops() < 2 || op.usesIndices()) return false;
  const std::vector<AffineMap> maps = op.indexingMaps();
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    if (!op->operand(i).type().isa<MemRefType>() && maps[i].numResults() == 0) continue;
    const MemRefType type = tiling::contiguousType(op->operand(i));
    if (!type || air::memoryLevel(type) != air::MemoryLevel::L3 ||
        !maps[i].isProjectedPermutation())
      return false;
  }
  return true;
}

/// Whether two loops next to each other are that in all buffers.
bool canJoin(StructuredOp op, unsigned loop) {
  const std::vector<IteratorKind> kinds = op.iterators();
  if (kinds[loop] != kinds[loop + 1]) return false;
  return std::ranges::all_of(op.indexingMaps(), [&](AffineMap map) {
    const auto a = dimOfLoop(map, loop), b = dimOfLoop(map, loop + 1);
    return a && b ? *b == *a + 1 : !a && !b;
  });
}

Groups loopsTogether(StructuredOp op) {
  Groups groups;
  for (unsigned loop = 0; loop < op.numLoops(); ++loop) {
    if (loop == 0 || !canJoin(op, loop - 1)) groups.emplace_back();
    groups.back().push_back(loop);
  }
  return groups;
}

/// The dimensions of a buffer for loops that become one.
Groups dimsOf(AffineMap map, const Groups& loops) {
  std::vector<std::pair<int64_t, std::vector<int64_t>>> found;
  for (const std::vector<int64_t>& group : loops) {
    std::vector<int64_t> dims;
    for (int64_t loop : group)
      if (const auto dim = dimOfLoop(map, static_cast<unsigned>(loop))) dims.push_back(*dim);
    if (!dims.empty()) found.push_back({dims.front(), dims});
  }
  std::ranges::sort(found);
  Groups groups;
  for (auto& [first, dims] : found)
    groups.push_back(std::move(dims));
  return groups;
}

/// The loops of an elementwise op for the dimensions of one of its buffers, whose map is the identity.
bool agrees(StructuredOp op, const Groups& loops) {
  for (const std::vector<int64_t>& group : loops)
    for (size_t i = 0; i + 1 < group.size(); ++i)
      if (!canJoin(op, static_cast<unsigned>(group[i]))) return false;
  return true;
}

class RowCollapser {
 public:
  RowCollapser(Operation& function, bool products) : products_(products) {
    function.walk([&](Operation& op) {
      const StructuredOp structured = linalg::asStructured(&op);
      if (structured && op.parentOp() == &function) ops_.push_back(&op);
    });
  }

  bool run() {
    for (Operation* op : ops_)
      if (isReadable(StructuredOp(op)) && StructuredOp(op).reduces()) begin(StructuredOp(op));
    while (acceptFollowers())
      continue;
    if (!products_) beginWithRows();
    if (loopsOf_.empty()) return false;
    bool changed = false;
    for (Operation* op : ops_)
      changed |= rewrite(StructuredOp(op));
    views_.remakeBuffers();
    return changed;
  }

 private:
  void begin(StructuredOp op) {
    const bool isProduct = linalg::isProductOfMatrices(op);
    if (isProduct != products_) return;
    const Groups loops = loopsTogether(op);
    // What fills the result of a product or follows it is computed with it, and keeps its dimensions.
    if (isProduct && loops.size() == op.numLoops())
      kept_.insert(op.outputs()[0]);
    else
      accept(op, loops);
  }

  /// Elementwise ops to whose rows the same is done, as a bias is added: for others all is one row. What is computed with a product or
  /// after another reduction keeps its dimensions.
  void beginWithRows() {
    std::unordered_set<Value> reduced;
    for (bool changed = true; changed;) {
      changed = false;
      for (Operation* op : ops_) {
        const auto isKnown = [&](Value operand) { return reduced.contains(operand); };
        if (!StructuredOp(op).reduces() && std::ranges::none_of(op->operands(), isKnown)) continue;
        for (Value operand : op->operands())
          changed |= operand.type().isa<MemRefType>() && reduced.insert(operand).second;
      }
    }
    for (Operation* op : ops_) {
      const StructuredOp structured(op);
      const bool isFree = std::ranges::none_of(
          op->operands(), [&](Value operand) { return reduced.contains(operand); });
      if (!isFree || loopsOf_.contains(op) || !isReadable(structured)) continue;
      const Groups loops = loopsTogether(structured);
      if (loops.size() == 2 && loops.size() < structured.numLoops()) accept(structured, loops);
    }
    while (acceptFollowers())
      continue;
  }

  /// False where a buffer has other dimensions already.
  bool accept(StructuredOp op, const Groups& loops) {
    std::vector<std::pair<Value, Groups>> wanted;
    for (unsigned i = 0; i < op->numOperands(); ++i) {
      if (!op->operand(i).type().isa<MemRefType>()) continue;
      Groups dims = dimsOf(op.indexingMaps()[i], loops);
      const auto known = dimsOf_.find(op->operand(i));
      if (known != dimsOf_.end() && known->second != dims) return false;
      wanted.push_back({op->operand(i), std::move(dims)});
    }
    for (auto& [buffer, dims] : wanted)
      dimsOf_[buffer] = std::move(dims);
    loopsOf_[op.op()] = loops;
    return true;
  }

  bool acceptFollowers() {
    bool found = false;
    for (Operation* op : ops_) {
      StructuredOp structured(op);
      if (loopsOf_.contains(op) || op->is("linalg.fill") || !isReadable(structured) ||
          (structured.reduces() && (!products_ || linalg::isProductOfMatrices(structured))) ||
          std::ranges::any_of(op->operands(), [&](Value v) { return kept_.contains(v); }))
        continue;
      for (unsigned i = 0; i < op->numOperands(); ++i) {
        const auto known = dimsOf_.find(op->operand(i));
        if (known == dimsOf_.end() || !structured.indexingMaps()[i].isIdentity()) continue;
        // Of the identity, dimensions are loops.
        if (agrees(structured, known->second)) found |= accept(structured, Groups(known->second));
        break;
      }
    }
    return found;
  }

  bool rewrite(StructuredOp op) {
    if (op->is("linalg.fill")) {
      const auto known = dimsOf_.find(op.outputs()[0]);
      if (known == dimsOf_.end() || kept_.contains(op.outputs()[0])) return false;
      op->setOperand(1, views_.of(op.outputs()[0], known->second));
      return true;
    }
    const auto known = loopsOf_.find(op.op());
    if (known == loopsOf_.end() || known->second.size() == op.numLoops()) return false;
    const Groups& loops = known->second;
    if (!op->is("linalg.generic")) op = tiling::generalized(op);
    const std::vector<AffineMap> maps = op.indexingMaps();
    std::vector<Attribute> newMaps, kinds;
    for (unsigned i = 0; i < op->numOperands(); ++i)
      newMaps.push_back(AffineMapAttr::get(mapOf(maps[i], loops)));
    const auto old = op->attrOf<ArrayAttr>("iterator_types");
    for (const std::vector<int64_t>& group : loops)
      kinds.push_back(old[static_cast<size_t>(group.front())]);
    for (unsigned i = 0; i < op->numOperands(); ++i)
      if (op->operand(i).type().isa<MemRefType>())
        op->setOperand(i, views_.of(op->operand(i), dimsOf(maps[i], loops)));
    op->setAttr("indexing_maps", ArrayAttr::get(op->context(), newMaps));
    op->setAttr("iterator_types", ArrayAttr::get(op->context(), kinds));
    return true;
  }

  static AffineMap mapOf(AffineMap map, const Groups& loops) {
    std::vector<AffineExpr> results;
    for (const std::vector<int64_t>& dims : dimsOf(map, loops)) {
      const auto loop = map.result(static_cast<unsigned>(dims.front())).position();
      const auto group = std::ranges::find_if(loops, [&](const std::vector<int64_t>& members) {
        return std::ranges::find(members, static_cast<int64_t>(loop)) != members.end();
      });
      results.push_back(
          AffineExpr::dim(map.context(), static_cast<unsigned>(group - loops.begin())));
    }
    return AffineMap::get(map.context(), static_cast<unsigned>(loops.size()), 0, results);
  }

  const bool products_;
  std::vector<Operation*> ops_;
  std::unordered_set<Value> kept_;
  std::unordered_map<Value, Groups> dimsOf_;
  std::unordered_map<Operation*, Groups> loopsOf_;
  tiling::CollapsedViews views_;
};

class CollapseRows : public Pass {
 public:
  CollapseRows() : Pass("air-collapse-rows", "Makes one dimension of those around rows") {
    anchor("func.func");
    option("products", products_, "begin with products of matrices, not with other reductions");
    example("airlite-opt --air-collapse-rows in.mlir");
  }

  PassResult run(Operation& function, PassContext&) override {
    return changedIf(RowCollapser(function, products_).run());
  }

 private:
  bool products_ = false;
};

}  // namespace

void registerCollapseRows(PassRegistry& registry) { registry.add<CollapseRows>(); }

}  // namespace airlite
