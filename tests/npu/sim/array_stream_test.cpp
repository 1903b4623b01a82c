// DDR -> shim -> memory tile -> shim -> DDR, driven by a runtime stream, from the bytes of files.
#include "airlite/npu/image/Container.hpp"
#include "airlite/npu/image/Pdi.hpp"
#include "array_testing.hpp"

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::sim;
using namespace airlite::npu::sim::tests;

namespace {

constexpr Tile shim{0, 0}, mem{0, 1};
constexpr int64_t chunk = 256, chunks = 4;
constexpr unsigned filled = 1, free = 0;

/// The memory tile has one buffer and a pair of locks.
Setup passthrough() {
  Setup setup;
  setup.lock(mem, free, 1);
  setup.bd(mem, 0,
           BdBuilder(TileKind::Mem)
               .length(Words(chunk))
               .base(Bytes(0x80000))
               .acquire(64 + free, -1)
               .release(64 + filled, 1)
               .next(0)
               .set(BdField::Valid, 1));
  setup.bd(mem, 1,
           BdBuilder(TileKind::Mem)
               .length(Words(chunk))
               .base(Bytes(0x80000))
               .acquire(64 + filled, -1)
               .release(64 + free, 1)
               .next(1)
               .set(BdField::Valid, 1));
  routeThroughMemory(setup, shim, mem);
  return setup;
}

void transfer(Txn& txn, DmaDirection direction, unsigned bd, unsigned argument, uint64_t plus,
              int64_t words) {
  const auto made = BdBuilder(TileKind::Shim)
                        .length(Words(words))
                        .set(BdField::Burst, 2)
                        .set(BdField::AxCache, 2)
                        .set(BdField::Valid, 1)
                        .make();
  const uint32_t at = addressOf(shim, limitsOf(TileKind::Shim).bd.at(bd)).value;
  txn.ops.push_back(txnBlockWrite(at, encodeBd(*made)));
  txn.ops.push_back(txnPatch(at + 4, argument, plus));
  const QueueEntry entry{.bd = uint8_t(bd), .issuesToken = direction == DmaDirection::S2mm};
  txn.ops.push_back(txnWrite(addressOf(shim, startQueueOffset(TileKind::Shim, direction, 0)).value,
                             *encode(TileKind::Shim, entry)));
}

Txn throughMemory(int64_t words) {
  Txn txn = txnFor(npu1());
  transfer(txn, DmaDirection::S2mm, 0, 1, 0, words);
  transfer(txn, DmaDirection::Mm2s, 1, 0, 64, words);
  txn.ops.push_back(txnSync({.tile = shim}));
  return txn;
}

struct Run {
  RunResult result;
  Words32 out;
};
Run runWith(ByteSpan image, const Words32& data, const Txn& txn, ArrayOptions options) {
  Array array(npu1(), options);
  const auto fault = array.load(image);
  INFO((fault ? fault->text : std::string()));
  REQUIRE_FALSE(fault);
  const unsigned in = array.addBuffer(Bytes(64 + 4 * int64_t(data.size())));
  const unsigned out = array.addBuffer(Bytes(4 * int64_t(data.size())));
  std::memcpy(array.buffer(in).data() + 64, data.data(), 4 * data.size());
  // By bytes, as the driver gets it.
  const auto read = readTxn(writeTxn(txn));
  REQUIRE(bool(read));
  auto result = array.run(*read);
  return {result, wordsAt(array.buffer(out), 0, data.size())};
}

ArrayOptions quick(bool reversed = false) { return {quickFirmware(), reversed, 1'000'000}; }

}  // namespace

TEST_CASE("DDR through a memory tile and back", "[npu][sim][array]") {
  const auto data = randomWords(3, chunk * chunks);
  const auto cdo = writeCdo(passthrough().cdo);
  const auto run = runWith(cdo, data, throughMemory(chunk * chunks), quick());
  finishes(run.result);
  CHECK(run.out == data);
  // One buffer: each chunk is received, then sent.
  CHECK(run.result.cycles > 2 * chunk * chunks);
  CHECK(run.result.cycles < 2 * chunk * chunks + 2000);

  const auto other = runWith(cdo, data, throughMemory(chunk * chunks), quick(true));
  CHECK(other.out == run.out);
  CHECK(other.result.cycles == run.result.cycles);
}

TEST_CASE("the same design as PDI and xclbin, with the firmware's times", "[npu][sim][array]") {
  const auto data = randomWords(4, chunk);
  const auto pdi = writePdi(makePdi(passthrough().cdo));
  const auto file = writeXclbin(makeXclbin(npu1(), {.buffers = 2}, pdi));
  const auto fromPdi = runWith(pdi, data, throughMemory(chunk), {});
  const auto fromFile = runWith(file, data, throughMemory(chunk), {});
  finishes(fromPdi.result);
  CHECK(fromPdi.out == data);
  CHECK(fromFile.out == data);
  CHECK(fromFile.result.cycles == fromPdi.result.cycles);
  // Two pushes of about 2800 cycles are most of it.
  CHECK(fromPdi.result.cycles > 5500);
  CHECK(fromPdi.result.cycles < 9000);
}

