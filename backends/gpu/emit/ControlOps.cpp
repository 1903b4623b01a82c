// Branches, calls and returns.
#include "FunctionEmitter.hpp"
#include "airlite/dialect/Cf.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/ir/Symbols.hpp"

namespace airlite::gpu {
namespace {

LogicalResult emitBranch(FunctionEmitter& e, Operation& op) {
  const cf::BranchOp branch(&op);
  e.addIncoming(branch.dest(), branch.destOperands(), e.builder.GetInsertBlock());
  e.builder.CreateBr(e.blockOf(branch.dest()));
  return success();
}

/// A block of its own for one edge of a terminator: two edges between the same blocks could not
/// carry different values.
llvm::BasicBlock* edgeBlock(FunctionEmitter& e, Block* target, OperandRange operands) {
  if (operands.empty()) return e.blockOf(target);
  const llvm::IRBuilderBase::InsertPointGuard guard(e.builder);
  auto* edge = e.newBlock("edge");
  e.builder.SetInsertPoint(edge);
  e.builder.CreateBr(e.blockOf(target));
  e.addIncoming(target, operands, edge);
  return edge;
}

LogicalResult emitCondBranch(FunctionEmitter& e, Operation& op) {
  const cf::CondBranchOp branch(&op);
  auto* yes = edgeBlock(e, branch.trueDest(), branch.trueOperands());
  auto* no = edgeBlock(e, branch.falseDest(), branch.falseOperands());
  e.builder.CreateCondBr(e.get(branch.condition()), yes, no);
  return success();
}

LogicalResult emitSwitch(FunctionEmitter& e, Operation& op) {
  const cf::SwitchOp cases(&op);
  auto* flag = e.get(cases.flag());
  auto* otherwise = edgeBlock(e, cases.defaultDest(), cases.defaultOperands());
  auto* made = e.builder.CreateSwitch(flag, otherwise, cases.numCases());
  for (unsigned i = 0; i < cases.numCases(); ++i) {
    auto* value =
        llvm::ConstantInt::get(flag->getType(), static_cast<uint64_t>(cases.caseValue(i)), true);
    auto* number = llvm::cast<llvm::ConstantInt>(value);
    // The first of two equal cases wins; LLVM takes each value once.
    if (made->findCaseValue(number) != made->case_default()) continue;
    made->addCase(number, edgeBlock(e, cases.caseDest(i), cases.caseOperands(i)));
  }
  return success();
}

LogicalResult emitReturn(FunctionEmitter& e, Operation& op) {
  LlvmValues slots;
  for (Value value : op.operands())
    e.flatten(value, slots);
  if (slots.empty())
    e.builder.CreateRetVoid();
  else if (slots.size() == 1)
    e.builder.CreateRet(slots[0]);
  else
    e.builder.CreateAggregateRet(slots.data(), static_cast<unsigned>(slots.size()));
  return success();
}

LogicalResult emitCall(FunctionEmitter& e, Operation& op) {
  Operation* callee = lookupSymbol(&op, op.attrOf<SymbolRefAttr>("callee"));
  if (!callee) return op.emitError() << "expected a function called " << op.attr("callee");
  if (!callee->hasTrait(Trait::Function))
    return unsupported(op, "a call of '" + std::string(callee->name()) + "'");
  auto* function = e.owner.functionFor(*callee, op);
  if (!function) return failure();
  LlvmValues args, results;
  if (e.runContext) args.push_back(e.runContext);
  for (Value operand : op.operands())
    e.flatten(operand, args);
  auto* call = e.builder.CreateCall(function, args);
  const auto* fields = llvm::dyn_cast<llvm::StructType>(call->getType());
  if (!fields && !call->getType()->isVoidTy()) results.push_back(call);
  for (unsigned i = 0; fields && i < fields->getNumElements(); ++i)
    results.push_back(e.builder.CreateExtractValue(call, i));
  unsigned next = 0;
  for (Value result : op.resultValues())
    e.bind(result, results, next);
  return success();
}

}  // namespace

void addControlOps(EmitTable& table) {
  table["cf.br"] = emitBranch;
  table["cf.cond_br"] = emitCondBranch;
  table["cf.switch"] = emitSwitch;
  table["func.return"] = emitReturn;
  table["gpu.return"] = emitReturn;
  table["func.call"] = emitCall;
}

}  // namespace airlite::gpu
