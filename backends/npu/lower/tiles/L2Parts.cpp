// L2 memory that one transfer fills and several drain, each a part of its own, or the other way
// round: the one is cut where the parts end, so each part has its own pair of locks. Then a
// part is filled again as soon as it has been drained, and parts move at the same time, which
// turns (L2Locks.cpp) would forbid.
//
// Also L2 memory that one transfer fills and one drains, once or several times: both are cut into
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
std::optional<std::vector<Stretch>> stretchesOf(const Shares& shares, int64_t elements) {
  auto owners = ownersOf(shares, elements);
  if (!owners) return std::nullopt;
  std::vector<Stretch> stretches;
  std::vector<bool> isSeen(shares.parts.size(), false);
  int64_t at = 0;
  bool isWhole = walkPattern(shares.whole->pattern, [&](int64_t place) {
    if (place < 0 || place >= elements) return false;
    size_t owner = (*owners)[static_cast<size_t>(place)];
    bool isNew = owner != kNobody && (stretches.empty() || stretches.back().part != owner);
    if (isNew && isSeen[owner]) return false;
    if (isNew) stretches.push_back({owner, 0}), isSeen[owner] = true;
    if (!stretches.empty()) stretches.back().end = at + 1;
    ++at;
    return true;
  });
  if (!isWhole || stretches.size() != shares.parts.size()) return std::nullopt;
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

/// How often the second of two transfers runs for one run of the first; none when they do not follow
/// each other so.
std::optional<int64_t> runsOfSecond(const std::vector<Site*>& turns,
                                    const std::vector<Block*>& roots) {
  Sequence sequence = sequenceOf(turns, roots, true);
  if (sequence.unknown || sequence.runs.size() != 1) return std::nullopt;
  const std::vector<Site*>& word = sequence.runs[0].word;
  if (word[0] != turns[0] || std::ranges::count(word, turns[1]) + 1 != std::ssize(word))
    return std::nullopt;
  return std::ssize(word) - 1;
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

/// The pieces of a transfer that fills memory, and of the one that drains it, with one lock pair each.
struct PiecePlan {
  std::vector<Pattern> filled, drained;
};

std::optional<PiecePlan> planPieces(Site& get, const Site& put, int64_t count) {
  auto drained = piecesOf(put.pattern, count);
  if (!drained) return std::nullopt;
  std::deque<Site> parts;
  Shares shares{&get, {}};
  for (const Pattern& piece : *drained) {
    parts.push_back(put);
    parts.back().pattern = piece;
    shares.parts.push_back(&parts.back());
  }
  auto type = get.op.access().memref.type().cast<MemRefType>();
  auto stretches = stretchesOf(shares, type.numElements());
  if (!stretches) return std::nullopt;
  for (size_t i = 0; i < stretches->size(); ++i)
    if ((*stretches)[i].part != i) return std::nullopt;
  auto filled = cut(get, *stretches);
  if (!filled) return std::nullopt;
  return PiecePlan{std::move(*filled), std::move(*drained)};
}

bool isAlone(TileDma& dma, Site& site) {
  const DmaProgram& program = dma.portOf(site).program;
  return program.isRing && program.tasks[0].sites.size() == 1;
}

/// So many more descriptors for each of two transfers, which may be of one bank.
bool hasDescriptors(TileDma& dma, const Site& get, const Site& put, size_t more) {
  const bool isOneBank = dma.portOf(get).channel % 2 == dma.portOf(put).channel % 2;
  return std::min(dma.freeDescriptors(get), dma.freeDescriptors(put)) >= (isOneBank ? 2 : 1) * more;
}

constexpr int64_t kPieces[] = {8, 7, 6, 5, 4, 3, 2};

}  // namespace

bool lockPieces(const L2Place& place, const std::vector<Site*>& turns, TileDma& dma,
                std::deque<Site>& more) {
  if (turns.size() != 2 || turns[0]->isPut || !turns[1]->isPut) return false;
  Site &get = *turns[0], &put = *turns[1];
  // What a put sends several times in a row is several runs of it.
  if (!isPlain(dma, get) || !isOneDescriptor(dma, put)) return false;
  if (!isAlone(dma, get) || !isAlone(dma, put)) return false;
  const auto runs = runsOfSecond(turns, place.roots);
  if (!runs || *runs > kMemTile.maxLockValue) return false;
  for (const int64_t count : kPieces) {
    if (place.numLocks + 2 * count > kMemTile.locks ||
        !hasDescriptors(dma, get, put, static_cast<size_t>(count - 1)))
      continue;
    const auto plan = planPieces(get, put, count);
    if (!plan) continue;
    const std::vector<Site*> fills = dma.split(get, plan->filled, more),
                             drains = dma.split(put, plan->drained, more);
    for (size_t i = 0; i < fills.size(); ++i) {
      Site &fill = *fills[i], &drain = *drains[i];
      drain.acquired = fill.released = createLock(place.buffer, place.tile, place.numLocks++, 0);
      fill.acquired = drain.released =
          createLock(place.buffer, place.tile, place.numLocks++, *runs);
      fill.takes = fill.gives = *runs;
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
  auto stretches = stretchesOf(*shares, type.numElements());
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
