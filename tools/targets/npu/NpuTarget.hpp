// AMD NPUs, and the simulated one.
#pragma once

#include "../Target.hpp"

namespace airlite::tools {

const Target& npuTarget();

}  // namespace airlite::tools
