// The arith dialect on scalars, written from its definition and without looking at the folders that
// it is there to check: __int128 for integers, the machine's floats for f32 and f64.
#include "ReferenceArith.hpp"

#include "airlite/dialect/Arith.hpp"

#include <bit>
#include <cmath>
#include <functional>
#include <unordered_map>

namespace airlite::reference {

unsigned widthOf(Type type) { return type.bitWidth(); }

uint64_t truncated(uint64_t bits, unsigned width) {
  return width >= 64 ? bits : bits & ((uint64_t(1) << width) - 1);
}

int64_t signExtend(uint64_t bits, unsigned width) {
  if (width >= 64) return static_cast<int64_t>(bits);
  return static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
}

namespace {

using Wide = __int128;

struct Ints {
  Operation& op;
  unsigned width;
  uint64_t ua, ub;
  int64_t sa, sb;

  Scalar wrap(Wide value) const { return {truncated(static_cast<uint64_t>(value), width), false}; }
  Wide smallest() const { return -(Wide(1) << (width - 1)); }
  Wide largest() const { return (Wide(1) << (width - 1)) - 1; }
  Wide largestUnsigned() const { return (Wide(1) << width) - 1; }
  /// Poison when a flag promises that there is no overflow and there is.
  Scalar checked(Wide asSigned, Wide asUnsigned) const {
    uint32_t flags = arith::overflowOf(op);
    bool wrapsSigned = asSigned < smallest() || asSigned > largest();
    bool wrapsUnsigned = asUnsigned < 0 || asUnsigned > largestUnsigned();
    bool poison = ((flags & arith::kNoSignedWrap) && wrapsSigned) ||
                  ((flags & arith::kNoUnsignedWrap) && wrapsUnsigned);
    return poison ? Scalar{0, true} : wrap(asSigned);
  }
  void checkDivision(bool isSigned) const {
    if (ub == 0) throw Undefined("division by zero", op);
    if (isSigned && sa == static_cast<int64_t>(smallest()) && sb == -1)
      throw Undefined("division that overflows", op);
  }
};

Wide floorDiv(Wide a, Wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }
Wide ceilDiv(Wide a, Wide b) { return a / b + (a % b != 0 && (a < 0) == (b < 0) ? 1 : 0); }

Scalar shiftLeft(const Ints& v) {
  if (v.ub >= v.width) return {0, true};
  return v.checked(Wide(v.sa) * (Wide(1) << v.ub),
                   v.ub ? Wide(v.ua) * (Wide(1) << v.ub) : Wide(v.ua));
}

using IntOp = std::function<Scalar(const Ints&)>;

const std::unordered_map<std::string_view, IntOp>& integerOps() {
  auto divide = [](bool isSigned, Wide (*divided)(Wide, Wide)) -> IntOp {
    return [=](const Ints& v) {
      v.checkDivision(isSigned);
      return v.wrap(isSigned ? divided(v.sa, v.sb) : divided(v.ua, v.ub));
    };
  };
  auto quotient = [](Wide a, Wide b) { return a / b; };
  auto remainder = [](Wide a, Wide b) { return a % b; };
  static const std::unordered_map<std::string_view, IntOp> table = {
      {"addi", [](const Ints& v) { return v.checked(Wide(v.sa) + v.sb, Wide(v.ua) + v.ub); }},
      {"subi", [](const Ints& v) { return v.checked(Wide(v.sa) - v.sb, Wide(v.ua) - Wide(v.ub)); }},
      {"muli",
       [](const Ints& v) {
         // The unsigned product of 64 bits does not fit a signed 128: only its overflow counts.
         unsigned __int128 product = static_cast<unsigned __int128>(v.ua) * v.ub;
         Wide asUnsigned = (product >> v.width) != 0 ? Wide(-1) : static_cast<Wide>(product);
         return v.checked(Wide(v.sa) * v.sb, asUnsigned);
       }},
      {"divsi", divide(true, quotient)},
      {"divui", divide(false, quotient)},
      {"remsi", divide(true, remainder)},
      {"remui", divide(false, remainder)},
      {"ceildivsi", divide(true, ceilDiv)},
      {"ceildivui", divide(false, ceilDiv)},
      {"floordivsi", divide(true, floorDiv)},
      {"andi", [](const Ints& v) { return v.wrap(Wide(v.ua & v.ub)); }},
      {"ori", [](const Ints& v) { return v.wrap(Wide(v.ua | v.ub)); }},
      {"xori", [](const Ints& v) { return v.wrap(Wide(v.ua ^ v.ub)); }},
      {"shli", shiftLeft},
      {"shrsi",
       [](const Ints& v) {
         return v.ub < v.width ? v.wrap(v.sa >> v.ub) : Scalar{0, true};
       }},
      {"shrui",
       [](const Ints& v) {
         return v.ub < v.width ? v.wrap(Wide(v.ua >> v.ub)) : Scalar{0, true};
       }},
      {"maxsi", [](const Ints& v) { return v.wrap(std::max(v.sa, v.sb)); }},
      {"minsi", [](const Ints& v) { return v.wrap(std::min(v.sa, v.sb)); }},
      {"maxui", [](const Ints& v) { return v.wrap(Wide(std::max(v.ua, v.ub))); }},
      {"minui", [](const Ints& v) { return v.wrap(Wide(std::min(v.ua, v.ub))); }},
  };
  return table;
}

bool compare(arith::CmpIPredicate predicate, const Ints& v) {
  using enum arith::CmpIPredicate;
  switch (predicate) {
    case eq: return v.ua == v.ub;
    case ne: return v.ua != v.ub;
    case slt: return v.sa < v.sb;
    case sle: return v.sa <= v.sb;
    case sgt: return v.sa > v.sb;
    case sge: return v.sa >= v.sb;
    case ult: return v.ua < v.ub;
    case ule: return v.ua <= v.ub;
    case ugt: return v.ua > v.ub;
    default: return v.ua >= v.ub;
  }
}

/// Low result, then the high half or the carry.
std::vector<Scalar> extended(std::string_view name, const Ints& v) {
  if (name == "addui_extended") {
    Wide sum = Wide(v.ua) + v.ub;
    return {v.wrap(sum), {static_cast<uint64_t>(sum > v.largestUnsigned()), false}};
  }
  if (name == "mulsi_extended") {
    Wide product = Wide(v.sa) * v.sb;
    return {v.wrap(product), v.wrap(product >> v.width)};
  }
  unsigned __int128 product = static_cast<unsigned __int128>(v.ua) * v.ub;
  return {v.wrap(static_cast<Wide>(product)), v.wrap(static_cast<Wide>(product >> v.width))};
}

// -- Floats ---------------------------------------------------------------------------------------

double toDouble(uint64_t bits, unsigned width) {
  if (width == 64) return std::bit_cast<double>(bits);
  return std::bit_cast<float>(static_cast<uint32_t>(bits));
}

uint64_t toBits(double value, unsigned width) {
  if (width == 64) return std::bit_cast<uint64_t>(value);
  return std::bit_cast<uint32_t>(static_cast<float>(value));
}

/// The greater of two, -0.0 below 0.0; a NaN wins or loses.
double extreme(double a, double b, bool greater, bool nanWins) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) == nanWins ? a : b;
  if (a == b) return std::signbit(a) == greater ? b : a;
  return (a > b) == greater ? a : b;
}

