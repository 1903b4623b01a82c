// air-aie-core-loops: what a core computes as loops of loads, arithmetic and stores.
//
// Matches, in the programs of cores, linalg ops on buffers, affine ops, parallel loops (also
// scf.forall) and scf.index_switch. They become scf.for, scf.if, arith and memref ops; a parallel loop runs its
// iterations in order, a switch is a chain of conditionals. An elementwise linalg op on whole
// buffers becomes one loop. A loop along which all elements lie side by side goes innermost
// (VectorOrder).
//
// Declines, with an error at the op: linalg ops that have no loops (on tensors, softmax), and
// scf.forall with shared outputs.
#include "CollapseElementwise.hpp"
#include "CoreScope.hpp"
#include "LegalizePasses.hpp"
#include "VectorOrder.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/transform/LinalgToLoops.hpp"
#include "airlite/transform/Lowering.hpp"

namespace airlite::npu {

namespace {

Value isCase(Builder& builder, Location location, Value number, int64_t value) {
  Attribute equal = builder.i64Attr(static_cast<int64_t>(arith::CmpIPredicate::eq));
  Value constant = builder.constantIndex(location, value);
  return builder
      .create(location, "arith.cmpi", {number, constant}, {builder.intType(1)},
              {builder.named("predicate", equal)})
      ->result();
}

/// Case after case: `if (number == case 0) .. else if ..`, the default last.
void lowerSwitch(Operation& op) {
  scf::IndexSwitchOp choice(&op);
  std::vector<Type> types = op.resultTypes();
  Builder builder = Builder::before(op);
  Location location = op.location();
  std::vector<Operation*> conditionals;
  for (unsigned i = 0; i < choice.numCases(); ++i) {
    OperationState state(op.context(), location, "scf.if");
    state.operands = {isCase(builder, location, choice.arg(), choice.cases()[i])};
    state.resultTypes = types;
    state.addRegion();
    state.addRegion();
    Operation* conditional = builder.create(state);
    conditional->region(0).takeBody(choice.caseRegion(i));
    if (!conditionals.empty()) scf::YieldOp::create(builder, location, conditional->resultValues());
    conditionals.push_back(conditional);
    if (i + 1 < choice.numCases()) builder.setToEnd(conditional->region(1).addBlock());
  }
  if (conditionals.empty()) {
    Block& block = choice.defaultRegion().front();
    std::vector<Value> values = block.back().operands().vec();
    Rewriter rewriter(op.context());
    rewriter.eraseOp(block.back());
    rewriter.inlineBlockBefore(block, op, {});
    return rewriter.replaceOp(op, values);
  }
  conditionals.back()->region(1).takeBody(choice.defaultRegion());
  op.replaceAllUsesWith(conditionals.front()->resultValues());
  op.erase();
}

bool isLowered(Operation& op) {
  return op.is("scf.parallel") || op.is("scf.forall") || op.is("scf.index_switch");
}

LogicalResult lowerControl(Operation& root, bool& changed) {
  Rewriter rewriter(root.context());
  std::vector<Operation*> ops = opsInside(root);
  std::erase_if(ops, [](Operation* op) { return !isLowered(*op); });
  for (Operation* op : ops) {
    rewriter.setBefore(*op);
    if (op->is("scf.parallel"))
      (void)parallelToLoops(*op, rewriter);  // never declines
    else if (op->is("scf.index_switch"))
      lowerSwitch(*op);
    else if (failed(forallToLoops(*op, rewriter)))
      return failure();
  }
  changed |= !ops.empty();
  return success();
}

bool hasLinalg(Operation& root) {
  for (Operation* op : opsInside(root))
    if (op->name().starts_with("linalg.")) return true;
  return false;
}

class CoreLoops : public CorePass {
 public:
  CoreLoops() : CorePass("air-aie-core-loops", "Makes loops of what cores compute") {
    example("airlite-opt --air-aie-core-loops design.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    context.declareEffectChange(CountedEffect::Store, "linalg ops become loops of stores");
    bool changed = false;
    for (const CoreRoot& program : roots(module))
      if (failed(lower(*program.root, changed))) return PassResult::Failed;
    return changedIf(changed);
  }

 private:
  static LogicalResult lower(Operation& root, bool& changed) {
    changed |= hasLinalg(root);
    collapseElementwise(root);
    VectorOrder order;
    auto nestOf = [&](linalg::StructuredOp op) { return order.of(op); };
    if (failed(linalg::convertLinalgToLoops(root, linalg::LoopKind::Scf, nestOf))) return failure();
    bool indexOps = false, affineOps = false;
    if (failed(expandAffineIndexOps(root, &indexOps)) || failed(lowerAffine(root, &affineOps)))
      return failure();
    changed |= indexOps | affineOps;
    return lowerControl(root, changed);
  }
};

}  // namespace

void registerCoreLoops(PassRegistry& registry) { registry.add<CoreLoops>(); }

}  // namespace airlite::npu
