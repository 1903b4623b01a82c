// Parts of linalg ops on buffers, for the steps of transform scripts that tile and fuse.
#include "LinalgParts.hpp"

#include "airlite/analysis/LoopIndex.hpp"
#include "airlite/dialect/Affine.hpp"

#include <algorithm>

namespace airlite {

namespace {

using memref::MixedIndex;

/// The sum of an index over the origins of the loops.
MixedIndex originOf(const analysis::LoopIndex& index, const LinalgPart& part, Builder& builder,
                    Location location) {
  int64_t constant = index.constant;
  std::vector<std::pair<int64_t, Value>> terms;
  for (unsigned loop = 0; loop < part.origins.size(); ++loop) {
    if (!index.uses(loop)) continue;
    const MixedIndex& origin = part.origins[loop];
    if (origin.isConstant())
      constant += index.factors[loop] * origin.constant;
    else
      terms.push_back({index.factors[loop], origin.value});
  }
  if (terms.empty()) return constant;
  if (terms.size() == 1 && terms[0].first == 1 && constant == 0) return terms[0].second;
  AffineExpr sum = AffineExpr::constant(builder.context(), constant);
  affine::Application application;
  for (const auto& [factor, value] : terms) {
    const auto position = static_cast<unsigned>(application.operands.size());
    sum = AffineExpr::symbol(builder.context(), position) * factor + sum;
    application.operands.push_back(value);
  }
  application.map =
      AffineMap::get(builder.context(), 0, static_cast<unsigned>(terms.size()), std::span(&sum, 1));
  return affine::ApplyOp::create(builder, location, application)->result();
}

Value viewOf(Value memref, AffineMap map, const LinalgPart& part, Builder& builder,
             Location location) {
  std::vector<MixedIndex> offsets, sizes;
  bool isAll = true;
  const auto shape = memref.type().cast<MemRefType>().shape();
  for (unsigned i = 0; i < map.numResults(); ++i) {
    const auto index =
        analysis::readLoopIndex(map.results()[i], static_cast<unsigned>(part.sizes.size()));
    sizes.push_back(index->extent(part.sizes));
    isAll &= sizes.back().constant == shape[i];
    offsets.push_back(originOf(*index, part, builder, location));
  }
  if (isAll) return memref;
  const std::vector<MixedIndex> ones(sizes.size(), MixedIndex(1));
  return memref::SubViewOp::create(builder, location, memref, offsets, sizes, ones).result();
}

bool isReadable(AffineMap map, unsigned numLoops) {
  return std::ranges::all_of(map.results(), [&](AffineExpr expr) {
    const auto index = analysis::readLoopIndex(expr, numLoops);
    return index && index->constant >= 0 &&
           std::ranges::all_of(index->factors, [](int64_t factor) { return factor >= 0; });
  });
}

}  // namespace

LinalgPart wholeOf(linalg::StructuredOp op) {
  LinalgPart part;
  part.sizes = op.loopSizes();
  part.origins.assign(part.sizes.size(), MixedIndex(0));
  return part;
}

std::string partObstacle(linalg::StructuredOp op) {
  if (!op) return "it is not a structured linalg op";
  if (!op.onBuffers() || op->numResults() != 0) return "it is not on buffers";
  const std::vector<int64_t> sizes = op.loopSizes();
  if (std::ranges::find(sizes, kDynamic) != sizes.end()) return "the size of a loop is not known";
  const std::vector<AffineMap> maps = op.indexingMaps();
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    auto type = op->operand(i).type().dynCast<MemRefType>();
    if (type && !type.hasStaticShape()) return "the shape of an operand is not known";
    if (type && !isReadable(maps[i], op.numLoops()))
      return "an index of an operand is not a sum of multiples of loops";
  }
  if (op.usesIndices()) return "its body asks for the indices of its loops";
  return {};
}

Operation* emitPart(linalg::StructuredOp op, const LinalgPart& part, Builder& builder,
                    Value output) {
  const std::vector<AffineMap> maps = op.indexingMaps();
  std::vector<Value> operands;
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    const Value operand = op->operand(i);
    const bool isGiven = output && i == op.numInputs();
    operands.push_back(isGiven ? output
                       : operand.type().isa<MemRefType>()
                           ? viewOf(operand, maps[i], part, builder, op->location())
                           : operand);
  }
  Operation* made = builder.clone(*op.op());
  for (unsigned i = 0; i < operands.size(); ++i)
    made->setOperand(i, operands[i]);
  return made;
}

}  // namespace airlite
