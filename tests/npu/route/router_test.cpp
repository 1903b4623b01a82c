#include "RouteTesting.hpp"

#include <chrono>

using namespace airlite::npu;
using namespace airlite::npu::testing;
using Catch::Matchers::Contains;

namespace {

std::string refusal(const Device& device, const std::vector<Flow>& flows) {
  const auto result = route(device, flows);
  REQUIRE_FALSE(result);
  return result.failure.message;
}

}  // namespace

TEST_CASE("a circuit from the shim to a core", "[npu][route]") {
  CHECK(print(routed(npu1(), {{"in", dma(0, 0, 1), {dma(0, 2, 0)}}})) ==
        "shim tile (0,0)\n  circuit SOUTH7 -> NORTH0\n  mux SOUTH7: DMA\n"
        "memory tile (0,1)\n  circuit SOUTH0 -> NORTH0\n"
        "core tile (0,2)\n  circuit SOUTH0 -> DMA0\n");
}

TEST_CASE("a core back to the shim, and inside one tile", "[npu][route]") {
  const auto routes = routed(
      npu1(), {{"out", dma(2, 5, 1), {dma(2, 0, 1)}}, {"self", dma(1, 3, 1), {dma(1, 3, 1)}}});
  CHECK_THAT(print(routes), Contains("demux SOUTH3: DMA"));
  CHECK_THAT(print(routes), Contains("core tile (1,3)\n  circuit DMA1 -> DMA1\n"));
}

TEST_CASE("the branches of a broadcast share wires", "[npu][route]") {
  const Flow column{"column", dma(1, 1), {dma(1, 5), dma(1, 2), dma(1, 4), dma(1, 3)}};
  const auto routes = routed(npu1(), {column});
  size_t connections = 0;
  for (const auto& tile : routes.tiles)
    connections += tile.circuits.size();
  CHECK(connections == 1 + 4 + 3);  // memory tile, a DMA each, a wire north from all but the last

  Flow all{"all", dma(0, 0), {}};
  for (unsigned c = 0; c < 4; ++c)
    for (unsigned r = 2; r < 6; ++r)
      all.destinations.push_back(dma(c, r, 1));
  routed(npu1(), {all});
  routed(*Device::named("npu2"), {all});
}

TEST_CASE("packets of a column gather at one channel", "[npu][route]") {
  std::vector<Flow> flows;
  for (unsigned r = 2; r < 6; ++r)
    flows.push_back({"core " + std::to_string(r), dma(0, r), {dma(0, 0)}, {uint8_t(r)}});
  const auto routes = routed(npu1(), flows);
  const auto& shim = *routes.of({0, 0});
  REQUIRE(shim.masters.size() == 1);
  CHECK(shim.masters[0].dropsHeader);
  for (auto& flow : flows)
    flow.keepsHeader = true;
  CHECK_FALSE(routed(npu1(), flows).of({0, 0})->masters[0].dropsHeader);
}

TEST_CASE("packets of one channel go where their ids say", "[npu][route]") {
  routed(npu1(), {{"a", dma(0, 1), {dma(0, 2), dma(1, 3)}, {0, 1}},
                  {"b", dma(0, 1), {dma(1, 3), dma(2, 5)}, {2}},
                  {"c", dma(0, 1), {dma(0, 2)}, {7, 3}}});
}

TEST_CASE("the token route beside others", "[npu][route]") {
  const End control{{0, 0}, {Bundle::Ctrl, 0}}, south{{0, 0}, {Bundle::South, 0}};
  const auto routes =
      routed(npu1(), {{"token", control, {south}, {15}, true}, {"in", dma(0, 0), {dma(0, 1)}}});
  CHECK_THAT(print(routes), Contains("rule CTRL0 slot 0: id 15 mask 31"));
}

TEST_CASE("the flows of a matrix product on 4 x 4 cores", "[npu][route]") {
  const auto begin = std::chrono::steady_clock::now();
  const auto result = route(npu1(), matmulFlows());
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
  REQUIRE(result);
  CHECK(time.count() < 100);  // about 1 ms on an idle machine
  const auto again = routed(npu1(), matmulFlows());
  CHECK(again == *result.routes);  // the same each time
}

TEST_CASE("crossing broadcasts: rows from every memory tile", "[npu][route]") {
  std::vector<Flow> flows;
  for (unsigned i = 0; i < 4; ++i)  // A of row i from the opposite side
    for (unsigned k = 0; k < 2; ++k) {
      Flow flow{"row " + std::to_string(i) + std::to_string(k), dma(3 - i, 1, k), {}};
      for (unsigned j = 0; j < 4; ++j)
        flow.destinations.push_back(dma(j, 2 + (i + k) % 4, k));
      flows.push_back(flow);
    }
  routed(npu1(), flows);
}

TEST_CASE("one column, and all columns of npu2", "[npu][route]") {
  routed(*Device::named("npu1_1col"), {{"in", dma(0, 0), {dma(0, 5)}}});
  routed(*Device::named("npu2"),
         {{"far", dma(0, 0), {dma(7, 5)}}, {"back", dma(7, 2), {dma(0, 0)}}});
}

