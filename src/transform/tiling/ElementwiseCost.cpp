#include "ElementwiseCost.hpp"

#include "RowShares.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/transform/ArrayDefaults.hpp"

#include <algorithm>

namespace airlite::tiling {

int64_t cyclesOf(const ElementwiseLaunch& launch, const TileWishes& wishes) {
  constexpr double kStreamBytes = aie::kWordBytes;
  const int64_t all = wishes.herd.size() > 1 ? wishes.herd[1] : 1;
  const RowWork work = {.inputs = launch.matrices, .outputs = 1, .broadcasts = launch.rows};
  const RowLimits limits = {.columns = all, .cores = wishes.herd[0]};
  const double memoryBytes = aie::hostMemoryOf(wishes.generation).bytesPerCycle;
  auto withColumns = [&](int64_t columns) {
    const int64_t rows = coresOfColumn(work, columns, limits);
    const double ofElement =
        std::max({static_cast<double>(launch.most) / (kStreamBytes * static_cast<double>(columns)),
                  static_cast<double>(std::max(launch.bytesIn, launch.bytesOut)) / memoryBytes,
                  launch.cycles / static_cast<double>(columns * rows)});
    return kTransferStartCycles * columns * (launch.matrices + 1) +
           static_cast<int64_t>(static_cast<double>(launch.elements) * ofElement);
  };
  int64_t least = withColumns(1);
  const int64_t most = columnsOfShims(work, limits);
  for (int64_t columns = 2; columns <= most; ++columns)
    least = std::min(least, withColumns(columns));
  return least;
}

}  // namespace airlite::tiling
