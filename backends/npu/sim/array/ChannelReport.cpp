// What a DMA channel says of itself: to observers, in its status register, when it waits.
#include "sim/array/Channel.hpp"
#include "sim/array/State.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace airlite::npu::sim {

/// There is something to do, and the control register holds it.
bool Channel::isPaused() const {
  return (control_.pausesMemory && state_ == State::Moving) ||
         (control_.pausesStream && (!mover_.fifo().isEmpty() || state_ == State::Moving));
}

ChannelActivity Channel::activity(bool moved) const {
  switch (state_) {
    case State::Idle: return queue_.empty() ? ChannelActivity::Idle : ChannelActivity::Starting;
    case State::Acquiring: return ChannelActivity::StalledOnLock;
    case State::AwaitingPacket: return ChannelActivity::StalledOnStream;
    case State::Token: return ChannelActivity::SendingToken;
    case State::Moving:
      if (moved) return ChannelActivity::Moving;
      return mover_.waitsForMemory(tile_.array.now) ? ChannelActivity::StalledOnMemory
                                                    : ChannelActivity::StalledOnStream;
    default: return moved ? ChannelActivity::Moving : ChannelActivity::Starting;
  }
}

uint32_t Channel::status() const {
  const uint32_t state = state_ == State::Idle ? 0 : state_ == State::Starting ? 1 : 2;
  const uint32_t stalled = state_ == State::Acquiring ? 1u << 2
                           : state_ == State::Token   ? 1u << 5
                                                      : 0;
  const uint32_t running = state_ == State::Idle ? 0 : 1u << 19;
  return state | stalled | running | uint32_t(queue_.size()) << 20 | uint32_t(bdId_) << 24;
}

std::optional<Wait> Channel::wait() const {
  Wait wait{.tile = tile_.place,
            .who = name(),
            .kind = WaitKind::StreamIn,
            .other = {},
            .text = {},
            .origin = origin()};
  const std::string start =
      fmt::format("({},{}) {} ", tile_.place.column, tile_.place.row, wait.who);
  if (isPaused()) {
    wait.text = start + fmt::format("is paused by its control register ({})",
                                    control_.pausesMemory ? "Pause_Mem" : "Pause_Stream");
    return wait;
  }
  if (state_ == State::Acquiring) {
    wait.kind = WaitKind::Lock, wait.other = lock_.tile, wait.lock = lock_.lock;
    const unsigned have = tile_.array.at(lock_.tile)->locks.value(lock_.lock);
    wait.text =
        start + fmt::format("BD {} waits for lock {} of ({},{}): it holds {}, needs {}{}", bdId_,
                            lock_.lock, lock_.tile.column, lock_.tile.row, have,
                            lock_.value < 0 ? "at least " : "exactly ", std::abs(lock_.value));
    return wait;
  }
  if (isSender() && !mover_.fifo().isEmpty()) {
    wait.kind = WaitKind::StreamOut;
    wait.text = start + (tile_.portOf(direction_, number_) ? "has no room in its stream"
                                                           : "is not connected to the switch");
    return wait;
  }
  if (state_ == State::Token) {
    wait.kind = WaitKind::Token, wait.text = start + "has no room for its token at CTRL0";
    return wait;
  }
  if (state_ == State::AwaitingPacket) {
    wait.text = start + fmt::format("waits for {} more packets, out of order", runsLeft_);
    return wait;
  }
  if (!isSender() && state_ == State::Moving && mover_.compresses()) {
    wait.text =
        start + fmt::format("BD {} waits for compressed words: {} of its words are still to "
                            "come",
                            bdId_, mover_.arriving());
    return wait;
  }
  if (!isSender() && state_ == State::Moving) {
    wait.text =
        start + fmt::format("BD {} waits for {} more words from its stream", bdId_, mover_.left());
    return wait;
  }
  if (!isSender() && !mover_.fifo().isEmpty()) {
    wait.kind = WaitKind::StreamOut;
    wait.text = start + "has received words, and no task to take them";
    return wait;
  }
  return std::nullopt;
}

}  // namespace airlite::npu::sim
