// Reductions and products of vectors, in the order of the interpreter (src/interp/Vector.cpp).
#include "VectorLanes.hpp"
#include "airlite/dialect/Vector.hpp"

namespace airlite::npu {

namespace {

Value reduction(VectorLanes& lanes, Operation& op) {
  LaneBuilder& build = lanes.build();
  vector::ReductionOp view(&op);
  LaneBuilder::Fold fold = [&](const LanePosition& at, Value sum) {
    return build.combine(view.kind(), sum, lanes.lane(view.source(), at));
  };
  LaneShape shape = laneShapeOf(view.source());
  Value accumulator = view.accumulator();
  if (accumulator) return build.reduce(shape, accumulator, fold);
  return build.reduce(shape, lanes.lane(view.source(), build.constantPosition(0)), fold, 1);
}

/// The sum of all elements whose dimensions that stay are at `kept`.
Value reduceAt(VectorLanes& lanes, Operation& op, const std::vector<Value>& kept) {
  LaneBuilder& build = lanes.build();
  vector::MultiReductionOp view(&op);
  LaneShape from = laneShapeOf(view.source()), reduced;
  for (unsigned d = 0; d < from.size(); ++d)
    if (view.isReducedDim(d)) reduced.push_back(from[d]);
  Value start = lanes.lane(view.accumulator(), {kept, {}});
  return build.reduce(reduced, start, [&](const LanePosition& at, Value sum) {
    std::vector<Value> index;
    size_t nextKept = 0, nextReduced = 0;
    for (unsigned d = 0; d < from.size(); ++d)
      index.push_back(view.isReducedDim(d) ? at.index[nextReduced++] : kept[nextKept++]);
    return build.combine(view.kind(), sum, lanes.lane(view.source(), {index, {}}));
  });
}

Value multiReductionToScalar(VectorLanes& lanes, Operation& op) { return reduceAt(lanes, op, {}); }

void multiReduction(VectorLanes& lanes, Operation& op, Value buffer) {
  LaneBuilder& build = lanes.build();
  auto type = op.result().type().cast<VectorType>();
  build.forEach(laneShapeOf(op.result()), [&](const LanePosition& at) {
    lanes.buffers().storeLane(reduceAt(lanes, op, at.index), buffer, type, at);
  });
}

/// The dimensions of a contraction and their sizes.
struct Contraction {
  std::vector<AffineMap> maps;
  LaneShape sizes;
  explicit Contraction(Operation& op)
      : maps(vector::ContractOp(&op).indexingMaps()), sizes(maps[0].numDims(), 1) {
    for (unsigned i = 0; i < 2; ++i) {
      LaneShape shape = laneShapeOf(op.operand(i));
      for (unsigned d = 0; d < maps[i].numResults(); ++d)
        sizes[maps[i].result(d).position()] = shape[d];
    }
  }
};

/// The element at `index` of the result: products are added in the order of the dimensions.
Value contractAt(VectorLanes& lanes, Operation& op, const Contraction& contraction,
                 std::vector<Value> index) {
  LaneBuilder& build = lanes.build();
  vector::ContractOp view(&op);
  Type element = elementTypeOrSelf(op.result().type());
  std::vector<Value> place(contraction.sizes.size());
  for (unsigned i = 0; i < index.size(); ++i)
    place[contraction.maps[2].result(i).position()] = index[i];
  std::vector<size_t> open;
  LaneShape reduced;
  for (size_t d = 0; d < place.size(); ++d)
    if (!place[d]) open.push_back(d), reduced.push_back(contraction.sizes[d]);
  auto factor = [&](unsigned i) {
    std::vector<Value> at;
    for (AffineExpr result : contraction.maps[i].results())
      at.push_back(place[result.position()]);
    return build.widened(lanes.lane(op.operand(i), {at, {}}), element);
  };
  Value start = lanes.lane(view.accumulator(), {index, {}});
  return build.reduce(reduced, start, [&](const LanePosition& at, Value sum) {
    for (size_t i = 0; i < open.size(); ++i)
      place[open[i]] = at.index[i];
    Value left = factor(0);
    return build.combine(view.kind(), sum, build.combine("mul", left, factor(1)));
  });
}

Value contractToScalar(VectorLanes& lanes, Operation& op) {
  return contractAt(lanes, op, Contraction(op), {});
}

void contract(VectorLanes& lanes, Operation& op, Value buffer) {
  LaneBuilder& build = lanes.build();
  auto type = op.result().type().cast<VectorType>();
  Contraction contraction(op);
  build.forEach(laneShapeOf(op.result()), [&](const LanePosition& at) {
    lanes.buffers().storeLane(contractAt(lanes, op, contraction, at.index), buffer, type, at);
  });
}

Value outerProduct(VectorLanes& lanes, Operation& op, unsigned, const LanePosition& at) {
  LaneBuilder& build = lanes.build();
  std::vector<Value> index = build.indexOf(at, laneShapeOf(op.result()));
  Value left = lanes.lane(op.operand(0), {{index[0]}, {}});
  Value right = op.operand(1);
  if (right.type().isa<VectorType>()) right = lanes.lane(right, {{index[1]}, {}});
  Value product = build.combine("mul", left, right);
  if (op.numOperands() == 2) return product;
  auto kind = op.attrOf<DialectAttr>("kind");
  return build.combine(kind ? kind.keyword() : "add", lanes.lane(op.operand(2), at), product);
}

constexpr LaneRule kSumRules[] = {
    {"vector.outerproduct", &outerProduct},
    {"vector.reduction", nullptr, nullptr, &reduction, false, true},
    {"vector.multi_reduction", nullptr, &multiReduction, nullptr, false, true},
    {"vector.contract", nullptr, &contract},
    {"vector.multi_reduction", nullptr, nullptr, &multiReductionToScalar, false, true},
    {"vector.contract", nullptr, nullptr, &contractToScalar},
};

}  // namespace

std::span<const LaneRule> sumRules() { return kSumRules; }

}  // namespace airlite::npu
