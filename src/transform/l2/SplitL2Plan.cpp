// Which L2 buffers can be split into parts, and how.
//
// Every access is taken apart into coordinates of the buffer, exactly: an entry of its list moves
// along one dimension, and in no dimension do the coordinates leave the shape. An access covers the
// whole dimension or lies in one part, in all iterations of the loops around it.
#include "SplitL2Plan.hpp"

#include "airlite/analysis/LinearSum.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>
#include <numeric>

namespace airlite::air {

namespace {

using analysis::AccessList;
using analysis::LinearReader;
using analysis::LinearSum;
using analysis::ListDim;
using analysis::SymbolRange;

/// An array of cores has no use for more.
constexpr int64_t kMostBlocks = 1 << 16;

/// The values that one coordinate takes.
struct Coordinates {
  LinearSum start;     // with the variables of loops
  int64_t extent = 0;  // the last one within a transfer, counted from `start`
};

struct Hull {
  int64_t first = 0, last = 0;
};

std::optional<Hull> hullOf(const Coordinates& coordinates, LinearReader& reader) {
  Hull hull{coordinates.start.constant, coordinates.start.constant + coordinates.extent};
  for (const LinearSum::Term& term : coordinates.start.terms) {
    auto range = reader.rangeOf(term.symbol);
    if (!range || range->count < 1) return std::nullopt;
    int64_t from = 0, length = 0, to = 0;
    bool isTooLarge = __builtin_mul_overflow(term.coefficient, range->lower, &from) ||
                      __builtin_mul_overflow(range->step, range->count - 1, &length) ||
                      __builtin_mul_overflow(term.coefficient, length, &length) ||
                      __builtin_add_overflow(from, length, &to) ||
                      __builtin_add_overflow(hull.first, std::min(from, to), &hull.first) ||
                      __builtin_add_overflow(hull.last, std::max(from, to), &hull.last);
    if (isTooLarge) return std::nullopt;
  }
  return hull;
}

/// The dimension along which `stride` moves: of those larger than 1 the outermost that divides it.
std::optional<unsigned> dimOfStride(int64_t stride, MemRefType type,
                                    const std::vector<int64_t>& strides) {
  for (unsigned i = 0; i < strides.size(); ++i)
    if (type.shape()[i] > 1 && strides[i] <= stride && stride % strides[i] == 0) return i;
  return std::nullopt;
}

}  // namespace

int64_t SpanningAccess::innerCount() const {
  int64_t count = 1;
  for (size_t k = listDim + 1; k < list.dims.size(); ++k)
    count *= list.dims[k].size;
  return count;
}

std::optional<ListUnits> unitsOf(const AccessList& list, MemRefType type) {
  std::vector<int64_t> strides = type.stridedForm()->strides;
  ListUnits units;
  for (const ListDim& dim : list.dims) {
    bool moves = dim.size > 1 || dim.offset != LinearSum();
    std::optional<unsigned> at =
        dim.stride > 0 ? dimOfStride(dim.stride, type, strides) : std::nullopt;
    if (moves && dim.stride > 0 && !at) return std::nullopt;
    units.dims.push_back(dim.stride > 0 && moves ? at : std::nullopt);
    units.units.push_back(units.dims.back() ? dim.stride / strides[*at] : 0);
  }
  return units;
}

namespace {

/// Each dimension's coordinates; null where they are not known or leave the shape.
std::optional<std::vector<Coordinates>> coordinatesOf(const AccessList& list,
                                                      const ListUnits& units, MemRefType type,
                                                      LinearReader& reader) {
  std::vector<Coordinates> all(type.shape().size());
  for (size_t k = 0; k < list.dims.size(); ++k) {
    if (!units.dims[k]) continue;
    Coordinates& at = all[*units.dims[k]];
    int64_t extent = 0;
    bool isTooLarge = __builtin_mul_overflow(list.dims[k].size - 1, units.units[k], &extent) ||
                      __builtin_add_overflow(at.extent, extent, &at.extent) ||
                      at.extent >= type.shape()[*units.dims[k]];
    if (isTooLarge || !at.start.add(list.dims[k].offset, units.units[k])) return std::nullopt;
  }
  for (size_t i = 0; i < all.size(); ++i) {
    auto hull = hullOf(all[i], reader);
    if (!hull || hull->first < 0 || hull->last >= type.shape()[i]) return std::nullopt;
  }
  return all;
}

struct Box {
  ChannelAccessOp op;
  AccessList list;
  ListUnits units;
  std::vector<Coordinates> coordinates;
};

std::optional<Box> readBox(ChannelAccessOp op, MemRefType type, LinearReader& reader) {
  auto list = readAccessList(op.access(), reader);
  if (!list || op->hasAttr("pad_before") || op->hasAttr("pad_after")) return std::nullopt;
  if (list->isWhole()) {
    air::Access whole{op.access().memref, {}, {}, {}};
    list = readAccessList(whole, reader);
  }
  auto units = unitsOf(*list, type);
  if (!units) return std::nullopt;
  auto coordinates = coordinatesOf(*list, *units, type, reader);
  if (!coordinates) return std::nullopt;
  return Box{op, std::move(*list), std::move(*units), std::move(*coordinates)};
}

/// The entry that walks through the whole dimension, when the access does.
std::optional<size_t> spanningEntry(const Box& access, unsigned dim, int64_t size) {
  std::optional<size_t> entry;
  const Coordinates& at = access.coordinates[dim];
  if (!at.start.isConstant() || at.start.constant != 0) return std::nullopt;
  for (size_t k = 0; k < access.list.dims.size(); ++k) {
    if (access.units.dims[k] != dim || access.list.dims[k].size == 1) continue;
    if (entry || access.list.dims[k].size != size || access.units.units[k] != 1)
      return std::nullopt;
    entry = k;
  }
  return entry;
}

// -- Parts ----------------------------------------------------------------------------------------

/// The accesses of a dimension that do not span it.
class PartFinder {
 public:
  PartFinder(unsigned dim, int64_t size, LinearReader& reader)
      : dim_(dim), size_(size), reader_(reader) {}

