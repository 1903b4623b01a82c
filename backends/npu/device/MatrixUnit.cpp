#include "airlite/npu/device/MatrixUnit.hpp"

namespace airlite::npu {

namespace {

constexpr MatrixShape kShapes[] = {
    {MatrixElements::integers(8, 8), 32, 4, 8, 8, 0x308, 9},
    {MatrixElements::integers(16, 16), 64, 4, 4, 4, 0x33a, 9},
    {MatrixElements::bf16(), 32, 4, 8, 4, 0x1c, 18},
};

}  // namespace

const MatrixShape* anyMatrixShape(MatrixElements elements) {
  for (const MatrixShape& shape : kShapes)
    if (shape.elements == elements) return &shape;
  return nullptr;
}

const MatrixShape* findMatrixShape(MatrixElements elements, int64_t rows, int64_t depth,
                                   int64_t columns) {
  for (const MatrixShape& shape : kShapes)
    if (shape.elements == elements && shape.rows == rows && shape.depth == depth &&
        shape.columns == columns)
      return &shape;
  return nullptr;
}

}  // namespace airlite::npu
