// air-split-columns: columns of a long matrix are summed up in parts, which cores compute side by side.
//
// Matches, in a function, a structured op of two loops on contiguous buffers of the host: one indexes the rows of a matrix and reduces
// them by a sum or an extreme, the other one its columns. Such a matrix has so few columns, or columns that begin inside of words, that
// not every core gets some of them. Its rows become parts, each short enough for a core:
//
//   y[j] += f(A[i, j])   ->   z[p, j] = 0; z[p, j] += f(A[p, i, j]); y[j] += f(rest of A [i, j]); y[j] += z[p, j]
//
// The parts are rows that air-fuse-rows shares out. The sum of a column has another order, which linalg::kSumLanes says.
//
// Declines: matrices of a few tiles or with long rows, products of matrices (a vector by a matrix: air-vector-products), operands that
// lie otherwise.
#include "CollapsedViews.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/Reductions.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

namespace airlite {

using linalg::IteratorKind;
using linalg::StructuredOp;
using memref::AtomicKind;

namespace {

/// A smaller matrix is read before the launches of more ops have started.
constexpr int64_t kLeastBytes = 64 * 1024;
/// Rows of which every core gets a part worth a request of the host.
constexpr int64_t kLongRowBytes = 1280;
/// Rows that are not whole words are not shared out at all, but only so many bytes of them leave room for several.
constexpr int64_t kMostRowBytes = 4096;
/// Of a part: with copies of odd rows and two buffers it takes half of L1.
constexpr int64_t kPartBytes = 12 * 1024;
/// Parts come in so many, of which columns and rows of cores are divisors.
constexpr int64_t kParts = 16;

struct ColumnReduction {
  StructuredOp op;
  Operation* combiner = nullptr;
  AtomicKind kind = AtomicKind::AddF;
  unsigned rowLoop = 0;
  int64_t rows = 0, columns = 0;
  int64_t rowBytes = 0;  // of the matrix that has most
};

/// `count` parts of `rows` rows; `rest` rows remain.
struct Parts {
  int64_t count = 0, rows = 0, rest = 0;
};

std::optional<AtomicKind> kindOf(const Operation& combiner) {
  constexpr AtomicKind kKinds[] = {AtomicKind::AddF,     AtomicKind::AddI, AtomicKind::MaximumF,
                                   AtomicKind::MaxS,     AtomicKind::MaxU, AtomicKind::MinS,
                                   AtomicKind::MinimumF, AtomicKind::MinU, AtomicKind::MaxNumF,
                                   AtomicKind::MinNumF};
  for (const AtomicKind kind : kKinds)
    if (combiner.is(combinerOf(kind))) return kind;
  return std::nullopt;
}

bool findCombiner(ColumnReduction& found) {
  const StructuredOp op = found.op;
  const Value result = op.body().back().operand(0), soFar = op.bodyArgument(op.numInputs());
  Operation* combiner = result.definingOp();
  if (!combiner || combiner->block() != &op.body() || combiner->numOperands() != 2 ||
      !result.hasOneUse() || !soFar.hasOneUse() ||
      (combiner->operand(0) != soFar && combiner->operand(1) != soFar))
    return false;
  const auto kind = kindOf(*combiner);
  if (!kind) return false;
  found.combiner = combiner, found.kind = *kind;
  return true;
}

bool isComputation(Operation& op) {
  return op.is("linalg.yield") || (op.numRegions() == 0 && isPure(op));
}

bool isInHost(Value value) {
  const MemRefType type = tiling::contiguousType(value);
  const Type element = type ? type.elementType() : Type();
  return type && (element.isInteger() || element.isFloat()) && element.bitWidth() % 8 == 0 &&
         air::memoryLevel(type) == air::MemoryLevel::L3;
}

/// Whether the operand has a part of its own for each row.
bool hasRows(AffineMap map, unsigned rowLoop) {
  return map.numResults() != 0 && map.result(0).usesDim(rowLoop);
}

/// Whether operands lie as rows of a matrix, one number for each of its rows, or one row.
bool readOperands(ColumnReduction& found) {
  const StructuredOp op = found.op;
  const std::vector<AffineMap> maps = op.indexingMaps();
  const auto isLoop = [](AffineExpr index, unsigned loop) {
    return index.kind() == AffineKind::Dim && index.position() == loop;
  };
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    const AffineMap map = maps[i];
    const Value value = op->operand(i);
    if (!value.type().isa<MemRefType>()) {
      if (map.numResults() != 0) return false;
      continue;
    }
    const bool isOutput = i == op.numInputs();
    const bool isMatrix = map.numResults() == 2 && isLoop(map.result(0), found.rowLoop) &&
                          isLoop(map.result(1), 1 - found.rowLoop);
    const bool isVector = map.numResults() == 1 && map.result(0).kind() == AffineKind::Dim;
    const bool fits = isOutput ? isVector && !hasRows(map, found.rowLoop) : isMatrix || isVector;
    if (!fits || !isInHost(value)) return false;
    if (isMatrix)
      found.rowBytes = std::max<int64_t>(
          found.rowBytes, found.columns * elementTypeOrSelf(value.type()).bitWidth() / 8);
  }
  return found.rowBytes != 0;
}

std::optional<ColumnReduction> columnReduction(Operation& op) {
  ColumnReduction found{linalg::asStructured(&op)};
  const StructuredOp structured = found.op;
  if (!structured || op.numRegions() == 0 || !structured.onBuffers() ||
      structured.numOutputs() != 1 || structured.numLoops() != 2 ||
      linalg::multipliesMatrices(structured))
    return std::nullopt;
  const std::vector<IteratorKind> kinds = structured.iterators();
  const std::vector<int64_t> sizes = structured.loopSizes();
  found.rowLoop = kinds[0] == IteratorKind::Reduction ? 0 : 1;
  if (kinds[found.rowLoop] != IteratorKind::Reduction ||
      kinds[1 - found.rowLoop] != IteratorKind::Parallel ||
      std::ranges::find(sizes, kDynamic) != sizes.end())
    return std::nullopt;
  found.rows = sizes[found.rowLoop], found.columns = sizes[1 - found.rowLoop];
  if (!std::ranges::all_of(structured.body().ops(), isComputation) || !findCombiner(found) ||
      !readOperands(found))
    return std::nullopt;
  return found;
}

/// Parts of whole words that leave the fewest rows; none where the columns can be shared out, or all is short.
Parts partsOf(const ColumnReduction& found) {
  const int64_t words = aie::kWordBytes / std::gcd<int64_t>(aie::kWordBytes, found.rowBytes);
  const bool isLong = found.rowBytes >= (words == 1 ? kLongRowBytes : kMostRowBytes);
  if (isLong || found.rows * found.rowBytes < kLeastBytes) return {};
  const int64_t most = std::min(kPartBytes / found.rowBytes, found.rows / kParts) / words * words;
  Parts best{0, 0, found.rows};
  for (int64_t rows = most; rows >= std::max(words, most / 2); rows -= words) {
    const int64_t count = found.rows / rows / kParts * kParts, rest = found.rows - count * rows;
    if (count && rest < best.rest) best = {count, rows, rest};
  }
  return best;
}

class ColumnSplitter {
 public:
  ColumnSplitter(const ColumnReduction& found, const Parts& parts)
      : op_(found.op), found_(found), parts_(parts), rewriter_(op_->context()) {}

