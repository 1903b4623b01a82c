// Chooses tile sizes (see TilePlan.hpp).
#include "TilePlan.hpp"

#include "TileChoice.hpp"
#include "TileStaging.hpp"
#include "airlite/device/AieMatrix.hpp"
#include "airlite/transform/FloatUnits.hpp"
#include "transform/tiling/RowShares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace airlite {

bool TiledOperand::uses(unsigned loop) const {
  return std::any_of(index.begin(), index.end(),
                     [&](const LoopIndex& entry) { return entry.uses(loop); });
}

std::vector<int64_t> TiledOperand::extents(std::span<const int64_t> tile) const {
  std::vector<int64_t> extents;
  for (const LoopIndex& entry : index)
    extents.push_back(entry.extent(tile));
  for (size_t dim = 0; dim < toEnd.size(); ++dim)
    if (extents[dim] == toEnd[dim])
      extents[dim] = value.type().cast<MemRefType>().dim(static_cast<unsigned>(dim));
  return extents;
}

int64_t TiledOperand::bytes(std::span<const int64_t> tile) const {
  int64_t bytes = isMemRef ? tiling::bytesOf(*this) : 0;
  for (int64_t extent : extents(tile))
    bytes *= extent;
  return bytes;
}

bool TilePlan::isPacked() const {
  return std::any_of(blocks.begin(), blocks.end(), [](int64_t block) { return block > 1; });
}

bool TilePlan::hasRounds() const {
  return std::ranges::any_of(rounds, [](int64_t count) { return count > 1; });
}

int64_t TilePlan::numInstances() const {
  int64_t instances = 1;
  for (unsigned loop = 0; loop < numLoops(); ++loop)
    if (isParallel(loop)) instances *= count(loop);
  return instances;
}

bool TilePlan::overlaps() const {
  for (unsigned loop = 0; loop < numLoops(); ++loop)
    if (count(loop) > 1 && steps[loop] < launch[loop]) return true;
  return false;
}

bool TilePlan::hasWindows(unsigned loop) const {
  return isParallel(loop) && std::ranges::any_of(operands, [&](const TiledOperand& operand) {
           return operand.isStaged && operand.index.back().uses(loop);
         });
}

