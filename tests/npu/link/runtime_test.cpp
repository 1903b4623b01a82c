// The functions that compilers call for division and wide products, on the simulated core.
#include "airlite/npu/link/Runtime.hpp"

#include "LinkTesting.hpp"
#include "airlite/npu/isa/Abi.hpp"
#include "airlite/npu/isa/Disassembler.hpp"
#include "airlite/npu/isa/Hazards.hpp"
#include "airlite/npu/isa/Text.hpp"
#include "airlite/npu/isa/Timing.hpp"
#include "npu/isa/IsaTest.hpp"
#include "npu/sim/CoreTesting.hpp"

namespace airlite::npu::link::tests {
namespace {

constexpr uint32_t argumentsAt = 0x70000;

std::string repeat(const std::string& text, unsigned count) {
  return sim::TestCore::repeat(text, count);
}

/// Calls a function with r1 to r5 from memory; its results in r0 and r1 are stored after them.
class Caller {
 public:
  Caller(const std::string& name, const isa::InstructionSet& set) : core_(sim::makeCore(set)) {
    const std::string delay = repeat("nop\n", 5), wait = repeat("nop\n", 8);
    const std::string main = "movxm p0, #" + std::to_string(argumentsAt) +
                             "\nlda r1, [p0], #4\nlda r2, [p0], #4\nlda r3, [p0], #4\n"
                             "lda r4, [p0], #4\nlda r5, [p0], #4\n" +
                             wait + ".align 16\njl #" + name + "\n" + delay + ".align 16\n" +
                             "st r0, [p0], #4\nst r1, [p0], #4\n" + wait + "done\n" + delay;
    linked_ = linkedOf(requestFor({objectFrom(main, "main.o", set), runtimeObject(set)}));
    core_->writeProgram(0, linked_.program);
  }

  std::pair<uint32_t, uint32_t> operator()(std::array<uint32_t, 5> arguments) {
    std::memcpy(&host_.memory[argumentsAt], arguments.data(), sizeof(arguments));
    core_->reset();
    core_->enable(true);
    for (int i = 0; i < 200 && core_->status().state != sim::CoreState::Done; ++i)
      core_->step(host_);
    REQUIRE(core_->status().state == sim::CoreState::Done);
    std::pair<uint32_t, uint32_t> results;
    std::memcpy(&results.first, &host_.memory[argumentsAt + 20], 4);
    std::memcpy(&results.second, &host_.memory[argumentsAt + 24], 4);
    return results;
  }

  const Linked& linked() const { return linked_; }

 private:
  Linked linked_;
  std::unique_ptr<sim::Aie2Core> core_;
  sim::TestHost host_;
};

uint32_t randomWord(SplitMix64& random) {
  return uint32_t(random.next() >> (32 + random.next() % 32));
}

}  // namespace

TEST_CASE("division of whole numbers", "[link]") {
  AIRLITE_EACH_SET(set);
  Caller quotient("__udivsi3", set), remainder("__umodsi3", set), divided("__divsi3", set),
      rest("__modsi3", set);
  SplitMix64 random(11);
  for (int i = 0; i < 200; ++i) {
    const uint32_t a = i % 2 ? randomWord(random) : 0 - randomWord(random);
    const uint32_t b = std::max(i % 3 ? randomWord(random) : 0 - randomWord(random), 1u);
    INFO(a << " by " << b);
    CHECK(quotient({a, b}).first == a / b);
    CHECK(remainder({a, b}).first == a % b);
    CHECK(divided({a, b}).first == uint32_t(int64_t{int32_t(a)} / int32_t(b)));
    CHECK(rest({a, b}).first == uint32_t(int64_t{int32_t(a)} % int32_t(b)));
  }
}

TEST_CASE("products of 64 bits", "[link]") {
  AIRLITE_EACH_SET(set);
  Caller product("__muldi3", set);
  SplitMix64 random(12);
  for (int i = 0; i < 200; ++i) {
    const uint64_t a = random.next() >> random.next() % 64, b = random.next() >> random.next() % 64;
    const auto [low, high] =
        product({0, uint32_t(a), uint32_t(a >> 32), uint32_t(b), uint32_t(b >> 32)});
    CHECK((uint64_t{high} << 32 | low) == a * b);
  }
}

TEST_CASE("the runtime library keeps the rules of the machine and stays away unasked", "[link]") {
  AIRLITE_EACH_SET(set);
  LinkRequest request = requestFor({runtimeObject(set)});
  request.keepsUnused = true;
  const Linked whole = linkedOf(request);
  const auto program = isa::disassemble(std::as_bytes(std::span(whole.program)), 0, set).program;
  CHECK_FALSE(program.bundles.empty());
  for (const isa::ProgramBundle& bundle : program.bundles)
    for (const isa::Instruction& instruction : bundle.bundle.instructions())
      for (const isa::Access& access : accessesOf(instruction))
        for (isa::Reg saved : isa::abi::conventionOf(set).calleeSaved)
          if (access.isDef && overlap(access.reg, saved)) FAIL_CHECK(print(instruction));
  for (const isa::Hazard& hazard : isa::findHazards(program))
    FAIL_CHECK(hazard.message);
  CHECK_FALSE(Caller("__muldi3", set).linked().symbolNamed("__divsi3"));
  const std::string own = ".global __divsi3\n__divsi3: nop\n";
  const Linked linked = linkedOf(requestFor({objectFrom(own, "own.o"), runtimeObject()}));
  CHECK(linked.symbolNamed("__divsi3")->object == "own.o");
}

}  // namespace airlite::npu::link::tests
