#include "SelectMatrix.hpp"

#include "LateStores.hpp"
#include "VectorForms.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/Vector.hpp"
#include "airlite/npu/device/MatrixUnit.hpp"

namespace airlite::npu::codegen {

using isa::Form;

namespace {

const MatrixShape* shapeOf(Operation& op, const Emitter& emitter) {
  auto a = op.operand(0).type().dynCast<VectorType>(),
       b = op.operand(1).type().dynCast<VectorType>();
  if (!a || !b || a.rank() != 2 || b.rank() != 2) return nullptr;
  const bool areFloats = a.elementType().isBF16();
  const MatrixElements elements{areFloats, a.elementType().bitWidth(), b.elementType().bitWidth()};
  const auto generation = emitter.isAie2() ? aie::Generation::Aie2 : aie::Generation::Aie2p;
  const MatrixShape* shape = findMatrixShape(generation, elements, a.dim(0), a.dim(1), b.dim(1));
  return shape && linalg::sumDepth(op) == (areFloats ? shape->depth : 0) ? shape : nullptr;
}

/// Whether nothing but a product reads the register of the sum that it adds to, so that the result may
/// take its place. Where accumulators are few, one for each chain of products leaves room for others.
bool isOnlyAddedTo(Value sum) {
  Operation* maker = sum.definingOp();
  if (!maker || !onlyUser(sum)) return false;
  if (maker->is("vector.contract")) return true;
  if (!maker->is("vector.shape_cast")) return false;
  Operation* load = maker->operand(0).definingOp();
  return load && load->is("vector.load") && onlyUser(load->result()) == maker;
}

}  // namespace

bool MatrixSelector::selectContract(Operation& op) {
  const MatrixShape* shape = shapeOf(op, emitter_);
  if (!shape) {
    op.emitOpError() << "has a shape that the matrix unit does not have";
    return false;
  }
  Operand a = values_.reg(op.operand(0)), b = values_.reg(op.operand(1)),
          sum = values_.reg(op.operand(2));
  const bool takesPlace = !emitter_.isAie2() && isOnlyAddedTo(op.operand(2));
  if (takesPlace) values_.alias(op.result(), sum);
  emitter_.emit(
      shape->elements.areFloats ? Form::VMAC_F_vmac_bm_core_dense : Form::VMAC_vmac_cm_core_dense,
      {takesPlace ? sum : values_.define(op.result()), sum, a, b,
       emitter_.constant(shape->configuration)});
  return true;
}

/// Where a row of f32 lies and where a tile of the same lies are different registers.
bool MatrixSelector::selectShapeCast(Operation& op) {
  if (!checkedClass(op, op.result().type()) || !checkedClass(op, op.operand(0).type()))
    return false;
  for (Type type : {op.result().type(), op.operand(0).type()})
    if (classOf(type) == RegClass::Accumulator && !fitsAccumulator(type, emitter_)) {
      op.emitOpError() << "casts " << type << ", which is no accumulator of "
                       << emitter_.set().name;
      return false;
    }
  if (values_.has(op.result()) || isInStore(op)) return true;
  if (isFloatRow(op.operand(0).type()) || isFloatRow(op.result().type())) {
    Value row = op.operand(0);
    values_.alias(op.result(), isFloatRow(row.type()) ? rows_.sumOf(row) : values_.reg(row));
    return true;
  }
  const RegClass from = *classOf(op.operand(0).type()), to = *classOf(op.result().type());
  if (from == to)
    values_.alias(op.result(), values_.reg(op.operand(0)));
  else
    emitter_.copy(values_.define(op.result()), values_.reg(op.operand(0)), to);
  return true;
}

}  // namespace airlite::npu::codegen
