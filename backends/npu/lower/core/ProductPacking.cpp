// See ProductPacking.hpp; the tiles and the copies are those of ProductCopies.hpp.
#include "ProductPacking.hpp"

#include "ProductCopies.hpp"
#include "ViewPlace.hpp"
#include "airlite/analysis/LoopIndex.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/support/Bf16Pieces.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace airlite::npu {
namespace {

using linalg::IteratorKind;
using linalg::StructuredOp;

/// The loops whose blocks make tiles; none: the dimension has one element.
struct TileLoops {
  std::optional<unsigned> m, n, k;
};

/// Which element of the buffer each round of the loops accesses; false where that is not a sum. A part of a buffer may begin where
/// values say.
bool readIndex(StructuredOp op, unsigned number, PackedOperand& operand) {
  const auto type = op->operand(number).type().dynCast<MemRefType>();
  std::string why;
  Places places;
  const Place* place =
      type && type.hasStaticShape() ? places.find(op->operand(number), why) : nullptr;
  if (!place || !flatType(place->base.type().cast<MemRefType>())) return false;
  operand.memory = place->base;
  operand.factors.assign(op.numLoops(), 0);
  for (const auto& [factor, stride] : place->offset) {
    if (stride.value) return false;
    if (factor.value)
      operand.starts.push_back({factor.value, stride.constant});
    else
      operand.constant += factor.constant * stride.constant;
  }
  const AffineMap map = op.indexingMaps()[number];
  for (unsigned d = 0; d < map.numResults(); ++d) {
    const auto index = analysis::readLoopIndex(map.result(d), op.numLoops());
    if (!index || place->strides[d].value) return false;
    const int64_t stride = place->strides[d].constant;
    operand.constant += index->constant * stride;
    for (unsigned loop = 0; loop < op.numLoops(); ++loop)
      operand.factors[loop] += index->factors[loop] * stride;
  }
  return true;
}

/// Of integers of any kind, at least; and so many vectors of them are worth a loop.
constexpr int64_t kLanesOfRow = 16, kLeastVectors = 4;

/// One class: the loops chosen for the three operands decide whether packing pays, whether it fits,
/// and what is built.
class Packing {
 public:
  Packing(StructuredOp op, ScratchBuffers& scratch)
      : op_(op), scratch_(scratch), sizes_(op.loopSizes()), merged_(op.numLoops(), false) {}

  /// Null with the reason.
  StructuredOp run(std::string& why) {
    if (!read(why) || !pays(why) || !(fits(why) || fitsInSlices())) return {};
    Builder builder = Builder::before(*op_.op());
    for (PackedOperand* operand : all())
      operand->packed = scratch_.take(packedType(*operand));
    packThoseIn(builder, 0);
    for (size_t i = 0; i < sliced_.size(); ++i) {
      enterSlices(builder, i);
      packThoseIn(builder, i + 1);
    }
    StructuredOp product = makeProduct(builder);
    if (slicesDepth()) builder.setAfter(*product->parentOp());
    copyFromTiles(builder, op_->location(), c_);
    op_->erase();
    return product;
  }

 private:
  std::array<PackedOperand*, 3> all() { return {&a_, &b_, &c_}; }

  void pack(Builder& builder, const PackedOperand& operand) {
    // Sums over the depth must not see what nobody has written. One of two integers suffices; of
    // floats the other one may be no number.
    const bool fillsDepth = tiles_.k && sizes_[*tiles_.k] % shape_->depth;
    const bool clears = &operand == &a_ || (&operand == &b_ && areFloats());
    if (fillsDepth && clears) clear(builder, operand);
    copyIntoTiles(builder, op_->location(), operand);
  }

  // -- Slices: rows of A and C, or columns of B and C, of which L1 has no room for all at once; then parts of the sums, too, one
  // after the other --

  bool fitsInSlices() {
    // Floats in pieces are summed up piece by piece, and narrow ones are rounded at the end.
    const bool maySlice = !areFloats() || !(parts_.piecesA || parts_.widensSum);
    const std::vector<int64_t> depths =
        maySlice ? slicesOf(tiles_.k, shape_->depth, true) : std::vector<int64_t>{1};
    return std::ranges::any_of(depths, [&](int64_t depth) { return fitsInSlices(depth); });
  }

