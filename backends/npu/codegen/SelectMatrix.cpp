// Products of the matrix unit: vector.contract on tiles of its shapes, with sums in accumulators.
// Tiles are rows of elements in registers; that they have two dimensions is a matter of types.
#include "Select.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/Vector.hpp"
#include "airlite/npu/device/MatrixUnit.hpp"

namespace airlite::npu::codegen {

using isa::Form;
using isa::Reg;

namespace {

const MatrixShape* shapeOf(Operation& op) {
  auto a = op.operand(0).type().dynCast<VectorType>(),
       b = op.operand(1).type().dynCast<VectorType>();
  if (!a || !b || a.rank() != 2 || b.rank() != 2) return nullptr;
  const bool areFloats = a.elementType().isBF16();
  const MatrixElements elements{areFloats, a.elementType().bitWidth(), b.elementType().bitWidth()};
  const MatrixShape* shape = findMatrixShape(elements, a.dim(0), a.dim(1), b.dim(1));
  return shape && linalg::sumDepth(op) == (areFloats ? shape->depth : 0) ? shape : nullptr;
}

}  // namespace

bool Selector::selectContract(Operation& op) {
  const MatrixShape* shape = shapeOf(op);
  if (!shape) {
    op.emitOpError() << "has a shape that the matrix unit does not have";
    return false;
  }
  Operand a = reg(op.operand(0)), b = reg(op.operand(1)), sum = reg(op.operand(2));
  emit(shape->elements.areFloats ? Form::VMAC_F_vmac_bm_core_dense : Form::VMAC_vmac_cm_core_dense,
       {define(op.result()), sum, a, b, constant(shape->configuration)});
  return true;
}

/// Where a row of f32 lies and where a tile of the same lies are different registers.
bool Selector::selectShapeCast(Operation& op) {
  if (!checkedClass(op, op.result().type()) || !checkedClass(op, op.operand(0).type()))
    return false;
  if (values_.contains(op.result()) || isInStore(op)) return true;
  if (isFloatRow(op.operand(0).type()) || isFloatRow(op.result().type())) {
    Value row = op.operand(0);
    alias(op.result(), isFloatRow(row.type()) ? sumOf(row) : reg(row));
    return true;
  }
  const RegClass from = *classOf(op.operand(0).type()), to = *classOf(op.result().type());
  if (from == to)
    alias(op.result(), reg(op.operand(0)));
  else
    copy(define(op.result()), reg(op.operand(0)), to);
  return true;
}

namespace {

bool isVectorOf(Type type, int64_t lanes, unsigned bits) {
  auto vector = type.dynCast<VectorType>();
  return vector && vector.numElements() == lanes && vector.elementType().isInteger(bits);
}

/// 16 numbers of 32 bits to sums of 64, or back.
bool changesSums(Operation& op, Type narrow, Type wide) {
  if (isVectorOf(narrow, 16, 32) && isVectorOf(wide, 16, 64)) return true;
  op.emitOpError() << "changes widths of lanes, for which the machine has nothing";
  return false;
}

}  // namespace

bool Selector::selectWiden(Operation& op) {
  if (areRows(op)) return widenLanes(op);
  if (!changesSums(op, op.operand(0).type(), op.result().type())) return false;
  if (values_.contains(op.result())) return true;  // loaded like this
  setShift();
  emit(Form::VUPS_S64_S32_mv_ups_x2c,
       {define(op.result()), reg(op.operand(0)), Operand::of(Reg::s0)});
  return true;
}

/// Where only a store reads the result, the store cuts.
bool Selector::selectNarrow(Operation& op) {
  if (areRows(op)) return narrowLanes(op);
  if (!changesSums(op, op.result().type(), op.operand(0).type())) return false;
  if (isInStore(op)) return true;
  setShift();
  emit(Form::VSRS_S32_S64_mv_x_srs,
       {define(op.result()), reg(op.operand(0)), Operand::of(Reg::s0)});
  return true;
}

}  // namespace airlite::npu::codegen
