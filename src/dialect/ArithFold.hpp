// The folders and rewrites that the definitions in Arith.cpp name.
#pragma once

#include "ConstantFolding.hpp"
#include "airlite/ir/Rewriter.hpp"

namespace airlite::arith {

using folding::Constants;
using folding::Results;

// ArithFold.cpp: integers.
LogicalResult foldConstant(Operation& op, Constants c, Results& results);
LogicalResult foldAddI(Operation& op, Constants c, Results& results);
LogicalResult foldSubI(Operation& op, Constants c, Results& results);
LogicalResult foldMulI(Operation& op, Constants c, Results& results);
LogicalResult foldDivSI(Operation& op, Constants c, Results& results);
LogicalResult foldDivUI(Operation& op, Constants c, Results& results);
LogicalResult foldCeilDivSI(Operation& op, Constants c, Results& results);
LogicalResult foldCeilDivUI(Operation& op, Constants c, Results& results);
LogicalResult foldFloorDivSI(Operation& op, Constants c, Results& results);
LogicalResult foldRemSI(Operation& op, Constants c, Results& results);
LogicalResult foldRemUI(Operation& op, Constants c, Results& results);
LogicalResult foldAndI(Operation& op, Constants c, Results& results);
LogicalResult foldOrI(Operation& op, Constants c, Results& results);
LogicalResult foldXOrI(Operation& op, Constants c, Results& results);
LogicalResult foldShLI(Operation& op, Constants c, Results& results);
LogicalResult foldShRSI(Operation& op, Constants c, Results& results);
LogicalResult foldShRUI(Operation& op, Constants c, Results& results);
LogicalResult foldMaxSI(Operation& op, Constants c, Results& results);
LogicalResult foldMaxUI(Operation& op, Constants c, Results& results);
LogicalResult foldMinSI(Operation& op, Constants c, Results& results);
LogicalResult foldMinUI(Operation& op, Constants c, Results& results);
LogicalResult foldAddUIExtended(Operation& op, Constants c, Results& results);
LogicalResult foldMulSIExtended(Operation& op, Constants c, Results& results);
LogicalResult foldMulUIExtended(Operation& op, Constants c, Results& results);
LogicalResult foldCmpI(Operation& op, Constants c, Results& results);
LogicalResult foldSelect(Operation& op, Constants c, Results& results);

// ArithFoldFloat.cpp: floats and conversions.
LogicalResult foldAddF(Operation& op, Constants c, Results& results);
LogicalResult foldSubF(Operation& op, Constants c, Results& results);
LogicalResult foldMulF(Operation& op, Constants c, Results& results);
LogicalResult foldDivF(Operation& op, Constants c, Results& results);
LogicalResult foldRemF(Operation& op, Constants c, Results& results);
LogicalResult foldNegF(Operation& op, Constants c, Results& results);
LogicalResult foldMaximumF(Operation& op, Constants c, Results& results);
LogicalResult foldMinimumF(Operation& op, Constants c, Results& results);
LogicalResult foldMaxNumF(Operation& op, Constants c, Results& results);
LogicalResult foldMinNumF(Operation& op, Constants c, Results& results);
LogicalResult foldCmpF(Operation& op, Constants c, Results& results);
LogicalResult foldExtF(Operation& op, Constants c, Results& results);
LogicalResult foldTruncF(Operation& op, Constants c, Results& results);
LogicalResult foldExtSI(Operation& op, Constants c, Results& results);
LogicalResult foldExtUI(Operation& op, Constants c, Results& results);
LogicalResult foldTruncI(Operation& op, Constants c, Results& results);
LogicalResult foldSIToFP(Operation& op, Constants c, Results& results);
LogicalResult foldUIToFP(Operation& op, Constants c, Results& results);
LogicalResult foldFPToSI(Operation& op, Constants c, Results& results);
LogicalResult foldFPToUI(Operation& op, Constants c, Results& results);
LogicalResult foldIndexCast(Operation& op, Constants c, Results& results);
LogicalResult foldIndexCastUI(Operation& op, Constants c, Results& results);
LogicalResult foldBitcast(Operation& op, Constants c, Results& results);

// ArithRewrites.cpp.
LogicalResult mergeLinear(Operation& op, Rewriter& rewriter);
LogicalResult addOfNegation(Operation& op, Rewriter& rewriter);
LogicalResult subOfSub(Operation& op, Rewriter& rewriter);
LogicalResult mergeMultiplies(Operation& op, Rewriter& rewriter);
LogicalResult addExtendedToAdd(Operation& op, Rewriter& rewriter);
LogicalResult mulExtendedToMul(Operation& op, Rewriter& rewriter);
LogicalResult mulExtendedByOne(Operation& op, Rewriter& rewriter);
LogicalResult logicOfExtensions(Operation& op, Rewriter& rewriter);
LogicalResult notOfCompare(Operation& op, Rewriter& rewriter);
LogicalResult compareOfExtensions(Operation& op, Rewriter& rewriter);
LogicalResult compareOfIntToFloat(Operation& op, Rewriter& rewriter);
LogicalResult selectToExtension(Operation& op, Rewriter& rewriter);
LogicalResult selectToNot(Operation& op, Rewriter& rewriter);
LogicalResult selectOfSelect(Operation& op, Rewriter& rewriter);
LogicalResult selectOfNot(Operation& op, Rewriter& rewriter);
LogicalResult dropNegations(Operation& op, Rewriter& rewriter);
LogicalResult signExtendOfZeroExtend(Operation& op, Rewriter& rewriter);
LogicalResult truncateOfExtension(Operation& op, Rewriter& rewriter);
LogicalResult truncateOfShift(Operation& op, Rewriter& rewriter);
LogicalResult truncateOfMulExtended(Operation& op, Rewriter& rewriter);
LogicalResult indexCastOfExtension(Operation& op, Rewriter& rewriter);
LogicalResult bitcastOfBitcast(Operation& op, Rewriter& rewriter);

}  // namespace airlite::arith
