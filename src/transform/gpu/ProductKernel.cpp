// The kernel of a product: a workgroup has a tile of C, each wave a part of it in registers. Tiles of
// A and B go through registers to LDS one step ahead of the products that need them.
#include "ProductKernel.hpp"

#include "../hierarchy/Hierarchy.hpp"
#include "airlite/dialect/Gpu.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/dialect/Vector.hpp"

#include <algorithm>

namespace airlite::gpu {
namespace {

/// A or B: rows (of A, columns of B) by k.
struct Factor {
  Value memref;
  AffineMap map;
  unsigned loop = 0;      ///< m or n
  int64_t block = 0;      ///< rows of a workgroup
  Value first;            ///< index of its first row
  Value tile;             ///< in LDS
  int64_t perWave = 0;    ///< rows that a wave loads
  Value waveRow;          ///< first of these in the tile
};

class ProductWriter {
 public:
  ProductWriter(linalg::StructuredOp op, const ProductShape& shape, const ProductPlan& plan,
                bool startsAtZero)
      : op_(op),
        shape_(shape),
        plan_(plan),
        startsAtZero_(startsAtZero),
        builder_(Builder::before(*op)) {}

  void write() {
    const std::vector<Value> grid = gridSizes();
    auto launch = air::createHierarchy(builder_, location(), "air.launch", grid);
    builder_.setBefore(*launch.body().terminator());
    auto segment = air::createHierarchy(builder_, location(), "air.segment", {});
    builder_.setBefore(*segment.body().terminator());
    startTiles(launch);
    const Value waves[] = {index(plan_.wavesM), index(plan_.wavesN)};
    auto herd = air::createHierarchy(builder_, location(), "air.herd", waves);
    herd->setAttr(kSpreadAttr, UnitAttr::get(op_->context()));
    builder_.setBefore(*herd.body().terminator());
    writeBody(herd);
    air::isolate(herd);
    air::isolate(segment);
    air::isolate(launch);
  }

 private:
  Location location() const { return op_->location(); }
  Context& context() const { return op_->context(); }

  // -- Indices -------------------------------------------------------------------------------------

  Value index(int64_t value) { return builder_.constantIndex(location(), value); }

  Value binary(std::string_view name, Value a, Value b) {
    return builder_.create(location(), name, {a, b}, {a.type()})->result();
  }

  Value plus(Value a, int64_t b) { return b == 0 ? a : binary("arith.addi", a, index(b)); }
  Value times(Value a, int64_t b) { return b == 1 ? a : binary("arith.muli", a, index(b)); }

  Value sizeOf(unsigned loop) {
    if (shape_.sizes[loop] != kDynamic) return index(shape_.sizes[loop]);
    const auto source = op_.loopSources()[loop];
    return builder_
        .create(location(), "memref.dim", {op_->operand(source.operand), index(source.dim)},
                {builder_.indexType()})
        ->result();
  }

  Value blocksOf(unsigned loop, int64_t block) {
    if (shape_.sizes[loop] != kDynamic) return index((shape_.sizes[loop] + block - 1) / block);
    return binary("arith.divui", plus(sizeOf(loop), block - 1), index(block));
  }

  /// Blocks of columns, blocks of rows, and all matrices of a batch. Neighbours share rows of A.
  std::vector<Value> gridSizes() {
    std::vector<Value> sizes = {blocksOf(shape_.n, plan_.blockN()),
                                blocksOf(shape_.m, plan_.blockM())};
    Value all;
    for (unsigned loop : shape_.batch)
      all = all ? binary("arith.muli", all, sizeOf(loop)) : sizeOf(loop);
    if (all) sizes.push_back(all);
    return sizes;
  }

  // -- Start of a workgroup ------------------------------------------------------------------------