  void run() {
    rewriter_.setBefore(*op_.op());
    const Value results = reduceParts();
    if (parts_.rest) reduceRest();
    combine(results);
    Builder after = Builder::after(*op_.op());
    memref::DeallocOp::create(after, op_->location(), results);
    rewriter_.eraseOp(*op_.op());
  }

 private:
  AffineMap map(unsigned loops, std::vector<unsigned> dims) const {
    std::vector<AffineExpr> results;
    for (const unsigned dim : dims)
      results.push_back(AffineExpr::dim(op_->context(), dim));
    return AffineMap::get(op_->context(), loops, 0, results);
  }

  /// Rows of an operand, from `first` on.
  Value rowsOf(Value buffer, int64_t first, int64_t count) {
    const auto shape = buffer.type().cast<MemRefType>().shape();
    std::vector<memref::MixedIndex> offsets(shape.size(), int64_t{0}),
        ones(shape.size(), int64_t{1}), sizes(shape.begin(), shape.end());
    if (sizes[0] == memref::MixedIndex(count)) return buffer;
    offsets[0] = first, sizes[0] = count;
    return memref::SubViewOp::create(rewriter_, op_->location(), buffer, offsets, sizes, ones)
        ->result();
  }

  Value reduceParts() {
    const Location location = op_->location();
    std::vector<Value> inputs;
    std::vector<AffineMap> maps = op_.indexingMaps();
    for (unsigned i = 0; i < op_.numInputs(); ++i) {
      inputs.push_back(inParts(op_->operand(i), maps[i]));
      maps[i] = ofParts(maps[i]);
    }
    maps.back() = map(3, {0, 2});
    const Value results = neutralParts();  // next to the op that uses it, so that cores fill it
    const StructuredOp made = linalg::createGeneric(
        rewriter_, location, inputs, {&results, 1}, maps,
        std::vector{IteratorKind::Parallel, IteratorKind::Reduction, IteratorKind::Parallel});
    linalg::copyBody(op_, made);
    return results;
  }

