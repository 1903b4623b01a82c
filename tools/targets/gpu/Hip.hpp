// Runs a program on an AMD GPU through HIP.
#pragma once

#include "../run/Arguments.hpp"
#include "airlite/ir/Operation.hpp"
#include "airlite/support/Result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace airlite::tools {

struct HipOutcome {
  std::string device;  // architecture
  unsigned launches = 0;
  double seconds = 0;  // of the launches
};

/// Compiles the module, in kernel form, for device 0 and runs `function` with `arguments`, whose
/// memory receives what the kernels wrote. Host code may be constants and launches; anything else
/// is reported at its op, and the error has no message then.
Result<HipOutcome> runOnHip(Operation& module, unsigned waveSize, std::string_view function,
                            std::vector<Argument>& arguments);

}  // namespace airlite::tools
