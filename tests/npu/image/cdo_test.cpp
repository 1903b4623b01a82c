#include "airlite/npu/image/Cdo.hpp"

#include "airlite/npu/image/Pdi.hpp"
#include "npu/image/ImageTesting.hpp"

using namespace airlite::npu;
using namespace airlite::npu::tests;
using airlite::SplitMix64;
using Catch::Matchers::Contains;

namespace {

CdoCommand randomCommand(SplitMix64& random) {
  const auto layouts = cdoLayouts();
  const uint32_t pick = below(random, uint32_t(layouts.size()) + 1);
  if (pick == layouts.size())  // nothing that airlite knows
    return {.code = uint16_t(0x200 + below(random, 256)), .data = randomWords(random, 9)};
  const auto& layout = layouts[pick];
  CdoCommand command{.code = uint16_t(layout.code), .hasLongLength = below(random, 8) == 0};
  for (const auto field : layout.fields)
    command.at(field) = Word(random.next());
  if (layout.hasData) command.data = randomWords(random, below(random, 20) ? 12 : 600);
  if (layout.fields.size() + command.data.size() >= 255) command.hasLongLength = true;
  return command;
}

Cdo randomCdo(SplitMix64& random) {
  Cdo cdo{.version = Word(random.next())};
  for (uint32_t n = below(random, 12); n > 0; --n)
    cdo.commands.push_back(randomCommand(random));
  return cdo;
}

Pdi randomPdi(SplitMix64& random) {
  Pdi pdi = makePdi(randomCdo(random));
  for (unsigned word = 5; word < pdiTableWords - 1; ++word)
    pdi.table[word] = Word(random.next());
  for (unsigned word = 1; word < pdiImageWords - 1; ++word)
    pdi.image[word] = Word(random.next());
  for (unsigned word = 9; word < pdiPartitionWords - 1; ++word)
    pdi.partition[word] = Word(random.next());
  pdi.partition[28] &= ~Word(1);  // 1: compressed
  return pdi;
}

const auto rewriteCdo = rewriting(readCdo, writeCdo);
const auto rewritePdi = rewriting(readPdi, writePdi);

}  // namespace

TEST_CASE("a CDO is what was written", "[npu][image]") {
  SplitMix64 random(1);
  for (int i = 0; i < 500; ++i) {
    const Cdo cdo = randomCdo(random);
    const ByteVector bytes = writeCdo(cdo);
    const auto back = readCdo(bytes);
    INFO(back.error().message);
    REQUIRE(back);
    REQUIRE(*back == cdo);
    REQUIRE(imageKindOf(bytes) == ImageKind::Cdo);
  }
}

TEST_CASE("the words of a CDO", "[npu][image]") {
  Cdo cdo;
  cdo.commands = {cdoNop(0), cdoWrite(0x1C0000, 1), cdoMaskWrite(0x232000, 2, 2)};
  CHECK(writeCdo(cdo) ==
        toBytes({0x00000004, 0x004F4443, 0x00000200, 10, ~(4 + 0x4F4443u + 0x200 + 10), 0x00000111,
                 0x00030108, 0, 0x1C0000, 1, 0x00040107, 0, 0x232000, 2, 2}));
}

TEST_CASE("data of a block write lies on 16 bytes of the file", "[npu][image]") {
  SplitMix64 random(2);
  for (int i = 0; i < 200; ++i) {
    Cdo cdo;
    for (int n = 0; n < 6; ++n)
      appendAligned(cdo, below(random, 2) ? cdoWrite(4, 5)
                                          : cdoBlockWrite(8, WordVector(below(random, 400))));
    size_t at = 5;
    for (const auto& command : cdo.commands) {
      const size_t data = at + wordCount(command) - command.data.size();
      // At exactly 255 words the library miscounts its own head by one word.
      if (command.code == uint16_t(CdoCode::BlockWrite))
        CHECK(data % 4 == (command.data.size() + 2 == 255 ? 1 : 0));
      at += wordCount(command);
    }
  }
}