template <class T> double arithmetic(std::string_view name, T a, T b) {
  if (name == "addf") return a + b;
  if (name == "subf") return a - b;
  if (name == "mulf") return a * b;
  if (name == "divf") return a / b;
  return std::fmod(a, b);
}

bool compareFloats(unsigned predicate, double a, double b) {
  // The ordered half of the predicates is the unordered one without the last bit.
  bool unordered = std::isnan(a) || std::isnan(b);
  if (predicate == 0 || predicate == 15) return predicate == 15;
  if (predicate == 7) return !unordered;
  if (predicate == 14) return unordered;
  if (unordered) return predicate >= 8;
  constexpr auto kOrder = [](unsigned p, double x, double y) {
    switch (p) {
      case 1: return x == y;
      case 2: return x > y;
      case 3: return x >= y;
      case 4: return x < y;
      case 5: return x <= y;
      default: return x != y;
    }
  };
  return kOrder(predicate >= 8 ? predicate - 7 : predicate, a, b);
}

std::optional<Scalar> floatOp(std::string_view name, Operation& op, std::span<const Scalar> v) {
  unsigned width = widthOf(op.operand(0).type());
  double a = toDouble(v[0].bits, width), b = v.size() > 1 ? toDouble(v[1].bits, width) : 0;
  auto result = [&](double value) { return Scalar{toBits(value, width), false}; };
  if (name == "negf") return Scalar{v[0].bits ^ (uint64_t(1) << (width - 1)), false};
  if (name == "cmpf") {
    auto predicate = static_cast<unsigned>(arith::CmpFOp(&op).predicate());
    return Scalar{compareFloats(predicate, a, b), false};
  }
  if (name == "maximumf") return result(extreme(a, b, true, true));
  if (name == "minimumf") return result(extreme(a, b, false, true));
  if (name == "maxnumf") return result(extreme(a, b, true, false));
  if (name == "minnumf") return result(extreme(a, b, false, false));
  for (std::string_view known : {"addf", "subf", "mulf", "divf", "remf"})
    if (name == known)
      return result(width == 64
                        ? arithmetic<double>(name, a, b)
                        : arithmetic<float>(name, static_cast<float>(a), static_cast<float>(b)));
  return {};
}

