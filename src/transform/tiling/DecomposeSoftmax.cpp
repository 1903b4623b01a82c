// air-decompose-softmax: linalg.softmax becomes the five ops that it stands for.
//
// Matches linalg.softmax on memrefs. Along the dimension: the greatest element
// (arith.maxnumf from minus infinity), the exponential of each element minus it, their sum, and each
// divided by the sum; greatest and sum are buffers of the shape without the dimension, in the memory of
// the result, in a herd in L1. The order and
// the rounding are those of the op.
//
// Declines, with a remark: tensors, and operands of different elements.
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/pass/Pass.hpp"

#include <limits>

namespace airlite {

namespace {

using linalg::IteratorKind;

class Decomposition {
 public:
  explicit Decomposition(Operation& op)
      : op_(op),
        builder_(Builder::before(op)),
        from_(op.operand(0)),
        to_(op.operand(1)),
        type_(from_.type().cast<MemRefType>()),
        dimension_(static_cast<size_t>(op.attrOf<IntegerAttr>("dimension").value())) {}

  void run() {
    const Value greatest = rowsFilledWith(-std::numeric_limits<double>::infinity());
    reduce(from_, greatest, "arith.maxnumf");
    generic({from_, greatest}, to_, false, [&](Builder& body, std::span<const Value> x) {
      const Value difference = make(body, "arith.subf", {x[0], x[1]});
      return make(body, "math.exp", {difference});
    });
    const Value sum = rowsFilledWith(0);
    reduce(to_, sum, "arith.addf");
    generic({sum}, to_, false, [&](Builder& body, std::span<const Value> x) {
      return make(body, "arith.divf", {x[1], x[0]});
    });
    for (Value rows : {greatest, sum})
      memref::DeallocOp::create(builder_, op_.location(), rows);
    op_.erase();
  }

 private:
  using Body = FunctionRef<Value(Builder&, std::span<const Value>)>;

  Value make(Builder& builder, std::string_view name, std::initializer_list<Value> operands) const {
    return builder.create(op_.location(), name, operands, {operands.begin()->type()})->result();
  }

  Value rowsFilledWith(double number) {
    std::vector<int64_t> shape(type_.shape().begin(), type_.shape().end());
    shape.erase(shape.begin() + static_cast<ptrdiff_t>(dimension_));
    const Type element = type_.elementType();
    const Value rows =
        memref::AllocOp::create(
            builder_, op_.location(),
            MemRefType::get(op_.context(), shape, element, Attribute(), space()), openSizes())
            .result();
    const Value start = builder_.constant(op_.location(), FloatAttr::get(element, number));
    linalg::createNamedOp(builder_, op_.location(), "linalg.fill", std::span(&start, 1),
                          std::span(&rows, 1));
    return rows;
  }

  /// A core has no memory but its own.
  Attribute space() const {
    if (op_.parentOfName("air.herd"))
      return IntegerAttr::get(IntegerType::get(op_.context(), 64), 2);
    return to_.type().cast<MemRefType>().memorySpace();
  }

  /// Of the rows, where they are only known at run time.
  std::vector<Value> openSizes() {
    std::vector<Value> sizes;
    for (size_t dim = 0; dim < type_.shape().size(); ++dim) {
      if (dim == dimension_ || type_.dim(dim) != kDynamic) continue;
      const Value number = builder_.constantIndex(op_.location(), static_cast<int64_t>(dim));
      sizes.push_back(
          builder_.create(op_.location(), "memref.dim", {from_, number}, {builder_.indexType()})
              ->result());
    }
    return sizes;
  }

  void reduce(Value from, Value rows, std::string_view name) {
    generic({from}, rows, true, [&](Builder& body, std::span<const Value> x) {
      return make(body, name, {x[1], x[0]});
    });
  }

  /// Which elements an operand has at a place: all dimensions, or those of the rows.
  AffineMap mapOf(Value operand) const {
    const auto rank = static_cast<unsigned>(type_.rank());
    std::vector<AffineExpr> dims;
    const bool isRows = operand.type().cast<MemRefType>().rank() < type_.rank();
    for (unsigned i = 0; i < rank; ++i)
      if (!isRows || i != dimension_) dims.push_back(AffineExpr::dim(op_.context(), i));
    return AffineMap::get(op_.context(), rank, 0, dims);
  }

  void generic(const std::vector<Value>& inputs, Value output, bool isReduction, Body compute) {
    std::vector<AffineMap> maps;
    for (Value input : inputs)
      maps.push_back(mapOf(input));
    maps.push_back(mapOf(output));
    std::vector<IteratorKind> kinds(static_cast<size_t>(type_.rank()), IteratorKind::Parallel);
    if (isReduction) kinds[dimension_] = IteratorKind::Reduction;
    auto made =
        linalg::createGeneric(builder_, op_.location(), inputs, std::span(&output, 1), maps, kinds);
    Block& block = made->region(0).front();
    Builder body = Builder::atEnd(block);
    const Value result = compute(body, block.arguments());
    body.create(op_.location(), "linalg.yield", {result}, {});
  }

  Operation& op_;
  Builder builder_;
  Value from_, to_;
  MemRefType type_;
  size_t dimension_;
};

class DecomposeSoftmax : public Pass {
 public:
  DecomposeSoftmax() : Pass("air-decompose-softmax", "Turns linalg.softmax into its steps") {
    anchor("func.func");
    example("airlite-opt --air-decompose-softmax in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    std::vector<Operation*> ops;
    function.walk([&](Operation& op) {
      if (!op.is("linalg.softmax")) return;
      const auto from = op.operand(0).type().dynCast<MemRefType>(),
                 to = op.operand(1).type().dynCast<MemRefType>();
      if (from && to && from.elementType() == to.elementType())
        ops.push_back(&op);
      else
        context.remark(op, "stays: its operands are not buffers of the same elements");
    });
    for (Operation* op : ops)
      Decomposition(*op).run();
    if (!ops.empty()) context.declareEffectChange(CountedEffect::Store, "a softmax is several ops");
    return changedIf(!ops.empty());
  }
};

}  // namespace

void registerDecomposeSoftmax(PassRegistry& registry) { registry.add<DecomposeSoftmax>(); }

}  // namespace airlite
