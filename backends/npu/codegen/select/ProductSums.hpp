// Sums of products of lanes that accumulators keep: c + a0 * b0 + a1 * b1 of i32, where one instruction multiplies lanes of 16 bits
// and adds the products (isShortProduct). Integers wrap around, so c may come last.
#pragma once

#include "Queries.hpp"
#include "airlite/ir/Operation.hpp"

#include <optional>

namespace airlite::npu::codegen {

/// The op that makes 16 lanes of i32 from 16 bits each; null: another one, or none.
Operation* widenerOfLanes(Value value);
/// A product of lanes of 16 bits in 32 bits, from the same half of two registers: it is computed from
/// the lanes as they are before they are widened.
bool isShortProduct(Operation& op);
/// In which half of its factors' registers the lanes of a short product are.
Part halfOfProduct(Operation& product);

/// Whether a short product is one of at least two of one half that are added up, in the order of the block; `previous` becomes the one before it,
/// or null for the first.
bool isSummed(Operation& product, Operation*& previous);

/// An addition of such a product to others: no instruction unless it is the last.
struct ProductSum {
  Operation* product = nullptr;  ///< the last one, where the addition is; null: another one follows
  Value start;                   ///< what all are added to; null: nothing
};
/// None: an addition of something else.
std::optional<ProductSum> productSumOf(Operation& addition);

}  // namespace airlite::npu::codegen
