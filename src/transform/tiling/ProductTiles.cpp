// Tiles of products of matrices by what they cost: the work of the cores, and what the memory of the
// host has to give. That serves requests of a size one after the other, so short rows are as
// expensive as rows of that size, and what several tiles use is better kept in L2 than read again.
//
// A launch instance may have several rounds along the rows of the product: the columns of the right
// factor then stay in L2, whole along the reduction.
#include "TileChoice.hpp"

#include <algorithm>

namespace airlite::tiling {

namespace {

// docs/hardware/timing.md (DDR): bytes of a request, and bytes per cycle in each direction.
constexpr int64_t kRequest = 256, kDdrRate = 15;
/// Bytes that a stream moves in a cycle.
constexpr int64_t kStreamRate = 4;
/// Of the cores between two tiles of the result, in cycles: the first steps of a tile wait for data.
constexpr int64_t kBetweenTiles = 3000;

/// The loops of C[m n] += A[m k] * B[k n].
struct Roles {
  unsigned m = 0, n = 0, k = 0;
};

std::optional<Roles> rolesOf(const PlanState& planning) {
  const TilePlan& plan = planning.plan;
  if (!plan.isPacked() || plan.herdLoops.size() != 2 || plan.operands.size() != 3)
    return std::nullopt;
  Roles roles{plan.herdLoops[0], plan.herdLoops[1], 0};
  const TiledOperand &a = plan.operands[0], &b = plan.operands[1];
  if (a.uses(roles.n)) std::swap(roles.m, roles.n);
  if (!a.uses(roles.m) || a.uses(roles.n) || !b.uses(roles.n) || b.uses(roles.m))
    return std::nullopt;
  unsigned reductions = 0;
  for (unsigned loop = 0; loop < plan.numLoops(); ++loop)
    if (!plan.isParallel(loop)) roles.k = loop, ++reductions;
  for (const TiledOperand& operand : plan.operands)
    for (const LoopIndex& index : operand.index)
      for (unsigned loop : {roles.m, roles.n, roles.k})
        if (index.uses(loop) && !index.isLoop(loop)) return std::nullopt;
  if (reductions != 1) return std::nullopt;
  return roles;
}

int64_t bytesOf(const TiledOperand& operand) {
  return (bitWidthOf(elementTypeOrSelf(operand.value.type())) + 7) / 8;
}

int64_t elementsOf(const TiledOperand& operand, std::span<const int64_t> tile) {
  int64_t elements = 1;
  for (int64_t extent : operand.extents(tile))
    elements *= extent;
  return elements;
}

/// Bytes of a row of an operand that come one after the other, in tiles of that size.
int64_t rowBytes(const TiledOperand& operand, const std::vector<int64_t>& tile) {
  return operand.extents(tile).back() * bytesOf(operand);
}

/// A choice of tiles, and what it costs.
struct Choice {
  std::vector<int64_t> core, copy, rounds;
  int64_t cost = 0;
};

class Costs {
 public:
  Costs(const PlanState& planning, const Roles& roles) : planning_(planning), roles_(roles) {}

  int64_t of(const Choice& choice) const {
    int64_t reads = 0, writes = 0;
    for (const TiledOperand& operand : plan().operands) {
      const int64_t requests = requestsOf(operand, choice) * kRequest / kDdrRate;
      (operand.isWritten ? writes : reads) += requests;
    }
    const int64_t cores = cyclesOfCores(choice);
    // What takes longest rules; of the others a part does not overlap with it.
    return std::max({cores, reads, writes}) + (cores + reads + writes) / 8;
  }

  /// Bytes in L2, where the operands lie whole along the reduction.
  int64_t bytesInL2(const Choice& choice) const {
    int64_t bytes = 0;
    for (const TiledOperand& operand : plan().operands)
      bytes += elementsOf(operand, launchOf(choice)) * bytesOf(operand);
    return bytes;
  }

 private:
  const TilePlan& plan() const { return planning_.plan; }
  int64_t size(unsigned loop) const { return plan().sizes[loop]; }

  std::vector<int64_t> launchOf(const Choice& choice) const {
    std::vector<int64_t> launch = choice.core;
    for (unsigned loop = 0; loop < plan().numLoops(); ++loop)
      launch[loop] = plan().isParallel(loop) ? launch[loop] * planning_.herd[loop] : size(loop);
    return launch;
  }

  /// How often each element of an operand is read or written, times the requests for all of it.
  int64_t requestsOf(const TiledOperand& operand, const Choice& choice) const {
    std::vector<int64_t> tile = choice.core;
    tile[roles_.k] = choice.copy[roles_.k];
    const int64_t row = rowBytes(operand, tile);
    int64_t requests = elementsOf(operand, plan().sizes) * bytesOf(operand) / row *
                       ((row + kRequest - 1) / kRequest);
    const std::vector<int64_t> launch = launchOf(choice);
    for (unsigned loop : {roles_.m, roles_.n})
      if (!operand.uses(loop)) requests *= size(loop) / (launch[loop] * choice.rounds[loop]);
    return requests;
  }

