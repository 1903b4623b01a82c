// air-aie-turned-copies: copies that make columns of rows, by words and shuffles.
//
// Matches, in the programs of cores, linalg.transpose and linalg.generic that only copy elements of 8 or 16 bits from one whole
// buffer to another, where elements that lie side by side in one do not in the other:
//
//   out[.., column, row] = in[.., row, column]
//
// The words of all rows at a place are collected side by side, in a buffer. Of the number of an element there, rows are the upper
// bits and columns the lower ones: taking every second element, and then the others, makes the lowest bit the uppermost, and
// as many times as columns have bits makes each column a vector.
//
//   for place {  for row { words[row] = in[row, place] }
//                for row by vectors { load words; shuffle; store one vector of rows for each column } }
//
// Where rows of the result are not whole vectors, these go through a second buffer, in words. Words of rows that begin inside of a
// word are made of two: which bits of them is known, since so many rows, or columns, as a word has elements are whole words.
//
// Two, four or eight rows, or copies of one, become columns without a buffer: a vector of each is loaded, and shuffles put their elements
// in turns.
//
// Declines: other few rows, rows of copies of one element, buffers that the core has no room for, rows that are not whole words where rows of other loops lie between.
#include "CoreScope.hpp"
#include "LaneShuffles.hpp"
#include "LegalizePasses.hpp"
#include "ProductParts.hpp"
#include "ViewPlace.hpp"
#include "airlite/analysis/LoopIndex.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/Scf.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace airlite::npu {

namespace {

using linalg::StructuredOp;

constexpr int64_t kRegisterBits = 512, kBitsOfWord = 32;

/// A buffer: by how many elements a step of each loop moves, and the loop along which elements lie side by side.
struct Side {
  Value memory;
  std::vector<int64_t> strides;
  unsigned inner = 0;
};

struct TurnedCopy {
  Type element;
  std::vector<int64_t> sizes;  // of the loops
  Side from, to;

  unsigned rowLoop() const { return to.inner; }
  unsigned columnLoop() const { return from.inner; }
  int64_t rows() const { return sizes[rowLoop()]; }
  int64_t lanes() const { return kRegisterBits / element.bitWidth(); }
  /// Columns of a word.
  int64_t columns() const { return kBitsOfWord / element.bitWidth(); }
  int64_t paddedRows() const { return (rows() + lanes() - 1) / lanes() * lanes(); }
  int64_t places() const { return sizes[columnLoop()] / columns(); }
  /// Columns after the last whole word.
  int64_t restColumns() const { return sizes[columnLoop()] % columns(); }
  /// Whether all rows of a side begin at multiples of so many elements, and one row has a multiple of them.
  bool isInUnits(const Side& side, int64_t unit) const {
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      if (sizes[loop] > 1 && loop != side.inner && side.strides[loop] % unit) return false;
    return sizes[side.inner] % unit == 0;
  }
  /// Whether rows of a side follow each other along the loop `outer`, and all of these are words.
  bool isOfRows(const Side& side, unsigned outer) const {
    const int64_t row = sizes[side.inner];
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      if (sizes[loop] > 1 && loop != side.inner && loop != outer && side.strides[loop] % columns())
        return false;
    return side.strides[outer] == row && row * sizes[outer] % columns() == 0;
  }
  /// Whether vectors of all rows are in registers at once, and what they become lies side by side. Those that begin where no
  /// vector can are made of single elements (air-aie-scalarize-vectors), which takes less than words of each row.
  bool hasFewRows() const {
    return (rows() == 2 || rows() == 4 || rows() == 8) && sizes[columnLoop()] >= lanes() &&
           to.strides[columnLoop()] == rows();
  }
  bool canMove(const Side& side, unsigned outer) const {
    return isInUnits(side, columns()) || isOfRows(side, outer);
  }
};

bool isCopy(StructuredOp op) {
  if (op->is("linalg.transpose")) return true;
  return op->is("linalg.generic") && op.numInputs() == 1 && op.numOutputs() == 1 &&
         op.body().back().operand(0) == op.bodyArgument(0);
}

std::optional<Side> sideOf(StructuredOp op, unsigned number) {
  const Value memory = op->operand(number);
  auto type = memory.type().dynCast<MemRefType>();
  std::string why;
  Places places;
  const Place* place = type && type.hasStaticShape() ? places.find(memory, why) : nullptr;
  if (!place || !place->isWhole(type)) return std::nullopt;
  Side side{memory, std::vector<int64_t>(op.numLoops())};
  const AffineMap map = op.indexingMaps()[number];
  int64_t stride = type.numElements();
  std::optional<unsigned> inner;
  for (unsigned dim = 0; dim < map.numResults(); ++dim) {
    stride /= std::max<int64_t>(type.dim(dim), 1);
    const auto index = analysis::readLoopIndex(map.result(dim), op.numLoops());
    const auto loop = index ? index->onlyLoop() : std::nullopt;
    if (!loop || !index->isLoop(*loop)) return std::nullopt;
    side.strides[*loop] += stride;
    if (type.dim(dim) > 1) inner = loop;
  }
  if (!inner || side.strides[*inner] != 1) return std::nullopt;
  side.inner = *inner;
  return side;
}

std::optional<TurnedCopy> turnedCopyOf(Operation& op) {
  // Fewer rows leave most lanes of each vector empty.
  constexpr int64_t kFewestRows = 4;
  const StructuredOp structured = linalg::asStructured(&op);
  if (!structured || !structured.onBuffers() || !isCopy(structured)) return std::nullopt;
  const Type element = elementTypeOrSelf(op.operand(0).type());
  const int64_t bits = element.isIntOrIndexOrFloat() ? element.bitWidth() : 0;
  if ((bits != 8 && bits != 16) || elementTypeOrSelf(op.operand(1).type()) != element)
    return std::nullopt;
  const std::optional<Side> from = sideOf(structured, 0), to = sideOf(structured, 1);
  if (!from || !to || from->inner == to->inner || from->memory == to->memory) return std::nullopt;
  if (to->strides[from->inner] == 0) return std::nullopt;
  TurnedCopy copy{element, structured.loopSizes(), *from, *to};
  if (copy.hasFewRows()) return copy;
  // Copies of one element are no rows.
  if (from->strides[to->inner] == 0) return std::nullopt;
  if (copy.rows() < kFewestRows || copy.places() == 0) return std::nullopt;
  if (!copy.canMove(*from, copy.rowLoop()) || !copy.canMove(*to, copy.columnLoop()))
    return std::nullopt;
  return copy;
}

class TurnedCopyWriter {
 public:
  TurnedCopyWriter(Operation& op, const TurnedCopy& copy)
      : builder_(Builder::before(op)), location_(op.location()), copy_(copy) {}

