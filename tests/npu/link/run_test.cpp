// Linked code runs on the simulated core: calls into another object, its tables and its zeros.
#include "LinkTesting.hpp"
#include "npu/sim/CoreTesting.hpp"

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::link;
using namespace airlite::npu::link::tests;

namespace {

const std::string delay = "nop\nnop\nnop\nnop\nnop\n";

/// result[i] = squares[i] of the other object, for 0 to 3, then done.
const std::string mainSource = ".global main\nmain:\n  movxm p7, #result\n  mova r0, #0\n" + delay +
                               ".align 16\nloop:\n  jl #square\n" + delay +
                               ".align 16\n  st r1, [p7], #4\n  add r0, r0, #1\n"
                               "  mova r2, #4\n" +
                               delay + "  ne r3, r0, r2\n" + delay + "  jnz r3, #loop\n" + delay +
                               "  done\n" + delay + ".bss\nresult: .space 16\n.global result\n";

/// r1 = squares[r0], through a pointer to the table that lies in data.
const std::string kernelSource =
    ".global square\nsquare:\n  movxm p0, #pointer\n" + delay + "  lda p1, [p0, #0]\n" + delay +
    delay + "  lshl r4, r0, r5\n" + delay + "  mov dj0, r4\n" + delay + "  lda r1, [p1, dj0]\n" +
    delay + "  ret lr\n" + delay +
    ".rodata\nsquares: .word 0, 1, 4, 9\n.data\npointer: .word squares\n";

void run(const Linked& linked, sim::TestHost& host) {
  const auto core = sim::makeAie2Core();
  const auto file = readCoreElf(writeCoreElf(executableOf(linked)));
  REQUIRE(file);
  const auto loads = loadsOf(*file, {0, 2});
  REQUIRE(loads);
  for (const CoreLoad& load : *loads) {
    std::vector<uint8_t> bytes;
    for (const uint32_t word : load.words)
      for (int shift = 0; shift < 32; shift += 8)
        bytes.push_back(uint8_t(word >> shift));
    if (load.offset >= 0x20000)
      core->writeProgram(load.offset - 0x20000, bytes);
    else
      std::copy(bytes.begin(), bytes.end(), host.memory.begin() + 0x70000 + load.offset);
  }
  core->enable(true);
  core->write(isa::Reg::r5, std::array<uint8_t, 4>{2, 0, 0, 0});
  for (int i = 0; i < 1000 && core->status().state != sim::CoreState::Done; ++i) {
    core->step(host);
    INFO(core->status().text << " at " << core->status().programCounter);
    REQUIRE(core->status().state != sim::CoreState::Faulted);
  }
  CHECK(core->status().state == sim::CoreState::Done);
}

}  // namespace

TEST_CASE("a linked program runs", "[link]") {
  const bool kernelFirst = GENERATE(false, true);
  std::vector<Object> objects{objectFrom(mainSource, "main.o"), objectFrom(kernelSource, "k.o")};
  if (kernelFirst) std::swap(objects[0], objects[1]);
  LinkRequest request = requestFor(std::move(objects));
  request.entry = "main";
  const Linked linked = linkedOf(request);
  sim::TestHost host;
  std::fill(host.memory.begin(), host.memory.end(), uint8_t(0xCC));  // zeros have to be written
  run(linked, host);
  const uint32_t result = linked.symbolNamed("result")->address;
  for (uint32_t i = 0; i < 4; ++i)
    CHECK(host.memory[result + 4 * i] == i * i);
}
