// Spreads the vectors of a herd over the lanes of its waves (attribute airlite.spread): a vector of
// the wave becomes the fragment that a lane has of it. Products become matrix instructions, loads
// and stores those of the lane's elements, up to 16 bytes at a time.
#include "SpreadAccess.hpp"
#include "SpreadMath.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace airlite::gpu {
namespace {

/// Dialects and ops whose meaning does not change when each lane runs them on its part.
constexpr std::string_view kPlainDialects[] = {"arith", "math", "affine"};
constexpr std::string_view kPlainOps[] = {"scf.for",
                                          "scf.if",
                                          "scf.yield",
                                          "memref.load",
                                          "memref.store",
                                          "memref.dim",
                                          "memref.subview",
                                          "memref.cast",
                                          "memref.collapse_shape",
                                          "gpu.barrier",
                                          "gpu.schedule_barrier",
                                          "gpu.block_id",
                                          "gpu.grid_dim",
                                          "air.herd_terminator"};

/// One class: each kind of op is a few lines, and all need the layouts and the fragments.
class HerdSpreader {
 public:
  HerdSpreader(Kernel& kernel, Operation& scope)
      : kernel_(kernel),
        scope_(scope),
        builder_(scope.context()),
        accesses_(kernel, scope, builder_) {}

  LogicalResult run() {
    if (failed(checkOps())) return failure();
    separateConstants();
    if (failed(findLayouts(kernel_, scope_, layouts_))) return failure();
    for (const auto& [value, layout] : layouts_)
      fragments_[value] = fragmentType(value, layout.elements);
    std::vector<Operation*> ops;
    scope_.walk([&](Operation& op) { ops.push_back(&op); }, WalkOrder::PreOrder);
    for (Operation* op : ops)
      plan(*op);
    for (Operation* op : ops)
      if (op != &scope_ && failed(rewrite(*op))) return failure();
    for (Operation* op : dead_)
      op->erase();
    return success();
  }

 private:
  // -- Before --------------------------------------------------------------------------------------

  LogicalResult checkOps() {
    LogicalResult result = success();
    scope_.walk([&](Operation& op) {
      if (&op == &scope_ || isKnown(op)) return;
      result = failure();
      op.emitOpError() << "not supported in a herd whose vectors are spread over lanes ("
                       << kSpreadAttr << ")";
    });
    return result;
  }

  bool isKnown(const Operation& op) const {
    const std::string_view name = op.name();
    // A lane's own, not the wave's: memory of L1, and vectors from outside.
    for (Value operand : op.operands())
      if (isLevel(operand, air::MemoryLevel::L1) ||
          (operand.type().isa<VectorType>() && !isInHerd(operand)))
        return false;
    if (std::ranges::count(kPlainOps, name) || op.def().dialect == "vector") return true;
    const bool isPlain =
        std::ranges::count(kPlainDialects, std::string_view(op.def().dialect)) != 0;
    return isPlain && (!usesVectors(op) || vector::isElementwise(op) || op.is("arith.constant"));
  }

  static bool usesVectors(const Operation& op) {
    const auto isVector = [](Value value) { return value.type().isa<VectorType>(); };
    return std::ranges::any_of(op.operands(), isVector) ||
           std::ranges::any_of(op.resultValues(), isVector);
  }

  bool isInHerd(Value value) const { return scope_.isAncestor(value.parentBlock()->parentOp()); }

  /// Each use of a vector that no load or product makes (constants, repeated numbers, places, and what is
  /// computed from these alone) gets one of its own, which lies as the use asks for.
  void separateConstants() {
    std::vector<Operation*> sources;
    std::unordered_set<Operation*> known;
    scope_.walk(
        [&](Operation& op) {
          if (!isSource(op, known)) return;
          known.insert(&op);
          sources.push_back(&op);
        },
        WalkOrder::PreOrder);
    // Users first: each copy is one more use of its operands.
    for (size_t i = sources.size(); i-- > 0;)
      separateUses(*sources[i]);
  }

