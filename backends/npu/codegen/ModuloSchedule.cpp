#include "ModuloSchedule.hpp"

#include "Dependences.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <climits>
#include <numeric>
#include <optional>
#include <random>

namespace airlite::npu::codegen {

using isa::Form;

namespace {

/// A register of its class in place of each virtual one: timing and slots depend on the class
/// alone.
MachineInst representative(MachineInst inst, std::span<const RegClass> classes) {
  for (Operand& operand : inst.ops())
    if (operand.isVirtual()) {
      isa::Reg reg = registersOf(classes[static_cast<size_t>(operand.number)]).front();
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

/// An instruction of the body with what scheduling asks of it.
struct Node {
  std::vector<isa::Instruction> choices;
  std::vector<RegisterAccess> accesses;
  const MachineInst* inst = nullptr;
  uint32_t banks = 0;  ///< that its access of memory may need, as bits; 0: not known, or none
  int bankCycle = 0;   ///< when it needs them, counted from its issue
};

/// Banks of data memory as one core sees them, its own and those of three neighbours: a bank serves
/// one access of vectors in a cycle (docs/hardware/timing.md, "data memory").
constexpr uint32_t kBankBytes = 16 * 1024, kBanks = 16;
/// Of an access that may go to more of them nothing is known.
constexpr int kMostBanks = 2;

uint32_t banksOf(const MachineInst& inst) {
  const MemoryPlace& place = inst.memory;
  if (!inst.row().touchesMemory() || place.isSlot || place.begin >= place.end) return 0;
  const uint32_t first = place.begin / kBankBytes, last = (place.end - 1) / kBankBytes;
  if (last - first >= kMostBanks) return 0;
  return 1u << first % kBanks | 1u << last % kBanks;
}

/// What share of the accesses of the two go to the same bank.
double bankShare(const Node& a, const Node& b) {
  return double(std::popcount(a.banks & b.banks)) /
         std::max(1, std::popcount(a.banks) * std::popcount(b.banks));
}

struct RoundEdge {
  uint32_t from = 0, to = 0;
  int distance = 0;  ///< cycles
  int rounds = 0;    ///< `to` is that many rounds later
};

/// Whether an access touches in some round what another of its group touches `rounds` later.
bool meetAfter(const LoopPlace& x, const LoopPlace& y, int rounds) {
  for (int from = 0; from < std::max(x.rowLength, 1); ++from) {
    int begin = y.offset + y.distance(from + rounds) - x.distance(from);
    if (x.offset < begin + y.bytes && begin < x.offset + x.bytes) return true;
  }
  return false;
}

/// The least distance between two accesses of memory from one iteration to one `rounds` later.
int memoryDistance(const Node& a, const Node& b, int rounds) {
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

int registerDistance(const Node& a, const Node& b) {
  int distance = kIndependent;
  for (const RegisterAccess& x : a.accesses)
    for (const RegisterAccess& y : b.accesses) {
      if ((x.timing.isDef || y.timing.isDef) && meet(x, y))
        distance = std::max(distance, leastDistance(x.timing, y.timing));
    }
  return distance;
}

bool haveEffects(const Node& a, const Node& b) {
  return a.inst->row().is(isa::kSideEffects) && b.inst->row().is(isa::kSideEffects);
}

class EdgeFinder {
 public:
  explicit EdgeFinder(const std::vector<Node>& nodes) : nodes_(nodes) {}

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

  const std::vector<Node>& nodes_;
  std::vector<RoundEdge> edges_;
};

/// The instructions of the vector unit in the order of the program: what is loaded for several of
/// them, which stand next to each other there, then lives for a short time.
std::vector<RoundEdge> orderOfProducts(const std::vector<Node>& nodes) {
  std::vector<RoundEdge> edges;
  std::optional<uint32_t> last;
  for (uint32_t n = 0; n < nodes.size(); ++n) {
    if (nodes[n].choices.front().slot() != isa::Slot::Vec) continue;
    if (last) edges.push_back({*last, n, 1, 0});
    last = n;
  }
  return edges;
}

/// For each pair of instructions the distances at which they would hold a unit at the same time:
/// bit d is distance d.
class UnitTable {
 public:
  explicit UnitTable(const std::vector<Node>& nodes) {
    for (const Node& node : nodes)
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
        counts_(static_cast<size_t>(interval) * units.size()),
        conflicts_(units.size()),
        units_(&units) {}

  bool isFree(const Reservation& wanted) {
    if (slots_[row(wanted.cycle)] & wanted.slots) return false;
    for (const UnitTable::Conflict& conflict : conflictsOf(wanted.kind))
      if (counts_[cell(conflict.kind, wanted.cycle + conflict.cycle)]) return false;
    for (uint32_t left = wanted.banks; left; left &= left - 1)
      if (banks_[bankCell(left, wanted)]) return false;
    return true;
  }
  bool exclude(const Reservation& a, const Reservation& b) {
    if (row(a.cycle) == row(b.cycle) && (a.slots & b.slots)) return true;
    if ((a.banks & b.banks) && row(a.cycle + a.bankCycle) == row(b.cycle + b.bankCycle))
      return true;
    return std::ranges::any_of(conflictsOf(a.kind), [&](const UnitTable::Conflict& conflict) {
      return conflict.kind == b.kind && row(a.cycle + conflict.cycle) == row(b.cycle);
    });
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
  void count(const Reservation& taken, int by) {
    counts_[cell(taken.kind, taken.cycle)] += by;
    for (uint32_t left = taken.banks; left; left &= left - 1)
      banks_[bankCell(left, taken)] += by;
  }
  size_t row(int cycle) const {
    return static_cast<size_t>(((cycle % interval_) + interval_) % interval_);
  }
  size_t cell(size_t kind, int cycle) const {
    return kind * static_cast<size_t>(interval_) + row(cycle);
  }
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
  std::vector<int> banks_, counts_;
  std::vector<std::optional<std::vector<UnitTable::Conflict>>> conflicts_;  // of each kind
  const UnitTable* units_;
};

/// Whether `b`, issued `distance` cycles after `a`, needs a bank in the cycle in which `a` does.
bool meetInBank(const Node& a, const Node& b, int distance, int interval) {
  return a.banks & b.banks && (distance + b.bankCycle - a.bankCycle) % interval == 0;
}

/// Cycles of a round in which the core waits for a bank, on average.
double bankStalls(const std::vector<Node>& nodes, const LoopSchedule& schedule) {
  double stalls = 0;
  for (size_t a = 0; a < nodes.size(); ++a)
    for (size_t b = a + 1; b < nodes.size(); ++b)
      if (meetInBank(nodes[a], nodes[b], schedule.cycles[b] - schedule.cycles[a],
                     schedule.interval))
        stalls += bankShare(nodes[a], nodes[b]);
  return stalls;
}

constexpr int kUnplaced = INT_MIN;
/// Loops with a larger interval have little to gain.
constexpr int kLargestInterval = 160;

/// How instructions are placed: each as early as it may be, from the start of a round on, or as
/// late as it may be, from its end back, which lets values live for a shorter time.
enum class Direction : int8_t { Forward = 1, Backward = -1 };

class IterativeScheduler {
 public:
  IterativeScheduler(const std::vector<Node>& nodes, const std::vector<RoundEdge>& edges,
                     UnitTable& units)
      : nodes_(nodes), edges_(edges), units_(units), out_(nodes.size()), in_(nodes.size()) {
    for (uint32_t e = 0; e < edges.size(); ++e) {
      out_[edges[e].from].push_back(e);
      in_[edges[e].to].push_back(e);
    }
    for (const Node& node : nodes) {
      std::vector<size_t>& kinds = kinds_.emplace_back();
      std::vector<unsigned>& slots = slots_.emplace_back();
      for (const isa::Instruction& choice : node.choices) {
        kinds.push_back(units.numberOf(choice));
        slots.push_back(slotsOf(choice));
      }
    }
  }

  /// False when results that later rounds read need a larger interval.
  bool findHeights(int interval) {
    interval_ = interval;
    height_.assign(nodes_.size(), 0);
    for (size_t round = 0; round <= nodes_.size(); ++round) {
      bool changed = false;
      for (const RoundEdge& edge : edges_) {
        int weight = edge.distance - edge.rounds * interval;
        changed |= raise(height_[edge.from], height_[edge.to] + weight);
      }
      if (!changed) return true;
    }
    return false;
  }

  /// From the start of a round to its last result, with the heights that were found last.
  int longestWay() const { return *std::ranges::max_element(height_); }

  /// The smallest interval that findHeights takes, or one more than the largest.
  int recurrenceBound() {
    int least = 1, most = kLargestInterval + 1;
    while (least < most) {
      int middle = (least + most) / 2;
      if (findHeights(middle))
        most = middle;
      else
        least = middle + 1;
    }
    return least;
  }

  /// With `avoidsBanks` no two accesses of a bank that surely is the same go to it in one cycle.
  /// Each `variant` but 0 has an order that is a little different.
  bool run(Direction direction, bool avoidsBanks, uint32_t variant) {
    avoidsBanks_ = avoidsBanks;
    direction_ = static_cast<int>(direction);
    times_.assign(nodes_.size(), kUnplaced);
    lastTimes_.assign(nodes_.size(), kUnplaced);
    chosen_.assign(nodes_.size(), 0);
    table_.emplace(units_, interval_);
    order_ = orderOf();
    if (variant) vary(variant);
    for (uint32_t node = 0; node < nodes_.size(); ++node)
      if (hitsItself(node, 0)) return false;
    size_t budget = nodes_.size() * 30;
    for (size_t placed = 0; placed < nodes_.size();) {
      if (!budget--) return false;
      placed += 1;
      placed -= place(nextNode());
    }
    return true;
  }

  std::vector<int> times() const {
    std::vector<int> times = times_;
    for (int& time : times)
      time *= direction_;
    return times;
  }
  const isa::Instruction& choiceOf(uint32_t node) const {
    return nodes_[node].choices[chosen_[node]];
  }

 private:
  static bool raise(int& value, int to) {
    if (to <= value) return false;
    value = to;
    return true;
  }

  /// From the start, what has the longest way to the end of a round goes first. From the end back,
  /// the order of the program: who wrote it has put loads next to their users.
  std::vector<uint32_t> orderOf() const {
    std::vector<uint32_t> order(nodes_.size());
    std::iota(order.begin(), order.end(), 0u);
    if (direction_ < 0) {
      std::ranges::reverse(order);
      return order;
    }
    std::ranges::stable_sort(order, [&](uint32_t a, uint32_t b) {
      return height_[a] != height_[b] ? height_[a] > height_[b]
                                      : nodes_[a].choices.size() < nodes_[b].choices.size();
    });
    return order;
  }

  /// Moves each instruction back by a few places, by numbers that depend on `variant` alone.
  void vary(uint32_t variant) {
    constexpr uint32_t kFarthest = 12;
    std::minstd_rand random(variant);
    std::vector<uint32_t> place(nodes_.size());
    for (uint32_t i = 0; i < order_.size(); ++i)
      place[order_[i]] = i + static_cast<uint32_t>(random() % kFarthest);
    std::ranges::stable_sort(order_, {}, [&](uint32_t node) { return place[node]; });
  }

  /// Edges as the direction has them: `from` is placed before `to`.
  uint32_t firstOf(const RoundEdge& edge) const { return direction_ > 0 ? edge.from : edge.to; }
  uint32_t secondOf(const RoundEdge& edge) const { return direction_ > 0 ? edge.to : edge.from; }
  const std::vector<uint32_t>& edgesTo(uint32_t node) const {
    return direction_ > 0 ? in_[node] : out_[node];
  }
  const std::vector<uint32_t>& edgesFrom(uint32_t node) const {
    return direction_ > 0 ? out_[node] : in_[node];
  }

  uint32_t nextNode() const {
    return *std::ranges::find_if(order_, [&](uint32_t n) { return times_[n] == kUnplaced; });
  }

  /// Places a node, where necessary in place of others: returns how many had to go.
  size_t place(uint32_t node) {
    int earliest = 0;
    for (uint32_t e : edgesTo(node))
      if (int time = times_[firstOf(edges_[e])]; time != kUnplaced && firstOf(edges_[e]) != node)
        earliest = std::max(earliest, time + edges_[e].distance - edges_[e].rounds * interval_);
    for (int time = earliest; time < earliest + interval_; ++time)
      if (auto choice = fitOf(node, time)) return settle(node, time, *choice);
    int forced =
        lastTimes_[node] == kUnplaced ? earliest : std::max(earliest, lastTimes_[node] + 1);
    return settle(node, forced, 0, evict(node, forced));
  }

  size_t settle(uint32_t node, int time, size_t choice, size_t evicted = 0) {
    put(node, time, choice);
    lastTimes_[node] = time;
    return evicted + evictSuccessors(node);
  }

  size_t evictSuccessors(uint32_t node) {
    size_t count = 0;
    auto breaks = [&](const RoundEdge& edge) {
      int first = times_[firstOf(edge)], second = times_[secondOf(edge)];
      return edge.from != edge.to && first != kUnplaced && second != kUnplaced &&
             second + edge.rounds * interval_ < first + edge.distance;
    };
    for (uint32_t e : edgesFrom(node))
      if (breaks(edges_[e])) count += remove(secondOf(edges_[e]));
    for (uint32_t e : edgesTo(node))
      if (breaks(edges_[e])) count += remove(firstOf(edges_[e]));
    return count;
  }

  /// Takes out all that stands in the way of the first choice of `node` at `time`.
  size_t evict(uint32_t node, int time) {
    size_t count = 0;
    const Reservation wanted = placeOf(node, 0, time);
    for (uint32_t other = 0; other < nodes_.size(); ++other)
      if (other != node && times_[other] != kUnplaced &&
          table_->exclude(wanted, placeOf(other, chosen_[other], times_[other])))
        count += remove(other);
    return count;
  }

  Reservation placeOf(uint32_t node, size_t choice, int time) const {
    return {kinds_[node][choice], slots_[node][choice], direction_ * time,
            avoidsBanks_ ? nodes_[node].banks : 0, nodes_[node].bankCycle};
  }

  std::optional<size_t> fitOf(uint32_t node, int time) {
    for (size_t choice = 0; choice < nodes_[node].choices.size(); ++choice)
      if (!hitsItself(node, choice) && table_->isFree(placeOf(node, choice, time))) return choice;
    return std::nullopt;
  }

  bool hitsItself(uint32_t node, size_t choice) const {
    return units_.hitsItself(kinds_[node][choice], interval_);
  }

  void put(uint32_t node, int time, size_t choice) {
    times_[node] = time;
    chosen_[node] = choice;
    table_->put(placeOf(node, choice, time));
  }

  size_t remove(uint32_t node) {
    if (times_[node] == kUnplaced) return 0;
    table_->remove(placeOf(node, chosen_[node], times_[node]));
    times_[node] = kUnplaced;
    return 1;
  }

  const std::vector<Node>& nodes_;
  const std::vector<RoundEdge>& edges_;
  UnitTable& units_;
  std::vector<std::vector<uint32_t>> out_, in_;
  std::vector<std::vector<size_t>> kinds_;    // of each choice of each node
  std::vector<std::vector<unsigned>> slots_;  // the same
  int interval_ = 1, direction_ = 1;
  bool avoidsBanks_ = false;
  std::vector<int> height_, times_, lastTimes_;
  std::vector<size_t> chosen_;
  std::optional<ReservationTable> table_;
  std::vector<uint32_t> order_;
};

unsigned slotsOfAll(const Node& node) {
  unsigned all = 0;
  for (const isa::Instruction& choice : node.choices)
    all |= slotsOf(choice);
  return all;
}

/// How many instructions need each slot and have no choice.
using SlotCounts = std::array<int, isa::kSlotCount>;
SlotCounts countWithoutChoice(const std::vector<Node>& nodes) {
  SlotCounts counts{};
  for (const Node& node : nodes)
    for (unsigned s = 0; s < isa::kSlotCount; ++s)
      counts[s] += node.choices.size() == 1 && (slotsOfAll(node) >> s & 1);
  return counts;
}

/// What has a choice takes first the slot that fewer others cannot do without.
void preferFreeSlots(std::vector<Node>& nodes) {
  const SlotCounts counts = countWithoutChoice(nodes);
  auto demand = [&](const isa::Instruction& choice) {
    int most = 0;
    for (unsigned s = 0; s < isa::kSlotCount; ++s)
      if (slotsOf(choice) >> s & 1) most = std::max(most, counts[s]);
    return most;
  };
  for (Node& node : nodes)
    std::ranges::stable_sort(node.choices, {}, demand);
}

/// Slots that instructions without a choice need, and loads the two load slots.
int slotBound(const std::vector<Node>& nodes) {
  const SlotCounts alone = countWithoutChoice(nodes);
  constexpr unsigned kLoadSlots = slotBit(isa::Slot::Lda) | slotBit(isa::Slot::Ldb);
  auto loads = std::ranges::count_if(
      nodes, [&](const Node& node) { return !(slotsOfAll(node) & ~kLoadSlots); });
  return std::max(*std::ranges::max_element(alone), static_cast<int>(loads + 1) / 2);
}

/// Accesses of a round to the bank that has most, of those that surely go to one.
int bankBound(const std::vector<Node>& nodes) {
  std::array<int, kBanks> counts{};
  for (const Node& node : nodes)
    if (std::has_single_bit(node.banks))
      ++counts[static_cast<size_t>(std::countr_zero(node.banks))];
  return *std::ranges::max_element(counts);
}

/// A store of part of a word in the last bundle of a short loop is lost when the loop goes round
/// (errata under rules.zol of the instruction set).
bool losesStore(const LoopSchedule& schedule, const std::vector<MachineInst>& body) {
  constexpr int kLongestShort = 7;  // bundles of 16 bytes
  if (schedule.interval > kLongestShort) return false;
  for (size_t i = 0; i < body.size(); ++i)
    if (body[i].row().is(isa::kPartWord) &&
        schedule.cycles[i] % schedule.interval == schedule.interval - 1)
      return true;
  return false;
}

/// Cycles from 0 on; where the loop has its seam does not matter to what is computed.
void normalize(LoopSchedule& schedule, const std::vector<MachineInst>& body) {
  int first = *std::ranges::min_element(schedule.cycles);
  for (int& cycle : schedule.cycles)
    cycle -= first;
  for (int turn = 0; turn < schedule.interval && losesStore(schedule, body); ++turn)
    for (int& cycle : schedule.cycles)
      ++cycle;
  schedule.stages = *std::ranges::max_element(schedule.cycles) / schedule.interval + 1;
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

bool makeNodes(const std::vector<MachineInst>& body, std::span<const RegClass> classes,
               std::vector<Node>& nodes, std::string& why) {
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

}  // namespace

std::vector<RegisterAccess> registerAccesses(const MachineInst& inst,
                                             std::span<const RegClass> classes) {
  Result<ScheduleNode> node = makeNode(representative(inst, classes));
  return node ? registerAccesses(inst, node->accesses) : std::vector<RegisterAccess>();
}

class LoopSearch::State {
 public:
  State(std::vector<MachineInst> body, std::span<const RegClass> classes, uint32_t rounds)
      : body_(std::move(body)), rounds_(rounds) {
    if (body_.empty() || !makeNodes(body_, classes, nodes_, why_)) return;
    preferFreeSlots(nodes_);
    edges_ = EdgeFinder(nodes_).run();
    ordered_ = orderOfProducts(nodes_);
    ordered_.insert(ordered_.end(), edges_.begin(), edges_.end());
    units_.emplace(nodes_);
    inOrder_.emplace(nodes_, ordered_, *units_);
    free_.emplace(nodes_, edges_, *units_);
    bound.slots = slotBound(nodes_);
    bound.recurrence = free_->recurrenceBound();
    banks_ = bankBound(nodes_);
    limit_ = int64_t{rounds_} * plainCycles() - kSetUp;
    interval_ = std::max(bound.slots, bound.recurrence);
    last_ = std::min(interval_ + interval_ / 2 + 8, kLargestInterval);
  }

  const ScheduledBody* best() {
    // A larger interval may be better still, with fewer stalls.
    while (hasMore() && (found_.empty() || bestFound()->cycles > leastCycles()))
      searchInterval();
    return found_.empty() ? nullptr : &*bestFound();
  }

  void rejectBest() {
    wasRejected_ = true;
    found_.erase(bestFound());
  }

  std::string why() const {
    if (!why_.empty()) return why_;
    if (wasRejected_) return "no schedule gets by with the registers that there are";
    return wasTooSlow_ || interval_ <= last_ ? "it runs too few rounds"
                                             : "no schedule with overlapping rounds was found";
  }

  LoopBound bound;

 private:
  struct Attempt {
    bool isInOrder;
    Direction direction;
    bool avoidsBanks;
    size_t found = 0;
  };

  /// Intervals that gave nothing, one after the other: longer ones are rarely better.
  static constexpr int kMostFailures = 10;

  int64_t leastCycles() const { return int64_t{rounds_} * interval_; }
  /// What setting the loop up takes besides.
  static constexpr int64_t kSetUp = 8;

  /// Cycles of a round whose end the next one waits for: the longest way through it, its
  /// instructions, or its accesses to one bank, and the jump.
  int plainCycles() {
    constexpr int kNoOverlap = 1 << 20, kInstructionsPerCycle = 2;
    free_->findHeights(kNoOverlap);
    return std::max({free_->longestWay(), static_cast<int>(nodes_.size()) / kInstructionsPerCycle,
                     banks_}) +
           static_cast<int>(isa::kDelaySlots);
  }

  bool hasMore() const {
    return interval_ <= last_ && leastCycles() < limit_ && failures_ < kMostFailures;
  }
  std::vector<ScheduledBody>::iterator bestFound() {
    return std::ranges::min_element(found_, {}, &ScheduledBody::cycles);
  }

  /// How many more orders are tried for an interval: where it is worth the time.
  uint32_t variants() const {
    constexpr size_t kEffort = 3200, kMost = 24;
    return static_cast<uint32_t>(std::min(kEffort / nodes_.size(), kMost));
  }
  /// A schedule of this interval in which nothing waits for a bank.
  bool hasBest() const {
    return std::ranges::any_of(found_, [&](const ScheduledBody& body) {
      return body.schedule.interval == interval_ && !body.waits;
    });
  }

  void searchInterval() {
    constexpr size_t kEnough = 6;
    const bool isOrdered = inOrder_->findHeights(interval_), isFree = free_->findHeights(interval_);
    const size_t before = found_.size();
    for (Attempt& attempt : attempts_) {
      if (attempt.avoidsBanks && banks_ > interval_) continue;
      IterativeScheduler& scheduler = attempt.isInOrder ? *inOrder_ : *free_;
      if (attempt.found < kEnough && (attempt.isInOrder ? isOrdered : isFree) &&
          scheduler.run(attempt.direction, attempt.avoidsBanks, 0))
        attempt.found += add(scheduler);
    }
    for (uint32_t variant = 1; variant <= variants() && !hasBest(); ++variant) {
      IterativeScheduler& scheduler = variant % 2 && isOrdered ? *inOrder_ : *free_;
      if ((isOrdered || isFree) && scheduler.run(Direction::Backward, banks_ <= interval_, variant))
        add(scheduler);
    }
    failures_ = found_.size() == before ? failures_ + 1 : 0;
    ++interval_;
  }

  bool add(const IterativeScheduler& scheduler) {
    ScheduledBody candidate;
    candidate.schedule = {interval_, 0, scheduler.times()};
    normalize(candidate.schedule, body_);
    const auto stages = static_cast<uint32_t>(candidate.schedule.stages);
    if (losesStore(candidate.schedule, body_) || stages > rounds_) return false;
    const double stalls = bankStalls(nodes_, candidate.schedule);
    candidate.waits = stalls > 0;
    candidate.cycles = static_cast<int64_t>((rounds_ + stages - 1) * (interval_ + stalls));
    wasTooSlow_ |= candidate.cycles >= limit_;
    if (candidate.cycles >= limit_) return false;
    for (uint32_t n = 0; n < nodes_.size(); ++n)
      candidate.forms.push_back(scheduler.choiceOf(n).form());
    found_.push_back(std::move(candidate));
    return true;
  }

  std::vector<MachineInst> body_;
  uint32_t rounds_;
  int64_t limit_ = 0;  ///< schedules that take so many cycles are of no use
  std::vector<Node> nodes_;
  std::vector<RoundEdge> edges_, ordered_;
  std::optional<UnitTable> units_;
  std::optional<IterativeScheduler> inOrder_, free_;
  std::array<Attempt, 6> attempts_ = {{{true, Direction::Backward, true},
                                       {true, Direction::Backward, false},
                                       {false, Direction::Backward, true},
                                       {false, Direction::Backward, false},
                                       {false, Direction::Forward, true},
                                       {false, Direction::Forward, false}}};
  std::vector<ScheduledBody> found_;
  int interval_ = 1, last_ = 0, banks_ = 0, failures_ = 0;
  bool wasRejected_ = false, wasTooSlow_ = false;
  std::string why_;
};

LoopSearch::LoopSearch(std::vector<MachineInst> body, std::span<const RegClass> classes,
                       uint32_t rounds)
    : state_(std::make_unique<State>(std::move(body), classes, rounds)) {}
LoopSearch::~LoopSearch() = default;
LoopSearch::LoopSearch(LoopSearch&&) noexcept = default;
const LoopBound& LoopSearch::bound() const { return state_->bound; }
const ScheduledBody* LoopSearch::best() { return state_->best(); }
void LoopSearch::rejectBest() { state_->rejectBest(); }
std::string LoopSearch::why() const { return state_->why(); }

}  // namespace airlite::npu::codegen
