#include "Emitter.hpp"

#include <utility>

namespace airlite::npu::codegen {

using isa::Form;

uint32_t Emitter::newBlock() {
  function_.blocks.emplace_back().depth = depth_;
  return static_cast<uint32_t>(function_.blocks.size() - 1);
}

void Emitter::enter(uint32_t block) {
  block_ = block;
  ++visit_;
  constants_.clear();
}

void Emitter::end(Terminator terminator) {
  terminator.location = location_;
  function_.blocks[block_].terminator = std::move(terminator);
}

void Emitter::jump(uint32_t target) {
  Terminator terminator;
  terminator.kind = Terminator::Kind::Jump;
  terminator.target = target;
  end(terminator);
}

void Emitter::branch(Operand condition, uint32_t target, uint32_t otherwise) {
  Terminator terminator;
  terminator.kind = Terminator::Kind::Branch;
  terminator.condition = condition;
  terminator.target = target;
  terminator.otherwise = otherwise;
  end(terminator);
}

MachineInst& Emitter::emit(Form form, std::initializer_list<Operand> operands) {
  return function_.blocks[block_].instructions.emplace_back(form, operands, location_);
}

Operand Emitter::compute(Form form, Operand a) {
  Operand result = fresh();
  emit(form, {result, a});
  return result;
}

Operand Emitter::compute(Form form, Operand a, Operand b) {
  Operand result = fresh();
  emit(form, {result, a, b});
  return result;
}

void Emitter::copy(Operand to, Operand from, RegClass toClass) {
  if (to == from) return;
  // Rows of f32 lie in vectors or in accumulators, which are larger on AIE2P.
  const bool isToSum = isSum(to), isFromSum = isSum(from);
  if (!isAie2() && isToSum != isFromSum) {
    emit(isa::Form::P_VMOV_alu_mv_mv_x,
         {isToSum ? to.at(Part::Quarter0) : to, isFromSum ? from.at(Part::Quarter0) : from});
    return;
  }
  function_.blocks[block_].instructions.push_back(makeCopy(to, from, toClass, location_, set()));
}

Operand Emitter::constant(uint32_t bits, RegClass regClass) {
  auto [place, isNew] = constants_.try_emplace({regClass, bits});
  if (isNew) {
    place->second = fresh(regClass);
    setConstant(place->second, bits);
  }
  return place->second;
}

void Emitter::setConstant(Operand to, uint32_t bits) {
  auto value = static_cast<int32_t>(bits);
  const bool isShort = bool(isa::fits(isa::OperandType::simm11, value));
  emit(isShort ? Form::MOVA_lda_cg : Form::MOVXM_lng_cg, {to, Operand::imm(value)});
}

}  // namespace airlite::npu::codegen
