// The locks of one tile. Requests of a cycle are collected and answered at its end, in an order
// that depends on who asks alone: an acquire is granted in the cycle after it was made, at the
// earliest.
#pragma once

#include "airlite/npu/device/Tile.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace airlite::npu::sim {

/// Someone who can wait for one lock at a time.
struct LockClient {
  enum class State : uint8_t { None, Waiting, Granted };
  State state = State::None;
  Tile tile;          ///< whose lock
  unsigned lock = 0;  ///< its number there
  int value = 0;
};

class LockBank {
 public:
  /// `someAreDirty` becomes true with this bank.
  LockBank(unsigned count, bool& someAreDirty) : values_(count, 0), someAreDirty_(someAreDirty) {}

  unsigned count() const { return unsigned(values_.size()); }
  unsigned value(unsigned lock) const { return values_[lock]; }
  /// By configuration, at once.
  void set(unsigned lock, unsigned value) { values_[lock] = uint8_t(value), touch(); }

  /// `key` is unique to the client and gives the order among those of a cycle. The client must live
  /// until it is granted or withdrawn; its lock and value say what it wants.
  void acquire(unsigned key, LockClient& client);
  void withdraw(const LockClient& client);
  void release(unsigned lock, int change);

  bool isDirty() const { return isDirty_; }
  /// Ends the cycle. Gives a text when a release leaves 0..63. `granted` counts the grants.
  std::optional<std::string> settle(unsigned& granted);

 private:
  struct Request {
    unsigned key;
    LockClient* client;
  };
  struct Release {
    unsigned lock;
    int change;
  };
  bool grant(LockClient& client);
  void touch() { isDirty_ = someAreDirty_ = true; }

  std::vector<uint8_t> values_;
  std::vector<Request> waiting_;
  std::vector<Release> releases_;
  unsigned lastKey_ = ~0u;  ///< who got something last comes last: nobody starves
  bool isDirty_ = false;
  bool& someAreDirty_;
};

}  // namespace airlite::npu::sim
