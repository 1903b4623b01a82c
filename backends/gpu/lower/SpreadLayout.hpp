// How the vectors of a herd lie in the lanes of its waves.
#pragma once

#include "Kernel.hpp"
#include "airlite/device/GpuMatrix.hpp"
#include "airlite/dialect/Vector.hpp"

#include <span>
#include <unordered_map>
#include <vector>

namespace airlite::gpu {

/// Where the elements of a vector are: element e of a lane has the coordinate axes[d].at(lane, e) in
/// dimension d. Several lanes may hold the same element.
struct Layout {
  int64_t elements = 0;  ///< of a lane
  std::vector<amdgpu::Axis> axes;
};

/// How a vector of these dimensions alone lies, of which each lane has all that it has of the whole:
/// what a broadcast to `whole` takes, and what a reduction of the other dimensions leaves. A lane has
/// each element once. Dimension `kOne`: of one element.
Layout partOf(const Layout& whole, std::span<const int64_t> dims);
inline constexpr int64_t kOne = -1;

/// All lanes of a wave have the same elements, in the same order.
bool isSame(const Layout& a, const Layout& b, int64_t wave);

/// Constant parts of the coordinates of element `e` of a lane.
std::vector<int64_t> placeOf(const Layout& layout, int64_t e);

/// A vector.contract as a number of matrix instructions of one device.
struct ContractPlan {
  const amdgpu::MatrixInstruction* instruction = nullptr;
  int64_t steps = 0;  ///< instructions one after the other along k
  Layout lhs, rhs, sum;
};

using Layouts = std::unordered_map<Value, Layout>;

/// Finds a layout for every vector of `herd`: products ask for those of their instructions, which
/// spread over elementwise ops, loops, transposes, broadcasts and reductions; vectors that no product asks for
/// lie in rows, a lane having up to 16 bytes that are next to each other. Fails, with an error at
/// the op, where there is none.
LogicalResult findLayouts(const Kernel& kernel, Operation& scope, Layouts& layouts);

/// The device that the module names; null: none, or an unknown one.
const amdgpu::GpuDevice* deviceOf(const Kernel& kernel);

/// The instructions for a vector.contract; empty after an error at it.
std::optional<ContractPlan> planContract(const Kernel& kernel, vector::ContractOp contract);

}  // namespace airlite::gpu
