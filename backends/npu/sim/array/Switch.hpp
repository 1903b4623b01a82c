// The stream switch of one tile: slaves bring words in, masters take them out; both buffer. A
// circuit slave sends to all its masters at once or not at all; a packet slave looks its header up
// in its slots and holds an arbiter until the last word.
#pragma once

#include "airlite/npu/device/StreamSwitch.hpp"
#include "airlite/npu/sim/array/Timing.hpp"
#include "sim/array/Fifo.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace airlite::npu::sim {

/// One class: a cycle arbitrates, moves words and keeps the sets of full ports, all over the same
/// ports; it is the innermost loop of the simulator.
class Switch {
 public:
  Switch(TileKind kind, const Timing& timing);

  /// What a register write says. A text: it cannot be.
  std::optional<std::string> setMaster(unsigned index, uint32_t word);
  std::optional<std::string> setSlave(unsigned index, uint32_t word);
  std::optional<std::string> setSlot(unsigned index, unsigned slot, uint32_t word);
  /// The neighbour's slave that a master feeds.
  void wire(unsigned master, Switch& to, unsigned slave);

  bool canEnter(unsigned slave, uint64_t now) const { return slaves_[slave].fifo.hasRoom(now); }
  void enter(unsigned slave, const Flit& flit, uint64_t now);
  const Flit* atMaster(unsigned master, uint64_t now) const {
    return masters_[master].fifo.head(now);
  }
  void leave(unsigned master, uint64_t now);
  /// Packets leave by it with the header that led them there.
  bool keepsHeader(unsigned master) const {
    const MasterConfig& config = masters_[master].config;
    return config.isPacket && !config.dropsHeader;
  }
  /// Words that left by a master so far.
  uint64_t wordsLeft(unsigned master) const { return masters_[master].words; }

  /// Masters in which words are, a bit each.
  uint32_t fullMasters() const { return fullMasters_; }
  bool isIdle() const { return (fullMasters_ | fullSlaves_) == 0; }
  /// Some word is under way and only needs time.
  bool ripens(uint64_t now) const;

  /// One cycle. Gives how many words moved; `fault` names what cannot be.
  unsigned step(uint64_t now, std::optional<std::string>& fault);

  /// Masters that what comes in at a slave may go to, and slaves that a master may take from, a bit
  /// each: by the settings, whatever packet is under way.
  uint32_t mastersFrom(unsigned slave) const;
  uint32_t slavesInto(unsigned master) const;
  /// Of packets with that id, or of a circuit (any id): masters that they go to.
  uint32_t mastersFor(unsigned slave, int packet) const;
  bool takesPackets(unsigned slave) const {
    return slaves_[slave].config.isEnabled && slaves_[slave].config.isPacket;
  }
  /// What stands between a slave and a master: words of their FIFOs, and cycles.
  struct Passing {
    unsigned words, cycles;
  };
  Passing passing(unsigned slave, unsigned master) const {
    return {slaves_[slave].fifo.capacity() + masters_[master].fifo.capacity(),
            slaves_[slave].latency + masters_[master].latency};
  }

  /// Why the word at the front of a slave does not move, one entry per slave that has one.
  struct Stuck {
    unsigned slave;
    std::string text;
  };
  std::vector<Stuck> stuck(uint64_t now) const;

 private:
  struct Master {
    Port port;
    MasterConfig config{.isEnabled = false};
    Fifo<Flit> fifo;
    unsigned latency = 1;
    Switch* target = nullptr;
    unsigned targetSlave = 0;
    uint64_t words = 0;  ///< that left
  };
  struct Slave {
    Port port;
    SlaveConfig config{.isEnabled = false};
    std::array<SlotConfig, slotCount> slots{};
    Fifo<Flit> fifo;
    unsigned latency = 2;
    uint32_t circuit = 0;   ///< masters it feeds, a bit each
    bool inPacket = false;  ///< holds `arbiter`
    bool atHeader = false;
    unsigned arbiter = 0;
    uint32_t packet = 0;  ///< masters of the packet under way
    uint64_t startsAt = 0;
  };
  struct Arbiter {
    bool isHeld = false;
    unsigned last = ~0u;
  };

  void rewire();
  const SlotConfig* slotFor(const Slave& slave, uint32_t header) const;
  uint32_t mastersOf(const SlotConfig& slot) const;
  void arbitrate(uint64_t now, std::optional<std::string>& fault);
  void give(unsigned arbiter, uint32_t wanting, uint64_t now);
  void startPacket(unsigned slave, const SlotConfig& slot, uint64_t now);
  bool haveRoom(uint32_t masters, uint64_t now) const;
  bool move(Slave& slave, uint64_t now);
  void moveTo(uint32_t masters, const Flit& flit, bool isHeader, uint64_t now);
  std::string namesOf(uint32_t masters) const;
  std::string whyStuck(const Slave& slave, uint64_t now) const;

  TileKind kind_;
  Timing timing_;
  std::vector<Master> masters_;
  std::vector<Slave> slaves_;
  std::array<Arbiter, arbiterCount> arbiters_{};
  uint32_t fullMasters_ = 0, fullSlaves_ = 0, packetSlaves_ = 0;
};

}  // namespace airlite::npu::sim
