// Modulo scheduling by slack (after Huff, "Lifetime-sensitive modulo scheduling", 1993): what has
// the fewest cycles to choose from goes first, and each cycle that is chosen keeps all distances.
// Long chains of results whose registers have to be free again after one interval need that.
#pragma once

#include "Reservations.hpp"

#include <optional>
#include <vector>

namespace airlite::npu::codegen {

class SlackScheduler {
 public:
  SlackScheduler(const std::vector<LoopNode>& nodes, const std::vector<RoundEdge>& edges,
                 const LoopResources& resources)
      : nodes_(nodes), edges_(edges), resources_(resources) {}

  /// False when it finds no schedule with this interval, or when the body is too large for it.
  bool run(int interval, bool avoidsBanks);

  const std::vector<int>& times() const { return times_; }
  const std::vector<size_t>& choices() const { return chosen_; }

 private:
  bool findDistances();
  int& distance(size_t from, size_t to) { return distances_[from * nodes_.size() + to]; }
  void startWindows();
  void narrowWindows(uint32_t placed);
  uint32_t nextNode() const;
  bool prefersEarly(uint32_t node) const;
  std::optional<size_t> choiceAt(uint32_t node, int time);
  size_t place(uint32_t node);
  void put(uint32_t node, int time, size_t choice);
  void remove(uint32_t node);

  const std::vector<LoopNode>& nodes_;
  const std::vector<RoundEdge>& edges_;
  const LoopResources& resources_;
  int interval_ = 0;
  bool avoidsBanks_ = false;
  std::vector<int> distances_;    ///< the longest way from each node to each other one
  std::vector<int> distancesTo_;  ///< the same, to each node from each other one
  /// The cycles in which each node keeps its distances to all that are placed; and with none placed.
  std::vector<int> first_, last_, startFirst_, startLast_;
  std::vector<int> times_, lastTimes_;
  std::vector<size_t> chosen_;
  std::optional<ReservationTable> table_;
};

}  // namespace airlite::npu::codegen