  /// False: there is no room for the buffers.
  bool write(ScratchBuffers& scratch) {
    if (copy_.hasFewRows()) return writeFewRows(), true;
    std::vector<Type> types(needsSecondBuffer() ? 2 : 1, bufferType());
    if (!scratch.haveRoom(types)) return false;
    for (Type type : types)
      buffers_.push_back(scratch.take(type));
    from_ = asWords(builder_, location_, copy_.from.memory);
    to_ = (needsSecondBuffer() ? asWords : asRow)(builder_, location_, copy_.to.memory);
    words_ = asWords(builder_, location_, buffers_.front());
    const auto [from, to] = enterOtherLoops(copy_.columns(), unitOfResult());
    const int64_t step = copy_.columns() * copy_.to.strides[copy_.columnLoop()] / unitOfResult();
    inLoop(copy_.places(), 1,
           [&](Value at) { writePlace(plus(from, at, 1), plus(to, at, step), copy_.columns()); });
    if (const int64_t rest = copy_.restColumns())
      writePlace(after(from, copy_.places()), after(to, copy_.places() * step), rest);
    return true;
  }

 private:
  /// Loops over all but rows and columns; gives where they begin on both sides, in units of so many elements.
  std::pair<Value, Value> enterOtherLoops(int64_t fromUnit, int64_t toUnit) {
    Value from = index(0), to = index(0);
    for (unsigned loop = 0; loop < copy_.sizes.size(); ++loop)
      if (loop != copy_.rowLoop() && loop != copy_.columnLoop())
        enter(copy_.sizes[loop], 1, [&](Value at) {
          from = plus(from, at, copy_.from.strides[loop] / fromUnit);
          to = plus(to, at, copy_.to.strides[loop] / toUnit);
        });
    return {from, to};
  }

  // -- Few rows -----------------------------------------------------------------------------------

  void writeFewRows() {
    from_ = asRow(builder_, location_, copy_.from.memory);
    to_ = asRow(builder_, location_, copy_.to.memory);
    const auto [from, to] = enterOtherLoops(1, 1);
    const int64_t columns = copy_.sizes[copy_.columnLoop()], rest = columns % copy_.lanes();
    inLoop(columns - rest, copy_.lanes(),
           [&](Value column) { takeTurns(plus(from, column, 1), plus(to, column, copy_.rows())); });
    // Some of these columns have been written already.
    const int64_t last = columns - copy_.lanes();
    if (rest != 0) takeTurns(after(from, last), after(to, last * copy_.rows()));
  }

