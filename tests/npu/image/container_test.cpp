#include "airlite/npu/image/CoreElf.hpp"
#include "airlite/npu/image/XclbinSections.hpp"
#include "npu/image/ImageTesting.hpp"

using airlite::Result;
using namespace airlite::npu;
using namespace airlite::npu::tests;
using airlite::SplitMix64;
using Catch::Matchers::Contains;

namespace {

CoreElf randomElf(SplitMix64& random) {
  std::vector<CoreChunk> chunks;
  for (uint32_t n = below(random, 4); n > 0; --n)
    chunks.push_back({below(random, 2) ? 0x70000 + 4 * below(random, 100) : 16 * below(random, 64),
                      randomBytes(random, 90), below(random, 9)});
  CoreElf elf = makeCoreElf(chunks, below(random, 4096));
  if (below(random, 2)) return elf;
  elf.header.shoff = uint32_t(writeCoreElf(elf).size()) + below(random, 20);
  elf.header.shnum = uint16_t(1 + below(random, 4));
  elf.sections.resize(elf.header.shnum);
  for (auto& section : elf.sections)
    section = {.name = Word(random.next()), .type = 8, .addr = Word(random.next())};
  return *readCoreElf(writeCoreElf(elf));
}

Uuid randomUuid(SplitMix64& random) {
  Uuid uuid;
  for (auto& byte : uuid)
    byte = uint8_t(random.next());
  return uuid;
}

std::string randomText(SplitMix64& random, size_t most) {
  std::string text(random.next() % (most + 1), ' ');
  for (auto& c : text)
    c = char('a' + below(random, 26));
  return text;
}

template <class T> std::vector<T> randomNumbers(SplitMix64& random) {
  std::vector<T> numbers(below(random, 5));
  for (auto& number : numbers)
    number = T(random.next());
  return numbers;
}

AiePartition randomPartition(SplitMix64& random) {
  AiePartition partition{.name = randomText(random, 12),
                         .operationsPerCycle = Word(random.next()),
                         .inferenceFingerprint = random.next(),
                         .prePostFingerprint = random.next(),
                         .columnWidth = uint16_t(random.next()),
                         .startColumns = randomNumbers<uint16_t>(random),
                         .commitId = randomText(random, 40)};
  if (below(random, 3) == 0) partition.commitId.reset();
  for (uint32_t n = below(random, 3); n > 0; --n) {
    PartitionPdi pdi{.uuid = randomUuid(random), .image = randomBytes(random, 60)};
    for (uint32_t g = below(random, 3); g > 0; --g)
      pdi.groups.push_back({.name = randomText(random, 5),
                            .type = uint8_t(random.next()),
                            .pdiId = random.next(),
                            .kernelIds = randomNumbers<uint64_t>(random),
                            .preGroups = randomNumbers<uint32_t>(random)});
    partition.pdis.push_back(std::move(pdi));
  }
  return partition;
}

Xclbin randomXclbin(SplitMix64& random) {
  Xclbin file = emptyXclbin();
  file.uniqueId = random.next();
  file.uuid = randomUuid(random);
  for (uint32_t n = below(random, 5); n > 0; --n)
    addSection(file, SectionKind(below(random, 40)), randomText(random, 20),
               randomBytes(random, 50));
  if (below(random, 2)) file.pieces.push_back({0, {'e', 'n', 'd'}});
  layOut(file);
  return file;
}

template <class T>
void checkList(const std::vector<T>& list, ByteVector (*write)(const std::vector<T>&),
               Result<std::vector<T>> (*read)(ByteSpan)) {
  const auto bytes = write(list);
  const auto back = read(bytes);
  REQUIRE(back);
  CHECK(*back == list);
  attack(bytes, rewriting(read, write), 21, 500);
}

}  // namespace

