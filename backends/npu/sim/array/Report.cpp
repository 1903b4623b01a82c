// What waits for what, when nothing moves any more.
#include "sim/array/State.hpp"

#include <fmt/format.h>

namespace airlite::npu::sim {
namespace {

const char* nameOf(CoreState state) {
  switch (state) {
    case CoreState::StalledOnMemory: return "memory";
    case CoreState::StalledOnStreamIn: return "a word from its stream";
    case CoreState::StalledOnStreamOut: return "room in its stream";
    case CoreState::StalledOnCascadeIn: return "the cascade";
    case CoreState::StalledOnCascadeOut: return "room in the cascade";
    default: return "a lock";
  }
}

}  // namespace

std::optional<Wait> waitOfCore(const TileState& tile) {
  const auto status = tile.core ? tile.core->status() : CoreStatus{};
  if (!isStalled(status.state)) return std::nullopt;
  Wait wait{.tile = tile.place,
            .who = "core",
            .kind = WaitKind::Core,
            .other = {},
            .text = {},
            .origin = {.programCounter = status.programCounter}};
  wait.text = fmt::format("({},{}) core at {:#x} waits for {}", tile.place.column, tile.place.row,
                          status.programCounter, nameOf(status.state));
  if (status.state != CoreState::StalledOnLock) return wait;
  const auto& lock = tile.host.lock();
  wait.kind = WaitKind::Lock, wait.other = lock.tile, wait.lock = lock.lock;
  wait.text += fmt::format(" {} of ({},{}): it holds {}, needs {}{}", lock.lock, lock.tile.column,
                           lock.tile.row, tile.array.at(lock.tile)->locks.value(lock.lock),
                           lock.value < 0 ? "at least " : "exactly ", std::abs(lock.value));
  return wait;
}

std::vector<Wait> waitsOf(ArrayState& array) {
  std::vector<Wait> result;
  for (const auto& tile : array.tiles) {
    if (auto wait = waitOfCore(*tile)) result.push_back(std::move(*wait));
    for (const auto& channel : tile->channels)
      if (auto wait = channel.wait()) result.push_back(std::move(*wait));
    for (const auto& [slave, text] : tile->streams.stuck(array.now)) {
      const std::string port = name(*portAt(tile->kind, PortSide::Slave, slave));
      result.push_back({.tile = tile->place,
                        .who = "slave " + port,
                        .kind = WaitKind::StreamOut,
                        .other = {},
                        .text = fmt::format("({},{}) a word stands in slave {}: {}",
                                            tile->place.column, tile->place.row, port, text)});
    }
  }
  return result;
}

}  // namespace airlite::npu::sim
