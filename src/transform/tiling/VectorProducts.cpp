// air-vector-products: products of a matrix and a vector take the form that does them best.
//
// Matches structured multiply-adds on contiguous buffers of the host in which one loop makes results, one makes sums, and all
// others run once: matvec, vecmat, products of matrices with one row or one column, however their operands lie.
//
//   rows of the matrix along the sums     y[m]    += A[m, k] * x[k]            a reduction of rows (air-fuse-rows)
//   rows of the matrix along the results  y[1, n] += x[1, k] * A[k, n]         one row of a product (air-tile-linalg)
//
// In both forms the matrix comes as it lies in memory, through all columns of the array. Operands become views with these
// dimensions, and the matrix is the operand that the form names; what fills the result fills the view.
//
// Declines: products that have the form already, bodies that would have to change as operands of different types change places.
#include "CollapsedViews.hpp"
#include "FillBefore.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace airlite {

using linalg::IteratorKind;
using linalg::StructuredOp;

namespace {

/// The matrix is operand `matrix` of `op`, of results times sums where its rows lie along the sums, else the other way around.
struct VectorProduct {
  StructuredOp op;
  unsigned matrix = 0;
  int64_t results = 1, sums = 1;
  bool alongSums = false;

  unsigned vector() const { return 1 - matrix; }
};

bool uses(const AffineMap& map, unsigned loop) {
  return std::ranges::any_of(map.results(), [&](AffineExpr index) { return index.usesDim(loop); });
}

bool isReadable(StructuredOp op) {
  const std::vector<AffineMap> maps = op.indexingMaps();
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    const MemRefType type = tiling::contiguousType(op->operand(i));
    if (!type || air::memoryLevel(type) != air::MemoryLevel::L3 ||
        !maps[i].isProjectedPermutation())
      return false;
  }
  return true;
}

std::optional<VectorProduct> readProduct(StructuredOp op) {
  if (!op.onBuffers() || !linalg::multipliesMatrices(op) || !isReadable(op)) return std::nullopt;
  const std::vector<int64_t> sizes = op.loopSizes();
  std::optional<unsigned> results, sums;
  for (unsigned loop = 0; loop < op.numLoops(); ++loop) {
    if (sizes[loop] == 1) continue;
    std::optional<unsigned>& role = op.iterators()[loop] == IteratorKind::Parallel ? results : sums;
    if (role) return std::nullopt;
    role = loop;
  }
  if (!results || !sums) return std::nullopt;
  const std::vector<AffineMap> maps = op.indexingMaps();
  const unsigned matrix = uses(maps[0], *results) ? 0 : 1;
  VectorProduct product{op, matrix, sizes[*results], sizes[*sums]};
  for (const AffineExpr& index : maps[matrix].results())
    if (index.usesDim(*results) || index.usesDim(*sums)) product.alongSums = index.usesDim(*sums);
  return product;
}

/// Views of operands, each with the dimensions of a form.
class Former {
 public:
  bool run(const VectorProduct& product) {
    const bool alongSums = product.alongSums;
    const unsigned matrix = alongSums ? 0 : 1;
    if (hasForm(product) || (product.matrix != matrix && !haveOneType(product.op))) return false;
    const std::vector<int64_t> ofVector = row(product, product.sums),
                               ofResult = row(product, product.results);
    const std::vector<int64_t> ofMatrix = alongSums ? std::vector{product.results, product.sums}
                                                    : std::vector{product.sums, product.results};
    Operation* fill = tiling::fillBefore(product.op);
    StructuredOp op =
        product.op->is("linalg.generic") ? product.op : tiling::generalized(product.op);
    const Value a = shaped(op->operand(product.matrix), ofMatrix),
                x = shaped(op->operand(product.vector()), ofVector),
                result = shaped(op->operand(2), ofResult);
    if (product.matrix != matrix) exchangeFactors(op);
    op->setOperand(matrix, a), op->setOperand(1 - matrix, x), op->setOperand(2, result);
    if (fill) fill->setOperand(1, result);
    setLoops(op, alongSums);
    return true;
  }

  void finish() { views_.remakeBuffers(); }

 private:
  static std::vector<int64_t> row(const VectorProduct& product, int64_t size) {
    return product.alongSums ? std::vector{size} : std::vector{int64_t{1}, size};
  }

