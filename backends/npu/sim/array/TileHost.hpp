// A core tile as its core sees it.
#pragma once

#include "airlite/npu/sim/CoreHost.hpp"
#include "sim/array/Banks.hpp"
#include "sim/array/Locks.hpp"

#include <string>

namespace airlite::npu::sim {

struct TileState;

class TileHost final : public CoreHost {
 public:
  explicit TileHost(TileState& tile) : tile_(tile) {}

  Reply load(uint32_t address, std::span<uint8_t> to) override;
  Reply store(uint32_t address, std::span<const uint8_t> from) override;
  Reply readRegister(uint32_t offset, uint32_t& value) override;
  Reply writeRegister(uint32_t offset, uint32_t value) override;
  Reply acquire(unsigned lock, int value) override;
  Reply release(unsigned lock, int change) override;
  Reply readStream(StreamWord& word) override;
  Reply writeStream(StreamWord word) override;
  Reply readCascade(std::span<uint8_t, cascadeBytes> to) override;
  Reply writeCascade(std::span<const uint8_t, cascadeBytes> from) override;
  std::string faultText() const override { return fault_; }
  uint64_t cycle() const override;

  /// The lock it waits for, also one already granted.
  const LockClient& lock() const { return lock_; }
  /// Stalled since a bank serves somebody else.
  bool isBlocked() const { return banks_.blockedUntil > cycle(); }
  /// The tile that the cascade comes from, or goes to.
  Tile cascadePartner(bool isIn) const;
  /// Forgets what it waited for: the core was reset.
  void reset();

 private:
  bool busIsOn();
  Reply fail(std::string text);
  uint8_t* at(uint32_t address, size_t size);
  unsigned key() const;
  TileState* lockOwner(unsigned lock);

  TileState& tile_;
  LockClient lock_;
  MemoryClient banks_;
  std::string fault_;
};

}  // namespace airlite::npu::sim
