#include "LoopPressure.hpp"

#include <algorithm>
#include <climits>
#include <numeric>
#include <optional>

namespace airlite::npu::codegen {

namespace {

/// Of a cycle in which so many values are alive: one too many costs as much as 64 that are alive.
int64_t costOf(int alive, int room) {
  constexpr int64_t kOfExcess = 64;
  const int64_t excess = std::max(0, alive - room);
  return alive + kOfExcess * excess * excess;
}

int cycleIn(int cycle, int interval) { return (cycle % interval + interval) % interval; }

std::optional<PressureFile> pressureFileOf(RegClass regClass) {
  if (shareFile(regClass, RegClass::Accumulator)) return PressureFile::Sums;
  if (shareFile(regClass, RegClass::Vector)) return PressureFile::Vectors;
  return std::nullopt;
}

/// Registers of its file that a value takes.
int registersFor(RegClass regClass, const isa::InstructionSet& set) {
  const bool isWhole = &set == &isa::aie2() && regClass == RegClass::Accumulator;
  return isWhole || regClass == RegClass::VectorPair ? 2 : 1;
}

}  // namespace

int roomOf(PressureFile file, const isa::InstructionSet& set) {
  const bool hasHalves = &set == &isa::aie2();
  const RegClass regClass = file == PressureFile::Vectors ? RegClass::Vector
                            : hasHalves                   ? RegClass::HalfAccumulator
                                                          : RegClass::Accumulator;
  return static_cast<int>(registersOf(regClass, set).size());
}

LoopPressure::LoopPressure(const std::vector<LoopNode>& nodes, std::span<const RegClass> classes,
                           int interval, const std::vector<int>& times)
    : interval_(interval),
      room_{roomOf(PressureFile::Vectors, isa::setOf(nodes.front().inst->form)),
            roomOf(PressureFile::Sums, isa::setOf(nodes.front().inst->form))},
      times_(times),
      valuesOf_(nodes.size()),
      alive_(static_cast<size_t>(interval)) {
  const isa::InstructionSet& set = isa::setOf(nodes.front().inst->form);
  std::map<int32_t, size_t> places;
  for (uint32_t node = 0; node < nodes.size(); ++node)
    for (const RegisterAccess& access : nodes[node].accesses) {
      if (access.number < 0) continue;
      const RegClass regClass = classes[static_cast<size_t>(access.number)];
      const auto file = pressureFileOf(regClass);
      if (!file) continue;
      const auto [found, isNew] = places.try_emplace(access.number, values_.size());
      if (isNew) values_.push_back({{}, *file, registersFor(regClass, set)});
      const int cycle = access.timing.cycle;
      values_[found->second].isWritten |= access.timing.isDef;
      values_[found->second].uses.push_back(
          {node, access.timing.isDef ? cycle : std::min(1, cycle), cycle});
      std::vector<size_t>& own = valuesOf_[node];
      if (std::ranges::find(own, found->second) == own.end()) own.push_back(found->second);
    }
  for (const Value& value : values_)
    count(value, 1);
}

void LoopPressure::count(const Value& value, int sign) {
  int begin = INT_MAX, end = INT_MIN;
  for (const Use& use : value.uses) {
    begin = std::min(begin, times_[use.node] + use.first);
    end = std::max(end, times_[use.node] + use.last);
  }
  if (!value.isWritten || end - begin >= interval_) end = begin + interval_ - 1;
  const auto file = static_cast<size_t>(value.file);
  size_t slot = static_cast<size_t>(cycleIn(begin, interval_));
  for (int at = begin; at <= end; ++at) {
    int& alive = alive_[slot][file];
    cost_ -= costOf(alive, room_[file]);
    alive += sign * value.registers;
    cost_ += costOf(alive, room_[file]);
    if (++slot == alive_.size()) slot = 0;
  }
}

void LoopPressure::countAll(uint32_t node, int sign) {
  for (size_t value : valuesOf_[node])
    count(values_[value], sign);
}

int LoopPressure::most(PressureFile file) const {
  int most = 0;
  for (const auto& alive : alive_)
    most = std::max(most, alive[static_cast<size_t>(file)]);
  return most;
}

int LoopPressure::excess() const {
  return std::max({0, most(PressureFile::Vectors) - room_[0], most(PressureFile::Sums) - room_[1]});
}

int64_t LoopPressure::costAt(uint32_t node, int time) {
  place(node, time);
  const int64_t cost = cost_;
  remove(node);
  return cost;
}

void LoopPressure::place(uint32_t node, int time) {
  times_[node] = time;
  countAll(node, 1);
}

PressureRelief::Window PressureRelief::windowOf(uint32_t node, const Placement& placement,
                                                int interval) const {
  Window window{INT_MIN / 2, INT_MAX / 2};
  for (uint32_t e : edgesOf_[node]) {
    const RoundEdge& edge = edges_[e];
    const int distance = edge.distance - edge.rounds * interval;
    if (edge.to == node)
      window.first = std::max(window.first, placement.times[edge.from] + distance);
    else
      window.last = std::min(window.last, placement.times[edge.to] - distance);
  }
  // No value gains by a move of more than a round.
  const int now = placement.times[node];
  return {std::max(window.first, now - interval + 1), std::min(window.last, now + interval - 1)};
}

void PressureRelief::improve(uint32_t node, Placement& placement, LoopPressure& pressure,
                             ReservationTable& table) {
  const Window window = windowOf(node, placement, interval_);
  const int now = placement.times[node];
  table.remove(resources_.at(node, placement.choices[node], now, avoidsBanks_));
  pressure.remove(node);
  int best = now;
  int64_t least = pressure.costAt(node, now);
  size_t choice = placement.choices[node];
  for (int time = window.first; time <= window.last; ++time) {
    if (time == now) continue;
    for (size_t c = 0; c < nodes_[node].choices.size(); ++c) {
      if (resources_.hitsItself(node, c, interval_) ||
          !table.isFree(resources_.at(node, c, time, avoidsBanks_)))
        continue;
      // Of two places that are as good another one than now, so that others may move as well.
      if (const int64_t cost = pressure.costAt(node, time); cost <= least) {
        least = cost;
        best = time;
        choice = c;
      }
      break;
    }
  }
  table.put(resources_.at(node, choice, best, avoidsBanks_));
  pressure.place(node, best);
  placement.times[node] = best;
  placement.choices[node] = choice;
}

int PressureRelief::run(Placement& placement, int interval, bool avoidsBanks) {
  constexpr int kTurns = 12, kMostExcess = 8;
  LoopPressure pressure(nodes_, classes_, interval, placement.times);
  if (const int excess = pressure.excess(); excess == 0 || excess > kMostExcess) return excess;
  interval_ = interval;
  avoidsBanks_ = avoidsBanks;
  if (edgesOf_.empty()) {
    edgesOf_.resize(nodes_.size());
    for (uint32_t e = 0; e < edges_.size(); ++e)
      if (edges_[e].from != edges_[e].to) {
        edgesOf_[edges_[e].from].push_back(e);
        edgesOf_[edges_[e].to].push_back(e);
      }
  }
  ReservationTable table(resources_.units(), interval);
  for (uint32_t node = 0; node < nodes_.size(); ++node)
    table.put(resources_.at(node, placement.choices[node], placement.times[node], avoidsBanks));
  std::vector<uint32_t> order(nodes_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::minstd_rand random(1);
  for (int turn = 0; turn < kTurns && pressure.excess(); ++turn) {
    for (size_t i = order.size(); i-- > 1;)
      std::swap(order[i], order[random() % (i + 1)]);
    for (uint32_t node : order)
      improve(node, placement, pressure, table);
  }
  return pressure.excess();
}

}  // namespace airlite::npu::codegen
