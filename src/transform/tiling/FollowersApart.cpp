#include "FollowersApart.hpp"

#include "ProductChain.hpp"
#include "RowShares.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/transform/ArrayDefaults.hpp"

#include <algorithm>
#include <span>
#include <unordered_set>

namespace airlite::tiling {

namespace {

using linalg::StructuredOp;

/// A launch for some of the ops.
struct Apart {
  size_t first = 0;  // of the followers
  int64_t elements = 0;
  int64_t matrices = 1, rows = 0;  // that come in; the sums are the first of the matrices
  int64_t bytesIn = 0, bytesOut = 0, most = 0;  // of an element, and of the widest
  double cycles = 0;                            // of a core for an element
};

/// What the followers from the first on read that reads a matrix which the chain does not make; none: no follower does.
std::optional<Apart> readApart(std::span<Operation* const> followers, Value sums) {
  const auto shape = sums.type().cast<MemRefType>();
  std::unordered_set<Value> known{sums};
  std::optional<Apart> apart;
  Value last = sums;
  for (size_t i = 0; i < followers.size(); ++i) {
    const StructuredOp op(followers[i]);
    std::unordered_set<Value> seen = known;
    int64_t matrices = 0, rows = 0, bytes = 0;
    for (Value input : op.inputs()) {
      const auto type = input.type().dynCast<MemRefType>();
      if (!type || !seen.insert(input).second) continue;
      const bool isMatrix = type.numElements() == shape.numElements();
      (isMatrix ? matrices : rows) += 1;
      if (isMatrix) bytes += elementBytesOf(input);
    }
    if (matrices && !apart)
      apart = {i, shape.numElements(), 1, 0, elementBytesOf(last), 0, elementBytesOf(last), 0};
    last = op.outputs()[0];
    known.insert(op.outputs().begin(), op.outputs().end());
    if (!apart) continue;
    apart->matrices += matrices;
    apart->rows += rows;
    apart->bytesIn += bytes;
    apart->bytesOut = elementBytesOf(last);
    apart->most = std::max(apart->most, elementBytesOf(last));
    apart->cycles += cyclesOfElement(op);
  }
  return apart;
}

/// Cycles of the launch: its streams, the memory of the host, its cores, and starts of transfers.
int64_t cyclesOf(const Apart& apart, const TileWishes& wishes) {
  constexpr double kStreamBytes = aie::kWordBytes;
  const int64_t rows = wishes.herd[0], all = wishes.herd.size() > 1 ? wishes.herd[1] : 1;
  const int64_t columns = columnsOfShims(
      {.inputs = apart.matrices, .outputs = 1, .broadcasts = apart.rows}, {.columns = all});
  const aie::HostMemory memory = aie::hostMemoryOf(wishes.generation);
  const double ofElement =
      std::max({static_cast<double>(apart.most) / (kStreamBytes * static_cast<double>(columns)),
                static_cast<double>(std::max(apart.bytesIn, apart.bytesOut)) / memory.bytesPerCycle,
                apart.cycles / static_cast<double>(columns * rows)});
  return kTransferStartCycles * columns * (apart.matrices + 1) +
         static_cast<int64_t>(static_cast<double>(apart.elements) * ofElement);
}

}  // namespace

size_t followersWorthwhile(StructuredOp product, Operation* fill, const TileWishes& wishes,
                           Rewriter& rewriter) {
  auto planOf = [&](const ProductChain& chain) {
    std::string obstacle;
    return planTiles(chain.product, wishes, obstacle, chain.epilogue);
  };
  auto drop = [&](ProductChain& chain) {
    if (chain.epilogue.op) takeBack(chain, rewriter);
  };
  ProductChain whole = chainOf(product, fill, wishes.matrixSums, wishes.mostFollowers, rewriter);
  const std::span<Operation* const> replaced = whole.replaced;
  const std::optional<Apart> apart =
      readApart(replaced.last(whole.numFollowers), product.outputs()[0]);
  const std::optional<TilePlan> together = apart ? planOf(whole) : std::nullopt;
  drop(whole);
  if (!apart) return wishes.mostFollowers;
  ProductChain front = chainOf(product, fill, wishes.matrixSums, apart->first, rewriter);
  const std::optional<TilePlan> before = planOf(front);
  drop(front);
  // Plans that were not chosen by their cycles cannot be compared.
  if (!before || before->cycles == 0) return wishes.mostFollowers;
  const bool isBetter = !together || together->cycles == 0 ||
                        before->cycles + cyclesOf(*apart, wishes) < together->cycles;
  return isBetter ? apart->first : wishes.mostFollowers;
}

}  // namespace airlite::tiling