TEST_CASE("merged CDOs as bootgen makes them", "[npu][image]") {
  Cdo first, second;
  appendAligned(first, cdoNop(0));
  appendAligned(first, cdoBlockWrite(0x200404, {1, 2}));
  second.commands = {cdoBlockWrite(0x232000, {7}), cdoMaskWrite(0x1F000, 3, 1)};
  const Cdo parts[] = {first, second};
  const Cdo merged = mergeCdos(parts);
  REQUIRE(merged.commands.size() >= 4);
  const auto& write = merged.commands[merged.commands.size() - 2];
  CHECK(write.code == uint16_t(CdoCode::Write32));
  CHECK(write.at(CdoField::Value) == 7);
  CHECK(merged.commands.back().code == uint16_t(CdoCode::MaskWrite32));
  size_t at = 5;
  for (const auto& command : merged.commands) {
    at += wordCount(command);
    if (command.code == uint16_t(CdoCode::BlockWrite))
      CHECK((at - command.data.size()) % 4 == (command.at(CdoField::AddressLow) >> 2) % 4);
  }
}

TEST_CASE("the firmware knows writes alone", "[npu][image]") {
  CHECK(firmwareKnows(uint16_t(CdoCode::Write)));
  CHECK_FALSE(firmwareKnows(uint16_t(CdoCode::MaskPoll)));
  CHECK_FALSE(firmwareKnows(0x207));
}

TEST_CASE("what is wrong with a CDO is said with its place", "[npu][image]") {
  auto bytes = writeCdo({.commands = {cdoWrite(1, 2)}});
  bytes[16] ^= 1;
  CHECK_THAT(readCdo(bytes).error().message, Contains("checksum"));
  CHECK(readCdo(bytes).error().place == 16u);
  auto shorter = writeCdo({.commands = {cdoWrite(1, 2)}});
  shorter[22] = 2;  // the length of the write
  CHECK_THAT(readCdo(shorter).error().message, Contains("write has 2 words, not 3"));
  CHECK(readCdo(shorter).error().place == 20u);
}

// The overlays of AMD's drivers have it.
TEST_CASE("a compressed CDO in a PDI is refused by name", "[npu][image]") {
  Pdi pdi = makePdi({.commands = {cdoNop(0)}});
  pdi.partition[28] = 1;
  const auto refusal = readPdi(writePdi(pdi)).error();
  CHECK_THAT(refusal.message, Contains("compressed"));
  CHECK(refusal.place == 0x140u);
}

TEST_CASE("a hostile CDO", "[npu][image]") {
  SplitMix64 random(3);
  Cdo cdo = randomCdo(random);
  cdo.commands.push_back(cdoBlockWrite(4, WordVector(20)));
  attack(writeCdo(cdo), rewriteCdo, 4, 3000);
}

TEST_CASE("a PDI is what was written", "[npu][image]") {
  SplitMix64 random(5);
  for (int i = 0; i < 300; ++i) {
    const Pdi pdi = randomPdi(random);
    const ByteVector bytes = writePdi(pdi);
    const auto back = readPdi(bytes);
    INFO(back.error().message);
    REQUIRE(back);
    REQUIRE(*back == pdi);
    REQUIRE(imageKindOf(bytes) == ImageKind::Pdi);
  }
}

TEST_CASE("the fixed words of a PDI", "[npu][image]") {
  const auto bytes = writePdi(makePdi({.commands = {cdoNop(0)}}));
  const auto word = [&](size_t at) {
    return Word(bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 | Word(bytes[at + 3]) << 24);
  };
  CHECK(bytes.size() == 0x150 + 32);
  CHECK(word(0x28) == 0x14CA8093);
  CHECK(word(0x38) == 0x50504449);
  CHECK(word(0x54) == 1);
  CHECK(std::string(bytes.begin() + 0xA0, bytes.begin() + 0xA9) == "aie_image");
  CHECK(word(0xB0) == 0x1C000000);
  CHECK(word(0xD0) == 8);  // words with padding
  CHECK(word(0xD4) == 6);  // words without
  CHECK(word(0xF0) == 0x54);
}

TEST_CASE("a hostile PDI", "[npu][image]") {
  SplitMix64 random(6);
  attack(writePdi(randomPdi(random)), rewritePdi, 7, 3000);
}
