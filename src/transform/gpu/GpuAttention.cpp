// air-gpu-attention: attention becomes one launch for a GPU.
//
// Matches two products of matrices on buffers with a softmax between them, in the steps that
// air-decompose-softmax makes, and elementwise ops around it:
//
//   s = q * k; s = f(s) (scale, masks); p = exp(s - max s) / sum; (conversion of p;) o (+)= p * v; (o = g(o))
//
// The dimensions of the operands may be in any order, and keys and values may be shared by heads. Sizes may
// be open, but for those of a head. Neither scores nor probabilities are in memory then: a workgroup has
// some queries, and goes through the keys block by block. Blocks that a causal mask (a select of keys
// n < m + offset, else minus infinity) leaves to no query are not read.
//
// Scores and exponentials are f32, whatever the ops between say; those that become factors of the values
// are rounded before they are divided by their sum.
//
// Declines, with a remark, where there is a softmax but one of its neighbours does not fit.
#include "AttentionKernel.hpp"
#include "Followers.hpp"
#include "GpuModule.hpp"
#include "airlite/pass/Pass.hpp"

#include <set>

namespace airlite {

namespace {

class GpuAttention : public gpu::LaunchPass {
 public:
  GpuAttention() : LaunchPass("air-gpu-attention", "Makes launches of attention, for a GPU") {
    example("airlite-opt --air-decompose-softmax --air-gpu-attention='device=gfx942' in.mlir");
  }

  bool makeLaunches(Operation& module, const amdgpu::GpuDevice& device,
                    PassContext& context) override {
    context.declareEffectChange(CountedEffect::Store, "results are written by vectors of waves");
    bool changed = false;
    // Ops that are replaced lie before the product that is looked at; what follows it is no product.
    for (linalg::StructuredOp op : products(module))
      changed |= rewrite(op, device, context);
    return changed;
  }

 private:
  static std::vector<linalg::StructuredOp> products(Operation& module) {
    std::vector<linalg::StructuredOp> found;
    for (linalg::StructuredOp op : gpu::hostOps(module))
      if (linalg::isMultiplyAdd(op)) found.push_back(op);
    // The last one first: it is never the first product of one that is rewritten before it.
    return {found.rbegin(), found.rend()};
  }

  bool rewrite(linalg::StructuredOp op, const amdgpu::GpuDevice& device, PassContext& context) {
    if (erased_.count(op.op())) return false;
    std::string why;
    const auto attention = gpu::attentionOf(op, why);
    if (!attention) {
      if (!why.empty()) context.remark(*op, "no attention in one kernel: " + why);
      return false;
    }
    const auto plan = gpu::planAttention(*attention, device);
    if (!plan) {
      context.remark(*op,
                     "no attention in one kernel: the device has no matrix instruction for its "
                     "elements, or heads are too large for registers and LDS");
      return false;
    }
    context.remark(*op, gpu::describe(*plan));
    gpu::createAttentionLaunch(*attention, *plan);
    erased_.insert(attention->ops.begin(), attention->ops.end());
    gpu::eraseWithMemory(attention->ops, attention->buffers);
    return true;
  }

  std::set<Operation*> erased_;
};

}  // namespace

void registerGpuAttention(PassRegistry& registry) { registry.add<GpuAttention>(); }

}  // namespace airlite
