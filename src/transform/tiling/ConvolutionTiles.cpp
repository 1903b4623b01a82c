// The tiles of a convolution whose sums the matrix unit makes: of all that L1 has room for, those whose
// estimate is the least.
#include "TileChoice.hpp"
#include "airlite/device/AieMatrix.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace airlite::tiling {
namespace {

// Cycles of a core, as measured on AIE2 (docs/log.md, "Tiles of convolutions").
constexpr double kProduct = 1;      // one of the matrix unit
constexpr double kSumsOfRun = 2.2;  // 32 bytes of sums, loaded and stored around a run of products
constexpr double kVectorLaidOut = 1.2;  // 32 bytes to blocks of the matrix unit, by vectors
constexpr double kWord = 3;             // 4 bytes, where no vectors are laid out
constexpr double kSums = 4;             // 32 bytes of sums to blocks and back
constexpr double kTile = 200;      // what each tile takes besides: locks, starts and ends of loops
constexpr double kInstance = 500;  // of a launch
constexpr int64_t kLaneBytes = 32;

class Search {
 public:
  Search(PlanState& planning, const ProductLoops& loops)
      : planning_(planning),
        plan_(planning.plan),
        loops_(loops),
        blocks_(blocksOfProduct(planning)) {}

  /// Each column of cores has transfers of its own, which the host starts one after the other: fewer may be faster, where
  /// there are more than npu1 has.
  bool run() {
    const unsigned loop = plan_.herdLoops.front();
    int64_t& columns = planning_.herd[loop];
    const int64_t all = columns, usual = aie::defaultNpu().columns;
    searchTiles();
    if (all > usual) {
      const double ofAll = cyclesOfAll(least_, all);
      const std::vector<int64_t> best = std::exchange(best_, {});
      columns = coresAlong(planning_, loop, usual);
      searchTiles();
      if (best_.empty() || (!best.empty() && ofAll <= cyclesOfAll(least_, columns)))
        best_ = best, columns = all;
    }
    if (best_.empty()) return false;
    plan_.core = best_;
    return true;
  }

 private:
  void searchTiles() {
    std::vector<int64_t> core;
    for (unsigned loop = 0; loop < plan_.numLoops(); ++loop)
      core.push_back(unitOf(planning_, loop));
    tryTiles(0, core);
  }

  /// With so many columns: images, filters and results start one after the other, and cores compute once they have their operands.
  static double cyclesOfAll(double cycles, int64_t columns) {
    const auto starts = [](int64_t count) { return double(count * kTransferStartCycles); };
    return std::max(starts(2 * columns + 1), starts(columns + 1) + cycles);
  }

  /// From the greatest on: those of all loops before are in `core`, of all others the least.
  void tryTiles(unsigned loop, std::vector<int64_t>& core) {
    if (loop == plan_.numLoops()) return tryTile(core);
    const int64_t size = plan_.sizes[loop] / planning_.herd[loop], unit = unitOf(planning_, loop);
    for (int64_t tile = size / unit * unit; tile >= unit; tile -= unit) {
      if (size % tile && tile > unit) continue;
      core[loop] = tile;
      if (fits(core)) tryTiles(loop + 1, core);
    }
    core[loop] = unit;
  }

  bool fits(const std::vector<int64_t>& core) const {
    return bytesOfCore(planning_, core) <= planning_.wishes.l1Bytes;
  }

  void tryTile(const std::vector<int64_t>& core) {
    const double cycles = cyclesWith(core);
    if (!best_.empty() && cycles >= least_) return;
    least_ = cycles;
    best_ = core;
  }

  /// Of all launch instances. What brings operands and what computes runs side by side.
  double cyclesWith(const std::vector<int64_t>& core) const {
    std::vector<int64_t> launch = plan_.sizes, copy = plan_.sizes;
    double instances = 1, tiles = 1, sharing = 1, windows = 1;
    for (unsigned loop = 0; loop < plan_.numLoops(); ++loop) {
      const double steps = double(plan_.sizes[loop]) / double(core[loop]);
      if (!plan_.isParallel(loop)) {
        tiles *= steps;
        // Copies of an image bring long rows (lengthenCopiedRows), of the pixels that tiles need.
        if (plan_.operands[0].index.back().uses(loop)) continue;
        windows *= steps;
        copy[loop] = core[loop];
        continue;
      }
      copy[loop] = launch[loop] = core[loop] * planning_.herd[loop];
      const double count = steps / double(planning_.herd[loop]);
      instances *= count;
      if (!plan_.operands[1].uses(loop)) sharing *= count;
    }
    const bool keeps = !readsLate(plan_) && keepsFilters(planning_, launch, int64_t(sharing));
    // Filters that stay come into L2 by as many streams as there are columns, each with the rows of its cores.
    const double filters = keeps ? requestsOf(1, launch, core)
                                 : std::max(requestsOf(1, launch, launch), streamOf(1, launch));
    const double images = std::max(windows * requestsOf(0, copy, copy),
                                   windows * streamOf(0, copy) / double(columns()));
    // A core has two channels: one brings the image, the other one the filters.
    const double cores =
        tiles * std::max({cyclesOfTile(core), streamOf(0, core), streamOf(1, core)});
    if (keeps)
      return instances * (std::max(cores, images) + kInstance) + filters * instances / sharing;
    const double copies = std::max(images + requestsOf(1, launch, launch), filters);
    return instances * (std::max(cores, copies) + kInstance) + filters;
  }

  int64_t columns() const { return planning_.herd[plan_.herdLoops.front()]; }

