// L2 memory that one transfer fills and several drain, each a part of its own, or the other way
// round: the one is cut where the parts end, so each part has its own pair of locks. Then a
// part is filled again as soon as it has been drained, and parts move at the same time, which
// turns (L2Locks.cpp) would forbid.
//
// Also L2 memory that transfers fill, a share each, and others drain, all equally often: all are cut into
// pieces that are filled and drained in the same order, so the first is drained while the next is
// filled, and filled again while the last is drained.
#include "L2Memory.hpp"
#include "Patterns.hpp"

#include <algorithm>

namespace airlite::npu {

namespace {

constexpr size_t kNobody = ~size_t{0};

/// The transfer of all parts, and those of one part each.
struct Shares {
  Site* whole = nullptr;
  std::vector<Site*> parts;
};

bool isOneDescriptor(TileDma& dma, Site& site) {
  return !site.isPacket && site.pattern.pads.empty() && dma.hasOneDescriptor(site);
}

bool isPlain(TileDma& dma, Site& site) { return site.sends == 1 && isOneDescriptor(dma, site); }

bool isAlone(TileDma& dma, Site& site) {
  const DmaProgram& program = dma.portOf(site).program;
  return program.isRing && program.tasks[0].sites.size() == 1;
}

/// None where both directions have several transfers. What a put of a part sends several times in a row is several runs of it.
std::optional<Shares> sharesOf(const std::vector<Site*>& turns, TileDma& dma) {
  auto puts = std::ranges::count_if(turns, [](Site* site) { return site->isPut; });
  auto gets = static_cast<std::ptrdiff_t>(turns.size()) - puts;
  if (std::min(puts, gets) != 1 || std::max(puts, gets) < 2) return std::nullopt;
  Shares shares;
  for (Site* site : turns) {
    const bool isPart = site->isPut == (puts != 1),
               isRepeated = isPart && site->isPut && isAlone(dma, *site);
    if (!(isRepeated ? isOneDescriptor(dma, *site) : isPlain(dma, *site))) return std::nullopt;
    if (!isPart)
      shares.whole = site;
    else
      shares.parts.push_back(site);
  }
  return shares;
}

/// Who has each element of some memory.
using Owners = std::vector<size_t>;

/// Gives `owner` the elements of a pattern. False: the pattern leaves the memory, another has one of them, or, unless it
/// `mayHaveThem` already, the owner itself.
bool claim(const Pattern& pattern, size_t owner, bool mayHaveThem, Owners& owners) {
  return walkPattern(pattern, [&](int64_t place) {
    if (place < 0 || place >= std::ssize(owners)) return false;
    const size_t before = std::exchange(owners[static_cast<size_t>(place)], owner);
    return before == kNobody || (mayHaveThem && before == owner);
  });
}

/// Which part has each element of the memory; none when two have the same one.
std::optional<Owners> ownersOf(const Shares& shares, int64_t elements) {
  Owners owners(static_cast<size_t>(elements), kNobody);
  for (size_t i = 0; i < shares.parts.size(); ++i)
    if (!claim(shares.parts[i]->pattern, i, false, owners)) return std::nullopt;
  return owners;
}

/// A part in the stream of the whole: where it ends.
struct Stretch {
  size_t part = 0;
  int64_t end = 0;
};

/// The stream of the whole as one stretch for each part in it; none when a part comes in several. Elements
/// of nobody are with what comes before them.
std::optional<std::vector<Stretch>> stretchesOf(const Pattern& whole, const Owners& owners,
                                                size_t parts) {
  std::vector<Stretch> stretches;
  std::vector<bool> isSeen(parts, false);
  int64_t at = 0;
  bool isWhole = walkPattern(whole, [&](int64_t place) {
    if (place < 0 || place >= std::ssize(owners)) return false;
    size_t owner = owners[static_cast<size_t>(place)];
    bool isNew = owner != kNobody && (stretches.empty() || stretches.back().part != owner);
    if (isNew && isSeen[owner]) return false;
    if (isNew) stretches.push_back({owner, 0}), isSeen[owner] = true;
    if (!stretches.empty()) stretches.back().end = at + 1;
    ++at;
    return true;
  });
  if (!isWhole || stretches.empty()) return std::nullopt;
  return stretches;
}

/// The pattern of the whole, cut where stretches end, in whole words.
std::optional<std::vector<Pattern>> cut(const Site& whole, const std::vector<Stretch>& stretches) {
  Type element = whole.op.access().memref.type().cast<MemRefType>().elementType();
  const int64_t bytes = aie::elementBytes(element).value_or(0);
  std::vector<Pattern> pieces;
  Pattern rest = whole.pattern;
  int64_t begin = 0;
  for (size_t i = 0; i + 1 < stretches.size(); ++i) {
    int64_t length = stretches[i].end - begin;
    auto halves = rest.cutAt(length);
    bool isThere = halves && halves->first.length == length && bytes != 0 &&
                   length * bytes % aie::kWordBytes == 0;
    if (!isThere) return std::nullopt;
    pieces.push_back(halves->first);
    rest = halves->second;
    begin = stretches[i].end;
  }
  pieces.push_back(rest);
  return pieces;
}

/// How often each transfer that drains the memory runs for one run of those that fill it, which come first; none when they do
/// not follow each other so, or not equally often.
std::optional<int64_t> runsOfDrains(const std::vector<Site*>& fills,
                                    const std::vector<Site*>& drains,
                                    const std::vector<Site*>& turns,
                                    const std::vector<Block*>& roots) {
  Sequence sequence = sequenceOf(turns, roots, true);
  if (sequence.unknown || sequence.runs.size() != 1) return std::nullopt;
  const std::vector<Site*>& word = sequence.runs[0].word;
  const int64_t runs = (std::ssize(word) - std::ssize(fills)) / std::ssize(drains);
  for (size_t i = 0; i < fills.size(); ++i)
    if (i >= word.size() || word[i]->isPut || std::ranges::count(word, fills[i]) != 1)
      return std::nullopt;
  for (Site* drain : drains)
    if (std::ranges::count(word, drain) != runs) return std::nullopt;
  return runs;
}

/// A pattern in so many equal pieces along its outermost dimension.
std::optional<std::vector<Pattern>> piecesOf(const Pattern& pattern, int64_t count) {
  std::vector<Pattern> pieces = {pattern};
  const int64_t length = pattern.length / count;
  while (std::ssize(pieces) < count) {
    auto cut = pieces.back().cutAt(length);
    if (!cut || cut->first.length != length) return std::nullopt;
    pieces.back() = cut->first;
    pieces.push_back(cut->second);
  }
  return pieces;
}

/// The pieces of transfers that fill memory, with the numbers of these, and of those that drain it.
struct PiecePlan {
  std::vector<std::vector<Pattern>> filled;
  std::vector<std::vector<Stretch>> numbers;  // in the order of `filled`
  std::vector<std::vector<Pattern>> drained;
};

/// Which piece has each element; none when two have the same one. What several drain may be in one piece of all.
std::optional<Owners> piecesOfElements(const std::vector<std::vector<Pattern>>& drained,
                                       int64_t elements) {
  Owners owners(static_cast<size_t>(elements), kNobody);
  for (const std::vector<Pattern>& pieces : drained)
    for (size_t i = 0; i < pieces.size(); ++i)
      if (!claim(pieces[i], i, true, owners)) return std::nullopt;
  return owners;
}

std::optional<PiecePlan> planPieces(const std::vector<Site*>& fills,
                                    const std::vector<Site*>& drains, int64_t count) {
  PiecePlan plan;
  for (Site* drain : drains) {
    auto pieces = piecesOf(drain->pattern, count);
    if (!pieces) return std::nullopt;
    plan.drained.push_back(std::move(*pieces));
  }
  const auto type = fills[0]->op.access().memref.type().cast<MemRefType>();
  const auto owners = piecesOfElements(plan.drained, type.numElements());
  if (!owners) return std::nullopt;
  std::vector<int64_t> timesFilled(static_cast<size_t>(count), 0);
  for (Site* fill : fills) {
    auto stretches = stretchesOf(fill->pattern, *owners, static_cast<size_t>(count));
    if (!stretches || !std::ranges::is_sorted(*stretches, {}, &Stretch::part)) return std::nullopt;
    auto filled = cut(*fill, *stretches);
    if (!filled) return std::nullopt;
    for (const Stretch& stretch : *stretches)
      ++timesFilled[stretch.part];
    plan.filled.push_back(std::move(*filled));
    plan.numbers.push_back(std::move(*stretches));
  }
  if (std::ranges::any_of(timesFilled, [](int64_t times) { return times != 1; }))
    return std::nullopt;
  return plan;
}

/// After each piece that fills the memory of several, there is a descriptor for each but the first of them, which gives its
/// lock.
bool hasDescriptors(TileDma& dma, const std::vector<Site*>& fills, const std::vector<Site*>& drains,
                    const PiecePlan& plan) {
  std::vector<TileDma::Need> needs;
  for (size_t i = 0; i < fills.size(); ++i)
    needs.emplace_back(fills[i], plan.filled[i].size() * drains.size() - 1);
  for (size_t i = 0; i < drains.size(); ++i)
    needs.emplace_back(drains[i], plan.drained[i].size() - 1);
  return dma.hasDescriptorsFor(needs);
}

/// What fills a piece takes it from all that drain it, and gives it to each of them.
void lockPiece(Site& fill, Value free, int64_t takes, const std::vector<Value>& full, int64_t gives,
               TileDma& dma, std::deque<Site>& more) {
  fill.acquired = free, fill.takes = takes;
  fill.released = full[0], fill.gives = gives;
  for (Value lock : std::span(full).subspan(1))
    dma.append(fill, lock, more);
}

/// The descriptors of all pieces, and their locks.
void makePieces(const L2Place& place, const PiecePlan& plan, int64_t runs,
                const std::vector<Site*>& fills, const std::vector<Site*>& drains, TileDma& dma,
                std::deque<Site>& more) {
  std::vector<Site*> filled(plan.drained[0].size());
  for (size_t i = 0; i < fills.size(); ++i) {
    const std::vector<Site*> own = dma.split(*fills[i], plan.filled[i], more);
    for (size_t j = 0; j < own.size(); ++j)
      filled[plan.numbers[i][j].part] = own[j];
  }
  std::vector<std::vector<Site*>> drained;
  for (size_t i = 0; i < drains.size(); ++i)
    drained.push_back(dma.split(*drains[i], plan.drained[i], more));
  const auto puts = std::ssize(drains);
  for (size_t i = 0; i < filled.size(); ++i) {
    std::vector<Value> full;
    for (int64_t put = 0; put < puts; ++put)
      full.push_back(createLock(place.buffer, place.tile, place.numLocks++, 0));
    const Value free = createLock(place.buffer, place.tile, place.numLocks++, runs * puts);
    lockPiece(*filled[i], free, runs * puts, full, runs, dma, more);
    for (size_t put = 0; put < drained.size(); ++put)
      drained[put][i]->acquired = full[put], drained[put][i]->released = free;
  }
}

constexpr int64_t kPieces[] = {8, 7, 6, 5, 4, 3, 2};

}  // namespace

bool lockPieces(const L2Place& place, const std::vector<Site*>& turns, int64_t copies, TileDma& dma,
                std::deque<Site>& more) {
  std::vector<Site*> fills, drains;
  for (Site* site : turns) {
    // What a put sends several times in a row is several runs of it.
    if (!(site->isPut ? isOneDescriptor(dma, *site) : isPlain(dma, *site)) || !isAlone(dma, *site))
      return false;
    (site->isPut ? drains : fills).push_back(site);
  }
  if (fills.empty() || drains.empty()) return false;
  const auto puts = std::ssize(drains);
  const auto runs = runsOfDrains(fills, drains, turns, place.roots);
  if (!runs || *runs * puts > kMemTile.maxLockValue) return false;
  // Where each transfer moves all once, what fewer descriptors do is better (L2Conflicts.cpp).
  const bool isShared = fills.size() > 1 && copies == 1;
  if (*runs == 1 && turns.size() > 2 && !isShared) return false;
  for (const int64_t count : kPieces) {
    if (place.numLocks + (puts + 1) * count > kMemTile.locks) continue;
    const auto plan = planPieces(fills, drains, count);
    if (!plan || !hasDescriptors(dma, fills, drains, *plan)) continue;
    makePieces(place, *plan, *runs, fills, drains, dma, more);
    return true;
  }
  return false;
}

bool lockParts(const L2Place& place, const std::vector<Site*>& turns, TileDma& dma,
               std::deque<Site>& more) {
  auto shares = sharesOf(turns, dma);
  if (!shares) return false;
  const size_t count = shares->parts.size();
  if (place.numLocks + 2 * static_cast<int64_t>(count) > kMemTile.locks ||
      dma.freeDescriptors(*shares->whole) < count - 1)
    return false;
  const bool isFilledWhole = !shares->whole->isPut;
  const std::vector<Site*> wholeAlone = {shares->whole};
  const auto runs = runsOfDrains(isFilledWhole ? wholeAlone : shares->parts,
                                 isFilledWhole ? shares->parts : wholeAlone, turns, place.roots);
  if (!runs || (!isFilledWhole && *runs != 1) || *runs > kMemTile.maxLockValue) return false;
  auto type = place.buffer.result().type().cast<MemRefType>();
  const auto owners = ownersOf(*shares, type.numElements());
  const auto stretches =
      owners ? stretchesOf(shares->whole->pattern, *owners, count) : std::nullopt;
  if (!stretches || stretches->size() != count) return false;
  auto pieces = cut(*shares->whole, *stretches);
  if (!pieces) return false;
  std::vector<Site*> wholes = dma.split(*shares->whole, *pieces, more);
  for (size_t i = 0; i < count; ++i) {
    Site& part = *shares->parts[(*stretches)[i].part];
    Site& fill = isFilledWhole ? *wholes[i] : part;
    Site& drain = isFilledWhole ? part : *wholes[i];
    const Value full = createLock(place.buffer, place.tile, place.numLocks++, 0),
                free = createLock(place.buffer, place.tile, place.numLocks++, *runs);
    drain.acquired = full, drain.released = free;
    fill.acquired = free, fill.takes = *runs;
    fill.released = full, fill.gives = *runs;
  }
  return true;
}

}  // namespace airlite::npu
