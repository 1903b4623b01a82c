// The transfers of one L2 buffer where some do not touch what others do: only those that conflict
// wait for each other, so several cores are served at the same time. Turns (L2Locks.cpp) would order
// them all, and cores that need data of two buffers could then wait for each other for ever.
//
// Each transfer has a lock. It takes as many from it as there are transfers that it waits for, and
// gives one to each that waits for it: the first with its descriptor, the others with descriptors of
// no words, which only give a lock (docs/hardware/formats.md, section 1.2).
#include "L2Memory.hpp"
#include "Patterns.hpp"

#include <algorithm>

namespace airlite::npu {

namespace {

/// Which elements of the memory a transfer touches; none when it leaves the memory.
std::optional<std::vector<bool>> elementsOf(const Pattern& pattern, int64_t elements) {
  std::vector<bool> touched(static_cast<size_t>(elements), false);
  bool isInside = walkPattern(pattern, [&](int64_t place) {
    if (place < 0 || place >= elements) return false;
    touched[static_cast<size_t>(place)] = true;
    return true;
  });
  if (!isInside) return std::nullopt;
  return touched;
}

bool overlap(const std::vector<bool>& a, const std::vector<bool>& b) {
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i] && b[i]) return true;
  return false;
}

std::optional<Waits> conflictsOf(const std::vector<Site*>& turns, int64_t elements) {
  std::vector<std::vector<bool>> touched;
  for (const Site* site : turns) {
    auto own = elementsOf(site->pattern, elements);
    if (!own) return std::nullopt;
    touched.push_back(std::move(*own));
  }
  Waits waits(turns.size(), std::vector<bool>(turns.size(), false));
  for (size_t i = 0; i < turns.size(); ++i)
    for (size_t j = i + 1; j < turns.size(); ++j)
      if (!(turns[i]->isPut && turns[j]->isPut) && overlap(touched[i], touched[j]))
        waits[i][j] = waits[j][i] = true;
  return waits;
}

/// Without what follows from others: over two rounds, which say all, since no transfer waits for
/// one of an earlier round than the last. A transfer also follows itself, on its DMA channel.
Waits reduced(const Waits& waits) {
  const size_t count = waits.size();
  auto isEdge = [&](size_t from, size_t to) {
    const size_t a = from % count, b = to % count;
    if (from / count == to / count) return a < b && waits[a][b];
    return from < to && (a == b || (a > b && waits[a][b]));
  };
  // reaches[from][to]: over the two rounds, in one step or more.
  std::vector<std::vector<bool>> reaches(2 * count, std::vector<bool>(2 * count, false));
  for (size_t from = 2 * count; from-- > 0;)
    for (size_t to = from + 1; to < 2 * count; ++to)
      if (isEdge(from, to)) {
        reaches[from][to] = true;
        for (size_t far = to + 1; far < 2 * count; ++far)
          if (reaches[to][far]) reaches[from][far] = true;
      }
  Waits least = waits;
  for (size_t a = 0; a < count; ++a)
    for (size_t b = 0; b < count; ++b) {
      const size_t to = a < b ? b : b + count;
      for (size_t over = a + 1; over < to; ++over)
        if (isEdge(a, over) && reaches[over][to]) least[a][b] = false;
    }
  return least;
}

/// Do they wait for each other one after the other, as turns say it with fewer descriptors?
bool isChain(const Waits& waits) {
  return std::ranges::all_of(
      waits, [](const std::vector<bool>& row) { return std::ranges::count(row, true) <= 1; });
}

/// One descriptor, for one run.
bool isSingle(TileDma& dma, Site& site) {
  return !site.isPacket && site.sends == 1 && dma.hasOneDescriptor(site);
}

}  // namespace

std::optional<Waits> conflictsApart(MemRefType type, const std::vector<Block*>& roots,
                                    const std::vector<Site*>& turns, TileDma& dma) {
  if (!std::ranges::all_of(turns, [&](Site* site) { return isSingle(dma, *site); }))
    return std::nullopt;
  Sequence sequence = sequenceOf(turns, roots, true);
  if (sequence.unknown || sequence.runs.size() != 1 || sequence.runs[0].word != turns)
    return std::nullopt;
  auto conflicts = conflictsOf(turns, type.numElements());
  if (!conflicts) return std::nullopt;
  Waits waits = reduced(*conflicts);
  if (isChain(waits)) return std::nullopt;
  return waits;
}

void addNeeds(const std::vector<Site*>& turns, const Waits& waits, size_t copies,
              std::vector<TileDma::Need>& needs) {
  for (size_t i = 0; i < turns.size(); ++i) {
    const size_t gives = static_cast<size_t>(std::ranges::count(waits[i], true));
    needs.emplace_back(turns[i], copies * std::max<size_t>(gives, 1) - 1);
  }
}

std::optional<ConflictPlan> planConflicts(const L2Place& place, const std::vector<Site*>& turns,
                                          int64_t wanted, TileDma& dma) {
  auto type = place.buffer.result().type().cast<MemRefType>();
  std::optional<Waits> waits = conflictsApart(type, place.roots, turns, dma);
  if (!waits) return std::nullopt;
  for (int64_t copies = wanted; copies > 0; --copies) {
    std::vector<TileDma::Need> needs;
    addNeeds(turns, *waits, static_cast<size_t>(copies), needs);
    if (place.numLocks + copies * static_cast<int64_t>(turns.size()) <= kMemTile.locks &&
        dma.hasDescriptorsFor(needs))
      return ConflictPlan{std::move(*waits), copies};
  }
  return std::nullopt;
}

void lockConflicts(const L2Place& place, const std::vector<Site*>& turns, const Waits& waits,
                   TileDma& dma, std::deque<Site>& more) {
  const size_t count = turns.size();
  std::vector<Value> locks;
  for (size_t i = 0; i < count; ++i) {
    int64_t all = 0, ofLastRound = 0;
    for (size_t from = 0; from < count; ++from) {
      all += waits[from][i];
      ofLastRound += waits[from][i] && from > i;
    }
    locks.push_back(all == 0 ? Value()
                             : createLock(place.buffer, place.tile, place.numLocks++, ofLastRound));
    turns[i]->acquired = locks.back(), turns[i]->takes = all;
  }
  for (size_t i = 0; i < count; ++i) {
    std::vector<Value> given;
    for (size_t to = 0; to < count; ++to)
      if (waits[i][to]) given.push_back(locks[to]);
    turns[i]->released = given.empty() ? Value() : given[0];
    for (size_t k = 1; k < given.size(); ++k)
      dma.append(*turns[i], given[k], more);
  }
}

}  // namespace airlite::npu
