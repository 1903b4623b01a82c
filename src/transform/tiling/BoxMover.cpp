// See BoxMover.hpp. A launch:
//
//   scf.parallel            one iteration per launch instance, of each batch
//     alloc, copy           words of both buffers into L2, each column of cores its own
//     scf.parallel          one iteration per core
//       alloc, copy         the words of its rows into L1
//       scf.for             over rows and inner dimensions: vectors, or linalg.copy element by element
//       copy                words of `to` to L2
//     copy                  L2 to the host
//
// A row is one step along a dimension of the box: the first one, or the second one where rows of the first have no room. Cores have groups of
// as many rows as are whole words in both buffers, from a word on: all that is in these words belongs to the rows of one core, or to
// nobody. What comes before the first such group and after the last one is moved by a core alone, in launches of their own.
#include "BoxMover.hpp"

#include "RowMover.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/transform/ArrayDefaults.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace airlite::tiling {

namespace {

using BoxSide = BoxMove::Side;

int64_t elementCount(Value memory) { return memory.type().cast<MemRefType>().numElements(); }

/// Leaves out dimensions of one element, and joins those that are one run in both buffers.
void normalize(BoxMove& move) {
  BoxMove joined{
      {move.from.memory, move.from.first, {}}, {move.to.memory, move.to.first, {}}, {}, move.rest};
  for (size_t dim = 0; dim < move.sizes.size(); ++dim) {
    const int64_t size = move.sizes[dim], from = move.from.steps[dim], to = move.to.steps[dim];
    if (size == 1) continue;
    const bool isRun = !joined.sizes.empty() && joined.from.steps.back() == size * from &&
                       joined.to.steps.back() == size * to;
    if (isRun) {
      joined.sizes.back() *= size, joined.from.steps.back() = from, joined.to.steps.back() = to;
      continue;
    }
    joined.sizes.push_back(size);
    joined.from.steps.push_back(from), joined.to.steps.push_back(to);
  }
  if (joined.sizes.empty()) {
    joined.sizes.push_back(1);
    joined.from.steps.push_back(1), joined.to.steps.push_back(1);
  }
  move = std::move(joined);
}

/// Whether the last dimension is elements that follow each other.
bool areRuns(const BoxMove& move) {
  return move.from.steps.back() == 1 && move.to.steps.back() == 1;
}

/// Chooses the rows of cores.
class BoxPlan {
 public:
  BoxPlan(const BoxMove& move, const RowCores& cores)
      : move_(move),
        cores_(cores),
        elementBytes_(elementTypeOrSelf(move.from.memory.type()).bitWidth() / 8),
        word_(aie::kWordBytes / elementBytes_) {}

  /// Empty: there is no room.
  std::vector<BoxShare> shares() {
    for (dim_ = 0; dim_ < std::min<size_t>(2, move_.sizes.size()); ++dim_) {
      if (dim_ == 1 && !areBatchesApart()) return {};
      if (auto found = sharesOfRows(); !found.empty()) return found;
    }
    return {};
  }

 private:
  int64_t down(int64_t place) const { return place / word_ * word_; }
  int64_t up(int64_t place) const { return roundUp(place, word_); }
  int64_t step(const BoxSide& side) const { return side.steps[dim_]; }
  int64_t placeOf(const BoxSide& side, int64_t row) const { return side.first + row * step(side); }

  /// From the first to the last element of a row.
  int64_t extent(const BoxSide& side) const {
    int64_t elements = 1;
    for (size_t dim = dim_ + 1; dim < move_.sizes.size(); ++dim)
      elements += (move_.sizes[dim] - 1) * side.steps[dim];
    return elements;
  }

  /// Elements of the buffer that are there for the first batch as they are for the last one.
  int64_t limit(const BoxSide& side) const {
    const int64_t all = elementCount(side.memory);
    return dim_ == 0 ? all : all - (move_.sizes[0] - 1) * side.steps[0];
  }

  /// All words with elements of these rows; the last one of a buffer may be shorter.
  ElementRange wordsOf(const BoxSide& side, int64_t row, int64_t rows) const {
    const int64_t begin = down(placeOf(side, row)),
                  end = up(placeOf(side, row + rows - 1) + extent(side));
    return {begin, std::min(end, limit(side)) - begin};
  }

