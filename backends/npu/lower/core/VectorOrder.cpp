// See VectorOrder.hpp.
#include "VectorOrder.hpp"

#include "CoreMemory.hpp"
#include "LaneMasks.hpp"
#include "SplitBody.hpp"
#include "VectorUnit.hpp"
#include "airlite/support/Divisors.hpp"
#include "airlite/transform/ArrayDefaults.hpp"

#include <algorithm>

namespace airlite::npu {

namespace {

using linalg::IteratorKind;
using linalg::LoopNest;
using linalg::StructuredOp;

constexpr int64_t kLeastVectorBits = 256;

/// The number of a loop, which is the same for all lanes where these go along another one.
bool givesRound(const Operation& op) {
  return op.is("linalg.index") || (op.is("arith.index_cast") && op.operand(0).type().isIndex());
}

bool usesIndexOf(StructuredOp op, unsigned loop) {
  return std::ranges::any_of(op.body().ops(), [&](Operation& inner) {
    return inner.is("linalg.index") && inner.attrOf<IntegerAttr>("dim").value() == loop;
  });
}

/// Does the unit compute the body lane by lane?
bool isBodyLanewise(StructuredOp op) {
  return std::ranges::all_of(op.body().ops(), [](Operation& inner) {
    return inner.is("linalg.yield") || inner.is("arith.constant") || isOfConditions(inner) ||
           givesRound(inner) || isLaneOp(inner);
  });
}

enum class Along { Stays, Row, ShiftedRow, Other };

/// Whether an index is the variable of a loop, or a step times it that vectors go through (StridedRows.hpp).
bool movesBySteps(AffineExpr index) {
  if (index.kind() == AffineKind::Dim) return true;
  return index.kind() == AffineKind::Mul && index.lhs().kind() == AffineKind::Dim &&
         index.rhs().kind() == AffineKind::Constant && isRowStep(index.rhs().value());
}

/// The same, or a sum of that and something else that does not change with the loop.
bool isShiftedRow(AffineExpr index, unsigned loop) {
  if (movesBySteps(index)) return true;
  if (index.kind() != AffineKind::Add) return false;
  const AffineExpr a = index.lhs(), b = index.rhs();
  const AffineExpr ours = a.usesDim(loop) ? a : b, other = a.usesDim(loop) ? b : a;
  return !other.usesDim(loop) && isShiftedRow(ours, loop);
}

/// How an operand moves along a loop.
Along alongLoop(MemRefType type, AffineMap map, unsigned loop) {
  Along along = Along::Stays;
  for (unsigned r = 0; r < map.numResults(); ++r) {
    AffineExpr index = map.result(r);
    if (!index.usesDim(loop)) continue;
    const bool isVariable = index.kind() == AffineKind::Dim;
    if (r + 1 != map.numResults() || !isShiftedRow(index, loop)) return Along::Other;
    along = isVariable ? Along::Row : Along::ShiftedRow;
  }
  if (along == Along::Stays) return along;
  auto form = type.stridedForm();
  return form && form->strides.back() == 1 ? along : Along::Other;
}

/// Do all rows begin where a vector may begin, as far as the type says?
bool areRowsAligned(MemRefType type) {
  const int64_t bits = type.elementType().bitWidth();
  const auto form = type.stridedForm();
  return std::ranges::all_of(form->strides, [&](int64_t stride) {
    return stride == 1 || (stride != kDynamic && stride * bits % kLeastVectorBits == 0);
  });
}

bool fitsVectors(StructuredOp op, unsigned loop, int64_t size) {
  if (usesIndexOf(op, loop)) return false;
  const std::vector<AffineMap> maps = op.indexingMaps();
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    auto type = op->operand(i).type().dynCast<MemRefType>();
    if (!type) continue;
    const Along along = alongLoop(type, maps[i], loop);
    if (along == Along::Other || (along != Along::Row && i >= op.numInputs())) return false;
    if (along == Along::Stays) continue;
    if (size * int64_t{type.elementType().bitWidth()} < kLeastVectorBits ||
        (along == Along::Row && !areRowsAligned(type)))
      return false;
  }
  return true;
}

/// The loops in their order, `row` last.
std::vector<unsigned> orderAround(std::span<const IteratorKind> kinds, unsigned row) {
  std::vector<unsigned> order;
  for (unsigned loop = 0; loop < kinds.size(); ++loop)
    if (loop != row) order.push_back(loop);
  order.push_back(row);
  return order;
}

/// Instructions for 16 lanes of one round.
int64_t lengthOfRound(StructuredOp op) {
  int64_t length = 0;
  for (unsigned i = 0; i < op.numInputs(); ++i)
    length += accessesOf(elementTypeOrSelf(op->operand(i).type()));
  for (Operation& inner : op.body().ops())
    if (!inner.is("linalg.yield") && !inner.is("arith.constant")) length += instructionsOf(inner);
  return std::max<int64_t>(length, 1);
}

/// Of loops over sums, the innermost first: as many rounds as a body may be long. What is left of these loops then goes outside: a loop
/// over rows, whose rounds overlap, stays inside.
std::vector<int64_t> roundsOfBody(StructuredOp op) {
  constexpr int64_t kLongestBody = 96;
  const std::vector<IteratorKind> kinds = op.iterators();
  const std::vector<int64_t> sizes = op.loopSizes();
  std::vector<int64_t> rounds(kinds.size(), 1);
  int64_t most = kLongestBody / lengthOfRound(op);
  for (size_t loop = kinds.size(); loop-- > 0 && most > 1;) {
    if (kinds[loop] != IteratorKind::Reduction) continue;
    if (sizes[loop] != kDynamic) rounds[loop] = divisorUpTo(sizes[loop], most);
    if (rounds[loop] != sizes[loop]) break;
    most /= rounds[loop];
  }
  return rounds;
}

}  // namespace

bool VectorOrder::areApart(StructuredOp op) {
  std::vector<Value> bases;
  for (Value operand : op->operands()) {
    std::string why;
    const Place* place = operand.type().isa<MemRefType>() ? places_.find(operand, why) : nullptr;
    if (operand.type().isa<MemRefType>() && !(place && isOwnMemory(place->base))) return false;
    bases.push_back(place ? place->base : Value());
  }
  for (size_t out = op.numInputs(); out < bases.size(); ++out)
    if (std::ranges::count(bases, bases[out]) != 1) return false;
  return true;
}

LoopNest VectorOrder::of(StructuredOp op) {
  const std::vector<IteratorKind> kinds = op.iterators();
  const std::vector<int64_t> sizes = op.loopSizes();
  if (kinds.size() < 2 || !isBodyLanewise(op) || !areApart(op)) return {};
  for (unsigned loop = static_cast<unsigned>(kinds.size()); loop-- > 0;) {
    if (kinds[loop] != IteratorKind::Parallel || sizes[loop] == kDynamic ||
        !fitsVectors(op, loop, sizes[loop]))
      continue;
    LoopNest nest = {orderAround(kinds, loop), roundsOfBody(op)};
    if (std::ranges::any_of(nest.rounds, [](int64_t rounds) { return rounds > 1; }))
      std::ranges::stable_partition(
          nest.order, [&](unsigned other) { return kinds[other] == IteratorKind::Reduction; });
    return nest;
  }
  return {};
}

}  // namespace airlite::npu
