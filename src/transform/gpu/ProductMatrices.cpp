#include "ProductMatrices.hpp"

#include "Followers.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"

#include <algorithm>
#include <array>

namespace airlite::gpu {
namespace {

/// Fewer rows, columns or products of a sum do not make up for copies of the operands.
constexpr int64_t kLeastOfMatrix = 16;

/// The loops of a product by the operands that they index.
struct ProductLoops {
  enum Kind : unsigned { Batch, Rows, Columns, Sums };
  std::array<std::vector<unsigned>, 4> of;
  std::vector<int64_t> sizes;

  int64_t count(Kind kind) const {
    int64_t all = 1;
    for (unsigned loop : of[kind])
      all *= sizes[loop];
    return all;
  }
};

/// None: some loop is none of these, a size is not known, or an operand is indexed otherwise than by loops.
std::optional<ProductLoops> productLoops(linalg::StructuredOp op) {
  ProductLoops loops;
  loops.sizes = op.loopSizes();
  const std::vector<AffineMap> maps = op.indexingMaps();
  for (AffineMap map : maps)
    if (!map.isProjectedPermutation() || std::ranges::any_of(map.results(), [](AffineExpr place) {
          return place.kind() != AffineKind::Dim;
        }))
      return std::nullopt;
  const auto uses = [&](unsigned operand, unsigned loop) {
    return std::ranges::any_of(maps[operand].results(),
                               [&](AffineExpr place) { return place.position() == loop; });
  };
  for (unsigned loop = 0; loop < op.numLoops(); ++loop) {
    const bool a = uses(0, loop), b = uses(1, loop), c = uses(2, loop);
    if (loops.sizes[loop] == kDynamic || a + b + c < 2) return std::nullopt;
    const auto kind = !c   ? ProductLoops::Sums
                      : !b ? ProductLoops::Rows
                      : !a ? ProductLoops::Columns
                           : ProductLoops::Batch;
    loops.of[kind].push_back(loop);
  }
  return loops;
}

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
    if (!layouts[2].isView) begin(matrices[2], layouts[2]);
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

  /// Of an operand as a batch of matrices.
  struct Layout {
    std::array<Kind, 2> kinds;  ///< of its last two dimensions
    std::vector<int64_t>
        order;  ///< for each loop in the order of the matrices, the dimension of the operand
    std::vector<int64_t> sizes;    ///< of these loops
    memref::Reassociation groups;  ///< which of them are one dimension
    bool isView = false;           ///< the operand lies so
  };

  static MemRefType typeOf(Value value) { return value.type().cast<MemRefType>(); }

  /// The kind of the last dimension of the operand stays last.
  Layout layoutOf(unsigned operand) const {
    constexpr std::array<std::array<Kind, 2>, 3> kKinds = {
        {{Kind::Rows, Kind::Sums}, {Kind::Columns, Kind::Sums}, {Kind::Rows, Kind::Columns}}};
    Layout layout{kKinds[operand], {}, {}, {}, false};
    const AffineMap map = maps_[operand];
    const unsigned last = map.results().back().position();
    if (std::ranges::count(loops_.of[layout.kinds[0]], last))
      std::swap(layout.kinds[0], layout.kinds[1]);
    for (unsigned loop : loops_.of[Kind::Batch])
      add(layout, map, {&loop, 1});
    for (Kind kind : layout.kinds)
      add(layout, map, loops_.of[kind]);
    const MemRefType type = typeOf(op_->operand(operand));
    layout.isView = std::ranges::is_sorted(layout.order) &&
                    memref::CollapseShapeOp::inferType(type, layout.groups);
    return layout;
  }

  void add(Layout& layout, AffineMap map, std::span<const unsigned> loops) const {
    layout.groups.emplace_back();
    for (unsigned loop : loops) {
      layout.groups.back().push_back(std::ssize(layout.order));
      int64_t dim = 0;
      while (map.result(static_cast<unsigned>(dim)).position() != loop)
        ++dim;
      layout.order.push_back(dim);
      layout.sizes.push_back(loops_.sizes[loop]);
    }
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
    if (!before || !before->is("linalg.fill"))
      return bring(op_->operand(2), expand(results, layout), layout.order);
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
  ProductShape shape;
  if (!op.onBuffers() || !linalg::isMultiplyAdd(op) || productObstacle(op, device, shape).empty())
    return false;
  const auto loops = productLoops(op);
  if (!loops) return false;
  shape = {};
  for (const auto kind : {ProductLoops::Rows, ProductLoops::Columns, ProductLoops::Sums}) {
    if (loops->count(kind) < kLeastOfMatrix) return false;
    shape.sizes.push_back(loops->count(kind));
  }
  shape.n = 1;
  shape.k = 2;
  if (!elementObstacle(op, device, shape).empty() || (exact && shape.factor.isFloat()) ||
      !planProduct(shape, device, wishes))
    return false;
  MatrixWriter(op, *loops).write();
  return true;
}

}  // namespace airlite::gpu
