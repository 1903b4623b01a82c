// The transfers of one L2 buffer take turns, round and round: its locks say whose turn it is.
#include "L2Memory.hpp"

#include <algorithm>

namespace airlite::npu {

namespace {

constexpr int64_t kMostLock = kMemTile.maxLockValue;

/// The first get after a put, round and round; the number of turns when there is none.
size_t nextGet(const std::vector<Site*>& turns, const Site* put) {
  size_t at = std::find(turns.begin(), turns.end(), put) - turns.begin();
  for (size_t i = 1; i < turns.size(); ++i)
    if (!turns[(at + i) % turns.size()]->isPut) return (at + i) % turns.size();
  return turns.size();
}

/// The pattern of a put, cut where the core has what it takes at a time or before.
std::vector<Pattern> partsOf(const Site& site) {
  std::vector<Pattern> parts = {site.pattern};
  while (parts[0].length > site.part) {
    auto cut = parts[0].cutAt(site.part);
    if (!cut) return {site.pattern};
    parts[0] = cut->second;
    parts.insert(parts.begin(), cut->first);
  }
  return parts;
}

/// Puts that let the next one begin when they have sent a part: cores that take their data in
/// parts may wait for each other in between. Each with its last descriptor, whose end the
/// next get waits for.
std::vector<std::pair<Site*, Site*>> passEarly(TileDma& dma, const std::vector<Site*>& turns,
                                               std::deque<Site>& more) {
  std::vector<std::pair<Site*, Site*>> early;
  for (size_t i = 0; i < turns.size(); ++i) {
    Site& site = *turns[i];
    const size_t get = nextGet(turns, &site);
    const bool passes = site.isPut && site.part && dma.hasOneDescriptor(site) &&
                        turns[(i + 1) % turns.size()]->isPut && get < turns.size() &&
                        turns[get]->takes < kMostLock;
    const std::vector<Pattern> parts = passes ? partsOf(site) : std::vector<Pattern>();
    if (parts.size() < 2 || parts.size() - 1 > dma.freeDescriptors(site)) continue;
    early.emplace_back(&site, dma.split(site, parts, more).back());
    ++turns[get]->takes;
  }
  return early;
}

/// Two transfers, one of which runs several times for one of the other: the locks count.
bool countTurns(const std::vector<Site*>& word, const std::vector<Site*>& turns) {
  if (turns.size() != 2 || word[0] != turns[0] || word.back() != turns[1]) return false;
  auto second = std::find(word.begin(), word.end(), turns[1]);
  int64_t before = second - word.begin(), after = word.end() - second;
  bool isPlain = std::count(word.begin(), word.end(), turns[0]) == before;
  if (!isPlain || (before > 1 && after > 1)) return false;
  turns[0]->takes = turns[0]->gives = after;
  turns[1]->takes = turns[1]->gives = before;
  return true;
}

/// Each transfer takes the lock that the one before gives, the first one that of the last, where
/// 1 is from the start.
LogicalResult chooseLocks(const L2Place& place, const std::vector<Site*>& turns, int64_t copies) {
  Sequence sequence = sequenceOf(turns, place.roots, true);
  bool isKnown = !sequence.unknown && sequence.runs.size() == 1;
  if (!isKnown || (sequence.runs[0].word != turns && !countTurns(sequence.runs[0].word, turns)))
    return (turns.back()->op->emitOpError()
            << "not supported: transfers of one L2 buffer in different loops or branches")
               .note(turns[0]->op->location())
           << "another one is here";
  int64_t first = turns.size() == 2 ? turns[0]->takes * turns[1]->takes : copies * turns[0]->takes;
  if (first > kMostLock)
    return turns[0]->op->emitOpError()
           << "not supported: " << first << " transfers for one of another, a lock counts to "
           << kMostLock;
  std::vector<Value> locks(turns.size());
  for (size_t i = 1; i <= turns.size(); ++i)
    locks[i % turns.size()] =
        createLock(place.buffer, place.tile, place.numLocks++, i == turns.size() ? first : 0);
  for (size_t i = 0; i < turns.size(); ++i) {
    turns[i]->acquired = locks[i];
    turns[i]->released = locks[(i + 1) % turns.size()];
  }
  return success();
}

}  // namespace

LogicalResult lockTurns(const L2Place& place, const std::vector<Site*>& turns, int64_t copies,
                        TileDma& dma, std::deque<Site>& more) {
  std::vector<std::pair<Site*, Site*>> early;
  if (copies == 1) early = passEarly(dma, turns, more);
  if (failed(chooseLocks(place, turns, copies))) return failure();
  for (auto [first, last] : early)
    last->released = turns[nextGet(turns, first)]->acquired;
  return success();
}

}  // namespace airlite::npu