  static bool isSource(Operation& op, const std::unordered_set<Operation*>& known) {
    if (op.numResults() != 1 || !op.result().type().isa<VectorType>()) return false;
    if (op.is("arith.constant") || op.is("vector.step")) return true;
    if (op.is("vector.broadcast") && !op.operand(0).type().isa<VectorType>()) return true;
    return vector::isElementwise(op) && std::ranges::all_of(op.operands(), [&](Value operand) {
             return !operand.type().isa<VectorType>() || known.count(operand.definingOp());
           });
  }

  void separateUses(Operation& op) {
    std::vector<OpOperand*> uses;
    for (OpOperand& use : op.result().uses())
      uses.push_back(&use);
    for (size_t i = 1; i < uses.size(); ++i) {
      builder_.setBefore(op);
      uses[i]->set(builder_.clone(op)->result());
    }
  }

  static Type fragmentType(Value value, int64_t elements) {
    return VectorType::get(value.type().context(), std::span(&elements, 1),
                           elementTypeOrSelf(value.type()));
  }

  /// What later depends on types and values that are replaced on the way.
  void plan(Operation& op) {
    if (isa<vector::ContractOp>(&op)) planFactors(vector::ContractOp(&op));
    if (op.is("vector.store") || op.is("vector.transfer_write"))
      accessed_[&op] = layouts_.at(op.operand(0));
    if (op.is("vector.load") || op.is("vector.transfer_read"))
      accessed_[&op] = layouts_.at(op.result());
    if (op.is("vector.reduction") || isa<vector::MultiReductionOp>(&op) || isRepeat(op)) {
      accessed_[&op] = layouts_.at(op.operand(0));
      for (int64_t size : op.operand(0).type().cast<VectorType>().shape())
        isOne_[&op].push_back(size == 1);
    }
    if (isa<vector::MultiReductionOp>(&op)) kept_[&op] = vector::MultiReductionOp(&op).keptDims();
    if (op.is("vector.step") || isRepeat(op)) results_[&op] = layouts_.at(op.result());
    const bool isTransfer = op.is("vector.transfer_read") || op.is("vector.transfer_write");
    if (isTransfer && !vector::TransferOp(&op).isAllInBounds()) guarded_.insert(&op);
  }

  void planFactors(vector::ContractOp contract) {
    const ContractPlan plan = *planContract(kernel_, contract);
    plans_[contract.op()] = plan;
    const std::pair<Value, const Layout*> factors[] = {{contract.lhs(), &plan.lhs},
                                                       {contract.rhs(), &plan.rhs}};
    for (size_t i = 0; i < 2; ++i) {
      const auto& [value, wanted] = factors[i];
      const Layout& layout = layouts_.at(value);
      const Type element = elementTypeOrSelf(value.type());
      if (!isSame(layout, *wanted, kernel_.shape.wave))
        exchanges_[contract.op()][i] =
            exchangeBetween(layout, *wanted, element, kernel_.shape.wave);
    }
  }

  static bool isRepeat(const Operation& op) {
    return op.is("vector.broadcast") && op.operand(0).type().isa<VectorType>();
  }

  // -- Ops -----------------------------------------------------------------------------------------

  LogicalResult rewrite(Operation& op) {
    builder_.setBefore(op);
    if (op.def().dialect == "vector") return rewriteVector(op);
    if (op.is("memref.store")) return rewriteStore(op);
    if (op.is("arith.constant") && op.result().type().isa<VectorType>()) return rewriteConstant(op);
    retype(op);
    return success();
  }

  void retype(Operation& op) {
    for (Value result : op.resultValues())
      retype(result);
    for (Region& region : op.regions())
      for (Block& block : region.blocks())
        for (Value argument : block.arguments())
          retype(argument);
  }

  void retype(Value value) {
    if (const auto known = fragments_.find(value); known != fragments_.end())
      value.setType(known->second);
  }

  LogicalResult rewriteConstant(Operation& op) {
    const auto dense = op.attr("value").dynCast<DenseElementsAttr>();
    if (!dense || !dense.isSplat())
      return op.emitOpError() << "not supported: a constant vector with different elements in a "
                                 "herd whose vectors are spread over lanes";
    retype(op);
    const Attribute element[] = {dense.splatValue()};
    op.setAttr("value", DenseElementsAttr::get(op.result().type().cast<ShapedType>(), element));
    return success();
  }

