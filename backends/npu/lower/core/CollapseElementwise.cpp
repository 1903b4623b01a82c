// Elementwise structured ops on buffers, or parts that lie together, with as few loops as they need.
#include "CollapseElementwise.hpp"

#include "CoreScope.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"

#include <algorithm>
#include <optional>

namespace airlite::npu {

namespace {

using linalg::IteratorKind;
using linalg::StructuredOp;

/// Loops that become one, in the order in which their elements lie.
using Groups = std::vector<std::vector<unsigned>>;

/// Its elements lie one after the other, wherever they begin.
bool liesTogether(MemRefType type) {
  if (type.rank() <= 1) return true;
  const auto form = type.stridedForm(), plain = type.withLayout(Attribute()).stridedForm();
  return type.hasStaticShape() && form && plain && form->strides == plain->strides;
}

/// Its loops run in any order, and each dimension of a buffer is indexed by a loop of its own.
bool isElementwise(StructuredOp op) {
  if (op.numLoops() < 2 || op->numResults() != 0 || op.numOutputs() == 0 || op.usesIndices())
    return false;
  if (std::ranges::any_of(op.iterators(),
                          [](IteratorKind kind) { return kind != IteratorKind::Parallel; }))
    return false;
  const std::vector<AffineMap> maps = op.indexingMaps();
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    const Type type = op->operand(i).type();
    if (!type.isa<ShapedType>() && maps[i].numResults() == 0) continue;
    auto memref = type.dynCast<MemRefType>();
    if (!memref || !maps[i].isProjectedPermutation() || !liesTogether(memref)) return false;
  }
  return true;
}

/// Loops that run once, which any other one may take along.
using UnitLoops = std::vector<bool>;

/// The dimension of a buffer along which a loop runs, not counting those of one element.
std::optional<unsigned> dimOf(AffineMap map, unsigned loop, const UnitLoops& units) {
  unsigned found = 0;
  for (AffineExpr result : map.results()) {
    if (result.usesDim(loop)) return found;
    found += !units[result.position()];
  }
  return std::nullopt;
}

/// Whether the elements of `loop` follow those of `before` in each buffer that has either.
bool continues(const std::vector<AffineMap>& maps, unsigned before, unsigned loop,
               const UnitLoops& units) {
  return std::ranges::all_of(maps, [&](AffineMap map) {
    const auto a = dimOf(map, before, units), b = dimOf(map, loop, units);
    return a && b ? *b == *a + 1 : a == b;
  });
}

/// By the sizes of the first output. None where a buffer has dimensions in another order than it, since those of a group have
/// to lie side by side; no loop of a buffer that lacks one of several elements, which it might be joined with.
UnitLoops unitLoopsOf(StructuredOp op, const std::vector<AffineMap>& maps) {
  UnitLoops units(op.numLoops(), false);
  const AffineMap first = maps[op.numInputs()];
  const auto inOrder = [&](AffineMap map) {
    std::vector<unsigned> places;
    for (AffineExpr result : map.results())
      for (unsigned dim = 0; dim < first.numResults(); ++dim)
        if (first.result(dim).usesDim(result.position())) places.push_back(dim);
    return std::ranges::is_sorted(places);
  };
  if (!std::ranges::all_of(maps, inOrder)) return units;
  const auto type = op->operand(op.numInputs()).type().cast<MemRefType>();
  std::vector<unsigned> longer;
  for (unsigned dim = 0; dim < first.numResults(); ++dim) {
    const unsigned loop = first.result(dim).position();
    units[loop] = type.dim(dim) == 1;
    if (!units[loop]) longer.push_back(loop);
  }
  const auto moves = [](AffineMap map, unsigned loop) {
    return std::ranges::any_of(map.results(),
                               [&](AffineExpr result) { return result.usesDim(loop); });
  };
  for (const AffineMap map : maps)
    if (!std::ranges::all_of(longer, [&](unsigned loop) { return moves(map, loop); }))
      for (AffineExpr result : map.results())
        units[result.position()] = false;
  return units;
}

/// Loops in the order of the first output, which has all of them. Empty: none can be joined.
Groups groupsOf(StructuredOp op) {
  const std::vector<AffineMap> maps = op.indexingMaps();
  const AffineMap first = maps[op.numInputs()];
  if (first.numResults() != op.numLoops()) return {};
  const UnitLoops units = unitLoopsOf(op, maps);
  Groups groups;
  std::optional<unsigned> before;  // the last loop of the last group that runs more than once
  for (AffineExpr result : first.results()) {
    const unsigned loop = result.position();
    const bool isJoined = units[loop] || !before || continues(maps, *before, loop, units);
    if (groups.empty() || !isJoined) groups.emplace_back();
    groups.back().push_back(loop);
    if (!units[loop]) before = loop;
  }
  return groups.size() < op.numLoops() ? groups : Groups();
}

/// The position of the group of each dimension's loop, once for each group.
std::vector<unsigned> groupsIn(AffineMap map, const Groups& groups, memref::Reassociation& dims) {
  std::vector<unsigned> found;
  for (unsigned dim = 0; dim < map.numResults(); ++dim) {
    const unsigned loop = map.result(dim).position();
    auto group = static_cast<unsigned>(
        std::ranges::find_if(
            groups, [&](const auto& loops) { return std::ranges::count(loops, loop) != 0; }) -
        groups.begin());
    if (found.empty() || found.back() != group) {
      found.push_back(group);
      dims.emplace_back();
    }
    dims.back().push_back(dim);
  }
  return found;
}

/// A named op takes its maps from its operands; a generic one has them written.
void collapse(Operation& op, const Groups& groups) {
  const std::vector<AffineMap> maps = StructuredOp(&op).indexingMaps();
  Builder builder = Builder::before(op);
  Context& context = op.context();
  std::vector<Attribute> collapsed;
  for (unsigned i = 0; i < op.numOperands(); ++i) {
    memref::Reassociation dims;
    std::vector<AffineExpr> results;
    for (unsigned group : groupsIn(maps[i], groups, dims))
      results.push_back(AffineExpr::dim(context, group));
    collapsed.push_back(AffineMapAttr::get(
        AffineMap::get(context, static_cast<unsigned>(groups.size()), 0, results)));
    if (dims.size() < maps[i].numResults())
      op.setOperand(
          i, memref::CollapseShapeOp::create(builder, op.location(), op.operand(i), dims).result());
  }
  if (!op.hasAttr("indexing_maps")) return;
  op.setAttr("indexing_maps", ArrayAttr::get(context, collapsed));
  if (auto iterators = op.attrOf<ArrayAttr>("iterator_types"))
    op.setAttr("iterator_types", ArrayAttr::get(context, iterators.value().first(groups.size())));
}

}  // namespace

bool collapseElementwise(Operation& root) {
  bool changed = false;
  for (Operation* op : opsInside(root)) {
    StructuredOp structured = linalg::asStructured(op);
    if (!structured || !structured.onBuffers() || !isElementwise(structured)) continue;
    const Groups groups = groupsOf(structured);
    if (groups.empty() || (groups.size() > 1 && !op->is("linalg.generic"))) continue;
    collapse(*op, groups);
    changed = true;
  }
  return changed;
}

}  // namespace airlite::npu
