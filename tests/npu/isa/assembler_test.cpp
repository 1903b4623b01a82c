// Sources to bytes: layout, symbols, data, mistakes.
#include "airlite/npu/isa/Assembler.hpp"

#include "IsaTest.hpp"
#include "airlite/npu/isa/Disassembler.hpp"
#include "airlite/npu/isa/Relocations.hpp"
#include "support/catch_all.hpp"

namespace airlite::npu::isa {
namespace {

std::string firstError(std::string_view source) {
  Assembly a = assemble(source);
  if (a.ok()) return "";
  const SourceError& e = a.errors[0];
  return std::to_string(e.line) + ":" + std::to_string(e.column) + "+" + std::to_string(e.length) +
         " " + e.message;
}

}  // namespace

TEST_CASE("labels, alignment and data", "[isa][asm]") {
  Assembly a = assemble(R"(
start: lda r0, [p0], #4      // a comment
  jl #far
  nop ; nopxm
.align 16
far: inner:
  movxm p0, #table+4
  done
table:
  .word far, -1, table-4
  .byte 1, 0xff
  .half 0x1234
.equ size, 32
)");
  REQUIRE(a.ok());
  REQUIRE(a.program.bundles.size() == 6);
  CHECK(a.program.bundles[3].address == 18);
  CHECK(a.program.bundles[3].bundle.isNop());
  CHECK(a.program.bundles[4].address == 32);
  CHECK(a.program.bundles[1].bundle.find(Slot::Lng)->imm(0) == 32);
  CHECK(a.program.bundles[4].bundle.find(Slot::Lng)->imm(1) == 46);
  std::vector<std::byte> data(a.bytes.begin() + 42, a.bytes.end());
  CHECK(data == bytesOf("20000000ffffffff2600000001ff3412"));
  std::vector<std::pair<std::string, bool>> symbols;
  for (const Symbol& s : a.program.symbols)
    symbols.emplace_back(s.name, s.isCode);
  CHECK(symbols == std::vector<std::pair<std::string, bool>>{
                       {"far", true}, {"inner", true}, {"start", true}, {"table", false}});
}

TEST_CASE("symbols stand for numbers of every range", "[isa][asm]") {
  Assembly a = assemble(R"(
.equ slot, -64
.equ top, 0xfffffff0
vlda wl0, [sp, #slot]
lda r0, [sp, #slot+8]
movxm r1, #top
paddb [sp], #slot-32
)");
  REQUIRE(a.ok());
  CHECK(print(a.program.bundles[0].bundle) == "vlda wl0, [sp, #-64]");
  CHECK(print(a.program.bundles[1].bundle) == "lda r0, [sp, #-56]");
  CHECK(print(a.program.bundles[2].bundle) == "movxm r1, #-16");
  CHECK(print(a.program.bundles[3].bundle) == "paddb [sp], #-96");
  CHECK(firstError(".equ slot, -60\nvlda wl0, [sp, #slot]") ==
        "2:1+21 operand 'imm' of 'vlda' is -60, it takes multiples of 32 from -131072 to -32");
}

TEST_CASE("padding has any even length and costs one bundle", "[isa][asm]") {
  for (unsigned nops = 0; nops < 8; ++nops) {
    std::string source;
    for (unsigned i = 0; i < nops; ++i)
      source += "nop\n";
    Assembly a = assemble(source + ".align 16\nend: done\n");
    REQUIRE(a.ok());
    CHECK(a.program.bundles.size() == nops + (nops ? 2 : 1));
    CHECK(a.program.bundles.back().address == (nops ? 16 : 0));
    std::string error;
    Disassembly d = disassemble(a.bytes);
    CHECK(d.undecoded.empty());
    CHECK(d.program.bundles.size() == a.program.bundles.size());
  }
}

TEST_CASE("mistakes have a place", "[isa][asm]") {
  CHECK(firstError("  addd r0, r1, r2") == "1:3+4 unknown instruction 'addd'");
  CHECK(firstError("nop\n add r0, p1, r2") == "2:10+2 expected one of r0-r31");
  CHECK(firstError("add r0, r1 r2") == "1:12+2 expected ','");
  CHECK(firstError("paddb [sp], #33") == "1:13+3 expected multiples of 32 from -65536 to 65504");
  CHECK(firstError("mova r0, #1 ; lda r1, [p0, #0]") == "1:1+30 two instructions for slot lda");
  CHECK(firstError("j #0 ; add r0, r1, r2") ==
        "1:1+21 no bundle of 0 bytes or more holds the slots alu, lng");
  CHECK(firstError("a:\na: nop") == "2:1+1 'a' is defined twice");
  CHECK(firstError("j #b") == "1:1+4 undefined symbol 'b'");
  CHECK(firstError(".algn 4").starts_with("1:1+5 unknown directive '.algn'"));
  CHECK(firstError(".align 3") == "1:8+1 expected a power of two");
  CHECK(firstError(".byte 256") == "1:7+3 expected a number from -128 to 255");
  CHECK(firstError(".byte 1\nnop") == "2:1+1 a bundle at an odd address");
  CHECK(firstError("ret lr ; ;") == "1:10+1 unknown instruction ''");
  CHECK(firstError("acq #48, r0 r1").starts_with("1:13+2 expected nothing more"));
  CHECK(firstError(".equ far, 0x12345\nmov r0, #far") ==
        "2:1+12 operand 'i' of 'mov' is 74565, it takes -512 to 511");
}

TEST_CASE("every broken prefix of a source is an error or a program, never a crash", "[isa][asm]") {
  std::string source =
      "l: lda r3, [p0, #0x4] ; st r0, [sp, #-4] ; movxm p1, #l+8\n.word l, 1\n.align 16\n";
  for (size_t end = 0; end <= source.size(); ++end)
    (void)assemble(source.substr(0, end));
  SplitMix64 random(3);
  for (unsigned run = 0; run < 5000; ++run) {
    std::string broken = source;
    for (unsigned i = 0; i < 3; ++i)
      broken[random.next() % broken.size()] = static_cast<char>(random.next() & 0xff);
    (void)assemble(broken);
  }
}

TEST_CASE("undefined symbols become relocations", "[isa][asm]") {
  Assembly a = assemble("st p6, [sp, #-8] ; jl #memcpy\nmovxm p1, #buf+4\n.word tab\n",
                        {.keepUndefined = true});
  REQUIRE(a.ok());
  REQUIRE(a.relocations.size() == 3);
  CHECK(a.relocations[0].relocation == 3);
  CHECK(a.relocations[1].relocation == 42);
  CHECK(a.relocations[1].addend == 4);
  CHECK(a.relocations[2].relocation == 53);
  CHECK(assemble("add.nc r0, r1, #sym", {.keepUndefined = true}).errors[0].message ==
        "objects have no relocation for 'add.nc' here, and 'sym' is not defined");
}

TEST_CASE("relocating is the same as assembling with the value", "[isa][reloc]") {
  // Every format, every immediate that objects can name: all rows but those of AIE2's data words
  // and of a narrow immediate that only data needs.
  AIRLITE_EACH_SET(set);
  SplitMix64 random(54);
  std::vector<bool> seen(relocations(set).size());
  for (size_t f = 0; f < set.formats.size(); ++f)
    for (const SlotPlace& place : set.formats[f].places())
      for (Form form : formsOf(place.slot, set))
        for (unsigned op = 0; op < row(form).operandCount; ++op) {
          auto number = relocationFor(set.formatAt(f), form, op);
          if (!number) continue;
          seen[*number] = true;
          INFO(set.formats[f].name << " " << row(form).name);
          Bundle bundle = randomBundle(set.formatAt(f), random);
          Instruction instruction = randomInstruction(form, random);
          bundle.replace(instruction);
          std::vector<std::byte> bytes = bytesOf(bundle);
          int64_t largest = std::min(immediate(row(form).operands[op].type).largest, 0xfffff);
          int64_t value = static_cast<int64_t>(random.next() % static_cast<uint64_t>(largest + 1));
          REQUIRE(relocate(*number, bytes, value, set));
          bundle.replace(*instruction.withImmediate(op, value));
          CHECK(bytes == bytesOf(bundle));
        }
  for (const RelocationRow& reloc : relocations(set)) {
    INFO(unsigned{reloc.number});
    bool isData = reloc.kind == RelocationKind::Data20 || reloc.kind == RelocationKind::Data32;
    CHECK(seen[reloc.number] == !isData);
  }
}

TEST_CASE("relocations refuse what does not fit", "[isa][reloc]") {
  std::vector<std::byte> word(4);
  auto whyNot = [&](uint8_t number, int64_t value) {
    return relocate(number, word, value).error().message;
  };
  CHECK(relocate(53, word, 0xffffffff));
  CHECK_FALSE(relocate(53, word, int64_t{1} << 32));
  CHECK(whyNot(52, 1 << 20) == "R_AIE_52: 0x100000 is out of range");
  CHECK(whyNot(54, 0) == "unknown relocation R_AIE_54");
  CHECK(whyNot(0, 0) == "R_AIE_0 changes 16 bytes, here are 4");
  CHECK(relocations().size() == 54);
  CHECK(relocations(aie2p()).size() == 62);
  for (const InstructionSet* set : instructionSets())
    for (size_t i = 0; i < relocations(*set).size(); ++i)
      CHECK(relocations(*set)[i].number == i);
}

TEST_CASE("random programs: assemble(print(disassemble(bytes))) = bytes", "[isa][asm]") {
  AIRLITE_EACH_SET(set);
  SplitMix64 random(11);
  for (unsigned run = 0; run < 60; ++run) {
    std::vector<std::byte> bytes;
    for (unsigned i = 0; i < 100; ++i) {
      std::vector<std::byte> one = bytesOf(randomBundle(randomFormat(set, random), random));
      bytes.insert(bytes.end(), one.begin(), one.end());
      if (random.next() % 16 == 0) bytes.push_back(static_cast<std::byte>(0x0d));  // cut or shifted
    }
    std::string source = printSource(disassemble(bytes, 0x1000, set), bytes, 0x1000);
    Assembly again = assemble(source, {.base = 0x1000, .set = &set});
    if (!again.ok() && again.errors[0].message == "a bundle at an odd address") continue;
    INFO(source);
    REQUIRE(again.ok());
    REQUIRE(again.bytes == bytes);
  }
}

}  // namespace airlite::npu::isa
