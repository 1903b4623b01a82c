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
#include "CoreMemory.hpp"
#include "CoreScope.hpp"
#include "LegalizePasses.hpp"
#include "VectorLanes.hpp"
#include "VectorUnit.hpp"
#include "airlite/dialect/Vector.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>

namespace airlite::npu {

namespace {

/// A vector that travels in a buffer.
bool isCarriedInBuffer(Type type) {
  auto vector = type.dynCast<VectorType>();
  return vector && vector.hasStaticShape() && !isUnitVector(type);
}

/// Ops that give vectors to their regions and take them from there.
bool mayCarry(Operation& op) {
  return op.is("scf.for") || op.is("scf.if") || op.is("scf.while") || op.is("scf.yield") ||
         op.is("scf.condition");
}

bool onlyReads(Operation& op) {
  if (isMemoryEffectFree(op)) return true;
  std::vector<EffectInstance> effects;
  return op.numRegions() == 0 && effectsOf(op, effects) &&
         std::all_of(effects.begin(), effects.end(),
                     [](const EffectInstance& e) { return e.effect == Effect::Read; });
}

/// Which values of an op with regions travel in buffers, and the buffers.
struct Carrier {
  Operation* op = nullptr;
  std::vector<Operation*> ends;    // terminators inside
  std::vector<unsigned> operands;  // of the op
  std::vector<unsigned> results;
};

class Scalarization {
 public:
  explicit Scalarization(const CoreRoot& program)
      : root_(*program.root), lanes_(*program.root, *program.table) {}

  LogicalResult run() {
    for (Region& region : root_.regions())
      visit(region);
    if (failed_ || lanes_.failed()) return failure();
    shrinkOperands();
    for (size_t i = dead_.size(); i-- > 0;)
      dead_[i]->erase();
    for (size_t i = carriers_.size(); i-- > 0;)
      rebuild(carriers_[i]);
    return success();
  }
  bool changed() const { return changed_; }

 private:
  Rewriter& rewriter() { return lanes_.rewriter(); }

  // -- Which ops are written anew -----------------------------------------------------------------

  bool isScalarized(Operation& op) {
    auto [place, isNew] = decided_.try_emplace(&op, false);
    if (!isNew) return place->second;
    bool answer = laneRuleOf(op) && (!unit_.has(op) || isBetterByScalars(op));
    return decided_[&op] = answer;
  }

  /// An access whose vector only scalars see.
  bool isBetterByScalars(Operation& op) {
    if (!vectorAccessOf(op)) return false;
    if (op.numResults() == 1) {
      bool all = op.hasResultUses();
      for (OpOperand& use : op.result().uses())
        all = all && !vectorAccessOf(*use.owner()) && isScalarized(*use.owner());
      return all;
    }
    Operation* made = op.operand(0).definingOp();
    return made && op.operand(0).hasOneUse() && !vectorAccessOf(*made) && isScalarized(*made);
  }

  // -- Elements that are computed where they are used ---------------------------------------------

  Operation* onlyUser(Operation& op) {
    if (op.numResults() != 1 || !op.result().hasOneUse()) return nullptr;
    Operation* user = (*op.result().uses().begin()).owner();
    return user->block() == op.block() && isScalarized(*user) ? user : nullptr;
  }

  bool mayDefer(Operation& op) {
    const LaneRule* rule = laneRuleOf(op);
    Operation* user = onlyUser(op);
    if (!user || !rule->lane) return false;
    bool isPure = isMemoryEffectFree(op);
    if (!laneRuleOf(*user)->readsOnce && isPure) return false;
    return isPure || readsTheSameThere(op);
  }

  /// Nothing changes what `read` reads until its elements are used.
  bool readsTheSameThere(Operation& read) {
    Operation* end = onlyUser(read);
    bool lanewise = laneRuleOf(*end)->isLanewise || end->is("vector.transfer_write");
    while (laneRuleOf(*end)->lane && mayDefer(*end)) {
      end = onlyUser(*end);
      lanewise = lanewise && (laneRuleOf(*end)->isLanewise || end->is("vector.transfer_write"));
    }
    for (Operation* op = read.next(); op != end; op = op->next())
      if (!onlyReads(*op)) return false;
    return end->numResults() != 0 || !mayMeet(read, *end, lanewise);
  }

