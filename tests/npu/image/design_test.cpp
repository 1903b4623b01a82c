// What a compiler needs on top of the formats: the container of a design, tables of objects, and
// the map from bytes to source lines.
#include "airlite/npu/image/Container.hpp"
#include "airlite/npu/image/ElfTables.hpp"
#include "airlite/npu/image/LocationMap.hpp"
#include "airlite/npu/image/Pdi.hpp"
#include "airlite/npu/image/Text.hpp"
#include "airlite/npu/image/XclbinSections.hpp"
#include "npu/image/ImageTesting.hpp"

using airlite::Result;
using namespace airlite::npu;
using namespace airlite::npu::tests;
using airlite::SplitMix64;
using Catch::Matchers::Contains;

namespace {

Xclbin design(const char* device, unsigned buffers) {
  const ContainerSpec spec{.buffers = buffers};
  return makeXclbin(*Device::named(device), spec, writePdi(makePdi({.commands = {cdoNop(0)}})));
}

void append(ByteVector& out, std::initializer_list<uint32_t> words) {
  for (const uint8_t byte : tests::toBytes(WordVector(words)))
    out.push_back(byte);
}

/// An object with a table of three symbols and one of two relocations.
CoreElf object() {
  ByteVector body;
  append(body, {0, 0, 0, 0});                      // the symbol that is none
  append(body, {1, 0x10, 4, 0x0002'0012});         // global function f in section 2
  append(body, {3, 0x20, 8, 0x0000'0021});         // weak object g, undefined
  append(body, {0x40, 1u << 8 | 50, 0xFFFFFFFC});  // type 50 against f, -4
  append(body, {0x44, 2u << 8 | 1, 8});
  const char names[] = "\0f\0g";
  body.insert(body.end(), names, names + sizeof names);
  CoreElf elf = makeCoreElf({}, 0);
  elf.header.type = 1;
  elf.pieces = {{52, body}};
  elf.header.shoff = uint32_t(52 + body.size());
  elf.sections = {{.type = uint32_t(ElfSectionType::Symbols), .offset = 52, .size = 48, .link = 2},
                  {.type = uint32_t(ElfSectionType::Rela), .offset = 100, .size = 24},
                  {.type = uint32_t(ElfSectionType::Strings), .offset = 124, .size = 5}};
  elf.header.shnum = 3;
  return elf;
}

}  // namespace

TEST_CASE("the container of a design", "[npu][image]") {
  const Xclbin file = design("npu1", 3);
  const auto bytes = writeXclbin(file);
  const auto back = readXclbin(bytes);
  REQUIRE(back);
  CHECK(writeXclbin(*back) == bytes);
  const auto partition = readAiePartition(sectionOf(*back, SectionKind::AiePartition)->data);
  REQUIRE(partition);
  CHECK(partition->columnWidth == 4);
  CHECK(partition->startColumns == std::vector<uint16_t>{0});
  CHECK(partition->pdis[0].groups[0].kernelIds == std::vector<uint64_t>{0x901});
  CHECK(readPdi(partition->pdis[0].image));
  const auto wires = readConnectivity(sectionOf(*back, SectionKind::Connectivity)->data);
  REQUIRE(wires);
  CHECK(*wires == std::vector<ArgumentBank>{{1, 0, 1}, {3, 0, 0}, {4, 0, 0}, {5, 0, 0}});
  CHECK(readConnectivity(sectionOf(*back, SectionKind::GroupConnectivity)->data)->size() == 8);
  const auto text = *printImage(bytes);
  CHECK_THAT(text, Contains("section EMBEDDED_METADATA") && Contains("pdi {") && Contains("cdo "));
  CHECK(*assembleImage(text) == bytes);
}

TEST_CASE("where a part of a device may start", "[npu][image]") {
  const auto file = design("npu1_2col", 0);
  const auto partition = readAiePartition(sectionOf(file, SectionKind::AiePartition)->data);
  CHECK(partition->columnWidth == 2);
  CHECK(partition->startColumns == std::vector<uint16_t>{1, 2, 3});
}

TEST_CASE("the same design gives the same file, another one another uuid", "[npu][image]") {
  CHECK(writeXclbin(design("npu1", 2)) == writeXclbin(design("npu1", 2)));
  CHECK(design("npu1", 2).uuid != design("npu1", 3).uuid);
}

TEST_CASE("the arguments of a kernel lie where the host puts them", "[npu][image]") {
  const auto xml = kernelXml({.kernel = "A&B", .buffers = 2});
  CHECK_THAT(xml, Contains("name=\"A&amp;B\"") && Contains("dpu_kernel_id=\"0x901\""));
  CHECK_THAT(
      xml,
      Contains("name=\"ninstr\" addressQualifier=\"0\" id=\"2\" size=\"0x4\" offset=\"0x10\""));
  CHECK_THAT(xml,
             Contains("name=\"bo1\" addressQualifier=\"1\" id=\"4\" size=\"0x8\" offset=\"0x1c\""));
}

TEST_CASE("symbols and relocations of an object", "[npu][image]") {
  const auto elf = readCoreElf(writeCoreElf(object()));
  REQUIRE(elf);
  const auto symbols = symbolsOf(*elf, elf->sections[0]);
  REQUIRE(symbols);
  REQUIRE(symbols->size() == 3);
  CHECK((*symbols)[1] == ElfSymbol{"f", 0x10, 4, 2, ElfBinding::Global, 0, 2});
  CHECK((*symbols)[2] == ElfSymbol{"g", 0x20, 8, 1, ElfBinding::Weak, 0, undefinedSection});
  const auto relocations = relocationsOf(*elf, elf->sections[1]);
  REQUIRE(relocations);
  CHECK(*relocations == std::vector<ElfRelocation>{{0x40, 1, 50, -4}, {0x44, 2, 1, 8}});
  CHECK_THAT(symbolsOf(*elf, elf->sections[1]).error().message, Contains("not a table of symbols"));
}

TEST_CASE("hostile tables of objects", "[npu][image]") {
  attack(
      writeCoreElf(object()),
      [](ByteSpan bytes) -> Result<ByteVector> {
        const auto elf = readCoreElf(bytes);
        if (!elf) return elf.error();
        for (const auto& section : elf->sections) {
          (void)symbolsOf(*elf, section);
          (void)relocationsOf(*elf, section);
          (void)sectionName(*elf, section);
        }
        return writeCoreElf(*elf);
      },
      71, 3000);
}

TEST_CASE("a map of locations is what was written", "[npu][image]") {
  SplitMix64 random(72);
  for (int i = 0; i < 100; ++i) {
    LocationMap map;
    const auto source = [&] {
      return SourcePlace{below(random, 2) ? "a b.mlir" : "", below(random, 999), below(random, 99)};
    };
    for (uint32_t n = below(random, 5); n > 0; --n)
      map.config.push_back({{uint32_t(random.next())}, below(random, 20), source()});
    for (uint32_t n = below(random, 5); n > 0; --n)
      map.program.push_back({{1, 2}, below(random, 99), below(random, 999), source()});
    for (uint32_t n = below(random, 5); n > 0; --n)
      map.stream.push_back({below(random, 99), below(random, 999), source()});
    const auto back = readLocationMap(writeLocationMap(map));
    INFO(back.error().message);
    REQUIRE(back);
    REQUIRE(*back == map);
  }
}

TEST_CASE("places are found", "[npu][image]") {
  LocationMap map;
  map.config = {{{0x21D000}, 6, {"p.mlir", 3, 1}}, {{0x21D004}, 1, {"p.mlir", 9, 1}}};
  map.program = {{{0, 2}, 16, 48, {"p.mlir", 4, 5}}};
  map.stream = {{0, 2, {"p.mlir", 5, 5}}};
  CHECK(map.ofConfig({0x21D014})->line == 3);
  CHECK(map.ofConfig({0x21D004})->line == 9);
  CHECK(map.ofConfig({0x21D018}) == nullptr);
  CHECK(map.ofProgram({0, 2}, 47)->line == 4);
  CHECK(map.ofProgram({1, 2}, 47) == nullptr);
  CHECK(map.ofStream(1)->line == 5);
  CHECK(map.ofStream(2) == nullptr);
  CHECK_THAT(readLocationMap("locations {\n config here\n}").error().message, Contains("'here'"));
  CHECK(readLocationMap("locations {\n config here\n}").error().place == 2u);
}
