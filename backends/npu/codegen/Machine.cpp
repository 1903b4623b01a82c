#include "Machine.hpp"

#include <algorithm>

namespace airlite::npu::codegen {

using isa::Form;
using isa::Reg;

namespace {

template <size_t Count> constexpr std::array<Reg, Count> run(Reg first) {
  std::array<Reg, Count> regs{};
  for (size_t i = 0; i < Count; ++i)
    regs[i] = static_cast<Reg>(static_cast<unsigned>(first) + i);
  return regs;
}

/// r0 to r26, r28 to r30.
constexpr std::array<Reg, 30> gprs() {
  std::array<Reg, 30> regs{};
  size_t count = 0;
  for (Reg reg : run<31>(Reg::r0))
    if (reg != Reg::r27) regs[count++] = reg;
  return regs;
}

constexpr auto kGprs = gprs();
constexpr auto kPointers = run<8>(Reg::p0);
constexpr auto kModifiers = run<8>(Reg::dj0);
constexpr auto kVectors = run<12>(Reg::x0);
constexpr auto kAccumulators = run<9>(Reg::cm0);
constexpr auto kSteps = run<8>(Reg::m0);
constexpr auto kDimensions = run<8>(Reg::d0);

constexpr std::array<Reg, 18> halfAccumulators() {
  std::array<Reg, 18> regs{};
  for (size_t i = 0; i < 9; ++i) {
    regs[2 * i] = run<9>(Reg::bml0)[i];
    regs[2 * i + 1] = run<9>(Reg::bmh0)[i];
  }
  return regs;
}
constexpr auto kHalfAccumulators = halfAccumulators();
constexpr auto kMasks = run<8>(Reg::r16);

// Of AIE2P.
constexpr auto kWideAccumulators = run<5>(Reg::dm0);
constexpr auto kMasksP = run<9>(Reg::r18);
constexpr auto kVectorPairs = run<6>(Reg::y0);
constexpr auto kBlocks = run<12>(Reg::ex0);
constexpr std::array<Reg, 28> gprsP() {
  std::array<Reg, 28> regs{};
  size_t count = 0;
  for (Reg reg : kGprs)
    if (reg != Reg::r16 && reg != Reg::r17) regs[count++] = reg;
  return regs;
}
constexpr auto kGprsP = gprsP();

std::span<const Reg> registersOfAie2p(RegClass regClass) {
  switch (regClass) {
    case RegClass::Gpr: return kGprsP;
    case RegClass::Mask: return kMasksP;
    case RegClass::Accumulator:
    case RegClass::HalfAccumulator: return kWideAccumulators;
    case RegClass::VectorPair: return kVectorPairs;
    case RegClass::Blocks: return kBlocks;
    default: return registersOf(regClass);
  }
}

}  // namespace

std::span<const Reg> registersOf(RegClass regClass, const isa::InstructionSet& set) {
  if (&set != &isa::aie2()) return registersOfAie2p(regClass);
  switch (regClass) {
    case RegClass::Gpr: return kGprs;
    case RegClass::Pointer: return kPointers;
    case RegClass::Modifier: return kModifiers;
    case RegClass::Vector: return kVectors;
    case RegClass::Accumulator: return kAccumulators;
    case RegClass::Step: return kSteps;
    case RegClass::Dimension: return kDimensions;
    case RegClass::HalfAccumulator: return kHalfAccumulators;
    case RegClass::Mask: return kMasks;
    case RegClass::VectorPair:
    case RegClass::Blocks: break;  // of AIE2P
  }
  return {};
}

isa::Reg partOf(isa::Reg reg, Part part) {
  if (part == Part::Whole) return reg;
  if (row(reg).kind == isa::RegKind::Dim2d)
    return row(reg).parts[static_cast<unsigned>(part) - static_cast<unsigned>(Part::Quarter0)];
  const uint8_t quarters = quartersOf(part);
  isa::Reg half = row(reg).parts[quarters > 3];
  if (part == Part::Low || part == Part::High) return half;
  return row(half).parts[part == Part::Quarter1 || part == Part::Quarter3];
}

MachineInst::MachineInst(Form form, std::initializer_list<Operand> list, Location location)
    : form(form), operandCount(static_cast<uint8_t>(list.size())), location(location) {
  std::copy(list.begin(), list.end(), operands.begin());
}

OperandUse useOf(Form form, unsigned index) {
  const isa::FormRow& f = isa::row(form);
  const isa::OperandRow& named = f.operands[f.textOrder[index]];
  OperandUse use;
  for (const isa::OperandRow& op : f.ops()) {
    if (op.kind != isa::OperandKind::Register || op.letter != named.letter) continue;
    use.isDef |= op.isDef;
    use.isUse |= !op.isDef;
  }
  return use;
}

std::vector<uint32_t> Terminator::successors() const {
  switch (kind) {
    case Kind::Jump: return {target};
    case Kind::Branch:
    case Kind::Repeat: return {target, otherwise};
    case Kind::Call: return {otherwise};
    default: return {};
  }
}

bool writes(const MachineInst& inst, uint32_t reg) {
  for (unsigned i = 0; i < inst.operandCount; ++i)
    if (inst.operands[i].isVirtual() && static_cast<uint32_t>(inst.operands[i].number) == reg &&
        useOf(inst.form, i).isDef)
      return true;
  return false;
}

bool reads(const MachineInst& inst, uint32_t reg) {
  for (unsigned i = 0; i < inst.operandCount; ++i)
    if (inst.operands[i].isVirtual() && static_cast<uint32_t>(inst.operands[i].number) == reg &&
        (useOf(inst.form, i).isUse || keepsRest(inst.operands[i].part)))
      return true;
  return false;
}

namespace {

MachineInst makeCopyAie2p(Operand to, Operand from, RegClass toClass, Location location) {
  switch (toClass) {
    case RegClass::Vector: return {Form::P_VMOV_alu_mv_mv_x, {to, from}, location};
    case RegClass::HalfAccumulator:
    case RegClass::Accumulator: return {Form::P_VMOV_D, {to, from}, location};
    default: return {Form::P_MOV_alu_mv_mv_mv_scl, {to, from}, location};
  }
}

constexpr std::array kCopies = {Form::MOV_mv_scl, Form::VMOV_mv_x,
                                Form::VMOV_mv_cm, Form::P_VMOV_alu_mv_mv_x,
                                Form::P_VMOV_D,   Form::P_MOV_alu_mv_mv_mv_scl};
constexpr std::array kConstants = {
    Form::MOVA_lda_cg,           Form::MOVX_alu_cg, Form::MOV_mv_cg,
    Form::MOVXM_lng_cg,          Form::P_MOVA,      Form::P_MOVX_alu_cg,
    Form::P_MOV_alu_mv_mv_mv_cg, Form::P_MOVXM};

}  // namespace

MachineInst makeCopy(Operand to, Operand from, RegClass toClass, Location location,
                     const isa::InstructionSet& set) {
  if (&set != &isa::aie2()) return makeCopyAie2p(to, from, toClass, location);
  switch (toClass) {
    case RegClass::Vector:
    case RegClass::HalfAccumulator: return {Form::VMOV_mv_x, {to, from}, location};
    case RegClass::Accumulator: return {Form::VMOV_mv_cm, {to, from}, location};
    default: return {Form::MOV_mv_scl, {to, from}, location};
  }
}

bool isCopy(const MachineInst& inst) {
  const bool moves = std::ranges::find(kCopies, inst.form) != kCopies.end();
  return moves && inst.operands[0].part == inst.operands[1].part;
}

bool isConstant(const MachineInst& inst) {
  return std::ranges::find(kConstants, inst.form) != kConstants.end() &&
         inst.operands[0].isVirtual();
}

bool isRemovable(const MachineInst& inst) {
  const isa::FormRow& f = inst.row();
  if (f.is(isa::kStores | isa::kSideEffects) || f.isJump() || !inst.operandCount) return false;
  bool writes = false;
  for (unsigned i = 0; i < inst.operandCount; ++i) {
    if (!useOf(inst.form, i).isDef) continue;
    if (!inst.operands[i].isVirtual()) return false;
    writes = true;
  }
  // divs also writes r31, which the next one reads.
  for (const isa::OperandRow& op : f.ops())
    if (op.kind == isa::OperandKind::Fixed && op.isDef) return false;
  return writes;
}

}  // namespace airlite::npu::codegen