  /// In those that take the fewest moves.
  bool fitsInSlices(int64_t depths) {
    std::optional<int64_t> fewest;
    std::vector<int64_t> sizes;
    std::vector<unsigned> loops;
    for (int64_t rows : slicesOf(tiles_.m, shape_->rows, false))
      for (int64_t columns : slicesOf(tiles_.n, shape_->columns, false))
        for (bool rowsInside : {true, false}) {
          sizes_ = whole_;
          sliced_.clear();
          if (rows > 1) slice(*tiles_.m, rows);
          if (columns > 1) slice(*tiles_.n, columns);
          // Fewer than two loops have no order.
          if (sliced_.size() < 2 && !rowsInside) continue;
          if (rowsInside) std::ranges::reverse(sliced_);
          if (depths > 1) slice(*tiles_.k, depths);
          describeAll();
          std::string why;
          const int64_t count = movesOfSlices();
          if ((fewest && count >= *fewest) || !fits(why)) continue;
          fewest = count;
          sizes = sizes_;
          loops = sliced_;
        }
    sizes_ = fewest ? sizes : whole_;
    sliced_ = loops;
    describeAll();
    return fewest.has_value();
  }
  bool slicesDepth() const { return !sliced_.empty() && sliced_.back() == tiles_.k; }
  void slice(unsigned loop, int64_t count) {
    sizes_[loop] /= count;
    sliced_.push_back(loop);
  }
  /// Numbers of slices of a tile at least, or of whole tiles; what tiles have besides a slice nobody needs.
  std::vector<int64_t> slicesOf(std::optional<unsigned> loop, int64_t tile, bool areWhole) const {
    std::vector<int64_t> counts{1};
    for (int64_t count = 2; loop && count * tile <= whole_[*loop]; ++count)
      if (whole_[*loop] % (areWhole ? count * tile : count) == 0) counts.push_back(count);
    return counts;
  }
  int64_t numSlices(unsigned loop) const { return whole_[loop] / sizes_[loop]; }
  /// Loops over slices around the copies of an operand: the last one moves it.
  size_t loopsAround(const PackedOperand& operand) const {
    size_t count = sliced_.size();
    while (count && !operand.factors[sliced_[count - 1]])
      --count;
    return count;
  }
  int64_t movesOfSlices() {
    int64_t sum = 0;
    for (const PackedOperand* operand : all()) {
      int64_t moves = operand->moves() * (operand == &c_ ? 2 : 1);
      for (size_t i = 0; i < loopsAround(*operand); ++i)
        moves *= numSlices(sliced_[i]);
      sum += moves;
    }
    return sum;
  }
  void packThoseIn(Builder& builder, size_t numLoops) {
    for (const PackedOperand* operand : all())
      if (loopsAround(*operand) == numLoops) pack(builder, *operand);
  }
  void enterSlices(Builder& builder, size_t i) {
    const auto index = [&](int64_t number) {
      return builder.constantIndex(op_->location(), number);
    };
    auto slices = scf::ForOp::create(builder, op_->location(), index(0),
                                     index(numSlices(sliced_[i])), index(1));
    builder.setBefore(*slices.yield());
    for (PackedOperand* operand : all())
      operand->slices[i].value = slices.inductionVar();
  }

  // -- What there is --

  bool read(std::string& why) {
    why = "its sizes are not known, or its indices no sums of loops";
    for (int64_t size : sizes_)
      if (size == kDynamic || size < 1) return false;
    for (unsigned i = 0; i < 3; ++i)
      if (!readIndex(op_, i, *all()[i])) return false;
    auto parts = productPartsOf(op_, why);
    if (!parts) return false;
    parts_ = *parts;
    shape_ = parts_.shape;
    mergeLoops();
    whole_ = sizes_;
    chooseLoops();
    why = "it has no loop over sums, or none over elements of one sum";
    if (!tiles_.k || !(tiles_.m || tiles_.n)) return false;
    describeAll();
    return true;
  }

  void describeAll() {
    const auto [m, n] = tilesOfSums();
    const int64_t k = tilesAlong(tiles_.k, shape_->depth);
    describe(a_, {tiles_.m, shape_->rows, m}, {tiles_.k, shape_->depth, k});
    const Dimension depth{tiles_.k, shape_->depth, k}, columns{tiles_.n, shape_->columns, n};
    if (isByColumns())
      describe(b_, columns, depth);
    else
      describe(b_, depth, columns);
    describe(c_, {tiles_.m, shape_->rows, m}, {tiles_.n, shape_->columns, n});
    for (PackedOperand* operand : all()) {
      operand->slices.clear();
      for (unsigned loop : sliced_)
        operand->slices.push_back({{}, operand->factors[loop] * sizes_[loop]});
    }
  }

  /// Two loops whose elements follow each other in all operands are one: rows of tiles of another size are rows.
  void mergeLoops() {
    const std::vector<IteratorKind> kinds = op_.iterators();
    for (unsigned inner = op_.numLoops(); inner-- > 0;)
      for (unsigned outer = op_.numLoops(); outer-- > 0;) {
        if (outer == inner || kinds[outer] != kinds[inner]) continue;
        // Sums of floats have an order.
        if (areFloats() && kinds[inner] == IteratorKind::Reduction) continue;
        const bool isOne = sizes_[outer] == 1 || sizes_[inner] == 1;
        const bool follow = std::ranges::all_of(all(), [&](const PackedOperand* operand) {
          return operand->factors[outer] == operand->factors[inner] * sizes_[inner];
        });
        if (isOne || !follow) continue;
        sizes_[inner] *= sizes_[outer];
        sizes_[outer] = 1;
        merged_[outer] = true;
        for (PackedOperand* operand : all())
          operand->factors[outer] = 0;
      }
  }

