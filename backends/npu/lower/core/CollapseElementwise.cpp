// Elementwise structured ops on whole buffers as loops over one dimension.
#include "CollapseElementwise.hpp"

#include "CoreScope.hpp"
#include "ViewPlace.hpp"
#include "airlite/dialect/Linalg.hpp"

namespace airlite::npu {

namespace {

using linalg::IteratorKind;
using linalg::StructuredOp;

bool usesIndices(StructuredOp op) {
  for (Operation& inner : op.body().ops())
    if (inner.is("linalg.index")) return true;
  return false;
}

bool isWholeBuffer(Type type) {
  auto memref = type.dynCast<MemRefType>();
  return memref && memref.rank() > 1 && flatType(memref);
}

/// All loops run over all dimensions of all buffers, in order: in memory they are one loop.
bool isElementwise(StructuredOp op) {
  if (op.numLoops() < 2 || op->numResults() != 0 || usesIndices(op)) return false;
  for (IteratorKind kind : op.iterators())
    if (kind != IteratorKind::Parallel) return false;
  std::vector<AffineMap> maps = op.indexingMaps();
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    Type type = op->operand(i).type();
    bool isScalar = !type.isa<ShapedType>() && maps[i].numResults() == 0;
    if (!isScalar && !(isWholeBuffer(type) && maps[i].isIdentity())) return false;
  }
  return true;
}

Value flat(Builder& builder, Location location, Value buffer) {
  auto type = buffer.type().cast<MemRefType>();
  std::vector<Attribute> group;
  for (int64_t i = 0; i < type.rank(); ++i)
    group.push_back(builder.i64Attr(i));
  Context& context = builder.context();
  Attribute all = ArrayAttr::get(context, group);
  Attribute groups = ArrayAttr::get(context, std::span<const Attribute>(&all, 1));
  return builder
      .create(location, "memref.collapse_shape", {buffer}, {flatType(type)},
              {builder.named("reassociation", groups)})
      ->result();
}

AffineMap flatMap(Context& context, AffineMap map) {
  if (map.numResults() != 0) return AffineMap::identity(context, 1);
  return AffineMap::get(context, 1, 0, {});
}

/// A named op takes its maps from its operands; a generic one has them written.
void collapseMaps(Operation& op, const std::vector<AffineMap>& maps) {
  if (!op.hasAttr("indexing_maps")) return;
  std::vector<Attribute> collapsed;
  for (AffineMap map : maps)
    collapsed.push_back(AffineMapAttr::get(flatMap(op.context(), map)));
  op.setAttr("indexing_maps", ArrayAttr::get(op.context(), collapsed));
  auto iterators = op.attrOf<ArrayAttr>("iterator_types");
  if (iterators)
    op.setAttr("iterator_types", ArrayAttr::get(op.context(), iterators.value().first(1)));
}

void collapse(Operation& op) {
  std::vector<AffineMap> maps = StructuredOp(&op).indexingMaps();
  Builder builder = Builder::before(op);
  for (unsigned i = 0; i < op.numOperands(); ++i)
    if (op.operand(i).type().isa<MemRefType>())
      op.setOperand(i, flat(builder, op.location(), op.operand(i)));
  collapseMaps(op, maps);
}

}  // namespace

bool collapseElementwise(Operation& root) {
  bool changed = false;
  for (Operation* op : opsInside(root)) {
    StructuredOp structured = linalg::asStructured(op);
    if (!structured || !structured.onBuffers() || !isElementwise(structured)) continue;
    collapse(*op);
    changed = true;
  }
  return changed;
}

}  // namespace airlite::npu
