// Splits sums of products:
//
//   C += A * B  ->  part[s] = A[.., s * K' + k] * B[s * K' + k, ..];  C += part[0] + part[1] + ...
#include "SplitProduct.hpp"

#include "airlite/dialect/MemRef.hpp"

#include <algorithm>

namespace airlite::gpu {
namespace {

using linalg::IteratorKind;
using linalg::StructuredOp;

/// Products that a part adds at least, and parts at most: each of them writes and reads all results once.
constexpr int64_t kShortestSum = 256, kMostParts = 16;

int64_t groupsOf(const ProductShape& shape, const ProductPlan& plan) {
  const auto blocks = [&](unsigned loop, int64_t block) {
    return (shape.sizes[loop] + block - 1) / block;
  };
  int64_t groups = blocks(shape.m, plan.blockM()) * blocks(shape.n, plan.blockN());
  for (unsigned loop : shape.batch)
    groups *= shape.sizes[loop];
  return groups;
}

int64_t partsOf(StructuredOp op, const ProductShape& shape, const ProductPlan& plan,
                const amdgpu::GpuDevice& device) {
  const bool isKnown =
      std::ranges::none_of(shape.sizes, [](int64_t size) { return size == kDynamic; });
  // Parts of 16 bits would be rounded.
  if (!isKnown || !shape.filter.empty() || shape.result != shape.sum) return 1;
  for (Value operand : op->operands())
    if (!operand.type().cast<MemRefType>().hasIdentityLayout()) return 1;
  const int64_t groups = groupsOf(shape, plan), sums = shape.sizes[shape.k];
  for (int64_t parts = kMostParts; parts > 1; parts /= 2)
    if (groups * parts <= device.computeUnits && sums % (parts * plan.blockK) == 0 &&
        sums / parts >= kShortestSum)
      return parts;
  return 1;
}

class ProductSplitter {
 public:
  ProductSplitter(StructuredOp op, const ProductShape& shape, int64_t parts)
      : op_(op), shape_(shape), parts_(parts), builder_(Builder::before(*op)) {}

  void run(Operation* zeroFill) {
    const Value results = multiplyParts();
    addParts(results, zeroFill != nullptr);
    memref::DeallocOp::create(builder_, location(), results);
    if (zeroFill) zeroFill->erase();
    op_->erase();
  }

 private:
  Location location() const { return op_->location(); }
  Context& context() const { return op_->context(); }

  /// A factor with two dimensions in place of that of the sums.
  Value expanded(unsigned operand) {
    const Value memref = op_->operand(operand);
    const auto old = memref.type().cast<MemRefType>().shape();
    std::vector<int64_t> shape;
    std::vector<std::vector<int64_t>> groups;
    for (unsigned dim = 0; dim < old.size(); ++dim) {
      groups.push_back({static_cast<int64_t>(shape.size())});
      if (!shape_.maps[operand].result(dim).usesDim(shape_.k)) {
        shape.push_back(old[dim]);
        continue;
      }
      groups.back().push_back(static_cast<int64_t>(shape.size()) + 1);
      shape.push_back(parts_);
      shape.push_back(old[dim] / parts_);
    }
    return memref::ExpandShapeOp::create(builder_, location(), memref, shape, groups)->result();
  }

  /// The loop of the parts is the last one.
  AffineMap partMap(unsigned operand) const {
    const unsigned part = op_.numLoops();
    std::vector<AffineExpr> results;
    if (operand == 2) results.push_back(AffineExpr::dim(context(), part));
    for (AffineExpr result : shape_.maps[operand].results()) {
      if (result.usesDim(shape_.k)) results.push_back(AffineExpr::dim(context(), part));
      results.push_back(result);
    }
    return AffineMap::get(context(), part + 1, 0, results);
  }

