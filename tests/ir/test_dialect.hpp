// A small dialect "t" for the tests of ir/, and short ways to build programs with it.
#pragma once

#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Constraints.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/ir/Verifier.hpp"

#include <string>
#include <vector>

namespace airlite::test {

inline LogicalResult foldAdd(Operation&, std::span<const Attribute> operands,
                             std::vector<FoldResult>& results) {
  IntegerAttr lhs = operands[0].dynCast<IntegerAttr>();
  IntegerAttr rhs = operands[1].dynCast<IntegerAttr>();
  if (!lhs || !rhs) return failure();
  results.push_back(Attribute(IntegerAttr::get(lhs.type(), lhs.value() + rhs.value())));
  return success();
}

inline LogicalResult foldFirst(Operation& op, std::span<const Attribute>,
                               std::vector<FoldResult>& results) {
  results.push_back(op.operand(0));
  return success();
}

inline LogicalResult inferIndex(Context& context, OperationState& state) {
  state.resultTypes.push_back(IndexType::get(context));
  return success();
}

inline LogicalResult verifyEvenOperands(Operation& op) {
  if (op.numOperands() % 2 == 0) return success();
  return op.emitOpError() << "expects an even number of operands";
}

inline unsigned timesAskedAlone = 0;
inline LogicalResult verifyEvenAlone(Operation& op) {
  ++timesAskedAlone;
  return verifyEvenOperands(op);
}

inline Type elementOf(Type type) { return elementTypeOrSelf(type); }

inline void registerStructureOps(Dialect& d) {
  d.op("module")
      .region("body")
      .optionalAttr("sym_name", attrs::symbolName)
      .traits(Trait::SymbolTable | Trait::NoTerminator | Trait::SingleBlock | Trait::GraphRegion |
              Trait::IsolatedFromAbove | Trait::Symbol);
  d.op("func")
      .region("body")
      .attr("sym_name", attrs::symbolName)
      .traits(Trait::Symbol | Trait::IsolatedFromAbove | Trait::Function);
  d.op("region")
      .variadicOperand("inputs", types::any)
      .variadicResult("results", types::any)
      .region("body")
      .traits(Trait::RecursiveEffects | Trait::NoTerminator);
  d.op("loop").region("body").terminatedBy("t.yield").traits(Trait::RecursiveEffects |
                                                             Trait::LoopLike);
  d.op("yield").variadicOperand("values", types::any).traits(Trait::Terminator | Trait::Pure);
  d.op("ret")
      .variadicOperand("values", types::any)
      .traits(Trait::Terminator | Trait::Pure)
      .parent({"t.func", "t.module"});
  d.op("only").parent({"t.func"}).traits(Trait::Pure);
  d.op("br")
      .variadicOperand("values", types::any)
      .variadicSuccessor("dests")
      .traits(Trait::Terminator | Trait::Pure);
}

inline void registerValueOps(Dialect& d) {
  d.op("const")
      .result("result", types::any)
      .attr("value", attrs::typed)
      .traits(Trait::ConstantLike | Trait::Pure)
      .sameType({"value", "result"});
  d.op("add")
      .operand("lhs", types::integerLike)
      .operand("rhs", types::integerLike)
      .result("result", types::integerLike)
      .fold(foldAdd)
      .traits(Trait::Commutative | Trait::Pure | Trait::SameOperandsAndResultType);
  d.op("sub")
      .operand("lhs", types::any)
      .operand("rhs", types::any)
      .result("result", types::any)
      .traits(Trait::Pure)
      .sameType({"lhs", "rhs", "result"})
      .fold(foldFirst);
  d.op("op").variadicOperand("operands", types::any).variadicResult("results", types::any);
  d.op("groups")
      .operand("a", types::index)
      .optionalOperand("b", types::i1)
      .variadicOperand("c", types::index)
      .traits(Trait::AttrSizedOperandSegments | Trait::Pure);
  d.op("pairs").variadicOperand("x", types::index).variadicOperand("y", types::index);
  d.op("maybe").optionalOperand("x", types::index).optionalResult("y", types::index);
  d.op("infer").result("result", types::any).inferTypes(inferIndex).traits(Trait::Pure);
  d.op("element")
      .operand("from", types::anyShaped)
      .result("result", types::any)
      .typeFrom("result", "from", elementOf, "element type of 'from'")
      .traits(Trait::Pure);
  d.op("even").variadicOperand("x", types::any).verify(verifyEvenOperands);
  d.op("even_alone").variadicOperand("x", types::index).verifyAlone(verifyEvenAlone);
  d.op("attrs").attr("required", attrs::i64).optionalAttr("broadcast_shape", attrs::affineMap);
}

inline void registerEffectOps(Dialect& d) {
  d.op("alloc").result("buffer", types::any).effects({{Effect::Allocate, "buffer"}});
  d.op("init")
      .result("buffer", types::any)
      .effects({{Effect::Allocate, "buffer"}, {Effect::Write, "buffer"}});
  d.op("read")
      .operand("from", types::any)
      .result("value", types::any)
      .effects({{Effect::Read, "from"}});
  d.op("write").operand("to", types::any).effects({{Effect::Write, "to"}});
  d.op("send").effects({{Effect::Send, ""}});
  d.op("nothing").effects({});
}

inline void registerTestDialect(Context& context) {
  Dialect d(context, "t", "Ops for tests.");
  registerStructureOps(d);
  registerValueOps(d);
  registerEffectOps(d);
}

/// A context with the dialect, and builders for what tests need again and again.
struct Fixture {
  Fixture() { registerTestDialect(context); }

