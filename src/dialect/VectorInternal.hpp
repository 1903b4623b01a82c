// Hooks of the vector dialect that its definitions (Vector.cpp) refer to. Private to dialect/.
#pragma once

#include "airlite/dialect/Vector.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/text/OpParser.hpp"
#include "airlite/text/OpPrinter.hpp"

namespace airlite::vector {

// -- Syntax (VectorSyntax.cpp)
LogicalResult parseTransferRead(OpParser& parser, OperationState& state);
LogicalResult parseTransferWrite(OpParser& parser, OperationState& state);
void printTransfer(OpPrinter& printer, Operation& op);
LogicalResult parseExtract(OpParser& parser, OperationState& state);
void printExtract(OpPrinter& printer, Operation& op);
LogicalResult parseInsert(OpParser& parser, OperationState& state);
void printInsert(OpPrinter& printer, Operation& op);
LogicalResult parseContract(OpParser& parser, OperationState& state);
void printContract(OpPrinter& printer, Operation& op);
LogicalResult parseOuterProduct(OpParser& parser, OperationState& state);
void printOuterProduct(OpPrinter& printer, Operation& op);
LogicalResult parseReduction(OpParser& parser, OperationState& state);
void printReduction(OpPrinter& printer, Operation& op);
LogicalResult parseMultiReduction(OpParser& parser, OperationState& state);
void printMultiReduction(OpPrinter& printer, Operation& op);
LogicalResult parseTranspose(OpParser& parser, OperationState& state);
void printTranspose(OpPrinter& printer, Operation& op);
LogicalResult parseShuffle(OpParser& parser, OperationState& state);
void printShuffle(OpPrinter& printer, Operation& op);
LogicalResult parsePrint(OpParser& parser, OperationState& state);
void printPrint(OpPrinter& printer, Operation& op);

// -- Verifiers (VectorVerify.cpp: accesses; VectorVerifyShapes.cpp: the rest)
LogicalResult verifyLoad(Operation& op);
LogicalResult verifyStore(Operation& op);
LogicalResult verifyMaskedAccess(Operation& op);
LogicalResult verifyGatherScatter(Operation& op);
LogicalResult verifyTransfer(Operation& op);
LogicalResult verifyBroadcast(Operation& op);
LogicalResult verifyExtract(Operation& op);
LogicalResult verifyInsert(Operation& op);
LogicalResult verifyElementAccess(Operation& op);
LogicalResult verifyExtractSlice(Operation& op);
LogicalResult verifyInsertSlice(Operation& op);
LogicalResult verifyContract(Operation& op);
LogicalResult verifyOuterProduct(Operation& op);
LogicalResult verifyReduction(Operation& op);
LogicalResult verifyMultiReduction(Operation& op);
LogicalResult verifyShapeCast(Operation& op);
LogicalResult verifyBitCast(Operation& op);
LogicalResult verifyTranspose(Operation& op);
LogicalResult verifyShuffle(Operation& op);
LogicalResult verifyConstantMask(Operation& op);
LogicalResult verifyCreateMask(Operation& op);
LogicalResult verifyInterleave(Operation& op);
LogicalResult verifyDeinterleave(Operation& op);
LogicalResult verifyFromElements(Operation& op);

// -- Folders and rewrites (VectorFold.cpp)
using FoldResults = std::vector<FoldResult>;
LogicalResult foldTransfer(Operation& op, std::span<const Attribute> operands,
                           FoldResults& results);
LogicalResult foldBroadcast(Operation& op, std::span<const Attribute> operands,
                            FoldResults& results);
LogicalResult foldExtract(Operation& op, std::span<const Attribute> operands, FoldResults& results);
LogicalResult foldInsert(Operation& op, std::span<const Attribute> operands, FoldResults& results);
LogicalResult foldExtractElement(Operation& op, std::span<const Attribute> operands,
                                 FoldResults& results);
LogicalResult foldShapeCast(Operation& op, std::span<const Attribute> operands,
                            FoldResults& results);
LogicalResult foldBitCast(Operation& op, std::span<const Attribute> operands, FoldResults& results);
LogicalResult foldTranspose(Operation& op, std::span<const Attribute> operands,
                            FoldResults& results);
LogicalResult foldSplat(Operation& op, std::span<const Attribute> operands, FoldResults& results);
LogicalResult foldShuffle(Operation& op, std::span<const Attribute> operands, FoldResults& results);
LogicalResult foldExtractSlice(Operation& op, std::span<const Attribute> operands,
                               FoldResults& results);
LogicalResult foldInsertSlice(Operation& op, std::span<const Attribute> operands,
                              FoldResults& results);
LogicalResult foldMultiReduction(Operation& op, std::span<const Attribute> operands,
                                 FoldResults& results);
LogicalResult createMaskOfConstants(Operation& op, Rewriter& rewriter);
LogicalResult loadWithKnownMask(Operation& op, Rewriter& rewriter);
LogicalResult storeWithKnownMask(Operation& op, Rewriter& rewriter);
LogicalResult sliceOfBroadcast(Operation& op, Rewriter& rewriter);
LogicalResult extractOfBroadcast(Operation& op, Rewriter& rewriter);
LogicalResult transposeOfBroadcast(Operation& op, Rewriter& rewriter);
LogicalResult reductionOfOneElement(Operation& op, Rewriter& rewriter);

/// The names of combining kinds; `kindAttr` gives null for another word.
std::span<const std::string_view> kindNames();
Attribute kindAttr(Context& context, std::string_view word);
/// What a transfer does unless it says: the last dimensions in their order.
AffineMap minorIdentity(Context& context, unsigned dims, unsigned results);
/// Values of an array of integers.
std::vector<int64_t> integers(Attribute array);
Attribute integerArray(Context& context, std::span<const int64_t> values);
/// The vector type that an extract or insert at a position of `depth` entries handles.
Type elementAtDepth(VectorType type, size_t depth);

}  // namespace airlite::vector
