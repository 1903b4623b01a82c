// What airlite-compare needs of a recorded run (docs/view.md, "The record"), as plain data.
#pragma once

#include "airlite/support/Result.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace airlite::tools {

/// Cycles by the name of a state: "runs", "waits for lock".
using StateCycles = std::map<std::string, uint64_t>;

struct TilePlace {
  unsigned column = 0, row = 0;
  friend auto operator<=>(const TilePlace&, const TilePlace&) = default;
};

struct RecordedCore {
  TilePlace tile;
  StateCycles cycles;
  uint64_t bundles = 0, products = 0, mostProducts = 0;
};

struct RecordedChannel {
  std::string kind;  ///< of its tile: "core", "memory", "shim"
  StateCycles cycles;
  uint64_t words = 0;
};

/// One direction of DDR.
struct RecordedDdr {
  uint64_t bytes = 0, requests = 0;
  double busyCycles = 0;
};

struct RecordedRun {
  std::string outcome;  ///< "finished"
  uint64_t cycles = 0;
  uint64_t hostCommands = 0;  ///< cycles in which the firmware writes and starts tasks
  std::vector<RecordedCore> cores;
  std::vector<RecordedChannel> channels;
  RecordedDdr read, write;
};

struct RecordFile {
  std::string path;
  std::string device;
  std::vector<RecordedRun> runs;  ///< at least one
};

/// Reads a file of --record, or a page of --view. The error has the whole message, with the place:
/// "FILE:3:7: error: ...".
Result<RecordFile> readRecordFile(const std::string& path);

}  // namespace airlite::tools