  /// What the memory of the host takes for the part of an operand that belongs to `part`, in rows as long as those of `rows`.
  double requestsOf(size_t number, const std::vector<int64_t>& part,
                    const std::vector<int64_t>& rows) const {
    const TiledOperand& operand = plan_.operands[number];
    const aie::HostMemory memory = aie::hostMemoryOf(planning_.wishes.generation);
    const double row = double(operand.index.back().extent(rows) * bytesOf(operand));
    const double requests =
        std::ceil(row / double(memory.requestBytes)) * double(operand.bytes(part)) / row;
    return requests * double(memory.requestBytes) / memory.bytesPerCycle;
  }

  double streamOf(size_t number, const std::vector<int64_t>& part) const {
    return double(plan_.operands[number].bytes(part)) / double(aie::kWordBytes);
  }

  double cyclesOfTile(const std::vector<int64_t>& core) const {
    double products = 1;
    for (unsigned loop = 0; loop < plan_.numLoops(); ++loop)
      products *= double((core[loop] + blocks_[loop] - 1) / blocks_[loop]);
    double cycles = kTile + products * (cyclesOfProduct(core) + cyclesOfSums() / runOf(core));
    for (size_t factor : {0, 1})
      cycles += cyclesOfLayout(factor, core);
    return cycles + kSums * bytesLaidOut(2, core) / double(kLaneBytes);
  }

  /// AIE2P multiplies floats by one element of the image in all lanes of a register, two of which each sum of a product takes. It has
  /// no registers for several products with each of them.
  double cyclesOfProduct(const std::vector<int64_t>& core) const {
    constexpr double kSpread = 2, kTooMany = 6;
    const bool spreads = planning_.wishes.generation == aie::Generation::Aie2p &&
                         plan_.sums.depth && !plan_.sums.areBlocks;
    if (!spreads) return kProduct;
    return double(blocks_[loops_.sums]) *
           (core[loops_.columns] > blocks_[loops_.columns] ? kTooMany : kSpread);
  }

  /// Products that a block of sums gets one after the other: those along the last two reductions.
  double runOf(const std::vector<int64_t>& core) const {
    double run = 1;
    unsigned reductions = 0;
    for (unsigned loop = plan_.numLoops(); loop-- > 0 && reductions < 2;) {
      if (plan_.isParallel(loop)) continue;
      run *= double((core[loop] + blocks_[loop] - 1) / blocks_[loop]);
      ++reductions;
    }
    return run;
  }
  double cyclesOfSums() const {
    double bytes = 4;
    for (unsigned loop = 0; loop < plan_.numLoops(); ++loop)
      if (plan_.isParallel(loop)) bytes *= double(blocks_[loop]);
    return kSumsOfRun * bytes / double(kLaneBytes);
  }

  double bytesLaidOut(size_t number, const std::vector<int64_t>& core) const {
    return double(elementsLaidOut(planning_, number, core) * bytesOf(plan_.operands[number]));
  }

  double cyclesOfLayout(size_t number, const std::vector<int64_t>& core) const {
    const double bytes = bytesLaidOut(number, core);
    return isOfVectors(number, core) ? kVectorLaidOut * bytes / double(kLaneBytes)
                                     : kWord * bytes / double(aie::kWordBytes);
  }

  /// Whether a core lays out a factor by vectors (PackedOperand::isOfVectors): its rows are vectors, or some of them fill one, four
  /// vectors are rows of whole blocks, and all begin at vectors.
  bool isOfVectors(size_t number, const std::vector<int64_t>& core) const {
    constexpr int64_t kVectorsOfGroup = 4;
    const unsigned row = number == 0 ? loops_.rows : loops_.sums,
                   column = number == 0 ? loops_.sums : loops_.columns;
    const int64_t lanes = kLaneBytes / bytesOf(plan_.operands[number]),
                  inGroup = std::min(core[column], lanes), perVector = lanes / inGroup,
                  rows = (core[row] + blocks_[row] - 1) / blocks_[row] * blocks_[row];
    if (core[column] % inGroup != 0 || lanes % inGroup != 0 || core[row] % perVector != 0 ||
        (blocks_[column] <= lanes && inGroup % blocks_[column] != 0) ||
        rows % (kVectorsOfGroup * perVector) != 0)
      return false;
    for (unsigned loop = 0; loop < plan_.numLoops(); ++loop) {
      const bool isInside = loop == column || (loop == row && perVector > 1);
      if (!isInside && core[loop] > 1 && strideOf(number, loop, core) % lanes != 0) return false;
    }
    return true;
  }

  /// Elements from one round of the loop to the next one, in the buffer of a core.
  int64_t strideOf(size_t number, unsigned loop, const std::vector<int64_t>& core) const {
    const TiledOperand& operand = plan_.operands[number];
    const std::vector<int64_t> extents = operand.extents(core);
    int64_t stride = 0, elements = 1;
    for (size_t dim = extents.size(); dim-- > 0; elements *= extents[dim])
      stride += operand.index[dim].factors[loop] * elements;
    return stride;
  }

  PlanState& planning_;
  TilePlan& plan_;
  ProductLoops loops_;
  std::vector<int64_t> blocks_, best_;
  double least_ = 0;
};

}  // namespace

bool chooseConvolutionTiles(PlanState& planning) {
  const auto isWished = [](int64_t wish) { return wish != 0; };
  if (!planning.wishes.grow || std::ranges::any_of(planning.wishes.coreTile, isWished) ||
      planning.plan.herdLoops.empty())
    return false;
  const std::optional<ProductLoops> loops = loopsOfProduct(planning);
  return loops && Search(planning, *loops).run();
}

}  // namespace airlite::tiling
