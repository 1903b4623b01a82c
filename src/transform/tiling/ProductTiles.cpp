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

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace airlite::tiling {

namespace {

// docs/hardware/timing.md (DDR): bytes of a request, and bytes per cycle in each direction.
constexpr int64_t kRequest = 256, kDdrRate = 15;
/// Bytes that a stream moves in a cycle.
constexpr int64_t kStreamRate = 4;
/// Launches of which one may be in each stage on its way.
constexpr int64_t kMostOverlap = 4;
/// Of the cores between two tiles of the result, in cycles: the first steps of a tile wait for data.
constexpr int64_t kBetweenTiles = 3000;
/// Of a core at each step of the reduction: locks and the begin and end of loops.
constexpr int64_t kOfStep = 80;
/// Longest tile along rows and columns, where it has to divide them, and along the reduction.
constexpr int64_t kLongestSide = 128, kLongestExact = 512, kLongestStep = 512;
/// Channels into a memory tile.
constexpr int64_t kChannels = aie::limitsOf(aie::Generation::Aie2, aie::TileKind::Mem).channels;

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

/// How rows or columns are shared out: to `herd` cores a tile each, in `count` launches that begin
/// `step` after one another.
struct Side {
  int64_t herd = 1, tile = 0, step = 0, count = 1;
  int64_t percent = 100;  ///< time of a core for an element, of that in the best tiles

  int64_t launch() const { return herd * tile; }
};

/// A loop of rows or columns.
struct Extent {
  int64_t size, block, word;  ///< `word`: elements of which steps are multiples
  int64_t cores;
  bool mayOverlap;
  bool areWide;  ///< sums are of 64 bits
};

/// The registers hold accumulators of several blocks, of a number that divides that of the tile: time
/// of a core, in percent of that for the best tiles (docs/performance.md, "Tiles of products"). Loops
/// with three accumulators of 64 bits are not pipelined.
int64_t percentOf(int64_t blocks, bool areWide) {
  if (blocks % 2 == 0) return blocks % 4 == 0 ? 100 : 105;
  if (blocks % 3 == 0) return areWide ? 300 : 125;
  return 250;
}
/// The same of the blocks of a step, of which a loop takes about `wanted` at a time: sums are loaded
/// and stored before and after these.
int64_t percentOfStep(int64_t blocks, int64_t wanted) {
  if (blocks % wanted == 0) return 100;
  if (blocks > wanted) return 120;
  return 2 * blocks >= wanted ? 130 : 200;
}

std::optional<Side> sideOf(const Extent& extent, int64_t herd, int64_t tile) {
  Side side{herd, tile, herd * tile, 1, percentOf(tile / extent.block, extent.areWide)};
  const int64_t rest = extent.size - side.launch();
  if (rest < 0) return std::nullopt;
  side.count += (rest + side.launch() - 1) / side.launch();
  if (side.count == 1) return side;
  side.step = rest / (side.count - 1);
  const bool isEven = rest % (side.count - 1) == 0 && side.step % extent.word == 0;
  const bool overlaps = side.step < side.launch();
  if (!isEven || (overlaps && !extent.mayOverlap)) return std::nullopt;
  return side;
}

/// Ways to share a loop out: for each number of launches the shortest tile that does with it, and
/// tiles of whole groups of blocks.
std::vector<Side> sidesOf(const Extent& extent) {
  std::vector<Side> sides;
  for (int64_t herd = 1; herd <= extent.cores; ++herd) {
    const int64_t longest =
        std::min(extent.mayOverlap ? kLongestSide : kLongestExact, extent.size / herd);
    int64_t count = 0;
    for (int64_t tile = extent.block; tile <= longest; tile += extent.block) {
      const std::optional<Side> side = sideOf(extent, herd, tile);
      if (!side) continue;
      if (side->count == count && tile % (4 * extent.block)) continue;
      count = side->count;
      sides.push_back(*side);
    }
  }
  return sides;
}

/// A choice of tiles, and what it costs.
struct Choice {
  Side m, n;
  int64_t depth = 0;  ///< of the reduction, in L2: where it is longer, zeros fill it up
  int64_t step = 0;   ///< of the reduction, in a core
  int64_t copy = 0;   ///< of the reduction, into L2
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

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

class Costs {
 public:
  Costs(const PlanState& planning, const Roles& roles, const std::vector<int64_t>& blocks)
      : planning_(planning),
        roles_(roles),
        depth_(blocks[roles.k]),
        rate_(blocks[roles.m] * blocks[roles.n] * depth_) {
    for (size_t i = 0; i < 3; ++i) {
      bytes_[i] = bytesOf(plan().operands[i]);
      l1_[i] = bytesOfElement(planning, i, plan().operands[i].isWritten ? 1 : 2);
      for (unsigned loop = 0; loop < plan().numLoops(); ++loop)
        if (plan().operands[i].index.back().uses(loop)) last_[i] = loop;
    }
    for (unsigned loop = 0; loop < plan().numLoops(); ++loop)
      if (loop != roles.m && loop != roles.n && loop != roles.k) products_ *= size(loop);
    if (!elementTypeOrSelf(plan().operands[0].value.type()).isInteger()) wanted_ = 4;
    // Floats of several pieces, and integers of two halves, are sums of products of these.
    int64_t pieces = std::max<int64_t>(1, plan().sums.pieces);
    if (wanted_ == 8 && std::max(bytes_[0], bytes_[1]) > 2) pieces = 2;
    rate_ = std::max<int64_t>(1, rate_ / (pieces * (pieces + 1) / 2));
  }

  int64_t bytesInL1(const Choice& choice) const {
    const int64_t m = choice.m.tile, n = choice.n.tile, k = choice.step;
    return m * k * l1_[0] + k * n * l1_[1] + m * n * l1_[2];
  }

  /// Bytes in L2 where the right factor lies whole along the reduction, and the left one in turns.
  int64_t bytesInL2(const Choice& choice) const {
    const int64_t m = choice.m.launch(), n = choice.n.launch(), k = choice.depth;
    const int64_t ofA = choice.copy < k ? 2 * choice.copy : k;
    return m * ofA * bytes_[0] + k * n * bytes_[1] + m * n * bytes_[2];
  }

  /// Channels of the memory tiles in each direction, where cores get their part of the result first.
  bool hasChannels(const Choice& choice) const {
    if (planning_.wishes.outputIsNew) return true;
    const int64_t tiles = std::max<int64_t>(
        1, planning_.wishes.l2Bytes /
               aie::limitsOf(aie::Generation::Aie2, aie::TileKind::Mem).memoryBytes);
    return choice.m.herd * choice.n.herd + choice.m.herd + choice.n.herd + partsOf(choice).c <=
           tiles * kChannels;
  }

  /// Whether the right factor can stay in L2: each column of cores has a part of its own.
  bool canKeep(const Choice& choice) const { return partsOf(choice).b == choice.n.herd; }

  /// Cycles. What takes longest rules; in the first and the last of the launches nothing overlaps.
  int64_t of(const Choice& choice, const PlanCosts& stages) const {
    const int64_t launches = choice.m.count * choice.n.count * products_;
    return stages.longest() + (stages.sum() - stages.longest()) / std::min(launches, kMostOverlap);
  }

  PlanCosts stagesOf(const Choice& choice) const {
    const int64_t launches = choice.m.count * choice.n.count * products_;
    const int64_t ofB = choice.hasRounds ? choice.n.count * products_ : launches;
    const Parts parts = partsOf(choice);
    const int64_t elementsOfA = choice.m.launch() * size(roles_.k),
                  elementsOfB = choice.n.launch() * size(roles_.k),
                  elementsOfC = choice.m.launch() * choice.n.launch();
    const int64_t requestsToWrite = launches * requests(choice, 2, elementsOfC, parts.c);
    const int64_t requestsToRead = launches * requests(choice, 0, elementsOfA, parts.a) +
                                   ofB * requests(choice, 1, elementsOfB, parts.b) +
                                   (planning_.wishes.outputIsNew ? 0 : requestsToWrite);
    return {kTransferStartCycles * startsOf(choice, parts),
            std::max({requestsToRead, launches * onStream(elementsOfA, 0, parts.a),
                      ofB * onStream(elementsOfB, 1, parts.b)}),
            launches * cyclesOfTile(choice),
            std::max(requestsToWrite, launches * onStream(elementsOfC, 2, parts.c))};
  }

 private:
  const TilePlan& plan() const { return planning_.plan; }
  int64_t size(unsigned loop) const { return plan().sizes[loop]; }

  /// In how many parts the buffers of the operands are split: each is a transfer of its own.
  struct Parts {
    int64_t a, b, c;
  };

  /// Along a side whose tiles lie in rows, only where those are long enough; what is kept in L2 pays
  /// for short ones once.
  int64_t partsAlong(unsigned loop, const Side& side, size_t operand, int64_t bytes,
                     bool isKept = false) const {
    const bool isShort = last_[operand] == loop && side.tile * bytes_[operand] < kLeastRowBytes;
    if (isShort && !isKept) return 1;
    return std::clamp<int64_t>(bytes / kLeastPartBytes, 1, side.herd);
  }

  Parts partsOf(const Choice& choice) const {
    const int64_t k = size(roles_.k), cores = choice.m.herd * choice.n.herd;
    const int64_t bytesOfC = choice.m.launch() * choice.n.launch() * bytes_[2];
    return {partsAlong(roles_.m, choice.m, 0, choice.m.launch() * k * bytes_[0]),
            partsAlong(roles_.n, choice.n, 1, choice.n.launch() * k * bytes_[1], choice.hasRounds),
            cores > kChannels ? std::max(choice.m.herd, choice.n.herd)
                              : std::max(partsAlong(roles_.m, choice.m, 2, bytesOfC),
                                         partsAlong(roles_.n, choice.n, 2, bytesOfC))};
  }

  /// Cycles of the streams that bring elements of an operand to its parts.
  int64_t onStream(int64_t elements, size_t operand, int64_t parts) const {
    return elements * bytes_[operand] / parts / kStreamRate;
  }

  /// Cycles of the memory of the host for `elements` of an operand.
  int64_t requests(const Choice& choice, size_t operand, int64_t elements, int64_t parts) const {
    const int64_t bytes = bytes_[operand];
    int64_t row = 0;
    if (last_[operand] == roles_.k) row = std::min(choice.copy, size(roles_.k));
    if (last_[operand] == roles_.m) row = choice.m.launch() / parts;
    if (last_[operand] == roles_.n) row = choice.n.launch() / parts;
    // Whole rows lie one after the other.
    if (row == size(last_[operand])) row = elements / parts;
    row = std::max<int64_t>(1, row);
    return ceilDiv(elements, row) * ceilDiv(row * bytes, kRequest) * kRequest / kDdrRate;
  }

  int64_t cyclesOfTile(const Choice& choice) const {
    const int64_t m = choice.m.tile, n = choice.n.tile, k = choice.step;
    // Loads and stores of C are a part of each step; where L1 is nearly full, its banks are shared.
    int64_t step = m * n * k / rate_ * choice.m.percent / 100 * choice.n.percent / 100 *
                       percentOfStep(k / depth_, wanted_) / 100 +
                   m * n / 20 + kOfStep;
    // Narrow results are widened before each step and rounded after it.
    if (bytes_[2] < 4) step += m * n / 4;
    if (bytesInL1(choice) * 6 > planning_.wishes.l1Bytes * 5) step += step / 10;
    step = std::max({step, m * k * bytes_[0] / kStreamRate, n * k * bytes_[1] / kStreamRate});
    const int64_t drain = m * n * bytes_[2] / kStreamRate;
    return choice.depth / k * step + drain + kBetweenTiles;
  }

  /// Transfers that the host starts, of all launches. One has three dimensions and a count: what has
  /// more is several. Where C is read first, each launch waits for what the last one wrote.
  int64_t startsOf(const Choice& choice, const Parts& parts) const {
    const int64_t m = choice.m.count, n = choice.n.count;
    if (!planning_.wishes.outputIsNew) return products_ * m * n * (parts.a + parts.b + 2 * parts.c);
    const bool comesWhole = choice.copy >= size(roles_.k);
    const int64_t dimsOfA = comesWhole ? (parts.a > 1 ? 2 : 1) : 3;
    auto starts = [](int64_t dims, std::array<int64_t, 3> counts) {
      int64_t count = 1;
      for (int64_t times : counts)
        if (times > 1 && ++dims > 4) count *= times;
      return count;
    };
    return parts.a * starts(dimsOfA, {products_, n, m}) + parts.b * starts(2, {products_, m, n}) +
           parts.c * starts(2, {products_, n, m});
  }

  const PlanState& planning_;
  const Roles& roles_;
  int64_t depth_, rate_, products_ = 1;
  int64_t wanted_ = 8;  ///< blocks of the reduction in the body of a loop of a core
  std::array<int64_t, 3> bytes_ = {}, l1_ = {};
  std::array<unsigned, 3> last_ = {};  ///< the loop along whose elements rows run
};

/// Elements of a copy into L2 along the reduction whose rows are a request long, if that divides it.
int64_t copyOf(const PlanState& planning, const Roles& roles, int64_t step) {
  int64_t bytes = kRequest;
  for (const TiledOperand& operand : planning.plan.operands)
    if (operand.uses(roles.k) && operand.index.back().uses(roles.k))
      bytes = std::min(bytes, bytesOf(operand));
  if (bytes == kRequest) return step;
  const int64_t size = planning.plan.sizes[roles.k];
  for (int64_t copy = step; copy <= size; copy += step)
    if (copy * bytes >= kRequest && size % copy == 0) return copy;
  return size;
}

/// A length of the reduction, filled up or as it is, a divisor that a core takes at a time, and what
/// a copy into L2 brings of it.
struct Depth {
  int64_t depth, step, copy;
};

std::vector<Depth> depthsOf(const PlanState& planning, const Roles& roles, int64_t unit) {
  const int64_t size = planning.plan.sizes[roles.k];
  std::vector<Depth> depths;
  int64_t last = 0;
  for (const int64_t multiple : {int64_t{1}, unit, 4 * unit, 8 * unit}) {
    const int64_t depth = ceilDiv(size, multiple) * multiple;
    if (depth % unit || depth == last) continue;
    last = depth;
    for (int64_t step = std::min(depth, kLongestStep) / unit * unit; step > 0; step -= unit)
      if (depth % step == 0)
        depths.push_back({depth, step, depth == size ? copyOf(planning, roles, step) : depth});
  }
  return depths;
}

/// The cheapest choice, and the cheapest one with other tiles.
struct Found {
  std::optional<Choice> best, next;

  void add(const Choice& choice) {
    if (!best || choice.cost < best->cost) {
      if (best && !best->hasTilesOf(choice)) next = best;
      best = choice;
    } else if (!best->hasTilesOf(choice) && (!next || choice.cost < next->cost)) {
      next = choice;
    }
  }
};

Found cheapest(const PlanState& planning, const Roles& roles, const std::vector<int64_t>& blocks) {
  const TileWishes& wishes = planning.wishes;
  const std::vector<int64_t>& words = planning.unit;
  auto extent = [&](unsigned loop, int64_t cores) {
    return Extent{planning.plan.sizes[loop], blocks[loop],        words[loop], cores,
                  wishes.outputIsNew,        blocks[roles.k] == 4};
  };
  const int64_t cores = wishes.herd.size() > 1 ? wishes.herd[1] : 1;
  const bool isOrdered = roles.m < roles.n;
  const std::vector<Side> rows = sidesOf(extent(roles.m, isOrdered ? wishes.herd[0] : cores)),
                          columns = sidesOf(extent(roles.n, isOrdered ? cores : wishes.herd[0]));
  const std::vector<Depth> depths =
      depthsOf(planning, roles, std::lcm(blocks[roles.k], words[roles.k]));
  const Costs costs(planning, roles, blocks);
  // Locks count how often what stays is used.
  constexpr int64_t kMostRounds =
      aie::limitsOf(aie::Generation::Aie2, aie::TileKind::Mem).maxLockValue;
  Found found;
  auto consider = [&](Choice choice) {
    choice.stages = costs.stagesOf(choice);
    choice.cost = costs.of(choice, choice.stages);
    found.add(choice);
  };
  for (const Side& m : rows)
    for (const Side& n : columns)
      for (const auto& [depth, step, copy] : depths) {
        Choice choice{m, n, depth, step, copy, false, 0};
        if (costs.bytesInL1(choice) > wishes.l1Bytes || !costs.hasChannels(choice)) continue;
        consider(choice);
        if (m.count == 1 || m.count > kMostRounds || m.step != m.launch() || !wishes.outputIsNew)
          continue;
        choice.hasRounds = true;
        if (costs.bytesInL2(choice) <= wishes.l2Bytes && costs.canKeep(choice)) consider(choice);
      }
  return found;
}

void take(PlanState& planning, const Roles& roles, const Choice& choice) {
  TilePlan& plan = planning.plan;
  plan.herdLoops = {std::min(roles.m, roles.n), std::max(roles.m, roles.n)};
  planning.herd.assign(plan.numLoops(), 1);
  plan.core.assign(plan.numLoops(), 1);
  planning.copy.assign(plan.numLoops(), 0);
  for (const auto& [loop, side] : {std::pair(roles.m, &choice.m), std::pair(roles.n, &choice.n)}) {
    planning.herd[loop] = side->herd;
    plan.core[loop] = side->tile;
    plan.steps[loop] = side->step;
  }
  plan.core[roles.k] = choice.step;
  planning.copy[roles.k] = choice.copy;
  planning.depth.assign(plan.numLoops(), 0);
  planning.depth[roles.k] = choice.depth;
  plan.cycles = choice.cost;
  plan.costs = choice.stages;
  if (choice.hasRounds) plan.rounds[roles.m] = choice.m.count;
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
  const Found found = cheapest(planning, *roles, blocks);
  if (!found.best) return false;
  take(planning, *roles, *found.best);
  if (found.next) planning.plan.next = found.next->str();
  return true;
}

}  // namespace airlite::tiling
