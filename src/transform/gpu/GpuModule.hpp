// What the passes that write kernels share: which ops, and for which device.
#pragma once

#include "airlite/device/GpuMatrix.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/pass/Pass.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace airlite::gpu {

/// Whether a launch, a segment, a herd or a kernel is around `op`.
bool isInHierarchy(Operation& op);

/// Structured ops on buffers that the host runs, in program order.
std::vector<linalg::StructuredOp> hostOps(Operation& module);

/// A pass that makes launches of ops for the device that its option `device` names. A module in which
/// it made some says for which device they are.
class LaunchPass : public Pass {
 public:
  PassResult run(Operation& module, PassContext& context) final;

 protected:
  LaunchPass(std::string_view name, std::string_view summary);
  /// Whether something changed.
  virtual bool makeLaunches(Operation& module, const amdgpu::GpuDevice& device,
                            PassContext& context) = 0;

 private:
  std::string device_ = "gfx942";
};

}  // namespace airlite::gpu
