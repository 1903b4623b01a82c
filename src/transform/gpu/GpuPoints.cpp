// air-gpu-points: each structured linalg op on buffers becomes a launch for a GPU.
//
// Ops that compute an element from those at the same place, of buffers without gaps, are done by
// vectors of whole waves (airlite.spread): each lane has 16 bytes of them. All others get a work-item
// for each point of their parallel loops, which runs the reduction loops in their order, so that each
// result has the bits of the loop nest; a linalg.fill of what a reduction starts with is a part of it. Sizes may be open.
//
// Declines, with a remark: ops whose loops have sizes that no operand shows, and ops of which several
// points of the parallel loops have one result.
#include "BoxKernel.hpp"
#include "Followers.hpp"
#include "GpuModule.hpp"
#include "PointKernel.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/transform/LinalgPoints.hpp"

#include <unordered_map>
#include <unordered_set>

namespace airlite {

namespace {

class GpuPoints : public gpu::LaunchPass {
 public:
  GpuPoints()
      : LaunchPass("air-gpu-points", "Makes launches of linalg ops, a work-item for each point") {
    example("airlite-opt --air-gpu-points='device=gfx942' in.mlir");
  }

  bool makeLaunches(Operation& module, const amdgpu::GpuDevice& device,
                    PassContext& context) override {
    context.declareEffectChange(CountedEffect::Store, "linalg ops become stores");
    const std::vector<linalg::StructuredOp> ops = gpu::hostOps(module);
    std::unordered_map<Operation*, std::vector<Operation*>> fills;  // null: none
    std::unordered_set<Operation*> absorbed;
    for (linalg::StructuredOp op : ops)
      for (Operation* fill : fills[op.op()] = fillsOf(op))
        if (fill) absorbed.insert(fill);
    bool changed = false;
    for (linalg::StructuredOp op : ops) {
      if (absorbed.count(op.op())) continue;
      if (const auto why = linalg::pointObstacle(op); !why.empty()) {
        context.remark(*op, "not supported: " + std::string(why));
        continue;
      }
      launch(op, fills[op.op()], device);
      changed = true;
    }
    return changed;
  }

 private:
  /// The linalg.fill before a reduction that makes all of an output, for each of them.
  static std::vector<Operation*> fillsOf(linalg::StructuredOp op) {
    std::vector<Operation*> fills(op.numOutputs());
    if (!linalg::pointObstacle(op).empty() || gpu::isFlat(op)) return fills;
    const std::vector<AffineMap> maps = op.indexingMaps();
    for (unsigned i = 0; i < op.numOutputs(); ++i) {
      const Value output = op.outputs()[i];
      if (!op.readsOutput(i) || !maps[op.numInputs() + i].isProjectedPermutation() ||
          readsByOtherWays(op, op.numInputs() + i))
        continue;
      linalg::StructuredOp fill = gpu::writerBefore(*op, output, true);
      if (fill && fill->is("linalg.fill") &&
          fill->operand(0).type() == elementTypeOrSelf(output.type()))
        fills[i] = fill.op();
    }
    return fills;
  }

  /// Whether what the op reads besides operand `number` may be the same memory: then the fill has to be seen there.
  static bool readsByOtherWays(linalg::StructuredOp op, unsigned number) {
    const Value memory = memref::viewSource(op->operand(number));
    for (unsigned i = 0; i < op->numOperands(); ++i)
      if (i != number && op->operand(i).type().isa<MemRefType>() &&
          memref::viewSource(op->operand(i)) == memory)
        return true;
    return gpu::readsElsewhere(op);
  }

  static void launch(linalg::StructuredOp op, const std::vector<Operation*>& fills,
                     const amdgpu::GpuDevice& device) {
    std::vector<Value> starts;
    for (Operation* fill : fills)
      starts.push_back(fill ? fill->operand(0) : Value());
    if (const auto boxes = gpu::planBoxes(op, device))
      gpu::createBoxLaunch(op, *boxes, device);
    else if (gpu::isFlat(op))
      gpu::createFlatLaunch(op, device);
    else
      gpu::createPointLaunch(op, device, starts);
    op->erase();
    for (Operation* fill : fills)
      if (fill) fill->erase();
  }
};

}  // namespace

void registerGpuPoints(PassRegistry& registry) { registry.add<GpuPoints>(); }

}  // namespace airlite
