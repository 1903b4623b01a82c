#include "MatrixLayout.hpp"

#include <algorithm>

namespace airlite::gpu {
namespace {

/// Fewer rows, columns or products of a sum do not make up for copies of the operands.
constexpr int64_t kLeastOfMatrix = 16;

using Kind = ProductLoops::Kind;

void add(MatrixLayout& layout, const ProductLoops& all, AffineMap map,
         std::span<const unsigned> loops) {
  layout.groups.emplace_back();
  for (unsigned loop : loops) {
    layout.groups.back().push_back(std::ssize(layout.order));
    int64_t dim = 0;
    while (map.result(static_cast<unsigned>(dim)).position() != loop)
      ++dim;
    layout.order.push_back(dim);
    layout.sizes.push_back(all.sizes[loop]);
  }
}

}  // namespace

int64_t ProductLoops::count(Kind kind) const {
  int64_t all = 1;
  for (unsigned loop : of[kind])
    all *= sizes[loop];
  return all;
}

Kind ProductLoops::kindOf(unsigned loop) const {
  for (Kind kind : {Batch, Rows, Columns})
    if (std::ranges::count(of[kind], loop)) return kind;
  return Sums;
}

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
    const Kind kind = !c   ? ProductLoops::Sums
                      : !b ? ProductLoops::Rows
                      : !a ? ProductLoops::Columns
                           : ProductLoops::Batch;
    loops.of[kind].push_back(loop);
  }
  return loops;
}

std::optional<ProductLoops> loopsOfMatrices(linalg::StructuredOp op,
                                            const amdgpu::GpuDevice& device,
                                            const ProductWishes& wishes, bool exact) {
  ProductShape shape;
  if (!op.onBuffers() || !linalg::isMultiplyAdd(op) || productObstacle(op, device, shape).empty())
    return std::nullopt;
  auto loops = productLoops(op);
  if (!loops) return std::nullopt;
  shape = {};
  for (const auto kind : {ProductLoops::Rows, ProductLoops::Columns, ProductLoops::Sums}) {
    if (loops->count(kind) < kLeastOfMatrix) return std::nullopt;
    shape.sizes.push_back(loops->count(kind));
  }
  shape.n = 1;
  shape.k = 2;
  if (!elementObstacle(op, device, shape).empty() || (exact && shape.factor.isFloat()) ||
      !planProduct(shape, device, wishes))
    return std::nullopt;
  return loops;
}

MatrixLayout layoutOfMatrices(const ProductLoops& loops, unsigned operand, AffineMap map,
                              MemRefType type) {
  constexpr std::array<std::array<Kind, 2>, 3> kKinds = {
      {{Kind::Rows, Kind::Sums}, {Kind::Columns, Kind::Sums}, {Kind::Rows, Kind::Columns}}};
  MatrixLayout layout{kKinds[operand], {}, {}, {}, false};
  if (loops.kindOf(map.results().back().position()) == layout.kinds[0])
    std::swap(layout.kinds[0], layout.kinds[1]);
  for (unsigned loop : loops.of[Kind::Batch])
    add(layout, loops, map, {&loop, 1});
  for (Kind kind : layout.kinds)
    add(layout, loops, map, loops.of[kind]);
  layout.isView = std::ranges::is_sorted(layout.order) &&
                  memref::CollapseShapeOp::inferType(type, layout.groups);
  return layout;
}

}  // namespace airlite::gpu
