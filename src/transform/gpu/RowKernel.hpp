// Writes the launch that computes a chain of ops on rows.
#pragma once

#include "RowChain.hpp"
#include "airlite/device/GpuMatrix.hpp"

#include <string>

namespace airlite::gpu {

/// How rows are divided: a tile of a wave has `rows` x `columns` elements.
struct RowPlan {
  enum Kind {
    Blocks,  ///< no reduction: tiles have nothing to do with each other
    Held,    ///< a row is read once and stays in the registers of its waves
    Looped,  ///< a row is read for each reduction and for the results, tile by tile
  } kind = Held;
  int64_t rows = 1, columns = 0;
  int64_t waves = 1;    ///< of a row; more than one have a workgroup of their own
  bool isFlat = false;  ///< rows are numbered by one loop
};

RowPlan planRows(const RowChain& chain, const amdgpu::GpuDevice& device);
std::string describe(const RowPlan& plan, const amdgpu::GpuDevice& device);

/// Puts an air.launch in front of the last op of the chain, which computes what all of them do; they
/// stay.
void createRowLaunch(const RowChain& chain, const RowPlan& plan, const amdgpu::GpuDevice& device);

}  // namespace airlite::gpu
