// air-aie-constant-divisions: integers divided by a constant, by products and shifts, which the vector unit has.
//
// Matches arith.divsi, divui, remsi, remui, floordivsi, ceildivsi and ceildivui of numbers of 8, 16 and 32 bits by a constant
// in the programs of cores. x / c is the upper part of x * m, where m is a power of two by c, rounded up: Granlund and Montgomery, "Division by
// invariant integers using multiplication" (1994). What has a sign is divided without it.
//
// Declines divisions by 0, 1 and -1, and by numbers from 2^31 on: they stay as they are.
#include "CoreScope.hpp"
#include "LegalizePasses.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <cstdint>
#include <cstdlib>
#include <optional>

namespace airlite::npu {

namespace {

enum class Rounding { Zero, Down, Up };
struct DivisionKind {
  std::string_view name;
  bool isSigned;
  Rounding rounding = Rounding::Zero;
  bool isRest = false;
};
constexpr DivisionKind kDivisionKinds[] = {
    {"arith.divui", false},
    {"arith.remui", false, Rounding::Zero, true},
    {"arith.ceildivui", false, Rounding::Up},
    {"arith.divsi", true},
    {"arith.remsi", true, Rounding::Zero, true},
    {"arith.floordivsi", true, Rounding::Down},
    {"arith.ceildivsi", true, Rounding::Up},
};

/// x / c is x * factor / 2^shift for all x from 0 to `most`.
struct Reciprocal {
  uint64_t factor = 0;
  unsigned shift = 0;
};

Reciprocal reciprocalOf(uint64_t divisor, uint64_t most) {
  for (unsigned shift = 0;; ++shift) {
    const uint64_t power = uint64_t(1) << shift, factor = (power + divisor - 1) / divisor;
    // How much too large x * factor is, must not reach the next quotient.
    if ((factor * divisor - power) * most < power) return {factor, shift};
  }
}

/// What is divided by which constant.
struct Division {
  DivisionKind kind;
  unsigned width = 0;
  int64_t divisor = 0;

  uint64_t magnitude() const { return static_cast<uint64_t>(std::abs(divisor)); }
  /// The largest number that is divided, without its sign.
  uint64_t most() const {
    return kind.isSigned ? uint64_t(1) << (width - 1) : (uint64_t(1) << width) - 1;
  }
};

std::optional<Division> divisionOf(const Operation& op) {
  for (const DivisionKind& kind : kDivisionKinds) {
    if (!op.is(kind.name)) continue;
    const Type type = op.result().type();
    const unsigned width = type.isInteger() ? type.bitWidth() : 0;
    const auto divisor = constantIntOf(op.operand(1));
    if (!divisor || (width != 8 && width != 16 && width != 32)) return std::nullopt;
    const int64_t number = kind.isSigned ? *divisor : *divisor & ((int64_t(1) << width) - 1);
    if (std::abs(number) < 2 || (!kind.isSigned && number >> 31 != 0)) return std::nullopt;
    return Division{kind, width, number};
  }
  return std::nullopt;
}

class ConstantDivider {
 public:
  ConstantDivider(Operation& op, const Division& division)
      : op_(op),
        division_(division),
        rewriter_(op.context()),
        reciprocal_(reciprocalOf(division.magnitude(), division.most())) {
    rewriter_.setBefore(op);
    // Two vectors of 16 bits take less than four of 32.
    const bool isShort = division.width == 8 && division.most() * reciprocal_.factor < 1u << 16;
    word_ = rewriter_.intType(isShort ? 16 : 32);
  }

  void rewrite() {
    const Value number = widened(op_.operand(0));
    const DivisionKind& kind = division_.kind;
    const Value result = !kind.isSigned                    ? withoutSign(number)
                         : kind.rounding == Rounding::Zero ? towardsZero(number)
                                                           : inOneDirection(number);
    rewriter_.replaceOp(op_, narrowed(result));
  }

