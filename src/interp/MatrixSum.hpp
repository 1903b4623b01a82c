// Sums of products at once, where an op asks for them (linalg::kSumDepth).
#pragma once

#include "Value.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/support/Bf16Pieces.hpp"
#include "airlite/support/Bf16Sum.hpp"
#include "airlite/support/BlockFloat.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <vector>

namespace airlite::interp {

/// Of all products at once, as AIE2 does.
inline uint32_t addedAtOnce(std::span<const Bf16Product> products, uint32_t sum) {
  return bf16Sum(products, false, {&sum, 1});
}

/// One after the other, each rounded to f32.
inline uint32_t addedOneByOne(std::span<const Bf16Product> products, uint32_t sum) {
  auto wide = [](uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); };
  auto total = std::bit_cast<float>(sum);
  for (const Bf16Product& product : products) {
    const float exact = wide(product.a) * wide(product.b);
    total = total + exact;
  }
  return std::isnan(total) ? bf16_sum::kNan : std::bit_cast<uint32_t>(total);
}

/// Of blocks that share an exponent.
inline uint32_t addedInBlocks(std::span<const Bf16Product> products, uint32_t sum) {
  std::array<uint32_t, kBlockLength> a{}, b{};
  for (size_t i = 0; i < products.size(); ++i) {
    a[i] = uint32_t{products[i].a} << 16;
    b[i] = uint32_t{products[i].b} << 16;
  }
  return addBlocks(floatBlockOf(a), floatBlockOf(b), sum);
}

/// Of an f32, as bf16; piece 0 is the f32 rounded.
inline uint64_t bf16PieceOf(uint64_t bits, unsigned piece) {
  return bf16_pieces::split(static_cast<uint32_t>(bits), piece + 1)[piece];
}

/// sum + factors[0] * factors[1] + factors[2] * factors[3] + ...: bf16, the sum f32. What nobody
/// has written makes the sum so.
inline Lane addProducts(std::span<const Lane> factors, Lane sum, linalg::FloatUnit unit) {
  std::vector<Bf16Product> products;
  for (size_t i = 0; i < factors.size(); i += 2) {
    for (const Lane& factor : factors.subspan(i, 2))
      if (factor.origin && !sum.origin) sum = {0, factor.origin};
    products.push_back(
        {static_cast<uint16_t>(factors[i].bits), static_cast<uint16_t>(factors[i + 1].bits)});
  }
  if (sum.origin) return sum;
  const auto before = static_cast<uint32_t>(sum.bits);
  switch (unit) {
    case linalg::FloatUnit::OneByOne: return {addedOneByOne(products, before), 0};
    case linalg::FloatUnit::Blocks: return {addedInBlocks(products, before), 0};
    case linalg::FloatUnit::EightAtOnce: break;
  }
  return {addedAtOnce(products, before), 0};
}

}  // namespace airlite::interp