  void startTiles(air::HierarchyOp launch) {
    ivs_.assign(op_.numLoops(), Value());
    if (!shape_.batch.empty()) takeBatch(launch.id(2));
    a_ = factor(0, shape_.m, plan_.blockM(), times(launch.id(1), plan_.blockM()));
    b_ = factor(1, shape_.n, plan_.blockN(), times(launch.id(0), plan_.blockN()));
    zero_ = index(0);
    for (Factor* each : {&a_, &b_})
      each->tile = allocTile(*each);
  }

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

  Factor factor(unsigned operand, unsigned loop, int64_t block, Value first) {
    return {op_->operand(operand), shape_.maps[operand], loop, block, first, {}, 0, {}};
  }

  Value allocTile(const Factor& each) {
    std::vector<int64_t> shape = plan_.hasKRows()
                                     ? std::vector{plan_.blockK, each.block + plan_.pad}
                                     : std::vector{each.block, plan_.blockK + plan_.pad};
    if (plan_.isDouble) shape.insert(shape.begin(), 2);
    const auto type = MemRefType::get(context(), shape, shape_.factor, Attribute(),
                                      builder_.i64Attr(1));
    return memref::AllocOp::create(builder_, location(), type)->result();
  }

  // -- Body of a wave ------------------------------------------------------------------------------

  void writeBody(air::HierarchyOp herd) {
    const Value waveM = herd.id(0), waveN = herd.id(1);
    const Value wave = binary("arith.addi", times(waveM, plan_.wavesN), waveN);
    for (Factor* each : {&a_, &b_}) {
      each->perWave = each->block / plan_.waves();
      each->waveRow = times(wave, each->perWave);
    }
    rowOfWave_ = times(waveM, plan_.tilesM * plan_.instruction->n);
    columnOfWave_ = times(waveN, plan_.tilesN * plan_.instruction->m);
    std::vector<Value> sums = firstSums();
    storeTiles(loadTiles(zero_), zero_);
    barrier();
    Value buffer = zero_;
    if (hasSeveralSteps()) sums = writeLoop(sums, buffer);
    storeSums(multiply(sums, buffer));
  }

  bool hasSeveralSteps() const {
    const int64_t k = shape_.sizes[shape_.k];
    return k == kDynamic || k > plan_.blockK;
  }

