// air-aie-matrix-unit: sums of products of tiles become products of the matrix unit.
//
// Matches, in the programs of cores, a structured op out[..] += a[..] * b[..] of signed integers,
// or of floats whose sums the op wants as the unit makes them (linalg::kSumDepth), on whole buffers
// whose last two dimensions are tiles of a shape of the unit: a [.., rows, depth], b [.., depth,
// columns], out [.., rows, columns] (linalg.mmt4d and what air-tile-linalg packs). Tiles that are the other way
// around are turned (TurnedTiles.hpp), other layouts are brought into tiles (ProductPacking.hpp), elements that the unit does not multiply are made of
// some that it does (ProductParts.hpp).
//
// Produces loops over blocks of such tiles. The body of the innermost one loads the sums of a
// block into accumulators, adds the products of many steps of the reduction, and stores the sums:
//
//   scf.for %m = .. {  c = vector.load; c = vector.contract a0, b0, c; ...; vector.store c }
//
// so that the code generator has one long body without control flow to overlap with the next.
// A block has at most half of the accumulators that there are (bestBlock), or all but a few, and a body adds to one part of
// its sums after the other; of AIE2P, which has few, to one group of them after the other. Sums of parts and groups ask for two banks
// of memory (`air.across_banks`), so that some are loaded while others are stored.
//
// Declines, with a remark: unsigned elements, other types and tiles, maps whose results are no loops (of a dimension that
// is no tile: no sums of loops).
#include "airlite/npu/device/MatrixUnit.hpp"

#include "CoreScope.hpp"
#include "LegalizePasses.hpp"
#include "ProductPacking.hpp"
#include "TurnedTiles.hpp"
#include "VectorUnit.hpp"
#include "ViewPlace.hpp"
#include "airlite/analysis/LoopIndex.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/dialect/Vector.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/support/Divisors.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace airlite::npu {

