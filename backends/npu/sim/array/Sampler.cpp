#include "sim/array/Sampler.hpp"

#include "sim/array/State.hpp"

namespace airlite::npu::sim {
namespace {

constexpr std::string_view activityNames[channelActivityCount] = {
    "idle",           "starts",           "moves words",
    "waits for lock", "waits for stream", "waits for memory",
    "sends a token"};
constexpr std::string_view stateNames[coreStateCount] = {"disabled",
                                                         "runs",
                                                         "waits for memory",
                                                         "waits for lock",
                                                         "waits for stream in",
                                                         "waits for stream out",
                                                         "waits for cascade in",
                                                         "waits for cascade out",
                                                         "done",
                                                         "faulted"};
constexpr std::string_view streamNames[streamActivityCount] = {"idle", "commands",
                                                               "waits for token"};

}  // namespace

std::string_view name(ChannelActivity activity) { return activityNames[unsigned(activity)]; }
std::string_view name(StreamActivity activity) { return streamNames[unsigned(activity)]; }
std::string_view name(CoreState state) { return stateNames[unsigned(state)]; }

Sampler::Sampler(const ArrayState& array, Observer& observer)
    : array_(array), observer_(observer), seen_(array.tiles.size()) {
  for (size_t i = 0; i < seen_.size(); ++i) {
    seen_[i].channels.resize(array.tiles[i]->channels.size());
    seen_[i].locks.resize(array.tiles[i]->locks.count());
  }
}

void Sampler::sample(uint64_t now) {
  for (size_t i = 0; i < seen_.size(); ++i)
    sampleTile(*array_.tiles[i], seen_[i], now);
}

void Sampler::sampleTile(const TileState& tile, SeenTile& seen, uint64_t now) {
  if (tile.core) sampleCore(tile, seen, now);
  for (size_t i = 0; i < tile.channels.size(); ++i)
    sampleChannel(tile, tile.channels[i], seen.channels[i], now);
  sampleLocks(tile, seen, now);
}

void Sampler::sampleCore(const TileState& tile, SeenTile& seen, uint64_t now) {
  const CoreStatus status = tile.core->status();
  // A core that stands for a bank is not stepped: it cannot know.
  const bool isBlocked = tile.bankStalls != seen.bankStalls;
  const CoreState state = isBlocked ? CoreState::StalledOnMemory : status.state;
  seen.bankStalls = tile.bankStalls;
  if (state == seen.core) return;
  seen.core = state;
  observer_.core(tile.place, now, state, status.programCounter);
}

void Sampler::sampleChannel(const TileState& tile, const Channel& channel, SeenChannel& seen,
                            uint64_t now) {
  const bool moved = channel.words() != seen.words;
  const ChannelActivity activity = channel.activity(moved);
  const unsigned bd = channel.bd();
  seen.words = channel.words();
  if (activity == seen.activity && (bd == seen.bd || activity == ChannelActivity::Idle)) return;
  seen.activity = activity, seen.bd = bd;
  observer_.channel({tile.place, channel.direction(), channel.number()}, now, activity,
                    channel.origin());
}

void Sampler::sampleLocks(const TileState& tile, SeenTile& seen, uint64_t now) {
  for (unsigned lock = 0; lock < seen.locks.size(); ++lock) {
    const unsigned value = tile.locks.value(lock);
    if (value == seen.locks[lock]) continue;
    seen.locks[lock] = uint8_t(value);
    observer_.lock(tile.place, lock, now, value);
  }
}

}  // namespace airlite::npu::sim
