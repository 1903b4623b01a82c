// The op itself, on the tiles of a core: plain, or on blocks.
#include "TileNest.hpp"

namespace airlite::tiling {

namespace {

Value shifted(NestState& tiler, Value index, unsigned loop, const Position& at) {
  std::vector<std::pair<int64_t, Value>> terms{{1, index}};
  for (Value value : at[loop])
    terms.push_back({1, value});
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

void fillBody(NestState& tiler, StructuredOp tile) {
  IRMapping mapping;
  for (unsigned i = 0; i < tiler.op->numOperands(); ++i)
    if (Value argument = tiler.op.bodyArgument(i)) mapping.map(argument, tile.bodyArgument(i));
  InsertPoint saved = tiler.rewriter.insertPoint();
  tiler.rewriter.setToEnd(tile.body());
  for (Operation& inner : tiler.op.body().ops())
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
  std::span<const Value> all(buffers);
  StructuredOp tile =
      linalg::createGeneric(tiler.rewriter, location(tiler), all.first(tiler.op.numInputs()),
                            all.subspan(tiler.op.numInputs()), maps, kinds);
  fillBody(tiler, tile);
  linalg::setUnitSums(*tile.op(), tiler.plan.sums);
  shiftIndices(tiler, *tile, [&](unsigned loop, Value index) {
    return shifted(tiler, inner[loop] ? inBlocks(tiler, index, loop, inner[loop]) : index, loop,
                   at);
  });
}

}  // namespace airlite::tiling