  /// The elements of as many columns as a vector has lanes, in halves of vectors, which may begin at any element.
  void takeTurns(Value from, Value to) {
    std::vector<Value> vectors;
    for (int64_t row = 0; row < copy_.rows(); ++row)
      vectors.push_back(vectorAt(from_, after(from, row * copy_.from.strides[copy_.rowLoop()])));
    vectors = columnsOfRows(builder_, location_, std::move(vectors), copy_.lanes());
    const int64_t half = copy_.lanes() / 2;
    for (size_t i = 0; i < vectors.size(); ++i)
      for (const int64_t first : {int64_t{0}, half})
        builder_.create(location_, "vector.store",
                        {sliceLanes(builder_, location_, vectors[i], first, half), to_,
                         after(to, int64_t(i) * copy_.lanes() + first)},
                        {});
  }

  // -- Many rows ----------------------------------------------------------------------------------

  bool needsSecondBuffer() const { return !copy_.isInUnits(copy_.to, copy_.lanes()); }
  /// Places in the result are numbers of elements, or of words.
  int64_t unitOfResult() const { return needsSecondBuffer() ? copy_.columns() : 1; }
  /// Words of all rows.
  Type bufferType() const {
    const int64_t elements = copy_.paddedRows() * copy_.columns();
    auto type = copy_.to.memory.type().cast<MemRefType>();
    return MemRefType::get(type.context(), {&elements, 1}, copy_.element, Attribute(),
                           type.memorySpace());
  }

  /// The words of all rows at the place `from`, whose first `columns` columns go to `to`.
  void writePlace(Value from, Value to, int64_t columns) {
    collectWords(from, columns);
    inLoop(copy_.paddedRows(), copy_.lanes(), [&](Value row) { turn(row, to, columns); });
    if (needsSecondBuffer()) moveRows(to, columns);
  }

  void collectWords(Value from, int64_t columns) {
    const int64_t stride = copy_.from.strides[copy_.rowLoop()], per = copy_.columns();
    if (copy_.isInUnits(copy_.from, per))
      return inLoop(copy_.rows(), 1, [&](Value row) {
        store(load(from_, plus(from, row, stride / per)), words_, row);
      });
    // So many rows are whole words.
    for (int64_t first = 0; first < std::min(per, copy_.rows()); ++first)
      inLoop((copy_.rows() - first + per - 1) / per, 1, [&](Value group) {
        const Value word = after(plus(from, group, stride), first * stride / per);
        const int64_t inside = first * stride % per;
        // Columns after a row's last one are not used, but the memory ends where the last row does.
        const bool isOne = inside + columns <= per;
        store(isOne ? partOf(load(from_, word), inside)
                    : joined(load(from_, word), load(from_, after(word, 1)), inside),
              words_, after(plus(index(0), group, per), first));
      });
  }

  /// The columns of as many rows as a vector has lanes.
  void turn(Value row, Value to, int64_t used) {
    const int64_t columns = copy_.columns(), lanes = copy_.lanes();
    std::vector<Value> vectors;
    const Value first = plus(index(0), row, columns);
    for (int64_t part = 0; part < columns; ++part)
      vectors.push_back(vectorAt(buffers_.front(), after(first, part * lanes)));
    vectors = columnsOfRows(builder_, location_, std::move(vectors), columns);
    const bool isDirect = !needsSecondBuffer();
    const Value memory = isDirect ? to_ : buffers_.back();
    const Value start = isDirect ? plus(to, row, 1) : row;
    const int64_t stride = isDirect ? copy_.to.strides[copy_.columnLoop()] : copy_.paddedRows();
    for (int64_t column = 0; column < used; ++column)
      builder_.create(location_, "vector.store",
                      {vectors[static_cast<size_t>(column)], memory, after(start, column * stride)},
                      {});
  }

  /// From the second buffer to the result.
  void moveRows(Value to, int64_t columns) {
    const int64_t per = copy_.columns(), stride = copy_.to.strides[copy_.columnLoop()];
    const Value rows = asWords(builder_, location_, buffers_.back());
    for (int64_t column = 0; column < columns; ++column) {
      const int64_t padded = column * copy_.paddedRows() / per;
      const int64_t inside = column * stride % per;
      const Value start = after(to, column * stride / per);
      // What the last word has after the row is the first word of the next row, which is written next.
      const int64_t words = (inside + copy_.rows() + per - 1) / per;
      if (inside == 0) {
        inLoop(words, 1,
               [&](Value at) { store(load(rows, after(at, padded)), to_, plus(start, at, 1)); });
        continue;
      }
      const int64_t before = per - inside;
      store(joined(shifted("arith.shli", load(to_, start), before), load(rows, index(padded)),
                   before),
            to_, start);
      inLoop(words - 1, 1, [&](Value at) {
        store(joined(load(rows, after(at, padded)), load(rows, after(at, padded + 1)), before), to_,
              after(plus(start, at, 1), 1));
      });
    }
  }

