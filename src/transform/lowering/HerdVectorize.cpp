// air-herd-vectorize: linalg ops in herds compute whole vectors.
//
// Matches elementwise linalg ops in an air.herd: all loops parallel, on buffers of known shape, each
// index of an operand one loop. Each operand that is read becomes a vector.transfer_read of the whole
// buffer, the body one op on vectors for each of its ops, each output a vector.transfer_write. Code
// generators split vectors that are longer than those of the machine.
//
// Declines, with a remark: reductions, indices that are sums, bodies that ask for the indices of their
// loops or whose ops have no form on vectors, loops without iterations, buffers that are not in L1.
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/Vector.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/transform/Vectorize.hpp"

#include <algorithm>

namespace airlite {

namespace {

using linalg::StructuredOp;

std::string_view obstacleToVectors(StructuredOp op) {
  if (!op || !op.onBuffers() || op->numResults() > 0) return "stays: it is no linalg op on buffers";
  for (linalg::IteratorKind kind : op.iterators())
    if (kind != linalg::IteratorKind::Parallel) return "stays: it reduces";
  const std::vector<int64_t> sizes = op.loopSizes();
  if (sizes.empty()) return "stays: it has no loops";
  for (int64_t size : sizes)
    if (size == kDynamic || size < 1) return "stays: the size of a loop is not known, or is 0";
  const bool isInHerd = static_cast<bool>(op->parentOf<air::HerdOp>());
  const std::vector<AffineMap> maps = op.indexingMaps();
  for (unsigned i = 0; i < maps.size(); ++i) {
    const Type type = op->operand(i).type();
    const bool isInCore = !type.isa<MemRefType>() || air::memoryLevel(type) == air::MemoryLevel::L1;
    if (isInHerd && !isInCore) return "stays: its core cannot access an operand";
    const bool isOutput = i >= op.numInputs();
    const bool isPlain = isOutput ? maps[i].isPermutation() : maps[i].isProjectedPermutation();
    if (!isPlain) return "stays: an index of an operand is not one loop";
  }
  for (Operation& inner : op.body().ops()) {
    if (inner.hasTrait(Trait::Terminator) || inner.hasTrait(Trait::ConstantLike)) continue;
    const bool isMath = inner.def().dialect == "arith" || inner.def().dialect == "math";
    if (!isMath || !vector::isElementwise(inner) || inner.numResults() != 1)
      return "stays: an op of its body has no form on vectors";
  }
  return {};
}

/// The vectors of one op while it is replaced.
class VectorWriter {
 public:
  explicit VectorWriter(StructuredOp op)
      : op_(op), maps_(op.indexingMaps()), sizes_(op.loopSizes()), builder_(Builder::before(*op)) {}

  void replace() {
    for (unsigned i = 0; i < op_->numOperands(); ++i) {
      const Value element = op_.bodyArgument(i);
      if (element && element.hasUses()) mapping_.map(element, read(i));
    }
    for (Operation& inner : op_.body().ops())
      if (!inner.hasTrait(Trait::Terminator)) compute(inner);
    for (unsigned i = 0; i < op_.numOutputs(); ++i)
      write(op_.numInputs() + i, asVector(mapping_.lookupOr(op_.body().back().operand(i))));
    op_->erase();
  }

 private:
  Type vectorOf(Type element) const {
    return VectorType::get(builder_.context(), sizes_, elementTypeOrSelf(element));
  }

  Value asVector(Value value) {
    if (value.type().isa<VectorType>()) return value;
    return builder_.create(op_->location(), "vector.broadcast", {value}, {vectorOf(value.type())})
        ->result();
  }

  /// Where in the memory of an operand each loop goes: its dimension; 0: it repeats.
  AffineMapAttr placeOf(unsigned operand) const {
    Context& context = builder_.context();
    std::vector<AffineExpr> dims(sizes_.size(), AffineExpr::constant(context, 0));
    for (unsigned dim = 0; dim < maps_[operand].numResults(); ++dim)
      dims[maps_[operand].result(dim).position()] = AffineExpr::dim(context, dim);
    return AffineMapAttr::get(AffineMap::get(context, maps_[operand].numResults(), 0, dims));
  }

