#include "SelectMemory.hpp"

#include "Access.hpp"
#include "airlite/dialect/Aie.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Symbols.hpp"

#include <bit>
#include <string_view>

namespace airlite::npu::codegen {

using isa::Form;

namespace {

constexpr AccessForms kLoad32 = {Form::LDA_dms_lda_idx, Form::LDA_dms_lda_idx_imm,
                                 Form::LDA_dms_lda_pstm_nrm, Form::LDA_dms_lda_pstm_nrm_imm};
constexpr AccessForms kLoadS16 = {Form::LDA_S16_ag_idx, Form::LDA_S16_ag_idx_imm,
                                  Form::LDA_S16_ag_pstm_nrm, Form::LDA_S16_ag_pstm_nrm_imm};
constexpr AccessForms kLoadU16 = {Form::LDA_U16_ag_idx, Form::LDA_U16_ag_idx_imm,
                                  Form::LDA_U16_ag_pstm_nrm, Form::LDA_U16_ag_pstm_nrm_imm};
constexpr AccessForms kLoadS8 = {Form::LDA_S8_ag_idx, Form::LDA_S8_ag_idx_imm,
                                 Form::LDA_S8_ag_pstm_nrm, Form::LDA_S8_ag_pstm_nrm_imm};
constexpr AccessForms kLoadU8 = {Form::LDA_U8_ag_idx, Form::LDA_U8_ag_idx_imm,
                                 Form::LDA_U8_ag_pstm_nrm, Form::LDA_U8_ag_pstm_nrm_imm};
constexpr AccessForms kStore32 = {Form::ST_dms_sts_idx, Form::ST_dms_sts_idx_imm,
                                  Form::ST_dms_sts_pstm_nrm, Form::ST_dms_sts_pstm_nrm_imm};
constexpr AccessForms kStore16 = {Form::ST_S16_ag_idx, Form::ST_S16_ag_idx_imm,
                                  Form::ST_S16_ag_pstm_nrm, Form::ST_S16_ag_pstm_nrm_imm};
constexpr AccessForms kStore8 = {Form::ST_S8_ag_idx, Form::ST_S8_ag_idx_imm,
                                 Form::ST_S8_ag_pstm_nrm, Form::ST_S8_ag_pstm_nrm_imm};

/// True when everyone who reads the value wants zeros above it.
bool isReadUnsigned(Value value) {
  bool all = value.hasUses();
  for (OpOperand& use : value.uses()) {
    std::string_view name = use.owner()->name();
    all &= name == "arith.extui" || name == "arith.divui" || name == "arith.remui" ||
           name == "arith.shrui" || name == "arith.index_castui" || name == "arith.minui" ||
           name == "arith.maxui";
  }
  return all;
}

bool checkMemRef(Operation& op, Value memref) {
  auto type = memref.type().cast<MemRefType>();
  auto bytes = aie::elementBytes(type.elementType());
  bool isFlat = type.rank() == 1 && type.hasStaticShape() && type.hasIdentityLayout();
  if (isFlat && bytes && std::has_single_bit(static_cast<uint64_t>(*bytes)) &&
      !type.elementType().isInteger(1))
    return true;
  op.emitOpError()
      << "needs a memref of one dimension, with a static size and without a layout, of "
         "i8, i16, i32, bf16 or f32; found "
      << type;
  return false;
}

}  // namespace

bool MemorySelector::selectLoad(Operation& op) {
  if (!checkMemRef(op, op.operand(0)) || !checkedClass(op, op.result().type())) return false;
  unsigned width = widthOf(op.result().type());
  bool zero = isReadUnsigned(op.result());
  const AccessForms& forms = width == 32   ? kLoad32
                             : width == 16 ? (zero ? kLoadU16 : kLoadS16)
                                           : (zero ? kLoadU8 : kLoadS8);
  Address from = addressing_.scalar(op, 0, {width / 8, width / 8}, forms);
  Upper upper = width == 32 ? Upper::Unknown : zero ? Upper::Zero : Upper::Sign;
  accessPart(emitter_, forms, values_.define(op.result(), upper), from);
  return true;
}

bool MemorySelector::selectStore(Operation& op) {
  if (!checkMemRef(op, op.operand(1)) || !checkedClass(op, op.operand(0).type())) return false;
  unsigned width = widthOf(op.operand(0).type());
  const AccessForms& forms = width == 32 ? kStore32 : width == 16 ? kStore16 : kStore8;
  Operand value = values_.reg(op.operand(0));
  Address to = addressing_.scalar(op, 1, {width / 8, width / 8}, forms);
  accessPart(emitter_, forms, value, to);
  return true;
}

bool MemorySelector::selectGlobal(Operation& op) {
  Operation* global = lookupSymbol(&op, memref::GetGlobalOp(&op).name());
  auto address = global ? state_.globalAddress(*global, op) : std::nullopt;
  if (!address) return false;
  values_.setAddress(op.result(), *address);
  return true;
}

/// The same memory with elements of another width.
bool MemorySelector::selectMemoryCast(Operation& op) {
  if (op.numOperands() != 1 || !op.operand(0).type().isa<MemRefType>() ||
      !op.result().type().isa<MemRefType>()) {
    op.emitOpError() << "is not a cast of memory";
    return false;
  }
  if (auto address = values_.addressOf(op.operand(0)))
    values_.setAddress(op.result(), *address);
  else
    values_.alias(op.result(), values_.reg(op.operand(0)));
  return true;
}

}  // namespace airlite::npu::codegen
