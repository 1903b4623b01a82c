// The device table: kinds of tiles, who reaches whose memory, ports and connections.
#include "airlite/device/AieSwitches.hpp"
#include "support/catch_all.hpp"

using namespace airlite::aie;

TEST_CASE("devices are found by name and by number") {
  for (const Device& device : devices()) {
    CHECK(findDevice(device.name) == &device);
    CHECK(findDevice(device.number) == &device);
  }
  CHECK(findDevice("npu3") == nullptr);
  CHECK(findDevice(0u) == nullptr);
  CHECK(defaultDevice().name == "xcvc1902");
}

TEST_CASE("rows of an NPU are shim, memory and cores") {
  const Device& npu = *findDevice("npu2_4col");
  CHECK(npu.columns == 4);
  CHECK(npu.rows == 6);
  CHECK(npu.kindOf({3, 0}) == TileKind::ShimNoc);
  CHECK(npu.kindOf({3, 1}) == TileKind::Mem);
  CHECK(npu.kindOf({3, 2}) == TileKind::Core);
  CHECK_FALSE(npu.contains({4, 0}));
  CHECK_FALSE(npu.contains({0, 6}));
  CHECK_FALSE(npu.contains({-1, 0}));
}

TEST_CASE("not every column of a Versal device has a shim with a DMA") {
  const Device& versal = *findDevice("xcve2802");
  CHECK(versal.kindOf({2, 0}) == TileKind::ShimNoc);
  CHECK(versal.kindOf({4, 0}) == TileKind::ShimPl);
  CHECK(versal.kindOf({4, 2}) == TileKind::Mem);
  CHECK(versal.kindOf({4, 3}) == TileKind::Core);
}

TEST_CASE("a core reaches the memory around it") {
  const Device& npu = *findDevice("npu1");
  CHECK(npu.reachesMemory({1, 3}, {1, 3}));
  CHECK(npu.reachesMemory({1, 3}, {1, 4}));
  CHECK(npu.reachesMemory({1, 3}, {1, 2}));
  CHECK(npu.reachesMemory({1, 3}, {0, 3}));
  CHECK_FALSE(npu.reachesMemory({1, 3}, {2, 3}));
  CHECK_FALSE(npu.reachesMemory({1, 2}, {1, 1}));  // a memory tile is not a core's neighbour
  CHECK(npu.reachesMemory({1, 1}, {2, 1}));
  CHECK_FALSE(npu.reachesMemory({1, 1}, {3, 1}));
}

TEST_CASE("rows of the first generation alternate") {
  const Device& first = *findDevice("xcvc1902");
  CHECK(first.reachesMemory({1, 2}, {2, 2}));
  CHECK_FALSE(first.reachesMemory({1, 2}, {0, 2}));
  CHECK(first.reachesMemory({1, 3}, {0, 3}));
  CHECK_FALSE(first.reachesMemory({1, 3}, {2, 3}));
}

// Ports of all switches: docs/hardware/formats.md section 4.1.
TEST_CASE("stream switches have as many ports as the hardware") {
  auto total = [](const PortCounts& counts) {
    unsigned sum = 0;
    for (uint8_t count : counts)
      sum += count;
    return sum;
  };
  const Device& npu = *findDevice("npu1");
  CHECK(total(npu.limits(TileKind::Core).masters) == 23);
  CHECK(total(npu.limits(TileKind::Core).slaves) == 25);
  CHECK(total(npu.limits(TileKind::Mem).masters) == 17);
  CHECK(total(npu.limits(TileKind::Mem).slaves) == 18);
  CHECK(total(npu.limits(TileKind::ShimNoc).masters) == 22);
  CHECK(total(npu.limits(TileKind::ShimNoc).slaves) == 23);
}

/// Legal circuit connections between all ports of a switch.
static unsigned countConnections(const Device& device, TileKind kind) {
  const TileLimits& limits = device.limits(kind);
  unsigned found = 0;
  for (size_t from = 0; from < kNumBundles; ++from)
    for (size_t to = 0; to < kNumBundles; ++to)
      for (uint32_t s = 0; s < limits.slaves[from]; ++s)
        for (uint32_t m = 0; m < limits.masters[to]; ++m)
          found += isLegalConnection(device, kind, {static_cast<Bundle>(from), s},
                                     {static_cast<Bundle>(to), m});
  return found;
}

// Counted from docs/hardware/formats.md section 4.2: 1095 on the three kinds together.
TEST_CASE("legal connections are those of the driver") {
  const Device& npu = *findDevice("npu1");
  CHECK(countConnections(npu, TileKind::Core) == 471);
  CHECK(countConnections(npu, TileKind::Mem) == 176);
  CHECK(countConnections(npu, TileKind::ShimNoc) == 448);
}
