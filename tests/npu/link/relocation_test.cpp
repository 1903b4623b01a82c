// Every relocation, in every format and form that has it, against the instruction with the value.
#include "LinkTesting.hpp"
#include "airlite/npu/isa/Relocations.hpp"
#include "npu/isa/IsaTest.hpp"

#include <set>

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::link;
using namespace airlite::npu::link::tests;

namespace {

ByteVector asBytes(const isa::Bundle& bundle) {
  ByteVector bytes(bundle.size());
  bundle.encode(reinterpret_cast<std::byte*>(bytes.data()));
  return bytes;
}

/// A value that the field holds and that a link accepts.
uint32_t randomValue(const isa::RelocationRow& row, SplitMix64& random) {
  if (row.kind == isa::RelocationKind::Target)
    return uint32_t(random.next() % isa::kProgramMemoryBytes);
  const unsigned width = std::min(20, row.fields[0].width + row.fields[1].width);
  return uint32_t(random.next() % (1u << (width < 20 ? width - 1 : width)));
}

Object objectOfBytes(ByteVector bytes, uint32_t offset, uint8_t number, int64_t addend,
                     const isa::InstructionSet& set = isa::aie2()) {
  Object object{.name = "one.o", .set = &set};
  object.symbols.push_back({.name = "there", .binding = ElfBinding::Global});
  object.sections.push_back({.name = ".text",
                             .alignment = 16,
                             .bytes = std::move(bytes),
                             .relocations = {{offset, number, 1, addend}}});
  return object;
}

void checkOne(isa::Format format, isa::Form form, unsigned operand, uint8_t number,
              SplitMix64& random) {
  const isa::InstructionSet& set = setOf(format);
  const isa::RelocationRow& row = isa::relocations(set)[number];
  isa::Bundle bundle = isa::randomBundle(format, random);
  isa::Instruction instruction = isa::randomInstruction(form, random);
  bundle.replace(instruction);
  const uint32_t offset = 2 * uint32_t(random.next() % 9);
  ByteVector bytes(offset, 0xAA), expected(offset, 0xAA);
  const ByteVector before = asBytes(bundle);
  bytes.insert(bytes.end(), before.begin(), before.end());

  const uint32_t value = randomValue(row, random);
  const int64_t addend = int64_t(random.next() % 256) - 128;
  bundle.replace(*instruction.withImmediate(operand, value));
  const ByteVector after = asBytes(bundle);
  expected.insert(expected.end(), after.begin(), after.end());

  const Object object = objectOfBytes(bytes, offset, number, addend, set);
  LinkRequest request = requestFor({*readObject(writeObject(object), "one.o", set.elfFlags)});
  request.symbols = {{"there", uint32_t(value - addend)}};
  INFO(isa::print(bundle) << ", R_AIE_" << unsigned(number));
  CHECK(linkedOf(request).program == expected);
}

}  // namespace

TEST_CASE("each relocation gives the bytes of the instruction with the value", "[link]") {
  AIRLITE_EACH_SET(set);
  SplitMix64 random(1);
  std::set<uint8_t> met;
  for (size_t f = 0; f < set.formats.size(); ++f)
    for (const isa::SlotPlace& place : set.formats[f].places())
      for (const isa::Form form : isa::formsOf(place.slot, set))
        for (unsigned operand = 0; operand < isa::row(form).operandCount; ++operand)
          if (auto number = isa::relocationFor(set.formatAt(f), form, operand)) {
            met.insert(*number);
            checkOne(set.formatAt(f), form, operand, *number, random);
          }
  CHECK(met.size() == (&set == &isa::aie2() ? 50 : 62));  // the other four of AIE2 are for data
}

TEST_CASE("data words get addresses of 20 or 32 bits", "[link]") {
  const uint8_t number = uint8_t(GENERATE(50, 51, 52, 53));
  Object object = objectOfBytes({1, 0}, 0, 0, 0);
  object.sections[0].relocations.clear();
  object.sections.push_back({.name = ".data",
                             .kind = SectionKind::Data,
                             .alignment = 4,
                             .bytes = {9, 9, 0xFF, 0xFF, 0xFF, 0xFF, 8},
                             .relocations = {{2, number, 1, 4}},
                             .isKept = true});
  LinkRequest request = requestFor({object});
  request.symbols = {{"there", 0x12344}};
  const bool is20 = number == 50 || number == 52;
  CHECK(dataOf(linkedOf(request), dataBegin, 8) ==
        ByteVector{9, 9, 0x48, 0x23, uint8_t(is20 ? 0xF1 : 0x01), uint8_t(is20 ? 0xFF : 0), 8, 0});
  request.symbols = {{"there", 0xFFFFFFF0}};
  if (is20)
    CHECK(errorsOf(request) == "one.o (.data+0x2) refers to 'there': R_AIE_" +
                                   std::to_string(number) + ": 0xfffffff4 is out of range\n");
  else
    CHECK(dataOf(linkedOf(request), dataBegin, 8)[2] == 0xF4);
}

TEST_CASE("relocations without addends take them from the bytes", "[link]") {
  // `movxm p0, #0x12345` with symbol + 0x12345, written as a table without addends.
  Object object = objectFrom("movxm p0, #0x12345\n.data\n.word other\n");
  ByteVector file = writeObject(object);
  CoreElf elf = *readCoreElf(file);
  for (ElfSection& section : elf.sections)
    if (section.type == 4) section.type = 9, section.size = 8;
  elf = *readCoreElf(writeCoreElf(elf));
  Object read = *readObject(writeCoreElf(elf), "rel.o");
  for (const ObjectSection& section : read.sections)
    for (const ObjectRelocation& relocation : section.relocations)
      CHECK(relocation.addend == 0);
  // The word of the data holds -8 now.
  for (ElfSection& section : elf.sections)
    if (sectionName(elf, section) == ".data")
      for (Piece& piece : elf.pieces)
        if (piece.offset <= section.offset && section.offset < piece.offset + piece.data.size())
          std::copy_n(std::array<uint8_t, 4>{0xF8, 0xFF, 0xFF, 0xFF}.begin(), 4,
                      piece.data.begin() + long(section.offset - piece.offset));
  read = *readObject(writeCoreElf(elf), "rel.o");
  CHECK(read.sections.back().relocations.at(0).addend == -8);
}

TEST_CASE("an address that an instruction cannot hold is refused", "[link]") {
  LinkRequest request = requestFor({objectFrom("mova r0, #far\nj #far\n")});
  request.symbols = {{"far", 0x70400}};
  CHECK(errorsOf(request) ==
        "a.o (.text+0x0) refers to 'far': 0x70400 does not fit into the 11 bits of the instruction "
        "(R_AIE_10)\n"
        "a.o (.text+0x4) refers to 'far': a jump to 0x70400, program memory has 16384 bytes\n");
}
