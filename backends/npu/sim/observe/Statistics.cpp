#include "airlite/npu/sim/array/Statistics.hpp"

#include <fmt/format.h>

namespace airlite::npu::sim {
namespace {

/// Of so many cycles, in percent.
double share(uint64_t part, uint64_t all) {
  return all == 0 ? 0.0 : 100.0 * double(part) / double(all);
}

double bytesPerCycle(uint64_t words, uint64_t cycles) {
  return cycles == 0 ? 0.0 : double(words * bytesPerWord) / double(cycles);
}

std::string nameOf(Tile tile) { return fmt::format("({},{})", tile.column, tile.row); }
std::string nameOf(const ChannelPlace& place) {
  return fmt::format("{} {} {}", nameOf(place.tile), name(place.direction), place.channel);
}

/// "34.0% waits for lock, 1.2% waits for memory": all but what is work or rest.
template <class State, size_t Count>
std::string stallsOf(const std::array<uint64_t, Count>& cycles, uint64_t all,
                     std::initializer_list<State> others) {
  std::string text;
  for (unsigned i = 0; i < Count; ++i) {
    bool isOther = cycles[i] == 0;
    for (const State state : others)
      isOther = isOther || unsigned(state) == i;
    if (isOther) continue;
    text += fmt::format("{}{:.1f}% {}", text.empty() ? "" : ", ", share(cycles[i], all),
                        name(State(i)));
  }
  return text;
}

uint64_t wordsOf(const std::vector<ChannelTraffic>& traffic, const ChannelPlace& place) {
  for (const ChannelTraffic& one : traffic)
    if (one.place == place) return one.words;
  return 0;
}

/// Cycles in which the channel had a task.
uint64_t busyCycles(const Statistics::ChannelCycles& cycles) {
  uint64_t busy = 0;
  for (unsigned i = 0; i < cycles.size(); ++i)
    if (ChannelActivity(i) != ChannelActivity::Idle) busy += cycles[i];
  return busy;
}

template <class State, size_t Count> std::string jsonOf(const std::array<uint64_t, Count>& cycles) {
  std::string text;
  for (unsigned i = 0; i < Count; ++i)
    if (cycles[i] != 0)
      text += fmt::format("{}\"{}\": {}", text.empty() ? "" : ", ", name(State(i)), cycles[i]);
  return "{" + text + "}";
}

std::string jsonOf(const CoreWork& work) {
  return fmt::format("\"bundles\": {}, \"products\": {}, \"most_products\": {}", work.bundles,
                     work.products, work.mostProducts);
}

struct DdrUse {
  const char* name;
  uint64_t bytes, requests;
  double busyCycles;  ///< in which the way to DDR served a request
};

std::array<DdrUse, 2> ddrUseOf(const Array& array) {
  const auto of = [&](const char* name, DmaDirection direction) {
    uint64_t words = 0;
    for (const ChannelTraffic& one : array.channelTraffic())
      if (one.place.direction == direction && one.place.tile.row == 0) words += one.words;
    const Timing& timing = array.timing();
    const uint64_t requests = array.ddrRequests(direction);
    const double each = timing.ddrBytesPerCycle == 0
                            ? 0.0
                            : double(timing.ddrRequestBytes) / double(timing.ddrBytesPerCycle);
    return DdrUse{name, words * uint64_t(bytesPerWord), requests, double(requests) * each};
  };
  return {of("read", DmaDirection::Mm2s), of("write", DmaDirection::S2mm)};
}

}  // namespace

void Statistics::core(Tile tile, uint64_t cycle, CoreState state, uint32_t) {
  cores_[tile].change(unsigned(state), cycle);
}

void Statistics::channel(const ChannelPlace& place, uint64_t cycle, ChannelActivity activity,
                         const Origin&) {
  channels_[place].change(unsigned(activity), cycle);
}

void Statistics::finish(uint64_t cycle) {
  for (auto& [tile, track] : cores_)
    track.change(track.state, cycle);
  for (auto& [place, track] : channels_)
    track.change(track.state, cycle);
}

std::map<Tile, Statistics::CoreCycles> Statistics::cores() const {
  std::map<Tile, CoreCycles> result;
  for (const auto& [tile, track] : cores_)
    result[tile] = track.cycles;
  return result;
}

std::map<ChannelPlace, Statistics::ChannelCycles> Statistics::channels() const {
  std::map<ChannelPlace, ChannelCycles> result;
  for (const auto& [place, track] : channels_)
    result[place] = track.cycles;
  return result;
}

std::string report(const Statistics& statistics, const Array& array, uint64_t cycles) {
  std::string text = fmt::format("{} cycles\n", cycles);
  for (const auto& [tile, spent] : statistics.cores())
    text +=
        fmt::format("  {} core: runs {:.1f}%; {}\n", nameOf(tile),
                    share(spent[unsigned(CoreState::Running)], cycles),
                    stallsOf<CoreState>(spent, cycles, {CoreState::Running, CoreState::Disabled}));
  const auto traffic = array.channelTraffic();
  for (const auto& [place, spent] : statistics.channels()) {
    const uint64_t busy = busyCycles(spent), words = wordsOf(traffic, place);
    text += fmt::format(
        "  {}: busy {:.1f}%, {} words, {:.2f} bytes per busy cycle; {}\n", nameOf(place),
        share(busy, cycles), words, bytesPerCycle(words, busy),
        stallsOf<ChannelActivity>(spent, cycles, {ChannelActivity::Idle, ChannelActivity::Moving}));
  }
  for (const DdrUse& use : ddrUseOf(array))
    text += fmt::format("  DDR {}: busy {:.1f}%, {} bytes in {} requests\n", use.name,
                        cycles == 0 ? 0.0 : 100 * use.busyCycles / double(cycles), use.bytes,
                        use.requests);
  for (const PortTraffic& port : array.portTraffic())
    text += fmt::format("  {} to {}: {} words, {:.2f} bytes per cycle\n", nameOf(port.tile),
                        name(port.port), port.words, bytesPerCycle(port.words, cycles));
  return text;
}

std::string reportJson(const Statistics& statistics, const Array& array, uint64_t cycles) {
  std::string cores, channels, ddr, ports;
  for (const auto& [tile, spent] : statistics.cores())
    cores += fmt::format("{}\n    {{\"column\": {}, \"row\": {}, \"cycles\": {}, {}}}",
                         cores.empty() ? "" : ",", tile.column, tile.row, jsonOf<CoreState>(spent),
                         jsonOf(array.work(tile)));
  const auto traffic = array.channelTraffic();
  for (const auto& [place, spent] : statistics.channels())
    channels += fmt::format(
        "{}\n    {{\"column\": {}, \"row\": {}, \"direction\": \"{}\", \"channel\": {}, "
        "\"words\": {}, \"cycles\": {}}}",
        channels.empty() ? "" : ",", place.tile.column, place.tile.row, name(place.direction),
        place.channel, wordsOf(traffic, place), jsonOf<ChannelActivity>(spent));
  for (const DdrUse& use : ddrUseOf(array))
    ddr += fmt::format("{}\"{}\": {{\"bytes\": {}, \"requests\": {}, \"busy_cycles\": {:.0f}}}",
                       ddr.empty() ? "" : ", ", use.name, use.bytes, use.requests, use.busyCycles);
  for (const PortTraffic& port : array.portTraffic())
    ports += fmt::format(
        "{}\n    {{\"column\": {}, \"row\": {}, \"master\": \"{}\", \"words\": {}}}",
        ports.empty() ? "" : ",", port.tile.column, port.tile.row, name(port.port), port.words);
  return fmt::format(
      "{{\n  \"cycles\": {},\n  \"cores\": [{}],\n  \"channels\": [{}],\n"
      "  \"ddr\": {{{}}},\n  \"ddr_bytes_per_cycle\": {},\n  \"streams\": [{}]\n}}\n",
      cycles, cores, channels, ddr, array.timing().ddrBytesPerCycle, ports);
}

}  // namespace airlite::npu::sim
