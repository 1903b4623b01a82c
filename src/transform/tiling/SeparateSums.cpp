// See SeparateSums.hpp.
#include "SeparateSums.hpp"

#include "CollapsedViews.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Reductions.hpp"

#include <algorithm>
#include <vector>

namespace airlite::tiling {

namespace {

/// Whether sums that begin with zero may be added in the end: integers wrap, and f32 is what products are summed in.
bool mayBeAddedLater(Type element, bool areExact) {
  return element.isInteger() || (element.isF32() && !areExact);
}

Operation* addTo(Rewriter& rewriter, Location location, Value sums, Value result) {
  auto type = result.type().cast<MemRefType>();
  const auto rank = static_cast<unsigned>(type.rank());
  const std::vector<AffineMap> maps(2, AffineMap::identity(rewriter.context(), rank));
  const std::vector<linalg::IteratorKind> kinds(rank, linalg::IteratorKind::Parallel);
  linalg::StructuredOp op = linalg::createGeneric(rewriter, location, std::span(&sums, 1),
                                                  std::span(&result, 1), maps, kinds);
  Builder body = Builder::atEnd(op.body());
  const Type element = type.elementType();
  const Value sum = body.create(location, element.isInteger() ? "arith.addi" : "arith.addf",
                                {op.bodyArgument(0), op.bodyArgument(1)}, {element})
                        ->result();
  body.create(location, "linalg.yield", {sum}, {});
  return op.op();
}

}  // namespace

void SeparateSums::erase(Rewriter& rewriter) const {
  for (Operation* op : {free, addition, product.op(), fill, buffer})
    rewriter.eraseOp(*op);
}

std::optional<SeparateSums> separateSums(linalg::StructuredOp op, bool areExact,
                                         Rewriter& rewriter) {
  if (!linalg::isProductOfMatrices(op) || !op.readsOutput(0)) return std::nullopt;
  const Value result = op.outputs()[0];
  const MemRefType type = contiguousType(result);
  if (!type || !mayBeAddedLater(type.elementType(), areExact)) return std::nullopt;
  rewriter.setBefore(*op.op());
  const Location location = op->location();
  const MemRefType own = MemRefType::get(op->context(), type.shape(), type.elementType());
  const Value sums = memref::AllocOp::create(rewriter, location, own).result();
  const Value zero =
      rewriter.constant(location, neutralOf(memref::AtomicKind::AddI, type.elementType()));
  SeparateSums made;
  made.buffer = sums.definingOp();
  made.fill = linalg::createNamedOp(rewriter, location, "linalg.fill", std::span(&zero, 1),
                                    std::span(&sums, 1));
  Operation* product = rewriter.clone(*op.op());
  product->setOperand(product->numOperands() - 1, sums);
  made.product = linalg::StructuredOp(product);
  made.addition = addTo(rewriter, location, sums, result);
  made.free = memref::DeallocOp::create(rewriter, location, sums).op();
  return made;
}

int64_t costOfPlan(const TilePlan& plan) {
  if (plan.cycles != 0) return plan.cycles;
  // One after the other. A core makes eight products in a cycle where it lays matrices out itself, and one in three cycles without its
  // matrix unit.
  constexpr int64_t kInstance = 6000, kScalar = 3, kOnUnit = 8;
  int64_t products = 1, instances = 1, cores = 1;
  for (unsigned loop = 0; loop < plan.numLoops(); ++loop) {
    products *= plan.sizes[loop];
    if (plan.isParallel(loop)) instances *= plan.count(loop);
  }
  for (unsigned loop : plan.herdLoops)
    cores *= plan.launch[loop] / plan.core[loop];
  return instances * kInstance +
         (plan.isScalar ? products * kScalar : products / kOnUnit) / std::max<int64_t>(cores, 1);
}

int64_t costOfAddition(linalg::StructuredOp op) {
  // Two operands and a result through the memory of the host, which moves some eight bytes a cycle, and four more launches.
  constexpr int64_t kBytesOfCycle = 8, kLaunch = 24000;
  auto type = op.outputs()[0].type().cast<MemRefType>();
  return 3 * type.numElements() * elementBytesOf(op.outputs()[0]) / kBytesOfCycle + kLaunch;
}

}  // namespace airlite::tiling
