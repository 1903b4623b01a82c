// air-zero-points: products of bytes with zero points become products without them, and sums that correct these (ZeroPoints.hpp).
//
// sum of (A - a)(B - b) over k  =  sum of A B  -  b * sum of A  -  a * sum of B  +  K a b
//
// k may be several loops, and A may be read as a convolution reads its input: the sums of A are those of its windows then.
#include "ZeroPoints.hpp"

#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <array>

namespace airlite::tiling {
namespace {

using linalg::IteratorKind;
using linalg::StructuredOp;

constexpr int64_t kSignBit = -128;

bool indexedBy(AffineMap map, unsigned loop) {
  return std::ranges::any_of(map.results(), [&](AffineExpr e) { return e.usesDim(loop); });
}

/// What widens a byte of a factor to i32; null: something else is done with it.
Operation* wideningOf(Value argument) {
  if (!argument || !argument.hasOneUse()) return nullptr;
  Operation* user = (*argument.uses().begin()).owner();
  const bool widens = user->is("arith.extui") || user->is("arith.extsi");
  return widens && user->result().type().isInteger(32) && user->result().hasOneUse() ? user
                                                                                     : nullptr;
}

/// The sum of its output and the product of its factors, each widened, one of them at least without its sign.
bool isUnsignedProduct(StructuredOp op) {
  if (op.numInputs() != 2 || op.numOutputs() != 1) return false;
  Operation* a = wideningOf(op.bodyArgument(0));
  Operation* b = wideningOf(op.bodyArgument(1));
  if (!a || !b || !(a->is("arith.extui") || b->is("arith.extui"))) return false;
  Operation* product = (*a->result().uses().begin()).owner();
  if (!product->is("arith.muli") || (*b->result().uses().begin()).owner() != product) return false;
  const Value end = op.body().back().operand(0);
  Operation* sum = end.definingOp();
  return sum && sum->is("arith.addi") && std::ranges::count(sum->operands(), product->result()) &&
         std::ranges::count(sum->operands(), op.bodyArgument(2));
}

/// (A - a)(B - b), by the names of linalg.
bool hasZeroPoints(StructuredOp op) {
  return op.numInputs() == 4 && op.numOutputs() == 1 &&
         (op->name().starts_with("linalg.quantized_") || op->name().ends_with("_q"));
}

/// Writes the product without zero points, and the sums that correct it. One class: each of them needs the loops by their roles, the
/// maps and what has been made before.
class ZeroPointWriter {
 public:
  ZeroPointWriter(StructuredOp op, TakenOut what)
      : op_(op), what_(what), builder_(Builder::before(*op)), isQuantized_(hasZeroPoints(op)) {}

  bool canWrite() {
    if (!op_.onBuffers() || (!isQuantized_ && !isUnsignedProduct())) return false;
    const auto all = op_.indexingMaps();
    maps_ = {all[0], all[1], all.back()};
    return maps_[1].isProjectedPermutation() && maps_[2].isProjectedPermutation() && isOf(0, 8) &&
           isOf(1, 8) && isOf(op_->numOperands() - 1, 32) && wideningOf(op_.bodyArgument(0)) &&
           wideningOf(op_.bodyArgument(1)) && (!isQuantized_ || (isOf(2, 32) && isOf(3, 32))) &&
           hasLoopsOfProduct();
  }

  void write() {
    // What C starts with stays next to the product.
    if (Operation* before = op_->prev(); before && before->is("linalg.fill"))
      if (before->operand(1) == result()) builder_.setBefore(*before);
    for (unsigned i = 0; i < 2; ++i)
      takeFactor(i);
    const Value rows = isZero(points_[1]) ? Value() : sumsOf(0);
    const Value columns = isZero(points_[0]) ? Value() : sumsOf(1);
    int64_t depth = 1;
    for (unsigned loop : sums_)
      depth *= op_.loopSizes()[loop];
    const Value all = number("arith.muli", number("arith.muli", points_[0], points_[1]),
                             constant(static_cast<int32_t>(depth)));
    builder_.setBefore(*op_);
    writeProduct();
    correct(rows, columns, all);
    made_.insert(made_.end(), {rows, columns});
    for (Value buffer : made_)
      if (buffer) memref::DeallocOp::create(builder_, location(), buffer);
    op_->erase();
  }

