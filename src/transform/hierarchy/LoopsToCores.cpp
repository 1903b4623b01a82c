// air-loops-to-cores: loops that the author wrote become parallel loops that herds are made of.
//
// Matches, in the body of a function:
//  - a parallel loop (scf.parallel, scf.forall, affine.parallel) that allocates L1 memory: its
//    iterations are the work of cores already. It becomes two nested loops, blocks of as many
//    iterations as `herd` has cores, and the cores of a block, over its last two dimensions.
//  - ops one after the other that compute on memory of the host element by element: loops,
//    conditionals, loads and stores. They become the work of one core, in a loop nest that runs
//    once: buffers that they load from or store to are brought into L2, then L1, and go back when
//    they are stored to. Loops that copy into L1 memory themselves get the nest alone.
//
// Declines, with a remark: bounds and steps that are not constants, or steps that do not divide the
// ranges; loops with results; ops that other ops than loads, stores, copies and views need (calls,
// air ops, linalg ops on L3), or whose results the host needs; buffers that are not arguments,
// allocations or globals of a static row-major shape, or that together are larger than `l1-bytes`.
#include "Hierarchy.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/transform/ArrayDefaults.hpp"
#include "analysis/ParallelBounds.hpp"
#include "transform/hierarchy/CoreWork.hpp"
#include "transform/hierarchy/OpRuns.hpp"
#include "transform/lowering/HeapMemory.hpp"

#include <algorithm>
#include <set>

