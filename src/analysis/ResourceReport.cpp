// The resource report, as a table for people and as JSON for scripts.
#include "airlite/analysis/Resources.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Symbols.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace airlite::analysis {

namespace {

constexpr std::array<std::string_view, kNumResources> kHeads = {
    "compute tiles", "L2 bytes", "DMA channels", "L1 bytes per core"};

std::string titleOf(const Operation& op) {
  std::string_view name = symbolName(op);
  return std::string(op.name()) + (name.empty() ? "" : " @" + std::string(name));
}

std::string place(const Operation& op) { return formatLocation(op.context(), op.location()); }

std::string amountText(const Amount& amount) {
  return (amount.isExact ? "" : ">= ") + std::to_string(amount.value);
}

std::string indent(const ResourceAnalysis& analysis, const ResourceFootprint& level) {
  std::string text;
  for (size_t up = level.parent; up != ResourceFootprint::kNone; up = analysis.levels[up].parent)
    text += "  ";
  return text;
}

// -- Table ----------------------------------------------------------------------------------------

using Row = std::vector<std::string>;

/// Columns as wide as their widest cell; numbers to the right.
std::string aligned(const std::vector<Row>& rows) {
  std::vector<size_t> widths(rows.front().size(), 0);
  for (const Row& row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  std::string out;
  for (const Row& row : rows) {
    std::string line = fmt::format("{:<{}}", row[0], widths[0]);
    for (size_t i = 1; i < row.size(); ++i)
      line += fmt::format("  {:>{}}", row[i], widths[i]);
    out += line + "\n";
  }
  return out;
}

Row limitRow(std::string_view name, const Limits& limits) {
  Row row{std::string(name), ""};
  for (Resource resource : kResources)
    row.push_back(limits[resource] ? std::to_string(*limits[resource]) : "-");
  return row;
}

std::string totals(const ResourceAnalysis& analysis, const DeviceLimits* device) {
  std::vector<Row> rows{{"level", "instances"}};
  for (std::string_view head : kHeads)
    rows.front().emplace_back(head);
  for (const ResourceFootprint& level : analysis.levels) {
    rows.push_back({indent(analysis, level) + titleOf(*level.op), std::to_string(level.instances)});
    for (Resource resource : kResources)
      rows.back().push_back(amountText(level.total[resource]));
  }
  if (device) rows.push_back(limitRow("limit: " + device->name, device->device));
  if (device && device->segment != Limits())
    rows.push_back(limitRow("limit: one instance of a segment", device->segment));
  if (device && device->herd != Limits()) rows.push_back(limitRow("limit: a herd", device->herd));
  return aligned(rows);
}

/// `2 x 4096  memref.alloc  in.mlir:5:8`, a line for each.
std::string partsText(const std::vector<Contributor>& parts) {
  std::string out;
  for (const Contributor& part : parts) {
    std::string times = part.instances == 1 ? "" : fmt::format("{} x ", part.instances);
    out += fmt::format("    {:>16}  {}  {}\n", times + std::to_string(part.amount),
                       titleOf(*part.op), place(*part.op));
  }
  return out;
}

std::string details(const ResourceFootprint& level) {
  std::string out;
  for (Resource resource : kResources) {
    const Amount& amount = level.perInstance[resource];
    bool isItself = amount.contributors.size() == 1 && amount.contributors.front().op == level.op;
    if (amount.contributors.empty() || isItself) continue;
    out += fmt::format("  {}{}{}\n", amount.isExact ? "" : ">= ", countText(amount.value, resource),
                       level.instances == 1 ? "" : ", in each instance");
    out += partsText(amount.contributors);
  }
  for (const OpenQuestion& question : level.open)
    out += fmt::format("  {}: at least, since {} {} ({})\n", resourceName(question.resource),
                       titleOf(*question.op), question.why, place(*question.op));
  return out;
}

}  // namespace

std::string resourceTable(const ResourceAnalysis& analysis, const DeviceLimits* device) {
  std::string out = totals(analysis, device);
  if (device) out += fmt::format("fits {}: {}\n", device->name, fitName(fitOf(analysis, *device)));
  for (const ResourceFootprint& level : analysis.levels) {
    std::string text = details(level);
    if (!text.empty())
      out += fmt::format("\n{}  {}\n{}", titleOf(*level.op), place(*level.op), text);
  }
  return out;
}

// -- JSON -----------------------------------------------------------------------------------------

namespace {

using Json = nlohmann::ordered_json;

Json describe(const Operation& op) {
  Json out = Json::object();
  out["op"] = std::string(op.name());
  if (!symbolName(op).empty()) out["name"] = std::string(symbolName(op));
  out["loc"] = place(op);
  return out;
}

Json describe(const Amount& amount, bool withParts) {
  Json out{{"value", amount.value}, {"exact", amount.isExact}};
  if (!withParts) return out;
  out["contributors"] = Json::array();
  for (const Contributor& part : amount.contributors) {
    Json entry = describe(*part.op);
    entry["amount"] = part.amount;
    entry["instances"] = part.instances;
    out["contributors"].push_back(std::move(entry));
  }
  return out;
}

Json describe(const Amounts& amounts, bool withParts) {
  Json out = Json::object();
  for (Resource resource : kResources)
    out[std::string(resourceKey(resource))] = describe(amounts[resource], withParts);
  return out;
}

Json describe(const Limits& limits) {
  Json out = Json::object();
  for (Resource resource : kResources)
    if (limits[resource]) out[std::string(resourceKey(resource))] = *limits[resource];
  return out;
}

Json describe(const ResourceFootprint& level) {
  Json out = describe(*level.op);
  if (level.parent != ResourceFootprint::kNone) out["parent"] = level.parent;
  out["instances"] = level.instances;
  out["per_instance"] = describe(level.perInstance, true);
  out["total"] = describe(level.total, false);
  if (level.reservedTiles) {
    out["reserved_tiles"] = *level.reservedTiles;
    out["needed_tiles"] = describe(level.neededTiles, true);
  }
  for (const OpenQuestion& question : level.open) {
    Json entry = describe(*question.op);
    entry["resource"] = std::string(resourceKey(question.resource));
    entry["why"] = question.why;
    out["open"].push_back(std::move(entry));
  }
  return out;
}

}  // namespace

std::string resourceJson(const ResourceAnalysis& analysis, const DeviceLimits* device) {
  Json out{{"format", "airlite-resources"}, {"version", 1}};
  if (device) {
    out["device"] = {{"name", device->name},
                     {"device", describe(device->device)},
                     {"segment", describe(device->segment)},
                     {"herd", describe(device->herd)}};
    out["fits"] = std::string(fitName(fitOf(analysis, *device)));
  }
  out["levels"] = Json::array();
  for (const ResourceFootprint& level : analysis.levels)
    out["levels"].push_back(describe(level));
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace airlite::analysis