  void add(const Box& access) { accesses_.push_back(&access); }

  /// False when they do not lie in two or more parts.
  bool find() {
    if (accesses_.empty() || !(findBlocks() || findRuns())) return false;
    return parts.count() > 1;
  }

  Parts parts;
  std::vector<unsigned> partOf;  // of each access

 private:
  const Coordinates& at(const Box& access) const { return access.coordinates[dim_]; }

  unsigned partAt(int64_t base) {
    auto known = std::find(parts.bases.begin(), parts.bases.end(), base);
    if (known == parts.bases.end()) known = parts.bases.insert(known, base);
    return static_cast<unsigned>(known - parts.bases.begin());
  }

  /// Every access takes pieces that one loop moves on by more than they are long.
  bool findBlocks() {
    parts = {dim_, {}, 0, 0, 0};
    partOf.clear();
    for (const Box* access : accesses_) {
      const Coordinates& where = at(*access);
      if (where.start.terms.size() != 1) return false;
      const LinearSum::Term& term = where.start.terms.front();
      auto range = reader_.rangeOf(term.symbol);
      int64_t gap = range ? term.coefficient * range->step : 0;
      if (!range || range->count < 2 || gap < 1) return false;
      if (parts.blocks != 0 && (parts.blocks != range->count || parts.gap != gap)) return false;
      parts.blocks = range->count;
      parts.gap = gap;
      parts.width = std::max(parts.width, where.extent + 1);
      partOf.push_back(partAt(where.start.constant + term.coefficient * range->lower));
    }
    auto fits = [&](int64_t base) {
      return base + (parts.blocks - 1) * parts.gap + parts.width <= size_;
    };
    return parts.width < parts.gap && std::all_of(parts.bases.begin(), parts.bases.end(), fits);
  }

