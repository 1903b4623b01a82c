#include "RowShares.hpp"

#include "airlite/ir/OpDef.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace airlite::tiling {

namespace {

/// A stream moves as many in a cycle.
constexpr int64_t kStreamBytes = aie::kWordBytes;
/// DMA channels in each direction.
constexpr int64_t kMemTileChannels =
    aie::limitsOf(aie::Generation::Aie2, aie::TileKind::Mem).channels;
constexpr int64_t kCoreChannels =
    aie::limitsOf(aie::Generation::Aie2, aie::TileKind::Core).channels;
/// Rounds of a core after which the first and last transfer, which nothing overlaps, are short.
constexpr int64_t kRounds = 8;
/// A shorter tile is not worth its descriptors.
constexpr int64_t kLeastTileBytes = 256;

/// The greatest divisor of `size` up to `most` that is a multiple of `unit`; 0 when there is none.
int64_t divisorOf(int64_t size, int64_t most, int64_t unit) {
  for (int64_t at = std::min(size, most) / unit * unit; at > 0; at -= unit)
    if (size % at == 0) return at;
  return 0;
}

/// Rows that fill vectors by themselves.
bool areLong(const RowWork& work) { return work.streamBytes >= 2 * kVectorBytes; }

/// 0 when the rows have no good tile. Half of L1 is enough for short waits.
int64_t tileFor(const RowWork& work, int64_t columns, int64_t cores, const RowLimits& limits) {
  if (work.rows % (columns * cores)) return 0;
  const int64_t share = work.rows / (columns * cores);
  const int64_t least = limits.startCycles * kStreamBytes / cores / work.streamBytes;
  const int64_t room = limits.l1Bytes - work.l1FixedBytes;
  const int64_t needed = (areLong(work) ? 1 : work.unit) * work.l1Bytes;
  const int64_t most = std::min(std::max({least, share / kRounds, work.unit}),
                                std::max(room / 2, std::min(room, needed)) / work.l1Bytes);
  int64_t tile = divisorOf(share, most, work.unit);
  if (!tile) tile = divisorOf(share, most, work.words);
  return tile == share || tile * work.streamBytes >= kLeastTileBytes ? tile : 0;
}

/// That a core computes for one of `tile` rows. Short rows that are not computed in whole vectors, or in as many rows at once as these
/// hold, are several times slower; of long ones only the ends are.
double cyclesOfRow(const RowWork& work, int64_t tile) {
  constexpr double kSlower = 32, kCyclesOfEnd = 150;
  if (tile % work.unit == 0) return work.cycles;
  return areLong(work) ? work.cycles + kCyclesOfEnd : kSlower * work.cycles;
}

/// Inputs that a core gets one after the other: all by one DMA channel where the memory tiles have too few for two.
int64_t turnsOf(const RowWork& work, const RowShares& shares, const RowLimits& limits) {
  const int64_t channels = std::min(work.inputs, kCoreChannels);
  const int64_t puts = shares.columns * (shares.cores * channels + work.outputs) + work.broadcasts;
  if (puts > limits.columns * kMemTileChannels) return work.inputs;
  return (work.inputs + kCoreChannels - 1) / kCoreChannels;
}

/// Until the last column is through.
double cyclesFor(const RowWork& work, const RowShares& shares, const RowLimits& limits) {
  const double rows = static_cast<double>(work.rows) / static_cast<double>(shares.columns);
  const int64_t transfers = (work.inputs + work.outputs) * shares.columns + work.broadcasts;
  const double starts = static_cast<double>(limits.startCycles * transfers);
  const double moves = rows * static_cast<double>(work.streamBytes) / kStreamBytes;
  const double ofCore = rows / static_cast<double>(shares.cores);
  // A core has each tile before it computes.
  const double gets =
      ofCore * static_cast<double>(turnsOf(work, shares, limits) * work.streamBytes) / kStreamBytes;
  return starts + std::max(moves, gets + ofCore * cyclesOfRow(work, shares.tile));
}

/// All rows shared out; no tile where nothing is good.
RowShares shareRows(const RowWork& work, const RowLimits& limits) {
  RowShares best;
  const int64_t mostColumns = columnsOfShims(work, limits);
  for (int64_t columns = 1; columns <= mostColumns; ++columns)
    for (int64_t cores = coresOfColumn(work, columns, limits); cores > 0; --cores) {
      const RowShares shares{columns, cores, tileFor(work, columns, cores, limits)};
      if (!shares.tile) continue;
      if (!best.tile || cyclesFor(work, shares, limits) < cyclesFor(work, best, limits))
        best = shares;
      if (shares.tile % work.unit == 0) break;  // fewer cores of a column are not better
    }
  return best;
}

/// Of a core for one element of f32 in a chain, as measured: loops of several ops overlap less than those
/// of docs/performance.md, "Kernels of one core".
struct WideCost {
  std::string_view op;
  double cycles;
};
constexpr WideCost kWideCosts[] = {
    {"math.exp", 6},   {"math.tanh", 15}, {"math.erf", 15},  {"math.sqrt", 8},
    {"math.rsqrt", 8}, {"math.fma", 1},   {"arith.divf", 4}, {"arith.mulf", 0.9},
};

/// Functions of f32 take many steps, its products several.
double cyclesOf(std::string_view name, Type result) {
  constexpr double kOfLongProduct = 1.2;  // its upper word, of four products of halves
  if (name == "arith.muli" && result.isInteger(64)) return kOfLongProduct;
  const bool isWide = elementTypeOrSelf(result).isF32();
  const bool isFunction = name.starts_with("math.") || name == "arith.divf";
  if (!isWide) return isFunction ? 1.5 : 0.1;
  const auto known = std::ranges::find(kWideCosts, name, &WideCost::op);
  if (known != std::end(kWideCosts)) return known->cycles;
  return isFunction ? 15 : 0.25;
}

/// Arguments of the body that are the same for all elements of a row.
std::vector<Value> valuesOfRows(linalg::StructuredOp op) {
  std::vector<Value> values;
  const std::vector<AffineMap> maps = op.indexingMaps();
  const unsigned loops = op.numLoops();
  for (unsigned i = 0; loops > 1 && i < maps.size(); ++i) {
    const auto usesLast = [&](AffineExpr result) { return result.usesDim(loops - 1); };
    if (std::ranges::none_of(maps[i].results(), usesLast)) values.push_back(op.body().argument(i));
  }
  return values;
}

}  // namespace

