// Sums of products of lanes that accumulators keep: c + a0 * b0 + a1 * b1 of i32, where one instruction multiplies lanes of 16 bits
// and adds the products (isShortProduct). Integers wrap around, so c may come last.
#pragma once

#include "Queries.hpp"
#include "airlite/ir/Operation.hpp"

namespace airlite::npu::codegen {

/// The op that makes 16 lanes of i32 from 16 bits each; null: another one, or none.
Operation* widenerOfLanes(Value value);
/// A product of lanes of 16 bits in 32 bits, from the same half of two registers: it is computed from
/// the lanes as they are before they are widened.
bool isShortProduct(Operation& op);
/// In which half of its factors' registers the lanes of a short product are.
Part halfOfProduct(Operation& product);

/// Where a short product stands among at least two of one half that are added up. Additions between two of them are no instructions.
struct SummedProduct {
  Operation* previous = nullptr;  ///< the product before it; null: it is the first
  Operation* end = nullptr;       ///< the addition that ends the sum, where the product is its last; else null
  Value start;                    ///< of the last product: what all are added to; null: nothing
};

/// False: the product is added to nothing, or is the only one of its sum.
bool isSummed(Operation& product, SummedProduct& found);
/// Whether the addition is one of such a sum: its last product has it all.
bool isOfProductSum(Operation& addition);

}  // namespace airlite::npu::codegen
