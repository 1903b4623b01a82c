// air-fuse-rows: structured ops that work on rows alone, one or a chain, become one loop nest, in which
// each core has some rows and makes everything of them in its own memory.
//
//   fill m; m[i] = max(x[i, :]); y[i, :] = exp(x[i, :] - m[i]); fill s; s[i] = sum(y[i, :]); y /= s
//
// becomes one launch with one herd: x comes in, y goes out, and m and s exist in cores only. The nest is
// the one that air-tile-linalg would make (see there), with all ops inside. To the index of a row an op adds where the rows of
// its core begin.
//
// Rows are the elements of the first loop of each op: it is parallel and runs as often in all of them. An
// operand has it as its first index and nowhere else, or not at all; then it is only read, and all
// cores get all of it. It may be a part of each row, as the halves of a rotary embedding: where all parts of
// some rows are read, or all are written, L2 has these rows whole, so that they move in few long requests, and
// cores have each part by itself. Each op after the first touches memory of one before it. How many columns and
// cores, and how many rows at a time: see RowShares.hpp. The last rows may have a nest of their own, where
// all of them have no good divisor.
//
// Declines, with a remark: fewer than 16 rows, memory that may overlap with other memory of the chain,
// rows of which no number fits into L1 and moves in whole words. Ends a chain: more than a core has program
// memory for, more than two parts to send, products of matrices, views but those of all of a buffer with other
// dimensions and such parts in whole words, memory of dynamic or strided shape, and everything between ops that is no alloc, such view or constant.
#include "airlite/analysis/Access.hpp"
#include "airlite/analysis/LoopIndex.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"
#include "transform/lowering/RowMemory.hpp"
#include "transform/tiling/CollapsedViews.hpp"
#include "transform/tiling/RowShares.hpp"

#include <algorithm>
#include <numeric>

namespace airlite {

namespace {

using linalg::StructuredOp;
using memref::MixedIndex;
using tiling::RowShares;
using tiling::RowWork;

constexpr int64_t kFewestRows = 16;
/// Reductions of rows work on as many at once (floats/RowsInLanes.cpp).
constexpr int64_t kRowsAtOnce = 8;

/// Parts of rows that a core sends through channels of its own.
constexpr int64_t kMostPartsSent =
    aie::limitsOf(aie::Generation::Aie2, aie::TileKind::Core).channels;

/// In which a core begins and ends the loop of an op along a row.
constexpr double kCyclesOfLoop = 25;

/// What a core has program memory for, and a compiler time: ops, and functions of numbers among what
/// they compute, where those of f32 count twice.
constexpr size_t kMostOps = 16;
constexpr int64_t kMostFunctions = 8;

/// What an op names of memory: all of it, or a part of each row.
struct Rows {
  Value whole;                   // the rows
  std::vector<int64_t> offsets;  // of the part, in all dimensions; none: it is all

  bool arePart() const { return !offsets.empty(); }
};

/// Memory that a chain uses.
struct ChainMemory {
  Value value;
  Rows rows;
  bool isRowed = false;      // else all rows need all of it
  bool isReadFirst = false;  // before the chain writes it
  bool isWritten = false;
  bool isInner = false;  // nothing else uses it

  /// Of memory that has just this.
  MemRefType type() const {
    const auto named = value.type().cast<MemRefType>();
    return MemRefType::get(named.context(), named.shape(), named.elementType(), Attribute(),
                           named.memorySpace());
  }
  /// Of the rows, of which it may be a part.
  MemRefType wholeType() const { return rows.whole.type().cast<MemRefType>(); }
  bool comesIn() const { return isReadFirst && !isInner; }
  bool goesOut() const { return isWritten && !isInner; }
  bool isUpdated() const { return comesIn() && goesOut(); }
  int64_t bytes() const {
    return type().numElements() * static_cast<int64_t>(type().elementType().bitWidth()) / 8;
  }
  int64_t bytesOfRow() const { return bytes() / type().dim(0); }
  int64_t bytesOfWholeRow() const {
    return bytesOfRow() * wholeType().numElements() / type().numElements();
  }

  /// That a core needs for it, once air-align-rows has made rows whole vectors.
  int64_t l1Bytes() const {
    const bool areRows = type().rank() > 1 || !isRowed;
    if (!areRows) return bytes();
    return rows::alignedBytes(type(), tiling::kVectorBytes / rows::bytesOf(type().elementType()),
                              !isInner);
  }
  int64_t l1BytesOfRow() const { return l1Bytes() / type().dim(0); }
};

struct Chain {
  int64_t rows = 0;
  int64_t functions = 0;
  std::vector<StructuredOp> ops;
  std::vector<ChainMemory> memory;