  /// All steps but the last one.
  std::vector<Value> writeLoop(const std::vector<Value>& sums, Value& buffer) {
    std::vector<Value> carried = sums;
    if (plan_.isDouble) carried.push_back(buffer);
    const Value step = index(plan_.blockK);
    const Value end =
        times(binary("arith.subi", blocksOf(shape_.k, plan_.blockK), index(1)), plan_.blockK);
    scf::ForOp loop = scf::ForOp::create(builder_, location(), zero_, end, step, carried);
    builder_.setToEnd(loop.body());
    std::vector<Value> now = loop.regionIterArgs();
    Value from = zero_, to = zero_;
    if (plan_.isDouble) {
      from = now.back();
      now.pop_back();
      to = binary("arith.subi", index(1), from);
    }
    const auto next = loadTiles(plus(loop.inductionVar(), plan_.blockK));
    // The loads go out first; the compiler would put them where registers are fewest.
    builder_.create(location(), "gpu.schedule_barrier", {}, {});
    std::vector<Value> made = multiply(now, from);
    if (!plan_.isDouble) barrier();
    storeTiles(next, to);
    barrier();
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

  void barrier() {
    const Attribute space[] = {
        DialectAttr::getKeyword(context(), "gpu.address_space", "workgroup")};
    builder_.create(location(), "gpu.barrier", {}, {},
                    {builder_.named("address_spaces", ArrayAttr::get(context(), space))});
  }

  // -- From memory to LDS --------------------------------------------------------------------------

  VectorType vectorType(int64_t rows, int64_t columns, Type element) const {
    const int64_t shape[] = {rows, columns};
    return VectorType::get(context(), shape, element);
  }

  /// Whether k is the dimension of `map` after the other loop.
  bool isKLast(AffineMap map) const { return isAfter(map, shape_.k); }

  /// Of the two dimensions that are no batch, `loop` is the last one.
  bool isAfter(AffineMap map, unsigned loop) const {
    for (unsigned i = map.numResults(); i-- > 0;) {
      const unsigned position = map.result(i).position();
      if (!std::ranges::count(shape_.batch, position)) return position == loop;
    }
    return false;
  }

  bool isWhole(unsigned loop, int64_t block) const {
    return shape_.sizes[loop] != kDynamic && shape_.sizes[loop] % block == 0;
  }

  Value zeroOf(Type type) {
    return builder_.constant(location(), type.isFloat() ? Attribute(FloatAttr::get(type, 0))
                                                        : Attribute(IntegerAttr::get(type, 0)));
  }

  Value zeroVector(VectorType type) {
    const Type element = type.elementType();
    const Attribute one[] = {element.isFloat() ? Attribute(FloatAttr::get(element, 0))
                                               : Attribute(IntegerAttr::get(element, 0))};
    return builder_.constant(location(), DenseElementsAttr::get(type, one));
  }

  /// Indices of an operand: those of the loops, `row` and `column` for two of them.
  std::vector<Value> indicesOf(AffineMap map, unsigned rowLoop, Value row, unsigned columnLoop,
                               Value column) {
    std::vector<Value> indices;
    for (AffineExpr result : map.results()) {
      const unsigned loop = result.position();
      indices.push_back(loop == rowLoop ? row : loop == columnLoop ? column : ivs_[loop]);
    }
    return indices;
  }

  /// Vector dimensions are these loops.
  AffineMap permutation(AffineMap map, unsigned first, unsigned second) const {
    AffineExpr results[2];
    for (unsigned i = 0; i < map.numResults(); ++i) {
      if (map.result(i).position() == first) results[0] = AffineExpr::dim(context(), i);
      if (map.result(i).position() == second) results[1] = AffineExpr::dim(context(), i);
    }
    return AffineMap::get(context(), map.numResults(), 0, results);
  }

  void addBounds(OperationState& state, AffineMap map, bool first, bool second) {
    state.addAttribute(context(), "permutation_map", AffineMapAttr::get(map));
    const Attribute flags[] = {IntegerAttr::getBool(context(), first),
                               IntegerAttr::getBool(context(), second)};
    state.addAttribute(context(), "in_bounds", ArrayAttr::get(context(), flags));
  }

  Value read(Value memref, std::span<const Value> indices, VectorType type, AffineMap map,
             bool firstWhole, bool secondWhole) {
    const Value padding = zeroOf(type.elementType());
    OperationState state(context(), location(), "vector.transfer_read");
    state.operands = {memref};
    state.operands.insert(state.operands.end(), indices.begin(), indices.end());
    state.operands.push_back(padding);
    const int32_t groups[] = {1, static_cast<int32_t>(indices.size()), 1, 0};
    state.setOperandSegments(context(), groups);
    addBounds(state, map, firstWhole, secondWhole);
    state.resultTypes.push_back(type);
    return builder_.create(state)->result();
  }

  Value transpose(Value vector) {
    const auto type = vector.type().cast<VectorType>();
    const int64_t order[] = {1, 0};
    return builder_
        .create(location(), "vector.transpose", {vector},
                {vectorType(type.dim(1), type.dim(0), type.elementType())},
                {builder_.named("permutation", DenseArrayAttr::getI64(context(), order))})
        ->result();
  }

  std::vector<Value> loadTiles(Value k) { return {loadTile(a_, k), loadTile(b_, k)}; }

  /// The part of a wave, in the order of memory, then as rows of LDS.
  Value loadTile(const Factor& each, Value k) {
    const Value row = binary("arith.addi", each.first, each.waveRow);
    const auto indices = indicesOf(each.map, each.loop, row, shape_.k, k);
    const bool rowsWhole = isWhole(each.loop, each.block), kWhole = isWhole(shape_.k, plan_.blockK);
    const bool hasRows = isKLast(each.map);  // of k, in memory
    Value loaded =
        hasRows ? read(each.memref, indices, vectorType(each.perWave, plan_.blockK, shape_.factor),
                       permutation(each.map, each.loop, shape_.k), rowsWhole, kWhole)
                : read(each.memref, indices, vectorType(plan_.blockK, each.perWave, shape_.factor),
                       permutation(each.map, shape_.k, each.loop), kWhole, rowsWhole);
    return hasRows == plan_.hasKRows() ? transpose(loaded) : loaded;
  }

  std::vector<Value> tileIndices(Value buffer, Value row, Value k) const {
    std::vector<Value> indices = {row, k};
    if (plan_.hasKRows()) std::swap(indices[0], indices[1]);
    if (plan_.isDouble) indices.insert(indices.begin(), buffer);
    return indices;
  }

  void storeTiles(const std::vector<Value>& loaded, Value buffer) {
    const Factor* factors[] = {&a_, &b_};
    for (size_t i = 0; i < loaded.size(); ++i) {
      std::vector<Value> operands = {loaded[i], factors[i]->tile};
      for (Value at : tileIndices(buffer, factors[i]->waveRow, zero_))
        operands.push_back(at);
      builder_.create(location(), "vector.store", operands, {});
    }
  }

  // -- Products ------------------------------------------------------------------------------------

  Value loadFragment(const Factor& each, Value buffer, Value row, int64_t k) {
    const auto& instruction = *plan_.instruction;
    const int64_t rows = each.loop == shape_.n ? instruction.m : instruction.n;
    const Type types[] = {plan_.hasKRows()
                              ? vectorType(plan_.contractK(), rows, shape_.factor)
                              : vectorType(rows, plan_.contractK(), shape_.factor)};
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
      const auto columns =
          loadFragments(b_, buffer, columnOfWave_, plan_.tilesN, instruction.m, k);
      const auto rows = loadFragments(a_, buffer, rowOfWave_, plan_.tilesM, instruction.n, k);
      for (size_t i = 0; i < rows.size(); ++i)
        for (size_t j = 0; j < columns.size(); ++j) {
          Value& sum = sums[i * columns.size() + j];
          sum = contract(columns[j], rows[i], sum);
        }
    }
    return sums;
  }

