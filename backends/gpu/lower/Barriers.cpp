// Puts barriers where work-items meet in memory and decides who does each copy.
//
// Walks the body in program order with the accesses to LDS and L3 since the last barrier. An access
// that may meet one of them, one of the two being a write, gets a barrier before it, unless both
// belong to one run of the same herd (or of the same loop over thread ids), whose program orders
// them itself. Loops are walked twice, so that an iteration meets the one before it.
#include "Divergence.hpp"
#include "airlite/dialect/Scf.hpp"

#include <algorithm>

namespace airlite::gpu {
namespace {

struct Touch {
  Value root;  // null: any memory
  bool isWrite = false;
  Operation* domain = nullptr;  // the herd or loop whose program orders it; null: none does
  bool operator==(const Touch&) const = default;
};
using Touches = std::vector<Touch>;

void add(Touches& touches, const Touch& touch) {
  if (std::find(touches.begin(), touches.end(), touch) == touches.end()) touches.push_back(touch);
}
void addAll(Touches& touches, const Touches& more) {
  for (const Touch& touch : more)
    add(touches, touch);
}

bool waits(Operation& herd) {
  bool found = false;
  herd.walk([&](Operation& op) { found = found || op.is("gpu.barrier"); });
  return found;
}

bool runsAtLeastOnce(Operation& op) {
  scf::ForOp loop = dynCast<scf::ForOp>(&op);
  return loop && loop.tripCount().value_or(0) > 0;
}

class BarrierPlacer {
 public:
  explicit BarrierPlacer(Kernel& kernel) : kernel_(kernel), diverges_(kernel) {}

  LogicalResult run() {
    visitBlock(kernel_.body());
    return result_;
  }

 private:
  // -- Accesses ---------------------------------------------------------------------------------

  /// What a single op touches outside private memory.
  Touches touchesOf(Operation& op, Operation* domain) {
    Touches touches;
    std::vector<EffectInstance> effects;
    if (!effectsOf(op, effects)) return {{Value(), true, domain}};
    for (const EffectInstance& effect : effects) {
      bool isWrite = effect.effect == Effect::Write;
      bool isMemory = isWrite || effect.effect == Effect::Read;
      if (!isMemory || !effect.value || isLevel(effect.value, air::MemoryLevel::L1)) continue;
      add(touches, {rootOf(kernel_, effect.value), isWrite, domain});
    }
    return touches;
  }

  Touches touchesInside(Operation& root) {
    Touches touches;
    root.walkWith([&](Operation& op) {
      if (!isLeaf(op)) return WalkResult::Advance;
      addAll(touches, touchesOf(op, nullptr));
      return WalkResult::Skip;
    });
    return touches;
  }

  bool conflict(const Touch& now, const Touch& before) const {
    if (!now.isWrite && !before.isWrite) return false;
    if (now.root && before.root && now.root != before.root) return false;
    if (!now.domain || now.domain != before.domain) return true;
    // All lanes do the same here: none may write what a slower one has not read.
    return redundant_ && now.isWrite && !before.isWrite;
  }

  bool conflicts(const Touches& touches) const {
    for (const Touch& now : touches)
      for (const Touch& before : pending_)
        if (conflict(now, before)) return true;
    return false;
  }

  void barrierBefore(Operation& op) {
    pending_.clear();
    if (divergent_) {
      if (std::find(reported_.begin(), reported_.end(), &op) != reported_.end()) return;
      reported_.push_back(&op);
      result_ = failure();
      op.emitOpError() << "needs a barrier before it, in control flow that not all work-items of "
                          "the workgroup follow";
      return;
    }
    Builder::before(op).create(op.location(), "gpu.barrier", {}, {});
  }

  void touch(Operation& op, const Touches& touches) {
    if (conflicts(touches)) barrierBefore(op);
    addAll(pending_, touches);
  }

  // -- Ops --------------------------------------------------------------------------------------

  void visitBlock(Block& block) {
    for (Operation* op = block.empty() ? nullptr : &block.front(); op; op = op->next())
      visit(*op);
  }

  void visit(Operation& op) {
    if (op.is("gpu.barrier")) return visitBarrier(op);
    if (isa<air::HerdOp>(&op)) return visitHerd(op);
    if (isa<air::DmaMemcpyNdOp>(&op)) return visitCopy(op);
    if (isSharedCopy(op)) kernel_.copies[&op] = CopyScope::Workgroup;
    if (isLeaf(op)) return touch(op, touchesOf(op, domain_));
    if (!diverges_.ofControl(op)) return visitRegions(op);
    visitDivergent(op);
  }

  void visitBarrier(Operation& op) {
    if (isLdsBarrier(op))
      std::erase_if(pending_, [](const Touch& touch) {
        return touch.root && isLevel(touch.root, air::MemoryLevel::L2);
      });
    else
      pending_.clear();
    if (!divergent_) return;
    if (std::find(reported_.begin(), reported_.end(), &op) != reported_.end()) return;
    reported_.push_back(&op);
    result_ = failure();
    op.emitOpError() << "stands in control flow that not all work-items of the workgroup follow";
  }

