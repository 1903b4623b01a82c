// How a product of matrices is divided on a GPU: instruction, tiles of waves and workgroups, LDS.
#pragma once

#include "airlite/device/GpuMatrix.hpp"
#include "airlite/dialect/Linalg.hpp"

#include <optional>
#include <string>
#include <vector>

namespace airlite::gpu {

/// The loops of a product C[.., m, n] += A[.., m, k] * B[.., k, n], in any order of the dimensions; or of a
/// convolution, which is a sum of such products over the loops of a filter: A is indexed by sums of loops then.
struct ProductShape {
  std::vector<unsigned> batch;   ///< loops that all three have
  unsigned m = 0, n = 0, k = 0;  ///< loops
  std::vector<unsigned> filter;  ///< loops of sums around that of k
  std::vector<int64_t> sizes;    ///< of all loops; kDynamic where only known at run time
  std::vector<AffineMap> maps;   ///< of A, B, C
  Type factor, sum,
      result;  ///< elements: what is multiplied, what products are added in, what C has
};

/// What `loop` is multiplied with in `expr`, a sum of loops times numbers.
int64_t coefficientOf(AffineExpr expr, unsigned loop, unsigned loops);

/// Why the elements of a multiply-add are none that the device multiplies; empty when they are, in `shape` then.
std::string elementObstacle(linalg::StructuredOp op, const amdgpu::GpuDevice& device,
                            ProductShape& shape);
/// Why `op` is no such product; empty when it is one, in `shape` then.
std::string productObstacle(linalg::StructuredOp op, const amdgpu::GpuDevice& device,
                            ProductShape& shape);

struct ProductPlan {
  const amdgpu::GpuDevice* device = nullptr;
  const amdgpu::MatrixInstruction* instruction = nullptr;
  int64_t steps = 1;               ///< instructions along k that one vector.contract stands for
  int64_t wavesM = 1, wavesN = 1;  ///< of a workgroup
  int64_t tilesM = 1, tilesN = 1;  ///< results of the instruction that a wave has
  int64_t blockK = 0;              ///< elements along k that are in LDS
  int64_t pad = 0;                 ///< elements after each row of LDS, against conflicts of banks
  bool isDouble = false;           ///< two buffers in LDS: one barrier in each step
  int64_t workgroups = 0;          ///< that take blocks in turns; 0: one for each block
  /// Rows of LDS lie along k, as lanes that multiply by themselves read them.
  bool hasKRows() const { return instruction->form == amdgpu::MatrixForm::Lanes; }
  int64_t waves() const { return wavesM * wavesN; }
  /// Of a workgroup. The instruction's rows are those of B: its results are then rows of C.
  int64_t blockM() const { return wavesM * tilesM * instruction->n; }
  int64_t blockN() const { return wavesN * tilesN * instruction->m; }
  int64_t contractK() const { return instruction->k * steps; }
  int64_t ldsBytes() const;
  /// All of a product; kDynamic: not known.
  int64_t blocks(const ProductShape& shape) const;
};

/// What the user may ask for; empty or 0: chosen.
struct ProductWishes {
  std::vector<int64_t> block;  ///< m, n of a workgroup
  int64_t buffers = 0;         ///< 1 or 2
  int64_t workgroups = 0;      ///< that take blocks in turns; -1: one for each block
};

/// Empty when the device has no instruction for these elements, or no plan fits the wishes.
std::optional<ProductPlan> planProduct(const ProductShape& shape, const amdgpu::GpuDevice& device,
                                       const ProductWishes& wishes);

}  // namespace airlite::gpu
