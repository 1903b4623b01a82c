// The rules about jumps, hardware loops and where code lies.
#pragma once

#include "HazardFlow.hpp"
#include "airlite/npu/isa/Hazards.hpp"

namespace airlite::npu::isa {

void checkControl(const Flow& flow, std::vector<Hazard>& found);

}  // namespace airlite::npu::isa
