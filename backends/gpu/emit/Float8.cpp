#include "Float8.hpp"

#include "airlite/ir/Attribute.hpp"
#include "airlite/ir/Operation.hpp"

#include <llvm/ADT/StringSet.h>

#include <cmath>

namespace airlite::gpu {
namespace {

using Builder = llvm::IRBuilder<>;

/// Fields of a format, next to each other: sign, exponent, fraction.
struct Fields {
  unsigned fraction;  ///< bits
  int bias;           ///< of the exponent
};

Fields fieldsOf(airlite::FloatKind kind) {
  switch (kind) {
    case airlite::FloatKind::F8E4M3FN: return {3, 7};
    case airlite::FloatKind::F8E4M3FNUZ: return {3, 8};
    case airlite::FloatKind::F8E5M2: return {2, 15};
    case airlite::FloatKind::F8E5M2FNUZ: return {2, 16};
    case airlite::FloatKind::F16: return {10, 15};
    case airlite::FloatKind::F64: return {52, 1023};
    default: return {23, 127};
  }
}

bool isFnuz(airlite::FloatKind kind) {
  return kind == airlite::FloatKind::F8E4M3FNUZ || kind == airlite::FloatKind::F8E5M2FNUZ;
}

/// The first pattern without a sign that is no finite number.
uint64_t endOf(airlite::FloatKind kind) { return floatToBits(kind, INFINITY); }

llvm::Type* like(llvm::Value* value, llvm::Type* number) {
  return value->getType()->getWithNewType(number);
}

llvm::Constant* bitsLike(llvm::Value* value, uint64_t bits) {
  return llvm::ConstantInt::get(value->getType(), bits);
}

/// The bits of `number` as integers of its size.
llvm::Value* integerOf(Builder& b, llvm::Value* number) {
  return b.CreateBitCast(number,
                         like(number, b.getIntNTy(number->getType()->getScalarSizeInBits())));
}

/// The exponent is put into the range of the format, and what the fraction loses is rounded.
llvm::Value* roundNormal(Builder& b, llvm::Value* magnitude, Fields from, Fields to) {
  const unsigned lost = from.fraction - to.fraction;
  const auto excess = static_cast<uint64_t>(from.bias - to.bias) << from.fraction;
  auto* isOdd = b.CreateAnd(b.CreateLShr(magnitude, lost), bitsLike(magnitude, 1));
  auto* moved = b.CreateSub(magnitude, bitsLike(magnitude, excess - ((1ULL << (lost - 1)) - 1)));
  return b.CreateLShr(b.CreateAdd(moved, isOdd), lost);
}

/// A number whose last bit is that of the format's smallest ones rounds what is added to it.
llvm::Value* roundSubnormal(Builder& b, llvm::Value* magnitude, llvm::Type* number, Fields from,
                            Fields to) {
  const int exponent =
      1 - to.bias - static_cast<int>(to.fraction) + static_cast<int>(from.fraction);
  auto* large = llvm::ConstantFP::get(number, std::ldexp(1.0, exponent));
  auto* sum = b.CreateFAdd(b.CreateBitCast(magnitude, number), large);
  return b.CreateSub(integerOf(b, sum), b.CreateBitCast(large, magnitude->getType()));
}

/// Of a format with infinities NaN keeps the first bits of what it carries, or gets one.
llvm::Value* nanBits(Builder& b, llvm::Value* magnitude, airlite::FloatKind kind, Fields from,
                     Fields to) {
  if (kind != airlite::FloatKind::F8E5M2) return bitsLike(magnitude, endOf(kind));
  auto* carried = b.CreateAnd(b.CreateLShr(magnitude, from.fraction - to.fraction),
                              bitsLike(magnitude, (1ULL << to.fraction) - 1));
  auto* isNone = b.CreateICmpEQ(carried, bitsLike(magnitude, 0));
  auto* quiet = bitsLike(magnitude, 1ULL << (to.fraction - 1));
  return b.CreateOr(b.CreateSelect(isNone, quiet, carried), bitsLike(magnitude, endOf(kind)));
}

}  // namespace

llvm::Value* widenFloat8(Builder& b, llvm::Value* bits, airlite::FloatKind kind, bool toHalf) {
  const airlite::FloatKind wide = toHalf ? airlite::FloatKind::F16 : airlite::FloatKind::F32;
  const Fields from = fieldsOf(kind), to = fieldsOf(wide);
  auto* word = b.CreateZExt(bits, like(bits, toHalf ? b.getInt16Ty() : b.getInt32Ty()));
  auto* magnitude = b.CreateAnd(word, bitsLike(word, 0x7f));
  auto* number = like(bits, toHalf ? b.getHalfTy() : b.getFloatTy());
  auto* placed = b.CreateShl(magnitude, to.fraction - from.fraction);
  // The bias is made up for by a product, which also normalizes what is subnormal.
  auto* finite = placed;
  if (to.bias != from.bias) {
    auto* scale = llvm::ConstantFP::get(number, std::ldexp(1.0, to.bias - from.bias));
    finite = integerOf(b, b.CreateFMul(b.CreateBitCast(placed, number), scale));
  }
  auto* sign = b.CreateShl(b.CreateAnd(word, bitsLike(word, 0x80)), toHalf ? 8 : 24);
  const uint64_t infinity = floatToBits(wide, INFINITY), quiet = 1ULL << (to.fraction - 1);
  if (isFnuz(kind)) {
    auto* isNaN = b.CreateICmpEQ(word, bitsLike(word, 0x80));
    auto* signedBits = b.CreateOr(finite, sign);
    return b.CreateBitCast(b.CreateSelect(isNaN, bitsLike(word, infinity | quiet), signedBits),
                           number);
  }
  auto* isNumber = b.CreateICmpULT(magnitude, bitsLike(word, endOf(kind)));
  auto* other = kind == airlite::FloatKind::F8E5M2
                    ? b.CreateOr(placed, bitsLike(word, infinity))
                    : llvm::cast<llvm::Value>(bitsLike(word, infinity | quiet));
  auto* unsignedBits = b.CreateSelect(isNumber, finite, other);
  return b.CreateBitCast(b.CreateOr(unsignedBits, sign), number);
}

llvm::Value* narrowToFloat8(Builder& b, llvm::Value* number, airlite::FloatKind kind) {
  const bool isDouble = number->getType()->getScalarType()->isDoubleTy();
  const airlite::FloatKind wide = isDouble ? airlite::FloatKind::F64 : airlite::FloatKind::F32;
  const Fields from = fieldsOf(wide), to = fieldsOf(kind);
  auto* word = integerOf(b, number);
  const unsigned width = word->getType()->getScalarSizeInBits();
  auto* magnitude = b.CreateAnd(word, bitsLike(word, (1ULL << (width - 1)) - 1));
  auto* smallestNormal = bitsLike(word, floatToBits(wide, std::ldexp(1.0, 1 - to.bias)));
  auto* rounded = b.CreateSelect(b.CreateICmpULT(magnitude, smallestNormal),
                                 roundSubnormal(b, magnitude, number->getType(), from, to),
                                 roundNormal(b, magnitude, from, to));
  auto* finite =
      b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, rounded, bitsLike(word, endOf(kind)));
  auto* isNaN = b.CreateICmpUGT(magnitude, bitsLike(word, floatToBits(wide, INFINITY)));
  auto* made = b.CreateSelect(isNaN, nanBits(b, magnitude, kind, from, to), finite);
  auto* sign = b.CreateAnd(b.CreateLShr(word, width - 8), bitsLike(word, 0x80));
  if (isFnuz(kind)) {
    auto* hasNone = b.CreateICmpEQ(b.CreateAnd(made, bitsLike(word, 0x7f)), bitsLike(word, 0));
    sign = b.CreateSelect(hasNone, bitsLike(word, 0), sign);
  }
  return b.CreateTrunc(b.CreateOr(made, sign), like(number, b.getInt8Ty()));
}

std::string float8Obstacle(const Operation& op) {
  static const llvm::StringSet<> moving = {"arith.constant", "arith.extf", "arith.truncf",
                                           "arith.bitcast", "arith.select"};
  static const llvm::StringSet<> computing = {
      "vector.reduction",    "vector.multi_reduction", "vector.fma",    "vector.contract",
      "vector.outerproduct", "memref.atomic_rmw",      "gpu.all_reduce"};
  const std::string_view text = op.name();
  const llvm::StringRef name(text.data(), text.size());
  const bool computes = (name.starts_with("arith.") || name.starts_with("math."))
                            ? !moving.contains(name)
                            : computing.contains(name);
  if (!computes) return {};
  const auto isNarrow = [](Type type) { return elementTypeOrSelf(type).isFloat8(); };
  for (Value operand : op.operands())
    if (isNarrow(operand.type()))
      return std::string(text) + " on " + elementTypeOrSelf(operand.type()).str() +
             "; convert to f32 with arith.extf, and the result with arith.truncf";
  for (Type type : op.resultTypes())
    if (isNarrow(type)) return std::string(text) + " to " + elementTypeOrSelf(type).str();
  return {};
}

}  // namespace airlite::gpu
