// L2 memory on its way to memory tiles, as the phases of MemTiles hand it on: sites, groups that
// must stay together, tiles with what they hold, buffers with their locks.
#pragma once

#include "Design.hpp"
#include "Dma.hpp"
#include "WholeWords.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace airlite::npu {

inline constexpr const aie::TileLimits& kMemTile =
    aie::limitsOf(aie::Generation::Aie2, aie::TileKind::Mem);

/// L2 memory that must be on one tile, since its transfers share places of channels.
struct L2Group {
  std::vector<Operation*> memory;  // what makes it, in program order
  std::vector<Site*> sites;
  int64_t bytes = 0;
  size_t gets = 0, puts = 0;   // places
  std::optional<int64_t> col;  // that the memory asks for
};

/// A memory tile and what it holds.
struct MemTile {
  std::vector<Operation*> memory;
  std::vector<Site*> sites;
  int64_t bytes = 0;
  size_t gets = 0, puts = 0;
  std::optional<int64_t> col;
  std::unique_ptr<TileDma> dma = nullptr;  // once the tile exists
};

/// A buffer on its tile, whose locks are still to be made.
struct L2Place {
  Operation& tile;
  Operation& buffer;
  const std::vector<Block*>& roots;  // of the transfers
  int64_t& numLocks;                 // of the tile so far
};

/// The bytes that what makes L2 memory asks for, in whole words.
inline int64_t l2BytesOf(Operation& memory) {
  auto type = memory.result().type().cast<MemRefType>();
  const int64_t elements = toWholeWords(type.numElements(), type.elementType());
  return aie::elementBytes(type.elementType()).value_or(0) * elements;
}

/// The puts and gets of L2 in `source`, in program order. Memory that memory tiles cannot serve has
/// been reported, as have the failures of the other phases.
LogicalResult readL2Sites(Operation& source, std::vector<Site>& sites);

/// The memory of `sites`, in groups that each need one tile.
LogicalResult groupL2Memory(std::vector<Site>& sites, const aie::Device& device,
                            std::vector<L2Group>& groups);

/// How many columns of the array have cores of the design; 1 at least.
size_t columnsOfCores(const Design& design);
/// A memory tile of the design, in the column that is asked for.
Operation& createMemTile(Design& design, Location location, std::optional<int64_t> column);

/// Puts each group on a tile of those that the device has.
LogicalResult chooseMemTiles(const Design& design, const std::vector<L2Group>& groups,
                             std::deque<MemTile>& tiles);

/// Makes the locks of a buffer that one transfer fills for several that drain parts of their own, or
/// that several fill for one; that one gets a descriptor for each part, which are kept in `more`. False,
/// and nothing is done, when the transfers are not of that kind, or the tile has too little of what
/// this takes.
bool lockParts(const L2Place& place, const std::vector<Site*>& turns, TileDma& dma,
               std::deque<Site>& more);

/// The same where some transfers fill the buffer and others drain it, all equally often, in pieces that they move in
/// the same order; not where two `copies` of the buffer do as well.
bool lockPieces(const L2Place& place, const std::vector<Site*>& turns, int64_t copies, TileDma& dma,
                std::deque<Site>& more);

/// Which transfers of a round wait for which: [from][to], in the same round where `to` comes later in
/// the program, else in the next one.
using Waits = std::vector<std::vector<bool>>;

/// Transfers of a buffer that wait only for those that touch what they touch, and write it or read
/// what they write.
struct ConflictPlan {
  Waits waits;
  int64_t copies = 1;  // of the buffer, for which the tile has the locks and descriptors
};

/// None where they are turns anyway, or cannot be told apart.
std::optional<Waits> conflictsApart(MemRefType type, const std::vector<Block*>& roots,
                                    const std::vector<Site*>& turns, TileDma& dma);
/// The descriptors that `copies` of the buffer take besides one for each transfer.
void addNeeds(const std::vector<Site*>& turns, const Waits& waits, size_t copies,
              std::vector<TileDma::Need>& needs);
/// None: the tile has too little for one copy (of `wanted` at most), or the transfers are not such that it
/// helps.
std::optional<ConflictPlan> planConflicts(const L2Place& place, const std::vector<Site*>& turns,
                                          int64_t wanted, TileDma& dma);
/// Makes the locks of one copy of the buffer, whose transfers are `turns`. Their descriptors that only give
/// locks are kept in `more`.
void lockConflicts(const L2Place& place, const std::vector<Site*>& turns, const Waits& waits,
                   TileDma& dma, std::deque<Site>& more);

/// Makes the locks with which the transfers of one buffer (or of `copies` that are used in turn)
/// follow each other. Puts that may let the next one begin early are cut; their other descriptors
/// are kept in `more`.
LogicalResult lockTurns(const L2Place& place, const std::vector<Site*>& turns, int64_t copies,
                        TileDma& dma, std::deque<Site>& more);

}  // namespace airlite::npu
