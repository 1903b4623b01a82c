// Slots, memory and their elements (see Value.hpp).
#include "Value.hpp"

#include <bit>
#include <cstring>

namespace airlite::interp {

void destroyObject(SlotKind kind, Object* object) {
  switch (kind) {
    case SlotKind::View: delete static_cast<View*>(object); break;
    case SlotKind::Array: delete static_cast<Array*>(object); break;
    case SlotKind::Pending: delete static_cast<Box*>(object); break;
    default: break;
  }
}

ElementLayout layoutOf(Type element) {
  ElementLayout layout;
  Type number = element;
  if (auto vector = element.dynCast<VectorType>()) {
    if (!vector.hasStaticShape() || vector.numElements() > kMaxLanes) return layout;
    layout.isVector = true;
    layout.lanes = static_cast<uint32_t>(vector.numElements());
    number = vector.elementType();
  }
  if (!number.isIntOrIndexOrFloat() || number.bitWidth() > 64) return layout;
  unsigned width = number.bitWidth();
  layout.bytes = std::bit_ceil((width + 7) / 8);
  layout.mask = width >= 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
  return layout;
}

Lane loadLane(const Memory& memory, size_t at, uint32_t bytes) {
  const std::byte* from = memory.data.data() + at;
  const uint8_t* known = memory.known.data() + at;
  Lane lane;
  std::memcpy(&lane.bits, from, bytes);
  for (uint32_t i = 0; i < bytes; ++i)
    if (!known[i]) lane.origin = 1;
  return lane;
}

void storeLane(Memory& memory, size_t at, uint32_t bytes, Lane lane) {
  uint64_t bits = lane.origin ? 0 : lane.bits;
  std::memcpy(memory.data.data() + at, &bits, bytes);
  std::memset(memory.known.data() + at, lane.origin ? 0 : 1, bytes);
}

std::vector<int64_t> rowMajorStrides(const std::vector<int64_t>& sizes) {
  std::vector<int64_t> strides(sizes.size(), 1);
  for (size_t i = sizes.size(); i-- > 1;)
    strides[i - 1] = strides[i] * std::max<int64_t>(sizes[i], 1);
  return strides;
}

int64_t product(const std::vector<int64_t>& sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) {
    if (size <= 0) return 0;
    if (__builtin_mul_overflow(count, size, &count)) return INT64_MAX;
  }
  return count;
}

// -- The public side ------------------------------------------------------------------------------

unsigned elementBytes(Type element) { return layoutOf(element).stride(); }

MemRef allocate(MemRefType type, std::span<const int64_t> sizes) {
  MemRef memref;
  size_t next = 0;
  for (int64_t size : type.shape())
    memref.sizes.push_back(size == kDynamic ? sizes[next++] : size);
  memref.strides = rowMajorStrides(memref.sizes);
  auto bytes = static_cast<size_t>(product(memref.sizes)) * elementBytes(type.elementType());
  memref.memory = std::make_shared<Memory>();
  memref.memory->data.resize(bytes);
  memref.memory->known.resize(bytes);
  return memref;
}

size_t numElements(const MemRef& memref) { return static_cast<size_t>(product(memref.sizes)); }

static size_t addressOf(const MemRef& memref, size_t i) {
  int64_t at = memref.offset;
  for (size_t d = memref.sizes.size(); d-- > 0;) {
    auto size = static_cast<size_t>(memref.sizes[d]);
    at += static_cast<int64_t>(i % size) * memref.strides[d];
    i /= size;
  }
  return static_cast<size_t>(at);
}

Scalar readElement(const MemRef& memref, Type element, size_t i) {
  uint32_t bytes = layoutOf(element).bytes;
  Lane lane = loadLane(*memref.memory, addressOf(memref, i) * bytes, bytes);
  return {lane.bits, lane.origin != 0};
}

void writeElement(const MemRef& memref, Type element, size_t i, Scalar value) {
  uint32_t bytes = layoutOf(element).bytes;
  Lane lane{value.bits, value.poison ? uint64_t(1) : 0};
  storeLane(*memref.memory, addressOf(memref, i) * bytes, bytes, lane);
}

}  // namespace airlite::interp
