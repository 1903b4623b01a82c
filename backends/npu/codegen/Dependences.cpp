#include "Dependences.hpp"

#include "airlite/npu/isa/Text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace airlite::npu::codegen {

using isa::Form;
using isa::Reg;

namespace {

/// The first cycle in which any instruction touches memory (docs/hardware/isa.md,
/// rules.scheduling).
constexpr int kFirstMemoryCycle = 5;

/// Forms with the same operands and effect in other slots.
constexpr std::array<std::array<Form, 3>, 22> kSameEffect = {{
    {Form::PADDS_2D, Form::PADDA_2D, Form::PADDB_2D},
    {Form::MOVA_lda_cg, Form::MOV_mv_cg, Form::MOVX_alu_cg},
    {Form::ADD_add_r_ri, Form::ADD_NC, Form::NOP},
    {Form::PADDB_sp_imm, Form::PADDA_sp_imm, Form::NOP},
    {Form::VLDA_dmw_lda_w_ag_idx, Form::VLDB_dmw_ldb_ag_idx, Form::NOP},
    {Form::VLDA_dmw_lda_w_ag_idx_imm, Form::VLDB_dmw_ldb_ag_idx_imm, Form::NOP},
    {Form::VLDA_dmw_lda_w_ag_pstm_nrm_imm, Form::VLDB_dmw_ldb_ag_pstm_nrm_imm, Form::NOP},
    {Form::VLDA_dmw_lda_w_ag_pstm_nrm, Form::VLDB_dmw_ldb_ag_pstm_nrm, Form::NOP},
    {Form::PADDA_lda_ptr_inc_idx_imm, Form::PADDB_ldb_ptr_inc_nrm_imm,
     Form::PADDS_st_ptr_inc_idx_imm},
    // Of AIE2P.
    {Form::P_PADDS_2D, Form::P_PADDA_2D, Form::P_PADDB_2D},
    {Form::P_MOVA, Form::P_MOV_alu_mv_mv_mv_cg, Form::P_MOVX_alu_cg},
    {Form::P_ADD_add_r_ri, Form::P_ADD_NC_mv_add_ri, Form::NOP},
    {Form::P_PADDA_pstm_nrm_imm, Form::P_PADDB_pstm_nrm_imm, Form::P_PADDS_pstm_nrm_imm},
    {Form::P_PADDA_pstm_nrm, Form::P_PADDB_pstm_nrm, Form::P_PADDS_pstm_nrm},
    {Form::P_VLDA_dmw_lda_w_idx, Form::P_VLDB_dmw_ldb_idx, Form::NOP},
    {Form::P_VLDA_dmw_lda_w_idx_imm, Form::P_VLDB_dmw_ldb_idx_imm, Form::NOP},
    {Form::P_VLDA_dmw_lda_w_pstm_nrm, Form::P_VLDB_dmw_ldb_pstm_nrm, Form::NOP},
    {Form::P_VLDA_dmw_lda_w_pstm_nrm_imm, Form::P_VLDB_dmw_ldb_pstm_nrm_imm, Form::NOP},
    {Form::P_VLDA_dmx_lda_x_idx, Form::P_VLDB_dmx_ldb_x_idx, Form::NOP},
    {Form::P_VLDA_dmx_lda_x_idx_imm, Form::P_VLDB_dmx_ldb_x_idx_imm, Form::NOP},
    {Form::P_VLDA_dmx_lda_x_pstm_nrm, Form::P_VLDB_dmx_ldb_x_pstm_nrm, Form::NOP},
    {Form::P_VLDA_dmx_lda_x_pstm_nrm_imm, Form::P_VLDB_dmx_ldb_x_pstm_nrm_imm, Form::NOP},
}};

std::optional<isa::Value> valueOf(const Operand& operand) {
  if (operand.kind == Operand::Kind::Immediate) return isa::Value::of(operand.number);
  if (operand.isPhysical()) return isa::Value::of(operand.physical());
  return std::nullopt;
}

/// Forms with the same operands and the same effect in other slots.
std::vector<Form> otherForms(Form form) {
  std::vector<Form> others;
  for (const auto& group : kSameEffect)
    if (std::ranges::find(group, form) != group.end())
      for (Form other : group)
        if (other != form && other != Form::NOP) others.push_back(other);
  return others;
}

/// Whether two instructions read and write the same registers in the same cycles.
bool sameTiming(const isa::Instruction& a, const isa::Instruction& b) {
  auto accesses = [](const isa::Instruction& instruction) {
    std::vector<std::tuple<Reg, bool, uint8_t, char>> list;
    for (const isa::Access& access : isa::accessesOf(instruction))
      if (access.reg != Reg::srCarry)
        list.emplace_back(access.reg, access.isDef, access.cycle, access.bypass);
    return list;
  };
  return accesses(a) == accesses(b);
}

void addChoices(const MachineInst& inst, ScheduleNode& node, std::span<const isa::Value> values) {
  for (Form form : otherForms(inst.form)) {
    auto other = isa::Instruction::make(form, values);
    if (other && sameTiming(node.instruction(), *other)) node.choices.push_back(*other);
  }
}

/// From a load to a lock, until its result is written: newer compilers keep that
/// (docs/hardware/isa.md, rules.locks.ordering).
int toLock(const ScheduleNode& memory) {
  int distance = isa::memoryToLock(memory.instruction());
  if (!memory.instruction().row().is(isa::kLoads)) return distance;
  for (const isa::Access& access : memory.accesses)
    if (access.isDef)
      distance = std::max(distance, access.cycle - static_cast<int>(isa::kLockStall) + 1);
  return distance;
}

int memoryDistance(const ScheduleNode& a, const ScheduleNode& b) {
  const isa::FormRow &first = a.instruction().row(), &second = b.instruction().row();
  bool firstLocks = isLock(a.instruction()), secondLocks = isLock(b.instruction());
  if (first.touchesMemory() && secondLocks) return toLock(a);
  if (firstLocks && second.touchesMemory()) return isa::lockToMemory(b.instruction());
  if (first.touchesMemory() && second.touchesMemory() &&
      (first.flags | second.flags) & isa::kStores)
    return mayMeet(a.memory, b.memory) ? isa::memoryOrder(a.instruction(), b.instruction())
                                       : kIndependent;
  return kIndependent;
}

}  // namespace

