// Whether buffers that are filled and drained in steps may be one step large: does the program
// still come to its end when step k + 1 is not fetched before step k has been handed on?
//
// All that may wait for each other in a circle then must advance in steps too. The ops of a launch
// are nodes, an edge leads from what comes first to what waits for it: tokens, values, control, the
// two sides of a channel, and the steps themselves. Where all nodes of a strongly connected part
// are in loops whose trip counts are multiples of the number of steps, and each channel passes on
// as much per step as it takes, the steps can be numbered so that no edge leads back to an earlier
// step, and the new edges lead to later ones: there is no circle.
//
// A buffer may be made anew in each iteration of a loop of the segment, a round. Then all that wait
// for each other in a circle have to advance in rounds, in the same sense, so that a schedule in
// which nothing begins a round before all have ended the one before is possible; and the steps are
// numbered in each round, where the loops over rounds are no circles.
#pragma once

#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace airlite::air {

/// A buffer that loops beside each other fill and drain.
struct StepwiseBuffer {
  std::vector<Operation*> fills, drains;  // scf.for
  Operation* rounds = nullptr;            // scf.for that makes the buffer in each iteration
  int64_t steps = 1;                      // divides all trip counts
  std::string_view obstacle = {};         // set: it cannot be one step large
};

/// Channels that are used in one launch only: all of their puts and gets.
class ChannelUsers {
 public:
  explicit ChannelUsers(Operation& root);
  /// All ops that put to or get from the channel are inside of `launch`.
  bool areIn(std::string_view channel, Operation& launch) const;

 private:
  std::unordered_map<std::string_view, Operation*> launchOf_;  // null: several, or outside of them
};

/// Ops from which control may not continue at once.
bool mayBlock(Operation& op);

/// Sets the obstacle of the buffers in `launch` that must stay as they are, and lessens the number
/// of steps of those that wait for each other to what they have in common. O(ops in `launch`).
void checkStepOrder(Operation& launch, const std::vector<StepwiseBuffer*>& buffers,
                    const ChannelUsers& users);

/// What `tokens` stand for, through air.wait_all.
std::vector<Value> throughJoins(std::vector<Value> tokens);

}  // namespace airlite::air
