// How many values of a file the schedule of a loop keeps alive at the same time, and schedules that keep fewer.
#pragma once

#include "LoopGraph.hpp"
#include "Reservations.hpp"

#include <array>
#include <map>
#include <random>
#include <span>
#include <vector>

namespace airlite::npu::codegen {

/// Files whose values are counted: of vectors, and of accumulators and their parts.
enum class PressureFile : uint8_t { Vectors, Sums };
inline constexpr size_t kPressureFiles = 2;

/// Registers that a file has: of AIE2 its accumulators count as two halves each.
int roomOf(PressureFile file, const isa::InstructionSet& set);

/// When the instructions of a body issue in round 0, and which of their forms they are.
struct Placement {
  std::vector<int> times;
  std::vector<size_t> choices;  ///< of LoopNode::choices
};

/// The values that are alive in each cycle of a loop, at least: registers are given by the same lives
/// (Interference.cpp).
class LoopPressure {
 public:
  LoopPressure(const std::vector<LoopNode>& nodes, std::span<const RegClass> classes, int interval,
               const std::vector<int>& times);

  int most(PressureFile file) const;
  /// How many more are alive than there are registers.
  int excess() const;
  /// Takes a node out of the count, until it is placed again.
  void remove(uint32_t node) { countAll(node, -1); }
  void place(uint32_t node, int time);
  /// What the count would cost with a node that was removed in this cycle: less is better.
  int64_t costAt(uint32_t node, int time);

 private:
  /// A register that instructions of the body access, each at its distance from the issue.
  struct Use {
    uint32_t node = 0;
    int first = 0, last = 0;  ///< cycles in which it holds the register, counted from its issue
  };
  struct Value {
    std::vector<Use> uses;
    PressureFile file = PressureFile::Vectors;
    int registers = 1;
    bool isWritten = false;
  };

  void count(const Value& value, int sign);
  void countAll(uint32_t node, int sign);

  int interval_;
  std::array<int, kPressureFiles> room_;
  std::vector<int> times_;
  std::vector<Value> values_;
  std::vector<std::vector<size_t>> valuesOf_;           // by node
  std::vector<std::array<int, kPressureFiles>> alive_;  // by cycle
  int64_t cost_ = 0;                                    // of `alive_`
};

/// Moves instructions within what they depend on and what is free, until no more values are alive than there are
/// registers, or it finds no better places. The placement stays one of the same interval.
class PressureRelief {
 public:
  PressureRelief(const std::vector<LoopNode>& nodes, const std::vector<RoundEdge>& edges,
                 const LoopResources& resources, std::span<const RegClass> classes)
      : nodes_(nodes), edges_(edges), resources_(resources), classes_(classes) {}

  /// How many values are left in the end for which there is no register.
  int run(Placement& placement, int interval, bool avoidsBanks);

 private:
  /// The cycles in which a node keeps its distances to all others.
  struct Window {
    int first, last;
  };
  Window windowOf(uint32_t node, const Placement& placement, int interval) const;
  void improve(uint32_t node, Placement& placement, LoopPressure& pressure,
               ReservationTable& table);

  const std::vector<LoopNode>& nodes_;
  const std::vector<RoundEdge>& edges_;
  const LoopResources& resources_;
  std::span<const RegClass> classes_;
  int interval_ = 1;
  bool avoidsBanks_ = false;
  std::vector<std::vector<uint32_t>> edgesOf_;  // by node
};

}  // namespace airlite::npu::codegen
