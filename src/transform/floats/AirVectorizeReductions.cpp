// air-vectorize-reductions: sums and extremes over rows of floats, 16 numbers at a time.
//
// Matches, in air.herd, a structured op (linalg.generic, reduce, matvec) on buffers of static shape with one result of f32 that is
// combined with what the body computes by addf, mulf, maximumf, minimumf, maxnumf or minnumf, or of bf16,
// which is then combined in f32 and rounded once, over a loop
// of 16 rounds or more, or 4 with room after each row (air-align-rows), along which every input lies in a row (its last
// index) or does not move. The op becomes loops (RowsInLanes.hpp): along that one 16 lanes are combined each with its own numbers,
// for up to eight rows side by side whose results lie side by side, in lone rows in up to four
// chains. Then the lanes of eight rows are joined: even ones with odd ones of two vectors, until one
// vector has all results. At last come the numbers that fill no vector, and the result so far.
// Extremes of bf16 are found by their bits as integers of 16 bits: for the greatest number the greatest of them where that is
// positive, else the least; for the least number, without a sign, the greatest where that is negative, else the least. Of a NaN
// with the other sign they know nothing. Squares are marked where only roots that scale bf16 read their sum (RootsOfSums.hpp).
// So the order of a sum is another one; the lane that has the result is marked with air.sum_lanes
// (linalg::kSumLanes).
//
// Several such results that do not need each other (a sum and a sum of squares) become an op each first.
//
// Declines: products of matrices, which the matrix unit makes; rows that do not begin at a multiple
// of 32 bytes, other element types, ops that are not elementwise, linalg.index.
#include "RootsOfSums.hpp"
#include "RowsInLanes.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/dialect/Vector.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"
#include "transform/tiling/OutputsApart.hpp"

#include <algorithm>
#include <limits>

