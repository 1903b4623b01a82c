// Attributes: compile-time data on operations and in types; uniqued handles like types.
//
//   IntegerAttr four = IntegerAttr::getIndex(context, 4);
//   op.setAttr("size", four);
//   if (auto size = op.attrOf<IntegerAttr>("size")) use(size.value());  // absent or other: null
#pragma once

#include "airlite/ir/Affine.hpp"
#include "airlite/ir/Identifier.hpp"
#include "airlite/ir/Location.hpp"
#include "airlite/ir/Type.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace airlite {

struct DialectAttrDef;

enum class AttrKind : uint8_t {
  Unit,
  Integer,
  Float,
  String,
  Type,
  Array,
  Dictionary,
  SymbolRef,
  DenseArray,
  DenseElements,
  AffineMap,
  IntegerSet,
  StridedLayout,
  Location,
  Dialect,
  Opaque,
};

namespace detail {
struct AttributeStorage {
  Context* context;
  AttrKind kind;
};
}  // namespace detail

class Attribute {
 public:
  Attribute() = default;
  explicit Attribute(const detail::AttributeStorage* storage) : storage_(storage) {}

  explicit operator bool() const { return storage_ != nullptr; }
  bool operator==(const Attribute&) const = default;
  AttrKind kind() const { return storage_->kind; }
  Context& context() const { return *storage_->context; }
  const detail::AttributeStorage* storage() const { return storage_; }

  template <class T> bool isa() const { return storage_ && T::classof(*this); }
  template <class T> T cast() const { return T(storage_); }
  template <class T> T dynCast() const { return isa<T>() ? T(storage_) : T(); }

  /// As the text form prints it, without aliases.
  std::string str() const;

 protected:
  const detail::AttributeStorage* storage_ = nullptr;
};

struct NamedAttribute {
  Identifier name;
  Attribute value;
  bool operator==(const NamedAttribute&) const = default;
};

class UnitAttr : public Attribute {
 public:
  using Attribute::Attribute;
  static UnitAttr get(Context& context);
  static bool classof(Attribute a) { return a.kind() == AttrKind::Unit; }
};

/// An integer of up to 64 bits, of integer or index type. A boolean is an i1.
class IntegerAttr : public Attribute {
 public:
  using Attribute::Attribute;
  /// The value is wrapped to the width of the type.
  static IntegerAttr get(Type type, int64_t value);
  static IntegerAttr getBool(Context& context, bool value);
  static IntegerAttr getIndex(Context& context, int64_t value);
  static bool classof(Attribute a) { return a.kind() == AttrKind::Integer; }
  Type type() const;
  /// Sign-extended from the width of the type (an i1 is 0 or 1, unsigned types zero-extend).
  int64_t value() const;
  /// Zero-extended from the width of the type.
  uint64_t zext() const;
  bool isBool() const { return type().isSignlessInteger(1); }
};

/// A float, held as the double that has exactly its value (all supported formats fit).
class FloatAttr : public Attribute {
 public:
  using Attribute::Attribute;
  /// Rounds to nearest even into the format of the type.
  static FloatAttr get(Type type, double value);
  static bool classof(Attribute a) { return a.kind() == AttrKind::Float; }
  Type type() const;
  double value() const;
};

class StringAttr : public Attribute {
 public:
  using Attribute::Attribute;
  static StringAttr get(Context& context, std::string_view value);
  static bool classof(Attribute a) { return a.kind() == AttrKind::String; }
  std::string_view value() const;
};

class TypeAttr : public Attribute {
 public:
  using Attribute::Attribute;
  static TypeAttr get(Type type);
  static bool classof(Attribute a) { return a.kind() == AttrKind::Type; }
  Type value() const;
};

class ArrayAttr : public Attribute {
 public:
  using Attribute::Attribute;
  static ArrayAttr get(Context& context, std::span<const Attribute> elements);
  static bool classof(Attribute a) { return a.kind() == AttrKind::Array; }
  std::span<const Attribute> value() const;
  size_t size() const { return value().size(); }
  Attribute operator[](size_t i) const { return value()[i]; }
};

/// Name/value pairs in alphabetical order of the names.
class DictionaryAttr : public Attribute {
 public:
  using Attribute::Attribute;
  /// Sorts; names must be different.
  static DictionaryAttr get(Context& context, std::span<const NamedAttribute> entries);
  static bool classof(Attribute a) { return a.kind() == AttrKind::Dictionary; }
  std::span<const NamedAttribute> value() const;
  size_t size() const { return value().size(); }
  bool empty() const { return value().empty(); }
  /// Null when there is no such entry.
  Attribute get(std::string_view name) const;
  Attribute get(Identifier name) const;
  DictionaryAttr with(Identifier name, Attribute value) const;
  DictionaryAttr without(std::string_view name) const;
};

/// `@a` or `@a::@b`.
class SymbolRefAttr : public Attribute {
 public:
  using Attribute::Attribute;
  static SymbolRefAttr get(Context& context, std::string_view root,
                           std::span<const std::string_view> nested = {});
  static bool classof(Attribute a) { return a.kind() == AttrKind::SymbolRef; }
  std::string_view root() const;
  std::vector<std::string_view> nested() const;
  bool isFlat() const;
  /// The last name: what the reference finally names.
  std::string_view leaf() const;
};

