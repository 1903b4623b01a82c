// How attention is divided on a GPU, and the launch that computes it.
#pragma once

#include "Attention.hpp"
#include "airlite/device/GpuMatrix.hpp"

#include <optional>
#include <string>

namespace airlite::gpu {

/// A workgroup has some queries of one head, each wave `queries` tiles of them in registers; blocks of keys
/// and values go through LDS. Rows of the matrix instructions are keys, then columns of the values; their
/// columns are queries.
struct AttentionPlan {
  const amdgpu::MatrixInstruction* scores = nullptr;
  const amdgpu::MatrixInstruction* result = nullptr;
  int64_t waves = 0;
  int64_t queries = 0;  ///< tiles of a wave
  int64_t keys = 0;     ///< of a block
  int64_t steps = 1;    ///< instructions along d that one vector.contract stands for
  int64_t depth = 0;    ///< d, rounded up
  int64_t columns = 0;  ///< e, rounded up
  int64_t padKeys = 0,
          padValues = 0;  ///< elements after each row of LDS, against conflicts of banks
  const amdgpu::GpuDevice* device = nullptr;
  bool isDouble = false;  ///< two buffers in LDS
  /// Of a workgroup.
  int64_t blockM() const { return waves * queries * scores->n; }
  int64_t contractD() const { return scores->k * steps; }
  int64_t ldsBytes() const;
};

/// Empty when the device has no instructions for these elements, or heads are too large for it.
std::optional<AttentionPlan> planAttention(const Attention& attention,
                                           const amdgpu::GpuDevice& device);
std::string describe(const AttentionPlan& plan);

/// Puts an air.launch in front of the last op, which computes what all do; they stay.
void createAttentionLaunch(const Attention& attention, const AttentionPlan& plan);

}  // namespace airlite::gpu
