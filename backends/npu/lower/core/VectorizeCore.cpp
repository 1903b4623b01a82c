// air-aie-vectorize-core: innermost loops over elements that lie side by side, by vectors.
//
// Matches, in the programs of cores, an innermost scf.for of step 1 that carries nothing, whose
// loads and stores go through its elements in order (at i, or at i plus a multiple of the lanes)
// and whose arithmetic gives on vectors the same bits as on numbers (isLaneOp), selections by
// comparisons of integers included. It becomes a loop over vectors of 512 bits (or 256, when it is short or has bf16 and f32)
// and one over the rest. A NaN stays a NaN; which one is the machine's affair.
//
// Declines, with a remark: other ops (they stay scalar), element types of different sizes but for
// bf16 and f32, sizes or offsets that are not constant or no multiple of the lanes, loops that run
// fewer times than a vector has lanes, buffers that are stored and read at different places.
#include "CoreMemory.hpp"
#include "CoreScope.hpp"
#include "LegalizePasses.hpp"
#include "VectorUnit.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>

namespace airlite::npu {

namespace {

bool isElement(Type type) {
  return type.isF32() || type.isBF16() || type.isInteger(8) || type.isInteger(16) ||
         type.isInteger(32);
}

/// Is `value`, an index, a multiple of `lanes`, a power of two, whenever it is computed?
bool isMultiple(Value value, int64_t lanes) { return divisorOf(value) % lanes == 0; }

class LoopVectorizer {
 public:
  explicit LoopVectorizer(Operation& loop) : loop_(&loop) {}

  /// Empty when the loop fits, else why it does not.
  std::string_view obstacle() {
    auto count = loop_.tripCount();
    if (!count || constantIntOf(loop_.step()) != 1) return "its bounds are not constant";
    if (loop_->numResults() != 0) return "it carries values";
    for (Operation& op : loop_.body().ops())
      if (std::string_view why = obstacleAt(op); !why.empty()) return why;
    if (!hasStore_) return "it stores nothing";
    if (!chooseLanes(*count)) return "no vector has elements of these sizes and is short enough";
    return placeObstacle();
  }

  void rewrite() {
    int64_t count = *loop_.tripCount() / lanes_ * lanes_,
            first = *constantIntOf(loop_.lowerBound());
    bool isAll = count == *loop_.tripCount();
    Rewriter rewriter(loop_->context());
    rewriter.setBefore(*loop_);
    Location location = loop_->location();
    Value end = isAll ? loop_.upperBound() : rewriter.constantIndex(location, first + count);
    Value step = rewriter.constantIndex(location, lanes_);
    scf::ForOp vectors = scf::ForOp::create(rewriter, location, loop_.lowerBound(), end, step);
    values_.map(loop_.inductionVar(), vectors.inductionVar());
    rewriter.setBefore(*vectors.yield());
    for (Operation& op : loop_.body().ops())
      if (!op.is("scf.yield")) emit(rewriter, op);
    if (isAll) return loop_->erase();
    loop_->setOperand(0, end);
  }

 private:
  bool isInside(Value value) const { return value.parentBlock() == &loop_.body(); }
  /// i, or a sum of i and something from outside.
  bool isPlace(Value index) const {
    if (index == loop_.inductionVar()) return true;
    Operation* op = index.definingOp();
    if (!op || !isInside(index) || !op->is("arith.addi")) return false;
    return (op->operand(0) == loop_.inductionVar() && !isInside(op->operand(1))) ||
           (op->operand(1) == loop_.inductionVar() && !isInside(op->operand(0)));
  }
  Value startOf(Value index) const {
    Operation* op = index == loop_.inductionVar() ? nullptr : index.definingOp();
    if (!op) return Value();
    return op->operand(op->operand(0) == loop_.inductionVar() ? 1 : 0);
  }

  std::string_view obstacleAt(Operation& op) {
    if (op.is("scf.yield")) return "";
    if (op.numResults() == 1 && op.result().type().isIndex())
      return isPlace(op.result()) ? "" : "it computes an index";
    if (isElementAccess(op)) return accessObstacle(op);
    if (isChosenInside(op)) return "";
    if (!isLaneOp(op)) return "an op has no vector form with the same results";
    for (Type type : op.operandTypes())
      widths_.push_back(type.bitWidth());
    widths_.push_back(op.result().type().bitWidth());
    if (lanesOf(op)) neededLanes_ = lanesOf(op);
    return "";
  }

  /// A comparison of integers that selects numbers of their width, and nothing else; a selection
  /// by one.
  bool isChosenInside(Operation& op) {
    if (op.is("arith.cmpi")) {
      widths_.push_back(op.operand(0).type().bitWidth());
      return isElement(op.operand(0).type()) &&
             std::ranges::all_of(op.result().uses(), [&](OpOperand& use) {
               return use.owner()->is("arith.select") && use.index() == 0 &&
                      use.owner()->result().type().bitWidth() == op.operand(0).type().bitWidth();
             });
    }
    Operation* compare = op.is("arith.select") ? op.operand(0).definingOp() : nullptr;
    return compare && compare->is("arith.cmpi") && isInside(op.operand(0)) &&
           isElement(op.result().type());
  }