  ChainMemory* find(Value value) {
    auto found = std::ranges::find(memory, value, &ChainMemory::value);
    return found == memory.end() ? nullptr : &*found;
  }

  /// The number of the first memory with the same rows.
  size_t firstWith(Value whole) const {
    const auto found = std::ranges::find_if(
        memory, [&](const ChainMemory& other) { return other.rows.whole == whole; });
    return static_cast<size_t>(found - memory.begin());
  }
  bool isFirst(size_t i) const { return firstWith(memory[i].rows.whole) == i; }
  /// Whether something of the rows comes in, or goes out.
  bool comeIn(Value whole) const {
    return std::ranges::any_of(memory, [&](const ChainMemory& part) {
      return part.rows.whole == whole && part.comesIn();
    });
  }
  bool goOut(Value whole) const {
    return std::ranges::any_of(memory, [&](const ChainMemory& part) {
      return part.rows.whole == whole && part.goesOut();
    });
  }
};

// -- Reading a chain ------------------------------------------------------------------------------

/// What an argument of any shape is taken for, by the only op that uses it.
bool isOnlyView(Value value) {
  const Operation* cast = value.definingOp();
  return cast && cast->is("memref.reinterpret_cast") && cast->operand(0).isBlockArgument() &&
         cast->operand(0).hasOneUse();
}

bool isMade(Value value) {
  const Operation* made = value.definingOp();
  return !made || isa<memref::AllocOp>(made) || isOnlyView(value);
}

/// What a view of other dimensions, or of some rows, is of.
Value sourceOf(Value value) {
  const auto isView = [](const Operation* op) {
    return op && (isa<memref::CollapseShapeOp>(op) || isa<memref::ExpandShapeOp>(op) ||
                  isa<memref::SubViewOp>(op));
  };
  while (isView(value.definingOp()))
    value = value.definingOp()->operand(0);
  return value;
}

/// Memory, with other dimensions, or the first rows of it.
bool isPlainMemory(Value value) {
  const MemRefType type = tiling::contiguousType(value);
  if (!type || !isMade(sourceOf(value))) return false;
  Type element = type.elementType();
  const bool isNumber = element.isInteger() || element.isFloat();
  return isNumber && element.bitWidth() % 8 == 0 && type.hasStaticShape() && type.rank() > 0 &&
         air::memoryLevel(type) == air::MemoryLevel::L3;
}

/// A part of each row of such memory, in whole words; else all of it. None: it is neither.
std::optional<Rows> readRows(Value value) {
  if (isPlainMemory(value)) return Rows{value, {}};
  const auto view = dynCast<memref::SubViewOp>(value.definingOp());
  if (!view || !isPlainMemory(view.source())) return std::nullopt;
  const MemRefType whole = view.sourceType(), part = value.type().cast<MemRefType>();
  const std::vector<MixedIndex> starts = view.offsets(), steps = view.strides();
  if (part.rank() != whole.rank() || whole.rank() < 2 || part.dim(0) != whole.dim(0))
    return std::nullopt;
  Rows rows{view.source(), {}};
  for (unsigned dim = 0; dim < whole.rank(); ++dim) {
    if (starts[dim].value || steps[dim].value || steps[dim].constant != 1) return std::nullopt;
    rows.offsets.push_back(starts[dim].constant);
  }
  const int64_t bytes = rows::bytesOf(whole.elementType());
  for (const int64_t elements :
       {part.dim(part.rank() - 1), whole.dim(whole.rank() - 1), rows.offsets.back()})
    if (elements * bytes % aie::kWordBytes) return std::nullopt;
  return rows;
}

/// Whether two parts of the same rows have no element in common.
bool areApart(const ChainMemory& a, const ChainMemory& b) {
  if (!a.rows.arePart() || !b.rows.arePart()) return false;
  for (unsigned dim = 1; dim < a.type().rank(); ++dim) {
    const int64_t ofA = a.rows.offsets[dim], ofB = b.rows.offsets[dim];
    if (ofA + a.type().dim(dim) <= ofB || ofB + b.type().dim(dim) <= ofA) return true;
  }
  return false;
}

enum class Along { Rows, Nothing, Else };

/// Where the first loop occurs in an index.
Along alongOf(AffineMap map, unsigned numLoops) {
  Along along = Along::Nothing;
  for (unsigned i = 0; i < map.numResults(); ++i) {
    auto index = analysis::readLoopIndex(map.result(i), numLoops);
    if (!index) return Along::Else;
    if (!index->uses(0)) continue;
    if (i != 0 || !index->isLoop(0)) return Along::Else;
    along = Along::Rows;
  }
  return along;
}

/// May the op be a part of a chain at all? Then with how many rows. Of `kept` rows no parts.
std::optional<int64_t> rowsOf(StructuredOp op, const std::vector<Value>& kept) {
  if (op->numResults() || !op.onBuffers() ||
      (linalg::isProductOfMatrices(op) && !linalg::multipliesRowsByVector(op)) ||
      op.numLoops() == 0 || op.loopSources().size() != op.numLoops() ||
      op.iterators()[0] != linalg::IteratorKind::Parallel)
    return std::nullopt;
  const std::vector<AffineMap> maps = op.indexingMaps();
  const std::vector<int64_t> sizes = op.loopSizes();
  if (std::ranges::find(sizes, kDynamic) != sizes.end()) return std::nullopt;
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    if (!op->operand(i).type().isa<MemRefType>()) continue;
    const Along along = alongOf(maps[i], op.numLoops());
    const bool isOutput = i >= op.numInputs();
    const auto rows = readRows(op->operand(i));
    const bool isPart = rows && rows->arePart();
    if (!rows || along == Along::Else ||
        (isPart && (along != Along::Rows || std::ranges::count(kept, rows->whole))) ||
        (isOutput && (along != Along::Rows || !maps[i].isProjectedPermutation())))
      return std::nullopt;
  }
  return sizes[0];
}

/// Cores that read the rows of a product have no channel left for more that comes in rows.
bool lacksChannel(Chain& chain, StructuredOp next) {
  if (std::ranges::none_of(chain.ops, linalg::multipliesRowsByVector)) return false;
  for (unsigned i = 0; i < next->numOperands(); ++i) {
    const bool isRead = i < next.numInputs() || next.readsOutput(i - next.numInputs());
    const Value operand = next->operand(i);
    if (isRead && operand.type().isa<MemRefType>() && !chain.find(operand)) return true;
  }
  return false;
}

bool isFull(Chain& chain, StructuredOp next) {
  return chain.ops.size() >= kMostOps || lacksChannel(chain, next) ||
         (!chain.ops.empty() && chain.functions + tiling::functionsOf(next) > kMostFunctions);
}

/// Whether the chain has the memory by another name, which is no other part of its rows.
bool hasOtherName(const Chain& chain, const ChainMemory& memory) {
  return std::ranges::any_of(chain.memory, [&](const ChainMemory& other) {
    return other.value != memory.value && sourceOf(other.value) == sourceOf(memory.value) &&
           !(other.rows.whole == memory.rows.whole && areApart(other, memory));
  });
}

/// Adds the memory of the op; false when it does not go with that of the ops before.
bool addMemory(Chain& chain, StructuredOp op) {
  const std::vector<AffineMap> maps = op.indexingMaps();
  std::vector<ChainMemory> before = chain.memory;
  bool isConnected = chain.ops.empty();
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    Value value = op->operand(i);
    if (!value.type().isa<MemRefType>()) continue;
    const bool isRowed = alongOf(maps[i], op.numLoops()) == Along::Rows;
    const bool isOutput = i >= op.numInputs();
    ChainMemory* memory = chain.find(value);
    isConnected |= memory != nullptr;
    if (!memory) memory = &chain.memory.emplace_back(ChainMemory{value, *readRows(value), isRowed});
    const bool reads = !isOutput || op.readsOutput(i - op.numInputs());
    if (memory->isRowed != isRowed || (isRowed && memory->type().dim(0) != chain.rows) ||
        hasOtherName(chain, *memory)) {
      chain.memory = std::move(before);
      return false;
    }
    memory->isReadFirst |= reads && !memory->isWritten;
  }
  for (Value output : op.outputs())
    chain.find(output)->isWritten = true;
  if (op->is("linalg.fill")) return true;
  const auto sent = std::ranges::count_if(chain.memory, [](const ChainMemory& memory) {
    return memory.rows.arePart() && memory.isWritten;
  });
  if (isConnected && sent <= kMostPartsSent) return true;
  chain.memory = std::move(before);
  return false;
}

