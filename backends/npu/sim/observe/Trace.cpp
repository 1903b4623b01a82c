// The trace-event format of Chrome, which Perfetto reads too: one JSON object for each slice.
#include "airlite/npu/sim/array/Statistics.hpp"

#include <fmt/format.h>

namespace airlite::npu::sim {
namespace {

/// Threads of a tile: its core, its receivers, its senders.
constexpr unsigned coreThread = 1, s2mmThread = 2, mm2sThread = 10;

unsigned processOf(Tile tile) { return 1 + unsigned(tile.column) * 16 + tile.row; }

bool isWork(CoreState state) { return state == CoreState::Running; }
bool isNothing(CoreState state) { return state == CoreState::Disabled || state == CoreState::Done; }

bool isStall(ChannelActivity activity) {
  return activity == ChannelActivity::StalledOnLock ||
         activity == ChannelActivity::StalledOnStream ||
         activity == ChannelActivity::StalledOnMemory;
}

}  // namespace

void TraceWriter::add(const std::string& event) {
  events_ += (events_.empty() ? "\n" : ",\n") + event;
}

TraceWriter::Track& TraceWriter::trackOf(Tile tile, unsigned thread, const std::string& name) {
  const unsigned process = processOf(tile);
  auto [found, isNew] = tracks_.try_emplace({process, thread});
  if (!isNew) return found->second;
  found->second.process = process, found->second.thread = thread;
  if (processes_.try_emplace(process, true).second)
    add(fmt::format(R"json({{"ph":"M","name":"process_name","pid":{},)json"
                    R"json("args":{{"name":"{} tile ({},{})"}}}})json",
                    process, npu::name(kindOfRow(tile.row)), tile.column, tile.row));
  add(fmt::format(
      R"json({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":"{}"}}}})json",
      process, thread, name));
  return found->second;
}

void TraceWriter::write(const Track& track, const Slice& slice) {
  if (slice.name.empty() || slice.end <= slice.begin) return;
  add(fmt::format(
      R"json({{"ph":"X","name":"{}","cat":"{}","pid":{},"tid":{},"ts":{},"dur":{}}})json",
      slice.name, slice.isStall ? "stall" : "work", track.process, track.thread, slice.begin,
      slice.end - slice.begin));
}

/// What is open ends. A short stall is forgotten when the slice before continues after it.
void TraceWriter::close(Track& track, uint64_t cycle, uint64_t shortest) {
  track.open.end = cycle;
  const bool isShort = track.open.isStall && cycle - track.open.begin < shortest;
  const bool joins = track.open.name == track.last.name && !track.open.isStall;
  if (joins && track.open.begin - track.last.end < shortest) {
    track.last.end = cycle;
  } else if (!isShort) {
    write(track, track.last);
    track.last = track.open;
  }
}

void TraceWriter::change(Track& track, uint64_t cycle, std::string name, bool isStall,
                         uint64_t shortest) {
  close(track, cycle, shortest);
  track.open = {std::move(name), isStall, cycle, cycle};
}

void TraceWriter::core(Tile tile, uint64_t cycle, CoreState state, uint32_t) {
  Track& track = trackOf(tile, coreThread, "core");
  const std::string name(isNothing(state) ? std::string_view() : sim::name(state));
  change(track, cycle, name, !isWork(state) && !isNothing(state), 1);
}

void TraceWriter::channel(const ChannelPlace& place, uint64_t cycle, ChannelActivity activity,
                          const Origin& origin) {
  const bool sends = place.direction == DmaDirection::Mm2s;
  Track& track = trackOf(place.tile, (sends ? mm2sThread : s2mmThread) + place.channel,
                         fmt::format("{} {}", npu::name(place.direction), place.channel));
  std::string name;
  if (activity != ChannelActivity::Idle)
    name =
        fmt::format("{}BD {}",
                    activity == ChannelActivity::Moving ? std::string()
                                                        : std::string(sim::name(activity)) + ", ",
                    origin.bd.value_or(0));
  change(track, cycle, std::move(name), isStall(activity), shortestStall);
}

void TraceWriter::lock(Tile tile, unsigned lock, uint64_t cycle, unsigned value) {
  add(fmt::format(R"json({{"ph":"C","name":"lock {}","pid":{},"ts":{},"args":{{"value":{}}}}})json",
                  lock, processOf(tile), cycle, value));
}

std::string TraceWriter::finish(uint64_t cycle) {
  for (auto& [key, track] : tracks_) {
    close(track, cycle, 0);
    write(track, track.last);
  }
  return "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [" + events_ + "\n]}\n";
}

}  // namespace airlite::npu::sim
