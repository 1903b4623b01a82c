#include "Float8.hpp"

#include "airlite/ir/Attribute.hpp"

#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/Support/MathExtras.h>

#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

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

/// Each byte as the upper half of 16 bits, in integers of 32 bits where they are pairs: so LLVM selects ops on both at
/// once, which it does not for vectors of 16 bits.
static llvm::Value* upperHalves(Builder& b, llvm::Value* bits) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(bits->getType());
  const unsigned count = vector ? vector->getNumElements() : 1;
  if (count % 2) return b.CreateShl(b.CreateZExt(bits, like(bits, b.getInt16Ty())), 8);
  llvm::SmallVector<int, 32> order;
  for (unsigned i = 0; i < count; ++i)
    order.append({static_cast<int>(count), static_cast<int>(i)});
  auto* spaced = b.CreateShuffleVector(bits, llvm::Constant::getNullValue(vector), order);
  return b.CreateBitCast(spaced, llvm::FixedVectorType::get(b.getInt32Ty(), count / 2));
}

/// f8E5M2 is the upper half of f16; f8E4M3FN has one bit of exponent less, which a product makes up for. Without
/// comparisons, since the devices compute two numbers of 16 bits at a time only without them.
static llvm::Value* widenToHalf(Builder& b, llvm::Value* bits, airlite::FloatKind kind) {
  auto* upper = upperHalves(b, bits);
  auto* half = like(bits, b.getHalfTy());
  if (kind == airlite::FloatKind::F8E5M2) return b.CreateBitCast(upper, half);
  const bool isPair = upper->getType()->getScalarSizeInBits() == 32;
  const auto masked = [&](llvm::Value* value, uint64_t mask) {
    return b.CreateAnd(value, bitsLike(value, isPair ? mask << 16 | mask : mask));
  };
  auto* sign = masked(upper, 0x8000);
  auto* magnitude = masked(b.CreateLShr(upper, 1), 0x3f80);
  // NaN is the largest magnitude: it alone carries into the exponent's first bit, which completes that of NaN.
  const uint64_t last = isPair ? 0x00800080 : 0x80;
  auto* carry = masked(b.CreateAdd(magnitude, bitsLike(magnitude, last)), 0x4000);
  auto* placed = b.CreateOr(b.CreateOr(sign, magnitude), carry);
  return b.CreateFMul(b.CreateBitCast(placed, half), llvm::ConstantFP::get(half, 256.0));
}

llvm::Value* widenFloat8(Builder& b, llvm::Value* bits, airlite::FloatKind kind, bool toHalf) {
  auto* number = like(bits, b.getFloatTy());
  if (!isFnuz(kind)) {
    auto* half = widenToHalf(b, bits, kind);
    return toHalf ? half : b.CreateFPExt(half, number);
  }
  const Fields from = fieldsOf(kind), to = fieldsOf(airlite::FloatKind::F32);
  auto* word = b.CreateZExt(bits, like(bits, b.getInt32Ty()));
  auto* placed = b.CreateShl(b.CreateAnd(word, bitsLike(word, 0x7f)), to.fraction - from.fraction);
  // The bias is made up for by a product, which also normalizes what is subnormal.
  auto* scale = llvm::ConstantFP::get(number, std::ldexp(1.0, to.bias - from.bias));
  auto* finite = integerOf(b, b.CreateFMul(b.CreateBitCast(placed, number), scale));
  auto* sign = b.CreateShl(b.CreateAnd(word, bitsLike(word, 0x80)), 24);
  auto* isNaN = b.CreateICmpEQ(word, bitsLike(word, 0x80));
  auto* made = b.CreateSelect(isNaN, bitsLike(word, 0x7fc00000), b.CreateOr(finite, sign));
  auto* wide = b.CreateBitCast(made, number);
  return toHalf ? b.CreateFPTrunc(wide, like(bits, b.getHalfTy())) : wide;
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

// -- The devices' own conversions ------------------------------------------------------------------

namespace {

constexpr llvm::StringLiteral kFormat =
    "airlite.float8";  // metadata of a call: the name of a format

/// The device converts formats without -0, or those of the OCP.
bool converts(const amdgpu::GpuDevice& device, airlite::FloatKind kind) {
  return device.bit == (isFnuz(kind) ? amdgpu::kGfx942 : amdgpu::kGfx1201);
}

bool hasThreeBits(airlite::FloatKind kind) { return fieldsOf(kind).fraction == 3; }

/// Both numbers of the lower or upper half of a word.
llvm::Value* widenTwo(Builder& b, llvm::Value* word, airlite::FloatKind kind, bool isUpper) {
  const auto id = hasThreeBits(kind) ? llvm::Intrinsic::amdgcn_cvt_pk_f32_fp8
                                     : llvm::Intrinsic::amdgcn_cvt_pk_f32_bf8;
  auto* call = b.CreateIntrinsic(id, {}, {word, b.getInt1(isUpper)});
  const std::string_view name = FloatType::name(kind);
  auto* text = llvm::MDString::get(b.getContext(), llvm::StringRef(name.data(), name.size()));
  call->setMetadata(kFormat, llvm::MDNode::get(b.getContext(), {text}));
  return call;
}

/// Vectors of two numbers each, one after the other.
llvm::Value* joined(Builder& b, std::vector<llvm::Value*> parts) {
  while (parts.size() > 1) {
    std::vector<llvm::Value*> next;
    const auto count = llvm::cast<llvm::FixedVectorType>(parts[0]->getType())->getNumElements();
    llvm::SmallVector<int, 32> order(2 * count);
    std::iota(order.begin(), order.end(), 0);
    for (size_t i = 0; i + 1 < parts.size(); i += 2)
      next.push_back(b.CreateShuffleVector(parts[i], parts[i + 1], order));
    parts = std::move(next);
  }
  return parts[0];
}

}  // namespace

llvm::Value* widenFloat8OnDevice(Builder& b, llvm::Value* bits, airlite::FloatKind kind,
                                 const amdgpu::GpuDevice& device) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(bits->getType());
  const unsigned count = vector ? vector->getNumElements() : 1;
  if (!converts(device, kind) || count < 4 || !llvm::isPowerOf2_32(count)) return nullptr;
  auto* words = b.CreateBitCast(bits, llvm::FixedVectorType::get(b.getInt32Ty(), count / 4));
  std::vector<llvm::Value*> parts;
  for (uint64_t i = 0; i < count / 4; ++i)
    for (bool isUpper : {false, true})
      parts.push_back(widenTwo(b, b.CreateExtractElement(words, i), kind, isUpper));
  return joined(b, std::move(parts));
}

llvm::Value* float8CallOnHost(Builder& b, llvm::CallBase& call) {
  const auto* format = call.getMetadata(kFormat);
  if (!format) return nullptr;
  const llvm::StringRef name = llvm::cast<llvm::MDString>(format->getOperand(0))->getString();
  const auto kind = FloatType::parseName(std::string_view(name.data(), name.size()));
  auto* bytes =
      b.CreateBitCast(call.getArgOperand(0), llvm::FixedVectorType::get(b.getInt8Ty(), 4));
  const bool isUpper = llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->isOne();
  auto* two =
      b.CreateShuffleVector(bytes, isUpper ? llvm::ArrayRef<int>{2, 3} : llvm::ArrayRef<int>{0, 1});
  return widenFloat8(b, two, *kind);
}

}  // namespace airlite::gpu
