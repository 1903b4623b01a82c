#include "airlite/npu/device/MatrixUnit.hpp"

namespace airlite::npu {

std::span<const MatrixShape> matrixShapes() {
  static constexpr MatrixShape kShapes[] = {
      {8, 8, 32, 4, 8, 8, 0x308},
      {16, 16, 64, 4, 4, 4, 0x33a},
  };
  return kShapes;
}

}  // namespace airlite::npu