bool uses(StructuredOp op, Value memory) {
  for (unsigned i = 0; i < op->numOperands(); ++i)
    if (op->operand(i) == memory) return true;
  return false;
}

/// Fills of what no other op of the chain uses stay where they are.
void dropFills(Chain& chain) {
  std::erase_if(chain.ops, [&](StructuredOp op) {
    if (!op->is("linalg.fill")) return false;
    const bool isUsed = std::ranges::any_of(chain.ops, [&](StructuredOp other) {
      return !other->is("linalg.fill") && uses(other, op.outputs()[0]);
    });
    if (!isUsed)
      std::erase_if(chain.memory,
                    [&](const ChainMemory& memory) { return memory.value == op.outputs()[0]; });
    return !isUsed;
  });
}

bool isPartOf(const Chain& chain, Operation& op) {
  return std::ranges::any_of(chain.ops, [&](StructuredOp part) { return part.op() == &op; });
}

void findInner(Chain& chain) {
  for (ChainMemory& memory : chain.memory) {
    const Operation* made = memory.value.definingOp();
    memory.isInner = made && isa<memref::AllocOp>(made) && !memory.isReadFirst;
    for (OpOperand& use : memory.value.uses())
      memory.isInner &= isPartOf(chain, *use.owner()) || use.owner()->is("memref.dealloc");
  }
}

