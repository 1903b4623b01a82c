#include "TileWriter.hpp"

#include "ProductPlan.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Vector.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>

namespace airlite::gpu {
namespace {

bool isTileMap(AffineMap map) {
  std::vector<unsigned> seen;
  for (AffineExpr result : map.results()) {
    if (result.kind() == AffineKind::Constant && result.constantValue() == 0) continue;
    if (result.kind() != AffineKind::Dim || std::ranges::count(seen, result.position()))
      return false;
    seen.push_back(result.position());
  }
  return true;
}

bool isTileElement(Type type) {
  return type.isIndex() ||
         ((type.isFloat() || type.isInteger()) && (type.bitWidth() % 8 == 0 || type.isInteger(1)));
}

/// Numbers change their bits when those of 8 and 16 bits are computed in 32.
bool seesNarrowBits(Operation& inner) {
  const auto isNarrow = [](Type type) { return type.isF16() || type.isBF16() || type.isFloat8(); };
  return inner.is("arith.bitcast") &&
         (isNarrow(inner.operand(0).type()) || isNarrow(inner.result().type()));
}

bool isTileBodyOp(Operation& inner) {
  if (inner.hasTrait(Trait::Terminator)) return true;
  if (inner.numResults() != 1 || !isTileElement(inner.result().type())) return false;
  if (inner.is("arith.constant") || inner.is("linalg.index")) return true;
  return vector::isElementwise(inner) && !seesNarrowBits(inner);
}

}  // namespace

bool isTileOp(linalg::StructuredOp op) {
  if (!op.onBuffers() || op->numResults() || op.numOutputs() != 1) return false;
  const auto maps = op.indexingMaps();
  if (!maps.back().isIdentity()) return false;
  for (linalg::IteratorKind kind : op.iterators())
    if (kind != linalg::IteratorKind::Parallel) return false;
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    const auto memref = op->operand(i).type().dynCast<MemRefType>();
    const Type element = elementTypeOrSelf(op->operand(i).type());
    if (!isTileElement(element) || element.isIndex()) return false;
    if (memref && (!memref.stridedForm() || !isTileMap(maps[i]))) return false;
  }
  return std::ranges::all_of(op.body().ops(), isTileBodyOp);
}

Type TileWriter::widened(Type element) const {
  const bool isNarrow = element.isF16() || element.isBF16() || element.isFloat8();
  return isNarrow ? FloatType::get(context(), FloatKind::F32) : element;
}

VectorType TileWriter::tileType(const Tile& tile, Type element) const {
  return vectorType({tile.shape[0], tile.shape[1]}, element);
}

Value TileWriter::computeTile(linalg::StructuredOp op, const Tile& tile, Known known) {
  return evaluate(op.body().back().operand(0), op, tile, known);
}

Value TileWriter::evaluate(Value value, linalg::StructuredOp op, const Tile& tile, Known& known) {
  if (const auto made = known.find(value); made != known.end()) return made->second;
  Operation* inner = value.definingOp();
  Value result;
  if (value.isBlockArgument() && value.argumentBlock() == &op.body()) {
    for (unsigned i = 0; i < op->numOperands(); ++i)
      if (op.bodyArgument(i) == value)
        result = operandTile(op->operand(i), op.indexingMaps()[i], tile);
  } else if (!inner || inner->block() != &op.body()) {
    result = operandTile(value, AffineMap(), tile);
  } else if (inner->is("arith.constant")) {
    const Type type = widened(value.type());
    const Attribute number = inner->attr("value");
    const auto real = number.dynCast<FloatAttr>();
    const Attribute wide = real ? Attribute(FloatAttr::get(type, real.value())) : number;
    result = broadcast(builder_.constant(location(), wide), tileType(tile, type));
  } else if (inner->is("linalg.index")) {
    result = indexTile(static_cast<unsigned>(inner->attrOf<IntegerAttr>("dim").value()), tile);
  } else {
    std::vector<Value> operands;
    for (Value operand : inner->operands())
      operands.push_back(evaluate(operand, op, tile, known));
    const Type element = widened(value.type());
    const bool keepsType = (inner->is("arith.extf") || inner->is("arith.truncf")) &&
                           elementTypeOrSelf(operands[0].type()) == element;
    if (inner->is("arith.truncf") && value.type().isFloat8()) {
      result = convert(convert(operands[0], value.type()), element);
    } else if (keepsType) {
      result = operands[0];
    } else {
      Operation* made = builder_.clone(*inner);
      for (unsigned i = 0; i < operands.size(); ++i)
        made->setOperand(i, operands[i]);
      made->result().setType(tileType(tile, element));
      result = made->result();
    }
  }
  return known[value] = result;
}

