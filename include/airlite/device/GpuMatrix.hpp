// The matrix instructions of AMD GPUs: shapes, how the elements of a matrix lie in the lanes of a
// wave, and how long the matrix unit is busy. Plain data; the intrinsics are those of LLVM 19.
//
// Sources: AMD's ISA documents of CDNA2 and CDNA3 (chapter "Matrix arithmetic instructions") and of
// RDNA3 and RDNA4 (chapter "WMMA"), and AMD's matrix instruction calculator, with which layouts and
// cycles have been compared (docs/log.md). Which k an element has is the same for A and B; where it is
// another one than the document's (RDNA4), the product is the same.
//
//   const auto* row = amdgpu::findMatrixInstruction("mfma_f32_16x16x16_f16");
//   int64_t i = row->d.row.at(lane, 3), j = row->d.column.at(lane, 3);   // of the lane's fourth sum
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace airlite::amdgpu {

/// Devices as bits.
enum Gpu : unsigned { kGfx90a = 1, kGfx942 = 2, kGfx1100 = 4, kGfx1201 = 8 };

/// What one workgroup may have on each of them: work-items, and bytes of LDS.
inline constexpr int64_t kMaxWorkItems = 1024, kMaxLdsBytes = 65536;

/// What is known about a device that a kernel is planned for.
struct GpuDevice {
  std::string_view name;
  std::string_view family;  ///< how the names of devices with the same instructions begin
  Gpu bit;
  int64_t wave;          ///< lanes of a wave that products use
  int64_t computeUnits;  ///< of the largest product with this chip
  int64_t simds;         ///< of a compute unit
  int64_t ldsBytes;      ///< that one workgroup can have
  int64_t registers;     ///< of 32 bits per lane and SIMD, shared by its waves
  int64_t granule;       ///< registers are given out in multiples of this
  int64_t maxWaves;      ///< of a SIMD
  int64_t sums;          ///< registers of a wave for sums of products, at most
  int64_t xcds = 1;  ///< dies with an L2 of their own; workgroups go to one after the other in turn
};

/// MI250X, MI300X, RX 7900 XTX, RX 9070 XT. Fragments of RDNA3 take twice the registers, both halves
/// of a wave holding the same.
inline constexpr GpuDevice kGpuDevices[] = {
    {"gfx90a", "gfx90a", kGfx90a, 64, 220, 4, kMaxLdsBytes, 512, 8, 8, 128},
    {"gfx942", "gfx94", kGfx942, 64, 304, 4, kMaxLdsBytes, 512, 8, 8, 128, 8},
    {"gfx1100", "gfx11", kGfx1100, 32, 96, 2, kMaxLdsBytes, 1536, 24, 16, 64},
    {"gfx1201", "gfx12", kGfx1201, 32, 64, 2, kMaxLdsBytes, 1536, 24, 16, 128},
};

/// The device, or one with the same matrix instructions (gfx1101: gfx1100); null for others.
inline constexpr const GpuDevice* findGpuDevice(std::string_view name) {
  for (const GpuDevice& device : kGpuDevices)
    if (name.starts_with(device.family)) return &device;
  return nullptr;
}

/// F8 and BF8 have 3 and 2 bits of fraction: as the OCP says, or (Fnuz) without infinities and -0.
enum class MatrixElement { F16, BF16, F32, F64, I8, I32, F8, BF8, F8Fnuz, BF8Fnuz };

inline constexpr int64_t bytesOf(MatrixElement element) {
  constexpr int64_t kBytes[] = {2, 2, 4, 8, 1, 4, 1, 1, 1, 1};
  return kBytes[static_cast<int>(element)];
}

/// A part of a coordinate: (number / divide % modulo) * scale, of the number of the lane or of the
/// element in the lane. Modulo 0: no modulo; scale 0: nothing.
struct Term {
  int64_t divide = 1, modulo = 0, scale = 0;
  constexpr int64_t of(int64_t number) const {
    const int64_t part = number / divide;
    return (modulo ? part % modulo : part) * scale;
  }
};
/// One coordinate of an element: the sum of its terms.
struct Axis {
  Term lane;
  std::array<Term, 2> element;
  Term outerLane = {};  ///< a second part of the lane; no matrix instruction needs it
  constexpr int64_t ofLane(int64_t laneNumber) const {
    return lane.of(laneNumber) + outerLane.of(laneNumber);
  }
  constexpr int64_t at(int64_t laneNumber, int64_t elementNumber) const {
    return ofLane(laneNumber) + element[0].of(elementNumber) + element[1].of(elementNumber);
  }
};
/// How a matrix lies in a wave. The first coordinate is the row.
struct Fragment {
  int64_t elements;  ///< of one lane
  Axis row, column;
};

/// How the operands of the intrinsic are passed.
enum class MatrixForm {
  Mfma,         ///< a, b, c, and three numbers that are 0
  Wmma,         ///< a, b, c
  WmmaInteger,  ///< sign of a, a, sign of b, b, c, clamp
  Lanes,        ///< no instruction: each lane multiplies what it holds, element by element
};

/// D = A * B + C. A is m x k, B k x n.
struct MatrixInstruction {
  std::string_view name;
  std::string_view intrinsic;  ///< complete, with the suffixes of overloaded types
  MatrixForm form;
  unsigned devices;  ///< bits of Gpu
  MatrixElement factor, sum;
  int64_t wave, m, n, k;
  Fragment a, b, d;
  std::array<int64_t, 4> cycles;  ///< that the matrix unit is busy, in the order of kGpuDevices
};

namespace detail {
inline constexpr Axis kLane16 = {{1, 16, 1}, {}};
inline constexpr Axis kLane32 = {{1, 32, 1}, {}};
/// Groups of lanes have `part` consecutive elements each.
inline constexpr Axis groups(int64_t lanes, int64_t part) {
  return {{lanes, 0, part}, {Term{1, 0, 1}, Term{}}};
}
inline constexpr Fragment rows(Axis lane, int64_t lanes, int64_t part) {
  return {part, lane, groups(lanes, part)};
}
inline constexpr Fragment columns(Axis lane, int64_t lanes, int64_t part) {
  return {part, groups(lanes, part), lane};
}
inline constexpr Axis kAll = {{}, {Term{1, 0, 1}, Term{}}};
inline constexpr Fragment kSum16 = {4, groups(16, 4), kLane16};
inline constexpr Fragment kSum16F64 = {4, {{16, 0, 1}, {Term{1, 0, 4}, Term{}}}, kLane16};
inline constexpr Fragment kSum32 = {16, {{32, 0, 4}, {Term{1, 4, 1}, Term{4, 0, 8}}}, kLane32};
inline constexpr Fragment kSumRdna3 = {8, {{16, 0, 1}, {Term{1, 0, 2}, Term{}}}, kLane16};
inline constexpr Fragment kSumRdna4 = {8, groups(16, 8), kLane16};
inline constexpr Fragment kAllRows = {16, kLane16, kAll}, kAllColumns = {16, kAll, kLane16};
/// Without a matrix instruction: 4 x 8 lanes with 4 x 4 sums each.
inline constexpr Fragment kLaneRows = {4, {{8, 0, 4}, {Term{1, 4, 1}, Term{}}}, {}};
inline constexpr Fragment kLaneColumns = {4, {}, {{1, 8, 4}, {Term{1, 4, 1}, Term{}}}};
inline constexpr Fragment kLaneSums = {
    16, {{8, 0, 4}, {Term{4, 0, 1}, Term{}}}, {{1, 8, 4}, {Term{1, 4, 1}, Term{}}}};
}  // namespace detail

inline constexpr MatrixInstruction kMatrixInstructions[] = {
    {"mfma_f32_16x16x16_f16",
     "llvm.amdgcn.mfma.f32.16x16x16f16",
     MatrixForm::Mfma,
     kGfx90a | kGfx942,
     MatrixElement::F16,
     MatrixElement::F32,
     64,
     16,
     16,
     16,
     detail::rows(detail::kLane16, 16, 4),
     detail::columns(detail::kLane16, 16, 4),
     detail::kSum16,
     {32, 16, 0, 0}},
    {"mfma_f32_32x32x8_f16",
     "llvm.amdgcn.mfma.f32.32x32x8f16",
     MatrixForm::Mfma,
     kGfx90a | kGfx942,
     MatrixElement::F16,
     MatrixElement::F32,
     64,
     32,
     32,
     8,
     detail::rows(detail::kLane32, 32, 4),
     detail::columns(detail::kLane32, 32, 4),
     detail::kSum32,
     {64, 32, 0, 0}},
    {"mfma_f32_16x16x16_bf16",
     "llvm.amdgcn.mfma.f32.16x16x16bf16.1k",
     MatrixForm::Mfma,
     kGfx90a | kGfx942,
     MatrixElement::BF16,
     MatrixElement::F32,
     64,
     16,
     16,
     16,
     detail::rows(detail::kLane16, 16, 4),
     detail::columns(detail::kLane16, 16, 4),
     detail::kSum16,
     {32, 16, 0, 0}},
    {"mfma_f32_32x32x8_bf16",
     "llvm.amdgcn.mfma.f32.32x32x8bf16.1k",
     MatrixForm::Mfma,
     kGfx90a | kGfx942,
     MatrixElement::BF16,
     MatrixElement::F32,
     64,
     32,
     32,
     8,
     detail::rows(detail::kLane32, 32, 4),
     detail::columns(detail::kLane32, 32, 4),
     detail::kSum32,
     {64, 32, 0, 0}},
    {"mfma_f32_16x16x4_f32",
     "llvm.amdgcn.mfma.f32.16x16x4f32",
     MatrixForm::Mfma,
     kGfx90a | kGfx942,
     MatrixElement::F32,
     MatrixElement::F32,
     64,
     16,
     16,
     4,
     detail::rows(detail::kLane16, 16, 1),
     detail::columns(detail::kLane16, 16, 1),
     detail::kSum16,
     {32, 32, 0, 0}},
    {"mfma_f32_32x32x2_f32",
     "llvm.amdgcn.mfma.f32.32x32x2f32",
     MatrixForm::Mfma,
     kGfx90a | kGfx942,
     MatrixElement::F32,
     MatrixElement::F32,
     64,
     32,
     32,
     2,
     detail::rows(detail::kLane32, 32, 1),
     detail::columns(detail::kLane32, 32, 1),
     detail::kSum32,
     {64, 64, 0, 0}},
    {"mfma_f64_16x16x4_f64",
     "llvm.amdgcn.mfma.f64.16x16x4f64",
     MatrixForm::Mfma,
     kGfx90a | kGfx942,
     MatrixElement::F64,
     MatrixElement::F64,
     64,
     16,
     16,
     4,
     detail::rows(detail::kLane16, 16, 1),
     detail::columns(detail::kLane16, 16, 1),
     detail::kSum16F64,
     {32, 32, 0, 0}},
    {"mfma_i32_16x16x16_i8",
     "llvm.amdgcn.mfma.i32.16x16x16i8",
     MatrixForm::Mfma,
     kGfx90a,
     MatrixElement::I8,
     MatrixElement::I32,
     64,
     16,
     16,
     16,
     detail::rows(detail::kLane16, 16, 4),
     detail::columns(detail::kLane16, 16, 4),
     detail::kSum16,
     {32, 0, 0, 0}},
    {"mfma_i32_16x16x32_i8",
     "llvm.amdgcn.mfma.i32.16x16x32.i8",
     MatrixForm::Mfma,
     kGfx942,
     MatrixElement::I8,
     MatrixElement::I32,
     64,
     16,
     16,
     32,
     detail::rows(detail::kLane16, 16, 8),
     detail::columns(detail::kLane16, 16, 8),
     detail::kSum16,
     {0, 16, 0, 0}},
    {"mfma_i32_32x32x16_i8",
     "llvm.amdgcn.mfma.i32.32x32x16.i8",
     MatrixForm::Mfma,
     kGfx942,
     MatrixElement::I8,
     MatrixElement::I32,
     64,
     32,
     32,
     16,
     detail::rows(detail::kLane32, 32, 8),
     detail::columns(detail::kLane32, 32, 8),
     detail::kSum32,
     {0, 32, 0, 0}},
    {"mfma_f32_16x16x32_fp8_fp8",
     "llvm.amdgcn.mfma.f32.16x16x32.fp8.fp8",
     MatrixForm::Mfma,
     kGfx942,
     MatrixElement::F8Fnuz,
     MatrixElement::F32,
     64,
     16,
     16,
     32,
     detail::rows(detail::kLane16, 16, 8),
     detail::columns(detail::kLane16, 16, 8),
     detail::kSum16,
     {0, 16, 0, 0}},
    {"mfma_f32_32x32x16_fp8_fp8",
     "llvm.amdgcn.mfma.f32.32x32x16.fp8.fp8",
     MatrixForm::Mfma,
     kGfx942,
     MatrixElement::F8Fnuz,
     MatrixElement::F32,
     64,
     32,
     32,
     16,
     detail::rows(detail::kLane32, 32, 8),
     detail::columns(detail::kLane32, 32, 8),
     detail::kSum32,
     {0, 32, 0, 0}},
    {"mfma_f32_16x16x32_bf8_bf8",
     "llvm.amdgcn.mfma.f32.16x16x32.bf8.bf8",
     MatrixForm::Mfma,
     kGfx942,
     MatrixElement::BF8Fnuz,
     MatrixElement::F32,
     64,
     16,
     16,
     32,
     detail::rows(detail::kLane16, 16, 8),
     detail::columns(detail::kLane16, 16, 8),
     detail::kSum16,
     {0, 16, 0, 0}},
    {"mfma_f32_32x32x16_bf8_bf8",
     "llvm.amdgcn.mfma.f32.32x32x16.bf8.bf8",
     MatrixForm::Mfma,
     kGfx942,
     MatrixElement::BF8Fnuz,
     MatrixElement::F32,
     64,
     32,
     32,
     16,
     detail::rows(detail::kLane32, 32, 8),
     detail::columns(detail::kLane32, 32, 8),
     detail::kSum32,
     {0, 32, 0, 0}},
    {"wmma_f32_16x16x16_f16",
     "llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16",
     MatrixForm::Wmma,
     kGfx1100,
     MatrixElement::F16,
     MatrixElement::F32,
     32,
     16,
     16,
     16,
     detail::kAllRows,
     detail::kAllColumns,
     detail::kSumRdna3,
     {0, 0, 32, 0}},
    {"wmma_f32_16x16x16_bf16",
     "llvm.amdgcn.wmma.f32.16x16x16.bf16.v8f32.v16i16",
     MatrixForm::Wmma,
     kGfx1100,
     MatrixElement::BF16,
     MatrixElement::F32,
     32,
     16,
     16,
     16,
     detail::kAllRows,
     detail::kAllColumns,
     detail::kSumRdna3,
     {0, 0, 32, 0}},
    {"wmma_i32_16x16x16_iu8",
     "llvm.amdgcn.wmma.i32.16x16x16.iu8.v8i32.v4i32",
     MatrixForm::WmmaInteger,
     kGfx1100,
     MatrixElement::I8,
     MatrixElement::I32,
     32,
     16,
     16,
     16,
     detail::kAllRows,
     detail::kAllColumns,
     detail::kSumRdna3,
     {0, 0, 32, 0}},
    {"wmma_gfx12_f32_16x16x16_f16",
     "llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16",
     MatrixForm::Wmma,
     kGfx1201,
     MatrixElement::F16,
     MatrixElement::F32,
     32,
     16,
     16,
     16,
     detail::rows(detail::kLane16, 16, 8),
     detail::columns(detail::kLane16, 16, 8),
     detail::kSumRdna4,
     {0, 0, 0, 16}},
    {"wmma_gfx12_f32_16x16x16_bf16",
     "llvm.amdgcn.wmma.f32.16x16x16.bf16.v8f32.v8i16",
     MatrixForm::Wmma,
     kGfx1201,
     MatrixElement::BF16,
     MatrixElement::F32,
     32,
     16,
     16,
     16,
     detail::rows(detail::kLane16, 16, 8),
     detail::columns(detail::kLane16, 16, 8),
     detail::kSumRdna4,
     {0, 0, 0, 16}},
    {"wmma_gfx12_i32_16x16x16_iu8",
     "llvm.amdgcn.wmma.i32.16x16x16.iu8.v8i32.v2i32",
     MatrixForm::WmmaInteger,
     kGfx1201,
     MatrixElement::I8,
     MatrixElement::I32,
     32,
     16,
     16,
     16,
     detail::rows(detail::kLane16, 16, 8),
     detail::columns(detail::kLane16, 16, 8),
     detail::kSumRdna4,
     {0, 0, 0, 8}},
    {"wmma_gfx12_f32_16x16x16_fp8_fp8",
     "llvm.amdgcn.wmma.f32.16x16x16.fp8.fp8.v8f32.v2i32",
     MatrixForm::Wmma,
     kGfx1201,
     MatrixElement::F8,
     MatrixElement::F32,
     32,
     16,
     16,
     16,
     detail::rows(detail::kLane16, 16, 8),
     detail::columns(detail::kLane16, 16, 8),
     detail::kSumRdna4,
     {0, 0, 0, 8}},
    {"wmma_gfx12_f32_16x16x16_bf8_bf8",
     "llvm.amdgcn.wmma.f32.16x16x16.bf8.bf8.v8f32.v2i32",
     MatrixForm::Wmma,
     kGfx1201,
     MatrixElement::BF8,
     MatrixElement::F32,
     32,
     16,
     16,
     16,
     detail::rows(detail::kLane16, 16, 8),
     detail::columns(detail::kLane16, 16, 8),
     detail::kSumRdna4,
     {0, 0, 0, 8}},
    {"lanes_f32_16x32x1_f32",
     "",
     MatrixForm::Lanes,
     kGfx1100 | kGfx1201,
     MatrixElement::F32,
     MatrixElement::F32,
     32,
     16,
     32,
     1,
     detail::kLaneRows,
     detail::kLaneColumns,
     detail::kLaneSums,
     {0, 0, 0, 0}},
};

/// Null for a name that is not in the table.
inline constexpr const MatrixInstruction* findMatrixInstruction(std::string_view name) {
  for (const MatrixInstruction& row : kMatrixInstructions)
    if (row.name == name) return &row;
  return nullptr;
}

/// `steps` instructions one after the other whose operands lie in one fragment: element e of step s
/// is element s * elements + e. So a lane has more consecutive elements, and loads them at once.
inline constexpr Fragment repeated(const Fragment& once, int64_t steps, bool isA) {
  Fragment all = once;
  if (steps == 1) return all;
  all.elements *= steps;
  Axis& k = isA ? all.column : all.row;
  k.lane.scale *= steps;
  if (k.element[0].scale == 0) k.element[0] = {once.elements, 0, 1};  // all elements have one k
  return all;
}

}  // namespace airlite::amdgpu
