// Gives each op the work-items that run it: stores outside the herds one, the bodies of herds the
// waves and lanes that they are for.
#include "Divergence.hpp"
#include "IndexMath.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>

namespace airlite::gpu {
namespace {

/// Writes memory that the work-items of a workgroup share.
bool writesShared(Operation& op) {
  std::vector<EffectInstance> effects;
  if (!effectsOf(op, effects)) return false;
  return std::any_of(effects.begin(), effects.end(), [](const EffectInstance& effect) {
    return effect.effect == Effect::Write && effect.value &&
           !isLevel(effect.value, air::MemoryLevel::L1);
  });
}

class StoreGuard {
 public:
  explicit StoreGuard(Kernel& kernel) : kernel_(kernel), diverges_(kernel) {}

  LogicalResult run() {
    std::vector<Operation*> stores;
    collect(kernel_.body(), stores);
    LogicalResult result = success();
    for (Operation* op : stores)
      result |= guard(*op);
    return result;
  }

 private:
  /// Stores that every work-item would do alike. Where work-items part ways the program has chosen
  /// who stores.
  void collect(Block& block, std::vector<Operation*>& stores) {
    for (Operation& op : block.ops()) {
      if (isa<air::HerdOp>(&op) || kernel_.copies.count(&op)) continue;
      bool structured = op.numRegions() && op.name().substr(0, 7) != "linalg." &&
                        !op.is("memref.generic_atomic_rmw");
      if (!structured) {
        if (writesShared(op) && !diverges_.anyOperand(op)) stores.push_back(&op);
        continue;
      }
      if (diverges_.ofControl(op)) continue;
      for (Region& region : op.regions())
        for (Block& inner : region.blocks())
          collect(inner, stores);
    }
  }

  LogicalResult guard(Operation& op) {
    if (op.hasResultUses())
      return op.emitOpError() << "not supported: a write to shared memory with a result, outside "
                                 "of herds";
    // One guard for stores in a row.
    if (last_ && op.prev() == last_) {
      op.moveBefore(&scf::IfOp(last_).thenBlock().back());
      return success();
    }
    Builder builder = Builder::before(op);
    IndexMath math(builder, op.location());
    Value first = math.compare(arith::CmpIPredicate::eq, Index(kernel_.item), 0);
    scf::IfOp only = scf::IfOp::create(builder, op.location(), {}, first);
    op.moveBefore(&only.thenBlock().back());
    last_ = only.op();
    return success();
  }

  Kernel& kernel_;
  Divergence diverges_;
  Operation* last_ = nullptr;
};

// -- Herds ----------------------------------------------------------------------------------------

class HerdDissolver {
 public:
  HerdDissolver(Kernel& kernel, air::HerdOp herd) : kernel_(kernel), herd_(herd) {}

  void run() {
    auto sizes = herd_.constantSizes();
    int64_t x = (*sizes)[0], y = sizes->size() > 1 ? (*sizes)[1] : 1;
    Value ids[] = {kernel_.waveX, kernel_.itemY};
    Builder builder = Builder::before(*herd_.op());
    IndexMath math(builder, herd_->location());
    std::vector<Value> values;
    const int64_t extents[] = {x, y};
    for (unsigned i = 0; i < herd_.body().numArguments(); ++i)
      values.push_back(extents[i] == 1 ? math.value(0) : ids[i]);
    Value condition = conditionFor(math, x, y);
    herd_.body().back().erase();
    place(builder, condition, values);
    herd_->erase();
  }

 private:
  /// Null when all work-items run the body.
  Value conditionFor(const IndexMath& math, int64_t x, int64_t y) {
    using arith::CmpIPredicate;
    Value all;
    auto require = [&](CmpIPredicate predicate, Value id, int64_t bound) {
      Value holds = math.compare(predicate, Index(id), bound);
      Type type = holds.type();
      Builder& builder = math.builder();
      if (all)
        holds = builder.create(math.location(), "arith.andi", {all, holds}, {type})->result();
      all = holds;
    };
    if (x < kernel_.shape.x) require(CmpIPredicate::ult, kernel_.waveX, x);
    if (y < kernel_.shape.y) require(CmpIPredicate::ult, kernel_.itemY, y);
    if (kernel_.herds[herd_.op()] == HerdMode::FirstLane)
      require(CmpIPredicate::eq, kernel_.lane, 0);
    return all;
  }

  void place(Builder& builder, Value condition, std::span<const Value> ids) {
    Rewriter rewriter(builder.context());
    if (!condition) return rewriter.inlineBlockBefore(herd_.body(), *herd_.op(), ids);
    scf::IfOp guard = scf::IfOp::create(builder, herd_->location(), {}, condition);
    rewriter.inlineBlockBefore(herd_.body(), guard.thenBlock().back(), ids);
  }

  Kernel& kernel_;
  air::HerdOp herd_;
};

}  // namespace

LogicalResult guardStores(Kernel& kernel) { return StoreGuard(kernel).run(); }

void dissolveHerds(Kernel& kernel) {
  std::vector<Operation*> herds;
  kernel.func->walk([&](Operation& op) {
    if (isa<air::HerdOp>(&op)) herds.push_back(&op);
  });
  for (Operation* herd : herds)
    HerdDissolver(kernel, air::HerdOp(herd)).run();
}

}  // namespace airlite::gpu
