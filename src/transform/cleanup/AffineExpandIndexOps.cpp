// affine-expand-index-ops: index splitting and joining as arithmetic.
//
// Matches affine.delinearize_index and affine.linearize_index. They become arith on index:
// divisions and remainders that round towards minus infinity, products and sums.
//
// Declines, with an error at the op: a basis with a constant that is not positive.
#include "airlite/pass/Pass.hpp"
#include "airlite/transform/Lowering.hpp"

namespace airlite {

namespace {

class AffineExpandIndexOps : public Pass {
 public:
  AffineExpandIndexOps()
      : Pass("affine-expand-index-ops", "Replaces index splitting and joining by arith") {
    example("airlite-opt --affine-expand-index-ops in.mlir");
  }

  PassResult run(Operation& op, PassContext&) override {
    bool changed = false;
    if (failed(expandAffineIndexOps(op, &changed))) return PassResult::Failed;
    return changedIf(changed);
  }
};

}  // namespace

void registerAffineExpandIndexOps(PassRegistry& registry) { registry.add<AffineExpandIndexOps>(); }

}  // namespace airlite
