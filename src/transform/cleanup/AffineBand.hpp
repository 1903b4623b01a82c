// Perfect nests of affine.for.
#pragma once

#include "airlite/dialect/Affine.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/support/FunctionRef.hpp"

#include <string_view>
#include <vector>

namespace airlite::affine {

/// `root` and the loops below it, as long as each holds nothing but the next one and none carries
/// values.
std::vector<ForOp> bandOf(ForOp root);
/// Times that the body runs: of constant bounds, and of bounds that are a constant apart whatever
/// their operands are.
std::optional<int64_t> knownTripCount(ForOp loop);

/// No iteration of the nest `band` depends on another one, as far as is known.
bool areIndependent(const std::vector<ForOp>& band);

/// What the root of a nest is called, for passes that take only some of them.
inline constexpr std::string_view kNestLabel = "affine_opt_label";
/// Calls `rewrite` with each loop that has a label, that one if `label` is not empty. It says why a
/// nest stays as it is, which becomes a remark; empty when it was rewritten.
PassResult rewriteLabelledNests(Operation& function, std::string_view label, PassContext& context,
                                FunctionRef<std::string_view(ForOp)> rewrite);

}  // namespace airlite::affine
