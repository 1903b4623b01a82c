#include "TurnedTiles.hpp"

#include "LaneShuffles.hpp"
#include "ViewPlace.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/npu/device/ShuffleModes.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

namespace airlite::npu {
namespace {

using linalg::StructuredOp;

constexpr int64_t kVectorBits = 512;
/// Registers for the rows of a tile that are turned at a time.
constexpr int64_t kVectorsOfBand = 8;

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

  /// Of a tile that takes more than two vectors: rows that registers hold at a time, so that columns of them are stored in
  /// vectors or halves of such. 0: there is no such number.
  int64_t rowsOfBand() const {
    const int64_t band = kVectorsOfBand * lanes() / columns;
    const int64_t bits = band * element.bitWidth();
    const bool isStored = bits == kVectorBits || bits == kVectorBits / 2;
    return vectorsOfTile() > 2 && kVectorsOfBand * lanes() % columns == 0 && isStored &&
                   rows % band == 0 && std::has_single_bit(static_cast<uint64_t>(columns))
               ? band
               : 0;
  }

  bool isPossibleInBands(aie::Generation generation) const {
    return rowsOfBand() != 0 &&
           findShuffleMode(generation, element.bitWidth() / 8, everySecondLane(lanes(), 0),
                           lanes()) &&
           findShuffleMode(generation, element.bitWidth() / 8, everySecondLane(lanes(), 1),
                           lanes());
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
    if (turn_.rowsOfBand() != 0) return writeInBands();
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

  Value sum(Value start, Value more) {
    return builder_.create(location_, "arith.addi", {start, more}, {builder_.indexType()})
        ->result();
  }
  Value after(Value start, int64_t elements) {
    return elements == 0 ? start : sum(start, index(elements));
  }

  std::vector<Value> load(Value start, int64_t vectors) {
    std::vector<Value> rows;
    for (int64_t part = 0; part < vectors; ++part)
      rows.push_back(builder_
                         .create(location_, "vector.load",
                                 {from_, after(start, part * turn_.lanes())}, {vector()})
                         ->result());
    return rows;
  }

  void store(Value row, Value place) {
    builder_.create(location_, "vector.store", {row, to_, place}, {});
  }

  void turnAt(Value start) {
    const std::vector<Value> rows = load(start, turn_.vectorsOfTile());
    for (int64_t part = 0; part < turn_.vectorsOfTile(); ++part)
      store(shuffleLanes(builder_, location_, rows.front(), rows.back(), turn_.mask(part)),
            after(start, part * turn_.lanes()));
  }

  /// A loop over tiles, in it one over bands of rows.
  void writeInBands() {
    const InsertPoint end = builder_.insertPoint();
    const int64_t band = turn_.rowsOfBand();
    scf::ForOp tiles =
        scf::ForOp::create(builder_, location_, index(0), index(turn_.tiles * turn_.elements()),
                           index(turn_.elements()));
    builder_.setBefore(*tiles.yield());
    scf::ForOp bands =
        scf::ForOp::create(builder_, location_, index(0), index(turn_.rows), index(band));
    builder_.setBefore(*bands.yield());
    const Value rows =
        builder_
            .create(location_, "arith.muli", {bands.inductionVar(), index(turn_.columns)},
                    {builder_.indexType()})
            ->result();
    turnBand(sum(tiles.inductionVar(), rows), sum(tiles.inductionVar(), bands.inductionVar()));
    builder_.setInsertPoint(end);
  }

  void turnBand(Value from, Value to) {
    const std::vector<Value> rows =
        columnsOfRows(builder_, location_, load(from, kVectorsOfBand), turn_.columns);
    const int64_t band = turn_.rowsOfBand();
    for (int64_t column = 0; column < turn_.columns; ++column) {
      const Value row = rows[static_cast<size_t>(column * band / turn_.lanes())];
      const Value place = after(to, column * turn_.rows);
      store(band == turn_.lanes()
                ? row
                : sliceLanes(builder_, location_, row, column * band % turn_.lanes(), band),
            place);
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
  const aie::Generation generation = aie::deviceOf(*op.op()).generation;
  if (!turn.isPossible(generation) && !turn.isPossibleInBands(generation)) return false;
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