  bool hasRoom(const ElementRange& from, const ElementRange& to) const {
    return (from.length + to.length) * elementBytes_ + 4 * kSlackBytes <= cores_.l1Bytes;
  }

  /// Each batch is whole words of its own.
  bool areBatchesApart() const {
    const ElementRange from = wordsOf(move_.from, 0, move_.sizes[1]),
                       to = wordsOf(move_.to, 0, move_.sizes[1]);
    const auto areWords = [&](const BoxSide& side, const ElementRange& range) {
      return side.steps[0] % word_ == 0 && range.length % word_ == 0;
    };
    return areWords(move_.from, from) && areWords(move_.to, to) && to.length <= move_.to.steps[0];
  }

  /// The first word from which on there is nothing of the row before.
  int64_t beginOf(const BoxSide& side, int64_t row) const {
    return std::max<int64_t>(0, up(placeOf(side, row) - (step(side) - extent(side))));
  }
  bool beginsApart(const BoxSide& side, int64_t row) const {
    return beginOf(side, row) <= placeOf(side, row);
  }

  BoxShare alone(int64_t first, int64_t rows) const {
    return {dim_, first, rows, wordsOf(move_.from, first, rows), wordsOf(move_.to, first, rows)};
  }

  std::vector<BoxShare> sharesOfRows() const {
    const int64_t rows = move_.sizes[dim_];
    const BoxShare whole = alone(0, rows);
    if (hasRoom(whole.from, whole.to) && rows * extent(move_.to) < kAlone) return {whole};
    const int64_t unit = std::lcm(unitOf(move_.from), unitOf(move_.to));
    const auto head = firstOfGroups(unit);
    if (!head) return hasRoom(whole.from, whole.to) ? std::vector{whole} : std::vector<BoxShare>();
    std::vector<BoxShare> shares;
    if (*head > 0) shares.push_back(alone(0, *head));
    int64_t first = *head;
    while (const int64_t units = unitsFrom(first, unit)) {
      shares.push_back(nextShare(first, units, unit));
      first += shares.back().all();
    }
    if (first < rows) shares.push_back(alone(first, rows - first));
    const bool fits =
        std::ranges::all_of(shares, [&](const BoxShare& s) { return hasRoom(s.from, s.to); });
    return fits ? shares : std::vector<BoxShare>();
  }

  int64_t unitOf(const BoxSide& side) const { return word_ / std::gcd(word_, step(side)); }

  /// Where groups begin apart from what is before them, in both buffers if there is such a row.
  std::optional<int64_t> firstOfGroups(int64_t unit) const {
    std::optional<int64_t> found;
    for (int64_t row = 0; row < std::min(unit, move_.sizes[dim_]); ++row) {
      if (!beginsApart(move_.to, row)) continue;
      if (beginsApart(move_.from, row)) return row;
      if (!found) found = row;
    }
    return found;
  }

  /// Groups of whole words that are left.
  int64_t unitsFrom(int64_t first, int64_t unit) const {
    auto fits = [&](const BoxSide& side, int64_t units) {
      return beginOf(side, first) + units * unit * step(side) <= limit(side);
    };
    int64_t units = (move_.sizes[dim_] - first) / unit;
    while (units > 0 && !(fits(move_.to, units) && fits(move_.from, units)))
      --units;
    return units;
  }

  BoxShare nextShare(int64_t first, int64_t units, int64_t unit) const {
    const bool isApart = beginsApart(move_.from, first);
    const int64_t bytes = unit * (step(move_.from) + step(move_.to)) * elementBytes_,
                  most = std::max<int64_t>(
                      1, std::min(kTileBytes, cores_.l1Bytes - 5 * kSlackBytes) / bytes);
    BoxShare share;
    share.dim = dim_, share.first = first;
    // Words of `from` that two cores want come to each of them by itself.
    if (isApart) chooseCores(share, units, unit);
    const int64_t ofCore = units / share.cores();
    share.instances = (ofCore + most - 1) / most;
    share.rows = ofCore / share.instances * unit;
    share.to = {beginOf(move_.to, first), share.rows * step(move_.to)};
    share.from = isApart ? ElementRange{beginOf(move_.from, first), share.rows * step(move_.from)}
                         : wordsOf(move_.from, first, share.rows);
    return share;
  }

