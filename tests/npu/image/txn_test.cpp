#include "airlite/npu/image/Txn.hpp"

#include "npu/image/ImageTesting.hpp"

using namespace airlite::npu;
using namespace airlite::npu::tests;
using airlite::SplitMix64;
using Catch::Matchers::Contains;

namespace {

TxnOp randomOp(SplitMix64& random, const Txn& txn) {
  const auto layouts = txnLayouts(txn.major, txn.minor);
  const auto& layout = layouts[below(random, uint32_t(layouts.size()))];
  TxnOp op{.code = uint8_t(layout.code)};
  const auto spare = uint32_t(layout.fields.size() - layout.leastWords);
  op.omitted = uint8_t(below(random, spare + 1));
  for (size_t i = 0; i < layout.fields.size() - op.omitted; ++i)
    op.at(layout.fields[i]) = Word(random.next());
  op.at(TxnField::Tag) >>= 8;
  if (layout.isSized) op.at(TxnField::Size) = 0;
  if (layout.isSized && op.omitted == 0) op.data = randomWords(random, 10);
  return op;
}

Txn randomTxn(SplitMix64& random) {
  const bool isShort = below(random, 2);
  Txn txn{.major = uint8_t(isShort), .minor = uint8_t(!isShort)};
  txn.generation = uint8_t(random.next());
  txn.columns = uint8_t(random.next());
  txn.reserved = uint16_t(random.next());
  for (uint32_t n = below(random, 15); n > 0; --n)
    txn.ops.push_back(randomOp(random, txn));
  if (below(random, 4) == 0) txn.trailing = randomBytes(random, 7);
  return txn;
}

LegacyStream randomLegacy(SplitMix64& random) {
  LegacyStream stream;
  stream.prolog[0] = 0x11;
  stream.prolog[1] = 0x01000405;
  for (uint32_t n = below(random, 9); n > 0; --n) {
    LegacyOp op{.code = std::array<uint8_t, 3>{2, 3, 6}[below(random, 3)],
                .tag = Word(random.next()) & 0xFFFFFF};
    op.data.resize(*legacyDataWords(op.code));
    for (auto& word : op.data)
      word = Word(random.next());
    stream.ops.push_back(std::move(op));
  }
  return stream;
}

}  // namespace

TEST_CASE("a TXN is what was written", "[npu][image]") {
  SplitMix64 random(11);
  for (int i = 0; i < 1000; ++i) {
    const Txn txn = randomTxn(random);
    const ByteVector bytes = writeTxn(txn);
    const auto back = readTxn(bytes);
    INFO(back.error().message);
    REQUIRE(back);
    REQUIRE(*back == txn);
    REQUIRE(imageKindOf(bytes) == ImageKind::Txn);
  }
}

TEST_CASE("operations step by their size", "[npu][image]") {
  // A driver's mask write of 32 bytes, a patch of 44, and a custom operation nobody knows.
  const WordVector words = {0x06030100, 0x00000104, 3, 104,  0x00020003, 0,    0x40, 0, 1,
                            2,          32,         0, 0x81, 44,         0,    0,    0, 0,
                            0x1D004,    0,          1, 0,    8,          0x8A, 12,   99};
  const auto bytes = toBytes(words);
  REQUIRE(words.size() * 4 == 104);
  const auto txn = readTxn(bytes);
  INFO(txn.error().message);
  REQUIRE(txn);
  CHECK(txn->ops[0].data == WordVector{0});
  CHECK(txn->ops[0].at(TxnField::Tag) == 0x200);
  CHECK(txn->ops[1].omitted == 1);
  CHECK(txn->ops[1].at(TxnField::PlusLow) == 8);
  CHECK(txn->ops[2].data == WordVector{99});
  CHECK(writeTxn(*txn) == bytes);
}

TEST_CASE("syncs by their parts", "[npu][image]") {
  const SyncOn on{{3, 4}, DmaDirection::Mm2s, 5, 1, 2};
  CHECK(syncOf(txnSync(on)) == on);
  CHECK(txnSync(on).at(TxnField::Extent) == 0x05010200);
  TxnOp odd = txnSync(on);
  odd.at(TxnField::Extent) |= 1;
  CHECK_FALSE(syncOf(odd));
}

TEST_CASE("what is wrong with a TXN is said with its place", "[npu][image]") {
  const auto refusal = [](WordVector words) { return readTxn(toBytes(words)).error(); };
  CHECK_THAT(refusal({0x06030200, 0x104, 0, 16}).message, Contains("version 0.2"));
  CHECK_THAT(refusal({0x06030100, 0x104, 0, 32}).message,
             Contains("says 32 bytes, the file has 16"));
  CHECK_THAT(refusal({0x06030100, 0x104, 1, 20, 0x0D}).message,
             Contains("operation 0xd of a TXN 0.1"));
  CHECK(refusal({0x06030100, 0x104, 1, 20, 0x0D}).place == 16u);
  CHECK_THAT(refusal({0x06030100, 0x104, 1, 32, 1, 0, 0, 12}).message, Contains("12 bytes"));
  CHECK_THAT(refusal({0x06030100, 0x104, 0, 20, 5}).message, Contains("0 operations end here"));
  CHECK_THAT(refusal({0x06030100, 0x104, 2, 20, 5}).message, Contains("ends before its last"));
}

TEST_CASE("a hostile TXN", "[npu][image]") {
  SplitMix64 random(12);
  for (int i = 0; i < 4; ++i) {
    Txn txn = randomTxn(random);
    txn.ops.push_back(txnBlockWrite(0x1D000, WordVector(8)));
    attack(writeTxn(txn), rewriting(readTxn, writeTxn), 13 + i, 2000);
  }
}

TEST_CASE("a legacy stream is what was written", "[npu][image]") {
  SplitMix64 random(14);
  for (int i = 0; i < 200; ++i) {
    const LegacyStream stream = randomLegacy(random);
    const auto bytes = writeLegacyStream(stream);
    const auto back = readLegacyStream(bytes);
    REQUIRE(back);
    REQUIRE(*back == stream);
    REQUIRE(imageKindOf(bytes) == ImageKind::LegacyStream);
  }
  attack(writeLegacyStream(randomLegacy(random)), rewriting(readLegacyStream, writeLegacyStream),
         15, 1000);
}
