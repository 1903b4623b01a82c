#include "MathExpand.hpp"

#include <llvm/IR/Intrinsics.h>

#include <initializer_list>
#include <limits>
#include <numbers>

namespace airlite::gpu {
namespace {

using llvm::Value;
using llvm::Intrinsic::ID;
using Builder = llvm::IRBuilder<>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Value* number(Value* like, double value) { return llvm::ConstantFP::get(like->getType(), value); }

Value* unary(Builder& b, ID id, Value* x) { return b.CreateUnaryIntrinsic(id, x); }
Value* absOf(Builder& b, Value* x) { return unary(b, llvm::Intrinsic::fabs, x); }
Value* expOf(Builder& b, Value* x) { return unary(b, llvm::Intrinsic::exp, x); }

Value* withSignOf(Builder& b, Value* magnitude, Value* sign) {
  return b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, magnitude, sign);
}

/// The polynomial with these coefficients, lowest first.
Value* polynomial(Builder& b, Value* x, std::initializer_list<double> coefficients) {
  Value* sum = nullptr;
  for (auto at = std::rbegin(coefficients); at != std::rend(coefficients); ++at)
    sum = sum ? b.CreateFAdd(b.CreateFMul(sum, x), number(x, *at)) : number(x, *at);
  return sum;
}

/// `small` where |x| < limit, else `large`.
Value* below(Builder& b, Value* x, double limit, Value* small, Value* large) {
  return b.CreateSelect(b.CreateFCmpOLT(absOf(b, x), number(x, limit)), small, large);
}

/// The angle of (x, y) for 0 <= y <= x, as a function of y / x: interpolated in Chebyshev nodes,
/// relative error 2.5e-9.
Value* atanBelowOne(Builder& b, Value* ratio) {
  auto* series =
      polynomial(b, b.CreateFMul(ratio, ratio),
                 {0.999999998, -0.333332823, 0.199982306, -0.142615737, 0.10940199, -0.0837206395,
                  0.0574635578, -0.0307175089, 0.0106807194, -0.00174370114});
  return b.CreateFMul(ratio, series);
}

/// (1 - x)(1 + x), which does not cancel near 1.
Value* rootOfComplement(Builder& b, Value* x) {
  auto* one = number(x, 1.0);
  auto* product = b.CreateFMul(b.CreateFSub(one, x), b.CreateFAdd(one, x));
  return unary(b, llvm::Intrinsic::sqrt, product);
}

/// exp(|x|) / 2 and exp(-|x|) / 2; the first overflows only when sinh and cosh do.
std::pair<Value*, Value*> halfExponentials(Builder& b, Value* x) {
  auto* half = number(x, 0.5);
  auto* root = expOf(b, b.CreateFMul(absOf(b, x), half));
  auto* grown = b.CreateFMul(b.CreateFMul(root, half), root);
  return {grown, b.CreateFDiv(number(x, 0.25), grown)};
}

}  // namespace

// -- Angles --------------------------------------------------------------------------------------

Value* expandTan(Builder& b, MathArgs args) {
  return b.CreateFDiv(unary(b, llvm::Intrinsic::sin, args[0]),
                      unary(b, llvm::Intrinsic::cos, args[0]));
}

Value* expandAtan2(Builder& b, MathArgs args) {
  auto* y = args[0];
  auto* x = args[1];
  auto* high = absOf(b, y);
  auto* wide = absOf(b, x);
  auto* isSteep = b.CreateFCmpOGT(high, wide);
  auto* larger = b.CreateSelect(isSteep, high, wide);
  auto* smaller = b.CreateSelect(isSteep, wide, high);
  auto* ratio = b.CreateFDiv(smaller, larger);
  // Neither 0/0 nor inf/inf: the angles of (0, 0) and of the infinite diagonal are defined.
  ratio = b.CreateSelect(b.CreateFCmpOEQ(smaller, larger), number(x, 1.0), ratio);
  ratio = b.CreateSelect(b.CreateFCmpOEQ(larger, number(x, 0.0)), number(x, 0.0), ratio);
  auto* angle = atanBelowOne(b, ratio);
  angle = b.CreateSelect(isSteep, b.CreateFSub(number(x, std::numbers::pi / 2), angle), angle);
  auto* isLeft = b.CreateFCmpOLT(withSignOf(b, number(x, 1.0), x), number(x, 0.0));
  angle = b.CreateSelect(isLeft, b.CreateFSub(number(x, std::numbers::pi), angle), angle);
  auto* isNan = b.CreateFCmpUNO(x, y);
  return b.CreateSelect(isNan, b.CreateFAdd(x, y), withSignOf(b, angle, y));
}

Value* expandAtan(Builder& b, MathArgs args) {
  return expandAtan2(b, {args[0], number(args[0], 1.0)});
}

Value* expandAsin(Builder& b, MathArgs args) {
  return expandAtan2(b, {args[0], rootOfComplement(b, args[0])});
}

