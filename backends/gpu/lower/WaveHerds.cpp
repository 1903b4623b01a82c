// Herds whose ops the lanes of a wave share. Where nothing in a body tells lanes apart, one lane could run it, and L1
// would be its private memory (HerdModes.cpp). With structured ops and copies in it, all lanes run it instead:
// they have the same numbers and take the same ways, L1 of a processing element is a part of LDS, copies and the points
// of structured ops are divided among them, products of matrices are matrix instructions (WaveProduct.cpp), so are
// rounds of loops that touch elements of their own (WaveLoops.cpp), and what is left to write, the first lane writes.
// Lanes meet between two ops of which one needs what the other has done.
//
// Left as they are: herds whose L1 does not fit what is left of LDS, with a remark, or is used outside of herds.
#include "IndexMath.hpp"
#include "Kernel.hpp"
#include "Side.hpp"
#include "WaveLoops.hpp"
#include "WaveProduct.hpp"
#include "WaveViews.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/gpu/lower/Lower.hpp"
#include "airlite/transform/LinalgPoints.hpp"
#include "airlite/transform/Lowering.hpp"

#include <algorithm>
#include <set>

namespace airlite::gpu {
namespace {

template <typename Holds> bool anyInside(Operation& root, Holds holds) {
  bool found = false;
  root.walkWith([&](Operation& op) {
    found = found || holds(op);
    return isLeaf(op) || found ? WalkResult::Skip : WalkResult::Advance;
  });
  return found;
}

/// What lanes share.
bool isShared(Operation& op) {
  if (isa<air::DmaMemcpyNdOp>(&op)) return true;
  const auto structured = linalg::asStructured(&op);
  return structured && structured.onBuffers();
}

/// Ops that hand a buffer on in a way that nobody follows here.
bool hidesBuffer(Operation& op) {
  if (op.hasTrait(Trait::ViewLike) || op.def().dialect == "linalg") return false;
  const auto isBuffer = [](Value value) { return value.type().isa<MemRefType>(); };
  return !isLeaf(op) || op.hasTrait(Trait::Terminator) ||
         std::ranges::any_of(op.resultValues(), isBuffer);
}

// -- Which herds ----------------------------------------------------------------------------------

/// Sums of so many do not overflow.
constexpr int64_t kTooManyBytes = int64_t(1) << 40;

class WaveHerdChooser {
 public:
  explicit WaveHerdChooser(Kernel& kernel) : kernel_(kernel) {}

  LogicalResult run() {
    for (Operation* herd : kernel_.uniform)
      if (failed(toPlainLoops(*herd))) return failure();
    for (Operation* herd : kernel_.uniform)
      if (kernel_.herds[herd] == HerdMode::FirstLane && canShare(*herd))
        useL2InPlace(kernel_, *herd);
    kernel_.func->walk(
        [&](Operation& op) {
          if (isa<air::HerdOp>(&op) && canShare(op)) herds_.push_back(&op);
          collectBuffers(op);
          if (op.is("memref.alloc")) used_ += alignedForLds(bytesOf(&op));
        },
        WalkOrder::PreOrder);
    while (dropSharers()) {
    }
    for (Operation* herd : herds_)
      if (kernel_.herds[herd] != HerdMode::Wave) take(*herd);
    placeBuffers();
    return success();
  }

 private:
  /// Bytes of LDS of a wave: those of what lasts come first, then one herd after the other has the same ones.
  struct Layout {
    int64_t lasting = 0;
    std::unordered_map<Operation*, int64_t> ofHerds;

    void add(int64_t bytes, Operation* herd) {
      int64_t& sum = herd ? ofHerds[herd] : lasting;
      sum = std::min(sum + alignedForLds(bytes), kTooManyBytes);
    }

    int64_t bytes() const {
      int64_t most = 0;
      for (const auto& [herd, sum] : ofHerds)
        most = std::max(most, sum);
      return lasting + most;
    }
  };