  /// The cheapest ones: transfers start one after the other, columns move and cores work at the same time.
  void chooseCores(BoxShare& share, int64_t units, int64_t unit) const {
    constexpr int64_t kChannels = aie::limitsOf(aie::Generation::Aie2, aie::TileKind::Mem).channels;
    constexpr int64_t kLaunchCycles = 9000;
    const bool keeps = !move_.rest && elementsOfRow() < step(move_.to);
    const int64_t ins = keeps ? 2 : 1, most = std::min(cores_.columns, (kChannels - 1) / ins);
    const int64_t rows = units * unit * (dim_ == 0 ? 1 : move_.sizes[0]);
    int64_t least = std::numeric_limits<int64_t>::max();
    for (int64_t columns = 1; columns <= std::min(cores_.rows, units); ++columns)
      for (int64_t cores = 1; cores <= std::min(most, units / columns); ++cores) {
        const int64_t moves = rows * std::max(ins * step(move_.to), step(move_.from)) *
                              elementBytes_ / (aie::kWordBytes * columns);
        const int64_t works = rows * cyclesOfRow() / (columns * cores);
        const int64_t all = (ins + 1) * kTransferStartCycles * columns + std::max(moves, works) +
                            (units % (columns * cores) ? kLaunchCycles : 0);
        if (all >= least) continue;
        least = all;
        share.columns = columns, share.columnCores = cores;
      }
  }

  int64_t elementsOfRow() const {
    int64_t elements = 1;
    for (size_t dim = dim_ + 1; dim < move_.sizes.size(); ++dim)
      elements *= move_.sizes[dim];
    return elements;
  }

  /// Of a core, as measured (docs/log.md, "Boxes of elements of one or two bytes").
  int64_t cyclesOfRow() const {
    constexpr int64_t kElement = 11, kRun = 30, kVector = 18;
    const bool isRun = dim_ + 1 == move_.sizes.size();
    if (!areRuns(move_)) return kElement * elementsOfRow();
    if (isRun) return 1;
    const int64_t run = move_.sizes.back(), vectors = run * elementBytes_ / kRowVectorBytes;
    return elementsOfRow() / run * (kRun + kVector * vectors);
  }

  /// Elements: so few are done before other cores have begun.
  static constexpr int64_t kAlone = 1024;

  const BoxMove& move_;
  const RowCores& cores_;
  const int64_t elementBytes_, word_;
  unsigned dim_ = 0;
};

/// Writes one launch.
class BoxLaunch : LaunchWriter {
 public:
  BoxLaunch(Rewriter& rewriter, Location location, const BoxMove& move, const BoxShare& share)
      : LaunchWriter(rewriter, location, elementTypeOrSelf(move.from.memory.type())),
        move_(move),
        share_(share) {}

  void write() {
    const Value from = flat(move_.from.memory), to = flat(move_.to.memory);
    const bool keeps = hasOthers() && !move_.rest;
    const int64_t columns = share_.columns, cores = share_.columnCores,
                  batches = share_.dim == 0 ? 1 : move_.sizes[0];
    parallel(batches, share_.instances, [&](Value batch, Value instance) {
      const Value inL2 = alloc({columns, cores * share_.from.length}, 1),
                  outL2 = alloc({columns, cores * share_.to.length}, 1),
                  oldL2 = keeps ? alloc({columns, cores * share_.to.length}, 1) : Value();
      const Value target = ofInstance(move_.to, to, share_.to, batch, instance);
      copy(ofInstance(move_.from, from, share_.from, batch, instance), inL2);
      if (keeps) copy(target, oldL2);
      parallel(columns, cores, [&](Value column, Value core) {
        moveOnCore(ofCore(inL2, share_.from.length, column, core),
                   keeps ? ofCore(oldL2, share_.to.length, column, core) : Value(),
                   ofCore(outL2, share_.to.length, column, core));
      });
      copy(outL2, target);
      free(inL2), free(outL2);
      if (keeps) free(oldL2);
    });
  }

 private:
  /// Words of an instance, those of each column of the array together.
  Value ofInstance(const BoxSide& side, Value memory, const ElementRange& range, Value batch,
                   Value instance) {
    const int64_t ofBatch = share_.dim == 0 ? 0 : side.steps[0],
                  step = share_.cores() * share_.rows * side.steps[share_.dim];
    return ofColumns(
        memory, place(range.begin, {{batch, ofBatch}, {instance, share_.instances > 1 ? step : 0}}),
        share_.cores() * range.length, share_.columns);
  }

