#include "ProgramSize.hpp"

#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Lanes.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"

namespace airlite::analysis {

namespace {

/// Lanes of a wave, where the program does not say.
constexpr int64_t kWave = 64;

uint64_t times(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

uint64_t plus(uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/// How often the regions of `op` run at least.
uint64_t leastRuns(Operation& op) {
  if (auto loop = dynCast<scf::ForOp>(&op))
    return static_cast<uint64_t>(loop.tripCount().value_or(0));
  if (isa<air::ExecuteOp>(&op) || op.hasTrait(Trait::Function)) return 1;
  auto level = air::asHierarchy(&op);
  const auto sizes = level ? level.constantSizes() : std::nullopt;
  if (!sizes) return 0;
  uint64_t runs = 1;
  for (int64_t size : *sizes)
    runs = times(runs, static_cast<uint64_t>(size > 0 ? size : 0));
  auto herd = dynCast<air::HerdOp>(&op);
  if (!herd || !air::runsOncePerLane(herd)) return runs;
  return times(runs, static_cast<uint64_t>(air::waveSizeOf(op).value_or(kWave)));
}

}  // namespace

uint64_t leastPoints(Operation& op) {
  if (isa<air::DmaMemcpyNdOp>(&op) || air::isChannelAccess(op)) return 1;
  if (op.numRegions() == 0) return 0;
  const uint64_t runs = leastRuns(op);
  if (runs == 0) return 0;
  uint64_t inside = 0;
  for (Region& region : op.regions())
    for (Block& block : region.blocks())
      for (Operation& inner : block.ops())
        inside = plus(inside, leastPoints(inner));
  return times(runs, inside);
}

}  // namespace airlite::analysis