  /// The last loops of each kind: of rows of A, of columns of B, and of sums.
  void chooseLoops() {
    std::vector<IteratorKind> kinds = op_.iterators();
    for (unsigned loop = 0; loop < op_.numLoops(); ++loop) {
      const bool inA = a_.factors[loop], inB = b_.factors[loop], inC = c_.factors[loop];
      if (sizes_[loop] == 1) continue;
      if (kinds[loop] == IteratorKind::Reduction && inA && inB) tiles_.k = loop;
      if (inA && !inB && inC) tiles_.m = loop;
      if (!inA && inB && inC) tiles_.n = loop;
    }
  }

  bool isBlocked(unsigned loop) const {
    return loop == tiles_.m || loop == tiles_.n || loop == tiles_.k;
  }

  int64_t sizeOf(std::optional<unsigned> loop) const { return loop ? sizes_[*loop] : 1; }
  int64_t tilesAlong(std::optional<unsigned> loop, int64_t tile) const {
    return (sizeOf(loop) + tile - 1) / tile;
  }

  /// Tiles of the sums, down and across. Some that nobody asked for make better blocks: 7 x 9 tiles
  /// take longer than 8 x 9.
  std::pair<int64_t, int64_t> tilesOfSums() const {
    constexpr int64_t kMostFilling = 3;
    const int64_t rows = tilesAlong(tiles_.m, shape_->rows),
                  columns = tilesAlong(tiles_.n, shape_->columns);
    std::pair<int64_t, int64_t> best{rows, columns};
    double least = 0;
    for (int64_t r = rows; r <= (rows > 1 ? rows + kMostFilling : rows); ++r)
      for (int64_t c = columns; c <= (columns > 1 ? columns + kMostFilling : columns); ++c) {
        const double cycles =
            static_cast<double>(r * c) * bestBlock(*shape_, r, c).cyclesPerProduct;
        if (least != 0 && cycles >= least) continue;
        least = cycles;
        best = {r, c};
      }
    return best;
  }

  struct Dimension {
    std::optional<unsigned> loop;
    int64_t tile, blocks;
  };
  void describe(PackedOperand& operand, Dimension row, Dimension column) const {
    operand.row = row.loop;
    operand.column = column.loop;
    operand.rows = sizeOf(row.loop);
    operand.columns = sizeOf(column.loop);
    operand.tileRows = row.tile;
    operand.tileColumns = column.tile;
    operand.outer.clear();
    operand.rowBlocks = row.blocks;
    operand.columnBlocks = column.blocks;
    for (unsigned loop = 0; loop < op_.numLoops(); ++loop) {
      if (isBlocked(loop) || !operand.factors[loop]) continue;
      OuterDim* same = dimensionFor(operand, loop);
      if (!same) {
        operand.outer.push_back({{loop}, operand.factors[loop], sizes_[loop]});
      } else {
        same->loops.push_back(loop);
        same->size += sizes_[loop] - 1;
      }
    }
  }

  /// The dimension of A that has room for another loop, which B or C has by itself; null: none.
  OuterDim* dimensionFor(PackedOperand& operand, unsigned loop) const {
    if (&operand != &a_ || sizes_[loop] == 1 || !(b_.factors[loop] || c_.factors[loop]))
      return nullptr;
    const auto same = std::ranges::find_if(operand.outer, [&](const OuterDim& dim) {
      return dim.factor == operand.factors[loop] && dim.size > 1;
    });
    return same == operand.outer.end() ? nullptr : &*same;
  }

  bool areFloats() const { return shape_->elements.areFloats; }
  /// Tiles of B lie column by column.
  bool isByColumns() const { return shape_->elements.areBlocks; }

  /// A move takes about as long as a scalar multiply-add of integers, or one of a vector of them. Floats whose sums are to be
  /// the unit's have no other way.
  bool pays(std::string& why) {
    if (areFloats()) return true;
    why = "laying its operands out in tiles would take longer than it does";
    int64_t products = 1;
    for (int64_t size : sizes_)
      products *= size;
    if (areByVectors()) products /= kLanesOfRow;
    return a_.moves() + b_.moves() + 2 * c_.moves() < products;
  }
  /// Whether rows by a vector are vectors without tiles, too: both lie along the sums, which are long.
  bool areByVectors() const {
    const unsigned sums = *tiles_.k;
    return !(tiles_.m && tiles_.n) && a_.factors[sums] == 1 && b_.factors[sums] == 1 &&
           sizes_[sums] >= kLeastVectors * kLanesOfRow;
  }

