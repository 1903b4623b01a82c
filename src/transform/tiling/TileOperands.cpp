// Reads the loops and operands of an op that is to be tiled.
#include "TileChoice.hpp"
#include "airlite/dialect/Air.hpp"

#include <algorithm>

namespace airlite::tiling {

namespace {

bool fail(PlanState& planning, std::string why) {
  planning.obstacle = std::move(why);
  return false;
}

bool readIndex(PlanState& planning, AffineMap map, TiledOperand& operand) {
  if (air::memoryLevel(operand.value.type()) != air::MemoryLevel::L3)
    return fail(planning, "an operand is not in L3 memory");
  if (!operand.value.type().cast<MemRefType>().hasStaticShape())
    return fail(planning, "the shape of an operand is not known");
  for (AffineExpr expr : map.results()) {
    std::optional<LoopIndex> index = analysis::readLoopIndex(expr, planning.plan.numLoops());
    auto goesUp = [](int64_t factor) { return factor >= 0; };
    if (!index || index->constant < 0 || !std::ranges::all_of(index->factors, goesUp))
      return fail(planning, "an index of an operand is not a sum of multiples of loops");
    operand.index.push_back(*std::move(index));
  }
  return true;
}

/// Each dimension is indexed by a loop of its own, or has one element.
bool isByLoops(const TiledOperand& operand) {
  if (!operand.isMemRef) return false;
  std::vector<unsigned> seen;
  const auto shape = operand.value.type().cast<MemRefType>().shape();
  for (size_t i = 0; i < operand.index.size(); ++i) {
    const analysis::LoopIndex& index = operand.index[i];
    unsigned loop = 0;
    while (loop < index.factors.size() && !index.uses(loop))
      ++loop;
    const bool usesNone = loop == index.factors.size();
    if (usesNone && shape[i] == 1) continue;
    if (usesNone || !index.isLoop(loop) || std::ranges::count(seen, loop) != 0) return false;
    seen.push_back(loop);
  }
  return true;
}

bool hasReduction(const PlanState& planning) {
  return std::any_of(planning.plan.kinds.begin(), planning.plan.kinds.end(),
                     [](IteratorKind kind) { return kind != IteratorKind::Parallel; });
}

bool mayShare(PlanState& planning, unsigned output, unsigned other,
              const std::vector<AffineMap>& maps) {
  const TiledOperand &a = planning.plan.operands[output], &b = planning.plan.operands[other];
  if (!b.isMemRef) return false;
  analysis::BufferAccess left{planning.reader.bufferOf(a.value)},
      right{planning.reader.bufferOf(b.value)};
  if (!planning.reader.mayOverlap(left, right)) return false;
  bool isInPlace =
      a.value == b.value && maps[output] == maps[other] && !b.isWritten && !hasReduction(planning);
  return !isInPlace;
}

}  // namespace

bool readLoops(PlanState& planning) {
  if (!planning.op.onBuffers() || planning.op->numResults())
    return fail(planning, "it is not on memrefs");
  if (planning.op.loopSources().size() != planning.op.numLoops())
    return fail(planning, "the size of a loop is not the size of an operand's dimension");
  planning.plan.sizes = planning.op.loopSizes();
  planning.plan.kinds = planning.op.iterators();
  for (int64_t size : planning.plan.sizes) {
    if (size == kDynamic) return fail(planning, "the size of a loop is not known");
    if (size == 0) return fail(planning, "it computes nothing: a loop runs no time");
  }
  return true;
}

bool readOperands(PlanState& planning) {
  std::vector<AffineMap> maps = planning.op.indexingMaps();
  for (unsigned i = 0; i < planning.op->numOperands(); ++i) {
    bool isOutput = i >= planning.op.numInputs();
    TiledOperand operand{planning.op->operand(i),
                         planning.op->operand(i).type().isa<MemRefType>(),
                         true,
                         isOutput,
                         {}};
    if (isOutput) operand.isRead = planning.op.readsOutput(i - planning.op.numInputs());
    if (operand.isMemRef && !readIndex(planning, maps[i], operand)) return false;
    if (isOutput && !isByLoops(operand))
      return fail(planning, "an output is not indexed by loops alone");
    planning.plan.operands.push_back(std::move(operand));
  }
  return true;
}

bool checkAliases(PlanState& planning) {
  std::vector<AffineMap> maps = planning.op.indexingMaps();
  auto touchesParallel = [&](unsigned output, unsigned loop) {
    return planning.plan.kinds[loop] != IteratorKind::Parallel ||
           planning.plan.operands[output].uses(loop) || planning.plan.sizes[loop] == 1;
  };
  for (unsigned i = planning.op.numInputs(); i < planning.op->numOperands(); ++i) {
    for (unsigned loop = 0; loop < planning.plan.numLoops(); ++loop)
      if (!touchesParallel(i, loop))
        return fail(planning, "iterations of a parallel loop write one element");
    for (unsigned other = 0; other < planning.op->numOperands(); ++other)
      if (other != i && mayShare(planning, i, other, maps))
        return fail(planning, "an output may share its memory with another operand");
  }
  return true;
}

}  // namespace airlite::tiling
