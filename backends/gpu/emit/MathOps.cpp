// math. Kernels have no math library: what LLVM's AMDGPU code generator selects by itself is an
// intrinsic, some functions are spelled out, the rest is refused (see target/KernelCheck.hpp).
#include "FunctionEmitter.hpp"
#include "MathExpand.hpp"
#include "airlite/dialect/Arith.hpp"

namespace airlite::gpu {
namespace {

namespace Intrinsic = llvm::Intrinsic;
using Intrinsic::ID;

/// `op` for the operands that it has.
LogicalResult emitIntrinsic(FunctionEmitter& e, Operation& op, ID id) {
  auto* type = e.convert(op.result().type());
  auto* call = e.builder.CreateIntrinsic(id, {type}, e.getAll(op.operands()));
  return e.setResult(op, withFastMath(op, call));
}

template <ID id> LogicalResult emitExact(FunctionEmitter& e, Operation& op) {
  return emitIntrinsic(e, op, id);
}

LogicalResult refuse(Operation& op) {
  const auto element = elementTypeOrSelf(op.operand(0).type());
  return unsupported(op, std::string(op.name()) + " on " + element.str());
}

// -- Functions that round ------------------------------------------------------------------------

/// f16 and bf16 are computed in f32 and rounded once more at the end; f32 as it is.
template <class Compute>
LogicalResult emitInF32(FunctionEmitter& e, Operation& op, Compute compute) {
  const auto element = elementTypeOrSelf(op.result().type());
  auto* type = e.convert(op.result().type());
  auto* wide = type->getWithNewType(e.builder.getFloatTy());
  LlvmValues args = e.getAll(op.operands());
  for (auto*& arg : args)
    if (!element.isF32() && arg->getType() == type) arg = e.builder.CreateFPExt(arg, wide);
  llvm::Value* value = compute(args);
  if (!element.isF32()) value = e.builder.CreateFPTrunc(value, type);
  return e.setResult(op, value);
}

bool isF64(Operation& op) { return elementTypeOrSelf(op.operand(0).type()).isF64(); }

template <ID id> LogicalResult emitRounding(FunctionEmitter& e, Operation& op) {
  if (isF64(op)) return e.isKernelSide() ? refuse(op) : emitIntrinsic(e, op, id);
  return emitInF32(e, op, [&](const LlvmValues& args) {
    return withFastMath(op, e.builder.CreateIntrinsic(id, {args[0]->getType()}, args));
  });
}

/// Host functions call libm, element by element.
LogicalResult emitLibm(FunctionEmitter& e, Operation& op) {
  auto& b = e.builder;
  const auto call = [&](const LlvmValues& args) {
    auto* number = args[0]->getType()->getScalarType();
    const auto name = std::string(op.name().substr(5)) + (number->isFloatTy() ? "f" : "");
    const llvm::SmallVector<llvm::Type*, 2> params(args.size(), number);
    const auto callee =
        e.owner.module().getOrInsertFunction(name, llvm::FunctionType::get(number, params, false));
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(args[0]->getType());
    if (!vector) return llvm::cast<llvm::Value>(b.CreateCall(callee, args));
    llvm::Value* made = llvm::PoisonValue::get(args[0]->getType());
    for (std::uint64_t i = 0; i < vector->getNumElements(); ++i) {
      LlvmValues elements;
      for (auto* arg : args)
        elements.push_back(b.CreateExtractElement(arg, i));
      made = b.CreateInsertElement(made, b.CreateCall(callee, elements), i);
    }
    return made;
  };
  return isF64(op) ? e.setResult(op, call(e.getAll(op.operands()))) : emitInF32(e, op, call);
}

template <MathExpansion expand> LogicalResult emitExpanded(FunctionEmitter& e, Operation& op) {
  if (!e.isKernelSide()) return emitLibm(e, op);
  if (isF64(op)) return refuse(op);
  return emitInF32(e, op, [&](const LlvmValues& args) { return expand(e.builder, args); });
}

/// Nothing short and good enough is known for kernels.
LogicalResult emitOnHost(FunctionEmitter& e, Operation& op) {
  return e.isKernelSide() ? refuse(op) : emitLibm(e, op);
}

/// As the interpreter: the root and the quotient in f64, which are exact enough to be rounded once.
/// Where the function may be approximated (fastmath<afn>), what the device has.
LogicalResult emitRsqrt(FunctionEmitter& e, Operation& op) {
  auto* x = e.get(op.operand(0));
  const bool isApproximate = (arith::fastMathOf(op) & arith::kApproxFunc) != 0;
  if (!isApproximate && !isF64(op)) {
    auto* wide = x->getType()->getWithNewType(e.builder.getDoubleTy());
    auto* root =
        e.builder.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, e.builder.CreateFPExt(x, wide));
    auto* quotient = e.builder.CreateFDiv(llvm::ConstantFP::get(wide, 1.0), root);
    return e.setResult(op, e.builder.CreateFPTrunc(quotient, x->getType()));
  }
  auto* root = withFastMath(op, e.builder.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x));
  auto* one = llvm::ConstantFP::get(x->getType(), 1.0);
  return e.setResult(op, withFastMath(op, e.builder.CreateFDiv(one, root)));
}

