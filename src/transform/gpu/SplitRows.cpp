// Splits a reduction in two: parts of rows, which are rows of their own, and the results of parts.
//
//   sum = sum of x[1048576]  ->  part[g] = sum of x'[g, 8192];  sum = sum of part[128]
//
// Where several loops are reduced the first one numbers the parts, else memory is seen as parts
// (memref.expand_shape).
#include "SplitRows.hpp"

#include "RowChain.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Vector.hpp"

#include <algorithm>

namespace airlite::gpu {
namespace {

using linalg::IteratorKind;
using linalg::StructuredOp;

/// Elements that are worth a second launch, and of a part.
constexpr int64_t kLongRow = 65536;
constexpr int64_t kShortestPart = 1024, kLongestPart = 16384;

int64_t productOf(std::span<const int64_t> sizes) {
  int64_t all = 1;
  for (int64_t size : sizes) {
    if (size == kDynamic) return kDynamic;
    all *= size;
  }
  return all;
}

/// The longest part that divides a row; 0: there is none.
int64_t partLength(int64_t columns) {
  for (int64_t length = kLongestPart; length >= kShortestPart; --length)
    if (columns % length == 0) return length;
  return 0;
}

class Splitter {
 public:
  Splitter(StructuredOp op, unsigned columnLoops)
      : op_(op),
        builder_(Builder::before(*op)),
        rowLoops_(op.numLoops() - columnLoops),
        expands_(columnLoops == 1),
        sizes_(op.loopSizes()) {}

  bool canSplit(const amdgpu::GpuDevice& device) {
    if (op_.numOutputs() != 1 || !combinerOf(op_, 0) || op_.usesIndices()) return false;
    const auto sizes = std::span<const int64_t>(sizes_);
    const int64_t rows = productOf(sizes.first(rowLoops_));
    const int64_t columns = productOf(sizes.subspan(rowLoops_));
    if (rows == kDynamic || columns == kDynamic) return false;
    if (2 * rows > device.computeUnits || columns < kLongRow) return false;
    length_ = expands_ ? partLength(columns) : columns / sizes_[rowLoops_];
    const Type element = elementTypeOrSelf(op_.outputs()[0].type());
    // Parts of 8 and 16 bits would be rounded.
    const bool isNarrow = element.isF16() || element.isBF16() || element.isFloat8();
    if (!length_ || columns / length_ < 2 || isNarrow) return false;
    return std::ranges::all_of(op_.inputs(), [](Value input) {
      const auto type = input.type().dynCast<MemRefType>();
      return !type || type.hasIdentityLayout();
    });
  }

  bool run() {
    if (!findMaps()) return false;
    const auto sizes = std::span<const int64_t>(sizes_);
    parts_ = productOf(sizes.subspan(rowLoops_)) / length_;
    // What the result starts with stays between the two.
    if (Operation* before = op_->prev(); before && before->is("linalg.fill")) {
      if (before->operand(1) == op_.outputs()[0]) builder_.setBefore(*before);
    }
    const Value parts = reduceParts();
    builder_.setBefore(*op_);
    reduceResults(parts);
    builder_.setAfter(*op_);
    memref::DeallocOp::create(builder_, op_->location(), parts);
    op_->erase();
    return true;
  }

 private:
  Context& context() const { return op_->context(); }

  AffineMap mapOf(unsigned loops, std::span<const AffineExpr> results) const {
    return AffineMap::get(context(), loops, 0, results);
  }

  /// Of the inputs: the loop of the columns becomes two.
  bool findMaps() {
    const auto maps = op_.indexingMaps();
    for (unsigned i = 0; i < op_.numInputs(); ++i) {
      std::vector<AffineExpr> results;
      int column = -1;
      for (AffineExpr result : maps[i].results()) {
        const bool isColumn = result.usesDim(rowLoops_);
        if (isColumn && expands_) {
          if (result.kind() != AffineKind::Dim || column >= 0) return false;
          column = static_cast<int>(results.size());
        }
        results.push_back(result);
        if (isColumn && expands_) results.push_back(AffineExpr::dim(context(), rowLoops_ + 1));
      }
      columns_.push_back(column);
      maps_.push_back(mapOf(op_.numLoops() + (expands_ ? 1 : 0), results));
    }
    for (AffineExpr result : maps.back().results())
      if (result.kind() == AffineKind::Dim ? result.position() >= rowLoops_
                                           : result.kind() != AffineKind::Constant)
        return false;
    return true;
  }

