// math. Kernels have no math library: what LLVM's AMDGPU code generator selects by itself is an
// intrinsic, some functions are spelled out, the rest is refused (see target/KernelCheck.hpp).
#include "FunctionEmitter.hpp"
#include "airlite/gpu/target/KernelCheck.hpp"

namespace airlite::gpu {
namespace {

using llvm::Intrinsic::ID;
using Builder = llvm::IRBuilder<>;

/// `op` for the operands that it has.
LogicalResult emitIntrinsic(FunctionEmitter& e, Operation& op, ID id) {
  auto* type = e.convert(op.result().type());
  auto* call = e.builder.CreateIntrinsic(id, {type}, e.getAll(op.operands()));
  return e.setResult(op, withFastMath(op, call));
}

template <ID id>
LogicalResult emitExact(FunctionEmitter& e, Operation& op) {
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

template <ID id>
LogicalResult emitRounding(FunctionEmitter& e, Operation& op) {
  if (isF64(op)) return e.isKernelSide() ? refuse(op) : emitIntrinsic(e, op, id);
  return emitInF32(e, op, [&](const LlvmValues& args) {
    return withFastMath(op, e.builder.CreateIntrinsic(id, {args[0]->getType()}, args));
  });
}

llvm::Value* number(llvm::Value* like, double value) {
  return llvm::ConstantFP::get(like->getType(), value);
}

llvm::Value* unary(Builder& b, ID id, llvm::Value* x) { return b.CreateUnaryIntrinsic(id, x); }

/// The polynomial with these coefficients, lowest first.
llvm::Value* polynomial(Builder& b, llvm::Value* x, std::initializer_list<double> coefficients) {
  llvm::Value* sum = nullptr;
  for (auto at = std::rbegin(coefficients); at != std::rend(coefficients); ++at)
    sum = sum ? b.CreateFAdd(b.CreateFMul(sum, x), number(x, *at)) : number(x, *at);
  return sum;
}

/// tanh: Taylor's series below 1/4, where (1 - e) / (1 + e) with e = exp(-2|x|) would cancel.
llvm::Value* tanhOf(Builder& b, llvm::Value* x) {
  auto* magnitude = unary(b, llvm::Intrinsic::fabs, x);
  auto* decay = unary(b, llvm::Intrinsic::exp, b.CreateFMul(magnitude, number(x, -2.0)));
  auto* one = number(x, 1.0);
  auto* large = b.CreateFDiv(b.CreateFSub(one, decay), b.CreateFAdd(one, decay));
  auto* square = b.CreateFMul(x, x);
  auto* series = polynomial(b, square, {1.0, -1.0 / 3, 2.0 / 15, -17.0 / 315, 62.0 / 2835});
  auto* small = b.CreateFMul(magnitude, series);
  auto* isSmall = b.CreateFCmpOLT(magnitude, number(x, 0.25));
  auto* result = b.CreateSelect(isSmall, small, large);
  return b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, result, x);
}

/// erf: its series below 1/2, above the rational approximation 7.1.26 of Abramowitz and Stegun
/// (absolute error 1.5e-7).
llvm::Value* erfOf(Builder& b, llvm::Value* x) {
  auto* magnitude = unary(b, llvm::Intrinsic::fabs, x);
  auto* square = b.CreateFMul(x, x);
  auto* series = polynomial(b, square, {1.1283791670955126, -0.37612638903183754,
                                        0.11283791670955126, -0.026866170645131252,
                                        0.005223977625442187, -0.0008548327023450852,
                                        0.00012055332981789664});
  auto* one = number(x, 1.0);
  auto* t = b.CreateFDiv(
      one, b.CreateFAdd(one, b.CreateFMul(magnitude, number(x, 0.3275911))));
  auto* rational = polynomial(
      b, t, {0.0, 0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429});
  auto* decay = unary(b, llvm::Intrinsic::exp, b.CreateFNeg(square));
  auto* large = b.CreateFSub(one, b.CreateFMul(rational, decay));
  auto* isSmall = b.CreateFCmpOLT(magnitude, number(x, 0.5));
  auto* result = b.CreateSelect(isSmall, b.CreateFMul(magnitude, series), large);
  return b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, result, x);
}

llvm::Value* tanOf(Builder& b, llvm::Value* x) {
  return b.CreateFDiv(unary(b, llvm::Intrinsic::sin, x), unary(b, llvm::Intrinsic::cos, x));
}

llvm::Value* coshOf(Builder& b, llvm::Value* x) {
  auto* grown = unary(b, llvm::Intrinsic::exp, x);
  auto* shrunk = unary(b, llvm::Intrinsic::exp, b.CreateFNeg(x));
  return b.CreateFMul(b.CreateFAdd(grown, shrunk), number(x, 0.5));
}

template <llvm::Value* (*expand)(Builder&, llvm::Value*)>
LogicalResult emitExpanded(FunctionEmitter& e, Operation& op) {
  if (isF64(op)) return refuse(op);
  return emitInF32(e, op, [&](const LlvmValues& args) { return expand(e.builder, args[0]); });
}

LogicalResult emitRsqrt(FunctionEmitter& e, Operation& op) {
  auto* x = e.get(op.operand(0));
  auto* root = withFastMath(op, unary(e.builder, llvm::Intrinsic::sqrt, x));
  return e.setResult(op, withFastMath(op, e.builder.CreateFDiv(number(x, 1.0), root)));
}

// -- Powers --------------------------------------------------------------------------------------

/// The exponent of the instruction is one i32 for all elements.
LogicalResult emitFPowI(FunctionEmitter& e, Operation& op) {
  const auto exponent = op.operand(1).type();
  if (!exponent.isInteger(32)) return unsupported(op, "math.fpowi with an exponent that is not i32");
  if (isF64(op) && e.isKernelSide()) return refuse(op);
  return emitInF32(e, op, [&](const LlvmValues& args) {
    return e.builder.CreateIntrinsic(llvm::Intrinsic::powi,
                                     {args[0]->getType(), args[1]->getType()}, args);
  });
}

// -- Integers and tests --------------------------------------------------------------------------

template <ID id>
LogicalResult emitWithFlag(FunctionEmitter& e, Operation& op) {
  auto* x = e.get(op.operand(0));
  auto* isPoison = e.builder.getFalse();
  return e.setResult(op, e.builder.CreateBinaryIntrinsic(id, x, isPoison));
}

template <unsigned mask>
LogicalResult emitClassTest(FunctionEmitter& e, Operation& op) {
  return e.setResult(op, e.builder.createIsFPClass(e.get(op.operand(0)), mask));
}

void addRoundingFunctions(EmitTable& table) {
  using namespace llvm::Intrinsic;
  table["math.exp"] = emitRounding<exp>;
  table["math.exp2"] = emitRounding<exp2>;
  table["math.log"] = emitRounding<log>;
  table["math.log2"] = emitRounding<log2>;
  table["math.log10"] = emitRounding<log10>;
  table["math.sin"] = emitRounding<sin>;
  table["math.cos"] = emitRounding<cos>;
  table["math.powf"] = emitRounding<pow>;
  table["math.fpowi"] = emitFPowI;
  table["math.tanh"] = emitExpanded<tanhOf>;
  table["math.erf"] = emitExpanded<erfOf>;
  table["math.tan"] = emitExpanded<tanOf>;
  table["math.cosh"] = emitExpanded<coshOf>;
  table["math.rsqrt"] = emitRsqrt;
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
  using namespace llvm::Intrinsic;
  table["math.sqrt"] = emitExact<sqrt>;
  table["math.absf"] = emitExact<fabs>;
  table["math.ceil"] = emitExact<ceil>;
  table["math.floor"] = emitExact<floor>;
  table["math.trunc"] = emitExact<trunc>;
  table["math.round"] = emitExact<round>;
  table["math.roundeven"] = emitExact<roundeven>;
  table["math.copysign"] = emitExact<copysign>;
  table["math.fma"] = emitExact<fma>;
  table["math.ctpop"] = emitExact<ctpop>;
  table["math.ctlz"] = emitWithFlag<ctlz>;
  table["math.cttz"] = emitWithFlag<cttz>;
  table["math.absi"] = emitWithFlag<llvm::Intrinsic::abs>;
  addRoundingFunctions(table);
  addTests(table);
}

}  // namespace airlite::gpu
