#include "LoopGraph.hpp"

#include "Dependences.hpp"

#include <algorithm>
#include <bit>
#include <climits>
#include <map>
#include <optional>

namespace airlite::npu::codegen {

namespace {

/// A register of its class in place of each virtual one: timing and slots depend on the class
/// alone.
MachineInst representative(MachineInst inst, std::span<const RegClass> classes) {
  for (Operand& operand : inst.ops())
    if (operand.isVirtual()) {
      const RegClass regClass = classes[static_cast<size_t>(operand.number)];
      isa::Reg reg = registersOf(regClass, isa::setOf(inst.form)).front();
      operand = Operand::of(partOf(reg, operand.part));
    }
  return inst;
}

/// The operand of `inst` that operand `index` of its form is: twins have the letter in common.
const Operand* operandOf(const MachineInst& inst, unsigned index) {
  const isa::FormRow& form = inst.row();
  for (unsigned i = 0; i < inst.operandCount; ++i)
    if (form.operands[form.textOrder[i]].letter == form.operands[index].letter)
      return &inst.operands[i];
  return nullptr;
}

bool meet(const RegisterAccess& a, const RegisterAccess& b) {
  if (a.number != b.number) return false;
  return a.number >= 0 ? a.parts & b.parts : isa::overlap(a.timing.reg, b.timing.reg);
}

/// Of an access that may go to more banks nothing is known.
constexpr int kMostBanks = 2;

uint32_t banksOf(const MachineInst& inst) {
  const MemoryPlace& place = inst.memory;
  if (!inst.row().touchesMemory() || place.isSlot || place.begin >= place.end) return 0;
  const uint32_t first = place.begin / kBankBytes, last = (place.end - 1) / kBankBytes;
  if (last - first >= kMostBanks) return 0;
  return 1u << first % kBanks | 1u << last % kBanks;
}

/// Whether an access touches in some round what another of its group touches `rounds` later.
bool meetAfter(const LoopPlace& x, const LoopPlace& y, int rounds) {
  for (int from = 0; from < std::max(x.rowLength, 1); ++from) {
    int begin = y.offset + y.distance(from + rounds) - x.distance(from);
    if (x.offset < begin + y.bytes && begin < x.offset + x.bytes) return true;
  }
  return false;
}

/// The least distance between two accesses of memory from one iteration to one `rounds` later.
int memoryDistance(const LoopNode& a, const LoopNode& b, int rounds) {
  const MachineInst &first = *a.inst, &second = *b.inst;
  bool stores = (first.row().flags | second.row().flags) & isa::kStores;
  if (!first.row().touchesMemory() || !second.row().touchesMemory() || !stores) return kIndependent;
  int order = isa::memoryOrder(a.choices.front(), b.choices.front());
  const LoopPlace &x = first.inLoop, &y = second.inLoop;
  if (!x.group || x.group != y.group || x.step != y.step || x.rowLength != y.rowLength ||
      x.rowStep != y.rowStep)
    return mayMeet(first.memory, second.memory) ? order : kIndependent;
  return meetAfter(x, y, rounds) ? order : kIndependent;
}

bool haveEffects(const LoopNode& a, const LoopNode& b) {
  return a.inst->row().is(isa::kSideEffects) && b.inst->row().is(isa::kSideEffects);
}

class EdgeFinder {
 public:
  explicit EdgeFinder(const std::vector<LoopNode>& nodes) : nodes_(nodes) {}

  std::vector<RoundEdge> run() {
    for (uint32_t i = 0; i < nodes_.size(); ++i)
      for (uint32_t j = 0; j < nodes_.size(); ++j)
        addBetween(i, j);
    return std::move(edges_);
  }

 private:
  void addBetween(uint32_t i, uint32_t j) {
    int registers = registerDistance(nodes_[i], nodes_[j]);
    if (haveEffects(nodes_[i], nodes_[j])) registers = std::max(registers, 1);
    // What holds from one round to the next holds over more rounds as well, except for memory.
    int last = lastMeeting(i, j);
    for (int rounds = i < j ? 0 : 1; rounds <= last; ++rounds) {
      int distance = memoryDistance(nodes_[i], nodes_[j], rounds);
      if (rounds <= 1) distance = std::max(distance, registers);
      if (distance != kIndependent) edges_.push_back({i, j, distance, rounds});
    }
  }