  /// Whether the words of a core have elements that are not of the box.
  bool hasOthers() const {
    int64_t elements = 1;
    for (size_t dim = share_.dim; dim < move_.sizes.size(); ++dim)
      elements *= sizeOf(dim);
    return elements < share_.to.length;
  }

  /// `old` is null where nothing of it stays.
  void moveOnCore(Value source, Value old, Value target) {
    const int64_t in = share_.from.length, out = share_.to.length;
    const Value inL1 = room(in), outL1 = room(out);
    bringIn(source, part(inL1, {0, 0}, {1, in}), in);
    if (old)
      bringIn(old, part(outL1, {0, 0}, {1, out}), out);
    else if (hasOthers())
      fill(outL1, rewriter_.clone(*move_.rest.definingOp())->result());
    else if (isPartOfVector())
      fill(outL1, zeroOf(element_));
    const Value from = flat(inL1), to = flat(outL1);
    // What no mask selects is computed with, too.
    if (isPartOfVector())
      storeVector(zeros(), from, number(in)), storeVector(zeros(), to, number(out));
    if (run() > 1)
      moveRuns(share_.dim, from, to, number(firstOf(move_.from, share_.from)),
               number(firstOf(move_.to, share_.to)));
    else
      moveElements(from, to);
    copy(part(outL1, {0, 0}, {1, out}), target);
    free(inL1), free(outL1);
  }

  Value zeroOf(Type type) {
    if (type.isFloat()) return rewriter_.constant(location_, FloatAttr::get(type, 0.0));
    return rewriter_.constant(location_, IntegerAttr::get(type, 0));
  }
  void fill(Value memory, Value number) {
    linalg::createNamedOp(rewriter_, location_, "linalg.fill", {&number, 1}, {&memory, 1});
  }

  /// Elements that follow each other in both buffers.
  int64_t run() const { return areRuns(move_) ? sizeOf(move_.sizes.size() - 1) : 1; }
  /// Whether runs are moved by masks.
  bool isPartOfVector() const { return run() > 1 && run() < lanes(); }

  int64_t sizeOf(size_t dim) const { return dim == share_.dim ? share_.rows : move_.sizes[dim]; }
  int64_t firstOf(const BoxSide& side, const ElementRange& range) const {
    return side.first + share_.first * side.steps[share_.dim] - range.begin;
  }

  void moveRuns(size_t dim, Value from, Value to, Value fromAt, Value toAt) {
    if (dim + 1 == move_.sizes.size()) return moveRun(sizeOf(dim), from, to, fromAt, toAt);
    loop(sizeOf(dim), 1, [&](Value index) {
      moveRuns(dim + 1, from, to, sum(fromAt, product(index, move_.from.steps[dim])),
               sum(toAt, product(index, move_.to.steps[dim])));
    });
  }

  /// The first vector, those that are stored where vectors can begin, and the last ones, which may have elements of these.
  void moveRun(int64_t length, Value from, Value to, Value fromAt, Value toAt) {
    if (length < lanes()) return moveLanes(length, from, to, fromAt, toAt);
    const auto moveAt = [&](Value place) {
      moveVector(from, to, sum(fromAt, place), sum(toAt, place));
    };
    moveAt(number(0));
    if (length == lanes()) return;
    if (const int64_t whole = (length - lanes() + 1) / lanes(); whole > 0) {
      const Value missing =
          binary("arith.andi", binary("arith.subi", number(0), toAt), number(lanes() - 1));
      const Value aligned = sum(toAt, missing), source = sum(fromAt, missing);
      loop(whole * lanes(), lanes(),
           [&](Value at) { moveVector(from, to, sum(source, at), sum(aligned, at)); });
    }
    if (length > 2 * lanes()) moveAt(number(length - 2 * lanes()));
    moveAt(number(length - lanes()));
  }

