// Splits a reduction of loops that are not the last ones in two, the first of which has more results:
//
//   sum[c] = sum of x[n, c, h, w]  ->  part[n, c] = sum of x[n, c, ..];  sum[c] = sum of part[n, c]
//   sum[c] = sum of x[n, h, c]     ->  part[n, c] = sum of x[n, .., c];  sum[c] = sum of part[n, c]
//   sum[c] = sum of x[n, c]        ->  part[p, c] = sum of x'[p, .., c]; sum[c] = sum of part[p, c]
//
// The first form leaves rows, the others read rows side by side.
#include "SplitPoints.hpp"

#include "RowChain.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Vector.hpp"

#include <algorithm>

namespace airlite::gpu {
namespace {

using linalg::IteratorKind;
using linalg::StructuredOp;

/// Elements of a result that are worth a second launch, and of a part of it at least.
constexpr int64_t kLongSum = 64, kShortestSumOfPart = 8;
/// Work-items of a compute unit that hide the time of their loads.
constexpr int64_t kItemsOfUnit = 256;

/// The largest divisor of `size` that is no more than its root and no more than `most`; 1: there is none.
int64_t partsOf(int64_t size, int64_t most) {
  int64_t parts = 1;
  for (int64_t each = 2; each * each <= size && each <= most; ++each)
    if (size % each == 0 && size / each >= kShortestSumOfPart) parts = each;
  return parts;
}

/// One class: which loops number the parts, and both ops, are short questions about the same loops, sizes and maps.
class PointSplitter {
 public:
  PointSplitter(StructuredOp op, const amdgpu::GpuDevice& device)
      : op_(op),
        device_(device),
        builder_(Builder::before(*op)),
        kinds_(op.iterators()),
        sizes_(op.loopSizes()),
        maps_(op.indexingMaps()) {}

  bool run() {
    if (!canSplit() || !(takeOuterLoops() || takeLoop() || takePartOfLoop())) return false;
    if (Operation* before = op_->prev(); before && before->is("linalg.fill"))
      if (before->operand(1) == op_.outputs()[0]) builder_.setBefore(*before);
    const Value parts = reduceParts();
    builder_.setBefore(*op_);
    StructuredOp rest = reduceResults(parts);
    builder_.setAfter(*op_);
    memref::DeallocOp::create(builder_, op_->location(), parts);
    op_->erase();
    splitPoints(rest, device_);
    return true;
  }

 private:
  Context& context() const { return op_->context(); }
  bool isReduced(unsigned loop) const { return kinds_[loop] == IteratorKind::Reduction; }

  bool canSplit() const {
    if (op_.numOutputs() != 1 || !combinerOf(op_, 0)) return false;
    if (!std::ranges::count(kinds_, IteratorKind::Reduction)) return false;
    if (std::ranges::count(sizes_, kDynamic) || std::ranges::count(sizes_, 0)) return false;
    const Type element = elementTypeOrSelf(op_.outputs()[0].type());
    // Parts of 8 and 16 bits would be rounded.
    if (element.isF16() || element.isBF16() || element.isFloat8()) return false;
    if (op_.usesIndices()) return false;
    for (unsigned i = 0; i < op_->numOperands(); ++i)
      if (op_->operand(i).type().isa<MemRefType>() && !isPlain(i)) return false;
    if (!readsOnce() || isOnRows()) return false;
    return std::ranges::all_of(maps_.back().results(), [&](AffineExpr result) {
      return kinds_[result.position()] == IteratorKind::Parallel;
    });
  }

  /// One loop for each dimension of memory without gaps.
  bool isPlain(unsigned operand) const {
    const auto type = op_->operand(operand).type().cast<MemRefType>();
    return maps_[operand].isProjectedPermutation() &&
           (operand == op_.numInputs() || type.hasIdentityLayout());
  }

  /// Of the loops that are reduced, or of the others.
  int64_t points(bool isReduction) const {
    int64_t all = 1;
    for (unsigned loop = 0; loop < sizes_.size(); ++loop)
      if (isReduced(loop) == isReduction) all *= sizes_[loop];
    return all;
  }

  // -- Which loops number the parts ---------------------------------------------------------------

