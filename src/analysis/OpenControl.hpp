// Transfers of which an argument or data decides whether, how often or where they happen.
//
// Numbers are tried for what a program leaves open, which proves nothing for the others. Where a design must not hang, such
// transfers need a proof:
//   - the branches transfer the same, whichever is taken; or
//   - the channel is balanced for all numbers (SymbolicBalance.hpp), and each branch was taken in some try that found nothing.
#pragma once

#include "Findings.hpp"

#include <map>

namespace airlite::analysis {

/// Regions of conditionals that were taken in tries, as bits.
using TakenRegions = std::map<Operation*, uint64_t>;

/// Reports the transfers of `function` and of what it calls that have no proof. `balanced`: channels that are balanced for all numbers.
void checkOpenControl(Operation& function, const std::set<Operation*>& balanced,
                      const TakenRegions& taken, Findings& findings);

}  // namespace airlite::analysis
