// What a design uses of the array: per tile and per flow, as plain data, a table, JSON, a picture.
//
//   ResourceReport report = resourcesOf(config);
//   std::cout << resourceTable(config, report);
#pragma once

#include "airlite/npu/lower/ArrayConfig.hpp"

#include <string>
#include <vector>

namespace airlite::npu {

/// How much of something a tile uses.
struct ResourceUse {
  int64_t used = 0;
  int64_t there = 0;
  friend bool operator==(const ResourceUse&, const ResourceUse&) = default;
};

struct TileUse {
  Tile tile;
  ResourceUse memory;   ///< bytes: buffers, data of programs, the stack
  ResourceUse program;  ///< bytes
  ResourceUse locks, bds;
  ResourceUse s2mm, mm2s;  ///< DMA channels: those that start, and those that the host starts
  size_t buffers = 0;
};

/// From one switch to the next.
struct Hop {
  Tile from, to;
  Port master;  ///< of `from`
  friend auto operator<=>(const Hop&, const Hop&) = default;
};

/// The way of a flow: each wire that it uses, once, in the order in which it reaches them.
struct FlowUse {
  const Flow* flow = nullptr;
  std::vector<Hop> hops;
};

struct ResourceReport {
  std::vector<TileUse> tiles;  ///< those of the configuration and of shims that flows use
  std::vector<FlowUse> flows;
};

/// `config` must outlive the report.
ResourceReport resourcesOf(const ArrayConfig& config);

/// For people: a table of tiles, then a line for each flow.
std::string resourceTable(const ArrayConfig& config, const ResourceReport& report);
/// The same as JSON, `"format": "airlite-npu-resources"`.
std::string resourceJson(const ArrayConfig& config, const ResourceReport& report);

/// The array as SVG: tiles with their use and buffers, routes between them, in colours by flow.
std::string floorplanSvg(const ArrayConfig& config, const ResourceReport& report);

}  // namespace airlite::npu
