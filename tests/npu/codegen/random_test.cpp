// Random programs: what the core leaves in memory is what the interpreter leaves, byte by byte.
#include "CodegenTesting.hpp"
#include "RandomBody.hpp"
#include "RandomLoop.hpp"
#include "airlite/npu/isa/Disassembler.hpp"
#include "airlite/npu/isa/Hazards.hpp"
#include "support/inputs.hpp"

#include <cstdlib>

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::codegen;

namespace {

const std::vector<TestBuffer> kBuffers = {
    {"a", "i32", 32, 4}, {"b", "i16", 32, 2}, {"c", "i8", 32, 1}};

/// Calls `check` AIRLITE_CODEGEN_RUNS times with random numbers, from AIRLITE_CODEGEN_SEED on; most
/// of the programs must be small enough for a core.
template <typename Check> void checkMany(unsigned runs, Check check) {
  const char *wanted = std::getenv("AIRLITE_CODEGEN_RUNS"),
             *seed = std::getenv("AIRLITE_CODEGEN_SEED");
  runs = wanted ? static_cast<unsigned>(std::atoi(wanted)) : airlite::testing::inputs(runs);
  const uint64_t first = seed ? std::strtoull(seed, nullptr, 10) : 1;
  unsigned fitting = 0;
  for (uint64_t i = first; i < first + runs; ++i) {
    SplitMix64 random(i);
    INFO("AIRLITE_CODEGEN_SEED=" << i);
    fitting += check(random);
  }
  CHECK(fitting * 10 >= runs * 9);
}

void checkBodies(unsigned runs, const RandomBody::Options& options) {
  const isa::InstructionSet& set = *GENERATE(&isa::aie2(), &isa::aie2p());
  INFO(set.name);
  checkMany(runs, [&](SplitMix64& random) {
    std::string members = options.calls ? RandomBody::functions(random) : "";
    std::string body = RandomBody(random, options).make();
    return checkSame(kBuffers, body, random, members, set);
  });
}

bool isPipelined(const CoreCode& code) {
  return std::ranges::any_of(code.loops, [](const LoopReport& loop) { return loop.interval > 0; });
}

/// What the checker finds in the bytes. Overlapping rounds read and write registers while a write is
/// on its way, on purpose; a list schedule does neither.
std::string hazardsIn(const CoreCode& code) {
  const isa::Disassembly shown =
      isa::disassemble(encode(code.program), 0, code.program.bundles.at(0).bundle.set());
  isa::HazardOptions options;
  options.loadsWrittenBeforeLocks = true;
  options.readsInFlight = !isPipelined(code);
  std::string text;
  for (const isa::Hazard& hazard : isa::findHazards(shown.program, options))
    if (!isPipelined(code) || hazard.kind != isa::HazardKind::WriteAfterWrite ||
        !hazard.compilersDo)
      text +=
          fmt::format("{} at {:#x}: {}\n", isa::name(hazard.kind), hazard.second, hazard.message);
  return text;
}

/// Floats whose exponents are near that of 1 and a few zeros, so that few sums are infinite.
void makeFloats(Memories& memories, const std::vector<TestBuffer>& buffers, SplitMix64& random) {
  for (size_t b = 0; b < buffers.size(); ++b) {
    const size_t bytes = buffers[b].elementBytes;
    if (buffers[b].element != "f32" && buffers[b].element != "bf16") continue;
    for (size_t i = 0; i < memories[b].size(); i += bytes) {
      uint8_t& high = memories[b][i + bytes - 1];
      high = static_cast<uint8_t>((high & 0x80) | (0x3c + random.next() % 4));
      if (random.next() % 16 == 0) std::fill_n(&memories[b][i], bytes, uint8_t{0});
    }
  }
}

/// How many loops were compiled both ways, and how many of them have rounds that overlap.
struct LoopTally {
  unsigned loops = 0, pipelined = 0, pairs = 0;
};

/// The loop as the scheduler makes it and as a list: both leave what the interpreter leaves. False
/// when it is larger than program memory.
bool checkBothSchedules(SplitMix64& random, const isa::InstructionSet& set, LoopTally& tally) {
  const auto& buffers = RandomLoop::buffers(RandomLoop::Units::All);
  const std::string body = RandomLoop(random, RandomLoop::Units::All, set).make();
  Memories before = randomMemories(buffers, random);
  makeFloats(before, buffers, random);
  const Memories expected = interpret(buffers, body, before);
  INFO(body);
  for (bool overlaps : {true, false}) {
    TestDevice device(buffers, body + "\n  aie.end");
    device.surroundings.overlapsRounds = overlaps;
    device.surroundings.set = &set;
    std::optional<CoreCode> code = compileIfFits(device);
    if (!code) return false;
    INFO((overlaps ? "rounds may overlap" : "list schedule"));
    REQUIRE((overlaps || !isPipelined(*code)));
    REQUIRE(hazardsIn(*code) == "");
    checkRun(device, buffers, *code, before, expected);
    tally.pipelined += isPipelined(*code);
    tally.pairs += std::ranges::any_of(code->loops, &LoopReport::isPair);
  }
  ++tally.loops;
  return true;
}

}  // namespace