  LogicalResult rewriteVector(Operation& op) {
    if (op.is("vector.load") || op.is("vector.store")) return rewriteAccess(op);
    if (op.is("vector.transfer_read") || op.is("vector.transfer_write")) return rewriteTransfer(op);
    if (isa<vector::ContractOp>(&op)) return rewriteContract(vector::ContractOp(&op));
    if (op.is("vector.transpose")) return replace(op, op.operand(0));
    if (op.is("vector.broadcast")) return rewriteBroadcast(op);
    if (op.is("vector.reduction")) return rewriteReduction(vector::ReductionOp(&op));
    if (isa<vector::MultiReductionOp>(&op)) return rewriteReductions(vector::MultiReductionOp(&op));
    if (op.is("vector.step")) return replace(op, accesses_.places(op.location(), results_.at(&op)));
    if (op.is("vector.fma")) {
      retype(op);
      return success();
    }
    return op.emitOpError() << "not supported in a herd whose vectors are spread over lanes ("
                            << kSpreadAttr << ")";
  }

  /// Later ops find the new value; the old op goes at the end.
  LogicalResult replace(Operation& op, Value by) {
    op.result().replaceAllUsesWith(by);
    dead_.insert(dead_.begin(), &op);
    return success();
  }

  // -- Products and reductions ---------------------------------------------------------------------

  LogicalResult rewriteContract(vector::ContractOp contract) {
    Value factors[] = {contract.lhs(), contract.rhs()};
    if (const auto known = exchanges_.find(contract.op()); known != exchanges_.end())
      for (size_t i = 0; i < 2; ++i)
        if (known->second[i]) factors[i] = exchanged(factors[i], *known->second[i]);
    builder_.setBefore(*contract.op());
    return replace(*contract.op(), multiplyFragments(builder_, plans_.at(contract.op()), factors[0],
                                                     factors[1], contract.accumulator()));
  }

  /// Made once for all users, which ask for the same.
  Value exchanged(Value fragment, const LaneExchange& exchange) {
    Value& made = exchanged_[fragment];
    if (made) return made;
    if (Operation* op = fragment.definingOp())
      builder_.setAfter(*op);
    else
      builder_.setBefore(fragment.argumentBlock()->front());
    made = exchangeFragment(builder_, fragment, exchange, kernel_.lane, kernel_.shape.wave);
    return made;
  }

  LogicalResult rewriteBroadcast(Operation& op) {
    if (isRepeat(op))
      return replace(op, repeatFragment(builder_, op.operand(0), accessed_.at(&op),
                                        results_.at(&op), isOne_.at(&op)));
    retype(op);
    return success();
  }

  /// Of all elements.
  LogicalResult rewriteReduction(vector::ReductionOp reduction) {
    const auto results = reduced(reduction, {});
    if (results.empty()) return failure();
    const Value all = reduction.accumulator();
    return replace(*reduction.op(), all ? combine(reduction, results[0], all) : results[0]);
  }

  LogicalResult rewriteReductions(vector::MultiReductionOp reduction) {
    if (!reduction.result().type().isa<VectorType>())
      return reduction->emitOpError()
             << "not supported: a reduction of all dimensions at once in a "
                "herd whose vectors are spread over lanes";
    const auto results = reduced(reduction, kept_.at(reduction.op()));
    if (results.empty()) return failure();
    const Type types[] = {fragments_.at(reduction.result())};
    const Value all =
        builder_.create(reduction->location(), "vector.from_elements", results, types)->result();
    return replace(*reduction.op(), combine(reduction, all, reduction.accumulator()));
  }

  std::vector<Value> reduced(vector::ReductionOp reduction, const std::vector<int64_t>& kept) {
    auto results =
        reduceFragment(builder_, reduction->location(), reduction.source(),
                       accessed_.at(reduction.op()), kept, reduction.kind(), kernel_.shape.wave);
    if (results.empty())
      reduction->emitOpError()
          << "not supported: this reduction in a herd whose vectors are spread "
             "over lanes; of elements that a lane can exchange and has once is";
    return results;
  }

  Value combine(vector::ReductionOp reduction, Value a, Value b) {
    const std::string_view name =
        vector::combiningOp(reduction.kind(), elementTypeOrSelf(a.type()).isFloat());
    return builder_.create(reduction->location(), name, {a, b}, {a.type()})->result();
  }

