// The DMA programs of tiles: which transfers there are, and their descriptors.
#pragma once

#include "DescriptorOrder.hpp"
#include "Packets.hpp"
#include "Transfers.hpp"
#include "airlite/ir/Builder.hpp"

#include <deque>
#include <map>
#include <set>

namespace airlite::npu {

/// The DMA of one tile. One class: channels, their programs and their descriptors are counted together, and
/// a transfer is asked for by any of the three.
class TileDma {
 public:
  TileDma(Operation& tile, aie::TileKind kind) : tile_(tile), kind_(kind) {}

  /// A DMA channel: the transfers that it makes, in program order, and the program that they are.
  struct Port {
    bool isPut = false, isPacket = false;
    int64_t channel = 0;
    std::vector<Site*> sites = {};
    DmaProgram program = {};
  };

  /// Gives each place of a channel a DMA channel, in the order of `sites`, which must stay where
  /// they are: the one that the program asks for, else the first free one. Places of packet
  /// channels that a core sends in program order share one. Too many have been reported.
  LogicalResult choosePorts(const std::vector<Site*>& sites, Operation& tileUser);
  /// Orders the descriptors of each DMA channel. `roots` hold the transfers and run one after the
  /// other; `again` and again. Orders that no DMA can follow have been reported.
  LogicalResult planPrograms(const std::vector<Block*>& roots, bool again);
  /// The port of a transfer that was given one.
  Port& portOf(const Site& site) { return ports_[portOf_[site.isPut].at(site.place)]; }
  /// How many more descriptors the DMA channel of a transfer can have, of those that it shares with
  /// others.
  size_t freeDescriptors(const Site& site) const;
  /// A transfer, and how many descriptors it needs besides those that it has.
  using Need = std::pair<const Site*, size_t>;
  /// Whether all of these are free at once.
  bool hasDescriptorsFor(const std::vector<Need>& needs) const;
  /// Does its DMA channel run a ring in which it is one descriptor?
  bool hasOneDescriptor(const Site& site);
  /// Makes of the one descriptor of `site` one for each of `patterns`, in their order. Those after the
  /// first are kept in `more`.
  std::vector<Site*> split(Site& site, const std::vector<Pattern>& patterns,
                           std::deque<Site>& more);
  /// Puts a descriptor of no words, which only gives `lock`, after that of `site` (and those that were
  /// put there before). It is kept in `more`.
  void append(Site& site, Value lock, std::deque<Site>& more);
  /// Transfers with more dimensions than a descriptor has become one descriptor for each part along the
  /// outermost ones: the first takes the lock, the last gives it. Those after it are kept in `more`.
  void splitLongPatterns(std::deque<Site>& more);
  /// The ports that send, then those that receive.
  std::vector<Port*> ports();
  /// Makes the program, `aie.mem` or `aie.memtile_dma`.
  void create(Builder builder, Location location);
  void appendEnds(std::vector<DmaEnd>& ends) const;

 private:
  /// When a place chooses its DMA channel.
  enum class Turn : std::uint8_t { Pinned, Alone, Shared };
  Turn turnOf(const Site& site) const;
  LogicalResult checkPins(const std::vector<Site*>& sites) const;
  std::optional<int64_t> pinOf(const Site& site) const;
  int64_t firstAllowed(const Site& site) const;
  LogicalResult addPort(Site& site, Operation& tileUser);
  LogicalResult refuseAnother(const Site& site, Operation& tileUser) const;
  Port* sharedPort(const Site& site);
  std::optional<int64_t> freeChannel(bool isPut, int64_t from) const;
  int64_t numChannels() const;
  /// Descriptors of a memory tile are in two banks, for even and odd channels (docs/hardware/formats.md, 1.2).
  size_t numBanks() const { return kind_ == aie::TileKind::Mem ? 2 : 1; }
  size_t bankOf(const Site& site) const;
  void spreadBanks();
  std::optional<int64_t> freeChannelInBank(const Port& port, size_t bank) const;
  std::vector<Pattern> partsOf(const Pattern& pattern) const;
  /// The start of a task, and where its descriptors stand.
  struct Start {
    const Port* port;
    size_t task;
    Block* block;
    std::vector<Block*> descriptors = {};
  };
  std::vector<Start> createBlocks(Region& region);
  void fill(const Start& start, Block& next, Block& end) const;
  void createDescriptor(Block& block, const Site& site, size_t task, Block& next) const;

  Operation& tile_;
  aie::TileKind kind_;
  std::vector<Port> ports_;
  std::map<ChannelPlace, size_t> portOf_[2];  // gets, puts
  std::set<ChannelPlace> wanted_[2];          // that need one
};

/// A lock of a tile before `before`.
Value createLock(Operation& before, Operation& tile, int64_t id, int64_t init);
/// Takes `count` from a lock, waiting until they are there.
void acquire(Builder builder, Location location, Value lock, int64_t count = 1);
/// Adds `count` to a lock.
void release(Builder builder, Location location, Value lock, int64_t count = 1);

}  // namespace airlite::npu
