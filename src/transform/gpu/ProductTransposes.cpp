#include "ProductTransposes.hpp"

#include "Followers.hpp"
#include "GpuModule.hpp"
#include "MatrixLayout.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"

#include <algorithm>

namespace airlite::gpu {
namespace {

using linalg::StructuredOp;

/// What indexes what is transposed, where `map` indexes the side of `known` (operand 0 or 1 of a transpose).
AffineMap mapOfOtherSide(StructuredOp transpose, unsigned known, AffineMap map) {
  const auto maps = transpose.indexingMaps();
  std::vector<AffineExpr> places;
  for (AffineExpr loop : maps[1 - known].results())
    for (unsigned dim = 0; dim < map.numResults(); ++dim)
      if (maps[known].result(dim) == loop) places.push_back(map.result(dim));
  return AffineMap::get(transpose->context(), map.numDims(), 0, places);
}

class TransposeFolder {
 public:
  TransposeFolder(StructuredOp op, const amdgpu::GpuDevice& device, const ProductWishes& wishes,
                  bool exact)
      : op_(op), maps_(op.indexingMaps()) {
    isMatrices_ = productObstacle(op, device, shape_).empty()
                      ? !(exact && shape_.factor.isFloat()) && planProduct(shape_, device, wishes)
                      : false;
    if (!isMatrices_) loops_ = loopsOfMatrices(op, device, wishes, exact);
    for (unsigned i = 0; i < 3 && (isMatrices_ || loops_); ++i)
      operands_.push_back(op->operand(i));
  }

  /// Whether there was something to fold; then `transposes` may have nobody any more who reads what they make.
  bool run(std::vector<Operation*>& transposes) {
    if (operands_.empty()) return false;
    bool changed = false;
    for (unsigned i = 0; i < 2; ++i)
      while (Operation* transpose = takeFactor(i)) {
        transposes.push_back(transpose);
        changed = true;
      }
    if (Operation* last = takeResult()) {
      Operation* const fill = fillBefore();
      rebuild(*last, fill);
      Operation* const ops[] = {fill, op_.op(), last};
      const Value memory[] = {op_->operand(2)};
      eraseWithMemory(ops, memory);
      return true;
    }
    if (!changed) return false;
    rebuild(*op_, nullptr);
    op_->erase();
    return true;
  }

 private:
  static MemRefType typeOf(Value value) { return value.type().cast<MemRefType>(); }

  /// Whether the product's kernel reads or writes along rows of memory then.
  bool isGood(unsigned operand, AffineMap map, Value memref) const {
    if (map.numResults() == 0 || !typeOf(memref).stridedForm()) return false;
    if (loops_) {
      const MatrixLayout layout = layoutOfMatrices(*loops_, operand, map, typeOf(memref));
      return layout.isView && (operand < 2 || layout.kinds[1] == ProductLoops::Columns);
    }
    if (!map.isProjectedPermutation()) return false;
    const AffineExpr last = map.results().back();
    if (last.kind() != AffineKind::Dim) return false;
    const unsigned loop = last.position();
    if (operand == 2) return loop == shape_.n;
    return loop == shape_.k || loop == (operand == 0 ? shape_.m : shape_.n);
  }

  /// The transpose in whose place the product reads what that reads; null: none.
  Operation* takeFactor(unsigned operand) {
    const StructuredOp before = writerBefore(*op_, operands_[operand]);
    if (!before || !before->is("linalg.transpose")) return nullptr;
    const Value from = before->operand(0);
    const AffineMap map = mapOfOtherSide(before, 1, maps_[operand]);
    if (!isGood(operand, map, from) || isWrittenAfter(*before, from)) return nullptr;
    keepUntil(*op_, *before, from);
    operands_[operand] = from;
    maps_[operand] = map;
    return before.op();
  }