TEST_CASE("a core ELF is what was written", "[npu][image]") {
  SplitMix64 random(31);
  for (int i = 0; i < 500; ++i) {
    const CoreElf elf = randomElf(random);
    const auto bytes = writeCoreElf(elf);
    const auto back = readCoreElf(bytes);
    INFO(back.error().message);
    REQUIRE(back);
    REQUIRE(*back == elf);
    REQUIRE(imageKindOf(bytes) == ImageKind::CoreElf);
  }
}

TEST_CASE("what loading a core ELF writes", "[npu][image]") {
  const CoreChunk chunks[] = {
      {0x7FFFC, {1, 0, 0, 0}, 0}, {0x10, {1, 2, 3, 4, 5}, 4}, {0x60008, {}, 6}};
  const auto loads = loadsOf(makeCoreElf(chunks, 0), {1, 3});
  REQUIRE(loads);
  CHECK(*loads == std::vector<CoreLoad>{{{1, 3}, 0xFFFC, {1}},
                                        {{1, 3}, 0x20010, {0x04030201, 5, 0}},
                                        {{1, 4}, 0x8, {0, 0}}});
}

TEST_CASE("a window that ends continues in the next", "[npu][image]") {
  const CoreChunk chunk[] = {{0x5FFFC, {1, 0, 0, 0, 2, 0, 0, 0}, 0}};
  const auto loads = loadsOf(makeCoreElf(chunk, 0), {1, 3});
  REQUIRE(loads);
  CHECK(*loads == std::vector<CoreLoad>{{{0, 3}, 0xFFFC, {1}}, {{1, 4}, 0, {2}}});
}

TEST_CASE("a core ELF that cannot be loaded", "[npu][image]") {
  const auto why = [](CoreChunk chunk, Tile tile) {
    return loadsOf(makeCoreElf({&chunk, 1}, 0), tile).error().message;
  };
  CHECK_THAT(why({0x3FF0, ByteVector(32), 0}, {0, 2}), Contains("program memory has 16384 bytes"));
  CHECK_THAT(why({0x40000, ByteVector(4), 0}, {0, 2}), Contains("0x40000"));  // a memory tile below
  CHECK_THAT(why({0x50000, ByteVector(4), 0}, {0, 2}), Contains("0x50000"));  // no column there
  CHECK_THAT(why({0x7FFFC, ByteVector(8), 0}, {0, 2}), Contains("0x80000"));
  CHECK_THAT(why({0x70000, {}, 1u << 21}, {0, 2}), Contains("2097152 bytes together"));
}

TEST_CASE("ELF files for others are refused", "[npu][image]") {
  auto bytes = writeCoreElf(makeCoreElf({}, 0));
  bytes[18] = 62;
  CHECK_THAT(readCoreElf(bytes).error().message, Contains("machine 318"));
  bytes = writeCoreElf(makeCoreElf({}, 0));
  bytes[4] = 2;
  CHECK_THAT(readCoreElf(bytes).error().message, Contains("32 bit"));
}

TEST_CASE("a hostile core ELF", "[npu][image]") {
  SplitMix64 random(32);
  for (int i = 0; i < 4; ++i) {
    const auto rewrite = rewriting(readCoreElf, writeCoreElf);
    attack(writeCoreElf(randomElf(random)), rewrite, 33 + i, 3000);
  }
  // Loading must not crash either.
  const CoreChunk chunk[] = {{0x70000, ByteVector(40), 4}};
  const auto load = [](ByteSpan bytes) -> Result<ByteVector> {
    const auto elf = readCoreElf(bytes);
    if (elf) (void)loadsOf(*elf, {0, 2});
    return ByteVector(bytes.begin(), bytes.end());
  };
  attack(writeCoreElf(makeCoreElf(chunk, 0)), load, 40, 3000);
}

TEST_CASE("an xclbin is what was written", "[npu][image]") {
  SplitMix64 random(41);
  for (int i = 0; i < 300; ++i) {
    const Xclbin file = randomXclbin(random);
    const auto bytes = writeXclbin(file);
    const auto back = readXclbin(bytes);
    INFO(back.error().message);
    REQUIRE(back);
    REQUIRE(writeXclbin(*back) == bytes);
    REQUIRE(back->sections == file.sections);
    REQUIRE(*readXclbin(writeXclbin(*back)) == *back);
    REQUIRE(imageKindOf(bytes) == ImageKind::Xclbin);
  }
}

