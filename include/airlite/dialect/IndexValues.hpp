// The integers that index values are, as far as an environment knows what they are computed from.
// Each analysis has its own environment (the ids of one core, the iteration that is unfolded, the
// numbers of a sequence); what an op computes from numbers is written here once.
//
//   std::optional<int64_t> Ids::operator()(Value value) {  // constants, and what follows from ids
//     if (auto id = ids_.find(value); id != ids_.end()) return id->second;
//     return computeNumber(value, *this);
//   }
#pragma once

#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Evaluate.hpp"
#include "airlite/support/FunctionRef.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace airlite {

/// An environment: the number of a value, none where it is not known. Numbers of i1 are 0 and 1,
/// all others are signed.
using NumberOf = FunctionRef<std::optional<int64_t>(Value)>;

/// Remembers `elementOp` of each op, for environments that compute the same op many times.
class ElementOps {
 public:
  const std::optional<ElementOp>& of(Operation& op);

 private:
  std::unordered_map<Operation*, std::optional<ElementOp>> known_;
};

/// Whether both are one value, or the same constant.
bool isSameNumber(Value a, Value b);

/// Bits of an index or an integer; 0 for other types and for more than 64 bits.
unsigned numberWidth(Type type);

/// One step: the number of `value`, where `numberOf` knows the values that it comes from. These are
/// the operands of ops of arith and of affine.apply, affine.min and affine.max, what an air.execute
/// hands on, and the sizes and operands of the hierarchy op whose body `value` is an argument of.
/// Only the chosen operand of arith.select has to be known.
std::optional<int64_t> computeNumber(Value value, NumberOf numberOf,
                                     ElementOps* elements = nullptr);

/// None unless all are known.
std::optional<std::vector<int64_t>> numbersOf(std::span<const Value> values, NumberOf numberOf);

/// The bounds of a loop: the greatest result of a map is the lower one, the least the upper one.
std::optional<int64_t> lowerBound(const affine::Application& application, NumberOf numberOf);
std::optional<int64_t> upperBound(const affine::Application& application, NumberOf numberOf);

/// The region that a conditional (scf.if, scf.index_switch, affine.if) runs; it may be empty. Null
/// where the condition is not known, or `op` is not a conditional.
Region* takenRegion(Operation& op, NumberOf numberOf);

}  // namespace airlite
