// Every image as text and back to the same bytes; comparing images by what they do.
#include "airlite/npu/image/Text.hpp"

#include "airlite/npu/device/BufferDescriptor.hpp"
#include "airlite/npu/image/CoreElf.hpp"
#include "airlite/npu/image/Diff.hpp"
#include "airlite/npu/image/Pdi.hpp"
#include "airlite/npu/image/Txn.hpp"
#include "airlite/npu/image/XclbinSections.hpp"
#include "npu/image/ImageTesting.hpp"

using airlite::Result;
using namespace airlite::npu;
using namespace airlite::npu::tests;
using airlite::SplitMix64;
using Catch::Matchers::Contains;

namespace {

void checkText(const ByteVector& bytes, Generation generation = Generation::Aie2) {
  const auto text = printImage(bytes, generation);
  INFO(text.error().message);
  REQUIRE(text);
  const auto back = assembleImage(*text);
  INFO(*text);
  INFO(back.error().message << " in line " << back.error().place.value_or(0));
  REQUIRE(back);
  REQUIRE(*back == bytes);
}

/// An address where something is: registers and memories more often than nothing.
uint32_t randomAddress(SplitMix64& random) {
  const Tile tile{uint8_t(below(random, 5)), uint8_t(below(random, 7))};
  if (below(random, 4) == 0) return uint32_t(random.next());
  const auto rows = registerRows(kindOfRow(tile.row));
  const auto& row = rows[below(random, uint32_t(rows.size()))];
  return addressOf(tile, row.offset + row.stride * below(random, row.count)).value;
}

uint32_t randomWord(SplitMix64& random) {
  const auto word = uint32_t(random.next());
  return below(random, 3) == 0 ? 0 : below(random, 2) ? word : 1u << below(random, 32);
}

WordVector randomData(SplitMix64& random) {
  WordVector words(below(random, 20));
  for (auto& word : words)
    word = randomWord(random);
  return words;
}

Cdo randomCdo(SplitMix64& random) {
  Cdo cdo{.version = randomWord(random)};
  for (uint32_t n = below(random, 30); n > 0; --n) {
    const auto layouts = cdoLayouts();
    const uint32_t pick = below(random, uint32_t(layouts.size()) + 1);
    CdoCommand command{.code = uint16_t(0x300 + pick), .data = randomData(random)};
    if (pick < layouts.size()) {
      command.code = uint16_t(layouts[pick].code);
      for (const auto field : layouts[pick].fields)
        command.at(field) = randomWord(random);
      if (!layouts[pick].fields.empty()) command.at(CdoField::AddressLow) = randomAddress(random);
      if (!layouts[pick].hasData) command.data.clear();
    }
    command.hasLongLength = below(random, 9) == 0;
    cdo.commands.push_back(std::move(command));
  }
  return cdo;
}

Txn randomTxn(SplitMix64& random) {
  const bool isShort = below(random, 2);
  Txn txn{.major = uint8_t(isShort),
          .minor = uint8_t(!isShort),
          .generation = uint8_t(3 + below(random, 2))};
  const auto layouts = txnLayouts(txn.major, txn.minor);
  for (uint32_t n = below(random, 30); n > 0; --n) {
    const auto& layout = layouts[below(random, uint32_t(layouts.size()))];
    TxnOp op{.code = uint8_t(layout.code)};
    op.omitted = uint8_t(below(random, uint32_t(layout.fields.size()) - layout.leastWords + 1));
    for (size_t i = 0; i < layout.fields.size() - op.omitted; ++i)
      op.at(layout.fields[i]) =
          layout.fields[i] == TxnField::AddressLow ? randomAddress(random) : randomWord(random);
    op.at(TxnField::Tag) >>= 8;
    if (layout.isSized) op.at(TxnField::Size) = 0;
    if (layout.isSized && op.omitted == 0) op.data = randomData(random);
    txn.ops.push_back(std::move(op));
  }
  if (below(random, 3) == 0) {
    TxnOp custom{.code = uint8_t(0x90 + below(random, 9)), .data = randomData(random)};
    txn.ops.push_back(std::move(custom));
  }
  if (below(random, 5) == 0) txn.trailing = randomBytes(random, 5);
  return txn;
}

Xclbin wholeDesign(SplitMix64& random) {
  Xclbin file = emptyXclbin();
  addSection(
      file, SectionKind::MemTopology, "mem_topology",
      writeMemTopology({{2, 1, 0x10000, 0x4000000, "HOST"}, {2, 1, 0xC000, 0x4000000, "SRAM"}}));
  AiePartition partition{.columnWidth = 4, .startColumns = {0}};
  partition.pdis.push_back({.image = writePdi(makePdi(randomCdo(random))),
                            .groups = {{.kernelIds = {0x901}, .preGroups = {0xC1}}}});
  partition.pdis.push_back({.image = randomBytes(random, 40)});
  addSection(file, SectionKind::AiePartition, "aie_partition", writeAiePartition(partition));
  const std::string xml = "<?xml version=\"1.0\"?>\n  <a b=\"{c}\"/># \\\n";
  addSection(file, SectionKind::EmbeddedMetadata, "", ByteVector(xml.begin(), xml.end()));
  addSection(file, SectionKind::IpLayout, "",
             writeIpLayout({{7, 1, 0, 0, 0x901, ~0ull, "MLIR_AIE:MLIRAIE"}}));
  addSection(file, SectionKind::Connectivity, "", writeConnectivity({{1, 0, 1}, {3, 0, 0}}));
  addSection(file, SectionKind(99), "own", randomBytes(random, 70));
  file.pieces.push_back({0, {'x', '\n', 'y'}});
  layOut(file);
  return file;
}

std::string joined(const Result<std::vector<std::string>>& lines) {
  if (!lines) return "refused: " + lines.error().message;
  std::string out;
  for (const auto& line : *lines)
    out += line + "\n";
  return out;
}

std::string diffOf(const Cdo& before, const Cdo& after) {
  return joined(diffImages(writeCdo(before), writeCdo(after)));
}

}  // namespace