 private:
  bool isUnsignedProduct() const {
    return what_ == TakenOut::ZeroPointsAndUnsigned && tiling::isUnsignedProduct(op_);
  }
  Location location() const { return op_->location(); }
  Context& context() const { return op_->context(); }
  Type i32() { return IntegerType::get(context(), 32); }
  Value result() const { return op_.outputs()[0]; }
  bool isOf(unsigned operand, unsigned bits) const {
    const Type element = elementTypeOrSelf(op_->operand(operand).type());
    return element.isInteger() && element.bitWidth() == bits;
  }

  /// Those of batches, those of rows, of columns, and of sums of known size; one of columns and of sums where the product is no
  /// convolution, which has known sizes.
  bool hasLoopsOfProduct() {
    unsigned rows = 0, columns = 0;
    const std::vector<int64_t> sizes = op_.loopSizes();
    for (unsigned loop = 0; loop < op_.numLoops(); ++loop) {
      const bool a = indexedBy(maps_[0], loop), b = indexedBy(maps_[1], loop);
      if (!indexedBy(maps_[2], loop)) {
        if (!a || !b || sizes[loop] == kDynamic) return false;
        sums_.push_back(loop);
      } else if (a != b) {
        ++(a ? rows : columns);
      } else if (!a) {
        return false;
      }
    }
    if (rows == 0 || columns == 0 || sums_.empty()) return false;
    return maps_[0].isProjectedPermutation() ? columns == 1 && sums_.size() == 1
                                             : !std::ranges::count(sizes, kDynamic);
  }

  Value constant(int64_t value) {
    return builder_.constant(location(), IntegerAttr::get(i32(), value));
  }
  Value number(std::string_view name, Value a, Value b) {
    return builder_.create(location(), name, {a, b}, {i32()})->result();
  }

  // -- Factors

  void takeFactor(unsigned factor) {
    factors_[factor] = op_->operand(factor);
    points_[factor] = isQuantized_ ? op_->operand(2 + factor) : constant(0);
    if (wideningOf(op_.bodyArgument(factor))->is("arith.extsi")) return;
    const Value bit = constant(kSignBit);
    points_[factor] = isZero(points_[factor]) ? bit : number("arith.addi", points_[factor], bit);
    factors_[factor] = factor == 1 && op_->operand(0) == op_->operand(1) && made_.size() == 1
                           ? factors_[0]
                           : withSign(op_->operand(factor));
  }

  /// A buffer of the bytes with their first bits turned.
  Value withSign(Value bytes) {
    const Value buffer = allocate(bytes, allDims(bytes), elementTypeOrSelf(bytes.type()));
    const auto rank = static_cast<unsigned>(bytes.type().cast<MemRefType>().rank());
    const std::vector<AffineMap> maps(2, AffineMap::identity(context(), rank));
    StructuredOp made =
        linalg::createGeneric(builder_, location(), std::span(&bytes, 1), std::span(&buffer, 1),
                              maps, std::vector(rank, IteratorKind::Parallel));
    Builder body = Builder::atEnd(made.body());
    const Value bit =
        body.constant(location(), IntegerAttr::get(elementTypeOrSelf(bytes.type()), kSignBit));
    const Value turned =
        body.create(location(), "arith.xori", {made.bodyArgument(0), bit}, {bit.type()})->result();
    body.create(location(), "linalg.yield", {turned}, {});
    made_.push_back(buffer);
    return buffer;
  }

  static std::vector<unsigned> allDims(Value memref) {
    std::vector<unsigned> dims(memref.type().cast<MemRefType>().shape().size());
    for (unsigned i = 0; i < dims.size(); ++i)
      dims[i] = i;
    return dims;
  }

