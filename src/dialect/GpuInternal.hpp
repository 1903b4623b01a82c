// Hooks of the gpu dialect that its definitions (Gpu.cpp) refer to. Private to dialect/.
#pragma once

#include "airlite/dialect/Gpu.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/text/OpParser.hpp"
#include "airlite/text/OpPrinter.hpp"

namespace airlite::gpu {

// -- Syntax (GpuSyntax.cpp)
LogicalResult parseIndexOp(OpParser& parser, OperationState& state);
void printIndexOp(OpPrinter& printer, Operation& op);
LogicalResult parseShuffle(OpParser& parser, OperationState& state);
void printShuffle(OpPrinter& printer, Operation& op);
LogicalResult parsePrintf(OpParser& parser, OperationState& state);
void printPrintf(OpPrinter& printer, Operation& op);
LogicalResult parseFunc(OpParser& parser, OperationState& state);
void printFunc(OpPrinter& printer, Operation& op);
LogicalResult parseModule(OpParser& parser, OperationState& state);
void printModule(OpPrinter& printer, Operation& op);
LogicalResult parseLaunch(OpParser& parser, OperationState& state);
void printLaunch(OpPrinter& printer, Operation& op);
LogicalResult parseLaunchFunc(OpParser& parser, OperationState& state);
void printLaunchFunc(OpPrinter& printer, Operation& op);
/// Registers custom<GpuAsync>(asyncToken, asyncDependencies).
void registerGpuDirectives();

// -- Verifiers and rewrites (GpuVerify.cpp)
LogicalResult verifyFunc(Operation& op);
LogicalResult verifyReturn(Operation& op);
LogicalResult verifyLaunch(Operation& op);
LogicalResult verifyLaunchFunc(Operation& op);
LogicalResult verifyMemcpy(Operation& op);
LogicalResult verifyBarrier(Operation& op);
LogicalResult verifyMatrixProduct(Operation& op);
LogicalResult verifyAlloc(Operation& op);
LogicalResult dropEmptyTokens(Operation& op, Rewriter& rewriter);
LogicalResult dropUnusedWait(Operation& op, Rewriter& rewriter);

Type asyncTokenType(Context& context);
Attribute dimensionAttr(Context& context, Dimension dimension);

}  // namespace airlite::gpu
