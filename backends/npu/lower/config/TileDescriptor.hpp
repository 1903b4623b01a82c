// One aie.dma_bd as a descriptor of the hardware.
#pragma once

#include "DesignLayout.hpp"

#include <vector>

namespace airlite::npu {

/// The block of a descriptor: its ops in the order in which they act.
struct BdBlockOps {
  aie::UseLockOp acquire;  ///< null: none
  aie::DmaBdOp bd;         ///< null: no descriptor's block
  aie::UseLockOp release;  ///< null: none
};
BdBlockOps readBlock(Block& block);
/// The one after it in its chain; null: none.
Block* nextOf(Block& block);
/// The blocks of a chain of descriptors, from its first one on, each once.
std::vector<Block*> blocksFrom(Block* block);

/// The descriptor on `tile` whose chain continues with number `next`. None after errors have been
/// reported, at the op that asks for more than there is.
std::optional<BufferDescriptor> makeDescriptor(const Layout& layout, Tile tile,
                                               const BdBlockOps& ops, std::optional<unsigned> next);

}  // namespace airlite::npu
