#include "SimReport.hpp"

#include <fmt/format.h>

namespace airlite::tools {
namespace {

using namespace npu;
using namespace npu::sim;

std::string at(const SourcePlace* place) {
  if (!place) return {};
  return fmt::format("\n      {}:{}:{}", place->file, place->line, place->column);
}

}  // namespace

std::string faultText(const Fault& fault, const LocationMap& locations) {
  std::string text = fmt::format("tile ({},{}), cycle {}: {}", fault.tile.column, fault.tile.row,
                                 fault.cycle, fault.text);
  (void)locations;
  return text;
}

std::string runText(const RunResult& result, const LocationMap& locations) {
  std::string text = result.text();
  (void)locations;
  return text;
}

}  // namespace airlite::tools
