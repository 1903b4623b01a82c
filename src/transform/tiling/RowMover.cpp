// See RowMover.hpp. A launch:
//
//   scf.parallel            one iteration per launch instance, of each matrix
//     alloc, copy           rows into L2, each column of cores its own
//     scf.parallel          one iteration per core
//       alloc, copy         some rows into L1
//       scf.for             over rows, windows, vectors of 32 bytes: load, store
//       copy                L1 to L2
//     copy                  L2 to the host
//
// Several moves, and the last rows of each, which one core copies, are in one launch where there are columns of cores for all: each has buffers
// and loops of its own in it.
//
// Vectors may begin at any element (air-aie-unaligned-vectors shifts them). The last vector of a window goes on after its end; what
// belongs there is copied later. Buffers in L1 are longer than their rows for the last one of all.
#include "RowMover.hpp"

#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/transform/ArrayDefaults.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

namespace airlite::tiling {

namespace {

using aie::kWordBytes;

/// In L1 beside rows: for those of both matrices, and for rounding up.
constexpr int64_t kRoomBeside = 4 * kSlackBytes;

/// The fewest rows of so many elements that are whole words.
int64_t rowsInWords(int64_t row, int64_t elementBytes) {
  return kWordBytes / std::gcd(kWordBytes, row * elementBytes);
}
int64_t rowsInWords(const RowMove& move) {
  return std::max(rowsInWords(move.fromRow, move.elementBytes),
                  rowsInWords(move.toRow, move.elementBytes));
}
int64_t bytesOfRows(const RowMove& move, int64_t rows) {
  return rows * (move.fromRow + move.toRow) * move.elementBytes;
}

/// Of what a core has at a time.
int64_t bytesOfTile(const RowCores& cores) {
  return std::min(kTileBytes, cores.l1Bytes - kRoomBeside);
}

/// Rows of each matrix that one launch moves, from `first` on: each instance `rows` for each core, `step` after the instance before.
/// Those that two instances share both move.
struct Share {
  int64_t first = 0, rows = 0, instances = 1, step = 0;
  int64_t columns = 1, columnCores = 1;
  int64_t zeros = 0;  ///< rows of zeros after these

  int64_t ofInstance() const { return columns * columnCores * rows; }
  int64_t all() const { return (instances - 1) * step + ofInstance(); }
  bool overlaps() const { return instances > 1 && step < ofInstance(); }
};

/// Of `units` rows on `cores` cores, of which one has room for `most` at a time: equal steps with which least is moved twice, and of
/// these the fewest. None: nearly so many instances as are needed do not make it.
std::optional<Share> equalSteps(int64_t units, int64_t cores, int64_t most) {
  constexpr int64_t kMoreInstances = 8;
  const int64_t fewest = (units + cores * most - 1) / (cores * most);
  std::optional<Share> best;
  for (int64_t instances = fewest; instances <= fewest + kMoreInstances; ++instances)
    for (int64_t rows = (units + cores * instances - 1) / (cores * instances);
         rows <= std::min(most, units / cores); ++rows) {
      const int64_t rest = units - cores * rows;
      const bool isEqual = instances == 1 ? rest == 0 : rest % (instances - 1) == 0;
      if (isEqual && (!best || instances * rows < best->instances * best->rows))
        best = Share{0, rows, instances, instances == 1 ? 0 : rest / (instances - 1)};
    }
  return best;
}

/// Columns of cores that are worth their transfers, one for what comes and one for what goes: the streams of more of them are done sooner,
/// by less than these take to start.
int64_t columnsFor(const RowMove& move, int64_t rows) {
  const int64_t most = std::max(move.fromRow, move.toRow) * move.elementBytes * rows * move.batches;
  int64_t columns = 1;
  while (2 * kTransferStartCycles * columns * (columns + 1) * kWordBytes < most)
    ++columns;
  return columns;
}

/// Whether one core is done with so many rows of each matrix sooner than a second launch starts, roughly.
bool isSoonDone(const RowMove& move, int64_t rows) {
  constexpr int64_t kOfWindow = 30, kOfVector = 4;
  const int64_t vectors = move.length * move.elementBytes / kRowVectorBytes + 1;
  return move.batches * rows * move.windows * (kOfWindow + kOfVector * vectors) <=
         2 * kTransferStartCycles;
}

/// The rows from `first` on, but for the last ones, which together end inside of a word: these are moved by one core.
Share nextShare(const RowMove& move, const RowCores& cores, int64_t first) {
  const int64_t left = move.rows - first, unit = rowsInWords(move), units = left / unit;
  const int64_t bytes = bytesOfTile(cores);
  const bool isOneTile = move.batches * bytesOfRows(move, left) <= bytes;
  if (units == 0 || (left % unit != 0 && isOneTile && isSoonDone(move, left))) return {first, left};
  const int64_t columns = std::min({cores.rows, units, columnsFor(move, left)}),
                columnCores = std::min(cores.columns, units / columns),
                most = std::max<int64_t>(1, bytes / bytesOfRows(move, unit)),
                ofCore = units / (columns * columnCores);
  // What is left of equal parts comes next.
  const int64_t instances = (ofCore + most - 1) / most, rows = ofCore / instances;
  Share share = equalSteps(units, columns * columnCores, most)
                    .value_or(Share{0, rows, instances, rows * columns * columnCores});
  share.first = first, share.columns = columns, share.columnCores = columnCores;
  share.rows *= unit, share.step *= unit;
  return share;
}

/// What some cores of a launch do.
struct Part {
  const RowMove* move;
  Share share;
};

/// Whether one core moves the last rows once, and has room for those of zeros.
bool canWriteZeros(const Part& part, int64_t bytes) {
  const auto& [move, share] = part;
  const int64_t zeros = move->zeroRows * move->toRow * move->elementBytes;
  return move->batches == 1 && share.instances == 1 && share.columns * share.columnCores == 1 &&
         share.first + share.all() == move->rows && bytesOfRows(*move, share.rows) + zeros <= bytes;
}

/// Writes a part into a launch, in front of which it is made.
class PartWriter : LaunchWriter {
 public:
  PartWriter(Rewriter& rewriter, Location location, const Part& part)
      : LaunchWriter(rewriter, location, elementTypeOrSelf(part.move->from.type())),
        move_(*part.move),
        share_(part.share),
        from_(flat(move_.from)),
        to_(flat(move_.to)) {}

