#include "SelectMatrix.hpp"

#include "LateStores.hpp"
#include "VectorForms.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/Vector.hpp"
#include "airlite/npu/device/MatrixUnit.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace airlite::npu::codegen {

using isa::Form;

namespace {

const MatrixShape* shapeOf(Operation& op, const Emitter& emitter) {
  auto a = op.operand(0).type().dynCast<VectorType>(),
       b = op.operand(1).type().dynCast<VectorType>();
  if (!a || !b || a.rank() != 2 || b.rank() != 2) return nullptr;
  const bool areBlocks = op.hasAttr(linalg::kBlockFloats);
  const MatrixElements elements{a.elementType().isBF16(), a.elementType().bitWidth(),
                                b.elementType().bitWidth(), areBlocks};
  const auto generation = emitter.isAie2() ? aie::Generation::Aie2 : aie::Generation::Aie2p;
  const MatrixShape* shape =
      findMatrixShape(generation, elements, a.dim(0), a.dim(1), b.dim(areBlocks ? 0 : 1));
  return shape && linalg::sumDepth(op) == shape->sumDepth ? shape : nullptr;
}

/// A column of a tile: the elements by which a row of another factor is multiplied.
struct Column {
  Value tile;
  int64_t number = 0;
};
std::optional<Column> columnOf(Value factor) {
  Operation* slice = factor.definingOp();
  if (!slice || !isColumnOfTile(*slice)) return std::nullopt;
  return Column{slice->operand(0),
                slice->attrOf<ArrayAttr>("offsets")[1].cast<IntegerAttr>().value()};
}

/// Whether nothing but a product reads the register of the sum that it adds to, so that the result may
/// take its place. Where accumulators are few, one for each chain of products leaves room for others.
bool isOnlyAddedTo(Value sum) {
  Operation* maker = sum.definingOp();
  if (!maker || !onlyUser(sum)) return false;
  if (maker->is("vector.contract")) return true;
  if (!maker->is("vector.shape_cast")) return false;
  Operation* row = maker->operand(0).definingOp();
  if (!row || onlyUser(row->result()) != maker) return false;
  if (row->is("vector.load")) return true;
  Operation* load = row->is("arith.extsi") ? row->operand(0).definingOp() : nullptr;
  return load && load->is("vector.load") && onlyUser(load->result()) == row;
}

/// The products with a column.
std::vector<Operation*> readersOfColumn(Value tile, int64_t column) {
  std::vector<Operation*> readers;
  for (OpOperand& use : tile.uses()) {
    const std::optional<Column> read =
        use.owner()->numResults() == 1 ? columnOf(use.owner()->result()) : std::optional<Column>();
    if (!read || read->number != column) continue;
    for (OpOperand& ofColumn : use.owner()->result().uses())
      readers.push_back(ofColumn.owner());
  }
  return readers;
}

Form formOf(const MatrixElements& elements, bool multipliesLanes) {
  if (elements.areBlocks) return Form::P_VMAC_f_vmac_bfp_vmul_bfp_core_EX_EX;
  if (multipliesLanes) return Form::P_VMAC_f_vmac_bf_vmul_bf_core_Y_Y;
  return elements.areFloats ? Form::VMAC_F_vmac_bm_core_dense : Form::VMAC_vmac_cm_core_dense;
}
/// Of products that are added to nothing.
Form formAlone(const MatrixElements& elements, bool multipliesLanes) {
  if (elements.areBlocks) return Form::P_VMUL_f_vmul_bfp_vmul_bfp_core_EX_EX;
  if (multipliesLanes) return Form::P_VMUL_f_vmul_bf_vmul_bf_core_Y_Y;
  return elements.areFloats ? Form::VMUL_F_vmac_bm_core_dense : Form::VMUL_vmac_cm_core_dense;
}

}  // namespace

/// Each element of the column stands in half of the lanes.
Operand MatrixSelector::spreadColumn(Value tile, int64_t column) {
  const int64_t depth = tile.type().cast<VectorType>().dim(1);
  Operand elements = values_.reg(tile);
  if (const Operand* found = columns_.find({elements.number, column})) return *found;
  Operand spread = spreads_.take(readersOfColumn(tile, column),
                                 [&](Operation& reader) { return values_.has(reader.result()); });
  for (auto [part, at] : {std::pair(Part::Low, column), std::pair(Part::High, depth + column)})
    emitter_.emit(Form::P_VEXTBCST_16_vec_extract_broadcast_imm,
                  {spread.at(part), elements, Operand::imm(at)});
  return columns_.set({elements.number, column}, spread);
}

bool MatrixSelector::selectContract(Operation& op) {
  const MatrixShape* shape = shapeOf(op, emitter_);
  if (!shape) {
    op.emitOpError() << "has a shape that the matrix unit does not have";
    return false;
  }
  const std::optional<Column> column = columnOf(op.operand(0));
  Operand a = column ? spreadColumn(column->tile, column->number) : values_.reg(op.operand(0)),
          b = values_.reg(op.operand(1)), how = emitter_.constant(shape->configuration);
  if (splatBits(op.operand(2)) == 0) {
    emitter_.emit(formAlone(shape->elements, column.has_value()),
                  {values_.define(op.result()), a, b, how});
    return true;
  }
  Operand sum = values_.reg(op.operand(2));
  const bool takesPlace = !emitter_.isAie2() && isOnlyAddedTo(op.operand(2));
  if (takesPlace) values_.alias(op.result(), sum);
  emitter_.emit(formOf(shape->elements, column.has_value()),
                {takesPlace ? sum : values_.define(op.result()), sum, a, b, how});
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
  if (to == RegClass::VectorPair) {
    Operand pair = values_.define(op.result()), row = values_.reg(op.operand(0));
    for (Part half : {Part::Low, Part::High})
      emitter_.emit(Form::P_VMOV_alu_mv_mv_x, {pair.at(half), row});
    return true;
  }
  if (from == to)
    values_.alias(op.result(), values_.reg(op.operand(0)));
  else
    emitter_.copy(values_.define(op.result()), values_.reg(op.operand(0)), to);
  return true;
}

}  // namespace airlite::npu::codegen
