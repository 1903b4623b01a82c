// Compressed streams: what a block becomes, both ways, and what the simulator refuses to guess. The
// whole way with the hashes that a Phoenix gave is tests/npu/run/compression.mlir.
#include "array_testing.hpp"

#include <bit>
#include <cmath>

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

/// Words that a channel moved to or from memory, and that left by a port.
uint64_t wordsAcross(const Array& array, Tile tile, Port port) {
  for (const auto& one : array.portTraffic())
    if (one.tile == tile && one.port == port) return one.words;
  return 0;
}

/// SHA-256 of whole words, as published results are told.
class Sha256 {
 public:
  static std::string of(const Words32& words) {
    Sha256 hash;
    std::vector<uint8_t> bytes(4 * words.size());
    std::memcpy(bytes.data(), words.data(), bytes.size());
    const uint64_t bits = 8 * bytes.size();
    bytes.push_back(0x80);
    while (bytes.size() % 64 != 56)
      bytes.push_back(0);
    for (int shift = 56; shift >= 0; shift -= 8)
      bytes.push_back(uint8_t(bits >> shift));
    for (size_t at = 0; at < bytes.size(); at += 64)
      hash.take(&bytes[at]);
    std::string text;
    for (const uint32_t word : hash.state_)
      for (int shift = 28; shift >= 0; shift -= 4)
        text += "0123456789abcdef"[word >> shift & 15];
    return text;
  }

 private:
  /// Its constants are the first bits after the point of roots of primes.
  Sha256() {
    for (unsigned number = 2, count = 0; count < 64; ++number) {
      bool isPrime = true;
      for (unsigned by = 2; by * by <= number; ++by)
        isPrime = isPrime && number % by != 0;
      if (!isPrime) continue;
      if (count < 8) state_[count] = fraction(std::sqrt(double(number)));
      rounds_[count++] = fraction(std::cbrt(double(number)));
    }
  }
  static uint32_t fraction(double value) {
    return uint32_t(std::ldexp(value - std::floor(value), 32));
  }
  void take(const uint8_t* block) {
    std::array<uint32_t, 64> w;
    for (unsigned i = 0; i < 16; ++i)
      w[i] = uint32_t(block[4 * i]) << 24 | uint32_t(block[4 * i + 1]) << 16 |
             uint32_t(block[4 * i + 2]) << 8 | block[4 * i + 3];
    for (unsigned i = 16; i < 64; ++i)
      w[i] = w[i - 16] + w[i - 7] +
             (std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3) +
             (std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10);
    auto [a, b, c, d, e, f, g, h] = state_;
    for (unsigned i = 0; i < 64; ++i) {
      const uint32_t one = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                           ((e & f) ^ (~e & g)) + rounds_[i] + w[i];
      const uint32_t two =
          (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + two;
    }
    const std::array<uint32_t, 8> next{a, b, c, d, e, f, g, h};
    for (unsigned i = 0; i < 8; ++i)
      state_[i] += next[i];
  }
  std::array<uint32_t, 8> state_{};
  std::array<uint32_t, 64> rounds_{};
};

Words32 counted(uint32_t from, uint32_t to) {
  Words32 words;
  for (uint32_t i = from; i < to; ++i)
    words.push_back(i);
  return words;
}

}  // namespace

TEST_CASE("a block becomes its mask and the bytes that are not zero", "[npu][sim][compression]") {
  const Words32 block{0x00000005, 0x03000000, 0, 0, 0x07000000, 0, 0x00AB0000, 0xFF000000};
  const uint32_t mask = 1u << 0 | 1u << 7 | 1u << 19 | 1u << 26 | 1u << 31;
  Array array(npu1());
  applied(array, sent(block, {.unpacks = false, .length = 3}));
  finishes(array.settle());
  CHECK(wordsAt(array.memory(high), received, 3) == Words32{mask, 0xAB070305, 0xFF});
  // AIE2P: twice as long, the mask and the bytes after it.
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
  CHECK(
      faultAfter(sent(sparseWords(1, 12, 2), {.length = 16})) ==
      "MM2S 0: BD 0: Enable_Compression with 12 words: what becomes of the last 4, which are not a "
      "block of 256 bits, is not known");
  // A plain sender whose TLAST follows a mask that wants more.
  CHECK(faultAfter(sent(Words32{0xFFF, 1, 0xFF}, {.packs = false, .length = 16})) ==
        "S2MM 0: BD 0: a stream ends within a compressed block: what becomes of it is not known");
  CHECK(
      faultAfter(sent(Words32(24, 1), {.length = 24}), npu2()) ==
      "MM2S 0: BD 0: Enable_Compression with 24 words: what becomes of the last 8, which are not a "
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

// What mlir-aie's dma_compression publishes of a Phoenix and of AIE2P devices, made here of its
// parts: 1024 words go plain, the rest of 0, 1, 2, ... is packed, or unpacked as if it were.
// tests/npu/run/compression.mlir has the whole of it for npu1.
TEST_CASE("streams are those of devices", "[npu][sim][compression]") {
  struct Published {
    const Device& device;
    std::string packed, unpacked;
  };
  const bool isAie2p = GENERATE(false, true);
  const Published published =
      isAie2p
          ? Published{npu2(), "f947e931d2e3c530be240f4e622d1c3757b2e1d5e23a05be5d21768332420bc5",
                      "1215bcd067bc6097eecdb81fb8ebf45211cb1e9ea00c95674eea4e8d476a7152"}
          : Published{npu1(), "f30dcae2d175d710e81d8410be5cc980bf06e364de359b6bc6f87194012ebc7d",
                      "865270a4c87149f42933e7f5aa037891e392812b4338829b3419f320660ea089"};
  const auto hashOf = [&](const Words32& data, const Way& way) {
    Array array(published.device);
    applied(array, sent(data, way));
    array.settle();  // words that nobody takes stay in the stream
    Words32 all = counted(0, 1024);
    const auto taken = wordsAt(array.memory(high), received, size_t(way.length));
    all.insert(all.end(), taken.begin(), taken.end());
    return Sha256::of(all);
  };
  CHECK(hashOf(counted(1024, 4096), {.unpacks = false, .length = 1920}) == published.packed);
  CHECK(hashOf(counted(1024, 2944), {.packs = false, .length = 3072}) == published.unpacked);
}