  void write(Value batch, Value instance) {
    const int64_t in = share_.rows * move_.fromRow, out = share_.rows * move_.toRow,
                  columns = share_.columns, cores = share_.columnCores;
    const auto source = [&] {
      return ofInstance(from_, batch, instance, move_.fromRows, move_.fromRow);
    };
    const auto target = [&] {
      return ofInstance(to_, batch, instance, move_.toRows, move_.toRow, share_.zeros);
    };
    if (columns * cores == 1) {
      parallel(1, 1, [&](Value, Value) { moveOnCore(source(), target()); });
      return;
    }
    const Value inL2 = alloc({columns, cores * in}, 1), outL2 = alloc({columns, cores * out}, 1);
    copy(source(), inL2);
    parallel(columns, cores, [&](Value column, Value core) {
      moveOnCore(ofCore(inL2, in, column, core), ofCore(outL2, out, column, core));
    });
    copy(outL2, target());
    free(inL2), free(outL2);
  }

 private:
  /// Rows of an instance, those of each column of the array together.
  Value ofInstance(Value memory, Value batch, Value instance, int64_t rows, int64_t row,
                   int64_t zeros = 0) {
    const int64_t ofBatch = move_.batches > 1 ? rows * row : 0;
    return ofColumns(memory,
                     place(share_.first * row, {{batch, ofBatch}, {instance, share_.step * row}}),
                     (share_.ofInstance() + zeros) * row, share_.columns);
  }

  void moveOnCore(Value source, Value target) {
    const int64_t in = share_.rows * move_.fromRow,
                  out = (share_.rows + share_.zeros) * move_.toRow;
    const Value inL1 = room(in), outL1 = room(out);
    bringIn(source, part(inL1, {0, 0}, {1, in}), in);
    const Value from = flat(inL1), to = flat(outL1);
    loop(share_.rows, 1, [&](Value index) {
      const Value toRow = product(index, move_.toRow);
      Value fromRow = product(index, move_.fromRow);
      if (move_.fromFirst) fromRow = sum(fromRow, number(move_.fromFirst));
      loop(move_.windows, 1, [&](Value window) {
        moveWindow(from, to, sum(fromRow, product(window, move_.fromStep)),
                   sum(toRow, product(window, move_.toStep)));
      });
      fillRest(to, toRow);
    });
    if (share_.zeros) {
      const Value zeros = this->zeros();
      loop(roundUp(share_.zeros * move_.toRow, lanes()), lanes(),
           [&](Value at) { storeVector(zeros, to, sum(at, number(share_.rows * move_.toRow))); });
    }
    copy(part(outL1, {0, 0}, {1, out}), target);
    free(inL1), free(outL1);
  }

