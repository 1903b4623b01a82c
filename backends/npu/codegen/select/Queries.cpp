#include "Queries.hpp"

#include "airlite/dialect/Arith.hpp"
#include "airlite/ir/Attribute.hpp"
#include "airlite/support/UnitFunctions.hpp"

#include <algorithm>

namespace airlite::npu::codegen {

unsigned widthOf(Type type) { return type.isIndex() ? 32 : type.bitWidth(); }

std::optional<RegClass> classOf(Type type) {
  if (type.isa<MemRefType>()) return RegClass::Pointer;
  if (auto vector = type.dynCast<VectorType>()) {
    Type element = vector.elementType();
    bool isLane = element.isF32() || element.isBF16() || element.isInteger(8) ||
                  element.isInteger(16) || element.isInteger(32);
    int64_t bits = isLane ? vector.numElements() * element.bitWidth() : 0;
    bool isSum = element.isInteger(32) || element.isInteger(64);
    int64_t sumBits = isSum ? vector.numElements() * element.bitWidth() : 0;
    // Factors of AIE2P's products of bf16: a row next to two rows of sums, and what becomes blocks.
    if (element.isBF16() && vector.rank() == 2 && bits == 512 && vector.dim(0) == 1)
      return RegClass::VectorPair;
    if (element.isBF16() && bits == 1024) return RegClass::Blocks;
    if (element.isF32() && bits == 2048) return RegClass::Accumulator;
    // Tiles of f32 are sums of the matrix unit.
    if (element.isF32() && vector.rank() == 2 && bits == 512) return RegClass::HalfAccumulator;
    // Of AIE2, of AIE2P (fitsAccumulator).
    if (sumBits == 1024 || sumBits == 2048) return RegClass::Accumulator;
    return bits == 256 || bits == 512 ? std::optional(RegClass::Vector) : std::nullopt;
  }
  if (type.isIndex() || type.isF32() || type.isBF16()) return RegClass::Gpr;
  for (unsigned width : {1u, 8u, 16u, 32u})
    if (type.isInteger(width)) return RegClass::Gpr;
  return std::nullopt;
}

std::optional<RegClass> checkedClass(Operation& op, Type type) {
  std::optional<RegClass> found = classOf(type);
  if (!found)
    op.emitOpError() << "has a value of type " << type << ", for which a core has no register";
  return found;
}

int64_t bytesOf(MemRefType type) {
  auto vector = type.elementType().dynCast<VectorType>();
  int64_t lanes = vector ? vector.numElements() : 1;
  return type.numElements() * lanes * widthOf(elementTypeOrSelf(type.elementType())) / 8;
}

namespace {

std::optional<int32_t> bitsOf(Attribute attr) {
  if (auto number = attr.dynCast<IntegerAttr>()) return static_cast<int32_t>(number.value());
  if (auto number = attr.dynCast<FloatAttr>())
    return static_cast<int32_t>(
        floatToBits(number.type().cast<FloatType>().floatKind(), number.value()));
  return std::nullopt;
}

}  // namespace

std::optional<int32_t> constantBits(Value value) {
  Operation* op = value.definingOp();
  if (!op || !op->is("arith.constant")) return std::nullopt;
  return bitsOf(arith::ConstantOp(op).value());
}

std::optional<int32_t> splatBits(Value vector) {
  Operation* op = vector.definingOp();
  if (!op || !op->is("arith.constant")) return std::nullopt;
  auto lanes = arith::ConstantOp(op).value().dynCast<DenseElementsAttr>();
  return lanes && lanes.isSplat() ? bitsOf(lanes.splatValue()) : std::nullopt;
}

bool isVectorOp(Operation& op) {
  for (Value value : op.operands())
    if (value.type().isa<VectorType>()) return true;
  for (Type type : op.resultTypes())
    if (type.isa<VectorType>()) return true;
  return false;
}

size_t laneIndex(Type vector) {
  unsigned width = elementTypeOrSelf(vector).bitWidth();
  return width == 8 ? 0 : width == 16 ? 1 : 2;
}

unsigned vectorBytes(Type vector) {
  auto type = vector.cast<VectorType>();
  return static_cast<unsigned>(type.numElements()) * type.elementType().bitWidth() / 8;
}

int64_t rowBits(Type type) {
  auto vector = type.dynCast<VectorType>();
  if (!vector || vector.rank() != 1) return 0;
  return vector.numElements() * vector.elementType().bitWidth();
}

bool isFloatRow(Type type) {
  auto vector = type.dynCast<VectorType>();
  return vector && vector.rank() == 1 && vector.elementType().isF32() && vector.numElements() == 16;
}

namespace {

/// Whether the op reads its operand from an accumulator.
bool readsSum(const Operation& op) {
  return op.is("arith.addf") || op.is("arith.subf") || op.is("arith.truncf") || op.is("math.fma") ||
         isUnitFunction(op.name());
}

}  // namespace

RegClass homeOf(Value value) {
  if (!isFloatRow(value.type())) return classOf(value.type()).value_or(RegClass::Gpr);
  const bool isSummed =
      std::ranges::any_of(value.uses(), [](OpOperand& use) { return readsSum(*use.owner()); });
  Operation* maker = value.definingOp();
  const bool isMadeAsSum = maker && (readsSum(*maker) || maker->is("arith.extf"));
  return isSummed || isMadeAsSum ? RegClass::HalfAccumulator : RegClass::Vector;
}

bool isColumnOfTile(const Operation& op) {
  if (!op.is("vector.extract_strided_slice")) return false;
  auto column = op.result().type().dynCast<VectorType>();
  return column && column.rank() == 2 && column.dim(1) == 1;
}

Part halfTaken(Operation& slice) {
  auto offsets = slice.attrOf<ArrayAttr>("offsets");
  return offsets[0].cast<IntegerAttr>().value() ? Part::High : Part::Low;
}

Operation* onlyUser(Value value) {
  if (!value.hasOneUse()) return nullptr;
  Operation* user = (*value.uses().begin()).owner();
  return user->block() == value.parentBlock() ? user : nullptr;
}

}  // namespace airlite::npu::codegen
