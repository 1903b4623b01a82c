// What the instructions of a pipelined loop take of the machine, by cycle modulo the interval.
#pragma once

#include "Dependences.hpp"
#include "LoopGraph.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

namespace airlite::npu::codegen {

/// For each pair of instructions the distances at which they would hold a unit at the same time:
/// bit d is distance d.
class UnitTable {
 public:
  explicit UnitTable(const std::vector<LoopNode>& nodes) {
    for (const LoopNode& node : nodes)
      for (const isa::Instruction& choice : node.choices)
        numberOf(choice);
    masks_.resize(kinds_.size() * kinds_.size());
    for (size_t a = 0; a < kinds_.size(); ++a)
      for (size_t b = 0; b < kinds_.size(); ++b)
        for (int d = 0; d <= static_cast<int>(isa::kLastCycle); ++d)
          if (unitsCollide(kinds_[a], kinds_[b], d)) masks_[a * kinds_.size() + b] |= 1u << d;
  }

  size_t numberOf(const isa::Instruction& instruction) {
    auto sameTiming = [&](const isa::Instruction& other) {
      return isa::itineraryOf(other) == isa::itineraryOf(instruction);
    };
    auto found = std::ranges::find_if(kinds_, sameTiming);
    if (found == kinds_.end()) found = kinds_.insert(found, instruction);
    return static_cast<size_t>(found - kinds_.begin());
  }

  size_t size() const { return kinds_.size(); }

  /// Instructions of a kind and in which cycles, counted from the issue of another, they would be
  /// in its way: modulo the interval, each once.
  struct Conflict {
    size_t kind;
    int cycle;
  };
  std::vector<Conflict> conflictsOf(size_t kind, int interval) const {
    std::vector<Conflict> found;
    std::vector<bool> cycles;
    for (size_t other = 0; other < kinds_.size(); ++other) {
      cycles.assign(static_cast<size_t>(interval), false);
      const uint32_t after = masks_[kind * kinds_.size() + other],
                     before = masks_[other * kinds_.size() + kind];
      for (int d = 0; d <= static_cast<int>(isa::kLastCycle); ++d) {
        if (after >> d & 1) cycles[static_cast<size_t>(d % interval)] = true;
        if (before >> d & 1)
          cycles[static_cast<size_t>((interval - d % interval) % interval)] = true;
      }
      for (int cycle = 0; cycle < interval; ++cycle)
        if (cycles[static_cast<size_t>(cycle)]) found.push_back({other, cycle});
    }
    return found;
  }

  /// Whether one of kind `b`, issued `between` cycles after one of kind `a` (less than the interval), is in its way.
  bool collide(size_t a, size_t b, size_t between, int interval) const {
    const uint32_t after = masks_[a * kinds_.size() + b], before = masks_[b * kinds_.size() + a];
    constexpr size_t kLast = isa::kLastCycle;
    for (size_t d = between; after && d <= kLast; d += static_cast<size_t>(interval))
      if (after >> d & 1) return true;
    for (size_t d = static_cast<size_t>(interval) - between; before && d <= kLast;
         d += static_cast<size_t>(interval))
      if (before >> d & 1) return true;
    return between == 0 && before & 1;
  }

  /// Whether an instruction of this kind is in the way of the one of another round.
  bool hitsItself(size_t kind, int interval) const {
    const uint32_t mask = masks_[kind * kinds_.size() + kind];
    for (int d = interval; d <= static_cast<int>(isa::kLastCycle); d += interval)
      if (mask >> d & 1) return true;
    return false;
  }

 private:
  std::vector<isa::Instruction> kinds_;
  std::vector<uint32_t> masks_;
};

/// What an instruction takes of the machine: a slot, units, banks.
struct Reservation {
  size_t kind;  ///< of UnitTable
  unsigned slots;
  int cycle;  ///< of its issue
  uint32_t banks;
  int bankCycle;  ///< counted from its issue
};

/// What the instructions of a loop take, by cycle modulo the interval.
class ReservationTable {
 public:
  ReservationTable(const UnitTable& units, int interval)
      : interval_(interval),
        slots_(static_cast<size_t>(interval)),
        banks_(static_cast<size_t>(interval) * kBanks),
        blocked_(static_cast<size_t>(interval) * units.size()),
        conflicts_(units.size()),
        units_(&units) {}

