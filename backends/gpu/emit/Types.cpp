// Types and constants of the emitted module.
#include "ModuleEmitter.hpp"
#include "airlite/ir/Attribute.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Module.h>

namespace airlite::gpu {
namespace {

constexpr int64_t kMaxVectorElements = 4096;

bool isNumber(Type type) {
  if (type.isIndex() || type.isF16() || type.isBF16() || type.isF32() || type.isF64()) return true;
  if (type.isFloat8()) return true;
  return type.isInteger() && type.bitWidth() <= 64;
}

llvm::Type* convertNumber(Type type, llvm::LLVMContext& context) {
  if (type.isF16()) return llvm::Type::getHalfTy(context);
  if (type.isBF16()) return llvm::Type::getBFloatTy(context);
  if (type.isF32()) return llvm::Type::getFloatTy(context);
  if (type.isF64()) return llvm::Type::getDoubleTy(context);
  return llvm::Type::getIntNTy(context, type.bitWidth());
}

unsigned bytesOf(Type number) {
  unsigned bytes = 1;
  while (bytes * 8 < number.bitWidth())
    bytes *= 2;
  return bytes;
}

/// What one element of an attribute is in the form of a number type.
llvm::Constant* numberConstant(Attribute value, llvm::Type* type) {
  if (auto integer = value.dynCast<IntegerAttr>())
    return llvm::ConstantInt::get(type, integer.zext());
  const auto real = value.cast<FloatAttr>();
  if (!real.type().isFloat8()) return llvm::ConstantFP::get(type, real.value());
  return llvm::ConstantInt::get(
      type, floatToBits(real.type().cast<FloatType>().floatKind(), real.value()));
}

llvm::Constant* denseConstant(DenseElementsAttr dense, llvm::Type* number, unsigned count) {
  if (dense.isSplat())
    return llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(count),
                                          numberConstant(dense.splatValue(), number));
  std::vector<llvm::Constant*> elements;
  for (unsigned i = 0; i < count; ++i)
    elements.push_back(numberConstant(dense.element(i), number));
  return llvm::ConstantVector::get(elements);
}

std::optional<unsigned> kernelSpace(Attribute space) {
  if (!space) return 1;
  if (auto number = space.dynCast<IntegerAttr>()) {
    if (number.value() == 0) return 1;
    if (number.value() == 3 || number.value() == 5) return static_cast<unsigned>(number.value());
    return std::nullopt;
  }
  const auto named = space.dynCast<DialectAttr>();
  if (!named || named.name() != "gpu.address_space") return std::nullopt;
  const auto keyword = named.keyword();
  return keyword == "workgroup" ? 3 : keyword == "private" ? 5 : 1;
}

}  // namespace

std::optional<unsigned> ModuleEmitter::addressSpace(MemRefType memref) const {
  return place_ == Place::Host ? 0 : kernelSpace(memref.memorySpace());
}

llvm::Type* ModuleEmitter::convert(Type type) const {
  auto* number = convertNumber(elementTypeOrSelf(type), context_);
  const auto vector = type.dynCast<VectorType>();
  if (!vector) return number;
  return llvm::FixedVectorType::get(number, static_cast<unsigned>(vector.numElements()));
}

llvm::Type* ModuleEmitter::inMemory(Type type) const {
  auto* registers = convert(type);
  if (elementTypeOrSelf(type).isFloat()) return registers;
  return registers->getWithNewBitWidth(alignmentOf(type) * 8);
}

unsigned ModuleEmitter::alignmentOf(Type type) const { return bytesOf(elementTypeOrSelf(type)); }

std::string ModuleEmitter::obstacle(Type type) const {
  if (isNumber(type)) return {};
  if (place_ == Place::Host && isDialectType(type, "gpu.async.token")) return {};
  const auto unknown = "values of type " + type.str();
  if (auto vector = type.dynCast<VectorType>()) {
    if (!isNumber(vector.elementType())) return unknown;
    const auto count = vector.numElements();
    if (count < 1 || count > kMaxVectorElements)
      return unknown + ", a vector has 1 to " + std::to_string(kMaxVectorElements) + " elements";
    return {};
  }
  const auto memref = type.dynCast<MemRefType>();
  if (!memref) return unknown;
  if (!memref.stridedForm()) return unknown + ", its layout has no strides";
  if (!addressSpace(memref)) return unknown + ", a kernel has memory spaces 0, 3 and 5";
  return memref.elementType().isa<MemRefType>() ? unknown : obstacle(memref.elementType());
}

static void addOpenTypes(std::span<const int64_t> known, llvm::Type* type,
                         std::vector<llvm::Type*>& into) {
  for (int64_t value : known)
    if (value == kDynamic) into.push_back(type);
}

void ModuleEmitter::slotTypes(Type type, std::vector<llvm::Type*>& into) const {
  if (type.isa<DialectType>()) return;
  const auto memref = type.dynCast<MemRefType>();
  if (!memref) return into.push_back(convert(type));
  const auto form = memref.stridedForm();
  auto* i64 = llvm::Type::getInt64Ty(context_);
  into.push_back(llvm::PointerType::get(context_, *addressSpace(memref)));
  addOpenTypes({&form->offset, 1}, i64, into);
  addOpenTypes(memref.shape(), i64, into);
  addOpenTypes(form->strides, i64, into);
}

llvm::Constant* ModuleEmitter::constant(Attribute value, Type type) const {
  auto* converted = convert(type);
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(converted);
  if (value.isa<DenseElementsAttr>() && vector)
    return denseConstant(value.cast<DenseElementsAttr>(), vector->getElementType(),
                         vector->getNumElements());
  if (vector || !(value.isa<IntegerAttr>() || value.isa<FloatAttr>())) return nullptr;
  return numberConstant(value, converted);
}

}  // namespace airlite::gpu
