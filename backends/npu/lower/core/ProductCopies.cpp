// See ProductCopies.hpp.
#include "ProductCopies.hpp"

#include "LaneShuffles.hpp"
#include "ViewPlace.hpp"
#include "airlite/dialect/Scf.hpp"

#include <algorithm>

namespace airlite::npu {

namespace {

/// A row is copied by so many moves without a loop.
constexpr int64_t kMostMoves = 16;
/// A vector, two of which fill a register, and so many of them are copied at a time.
constexpr int64_t kVectorBytes = 32, kVectorsOfGroup = 4;
/// Groups of rows are copied without a loop as far as they are so many.
constexpr int64_t kMostGroups = 6;

/// Elements that one move of a word copy takes: those of a word, where rows of the operand and of its tiles begin
/// at words and are whole ones.
int64_t perMove(const PackedOperand& operand) {
  const int64_t perWord = 4 / operand.elementBytes();
  auto isWhole = [&](int64_t count) { return count % perWord == 0; };
  bool areWords = operand.column && operand.factors[*operand.column] == 1 &&
                  isWhole(operand.columns) && isWhole(operand.tileColumns) &&
                  isWhole(operand.constant) &&
                  isWhole(operand.memory.type().cast<MemRefType>().numElements());
  for (unsigned loop = 0; loop < operand.factors.size(); ++loop)
    areWords &= loop == operand.column || isWhole(operand.factors[loop]);
  areWords &= operand.movesBy(perWord);
  return areWords ? perWord : 1;
}

/// Whether a row of a tile is several vectors.
bool hasWideTiles(const PackedOperand& operand) {
  return operand.tileColumns * operand.elementBytes() > kVectorBytes;
}

/// Of a row in a group: a vector, or all of a shorter row.
int64_t columnsOfGroup(const PackedOperand& operand) {
  return std::min(operand.columns, kVectorBytes / operand.elementBytes());
}

int64_t rowsOfVector(const PackedOperand& operand) {
  return kVectorBytes / operand.elementBytes() / columnsOfGroup(operand);
}

int64_t placesOf(const PackedOperand& operand) {
  int64_t count = 1;
  for (const OuterDim& dim : operand.outer)
    count *= dim.size;
  return count;
}

/// Writes the loops of a copy, in one of its two directions.
class CopyWriter {
 public:
  CopyWriter(Builder& builder, Location location, const PackedOperand& operand, bool packs)
      : builder_(builder), location_(location), operand_(operand), packs_(packs) {}

  void write() {
    const InsertPoint afterwards = builder_.insertPoint();
    operand_.isOfVectors() ? copyVectors() : copyMoves();
    builder_.setInsertPoint(afterwards);
  }

 private:
  /// Where a copy is: the element of the buffer and of its tiles.
  struct Cursor {
    Value from, to;
  };

  /// In all loops around the rows; numbers are of units of `per` elements.
  Cursor enterOuter(int64_t per) {
    Cursor at{index(operand_.constant / per), index(0)};
    for (const auto* terms : {&operand_.starts, &operand_.slices})
      for (const auto& [value, factor] : *terms)
        at.from = plus(at.from, value, factor / per);
    int64_t stride = operand_.packedElements();
    for (const OuterDim& dim : operand_.outer) {
      stride /= dim.size;
      enter(at, dim.size, dim.factor / per, stride / per);
    }
    return at;
  }

  int64_t rowFactor() const { return operand_.row ? operand_.factors[*operand_.row] : 0; }
  /// From one block of columns to the next one.
  int64_t columnStride() const {
    return operand_.rowBlocks * operand_.tileRows * operand_.tileColumns;
  }

  // -- Words and elements --

  void copyMoves() {
    const int64_t per = perMove(operand_);
    auto row = per > 1 ? asWords : asRow;
    memory_ = row(builder_, location_, operand_.memory);
    tiles_ = row(builder_, location_, operand_.packed);
    Cursor at = enterOuter(per);
    if (operand_.row) enter(at, operand_.rows, rowFactor() / per, operand_.tileColumns / per);
    const int64_t step = operand_.column ? operand_.factors[*operand_.column] : 1;
    auto move = [&](Cursor cursor, int64_t column) {
      const int64_t block = column / operand_.tileColumns, place = column % operand_.tileColumns;
      Value from = after(cursor.from, column * step / per);
      Value to = after(cursor.to, (block * columnStride() + place) / per);
      if (!packs_) std::swap(from, to);
      Value value = load(packs_ ? memory_ : tiles_, from);
      builder_.create(location_, "memref.store", {value, packs_ ? tiles_ : memory_, to}, {});
    };
    int64_t first = 0;
    const int64_t whole = operand_.columns / operand_.tileColumns;
    if (operand_.columns / per > kMostMoves && whole > 1) {
      const InsertPoint tail = builder_.insertPoint();
      Cursor inside = at;
      enter(inside, whole, operand_.tileColumns * step / per, columnStride() / per);
      for (int64_t column = 0; column < operand_.tileColumns; column += per)
        move(inside, column);
      builder_.setInsertPoint(tail);
      first = whole * operand_.tileColumns;
    }
    for (int64_t column = first; column < operand_.columns; column += per)
      move(at, column);
  }

