// Buffers of a core in blocks, as the matrix unit takes them.
#include "TileNest.hpp"

namespace airlite::tiling {

namespace {

/// The loop whose blocks cut dimension `dim` of an operand.
std::optional<unsigned> blockedLoop(const NestState& tiler, const TiledOperand& operand,
                                    size_t dim) {
  for (unsigned loop = 0; loop < tiler.plan.numLoops(); ++loop)
    if (tiler.plan.blocks[loop] > 1 && operand.index[dim].isLoop(loop)) return loop;
  return std::nullopt;
}

void repack(NestState& tiler, std::string_view name, Value from, Value to, const Layout& layout) {
  OperationState state(context(tiler), location(tiler), name);
  state.operands = {from, to};
  if (name == "linalg.pack") {
    int32_t segments[] = {1, 1, 0, 0};
    state.setOperandSegments(context(tiler), segments);
  }
  auto add = [&](std::string_view key, const std::vector<int64_t>& list) {
    state.addAttribute(context(tiler), key, DenseArrayAttr::getI64(context(tiler), list));
  };
  add("outer_dims_perm", layout.outerOrder);
  add("inner_dims_pos", layout.innerDims);
  add("static_inner_tiles", layout.innerTiles);
  tiler.rewriter.insert(Operation::create(context(tiler), state));
}

}  // namespace

Layout layout(const NestState& tiler, const TiledOperand& operand) {
  Layout result;
  std::vector<int64_t> extents = operand.extents(tiler.plan.core), cut;
  for (size_t dim = 0; dim < extents.size(); ++dim) {
    std::optional<unsigned> loop = blockedLoop(tiler, operand, dim);
    if (!loop) {
      result.outerOrder.push_back(static_cast<int64_t>(dim));
      continue;
    }
    cut.insert(cut.begin(), static_cast<int64_t>(dim));
    result.innerDims.push_back(static_cast<int64_t>(dim));
    result.innerTiles.push_back(tiler.plan.blocks[*loop]);
    extents[dim] /= tiler.plan.blocks[*loop];
  }
  result.outerOrder.insert(result.outerOrder.end(), cut.begin(), cut.end());
  for (int64_t dim : result.outerOrder)
    result.shape.push_back(extents[static_cast<size_t>(dim)]);
  result.shape.insert(result.shape.end(), result.innerTiles.begin(), result.innerTiles.end());
  return result;
}

Value pieceOf(NestState& tiler, const TiledOperand& operand, Value buffer, Value at) {
  const unsigned loop = tiler.plan.pieceLoop;
  if (!operand.uses(loop)) return buffer;
  const Layout packed = layout(tiler, operand);
  std::vector<MixedIndex> offsets(packed.shape.size(), MixedIndex(0)),
      ones(packed.shape.size(), MixedIndex(1)), sizes;
  for (int64_t size : packed.shape)
    sizes.push_back(size);
  for (size_t i = 0; i < packed.outerOrder.size(); ++i) {
    const auto dim = static_cast<size_t>(packed.outerOrder[i]);
    if (!operand.index[dim].uses(loop)) continue;
    const int64_t block = blockedLoop(tiler, operand, dim) ? tiler.plan.blocks[loop] : 1;
    offsets[i] = quotient(tiler, at, block);
  }
  return memref::SubViewOp::create(tiler.rewriter, location(tiler), buffer, offsets, sizes, ones)
      .result();
}

void moveIn(NestState& tiler, size_t operand, Value from, Value to) {
  Layout packed = layout(tiler, tiler.plan.operands[operand]);
  if (packed.isPacked())
    repack(tiler, "linalg.pack", from, to, packed);
  else
    copy(tiler, from, to);
}

void moveOut(NestState& tiler, size_t operand, Value from, Value to) {
  Layout packed = layout(tiler, tiler.plan.operands[operand]);
  if (packed.isPacked())
    repack(tiler, "linalg.unpack", from, to, packed);
  else
    copy(tiler, from, to);
}

std::vector<unsigned> innerLoops(const NestState& tiler) {
  std::vector<unsigned> inner(tiler.plan.numLoops(), 0);
  unsigned next = tiler.plan.numLoops();
  for (unsigned loop = 0; loop < tiler.plan.numLoops(); ++loop)
    if (tiler.plan.blocks[loop] > 1) inner[loop] = next++;
  return inner;
}

AffineMap blockedMap(const NestState& tiler, unsigned operand, AffineMap map, unsigned numLoops,
                     const std::vector<unsigned>& inner) {
  const TiledOperand& plan = tiler.plan.operands[operand];
  std::vector<AffineExpr> results;
  if (plan.isMemRef) {
    Layout packed = layout(tiler, plan);
    for (int64_t dim : packed.outerOrder)
      results.push_back(map.result(static_cast<unsigned>(dim)));
    for (int64_t dim : packed.innerDims)
      results.push_back(AffineExpr::dim(
          context(tiler), inner[*blockedLoop(tiler, plan, static_cast<size_t>(dim))]));
  }
  return AffineMap::get(context(tiler), numLoops, 0, results);
}

}  // namespace airlite::tiling
