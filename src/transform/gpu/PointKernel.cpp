// Kernels of ops that are computed element by element: by vectors of waves, or by a work-item for
// each point of the parallel loops.
#include "PointKernel.hpp"

#include "GridWriter.hpp"
#include "KernelWriter.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/transform/LinalgPoints.hpp"

#include <algorithm>
#include <numeric>

namespace airlite::gpu {
namespace {

// -- Vectors of waves -----------------------------------------------------------------------------

class FlatWriter : public GridWriter {
 public:
  using GridWriter::GridWriter;

  void write() {
    int64_t widest = 1;
    for (Value operand : op_->operands())
      widest = std::max<int64_t>(widest, elementTypeOrSelf(operand.type()).bitWidth() / 8);
    length_ = device_.wave * std::max<int64_t>(1, kAccessBytes / widest);
    std::vector<unsigned> loops(op_.numLoops());
    std::iota(loops.begin(), loops.end(), 0);
    const Value wave = open(productOf(loops), length_ * kWavesOfGroup, true);
    start_ = binary("arith.muli", wave, index(length_));
    std::vector<Value> arguments;
    for (unsigned i = 0; i < op_->numOperands(); ++i) {
      const Value argument = op_.bodyArgument(i);
      arguments.push_back(argument && argument.hasUses() ? inputOf(op_->operand(i)) : Value());
    }
    const auto results = applyBody(op_, arguments, {{length_}});
    for (unsigned i = 0; i < op_.numOutputs(); ++i)
      KernelWriter::write(placeOf(op_.outputs()[i]), results[i]);
    close();
  }

 private:
  Value inputOf(Value operand) {
    if (!operand.type().isa<MemRefType>()) return operand;
    return read(placeOf(operand), vectorType({length_}, elementTypeOrSelf(operand.type())));
  }

  /// One row of all elements.
  Value flat(Value memref) {
    const auto rank = memref.type().cast<MemRefType>().shape().size();
    if (rank == 1) return memref;
    std::vector<int64_t> all(rank);
    std::iota(all.begin(), all.end(), 0);
    const std::vector<std::vector<int64_t>> groups = {all};
    return memref::CollapseShapeOp::create(builder_, location(), memref, groups)->result();
  }

  VectorPlace placeOf(Value memref) {
    return {flat(memref), {start_}, AffineMap::identity(context(), 1), {isWhole()}};
  }

  bool isWhole() const {
    int64_t points = 1;
    for (int64_t size : op_.loopSizes()) {
      if (size == kDynamic) return false;
      points *= size;
    }
    return points % (length_ * kWavesOfGroup) == 0;
  }

  int64_t length_ = 0;
  Value start_;
};

// -- A work-item for each point, or some next to each other --------------------------------------

/// How many results next to each other a work-item computes: what it accesses at once, where that leaves a wave for each
/// compute unit and divides a row.
int64_t widthOf(linalg::StructuredOp op, const amdgpu::GpuDevice& device) {
  const auto loop = linalg::loopOfNeighbours(op);
  if (!loop || !hasWideBody(op)) return 1;
  int64_t widest = 1;
  for (Value operand : op->operands()) {
    const auto bits = elementTypeOrSelf(operand.type()).bitWidth();
    if (bits < 8) return 1;
    widest = std::max<int64_t>(widest, bits / 8);
  }
  int64_t points = 1;
  for (unsigned i = 0; i < op.numLoops(); ++i) {
    const int64_t size = op.loopSizes()[i];
    if (op.iterators()[i] != linalg::IteratorKind::Parallel) continue;
    points *= size == kDynamic ? device.computeUnits * device.wave : size;
  }
  int64_t width = kAccessBytes / widest;
  while (width > 1 &&
         (op.loopSizes()[*loop] % width || points / width < device.computeUnits * device.wave))
    width /= 2;
  return std::max<int64_t>(1, width);
}

class PointLaunch : public GridWriter {
 public:
  PointLaunch(linalg::StructuredOp op, const amdgpu::GpuDevice& device,
              std::span<const Value> starts)
      : GridWriter(op, device), points_(op, builder_, starts, widthOf(op, device)) {}

  void write() {
    const Value points = points_.count();
    const Value wave = open(points, device_.wave * kWavesOfGroup, false);
    const Value lane =
        builder_.create(location(), "gpu.lane_id", {}, {builder_.indexType()})->result();
    Value point = binary("arith.addi", binary("arith.muli", wave, index(device_.wave)), lane);
    scf::IfOp guard = scf::IfOp::create(builder_, location(), {}, isBelow(point, points));
    builder_.setBefore(guard.thenBlock().back());
    points_.write(point);
    close();
  }

 private:
  linalg::PointWriter points_;
};

}  // namespace

bool isFlat(linalg::StructuredOp op) {
  const auto kinds = op.iterators();
  if (kinds.empty() || std::ranges::any_of(kinds, [](linalg::IteratorKind kind) {
        return kind != linalg::IteratorKind::Parallel;
      }))
    return false;
  const auto maps = op.indexingMaps();
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    auto memref = op->operand(i).type().dynCast<MemRefType>();
    if (memref && (!maps[i].isIdentity() || !memref.hasIdentityLayout())) return false;
  }
  return hasWideBody(op);
}

void createFlatLaunch(linalg::StructuredOp op, const amdgpu::GpuDevice& device) {
  FlatWriter(op, device).write();
}

void createPointLaunch(linalg::StructuredOp op, const amdgpu::GpuDevice& device,
                       std::span<const Value> starts) {
  PointLaunch(op, device, starts).write();
}

}  // namespace airlite::gpu