/// What one op of the chain writes no other name of memory may reach.
bool mayShareMemory(const Chain& chain) {
  analysis::AccessReader reader;
  for (const ChainMemory& a : chain.memory)
    for (const ChainMemory& b : chain.memory)
      if (a.isWritten && a.rows.whole != b.rows.whole &&
          reader.mayOverlap({reader.bufferOf(a.value)}, {reader.bufferOf(b.value)}))
        return true;
  return false;
}

/// Rows that the chain does not use whole: all that comes in has to be read, all that goes out written.
std::vector<Value> rowsToKeep(const Chain& chain) {
  std::vector<Value> kept;
  for (size_t i = 0; i < chain.memory.size(); ++i) {
    const Value whole = chain.memory[i].rows.whole;
    if (!chain.memory[i].rows.arePart() || !chain.isFirst(i)) continue;
    int64_t read = 0, written = 0;
    for (const ChainMemory& part : chain.memory)
      if (part.rows.whole == whole) (part.isWritten ? written : read) += part.type().numElements();
    const int64_t all = chain.memory[i].wholeType().numElements();
    const bool isUsed = chain.comeIn(whole) ? written == 0 && read == all : written == all;
    if (!isUsed) kept.push_back(whole);
  }
  return kept;
}

RowWork workOf(const Chain& chain) {
  RowWork work;
  work.rows = chain.rows;
  int64_t shortest = tiling::kVectorBytes;
  for (size_t i = 0; i < chain.memory.size(); ++i) {
    const ChainMemory& memory = chain.memory[i];
    if (!memory.isRowed) {
      ++work.broadcasts;
      work.l1FixedBytes += memory.l1Bytes();
      continue;
    }
    const int64_t bytes = memory.bytesOfRow();
    work.l1Bytes += memory.l1BytesOfRow();
    if (memory.isInner) continue;
    if (chain.isFirst(i)) {
      work.inputs += chain.comeIn(memory.rows.whole);
      work.outputs += chain.goOut(memory.rows.whole);
    }
    work.streamBytes = std::max(work.streamBytes, memory.bytesOfWholeRow());
    work.words = std::lcm(work.words, aie::kWordBytes / std::gcd<int64_t>(aie::kWordBytes, bytes));
    shortest = std::min(shortest, bytes);
  }
  work.unit = std::lcm(std::max(kRowsAtOnce, tiling::kVectorBytes / shortest), work.words);
  for (StructuredOp op : chain.ops) {
    const std::vector<int64_t> sizes = op.loopSizes();
    const int64_t elements =
        std::accumulate(sizes.begin() + 1, sizes.end(), int64_t{1}, std::multiplies<>());
    work.cycles += static_cast<double>(elements) * tiling::cyclesOfElement(op) + kCyclesOfLoop;
  }
  return work;
}

