// Verifiers of the vector ops that compute or rearrange.
#include "VectorInternal.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/support/BlockFloat.hpp"

#include <algorithm>

namespace airlite::vector {

namespace {

std::span<const int64_t> shapeOf(Type type) {
  auto vector = type.dynCast<VectorType>();
  return vector ? vector.shape() : std::span<const int64_t>();
}

bool sameShape(std::span<const int64_t> a, std::span<const int64_t> b) {
  return std::ranges::equal(a, b);
}

LogicalResult verifySameElement(Operation& op) {
  if (elementTypeOrSelf(op.operand(0).type()) == elementTypeOrSelf(op.result().type()))
    return success();
  return op.emitOpError()
         << "failed to verify that source operand and result have same element type";
}

}  // namespace

LogicalResult verifyBroadcast(Operation& op) {
  if (failed(verifySameElement(op))) return failure();
  auto source = op.operand(0).type().dynCast<VectorType>();
  auto result = op.result().type().cast<VectorType>();
  if (!source) return success();
  if (source.rank() > result.rank())
    return op.emitOpError() << "source rank higher than destination rank";
  auto lead = static_cast<size_t>(result.rank() - source.rank());
  for (size_t i = 0; i < source.shape().size(); ++i)
    if (source.dim(i) != 1 && source.dim(i) != result.dim(lead + i))
      return op.emitOpError() << "dimension mismatch (" << source.dim(i) << " vs. "
                              << result.dim(lead + i) << ")";
  return success();
}

// -- extract, insert ----------------------------------------------------------------------------

namespace {

LogicalResult verifyPosition(Operation& op, VectorType vector, std::string_view what) {
  PositionOp view(&op);
  std::span<const int64_t> position = view.staticPosition();
  auto dynamic = std::ranges::count(position, kDynamic);
  if (dynamic != view.dynamicPosition().size())
    return op.emitOpError() << "expected " << dynamic << " dynamic positions, found "
                            << view.dynamicPosition().size();
  for (size_t i = 0; i < position.size(); ++i) {
    if (position[i] == kDynamic) continue;
    if (position[i] < 0 || position[i] >= vector.dim(i))
      return op.emitOpError() << "expected position attribute #" << i + 1
                              << " to be a non-negative integer smaller than the corresponding "
                              << what << " dimension";
  }
  return success();
}

}  // namespace

LogicalResult verifyExtract(Operation& op) {
  auto vector = op.operand(0).type().cast<VectorType>();
  size_t depth = PositionOp(&op).staticPosition().size();
  if (depth > vector.shape().size())
    return op.emitOpError() << "expected position attribute of rank no greater than vector rank";
  if (failed(verifyPosition(op, vector, "vector"))) return failure();
  Type inferred = elementAtDepth(vector, depth), result = op.result().type();
  // A vector of one element stands for the element in older programs.
  auto single = result.dynCast<VectorType>();
  bool oneElement =
      single && single.rank() <= 1 && single.numElements() == 1 && single.elementType() == inferred;
  if (inferred == result || oneElement) return success();
  return op.emitOpError() << "inferred type(s) " << inferred
                          << " are incompatible with return type(s) of operation " << result;
}

LogicalResult verifyInsert(Operation& op) {
  auto dest = op.operand(1).type().cast<VectorType>();
  size_t depth = PositionOp(&op).staticPosition().size();
  if (depth > dest.shape().size())
    return op.emitOpError()
           << "expected position attribute of rank no greater than dest vector rank";
  auto source = op.operand(0).type().dynCast<VectorType>();
  if (source && depth + source.shape().size() != dest.shape().size())
    return op.emitOpError()
           << "expected position attribute rank + source rank to match dest vector rank";
  if (!source && depth != dest.shape().size())
    return op.emitOpError() << "expected position attribute rank to match the dest vector rank";
  if (failed(verifyPosition(op, dest, "dest vector"))) return failure();
  if (op.operand(0).type() == elementAtDepth(dest, depth)) return success();
  return op.emitOpError() << "expected a source of type " << elementAtDepth(dest, depth)
                          << ", found " << op.operand(0).type();
}

LogicalResult verifyElementAccess(Operation& op) {
  unsigned group = static_cast<unsigned>(op.def().operandIndex("position"));
  bool hasPosition = !op.operandGroup(group).empty();
  auto vector = op.operand(op.is("vector.insertelement") ? 1 : 0).type().cast<VectorType>();
  if (vector.rank() == 0 && hasPosition)
    return op.emitOpError() << "expected position to be empty with 0-D vector";
  if (vector.rank() == 1 && !hasPosition)
    return op.emitOpError() << "expected position for 1-D vector";
  return success();
}

LogicalResult verifyFromElements(Operation& op) {
  auto result = op.result().type().cast<VectorType>();
  if (static_cast<int64_t>(op.numOperands()) != result.numElements())
    return op.emitOpError() << "expected " << result.numElements() << " elements, found "
                            << op.numOperands();
  for (Value element : op.operands())
    if (element.type() != result.elementType())
      return op.emitOpError() << "expected elements of type " << result.elementType() << ", found "
                              << element.type();
  return success();
}

// -- Slices -------------------------------------------------------------------------------------

namespace {

/// `value` must lie in [low, high).
LogicalResult verifyConfined(Operation& op, int64_t value, int64_t low, int64_t high,
                             std::string_view what, std::optional<size_t> dim) {
  if (value >= low && value < high) return success();
  std::string where = dim ? " dimension " + std::to_string(*dim) : std::string();
  return op.emitOpError() << "expected " << what << where << " to be confined to [" << low << ", "
                          << high << ")";
}

LogicalResult verifyUnitStrides(Operation& op) {
  for (int64_t stride : integers(op.attr("strides")))
    if (failed(verifyConfined(op, stride, 1, 2, "strides", std::nullopt))) return failure();
  return success();
}

}  // namespace

LogicalResult verifyExtractSlice(Operation& op) {
  auto source = op.operand(0).type().cast<VectorType>();
  std::vector<int64_t> offsets = integers(op.attr("offsets")), sizes = integers(op.attr("sizes"));
  if (offsets.size() != sizes.size() || offsets.size() != integers(op.attr("strides")).size())
    return op.emitOpError() << "expected offsets, sizes and strides attributes of same size";
  if (offsets.size() > source.shape().size())
    return op.emitOpError() << "expected offsets attribute of rank no greater than vector rank";
  std::vector<int64_t> shape(source.shape().begin(), source.shape().end());
  for (size_t i = 0; i < offsets.size(); ++i)
    if (failed(verifyConfined(op, offsets[i], 0, source.dim(i), "offsets", i))) return failure();
  for (size_t i = 0; i < sizes.size(); ++i)
    if (failed(verifyConfined(op, sizes[i], 1, source.dim(i) + 1, "sizes", i))) return failure();
  if (failed(verifyUnitStrides(op))) return failure();
  for (size_t i = 0; i < offsets.size(); ++i) {
    if (failed(verifyConfined(op, offsets[i] + sizes[i], 1, source.dim(i) + 1,
                              "sum(offsets, sizes)", i)))
      return failure();
    shape[i] = sizes[i];
  }
  Type expected = VectorType::get(op.context(), shape, source.elementType());
  if (op.result().type() == expected) return success();
  return op.emitOpError() << "expected result type to be " << expected;
}

LogicalResult verifyInsertSlice(Operation& op) {
  auto source = op.operand(0).type().cast<VectorType>();
  auto dest = op.operand(1).type().cast<VectorType>();
  std::vector<int64_t> offsets = integers(op.attr("offsets"));
  if (offsets.size() != dest.shape().size())
    return op.emitOpError() << "expected offsets of same size as destination vector rank";
  if (integers(op.attr("strides")).size() != source.shape().size())
    return op.emitOpError() << "expected strides of same size as source vector rank";
  if (source.rank() > dest.rank())
    return op.emitOpError() << "expected source rank to be no greater than destination rank";
  if (source.elementType() != dest.elementType())
    return op.emitOpError() << "expected source and destination with one element type";
  size_t lead = dest.shape().size() - source.shape().size();
  for (size_t i = 0; i < offsets.size(); ++i)
    if (failed(verifyConfined(op, offsets[i], 0, dest.dim(i), "offsets", i))) return failure();
  if (failed(verifyUnitStrides(op))) return failure();
  for (size_t i = 0; i < offsets.size(); ++i) {
    int64_t size = i < lead ? 1 : source.dim(i - lead);
    if (failed(verifyConfined(op, offsets[i] + size, 1, dest.dim(i) + 1,
                              "sum(offsets, source vector shape)", i)))
      return failure();
  }
  return success();
}

// -- Arithmetic ---------------------------------------------------------------------------------

namespace {

/// Bitwise kinds need integers, the float kinds floats, the signed and unsigned ones integers.
bool kindSupports(std::string_view kind, Type element) {
  if (kind == "add" || kind == "mul") return element.isIntOrIndexOrFloat();
  if (kind.ends_with('f')) return element.isFloat();
  return element.isIntOrIndex();
}

LogicalResult verifyContractMaps(Operation& op, ContractOp contract,
                                 const std::vector<AffineMap>& maps) {
  size_t iterators = contract.iterators().size();
  for (unsigned i = 0; i < 3; ++i) {
    if (maps[i].numSymbols())
      return op.emitOpError() << "expected indexing map " << i << " to have no symbols";
    if (maps[i].numDims() != iterators)
      return op.emitOpError() << "expected indexing map " << i << " to have " << iterators
                              << " number of inputs";
    size_t rank = shapeOf(op.operand(i).type()).size();
    if (maps[i].numResults() != rank)
      return op.emitOpError() << "expected indexing map " << i << " to have " << rank
                              << " number of outputs";
    if (!maps[i].isProjectedPermutation())
      return op.emitOpError() << "expected indexing map " << i
                              << " to be a projected permutation of its inputs";
  }
  return success();
}

/// Every iterator has one size, reductions come from both sides, the rest makes the result.
LogicalResult verifyContractSizes(Operation& op, ContractOp contract,
                                  const std::vector<AffineMap>& maps) {
  std::vector<std::string_view> iterators = contract.iterators();
  std::vector<int64_t> sizes(iterators.size(), -1);
  std::vector<int> sides(iterators.size(), 0);
  for (unsigned i = 0; i < 2; ++i)
    for (unsigned d = 0; d < maps[i].numResults(); ++d) {
      unsigned iterator = maps[i].result(d).position();
      int64_t size = shapeOf(op.operand(i).type())[d];
      bool reduction = iterators[iterator] == "reduction";
      if (sizes[iterator] >= 0 && sizes[iterator] != size)
        return op.emitOpError() << "invalid " << (reduction ? "contracting" : "batch")
                                << " dimension map";
      sizes[iterator] = size;
      ++sides[iterator];
    }
  for (size_t i = 0; i < sizes.size(); ++i)
    if (iterators[i] == "reduction" && sides[i] != 2)
      return op.emitOpError() << "invalid contracting dimension map";
  std::vector<int64_t> shape;
  for (AffineExpr dim : maps[2].results())
    shape.push_back(sizes[dim.position()]);
  if (std::ranges::find(shape, -1) != shape.end() ||
      !sameShape(shape, shapeOf(op.operand(2).type()))) {
    Type element = elementTypeOrSelf(op.operand(2).type());
    bool known = std::ranges::find(shape, -1) == shape.end();
    std::string expected =
        known ? ", expected: '" + VectorType::get(op.context(), shape, element).str() + "'" : "";
    return op.emitOpError() << "invalid accumulator/result vector shape" << expected;
  }
  return success();
}

LogicalResult verifyContractSumDepth(Operation& op, ContractOp contract,
                                     const std::vector<AffineMap>& maps) {
  if (op.hasAttr(linalg::kBlockFloats) && linalg::sumDepth(op) != int64_t{kBlockLength})
    return op.emitOpError() << "has '" << linalg::kBlockFloats << "', which is for '"
                            << linalg::kSumDepth << "' = " << kBlockLength;
  if (!op.attr(linalg::kSumDepth)) return success();
  if (!elementTypeOrSelf(op.operand(0).type()).isBF16() ||
      !elementTypeOrSelf(op.result().type()).isF32() || contract.kind() != "add")
    return op.emitOpError() << "has '" << linalg::kSumDepth
                            << "', which is for sums in f32 of products of bf16";
  std::vector<std::string_view> iterators = contract.iterators();
  int64_t size = 0;
  for (unsigned d = 0; d < maps[0].numResults(); ++d)
    if (maps[0].result(d).position() + 1 == iterators.size() && iterators.back() == "reduction")
      size = shapeOf(op.operand(0).type())[d];
  const int64_t depth = linalg::sumDepth(op);
  if (depth > 0 && size > 0 && size % depth == 0) return success();
  return op.emitOpError() << "expected the last iterator to be a reduction of a multiple of '"
                          << linalg::kSumDepth << "', which is " << depth;
}

}  // namespace

LogicalResult verifyContract(Operation& op) {
  ContractOp contract(&op);
  std::vector<AffineMap> maps = contract.indexingMaps();
  if (maps.size() != 3)
    return op.emitOpError() << "expected an indexing map for each vector operand";
  if (op.result().type() != op.operand(2).type())
    return op.emitOpError() << "expected the result to have the type of the accumulator";
  if (elementTypeOrSelf(op.operand(0).type()) != elementTypeOrSelf(op.operand(1).type()))
    return op.emitOpError() << "failed to verify that lhs and rhs have same element type";
  if (failed(verifyContractMaps(op, contract, maps)) ||
      failed(verifyContractSizes(op, contract, maps)))
    return failure();
  if (!kindSupports(contract.kind(), elementTypeOrSelf(op.result().type())))
    return op.emitOpError() << "unsupported contraction type";
  return verifyContractSumDepth(op, contract, maps);
}

LogicalResult verifyOuterProduct(Operation& op) {
  auto lhs = op.operand(0).type().cast<VectorType>();
  auto rhs = op.operand(1).type().dynCast<VectorType>();
  auto result = op.result().type().cast<VectorType>();
  if (lhs.rank() != 1) return op.emitOpError() << "expected 1-d vector for operand #1";
  if (rhs && rhs.rank() != 1) return op.emitOpError() << "expected 1-d vector for operand #2";
  std::vector<int64_t> shape = {lhs.dim(0)};
  if (rhs) shape.push_back(rhs.dim(0));
  if (result.rank() != static_cast<int64_t>(shape.size()))
    return op.emitOpError() << "expected " << shape.size() << "-d vector result";
  if (!sameShape(shape, result.shape()))
    return op.emitOpError() << "expected #1 operand dim to match result dim #1";
  if (op.numOperands() > 2 && op.operand(2).type() != result)
    return op.emitOpError() << "expected operand #3 of same type as result type";
  if (elementTypeOrSelf(op.operand(1).type()) != lhs.elementType() ||
      result.elementType() != lhs.elementType())
    return op.emitOpError() << "failed to verify that lhs, rhs and result have same element type";
  auto kind = op.attrOf<DialectAttr>("kind");
  if (!kindSupports(kind ? kind.keyword() : "add", lhs.elementType()))
    return op.emitOpError() << "unsupported outerproduct type";
  return success();
}

LogicalResult verifyReduction(Operation& op) {
  auto vector = op.operand(0).type().cast<VectorType>();
  ReductionOp reduction(&op);
  if (failed(verifySameElement(op))) return failure();
  if (vector.rank() > 1) return op.emitOpError() << "unsupported reduction rank: " << vector.rank();
  if (reduction.accumulator() && reduction.accumulator().type() != op.result().type())
    return op.emitOpError() << "expected an accumulator of type " << op.result().type()
                            << ", found " << reduction.accumulator().type();
  if (kindSupports(reduction.kind(), op.result().type())) return success();
  return op.emitOpError() << "unsupported reduction type " << op.result().type() << " for kind '"
                          << reduction.kind() << "'";
}

LogicalResult verifyMultiReduction(Operation& op) {
  MultiReductionOp reduction(&op);
  auto source = op.operand(0).type().cast<VectorType>();
  for (int64_t dim : integers(op.attr("reduction_dims")))
    if (dim < 0 || dim >= source.rank())
      return op.emitOpError() << "reduction dimension " << dim << " is out of range [0, "
                              << source.rank() << ")";
  std::vector<int64_t> shape;
  for (unsigned i = 0; i < source.shape().size(); ++i)
    if (!reduction.isReducedDim(i)) shape.push_back(source.dim(i));
  Type inferred = shape.empty() ? source.elementType()
                                : Type(VectorType::get(op.context(), shape, source.elementType()));
  if (op.result().type() != inferred)
    return op.emitOpError() << "destination type " << op.result().type()
                            << " is incompatible with source type " << Type(source);
  if (op.operand(1).type() != inferred)
    return op.emitOpError() << "expected an accumulator of type " << inferred << ", found "
                            << op.operand(1).type();
  if (!kindSupports(reduction.kind(), source.elementType()))
    return op.emitOpError() << "unsupported reduction type " << source.elementType()
                            << " for kind '" << reduction.kind() << "'";
  return success();
}

// -- Shapes -------------------------------------------------------------------------------------

LogicalResult verifyShapeCast(Operation& op) {
  auto source = op.operand(0).type().cast<VectorType>();
  auto result = op.result().type().cast<VectorType>();
  if (source.elementType() != result.elementType())
    return op.emitOpError() << "source/result vectors must have same element type";
  if (source.numElements() != result.numElements())
    return op.emitOpError() << "source/result number of elements must match";
  return success();
}

LogicalResult verifyBitCast(Operation& op) {
  auto source = op.operand(0).type().cast<VectorType>();
  auto result = op.result().type().cast<VectorType>();
  if (source.rank() != result.rank()) return op.emitOpError() << "source/result rank must match";
  if (!source.elementType().isIntOrIndexOrFloat() || !result.elementType().isIntOrIndexOrFloat())
    return op.emitOpError() << "expected elements that are numbers";
  auto rank = source.shape().size();
  for (size_t i = 0; i + 1 < rank; ++i)
    if (source.dim(i) != result.dim(i))
      return op.emitOpError() << "dimension size mismatch at: " << i;
  int64_t before = source.elementType().bitWidth(), after = result.elementType().bitWidth();
  if (rank) {
    before *= source.dim(rank - 1);
    after *= result.dim(rank - 1);
  }
  if (before == after) return success();
  return op.emitOpError() << "source/result bitwidth of the minor 1-D vectors must be equal";
}

LogicalResult verifyTranspose(Operation& op) {
  auto source = op.operand(0).type().cast<VectorType>();
  auto result = op.result().type().cast<VectorType>();
  std::vector<int64_t> permutation = integers(op.attr("permutation"));
  if (source.rank() != result.rank())
    return op.emitOpError() << "vector result rank mismatch: " << result.rank();
  if (permutation.size() != source.shape().size())
    return op.emitOpError() << "transposition length mismatch: " << permutation.size();
  if (source.elementType() != result.elementType())
    return op.emitOpError() << "source/result vectors must have same element type";
  std::vector<bool> seen(permutation.size(), false);
  for (size_t i = 0; i < permutation.size(); ++i) {
    int64_t dim = permutation[i];
    if (dim < 0 || dim >= source.rank())
      return op.emitOpError() << "transposition index out of range: " << dim;
    auto at = static_cast<size_t>(dim);
    if (seen[at]) return op.emitOpError() << "duplicate position index: " << dim;
    seen[at] = true;
    if (result.dim(i) != source.dim(at))
      return op.emitOpError() << "dimension size mismatch at: " << dim;
  }
  return success();
}

LogicalResult verifyShuffle(Operation& op) {
  auto first = op.operand(0).type().cast<VectorType>();
  auto second = op.operand(1).type().cast<VectorType>();
  auto result = op.result().type().cast<VectorType>();
  if (first.rank() != second.rank()) return op.emitOpError() << "rank mismatch";
  for (size_t i = 1; i < first.shape().size(); ++i)
    if (first.dim(i) != second.dim(i) || result.dim(i) != first.dim(i))
      return op.emitOpError() << "dimension mismatch";
  std::vector<int64_t> mask = integers(op.attr("mask"));
  if (mask.empty()) return op.emitOpError() << "invalid mask length";
  if (result.shape().empty() || result.dim(0) != static_cast<int64_t>(mask.size()))
    return op.emitOpError() << "mask length mismatch";
  int64_t limit = first.rank() == 0 ? 2 : first.dim(0) + second.dim(0);
  for (size_t i = 0; i < mask.size(); ++i)
    if (mask[i] < 0 || mask[i] >= limit)
      return op.emitOpError() << "mask index #" << i + 1 << " out of range";
  return success();
}

LogicalResult verifyConstantMask(Operation& op) {
  std::span<const int64_t> shape = shapeOf(op.result().type());
  std::vector<int64_t> sizes = integers(op.attr("mask_dim_sizes"));
  if (sizes.size() != std::max<size_t>(shape.size(), 1))
    return op.emitOpError() << "must specify array attr of size equal vector result rank";
  for (size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] < 0 || sizes[i] > (shape.empty() ? 1 : shape[i]))
      return op.emitOpError() << "array attr of size out of bounds of vector result dimension size";
  bool anyZero = std::ranges::find(sizes, 0) != sizes.end();
  bool allZero = std::ranges::all_of(sizes, [](int64_t size) { return size == 0; });
  if (anyZero && !allZero)
    return op.emitOpError() << "expected all mask dim sizes to be zeros, as a result of "
                            << "conjunction with zero mask dim";
  return success();
}