TEST_CASE("text of random configurations gives their bytes", "[npu][image][text]") {
  SplitMix64 random(61);
  for (int i = 0; i < 300; ++i) {
    const auto generation = i % 2 ? Generation::Aie2 : Generation::Aie2p;
    checkText(writeCdo(randomCdo(random)), generation);
    Pdi pdi = makePdi(randomCdo(random));
    pdi.table[7 + below(random, 20)] = randomWord(random);
    checkText(writePdi(pdi), generation);
  }
}

TEST_CASE("text of random streams gives their bytes", "[npu][image][text]") {
  SplitMix64 random(62);
  for (int i = 0; i < 500; ++i)
    checkText(writeTxn(randomTxn(random)));
}

TEST_CASE("text of containers gives their bytes", "[npu][image][text]") {
  SplitMix64 random(63);
  for (int i = 0; i < 50; ++i) {
    checkText(writeXclbin(wholeDesign(random)));
    const CoreChunk chunks[] = {{0, randomBytes(random, 200), 0},
                                {0x70400, randomBytes(random, 33), 5}};
    CoreElf elf = makeCoreElf(chunks, 16);
    elf.header.shoff = uint32_t(writeCoreElf(elf).size() + 3);
    elf.sections = {{.name = 1, .type = 8, .addr = 4}, {.type = 8, .size = ~0u}};
    elf.header.shnum = 2;
    checkText(writeCoreElf(elf));
  }
}

TEST_CASE("text of every golden vector gives its bytes", "[npu][image][text][vectors]") {
  for (const auto& vector : vectors()) {
    if (!vector.contains("words")) continue;
    const auto bytes = tests::toBytes(wordsOf(vector["words"]));
    INFO(vector["name"]);
    const std::string name = vector["name"];
    const bool isWhole = name.starts_with("txn") && !name.starts_with("txn_patch");
    if (isWhole || name.starts_with("legacy")) checkText(bytes);
  }
}

