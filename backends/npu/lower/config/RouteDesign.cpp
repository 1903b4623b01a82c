// Routes: switch settings for the flows, traced again from their register words before they count.
#include "DesignLayout.hpp"
#include "airlite/npu/route/Retrace.hpp"
#include "airlite/npu/route/Router.hpp"
#include "airlite/npu/route/SwitchWords.hpp"

#include <algorithm>
#include <set>

namespace airlite::npu {
namespace {

bool isDmaOfShim(End end) { return end.tile.row == 0 && end.port.bundle == Bundle::Dma; }

/// Shims whose DMA a flow uses.
std::set<Tile> busyShims(const std::vector<Flow>& flows) {
  std::set<Tile> shims;
  for (const Flow& flow : flows) {
    if (isDmaOfShim(flow.source)) shims.insert(flow.source.tile);
    for (const End& end : flow.destinations)
      if (isDmaOfShim(end)) shims.insert(end.tile);
  }
  return shims;
}

bool uses(const std::vector<Flow>& flows, End source, End destination) {
  return std::ranges::any_of(flows, [&](const Flow& flow) {
    return flow.source == source || std::ranges::count(flow.destinations, destination);
  });
}

/// A shim says that a task is done by a token out of CTRL0; the command processor sees it when it
/// leaves by SOUTH0 (docs/hardware/formats.md 4.4, the circuit form). Designs may have their own
/// way for it.
void addTokenFlows(Layout& layout) {
  std::vector<Flow>& flows = layout.config.flows;
  for (Tile shim : busyShims(flows)) {
    const End from{shim, {Bundle::Ctrl, 0}}, to{shim, {Bundle::South, 0}};
    if (uses(flows, from, to)) continue;
    flows.push_back({"tokens of " + name(shim), from, {to}});
    layout.flowLocations.push_back(layout.op->location());
  }
}

/// At the first flow that competes, with a note at each other one.
LogicalResult report(const Layout& layout, const RouteFailure& failed) {
  Context& context = layout.op->context();
  std::vector<Location> places;
  for (const Congestion& port : failed.congestion)
    for (size_t flow : port.flows) {
      const Location place = layout.flowLocations[flow];
      if (std::ranges::find(places, place) == places.end()) places.push_back(place);
    }
  if (places.empty()) return layout.op->emitOpError() << failed.message;
  InFlightDiagnostic error = emitError(context, places.front());
  error << "cannot be routed: " << failed.message;
  for (size_t i = 1; i < places.size(); ++i)
    error.note(places[i]) << "competes with this flow";
  return error;
}

/// Reads the register words as the hardware would.
LogicalResult checkAgain(const Layout& layout) {
  const ArrayConfig& config = layout.config;
  const auto words = encodeRoutes(config.device, config.routes);
  if (!words) return layout.op->emitOpError() << "switches: " << words.error().message;
  const auto back = decodeRoutes(config.device, *words);
  if (!back) return layout.op->emitOpError() << "switches: " << back.error().message;
  const auto findings = verify(config.device, config.flows, *back);
  if (findings.empty()) return success();
  return layout.op->emitOpError() << "the switches do not do what the flows say (please report "
                                     "this): "
                                  << print(findings);
}

}  // namespace

LogicalResult routeDesign(Layout& layout) {
  addTokenFlows(layout);
  RouteResult result = route(layout.device, layout.config.flows);
  if (!result) return report(layout, result.failure);
  layout.config.routes = std::move(*result.routes);
  return checkAgain(layout);
}

}  // namespace airlite::npu