namespace {

using linalg::IteratorKind;
using linalg::StructuredOp;

/// A buffer of the op: which loop each dimension is, and by how many elements a step of a loop
/// moves.
struct ProductOperand {
  static constexpr unsigned kSum = ~0U;
  Value memory;
  Place place;                   // where it begins
  std::vector<unsigned> loops;   // of each dimension; kSum: of several loops
  std::vector<int64_t> strides;  // of each loop; 0 where it does not count
  bool has(unsigned loop) const { return strides[loop] != 0; }
};

/// A structured op that is a sum of products of tiles.
struct Product {
  ProductParts parts;
  const MatrixShape* shape = nullptr;
  ProductOperand a, b, out;
  std::vector<int64_t> sizes;        // of the loops
  std::vector<int64_t> first;        // of the loops: where they begin, other than 0
  std::vector<unsigned> reductions;  // loops over tiles, outermost first
  std::vector<unsigned> others;      // parallel loops over tiles
};

std::optional<ProductOperand> readOperand(StructuredOp op, unsigned number) {
  auto type = op->operand(number).type().dynCast<MemRefType>();
  AffineMap map = op.indexingMaps()[number];
  if (!type || !type.hasStaticShape() || type.rank() < 2) return std::nullopt;
  std::string why;
  Places places;
  const Place* place = places.find(op->operand(number), why);
  if (!place) return std::nullopt;
  ProductOperand operand{op->operand(number), *place, {}, std::vector<int64_t>(op.numLoops())};
  int64_t stride = type.numElements();
  for (unsigned d = 0; d < map.numResults(); ++d) {
    const auto index = analysis::readLoopIndex(map.result(d), op.numLoops());
    if (!index || index->constant != 0) return std::nullopt;
    stride /= std::max<int64_t>(type.dim(d), 1);
    if (place->strides[d] != memref::MixedIndex(stride)) return std::nullopt;
    const bool isTile = d + 2 >= map.numResults();
    std::optional<unsigned> only;
    unsigned count = 0;
    for (unsigned loop = 0; loop < op.numLoops(); ++loop) {
      if (!index->factors[loop]) continue;
      if (index->factors[loop] != 1 || operand.has(loop)) return std::nullopt;
      operand.strides[loop] = stride;
      only = loop;
      ++count;
    }
    if (count == 0 || (isTile && count > 1)) return std::nullopt;
    operand.loops.push_back(count == 1 ? *only : ProductOperand::kSum);
  }
  return operand;
}

/// None when the op is something else; `why` says so when it looks like a product.
std::optional<Product> readProduct(StructuredOp op, std::string& why) {
  if (!op.onBuffers() || !linalg::isMultiplyAdd(op)) return std::nullopt;
  why = "its operands are not whole buffers in order";
  auto a = readOperand(op, 0), b = readOperand(op, 1), out = readOperand(op, 2);
  if (!a || !b || !out) return std::nullopt;
  auto parts = productPartsOf(op, why);
  if (!parts) return std::nullopt;
  Product product{*parts, parts->shape, *a, *b, *out, op.loopSizes(), {}, {}};
  const unsigned m = a->loops[a->loops.size() - 2], k = a->loops.back();
  unsigned n = b->loops.back(), inner = b->loops[b->loops.size() - 2];
  if (parts->shape->elements.areBlocks) std::swap(n, inner);  // columns of B lie in a row
  why = "its last dimensions are not tiles of the matrix unit";
  if (inner != k || out->loops[out->loops.size() - 2] != m || out->loops.back() != n || b->has(m) ||
      a->has(n) || out->has(k))
    return std::nullopt;
  const MatrixShape& shape = *product.shape;
  if (product.sizes[m] != shape.rows || product.sizes[k] != shape.depth ||
      product.sizes[n] != shape.columns)
    return std::nullopt;
  for (unsigned loop = 0; loop < op.numLoops(); ++loop) {
    if (loop == m || loop == n || loop == k) continue;
    bool isReduction = op.iterators()[loop] == IteratorKind::Reduction;
    if (isReduction == out->has(loop)) return std::nullopt;
    (isReduction ? product.reductions : product.others).push_back(loop);
  }
  return product;
}

/// How many tiles of each loop the body of the innermost loop takes.
struct TileBlock {
  std::vector<int64_t> tiles;             // of each loop
  std::optional<unsigned> rows, columns;  // the loops whose tiles make the block
  int64_t parts = 1, stepsAtOnce = 0;     // as SumBlock has them
  bool isInParts() const { return parts > 1; }
  int64_t of(std::optional<unsigned> loop) const { return loop ? tiles[*loop] : 1; }
};

/// The parallel loops over several tiles that only one of the inputs has, the largest first; where there is none, one that is no loop.
std::vector<std::optional<unsigned>> loopsOfBlocks(const Product& product, const ProductOperand& in,
                                                   const ProductOperand& other) {
  std::vector<std::optional<unsigned>> loops;
  for (unsigned loop : product.others)
    if (in.has(loop) && !other.has(loop) && product.sizes[loop] > 1) loops.emplace_back(loop);
  std::ranges::stable_sort(loops, std::greater<>(),
                           [&](std::optional<unsigned> loop) { return product.sizes[*loop]; });
  if (loops.empty()) loops.emplace_back();
  return loops;
}

/// A divisor of `size` near `wanted`. Sums are loaded and stored once in each body, so one of twice
/// as many steps is better than one of half as many, and where there is none either, a nest of its
/// own for the rest is. On AIE2 sums of 64 bits leave no registers for longer bodies.
int64_t stepsOfBody(int64_t size, int64_t wanted, bool mayBeLong) {
  const int64_t below = divisorUpTo(size, wanted);
  if (2 * below > wanted) return below;
  for (int64_t above = wanted + 1; mayBeLong && above <= 2 * wanted; ++above)
    if (size % above == 0) return above;
  const int64_t bodies =
      std::max<int64_t>(1, (size + (mayBeLong ? wanted / 2 : wanted - 1)) / wanted);
  return (size + bodies - 1) / bodies;
}

/// Whether a rest of reduction number `i` may not come after all else: floats are added in the order of the reductions around it.
bool hasOrder(const Product& product, size_t i) {
  const std::span around(product.reductions.data(), i);
  return product.parts.sum.isFloat() &&
         std::ranges::any_of(around, [&](unsigned loop) { return product.sizes[loop] > 1; });
}

/// Blocks along the loops whose tiles make the best ones: of an image with seven rows, the places in a row.
TileBlock chooseBlock(const Product& product) {
  TileBlock block{std::vector<int64_t>(product.sizes.size(), 1), {}, {}};
  std::optional<SumBlock> best;
  auto tilesOf = [&](std::optional<unsigned> loop) { return loop ? product.sizes[*loop] : 1; };
  int64_t depth = 1;
  for (unsigned loop : product.reductions)
    depth *= product.sizes[loop];
  const auto ofColumns = loopsOfBlocks(product, product.b, product.a);
  for (std::optional<unsigned> rows : loopsOfBlocks(product, product.a, product.b))
    for (std::optional<unsigned> columns : ofColumns) {
      const SumBlock found = bestBlock(*product.shape, tilesOf(rows), tilesOf(columns),
                                       product.parts.sum.bitWidth(), depth);
      if (best && found.cyclesPerProduct >= best->cyclesPerProduct) continue;
      best = found;
      block.rows = rows;
      block.columns = columns;
    }
  block.parts = best->parts;
  block.stepsAtOnce = best->stepsAtOnce;
  if (block.rows) block.tiles[*block.rows] = best->rows;
  if (block.columns) block.tiles[*block.columns] = best->columns;
  const bool mayBeLong = product.shape->sumBits <= 32 || product.shape->loadBytes > 32;
  int64_t left = best->steps;
  for (size_t i = product.reductions.size(); i-- > 0;) {
    unsigned loop = product.reductions[i];
    const int64_t size = product.sizes[loop], steps = stepsOfBody(size, left, mayBeLong);
    const bool leavesRest = size % steps != 0 && hasOrder(product, i);
    block.tiles[loop] = leavesRest ? divisorUpTo(size, left) : steps;
    left /= block.tiles[loop];
    if (block.tiles[loop] < product.sizes[loop]) break;
  }
  return block;
}

/// A product, and the block for it.
struct ProductPart {
  Product product;
  TileBlock block;
};

/// Adds `product` to `parts`, whole or as several, one after the other along its reductions: what bodies of one size take, and the rest, for
/// which other bodies may be best.
void addParts(const Product& product, std::vector<ProductPart>& parts) {
  const TileBlock block = chooseBlock(product);
  for (unsigned loop : product.reductions) {
    const int64_t rest = product.sizes[loop] % block.tiles[loop];
    if (!rest) continue;
    Product whole = product;
    whole.first.resize(product.sizes.size());
    whole.sizes[loop] -= rest;
    Product last = whole;
    last.first[loop] += whole.sizes[loop];
    last.sizes[loop] = rest;
    addParts(whole, parts);
    addParts(last, parts);
    return;
  }
  parts.push_back({product, block});
}

/// Writes the loops over blocks and the body of the innermost. One class: each op of the body needs the
/// block, the loops around it and the three buffers.
class ProductWriter {
 public:
  /// `isAlone`: the sums are zero before, whatever memory holds.
  ProductWriter(Operation& op, const ProductPart& part, bool isAlone)
      : builder_(Builder::before(op)),
        location_(op.location()),
        product_(part.product),
        block_(part.block),
        isAlone_(isAlone),
        shape_(*part.product.shape) {}

