// One copy as a DMA: what air-copy-to-dma does with those that it finds.
#pragma once

#include "airlite/ir/Operation.hpp"
#include "airlite/pass/Pass.hpp"

namespace airlite {

/// Turns a memref.copy between different memory spaces into an air.dma_memcpy_nd, which gets the
/// next number after those in the function around it. Null, with a remark, when it stays as it is.
Operation* copyToDma(Operation& copy, PassContext& context);

}  // namespace airlite