TEST_CASE("random straight code", "[codegen][random]") { checkBodies(100, {30, 0}); }
TEST_CASE("random structured code", "[codegen][random]") { checkBodies(200, {8, 3}); }
TEST_CASE("random blocks", "[codegen][random]") { checkBodies(100, {6, 2, 0, true}); }
TEST_CASE("random code with more values than registers", "[codegen][random]") {
  checkBodies(16, {60, 1, 120});
}
// Of a loop in which a value lived while that of a late store was on its way to the same register.
TEST_CASE("random code with a late store and a short value", "[codegen][random]") {
  SplitMix64 random(8721);
  const std::string body = RandomBody(random, {60, 1, 120}).make();
  CHECK(checkSame(kBuffers, body, random, ""));
}
TEST_CASE("random calls", "[codegen][random]") { checkBodies(60, {8, 2, 10, false, true}); }

TEST_CASE("random loops of vectors and scalars", "[codegen][random]") {
  const isa::InstructionSet& set = *GENERATE(&isa::aie2(), &isa::aie2p());
  INFO(set.name);
  checkMany(200, [&](SplitMix64& random) {
    const std::string body = RandomLoop(random, RandomLoop::Units::Integers, set).make();
    return checkSame(RandomLoop::buffers(), body, random, "", set);
  });
}

TEST_CASE("a loop carries one constant into the first round and another into the others",
          "[codegen][loops]") {
  const std::vector<TestBuffer> buffers = {{"a", "i32", 256, 4}, {"b", "i32", 256, 4}};
  SplitMix64 random(1);
  CHECK(checkSame(buffers, R"(
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k8 = arith.constant 8 : index
  %k16 = arith.constant 16 : index
  %first = arith.constant dense<-5> : vector<8xi32>
  %other = arith.constant dense<0> : vector<8xi32>
  %last = scf.for %i = %k0 to %k16 step %k1 iter_args(%x = %first) -> (vector<8xi32>) {
    %at = arith.muli %i, %k8 : index
    vector.store %x, %a[%at] : memref<256xi32, 2 : i32>, vector<8xi32>
    %y = vector.load %b[%at] : memref<256xi32, 2 : i32>, vector<8xi32>
    %z = arith.maxsi %y, %other : vector<8xi32>
    vector.store %z, %b[%at] : memref<256xi32, 2 : i32>, vector<8xi32>
    scf.yield %other : vector<8xi32>
  })",
                  random));
}
TEST_CASE("a loop accesses vectors of two sizes half a vector apart", "[codegen][loops]") {
  const isa::InstructionSet& set = *GENERATE(&isa::aie2(), &isa::aie2p());
  INFO(set.name);
  SplitMix64 random(1);
  CHECK(checkSame({{"a", "i16", 512, 2}}, R"(
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k4 = arith.constant 4 : index
  %k16 = arith.constant 16 : index
  %k32 = arith.constant 32 : index
  scf.for %i = %k0 to %k4 step %k1 {
    %at = arith.muli %i, %k32 : index
    %x = vector.load %a[%at] : memref<512xi16, 2 : i32>, vector<32xi16>
    %next = arith.addi %at, %k16 : index
    %y = vector.load %a[%next] : memref<512xi16, 2 : i32>, vector<16xi16>
    %s = arith.addi %x, %x : vector<32xi16>
    %t = arith.addi %y, %y : vector<16xi16>
    vector.store %s, %a[%at] : memref<512xi16, 2 : i32>, vector<32xi16>
    vector.store %t, %a[%next] : memref<512xi16, 2 : i32>, vector<16xi16>
  })",
                  random, "", set));
}
TEST_CASE("random loops: pipelined and as lists", "[codegen][random][loops]") {
  const isa::InstructionSet& set = *GENERATE(&isa::aie2(), &isa::aie2p());
  INFO(set.name);
  LoopTally tally;
  checkMany(150, [&](SplitMix64& random) { return checkBothSchedules(random, set, tally); });
  WARN(set.name << ": " << tally.loops << " loops, the rounds of " << tally.pipelined
                << " overlap, those of " << tally.pairs << " two at a time");
  constexpr unsigned kEnough = 50;  // a single one may be a list
  CHECK((tally.loops < kEnough || tally.pipelined * 2 >= tally.loops));
}
