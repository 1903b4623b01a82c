// air-specialize-channel-wrap-and-stride: loops around channel ops become access lists.
//
// Looks at the channel ops in each function, launch or segment (`scope`).
//  1. scf.parallel around channel ops is unrolled, and what conditionals in it choose is decided.
//  2. An scf.for or affine.for with one channel op, and nothing else but calculations and joins of
//     tokens, becomes the first dimension of the op's lists: its trip count is the size, how far an
//     iteration moves the access is the stride (0: the same elements again), its lower bound goes
//     into the offsets. Offsets may be any sum of loop variables and other values, through casts,
//     affine.apply, arith and air.execute. Of a nest as many loops go as can.
//  3. Lists become canonical: a dimension of size 1 gives its offset to another one and goes,
//     neighbours that are one run in memory become one, and those of a whole memref become empty.
//     The elements of a transfer and their order never change.
//  4. Loops that are left and only move data are unrolled, copies in a chain of tokens. A transfer
//     whose place is fixed waits for its own run before, which its copies get as a token.
//
// A loop is not folded, with a remark, when a size or stride is not constant, the trip count is not
// a positive constant, it carries more than tokens, each iteration has its own place of the channel
// or its own buffer, iterations go backwards, the transfer is padded, a stride would be larger than
// 2^20 words, or cores take turns with the memory (docs/interpreter.md), which is not unrolled
// either. It is not unrolled when what is in it blocks (scf.parallel), when it has several tokens and transfers
// (its buffers are in turns), when all of 16 or more iterations are the same transfer, or when the
// copies would be too many. Offsets are taken not to overflow.
#include "ChannelSpecializer.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/pass/Pass.hpp"

namespace airlite {

namespace {

class SpecializeChannelWrapAndStride : public Pass {
 public:
  SpecializeChannelWrapAndStride()
      : Pass("air-specialize-channel-wrap-and-stride",
             "Folds loops around channel ops into access lists") {
    anchor("builtin.module");
    option("scope", scope_, "the op in whose body channel ops are looked at",
           {"func", "launch", "segment"});
    example("airlite-opt --air-specialize-channel-wrap-and-stride=scope=func in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    std::vector<Operation*> scopes;
    module.walkWith([&](Operation& op) {
      if (!isScope(op)) return WalkResult::Advance;
      scopes.push_back(&op);
      return WalkResult::Skip;
    });
    bool changed = false;
    for (Operation* scope : scopes) {
      if (!air::specializeChannels(*scope, air::ListLimits(), true, context)) continue;
      changed = true;
      air::tidyTransfers(*scope);
    }
    if (changed) air::declareCopies(context);
    return changedIf(changed);
  }

 private:
  bool isScope(Operation& op) {
    if (scope_ == "func") return isa<func::FuncOp>(&op);
    return scope_ == "launch" ? isa<air::LaunchOp>(&op) : isa<air::SegmentOp>(&op);
  }

  std::string scope_ = "segment";
};

}  // namespace

void registerSpecializeChannelWrapAndStride(PassRegistry& registry) {
  registry.add<SpecializeChannelWrapAndStride>();
}

}  // namespace airlite
