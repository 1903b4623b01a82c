// The kernel of a product: a workgroup has a tile of C, each wave a part of it in registers. Tiles of
// A and B go through registers to LDS one step ahead of the products that need them.
#include "ProductKernel.hpp"

#include "../hierarchy/Hierarchy.hpp"
#include "Followers.hpp"
#include "TileWriter.hpp"
#include "airlite/dialect/Gpu.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/dialect/Vector.hpp"

#include <algorithm>
#include <numeric>

namespace airlite::gpu {
namespace {

/// A or B: rows (of A, columns of B) by k.
struct Factor {
  Value memref;
  AffineMap map;
  unsigned loop = 0;                    ///< m or n
  int64_t block = 0;                    ///< rows of a workgroup
  Value first;                          ///< index of its first row
  Value tile;                           ///< in LDS
  int64_t perWave = 0;                  ///< rows that a wave loads
  Value waveRow;                        ///< first of these in the tile
  linalg::StructuredOp maker{nullptr};  ///< null, or the op that computes it from other memory
};

/// One class: what the parts of a kernel share is where everything lies, and each part is a few lines.
class ProductWriter : public TileWriter {
 public:
  ProductWriter(linalg::StructuredOp op, const ProductShape& shape, const ProductPlan& plan,
                const ProductContext& context)
      : TileWriter(op), shape_(shape), plan_(plan), context_(context) {}

  void write() {
    if (!context_.followers.empty()) builder_.setBefore(*context_.followers.back());
    if (plan_.workgroups) return writeTurns();
    const GroupLevels groups = openGrid();
    startFactors();
    startBlock(groups);
    const air::HierarchyOp herd = openWaves();
    const std::vector<Value> start = firstSums();
    storeTiles(loadTiles(startStep(zero_)), zero_);
    workgroupBarrier();
    storeSums(addUp(start));
    air::isolate(herd);
    closeWorkgroups(groups.levels);
  }

 private:
  /// Workgroups take blocks in turns.
  void writeTurns() {
    const GroupTurns turns =
        openWorkgroupsInTurns(plan_.workgroups, plan_.blocks(shape_), *plan_.device);
    startFactors();
    const air::HierarchyOp herd = openWaves();
    startBlock(blockAt(orLast(turns.first)));
    storeTiles(loadTiles(startStep(zero_)), zero_);
    const scf::ForOp loop =
        scf::ForOp::create(builder_, location(), turns.first, turns.end, index(turns.step), {});
    builder_.setBefore(loop.body().back());
    writeTurn(loop.inductionVar(), turns.step);
    builder_.setAfter(*loop.op());
    air::isolate(herd);
    closeWorkgroups(turns.levels);
  }

  /// The first tiles of the block are in LDS. Those of the next one are loaded before the results of this one are stored.
  void writeTurn(Value number, int64_t step) {
    startBlock(blockAt(number));
    const std::vector<Value> start = firstSums();
    workgroupBarrier();
    const std::vector<Value> sums = addUp(start);
    const Value firstRow = a_.first, firstColumn = b_.first;
    const std::vector<Value> ivs = ivs_;
    startBlock(blockAt(orLast(plus(number, step))));
    const std::vector<Loaded> next = loadTiles(startStep(zero_));
    builder_.create(location(), "gpu.schedule_barrier", {}, {});
    a_.first = firstRow;
    b_.first = firstColumn;
    ivs_ = ivs;
    storeSums(sums);
    workgroupBarrier();
    storeTiles(next, zero_);
  }

  /// What a workgroup without another block loads is not used.
  Value orLast(Value number) {
    return binary("arith.minui", number, index(plan_.blocks(shape_) - 1));
  }