bool isIgnoredStatus(Reg reg) { return reg == Reg::srCarry || isa::isSticky(reg); }

Result<ScheduleNode> makeNode(const MachineInst& inst) {
  std::vector<isa::Value> values;
  for (const Operand& operand : inst.ops())
    if (auto value = valueOf(operand)) values.push_back(*value);
  auto instruction = isa::Instruction::make(inst.form, values);
  if (!instruction)
    return Error{fmt::format("{}: {}", inst.row().name, instruction.error().message)};
  ScheduleNode node;
  node.choices = {*instruction};
  node.accesses = isa::accessesOf(*instruction);
  node.memory = inst.memory;
  node.location = inst.location;
  addChoices(inst, node, values);
  return node;
}

/// A store that reads late could issue with what it reads, or before: the rules take that for the
/// other order (isa/Hazards.hpp), and so does who reads the program.
int leastDistance(const isa::Access& a, const isa::Access& b) {
  if (a.isDef && b.isDef) return isa::writeAfterWrite(a, b);
  return a.isDef ? std::max(isa::readAfterWrite(a, b), 1) : isa::writeAfterRead(a, b);
}

int leastDistance(const ScheduleNode& first, const ScheduleNode& second) {
  int distance = memoryDistance(first, second);
  bool ordered = first.instruction().row().is(isa::kSideEffects) &&
                 second.instruction().row().is(isa::kSideEffects);
  if (ordered) distance = std::max(distance, 1);
  for (const isa::Access& a : first.accesses)
    for (const isa::Access& b : second.accesses)
      if ((a.isDef || b.isDef) && !isIgnoredStatus(a.reg) && overlap(a.reg, b.reg))
        distance = std::max(distance, leastDistance(a, b));
  return distance;
}

