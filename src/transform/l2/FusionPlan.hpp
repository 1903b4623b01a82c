// L2 buffers that sibling loops fill and drain in steps: what air-loop-fusion looks for.
#pragma once

#include "BufferStepOrder.hpp"
#include "analysis/BufferUses.hpp"

namespace airlite::air {

/// A buffer of a block, with the loops of the block that use it.
struct FusionCandidate : StepwiseBuffer {
  Operation* alloc = nullptr;  // executes
  Operation* dealloc = nullptr;

  Value buffer() const { return onlyOp(*alloc)->result(); }
  MemRefType type() const { return buffer().type().cast<MemRefType>(); }
  std::vector<Operation*> loops() const {
    std::vector<Operation*> all = fills;
    all.insert(all.end(), drains.begin(), drains.end());
    return all;
  }
};

/// An execute of nothing but an allocation in L2.
bool isL2Allocation(Operation& op);
/// The op of `block` around `op`; null when it is not in there.
Operation* inBlock(Operation& op, const Block& block);

/// Finds the loops of the buffer that `alloc` makes. False, with `why` empty, when it is not filled
/// and drained by loops; with a reason in `why` when its loops cannot become one as far as they and
/// their data tell. Who waits for whom is another question (BufferStepOrder.hpp).
bool matchFusion(Operation& alloc, FusionCandidate& found, std::string_view& why);

}  // namespace airlite::air
