// The op that ends the body of a launch or a segment: what is still under way is waited for.
#pragma once

#include "airlite/ir/Operation.hpp"

#include <string_view>

namespace airlite::air {

/// Adds, as the last op of `block`, a blocking air.wait_all with the attribute `mark` for the tokens
/// that nobody waits for, and those of the channel ops of the block. False when the block ends with
/// such an op already.
bool addEndWait(Block& block, std::string_view mark);

/// scf.index_switch without results in `block`: where a case has tokens that nobody waits for, the
/// switch gets a token as result that fires after them. True when something changed.
bool addSwitchTokens(Block& block);

}  // namespace airlite::air
