#include "FollowersApart.hpp"

#include "ElementwiseCost.hpp"
#include "ProductChain.hpp"
#include "RowShares.hpp"

#include <algorithm>
#include <span>
#include <unordered_set>

namespace airlite::tiling {

namespace {

using linalg::StructuredOp;

/// A launch for some of the ops; the sums are the first of its matrices.
struct Apart : ElementwiseLaunch {
  size_t first = 0;  // of the followers
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
    for (unsigned operand = 0; operand < op->numOperands(); ++operand) {
      const Value value = op->operand(operand);
      const auto type = value.type().dynCast<MemRefType>();
      const bool isRead = operand < op.numInputs() || op.readsOutput(operand - op.numInputs());
      if (!type || !isRead || !seen.insert(value).second) continue;
      const bool isMatrix = type.numElements() == shape.numElements();
      (isMatrix ? matrices : rows) += 1;
      if (isMatrix) bytes += elementBytesOf(value);
    }
    if (matrices && !apart)
      apart = {{.elements = shape.numElements(),
                .matrices = 1,
                .bytesIn = elementBytesOf(last),
                .most = elementBytesOf(last)},
               i};
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

/// The matrix comes, and the result leaves, between the products of two instances. As measured, 1.1 (two instances) to 1.65 times the plan
/// (16 of them).
int64_t costOf(const TilePlan& together) {
  const int64_t instances = together.numInstances();
  return together.cycles + together.cycles / 2 * (instances - 1) / instances;
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
                        before->cycles + cyclesOf(*apart, wishes) < costOf(*together);
  return isBetter ? apart->first : wishes.mostFollowers;
}

}  // namespace airlite::tiling
