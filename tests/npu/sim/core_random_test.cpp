// Whatever legal bundles come: a core runs or faults by name, and never stops being one.
#include "CoreTesting.hpp"
#include "airlite/npu/isa/Bundle.hpp"

#include <cstdlib>
#include <map>

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::sim;

namespace {

isa::Value randomRegister(isa::OperandType type, SplitMix64& random) {
  for (;;)
    if (auto reg = registerOf(type, random.next() % (1u << isa::regClass(type).width)))
      return isa::Value::of(*reg);
}

isa::Value randomImmediate(isa::OperandType type, SplitMix64& random) {
  const isa::ImmediateRow& range = isa::immediate(type);
  const int64_t count = (int64_t{range.largest} - range.smallest) / range.step + 1;
  const auto index = static_cast<int64_t>(random.next() % static_cast<uint64_t>(count));
  return isa::Value::of(static_cast<int32_t>(range.smallest + index * range.step));
}

isa::Instruction randomInstruction(isa::Form form, SplitMix64& random) {
  const isa::FormRow& f = row(form);
  std::vector<isa::Value> values;
  std::map<char, isa::Value> byLetter;  // `mac r0, r0, r1, r2` names a register twice
  for (unsigned i = 0; i < f.textCount; ++i) {
    const isa::OperandRow& op = f.operands[f.textOrder[i]];
    if (op.kind == isa::OperandKind::Register)
      values.push_back(
          byLetter.try_emplace(op.letter, randomRegister(op.type, random)).first->second);
    if (op.kind == isa::OperandKind::Immediate) values.push_back(randomImmediate(op.type, random));
  }
  return *isa::Instruction::make(form, values);
}

bool mayRun(isa::Form form) {
  return hasSemantics(form) && !row(form).isJump() && row(form).mnemonic() != "done";
}

std::vector<uint8_t> randomProgram(const isa::InstructionSet& set, SplitMix64& random,
                                   unsigned bundles) {
  std::vector<uint8_t> program;
  while (bundles--) {
    isa::Bundle bundle(set.formatAt(random.next() % set.formats.size()));
    for (const isa::SlotPlace& place : row(bundle.format()).places()) {
      auto choice = isa::formsOf(place.slot, set);
      isa::Form form = choice[random.next() % choice.size()];
      if (mayRun(form)) bundle.replace(randomInstruction(form, random));
    }
    std::array<std::byte, isa::kMaxBundleBytes> bytes;
    bundle.encode(bytes.data());
    for (unsigned i = 0; i < bundle.size(); ++i)
      program.push_back(static_cast<uint8_t>(bytes[i]));
  }
  return program;
}

/// Memory of a million bytes at every address, endless streams: few programs fault.
struct GenerousHost final : TestHost {
  Reply load(uint32_t address, std::span<uint8_t> to) override {
    for (size_t i = 0; i < to.size(); ++i)
      to[i] = static_cast<uint8_t>(address * 7 + i * 13);
    return Reply::Done;
  }
  Reply store(uint32_t, std::span<const uint8_t>) override { return Reply::Done; }
  Reply acquire(unsigned, int) override { return Reply::Done; }
  Reply readStream(StreamWord& word) override {
    word = {0x1234567, true};
    return Reply::Done;
  }
  Reply writeStream(StreamWord) override { return Reply::Done; }
  Reply readCascade(std::span<uint8_t, cascadeBytes>) override { return Reply::Done; }
};

}  // namespace

TEST_CASE("random bundles run or fault by name", "[core][random]") {
  const isa::InstructionSet& set = *GENERATE(&isa::aie2(), &isa::aie2p());
  SplitMix64 random(21);
  const char* runs = std::getenv("AIRLITE_SIM_RUNS");
  uint64_t bundles = 0;
  for (int i = 0, count = runs ? std::atoi(runs) : 300; i < count; ++i) {
    auto core = makeCore(set);
    GenerousHost host;
    core->writeProgram(0, randomProgram(set, random, 60));
    core->enable(true);
    for (unsigned n = 0; n < 400 && core->status().state != CoreState::Faulted; ++n)
      core->step(host);
    REQUIRE(core->status().state == CoreState::Faulted);  // at the latest after the program
    CHECK(!core->status().text.empty());
    bundles += core->counters().bundles;
  }
  CHECK(bundles > 300);
}
