// The instructions of a loop's body with what scheduling asks of them, and the distances that they
// have to keep within a round and from round to round.
#pragma once

#include "ModuloSchedule.hpp"
#include "airlite/device/AieDevices.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace airlite::npu::codegen {

/// An instruction of the body with what scheduling asks of it.
struct LoopNode {
  std::vector<isa::Instruction> choices;
  std::vector<RegisterAccess> accesses;
  const MachineInst* inst = nullptr;
  uint32_t banks = 0;  ///< that its access of memory may need, as bits; 0: not known, or none
  int bankCycle = 0;   ///< when it needs them, counted from its issue
};

/// Banks of data memory as one core sees them, its own and those of three neighbours: a bank serves
/// one access of vectors in a cycle (docs/hardware/timing.md, "data memory").
inline constexpr const aie::TileLimits& kCoreTile =
    aie::limitsOf(aie::Generation::Aie2, aie::TileKind::Core);
inline constexpr uint32_t kBankBytes = kCoreTile.memoryBytes / kCoreTile.banks,
                          kBanks = 4 * kCoreTile.banks;

struct RoundEdge {
  uint32_t from = 0, to = 0;
  int distance = 0;  ///< cycles
  int rounds = 0;    ///< `to` is that many rounds later
};

/// False, with the reason, for a body with instructions that have to be alone, as locks. The nodes
/// point to the instructions of `body`.
bool makeLoopNodes(const std::vector<MachineInst>& body, std::span<const RegClass> classes,
                   std::vector<LoopNode>& nodes, std::string& why);
std::vector<RoundEdge> edgesOf(const std::vector<LoopNode>& nodes);
/// For each node the cycles from its issue to the end of a round, where rounds begin `interval`
/// cycles after each other; false when results that later rounds read need a larger interval.
bool findHeights(size_t nodes, std::span<const RoundEdge> edges, int interval,
                 std::vector<int>& heights);
/// Loops with a larger interval have little to gain.
inline constexpr int kLargestInterval = 160;
/// The smallest interval that findHeights takes, or one more than the largest.
int recurrenceBound(size_t nodes, std::span<const RoundEdge> edges);
/// The instructions of the vector unit in the order of the program: what is loaded for several of
/// them, which stand next to each other there, then lives for a short time.
std::vector<RoundEdge> orderOfProducts(const std::vector<LoopNode>& nodes);
/// The least distance from `a` to `b` by the registers of both.
int registerDistance(const LoopNode& a, const LoopNode& b);

/// What has a choice takes first the slot that fewer others cannot do without.
void preferFreeSlots(std::vector<LoopNode>& nodes);
/// Cycles for the slots that instructions without a choice need, for loads the two load slots, and on AIE2P
/// for the unit of the core that is held longest, such as the port through which accumulators are written.
int slotBound(const std::vector<LoopNode>& nodes);
/// Accesses of a round to the bank that has most, of those that surely go to one.
int bankBound(const std::vector<LoopNode>& nodes);

}  // namespace airlite::npu::codegen