  void run() {
    wishTwoBanks();
    for (const ProductOperand* operand : {&product_.a, &product_.b, &product_.out})
      rows_.push_back(asRow(builder_, location_, operand->place.base));
    variables_.resize(product_.sizes.size());
    order_ = loopOrder();
    const size_t outer = order_.size() - blockLoops();
    for (size_t i = 0; i < outer; ++i)
      enterLoop(order_[i]);
    if (order_.size() - outer == 2) enterRows(order_[outer], order_[outer + 1]);
    if (order_.size() - outer == 1) enterLoop(order_[outer]);
    writeBody();
  }

 private:
  /// Reductions outside, so that each pass over the sums is long; of the loops over blocks the
  /// longest innermost, or of blocks in parts the one whose blocks follow each other in the sums.
  std::vector<unsigned> loopOrder() const {
    std::vector<unsigned> order = product_.reductions, inner = product_.others;
    auto number = [&](unsigned loop) { return rounds(loop); };
    std::ranges::stable_sort(inner, {}, number);
    if (block_.isInParts())
      std::ranges::stable_partition(inner, [&](unsigned loop) { return loop == farSide(); });
    order.insert(order.end(), inner.begin(), inner.end());
    std::erase_if(order, [&](unsigned loop) { return rounds(loop) == 1; });
    return order;
  }