  /// Of these dimensions of `like`.
  Value allocate(Value like, std::span<const unsigned> dims, Type element) {
    const auto shape = like.type().cast<MemRefType>().shape();
    std::vector<int64_t> kept;
    std::vector<Value> sizes;
    for (unsigned dim : dims) {
      kept.push_back(shape[dim]);
      if (shape[dim] != kDynamic) continue;
      const Value at = builder_.constantIndex(location(), dim);
      sizes.push_back(
          builder_.create(location(), "memref.dim", {like, at}, {builder_.indexType()})->result());
    }
    return memref::AllocOp::create(builder_, location(), MemRefType::get(context(), kept, element),
                                   sizes)
        .result();
  }

  // -- Sums

  /// The dimensions of C whose loops a factor has: those of its sums.
  std::vector<unsigned> keptDims(unsigned factor) const {
    std::vector<unsigned> dims = allDims(result());
    std::erase_if(dims, [&](unsigned dim) {
      return !indexedBy(maps_[factor], maps_[2].result(dim).position());
    });
    return dims;
  }

  AffineMap mapOf(unsigned count, std::span<const unsigned> dims) const {
    std::vector<AffineExpr> results;
    for (unsigned dim : dims)
      results.push_back(AffineExpr::dim(context(), dim));
    return AffineMap::get(context(), count, 0, results);
  }

  /// Of a factor, over the loops of the sums. Loops: those of the kept dimensions, then these.
  Value sumsOf(unsigned factor) {
    const std::vector<unsigned> kept = keptDims(factor);
    const auto outer = static_cast<unsigned>(kept.size()),
               count = outer + static_cast<unsigned>(sums_.size());
    std::vector<AffineExpr> loops(op_.numLoops(), AffineExpr::constant(context(), 0)), results;
    for (unsigned i = 0; i < count; ++i) {
      const unsigned loop = i < outer ? maps_[2].result(kept[i]).position() : sums_[i - outer];
      loops[loop] = AffineExpr::dim(context(), i);
      if (i < outer) results.push_back(loops[loop]);
    }
    const Value sums = allocate(result(), kept, i32()), zero = constant(0);
    linalg::createNamedOp(builder_, location(), "linalg.fill", std::span(&zero, 1),
                          std::span(&sums, 1));
    std::vector<AffineExpr> places;
    for (AffineExpr place : maps_[factor].results())
      places.push_back(place.replace(loops, {}));
    std::vector<Value> inputs = {factors_[factor]};
    std::vector<AffineMap> maps = {AffineMap::get(context(), count, 0, places)};
    if (!maps_[factor].isProjectedPermutation()) addWindow(inputs, maps, outer);
    maps.push_back(AffineMap::get(context(), count, 0, results));
    std::vector<IteratorKind> kinds(count, IteratorKind::Reduction);
    std::fill_n(kinds.begin(), outer, IteratorKind::Parallel);
    StructuredOp made =
        linalg::createGeneric(builder_, location(), inputs, std::span(&sums, 1), maps, kinds);
    Builder body = Builder::atEnd(made.body());
    const Value wide =
        body.create(location(), "arith.extsi", {made.bodyArgument(0)}, {i32()})->result();
    const Value sum =
        body.create(location(), "arith.addi", {made.body().arguments().back(), wide}, {i32()})
            ->result();
    body.create(location(), "linalg.yield", {sum}, {});
    return sums;
  }

  /// Only says how large windows are, as in the poolings of linalg.
  void addWindow(std::vector<Value>& inputs, std::vector<AffineMap>& maps, unsigned outer) {
    std::vector<int64_t> shape;
    std::vector<AffineExpr> places;
    for (size_t i = 0; i < sums_.size(); ++i) {
      shape.push_back(op_.loopSizes()[sums_[i]]);
      places.push_back(AffineExpr::dim(context(), outer + static_cast<unsigned>(i)));
    }
    const Type byte = elementTypeOrSelf(op_->operand(0).type());
    made_.push_back(
        memref::AllocOp::create(builder_, location(), MemRefType::get(context(), shape, byte))
            .result());
    inputs.push_back(made_.back());
    maps.push_back(AffineMap::get(context(), maps.front().numDims(), 0, places));
  }