// -- Powers --------------------------------------------------------------------------------------

/// The exponent of the instruction is one i32 for all elements.
LogicalResult emitFPowI(FunctionEmitter& e, Operation& op) {
  const auto exponent = op.operand(1).type();
  if (!exponent.isInteger(32))
    return unsupported(op, "math.fpowi with an exponent that is not i32");
  const auto raise = [&](const LlvmValues& args) -> llvm::Value* {
    return e.builder.CreateIntrinsic(llvm::Intrinsic::powi,
                                     {args[0]->getType(), args[1]->getType()}, args);
  };
  if (!isF64(op)) return emitInF32(e, op, raise);
  return e.isKernelSide() ? refuse(op) : e.setResult(op, raise(e.getAll(op.operands())));
}

// -- Integers and tests --------------------------------------------------------------------------

template <ID id> LogicalResult emitWithFlag(FunctionEmitter& e, Operation& op) {
  auto* x = e.get(op.operand(0));
  auto* isPoison = e.builder.getFalse();
  return e.setResult(op, e.builder.CreateBinaryIntrinsic(id, x, isPoison));
}

template <unsigned mask> LogicalResult emitClassTest(FunctionEmitter& e, Operation& op) {
  return e.setResult(op, e.builder.createIsFPClass(e.get(op.operand(0)), mask));
}

void addRoundingFunctions(EmitTable& table) {
  table["math.exp"] = emitRounding<Intrinsic::exp>;
  table["math.exp2"] = emitRounding<Intrinsic::exp2>;
  table["math.log"] = emitRounding<Intrinsic::log>;
  table["math.log2"] = emitRounding<Intrinsic::log2>;
  table["math.log10"] = emitRounding<Intrinsic::log10>;
  table["math.sin"] = emitRounding<Intrinsic::sin>;
  table["math.cos"] = emitRounding<Intrinsic::cos>;
  table["math.powf"] = emitRounding<Intrinsic::pow>;
  table["math.fpowi"] = emitFPowI;
  table["math.rsqrt"] = emitRsqrt;
}

void addExpansions(EmitTable& table) {
  table["math.tan"] = emitExpanded<expandTan>;
  table["math.asin"] = emitExpanded<expandAsin>;
  table["math.acos"] = emitExpanded<expandAcos>;
  table["math.atan"] = emitExpanded<expandAtan>;
  table["math.atan2"] = emitExpanded<expandAtan2>;
  table["math.sinh"] = emitExpanded<expandSinh>;
  table["math.cosh"] = emitExpanded<expandCosh>;
  table["math.tanh"] = emitExpanded<expandTanh>;
  table["math.expm1"] = emitExpanded<expandExpM1>;
  table["math.log1p"] = emitExpanded<expandLog1P>;
  table["math.cbrt"] = emitExpanded<expandCbrt>;
  table["math.erf"] = emitExpanded<expandErf>;
  table["math.asinh"] = emitOnHost;
  table["math.acosh"] = emitOnHost;
  table["math.atanh"] = emitOnHost;
}

void addTests(EmitTable& table) {
  using namespace llvm;
  table["math.isnan"] = emitClassTest<fcNan>;
  table["math.isinf"] = emitClassTest<fcInf>;
  table["math.isfinite"] = emitClassTest<fcFinite>;
  table["math.isnormal"] = emitClassTest<fcNormal>;
}

}  // namespace

void addMathOps(EmitTable& table) {
  table["math.sqrt"] = emitExact<Intrinsic::sqrt>;
  table["math.absf"] = emitExact<Intrinsic::fabs>;
  table["math.ceil"] = emitExact<Intrinsic::ceil>;
  table["math.floor"] = emitExact<Intrinsic::floor>;
  table["math.trunc"] = emitExact<Intrinsic::trunc>;
  table["math.round"] = emitExact<Intrinsic::round>;
  table["math.roundeven"] = emitExact<Intrinsic::roundeven>;
  table["math.copysign"] = emitExact<Intrinsic::copysign>;
  table["math.fma"] = emitExact<Intrinsic::fma>;
  table["math.ctpop"] = emitExact<Intrinsic::ctpop>;
  table["math.ctlz"] = emitWithFlag<Intrinsic::ctlz>;
  table["math.cttz"] = emitWithFlag<Intrinsic::cttz>;
  table["math.absi"] = emitWithFlag<Intrinsic::abs>;
  addRoundingFunctions(table);
  addExpansions(table);
  addTests(table);
}

}  // namespace airlite::gpu