  int64_t rounds(unsigned loop) const { return product_.sizes[loop] / block_.tiles[loop]; }

  /// The side of a block in parts whose tiles lie far from each other in the sums.
  unsigned farSide() const {
    const bool isRows = product_.out.strides[*block_.rows] > product_.out.strides[*block_.columns];
    return isRows ? *block_.rows : *block_.columns;
  }
  /// Whether the tiles of a block along a loop lie as far apart as there are blocks, so that half of them are in one bank of
  /// memory, half in another: of parts and groups of sums, which are loaded and stored while others of the block are multiplied.
  bool isSpread(unsigned loop) const {
    if (block_.isInParts()) return loop == farSide();
    return shape_.group && block_.tiles[loop] > 1 && isFarthest(loop);
  }
  bool isFarthest(unsigned loop) const {
    return std::ranges::all_of(product_.others, [&](unsigned other) {
      return product_.out.strides[other] <= product_.out.strides[loop];
    });
  }
  void wishTwoBanks() const {
    Operation* buffer = product_.out.memory.definingOp();
    const bool isAcross =
        std::ranges::any_of(product_.others, [&](unsigned loop) { return isSpread(loop); });
    if (isAcross && buffer && isa<aie::BufferOp>(buffer))
      buffer->setAttr(aie::kAcrossBanks, UnitAttr::get(buffer->context()));
  }
  /// From a tile of a block along a loop to the next one.
  int64_t tileStep(unsigned loop) const { return isSpread(loop) ? rounds(loop) : 1; }
  /// From a block to the next one along a loop, in tiles.
  int64_t blockStep(unsigned loop) const { return isSpread(loop) ? 1 : block_.tiles[loop]; }

  /// The two innermost loops over blocks become one, so that the end of a row is not seen in the
  /// time it takes.
  size_t blockLoops() const {
    size_t count = 0;
    for (size_t i = order_.size(); i-- > 0 && count < 2; ++count)
      if (std::ranges::find(product_.others, order_[i]) == product_.others.end()) break;
    return count;
  }

  /// One loop in place of `row` and, inside of it, `place`.
  void enterRows(unsigned row, unsigned place) {
    const int64_t length = rounds(place);
    Value first = builder_.constantIndex(location_, 0), one = builder_.constantIndex(location_, 1);
    Value end = builder_.constantIndex(location_, rounds(row) * length);
    scf::ForOp entered = scf::ForOp::create(builder_, location_, first, end, one);
    builder_.setBefore(*entered.yield());
    Value rowLength = builder_.constantIndex(location_, length);
    auto part = [&](std::string_view op, unsigned loop) {
      Value number =
          builder_
              .create(location_, op, {entered.inductionVar(), rowLength}, {builder_.indexType()})
              ->result();
      Value tiles = builder_.constantIndex(location_, blockStep(loop));
      variables_[loop] =
          builder_.create(location_, "arith.muli", {number, tiles}, {builder_.indexType()})
              ->result();
    };
    part("arith.divui", row);
    part("arith.remui", place);
  }