  static int64_t bytesOf(Operation* buffer) {
    return std::min(
        bytesOfBuffer(buffer->result().type().cast<MemRefType>()).value_or(kTooManyBytes),
        kTooManyBytes);
  }

  /// Loops of other kinds become such as rounds are divided of.
  static LogicalResult toPlainLoops(Operation& herd) {
    std::vector<Operation*> parallel;
    herd.walk([&](Operation& op) {
      if (op.is("scf.parallel")) parallel.push_back(&op);
    });
    Rewriter rewriter(herd.context());
    for (Operation* op : parallel)
      if (failed(parallelToLoops(*op, rewriter))) return failure();
    const bool hasAffine = anyInside(
        herd, [](Operation& op) { return op.is("affine.load") || op.is("affine.store"); });
    return hasAffine ? lowerAffine(herd) : success();
  }

  bool canShare(Operation& herd) {
    if (!kernel_.uniform.count(&herd)) return false;
    bool hasWork = anyInside(herd, isShared);
    herd.walk([&](Operation& op) { hasWork = hasWork || hasOwnRounds(kernel_, op); });
    if (!hasWork) return false;
    // What a write gives back would differ between the lanes.
    return !anyInside(
        herd, [](Operation& op) { return isLeaf(op) && op.hasResultUses() && mayWrite(op); });
  }

  void collectBuffers(Operation& op) {
    Operation* herd = op.parentOfName("air.herd");
    for (Value operand : op.operands()) {
      if (!isLevel(operand, air::MemoryLevel::L1) || op.hasTrait(Trait::ViewLike)) continue;
      Operation* buffer = memref::viewSource(operand).definingOp();
      if (!buffer || !buffer->is("memref.alloca") || hidesBuffer(op)) {
        dropped_.insert(herd);
        if (!buffer || !buffer->is("memref.alloca")) continue;
      }
      users_[buffer].insert(herd);
      buffers_[herd].insert(buffer);
    }
  }

  bool isTaken(Operation* herd) const {
    return herd && !dropped_.count(herd) && std::ranges::count(herds_, herd);
  }

  /// A buffer is of one kind for all of its users.
  bool dropSharers() {
    const auto isDropped = [&](Operation* herd) {
      return !isTaken(herd) || std::ranges::any_of(buffers_[herd], [&](Operation* buffer) {
        return std::ranges::any_of(users_[buffer], [&](Operation* user) { return !isTaken(user); });
      });
    };
    return std::erase_if(herds_, isDropped) != 0;
  }

  /// `herd` and all that share memory with it, where there is LDS for them.
  void take(Operation& herd) {
    std::vector<Operation*> herds = {&herd}, buffers;
    std::set<Operation*> known = {&herd};
    for (size_t i = 0; i < herds.size(); ++i)
      for (Operation* buffer : buffers_[herds[i]]) {
        if (!known.insert(buffer).second) continue;
        buffers.push_back(buffer);
        for (Operation* user : users_[buffer])
          if (known.insert(user).second) herds.push_back(user);
      }
    Layout layout = layout_;
    for (Operation* buffer : buffers)
      layout.add(bytesOf(buffer), herdOf(buffer));
    const int64_t waves = kernel_.shape.x * kernel_.shape.y, left = amdgpu::kMaxLdsBytes - used_;
    if (layout.bytes() > left / waves) {
      kernel_.context->remark(herd, "one lane of a wave runs it: L1 of its " +
                                        std::to_string(waves) + " waves takes " +
                                        std::to_string(layout.bytes() * waves) +
                                        " bytes of LDS, and " + std::to_string(left) + " are left");
      return;
    }
    layout_ = layout;
    for (Operation* each : herds)
      kernel_.herds[each] = HerdMode::Wave;
    taken_.insert(taken_.end(), buffers.begin(), buffers.end());
  }

  /// The herd that alone has `buffer`; null: it lasts longer.
  Operation* herdOf(Operation* buffer) {
    return kernel_.herdBuffers.count(buffer) ? *users_[buffer].begin() : nullptr;
  }

