#include "airlite/npu/route/Place.hpp"

#include "RouteTesting.hpp"

using namespace airlite::npu;
using namespace airlite::npu::testing;
using Catch::Matchers::Contains;

namespace {

OpenEnd fixed(End end) { return {std::nullopt, end.tile, end.port}; }
OpenEnd open(size_t tile, unsigned channel) { return {tile, {}, {Bundle::Dma, uint8_t(channel)}}; }
OpenTile mem(const char* name) { return {name, TileKind::Mem, Bytes(1 << 10)}; }
OpenTile shim(const char* name) { return {name, TileKind::Shim, Bytes(0)}; }

}  // namespace

TEST_CASE("open tiles come near their users", "[npu][route]") {
  const auto placed = placeOpenTiles(npu1(), {shim("in"), mem("buffer")},
                                     {{"load", open(0, 0), {open(1, 0)}},
                                      {"use", open(1, 0), {fixed(dma(2, 3)), fixed(dma(2, 4))}}});
  REQUIRE(placed);
  CHECK(placed->tiles == std::vector<Tile>{{2, 0}, {2, 1}});
  CHECK(placed->distance == 0);
  CHECK(placed->flows[1] == Flow{"use", dma(2, 1), {dma(2, 3), dma(2, 4)}});
  routed(npu1(), placed->flows);
}

TEST_CASE("channels that are taken move an open tile, and are not given twice", "[npu][route]") {
  const std::vector<OpenTile> tiles = {shim("a"), shim("b"), shim("c")};
  std::vector<OpenFlow> flows = {{"fixed", fixed(dma(1, 0, 0)), {fixed(dma(1, 2, 0))}}};
  for (size_t i = 0; i < 3; ++i)
    flows.push_back({"open", open(i, 0), {fixed(dma(1, 2 + i, 1))}});
  const auto placed = placeOpenTiles(npu1(), tiles, flows);
  REQUIRE(placed);
  CHECK(placed->distance == 2);  // one finds place in column 1, the others beside it
  CHECK(placed->channels.front() == ChannelChoice{0, DmaDirection::Mm2s, 0, 1});
  routed(npu1(), placed->flows);
}

TEST_CASE("open memory tiles share one where its banks of descriptors have room", "[npu][route]") {
  std::vector<OpenTile> tiles = {mem("a"), mem("b"), mem("c")};
  std::vector<OpenFlow> flows;
  for (size_t i = 0; i < tiles.size(); ++i)
    flows.push_back({"open", open(i, 0), {fixed(dma(1, 2 + unsigned(i), 0))}});
  const auto together = placeOpenTiles(npu1(), tiles, flows);
  REQUIRE(together);
  CHECK(together->distance == 0);
  // Channels 0 and 2 would be in one bank of 24.
  for (OpenTile& tile : tiles)
    tile.descriptors[size_t(DmaDirection::Mm2s)][0] = 14;
  const auto apart = placeOpenTiles(npu1(), tiles, flows);
  REQUIRE(apart);
  CHECK(apart->distance == 1);
}

TEST_CASE("a matrix product with all memory tiles and shims open", "[npu][route]") {
  std::vector<OpenTile> tiles;
  std::vector<OpenFlow> flows;
  for (size_t i = 0; i < 4; ++i) {
    tiles.push_back(mem("mem"));
    OpenFlow row{"A", open(i, 0), {}}, column{"B", open(i, 1), {}};
    for (unsigned j = 0; j < 4; ++j) {
      row.destinations.push_back(fixed(dma(j, 2 + unsigned(i), 0)));
      column.destinations.push_back(fixed(dma(3 - unsigned(i), 2 + j, 1)));
      flows.push_back({"C", fixed(dma(3 - unsigned(i), 2 + j)), {open(i, 2 + j)}});
    }
    flows.push_back(row);
    flows.push_back(column);
  }
  for (size_t i = 0; i < 8; ++i) {
    tiles.push_back(shim("shim"));
    flows.push_back({"in", open(4 + i, 0), {open(i / 2, unsigned(i % 2))}});
  }
  const auto placed = placeOpenTiles(npu1(), tiles, flows);
  REQUIRE(placed);
  for (unsigned i = 0; i < 4; ++i)
    CHECK(placed->tiles[i] == Tile{uint8_t(3 - i), 1});
  routed(npu1(), placed->flows);
}

TEST_CASE("more open tiles than can be tried in full still get good places", "[npu][route]") {
  const Device& npu2 = *Device::named("npu2");
  std::vector<OpenTile> tiles;
  std::vector<OpenFlow> flows;
  for (size_t i = 0; i < 16; ++i) {  // each feeds two cores five columns apart
    tiles.push_back(mem("mem"));
    const unsigned column = unsigned(i) % 3, row = 2 + unsigned(i) / 6,
                   channel = unsigned(i) / 3 % 2;
    flows.push_back({"f",
                     open(i, 0),
                     {fixed(dma(column, row, channel)), fixed(dma(column + 5, row, channel))}});
  }
  const auto placed = placeOpenTiles(npu2, tiles, flows);
  REQUIRE(placed);
  CHECK(placed->distance == 16 * 5);
  CHECK(placeOpenTiles(npu2, tiles, flows)->flows == placed->flows);
  routed(npu2, placed->flows);
}

TEST_CASE("what does not fit is refused with its numbers", "[npu][route]") {
  const Device& one = *Device::named("npu1_1col");
  const auto refusal = [&](const std::vector<OpenTile>& tiles, const std::vector<OpenFlow>& flows) {
    const auto placed = placeOpenTiles(one, tiles, flows);
    REQUIRE_FALSE(placed);
    return placed.error().message;
  };
  std::vector<OpenFlow> flows;
  for (size_t i = 0; i < 3; ++i)
    flows.push_back({"f", open(i, 0), {fixed(dma(0, 2 + unsigned(i)))}});
  CHECK_THAT(refusal({shim("a"), shim("b"), shim("c")}, flows),
             Contains("3 shim tiles need 0 S2MM and 3 MM2S"));
  CHECK_THAT(refusal({{"big", TileKind::Mem, Bytes(1 << 20)}}, {}),
             Contains("open tile big needs 1048576 bytes"));
  CHECK_THAT(refusal({{"half", TileKind::Mem, Bytes(300 << 10)},
                      {"more", TileKind::Mem, Bytes(300 << 10)}},
                     {}),
             Contains("do not fit"));
  CHECK_THAT(refusal({{"core", TileKind::Core}}, {}), Contains("is a core"));
  CHECK_THAT(refusal({}, {{"f", open(0, 0), {}}}), Contains("no open tile 0"));
  std::vector<OpenFlow> many;
  for (unsigned i = 0; i < 3; ++i)
    many.push_back({"f", open(0, i), {fixed(dma(0, 2 + i))}});
  CHECK_THAT(refusal({shim("wide")}, many),
             Contains("wide needs 3 MM2S channels, a shim tile has 2"));
}