  void enterLoop(unsigned loop) {
    Value first = builder_.constantIndex(location_, 0);
    Value end = builder_.constantIndex(location_, rounds(loop) * blockStep(loop));
    Value step = builder_.constantIndex(location_, blockStep(loop));
    scf::ForOp entered = scf::ForOp::create(builder_, location_, first, end, step);
    builder_.setBefore(*entered.yield());
    variables_[loop] = entered.inductionVar();
  }

  Value plus(Value sum, Value term) {
    if (!sum) return term;
    return builder_.create(location_, "arith.addi", {sum, term}, {builder_.indexType()})->result();
  }

  /// The element at which the tiles of a block begin.
  Value startOf(const ProductOperand& operand) {
    Value sum;
    if (!operand.place.offset.empty())
      sum = linearIndex(builder_, location_, {operand.place.base, operand.place.offset, {}}, {});
    int64_t first = 0;
    for (size_t loop = 0; loop < product_.first.size(); ++loop)
      first += product_.first[loop] * operand.strides[loop];
    if (first) sum = plus(sum, builder_.constantIndex(location_, first));
    for (unsigned loop : order_) {
      if (!operand.strides[loop]) continue;
      Value factor = builder_.constantIndex(location_, operand.strides[loop]);
      Value term =
          builder_
              .create(location_, "arith.muli", {variables_[loop], factor}, {builder_.indexType()})
              ->result();
      sum = plus(sum, term);
    }
    return sum ? sum : builder_.constantIndex(location_, 0);
  }

  Value placeAt(Value start, int64_t offset) {
    return offset ? plus(start, builder_.constantIndex(location_, offset)) : start;
  }

  static VectorType rowOf(int64_t lanes, Type element) {
    return VectorType::get(element.context(), {&lanes, 1}, element);
  }
  static VectorType tileOf(int64_t rows, int64_t columns, Type element) {
    const std::array<int64_t, 2> shape{rows, columns};
    return VectorType::get(element.context(), shape, element);
  }

  Value load(unsigned number, Value place, int64_t lanes) {
    Type element = rows_[number].type().cast<MemRefType>().elementType();
    return builder_
        .create(location_, "vector.load", {rows_[number], place}, {rowOf(lanes, element)})
        ->result();
  }
  Value cast(std::string_view op, Value value, Type to) {
    return builder_.create(location_, op, {value}, {to})->result();
  }

  Type sumElement() const {
    if (shape_.elements.areFloats) return FloatType::get(builder_.context(), FloatKind::F32);
    return IntegerType::get(builder_.context(), shape_.sumBits);
  }
  int64_t sumLanes() const { return shape_.sums(); }

  Value loadTile(unsigned number, Value start, int64_t offset, int64_t rows, int64_t columns) {
    Value row = load(number, placeAt(start, offset), rows * columns);
    Type element = row.type().cast<VectorType>().elementType();
    return cast("vector.shape_cast", row, tileOf(rows, columns, element));
  }

  Type sumInMemory() const { return rows_[2].type().cast<MemRefType>().elementType(); }

  /// Sums that are narrow in memory change their width on the way.
  Value loadSum(Value place) {
    if (isAlone_) return zeros();
    Value row = load(2, place, sumLanes());
    if (sumInMemory() != sumElement())
      row = cast("arith.extsi", row, rowOf(sumLanes(), sumElement()));
    return cast("vector.shape_cast", row, tileOf(shape_.rows, shape_.columns, sumElement()));
  }

  Value zeros() {
    Type element = sumElement();
    const Attribute zero = element.isFloat() ? Attribute(FloatAttr::get(element, 0.0))
                                             : Attribute(IntegerAttr::get(element, 0));
    return builder_.constant(
        location_,
        DenseElementsAttr::get(tileOf(shape_.rows, shape_.columns, element), {&zero, 1}));
  }

  void storeSum(Value sum, Value place) {
    Value row = cast("vector.shape_cast", sum, rowOf(sumLanes(), sumElement()));
    if (sumInMemory() != sumElement())
      row = cast("arith.trunci", row, rowOf(sumLanes(), sumInMemory()));
    builder_.create(location_, "vector.store", {row, rows_[2], place}, {});
  }