  Attribute mapAttr(std::initializer_list<unsigned> dims) {
    std::vector<AffineExpr> results;
    for (unsigned dim : dims)
      results.push_back(AffineExpr::dim(context(), dim));
    return AffineMapAttr::get(AffineMap::get(context(), 3, 0, results));
  }

  Value contract(Value lhs, Value rhs, Value sum) {
    const bool swapped = plan_.hasKRows();
    const Attribute maps[] = {swapped ? mapAttr({2, 0}) : mapAttr({0, 2}),
                              swapped ? mapAttr({2, 1}) : mapAttr({1, 2}), mapAttr({0, 1})};
    const auto iterator = [&](std::string_view word) {
      return Attribute(DialectAttr::getKeyword(context(), "vector.iterator_type", word));
    };
    const Attribute kinds[] = {iterator("parallel"), iterator("parallel"), iterator("reduction")};
    return builder_
        .create(location(), "vector.contract", {lhs, rhs, sum}, {sum.type()},
                {builder_.named("indexing_maps", ArrayAttr::get(context(), maps)),
                 builder_.named("iterator_types", ArrayAttr::get(context(), kinds)),
                 builder_.named("kind",
                                DialectAttr::getKeyword(context(), "vector.kind", "add"))})
        ->result();
  }

  // -- Results -------------------------------------------------------------------------------------

  VectorType sumType(Type element) const {
    return vectorType(plan_.instruction->m, plan_.instruction->n, element);
  }

