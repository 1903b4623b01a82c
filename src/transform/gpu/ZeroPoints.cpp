// sum of (A - a)(B - b) over k  =  sum of A B  -  b * sum of A  -  a * sum of B  +  K a b
#include "ZeroPoints.hpp"

#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Rewriter.hpp"

namespace airlite::gpu {
namespace {

using linalg::IteratorKind;
using linalg::StructuredOp;

class ZeroPointWriter {
 public:
  explicit ZeroPointWriter(StructuredOp op) : op_(op), builder_(Builder::before(*op)) {}

  bool canWrite() const {
    if (!op_->is("linalg.quantized_matmul") && !op_->is("linalg.quantized_batch_matmul"))
      return false;
    const auto isOf = [&](unsigned operand, unsigned bits) {
      const Type element = elementTypeOrSelf(op_->operand(operand).type());
      return element.isInteger() && element.bitWidth() == bits;
    };
    return op_.onBuffers() && isOf(0, 8) && isOf(1, 8) && isOf(2, 32) && isOf(3, 32) &&
           isOf(4, 32) && shapeOf(0).back() != kDynamic;
  }

  void write() {
    // What C starts with stays next to the product.
    if (Operation* before = op_->prev(); before && before->is("linalg.fill"))
      if (before->operand(1) == op_->operand(4)) builder_.setBefore(*before);
    const Value a = op_->operand(2), b = op_->operand(3);
    const Value rows = isZero(b) ? Value() : sumsOf(0);
    const Value columns = isZero(a) ? Value() : sumsOf(1);
    const Value all = number("arith.muli", number("arith.muli", a, b), constant(shapeOf(0).back()));
    builder_.setBefore(*op_);
    const Value factors[] = {op_->operand(0), op_->operand(1)};
    const Value result = op_->operand(4);
    linalg::createNamedOp(builder_, location(),
                          rank() == 2 ? "linalg.matmul" : "linalg.batch_matmul", factors,
                          std::span(&result, 1));
    correct(rows, columns, all);
    for (Value sums : {rows, columns})
      if (sums) memref::DeallocOp::create(builder_, location(), sums);
    op_->erase();
  }

 private:
  Location location() const { return op_->location(); }
  Context& context() const { return op_->context(); }
  Type i32() { return IntegerType::get(context(), 32); }
  std::span<const int64_t> shapeOf(unsigned operand) const {
    return op_->operand(operand).type().cast<MemRefType>().shape();
  }
  unsigned rank() const { return static_cast<unsigned>(shapeOf(4).size()); }
  static bool isZero(Value value) { return constantIntOf(value) == 0; }

  Value constant(int64_t value) {
    return builder_.constant(location(), IntegerAttr::get(i32(), value));
  }
  Value number(std::string_view name, Value a, Value b) {
    return builder_.create(location(), name, {a, b}, {i32()})->result();
  }

  /// The loops of the result (a batch, m, n), but one where `without` is below their number, and that of the sums.
  AffineMap loops(unsigned count, unsigned without) const {
    std::vector<AffineExpr> results;
    for (unsigned loop = 0; loop < count; ++loop)
      if (loop != without) results.push_back(AffineExpr::dim(context(), loop));
    return AffineMap::get(context(), count, 0, results);
  }

  /// Of a factor, over its dimension of the sums.
  Value sumsOf(unsigned factor) {
    const unsigned reduced = rank() - 1 - factor;
    const auto shape = shapeOf(factor);
    std::vector<int64_t> kept(shape.begin(), shape.end());
    kept.erase(kept.begin() + reduced);
    std::vector<Value> sizes;
    for (unsigned dim = 0; dim < shape.size(); ++dim)
      if (dim != reduced && shape[dim] == kDynamic) sizes.push_back(sizeOf(factor, dim));
    const Value sums = memref::AllocOp::create(builder_, location(),
                                               MemRefType::get(context(), kept, i32()), sizes)
                           .result();
    const Value zero = constant(0);
    linalg::createNamedOp(builder_, location(), "linalg.fill", std::span(&zero, 1),
                          std::span(&sums, 1));
    const Value input = op_->operand(factor);
    const AffineMap maps[] = {loops(rank(), rank()), loops(rank(), reduced)};
    std::vector<IteratorKind> kinds(rank(), IteratorKind::Parallel);
    kinds[reduced] = IteratorKind::Reduction;
    StructuredOp made = linalg::createGeneric(builder_, location(), std::span(&input, 1),
                                              std::span(&sums, 1), maps, kinds);
    Builder body = Builder::atEnd(made.body());
    const Value wide =
        body.create(location(), "arith.extsi", {made.bodyArgument(0)}, {i32()})->result();
    const Value sum =
        body.create(location(), "arith.addi", {made.bodyArgument(1), wide}, {i32()})->result();
    body.create(location(), "linalg.yield", {sum}, {});
    return sums;
  }

  Value sizeOf(unsigned operand, unsigned dim) {
    const Value at = builder_.constantIndex(location(), dim);
    const Type type = builder_.indexType();
    return builder_.create(location(), "memref.dim", {op_->operand(operand), at}, {type})->result();
  }

  /// C + all - rows * b - columns * a, in place.
  void correct(Value rows, Value columns, Value all) {
    const unsigned m = rank() - 2, n = rank() - 1;
    std::vector<Value> inputs = {all};
    std::vector<AffineMap> maps = {AffineMap::get(context(), rank(), 0, {})};
    const auto take = [&](Value sums, Value factor, unsigned without) {
      if (!sums) return;
      inputs.insert(inputs.end(), {sums, factor});
      maps.push_back(loops(rank(), without));
      maps.push_back(maps[0]);
    };
    take(rows, op_->operand(3), n);
    take(columns, op_->operand(2), m);
    maps.push_back(loops(rank(), rank()));
    const Value result = op_->operand(4);
    const std::vector<IteratorKind> kinds(rank(), IteratorKind::Parallel);
    StructuredOp made =
        linalg::createGeneric(builder_, location(), inputs, std::span(&result, 1), maps, kinds);
    Builder body = Builder::atEnd(made.body());
    const auto compute = [&](std::string_view name, Value a, Value b) {
      return body.create(location(), name, {a, b}, {i32()})->result();
    };
    const auto last = static_cast<unsigned>(inputs.size());
    Value sum = compute("arith.addi", made.bodyArgument(last), made.bodyArgument(0));
    for (unsigned i = 1; i < last; i += 2)
      sum = compute("arith.subi", sum,
                    compute("arith.muli", made.bodyArgument(i), made.bodyArgument(i + 1)));
    body.create(location(), "linalg.yield", {sum}, {});
  }

  StructuredOp op_;
  Builder builder_;
};

}  // namespace

bool takeOutZeroPoints(StructuredOp op) {
  ZeroPointWriter writer(op);
  if (!writer.canWrite()) return false;
  writer.write();
  return true;
}

}  // namespace airlite::gpu