  Value multiplyAdd(Value a, Value b, Value sum) {
    const bool areBlocks = shape_.elements.areBlocks;
    const std::array<unsigned, 2> ofB = areBlocks ? std::array{1U, 2U} : std::array{2U, 1U};
    const vector::ContractOp product =
        vector::ContractOp::create(builder_, location_, a, b, sum, {0, 2}, ofB);
    linalg::setUnitSums(*product.op(), {shape_.sumDepth, 0, areBlocks});
    return product.result();
  }

  int64_t rowTiles() const { return block_.of(block_.rows); }
  int64_t columnTiles() const { return block_.of(block_.columns); }
  int64_t rowStride(const ProductOperand& operand) const {
    return block_.rows ? operand.strides[*block_.rows] * tileStep(*block_.rows) : 0;
  }
  int64_t columnStride(const ProductOperand& operand) const {
    return block_.columns ? operand.strides[*block_.columns] * tileStep(*block_.columns) : 0;
  }

  /// A tile of A (rows) or B (columns) in a step of the reduction, loaded when it is asked for first.
  struct Tiles {
    unsigned number;  // of the operand
    Value start;
    int64_t stride, rows, columns;
    std::map<std::pair<int64_t, int64_t>, Value> loaded;  // by offset of the step, place
  };
  Value tile(Tiles& tiles, int64_t offset, int64_t place) {
    Value& found = tiles.loaded[{offset, place}];
    if (!found)
      found = loadTile(tiles.number, tiles.start, offset + place * tiles.stride, tiles.rows,
                       tiles.columns);
    return found;
  }

  void writeBody() {
    Tiles a{0, startOf(product_.a), rowStride(product_.a), shape_.rows, shape_.depth, {}};
    Tiles b{1, startOf(product_.b), columnStride(product_.b), shape_.depthOfStep(), shape_.columns,
            {}};
    const Value startOut = startOf(product_.out);
    if (block_.isInParts()) return writeParts(a, b, startOut);
    const int64_t all = rowTiles() * columnTiles(), group = shape_.group ? shape_.group : all;
    for (int64_t first = 0; first < all; first += group) {
      const int64_t end = std::min(first + group, all);
      std::vector<Value> places, sums;
      for (int64_t i = first; i < end; ++i) {
        const int64_t r = i % rowTiles(), c = i / rowTiles();
        places.push_back(
            placeAt(startOut, r * rowStride(product_.out) + c * columnStride(product_.out)));
        sums.push_back(loadSum(places.back()));
      }
      for (const auto& [offsetA, offsetB] : steps())
        for (int64_t step = 0; step < shape_.instructions(); ++step)
          addProducts({a, offsetA}, {b, offsetB}, step, first, sums);
      for (size_t i = 0; i < sums.size(); ++i)
        storeSum(sums[i], places[i]);
    }
  }

  /// The sums of a block in parts, which are loaded before the first product and stored after the last. Parts of the side
  /// whose tiles lie near each other, where it has so many, have their sums in both banks.
  void writeParts(Tiles& a, Tiles& b, Value startOut) {
    const auto all = steps();
    const auto atOnce = static_cast<size_t>(block_.stepsAtOnce);
    const bool isFarRows = farSide() == *block_.rows;
    const bool cutsFar = (isFarRows ? columnTiles() : rowTiles()) % block_.parts != 0;
    const bool cutsRows = isFarRows == cutsFar;
    const int64_t whole = cutsRows ? columnTiles() : rowTiles(),
                  part = (cutsRows ? rowTiles() : columnTiles()) / block_.parts;
    std::map<std::pair<int64_t, int64_t>, Value> sums;
    auto add = [&](size_t step, int64_t row, int64_t column) {
      const int64_t place = row * rowStride(product_.out) + column * columnStride(product_.out);
      Value& sum = sums[{row, column}];
      if (step == 0) sum = loadSum(placeAt(startOut, place));
      const Value left = tile(a, all[step].first, row), right = tile(b, all[step].second, column);
      sum = multiplyAdd(left, right, sum);
      if (step + 1 == all.size()) storeSum(sum, placeAt(startOut, place));
    };
    for (size_t first = 0; first < all.size(); first += atOnce)
      for (int64_t number = 0; number < block_.parts; ++number)
        for (size_t step = first; step < std::min(first + atOnce, all.size()); ++step)
          for (int64_t i = 0; i < whole; ++i)
            for (int64_t j = number * part; j < (number + 1) * part; ++j)
              add(step, cutsRows ? j : i, cutsRows ? i : j);
  }

