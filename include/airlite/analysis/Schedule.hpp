// Orders in which a program can be run, as a file: what the checker gives as a counterexample, and
// `airlite-run --on=interp --schedule=FILE` replays.
//
// {"format": "airlite-schedule", "version": 1, "function": "f", "shows": "race",
//  "arguments": [{"number": 2, "value": 0}],
//  "runs": [{"seed": 0, "late": [{"op": 17, "name": "air.dma_memcpy_nd", "at": "f.mlir:4:3"}]}]}
//
//   Result<Schedule> schedule = scheduleFromJson(text, module);
//   if (schedule) visit(schedule->runs);
#pragma once

#include "airlite/ir/Operation.hpp"
#include "airlite/support/Result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace airlite::analysis {

/// One run: where `seed` decides, and ops that come as late as they can.
struct ScheduledRun {
  uint64_t seed = 0;
  std::vector<Operation*> late;
};

struct Schedule {
  std::string function;
  std::string shows;  // what goes wrong: "race", "deadlock", "unbalanced"
  /// Scalar arguments of the function by their number.
  std::vector<std::pair<unsigned, int64_t>> arguments;
  std::vector<ScheduledRun> runs;
};

/// An op is written as its number in a walk over `module`, from 0, with name and place for people.
std::string scheduleToJson(const Schedule& schedule, Operation& module);
/// Fails when `text` is not a schedule, or one for another program.
Result<Schedule> scheduleFromJson(std::string_view text, Operation& module);

}  // namespace airlite::analysis
