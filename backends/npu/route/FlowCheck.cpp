// What flows ask for that no routing could give: found before the router starts, so that what the
// router refuses is a matter of congestion.

#include "airlite/npu/route/Flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace airlite::npu {
namespace {

constexpr const char* sideName(PortSide side) {
  return side == PortSide::Master ? "master" : "slave";
}

/// Ports towards neighbours carry flows, they never end one; only the shim has an outside.
bool isWire(TileKind kind, Port port) {
  switch (port.bundle) {
    case Bundle::South: return kind != TileKind::Shim;
    case Bundle::West:
    case Bundle::North:
    case Bundle::East: return true;
    default: return false;
  }
}

class Checker {
 public:
  Checker(const Device& device, std::span<const Flow> flows) : device_(device), flows_(flows) {}

  Result<void> run() {
    for (const auto& flow : flows_)
      if (auto fine = checkAlone(flow); !fine) return fine.error();
    for (const auto& flow : flows_)
      if (auto fine = checkTogether(flow); !fine) return fine.error();
    return {};
  }

 private:
  struct Use {
    const Flow* flow;
    End end;
  };

  Error refuse(const Flow& flow, const std::string& why) const {
    return {"flow " + flow.name + ": " + why, uint64_t(&flow - flows_.data())};
  }

  Result<void> checkAlone(const Flow& flow) const {
    if (flow.destinations.empty()) return refuse(flow, "it has no destination");
    if (auto fine = checkIds(flow); !fine) return fine.error();
    if (auto fine = checkEnd(flow, flow.source, PortSide::Slave); !fine) return fine.error();
    for (const auto& end : flow.destinations)
      if (auto fine = checkEnd(flow, end, PortSide::Master); !fine) return fine.error();
    return {};
  }

  Result<void> checkIds(const Flow& flow) const {
    if (flow.keepsHeader && !flow.isPacket())
      return refuse(flow, "a circuit has no header to keep");
    uint32_t seen = 0;
    for (const auto id : flow.packetIds) {
      if (id >= packetIdCount)
        return refuse(flow,
                      fmt::format("packet id is {}, the switch has 0..{}", id, packetIdCount - 1));
      if (seen >> id & 1) return refuse(flow, fmt::format("packet id {} is named twice", id));
      seen |= 1u << id;
    }
    return {};
  }

  Result<void> checkEnd(const Flow& flow, End end, PortSide side) const {
    const auto kind = device_.kindOf(end.tile);
    if (!kind) return refuse(flow, fmt::format("{} has no tile {}", device_.name, name(end.tile)));
    if (!portIndex(*kind, side, switchPort(end, side)))
      return refuse(flow, fmt::format("the {} tile {} has no {} {}", name(*kind), name(end.tile),
                                      sideName(side), name(end.port)));
    if (isWire(*kind, end.port))
      return refuse(flow, name(end) + " is a wire between tiles, not an end");
    return {};
  }

  Result<void> checkTogether(const Flow& flow) {
    const Use source{&flow, flow.source};
    auto& atSource = sources_[{flow.source.tile, switchPort(flow.source, PortSide::Slave)}];
    for (const auto& other : atSource)
      if (auto why = sourceClash(source, other); !why.empty()) return refuse(flow, why);
    atSource.push_back(source);
    for (const auto& end : flow.destinations) {
      auto& there = destinations_[{end.tile, switchPort(end, PortSide::Master)}];
      for (const auto& other : there)
        if (auto why = destinationClash({&flow, end}, other); !why.empty())
          return refuse(flow, why);
      there.push_back({&flow, end});
    }
    return {};
  }

  static std::string commonClash(const Use& use, const Use& other) {
    if (use.end != other.end)
      return fmt::format("{} and {} of flow {} are the same port", name(use.end), name(other.end),
                         other.flow->name);
    if (!use.flow->isPacket() || !other.flow->isPacket())
      return fmt::format("{} is used by flow {} too, and circuits share no port", name(use.end),
                         other.flow->name);
    return {};
  }

  static std::string sourceClash(const Use& use, const Use& other) {
    if (auto why = commonClash(use, other); !why.empty()) return why;
    for (const auto id : use.flow->packetIds)
      if (std::ranges::count(other.flow->packetIds, id))
        return fmt::format("{} sends packets {} for flow {} too", name(use.end), id,
                           other.flow->name);
    return {};
  }

  static std::string destinationClash(const Use& use, const Use& other) {
    if (use.flow == other.flow && use.end == other.end) return name(use.end) + " is named twice";
    if (auto why = commonClash(use, other); !why.empty()) return why;
    if (getsHeader(use.flow->keepsHeader, use.end) != getsHeader(other.flow->keepsHeader, use.end))
      return fmt::format("{} keeps or drops headers, and flow {} wants the other", name(use.end),
                         other.flow->name);
    return {};
  }

  const Device& device_;
  std::span<const Flow> flows_;
  std::map<End, std::vector<Use>> sources_, destinations_;  // by port of the switch
};

}  // namespace

Result<void> checkFlows(const Device& device, std::span<const Flow> flows) {
  return Checker(device, flows).run();
}

}  // namespace airlite::npu