  bool isFree(const Reservation& wanted) const {
    const size_t at = row(wanted.cycle);
    if (slots_[at] & wanted.slots || blocked_[cell(wanted.kind, at)]) return false;
    for (uint32_t left = wanted.banks; left; left &= left - 1)
      if (banks_[bankCell(left, wanted)]) return false;
    return true;
  }
  bool exclude(const Reservation& a, const Reservation& b) const {
    const size_t between = row(b.cycle - a.cycle);
    if (between == 0 && (a.slots & b.slots)) return true;
    if ((a.banks & b.banks) && row(a.cycle + a.bankCycle) == row(b.cycle + b.bankCycle))
      return true;
    return units_->collide(a.kind, b.kind, between, interval_);
  }
  void put(const Reservation& taken) {
    slots_[row(taken.cycle)] |= taken.slots;
    count(taken, 1);
  }
  void remove(const Reservation& taken) {
    slots_[row(taken.cycle)] &= ~taken.slots;
    count(taken, -1);
  }

 private:
  /// Instructions that would be in the way of each other: most questions are whether one is free, so the answer is kept for
  /// each kind and cycle.
  void count(const Reservation& taken, int by) {
    const size_t at = row(taken.cycle), interval = static_cast<size_t>(interval_);
    for (const UnitTable::Conflict& conflict : conflictsOf(taken.kind)) {
      const size_t other = at + static_cast<size_t>(conflict.cycle);
      blocked_[cell(conflict.kind, other < interval ? other : other - interval)] += by;
    }
    for (uint32_t left = taken.banks; left; left &= left - 1)
      banks_[bankCell(left, taken)] += by;
  }
  size_t row(int cycle) const {
    return static_cast<size_t>(((cycle % interval_) + interval_) % interval_);
  }
  size_t cell(size_t kind, size_t row) const { return kind * static_cast<size_t>(interval_) + row; }
  size_t bankCell(uint32_t banks, const Reservation& taken) const {
    return row(taken.cycle + taken.bankCycle) * kBanks +
           static_cast<size_t>(std::countr_zero(banks));
  }
  const std::vector<UnitTable::Conflict>& conflictsOf(size_t kind) {
    if (!conflicts_[kind]) conflicts_[kind] = units_->conflictsOf(kind, interval_);
    return *conflicts_[kind];
  }

  int interval_;
  std::vector<unsigned> slots_;
  std::vector<int> banks_;
  std::vector<int> blocked_;  ///< by how many instructions, of each kind in each cycle
  std::vector<std::optional<std::vector<UnitTable::Conflict>>> conflicts_;  // of each kind
  const UnitTable* units_;
};

/// What each instruction of a body would take, in each of its forms.
class LoopResources {
 public:
  LoopResources(const std::vector<LoopNode>& nodes, UnitTable& units)
      : nodes_(nodes), units_(units) {
    for (const LoopNode& node : nodes) {
      std::vector<size_t>& kinds = kinds_.emplace_back();
      std::vector<unsigned>& slots = slots_.emplace_back();
      for (const isa::Instruction& choice : node.choices) {
        kinds.push_back(units.numberOf(choice));
        slots.push_back(slotsOf(choice));
      }
    }
  }

  const UnitTable& units() const { return units_; }
  /// With `avoidsBanks` banks are taken as well.
  Reservation at(uint32_t node, size_t choice, int cycle, bool avoidsBanks) const {
    return {kinds_[node][choice], slots_[node][choice], cycle, avoidsBanks ? nodes_[node].banks : 0,
            nodes_[node].bankCycle};
  }
  /// Whether an instruction is in the way of the same one of another round.
  bool hitsItself(uint32_t node, size_t choice, int interval) const {
    return units_.hitsItself(kinds_[node][choice], interval);
  }

 private:
  const std::vector<LoopNode>& nodes_;
  UnitTable& units_;
  std::vector<std::vector<size_t>> kinds_;    // of each choice of each node
  std::vector<std::vector<unsigned>> slots_;  // the same
};

}  // namespace airlite::npu::codegen