Value* expandAcos(Builder& b, MathArgs args) {
  return expandAtan2(b, {rootOfComplement(b, args[0]), args[0]});
}

// -- Hyperbolic functions ------------------------------------------------------------------------

/// Taylor's series below 1/2, where the difference would cancel.
Value* expandSinh(Builder& b, MathArgs args) {
  auto* x = args[0];
  const auto [grown, shrunk] = halfExponentials(b, x);
  auto* series =
      polynomial(b, b.CreateFMul(x, x), {1.0, 1.0 / 6, 1.0 / 120, 1.0 / 5040, 1.0 / 362880});
  auto* magnitude =
      below(b, x, 0.5, b.CreateFMul(absOf(b, x), series), b.CreateFSub(grown, shrunk));
  return withSignOf(b, magnitude, x);
}

Value* expandCosh(Builder& b, MathArgs args) {
  const auto [grown, shrunk] = halfExponentials(b, args[0]);
  return b.CreateFAdd(grown, shrunk);
}

/// Taylor's series below 1/4, where (1 - e) / (1 + e) with e = exp(-2|x|) would cancel.
Value* expandTanh(Builder& b, MathArgs args) {
  auto* x = args[0];
  auto* magnitude = absOf(b, x);
  auto* decay = expOf(b, b.CreateFMul(magnitude, number(x, -2.0)));
  auto* one = number(x, 1.0);
  auto* large = b.CreateFDiv(b.CreateFSub(one, decay), b.CreateFAdd(one, decay));
  auto* series =
      polynomial(b, b.CreateFMul(x, x), {1.0, -1.0 / 3, 2.0 / 15, -17.0 / 315, 62.0 / 2835});
  return withSignOf(b, below(b, x, 0.25, b.CreateFMul(magnitude, series), large), x);
}

// -- Exponentials --------------------------------------------------------------------------------

Value* expandExpM1(Builder& b, MathArgs args) {
  auto* x = args[0];
  auto* series = polynomial(b, x,
                            {1.0, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040,
                             1.0 / 40320, 1.0 / 362880});
  return below(b, x, 0.5, b.CreateFMul(x, series), b.CreateFSub(expOf(b, x), number(x, 1.0)));
}

/// log(u) for u = 1 + x as it is rounded, times x / (u - 1), which undoes the rounding.
Value* expandLog1P(Builder& b, MathArgs args) {
  auto* x = args[0];
  auto* one = number(x, 1.0);
  auto* sum = b.CreateFAdd(x, one);
  auto* correction = b.CreateFDiv(x, b.CreateFSub(sum, one));
  auto* value = b.CreateFMul(unary(b, llvm::Intrinsic::log, sum), correction);
  auto* keeps = b.CreateOr(b.CreateFCmpOEQ(sum, one), b.CreateFCmpOEQ(x, number(x, kInfinity)));
  return b.CreateSelect(keeps, x, value);
}

/// exp2(log2(|x|) / 3) and one step of Newton's method.
Value* expandCbrt(Builder& b, MathArgs args) {
  auto* x = args[0];
  auto* magnitude = absOf(b, x);
  auto* third = number(x, 1.0 / 3);
  auto* guess = unary(b, llvm::Intrinsic::exp2,
                      b.CreateFMul(unary(b, llvm::Intrinsic::log2, magnitude), third));
  auto* excess = b.CreateFSub(guess, b.CreateFDiv(magnitude, b.CreateFMul(guess, guess)));
  auto* root = b.CreateFSub(guess, b.CreateFMul(excess, third));
  auto* keeps = b.CreateOr(b.CreateFCmpOEQ(magnitude, number(x, 0.0)),
                           b.CreateFCmpOEQ(magnitude, number(x, kInfinity)));
  return withSignOf(b, b.CreateSelect(keeps, magnitude, root), x);
}

/// The series below 1/2, above the approximation 7.1.26 of Abramowitz and Stegun.
Value* expandErf(Builder& b, MathArgs args) {
  auto* x = args[0];
  auto* magnitude = absOf(b, x);
  auto* square = b.CreateFMul(x, x);
  auto* series = polynomial(
      b, square,
      {1.1283791670955126, -0.37612638903183754, 0.11283791670955126, -0.026866170645131252,
       0.005223977625442188, -0.0008548327023450852, 0.00012055332981789664});
  auto* one = number(x, 1.0);
  auto* t = b.CreateFDiv(one, b.CreateFAdd(one, b.CreateFMul(magnitude, number(x, 0.3275911))));
  auto* rational =
      polynomial(b, t, {0.0, 0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429});
  auto* large = b.CreateFSub(one, b.CreateFMul(rational, expOf(b, b.CreateFNeg(square))));
  return withSignOf(b, below(b, x, 0.5, b.CreateFMul(magnitude, series), large), x);
}

}  // namespace airlite::gpu
