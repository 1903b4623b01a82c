#include "SlackSchedule.hpp"

#include <algorithm>
#include <climits>

namespace airlite::npu::codegen {

namespace {

/// The distances of all pairs take time with the cube of the size.
constexpr size_t kMostNodes = 160;
constexpr int kNoWay = INT_MIN / 4, kNotPlaced = INT_MIN;

}  // namespace

bool SlackScheduler::run(int interval, bool avoidsBanks) {
  constexpr size_t kBudget = 8;
  if (nodes_.size() > kMostNodes) return false;
  for (uint32_t node = 0; node < nodes_.size(); ++node)
    if (resources_.hitsItself(node, 0, interval)) return false;
  avoidsBanks_ = avoidsBanks;
  if (interval_ != interval) {
    interval_ = interval;
    if (!findDistances()) return false;
    startWindows();
  }
  table_.emplace(resources_.units(), interval);
  times_.assign(nodes_.size(), kNotPlaced);
  lastTimes_.assign(nodes_.size(), kNotPlaced);
  chosen_.assign(nodes_.size(), 0);
  first_ = startFirst_;
  last_ = startLast_;
  size_t budget = nodes_.size() * kBudget;
  for (size_t placed = 0; placed < nodes_.size();) {
    if (!budget--) return false;
    placed += 1;
    placed -= place(nextNode());
  }
  return true;
}

/// Floyd and Warshall; false when a node would have to come after itself.
bool SlackScheduler::findDistances() {
  const size_t size = nodes_.size();
  distances_.assign(size * size, kNoWay);
  for (const RoundEdge& edge : edges_) {
    int& way = distance(edge.from, edge.to);
    way = std::max(way, edge.distance - edge.rounds * interval_);
  }
  for (size_t middle = 0; middle < size; ++middle)
    for (size_t from = 0; from < size; ++from) {
      const int first = distance(from, middle);
      if (first == kNoWay) continue;
      const int* second = &distances_[middle * size];
      int* ways = &distances_[from * size];
      for (size_t to = 0; to < size; ++to)
        if (second[to] != kNoWay) ways[to] = std::max(ways[to], first + second[to]);
    }
  for (size_t node = 0; node < size; ++node)
    if (distance(node, node) > 0) return false;
  distancesTo_.resize(size * size);
  for (size_t from = 0; from < size; ++from)
    for (size_t to = 0; to < size; ++to)
      distancesTo_[to * size + from] = distance(from, to);
  return true;
}

/// A round is as long as its longest way, and half an interval, so that instructions find slots.
void SlackScheduler::startWindows() {
  const size_t size = nodes_.size();
  startFirst_.assign(size, 0);
  for (size_t from = 0; from < size; ++from)
    for (size_t to = 0; to < size; ++to)
      if (from != to) startFirst_[to] = std::max(startFirst_[to], distance(from, to));
  const int end = *std::ranges::max_element(startFirst_) + interval_ / 2;
  startLast_.assign(size, end);
  for (size_t from = 0; from < size; ++from)
    for (size_t to = 0; to < size; ++to)
      if (from != to) startLast_[from] = std::min(startLast_[from], end - distance(from, to));
}

/// Without branches, since it runs for each node that is placed: where there is no way, the sums are far outside of all
/// windows.
void SlackScheduler::narrowWindows(uint32_t placed) {
  const size_t size = nodes_.size();
  const int time = times_[placed];
  const int *from = &distances_[placed * size], *to = &distancesTo_[placed * size];
  int *first = first_.data(), *last = last_.data();
  for (size_t node = 0; node < size; ++node)
    first[node] = std::max(first[node], time + from[node]);
  for (size_t node = 0; node < size; ++node)
    last[node] = std::min(last[node], time - to[node]);
}

uint32_t SlackScheduler::nextNode() const {
  uint32_t best = 0;
  int least = INT_MAX;
  for (uint32_t node = 0; node < nodes_.size(); ++node) {
    if (times_[node] != kNotPlaced) continue;
    // Of an instruction with a choice of forms more cycles are free.
    const int slack =
        (last_[node] - first_[node]) * 2 + static_cast<int>(nodes_[node].choices.size());
    if (slack >= least) continue;
    least = slack;
    best = node;
  }
  return best;
}

/// Next to what it reads, or next to what reads it: of these the more that are placed, the nearer.
bool SlackScheduler::prefersEarly(uint32_t node) const {
  int before = 0, after = 0;
  for (const RoundEdge& edge : edges_) {
    if (edge.rounds != 0) continue;
    before += edge.to == node && times_[edge.from] != kNotPlaced;
    after += edge.from == node && times_[edge.to] != kNotPlaced;
  }
  return before > after;
}

std::optional<size_t> SlackScheduler::choiceAt(uint32_t node, int time) {
  for (size_t choice = 0; choice < nodes_[node].choices.size(); ++choice)
    if (!resources_.hitsItself(node, choice, interval_) &&
        table_->isFree(resources_.at(node, choice, time, avoidsBanks_)))
      return choice;
  return std::nullopt;
}

/// Places a node, where necessary in place of others: returns how many had to go.
size_t SlackScheduler::place(uint32_t node) {
  const int first = first_[node], last = last_[node];
  const int cycles = std::min(last - first + 1, interval_);
  const bool isEarly = prefersEarly(node);
  for (int i = 0; i < cycles; ++i) {
    const int time = isEarly ? first + i : last - i;
    if (auto choice = choiceAt(node, time)) {
      put(node, time, *choice);
      return 0;
    }
  }
  // Each time at a later place, so that two do not drive each other out for ever.
  const int time = lastTimes_[node] == kNotPlaced ? first : std::max(first, lastTimes_[node] + 1);
  size_t count = 0;
  const Reservation wanted = resources_.at(node, 0, time, avoidsBanks_);
  auto mustGo = [&](uint32_t other) {
    const int way = distance(node, other);
    return (way != kNoWay && times_[other] < time + way) ||
           table_->exclude(wanted,
                           resources_.at(other, chosen_[other], times_[other], avoidsBanks_));
  };
  for (uint32_t other = 0; other < nodes_.size(); ++other)
    if (times_[other] != kNotPlaced && mustGo(other)) {
      remove(other);
      ++count;
    }
  if (count) {
    first_ = startFirst_;
    last_ = startLast_;
    for (uint32_t other = 0; other < nodes_.size(); ++other)
      if (times_[other] != kNotPlaced) narrowWindows(other);
  }
  put(node, time, 0);
  return count;
}

void SlackScheduler::put(uint32_t node, int time, size_t choice) {
  times_[node] = lastTimes_[node] = time;
  chosen_[node] = choice;
  table_->put(resources_.at(node, choice, time, avoidsBanks_));
  narrowWindows(node);
}

void SlackScheduler::remove(uint32_t node) {
  table_->remove(resources_.at(node, chosen_[node], times_[node], avoidsBanks_));
  times_[node] = kNotPlaced;
}

}  // namespace airlite::npu::codegen
