// air-gpu-rows: ops on rows become launches for a GPU, a chain of them one launch.
//
// Matches linalg ops on buffers that compute rows, or one number for each row, element by element or by a
// reduction of the last loops, from rows, numbers for each row, what all rows share (weights of columns), and
// numbers: reductions, softmax (after air-decompose-softmax), layer norm, RMS norm, products of a matrix
// and a vector, elementwise ops with broadcasts. Ops one after the other whose rows are the same are
// one kernel; memory that only they use is gone.
//
//   fill m; m[i] = max(x[i, :]); y[i, :] = exp(x[i, :] - m[i]); fill s; s[i] = sum(y[i, :]); y /= s
//
// A row is read once and stays in registers where it fits those of a workgroup: of a part of a wave
// for short rows, of a wave, or of up to 1,024 work-items, whose waves meet in LDS. Longer rows, and rows of
// open length, are read once for each reduction and once for the results. Each lane has 16 bytes of a row
// at a time. Sizes may be open.
//
// A reduction of few long rows, of known sizes, is two: of parts of the rows, and of their results. So is one of other
// dimensions than the last ones, where the last ones are reduced as well, or the results are too few for the device.
//
// Elementwise ops that read memory across (transposes) are tiles that are turned on their way through LDS.
//
// Floats of 16 bits are computed in 32 and rounded where they are stored; reductions combine the
// elements of a lane, then lanes, then waves.
//
// Declines: ops that are no ops of rows, elementwise ops that air-gpu-points does as well, and all where
// memory overlaps or is indexed in two ways.
#include "BoxKernel.hpp"
#include "GpuModule.hpp"
#include "GridWriter.hpp"
#include "PointKernel.hpp"
#include "RowKernel.hpp"
#include "SplitPoints.hpp"
#include "SplitRows.hpp"
#include "TurnKernel.hpp"

#include <algorithm>

namespace airlite {

namespace {

class GpuRows : public gpu::LaunchPass {
 public:
  GpuRows() : LaunchPass("air-gpu-rows", "Makes launches of ops on rows, one of a chain of them") {
    example("airlite-opt --air-gpu-rows='device=gfx942' in.mlir");
  }

  bool makeLaunches(Operation& module, const amdgpu::GpuDevice& device,
                    PassContext& context) override {
    context.declareEffectChange(CountedEffect::Store, "results are written by vectors of waves");
    std::vector<Block*> blocks;
    module.walk([&](Operation& op) {
      if (gpu::isInHierarchy(op) || op.hasTrait(Trait::Hierarchy) || linalg::asStructured(&op))
        return;
      for (Region& region : op.regions())
        for (Block& block : region.blocks())
          blocks.push_back(&block);
    });
    bool changed = false;
    for (linalg::StructuredOp op : gpu::hostOps(module))
      changed |= gpu::splitReduction(op, device) || gpu::splitPoints(op, device);
    for (Block* block : blocks)
      changed |= rewrite(*block, device, context);
    for (linalg::StructuredOp op : gpu::hostOps(module)) {
      if (!gpu::turnsRows(op) || leavesBoxes(op, device)) continue;
      gpu::createTurnLaunch(op);
      op->erase();
      changed = true;
    }
    return changed;
  }

 private:
  static bool rewrite(Block& block, const amdgpu::GpuDevice& device, PassContext& context) {
    bool changed = false;
    Operation* op = block.empty() ? nullptr : &block.front();
    while (op) {
      const gpu::RowChain chain = linalg::asStructured(op) ? gpu::chainFrom(*op) : gpu::RowChain();
      if (chain.ops.empty() || isLeftToPoints(chain, device)) {
        op = op->next();
        continue;
      }
      op = launch(chain, device, context);
      changed = true;
    }
    return changed;
  }

  static bool isLeftToPoints(const gpu::RowChain& chain, const amdgpu::GpuDevice& device) {
    if (chain.hasReduction()) return false;
    const auto isRead = [](Operation* op) { return readsRows(linalg::StructuredOp(op)); };
    if (std::ranges::none_of(chain.ops, isRead)) return true;
    return chain.ops.size() == 1 &&
           (gpu::isFlat(linalg::StructuredOp(chain.ops[0])) || leavesLanes(chain, device));
  }

  /// air-gpu-points accesses 16 bytes at a time there, while tiles read fewer.
  static bool leavesBoxes(linalg::StructuredOp op, const amdgpu::GpuDevice& device) {
    const auto boxes = gpu::planBoxes(op, device);
    return boxes && boxes->bytes == gpu::kAccessBytes;
  }

  /// Each row would be a wave's, most of whose lanes have no part of it.
  static bool leavesLanes(const gpu::RowChain& chain, const amdgpu::GpuDevice& device) {
    int64_t columns = 1;
    for (size_t loop = chain.rowLoops; loop < chain.sizes.size(); ++loop) {
      if (chain.sizes[loop] == kDynamic) return false;
      columns *= chain.sizes[loop];
    }
    const gpu::RowPlan plan = gpu::planRows(chain, device);
    return plan.kind == gpu::RowPlan::Blocks && plan.rows == 1 && 2 * columns <= plan.columns;
  }

  /// Whether an operand has an element for each that is made: the lanes of a row are given out by what comes in.
  static bool readsRows(linalg::StructuredOp op) {
    const std::vector<AffineMap> maps = op.indexingMaps();
    for (unsigned i = 0; i < op->numOperands(); ++i) {
      const bool isRead = i < op.numInputs() || op.readsOutput(i - op.numInputs());
      if (isRead && maps[i].numResults() == op.numLoops()) return true;
    }
    return false;
  }

  /// The op after the chain, which is gone then.
  static Operation* launch(const gpu::RowChain& chain, const amdgpu::GpuDevice& device,
                           PassContext& context) {
    Operation& last = *chain.ops.back();
    const gpu::RowPlan plan = gpu::planRows(chain, device);
    context.remark(last, std::to_string(chain.ops.size()) +
                             (chain.ops.size() == 1 ? " op on rows: " : " ops on rows: ") +
                             gpu::describe(plan, device));
    gpu::createRowLaunch(chain, plan, device);
    // Memory must last until the launch.
    std::vector<Operation*> between;
    for (Operation* op = chain.ops.front(); op != &last; op = op->next())
      if (op->is("memref.dealloc")) between.push_back(op);
    for (Operation* op : between)
      op->moveAfter(&last);
    Operation* mark = last.prev();  // the launch, or what is part of it
    for (Operation* op : chain.ops)
      op->erase();
    for (Operation* op : chain.unneeded)
      op->erase();
    return mark->next();
  }
};

}  // namespace

void registerGpuRows(PassRegistry& registry) { registry.add<GpuRows>(); }

}  // namespace airlite
