// Herd, tiles, copies into L2 and rounds of a product of matrices by what they cost: the work of the
// cores, what the memory of the host has to give, and the transfers that the host starts. The memory
// serves requests of a size one after the other, so short rows are as expensive as rows of that
// size, and what several tiles use is better kept in L2 than read again.
//
// Tiles need not divide the matrix: launch instances may overlap at a step that is the same from
// each to the next, and compute the elements that they share twice (TilePlan::steps). A launch
// instance may have several rounds along the rows of the product: the columns of the right factor
// then stay in L2, whole along the reduction.
#include "TileChoice.hpp"
#include "transform/l2/SplitL2Plan.hpp"
#include "transform/tiling/RowShares.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace airlite::tiling {

namespace {

/// Bytes that a stream moves in a cycle.
constexpr int64_t kStreamRate = 4;
/// Of the cores between two tiles of the result, in cycles: the first steps of a tile wait for data.
constexpr int64_t kBetweenTiles = 3000;
/// Of a core at each step of the reduction: locks and the begin and end of loops.
constexpr int64_t kOfStep = 80;
/// Longest tile along rows and columns, where it has to divide them, and along the reduction.
constexpr int64_t kLongestSide = 256, kLongestExact = 512, kLongestStep = 512;
/// The same where AIE2 keeps a factor in L2: with longer ones few launches are left, and little overlaps.
constexpr int64_t kLongestKept = 128;
/// Of a tile that an epilogue works on; two would take as much room as one, since each has two buffers.
constexpr int64_t kPieces[] = {1, 4, 8};
/// Bytes of L1 that a core needs for values between the loops that a long epilogue becomes (air-aie-vectorize-core).
constexpr int64_t kScratch = 4096;
/// Bytes of a memory tile.
constexpr int64_t kMemory = aie::limitsOf(aie::Generation::Aie2, aie::TileKind::Mem).memoryBytes;
/// Channels into a memory tile.
constexpr int64_t kChannels = aie::limitsOf(aie::Generation::Aie2, aie::TileKind::Mem).channels;
/// Channels of a shim in each direction.
constexpr int64_t kChannelsOfShim =
    aie::limitsOf(aie::Generation::Aie2, aie::TileKind::ShimNoc).channels;

/// C[m n] += A[m k] * B[k n] as loops of the op: rows, columns, reduction. The other loops run one
/// product each.
struct Roles {
  unsigned m = 0, n = 0, k = 0;
};

bool isAlone(const TilePlan& plan, unsigned loop) {
  for (const TiledOperand& operand : plan.operands)
    for (const LoopIndex& index : operand.index)
      if (index.uses(loop) && !index.isLoop(loop)) return false;
  return true;
}

std::optional<Roles> rolesOf(const PlanState& planning, const std::vector<int64_t>& blocks) {
  const TilePlan& plan = planning.plan;
  if (blocks.empty()) return std::nullopt;
  std::optional<unsigned> m, n, k;
  for (unsigned loop = 0; loop < plan.numLoops(); ++loop) {
    if (!plan.isParallel(loop) && k) return std::nullopt;
    if (!plan.isParallel(loop)) k = loop;
    if (blocks[loop] == 1) continue;
    if (!isAlone(plan, loop)) return std::nullopt;
    if (plan.isParallel(loop)) (plan.operands[0].uses(loop) ? m : n) = loop;
  }
  if (!m || !n || !k || blocks[*k] == 1) return std::nullopt;
  return Roles{*m, *n, *k};
}

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// How rows or columns are shared out: to `herd` cores a tile each, in `count` launches that begin
/// `step` after one another.
struct Side {
  int64_t herd = 1, tile = 0, step = 0, count = 1;
  int64_t percent = 100;  ///< time of a core for an element, of that in the best tiles

  /// A launch is longer than the matrix: its parts are not all of one size, so nothing is split along it.
  bool isFilledUp = false;

  int64_t launch() const { return herd * tile; }
};

/// A loop of rows or columns.
struct Extent {
  int64_t size, block, word;  ///< `word`: elements of which steps are multiples
  int64_t cores;
  bool mayOverlap;
  bool areWide;    ///< sums are of 64 bits
  bool mayFillUp;  ///< one launch may be longer, with zeros in L2
};

/// The registers hold accumulators of several blocks, of a number that divides that of the tile: time
/// of a core, in percent of that for the best tiles (docs/performance.md, "Tiles of products"). Loops
/// with three accumulators of 64 bits are not pipelined.
int64_t percentOf(int64_t blocks, bool areWide, int64_t block) {
  // Of rows of lanes of AIE2P (512^3 of bf16 with tiles of 32, 64 and 128 columns): two make a block of sums, and loops over
  // several of these need more registers than there are.
  constexpr int64_t kRowOfLanes = 32;
  if (block >= kRowOfLanes) return blocks == 2 ? 100 : blocks == 1 ? 160 : 250;
  if (blocks % 2 == 0) return blocks % 4 == 0 ? 100 : 105;
  if (blocks % 3 == 0) return areWide ? 300 : 125;
  return 250;
}
/// The same of the blocks of a step, of which a loop takes about `wanted` at a time: sums are loaded
/// and stored before and after these, narrow ones by the instructions that load and store them anyway.
int64_t percentOfStep(int64_t blocks, int64_t wanted, bool areNarrow) {
  if (blocks % wanted == 0) return 100;
  if (areNarrow && 2 * blocks % wanted == 0) return 105;
  if (blocks > wanted) return 120;
  return 2 * blocks >= wanted ? 130 : 200;
}

/// Whether sums of floats of AIE2 are loaded and stored beside the products: in bodies of eight blocks, and in those of four whose
/// sums are in halves (npu::SumBlock), where a tile fills two banks.
bool hidesSums(int64_t rows, int64_t columns, int64_t blocks) {
  constexpr int64_t kSumsOfTwoBanks = 8192, kSide = 16;
  const bool areInHalves =
      rows % kSide == 0 && columns % kSide == 0 && rows * columns % kSumsOfTwoBanks == 0;
  return blocks % 8 == 0 || (blocks % 4 == 0 && areInHalves);
}

std::optional<Side> sideOf(const Extent& extent, int64_t herd, int64_t tile) {
  Side side{herd, tile, herd * tile, 1,
            percentOf(tile / extent.block, extent.areWide, extent.block)};
  const int64_t rest = extent.size - side.launch();
  side.isFilledUp = rest < 0;
  const bool hasIdleCores = side.launch() - tile >= extent.size;
  if (side.isFilledUp && (!extent.mayFillUp || hasIdleCores)) return std::nullopt;
  if (side.isFilledUp) return side;
  side.count += (rest + side.launch() - 1) / side.launch();
  if (side.count == 1) return side;
  side.step = rest / (side.count - 1);
  const bool isEven = rest % (side.count - 1) == 0 && side.step % extent.word == 0;
  const bool overlaps = side.step < side.launch();
  if (!isEven || (overlaps && !extent.mayOverlap)) return std::nullopt;
  return side;
}

/// Ways to share a loop out: for each number of launches the shortest tile that does with it, longer ones that cores compute
/// faster, and tiles of whole groups of blocks.
std::vector<Side> sidesOf(const Extent& extent) {
  std::vector<Side> sides;
  for (int64_t herd = 1; herd <= extent.cores; ++herd) {
    const int64_t share = extent.mayFillUp
                              ? ceilDiv(extent.size, herd * extent.block) * extent.block
                              : extent.size / herd,
                  longest = std::min(extent.mayOverlap ? kLongestSide : kLongestExact, share);
    int64_t count = 0, percent = 0;
    for (int64_t tile = extent.block; tile <= longest; tile += extent.block) {
      const std::optional<Side> side = sideOf(extent, herd, tile);
      if (!side) continue;
      const bool isFaster = side->count != count || side->percent < percent;
      if (!isFaster && tile % (4 * extent.block)) continue;
      if (isFaster) percent = side->percent;
      count = side->count;
      sides.push_back(*side);
    }
  }
  return sides;
}

/// A choice of tiles, and what it costs.
struct Choice {
  Side m, n;
  int64_t depth = 0;    ///< of the reduction, in L2: where it is longer, zeros fill it up
  int64_t step = 0;     ///< of the reduction, in a core
  int64_t copy = 0;     ///< of the reduction, into L2, of factors whose rows lie along it
  int64_t brought = 0;  ///< by such a copy; zeros fill it up
  std::array<int64_t, 2> copies = {};  ///< of each factor
  int64_t pieces = 1;                  ///< of a tile, in which matrices of the epilogue come and go
  bool isTurned = false;  ///< the later of the loops runs along the first dimension of the herd
  bool hasRounds = false;
  int64_t cost = 0;
  PlanCosts stages = {};