  /// Tiles of a step of the reduction.
  struct Step {
    Tiles& tiles;
    int64_t offset;
  };

  /// What an instruction multiplies from the left: a tile, or a column of one.
  Value leftFactor(Value tile, int64_t step) {
    if (!shape_.stepDepth) return tile;
    auto numbers = [&](int64_t first, int64_t second) {
      const std::array<Attribute, 2> list{builder_.i64Attr(first), builder_.i64Attr(second)};
      return ArrayAttr::get(builder_.context(), list);
    };
    Type column = tileOf(shape_.rows, 1, elementTypeOrSelf(tile.type()));
    return builder_
        .create(location_, "vector.extract_strided_slice", {tile}, {column},
                {builder_.named("offsets", numbers(0, step)),
                 builder_.named("sizes", numbers(shape_.rows, 1)),
                 builder_.named("strides", numbers(1, 1))})
        ->result();
  }

  /// Adds to the sums of a group, of which `first` is the first, by columns: instruction `step` of those
  /// that a product of tiles takes.
  void addProducts(Step a, Step b, int64_t step, int64_t first, std::vector<Value>& sums) {
    const auto count = static_cast<int64_t>(sums.size());
    const int64_t row = step * shape_.depthOfStep() * shape_.columns;
    for (int64_t i = first; i < first + std::min(count, rowTiles()); ++i)
      tile(a.tiles, a.offset, i % rowTiles());
    for (int64_t i = 0; i < count; ++i) {
      const Value right =
          tile(b.tiles, b.offset + (shape_.stepDepth ? row : 0), (first + i) / rowTiles());
      const Value left = tile(a.tiles, a.offset, (first + i) % rowTiles());
      Value& sum = sums[static_cast<size_t>(i)];
      sum = multiplyAdd(leftFactor(left, step), right, sum);
    }
  }

  /// Where the tiles of the steps of the reduction lie that the body takes.
  std::vector<std::pair<int64_t, int64_t>> steps() const {
    std::vector<std::pair<int64_t, int64_t>> all{{0, 0}};
    for (unsigned loop : product_.reductions) {
      std::vector<std::pair<int64_t, int64_t>> next;
      for (const auto& [a, b] : all)
        for (int64_t i = 0; i < block_.tiles[loop]; ++i)
          next.emplace_back(a + i * product_.a.strides[loop], b + i * product_.b.strides[loop]);
      all = std::move(next);
    }
    return all;
  }