  /// Columns of bands of rows one after the other, matrix by matrix: neighbours share rows of A and columns of B.
  GroupLevels blockAt(Value number) {
    const auto over = [&](unsigned loop, int64_t block) {
      return (shape_.sizes[loop] + block - 1) / block;
    };
    const int64_t width = over(shape_.n, plan_.blockN()), height = over(shape_.m, plan_.blockM());
    const int64_t high = std::gcd(height, kRowsOfXcd);
    GroupLevels block;
    block.z = quotient(number, width * height);
    if (!shape_.batch.empty()) number = remainder(number, width * height);
    const Value inBand = remainder(number, high * width);
    block.x = quotient(inBand, high);
    block.y =
        binary("arith.addi", times(quotient(number, high * width), high), remainder(inBand, high));
    return block;
  }

  air::HierarchyOp openWaves() {
    const Value waves[] = {index(plan_.wavesM), index(plan_.wavesN)};
    auto herd = air::createHierarchy(builder_, location(), "air.herd", waves);
    herd->setAttr(kSpreadAttr, UnitAttr::get(op_->context()));
    builder_.setBefore(*herd.body().terminator());
    startWave(herd.id(0), herd.id(1));
    return herd;
  }

  Value blocksOf(unsigned loop, int64_t block) {
    if (shape_.sizes[loop] != kDynamic) return index((shape_.sizes[loop] + block - 1) / block);
    return binary("arith.divui", plus(sizeOf(loop), block - 1), index(block));
  }

  /// Blocks of columns, blocks of rows, and all matrices of a batch. Neighbours share rows of A.
  std::vector<Value> gridSizes() {
    std::vector<Value> sizes = {blocksOf(shape_.n, plan_.blockN()),
                                blocksOf(shape_.m, plan_.blockM())};
    if (!shape_.batch.empty()) sizes.push_back(productOf(shape_.batch));
    return sizes;
  }

  // -- Start of a workgroup ------------------------------------------------------------------------

  void startFactors() {
    a_ = factor(0, shape_.m, plan_.blockM());
    b_ = factor(1, shape_.n, plan_.blockN());
    zero_ = index(0);
    for (Factor* each : {&a_, &b_})
      each->tile = allocTile(*each);
  }

  void startBlock(const GroupLevels& block) {
    ivs_.assign(op_.numLoops(), Value());
    if (!shape_.batch.empty()) takeBatch(block.z);
    a_.first = times(block.y, plan_.blockM());
    b_.first = times(block.x, plan_.blockN());
  }

  /// Blocks that run at the same time on an XCD share rows of A and columns of B.
  GroupLevels openGrid() {
    const std::vector<Value> sizes = gridSizes();
    const int64_t n = shape_.sizes[shape_.n], m = shape_.sizes[shape_.m];
    if (n == kDynamic || m == kDynamic || !shape_.batch.empty()) return openWorkgroups(sizes);
    const int64_t width = (n + plan_.blockN() - 1) / plan_.blockN(),
                  height = (m + plan_.blockM() - 1) / plan_.blockM();
    return openWorkgroupsOfXcds(sizes, width, height, std::gcd(height, kRowsOfXcd), *plan_.device);
  }
  static constexpr int64_t kRowsOfXcd = 8;  ///< of blocks: an XCD has work for 38 at once

  /// The last loop of the batch is the fastest.
  void takeBatch(Value number) {
    for (size_t i = shape_.batch.size(); i-- > 0;) {
      const unsigned loop = shape_.batch[i];
      ivs_[loop] = number;
      if (i == 0) return;
      const Value size = sizeOf(loop);
      ivs_[loop] = binary("arith.remui", number, size);
      number = binary("arith.divui", number, size);
    }
  }

  Factor factor(unsigned operand, unsigned loop, int64_t block) {
    return {op_->operand(operand),   shape_.maps[operand], loop, block, {}, {}, 0, {},
            context_.makers[operand]};
  }

