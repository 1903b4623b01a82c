// The transfers of one L2 buffer take turns, round and round: its locks say whose turn it is.
#include "L2Memory.hpp"

#include <algorithm>
#include <map>
#include <optional>

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

/// How often a DMA channel goes round in one round of a buffer with the transfers `word`; none where
/// that is not the same for all of its transfers of that buffer.
std::optional<size_t> roundsOf(const std::vector<Site*>& ring, const std::vector<Site*>& word) {
  std::optional<size_t> rounds;
  for (const Site* site : word) {
    const auto inRing = static_cast<size_t>(std::ranges::count(ring, site));
    if (inRing == 0) continue;
    const auto inWord = static_cast<size_t>(std::ranges::count(word, site));
    if (inWord % inRing != 0 || (rounds && *rounds != inWord / inRing)) return std::nullopt;
    rounds = inWord / inRing;
  }
  return rounds;
}

/// Makes the rings of all DMA channels as long as a round of the buffer. False: a channel does not
/// follow it, or has too few descriptors.
bool fitRings(const std::vector<Site*>& word, TileDma& dma) {
  std::vector<std::pair<TileDma::Port*, size_t>> longer;
  for (const Site* site : word) {
    TileDma::Port* port = &dma.portOf(*site);
    if (std::ranges::count(longer, port, &std::pair<TileDma::Port*, size_t>::first)) continue;
    if (!port->program.isRing) return false;
    const auto rounds = roundsOf(port->program.tasks[0].sites, word);
    if (!rounds) return false;
    const size_t more = port->program.tasks[0].sites.size() * (*rounds - 1);
    if (more > dma.freeDescriptors(*site)) return false;
    longer.emplace_back(port, *rounds);
  }
  for (auto [port, rounds] : longer) {
    std::vector<Site*>& ring = port->program.tasks[0].sites;
    const std::vector<Site*> once = ring;
    for (size_t i = 1; i < rounds; ++i)
      ring.insert(ring.end(), once.begin(), once.end());
  }
  return true;
}

/// Transfers in different loops: each run in a round has a descriptor of its own, which gives the lock
/// of the transfer that comes after this run.
bool lockRuns(const L2Place& place, const std::vector<Site*>& word, TileDma& dma,
              std::deque<Site>& more) {
  if (!fitRings(word, dma)) return false;
  std::map<Site*, Value> locks;
  for (Site* site : word)
    if (Value& lock = locks[site]; !lock)
      lock = createLock(place.buffer, place.tile, place.numLocks++, site == word[0] ? 1 : 0);
  std::map<Site*, size_t> next;  // where to look for the next run of a transfer in its ring
  for (size_t i = 0; i < word.size(); ++i) {
    Site* site = word[i];
    const Value given = locks[word[(i + 1) % word.size()]];
    std::vector<Site*>& ring = dma.portOf(*site).program.tasks[0].sites;
    auto at = std::find(ring.begin() + static_cast<std::ptrdiff_t>(next[site]), ring.end(), site);
    next[site] = static_cast<size_t>(at - ring.begin()) + 1;
    Site& run = more.emplace_back(*site);
    run.acquired = locks[site];
    run.released = given;
    *at = &run;
  }
  return true;
}

/// Each transfer takes the lock that the one before gives, the first one that of the last, where
/// 1 is from the start.
LogicalResult chooseLocks(const L2Place& place, const std::vector<Site*>& turns, int64_t copies,
                          TileDma& dma, std::deque<Site>& more) {
  Sequence sequence = sequenceOf(turns, place.roots, true);
  bool isKnown = !sequence.unknown && sequence.runs.size() == 1;
  const bool isPlain =
      isKnown && (sequence.runs[0].word == turns || countTurns(sequence.runs[0].word, turns));
  if (isKnown && !isPlain && copies == 1 && lockRuns(place, sequence.runs[0].word, dma, more))
    return success();
  if (!isPlain)
    return (turns.back()->op->emitOpError()
            << "not supported: transfers of one L2 buffer in different loops or branches that run "
               "too often for the descriptors of a memory tile, or an open number of times")
               .note(turns[0]->op->location())
           << "another one is here";
  // All copies are free at first.
  const int64_t first =
      copies * turns[0]->takes * (turns.size() == 2 ? turns[1]->takes : int64_t{1});
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
  if (failed(chooseLocks(place, turns, copies, dma, more))) return failure();
  for (auto [first, last] : early)
    last->released = turns[nextGet(turns, first)]->acquired;
  return success();
}

}  // namespace airlite::npu