namespace airlite {

namespace {

using linalg::IteratorKind;
using linalg::StructuredOp;

constexpr int64_t kAlignment = 32;
/// Of a row: with fewer, vectors gain nothing.
constexpr int64_t kLeastNumbers = 4;
/// Rows that are joined together: their results are one vector of f32.
constexpr int64_t kGroup = 8;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Signed, those of positive numbers are the greater ones; without a sign, those of negative numbers.
constexpr ExtremeBits kGreatest = {
    {"arith.maxsi", "arith.minsi"}, {INT16_MIN, INT16_MAX}, arith::CmpIPredicate::sge};
constexpr ExtremeBits kLeast = {{"arith.maxui", "arith.minui"}, {0, -1}, arith::CmpIPredicate::slt};
constexpr RowCombiner kCombiners[] = {{"arith.addf", 0, 8},
                                      {"arith.mulf", 1, 8},
                                      {"arith.maximumf", -kInfinity, 4, &kGreatest},
                                      {"arith.maxnumf", -kInfinity, 4, &kGreatest},
                                      {"arith.minimumf", kInfinity, 4, &kLeast},
                                      {"arith.minnumf", kInfinity, 4, &kLeast}};

bool isScalarFloat(Type type) { return type.isF32() || type.isBF16(); }

bool findCombiner(RowReduction& match) {
  StructuredOp op = match.op;
  if (op.numOutputs() != 1 || op.body().back().numOperands() != 1) return false;
  Value result = op.body().back().operand(0), soFar = op.bodyArgument(op.numInputs());
  Operation* combining = result.definingOp();
  if (!combining || combining->block() != &op.body() || !result.hasOneUse() || !soFar.hasOneUse())
    return false;
  if (!isScalarFloat(soFar.type())) return false;
  for (const RowCombiner& combiner : kCombiners)
    if (combining->is(combiner.name)) match.combiner = &combiner;
  const unsigned at = combining->operand(0) == soFar ? 1 : 0;
  if (!match.combiner || combining->operand(1 - at) != soFar) return false;
  match.combining = combining;
  match.combined = combining->operand(at);
  return true;
}

bool isElementwise(Operation& op) {
  if (op.is("linalg.yield") || op.is("arith.constant")) return true;
  const bool isPointwise = op.hasTrait(Trait::Elementwise) || op.is("arith.select");
  if (op.numRegions() != 0 || op.numResults() != 1 || !isPointwise) return false;
  auto isNumber = [](Type type) { return isScalarFloat(type) || type.isInteger(1); };
  return std::ranges::all_of(op.operandTypes(), isNumber) && isNumber(op.result().type());
}

/// Whether a memref begins at a multiple of so many elements of its buffer, wherever the views on the way begin.
bool beginsAligned(Value memref, int64_t elements) {
  if (memref.type().cast<MemRefType>().hasIdentityLayout()) return true;
  Operation* made = memref.definingOp();
  const auto view = made ? dynCast<memref::SubViewOp>(made) : memref::SubViewOp();
  const auto form = view ? view.sourceType().stridedForm() : std::nullopt;
  if (!form) return false;
  const auto offsets = view.staticOffsets(), steps = view.staticStrides();
  for (size_t dim = 0; dim < offsets.size(); ++dim) {
    if (steps[dim] != 1 || form->strides[dim] == kDynamic) return false;
    const bool isMultiple =
        form->strides[dim] % elements == 0 ||
        (offsets[dim] != kDynamic && offsets[dim] * form->strides[dim] % elements == 0);
    if (!isMultiple) return false;
  }
  return beginsAligned(view.source(), elements);
}

/// A part of a buffer whose rows begin where vectors may, whatever index says which.
bool isAlignedPart(Value memref) {
  const auto type = memref.type().cast<MemRefType>();
  const auto form = type.stridedForm();
  const int64_t elements = kAlignment * 8 / type.elementType().bitWidth();
  if (!form || type.rank() == 0 || form->strides.back() != 1) return false;
  for (size_t dim = 0; dim + 1 < form->strides.size(); ++dim)
    if (form->strides[dim] == kDynamic || form->strides[dim] % elements != 0) return false;
  return beginsAligned(memref, elements);
}

/// Does the operand lie in rows along the loop, or not move with it?
bool fitsLoop(StructuredOp op, unsigned input, AffineMap map, unsigned loop) {
  auto type = op->operand(input).type().dynCast<MemRefType>();
  if (!type) return isScalarFloat(op->operand(input).type());
  const auto buffer = bufferOfRows(op->operand(input)).type().cast<MemRefType>();
  if (!buffer.hasStaticShape() || !isScalarFloat(type.elementType())) return false;
  const bool isPart = !buffer.hasIdentityLayout();
  if (isPart && !isAlignedPart(op->operand(input))) return false;
  bool isRow = false;
  for (unsigned r = 0; r < map.numResults(); ++r) {
    AffineExpr index = map.result(r);
    if (index.kind() != AffineKind::Dim) return false;
    if (index.position() != loop) continue;
    if (r + 1 != map.numResults()) return false;
    isRow = true;
  }
  const int64_t bytes = type.elementType().bitWidth() / 8;
  if (!isRow || buffer.rank() == 0 || isPart) return true;
  const int64_t length = buffer.dim(buffer.rank() - 1);
  return buffer.numElements() == length || length * bytes % kAlignment == 0;
}

/// Whether vectors may read on past the end of the rows along the loop, up to a whole number of vectors.
bool haveRoomBehind(StructuredOp op, const std::vector<AffineMap>& maps, unsigned loop,
                    int64_t size) {
  for (unsigned i = 0; i < op.numInputs(); ++i) {
    if (!isAlong(maps[i], loop)) continue;
    const auto type = bufferOfRows(op->operand(i)).type().cast<MemRefType>();
    if (type.dim(type.rank() - 1) < (size + kLanes - 1) / kLanes * kLanes) return false;
  }
  return true;
}

bool isProductOfUnit(StructuredOp op) {
  return linalg::sumDepth(*op.op()) || linalg::unitSumsOf(op).depth;
}

/// Is the reduction a sum of squares whose root alone matters, for numbers of bf16?
bool sumsSquaresForRoots(const RowReduction& found) {
  Operation* square = found.combined.definingOp();
  return found.combining->is("arith.addf") && square && square->is("arith.mulf") &&
         square->operand(0) == square->operand(1) && square->result().type().isF32() &&
         isForRoundedRoots(found.op);
}

std::optional<RowReduction> match(Operation& op) {
  RowReduction found{linalg::asStructured(&op)};
  if (!found.op || op.numRegions() == 0 || !found.op.onBuffers() || isProductOfUnit(found.op) ||
      !findCombiner(found) || !std::ranges::all_of(found.op.body().ops(), isElementwise))
    return std::nullopt;
  const std::vector<AffineMap> maps = found.op.indexingMaps();
  const std::vector<IteratorKind> kinds = found.op.iterators();
  const std::vector<int64_t> sizes = found.op.loopSizes();
  for (unsigned loop = 0; loop < kinds.size(); ++loop) {
    if (kinds[loop] != IteratorKind::Reduction || sizes[loop] < kLeastNumbers) continue;
    bool fits = true, hasRow = false;
    for (unsigned i = 0; i < found.op.numInputs(); ++i) {
      fits &= fitsLoop(found.op, i, maps[i], loop);
      hasRow |= isAlong(maps[i], loop);
    }
    // The result's buffer: one number at a time.
    fits &= fitsLoop(found.op, found.op.numInputs(), maps.back(), loop);
    found.loop = loop;
    found.readsBeyond = fits && haveRoomBehind(found.op, maps, loop, sizes[loop]);
    fits &= found.readsBeyond || sizes[loop] >= kLanes;
    if (!fits || !hasRow || isAlong(maps.back(), loop)) continue;
    found.isForRoundedRoots = sumsSquaresForRoots(found);
    return found;
  }
  return std::nullopt;
}

// -- Rewriting ------------------------------------------------------------------------------------

class RowLoops {
 public:
  explicit RowLoops(const RowReduction& match)
      : match_(match),
        op_(match.op),
        location_(op_->location()),
        result_(op_.numInputs()),
        resultMap_(op_.indexingMaps().back()),
        sizes_(op_.loopSizes()),
        inLanes_(match.readsBeyond ? sizes_[match.loop] : sizes_[match.loop] / kLanes * kLanes),
        rewriter_(op_->context()),
        lanes_(match, rewriter_) {}

