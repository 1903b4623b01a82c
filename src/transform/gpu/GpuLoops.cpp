// air-gpu-loops: parallel loops of the host become launches for a GPU, a work-item for each round.
//
// Matches an scf.parallel that no other one and no launch, segment or herd is around, on buffers, whose body computes,
// reads and writes elements, with other loops and branches in it. Bounds and steps may be open. Loops whose rounds have
// nothing to do with each other become such first (IndependentLoops.hpp).
//
//   scf.parallel (i, j) = (0, 0) to (m, n)  ->  air.launch of m * n / 256 workgroups; i, j from the number of the lane
//
// Declines, with a remark: loops with results, and bodies with linalg ops, buffers of their own, transfers or calls.
#include "GpuModule.hpp"
#include "GridWriter.hpp"
#include "IndependentLoops.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"

namespace airlite {

namespace {

using gpu::GridWriter;

class LoopWriter : public GridWriter {
 public:
  LoopWriter(scf::ParallelOp loop, const amdgpu::GpuDevice& device)
      : GridWriter(*loop.op(), device), loop_(loop) {}

  void write() {
    std::vector<Value> sizes;
    for (unsigned i = 0; i < loop_.numLoops(); ++i)
      sizes.push_back(roundsOf(i));
    Value points = sizes[0];
    for (unsigned i = 1; i < sizes.size(); ++i)
      points = binary("arith.muli", points, sizes[i]);
    const Value wave = open(points, device_.wave * gpu::kWavesOfGroup, false);
    const Value lane =
        builder_.create(location(), "gpu.lane_id", {}, {builder_.indexType()})->result();
    const Value point = binary("arith.addi", times(wave, device_.wave), lane);
    scf::IfOp guard = scf::IfOp::create(builder_, location(), {}, isBelow(point, points));
    builder_.setBefore(guard.thenBlock().back());
    copyBody(sizes, point);
    close();
  }

 private:
  /// None where the upper bound is below the lower one.
  Value roundsOf(unsigned i) {
    const Value length = binary("arith.subi", loop_.upperBounds()[i], loop_.lowerBounds()[i]);
    const Value positive = binary("arith.maxsi", length, index(0));
    const Value step = loop_.steps()[i];
    const Value most = binary("arith.addi", positive, binary("arith.subi", step, index(1)));
    return binary("arith.divui", most, step);
  }

  /// The last loop is the fastest: neighbours are next to each other in memory.
  void copyBody(std::span<const Value> sizes, Value rest) {
    IRMapping mapping;
    for (size_t i = sizes.size(); i-- > 0;) {
      const Value round = i ? binary("arith.remui", rest, sizes[i]) : rest;
      if (i) rest = binary("arith.divui", rest, sizes[i]);
      const auto loop = static_cast<unsigned>(i);
      const Value distance = binary("arith.muli", round, loop_.steps()[loop]);
      mapping.map(loop_.inductionVars()[i],
                  binary("arith.addi", distance, loop_.lowerBounds()[loop]));
    }
    for (Operation& inner : loop_.body().ops())
      if (!inner.hasTrait(Trait::Terminator)) builder_.clone(inner, mapping);
  }

  scf::ParallelOp loop_;
};

std::string_view obstacleOf(scf::ParallelOp loop) {
  if (loop->numResults()) return "has results";
  bool isPlain = true;
  loop->walk([&](Operation& op) { isPlain &= &op == loop.op() || gpu::isOfWorkItem(op); });
  return isPlain ? "" : "its body does more than to compute, read and write elements";
}

class GpuLoops : public gpu::LaunchPass {
 public:
  GpuLoops()
      : LaunchPass("air-gpu-loops",
                   "Makes launches of parallel loops, a work-item for each round") {
    example("airlite-opt --air-gpu-loops='device=gfx942' in.mlir");
  }

  bool makeLaunches(Operation& module, const amdgpu::GpuDevice& device,
                    PassContext& context) override {
    context.declareEffectChange(CountedEffect::Store, "loops become work-items");
    gpu::makeIndependentLoopsParallel(module);
    std::vector<scf::ParallelOp> loops;
    module.walk([&](Operation& op) {
      const auto loop = dynCast<scf::ParallelOp>(&op);
      if (loop && !gpu::isInHierarchy(op) && !isInParallel(op)) loops.push_back(loop);
    });
    bool changed = false;
    for (scf::ParallelOp loop : loops) {
      if (const auto why = obstacleOf(loop); !why.empty()) {
        context.remark(*loop.op(), "no launch of work-items: " + std::string(why));
        continue;
      }
      LoopWriter(loop, device).write();
      loop->erase();
      changed = true;
    }
    return changed;
  }

 private:
  static bool isInParallel(Operation& op) {
    for (Operation* up = op.parentOp(); up; up = up->parentOp())
      if (isa<scf::ParallelOp>(up)) return true;
    return false;
  }
};

}  // namespace

void registerGpuLoops(PassRegistry& registry) { registry.add<GpuLoops>(); }

}  // namespace airlite