  bool hasTilesOf(const Choice& other) const {
    return m.herd == other.m.herd && n.herd == other.n.herd && m.tile == other.m.tile &&
           n.tile == other.n.tile && hasRounds == other.hasRounds;
  }
  std::string str() const {
    return fmt::format("herd {}x{}, tile of a core {}x{}x{}{}, about {} cycles", m.herd, n.herd,
                       m.tile, n.tile, step, hasRounds ? fmt::format(", {} rounds", m.count) : "",
                       cost);
  }
};

/// Transfers of a descriptor's dimensions that bring a part of `dims` dimensions so many times: what it has no dimension for is more of them.
int64_t starts(int64_t dims, std::array<int64_t, 3> counts) {
  int64_t count = 1;
  for (int64_t times : counts)
    if (times > 1 && ++dims > 4) count *= times;
  return count;
}

/// Of an operand in L2: what it asks of one memory tile.
struct TilePart {
  int64_t bytes, in, out;
};

/// Whether so many memory tiles have room for the parts one after the other, each where the fewest channels are taken.
bool haveRoom(const std::vector<TilePart>& parts, int64_t count) {
  std::vector<TilePart> tiles(static_cast<size_t>(count));
  for (const TilePart& part : parts) {
    TilePart* best = nullptr;
    for (TilePart& tile : tiles)
      if (tile.bytes + part.bytes <= kMemory && tile.in + part.in <= kChannels &&
          tile.out + part.out <= kChannels && (!best || tile.in + tile.out < best->in + best->out))
        best = &tile;
    if (!best) return false;
    *best = {best->bytes + part.bytes, best->in + part.in, best->out + part.out};
  }
  return true;
}

/// What is known of an operand before tiles are chosen.
struct Moved {
  int64_t bytes = 0, l1 = 0;  ///< of an element, and of all buffers of a core for it
  unsigned last = 0;          ///< the loop along whose elements rows run
  bool byRows = false, byColumns = false, byDepth = false;
  bool comesIn = false, goesOut = false, isLate = false;
  bool isStaged = false;  ///< rows of the copy are as long as those of all launches

  bool isMatrix() const { return byRows && byColumns; }
  int64_t elements(int64_t m, int64_t n, int64_t k) const {
    return (byRows ? m : 1) * (byColumns ? n : 1) * (byDepth ? k : 1);
  }
};

/// Where the operands of a choice lie: in how many parts, in the memory of cores and of memory tiles, with which channels. One class:
/// each of these follows from the others.
class Places {
 public:
  Places(const PlanState& planning, const Roles& roles) : planning_(planning), roles_(roles) {
    for (size_t i = 0; i < plan().operands.size(); ++i)
      moved_.push_back(readMoved(i));
    if (planning.epilogue.op && functionsOf(planning.epilogue.op)) scratch_ = kScratch;
    for (unsigned loop = 0; loop < plan().numLoops(); ++loop)
      if (loop != roles.m && loop != roles.n && loop != roles.k) products_ *= size(loop);
  }

  /// A piece of a matrix has two buffers, so that one is made while the other leaves.
  int64_t bytesInL1(const Choice& choice) const {
    int64_t bytes = scratch_;
    for (const Moved& moved : moved_) {
      const int64_t tile = moved.l1 * moved.elements(choice.m.tile, choice.n.tile, choice.step);
      const bool isInPieces = choice.pieces > 1 && moved.isLate && moved.isMatrix();
      bytes += isInPieces ? 2 * tile / choice.pieces : tile;
    }
    return bytes;
  }

  /// The fewest pieces with which a core has room for its tile; none: it has not. They are of whole blocks, so that
  /// the sums of one lie together, and of whole words.
  std::optional<int64_t> piecesFor(Choice choice) const {
    const int64_t blocks = choice.n.tile / plan().blocks[roles_.n];
    const int64_t words = planning_.unit[roles_.n];
    for (const int64_t pieces : kPieces) {
      choice.pieces = pieces;
      if (blocks % pieces || choice.n.tile / pieces % words) break;
      if (bytesInL1(choice) <= planning_.wishes.l1Bytes) return pieces;
      if (!planning_.epilogue.op) break;
    }
    return std::nullopt;
  }