  Value multiplyParts() {
    const auto whole = op_->operand(2).type().cast<MemRefType>().shape();
    std::vector<int64_t> shape(whole.begin(), whole.end());
    shape.insert(shape.begin(), parts_);
    const Value results =
        memref::AllocOp::create(builder_, location(), MemRefType::get(context(), shape, shape_.sum))
            .result();
    const Attribute zero = shape_.sum.isFloat() ? Attribute(FloatAttr::get(shape_.sum, 0))
                                                : Attribute(IntegerAttr::get(shape_.sum, 0));
    const Value start = builder_.constant(location(), zero);
    linalg::createNamedOp(builder_, location(), "linalg.fill", std::span(&start, 1),
                          std::span(&results, 1));
    const Value factors[] = {expanded(0), expanded(1)};
    const AffineMap maps[] = {partMap(0), partMap(1), partMap(2)};
    auto kinds = op_.iterators();
    kinds.push_back(IteratorKind::Parallel);
    StructuredOp made =
        linalg::createGeneric(builder_, location(), factors, std::span(&results, 1), maps, kinds);
    IRMapping mapping;
    for (unsigned i = 0; i < 3; ++i)
      mapping.map(op_.bodyArgument(i), made.bodyArgument(i));
    Builder body = Builder::atEnd(made.body());
    for (Operation& inner : op_.body().ops())
      body.clone(inner, mapping);
    return results;
  }

  Value partOf(Value results, int64_t part) {
    const auto type = results.type().cast<MemRefType>();
    std::vector<memref::MixedIndex> offsets(type.shape().size(), memref::MixedIndex(0)), sizes,
        strides(type.shape().size(), memref::MixedIndex(1));
    offsets[0] = part;
    for (unsigned dim = 0; dim < type.shape().size(); ++dim)
      sizes.emplace_back(dim == 0 ? 1 : type.dim(dim));
    const Value view =
        memref::SubViewOp::create(builder_, location(), results, offsets, sizes, strides).result();
    std::vector<std::vector<int64_t>> groups = {{0, 1}};
    for (int64_t dim = 2; dim < static_cast<int64_t>(type.shape().size()); ++dim)
      groups.push_back({dim});
    return memref::CollapseShapeOp::create(builder_, location(), view, groups)->result();
  }

  void addParts(Value results, bool startsAtZero) {
    const Value sum = op_->operand(2);
    std::vector<Value> inputs;
    for (int64_t part = 0; part < parts_; ++part)
      inputs.push_back(partOf(results, part));
    const auto rank = static_cast<unsigned>(sum.type().cast<MemRefType>().rank());
    const std::vector<AffineMap> maps(inputs.size() + 1, AffineMap::identity(context(), rank));
    const std::vector<IteratorKind> kinds(rank, IteratorKind::Parallel);
    StructuredOp made =
        linalg::createGeneric(builder_, location(), inputs, std::span(&sum, 1), maps, kinds);
    Builder body = Builder::atEnd(made.body());
    std::vector<Value> numbers;
    for (unsigned i = 0; i < inputs.size() + (startsAtZero ? 0 : 1); ++i)
      numbers.push_back(made.bodyArgument(i));
    const char* add = shape_.sum.isFloat() ? "arith.addf" : "arith.addi";
    Value all = numbers[0];
    for (size_t i = 1; i < numbers.size(); ++i)
      all = body.create(location(), add, {all, numbers[i]}, {shape_.sum})->result();
    body.create(location(), "linalg.yield", {all}, {});
  }

  StructuredOp op_;
  const ProductShape& shape_;
  int64_t parts_;
  Builder builder_;
};

}  // namespace

int64_t splitProduct(StructuredOp op, Operation* zeroFill, const ProductShape& shape,
                     const ProductPlan& plan, const amdgpu::GpuDevice& device) {
  const int64_t parts = partsOf(op, shape, plan, device);
  if (parts > 1) ProductSplitter(op, shape, parts).run(zeroFill);
  return parts;
}

}  // namespace airlite::gpu
