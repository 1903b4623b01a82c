#include "airlite/host/ArgLayout.hpp"

#include "airlite/ir/Attribute.hpp"

namespace airlite {
namespace {

bool isPassableFloat(Type type) {
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64() || type.isFloat8();
}

bool isPassableScalar(Type type) {
  if (type.isIndex() || isPassableFloat(type)) return true;
  return type.isInteger() && type.bitWidth() <= 64;
}

/// Bytes of a scalar in memory: the next power of two.
unsigned bytesInMemory(unsigned bits) {
  unsigned bytes = 1;
  while (bytes * 8 < bits)
    bytes *= 2;
  return bytes;
}

ArgLayout layoutOfScalar(Type type) {
  ArgLayout layout;
  layout.type = layout.elementType = type.str();
  layout.kind = type.isIndex()   ? ArgKind::Index
                : type.isFloat() ? ArgKind::Float
                                 : ArgKind::Integer;
  layout.elementBits = type.bitWidth();
  layout.elementBytes = bytesInMemory(layout.elementBits);
  layout.slots.push_back({SlotKind::Scalar, 0, 0, layout.elementBytes});
  return layout;
}

void addOpenSlots(ArgLayout& layout, SlotKind kind, const std::vector<std::int64_t>& values) {
  for (unsigned i = 0; i < values.size(); ++i)
    if (values[i] == kDynamic) layout.slots.push_back({kind, i, 0, 8});
}

/// Of a memref element that is a vector: one number after the other.
void describeElement(Type element, ArgLayout& layout) {
  const auto vector = element.dynCast<VectorType>();
  const Type number = vector ? vector.elementType() : element;
  layout.elementType = element.str();
  layout.elementBits = number.bitWidth();
  layout.elementBytes = bytesInMemory(layout.elementBits);
  if (vector) layout.elementBytes *= static_cast<unsigned>(vector.numElements());
}

ArgLayout layoutOfMemRef(MemRefType type) {
  const auto form = type.stridedForm();
  if (!form || !isPassableScalar(elementTypeOrSelf(type.elementType()))) return {};
  ArgLayout layout;
  layout.kind = ArgKind::MemRef;
  describeElement(type.elementType(), layout);
  layout.shape.assign(type.shape().begin(), type.shape().end());
  layout.strides = form->strides;
  layout.offset = form->offset;
  layout.slots.push_back({SlotKind::Pointer, 0, 0, 8});
  if (form->offset == kDynamic) layout.slots.push_back({SlotKind::Offset, 0, 0, 8});
  addOpenSlots(layout, SlotKind::Size, layout.shape);
  addOpenSlots(layout, SlotKind::Stride, layout.strides);
  return layout;
}

}  // namespace

ArgLayout layoutOfArgument(Type type) {
  if (isPassableScalar(type)) return layoutOfScalar(type);
  const auto memref = type.dynCast<MemRefType>();
  ArgLayout layout = memref ? layoutOfMemRef(memref) : ArgLayout();
  layout.type = type.str();
  return layout;
}

}  // namespace airlite