  /// Copies between LDS and L3 are shared out where all partners are there.
  void visitCopy(Operation& op) {
    air::DmaMemcpyNdOp dma(&op);
    bool isPrivate = isLevel(dma.dst().memref, air::MemoryLevel::L1) ||
                     isLevel(dma.src().memref, air::MemoryLevel::L1);
    CopyScope scope = CopyScope::Item;
    if (!isPrivate && !divergent_) scope = herd_ ? CopyScope::Wave : CopyScope::Workgroup;
    if (isWave_) scope = CopyScope::Wave;
    kernel_.copies[&op] = scope;
    // A wave that shares all ops waits for itself between them.
    touch(op, touchesOf(op, isWave_ || scope == CopyScope::Item ? domain_ : nullptr));
  }

  /// Copies and fills outside of herds, which no single work-item has to do alone.
  bool isSharedCopy(Operation& op) const {
    if (domain_ || divergent_ || diverges_.anyOperand(op)) return false;
    bool fills = op.is("linalg.fill");
    if (!fills && !op.is("memref.copy") && !op.is("linalg.copy")) return false;
    if (op.numOperands() != 2 || op.numResults() != 0) return false;
    auto isShared = [](Value value) {
      auto type = value.type().dynCast<MemRefType>();
      return type && levelOf(type) != air::MemoryLevel::L1 && type.stridedForm() &&
             type.stridedForm()->offset != kDynamic;
    };
    if (!isShared(op.operand(1)) || (!fills && !isShared(op.operand(0)))) return false;
    return elementTypeOrSelf(op.operand(0).type()) == elementTypeOrSelf(op.operand(1).type());
  }

  void visitHerd(Operation& op) {
    Touches inside = touchesInside(op);
    if (conflicts(inside)) barrierBefore(op);
    air::HerdOp herd(&op);
    const HerdMode mode = kernel_.herds[&op];
    isWave_ = mode == HerdMode::Wave;
    if (mode == HerdMode::FirstLane || (isWave_ && !waits(op))) {
      addAll(pending_, inside);
      markCopies(op, std::exchange(isWave_, false) ? CopyScope::Wave : CopyScope::Item);
      return;
    }
    bool partial = !kernel_.coversBlock(herd);
    redundant_ = kernel_.herds[&op] == HerdMode::AllLanes && !tellsLanesApart(op);
    herd_ = true;
    inDomain(op, partial, [&] { visitBlock(herd.body()); });
    herd_ = redundant_ = isWave_ = false;
  }

  void markCopies(Operation& herd, CopyScope scope) {
    herd.walk([&](Operation& op) {
      if (isa<air::DmaMemcpyNdOp>(&op)) kernel_.copies[&op] = scope;
    });
  }

  void visitDivergent(Operation& op) {
    if (domain_) {
      ++divergent_;
      visitRegions(op);
      --divergent_;
      return;
    }
    if (conflicts(touchesInside(op))) barrierBefore(op);
    inDomain(op, /*divergent=*/true, [&] { visitRegions(op); });
  }

  void inDomain(Operation& op, bool divergent, FunctionRef<void()> visitBody) {
    Operation* outer = std::exchange(domain_, &op);
    divergent_ += divergent;
    visitBody();
    divergent_ -= divergent;
    domain_ = outer;
    Touches left;
    for (Touch touch : pending_) {
      if (touch.domain == &op) touch.domain = outer;
      add(left, touch);
    }
    pending_ = std::move(left);
  }

  // -- Regions ----------------------------------------------------------------------------------

  void visitRegions(Operation& op) {
    touch(op, touchesOfControl(op));
    bool loops = op.hasTrait(Trait::LoopLike) || op.hasTrait(Trait::ParallelLoop);
    bool blocks = std::any_of(op.regions().begin(), op.regions().end(),
                              [](Region& region) { return region.numBlocks() > 1; });
    return loops || blocks ? visitLoop(op) : visitBranches(op);
  }

  Touches touchesOfControl(Operation& op) {
    if (op.hasTrait(Trait::RecursiveEffects)) return {};
    return touchesOf(op, domain_);
  }

  /// Regions one after the other, and again where that leaves what was not there before. After it,
  /// what was there before may still be pending.
  void visitLoop(Operation& op) {
    Touches before = pending_;
    visitInSequence(op);
    Touches entry = before;
    addAll(entry, pending_);
    if (entry.size() != before.size()) {
      pending_ = std::move(entry);
      visitInSequence(op);
    }
    if (!runsAtLeastOnce(op)) addAll(pending_, before);
  }

  void visitInSequence(Operation& op) {
    for (Region& region : op.regions())
      for (Block& block : region.blocks()) {
        Touches entry = pending_;
        visitBlock(block);
        if (region.numBlocks() > 1) addAll(pending_, entry);
      }
  }

  void visitBranches(Operation& op) {
    Touches before = pending_, after;
    bool all = op.numRegions() > 0;
    for (Region& region : op.regions()) {
      all = all && !region.empty();
      if (region.empty()) continue;
      pending_ = before;
      visitBlock(region.front());
      addAll(after, pending_);
    }
    if (!all) addAll(after, before);
    pending_ = std::move(after);
  }

  Kernel& kernel_;
  Divergence diverges_;
  Touches pending_;
  Operation* domain_ = nullptr;
  bool herd_ = false;
  bool redundant_ = false;
  bool isWave_ = false;  ///< in a herd whose waves share their ops
  int divergent_ = 0;
  std::vector<Operation*> reported_;
  LogicalResult result_ = success();
};

}  // namespace

LogicalResult placeBarriers(Kernel& kernel) { return BarrierPlacer(kernel).run(); }

}  // namespace airlite::gpu
