// Reads the loops and operands of an op that is to be tiled.
#include "TileChoice.hpp"
#include "airlite/dialect/Air.hpp"

#include <algorithm>

namespace airlite::tiling {

namespace {

/// DMA channels of a core that send.
constexpr auto kMostResults = aie::limitsOf(aie::Generation::Aie2, aie::TileKind::Core).channels;

bool fail(PlanState& planning, std::string why) {
  planning.obstacle = std::move(why);
  return false;
}

bool readIndex(PlanState& planning, AffineMap map, unsigned numLoops, TiledOperand& operand) {
  if (air::memoryLevel(operand.value.type()) != air::MemoryLevel::L3)
    return fail(planning, "an operand is not in L3 memory");
  if (!operand.value.type().cast<MemRefType>().hasStaticShape())
    return fail(planning, "the shape of an operand is not known");
  for (AffineExpr expr : map.results()) {
    std::optional<LoopIndex> index = analysis::readLoopIndex(expr, numLoops);
    auto goesUp = [](int64_t factor) { return factor >= 0; };
    if (!index || !std::ranges::all_of(index->factors, goesUp))
      return fail(planning, "an index of an operand is not a sum of multiples of loops");
    // The op on tiles keeps its maps: they count from where the tile begins.
    if (index->constant != 0)
      return fail(planning,
                  "an index of an operand has a constant part; a subview of the operand has none");
    operand.index.push_back(*std::move(index));
  }
  return true;
}

/// The map of an input that is read backwards along loops, as if it were read forwards: which elements a tile needs is the same
/// where it has all of these loops, and the op on tiles keeps its own map.
AffineMap readBackwards(const PlanState& planning, AffineMap map, TiledOperand& operand) {
  if (!operand.isMemRef || operand.isWritten) return map;
  std::vector<AffineExpr> results(map.results().begin(), map.results().end());
  for (AffineExpr& expr : results)
    if (const auto loop = analysis::readBackwardsLoop(expr, planning.plan.sizes)) {
      operand.backwards.push_back(*loop);
      expr = AffineExpr::dim(planning.op->context(), *loop);
    }
  return operand.backwards.empty()
             ? map
             : AffineMap::get(planning.op->context(), map.numDims(), map.numSymbols(), results);
}

/// Whether a part of a buffer, from its beginning on, is whole words for a DMA: its runs, and the steps from one to the next.
bool isInWords(MemRefType type, const std::vector<int64_t>& part) {
  constexpr int64_t kWordBits = 32;
  int64_t run = type.elementType().bitWidth(), stride = run;
  bool isOneRun = true, fits = true;
  for (unsigned dim = type.rank(); dim-- > 0; stride *= type.dim(dim)) {
    if (isOneRun)
      run *= part[dim];
    else
      fits &= part[dim] == 1 || stride % kWordBits == 0;
    isOneRun &= part[dim] == type.dim(dim);
  }
  return fits && run % kWordBits == 0;
}

/// Windows may end inside of a word where the rows that they are in do not, as 31 of 32 pixels with three bytes each: then they go
/// on to the end, along as few dimensions as that takes.
void takeWords(const std::vector<int64_t>& sizes, TiledOperand& operand) {
  const MemRefType type = operand.value.type().cast<MemRefType>();
  std::vector<int64_t> part = operand.extents(sizes), toEnd(part.size(), 0);
  for (unsigned dim = type.rank(); dim-- > 0 && !isInWords(type, part);)
    if (part[dim] < type.dim(dim)) {
      toEnd[dim] = part[dim];
      part[dim] = type.dim(dim);
    }
  if (isInWords(type, part)) operand.toEnd = toEnd;
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

bool mayShare(PlanState& planning, const TiledOperand& output, const TiledOperand& other) {
  if (!other.isMemRef) return false;
  analysis::BufferAccess left{planning.reader.bufferOf(output.value)},
      right{planning.reader.bufferOf(other.value)};
  if (!planning.reader.mayOverlap(left, right)) return false;
  const bool isInPlace = output.value == other.value && output.index == other.index &&
                         other.backwards.empty() && !other.isWritten && !hasReduction(planning);
  return !isInPlace;
}

/// An operand of the epilogue with its index by the loops of the product.
bool readLate(PlanState& planning, unsigned operand, AffineMap map,
              const std::vector<unsigned>& loops) {
  const linalg::StructuredOp op = planning.epilogue.op;
  const bool isOutput = operand >= op.numInputs(),
             isRead = !isOutput || op.readsOutput(operand - op.numInputs());
  TiledOperand late{op->operand(operand), true, isRead, isOutput};
  late.isLate = true;
  TiledOperand own = late;
  if (!readIndex(planning, map, static_cast<unsigned>(loops.size()), own)) return false;
  for (const LoopIndex& index : own.index) {
    LoopIndex& entry = late.index.emplace_back();
    entry.constant = index.constant;
    entry.factors.assign(planning.plan.numLoops(), 0);
    for (size_t loop = 0; loop < loops.size(); ++loop)
      entry.factors[loops[loop]] = index.factors[loop];
  }
  std::vector<TiledOperand>& operands = planning.plan.operands;
  auto known = std::ranges::find_if(operands, [&](const TiledOperand& other) {
    return other.isWritten && other.value == late.value && other.index == late.index;
  });
  planning.plan.ofEpilogue.push_back(static_cast<size_t>(known - operands.begin()));
  if (known == operands.end()) operands.push_back(std::move(late));
  return true;
}

bool readEpilogue(PlanState& planning) {
  const linalg::StructuredOp op = planning.epilogue.op;
  planning.plan.operands.back().isInner = planning.epilogue.sumsStay;
  std::vector<unsigned> loops;
  for (unsigned loop = 0; loop < planning.plan.numLoops(); ++loop)
    if (planning.plan.isParallel(loop)) loops.push_back(loop);
  const std::vector<AffineMap> maps = op.indexingMaps();
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    const bool isMemRef = op->operand(i).type().isa<MemRefType>();
    if (!isMemRef) planning.plan.ofEpilogue.emplace_back();
    if (isMemRef && !readLate(planning, i, maps[i], loops)) return false;
  }
  const auto results = std::ranges::count_if(
      planning.plan.operands,
      [](const TiledOperand& operand) { return operand.isWritten && !operand.isInner; });
  if (results > kMostResults) return fail(planning, "a core sends two results at most");
  return true;
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
    const AffineMap map =
        hasReduction(planning) ? maps[i] : readBackwards(planning, maps[i], operand);
    if (operand.isMemRef && !readIndex(planning, map, planning.plan.numLoops(), operand))
      return false;
    if (operand.isMemRef && !isOutput) takeWords(planning.plan.sizes, operand);
    if (isOutput && !isByLoops(operand))
      return fail(planning, "an output is not indexed by loops alone");
    planning.plan.operands.push_back(std::move(operand));
  }
  return !planning.epilogue.op || readEpilogue(planning);
}

bool checkAliases(PlanState& planning) {
  const std::vector<TiledOperand>& operands = planning.plan.operands;
  auto touchesParallel = [&](const TiledOperand& output, unsigned loop) {
    return planning.plan.kinds[loop] != IteratorKind::Parallel || output.uses(loop) ||
           planning.plan.sizes[loop] == 1;
  };
  for (const TiledOperand& output : operands) {
    if (!output.isWritten) continue;
    for (unsigned loop = 0; loop < planning.plan.numLoops(); ++loop)
      if (!touchesParallel(output, loop))
        return fail(planning, "iterations of a parallel loop write one element");
    for (const TiledOperand& other : operands)
      if (&other != &output && mayShare(planning, output, other))
        return fail(planning, "an output may share its memory with another operand");
  }
  return true;
}

}  // namespace airlite::tiling
