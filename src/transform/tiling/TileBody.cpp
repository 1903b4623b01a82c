// The op itself, on the tiles of a core: plain, or on blocks.
#include "TileNest.hpp"

#include <algorithm>

namespace airlite::tiling {

namespace {

Value shifted(NestState& tiler, Value index, unsigned loop, const Position& at) {
  std::vector<std::pair<int64_t, Value>> terms{{1, index}};
  for (const Counter& counter : at[loop])
    terms.push_back({counter.elements, counter.value});
  return sum(tiler, terms, 0).value;
}

/// linalg.index counts from the beginning of the tile: what uses it gets `place(loop, index)`.
void shiftIndices(NestState& tiler, Operation& tile, FunctionRef<Value(unsigned, Value)> place) {
  std::vector<Operation*> indices;
  tile.walk([&](Operation& inner) {
    if (inner.is("linalg.index")) indices.push_back(&inner);
  });
  for (Operation* index : indices) {
    InsertPoint saved = tiler.rewriter.insertPoint();
    tiler.rewriter.setAfter(*index);
    std::vector<OpOperand*> uses;
    for (OpOperand& use : index->result().uses())
      uses.push_back(&use);
    Value value =
        place(static_cast<unsigned>(index->attrOf<IntegerAttr>("dim").value()), index->result());
    for (OpOperand* use : uses)
      use->set(value);
    tiler.rewriter.setInsertPoint(saved);
  }
}

/// With the body of `op`.
void fillBody(NestState& tiler, StructuredOp op, StructuredOp tile) {
  IRMapping mapping;
  for (unsigned i = 0; i < op->numOperands(); ++i)
    if (Value argument = op.bodyArgument(i)) mapping.map(argument, tile.bodyArgument(i));
  InsertPoint saved = tiler.rewriter.insertPoint();
  tiler.rewriter.setToEnd(tile.body());
  for (Operation& inner : op.body().ops())
    tiler.rewriter.clone(inner, mapping);
  tiler.rewriter.setInsertPoint(saved);
}

/// index of the block * size of a block + index within.
Value inBlocks(NestState& tiler, Value index, unsigned loop, unsigned innerLoop) {
  Value within = tiler.rewriter
                     .create(location(tiler), "linalg.index", {}, {tiler.rewriter.indexType()},
                             {tiler.rewriter.named("dim", tiler.rewriter.i64Attr(innerLoop))})
                     ->result();
  return sum(tiler, {{tiler.plan.blocks[loop], index}, {1, within}}, 0).value;
}

// -- The epilogue

/// The loop within the blocks of each parallel loop, counted from `first` on (not 0); 0: it has none.
std::vector<unsigned> innerLoopsAfter(const NestState& tiler, unsigned first) {
  std::vector<unsigned> inner(tiler.plan.numLoops(), 0);
  for (unsigned loop = 0; loop < tiler.plan.numLoops(); ++loop)
    if (tiler.plan.isParallel(loop) && tiler.plan.blocks[loop] > 1) inner[loop] = first++;
  return inner;
}

/// Whether the map has some of the loops within blocks, but not all.
bool isInPartOfBlocks(AffineMap map, const std::vector<unsigned>& inner) {
  size_t used = 0, all = 0;
  for (unsigned loop : inner) {
    if (loop == 0) continue;
    ++all;
    used +=
        std::ranges::any_of(map.results(), [&](AffineExpr result) { return result.usesDim(loop); });
  }
  return used != 0 && used < all;
}

/// A copy of a row or column of numbers with whole blocks of them, so that vectors go through it as through the sums.
Value inWholeBlocks(NestState& tiler, Value row, const std::vector<unsigned>& inner,
                    AffineMap& map) {
  std::vector<AffineExpr> whole;
  std::vector<int64_t> shape;
  const auto own = row.type().cast<MemRefType>().shape();
  for (unsigned dim = 0; dim < map.numResults(); ++dim) {
    const unsigned loop = map.result(dim).position();
    if (loop != 0 && std::ranges::count(inner, loop) != 0) continue;
    whole.push_back(map.result(dim));
    shape.push_back(own[dim]);
  }
  for (unsigned loop = 0; loop < tiler.plan.numLoops(); ++loop)
    if (inner[loop]) {
      whole.push_back(AffineExpr::dim(context(tiler), inner[loop]));
      shape.push_back(tiler.plan.blocks[loop]);
    }
  // The loops of the copy are the dimensions of what it makes.
  std::vector<AffineExpr> from;
  for (AffineExpr result : map.results()) {
    const auto dim = static_cast<unsigned>(std::ranges::find(whole, result) - whole.begin());
    from.push_back(AffineExpr::dim(context(tiler), dim));
  }
  const auto rank = static_cast<unsigned>(shape.size());
  const AffineMap maps[] = {AffineMap::get(context(tiler), rank, 0, from),
                            AffineMap::identity(context(tiler), rank)};
  const Value copy = alloc(tiler, shape, row, 2);
  const std::vector<IteratorKind> kinds(rank, IteratorKind::Parallel);
  StructuredOp op = linalg::createGeneric(tiler.rewriter, location(tiler), std::span(&row, 1),
                                          std::span(&copy, 1), maps, kinds);
  InsertPoint saved = tiler.rewriter.insertPoint();
  tiler.rewriter.setToEnd(op.body());
  tiler.rewriter.create(location(tiler), "linalg.yield", {op.bodyArgument(0)}, {});
  tiler.rewriter.setInsertPoint(saved);
  map = AffineMap::get(context(tiler), map.numDims(), 0, whole);
  return copy;
}

}  // namespace

void computePlain(NestState& tiler, const std::vector<Value>& buffers, const Position& at) {
  IRMapping mapping;
  for (unsigned i = 0; i < tiler.op->numOperands(); ++i)
    mapping.map(tiler.op->operand(i), buffers[i]);
  Operation* tile = tiler.rewriter.clone(*tiler.op.op(), mapping);
  // One value may stand at several operands.
  for (unsigned i = 0; i < tiler.op->numOperands(); ++i)
    tile->setOperand(i, buffers[i]);
  linalg::setUnitSums(*tile, tiler.plan.sums);
  shiftIndices(tiler, *tile,
               [&](unsigned loop, Value index) { return shifted(tiler, index, loop, at); });
}

void computeOnBlocks(NestState& tiler, const std::vector<Value>& buffers, const Position& at) {
  std::vector<unsigned> inner = innerLoops(tiler);
  std::vector<IteratorKind> kinds = tiler.plan.kinds;
  for (unsigned loop = 0; loop < tiler.plan.numLoops(); ++loop)
    if (inner[loop]) kinds.push_back(tiler.plan.kinds[loop]);
  std::vector<AffineMap> maps = tiler.op.indexingMaps();
  for (unsigned i = 0; i < maps.size(); ++i)
    maps[i] = blockedMap(tiler, i, maps[i], static_cast<unsigned>(kinds.size()), inner);
  const auto all = std::span(buffers).first(tiler.op->numOperands());
  StructuredOp tile =
      linalg::createGeneric(tiler.rewriter, location(tiler), all.first(tiler.op.numInputs()),
                            all.subspan(tiler.op.numInputs()), maps, kinds);
  fillBody(tiler, tiler.op, tile);
  linalg::setUnitSums(*tile.op(), tiler.plan.sums);
  shiftIndices(tiler, *tile, [&](unsigned loop, Value index) {
    return shifted(tiler, inner[loop] ? inBlocks(tiler, index, loop, inner[loop]) : index, loop,
                   at);
  });
}

void computeEpilogue(NestState& tiler, const std::vector<Value>& buffers) {
  const StructuredOp op = tiler.epilogue.op;
  const auto numParallel =
      static_cast<unsigned>(std::ranges::count(tiler.plan.kinds, IteratorKind::Parallel));
  const std::vector<unsigned> inner = innerLoopsAfter(tiler, numParallel);
  const unsigned numLoops = std::max(numParallel, *std::ranges::max_element(inner) + 1);
  std::vector<AffineMap> maps = op.indexingMaps();
  std::vector<Value> operands, made;
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    const std::optional<size_t> operand = tiler.plan.ofEpilogue[i];
    operands.push_back(operand ? buffers[*operand] : op->operand(i));
    if (!operand) {
      maps[i] = AffineMap::get(context(tiler), numLoops, 0, {});
      continue;
    }
    maps[i] = blockedMap(tiler, static_cast<unsigned>(*operand), maps[i], numLoops, inner);
    if (!isInPartOfBlocks(maps[i], inner)) continue;
    operands.back() = inWholeBlocks(tiler, operands.back(), inner, maps[i]);
    made.push_back(operands.back());
  }
  const std::vector<IteratorKind> kinds(numLoops, IteratorKind::Parallel);
  std::span<const Value> all(operands);
  fillBody(tiler, op,
           linalg::createGeneric(tiler.rewriter, location(tiler), all.first(op.numInputs()),
                                 all.subspan(op.numInputs()), maps, kinds));
  for (Value buffer : made)
    free(tiler, buffer);
}

}  // namespace airlite::tiling
