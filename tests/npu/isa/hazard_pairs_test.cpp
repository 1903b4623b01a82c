// Random pairs of instructions: the checker and Timing.hpp must agree about the least distance.
#include "IsaTest.hpp"
#include "airlite/npu/isa/Hazards.hpp"
#include "airlite/npu/isa/Timing.hpp"
#include "support/catch_all.hpp"

namespace airlite::npu::isa {
namespace {

/// `a`, then `b` that many cycles later, then room for both to end.
std::vector<Hazard> check(const Instruction& a, const Instruction& b, int distance,
                          const HazardOptions& options = {}) {
  Program program;
  auto add = [&](const Bundle& bundle) {
    uint32_t address = program.bundles.empty() ? 0 : program.bundles.back().end();
    program.bundles.push_back({address, bundle, 0});
  };
  add(*Bundle::make(std::array{a}));
  const Bundle nop(a.set().firstFormat);
  for (int i = 1; i < distance; ++i)
    add(nop);
  add(*Bundle::make(std::array{b}));
  for (unsigned i = 0; i < kLastCycle; ++i)
    add(nop);
  return findHazards(program, options);
}

bool isPlain(const Instruction& i) {
  // Jumps want delay slots, and movxm may set the bounds of loops.
  return !i.row().isJump() && i.form() != i.set().moveConstant;
}

/// The distance from which on no rule of registers, units and locks is broken.
int leastDistance(const Instruction& a, const Instruction& b) {
  int distance = structural(a, b);
  for (const Access& x : accessesOf(a))
    for (const Access& y : accessesOf(b)) {
      if (!overlap(x.reg, y.reg)) continue;
      if (x.isDef && y.isDef && !isSticky(x.reg))
        distance = std::max(distance, writeAfterWrite(x, y));
      if (!x.isDef && y.isDef) distance = std::max(distance, writeAfterRead(x, y));
    }
  if (a.row().touchesMemory() && isLock(b)) distance = std::max(distance, memoryToLock(a));
  if (isLock(a) && b.row().touchesMemory()) distance = std::max(distance, lockToMemory(b));
  return distance;
}

int memoryDistance(const Instruction& a, const Instruction& b) {
  bool ordered = a.row().touchesMemory() && b.row().touchesMemory() &&
                 (a.row().is(kStores) || b.row().is(kStores));
  return ordered ? memoryOrder(a, b) : 0;
}

/// Pairs that have to do with each other are rare: the second takes registers of the first.
Instruction related(const Instruction& a, SplitMix64& random) {
  for (unsigned tries = 0; tries < 200; ++tries) {
    Instruction b = randomInstruction(randomForm(a.set(), random), random);
    if (isPlain(b) && leastDistance(a, b) > 0) return b;
  }
  return Instruction::nop(Slot::Nop, a.set());
}

/// Anything at all, jumps and loops within the program among it.
Program randomProgram(const InstructionSet& set, SplitMix64& random) {
  Program program;
  while (program.bundles.size() < 40) {
    uint32_t address = program.bundles.empty() ? 0 : program.bundles.back().end();
    if (random.next() % 50 == 0) address += 2;  // a gap
    Bundle bundle = randomBundle(randomFormat(set, random), random);
    const Instruction* wide = bundle.find(Slot::Lng);
    auto target = static_cast<int32_t>(random.next() % 25 * 16);
    if (wide && wide->row().isJump())
      bundle.replace(*wide->withImmediate(wide->row().operandCount - 1, target));
    if (wide && wide->form() == set.moveConstant) {
      Reg reg = std::array{Reg::LS, Reg::LE, Reg::LC, Reg::p0}[random.next() % 4];
      std::array values = {Value::of(reg), Value::of(target)};
      bundle.replace(*Instruction::make(set.moveConstant, values));
    }
    program.bundles.push_back({address, bundle, 0});
  }
  return program;
}

}  // namespace

TEST_CASE("any program can be checked", "[isa][hazards]") {
  AIRLITE_EACH_SET(set);
  SplitMix64 random(40);
  std::array<unsigned, kHazardKindCount> kinds{};
  for (unsigned run = 0; run < 900; ++run) {
    Program program = randomProgram(set, random);
    HazardOptions all{
        .readsInFlight = true, .assumeAliasing = true, .loadsWrittenBeforeLocks = true};
    std::vector<Hazard> hazards = findHazards(program, all);
    REQUIRE_FALSE(hazards.empty());
    for (const Hazard& h : hazards) {
      ++kinds[static_cast<unsigned>(h.kind)];
      REQUIRE(program.indexAt(h.first) < program.bundles.size());
      REQUIRE(program.indexAt(h.second) < program.bundles.size());
      REQUIRE(h.missing >= 0);
      REQUIRE_FALSE(h.message.empty());
    }
  }
  // All kinds but the two that such programs are too small or too wild for.
  for (unsigned i = 0; i < kHazardKindCount; ++i) {
    auto kind = static_cast<HazardKind>(i);
    INFO(name(kind));
    if (kind != HazardKind::ProgramSize && kind != HazardKind::LoopLastStore) CHECK(kinds[i] > 0);
  }
}

TEST_CASE("pairs: silent from the least distance on, found before", "[isa][hazards]") {
  AIRLITE_EACH_SET(set);
  SplitMix64 random(31);
  unsigned found = 0;
  for (unsigned run = 0; run < 3000; ++run) {
    Instruction a = randomInstruction(randomForm(set, random), random);
    if (!isPlain(a)) continue;
    Instruction b = related(a, random);
    int least = leastDistance(a, b), far = std::max({1, least, memoryDistance(a, b)});
    INFO(print(a) << " | " << print(b) << " | " << least);
    REQUIRE(check(a, b, far).empty());
    REQUIRE(check(a, b, kLastCycle + 1, {.readsInFlight = true}).empty());
    if (least < 2) continue;
    ++found;
    std::vector<Hazard> hazards = check(a, b, least - 1);
    REQUIRE_FALSE(hazards.empty());
    int missing = 0;
    for (const Hazard& h : hazards)
      if (h.kind != HazardKind::MemoryOrder) missing = std::max(missing, h.missing);
    REQUIRE(missing == 1);
  }
  CHECK(found > 300);
}

TEST_CASE("pairs: a read in flight is one cycle short just before its distance", "[isa][hazards]") {
  AIRLITE_EACH_SET(set);
  SplitMix64 random(32);
  unsigned found = 0;
  for (unsigned run = 0; run < 100'000; ++run) {
    Instruction a = randomInstruction(randomForm(set, random), random);
    Instruction b = randomInstruction(randomForm(set, random), random);
    if (!isPlain(a) || !isPlain(b)) continue;
    int needed = 0;
    for (const Access& x : accessesOf(a))
      for (const Access& y : accessesOf(b))
        if (x.isDef && !y.isDef && overlap(x.reg, y.reg))
          needed = std::max(needed, readAfterWrite(x, y));
    if (needed < 2) continue;
    ++found;
    auto shortReads = [&](int distance) {
      int most = 0;
      for (const Hazard& h : check(a, b, distance, {.readsInFlight = true}))
        if (h.kind == HazardKind::ReadInFlight) most = std::max(most, h.missing);
      return most;
    };
    INFO(print(a) << " | " << print(b) << " | " << needed);
    REQUIRE(shortReads(needed) == 0);
    REQUIRE(shortReads(needed - 1) == 1);
  }
  CHECK(found > 300);
}

}  // namespace airlite::npu::isa