int64_t functionsOf(linalg::StructuredOp op) {
  int64_t functions = 0;
  for (Operation& inner : op.body().ops())
    if (inner.name().starts_with("math.") || inner.is("arith.divf"))
      functions += elementTypeOrSelf(inner.result().type()).isF32() ? 2 : 1;
  return functions;
}

double cyclesOfElement(linalg::StructuredOp op) {
  std::vector<Value> ofRows = valuesOfRows(op);
  const auto isOfRow = [&](Value value) { return std::ranges::count(ofRows, value) != 0; };
  double cycles = 0;
  for (Operation& inner : op.body().ops()) {
    const std::vector<Value> operands = inner.operands().vec();
    const bool isSame = inner.numResults() == 1 && !inner.is("linalg.index") &&
                        std::ranges::all_of(operands, isOfRow);
    if (isSame)
      ofRows.push_back(inner.result());
    else if (inner.is("arith.divf") && isOfRow(operands[1]))
      cycles += cyclesOf("arith.mulf", inner.result().type());  // the other way round once
    else if (inner.numResults() == 1)
      cycles += cyclesOf(inner.name(), inner.result().type());
  }
  return cycles;
}

int64_t coresOfColumn(const RowWork& work, int64_t columns, const RowLimits& limits) {
  // What goes out may lie on the memory tile of a column that is not used.
  const bool areApart = 2 * columns <= limits.columns;
  const int64_t puts = work.broadcasts + (areApart ? 0 : work.outputs),
                gets = areApart ? 0 : work.inputs + work.broadcasts;
  int64_t cores = limits.cores;
  // What a core gets, and what it puts, goes by one channel in turns where channels are short.
  if (work.inputs) cores = std::min(cores, kMemTileChannels - puts);
  if (work.outputs) cores = std::min(cores, kMemTileChannels - gets);
  return std::max<int64_t>(1, cores);
}

int64_t columnsOfShims(const RowWork& work, const RowLimits& limits) {
  constexpr int64_t kChannels =
      aie::limitsOf(aie::Generation::Aie2, aie::TileKind::ShimNoc).channels;
  const int64_t all = kChannels * limits.columns;
  if (work.broadcasts > all) return 1;
  int64_t columns = limits.columns;
  if (work.inputs) columns = std::min(columns, (all - work.broadcasts) / work.inputs);
  if (work.outputs) columns = std::min(columns, all / work.outputs);
  return std::max<int64_t>(1, columns);
}

SplitShares splitRows(const RowWork& work, const RowLimits& limits) {
  SplitShares best{shareRows(work, limits), work.rows};
  double least = best.shares.tile ? cyclesFor(work, best.shares, limits) : 0;
  const int64_t cores = limits.columns * limits.cores;
  // Rows of which the head is a multiple: the more rounds cores have, the more is left for one of them.
  const int64_t multiples[] = {32 * cores * work.unit,    8 * cores * work.unit,
                               2 * cores * work.unit,     cores * work.unit,
                               limits.cores * work.unit,  work.unit,
                               limits.cores * work.words, work.words};
  for (const int64_t multiple : multiples) {
    RowWork head = work, tail = work;
    tail.rows = work.rows % multiple;
    head.rows = work.rows - tail.rows;
    const int64_t room = limits.l1Bytes - work.l1FixedBytes;
    if (tail.rows == 0 || head.rows == 0 || tail.rows * work.l1Bytes > room) continue;
    const RowShares shares = shareRows(head, limits);
    if (!shares.tile) continue;
    const double cycles =
        cyclesFor(head, shares, limits) + cyclesFor(tail, {1, 1, tail.rows}, limits);
    // Small differences are not known so well, and more rounds of longer tiles are safer.
    if (best.shares.tile && cycles * 1.1 >= least) continue;
    best = {shares, head.rows};
    least = cycles;
  }
  return best;
}

}  // namespace airlite::tiling