  Value allocTile(const Factor& each) {
    std::vector<int64_t> shape = plan_.hasKRows()
                                     ? std::vector{plan_.blockK, each.block + plan_.pad}
                                     : std::vector{each.block, plan_.blockK + plan_.pad};
    if (plan_.isDouble) shape.insert(shape.begin(), 2);
    const auto type =
        MemRefType::get(context(), shape, shape_.factor, Attribute(), builder_.i64Attr(1));
    return memref::AllocOp::create(builder_, location(), type)->result();
  }

  // -- Body of a wave ------------------------------------------------------------------------------

  void startWave(Value waveM, Value waveN) {
    const Value wave = binary("arith.addi", times(waveM, plan_.wavesN), waveN);
    for (Factor* each : {&a_, &b_}) {
      each->perWave = each->block / plan_.waves();
      each->waveRow = times(wave, each->perWave);
    }
    rowOfWave_ = times(waveM, plan_.tilesM * plan_.instruction->n);
    columnOfWave_ = times(waveN, plan_.tilesN * plan_.instruction->m);
  }

  /// All products are added to `sums`; the first tiles are in LDS.
  std::vector<Value> addUp(std::vector<Value> sums) {
    Value buffer = zero_;
    if (hasSeveralSteps()) sums = writeLoop(sums, buffer);
    return multiply(sums, buffer);
  }

  bool hasSeveralSteps() const {
    const int64_t k = shape_.sizes[shape_.k];
    return !shape_.filter.empty() || k == kDynamic || k > plan_.blockK;
  }

  // A place in the sums is the first k of a step; with a filter the number of the step.

  int64_t stepSize() const { return shape_.filter.empty() ? plan_.blockK : 1; }

  Value lastPlace() {
    Value steps = blocksOf(shape_.k, plan_.blockK);
    if (!shape_.filter.empty()) steps = binary("arith.muli", steps, productOf(shape_.filter));
    return times(binary("arith.subi", steps, index(1)), stepSize());
  }

  /// The first k at `place`; loops of the filter are set.
  Value startStep(Value place) {
    if (shape_.filter.empty()) return place;
    const Value blocks = blocksOf(shape_.k, plan_.blockK);
    Value rest = binary("arith.divui", place, blocks);
    for (size_t i = shape_.filter.size(); i-- > 0;) {
      const unsigned loop = shape_.filter[i];
      ivs_[loop] = i ? binary("arith.remui", rest, sizeOf(loop)) : rest;
      if (i) rest = binary("arith.divui", rest, sizeOf(loop));
    }
    return times(binary("arith.remui", place, blocks), plan_.blockK);
  }

  /// All steps but the last one.
  std::vector<Value> writeLoop(const std::vector<Value>& sums, Value& buffer) {
    std::vector<Value> carried = sums;
    if (plan_.isDouble) carried.push_back(buffer);
    const Value step = index(stepSize());
    const Value end = lastPlace();
    scf::ForOp loop = scf::ForOp::create(builder_, location(), zero_, end, step, carried);
    builder_.setToEnd(loop.body());
    std::vector<Value> now = loop.regionIterArgs();
    Value from = zero_, to = zero_;
    if (plan_.isDouble) {
      from = now.back();
      now.pop_back();
      to = binary("arith.subi", index(1), from);
    }
    const auto next = loadTiles(startStep(plus(loop.inductionVar(), stepSize())));
    // The loads go out first; the compiler would put them where registers are fewest.
    builder_.create(location(), "gpu.schedule_barrier", {}, {});
    std::vector<Value> made = multiply(now, from);
    if (!plan_.isDouble) workgroupBarrier();
    storeTiles(next, to);
    workgroupBarrier();
    if (plan_.isDouble) made.push_back(to);
    scf::YieldOp::create(builder_, location(), made);
    builder_.setAfter(*loop.op());
    std::vector<Value> results = loop->resultValues();
    if (plan_.isDouble) {
      buffer = results.back();
      results.pop_back();
    }
    return results;
  }

  // -- From memory to LDS --------------------------------------------------------------------------