TEST_CASE("an xclbin keeps what other tools leave between sections", "[npu][image]") {
  Xclbin file = emptyXclbin();
  addSection(file, SectionKind::IpLayout, "", {1, 2, 3});
  addSection(file, SectionKind::Connectivity, "a_name_that_is_too_long", {4});
  layOut(file);
  file.sections[1].offset += 32;
  file.pieces.push_back({file.sections[0].offset + 10, {9, 9}});
  file.length += 32;
  const auto bytes = writeXclbin(file);
  const auto back = readXclbin(bytes);
  REQUIRE(back);
  CHECK(writeXclbin(*back) == bytes);
  CHECK(std::string(back->sections[1].name.data()) == "a_name_that_is_");
  CHECK(sectionOf(*back, SectionKind::IpLayout)->data == ByteVector{1, 2, 3});
}

TEST_CASE("a hostile xclbin", "[npu][image]") {
  SplitMix64 random(42);
  Xclbin file = randomXclbin(random);
  addSection(file, SectionKind::IpLayout, "", ByteVector(9));
  layOut(file);
  attack(writeXclbin(file), rewriting(readXclbin, writeXclbin), 43, 4000);
}

TEST_CASE("sections that are lists", "[npu][image]") {
  checkList<MemoryBank>({{2, 1, 0x10000, 0x4000000, "HOST"}, {2, 1, 0xC000, 0x4000000, "SRAM"}},
                        writeMemTopology, readMemTopology);
  checkList<IpEntry>({{7, 1, 0, 0, 0x901, ~0ull, "MLIR_AIE:MLIRAIE"}}, writeIpLayout, readIpLayout);
  checkList<ArgumentBank>({{1, 0, 1}, {3, 0, 0}}, writeConnectivity, readConnectivity);
  CHECK(writeIpLayout({{7, 1, 0, 0, 0x901, ~0ull, "A"}})[12] == 0x01);
  CHECK(writeIpLayout({{7, 1, 0, 0, 0x901, ~0ull, "A"}})[15] == 0x09);
  CHECK(writeIpLayout({{7, 1, 1, 0, 0x901, ~0ull, "A"}})[12] == 0x11);
}

TEST_CASE("an AIE partition is what was written", "[npu][image]") {
  SplitMix64 random(51);
  for (int i = 0; i < 300; ++i) {
    const AiePartition partition = randomPartition(random);
    const auto back = readAiePartition(writeAiePartition(partition));
    INFO(back.error().message);
    REQUIRE(back);
    REQUIRE(*back == partition);
  }
}

TEST_CASE("the fixed places of an AIE partition", "[npu][image]") {
  AiePartition partition{.columnWidth = 4, .startColumns = {0}};
  partition.pdis.push_back(
      {.image = ByteVector(16), .groups = {{.kernelIds = {0x901}, .preGroups = {0xC1}}}});
  const auto bytes = writeAiePartition(partition);
  CHECK(bytes[4] == 184);
  CHECK(bytes[128] == 192);
  CHECK(bytes[44] == 200);
  CHECK(bytes.size() == 208 + 16 + 3 * 8 + 96 + 96);
  CHECK(bytes[32] == 4);
}

TEST_CASE("a hostile AIE partition ends in a reason", "[npu][image]") {
  SplitMix64 random(52);
  AiePartition partition = randomPartition(random);
  partition.pdis.push_back(
      {.image = ByteVector(16), .groups = {{.kernelIds = {1}, .preGroups = {2}}}});
  // Offsets may be moved to places that read the same, so writing back is not compared.
  attack(
      writeAiePartition(partition),
      [](ByteSpan bytes) -> Result<ByteVector> {
        const auto read = readAiePartition(bytes);
        if (!read) return read.error();
        return ByteVector(bytes.begin(), bytes.end());
      },
      53, 4000);
}
