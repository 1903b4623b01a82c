// The kernel of an elementwise op that reads memory across: each wave of a workgroup reads some rows of a tile of that,
// turns them in registers and stores them to LDS, where all waves find the rows of the result.
#include "TurnKernel.hpp"

#include "TileWriter.hpp"
#include "airlite/dialect/Gpu.hpp"
#include "airlite/dialect/MemRef.hpp"

#include <algorithm>
#include <optional>

namespace airlite::gpu {
namespace {

using linalg::StructuredOp;

constexpr int64_t kWaves = 4;
/// Rows and columns of a tile, and the shortest that is worth one.
constexpr int64_t kLongBlock = 64, kShortBlock = 32, kShortest = 24;
constexpr int64_t kMostOperands = 2;  ///< that lie across: LDS holds a tile of each

/// The loop that indexes the last dimension.
std::optional<unsigned> lastLoop(AffineMap map) {
  if (map.numResults() == 0) return std::nullopt;
  const AffineExpr last = map.result(map.numResults() - 1);
  return last.kind() == AffineKind::Dim ? std::optional(last.position()) : std::nullopt;
}

/// Operands that the op reads across, of which all have their rows along the same loop.
struct Turned {
  std::vector<unsigned> operands;
  unsigned rows = 0;  ///< their loop
};

bool usesLoop(AffineMap map, unsigned loop) {
  return std::ranges::any_of(map.results(),
                             [&](AffineExpr result) { return result.usesDim(loop); });
}

std::optional<Turned> turnedOperands(StructuredOp op) {
  const auto maps = op.indexingMaps();
  const unsigned columns = op.numLoops() - 1;
  Turned turned;
  for (unsigned i = 0; i < op.numInputs(); ++i) {
    if (!op->operand(i).type().isa<MemRefType>() || !usesLoop(maps[i], columns)) continue;
    const auto last = lastLoop(maps[i]);
    if (!last || *last == columns) continue;
    if (!turned.operands.empty() && turned.rows != *last) return std::nullopt;
    turned.rows = *last;
    turned.operands.push_back(i);
  }
  const auto count = static_cast<int64_t>(turned.operands.size());
  return count > 0 && count <= kMostOperands ? std::optional(turned) : std::nullopt;
}

bool isWorthTile(int64_t size) { return size == kDynamic || size >= kShortest; }

/// Tiles of all operands leave room for other workgroups in the compute unit.
constexpr int64_t kMostBytes = 16384;

/// Of an element; those of i1 have a byte each.
int64_t bytesOf(Value operand) {
  return std::max<int64_t>(1, elementTypeOrSelf(operand.type()).bitWidth() / 8);
}

int64_t blockFor(StructuredOp op, unsigned loop) {
  const int64_t size = op.loopSizes()[loop];
  if (size != kDynamic && size <= kShortBlock) return kShortBlock;
  int64_t bytes = 0;
  const std::optional<Turned> turned = turnedOperands(op);
  for (unsigned operand : turned->operands)
    bytes += kLongBlock * kLongBlock * bytesOf(op->operand(operand));
  return bytes <= kMostBytes ? kLongBlock : kShortBlock;
}

class TurnWriter : public TileWriter {
 public:
  explicit TurnWriter(StructuredOp op)
      : TileWriter(op),
        turned_(*turnedOperands(op)),
        columns_(op.numLoops() - 1),
        height_(blockFor(op, turned_.rows)),
        width_(blockFor(op, columns_)) {}

  void write() {
    std::vector<Value> sizes = {ceilDiv(sizeOf(columns_), width_),
                                ceilDiv(sizeOf(turned_.rows), height_)};
    std::vector<unsigned> others;
    for (unsigned loop = 0; loop < columns_; ++loop)
      if (loop != turned_.rows) others.push_back(loop);
    if (!others.empty()) sizes.push_back(productOf(others));
    const GroupLevels groups = openWorkgroups(sizes);
    starts_.assign(op_.numLoops(), Value());
    if (!others.empty()) split(others, groups.z);
    starts_[columns_] = times(groups.x, width_);
    starts_[turned_.rows] = times(groups.y, height_);
    for (unsigned operand : turned_.operands)
      tiles_.push_back(allocTile(operand));
    const Value waves[] = {index(kWaves), index(1)};
    auto herd = air::createHierarchy(builder_, location(), "air.herd", waves);
    herd->setAttr(kSpreadAttr, UnitAttr::get(context()));
    builder_.setBefore(*herd.body().terminator());
    writeBody(herd.id(0));
    air::isolate(herd);
    closeWorkgroups(groups.levels);
  }