  void rewrite() {
    rewriter_.setBefore(*op_.op());
    LoopIndices indices(sizes_.size());
    const std::optional<unsigned> rowLoop = loopOfRows();
    for (unsigned loop = 0; loop < sizes_.size(); ++loop)
      if (loop != match_.loop && loop != rowLoop) indices[loop] = enterLoop(sizes_[loop], 1);
    if (rowLoop)
      combineGroups(indices, *rowLoop);
    else
      combineGroup({indices});
    rewriter_.eraseOp(*op_.op());
  }

 private:
  Value index(int64_t value) { return rewriter_.constantIndex(location_, value); }

  /// The loop along which the results of rows lie side by side.
  std::optional<unsigned> loopOfRows() const {
    for (unsigned loop = 0; loop < sizes_.size(); ++loop)
      if (loop != match_.loop && isAlong(resultMap_, loop)) return loop;
    return std::nullopt;
  }

  Value enterLoop(int64_t end, int64_t step) {
    scf::ForOp made = scf::ForOp::create(rewriter_, location_, index(0), index(end), index(step));
    rewriter_.setBefore(*made.yield());
    return made.inductionVar();
  }

  void combineGroups(const LoopIndices& outer, unsigned rowLoop) {
    const int64_t rest = sizes_[rowLoop] % kGroup, inGroups = sizes_[rowLoop] - rest;
    auto rowsFrom = [&](Value first, int64_t count) {
      std::vector<LoopIndices> rows(static_cast<size_t>(count), outer);
      for (size_t row = 0; row < rows.size(); ++row)
        rows[row][rowLoop] = lanes_.plus(first, static_cast<int64_t>(row));
      return rows;
    };
    InsertPoint after = rewriter_.insertPoint();
    if (inGroups) combineGroup(rowsFrom(enterLoop(inGroups, kGroup), kGroup));
    rewriter_.setInsertPoint(after);
    if (rest) combineGroup(rowsFrom(index(inGroups), rest));
  }

  /// Rows whose results lie side by side, kGroup of them at most.
  void combineGroup(const std::vector<LoopIndices>& rows) {
    const bool areStoredAtOnce = rows.size() == kGroup && fitsVector();
    const JoinedRows totals = lanes_.joined(lanes_.combined(rows), areStoredAtOnce);
    if (areStoredAtOnce) return storeAtOnce(totals.lanes, rows.front());
    for (size_t row = 0; row < rows.size(); ++row)
      storeNumber(lanes_.extract(totals, row), rows[row]);
  }

  /// Can the results of a group be one vector in memory?
  bool fitsVector() const {
    auto type = op_->operand(result_).type().cast<MemRefType>();
    return inLanes_ == sizes_[match_.loop] && type.elementType().isF32() &&
           (type.rank() == 1 || type.dim(type.rank() - 1) % kGroup == 0);
  }

  void storeAtOnce(Value lanes, const LoopIndices& first) {
    auto type = VectorType::get(op_->context(), {&kGroup, 1}, rewriter_.f32());
    auto one = [&](std::string_view name, int64_t number) {
      const Attribute attribute = rewriter_.i64Attr(number);
      return rewriter_.named(name, ArrayAttr::get(op_->context(), {&attribute, 1}));
    };
    Value low = rewriter_
                    .create(location_, "vector.extract_strided_slice", {lanes}, {type},
                            {one("offsets", 0), one("sizes", kGroup), one("strides", 1),
                             rewriter_.named(linalg::kSumLanes, rewriter_.i64Attr(kLanes))})
                    ->result();
    std::vector<Value> place{op_->operand(result_)};
    std::ranges::copy(lanes_.placeOf(result_, first, Value()), std::back_inserter(place));
    Type loaded = type;
    Value soFar = rewriter_.create(location_, "vector.load", place, {&loaded, 1})->result();
    place.insert(place.begin(), lanes_.combine(soFar, low));
    rewriter_.create(location_, "vector.store", place, {});
  }

