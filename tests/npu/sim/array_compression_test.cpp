// Compressed streams: what a block becomes, both ways, and what the simulator refuses to guess. The
// whole way with the hashes that a Phoenix gave is tests/npu/run/compression.mlir.
#include "array_testing.hpp"

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::sim;
using namespace airlite::npu::sim::tests;

namespace {

constexpr Tile low{1, 2}, high{1, 3}, mem{1, 1};
constexpr uint32_t received = 0x4000, bit = 1 << 4;

const Device& npu2() { return *Device::named("npu2"); }

/// Random bytes, each zero with the chance of `zeros` in 8.
Words32 sparseWords(uint64_t seed, size_t count, unsigned zeros) {
  SplitMix64 random(seed);
  Words32 words(count);
  for (auto& word : words)
    for (unsigned shift = 0; shift < 32; shift += 8)
      if (random.next() % 8 >= zeros) word |= uint32_t(1 + random.next() % 255) << shift;
  return words;
}

/// The compressed stream of blocks of `words`, made anew from what Compression.hpp says of it.
Words32 described(const Words32& data, size_t words = 8) {
  Words32 stream;
  for (size_t at = 0; at < data.size(); at += words) {
    std::vector<uint8_t> bytes(4 * words), kept;
    std::memcpy(bytes.data(), &data[at], bytes.size());
    Words32 mask(words / 8);
    for (size_t i = 0; i < bytes.size(); ++i)
      if (bytes[i] != 0) mask[i / 32] |= 1u << i % 32, kept.push_back(bytes[i]);
    while (kept.size() % (words / 2) != 0)
      kept.push_back(0);
    stream.insert(stream.end(), mask.begin(), mask.end());
    for (size_t i = 0; i < kept.size(); i += 4)
      stream.push_back(uint32_t(kept[i] | kept[i + 1] << 8 | kept[i + 2] << 16) |
                       uint32_t(kept[i + 3]) << 24);
  }
  return stream;
}

BdBuilder coreBd(int64_t length, int64_t base, bool compresses = false) {
  return BdBuilder(TileKind::Core)
      .length(Words(length))
      .base(Bytes(base))
      .set(BdField::EnableCompression, compresses);
}

void control(Setup& setup, Tile tile, DmaDirection direction, uint32_t value) {
  setup.write(tile, controlOffset(kindOfRow(tile.row), direction, 0), value);
}

/// `low` sends `data` by MM2S 0 to S2MM 0 of `high`, which takes `length` words.
struct Way {
  bool packs = true, unpacks = true;
  int64_t length = 0;
  bool suppressesTlast = false;
};
Setup sent(const Words32& data, const Way& way) {
  Setup setup;
  setup.block(low, 0, data);
  setup.circuit(low, dma(0), north(0));
  setup.circuit(high, south(0), dma(0));
  control(setup, low, DmaDirection::Mm2s, way.packs ? bit : 0);
  control(setup, high, DmaDirection::S2mm, way.unpacks ? bit : 0);
  setup.bd(low, 0,
           coreBd(int64_t(data.size()), 0, true).set(BdField::TlastSuppress, way.suppressesTlast));
  setup.bd(high, 0, coreBd(way.length, received, true));
  setup.start(low, DmaDirection::Mm2s, 0, {.bd = 0});
  setup.start(high, DmaDirection::S2mm, 0, {.bd = 0});
  return setup;
}

std::string faultAfter(const Setup& setup, const Device& device = npu1()) {
  Array array(device);
  applied(array, setup);
  const auto result = array.settle();
  return result.fault ? result.fault->text : "none";
}

/// Words that a channel moved to or from memory, and that left by a port.
uint64_t wordsAcross(const Array& array, Tile tile, Port port) {
  for (const auto& one : array.portTraffic())
    if (one.tile == tile && one.port == port) return one.words;
  return 0;
}

}  // namespace

TEST_CASE("a block becomes its mask and the bytes that are not zero", "[npu][sim][compression]") {
  const Words32 block{0x00000005, 0x03000000, 0, 0, 0x07000000, 0, 0x00AB0000, 0xFF000000};
  const uint32_t mask = 1u << 0 | 1u << 7 | 1u << 19 | 1u << 26 | 1u << 31;
  Array array(npu1());
  applied(array, sent(block, {.unpacks = false, .length = 3}));
  finishes(array.settle());
  CHECK(wordsAt(array.memory(high), received, 3) == Words32{mask, 0xAB070305, 0xFF});
  // AIE2P: twice as long, the mask and the bytes behind it.
  Words32 twice = block;
  twice.insert(twice.end(), {0, 0, 0, 0, 0, 0, 0, 0x0900});
  Array other(npu2());
  applied(other, sent(twice, {.unpacks = false, .length = 4}));
  finishes(other.settle());
  CHECK(wordsAt(other.memory(high), received, 4) == Words32{mask, 1u << 29, 0xAB070305, 0x09FF});
}

TEST_CASE("data of any density crosses a compressed stream", "[npu][sim][compression]") {
  const unsigned zeros = GENERATE(0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u);
  const bool reversed = GENERATE(false, true);
  const bool isAie2p = GENERATE(false, true);
  for (const size_t count : {16u, 64u, 1008u}) {
    const Words32 data = sparseWords(zeros * 31 + count, count, zeros);
    Array array(isAie2p ? npu2() : npu1(), {.reversesTileOrder = reversed});
    applied(array, sent(data, {.length = int64_t(count)}));
    finishes(array.settle());
    CHECK(wordsAt(array.memory(high), received, count) == data);
    CHECK(wordsAcross(array, low, north(0)) == described(data, isAie2p ? 16 : 8).size());
    for (const auto& channel : array.channelTraffic())
      if (channel.words != 0) CHECK(channel.words == count);
  }
}