 private:
  void split(std::span<const unsigned> loops, Value number) {
    for (size_t i = loops.size(); i-- > 0;) {
      starts_[loops[i]] = i ? binary("arith.remui", number, sizeOf(loops[i])) : number;
      if (i) number = binary("arith.divui", number, sizeOf(loops[i]));
    }
  }

  Type elementOf(unsigned operand) const { return elementTypeOrSelf(op_->operand(operand).type()); }

  /// Rows of the result, a few bytes longer so that what lanes store at once lies in different banks.
  Value allocTile(unsigned operand) {
    constexpr int64_t kPadBytes = 16;
    const int64_t pad = kPadBytes / bytesOf(op_->operand(operand));
    const int64_t shape[] = {height_, width_ + pad};
    const auto type =
        MemRefType::get(context(), shape, elementOf(operand), Attribute(), builder_.i64Attr(1));
    return memref::AllocOp::create(builder_, location(), type)->result();
  }

  bool isWhole(unsigned loop, int64_t block) const {
    const int64_t size = op_.loopSizes()[loop];
    return size != kDynamic && size % block == 0;
  }

  /// Rows of the operands that lie across are columns of the result.
  void writeBody(Value wave) {
    const bool rowsWhole = isWhole(turned_.rows, height_), columnsWhole = isWhole(columns_, width_);
    const Value column = times(wave, width_ / kWaves), zero = index(0);
    Tile across{
        starts_, {columns_, turned_.rows}, {width_ / kWaves, height_}, {columnsWhole, rowsWhole}};
    across.starts[columns_] = binary("arith.addi", starts_[columns_], column);
    const auto maps = op_.indexingMaps();
    for (size_t i = 0; i < tiles_.size(); ++i) {
      const unsigned operand = turned_.operands[i];
      const Value read = transpose(readTile(op_->operand(operand), maps[operand], across));
      builder_.create(location(), "vector.store", {read, tiles_[i], zero, column}, {});
    }
    workgroupBarrier();
    const Value row = times(wave, height_ / kWaves);
    Tile tile{
        starts_, {turned_.rows, columns_}, {height_ / kWaves, width_}, {rowsWhole, columnsWhole}};
    tile.starts[turned_.rows] = binary("arith.addi", starts_[turned_.rows], row);
    Known known;
    for (size_t i = 0; i < tiles_.size(); ++i) {
      const Type element = elementOf(turned_.operands[i]);
      const Value rows =
          builder_
              .create(location(), "vector.load", {tiles_[i], row, zero}, {tileType(tile, element)})
              ->result();
      known[op_.bodyArgument(turned_.operands[i])] = convert(rows, widened(element));
    }
    const Value result = op_.outputs()[0];
    const Value made = computeTile(op_, tile, known);
    writeTile(result, maps.back(), tile, convert(made, elementTypeOrSelf(result.type())));
  }

  Turned turned_;
  unsigned columns_;
  int64_t height_, width_;  ///< of a tile of the result
  std::vector<Value> starts_, tiles_;
};

}  // namespace

bool turnsRows(StructuredOp op) {
  if (op.numLoops() < 2 || !isTileOp(op) || op.loopSources().size() != op.numLoops()) return false;
  const auto turned = turnedOperands(op);
  const auto sizes = op.loopSizes();
  return turned && isWorthTile(sizes.back()) && isWorthTile(sizes[turned->rows]);
}

void createTurnLaunch(StructuredOp op) { TurnWriter(op).write(); }

}  // namespace airlite::gpu