  // -- The product, and what it lacks

  void writeProduct() {
    const Value to = result();
    if (op_->name().starts_with("linalg.quantized_")) {
      const bool isBatch = op_.numLoops() == 4;
      linalg::createNamedOp(builder_, location(), isBatch ? "linalg.batch_matmul" : "linalg.matmul",
                            factors_, std::span(&to, 1));
      return;
    }
    StructuredOp made = linalg::createGeneric(builder_, location(), factors_, std::span(&to, 1),
                                              maps_, op_.iterators());
    Builder body = Builder::atEnd(made.body());
    std::array<Value, 2> wide;
    for (unsigned i = 0; i < 2; ++i)
      wide[i] = body.create(location(), "arith.extsi", {made.bodyArgument(i)}, {i32()})->result();
    const Value product =
        body.create(location(), "arith.muli", {wide[0], wide[1]}, {i32()})->result();
    const Value sum =
        body.create(location(), "arith.addi", {made.bodyArgument(2), product}, {i32()})->result();
    body.create(location(), "linalg.yield", {sum}, {});
  }

  /// C + all - rows * b - columns * a, in place.
  void correct(Value rows, Value columns, Value all) {
    const auto rank = static_cast<unsigned>(result().type().cast<MemRefType>().rank());
    std::vector<Value> inputs = {all};
    std::vector<AffineMap> maps = {AffineMap::get(context(), rank, 0, {})};
    const auto take = [&](Value sums, unsigned factor) {
      if (!sums) return;
      inputs.insert(inputs.end(), {sums, points_[1 - factor]});
      maps.push_back(mapOf(rank, keptDims(factor)));
      maps.push_back(maps[0]);
    };
    take(rows, 0);
    take(columns, 1);
    maps.push_back(AffineMap::identity(context(), rank));
    const Value to = result();
    const std::vector<IteratorKind> kinds(rank, IteratorKind::Parallel);
    StructuredOp made =
        linalg::createGeneric(builder_, location(), inputs, std::span(&to, 1), maps, kinds);
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
  TakenOut what_;
  Builder builder_;
  bool isQuantized_;
  std::array<AffineMap, 3> maps_;  ///< of A, B, C
  std::vector<unsigned> sums_;     ///< their loops
  std::array<Value, 2> factors_, points_;
  std::vector<Value> made_;  ///< buffers
};

/// Sums of windows take a launch of their own, in which few products are made as well (docs/log.md, "Rounds and numbers").
bool isWorthwhile(StructuredOp op) {
  constexpr int64_t kFewestOfConvolution = int64_t{1} << 19;
  if (op.indexingMaps()[0].isProjectedPermutation()) return true;
  int64_t products = 1;
  for (int64_t size : op.loopSizes())
    products = size == kDynamic || products >= kFewestOfConvolution ? kFewestOfConvolution
                                                                    : products * size;
  return products >= kFewestOfConvolution;
}

class ZeroPoints : public Pass {
 public:
  ZeroPoints() : Pass("air-zero-points", "Takes zero points out of products of integers") {
    anchor("func.func");
    example("airlite-opt --air-zero-points in.mlir");
  }

  PassResult run(Operation& function, PassContext&) override {
    std::vector<Operation*> ops;
    function.walk([&](Operation& op) {
      if (linalg::asStructured(&op)) ops.push_back(&op);
    });
    bool changed = false;
    for (Operation* op : ops)
      changed |= isWorthwhile(StructuredOp(op)) &&
                 takeOutZeroPoints(StructuredOp(op), TakenOut::ZeroPoints);
    return changedIf(changed);
  }
};

}  // namespace

bool takeOutZeroPoints(StructuredOp op, TakenOut what) {
  ZeroPointWriter writer(op, what);
  if (!writer.canWrite()) return false;
  writer.write();
  return true;
}

}  // namespace airlite::tiling

namespace airlite {

void registerZeroPoints(PassRegistry& registry) { registry.add<tiling::ZeroPoints>(); }

}  // namespace airlite
