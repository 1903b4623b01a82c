// L2 memory that one transfer fills and several drain, each a part of its own, or the other way
// round: the one is cut where the parts end, so each part has its own pair of locks. Then a
// part is filled again as soon as it has been drained, and parts move at the same time, which
// turns (L2Locks.cpp) would forbid.
//
// Also L2 memory that one transfer fills and others drain, all equally often: all are cut into
// pieces that are filled and drained in the same order, so the first is drained while the next is
// filled, and filled again while the last is drained.
#include "L2Memory.hpp"
#include "Patterns.hpp"

#include <algorithm>
#include <array>

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

/// None where both directions have several transfers, or something else than one run of each.
std::optional<Shares> sharesOf(const std::vector<Site*>& turns, TileDma& dma) {
  auto puts = std::ranges::count_if(turns, [](Site* site) { return site->isPut; });
  auto gets = static_cast<std::ptrdiff_t>(turns.size()) - puts;
  if (std::min(puts, gets) != 1 || std::max(puts, gets) < 2) return std::nullopt;
  Shares shares;
  for (Site* site : turns) {
    if (!isPlain(dma, *site)) return std::nullopt;
    if (site->isPut == (puts == 1))
      shares.whole = site;
    else
      shares.parts.push_back(site);
  }
  return shares;
}

/// Which part has each element of the memory; none when two have the same one.
std::optional<std::vector<size_t>> ownersOf(const Shares& shares, int64_t elements) {
  std::vector<size_t> owners(static_cast<size_t>(elements), kNobody);
  for (size_t i = 0; i < shares.parts.size(); ++i)
    if (!walkPattern(shares.parts[i]->pattern, [&](int64_t place) {
          if (place < 0 || place >= elements) return false;
          size_t& owner = owners[static_cast<size_t>(place)];
          return std::exchange(owner, i) == kNobody;
        }))
      return std::nullopt;
  return owners;
}

/// A part in the stream of the whole: where it ends.
struct Stretch {
  size_t part = 0;
  int64_t end = 0;
};