  /// Whether an op between `before` and the end of the product writes `memref`.
  bool isWrittenAfter(Operation& before, Value memref) const {
    const Value source = memref::viewSource(memref);
    for (Operation* each = op_.op(); each != &before; each = each->prev())
      if (const StructuredOp writer = linalg::asStructured(each))
        for (Value output : writer.outputs())
          if (memref::viewSource(output) == source) return true;
    return false;
  }

  /// What `first` has read lasts until `last`.
  static void keepUntil(Operation& last, Operation& first, Value memref) {
    const Value source = memref::viewSource(memref);
    std::vector<Operation*> ends;
    for (Operation* each = first.next(); each != &last; each = each->next())
      if (each->is("memref.dealloc") && memref::viewSource(each->operand(0)) == source)
        ends.push_back(each);
    for (Operation* end : ends)
      end->moveAfter(&last);
  }

  Operation* fillBefore() const {
    const StructuredOp fill = writerBefore(*op_, op_->operand(2), true);
    return fill && fill->is("linalg.fill") ? fill.op() : nullptr;
  }

  /// The transpose in whose place the product writes where that does; null: none.
  Operation* takeResult() {
    const Value result = operands_[2];
    Operation* next = op_->next();
    while (next && mayBePassed(*next) && !linalg::asStructured(next))
      next = next->next();
    if (!next || !next->is("linalg.transpose") || next->operand(0) != result) return nullptr;
    Operation* const fill = fillBefore();
    if (!fill) return nullptr;
    const Value to = next->operand(1);
    const AffineMap map = mapOfOtherSide(StructuredOp(next), 0, maps_[2]);
    Operation* const users[] = {fill, op_.op(), next};
    if (!isGood(2, map, to) || !isUsedOnlyBy(result, users)) return nullptr;
    for (unsigned i = 0; i < 2; ++i)
      if (memref::viewSource(operands_[i]) == memref::viewSource(to)) return nullptr;
    // Factors last until the product is where the transpose was.
    for (unsigned i = 0; i < 2; ++i)
      keepUntil(*next, *op_, operands_[i]);
    operands_[2] = to;
    maps_[2] = map;
    return next;
  }

  /// The product of what it reads and writes now, in front of `place`; begun by `fill`, where it is not null.
  void rebuild(Operation& place, Operation* fill) {
    Builder builder = Builder::before(place);
    if (fill) {
      const Value number = fill->operand(0);
      linalg::createNamedOp(builder, fill->location(), "linalg.fill", {&number, 1},
                            {&operands_[2], 1});
    }
    const std::span<const Value> operands(operands_);
    const StructuredOp made = linalg::createGeneric(builder, op_->location(), operands.first(2),
                                                    operands.last(1), maps_, op_.iterators());
    linalg::copyDialectAttributes(op_, made);
    linalg::copyBody(op_, made);
  }

  StructuredOp op_;
  ProductShape shape_;
  bool isMatrices_ = false;            ///< a batch of matrices as it is
  std::optional<ProductLoops> loops_;  ///< of one that becomes such
  std::vector<AffineMap> maps_;
  std::vector<Value> operands_;
};

void dropUnread(std::vector<Operation*>& transposes) {
  while (!transposes.empty()) {
    Operation* const transpose = transposes.back();
    transposes.pop_back();
    std::erase(transposes, transpose);  // two products may have read what it made
    const Value made = transpose->operand(1);
    Operation* const ops[] = {transpose};
    const Value memory[] = {made};
    if (isUsedOnlyBy(made, ops)) eraseWithMemory(ops, memory);
  }
}

}  // namespace

bool foldProductTransposes(Operation& module, const amdgpu::GpuDevice& device,
                           const ProductWishes& wishes, bool exact) {
  std::vector<StructuredOp> products;
  for (StructuredOp op : hostOps(module))
    if (linalg::isMultiplyAdd(op)) products.push_back(op);
  std::vector<Operation*> transposes;
  bool changed = false;
  for (StructuredOp op : products)
    changed |= TransposeFolder(op, device, wishes, exact).run(transposes);
  dropUnread(transposes);
  return changed;
}

}  // namespace airlite::gpu