Value TileWriter::operandTile(Value operand, AffineMap map, const Tile& tile) {
  const Type element = elementTypeOrSelf(operand.type());
  if (operand.type().isa<MemRefType>())
    return convert(readTile(operand, map, tile), widened(element));
  return broadcast(convert(operand, widened(element)), tileType(tile, widened(element)));
}

Value TileWriter::countUp(int64_t count, Type element) {
  const Value step =
      builder_.create(location(), "vector.step", {}, {vectorType({count}, builder_.indexType())})
          ->result();
  if (element.isIndex()) return step;
  return builder_.create(location(), "arith.index_cast", {step}, {vectorType({count}, element)})
      ->result();
}

Value TileWriter::indexTile(unsigned loop, const Tile& tile) {
  const Type index = builder_.indexType();
  const int dim = tile.dimOf(loop);
  if (dim < 0) return broadcast(tile.starts[loop], tileType(tile, index));
  const int64_t count = tile.shape[dim];
  const Value start = broadcast(tile.starts[loop], vectorType({count}, index));
  return spreadAlong(binary("arith.addi", countUp(count, index), start), dim, tile);
}

Value TileWriter::spreadAlong(Value vector, int dim, const Tile& tile) {
  const Type element = elementTypeOrSelf(vector.type());
  if (dim == 1) return broadcast(vector, tileType(tile, element));
  return transpose(broadcast(vector, vectorType({tile.shape[1], tile.shape[0]}, element)));
}

/// The loop of the tile along a dimension of memory that `expr` indexes; -1: none.
static int tileDimOf(AffineExpr expr, const Tile& tile) {
  for (int dim : {0, 1})
    if (expr.usesDim(tile.loops[dim])) return dim;
  return -1;
}

Value TileWriter::indexOf(AffineExpr expr, std::span<const Value> loops) {
  switch (expr.kind()) {
    case AffineKind::Dim: return loops[expr.position()];
    case AffineKind::Add: {
      const Value left = indexOf(expr.lhs(), loops);
      if (const auto number = expr.rhs().constantValue()) return plus(left, *number);
      return binary("arith.addi", left, indexOf(expr.rhs(), loops));
    }
    case AffineKind::Mul: return times(indexOf(expr.lhs(), loops), *expr.rhs().constantValue());
    default: return index(*expr.constantValue());
  }
}

VectorPlace TileWriter::placeOf(Value memref, AffineMap map, const Tile& tile,
                                std::vector<int>& dims) {
  VectorPlace place{memref, {}, {}, {}};
  std::vector<AffineExpr> results;
  for (unsigned i = 0; i < map.numResults(); ++i) {
    place.indices.push_back(indexOf(map.result(i), tile.starts));
    const int dim = tileDimOf(map.result(i), tile);
    if (dim < 0) continue;
    dims.push_back(dim);
    results.push_back(AffineExpr::dim(context(), i));
    place.inside.push_back(tile.inside[dim]);
  }
  place.map = AffineMap::get(context(), map.numResults(), 0, results);
  return place;
}

