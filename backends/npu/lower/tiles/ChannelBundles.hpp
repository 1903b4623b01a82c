// Steps of air-to-aie that can be asked for alone (`test-patterns`).
#pragma once

#include "airlite/ir/Operation.hpp"

namespace airlite::npu {

/// Each place of a channel becomes a channel of its own, `NAME_I_J`, with one place. A dimension along
/// which it is broadcast stays. Channels that are used with an index that is not known stay whole. True
/// when something changed.
bool splitChannelBundles(Operation& module);

/// Executes are written out where they stand: what they wait for is waited for in front of them, and
/// they are done after them. True when something changed.
bool inlineExecutes(Operation& module);

}  // namespace airlite::npu