  int64_t cyclesOfCores(const Choice& choice) const {
    const int64_t m = choice.core[roles_.m], n = choice.core[roles_.n], k = choice.core[roles_.k];
    const std::vector<int64_t>& blocks = plan().blocks;
    const int64_t rate = blocks[roles_.m] * blocks[roles_.n] * blocks[roles_.k];
    // Loads and stores of C are a part of each step; where L1 is nearly full, its banks are shared.
    int64_t step = m * n * k / rate + m * n / 20;
    if (bytesOfCore(planning_, choice.core) * 6 > planning_.wishes.l1Bytes * 5) step += step / 5;
    for (const auto& [loop, operand] :
         {std::pair(m, &plan().operands[0]), std::pair(n, &plan().operands[1])})
      step = std::max(step, loop * k * bytesOf(*operand) / kStreamRate);
    const int64_t drain = m * n * bytesOf(plan().operands[2]) / kStreamRate;
    int64_t tiles = 1;
    for (unsigned loop = 0; loop < plan().numLoops(); ++loop)
      if (plan().isParallel(loop)) tiles *= size(loop) / (choice.core[loop] * planning_.herd[loop]);
    return tiles * (size(roles_.k) / k * step + drain + kBetweenTiles);
  }

  const PlanState& planning_;
  const Roles& roles_;
};

/// Elements of a copy into L2 along the reduction whose rows are a request long, if that divides it.
int64_t copyOf(const PlanState& planning, const Roles& roles, int64_t core) {
  int64_t bytes = kRequest;
  for (const TiledOperand& operand : planning.plan.operands)
    if (operand.uses(roles.k) && operand.index.back().uses(roles.k))
      bytes = std::min(bytes, bytesOf(operand));
  if (bytes == kRequest) return core;
  const int64_t size = planning.plan.sizes[roles.k];
  for (int64_t copy = core; copy <= size; copy += core)
    if (copy * bytes >= kRequest && size % copy == 0) return copy;
  return size;
}

/// The tile that was chosen, and one of twice as many columns, half as deep where L1 has no room
/// otherwise.
std::vector<std::vector<int64_t>> tilesOf(const PlanState& planning, const Roles& roles) {
  std::vector<int64_t> tile = planning.plan.core;
  tile[roles.n] *= 2;
  if (planning.plan.sizes[roles.n] / planning.herd[roles.n] % tile[roles.n])
    return {planning.plan.core};
  if (bytesOfCore(planning, tile) > planning.wishes.l1Bytes) tile[roles.k] /= 2;
  const int64_t k = tile[roles.k];
  const bool isWhole = k > 0 && k % planning.plan.blocks[roles.k] == 0 &&
                       k % planning.unit[roles.k] == 0 && planning.plan.sizes[roles.k] % k == 0;
  if (!isWhole || bytesOfCore(planning, tile) > planning.wishes.l1Bytes)
    return {planning.plan.core};
  return {planning.plan.core, tile};
}

/// One round, or as many along the rows as there are: the columns of the right factor stay.
std::vector<std::vector<int64_t>> roundsOf(const PlanState& planning, const Roles& roles,
                                           const std::vector<int64_t>& core) {
  const std::vector<int64_t> once(planning.plan.numLoops(), 1);
  std::vector<int64_t> rounds = once;
  rounds[roles.m] = planning.plan.sizes[roles.m] / (core[roles.m] * planning.herd[roles.m]);
  // Locks count how often what stays is used.
  constexpr int64_t kMostRounds =
      aie::limitsOf(aie::Generation::Aie2, aie::TileKind::Mem).maxLockValue;
  const bool mayBe = planning.wishes.rounds && rounds[roles.m] > 1;
  if (!mayBe || rounds[roles.m] > kMostRounds) return {once};
  return {once, rounds};
}

}  // namespace

void chooseProductTiles(PlanState& planning) {
  const TileWishes& wishes = planning.wishes;
  const auto isSaid = [](const std::vector<int64_t>& list) {
    return std::ranges::any_of(list, [](int64_t entry) { return entry != 0; });
  };
  if (wishes.l2Bytes == 0 || isSaid(wishes.coreTile) || isSaid(wishes.copyTile)) return;
  const auto roles = rolesOf(planning);
  if (!roles) return;
  const Costs costs(planning, *roles);
  std::optional<Choice> best;
  for (const std::vector<int64_t>& core : tilesOf(planning, *roles))
    for (const std::vector<int64_t>& rounds : roundsOf(planning, *roles, core)) {
      Choice choice{core, core, rounds};
      choice.copy[roles->k] = copyOf(planning, *roles, core[roles->k]);
      const bool stays = std::ranges::any_of(rounds, [](int64_t count) { return count > 1; });
      if (stays && costs.bytesInL2(choice) > wishes.l2Bytes) continue;
      choice.cost = costs.of(choice);
      if (!best || choice.cost < best->cost) best = std::move(choice);
    }
  planning.plan.core = best->core;
  planning.plan.rounds = best->rounds;
  planning.copy = best->copy;
}

}  // namespace airlite::tiling