  /// Some lanes of a vector; the others stay as they are.
  void moveLanes(int64_t lanes, Value from, Value to, Value fromAt, Value toAt) {
    const int64_t all = this->lanes();
    const Type bits = IntegerType::get(rewriter_.context(), element_.bitWidth());
    const VectorType numbers = VectorType::get(rewriter_.context(), std::span(&all, 1), bits);
    const auto cast = [&](Value value, Type type) {
      if (value.type() == type) return value;
      return rewriter_.create(location_, "arith.bitcast", {value}, {type})->result();
    };
    const auto lanesOf = [&](Value memory, Value place, bool moved) {
      std::vector<Attribute> mask;
      for (int64_t lane = 0; lane < all; ++lane)
        mask.push_back(IntegerAttr::get(bits, (lane < lanes) == moved ? -1 : 0));
      const Value loaded = cast(loadVector(memory, place), numbers);
      const Value kept = rewriter_.constant(location_, DenseElementsAttr::get(numbers, mask));
      return rewriter_.create(location_, "arith.andi", {loaded, kept}, {numbers})->result();
    };
    const Value both =
        rewriter_
            .create(location_, "arith.ori", {lanesOf(from, fromAt, true), lanesOf(to, toAt, false)},
                    {numbers})
            ->result();
    storeVector(cast(both, vectorType()), to, toAt);
  }

  void moveElements(Value from, Value to) {
    const Value source = boxIn(from, move_.from, share_.from),
                target = boxIn(to, move_.to, share_.to);
    linalg::createNamedOp(rewriter_, location_, "linalg.copy", {&source, 1}, {&target, 1});
  }

  Value boxIn(Value memory, const BoxSide& side, const ElementRange& range) {
    std::vector<int64_t> shape, steps;
    std::vector<MixedIndex> sizes, strides;
    for (size_t dim = share_.dim; dim < move_.sizes.size(); ++dim) {
      shape.push_back(sizeOf(dim)), steps.push_back(side.steps[dim]);
      sizes.push_back(shape.back()), strides.push_back(steps.back());
    }
    const int64_t first = firstOf(side, range);
    const Attribute layout = StridedLayoutAttr::get(rewriter_.context(), first, steps);
    const MemRefType type = MemRefType::get(rewriter_.context(), shape, element_, layout,
                                            memory.type().cast<MemRefType>().memorySpace());
    return memref::ReinterpretCastOp::create(rewriter_, location_, memory, first, sizes, strides,
                                             type)
        .result();
  }

  const BoxMove& move_;
  const BoxShare& share_;
};

/// The buffer that a value is a view of.
Value hostBufferOf(Value value) {
  while (Operation* made = value.definingOp()) {
    const bool isView = isa<memref::SubViewOp>(made) || isa<memref::ExpandShapeOp>(made) ||
                        isa<memref::CollapseShapeOp>(made);
    if (!isView) break;
    value = made->operand(0);
  }
  return value;
}

std::optional<BoxSide> sideOf(Value view) {
  const auto type = view.type().dynCast<MemRefType>();
  const Value base = hostBufferOf(view);
  if (!type || !isWholeOfHost(base) || !type.hasStaticShape()) return std::nullopt;
  const auto form = type.stridedForm();
  if (!form || form->offset == kDynamic ||
      std::ranges::any_of(form->strides, [](int64_t step) { return step <= 0; }))
    return std::nullopt;
  return BoxSide{base, form->offset, {form->strides.begin(), form->strides.end()}};
}

}  // namespace

std::optional<BoxMove> boxMove(Value from, Value to) {
  auto source = sideOf(from), target = sideOf(to);
  if (!source || !target || source->memory == target->memory) return std::nullopt;
  const auto type = from.type().cast<MemRefType>(), other = to.type().cast<MemRefType>();
  if (!isPartOfWord(type.elementType()) || !std::ranges::equal(type.shape(), other.shape()))
    return std::nullopt;
  BoxMove move{*source, *target, {type.shape().begin(), type.shape().end()}, Value()};
  normalize(move);
  return move;
}

bool isOddPart(Value value) {
  const auto type = value.type().dynCast<MemRefType>();
  if (!type || !isPartOfWord(type.elementType()) || type.rank() == 0) return false;
  const auto side = sideOf(value);
  return side && type.numElements() < elementCount(side->memory) && !isInWords(type);
}

std::vector<BoxShare> sharesOf(const BoxMove& move, const RowCores& cores) {
  return BoxPlan(move, cores).shares();
}

void moveBox(Rewriter& rewriter, Location location, const BoxMove& move,
             const std::vector<BoxShare>& shares) {
  for (const BoxShare& share : shares)
    BoxLaunch(rewriter, location, move, share).write();
}

}  // namespace airlite::tiling