namespace tiling {
namespace {

/// Of a loop that is cut together with others, and of the only one.
constexpr int64_t kLongestTile = 64, kLongestRow = 4096;
/// A tile that is shorter costs more to move than to compute.
constexpr int64_t kShortestTile = 16;

/// Greatest divisor of `size` that is at most `limit` and a multiple of `unit`; `unit` at least.
int64_t divisorUpTo(int64_t size, int64_t limit, int64_t unit) {
  for (int64_t at = std::min(size, limit) / unit * unit; at > unit; at -= unit)
    if (size % at == 0) return at;
  return unit;
}

/// Least divisor of `size` above `limit` that is a multiple of `unit`, a divisor of it.
int64_t divisorAbove(int64_t size, int64_t limit, int64_t unit) {
  int64_t at = (limit / unit + 1) * unit;
  while (at < size && size % at)
    at += unit;
  return std::min(at, size);
}

/// A tile that is neither long nor short, where the size has such a divisor; rather long than
/// short.
int64_t tileOf(int64_t size, int64_t limit, int64_t unit) {
  const int64_t tile = divisorUpTo(size, limit, unit);
  return tile < std::min(kShortestTile, size) ? divisorAbove(size, limit, unit) : tile;
}

aie::ProductBlock blockOf(const TileWishes& wishes, Type left, Type right) {
  if (left.isInteger() && right.isInteger())
    return aie::productBlock(wishes.generation, {left.bitWidth(), right.bitWidth()});
  return aie::productBlock(wishes.generation,
                           {.areFloats = true, .inBlocks = wishes.floatBlocks && left.isBF16()});
}

bool isOnMatrixUnit(const PlanState& planning);

bool isElementwise(const PlanState& planning) {
  for (unsigned loop = 0; loop < planning.plan.numLoops(); ++loop)
    if (!planning.plan.isParallel(loop)) return false;
  return true;
}

/// Do all operands lie in rows along the loop, or not move with it?
bool isAlongRows(const PlanState& planning, unsigned loop) {
  if (!planning.plan.isParallel(loop)) return false;
  for (const TiledOperand& operand : planning.plan.operands) {
    if (!operand.isMemRef) continue;
    for (size_t i = 0; i < operand.index.size(); ++i)
      if (operand.index[i].uses(loop) &&
          (i + 1 != operand.index.size() || !operand.index[i].isLoop(loop)))
        return false;
    if (operand.isWritten && !operand.uses(loop)) return false;
  }
  return true;
}

/// Whether the loop runs over rows or columns of a product: only one of the factors moves with it.
bool isOfProduct(const PlanState& planning, unsigned loop) {
  return linalg::isProductOfMatrices(planning.op) &&
         !std::ranges::all_of(planning.plan.operands, [&](const TiledOperand& operand) {
           return operand.isMemRef && operand.uses(loop);
         });
}

/// Whether windows go along the loop through rows of images: results lie in rows along it, and what moves with it of the inputs does so
/// by one element, or by a step that vectors go through.
bool isRowOfWindows(const PlanState& planning, unsigned loop) {
  const TilePlan& plan = planning.plan;
  if (!plan.isParallel(loop) || linalg::isProductOfMatrices(planning.op)) return false;
  bool hasWindows = false;
  for (const TiledOperand& operand : plan.operands) {
    if (!operand.isMemRef || !operand.uses(loop)) {
      if (operand.isMemRef && operand.isWritten) return false;
      continue;
    }
    for (size_t dim = 0; dim + 1 < operand.index.size(); ++dim)
      if (operand.index[dim].uses(loop)) return false;
    const LoopIndex& last = operand.index.back();
    if (!isRowStep(last.factors[loop]) || (operand.isWritten && !last.isLoop(loop))) return false;
    hasWindows |= !last.isLoop(loop);
  }
  return hasWindows;
}

/// Whether rows of results of a reduction lie along the loop, along which vectors may go.
bool isRowOfReduction(const PlanState& planning, unsigned loop) {
  return planning.wishes.rows && !isElementwise(planning) &&
         (isAlongRows(planning, loop) || isRowOfWindows(planning, loop)) &&
         !isOfProduct(planning, loop);
}

/// Whether cores compute about as long for a row of windows as it takes to move its results: few, which the unit makes of short
/// elements. More cores for parts of it gain nothing, and each part has a border.
bool isBoundByResults(const PlanState& planning, unsigned loop) {
  constexpr int64_t kFewRounds = 16, kFewProducts = 1 << 18, kShortBits = 16;
  if (!planning.wishes.rows || !isRowOfWindows(planning, loop)) return false;
  int64_t rounds = 1, products = 1;
  for (unsigned other = 0; other < planning.plan.numLoops(); ++other) {
    products *= planning.plan.sizes[other];
    if (!planning.plan.isParallel(other)) rounds *= planning.plan.sizes[other];
  }
  const auto isShort = [&](const TiledOperand& operand) {
    const Type element = elementTypeOrSelf(operand.value.type());
    return operand.isWritten || !operand.uses(loop) ||
           (bitWidthOf(element) <= kShortBits &&
            (element.isInteger() || planning.wishes.matrixSums));
  };
  return rounds <= kFewRounds && products <= kFewProducts &&
         std::ranges::all_of(planning.plan.operands, isShort);
}

/// Of a row of a reduction: what a vector of 32 bytes holds, of floats the 16 lanes that the unit computes with.
int64_t lanesOfReduction(const PlanState& planning, unsigned loop) {
  if (!isRowOfReduction(planning, loop)) return 1;
  int64_t narrowest = 32;
  for (const TiledOperand& operand : planning.plan.operands)
    if (const Type element = elementTypeOrSelf(operand.value.type());
        operand.isMemRef && operand.uses(loop))
      narrowest = std::min(narrowest, element.isInteger() ? bitWidthOf(element) : 16);
  const int64_t lanes = narrowest < 8 ? 1 : 256 / narrowest;
  return planning.plan.sizes[loop] % lanes ? 1 : lanes;
}

/// Elements of which rows are multiples where they can be: of an elementwise op, what a vector of 64
/// bytes holds. 1 for loops that are not rows.
int64_t lanesOf(const PlanState& planning, unsigned loop) {
  if (!isElementwise(planning) || loop + 1 != planning.plan.numLoops()) return 1;
  int64_t widest = 8;
  for (const TiledOperand& operand : planning.plan.operands)
    widest = std::max(widest, bitWidthOf(elementTypeOrSelf(operand.value.type())));
  const int64_t lanes = widest > 32 ? 1 : 512 / widest;
  return planning.plan.sizes[loop] % lanes ? 1 : lanes;
}

/// Whether an operand moves with some loops and not with others.
bool isOfSomeLoops(const PlanState& planning, const TiledOperand& operand) {
  unsigned used = 0;
  for (unsigned loop = 0; operand.isMemRef && loop < planning.plan.numLoops(); ++loop)
    used += operand.uses(loop);
  return used && used < planning.plan.numLoops();
}

/// Whether the rows of a tile that is longer along the loop could not be computed as one: a loop in an elementwise op with which some
/// operands move and others do not, around rows that no vectors divide.
bool partsRows(const PlanState& planning, unsigned loop) {
  constexpr int64_t kVectorBits = 256;
  const unsigned last = planning.plan.numLoops() - 1;
  if (!planning.wishes.rows || !isElementwise(planning) || loop == last) return false;
  const auto moves = [&](const TiledOperand& operand) {
    return operand.uses(loop) || !isOfSomeLoops(planning, operand);
  };
  const auto isWhole = [&](const TiledOperand& operand) {
    return planning.plan.sizes[last] * bitWidthOf(elementTypeOrSelf(operand.value.type())) %
               kVectorBits ==
           0;
  };
  return !std::ranges::all_of(planning.plan.operands, moves) &&
         !std::ranges::all_of(planning.plan.operands, isWhole);
}

/// Whether another loop is long enough for tiles, and leaves rows as they are.
bool hasLongLoop(const PlanState& planning, unsigned loop) {
  for (unsigned other = 0; other + 1 < planning.plan.numLoops(); ++other)
    if (other != loop && planning.plan.isParallel(other) &&
        planning.plan.sizes[other] >= kShortestTile && !partsRows(planning, other))
      return true;
  return false;
}

/// Whether a core had better take one element of the loop at a time.
bool keepsRowsApart(const PlanState& planning, unsigned loop) {
  return partsRows(planning, loop) && hasLongLoop(planning, loop);
}

/// Whether an operand has its dimensions in another order than the loops.
bool isTurned(const TiledOperand& operand) {
  int64_t last = -1;
  for (const LoopIndex& index : operand.index)
    if (const auto loop = index.onlyLoop()) {
      if (int64_t{*loop} < last) return true;
      last = *loop;
    }
  return false;
}

/// Whether each core would have less than a vector of an elementwise op's rows, which are not one with others.
bool leavesShortRows(const PlanState& planning, unsigned loop, int64_t cores) {
  constexpr int64_t kLanesOfFloats = 16;
  return planning.wishes.rows && isElementwise(planning) && loop + 1 == planning.plan.numLoops() &&
         planning.plan.sizes[loop] < kLanesOfFloats * cores &&
         std::ranges::any_of(planning.plan.operands, [&](const TiledOperand& operand) {
           return isOfSomeLoops(planning, operand) ||
                  (isTurned(operand) && isAlongRows(planning, loop));
         });
}

/// Whether each core would have less than a vector of rows of an input that lie along the loop, of which results have elements in turns with
/// those of a few others, or several times (upsampling).
bool leavesShortTurns(const PlanState& planning, unsigned loop, int64_t cores) {
  constexpr int64_t kMostTurns = 8, kVectorBits = 512;
  int64_t turns = 1;
  for (unsigned inner = loop + 1; inner < planning.plan.numLoops(); ++inner)
    turns *= planning.plan.sizes[inner];
  if (!planning.wishes.rows || !isElementwise(planning) || turns == 1 || turns > kMostTurns)
    return false;
  return std::ranges::any_of(planning.plan.operands, [&](const TiledOperand& operand) {
    if (!operand.isMemRef || operand.isWritten || operand.index.empty()) return false;
    const int64_t bits = bitWidthOf(elementTypeOrSelf(operand.value.type()));
    return operand.index.back().isLoop(loop) &&
           planning.plan.sizes[loop] * bits < kVectorBits * cores;
  });
}

/// What is lost when the herd shares the loop out: nothing, whole blocks of the matrix unit, rows of a reduction, or the
/// vectors of an elementwise op, which no core more makes up for.
enum class CutLoss : uint8_t { None, Blocks, Rows, Vectors };

CutLoss lossOfCut(const PlanState& planning, unsigned loop, const std::vector<int64_t>& blocks) {
  const int64_t cores = std::ranges::max(planning.wishes.herd);
  if (isBoundByResults(planning, loop) && hasLongLoop(planning, loop)) return CutLoss::Vectors;
  if (lanesOfReduction(planning, loop) > 1 || isRowOfWindows(planning, loop)) return CutLoss::Rows;
  if (((leavesShortRows(planning, loop, cores) || leavesShortTurns(planning, loop, cores)) &&
       hasLongLoop(planning, loop)) ||
      keepsRowsApart(planning, loop))
    return CutLoss::Vectors;
  const int64_t block = blocks.empty() ? 1 : blocks[loop];
  return block > 1 && planning.plan.sizes[loop] < block * cores ? CutLoss::Blocks : CutLoss::None;
}

}  // namespace

int64_t coresAlong(const PlanState& planning, unsigned loop, int64_t most) {
  const int64_t unit = std::lcm(planning.unit[loop], lanesOf(planning, loop));
  return divisorUpTo(planning.plan.sizes[loop] / unit, most, 1);
}

namespace {

/// Cycles of a core for an element of an elementwise op: without vectors where operands lie in different directions. What only
/// turns its elements can do so by shuffles where two loops change places.
double cyclesOfCore(const PlanState& planning) {
  struct Cost {
    double word, partOfWord;
  };
  constexpr Cost kTurned = {6, 6}, kTurnedAround = {6, 20}, kComputed = {11, 40};  // as measured
  const double inVectors = cyclesOfElement(planning.op);
  if (isAlongRows(planning, planning.plan.numLoops() - 1)) return inVectors;
  const bool isWord = std::ranges::all_of(planning.plan.operands, [](const TiledOperand& operand) {
    return !operand.isMemRef || bytesOf(operand) >= aie::kWordBytes;
  });
  const bool computes = planning.op.numInputs() > 1 ||
                        (planning.op->is("linalg.generic") && planning.op.body().numOps() > 1);
  const Cost& cost = computes ? kComputed : planning.plan.numLoops() > 2 ? kTurnedAround : kTurned;
  return inVectors + (isWord ? cost.word : cost.partOfWord);
}

/// Columns of cores for an elementwise op, of `all` at most: the host starts the transfers of each one after the other, and
/// all of them move and compute at the same time.
int64_t columnsOfElementwise(const PlanState& planning, int64_t all, int64_t most) {
  const int64_t rows = coresAlong(planning, planning.plan.herdLoops[1], most);
  const int64_t iterations = std::accumulate(planning.plan.sizes.begin(), planning.plan.sizes.end(),
                                             int64_t{1}, std::multiplies<>());
  int64_t transfers = 0, widest = 0, in = 0, out = 0, reads = 0;
  for (const TiledOperand& operand : planning.plan.operands) {
    if (!operand.isMemRef) continue;
    const int64_t bytes = operand.bytes(planning.plan.sizes);
    transfers += operand.isRead + operand.isWritten;
    widest = std::max(widest, bytes);
    if (operand.isRead) in += bytes, ++reads;
    if (operand.isWritten) out += bytes;
  }
  // A core has two channels for what it gets.
  if (reads > 2) widest = std::max(widest, in * ((reads + 1) / 2) / reads);
  const auto moved = static_cast<double>(std::max(in, out));
  const double ofMemory = moved / aie::hostMemoryOf(planning.wishes.generation).bytesPerCycle;
  const double ofCores =
      cyclesOfCore(planning) * static_cast<double>(iterations) / static_cast<double>(rows);
  auto cyclesWith = [&](int64_t columns) {
    const double ofStreams =
        static_cast<double>(widest) / static_cast<double>(aie::kWordBytes * columns);
    return static_cast<double>(kTransferStartCycles * transfers * columns) +
           std::max({ofStreams, ofMemory, ofCores / static_cast<double>(columns)});
  };
  int64_t best = 1;
  for (int64_t columns = 2; columns <= all; ++columns)
    if (coresAlong(planning, planning.plan.herdLoops[0], columns) == columns &&
        cyclesWith(columns) < cyclesWith(best))
      best = columns;
  return best;
}

/// Columns of cores for the op, of `all` at most. Each has transfers of its own, which the host starts one after the other: more than npu1 has
/// are worth it where there is enough to move, or to compute, for all of them.
int64_t columnsFor(const PlanState& planning, int64_t all) {
  constexpr int64_t kFewIterations = 1 << 20;
  const int64_t usual = aie::defaultNpu().columns;
  if (all <= usual) return all;
  int64_t iterations = 1, bytes = 0;
  for (int64_t size : planning.plan.sizes)
    iterations *= size;
  if (iterations > kFewIterations) return all;
  for (const TiledOperand& operand : planning.plan.operands)
    bytes = std::max(bytes, operand.bytes(planning.plan.sizes));
  bool hasVectors = false;
  for (unsigned loop = 0; loop < planning.plan.numLoops(); ++loop)
    hasVectors |= planning.plan.sizes[loop] > 1 && isAlongRows(planning, loop);
  // What a column computes should take as long as the start of a transfer.
  const auto work = static_cast<int64_t>(cyclesOfElement(planning.op) * double(iterations));
  const int64_t few =
      hasVectors ? std::clamp<int64_t>(work / kTransferStartCycles, 1, usual) : usual;
  return std::clamp(bytes / kLeastPartBytes, few, all);
}

/// Bytes of the shortest rows that the memory of the host gives or takes where columns of cores share a loop out: each has a memory tile, and
/// brings all rows of its cores there.
int64_t shortestRow(const PlanState& planning, unsigned loop, int64_t columns) {
  int64_t shortest = std::numeric_limits<int64_t>::max();
  for (const TiledOperand& operand : planning.plan.operands) {
    if (!operand.isMemRef || operand.index.empty()) continue;
    int64_t row = operand.extents(planning.plan.sizes).back() * bytesOf(operand);
    if (operand.index.back().isLoop(loop)) row /= columns;
    shortest = std::min(shortest, row);
  }
  return shortest;
}

/// Of an elementwise op whose operands lie in different directions the columns of cores share the loop out that leaves longer rows.
void orderHerdLoops(PlanState& planning, int64_t columns) {
  std::vector<unsigned>& loops = planning.plan.herdLoops;
  if (loops.size() != 2 || !isElementwise(planning)) return;
  const int64_t first = shortestRow(planning, loops[0], columns),
                second = shortestRow(planning, loops[1], columns);
  if (first < second && first < aie::hostMemoryOf(planning.wishes.generation).requestBytes)
    std::swap(loops[0], loops[1]);
}

/// The last two parallel loops that run more than once and can be cut; the last one alone when
/// there is no other. Those that lose something are cut only where there is nothing else.
void chooseHerd(PlanState& planning) {
  std::vector<unsigned>& chosen = planning.plan.herdLoops;
  std::vector<int64_t> blocks;
  if (isOnMatrixUnit(planning)) blocks = blocksOfProduct(planning);
  for (const CutLoss loss : {CutLoss::None, CutLoss::Blocks, CutLoss::Rows})
    for (unsigned loop = planning.plan.numLoops(); loop-- && chosen.size() < 2;)
      if (planning.plan.isParallel(loop) && planning.plan.sizes[loop] > 1 &&
          planning.unit[loop] < planning.plan.sizes[loop] &&
          lossOfCut(planning, loop, blocks) == loss)
        chosen.push_back(loop);
  std::ranges::sort(chosen);
  planning.herd.assign(planning.plan.numLoops(), 1);
  std::vector<int64_t> shape = planning.wishes.herd;
  shape.resize(2, 1);
  orderHerdLoops(planning, shape[0]);
  const bool isGrid = planning.plan.herdLoops.size() == 2;
  shape[0] = isGrid && isElementwise(planning) ? columnsOfElementwise(planning, shape[0], shape[1])
                                               : columnsFor(planning, shape[0]);
  if (planning.plan.herdLoops.size() == 1) shape = {std::max(shape[0], shape[1])};
  for (size_t i = 0; i < planning.plan.herdLoops.size(); ++i) {
    unsigned loop = planning.plan.herdLoops[i];
    planning.herd[loop] = coresAlong(planning, loop, shape[i]);
  }
}

bool canBlock(const PlanState& planning, unsigned loop, int64_t block) {
  if (planning.plan.sizes[loop] / planning.herd[loop] % block) return false;
  for (const TiledOperand& operand : planning.plan.operands)
    for (const LoopIndex& index : operand.index)
      if (index.uses(loop) && !index.isLoop(loop)) return false;
  return true;
}

}  // namespace

std::optional<ProductLoops> loopsOfProduct(const PlanState& planning) {
  if (planning.op.numInputs() != 2 || planning.op.numOutputs() != 1) return std::nullopt;
  const TiledOperand &a = planning.plan.operands[0], &b = planning.plan.operands[1],
                     &c = planning.plan.operands[2];
  if (!a.isMemRef || !b.isMemRef || !c.isRead) return std::nullopt;
  std::optional<unsigned> m, n, k;
  for (unsigned loop = 0; loop < planning.plan.numLoops(); ++loop) {
    bool inA = a.uses(loop), inB = b.uses(loop), inC = c.uses(loop);
    if (inA && !inB && inC) m = loop;
    if (!inA && inB && inC) n = loop;
    if (inA && inB && !inC) k = loop;
  }
  if (!m || !n || !k) return std::nullopt;
  return ProductLoops{*m, *n, *k};
}

std::vector<int64_t> blocksOfProduct(const PlanState& planning) {
  const std::optional<ProductLoops> loops = loopsOfProduct(planning);
  if (!loops) return {};
  const aie::ProductBlock block =
      blockOf(planning.wishes, elementTypeOrSelf(planning.plan.operands[0].value.type()),
              elementTypeOrSelf(planning.plan.operands[1].value.type()));
  std::vector<int64_t> blocks(planning.plan.numLoops(), 1);
  blocks[loops->rows] = block.rows;
  blocks[loops->columns] = block.columns;
  blocks[loops->sums] = block.depth;
  return blocks;
}

namespace {

void chooseBlocks(PlanState& planning) {
  if (!planning.wishes.pack) return;
  std::vector<int64_t> wanted = planning.wishes.blocks;
  if (wanted.empty()) wanted = blocksOfProduct(planning);
  wanted.resize(planning.plan.numLoops(), 1);
  for (unsigned loop = 0; loop < planning.plan.numLoops(); ++loop) {
    if (wanted[loop] <= 1) continue;
    // A matrix step that cannot be had whole is none.
    if (!canBlock(planning, loop, wanted[loop]))
      return planning.plan.blocks.assign(planning.plan.numLoops(), 1);
    planning.plan.blocks[loop] = wanted[loop];
  }
}

/// Whether the matrix unit makes the sums of the op: on blocks of its own, or on what a core lays
/// out in tiles.
bool isProductOfMatrices(const PlanState& planning) {
  return planning.plan.isPacked() ? planning.plan.blocks == blocksOfProduct(planning)
                                  : linalg::isProductOfMatrices(planning.op);
}

Type elementOf(const PlanState& planning, size_t operand) {
  return elementTypeOrSelf(planning.plan.operands[operand].value.type());
}

}  // namespace

int64_t unitOf(const PlanState& planning, unsigned loop) {
  const int64_t unit = std::lcm(planning.unit[loop], planning.plan.blocks[loop]);
  return planning.plan.sizes[loop] / planning.herd[loop] % unit ? planning.plan.blocks[loop] : unit;
}

int64_t elementsLaidOut(const PlanState& planning, size_t operand, std::span<const int64_t> core) {
  const std::vector<int64_t> blocks = blocksOfProduct(planning);
  int64_t elements = 1;
  for (const LoopIndex& index : planning.plan.operands[operand].index) {
    int64_t apart = 1, factor = 0;
    bool isOne = true;
    for (unsigned loop = 0; loop < planning.plan.numLoops(); ++loop) {
      if (!index.uses(loop)) continue;
      const int64_t block = blocks.empty() ? 1 : blocks[loop];
      apart *= (core[loop] + block - 1) / block * block;
      isOne &= block == 1 && (factor == 0 || factor == index.factors[loop]);
      factor = index.factors[loop];
    }
    elements *= isOne ? index.extent(core) : apart;
  }
  return elements;
}

bool readsLate(const TilePlan& plan) {
  return std::ranges::any_of(
      plan.operands, [](const TiledOperand& operand) { return operand.isLate && operand.isRead; });
}

bool keepsFilters(const PlanState& planning, std::span<const int64_t> launch, int64_t instances) {
  constexpr int64_t kFewestRounds = 4;  // as measured
  if (!planning.wishes.outputIsNew || instances < kFewestRounds) return false;
  int64_t bytes = 0;
  for (const TiledOperand& operand : planning.plan.operands)
    if (!operand.isInner)
      bytes += (&operand == &planning.plan.operands[1] ? 1 : 2) * operand.bytes(launch);
  return bytes <= planning.wishes.l2Bytes;
}

void chooseSums(PlanState& planning) {
  planning.plan.sums = {};
  if (planning.wishes.matrixSums && linalg::isMultiplyAdd(planning.op) &&
      isProductOfMatrices(planning))
    planning.plan.sums = linalg::unitSumsOf(
        planning.op, floatUnitOf(planning.wishes.generation, planning.wishes.floatBlocks));
}

namespace {

/// How long the tiles of a loop may be that a core runs.
int64_t longestTile(const PlanState& planning) {
  if (planning.plan.numLoops() == 1) return kLongestRow;
  for (unsigned loop = 0; loop < planning.plan.numLoops(); ++loop)
    if (!planning.plan.isParallel(loop)) return kLongestTile;
  return planning.plan.herdLoops.size() == 1 ? kLongestRow : kLongestTile;
}

void chooseTiles(PlanState& planning) {
  planning.plan.core.clear();
  std::vector<int64_t> blocks;
  if (isOnMatrixUnit(planning)) blocks = blocksOfProduct(planning);
  for (unsigned loop = 0; loop < planning.plan.numLoops(); ++loop) {
    bool isHerd = std::find(planning.plan.herdLoops.begin(), planning.plan.herdLoops.end(), loop) !=
                  planning.plan.herdLoops.end();
    bool isWhole = isHerd || !planning.plan.isParallel(loop) || isRowOfReduction(planning, loop);
    const int64_t wish = wished(planning.wishes.coreTile, loop, 0);
    const int64_t size = planning.plan.sizes[loop] / planning.herd[loop];
    int64_t tile = unitOf(planning, loop);
    if (wish)
      tile = divisorUpTo(size, wish, planning.plan.blocks[loop]);
    else if (isBoundByResults(planning, loop))
      tile = divisorUpTo(size, size, tile);
    else if (isWhole && !keepsRowsApart(planning, loop))
      tile = tileOf(size, longestTile(planning), tile);
    else if (!blocks.empty())
      tile = divisorUpTo(size, blocks[loop], tile);
    planning.plan.core.push_back(tile);
  }
}

bool hasSteps(const PlanState& planning, std::span<const int64_t> core) {
  for (unsigned loop = 0; loop < planning.plan.numLoops(); ++loop)
    if (!planning.plan.isParallel(loop) && core[loop] < planning.plan.sizes[loop]) return true;
  return false;
}

/// Whether the blocks of a factor have the other loop outside than the matrix unit takes: a core turns them around.
bool isTurned(const PlanState& planning, size_t operand) {
  if (operand > 1) return false;
  std::vector<unsigned> loops;
  for (const LoopIndex& index : planning.plan.operands[operand].index)
    for (unsigned loop = 0; loop < planning.plan.numLoops(); ++loop)
      if (planning.plan.blocks[loop] > 1 && index.isLoop(loop)) loops.push_back(loop);
  const bool wantsColumns = operand == 1 && !planning.plan.sums.areBlocks;
  return loops.size() == 2 && planning.plan.isParallel(loops[wantsColumns ? 0 : 1]);
}

/// Whether its matrix unit makes the op.
bool isOnMatrixUnit(const PlanState& planning) {
  if (!linalg::isMultiplyAdd(planning.op) || !isProductOfMatrices(planning)) return false;
  return elementOf(planning, 0).isInteger() || planning.plan.sums.depth;
}

/// Bytes of one element that a core needs besides, for a product that its matrix unit makes of
/// parts (air-aie-matrix-unit): pieces of factors, wider sums, and where the blocks of an operand have to be turned, the
/// same once more.
int64_t partBytes(const PlanState& planning, size_t operand) {
  if (planning.plan.operands[operand].isLate || !isOnMatrixUnit(planning)) return 0;
  const Type a = elementOf(planning, 0), b = elementOf(planning, 1),
             own = elementOf(planning, operand);
  const bool areFloats = !own.isInteger();
  const int64_t bytes = bitWidthOf(own) / 8,
                laidOut = planning.plan.isPacked() && isTurned(planning, operand) ? bytes : 0;
  const bool isWidened = bytes < 4 && !linalg::keepsNarrowSums(a, b, own);
  if (operand == 2)
    return laidOut + (isWidened ? 4 : 0) + (own.isInteger(32) && bitWidthOf(a) == 32 ? 4 : 0);
  if (areFloats) return laidOut + 2 * planning.plan.sums.pieces;
  const bool areBytes = bitWidthOf(a) == 8 && bitWidthOf(b) == 8;
  return laidOut + (areBytes || bytes == 2 ? 0 : bytes == 4 ? 4 : 2);
}

int64_t bytesOfCore(const PlanState& planning) { return bytesOfCore(planning, planning.plan.core); }

/// What comes after the tile of a core.
int64_t shorterTile(const PlanState& planning, unsigned loop) {
  return divisorUpTo(planning.plan.sizes[loop] / planning.herd[loop], planning.plan.core[loop] - 1,
                     unitOf(planning, loop));
}

/// How much room a shorter tile of the loop makes for what it computes less: 1 where both become as many times less.
double roomFor(const PlanState& planning, unsigned loop) {
  std::vector<int64_t> core = planning.plan.core;
  core[loop] = shorterTile(planning, loop);
  const auto before = static_cast<double>(bytesOfCore(planning)),
             after = static_cast<double>(bytesOfCore(planning, core));
  return std::log(before / after) /
         std::log(static_cast<double>(planning.plan.core[loop]) / static_cast<double>(core[loop]));
}

/// Whether a tile has so many rows of windows along the loop that their borders above and below count for little.
bool hasManyRows(const PlanState& planning, unsigned loop) {
  constexpr int64_t kMany = 8;
  for (unsigned other = 0; other < planning.plan.numLoops(); ++other)
    if (other != loop && planning.plan.isParallel(other) &&
        planning.plan.core[other] > std::max(kMany, unitOf(planning, other)))
      return true;
  return false;
}

/// Whether a shorter tile of the loop, along which rows of whole vectors of a reduction lie, would have the host's memory move less than a
/// request at a time.
bool cutsRequests(const PlanState& planning, unsigned loop) {
  if (lanesOfReduction(planning, loop) == 1) return false;
  if (isBoundByResults(planning, loop) && hasManyRows(planning, loop)) return true;
  const int64_t row = shorterTile(planning, loop),
                request = aie::hostMemoryOf(planning.wishes.generation).requestBytes;
  return std::ranges::any_of(planning.plan.operands, [&](const TiledOperand& operand) {
    return operand.isMemRef && operand.uses(loop) && row * bytesOf(operand) < request;
  });
}

/// The loop whose tile becomes shorter: the longest one. Rows come last that the host's memory would move by parts of a request. Of a
/// product of the matrix unit, for which cores lay out whole blocks, one that makes much room where there is such. None: all are as
/// short as they can be.
std::optional<unsigned> loopToShrink(const PlanState& planning) {
  constexpr double kMuch = 0.5;
  const bool onUnit = isOnMatrixUnit(planning);
  std::optional<unsigned> best;
  auto rankOf = [&](unsigned loop) {
    return std::tuple(!cutsRequests(planning, loop), onUnit && roomFor(planning, loop) >= kMuch,
                      planning.plan.core[loop]);
  };
  for (unsigned loop = 0; loop < planning.plan.numLoops(); ++loop)
    if (planning.plan.core[loop] > unitOf(planning, loop) &&
        (!best || rankOf(loop) > rankOf(*best)))
      best = loop;
  return best;
}

void shrinkToL1(PlanState& planning) {
  while (bytesOfCore(planning) > planning.wishes.l1Bytes) {
    const std::optional<unsigned> loop = loopToShrink(planning);
    if (!loop) {
      planning.obstacle = "the smallest tile takes " + std::to_string(bytesOfCore(planning)) +
                          " bytes of L1 memory of " + std::to_string(planning.wishes.l1Bytes);
      return;
    }
    planning.plan.core[*loop] = shorterTile(planning, *loop);
  }
}

/// The longest tile of a loop for which L1 has room.
void growLoop(PlanState& planning, unsigned loop) {
  int64_t& tile = planning.plan.core[loop];
  const int64_t size = planning.plan.sizes[loop] / planning.herd[loop], least = tile;
  tile = divisorUpTo(size, size, unitOf(planning, loop));
  while (tile > least && bytesOfCore(planning) > planning.wishes.l1Bytes)
    tile = divisorUpTo(size, tile - 1, unitOf(planning, loop));
  tile = std::max(tile, least);
}

/// Parallel loops run in the core as far as L1 allows, first those that the herd does not share out:
/// each launch costs more than what a short tile computes. The tiles of products of matrices are
/// long enough.
void growTiles(PlanState& planning) {
  const auto& herd = planning.plan.herdLoops;
  for (bool isShared : {false, true})
    for (unsigned loop = planning.plan.numLoops(); loop-- > 0;) {
      if (isShared != (std::ranges::find(herd, loop) != herd.end())) continue;
      if (!planning.plan.isParallel(loop) || wished(planning.wishes.coreTile, loop, 0) ||
          (isShared && isProductOfMatrices(planning)) || keepsRowsApart(planning, loop))
        continue;
      growLoop(planning, loop);
    }
}

void finish(PlanState& planning) {
  planning.plan.launch.clear();
  planning.plan.copy.clear();
  for (unsigned loop = 0; loop < planning.plan.numLoops(); ++loop) {
    bool isParallel = planning.plan.isParallel(loop);
    planning.plan.launch.push_back(isParallel
                                       ? planning.plan.core[loop] * planning.herd[loop]
                                       : wished(planning.depth, loop, planning.plan.sizes[loop]));
    int64_t copy = planning.plan.launch[loop];
    if (planning.plan.steps[loop] == 0) planning.plan.steps[loop] = copy;
    // A copy brings whole tiles of the cores.
    if (!isParallel)
      copy = divisorUpTo(copy,
                         wished(planning.wishes.copyTile, loop,
                                wished(planning.copy, loop, planning.plan.core[loop])),
                         planning.plan.core[loop]);
    planning.plan.copy.push_back(copy);
  }
  for (TiledOperand& operand : planning.plan.operands)
    for (unsigned loop = 0; loop < operand.copy.size(); ++loop)
      if (operand.copy[loop] == 0) operand.copy[loop] = planning.plan.copy[loop];
}

/// Whether cores lay out what the matrix unit of the op gets: a convolution, whose tiles have no blocks in memory.
bool isConvolutionOnUnit(const PlanState& planning) {
  return isOnMatrixUnit(planning) && !planning.plan.isPacked();
}

/// What L2 has to hold of all operands for two copies of each.
int64_t bytesOfCopies(const TilePlan& plan) {
  int64_t bytes = 0;
  for (const TiledOperand& operand : plan.operands)
    bytes += 2 * operand.bytes(plan.copyOf(operand));
  return bytes;
}

/// Has copies of the operand bring more of the reduction `loop`, if there is more and L2 has room.
bool lengthenCopy(PlanState& planning, TiledOperand& operand, unsigned loop) {
  TilePlan& plan = planning.plan;
  std::vector<int64_t> copy = plan.copyOf(operand);
  if (copy[loop] >= plan.launch[loop]) return false;
  copy[loop] = divisorAbove(plan.launch[loop], copy[loop], plan.core[loop]);
  std::swap(operand.copy, copy);
  if (bytesOfCopies(plan) <= planning.wishes.l2Bytes) return true;
  operand.copy = copy;
  return false;
}

/// A request to the memory of the host takes its time whether all of it is asked for or not: copies into L2 of an operand whose rows lie
/// along a reduction bring more of that than the cores of a convolution take at a time.
void lengthenCopiedRows(PlanState& planning) {
  TilePlan& plan = planning.plan;
  if (!isConvolutionOnUnit(planning) || !planning.wishes.copyTile.empty()) return;
  const int64_t request = aie::hostMemoryOf(planning.wishes.generation).requestBytes;
  for (TiledOperand& operand : plan.operands)
    for (unsigned loop = 0; operand.isMemRef && loop < plan.numLoops(); ++loop) {
      if (plan.isParallel(loop) || !operand.index.back().uses(loop)) continue;
      while (operand.extents(plan.copyOf(operand)).back() * bytesOf(operand) < request &&
             lengthenCopy(planning, operand, loop)) {
      }
    }
}

/// Whether the image or filters come into L2 in several copies, each of which has several steps of the cores: those of the other one come
/// in the same loops. Where a row that the ops after the convolution read shares the channels of the filters, L2 of AIE2 fills and drains
/// such a copy in turns, and rows of cores wait for each other: as measured, 14x14 with 256 channels of bf16 took 2.5 times as long.
bool bringsFiltersInTurns(const PlanState& planning) {
  const TilePlan& plan = planning.plan;
  if (planning.wishes.generation != aie::Generation::Aie2) return false;
  for (unsigned loop = 0; loop < plan.numLoops(); ++loop)
    for (const size_t factor : {0, 1}) {
      const int64_t copy = plan.copyOf(plan.operands[factor])[loop];
      if (!plan.isParallel(loop) && copy < plan.launch[loop] && copy > plan.core[loop]) return true;
    }
  return false;
}

/// Launch instances that have the same filters.
int64_t instancesOfFilters(const TilePlan& plan) {
  int64_t instances = 1;
  for (unsigned loop = 0; loop < plan.numLoops(); ++loop)
    if (plan.isParallel(loop) && !plan.operands[1].uses(loop)) instances *= plan.count(loop);
  return instances;
}

/// False: the ops after a convolution would be in the way.
bool keepFilters(PlanState& planning) {
  constexpr int64_t kFewInstances = 8;  // as measured: it is worth a launch for what follows
  if (!isConvolutionOnUnit(planning)) return true;
  TilePlan& plan = planning.plan;
  if (readsLate(plan) && bringsFiltersInTurns(planning))
    return planning.obstacle = "its filters would come in turns with what these read", false;
  const int64_t instances = instancesOfFilters(plan);
  if (!keepsFilters(planning, plan.launch, instances)) return true;
  // Filters that stay come by one task of a channel for all rounds, so nothing comes in turn with them; the other channel of a core
  // brings the image.
  if (readsLate(plan) && instances < kFewInstances) return true;
  if (readsLate(plan)) return planning.obstacle = "its filters had better stay in L2", false;
  for (unsigned loop = 0; loop < plan.numLoops(); ++loop)
    if (plan.isParallel(loop) && !plan.operands[1].uses(loop)) plan.rounds[loop] = plan.count(loop);
  return true;
}

/// Whether an input is what the op writes as well: a launch instance must not compute again what another one has written.
bool readsResults(const TilePlan& plan) {
  return std::ranges::any_of(plan.operands, [&](const TiledOperand& result) {
    return result.isWritten && std::ranges::any_of(plan.operands, [&](const TiledOperand& input) {
             return &input != &result && input.value == result.value;
           });
  });
}

/// Rows of an image of which no good number divides all of them: launch instances that overlap, where far fewer of them do.
void overlapLaunches(PlanState& planning) {
  TilePlan& plan = planning.plan;
  if (!planning.wishes.outputIsNew || !planning.wishes.grow || plan.herdLoops.empty() ||
      readsResults(plan))
    return;
  const unsigned loop = plan.herdLoops.front();
  bool hasWindows = false;
  for (unsigned other = 0; other < plan.numLoops(); ++other)
    hasWindows |= isRowOfWindows(planning, other);
  if (!hasWindows || isRowOfWindows(planning, loop) || wished(planning.wishes.coreTile, loop, 0))
    return;
  const int64_t size = plan.sizes[loop], unit = unitOf(planning, loop), tile = plan.core[loop],
                cores = plan.herdLoops.size() > 1 ? planning.wishes.herd.front()
                                                  : std::ranges::max(planning.wishes.herd);
  int64_t fewest = size / (tile * planning.herd[loop]) / 2 + 1, best = 0, step = 0;
  for (int64_t rows = size / cores / unit * unit; rows >= unit; rows -= unit) {
    const int64_t launch = rows * cores, rest = size - launch;
    plan.core[loop] = rows;
    if (rest == 0 || bytesOfCore(planning) > planning.wishes.l1Bytes) continue;
    for (int64_t more = (rest + launch - 1) / launch; more + 1 < fewest; ++more)
      if (rest % (more * unit) == 0) fewest = more + 1, best = rows, step = rest / more;
  }
  plan.core[loop] = best ? best : tile;
  if (best == 0) return;
  planning.herd[loop] = cores;
  plan.steps[loop] = step;
}

/// `words`: elements of which the tile of each loop is a multiple.
bool choose(PlanState& planning, const std::vector<int64_t>& words) {
  planning.unit = words;
  for (unsigned loop = 0; loop < planning.plan.numLoops(); ++loop)
    if (const int64_t unit = std::lcm(words[loop], lanesOfReduction(planning, loop));
        planning.plan.sizes[loop] % unit == 0)
      planning.unit[loop] = unit;
  planning.obstacle.clear();
  planning.plan.blocks.assign(planning.plan.numLoops(), 1);
  planning.plan.herdLoops.clear();
  planning.plan.rounds.assign(planning.plan.numLoops(), 1);
  planning.plan.steps.assign(planning.plan.numLoops(), 0);
  planning.plan.pieces = 1;
  planning.plan.cycles = 0;
  planning.plan.next.clear();
  planning.copy.clear();
  for (TiledOperand& operand : planning.plan.operands)
    operand.copy.clear();
  planning.depth.clear();
  if (chooseProductTiles(planning)) {
    // Each launch of a product that adds to its output waits for the one before; others overlap.
    if (planning.wishes.grow && !planning.wishes.outputIsNew) growTiles(planning);
    finish(planning);
    return true;
  }
  planning.plan.blocks.assign(planning.plan.numLoops(), 1);
  chooseSums(planning);  // which say whether the herd had better not share out blocks
  chooseHerd(planning);
  chooseBlocks(planning);
  chooseSums(planning);
  chooseTiles(planning);
  if (!isConvolutionOnUnit(planning) || planning.plan.isScalar ||
      !chooseConvolutionTiles(planning)) {
    shrinkToL1(planning);
    if (planning.wishes.grow && planning.obstacle.empty()) {
      growTiles(planning);
      overlapLaunches(planning);
    }
  }
  finish(planning);
  if (!planning.obstacle.empty()) return false;
  if (planning.epilogue.op && (!isConvolutionOnUnit(planning) || planning.plan.isScalar))
    return planning.obstacle = "no tiles of blocks fit", false;
  lengthenCopiedRows(planning);
  return keepFilters(planning);
}

/// Plans until all that is moved is whole words: each time one more loop runs in one tile.
bool chooseInWords(PlanState& planning) {
  std::vector<int64_t> words = planning.words;
  for (unsigned loop = 0; loop < planning.plan.numLoops(); ++loop)
    if (planning.plan.sizes[loop] % words[loop]) words[loop] = planning.plan.sizes[loop];
  while (choose(planning, words)) {
    const std::optional<unsigned> loop = loopInWords(planning);
    if (!loop) return true;
    // Tiles of products are one element of loops that are none of theirs, whatever is asked.
    if (words[*loop] == planning.plan.sizes[*loop]) {
      planning.obstacle = "no tiles of blocks are whole 32-bit words";
      return false;
    }
    words[*loop] = planning.plan.sizes[*loop];
  }
  return false;
}

/// Plans with the steps of words that divide their loops.
bool chooseAnyway(PlanState& planning) {
  std::vector<int64_t> words = planning.words;
  for (unsigned loop = 0; loop < planning.plan.numLoops(); ++loop)
    if (planning.plan.sizes[loop] % words[loop]) words[loop] = 1;
  return choose(planning, words);
}

/// A product of matrices of which some do not lie in whole words: these are staged. False: there are none, or that does not fit.
bool chooseStaged(PlanState& planning) {
  const std::vector<int64_t> sizes = planning.plan.sizes;
  findStaged(planning);
  if (std::ranges::none_of(planning.plan.operands, &TiledOperand::isStaged)) return false;
  findWords(planning);
  if (chooseInWords(planning) && planning.plan.cycles != 0 && fitsStaging(planning)) return true;
  for (TiledOperand& operand : planning.plan.operands)
    operand.isStaged = false;
  planning.fillsReduction = false;
  planning.plan.sizes = sizes;
  return false;
}

std::optional<TilePlan> plan(PlanState& planning) {
  if (!readLoops(planning) || !readOperands(planning) || !checkAliases(planning))
    return std::nullopt;
  planning.plan.l1Bytes = planning.wishes.l1Bytes;
  planning.plan.array = planning.wishes.herd;
  planning.plan.array.resize(2, 1);
  if (chooseStaged(planning)) return planning.plan;
  findWords(planning);
  if (chooseInWords(planning)) return planning.plan;
  planning.isLean = true;
  if (chooseInWords(planning)) return planning.plan;
  planning.isLean = false;
  planning.plan.isScalar = true;
  if (chooseInWords(planning)) return planning.plan;
  planning.plan.isScalar = false;
  if (planning.epilogue.op) return std::nullopt;
  const std::string inWords = planning.obstacle;
  // That is for others to judge: not every target has a DMA of words.
  if (!chooseAnyway(planning)) return std::nullopt;
  planning.plan.isInWords = false;
  planning.plan.remark = "not in whole 32-bit words: so " + inWords;
  return planning.plan;
}

}  // namespace

/// Of rows that begin inside of vectors the core makes longer ones (air-align-rows): what these take more, and where rows are no whole
/// words, the buffer that they come in.
static int64_t bytesOfLongRows(const PlanState& planning, size_t operand,
                               std::span<const int64_t> extents) {
  constexpr int64_t kVectorBytes = 32;
  const TiledOperand& tiled = planning.plan.operands[operand];
  if (!planning.wishes.rows || isElementwise(planning) || extents.size() < 2 ||
      linalg::isProductOfMatrices(planning.op))
    return 0;
  const int64_t row = extents.back() * bytesOf(tiled);
  if (row % kVectorBytes == 0) return 0;
  int64_t rows = 1;
  for (const int64_t extent : extents.first(extents.size() - 1))
    rows *= extent;
  const int64_t longRow = (row + kVectorBytes - 1) / kVectorBytes * kVectorBytes;
  return rows * (longRow - row + (row % aie::kWordBytes ? row : 0));
}

/// Buffers of a core: two of each input, so that one can be filled while the other is used. In a
/// lean plan there are two only of what comes in several steps, which ping-pong doubles.
int64_t bytesOfCore(const PlanState& planning, std::span<const int64_t> core) {
  int64_t bytes = 0;
  const int64_t copies = planning.isLean && !hasSteps(planning, core) ? 1 : 2;
  for (size_t i = 0; i < planning.plan.operands.size(); ++i) {
    const TiledOperand& operand = planning.plan.operands[i];
    if (!operand.isMemRef) continue;
    int64_t elements = 1;
    const std::vector<int64_t> extents = operand.extents(core);
    for (int64_t extent : extents)
      elements *= extent;
    const bool isOnce = operand.isWritten || operand.isLate;
    bytes += elements * bytesOfElement(planning, i, isOnce ? 1 : copies) +
             bytesOfLongRows(planning, i, extents);
    if (planning.plan.isScalar || planning.plan.isPacked() || operand.isLate ||
        !isOnMatrixUnit(planning))
      continue;
    const int64_t laidOut = elementsLaidOut(planning, i, core);
    bytes += laidOut * bytesOf(operand) + (laidOut - elements) * partBytes(planning, i);
  }
  return bytes;
}

/// Of a row or column, whose numbers a core needs once for each row or column of a block.
static int64_t copiesInBlocks(const PlanState& planning, const TiledOperand& operand) {
  int64_t copies = 1, used = 0;
  for (unsigned loop = 0; loop < planning.plan.numLoops(); ++loop) {
    if (!planning.plan.isParallel(loop)) continue;
    if (operand.uses(loop))
      used += planning.plan.blocks[loop] > 1;
    else
      copies *= planning.plan.blocks[loop];
  }
  return used && copies > 1 ? copies : 0;
}

int64_t bytesOfElement(const PlanState& planning, size_t operand, int64_t copies) {
  const TiledOperand& tiled = planning.plan.operands[operand];
  if (tiled.isLate) return bytesOf(tiled) * (1 + copiesInBlocks(planning, tiled));
  return bytesOf(tiled) * copies + partBytes(planning, operand);
}

int64_t wished(const std::vector<int64_t>& list, unsigned loop, int64_t otherwise) {
  return loop < list.size() && list[loop] > 0 ? list[loop] : otherwise;
}

int64_t bytesOf(const TiledOperand& operand) {
  return (bitWidthOf(elementTypeOrSelf(operand.value.type())) + 7) / 8;
}

int64_t bitWidthOf(Type type) { return type.isIntOrIndexOrFloat() ? type.bitWidth() : 64; }

static bool hasBackwardsWhole(const TilePlan& plan) {
  const auto isWhole = [&](unsigned loop) { return plan.core[loop] == plan.sizes[loop]; };
  return std::ranges::all_of(plan.operands, [&](const TiledOperand& operand) {
    return std::ranges::all_of(operand.backwards, isWhole);
  });
}

}  // namespace tiling

