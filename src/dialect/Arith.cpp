// The arith dialect: arithmetic, comparison and conversion of integers, index and floats, also
// element by element on vectors and tensors.
#include "airlite/dialect/Arith.hpp"

#include "ArithFold.hpp"
#include "ArithSyntax.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Resources.hpp"
#include "airlite/text/OpParser.hpp"
#include "airlite/text/OpPrinter.hpp"

#include <algorithm>

namespace airlite {

namespace arith {

bool dividesIntegers(const Operation& op) {
  constexpr std::string_view kDivisions[] = {
      "arith.divsi",     "arith.divui",     "arith.remsi",     "arith.remui",
      "arith.ceildivsi", "arith.ceildivui", "arith.floordivsi"};
  return std::ranges::any_of(kDivisions, [&](std::string_view name) { return op.is(name); });
}

namespace {

// -- Constraints ---------------------------------------------------------------------------------

bool isVectorOrTensor(Type type) {
  return type.isa<ShapedType>() && !type.isa<MemRefType>() && !type.isa<UnrankedMemRefType>();
}

Type valueElement(Type type) {
  return isVectorOrTensor(type) ? type.cast<ShapedType>().elementType() : type;
}

bool isFixedWidthInteger(Type type) { return valueElement(type).isSignlessInteger(); }
const TypeConstraint kFixedWidthInteger = {"signless-fixed-width-integer-like",
                                           isFixedWidthInteger};

bool isIndexCastable(Type type) {
  Type element = elementTypeOrSelf(type);
  return element.isIndex() || element.isSignlessInteger();
}
const TypeConstraint kIndexCastable = {"signless-integer-like or memref of signless-integer",
                                       isIndexCastable};

bool isBitcastable(Type type) {
  Type element = elementTypeOrSelf(type);
  return element.isSignlessInteger() || element.isFloat();
}
const TypeConstraint kBitcastable = {
    "signless-integer-or-float-like or memref of signless-integer or float", isBitcastable};

// -- Constants -----------------------------------------------------------------------------------

bool isValueAttr(Attribute value) {
  return value.isa<IntegerAttr>() || value.isa<FloatAttr>() || isElements(value);
}

LogicalResult inferConstant(Context& context, OperationState& state) {
  Attribute value = state.attributes.get("value");
  Type type = value ? attributeType(value) : Type();
  if (!type)
    return emitError(context, state.location) << "'arith.constant' op expected a typed value";
  state.resultTypes = {type};
  return success();
}

LogicalResult parseConstant(OpParser& parser, OperationState& state) {
  Attribute value;
  if (failed(parser.parseOptionalAttrDict(state.attributes))) return failure();
  Location where = parser.location();
  if (failed(parser.parseAttribute(value))) return failure();
  Type type = attributeType(value);
  if (!type) return parser.emitError(where) << "expected an integer, float or elements attribute";
  state.addAttribute(parser.context(), "value", value);
  state.resultTypes = {type};
  return success();
}

void printConstant(OpPrinter& printer, Operation& op) {
  printer.printOptionalAttrDict(op, {"value"});
  printer << " " << op.attr("value");
}

LogicalResult verifyConstant(Operation& op) {
  Attribute value = op.attr("value");
  if (!isValueAttr(value))
    return op.emitOpError() << "value must be an integer, float, or elements attribute";
  if (attributeType(value) != op.result().type())
    return op.emitOpError() << "failed to verify that all of {value, result} have same type";
  Type element = elementTypeOrSelf(op.result().type());
  if (element.isInteger() && !element.isSignlessInteger())
    return op.emitOpError() << "integer return type must be signless";
  return success();
}

/// `c` and the value, with the type unless it is index; booleans by name, the rest is `cst`.
std::string constantName(Attribute value) {
  auto integer = value.dynCast<IntegerAttr>();
  if (!integer) return "cst";
  if (integer.isBool()) return integer.value() ? "true" : "false";
  std::string name = "c" + std::to_string(integer.value());
  return integer.type().isIndex() ? name : name + "_" + integer.type().str();
}

void nameConstant(Operation& op, FunctionRef<void(Value, std::string_view)> suggest) {
  if (Attribute value = op.attr("value")) suggest(op.result(), constantName(value));
}

Operation* materialize(Context& context, Attribute value, Type type, Location location) {
  if (!isValueAttr(value) || attributeType(value) != type) return nullptr;
  Type element = elementTypeOrSelf(type);
  if (element.isInteger() && !element.isSignlessInteger()) return nullptr;
  OperationState state(context, location, "arith.constant");
  state.addAttribute(context, "value", value);
  state.resultTypes = {type};
  return Operation::create(context, state);
}

// -- Casts ---------------------------------------------------------------------------------------

InFlightDiagnostic castError(Operation& op) {
  InFlightDiagnostic diagnostic = op.emitOpError();
  diagnostic << "operand type " << op.operand(0).type() << " and result type " << op.result().type()
             << " are cast incompatible";
  return diagnostic;
}

/// Both scalars, or both shaped and of one kind; equal shapes are checked as of any elementwise op.
bool sameForm(Operation& op) {
  Type from = op.operand(0).type(), to = op.result().type();
  if (!from.isa<ShapedType>() && !to.isa<ShapedType>()) return true;
  return from.isa<ShapedType>() && to.isa<ShapedType>() && from.kind() == to.kind();
}

int widthChange(Operation& op) {
  return static_cast<int>(elementTypeOrSelf(op.result().type()).bitWidth()) -
         static_cast<int>(elementTypeOrSelf(op.operand(0).type()).bitWidth());
}

LogicalResult verifyWidening(Operation& op) {
  return sameForm(op) && widthChange(op) > 0 ? success() : LogicalResult(castError(op));
}

LogicalResult verifyNarrowing(Operation& op) {
  return sameForm(op) && widthChange(op) < 0 ? success() : LogicalResult(castError(op));
}

LogicalResult verifyConversion(Operation& op) {
  return sameForm(op) ? success() : LogicalResult(castError(op));
}

LogicalResult verifySameWidth(Operation& op) {
  return sameForm(op) && widthChange(op) == 0 ? success() : LogicalResult(castError(op));
}

/// Exactly one side is index.
LogicalResult verifyIndexCast(Operation& op) {
  bool fromIndex = elementTypeOrSelf(op.operand(0).type()).isIndex();
  bool toIndex = elementTypeOrSelf(op.result().type()).isIndex();
  return sameForm(op) && fromIndex != toIndex ? success() : LogicalResult(castError(op));
}

// -- Select --------------------------------------------------------------------------------------

LogicalResult parseSelect(OpParser& parser, OperationState& state) {
  std::vector<UnresolvedOperand> operands(3);
  Location where = parser.location();
  if (failed(parser.parseOperand(operands[0])) || failed(parser.parse(",")) ||
      failed(parser.parseOperand(operands[1])) || failed(parser.parse(",")) ||
      failed(parser.parseOperand(operands[2])) ||
      failed(parser.parseOptionalAttrDict(state.attributes)))
    return failure();
  Type type, condition = IntegerType::get(parser.context(), 1);
  if (failed(parser.parseColonType(type))) return failure();
  if (parser.parseOptional(",")) {
    condition = type;
    if (failed(parser.parseType(type))) return failure();
  }
  state.resultTypes = {type};
  return parser.resolve(operands, std::vector<Type>{condition, type, type}, where, state.operands);
}

void printSelect(OpPrinter& printer, Operation& op) {
  printer << " " << op.operands();
  printer.printOptionalAttrDict(op);
  printer << " : ";
  Type condition = op.operand(0).type();
  if (condition.isa<ShapedType>()) printer << condition << ", ";
  printer << op.result().type();
}

LogicalResult verifySelect(Operation& op) {
  Type condition = op.operand(0).type(), result = op.result().type();
  if (condition.isSignlessInteger(1)) return success();
  if (!isVectorOrTensor(result))
    return op.emitOpError() << "expected condition to be a signless i1, but got " << condition;
  Type expected = boolLike(result);
  if (condition == expected) return success();
  return op.emitOpError() << "expected condition type to have the same shape as the result type, "
                             "expected "
                          << expected << ", but got " << condition;
}

LogicalResult inferSelect(Context&, OperationState& state) {
  if (state.operands.size() != 3) return failure();
  state.resultTypes = {state.operands[1].type()};
  return success();
}

void nameSumAndOverflow(Operation& op, FunctionRef<void(Value, std::string_view)> suggest) {
  suggest(op.result(0), "sum");
  suggest(op.result(1), "overflow");
}

void nameLowAndHigh(Operation& op, FunctionRef<void(Value, std::string_view)> suggest) {
  suggest(op.result(0), "low");
  suggest(op.result(1), "high");
}

// -- Families ------------------------------------------------------------------------------------

/// Anything that works element by element and has no effects. Not all of these may be executed
/// early: a division may divide by zero.
OpDef& elementwise(Dialect& d, std::string_view name) {
  return d.op(name).traits(Trait::Elementwise).effects({});
}

OpDef& intBinary(Dialect& d, std::string_view name) {
  return elementwise(d, name)
      .operand("lhs", types::signlessIntOrIndexLike)
      .operand("rhs", types::signlessIntOrIndexLike)
      .result("result", types::signlessIntOrIndexLike)
      .traits(Trait::SameOperandsAndResultType)
      .format("$lhs `,` $rhs attr-dict `:` type($result)");
}

/// With `overflow<...>`.
OpDef& intBinaryWithFlags(Dialect& d, std::string_view name) {
  return intBinary(d, name)
      .defaultAttr("overflowFlags", kOverflowFlags, kNoOverflowFlags)
      .traits(Trait::Pure)
      .format("$lhs `,` $rhs (`overflow` `` custom<Overflow>($overflowFlags)^)? attr-dict `:` "
              "type($result)");
}

OpDef& floatBinary(Dialect& d, std::string_view name) {
  return elementwise(d, name)
      .operand("lhs", types::floatLike)
      .operand("rhs", types::floatLike)
      .result("result", types::floatLike)
      .defaultAttr("fastmath", kFastMathFlags, kNoFastMath)
      .traits(Trait::Pure | Trait::SameOperandsAndResultType)
      .format(kFloatBinaryFormat);
}

OpDef& cast(Dialect& d, std::string_view name, const TypeConstraint& in,
            const TypeConstraint& out) {
  return elementwise(d, name)
      .operand("in", in)
      .result("out", out)
      .traits(Trait::Pure)
      .format("$in attr-dict `:` type($in) `to` type($out)");
}

// -- The ops -------------------------------------------------------------------------------------

void defineConstant(Dialect& d) {
  d.op<ConstantOp>("constant")
      .doc("An integer, a float or dense elements known at compile time.")
      .attr("value", attrs::typed)
      .result("result", types::any)
      .traits(Trait::Pure | Trait::ConstantLike)
      .syntax(parseConstant, printConstant)
      .example("%c1_i32 = arith.constant 1 : i32")
      .inferTypes(inferConstant)
      .nameResults(nameConstant)
      .verifyAlone(verifyConstant)
      .fold(foldConstant);
}

void defineSums(Dialect& d) {
  intBinaryWithFlags(d, "addi")
      .doc("Integer sum; wraps around unless the flags promise that it does not.")
      .traits(Trait::Commutative)
      .example("%r = arith.addi %a, %b overflow<nsw> : i32")
      .fold(foldAddI)
      .canonicalize("merge-constants", mergeLinear)
      .canonicalize("add-of-negation", addOfNegation);
  intBinaryWithFlags(d, "subi")
      .doc("Integer difference; wraps around.")
      .example("%r = arith.subi %a, %b : i32")
      .fold(foldSubI)
      .canonicalize("merge-constants", mergeLinear)
      .canonicalize("sub-of-sub", subOfSub);
  intBinaryWithFlags(d, "muli")
      .doc("Integer product; wraps around.")
      .traits(Trait::Commutative)
      .example("%r = arith.muli %a, %b : index")
      .fold(foldMulI)
      .canonicalize("merge-constants", mergeMultiplies);
}

void defineDivisions(Dialect& d) {
  intBinary(d, "divsi")
      .doc("Signed quotient, rounded towards zero. Division by zero and overflow are undefined.")
      .example("%r = arith.divsi %a, %b : i32")
      .fold(foldDivSI);
  intBinary(d, "divui")
      .doc("Unsigned quotient. Division by zero is undefined.")
      .example("%r = arith.divui %a, %b : i32")
      .fold(foldDivUI);
  intBinary(d, "ceildivsi")
      .doc("Signed quotient, rounded up.")
      .example("%r = arith.ceildivsi %a, %b : i32")
      .fold(foldCeilDivSI);
  intBinary(d, "ceildivui")
      .doc("Unsigned quotient, rounded up.")
      .example("%r = arith.ceildivui %a, %b : i32")
      .fold(foldCeilDivUI);
  intBinary(d, "floordivsi")
      .doc("Signed quotient, rounded down.")
      .example("%r = arith.floordivsi %a, %b : i32")
      .fold(foldFloorDivSI);
  intBinary(d, "remsi")
      .doc("Signed remainder, with the sign of the left operand.")
      .example("%r = arith.remsi %a, %b : i32")
      .fold(foldRemSI);
  intBinary(d, "remui")
      .doc("Unsigned remainder.")
      .example("%r = arith.remui %a, %b : i32")
      .fold(foldRemUI);
}

void defineLogic(Dialect& d) {
  intBinary(d, "andi")
      .doc("Bitwise and.")
      .traits(Trait::Pure | Trait::Commutative)
      .example("%r = arith.andi %a, %b : i32")
      .fold(foldAndI)
      .canonicalize("of-extensions", logicOfExtensions);
  intBinary(d, "ori")
      .doc("Bitwise or.")
      .traits(Trait::Pure | Trait::Commutative)
      .example("%r = arith.ori %a, %b : i32")
      .fold(foldOrI)
      .canonicalize("of-extensions", logicOfExtensions);
  intBinary(d, "xori")
      .doc("Bitwise exclusive or.")
      .traits(Trait::Pure | Trait::Commutative)
      .example("%r = arith.xori %a, %b : i32")
      .fold(foldXOrI)
      .canonicalize("of-extensions", logicOfExtensions)
      .canonicalize("not-of-compare", notOfCompare);
  intBinaryWithFlags(d, "shli")
      .doc("Shift left; zeros come in. A shift by the width or more is undefined.")
      .example("%r = arith.shli %a, %b : i32")
      .fold(foldShLI);
  intBinary(d, "shrsi")
      .doc("Shift right; copies of the sign bit come in.")
      .traits(Trait::Pure)
      .example("%r = arith.shrsi %a, %b : i32")
      .fold(foldShRSI);
  intBinary(d, "shrui")
      .doc("Shift right; zeros come in.")
      .traits(Trait::Pure)
      .example("%r = arith.shrui %a, %b : i32")
      .fold(foldShRUI);
}

void defineIntMinMax(Dialect& d) {
  constexpr Trait kTraits = Trait::Pure | Trait::Commutative;
  intBinary(d, "maxsi")
      .doc("The larger of two signed integers.")
      .traits(kTraits)
      .example("%r = arith.maxsi %a, %b : i32")
      .fold(foldMaxSI);
  intBinary(d, "maxui")
      .doc("The larger of two unsigned integers.")
      .traits(kTraits)
      .example("%r = arith.maxui %a, %b : i32")
      .fold(foldMaxUI);
  intBinary(d, "minsi")
      .doc("The smaller of two signed integers.")
      .traits(kTraits)
      .example("%r = arith.minsi %a, %b : i32")
      .fold(foldMinSI);
  intBinary(d, "minui")
      .doc("The smaller of two unsigned integers.")
      .traits(kTraits)
      .example("%r = arith.minui %a, %b : i32")
      .fold(foldMinUI);
}

OpDef& mulExtended(Dialect& d, std::string_view name) {
  return elementwise(d, name)
      .operand("lhs", types::signlessIntOrIndexLike)
      .operand("rhs", types::signlessIntOrIndexLike)
      .result("low", types::signlessIntOrIndexLike)
      .result("high", types::signlessIntOrIndexLike)
      .sameType({"lhs", "rhs", "low", "high"})
      .traits(Trait::Pure | Trait::Commutative)
      .format("$lhs `,` $rhs attr-dict `:` type($lhs)")
      .nameResults(nameLowAndHigh)
      .canonicalize("unused-high-half", mulExtendedToMul);
}

void defineExtended(Dialect& d) {
  elementwise(d, "addui_extended")
      .doc("Unsigned sum and whether it overflowed.")
      .operand("lhs", types::signlessIntOrIndexLike)
      .operand("rhs", types::signlessIntOrIndexLike)
      .result("sum", types::signlessIntOrIndexLike)
      .result("overflow", types::boolLike)
      .sameType({"lhs", "rhs", "sum"})
      .typeFrom("overflow", "sum", boolLike, "i1 element type and same shape as 'sum'")
      .traits(Trait::Pure | Trait::Commutative)
      .format("$lhs `,` $rhs attr-dict `:` type($sum) `,` type($overflow)")
      .example("%sum, %overflow = arith.addui_extended %a, %b : i32, i1")
      .nameResults(nameSumAndOverflow)
      .fold(foldAddUIExtended)
      .canonicalize("unused-overflow", addExtendedToAdd);
  mulExtended(d, "mulsi_extended")
      .doc("Both halves of the signed product.")
      .example("%low, %high = arith.mulsi_extended %a, %b : i32")
      .fold(foldMulSIExtended)
      .canonicalize("by-one", mulExtendedByOne);
  mulExtended(d, "mului_extended")
      .doc("Both halves of the unsigned product.")
      .example("%low, %high = arith.mului_extended %a, %b : i32")
      .fold(foldMulUIExtended);
}

void defineFloats(Dialect& d) {
  floatBinary(d, "addf")
      .doc("Float sum.")
      .traits(Trait::Commutative)
      .example("%r = arith.addf %a, %b fastmath<fast> : f32")
      .fold(foldAddF);
  floatBinary(d, "subf")
      .doc("Float difference.")
      .example("%r = arith.subf %a, %b : f32")
      .fold(foldSubF);
  floatBinary(d, "mulf")
      .doc("Float product.")
      .traits(Trait::Commutative)
      .example("%r = arith.mulf %a, %b : f32")
      .fold(foldMulF)
      .canonicalize("drop-negations", dropNegations);
  floatBinary(d, "divf")
      .doc("Float quotient.")
      .example("%r = arith.divf %a, %b : f32")
      .fold(foldDivF)
      .canonicalize("drop-negations", dropNegations);
  floatBinary(d, "remf")
      .doc("Float remainder, with the sign of the left operand.")
      .example("%r = arith.remf %a, %b : f32")
      .fold(foldRemF);
  elementwise(d, "negf")
      .doc("Flips the sign.")
      .operand("operand", types::floatLike)
      .result("result", types::floatLike)
      .defaultAttr("fastmath", kFastMathFlags, kNoFastMath)
      .traits(Trait::Pure | Trait::SameOperandsAndResultType)
      .format(kFloatUnaryFormat)
      .example("%r = arith.negf %a : f32")
      .fold(foldNegF);
}

void defineFloatMinMax(Dialect& d) {
  floatBinary(d, "maximumf")
      .doc("The larger of two floats; NaN if one is NaN, and -0.0 is less than 0.0.")
      .traits(Trait::Commutative)
      .example("%r = arith.maximumf %a, %b : f32")
      .fold(foldMaximumF);
  floatBinary(d, "minimumf")
      .doc("The smaller of two floats; NaN if one is NaN, and -0.0 is less than 0.0.")
      .traits(Trait::Commutative)
      .example("%r = arith.minimumf %a, %b : f32")
      .fold(foldMinimumF);
  floatBinary(d, "maxnumf")
      .doc("The larger of two floats; the other one if one is NaN.")
      .traits(Trait::Commutative)
      .example("%r = arith.maxnumf %a, %b : f32")
      .fold(foldMaxNumF);
  floatBinary(d, "minnumf")
      .doc("The smaller of two floats; the other one if one is NaN.")
      .traits(Trait::Commutative)
      .example("%r = arith.minnumf %a, %b : f32")
      .fold(foldMinNumF);
}

void defineIntCasts(Dialect& d) {
  cast(d, "extsi", kFixedWidthInteger, kFixedWidthInteger)
      .doc("Widens an integer; the sign bit is copied.")
      .example("%r = arith.extsi %a : i16 to i32")
      .verifyAlone(verifyWidening)
      .fold(foldExtSI)
      .canonicalize("of-zero-extend", signExtendOfZeroExtend);
  cast(d, "extui", kFixedWidthInteger, kFixedWidthInteger)
      .doc("Widens an integer with zeros.")
      .example("%r = arith.extui %a : i16 to i32")
      .verifyAlone(verifyWidening)
      .fold(foldExtUI);
  cast(d, "trunci", kFixedWidthInteger, kFixedWidthInteger)
      .doc("Keeps the low bits of an integer.")
      .example("%r = arith.trunci %a : i32 to i16")
      .verifyAlone(verifyNarrowing)
      .fold(foldTruncI)
      .canonicalize("of-extension", truncateOfExtension)
      .canonicalize("of-shift", truncateOfShift)
      .canonicalize("of-mul-extended", truncateOfMulExtended);
  cast(d, "index_cast", kIndexCastable, kIndexCastable)
      .doc("Between index and an integer: cuts, or copies the sign bit.")
      .example("%r = arith.index_cast %a : index to i32")
      .verifyAlone(verifyIndexCast)
      .fold(foldIndexCast)
      .canonicalize("of-extension", indexCastOfExtension);
  cast(d, "index_castui", kIndexCastable, kIndexCastable)
      .doc("Between index and an integer: cuts, or fills with zeros.")
      .example("%r = arith.index_castui %a : index to i32")
      .verifyAlone(verifyIndexCast)
      .fold(foldIndexCastUI)
      .canonicalize("of-extension", indexCastOfExtension);
  cast(d, "bitcast", kBitcastable, kBitcastable)
      .doc("The same bits as another type of the same width.")
      .example("%r = arith.bitcast %a : f32 to i32")
      .verifyAlone(verifySameWidth)
      .fold(foldBitcast)
      .canonicalize("of-bitcast", bitcastOfBitcast);
}

void defineFloatCasts(Dialect& d) {
  cast(d, "extf", types::floatLike, types::floatLike)
      .doc("Widens a float; the value stays.")
      .optionalAttr("fastmath", kFastMathFlags)
      .format("$in (`fastmath` `` custom<FastMath>($fastmath)^)? attr-dict `:` type($in) `to` "
              "type($out)")
      .example("%r = arith.extf %a : f16 to f32")
      .verifyAlone(verifyWidening)
      .fold(foldExtF);
  cast(d, "truncf", types::floatLike, types::floatLike)
      .doc("Rounds a float to a narrower type, to nearest even unless a rounding mode is given.")
      .optionalAttr("roundingmode", kRoundingMode)
      .optionalAttr("fastmath", kFastMathFlags)
      .format("$in ($roundingmode^)? (`fastmath` `` custom<FastMath>($fastmath)^)? attr-dict `:` "
              "type($in) `to` type($out)")
      .example("%r = arith.truncf %a : f32 to f16")
      .verifyAlone(verifyNarrowing)
      .fold(foldTruncF);
  cast(d, "sitofp", kFixedWidthInteger, types::floatLike)
      .doc("A signed integer as a float, rounded to nearest even.")
      .example("%r = arith.sitofp %a : i32 to f32")
      .verifyAlone(verifyConversion)
      .fold(foldSIToFP);
  cast(d, "uitofp", kFixedWidthInteger, types::floatLike)
      .doc("An unsigned integer as a float, rounded to nearest even.")
      .example("%r = arith.uitofp %a : i32 to f32")
      .verifyAlone(verifyConversion)
      .fold(foldUIToFP);
  cast(d, "fptosi", types::floatLike, kFixedWidthInteger)
      .doc("The integer part of a float as a signed integer; undefined when it does not fit.")
      .example("%r = arith.fptosi %a : f32 to i32")
      .verifyAlone(verifyConversion)
      .fold(foldFPToSI);
  cast(d, "fptoui", types::floatLike, kFixedWidthInteger)
      .doc("The integer part of a float as an unsigned integer; undefined when it does not fit.")
      .example("%r = arith.fptoui %a : f32 to i32")
      .verifyAlone(verifyConversion)
      .fold(foldFPToUI);
}

void defineComparisons(Dialect& d) {
  elementwise(d, "cmpi")
      .doc("Compares two integers: eq, ne, or one of slt, sle, sgt, sge, ult, ule, ugt, uge.")
      .attr("predicate", kCmpIPredicate)
      .operand("lhs", types::signlessIntOrIndexLike)
      .operand("rhs", types::signlessIntOrIndexLike)
      .result("result", types::boolLike)
      .traits(Trait::Pure | Trait::SameTypeOperands)
      .typeFrom("result", "lhs", boolLike, "i1 element type and same shape as operands")
      .format("$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)")
      .example("%r = arith.cmpi slt, %a, %b : index")
      .fold(foldCmpI)
      .canonicalize("of-extensions", compareOfExtensions)
      .view = viewId<CmpIOp>();
  elementwise(d, "cmpf")
      .doc("Compares two floats: o... is false and u... is true when one is NaN.")
      .attr("predicate", kCmpFPredicate)
      .operand("lhs", types::floatLike)
      .operand("rhs", types::floatLike)
      .result("result", types::boolLike)
      .defaultAttr("fastmath", kFastMathFlags, kNoFastMath)
      .traits(Trait::Pure | Trait::SameTypeOperands)
      .typeFrom("result", "lhs", boolLike, "i1 element type and same shape as operands")
      .format("$predicate `,` $lhs `,` $rhs (`fastmath` `` custom<FastMath>($fastmath)^)? "
              "attr-dict `:` type($lhs)")
      .example("%r = arith.cmpf oeq, %a, %b : f32")
      .fold(foldCmpF)
      .canonicalize("of-int-to-float", compareOfIntToFloat)
      .view = viewId<CmpFOp>();
}

void defineSelect(Dialect& d) {
  d.op<SelectOp>("select")
      .doc("One of two values; with a vector condition, element by element.")
      .operand("condition", types::boolLike)
      .operand("true_value", types::any)
      .operand("false_value", types::any)
      .result("result", types::any)
      .sameType({"true_value", "false_value", "result"})
      .traits(Trait::Pure)
      .syntax(parseSelect, printSelect)
      .example("%r = arith.select %cond, %a, %b : f32")
      .inferTypes(inferSelect)
      .verifyAlone(verifySelect)
      .fold(foldSelect)
      .canonicalize("of-not", selectOfNot)
      .canonicalize("of-select", selectOfSelect)
      .canonicalize("to-not", selectToNot)
      .canonicalize("to-extension", selectToExtension);
}

}  // namespace

Type boolLike(Type type) {
  Type i1 = IntegerType::get(type.context(), 1);
  auto shaped = type.dynCast<ShapedType>();
  return shaped ? shaped.cloneWith(std::nullopt, i1) : i1;
}

}  // namespace arith

void registerArith(Context& context) {
  Dialect d(context, "arith", "Arithmetic on integers and floats.");
  arith::registerFlagAttributes(d);
  arith::defineConstant(d);
  arith::defineSums(d);
  arith::defineDivisions(d);
  arith::defineLogic(d);
  arith::defineIntMinMax(d);
  arith::defineExtended(d);
  arith::defineFloats(d);
  arith::defineFloatMinMax(d);
  arith::defineIntCasts(d);
  arith::defineFloatCasts(d);
  arith::defineComparisons(d);
  arith::defineSelect(d);
  d.materializer(arith::materialize);
}

}  // namespace airlite