  /// May a store write what the loop that stores has not read yet?
  bool mayMeet(Operation& read, Operation& write, bool lanewise) {
    Value from = read.operand(0), to = write.operand(isMaskedWrite(write) ? 0 : 1);
    std::string why;
    const Place* source = places_.find(from, why);
    Value sourceBase = source ? source->base : Value();
    const Place* target = places_.find(to, why);
    if (!sourceBase || !target) return true;
    if (sourceBase != target->base) return !isOwnMemory(sourceBase) || !isOwnMemory(target->base);
    auto one = vectorAccessOf(read), other = vectorAccessOf(write);
    return !lanewise || !one || !other || one->memory != other->memory ||
           one->indices != other->indices || one->type != other->type || isTurned(read) ||
           isTurned(write);
  }
  static bool isMaskedWrite(Operation& op) {
    return op.is("vector.maskedstore") || op.is("vector.scatter") || op.is("vector.compressstore");
  }
  static bool isTurned(Operation& op) {
    bool isTransfer = op.is("vector.transfer_read") || op.is("vector.transfer_write");
    return isTransfer && !vector::TransferOp(&op).isMinorIdentity();
  }

  // -- Ops ----------------------------------------------------------------------------------------

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
    if (op.is("scf.for")) return visitFor(op);
    if (op.is("scf.if")) return visitIf(op);
    if (op.is("scf.while")) return visitWhile(op);
    for (Region& region : op.regions())
      visit(region);
    if (op.numRegions()) return;
    if (isScalarized(op)) return rewrite(op);
    replaceByLoadOrStore(op);
  }

  /// A transfer of the unit.
  void replaceByLoadOrStore(Operation& op) {
    bool isRead = op.is("vector.transfer_read");
    if (!(isRead || op.is("vector.transfer_write")) || !unit_.has(op)) return;
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
    lanes_.setLocation(op.location());
    if (rule.run) {
      if (Value value = (lanes_.*rule.run)(op)) rewriter().replaceAllUses(op.result(), value);
      return;
    }
    bool needed = isNeededWhole(op);
    if (!needed && VectorLanes::isFree(op)) return;
    if (!needed && mayDefer(op)) return lanes_.defer(op);
    lanes_.materialize(op, rule);
    for (Value result : op.resultValues())
      giveWhole(result);
  }

  /// By an op that stays, as a value in a register.
  bool isWholeUse(OpOperand& use) {
    Operation& user = *use.owner();
    if (isScalarized(user)) return false;
    return !(mayCarry(user) && isCarriedInBuffer(use.get().type()));
  }
  bool isNeededWhole(Operation& op) {
    for (Value result : op.resultValues())
      for (OpOperand& use : result.uses())
        if (isWholeUse(use)) return true;
    return false;
  }

  void giveWhole(Value vector) {
    Operation* user = nullptr;
    if (failed_) return;
    for (OpOperand& use : vector.uses())
      if (isWholeUse(use)) user = use.owner();
    if (!user) return;
    if (isCarriedInBuffer(vector.type())) {
      failed_ = true;
      user->emitOpError() << "not supported in a core: an operand of type " << vector.type();
      return;
    }
    Value buffer = lanes_.bufferOf(vector);
    Value loaded = lanes_.loadVector(buffer, vector.type().cast<VectorType>());
    lanes_.setBuffer(loaded, buffer);
    vector.replaceUsesIf(loaded, [&](OpOperand& use) { return isWholeUse(use); });
  }

  // -- Vectors that travel in buffers -------------------------------------------------------------

  /// Buffers for those of `values` that no register holds; null for the others.
  std::vector<Value> makeBuffers(std::span<const Value> values) {
    std::vector<Value> buffers;
    for (Value value : values)
      buffers.push_back(isCarriedInBuffer(value.type())
                            ? lanes_.newBuffer(value.type().cast<VectorType>())
                            : Value());
    return buffers;
  }
  void bind(std::span<const Value> values, const std::vector<Value>& buffers) {
    for (size_t i = 0; i < values.size(); ++i)
      if (buffers[i]) lanes_.setBuffer(values[i], buffers[i]);
  }

  /// `buffers = values` in front of `end`, all at the same time: what another assignment overwrites
  /// is copied first.
  void assign(Operation& end, std::span<const Value> values, const std::vector<Value>& buffers) {
    rewriter().setBefore(end);
    lanes_.setLocation(end.location());
    std::vector<Value> copies(values.size());
    for (size_t i = 0; i < values.size(); ++i) {
      Value from = buffers[i] ? lanes_.bufferOf(values[i]) : Value();
      if (!from || from == buffers[i] || std::ranges::find(buffers, from) == buffers.end())
        continue;
      copies[i] = lanes_.newBuffer(values[i].type().cast<VectorType>());
      lanes_.copyBuffer(copies[i], from);
    }
    for (size_t i = 0; i < values.size(); ++i) {
      if (copies[i])
        lanes_.copyBuffer(buffers[i], copies[i]);
      else if (buffers[i])
        lanes_.copyInto(buffers[i], values[i]);
    }
  }

