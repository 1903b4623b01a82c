// Folders of the integer ops of arith, and of select. Arithmetic wraps; what is undefined (division
// by zero, overflowing division, too wide shifts) is never folded.
#include "ArithFold.hpp"

#include "ArithElements.hpp"
#include "airlite/dialect/Arith.hpp"

namespace airlite::arith {

using namespace folding;
using namespace elements;

namespace {

using Bits = std::optional<uint64_t>;

Value other(Operation& op, Value one) {
  return op.operand(0) == one ? op.operand(1) : op.operand(0);
}

bool isIdentity(Operation& op) { return op.operand(0) == op.operand(1); }

/// True when `negation` is `xori value, -1`.
bool isNotOf(Value negation, Value value) {
  Operation* op = definedBy(negation, "arith.xori");
  return op && op->operand(0) == value && isIntSplat(constantOf(op->operand(1)), -1);
}

bool areComplements(Operation& op) {
  return isNotOf(op.operand(0), op.operand(1)) || isNotOf(op.operand(1), op.operand(0));
}

unsigned widthOf(Operation& op) { return elementTypeOrSelf(op.operand(0).type()).bitWidth(); }

/// Shared by all divisions: by one it is its left operand.
LogicalResult foldDivision(Operation& op, Constants c, Results& results,
                           FunctionRef<Bits(uint64_t, uint64_t, unsigned)> divide) {
  if (isIntSplat(c[1], 1)) return foldTo(results, op.operand(0));
  return foldInts(op, c, results, divide);
}

/// Anything modulo one is zero.
LogicalResult foldRemainder(Operation& op, Constants c, Results& results,
                            FunctionRef<Bits(uint64_t, uint64_t, unsigned)> divide) {
  if (isIntSplat(c[1], 1)) return foldTo(results, splatOf(op.result().type(), 0));
  return foldInts(op, c, results, divide);
}

LogicalResult foldShift(Operation& op, Constants c, Results& results,
                        FunctionRef<uint64_t(uint64_t, uint64_t, unsigned)> shift) {
  if (isIntSplat(c[1], 0)) return foldTo(results, op.operand(0));
  return foldInts(op, c, results, [&](uint64_t a, uint64_t b, unsigned width) -> Bits {
    return b < width ? Bits(shift(a, b, width)) : Bits();
  });
}

/// min and max: `neutral` gives the other operand, `absorbing` wins.
LogicalResult foldMinMax(Operation& op, Constants c, Results& results, uint64_t neutral,
                         uint64_t absorbing, CmpIPredicate wins) {
  if (moveConstantRight(op, c)) return success();
  if (isIdentity(op)) return foldTo(results, op.operand(0));
  Bits rhs = intSplat(c[1]);
  if (rhs && *rhs == neutral) return foldTo(results, op.operand(0));
  if (rhs && *rhs == absorbing) return foldTo(results, op.operand(1));
  return foldInts(op, c, results, [&](uint64_t a, uint64_t b, unsigned width) -> Bits {
    return evaluate(wins, a, b, width) ? a : b;
  });
}

}  // namespace

LogicalResult foldConstant(Operation& op, Constants, Results& results) {
  return foldTo(results, op.attr("value"));
}

// -- Sums and products ---------------------------------------------------------------------------

LogicalResult foldAddI(Operation& op, Constants c, Results& results) {
  if (moveConstantRight(op, c)) return success();
  if (isIntSplat(c[1], 0)) return foldTo(results, op.operand(0));
  for (Value side : {op.operand(0), op.operand(1)}) {
    Operation* sub = definedBy(side, "arith.subi");
    if (sub && sub->operand(1) == other(op, side)) return foldTo(results, sub->operand(0));
  }
  return foldInts(op, c, results, [](uint64_t a, uint64_t b, unsigned) -> Bits { return a + b; });
}

LogicalResult foldSubI(Operation& op, Constants c, Results& results) {
  if (isIdentity(op)) {
    if (Attribute zero = splatOf(op.result().type(), 0)) return foldTo(results, zero);
    return failure();
  }
  if (isIntSplat(c[1], 0)) return foldTo(results, op.operand(0));
  if (Operation* add = definedBy(op.operand(0), "arith.addi")) {
    if (add->operand(1) == op.operand(1)) return foldTo(results, add->operand(0));
    if (add->operand(0) == op.operand(1)) return foldTo(results, add->operand(1));
  }
  return foldInts(op, c, results, [](uint64_t a, uint64_t b, unsigned) -> Bits { return a - b; });
}

LogicalResult foldMulI(Operation& op, Constants c, Results& results) {
  if (moveConstantRight(op, c)) return success();
  if (isIntSplat(c[1], 0)) return foldTo(results, c[1]);
  if (isIntSplat(c[1], 1)) return foldTo(results, op.operand(0));
  return foldInts(op, c, results, [](uint64_t a, uint64_t b, unsigned) -> Bits { return a * b; });
}

// -- Divisions -----------------------------------------------------------------------------------

LogicalResult foldDivSI(Operation& op, Constants c, Results& results) {
  return foldDivision(op, c, results, [](uint64_t a, uint64_t b, unsigned width) -> Bits {
    if (!divides(a, b, width)) return {};
    return static_cast<uint64_t>(signExtend(a, width) / signExtend(b, width));
  });
}

LogicalResult foldDivUI(Operation& op, Constants c, Results& results) {
  return foldDivision(op, c, results, [](uint64_t a, uint64_t b, unsigned) -> Bits {
    return b ? Bits(a / b) : Bits();
  });
}

LogicalResult foldCeilDivSI(Operation& op, Constants c, Results& results) {
  return foldDivision(op, c, results, [](uint64_t a, uint64_t b, unsigned width) -> Bits {
    if (!divides(a, b, width)) return {};
    return static_cast<uint64_t>(ceilDiv(signExtend(a, width), signExtend(b, width)));
  });
}

LogicalResult foldCeilDivUI(Operation& op, Constants c, Results& results) {
  return foldDivision(op, c, results, [](uint64_t a, uint64_t b, unsigned) -> Bits {
    return b ? Bits(ceilDivUnsigned(a, b)) : Bits();
  });
}

LogicalResult foldFloorDivSI(Operation& op, Constants c, Results& results) {
  return foldDivision(op, c, results, [](uint64_t a, uint64_t b, unsigned width) -> Bits {
    if (!divides(a, b, width)) return {};
    return static_cast<uint64_t>(floorDiv(signExtend(a, width), signExtend(b, width)));
  });
}

LogicalResult foldRemSI(Operation& op, Constants c, Results& results) {
  return foldRemainder(op, c, results, [](uint64_t a, uint64_t b, unsigned width) -> Bits {
    if (b == 0) return {};
    if (!divides(a, b, width)) return 0;
    return static_cast<uint64_t>(signExtend(a, width) % signExtend(b, width));
  });
}

LogicalResult foldRemUI(Operation& op, Constants c, Results& results) {
  return foldRemainder(op, c, results, [](uint64_t a, uint64_t b, unsigned) -> Bits {
    return b ? Bits(a % b) : Bits();
  });
}

// -- Logic and shifts ----------------------------------------------------------------------------

/// `(a op b) op a` of an idempotent op is its operand `a op b`.
static Value operandThatHolds(Operation& op) {
  for (Value side : {op.operand(0), op.operand(1)}) {
    Operation* inner = definedBy(side, op.name());
    Value rest = other(op, side);
    if (inner && (inner->operand(0) == rest || inner->operand(1) == rest)) return side;
  }
  return Value();
}

LogicalResult foldAndI(Operation& op, Constants c, Results& results) {
  if (moveConstantRight(op, c)) return success();
  if (isIdentity(op)) return foldTo(results, op.operand(0));
  if (isIntSplat(c[1], 0)) return foldTo(results, op.operand(1));
  if (isIntSplat(c[1], -1)) return foldTo(results, op.operand(0));
  if (Value same = operandThatHolds(op)) return foldTo(results, same);
  Attribute zero = splatOf(op.result().type(), 0);
  if (zero && areComplements(op)) return foldTo(results, zero);
  return foldInts(op, c, results, [](uint64_t a, uint64_t b, unsigned) -> Bits { return a & b; });
}

LogicalResult foldOrI(Operation& op, Constants c, Results& results) {
  if (moveConstantRight(op, c)) return success();
  if (isIdentity(op)) return foldTo(results, op.operand(0));
  if (isIntSplat(c[1], 0)) return foldTo(results, op.operand(0));
  if (isIntSplat(c[1], -1)) return foldTo(results, c[1]);
  if (Value same = operandThatHolds(op)) return foldTo(results, same);
  Attribute ones = splatOf(op.result().type(), maskOf(widthOf(op)));
  if (ones && areComplements(op)) return foldTo(results, ones);
  return foldInts(op, c, results, [](uint64_t a, uint64_t b, unsigned) -> Bits { return a | b; });
}

LogicalResult foldXOrI(Operation& op, Constants c, Results& results) {
  if (moveConstantRight(op, c)) return success();
  if (isIntSplat(c[1], 0)) return foldTo(results, op.operand(0));
  Attribute zero = splatOf(op.result().type(), 0);
  if (zero && isIdentity(op)) return foldTo(results, zero);
  for (Value side : {op.operand(0), op.operand(1)}) {
    Operation* inner = definedBy(side, "arith.xori");
    if (!inner) continue;
    if (inner->operand(1) == other(op, side)) return foldTo(results, inner->operand(0));
    if (inner->operand(0) == other(op, side)) return foldTo(results, inner->operand(1));
  }
  return foldInts(op, c, results, [](uint64_t a, uint64_t b, unsigned) -> Bits { return a ^ b; });
}

LogicalResult foldShLI(Operation& op, Constants c, Results& results) {
  return foldShift(op, c, results, [](uint64_t a, uint64_t b, unsigned) { return a << b; });
}

LogicalResult foldShRSI(Operation& op, Constants c, Results& results) {
  return foldShift(op, c, results, [](uint64_t a, uint64_t b, unsigned width) {
    return static_cast<uint64_t>(signExtend(a, width) >> b);
  });
}

LogicalResult foldShRUI(Operation& op, Constants c, Results& results) {
  return foldShift(op, c, results, [](uint64_t a, uint64_t b, unsigned) { return a >> b; });
}

// -- Minimum and maximum -------------------------------------------------------------------------

LogicalResult foldMaxSI(Operation& op, Constants c, Results& results) {
  uint64_t lowest = signBit(widthOf(op)), highest = lowest - 1;
  return foldMinMax(op, c, results, lowest, highest, CmpIPredicate::sge);
}

LogicalResult foldMaxUI(Operation& op, Constants c, Results& results) {
  return foldMinMax(op, c, results, 0, maskOf(widthOf(op)), CmpIPredicate::uge);
}

LogicalResult foldMinSI(Operation& op, Constants c, Results& results) {
  uint64_t lowest = signBit(widthOf(op)), highest = lowest - 1;
  return foldMinMax(op, c, results, highest, lowest, CmpIPredicate::sle);
}

LogicalResult foldMinUI(Operation& op, Constants c, Results& results) {
  return foldMinMax(op, c, results, maskOf(widthOf(op)), 0, CmpIPredicate::ule);
}

// -- Two results ---------------------------------------------------------------------------------

namespace {

LogicalResult foldPair(Results& results, FoldResult first, FoldResult second) {
  if (!first || !second) return failure();
  results = {first, second};
  return success();
}

LogicalResult foldMulExtended(Operation& op, Constants c, Results& results, bool isSigned) {
  if (moveConstantRight(op, c)) return success();
  Type type = op.result(0).type();
  if (isIntSplat(c[1], 0)) return foldPair(results, c[1], c[1]);
  if (!isSigned && isIntSplat(c[1], 1)) return foldPair(results, op.operand(0), splatOf(type, 0));
  unsigned width = widthOf(op);
  Attribute low = mapElements(type, c, [](std::span<const uint64_t> v) { return v[0] * v[1]; });
  Attribute high = mapElements(
      type, c, [&](std::span<const uint64_t> v) { return highHalf(v[0], v[1], width, isSigned); });
  return foldPair(results, low, high);
}

}  // namespace

LogicalResult foldAddUIExtended(Operation& op, Constants c, Results& results) {
  if (moveConstantRight(op, c)) return success();
  Type sumType = op.result(0).type(), carryType = op.result(1).type();
  if (isIntSplat(c[1], 0)) return foldPair(results, op.operand(0), splatOf(carryType, 0));
  uint64_t mask = maskOf(widthOf(op));
  Attribute sum = mapElements(sumType, c, [](std::span<const uint64_t> v) { return v[0] + v[1]; });
  Attribute carry = mapElements(carryType, c, [&](std::span<const uint64_t> v) -> Bits {
    return ((v[0] + v[1]) & mask) < v[0];
  });
  return foldPair(results, sum, carry);
}

LogicalResult foldMulSIExtended(Operation& op, Constants c, Results& results) {
  return foldMulExtended(op, c, results, true);
}

LogicalResult foldMulUIExtended(Operation& op, Constants c, Results& results) {
  return foldMulExtended(op, c, results, false);
}

// -- Comparison and selection --------------------------------------------------------------------

namespace {

bool holdsForEqual(CmpIPredicate predicate) {
  using enum CmpIPredicate;
  return predicate == eq || predicate == sle || predicate == sge || predicate == ule ||
         predicate == uge;
}

bool isI1Like(Type type) { return elementTypeOrSelf(type).isSignlessInteger(1); }

/// `x != 0` and `x == 1` on i1, also after an extension of an i1: x itself.
Value comparedBit(CmpIOp cmp, Attribute rhs) {
  bool isNe0 = cmp.predicate() == CmpIPredicate::ne && isIntSplat(rhs, 0);
  if (isNe0)
    for (std::string_view extension : {"arith.extsi", "arith.extui"}) {
      Operation* ext = definedBy(cmp.lhs(), extension);
      if (ext && isI1Like(ext->operand(0).type())) return ext->operand(0);
    }
  if (!isI1Like(cmp.lhs().type())) return {};
  bool isEq1 = cmp.predicate() == CmpIPredicate::eq && isIntSplat(rhs, 1);
  return isNe0 || isEq1 ? cmp.lhs() : Value();
}

}  // namespace

LogicalResult foldCmpI(Operation& op, Constants c, Results& results) {
  CmpIOp cmp(&op);
  CmpIPredicate predicate = cmp.predicate();
  if (isIdentity(op))
    if (Attribute value = splatOf(op.result().type(), holdsForEqual(predicate)))
      return foldTo(results, value);
  if (Value bit = comparedBit(cmp, c[1])) return foldTo(results, bit);
  if (moveConstantRight(op, c)) {
    Type i64 = IntegerType::get(op.context(), 64);
    op.setAttr("predicate", IntegerAttr::get(i64, static_cast<int64_t>(swapped(predicate))));
    return success();
  }
  return foldInts(op, c, results, [&](uint64_t a, uint64_t b, unsigned width) -> Bits {
    return evaluate(predicate, a, b, width);
  });
}

namespace {

/// `select(cmpi eq a, b), a, b` is b, and with ne it is a.
Value selectedByCompare(SelectOp select) {
  Operation* op = definedBy(select.condition(), "arith.cmpi");
  if (!op) return {};
  CmpIOp cmp(op);
  Value a = select.trueValue(), b = select.falseValue();
  bool same = (cmp.lhs() == a && cmp.rhs() == b) || (cmp.lhs() == b && cmp.rhs() == a);
  if (!same) return {};
  if (cmp.predicate() == CmpIPredicate::eq) return b;
  return cmp.predicate() == CmpIPredicate::ne ? a : Value();
}

/// All three are dense: picks element by element.
Attribute selectElements(Type type, Constants c) {
  if (!c[0] || !c[0].isa<DenseElementsAttr>()) return {};
  return mapElements(type, c, [](std::span<const uint64_t> v) { return v[0] ? v[1] : v[2]; });
}

}  // namespace

LogicalResult foldSelect(Operation& op, Constants c, Results& results) {
  SelectOp select(&op);
  Value a = select.trueValue(), b = select.falseValue();
  if (a == b) return foldTo(results, a);
  if (isIntSplat(c[0], 1)) return foldTo(results, a);
  if (isIntSplat(c[0], 0)) return foldTo(results, b);
  if (c[0] && isPoison(c[0])) return foldTo(results, poisonAttr(op.context()));
  if (c[1] && isPoison(c[1])) return foldTo(results, b);
  if (c[2] && isPoison(c[2])) return foldTo(results, a);
  bool isBit = isI1Like(a.type()) && select.condition().type() == a.type();
  if (isBit && isIntSplat(c[1], 1) && isIntSplat(c[2], 0))
    return foldTo(results, select.condition());
  if (Value value = selectedByCompare(select)) return foldTo(results, value);
  return foldTo(results, selectElements(op.result().type(), c));
}

}  // namespace airlite::arith