// -- Conversions ----------------------------------------------------------------------------------

Scalar floatToInt(double value, unsigned width, bool isSigned) {
  double whole = std::trunc(value);
  double below = isSigned ? -std::ldexp(1.0, static_cast<int>(width) - 1) : 0;
  double above = std::ldexp(1.0, static_cast<int>(isSigned ? width - 1 : width));
  if (!(whole >= below && whole < above)) return {0, true};
  uint64_t bits =
      isSigned ? static_cast<uint64_t>(static_cast<int64_t>(whole)) : static_cast<uint64_t>(whole);
  return {truncated(bits, width), false};
}

Scalar intToFloat(uint64_t bits, unsigned from, unsigned to, bool isSigned) {
  int64_t asSigned = signExtend(bits, from);
  if (to == 64) {
    double value = isSigned ? static_cast<double>(asSigned) : static_cast<double>(bits);
    return {std::bit_cast<uint64_t>(value), false};
  }
  float value = isSigned ? static_cast<float>(asSigned) : static_cast<float>(bits);
  return {std::bit_cast<uint32_t>(value), false};
}

std::optional<Scalar> convert(std::string_view name, Operation& op, uint64_t bits) {
  unsigned from = widthOf(op.operand(0).type()), to = widthOf(op.result().type());
  auto asSigned = static_cast<uint64_t>(signExtend(bits, from));
  if (name == "extsi" || name == "index_cast") return Scalar{truncated(asSigned, to), false};
  if (name == "extui" || name == "index_castui" || name == "trunci")
    return Scalar{truncated(bits, to), false};
  if (name == "bitcast") return Scalar{bits, false};
  if (name == "extf" || name == "truncf") return Scalar{toBits(toDouble(bits, from), to), false};
  if (name == "sitofp" || name == "uitofp") return intToFloat(bits, from, to, name == "sitofp");
  if (name == "fptosi" || name == "fptoui")
    return floatToInt(toDouble(bits, from), to, name == "fptosi");
  return {};
}

Scalar constant(Operation& op) {
  Attribute value = op.attr("value");
  if (auto integer = value.dynCast<IntegerAttr>()) return {integer.zext(), false};
  if (auto number = value.dynCast<FloatAttr>())
    return {toBits(number.value(), widthOf(op.result().type())), false};
  throw Unsupported(op);
}

}  // namespace

std::vector<Scalar> compute(Operation& op, std::span<const Scalar> operands) {
  if (op.is("ub.poison")) return {{0, true}};
  std::string_view name = op.name();
  if (!name.starts_with("arith.")) throw Unsupported(op);
  name.remove_prefix(6);
  if (name == "constant") return {constant(op)};
  // A divisor that is poison may be zero.
  bool divides = name.find("div") != name.npos || name.starts_with("rem");
  if (divides && name.back() == 'i' && operands[1].poison)
    throw Undefined("division by poison", op);
  for (const Scalar& operand : operands)
    if (operand.poison) return std::vector<Scalar>(op.numResults(), Scalar{0, true});
  if (std::optional<Scalar> converted = convert(name, op, operands[0].bits)) return {*converted};
  if (op.operand(0).type().isFloat()) {
    if (std::optional<Scalar> result = floatOp(name, op, operands)) return {*result};
    throw Unsupported(op);
  }
  if (operands.size() != 2) throw Unsupported(op);
  unsigned width = widthOf(op.operand(0).type());
  uint64_t a = operands[0].bits, b = operands[1].bits;
  Ints ints{op, width, a, b, signExtend(a, width), signExtend(b, width)};
  if (name == "cmpi") return {{compare(arith::CmpIOp(&op).predicate(), ints), false}};
  if (name.ends_with("_extended")) return extended(name, ints);
  auto found = integerOps().find(name);
  if (found == integerOps().end()) throw Unsupported(op);
  return {found->second(ints)};
}

}  // namespace airlite::reference
