// Sums of products at once, where an op asks for them (linalg::kSumDepth).
#pragma once

#include "Value.hpp"
#include "airlite/support/Bf16Sum.hpp"

#include <span>
#include <vector>

namespace airlite::interp {

/// sum + factors[0] * factors[1] + factors[2] * factors[3] + ...: bf16, the sum f32. What nobody
/// has written makes the sum so.
inline Lane addProducts(std::span<const Lane> factors, Lane sum) {
  std::vector<Bf16Product> products;
  for (size_t i = 0; i < factors.size(); i += 2) {
    for (const Lane& factor : factors.subspan(i, 2))
      if (factor.origin && !sum.origin) sum = {0, factor.origin};
    products.push_back(
        {static_cast<uint16_t>(factors[i].bits), static_cast<uint16_t>(factors[i + 1].bits)});
  }
  if (sum.origin) return sum;
  const auto before = static_cast<uint32_t>(sum.bits);
  return {bf16Sum(products, false, {&before, 1}), 0};
}

}  // namespace airlite::interp