TEST_CASE("text says what is meant", "[npu][image][text]") {
  Cdo cdo;
  const auto bd = BdBuilder(TileKind::Core)
                      .length(Words(64))
                      .base(Bytes(1024))
                      .acquire(1, -1)
                      .release(0, 1)
                      .next(3)
                      .make();
  cdo.commands = {cdoWrite(0x21F000, 1),
                  cdoMaskWrite(0x232000, 2, 2),
                  cdoBlockWrite(0x21D060, encodeBd(*bd)),
                  cdoWrite(0x21DE14, 0x80010003),
                  cdoWrite(0x3F010, 0x8000000E),
                  cdoBlockWrite(0x200404, {0x170})};
  const auto text = *printImage(writeCdo(cdo));
  CHECK_THAT(text, Contains("write (0,2)+Lock0_value Lock_value=1\n"));
  CHECK_THAT(text, Contains("maskwrite (0,2)+Core_Control Reset=1\n"));
  CHECK_THAT(text,
             Contains("# BD 3: 64 words from byte 0x400; acquires lock 1 >= 1; releases lock 0 "
                      "by +1; then BD 3\n"));
  CHECK_THAT(text, Contains("DMA_BD3_0 Buffer_Length=64 Base_Address=0x100\n"));
  CHECK_THAT(text, Contains("# MM2S 0 starts BD 3, 2 times, token\n"));
  CHECK_THAT(text, Contains("# NORTH0 -> SOUTH2\n"));
  CHECK_THAT(text, Contains("blockwrite (0,2)+0x404 {\n    data 0x00000170\n"));
}

TEST_CASE("what is wrong with a text is said with its line", "[npu][image][text]") {
  const auto refusal = [](std::string_view text) { return assembleImage(text).error(); };
  CHECK_THAT(refusal("").message, Contains("no image"));
  CHECK_THAT(refusal("cat\n").message, Contains("no image is called cat"));
  CHECK_THAT(refusal("cdo {\n").message, Contains("line 1 is not closed"));
  CHECK(refusal("cdo {\n write (0,2)+Core_Control Enabel=1\n}\n").place == 2u);
  CHECK_THAT(refusal("cdo {\n write (0,2)+Core_Control Enabel=1\n}").message,
             Contains("has no Enabel"));
  CHECK_THAT(refusal("cdo {\n write (0,2)+Core_Control Enable=2\n}").message,
             Contains("it has 1 bits"));
  CHECK_THAT(refusal("cdo {\n write (0,2)+Nothing value=2\n}").message, Contains("no register"));
  CHECK_THAT(refusal("cdo {\n hop\n}").message, Contains("called hop"));
  CHECK_THAT(refusal("txn version=3.1").message, Contains("3.1"));
  CHECK_THAT(refusal("cdo version=\"").message, Contains("does not end"));
  CHECK_THAT(refusal("cdo {\n blockwrite (0,2)+DMA_BD0_0 {\n DMA_BD0_1\n}\n}").message,
             Contains("not DMA_BD0_1"));
}

TEST_CASE("hostile texts end in a reason", "[npu][image][text]") {
  SplitMix64 random(64);
  const ByteVector images[] = {writeXclbin(wholeDesign(random)), writeTxn(randomTxn(random)),
                               writeCoreElf(makeCoreElf({}, 0))};
  for (const auto& image : images) {
    const std::string good = *printImage(image);
    for (int i = 0; i < 1500; ++i) {
      std::string text = good;
      text[random.next() % text.size()] = char(below(random, 128));
      if (below(random, 3) == 0) text.resize(random.next() % text.size());
      const auto bytes = assembleImage(text);
      if (!bytes) CHECK(!bytes.error().message.empty());
    }
  }
}

TEST_CASE("a section without a place gets one", "[npu][image][text]") {
  const auto bytes =
      assembleImage("xclbin uuid=00000000000000000000000000000001 {\n"
                    "  section CONNECTIVITY {\n    connect argument=1 memory=1\n  }\n}\n");
  REQUIRE(bytes);
  const auto file = readXclbin(*bytes);
  REQUIRE(file);
  CHECK(file->sections[0].data.size() == 16);
  CHECK(file->length == bytes->size());
}

