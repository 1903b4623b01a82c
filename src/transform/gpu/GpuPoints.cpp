// air-gpu-points: each structured linalg op on buffers becomes a launch for a GPU.
//
// Ops that compute an element from those at the same place, of buffers without gaps, are done by
// vectors of whole waves (airlite.spread): each lane has 16 bytes of them. All others get a work-item
// for each point of their parallel loops, which runs the reduction loops in their order, so that each
// result has the bits of the loop nest. Sizes may be open.
//
// Declines, with a remark: ops whose loops have sizes that no operand shows, and ops of which several
// points of the parallel loops have one result.
#include "PointKernel.hpp"
#include "airlite/pass/Pass.hpp"

namespace airlite {

namespace {

class GpuPoints : public Pass {
 public:
  GpuPoints() : Pass("air-gpu-points", "Makes launches of linalg ops, a work-item for each point") {
    anchor("builtin.module");
    option("device", device_, "the GPU: gfx90a, gfx942, gfx1100 or gfx1201");
    example("airlite-opt --air-gpu-points='device=gfx942' in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    const amdgpu::GpuDevice* device = gpu::deviceOf(module, device_);
    if (!device) return PassResult::Failed;
    context.declareEffectChange(CountedEffect::Store, "linalg ops become stores");
    bool changed = false;
    for (linalg::StructuredOp op : gpu::hostOps(module)) {
      if (const auto why = gpu::pointObstacle(op); !why.empty()) {
        context.remark(*op, "not supported: " + std::string(why));
        continue;
      }
      gpu::isFlat(op) ? gpu::createFlatLaunch(op, *device) : gpu::createPointLaunch(op, *device);
      op->erase();
      changed = true;
    }
    if (changed) gpu::markDevice(module, *device);
    return changedIf(changed);
  }

 private:
  std::string device_ = "gfx942";
};

}  // namespace

void registerGpuPoints(PassRegistry& registry) { registry.add<GpuPoints>(); }

}  // namespace airlite
