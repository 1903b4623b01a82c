// What is wrong with the settings of single switches, wherever they lead.
#pragma once

#include "airlite/npu/route/Retrace.hpp"

namespace airlite::npu {

std::vector<RouteFinding> checkSettings(const Device& device, const Routes& routes);

/// What the settings of a shim say of one of its SOUTH ports; null when they say nothing.
const ShimSetting* shimSetting(const SwitchSettings& tile, bool isIntoArray, Port port);

}  // namespace airlite::npu