  bool isOneProduct() const { return products_ == 1; }

  /// Of all operands.
  int64_t bytesInL2(const Choice& choice) const {
    int64_t bytes = 0;
    for (size_t i = 0; i < moved_.size(); ++i)
      bytes += bytesOfLaunch(choice, i, i < kSums ? rowsInL2(choice, i) : choice.depth);
    return bytes;
  }

  /// Whether memory tiles have room for what such a launch has in L2, each part whole on one of them: of the cores of a
  /// column of the array one part of the result comes together there. The largest parts come first, or those with most
  /// channels, as `air-to-aie` places them where the order of the program fails. `twice`: a factor of which there are two buffers.
  bool fitsMemoryTiles(const Choice& choice, std::optional<size_t> twice = {}) const {
    std::vector<TilePart> parts;
    auto add = [&](int64_t count, int64_t bytes, int64_t in, int64_t out) {
      parts.insert(parts.end(), size_t(count), {ceilDiv(bytes, count), in, out});
    };
    for (size_t i = 0; i < kSums; ++i) {
      const int64_t herd = i == 0 ? choice.m.herd : choice.n.herd;
      const int64_t joined = joinedParts(choice, i), count = partsOf(choice, i) / joined;
      const int64_t bytes = bytesOfLaunch(choice, i, rowsInL2(choice, i));
      add(count, i == twice ? 2 * bytes : bytes, joined, herd / count);
    }
    const int64_t partsOfC = choice.m.isFilledUp || choice.n.isFilledUp
                                 ? partsOf(choice, kSums)
                                 : std::max(choice.m.herd, choice.n.herd);
    for (size_t i = kSums; i < moved_.size(); ++i)
      if (moved_[i].goesOut && moved_[i].isMatrix())
        add(partsOfC, bytesOfLaunch(choice, i, choice.depth),
            ceilDiv(choice.m.herd * choice.n.herd, partsOfC), 1);
    std::ranges::stable_sort(parts, std::ranges::greater(), &TilePart::bytes);
    if (haveRoom(parts, columns())) return true;
    std::ranges::stable_sort(parts, std::ranges::greater(),
                             [](const TilePart& part) { return part.in + part.out; });
    return haveRoom(parts, columns());
  }

  /// Channels of the memory tiles in each direction. All cores send one result at most, and each gets no matrix besides
  /// the factors: then there are always enough.
  bool hasChannels(const Choice& choice) const {
    const bool isRowLong = choice.m.isFilledUp && choice.m.herd > kChannels,
               isColumnLong = choice.n.isFilledUp && choice.n.herd > kChannels;
    if (isRowLong || isColumnLong) return false;
    const int64_t cores = choice.m.herd * choice.n.herd;
    // Of a part in one memory tile, for each core, and for the host where it comes and goes.
    for (size_t i = kSums; i < moved_.size(); ++i)
      if (const int64_t ofHost = moved_[i].comesIn && moved_[i].goesOut;
          moved_[i].isMatrix() && ceilDiv(cores, partsOf(choice, i)) + ofHost > kChannels)
        return false;
    int64_t toCores = choice.m.herd + choice.n.herd,
            toMemory = partsOf(choice, 0) + partsOf(choice, 1), results = 0, matrices = 0;
    for (size_t i = kSums; i < moved_.size(); ++i) {
      const Moved& moved = moved_[i];
      const int64_t parts = partsOf(choice, i);
      if (moved.goesOut) ++results, toMemory += cores, toCores += parts;
      if (moved.comesIn) toMemory += parts, toCores += moved.isMatrix() ? cores : choice.n.herd;
      matrices += moved.comesIn && moved.isMatrix();
    }
    if (results <= 1 && matrices == 0) return true;
    return std::max(toCores, toMemory) <= columns() * kChannels;
  }

  /// Of the reduction, that a copy of a factor into L2 brings. Where columns of cores share parts, each transfer brings what
  /// cores take next, and L2 holds as much as of the other factor.
  int64_t copyOf(Choice choice, size_t factor) const {
    constexpr int64_t kSharing = 2, kPieces = 8;
    choice.copies = {choice.copy, choice.copy};
    const int64_t few = kSharing * ceilDiv(choice.copy / choice.step, kPieces) * choice.step;
    const bool comesInSteps = choice.depth == size(roles_.k) || planning_.fillsReduction;
    if (isKept(choice, factor) || choice.copy % few || few == choice.copy || !comesInSteps)
      return choice.copy;
    choice.copies[factor] = few;
    return joinedParts(choice, factor) > 1 && fitsMemoryTiles(choice) ? few : choice.copy;
  }

  /// Whether columns of cores share parts of what comes in turns.
  bool sharesTurns(const Choice& choice) const {
    for (size_t i = 0; i < kSums; ++i)
      if (!isKept(choice, i) && joinedParts(choice, i) > 1) return true;
    return false;
  }

  /// Whether the right factor can stay in L2: each column of cores has a part of its own.
  bool canKeep(const Choice& choice) const { return partsOf(choice, 1) == choice.n.herd; }

 protected:
  const TilePlan& plan() const { return planning_.plan; }
  bool isAie2p() const { return planning_.wishes.generation == aie::Generation::Aie2p; }
  int64_t size(unsigned loop) const { return plan().sizes[loop]; }

  /// The operand of the product that it makes.
  static constexpr size_t kSums = 2;

  /// In how many parts the buffer of an operand is split: each is a transfer of its own.
  int64_t partsOf(const Choice& choice, size_t i) const {
    return i < kSums ? partsOfFactor(choice, i) : partsOfLater(choice, i);
  }

  /// Whether the memory of the host has less of the operand than the launch.
  bool isShort(const Moved& moved, unsigned loop, const Side& side) const {
    return side.isFilledUp && !(moved.isStaged && moved.last == loop);
  }