  /// Of the dimensions that rows, columns and sums index, that of `loop` is the last one.
  bool isAfter(AffineMap map, unsigned loop) const {
    for (unsigned i = map.numResults(); i-- > 0;)
      for (unsigned other : {shape_.m, shape_.n, shape_.k})
        if (map.result(i).usesDim(other)) return other == loop;
    return false;
  }

  bool isWhole(unsigned loop, int64_t block) const {
    return shape_.sizes[loop] > 0 && shape_.sizes[loop] % block == 0;  // open sizes are below 0
  }

  struct Loaded {
    Value vector;  ///< in the order of memory
    Tile tile;
  };

  std::vector<Loaded> loadTiles(Value k) { return {loadTile(a_, k), loadTile(b_, k)}; }

  bool hasRows(const Factor& each) const { return isAfter(each.map, shape_.k); }

  /// The part of a wave.
  Loaded loadTile(const Factor& each, Value k) {
    const bool rowsWhole = isWhole(each.loop, each.block), kWhole = isWhole(shape_.k, plan_.blockK);
    Tile tile{ivs_, {each.loop, shape_.k}, {each.perWave, plan_.blockK}, {rowsWhole, kWhole}};
    tile.starts[each.loop] = binary("arith.addi", each.first, each.waveRow);
    tile.starts[shape_.k] = k;
    if (!hasRows(each)) tile.turn();
    linalg::StructuredOp maker = each.maker;
    Value memref = maker ? maker->operand(wholeOperand(maker)) : each.memref;
    AffineMap map = each.map;
    takeStride(memref, map, each.loop, ivs_);
    return {readTile(memref, map, tile), tile};
  }

  /// As the factor that lies in LDS: what makes it is computed when the loads have arrived.
  Value finishTile(const Factor& each, const Loaded& loaded) {
    Value vector = loaded.vector;
    if (linalg::StructuredOp maker = each.maker) {
      const Value argument = maker.bodyArgument(wholeOperand(maker));
      const Type element = widened(elementTypeOrSelf(vector.type()));
      const Value made =
          computeTile(maker, tileIn(loaded.tile, each.map), {{argument, convert(vector, element)}});
      vector = convert(made, elementTypeOrSelf(each.memref.type()));
    }
    vector = convert(vector, shape_.factor);
    return hasRows(each) == plan_.hasKRows() ? transpose(vector) : vector;
  }

  std::vector<Value> tileIndices(Value buffer, Value row, Value k) const {
    std::vector<Value> indices = {row, k};
    if (plan_.hasKRows()) std::swap(indices[0], indices[1]);
    if (plan_.isDouble) indices.insert(indices.begin(), buffer);
    return indices;
  }

  void storeTiles(const std::vector<Loaded>& loaded, Value buffer) {
    const Factor* factors[] = {&a_, &b_};
    for (size_t i = 0; i < loaded.size(); ++i) {
      std::vector<Value> operands = {finishTile(*factors[i], loaded[i]), factors[i]->tile};
      for (Value at : tileIndices(buffer, factors[i]->waveRow, zero_))
        operands.push_back(at);
      builder_.create(location(), "vector.store", operands, {});
    }
  }

  // -- Products ------------------------------------------------------------------------------------

  Value loadFragment(const Factor& each, Value buffer, Value row, int64_t k) {
    const auto& instruction = *plan_.instruction;
    const int64_t rows = each.loop == shape_.n ? instruction.m : instruction.n;
    const Type types[] = {plan_.hasKRows() ? vectorType({plan_.contractK(), rows}, shape_.factor)
                                           : vectorType({rows, plan_.contractK()}, shape_.factor)};
    std::vector<Value> operands = {each.tile};
    for (Value at : tileIndices(buffer, row, index(k)))
      operands.push_back(at);
    return builder_.create(location(), "vector.load", operands, types)->result();
  }

