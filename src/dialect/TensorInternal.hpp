// Hooks of the tensor dialect that its definitions (Tensor.cpp) refer to. Private to dialect/.
#pragma once

#include "MemRefInternal.hpp"
#include "airlite/dialect/Tensor.hpp"
#include "airlite/ir/Rewriter.hpp"

namespace airlite::tensor {

// -- Verifiers (TensorVerify.cpp)
LogicalResult verifyEmpty(Operation& op);
LogicalResult verifyExtract(Operation& op);
LogicalResult verifyInsert(Operation& op);
LogicalResult verifyCast(Operation& op);
LogicalResult verifyBitcast(Operation& op);
LogicalResult verifyFromElements(Operation& op);
LogicalResult verifySplat(Operation& op);
LogicalResult verifyGenerate(Operation& op);
LogicalResult verifyPad(Operation& op);
LogicalResult verifySlice(Operation& op);
LogicalResult verifyParallelInsert(Operation& op);
LogicalResult verifyExpandShape(Operation& op);
LogicalResult verifyCollapseShape(Operation& op);
LogicalResult verifyReshape(Operation& op);
LogicalResult verifyConcat(Operation& op);
LogicalResult verifyGather(Operation& op);
LogicalResult verifyScatter(Operation& op);

// -- Folders (TensorFold.cpp)
LogicalResult foldCast(Operation& op, std::span<const Attribute> operands,
                       std::vector<FoldResult>& results);
LogicalResult foldDim(Operation& op, std::span<const Attribute> operands,
                      std::vector<FoldResult>& results);
LogicalResult foldRank(Operation& op, std::span<const Attribute> operands,
                       std::vector<FoldResult>& results);
LogicalResult foldExtract(Operation& op, std::span<const Attribute> operands,
                          std::vector<FoldResult>& results);
LogicalResult foldInsert(Operation& op, std::span<const Attribute> operands,
                         std::vector<FoldResult>& results);
LogicalResult foldFromElements(Operation& op, std::span<const Attribute> operands,
                               std::vector<FoldResult>& results);
LogicalResult foldSplat(Operation& op, std::span<const Attribute> operands,
                        std::vector<FoldResult>& results);
LogicalResult foldExtractSlice(Operation& op, std::span<const Attribute> operands,
                               std::vector<FoldResult>& results);
LogicalResult foldInsertSlice(Operation& op, std::span<const Attribute> operands,
                              std::vector<FoldResult>& results);
LogicalResult foldReshapeView(Operation& op, std::span<const Attribute> operands,
                              std::vector<FoldResult>& results);
LogicalResult foldReshape(Operation& op, std::span<const Attribute> operands,
                          std::vector<FoldResult>& results);
LogicalResult foldPad(Operation& op, std::span<const Attribute> operands,
                      std::vector<FoldResult>& results);
LogicalResult foldConcat(Operation& op, std::span<const Attribute> operands,
                         std::vector<FoldResult>& results);
LogicalResult foldBitcast(Operation& op, std::span<const Attribute> operands,
                          std::vector<FoldResult>& results);

// -- Rewrites (TensorCanonicalize.cpp)
LogicalResult emptyConstantSizes(Operation& op, Rewriter& rewriter);
LogicalResult castOfEmpty(Operation& op, Rewriter& rewriter);
LogicalResult castOfCast(Operation& op, Rewriter& rewriter);
LogicalResult castOfExtractSlice(Operation& op, Rewriter& rewriter);
LogicalResult dimOfReshape(Operation& op, Rewriter& rewriter);
LogicalResult generateConstantSizes(Operation& op, Rewriter& rewriter);
LogicalResult extractOfGenerate(Operation& op, Rewriter& rewriter);
LogicalResult extractOfIndexCast(Operation& op, Rewriter& rewriter);
LogicalResult sliceConstantArguments(Operation& op, Rewriter& rewriter);
LogicalResult extractSliceOfCast(Operation& op, Rewriter& rewriter);
LogicalResult insertOfCast(Operation& op, Rewriter& rewriter);
LogicalResult insertSliceOfCast(Operation& op, Rewriter& rewriter);
LogicalResult composeReshapes(Operation& op, Rewriter& rewriter);
LogicalResult reshapeOfCast(Operation& op, Rewriter& rewriter);
LogicalResult padOfCast(Operation& op, Rewriter& rewriter);
LogicalResult padConstantSizes(Operation& op, Rewriter& rewriter);
LogicalResult padOfNothing(Operation& op, Rewriter& rewriter);
LogicalResult padOfFill(Operation& op, Rewriter& rewriter);

/// Each size is the same or known on one side only.
bool shapesAgree(std::span<const int64_t> a, std::span<const int64_t> b);
/// The source of a tensor.cast that only forgets; null for anything else.
Value forgottenSource(Value value);
/// Replaces `op` by `value`, cast to the type that its users expect.
void replaceWithCast(Operation& op, Value value, Rewriter& rewriter);

}  // namespace airlite::tensor