  // -- Small ops ----------------------------------------------------------------------------------

  Value index(int64_t number) { return builder_.constantIndex(location_, number); }
  Value after(Value start, int64_t elements) {
    return elements == 0 ? start : binary("arith.addi", start, index(elements));
  }
  Value plus(Value start, Value steps, int64_t stride) {
    return binary("arith.addi", start,
                  stride == 1 ? steps : binary("arith.muli", steps, index(stride)));
  }
  Value binary(std::string_view name, Value a, Value b) {
    return builder_.create(location_, name, {a, b}, {builder_.indexType()})->result();
  }

  Value load(Value memory, Value at) {
    return builder_.create(location_, "memref.load", {memory, at}, {builder_.intType(kBitsOfWord)})
        ->result();
  }
  Value vectorAt(Value memory, Value at) {
    return builder_.create(location_, "vector.load", {memory, at}, {vectorType()})->result();
  }
  void store(Value word, Value memory, Value at) {
    builder_.create(location_, "memref.store", {word, memory, at}, {});
  }
  /// By so many elements.
  Value shifted(std::string_view name, Value word, int64_t elements) {
    if (elements == 0) return word;
    const Attribute bits = builder_.i32Attr(elements * copy_.element.bitWidth());
    return builder_
        .create(location_, name, {word, builder_.constant(location_, bits)}, {word.type()})
        ->result();
  }
  /// From element number `first` of a word on.
  Value partOf(Value word, int64_t first) { return shifted("arith.shrui", word, first); }
  /// A word from element number `first` of `low`, not its first one, on.
  Value joined(Value low, Value high, int64_t first) {
    return builder_
        .create(location_, "arith.ori",
                {partOf(low, first), shifted("arith.shli", high, copy_.columns() - first)},
                {low.type()})
        ->result();
  }

  VectorType vectorType() const {
    const int64_t lanes = copy_.lanes();
    return VectorType::get(copy_.element.context(), {&lanes, 1}, copy_.element);
  }

  /// Enters a loop: what is built from here on is inside.
  template <typename Body> void enter(int64_t end, int64_t step, Body&& body) {
    scf::ForOp loop = scf::ForOp::create(builder_, location_, index(0), index(end), index(step));
    builder_.setBefore(*loop.yield());
    body(loop.inductionVar());
  }
  template <typename Body> void inLoop(int64_t end, int64_t step, Body&& body) {
    const InsertPoint afterwards = builder_.insertPoint();
    enter(end, step, body);
    builder_.setInsertPoint(afterwards);
  }

  Builder builder_;
  Location location_;
  const TurnedCopy& copy_;
  std::vector<Value> buffers_;
  Value from_, to_, words_;  // of the source and the first buffer: words
};

class TurnedCopies : public CorePass {
 public:
  TurnedCopies() : CorePass("air-aie-turned-copies", "Transposes small elements by shuffles") {
    example("airlite-opt --air-aie-turned-copies design.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    context.declareEffectChange(CountedEffect::Store, "elements are stored by words and vectors");
    bool changed = false;
    for (const CoreRoot& program : roots(module)) {
      aie::CoreOp core = dynCast<aie::CoreOp>(program.root);
      if (!core) continue;
      ScratchBuffers scratch(core);
      std::vector<Operation*> ops = opsInside(*program.root);
      // What has gone takes its body along.
      std::erase_if(ops, [](Operation* op) { return !linalg::asStructured(op); });
      for (Operation* op : ops)
        changed |= rewrite(*op, scratch, context);
    }
    return changedIf(changed);
  }

 private:
  static bool rewrite(Operation& op, ScratchBuffers& scratch, PassContext& context) {
    const auto copy = turnedCopyOf(op);
    if (!copy) return false;
    scratch.releaseAll();
    if (!TurnedCopyWriter(op, *copy).write(scratch))
      return context.remark(op, "not by vectors: the core has no room for a buffer of rows"), false;
    op.erase();
    return true;
  }
};

}  // namespace

void registerTurnedCopies(PassRegistry& registry) { registry.add<TurnedCopies>(); }

}  // namespace airlite::npu
