// Buffers with fewer dimensions for such with more.
#include "CollapsedViews.hpp"

#include "airlite/ir/OpDef.hpp"

#include <algorithm>

namespace airlite::tiling {

MemRefType contiguousType(Value value) {
  auto type = value.type().dynCast<MemRefType>();
  if (!type || !type.hasStaticShape()) return {};
  const auto strided = type.stridedForm();
  if (!strided || strided->offset != 0) return {};
  int64_t stride = 1;
  for (auto dim = static_cast<unsigned>(type.rank()); dim-- > 0; stride *= type.dim(dim))
    if (strided->strides[dim] != stride) return {};
  return type;
}

linalg::StructuredOp generalized(linalg::StructuredOp named) {
  Builder builder = Builder::before(*named.op());
  const linalg::StructuredOp generic = linalg::createGeneric(builder, named);
  named->erase();
  return generic;
}

ViewPlace::ViewPlace(Value value)
    : builder(value.context()),
      location(value.isBlockArgument() ? value.argumentBlock()->parentOp()->location()
                                       : value.definingOp()->location()) {
  if (value.isBlockArgument())
    builder.setToStart(*value.argumentBlock());
  else
    builder.setAfter(*value.definingOp());
}

Value CollapsedViews::of(Value buffer, const memref::Reassociation& groups) {
  if (std::ranges::all_of(groups, [](const auto& group) { return group.size() == 1; }))
    return buffer;
  const auto known = std::ranges::find_if(
      views_, [&](const View& view) { return view.buffer == buffer && view.groups == groups; });
  if (known != views_.end()) return known->view;
  ViewPlace place(buffer);
  Value view =
      memref::CollapseShapeOp::create(place.builder, place.location, buffer, groups).result();
  views_.push_back({buffer, groups, view});
  return view;
}

void CollapsedViews::remakeBuffers() {
  for (const View& entry : views_) {
    Value buffer = entry.buffer, view = entry.view;
    Operation* alloc = buffer.definingOp();
    if (!alloc || !isa<memref::AllocOp>(alloc) || !isOnlyUsedBy(buffer, view)) continue;
    Builder builder = Builder::before(*alloc);
    OperationState state(alloc->location(), alloc->def());
    state.resultTypes = {view.type()};
    state.attributes = NamedAttrList(alloc->attributes());
    Operation* made = builder.create(state);
    view.replaceAllUsesWith(made->result());
    view.definingOp()->erase();
    buffer.replaceAllUsesWith(made->result());
    alloc->erase();
  }
}

bool CollapsedViews::isOnlyUsedBy(Value buffer, Value view) {
  return std::ranges::all_of(buffer.uses(), [&](OpOperand& use) {
    return use.owner() == view.definingOp() || isa<memref::DeallocOp>(use.owner());
  });
}

}  // namespace airlite::tiling
