// What the sources of the scf dialect share: syntax, verifiers and rewrites by op.
#pragma once

#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/text/OpParser.hpp"
#include "airlite/text/OpPrinter.hpp"

namespace airlite::scf {

// -- ScfSyntax.cpp -------------------------------------------------------------------------------
LogicalResult parseFor(OpParser& parser, OperationState& state);
void printFor(OpPrinter& printer, Operation& op);
LogicalResult parseParallel(OpParser& parser, OperationState& state);
void printParallel(OpPrinter& printer, Operation& op);
LogicalResult parseReduce(OpParser& parser, OperationState& state);
void printReduce(OpPrinter& printer, Operation& op);
LogicalResult parseIf(OpParser& parser, OperationState& state);
void printIf(OpPrinter& printer, Operation& op);
LogicalResult parseWhile(OpParser& parser, OperationState& state);
void printWhile(OpPrinter& printer, Operation& op);
LogicalResult parseForall(OpParser& parser, OperationState& state);
void printForall(OpPrinter& printer, Operation& op);
LogicalResult parseInParallel(OpParser& parser, OperationState& state);
void printInParallel(OpPrinter& printer, Operation& op);
LogicalResult parseIndexSwitch(OpParser& parser, OperationState& state);
void printIndexSwitch(OpPrinter& printer, Operation& op);
LogicalResult parseExecuteRegion(OpParser& parser, OperationState& state);
void printExecuteRegion(OpPrinter& printer, Operation& op);

// -- ScfVerify.cpp -------------------------------------------------------------------------------
LogicalResult verifyFor(Operation& op);
LogicalResult verifyParallel(Operation& op);
LogicalResult verifyReduce(Operation& op);
LogicalResult verifyReduceReturn(Operation& op);
LogicalResult verifyIf(Operation& op);
LogicalResult verifyWhile(Operation& op);
LogicalResult verifyForall(Operation& op);
LogicalResult verifyInParallel(Operation& op);
LogicalResult verifyIndexSwitch(Operation& op);
LogicalResult verifyExecuteRegion(Operation& op);

// -- ScfCanonicalize.cpp (loops) -----------------------------------------------------------------
LogicalResult foldFor(Operation& op, std::span<const Attribute> operands,
                      std::vector<FoldResult>& results);
LogicalResult simplifyTrivialFor(Operation& op, Rewriter& rewriter);
LogicalResult removeForIterArgs(Operation& op, Rewriter& rewriter);
LogicalResult forTensorCasts(Operation& op, Rewriter& rewriter);
LogicalResult collapseParallel(Operation& op, Rewriter& rewriter);
LogicalResult mergeNestedParallel(Operation& op, Rewriter& rewriter);
LogicalResult whileConditionInBody(Operation& op, Rewriter& rewriter);
LogicalResult whileConditionAgain(Operation& op, Rewriter& rewriter);
LogicalResult whileInvariantArgs(Operation& op, Rewriter& rewriter);
LogicalResult whileInvariantResults(Operation& op, Rewriter& rewriter);
LogicalResult whileUnusedInits(Operation& op, Rewriter& rewriter);
LogicalResult whileUnusedResults(Operation& op, Rewriter& rewriter);
LogicalResult forallConstantBounds(Operation& op, Rewriter& rewriter);
LogicalResult forallTrivial(Operation& op, Rewriter& rewriter);
LogicalResult forallUnitDims(Operation& op, Rewriter& rewriter);

// -- ScfCanonicalizeIf.cpp (conditionals) --------------------------------------------------------
LogicalResult ifConstantCondition(Operation& op, Rewriter& rewriter);
LogicalResult ifUnusedResults(Operation& op, Rewriter& rewriter);
LogicalResult ifToSelect(Operation& op, Rewriter& rewriter);
LogicalResult ifNegatedCondition(Operation& op, Rewriter& rewriter);
LogicalResult ifKnownCondition(Operation& op, Rewriter& rewriter);
LogicalResult ifEmptyElse(Operation& op, Rewriter& rewriter);
LogicalResult ifCombineNested(Operation& op, Rewriter& rewriter);
LogicalResult ifCombineConsecutive(Operation& op, Rewriter& rewriter);
LogicalResult indexSwitchConstant(Operation& op, Rewriter& rewriter);
LogicalResult executeRegionInline(Operation& op, Rewriter& rewriter);

}  // namespace airlite::scf
