// Control flow of a host function as far as a run of it knows: ranges of loops.
#pragma once

#include "HostValues.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Scf.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace airlite::npu {

/// Marks of waits: the end of a launch, and of one iteration of it.
constexpr std::string_view kEndMark = "air.launch_end", kIterationMark = "air.iteration_end";

/// Does `op`, or anything in it, concern a device?
bool hasDeviceEffect(Operation& op);

struct LoopRange {
  int64_t lower = 0, upper = 0, step = 1;
};
/// The range of a loop; none while a part of it is only known when the sequence runs, or where the
/// step is not positive.
std::optional<LoopRange> rangeOf(affine::ForOp loop, HostValues& values);
std::optional<LoopRange> rangeOf(scf::ForOp loop, HostValues& values);
/// One range per dimension.
std::optional<std::vector<LoopRange>> rangesOf(scf::ParallelOp loop, HostValues& values);

}  // namespace airlite::npu