  /// Whether parts of a matrix are rows of it, which as many cores share: where there are more cores along its rows, or where
  /// the rows of a core would be shorter than a request (air-split-l2-memref). AIE2P: plans with rounds, which have such
  /// rows, take up to 1.3 times what the stages say, so they count as before.
  bool hasWholeRows(const Choice& choice, const Moved& moved) const {
    if (!moved.isMatrix() || choice.m.isFilledUp) return false;
    if (isAie2p()) return choice.m.herd > choice.n.herd;
    // Narrow tiles of several launches do not count as better: parts of rows of the right factor come slower than the stages say.
    const bool isNarrow =
        choice.n.count > 1 && choice.n.tile * moved_[1].bytes < kLeastRowBytes / 2;
    return moved.goesOut && !isNarrow && choice.m.herd == choice.n.herd &&
           choice.n.tile * moved.bytes < memory_.requestBytes;
  }

  bool isKept(const Choice& choice, size_t factor) const {
    return choice.hasRounds && !moved_[factor].byRows;
  }

  /// How many parts of a factor whose rows lie along a side are one, which as many columns of cores share (air-split-l2-memref).
  int64_t joinedParts(const Choice& choice, size_t factor) const {
    const Moved& moved = moved_[factor];
    if (moved.last == roles_.k) return 1;
    const Side& side = factor == 0 ? choice.m : choice.n;
    const bool stays = isKept(choice, factor);
    const int64_t parts = partsOf(choice, factor),
                  rows = stays ? choice.depth : choice.copies[factor];
    return air::partsJoined({.count = parts,
                             .rowBytes = side.launch() / parts * moved.bytes,
                             .rows = rows,
                             .steps = rows / choice.step,
                             .rounds = stays ? choice.m.count : 1},
                            memory_.requestBytes);
  }

  const PlanState& planning_;
  const Roles& roles_;
  aie::HostMemory memory_ = aie::hostMemoryOf(planning_.wishes.generation);
  int64_t products_ = 1;
  std::vector<Moved> moved_;  ///< of each operand

 private:
  /// Of the array: each has a memory tile and a shim.
  int64_t columns() const { return std::max<int64_t>(1, planning_.wishes.l2Bytes / kMemory); }

  Moved readMoved(size_t i) const {
    const TiledOperand& operand = plan().operands[i];
    Moved moved;
    moved.bytes = bytesOf(operand);
    moved.l1 = bytesOfElement(planning_, i, operand.isWritten || operand.isLate ? 1 : 2);
    for (unsigned loop = 0; loop < plan().numLoops(); ++loop)
      if (!operand.index.empty() && operand.index.back().uses(loop)) moved.last = loop;
    moved.byRows = operand.uses(roles_.m);
    moved.byColumns = operand.uses(roles_.n);
    moved.byDepth = operand.uses(roles_.k);
    moved.goesOut = operand.isWritten && !operand.isInner;
    moved.comesIn = i == kSums ? !planning_.wishes.outputIsNew && !operand.isInner : operand.isRead;
    moved.isLate = operand.isLate;
    moved.isStaged = operand.isStaged;
    return moved;
  }

  /// Shims have so many channels for what is read. The other operands take theirs, then the factor that is copied first.
  int64_t partsOfFactor(const Choice& choice, size_t i) const {
    const size_t first = choice.hasRounds ? 1 : 0;
    int64_t left = columns() * kChannelsOfShim - 1;  // the other factor has one at least
    for (size_t later = kSums; later < moved_.size(); ++later)
      if (moved_[later].comesIn) left -= partsOfLater(choice, later);
    const int64_t ofFirst = wantedParts(choice, first), parts = ofFirst <= left ? ofFirst : 1;
    if (i == first) return parts;
    const int64_t ofSecond = wantedParts(choice, i);
    return ofSecond <= left + 1 - parts ? ofSecond : 1;
  }

  int64_t wantedParts(const Choice& choice, size_t factor) const {
    const Side& side = factor == 0 ? choice.m : choice.n;
    // A memory tile sends to so many rows or columns of cores.
    if (side.herd > kChannels) return side.herd;
    return partsAlong(factor == 0 ? roles_.m : roles_.n, side, moved_[factor],
                      bytesOfLaunch(choice, factor, size(roles_.k)),
                      factor == 1 && choice.hasRounds);
  }

  int64_t partsOfLater(const Choice& choice, size_t i) const {
    const Moved& moved = moved_[i];
    const int64_t cores = choice.m.herd * choice.n.herd;
    if (moved.isMatrix() && cores > kChannels)
      return std::max(isShort(moved, roles_.m, choice.m) ? 1 : choice.m.herd,
                      isShort(moved, roles_.n, choice.n) ? 1 : choice.n.herd);
    const int64_t bytes = bytesOfLaunch(choice, i, 1);
    return std::max(moved.byRows ? partsAlong(roles_.m, choice.m, moved, bytes) : 1,
                    moved.byColumns ? partsAlong(roles_.n, choice.n, moved, bytes) : 1);
  }

  /// Of an operand that leaves the cores or comes into them, in a launch.
  int64_t bytesOfLaunch(const Choice& choice, size_t i, int64_t depth) const {
    const Moved& moved = moved_[i];
    if (i == kSums && !moved.goesOut) return 0;
    return moved.bytes * moved.elements(choice.m.launch(), choice.n.launch(), depth);
  }

  /// Along a side whose tiles lie in rows, only where those are long enough; what is kept in L2 pays
  /// for short ones once.
  int64_t partsAlong(unsigned loop, const Side& side, const Moved& moved, int64_t bytes,
                     bool isKept = false) const {
    const bool hasShortRows = moved.last == loop && side.tile * moved.bytes < kLeastRowBytes;
    if ((hasShortRows && !isKept) || isShort(moved, loop, side)) return 1;
    return std::clamp<int64_t>(bytes / kLeastPartBytes, 1, side.herd);
  }

  /// Of the reduction, that L2 holds of a factor: what comes in turns lies there twice, but for what columns of cores share.
  int64_t rowsInL2(const Choice& choice, size_t factor) const {
    if (isKept(choice, factor) || choice.copy >= choice.depth) return choice.depth;
    return choice.copies[factor] < choice.copy ? choice.copy : 2 * choice.copy;
  }

