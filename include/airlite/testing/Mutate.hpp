// One small mistake in a program, of the kinds that people make: what the interpreter and the
// checker should notice (docs/checking.md).
//
//   if (auto made = testing::mutate(*module, testing::Mutation::DropEdge, 3)) use(made->what);
#pragma once

#include "airlite/ir/Operation.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace airlite::testing {

enum class Mutation : uint8_t {
  DropEdge,         // a token less in the list of an op
  DoublePut,        // a put is duplicated
  CutDepth,         // a channel holds fewer transfers
  UnbalanceBranch,  // a put or get in a branch is gone
  SwapOps,          // two neighbours have changed places
  ShiftOffset,      // an access begins somewhere else
  LongLoop,         // a loop runs once more
  DropWrite,        // a fill, copy or store is gone
  HalfFill,         // a fill leaves out the second half
};
std::span<const Mutation> allMutations();
/// `drop-edge`, `double-put`, `cut-depth`, `unbalance-branch`, `swap-ops`, `shift-offset`,
/// `long-loop`, `drop-write`, `half-fill`.
std::string_view mutationName(Mutation kind);
std::optional<Mutation> mutationByName(std::string_view name);

/// Makes one such mistake at a random place, and says what it did. Nothing when there is no place
/// for it. The program verifies afterwards if it did before.
struct MutationResult {
  Operation* at = nullptr;  // an op near the mistake
  std::string what;
};
std::optional<MutationResult> mutate(Operation& module, Mutation kind, uint64_t seed);

}  // namespace airlite::testing
