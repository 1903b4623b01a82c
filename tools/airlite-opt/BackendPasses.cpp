// Passes of the backends that need no LLVM.
#include "airlite/pass/Pass.hpp"

namespace airlite {

void registerBackendPasses(PassRegistry&) {}

}  // namespace airlite