  /// All lanes have the number; the first one writes it.
  LogicalResult rewriteStore(Operation& op) {
    if (op.operand(0).type().isa<VectorType>())
      return op.emitOpError()
             << "not supported: a vector as an element in a herd whose vectors are "
                "spread over lanes";
    op.moveBefore(&enterLanes(op.location(), kernel_.shape.wave - 1));
    return success();
  }

  /// What is built next is for lanes whose numbers have none of these bits; returns the end of that.
  Operation& enterLanes(Location location, int64_t bits) {
    const Value mask = builder_.constantIndex(location, bits);
    const Value part =
        builder_.create(location, "arith.andi", {kernel_.lane, mask}, {mask.type()})->result();
    IndexMath math(builder_, location);
    scf::IfOp guard =
        scf::IfOp::create(builder_, location, {}, math.compare(arith::CmpIPredicate::eq, part, 0));
    builder_.setBefore(guard.thenBlock().back());
    return guard.thenBlock().back();
  }

  // -- Accesses ------------------------------------------------------------------------------------

  LogicalResult rewriteTransfer(Operation& op) {
    const vector::TransferOp transfer(&op);
    const AffineMap map = transfer.permutationMap();
    bool isPlain = !transfer.mask() && transfer.source().type().isa<MemRefType>();
    for (unsigned i = 0; i < map.numResults(); ++i)
      isPlain = isPlain && map.result(i).kind() == AffineKind::Dim;
    if (!isPlain)
      return op.emitOpError() << "not supported: a mask, a broadcast or a tensor in a herd whose "
                                 "vectors are spread over lanes";
    return rewriteAccess(op);
  }

  LogicalResult rewriteAccess(Operation& op) {
    const bool isRead = op.numResults() == 1;
    if (!op.operand(isRead ? 0 : 1).type().cast<MemRefType>().stridedForm())
      return op.emitOpError() << "not supported: a memref whose layout has no strides";
    const Layout& layout = accessed_.at(&op);
    const bool isGuarded = guarded_.count(&op) != 0;
    if (isRead) return replace(op, accesses_.read(op, layout, isGuarded));
    // One of the lanes that have the same elements writes them: another one may have read before.
    if (const int64_t repeated = repeatedLanes(layout, kernel_.shape.wave))
      enterLanes(op.location(), repeated);
    accesses_.write(op, layout, isGuarded, op.operand(0));
    dead_.insert(dead_.begin(), &op);
    return success();
  }

  Kernel& kernel_;
  Operation& scope_;
  Builder builder_;
  LaneAccessWriter accesses_;
  Layouts layouts_;
  std::unordered_map<Value, Type> fragments_;
  std::unordered_map<Operation*, ContractPlan> plans_;
  std::unordered_map<Operation*, std::array<std::optional<LaneExchange>, 2>> exchanges_;
  std::unordered_map<Value, Value> exchanged_;
  std::unordered_map<Operation*, Layout> accessed_;  ///< in memory, or of the first operand
  std::unordered_map<Operation*, Layout> results_;
  std::unordered_map<Operation*, std::vector<int64_t>> kept_;
  std::unordered_map<Operation*, std::vector<bool>> isOne_;  ///< dimensions of the first operand
  std::unordered_set<Operation*> guarded_;                   ///< elements may be out of bounds
  std::vector<Operation*> dead_;
};

/// A part of a herd that has been spread by itself.
void dissolve(Operation& region) {
  region.region().front().back().erase();
  Rewriter(region.context()).inlineBlockBefore(region.region().front(), region, {});
  region.erase();
}

}  // namespace

LogicalResult spreadVectors(Kernel& kernel) {
  std::vector<Operation*> scopes;
  kernel.func->walk([&](Operation& op) {
    if (op.hasAttr(kSpreadAttr)) scopes.push_back(&op);
  });
  for (Operation* scope : scopes) {
    if (failed(HerdSpreader(kernel, *scope).run())) return failure();
    if (scope->is("scf.execute_region")) dissolve(*scope);
  }
  return success();
}

}  // namespace airlite::gpu