/// The stream of the whole as one stretch for each part; none when a part comes in several. Elements
/// of nobody are with what comes before them.
std::optional<std::vector<Stretch>> stretchesOf(const Pattern& whole,
                                                const std::vector<size_t>& owners, size_t parts) {
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
  if (!isWhole || stretches.size() != parts) return std::nullopt;
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

/// How often each of the transfers after the first runs for one run of the first; none when they do not follow
/// each other so, or not equally often.
std::optional<int64_t> runsOfOthers(const std::vector<Site*>& turns,
                                    const std::vector<Block*>& roots) {
  Sequence sequence = sequenceOf(turns, roots, true);
  if (sequence.unknown || sequence.runs.size() != 1) return std::nullopt;
  const std::vector<Site*>& word = sequence.runs[0].word;
  if (word[0] != turns[0]) return std::nullopt;
  const int64_t runs = (std::ssize(word) - 1) / (std::ssize(turns) - 1);
  for (size_t i = 0; i < turns.size(); ++i)
    if (std::ranges::count(word, turns[i]) != (i == 0 ? 1 : runs)) return std::nullopt;
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

/// The pieces of a transfer that fills memory, and of each of those that drain it.
struct PiecePlan {
  std::vector<Pattern> filled;
  std::vector<std::vector<Pattern>> drained;
};

/// Which piece has each element; none when two have the same one. What several drain may be in one piece of all.
std::optional<std::vector<size_t>> piecesOfElements(
    const std::vector<std::vector<Pattern>>& drained, int64_t elements) {
  std::vector<size_t> owners(static_cast<size_t>(elements), kNobody);
  for (const std::vector<Pattern>& pieces : drained)
    for (size_t i = 0; i < pieces.size(); ++i)
      if (!walkPattern(pieces[i], [&](int64_t place) {
            if (place < 0 || place >= elements) return false;
            const size_t before = std::exchange(owners[static_cast<size_t>(place)], i);
            return before == kNobody || before == i;
          }))
        return std::nullopt;
  return owners;
}

std::optional<PiecePlan> planPieces(const std::vector<Site*>& turns, int64_t count) {
  Site& get = *turns[0];
  PiecePlan plan;
  for (size_t i = 1; i < turns.size(); ++i) {
    auto pieces = piecesOf(turns[i]->pattern, count);
    if (!pieces) return std::nullopt;
    plan.drained.push_back(std::move(*pieces));
  }
  const int64_t elements = get.op.access().memref.type().cast<MemRefType>().numElements();
  const auto owners = piecesOfElements(plan.drained, elements);
  const auto stretches =
      owners ? stretchesOf(get.pattern, *owners, static_cast<size_t>(count)) : std::nullopt;
  if (!stretches) return std::nullopt;
  for (size_t i = 0; i < stretches->size(); ++i)
    if ((*stretches)[i].part != i) return std::nullopt;
  auto filled = cut(get, *stretches);
  if (!filled) return std::nullopt;
  plan.filled = std::move(*filled);
  return plan;
}

bool isAlone(TileDma& dma, Site& site) {
  const DmaProgram& program = dma.portOf(site).program;
  return program.isRing && program.tasks[0].sites.size() == 1;
}

/// For `count` pieces of each transfer. After each piece that fills the memory of several, there is a descriptor for each but
/// the first of them, which gives its lock. Channels with even numbers share a bank of descriptors, those with odd ones too.
bool hasDescriptors(TileDma& dma, const std::vector<Site*>& turns, size_t count) {
  std::array<size_t, 2> needed = {}, free = {~size_t{0}, ~size_t{0}};
  for (size_t i = 0; i < turns.size(); ++i) {
    const auto bank = static_cast<size_t>(dma.portOf(*turns[i]).channel % 2);
    needed[bank] += count - 1 + (i == 0 ? count * (turns.size() - 2) : 0);
    free[bank] = std::min(free[bank], dma.freeDescriptors(*turns[i]));
  }
  return needed[0] <= free[0] && needed[1] <= free[1];
}

/// What fills a piece takes it from all that drain it, and gives it to each of them.
void lockPiece(Site& fill, Value free, int64_t takes, const std::vector<Value>& full, int64_t gives,
               TileDma& dma, std::deque<Site>& more) {
  fill.acquired = free, fill.takes = takes;
  fill.released = full[0], fill.gives = gives;
  for (Value lock : std::span(full).subspan(1))
    dma.append(fill, lock, more);
}

constexpr int64_t kPieces[] = {8, 7, 6, 5, 4, 3, 2};

}  // namespace

bool lockPieces(const L2Place& place, const std::vector<Site*>& turns, TileDma& dma,
                std::deque<Site>& more) {
  if (turns.size() < 2 || turns[0]->isPut || !isPlain(dma, *turns[0])) return false;
  for (Site* site : turns) {
    // What a put sends several times in a row is several runs of it.
    if (!isOneDescriptor(dma, *site) || !isAlone(dma, *site)) return false;
    if (site != turns[0] && !site->isPut) return false;
  }
  const int64_t puts = std::ssize(turns) - 1;
  const auto runs = runsOfOthers(turns, place.roots);
  if (!runs || *runs * puts > kMemTile.maxLockValue) return false;
  // Two copies of memory that each transfer drains once do as well, with fewer descriptors (L2Conflicts.cpp).
  if (*runs == 1 && puts > 1) return false;
  for (const int64_t count : kPieces) {
    if (place.numLocks + (puts + 1) * count > kMemTile.locks ||
        !hasDescriptors(dma, turns, static_cast<size_t>(count)))
      continue;
    const auto plan = planPieces(turns, count);
    if (!plan) continue;
    const std::vector<Site*> fills = dma.split(*turns[0], plan->filled, more);
    std::vector<std::vector<Site*>> drains;
    for (size_t i = 1; i < turns.size(); ++i)
      drains.push_back(dma.split(*turns[i], plan->drained[i - 1], more));
    for (size_t i = 0; i < fills.size(); ++i) {
      std::vector<Value> full;
      for (int64_t put = 0; put < puts; ++put)
        full.push_back(createLock(place.buffer, place.tile, place.numLocks++, 0));
      const Value free = createLock(place.buffer, place.tile, place.numLocks++, *runs * puts);
      lockPiece(*fills[i], free, *runs * puts, full, *runs, dma, more);
      for (size_t put = 0; put < drains.size(); ++put)
        drains[put][i]->acquired = full[put], drains[put][i]->released = free;
    }
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
  Sequence sequence = sequenceOf(turns, place.roots, true);
  if (sequence.unknown || sequence.runs.size() != 1 || sequence.runs[0].word != turns) return false;
  auto type = place.buffer.result().type().cast<MemRefType>();
  const auto owners = ownersOf(*shares, type.numElements());
  const auto stretches =
      owners ? stretchesOf(shares->whole->pattern, *owners, count) : std::nullopt;
  auto pieces = stretches ? cut(*shares->whole, *stretches) : std::nullopt;
  if (!pieces) return false;
  std::vector<Site*> wholes = dma.split(*shares->whole, *pieces, more);
  const bool isWholeFirst = turns[0] == shares->whole;
  for (size_t i = 0; i < count; ++i) {
    Site& part = *shares->parts[(*stretches)[i].part];
    Site& first = isWholeFirst ? *wholes[i] : part;
    Site& second = isWholeFirst ? part : *wholes[i];
    second.acquired = first.released = createLock(place.buffer, place.tile, place.numLocks++, 0);
    first.acquired = second.released = createLock(place.buffer, place.tile, place.numLocks++, 1);
  }
  return true;
}

}  // namespace airlite::npu