  static bool hasForm(const VectorProduct& product) {
    const std::vector<int64_t> wanted = row(product, product.sums);
    const auto shape = product.op->operand(product.vector()).type().cast<MemRefType>().shape();
    return product.matrix == (product.alongSums ? 0 : 1) &&
           product.op.numLoops() == (product.alongSums ? 2 : 3) &&
           std::ranges::equal(shape, wanted);
  }

  static bool haveOneType(StructuredOp op) {
    return elementTypeOrSelf(op->operand(0).type()) == elementTypeOrSelf(op->operand(1).type());
  }

  /// In the body.
  static void exchangeFactors(StructuredOp op) {
    const Value a = op.bodyArgument(0), b = op.bodyArgument(1);
    for (Operation& inner : op.body().ops())
      for (unsigned i = 0; i < inner.numOperands(); ++i) {
        const Value before = inner.operand(i);
        if (before == a || before == b) inner.setOperand(i, before == a ? b : a);
      }
  }

  /// Of rows along the sums: results, sums. Else: the one row, results, sums.
  static void setLoops(StructuredOp op, bool alongSums) {
    Context& context = op->context();
    const unsigned loops = alongSums ? 2 : 3;
    const auto map = [&](std::initializer_list<unsigned> dims) {
      std::vector<AffineExpr> results;
      for (unsigned dim : dims)
        results.push_back(AffineExpr::dim(context, dim));
      return AffineMapAttr::get(AffineMap::get(context, loops, 0, results));
    };
    const std::vector<Attribute> maps =
        alongSums ? std::vector<Attribute>{map({0, 1}), map({1}), map({0})}
                  : std::vector<Attribute>{map({0, 2}), map({2, 1}), map({0, 1})};
    const std::vector<IteratorKind> before = op.iterators();
    const auto kindOf = [&](IteratorKind kind) {
      const auto at = std::ranges::find(before, kind) - before.begin();
      return op->attrOf<ArrayAttr>("iterator_types")[static_cast<size_t>(at)];
    };
    std::vector<Attribute> kinds(loops, kindOf(IteratorKind::Parallel));
    kinds.back() = kindOf(IteratorKind::Reduction);
    op->setAttr("indexing_maps", ArrayAttr::get(context, maps));
    op->setAttr("iterator_types", ArrayAttr::get(context, kinds));
  }

  Value shaped(Value buffer, const std::vector<int64_t>& shape) {
    const auto type = buffer.type().cast<MemRefType>();
    if (std::ranges::equal(type.shape(), shape)) return buffer;
    const Value flat = views_.of(buffer, withoutOnes(type));
    if (std::ranges::equal(flat.type().cast<MemRefType>().shape(), shape)) return flat;
    // What is missing is one dimension of one element, in front.
    tiling::ViewPlace place(flat);
    return memref::ExpandShapeOp::create(place.builder, place.location, flat, shape, {{0, 1}})
        .result();
  }

  /// Dimensions of one element go with those next to them.
  static memref::Reassociation withoutOnes(MemRefType type) {
    memref::Reassociation groups(1);
    bool isFull = false;
    for (int64_t dim = 0; dim < type.rank(); ++dim) {
      const bool isLong = type.dim(static_cast<unsigned>(dim)) != 1;
      if (isLong && isFull) groups.emplace_back();
      isFull |= isLong;
      groups.back().push_back(dim);
    }
    return groups;
  }

  tiling::CollapsedViews views_;
};

class VectorProducts : public Pass {
 public:
  VectorProducts()
      : Pass("air-vector-products", "Gives products of a matrix and a vector their best form") {
    anchor("func.func");
    example("airlite-opt --air-vector-products in.mlir");
  }

  PassResult run(Operation& function, PassContext&) override {
    std::vector<VectorProduct> products;
    function.walk([&](Operation& op) {
      if (const StructuredOp structured = linalg::asStructured(&op);
          structured && op.parentOp() == &function)
        if (const auto product = readProduct(structured)) products.push_back(*product);
    });
    Former former;
    bool changed = false;
    for (const VectorProduct& product : products)
      changed |= former.run(product);
    former.finish();
    return changedIf(changed);
  }
};

}  // namespace

void registerVectorProducts(PassRegistry& registry) { registry.add<VectorProducts>(); }

}  // namespace airlite
