#include "SelectLanes.hpp"

#include "VectorForms.hpp"
#include "airlite/dialect/Arith.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace airlite::npu::codegen {

using arith::CmpIPredicate;
using isa::Form;
using isa::Reg;

namespace {

/// The forms of an operation for lanes of 8, 16 and 32 bits.
struct LaneRow {
  std::string_view op;
  std::array<Form, 3> forms;
};

constexpr LaneRow kLaneRows[] = {
    {"arith.addi", {Form::VADD_8, Form::VADD_16, Form::VADD_32}},
    {"arith.subi", {Form::VSUB_8, Form::VSUB_16, Form::VSUB_32}},
    {"arith.andi", {Form::VBAND, Form::VBAND, Form::VBAND}},
    {"arith.ori", {Form::VBOR, Form::VBOR, Form::VBOR}},
};
constexpr std::array kLaneBroadcasts = {Form::VBCST_8, Form::VBCST_16, Form::VBCST_32};
constexpr std::array kZeroLanes = {Form::VEQZ_8, Form::VEQZ_16, Form::VEQZ_32};
constexpr std::array kDifferences = {Form::VSUB_8, Form::VSUB_16, Form::VSUB_32};

}  // namespace

bool LaneSelector::selectBroadcast(Operation& op) {
  if (!checkedClass(op, op.result().type())) return false;
  if (op.operand(0).type().isa<VectorType>()) {
    op.emitOpError() << "broadcasts a vector; not supported: anything but a scalar";
    return false;
  }
  Operand value = values_.reg(op.operand(0));
  Operand lanes = emitter_.fresh(RegClass::Vector);
  emitter_.emit(kLaneBroadcasts[laneIndex(op.result().type())], {lanes, value});
  values_.alias(op.result(), lanes);
  return true;
}

bool LaneSelector::selectLanes(Operation& op) {
  Type type = op.result().type();
  if (!checkedClass(op, type)) return false;
  size_t lane = laneIndex(type);
  Operand a = values_.reg(op.operand(0)), b = values_.reg(op.operand(1));
  for (const LaneRow& row : kLaneRows)
    if (op.is(row.op)) emitter_.emit(row.forms[lane], {values_.define(op.result()), a, b});
  if (op.is("arith.maxsi") || op.is("arith.minsi")) return selectExtreme(op, true);
  if (op.is("arith.xori")) values_.alias(op.result(), exclusiveOr(emitter_, a, b));
  return true;
}

bool LaneSelector::selectUnsignedExtreme(Operation& op) { return selectExtreme(op, false); }

bool LaneSelector::selectExtreme(Operation& op, bool isSigned) {
  Type type = op.result().type();
  if (!checkedClass(op, type)) return false;
  Operand a = values_.reg(op.operand(0)), b = values_.reg(op.operand(1));
  const bool isLargest = op.is("arith.maxui") || op.is("arith.maxsi");
  Operand to = values_.define(op.result()), mask = laneMask(emitter_, laneIndex(type));
  takeExtreme(emitter_, laneIndex(type), isSigned, isLargest, to, mask, a, b);
  return true;
}

/// Which lanes hold. True when the mask has to be read the other way round.
bool LaneSelector::compareLanes(Operation& op, Operand mask) {
  Type type = op.operand(0).type();
  size_t lane = laneIndex(type);
  CmpIPredicate predicate = arith::CmpIOp(&op).predicate();
  Operand a = values_.reg(op.operand(0)), b = values_.reg(op.operand(1));
  if (predicate == CmpIPredicate::eq || predicate == CmpIPredicate::ne) {
    emitter_.emit(kZeroLanes[lane], {mask, computeVector(emitter_, kDifferences[lane], a, b)});
    return predicate == CmpIPredicate::ne;
  }
  // All others are `less`, of swapped operands or inverted.
  bool swaps = predicate == CmpIPredicate::sgt || predicate == CmpIPredicate::sle ||
               predicate == CmpIPredicate::ugt || predicate == CmpIPredicate::ule;
  bool inverts = predicate == CmpIPredicate::sge || predicate == CmpIPredicate::sle ||
                 predicate == CmpIPredicate::uge || predicate == CmpIPredicate::ule;
  bool isUnsigned = predicate >= CmpIPredicate::ult;
  if (swaps) std::swap(a, b);
  compareLess(emitter_, lane, !isUnsigned, mask, a, b);
  return inverts;
}

