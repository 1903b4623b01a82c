#include "SelectExchange.hpp"

#include "Access.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/dialect/Aie.hpp"

#include <optional>

namespace airlite::npu::codegen {

using isa::Form;
using isa::Reg;

bool ExchangeSelector::selectLock(Operation& op) {
  aie::UseLockOp use(&op);
  auto number = surroundings_.locks.find(op.operand(0));
  if (number == surroundings_.locks.end()) {
    op.emitOpError() << "uses a lock that the core cannot reach";
    return false;
  }
  aie::MaybeStatic value = use.value();
  auto known = value.value ? constantBits(value.value) : std::optional<int32_t>(value.constant);
  bool subtracts = use.action() == aie::LockAction::AcquireGreaterEqual;
  constexpr int32_t kMost = aie::limitsOf(aie::Generation::Aie2, aie::TileKind::Core).maxLockValue;
  if (known && (*known < 0 || *known > kMost)) {
    op.emitOpError() << "expects a value from 0 to " << kMost << ", found " << *known;
    return false;
  }
  // acq with a negative value waits for at least that much; with another for just that.
  Operand amount = known ? emitter_.constant(static_cast<uint32_t>(subtracts ? -*known : *known))
                         : values_.reg(value.value);
  if (!known && subtracts) amount = emitter_.compute(Form::SUB, emitter_.constant(0), amount);
  Form form =
      use.action() == aie::LockAction::Release ? Form::REL_mLockId_imm : Form::ACQ_mLockId_imm;
  emitter_.emit(form, {Operand::imm(number->second), amount});
  return true;
}

bool ExchangeSelector::selectStream(Operation& op) {
  if (constantBits(op.operand(0)) != 0) {
    op.emitOpError() << "expects stream 0, the only one of a core of AIE2";
    return false;
  }
  emitter_.emit(Form::MOV_mv_ss2scl, {values_.define(op.result())});
  return true;
}

namespace {

/// The cascade has 512 bits and is enabled by a register.
bool checkCascade(Operation& op, Type type) {
  if (!checkedClass(op, type)) return false;
  if (vectorBytes(type) == 2 * kHalfBytes) return true;
  op.emitOpError() << "moves " << type << "; a step of the cascade has 512 bits";
  return false;
}

}  // namespace

bool ExchangeSelector::selectCascadeGet(Operation& op) {
  if (!checkCascade(op, op.result().type())) return false;
  emitter_.emit(Form::MOV_mv_cg, {Operand::of(Reg::crSCDEn), Operand::imm(1)});
  emitter_.emit(Form::VMOV_mv_scd, {values_.define(op.result())});
  return true;
}

bool ExchangeSelector::selectCascadePut(Operation& op) {
  if (!checkCascade(op, op.operand(0).type())) return false;
  Operand value = rows_.rowOf(op.operand(0));
  emitter_.emit(Form::MOV_mv_cg, {Operand::of(Reg::crMCDEn), Operand::imm(1)});
  emitter_.emit(Form::VMOV_mv_mcd, {value});
  return true;
}

}  // namespace airlite::npu::codegen
