#include "airlite/analysis/LoopIndex.hpp"

#include <utility>

namespace airlite::analysis {
namespace {

bool addLinear(AffineExpr expr, int64_t factor, LoopIndex& index) {
  switch (expr.kind()) {
    case AffineKind::Constant: index.constant += factor * expr.value(); return true;
    case AffineKind::Dim: index.factors[expr.position()] += factor; return true;
    case AffineKind::Add:
      return addLinear(expr.lhs(), factor, index) && addLinear(expr.rhs(), factor, index);
    case AffineKind::Mul: {
      std::optional<int64_t> by = expr.rhs().constantValue();
      return by && addLinear(expr.lhs(), factor * *by, index);
    }
    default: return false;
  }
}

}  // namespace

bool LoopIndex::isLoop(unsigned loop) const {
  for (unsigned i = 0; i < factors.size(); ++i)
    if (factors[i] != (i == loop ? 1 : 0)) return false;
  return constant == 0;
}

std::optional<unsigned> LoopIndex::onlyLoop() const {
  for (unsigned loop = 0; loop < factors.size(); ++loop)
    if (isLoop(loop)) return loop;
  return std::nullopt;
}

int64_t LoopIndex::extent(std::span<const int64_t> tile) const {
  int64_t extent = 1;
  for (size_t i = 0; i < factors.size(); ++i)
    extent += factors[i] * (tile[i] - 1);
  return extent;
}

std::optional<LoopIndex> readLoopIndex(AffineExpr expr, unsigned numLoops) {
  LoopIndex index{0, std::vector<int64_t>(numLoops, 0)};
  return addLinear(expr, 1, index) ? std::optional(std::move(index)) : std::nullopt;
}

std::optional<unsigned> readBackwardsLoop(AffineExpr expr, std::span<const int64_t> sizes) {
  const auto index = readLoopIndex(expr, static_cast<unsigned>(sizes.size()));
  if (!index) return std::nullopt;
  for (unsigned loop = 0; loop < sizes.size(); ++loop) {
    if (sizes[loop] == kDynamic) continue;
    LoopIndex wanted{sizes[loop] - 1, std::vector<int64_t>(sizes.size(), 0)};
    wanted.factors[loop] = -1;
    if (*index == wanted) return loop;
  }
  return std::nullopt;
}

}  // namespace airlite::analysis