TEST_CASE("order and cutting of writes make no difference", "[npu][image][diff]") {
  Cdo before, after;
  before.commands = {cdoWrite(0x21F000, 1), cdoBlockWrite(0x200000, {1, 2, 3}),
                     cdoMaskWrite(0x1F000, 0xC00, 0x400)};
  after.commands = {cdoNop(3),
                    cdoMaskWrite(0x1F000, 0xC00, 0x400),
                    cdoWrite(0x200008, 3),
                    cdoBlockWrite(0x200000, {1, 2}),
                    cdoWrite(0x21F000, 0),
                    cdoWrite(0x21F000, 1)};
  CHECK(diffOf(before, after) == "");
  CHECK(joined(diffImages(writeCdo(before), writePdi(makePdi(after)))) == "");
}

TEST_CASE("what differs is said by name", "[npu][image][diff]") {
  Cdo before, after;
  before.commands = {cdoWrite(0x21D000, 0x00400040), cdoWrite(0x232000, 1),
                     cdoBlockWrite(0x200000, {1, 2, 3})};
  after.commands = {cdoWrite(0x21D000, 0x00400041), cdoBlockWrite(0x200000, {9, 9, 3}),
                    cdoWrite(0x21F000, 2)};
  CHECK(diffOf(before, after) == "(0,2)+0x0: 2 words differ, the first 0x1 -> 0x9\n"
                                 "(0,2)+DMA_BD0_0: Buffer_Length 64 -> 65\n"
                                 "(0,2)+Lock0_value: not written -> 0x2\n"
                                 "(0,2)+Core_Control: 0x1 -> not written\n");
}

TEST_CASE("tasks keep their order and see the BD of their time", "[npu][image][diff]") {
  Txn before = txnFor(*Device::named("npu1"));
  before.ops = {txnWrite(0x1D000, 8), txnWrite(0x1D204, 0), txnSync({}), txnWrite(0x1D000, 16),
                txnWrite(0x1D204, 0)};
  Txn after = before;
  CHECK(joined(diffImages(writeTxn(before), writeTxn(after))) == "");
  after.ops[0] = txnWrite(0x1D000, 9);
  const auto lines = joined(diffImages(writeTxn(before), writeTxn(after)));
  CHECK_THAT(lines, Contains("- task (0,0)+DMA_S2MM_0_Task_Queue") && Contains("BD 0: 9 words"));
  CHECK_THAT(lines, !Contains("16 words"));
  std::swap(after.ops[1], after.ops[2]);
  CHECK_THAT(joined(diffImages(writeTxn(before), writeTxn(after))),
             Contains("- sync") || Contains("+ sync"));
}

TEST_CASE("containers differ in what they say of themselves", "[npu][image][diff]") {
  SplitMix64 random(65);
  const Xclbin before = wholeDesign(random);
  Xclbin after = before;
  std::swap(after.sections[3], after.sections[4]);
  layOut(after);
  CHECK(joined(diffImages(writeXclbin(before), writeXclbin(after))) == "");
  after.sections[3].data = writeConnectivity({{1, 0, 1}, {3, 0, 1}});
  layOut(after);
  CHECK_THAT(joined(diffImages(writeXclbin(before), writeXclbin(after))),
             Contains("- xclbin / section CONNECTIVITY / connect argument=3 ip=0 memory=0") &&
                 Contains("+ xclbin / section CONNECTIVITY / connect argument=3 ip=0 memory=1"));
}

TEST_CASE("programs differ by their words, not by their places in the file", "[npu][image][diff]") {
  const CoreChunk one[] = {{0, {1, 2, 3, 4}, 0}, {0x70000, {5, 0, 0, 0}, 0}};
  const CoreChunk other[] = {{0x70000, {5}, 3}, {0, {1, 2, 3, 7}, 0}};
  CHECK(joined(diffImages(writeCoreElf(makeCoreElf(one, 0)),
                          writeCoreElf(makeCoreElf(other, 0)))) == "0x0: 0x4030201 -> 0x7030201\n");
  CHECK_THAT(joined(diffImages(writeCoreElf(makeCoreElf(one, 0)), writeCdo({}))),
             Contains("nothing to compare"));
}