  /// The first of the last loops that are reduced; all loops: the last one is not.
  unsigned innerLoop() const {
    auto inner = static_cast<unsigned>(kinds_.size());
    while (inner > 0 && isReduced(inner - 1))
      --inner;
    return inner;
  }

  /// The last loops are reduced, and are the last ones of what they index, in their order.
  bool hasRows() const {
    const unsigned inner = innerLoop();
    if (inner == kinds_.size()) return false;
    for (unsigned i = 0; i < op_.numInputs(); ++i)
      if (op_->operand(i).type().isa<MemRefType>() && !fitsRows(maps_[i], inner)) return false;
    return true;
  }

  static bool fitsRows(AffineMap map, unsigned inner) {
    const auto results = map.results();
    const unsigned count = map.numDims() - inner;
    if (std::ranges::none_of(results,
                             [&](AffineExpr result) { return result.position() >= inner; }))
      return true;
    if (results.size() < count) return false;
    for (unsigned i = 1; i <= count; ++i)
      if (results[results.size() - i].position() != map.numDims() - i) return false;
    return true;
  }

  bool isOnRows() const { return reducedLoops(op_) && hasRows(); }

  /// Some input is read once, unlike those of a product.
  bool readsOnce() const {
    for (unsigned i = 0; i < op_.numInputs(); ++i)
      if (maps_[i].numResults() == kinds_.size()) return true;
    return false;
  }

  /// Where the last loops are reduced, all reduced ones before them.
  bool takeOuterLoops() {
    if (!hasRows()) return false;
    const unsigned inner = innerLoop();
    int64_t length = 1;
    for (unsigned loop = inner; loop < kinds_.size(); ++loop)
      length *= sizes_[loop];
    if (length < kShortestSumOfPart) return false;
    for (unsigned loop = 0; loop < inner; ++loop)
      if (isReduced(loop)) taken_.push_back(loop);
    return true;
  }

  bool isIdle() const {
    return points(true) >= kLongSum && 2 * points(false) <= device_.computeUnits * kItemsOfUnit;
  }

  /// The first of several loops.
  bool takeLoop() {
    if (!isIdle()) return false;
    for (unsigned loop = 0; loop < kinds_.size(); ++loop) {
      if (!isReduced(loop) || sizes_[loop] == 1 || points(true) / sizes_[loop] < kShortestSumOfPart)
        continue;
      if (points(true) == sizes_[loop]) return false;
      taken_.push_back(loop);
      return true;
    }
    return false;
  }

  /// Memory is seen with the loop in two.
  bool takePartOfLoop() {
    if (!isIdle()) return false;
    for (unsigned loop = 0; loop < kinds_.size(); ++loop) {
      if (!isReduced(loop) || sizes_[loop] != points(true)) continue;
      const int64_t most = device_.computeUnits * kItemsOfUnit / points(false);
      parts_ = partsOf(sizes_[loop], most);
      if (parts_ < 2) return false;
      divided_ = loop;
      return true;
    }
    return false;
  }

  bool isDivided() const { return parts_ > 1; }

  // -- Both ops -----------------------------------------------------------------------------------

  /// Loops of the first op: those of `op_`, and the last one numbers the parts of `divided_`.
  unsigned numLoops() const { return op_.numLoops() + (isDivided() ? 1 : 0); }

  AffineExpr dim(unsigned loop) const { return AffineExpr::dim(context(), loop); }

  AffineMap mapOf(unsigned loops, std::span<const AffineExpr> results) const {
    return AffineMap::get(context(), loops, 0, results);
  }

  AffineMap inputMap(unsigned operand) const {
    std::vector<AffineExpr> results;
    for (AffineExpr result : maps_[operand].results()) {
      if (isDivided() && result.position() == divided_) results.push_back(dim(op_.numLoops()));
      results.push_back(result);
    }
    return mapOf(numLoops(), results);
  }

