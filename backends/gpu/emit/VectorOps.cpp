// vector: elements, shapes and arithmetic. Vectors of any rank are flat LLVM vectors in row-major
// order.
#include "FunctionEmitter.hpp"
#include "airlite/dialect/Vector.hpp"

#include <numeric>

namespace airlite::gpu {
namespace {

using Indices = std::vector<int>;

VectorType vectorOf(Value value) { return value.type().cast<VectorType>(); }

std::vector<int64_t> stridesOf(std::span<const int64_t> shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

/// Calls `visit` with every position of a box, in row-major order.
template <class Visit> void forEachPosition(std::span<const int64_t> shape, Visit visit) {
  const auto count = std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
  std::vector<int64_t> at(shape.size(), 0);
  for (int64_t n = 0; n < count; ++n) {
    visit(std::span<const int64_t>(at));
    for (size_t i = shape.size(); i-- > 0;) {
      if (++at[i] < shape[i]) break;
      at[i] = 0;
    }
  }
}

llvm::Value* splat(FunctionEmitter& e, llvm::Value* value, int64_t count) {
  return e.builder.CreateVectorSplat(static_cast<unsigned>(count), value);
}

std::vector<int64_t> integersOf(Attribute array) {
  std::vector<int64_t> values;
  if (auto dense = array.dynCast<DenseArrayAttr>())
    values.assign(dense.values().begin(), dense.values().end());
  else if (auto list = array.dynCast<ArrayAttr>())
    for (Attribute entry : list.value())
      values.push_back(constantInt(entry).value_or(0));
  return values;
}

// -- Shapes --------------------------------------------------------------------------------------

LogicalResult emitBroadcast(FunctionEmitter& e, Operation& op) {
  const auto to = vectorOf(op.result());
  auto* source = e.get(op.operand(0));
  const auto from = op.operand(0).type().dynCast<VectorType>();
  if (!from) return e.setResult(op, splat(e, source, to.numElements()));
  const auto fromStrides = stridesOf(from.shape());
  const auto lead = to.shape().size() - from.shape().size();
  Indices mask;
  forEachPosition(to.shape(), [&](std::span<const int64_t> at) {
    int64_t index = 0;
    for (size_t i = 0; i < from.shape().size(); ++i)
      index += from.dim(i) == 1 ? 0 : at[lead + i] * fromStrides[i];
    mask.push_back(static_cast<int>(index));
  });
  return e.setResult(op, e.builder.CreateShuffleVector(source, mask));
}

LogicalResult emitSplat(FunctionEmitter& e, Operation& op) {
  return e.setResult(op, splat(e, e.get(op.operand(0)), vectorOf(op.result()).numElements()));
}

LogicalResult emitShapeCast(FunctionEmitter& e, Operation& op) {
  return e.setResult(op, e.get(op.operand(0)));
}

LogicalResult emitBitCast(FunctionEmitter& e, Operation& op) {
  return e.setResult(op,
                     e.builder.CreateBitCast(e.get(op.operand(0)), e.convert(op.result().type())));
}

LogicalResult emitTranspose(FunctionEmitter& e, Operation& op) {
  const auto order = integersOf(op.attr("permutation"));
  const auto strides = stridesOf(vectorOf(op.operand(0)).shape());
  Indices mask;
  forEachPosition(vectorOf(op.result()).shape(), [&](std::span<const int64_t> at) {
    int64_t index = 0;
    for (size_t i = 0; i < at.size(); ++i)
      index += at[i] * strides[static_cast<size_t>(order[i])];
    mask.push_back(static_cast<int>(index));
  });
  return e.setResult(op, e.builder.CreateShuffleVector(e.get(op.operand(0)), mask));
}

/// Of whole rows along the first dim.
LogicalResult emitShuffle(FunctionEmitter& e, Operation& op) {
  const auto first = vectorOf(op.operand(0)), second = vectorOf(op.operand(1));
  const auto rows = first.shape().empty() ? 1 : first.dim(0);
  const auto row = first.numElements() / rows;
  // LLVM shuffles take two vectors of one type.
  const auto total = std::max(first.numElements(), second.numElements());
  const auto padded = [&](unsigned i) {
    Indices whole(static_cast<size_t>(total), -1);
    const auto count = vectorOf(op.operand(i)).numElements();
    std::iota(whole.begin(), whole.begin() + count, 0);
    return e.builder.CreateShuffleVector(e.get(op.operand(i)), whole);
  };
  Indices mask;
  for (int64_t chosen : integersOf(op.attr("mask")))
    for (int64_t i = 0; i < row; ++i)
      mask.push_back(
          static_cast<int>(chosen < rows ? chosen * row + i : total + (chosen - rows) * row + i));
  return e.setResult(op, e.builder.CreateShuffleVector(padded(0), padded(1), mask));
}

// -- Elements and slices -------------------------------------------------------------------------

/// The flat index of a position that may hold values; `rest` becomes the elements below it.
llvm::Value* flatPosition(FunctionEmitter& e, vector::PositionOp op, VectorType type,
                          int64_t& rest) {
  const auto strides = stridesOf(type.shape());
  const auto statics = op.staticPosition();
  llvm::Value* index = e.i64(0);
  unsigned next = 0;
  for (size_t i = 0; i < statics.size(); ++i) {
    auto* at = statics[i] == kDynamic ? e.get(op.dynamicPosition()[next++]) : e.i64(statics[i]);
    index = e.builder.CreateAdd(index, e.builder.CreateMul(at, e.i64(strides[i])));
  }
  rest = 1;
  for (size_t i = statics.size(); i < type.shape().size(); ++i)
    rest *= type.dim(i);
  return index;
}

llvm::Value* extractRange(FunctionEmitter& e, llvm::Value* source, llvm::Value* from,
                          int64_t count) {
  auto& b = e.builder;
  if (auto* start = llvm::dyn_cast<llvm::ConstantInt>(from)) {
    Indices mask(static_cast<size_t>(count));
    std::iota(mask.begin(), mask.end(), static_cast<int>(start->getZExtValue()));
    return b.CreateShuffleVector(source, mask);
  }
  auto* number = source->getType()->getScalarType();
  llvm::Value* slice =
      llvm::PoisonValue::get(llvm::FixedVectorType::get(number, static_cast<unsigned>(count)));
  for (int64_t i = 0; i < count; ++i) {
    auto* element = b.CreateExtractElement(source, b.CreateAdd(from, e.i64(i)));
    slice = b.CreateInsertElement(slice, element, e.i64(i));
  }
  return slice;
}

LogicalResult emitExtract(FunctionEmitter& e, Operation& op) {
  int64_t rest = 1;
  auto* from = flatPosition(e, vector::PositionOp(&op), vectorOf(op.operand(0)), rest);
  auto* source = e.get(op.operand(0));
  if (!op.result().type().isa<VectorType>())
    return e.setResult(op, e.builder.CreateExtractElement(source, from));
  return e.setResult(op, extractRange(e, source, from, rest));
}

LogicalResult emitInsert(FunctionEmitter& e, Operation& op) {
  int64_t rest = 1;
  auto* to = flatPosition(e, vector::PositionOp(&op), vectorOf(op.operand(1)), rest);
  auto* source = e.get(op.operand(0));
  auto* into = e.get(op.operand(1));
  if (!op.operand(0).type().isa<VectorType>())
    return e.setResult(op, e.builder.CreateInsertElement(into, source, to));
  for (int64_t i = 0; i < rest; ++i) {
    auto* element = e.builder.CreateExtractElement(source, e.i64(i));
    into = e.builder.CreateInsertElement(into, element, e.builder.CreateAdd(to, e.i64(i)));
  }
  return e.setResult(op, into);
}

LogicalResult emitExtractElement(FunctionEmitter& e, Operation& op) {
  auto* at = op.numOperands() > 1 ? e.get(op.operand(1)) : e.i64(0);
  return e.setResult(op, e.builder.CreateExtractElement(e.get(op.operand(0)), at));
}

LogicalResult emitInsertElement(FunctionEmitter& e, Operation& op) {
  auto* at = op.numOperands() > 2 ? e.get(op.operand(2)) : e.i64(0);
  return e.setResult(op,
                     e.builder.CreateInsertElement(e.get(op.operand(1)), e.get(op.operand(0)), at));
}

/// Flat indices in `whole` of the elements of a slice; offsets may name fewer dims than there are.
Indices sliceIndices(VectorType whole, std::vector<int64_t> offsets, std::vector<int64_t> steps,
                     std::span<const int64_t> shape) {
  offsets.resize(whole.shape().size(), 0);
  steps.resize(whole.shape().size(), 1);
  const auto strides = stridesOf(whole.shape());
  const auto lead = whole.shape().size() - shape.size();
  int64_t start = 0;
  for (size_t i = 0; i < lead; ++i)
    start += offsets[i] * strides[i];
  Indices indices;
  forEachPosition(shape, [&](std::span<const int64_t> at) {
    int64_t index = start;
    for (size_t i = 0; i < at.size(); ++i)
      index += (offsets[lead + i] + at[i] * steps[lead + i]) * strides[lead + i];
    indices.push_back(static_cast<int>(index));
  });
  return indices;
}

LogicalResult emitExtractSlice(FunctionEmitter& e, Operation& op) {
  const auto mask = sliceIndices(vectorOf(op.operand(0)), integersOf(op.attr("offsets")),
                                 integersOf(op.attr("strides")), vectorOf(op.result()).shape());
  return e.setResult(op, e.builder.CreateShuffleVector(e.get(op.operand(0)), mask));
}

LogicalResult emitInsertSlice(FunctionEmitter& e, Operation& op) {
  const auto source = vectorOf(op.operand(0)), whole = vectorOf(op.operand(1));
  auto steps = integersOf(op.attr("strides"));
  steps.insert(steps.begin(), whole.shape().size() - source.shape().size(), 1);
  const auto targets =
      sliceIndices(whole, integersOf(op.attr("offsets")), std::move(steps), source.shape());
  auto* into = e.get(op.operand(1));
  for (size_t i = 0; i < targets.size(); ++i) {
    auto* element = e.builder.CreateExtractElement(e.get(op.operand(0)), i);
    into = e.builder.CreateInsertElement(into, element, static_cast<uint64_t>(targets[i]));
  }
  return e.setResult(op, into);
}

LogicalResult emitFromElements(FunctionEmitter& e, Operation& op) {
  llvm::Value* made = llvm::PoisonValue::get(e.convert(op.result().type()));
  for (unsigned i = 0; i < op.numOperands(); ++i)
    made = e.builder.CreateInsertElement(made, e.get(op.operand(i)), static_cast<uint64_t>(i));
  return e.setResult(op, made);
}

LogicalResult emitStep(FunctionEmitter& e, Operation& op) {
  std::vector<llvm::Constant*> elements;
  for (int64_t i = 0; i < vectorOf(op.result()).numElements(); ++i)
    elements.push_back(e.builder.getInt64(static_cast<uint64_t>(i)));
  return e.setResult(op, llvm::ConstantVector::get(elements));
}

// -- Masks ---------------------------------------------------------------------------------------

/// An element is set where every index lies below the size of its dim.
llvm::Value* maskOf(FunctionEmitter& e, VectorType type, const LlvmValues& sizes) {
  auto& b = e.builder;
  llvm::Value* mask = llvm::PoisonValue::get(e.convert(type));
  uint64_t next = 0;
  forEachPosition(type.shape(), [&](std::span<const int64_t> at) {
    llvm::Value* isSet = b.getTrue();
    for (size_t i = 0; i < at.size(); ++i)
      isSet = b.CreateAnd(isSet, b.CreateICmpSLT(e.i64(at[i]), sizes[i]));
    mask = b.CreateInsertElement(mask, isSet, next++);
  });
  return mask;
}

LogicalResult emitCreateMask(FunctionEmitter& e, Operation& op) {
  return e.setResult(op, maskOf(e, vectorOf(op.result()), e.getAll(op.operands())));
}

LogicalResult emitConstantMask(FunctionEmitter& e, Operation& op) {
  LlvmValues sizes;
  for (int64_t size : integersOf(op.attr("mask_dim_sizes")))
    sizes.push_back(e.i64(size));
  return e.setResult(op, maskOf(e, vectorOf(op.result()), sizes));
}

// -- Arithmetic ----------------------------------------------------------------------------------

LogicalResult emitFma(FunctionEmitter& e, Operation& op) {
  auto* type = e.convert(op.result().type());
  return e.setResult(
      op, e.builder.CreateIntrinsic(llvm::Intrinsic::fma, {type}, e.getAll(op.operands())));
}

LogicalResult unknownKind(Operation& op, std::string_view kind) {
  return unsupported(op, std::string(op.name()) + " <" + std::string(kind) + ">");
}

/// In order, the accumulator first.
LogicalResult emitReduction(FunctionEmitter& e, Operation& op) {
  const vector::ReductionOp reduction(&op);
  auto* source = e.get(reduction.source());
  auto* sum = reduction.accumulator() ? e.get(reduction.accumulator()) : nullptr;
  const auto count = vectorOf(reduction.source()).numElements();
  for (int64_t i = 0; i < count; ++i) {
    auto* element = e.builder.CreateExtractElement(source, static_cast<uint64_t>(i));
    sum = sum ? combine(e.builder, reduction.kind(), sum, element) : element;
    if (!sum) return unknownKind(op, reduction.kind());
    if (sum != element) sum = withFastMath(op, sum);
  }
  return e.setResult(op, sum);
}

/// Elements of a scalar or a vector, to be updated one by one.
std::vector<llvm::Value*> explode(FunctionEmitter& e, Value value) {
  const auto type = value.type().dynCast<VectorType>();
  if (!type) return {e.get(value)};
  std::vector<llvm::Value*> elements;
  for (int64_t i = 0; i < type.numElements(); ++i)
    elements.push_back(e.builder.CreateExtractElement(e.get(value), static_cast<uint64_t>(i)));
  return elements;
}

LogicalResult setImploded(FunctionEmitter& e, Operation& op,
                          const std::vector<llvm::Value*>& elements) {
  if (!op.result().type().isa<VectorType>()) return e.setResult(op, elements[0]);
  llvm::Value* made = llvm::PoisonValue::get(e.convert(op.result().type()));
  for (size_t i = 0; i < elements.size(); ++i)
    made = e.builder.CreateInsertElement(made, elements[i], static_cast<uint64_t>(i));
  return e.setResult(op, made);
}

LogicalResult emitMultiReduction(FunctionEmitter& e, Operation& op) {
  const vector::MultiReductionOp reduction(&op);
  const auto source = explode(e, reduction.source());
  auto sums = explode(e, reduction.accumulator());
  const auto shape = vectorOf(reduction.source()).shape();
  bool isKnown = true;
  size_t next = 0;
  forEachPosition(shape, [&](std::span<const int64_t> at) {
    int64_t target = 0;
    for (unsigned i = 0; i < at.size(); ++i)
      if (!reduction.isReducedDim(i)) target = target * shape[i] + at[i];
    auto*& sum = sums[static_cast<size_t>(target)];
    auto* combined = combine(e.builder, reduction.kind(), sum, source[next++]);
    isKnown = isKnown && combined;
    if (combined) sum = combined;
  });
  return isKnown ? setImploded(e, op, sums) : unknownKind(op, reduction.kind());
}

/// The extents of a contraction's iterators, from the shapes of its operands.
std::vector<int64_t> contractionSizes(vector::ContractOp op, const std::vector<AffineMap>& maps) {
  std::vector<int64_t> sizes(maps[0].numDims(), 1);
  const Value values[] = {op.lhs(), op.rhs()};
  for (size_t v = 0; v < 2; ++v)
    for (unsigned i = 0; i < maps[v].numResults(); ++i)
      sizes[maps[v].result(i).position()] = vectorOf(values[v]).dim(i);
  return sizes;
}

size_t mappedIndex(AffineMap map, std::span<const int64_t> at, std::span<const int64_t> sizes) {
  int64_t index = 0;
  for (const auto& result : map.results())
    index = index * sizes[result.position()] + at[result.position()];
  return static_cast<size_t>(index);
}

/// lhs * rhs, combined with the accumulator. A wider accumulator widens the factors, integers by
/// sign.
llvm::Value* product(FunctionEmitter& e, llvm::Value* lhs, llvm::Value* rhs, llvm::Type* type) {
  auto& b = e.builder;
  if (type->isFloatingPointTy())
    return b.CreateFMul(b.CreateFPCast(lhs, type), b.CreateFPCast(rhs, type));
  return b.CreateMul(b.CreateSExtOrTrunc(lhs, type), b.CreateSExtOrTrunc(rhs, type));
}

constexpr int64_t kMaxContraction = 16384;

LogicalResult emitContract(FunctionEmitter& e, Operation& op) {
  const vector::ContractOp contract(&op);
  const auto maps = contract.indexingMaps();
  const auto sizes = contractionSizes(contract, maps);
  const auto steps = std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<>());
  if (steps > kMaxContraction)
    return unsupported(op, "a vector.contract of more than 16384 products");
  const auto lhs = explode(e, contract.lhs()), rhs = explode(e, contract.rhs());
  auto sums = explode(e, contract.accumulator());
  bool isKnown = true;
  forEachPosition(sizes, [&](std::span<const int64_t> at) {
    auto*& sum = sums[mappedIndex(maps[2], at, sizes)];
    auto* value = product(e, lhs[mappedIndex(maps[0], at, sizes)],
                          rhs[mappedIndex(maps[1], at, sizes)], sum->getType());
    auto* combined = combine(e.builder, contract.kind(), sum, value);
    isKnown = isKnown && combined;
    if (combined) sum = combined;
  });
  return isKnown ? setImploded(e, op, sums) : unknownKind(op, contract.kind());
}

LogicalResult emitOuterProduct(FunctionEmitter& e, Operation& op) {
  const auto kindAttr = op.attrOf<DialectAttr>("kind");
  const auto kind = kindAttr ? kindAttr.keyword() : std::string_view("add");
  const auto lhs = explode(e, op.operand(0)), rhs = explode(e, op.operand(1));
  std::vector<llvm::Value*> products;
  for (auto* left : lhs)
    for (auto* right : rhs)
      products.push_back(product(e, left, right, left->getType()));
  if (op.numOperands() < 3) return setImploded(e, op, products);
  const auto sums = explode(e, op.operand(2));
  for (size_t i = 0; i < sums.size(); ++i) {
    products[i] = combine(e.builder, kind, sums[i], products[i]);
    if (!products[i]) return unknownKind(op, kind);
  }
  return setImploded(e, op, products);
}

}  // namespace

void addVectorOps(EmitTable& table) {
  table["vector.broadcast"] = emitBroadcast;
  table["vector.splat"] = emitSplat;
  table["vector.shape_cast"] = emitShapeCast;
  table["vector.bitcast"] = emitBitCast;
  table["vector.transpose"] = emitTranspose;
  table["vector.shuffle"] = emitShuffle;
  table["vector.extract"] = emitExtract;
  table["vector.insert"] = emitInsert;
  table["vector.extractelement"] = emitExtractElement;
  table["vector.insertelement"] = emitInsertElement;
  table["vector.extract_strided_slice"] = emitExtractSlice;
  table["vector.insert_strided_slice"] = emitInsertSlice;
  table["vector.from_elements"] = emitFromElements;
  table["vector.step"] = emitStep;
  table["vector.create_mask"] = emitCreateMask;
  table["vector.constant_mask"] = emitConstantMask;
  table["vector.fma"] = emitFma;
  table["vector.reduction"] = emitReduction;
  table["vector.multi_reduction"] = emitMultiReduction;
  table["vector.contract"] = emitContract;
  table["vector.outerproduct"] = emitOuterProduct;
}

}  // namespace airlite::gpu
