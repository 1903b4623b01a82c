// Types: uniquing and what can be asked of them. Memref layouts stand in MemRefLayout.cpp.
#include "airlite/ir/Type.hpp"

#include "PrintHooks.hpp"
#include "Uniquing.hpp"
#include "airlite/ir/Attribute.hpp"

#include <array>

namespace airlite {

using namespace detail;

namespace {

template <class Storage> const Storage& as(const Type& type) {
  return *static_cast<const Storage*>(type.storage());
}

Type simpleType(Context& context, TypeKind kind) {
  return Type(uniqueType<TypeStorage>(
      context, kind, keyOf(kind).value(), [](const TypeStorage&) { return true; },
      [&] { return context.impl().arena.make<TypeStorage>(&context, kind); }));
}

}  // namespace

// ---------------------------------------------------------------------------------------------
// Questions to any type
// ---------------------------------------------------------------------------------------------

bool Type::isInteger(unsigned width) const {
  return isInteger() && as<IntegerTypeStorage>(*this).width == width;
}
bool Type::isSignlessInteger() const {
  return isInteger() && as<IntegerTypeStorage>(*this).signedness == Signedness::Signless;
}
bool Type::isSignlessInteger(unsigned width) const {
  return isSignlessInteger() && as<IntegerTypeStorage>(*this).width == width;
}

namespace {
bool isFloatKind(Type type, FloatKind kind) {
  return type.isFloat() && as<FloatTypeStorage>(type).floatKind == kind;
}
}  // namespace

bool Type::isF16() const { return isFloatKind(*this, FloatKind::F16); }
bool Type::isBF16() const { return isFloatKind(*this, FloatKind::BF16); }
bool Type::isFloat8() const { return isFloat() && bitWidth() == 8; }
bool Type::isF32() const { return isFloatKind(*this, FloatKind::F32); }
bool Type::isF64() const { return isFloatKind(*this, FloatKind::F64); }

unsigned Type::bitWidth() const {
  if (isIndex()) return 64;
  if (isInteger()) return as<IntegerTypeStorage>(*this).width;
  return isFloat() ? cast<FloatType>().width() : 0;
}

std::string Type::str() const { return storage_ ? printTypeToString(*this) : "<<NULL TYPE>>"; }

// ---------------------------------------------------------------------------------------------
// Scalars
// ---------------------------------------------------------------------------------------------

NoneType NoneType::get(Context& context) {
  Type& cached = context.impl().noneType;
  if (!cached) cached = simpleType(context, TypeKind::None);
  return cached.cast<NoneType>();
}

IndexType IndexType::get(Context& context) {
  Type& cached = context.impl().indexType;
  if (!cached) cached = simpleType(context, TypeKind::Index);
  return cached.cast<IndexType>();
}

namespace {

const TypeStorage* uniqueInteger(Context& context, unsigned width, Signedness signedness) {
  return uniqueType<IntegerTypeStorage>(
      context, TypeKind::Integer, keyOf(TypeKind::Integer).add(width).add(signedness).value(),
      [&](const auto& other) { return other.width == width && other.signedness == signedness; },
      [&] {
        return context.impl().arena.make<IntegerTypeStorage>(
            TypeStorage{&context, TypeKind::Integer}, width, signedness);
      });
}

}  // namespace

IntegerType IntegerType::get(Context& context, unsigned width, Signedness signedness) {
  auto& cache = context.impl().signlessIntegers;
  if (signedness != Signedness::Signless || width >= cache.size())
    return IntegerType(uniqueInteger(context, width, signedness));
  if (!cache[width]) cache[width] = Type(uniqueInteger(context, width, signedness));
  return cache[width].cast<IntegerType>();
}

unsigned IntegerType::width() const { return as<IntegerTypeStorage>(*this).width; }
Signedness IntegerType::signedness() const { return as<IntegerTypeStorage>(*this).signedness; }

namespace {

struct FloatInfo {
  std::string_view name;
  unsigned width;
};

constexpr std::array<FloatInfo, 9> kFloats = {{{"f16", 16},
                                               {"bf16", 16},
                                               {"f32", 32},
                                               {"f64", 64},
                                               {"f8E4M3FN", 8},
                                               {"f8E5M2", 8},
                                               {"tf32", 19},
                                               {"f8E4M3FNUZ", 8},
                                               {"f8E5M2FNUZ", 8}}};

}  // namespace

FloatType FloatType::get(Context& context, FloatKind kind) {
  Type& cached = context.impl().floats[static_cast<size_t>(kind)];
  if (!cached)
    cached = Type(
        context.impl().arena.make<FloatTypeStorage>(TypeStorage{&context, TypeKind::Float}, kind));
  return cached.cast<FloatType>();
}

FloatKind FloatType::floatKind() const { return as<FloatTypeStorage>(*this).floatKind; }
unsigned FloatType::width() const { return kFloats[static_cast<size_t>(floatKind())].width; }
std::string_view FloatType::name(FloatKind kind) { return kFloats[static_cast<size_t>(kind)].name; }

std::optional<FloatKind> FloatType::parseName(std::string_view name) {
  for (size_t i = 0; i < kFloats.size(); ++i)
    if (kFloats[i].name == name) return static_cast<FloatKind>(i);
  return std::nullopt;
}

// ---------------------------------------------------------------------------------------------
// Function, tuple, complex
// ---------------------------------------------------------------------------------------------

namespace {

const TypeStorage* uniqueTypeList(Context& context, TypeKind kind, std::span<const Type> inputs,
                                  std::span<const Type> results) {
  Arena& arena = context.impl().arena;
  return uniqueType<TypeListStorage>(
      context, kind, keyOf(kind).addAll(inputs).addAll(results).value(),
      [&](const auto& other) {
        return sameAll(other.inputs, inputs) && sameAll(other.results, results);
      },
      [&] {
        return arena.make<TypeListStorage>(TypeStorage{&context, kind}, arena.copy(inputs),
                                           arena.copy(results));
      });
}

}  // namespace

FunctionType FunctionType::get(Context& context, std::span<const Type> inputs,
                               std::span<const Type> results) {
  return FunctionType(uniqueTypeList(context, TypeKind::Function, inputs, results));
}
std::span<const Type> FunctionType::inputs() const { return as<TypeListStorage>(*this).inputs; }
std::span<const Type> FunctionType::results() const { return as<TypeListStorage>(*this).results; }

TupleType TupleType::get(Context& context, std::span<const Type> types) {
  return TupleType(uniqueTypeList(context, TypeKind::Tuple, types, {}));
}
std::span<const Type> TupleType::types() const { return as<TypeListStorage>(*this).inputs; }

// ---------------------------------------------------------------------------------------------
// Shaped types
// ---------------------------------------------------------------------------------------------

namespace {

const TypeStorage* uniqueShaped(TypeKind kind, Type element, bool ranked,
                                std::span<const int64_t> shape, Attribute layout = {},
                                Attribute extra = {}) {
  Context& context = element.context();
  Arena& arena = context.impl().arena;
  return uniqueType<ShapedTypeStorage>(
      context, kind, keyOf(kind).add(element).addAll(shape).add(layout).add(extra).value(),
      [&](const auto& other) {
        return other.element == element && other.layout == layout && other.extra == extra &&
               sameAll(other.shape, shape);
      },
      [&] {
        return arena.make<ShapedTypeStorage>(TypeStorage{&context, kind}, element, ranked,
                                             arena.copy(shape), layout, extra);
      });
}

}  // namespace

ComplexType ComplexType::get(Context&, Type element) {
  return ComplexType(uniqueShaped(TypeKind::Complex, element, false, {}));
}
Type ComplexType::elementType() const { return as<ShapedTypeStorage>(*this).element; }

Type ShapedType::elementType() const { return as<ShapedTypeStorage>(*this).element; }
bool ShapedType::hasRank() const { return as<ShapedTypeStorage>(*this).ranked; }
std::span<const int64_t> ShapedType::shape() const { return as<ShapedTypeStorage>(*this).shape; }
bool ShapedType::hasStaticShape() const { return hasRank() && numDynamicDims() == 0; }

unsigned ShapedType::numDynamicDims() const {
  std::span<const int64_t> dims = shape();
  return static_cast<unsigned>(std::count(dims.begin(), dims.end(), kDynamic));
}

int64_t ShapedType::numElements() const {
  std::span<const int64_t> dims = shape();
  if (std::find(dims.begin(), dims.end(), 0) != dims.end()) return 0;
  int64_t product = 1;
  for (int64_t dim : dims)
    if (__builtin_mul_overflow(product, dim, &product)) return std::numeric_limits<int64_t>::max();
  return product;
}

namespace {

ShapedType cloneMemRef(MemRefType type, std::span<const int64_t> shape, Type element) {
  bool sameShape = sameAll(type.shape(), shape);
  return MemRefType::get(type.context(), shape, element, sameShape ? type.layout() : Attribute(),
                         type.memorySpace());
}

ShapedType cloneUnranked(ShapedType type, Type element) {
  if (type.kind() == TypeKind::UnrankedTensor)
    return UnrankedTensorType::get(type.context(), element);
  return UnrankedMemRefType::get(type.context(), element, memorySpaceOf(type));
}

}  // namespace

ShapedType ShapedType::cloneWith(std::optional<std::span<const int64_t>> shape,
                                 Type element) const {
  if (!shape && !hasRank()) return cloneUnranked(*this, element);
  std::span<const int64_t> dims = shape ? *shape : this->shape();
  switch (kind()) {
    case TypeKind::Vector: return VectorType::get(context(), dims, element);
    case TypeKind::UnrankedTensor: return RankedTensorType::get(context(), dims, element);
    case TypeKind::RankedTensor:
      return RankedTensorType::get(context(), dims, element, cast<RankedTensorType>().encoding());
    case TypeKind::UnrankedMemRef:
      return MemRefType::get(context(), dims, element, {}, memorySpaceOf(*this));
    default: return cloneMemRef(cast<MemRefType>(), dims, element);
  }
}

VectorType VectorType::get(Context&, std::span<const int64_t> shape, Type element) {
  return VectorType(uniqueShaped(TypeKind::Vector, element, true, shape));
}

RankedTensorType RankedTensorType::get(Context&, std::span<const int64_t> shape, Type element,
                                       Attribute encoding) {
  return RankedTensorType(uniqueShaped(TypeKind::RankedTensor, element, true, shape, {}, encoding));
}
RankedTensorType RankedTensorType::get(Context& context, std::span<const int64_t> shape,
                                       Type element) {
  return get(context, shape, element, {});
}
Attribute RankedTensorType::encoding() const { return as<ShapedTypeStorage>(*this).extra; }

UnrankedTensorType UnrankedTensorType::get(Context&, Type element) {
  return UnrankedTensorType(uniqueShaped(TypeKind::UnrankedTensor, element, false, {}));
}

namespace {

bool isIdentityMap(Attribute layout, size_t rank) {
  auto map = layout.dynCast<AffineMapAttr>();
  return map && map.value().numDims() == rank && map.value().isIdentity();
}

// MLIR takes the integer 0 for the default space and never prints it.
Attribute withoutDefaultSpace(Attribute space) {
  auto number = space.dynCast<IntegerAttr>();
  return number && number.value() == 0 ? Attribute() : space;
}

}  // namespace

MemRefType MemRefType::get(Context&, std::span<const int64_t> shape, Type element, Attribute layout,
                           Attribute memorySpace) {
  if (isIdentityMap(layout, shape.size())) layout = {};
  return MemRefType(uniqueShaped(TypeKind::MemRef, element, true, shape, layout,
                                 withoutDefaultSpace(memorySpace)));
}
MemRefType MemRefType::get(Context& context, std::span<const int64_t> shape, Type element) {
  return get(context, shape, element, {}, {});
}
Attribute MemRefType::layout() const { return as<ShapedTypeStorage>(*this).layout; }
Attribute MemRefType::memorySpace() const { return as<ShapedTypeStorage>(*this).extra; }
MemRefType MemRefType::withMemorySpace(Attribute space) const {
  return get(context(), shape(), elementType(), layout(), space);
}
MemRefType MemRefType::withLayout(Attribute layout) const {
  return get(context(), shape(), elementType(), layout, memorySpace());
}

UnrankedMemRefType UnrankedMemRefType::get(Context&, Type element, Attribute memorySpace) {
  return UnrankedMemRefType(uniqueShaped(TypeKind::UnrankedMemRef, element, false, {}, {},
                                         withoutDefaultSpace(memorySpace)));
}
Attribute UnrankedMemRefType::memorySpace() const { return as<ShapedTypeStorage>(*this).extra; }

Attribute memorySpaceOf(Type memref) {
  bool isMemRef = memref.isa<MemRefType>() || memref.isa<UnrankedMemRefType>();
  return isMemRef ? as<ShapedTypeStorage>(memref).extra : Attribute();
}

Type elementTypeOrSelf(Type type) {
  auto shaped = type.dynCast<ShapedType>();
  return shaped ? shaped.elementType() : type;
}

// ---------------------------------------------------------------------------------------------
// Types of dialects
// ---------------------------------------------------------------------------------------------

DialectType DialectType::get(Context& context, const DialectTypeDef& def,
                             std::span<const Attribute> parameters) {
  Arena& arena = context.impl().arena;
  return DialectType(uniqueType<DialectTypeStorage>(
      context, TypeKind::Dialect, keyOf(TypeKind::Dialect).add(&def).addAll(parameters).value(),
      [&](const auto& other) { return other.def == &def && sameAll(other.parameters, parameters); },
      [&] {
        return arena.make<DialectTypeStorage>(TypeStorage{&context, TypeKind::Dialect}, &def,
                                              arena.copy(parameters));
      }));
}

DialectType DialectType::get(Context& context, std::string_view name) {
  const DialectTypeDef* def = context.findType(name);
  return def ? get(context, *def, {}) : DialectType();
}

const DialectTypeDef& DialectType::def() const { return *as<DialectTypeStorage>(*this).def; }
std::span<const Attribute> DialectType::parameters() const {
  return as<DialectTypeStorage>(*this).parameters;
}
std::string_view DialectType::name() const { return def().name; }

OpaqueType OpaqueType::get(Context& context, std::string_view text) {
  Arena& arena = context.impl().arena;
  return OpaqueType(uniqueType<OpaqueTypeStorage>(
      context, TypeKind::Opaque, keyOf(TypeKind::Opaque).addText(text).value(),
      [&](const auto& other) { return other.text == text; },
      [&] {
        return arena.make<OpaqueTypeStorage>(TypeStorage{&context, TypeKind::Opaque},
                                             arena.copy(text));
      }));
}
std::string_view OpaqueType::text() const { return as<OpaqueTypeStorage>(*this).text; }

bool isDialectType(Type type, std::string_view name) {
  return type.isa<DialectType>() && type.cast<DialectType>().name() == name;
}

}  // namespace airlite
