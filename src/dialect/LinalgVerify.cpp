// Verifiers of the linalg ops.
#include "LinalgInternal.hpp"
#include "airlite/dialect/Evaluate.hpp"
#include "airlite/support/BlockFloat.hpp"

#include <algorithm>

namespace airlite::linalg {

namespace {

std::span<const int64_t> shapeOf(Value value) {
  auto type = value.type().dynCast<ShapedType>();
  return type ? type.shape() : std::span<const int64_t>();
}

bool isRankedOrScalar(Value value) {
  auto type = value.type().dynCast<ShapedType>();
  return !type || type.hasRank();
}

// -- Maps and shapes ----------------------------------------------------------------------------

LogicalResult verifyMaps(Operation& op, StructuredOp structured,
                         const std::vector<AffineMap>& maps) {
  if (maps.size() != op.numOperands())
    return op.emitOpError() << "expected the number of indexing_map (" << maps.size()
                            << ") to be equal to the number of input/output operands ("
                            << op.numOperands() << ")";
  unsigned loops = structured.numLoops();
  for (unsigned i = 0; i < maps.size(); ++i) {
    if (maps[i].numSymbols())
      return op.emitOpError() << "unexpected symbols in indexing_map #" << i;
    if (maps[i].numDims() != loops)
      return op.emitOpError() << "expected indexing_map #" << i << " to have " << loops
                              << " dim(s) to match the number of loops";
    if (!isRankedOrScalar(op.operand(i)))
      return op.emitOpError() << "not supported: unranked operand #" << i;
    if (maps[i].numResults() != shapeOf(op.operand(i)).size())
      return op.emitOpError() << "expected operand rank (" << shapeOf(op.operand(i)).size()
                              << ") to match the result rank of indexing_map #" << i << " ("
                              << maps[i].numResults() << ")";
  }
  return success();
}

/// The indices of the last iteration must lie inside every operand, and reach its end where a
/// dimension is a loop.
LogicalResult verifyExtent(Operation& op, unsigned operand, unsigned dim, AffineExpr index,
                           int64_t first, int64_t last) {
  int64_t size = shapeOf(op.operand(operand))[dim];
  if (first < 0 || last < 0)
    return op.emitOpError() << "unexpected result less than 0 at expression #" << dim
                            << " in indexing_map #" << operand;
  int64_t needed = std::max(first, last) + 1;
  bool exact = index.kind() == AffineKind::Dim;
  if (exact ? needed == size : needed <= size) return success();
  return op.emitOpError() << "inferred input/output operand #" << operand
                          << " has shape's dimension #" << dim << " to be "
                          << (exact ? "" : "greater than or equal to ") << needed << ", but found "
                          << size;
}

LogicalResult verifyShapes(Operation& op, StructuredOp structured,
                           const std::vector<AffineMap>& maps) {
  std::vector<int64_t> ends = structured.loopSizes();
  if (ends.size() != structured.numLoops())
    return op.emitOpError() << "expected the shape-to-loops map to be non-null";
  for (int64_t& end : ends) {
    if (end == kDynamic || end == 0) return success();
    --end;
  }
  std::vector<int64_t> starts(ends.size(), 0);
  for (unsigned i = 0; i < maps.size(); ++i) {
    auto first = maps[i].evaluate(starts, {}), last = maps[i].evaluate(ends, {});
    if (!first || !last) return op.emitOpError() << "cannot evaluate indexing_map #" << i;
    std::span<const int64_t> shape = shapeOf(op.operand(i));
    for (unsigned d = 0; d < shape.size(); ++d) {
      if (shape[d] == kDynamic || shape[d] == 0) continue;
      if (failed(verifyExtent(op, i, d, maps[i].result(d), (*first)[d], (*last)[d])))
        return failure();
    }
  }
  return success();
}

LogicalResult verifyResults(Operation& op, StructuredOp structured) {
  std::vector<unsigned> tensors;
  for (unsigned i = 0; i < structured.numOutputs(); ++i)
    if (structured.outputs()[i].type().isa<RankedTensorType>())
      tensors.push_back(structured.numInputs() + i);
  if (op.numResults() != tensors.size())
    return op.emitOpError() << "expected the number of tensor results (" << op.numResults()
                            << ") to be equal to the number of output tensors (" << tensors.size()
                            << ")";
  for (unsigned i = 0; i < tensors.size(); ++i)
    if (op.operand(tensors[i]).type() != op.result(i).type())
      return op.emitOpError() << "expected type of operand #" << tensors[i] << " ("
                              << op.operand(tensors[i]).type()
                              << ") to match type of corresponding result (" << op.result(i).type()
                              << ")";
  return success();
}

LogicalResult verifyOneBlock(Operation& op) {
  if (op.region().hasOneBlock()) return success();
  return op.emitOpError() << "expects to have 1 region with 1 block";
}

LogicalResult verifyBodyArguments(Operation& op, StructuredOp structured) {
  if (structured.body().numArguments() != op.numOperands())
    return op.emitOpError() << "expected as many non-induction variable region arguments as the "
                            << "number of input/output operands";
  for (unsigned i = 0; i < op.numOperands(); ++i) {
    Type element = elementTypeOrSelf(op.operand(i).type());
    Type argument = structured.body().argument(i).type();
    if (element != argument)
      return op.emitOpError() << "expected type of bb argument #" << i << " (" << argument
                              << ") to match element or self type of the corresponding operand ("
                              << element << ")";
  }
  return success();
}

LogicalResult verifyLoops(Operation& op) {
  StructuredOp structured(&op);
  std::vector<AffineMap> maps = structured.indexingMaps();
  if (structured.numOutputs() == 0)
    return op.emitOpError() << "expected at least one output operand";
  return failure(failed(verifyOneBlock(op)) || failed(verifyMaps(op, structured, maps)) ||
                 failed(verifyResults(op, structured)) ||
                 failed(verifyShapes(op, structured, maps)));
}

/// Blocks have as many numbers as are added at once.
LogicalResult verifyBlockFloats(Operation& op) {
  if (!op.hasAttr(kBlockFloats)) return success();
  const bool areNarrow = elementTypeOrSelf(op.operand(0).type()).isBF16();
  if (areNarrow && sumDepth(op) == static_cast<int64_t>(kBlockLength)) return success();
  return op.emitOpError() << "has '" << kBlockFloats << "', which is for factors of bf16 and '"
                          << kSumDepth << "' = " << kBlockLength;
}

/// The size of the last reduction loop; 0 where there is none.
int64_t lastReductionSize(StructuredOp op) {
  std::vector<IteratorKind> kinds = op.iterators();
  for (unsigned loop = op.numLoops(); loop-- > 0;)
    if (kinds[loop] == IteratorKind::Reduction) return op.loopSizes()[loop];
  return 0;
}

LogicalResult verifySumDepth(Operation& op) {
  if (failed(verifyBlockFloats(op))) return failure();
  if (!op.attr(kSumDepth)) return success();
  StructuredOp structured(&op);
  auto elementOf = [&](unsigned operand) { return elementTypeOrSelf(op.operand(operand).type()); };
  auto areOf = [&](auto isType) { return isType(elementOf(0)) && isType(elementOf(1)); };
  const bool areNarrow = isMultiplyAdd(structured) && areOf([](Type t) { return t.isBF16(); }) &&
                         (elementOf(2).isF32() || elementOf(2).isBF16());
  const bool areWide =
      isMultiplyAdd(structured) && areOf([](Type t) { return t.isF32(); }) && elementOf(2).isF32();
  if (!areNarrow && !areWide)
    return op.emitOpError() << "has '" << kSumDepth
                            << "', which is for sums of products of bf16, or of f32 in pieces";
  auto counts = bf16PiecesOf(op);
  if (areWide != counts.has_value() || (counts && bf16Steps(*counts).empty()))
    return op.emitOpError() << "expected '" << kBf16Pieces
                            << "' for factors of f32 and for no others, as array<i64: A, B> with A "
                               "and B from 1 to 3, and neither (2, 3) nor (3, 2)";
  if (sumDepth(op) > 0 && lastReductionSize(structured) > 0) return success();
  return op.emitOpError() << "expected '" << kSumDepth << "' to be positive, and a last reduction "
                          << "loop of a known size";
}

}  // namespace

LogicalResult verifyStructured(Operation& op) {
  if (failed(verifyLoops(op)) || failed(verifyBodyArguments(op, StructuredOp(&op))))
    return failure();
  return verifySumDepth(op);
}

/// Maps of a product choose loops; those in the place of a table have its loops and its output.
static LogicalResult verifyGivenMaps(Operation& op, const NamedOp& row) {
  if (!takesMaps(row) || !op.hasAttr(kMapsAttr)) return success();
  const std::vector<AffineMap> maps = givenMaps(op);
  if (maps.size() != op.numOperands())
    return op.emitOpError() << "expected " << op.numOperands() << " indexing maps, found "
                            << maps.size();
  for (unsigned i = 0; i < maps.size(); ++i)
    if (!maps[i].isProjectedPermutation())
      return op.emitOpError() << "expected indexing_map #" << i
                              << " to be a projected permutation, found "
                              << AffineMapAttr::get(maps[i]);
  if (row.rule == MapRule::Given) return success();
  const AffineMap usual = usualMaps(row, op).back();
  if (maps.back() == usual) return success();
  return op.emitOpError() << "expected the output map " << AffineMapAttr::get(usual) << ", found "
                          << AffineMapAttr::get(maps.back());
}

LogicalResult verifyNamed(Operation& op) {
  const NamedOp& row = *findNamedOp(op.name());
  StructuredOp structured(&op);
  const bool isAsMany = row.inputs ? structured.numInputs() == row.inputs
                                   : structured.numInputs() >= 1 && structured.numInputs() <= 3;
  if (!isAsMany || structured.numOutputs() != 1)
    return op.emitOpError() << "expected " << inputsText(row) << " inputs and one output, found "
                            << structured.numInputs() << " and " << structured.numOutputs();
  return failure(failed(verifyGivenMaps(op, row)) || failed(verifyStructured(op)));
}

// -- yield, index -------------------------------------------------------------------------------

LogicalResult verifyYield(Operation& op) {
  StructuredOp parent = asStructured(op.parentOp());
  if (!parent) return op.emitOpError() << "expected parent op with LinalgOp interface";
  unsigned wanted = parent.numOutputs();
  if (op.numOperands() != wanted)
    return op.emitOpError() << "expected number of yield values (" << op.numOperands()
                            << ") to match the number of inits / outs operands of the enclosing "
                            << "LinalgOp (" << wanted << ")";
  for (unsigned i = 0; i < wanted; ++i) {
    Type element = elementTypeOrSelf(parent.outputs()[i].type());
    if (op.operand(i).type() != element)
      return op.emitOpError() << "type of yield operand " << i + 1 << " (" << op.operand(i).type()
                              << ") doesn't match the element type of the enclosing "
                              << parent->name() << " op (" << element << ")";
  }
  return success();
}

LogicalResult verifyIndex(Operation& op) {
  StructuredOp parent = asStructured(op.parentOp());
  if (!parent) return op.emitOpError() << "expected parent op with LinalgOp interface";
  int64_t dim = op.attrOf<IntegerAttr>("dim").value();
  if (dim < 0 || dim >= static_cast<int64_t>(parent.numLoops()))
    return op.emitOpError() << "expected dim (" << dim << ") to be lower than the number of loops ("
                            << parent.numLoops() << ") of the enclosing LinalgOp";
  return success();
}

// -- map, reduce --------------------------------------------------------------------------------

namespace {

std::string shapeText(std::span<const int64_t> shape) {
  std::string text;
  for (int64_t size : shape) {
    if (!text.empty()) text += ", ";
    text += size == kDynamic ? std::string("?") : std::to_string(size);
  }
  return text;
}

bool sameShape(std::span<const int64_t> a, std::span<const int64_t> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

std::span<const int64_t> dimsOf(Operation& op, std::string_view name) {
  return op.attrOf<DenseArrayAttr>(name).values();
}

}  // namespace

LogicalResult verifyMap(Operation& op) {
  StructuredOp map(&op);
  if (failed(verifyOneBlock(op))) return failure();
  Block& body = map.body();
  if (body.numArguments() != map.numInputs())
    return op.emitOpError() << "expects number of operands to match the arity of mapper, but got: "
                            << map.numInputs() << " and " << body.numArguments();
  std::span<const int64_t> shape = shapeOf(map.outputs()[0]);
  for (unsigned i = 0; i < map.numInputs(); ++i) {
    Type element = elementTypeOrSelf(map.inputs()[i].type());
    if (element != body.argument(i).type())
      return op.emitOpError() << "expected element type of input " << element
                              << " to match bbArg type " << body.argument(i).type();
    if (!sameShape(shapeOf(map.inputs()[i]), shape))
      return op.emitOpError() << "expected shape of input (" << shapeText(shapeOf(map.inputs()[i]))
                              << ") to match shape of output (" << shapeText(shape) << ")";
  }
  return verifyLoops(op);
}

namespace {

LogicalResult verifyReduceShapes(Operation& op, StructuredOp reduce) {
  std::span<const int64_t> input = shapeOf(reduce.inputs()[0]);
  for (Value value : reduce.inputs())
    if (!sameShape(shapeOf(value), input))
      return op.emitOpError() << "expects all inputs to have the same shapes";
  std::span<const int64_t> init = shapeOf(reduce.outputs()[0]);
  for (Value value : reduce.outputs())
    if (!sameShape(shapeOf(value), init))
      return op.emitOpError() << "expects all outputs to have the same shapes";
  std::span<const int64_t> dims = dimsOf(op, "dimensions");
  std::vector<int64_t> left;
  for (size_t i = 0; i < input.size(); ++i)
    if (std::find(dims.begin(), dims.end(), static_cast<int64_t>(i)) == dims.end())
      left.push_back(input[i]);
  if (left.size() != init.size())
    return op.emitOpError() << "number of dimensions after reduction " << left.size()
                            << " doesn't match the init rank " << init.size();
  if (!sameShape(left, init))
    return op.emitOpError() << "init dimensions [" << shapeText(init)
                            << "] doesn't match input dimensions after reduction ["
                            << shapeText(left) << "]";
  return success();
}

LogicalResult verifyReduceBody(Operation& op, StructuredOp reduce) {
  if (reduce.body().numArguments() != op.numOperands())
    return op.emitOpError() << "mismatching number of operands and block arguments";
  for (unsigned i = 0; i < op.numOperands(); ++i) {
    Type element = elementTypeOrSelf(op.operand(i).type());
    Type argument = reduce.body().argument(i).type();
    if (element != argument)
      return op.emitOpError() << (i < reduce.numInputs() ? "input" : "output") << " element type "
                              << element << " does not match corresponding block argument type "
                              << argument;
  }
  return success();
}

}  // namespace

LogicalResult verifyReduce(Operation& op) {
  StructuredOp reduce(&op);
  if (failed(verifyOneBlock(op))) return failure();
  if (reduce.numInputs() == 0 || reduce.numInputs() != reduce.numOutputs())
    return op.emitOpError() << "expects equal number of inputs and outputs (required by "
                            << "SameVariadicOperandSize trait)";
  std::span<const int64_t> dims = dimsOf(op, "dimensions");
  for (size_t i = 1; i < dims.size(); ++i)
    if (dims[i] <= dims[i - 1])
      return op.emitOpError() << "attribute 'dimensions' failed to satisfy constraint: i64 dense "
                              << "array attribute should be in increasing order";
  auto rank = static_cast<int64_t>(shapeOf(reduce.inputs()[0]).size());
  for (int64_t dim : dims)
    if (dim < 0 || dim >= rank)
      return op.emitOpError() << "dimensions for reduction should be in the range [0, " << rank - 1
                              << "]";
  if (failed(verifyReduceShapes(op, reduce)) || failed(verifyReduceBody(op, reduce)))
    return failure();
  return verifyLoops(op);
}

// -- transpose, broadcast -----------------------------------------------------------------------

LogicalResult verifyTranspose(Operation& op) {
  std::span<const int64_t> permutation = dimsOf(op, "permutation");
  std::span<const int64_t> input = shapeOf(op.operand(0)), init = shapeOf(op.operand(1));
  std::vector<int64_t> sorted(permutation.begin(), permutation.end());
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < sorted.size(); ++i)
    if (sorted[i] != static_cast<int64_t>(i)) return op.emitOpError() << "permutation is not valid";
  if (input.size() != init.size())
    return op.emitOpError() << "input rank " << input.size() << " does not match init rank "
                            << init.size();
  if (permutation.size() != input.size())
    return op.emitOpError() << "size of permutation " << permutation.size()
                            << " does not match the argument rank " << input.size();
  for (size_t i = 0; i < permutation.size(); ++i) {
    int64_t from = input[static_cast<size_t>(permutation[i])];
    if (from != init[i])
      return op.emitOpError() << "dim(result, " << i << ") = " << init[i]
                              << " doesn't match dim(input, permutation[" << i << "]) = " << from;
  }
  return verifyStructured(op);
}

LogicalResult verifyBroadcast(Operation& op) {
  std::span<const int64_t> dims = dimsOf(op, "dimensions");
  std::span<const int64_t> input = shapeOf(op.operand(0)), init = shapeOf(op.operand(1));
  if (input.size() + dims.size() != init.size())
    return op.emitOpError() << "input rank plus added dimensions does not match init rank. input "
                            << "rank: " << input.size() << ", dimensions size: " << dims.size()
                            << ", init rank: " << init.size();
  for (size_t i = 0; i < dims.size(); ++i)
    if (dims[i] < 0 || dims[i] >= static_cast<int64_t>(init.size()))
      return op.emitOpError() << "dimension " << i << " is out of range. expected range: [0, "
                              << init.size() - 1 << "], got: " << dims[i];
  size_t next = 0;
  for (size_t i = 0; i < init.size(); ++i) {
    if (std::find(dims.begin(), dims.end(), static_cast<int64_t>(i)) != dims.end()) continue;
    if (next >= input.size()) return op.emitOpError() << "dimensions must be different";
    if (input[next] != init[i])
      return op.emitOpError() << "input dim " << next << " should match init dim " << i
                              << ". input: " << shapeText(input.subspan(next, 1))
                              << ", init: " << shapeText(init.subspan(i, 1));
    ++next;
  }
  return verifyStructured(op);
}

// -- softmax ------------------------------------------------------------------------------------

LogicalResult verifySoftmax(Operation& op) {
  std::span<const int64_t> input = shapeOf(op.operand(0)), output = shapeOf(op.operand(1));
  if (!sameShape(input, output)) return op.emitOpError() << "incompatible output shape";
  int64_t dim = op.attrOf<IntegerAttr>("dimension").value();
  if (dim < 0 || dim >= static_cast<int64_t>(input.size()))
    return op.emitOpError() << "incorrect dimension specified";
  bool tensor = op.operand(1).type().isa<RankedTensorType>();
  if (op.numResults() != (tensor ? 1u : 0u))
    return op.emitOpError() << "expected the number of tensor results (" << op.numResults()
                            << ") to be equal to the number of output tensors (" << (tensor ? 1 : 0)
                            << ")";
  return success();
}

}  // namespace airlite::linalg