  std::string_view accessObstacle(Operation& op) {
    Value memory = memoryOf(op);
    auto type = memory.type().dynCast<MemRefType>();
    if (!type || type.rank() != 1 || !isElement(type.elementType()) || !isOwnMemory(memory))
      return "memory of another kind";
    Value index = indexOf(op);
    if (!isInside(index) && op.is("memref.store")) return "it stores at one place";
    if (isInside(index) && !isPlace(index)) return "it goes through memory in another order";
    accesses_.push_back(&op);
    hasStore_ |= op.is("memref.store");
    if (isInside(index)) widths_.push_back(type.elementType().bitWidth());
    return "";
  }

  /// All elements in one vector each.
  bool chooseLanes(int64_t count) {
    auto [least, most] = std::minmax_element(widths_.begin(), widths_.end());
    for (int64_t bits : {512, 256}) {
      lanes_ = bits / *most;
      if (neededLanes_ && lanes_ != neededLanes_) continue;
      if (lanes_ * *least >= 256 && lanes_ <= count) return true;
    }
    return false;
  }

  std::string_view placeObstacle() const {
    if (!isMultiple(loop_.lowerBound(), lanes_)) return "it begins inside a vector";
    for (Operation* op : accesses_) {
      Value index = indexOf(*op);
      if (isInside(index) && startOf(index) && !isMultiple(startOf(index), lanes_))
        return "an access begins inside a vector";
      if (op->is("memref.store") && hasOtherAccess(*op))
        return "a buffer is stored and read at different places";
    }
    return "";
  }
  bool hasOtherAccess(Operation& store) const {
    return std::any_of(accesses_.begin(), accesses_.end(), [&](Operation* op) {
      Value index = indexOf(*op);
      // At another place that the loop goes along, a multiple of the lanes away, what is stored in
      // earlier rounds is stored by earlier vectors, too.
      return memoryOf(*op) == memoryOf(store) && !isInside(index);
    });
  }

  // -- Rewriting ----------------------------------------------------------------------------------

  VectorType vectorOf(Type element) const {
    return VectorType::get(element.context(), {&lanes_, 1}, element);
  }

  void emit(Rewriter& rewriter, Operation& op) {
    bool isScalar = (op.numResults() == 1 && op.result().type().isIndex()) ||
                    (op.is("memref.load") && !isInside(op.operand(1)));
    if (isScalar) {
      rewriter.clone(op, values_);
    } else if (op.is("memref.load")) {
      std::vector<Value> operands{op.operand(0), values_.lookupOr(op.operand(1))};
      Type type = vectorOf(op.result().type());
      values_.map(
          op.result(),
          rewriter.create(op.location(), "vector.load", operands, std::span(&type, 1))->result());
    } else if (op.is("memref.store")) {
      rewriter.create(
          op.location(), "vector.store",
          {vectorValue(rewriter, op, 0), op.operand(1), values_.lookupOr(op.operand(2))}, {});
    } else {
      emitArithmetic(rewriter, op);
    }
  }

  void emitArithmetic(Rewriter& rewriter, Operation& op) {
    OperationState state(op.location(), op.def());
    for (unsigned i = 0; i < op.numOperands(); ++i)
      state.operands.push_back(vectorValue(rewriter, op, i));
    state.resultTypes = {vectorOf(op.result().type())};
    state.attributes = NamedAttrList(op.attributes());
    values_.map(op.result(), rewriter.create(state)->result());
  }

  Value vectorValue(Rewriter& rewriter, Operation& op, unsigned i) {
    Value value = values_.lookupOr(op.operand(i));
    if (value.type().isa<VectorType>()) return value;
    return rewriter.create(op.location(), "vector.broadcast", {value}, {vectorOf(value.type())})
        ->result();
  }

  scf::ForOp loop_;
  std::vector<Operation*> accesses_;
  std::vector<unsigned> widths_;
  bool hasStore_ = false;
  int64_t lanes_ = 0, neededLanes_ = 0;
  IRMapping values_;
};

bool isInnermost(Operation& loop) {
  for (Operation* op : opsInside(loop))
    if (op->numRegions() != 0) return false;
  return true;
}

class VectorizeCore : public CorePass {
 public:
  VectorizeCore()
      : CorePass("air-aie-vectorize-core", "Computes rows of elements of cores by vectors") {
    example("airlite-opt --air-aie-vectorize-core design.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    context.declareEffectChange(CountedEffect::Store, "loops become loops over vectors");
    bool changed = false;
    std::vector<Operation*> loops;
    for (const CoreRoot& program : roots(module))
      for (Operation* op : opsInside(*program.root))
        if (op->is("scf.for") && isInnermost(*op)) loops.push_back(op);
    for (Operation* loop : loops) {
      LoopVectorizer vectorizer(*loop);
      if (std::string_view why = vectorizer.obstacle(); !why.empty()) {
        context.remark(*loop, "not vectorized: " + std::string(why));
        continue;
      }
      vectorizer.rewrite();
      changed = true;
    }
    return changedIf(changed);
  }
};

}  // namespace

void registerVectorizeCore(PassRegistry& registry) { registry.add<VectorizeCore>(); }

}  // namespace airlite::npu