  int64_t scratch_ = 0;
};

/// What a choice costs, in cycles.
class Costs : public Places {
 public:
  Costs(const PlanState& planning, const Roles& roles, const std::vector<int64_t>& blocks)
      : Places(planning, roles),
        depth_(blocks[roles.k]),
        rate_(blocks[roles.m] * blocks[roles.n] * depth_) {
    bringsRow_ = std::ranges::any_of(moved_, [](const Moved& moved) {
      return moved.isLate && moved.comesIn && moved.byColumns && !moved.byRows;
    });
    if (planning.epilogue.op) cyclesOfEpilogue_ = cyclesOfElement(planning.epilogue.op);
    const auto elementOf = [&](size_t i) {
      return elementTypeOrSelf(plan().operands[i].value.type());
    };
    keepsNarrowSums_ = linalg::keepsNarrowSums(elementOf(0), elementOf(1), elementOf(kSums));
    if (!areIntegers()) wanted_ = 4;
    if (keepsNarrowSums_) sumsPerCycle_ *= 4 / bytesOf(plan().operands[kSums]);
    // Products that are added one by one take an instruction for each step of the depth. Floats of several pieces, and integers of two halves, are sums of products of these.
    int64_t pieces = std::max<int64_t>(1, plan().sums.pieces);
    if (areIntegers() && std::max(moved_[0].bytes, moved_[1].bytes) > 2) pieces = 2;
    rate_ = std::max<int64_t>(1, rate_ / (pieces * (pieces + 1) / 2));
    if (plan().sums.depth == 1) rate_ = std::max<int64_t>(1, rate_ / depth_);
  }

  /// Cycles. What takes longest rules, and stages that take nearly as long hold each other up: of 190 plans of 17 products the
  /// 4-norm of all was closest to the simulator (docs/log.md, "Products of any size"). In the first and the last of the
  /// launches little overlaps.
  int64_t of(const Choice& choice, const PlanCosts& stages) const {
    const int64_t launches = choice.m.count * choice.n.count * products_;
    const int64_t fills = cyclesOfFills(choice);
    PlanCosts beside = stages;
    beside.reads -= std::min(fills, stages.reads);
    return fills + beside.together() + (beside.sum() - beside.longest()) / (2 * launches);
  }

  PlanCosts stagesOf(const Choice& choice) const {
    const int64_t launches = choice.m.count * choice.n.count * products_;
    PlanCosts costs;
    costs.cores = launches * cyclesOfTile(choice);
    int64_t requestsToRead = 0, requestsToWrite = 0;
    for (size_t i = 0; i < moved_.size(); ++i) {
      const Moved& moved = moved_[i];
      const bool isKept = choice.hasRounds && !moved.byRows;
      const int64_t times = isKept ? choice.n.count * products_ : launches,
                    parts = partsOf(choice, i),
                    elements = moved.elements(choice.m.launch(), choice.n.launch(), size(roles_.k)),
                    asked = times * requests(choice, i, elements, parts),
                    streamed = times * elements * moved.bytes / parts / kStreamRate *
                               (takesTurns(choice, i) ? 2 * joinedParts(choice, i) : 1);
      costs.starts += kTransferStartCycles * startsOf(choice, i, parts);
      if (moved.comesIn) requestsToRead += asked, costs.reads = std::max(costs.reads, streamed);
      if (moved.goesOut) requestsToWrite += asked, costs.writes = std::max(costs.writes, streamed);
    }
    costs.reads = std::max(costs.reads, requestsToRead);
    costs.writes = std::max(costs.writes, requestsToWrite);
    return costs;
  }

 private:
  bool areIntegers() const {
    return elementTypeOrSelf(plan().operands[0].value.type()).isInteger();
  }

  bool mayHideSums() const { return !isAie2p() && !areIntegers(); }

  /// In which L2 is filled and cores wait.
  int64_t cyclesOfFills(const Choice& choice) const {
    return cyclesOfWhole(choice) + (choice.hasRounds ? cyclesOfKept(choice) : 0);
  }

  /// A factor that comes whole along the reduction has one buffer in L2, but for loops over rounds with room for two
  /// (air-ping-pong-transform): it is filled again while cores compute on the last two steps, which they have in L1.
  int64_t cyclesOfWhole(const Choice& choice) const {
    const int64_t launches = choice.m.count * choice.n.count * products_,
                  lastSteps = cyclesOfTile(choice) * 2 * choice.step / choice.depth;
    int64_t asked = 0, streamed = 0;
    for (size_t i = 0; i < kSums; ++i) {
      if (choice.copies[i] < choice.depth || isKept(choice, i) || isTwiceInL2(choice, i)) continue;
      const Traffic traffic = trafficOf(choice, i);
      asked += traffic.asked;
      streamed = std::max(streamed, traffic.streamed);
    }
    return (launches - 1) * std::max<int64_t>(0, std::max(asked, streamed) - lastSteps);
  }

  bool isTwiceInL2(const Choice& choice, size_t factor) const {
    return choice.hasRounds && fitsMemoryTiles(choice, factor);
  }

  /// What stays in L2 is filled again only while the last of the rounds reads it, and cores wait for the rest. Cores of
  /// AIE2 are busy for longer beside it.
  int64_t cyclesOfKept(const Choice& choice) const {
    if (!isAie2p()) return 0;
    const Traffic kept = trafficOf(choice, 1);
    const int64_t rounds = choice.m.count, fill = std::max(kept.asked, kept.streamed);
    return choice.n.count * products_ * fill * (rounds - 1) / rounds;
  }

  /// What a launch instance moves of an operand, in cycles: of the memory of the host, and of each stream.
  struct Traffic {
    int64_t asked, streamed;
  };
  Traffic trafficOf(const Choice& choice, size_t i) const {
    const int64_t parts = partsOf(choice, i),
                  elements =
                      moved_[i].elements(choice.m.launch(), choice.n.launch(), size(roles_.k));
    return {requests(choice, i, elements, parts), elements * moved_[i].bytes / parts / kStreamRate};
  }

  /// Cycles of the memory of the host for `elements` of an operand.
  int64_t requests(const Choice& choice, size_t operand, int64_t elements, int64_t parts) const {
    const Moved& moved = moved_[operand];
    int64_t row = 0;
    if (moved.last == roles_.k) row = choice.brought;
    if (moved.last == roles_.m) row = choice.m.launch() / parts;
    if (moved.last == roles_.n)
      row = isShort(moved, roles_.n, choice.n)
                ? size(roles_.n)
                : choice.n.launch() / (hasWholeRows(choice, moved) ? 1 : parts);
    if (operand < kSums) row *= joinedParts(choice, operand);
    // Whole rows lie one after the other.
    if (row == size(moved.last)) row = elements / parts;
    row = std::max<int64_t>(1, row);
    const int64_t request = memory_.requestBytes;
    return ceilDiv(elements, row) * ceilDiv(row * moved.bytes, request) * request /
           memory_.bytesPerCycle;
  }