TEST_CASE("a receiver that does not decompress gets the words of the stream",
          "[npu][sim][compression]") {
  const Words32 data = sparseWords(9, 96, 5), stream = described(data);
  Array array(npu1());
  applied(array, sent(data, {.unpacks = false, .length = int64_t(stream.size())}));
  finishes(array.settle());
  CHECK(wordsAt(array.memory(high), received, stream.size()) == stream);
}

TEST_CASE("words made elsewhere are decompressed", "[npu][sim][compression]") {
  const Words32 data = sparseWords(10, 96, 3), stream = described(data);
  Array array(npu1());
  applied(array, sent(stream, {.packs = false, .length = 96}));
  finishes(array.settle());
  CHECK(wordsAt(array.memory(high), received, 96) == data);
}

TEST_CASE("BDs of a chain, packets and memory tiles compress", "[npu][sim][compression]") {
  // Two BDs of the memory tile, strided and padded, go as packets by way of (1,2); what arrives is
  // the padded stream. The last words of a BD's blocks end its packet.
  constexpr int64_t rows = 4;
  const Words32 data = sparseWords(11, 128, 6);
  const std::vector<AccessDim> dims{{rows, 16}, {6, 1}};
  const std::vector<AccessPad> pads{{0, 0}, {1, 1}};
  Setup setup;
  setup.block(mem, 0, data);
  for (const unsigned id : {0u, 1u}) {
    BdBuilder bd(TileKind::Mem);
    bd.length(Words(rows * 8)).base(Bytes(0x80000 + 256 * id)).access(dims, 4, pads).packet(3, 0);
    bd.set(BdField::EnableCompression, 1);
    if (id == 0) bd.next(1);
    setup.bd(mem, id, bd);
  }
  control(setup, mem, DmaDirection::Mm2s, bit);
  control(setup, low, DmaDirection::S2mm, bit);
  setup.packetSlave(mem, dma(0), 0, {.id = 3, .mask = 31, .msel = 0, .arbiter = 1});
  setup.packetMaster(mem, north(2), 1, 1, false);
  setup.packetSlave(low, south(2), 0, {.id = 3, .mask = 31, .msel = 0, .arbiter = 1});
  setup.packetMaster(low, dma(0), 1, 1, true);
  setup.bd(low, 0, coreBd(2 * rows * 8, received, true));
  setup.start(mem, DmaDirection::Mm2s, 0, {.bd = 0});
  setup.start(low, DmaDirection::S2mm, 0, {.bd = 0});
  Array array(npu1());
  applied(array, setup);
  finishes(array.settle());
  Words32 padded;
  for (size_t row = 0; row < 2 * rows; ++row) {
    padded.push_back(0);
    for (size_t i = 0; i < 6; ++i)
      padded.push_back(data[row * 16 + i]);
    padded.push_back(0);
  }
  CHECK(wordsAt(array.memory(low), received, padded.size()) == padded);
  CHECK(wordsAcross(array, mem, north(2)) == described(padded).size() + 2);
}

TEST_CASE("either bit alone compresses nothing", "[npu][sim][compression]") {
  const Words32 data = sparseWords(12, 64, 6);
  Array array(npu1());
  applied(array, sent(data, {.packs = false, .unpacks = false, .length = 64}));
  finishes(array.settle());
  CHECK(wordsAt(array.memory(high), received, 64) == data);
  CHECK(wordsAcross(array, low, north(0)) == 64);
  Setup plain = sent(data, {.length = 64});
  plain.bd(low, 0, coreBd(64, 0));
  plain.bd(high, 0, coreBd(64, received));
  Array other(npu1());
  applied(other, plain);
  finishes(other.settle());
  CHECK(wordsAcross(other, low, north(0)) == 64);
}

TEST_CASE("what nothing says of compression is a fault", "[npu][sim][compression]") {
  CHECK(faultAfter(sent(sparseWords(1, 12, 2), {.length = 16})) ==
        "MM2S 0: BD 0: Enable_Compression with 12 words: what becomes of the last 4, which are no "
        "block of 256 bits, is not known");
  // A plain sender whose TLAST comes behind a mask that wants more.
  CHECK(faultAfter(sent(Words32{0xFFF, 1, 0xFF}, {.packs = false, .length = 16})) ==
        "S2MM 0: BD 0: a stream ends within a compressed block: what becomes of it is not known");
  CHECK(faultAfter(sent(Words32(24, 1), {.length = 24}), npu2()) ==
        "MM2S 0: BD 0: Enable_Compression with 24 words: what becomes of the last 8, which are no "
        "block of 512 bits, is not known");
}

TEST_CASE("a receiver of compressed words says what it waits for", "[npu][sim][compression]") {
  const Words32 data = sparseWords(14, 64, 2);
  Array array(npu1());
  applied(array, sent(data, {.length = 72, .suppressesTlast = true}));
  const auto hung = array.settle();
  REQUIRE(hung.outcome == Outcome::Hung);
  INFO(hung.text());
  CHECK(hung.text().find("(1,3) S2MM 0 BD 0 waits for compressed words: 8 of its words are still "
                         "to come") != std::string::npos);
  CHECK(wordsAt(array.memory(high), received, 64) == data);
}
