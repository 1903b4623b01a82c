// How long an AIR program takes on a machine that a file describes: its tokens, channels and loops are
// followed event by event, and each event takes the ports, tiles and cycles that the machine gives it.
// No value is computed. docs/runner.md says what costs what.
//
//   std::optional<runner::Timeline> timeline = runner::runOnMachine(function, machine);
//   if (timeline) std::cout << timeline->cycles << "\n" << runner::traceOf(*timeline);
#pragma once

#include "airlite/ir/Operation.hpp"
#include "airlite/runner/Machine.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace airlite::runner {

/// Something that took time.
struct TimedEvent {
  Operation* op = nullptr;
  std::string name;    ///< of the op, with its channel
  uint32_t place = 0;  ///< in Timeline::places
  uint64_t begin = 0, end = 0;
};

/// Ports, or the computing part of a tile.
struct ResourceUse {
  std::string name;
  uint64_t count = 0;  ///< that there are
  uint64_t busy = 0;   ///< cycles, of all together
};

struct Timeline {
  uint64_t cycles = 0;
  std::vector<std::string> places;     ///< "host", "segment @s", "core (0,1) of @h"
  std::vector<TimedEvent> events;      ///< in the order of their ends
  std::vector<uint64_t> launchEnds;    ///< of each instance of a launch, in their order
  std::vector<ResourceUse> resources;  ///< that were used
};

/// `function`: a func.func with a body. Empty after errors, which are reported at their ops: a herd or
/// segment that the machine has no room for, types and kernels that it does not know, a program that
/// hangs or that cannot be followed (analysis/Unfolding.hpp). air.custom ops of its module become calls.
std::optional<Timeline> runOnMachine(Operation& function, const Machine& machine);

/// For chrome://tracing and Perfetto, as npu::sim::TraceWriter: a microsecond of the trace is a cycle.
std::string traceOf(const Timeline& timeline);
/// For people: launches, resources and how long they were busy.
std::string reportOf(const Timeline& timeline);

}  // namespace airlite::runner
