#include "MatrixRuntime.hpp"

#include "airlite/ir/Attribute.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace airlite::gpu {
namespace {

using amdgpu::Fragment;
using amdgpu::MatrixElement;
using amdgpu::MatrixInstruction;

float fromBf16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

float fromF16(std::uint16_t bits) {
  const auto sign = static_cast<std::uint32_t>(bits & 0x8000) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1f, fraction = bits & 0x3ff;
  if (exponent == 0) {
    const float tiny = static_cast<float>(fraction) * 0x1p-24F;
    return sign ? -tiny : tiny;
  }
  const std::uint32_t wide = exponent == 0x1f ? 0xff : exponent + 112;
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

/// All numbers of a format of eight bits, by their bits.
std::array<float, 256> numbersOf(airlite::FloatKind kind) {
  std::array<float, 256> all;
  for (std::uint64_t bits = 0; bits < all.size(); ++bits)
    all[bits] = static_cast<float>(floatFromBits(kind, bits));
  return all;
}

template <airlite::FloatKind kind> float fromFloat8(const void* fragment, std::int64_t i) {
  static const std::array<float, 256> numbers = numbersOf(kind);
  return numbers[static_cast<const std::uint8_t*>(fragment)[i]];
}

template <class Sum> Sum factorAt(MatrixElement element, const void* fragment, std::int64_t i) {
  switch (element) {
    case MatrixElement::F16:
      return static_cast<Sum>(fromF16(static_cast<const std::uint16_t*>(fragment)[i]));
    case MatrixElement::BF16:
      return static_cast<Sum>(fromBf16(static_cast<const std::uint16_t*>(fragment)[i]));
    case MatrixElement::I8: return static_cast<Sum>(static_cast<const std::int8_t*>(fragment)[i]);
    case MatrixElement::F8:
      return static_cast<Sum>(fromFloat8<airlite::FloatKind::F8E4M3FN>(fragment, i));
    case MatrixElement::BF8:
      return static_cast<Sum>(fromFloat8<airlite::FloatKind::F8E5M2>(fragment, i));
    case MatrixElement::F8Fnuz:
      return static_cast<Sum>(fromFloat8<airlite::FloatKind::F8E4M3FNUZ>(fragment, i));
    case MatrixElement::BF8Fnuz:
      return static_cast<Sum>(fromFloat8<airlite::FloatKind::F8E5M2FNUZ>(fragment, i));
    default: return static_cast<const Sum*>(fragment)[i];
  }
}

float multiplyAdd(float a, float b, float sum) { return std::fma(a, b, sum); }
double multiplyAdd(double a, double b, double sum) { return std::fma(a, b, sum); }
std::uint32_t multiplyAdd(std::uint32_t a, std::uint32_t b, std::uint32_t sum) {
  return sum + a * b;
}

/// The matrix of a wave in row-major order. Lanes that hold the same element hold the same value.
template <class Sum>
std::vector<Sum> gather(const Fragment& fragment, MatrixElement element, std::int64_t rows,
                        std::int64_t columns, std::span<const MatrixOperands> lanes,
                        const void* MatrixOperands::*which) {
  std::vector<Sum> matrix(static_cast<std::size_t>(rows * columns));
  for (std::size_t lane = 0; lane < lanes.size(); ++lane)
    for (std::int64_t e = 0; e < fragment.elements; ++e) {
      const auto at = static_cast<std::int64_t>(lane);
      const auto index = fragment.row.at(at, e) * columns + fragment.column.at(at, e);
      matrix[static_cast<std::size_t>(index)] = factorAt<Sum>(element, lanes[lane].*which, e);
    }
  return matrix;
}

template <class Sum>
void multiply(const MatrixInstruction& row, std::span<const MatrixOperands> lanes) {
  const auto a = gather<Sum>(row.a, row.factor, row.m, row.k, lanes, &MatrixOperands::a);
  const auto b = gather<Sum>(row.b, row.factor, row.k, row.n, lanes, &MatrixOperands::b);
  for (std::size_t lane = 0; lane < lanes.size(); ++lane)
    for (std::int64_t e = 0; e < row.d.elements; ++e) {
      const auto at = static_cast<std::int64_t>(lane);
      const auto* left = &a[static_cast<std::size_t>(row.d.row.at(at, e) * row.k)];
      const auto* right = &b[static_cast<std::size_t>(row.d.column.at(at, e))];
      auto& sum = static_cast<Sum*>(lanes[lane].sum)[e];
      for (std::int64_t k = 0; k < row.k; ++k)
        sum = multiplyAdd(left[k], right[k * row.n], sum);
    }
}

}  // namespace

void multiplyWave(const MatrixInstruction& instruction, std::span<const MatrixOperands> lanes) {
  switch (instruction.sum) {
    case MatrixElement::F32: return multiply<float>(instruction, lanes);
    case MatrixElement::F64: return multiply<double>(instruction, lanes);
    default: return multiply<std::uint32_t>(instruction, lanes);
  }
}

}  // namespace airlite::gpu
