// Random legal bundles through bytes and text and back. AIRLITE_ISA_RUNS=5000000 runs that many.
#include "IsaTest.hpp"
#include "support/catch_all.hpp"

#include <cstdlib>
#include <set>

namespace airlite::npu::isa {
namespace {

unsigned runs(unsigned normal) {
  const char* text = std::getenv("AIRLITE_ISA_RUNS");
  return text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : normal;
}

std::optional<Bundle> reassemble(const std::string& text, const InstructionSet& set) {
  std::vector<Instruction> instructions;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find(';', at), text.size());
    TextError error;
    auto parsed = parseInstruction(std::string_view(text).substr(at, end - at), error, set);
    if (!parsed) return std::nullopt;
    instructions.push_back(parsed->instruction);
    at = end + 1;
  }
  auto made = Bundle::make(instructions);
  return made ? std::optional(*made) : std::nullopt;
}

}  // namespace

TEST_CASE("every form: word and text say the same instruction", "[isa][roundtrip]") {
  AIRLITE_EACH_SET(set);
  SplitMix64 random(607);
  for (size_t i = 0; i < set.forms.size(); ++i) {
    Form form = set.formAt(i);
    INFO(row(form).name);
    for (unsigned run = 0; run < 40; ++run) {
      Instruction made = randomInstruction(form, random);
      TextError textError;
      auto decoded = Instruction::decode(made.slot(), made.encode(), set);
      INFO(print(made) << ": " << decoded.error().message);
      REQUIRE(decoded);
      REQUIRE(*decoded == made);
      auto parsed = parseInstruction(print(made), textError, set);
      INFO(textError.message);
      REQUIRE(parsed);
      REQUIRE(parsed->instruction == made);
    }
  }
}

