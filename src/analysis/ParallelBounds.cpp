#include "ParallelBounds.hpp"

#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"

namespace airlite {

namespace {

using Bound = std::optional<int64_t>;

std::vector<ParallelBounds> boundsOf(scf::ParallelOp loop) {
  std::vector<ParallelBounds> result;
  for (unsigned i = 0; i < loop.numLoops(); ++i)
    result.push_back({constantIntOf(loop.lowerBounds()[i]), constantIntOf(loop.upperBounds()[i]),
                      constantIntOf(loop.steps()[i])});
  return result;
}

std::vector<Bound> mixedBounds(std::span<const int64_t> statics, OperandRange values) {
  std::vector<Bound> result;
  unsigned next = 0;
  for (int64_t bound : statics)
    result.push_back(bound == kDynamic ? constantIntOf(values[next++]) : Bound(bound));
  return result;
}

std::vector<ParallelBounds> boundsOf(scf::ForallOp loop) {
  std::vector<Bound> lower = mixedBounds(loop.staticLowerBounds(), loop.dynamicLowerBounds());
  std::vector<Bound> upper = mixedBounds(loop.staticUpperBounds(), loop.dynamicUpperBounds());
  std::vector<Bound> step = mixedBounds(loop.staticSteps(), loop.dynamicSteps());
  std::vector<ParallelBounds> result;
  for (size_t i = 0; i < lower.size(); ++i)
    result.push_back({lower[i], upper[i], step[i]});
  return result;
}

std::vector<ParallelBounds> boundsOf(affine::ParallelOp loop) {
  std::vector<ParallelBounds> result;
  for (unsigned i = 0; i < loop.numDims(); ++i)
    result.push_back({loop.lowerBound(i).map.constantResult(),
                      loop.upperBound(i).map.constantResult(), loop.step(i)});
  return result;
}

}  // namespace

bool isParallelLoop(const Operation& op) {
  return isa<scf::ParallelOp>(&op) || isa<scf::ForallOp>(&op) || isa<affine::ParallelOp>(&op);
}

std::vector<ParallelBounds> parallelBounds(Operation& loop) {
  if (isa<scf::ParallelOp>(&loop)) return boundsOf(scf::ParallelOp(&loop));
  if (isa<scf::ForallOp>(&loop)) return boundsOf(scf::ForallOp(&loop));
  return boundsOf(affine::ParallelOp(&loop));
}

}  // namespace airlite