  /// Whether columns of cores share parts of the right factor whose channels bring a row of the epilogue, too: its transfers in L2
  /// then take turns, first those that fill it and then those that drain it (L2Locks.cpp). With rounds the row has channels of its own.
  bool takesTurns(const Choice& choice, size_t factor) const {
    return bringsRow_ && factor == 1 && !isAie2p() && !choice.hasRounds &&
           joinedParts(choice, factor) > 1;
  }

  /// Blocks of integers of AIE2P are one tile of the unit wide along one of the sides, so the other one decides.
  int64_t percentOfTile(const Choice& choice) const {
    const int64_t m = choice.m.percent, n = choice.n.percent;
    if (isAie2p() && areIntegers()) return std::min(m, n);
    return m * n / 100;
  }

  int64_t cyclesOfTile(const Choice& choice) const {
    const int64_t m = choice.m.tile, n = choice.n.tile, k = choice.step;
    // Loads and stores of C are a part of each step; where L1 is nearly full, its banks are shared.
    int64_t step = m * n * k / rate_ * percentOfTile(choice) / 100 *
                       percentOfStep(k / depth_, wanted_, keepsNarrowSums_) / 100 +
                   (mayHideSums() && hidesSums(m, n, k / depth_) ? 0 : m * n / sumsPerCycle_) +
                   kOfStep;
    // Where the unit does not load narrow sums, they are widened before each step and rounded after it.
    if (moved_[kSums].bytes < 4 && !keepsNarrowSums_) step += m * n / 4;
    if (bytesInL1(choice) * 6 > planning_.wishes.l1Bytes * 5) step += step / 10;
    const int64_t moving = std::max(m * k * moved_[0].bytes, n * k * moved_[1].bytes) / kStreamRate;
    const bool isAlone = k == choice.depth;
    if (hasTwoBuffers(choice) || isAlone)
      step =
          std::max(step, moving) + (isAlone ? moving / 4 : 0);  // the tile before it leaves first
    else
      step += moving + kOfStep;
    return choice.depth / k * step + cyclesAfter(choice) + kBetweenTiles;
  }

  /// Whether a core computes on one buffer while the other is filled: air-ping-pong-transform makes two of a loop
  /// that it can unroll by two.
  static bool hasTwoBuffers(const Choice& choice) { return choice.depth / choice.step % 2 == 0; }

  /// Of a core after the last step: sums leave it before the next tile begins, and what the epilogue needs besides comes
  /// then. What the epilogue makes in memory of its own leaves during the next tile.
  /// Of pieces all but two wait for the buffer that one before them leaves.
  int64_t cyclesAfter(const Choice& choice) const {
    const int64_t m = choice.m.tile, n = choice.n.tile;
    auto made = static_cast<int64_t>(cyclesOfEpilogue_ * static_cast<double>(m * n));
    int64_t leaving = 0, other = 0;
    for (size_t i = kSums; i < moved_.size(); ++i) {
      const int64_t moving = moved_[i].elements(m, n, 1) * moved_[i].bytes / kStreamRate;
      if ((i == kSums && moved_[i].goesOut) || (i > kSums && moved_[i].comesIn)) other += moving;
      if (i > kSums && moved_[i].goesOut) leaving += moving;
    }
    if (choice.pieces > 1) made = std::max(made, leaving * (choice.pieces - 2) / choice.pieces);
    return made + other;
  }

  /// Transfers that the host starts for an operand, of all launches. One has three dimensions and a count: what has
  /// more is several. Where sums are read first, each launch waits for what the last one wrote.
  int64_t startsOf(const Choice& choice, size_t i, int64_t parts) const {
    const Moved& moved = moved_[i];
    const int64_t m = choice.m.count, n = choice.n.count, ways = moved.comesIn + moved.goesOut;
    if (!planning_.wishes.outputIsNew) return products_ * m * n * parts * ways;
    // What each product repeats, between steps of its own, no descriptor says.
    if (products_ > 1 && i == 0 && n > 1) return parts * products_ * m;
    if (products_ > 1 && i == 1 && m > 1) return parts * products_;
    if (i == 1) return parts * starts(2, {products_, m, n});
    if (i > 1) return ways * parts * starts(moved.isMatrix() ? 2 : 1, {products_, n, m});
    const bool comesWhole = choice.brought == size(roles_.k);
    const int64_t dimsOfA = comesWhole ? (parts > 1 ? 2 : 1) : 3;
    return parts * starts(dimsOfA, {products_, n, m});
  }

  int64_t depth_, rate_;
  int64_t wanted_ = 8;  ///< blocks of the reduction in the body of a loop of a core
  /// Of a step, loaded and stored beside its products (docs/performance.md, kernels of 64^3 of i8).
  int64_t sumsPerCycle_ = isAie2p() ? 28 : 20;
  bool keepsNarrowSums_ = false;
  bool bringsRow_ = false;       ///< for the epilogue
  double cyclesOfEpilogue_ = 0;  ///< for an element
};

/// Rows along the reduction, of a factor that has such rows.
struct RowsAlong {
  int64_t request;    ///< bytes that the memory of the host gives at a time
  int64_t bytes = 0;  ///< of an element; 0: no factor has such rows

