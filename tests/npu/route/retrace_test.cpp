// The re-trace finds each kind of mistake, planted into settings that were right.
#include "RouteTesting.hpp"

#include <algorithm>
#include <functional>

using namespace airlite::npu;
using namespace airlite::npu::testing;
using Catch::Matchers::Contains;

namespace {

/// A circuit from the shim over the memory tile to two cores, another back, a gather of packets.
std::vector<Flow> someFlows() {
  return {{"in", dma(0, 0), {dma(0, 2), dma(0, 3)}},
          {"out", dma(0, 4), {dma(0, 0, 1)}},
          {"p1", dma(1, 2), {dma(1, 1)}, {1}},
          {"p2", dma(1, 3), {dma(1, 1)}, {2}}};
}

bool finds(const std::vector<RouteFinding>& findings, RouteFault fault) {
  return std::ranges::count(findings, fault, &RouteFinding::fault) > 0;
}

/// Plants something and asks whether it is found, in the settings and after the words.
void plant(RouteFault fault, const std::function<void(Routes&)>& change) {
  const auto flows = someFlows();
  auto routes = routed(npu1(), flows);
  change(routes);
  const auto findings = verify(npu1(), flows, routes);
  INFO(print(routes) << "wanted: " << name(fault) << "\ngot: " << print(findings));
  CHECK(finds(findings, fault));
}

Connection& circuitTo(Routes& routes, Tile tile, Bundle bundle) {
  for (auto& circuit : routes.at(tile).circuits)
    if (circuit.master.bundle == bundle) return circuit;
  throw std::logic_error("no such circuit");
}

}  // namespace

TEST_CASE("planted: circuits", "[npu][route]") {
  plant(RouteFault::MissingDestination, [](Routes& r) {
    std::erase_if(r.at({0, 3}).circuits, [](auto& c) { return c.master.bundle == Bundle::Dma; });
  });
  plant(RouteFault::DeadEnd, [](Routes& r) {
    std::erase_if(r.at({0, 3}).circuits, [](auto& c) { return c.master.bundle == Bundle::Dma; });
  });
  plant(RouteFault::ExtraDestination, [](Routes& r) {
    const Port slave = circuitTo(r, {0, 2}, Bundle::Dma).slave;
    r.at({0, 2}).circuits.push_back({slave, {Bundle::Dma, 1}});
  });
  plant(RouteFault::ExtraDestination, [](Routes& r) {  // the other channel
    circuitTo(r, {0, 2}, Bundle::Dma).master.channel ^= 1;
  });
  plant(RouteFault::UndeclaredSource, [](Routes& r) {
    r.at({3, 3}).circuits.push_back({{Bundle::Dma, 0}, {Bundle::Dma, 0}});
  });
  plant(RouteFault::MasterTwice, [](Routes& r) {
    r.at({0, 2}).circuits.push_back({{Bundle::Dma, 0}, circuitTo(r, {0, 2}, Bundle::Dma).master});
  });
  plant(RouteFault::IllegalConnection, [](Routes& r) {
    r.at({0, 1}).circuits.push_back({{Bundle::South, 1}, {Bundle::North, 2}});
  });
  plant(RouteFault::NoSuchPort, [](Routes& r) {
    r.at({0, 1}).circuits.push_back({{Bundle::East, 0}, {Bundle::North, 2}});
  });
  plant(RouteFault::NoSuchTile, [](Routes& r) {
    r.at({4, 2}).circuits.push_back({{Bundle::Dma, 0}, {Bundle::Dma, 0}});
  });
  plant(RouteFault::DeadEnd, [](Routes& r) {
    r.at({0, 5}).circuits.push_back({{Bundle::Dma, 0}, {Bundle::North, 0}});
  });
  plant(RouteFault::Unused, [](Routes& r) {
    r.at({2, 3}).circuits.push_back({{Bundle::West, 0}, {Bundle::Dma, 0}});
  });
  plant(RouteFault::Loop, [](Routes& r) {
    r.at({3, 3}).circuits = {{{Bundle::Dma, 0}, {Bundle::North, 0}}};
    r.at({3, 4}).circuits = {{{Bundle::South, 0}, {Bundle::South, 0}}};
    r.at({3, 3}).circuits.push_back({{Bundle::North, 0}, {Bundle::North, 1}});
    r.at({3, 4}).circuits.push_back({{Bundle::South, 1}, {Bundle::West, 0}});
    r.at({2, 4}).circuits = {{{Bundle::East, 0}, {Bundle::East, 0}}};
    r.at({3, 4}).circuits.push_back({{Bundle::West, 0}, {Bundle::South, 1}});
    r.at({3, 3}).circuits.push_back({{Bundle::North, 1}, {Bundle::North, 1}});
    r.at({3, 4}).circuits.push_back({{Bundle::South, 1}, {Bundle::North, 0}});
    r.at({3, 5}).circuits = {{{Bundle::South, 0}, {Bundle::South, 3}}};
    r.at({3, 4}).circuits.push_back({{Bundle::North, 3}, {Bundle::South, 0}});
  });
}

