// Evaluation of constants element by element (see the header).
#include "ConstantFolding.hpp"

#include <cmath>
#include <cstring>
#include <limits>

namespace airlite::folding {

namespace {

bool isStorable(Type element) {
  return element.isFloat() || (element.isIntOrIndex() && element.bitWidth() <= 64);
}

uint64_t scalarBits(Attribute constant) {
  if (auto integer = constant.dynCast<IntegerAttr>()) return integer.zext();
  auto number = constant.cast<FloatAttr>();
  return floatToBits(number.type().cast<FloatType>().floatKind(), number.value());
}

Attribute scalarOf(Type type, uint64_t bits) {
  if (type.isFloat()) return FloatAttr::get(type, toDouble(type, bits));
  return IntegerAttr::get(type, signExtend(bits, type.bitWidth()));
}

void appendElement(std::vector<std::byte>& raw, uint64_t bits, unsigned size) {
  for (unsigned i = 0; i < size; ++i)
    raw.push_back(static_cast<std::byte>(bits >> (8 * i)));
}

/// The constants of a fold, or nothing when one is missing.
bool readAll(Constants operands, std::vector<ConstantBits>& constants) {
  for (Attribute operand : operands) {
    std::optional<ConstantBits> bits = ConstantBits::get(operand);
    if (!bits) return false;
    constants.push_back(*bits);
  }
  return !constants.empty();
}

bool allSplat(const std::vector<ConstantBits>& constants) {
  for (const ConstantBits& constant : constants)
    if (!constant.isSplat()) return false;
  return true;
}

std::optional<uint64_t> elementAt(const std::vector<ConstantBits>& constants, int64_t i,
                                  ElementFn element) {
  std::vector<uint64_t> bits;
  for (const ConstantBits& constant : constants)
    bits.push_back(constant.at(i));
  return element(bits);
}

}  // namespace

std::optional<ConstantBits> ConstantBits::get(Attribute constant) {
  ConstantBits bits;
  if (!constant) return std::nullopt;
  if (auto dense = constant.dynCast<DenseElementsAttr>()) {
    if (dense.raw().empty()) return std::nullopt;
    bits.dense_ = dense;
    bits.element_ = dense.type().elementType();
    return isStorable(bits.element_) ? std::optional(bits) : std::nullopt;
  }
  if (!constant.isa<IntegerAttr>() && !constant.isa<FloatAttr>()) return std::nullopt;
  bits.element_ = attributeType(constant);
  if (!isStorable(bits.element_)) return std::nullopt;
  bits.scalar_ = scalarBits(constant);
  return bits;
}

uint64_t ConstantBits::at(int64_t i) const {
  if (isScalar()) return scalar_;
  unsigned size = DenseElementsAttr::elementSize(element_);
  std::span<const std::byte> raw = dense_.raw();
  size_t start = dense_.isSplat() ? 0 : static_cast<size_t>(i) * size;
  uint64_t bits = 0;
  for (unsigned k = 0; k < size; ++k)
    bits |= static_cast<uint64_t>(raw[start + k]) << (8 * k);
  return bits & maskOf(element_.bitWidth());
}

std::optional<uint64_t> intSplat(Attribute constant) {
  std::optional<ConstantBits> bits = ConstantBits::get(constant);
  if (!bits || !bits->isSplat() || bits->elementType().isFloat()) return std::nullopt;
  return bits->at(0);
}

std::optional<double> floatSplat(Attribute constant) {
  std::optional<ConstantBits> bits = ConstantBits::get(constant);
  if (!bits || !bits->isSplat() || !bits->elementType().isFloat()) return std::nullopt;
  return toDouble(bits->elementType(), bits->at(0));
}

bool isIntSplat(Attribute constant, int64_t value) {
  std::optional<uint64_t> bits = intSplat(constant);
  if (!bits) return false;
  unsigned width = ConstantBits::get(constant)->elementType().bitWidth();
  return *bits == (static_cast<uint64_t>(value) & maskOf(width));
}

bool isFloatSplat(Attribute constant, double value) {
  std::optional<double> number = floatSplat(constant);
  return number && *number == value && std::signbit(*number) == std::signbit(value);
}

Attribute splatOf(Type type, uint64_t bits) {
  auto shaped = type.dynCast<ShapedType>();
  if (!shaped) return type.isIntOrIndexOrFloat() ? scalarOf(type, bits) : Attribute();
  Type element = shaped.elementType();
  if (type.isa<MemRefType>() || type.isa<UnrankedMemRefType>() || !shaped.hasStaticShape())
    return {};
  unsigned size = isStorable(element) ? DenseElementsAttr::elementSize(element) : 0;
  if (size == 0) return {};
  std::vector<std::byte> raw;
  appendElement(raw, bits & maskOf(element.bitWidth()), size);
  return DenseElementsAttr::getRaw(shaped, raw);
}

Attribute floatSplatOf(Type type, double value) {
  return splatOf(type, fromDouble(elementTypeOrSelf(type), value));
}

bool isPoison(Attribute constant) {
  auto attribute = constant.dynCast<DialectAttr>();
  return attribute && attribute.name() == "ub.poison";
}

Attribute poisonAttr(Context& context) {
  const DialectAttrDef* def = context.findAttr("ub.poison");
  return def ? DialectAttr::get(context, *def, {}) : Attribute();
}

double toDouble(Type floatType, uint64_t bits) {
  return floatFromBits(floatType.cast<FloatType>().floatKind(), bits);
}

uint64_t fromDouble(Type floatType, double value) {
  if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
  FloatKind kind = floatType.cast<FloatType>().floatKind();
  return floatToBits(kind, roundToFormat(kind, value));
}

Attribute mapElements(Type resultType, Constants operands, ElementFn element) {
  std::vector<ConstantBits> constants;
  if (!readAll(operands, constants)) return {};
  if (allSplat(constants)) {
    std::optional<uint64_t> bits = elementAt(constants, 0, element);
    return bits ? splatOf(resultType, *bits) : Attribute();
  }
  auto shaped = resultType.dynCast<ShapedType>();
  if (!shaped || !shaped.hasStaticShape()) return {};
  unsigned size = DenseElementsAttr::elementSize(shaped.elementType());
  uint64_t mask = maskOf(shaped.elementType().bitWidth());
  std::vector<std::byte> raw;
  for (int64_t i = 0, end = shaped.numElements(); i < end; ++i) {
    std::optional<uint64_t> bits = elementAt(constants, i, element);
    if (!bits) return {};
    appendElement(raw, *bits & mask, size);
  }
  return DenseElementsAttr::getRaw(shaped, raw);
}

LogicalResult foldElements(Operation& op, Constants operands, Results& results, ElementFn element) {
  for (Attribute operand : operands)
    if (operand && isPoison(operand)) return foldTo(results, operand);
  return foldTo(results, mapElements(op.result(0).type(), operands, element));
}

bool moveConstantRight(Operation& op, Constants operands) {
  if (!operands[0] || operands[1]) return false;
  Value lhs = op.operand(0);
  op.setOperand(0, op.operand(1));
  op.setOperand(1, lhs);
  return true;
}

}  // namespace airlite::folding
