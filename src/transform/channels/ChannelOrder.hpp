// Tokens that keep transfers through one end of a channel in the order of the program
// (EnforceChannelFifoOrder.cpp).
#pragma once

#include "airlite/pass/Pass.hpp"

namespace airlite::air {

/// Orders all transfers of a module; true: it has changed. What has to stay as it is, is remarked.
bool keepChannelOrder(Operation& module, PassContext& context);

}  // namespace airlite::air