/// Several ops, or one that is not the same for all elements: air-flatten-loops knows better there.
bool isWorthANest(const Chain& chain) {
  int64_t numWorkers = 0;
  bool isFlat = true;
  for (StructuredOp op : chain.ops) {
    if (op->is("linalg.fill")) continue;
    ++numWorkers;
    // The indices of its loops count rows.
    isFlat &= op.numLoops() < 2 || !op.usesIndices();
    const std::vector<AffineMap> maps = op.indexingMaps();
    for (unsigned i = 0; i < op->numOperands(); ++i)
      isFlat &= !op->operand(i).type().isa<MemRefType>() || maps[i].isIdentity();
  }
  return numWorkers > 1 || (numWorkers == 1 && !isFlat);
}

/// Whether rows need not be whole, and nothing else is computed with them.
bool isOneElementwise(const Chain& chain) {
  return chain.ops.size() == 1 &&
         std::ranges::all_of(chain.ops[0].iterators(), [](linalg::IteratorKind kind) {
           return kind == linalg::IteratorKind::Parallel;
         });
}

// -- Writing the nest -----------------------------------------------------------------------------

/// Where rows lie: in a column, and from a row of it on. Without a column there is one only.
struct RowPlace {
  Value column, row;
};

/// Several columns have a dimension of their own, outside of that of rows, in L2 and in views of L3: so
/// each has a contiguous part of the operands, and memory of its own.
class NestWriter {
 public:
  /// For `rows` rows from `first` on.
  NestWriter(const Chain& chain, int64_t first, int64_t rows, const RowShares& shares,
             Rewriter& rewriter)
      : chain_(chain), first_(first), rows_(rows), shares_(shares), rewriter_(rewriter) {}

  void write() {
    Operation& last = *chain_.ops.back().op();
    location_ = last.location();
    rewriter_.setBefore(last);
    const int64_t ofColumn = shares_.cores * shares_.tile;
    const std::vector<Value> l3 = viewOperands();
    auto nest = parallel({{rows_ / shares_.columns, ofColumn}}, [&](const std::vector<Value>& at) {
      const RowPlace launch{Value(), at[0]};
      const std::vector<Value> l2 = allocate(ofColumn, 1);
      copyIn(l3, launch, ofColumn, l2, 1);
      std::vector<std::pair<int64_t, int64_t>> herd = {{ofColumn, shares_.tile}};
      if (hasColumns()) herd.insert(herd.begin(), {shares_.columns, 1});
      parallel(herd, [&](const std::vector<Value>& core) {
        compute(l2, {hasColumns() ? core[0] : Value(), core.back()}, launch.row);
      });
      copyOut(l2, l3, launch, ofColumn, 1);
      release(l2, 1);
    });
    if (std::ranges::any_of(chain_.memory, &ChainMemory::isUpdated))
      nest->setAttr(air::kReadsFirst, UnitAttr::get(rewriter_.context()));
  }

 private:
  bool hasColumns() const { return shares_.columns > 1; }

  /// Loops of sizes and steps.
  scf::ParallelOp parallel(const std::vector<std::pair<int64_t, int64_t>>& loops,
                           FunctionRef<void(const std::vector<Value>&)> body) {
    std::vector<Value> lower, upper, step;
    for (auto [size, by] : loops) {
      lower.push_back(rewriter_.constantIndex(location_, 0));
      upper.push_back(rewriter_.constantIndex(location_, size));
      step.push_back(rewriter_.constantIndex(location_, by));
    }
    auto nest = scf::ParallelOp::create(rewriter_, location_, lower, upper, step);
    InsertPoint saved = rewriter_.insertPoint();
    rewriter_.setInsertPoint({&nest.body(), &nest.body().back()});
    std::vector<Value> variables;
    for (size_t i = 0; i < loops.size(); ++i)
      variables.push_back(nest.inductionVars()[i]);
    body(variables);
    rewriter_.setInsertPoint(saved);
    return nest;
  }

  /// The operands, by columns; none for what only cores have.
  std::vector<Value> viewOperands() {
    std::vector<Value> views;
    for (size_t i = 0; i < chain_.memory.size(); ++i) {
      const ChainMemory& memory = chain_.memory[i];
      if (!chain_.isFirst(i)) {
        views.push_back(views[chain_.firstWith(memory.rows.whole)]);
        continue;
      }
      Value& view = views.emplace_back(memory.isInner ? Value() : memory.rows.whole);
      if (!view || !memory.isRowed) continue;
      if (rows_ != chain_.rows) view = rowsOfAll(memory);
      if (!hasColumns()) continue;
      std::vector<int64_t> shape = shapeOf(memory, rows_ / shares_.columns, 1);
      memref::Reassociation groups = {{0, 1}};
      for (size_t dim = 2; dim < shape.size(); ++dim)
        groups.push_back({static_cast<int64_t>(dim)});
      view = memref::ExpandShapeOp::create(rewriter_, location_, view, shape, groups).result();
    }
    return views;
  }

