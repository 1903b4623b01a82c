// Kernels of ops that are computed element by element: by vectors of waves, or by a work-item for
// each point of the parallel loops.
#include "PointKernel.hpp"

#include "GridWriter.hpp"
#include "KernelWriter.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"

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

// -- A work-item for each point -------------------------------------------------------------------

class PointWriter : public GridWriter {
 public:
  PointWriter(linalg::StructuredOp op, const amdgpu::GpuDevice& device,
              std::span<const Value> starts)
      : GridWriter(op, device), starts_(starts) {}

  void write() {
    maps_ = op_.indexingMaps();
    ivs_.assign(op_.numLoops(), Value());
    const std::vector<unsigned> parallel = parallelLoops();
    const Value points = productOf(parallel);
    const Value wave = open(points, device_.wave * kWavesOfGroup, false);
    const Value lane =
        builder_.create(location(), "gpu.lane_id", {}, {builder_.indexType()})->result();
    Value point = binary("arith.addi", binary("arith.muli", wave, index(device_.wave)), lane);
    scf::IfOp guard = scf::IfOp::create(builder_, location(), {}, isBelow(point, points));
    builder_.setBefore(guard.thenBlock().back());
    split(parallel, point);
    computePoint();
    close();
  }

 private:
  /// Those of the last output's dimensions in their order: neighbours write neighbours.
  std::vector<unsigned> parallelLoops() const {
    const auto kinds = op_.iterators();
    std::vector<unsigned> loops, inner;
    for (AffineExpr result : maps_.back().results())
      if (result.kind() == AffineKind::Dim && isParallel(kinds, result.position()) &&
          !std::ranges::count(inner, result.position()))
        inner.push_back(result.position());
    for (unsigned loop = 0; loop < kinds.size(); ++loop)
      if (isParallel(kinds, loop) && !std::ranges::count(inner, loop)) loops.push_back(loop);
    loops.insert(loops.end(), inner.begin(), inner.end());
    return loops;
  }

  static bool isParallel(const std::vector<linalg::IteratorKind>& kinds, unsigned loop) {
    return kinds[loop] == linalg::IteratorKind::Parallel;
  }

  void split(std::span<const unsigned> loops, Value point) {
    for (size_t i = loops.size(); i-- > 0;) {
      if (i == 0) {
        ivs_[loops[0]] = point;
        return;
      }
      const Value size = sizeOf(loops[i]);
      ivs_[loops[i]] = binary("arith.remui", point, size);
      point = binary("arith.divui", point, size);
    }
  }

  /// The sums of the other loops are values, which are stored once.
  void computePoint() {
    std::vector<Value> results;
    for (unsigned i = 0; i < op_.numOutputs(); ++i)
      results.push_back(starts_[i] ? starts_[i] : load(op_.numInputs() + i));
    results = reduce(0, results);
    for (unsigned i = 0; i < op_.numOutputs(); ++i)
      memref::StoreOp::create(builder_, location(), results[i], op_.outputs()[i],
                              indicesOf(op_.numInputs() + i));
  }

  std::vector<Value> reduce(unsigned loop, const std::vector<Value>& before) {
    while (loop < ivs_.size() && ivs_[loop])
      ++loop;
    if (loop == ivs_.size()) return computeElement(before);
    scf::ForOp nest =
        scf::ForOp::create(builder_, location(), index(0), sizeOf(loop), index(1), before);
    builder_.setToEnd(nest.body());
    ivs_[loop] = nest.inductionVar();
    const auto after = reduce(loop + 1, nest.regionIterArgs());
    ivs_[loop] = Value();
    scf::YieldOp::create(builder_, location(), after);
    builder_.setAfter(*nest.op());
    return nest->resultValues();
  }

  std::vector<Value> computeElement(const std::vector<Value>& before) {
    IRMapping mapping;
    for (unsigned i = 0; i < op_->numOperands(); ++i) {
      Value argument = op_.bodyArgument(i);
      if (!argument || !argument.hasUses()) continue;
      mapping.map(argument, i < op_.numInputs() ? load(i) : before[i - op_.numInputs()]);
    }
    Operation& end = op_.body().back();
    for (Operation& inner : op_.body().ops()) {
      if (&inner == &end) break;
      if (inner.is("linalg.index"))
        mapping.map(inner.result(), ivs_[static_cast<size_t>(*constantInt(inner.attr("dim")))]);
      else
        builder_.clone(inner, mapping);
    }
    std::vector<Value> results;
    for (Value result : end.operands())
      results.push_back(mapping.lookupOr(result));
    return results;
  }

  Value load(unsigned operand) {
    const Value memref = op_->operand(operand);
    if (!memref.type().isa<MemRefType>()) return memref;
    return memref::LoadOp::create(builder_, location(), memref, indicesOf(operand)).result();
  }

  std::vector<Value> indicesOf(unsigned operand) {
    std::vector<Value> indices;
    for (AffineExpr expr : maps_[operand].results())
      indices.push_back(indexOf(expr));
    return indices;
  }

  Value indexOf(AffineExpr expr) {
    if (expr.kind() == AffineKind::Dim) return ivs_[expr.position()];
    std::vector<Value> operands;
    std::vector<AffineExpr> dims(ivs_.size());
    for (unsigned i = 0; i < ivs_.size(); ++i) {
      if (!expr.usesDim(i)) continue;
      dims[i] = AffineExpr::dim(context(), static_cast<unsigned>(operands.size()));
      operands.push_back(ivs_[i]);
    }
    const AffineExpr compact = expr.replace(dims, {});
    const AffineMap map = AffineMap::get(context(), static_cast<unsigned>(operands.size()), 0,
                                         std::span(&compact, 1));
    const Type types[] = {builder_.indexType()};
    const NamedAttribute attrs[] = {builder_.named("map", AffineMapAttr::get(map))};
    return builder_.create(location(), "affine.apply", operands, types, attrs)->result();
  }

  std::span<const Value> starts_;
  std::vector<AffineMap> maps_;
  std::vector<Value> ivs_;
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

std::string_view pointObstacle(linalg::StructuredOp op) {
  if (op.loopSources().size() != op.numLoops())
    return "the size of a loop is not the size of an operand";
  const auto maps = op.indexingMaps();
  const auto kinds = op.iterators();
  for (unsigned i = 0; i < op.numOutputs(); ++i)
    for (unsigned loop = 0; loop < kinds.size(); ++loop) {
      const auto results = maps[op.numInputs() + i].results();
      const bool hasLoop = std::ranges::any_of(results, [&](AffineExpr result) {
        return result.kind() == AffineKind::Dim && result.position() == loop;
      });
      if (kinds[loop] == linalg::IteratorKind::Parallel && !hasLoop)
        return "several points of its parallel loops have one result";
      const bool usesLoop =
          std::ranges::any_of(results, [&](AffineExpr result) { return result.usesDim(loop); });
      if (kinds[loop] != linalg::IteratorKind::Parallel && usesLoop)
        return "where it writes depends on a loop that it reduces";
    }
  return "";
}

void createFlatLaunch(linalg::StructuredOp op, const amdgpu::GpuDevice& device) {
  FlatWriter(op, device).write();
}

void createPointLaunch(linalg::StructuredOp op, const amdgpu::GpuDevice& device,
                       std::span<const Value> starts) {
  PointWriter(op, device, starts).write();
}

}  // namespace airlite::gpu
