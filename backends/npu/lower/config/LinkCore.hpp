// The program of a core together with the objects that it names.
#pragma once

#include "Layout.hpp"
#include "airlite/npu/link/Linker.hpp"

#include <vector>

namespace airlite::npu {

/// Links `code` with the objects of `link_with`, of the core and of the functions that it calls;
/// afterwards nothing in it is undefined. Code that calls nothing stays as it is. What the linker
/// says is reported at the core.
LogicalResult linkProgram(aie::CoreOp core, const codegen::CoreSurroundings& around,
                          const std::vector<link::KnownSymbol>& symbols, Generation generation,
                          codegen::CoreCode& code);

}  // namespace airlite::npu
