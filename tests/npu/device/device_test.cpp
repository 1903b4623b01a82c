#include "airlite/npu/device/Device.hpp"

#include "airlite/npu/device/StreamSwitch.hpp"
#include "airlite/npu/device/StreamWords.hpp"
#include "support/catch_all.hpp"

using namespace airlite::npu;
using Catch::Matchers::Contains;

TEST_CASE("devices by name", "[npu][device]") {
  REQUIRE(Device::named("npu1"));
  CHECK(Device::named("npu1")->columns == 4);
  CHECK(Device::named("npu1_4col") == Device::named("npu1"));
  CHECK(Device::named("npu1_1col")->columns == 1);
  CHECK(Device::named("npu2")->columns == 8);
  CHECK(Device::named("npu1_5col") == nullptr);
  const Range starts = Device::named("npu1_2col")->startColumns();
  CHECK((starts.begin == 1 && starts.end == 4));
}

TEST_CASE("tiles of a partition", "[npu][device]") {
  const Device& device = *Device::named("npu1_2col");
  CHECK(device.kindOf({0, 0}) == TileKind::Shim);
  CHECK(device.kindOf({1, 1}) == TileKind::Mem);
  CHECK(device.kindOf({1, 5}) == TileKind::Core);
  CHECK_FALSE(device.kindOf({2, 0}));
  CHECK_FALSE(device.kindOf({0, 6}));
}

TEST_CASE("who shares memory with whom", "[npu][device]") {
  const Device& device = *Device::named("npu1");
  CHECK_FALSE(device.memoryNeighbour({1, 2}, Neighbour::South));  // a memory tile
  CHECK(device.memoryNeighbour({1, 3}, Neighbour::South) == Tile{1, 2});
  CHECK(device.memoryNeighbour({1, 3}, Neighbour::West) == Tile{0, 3});
  CHECK_FALSE(device.memoryNeighbour({0, 3}, Neighbour::West));
  CHECK_FALSE(device.memoryNeighbour({1, 3}, Neighbour::East));
  CHECK_FALSE(device.memoryNeighbour({1, 5}, Neighbour::North));
  CHECK(device.memoryNeighbour({1, 1}, Neighbour::East) == Tile{2, 1});
  CHECK_FALSE(device.memoryNeighbour({3, 1}, Neighbour::East));
  CHECK_FALSE(device.memoryNeighbour({1, 1}, Neighbour::North));
  CHECK_FALSE(device.memoryNeighbour({1, 0}, Neighbour::Own));
}

TEST_CASE("windows of cores and memory tiles", "[npu][device]") {
  CHECK(coreMemoryAt(0x70404)->neighbour == Neighbour::Own);
  CHECK(coreMemoryAt(0x70404)->offset == 0x404);
  CHECK(coreMemoryAt(0x5FFFF)->neighbour == Neighbour::West);
  CHECK_FALSE(coreMemoryAt(0x3FFFF));
  CHECK_FALSE(coreMemoryAt(0x80000));
  CHECK(coreLockBase(Neighbour::Own) == 48u);
  CHECK(memDmaWindow(Neighbour::Own) == Bytes(0x80000));
  CHECK(memDmaLockBase(Neighbour::East) == 128u);
  CHECK(bdsOfChannel(TileKind::Mem, 3).begin == 24);
  CHECK(physicalBank(TileKind::Core, 0x4010) == 3);
  CHECK(physicalBank(TileKind::Core, 0x4010, Generation::Aie2p) == 2);
  CHECK(physicalBank(TileKind::Core, 0x4020, Generation::Aie2p) == 3);
  CHECK(physicalBank(TileKind::Mem, 0x110) == 1);
}

TEST_CASE("ports count both ways", "[npu][device]") {
  for (const auto kind : {TileKind::Core, TileKind::Mem, TileKind::Shim})
    for (const auto side : {PortSide::Master, PortSide::Slave}) {
      for (unsigned i = 0; i < portCount(kind, side); ++i)
        CHECK(portIndex(kind, side, *portAt(kind, side, i)) == i);
      CHECK_FALSE(portAt(kind, side, portCount(kind, side)));
    }
  CHECK(portIndex(TileKind::Core, PortSide::Slave, {Bundle::East, 0}) == 19u);
  CHECK(name(Port{Bundle::South, 3}) == "SOUTH3");
  CHECK(bundleNamed("DMA") == Bundle::Dma);
}