static std::string byText(std::span<const int64_t> values) {
  std::string text;
  for (int64_t value : values)
    text += (text.empty() ? "" : "x") + std::to_string(value);
  return text;
}

int64_t PlanCosts::together() const {
  double sum = 0;
  for (int64_t stage : {starts, reads, cores, writes})
    sum += std::pow(static_cast<double>(stage), 4);
  return static_cast<int64_t>(std::sqrt(std::sqrt(sum)));
}

std::string PlanCosts::str() const {
  const char* bound = "its cores";
  if (longest() == writes) bound = "what it writes";
  if (longest() == reads) bound = "what it reads";
  if (longest() == starts) bound = "the starts of transfers";
  return fmt::format("bound by {} (starts {}, reads {}, cores {}, writes {})", bound, starts, reads,
                     cores, writes);
}

int64_t TilePlan::numCores() const {
  int64_t cores = 1;
  for (unsigned loop : herdLoops)
    cores *= launch[loop] / core[loop];
  return cores;
}

std::string TilePlan::str() const {
  std::vector<int64_t> launches, cores;
  for (unsigned loop = 0; loop < numLoops(); ++loop)
    if (isParallel(loop)) launches.push_back(count(loop) / rounds[loop]);
  for (unsigned loop : herdLoops)
    cores.push_back(launch[loop] / core[loop]);
  std::string text = "launch " + (launches.empty() ? "1" : byText(launches)) + ", herd " +
                     (cores.empty() ? "1" : byText(cores)) + ", tile of a core " + byText(core);
  if (hasRounds()) text += ", rounds " + byText(rounds);
  if (overlaps()) text += ", steps " + byText(steps);
  if (isPacked()) text += ", blocks " + byText(blocks);
  if (const auto staged = std::ranges::count_if(operands, &TiledOperand::isStaged))
    text += fmt::format(", {} copied to rows of whole words",
                        staged == 1 ? "1 operand" : fmt::format("{} operands", staged));
  if (cycles) text += fmt::format(", about {} cycles, {}", cycles, costs.str());
  if (!next.empty()) text += "; next best: " + next;
  return remark.empty() ? text : text + ", " + remark;
}

std::optional<TilePlan> planTiles(linalg::StructuredOp op, const TileWishes& wishes,
                                  std::string& obstacle, const Epilogue& epilogue) {
  obstacle.clear();
  tiling::PlanState planning{op, wishes, obstacle, epilogue};
  std::optional<TilePlan> plan = tiling::plan(planning);
  if (!plan || tiling::hasBackwardsWhole(*plan)) return plan;
  obstacle = "a loop that reads an operand backwards does not run in one tile";
  return std::nullopt;
}

}  // namespace airlite
