// Products of the matrix unit: vector.contract on tiles of its shapes, with sums in accumulators.
// Tiles are rows of elements in registers; that they have two dimensions is a matter of types.
#include "Select.hpp"
#include "airlite/dialect/Vector.hpp"
#include "airlite/npu/device/MatrixUnit.hpp"

namespace airlite::npu::codegen {

using isa::Form;
using isa::Reg;

namespace {

bool hasShape(Type type, unsigned bits, int64_t rows, int64_t columns) {
  auto vector = type.dynCast<VectorType>();
  return vector && vector.rank() == 2 && vector.elementType().isInteger(bits) &&
         vector.dim(0) == rows && vector.dim(1) == columns;
}

const MatrixShape* shapeOf(Operation& op) {
  for (const MatrixShape& shape : matrixShapes())
    if (hasShape(op.operand(0).type(), shape.leftBits, shape.rows, shape.depth) &&
        hasShape(op.operand(1).type(), shape.rightBits, shape.depth, shape.columns) &&
        hasShape(op.result().type(), shape.sumBits, shape.rows, shape.columns))
      return &shape;
  return nullptr;
}

}  // namespace

bool Selector::selectContract(Operation& op) {
  const MatrixShape* shape = shapeOf(op);
  if (!shape) {
    op.emitOpError() << "has a shape that the matrix unit does not have";
    return false;
  }
  Operand a = reg(op.operand(0)), b = reg(op.operand(1)), sum = reg(op.operand(2));
  emit(Form::VMAC_vmac_cm_core_dense,
       {define(op.result()), sum, a, b, constant(shape->configuration)});
  return true;
}

bool Selector::selectShapeCast(Operation& op) {
  if (!checkedClass(op, op.result().type())) return false;
  alias(op.result(), reg(op.operand(0)));
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
  if (!changesSums(op, op.operand(0).type(), op.result().type())) return false;
  if (values_.contains(op.result())) return true;  // loaded like this
  setShift();
  emit(Form::VUPS_S64_S32_mv_ups_x2c,
       {define(op.result()), reg(op.operand(0)), Operand::of(Reg::s0)});
  return true;
}

/// Where only a store reads the result, the store cuts.
bool Selector::selectNarrow(Operation& op) {
  if (!changesSums(op, op.result().type(), op.operand(0).type())) return false;
  Value result = op.result();
  bool isStored = result.hasUses() && (*result.uses().begin()).owner()->is("vector.store");
  if (isStored && vectorForms(*(*result.uses().begin()).owner(), result.type(), true).hasShift)
    return true;
  setShift();
  emit(Form::VSRS_S32_S64_mv_x_srs,
       {define(op.result()), reg(op.operand(0)), Operand::of(Reg::s0)});
  return true;
}

}  // namespace airlite::npu::codegen
