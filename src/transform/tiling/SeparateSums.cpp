// See SeparateSums.hpp.
#include "SeparateSums.hpp"

#include "CollapsedViews.hpp"
#include "ElementwiseCost.hpp"
#include "RowShares.hpp"
#include "airlite/analysis/Access.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Reductions.hpp"
#include "airlite/transform/TileHints.hpp"

#include <algorithm>
#include <vector>

namespace airlite::tiling {

namespace {

/// The type of sums that begin with zero and are added in the end: integers wrap, and f32 is what products of floats are summed
/// in. Null: there is none.
Type typeOfOwnSums(linalg::StructuredOp product, bool areExact) {
  const Type element = elementTypeOrSelf(product.outputs()[0].type());
  if (element.isInteger()) return element;
  if (areExact) return {};
  const bool areHalves = std::ranges::all_of(
      product->operandTypes(), [](Type type) { return elementTypeOrSelf(type).isBF16(); });
  return areHalves         ? Type(FloatType::get(product->context(), FloatKind::F32))
         : element.isF32() ? element
                           : Type();
}

/// Then its factors change while it runs.
bool readsResultAsFactor(linalg::StructuredOp product) {
  analysis::AccessReader reader;
  const analysis::Buffer result = reader.bufferOf(product.outputs()[0]);
  return std::ranges::any_of(product.inputs(), [&](Value factor) {
    return reader.mayOverlap({reader.bufferOf(factor)}, {result});
  });
}

/// The product as it is, or of bf16 with sums of f32.
linalg::StructuredOp withSums(Rewriter& rewriter, linalg::StructuredOp op, Value sums) {
  if (elementTypeOrSelf(sums.type()) != elementTypeOrSelf(op.outputs()[0].type()))
    return multiplyInto(rewriter, op, sums);
  Operation* product = rewriter.clone(*op.op());
  product->setOperand(product->numOperands() - 1, sums);
  return linalg::StructuredOp(product);
}

Operation* addTo(Rewriter& rewriter, Location location, Value sums, Value result) {
  auto type = result.type().cast<MemRefType>();
  const auto rank = static_cast<unsigned>(type.rank());
  const std::vector<AffineMap> maps(2, AffineMap::identity(rewriter.context(), rank));
  const std::vector<linalg::IteratorKind> kinds(rank, linalg::IteratorKind::Parallel);
  linalg::StructuredOp op = linalg::createGeneric(rewriter, location, std::span(&sums, 1),
                                                  std::span(&result, 1), maps, kinds);
  Builder body = Builder::atEnd(op.body());
  const Type element = type.elementType(), wide = elementTypeOrSelf(sums.type());
  auto made = [&](std::string_view name, std::initializer_list<Value> operands, Type result) {
    return body.create(location, name, operands, {result})->result();
  };
  const Value before =
      element == wide ? op.bodyArgument(1) : made("arith.extf", {op.bodyArgument(1)}, wide);
  const Value sum =
      made(element.isInteger() ? "arith.addi" : "arith.addf", {op.bodyArgument(0), before}, wide);
  const Value after = element == wide ? sum : made("arith.truncf", {sum}, element);
  body.create(location, "linalg.yield", {after}, {});
  return op.op();
}

}  // namespace

linalg::StructuredOp multiplyInto(Rewriter& rewriter, linalg::StructuredOp product, Value sums) {
  const Type element = elementTypeOrSelf(sums.type());
  const bool isInteger = element.isInteger();
  const Location location = product->location();
  const Value factors[] = {product->operand(0), product->operand(1)};
  linalg::StructuredOp made =
      linalg::createGeneric(rewriter, location, factors, std::span(&sums, 1),
                            product.indexingMaps(), product.iterators());
  for (std::string_view hint : kTileHints)
    if (Attribute value = product->attr(hint)) made->setAttr(hint, value);
  Builder body = Builder::atEnd(made.body());
  auto make = [&](std::string_view name, std::initializer_list<Value> operands) {
    return body.create(location, name, operands, {element})->result();
  };
  auto factor = [&](unsigned i) {
    const Value number = made.bodyArgument(i);
    if (number.type() == element) return number;
    return make(isInteger ? "arith.extsi" : "arith.extf", {number});
  };
  const Value left = factor(0), right = factor(1);
  const Value term = make(isInteger ? "arith.muli" : "arith.mulf", {left, right});
  const Value sum = make(isInteger ? "arith.addi" : "arith.addf", {made.bodyArgument(2), term});
  body.create(location, "linalg.yield", {sum}, {});
  return made;
}

void SeparateSums::erase(Rewriter& rewriter) const {
  for (Operation* op : {free, addition, product.op(), fill, buffer})
    rewriter.eraseOp(*op);
}

std::optional<SeparateSums> separateSums(linalg::StructuredOp op, bool areExact,
                                         Rewriter& rewriter) {
  if (!linalg::isProductOfMatrices(op) || !op.readsOutput(0)) return std::nullopt;
  const Value result = op.outputs()[0];
  const MemRefType type = contiguousType(result);
  const Type element = typeOfOwnSums(op, areExact);
  if (!type || !element || readsResultAsFactor(op)) return std::nullopt;
  rewriter.setBefore(*op.op());
  const Location location = op->location();
  const MemRefType own = MemRefType::get(op->context(), type.shape(), element);
  const Value sums = memref::AllocOp::create(rewriter, location, own).result();
  const Value zero = rewriter.constant(location, neutralOf(memref::AtomicKind::AddI, element));
  SeparateSums made;
  made.buffer = sums.definingOp();
  made.fill = linalg::createNamedOp(rewriter, location, "linalg.fill", std::span(&zero, 1),
                                    std::span(&sums, 1));
  made.product = withSums(rewriter, op, sums);
  made.addition = addTo(rewriter, location, sums, result);
  made.free = memref::DeallocOp::create(rewriter, location, sums).op();
  return made;
}

namespace {

/// Cycles in which one stream brings what is the same for all launch instances, and what each of them reads.
int64_t cyclesOfRepeats(const TilePlan& plan) {
  int64_t most = 0;
  for (const TiledOperand& operand : plan.operands) {
    bool isSame = operand.isRead;
    for (unsigned loop = 0; loop < plan.numLoops(); ++loop)
      isSame &= !operand.uses(loop) || !plan.isParallel(loop) || plan.count(loop) == 1;
    if (isSame) most = std::max(most, operand.bytes(plan.launch));
  }
  return most / aie::kWordBytes;
}

}  // namespace

int64_t costOfPlan(const TilePlan& plan, std::optional<int64_t> cyclesOfElement) {
  int64_t instances = plan.numInstances();
  // What the result held comes, and leaves again, between the products of two instances. As measured, up to 1.7 times the plan.
  if (plan.cycles != 0) return plan.cycles + plan.cycles / 3 * (instances - 1) / instances;
  // One after the other. A core makes eight products in a cycle where it lays matrices out itself, and one in three cycles without its
  // matrix unit.
  constexpr int64_t kInstance = 6000, kScalar = 3, kOnUnit = 8;
  for (int64_t rounds : plan.rounds)
    instances /= rounds;
  int64_t products = 1;
  for (int64_t size : plan.sizes)
    products *= size;
  int64_t cycles = plan.isScalar ? products * kScalar : products / kOnUnit;
  if (cyclesOfElement) cycles = products * *cyclesOfElement;
  return instances * std::max(kInstance, cyclesOfRepeats(plan)) +
         cycles / std::max<int64_t>(plan.numCores(), 1);
}

int64_t costOfAddition(const SeparateSums& made, const TileWishes& wishes) {
  const linalg::StructuredOp op(made.addition);
  const Value sums = op.inputs()[0], result = op.outputs()[0];
  const int64_t wide = elementBytesOf(sums), bytes = elementBytesOf(result);
  return cyclesOf({.elements = result.type().cast<MemRefType>().numElements(),
                   .matrices = 2,
                   .bytesIn = wide + bytes,
                   .bytesOut = bytes,
                   .most = wide,
                   .cycles = cyclesOfElement(op)},
                  wishes);
}

}  // namespace airlite::tiling
