// The matrix unit: C += A * B in the shapes that the configuration word chooses
// (docs/hardware/vector_facts.md, section 3). Sparse operands, convolutions and complex numbers are
// not modelled.
#include "Config.hpp"
#include "Pipeline.hpp"
#include "Semantics.hpp"
#include "airlite/support/Bf16Sum.hpp"
#include "airlite/support/BlockFloat.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <string>

namespace airlite::npu::sim::core {
namespace {

/// A[rows][inner] * B[inner][columns], row after row; or lane by lane, where `inner` products of
/// lanes that are `rows` apart make one.
struct Shape {
  unsigned accMode, widths, variant;
  uint8_t aBits, bBits;
  uint8_t rows, inner, columns;
  bool byLane;

  constexpr unsigned key() const { return accMode | widths << 2 | variant << 4; }
};

// Matrices: docs/hardware/vector_facts.md, "Dense matrix shapes". By lane: "Other variants"; that
// the second product takes the lanes that follow is documented for bf16, and assumed for the
// integers (C).
constexpr Shape kShapes[] = {
    {0, 0, 0, 8, 4, 4, 16, 8, false},  {0, 1, 0, 8, 8, 4, 8, 8, false},
    {0, 2, 0, 16, 8, 4, 4, 8, false},  {0, 3, 0, 16, 16, 4, 2, 8, false},
    {1, 2, 0, 16, 8, 2, 8, 8, false},  {1, 2, 1, 16, 8, 4, 8, 4, false},
    {1, 3, 0, 16, 16, 2, 4, 8, false}, {1, 3, 1, 16, 16, 4, 4, 4, false},
    {1, 0, 0, 32, 16, 4, 2, 4, false}, {2, 3, 0, 16, 16, 4, 8, 4, false},
    {0, 1, 1, 8, 8, 32, 2, 1, true},   {0, 3, 1, 16, 16, 32, 1, 1, true},
    {1, 3, 2, 16, 16, 16, 2, 1, true}, {2, 3, 1, 16, 16, 16, 2, 1, true},
};

// AIE2P (docs/hardware/aie2p.md, "Matrix unit"): matrices, then lane by lane. The lanes of the latter are those of
// operands of 512 bits; where two of 1,024 are known to be twice as many it is said below.
constexpr Shape kAie2pShapes[] = {
    {0, 1, 0, 8, 8, 8, 8, 8, false},   {0, 2, 0, 16, 8, 8, 4, 8, false},
    {0, 3, 0, 16, 16, 8, 2, 8, false}, {1, 0, 0, 32, 16, 4, 2, 8, false},
    {1, 2, 0, 16, 8, 4, 8, 8, false},  {1, 3, 0, 16, 16, 4, 4, 8, false},
    {0, 1, 1, 8, 8, 64, 1, 1, true},   {0, 3, 1, 16, 16, 32, 1, 1, true},
    {1, 3, 2, 16, 16, 32, 1, 1, true}, {2, 3, 1, 16, 16, 32, 1, 1, true},
};
constexpr Shape kAie2pWideShapes[] = {
    {0, 3, 1, 16, 16, 64, 1, 1, true},
    {2, 3, 1, 16, 16, 64, 1, 1, true},
};

std::span<const Shape> shapesFor(const Flight& f, unsigned firstOperand) {
  if (!isAie2p(f.op->form)) return kShapes;
  const unsigned a = f.op->in[firstOperand].place->bytes();
  const unsigned b = f.op->in[firstOperand + 1].place->bytes();
  if (a == kVectorBytes && b == kVectorBytes) return kAie2pShapes;
  if (a == b) return kAie2pWideShapes;
  return {};
}

const Shape* shapeOf(std::span<const Shape> shapes, Config conf) {
  for (const Shape& shape : shapes)
    if (shape.key() == conf.shape()) return &shape;
  return nullptr;
}

/// Which elements of A and B the k-th product of lane `lane` takes.
struct Pair {
  unsigned a, b;
};
Pair pairOf(const Shape& shape, unsigned lane, unsigned k) {
  if (shape.byLane) return {lane + k * shape.rows, lane + k * shape.rows};
  return {lane / shape.columns * shape.inner + k, k * shape.columns + lane % shape.columns};
}

constexpr unsigned kMostElements = 128;
/// Elements and sums in as many bits as an accumulator's lane: they wrap around like it.
template <typename T> using Elements = std::array<T, kMostElements>;

template <typename From, typename T>
void widen(Elements<T>& to, const Value& value, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    to[i] = static_cast<T>(int64_t{value.get<From>(i)});
}

template <typename T>
void widenNibbles(Elements<T>& to, const Value& value, unsigned count, bool isSigned) {
  for (unsigned i = 0; i < count; ++i) {
    const int64_t bits = value.bytes[i / 2] >> (i % 2 * 4) & 0xf;
    to[i] = static_cast<T>(isSigned && bits >= 8 ? bits - 16 : bits);
  }
}

template <typename T>
void unpack(Elements<T>& to, const Value& value, unsigned count, unsigned bits, bool isSigned) {
  switch (bits) {
    case 4: return widenNibbles(to, value, count, isSigned);
    case 8: return isSigned ? widen<int8_t>(to, value, count) : widen<uint8_t>(to, value, count);
    case 16: return isSigned ? widen<int16_t>(to, value, count) : widen<uint16_t>(to, value, count);
    default: return isSigned ? widen<int32_t>(to, value, count) : widen<uint32_t>(to, value, count);
  }
}

template <typename T>
Elements<T> matrixProduct(const Shape& shape, const Elements<T>& a, const Elements<T>& b) {
  Elements<T> sums{};
  for (unsigned row = 0; row < shape.rows; ++row)
    for (unsigned k = 0; k < shape.inner; ++k)
      for (unsigned column = 0; column < shape.columns; ++column)
        sums[row * shape.columns + column] +=
            a[row * shape.inner + k] * b[k * shape.columns + column];
  return sums;
}

template <typename T>
Elements<T> lanewiseProduct(const Shape& shape, const Elements<T>& a, const Elements<T>& b) {
  Elements<T> sums{};
  for (unsigned i = 0; i < unsigned{shape.rows} * shape.inner; ++i)
    sums[i % shape.rows] += a[i] * b[i];
  return sums;
}

/// What a form adds: signs of the product and of the accumulators that it has.
struct Terms {
  bool negateProduct, hasAcc1, negateAcc1, hasAcc2, negateAcc2;
};

template <typename T> T accumulator(const Value& value, unsigned lane, bool negative) {
  const T lanes = value.get<T>(lane);
  return negative ? T{0} - lanes : lanes;
}

template <typename T> T shiftedRight16(T value) {
  return static_cast<T>(static_cast<std::make_signed_t<T>>(value) >> 16);
}

template <typename T>
Elements<T> products(const Flight& f, const Shape& shape, Config conf, Terms terms) {
  const unsigned first = terms.hasAcc1 + terms.hasAcc2;
  const unsigned aCount = shape.rows * shape.inner;
  const unsigned bCount = shape.byLane ? aCount : shape.inner * shape.columns;
  Elements<T> a, b;
  unpack(a, f.in[first], aCount, shape.aBits, conf.signX());
  unpack(b, f.in[first + 1], bCount, shape.bBits, conf.signY());
  return shape.byLane ? lanewiseProduct(shape, a, b) : matrixProduct(shape, a, b);
}

template <typename T> void integerLanes(Flight& f, const Shape& shape, Config conf, Terms terms) {
  const Elements<T> sums = products<T>(f, shape, conf, terms);
  for (unsigned lane = 0; lane < unsigned{shape.rows} * shape.columns; ++lane) {
    T total = terms.negateProduct ? T{0} - sums[lane] : sums[lane];
    if (terms.hasAcc1 && !conf.zeroAcc()) {
      T acc = f.in[0].get<T>(lane);
      if (conf.shift16()) acc = shiftedRight16(acc);
      total += terms.negateAcc1 ? T{0} - acc : acc;
    }
    if (terms.hasAcc2) total += accumulator<T>(f.in[1], lane, terms.negateAcc2);
    f.out[0].set(total, lane);
  }
}

void floatLanes(Flight& f, const Shape& shape, Config conf, Terms terms) {
  constexpr uint32_t kSign = 0x80000000;
  const unsigned first = terms.hasAcc1 + terms.hasAcc2;
  for (unsigned lane = 0; lane < unsigned{shape.rows} * shape.columns; ++lane) {
    std::array<Bf16Product, 8> products{};
    for (unsigned k = 0; k < shape.inner; ++k) {
      const Pair pair = pairOf(shape, lane, k);
      products[k] = {f.in[first].get<uint16_t>(pair.a), f.in[first + 1].get<uint16_t>(pair.b)};
    }
    std::array<uint32_t, 2> accs{};
    unsigned count = 0;
    if (terms.hasAcc1 && !conf.zeroAcc())
      accs[count++] = f.in[0].get<uint32_t>(lane) ^ (terms.negateAcc1 ? kSign : 0);
    if (terms.hasAcc2) accs[count++] = f.in[1].get<uint32_t>(lane) ^ (terms.negateAcc2 ? kSign : 0);
    f.out[0].set(bf16Sum(std::span(products).first(shape.inner), terms.negateProduct,
                         std::span(accs).first(count)),
                 lane);
  }
}

float signedFloat(const Value& value, unsigned lane, bool negative) {
  const float number = value.get<float>(lane);
  return negative ? -number : number;
}

float ofBfloat(const Value& value, unsigned lane) {
  return std::bit_cast<float>(uint32_t{value.get<uint16_t>(lane)} << 16);
}

/// AIE2P: one product of bf16 for a lane, exact in f32 but for those that are subnormal; sums round
/// to nearest, the product joins last (C); a NaN is the positive quiet one.
void exactFloatLanes(Flight& f, const Shape& shape, Config conf, Terms terms) {
  const unsigned first = terms.hasAcc1 + terms.hasAcc2;
  for (unsigned lane = 0; lane < shape.rows; ++lane) {
    float sum = terms.hasAcc1 && !conf.zeroAcc() ? signedFloat(f.in[0], lane, terms.negateAcc1) : 0;
    if (terms.hasAcc2) sum = sum + signedFloat(f.in[1], lane, terms.negateAcc2);
    const float product = ofBfloat(f.in[first], lane) * ofBfloat(f.in[first + 1], lane);
    const bool isAlone = !terms.hasAcc2 && (!terms.hasAcc1 || conf.zeroAcc());
    const float term = terms.negateProduct ? -product : product;
    const float total = isAlone ? term : sum + term;
    f.out[0].set(std::isnan(total) ? std::numeric_limits<float>::quiet_NaN() : total, lane);
  }
}

std::string unknown(const char* what, uint32_t word) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text = std::string("not modelled: ") + what + " of the configuration 0x";
  bool started = false;
  for (int at = 28; at >= 0; at -= 4)
    if ((started |= (word >> at & 0xf) || !at)) text += kDigits[word >> at & 0xf];
  return text;
}

/// Whether the factors are blocks that share exponents, in ex registers.
bool areBlocks(const Flight& f, unsigned firstOperand) {
  constexpr unsigned kBlockBytes = 72;
  return isAie2p(f.op->form) && f.op->in[firstOperand].place->bytes() == kBlockBytes &&
         f.op->in[firstOperand + 1].place->bytes() == kBlockBytes;
}

FloatBlock blockOf(const Value& value, unsigned number) {
  FloatBlock block;
  block.exponent = value.get<uint8_t>(kBlocksOfFactor * kBlockLength + number);
  for (unsigned k = 0; k < kBlockLength; ++k)
    block.mantissas[k] = value.get<int8_t>(number * kBlockLength + k);
  return block;
}

/// C[i][j] += block i of A times block j of B; sums round to the nearest (C).
void blockLanes(Flight& f, Config conf, Terms terms) {
  if (terms.hasAcc2 || conf.shift16()) return f.pipe->fault(f.pc, unknown("the terms", conf.word));
  const unsigned first = terms.hasAcc1;
  f.out[0] = Value();
  for (unsigned lane = 0; lane < kBlocksOfFactor * kBlocksOfFactor; ++lane) {
    const float dot = dotOf(blockOf(f.in[first], lane / kBlocksOfFactor),
                            blockOf(f.in[first + 1], lane % kBlocksOfFactor));
    const float term = terms.negateProduct ? -dot : dot;
    const bool isAlone = !terms.hasAcc1 || conf.zeroAcc();
    const float total = isAlone ? term : signedFloat(f.in[0], lane, terms.negateAcc1) + term;
    f.out[0].set(std::isnan(total) ? std::numeric_limits<float>::quiet_NaN() : total, lane);
  }
}

template <bool isFloat, bool negateProduct, bool hasAcc1, bool negateAcc1, bool hasAcc2,
          bool negateAcc2>
void multiply(Flight& f) {
  constexpr uint32_t kBlockShape = kAccFloat | 1 << 2;
  const Config conf{f.u(2 + hasAcc1 + hasAcc2)};
  const Terms terms{negateProduct != conf.negateProduct(), hasAcc1, negateAcc1 != conf.negateAcc1(),
                    hasAcc2, negateAcc2 != conf.negateAcc2()};
  if (isFloat && areBlocks(f, hasAcc1 + hasAcc2) && conf.shape() == kBlockShape)
    return blockLanes(f, conf, terms);
  const Shape* shape = shapeOf(shapesFor(f, hasAcc1 + hasAcc2), conf);
  if (!shape || (shape->accMode == kAccFloat) != isFloat)
    return f.pipe->fault(f.pc, unknown("the shape", conf.word));
  if (conf.elementMask()) return f.pipe->fault(f.pc, unknown("the element mask", conf.word));
  if (isFloat && conf.shift16()) return f.pipe->fault(f.pc, unknown("the shift", conf.word));
  f.pipe->countProducts(unsigned{shape->rows} * shape->inner * shape->columns);
  // Lanes that the shape does not reach: their value is not known.
  if (isAie2p(f.op->form)) f.out[0] = Value();
  if (isFloat && isAie2p(f.op->form)) return exactFloatLanes(f, *shape, conf, terms);
  if (isFloat) return floatLanes(f, *shape, conf, terms);
  if (shape->accMode == kAcc64) return integerLanes<uint64_t>(f, *shape, conf, terms);
  integerLanes<uint32_t>(f, *shape, conf, terms);
}

template <bool isFloat, bool negateProduct>
constexpr Semantic alone{multiply<isFloat, negateProduct, false, false, false, false>};
template <bool isFloat, bool negateProduct, bool negateAcc>
constexpr Semantic added{multiply<isFloat, negateProduct, true, negateAcc, false, false>};
template <bool isFloat, bool negateProduct, bool negateAcc2>
constexpr Semantic addedTwice{multiply<isFloat, negateProduct, true, false, true, negateAcc2>};

constexpr SemanticRow kMultiplyRows[] = {
    {"vmul", alone<false, false>},
    {"vnegmul", alone<false, true>},
    {"vmac", added<false, false, false>},
    {"vmsc", added<false, true, false>},
    {"vnegmac", added<false, true, true>},
    {"vnegmsc", added<false, false, true>},
    {"vaddmac", addedTwice<false, false, false>},
    {"vaddmsc", addedTwice<false, true, false>},
    {"vsubmac", addedTwice<false, false, true>},
    {"vsubmsc", addedTwice<false, true, true>},
    {"vmul.f", alone<true, false>},
    {"vnegmul.f", alone<true, true>},
    {"vmac.f", added<true, false, false>},
    {"vmsc.f", added<true, true, false>},
    {"vaddmac.f", addedTwice<true, false, false>},
    {"vaddmsc.f", addedTwice<true, true, false>},
    {"vsubmac.f", addedTwice<true, false, true>},
    {"vsubmsc.f", addedTwice<true, true, true>},
};

}  // namespace

std::span<const SemanticRow> multiplySemantics() { return kMultiplyRows; }

}  // namespace airlite::npu::sim::core
