// Which value may be used where.
//
//   DominanceInfo dominance;
//   if (dominance.dominates(value, &user)) user.setOperand(0, value);
#pragma once

#include "airlite/ir/Operation.hpp"

#include <memory>
#include <unordered_map>

namespace airlite {

/// Defined in `region`, or in a region inside of it.
bool isInside(Value value, const Region& region);
bool isInside(const Operation& op, const Region& region);

/// Dominator trees, built lazily per region with several blocks (Cooper, Harvey, Kennedy: "A
/// simple, fast dominance algorithm"). Any change to blocks or successors invalidates it.
class DominanceInfo {
 public:
  /// `a` comes before `b` on every path, regions included: an op dominates what is nested later.
  bool properlyDominates(const Operation* a, const Operation* b);
  bool dominates(const Block* a, const Block* b);
  /// `value` may be used by `user`.
  bool dominates(Value value, const Operation* user);
  bool isReachable(const Block* block);
  void invalidate() { trees_.clear(); }

 private:
  struct Tree {
    std::unordered_map<const Block*, unsigned> order;  // reverse post-order of reachable blocks
    std::vector<unsigned> idom;
    std::vector<unsigned> first, last;  // what a block dominates, as an interval of numbers
    void number();
  };
  const Tree& tree(const Region* region);
  std::unordered_map<const Region*, Tree> trees_;
};

}  // namespace airlite
