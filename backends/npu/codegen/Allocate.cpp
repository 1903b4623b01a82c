// Graph colouring: registers with few neighbours are put aside first, the dearest of the rest stay
// longest; places are given in the other order, that of a partner of a copy if it is free.
#include "Allocate.hpp"

#include "SoftwarePipeline.hpp"
#include "airlite/npu/isa/Abi.hpp"

#include <algorithm>

namespace airlite::npu::codegen {
namespace {

constexpr isa::Reg kNoPlace = isa::Reg::CORE_ID;  // never given
constexpr int kRounds = 30;
/// Orders in which registers get their places before a loop gets another schedule: more of AIE2P, which has fewer.
constexpr uint32_t kOrdersOfAie2 = 8, kOrders = 24;
uint32_t ordersOf(const MachineFunction& function) {
  return function.set == &isa::aie2() ? kOrdersOfAie2 : kOrders;
}

/// A number that has nothing to do with its arguments but is always the same.
uint32_t mixed(uint32_t a, uint32_t b) {
  uint32_t x = (a * 0x9e3779b9u) ^ (b * 0x85ebca6bu);
  x ^= x >> 15;
  return x * 0xc2b2ae35u;
}

class Colorer {
 public:
  /// `order` 0 gives registers in turn, others pack them and take nodes in orders of their own.
  Colorer(const MachineFunction& function, const Interference& graph,
          const std::vector<bool>& isShort, uint32_t order)
      : function_(function), nodes_(graph.nodes), isShort_(isShort), order_(order) {
    coloring_.places.assign(nodes_.size(), kNoPlace);
  }

  Coloring run() {
    std::vector<uint32_t> order = removalOrder();
    for (size_t i = order.size(); i-- > 0;)
      place(order[i]);
    std::ranges::sort(coloring_.spilled);
    auto repeated = std::ranges::unique(coloring_.spilled);
    coloring_.spilled.erase(repeated.begin(), repeated.end());
    return std::move(coloring_);
  }

 private:
  bool isCalleeSaved(isa::Reg reg) const {
    const std::span<const isa::Reg> saved = isa::abi::conventionOf(*function_.set).calleeSaved;
    return std::ranges::find(saved, reg) != saved.end();
  }

  size_t room(uint32_t node) const {
    size_t count = 0;
    for (isa::Reg reg : registersOf(function_.registers[node], *function_.set))
      count += (isa::storageOf(reg) & nodes_[node].taken).none();
    return count;
  }

  /// First what surely finds a place when all others have theirs, then what costs least in memory.
  std::vector<uint32_t> removalOrder() {
    const auto count = static_cast<uint32_t>(nodes_.size());
    std::vector<size_t> degree(count), rooms(count);
    std::vector<bool> removed(count);
    std::vector<uint32_t> order, easy;
    for (uint32_t n = 0; n < count; ++n) {
      degree[n] = nodes_[n].neighbours.size();
      rooms[n] = room(n);
      if (degree[n] < rooms[n]) easy.push_back(n);
    }
    auto remove = [&](uint32_t node) {
      removed[node] = true;
      order.push_back(node);
      for (uint32_t other : nodes_[node].neighbours)
        if (!removed[other] && degree[other]-- == rooms[other]) easy.push_back(other);
    };
    while (order.size() < count) {
      while (!easy.empty()) {
        uint32_t node = easy.back();
        easy.pop_back();
        if (!removed[node]) remove(node);
      }
      if (order.size() < count) remove(cheapest(removed, degree));
    }
    return order;
  }

  uint32_t cheapest(const std::vector<bool>& removed, const std::vector<size_t>& degree) const {
    uint32_t best = 0;
    double bestCost = -1;
    for (uint32_t n = 0; n < nodes_.size(); ++n) {
      if (removed[n]) continue;
      double cost = isShort_[n] ? 1e30 : nodes_[n].cost / static_cast<double>(degree[n] + 1);
      if (order_) cost *= 1 + mixed(n, order_) % 256 / 512.0;
      if (bestCost >= 0 && cost >= bestCost) continue;
      best = n;
      bestCost = cost;
    }
    return best;
  }