  void storeNumber(Value total, const LoopIndices& row) {
    if (inLanes_ != sizes_[match_.loop]) total = combineRest(total, row);
    std::vector<Value> place = lanes_.placeOf(result_, row, Value());
    Value buffer = op_->operand(result_);
    Value soFar = memref::LoadOp::create(rewriter_, location_, buffer, place).result();
    total = lanes_.combine(lanes_.wide(soFar), total);
    if (soFar.type() != total.type())
      total = rewriter_.create(location_, "arith.truncf", {total}, {soFar.type()})->result();
    memref::StoreOp::create(rewriter_, location_, total, buffer, place);
  }

  /// The numbers that fill no row of lanes.
  Value combineRest(Value total, const LoopIndices& row) {
    scf::ForOp rest = scf::ForOp::create(rewriter_, location_, index(inLanes_),
                                         index(sizes_[match_.loop]), index(1), {&total, 1});
    InsertPoint after = rewriter_.insertPoint();
    rewriter_.setToEnd(rest.body());
    IRMapping values;
    for (unsigned i = 0; i < op_.numInputs(); ++i)
      values.map(op_.bodyArgument(i), lanes_.loadNumber(i, row, rest.inductionVar()));
    for (Operation& op : op_.body().ops())
      if (!op.is("linalg.yield") && &op != match_.combining) rewriter_.clone(op, values);
    Value sum =
        lanes_.combine(rest.regionIterArgs()[0], lanes_.wide(values.lookupOr(match_.combined)));
    rewriter_.create(location_, "scf.yield", {sum}, {});
    rewriter_.setInsertPoint(after);
    return rest->result(0);
  }

  const RowReduction& match_;
  StructuredOp op_;
  Location location_;
  const unsigned result_;  ///< the number of its operand
  AffineMap resultMap_;
  std::vector<int64_t> sizes_;
  const int64_t inLanes_;  ///< of the loop's rounds: those that fill vectors
  Rewriter rewriter_;
  RowsInLanes lanes_;
};

class VectorizeReductions : public Pass {
 public:
  VectorizeReductions()
      : Pass("air-vectorize-reductions", "Combines rows of floats in herds 16 at a time") {
    option("everywhere", everywhere_, "not only in herds");
    option("sums", sums_,
           "that a loop carries in accumulators, at most; of AIE2P, which has five, 2");
    example("airlite-opt --air-vectorize-reductions in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    context.declareEffectChange(CountedEffect::Store, "structured ops become loops");
    if (sums_ < 1) {
      emitError(module.context(), module.location())
          << "air-vectorize-reductions: expected 'sums' to be positive";
      return PassResult::Failed;
    }
    std::vector<StructuredOp> ops = structuredOps(module);
    const bool changed = splitSums(ops);
    if (changed) ops = structuredOps(module);
    std::vector<RowReduction> found;
    for (StructuredOp op : ops) {
      auto fit = match(*op.op());
      if (!fit) continue;
      fit->mostSums = static_cast<size_t>(sums_);
      found.push_back(*fit);
    }
    for (const RowReduction& fit : found)
      RowLoops(fit).rewrite();
    return changedIf(changed || !found.empty());
  }

 private:
  bool isMeant(Operation& op) const { return everywhere_ || op.parentOf<air::HerdOp>(); }

  std::vector<StructuredOp> structuredOps(Operation& module) const {
    std::vector<StructuredOp> ops;
    module.walk([&](Operation& op) {
      StructuredOp structured = linalg::asStructured(&op);
      if (structured && isMeant(op)) ops.push_back(structured);
    });
    return ops;
  }

  static bool splitSums(const std::vector<StructuredOp>& ops) {
    bool changed = false;
    for (StructuredOp op : ops) {
      const auto parts = op.numOutputs() > 1 ? tiling::sumsApart(op) : std::nullopt;
      if (!parts) continue;
      Rewriter rewriter(op->context());
      tiling::writeApart(rewriter, op, *parts);
      changed = true;
    }
    return changed;
  }

  bool everywhere_ = false;
  int64_t sums_ = kMostSums;
};

}  // namespace

void registerVectorizeReductions(PassRegistry& registry) { registry.add<VectorizeReductions>(); }

}  // namespace airlite