  static std::vector<unsigned> carriedOf(std::span<const Value> buffers, unsigned first) {
    std::vector<unsigned> indices;
    for (unsigned i = 0; i < buffers.size(); ++i)
      if (buffers[i]) indices.push_back(first + i);
    return indices;
  }

  void visitFor(Operation& op) {
    scf::ForOp loop(&op);
    std::vector<Value> inits = loop.initArgs().vec();
    std::vector<Value> buffers = makeBuffers(inits);
    assign(op, inits, buffers);
    bind(loop.regionIterArgs(), buffers);
    bind(op.resultValues(), buffers);
    visit(op.region());
    Operation& end = *loop.yield();
    assign(end, end.operands().vec(), buffers);
    carriers_.push_back({&op, {&end}, carriedOf(buffers, 3), carriedOf(buffers, 0)});
  }

  void visitIf(Operation& op) {
    std::vector<Value> results = op.resultValues(), buffers = makeBuffers(results);
    bind(results, buffers);
    Carrier carrier{&op, {}, {}, carriedOf(buffers, 0)};
    for (Region& region : op.regions()) {
      if (region.empty()) continue;
      visit(region);
      Operation& end = region.front().back();
      if (!results.empty()) assign(end, end.operands().vec(), buffers);
      carrier.ends.push_back(&end);
    }
    carriers_.push_back(carrier);
  }

  /// What the condition hands on is the results, and the arguments of what is done then.
  void visitWhile(Operation& op) {
    scf::WhileOp loop(&op);
    std::vector<Value> inits = loop.inits().vec(), results = op.resultValues();
    std::vector<Value> before = makeBuffers(inits), after = makeBuffers(results);
    assign(op, inits, before);
    bind(loop.beforeBody().arguments(), before);
    bind(loop.afterBody().arguments(), after);
    bind(results, after);
    visit(loop.before());
    assign(*loop.conditionOp(), loop.conditionOp().args().vec(), after);
    visit(loop.after());
    assign(*loop.yield(), loop.yield()->operands().vec(), before);
    carriers_.push_back({&op, {}, carriedOf(before, 0), carriedOf(after, 0)});
    dropOperands_.emplace_back(&*loop.conditionOp(), carriedOf(after, 1));
    dropOperands_.emplace_back(&*loop.yield(), carriedOf(before, 0));
  }

  // -- Without them -------------------------------------------------------------------------------

  static void eraseOperands(Operation& op, const std::vector<unsigned>& indices) {
    for (size_t i = indices.size(); i-- > 0;)
      op.eraseOperand(indices[i]);
  }

  void shrinkOperands() {
    for (const Carrier& carrier : carriers_) {
      eraseOperands(*carrier.op, carrier.operands);
      for (Operation* end : carrier.ends)
        eraseOperands(*end, carrier.results);
    }
    for (auto& [op, indices] : dropOperands_)
      eraseOperands(*op, indices);
  }

  static void eraseArguments(Block& block, const std::vector<unsigned>& indices, unsigned first) {
    for (size_t i = indices.size(); i-- > 0;)
      block.eraseArgument(indices[i] + first);
  }

  /// The op with the results that are left.
  void rebuild(const Carrier& carrier) {
    Operation& op = *carrier.op;
    if (carrier.results.empty() && carrier.operands.empty()) return;
    changed_ = true;
    if (op.is("scf.for")) eraseArguments(op.region().front(), carrier.results, 1);
    if (op.is("scf.while")) {
      eraseArguments(op.region(0).front(), carrier.operands, 0);
      eraseArguments(op.region(1).front(), carrier.results, 0);
    }
    OperationState state(op.location(), op.def());
    state.operands = op.operands().vec();
    state.attributes = NamedAttrList(op.attributes());
    std::vector<Value> kept;
    for (unsigned i = 0; i < op.numResults(); ++i)
      if (std::find(carrier.results.begin(), carrier.results.end(), i) == carrier.results.end())
        kept.push_back(op.result(i)), state.resultTypes.push_back(op.result(i).type());
    for (unsigned i = 0; i < op.numRegions(); ++i)
      state.addRegion();
    Builder builder = Builder::before(op);
    Operation* made = builder.create(state);
    for (unsigned i = 0; i < op.numRegions(); ++i)
      made->region(i).takeBody(op.region(i));
    for (unsigned i = 0; i < kept.size(); ++i)
      kept[i].replaceAllUsesWith(made->result(i));
    op.erase();
  }

  Operation& root_;
  VectorLanes lanes_;
  VectorUnit unit_;
  Places places_;
  std::unordered_map<Operation*, bool> decided_;
  std::vector<Operation*> dead_;
  std::vector<Carrier> carriers_;
  std::vector<std::pair<Operation*, std::vector<unsigned>>> dropOperands_;
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
