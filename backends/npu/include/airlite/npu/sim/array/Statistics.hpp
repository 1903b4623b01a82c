// Observers that make something of a run: how long cores and channels did what, and a trace that
// chrome://tracing and Perfetto show.
//
//   Statistics statistics;  // the observer of a run
//   statistics.finish(cycles);
//   std::cout << report(statistics, array, cycles);
#pragma once

#include "airlite/npu/sim/array/Array.hpp"
#include "airlite/npu/sim/array/Observer.hpp"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace airlite::npu::sim {

/// Cycles that each core and channel spent in each of its states. Those that never did anything are
/// not in it.
class Statistics final : public Observer {
 public:
  using CoreCycles = std::array<uint64_t, coreStateCount>;
  using ChannelCycles = std::array<uint64_t, channelActivityCount>;

  void core(Tile tile, uint64_t cycle, CoreState state, uint32_t programCounter) override;
  void channel(const ChannelPlace& place, uint64_t cycle, ChannelActivity activity,
               const Origin& origin) override;
  void lock(Tile, unsigned, uint64_t, unsigned) override {}
  /// The run is over in that cycle: what still lasts is counted until then.
  void finish(uint64_t cycle);

  std::map<Tile, CoreCycles> cores() const;
  std::map<ChannelPlace, ChannelCycles> channels() const;

 private:
  template <size_t States> struct Track {
    std::array<uint64_t, States> cycles{};
    unsigned state = 0;
    uint64_t since = 0;
    void change(unsigned to, uint64_t cycle) {
      cycles[state] += cycle - since;
      state = to, since = cycle;
    }
  };
  std::map<Tile, Track<coreStateCount>> cores_;
  std::map<ChannelPlace, Track<channelActivityCount>> channels_;
};

/// For people: utilisation and stalls of cores and channels, words and bytes per cycle of channels
/// and of the masters of switches. `cycles`: how long the run took.
std::string report(const Statistics& statistics, const Array& array, uint64_t cycles);
/// The same as one JSON object.
std::string reportJson(const Statistics& statistics, const Array& array, uint64_t cycles);

/// Writes a trace: a process for each tile; a track for its core and each of its channels, with
/// what they do and the causes of stalls; a counter for each lock. A microsecond of the trace is a
/// cycle. Channels that move words with gaps shorter than `shortestStall` cycles move them all the
/// time: shims pause every 20 words, and a trace of it would hide the rest.
class TraceWriter final : public Observer {
 public:
  static constexpr uint64_t shortestStall = 4;

  void core(Tile tile, uint64_t cycle, CoreState state, uint32_t programCounter) override;
  void channel(const ChannelPlace& place, uint64_t cycle, ChannelActivity activity,
               const Origin& origin) override;
  void lock(Tile tile, unsigned lock, uint64_t cycle, unsigned value) override;
  /// Ends the run in that cycle, and gives the JSON text.
  std::string finish(uint64_t cycle);

 private:
  struct Slice {
    std::string name;  ///< empty: nothing to show
    bool isStall = false;
    uint64_t begin = 0;
    uint64_t end = 0;
  };
  struct Track {
    unsigned process = 0;
    unsigned thread = 0;
    Slice last, open;  ///< `last` may still become longer
  };
  Track& trackOf(Tile tile, unsigned thread, const std::string& name);
  void change(Track& track, uint64_t cycle, std::string name, bool isStall, uint64_t shortest);
  void close(Track& track, uint64_t cycle, uint64_t shortest);
  void write(const Track& track, const Slice& slice);
  void add(const std::string& event);

  std::map<std::pair<unsigned, unsigned>, Track> tracks_;
  std::map<unsigned, bool> processes_;
  std::string events_;
};

/// Tells several observers.
class Observers final : public Observer {
 public:
  void add(Observer& observer) { all_.push_back(&observer); }
  bool isEmpty() const { return all_.empty(); }
  void core(Tile tile, uint64_t cycle, CoreState state, uint32_t programCounter) override {
    for (Observer* one : all_)
      one->core(tile, cycle, state, programCounter);
  }
  void channel(const ChannelPlace& place, uint64_t cycle, ChannelActivity activity,
               const Origin& origin) override {
    for (Observer* one : all_)
      one->channel(place, cycle, activity, origin);
  }
  void lock(Tile tile, unsigned lock, uint64_t cycle, unsigned value) override {
    for (Observer* one : all_)
      one->lock(tile, lock, cycle, value);
  }
  void stream(uint64_t cycle, StreamActivity activity, const Origin& origin) override {
    for (Observer* one : all_)
      one->stream(cycle, activity, origin);
  }

 private:
  std::vector<Observer*> all_;
};

}  // namespace airlite::npu::sim
