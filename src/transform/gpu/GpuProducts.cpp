// air-gpu-products: each product of matrices becomes a launch for a GPU.
//
// Matches linalg ops on buffers that compute C[.., m, n] += A[.., m, k] * B[.., k, n] (in any order of
// the dimensions: matmul, batch_matmul, their transposed forms, generics), whose factors are f16,
// bf16, f32, f64, i8 or floats of eight bits, and whose sums are f32 (of those of 8 and 16 bits), i32 (of i8),
// or of the type of the factors; and convolutions with channels, which are sums of such products over the places of a filter. A
// linalg.fill of C with zero before it is made a part of it, and so are the elementwise ops on
// C that follow one after the other (a bias, an activation, a residual, a conversion), where nobody else needs
// what lies between. Ops that make a factor from other memory by conversions and multiplications (a weight
// in another type, with a scale) are computed when the factor is loaded, where few workgroups read it. Sizes
// may be open. Products of integers with zero points (linalg.quantized_matmul) become products without them, sums of
// rows and columns, and an op that puts these together. Products with several loops of rows, columns or sums (linalg.mmt4d,
// contractions) become products of matrices, views of the operands or copies of them with their dimensions in order.
//
// Where the results are too few for half of the compute units and sums are long, sums are made in parts, by a
// batch of products, and an elementwise op adds them.
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
#include "Followers.hpp"
#include "GpuModule.hpp"
#include "IntegerFactors.hpp"
#include "ProductKernel.hpp"
#include "ProductMatrices.hpp"
#include "ProductTransposes.hpp"
#include "SplitProduct.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"
#include "transform/tiling/ZeroPoints.hpp"

#include <set>

namespace airlite {

namespace {

using gpu::ProductPlan;
using gpu::ProductShape;

/// The linalg.fill with zero that is all that the output of `op` holds before it; null: none.
Operation* zeroFillBefore(Operation& op, Value output) {
  linalg::StructuredOp before = gpu::writerBefore(op, output, true);
  return before && before->is("linalg.fill") && isZero(before->operand(0)) ? before.op() : nullptr;
}

/// More workgroups than these read the same part of a factor: it is made once, in a kernel of its own.
constexpr int64_t kMostReaders = 8;

class GpuProducts : public gpu::LaunchPass {
 public:
  GpuProducts()
      : LaunchPass("air-gpu-products", "Makes launches of products of matrices, for a GPU") {
    option("block", wishes_.block, "rows and columns of a workgroup; none: chosen");
    option("exact", exact_,
           "leave out floats, whose sums the matrix instructions make in another order");
    option("buffers", wishes_.buffers, "tiles of each factor in LDS, 1 or 2; 0: chosen");
    option("workgroups", wishes_.workgroups,
           "so many take the blocks of a product in turns; 0: chosen, -1: one for each block");
    example("airlite-opt --air-gpu-products='device=gfx942' in.mlir");
  }

  bool makeLaunches(Operation& module, const amdgpu::GpuDevice& device,
                    PassContext& context) override {
    context.declareEffectChange(CountedEffect::Store, "results are written by vectors of waves");
    bool changed = false;
    erased_.clear();
    for (linalg::StructuredOp op : gpu::hostOps(module))
      changed |= tiling::takeOutZeroPoints(op, tiling::TakenOut::ZeroPointsAndUnsigned) ||
                 (!exact_ && gpu::convertIntegerFactor(op));
    changed |= gpu::foldProductTransposes(module, device, wishes_, exact_);
    for (linalg::StructuredOp op : gpu::hostOps(module))
      changed |= gpu::makeMatrices(op, device, wishes_, exact_);
    for (linalg::StructuredOp op : gpu::hostOps(module))
      split(op, device, context);
    for (linalg::StructuredOp op : gpu::hostOps(module))
      if (!erased_.count(op.op())) changed |= rewrite(*op, device, context);
    return changed;
  }

 private:
  /// A product of two where the device has work for more.
  void split(linalg::StructuredOp op, const amdgpu::GpuDevice& device, PassContext& context) {
    ProductShape shape;
    if (!gpu::productObstacle(op, device, shape).empty() || (exact_ && shape.factor.isFloat()))
      return;
    const auto plan = gpu::planProduct(shape, device, wishes_);
    if (!plan) return;
    Operation& place = *op->parentOp();
    const int64_t parts =
        gpu::splitProduct(op, zeroFillBefore(*op, op->operand(2)), shape, *plan, device);
    if (parts > 1)
      context.remark(place, "sums of " + std::to_string(shape.sizes[shape.k]) +
                                " products are made in " + std::to_string(parts) +
                                " parts: the results alone are too few for the device");
  }