TEST_CASE("more packet ids than slots are told apart by masks", "[npu][route]") {
  std::vector<Flow> flows;  // 10 sources, one channel: wires must be shared
  for (unsigned i = 0; i < 10; ++i)
    flows.push_back(
        {"p" + std::to_string(i), dma(i % 4, 2 + i / 4), {dma(0, 0)}, {uint8_t(3 * i)}});
  routed(npu1(), flows);
}

TEST_CASE("a memory tile has four wires to the shim: the fifth flow is refused", "[npu][route]") {
  std::vector<Flow> flows;
  for (unsigned i = 0; i < 5; ++i)
    flows.push_back(
        {"f" + std::to_string(i), dma(0, 1, i), {End{{0, 0}, {Bundle::South, uint8_t(i)}}}});
  const auto result = route(npu1(), flows);
  // Through the cores and the neighbouring columns there is a way: it must be found or named.
  if (result) CHECK(print(verify(npu1(), flows, *result.routes)) == "");
  const auto narrow = route(*Device::named("npu1_1col"), flows);
  REQUIRE_FALSE(narrow);
  REQUIRE_FALSE(narrow.failure.congestion.empty());
  const auto& place = narrow.failure.congestion.front();
  CHECK(place.master.tile == Tile{0, 1});
  CHECK(place.master.port.bundle == Bundle::South);
  CHECK(place.flows.size() >= 2);
  CHECK_THAT(narrow.failure.message, Contains("compete f"));
  CHECK_THAT(narrow.failure.message, Contains("SOUTH"));
}

TEST_CASE("five ids of no common mask do not fit a source", "[npu][route]") {
  const auto text = refusal(npu1(), {{"many", dma(0, 2), {dma(0, 3)}, {1, 2, 4, 8, 16}}});
  CHECK_THAT(text, Contains("slave DMA0 of (0,2)"));
  CHECK_THAT(text, Contains("more than 4 packet rules"));
}

TEST_CASE("contradictions are named before routing", "[npu][route]") {
  const Device& one = *Device::named("npu1_1col");
  CHECK_THAT(refusal(one, {{"a", dma(1, 2), {dma(0, 2)}}}),
             Contains("npu1_1col has no tile (1,2)"));
  CHECK_THAT(refusal(one, {{"a", dma(0, 2, 2), {dma(0, 2)}}}), Contains("no slave DMA2"));
  CHECK_THAT(refusal(one, {{"a", dma(0, 0, 2), {dma(0, 2)}}}), Contains("no slave DMA2"));
  CHECK_THAT(refusal(one, {{"a", dma(0, 2), {}}}), Contains("no destination"));
  CHECK_THAT(refusal(one, {{"a", dma(0, 2), {dma(0, 3), dma(0, 3)}}}), Contains("named twice"));
  CHECK_THAT(refusal(one, {{"a", dma(0, 2), {dma(0, 3)}, {32}}}), Contains("packet id is 32"));
  CHECK_THAT(refusal(one, {{"a", dma(0, 2), {dma(0, 3)}, {1, 1}}}), Contains("1 is named twice"));
  CHECK_THAT(refusal(one, {{"a", dma(0, 2), {dma(0, 3)}, {}, true}}),
             Contains("no header to keep"));
  CHECK_THAT(refusal(one, {{"a", dma(0, 2), {End{{0, 3}, {Bundle::North, 0}}}}}),
             Contains("a wire between tiles"));
  CHECK_THAT(refusal(one, {{"a", dma(0, 2), {dma(0, 3)}}, {"b", dma(0, 2), {dma(0, 4)}}}),
             Contains("flow b: DMA0 of (0,2) is used by flow a too"));
  CHECK_THAT(refusal(one, {{"a", dma(0, 2), {dma(0, 3)}, {1}}, {"b", dma(0, 2), {dma(0, 4)}, {1}}}),
             Contains("sends packets 1 for flow a too"));
  CHECK_THAT(
      refusal(one, {{"a", dma(0, 2), {dma(0, 3)}, {1}}, {"b", dma(0, 4), {dma(0, 3)}, {2}, true}}),
      Contains("keeps or drops headers"));
  CHECK_THAT(refusal(one, {{"a", dma(0, 2), {dma(0, 0)}},
                           {"b", dma(0, 3), {End{{0, 0}, {Bundle::South, 2}}}}}),
             Contains("are the same port"));
}

TEST_CASE("what no switch connects takes a detour", "[npu][route]") {
  const Device& one = *Device::named("npu1_1col");
  const End trace{{0, 1}, {Bundle::Trace, 0}}, control{{0, 1}, {Bundle::Ctrl, 0}};
  CHECK(routed(one, {{"direct", trace, {dma(0, 1, 5)}}}).tiles.size() == 1);
  CHECK(routed(one, {{"by the shim", trace, {control}}}).of({0, 0}));
  CHECK_THAT(refusal(one, {{"none", End{{0, 0}, {Bundle::Trace, 0}}, {dma(0, 2)}}}),
             Contains("no legal connections lead") && Contains("TRACE0 of (0,0)"));
  CHECK(routed(one, {{"other channel", dma(0, 1, 1), {dma(0, 1, 2)}}}).tiles.size() == 2);
}
