#include "RouteTesting.hpp"

#include <algorithm>

using namespace airlite::npu;
using namespace airlite::npu::testing;
using Catch::Matchers::Contains;

TEST_CASE("words of a circuit through the shim", "[npu][route]") {
  const auto routes = routed(npu1(), {{"in", dma(1, 0), {dma(1, 1, 0)}}});
  // SOUTH3 is slave 5 of the shim, NORTH0 its master 12; SOUTH0 slave 7 of the memory tile.
  const std::vector<SwitchWrite> expected = {
      {addressOf({1, 0}, 0x3F000 + 4 * 12), 0x80000005},
      {addressOf({1, 0}, 0x3F100 + 4 * 5), 0x80000000},
      {addressOf({1, 0}, 0x1F000), 0x400, 0xC00},
      {addressOf({1, 1}, 0xB0000), 0x80000007},
      {addressOf({1, 1}, 0xB0100 + 4 * 7), 0x80000000},
  };
  CHECK(*encodeRoutes(npu1(), routes) == expected);
}

TEST_CASE("words of other tools: the token route", "[npu][route]") {
  // docs/hardware/formats.md 4.4, as mlir-aie v1.3.2 sets it in real binaries.
  const std::vector<SwitchWrite> words = {{addressOf({0, 0}, 0x3F008), 0xC0000045},
                                          {addressOf({0, 0}, 0x3F100), 0xC0000000},
                                          {addressOf({0, 0}, 0x3F200), 0x0F1F0135},
                                          {addressOf({0, 0}, 0x1D000), 0x12345678}};
  const auto routes = decodeRoutes(npu1(), words);
  REQUIRE(routes);
  const End control{{0, 0}, {Bundle::Ctrl, 0}}, south{{0, 0}, {Bundle::South, 0}};
  CHECK(print(verify(npu1(), std::vector<Flow>{{"token", control, {south}, {15}, true}},
                     *routes)) == "");
  CHECK(
      print(verify(npu1(), {}, *routes)) ==
      "undeclared source: packet 15 of CTRL0 of (0,0) enters the array, and no flow declares it\n");
}

TEST_CASE("words that mean nothing are refused with their place", "[npu][route]") {
  const auto decode = [](Tile tile, uint32_t offset, uint32_t value) {
    const std::vector<SwitchWrite> words = {{addressOf({0, 0}, 0x1D000), 1},
                                            {addressOf(tile, offset), value}};
    return decodeRoutes(npu1(), words);
  };
  CHECK(decode({0, 2}, 0x3F000, 0x80010000).error().place == 1u);
  CHECK_THAT(decode({0, 2}, 0x3F000, 0x80010000).error().message, Contains("bits"));
  CHECK_THAT(decode({0, 2}, 0x3F000, 0x8000007F).error().message, Contains("slave 127"));
  CHECK_THAT(decode({5, 2}, 0x3F000, 0).error().message, Contains("no tile (5,2)"));
  CHECK_THAT(decode({0, 0}, 0x1F000, 0xC00).error().message, Contains("SOUTH3"));
  CHECK(decode({0, 2}, 0x3F000, 0x80000001)->tiles.empty());  // its slave is off
}

TEST_CASE("settings that have no word are refused", "[npu][route]") {
  const auto refusal = [](const SwitchSettings& settings) {
    const auto words = encodeRoutes(npu1(), Routes{{settings}});
    REQUIRE_FALSE(words);
    return words.error().message;
  };
  CHECK_THAT(refusal({{0, 2}, {{{Bundle::Dma, 2}, {Bundle::Dma, 0}}}}), Contains("no slave DMA2"));
  CHECK_THAT(refusal({{0, 2}, {{{Bundle::Dma, 0}, {Bundle::Dma, 2}}}}), Contains("no master DMA2"));
  CHECK_THAT(refusal({{4, 2}, {{{Bundle::Dma, 0}, {Bundle::Dma, 0}}}}), Contains("no such tile"));
  CHECK_THAT(refusal({{0, 2}, {}, {{{Bundle::Dma, 0}, 4}}}), Contains("no slot 4"));
  CHECK_THAT(refusal({{0, 2}, {}, {{{Bundle::Dma, 0}, 0, 32}}}), Contains("packet id is 32"));
  CHECK_THAT(refusal({{0, 2}, {}, {}, {}, {{true, {Bundle::South, 3}}}}), Contains("multiplexer"));
}
