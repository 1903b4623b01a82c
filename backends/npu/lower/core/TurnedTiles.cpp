#include "TurnedTiles.hpp"

#include "ViewPlace.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/npu/device/ShuffleModes.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace airlite::npu {
namespace {

using linalg::StructuredOp;

constexpr int64_t kVectorBits = 512;

/// Tiles of a buffer, rows of elements, that become tiles of columns.
struct Turn {
  Type element;
  int64_t tiles, rows, columns;

  int64_t lanes() const { return kVectorBits / element.bitWidth(); }
  int64_t elements() const { return rows * columns; }
  int64_t tilesOfVector() const { return std::max<int64_t>(1, lanes() / elements()); }
  int64_t vectorsOfTile() const { return std::max<int64_t>(1, elements() / lanes()); }

  /// Which lane of one or two vectors each lane of result number `part` is.
  std::vector<int64_t> mask(int64_t part) const {
    std::vector<int64_t> lanesFrom;
    for (int64_t lane = part * lanes(); lane < (part + 1) * lanes(); ++lane) {
      const int64_t tile = lane / elements(), at = lane % elements();
      lanesFrom.push_back(tile * elements() + at % rows * columns + at / rows);
    }
    return lanesFrom;
  }

  /// Whether vectors hold whole tiles, or two hold one, and the unit turns them.
  bool isPossible(aie::Generation generation) const {
    if (elements() * element.bitWidth() < 128 || vectorsOfTile() > 2 || tiles < tilesOfVector())
      return false;
    if (lanes() % elements() && elements() % lanes()) return false;
    for (int64_t part = 0; part < vectorsOfTile(); ++part)
      if (!findShuffleMode(generation, element.bitWidth() / 8, mask(part), lanes())) return false;
    return true;
  }
};

class TurnWriter {
 public:
  TurnWriter(Operation& before, const Turn& turn, Value from, Value to)
      : builder_(Builder::before(before)), location_(before.location()), turn_(turn) {
    from_ = asRow(builder_, location_, from);
    to_ = asRow(builder_, location_, to);
  }

  void write() {
    const int64_t step = turn_.tilesOfVector(), whole = turn_.tiles / step * step;
    const InsertPoint after = builder_.insertPoint();
    scf::ForOp loop =
        scf::ForOp::create(builder_, location_, index(0), index(whole * turn_.elements()),
                           index(step * turn_.elements()));
    builder_.setBefore(*loop.yield());
    turnAt(loop.inductionVar());
    builder_.setInsertPoint(after);
    // Some of these tiles have been turned already.
    if (whole != turn_.tiles) turnAt(index((turn_.tiles - step) * turn_.elements()));
  }

 private:
  Value index(int64_t number) { return builder_.constantIndex(location_, number); }

  VectorType vector() const {
    const int64_t lanes = turn_.lanes();
    return VectorType::get(turn_.element.context(), {&lanes, 1}, turn_.element);
  }

  Value placeOf(Value start, int64_t part) {
    if (part == 0) return start;
    return builder_
        .create(location_, "arith.addi", {start, index(part * turn_.lanes())},
                {builder_.indexType()})
        ->result();
  }

  void turnAt(Value start) {
    std::vector<Value> rows;
    for (int64_t part = 0; part < turn_.vectorsOfTile(); ++part)
      rows.push_back(
          builder_.create(location_, "vector.load", {from_, placeOf(start, part)}, {vector()})
              ->result());
    for (int64_t part = 0; part < turn_.vectorsOfTile(); ++part) {
      std::vector<Attribute> lanes;
      for (int64_t lane : turn_.mask(part))
        lanes.push_back(builder_.i64Attr(lane));
      const Attribute mask = ArrayAttr::get(builder_.context(), lanes);
      Value turned = builder_
                         .create(location_, "vector.shuffle", {rows.front(), rows.back()},
                                 {vector()}, {builder_.named("mask", mask)})
                         ->result();
      builder_.create(location_, "vector.store", {turned, to_, placeOf(start, part)}, {});
    }
  }

  Builder builder_;
  Location location_;
  const Turn& turn_;
  Value from_, to_;
};

/// The loop of the last dimension but `back`; none: it is no loop alone.
std::optional<unsigned> loopAt(AffineMap map, unsigned back) {
  if (map.numResults() <= back + 1) return std::nullopt;
  const AffineExpr expr = map.result(map.numResults() - 1 - back);
  return expr.kind() == AffineKind::Dim ? std::optional(expr.position()) : std::nullopt;
}

/// Whether the two last loops of a factor are the other way around than the unit takes them: blocks of floats want the
/// columns of the right one in rows.
bool isTurned(StructuredOp op, unsigned number) {
  const std::vector<AffineMap> maps = op.indexingMaps();
  const auto last = loopAt(maps[number], 0), before = loopAt(maps[number], 1),
             rows = loopAt(maps[2], 1), columns = loopAt(maps[2], 0);
  if (!last || !before || !rows || !columns) return false;
  if (number == 0) return *last == *rows;
  return op->hasAttr(linalg::kBlockFloats) ? *last == *columns : *before == *columns;
}

AffineMap turnedMap(AffineMap map) {
  std::vector<AffineExpr> results(map.results().begin(), map.results().end());
  std::swap(results[results.size() - 1], results[results.size() - 2]);
  return AffineMap::get(map.context(), map.numDims(), 0, results);
}

bool turnFactor(StructuredOp op, unsigned number, ScratchBuffers& scratch) {
  const Value memory = op->operand(number);
  auto type = memory.type().cast<MemRefType>();
  if (!flatType(type)) return false;
  std::vector<int64_t> shape(type.shape().begin(), type.shape().end());
  const size_t rank = shape.size();
  const Turn turn{type.elementType(), type.numElements() / (shape[rank - 2] * shape[rank - 1]),
                  shape[rank - 2], shape[rank - 1]};
  if (!turn.isPossible(aie::deviceOf(*op.op()).generation)) return false;
  std::swap(shape[rank - 2], shape[rank - 1]);
  const Type turned =
      MemRefType::get(type.context(), shape, type.elementType(), Attribute(), type.memorySpace());
  if (!scratch.haveRoom({turned})) return false;
  const Value copy = scratch.take(turned);
  TurnWriter(*op.op(), turn, memory, copy).write();
  op->setOperand(number, copy);
  std::vector<Attribute> maps;
  for (AffineMap map : op.indexingMaps())
    maps.push_back(AffineMapAttr::get(map));
  maps[number] = AffineMapAttr::get(turnedMap(op.indexingMaps()[number]));
  op->setAttr("indexing_maps", ArrayAttr::get(op->context(), maps));
  return true;
}

}  // namespace

bool turnFactors(StructuredOp op, ScratchBuffers& scratch) {
  if (!op->is("linalg.generic") || !op.onBuffers() || !linalg::isMultiplyAdd(op)) return false;
  bool changed = false;
  for (unsigned number : {0u, 1u})
    if (isTurned(op, number)) changed |= turnFactor(op, number, scratch);
  return changed;
}

}  // namespace airlite::npu
