// Rewrites of arith ops that make other ops: what a folder cannot say.
#include "ArithFold.hpp"
#include "airlite/dialect/Arith.hpp"

#include <cmath>

namespace airlite::arith {

using namespace folding;

namespace {

Operation* make(Operation& at, Rewriter& rewriter, std::string_view name,
                std::initializer_list<Value> operands, Type type) {
  return rewriter.create(at.location(), name, operands, {type});
}

LogicalResult replaceBy(Operation& op, Rewriter& rewriter, std::string_view name,
                        std::initializer_list<Value> operands, uint32_t overflow = kWraps) {
  Operation* made = make(op, rewriter, name, operands, op.result().type());
  if (overflow != kWraps) made->setAttr("overflowFlags", overflowAttr(op.context(), overflow));
  rewriter.replaceOp(op, made->result());
  return success();
}

Value splatConstant(Operation& at, Rewriter& rewriter, Type type, uint64_t bits) {
  return rewriter.constant(at.location(), splatOf(type, bits));
}

// -- Constants of two ops that become one ---------------------------------------------------------

/// The sum or product of two elements is in range.
bool isExact(uint64_t a, uint64_t b, unsigned width, bool isProduct, Overflow flag) {
  if (flag == kNoUnsignedWrap) {
    uint64_t wide;
    bool overflows =
        isProduct ? __builtin_mul_overflow(a, b, &wide) : __builtin_add_overflow(a, b, &wide);
    return !overflows && wide <= maskOf(width);
  }
  int64_t wide, left = signExtend(a, width), right = signExtend(b, width);
  bool overflows = isProduct ? __builtin_mul_overflow(left, right, &wide)
                             : __builtin_add_overflow(left, right, &wide);
  return !overflows && signExtend(static_cast<uint64_t>(wide), width) == wide;
}

/// What x + c1 + c2, x - c1 - c2 or x * c1 * c2 as one op may promise: what both ops do, as long as
/// the constants themselves add up, or multiply, within range. (With nsw on i8, x + 100 + 100 may be
/// fine where x + -56 overflows.)
uint32_t mergedFlags(Operation& outer, Operation& inner) {
  if (&outer.def() != &inner.def()) return kWraps;
  Attribute constants[] = {constantOf(inner.operand(1)), constantOf(outer.operand(1))};
  unsigned width = elementTypeOrSelf(outer.result().type()).bitWidth();
  uint32_t flags = kWraps;
  for (Overflow flag : {kNoSignedWrap, kNoUnsignedWrap}) {
    auto check = [&](std::span<const uint64_t> v) -> std::optional<uint64_t> {
      bool exact = isExact(v[0], v[1], width, outer.is("arith.muli"), flag);
      return exact ? std::optional<uint64_t>(0) : std::nullopt;
    };
    if (!(overflowOf(outer) & overflowOf(inner) & flag)) continue;
    if (mapElements(outer.result().type(), constants, check)) flags |= flag;
  }
  return flags;
}

// -- Sums with constants -------------------------------------------------------------------------

/// `base + constant`, or `constant - base`.
struct Linear {
  Value base;
  Attribute constant;
  bool negated = false;
  bool isSubtraction = false;  // written as base - c
};

Attribute combine(Attribute a, Attribute b, bool subtract) {
  Attribute operands[] = {a, b};
  return mapElements(attributeType(a), operands, [&](std::span<const uint64_t> v) {
    return subtract ? v[0] - v[1] : v[0] + v[1];
  });
}

Attribute negate(Attribute a) { return combine(splatOf(attributeType(a), 0), a, true); }

/// True when `constant` may take part: foldable and not poison.
bool isUsable(Attribute constant) { return ConstantBits::get(constant).has_value(); }

std::optional<Linear> linearOf(Operation* op) {
  if (!op) return std::nullopt;
  bool isAdd = op->is("arith.addi"), isSub = op->is("arith.subi");
  if (!isAdd && !isSub) return std::nullopt;
  Attribute lhs = constantOf(op->operand(0)), rhs = constantOf(op->operand(1));
  if (isUsable(lhs) == isUsable(rhs)) return std::nullopt;
  if (isUsable(rhs)) return Linear{op->operand(0), isAdd ? rhs : negate(rhs), false, isSub};
  return Linear{op->operand(1), lhs, isSub, false};
}

}  // namespace

/// Two sums with constants, one inside the other, are one: ((x + 1) - 3) is x + -2.
LogicalResult mergeLinear(Operation& op, Rewriter& rewriter) {
  std::optional<Linear> outer = linearOf(&op);
  std::optional<Linear> inner = outer ? linearOf(outer->base.definingOp()) : std::nullopt;
  if (!inner) return failure();
  Attribute constant = combine(outer->constant, inner->constant, outer->negated);
  if (!constant) return failure();
  bool negated = outer->negated != inner->negated;
  bool keepsMinus = outer->isSubtraction && inner->isSubtraction;
  Value sum = rewriter.constant(op.location(), keepsMinus ? negate(constant) : constant);
  if (negated) return replaceBy(op, rewriter, "arith.subi", {sum, inner->base});
  bool isPlain = !outer->negated;  // neither constant is what is subtracted from
  uint32_t flags = isPlain ? mergedFlags(op, *outer->base.definingOp()) : kWraps;
  return replaceBy(op, rewriter, keepsMinus ? "arith.subi" : "arith.addi", {inner->base, sum},
                   flags);
}

/// x + y * -1 is x - y.
LogicalResult addOfNegation(Operation& op, Rewriter& rewriter) {
  for (unsigned side : {1u, 0u}) {
    Operation* product = definedBy(op.operand(side), "arith.muli");
    if (!product || !isIntSplat(constantOf(product->operand(1)), -1)) continue;
    return replaceBy(op, rewriter, "arith.subi", {op.operand(1 - side), product->operand(0)});
  }
  return failure();
}

/// (a - b) - a is 0 - b.
LogicalResult subOfSub(Operation& op, Rewriter& rewriter) {
  Operation* inner = definedBy(op.operand(0), "arith.subi");
  if (!inner || inner->operand(0) != op.operand(1)) return failure();
  Attribute zero = splatOf(op.result().type(), 0);
  if (!zero) return failure();
  Value constant = rewriter.constant(op.location(), zero);
  return replaceBy(op, rewriter, "arith.subi", {constant, inner->operand(1)});
}

/// (x * c1) * c2 is x * (c1 * c2).
LogicalResult mergeMultiplies(Operation& op, Rewriter& rewriter) {
  Operation* inner = definedBy(op.operand(0), "arith.muli");
  if (!inner) return failure();
  Attribute factors[] = {constantOf(inner->operand(1)), constantOf(op.operand(1))};
  if (!isUsable(factors[0]) || !isUsable(factors[1])) return failure();
  Attribute product = mapElements(op.result().type(), factors,
                                  [](std::span<const uint64_t> v) { return v[0] * v[1]; });
  if (!product) return failure();
  Value constant = rewriter.constant(op.location(), product);
  return replaceBy(op, rewriter, "arith.muli", {inner->operand(0), constant},
                   mergedFlags(op, *inner));
}

// -- Two results ---------------------------------------------------------------------------------

LogicalResult addExtendedToAdd(Operation& op, Rewriter& rewriter) {
  if (op.result(1).hasUses()) return failure();
  Attribute no = splatOf(op.result(1).type(), 0);
  if (!no) return failure();
  Type type = op.result(0).type();
  Operation* sum = make(op, rewriter, "arith.addi", {op.operand(0), op.operand(1)}, type);
  Value values[] = {sum->result(), rewriter.constant(op.location(), no)};
  rewriter.replaceOp(op, values);
  return success();
}

LogicalResult mulExtendedToMul(Operation& op, Rewriter& rewriter) {
  if (op.result(1).hasUses()) return failure();
  Type type = op.result(0).type();
  Attribute zero = splatOf(type, 0);
  if (!zero) return failure();
  Operation* product = make(op, rewriter, "arith.muli", {op.operand(0), op.operand(1)}, type);
  Value values[] = {product->result(), rewriter.constant(op.location(), zero)};
  rewriter.replaceOp(op, values);
  return success();
}

/// The high half of x * 1 is the sign of x in every bit. (A one of one bit is -1.)
LogicalResult mulExtendedByOne(Operation& op, Rewriter& rewriter) {
  Type type = op.result(0).type();
  bool wide = elementTypeOrSelf(type).bitWidth() > 1;
  if (!wide || !isIntSplat(constantOf(op.operand(1)), 1) || !splatOf(type, 0)) return failure();
  Value zero = splatConstant(op, rewriter, type, 0);
  Operation* cmp =
      rewriter.create(op.location(), "arith.cmpi", {op.operand(0), zero}, {boolLike(type)},
                      {rewriter.named("predicate", rewriter.i64Attr(int64_t(CmpIPredicate::slt)))});
  Operation* high = make(op, rewriter, "arith.extsi", {cmp->result()}, type);
  Value values[] = {op.operand(0), high->result()};
  rewriter.replaceOp(op, values);
  return success();
}

// -- Logic and comparison ------------------------------------------------------------------------

namespace {

/// The extensions that define both operands, when they are of one kind and from one type.
std::pair<Operation*, Operation*> extensionPair(Operation& op, std::string_view name) {
  Operation* lhs = definedBy(op.operand(0), name);
  Operation* rhs = definedBy(op.operand(1), name);
  if (!lhs || !rhs || lhs->operand(0).type() != rhs->operand(0).type()) return {};
  return {lhs, rhs};
}

}  // namespace

/// A bitwise op of two extensions is the extension of the narrow op.
LogicalResult logicOfExtensions(Operation& op, Rewriter& rewriter) {
  for (std::string_view name : {"arith.extui", "arith.extsi"}) {
    auto [lhs, rhs] = extensionPair(op, name);
    if (!lhs) continue;
    Operation* narrow =
        make(op, rewriter, op.name(), {lhs->operand(0), rhs->operand(0)}, lhs->operand(0).type());
    return replaceBy(op, rewriter, name, {narrow->result()});
  }
  return failure();
}

/// not (a < b) is a >= b.
LogicalResult notOfCompare(Operation& op, Rewriter& rewriter) {
  Operation* cmp = definedBy(op.operand(0), "arith.cmpi");
  if (!cmp || !isIntSplat(constantOf(op.operand(1)), -1)) return failure();
  int64_t predicate = static_cast<int64_t>(inverted(CmpIOp(cmp).predicate()));
  Operation* made = rewriter.create(op.location(), "arith.cmpi", {cmp->operand(0), cmp->operand(1)},
                                    {op.result().type()},
                                    {rewriter.named("predicate", rewriter.i64Attr(predicate))});
  rewriter.replaceOp(op, made->result());
  return success();
}

/// Equality of two values that were widened the same way is equality of the narrow ones.
LogicalResult compareOfExtensions(Operation& op, Rewriter& rewriter) {
  CmpIPredicate predicate = CmpIOp(&op).predicate();
  if (predicate != CmpIPredicate::eq && predicate != CmpIPredicate::ne) return failure();
  for (std::string_view name : {"arith.extui", "arith.extsi"}) {
    auto [lhs, rhs] = extensionPair(op, name);
    if (!lhs) continue;
    Operation* made =
        rewriter.create(op.location(), "arith.cmpi", {lhs->operand(0), rhs->operand(0)},
                        {op.result().type()}, {rewriter.named("predicate", op.attr("predicate"))});
    rewriter.replaceOp(op, made->result());
    return success();
  }
  return failure();
}

namespace {

/// How a float predicate on numbers reads: less, equal, greater.
struct Relation {
  bool less, equal, greater;
};

Relation relationOf(CmpFPredicate predicate) {
  return {evaluate(predicate, 0, 1), evaluate(predicate, 0, 0), evaluate(predicate, 1, 0)};
}

/// The predicate that means `relation` on integers; it must be neither empty nor full.
CmpIPredicate intPredicate(Relation relation, bool isSigned) {
  using enum CmpIPredicate;
  if (relation.less == relation.greater) return relation.equal ? eq : ne;
  if (relation.less) {
    if (relation.equal) return isSigned ? sle : ule;
    return isSigned ? slt : ult;
  }
  if (relation.equal) return isSigned ? sge : uge;
  return isSigned ? sgt : ugt;
}

/// Bits of precision of a float format, the hidden one included.
unsigned precisionOf(FloatType type) {
  switch (type.floatKind()) {
    case FloatKind::F64: return 53;
    case FloatKind::F32: return 24;
    case FloatKind::F16:
    case FloatKind::TF32: return 11;
    case FloatKind::BF16: return 8;
    case FloatKind::F8E4M3FN:
    case FloatKind::F8E4M3FNUZ: return 4;
    case FloatKind::F8E5M2:
    case FloatKind::F8E5M2FNUZ: return 3;
  }
  return 0;
}

/// Rounding the integers, of `bits` magnitude bits, does not carry one across the constant or onto
/// it: none is rounded, or none near the constant.
bool decidesExactly(FloatAttr constant, unsigned bits) {
  unsigned precision = precisionOf(constant.type().cast<FloatType>());
  return bits <= precision ||
         std::abs(constant.value()) < std::ldexp(1.0, static_cast<int>(precision));
}

/// `x relation constant` on integers of `width` bits: a truth, or a comparison with an integer.
struct IntComparison {
  std::optional<bool> truth;
  CmpIPredicate predicate = CmpIPredicate::eq;
  int64_t constant = 0;
};

IntComparison compareWith(double constant, Relation relation, unsigned width, bool isSigned) {
  double limit = std::ldexp(1.0, static_cast<int>(isSigned ? width - 1 : width));
  if (relation.less == relation.greater && relation.less == relation.equal) return {relation.less};
  if (constant >= limit) return {relation.less};
  if (constant < (isSigned ? -limit : 0.0)) return {relation.greater};
  double whole = std::trunc(constant);
  if (whole != constant) {
    // Between two integers: less than 5.5 is at most 5, less than -5.5 is less than -5.
    if (relation.less == relation.greater) return {relation.less};
    relation.equal = constant > 0 ? relation.less : relation.greater;
  }
  return {std::nullopt, intPredicate(relation, isSigned), static_cast<int64_t>(whole)};
}

}  // namespace

/// Comparing a converted integer with a constant needs no float.
LogicalResult compareOfIntToFloat(Operation& op, Rewriter& rewriter) {
  Operation* conversion = definedBy(op.operand(0), "arith.sitofp");
  bool isSigned = conversion != nullptr;
  if (!conversion) conversion = definedBy(op.operand(0), "arith.uitofp");
  auto constant = constantOf(op.operand(1)).dynCast<FloatAttr>();
  if (!conversion || !constant || std::isnan(constant.value())) return failure();
  Type type = conversion->operand(0).type();
  unsigned width = type.bitWidth();
  if (!decidesExactly(constant, width - isSigned)) return failure();
  IntComparison found =
      compareWith(constant.value(), relationOf(CmpFOp(&op).predicate()), width, isSigned);
  if (found.truth) {
    Attribute truth = IntegerAttr::getBool(op.context(), *found.truth);
    rewriter.replaceOp(op, rewriter.constant(op.location(), truth));
    return success();
  }
  Value rhs = rewriter.constant(op.location(), IntegerAttr::get(type, found.constant));
  int64_t predicate = static_cast<int64_t>(found.predicate);
  Operation* made = rewriter.create(op.location(), "arith.cmpi", {conversion->operand(0), rhs},
                                    {op.result().type()},
                                    {rewriter.named("predicate", rewriter.i64Attr(predicate))});
  rewriter.replaceOp(op, made->result());
  return success();
}

// -- Select --------------------------------------------------------------------------------------

/// select c, 1, 0 is c widened.
LogicalResult selectToExtension(Operation& op, Rewriter& rewriter) {
  Type type = op.result().type();
  Type element = elementTypeOrSelf(type);
  if (!element.isSignlessInteger() || element.bitWidth() == 1) return failure();
  if (op.operand(0).type() != boolLike(type)) return failure();
  Attribute yes = constantOf(op.operand(1)), no = constantOf(op.operand(2));
  if (isIntSplat(yes, 1) && isIntSplat(no, 0))
    return replaceBy(op, rewriter, "arith.extui", {op.operand(0)});
  if (!isIntSplat(yes, 0) || !isIntSplat(no, 1)) return failure();
  Value ones = splatConstant(op, rewriter, boolLike(type), 1);
  Operation* negated = make(op, rewriter, "arith.xori", {op.operand(0), ones}, boolLike(type));
  return replaceBy(op, rewriter, "arith.extui", {negated->result()});
}

/// select c, false, true is not c.
LogicalResult selectToNot(Operation& op, Rewriter& rewriter) {
  Type type = op.result().type();
  bool isBit = elementTypeOrSelf(type).isSignlessInteger(1) && op.operand(0).type() == type;
  if (!isBit) return failure();
  Attribute yes = constantOf(op.operand(1)), no = constantOf(op.operand(2));
  if (!isIntSplat(yes, 0) || !isIntSplat(no, 1)) return failure();
  Value ones = splatConstant(op, rewriter, type, 1);
  return replaceBy(op, rewriter, "arith.xori", {op.operand(0), ones});
}

/// select (not c), a, b is select c, b, a.
LogicalResult selectOfNot(Operation& op, Rewriter& rewriter) {
  Operation* negation = definedBy(op.operand(0), "arith.xori");
  if (!negation || !isIntSplat(constantOf(negation->operand(1)), -1)) return failure();
  return replaceBy(op, rewriter, "arith.select",
                   {negation->operand(0), op.operand(2), op.operand(1)});
}

/// select c, (select c, a, b), d is select c, a, d; and the same on the other side.
LogicalResult selectOfSelect(Operation& op, Rewriter& rewriter) {
  for (unsigned side : {1u, 2u}) {
    Operation* inner = definedBy(op.operand(side), "arith.select");
    if (!inner || inner->operand(0) != op.operand(0)) continue;
    rewriter.modify(op, [&] { op.setOperand(side, inner->operand(side)); });
    return success();
  }
  return failure();
}

// -- Floats and casts ----------------------------------------------------------------------------

/// The signs of two negated factors cancel.
LogicalResult dropNegations(Operation& op, Rewriter& rewriter) {
  Operation* lhs = definedBy(op.operand(0), "arith.negf");
  Operation* rhs = definedBy(op.operand(1), "arith.negf");
  if (!lhs || !rhs) return failure();
  rewriter.modify(op, [&] {
    op.setOperand(0, lhs->operand(0));
    op.setOperand(1, rhs->operand(0));
  });
  return success();
}

LogicalResult signExtendOfZeroExtend(Operation& op, Rewriter& rewriter) {
  Operation* inner = definedBy(op.operand(0), "arith.extui");
  if (!inner) return failure();
  return replaceBy(op, rewriter, "arith.extui", {inner->operand(0)});
}

/// Cutting an extension to something still wider than the source is a shorter extension.
LogicalResult truncateOfExtension(Operation& op, Rewriter& rewriter) {
  for (std::string_view name : {"arith.extui", "arith.extsi"}) {
    Operation* ext = definedBy(op.operand(0), name);
    if (!ext) continue;
    unsigned from = elementTypeOrSelf(ext->operand(0).type()).bitWidth();
    if (from >= elementTypeOrSelf(op.result().type()).bitWidth()) return failure();
    return replaceBy(op, rewriter, name, {ext->operand(0)});
  }
  return failure();
}

/// The high part: none of the bits that come in survives, so the kind of shift does not matter.
LogicalResult truncateOfShift(Operation& op, Rewriter& rewriter) {
  Operation* shift = definedBy(op.operand(0), "arith.shrsi");
  std::optional<uint64_t> amount = shift ? intSplat(constantOf(shift->operand(1))) : std::nullopt;
  if (!amount) return failure();
  unsigned from = elementTypeOrSelf(shift->result().type()).bitWidth();
  unsigned to = elementTypeOrSelf(op.result().type()).bitWidth();
  if (*amount != from - to) return failure();
  Operation* made = make(op, rewriter, "arith.shrui", {shift->operand(0), shift->operand(1)},
                         shift->result().type());
  return replaceBy(op, rewriter, "arith.trunci", {made->result()});
}

namespace {

/// The two extensions of one kind that feed a product.
std::string_view extendedKind(Operation& product) {
  for (std::string_view name : {"arith.extsi", "arith.extui"})
    if (extensionPair(product, name).first) return name;
  return {};
}

}  // namespace

/// The high half of a widened product is what the extended multiplication gives.
LogicalResult truncateOfMulExtended(Operation& op, Rewriter& rewriter) {
  Operation* shift = definedBy(op.operand(0), "arith.shrui");
  if (!shift) shift = definedBy(op.operand(0), "arith.shrsi");
  Operation* product = shift ? definedBy(shift->operand(0), "arith.muli") : nullptr;
  if (!product) return failure();
  std::string_view kind = extendedKind(*product);
  if (kind.empty()) return failure();
  Value lhs = product->operand(0).definingOp()->operand(0);
  Value rhs = product->operand(1).definingOp()->operand(0);
  unsigned narrow = elementTypeOrSelf(lhs.type()).bitWidth();
  bool isHighHalf = lhs.type() == op.result().type() &&
                    isIntSplat(constantOf(shift->operand(1)), narrow) &&
                    elementTypeOrSelf(product->result().type()).bitWidth() >= 2 * narrow;
  if (!isHighHalf) return failure();
  std::string_view name = kind == "arith.extsi" ? "arith.mulsi_extended" : "arith.mului_extended";
  Operation* made = rewriter.create(op.location(), name, {lhs, rhs}, {lhs.type(), lhs.type()});
  rewriter.replaceOp(op, made->result(1));
  return success();
}

/// An integer that was widened as the cast widens needs only the cast.
LogicalResult indexCastOfExtension(Operation& op, Rewriter& rewriter) {
  bool isSigned = op.is("arith.index_cast");
  Operation* ext = definedBy(op.operand(0), isSigned ? "arith.extsi" : "arith.extui");
  if (!ext) return failure();
  return replaceBy(op, rewriter, op.name(), {ext->operand(0)});
}

LogicalResult bitcastOfBitcast(Operation& op, Rewriter& rewriter) {
  Operation* inner = definedBy(op.operand(0), "arith.bitcast");
  if (!inner) return failure();
  if (inner->operand(0).type() != op.result().type())
    return replaceBy(op, rewriter, "arith.bitcast", {inner->operand(0)});
  rewriter.replaceOp(op, inner->operand(0));
  return success();
}

}  // namespace airlite::arith
