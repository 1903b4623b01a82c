// air-bytes-of-bools: booleans in memory become bytes.
//
// Matches functions that use memory of i1, which has a byte for each element. All of it becomes memory of i8: what is read is compared
// with 0, what is written is extended. So cores compute with numbers, and transfers move bytes. For its caller the arguments are
// what they were (npu::HostPlan).
//
//   y = load m : memref<8xi1>  ->  b = load m : memref<8xi8>; y = b != 0
//
// Declines, with a remark: functions in which another op than loads, stores, views, allocations, copies and structured ops
// has such memory, as herds do.
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace airlite {

namespace {

using linalg::StructuredOp;

bool isBools(Type type) {
  const auto memref = type.dynCast<MemRefType>();
  return memref && memref.elementType().isInteger(1);
}

Type bytesFor(Type type) {
  if (!isBools(type)) return type;
  const auto memref = type.cast<MemRefType>();
  return MemRefType::get(type.context(), memref.shape(), IntegerType::get(type.context(), 8),
                         memref.layout(), memref.memorySpace());
}

bool usesBools(Operation& op) {
  return std::ranges::any_of(op.operandTypes(), isBools) ||
         std::ranges::any_of(op.resultTypes(), isBools);
}

/// Ops that take memory of any type and have no elements as values.
bool isAboutMemory(const Operation& op) {
  constexpr std::string_view kNames[] = {
      "memref.alloc",          "memref.dealloc",          "memref.subview",
      "memref.collapse_shape", "memref.expand_shape",     "memref.cast",
      "memref.copy",           "memref.reinterpret_cast", "memref.dim"};
  return std::ranges::any_of(kNames, [&](std::string_view name) { return op.is(name); });
}

/// Of no known number of dimensions.
bool isOpen(Type type) { return type.isa<UnrankedMemRefType>(); }

bool isKnown(Operation& op) {
  if (std::ranges::any_of(op.resultTypes(), isOpen)) return false;
  return isAboutMemory(op) || op.is("memref.load") || op.is("memref.store") ||
         (linalg::asStructured(&op) && StructuredOp(&op).onBuffers());
}

class BoolsToBytes {
 public:
  explicit BoolsToBytes(func::FuncOp function)
      : function_(function), rewriter_(function->context()) {}

  /// The op that is in the way; null: none.
  Operation* obstacle() {
    Operation* found = nullptr;
    function_->walk([&](Operation& op) {
      if (usesBools(op) && !isKnown(op)) found = &op;
      for (Region& region : op.regions())
        for (Block& block : region.blocks())
          for (Value argument : block.arguments())
            if (isBools(argument.type()) && &op != function_.op()) found = &op;
      if (usesBools(op)) users_.push_back(&op);
    });
    return found;
  }

  bool hasAny() const {
    return !users_.empty() || std::ranges::any_of(function_.functionType().inputs(), isBools);
  }

  void run() {
    // While the elements of their bodies are what they compute with.
    for (Operation*& op : users_)
      if (StructuredOp named = linalg::asStructured(op); named && hasFixedBody(named))
        op = genericOf(named);
    changeArguments();
    for (Operation* op : users_) {
      for (unsigned i = 0; i < op->numResults(); ++i)
        op->result(i).setType(bytesFor(op->result(i).type()));
      if (op->is("memref.load")) changeLoad(*op);
      if (op->is("memref.store")) changeStore(*op);
    }
    // Their operands have become bytes.
    for (Operation* op : users_)
      if (linalg::asStructured(op)) changeStructured(StructuredOp(op));
  }

 private:
  Type byte() { return rewriter_.intType(8); }

  void changeArguments() {
    const FunctionType type = function_.functionType();
    std::vector<Type> inputs(type.inputs().begin(), type.inputs().end());
    for (unsigned i = 0; i < inputs.size(); ++i) {
      inputs[i] = bytesFor(inputs[i]);
      function_.argument(i).setType(inputs[i]);
    }
    function_.setFunctionType(FunctionType::get(type.context(), inputs, type.results()));
  }

  /// At the insertion point.
  Value isTrue(Location location, Value number) {
    Value zero = rewriter_.constant(location, IntegerAttr::get(byte(), int64_t{0}));
    const auto predicate = static_cast<int64_t>(arith::CmpIPredicate::ne);
    return rewriter_
        .create(location, "arith.cmpi", {number, zero}, {rewriter_.intType(1)},
                {rewriter_.named("predicate", rewriter_.i64Attr(predicate))})
        ->result();
  }

  Value byteOf(Location location, Value condition) {
    return rewriter_.create(location, "arith.extui", {condition}, {byte()})->result();
  }

  /// `value`, of i1, becomes a byte; its users get the comparison that is written at the insertion point.
  void widen(Location location, Value value) {
    value.setType(byte());
    if (!value.hasUses()) return;
    std::vector<OpOperand*> uses;
    for (OpOperand& use : value.uses())
      uses.push_back(&use);
    const Value condition = isTrue(location, value);
    for (OpOperand* use : uses)
      use->set(condition);
  }

  void changeLoad(Operation& op) {
    rewriter_.setAfter(op);
    widen(op.location(), op.result());
  }

  void changeStore(Operation& op) {
    rewriter_.setBefore(op);
    op.setOperand(0, byteOf(op.location(), op.operand(0)));
  }

  void changeStructured(StructuredOp op) {
    if (op->is("linalg.fill")) return changeFill(op);
    changeBody(op);
    eraseUnused(op);
  }

  /// Elements are bytes now; what is only moved stays one.
  void changeBody(StructuredOp op) {
    Block& body = op.body();
    Operation& yield = body.back();
    std::vector<bool> areBytes;
    for (unsigned i = 0; i < op->numOperands(); ++i)
      areBytes.push_back(op->operand(i).type().isa<MemRefType>() &&
                         op.bodyArgument(i).type().isInteger(1));
    std::vector<Value> moved(op.numOutputs());
    for (unsigned output = 0; output < op.numOutputs(); ++output) {
      const Value value = yield.operand(output);
      const bool isByte = areBytes[op.numInputs() + output];
      if (isByte && value.argumentBlock() == &body && areBytes[value.index()])
        moved[output] = value;
    }
    rewriter_.setInsertPoint({&body, &body.front()});
    for (unsigned i = 0; i < op->numOperands(); ++i)
      if (areBytes[i]) widen(op->location(), op.bodyArgument(i));
    rewriter_.setBefore(yield);
    for (unsigned output = 0; output < op.numOutputs(); ++output) {
      if (moved[output])
        yield.setOperand(output, moved[output]);
      else if (areBytes[op.numInputs() + output])
        yield.setOperand(output, byteOf(op->location(), yield.operand(output)));
    }
  }

  /// Whether it is a named op that does more than move elements.
  static bool hasFixedBody(StructuredOp op) {
    return !op->is("linalg.generic") && !op->is("linalg.fill") && !op->is("linalg.copy") &&
           !op->is("linalg.transpose") && !op->is("linalg.broadcast");
  }

  Operation* genericOf(StructuredOp op) {
    rewriter_.setBefore(*op.op());
    Operation* generic = linalg::createGeneric(rewriter_, op).op();
    rewriter_.eraseOp(*op.op());
    return generic;
  }

  static void eraseUnused(StructuredOp op) {
    for (Operation* inner = &op.body().back(); inner;) {
      Operation* before = inner->prev();
      if (inner->numResults() == 1 && !inner->result().hasUses() &&
          (inner->is("arith.cmpi") || inner->is("arith.constant")))
        inner->erase();
      inner = before;
    }
  }

  /// The condition that the body of a fill makes of its value, at the insertion point.
  Value filledBy(StructuredOp op) {
    IRMapping values;
    values.map(op.bodyArgument(0), op->operand(0));
    for (Operation& inner : op.body().ops())
      if (!inner.is("linalg.yield")) rewriter_.clone(inner, values);
    return values.lookupOr(op.body().back().operand(0));
  }

  void changeFill(StructuredOp op) {
    const Value value = op->operand(0);
    rewriter_.setBefore(*op.op());
    const Operation* made = value.definingOp();
    const auto constant = made && made->is("arith.constant")
                              ? made->attr("value").dynCast<IntegerAttr>()
                              : IntegerAttr();
    Value number = constant ? rewriter_.constant(op->location(),
                                                 IntegerAttr::get(byte(), constant.value() & 1))
                            : byteOf(op->location(), filledBy(op));
    const Value output = op->operand(1);
    linalg::createNamedOp(rewriter_, op->location(), "linalg.fill", {&number, 1}, {&output, 1});
    rewriter_.eraseOp(*op.op());
  }

  func::FuncOp function_;
  Rewriter rewriter_;
  std::vector<Operation*> users_;
};

class BytesOfBools : public Pass {
 public:
  BytesOfBools() : Pass("air-bytes-of-bools", "Booleans in memory become bytes") {
    anchor("func.func");
    example("airlite-opt --air-bytes-of-bools in.mlir");
  }

  PassResult run(Operation& op, PassContext& context) override {
    const func::FuncOp function(&op);
    if (function.isDeclaration()) return PassResult::Unchanged;
    BoolsToBytes change(function);
    Operation* obstacle = change.obstacle();
    if (!change.hasAny()) return PassResult::Unchanged;
    if (obstacle) {
      context.remark(*obstacle, "booleans stay: it has memory of i1");
      return PassResult::Unchanged;
    }
    change.run();
    return PassResult::Changed;
  }
};

}  // namespace

void registerBytesOfBools(PassRegistry& registry) { registry.add<BytesOfBools>(); }

}  // namespace airlite
