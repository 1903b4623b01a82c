// Random flows: each set routes, and the re-trace of its words agrees, or it is refused with a
// reason. AIRLITE_ROUTE_RUNS=10000 for the long run.
#include "RouteTesting.hpp"

#include <algorithm>
#include <cstdlib>
#include <random>

using namespace airlite::npu;
using namespace airlite::npu::testing;

namespace {

class RandomFlows {
 public:
  RandomFlows(const Device& device, uint32_t seed) : device_(device), random_(seed) {
    for (uint8_t c = 0; c < device.columns; ++c)
      for (uint8_t r = 0; r < Device::rows; ++r)
        addEnds({c, r});
    std::ranges::shuffle(sources_, random_);
    std::ranges::shuffle(destinations_, random_);
  }

  std::vector<Flow> make() {
    std::vector<Flow> flows;
    const unsigned wanted = 1 + below(8 * device_.columns);
    const unsigned packets = below(3);  // none, a third, two thirds of them
    while (flows.size() < wanted && !sources_.empty() && !destinations_.empty())
      flows.push_back(below(3) < packets ? packet(flows) : circuit());
    for (size_t i = 0; i < flows.size(); ++i)
      flows[i].name = "f" + std::to_string(i);
    std::erase_if(flows, [](const Flow& flow) { return flow.destinations.empty(); });
    return flows;
  }

 private:
  unsigned below(unsigned n) { return unsigned(random_() % n); }

  void addEnds(Tile tile) {
    const unsigned channels = limitsOf(kindOfRow(tile.row)).channels;
    for (uint8_t i = 0; i < channels; ++i) {
      sources_.push_back({tile, {Bundle::Dma, i}});
      destinations_.push_back({tile, {Bundle::Dma, i}});
    }
    if (kindOfRow(tile.row) == TileKind::Core) {
      sources_.push_back({tile, {Bundle::Core, 0}});
      destinations_.push_back({tile, {Bundle::Core, 0}});
    }
    destinations_.push_back({tile, {Bundle::Ctrl, 0}});
    sources_.push_back({tile, {Bundle::Trace, 0}});
  }

  static End take(std::vector<End>& from) {
    const End end = from.back();
    from.pop_back();
    return end;
  }

  Flow circuit() {
    Flow flow{"", take(sources_), {}};
    for (unsigned n = 1 + (below(3) ? 0 : below(5)); n && !destinations_.empty(); --n)
      flow.destinations.push_back(take(destinations_));
    return flow;
  }

  /// Sometimes from where another comes (other ids) or to where another goes: gathers, scatters.
  Flow packet(const std::vector<Flow>& others) {
    std::vector<const Flow*> packets;
    for (const auto& other : others)
      if (other.isPacket()) packets.push_back(&other);
    const Flow* other = packets.empty() ? nullptr : packets[below(unsigned(packets.size()))];
    Flow flow{"", other && !below(4) ? other->source : take(sources_), {}, {}};
    for (unsigned n = 1 + below(2); n && nextId_ < packetIdCount; --n)
      flow.packetIds.push_back(uint8_t(nextId_++));
    if (flow.packetIds.empty()) return Flow{"", flow.source, {}};  // no ids left: dropped
    if (other && below(2)) {
      flow.destinations = {other->destinations.front()};
      flow.keepsHeader = other->keepsHeader;
    } else if (!destinations_.empty()) {
      flow.destinations = {take(destinations_)};
      flow.keepsHeader = !below(3);
    }
    return flow;
  }

  const Device& device_;
  std::mt19937 random_;
  std::vector<End> sources_, destinations_;
  unsigned nextId_ = 0;
};

unsigned runs() {
  const char* text = std::getenv("AIRLITE_ROUTE_RUNS");
  return text ? unsigned(std::max(1, std::atoi(text))) : 200;
}

}  // namespace

TEST_CASE("random flows route exactly, or are refused with a reason", "[npu][route][random]") {
  constexpr const char* devices[] = {"npu1", "npu1_1col", "npu1_2col", "npu1", "npu1_3col", "npu2"};
  unsigned routedCases = 0, refused = 0;
  for (unsigned seed = 0; seed < runs(); ++seed) {
    const Device& device = *Device::named(devices[seed % 6]);
    const auto flows = RandomFlows(device, seed).make();
    const auto result = route(device, flows);
    INFO("seed " << seed << " on " << device.name);
    if (!result) {
      ++refused;
      const bool noWay = result.failure.message.find("no legal connections") != std::string::npos;
      CHECK(noWay == result.failure.congestion.empty());
      for (const auto& place : result.failure.congestion)
        CHECK_FALSE(place.flows.empty());
      continue;
    }
    ++routedCases;
    const auto words = encodeRoutes(device, *result.routes);
    REQUIRE(words);
    const auto read = decodeRoutes(device, *words);
    REQUIRE(read);
    CHECK(*read == *result.routes);
    CHECK(print(verify(device, flows, *read)) == "");
  }
  INFO(routedCases << " routed, " << refused << " refused");
  CHECK(routedCases > refused);
}
