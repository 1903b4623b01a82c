// The immutable values of types, attributes and affine maps. Private to ir/. All of them are
// trivially destructible and live in the arena of their Context, as do the arrays they point at.
#pragma once

#include "airlite/ir/Affine.hpp"
#include "airlite/ir/Attribute.hpp"
#include "airlite/ir/Type.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace airlite {
struct OpDef;
}

namespace airlite::detail {

// ---------------------------------------------------------------------------------------------
// Types
// ---------------------------------------------------------------------------------------------

struct IntegerTypeStorage : TypeStorage {
  unsigned width;
  Signedness signedness;
};

struct FloatTypeStorage : TypeStorage {
  FloatKind floatKind;
};

/// Function (inputs, results) and tuple (inputs).
struct TypeListStorage : TypeStorage {
  std::span<const Type> inputs;
  std::span<const Type> results;
};

/// Every shaped type, and complex (element only).
struct ShapedTypeStorage : TypeStorage {
  Type element;
  bool ranked;
  std::span<const int64_t> shape;
  Attribute layout;  // memref
  Attribute extra;   // memory space of a memref, encoding of a tensor
};

struct DialectTypeStorage : TypeStorage {
  const DialectTypeDef* def;
  std::span<const Attribute> parameters;
};

struct OpaqueTypeStorage : TypeStorage {
  std::string_view text;
};

// ---------------------------------------------------------------------------------------------
// Attributes
// ---------------------------------------------------------------------------------------------

struct IntegerAttrStorage : AttributeStorage {
  Type type;
  int64_t value;
};

struct FloatAttrStorage : AttributeStorage {
  Type type;
  double value;
};

/// String and opaque.
struct TextAttrStorage : AttributeStorage {
  std::string_view text;
};

struct TypeAttrStorage : AttributeStorage {
  Type value;
};

struct ArrayAttrStorage : AttributeStorage {
  std::span<const Attribute> elements;
};

struct DictionaryAttrStorage : AttributeStorage {
  std::span<const NamedAttribute> entries;
  Attribute operandSegments;               // the entry of that name: of all it is asked for most
  mutable const OpDef* goodFor = nullptr;  // the last op that the verifier found it right for
};

struct SymbolRefAttrStorage : AttributeStorage {
  std::span<const Identifier> path;  // root first
};

struct DenseArrayAttrStorage : AttributeStorage {
  Type element;
  std::span<const int64_t> values;
};

struct DenseElementsAttrStorage : AttributeStorage {
  ShapedType type;
  std::span<const std::byte> raw;
  bool splat;
};

struct AffineMapAttrStorage : AttributeStorage {
  AffineMap value;
};

struct IntegerSetAttrStorage : AttributeStorage {
  IntegerSet value;
};

struct StridedLayoutAttrStorage : AttributeStorage {
  int64_t offset;
  std::span<const int64_t> strides;
};

struct LocationAttrStorage : AttributeStorage {
  Location value;
};

struct DialectAttrStorage : AttributeStorage {
  const DialectAttrDef* def;
  std::span<const Attribute> parameters;
};

// ---------------------------------------------------------------------------------------------
// Affine
// ---------------------------------------------------------------------------------------------

/// A binary expression with what every simplification asks for; long sums are never walked for it.
struct AffineBinaryStorage : AffineExprStorage {
  bool symbolicOrConstant;
  int64_t divisor;  // largest known
};

struct AffineMapStorage {
  Context* context;
  unsigned numDims;
  unsigned numSymbols;
  std::span<const AffineExpr> results;
  mutable bool isKnownSimple = false;
};

struct IntegerSetStorage {
  Context* context;
  unsigned numDims;
  unsigned numSymbols;
  std::span<const AffineExpr> constraints;
  std::span<const uint8_t> equality;
};

}  // namespace airlite::detail
