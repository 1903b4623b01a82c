// Hooks of the aiex dialect that its definitions (Aiex.cpp) refer to. Private to dialect/.
#pragma once

#include "AieInternal.hpp"
#include "airlite/dialect/Aiex.hpp"

namespace airlite::aiex {

// -- Syntax (AiexSyntax.cpp)
LogicalResult parseMemcpy(OpParser& parser, OperationState& state);
void printMemcpy(OpPrinter& printer, Operation& op);

/// The attributes of npu.writebd that every op has.
std::span<const std::string_view> writeBdFields();

// -- Verifiers: tasks and configurations (AiexVerifyTasks.cpp)
/// Is `op` in a runtime sequence?
LogicalResult verifyInSequence(Operation& op);
LogicalResult verifyConfigureTask(Operation& op);
LogicalResult verifyConfigureTaskFor(Operation& op);
LogicalResult verifyTaskUse(Operation& op);
LogicalResult verifyAwait(Operation& op);
LogicalResult verifyConfigure(Operation& op);
LogicalResult verifyRun(Operation& op);
LogicalResult verifySetLock(Operation& op);
LogicalResult verifyLoadPdi(Operation& op);
LogicalResult verifyPreempt(Operation& op);
/// The shim allocation or object FIFO called `reference`; reports a missing one.
LogicalResult findEndpoint(Operation& op, SymbolRefAttr reference, Operation*& endpoint);

// -- Instructions (AiexVerify.cpp)
LogicalResult verifyWrite(Operation& op);
LogicalResult verifyBlockWrite(Operation& op);
LogicalResult verifyRtpWrite(Operation& op);
LogicalResult verifyAddressPatch(Operation& op);
LogicalResult verifyControlPacket(Operation& op);
LogicalResult verifyWriteBd(Operation& op);
LogicalResult verifyPushQueue(Operation& op);
LogicalResult verifyDmaWait(Operation& op);
LogicalResult verifyMemcpy(Operation& op);

/// Operand groups of npu.dma_memcpy_nd.
enum MemcpyGroup : unsigned { kCopyMemref, kCopyOffsets, kCopySizes, kCopyStrides };

}  // namespace airlite::aiex
