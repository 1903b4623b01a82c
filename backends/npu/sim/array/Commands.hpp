// The command processor: executes the runtime stream while the array runs.
#pragma once

#include "airlite/npu/sim/array/Array.hpp"

namespace airlite::npu::sim {

RunResult runStream(Array& array, ArrayState& state, const Txn& stream);
RunResult settleArray(ArrayState& state);

}  // namespace airlite::npu::sim