namespace {

/// Who accesses registers, as a program goes on: of each bit of their storage the last one that wrote it, and those that
/// have read it since. What came before is kept in order by that write.
class RecentAccesses {
 public:
  /// Those that `node` has to come after, in order; it becomes the latest.
  std::vector<uint32_t> add(uint32_t node, const ScheduleNode& accesses) {
    isa::Storage reads, writes;
    for (const isa::Access& access : accesses.accesses)
      if (!isIgnoredStatus(access.reg)) (access.isDef ? writes : reads) |= storageOf(access.reg);
    std::vector<uint32_t> before;
    forEach(reads | writes, [&](size_t bit) {
      const Bit& known = bits_[bit];
      if (known.writer) before.push_back(*known.writer);
      if (writes[bit]) before.insert(before.end(), known.readers.begin(), known.readers.end());
    });
    forEach(reads & ~writes, [&](size_t bit) { bits_[bit].readers.push_back(node); });
    forEach(writes, [&](size_t bit) { bits_[bit] = {node, {}}; });
    return before;
  }

 private:
  struct Bit {
    std::optional<uint32_t> writer;
    std::vector<uint32_t> readers;
  };

  template <class Visit> static void forEach(const isa::Storage& storage, Visit visit) {
    for (size_t bit = storage._Find_first(); bit < storage.size(); bit = storage._Find_next(bit))
      visit(bit);
  }

  std::array<Bit, isa::Storage().size()> bits_;
};

bool isOutside(const ScheduleNode& node) {
  return node.instruction().row().is(isa::kLoads | isa::kStores | isa::kSideEffects);
}

/// Whether memory or effects keep two instructions in order; registers are not asked.
bool areOrdered(const ScheduleNode& a, const ScheduleNode& b) {
  return memoryDistance(a, b) != kIndependent || (a.instruction().row().is(isa::kSideEffects) &&
                                                  b.instruction().row().is(isa::kSideEffects));
}

}  // namespace

std::vector<Dependence> dependencesOf(std::span<const ScheduleNode> nodes) {
  std::vector<Dependence> edges;
  RecentAccesses recent;
  std::vector<uint32_t> outside;
  for (uint32_t j = 0; j < nodes.size(); ++j) {
    std::vector<uint32_t> before = recent.add(j, nodes[j]);
    if (isOutside(nodes[j])) {
      for (uint32_t i : outside)
        if (areOrdered(nodes[i], nodes[j])) before.push_back(i);
      outside.push_back(j);
    }
    std::ranges::sort(before);
    const auto repeated = std::ranges::unique(before);
    before.erase(repeated.begin(), repeated.end());
    for (uint32_t i : before)
      if (int distance = leastDistance(nodes[i], nodes[j]); distance != kIndependent)
        edges.push_back({i, j, distance});
  }
  return edges;
}

int cyclesUntilQuiet(const ScheduleNode& node) {
  int cycles = 1;
  for (const isa::Access& access : node.accesses) {
    int reads = access.cycle - 1 + (access.bypass != '-');
    cycles = std::max(cycles, access.isDef ? int{access.cycle} : reads);
  }
  const isa::ItineraryRow& timing = row(itineraryOf(node.instruction()));
  for (const isa::UnitUse& use : timing.uses())
    cycles = std::max(cycles, use.cycle + use.cycles - 1);
  if (node.instruction().row().touchesMemory())
    cycles = std::max(
        {cycles, static_cast<int>(timing.lastMemoryCycle()) - kFirstMemoryCycle + 1, toLock(node)});
  if (isLock(node.instruction()))
    cycles = std::max(cycles, static_cast<int>(isa::kLockResume) - kFirstMemoryCycle + 1);
  return cycles;
}

unsigned slotsOf(const isa::Instruction& instruction) {
  if (instruction.slot() == isa::Slot::Lng) return slotBit(isa::Slot::Alu) | slotBit(isa::Slot::Mv);
  return slotBit(instruction.slot());
}

bool unitsCollide(const isa::Instruction& first, const isa::Instruction& second, int distance) {
  for (const isa::UnitUse& a : row(itineraryOf(first)).uses())
    for (const isa::UnitUse& b : row(itineraryOf(second)).uses()) {
      if (a.unit != b.unit || (a.reserved && b.reserved)) continue;
      int begin = b.cycle + distance;
      if (begin < a.cycle + a.cycles && a.cycle < begin + b.cycles) return true;
    }
  return false;
}

}  // namespace airlite::npu::codegen
