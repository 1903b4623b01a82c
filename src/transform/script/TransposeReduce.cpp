// transform.air.transpose_reduce: a linalg.reduce over dimensions that are not the innermost reads
// transposed inputs in which they are, so that its innermost loop adds up neighbours.
//
// The dimensions keep their order among each other, and so do the additions. Declines, with a
// remark: reductions of buffers, inputs of unknown size, dimensions that are innermost already.
#include "ScriptRewrites.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/Tensor.hpp"

#include <algorithm>

namespace airlite {

namespace {

/// The kept dimensions, then the reduced ones.
std::vector<int64_t> innermostLast(std::span<const int64_t> reduced, int64_t rank) {
  std::vector<int64_t> order;
  for (bool wanted : {false, true})
    for (int64_t dim = 0; dim < rank; ++dim)
      if ((std::ranges::find(reduced, dim) != reduced.end()) == wanted) order.push_back(dim);
  return order;
}

Value transposed(Builder& builder, Location location, Value input,
                 std::span<const int64_t> permutation) {
  auto type = input.type().cast<RankedTensorType>();
  std::vector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(type.shape()[static_cast<size_t>(dim)]);
  std::vector<memref::MixedIndex> sizes(shape.begin(), shape.end());
  Value init = tensor::EmptyOp::create(builder, location, sizes, type.elementType())->result();
  return linalg::createTranspose(builder, location, input, init, permutation)->result();
}

std::string_view obstacleTo(linalg::StructuredOp reduce) {
  if (!reduce.onTensors()) return "stays: it does not reduce tensors";
  for (Value input : reduce.inputs()) {
    auto type = input.type().dynCast<RankedTensorType>();
    if (!type || std::ranges::find(type.shape(), kDynamic) != type.shape().end())
      return "stays: the size of an input is not known";
  }
  return {};
}

}  // namespace

bool transposeReduce(Operation& op, PassContext& context) {
  linalg::StructuredOp reduce(&op);
  std::string_view obstacle = obstacleTo(reduce);
  int64_t rank = obstacle.empty() ? reduce.inputs()[0].type().cast<RankedTensorType>().rank() : 0;
  std::vector<int64_t> order =
      innermostLast(op.attrOf<DenseArrayAttr>("dimensions").values(), rank);
  if (obstacle.empty() && std::ranges::is_sorted(order))
    obstacle = "stays: what it reduces is innermost";
  if (!obstacle.empty()) return context.remark(op, obstacle), false;
  Builder builder = Builder::before(op);
  for (unsigned i = 0; i < reduce.numInputs(); ++i)
    op.setOperand(i, transposed(builder, op.location(), reduce.inputs()[i], order));
  size_t reduced = op.attrOf<DenseArrayAttr>("dimensions").values().size();
  std::vector<int64_t> dimensions;
  for (size_t i = order.size() - reduced; i < order.size(); ++i)
    dimensions.push_back(static_cast<int64_t>(i));
  op.setAttr("dimensions", DenseArrayAttr::getI64(op.context(), dimensions));
  return true;
}

}  // namespace airlite