  /// The number of rounds after which two accesses of a group no longer meet.
  int lastMeeting(uint32_t i, uint32_t j) const {
    const LoopPlace &x = nodes_[i].inst->inLoop, &y = nodes_[j].inst->inLoop;
    if (!x.group || x.group != y.group || x.step != y.step) return 1;
    if (!x.step && !x.rowLength) return 1;
    constexpr int kMost = 64;  // rounds under way
    if (x.rowLength) return kMost;
    int reach = std::abs(x.offset - y.offset) + std::max(x.bytes, y.bytes);
    return std::clamp(reach / std::abs(x.step) + 1, 1, kMost);
  }

  const std::vector<LoopNode>& nodes_;
  std::vector<RoundEdge> edges_;
};

unsigned slotsOfAll(const LoopNode& node) {
  unsigned all = 0;
  for (const isa::Instruction& choice : node.choices)
    all |= slotsOf(choice);
  return all;
}

/// How many instructions need each slot and have no choice.
using SlotCounts = std::array<int, isa::kSlotCount>;
SlotCounts countWithoutChoice(const std::vector<LoopNode>& nodes) {
  SlotCounts counts{};
  for (const LoopNode& node : nodes)
    for (unsigned s = 0; s < isa::kSlotCount; ++s)
      counts[s] += node.choices.size() == 1 && (slotsOfAll(node) >> s & 1);
  return counts;
}

std::vector<RegisterAccess> registerAccesses(const MachineInst& inst,
                                             const isa::Accesses& accesses) {
  std::vector<RegisterAccess> list;
  for (const isa::Access& access : accesses) {
    if (isIgnoredStatus(access.reg)) continue;
    RegisterAccess& found = list.emplace_back();
    found.timing = access;
    if (access.isImplicit) continue;
    const Operand* operand = operandOf(inst, access.operand);
    if (!operand || !operand->isVirtual()) continue;
    found.number = operand->number;
    const bool isCount = access.operand < inst.row().operandCount &&
                         inst.row().operands[access.operand].kind == isa::OperandKind::Part;
    found.parts = isCount ? quartersOf(Part::Quarter3) : quartersOf(operand->part);
  }
  return list;
}

}  // namespace

int registerDistance(const LoopNode& a, const LoopNode& b) {
  int distance = kIndependent;
  for (const RegisterAccess& x : a.accesses)
    for (const RegisterAccess& y : b.accesses) {
      if ((x.timing.isDef || y.timing.isDef) && meet(x, y))
        distance = std::max(distance, leastDistance(x.timing, y.timing));
    }
  return distance;
}

std::vector<RoundEdge> edgesOf(const std::vector<LoopNode>& nodes) {
  return EdgeFinder(nodes).run();
}

bool findHeights(size_t nodes, std::span<const RoundEdge> edges, int interval,
                 std::vector<int>& heights) {
  heights.assign(nodes, 0);
  for (size_t round = 0; round <= nodes; ++round) {
    bool changed = false;
    for (const RoundEdge& edge : edges) {
      const int height = heights[edge.to] + edge.distance - edge.rounds * interval;
      if (height <= heights[edge.from]) continue;
      heights[edge.from] = height;
      changed = true;
    }
    if (!changed) return true;
  }
  return false;
}

int recurrenceBound(size_t nodes, std::span<const RoundEdge> edges) {
  std::vector<int> heights;
  int least = 1, most = kLargestInterval + 1;
  while (least < most) {
    int middle = (least + most) / 2;
    if (findHeights(nodes, edges, middle, heights))
      most = middle;
    else
      least = middle + 1;
  }
  return least;
}

std::vector<RoundEdge> orderOfProducts(const std::vector<LoopNode>& nodes) {
  std::vector<RoundEdge> edges;
  std::optional<uint32_t> last;
  for (uint32_t n = 0; n < nodes.size(); ++n) {
    if (nodes[n].choices.front().slot() != isa::Slot::Vec) continue;
    if (last) edges.push_back({*last, n, 1, 0});
    last = n;
  }
  return edges;
}

void preferFreeSlots(std::vector<LoopNode>& nodes) {
  const SlotCounts counts = countWithoutChoice(nodes);
  auto demand = [&](const isa::Instruction& choice) {
    int most = 0;
    for (unsigned s = 0; s < isa::kSlotCount; ++s)
      if (slotsOf(choice) >> s & 1) most = std::max(most, counts[s]);
    return most;
  };
  for (LoopNode& node : nodes)
    std::ranges::stable_sort(node.choices, {}, demand);
}

namespace {

/// Cycles for which an instruction holds a unit, in the form that holds it for the shortest time.
int cyclesOf(const LoopNode& node, isa::Unit unit) {
  int least = INT_MAX;
  for (const isa::Instruction& choice : node.choices) {
    int cycles = 0;
    for (const isa::UnitUse& use : isa::row(isa::itineraryOf(choice)).uses())
      if (use.unit == unit && !use.reserved) cycles += use.cycles;
    least = std::min(least, cycles);
  }
  return least;
}

/// Cycles for the unit that is held longest.
int unitBound(const std::vector<LoopNode>& nodes) {
  std::map<isa::Unit, int> cycles;
  for (const LoopNode& node : nodes) {
    std::map<isa::Unit, int> own;
    for (const isa::UnitUse& use : isa::row(isa::itineraryOf(node.choices.front())).uses())
      own.try_emplace(use.unit, cyclesOf(node, use.unit));
    for (const auto& [unit, count] : own)
      cycles[unit] += count;
  }
  int most = 0;
  for (const auto& [unit, count] : cycles)
    most = std::max(most, count);
  return most;
}

}  // namespace

int slotBound(const std::vector<LoopNode>& nodes) {
  const SlotCounts alone = countWithoutChoice(nodes);
  constexpr unsigned kLoadSlots = slotBit(isa::Slot::Lda) | slotBit(isa::Slot::Ldb);
  auto loads = std::ranges::count_if(
      nodes, [&](const LoopNode& node) { return !(slotsOfAll(node) & ~kLoadSlots); });
  const int slots = std::max(*std::ranges::max_element(alone), static_cast<int>(loads + 1) / 2);
  // The searches of AIE2 are tuned to begin where slots allow.
  const bool isAie2 = &isa::setOf(nodes.front().choices.front().form()) == &isa::aie2();
  return isAie2 ? slots : std::max(slots, unitBound(nodes));
}

int bankBound(const std::vector<LoopNode>& nodes) {
  std::array<int, kBanks> counts{};
  for (const LoopNode& node : nodes)
    if (std::has_single_bit(node.banks))
      ++counts[static_cast<size_t>(std::countr_zero(node.banks))];
  return *std::ranges::max_element(counts);
}

bool makeLoopNodes(const std::vector<MachineInst>& body, std::span<const RegClass> classes,
                   std::vector<LoopNode>& nodes, std::string& why) {
  for (const MachineInst& inst : body) {
    Result<ScheduleNode> made = makeNode(representative(inst, classes));
    if (!made) {
      why = made.error().message;
      return false;
    }
    if (isa::isLock(made->instruction())) {
      why = "it acquires or releases locks";
      return false;
    }
    const isa::ItineraryRow& timing = isa::row(isa::itineraryOf(made->instruction()));
    const unsigned access =
        inst.row().is(isa::kStores) ? timing.lastMemoryCycle() : timing.firstMemoryCycle();
    nodes.push_back({std::move(made->choices), registerAccesses(inst, made->accesses), &inst,
                     banksOf(inst), static_cast<int>(access)});
  }
  return true;
}

std::vector<RegisterAccess> registerAccesses(const MachineInst& inst,
                                             std::span<const RegClass> classes) {
  Result<ScheduleNode> node = makeNode(representative(inst, classes));
  return node ? registerAccesses(inst, node->accesses) : std::vector<RegisterAccess>();
}

}  // namespace airlite::npu::codegen
