// transform.air.linalg_tile: a linalg op on buffers becomes a loop nest around a part of it.
//
// The parallel loops with a tile size become one scf.forall, the other loops with one a nest of
// scf.for inside of it, since their steps add up in one place. A tile size of 0 leaves a loop whole.
//
// Declines, with an error: ops on tensors or of sizes that are not known, tiles that do not divide.
#include "LinalgParts.hpp"
#include "ScriptRewrites.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Scf.hpp"

namespace airlite {

namespace {

using linalg::IteratorKind;
using memref::MixedIndex;

Operation* createForall(Builder& builder, Location location, std::span<const int64_t> counts) {
  Context& context = builder.context();
  OperationState state(location, *context.findOp("scf.forall"));
  const std::vector<int64_t> zeros(counts.size(), 0), ones(counts.size(), 1);
  const auto list = [&](std::span<const int64_t> values) {
    return DenseArrayAttr::get(builder.intType(64), values);
  };
  state.addAttribute(context, "staticLowerBound", list(zeros));
  state.addAttribute(context, "staticUpperBound", list(counts));
  state.addAttribute(context, "staticStep", list(ones));
  const int32_t segments[] = {0, 0, 0, 0};
  state.setOperandSegments(context, segments);
  Block& body = state.addRegion().addBlock(context);
  for (size_t i = 0; i < counts.size(); ++i)
    body.addArgument(builder.indexType(), location);
  Builder inside = Builder::atEnd(body);
  OperationState end(location, *context.findOp("scf.forall.in_parallel"));
  end.addRegion().addBlock(context);
  inside.create(end);
  return builder.create(state);
}

/// The place where tile number `variable` of `size` begins.
MixedIndex scaled(Builder& builder, Location location, Value variable, int64_t size) {
  if (size == 1) return variable;
  AffineExpr expr = AffineExpr::symbol(builder.context(), 0) * size;
  affine::Application application{AffineMap::get(builder.context(), 0, 1, std::span(&expr, 1)),
                                  {variable}};
  return affine::ApplyOp::create(builder, location, application)->result();
}

/// Loops with a tile size, of the kinds that are asked for.
std::vector<unsigned> tiledLoops(linalg::StructuredOp op, std::span<const int64_t> sizes,
                                 bool parallel) {
  std::vector<unsigned> loops;
  const std::vector<IteratorKind> kinds = op.iterators();
  for (unsigned loop = 0; loop < op.numLoops() && loop < sizes.size(); ++loop)
    if (sizes[loop] > 0 && (kinds[loop] == IteratorKind::Parallel) == parallel)
      loops.push_back(loop);
  return loops;
}

bool check(linalg::StructuredOp op, Operation& target, std::span<const int64_t> sizes) {
  if (const std::string obstacle = partObstacle(op); !obstacle.empty()) {
    target.emitOpError() << "cannot be tiled: " << obstacle;
    return false;
  }
  const std::vector<int64_t> whole = op.loopSizes();
  if (sizes.size() > whole.size()) {
    target.emitOpError() << "has " << whole.size() << " loops, and there are " << sizes.size()
                         << " tile sizes";
    return false;
  }
  for (unsigned loop = 0; loop < sizes.size(); ++loop) {
    if (sizes[loop] >= 0 && (sizes[loop] == 0 || whole[loop] % sizes[loop] == 0)) continue;
    target.emitOpError() << "not supported: a tile of " << sizes[loop] << " does not divide the "
                         << whole[loop] << " rounds of loop " << loop;
    return false;
  }
  return true;
}

}  // namespace

TiledLinalg tileLinalg(Operation& target, std::span<const int64_t> sizes) {
  linalg::StructuredOp op = linalg::asStructured(&target);
  if (!check(op, target, sizes)) return {};
  TiledLinalg result;
  Builder builder = Builder::before(target);
  LinalgPart part = wholeOf(op);
  const auto enter = [&](unsigned loop, Value variable) {
    part.origins[loop] = scaled(builder, target.location(), variable, sizes[loop]);
    part.sizes[loop] = sizes[loop];
  };
  if (const auto loops = tiledLoops(op, sizes, true); !loops.empty()) {
    std::vector<int64_t> counts;
    for (unsigned loop : loops)
      counts.push_back(part.sizes[loop] / sizes[loop]);
    Operation* forall = createForall(builder, target.location(), counts);
    result.loops.push_back(forall);
    builder.setBefore(forall->region().front().back());
    for (unsigned i = 0; i < loops.size(); ++i)
      enter(loops[i], forall->region().front().argument(i));
  }
  for (unsigned loop : tiledLoops(op, sizes, false)) {
    auto nest =
        scf::ForOp::create(builder, target.location(), builder.constantIndex(target.location(), 0),
                           builder.constantIndex(target.location(), part.sizes[loop] / sizes[loop]),
                           builder.constantIndex(target.location(), 1));
    result.loops.push_back(nest.op());
    builder.setBefore(nest.body().back());
    enter(loop, nest.inductionVar());
  }
  result.op = emitPart(op, part, builder);
  target.erase();
  return result;
}

}  // namespace airlite