  /// Every access lies in one run.
  bool findRuns() {
    parts = {dim_, {}, 1, 0, 0};
    std::vector<Hull> hulls;
    for (const Box* access : accesses_) {
      hulls.push_back(*hullOf(at(*access), reader_));
      parts.width = std::max(parts.width, hulls.back().last - hulls.back().first + 1);
    }
    std::vector<int64_t> bases;
    std::vector<Hull> sorted = hulls;
    std::sort(sorted.begin(), sorted.end(),
              [](const Hull& a, const Hull& b) { return a.first < b.first; });
    for (const Hull& hull : sorted)
      if (bases.empty() || hull.last >= bases.back() + parts.width)
        bases.push_back(std::min(hull.first, size_ - parts.width));
    partOf.clear();
    // Numbered in the order of the accesses.
    for (const Hull& hull : hulls) {
      auto next = std::upper_bound(bases.begin(), bases.end(), hull.first);
      partOf.push_back(partAt(*(next - 1)));
    }
    return true;
  }

  unsigned dim_;
  int64_t size_;
  LinearReader& reader_;
  std::vector<const Box*> accesses_;
};

/// Of two parts, or too many blocks to tell.
bool overlap(const Parts& parts) {
  if (parts.blocks > kMostBlocks / parts.count()) return true;
  std::vector<int64_t> starts;
  for (int64_t base : parts.bases)
    for (int64_t q = 0; q < parts.blocks; ++q)
      starts.push_back(base + q * parts.gap);
  std::sort(starts.begin(), starts.end());
  auto meet = [&](int64_t a, int64_t b) { return b - a < parts.width; };
  return std::adjacent_find(starts.begin(), starts.end(), meet) != starts.end();
}

/// `why` stays empty when nothing asks for a split along `dim`.
bool planDim(const std::vector<Box>& accesses, unsigned dim, LinearReader& reader, SplitPlan& plan,
             std::string& why) {
  int64_t size = plan.type.shape()[dim];
  PartFinder finder(dim, size, reader);
  plan.spanning.clear();
  plan.local.clear();
  for (const Box& access : accesses) {
    if (auto entry = spanningEntry(access, dim, size)) {
      plan.spanning.push_back({access.op, access.list, *entry});
      continue;
    }
    finder.add(access);
    plan.local.push_back({access.op});
  }
  if (!finder.find()) return false;
  plan.parts = finder.parts;
  for (size_t i = 0; i < plan.local.size(); ++i)
    plan.local[i].part = finder.partOf[i];
  auto isDrain = [](const SpanningAccess& access) { return access.op.isPut(); };
  auto isFill = [](const LocalAccess& access) { return !access.op.isPut(); };
  bool mayRepeat = std::none_of(plan.spanning.begin(), plan.spanning.end(), isDrain) &&
                   std::none_of(plan.local.begin(), plan.local.end(), isFill);
  if (!mayRepeat && overlap(plan.parts)) {
    why = "its parts would overlap, and are written to one by one";
    return false;
  }
  bool isDrained = std::any_of(plan.spanning.begin(), plan.spanning.end(), isDrain);
  if (isDrained && plan.parts.count() * plan.parts.size() != size) {
    why = "its parts are not all that is sent on";
    return false;
  }
  return true;
}

// -- Uses -----------------------------------------------------------------------------------------

/// Puts and gets of the buffer, and what frees it. False when it is used in another way.
bool collectUses(Value memref, SplitPlan& plan, std::vector<ChannelAccessOp>& accesses) {
  for (OpOperand& use : memref.uses()) {
    Operation& op = *use.owner();
    if (isa<ChannelPutOp>(&op) || isa<ChannelGetOp>(&op)) {
      accesses.push_back(ChannelAccessOp(&op));
    } else if (op.is("memref.dealloc")) {
      bool isInExecute = isa<ExecuteOp>(op.parentOp());
      if (isInExecute && ExecuteOp(op.parentOp()).body().numOps() != 2) return false;
      plan.deallocs.push_back(isInExecute ? op.parentOp() : &op);
    } else if (!op.is("air.execute_terminator")) {
      return false;
    }
  }
  return true;
}

/// Whether a memory tile has channels for what a part asks of it.
bool hasChannels(const SplitPlan& plan) {
  std::vector<int64_t> accesses(plan.parts.bases.size());
  for (const LocalAccess& access : plan.local)
    ++accesses[access.part];
  return std::ranges::max(accesses) <=
         aie::limitsOf(aie::Generation::Aie2, aie::TileKind::Mem).channels;
}

/// Whether some part goes to several cores.
bool broadcasts(const SplitPlan& plan) {
  return std::ranges::any_of(plan.local, [](const LocalAccess& access) {
    const ChannelOp channel = ChannelAccessOp(access.op).channel();
    return !channel || channel.broadcastShape();
  });
}

/// Whether a split along the last dimension, `other`, is better: the parts of `plan` have several rows,
/// of which no access takes the whole. What is sent on has rows of a request at least, and so has what each core gets for itself.
bool isAlongRows(const std::vector<Box>& accesses, const SplitPlan& plan, const RowNeeds& needs,
                 LinearReader& reader, SplitPlan& other) {
  const auto last = static_cast<unsigned>(plan.type.shape().size()) - 1;
  std::string ignored;
  if (plan.parts.dim == last || plan.parts.size() == 1) return false;
  if (!planDim(accesses, last, reader, other, ignored) || other.parts.count() < plan.parts.count())
    return false;
  const bool isDrained = std::ranges::any_of(
      other.spanning, [](const SpanningAccess& access) { return access.op.isPut(); });
  const int64_t row = other.parts.width * plan.type.elementType().bitWidth() / 8;
  const bool needsRequest = (isDrained || !broadcasts(plan)) && hasChannels(plan);
  return row >= (needsRequest ? std::max(needs.least, needs.request) : needs.least);
}

}  // namespace

std::optional<SplitPlan> planSplit(Operation& alloc, const ProgramOrder& order,
                                   const RowNeeds& needs, std::string& why) {
  SplitPlan plan;
  plan.alloc = &alloc;
  plan.memref = alloc.result();
  plan.type = plan.memref.type().cast<MemRefType>();
  bool isPlain = plan.type.hasStaticShape() && plan.type.hasIdentityLayout();
  std::vector<ChannelAccessOp> ops;
  why = "it is used by more than channels and a dealloc";
  if (!isPlain || !collectUses(alloc.result(), plan, ops)) return std::nullopt;
  if (isa<ExecuteOp>(alloc.parentOp())) {
    ExecuteOp execute(alloc.parentOp());
    if (execute.body().numOps() != 2 || execute->numResults() != 2 || !ops.empty())
      return std::nullopt;
    plan.memref = execute->result(1);
    if (!collectUses(plan.memref, plan, ops)) return std::nullopt;
  }
  why.clear();
  if (ops.size() < 2) return std::nullopt;
  std::sort(ops.begin(), ops.end(), [&](ChannelAccessOp a, ChannelAccessOp b) {
    return order.at(a.op()) < order.at(b.op());
  });
  LinearReader reader(LinearReader::Reach::Body);
  std::vector<Box> accesses;
  for (ChannelAccessOp op : ops) {
    auto access = readBox(op, plan.type, reader);
    if (!access) {
      why = "an access to it is not a box of its coordinates";
      return std::nullopt;
    }
    accesses.push_back(std::move(*access));
  }
  const auto rank = static_cast<unsigned>(plan.type.shape().size());
  for (unsigned dim = 0; dim < rank; ++dim)
    if (planDim(accesses, dim, reader, plan, why)) {
      if (SplitPlan other = plan;
          needs.least > 0 && isAlongRows(accesses, plan, needs, reader, other))
        return other;
      return plan;
    }
  return std::nullopt;
}

namespace {

/// Of the memory, that an access to a part takes at a time, at most; none where that is not known.
std::optional<int64_t> rowsAtATime(const SplitPlan& plan) {
  int64_t most = 1;
  LinearReader reader(LinearReader::Reach::Body);
  for (const LocalAccess& access : plan.local) {
    const auto box = readBox(access.op, plan.type, reader);
    if (!box) return std::nullopt;
    most = std::max(most, box->coordinates[0].extent + 1);
  }
  return most;
}

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Memory tiles have descriptors for so many pieces of a part.
constexpr int64_t kMostPieces = 8;
/// Whether so many steps of the cores are a few pieces of equal length: then columns of cores may share a part.
bool areInPieces(int64_t steps) {
  if (steps == 0) return false;
  for (int64_t pieces = 2; pieces <= kMostPieces; ++pieces)
    if (steps % pieces == 0) return true;
  return false;
}

/// Where `rows`, of which a transfer brings so many at a time until `held` are there, are cut into `shares`: between two steps
/// of the cores, so that both ends can move the same pieces. Empty: there is no such place.
std::vector<int64_t> cutsOf(int64_t held, int64_t rows, int64_t step, int64_t shares) {
  const int64_t times = ceilDiv(held, rows), units = ceilDiv(rows, step);
  if (times > 1 && rows % step) return {};
  std::vector<int64_t> cuts;
  int64_t common = units;
  for (int64_t share = 0; share < shares; ++share) {
    cuts.push_back(units * share / shares * step);
    common = std::gcd(common, units * share / shares);
  }
  cuts.push_back(rows);
  return units < shares || times * units / common > kMostPieces ? std::vector<int64_t>() : cuts;
}

/// How often a core goes through all `steps` of its part: the loops around an access are over steps and over rounds.
int64_t drainsOf(const SplitPlan& plan, int64_t steps) {
  int64_t most = 1;
  for (const LocalAccess& access : plan.local)
    most = std::max(most, ceilDiv(roundsOf(*access.op), steps));
  return most;
}

/// The bases of `count` parts of the width `width` for each `joined` of the parts; none where these do not lie beside each
/// other.
std::optional<std::vector<int64_t>> joinedBases(std::vector<int64_t> bases, int64_t width,
                                                int64_t joined) {
  std::ranges::sort(bases);
  std::vector<int64_t> found;
  for (size_t i = 0; i < bases.size(); ++i) {
    const auto at = static_cast<int64_t>(i) % joined;
    if (at == 0) found.push_back(bases[i]);
    if (bases[i] != found.back() + at * width) return std::nullopt;
  }
  return found;
}

}  // namespace

int64_t roundsOf(Operation& access) {
  int64_t rounds = 1;
  for (Operation* at = access.parentOp(); at && !asHierarchy(at); at = at->parentOp())
    if (auto loop = dynCast<scf::ForOp>(at))
      rounds *= std::max<int64_t>(loop.tripCount().value_or(1), 1);
  return rounds;
}

int64_t partsJoined(const ShortParts& parts, int64_t requestBytes) {
  constexpr const aie::TileLimits& kTile = aie::limitsOf(aie::Generation::Aie2, aie::TileKind::Mem);
  // There are others beside them.
  constexpr int64_t kMostBytes = kTile.memoryBytes / 8 * 5;
  if (!areInPieces(parts.steps)) return 1;
  const bool comesInTurns = parts.rounds == 1;
  const int64_t bytes = (comesInTurns ? 2 : 1) * parts.rows * parts.rowBytes;
  const int64_t most = comesInTurns ? 2 : parts.count / 2;
  int64_t joined = 1;
  while (joined < most && parts.count > 2 && parts.count / joined % 2 == 0 &&
         joined * parts.rowBytes < requestBytes && 2 * joined * bytes <= kMostBytes &&
         2 * joined * parts.rounds <= kTile.maxLockValue)
    joined *= 2;
  return joined;
}

void joinShortParts(SplitPlan& plan, int64_t requestBytes) {
  Parts& parts = plan.parts;
  if (parts.dim != 1 || plan.type.shape().size() != 2 || parts.blocks != 1) return;
  const auto isDrain = [](const LocalAccess& access) { return access.op.isPut(); };
  if (plan.spanning.empty() || !std::ranges::all_of(plan.local, isDrain)) return;
  const auto step = rowsAtATime(plan);
  if (!step) return;
  const int64_t all = plan.type.shape()[0], rows = plan.spanning[0].list.dims[0].size;
  const int64_t rounds = drainsOf(plan, ceilDiv(all, *step));
  // What is drained once holds what one transfer fills (air-loop-fusion).
  const int64_t held = rounds > 1 ? all : std::min(all, rows);
  const int64_t joined =
      partsJoined({.count = parts.count(),
                   .rowBytes = parts.width * plan.type.elementType().bitWidth() / 8,
                   .rows = held,
                   .steps = ceilDiv(held, *step),
                   .rounds = rounds},
                  requestBytes);
  const auto bases = joinedBases(parts.bases, parts.width, joined);
  if (joined == 1 || !bases) return;
  const auto isAlike = [&](const SpanningAccess& access) {
    return hasRows(access.list, access.listDim, rows);
  };
  if (std::ranges::all_of(plan.spanning, isAlike)) plan.cuts = cutsOf(held, rows, *step, joined);
  // One transfer is too slow for what comes in turns.
  if (rounds == 1 && plan.cuts.empty()) return;
  for (LocalAccess& access : plan.local) {
    const auto next = std::ranges::upper_bound(*bases, parts.bases[access.part]);
    access.part = static_cast<unsigned>(next - bases->begin() - 1);
  }
  parts.bases = *bases;
  parts.width *= joined;
}

bool hasRows(const AccessList& list, size_t listDim, int64_t rows) {
  return list.dims.size() == 2 && listDim == 1 && list.dims[0].size == rows;
}

// -- The far end ----------------------------------------------------------------------------------

namespace {

/// Splits a dimension so that the ones after the boundary move `inner` elements; the number of
/// dimensions in front of it is returned.
std::optional<size_t> boundaryAt(AccessList& list, int64_t inner) {
  int64_t after = 1;
  for (size_t k = list.dims.size(); k--;) {
    ListDim& dim = list.dims[k];
    if (after == inner) return k + 1;
    int64_t with = after * dim.size;
    if (with <= inner) {
      after = with;
      continue;
    }
    if (inner % after || dim.size % (inner / after)) return std::nullopt;
    int64_t size = inner / after;
    ListDim outer{{}, dim.size / size, dim.stride * size};
    dim.size = size;
    list.dims.insert(list.dims.begin() + static_cast<ptrdiff_t>(k), outer);
    return k + 1;
  }
  return after == inner ? std::optional<size_t>(0) : std::nullopt;
}

/// The dimensions of the near end where that is possible: it is what readers look for.
void takeBoundaries(AccessList& list, const AccessList& near) {
  int64_t inner = 1;
  for (size_t k = near.dims.size(); k-- > 1;) {
    inner *= near.dims[k].size;
    AccessList cut = list;
    if (boundaryAt(cut, inner)) list = std::move(cut);
  }
}

/// No element twice.
bool isInjective(AccessList list) {
  std::sort(list.dims.begin(), list.dims.end(),
            [](const ListDim& a, const ListDim& b) { return a.stride < b.stride; });
  int64_t reach = 0;
  for (const ListDim& dim : list.dims) {
    if (dim.size == 1) continue;
    if (dim.stride <= reach) return false;
    reach += (dim.size - 1) * dim.stride;
  }
  return true;
}

}  // namespace

std::optional<FarAccess> planFarEnd(ChannelAccessOp op, const SpanningAccess& near) {
  LinearReader reader(LinearReader::Reach::Body);
  auto list = readAccessList(op.access(), reader);
  bool isPadded = op->hasAttr("pad_before") || op->hasAttr("pad_after");
  if (!list || isPadded || !list->count() || list->count() != near.list.count())
    return std::nullopt;
  if (!op.isPut() && !isInjective(*list)) return std::nullopt;
  if (list->dims.size() < near.list.dims.size()) takeBoundaries(*list, near.list);
  int64_t inner = near.innerCount(), size = near.list.dims[near.listDim].size;
  // The outer boundary first: it does not move the inner one's place, counted from the back.
  auto outer = boundaryAt(*list, inner * size);
  if (!outer) return std::nullopt;
  auto end = boundaryAt(*list, inner);
  if (!end) return std::nullopt;
  std::optional<size_t> found;
  for (size_t k = *outer; k < *end; ++k) {
    if (list->dims[k].size == 1) continue;
    if (found) return std::nullopt;
    found = k;
  }
  if (!found || list->dims[*found].size != size) return std::nullopt;
  return FarAccess{op, std::move(*list), *found};
}

}  // namespace airlite::air
