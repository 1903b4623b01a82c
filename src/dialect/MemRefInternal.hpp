// Hooks of the memref dialect that its definitions (MemRef.cpp) refer to. Private to dialect/.
#pragma once

#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/text/OpParser.hpp"
#include "airlite/text/OpPrinter.hpp"

#include <functional>

namespace airlite::memref {

// -- Syntax (MemRefSyntax.cpp)
struct SubViewSyntax {
  static LogicalResult parse(OpParser& parser, OperationState& state);
  static void print(OpPrinter& printer, Operation& op);
};
struct ReinterpretCastSyntax {
  static LogicalResult parse(OpParser& parser, OperationState& state);
  static void print(OpPrinter& printer, Operation& op);
};
struct ExpandShapeSyntax {
  static LogicalResult parse(OpParser& parser, OperationState& state);
  static void print(OpPrinter& printer, Operation& op);
};
struct CollapseShapeSyntax {
  static LogicalResult parse(OpParser& parser, OperationState& state);
  static void print(OpPrinter& printer, Operation& op);
};
struct TransposeSyntax {
  static LogicalResult parse(OpParser& parser, OperationState& state);
  static void print(OpPrinter& printer, Operation& op);
};
struct GlobalSyntax {
  static LogicalResult parse(OpParser& parser, OperationState& state);
  static void print(OpPrinter& printer, Operation& op);
};
struct AllocaScopeSyntax {
  static LogicalResult parse(OpParser& parser, OperationState& state);
  static void print(OpPrinter& printer, Operation& op);
};
struct GenericAtomicSyntax {
  static LogicalResult parse(OpParser& parser, OperationState& state);
  static void print(OpPrinter& printer, Operation& op);
};
struct PrefetchSyntax {
  static LogicalResult parse(OpParser& parser, OperationState& state);
  static void print(OpPrinter& printer, Operation& op);
};
struct DmaStartSyntax {
  static LogicalResult parse(OpParser& parser, OperationState& state);
  static void print(OpPrinter& printer, Operation& op);
};
struct DmaWaitSyntax {
  static LogicalResult parse(OpParser& parser, OperationState& state);
  static void print(OpPrinter& printer, Operation& op);
};
struct AssumeAlignmentSyntax {
  static LogicalResult parse(OpParser& parser, OperationState& state);
  static void print(OpPrinter& printer, Operation& op);
};

// -- Verifiers (MemRefVerify.cpp, MemRefViews.cpp)
LogicalResult verifyAllocLike(Operation& op);
LogicalResult verifyRealloc(Operation& op);
LogicalResult verifyLoad(Operation& op);
LogicalResult verifyStore(Operation& op);
LogicalResult verifyCopy(Operation& op);
LogicalResult verifyCast(Operation& op);
LogicalResult verifyMemorySpaceCast(Operation& op);
LogicalResult verifyReshape(Operation& op);
LogicalResult verifyView(Operation& op);
LogicalResult verifyGlobal(Operation& op);
LogicalResult verifyGetGlobal(Operation& op);
LogicalResult verifyAssumeAlignment(Operation& op);
LogicalResult verifyStridedMetadata(Operation& op);
LogicalResult verifyAtomicRmw(Operation& op);
LogicalResult verifyGenericAtomic(Operation& op);
LogicalResult verifyAtomicYield(Operation& op);
LogicalResult verifyAllocaScope(Operation& op);
LogicalResult verifyPrefetch(Operation& op);
LogicalResult verifyDmaStart(Operation& op);
LogicalResult verifyDmaWait(Operation& op);
/// The checks that ops with offsets, sizes and strides have in common.
LogicalResult verifyOffsetSizeStride(Operation& op);
/// Dims of `reduced` occur in `full` in this order, and what is skipped has size 1.
bool isShapeReduction(std::span<const int64_t> full, std::span<const int64_t> reduced);
LogicalResult verifySubView(Operation& op);
LogicalResult verifyReinterpretCast(Operation& op);
/// The output shape of an expansion, of memrefs or tensors, fits the result; messages call its
/// entries `sizesAre`.
LogicalResult verifyOutputShape(Operation& op, std::string_view sizesAre);
LogicalResult verifyExpandShape(Operation& op);
LogicalResult verifyCollapseShape(Operation& op);
LogicalResult verifyTranspose(Operation& op);

// -- Folders and rewrites (MemRefFold.cpp, MemRefCanonicalize.cpp)
LogicalResult foldCastsIntoOperands(Operation& op, std::span<const Attribute> operands,
                                    std::vector<FoldResult>& results);
LogicalResult foldCast(Operation& op, std::span<const Attribute> operands,
                       std::vector<FoldResult>& results);
LogicalResult foldMemorySpaceCast(Operation& op, std::span<const Attribute> operands,
                                  std::vector<FoldResult>& results);
LogicalResult foldDim(Operation& op, std::span<const Attribute> operands,
                      std::vector<FoldResult>& results);
LogicalResult foldRank(Operation& op, std::span<const Attribute> operands,
                       std::vector<FoldResult>& results);
LogicalResult foldSubView(Operation& op, std::span<const Attribute> operands,
                          std::vector<FoldResult>& results);
LogicalResult foldReinterpretCast(Operation& op, std::span<const Attribute> operands,
                                  std::vector<FoldResult>& results);
LogicalResult foldReshapeView(Operation& op, std::span<const Attribute> operands,
                              std::vector<FoldResult>& results);
LogicalResult foldTranspose(Operation& op, std::span<const Attribute> operands,
                            std::vector<FoldResult>& results);
LogicalResult foldView(Operation& op, std::span<const Attribute> operands,
                       std::vector<FoldResult>& results);

LogicalResult simplifyAllocConstants(Operation& op, Rewriter& rewriter);
LogicalResult removeDeadAlloc(Operation& op, Rewriter& rewriter);
LogicalResult eraseSelfCopy(Operation& op, Rewriter& rewriter);
LogicalResult subViewConstantArguments(Operation& op, Rewriter& rewriter);
LogicalResult subViewOfCast(Operation& op, Rewriter& rewriter);
LogicalResult trivialSubView(Operation& op, Rewriter& rewriter);
LogicalResult reinterpretCastOfMetadata(Operation& op, Rewriter& rewriter);
LogicalResult reinterpretCastConstants(Operation& op, Rewriter& rewriter);
LogicalResult viewConstantSizes(Operation& op, Rewriter& rewriter);
LogicalResult dimOfReshape(Operation& op, Rewriter& rewriter);
LogicalResult composeExpandOfExpand(Operation& op, Rewriter& rewriter);
LogicalResult composeCollapseOfCollapse(Operation& op, Rewriter& rewriter);
LogicalResult composeExpandOfCollapse(Operation& op, Rewriter& rewriter);
LogicalResult composeMixedReshapes(Operation& op, Rewriter& rewriter);
LogicalResult composeTransposes(Operation& op, Rewriter& rewriter);
LogicalResult metadataConstants(Operation& op, Rewriter& rewriter);
LogicalResult inlineAllocaScope(Operation& op, Rewriter& rewriter);

/// Constant sizes, offsets or strides become static; true when there were some.
bool makeConstantsStatic(std::vector<MixedIndex>& list);
std::vector<int64_t> staticsOf(std::span<const MixedIndex> mixed);

// -- Groups of dims (MemRefCanonicalize.cpp)
Attribute reassociationAttr(Context& context, const Reassociation& groups);
/// Groups over the dims in the middle, each of them a group over the dims at the end.
Reassociation composeGroups(const Reassociation& outer, const Reassociation& inner);
/// Groups of `coarse` written with the numbers of the groups of `fine` that make them up; empty
/// when a fine group lies in two coarse ones.
Reassociation regroup(const Reassociation& coarse, const Reassociation& fine);
/// The groups of `fine` that make up the dims of `coarse`, both static; empty when there are none.
Reassociation groupsBetween(std::span<const int64_t> fine, std::span<const int64_t> coarse);
/// Two shapes that a collapse and an expansion with the same groups go between are the same: no
/// group has two sizes that are not known.
bool isSplitUnique(ShapedType expanded, const Reassociation& groups);

/// Product and sum where kDynamic and overflow make kDynamic.
int64_t saturatingMul(int64_t a, int64_t b);
int64_t saturatingAdd(int64_t a, int64_t b);

}  // namespace airlite::memref
