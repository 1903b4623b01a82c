// Where the tile of a wave lies, and how its values are shaped.
#include "RowTile.hpp"

#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"

namespace airlite::gpu {

void RowTile::countRows() {
  rows_ = product(0, chain_.rowLoops);
  columns_ = product(chain_.rowLoops, static_cast<unsigned>(chain_.sizes.size()));
}

Value RowTile::sizeOfLoop(unsigned loop) {
  if (chain_.sizes[loop] != kDynamic) return index(chain_.sizes[loop]);
  const auto& [memref, dim] = chain_.sources[loop];
  return builder_.create(location(), "memref.dim", {memref, index(dim)}, {builder_.indexType()})
      ->result();
}

Value RowTile::product(unsigned from, unsigned to) {
  Value all;
  int64_t known = 1;
  for (unsigned loop = from; loop < to; ++loop) {
    if (chain_.sizes[loop] != kDynamic)
      known *= chain_.sizes[loop];
    else
      all = all ? binary("arith.muli", all, sizeOfLoop(loop)) : sizeOfLoop(loop);
  }
  return all ? times(all, known) : index(known);
}

void RowTile::openTiles() {
  countRows();
  const bool hasParts = plan_.kind == RowPlan::Blocks && plan_.rows == 1;
  const Value across = hasParts ? ceilDiv(columns_, plan_.columns) : index(1);
  const Value down = ceilDiv(rows_, plan_.rows);
  const Value tiles = hasParts ? binary("arith.muli", down, across) : down;
  const Value tile = open(tiles, kWavesOfGroup, true);
  scf::IfOp guard = scf::IfOp::create(builder_, location(), {}, isBelow(tile, tiles));
  builder_.setBefore(guard.thenBlock().back());
  const Value block = hasParts ? binary("arith.divui", tile, across) : tile;
  row_ = times(block, plan_.rows);
  column_ = hasParts ? times(binary("arith.remui", tile, across), plan_.columns) : index(0);
  findRow();
}

void RowTile::findRow() {
  rowIndices_.assign(chain_.rowLoops, row_);
  if (plan_.isFlat) return;
  Value rest = row_;
  for (unsigned loop = chain_.rowLoops; loop-- > 1;) {
    const Value size = sizeOfLoop(loop);
    rowIndices_[loop] = binary("arith.remui", rest, size);
    rest = binary("arith.divui", rest, size);
    rowIndices_[0] = rest;
  }
}

bool RowTile::isKnown(unsigned from, unsigned to, int64_t multiple) const {
  int64_t all = 1;
  for (unsigned loop = from; loop < to; ++loop) {
    if (chain_.sizes[loop] == kDynamic) return false;
    all *= chain_.sizes[loop];
  }
  return all > 0 && all % multiple == 0;  // of empty rows nothing may be read
}

bool RowTile::hasWholeColumns() const {
  const int64_t step = plan_.kind == RowPlan::Blocks ? plan_.columns : plan_.columns * plan_.waves;
  return isKnown(chain_.rowLoops, static_cast<unsigned>(chain_.sizes.size()), step);
}

std::vector<int64_t> RowTile::shapeOf(unsigned over) const {
  std::vector<int64_t> shape;
  if ((over & kOverRows) && isInRows()) shape.push_back(plan_.rows);
  if (over & kOverColumns) shape.push_back(plan_.columns);
  return shape;
}

Type RowTile::typeOf(unsigned over, Type element) const {
  const auto shape = shapeOf(over);
  return shape.empty() ? element : Type(VectorType::get(context(), shape, element));
}

Type RowTile::widened(Type element) const {
  const bool isNarrow = element.isF16() || element.isBF16() || element.isFloat8();
  return isNarrow ? FloatType::get(context(), FloatKind::F32) : element;
}

Value RowTile::raise(Value value, unsigned over, unsigned to) {
  const auto shape = shapeOf(to);
  if (shapeOf(over) == shape) return value;
  const Type element = elementTypeOrSelf(value.type());
  const bool hasRowsOnly = isInRows() && over == kOverRows;
  if (!hasRowsOnly) return broadcast(value, VectorType::get(context(), shape, element));
  return transpose(broadcast(value, vectorType({plan_.columns, plan_.rows}, element)));
}

Value RowTile::collapsed(const RowPlace& place, bool joinsRows) {
  const auto rank = static_cast<int64_t>(place.memref.type().cast<MemRefType>().shape().size());
  const auto lead = static_cast<int64_t>(place.loops.size());
  std::vector<std::vector<int64_t>> groups;
  if (joinsRows && lead) groups.emplace_back();
  for (int64_t i = 0; i < lead; ++i) {
    if (!joinsRows) groups.emplace_back();
    groups.back().push_back(i);
  }
  if (place.hasColumns) groups.emplace_back();
  for (int64_t i = lead; i < rank; ++i)
    groups.back().push_back(i);
  if (static_cast<int64_t>(groups.size()) == rank) return place.memref;
  return memref::CollapseShapeOp::create(builder_, location(), place.memref, groups)->result();
}

VectorPlace RowTile::vectorPlace(const RowPlace& place, unsigned over) {
  const bool joins = plan_.isFlat && (over & kOverRows);
  VectorPlace at{collapsed(place, joins), {}, {}, {}};
  if (joins) {
    at.indices.push_back(row_);
  } else {
    at.indices = indicesOf(place);
  }
  if (over & kOverColumns) at.indices.push_back(column_);
  std::vector<AffineExpr> dims;
  const auto rank = static_cast<unsigned>(at.indices.size());
  if ((over & kOverRows) && isInRows()) {
    dims.push_back(AffineExpr::dim(context(), 0));
    at.inside.push_back(hasWholeRows());
  }
  if (over & kOverColumns) {
    dims.push_back(AffineExpr::dim(context(), rank - 1));
    at.inside.push_back(hasWholeColumns());
  }
  at.map = AffineMap::get(context(), rank, 0, dims);
  return at;
}

std::vector<Value> RowTile::indicesOf(const RowPlace& place) {
  std::vector<Value> indices;
  for (int loop : place.loops)
    indices.push_back(loop == RowPlace::kFirst ? index(0) : rowIndices_[static_cast<size_t>(loop)]);
  return indices;
}

std::vector<Value> RowTile::numberIndices(const RowPlace& place, Value& memref) {
  const bool joins = plan_.isFlat && (place.over() & kOverRows);
  memref = joins ? collapsed(place, true) : place.memref;
  return joins ? std::vector{row_} : indicesOf(place);
}

Value RowTile::readMemory(const RowNode& node) {
  const Type element = elementTypeOrSelf(node.place.memref.type());
  const auto shape = shapeOf(node.over);
  if (shape.empty()) {
    Value memref;
    const auto indices = numberIndices(node.place, memref);
    return convert(memref::LoadOp::create(builder_, location(), memref, indices).result(),
                   widened(element));
  }
  return convert(
      read(vectorPlace(node.place, node.over), VectorType::get(context(), shape, element)),
      widened(element));
}

}  // namespace airlite::gpu
