// The command processor: executes the runtime stream while the array runs.
#pragma once

#include "airlite/npu/sim/array/Array.hpp"

#include <optional>

namespace airlite::npu::sim {

/// That the stream is for another array; none: it is for this one.
std::optional<Fault> mismatchOf(const ArrayState& state, const Txn& stream);
RunResult runStream(Array& array, ArrayState& state, const Txn& stream);
RunResult settleArray(ArrayState& state);

}  // namespace airlite::npu::sim