TEST_CASE("legal connections: as many as the driver accepts", "[npu][device]") {
  unsigned count = 0;
  for (const auto kind : {TileKind::Core, TileKind::Mem, TileKind::Shim})
    for (unsigned s = 0; s < portCount(kind, PortSide::Slave); ++s)
      for (unsigned m = 0; m < portCount(kind, PortSide::Master); ++m)
        count +=
            canConnect(kind, *portAt(kind, PortSide::Slave, s), *portAt(kind, PortSide::Master, m));
  CHECK(count == 1095);
  CHECK(canConnect(TileKind::Mem, {Bundle::Trace, 0}, {Bundle::Dma, 5}));
  CHECK_FALSE(canConnect(TileKind::Mem, {Bundle::Trace, 0}, {Bundle::Dma, 4}));
  CHECK_FALSE(canConnect(TileKind::Core, {Bundle::South, 4}, {Bundle::South, 4}));
}

TEST_CASE("wires between tiles lead to a slave that exists", "[npu][device]") {
  for (const auto kind : {TileKind::Core, TileKind::Mem, TileKind::Shim})
    for (unsigned m = 0; m < portCount(kind, PortSide::Master); ++m) {
      const auto wire = wireOf(kind, *portAt(kind, PortSide::Master, m));
      if (!wire || wire->columns != 0) continue;
      const auto other = kind == TileKind::Mem && wire->rows < 0 ? TileKind::Shim
                         : kind == TileKind::Shim                ? TileKind::Mem
                                                                 : TileKind::Core;
      CHECK(portIndex(other, PortSide::Slave, wire->slave));
    }
  CHECK_FALSE(wireOf(TileKind::Shim, {Bundle::South, 2}));
}

TEST_CASE("switch words", "[npu][device]") {
  CHECK(*encode(MasterConfig{.slave = 0x0E}) == 0x8000000E);
  CHECK(*encode(MasterConfig{.isPacket = true, .dropsHeader = true, .msels = 1}) == 0xC0000088);
  CHECK(*encode(SlotConfig{.id = 15, .mask = 31, .msel = 3, .arbiter = 5}) == 0x0F1F0135);
  CHECK(*encode(MasterConfig{.isPacket = true, .arbiter = 5, .msels = 8}) == 0xC0000045);
  CHECK_THAT(encode(SlotConfig{.id = 32}).error().message, Contains("packet id is 32"));
  CHECK_THAT(decodeSlave(1).error().message, Contains("0x00000001"));
  for (uint32_t word : {0x8000000Eu, 0xC0000088u, 0x00000000u, 0xC0000045u})
    CHECK(*encode(*decodeMaster(word)) == word);
  CHECK(*encode(*decodeSlot(0x0F1F0135)) == 0x0F1F0135);
  CHECK(shimMuxFor(true, 1)->lsb == 14);
  CHECK(shimMuxFor(false, 0)->port == Port{Bundle::South, 2});
  CHECK(shimMuxFor(false, 2) == nullptr);
}

TEST_CASE("queue entries", "[npu][device]") {
  CHECK(*encode(TileKind::Shim, QueueEntry{10, 3, true}) == 0x8002000A);
  CHECK(*decodeQueueEntry(TileKind::Shim, 0x8002000A) == QueueEntry{10, 3, true});
  CHECK_THAT(encode(TileKind::Core, QueueEntry{16, 1}).error().message,
             Contains("Start_BD_ID is 16"));
  CHECK_THAT(encode(TileKind::Core, QueueEntry{0, 257}).error().message, Contains("257"));
  CHECK_FALSE(decodeQueueEntry(TileKind::Core, 0x10));
  CHECK_FALSE(decodeQueueEntry(TileKind::Mem, 48));
}

TEST_CASE("packet and control headers", "[npu][device]") {
  CHECK(*encode(PacketHeader{}) == 0x80000000);
  CHECK(*encode(PacketHeader{1, 1, {1, 1}}) == 0x80211001);
  CHECK(*decodePacketHeader(0x80211001) == PacketHeader{1, 1, {1, 1}});
  CHECK(*encode(PacketHeader{1, 0, {}, 63}) == 0x000007E1);
  CHECK(*decodePacketHeader(0x000007E1) == PacketHeader{1, 0, {}, 63});
  CHECK_FALSE(encode(PacketHeader{1, 0, {}, 64}));
  CHECK(*encode(ControlHeader{1, 1, ControlOperation::Read, 1}) == 0x01400001);
  CHECK(*decodeControlHeader(0x01400001) == ControlHeader{1, 1, ControlOperation::Read, 1});
  CHECK(withOddParity(0x30000000) == 0xB0000000);
  CHECK_FALSE(decodePacketHeader(0));
  CHECK_FALSE(encode(ControlHeader{.words = 5}));
}