  void addPlace(OperationState& state, unsigned operand) {
    const std::vector<Value> zeros(maps_[operand].numResults(),
                                   builder_.constantIndex(op_->location(), 0));
    state.operands.push_back(op_->operand(operand));
    state.addOperands(zeros);
    const std::vector<Attribute> inside(sizes_.size(),
                                        IntegerAttr::getBool(builder_.context(), true));
    state.addAttribute(builder_.context(), "permutation_map", placeOf(operand));
    state.addAttribute(builder_.context(), "in_bounds", ArrayAttr::get(builder_.context(), inside));
  }

  Value read(unsigned operand) {
    const Type type = op_->operand(operand).type();
    if (!type.isa<MemRefType>()) return op_->operand(operand);
    const Type element = elementTypeOrSelf(type);
    const Attribute zero = element.isFloat() ? Attribute(FloatAttr::get(element, 0.0))
                                             : Attribute(IntegerAttr::get(element, 0));
    const Value padding = builder_.constant(op_->location(), zero);
    OperationState state(builder_.context(), op_->location(), "vector.transfer_read");
    addPlace(state, operand);
    const auto rank = static_cast<int32_t>(maps_[operand].numResults());
    state.operands.push_back(padding);
    const int32_t groups[] = {1, rank, 1, 0};
    state.setOperandSegments(builder_.context(), groups);
    state.resultTypes = {vectorOf(element)};
    return builder_.create(state)->result();
  }

  void write(unsigned operand, Value vector) {
    OperationState state(builder_.context(), op_->location(), "vector.transfer_write");
    state.operands = {vector};
    addPlace(state, operand);
    const auto rank = static_cast<int32_t>(maps_[operand].numResults());
    const int32_t groups[] = {1, 1, rank, 0};
    state.setOperandSegments(builder_.context(), groups);
    builder_.create(state);
  }

  void compute(Operation& inner) {
    if (inner.hasTrait(Trait::ConstantLike)) {
      builder_.clone(inner, mapping_);
      return;
    }
    OperationState state(inner.location(), inner.def());
    for (Value operand : inner.operands())
      state.operands.push_back(asVector(mapping_.lookupOr(operand)));
    state.resultTypes = {vectorOf(inner.result().type())};
    state.attributes = inner.attributes();
    mapping_.map(inner.result(), builder_.create(state)->result());
  }

  StructuredOp op_;
  std::vector<AffineMap> maps_;
  std::vector<int64_t> sizes_;
  Builder builder_;
  IRMapping mapping_;
};

class HerdVectorize : public Pass {
 public:
  HerdVectorize() : Pass("air-herd-vectorize", "Makes linalg ops in herds ops on whole vectors") {
    anchor("func.func");
    example("airlite-opt --air-herd-vectorize in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    std::vector<Operation*> ops;
    function.walk([&](Operation& op) {
      if (linalg::asStructured(&op) && op.parentOf<air::HerdOp>()) ops.push_back(&op);
    });
    bool changed = false;
    for (Operation* op : ops) {
      const std::string_view why = vectorizeElementwise(*op);
      if (!why.empty()) context.remark(*op, why);
      changed |= why.empty();
    }
    if (changed)
      context.declareEffectChange(CountedEffect::Store, "linalg ops become writes of vectors");
    return changedIf(changed);
  }
};

}  // namespace

std::string_view vectorizeElementwise(Operation& op) {
  const StructuredOp structured = linalg::asStructured(&op);
  const std::string_view why = obstacleToVectors(structured);
  if (why.empty()) VectorWriter(structured).replace();
  return why;
}

void registerHerdVectorize(PassRegistry& registry) { registry.add<HerdVectorize>(); }

}  // namespace airlite
