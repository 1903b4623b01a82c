// air-gpu-products: each product of matrices becomes a launch for a GPU.
//
// Matches linalg ops on buffers that compute C[.., m, n] += A[.., m, k] * B[.., k, n] (in any order of
// the dimensions: matmul, batch_matmul, their transposed forms, generics), whose factors are f16,
// bf16, f32, f64 or i8 and whose sums are f32 (of f16 and bf16), i32 (of i8), or of the type of the
// factors. A linalg.fill of C with zero before it is made a part of it, and so is the elementwise op on
// C that follows (a bias, an activation). Sizes may be open.
//
// A launch is a grid of workgroups, a segment a workgroup with tiles of A and B in L2 (LDS), a herd its
// waves, which hold their part of C in registers. The vectors of the herd are those of a wave
// (airlite.spread): air-to-gpu spreads them over its lanes and takes the matrix instructions of the
// device (airlite/device/GpuMatrix.hpp). The module says which device that is.
//
// Declines, with a remark: other ops, elements that the device multiplies in no matrix instruction,
// and floats with `exact`.
//
// Floats are added in another order than that of the loops, and sums of f16 and bf16 are made in f32
// and rounded once.
#include "GpuModule.hpp"
#include "ProductKernel.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"

#include <cmath>
#include <set>

namespace airlite {

namespace {

using gpu::ProductPlan;
using gpu::ProductShape;

bool isZero(Value value) {
  const Attribute constant = constantOf(value);
  if (auto number = constant.dynCast<FloatAttr>())
    return number.value() == 0 && !std::signbit(number.value());
  return constantInt(constant) == 0;
}

/// The linalg.fill with zero of the output of `op` that nothing separates from it; null: none.
Operation* zeroFillBefore(Operation& op, Value output) {
  for (Operation* before = op.prev(); before; before = before->prev()) {
    std::vector<EffectInstance> effects;
    if (before->is("linalg.fill") && before->operand(1) == output)
      return isZero(before->operand(0)) ? before : nullptr;
    if (before->numRegions() || !effectsOf(*before, effects)) return nullptr;
    for (const EffectInstance& effect : effects)
      if (effect.effect != Effect::Allocate) return nullptr;
  }
  return nullptr;
}

class GpuProducts : public gpu::LaunchPass {
 public:
  GpuProducts()
      : LaunchPass("air-gpu-products", "Makes launches of products of matrices, for a GPU") {
    option("block", wishes_.block, "rows and columns of a workgroup; none: chosen");
    option("exact", exact_,
           "leave out floats, whose sums the matrix instructions make in another order");
    option("buffers", wishes_.buffers, "tiles of each factor in LDS, 1 or 2; 0: chosen");
    example("airlite-opt --air-gpu-products='device=gfx942' in.mlir");
  }

  bool makeLaunches(Operation& module, const amdgpu::GpuDevice& device,
                    PassContext& context) override {
    context.declareEffectChange(CountedEffect::Store, "results are written by vectors of waves");
    bool changed = false;
    erased_.clear();
    for (linalg::StructuredOp op : gpu::hostOps(module))
      if (!erased_.count(op.op())) changed |= rewrite(*op, device, context);
    return changed;
  }

 private:
  bool rewrite(Operation& op, const amdgpu::GpuDevice& device, PassContext& context) {
    linalg::StructuredOp structured(&op);
    ProductShape shape;
    if (const std::string why = gpu::productObstacle(structured, shape); !why.empty()) {
      context.remark(op, "no product of matrices for a GPU: " + why);
      return false;
    }
    if (exact_ && shape.factor.isFloat()) {
      context.remark(op, "a matrix instruction adds its products in another order");
      return false;
    }
    const auto plan = gpu::planProduct(shape, device, wishes_);
    if (!plan) {
      context.remark(op, "no matrix instruction of the device for these elements and this block");
      return false;
    }
    Operation* fill = zeroFillBefore(op, op.operand(2));
    Operation* after = epilogueOf(structured, shape, fill);
    context.remark(op, describe(*plan) + (after ? ", with the op that follows" : ""));
    gpu::createProductLaunch(structured, shape, *plan,
                             {fill != nullptr, linalg::StructuredOp(after)});
    for (Operation* part : {fill, &op, after})
      if (part) {
        erased_.insert(part);
        part->erase();
      }
    return true;
  }

  /// The op after `op` that computes its result from C element by element, where nobody else needs
  /// what C holds between the two; null: none.
  static Operation* epilogueOf(linalg::StructuredOp op, const ProductShape& shape,
                               Operation* fill) {
    Operation* after = op->next();
    while (after && (after->hasTrait(Trait::ConstantLike) || after->is("memref.alloc")))
      after = after->next();
    linalg::StructuredOp next = after ? linalg::asStructured(after) : linalg::StructuredOp(nullptr);
    if (!next || !next.onBuffers() || !gpu::canFollowProduct(next, op, shape)) return nullptr;
    const Value c = op->operand(2);
    if (next.outputs()[0] == c) return after;
    Operation* buffer = c.definingOp();
    if (!fill || !buffer || !buffer->is("memref.alloc")) return nullptr;
    for (OpOperand& use : c.uses())
      if (use.owner() != op.op() && use.owner() != after && use.owner() != fill &&
          !use.owner()->is("memref.dealloc"))
        return nullptr;
    return after;
  }

  static std::string describe(const ProductPlan& plan) {
    return std::to_string(plan.blockM()) + " x " + std::to_string(plan.blockN()) +
           " of a workgroup of " + std::to_string(plan.waves()) + " waves, steps of " +
           std::to_string(plan.blockK) + ", " + std::string(plan.instruction->name) + ", " +
           std::to_string(plan.ldsBytes()) + " bytes of LDS";
  }

  gpu::ProductWishes wishes_;
  std::set<Operation*> erased_;
  bool exact_ = false;
};

}  // namespace

void registerGpuProducts(PassRegistry& registry) { registry.add<GpuProducts>(); }

}  // namespace airlite