  /// Vectors are stored where they can begin, and loaded from wherever that is; only the first one is not.
  void moveWindow(Value from, Value to, Value fromFirst, Value toFirst) {
    const int64_t all = roundUp(move_.length, lanes());
    if (areAligned(move_.toRow, move_.toStep)) {
      loop(all, lanes(),
           [&](Value at) { moveVector(from, to, sum(fromFirst, at), sum(toFirst, at)); });
      return;
    }
    moveVector(from, to, fromFirst, toFirst);
    const Value missing = binary("arith.andi", binary("arith.subi", number(0), toFirst),
                                 number(lanes() - 1)),
                aligned = binary("arith.andi", sum(toFirst, number(lanes() - 1)), number(-lanes())),
                source = sum(fromFirst, missing);
    loop(all, lanes(), [&](Value at) { moveVector(from, to, sum(source, at), sum(aligned, at)); });
  }
  bool areAligned(int64_t row, int64_t step) const {
    return row % lanes() == 0 && step % lanes() == 0;
  }

  /// Zeros right after the window, at whatever element it ends, and from the next vector on.
  void fillRest(Value to, Value toRow) {
    if (move_.filledTo <= move_.length) return;
    const Value zeros = this->zeros();
    const auto store = [&](Value at) { storeVector(zeros, to, at); };
    store(sum(toRow, number(move_.length)));
    const int64_t first = roundUp(move_.length, lanes());
    if (first < move_.filledTo)
      loop(roundUp(move_.filledTo - first, lanes()), lanes(),
           [&](Value at) { store(sum(sum(toRow, number(first)), at)); });
  }

  const RowMove& move_;
  const Share& share_;
  Value from_, to_;
};

/// Writes one launch, of parts with as many batches and instances each.
class RowLaunch : LaunchWriter {
 public:
  RowLaunch(Rewriter& rewriter, Location location, std::span<const Part> parts)
      : LaunchWriter(rewriter, location, elementTypeOrSelf(parts[0].move->from.type())),
        parts_(parts) {}

  void write() {
    std::vector<PartWriter> writers;
    for (const Part& part : parts_)
      writers.emplace_back(rewriter_, location_, part);
    Operation* launch = parallel(parts_[0].move->batches, parts_[0].share.instances,
                                 [&](Value batch, Value instance) {
                                   for (PartWriter& writer : writers)
                                     writer.write(batch, instance);
                                 });
    const auto overlaps = [](const Part& part) { return part.share.overlaps(); };
    if (std::ranges::any_of(parts_, overlaps))
      launch->setAttr(air::kSameValues, UnitAttr::get(rewriter_.context()));
  }

