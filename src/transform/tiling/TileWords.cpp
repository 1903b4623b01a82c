// Which tiles a DMA of 32-bit words can move.
#include "TileChoice.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace airlite::tiling {

namespace {

/// A box of `tile` in a buffer, from loops that step by tiles.
struct Move {
  const TiledOperand& operand;
  const std::vector<int64_t>& tile;
  std::vector<int64_t> strides;
  std::vector<int64_t> shape;  // of the buffer
};

/// 1 for elements of a word or more, and for those of less than a byte, which no DMA moves.
int64_t elementsPerWord(const TiledOperand& operand) {
  const int64_t bits = bitWidthOf(elementTypeOrSelf(operand.value.type()));
  return bits == std::clamp<int64_t>(bits, 8, 31) ? 32 / std::gcd<int64_t>(bits, 32) : 1;
}

/// A stride that is not known may be any number of elements.
std::vector<int64_t> stridesOf(const TiledOperand& operand) {
  auto type = operand.value.type().cast<MemRefType>();
  auto form = type.stridedForm();
  std::vector<int64_t> strides = form ? form->strides : std::vector<int64_t>(type.rank(), 1);
  std::replace(strides.begin(), strides.end(), kDynamic, int64_t{1});
  return strides;
}

/// Iterations of `loop` that move on by whole words in `operand`.
int64_t wordsOf(const TiledOperand& operand, unsigned loop) {
  if (operand.isStaged) return 1;
  const int64_t perWord = elementsPerWord(operand);
  int64_t words = 1;
  for (size_t dim = 0; perWord > 1 && dim < operand.index.size(); ++dim) {
    const int64_t step = operand.index[dim].factors[loop] * stridesOf(operand)[dim];
    words = std::lcm(words, perWord / std::gcd(perWord, step));
  }
  return words;
}

/// Into L2 an operand comes in pieces along loops that are indices of their own.
std::vector<int64_t> copyOf(const PlanState& planning, const TiledOperand& operand) {
  std::vector<int64_t> tile = planning.plan.copyOf(operand);
  for (unsigned loop = 0; loop < planning.plan.numLoops(); ++loop)
    for (const LoopIndex& index : operand.index)
      if (index.uses(loop) && !index.isLoop(loop)) tile[loop] = planning.plan.launch[loop];
  return tile;
}

std::vector<int64_t> rowMajor(const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

bool stepsInWords(const PlanState& planning, const Move& move, size_t dim, int64_t perWord) {
  for (unsigned loop = 0; loop < planning.plan.numLoops(); ++loop) {
    const int64_t step = move.operand.index[dim].factors[loop] * move.tile[loop];
    if (move.tile[loop] < planning.plan.sizes[loop] && step * move.strides[dim] % perWord)
      return false;
  }
  return true;
}

/// Steps, rows and their distances are whole words. Elements one after the other may end within a
/// word unless that would overwrite other elements after them.
bool isInWords(const PlanState& planning, const Move& move) {
  const int64_t perWord = elementsPerWord(move.operand);
  const std::vector<int64_t> part = move.operand.extents(move.tile);
  int64_t run = 1;
  bool isOneRun = true;
  for (size_t dim = part.size(); dim--;) {
    if (!stepsInWords(planning, move, dim, perWord)) return false;
    if (part[dim] == 1) continue;
    isOneRun &= move.strides[dim] == run;
    if (!isOneRun && move.strides[dim] % perWord) return false;
    if (isOneRun) run *= part[dim];
  }
  const bool mayEndWithin = isOneRun && (!move.operand.isWritten || part == move.shape);
  return mayEndWithin || run % perWord == 0;
}

/// Of those that cut the innermost dimension; the user's own tiles stay.
std::optional<unsigned> innermostLoop(const PlanState& planning, const Move& move) {
  for (size_t dim = move.shape.size(); dim--;)
    for (unsigned loop = 0; loop < planning.plan.numLoops(); ++loop)
      if (move.operand.index[dim].uses(loop) && move.tile[loop] < planning.plan.sizes[loop] &&
          !wished(planning.wishes.coreTile, loop, 0))
        return loop;
  return std::nullopt;
}

bool makesFloats(const PlanState& planning) {
  return std::ranges::any_of(planning.plan.operands, [](const TiledOperand& operand) {
    return operand.isWritten && !elementTypeOrSelf(operand.value.type()).isInteger();
  });
}

/// Steps along a reduction come before all of the loops inside of it: of floats with the bits of the program only the
/// outermost one may have steps.
void keepOrderOfSums(PlanState& planning) {
  if (planning.wishes.matrixSums || !makesFloats(planning)) return;
  bool isOutermost = true;
  for (unsigned loop = 0; loop < planning.plan.numLoops(); ++loop) {
    const int64_t size = planning.plan.sizes[loop];
    if (planning.plan.isParallel(loop) || size == 1) continue;
    if (!isOutermost) planning.words[loop] = size;
    isOutermost = false;
  }
}

}  // namespace

void findWords(PlanState& planning) {
  planning.words.assign(planning.plan.numLoops(), 1);
  for (const TiledOperand& operand : planning.plan.operands)
    for (unsigned loop = 0; loop < planning.plan.numLoops(); ++loop)
      planning.words[loop] = std::lcm(planning.words[loop], wordsOf(operand, loop));
  for (const TiledOperand& operand : planning.plan.operands)
    for (const unsigned loop : operand.backwards)
      planning.words[loop] = planning.plan.sizes[loop];
  keepOrderOfSums(planning);
}

std::optional<unsigned> loopInWords(const PlanState& planning) {
  for (const TiledOperand& operand : planning.plan.operands) {
    if (!operand.isMemRef || elementsPerWord(operand) == 1) continue;
    auto shape = operand.value.type().cast<MemRefType>().shape();
    const std::vector<int64_t> copied = copyOf(planning, operand),
                               inL2 = operand.extents(planning.plan.launch);
    const Move inHost{operand, copied, stridesOf(operand), {shape.begin(), shape.end()}};
    if (!operand.isStaged && !isInWords(planning, inHost))
      if (auto loop = innermostLoop(planning, inHost)) return loop;
    for (const Move& move : {Move{operand, copied, rowMajor(inL2), inL2},
                             Move{operand, planning.plan.core, rowMajor(inL2), inL2}})
      if (!isInWords(planning, move))
        if (auto loop = innermostLoop(planning, move)) return loop;
  }
  return std::nullopt;
}

}  // namespace airlite::tiling
