// A core whose program calls functions of objects (`link_with`).
#pragma once

#include "DesignLayout.hpp"

namespace airlite::npu {

/// Links `code` with the objects that the core, or the functions it calls, name: found beside the
/// source and in the folders of the layout. `made` gets the executable; its program is the whole
/// one, whose first bundles are those of `code`. Names of buffers that the core reaches stand for
/// their addresses in objects. The stack of linked functions is not known here.
LogicalResult linkObjects(const Layout& layout, aie::CoreOp core, const codegen::CoreCode& code,
                          const codegen::CoreSurroundings& around, CoreConfig& made);

}  // namespace airlite::npu
