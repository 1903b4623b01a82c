// arith, without casts: what each op is in LLVM IR.
#include "FunctionEmitter.hpp"
#include "airlite/dialect/Arith.hpp"

namespace airlite::gpu {
namespace {

using llvm::Intrinsic::ID;
using Builder = llvm::IRBuilder<>;
using Binary = llvm::Instruction::BinaryOps;

// -- Constants -----------------------------------------------------------------------------------

LogicalResult emitConstant(FunctionEmitter& e, Operation& op) {
  auto* value = e.constant(op.attr("value"), op.result().type());
  if (!value) return unsupported(op, "a constant of type " + op.result().type().str());
  return e.setResult(op, value);
}

LogicalResult emitPoison(FunctionEmitter& e, Operation& op) {
  if (op.result().type().isa<MemRefType>()) return unsupported(op, "a poison memref");
  return e.setResult(op, llvm::PoisonValue::get(e.convert(op.result().type())));
}

// -- Binary operations ---------------------------------------------------------------------------

template <Binary opcode> LogicalResult emitBinary(FunctionEmitter& e, Operation& op) {
  auto* value = e.builder.CreateBinOp(opcode, e.get(op.operand(0)), e.get(op.operand(1)));
  if (auto* made = llvm::dyn_cast<llvm::Instruction>(value);
      made && llvm::isa<llvm::OverflowingBinaryOperator>(made)) {
    const auto flags = arith::overflowOf(op);
    made->setHasNoSignedWrap(flags & arith::kNoSignedWrap);
    made->setHasNoUnsignedWrap(flags & arith::kNoUnsignedWrap);
  }
  return e.setResult(op, withFastMath(op, value));
}

template <ID id> LogicalResult emitBinaryIntrinsic(FunctionEmitter& e, Operation& op) {
  auto* value = e.builder.CreateBinaryIntrinsic(id, e.get(op.operand(0)), e.get(op.operand(1)));
  return e.setResult(op, withFastMath(op, value));
}

LogicalResult emitNegF(FunctionEmitter& e, Operation& op) {
  return e.setResult(op, withFastMath(op, e.builder.CreateFNeg(e.get(op.operand(0)))));
}

// -- Rounding divisions --------------------------------------------------------------------------

llvm::Value* zeroOf(llvm::Value* value) { return llvm::Constant::getNullValue(value->getType()); }

llvm::Value* oneOf(llvm::Value* value) { return llvm::ConstantInt::get(value->getType(), 1); }

/// The truncated quotient, changed by `delta` when it is not exact and the signs of the remainder
/// and the divisor differ (floor) or agree (ceil).
LogicalResult emitRoundedDivision(FunctionEmitter& e, Operation& op, bool isFloor) {
  auto& b = e.builder;
  auto* lhs = e.get(op.operand(0));
  auto* rhs = e.get(op.operand(1));
  auto* quotient = b.CreateSDiv(lhs, rhs);
  auto* remainder = b.CreateSub(lhs, b.CreateMul(quotient, rhs));
  auto* inexact = b.CreateICmpNE(remainder, zeroOf(lhs));
  auto* differ = b.CreateICmpSLT(b.CreateXor(remainder, rhs), zeroOf(lhs));
  auto* correct = b.CreateAnd(inexact, isFloor ? differ : b.CreateNot(differ));
  auto* moved = isFloor ? b.CreateSub(quotient, oneOf(lhs)) : b.CreateAdd(quotient, oneOf(lhs));
  return e.setResult(op, b.CreateSelect(correct, moved, quotient));
}

LogicalResult emitFloorDivSI(FunctionEmitter& e, Operation& op) {
  return emitRoundedDivision(e, op, true);
}

LogicalResult emitCeilDivSI(FunctionEmitter& e, Operation& op) {
  return emitRoundedDivision(e, op, false);
}

LogicalResult emitCeilDivUI(FunctionEmitter& e, Operation& op) {
  auto& b = e.builder;
  auto* lhs = e.get(op.operand(0));
  auto* quotient = b.CreateUDiv(b.CreateSub(lhs, oneOf(lhs)), e.get(op.operand(1)));
  auto* isZero = b.CreateICmpEQ(lhs, zeroOf(lhs));
  return e.setResult(op, b.CreateSelect(isZero, zeroOf(lhs), b.CreateAdd(quotient, oneOf(lhs))));
}

// -- Two results ---------------------------------------------------------------------------------

LogicalResult emitAddUIExtended(FunctionEmitter& e, Operation& op) {
  auto* sum = e.builder.CreateAdd(e.get(op.operand(0)), e.get(op.operand(1)));
  e.set(op.result(0), sum);
  e.set(op.result(1), e.builder.CreateICmpULT(sum, e.get(op.operand(0))));
  return success();
}

template <bool isSigned> LogicalResult emitMulExtended(FunctionEmitter& e, Operation& op) {
  auto& b = e.builder;
  auto* type = e.convert(op.result(0).type());
  const auto bits = type->getScalarSizeInBits();
  auto* wide = type->getWithNewBitWidth(2 * bits);
  const auto widen = [&](unsigned i) {
    return isSigned ? b.CreateSExt(e.get(op.operand(i)), wide)
                    : b.CreateZExt(e.get(op.operand(i)), wide);
  };
  auto* product = b.CreateMul(widen(0), widen(1));
  e.set(op.result(0), b.CreateTrunc(product, type));
  e.set(op.result(1), b.CreateTrunc(b.CreateLShr(product, bits), type));
  return success();
}

// -- Comparisons ---------------------------------------------------------------------------------

LogicalResult emitCmpI(FunctionEmitter& e, Operation& op) {
  using P = llvm::CmpInst::Predicate;
  constexpr P kPredicates[] = {P::ICMP_EQ,  P::ICMP_NE,  P::ICMP_SLT, P::ICMP_SLE, P::ICMP_SGT,
                               P::ICMP_SGE, P::ICMP_ULT, P::ICMP_ULE, P::ICMP_UGT, P::ICMP_UGE};
  const auto which = kPredicates[static_cast<size_t>(arith::CmpIOp(&op).predicate())];
  return e.setResult(op, e.builder.CreateICmp(which, e.get(op.operand(0)), e.get(op.operand(1))));
}

LogicalResult emitCmpF(FunctionEmitter& e, Operation& op) {
  using P = llvm::CmpInst::Predicate;
  constexpr P kPredicates[] = {P::FCMP_FALSE, P::FCMP_OEQ, P::FCMP_OGT, P::FCMP_OGE,
                               P::FCMP_OLT,   P::FCMP_OLE, P::FCMP_ONE, P::FCMP_ORD,
                               P::FCMP_UEQ,   P::FCMP_UGT, P::FCMP_UGE, P::FCMP_ULT,
                               P::FCMP_ULE,   P::FCMP_UNE, P::FCMP_UNO, P::FCMP_TRUE};
  const auto which = kPredicates[static_cast<size_t>(arith::CmpFOp(&op).predicate())];
  auto* value = e.builder.CreateFCmp(which, e.get(op.operand(0)), e.get(op.operand(1)));
  return e.setResult(op, withFastMath(op, value));
}

LogicalResult emitMemRefSelect(FunctionEmitter& e, Operation& op) {
  LlvmValues yes, no, chosen;
  e.flatten(op.operand(1), yes);
  e.flatten(op.operand(2), no);
  for (size_t i = 0; i < yes.size(); ++i)
    chosen.push_back(e.builder.CreateSelect(e.get(op.operand(0)), yes[i], no[i]));
  unsigned next = 0;
  e.bind(op.result(), chosen, next);
  return success();
}

LogicalResult emitSelect(FunctionEmitter& e, Operation& op) {
  if (op.result().type().isa<MemRefType>()) return emitMemRefSelect(e, op);
  return e.setResult(
      op, e.builder.CreateSelect(e.get(op.operand(0)), e.get(op.operand(1)), e.get(op.operand(2))));
}

void addFloatOps(EmitTable& table) {
  using namespace llvm::Intrinsic;
  table["arith.addf"] = emitBinary<Binary::FAdd>;
  table["arith.subf"] = emitBinary<Binary::FSub>;
  table["arith.mulf"] = emitBinary<Binary::FMul>;
  table["arith.divf"] = emitBinary<Binary::FDiv>;
  table["arith.remf"] = emitBinary<Binary::FRem>;
  table["arith.negf"] = emitNegF;
  table["arith.maximumf"] = emitBinaryIntrinsic<maximum>;
  table["arith.minimumf"] = emitBinaryIntrinsic<minimum>;
  table["arith.maxnumf"] = emitBinaryIntrinsic<maxnum>;
  table["arith.minnumf"] = emitBinaryIntrinsic<minnum>;
  table["arith.cmpf"] = emitCmpF;
}

}  // namespace

llvm::Value* withFastMath(Operation& op, llvm::Value* value) {
  auto* made = llvm::dyn_cast<llvm::Instruction>(value);
  const auto flags = arith::fastMathOf(op);
  if (!flags || !made || !llvm::isa<llvm::FPMathOperator>(made)) return value;
  llvm::FastMathFlags fast;
  fast.setAllowReassoc(flags & arith::kReassoc);
  fast.setNoNaNs(flags & arith::kNoNaNs);
  fast.setNoInfs(flags & arith::kNoInfs);
  fast.setNoSignedZeros(flags & arith::kNoSignedZeros);
  fast.setAllowReciprocal(flags & arith::kAllowReciprocal);
  fast.setAllowContract(flags & arith::kAllowContract);
  fast.setApproxFunc(flags & arith::kApproxFunc);
  made->setFastMathFlags(fast);
  return value;
}

llvm::Value* combine(Builder& b, std::string_view kind, llvm::Value* lhs, llvm::Value* rhs) {
  using namespace llvm::Intrinsic;
  const bool isFloat = lhs->getType()->isFPOrFPVectorTy();
  const auto call = [&](ID id) { return b.CreateBinaryIntrinsic(id, lhs, rhs); };
  if (kind == "add") return isFloat ? b.CreateFAdd(lhs, rhs) : b.CreateAdd(lhs, rhs);
  if (kind == "mul") return isFloat ? b.CreateFMul(lhs, rhs) : b.CreateMul(lhs, rhs);
  if (kind == "and") return b.CreateAnd(lhs, rhs);
  if (kind == "or") return b.CreateOr(lhs, rhs);
  if (kind == "xor") return b.CreateXor(lhs, rhs);
  if (kind == "minui") return call(umin);
  if (kind == "minsi") return call(smin);
  if (kind == "maxui") return call(umax);
  if (kind == "maxsi") return call(smax);
  if (kind == "minimumf") return call(minimum);
  if (kind == "maximumf") return call(maximum);
  if (kind == "minnumf") return call(minnum);
  return kind == "maxnumf" ? call(maxnum) : nullptr;
}

void addArithOps(EmitTable& table) {
  using namespace llvm::Intrinsic;
  table["arith.constant"] = emitConstant;
  table["ub.poison"] = emitPoison;
  table["arith.addi"] = emitBinary<Binary::Add>;
  table["arith.subi"] = emitBinary<Binary::Sub>;
  table["arith.muli"] = emitBinary<Binary::Mul>;
  table["arith.divsi"] = emitBinary<Binary::SDiv>;
  table["arith.divui"] = emitBinary<Binary::UDiv>;
  table["arith.remsi"] = emitBinary<Binary::SRem>;
  table["arith.remui"] = emitBinary<Binary::URem>;
  table["arith.ceildivsi"] = emitCeilDivSI;
  table["arith.ceildivui"] = emitCeilDivUI;
  table["arith.floordivsi"] = emitFloorDivSI;
  table["arith.andi"] = emitBinary<Binary::And>;
  table["arith.ori"] = emitBinary<Binary::Or>;
  table["arith.xori"] = emitBinary<Binary::Xor>;
  table["arith.shli"] = emitBinary<Binary::Shl>;
  table["arith.shrsi"] = emitBinary<Binary::AShr>;
  table["arith.shrui"] = emitBinary<Binary::LShr>;
  table["arith.maxsi"] = emitBinaryIntrinsic<smax>;
  table["arith.maxui"] = emitBinaryIntrinsic<umax>;
  table["arith.minsi"] = emitBinaryIntrinsic<smin>;
  table["arith.minui"] = emitBinaryIntrinsic<umin>;
  table["arith.addui_extended"] = emitAddUIExtended;
  table["arith.mulsi_extended"] = emitMulExtended<true>;
  table["arith.mului_extended"] = emitMulExtended<false>;
  table["arith.cmpi"] = emitCmpI;
  table["arith.select"] = emitSelect;
  addFloatOps(table);
}

}  // namespace airlite::gpu
