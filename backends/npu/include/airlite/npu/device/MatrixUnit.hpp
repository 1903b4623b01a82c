// The products of the matrix unit of a core: which shapes it has, and how they are asked for.
//
//   for (const MatrixShape& shape : matrixShapes()) if (shape.leftBits == 8) ...
#pragma once

#include <cstdint>
#include <span>

namespace airlite::npu {

/// One instruction: C[rows][columns] += A[rows][depth] * B[depth][columns]. A and B are rows of
/// signed integers in registers, row by row; C is an accumulator with lanes of `sumBits`.
/// Source: shared/facts/isa/vector_facts.md, section 3, "Dense matrix shapes".
struct MatrixShape {
  unsigned leftBits, rightBits, sumBits;
  int64_t rows, depth, columns;
  uint32_t configuration;  ///< the word that the instruction reads
};

/// The shapes that the code generator uses, of AIE2.
std::span<const MatrixShape> matrixShapes();

}  // namespace airlite::npu
