// air-ping-pong-transform: two buffers in turn, one filled while the other is used.
//
// Matches scf.for with `unroll = 2` and buffers with `hoist_alloc`, as
// air-label-scf-for-to-ping-pong marks them. The steps are those of other passes, which say what
// each of them needs: air-hoist-ops-not-using-ping-pong, air-unroll-loop-for-pipelining-pattern,
// air-hoist-alloc-in-for-pattern, air-construct-ping-pong-dependency-pattern. A loop that one of
// them declines keeps what the steps before have made of it, which means the same. Sibling loops
// that get from one set of channels with `air.shared_resident_ring` then share their buffers. All
// marks are gone in the end.
//
// keep-memref-dealloc: allocations and deallocations stay in the body, where a buffer lives no
// longer than its iteration. omit-memory-space: loops whose marked buffers are there are left
// alone.
//
// Declines, with a remark: what the steps decline.
#include "PingPong.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/pass/Pass.hpp"

namespace airlite {

namespace pingpong {

namespace {

class Transform : public Pass {
 public:
  Transform() : Pass("air-ping-pong-transform", "Fills one buffer while the other is used") {
    anchor("builtin.module");
    option("keep-memref-dealloc", keepDealloc_, "leave allocations and deallocations in the loop");
    option("omit-memory-space", omit_, "leave loops alone that allocate here: L1 or L2",
           {"", "L1", "L2"});
    example("airlite-opt --air-label-scf-for-to-ping-pong --air-ping-pong-transform in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    bool changed = omit(module);
    changed |= isolateLoops(module, context);
    changed |= unrollLoops(module, context);
    if (!keepDealloc_) changed |= hoistAllocs(module, context);
    std::vector<Operation*> made = constructLoops(module, context);
    changed |= !made.empty() | shareRings(made, context);
    return changedIf(removeMarks(module) | changed);
  }

 private:
  bool isOmitted(Operation& op) const {
    Operation* only = onlyOp(op);
    if (!only || !isa<memref::AllocOp>(only) || !hasMark(*only, kHoist)) return false;
    std::optional<air::MemoryLevel> level = air::memoryLevel(only->result().type());
    return level && air::levelName(*level) == omit_;
  }

  bool omit(Operation& module) const {
    bool changed = false;
    module.walk([&](Operation& op) {
      if (!isa<scf::ForOp>(&op) || !op.hasAttr(kUnroll)) return;
      bool isLeft = false;
      for (Operation& inner : scf::ForOp(&op).body().ops())
        isLeft |= isOmitted(inner);
      if (!isLeft) return;
      for (Operation& inner : scf::ForOp(&op).body().ops())
        if (Operation* only = onlyOp(inner)) only->removeAttr(kHoist);
      op.removeAttr(kUnroll);
      changed = true;
    });
    return changed;
  }

  static bool removeMarks(Operation& module) {
    bool changed = false;
    module.walk([&](Operation& op) {
      for (std::string_view mark : {kUnroll, kHoist, kIteration, kIsolated, kFront, kBack}) {
        changed |= op.hasAttr(mark);
        op.removeAttr(mark);
      }
    });
    return changed;
  }

  bool keepDealloc_ = false;
  std::string omit_;
};

}  // namespace

}  // namespace pingpong

void registerPingPongTransform(PassRegistry& registry) { registry.add<pingpong::Transform>(); }

}  // namespace airlite
