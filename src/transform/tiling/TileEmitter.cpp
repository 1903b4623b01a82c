// Writes the nest of a tile plan (see TileEmitter.hpp): launch, L2 buffers, herd, steps of a core.
#include "TileEmitter.hpp"

#include "TileNest.hpp"
#include "TileStaging.hpp"
#include "airlite/dialect/Air.hpp"

#include <algorithm>
#include <map>

namespace airlite {

namespace tiling {

namespace {

std::vector<Value> values(const NestState& tiler) {
  std::vector<Value> values;
  for (const TiledOperand& operand : tiler.plan.operands)
    values.push_back(operand.value);
  return values;
}

/// Loops along which `operand` can come in pieces: it has them as an index of their own.
std::vector<unsigned> pieces(const NestState& tiler, const TiledOperand& operand) {
  std::vector<unsigned> loops;
  for (unsigned loop : reductions(tiler, tiler.plan.copyOf(operand))) {
    auto usesOnly = [&](const LoopIndex& index) { return !index.uses(loop) || index.isLoop(loop); };
    if (operand.uses(loop) && std::all_of(operand.index.begin(), operand.index.end(), usesOnly))
      loops.push_back(loop);
  }
  return loops;
}

/// A fill inside of the cores makes the old elements of an output unnecessary.
bool isCopiedIn(const NestState& tiler, size_t operand) {
  return tiler.plan.operands[operand].isRead &&
         !(tiler.plan.operands[operand].isWritten && !tiler.plan.operands[operand].isLate &&
           tiler.fill);
}

/// Where there is less of a loop than L2 has room for, an operand has only so much; rows of a staged one are filled up.
std::vector<int64_t> tileInMemory(const NestState& tiler, const TiledOperand& operand,
                                  std::vector<int64_t> tile) {
  for (unsigned loop = 0; loop < tiler.plan.numLoops(); ++loop)
    if (!operand.isStaged || !operand.index.back().uses(loop))
      tile[loop] = std::min(tile[loop], tiler.plan.sizes[loop]);
  return tile;
}

/// Operands that come in the same pieces share one nest.
void fillL2(NestState& tiler, const Position& at, const std::vector<size_t>& operands,
            const std::vector<Value>& buffers) {
  std::map<std::pair<std::vector<unsigned>, std::vector<int64_t>>, std::vector<size_t>> groups;
  for (size_t i : operands)
    if (const TiledOperand& operand = tiler.plan.operands[i];
        buffers[i] && operand.isMemRef && isCopiedIn(tiler, i))
      groups[{pieces(tiler, operand), tiler.plan.copyOf(operand)}].push_back(i);
  for (const auto& [key, members] : groups) {
    const auto& [loops, copies] = key;
    std::vector<int64_t> tile = tiler.plan.launch;
    for (unsigned loop : loops)
      tile[loop] = tiler.plan.brought(loop, copies[loop]);
    sequential(
        tiler, loops, tiler.plan.launch, copies, Position(tiler.plan.numLoops()),
        [&](const Position& local) {
          for (size_t i : members) {
            const TiledOperand& operand = tiler.plan.operands[i];
            const std::vector<int64_t> own = tileInMemory(tiler, operand, tile);
            Value from = part(tiler, operand.value, operand, joined(at, local), own);
            copy(tiler, from, part(tiler, buffers[i], operand, local, own));
          }
        },
        Counts::Copies);
  }
}

void fillBuffer(NestState& tiler, Value buffer) {
  Value input[] = {StructuredOp(tiler.fill).inputs()[0]}, output[] = {buffer};
  linalg::createNamedOp(tiler.rewriter, tiler.fill->location(), "linalg.fill", input, output);
}

Value outputBuffer(NestState& tiler, size_t operand, Value source, const Position& at) {
  const TiledOperand& plan = tiler.plan.operands[operand];
  Value buffer = alloc(tiler, layout(tiler, plan).shape, plan.value, 2);
  if (tiler.fill)
    fillBuffer(tiler, buffer);
  else if (plan.isRead)
    moveIn(tiler, operand, part(tiler, source, plan, at, tiler.plan.core), buffer);
  return buffer;
}

void computeStep(NestState& tiler, const Position& at, const std::vector<Value>& sources,
                 std::vector<Value> buffers, const Position& above) {
  std::vector<Value> made;
  for (size_t i = 0; i < sources.size(); ++i) {
    const TiledOperand& plan = tiler.plan.operands[i];
    if (!plan.isMemRef) buffers[i] = plan.value;
    if (buffers[i] || plan.isLate) continue;
    buffers[i] = alloc(tiler, layout(tiler, plan).shape, plan.value, 2);
    moveIn(tiler, i, part(tiler, sources[i], plan, at, tiler.plan.core), buffers[i]);
    made.push_back(buffers[i]);
  }
  Position place = joined(above, at);
  if (tiler.plan.isPacked())
    computeOnBlocks(tiler, buffers, place);
  else
    computePlain(tiler, buffers, place);
  for (Value buffer : made)
    free(tiler, buffer);
}

/// A matrix of the epilogue: with a tile of the product it may come or go in pieces. Rows and columns come whole.
bool isInPieces(const NestState& tiler, const TiledOperand& operand) {
  if (!operand.isLate || !operand.isMemRef || tiler.plan.pieces == 1) return false;
  return std::ranges::all_of(tiler.plan.herdLoops,
                             [&](unsigned loop) { return operand.uses(loop); });
}

void bringLate(NestState& tiler, size_t i, const Position& at, Value source, Value& buffer) {
  const TiledOperand& operand = tiler.plan.operands[i];
  buffer = alloc(tiler, layout(tiler, operand).shape, operand.value, 2);
  if (operand.isRead) moveIn(tiler, i, part(tiler, source, operand, at, tiler.plan.core), buffer);
}

/// One piece of the epilogue; `buffers` hold the tile of what does not come in pieces.
void epilogueOnPiece(NestState& whole, NestState& tiler, const Position& at,
                     const std::vector<Value>& sources, std::vector<Value> buffers) {
  const auto& operands = tiler.plan.operands;
  const Value offset = at[tiler.plan.pieceLoop].back().value;
  for (size_t i = 0; i < sources.size(); ++i) {
    if (isInPieces(whole, operands[i]))
      bringLate(tiler, i, at, sources[i], buffers[i]);
    else if (buffers[i] && operands[i].isMemRef)
      buffers[i] = pieceOf(tiler, operands[i], buffers[i], offset);
  }
  computeEpilogue(tiler, buffers);
  for (size_t i = 0; i < sources.size(); ++i) {
    if (!isInPieces(whole, operands[i])) continue;
    if (operands[i].isWritten)
      moveOut(tiler, i, buffers[i], part(tiler, sources[i], operands[i], at, tiler.plan.core));
    free(tiler, buffers[i]);
  }
}

/// Makes what goes out of the sums in `buffers`; what it needs besides comes in now. In pieces, the next one is
/// made while the last one leaves.
void epilogueOnTile(NestState& tiler, const Position& core, const std::vector<Value>& sources,
                    std::vector<Value>& buffers) {
  for (size_t i = 0; i < sources.size(); ++i)
    if (const TiledOperand& operand = tiler.plan.operands[i];
        operand.isLate && !isInPieces(tiler, operand))
      bringLate(tiler, i, core, sources[i], buffers[i]);
  if (tiler.plan.pieces == 1) return computeEpilogue(tiler, buffers);
  TilePlan plan = tiler.plan;
  plan.core[plan.pieceLoop] /= plan.pieces;
  NestState piece{tiler.op, plan, tiler.fill, tiler.epilogue, tiler.useL2, tiler.rewriter};
  sequential(piece, std::span(&plan.pieceLoop, 1), tiler.plan.core, plan.core, core,
             [&](const Position& at) { epilogueOnPiece(tiler, piece, at, sources, buffers); });
}

/// `sources` are L2 buffers or the operands; `at` is the place of the instance in these, `above`
/// what is missing of it for the op.
void herdLoop(NestState& tiler, const Position& at, const std::vector<Value>& sources,
              const Position& above) {
  const auto& operands = tiler.plan.operands;
  parallel(tiler, tiler.plan.herdLoops, tiler.plan.launch, tiler.plan.core, at,
           [&](const Position& core) {
             std::vector<Value> buffers(sources.size());
             for (size_t i = 0; i < sources.size(); ++i)
               if (operands[i].isWritten && !operands[i].isLate)
                 buffers[i] = outputBuffer(tiler, i, sources[i], core);
             sequential(tiler, reductions(tiler, tiler.plan.core), tiler.plan.launch,
                        tiler.plan.core, core, [&](const Position& step) {
                          computeStep(tiler, step, sources, buffers, above);
                        });
             if (tiler.epilogue.op) epilogueOnTile(tiler, core, sources, buffers);
             for (size_t i = 0; i < sources.size(); ++i) {
               if (isInPieces(tiler, operands[i])) continue;
               if (operands[i].isWritten && !operands[i].isInner)
                 moveOut(tiler, i, buffers[i],
                         part(tiler, sources[i], operands[i], core, tiler.plan.core));
               if (operands[i].isWritten || operands[i].isLate) free(tiler, buffers[i]);
             }
           });
}

/// From one launch instance to the next.
std::vector<int64_t> instanceSteps(const NestState& tiler) {
  std::vector<int64_t> steps = tiler.plan.steps;
  for (unsigned loop = 0; loop < tiler.plan.numLoops(); ++loop)
    steps[loop] *= tiler.plan.rounds[loop];
  return steps;
}

/// Where the loops over launch instances end.
std::vector<int64_t> instanceEnds(const NestState& tiler) {
  std::vector<int64_t> ends = tiler.plan.steps;
  for (unsigned loop = 0; loop < tiler.plan.numLoops(); ++loop)
    ends[loop] *= tiler.plan.count(loop);
  return ends;
}

/// Puts the L2 buffers of `operands` into `buffers`, and what is read into them.
void createL2(NestState& tiler, const Position& at, const std::vector<size_t>& operands,
              std::vector<Value>& buffers) {
  for (size_t i : operands) {
    const TiledOperand& operand = tiler.plan.operands[i];
    if (operand.isInner) continue;
    buffers[i] = operand.isMemRef
                     ? alloc(tiler, operand.extents(tiler.plan.launch), operand.value, 1)
                     : operand.value;
    for (unsigned loop = 0; loop < tiler.plan.numLoops(); ++loop)
      if (operand.isMemRef && isCopiedIn(tiler, i) && operand.uses(loop) &&
          tiler.plan.isFilledUp(loop) && !(operand.isStaged && operand.index.back().uses(loop)))
        buffers[i].definingOp()->setAttr(air::kZeroMemory, UnitAttr::get(context(tiler)));
  }
  fillL2(tiler, at, operands, buffers);
}

void freeL2(NestState& tiler, const std::vector<size_t>& operands,
            const std::vector<Value>& buffers) {
  for (size_t i : operands)
    if (buffers[i]) free(tiler, buffers[i]);
}

/// Loops along which the launch instance has several rounds.
std::vector<unsigned> roundLoops(const NestState& tiler) {
  std::vector<unsigned> loops;
  for (unsigned loop = 0; loop < tiler.plan.numLoops(); ++loop)
    if (tiler.plan.rounds[loop] > 1) loops.push_back(loop);
  return loops;
}

/// `at` is the place of the launch instance. What is the same in all of its rounds stays in L2.
void throughL2(NestState& tiler, const Position& at) {
  const std::vector<unsigned> loops = roundLoops(tiler);
  std::vector<size_t> kept, changing;
  for (size_t i = 0; i < tiler.plan.operands.size(); ++i) {
    const bool changes = std::ranges::any_of(
        loops, [&](unsigned loop) { return tiler.plan.operands[i].uses(loop); });
    (changes || loops.empty() ? changing : kept).push_back(i);
  }
  std::vector<Value> buffers(tiler.plan.operands.size());
  createL2(tiler, at, kept, buffers);
  for (size_t i : kept)
    if (tiler.plan.operands[i].isMemRef && buffers[i])
      buffers[i].definingOp()->setAttr(air::kKept, UnitAttr::get(context(tiler)));
  sequential(
      tiler, loops, instanceSteps(tiler), tiler.plan.steps, at,
      [&](const Position& here) {
        createL2(tiler, here, changing, buffers);
        herdLoop(tiler, Position(tiler.plan.numLoops()), buffers, here);
        for (size_t i : changing)
          if (const TiledOperand& operand = tiler.plan.operands[i];
              operand.isWritten && !operand.isInner) {
            const std::vector<int64_t> own = tileInMemory(tiler, operand, tiler.plan.launch);
            copy(tiler, part(tiler, buffers[i], operand, Position(tiler.plan.numLoops()), own),
                 part(tiler, operand.value, operand, here, own));
          }
        freeL2(tiler, changing, buffers);
      },
      Counts::Instances);
  freeL2(tiler, kept, buffers);
}

/// Operands that share memory are the same tiles of it (TileOperands.cpp, checkAliases).
bool readsWhatItWrites(const NestState& tiler) {
  const auto& operands = tiler.plan.operands;
  for (const TiledOperand& output : operands)
    for (size_t i = 0; i < operands.size(); ++i)
      if (output.isWritten && operands[i].value == output.value && isCopiedIn(tiler, i))
        return true;
  return false;
}

void launchLoop(NestState& tiler, Position at) {
  std::vector<unsigned> loops;
  for (unsigned loop = 0; loop < tiler.plan.numLoops(); ++loop)
    if (tiler.plan.isParallel(loop)) loops.push_back(loop);
  Operation* launch = parallel(
      tiler, loops, instanceEnds(tiler), instanceSteps(tiler), at,
      [&](const Position& here) {
        if (tiler.useL2)
          throughL2(tiler, here);
        else
          herdLoop(tiler, here, values(tiler), Position(tiler.plan.numLoops()));
      },
      Counts::Instances);
  if (tiler.plan.overlaps())
    launch->setAttr(air::kSameValues, UnitAttr::get(context(tiler)));
  else if (readsWhatItWrites(tiler))
    launch->setAttr(air::kReadsFirst, UnitAttr::get(context(tiler)));
}

}  // namespace

}  // namespace tiling

void emitTiles(linalg::StructuredOp op, const TilePlan& plan, Operation* fill,
               const Epilogue& epilogue, bool useL2, Rewriter& rewriter) {
  TilePlan staged = plan;
  rewriter.setBefore(*op.op());
  tiling::stageOperands(op, staged, rewriter);
  tiling::NestState tiler{op, staged, fill, epilogue, useL2, rewriter};
  tiling::Position origin(tiler.plan.numLoops());
  tiling::launchLoop(tiler, origin);
  tiling::unstageResults(op, staged, plan, rewriter);
  tiler.rewriter.eraseOp(*tiler.op);
  if (tiler.fill) tiler.rewriter.eraseOp(*tiler.fill);
}

}  // namespace airlite
