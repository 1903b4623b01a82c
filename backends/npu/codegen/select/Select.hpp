// Selection: from ops to instructions of the machine on virtual registers (docs/npu_core_ir.md says
// which ops there are). Select.cpp has the table from ops to those who select them.
#pragma once

#include "CoreState.hpp"
#include "codegen/Machine.hpp"

namespace airlite::npu::codegen {

/// Of an aie.core or a func.func with a body, into `function`. False after errors.
bool selectFunction(CoreState& state, MachineFunction& function, Operation& op);

}  // namespace airlite::npu::codegen