TEST_CASE("assemble(disassemble(bytes)) = bytes", "[isa][roundtrip]") {
  AIRLITE_EACH_SET(set);
  SplitMix64 random(20);
  std::set<Format> seen;
  for (unsigned run = 0; run < runs(200'000); ++run) {
    Format format = randomFormat(set, random);
    seen.insert(format);
    Bundle bundle = randomBundle(format, random);
    Word128 word = bundle.encode();
    std::byte bytes[kMaxBundleBytes];
    bundle.encode(bytes);
    auto decoded = Bundle::decode({bytes, bundle.size()}, set);
    if (!decoded || !(*decoded == bundle)) FAIL(print(bundle) << ": " << decoded.error().message);
    std::string text = print(*decoded);
    auto again = reassemble(text, set);
    if (!again || again->size() != bundle.size() || !(again->encode() == word)) FAIL(text);
  }
  CHECK(seen.size() == set.formats.size());
}

TEST_CASE("bytes that decode encode to themselves", "[isa][roundtrip]") {
  AIRLITE_EACH_SET(set);
  SplitMix64 random(128);
  unsigned legal = 0;
  for (unsigned run = 0; run < 200'000; ++run) {
    std::byte bytes[kMaxBundleBytes];
    for (std::byte& b : bytes)
      b = static_cast<std::byte>(random.next());
    auto bundle = Bundle::decode(bytes, set);
    if (!bundle) {
      if (bundle.error().message.empty()) FAIL("no reason given");
      continue;
    }
    ++legal;
    if (bytesOf(*bundle) != std::vector<std::byte>(bytes, bytes + bundle->size()))
      FAIL(print(*bundle));
  }
  CHECK(legal > 1000);
}

TEST_CASE("the truth about operands decides between forms that share bits", "[isa][roundtrip]") {
  // A slot word that two forms could take: their operands must exclude each other.
  AIRLITE_EACH_SET(set);
  SplitMix64 random(7);
  for (size_t i = 0; i < set.forms.size(); ++i)
    for (unsigned run = 0; run < 200; ++run) {
      Instruction made = randomInstruction(set.formAt(i), random);
      unsigned takers = 0;
      for (Form other : formsOf(made.slot(), set)) {
        const FormRow& form = row(other);
        if ((made.encode() & form.fixedMask) != form.fixedValue) continue;
        bool valid = true;
        for (const OperandRow& op : form.ops()) {
          if (op.kind != OperandKind::Register) continue;
          uint64_t field = 0;
          for (unsigned p = 0; p < op.pieceCount; ++p)
            field |= (made.encode() >> op.pieces[p].word & ((1u << op.pieces[p].width) - 1))
                     << op.pieces[p].operand;
          valid = valid && registerOf(op.type, static_cast<unsigned>(field));
        }
        takers += valid;
      }
      INFO(print(made));
      REQUIRE(takers == 1);
    }
}

TEST_CASE("wrong operands are refused when an instruction is made", "[isa]") {
  std::string error;
  auto make = [&](Form form, std::vector<Value> values) {
    const auto made = Instruction::make(form, values);
    error = made.error().message;
    return bool(made);
  };
  CHECK(make(Form::ADD, {Value::of(Reg::r1), Value::of(Reg::r2), Value::of(Reg::r3)}));
  CHECK_FALSE(make(Form::ADD, {Value::of(Reg::r1), Value::of(Reg::p2), Value::of(Reg::r3)}));
  CHECK(error == "operand 'mRx0' of 'add' cannot be p2: r0-r31");
  CHECK_FALSE(make(Form::ADD, {Value::of(Reg::r1), Value::of(Reg::r2)}));
  CHECK(error == "operand 'mRy' of 'add' is missing");
  CHECK_FALSE(make(Form::ADD, {Value::of(Reg::r1), Value::of(Reg::r2), Value::of(3)}));
  CHECK(error == "operand 'mRy' of 'add' is a register: r0-r31");
  CHECK_FALSE(make(Form::RET, {Value::of(3)}));
  CHECK(error == "'ret' takes 0 operands, not 1");
  CHECK_FALSE(make(Form::PADDB_sp_imm, {Value::of(33)}));
  CHECK(error == "operand 'imm' of 'paddb' is 33, it takes multiples of 32 from -65536 to 65504");
}

TEST_CASE("bundles grow together to align what follows", "[isa]") {
  AIRLITE_EACH_SET(set);
  SplitMix64 random(5);
  for (unsigned run = 0; run < 2000; ++run) {
    std::vector<Bundle> bundles;
    unsigned before = 0, after = 0, room = 0, bytes = random.next() % 32 & ~1u;
    for (unsigned i = 0; i < 6; ++i) {
      bundles.push_back(randomBundle(randomFormat(set, random), random));
      before += bundles[i].size();
      room += kMaxBundleBytes - bundles[i].size();
    }
    std::vector<Bundle> old = bundles;
    unsigned left = widenTogether(bundles, bytes);
    for (unsigned i = 0; i < 6; ++i) {
      after += bundles[i].size();
      for (const Instruction& instruction : old[i].instructions())
        if (instruction.slot() != Slot::Nop)
          CHECK(*bundles[i].find(instruction.slot()) == instruction);
    }
    CHECK(after == before + bytes - left);
    if (room >= bytes + 24) CHECK(left == 0);
  }
  std::vector<Bundle> nop(1, Bundle(set.firstFormat));
  CHECK(widenTogether(nop, 14) == 0);
  CHECK(nop[0].size() == 16);
  CHECK(widenTogether(nop, 2) == 2);
}

TEST_CASE("unknown bits fault by name", "[isa]") {
  CHECK(Bundle::decode(bytesOf("19000038")));
  CHECK(Bundle::decode(bytesOf("190000f8")).error().message ==
        "no format of 4 bytes has the bits 190000f8");
  CHECK(Bundle::decode(bytesOf("1900")).error().message == "a bundle of 4 bytes is cut after 2");
  CHECK(Instruction::decode(Slot::Alu, 0x278).error().message ==
        "slot alu: no instruction has the bits 0x278");
  CHECK(Instruction::decode(Slot::Alu, 0x404 | 0x4000 | 0x2000).error().message ==
        "slot alu: 'acq' has no meaning for the bits 0x4000, which must be 0");
}

}  // namespace airlite::npu::isa