  bool fits(std::string& why) {
    why = "its operands in tiles need more memory than the core has left";
    const std::vector<Type> packed{packedType(a_), packedType(b_), packedType(c_)};
    std::vector<Type> types = partTypes(parts_, packed[0], packed[1], packed[2]);
    types.insert(types.end(), packed.begin(), packed.end());
    return scratch_.haveRoom(types);
  }

  // -- Buffers and copies --

  std::vector<int64_t> packedShape(const PackedOperand& operand) const {
    std::vector<int64_t> shape;
    for (const OuterDim& dim : operand.outer)
      shape.push_back(dim.size);
    shape.insert(shape.end(),
                 {operand.columnBlocks, operand.rowBlocks, operand.tileRows, operand.tileColumns});
    return shape;
  }

  Type packedType(const PackedOperand& operand) const {
    return MemRefType::get(op_->context(), packedShape(operand), operand.element(), Attribute(),
                           operand.memory.type().cast<MemRefType>().memorySpace());
  }

  /// In words, all bytes of which are zeros.
  void clear(Builder& builder, const PackedOperand& operand) const {
    Value words = asWords(builder, op_->location(), operand.packed);
    Value zero = builder.constant(op_->location(), builder.i32Attr(0));
    linalg::createNamedOp(builder, op_->location(), "linalg.fill", {&zero, 1}, {&words, 1});
  }

  // -- The product --

  /// Loops: those that are not blocked, then over blocks of rows, columns and depth, then in them.
  StructuredOp makeProduct(Builder& builder) {
    std::vector<unsigned> number(op_.numLoops());
    std::vector<IteratorKind> kinds;
    for (unsigned loop = 0; loop < op_.numLoops(); ++loop) {
      if (isBlocked(loop) || merged_[loop]) continue;
      number[loop] = static_cast<unsigned>(kinds.size());
      kinds.push_back(op_.iterators()[loop]);
    }
    const auto blocks = static_cast<unsigned>(kinds.size());
    for (int i = 0; i < 2; ++i)
      kinds.insert(kinds.end(),
                   {IteratorKind::Parallel, IteratorKind::Parallel, IteratorKind::Reduction});
    // Rows and columns of A, B and C among m, n, k.
    unsigned roles[3][2] = {{0, 2}, {2, 1}, {0, 1}};
    if (isByColumns()) std::swap(roles[1][0], roles[1][1]);
    std::vector<AffineMap> maps;
    for (unsigned i = 0; i < 3; ++i) {
      std::vector<AffineExpr> dims;
      auto add = [&](unsigned loop) { dims.push_back(AffineExpr::dim(op_->context(), loop)); };
      for (const OuterDim& dim : all()[i]->outer) {
        add(number[dim.loops.front()]);
        for (unsigned loop : std::span(dim.loops).subspan(1))
          dims.back() = dims.back() + AffineExpr::dim(op_->context(), number[loop]);
      }
      add(blocks + roles[i][1]);
      add(blocks + roles[i][0]);
      add(blocks + 3 + roles[i][0]);
      add(blocks + 3 + roles[i][1]);
      maps.push_back(AffineMap::get(op_->context(), static_cast<unsigned>(kinds.size()), 0, dims));
    }
    const std::array<Value, 2> inputs{a_.packed, b_.packed};
    StructuredOp product = linalg::createGeneric(builder, op_->location(), inputs,
                                                 std::span(&c_.packed, 1), maps, kinds);
    IRMapping mapping;
    for (unsigned i = 0; i < 3; ++i)
      mapping.map(op_.bodyArgument(i), product.bodyArgument(i));
    Builder body = Builder::atEnd(product.body());
    for (Operation& inner : op_.body().ops())
      body.clone(inner, mapping);
    for (std::string_view name : {linalg::kSumDepth, linalg::kBlockFloats, kBf16Pieces})
      if (Attribute attribute = op_->attr(name)) product->setAttr(name, attribute);
    return product;
  }

  StructuredOp op_;
  ScratchBuffers& scratch_;
  std::vector<int64_t> sizes_, whole_;  ///< of the loops: of one slice, of all
  std::vector<bool> merged_;            ///< loops that others do with their own
  ProductParts parts_;
  const MatrixShape* shape_ = nullptr;
  TileLoops tiles_;
  std::vector<unsigned> sliced_;  ///< loops over slices, the outer one first
  PackedOperand a_, b_, c_;
};

}  // namespace

StructuredOp packProduct(StructuredOp op, ScratchBuffers& scratch, std::string& why) {
  why = "it is not a sum of products of buffers";
  if (!op.onBuffers() || !linalg::isMultiplyAdd(op)) return {};
  return Packing(op, scratch).run(why);
}

}  // namespace airlite::npu
