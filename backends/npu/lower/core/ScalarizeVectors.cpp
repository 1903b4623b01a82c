// air-aie-scalarize-vectors: vectors that the vector unit has nothing for, as loops over elements.
//
// Matches, in the programs of cores, ops on vectors of any shape and element type that VectorUnit
// does not have. The result of such an op gets a buffer of its own (a memref.global, of which each
// core has one), and a loop fills it with one element after the other, in the interpreter's order.
// Elements that are needed once are computed where they are needed, without a buffer. Vectors that
// a register can hold stay values for the ops that the unit has: they are stored and loaded in
// between. Those that no register holds go through scf.for, scf.if and scf.while in buffers.
//
// Declines, with an error at the op: vectors that no register holds as arguments of functions and
// of blocks of cf, or from ops that are not known.
#include "CarriedVectors.hpp"
#include "CoreScope.hpp"
#include "LegalizePasses.hpp"
#include "ScalarChoice.hpp"
#include "VectorLanes.hpp"
#include "VectorUnit.hpp"

namespace airlite::npu {

namespace {

class Scalarization {
 public:
  explicit Scalarization(const CoreRoot& program)
      : root_(*program.root),
        lanes_(*program.root, *program.table),
        carried_(lanes_, [this](Region& region) { visit(region); }) {}
  Scalarization(const Scalarization&) = delete;

  LogicalResult run() {
    for (Region& region : root_.regions())
      visit(region);
    if (failed_ || lanes_.buffers().failed()) return failure();
    carried_.dropOperands();
    for (size_t i = dead_.size(); i-- > 0;)
      dead_[i]->erase();
    changed_ |= carried_.dropResults();
    return success();
  }
  bool changed() const { return changed_; }

 private:
  Rewriter& rewriter() { return lanes_.build().rewriter(); }

  void visit(Region& region) {
    for (Block& block : region.blocks()) {
      std::vector<Operation*> ops;
      for (Operation& op : block.ops())
        ops.push_back(&op);
      for (Operation* op : ops)
        visit(*op);
    }
  }

  void visit(Operation& op) {
    if (op.is("scf.for")) return carried_.visitFor(op);
    if (op.is("scf.if")) return carried_.visitIf(op);
    if (op.is("scf.while")) return carried_.visitWhile(op);
    for (Region& region : op.regions())
      visit(region);
    if (op.numRegions()) return;
    if (choice_.isScalarized(op)) return rewrite(op);
    replaceByLoadOrStore(op);
  }

  /// A transfer of the unit.
  void replaceByLoadOrStore(Operation& op) {
    bool isRead = op.is("vector.transfer_read");
    if (!(isRead || op.is("vector.transfer_write")) || !choice_.isOfUnit(op)) return;
    VectorAccess access = *vectorAccessOf(op);
    std::vector<Value> operands = {access.memory};
    if (!isRead) operands.insert(operands.begin(), op.operand(0));
    operands.insert(operands.end(), access.indices.begin(), access.indices.end());
    std::vector<Type> results;
    if (isRead) results.push_back(access.type);
    rewriter().setBefore(op);
    Operation* made = rewriter().create(op.location(), isRead ? "vector.load" : "vector.store",
                                        operands, results);
    if (isRead) rewriter().replaceAllUses(op.result(), made->result());
    op.erase();
    changed_ = true;
  }

  void rewrite(Operation& op) {
    const LaneRule& rule = *laneRuleOf(op);
    changed_ = true;
    dead_.push_back(&op);
    rewriter().setBefore(op);
    lanes_.build().setLocation(op.location());
    if (rule.run) {
      if (Value value = rule.run(lanes_, op)) rewriter().replaceAllUses(op.result(), value);
      return;
    }
    bool needed = choice_.isNeededWhole(op);
    if (!needed && VectorLanes::isFree(op)) return;
    if (!needed && choice_.mayDefer(op)) return lanes_.defer(op);
    lanes_.materialize(op, rule);
    for (Value result : op.resultValues())
      giveWhole(result);
  }

  void giveWhole(Value vector) {
    Operation* user = nullptr;
    if (failed_) return;
    for (OpOperand& use : vector.uses())
      if (choice_.isWholeUse(use)) user = use.owner();
    if (!user) return;
    if (isCarriedInBuffer(vector.type())) {
      failed_ = true;
      user->emitOpError() << "not supported in a core: an operand of type " << vector.type();
      return;
    }
    Value buffer = lanes_.buffers().bufferOf(vector);
    Value loaded = lanes_.buffers().loadVector(buffer, vector.type().cast<VectorType>());
    lanes_.buffers().setBuffer(loaded, buffer);
    vector.replaceUsesIf(loaded, [&](OpOperand& use) { return choice_.isWholeUse(use); });
  }

  Operation& root_;
  VectorLanes lanes_;
  ScalarChoice choice_;
  CarriedVectors carried_;
  std::vector<Operation*> dead_;
  bool failed_ = false, changed_ = false;
};

/// vector.splat is an old name of vector.broadcast.
bool renameSplats(Operation& root) {
  bool changed = false;
  for (Operation* op : opsInside(root)) {
    if (!op->is("vector.splat") || !op->result().type().isa<VectorType>()) continue;
    Rewriter rewriter(root.context());
    rewriter.setBefore(*op);
    const Value source[] = {op->operand(0)};
    const Type type[] = {op->result().type()};
    rewriter.replaceOp(*op, *rewriter.create(op->location(), "vector.broadcast", source, type));
    changed = true;
  }
  return changed;
}

class ScalarizeVectors : public CorePass {
 public:
  ScalarizeVectors()
      : CorePass("air-aie-scalarize-vectors", "Computes by elements what the vector unit cannot") {
    example("airlite-opt --air-aie-scalarize-vectors design.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    context.declareEffectChange(CountedEffect::Store, "vectors become loops of stores");
    bool changed = false;
    for (const CoreRoot& program : roots(module)) {
      changed |= renameSplats(*program.root);
      Scalarization scalarization(program);
      if (failed(scalarization.run())) return PassResult::Failed;
      changed |= scalarization.changed();
    }
    return changedIf(changed);
  }
};

}  // namespace

void registerScalarizeVectors(PassRegistry& registry) { registry.add<ScalarizeVectors>(); }

}  // namespace airlite::npu
