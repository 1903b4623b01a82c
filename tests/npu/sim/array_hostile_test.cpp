// Configurations nobody would write: each ends in a fault, a hang or a result, never in a crash,
// and in the same one whatever the order of tiles.
#include "airlite/npu/device/Registers.hpp"
#include "array_testing.hpp"
#include "support/inputs.hpp"

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::sim;
using namespace airlite::npu::sim::tests;

namespace {

struct Chooser {
  SplitMix64 random;
  uint32_t below(uint32_t limit) { return uint32_t(random.next() % limit); }
};

/// A BD that decodes more often than random words would.
Words32 randomBd(Chooser& choose, TileKind kind) {
  BdBuilder builder(kind);
  builder.length(Words(1 + choose.below(40))).set(BdField::Base, 4 * int64_t(choose.below(0x700)));
  if (kind == TileKind::Mem) builder.set(BdField::Base, choose.below(0x80000));
  if (choose.below(2)) builder.acquire(choose.below(kind == TileKind::Mem ? 192 : 16), -1);
  if (choose.below(2)) builder.release(choose.below(kind == TileKind::Mem ? 192 : 16), 1);
  if (choose.below(3) == 0) builder.packet(choose.below(4), 0);
  if (choose.below(3) == 0) builder.next(choose.below(8));
  if (choose.below(3) == 0) builder.length(Words(16 * choose.below(3)));
  if (choose.below(3) == 0 && kind != TileKind::Shim) builder.set(BdField::EnableCompression, 1);
  if (choose.below(3) == 0) builder.set(BdField::OutOfOrderId, choose.below(8));
  const auto bd = builder.make();
  return bd ? encodeBd(*bd) : Words32(limitsOf(kind).bdWords, uint32_t(choose.random.next()));
}

void randomSwitch(Chooser& choose, Setup& setup, Tile tile, TileKind kind) {
  const unsigned slaves = portCount(kind, PortSide::Slave);
  const unsigned slave = choose.below(slaves);
  const unsigned master = choose.below(portCount(kind, PortSide::Master));
  const bool isPacket = choose.below(3) == 0;
  if (!isPacket && !canConnect(kind, *portAt(kind, PortSide::Slave, slave),
                               *portAt(kind, PortSide::Master, master)))
    return;
  setup.write(tile, slaveOffset(kind, slave), isPacket ? 0xC0000000 : 0x80000000);
  setup.write(tile, slotOffset(kind, slave, 0), 0x00000100 | choose.below(2));
  setup.write(tile, masterOffset(kind, master),
              isPacket ? 0xC0000008 | choose.below(2) | choose.below(2) << 7 : 0x80000000 | slave);
}

Setup randomSetup(uint64_t seed) {
  Chooser choose{SplitMix64(seed)};
  Setup setup;
  for (int i = 0; i < 120; ++i) {
    const Tile tile{uint8_t(choose.below(2)), uint8_t(choose.below(4))};
    const TileKind kind = kindOfRow(tile.row);
    const auto& limits = limitsOf(kind);
    const auto direction = choose.below(2) ? DmaDirection::S2mm : DmaDirection::Mm2s;
    const unsigned channel = choose.below(limits.channels);
    switch (choose.below(7)) {
      case 0:
      case 1: setup.block(tile, limits.bd.at(choose.below(8)), randomBd(choose, kind)); break;
      case 2:
        setup.start(tile, direction, channel,
                    {.bd = uint8_t(choose.below(8)), .issuesToken = choose.below(4) == 0});
        break;
      case 3: setup.lock(tile, choose.below(limits.locks), choose.below(3)); break;
      case 4: {  // compression, out-of-order receiving
        const uint32_t bits = choose.below(2) * 16 + (direction == DmaDirection::S2mm) * 8;
        const uint32_t shimBits = (direction == DmaDirection::S2mm) * 8;
        setup.write(tile, controlOffset(kind, direction, channel),
                    kind == TileKind::Shim ? shimBits : bits);
        break;
      }
      default: randomSwitch(choose, setup, tile, kind);
    }
  }
  for (const bool intoArray : {false, true})
    setup.shimDma({0, 0}, intoArray, choose.below(2));
  return setup;
}

struct Ending {
  std::string text;
  Words32 memory;
};
Ending endOf(const Setup& setup, bool reversed) {
  Array array(npu1(), {.reversesTileOrder = reversed, .cycleLimit = 3000});
  array.addBuffer(Bytes(0x4000));
  if (const auto fault = array.apply(setup.cdo)) return {fault->text, {}};
  const auto result = array.settle();
  const auto text = result.text();
  return {text, wordsAt(array.memory({1, 1}), 0, 0x8000)};
}

}  // namespace

constexpr unsigned kDesigns = airlite::testing::inputs(400);

TEST_CASE("random designs end the same in either order of tiles", "[npu][sim][array]") {
  unsigned ran = 0;
  for (uint64_t seed = 0; seed < kDesigns; ++seed) {
    const auto setup = randomSetup(seed);
    const auto one = endOf(setup, false), other = endOf(setup, true);
    if (one.text != other.text) FAIL("seed " << seed << "\n" << one.text << "\n" << other.text);
    ran += one.memory.empty() ? 0 : 1;
  }
  CHECK(ran > kDesigns / 2);
}

TEST_CASE("random register writes are taken or refused with a reason", "[npu][sim][array]") {
  Chooser choose{SplitMix64(99)};
  Array array(npu1());
  unsigned refused = 0;
  for (int i = 0; i < 20000; ++i) {
    const Tile tile{uint8_t(choose.below(5)), uint8_t(choose.below(7))};
    const auto rows = registerRows(kindOfRow(tile.row));
    const auto& row = rows[choose.below(uint32_t(rows.size()))];
    const uint32_t offset = row.offset + row.stride * choose.below(row.count);
    const auto fault = array.maskWrite(addressOf(tile, offset), choose.below(3) ? ~0u : 0xFF0Fu,
                                       uint32_t(choose.random.next()) >> choose.below(32));
    if (fault && fault->text.empty()) FAIL("refused without a reason");
    refused += fault ? 1 : 0;
    const auto value = array.read(addressOf(tile, offset));
    if (!value && value.error().message.empty()) FAIL("a read refused without a reason");
  }
  CHECK(refused > 1000);
  CHECK(refused < 19000);
  CHECK(array.settle().outcome != Outcome::OutOfCycles);
}
