// How many bundles per second: `airlite_npu_sim_tests '[.speed]'`, in a release build.
#include "CoreTesting.hpp"

#include <chrono>
#include <iostream>

using namespace airlite;
using namespace airlite::npu::sim;
using airlite::npu::isa::Reg;

namespace {

/// A loop of 2000 rounds over `body`, again and again for `rounds` starts.
double bundlesPerSecond(const std::string& body, unsigned rounds) {
  TestCore t("movxm ls, #body\n movxm le, #last\n movxm r31, #2000\n mov lc, r31\n" +
             TestCore::repeat("nop\n", 8) + ".align 16\nbody:\n" + body +
             ".align 16\nlast:\n nop\n.align 16\n nop\n");
  uint64_t bundles = 0;
  auto begin = std::chrono::steady_clock::now();
  for (unsigned i = 0; i < rounds; ++i) {
    t.core->reset();
    t.core->enable(true);
    t.set(Reg::p0, 0x70000);
    t.set(Reg::p1, 0x71000);
    t.set(Reg::r0, 0x308);
    t.runToEnd();
    bundles += t.core->counters().bundles;
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  return static_cast<double>(bundles) / seconds.count();
}

}  // namespace

TEST_CASE("bundles per second", "[.speed]") {
  const std::string scalar =
      "add r1, r2, r3\n lda r4, [p0, #0]\n mul r5, r1, r4\n st r5, [p0, #4]\n xor r6, r6, r5\n";
  const std::string matrix =
      "vlda wl0, [p0, #0] ; vldb wh0, [p1, #0] ; vmac cm0, cm0, x0, x1, r0\n"
      "vlda wl1, [p0, #32] ; vldb wh1, [p1, #32] ; vmac cm1, cm1, x2, x3, r0\n";
  for (const auto& [name, body] : {std::pair{"scalar", scalar}, std::pair{"int8 matrix", matrix}})
    std::cout << name << ": " << bundlesPerSecond(body, 200) / 1e6 << " M bundles/s\n";
}