  // -- Vectors --

  int64_t lanes() const { return kVectorBytes / operand_.elementBytes(); }
  int64_t rowsOfGroup() const { return kVectorsOfGroup * rowsOfVector(operand_); }
  /// Blocks of columns that a row of a group has parts of.
  int64_t parts() const {
    return std::max<int64_t>(columnsOfGroup(operand_) / operand_.tileColumns, 1);
  }
  /// Groups beside each other.
  int64_t groupsOfRow() const { return operand_.columns / columnsOfGroup(operand_); }

  void copyVectors() {
    memory_ = asRow(builder_, location_, operand_.memory);
    tiles_ = asRow(builder_, location_, operand_.packed);
    Cursor at = enterOuter(1);
    const int64_t groups = operand_.rows / rowsOfGroup(), rest = operand_.rows % rowsOfGroup();
    const bool isLoop = groups * groupsOfRow() > kMostGroups && groups > 1;
    const InsertPoint tail = builder_.insertPoint();
    Cursor inside = at;
    if (isLoop)
      enter(inside, groups, rowsOfGroup() * rowFactor(), rowsOfGroup() * operand_.tileColumns);
    for (int64_t group = 0; group < (isLoop ? 1 : groups); ++group)
      copyRows(groupAt(inside, group), rowsOfGroup());
    builder_.setInsertPoint(tail);
    if (rest != 0) copyRows(groupAt(at, groups), rest);
  }

  Cursor groupAt(Cursor at, int64_t group) {
    return {after(at.from, group * rowsOfGroup() * rowFactor()),
            after(at.to, group * rowsOfGroup() * operand_.tileColumns)};
  }

  /// The first `rows` of a group, along all of their columns.
  void copyRows(Cursor at, int64_t rows) {
    const int64_t count = groupsOfRow();
    const InsertPoint tail = builder_.insertPoint();
    const bool isLoop = count > kMostGroups && !hasWideTiles(operand_);
    if (isLoop) enter(at, count, lanes(), groupPlace(1));
    for (int64_t group = 0; group < (isLoop ? 1 : count); ++group) {
      const Cursor place{after(at.from, group * lanes()), after(at.to, groupPlace(group))};
      packs_ ? packGroup(place, rows) : unpackGroup(place, rows);
    }
    builder_.setInsertPoint(tail);
  }

  /// Where the vectors of group number `group` of a row begin in the tiles.
  int64_t groupPlace(int64_t group) const {
    if (!hasWideTiles(operand_)) return group * parts() * columnStride();
    const int64_t column = group * lanes();
    return column / operand_.tileColumns * columnStride() + column % operand_.tileColumns;
  }

  /// Rows after the last one are copies of others: the tiles have room for all of a group.
  void packGroup(Cursor at, int64_t rows) {
    std::vector<Value> vectors;
    for (int64_t i = 0; i < kVectorsOfGroup; ++i)
      vectors.push_back(i * rowsOfVector(operand_) < rows
                            ? loadVector(memory_, after(at.from, rowPlace(i)))
                            : vectors.back());
    const std::vector<Value> columns = turned(std::move(vectors), parts());
    for (int64_t i = 0; i < kVectorsOfGroup; ++i)
      storeVector(columns[static_cast<size_t>(i)], tiles_, after(at.to, tilePlace(i)));
  }

  void unpackGroup(Cursor at, int64_t rows) {
    std::vector<Value> columns;
    for (int64_t i = 0; i < kVectorsOfGroup; ++i)
      columns.push_back(loadVector(tiles_, after(at.to, tilePlace(i))));
    const std::vector<Value> vectors = turned(std::move(columns), rowsOfGroup());
    for (int64_t i = 0; i * rowsOfVector(operand_) < rows; ++i)
      storeVector(vectors[static_cast<size_t>(i)], memory_, after(at.from, rowPlace(i)));
  }

  /// Where vector number `i` of a group lies in the buffer, and in the tiles: a block of columns has one or more of them.
  int64_t rowPlace(int64_t i) const { return i * rowsOfVector(operand_) * rowFactor(); }
  int64_t tilePlace(int64_t i) const {
    if (hasWideTiles(operand_)) return i * operand_.tileColumns;
    const int64_t perBlock = kVectorsOfGroup / parts();
    return i / perBlock * columnStride() + i % perBlock * lanes();
  }

