// air-gpu-points: each structured linalg op on buffers becomes a launch for a GPU.
//
// Ops that compute an element from those at the same place, of buffers without gaps, are done by
// vectors of whole waves (airlite.spread): each lane has 16 bytes of them. All others get a work-item
// for each point of their parallel loops, which runs the reduction loops in their order, so that each
// result has the bits of the loop nest. Sizes may be open.
//
// Declines, with a remark: ops whose loops have sizes that no operand shows, and ops of which several
// points of the parallel loops have one result.
#include "GpuModule.hpp"
#include "PointKernel.hpp"

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
    bool changed = false;
    for (linalg::StructuredOp op : gpu::hostOps(module)) {
      if (const auto why = gpu::pointObstacle(op); !why.empty()) {
        context.remark(*op, "not supported: " + std::string(why));
        continue;
      }
      gpu::isFlat(op) ? gpu::createFlatLaunch(op, device) : gpu::createPointLaunch(op, device);
      op->erase();
      changed = true;
    }
    return changed;
  }
};

}  // namespace

void registerGpuPoints(PassRegistry& registry) { registry.add<GpuPoints>(); }

}  // namespace airlite
