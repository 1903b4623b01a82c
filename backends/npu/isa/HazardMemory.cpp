// What is known about addresses: pointers as a base and an offset, followed straight ahead. A
// pointer that anything else writes gets a base of its own, and so do all of them where control may
// come from elsewhere.
#include "HazardFlow.hpp"
#include "HazardPairs.hpp"

#include <array>
#include <set>

namespace airlite::npu::isa {
namespace {

/// A write that lands later.
struct Pending {
  Reg reg;
  size_t at;  ///< the bundle from which on it is there
};

class Pointers {
 public:
  Pointers() { forgetAll(); }

  void forgetAll() {
    for (MemoryPlace& place : places_)
      place = fresh();
    pending_.clear();
  }

  void landed(size_t bundle) {
    for (const Pending& p : pending_)
      if (p.at == bundle) places_[index(p.reg)] = fresh();
  }

  MemoryPlace at(Reg reg) const { return places_[index(reg)]; }
  void set(Reg reg, MemoryPlace place) { places_[index(reg)] = place; }

  /// Unknown at once, and anew when the write lands.
  void forget(Reg reg, size_t lands) {
    set(reg, fresh());
    pending_.push_back({reg, lands});
  }

 private:
  static size_t index(Reg reg) { return static_cast<size_t>(reg); }
  MemoryPlace fresh() { return {++bases_, 0, true}; }

  unsigned bases_ = 0;
  std::array<MemoryPlace, kRegCount> places_;
  std::vector<Pending> pending_;
};

bool isPointer(Reg reg) { return row(reg).kind == RegKind::Pointer || reg == Reg::SP; }

/// The pointer that an address goes by, and the last immediate of the form.
struct AddressParts {
  Reg pointer = Reg::SP;
  int32_t immediate = 0;
};

AddressParts partsOf(const Instruction& instruction) {
  AddressParts parts;
  const FormRow& form = instruction.row();
  for (unsigned i = 0; i < form.operandCount; ++i) {
    if (form.operands[i].kind == OperandKind::Immediate) parts.immediate = instruction.imm(i);
    if (form.operands[i].name == "ptr") parts.pointer = instruction.reg(i);
  }
  return parts;
}

MemoryPlace placeOf(const Instruction& instruction, const Pointers& pointers) {
  AddressParts parts = partsOf(instruction);
  MemoryPlace place = pointers.at(parts.pointer);
  switch (instruction.row().address) {
    case AddressMode::Index:
    case AddressMode::None: return {};
    case AddressMode::IndexImm:
    case AddressMode::Stack: place.offset += parts.immediate; return place;
    default: return place;
  }
}

/// The pointers after the bundle at `index`.
void step(const IssuedInstruction& issued, size_t index, Pointers& pointers) {
  const Instruction& instruction = *issued.instruction;
  AddressMode mode = instruction.row().address;
  AddressParts parts = partsOf(instruction);
  bool moves = mode == AddressMode::PostImm || mode == AddressMode::StackImm;
  for (const Access& access : issued.accesses) {
    if (!access.isDef || !isPointer(access.reg)) continue;
    if (instruction.form() == instruction.set().moveConstant) {
      pointers.set(access.reg, {0, instruction.imm(1), true});
    } else if (moves && access.reg == parts.pointer) {
      MemoryPlace place = pointers.at(access.reg);
      place.offset += parts.immediate;
      pointers.set(access.reg, place);
    } else {
      pointers.forget(access.reg, index + access.cycle);
    }
  }
}

/// Where control may arrive from somewhere else.
std::set<size_t> joins(const Program& program) {
  Flow flow(program);
  std::set<size_t> all;
  for (size_t i = 0; i < program.bundles.size(); ++i) {
    Jump jump = flow.jumpOf(i);
    if (jump.target != kNowhere) all.insert(jump.target);
    if (jump.instruction)
      all.insert(i + kDelaySlots + 1);  // after a call, or reached from elsewhere
    if (flow.after(i) == kNowhere) all.insert(i + 1);
  }
  for (const HardwareLoop& loop : flow.loops())
    all.insert(program.indexAt(loop.start));
  for (const Symbol& symbol : program.symbols)
    all.insert(program.indexAt(symbol.address));
  return all;
}

IssuedInstruction issue(const Instruction& instruction) {
  return {&instruction,
          accessesOf(instruction),
          isLock(instruction),
          instruction.row().touchesMemory(),
          {}};
}

}  // namespace

std::vector<IssuedBundle> issueAll(const Program& program) {
  std::vector<IssuedBundle> all;
  std::set<size_t> arrivals = joins(program);
  Pointers pointers;
  for (size_t i = 0; i < program.bundles.size(); ++i) {
    if (arrivals.contains(i)) pointers.forgetAll();
    pointers.landed(i);
    IssuedBundle& issued = all.emplace_back();
    issued.address = program.bundles[i].address;
    for (const Instruction& instruction : program.bundles[i].bundle.instructions())
      if (!instruction.isNop()) issued.instructions.push_back(issue(instruction));
    for (IssuedInstruction& one : issued.instructions)
      if (one.memory) one.place = placeOf(*one.instruction, pointers);
    for (const IssuedInstruction& one : issued.instructions)
      step(one, i, pointers);
  }
  return all;
}

}  // namespace airlite::npu::isa
