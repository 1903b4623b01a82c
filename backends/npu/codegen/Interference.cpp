#include "Interference.hpp"

#include "Liveness.hpp"
#include "ModuloSchedule.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <map>

namespace airlite::npu::codegen {
namespace {

/// There is no place for loads and stores in a schedule that is fixed, and no way from memory into
/// a register with four parts.
constexpr double kNeverSpilled = 1e20;

/// A symmetric relation of numbers.
class BitMatrix {
 public:
  explicit BitMatrix(size_t size) : bits_(size * (size + 1) / 2 / 64 + 1) {}
  /// True when it was not there.
  bool add(uint32_t a, uint32_t b) {
    size_t high = std::max(a, b), low = std::min(a, b), index = high * (high + 1) / 2 + low;
    uint64_t mask = uint64_t{1} << (index % 64);
    bool isNew = !(bits_[index / 64] & mask);
    bits_[index / 64] |= mask;
    return isNew;
  }

 private:
  std::vector<uint64_t> bits_;
};

class Builder {
 public:
  explicit Builder(MachineFunction& function)
      : function_(function), matrix_(function.registers.size()) {
    graph_.nodes.resize(function.registers.size());
  }

  Interference run() {
    std::vector<LiveSet> ends = liveAtEnds(function_);
    for (size_t b = 0; b < function_.blocks.size(); ++b)
      if (function_.blocks[b].schedule)
        walkLoop(function_.blocks[b], ends[b]);
      else
        walk(function_.blocks[b], ends[b]);
    return std::move(graph_);
  }

 private:
  void walk(MachineBlock& block, LiveSet live) {
    weight_ = std::pow(10.0, std::min(block.depth, 6u));
    if (block.terminator.kind == Terminator::Kind::Call)
      live.forEach(
          [&](uint32_t reg) { graph_.nodes[reg].taken |= clobberedByCalls(*function_.set); });
    stepOverTerminator(function_, block.terminator, live);
    if (block.terminator.condition.isVirtual()) addCost(block.terminator.condition);
    for (size_t i = block.instructions.size(); i-- > 0;) {
      MachineInst& inst = block.instructions[i];
      if (isDead(inst, live)) {
        block.instructions.erase(block.instructions.begin() + static_cast<ptrdiff_t>(i));
        continue;
      }
      visit(inst, live);
      stepOver(inst, live);
    }
  }

  // -- Loops whose rounds overlap --

  /// The cycles, counted from the begin of a round, in which a register of a body holds a value:
  /// from the first write that lands to the last read. What comes into the loop or leaves it holds
  /// always. A store that reads late holds its register from its issue on, even if what it reads
  /// lands later: the rules take a write in between for one that comes too early.
  struct Life {
    int begin = INT_MAX, end = INT_MIN;
    bool isAlways = false;

    void add(int cycle) {
      begin = std::min(begin, cycle);
      end = std::max(end, cycle);
    }
    bool meets(const Life& other, int interval) const {
      if (isAlways || other.isAlways || end - begin >= interval) return true;
      int from = ((other.begin - begin) % interval + interval) % interval;
      return from <= end - begin || from + (other.end - other.begin) >= interval;
    }
  };

  /// `atEnd` lives at the end of the block; what the body reads of the round before is part of it,
  /// since the block follows itself.
  void walkLoop(const MachineBlock& block, const LiveSet& atEnd) {
    std::map<uint32_t, Life> lives;
    isa::Storage physical = atEnd.physical;
    for (size_t i = 0; i < block.instructions.size(); ++i)
      for (const RegisterAccess& access :
           registerAccesses(block.instructions[i], function_.registers))
        if (access.number < 0) {
          physical |= isa::storageOf(access.timing.reg);
        } else {
          Life& life = lives[static_cast<uint32_t>(access.number)];
          const int issue = block.schedule->cycles[i];
          life.add(issue + access.timing.cycle);
          if (!access.timing.isDef) life.add(issue + 1);
        }
    atEnd.forEach([&](uint32_t reg) { lives[reg].isAlways = true; });
    for (auto& [reg, life] : lives) {
      RegisterNode& node = graph_.nodes[reg];
      node.taken |= physical;
      bool isTouched = life.begin <= life.end;
      if (isTouched) node.cost += kNeverSpilled;
      for (const auto& [other, otherLife] : lives)
        if (other < reg && life.meets(otherLife, block.schedule->interval)) meet(reg, other);
    }
  }

  void addCost(const Operand& operand) {
    graph_.nodes[static_cast<uint32_t>(operand.number)].cost += weight_;
  }

  void visit(const MachineInst& inst, const LiveSet& liveAfter) {
    for (const Operand& operand : inst.ops())
      if (operand.isVirtual()) addCost(operand);
    bool copies = isCopy(inst);
    if (copies) addPartners(inst.operands[0], inst.operands[1]);
    for (unsigned i = 0; i < inst.operandCount; ++i)
      if (inst.operands[i].isRegister() && useOf(inst.form, i).isDef)
        define(inst.operands[i], copies ? inst.operands[1] : Operand(), inst, liveAfter);
  }

  void addPartners(const Operand& a, const Operand& b) {
    if (a.isVirtual()) graph_.nodes[static_cast<uint32_t>(a.number)].partners.push_back(b);
    if (b.isVirtual()) graph_.nodes[static_cast<uint32_t>(b.number)].partners.push_back(a);
  }

  /// What is written may not lie where something else lives; the source of a copy is the same
  /// value.
  void define(const Operand& written, const Operand& source, const MachineInst& inst,
              const LiveSet& live) {
    if (written.isPhysical()) {
      live.forEach([&](uint32_t other) {
        if (source.isVirtual() && static_cast<uint32_t>(source.number) == other) return;
        graph_.nodes[other].taken |= isa::storageOf(written.physical());
      });
      return;
    }
    auto reg = static_cast<uint32_t>(written.number);
    if (isNeverSpilled(function_.registers[reg])) graph_.nodes[reg].cost += kNeverSpilled;
    isa::Storage physical = live.physical;
    if (source.isPhysical()) physical &= ~isa::storageOf(source.physical());
    graph_.nodes[reg].taken |= physical;
    live.forEach([&](uint32_t other) {
      if (!(source.isVirtual() && static_cast<uint32_t>(source.number) == other)) meet(reg, other);
    });
    for (unsigned i = 0; i < inst.operandCount; ++i)  // two results of one instruction
      if (inst.operands[i].isVirtual() && useOf(inst.form, i).isDef)
        meet(reg, static_cast<uint32_t>(inst.operands[i].number));
  }

  void meet(uint32_t a, uint32_t b) {
    if (a == b || !shareFile(function_.registers[a], function_.registers[b])) return;
    if (!matrix_.add(a, b)) return;
    graph_.nodes[a].neighbours.push_back(b);
    graph_.nodes[b].neighbours.push_back(a);
  }

  MachineFunction& function_;
  BitMatrix matrix_;
  Interference graph_;
  double weight_ = 1;
};

}  // namespace

Interference buildInterference(MachineFunction& function) { return Builder(function).run(); }

}  // namespace airlite::npu::codegen
