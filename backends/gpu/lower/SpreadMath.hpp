// Products and reductions of the fragments that the lanes of a wave have.
#pragma once

#include "SpreadLayout.hpp"

#include <optional>
#include <vector>

namespace airlite::gpu {

/// lhs * rhs + sum, of fragments that lie as `plan` says.
Value multiplyFragments(Builder& builder, const ContractPlan& plan, Value lhs, Value rhs,
                        Value sum);

/// The elements of `fragment`, which lies as `layout`, combined by `kind` (add, maxnumf ...) over all
/// dimensions but `kept`: one for each element that a lane has of partOf(layout, kept), in its order.
/// Each lane combines what it has, then with the lanes that are 1, 2, 4 ... away, so that all that end
/// with an element have the same bits of it. Empty where lanes cannot exchange such elements, or where a
/// lane has one and the same element several times.
std::vector<Value> reduceFragment(Builder& builder, Location at, Value fragment,
                                  const Layout& layout, std::span<const int64_t> kept,
                                  std::string_view kind, int64_t wave);

/// Bits of the number of a lane that do not matter: lanes that differ by them alone have the same elements.
int64_t repeatedLanes(const Layout& layout, int64_t wave);

/// How a fragment that lies in one way becomes one that lies in another: the lanes whose numbers differ by
/// `bit` hand each other all that they have. Element t is then element[t] of the lane without the bit where
/// `isOther[t]` is false, else of the lane with it.
struct LaneExchange {
  int64_t bit = 0;
  std::vector<int64_t> element;
  std::vector<bool> isOther;
};

/// Empty where lanes that differ by one bit do not have what is asked for.
std::optional<LaneExchange> exchangeBetween(const Layout& from, const Layout& to, Type element,
                                            int64_t wave);
/// `lane`: the number of the lane.
Value exchangeFragment(Builder& builder, Value fragment, const LaneExchange& exchange, Value lane,
                       int64_t wave);

/// The fragment of a vector that lies as `to` of `fragment`, which lies as `from` and is broadcast along
/// the first dimensions of the other and those of one element; `isOne` says which are.
Value repeatFragment(Builder& builder, Value fragment, const Layout& from, const Layout& to,
                     const std::vector<bool>& isOne);

}  // namespace airlite::gpu
