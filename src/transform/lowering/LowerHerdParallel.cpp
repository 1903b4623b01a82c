// air-lower-herd-parallel: a core runs one thing after another, and so do its parallel loops.
//
// Matches scf.parallel in an air.herd, at any depth. It becomes nested scf.for, the first dimension
// outermost, which carry what the parallel loop reduces: a reduction of tokens joins, in each
// iteration, the token carried so far with that of the iteration. The iterations are issued in
// order; what is asynchronous in them waits for what it waited for before, not for the iteration
// before. Attributes move to the outermost loop, except for `mapping`.
//
// Declines nothing in a herd; parallel loops elsewhere are left as they are.
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/transform/Lowering.hpp"

#include <algorithm>

namespace airlite {

namespace {

bool isOfParallelOnly(Identifier name) {
  return name.str() == "operandSegmentSizes" || name.str() == "mapping";
}

void lower(Operation& parallel) {
  DictionaryAttr attributes = parallel.attributes();
  Operation* next = parallel.next();  // a parallel loop ends no block
  Rewriter rewriter(parallel.context());
  (void)parallelToLoops(parallel, rewriter);  // never declines
  for (const NamedAttribute& attribute : attributes.value())
    if (!isOfParallelOnly(attribute.name))
      next->prev()->setAttr(attribute.name.str(), attribute.value);
}

class LowerHerdParallel : public Pass {
 public:
  LowerHerdParallel()
      : Pass("air-lower-herd-parallel", "Makes parallel loops in herds sequential") {
    anchor("func.func");
    example("airlite-opt --air-lower-herd-parallel in.mlir");
  }

  PassResult run(Operation& function, PassContext&) override {
    std::vector<Operation*> loops;  // inner ones first
    function.walk([&](Operation& op) {
      if (isa<scf::ParallelOp>(&op) && op.parentOf<air::HerdOp>()) loops.push_back(&op);
    });
    std::for_each(loops.begin(), loops.end(), [](Operation* loop) { lower(*loop); });
    return changedIf(!loops.empty());
  }
};

}  // namespace

void registerLowerHerdParallel(PassRegistry& registry) { registry.add<LowerHerdParallel>(); }

}  // namespace airlite
