// The shared constraints. All are constant-initialized: definitions of other files may take their
// addresses and use them at any time. Summaries are worded as MLIR words them.
#include "airlite/ir/Constraints.hpp"

#include <algorithm>

namespace airlite {
namespace {

// ---------------------------------------------------------------------------------------------
// Types
// ---------------------------------------------------------------------------------------------

bool isAnyType(Type) { return true; }
bool isIndex(Type t) { return t.isIndex(); }
bool isI1(Type t) { return t.isSignlessInteger(1); }
bool isI32(Type t) { return t.isSignlessInteger(32); }
bool isI64(Type t) { return t.isSignlessInteger(64); }
bool isSignless(Type t) { return t.isSignlessInteger(); }
bool isSignlessOrIndex(Type t) { return isSignless(t) || t.isIndex(); }
bool isInteger(Type t) { return t.isInteger(); }
bool isFloat(Type t) { return t.isFloat(); }
bool isF32(Type t) { return t.isF32(); }
bool isIntegerOrFloat(Type t) { return isInteger(t) || isFloat(t); }
bool isIntIndexOrFloat(Type t) { return t.isIntOrIndexOrFloat(); }

bool isVector(Type t) { return t.isa<VectorType>(); }
bool isRankedMemRef(Type t) { return t.isa<MemRefType>(); }
bool isMemRef(Type t) { return isRankedMemRef(t) || t.isa<UnrankedMemRefType>(); }
bool isShaped(Type t) { return t.isa<ShapedType>(); }
bool isRankedTensor(Type t) { return t.isa<RankedTensorType>(); }
bool isTensor(Type t) { return isRankedTensor(t) || t.isa<UnrankedTensorType>(); }
bool isFunction(Type t) { return t.isa<FunctionType>(); }

/// A scalar, or a vector or tensor of such scalars.
template <bool (*Scalar)(Type)> bool isLike(Type t) {
  return isVector(t) || isTensor(t) ? Scalar(elementTypeOrSelf(t)) : Scalar(t);
}

bool isNumber(Type t) { return isSignlessOrIndex(t) || isFloat(t); }
bool isMemRefOfIndex(Type t) { return isRankedMemRef(t) && elementTypeOrSelf(t).isIndex(); }
bool isIndexOrMemRefOrVector(Type t) { return t.isIndex() || isMemRef(t) || isVector(t); }

Type buildIndex(Context& c) { return IndexType::get(c); }
Type buildI1(Context& c) { return IntegerType::get(c, 1); }
Type buildI32(Context& c) { return IntegerType::get(c, 32); }
Type buildI64(Context& c) { return IntegerType::get(c, 64); }
Type buildF32(Context& c) { return FloatType::get(c, FloatKind::F32); }

}  // namespace

namespace types {
constinit const TypeConstraint any{"any type", isAnyType}, index{"index", isIndex, buildIndex},
    i1{"1-bit signless integer", isI1, buildI1}, i32{"32-bit signless integer", isI32, buildI32},
    i64{"64-bit signless integer", isI64, buildI64},
    signlessInteger{"signless integer", isSignless},
    integerOrIndex{"signless integer or index", isSignlessOrIndex},
    anyInteger{"integer", isInteger}, anyFloat{"floating-point", isFloat},
    f32{"32-bit float", isF32, buildF32},
    integerLike{"signless-integer-like", isLike<isSignlessOrIndex>},
    floatLike{"floating-point-like", isLike<isFloat>}, boolLike{"bool-like", isLike<isI1>},
    signlessIntOrIndexLike{"signless-integer-like", isLike<isSignlessOrIndex>},
    numberLike{"signless-integer-like or floating-point-like", isLike<isNumber>},
    anyVector{"vector of any type values", isVector},
    anyMemRef{"ranked or unranked memref of any type values", isMemRef},
    anyRankedMemRef{"memref of any type values", isRankedMemRef},
    memRefOfIndex{"memref of index values", isMemRefOfIndex},
    anyShaped{"shaped of any type values", isShaped},
    anyTensor{"tensor of any type values", isTensor},
    anyRankedTensor{"ranked tensor of any type values", isRankedTensor},
    function{"function type", isFunction},
    integerOrFloat{"integer or floating-point", isIntegerOrFloat},
    intIndexOrFloat{"integer or index or floating-point", isIntIndexOrFloat},
    indexOrMemRefOrVector{"index or memref of any type values or vector of any type values",
                          isIndexOrMemRefOrVector};
}  // namespace types

// ---------------------------------------------------------------------------------------------
// Attributes
// ---------------------------------------------------------------------------------------------

namespace {

bool isAnyAttr(Attribute) { return true; }

template <class T> bool isKind(Attribute a) { return a.isa<T>(); }

/// An integer attribute of a type for which `Accepts` holds.
template <bool (*Accepts)(Type)> bool isIntegerOf(Attribute a) {
  IntegerAttr integer = a.dynCast<IntegerAttr>();
  return integer && Accepts(integer.type());
}

bool isTyped(Attribute a) { return static_cast<bool>(attributeType(a)); }

bool isPositiveI64(Attribute a) {
  return isIntegerOf<isI64>(a) && a.cast<IntegerAttr>().value() > 0;
}

bool isFlatSymbolRef(Attribute a) {
  SymbolRefAttr reference = a.dynCast<SymbolRefAttr>();
  return reference && reference.isFlat();
}

bool isFunctionType(Attribute a) {
  TypeAttr type = a.dynCast<TypeAttr>();
  return type && isFunction(type.value());
}

template <bool (*Accepts)(Attribute)> bool isArrayOf(Attribute a) {
  ArrayAttr array = a.dynCast<ArrayAttr>();
  return array && std::all_of(array.value().begin(), array.value().end(),
                              [](Attribute element) { return element && Accepts(element); });
}

template <bool (*Accepts)(Type)> bool isDenseOf(Attribute a) {
  DenseArrayAttr array = a.dynCast<DenseArrayAttr>();
  return array && Accepts(array.elementType());
}

constexpr auto kBare = AttrSyntax::Integer;

}  // namespace

namespace attrs {
constinit const AttrConstraint any{"any attribute", isAnyAttr},
    unit{"unit attribute", isKind<UnitAttr>, AttrSyntax::UnitFlag},
    string{"string attribute", isKind<StringAttr>},
    symbolName{"string attribute", isKind<StringAttr>, AttrSyntax::SymbolName},
    symbolRef{"symbol reference attribute", isKind<SymbolRefAttr>},
    flatSymbolRef{"flat symbol reference attribute", isFlatSymbolRef},
    boolean{"bool attribute", isIntegerOf<isI1>},
    i32{"32-bit signless integer attribute", isIntegerOf<isI32>, kBare, buildI32},
    i64{"64-bit signless integer attribute", isIntegerOf<isI64>, kBare, buildI64},
    index{"index attribute", isIntegerOf<isIndex>, kBare, buildIndex},
    anyInteger{"arbitrary integer attribute", isKind<IntegerAttr>},
    anyFloat{"arbitrary float attribute", isKind<FloatAttr>}, typed{"TypedAttr instance", isTyped},
    typeAttr{"any type attribute", isKind<TypeAttr>, AttrSyntax::Type},
    array{"array attribute", isKind<ArrayAttr>},
    dictionary{"dictionary of named attribute values", isKind<DictionaryAttr>},
    affineMap{"AffineMap attribute", isKind<AffineMapAttr>},
    integerSet{"IntegerSet attribute", isKind<IntegerSetAttr>},
    affineMapArray{"AffineMap array attribute", isArrayOf<isKind<AffineMapAttr>>},
    i64Array{"64-bit integer array attribute", isArrayOf<isIntegerOf<isI64>>},
    stringArray{"string array attribute", isArrayOf<isKind<StringAttr>>},
    symbolRefArray{"symbol ref array attribute", isArrayOf<isKind<SymbolRefAttr>>},
    denseI32{"i32 dense array attribute", isDenseOf<isI32>},
    denseI64{"i64 dense array attribute", isDenseOf<isI64>},
    denseBool{"i1 dense array attribute", isDenseOf<isI1>},
    denseElements{"constant vector/tensor attribute", isKind<DenseElementsAttr>},
    functionType{"type attribute of function type", isFunctionType, AttrSyntax::Type},
    positiveI64{"64-bit signless integer attribute whose value is positive", isPositiveI64, kBare,
                buildI64},
    typeArray{"type array attribute", isArrayOf<isKind<TypeAttr>>},
    dictArray{"Array of dictionary attributes", isArrayOf<isKind<DictionaryAttr>>},
    boolArray{"1-bit boolean array attribute", isArrayOf<isIntegerOf<isI1>>};
}  // namespace attrs

}  // namespace airlite
