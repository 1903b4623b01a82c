// The elements of results of ops on vectors, as the interpreter computes them
// (src/interp/Vector.cpp).
#include "VectorLanes.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/Vector.hpp"
#include "airlite/ir/OpDef.hpp"

namespace airlite::npu {

namespace {

std::vector<int64_t> vectorShapeOf(Value value) {
  auto type = value.type().dynCast<VectorType>();
  if (!type) return {};
  return {type.shape().begin(), type.shape().end()};
}

Type elementOf(Value value) { return elementTypeOrSelf(value.type()); }

std::vector<int64_t> integersOf(Operation& op, std::string_view name) {
  std::vector<int64_t> values;
  if (auto array = op.attrOf<ArrayAttr>(name))
    for (Attribute value : array.value())
      values.push_back(constantInt(value).value_or(0));
  return values;
}

using V = VectorLanes;
constexpr LaneRule kElementwise = {"", &V::elementwise, nullptr, nullptr, true, true};
constexpr LaneRule kRules[] = {
    {"arith.constant", &V::constantLane, nullptr, nullptr, true, true},
    {"arith.select", &V::elementwise, nullptr, nullptr, true, true},
    {"vector.fma", &V::fusedMultiplyAdd, nullptr, nullptr, true, true},
    {"vector.broadcast", &V::broadcast},
    {"vector.shape_cast", &V::shapeCast, nullptr, nullptr, false, true},
    {"vector.transpose", &V::transpose, nullptr, nullptr, false, true},
    {"vector.extract_strided_slice", &V::extractSlice, nullptr, nullptr, false, true},
    {"vector.deinterleave", &V::deinterleave},
    {"vector.step", &V::step},
    {"vector.constant_mask", &V::constantMask},
    {"vector.create_mask", &V::createMask},
    {"vector.outerproduct", &V::outerProduct},
    {"vector.bitcast", &V::bitcast},
    {"vector.load", &V::load},
    {"vector.transfer_read", &V::transferRead},
    {"vector.maskedload", &V::maskedLoad, nullptr, nullptr, true, true},
    {"vector.gather", &V::gather, nullptr, nullptr, true, true},
    {"vector.expandload", nullptr, &V::expandLoad},
    {"vector.insert", nullptr, &V::insert},
    {"vector.insertelement", nullptr, &V::insert},
    {"vector.insert_strided_slice", nullptr, &V::insertSlice},
    {"vector.from_elements", nullptr, &V::fromElements},
    {"vector.shuffle", nullptr, &V::shuffle},
    {"vector.interleave", nullptr, &V::interleave},
    {"vector.extractelement", nullptr, nullptr, &V::extractScalar},
    {"vector.reduction", nullptr, nullptr, &V::reduction, false, true},
    {"vector.store", nullptr, nullptr, &V::store, true, true},
    {"vector.transfer_write", nullptr, nullptr, &V::transferWrite, false, true},
    {"vector.maskedstore", nullptr, nullptr, &V::maskedStore, true, true},
    {"vector.scatter", nullptr, nullptr, &V::scatter, true, true},
    {"vector.compressstore", nullptr, nullptr, &V::compressStore, true, true},
};

// With a vector or a scalar as the result.
constexpr LaneRule kVectorResult[] = {
    {"vector.extract", &V::extractVector, nullptr, nullptr, false, true},
    {"vector.multi_reduction", nullptr, &V::multiReduction, nullptr, false, true},
    {"vector.contract", nullptr, &V::contract},
};
constexpr LaneRule kScalarResult[] = {
    {"vector.extract", nullptr, nullptr, &V::extractScalar},
    {"vector.multi_reduction", nullptr, nullptr, &V::multiReductionToScalar, false, true},
    {"vector.contract", nullptr, nullptr, &V::contractToScalar},
};

const LaneRule* find(std::span<const LaneRule> rules, Operation& op) {
  for (const LaneRule& rule : rules)
    if (op.is(rule.name)) return &rule;
  return nullptr;
}

bool isStaticVector(Type type) {
  auto vector = type.dynCast<VectorType>();
  return vector && vector.hasStaticShape();
}

/// Vectors, and nothing else that has a shape but memory.
bool isOfVectors(Operation& op) {
  bool any = false;
  for (const std::vector<Type>& types : {op.operandTypes(), op.resultTypes()})
    for (Type type : types) {
      if (type.isa<RankedTensorType>() || type.isa<UnrankedMemRefType>()) return false;
      if (type.isa<VectorType>() && !isStaticVector(type)) return false;
      auto memory = type.dynCast<MemRefType>();
      if (memory && memory.elementType().isa<VectorType>()) return false;
      any |= type.isa<VectorType>();
    }
  return any;
}

}  // namespace

const LaneRule* laneRuleOf(Operation& op) {
  if (!isOfVectors(op)) return nullptr;
  if (op.is("arith.constant") && !op.attrOf<DenseElementsAttr>("value")) return nullptr;
  bool hasVector = op.numResults() > 0 && op.result().type().isa<VectorType>();
  if (const LaneRule* rule = find(hasVector ? std::span<const LaneRule>(kVectorResult)
                                            : std::span<const LaneRule>(kScalarResult),
                                  op))
    return rule;
  if (const LaneRule* rule = find(kRules, op)) return rule;
  bool isArithmetic = op.def().dialect == "arith" || op.def().dialect == "math";
  return isArithmetic && op.hasTrait(Trait::Elementwise) ? &kElementwise : nullptr;
}

// -- Arithmetic -----------------------------------------------------------------------------------

Value VectorLanes::elementwise(Operation& op, unsigned result, const LanePosition& at) {
  OperationState state(op.location(), op.def());
  for (Value operand : op.operands())
    state.operands.push_back(lane(operand, at));
  for (Type type : op.resultTypes())
    state.resultTypes.push_back(elementTypeOrSelf(type));
  state.attributes = NamedAttrList(op.attributes());
  return rewriter_.create(state)->result(result);
}

Value VectorLanes::fusedMultiplyAdd(Operation& op, unsigned, const LanePosition& at) {
  std::vector<Value> operands;
  for (Value operand : op.operands())
    operands.push_back(lane(operand, at));
  return make("math.fma", operands, operands[0].type());
}

/// The verifier has seen that the kind fits the elements.
Value VectorLanes::combine(std::string_view kind, Value a, Value b) {
  return make(vector::combiningOp(kind, a.type().isFloat()), {a, b}, a.type());
}

Value VectorLanes::widened(Value value, Type type) {
  if (value.type() == type) return value;
  return make(type.isFloat() ? "arith.extf" : "arith.extsi", {value}, type);
}

// -- Rearrangements -------------------------------------------------------------------------------

/// Trailing dimensions correspond; one of size 1 is repeated.
Value VectorLanes::broadcast(Operation& op, unsigned, const LanePosition& at) {
  Value source = op.operand(0);
  Shape from = vectorShapeOf(source);
  if (from.empty()) return lane(source, {});
  std::vector<Value> index = indexOf(at, vectorShapeOf(op.result()));
  index.erase(index.begin(), index.end() - static_cast<ptrdiff_t>(from.size()));
  for (size_t d = 0; d < from.size(); ++d)
    if (from[d] == 1) index[d] = number(0);
  return lane(source, {index, {}});
}

Value VectorLanes::shapeCast(Operation& op, unsigned, const LanePosition& at) {
  return lane(op.operand(0), {{}, linearOf(at, vectorShapeOf(op.result()))});
}

Value VectorLanes::transpose(Operation& op, unsigned, const LanePosition& at) {
  std::span<const int64_t> order = op.attrOf<DenseArrayAttr>("permutation").values();
  std::vector<Value> index = indexOf(at, vectorShapeOf(op.result())), source(index.size());
  for (size_t d = 0; d < index.size(); ++d)
    source[static_cast<size_t>(order[d])] = index[d];
  return lane(op.operand(0), {source, {}});
}

/// `at` in a slice: where that is in the whole, which has `lead` more dimensions in front.
std::vector<Value> VectorLanes::slicePosition(Operation& op, const LanePosition& at,
                                              const Shape& shape, size_t lead) {
  std::vector<int64_t> offsets = integersOf(op, "offsets"), strides = integersOf(op, "strides");
  std::vector<Value> index = indexOf(at, shape);
  for (size_t d = 0; d < lead; ++d)
    index.insert(index.begin() + static_cast<ptrdiff_t>(d), number(offsets[d]));
  for (size_t d = lead; d < offsets.size(); ++d)
    index[d] = scaled(index[d], strides[d - lead], offsets[d]);
  return index;
}

Value VectorLanes::extractSlice(Operation& op, unsigned, const LanePosition& at) {
  return lane(op.operand(0), {slicePosition(op, at, vectorShapeOf(op.result()), 0), {}});
}

void VectorLanes::insertSlice(Operation& op, Value buffer) {
  auto type = op.result().type().cast<VectorType>();
  copyInto(buffer, op.operand(1));
  Shape shape = vectorShapeOf(op.operand(0));
  size_t lead = static_cast<size_t>(type.rank()) - shape.size();
  forEach(shape, [&](const LanePosition& at) {
    storeLane(lane(op.operand(0), at), buffer, type, {slicePosition(op, at, shape, lead), {}});
  });
}

Value VectorLanes::deinterleave(Operation& op, unsigned result, const LanePosition& at) {
  Value linear = linearOf(at, vectorShapeOf(op.result(result)));
  return lane(op.operand(0), {{}, scaled(linear, 2, result)});
}

void VectorLanes::interleave(Operation& op, Value buffer) {
  auto type = op.result().type().cast<VectorType>();
  forEachLinear(vectorShapeOf(op.operand(0)), [&](const LanePosition& at) {
    for (unsigned i = 0; i < 2; ++i)
      storeLane(lane(op.operand(i), at), buffer, type, {{}, scaled(at.linear, 2, i)});
  });
}

/// Each element of the mask chooses a slice of the outermost dimension of one of the two.
void VectorLanes::shuffle(Operation& op, Value buffer) {
  auto type = op.result().type().cast<VectorType>();
  Shape first = vectorShapeOf(op.operand(0)), slice = vectorShapeOf(op.result());
  slice.erase(slice.begin());
  int64_t count = first.empty() ? 1 : first[0], row = 0;
  for (int64_t chosen : integersOf(op, "mask")) {
    bool isSecond = chosen >= count;
    forEach(slice, [&](const LanePosition& at) {
      LanePosition from = at, to = at;
      if (!first.empty())
        from.index.insert(from.index.begin(), number(isSecond ? chosen - count : chosen));
      to.index.insert(to.index.begin(), number(row));
      storeLane(lane(op.operand(isSecond ? 1 : 0), from), buffer, type, to);
    });
    ++row;
  }
}

void VectorLanes::fromElements(Operation& op, Value buffer) {
  auto type = op.result().type().cast<VectorType>();
  for (unsigned i = 0; i < op.numOperands(); ++i)
    storeLane(op.operand(i), buffer, type, constantPosition(i));
}

/// Low bits stand first.
Value VectorLanes::bitcast(Operation& op, unsigned, const LanePosition& at) {
  Value source = op.operand(0);
  Type from = elementOf(source), to = elementOf(op.result());
  unsigned narrow = std::min(from.bitWidth(), to.bitWidth());
  auto as = [&](Value value, Type type) {
    return value.type() == type ? value : make("arith.bitcast", {value}, type);
  };
  if (from.bitWidth() == to.bitWidth()) return as(lane(source, at), to);
  Type fromInt = rewriter_.intType(from.bitWidth()), toInt = rewriter_.intType(to.bitWidth());
  Value linear = linearOf(at, vectorShapeOf(op.result()));
  auto ratio = static_cast<int64_t>(std::max(from.bitWidth(), to.bitWidth()) / narrow);
  if (from.bitWidth() > to.bitWidth()) {
    Value parts = number(ratio);
    Value number = make("arith.divui", {linear, parts}, linear.type());
    Value part = scaled(make("arith.remui", {linear, parts}, linear.type()), narrow);
    Value bits = as(lane(source, {{}, number}), fromInt);
    bits = make("arith.shrui", {bits, make("arith.index_cast", {part}, fromInt)}, fromInt);
    return as(make("arith.trunci", {bits}, toInt), to);
  }
  Value all;
  for (int64_t i = 0; i < ratio; ++i) {
    Value bits = as(lane(source, {{}, scaled(linear, ratio, i)}), fromInt);
    bits = make("arith.extui", {bits}, toInt);
    if (i) bits = make("arith.shli", {bits, constant(IntegerAttr::get(toInt, i * narrow))}, toInt);
    all = all ? make("arith.ori", {all, bits}, toInt) : bits;
  }
  return as(all, to);
}

// -- Numbers and masks ----------------------------------------------------------------------------

Value VectorLanes::step(Operation& op, unsigned, const LanePosition& at) {
  Value linear = linearOf(at, vectorShapeOf(op.result()));
  Type type = elementOf(op.result());
  return type.isIndex() ? linear : make("arith.index_cast", {linear}, type);
}

Value VectorLanes::constantMask(Operation& op, unsigned, const LanePosition& at) {
  std::vector<Value> index = indexOf(at, vectorShapeOf(op.result()));
  std::vector<int64_t> sizes = integersOf(op, "mask_dim_sizes");
  Value set;
  for (size_t d = 0; d < index.size(); ++d)
    set = both(set, less(index[d], number(sizes[d]), false));
  return set ? set
             : constant(IntegerAttr::getBool(rewriter_.context(), !sizes.empty() && sizes[0]));
}

Value VectorLanes::createMask(Operation& op, unsigned, const LanePosition& at) {
  std::vector<Value> index = indexOf(at, vectorShapeOf(op.result()));
  if (index.empty()) return less(number(0), op.operand(0), false);
  Value set;
  for (unsigned d = 0; d < index.size(); ++d)
    set = both(set, less(index[d], op.operand(d), false));
  return set;
}

// -- Elements at positions ------------------------------------------------------------------------

/// The position of an extract or insert.
std::vector<Value> VectorLanes::positionOperands(Operation& op) {
  std::vector<Value> position;
  if (op.is("vector.extractelement") || op.is("vector.insertelement")) {
    unsigned first = op.is("vector.extractelement") ? 1 : 2;
    if (op.numOperands() > first) position.push_back(indexOfLane(op.operand(first)));
    return position;
  }
  vector::PositionOp view(&op);
  OperandRange dynamic = view.dynamicPosition();
  unsigned next = 0;
  for (int64_t constant : view.staticPosition())
    position.push_back(constant == kDynamic ? dynamic[next++] : number(constant));
  return position;
}

Value VectorLanes::extractScalar(Operation& op) {
  return lane(op.operand(0), {positionOperands(op), {}});
}

Value VectorLanes::extractVector(Operation& op, unsigned, const LanePosition& at) {
  std::vector<Value> position = positionOperands(op),
                     rest = indexOf(at, vectorShapeOf(op.result()));
  position.insert(position.end(), rest.begin(), rest.end());
  return lane(op.operand(0), {position, {}});
}

void VectorLanes::insert(Operation& op, Value buffer) {
  auto type = op.result().type().cast<VectorType>();
  copyInto(buffer, op.operand(1));
  std::vector<Value> position = positionOperands(op);
  forEach(vectorShapeOf(op.operand(0)), [&](const LanePosition& at) {
    std::vector<Value> to = position;
    to.insert(to.end(), at.index.begin(), at.index.end());
    storeLane(lane(op.operand(0), at), buffer, type, {to, {}});
  });
}

// -- Reductions and products ----------------------------------------------------------------------

Value VectorLanes::reduction(Operation& op) {
  vector::ReductionOp view(&op);
  Fold fold = [&](const LanePosition& at, Value sum) {
    return combine(view.kind(), sum, lane(view.source(), at));
  };
  Shape shape = vectorShapeOf(view.source());
  Value accumulator = view.accumulator();
  if (accumulator) return reduce(shape, accumulator, fold);
  return reduce(shape, lane(view.source(), constantPosition(0)), fold, 1);
}

/// The sum of all elements whose dimensions that stay are at `kept`.
Value VectorLanes::reduceAt(Operation& op, const std::vector<Value>& kept) {
  vector::MultiReductionOp view(&op);
  Shape from = vectorShapeOf(view.source()), reduced;
  for (unsigned d = 0; d < from.size(); ++d)
    if (view.isReducedDim(d)) reduced.push_back(from[d]);
  Value start = lane(view.accumulator(), {kept, {}});
  return reduce(reduced, start, [&](const LanePosition& at, Value sum) {
    std::vector<Value> index;
    size_t nextKept = 0, nextReduced = 0;
    for (unsigned d = 0; d < from.size(); ++d)
      index.push_back(view.isReducedDim(d) ? at.index[nextReduced++] : kept[nextKept++]);
    return combine(view.kind(), sum, lane(view.source(), {index, {}}));
  });
}

Value VectorLanes::multiReductionToScalar(Operation& op) { return reduceAt(op, {}); }

void VectorLanes::multiReduction(Operation& op, Value buffer) {
  auto type = op.result().type().cast<VectorType>();
  forEach(vectorShapeOf(op.result()),
          [&](const LanePosition& at) { storeLane(reduceAt(op, at.index), buffer, type, at); });
}

/// The dimensions of a contraction and their sizes.
struct VectorLanes::Contraction {
  std::vector<AffineMap> maps;
  Shape sizes;
  explicit Contraction(Operation& op)
      : maps(vector::ContractOp(&op).indexingMaps()), sizes(maps[0].numDims(), 1) {
    for (unsigned i = 0; i < 2; ++i) {
      Shape shape = vectorShapeOf(op.operand(i));
      for (unsigned d = 0; d < maps[i].numResults(); ++d)
        sizes[maps[i].result(d).position()] = shape[d];
    }
  }
};

/// The element at `index` of the result: products are added in the order of the dimensions.
Value VectorLanes::contractAt(Operation& op, const Contraction& contraction,
                              std::vector<Value> index) {
  vector::ContractOp view(&op);
  Type element = elementOf(op.result());
  std::vector<Value> place(contraction.sizes.size());
  for (unsigned i = 0; i < index.size(); ++i)
    place[contraction.maps[2].result(i).position()] = index[i];
  std::vector<size_t> open;
  Shape reduced;
  for (size_t d = 0; d < place.size(); ++d)
    if (!place[d]) open.push_back(d), reduced.push_back(contraction.sizes[d]);
  auto factor = [&](unsigned i) {
    std::vector<Value> at;
    for (AffineExpr result : contraction.maps[i].results())
      at.push_back(place[result.position()]);
    return widened(lane(op.operand(i), {at, {}}), element);
  };
  Value start = lane(view.accumulator(), {index, {}});
  return reduce(reduced, start, [&](const LanePosition& at, Value sum) {
    for (size_t i = 0; i < open.size(); ++i)
      place[open[i]] = at.index[i];
    Value left = factor(0);
    return combine(view.kind(), sum, combine("mul", left, factor(1)));
  });
}

Value VectorLanes::contractToScalar(Operation& op) { return contractAt(op, Contraction(op), {}); }

void VectorLanes::contract(Operation& op, Value buffer) {
  auto type = op.result().type().cast<VectorType>();
  Contraction contraction(op);
  forEach(vectorShapeOf(op.result()), [&](const LanePosition& at) {
    storeLane(contractAt(op, contraction, at.index), buffer, type, at);
  });
}

Value VectorLanes::outerProduct(Operation& op, unsigned, const LanePosition& at) {
  std::vector<Value> index = indexOf(at, vectorShapeOf(op.result()));
  Value left = lane(op.operand(0), {{index[0]}, {}});
  Value right = op.operand(1);
  if (right.type().isa<VectorType>()) right = lane(right, {{index[1]}, {}});
  Value product = combine("mul", left, right);
  if (op.numOperands() == 2) return product;
  auto kind = op.attrOf<DialectAttr>("kind");
  return combine(kind ? kind.keyword() : "add", lane(op.operand(2), at), product);
}

}  // namespace airlite::npu