  Builder builder_;
  Location location_;
  const Product& product_;
  const TileBlock& block_;
  bool isAlone_;
  const MatrixShape& shape_;
  std::vector<Value> rows_;       // the buffers of a, b and out in one dimension
  std::vector<unsigned> order_;   // loops of more than one round, outermost first
  std::vector<Value> variables_;  // of these loops
};

class MatrixUnit : public CorePass {
 public:
  MatrixUnit() : CorePass("air-aie-matrix-unit", "Computes sums of products of tiles at once") {
    example("airlite-opt --air-aie-matrix-unit design.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    context.declareEffectChange(CountedEffect::Store, "products become loops over blocks of tiles");
    bool changed = false;
    for (const CoreRoot& program : roots(module)) {
      std::vector<StructuredOp> found;  // rewriting erases what is inside
      for (Operation* op : opsInside(*program.root))
        if (StructuredOp structured = linalg::asStructured(op)) found.push_back(structured);
      std::optional<ScratchBuffers> scratch;
      if (auto core = dynCast<aie::CoreOp>(program.root)) scratch.emplace(core);
      for (StructuredOp op : found) {
        const PassResult result = rewrite(op, scratch ? &*scratch : nullptr, context);
        if (result == PassResult::Failed) return result;
        changed |= result == PassResult::Changed;
      }
    }
    return changedIf(changed);
  }

 private:
  /// `scratch` is null outside of cores, where there are no buffers to be had.
  static PassResult rewrite(StructuredOp op, ScratchBuffers* scratch, PassContext& context) {
    std::string why;
    auto product = readProduct(op, why);
    const bool isOther = !product && why.empty();
    if (isOther) return PassResult::Unchanged;
    if (scratch) scratch->releaseAll();
    if (!product && scratch && turnFactors(op, *scratch)) product = readProduct(op, why);
    if (!product && scratch)
      if (StructuredOp packed = packProduct(op, *scratch, why))
        product = readProduct(op = packed, why);
    if (product && !product->parts.isWhole() && !(scratch && fits(op, *product, *scratch))) {
      why = "its parts need more memory than there is, or its operands are views";
      product.reset();
    }
    if (!product) return decline(op, scratch, why, context);
    if (product->parts.isWhole()) return write(op, *product), PassResult::Changed;
    for (StructuredOp part : splitProduct(op, product->parts, *scratch))
      write(part, *readProduct(part, why));
    return PassResult::Changed;
  }

  /// Nothing else makes sums as the unit does.
  static PassResult decline(StructuredOp op, const ScratchBuffers* scratch, const std::string& why,
                            PassContext& context) {
    const std::string message = "no product of the matrix unit: " + why;
    if (!scratch || !op->attr(linalg::kSumDepth)) {
      context.remark(*op, message);
      return PassResult::Unchanged;
    }
    InFlightDiagnostic error = op->emitOpError();
    error << message;
    error.note(op->location()) << "smaller tiles leave room for its operands; '--exact' has its "
                                  "sums made without the unit";
    return PassResult::Failed;
  }

  static bool fits(StructuredOp op, const Product& product, const ScratchBuffers& scratch) {
    const std::vector<Type> types = op->operandTypes();
    auto isWhole = [](Type type) { return bool(flatType(type.cast<MemRefType>())); };
    return std::ranges::all_of(types, isWhole) &&
           scratch.haveRoom(partTypes(product.parts, types[0], types[1], types[2]));
  }

  static void write(StructuredOp op, const Product& product) {
    std::vector<ProductPart> parts;
    addParts(product, parts);
    Operation* fill = hasWholeSums(parts.front()) ? zerosBefore(op) : nullptr;
    for (const ProductPart& part : parts)
      ProductWriter(*op, part, fill && &part == &parts.front()).run();
    op->erase();
    if (fill) fill->erase();
  }

  /// Whether a body takes all steps of the reduction, so that it begins and ends the sums.
  static bool hasWholeSums(const ProductPart& part) {
    return std::ranges::all_of(part.product.reductions, [&](unsigned loop) {
      return part.product.sizes[loop] == part.block.tiles[loop];
    });
  }

  /// The fill with zeros of the sums of `op`, where nothing but it sees them.
  static Operation* zerosBefore(StructuredOp op) {
    for (Operation* before = op->prev(); before; before = before->prev()) {
      if (before->is("linalg.fill") && before->operand(1) == op->operand(2))
        return isZero(before->operand(0)) ? before : nullptr;
      // Another actor has the sums before a lock is taken, or after one is given.
      const auto lock = dynCast<aie::UseLockOp>(before);
      const bool isQuiet = lock ? lock.action() == aie::LockAction::AcquireGreaterEqual
                                : isMemoryEffectFree(*before);
      if (!isQuiet) return nullptr;
    }
    return nullptr;
  }
};

}  // namespace

void registerMatrixUnit(PassRegistry& registry) { registry.add<MatrixUnit>(); }

}  // namespace airlite::npu