 private:
  std::span<const Part> parts_;
};

// -- Several moves in one launch

/// Columns of cores for each of the moves: the more it moves the more, but no more than are worth their transfers. None: there are too few.
std::vector<int64_t> columnsOfEach(std::span<const RowMove> moves, int64_t all) {
  std::vector<int64_t> columns(moves.size(), 1);
  const auto perColumn = [&](size_t i) {
    return moves[i].rows * std::max(moves[i].fromRow, moves[i].toRow) / columns[i];
  };
  if (std::ssize(moves) > all) return {};
  for (int64_t left = all - std::ssize(moves); left > 0; --left) {
    std::optional<size_t> most;
    for (size_t i = 0; i < moves.size(); ++i)
      if (columns[i] < columnsFor(moves[i], moves[i].rows) &&
          (!most || perColumn(i) > perColumn(*most)))
        most = i;
    if (!most) break;
    ++columns[*most];
  }
  return columns;
}

/// Of `units` rows on so many cores, `most` at a time: each instance the same number, and the longest steps, if one more core is not much longer
/// busy with what these leave.
std::optional<Share> sharedSteps(int64_t units, int64_t cores, int64_t instances, int64_t most) {
  for (int64_t rows = units / (cores * instances); rows <= std::min(most, units / cores); ++rows) {
    const int64_t all = cores * rows,
                  step = instances == 1 ? all : std::min(all, (units - all) / (instances - 1)),
                  left = units - all - (instances - 1) * step;
    if (rows > 0 && left <= std::min(most, 2 * rows)) return Share{0, rows, instances, step};
    if (step < all) break;  // longer ones only do more than once
  }
  return std::nullopt;
}

/// The rows of a move that `instances` move on so many cores, and the last ones, which one core moves in each instance: no more of them than
/// others have. None: these do not make it.
std::optional<std::vector<Part>> partsOf(const RowMove& move, int64_t columns, int64_t columnCores,
                                         int64_t instances, int64_t bytes) {
  const int64_t unit = rowsInWords(move), units = move.rows / unit,
                most = bytes / bytesOfRows(move, unit);
  std::vector<Part> parts;
  Share share;
  if (units > 0) {
    columns = std::min(columns, units), columnCores = std::min(columnCores, units / columns);
    const auto found = sharedSteps(units, columns * columnCores, instances, most);
    if (!found) return std::nullopt;
    share = *found, share.columns = columns, share.columnCores = columnCores;
    share.rows *= unit, share.step *= unit;
    parts.push_back({&move, share});
  }
  const int64_t first = units > 0 ? share.all() : 0, left = move.rows - first;
  if (bytesOfRows(move, left) > bytes) return std::nullopt;
  if (left) parts.push_back({&move, {.first = first, .rows = left, .instances = instances}});
  return parts;
}

/// Of a part after its transfers have started, roughly. Streams are busy for three quarters of the time; what one core copies comes, is copied and
/// goes before more comes.
int64_t cyclesOf(const Part& part) {
  constexpr int64_t kOfTurn = 1500;
  const auto& [move, share] = part;
  const int64_t rows = share.rows * share.columnCores * move->elementBytes,
                turns = share.instances * move->batches;
  if (share.columns * share.columnCores == 1)
    return turns * (rows * (move->fromRow + move->toRow) / kWordBytes + kOfTurn);
  return turns * rows * std::max(move->fromRow, move->toRow) / kWordBytes * 4 / 3;
}

/// Of a launch: the host starts the transfers of the parts one after the other.
int64_t cyclesOf(std::span<const Part> parts) {
  int64_t starts = 0, cycles = 0;
  for (const Part& part : parts) {
    starts += 2 * part.share.columns * kTransferStartCycles;
    cycles = std::max(cycles, starts + cyclesOf(part));
  }
  return cycles;
}

/// All moves as parts of one launch, the longest first; empty where there are too few cores, or no instances do for all.
std::vector<Part> sideBySide(std::span<const RowMove> moves, const RowCores& cores) {
  constexpr int64_t kMostInstances = 64;
  const int64_t bytes = bytesOfTile(cores);
  const std::vector<int64_t> columns = columnsOfEach(moves, cores.rows);
  // The last rows have cores of their own, one for each move. With three cores in each column of two moves there are flows that cannot be routed
  // (506x753x145 of i16).
  const int64_t columnCores = std::min<int64_t>(cores.columns - 1, moves.size() > 1 ? 2 : 3);
  const bool isOfBatches =
      std::ranges::any_of(moves, [](const RowMove& move) { return move.batches > 1; });
  const bool isOfOneType = std::ranges::all_of(moves, [&](const RowMove& move) {
    return elementTypeOrSelf(move.from.type()) == elementTypeOrSelf(moves[0].from.type());
  });
  if (columns.empty() || columnCores == 0 || isOfBatches || !isOfOneType) return {};
  std::vector<Part> best;
  for (int64_t instances = 1; instances <= kMostInstances; ++instances) {
    std::vector<Part> all;
    bool fits = true;
    for (size_t i = 0; i < moves.size() && fits; ++i) {
      const auto parts = partsOf(moves[i], columns[i], columnCores, instances, bytes);
      fits = parts.has_value();
      if (fits) all.insert(all.end(), parts->begin(), parts->end());
    }
    const auto length = [](const Part& part) { return cyclesOf(part); };
    std::ranges::stable_sort(all, std::ranges::greater(), length);
    if (fits && (best.empty() || cyclesOf(all) < cyclesOf(best))) best = std::move(all);
  }
  return best;
}

using Launches = std::vector<std::vector<Part>>;

int64_t cyclesOf(const Launches& launches) {
  int64_t cycles = 0;
  for (const std::vector<Part>& parts : launches)
    cycles += cyclesOf(parts);
  return cycles;
}

/// In launches of one part each, or of two where that is faster.
Launches launchesOf(const RowMove& move, const RowCores& cores) {
  Launches launches;
  for (int64_t first = 0; first < move.rows; first += launches.back().front().share.all())
    launches.push_back({{&move, nextShare(move, cores, first)}});
  const std::vector<Part> together = sideBySide({&move, 1}, cores);
  if (launches.size() == 1 || together.empty() || cyclesOf(launches) <= cyclesOf(together))
    return launches;
  return {together};
}

// -- What is asked before

/// What touches a buffer in the block of `last`, before it; the last one first.
std::vector<Operation*> usersBefore(Value buffer, Operation& last) {
  std::vector<Operation*> users;
  for (Operation* op = last.prev(); op && op != buffer.definingOp(); op = op->prev())
    if (std::ranges::any_of(buffer.uses(), [&](OpOperand& use) {
          for (Operation* user = use.owner(); user; user = user->parentOp())
            if (user == op) return true;
          return false;
        }))
      users.push_back(op);
  return users;
}

}  // namespace

bool isWholeOfHost(Value buffer) {
  const auto type = buffer.type().dynCast<MemRefType>();
  return type && type.rank() > 0 && type.hasStaticShape() && type.hasIdentityLayout() &&
         air::memoryLevel(type) == air::MemoryLevel::L3;
}

bool isPartOfWord(Type element) { return element.bitWidth() == 8 || element.bitWidth() == 16; }

bool isPlainPart(memref::SubViewOp view) {
  const auto isKnown = [](int64_t number) { return number != kDynamic; };
  return view.sourceType().rank() == view.resultType().rank() &&
         std::ranges::all_of(view.staticOffsets(), isKnown) &&
         std::ranges::all_of(view.staticSizes(), isKnown) &&
         std::ranges::all_of(view.staticStrides(), [](int64_t step) { return step == 1; });
}

bool isInWords(MemRefType view) {
  const auto form = view.stridedForm();
  const int64_t element = view.elementType().bitWidth() / 8;
  int64_t run = element;
  bool beginsAtWords = form->offset * element % kWordBytes == 0;
  for (unsigned dim = view.rank(); dim-- > 0;) {
    if (view.dim(dim) == 1) continue;
    if (form->strides[dim] * element == run)
      run *= view.dim(dim);
    else
      beginsAtWords &= form->strides[dim] * element % kWordBytes == 0;
  }
  return beginsAtWords && run % kWordBytes == 0;
}

Operation* fillBeforeCopy(Value buffer, Operation& copy) {
  const std::vector<Operation*> users = usersBefore(buffer, copy);
  if (users.size() != 2 || users[0] != copy.operand(1).definingOp() || !users[1]->is("linalg.fill"))
    return nullptr;
  const Operation* number = users[1]->operand(0).definingOp();
  return number && number->is("arith.constant") ? users[1] : nullptr;
}

bool canMoveRows(const RowMove& move, int64_t l1Bytes) {
  const int64_t unit = rowsInWords(move);
  const bool beginsAtWords =
      move.batches == 1 || (move.fromRows * move.fromRow * move.elementBytes % kWordBytes == 0 &&
                            move.toRows * move.toRow * move.elementBytes % kWordBytes == 0);
  return beginsAtWords && bytesOfRows(move, unit) + kRoomBeside <= l1Bytes;
}

std::vector<const RowMove*> moveRows(Rewriter& rewriter, Location location,
                                     std::span<const RowMove> moves, const RowCores& cores) {
  std::vector<const RowMove*> left;
  for (const RowMove& move : moves)
    if (move.zeroRows) left.push_back(&move);
  Launches launches;
  for (const RowMove& move : moves)
    std::ranges::move(launchesOf(move, cores), std::back_inserter(launches));
  const std::vector<Part> together =
      moves.size() > 1 ? sideBySide(moves, cores) : std::vector<Part>();
  if (!together.empty() && cyclesOf(together) < cyclesOf(launches)) launches = {together};
  for (std::vector<Part>& parts : launches) {
    for (Part& part : parts)
      if (part.move->zeroRows && canWriteZeros(part, cores.l1Bytes - kRoomBeside)) {
        part.share.zeros = part.move->zeroRows;
        std::erase(left, part.move);
      }
    RowLaunch(rewriter, location, parts).write();
  }
  return left;
}

}  // namespace airlite::tiling
