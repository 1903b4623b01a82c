#include "airlite/npu/lower/Passes.hpp"
namespace airlite::npu {
void registerAirrtToNpu(PassRegistry&) {}
}
