// air-aie-expand-integers: integer ops that a core has no instruction for, by those that it has.
//
// Matches scalar arith.ceildivsi, ceildivui, floordivsi, addui_extended, mului_extended of 32 bits, math.absi,
// cttz, ctpop and ctlz of less than 32 bits (mulsi_extended: air-aie-narrow-integers) in the programs
// of cores.
//
// Declines nothing: air-aie-check-core refuses what is left.
#include "CoreScope.hpp"
#include "LegalizePasses.hpp"
#include "SoftFloat.hpp"
#include "SoftWord.hpp"
#include "airlite/ir/Rewriter.hpp"

namespace airlite::npu {

namespace {

using soft::IrMachine;
using Word = IrMachine::Word;
using Bit = IrMachine::Bit;

class Expansion {
 public:
  Expansion(Operation& op, Operation& table)
      : op_(op), rewriter_(op.context()), m_(rewriter_, op.location(), table) {
    rewriter_.setBefore(op);
  }

  // -- Divisions ----------------------------------------------------------------------------------

  template <bool isCeil> void divideSigned() {
    Word a = in(0), b = in(1);
    Word quotient = binary("arith.divsi", a, b), rest = binary("arith.remsi", a, b);
    // Rounded towards zero: that is too far when the exact quotient lies on the other side.
    Bit differ = less(a ^ b, zero());
    Bit wrong = !equal(rest, zero()) & (isCeil ? !differ : differ);
    Word step = constant(1);
    replace(select(wrong, isCeil ? quotient + step : quotient - step, quotient));
  }
  void ceilUnsigned() {
    Word a = in(0), b = in(1);
    Word quotient = binary("arith.divui", a, b), rest = binary("arith.remui", a, b);
    replace(select(equal(rest, zero()), quotient, quotient + constant(1)));
  }

  // -- Two results --------------------------------------------------------------------------------

  void addExtended() {
    Word sum = in(0) + in(1);
    replace(sum, compare(arith::CmpIPredicate::ult, sum, in(0)).value);
  }
  void multiplyUnsigned() {
    auto [high, low] = soft::Float<IrMachine>(m_).product(in(0), in(1));
    replace(low, high.value);
  }

  // -- Bits ---------------------------------------------------------------------------------------

  void absolute() { replace(select(less(in(0), zero()), zero() - in(0), in(0))); }

  /// Those of a word, less those in front.
  void leadingZeros() {
    Type word = rewriter_.intType(32), narrow = op_.result().type();
    Location location = op_.location();
    Value wide = rewriter_.create(location, "arith.extui", {op_.operand(0)}, {word})->result();
    Word zeros = m_.leadingZeros(m_.wordOf(wide)) - (32 - width());
    rewriter_.replaceOp(op_, *rewriter_.create(location, "arith.trunci", {zeros.value}, {narrow}));
  }
  /// Halves: when the lower one is empty, continue with the upper one.
  void trailingZeros() {
    Word rest = in(0), count = zero();
    for (unsigned half = width() / 2; half > 0; half /= 2) {
      Bit empty = equal(rest << constant(width() - half), zero());
      rest = select(empty, rest >> constant(half), rest);
      count = select(empty, count + constant(half), count);
    }
    replace(select(equal(in(0), zero()), constant(width()), count));
  }
  /// Sums of neighbouring fields, of 1 bit, 2, 4 ..
  void countOnes() {
    Word sums = in(0);
    for (unsigned field = 1; field < width(); field *= 2) {
      Word mask = constant(fieldMask(field));
      sums = (sums & mask) + ((sums >> constant(field)) & mask);
    }
    replace(sums);
  }

 private:
  unsigned width() const { return op_.operand(0).type().bitWidth(); }
  Word in(unsigned i) { return m_.wordOf(op_.operand(i)); }
  Word constant(int64_t number) {
    Attribute attr = IntegerAttr::get(op_.operand(0).type(), number);
    return m_.wordOf(rewriter_.constant(op_.location(), attr));
  }
  Word zero() { return constant(0); }
  int64_t fieldMask(unsigned field) const {
    uint64_t mask = 0;
    for (unsigned at = 0; at < width(); at += 2 * field)
      mask |= ((uint64_t(1) << field) - 1) << at;
    return static_cast<int64_t>(mask << (64 - width())) >> (64 - width());
  }
  Word binary(std::string_view name, Word a, Word b) {
    return m_.wordOf(
        rewriter_.create(op_.location(), name, {a.value, b.value}, {a.value.type()})->result());
  }
  Bit compare(arith::CmpIPredicate predicate, Word a, Word b) {
    return m_.compare(predicate, a, b);
  }
  Bit less(Word a, Word b) { return m_.lessSigned(a, b); }
  Bit equal(Word a, Word b) { return m_.equal(a, b); }
  Word select(Bit condition, Word yes, Word no) { return m_.select(condition, yes, no); }

  void replace(Word result) { rewriter_.replaceOp(op_, result.value); }
  void replace(Word first, Value second) {
    rewriter_.replaceOp(op_, std::array{first.value, second});
  }

  Operation& op_;
  Rewriter rewriter_;
  IrMachine m_;
};

/// `widths`: which operands the expansion is for.
enum class Widths { Any, PowerOfTwo, Word, Narrow };
struct IntegerLowering {
  std::string_view name;
  void (Expansion::*expand)();
  Widths widths = Widths::Any;
};
constexpr IntegerLowering kIntegerLowerings[] = {
    {"arith.ceildivsi", &Expansion::divideSigned<true>},
    {"arith.floordivsi", &Expansion::divideSigned<false>},
    {"arith.ceildivui", &Expansion::ceilUnsigned},
    {"arith.addui_extended", &Expansion::addExtended},
    {"arith.mului_extended", &Expansion::multiplyUnsigned, Widths::Word},
    {"math.absi", &Expansion::absolute},
    {"math.ctlz", &Expansion::leadingZeros, Widths::Narrow},
    {"math.cttz", &Expansion::trailingZeros, Widths::PowerOfTwo},
    {"math.ctpop", &Expansion::countOnes, Widths::PowerOfTwo},
};

bool fits(Widths widths, Type type) {
  if (!type.isIntOrIndex()) return false;
  if (widths == Widths::Any) return true;
  if (!type.isInteger()) return false;
  unsigned width = type.bitWidth();
  if (widths == Widths::Narrow) return width == 8 || width == 16;
  return widths == Widths::Word ? width == 32 : width >= 8 && (width & (width - 1)) == 0;
}

const IntegerLowering* integerLoweringOf(const Operation& op) {
  for (const IntegerLowering& lowering : kIntegerLowerings)
    if (op.is(lowering.name) && fits(lowering.widths, op.operand(0).type())) return &lowering;
  return nullptr;
}

class ExpandIntegers : public CorePass {
 public:
  ExpandIntegers()
      : CorePass("air-aie-expand-integers", "Writes integer ops by those that a core has") {
    example("airlite-opt --air-aie-expand-integers design.mlir");
  }

  PassResult run(Operation& module, PassContext&) override {
    bool changed = false;
    for (const CoreRoot& program : roots(module))
      for (Operation* op : opsInside(*program.root)) {
        const IntegerLowering* lowering = integerLoweringOf(*op);
        if (!lowering) continue;
        (Expansion(*op, *program.table).*lowering->expand)();
        changed = true;
      }
    return changedIf(changed);
  }
};

}  // namespace

void registerExpandIntegers(PassRegistry& registry) { registry.add<ExpandIntegers>(); }

}  // namespace airlite::npu