 private:
  Value withoutSign(Value number) {
    if (division_.kind.rounding == Rounding::Up) return upwards(number);
    const Value quotient = quotientOf(number);
    return division_.kind.isRest ? restOf(number, quotient) : quotient;
  }
  /// (x - 1) / c + 1 of all but 0: x or -x has the first bit.
  Value upwards(Value number) {
    const Value either = binary("arith.ori", number, binary("arith.subi", constant(0), number));
    const Value one = shifted(either, word_.bitWidth() - 1);
    return binary("arith.addi", quotientOf(binary("arith.subi", number, one)), one);
  }
  Value towardsZero(Value number) {
    const Value sign = signOf(number), quotient = quotientOf(signedBy(number, sign));
    if (division_.kind.isRest) return restOf(number, signedBy(quotient, sign));
    const bool isNegative = division_.divisor < 0;
    return signedBy(quotient, isNegative ? binary("arith.xori", sign, constant(-1)) : sign);
  }
  /// x / c rounded down is -(-x / c) rounded up, and x / -c that of -x / c. Down: of x from 0 on the quotient, of others ~(~x / c).
  /// Up, negated: of x up to 0 the quotient of -x, of others ~((x - 1) / c), where x - 1 is ~(-x).
  Value inOneDirection(Value number) {
    const bool isNegative = division_.divisor < 0,
               isUp = (division_.kind.rounding == Rounding::Up) != isNegative;
    Value sign = isUp ? Value() : signOf(number), magnitude = number;
    if (isUp) {
      magnitude = binary("arith.subi", constant(0), number);
      const Value isOver =
          binary("arith.andi", binary("arith.xori", number, constant(-1)), magnitude);
      sign = signOf(isOver);
    }
    const Value quotient =
        binary("arith.xori", quotientOf(binary("arith.xori", magnitude, sign)), sign);
    return isUp != isNegative ? binary("arith.subi", constant(0), quotient) : quotient;
  }
  /// 0, or -1 of negative numbers.
  Value signOf(Value number) {
    return binary("arith.shrsi", number, constant(word_.bitWidth() - 1));
  }
  /// `sign` is 0 or -1: x ^ -1 is -x - 1.
  Value signedBy(Value number, Value sign) {
    return binary("arith.subi", binary("arith.xori", number, sign), sign);
  }
  Value restOf(Value number, Value quotient) {
    return binary("arith.subi", number, times(quotient, division_.magnitude()));
  }

  Value quotientOf(Value number) {
    auto [factor, shift] = reciprocal_;
    if (factor == 1) return shifted(number, shift);
    if (division_.most() * factor < uint64_t(1) << word_.bitWidth())
      return shifted(times(number, factor), shift);
    if (division_.width < 32) return shifted(productBy16(number, factor), shift - 16);
    for (; shift < 32; ++shift)
      factor *= 2;
    const Value high = upperProduct(number, factor & UINT32_MAX);
    if (factor <= UINT32_MAX) return shifted(high, shift - 32);
    // Of 33 bits: (number + high) / 2, whose sum may have 33 bits as well.
    const Value half = shifted(binary("arith.subi", number, high), 1);
    return shifted(binary("arith.addi", half, high), shift - 33);
  }
  /// number * factor / 2^16 of a number of 16 bits.
  Value productBy16(Value number, uint64_t factor) {
    const Value low = shifted(times(number, factor & 0xffff), 16);
    return factor >> 16 ? binary("arith.addi", times(number, factor >> 16), low) : low;
  }
  /// number * factor / 2^32 of words, by products of halves that no word overflows with.
  Value upperProduct(Value number, uint64_t factor) {
    const uint64_t factorLow = factor & 0xffff, factorHigh = factor >> 16;
    const Value low = lowHalf(number), high = shifted(number, 16);
    const Value middle =
        binary("arith.addi", times(high, factorLow), shifted(times(low, factorLow), 16));
    const Value other = binary("arith.addi", times(low, factorHigh), lowHalf(middle));
    const Value carried = binary("arith.addi", shifted(middle, 16), shifted(other, 16));
    return binary("arith.addi", times(high, factorHigh), carried);
  }

  Value widened(Value value) {
    if (value.type() == word_) return value;
    const bool isUnsigned = !division_.kind.isSigned;
    return rewriter_
        .create(op_.location(), isUnsigned ? "arith.extui" : "arith.extsi", {value}, {word_})
        ->result();
  }
  Value narrowed(Value value) {
    const Type type = op_.result().type();
    if (type == word_) return value;
    return rewriter_.create(op_.location(), "arith.trunci", {value}, {type})->result();
  }
  Value constant(int64_t number) {
    return rewriter_.constant(op_.location(), IntegerAttr::get(word_, number));
  }
  Value binary(std::string_view name, Value a, Value b) {
    return rewriter_.create(op_.location(), name, {a, b}, {word_})->result();
  }
  Value times(Value value, uint64_t factor) {
    const unsigned spare = 64 - word_.bitWidth();
    return binary("arith.muli", value, constant(static_cast<int64_t>(factor << spare) >> spare));
  }
  Value lowHalf(Value value) { return binary("arith.andi", value, constant(0xffff)); }
  Value shifted(Value value, unsigned bits) {
    return bits ? binary("arith.shrui", value, constant(bits)) : value;
  }

  Operation& op_;
  Division division_;
  Rewriter rewriter_;
  Reciprocal reciprocal_;
  Type word_;
};

class ConstantDivisions : public CorePass {
 public:
  ConstantDivisions()
      : CorePass("air-aie-constant-divisions",
                 "Divides integers by constants with products and shifts") {
    example("airlite-opt --air-aie-constant-divisions design.mlir");
  }

  PassResult run(Operation& module, PassContext&) override {
    bool changed = false;
    for (const CoreRoot& program : roots(module))
      for (Operation* op : opsInside(*program.root))
        if (const auto division = divisionOf(*op)) {
          ConstantDivider(*op, *division).rewrite();
          changed = true;
        }
    return changedIf(changed);
  }
};

}  // namespace

void registerConstantDivisions(PassRegistry& registry) { registry.add<ConstantDivisions>(); }

}  // namespace airlite::npu
