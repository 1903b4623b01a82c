// L1 memory that a segment or launch allocates: on which tile it is, and whose turn it is.
#pragma once

#include "Design.hpp"
#include "airlite/analysis/HandOver.hpp"

#include <functional>
#include <map>
#include <tuple>

namespace airlite::npu {

/// Memory that one core uses is a buffer of its tile. What several cores use (analysis/HandOver.hpp
/// says who) is a buffer of a tile whose memory they all reach, with locks by which they take
/// turns.
///
/// The turns form a ring of phases: the herds in their order, or the cores of one herd that write
/// and those that read. A turn takes one from its lock for each turn of the phase before and gives
/// one to the lock of each turn of the phase after; the first phase finds its locks full. Cores of
/// one phase have one lock where each of them has one turn only, else each has its own: a fast core
/// could take the turn of a slow one.
///
/// One class: the plan of who shares which memory is made before cores are outlined, and the turns,
/// which need the cores, are taken afterwards from the same groups.
class SharedL1 {
 public:
  using Id = std::vector<int64_t>;
  using PlaceOf = std::function<aie::TileId(air::HerdOp, const Id&)>;
  SharedL1(Design& design, const DesignOptions& options) : design_(design), options_(options) {}

  /// Reads what the herds take and chooses tiles. Failures have been reported, here and below.
  LogicalResult plan(const std::vector<air::HerdOp>& herds, const PlaceOf& placeOf);
  /// Tiles of memory that are chosen.
  std::vector<aie::TileId> places() const;
  /// The memory that core `id` of `herd` uses for an operand; `tileAt` gives the op of a tile.
  Value bufferOf(air::HerdOp herd, const Id& id, Value operand,
                 const std::function<Operation*(aie::TileId)>& tileAt);
  /// Puts locks around the turns of the cores, which have been outlined.
  LogicalResult takeTurns();

 private:
  struct Member {
    air::HerdOp herd;
    Id id;
    aie::TileId place;
    bool reads = false, writes = false;
    bool transfers = false;  // its DMA moves the memory
  };
  /// One buffer.
  struct Group {
    Value memory;
    std::vector<Member> members = {};  // herds in program order; those that use it
    std::optional<aie::TileId> owner;
    Operation* buffer = nullptr;
    bool isShared() const;
    std::vector<air::HerdOp> herds() const;
  };
  /// A turn of a core in the phases of a buffer.
  struct Player {
    analysis::Turn turn;
    Operation* lock = nullptr;
  };
  using Phase = std::vector<Player>;

  LogicalResult planMemory(Value memory, const std::vector<air::HerdOp>& takers,
                           const PlaceOf& placeOf);
  LogicalResult chooseTile(Group& group) const;
  std::vector<aie::TileId> tilesReachedBy(const Group& group) const;
  LogicalResult refusePlace(const Group& group, std::string_view why) const;
  LogicalResult checkOrder(const Group& group) const;
  bool isOrdered(air::HerdOp before, air::HerdOp after) const;
  const CoreProgram& programOf(const Member& member) const;
  LogicalResult takeTurns(Group& group);
  LogicalResult phasesOf(const Group& group, std::vector<Phase>& phases, bool& again,
                         bool& isRead) const;
  void createLocks(const Group& group, std::vector<Phase>& phases, bool again);
  Operation* createLock(const Group& group, const std::string& name, int64_t init);
  void createMutex(const Group& group, std::vector<Phase>& phases);
  static void useLocks(std::vector<Phase>& phases);

  Design& design_;
  const DesignOptions& options_;
  std::vector<Group> groups_;
  std::map<std::tuple<void*, Operation*, Id>, size_t> groupOf_;  // by memory, herd, core
};

}  // namespace airlite::npu