  Value rowsOfAll(const ChainMemory& memory) {
    auto shape = memory.wholeType().shape();
    std::vector<MixedIndex> offsets(shape.size(), MixedIndex(0)),
        steps(shape.size(), MixedIndex(1)), sizes(shape.begin(), shape.end());
    offsets[0] = first_;
    sizes[0] = rows_;
    return memref::SubViewOp::create(rewriter_, location_, memory.rows.whole, offsets, sizes, steps)
        .result();
  }

  /// With `rows` rows, of each column where it is not in a core (level 2).
  std::vector<int64_t> shapeOf(const ChainMemory& memory, int64_t rows, int64_t level) const {
    const MemRefType type = level < 2 ? memory.wholeType() : memory.type();
    std::vector<int64_t> shape(type.shape().begin(), type.shape().end());
    if (!memory.isRowed) return shape;
    shape[0] = rows;
    if (hasColumns() && level < 2) shape.insert(shape.begin(), shares_.columns);
    return shape;
  }

  /// Whether memory `i` has a buffer of its own in a level: parts of the same rows have one in L2, that of the first.
  bool hasOwn(size_t i, int64_t level) const { return level == 2 || chain_.isFirst(i); }

  std::vector<Value> allocate(int64_t rows, int64_t level) {
    std::vector<Value> made;
    for (size_t i = 0; i < chain_.memory.size(); ++i) {
      const ChainMemory& memory = chain_.memory[i];
      if (!hasOwn(i, level)) {
        made.push_back(made[chain_.firstWith(memory.rows.whole)]);
        continue;
      }
      MemRefType type =
          MemRefType::get(rewriter_.context(), shapeOf(memory, rows, level),
                          memory.type().elementType(), Attribute(), rewriter_.i32Attr(level));
      const bool isMade = level == 2 || !memory.isInner;
      made.push_back(isMade ? memref::AllocOp::create(rewriter_, location_, type).result()
                            : Value());
    }
    return made;
  }

  /// `rows` rows of memory `i` at a place, as a buffer of `level` has them: of all columns, or of one, without that dimension then.
  Value part(size_t i, Value memory, const RowPlace& at, int64_t rows, int64_t level) {
    const ChainMemory& own = chain_.memory[i];
    const bool isPart = level == 2 && own.rows.arePart();
    if (!own.isRowed) return memory;
    auto shape = memory.type().cast<MemRefType>().shape();
    std::vector<MixedIndex> offsets(shape.size(), MixedIndex(0)),
        steps(shape.size(), MixedIndex(1));
    std::vector<int64_t> sizes(shape.begin(), shape.end());
    const size_t rowDim = hasColumns() ? 1 : 0;
    if (!at.column && sizes[rowDim] == rows && !isPart) return memory;
    offsets[rowDim] = at.row;
    sizes[rowDim] = rows;
    for (unsigned dim = 1; isPart && dim < own.type().rank(); ++dim) {
      offsets[rowDim + dim] = own.rows.offsets[dim];
      sizes[rowDim + dim] = own.type().dim(dim);
    }
    if (at.column) offsets[0] = at.column, sizes[0] = 1;
    const std::vector<MixedIndex> mixed(sizes.begin(), sizes.end());
    return memref::SubViewOp::create(rewriter_, location_, memory, offsets, mixed, steps,
                                     at.column ? ofOneColumn(memory, sizes) : MemRefType())
        .result();
  }

  /// The type of such a part: not the first dimension, and a place that is not known.
  static MemRefType ofOneColumn(Value memory, const std::vector<int64_t>& sizes) {
    auto type = memory.type().cast<MemRefType>();
    const std::vector<int64_t> strides = type.stridedForm()->strides;
    return MemRefType::get(
        type.context(), {sizes.begin() + 1, sizes.end()}, type.elementType(),
        StridedLayoutAttr::get(type.context(), kDynamic, {strides.begin() + 1, strides.end()}),
        type.memorySpace());
  }

  /// Into the buffers of `level`.
  void copyIn(const std::vector<Value>& from, const RowPlace& at, int64_t rows,
              const std::vector<Value>& into, int64_t level) {
    for (size_t i = 0; i < into.size(); ++i) {
      const ChainMemory& memory = chain_.memory[i];
      const bool comesIn = level == 2 ? memory.comesIn() : chain_.comeIn(memory.rows.whole);
      if (comesIn && hasOwn(i, level))
        memref::CopyOp::create(rewriter_, location_, part(i, from[i], at, rows, level), into[i]);
    }
  }

