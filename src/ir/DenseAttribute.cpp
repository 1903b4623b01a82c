// Attributes that hold many numbers: dense arrays and dense elements.
#include "Uniquing.hpp"
#include "airlite/ir/Attribute.hpp"

#include <bit>
#include <cstring>

namespace airlite {

using namespace detail;

namespace {

const DenseArrayAttrStorage& arrayOf(const DenseArrayAttr& attribute) {
  return *static_cast<const DenseArrayAttrStorage*>(attribute.storage());
}
const DenseElementsAttrStorage& elementsOf(const DenseElementsAttr& attribute) {
  return *static_cast<const DenseElementsAttrStorage*>(attribute.storage());
}

}  // namespace

// ---------------------------------------------------------------------------------------------
// Dense arrays
// ---------------------------------------------------------------------------------------------

namespace {

const AttributeStorage* uniqueDenseArray(Type element, std::span<const int64_t> values) {
  Context& context = element.context();
  Arena& arena = context.impl().arena;
  AttrKind kind = AttrKind::DenseArray;
  return uniqueAttribute<DenseArrayAttrStorage>(
      context, kind, keyOf(kind).add(element).addAll(values).value(),
      [&](const auto& other) { return other.element == element && sameAll(other.values, values); },
      [&] {
        return arena.make<DenseArrayAttrStorage>(AttributeStorage{&context, kind}, element,
                                                 arena.copy(values));
      });
}

}  // namespace

DenseArrayAttr DenseArrayAttr::get(Type element, std::span<const int64_t> values) {
  std::vector<int64_t> wrapped(values.begin(), values.end());
  for (int64_t& value : wrapped)
    value = wrapInteger(element, value);
  return DenseArrayAttr(uniqueDenseArray(element, wrapped));
}

DenseArrayAttr DenseArrayAttr::getFloats(Type element, std::span<const double> values) {
  FloatKind kind = element.isFloat() ? element.cast<FloatType>().floatKind() : FloatKind::F64;
  std::vector<int64_t> bits;
  bits.reserve(values.size());
  for (double value : values)
    bits.push_back(std::bit_cast<int64_t>(roundToFormat(kind, value)));
  return DenseArrayAttr(uniqueDenseArray(element, bits));
}

DenseArrayAttr DenseArrayAttr::getI32(Context& context, std::span<const int32_t> values) {
  std::vector<int64_t> wide(values.begin(), values.end());
  return DenseArrayAttr(uniqueDenseArray(IntegerType::get(context, 32), wide));
}
DenseArrayAttr DenseArrayAttr::getI64(Context& context, std::span<const int64_t> values) {
  return DenseArrayAttr(uniqueDenseArray(IntegerType::get(context, 64), values));
}

Type DenseArrayAttr::elementType() const { return arrayOf(*this).element; }
size_t DenseArrayAttr::size() const { return values().size(); }
std::span<const int64_t> DenseArrayAttr::values() const { return arrayOf(*this).values; }
std::vector<double> DenseArrayAttr::floats() const {
  std::vector<double> result;
  result.reserve(size());
  for (int64_t bits : values())
    result.push_back(std::bit_cast<double>(bits));
  return result;
}

// ---------------------------------------------------------------------------------------------
// Dense elements
// ---------------------------------------------------------------------------------------------

namespace {

static_assert(std::endian::native == std::endian::little, "raw elements are little-endian");

using Bytes = std::span<const std::byte>;

bool allElementsEqual(Bytes raw, size_t size) {
  // Equal neighbours throughout: the data is itself, shifted by one element.
  return raw.size() > size && std::memcmp(raw.data(), raw.data() + size, raw.size() - size) == 0;
}

/// Bits of the last byte of an element that carry nothing; they are kept 0, so that equal values
/// are equal bytes.
std::byte lastByteMask(Type element) {
  unsigned extra = element.isIndex() ? 0 : element.bitWidth() % 8;
  return extra ? static_cast<std::byte>((1u << extra) - 1) : std::byte{0xff};
}

bool needsMasking(Bytes raw, size_t size, std::byte mask) {
  if (mask == std::byte{0xff}) return false;
  for (size_t i = size - 1; i < raw.size(); i += size)
    if ((raw[i] & ~mask) != std::byte{0}) return true;
  return false;
}

const AttributeStorage* uniqueElements(ShapedType type, Bytes raw, bool splat) {
  Context& context = type.context();
  Arena& arena = context.impl().arena;
  AttrKind kind = AttrKind::DenseElements;
  std::string_view text(reinterpret_cast<const char*>(raw.data()), raw.size());
  return uniqueAttribute<DenseElementsAttrStorage>(
      context, kind, keyOf(kind).add(type).add(splat).addText(text).value(),
      [&](const auto& other) {
        return other.type == type && other.splat == splat && sameAll(other.raw, raw);
      },
      [&] {
        return arena.make<DenseElementsAttrStorage>(AttributeStorage{&context, kind}, type,
                                                    arena.copy(raw), splat);
      });
}

uint64_t elementBits(Attribute attribute, Type element) {
  auto integer = attribute.dynCast<IntegerAttr>();
  if (integer) return static_cast<uint64_t>(integer.value());
  return floatToBits(element.cast<FloatType>().floatKind(), attribute.cast<FloatAttr>().value());
}

bool fitsElement(Attribute attribute, Type element) {
  return element.isFloat() ? attribute.isa<FloatAttr>() : attribute.isa<IntegerAttr>();
}

}  // namespace

unsigned DenseElementsAttr::elementSize(Type element) {
  if (element.isIndex()) return 8;
  bool storable = element.isFloat() || (element.isInteger() && element.bitWidth() <= 64);
  return storable ? (element.bitWidth() + 7) / 8 : 0;
}

DenseElementsAttr DenseElementsAttr::getRaw(ShapedType type, Bytes raw) {
  size_t size = elementSize(type.elementType());
  if (size == 0 || !type.hasStaticShape()) return {};
  auto count = static_cast<uint64_t>(type.numElements());
  bool full = raw.size() % size == 0 && raw.size() / size == count;
  if (!full && raw.size() != size) return {};
  std::byte mask = lastByteMask(type.elementType());
  if (needsMasking(raw, size, mask)) {
    std::vector<std::byte> masked(raw.begin(), raw.end());
    for (size_t i = size - 1; i < masked.size(); i += size)
      masked[i] &= mask;
    return getRaw(type, masked);
  }
  bool splat = raw.size() == size || allElementsEqual(raw, size);
  return DenseElementsAttr(uniqueElements(type, splat ? raw.first(size) : raw, splat));
}

DenseElementsAttr DenseElementsAttr::get(ShapedType type, std::span<const Attribute> elements) {
  Type element = type.elementType();
  size_t size = elementSize(element);
  std::vector<std::byte> raw(elements.size() * size);
  for (size_t i = 0; i < elements.size(); ++i) {
    if (!fitsElement(elements[i], element)) return {};
    uint64_t bits = elementBits(elements[i], element);
    std::memcpy(raw.data() + i * size, &bits, size);
  }
  return getRaw(type, raw);
}

ShapedType DenseElementsAttr::type() const { return elementsOf(*this).type; }
Bytes DenseElementsAttr::raw() const { return elementsOf(*this).raw; }
bool DenseElementsAttr::isSplat() const { return elementsOf(*this).splat; }

Attribute DenseElementsAttr::element(int64_t i) const {
  Type type = this->type().elementType();
  size_t size = elementSize(type);
  size_t at = isSplat() ? 0 : static_cast<size_t>(i) * size;
  if (i < 0 || at + size > raw().size()) return {};
  uint64_t bits = 0;
  std::memcpy(&bits, raw().data() + at, size);
  if (!type.isFloat()) return IntegerAttr::get(type, static_cast<int64_t>(bits));
  return FloatAttr::get(type, floatFromBits(type.cast<FloatType>().floatKind(), bits));
}

}  // namespace airlite