  Value input(unsigned operand) {
    const Value memref = op_->operand(operand);
    if (!isDivided() || !memref.type().isa<MemRefType>()) return memref;
    const auto old = memref.type().cast<MemRefType>().shape();
    std::vector<int64_t> shape;
    memref::Reassociation groups;
    for (unsigned i = 0; i < old.size(); ++i) {
      groups.push_back({static_cast<int64_t>(shape.size())});
      const bool isInTwo = maps_[operand].result(i).position() == divided_;
      if (isInTwo) shape.push_back(parts_);
      if (isInTwo) groups.back().push_back(static_cast<int64_t>(shape.size()));
      shape.push_back(isInTwo ? old[i] / parts_ : old[i]);
    }
    if (shape.size() == old.size()) return memref;
    return memref::ExpandShapeOp::create(builder_, op_->location(), memref, shape, groups)
        ->result();
  }

  /// Loops of the parts before those of the results.
  std::vector<unsigned> partLoops() const {
    std::vector<unsigned> loops = taken_;
    if (isDivided()) loops.push_back(op_.numLoops());
    for (AffineExpr result : maps_.back().results())
      loops.push_back(result.position());
    return loops;
  }

  Value reduceParts() {
    const Location at = op_->location();
    const Type element = elementTypeOrSelf(op_.outputs()[0].type());
    std::vector<int64_t> shape;
    std::vector<AffineExpr> results;
    for (unsigned loop : partLoops()) {
      shape.push_back(loop < sizes_.size() ? sizes_[loop] : parts_);
      results.push_back(dim(loop));
    }
    const Value parts =
        memref::AllocOp::create(builder_, at, MemRefType::get(context(), shape, element)).result();
    const Value start =
        builder_.constant(at, vector::neutralOf(kindOf(*combinerOf(op_, 0)), element));
    linalg::createNamedOp(builder_, at, "linalg.fill", std::span(&start, 1), std::span(&parts, 1));
    std::vector<Value> inputs;
    std::vector<AffineMap> maps;
    for (unsigned i = 0; i < op_.numInputs(); ++i) {
      inputs.push_back(input(i));
      maps.push_back(inputMap(i));
    }
    maps.push_back(mapOf(numLoops(), results));
    std::vector<IteratorKind> kinds = kinds_;
    kinds.resize(numLoops(), IteratorKind::Parallel);
    for (unsigned loop : taken_)
      kinds[loop] = IteratorKind::Parallel;
    linalg::copyBody(
        op_, linalg::createGeneric(builder_, at, inputs, std::span(&parts, 1), maps, kinds));
    return parts;
  }

  /// Loops of the parts, then those of the results.
  StructuredOp reduceResults(Value parts) {
    const Location at = op_->location();
    const Value result = op_.outputs()[0];
    const auto rank = static_cast<unsigned>(parts.type().cast<MemRefType>().rank());
    const unsigned before = rank - maps_.back().numResults();
    std::vector<AffineExpr> results;
    for (unsigned loop = before; loop < rank; ++loop)
      results.push_back(dim(loop));
    const AffineMap maps[] = {AffineMap::identity(context(), rank), mapOf(rank, results)};
    std::vector<IteratorKind> kinds(rank, IteratorKind::Parallel);
    std::fill_n(kinds.begin(), before, IteratorKind::Reduction);
    auto made = linalg::createGeneric(builder_, at, std::span(&parts, 1), std::span(&result, 1),
                                      maps, kinds);
    Builder body = Builder::atEnd(made.body());
    const Value old = made.bodyArgument(1);
    const Value all =
        body.create(at, combinerOf(op_, 0)->name(), {old, made.bodyArgument(0)}, {old.type()})
            ->result();
    body.create(at, "linalg.yield", {all}, {});
    return made;
  }

  StructuredOp op_;
  const amdgpu::GpuDevice& device_;
  Builder builder_;
  std::vector<IteratorKind> kinds_;
  std::vector<int64_t> sizes_;
  std::vector<AffineMap> maps_;
  std::vector<unsigned> taken_;  ///< loops that number the parts
  unsigned divided_ = 0;         ///< the loop that is made two
  int64_t parts_ = 1;            ///< of that
};

}  // namespace

bool splitPoints(StructuredOp op, const amdgpu::GpuDevice& device) {
  if (!op.onBuffers() || op->numResults() || op.numLoops() == 0) return false;
  return PointSplitter(op, device).run();
}

}  // namespace airlite::gpu