  Value expanded(unsigned input) {
    const Value memref = op_->operand(input);
    if (columns_[input] < 0) return memref;
    std::vector<int64_t> shape;
    std::vector<std::vector<int64_t>> groups;
    const auto old = memref.type().cast<MemRefType>().shape();
    for (size_t dim = 0; dim < old.size(); ++dim) {
      groups.push_back({static_cast<int64_t>(shape.size())});
      if (static_cast<int>(dim) != columns_[input]) {
        shape.push_back(old[dim]);
        continue;
      }
      groups.back().push_back(static_cast<int64_t>(shape.size()) + 1);
      shape.push_back(parts_);
      shape.push_back(length_);
    }
    return memref::ExpandShapeOp::create(builder_, op_->location(), memref, shape, groups)
        ->result();
  }

  Value reduceParts() {
    const Location at = op_->location();
    const Type element = elementTypeOrSelf(op_.outputs()[0].type());
    std::vector<int64_t> shape(sizes_.begin(), sizes_.begin() + rowLoops_);
    shape.push_back(parts_);
    const Value parts =
        memref::AllocOp::create(builder_, at, MemRefType::get(context(), shape, element)).result();
    const Value start =
        builder_.constant(at, vector::neutralOf(kindOf(*combinerOf(op_, 0)), element));
    linalg::createNamedOp(builder_, at, "linalg.fill", std::span(&start, 1), std::span(&parts, 1));
    std::vector<Value> inputs;
    for (unsigned i = 0; i < op_.numInputs(); ++i)
      inputs.push_back(expanded(i));
    const unsigned loops = op_.numLoops() + (expands_ ? 1 : 0);
    maps_.push_back(rowsAnd(loops));
    std::vector<IteratorKind> kinds(loops, IteratorKind::Reduction);
    std::fill_n(kinds.begin(), rowLoops_ + 1, IteratorKind::Parallel);
    auto made = linalg::createGeneric(builder_, at, inputs, std::span(&parts, 1), maps_, kinds);
    linalg::copyBody(op_, made);
    return parts;
  }

  /// The rows and the number of the part.
  AffineMap rowsAnd(unsigned loops) const {
    std::vector<AffineExpr> results;
    for (unsigned loop = 0; loop <= rowLoops_; ++loop)
      results.push_back(AffineExpr::dim(context(), loop));
    return mapOf(loops, results);
  }

  void reduceResults(Value parts) {
    const Location at = op_->location();
    const Value result = op_.outputs()[0];
    const auto last = op_.indexingMaps().back().results();
    const std::vector<AffineExpr> results(last.begin(), last.end());
    const AffineMap maps[] = {rowsAnd(rowLoops_ + 1), mapOf(rowLoops_ + 1, results)};
    std::vector<IteratorKind> kinds(rowLoops_ + 1, IteratorKind::Parallel);
    kinds.back() = IteratorKind::Reduction;
    auto made = linalg::createGeneric(builder_, at, std::span(&parts, 1), std::span(&result, 1),
                                      maps, kinds);
    Builder body = Builder::atEnd(made.body());
    const Value arguments[] = {made.bodyArgument(1), made.bodyArgument(0)};
    const Type types[] = {arguments[0].type()};
    const Value all = body.create(at, combinerOf(op_, 0)->name(), arguments, types)->result();
    body.create(at, "linalg.yield", {all}, {});
  }

  StructuredOp op_;
  Builder builder_;
  unsigned rowLoops_;
  bool expands_;  ///< memory is seen as parts
  std::vector<int64_t> sizes_;
  int64_t length_ = 0, parts_ = 0;  ///< of a part, and how many a row has
  std::vector<AffineMap> maps_;     ///< of the op of the parts
  std::vector<int> columns_;        ///< dimension of each input that is split; -1: none
};

}  // namespace

bool splitReduction(StructuredOp op, const amdgpu::GpuDevice& device) {
  const unsigned columns = reducedLoops(op);
  if (!columns || !op.onBuffers() || op->numResults()) return false;
  Splitter splitter(op, columns);
  return splitter.canSplit(device) && splitter.run();
}

}  // namespace airlite::gpu