  /// How much more is asked for than rows of so many elements have.
  double waste(int64_t elements) const {
    return double(ceilDiv(elements * bytes, request) * request) / double(elements * bytes);
  }
};

RowsAlong rowsAlong(const PlanState& planning, const Roles& roles) {
  RowsAlong rows{aie::hostMemoryOf(planning.wishes.generation).requestBytes};
  for (const TiledOperand& operand : planning.plan.operands)
    if (operand.uses(roles.k) && operand.index.back().uses(roles.k))
      rows.bytes = rows.bytes ? std::min(rows.bytes, bytesOf(operand)) : bytesOf(operand);
  return rows;
}

/// Cores take two steps in one round of their loops (air-ping-pong-transform), which have to come with one copy.
bool comeTogether(int64_t copy, int64_t step) { return copy == step || copy / step % 2 == 0; }

/// Elements along the reduction that copies into L2 may bring, which divide it: rows of a request at least, and such as waste less
/// of the last request of a row.
std::vector<int64_t> copiesOf(const RowsAlong& rows, int64_t size, int64_t step) {
  if (rows.bytes == 0) return {step};
  std::vector<int64_t> copies;
  double best = 2;
  for (int64_t copy = step; copy <= size; copy += step) {
    if (copy * rows.bytes < rows.request || size % copy || !comeTogether(copy, step)) continue;
    if (rows.waste(copy) < best) copies.push_back(copy), best = rows.waste(copy);
  }
  if (copies.empty()) copies.push_back(size);
  return copies;
}

/// A length of the reduction, filled up or as it is, a divisor that a core takes at a time, what a copy into L2 takes there, and
/// what it brings: zeros fill up the rest.
struct Depth {
  int64_t depth, step, copy, brought;
};

/// A reduction in parts, each of which zeros fill up to a multiple of `multiple`: of those with the same steps the shortest, and longer
/// ones that waste less.
void addParts(std::vector<Depth>& depths, const PlanState& planning, const Roles& roles,
              int64_t multiple, int64_t unit) {
  constexpr int64_t kLeast = 64;  // elements of a part where no rows lie along the reduction
  const int64_t size = planning.plan.sizes[roles.k];
  const RowsAlong rows = rowsAlong(planning, roles);
  const int64_t least = rows.bytes ? ceilDiv(rows.request, rows.bytes) : kLeast;
  for (int64_t step = kLongestStep / unit * unit; step > 0; step -= unit) {
    double best = 1.25;  // of what is there; more is not worth it
    for (int64_t brought = least; brought <= size / 2; ++brought) {
      const int64_t copy = ceilDiv(brought, multiple) * multiple;
      if (size % brought || brought % planning.unit[roles.k] || copy % step ||
          !comeTogether(copy, step))
        continue;
      const double waste = double(copy) / double(brought);
      if (copy == brought || waste >= best) continue;
      best = waste;
      depths.push_back({size / brought * copy, step, copy, brought});
    }
  }
}

std::vector<Depth> depthsOf(const PlanState& planning, const Roles& roles, int64_t unit) {
  const int64_t size = planning.plan.sizes[roles.k];
  const RowsAlong rows = rowsAlong(planning, roles);
  std::vector<Depth> depths;
  int64_t last = 0;
  for (const int64_t multiple : {int64_t{1}, unit, 4 * unit, 8 * unit}) {
    const int64_t depth = ceilDiv(size, multiple) * multiple;
    if (depth % unit || depth == last) continue;
    last = depth;
    const bool comesInSteps = depth == size || planning.fillsReduction;
    for (int64_t step = std::min(depth, kLongestStep) / unit * unit; step > 0; step -= unit) {
      if (depth % step) continue;
      const std::vector<int64_t> copies =
          comesInSteps ? copiesOf(rows, depth, step) : std::vector{depth};
      for (int64_t copy : copies)
        depths.push_back({depth, step, copy, copy == depth ? size : copy});
    }
  }
  // Rows of a staged factor are filled up at their end.
  if (std::ranges::none_of(planning.plan.operands, &TiledOperand::isStaged))
    for (const int64_t multiple : {unit, 4 * unit, 8 * unit})
      addParts(depths, planning, roles, multiple, unit);
  return depths;
}

/// As TileWishes::product has it.
std::array<int64_t, 6> wishFor(const Choice& choice) {
  return {choice.m.herd, choice.n.herd, choice.m.tile,
          choice.n.tile, choice.step,   choice.hasRounds ? 2 : 1};
}

bool isAsWished(const Choice& choice, const std::vector<int64_t>& wish) {
  const auto own = wishFor(choice);
  for (size_t i = 0; i < std::min(own.size(), wish.size()); ++i)
    if (wish[i] != 0 && wish[i] != own[i]) return false;
  return true;
}

/// The cheapest choice, and the cheapest one with other tiles. What is as wished comes before all others.
struct Found {
  std::vector<int64_t> wish = {};
  size_t numListed = 0;
  std::vector<Choice> listed = {};  ///< the cheapest ones, each wish once
  std::optional<Choice> best, next;

  bool isBetter(const Choice& choice, const Choice& than) const {
    const bool isWished = isAsWished(choice, wish), isOther = isAsWished(than, wish);
    return isWished != isOther ? isWished : choice.cost < than.cost;
  }

  /// Among the listed ones.
  void list(const Choice& choice) {
    const auto same = std::ranges::find(listed, wishFor(choice), wishFor);
    if (same != listed.end() && same->cost <= choice.cost) return;
    if (same != listed.end()) listed.erase(same);
    listed.insert(std::ranges::upper_bound(listed, choice.cost, {}, &Choice::cost), choice);
    if (listed.size() > numListed) listed.pop_back();
  }