  /// Out of the buffers of `level`.
  void copyOut(const std::vector<Value>& from, const std::vector<Value>& into, const RowPlace& at,
               int64_t rows, int64_t level) {
    for (size_t i = 0; i < from.size(); ++i) {
      const ChainMemory& memory = chain_.memory[i];
      const bool goesOut = level == 2 ? memory.goesOut() : chain_.goOut(memory.rows.whole);
      if (goesOut && hasOwn(i, level))
        memref::CopyOp::create(rewriter_, location_, from[i], part(i, into[i], at, rows, level));
    }
  }

  void release(const std::vector<Value>& memory, int64_t level) {
    for (size_t i = 0; i < memory.size(); ++i)
      if (memory[i] && hasOwn(i, level)) memref::DeallocOp::create(rewriter_, location_, memory[i]);
  }

  Value sum(Value a, Value b) {
    return rewriter_.create(location_, "arith.addi", {a, b}, {a.type()})->result();
  }

  /// The number of the first row that a core has in a launch whose rows begin at `launchRow`.
  Value firstRow(const RowPlace& at, Value launchRow) {
    Value row = sum(sum(launchRow, at.row), rewriter_.constantIndex(location_, first_));
    if (!at.column) return row;
    Value size = rewriter_.constantIndex(location_, rows_ / shares_.columns);
    return sum(
        row, rewriter_.create(location_, "arith.muli", {at.column, size}, {size.type()})->result());
  }

  /// Ops that use the number of a row get that of the row in all of the memory.
  void numberRows(Operation& op, const RowPlace& at, Value launchRow) {
    std::vector<Operation*> indices;
    op.walk([&](Operation& inner) {
      if (inner.is("linalg.index") && inner.attrOf<IntegerAttr>("dim").value() == 0)
        indices.push_back(&inner);
    });
    if (indices.empty()) return;
    const Value first = firstRow(at, launchRow);
    const InsertPoint saved = rewriter_.insertPoint();
    for (Operation* index : indices) {
      std::vector<OpOperand*> uses;
      for (OpOperand& use : index->result().uses())
        uses.push_back(&use);
      rewriter_.setAfter(*index);
      const Value row = sum(index->result(), first);
      for (OpOperand* use : uses)
        use->set(row);
    }
    rewriter_.setInsertPoint(saved);
  }

  /// All ops on the rows of one core.
  void compute(const std::vector<Value>& l2, const RowPlace& at, Value launchRow) {
    const std::vector<Value> l1 = allocate(shares_.tile, 2);
    copyIn(l2, at, shares_.tile, l1, 2);
    for (StructuredOp op : chain_.ops) {
      // Reductions of rows are told by their bodies.
      Operation* made = linalg::multipliesRowsByVector(op)
                            ? linalg::createGeneric(rewriter_, op).op()
                            : rewriter_.clone(*op.op());
      rewriter_.setBefore(*made);
      numberRows(*made, at, launchRow);
      rewriter_.setAfter(*made);
      for (unsigned i = 0; i < op->numOperands(); ++i)
        for (size_t m = 0; m < chain_.memory.size(); ++m)
          if (chain_.memory[m].value == op->operand(i)) made->setOperand(i, l1[m]);
    }
    copyOut(l1, l2, at, shares_.tile, 2);
    release(l1, 2);
  }

  const Chain& chain_;
  const int64_t first_, rows_;
  const RowShares& shares_;
  Rewriter& rewriter_;
  Location location_ = {};
};

void erase(const Chain& chain, Rewriter& rewriter) {
  for (StructuredOp op : chain.ops)
    rewriter.eraseOp(*op.op());
  for (const ChainMemory& memory : chain.memory) {
    if (!memory.isInner) continue;
    while (memory.value.hasUses())
      rewriter.eraseOp(*(*memory.value.uses().begin()).owner());
    rewriter.eraseOp(*memory.value.definingOp());
  }
}

// -- The pass -------------------------------------------------------------------------------------