  void place(uint32_t node) {
    isa::Storage taken = nodes_[node].taken;
    for (uint32_t other : nodes_[node].neighbours)
      if (coloring_.places[other] != kNoPlace) taken |= isa::storageOf(coloring_.places[other]);
    if (takePartner(node, taken)) return;
    std::span<const isa::Reg> all = registersOf(function_.registers[node], *function_.set);
    size_t& next = next_[static_cast<size_t>(function_.registers[node])];
    // In turn: the scheduler is freer when registers are not used again at once.
    for (bool savedToo : {function_.isEntry, true})
      for (size_t i = 0; i < all.size(); ++i) {
        isa::Reg reg = all[(next + i) % all.size()];
        if ((isa::storageOf(reg) & taken).any() || (!savedToo && isCalleeSaved(reg))) continue;
        coloring_.places[node] = reg;
        if (!order_) next = (next + i + 1) % all.size();
        return;
      }
    spillFor(node);
  }

  bool takePartner(uint32_t node, const isa::Storage& taken) {
    for (const Operand& partner : nodes_[node].partners) {
      isa::Reg reg = partner.isPhysical() ? partner.physical()
                                          : coloring_.places[static_cast<uint32_t>(partner.number)];
      if (reg == kNoPlace || (isa::storageOf(reg) & taken).any()) continue;
      if (std::ranges::find(registersOf(function_.registers[node], *function_.set), reg) ==
          registersOf(function_.registers[node], *function_.set).end())
        continue;
      coloring_.places[node] = reg;
      return true;
    }
    return false;
  }

  /// A register that only lives from memory to an instruction has to get a place: a neighbour
  /// yields.
  void spillFor(uint32_t node) {
    uint32_t best = node;
    if (isShort_[node])
      for (uint32_t other : nodes_[node].neighbours)
        if (!isShort_[other] && (best == node || nodes_[other].cost < nodes_[best].cost))
          best = other;
    coloring_.spilled.push_back(best);
  }

  const MachineFunction& function_;
  const std::vector<RegisterNode>& nodes_;
  const std::vector<bool>& isShort_;
  const uint32_t order_;
  std::array<size_t, kRegClassCount> next_{};
  Coloring coloring_;
};

void place(Operand& operand, const std::vector<isa::Reg>& places) {
  if (!operand.isVirtual()) return;
  isa::Reg reg = places[static_cast<uint32_t>(operand.number)];
  operand = Operand::of(partOf(reg, operand.part));
}

void placeAll(MachineFunction& function, const std::vector<isa::Reg>& places) {
  for (MachineBlock& block : function.blocks) {
    for (MachineInst& inst : block.instructions)
      for (Operand& operand : inst.ops())
        place(operand, places);
    place(block.terminator.condition, places);
    if (block.schedule) continue;  // its cycles go with its instructions
    std::erase_if(block.instructions, [](const MachineInst& inst) {
      return isCopy(inst) && inst.operands[0] == inst.operands[1];
    });
  }
}

}  // namespace

bool allocateRegisters(MachineFunction& function, std::vector<uint32_t>& loops) {
  std::vector<bool> isShort(function.registers.size());
  for (int round = 0; round < kRounds; ++round) {
    Interference graph = buildInterference(function);
    Coloring coloring = Colorer(function, graph, isShort, 0).run();
    for (uint32_t order = 1; order < ordersOf(function) && !coloring.spilled.empty() &&
                             !loopsWith(function, coloring.spilled).empty();
         ++order)
      coloring = Colorer(function, graph, isShort, order).run();
    if (coloring.spilled.empty()) {
      placeAll(function, coloring.places);
      return true;
    }
    loops = loopsWith(function, coloring.spilled);
    if (!loops.empty()) return false;
    for (uint32_t reg : coloring.spilled)
      if (isShort[reg] || isNeverSpilled(function.registers[reg])) return false;
    spillRegisters(function, coloring.spilled, graph, isShort);
  }
  return false;
}

}  // namespace airlite::npu::codegen