  /// The parts of the vectors of a group, one after the other, are rows of `columns` parts; gives them column by column.
  std::vector<Value> turned(std::vector<Value> vectors, int64_t columns) {
    if (parts() == 1) return vectors;
    std::vector<int64_t> both;
    for (int64_t lane = 0; lane < 2 * lanes(); ++lane)
      both.push_back(lane);
    std::vector<Value> registers;
    for (size_t i = 0; i < vectors.size(); i += 2)
      registers.push_back(shuffleLanes(builder_, location_, vectors[i], vectors[i + 1], both));
    registers =
        columnsOfRows(builder_, location_, std::move(registers), columns, operand_.tileColumns);
    vectors.clear();
    for (Value halves : registers)
      for (int64_t first : {int64_t{0}, lanes()})
        vectors.push_back(sliceLanes(builder_, location_, halves, first, lanes()));
    return vectors;
  }

  Value loadVector(Value memory, Value at) {
    const int64_t count = lanes();
    const Type type =
        VectorType::get(builder_.context(), {&count, 1}, elementTypeOrSelf(memory.type()));
    return builder_.create(location_, "vector.load", {memory, at}, {type})->result();
  }
  void storeVector(Value vector, Value memory, Value at) {
    builder_.create(location_, "vector.store", {vector, memory, at}, {});
  }

  // -- Small ops --

  Value index(int64_t number) { return builder_.constantIndex(location_, number); }
  Value after(Value start, int64_t elements) {
    return elements == 0 ? start : binary("arith.addi", start, index(elements));
  }
  Value plus(Value start, Value steps, int64_t factor) {
    return factor == 0 ? start
                       : binary("arith.addi", start, binary("arith.muli", steps, index(factor)));
  }
  Value binary(std::string_view name, Value a, Value b) {
    return builder_.create(location_, name, {a, b}, {builder_.indexType()})->result();
  }
  Value load(Value memory, Value at) {
    return builder_
        .create(location_, "memref.load", {memory, at}, {elementTypeOrSelf(memory.type())})
        ->result();
  }

  /// Enters a loop of `count` rounds that move the cursor.
  void enter(Cursor& at, int64_t count, int64_t from, int64_t to) {
    scf::ForOp loop = scf::ForOp::create(builder_, location_, index(0), index(count), index(1));
    builder_.setBefore(*loop.yield());
    at.from = plus(at.from, loop.inductionVar(), from);
    at.to = plus(at.to, loop.inductionVar(), to);
  }

  Builder& builder_;
  Location location_;
  const PackedOperand& operand_;
  bool packs_;
  Value memory_, tiles_;  // in a row of elements or words
};

}  // namespace

Type PackedOperand::element() const { return elementTypeOrSelf(memory.type()); }

int64_t PackedOperand::packedElements() const {
  return placesOf(*this) * rowBlocks * tileRows * columnBlocks * tileColumns;
}

bool PackedOperand::movesBy(int64_t unit) const {
  const auto isWhole = [&](const PlaceTerm& term) { return term.factor % unit == 0; };
  return std::ranges::all_of(starts, isWhole) && std::ranges::all_of(slices, isWhole);
}

bool PackedOperand::isOfVectors() const {
  const int64_t lanes = kVectorBytes / elementBytes();
  if (!row || !column || factors[*column] != 1 || constant % lanes != 0 || !movesBy(lanes))
    return false;
  const int64_t inGroup = columnsOfGroup(*this), perVector = rowsOfVector(*this);
  // Short rows lie side by side, and vectors of them are whole.
  if (columns % inGroup != 0 || lanes % inGroup != 0) return false;
  if (hasWideTiles(*this) ? tileColumns % lanes != 0 || perVector > 1 : inGroup % tileColumns != 0)
    return false;
  if (perVector > 1 && (factors[*row] != columns || rows % perVector != 0)) return false;
  const int64_t parts = std::max<int64_t>(inGroup / tileColumns, 1);
  if (kVectorsOfGroup % parts != 0) return false;
  if (rowBlocks * tileRows % (kVectorsOfGroup * perVector) != 0) return false;
  for (unsigned loop = 0; loop < factors.size(); ++loop) {
    const bool isInside = loop == *column || (loop == *row && perVector > 1);
    if (!isInside && factors[loop] % lanes != 0) return false;
  }
  return true;
}

int64_t PackedOperand::moves() const {
  const int64_t perVector = kVectorBytes / elementBytes();
  return placesOf(*this) * rows * columns / (isOfVectors() ? perVector : perMove(*this));
}

void copyIntoTiles(Builder& builder, Location location, const PackedOperand& operand) {
  CopyWriter(builder, location, operand, true).write();
}

void copyFromTiles(Builder& builder, Location location, const PackedOperand& operand) {
  CopyWriter(builder, location, operand, false).write();
}

}  // namespace airlite::npu
