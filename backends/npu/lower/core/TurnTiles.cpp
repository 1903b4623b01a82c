// See TurnTiles.hpp. Two registers hold a tile, and vshuffle turns it: eight words of eight bytes.
#include "TurnTiles.hpp"

#include "ViewPlace.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"

#include <array>
#include <utility>
#include <vector>

namespace airlite::npu {
namespace {

using linalg::StructuredOp;

constexpr int64_t kSide = 8, kTile = kSide * kSide, kRow = kTile / 2;

/// Writes the loop over all tiles.
class TileTurner {
 public:
  TileTurner(Builder& builder, Location location) : builder_(builder), location_(location) {}

  void turn(Value from, Value to) {
    const int64_t elements = from.type().cast<MemRefType>().numElements();
    Value source = asRow(builder_, location_, from), target = asRow(builder_, location_, to);
    const InsertPoint after = builder_.insertPoint();
    scf::ForOp loop =
        scf::ForOp::create(builder_, location_, index(0), index(elements), index(kTile));
    builder_.setBefore(*loop.yield());
    Value first = loop.inductionVar();
    Value second =
        builder_.create(location_, "arith.addi", {first, index(kRow)}, {builder_.indexType()})
            ->result();
    Value low = load(source, first), high = load(source, second);
    store(shuffled(low, high, 0), target, first);
    store(shuffled(low, high, kRow), target, second);
    builder_.setInsertPoint(after);
  }

 private:
  Value index(int64_t number) { return builder_.constantIndex(location_, number); }

  Type rowType(Value memory) const {
    return VectorType::get(builder_.context(), {&kRow, 1},
                           memory.type().cast<MemRefType>().elementType());
  }
  Value load(Value memory, Value place) {
    return builder_.create(location_, "vector.load", {memory, place}, {rowType(memory)})->result();
  }
  void store(Value row, Value memory, Value place) {
    builder_.create(location_, "vector.store", {row, memory, place}, {});
  }

  /// Elements `begin` and those after it of the tile that was turned.
  Value shuffled(Value low, Value high, int64_t begin) {
    std::vector<Attribute> numbers;
    for (int64_t i = begin; i < begin + kRow; ++i)
      numbers.push_back(builder_.i64Attr(i % kSide * kSide + i / kSide));
    return builder_
        .create(location_, "vector.shuffle", {low, high}, {low.type()},
                {builder_.named("mask", ArrayAttr::get(builder_.context(), numbers))})
        ->result();
  }

  Builder& builder_;
  Location location_;
};

bool isTileOfRows(StructuredOp op) {
  auto type = op->operand(1).type().dynCast<MemRefType>();
  if (!type || !flatType(type) || type.rank() < 2) return false;
  return type.dim(type.rank() - 1) == kSide && type.dim(type.rank() - 2) == kSide;
}

/// The map of B: its last dimension is a loop over sums when its columns are rows of the tile.
std::vector<AffineMap> turnedMaps(StructuredOp op) {
  std::vector<AffineMap> maps = op.indexingMaps();
  std::vector<AffineExpr> results;
  for (unsigned i = 0; i < maps[1].numResults(); ++i)
    results.push_back(maps[1].result(i));
  std::swap(results[results.size() - 1], results[results.size() - 2]);
  maps[1] = AffineMap::get(op->context(), maps[1].numDims(), 0, results);
  return maps;
}

bool isLastOfSums(StructuredOp op) {
  const AffineMap map = op.indexingMaps()[1];
  const AffineExpr last = map.result(map.numResults() - 1);
  return last.kind() == AffineKind::Dim &&
         op.iterators()[last.position()] == linalg::IteratorKind::Reduction;
}

}  // namespace

StructuredOp turnTiles(StructuredOp op, ScratchBuffers& scratch) {
  if (!op->hasAttr(linalg::kBlockFloats) || !op.onBuffers() || !linalg::isMultiplyAdd(op) ||
      !isTileOfRows(op) || isLastOfSums(op))
    return {};
  const Type type = op->operand(1).type();
  if (!scratch.haveRoom({type})) return {};
  Builder builder = Builder::before(*op.op());
  Value turned = scratch.take(type);
  TileTurner(builder, op->location()).turn(op->operand(1), turned);
  const std::array<Value, 2> inputs{op->operand(0), turned};
  Value out = op->operand(2);
  StructuredOp product = linalg::createGeneric(builder, op->location(), inputs, std::span(&out, 1),
                                               turnedMaps(op), op.iterators());
  IRMapping mapping;
  for (unsigned i = 0; i < 3; ++i)
    mapping.map(op.bodyArgument(i), product.bodyArgument(i));
  Builder body = Builder::atEnd(product.body());
  for (Operation& inner : op.body().ops())
    body.clone(inner, mapping);
  linalg::setUnitSums(*product.op(), {linalg::sumDepth(*op.op()), 0, true});
  op->erase();
  return product;
}

}  // namespace airlite::npu
