// air-gpu-rows: softmax along the last dimension becomes one launch for a GPU, a wave for each row.
//
// Matches linalg.softmax on buffers along the last dimension, whose rows have at most 64 elements for
// each lane of a wave (4096 on gfx90a and gfx942, 2048 on gfx1100 and gfx1201). A wave reads its row
// once, holds it in registers, and writes the result; greatest and sum are made in the lanes and then
// across them, in f32 at least.
//
// Declines, with a remark: other dimensions, longer rows, rows of open length. air-decompose-softmax
// and air-gpu-points do those.
#include "GpuModule.hpp"
#include "PointKernel.hpp"

namespace airlite {

namespace {

class GpuRows : public gpu::LaunchPass {
 public:
  GpuRows() : LaunchPass("air-gpu-rows", "Makes launches of softmax, a wave for each row") {
    example("airlite-opt --air-gpu-rows='device=gfx942' in.mlir");
  }

  bool makeLaunches(Operation& module, const amdgpu::GpuDevice& device,
                    PassContext& context) override {
    context.declareEffectChange(CountedEffect::Store, "results are written by vectors of waves");
    std::vector<Operation*> ops;
    module.walk([&](Operation& op) {
      if (op.is("linalg.softmax") && !gpu::isInHierarchy(op)) ops.push_back(&op);
    });
    bool changed = false;
    for (Operation* op : ops) {
      if (const auto why = gpu::softmaxObstacle(*op, device); !why.empty()) {
        context.remark(*op, "no wave for each row: " + std::string(why));
        continue;
      }
      gpu::createSoftmaxLaunch(*op, device);
      op->erase();
      changed = true;
    }
    return changed;
  }
};

}  // namespace

void registerGpuRows(PassRegistry& registry) { registry.add<GpuRows>(); }

}  // namespace airlite