  Value neutralParts() {
    const Location location = op_->location();
    const Type element = elementTypeOrSelf(op_.outputs()[0].type());
    const std::vector<int64_t> shape = {parts_.count, found_.columns};
    const Value parts = memref::AllocOp::create(rewriter_, location,
                                                MemRefType::get(op_->context(), shape, element))
                            .result();
    const Value neutral = rewriter_.constant(location, neutralOf(found_.kind, element));
    linalg::createNamedOp(rewriter_, location, "linalg.fill", {&neutral, 1}, {&parts, 1});
    return parts;
  }

  Value inParts(Value operand, AffineMap map) {
    if (!hasRows(map, found_.rowLoop)) return operand;
    const Value rows = rowsOf(operand, 0, parts_.count * parts_.rows);
    std::vector<int64_t> shape = {parts_.count, parts_.rows};
    memref::Reassociation groups = {{0, 1}};
    if (map.numResults() == 2) shape.push_back(found_.columns), groups.push_back({2});
    return memref::ExpandShapeOp::create(rewriter_, op_->location(), rows, shape, groups).result();
  }

  AffineMap ofParts(AffineMap before) const {
    if (before.numResults() == 0) return map(3, {});
    if (before.numResults() == 2) return map(3, {0, 1, 2});
    return hasRows(before, found_.rowLoop) ? map(3, {0, 1}) : map(3, {2});
  }

  void reduceRest() {
    std::vector<Value> inputs;
    const std::vector<AffineMap> maps = op_.indexingMaps();
    for (unsigned i = 0; i < op_.numInputs(); ++i) {
      const Value operand = op_->operand(i);
      inputs.push_back(hasRows(maps[i], found_.rowLoop)
                           ? rowsOf(operand, found_.rows - parts_.rest, parts_.rest)
                           : operand);
    }
    const Value result = op_.outputs()[0];
    linalg::copyBody(op_, linalg::createGeneric(rewriter_, op_->location(), inputs, {&result, 1},
                                                maps, op_.iterators()));
  }

  void combine(Value results) {
    const Value result = op_.outputs()[0];
    const StructuredOp made =
        linalg::createGeneric(rewriter_, op_->location(), {&results, 1}, {&result, 1},
                              std::vector{map(2, {0, 1}), map(2, {1})},
                              std::vector{IteratorKind::Reduction, IteratorKind::Parallel});
    Builder body = Builder::atEnd(made.body());
    const Value sum =
        body.create(op_->location(), found_.combiner->name(),
                    {made.bodyArgument(1), made.bodyArgument(0)}, {made.bodyArgument(1).type()})
            ->result();
    body.create(op_->location(), "linalg.yield", {sum}, {});
    if (found_.kind == AtomicKind::AddF)
      made->setAttr(linalg::kSumLanes, rewriter_.i64Attr(parts_.count));
  }

  StructuredOp op_;
  const ColumnReduction& found_;
  const Parts parts_;
  Rewriter rewriter_;
};

class SplitColumns : public Pass {
 public:
  SplitColumns() : Pass("air-split-columns", "Sums up the columns of long matrices in parts") {
    anchor("func.func");
    example("airlite-opt --air-split-columns in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    std::vector<ColumnReduction> found;
    function.walk([&](Operation& op) {
      if (op.parentOp() != &function) return;
      if (const auto reduction = columnReduction(op)) found.push_back(*reduction);
    });
    bool changed = false;
    for (const ColumnReduction& reduction : found) {
      const Parts parts = partsOf(reduction);
      if (!parts.count) continue;
      if (!changed) context.declareEffectChange(CountedEffect::Store, "sums of parts are stored");
      changed = true;
      ColumnSplitter(reduction, parts).run();
    }
    return changedIf(changed);
  }
};

}  // namespace

void registerSplitColumns(PassRegistry& registry) { registry.add<SplitColumns>(); }

}  // namespace airlite