  Value convert(Value vector, Type element) {
    const auto type = vector.type().cast<VectorType>();
    if (type.elementType() == element) return vector;
    const bool widens = element.bitWidth() > type.elementType().bitWidth();
    const char* name = element.isFloat() ? (widens ? "arith.extf" : "arith.truncf")
                                         : (widens ? "arith.extsi" : "arith.trunci");
    return builder_
        .create(location(), name, {vector}, {vectorType(type.dim(0), type.dim(1), element)})
        ->result();
  }

  struct Place {
    std::vector<Value> indices;
    AffineMap map;
    bool rowsWhole, columnsWhole, isRowMajor;
  };

  Place placeOf(int64_t i, int64_t j) {
    const Value row =
        binary("arith.addi", a_.first, plus(rowOfWave_, i * plan_.instruction->n));
    const Value column =
        binary("arith.addi", b_.first, plus(columnOfWave_, j * plan_.instruction->m));
    const AffineMap map = shape_.maps[2];
    const bool isRowMajor = isAfter(map, shape_.n);
    return {indicesOf(map, shape_.m, row, shape_.n, column),
            isRowMajor ? permutation(map, shape_.m, shape_.n)
                       : permutation(map, shape_.n, shape_.m),
            isWhole(shape_.m, plan_.blockM()), isWhole(shape_.n, plan_.blockN()), isRowMajor};
  }

  std::vector<Value> firstSums() {
    std::vector<Value> sums;
    for (int64_t i = 0; i < plan_.tilesM; ++i)
      for (int64_t j = 0; j < plan_.tilesN; ++j)
        sums.push_back(startsAtZero_ ? zeroVector(sumType(shape_.sum)) : oldSum(i, j));
    return sums;
  }

  Value oldSum(int64_t i, int64_t j) {
    const Place at = placeOf(i, j);
    const auto& instruction = *plan_.instruction;
    const Value c = op_->operand(2);
    if (!at.isRowMajor)
      return convert(read(c, at.indices, sumType(shape_.result), at.map, at.columnsWhole,
                          at.rowsWhole),
                     shape_.sum);
    const auto type = vectorType(instruction.n, instruction.m, shape_.result);
    return convert(transpose(read(c, at.indices, type, at.map, at.rowsWhole, at.columnsWhole)),
                   shape_.sum);
  }

  void storeSums(const std::vector<Value>& sums) {
    for (int64_t i = 0; i < plan_.tilesM; ++i)
      for (int64_t j = 0; j < plan_.tilesN; ++j)
        storeSum(convert(sums[static_cast<size_t>(i * plan_.tilesN + j)], shape_.result), i, j);
  }

  void storeSum(Value sum, int64_t i, int64_t j) {
    const Place at = placeOf(i, j);
    if (at.isRowMajor) sum = transpose(sum);
    OperationState state(context(), location(), "vector.transfer_write");
    state.operands = {sum, op_->operand(2)};
    state.operands.insert(state.operands.end(), at.indices.begin(), at.indices.end());
    const int32_t groups[] = {1, 1, static_cast<int32_t>(at.indices.size()), 0};
    state.setOperandSegments(context(), groups);
    addBounds(state, at.map, at.isRowMajor ? at.rowsWhole : at.columnsWhole,
              at.isRowMajor ? at.columnsWhole : at.rowsWhole);
    builder_.create(state);
  }

  linalg::StructuredOp op_;
  const ProductShape& shape_;
  const ProductPlan& plan_;
  bool startsAtZero_;
  Builder builder_;
  Factor a_, b_;
  std::vector<Value> ivs_;  ///< of the loops of the batch
  Value zero_, rowOfWave_, columnOfWave_;
};

}  // namespace

void createProductLaunch(linalg::StructuredOp op, const ProductShape& shape,
                         const ProductPlan& plan, bool startsAtZero) {
  ProductWriter(op, shape, plan, startsAtZero).write();
}

}  // namespace airlite::gpu