LogicalResult verifyCreateMask(Operation& op) {
  if (op.numOperands() == std::max<size_t>(shapeOf(op.result().type()).size(), 1)) return success();
  return op.emitOpError() << "must specify an operand for each result vector dimension";
}

LogicalResult verifyInterleave(Operation& op) {
  auto source = op.operand(0).type().cast<VectorType>();
  std::vector<int64_t> shape(source.shape().begin(), source.shape().end());
  if (shape.empty())
    shape.push_back(2);
  else
    shape.back() *= 2;
  if (op.result().type() == VectorType::get(op.context(), shape, source.elementType()))
    return success();
  return op.emitOpError()
         << "failed to verify that type of 'result' is double the width of the inputs";
}

LogicalResult verifyDeinterleave(Operation& op) {
  auto source = op.operand(0).type().cast<VectorType>();
  auto result = op.result(0).type().cast<VectorType>();
  std::vector<int64_t> shape(result.shape().begin(), result.shape().end());
  if (!shape.empty()) shape.back() *= 2;
  bool fits = !shape.empty() && sameShape(shape, source.shape()) &&
              source.elementType() == result.elementType();
  if (fits) return success();
  return op.emitOpError()
         << "failed to verify that type of 'result' is half the width of the input";
}

}  // namespace airlite::vector
