#include "airlite/npu/sim/array/Timing.hpp"

#include <fmt/format.h>

#include <charconv>

namespace airlite::npu::sim {
namespace {

struct Entry {
  std::string_view name;
  unsigned Timing::*number;
  unsigned least = 0;  ///< a FIFO without room would let nothing pass
};

constexpr unsigned kMost = 1'000'000;
constexpr Entry entries[] = {
    {"slavePort", &Timing::slavePort},
    {"slaveDepth", &Timing::slaveDepth, 1},
    {"localMaster", &Timing::localMaster},
    {"localMasterDepth", &Timing::localMasterDepth, 1},
    {"outerMaster", &Timing::outerMaster},
    {"outerMasterDepth", &Timing::outerMasterDepth, 1},
    {"hop", &Timing::hop, 1},
    {"arbitration", &Timing::arbitration},
    {"fifoPortDepth", &Timing::fifoPortDepth, 1},
    {"channelStart", &Timing::channelStart},
    {"bdSetup", &Timing::bdSetup},
    {"chainedBd", &Timing::chainedBd},
    {"lockRelease", &Timing::lockRelease},
    {"memoryLatency", &Timing::memoryLatency, 1},
    {"ingressDepth", &Timing::ingressDepth, 1},
    {"egressDepth", &Timing::egressDepth, 1},
    {"shimFirstMm2s", &Timing::shimFirstMm2s},
    {"shimFirstS2mm", &Timing::shimFirstS2mm},
    {"shimLaterMm2s", &Timing::shimLaterMm2s},
    {"shimLaterS2mm", &Timing::shimLaterS2mm},
    {"shimMm2sBurst", &Timing::shimMm2sBurst, 1},
    {"ddrBytesPerCycle", &Timing::ddrBytesPerCycle},
    {"ddrRequestBytes", &Timing::ddrRequestBytes, 4},
    {"cascadeLatency", &Timing::cascadeLatency, 1},
    {"cascadeDepth", &Timing::cascadeDepth, 1},
    {"commandWrite", &Timing::commandWrite},
    {"commandPer8Words", &Timing::commandPer8Words},
    {"commandPushMm2s", &Timing::commandPushMm2s},
    {"commandPushS2mm", &Timing::commandPushS2mm},
};

const Entry* entryOf(std::string_view name) {
  for (const Entry& entry : entries)
    if (entry.name == name) return &entry;
  return nullptr;
}

}  // namespace

Timing timingOn(aie::Generation generation, Timing timing) {
  const aie::HostMemory memory = aie::hostMemoryOf(generation);
  if (timing.ddrBytesPerCycle == Timing::kOfDevice) timing.ddrBytesPerCycle = memory.bytesPerCycle;
  if (timing.ddrRequestBytes == Timing::kOfDevice) timing.ddrRequestBytes = memory.requestBytes;
  return timing;
}

std::vector<std::string_view> timingNames() {
  std::vector<std::string_view> names;
  for (const Entry& entry : entries)
    names.push_back(entry.name);
  return names;
}

Result<void> setTiming(Timing& timing, std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos) return Error{fmt::format("'{}' is not NAME=NUMBER", text)};
  const std::string_view name = text.substr(0, equals), digits = text.substr(equals + 1);
  const Entry* entry = entryOf(name);
  if (!entry) return Error{fmt::format("the simulator has no time '{}'", name)};
  unsigned value = 0;
  const char* end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, value);
  if (digits.empty() || read.ec != std::errc() || read.ptr != end || value < entry->least ||
      value > kMost)
    return Error{fmt::format("'{}' is not a number from {} to {}, which {} may be", digits,
                             entry->least, kMost, name)};
  timing.*entry->number = value;
  return {};
}

}  // namespace airlite::npu::sim
