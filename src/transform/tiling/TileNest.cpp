// Loops, places and buffers of a tiled nest.
#include "TileNest.hpp"

#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Scf.hpp"

#include <algorithm>

namespace airlite::tiling {

namespace {

Value constant(NestState& tiler, int64_t value) {
  return tiler.rewriter.constantIndex(location(tiler), value);
}

void inside(NestState& tiler, Block& block, FunctionRef<void()> body) {
  InsertPoint saved = tiler.rewriter.insertPoint();
  tiler.rewriter.setInsertPoint({&block, &block.back()});
  body();
  tiler.rewriter.setInsertPoint(saved);
}

/// In the memory of the host, or in L2.
int64_t elementsOf(const Counter& counter, bool isWhole) {
  return isWhole && counter.brought ? counter.brought : counter.elements;
}

/// Where the tile begins along dimension `dim` of the operand, or of its part in L2.
MixedIndex offset(NestState& tiler, const TiledOperand& operand, size_t dim, const Position& at,
                  bool isWhole) {
  const LoopIndex& index = operand.index[dim];
  const bool hasWindows = isWhole && operand.isStaged && dim + 1 == operand.index.size();
  std::vector<std::pair<int64_t, Value>> terms;
  for (unsigned loop = 0; loop < tiler.plan.numLoops(); ++loop)
    if (index.uses(loop))
      for (const Counter& counter : at[loop])
        terms.push_back({hasWindows && counter.countsWindows
                             ? operand.window
                             : index.factors[loop] * elementsOf(counter, isWhole),
                         counter.value});
  return sum(tiler, terms, isWhole ? index.constant : 0);
}

/// A variable of a loop with such steps, which is set when there is one.
Counter counterOf(const NestState& tiler, unsigned loop, int64_t step, Counts counts) {
  if (counts == Counts::Copies && tiler.plan.isFilledUp(loop))
    return {.elements = step, .brought = tiler.plan.brought(loop, step)};
  const bool countsWindows = counts == Counts::Instances && tiler.plan.hasWindows(loop);
  return {Value(), countsWindows ? tiler.plan.steps[loop] : 1, countsWindows};
}

}  // namespace

Location location(const NestState& tiler) { return tiler.op->location(); }

Context& context(const NestState& tiler) { return tiler.op->context(); }

Operation* parallel(NestState& tiler, const std::vector<unsigned>& loops,
                    const std::vector<int64_t>& sizes, const std::vector<int64_t>& steps,
                    Position at, FunctionRef<void(const Position&)> body, Counts counts) {
  std::vector<Value> lower, upper, step;
  auto dimension = [&](int64_t size, int64_t by) {
    lower.push_back(constant(tiler, 0));
    upper.push_back(constant(tiler, size));
    step.push_back(constant(tiler, by));
  };
  for (unsigned loop : loops) {
    const Counter& counter = at[loop].emplace_back(counterOf(tiler, loop, steps[loop], counts));
    dimension(sizes[loop] / counter.elements, steps[loop] / counter.elements);
  }
  if (loops.empty()) dimension(1, 1);
  auto nest = scf::ParallelOp::create(tiler.rewriter, location(tiler), lower, upper, step);
  for (size_t i = 0; i < loops.size(); ++i)
    at[loops[i]].back().value = nest.inductionVars()[i];
  inside(tiler, nest.body(), [&] { body(at); });
  return nest.op();
}

void sequential(NestState& tiler, std::span<const unsigned> loops,
                const std::vector<int64_t>& sizes, const std::vector<int64_t>& steps, Position at,
                FunctionRef<void(const Position&)> body, Counts counts) {
  if (loops.empty()) return body(at);
  const unsigned loop = loops.front();
  Counter counter = counterOf(tiler, loop, steps[loop], counts);
  auto nest = scf::ForOp::create(tiler.rewriter, location(tiler), constant(tiler, 0),
                                 constant(tiler, sizes[loop] / counter.elements),
                                 constant(tiler, steps[loop] / counter.elements));
  counter.value = nest.inductionVar();
  at[loop].push_back(counter);
  inside(tiler, nest.body(),
         [&] { sequential(tiler, loops.subspan(1), sizes, steps, at, body, counts); });
}

MixedIndex sum(NestState& tiler, const std::vector<std::pair<int64_t, Value>>& terms,
               int64_t plus) {
  if (terms.empty()) return plus;
  if (terms.size() == 1 && terms[0].first == 1 && plus == 0) return terms[0].second;
  AffineExpr expr = AffineExpr::constant(context(tiler), plus);
  affine::Application application;
  for (auto [factor, value] : terms) {
    auto position = static_cast<unsigned>(application.operands.size());
    expr = AffineExpr::symbol(context(tiler), position) * factor + expr;
    application.operands.push_back(value);
  }
  application.map =
      AffineMap::get(context(tiler), 0, static_cast<unsigned>(terms.size()), std::span(&expr, 1));
  return affine::ApplyOp::create(tiler.rewriter, location(tiler), application)->result();
}

MixedIndex quotient(NestState& tiler, Value value, int64_t divisor) {
  if (divisor == 1) return value;
  const AffineExpr expr =
      AffineExpr::symbol(context(tiler), 0).floorDiv(AffineExpr::constant(context(tiler), divisor));
  affine::Application application;
  application.operands = {value};
  application.map = AffineMap::get(context(tiler), 0, 1, std::span(&expr, 1));
  return affine::ApplyOp::create(tiler.rewriter, location(tiler), application)->result();
}

Value part(NestState& tiler, Value memref, const TiledOperand& operand, const Position& at,
           const std::vector<int64_t>& tile) {
  bool isWhole = memref == operand.value;
  std::vector<MixedIndex> offsets, sizes;
  std::vector<int64_t> extents = operand.extents(tile);
  auto shape = memref.type().cast<MemRefType>().shape();
  bool isAll = std::equal(extents.begin(), extents.end(), shape.begin(), shape.end());
  if (isAll) return memref;
  for (size_t i = 0; i < operand.index.size(); ++i) {
    offsets.push_back(offset(tiler, operand, i, at, isWhole));
    sizes.push_back(extents[i]);
  }
  std::vector<MixedIndex> ones(sizes.size(), MixedIndex(1));
  return memref::SubViewOp::create(tiler.rewriter, location(tiler), memref, offsets, sizes, ones)
      .result();
}

Value alloc(NestState& tiler, std::span<const int64_t> shape, Value like, int64_t space) {
  MemRefType type = MemRefType::get(context(tiler), shape, elementTypeOrSelf(like.type()),
                                    Attribute(), tiler.rewriter.i32Attr(space));
  return memref::AllocOp::create(tiler.rewriter, location(tiler), type).result();
}

void copy(NestState& tiler, Value from, Value to) {
  memref::CopyOp::create(tiler.rewriter, location(tiler), from, to);
}

void free(NestState& tiler, Value memref) {
  if (memref.definingOp() && memref.definingOp()->is("memref.alloc"))
    memref::DeallocOp::create(tiler.rewriter, location(tiler), memref);
}

Position joined(Position a, const Position& b) {
  for (size_t i = 0; i < a.size(); ++i)
    a[i].insert(a[i].end(), b[i].begin(), b[i].end());
  return a;
}

std::vector<unsigned> reductions(const NestState& tiler, const std::vector<int64_t>& steps) {
  std::vector<unsigned> loops;
  for (unsigned loop = 0; loop < tiler.plan.numLoops(); ++loop)
    if (!tiler.plan.isParallel(loop) && steps[loop] < tiler.plan.launch[loop])
      loops.push_back(loop);
  return loops;
}

}  // namespace airlite::tiling
