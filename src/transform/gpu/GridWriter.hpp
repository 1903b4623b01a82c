// The levels around kernels of waves that have nothing to do with each other, or of a row each.
#pragma once

#include "../hierarchy/Hierarchy.hpp"
#include "KernelWriter.hpp"
#include "airlite/dialect/Gpu.hpp"

namespace airlite::gpu {

/// Of a workgroup, where the kernel does not ask for another number.
inline constexpr int64_t kWavesOfGroup = 4;
inline constexpr int64_t kAccessBytes = 16;

class GridWriter : public KernelWriter {
 public:
  GridWriter(linalg::StructuredOp op, const amdgpu::GpuDevice& device)
      : KernelWriter(op), device_(device) {}
  GridWriter(Operation& place, const amdgpu::GpuDevice& device)
      : KernelWriter(place), device_(device) {}

 protected:
  /// Groups of `each` points; the levels down to the herd, in which the builder is then. Returns the
  /// number of the wave among all.
  Value open(Value points, int64_t each, bool spreads) {
    openGroups(ceilDiv(points, each));
    return openWaves(kWavesOfGroup, spreads);
  }

  /// Launch and segment, in which the builder is then.
  void openGroups(Value groups) {
    const Value grid[] = {groups};
    levels_.push_back(air::createHierarchy(builder_, location(), "air.launch", grid));
    builder_.setBefore(*levels_[0].body().terminator());
    levels_.push_back(air::createHierarchy(builder_, location(), "air.segment", {}));
    builder_.setBefore(*levels_[1].body().terminator());
  }

  Value openWaves(int64_t count, bool spreads) {
    const Value waves[] = {index(count), index(1)};
    levels_.push_back(air::createHierarchy(builder_, location(), "air.herd", waves));
    if (spreads) levels_[2]->setAttr(kSpreadAttr, UnitAttr::get(context()));
    builder_.setBefore(*levels_[2].body().terminator());
    return binary("arith.addi", binary("arith.muli", group(), index(count)), waveOfGroup());
  }

  Value group() const { return levels_[0].id(0); }
  Value waveOfGroup() const { return levels_[2].id(0); }

  void close() {
    while (!levels_.empty()) {
      air::isolate(levels_.back());
      levels_.pop_back();
    }
  }

  const amdgpu::GpuDevice& device_;

 private:
  std::vector<air::HierarchyOp> levels_;
};

}  // namespace airlite::gpu