TEST_CASE("a stream that waits for what nobody sends hangs with its reasons", "[npu][sim][array]") {
  const auto data = randomWords(5, chunk);
  const auto cdo = writeCdo(passthrough().cdo);
  Txn txn = txnFor(npu1());
  transfer(txn, DmaDirection::S2mm, 0, 1, 0, chunk);
  txn.ops.push_back(txnSync({.tile = shim}));
  const auto run = runWith(cdo, data, txn, quick());
  CHECK(run.result.outcome == Outcome::Hung);
  CHECK(run.result.waits.back().text == "the stream waits for a token of (0,0) S2MM 0");
  const auto text = run.result.text();
  CHECK(text.find("(0,0) S2MM 0 BD 0 waits for 256 more words from its stream") !=
        std::string::npos);
  CHECK(text.find("(0,1) MM2S 0 BD 1 waits for lock 1 of (0,1): it holds 0, needs at least 1") !=
        std::string::npos);
}

TEST_CASE("patches and streams that do not fit are faults", "[npu][sim][array]") {
  const auto data = randomWords(6, chunk);
  const auto cdo = writeCdo(passthrough().cdo);
  const auto faultOf = [&](const Txn& txn) {
    const auto run = runWith(cdo, data, txn, quick());
    return run.result.fault ? run.result.fault->text : std::string("none");
  };
  Txn noBuffer = txnFor(npu1());
  noBuffer.ops.push_back(txnPatch(addressOf(shim, 0x1D004).value, 2, 0));
  CHECK(faultOf(noBuffer) == "a patch names argument 2, there are 2 buffers");
  Txn outside = throughMemory(chunk + 1);
  CHECK(faultOf(outside) == "MM2S 0: BD 1 leaves its memory");
  CHECK(faultOf(txnFor(*Device::named("npu2"))) ==
        "the stream is for generation 4 with 8 columns, the array is npu1");
  Txn unknown = txnFor(npu1());
  unknown.ops.push_back({.code = uint8_t(TxnCode::LoadPdi)});
  CHECK(faultOf(unknown) == "operation 0x8 of the stream is not modelled");
}

TEST_CASE("shim tasks repeat with iteration, each with its token", "[npu][sim][array]") {
  // Two tokens of two tasks; the second reads the buffer in four runs that step backwards in size.
  const auto data = randomWords(8, chunk * chunks);
  Txn txn = txnFor(npu1());
  transfer(txn, DmaDirection::S2mm, 0, 1, 0, chunk * 2);
  transfer(txn, DmaDirection::S2mm, 2, 1, 4 * chunk * 2, chunk * 2);
  const auto bd = BdBuilder(TileKind::Shim)
                      .length(Words(chunk))
                      .iterate(Words(chunk), chunks)
                      .set(BdField::Valid, 1)
                      .make();
  const uint32_t at = addressOf(shim, limitsOf(TileKind::Shim).bd.at(1)).value;
  txn.ops.push_back(txnBlockWrite(at, encodeBd(*bd)));
  txn.ops.push_back(txnPatch(at + 4, 0, 64));
  txn.ops.push_back(
      txnWrite(addressOf(shim, startQueueOffset(TileKind::Shim, DmaDirection::Mm2s, 0)).value,
               *encode(TileKind::Shim, QueueEntry{.bd = 1, .repeat = chunks})));
  txn.ops.push_back(txnSync({.tile = shim}));
  txn.ops.push_back(txnSync({.tile = shim}));
  const auto run = runWith(writeCdo(passthrough().cdo), data, txn, quick());
  finishes(run.result);
  CHECK(run.out == data);
}

TEST_CASE("a shim's channel that is paused continues when it is let", "[npu][sim][array]") {
  const auto direction = GENERATE(DmaDirection::S2mm, DmaDirection::Mm2s);
  const uint32_t bit = GENERATE(2u, 4u);
  const uint32_t control = controlOffset(TileKind::Shim, direction, 0);
  Array array(npu1());
  array.addBuffer(Bytes(4 * chunk));
  array.addBuffer(Bytes(4 * chunk));
  const Words32 data = randomWords(17, chunk);
  std::memcpy(array.buffer(0).data(), data.data(), 4 * chunk);
  Setup setup = passthrough();
  setup.write(shim, control, bit);
  for (const unsigned argument : {0u, 1u})
    setup.bd(shim, argument,
             BdBuilder(TileKind::Shim)
                 .length(Words(chunk))
                 .base(Bytes(int64_t(array.bufferAddress(argument)))));
  setup.start(shim, DmaDirection::Mm2s, 0, {.bd = 0});
  setup.start(shim, DmaDirection::S2mm, 0, {.bd = 1});
  applied(array, setup);
  const auto held = array.settle();
  REQUIRE(held.outcome == Outcome::Hung);
  INFO(held.text());
  CHECK(held.text().find(std::string("is paused by its control register (") +
                         (bit == 2 ? "Pause_Mem)" : "Pause_Stream)")) != std::string::npos);
  CHECK(wordsAt(array.buffer(1), 0, chunk) == Words32(chunk));
  REQUIRE_FALSE(array.write(addressOf(shim, control), 0));
  array.settle();  // the memory tile waits for more
  CHECK(wordsAt(array.buffer(1), 0, chunk) == data);
}
