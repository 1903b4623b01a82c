// transform.air.fuse_into_containing_op: what a linalg op writes to a buffer in front of a parallel
// loop is computed inside of it, in each round the part that the round uses.
//
// Matches a producer on buffers with one output, of which the loop uses one part, by a
// memref.subview right in its body, or several that name the same part; or any part, where the loop has one round. Declines, with an error: other producers and uses, parts that
// together are less than the whole, uses of the buffer between the producer and the loop.
#include "LinalgParts.hpp"
#include "ScriptRewrites.hpp"
#include "airlite/analysis/LoopIndex.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>

namespace airlite {

namespace {

/// The op of `block` that `op` is, or is inside of; null when it is elsewhere.
Operation* ancestorIn(Operation& op, const Block* block) {
  Operation* above = &op;
  while (above && above->block() != block)
    above = above->parentOp();
  return above;
}

/// Rounds of a parallel loop; 0 when they are not known.
int64_t roundsOf(Operation& op) {
  int64_t rounds = 1;
  const auto count = [&](std::optional<int64_t> lower, std::optional<int64_t> upper,
                         std::optional<int64_t> step) {
    const bool isKnown = lower && upper && step && *step > 0;
    rounds = isKnown ? rounds * ((*upper - *lower + *step - 1) / *step) : 0;
  };
  if (auto loop = dynCast<scf::ForallOp>(&op)) {
    for (unsigned i = 0; i < loop.rank(); ++i) {
      const int64_t lower = loop.staticLowerBounds()[i], upper = loop.staticUpperBounds()[i];
      if (lower == kDynamic || upper == kDynamic || loop.staticSteps()[i] == kDynamic) return 0;
      count(lower, upper, loop.staticSteps()[i]);
    }
    return rounds;
  }
  scf::ParallelOp loop(&op);
  for (unsigned i = 0; i < loop.numLoops(); ++i)
    count(constantIntOf(loop.lowerBounds()[i]), constantIntOf(loop.upperBounds()[i]),
          constantIntOf(loop.steps()[i]));
  return rounds;
}

int64_t elementsOf(std::span<const int64_t> shape) {
  int64_t all = 1;
  for (int64_t size : shape)
    all *= size;
  return all;
}

Operation* fail(Operation& at, std::string_view why) {
  at.emitOpError() << "cannot be fused: " << why;
  return nullptr;
}

/// Who uses the buffer between the producer and the loop; null when nobody does.
Operation* userBetween(Operation& loop, Operation& producer, Value buffer) {
  for (OpOperand& use : buffer.uses()) {
    const Operation* beside = ancestorIn(*use.owner(), loop.block());
    if (beside && producer.isBeforeInBlock(beside) && beside->isBeforeInBlock(&loop))
      return use.owner();
  }
  return nullptr;
}

/// Two names of one part.
bool isSamePart(Operation& a, Operation& b) {
  const memref::SubViewOp one(&a), other(&b);
  return one.offsets() == other.offsets() && one.sizes() == other.sizes() &&
         one.strides() == other.strides();
}

/// The only part of `buffer` that the body of the loop uses, by its first name; null after an error.
/// `names` counts them.
Operation* partIn(Operation& loop, Value buffer, size_t& names) {
  Operation* part = nullptr;
  for (OpOperand& use : buffer.uses()) {
    Operation* user = use.owner();
    if (!loop.isAncestor(user)) continue;
    if (!isa<memref::SubViewOp>(user) || user->block() != &loop.region().front())
      return fail(*user, "it uses the buffer, but not by a memref.subview right in the loop");
    if (part && !isSamePart(*part, *user)) return fail(*user, "it is a second part of the buffer");
    if (!part || user->isBeforeInBlock(part)) part = user;
    ++names;
  }
  return part ? part : fail(loop, "it does not use what the producer writes");
}

}  // namespace

Operation* fuseIntoLoop(Operation& producer, Operation& loop) {
  linalg::StructuredOp op = linalg::asStructured(&producer);
  if (const std::string obstacle = partObstacle(op); !obstacle.empty())
    return fail(producer, obstacle);
  if (op.numOutputs() != 1) return fail(producer, "it has several outputs");
  if (!loop.is("scf.forall") && !loop.is("scf.parallel"))
    return fail(loop, "it is not a parallel loop");
  if (producer.block() != loop.block() || !producer.isBeforeInBlock(&loop))
    return fail(producer, "it does not stand in front of the loop");
  const Value buffer = op.outputs()[0];
  if (Operation* between = userBetween(loop, producer, buffer))
    return fail(*between, "it uses the buffer between the producer and the loop");
  const int64_t rounds = roundsOf(loop);
  if (rounds == 1) {
    Builder inside = Builder::before(loop.region().front().front());
    Operation* moved = emitPart(op, wholeOf(op), inside);
    producer.erase();
    return moved;
  }
  size_t names = 0;
  Operation* found = partIn(loop, buffer, names);
  if (!found) return nullptr;
  memref::SubViewOp view(found);
  LinalgPart part = wholeOf(op);
  const AffineMap map = op.indexingMaps().back();
  const std::vector<memref::MixedIndex> offsets = view.offsets(), sizes = view.sizes(),
                                        strides = view.strides();
  std::vector<int64_t> shape;
  for (unsigned i = 0; i < map.numResults(); ++i) {
    const auto index = analysis::readLoopIndex(map.results()[i], op.numLoops());
    unsigned loopOf = 0;
    while (loopOf < op.numLoops() && !index->isLoop(loopOf))
      ++loopOf;
    const bool isPlain =
        loopOf < op.numLoops() && sizes[i].isConstant() && strides[i] == memref::MixedIndex(1);
    if (!isPlain) return fail(*found, "the part is not a rectangle of what the producer writes");
    part.origins[loopOf] = offsets[i];
    part.sizes[loopOf] = sizes[i].constant;
    shape.push_back(sizes[i].constant);
  }
  if (view.resultType().shape().size() != shape.size())
    return fail(*found, "the part has fewer dimensions than the buffer");
  if (rounds * elementsOf(shape) < elementsOf(view.sourceType().shape()))
    return fail(*found, "the parts of all rounds are not the whole buffer");
  // One of the names may be written: a round must not compute again what another has changed.
  if (names > 1 && rounds * elementsOf(shape) != elementsOf(view.sourceType().shape()))
    return fail(*found, "the loop may write its part, and parts of rounds overlap");
  Builder builder = Builder::before(*found->next());
  Operation* made = emitPart(op, part, builder, view.result());
  producer.erase();
  return made;
}

}  // namespace airlite