Value TileWriter::readTile(Value memref, AffineMap map, const Tile& tile) {
  const Type element = elementTypeOrSelf(memref.type());
  std::vector<int> dims;
  const VectorPlace place = placeOf(memref, map, tile, dims);
  if (dims.empty()) {
    const Value number =
        memref::LoadOp::create(builder_, location(), memref, place.indices).result();
    return broadcast(number, tileType(tile, element));
  }
  std::vector<int64_t> shape;
  for (int dim : dims)
    shape.push_back(tile.shape[dim]);
  const Value vector = read(place, VectorType::get(context(), shape, element));
  if (dims.size() == 1) return spreadAlong(vector, dims[0], tile);
  return dims[0] == 0 ? vector : transpose(vector);
}

Tile tileIn(const Tile& tile, AffineMap map) {
  Tile own = tile;
  own.starts.clear();
  for (unsigned i = 0; i < map.numResults(); ++i) {
    const unsigned loop = map.result(i).position();
    own.starts.push_back(tile.starts[loop]);
    if (const int dim = tile.dimOf(loop); dim >= 0) own.loops[dim] = i;
  }
  return own;
}

void TileWriter::takeStride(Value& memref, AffineMap& map, unsigned loop,
                            std::span<const Value> starts) {
  for (unsigned i = 0; i < map.numResults(); ++i) {
    if (!map.result(i).usesDim(loop)) continue;
    const int64_t stride = coefficientOf(map.result(i), loop, map.numDims());
    if (stride == 1) return;
    std::vector<Value> others(starts.begin(), starts.end());
    others[loop] = index(0);
    memref = stridedView(memref, i, indexOf(map.result(i), others), stride);
    std::vector<AffineExpr> results = {map.results().begin(), map.results().end()};
    results[i] = AffineExpr::dim(context(), loop);
    map = AffineMap::get(context(), map.numDims(), 0, results);
    return;
  }
}

Value TileWriter::stridedView(Value memref, unsigned dim, Value offset, int64_t stride) {
  const auto shape = memref.type().cast<MemRefType>().shape();
  std::vector<memref::MixedIndex> offsets, sizes, strides;
  for (unsigned i = 0; i < shape.size(); ++i) {
    const Value size =
        shape[i] != kDynamic
            ? index(shape[i])
            : builder_.create(location(), "memref.dim", {memref, index(i)}, {builder_.indexType()})
                  ->result();
    const bool isStrided = i == dim;
    offsets.push_back(isStrided ? memref::MixedIndex(offset) : memref::MixedIndex(0));
    strides.push_back(memref::MixedIndex(isStrided ? stride : 1));
    if (isStrided)
      sizes.push_back(ceilDiv(binary("arith.subi", size, offset), stride));
    else if (shape[i] != kDynamic)
      sizes.push_back(shape[i]);
    else
      sizes.push_back(size);
  }
  return memref::SubViewOp::create(builder_, location(), memref, offsets, sizes, strides).result();
}

void TileWriter::writeResult(Value from, AffineMap map, const Tile& tile, Value result,
                             std::span<const linalg::StructuredOp> followers) {
  const Tile own = tileIn(tile, map);
  for (linalg::StructuredOp op : followers) {
    Known known;
    for (unsigned i = 0; i < op->numOperands(); ++i)
      if (op->operand(i) == from && op.bodyArgument(i)) known[op.bodyArgument(i)] = result;
    result = computeTile(op, own, known);
    from = op.outputs()[0];
  }
  const AffineMap whole = AffineMap::identity(context(), map.numResults());
  writeTile(from, whole, own, convert(result, elementTypeOrSelf(from.type())));
}

void TileWriter::writeTile(Value memref, AffineMap map, const Tile& tile, Value vector) {
  std::vector<int> dims;
  const VectorPlace place = placeOf(memref, map, tile, dims);
  write(place, dims[0] == 0 ? vector : transpose(vector));
}

}  // namespace airlite::gpu