  std::vector<Value> loadFragments(const Factor& each, Value buffer, Value first, int64_t count,
                                   int64_t rows, int64_t k) {
    std::vector<Value> fragments;
    for (int64_t i = 0; i < count; ++i)
      fragments.push_back(loadFragment(each, buffer, plus(first, i * rows), k));
    return fragments;
  }

  /// Rows of the instruction are columns of C: so a lane has neighbours of a row of C.
  std::vector<Value> multiply(std::vector<Value> sums, Value buffer) {
    const auto& instruction = *plan_.instruction;
    for (int64_t k = 0; k < plan_.blockK; k += plan_.contractK()) {
      const auto columns = loadFragments(b_, buffer, columnOfWave_, plan_.tilesN, instruction.m, k);
      const auto rows = loadFragments(a_, buffer, rowOfWave_, plan_.tilesM, instruction.n, k);
      for (size_t i = 0; i < rows.size(); ++i)
        for (size_t j = 0; j < columns.size(); ++j) {
          Value& sum = sums[i * columns.size() + j];
          sum = multiplyTile(columns[j], rows[i], sum);
        }
    }
    return sums;
  }

  Value multiplyTile(Value columns, Value rows, Value sum) {
    if (plan_.hasKRows()) return contract(columns, rows, sum, {2, 0}, {2, 1});
    return contract(columns, rows, sum, {0, 2}, {1, 2});
  }

  // -- Results -------------------------------------------------------------------------------------

  VectorType sumType(Type element) const {
    return vectorType({plan_.instruction->m, plan_.instruction->n}, element);
  }

  /// Where one result of the instruction lies in C.
  Tile tileOf(int64_t i, int64_t j) {
    const auto& instruction = *plan_.instruction;
    Tile tile{ivs_, {shape_.n, shape_.m}, {instruction.m, instruction.n}, {}};
    tile.starts[shape_.m] = binary("arith.addi", a_.first, plus(rowOfWave_, i * instruction.n));
    tile.starts[shape_.n] = binary("arith.addi", b_.first, plus(columnOfWave_, j * instruction.m));
    tile.inside[0] = isWhole(shape_.n, plan_.blockN());
    tile.inside[1] = isWhole(shape_.m, plan_.blockM());
    return tile;
  }

  std::vector<Value> firstSums() {
    std::vector<Value> sums;
    for (int64_t i = 0; i < plan_.tilesM; ++i)
      for (int64_t j = 0; j < plan_.tilesN; ++j)
        sums.push_back(context_.startsAtZero ? zeroVector(sumType(shape_.sum)) : oldSum(i, j));
    return sums;
  }

  Value oldSum(int64_t i, int64_t j) {
    return convert(readTile(op_->operand(2), shape_.maps[2], tileOf(i, j)), shape_.sum);
  }

  void storeSums(const std::vector<Value>& sums) {
    for (int64_t i = 0; i < plan_.tilesM; ++i)
      for (int64_t j = 0; j < plan_.tilesN; ++j)
        storeSum(sums[static_cast<size_t>(i * plan_.tilesN + j)], i, j);
  }

  /// Narrow integers wrap before other ops see them; floats stay wide.
  void storeSum(Value sum, int64_t i, int64_t j) {
    writeResult(op_->operand(2), shape_.maps[2], tileOf(i, j), convert(sum, widened(shape_.result)),
                context_.followers);
  }

  const ProductShape& shape_;
  const ProductPlan& plan_;
  const ProductContext& context_;
  Factor a_, b_;
  std::vector<Value> ivs_;  ///< of the loops of the batch
  Value zero_, rowOfWave_, columnOfWave_;
};

}  // namespace

void createProductLaunch(linalg::StructuredOp op, const ProductShape& shape,
                         const ProductPlan& plan, const ProductContext& context) {
  ProductWriter(op, shape, plan, context).write();
}

}  // namespace airlite::gpu
