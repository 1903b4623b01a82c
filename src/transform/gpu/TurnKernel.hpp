// Kernels of elementwise ops that read memory across: transposes, and what is computed on the way.
#pragma once

#include "GpuModule.hpp"

namespace airlite::gpu {

/// Whether an operand of the elementwise `op` has its rows along another loop than the result, both of which are long.
bool turnsRows(linalg::StructuredOp op);

/// Puts an air.launch in front of `op`, which computes what it does; `op` stays. A workgroup has a tile of the result;
/// what lies across goes through LDS, so that all memory is read and written along its rows. Floats of 16 bits are
/// computed in 32.
void createTurnLaunch(linalg::StructuredOp op);

}  // namespace airlite::gpu