  void placeBuffers() {
    std::ranges::sort(taken_, [](Operation* a, Operation* b) { return a->isBeforeInBlock(b); });
    Layout placed;
    for (Operation* buffer : taken_) {
      Operation* herd = herdOf(buffer);
      kernel_.waveBuffers.emplace_back(
          buffer, herd ? layout_.lasting + placed.ofHerds[herd] : placed.lasting);
      placed.add(bytesOf(buffer), herd);
    }
    kernel_.waveBytes = layout_.bytes();
  }

  Kernel& kernel_;
  std::vector<Operation*> herds_;
  std::set<Operation*> dropped_;
  std::unordered_map<Operation*, std::set<Operation*>> users_;    ///< of a buffer; null: no herd
  std::unordered_map<Operation*, std::set<Operation*>> buffers_;  ///< of a herd
  std::vector<Operation*> taken_;                                 ///< buffers
  Layout layout_;
  int64_t used_ = 0;  ///< bytes of L2
};

// -- What their lanes do --------------------------------------------------------------------------

/// Memory that ops since the last meeting of the lanes have read and written.
class PendingAccesses {
 public:
  explicit PendingAccesses(const Kernel& kernel) : kernel_(kernel) {}

  bool isEmpty() const { return accesses_.empty(); }
  void clear() { accesses_.clear(); }

  /// What `op` and all in it do.
  void add(Operation& op) {
    for (const Access& access : accessesOf(op))
      if (!std::ranges::count(accesses_, access)) accesses_.push_back(access);
  }

  bool conflictWith(Operation& op) const {
    return std::ranges::any_of(accessesOf(op), [&](const Access& now) {
      return std::ranges::any_of(accesses_, [&](const Access& before) {
        const bool mayMeet = !now.buffer || !before.buffer || now.buffer == before.buffer;
        return mayMeet && (now.isWrite || before.isWrite);
      });
    });
  }

 private:
  struct Access {
    Value buffer;  ///< null: any memory
    bool isWrite = false;
    bool operator==(const Access&) const = default;
  };

  std::vector<Access> accessesOf(Operation& root) const {
    std::vector<Access> accesses;
    root.walkWith([&](Operation& op) {
      if (!isLeaf(op)) return WalkResult::Advance;
      std::vector<EffectInstance> effects;
      if (!effectsOf(op, effects)) accesses.push_back({Value(), true});
      for (const EffectInstance& effect : effects) {
        const bool isWrite = effect.effect == Effect::Write;
        if (!isWrite && effect.effect != Effect::Read) continue;
        accesses.push_back({effect.value ? rootOf(kernel_, effect.value) : Value(), isWrite});
      }
      return WalkResult::Skip;
    });
    return accesses;
  }

  const Kernel& kernel_;
  std::vector<Access> accesses_;
};

class WaveSharer {
 public:
  WaveSharer(Kernel& kernel, Operation& herd)
      : kernel_(kernel), builder_(herd.context()), pending_(kernel) {}

  /// Lanes have met before it, and have after it.
  void visitBlock(Block& block) {
    for (Operation* op = block.empty() ? nullptr : &block.front(); op;) {
      Operation* next = op->next();
      visit(*op);
      op = next;
    }
    if (!pending_.isEmpty()) meetBefore(block.back());
  }

 private:
  void visit(Operation& op) {
    if (op.is("gpu.barrier")) return isLdsBarrier(op) ? void() : pending_.clear();
    if (isa<air::DmaMemcpyNdOp>(&op)) return access(op);
    if (isShared(op)) return share(linalg::asStructured(&op));
    if (!anyInside(op, [](Operation& inner) { return isLeaf(inner) && mayWrite(inner); }))
      return access(op);
    if (hasOwnRounds(kernel_, op)) {
      access(op);
      return divideRounds(kernel_, op);
    }
    const bool isWhole = isLeaf(op) || (!op.hasResultUses() && !holdsSharedWork(op));
    if (isWhole) return leaveToFirstLane(op);
    if (!pending_.isEmpty()) meetBefore(op);
    for (Region& region : op.regions())
      for (Block& block : region.blocks())
        visitBlock(block);
  }

