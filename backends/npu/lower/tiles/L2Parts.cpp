// L2 memory that one transfer fills and several drain, each a part of its own, or the other way
// round: the one is cut where the parts end, so each part has its own pair of locks. Then a
// part is filled again as soon as it has been drained, and parts move at the same time, which
// turns (L2Locks.cpp) would forbid.
#include "L2Memory.hpp"

#include <algorithm>
#include <span>

namespace airlite::npu {

namespace {

constexpr const aie::TileLimits& kMemTile =
    aie::limitsOf(aie::Generation::Aie2, aie::TileKind::Mem);
constexpr size_t kNobody = ~size_t{0};

/// The transfer of all parts, and those of one part each.
struct Shares {
  Site* whole = nullptr;
  std::vector<Site*> parts;
};

bool isPlain(TileDma& dma, Site& site) {
  return !site.isPacket && site.sends == 1 && site.pattern.pads.empty() &&
         dma.hasOneDescriptor(site);
}

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

/// Calls `visit` with the place of each element of a pattern, in the order of the stream, until it
/// returns false.
template <class Visit> bool walk(const Pattern& pattern, Visit visit) {
  auto inner = [&](auto& self, std::span<const std::pair<int64_t, int64_t>> dims,
                   int64_t place) -> bool {
    if (dims.empty()) return visit(place);
    for (int64_t i = 0; i < dims[0].first; ++i)
      if (!self(self, dims.subspan(1), place + i * dims[0].second)) return false;
    return true;
  };
  if (!pattern.dims.empty()) return inner(inner, pattern.dims, pattern.offset);
  const std::pair<int64_t, int64_t> line[] = {{pattern.length, 1}};
  return inner(inner, line, pattern.offset);
}

/// Which part has each element of the memory; none when two have the same one.
std::optional<std::vector<size_t>> ownersOf(const Shares& shares, int64_t elements) {
  std::vector<size_t> owners(static_cast<size_t>(elements), kNobody);
  for (size_t i = 0; i < shares.parts.size(); ++i)
    if (!walk(shares.parts[i]->pattern, [&](int64_t place) {
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
  bool isWhole = walk(shares.whole->pattern, [&](int64_t place) {
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

}  // namespace

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
