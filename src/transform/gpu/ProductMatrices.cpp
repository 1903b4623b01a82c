#include "ProductMatrices.hpp"

#include "Followers.hpp"
#include "MatrixLayout.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"

#include <array>

namespace airlite::gpu {
namespace {

/// The loops of the new product: those of the batch, then one of rows, of columns and of sums.
class MatrixWriter {
 public:
  MatrixWriter(linalg::StructuredOp op, const ProductLoops& loops)
      : op_(op), loops_(loops), maps_(op.indexingMaps()), builder_(Builder::before(*op.op())) {}

  void write() {
    const std::array layouts = {layoutOf(0), layoutOf(1), layoutOf(2)};
    std::vector<Value> matrices;
    for (unsigned i = 0; i < 3; ++i)
      matrices.push_back(layouts[i].isView ? collapse(op_->operand(i), layouts[i])
                                           : allocate(i, layouts[i]));
    for (unsigned i = 0; i < 2; ++i)
      if (!layouts[i].isView)
        bring(op_->operand(i), expand(matrices[i], layouts[i]), layouts[i].order);
    begin(matrices[2], layouts[2]);
    multiply(matrices, layouts);
    if (!layouts[2].isView)
      bring(expand(matrices[2], layouts[2]), op_->operand(2),
            linalg::inversePermutation(layouts[2].order));
    for (unsigned i = 0; i < 3; ++i)
      if (!layouts[i].isView) memref::DeallocOp::create(builder_, op_->location(), matrices[i]);
    op_->erase();
  }

 private:
  using Kind = ProductLoops::Kind;

  using Layout = MatrixLayout;

  static MemRefType typeOf(Value value) { return value.type().cast<MemRefType>(); }

  Layout layoutOf(unsigned operand) const {
    return layoutOfMatrices(loops_, operand, maps_[operand], typeOf(op_->operand(operand)));
  }

  Value collapse(Value operand, const Layout& layout) {
    if (layout.groups.size() == layout.order.size()) return operand;
    return memref::CollapseShapeOp::create(builder_, op_->location(), operand, layout.groups)
        .result();
  }

  Value expand(Value matrices, const Layout& layout) {
    if (layout.groups.size() == layout.order.size()) return matrices;
    return memref::ExpandShapeOp::create(builder_, op_->location(), matrices, layout.sizes,
                                         layout.groups)
        .result();
  }

  Value allocate(unsigned operand, const Layout& layout) {
    std::vector<int64_t> shape;
    for (unsigned loop : loops_.of[Kind::Batch])
      shape.push_back(loops_.sizes[loop]);
    for (Kind kind : layout.kinds)
      shape.push_back(loops_.count(kind));
    const MemRefType like = typeOf(op_->operand(operand));
    return memref::AllocOp::create(builder_, op_->location(),
                                   MemRefType::get(op_->context(), shape, like.elementType(),
                                                   Attribute(), like.memorySpace()))
        .result();
  }

  void bring(Value from, Value to, const std::vector<int64_t>& order) {
    linalg::createTranspose(builder_, op_->location(), from, to, order);
  }

  /// What the results are before the product. They are all written after it: what has filled them need not.
  void begin(Value results, const Layout& layout) {
    const linalg::StructuredOp before = writerBefore(*op_.op(), op_->operand(2), true);
    if (!before || !before->is("linalg.fill")) {
      if (!layout.isView) bring(op_->operand(2), expand(results, layout), layout.order);
      return;
    }
    const Value number = before->operand(0);
    linalg::createNamedOp(builder_, op_->location(), "linalg.fill", {&number, 1}, {&results, 1});
    before->erase();
  }

  AffineMap mapOf(const Layout& layout) const {
    const auto batch = static_cast<unsigned>(loops_.of[Kind::Batch].size());
    std::vector<AffineExpr> places;
    for (unsigned i = 0; i < batch; ++i)
      places.push_back(AffineExpr::dim(op_->context(), i));
    for (Kind kind : layout.kinds)
      places.push_back(AffineExpr::dim(op_->context(), batch + kind - Kind::Rows));
    return AffineMap::get(op_->context(), batch + 3, 0, places);
  }

  void multiply(const std::vector<Value>& matrices, const std::array<Layout, 3>& layouts) {
    std::vector<AffineMap> maps;
    for (const Layout& layout : layouts)
      maps.push_back(mapOf(layout));
    std::vector<linalg::IteratorKind> kinds(maps[0].numDims(), linalg::IteratorKind::Parallel);
    kinds.back() = linalg::IteratorKind::Reduction;
    const std::span operands(matrices);
    linalg::copyBody(op_, linalg::createGeneric(builder_, op_->location(), operands.first(2),
                                                operands.last(1), maps, kinds));
  }

  linalg::StructuredOp op_;
  const ProductLoops& loops_;
  std::vector<AffineMap> maps_;
  Builder builder_;
};

}  // namespace

bool makeMatrices(linalg::StructuredOp op, const amdgpu::GpuDevice& device,
                  const ProductWishes& wishes, bool exact) {
  const auto loops = loopsOfMatrices(op, device, wishes, exact);
  if (!loops) return false;
  MatrixWriter(op, *loops).write();
  return true;
}

}  // namespace airlite::gpu
