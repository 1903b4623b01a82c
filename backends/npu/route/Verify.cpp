// Compares what a re-trace reached with what flows declare.

#include "airlite/npu/route/Retrace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace airlite::npu {
namespace {

/// A source and a packet id; none for a circuit.
using StreamKey = std::pair<End, std::optional<uint8_t>>;

std::string describe(const StreamKey& key) {
  const auto source = name(key.first);
  return key.second ? fmt::format("packet {} of {}", *key.second, source) : source;
}

class Comparison {
 public:
  Comparison(std::span<const Flow> flows, Trace trace) : findings_(std::move(trace.findings)) {
    for (const auto& reach : trace.reaches)
      reached_[{reach.source, reach.packetId}] = reach.arrivals;
    for (const auto& flow : flows)
      expect(flow);
  }

  std::vector<RouteFinding> run() {
    for (const auto& [key, arrivals] : reached_)
      if (!expected_.contains(key)) undeclared(key);
    for (const auto& [key, want] : expected_)
      compare(key, want);
    return std::move(findings_);
  }

 private:
  struct Want {
    std::string flow;
    std::vector<Arrival> arrivals;
  };

  void expect(const Flow& flow) {
    if (!flow.isPacket()) expectStream({flow.source, std::nullopt}, flow);
    for (const auto id : flow.packetIds)
      expectStream({flow.source, id}, flow);
  }

  void expectStream(const StreamKey& key, const Flow& flow) {
    auto& want = expected_[key];
    want.flow = flow.name;
    for (const auto& end : flow.destinations)
      want.arrivals.push_back({end, flow.isPacket() && getsHeader(flow.keepsHeader, end)});
  }

  void undeclared(const StreamKey& key) {
    findings_.push_back({RouteFault::UndeclaredSource, key.first.tile,
                         describe(key) + " enters the array, and no flow declares it"});
  }

  void compare(const StreamKey& key, const Want& want) {
    const auto& got = reached_[key];
    for (const auto& arrival : want.arrivals)
      checkWanted(key, want, arrival, got);
    for (const auto& arrival : got)
      if (!std::ranges::count(want.arrivals, arrival.end, &Arrival::end))
        differ(RouteFault::ExtraDestination, key, want, arrival, "comes to");
  }

  void checkWanted(const StreamKey& key, const Want& want, const Arrival& arrival,
                   const std::vector<Arrival>& got) {
    const auto found = std::ranges::find(got, arrival.end, &Arrival::end);
    if (found == got.end())
      return differ(RouteFault::MissingDestination, key, want, arrival, "does not come to");
    if (found->hasHeader != arrival.hasHeader)
      differ(RouteFault::WrongHeader, key, want, arrival,
             arrival.hasHeader ? "has lost its header at" : "still has its header at");
  }

  void differ(RouteFault fault, const StreamKey& key, const Want& want, const Arrival& arrival,
              const char* what) {
    findings_.push_back(
        {fault, arrival.end.tile,
         fmt::format("flow {}: {} {} {}", want.flow, describe(key), what, name(arrival.end))});
  }

  std::vector<RouteFinding> findings_;
  std::map<StreamKey, std::vector<Arrival>> reached_;
  std::map<StreamKey, Want> expected_;
};

}  // namespace

std::vector<RouteFinding> verify(const Device& device, std::span<const Flow> flows,
                                 const Routes& routes) {
  return Comparison(flows, retrace(device, routes)).run();
}

}  // namespace airlite::npu
