// Lanes of channels that several processes share: a lane is bytes on the board, fetched under the
// board's lock for each step of a put or get, and written back when the step has changed it.
#include "RankSide.hpp"

#include <cstring>

namespace airlite::interp {

namespace {

class Writer {
 public:
  template <class T> void number(T value) { append(&value, sizeof value); }
  template <class Vector> void bytes(const Vector& from) {
    number<uint64_t>(from.size());
    append(from.data(), from.size());
  }
  std::vector<std::byte> take() { return std::move(out_); }

 private:
  void append(const void* from, size_t size) {
    const auto* first = static_cast<const std::byte*>(from);
    out_.insert(out_.end(), first, first + size);
  }
  std::vector<std::byte> out_;
};

/// Reads what a Writer wrote.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> in) : in_(in) {}
  template <class T> T number() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  template <class Vector> void bytes(Vector& to) {
    std::span<const std::byte> from = take(number<uint64_t>());
    to.resize(from.size());
    if (!from.empty()) std::memcpy(to.data(), from.data(), from.size());
  }

 private:
  std::span<const std::byte> take(size_t size) {
    std::span<const std::byte> taken = in_.first(size);
    in_ = in_.subspan(size);
    return taken;
  }
  std::span<const std::byte> in_;
};

}  // namespace

std::vector<std::byte> bytesOfLane(const ChannelLane& lane) {
  Writer out;
  out.number(lane.taken);
  out.number<uint64_t>(lane.queue.size());
  for (const Transfer& transfer : lane.queue) {
    out.number(transfer.times);
    out.number(transfer.readers);
    out.number(transfer.only);
    out.number(transfer.piece.route);
    out.bytes(transfer.piece.data);
    out.bytes(transfer.piece.known);
  }
  for (const Cursor& cursor : lane.destinations) {
    out.number(cursor.transfer);
    out.number<uint64_t>(cursor.byte);
  }
  return out.take();
}

void readLane(ChannelLane& lane, std::span<const std::byte> bytes) {
  Reader in(bytes);
  lane.taken = in.number<uint64_t>();
  lane.queue.resize(in.number<uint64_t>());
  for (Transfer& transfer : lane.queue) {
    transfer.times = in.number<uint64_t>();
    transfer.readers = in.number<uint32_t>();
    transfer.only = in.number<int64_t>();
    transfer.piece.route = in.number<int64_t>();
    in.bytes(transfer.piece.data);
    in.bytes(transfer.piece.known);
  }
  for (Cursor& cursor : lane.destinations) {
    cursor.transfer = in.number<uint64_t>();
    cursor.byte = in.number<uint64_t>();
  }
}

LaneHold::LaneHold(Run& run, ChannelLane& lane) : lane_(lane) {
  if (!lane.shared) return;
  board_ = &run.machine.side()->board();
  lock_.emplace(*board_);
  // Nobody has used it yet where there are no bytes.
  if (auto bytes = board_->read(*lane.shared); !bytes.empty()) readLane(lane, bytes);
}

void LaneHold::store() {
  if (!board_) return;
  board_->write(*lane_.shared, bytesOfLane(lane_));
  board_->noteChange();
}

}  // namespace airlite::interp
