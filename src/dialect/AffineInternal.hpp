// What the sources of the affine dialect share: syntax, verifiers and rewrites by op.
#pragma once

#include "airlite/dialect/Affine.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/text/OpParser.hpp"
#include "airlite/text/OpPrinter.hpp"

namespace airlite::affine {

inline constexpr std::string_view kMap = "map";
inline constexpr std::string_view kLowerBoundMap = "lowerBoundMap";
inline constexpr std::string_view kUpperBoundMap = "upperBoundMap";
inline constexpr std::string_view kStep = "step";
inline constexpr std::string_view kCondition = "condition";
inline constexpr std::string_view kStaticBasis = "static_basis";

/// Reductions of affine.parallel: the position is what the attribute holds.
inline constexpr std::string_view kReductionNames[] = {
    "addf", "addi", "assign", "maximumf", "maxs", "maxu",    "minimumf", "mins",
    "minu", "mulf", "muli",   "ori",      "andi", "maxnumf", "minnumf"};

// -- AffineSyntax.cpp ----------------------------------------------------------------------------
LogicalResult parseMapOp(OpParser& parser, OperationState& state);
void printMapOp(OpPrinter& printer, Operation& op);
LogicalResult parseFor(OpParser& parser, OperationState& state);
void printFor(OpPrinter& printer, Operation& op);
LogicalResult parseIf(OpParser& parser, OperationState& state);
void printIf(OpPrinter& printer, Operation& op);
LogicalResult parseParallel(OpParser& parser, OperationState& state);
void printParallel(OpPrinter& printer, Operation& op);

// -- AffineAccessSyntax.cpp ----------------------------------------------------------------------
LogicalResult parseLoad(OpParser& parser, OperationState& state);
void printLoad(OpPrinter& printer, Operation& op);
LogicalResult parseStore(OpParser& parser, OperationState& state);
void printStore(OpPrinter& printer, Operation& op);
LogicalResult parseVectorLoad(OpParser& parser, OperationState& state);
void printVectorLoad(OpPrinter& printer, Operation& op);
LogicalResult parseVectorStore(OpParser& parser, OperationState& state);
void printVectorStore(OpPrinter& printer, Operation& op);
LogicalResult parsePrefetch(OpParser& parser, OperationState& state);
void printPrefetch(OpPrinter& printer, Operation& op);
LogicalResult parseDelinearize(OpParser& parser, OperationState& state);
void printDelinearize(OpPrinter& printer, Operation& op);
LogicalResult parseLinearize(OpParser& parser, OperationState& state);
void printLinearize(OpPrinter& printer, Operation& op);
LogicalResult parseDmaStart(OpParser& parser, OperationState& state);
void printDmaStart(OpPrinter& printer, Operation& op);
LogicalResult parseDmaWait(OpParser& parser, OperationState& state);
void printDmaWait(OpPrinter& printer, Operation& op);

// -- AffineVerify.cpp ----------------------------------------------------------------------------
LogicalResult verifyApply(Operation& op);
LogicalResult verifyMinMax(Operation& op);
LogicalResult verifyFor(Operation& op);
LogicalResult verifyIf(Operation& op);
LogicalResult verifyParallel(Operation& op);
LogicalResult verifyYield(Operation& op);
LogicalResult verifyLoad(Operation& op);
LogicalResult verifyStore(Operation& op);
LogicalResult verifyVectorLoad(Operation& op);
LogicalResult verifyVectorStore(Operation& op);
LogicalResult verifyPrefetch(Operation& op);
LogicalResult verifyDelinearize(Operation& op);
LogicalResult verifyLinearize(Operation& op);
LogicalResult verifyDmaStart(Operation& op);
LogicalResult verifyDmaWait(Operation& op);

// -- AffineOperands.cpp --------------------------------------------------------------------------
/// Coefficients of dims, symbols and the constant; nothing when the expression is not linear.
std::optional<std::vector<int64_t>> linearCoefficients(AffineExpr expr, unsigned numDims,
                                                       unsigned numSymbols);

// -- AffineCanonicalize.cpp ----------------------------------------------------------------------
using FoldResults = std::vector<FoldResult>;
LogicalResult foldApply(Operation& op, std::span<const Attribute> operands, FoldResults& results);
LogicalResult foldMinMax(Operation& op, std::span<const Attribute> operands, FoldResults& results);
LogicalResult composeMapOp(Operation& op, Rewriter& rewriter);
LogicalResult simplifyMinMax(Operation& op, Rewriter& rewriter);
LogicalResult composeAccess(Operation& op, Rewriter& rewriter);
LogicalResult composeDmaStart(Operation& op, Rewriter& rewriter);
LogicalResult composeDmaWait(Operation& op, Rewriter& rewriter);
LogicalResult foldAccessCast(Operation& op, Rewriter& rewriter);

// -- AffineCanonicalizeLoops.cpp -----------------------------------------------------------------
LogicalResult simplifyForBounds(Operation& op, Rewriter& rewriter);
LogicalResult simplifyTrivialFor(Operation& op, Rewriter& rewriter);
LogicalResult removeEmptyFor(Operation& op, Rewriter& rewriter);
LogicalResult simplifyIfOperands(Operation& op, Rewriter& rewriter);
LogicalResult decideIf(Operation& op, Rewriter& rewriter);
LogicalResult removeEmptyElse(Operation& op, Rewriter& rewriter);
LogicalResult simplifyParallelBounds(Operation& op, Rewriter& rewriter);
LogicalResult foldDelinearize(Operation& op, std::span<const Attribute> operands,
                              FoldResults& results);
LogicalResult foldLinearize(Operation& op, std::span<const Attribute> operands,
                            FoldResults& results);

/// The expression with what is known of those dims that are induction variables of affine.for:
/// their bounds and steps (AffineRanges.cpp).
AffineExpr simplifyByLoops(AffineExpr expr, std::span<const Value> dims);
/// The affine.for whose induction variable `value` is; null for anything else.
ForOp inductionLoop(Value value);

}  // namespace airlite::affine