namespace airlite {

namespace {

bool allocatesL1(Operation& loop) {
  return anyInside(
      loop, [](Operation& op) { return isa<memref::AllocOp>(&op) && isL1(op.result().type()); });
}

/// A nest of two parallel loops around nothing yet; ops go before the end of the inner one.
struct Nest {
  scf::ParallelOp outer, inner;
};

Nest makeNest(Builder& builder, Location location, std::span<const ParallelBounds> outer,
              std::span<const ParallelBounds> inner) {
  auto make = [&](std::span<const ParallelBounds> dimensions) {
    std::vector<Value> lists[3];
    for (const ParallelBounds& dimension : dimensions) {
      lists[0].push_back(builder.constantIndex(location, *dimension.lower));
      lists[1].push_back(builder.constantIndex(location, *dimension.upper));
      lists[2].push_back(builder.constantIndex(location, *dimension.step));
    }
    return scf::ParallelOp::create(builder, location, lists[0], lists[1], lists[2]);
  };
  Nest nest;
  nest.outer = make(outer);
  builder.setBefore(nest.outer.body().back());
  nest.inner = make(inner);
  return nest;
}

struct HostBuffer {
  Value value;
  bool isWritten = false;
};

bool isInnermost(Operation& loop) {
  return !anyInside(loop, [&](Operation& op) {
    return (&op != &loop && isParallelLoop(op)) || isa<air::HerdOp>(&op) ||
           isa<air::SegmentOp>(&op) || isa<air::LaunchOp>(&op);
  });
}

Value sum(Builder& builder, Location location, Value a, Value b) {
  Context& context = builder.context();
  AffineExpr expr = AffineExpr::dim(context, 0) + AffineExpr::dim(context, 1);
  AffineMap map = AffineMap::get(context, 2, 0, std::span(&expr, 1));
  return affine::ApplyOp::create(builder, location, {map, {a, b}})->result();
}

/// The body of `loop` into the inner loop, which covers the dimensions from `first` on.
void fill(const Nest& nest, Operation& loop, size_t first) {
  Block& from = loop.region(0).front();
  Builder builder = Builder::before(nest.inner.body().back());
  for (size_t i = 0; i < from.numArguments(); ++i) {
    Value at = nest.outer.inductionVars()[i];
    if (i >= first) at = sum(builder, loop.location(), at, nest.inner.inductionVars()[i - first]);
    from.argument(static_cast<unsigned>(i)).replaceAllUsesWith(at);
  }
  if (&from.front() != &from.back())
    nest.inner.body().splice(&nest.inner.body().back(), from, &from.front(), &from.back());
  loop.erase();
}

/// Nests of parallel loops that allocate L1 memory are for air-par-to-herd.
bool isNested(Operation& op) { return isParallelLoop(op) && allocatesL1(op); }

std::vector<std::vector<Operation*>> findRuns(Block& body) {
  return opRuns(body, [](Operation& op) {
    return (isAccess(op) || isControl(op)) && isForCore(op) && !isNested(op);
  });
}

/// Constants and the like may stand earlier.
bool moveOut(Operation& op, Operation& first, std::set<const Operation*>& members) {
  if (!members.contains(&op)) return true;
  if (!isPure(op) || op.numRegions()) return false;
  for (Value operand : op.operands())
    if (operand.definingOp() && members.contains(operand.definingOp())) return false;
  op.moveBefore(&first);
  members.erase(&op);
  return true;
}

/// False: an op outside of the run needs a result of it. Pure ops that only the host needs move
/// in front of it when they can.
bool dropUnneeded(const std::vector<Operation*>& run) {
  std::set<const Operation*> members(run.begin(), run.end());
  auto isInside = [&](Operation* user) {
    while (user && !members.contains(user))
      user = user->parentOp();
    return user != nullptr;
  };
  for (Operation* op : run)
    for (unsigned i = 0; i < op->numResults(); ++i)
      for (OpOperand& use : op->result(i).uses())
        if (!isInside(use.owner()) && !moveOut(*op, *run.front(), members)) return false;
  return true;
}

void addBuffer(Operation& op, std::vector<HostBuffer>& buffers) {
  if (!isAccess(op)) return;
  const bool isStore = op.numResults() == 0;
  Value memref = op.operand(isStore ? 1 : 0);
  if (!isL3(memref.type())) return;
  auto found = std::ranges::find(buffers, memref, &HostBuffer::value);
  if (found == buffers.end()) found = buffers.insert(found, {memref, false});
  found->isWritten |= isStore;
}

void takeFromStack(HostBuffer& buffer) {
  Operation* made = buffer.value.definingOp();
  if (made && isa<memref::AllocaOp>(made)) buffer.value = moveToHeap(*made);
}

int64_t bytesOf(MemRefType type) {
  return type.numElements() * (type.elementType().bitWidth() / 8);
}

Value allocate(Builder& builder, Location location, Value like, int64_t space) {
  const auto type = like.type().cast<MemRefType>();
  Attribute level = IntegerAttr::get(IntegerType::get(builder.context(), 64), space);
  return memref::AllocOp::create(builder, location, type.withMemorySpace(level)).result();
}

/// In front of the core's work into L2, then L1; after it back when it is written.
void bring(const HostBuffer& buffer, const Nest& nest) {
  Operation& first = nest.inner.body().front();
  const Location location = first.location();
  Builder outside = Builder::before(*nest.inner.op()), inside = Builder::before(first);
  Value shared = allocate(outside, location, buffer.value, 1);
  memref::CopyOp::create(outside, location, buffer.value, shared);
  Value local = allocate(inside, location, buffer.value, 2);
  nest.inner.op()->walk([&](Operation& op) { op.replaceUsesOfWith(buffer.value, local); });
  memref::CopyOp::create(inside, location, shared, local);
  inside.setBefore(nest.inner.body().back());
  outside.setBefore(nest.outer.body().back());
  if (buffer.isWritten) {
    memref::CopyOp::create(inside, location, local, shared);
    memref::CopyOp::create(outside, location, shared, buffer.value);
  }
  memref::DeallocOp::create(inside, location, local);
  memref::DeallocOp::create(outside, location, shared);
}

class LoopsToCores : public Pass {
 public:
  LoopsToCores() : Pass("air-loops-to-cores", "Brings the author's loops to cores") {
    anchor("func.func");
    option("herd", herd_, "cores of a herd along its dimensions, at most");
    option("l1-bytes", l1Bytes_, "L1 memory that buffers of the host may take");
    example("airlite-opt --air-loops-to-cores='herd=4,4' in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    context_ = &context;
    if (function.region(0).empty() || !function.region(0).hasOneBlock())
      return PassResult::Unchanged;
    Block& body = function.region(0).front();
    bool changed = splitLoops(body);
    for (const std::vector<Operation*>& run : findRuns(body))
      changed |= moveToCore(run);
    if (changed)
      context.declareEffectChange(CountedEffect::Store,
                                  "buffers of the host go to a core and back");
    return changedIf(changed);
  }

 private:
  // -- Parallel loops of cores --------------------------------------------------------------------

  bool splitLoops(Block& body) {
    std::vector<Operation*> loops;
    for (Operation& op : body.ops())
      if (isParallelLoop(op) && allocatesL1(op) && isInnermost(op)) loops.push_back(&op);
    bool changed = false;
    for (Operation* loop : loops)
      changed |= split(*loop);
    return changed;
  }

  bool declines(Operation& op, std::string_view why) {
    context_->remark(op, why);
    return false;
  }

  bool split(Operation& loop) {
    if (loop.numResults()) return declines(loop, "stays a loop: it has results");
    const std::vector<ParallelBounds> bounds = parallelBounds(loop);
    std::vector<ParallelBounds> blocks, cores;
    const size_t first = bounds.size() - std::min<size_t>(bounds.size(), 2);
    for (size_t i = 0; i < bounds.size(); ++i) {
      const auto& [lower, upper, step] = bounds[i];
      if (!lower || !upper || !step) return declines(loop, "stays a loop: its bounds are open");
      if (*step <= 0 || *upper <= *lower || (*upper - *lower) % *step)
        return declines(loop, "stays a loop: its steps do not divide its ranges");
      const int64_t count = (*upper - *lower) / *step;
      const int64_t size = i < first ? 1 : air::coresFor(count, limitOf(i - first));
      blocks.push_back({*lower, *upper, *step * size});
      if (i >= first) cores.push_back({0, *step * size, *step});
    }
    Builder builder = Builder::before(loop);
    fill(makeNest(builder, loop.location(), blocks, cores), loop, first);
    return true;
  }

  int64_t limitOf(size_t dimension) const {
    return dimension < herd_.size() ? herd_[dimension] : 1;
  }

  // -- Computation on memory of the host ----------------------------------------------------------

  bool moveToCore(const std::vector<Operation*>& run) {
    if (!dropUnneeded(run)) return declines(*run.front(), "stays on the host: it needs a result");
    std::vector<HostBuffer> buffers;
    if (std::string_view why = findBuffers(run, buffers); !why.empty())
      return declines(*run.front(), why);
    for (HostBuffer& buffer : buffers)
      takeFromStack(buffer);
    Builder builder = Builder::before(*run.front());
    const ParallelBounds once{0, 1, 1};
    const Nest nest =
        makeNest(builder, run.front()->location(), std::span(&once, 1), std::span(&once, 1));
    for (Operation* op : run)
      op->moveBefore(&nest.inner.body().back());
    for (const HostBuffer& buffer : buffers)
      bring(buffer, nest);
    return true;
  }

  // -- Buffers ------------------------------------------------------------------------------------

  /// Why it does not go; empty: `buffers` are those that loads and stores name.
  std::string_view findBuffers(const std::vector<Operation*>& run,
                               std::vector<HostBuffer>& buffers) const {
    for (Operation* op : run)
      op->walk([&](Operation& inner) { addBuffer(inner, buffers); });
    int64_t bytes = 0;
    for (const HostBuffer& buffer : buffers) {
      if (!isWhole(buffer.value))
        return "stays on the host: a buffer has no static shape of its own";
      const auto usesOtherwise = [&](Operation* op) { return hasOtherUses(buffer.value, *op); };
      if (std::ranges::any_of(run, usesOtherwise))
        return "stays on the host: a buffer is used otherwise";
      bytes += bytesOf(buffer.value.type().cast<MemRefType>());
    }
    if (bytes > l1Bytes_) return "stays on the host: its buffers do not fit into L1 memory";
    return {};
  }

  std::vector<int64_t> herd_ = wholeHerd(aie::defaultNpu());
  int64_t l1Bytes_ = tileBytes(aie::defaultNpu());
  PassContext* context_ = nullptr;
};

}  // namespace

void registerLoopsToCores(PassRegistry& registry) { registry.add<LoopsToCores>(); }

}  // namespace airlite
