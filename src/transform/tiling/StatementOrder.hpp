// Whether the statements of loops may run one after the other, each for all rounds of its loops, and which of them are one op.
#pragma once

#include "LoopStatements.hpp"

#include <string_view>

namespace airlite::tiling {

/// What the value of a statement, and its conditions, are computed of. The element that stays where a condition fails is read after
/// all statements (SIZE_MAX).
std::vector<StatementRead> readsOf(const LoopStatements& nest, const Statement& statement);

/// Statements that are one op: they store the same element of several memories, and read what these held before.
using StatementGroup = std::vector<const Statement*>;

struct StatementOrder {
  std::vector<StatementGroup> groups;  ///< in their order
  std::string_view why;                ///< statements cannot run so; empty: they can
};

StatementOrder orderStatements(const LoopStatements& nest);

}  // namespace airlite::tiling
