// What a machine is for the model of AIR programs: levels of memory with ports between them, tiles, and
// how fast these compute. Read from the JSON files that the AIR runner of mlir-air takes
// (docs/runner.md lists the members).
//
//   std::optional<runner::Machine> machine = runner::parseMachine(context, fileName, text);
#pragma once

#include "airlite/ir/Context.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::runner {

/// Ports of a memory in one direction, all of the same speed.
struct PortGroup {
  uint64_t count = 0;
  double bytesPerSecond = 0;  ///< of each
};

/// A level of memory, or what leads to it.
struct MemoryPorts {
  PortGroup outbound, inbound;
};

/// How fast a tile computes with elements of a type.
struct ComputeRate {
  double opsPerCycle = 0;  ///< a multiply-add counts as two
  double efficiency = 1;   ///< a factor
};

struct Machine {
  std::string name;
  double clock = 0;                                          ///< Hz
  std::map<std::string, uint64_t, std::less<>> bytesOfType;  ///< of an element: "bf16"
  std::map<std::string, std::map<std::string, ComputeRate>, std::less<>>
      kernels;  ///< by op and type
  std::map<std::string, std::map<std::string, uint64_t>, std::less<>> customKernels;  ///< cycles
  MemoryPorts l3;  ///< of all of it
  MemoryPorts l2;  ///< of a unit ("DU"), which a segment reserves
  MemoryPorts l1;  ///< of a tile, which a core of a herd reserves
  uint64_t l2Bytes = 0, l1Bytes = 0;
  std::vector<uint64_t> units;  ///< DUs along each dimension
  std::vector<uint64_t> tiles;  ///< rows and columns of the tiles of a unit

  uint64_t numUnits() const;
  uint64_t tilesOfUnit() const;
};

/// Empty after errors, which are reported at their place in the file: members that are missing, unknown
/// (with a proposal) or of the wrong kind. Members named `//...` are comments.
std::optional<Machine> parseMachine(Context& context, std::string fileName, std::string text);

}  // namespace airlite::runner
