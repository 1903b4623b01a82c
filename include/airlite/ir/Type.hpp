// Types: pointer-sized handles to immutable values that are unique in their Context, so equality
// is pointer equality.
//
//   if (auto memref = type.dynCast<MemRefType>())
//     if (memref.rank() == 1 && memref.elementType().isF32()) use(memref);
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace airlite {

class Attribute;
class Context;
struct DialectTypeDef;

enum class TypeKind : uint8_t {
  None,
  Index,
  Integer,
  Float,
  Function,
  Tuple,
  Complex,
  Vector,
  RankedTensor,
  UnrankedTensor,
  MemRef,
  UnrankedMemRef,
  Dialect,
  Opaque,
};

namespace detail {
struct TypeStorage {
  Context* context;
  TypeKind kind;
};
struct AttributeStorage;
}  // namespace detail

/// The size of a dimension, a stride or an offset that is only known at run time (`?`).
inline constexpr int64_t kDynamic = std::numeric_limits<int64_t>::min();

class Type {
 public:
  Type() = default;
  explicit Type(const detail::TypeStorage* storage) : storage_(storage) {}

  explicit operator bool() const { return storage_ != nullptr; }
  bool operator==(const Type&) const = default;

  TypeKind kind() const { return storage_->kind; }
  Context& context() const { return *storage_->context; }
  const detail::TypeStorage* storage() const { return storage_; }

  template <class T> bool isa() const { return storage_ && T::classof(*this); }
  /// The type as a `T`; it must be one.
  template <class T> T cast() const { return T(storage_); }
  /// The type as a `T`, or a null handle.
  template <class T> T dynCast() const { return isa<T>() ? T(storage_) : T(); }

  bool isIndex() const { return storage_ && kind() == TypeKind::Index; }
  bool isInteger() const { return storage_ && kind() == TypeKind::Integer; }
  bool isInteger(unsigned width) const;
  bool isSignlessInteger() const;
  bool isSignlessInteger(unsigned width) const;
  bool isFloat() const { return storage_ && kind() == TypeKind::Float; }
  bool isF16() const;
  bool isBF16() const;
  bool isF32() const;
  bool isF64() const;
  /// One of the four floats of eight bits.
  bool isFloat8() const;
  bool isIntOrIndex() const { return isInteger() || isIndex(); }
  bool isIntOrIndexOrFloat() const { return isIntOrIndex() || isFloat(); }
  /// Bits of an integer or float; 64 for index.
  unsigned bitWidth() const;

  /// As the text form prints it, without aliases.
  std::string str() const;

 protected:
  const detail::TypeStorage* storage_ = nullptr;
};

class NoneType : public Type {
 public:
  using Type::Type;
  static NoneType get(Context& context);
  static bool classof(Type t) { return t.kind() == TypeKind::None; }
};

class IndexType : public Type {
 public:
  using Type::Type;
  static IndexType get(Context& context);
  static bool classof(Type t) { return t.kind() == TypeKind::Index; }
};

enum class Signedness : uint8_t { Signless, Signed, Unsigned };

class IntegerType : public Type {
 public:
  using Type::Type;
  /// 1 to kMaxWidth bits. Attributes hold values of up to 64 bits.
  static constexpr unsigned kMaxWidth = (1u << 24) - 1;
  static IntegerType get(Context& context, unsigned width,
                         Signedness signedness = Signedness::Signless);
  static bool classof(Type t) { return t.kind() == TypeKind::Integer; }
  unsigned width() const;
  Signedness signedness() const;
};

enum class FloatKind : uint8_t {
  F16,
  BF16,
  F32,
  F64,
  F8E4M3FN,
  F8E5M2,
  TF32,
  F8E4M3FNUZ,
  F8E5M2FNUZ
};

class FloatType : public Type {
 public:
  using Type::Type;
  static FloatType get(Context& context, FloatKind kind);
  static bool classof(Type t) { return t.kind() == TypeKind::Float; }
  FloatKind floatKind() const;
  unsigned width() const;
  static std::string_view name(FloatKind kind);
  static std::optional<FloatKind> parseName(std::string_view name);
};

class FunctionType : public Type {
 public:
  using Type::Type;
  static FunctionType get(Context& context, std::span<const Type> inputs,
                          std::span<const Type> results);
  static bool classof(Type t) { return t.kind() == TypeKind::Function; }
  std::span<const Type> inputs() const;
  std::span<const Type> results() const;
};

class TupleType : public Type {
 public:
  using Type::Type;
  static TupleType get(Context& context, std::span<const Type> types);
  static bool classof(Type t) { return t.kind() == TypeKind::Tuple; }
  std::span<const Type> types() const;
};

class ComplexType : public Type {
 public:
  using Type::Type;
  static ComplexType get(Context& context, Type element);
  static bool classof(Type t) { return t.kind() == TypeKind::Complex; }
  Type elementType() const;
};

/// Vector, tensor or memref: what has an element type and, when ranked, a shape.
class ShapedType : public Type {
 public:
  using Type::Type;
  static bool classof(Type t) {
    return t.kind() >= TypeKind::Vector && t.kind() <= TypeKind::UnrankedMemRef;
  }
  Type elementType() const;
  bool hasRank() const;
  /// Empty when unranked or of rank 0; kDynamic stands for `?`.
  std::span<const int64_t> shape() const;
  int64_t rank() const { return static_cast<int64_t>(shape().size()); }
  int64_t dim(size_t i) const { return shape()[i]; }
  bool isDynamicDim(size_t i) const { return shape()[i] == kDynamic; }
  bool hasStaticShape() const;
  unsigned numDynamicDims() const;
  /// Product of the sizes; the shape must be static. Saturates at INT64_MAX.
  int64_t numElements() const;
  /// The same kind of type with another shape and/or element type (a memref keeps its memory
  /// space and drops its layout when the shape changes).
  ShapedType cloneWith(std::optional<std::span<const int64_t>> shape, Type element) const;
};

class VectorType : public ShapedType {
 public:
  using ShapedType::ShapedType;
  static VectorType get(Context& context, std::span<const int64_t> shape, Type element);
  static bool classof(Type t) { return t.kind() == TypeKind::Vector; }
};

class RankedTensorType : public ShapedType {
 public:
  using ShapedType::ShapedType;
  static RankedTensorType get(Context& context, std::span<const int64_t> shape, Type element,
                              Attribute encoding);
  static RankedTensorType get(Context& context, std::span<const int64_t> shape, Type element);
  static bool classof(Type t) { return t.kind() == TypeKind::RankedTensor; }
  Attribute encoding() const;
};

class UnrankedTensorType : public ShapedType {
 public:
  using ShapedType::ShapedType;
  static UnrankedTensorType get(Context& context, Type element);
  static bool classof(Type t) { return t.kind() == TypeKind::UnrankedTensor; }
};

/// Strides and offset of a memref in elements; kDynamic where unknown.
struct StridedForm {
  std::vector<int64_t> strides;
  int64_t offset = 0;
};

class MemRefType : public ShapedType {
 public:
  using ShapedType::ShapedType;
  /// `layout` is null (row-major), a StridedLayoutAttr or an AffineMapAttr; an identity map is
  /// dropped. `memorySpace` is kept as written: `1` and `1 : i32` are different types.
  static MemRefType get(Context& context, std::span<const int64_t> shape, Type element,
                        Attribute layout, Attribute memorySpace);
  static MemRefType get(Context& context, std::span<const int64_t> shape, Type element);
  static bool classof(Type t) { return t.kind() == TypeKind::MemRef; }
  Attribute layout() const;
  Attribute memorySpace() const;
  /// Null for an affine layout that has no strided form.
  std::optional<StridedForm> stridedForm() const;
  /// True when the layout is row-major without an offset.
  bool hasIdentityLayout() const;
  MemRefType withMemorySpace(Attribute space) const;
  MemRefType withLayout(Attribute layout) const;
};

class UnrankedMemRefType : public ShapedType {
 public:
  using ShapedType::ShapedType;
  static UnrankedMemRefType get(Context& context, Type element, Attribute memorySpace);
  static bool classof(Type t) { return t.kind() == TypeKind::UnrankedMemRef; }
  Attribute memorySpace() const;
};

/// Memory space of a ranked or unranked memref; null when it has none.
Attribute memorySpaceOf(Type memref);

/// A type that a dialect defines (`!air.async.token`): its definition and its parameters.
class DialectType : public Type {
 public:
  using Type::Type;
  static DialectType get(Context& context, const DialectTypeDef& def,
                         std::span<const Attribute> parameters);
  /// The parameterless type registered as `name` (`"air.async.token"`).
  static DialectType get(Context& context, std::string_view name);
  static bool classof(Type t) { return t.kind() == TypeKind::Dialect; }
  const DialectTypeDef& def() const;
  std::span<const Attribute> parameters() const;
  /// Full name without the `!`.
  std::string_view name() const;
};

/// A type of a dialect that is not registered; the text is kept exactly.
class OpaqueType : public Type {
 public:
  using Type::Type;
  static OpaqueType get(Context& context, std::string_view text);
  static bool classof(Type t) { return t.kind() == TypeKind::Opaque; }
  /// Everything after the `!`.
  std::string_view text() const;
};

/// True for the dialect type called `name`.
bool isDialectType(Type type, std::string_view name);

/// Element type of a shaped type, otherwise the type itself.
Type elementTypeOrSelf(Type type);

}  // namespace airlite

template <> struct std::hash<airlite::Type> {
  size_t operator()(airlite::Type t) const noexcept {
    return std::hash<const void*>()(t.storage());
  }
};