/// `array<i32: 1, 2>`: integers (i1, i8, i16, i32, i64) or floats (f32, f64) without a shape.
class DenseArrayAttr : public Attribute {
 public:
  using Attribute::Attribute;
  static DenseArrayAttr get(Type element, std::span<const int64_t> values);
  static DenseArrayAttr getFloats(Type element, std::span<const double> values);
  static DenseArrayAttr getI32(Context& context, std::span<const int32_t> values);
  static DenseArrayAttr getI64(Context& context, std::span<const int64_t> values);
  static bool classof(Attribute a) { return a.kind() == AttrKind::DenseArray; }
  Type elementType() const;
  size_t size() const;
  /// The integers; for floats the bit patterns of doubles (see floats()).
  std::span<const int64_t> values() const;
  std::vector<double> floats() const;
};

/// `dense<...> : tensor<...>` or vector: one raw little-endian element after the other, i1 and
/// sub-byte integers one byte each, index eight bytes; a splat holds a single element.
class DenseElementsAttr : public Attribute {
 public:
  using Attribute::Attribute;
  /// `raw` is one element (splat) or numElements of them.
  static DenseElementsAttr getRaw(ShapedType type, std::span<const std::byte> raw);
  /// Elements as attributes (IntegerAttr / FloatAttr of the element type); one element = splat.
  static DenseElementsAttr get(ShapedType type, std::span<const Attribute> elements);
  static bool classof(Attribute a) { return a.kind() == AttrKind::DenseElements; }
  ShapedType type() const;
  std::span<const std::byte> raw() const;
  bool isSplat() const;
  int64_t numElements() const { return type().numElements(); }
  /// Element `i` in row-major order as IntegerAttr or FloatAttr.
  Attribute element(int64_t i) const;
  Attribute splatValue() const { return element(0); }
  /// Bytes of one element in `raw`; 0 for element types that cannot be stored.
  static unsigned elementSize(Type element);
};

class AffineMapAttr : public Attribute {
 public:
  using Attribute::Attribute;
  static AffineMapAttr get(AffineMap map);
  static bool classof(Attribute a) { return a.kind() == AttrKind::AffineMap; }
  AffineMap value() const;
};

class IntegerSetAttr : public Attribute {
 public:
  using Attribute::Attribute;
  static IntegerSetAttr get(IntegerSet set);
  static bool classof(Attribute a) { return a.kind() == AttrKind::IntegerSet; }
  IntegerSet value() const;
};

/// `strided<[s0, s1], offset: o>`, in elements; kDynamic is `?`.
class StridedLayoutAttr : public Attribute {
 public:
  using Attribute::Attribute;
  static StridedLayoutAttr get(Context& context, int64_t offset, std::span<const int64_t> strides);
  static bool classof(Attribute a) { return a.kind() == AttrKind::StridedLayout; }
  int64_t offset() const;
  std::span<const int64_t> strides() const;
};

/// `loc(...)` used as an attribute.
class LocationAttr : public Attribute {
 public:
  using Attribute::Attribute;
  static LocationAttr get(Context& context, Location location);
  static bool classof(Attribute a) { return a.kind() == AttrKind::Location; }
  Location value() const;
};

/// An attribute that a dialect defines (`#air.symmetric_heap`, `#vector.kind<add>`): its
/// definition and parameters; a keyword parameter is a StringAttr.
class DialectAttr : public Attribute {
 public:
  using Attribute::Attribute;
  static DialectAttr get(Context& context, const DialectAttrDef& def,
                         std::span<const Attribute> parameters);
  /// By registered name (`"vector.kind"`), with keyword parameters.
  static DialectAttr getKeyword(Context& context, std::string_view name, std::string_view keyword);
  static bool classof(Attribute a) { return a.kind() == AttrKind::Dialect; }
  const DialectAttrDef& def() const;
  std::span<const Attribute> parameters() const;
  std::string_view name() const;
  /// The first parameter as text, for attributes that are one keyword.
  std::string_view keyword() const;
};

/// An attribute of an unregistered dialect; the text is kept exactly.
class OpaqueAttr : public Attribute {
 public:
  using Attribute::Attribute;
  static OpaqueAttr get(Context& context, std::string_view text);
  static bool classof(Attribute a) { return a.kind() == AttrKind::Opaque; }
  /// Everything after the `#`.
  std::string_view text() const;
};

/// Type of a typed attribute (integer, float, dense elements); null otherwise.
Type attributeType(Attribute attribute);

/// The integer of an IntegerAttr or of a splat of integers.
std::optional<int64_t> constantInt(Attribute attribute);

/// Reads `double` as the nearest value of the float format, to nearest even.
double roundToFormat(FloatKind kind, double value);
/// Bit pattern of a value in a float format, and back.
uint64_t floatToBits(FloatKind kind, double value);
double floatFromBits(FloatKind kind, uint64_t bits);

/// A list of named attributes under construction; the last value set for a name wins.
class NamedAttrList {
 public:
  NamedAttrList() = default;
  NamedAttrList(DictionaryAttr dictionary) { *this = dictionary; }  // NOLINT: it is a list
  NamedAttrList& operator=(DictionaryAttr dictionary);
  void set(Identifier name, Attribute value);
  void append(Identifier name, Attribute value);
  Attribute get(std::string_view name) const;
  Attribute erase(std::string_view name);
  void clear();
  std::span<const NamedAttribute> entries() const { return entries_; }
  bool empty() const { return entries_.empty(); }
  DictionaryAttr dictionary(Context& context) const {
    return unchanged_ ? unchanged_ : DictionaryAttr::get(context, entries_);
  }

 private:
  std::vector<NamedAttribute> entries_;
  DictionaryAttr unchanged_;  // what the list was made from, until it differs
};

}  // namespace airlite

template <> struct std::hash<airlite::Attribute> {
  size_t operator()(airlite::Attribute a) const noexcept {
    return std::hash<const void*>()(a.storage());
  }
};