  bool rewrite(Operation& op, const amdgpu::GpuDevice& device, PassContext& context) {
    linalg::StructuredOp structured(&op);
    ProductShape shape;
    if (const std::string why = gpu::productObstacle(structured, device, shape); !why.empty()) {
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
    gpu::ProductContext around{fill != nullptr};
    findMakers(structured, shape, *plan, fill, around);
    gpu::Made made{structured, op.operand(2), {}, {}};
    if (fill) made.others.push_back(fill);
    for (unsigned i = 0; i < 2; ++i) {
      made.read.push_back(op.operand(i));
      if (linalg::StructuredOp maker = around.makers[i])
        made.read.insert(made.read.end(), maker.inputs().begin(), maker.inputs().end());
    }
    around.followers = gpu::followersOf(made);
    context.remark(op, describe(*plan) + preceding(around) + following(around.followers.size()));
    gpu::createProductLaunch(structured, shape, *plan, around);
    eraseAll(structured, fill, around);
    return true;
  }

  static int64_t readersOf(const ProductShape& shape, unsigned loop, int64_t block) {
    const int64_t size = shape.sizes[loop];
    return size == kDynamic ? kMostReaders + 1 : (size + block - 1) / block;
  }

  /// The ops that make factors, where few workgroups would repeat what they compute.
  static void findMakers(linalg::StructuredOp op, const ProductShape& shape,
                         const ProductPlan& plan, Operation* fill, gpu::ProductContext& around) {
    if (op->operand(0) == op->operand(1)) return;
    const int64_t readers[] = {readersOf(shape, shape.n, plan.blockN()),
                               readersOf(shape, shape.m, plan.blockM())};
    std::vector<Operation*> others;
    if (fill) others.push_back(fill);
    for (unsigned i = 0; i < 2; ++i)
      if (linalg::StructuredOp maker = gpu::writerBefore(*op, op->operand(i)))
        others.push_back(maker.op());
    for (unsigned i = 0; i < 2; ++i)
      if (readers[i] <= kMostReaders && shape.maps[i].isProjectedPermutation())
        around.makers[i] = gpu::makerOf(op, op->operand(i), others);
  }

  static std::string preceding(const gpu::ProductContext& around) {
    const int count = (around.makers[0] ? 1 : 0) + (around.makers[1] ? 1 : 0);
    if (count == 0) return "";
    return count == 1 ? ", with the op that makes a factor"
                      : ", with the ops that make both factors";
  }

  static std::string following(size_t count) {
    if (count == 0) return "";
    return count == 1 ? ", with the op that follows"
                      : ", with the " + std::to_string(count) + " ops that follow";
  }

  void eraseAll(linalg::StructuredOp op, Operation* fill, const gpu::ProductContext& around) {
    std::set<Operation*> all = {op.op()};
    if (fill) all.insert(fill);
    std::vector<Value> memory;
    for (linalg::StructuredOp maker : around.makers)
      if (maker) {
        all.insert(maker.op());
        memory.push_back(maker.outputs()[0]);
      }
    Value from = op->operand(2);
    Operation* last = op.op();
    for (linalg::StructuredOp follower : around.followers) {
      all.insert(follower.op());
      if (follower.outputs()[0] != from) memory.push_back(from);
      from = follower.outputs()[0];
      last = follower.op();
    }
    std::vector<Operation*> ops;
    for (Operation* each = last; each && ops.size() < all.size(); each = each->prev())
      if (all.count(each)) ops.insert(ops.begin(), each);
    erased_.insert(ops.begin(), ops.end());
    gpu::eraseWithMemory(ops, memory);
  }

  static std::string describe(const ProductPlan& plan) {
    return std::to_string(plan.blockM()) + " x " + std::to_string(plan.blockN()) +
           " of a workgroup of " + std::to_string(plan.waves()) + " waves, steps of " +
           std::to_string(plan.blockK) + ", " + std::string(plan.instruction->name) + ", " +
           std::to_string(plan.ldsBytes()) + " bytes of LDS" +
           (plan.workgroups ? ", " + std::to_string(plan.workgroups) + " of them in turns" : "");
  }

  gpu::ProductWishes wishes_;
  std::set<Operation*> erased_;
  bool exact_ = false;
};

}  // namespace

void registerGpuProducts(PassRegistry& registry) { registry.add<GpuProducts>(); }

}  // namespace airlite
