// Control packets, and BDs that the end of a packet ends.
#include "array_testing.hpp"

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::sim;
using namespace airlite::npu::sim::tests;

namespace {

constexpr Tile low{1, 2}, high{1, 3};
constexpr uint32_t received = 0x4000;

BdBuilder controlBd(int64_t length, int64_t base) {
  return BdBuilder(TileKind::Core).length(Words(length)).base(Bytes(base));
}

uint32_t request(uint32_t offset, unsigned words,
                 ControlOperation operation = ControlOperation::Write) {
  return *encode(ControlHeader{offset, uint8_t(words), operation, 0});
}

/// `low` sends `data` as one packet to the control port of `high`.
Setup controlling(const Words32& data, bool dropsHeader) {
  Setup setup;
  setup.block(low, 0, data);
  setup.bd(low, 0, controlBd(int64_t(data.size()), 0).packet(3, 0));
  setup.packetSlave(low, dma(0), 0, {.id = 3, .mask = 31, .msel = 0, .arbiter = 1});
  setup.packetMaster(low, north(2), 1, 1, false);
  setup.packetSlave(high, south(2), 0, {.id = 3, .mask = 31, .msel = 0, .arbiter = 2});
  setup.packetMaster(high, {Bundle::Ctrl, 0}, 2, 1, dropsHeader);
  setup.start(low, DmaDirection::Mm2s, 0, {.bd = 0});
  return setup;
}

}  // namespace

TEST_CASE("a control packet writes registers one after the other", "[npu][sim][array]") {
  for (const bool drops : {true, false})
    for (const bool reversed : {false, true}) {
      // Four words of memory, two more by another request of the same packet.
      const Words32 data{request(0x400, 4),
                         11,
                         12,
                         13,
                         14,
                         request(0x500, 2, ControlOperation::WriteIncrement),
                         21,
                         22};
      Array array(npu1(), {.reversesTileOrder = reversed});
      applied(array, controlling(data, drops));
      finishes(array.settle());
      CHECK(wordsAt(array.memory(high), 0x400, 4) == Words32{11, 12, 13, 14});
      CHECK(wordsAt(array.memory(high), 0x500, 2) == Words32{21, 22});
    }
}

TEST_CASE("a control packet starts a DMA of the tile", "[npu][sim][array]") {
  // `high` copies its own memory by a loop through its switch; only the start comes by packet.
  const QueueEntry entry{.bd = 0};
  const uint32_t queue = startQueueOffset(TileKind::Core, DmaDirection::Mm2s, 0);
  Setup setup = controlling({request(queue, 1), *encode(TileKind::Core, entry)}, true);
  setup.block(high, 0, randomWords(3, 32));
  setup.circuit(high, dma(0), dma(0));
  setup.bd(high, 0, controlBd(32, 0));
  setup.bd(high, 1, controlBd(32, received));
  setup.start(high, DmaDirection::S2mm, 0, {.bd = 1});
  Array array(npu1());
  applied(array, setup);
  finishes(array.settle());
  CHECK(wordsAt(array.memory(high), received, 32) == randomWords(3, 32));
}

TEST_CASE("control packets that the model does not know are faults", "[npu][sim][array]") {
  CHECK(faultAfter(controlling({request(0x400, 1, ControlOperation::Read)}, true)) ==
        "a control packet that reads 0x400: not modelled");
  CHECK(faultAfter(controlling({request(0x400, 1, ControlOperation::BlockWrite), 1}, true)) ==
        "a control packet that writes a block at 0x400: not modelled");
  CHECK(faultAfter(controlling({request(0x400, 4), 1, 2}, true)) ==
        "a control packet ends 2 words before its data");
  CHECK(faultAfter(controlling({request(0x400, 1)}, false)) ==
        "a control packet ends before its data");
  CHECK(faultAfter(controlling({request(0x400, 1) ^ 1, 1}, true)) ==
        "a control packet with even parity");
  CHECK(faultAfter(controlling({request(0xFFFFC, 1), 1}, true)).find("0xffffc") !=
        std::string::npos);
}

TEST_CASE("the end of a packet ends its BD", "[npu][sim][array]") {
  constexpr uint32_t finish = 1 << 16;
  const auto sent = [](std::vector<int64_t> lengths, uint32_t mode) {
    Setup setup;
    setup.block(low, 0, randomWords(5, 64));
    setup.circuit(low, dma(0), north(0));
    setup.circuit(high, south(0), dma(0));
    setup.write(high, controlOffset(TileKind::Core, DmaDirection::S2mm, 0), mode);
    int64_t at = 0;
    for (size_t i = 0; i < lengths.size(); ++i) {
      setup.bd(low, unsigned(i), controlBd(lengths[i], 4 * at));
      setup.bd(high, unsigned(i), controlBd(16, received + int64_t(i) * 0x100));
      setup.start(low, DmaDirection::Mm2s, 0, {.bd = uint8_t(i)});
      setup.start(high, DmaDirection::S2mm, 0, {.bd = uint8_t(i)});
      at += lengths[i];
    }
    return setup;
  };
  Array array(npu1());
  applied(array, sent({5, 16, 1}, finish));
  finishes(array.settle());
  const Words32 data = randomWords(5, 64);
  const auto part = [&](size_t from, size_t count) {
    return Words32(data.begin() + long(from), data.begin() + long(from + count));
  };
  CHECK(wordsAt(array.memory(high), received, 5) == part(0, 5));
  CHECK(wordsAt(array.memory(high), received + 0x100, 16) == part(5, 16));
  CHECK(wordsAt(array.memory(high), received + 0x200, 1) == part(21, 1));
  CHECK(wordsAt(array.memory(high), received + 4 * 5, 1) == Words32{0});  // nobody came there

  // Without the mode the first BD waits for more words, and takes those of the second packet.
  Array plain(npu1());
  applied(plain, sent({5, 11}, 0));
  plain.settle();
  CHECK(wordsAt(plain.memory(high), received, 16) == part(0, 16));

  CHECK(faultAfter(sent({17}, finish)).find("Error_FoT_Length_Exceeded") != std::string::npos);
  Array counting(npu1());
  const auto fault = counting.apply(sent({5}, 2 << 16).cdo);
  REQUIRE(bool(fault));
  CHECK(fault->text.find("FoT_Mode 2") != std::string::npos);
}
