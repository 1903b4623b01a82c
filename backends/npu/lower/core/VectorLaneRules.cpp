// The elements of results of ops on vectors, as the interpreter computes them
// (src/interp/Vector.cpp).
#include "VectorLanes.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/Vector.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>

namespace airlite::npu {

namespace {

Type elementOf(Value value) { return elementTypeOrSelf(value.type()); }

std::vector<int64_t> integersOf(Operation& op, std::string_view name) {
  std::vector<int64_t> values;
  if (auto array = op.attrOf<ArrayAttr>(name))
    for (Attribute value : array.value())
      values.push_back(constantInt(value).value_or(0));
  return values;
}

// -- Arithmetic ------------------------------------------------------------------------------------

Value elementwise(VectorLanes& lanes, Operation& op, unsigned result, const LanePosition& at) {
  OperationState state(op.location(), op.def());
  for (Value operand : op.operands())
    state.operands.push_back(lanes.lane(operand, at));
  for (Type type : op.resultTypes())
    state.resultTypes.push_back(elementTypeOrSelf(type));
  state.attributes = NamedAttrList(op.attributes());
  return lanes.build().rewriter().create(state)->result(result);
}

Value fusedMultiplyAdd(VectorLanes& lanes, Operation& op, unsigned, const LanePosition& at) {
  LaneBuilder& build = lanes.build();
  std::vector<Value> operands;
  for (Value operand : op.operands())
    operands.push_back(lanes.lane(operand, at));
  return build.make("math.fma", operands, operands[0].type());
}

// -- Rearrangements --------------------------------------------------------------------------------

/// Trailing dimensions correspond; one of size 1 is repeated.
Value broadcast(VectorLanes& lanes, Operation& op, unsigned, const LanePosition& at) {
  LaneBuilder& build = lanes.build();
  Value source = op.operand(0);
  LaneShape from = laneShapeOf(source);
  if (from.empty()) return lanes.lane(source, {});
  std::vector<Value> index = build.indexOf(at, laneShapeOf(op.result()));
  index.erase(index.begin(), index.end() - static_cast<ptrdiff_t>(from.size()));
  for (size_t d = 0; d < from.size(); ++d)
    if (from[d] == 1) index[d] = build.number(0);
  return lanes.lane(source, {index, {}});
}

Value shapeCast(VectorLanes& lanes, Operation& op, unsigned, const LanePosition& at) {
  LaneBuilder& build = lanes.build();
  return lanes.lane(op.operand(0), {{}, build.linearOf(at, laneShapeOf(op.result()))});
}

Value transpose(VectorLanes& lanes, Operation& op, unsigned, const LanePosition& at) {
  LaneBuilder& build = lanes.build();
  std::span<const int64_t> order = op.attrOf<DenseArrayAttr>("permutation").values();
  std::vector<Value> index = build.indexOf(at, laneShapeOf(op.result())), source(index.size());
  for (size_t d = 0; d < index.size(); ++d)
    source[static_cast<size_t>(order[d])] = index[d];
  return lanes.lane(op.operand(0), {source, {}});
}

/// `at` in a slice: where that is in the whole, which has `lead` more dimensions in front.
std::vector<Value> slicePosition(LaneBuilder& build, Operation& op, const LanePosition& at,
                                 const LaneShape& shape, size_t lead) {
  std::vector<int64_t> offsets = integersOf(op, "offsets"), strides = integersOf(op, "strides");
  std::vector<Value> index = build.indexOf(at, shape);
  for (size_t d = 0; d < lead; ++d)
    index.insert(index.begin() + static_cast<ptrdiff_t>(d), build.number(offsets[d]));
  for (size_t d = lead; d < offsets.size(); ++d)
    index[d] = build.scaled(index[d], strides[d - lead], offsets[d]);
  return index;
}

Value extractSlice(VectorLanes& lanes, Operation& op, unsigned, const LanePosition& at) {
  return lanes.lane(op.operand(0),
                    {slicePosition(lanes.build(), op, at, laneShapeOf(op.result()), 0), {}});
}

void insertSlice(VectorLanes& lanes, Operation& op, Value buffer) {
  LaneBuilder& build = lanes.build();
  auto type = op.result().type().cast<VectorType>();
  lanes.copyInto(buffer, op.operand(1));
  LaneShape shape = laneShapeOf(op.operand(0));
  size_t lead = static_cast<size_t>(type.rank()) - shape.size();
  build.forEach(shape, [&](const LanePosition& at) {
    lanes.buffers().storeLane(lanes.lane(op.operand(0), at), buffer, type,
                              {slicePosition(build, op, at, shape, lead), {}});
  });
}

Value deinterleave(VectorLanes& lanes, Operation& op, unsigned result, const LanePosition& at) {
  LaneBuilder& build = lanes.build();
  Value linear = build.linearOf(at, laneShapeOf(op.result(result)));
  return lanes.lane(op.operand(0), {{}, build.scaled(linear, 2, result)});
}

void interleave(VectorLanes& lanes, Operation& op, Value buffer) {
  LaneBuilder& build = lanes.build();
  auto type = op.result().type().cast<VectorType>();
  build.forEachLinear(laneShapeOf(op.operand(0)), [&](const LanePosition& at) {
    for (unsigned i = 0; i < 2; ++i)
      lanes.buffers().storeLane(lanes.lane(op.operand(i), at), buffer, type,
                                {{}, build.scaled(at.linear, 2, i)});
  });
}

/// Each element of the mask chooses a slice of the outermost dimension of one of the two.
void shuffle(VectorLanes& lanes, Operation& op, Value buffer) {
  LaneBuilder& build = lanes.build();
  auto type = op.result().type().cast<VectorType>();
  LaneShape first = laneShapeOf(op.operand(0)), slice = laneShapeOf(op.result());
  slice.erase(slice.begin());
  int64_t count = first.empty() ? 1 : first[0], row = 0;
  for (int64_t chosen : integersOf(op, "mask")) {
    bool isSecond = chosen >= count;
    build.forEach(slice, [&](const LanePosition& at) {
      LanePosition from = at, to = at;
      if (!first.empty())
        from.index.insert(from.index.begin(), build.number(isSecond ? chosen - count : chosen));
      to.index.insert(to.index.begin(), build.number(row));
      lanes.buffers().storeLane(lanes.lane(op.operand(isSecond ? 1 : 0), from), buffer, type, to);
    });
    ++row;
  }
}

void fromElements(VectorLanes& lanes, Operation& op, Value buffer) {
  LaneBuilder& build = lanes.build();
  auto type = op.result().type().cast<VectorType>();
  for (unsigned i = 0; i < op.numOperands(); ++i)
    lanes.buffers().storeLane(op.operand(i), buffer, type, build.constantPosition(i));
}

/// Low bits stand first.
Value bitcast(VectorLanes& lanes, Operation& op, unsigned, const LanePosition& at) {
  LaneBuilder& build = lanes.build();
  Value source = op.operand(0);
  Type from = elementOf(source), to = elementOf(op.result());
  unsigned narrow = std::min(from.bitWidth(), to.bitWidth());
  auto as = [&](Value value, Type type) {
    return value.type() == type ? value : build.make("arith.bitcast", {value}, type);
  };
  if (from.bitWidth() == to.bitWidth()) return as(lanes.lane(source, at), to);
  Type fromInt = build.rewriter().intType(from.bitWidth()),
       toInt = build.rewriter().intType(to.bitWidth());
  Value linear = build.linearOf(at, laneShapeOf(op.result()));
  auto ratio = static_cast<int64_t>(std::max(from.bitWidth(), to.bitWidth()) / narrow);
  if (from.bitWidth() > to.bitWidth()) {
    Value parts = build.number(ratio);
    Value number = build.make("arith.divui", {linear, parts}, linear.type());
    Value part = build.scaled(build.make("arith.remui", {linear, parts}, linear.type()), narrow);
    Value bits = as(lanes.lane(source, {{}, number}), fromInt);
    bits =
        build.make("arith.shrui", {bits, build.make("arith.index_cast", {part}, fromInt)}, fromInt);
    return as(build.make("arith.trunci", {bits}, toInt), to);
  }
  Value all;
  for (int64_t i = 0; i < ratio; ++i) {
    Value bits = as(lanes.lane(source, {{}, build.scaled(linear, ratio, i)}), fromInt);
    bits = build.make("arith.extui", {bits}, toInt);
    if (i)
      bits = build.make("arith.shli", {bits, build.constant(IntegerAttr::get(toInt, i * narrow))},
                        toInt);
    all = all ? build.make("arith.ori", {all, bits}, toInt) : bits;
  }
  return as(all, to);
}

// -- Numbers and masks -----------------------------------------------------------------------------

Value constantLane(VectorLanes& lanes, Operation& op, unsigned, const LanePosition& at) {
  auto elements = op.attrOf<DenseElementsAttr>("value");
  if (elements.isSplat()) return lanes.build().constant(elements.splatValue());
  Value buffer = lanes.buffers().keepConstant(op);
  return lanes.buffers().loadLane(buffer, op.result().type().cast<VectorType>(), at);
}

Value step(VectorLanes& lanes, Operation& op, unsigned, const LanePosition& at) {
  LaneBuilder& build = lanes.build();
  Value linear = build.linearOf(at, laneShapeOf(op.result()));
  Type type = elementOf(op.result());
  return type.isIndex() ? linear : build.make("arith.index_cast", {linear}, type);
}

Value constantMask(VectorLanes& lanes, Operation& op, unsigned, const LanePosition& at) {
  LaneBuilder& build = lanes.build();
  std::vector<Value> index = build.indexOf(at, laneShapeOf(op.result()));
  std::vector<int64_t> sizes = integersOf(op, "mask_dim_sizes");
  Value set;
  for (size_t d = 0; d < index.size(); ++d)
    set = build.both(set, build.less(index[d], build.number(sizes[d]), false));
  return set ? set
             : build.constant(
                   IntegerAttr::getBool(build.rewriter().context(), !sizes.empty() && sizes[0]));
}

Value createMask(VectorLanes& lanes, Operation& op, unsigned, const LanePosition& at) {
  LaneBuilder& build = lanes.build();
  std::vector<Value> index = build.indexOf(at, laneShapeOf(op.result()));
  if (index.empty()) return build.less(build.number(0), op.operand(0), false);
  Value set;
  for (unsigned d = 0; d < index.size(); ++d)
    set = build.both(set, build.less(index[d], op.operand(d), false));
  return set;
}

// -- Elements at positions -------------------------------------------------------------------------

/// The position of an extract or insert.
std::vector<Value> positionOperands(LaneBuilder& build, Operation& op) {
  std::vector<Value> position;
  if (op.is("vector.extractelement") || op.is("vector.insertelement")) {
    unsigned first = op.is("vector.extractelement") ? 1 : 2;
    if (op.numOperands() > first) position.push_back(build.indexOfLane(op.operand(first)));
    return position;
  }
  vector::PositionOp view(&op);
  OperandRange dynamic = view.dynamicPosition();
  unsigned next = 0;
  for (int64_t constant : view.staticPosition())
    position.push_back(constant == kDynamic ? dynamic[next++] : build.number(constant));
  return position;
}

Value extractScalar(VectorLanes& lanes, Operation& op) {
  return lanes.lane(op.operand(0), {positionOperands(lanes.build(), op), {}});
}

Value extractVector(VectorLanes& lanes, Operation& op, unsigned, const LanePosition& at) {
  LaneBuilder& build = lanes.build();
  std::vector<Value> position = positionOperands(lanes.build(), op),
                     rest = build.indexOf(at, laneShapeOf(op.result()));
  position.insert(position.end(), rest.begin(), rest.end());
  return lanes.lane(op.operand(0), {position, {}});
}

void insert(VectorLanes& lanes, Operation& op, Value buffer) {
  LaneBuilder& build = lanes.build();
  auto type = op.result().type().cast<VectorType>();
  lanes.copyInto(buffer, op.operand(1));
  std::vector<Value> position = positionOperands(lanes.build(), op);
  build.forEach(laneShapeOf(op.operand(0)), [&](const LanePosition& at) {
    std::vector<Value> to = position;
    to.insert(to.end(), at.index.begin(), at.index.end());
    lanes.buffers().storeLane(lanes.lane(op.operand(0), at), buffer, type, {to, {}});
  });
}

// -- The table -------------------------------------------------------------------------------------

constexpr LaneRule kElementwise = {"", &elementwise, nullptr, nullptr, true, true};
constexpr LaneRule kRules[] = {
    {"arith.constant", &constantLane, nullptr, nullptr, true, true},
    {"arith.select", &elementwise, nullptr, nullptr, true, true},
    {"vector.fma", &fusedMultiplyAdd, nullptr, nullptr, true, true},
    {"vector.broadcast", &broadcast},
    {"vector.shape_cast", &shapeCast, nullptr, nullptr, false, true},
    {"vector.transpose", &transpose, nullptr, nullptr, false, true},
    {"vector.extract_strided_slice", &extractSlice, nullptr, nullptr, false, true},
    {"vector.deinterleave", &deinterleave},
    {"vector.step", &step},
    {"vector.constant_mask", &constantMask},
    {"vector.create_mask", &createMask},
    {"vector.bitcast", &bitcast},
    {"vector.insert", nullptr, &insert},
    {"vector.insertelement", nullptr, &insert},
    {"vector.insert_strided_slice", nullptr, &insertSlice},
    {"vector.from_elements", nullptr, &fromElements},
    {"vector.shuffle", nullptr, &shuffle},
    {"vector.interleave", nullptr, &interleave},
    {"vector.extractelement", nullptr, nullptr, &extractScalar},
    {"vector.extract", &extractVector, nullptr, nullptr, false, true},
    {"vector.extract", nullptr, nullptr, &extractScalar},
};

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
  // Some ops have a rule for a vector as the result, and one for a scalar.
  const bool hasVector = op.numResults() > 0 && op.result().type().isa<VectorType>();
  for (std::span<const LaneRule> rules :
       {std::span<const LaneRule>(kRules), sumRules(), memoryRules()})
    for (const LaneRule& rule : rules)
      if (op.is(rule.name) && hasVector == !rule.run) return &rule;
  bool isArithmetic = op.def().dialect == "arith" || op.def().dialect == "math";
  return isArithmetic && op.hasTrait(Trait::Elementwise) ? &kElementwise : nullptr;
}

}  // namespace airlite::npu
