#include "SimReport.hpp"

#include <fmt/format.h>

namespace airlite::tools {
namespace {

using namespace npu;
using namespace npu::sim;

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