  Type index() { return IndexType::get(context); }
  Type i32() { return IntegerType::get(context, 32); }

  Operation* make(std::string_view name, std::vector<Value> operands = {},
                  std::vector<Type> results = {}, unsigned regions = 0,
                  std::vector<Block*> successors = {}) {
    OperationState state(context, Location(), name);
    state.operands = std::move(operands);
    state.resultTypes = std::move(results);
    for (unsigned i = 0; i < regions; ++i)
      state.addRegion();
    state.successors = std::move(successors);
    return Operation::create(context, state);
  }

  Operation* add(Block& block, std::string_view name, std::vector<Value> operands = {},
                 std::vector<Type> results = {}, unsigned regions = 0,
                 std::vector<Block*> successors = {}) {
    Operation* op =
        make(name, std::move(operands), std::move(results), regions, std::move(successors));
    block.append(op);
    return op;
  }

  /// `t.module` with an empty block.
  OwningOp module() {
    OwningOp op(make("t.module", {}, {}, 1));
    op->region().addBlock();
    return op;
  }

  /// `t.func @name` with an empty entry block, at the end of `block`.
  Operation* func(Block& block, std::string_view name) {
    Operation* op = add(block, "t.func", {}, {}, 1);
    op->setAttr("sym_name", StringAttr::get(context, name));
    op->region().addBlock();
    return op;
  }

  Operation* constant(Block& block, int64_t value) {
    Operation* op = make("t.const", {}, {i32()});
    op->setAttr("value", IntegerAttr::get(i32(), value));
    block.append(op);
    return op;
  }

  /// All messages of a verification, notes after their error, separated by " | ".
  std::vector<std::string> verifyMessages(Operation& op) {
    DiagnosticCollector collector(context);
    bool ok = succeeded(verify(op));
    std::vector<std::string> messages;
    for (const Diagnostic& diagnostic : collector.diagnostics()) {
      messages.push_back(diagnostic.message);
      for (const Diagnostic& note : diagnostic.notes)
        messages.back() += " | " + note.message;
    }
    if (ok == collector.hasErrors()) messages.push_back("result and diagnostics disagree");
    return messages;
  }

  Context context;
};

inline Block& body(Operation& op) { return op.region().front(); }
inline Block& body(const OwningOp& op) { return op->region().front(); }

/// Names of the ops of a block.
inline std::vector<std::string> names(Block& block) {
  std::vector<std::string> list;
  for (Operation& op : block.ops())
    list.emplace_back(op.name());
  return list;
}

}  // namespace airlite::test