class FuseRows : public Pass {
 public:
  FuseRows() : Pass("air-fuse-rows", "Makes one loop nest of ops that work on rows alone") {
    anchor("func.func");
    option("herd", herd_, "columns and rows of cores, at most");
    option("start-cycles", limits_.startCycles, "cycles in which the host starts one transfer");
    option("l1-bytes", limits_.l1Bytes, "L1 memory of a core that tiles may take");
    example("airlite-opt --air-fuse-rows in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    if (herd_.size() != 2 || herd_[0] < 1 || herd_[1] < 1)
      return emitError(function.context(), function.location())
                 << "air-fuse-rows: 'herd' must be two positive numbers",
             PassResult::Failed;
    limits_.columns = herd_[0];
    limits_.cores = herd_[1];
    bool changed = false;
    for (Region& region : function.regions())
      for (Block& block : region.blocks())
        for (Chain& chain : chainsWithRows(block))
          changed |= fuse(chain, context);
    if (changed)
      context.declareEffectChange(CountedEffect::Store, "rows are computed in buffers of cores");
    return changedIf(changed);
  }

 private:
  /// Where a chain uses parts of rows, it uses enough of them.
  static std::vector<Chain> chainsWithRows(Block& block) {
    std::vector<Value> kept;
    while (true) {
      std::vector<Chain> chains = chainsOf(block, kept);
      const size_t before = kept.size();
      for (const Chain& chain : chains)
        for (Value rows : rowsToKeep(chain))
          kept.push_back(rows);
      if (kept.size() == before) return chains;
    }
  }

  static bool mayStandBetween(const Operation& op) {
    return isa<memref::AllocOp>(&op) || isa<memref::CollapseShapeOp>(&op) ||
           isa<memref::ExpandShapeOp>(&op) || isa<memref::SubViewOp>(&op) ||
           op.is("arith.constant");
  }

  static std::vector<Chain> chainsOf(Block& block, const std::vector<Value>& kept) {
    std::vector<Chain> chains(1);
    for (Operation& op : block.ops()) {
      if (mayStandBetween(op)) continue;
      StructuredOp structured = linalg::asStructured(&op);
      auto rows = structured ? rowsOf(structured, kept) : std::nullopt;
      if (!rows) {
        chains.emplace_back();
        continue;
      }
      const bool isOther = chains.back().rows != 0 && chains.back().rows != *rows;
      if (isOther || isFull(chains.back(), structured)) chains.emplace_back();
      chains.back().rows = *rows;
      if (!addMemory(chains.back(), structured)) {
        chains.emplace_back().rows = *rows;
        if (!addMemory(chains.back(), structured)) continue;
      }
      chains.back().ops.push_back(structured);
      chains.back().functions += tiling::functionsOf(structured);
    }
    return chains;
  }

  bool fuse(Chain& chain, PassContext& context) const {
    dropFills(chain);
    if (!isWorthANest(chain)) return false;
    findInner(chain);
    Operation& last = *chain.ops.back().op();
    auto decline = [&](const std::string& why) {
      context.remark(last, "not fused with the ops before it: " + why);
      return false;
    };
    if (chain.rows < kFewestRows) return decline("it has few rows");
    if (mayShareMemory(chain)) return decline("their memory may overlap");
    const tiling::RowWork work = workOf(chain);
    if (work.streamBytes == 0) return decline("nobody reads what they compute");
    const auto [shares, head] = tiling::splitRows(work, limits_);
    const int64_t rest = chain.rows - head;
    if (!shares.tile) return decline("no number of their rows fits into L1 and the DMAs");
    // A quarter of the cores, row by row.
    const bool hasFewCores =
        4 * shares.columns * shares.cores <= limits_.columns * limits_.cores && shares.tile == 1;
    if (hasFewCores && isOneElementwise(chain))
      return decline("its rows are long: cores have parts of them");
    context.remark(last, "fused " + std::to_string(chain.ops.size()) +
                             " ops: " + std::to_string(shares.columns) + " columns of " +
                             std::to_string(shares.cores) + " cores, " +
                             std::to_string(shares.tile) + " rows at a time" +
                             (rest ? ", and " + std::to_string(rest) + " rows" : ""));
    Rewriter rewriter(last.context());
    NestWriter(chain, 0, head, shares, rewriter).write();
    if (rest) NestWriter(chain, head, rest, {1, 1, rest}, rewriter).write();
    erase(chain, rewriter);
    return true;
  }

  std::vector<int64_t> herd_ = wholeHerd(aie::defaultNpu());
  tiling::RowLimits limits_;
};

}  // namespace

void registerFuseRows(PassRegistry& registry) { registry.add<FuseRows>(); }

}  // namespace airlite