  void add(const Choice& choice) {
    if (numListed) list(choice);
    if (!best || isBetter(choice, *best)) {
      if (best && !best->hasTilesOf(choice)) next = best;
      best = choice;
    } else if (!best->hasTilesOf(choice) && (!next || isBetter(choice, *next))) {
      next = choice;
    }
  }
};

/// What plans differ in when it comes to channels and memory: the herd, and whether something stays in L2.
struct PlanKind {
  int64_t rows = 1, columns = 1;
  bool hasRounds = false;
  bool operator==(const PlanKind&) const = default;
};
PlanKind kindOf(const Choice& choice) { return {choice.m.herd, choice.n.herd, choice.hasRounds}; }

/// Of the kinds that are not `tried`.
Found cheapest(const PlanState& planning, const Roles& roles, const std::vector<int64_t>& blocks,
               const std::vector<PlanKind>& tried) {
  const TileWishes& wishes = planning.wishes;
  const std::vector<int64_t>& words = planning.unit;
  const Costs costs(planning, roles, blocks);
  auto extent = [&](unsigned loop, int64_t cores) {
    return Extent{
        .size = planning.plan.sizes[loop],
        .block = blocks[loop],
        .word = words[loop],
        .cores = cores,
        .mayOverlap = wishes.outputIsNew,
        .areWide = blocks[roles.k] == 4,
        // A batch of products has its herd along the batch where the product itself gets no tiles.
        .mayFillUp = costs.isOneProduct()};
  };
  const int64_t cores = wishes.herd.size() > 1 ? wishes.herd[1] : 1;
  const int64_t most = std::max(wishes.herd[0], cores);
  const std::vector<Side> rows = sidesOf(extent(roles.m, most)),
                          columns = sidesOf(extent(roles.n, most));
  const std::vector<Depth> depths =
      depthsOf(planning, roles, std::lcm(blocks[roles.k], words[roles.k]));
  // Locks count how often what stays is used.
  constexpr int64_t kMostRounds =
      aie::limitsOf(aie::Generation::Aie2, aie::TileKind::Mem).maxLockValue;
  Found found{.wish = wishes.product, .numListed = size_t(wishes.listedPlans)};
  auto consider = [&](Choice choice) {
    if (std::ranges::find(tried, kindOf(choice)) != tried.end()) return;
    choice.copies = {costs.copyOf(choice, 0), costs.copyOf(choice, 1)};
    if (choice.hasRounds && costs.bytesInL2(choice) > wishes.l2Bytes) return;
    if ((choice.hasRounds || costs.sharesTurns(choice)) && !costs.fitsMemoryTiles(choice)) return;
    choice.stages = costs.stagesOf(choice);
    choice.cost = costs.of(choice, choice.stages);
    found.add(choice);
  };
  auto fitsArray = [&](int64_t first, int64_t second) {
    return first <= wishes.herd[0] && second <= cores;
  };
  // Where the tiles of such overlap both ways, no descriptor takes those of several: each product waits for transfers of its own, about
  // 19,000 cycles. Cores that compute whole ones without the matrix unit take 300 to 4,000 (100x30x30x30 of bf16 146,736 cycles in
  // the place of 3,723,320).
  constexpr int64_t kSmall = 32 * 32 * 32;
  const std::vector<int64_t>& sizes = planning.plan.sizes;
  const bool isOfSmallMatrices =
      !costs.isOneProduct() && sizes[roles.m] * sizes[roles.n] * sizes[roles.k] <= kSmall;
  for (const Side& m : rows)
    for (const Side& n : columns) {
      // An array with more columns than rows has room for a herd one way or the other.
      const bool isOrdered = roles.m < roles.n;
      const int64_t first = isOrdered ? m.herd : n.herd, second = isOrdered ? n.herd : m.herd;
      if (!fitsArray(first, second) && !fitsArray(second, first)) continue;
      if (m.count > 1 && n.count > 1 && isOfSmallMatrices) continue;
      const bool isLong = std::max(m.tile, n.tile) > kLongestKept;
      for (const auto& [depth, step, copy, brought] : depths) {
        Choice choice{m, n, depth, step, copy, brought};
        // A row of cores, each in a column of its own with a memory tile and a shim, and not a column, whose parts in L2 are all in
        // one (1x3072x768 of i8 185,279 cycles in the place of 318,727). AIE2P: measured, 5 % slower.
        const bool isRowBetter = wishes.generation == aie::Generation::Aie2 && first == 1;
        choice.isTurned = !fitsArray(first, second) || (isRowBetter && fitsArray(second, first));
        const std::optional<int64_t> pieces = costs.piecesFor(choice);
        if (!pieces || !costs.hasChannels(choice)) continue;
        choice.pieces = *pieces;
        consider(choice);
        if (m.count == 1 || m.count > kMostRounds || !wishes.outputIsNew) continue;
        if (isLong && wishes.generation == aie::Generation::Aie2) continue;
        choice.hasRounds = true;
        if (costs.canKeep(choice)) consider(choice);
      }
    }
  return found;
}

void take(PlanState& planning, const Roles& roles, const Choice& choice) {
  TilePlan& plan = planning.plan;
  plan.herdLoops = {std::min(roles.m, roles.n), std::max(roles.m, roles.n)};
  if (choice.isTurned) std::swap(plan.herdLoops[0], plan.herdLoops[1]);
  planning.herd.assign(plan.numLoops(), 1);
  plan.core.assign(plan.numLoops(), 1);
  planning.copy.assign(plan.numLoops(), 0);
  for (const auto& [loop, side] : {std::pair(roles.m, &choice.m), std::pair(roles.n, &choice.n)}) {
    planning.herd[loop] = side->herd;
    plan.core[loop] = side->tile;
    plan.steps[loop] = side->step;
  }
  plan.core[roles.k] = choice.step;
  if (planning.fillsReduction) plan.sizes[roles.k] = choice.depth;
  planning.copy[roles.k] = choice.copy;
  planning.depth.assign(plan.numLoops(), 0);
  planning.depth[roles.k] = choice.depth;
  for (size_t i = 0; i < choice.copies.size(); ++i)
    if (choice.copies[i] != choice.copy) {
      plan.operands[i].copy = planning.copy;
      plan.operands[i].copy[roles.k] = choice.copies[i];
    }
  plan.cycles = choice.cost;
  plan.costs = choice.stages;
  if (choice.hasRounds) plan.rounds[roles.m] = choice.m.count;
  plan.pieces = choice.pieces;
  plan.pieceLoop = roles.n;
}

}  // namespace

bool chooseProductTiles(PlanState& planning) {
  const TileWishes& wishes = planning.wishes;
  const auto isSaid = [](const std::vector<int64_t>& list) {
    return std::ranges::any_of(list, [](int64_t entry) { return entry != 0; });
  };
  if (wishes.l2Bytes == 0 || !wishes.pack || isSaid(wishes.coreTile) || isSaid(wishes.copyTile) ||
      isSaid(wishes.blocks))
    return false;
  const std::vector<int64_t> blocks = blocksOfProduct(planning);
  const auto roles = rolesOf(planning, blocks);
  if (!roles) return false;
  for (unsigned loop : {roles->m, roles->n, roles->k})
    if (planning.plan.sizes[loop] % planning.words[loop]) return false;
  planning.plan.blocks = blocks;
  chooseSums(planning);
  std::vector<PlanKind> tried;
  Found found = cheapest(planning, *roles, blocks, tried);
  for (int64_t i = 0; i < wishes.plansTried && found.best; ++i) {
    tried.push_back(kindOf(*found.best));
    found = cheapest(planning, *roles, blocks, tried);
  }
  if (!found.best) return false;
  take(planning, *roles, *found.best);
  if (found.next) planning.plan.next = found.next->str();
  for (const Choice& choice : found.listed)
    planning.plan.plans.push_back(fmt::format("{}", fmt::join(wishFor(choice), ",")));
  return true;
}

}  // namespace airlite::tiling
