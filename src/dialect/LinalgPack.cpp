// Verifiers of linalg.pack and linalg.unpack: which shape the packed side must have.
#include "LinalgInternal.hpp"

#include <algorithm>

namespace airlite::linalg {

namespace {

bool areDistinctDims(const std::vector<int64_t>& dims, int64_t rank) {
  std::vector<int64_t> sorted = dims;
  std::sort(sorted.begin(), sorted.end());
  bool distinct = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  return distinct && (sorted.empty() || (sorted.front() >= 0 && sorted.back() < rank));
}

int64_t ceilDiv(int64_t a, int64_t b) { return a / b + (a % b != 0); }

/// Outer dims: how many tiles, in their order; then the tiles.
std::vector<int64_t> packedShape(PackView view, ShapedType unpacked) {
  std::vector<int64_t> counts(unpacked.shape().begin(), unpacked.shape().end());
  std::vector<int64_t> dims = view.innerDims(), tiles = view.innerTiles();
  for (size_t i = 0; i < dims.size(); ++i) {
    int64_t& count = counts[static_cast<size_t>(dims[i])];
    bool known = count != kDynamic && tiles[i] != kDynamic;
    count = known ? ceilDiv(count, tiles[i]) : kDynamic;
  }
  std::vector<int64_t> shape;
  for (int64_t dim : view.outerPermutation())
    shape.push_back(counts[static_cast<size_t>(dim)]);
  shape.insert(shape.end(), tiles.begin(), tiles.end());
  return shape;
}

bool fits(std::span<const int64_t> wanted, std::span<const int64_t> found) {
  for (size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i] != kDynamic && found[i] != kDynamic && wanted[i] != found[i]) return false;
  return true;
}

LogicalResult verifyAttributes(Operation& op, PackView view, ShapedType unpacked) {
  std::vector<int64_t> tiles = view.innerTiles();
  for (int64_t tile : tiles)
    if (tile == 0) return op.emitError() << "invalid zero tile factor";
  if (std::any_of(tiles.begin(), tiles.end(), [](int64_t t) { return t < 0 && t != kDynamic; }))
    return op.emitError() << "invalid negative tile factor";
  if (!areDistinctDims(view.innerDims(), unpacked.rank()))
    return op.emitError() << "invalid inner_dims_pos vector";
  std::vector<int64_t> permutation = view.outerPermutation();
  if (static_cast<int64_t>(permutation.size()) != unpacked.rank() ||
      !areDistinctDims(permutation, unpacked.rank()))
    return op.emitError() << "invalid outer_dims_perm vector";
  if (tiles.size() != view.innerDims().size())
    return op.emitError() << "tiling factors must equal the number of dimensions to tile";
  auto dynamic = std::count(tiles.begin(), tiles.end(), kDynamic);
  if (dynamic != op.operandGroup("inner_tiles").size())
    return op.emitOpError() << "expected " << dynamic << " dynamic tile sizes, found "
                            << op.operandGroup("inner_tiles").size();
  return success();
}

LogicalResult verifyPacking(Operation& op, ShapedType unpacked, ShapedType packed) {
  PackView view(&op);
  if (!unpacked.hasRank() || !packed.hasRank())
    return op.emitOpError() << "expected ranked operands";
  if (unpacked.elementType() != packed.elementType())
    return op.emitOpError() << "expected one element type, found " << unpacked.elementType()
                            << " and " << packed.elementType();
  if (failed(verifyAttributes(op, view, unpacked))) return failure();
  std::vector<int64_t> wanted = packedShape(view, unpacked);
  if (packed.rank() != static_cast<int64_t>(wanted.size()))
    return op.emitError() << "packed rank must equal unpacked rank + tiling factors";
  if (!fits(wanted, packed.shape()))
    return op.emitError() << "the shape of output is not large enough to hold the packed data. "
                          << "Expected at least " << packed.cloneWith(wanted, packed.elementType())
                          << ", got " << Type(packed);
  bool tensor = view.dest().type().isa<RankedTensorType>();
  if (op.numResults() != (tensor ? 1u : 0u) || (tensor && op.result().type() != view.dest().type()))
    return op.emitOpError() << "expected one result of the type of the destination tensor";
  return success();
}

/// Without padding every tile must be full.
bool hasPartialTile(PackView view, ShapedType unpacked) {
  std::vector<int64_t> dims = view.innerDims(), tiles = view.innerTiles();
  for (size_t i = 0; i < dims.size(); ++i) {
    int64_t size = unpacked.dim(static_cast<size_t>(dims[i]));
    if (size != kDynamic && tiles[i] != kDynamic && size % tiles[i] != 0) return true;
  }
  return false;
}

}  // namespace

LogicalResult verifyPack(Operation& op) {
  PackView view(&op);
  auto source = view.source().type().cast<ShapedType>();
  OperandRange padding = op.operandGroup("padding_value");
  if (!padding.empty() && padding[0].type() != source.elementType())
    return op.emitOpError() << "expected padding_value has " << source.elementType()
                            << " but got: " << padding[0].type();
  if (failed(verifyPacking(op, source, view.dest().type().cast<ShapedType>()))) return failure();
  if (padding.empty() && hasPartialTile(view, source))
    return op.emitOpError() << "invalid tile factor or output size provided. Only full tiles are "
                            << "supported when padding_value is not set";
  return success();
}

namespace {

/// pack and unpack, by whatever name.
bool sameTiles(Operation& a, Operation& b) {
  PackView first(&a), second(&b);
  return first.innerDims() == second.innerDims() && first.innerTiles() == second.innerTiles() &&
         first.outerPermutation() == second.outerPermutation() &&
         a.operandGroup("inner_tiles").vec() == b.operandGroup("inner_tiles").vec();
}

bool isPack(const Operation* op) { return op && (op->is("linalg.pack") || op->is("tensor.pack")); }
bool isUnpack(const Operation* op) {
  return op && (op->is("linalg.unpack") || op->is("tensor.unpack"));
}
bool pads(Operation& pack) { return !pack.operandGroup("padding_value").empty(); }

}  // namespace

/// pack(unpack(x)) and unpack(pack(x)) are x when nothing is filled up.
LogicalResult foldPack(Operation& op, std::span<const Attribute>,
                       std::vector<FoldResult>& results) {
  Operation* inner = op.operand(0).definingOp();
  bool inverse = (isPack(&op) && isUnpack(inner)) || (isUnpack(&op) && isPack(inner));
  if (!inverse || op.numResults() != 1 || inner->operand(0).type() != op.result().type() ||
      !sameTiles(op, *inner) || pads(isPack(&op) ? op : *inner))
    return failure();
  results.push_back(inner->operand(0));
  return success();
}

LogicalResult verifyUnpack(Operation& op) {
  PackView view(&op);
  return verifyPacking(op, view.dest().type().cast<ShapedType>(),
                       view.source().type().cast<ShapedType>());
}

}  // namespace airlite::linalg