bool LaneSelector::selectVectorCompare(Operation& op) {
  if (!checkedClass(op, op.operand(0).type())) return false;
  for (OpOperand& use : op.result().uses())
    if (!use.owner()->is("arith.select") || use.index() != 0) {
      op.emitOpError() << "gives lanes of i1; not supported: anything but selecting by them";
      return false;
    }
  return true;  // made where it selects
}

bool LaneSelector::selectVectorSelect(Operation& op) {
  Type type = op.result().type();
  if (!checkedClass(op, type)) return false;
  Operand onTrue = rows_.rowOf(op.operand(1)), onFalse = rows_.rowOf(op.operand(2));
  Operand mask = laneMask(emitter_, laneIndex(type));
  Value condition = op.operand(0);
  Operation* compared = condition.definingOp();
  if (!condition.type().isa<VectorType>()) {
    Operand all = values_.extended(condition, true);
    const bool areBytes = laneIndex(type) == 0;
    emitter_.copy(areBytes ? Operand::of(Reg::r16) : mask, all, RegClass::Gpr);
    if (areBytes) emitter_.copy(Operand::of(Reg::r17), all, RegClass::Gpr);
  } else if (!compared || !compared->is("arith.cmpi") ||
             laneIndex(compared->operand(0).type()) != laneIndex(type)) {
    op.emitOpError() << "selects by lanes that are not a comparison of lanes of the same width";
    return false;
  } else if (compareLanes(*compared, mask)) {
    std::swap(onTrue, onFalse);
  }
  values_.alias(op.result(), choose(emitter_, laneIndex(type), onFalse, onTrue, mask));
  return true;
}

/// The same lanes of another type.
bool LaneSelector::selectLaneCast(Operation& op) {
  if (!checkedClass(op, op.result().type()) || !checkedClass(op, op.operand(0).type()))
    return false;
  values_.alias(op.result(), rows_.rowOf(op.operand(0)));
  return true;
}

/// The first lane.
bool LaneSelector::selectExtract(Operation& op) {
  Type type = op.operand(0).type();
  if (!checkedClass(op, type) || !checkedClass(op, op.result().type())) return false;
  auto position = op.attrOf<DenseArrayAttr>("static_position");
  if (!position || position.size() != 1 || position.values()[0] != 0) {
    op.emitOpError() << "extracts; not supported: anything but the first lane";
    return false;
  }
  constexpr std::array kForms = {Form::VEXTRACT_S8, Form::VEXTRACT_S16, Form::VEXTRACT_S32};
  constexpr std::array kFormsOfAie2p = {Form::P_VEXTRACT_8_vec_extract_imm_vaddSign1,
                                        Form::P_VEXTRACT_16_vec_extract_imm_vaddSign1,
                                        Form::P_VEXTRACT_32_vec_extract_imm_vaddSign1};
  Operand row = rows_.rowOf(op.operand(0)), lane = Operand::imm(0);
  if (emitter_.isAie2()) {
    lane = Operand::of(Reg::r18);
    emitter_.copy(lane, emitter_.constant(0), RegClass::Gpr);
  }
  const bool isInteger = op.result().type().isInteger();
  emitter_.emit((emitter_.isAie2() ? kForms : kFormsOfAie2p)[laneIndex(type)],
                {values_.define(op.result(), isInteger ? Upper::Sign : Upper::Unknown), row, lane});
  return true;
}

}  // namespace airlite::npu::codegen