TEST_CASE("planted: the shim's multiplexers", "[npu][route]") {
  const auto at = [](Routes & r) -> auto& { return r.at({0, 0}).shim; };
  plant(RouteFault::MissingDestination, [&](Routes& r) { at(r).clear(); });
  plant(RouteFault::UndeclaredSource, [&](Routes& r) { at(r).clear(); });
  plant(RouteFault::Unused, [&](Routes& r) {
    at(r).push_back({true, {Bundle::South, 7}, ShimSource::Dma});
  });
  plant(RouteFault::ShimNotConnected, [&](Routes& r) {
    at(r).push_back({true, {Bundle::South, 2}, ShimSource::Dma});
  });
  plant(RouteFault::ShimNotConnected, [&](Routes& r) {
    at(r).push_back({false, {Bundle::South, 0}, ShimSource::Dma});
  });
  plant(RouteFault::ShimNotConnected, [&](Routes& r) { at(r).push_back(at(r).front()); });
}

TEST_CASE("planted: packets", "[npu][route]") {
  const auto rules = [](Routes & r) -> auto& { return r.at({1, 2}).rules; };
  const auto masters = [](Routes & r) -> auto& { return r.at({1, 1}).masters; };
  plant(RouteFault::UndeclaredSource, [&](Routes& r) {  // id 0 comes through too
    for (auto& rule : rules(r))
      if (rule.slave.bundle == Bundle::Dma) rule.mask = 30, rule.id = 0;
  });
  plant(RouteFault::MissingDestination, [&](Routes& r) {
    for (auto& rule : rules(r))
      if (rule.slave.bundle == Bundle::Dma) rule.id = 9;
  });
  plant(RouteFault::UnmatchedPacket, [&](Routes& r) { r.at({1, 1}).rules[0].id = 17; });
  plant(RouteFault::AmbiguousRules, [&](Routes& r) {
    auto& tile = r.at({1, 1});
    auto rule = tile.rules[0];
    rule.slot = 3;
    rule.msel ^= 3;
    tile.rules.push_back(rule);
  });
  plant(RouteFault::NobodyListens, [&](Routes& r) { r.at({1, 1}).rules[0].arbiter ^= 1; });
  plant(RouteFault::OutOfRange, [&](Routes& r) { rules(r)[0].slot = 4; });
  plant(RouteFault::OutOfRange, [&](Routes& r) { rules(r)[0].arbiter = 6; });
  plant(RouteFault::OutOfRange, [&](Routes& r) { rules(r).push_back(rules(r)[0]); });
  plant(RouteFault::WrongHeader, [&](Routes& r) { masters(r)[0].dropsHeader = false; });
  plant(RouteFault::WrongHeader, [&](Routes& r) { r.at({1, 2}).masters[0].dropsHeader = true; });
  plant(RouteFault::Unused, [&](Routes& r) { masters(r)[0].msels |= 8; });
  plant(RouteFault::ExtraDestination, [&](Routes& r) {
    auto extra = masters(r)[0];
    extra.master.channel = 1;
    for (auto& rule : r.at({1, 1}).rules)  // a way that the switch has
      extra.master = canConnect(TileKind::Mem, rule.slave, {Bundle::Dma, 1}) ? Port{Bundle::Dma, 1}
                                                                             : extra.master;
    masters(r).push_back(extra);
  });
  plant(RouteFault::MixedModes, [&](Routes& r) {
    r.at({1, 1}).circuits.push_back({r.at({1, 1}).rules[0].slave, {Bundle::Dma, 5}});
  });
  plant(RouteFault::MixedModes, [&](Routes& r) {
    auto& tile = r.at({1, 1});
    tile.circuits = {{tile.rules[0].slave, tile.masters[0].master}};
    tile.rules.clear(), tile.masters.clear();
  });
  plant(RouteFault::MasterTwice, [&](Routes& r) { masters(r).push_back(masters(r)[0]); });
}

/// Whether only rules of ports with a wire became wider: nothing else can come there, so nothing changes.
bool isHarmless(Routes routes, const Routes& right) {
  if (routes.tiles.size() != right.tiles.size()) return false;
  for (size_t t = 0; t < right.tiles.size(); ++t) {
    auto& rules = routes.tiles[t].rules;
    if (rules.size() != right.tiles[t].rules.size()) return false;
    for (size_t i = 0; i < rules.size(); ++i)
      if (rules[i].slave.bundle == Bundle::North) rules[i].mask = right.tiles[t].rules[i].mask;
  }
  return routes == right;
}

TEST_CASE("every single change of a setting is found", "[npu][route]") {
  const auto flows = someFlows();
  const auto right = routed(npu1(), flows);
  const auto words = *encodeRoutes(npu1(), right);
  unsigned found = 0, harmless = 0;
  for (size_t i = 0; i < words.size(); ++i)
    for (unsigned bit = 0; bit < 32; ++bit) {
      auto changed = words;
      if (!(changed[i].mask >> bit & 1)) continue;
      changed[i].value ^= 1u << bit;
      const auto routes = decodeRoutes(npu1(), changed);
      INFO("word " << i << " bit " << bit << (routes ? print(*routes) : routes.error().message));
      CHECK_FALSE((routes && *routes == right));
      const bool isFound = !routes || !verify(npu1(), flows, *routes).empty();
      CHECK(isFound != isHarmless(routes ? *routes : Routes{}, right));
      ++(isFound ? found : harmless);
    }
  CHECK(found > 900);
  CHECK(harmless == 3 * 5);  // the masks of three rules of ports with a wire
}
