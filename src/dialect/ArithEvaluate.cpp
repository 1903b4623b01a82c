// The elementwise ops of arith as functions of bits. The table is looked up once per op, when a
// program is compiled for running; f32 and f64 have functions of their own, since most programs
// spend their time there.
#include "ArithElements.hpp"
#include "EvaluateTables.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/Evaluate.hpp"
#include "airlite/support/UnitFunctions.hpp"

#include <unordered_map>

namespace airlite {

namespace arith {
namespace {

using namespace elements;
using Wide = __int128;
using UWide = unsigned __int128;

Evaluation value(uint64_t bits, uint64_t* out) {
  out[0] = bits;
  return Evaluation::Value;
}

Evaluation wrapped(const ElementOp& op, uint64_t bits, uint64_t* out) {
  return value(bits & maskOf(op.outWidth), out);
}

Evaluation optional(const ElementOp& op, std::optional<uint64_t> bits, Evaluation otherwise,
                    uint64_t* out) {
  return bits ? wrapped(op, *bits, out) : otherwise;
}

// -- Integers -------------------------------------------------------------------------------------

/// Poison when a flag promises that there is no overflow and there is.
Evaluation flagged(const ElementOp& op, Wide asSigned, bool wrapsUnsigned, uint64_t* out) {
  bool wrapsSigned = asSigned != signExtend(static_cast<uint64_t>(asSigned), op.outWidth);
  if ((op.flags & kNoSignedWrap) && wrapsSigned) return Evaluation::Poison;
  if ((op.flags & kNoUnsignedWrap) && wrapsUnsigned) return Evaluation::Poison;
  return wrapped(op, static_cast<uint64_t>(asSigned), out);
}

Wide asSigned(const ElementOp& op, uint64_t bits) { return signExtend(bits, op.inWidth); }

Evaluation addi(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  if (!op.flags) return wrapped(op, in[0] + in[1], out);
  bool carry = (UWide(in[0]) + in[1]) >> op.inWidth;
  return flagged(op, asSigned(op, in[0]) + asSigned(op, in[1]), carry, out);
}

Evaluation subi(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  if (!op.flags) return wrapped(op, in[0] - in[1], out);
  return flagged(op, asSigned(op, in[0]) - asSigned(op, in[1]), in[0] < in[1], out);
}

Evaluation muli(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  if (!op.flags) return wrapped(op, in[0] * in[1], out);
  bool carry = (UWide(in[0]) * in[1]) >> op.inWidth;
  return flagged(op, asSigned(op, in[0]) * asSigned(op, in[1]), carry, out);
}

Evaluation shli(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  if (in[1] >= op.inWidth) return Evaluation::Poison;
  if (!op.flags) return wrapped(op, in[0] << in[1], out);
  bool cut = (UWide(in[0]) << in[1]) >> op.inWidth;
  return flagged(op, asSigned(op, in[0]) * (Wide(1) << in[1]), cut, out);
}

template <auto Function> Evaluation plain(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  return wrapped(op, Function(in[0], in[1]), out);
}

template <auto Function>
Evaluation divideSigned(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  if (!divides(in[0], in[1], op.inWidth)) return Evaluation::Undefined;
  int64_t result = Function(signExtend(in[0], op.inWidth), signExtend(in[1], op.inWidth));
  return wrapped(op, static_cast<uint64_t>(result), out);
}

template <auto Function>
Evaluation divideUnsigned(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  return in[1] ? wrapped(op, Function(in[0], in[1]), out) : Evaluation::Undefined;
}

Evaluation shrsi(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  if (in[1] >= op.inWidth) return Evaluation::Poison;
  return wrapped(op, static_cast<uint64_t>(signExtend(in[0], op.inWidth) >> in[1]), out);
}

Evaluation shrui(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  return in[1] < op.inWidth ? value(in[0] >> in[1], out) : Evaluation::Poison;
}

template <CmpIPredicate wins>
Evaluation pickInt(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  return value(evaluate(wins, in[0], in[1], op.inWidth) ? in[0] : in[1], out);
}

Evaluation cmpi(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  auto predicate = static_cast<CmpIPredicate>(op.predicate);
  return value(evaluate(predicate, in[0], in[1], op.inWidth), out);
}

Evaluation addExtended(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  out[0] = (in[0] + in[1]) & maskOf(op.inWidth);
  out[1] = out[0] < in[0];
  return Evaluation::Value;
}

template <bool isSigned>
Evaluation mulExtended(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  out[0] = (in[0] * in[1]) & maskOf(op.inWidth);
  out[1] = highHalf(in[0], in[1], op.inWidth, isSigned) & maskOf(op.inWidth);
  return Evaluation::Value;
}

Evaluation select(const ElementOp&, const uint64_t* in, uint64_t* out) {
  return value(in[0] ? in[1] : in[2], out);
}

// -- Floats ---------------------------------------------------------------------------------------

template <FloatFn2 Function>
Evaluation numbers(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  double a = decodeFloat(op.inFloat, in[0]), b = decodeFloat(op.inFloat, in[1]);
  return value(encodeFloat(op.outFloat, Function(a, b)), out);
}

Evaluation negf(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  return value(in[0] ^ signBit(op.inWidth), out);
}

Evaluation cmpf(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  auto predicate = static_cast<CmpFPredicate>(op.predicate);
  return value(evaluate(predicate, decodeFloat(op.inFloat, in[0]), decodeFloat(op.inFloat, in[1])),
               out);
}

/// math.fma with kBf16Pieces.
Evaluation multiplyPieces(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  return value(bf16PiecesSum(static_cast<uint32_t>(in[0]), static_cast<uint32_t>(in[1]),
                             static_cast<uint32_t>(in[2]), op.pieces),
               out);
}

double add(double a, double b) { return a + b; }
double subtract(double a, double b) { return a - b; }
double multiply(double a, double b) { return a * b; }
double divide(double a, double b) { return a / b; }
double remainder(double a, double b) { return std::fmod(a, b); }

// -- Conversions ----------------------------------------------------------------------------------

Evaluation extendSigned(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  return wrapped(op, static_cast<uint64_t>(signExtend(in[0], op.inWidth)), out);
}
Evaluation resize(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  return wrapped(op, in[0], out);
}
Evaluation sameBits(const ElementOp&, const uint64_t* in, uint64_t* out) {
  return value(in[0], out);
}
Evaluation convertFloat(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  return value(encodeFloat(op.outFloat, decodeFloat(op.inFloat, in[0])), out);
}

template <bool isSigned>
Evaluation intToFloat(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  int64_t number = isSigned ? signExtend(in[0], op.inWidth) : 0;
  bool negative = number < 0;
  uint64_t magnitude = isSigned ? static_cast<uint64_t>(number) : in[0];
  if (negative) magnitude = 0 - magnitude;
  double rounded = intAsDouble(magnitude, negative, op.outFloat == FloatKind::F64);
  return value(encodeFloat(op.outFloat, rounded), out);
}

template <bool isSigned>
Evaluation floatToInteger(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  double number = decodeFloat(op.inFloat, in[0]);
  return optional(op, floatToInt(number, op.outWidth, isSigned), Evaluation::Poison, out);
}

int64_t quotient(int64_t a, int64_t b) { return a / b; }
uint64_t quotientUnsigned(uint64_t a, uint64_t b) { return a / b; }
uint64_t remainderUnsigned(uint64_t a, uint64_t b) { return a % b; }
uint64_t bitAnd(uint64_t a, uint64_t b) { return a & b; }
uint64_t bitOr(uint64_t a, uint64_t b) { return a | b; }
uint64_t bitXor(uint64_t a, uint64_t b) { return a ^ b; }

/// The one pair whose quotient overflows has the remainder 0.
Evaluation remsi(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  if (in[1] == 0) return Evaluation::Undefined;
  if (!divides(in[0], in[1], op.inWidth)) return value(0, out);
  int64_t rest = signExtend(in[0], op.inWidth) % signExtend(in[1], op.inWidth);
  return wrapped(op, static_cast<uint64_t>(rest), out);
}

const EvaluationTable& table() {
  static const EvaluationTable entries = {
      {"arith.addi", addi},
      {"arith.subi", subi},
      {"arith.muli", muli},
      {"arith.shli", shli},
      {"arith.divsi", divideSigned<quotient>},
      {"arith.ceildivsi", divideSigned<ceilDiv>},
      {"arith.floordivsi", divideSigned<floorDiv>},
      {"arith.remsi", remsi},
      {"arith.divui", divideUnsigned<quotientUnsigned>},
      {"arith.ceildivui", divideUnsigned<ceilDivUnsigned>},
      {"arith.remui", divideUnsigned<remainderUnsigned>},
      {"arith.andi", plain<bitAnd>},
      {"arith.ori", plain<bitOr>},
      {"arith.xori", plain<bitXor>},
      {"arith.shrsi", shrsi},
      {"arith.shrui", shrui},
      {"arith.maxsi", pickInt<CmpIPredicate::sge>},
      {"arith.minsi", pickInt<CmpIPredicate::sle>},
      {"arith.maxui", pickInt<CmpIPredicate::uge>},
      {"arith.minui", pickInt<CmpIPredicate::ule>},
      {"arith.cmpi", cmpi},
      {"arith.cmpf", cmpf},
      {"arith.select", select},
      {"arith.addui_extended", addExtended},
      {"arith.mulsi_extended", mulExtended<true>},
      {"arith.mului_extended", mulExtended<false>},
      {"arith.addf", numbers<add>},
      {"arith.subf", numbers<subtract>},
      {"arith.mulf", numbers<multiply>},
      {"arith.divf", numbers<divide>},
      {"arith.remf", numbers<remainder>},
      {"arith.negf", negf},
      {"arith.maximumf", numbers<pickOrNaN<larger>>},
      {"arith.minimumf", numbers<pickOrNaN<smaller>>},
      {"arith.maxnumf", numbers<pickNumber<larger>>},
      {"arith.minnumf", numbers<pickNumber<smaller>>},
      {"arith.extsi", extendSigned},
      {"arith.extui", resize},
      {"arith.trunci", resize},
      {"arith.index_cast", extendSigned},
      {"arith.index_castui", resize},
      {"arith.bitcast", sameBits},
      {"arith.extf", convertFloat},
      {"arith.truncf", convertFloat},
      {"arith.sitofp", intToFloat<true>},
      {"arith.uitofp", intToFloat<false>},
      {"arith.fptosi", floatToInteger<true>},
      {"arith.fptoui", floatToInteger<false>},
  };
  return entries;
}

/// A rounding mode other than to nearest even is not known.
bool isRoundedOtherwise(Operation& op) {
  Attribute mode = op.attr("roundingmode");
  auto number = mode ? mode.dynCast<IntegerAttr>() : IntegerAttr();
  return mode && !(number && number.value() == 0);
}

}  // namespace
}  // namespace arith

namespace {

bool describe(Type type, unsigned& width, FloatKind& kind) {
  Type element = elementTypeOrSelf(type);
  if (!element.isIntOrIndexOrFloat() || element.bitWidth() > 64) return false;
  width = element.bitWidth();
  if (element.isFloat()) kind = element.cast<FloatType>().floatKind();
  return true;
}

}  // namespace

std::optional<ElementOp> namedElementOp(std::string_view name, Type operand, Type result) {
  const EvaluationTable& entries = name.starts_with("math.") ? math::evaluations() : arith::table();
  auto found = entries.find(name);
  ElementOp element;
  if (found == entries.end() || !describe(operand, element.inWidth, element.inFloat) ||
      !describe(result, element.outWidth, element.outFloat))
    return std::nullopt;
  element.compute = found->second.compute;
  element.detail = found->second.detail;
  return element;
}

std::optional<Bf16PieceCounts> bf16PiecesOf(const Operation& op) {
  auto counts = op.attrOf<DenseArrayAttr>(kBf16Pieces);
  if (!counts || counts.size() < 2 || counts.size() > 3) return std::nullopt;
  Bf16PieceCounts found{static_cast<unsigned>(counts.values()[0]),
                        static_cast<unsigned>(counts.values()[1])};
  if (counts.size() == 3) found.products = static_cast<unsigned>(counts.values()[2]);
  return found;
}

std::optional<ElementOp> elementOp(Operation& op) {
  if (op.numOperands() == 0 || op.numResults() == 0 || arith::isRoundedOtherwise(op))
    return std::nullopt;
  std::optional<ElementOp> element =
      namedElementOp(op.name(), op.operand(0).type(), op.result(0).type());
  if (!element) return std::nullopt;
  if (auto pieces = bf16PiecesOf(op)) {
    element->pieces = *pieces;
    element->compute = arith::multiplyPieces;
  }
  if (op.hasAttr(kBf16Result)) math::roundToBf16(*element);
  if (op.hasAttr("overflowFlags")) element->flags = arith::overflowOf(op);
  if (auto predicate = op.attrOf<IntegerAttr>("predicate"))
    element->predicate = static_cast<uint32_t>(predicate.value());
  return element;
}

std::vector<std::string_view> elementOpNames() {
  std::vector<std::string_view> names;
  for (const EvaluationTable* table : {&arith::table(), &math::evaluations()})
    for (const auto& [name, entry] : *table)
      names.push_back(name);
  return names;
}

}  // namespace airlite
