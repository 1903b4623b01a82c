// The type and attribute constraints that definitions share.
//
//   d.op("addi").operand("lhs", types::integerLike).attr("overflow", attrs::i32);
#pragma once

#include "airlite/ir/Context.hpp"
#include "airlite/ir/OpDef.hpp"

namespace airlite {

namespace types {
extern const TypeConstraint any, index, i1, i32, i64, signlessInteger, integerOrIndex, anyInteger,
    anyFloat, f32, integerLike, floatLike, boolLike, signlessIntOrIndexLike, numberLike, anyVector,
    anyMemRef, anyRankedMemRef, memRefOfIndex, anyShaped, anyTensor, anyRankedTensor, function,
    integerOrFloat, intIndexOrFloat, indexOrMemRefOrVector;
}  // namespace types

namespace attrs {
extern const AttrConstraint any, unit, string, symbolName, symbolRef, flatSymbolRef, boolean, i32,
    i64, index, anyInteger, anyFloat, typed, typeAttr, array, dictionary, affineMap, integerSet,
    affineMapArray, i64Array, stringArray, symbolRefArray, denseI32, denseI64, denseBool,
    denseElements, functionType, positiveI64, typeArray, dictArray, boolArray;
}  // namespace attrs

}  // namespace airlite
