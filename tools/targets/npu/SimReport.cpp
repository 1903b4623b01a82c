#include "SimReport.hpp"

#include <fmt/format.h>

namespace airlite::tools {
namespace {

using namespace npu;
using namespace npu::sim;

/// The descriptor of a tile, as the configuration wrote it.
const SourcePlace* ofDescriptor(Tile tile, unsigned bd, const LocationMap& locations) {
  return locations.ofConfig(addressOf(tile, limitsOf(kindOfRow(tile.row)).bd.at(bd)));
}

/// Where a program says it: the line of an instruction, of a descriptor, of a step of the host.
std::string linesOf(Tile tile, const Origin& origin, const LocationMap& locations) {
  std::string text;
  const auto add = [&](const char* what, const SourcePlace* place) {
    if (place)
      text += fmt::format("\n      {} {}:{}:{}", what, place->file, place->line, place->column);
  };
  if (origin.programCounter)
    add("instruction of", locations.ofProgram(tile, *origin.programCounter));
  // What the host wrote at run time counts more than the configuration.
  if (origin.bd && !origin.operation)
    add("descriptor of", ofDescriptor(tile, *origin.bd, locations));
  if (origin.operation)
    add(origin.bd ? "descriptor of" : "step of the host", locations.ofStream(*origin.operation));
  return text;
}

std::string lineOf(const Wait& wait, const LocationMap& locations) {
  return wait.text + linesOf(wait.tile, wait.origin, locations) + "\n";
}

const char* headOf(const RunResult& result) {
  switch (result.outcome) {
    case Outcome::Hung: return "the design hangs";
    case Outcome::Faulted: return "the design faults";
    case Outcome::OutOfCycles: return "the design is not done";
    case Outcome::Stopped: return "the run was stopped";
    default: return "the design has finished";
  }
}

}  // namespace

const SourcePlace* sourceOf(Tile tile, const Origin& origin, const LocationMap& locations) {
  if (origin.programCounter) return locations.ofProgram(tile, *origin.programCounter);
  if (origin.operation) return locations.ofStream(*origin.operation);
  return origin.bd ? ofDescriptor(tile, *origin.bd, locations) : nullptr;
}

std::string faultText(const Fault& fault, const LocationMap& locations) {
  return fmt::format("tile ({},{}), cycle {}: {}{}", fault.tile.column, fault.tile.row, fault.cycle,
                     fault.text, linesOf(fault.tile, fault.origin, locations));
}

std::string runText(const RunResult& result, const LocationMap& locations) {
  std::string text = fmt::format("{} after {} cycles", headOf(result), result.cycles);
  if (result.fault) return text + ": " + faultText(*result.fault, locations);
  if (!result.chain.empty()) {
    text += result.circleFrom ? ": these wait for each other in a circle\n"
                              : ": each waits for the next\n";
    for (size_t i = 0; i < result.chain.size(); ++i) {
      if (i == result.circleFrom && i != 0) text += "  the circle:\n";
      text += "    " + lineOf(result.chain[i], locations);
    }
  }
  if (!result.waits.empty()) text += "  all that waits:\n";
  for (const Wait& wait : result.waits)
    text += "    " + wait.text + "\n";
  while (text.ends_with('\n'))
    text.pop_back();
  return text;
}

}  // namespace airlite::tools