  bool holdsSharedWork(Operation& root) const {
    bool found =
        anyInside(root, [](Operation& op) { return isShared(op) || op.is("gpu.barrier"); });
    root.walk([&](Operation& op) { found = found || hasOwnRounds(kernel_, op); });
    return found;
  }

  void share(linalg::StructuredOp op) {
    if (!linalg::pointObstacle(op).empty() || readsWhatOthersWrite(op) || writesPlacesTwice(op))
      return leaveToFirstLane(*op);
    access(*op);
    if (!writeProduct(kernel_, op)) writePoints(op);
    op->erase();
  }

  /// A point reads elements that others write.
  static bool readsWhatOthersWrite(linalg::StructuredOp op) {
    const auto maps = op.indexingMaps();
    for (unsigned out = op.numInputs(); out < op->numOperands(); ++out)
      for (unsigned i = 0; i < op->numOperands(); ++i) {
        const Value a = op->operand(i), b = op->operand(out);
        if (i == out || !a.type().isa<MemRefType>()) continue;
        const bool isSamePlace = a == b && maps[i] == maps[out];
        if (!isSamePlace && memref::viewSource(a) == memref::viewSource(b)) return true;
      }
    return false;
  }

  static bool writesPlacesTwice(linalg::StructuredOp op) {
    for (unsigned i = op.numInputs(); i < op->numOperands(); ++i) {
      const auto type = op->operand(i).type().dynCast<MemRefType>();
      if (type && !areApart(type)) return true;
    }
    return false;
  }

  /// Neighbours have neighbours.
  void writePoints(linalg::StructuredOp op) {
    builder_.setBefore(*op);
    const IndexMath math(builder_, op->location());
    linalg::PointWriter points(op, builder_, {});
    const Value count = points.count();
    const auto known = constantIntOf(count);
    const int64_t wave = kernel_.shape.wave;
    if (known && *known <= wave) {
      if (*known < wave)
        openIf(math.compare(arith::CmpIPredicate::ult, Index(kernel_.lane), Index(*known)));
      return points.write(kernel_.lane);
    }
    const bool isEven = known && *known % wave == 0;
    const Value from = isEven ? math.value(0) : kernel_.lane;
    scf::ForOp loop = scf::ForOp::create(builder_, op->location(), from, count, math.value(wave));
    builder_.setBefore(loop.body().back());
    const Index at = Index(loop.inductionVar());
    points.write(math.value(isEven ? math.add(at, Index(kernel_.lane)) : at));
  }

  void openIf(Value condition) {
    scf::IfOp guard = scf::IfOp::create(builder_, condition.location(), {}, condition);
    builder_.setBefore(guard.thenBlock().back());
  }

  void leaveToFirstLane(Operation& op) {
    access(op);
    builder_.setBefore(op);
    const IndexMath math(builder_, op.location());
    scf::IfOp guard =
        scf::IfOp::create(builder_, op.location(), {},
                          math.compare(arith::CmpIPredicate::eq, Index(kernel_.lane), 0));
    op.moveBefore(&guard.thenBlock().back());
  }

  /// Lanes meet before `op` where some may not have done what it needs.
  void access(Operation& op) {
    if (pending_.conflictWith(op)) meetBefore(op);
    pending_.add(op);
  }

  void meetBefore(Operation& op) {
    Builder::before(op).create(op.location(), "gpu.wave_barrier", {}, {});
    pending_.clear();
  }

  Kernel& kernel_;
  Builder builder_;
  PendingAccesses pending_;
};

}  // namespace

LogicalResult chooseWaveHerds(Kernel& kernel) { return WaveHerdChooser(kernel).run(); }

void shareAmongLanes(Kernel& kernel) {
  for (auto& [herd, mode] : kernel.herds)
    if (mode == HerdMode::Wave) WaveSharer(kernel, *herd).visitBlock(air::HerdOp(herd).body());
}

}  // namespace airlite::gpu
