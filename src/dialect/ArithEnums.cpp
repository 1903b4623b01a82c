// Predicates and flags of arith: their names, their attributes and what they mean.
#include "ArithSyntax.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/support/Text.hpp"
#include "airlite/text/Format.hpp"

#include <array>
#include <cmath>

namespace airlite::arith {

namespace {

constexpr std::array<std::string_view, 10> kCmpINames = {"eq",  "ne",  "slt", "sle", "sgt",
                                                         "sge", "ult", "ule", "ugt", "uge"};
constexpr std::array<std::string_view, 16> kCmpFNames = {"false", "oeq", "ogt", "oge", "olt", "ole",
                                                         "one",   "ord", "ueq", "ugt", "uge", "ult",
                                                         "ule",   "une", "uno", "true"};
constexpr std::array<std::string_view, 5> kRoundingNames = {"to_nearest_even", "downward", "upward",
                                                            "toward_zero", "to_nearest_away"};

/// Keyword attributes that are stored as the position of the keyword.
template <const auto& Names, unsigned Width>
Attribute fromName(Context& context, std::string_view name) {
  for (size_t i = 0; i < Names.size(); ++i)
    if (Names[i] == name)
      return IntegerAttr::get(IntegerType::get(context, Width), static_cast<int64_t>(i));
  return {};
}

template <const auto& Names> std::string_view toName(Attribute attribute) {
  return Names[static_cast<size_t>(attribute.cast<IntegerAttr>().value())];
}

template <const auto& Names, unsigned Width> bool isPosition(Attribute attribute) {
  auto integer = attribute.dynCast<IntegerAttr>();
  return integer && integer.type().isSignlessInteger(Width) && integer.value() >= 0 &&
         integer.value() < static_cast<int64_t>(Names.size());
}

}  // namespace

const AttrConstraint kCmpIPredicate = {
    "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9",
    isPosition<kCmpINames, 64>,
    AttrSyntax::Keyword,
    nullptr,
    kCmpINames,
    fromName<kCmpINames, 64>,
    toName<kCmpINames>};
const AttrConstraint kCmpFPredicate = {
    "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
    isPosition<kCmpFNames, 64>,
    AttrSyntax::Keyword,
    nullptr,
    kCmpFNames,
    fromName<kCmpFNames, 64>,
    toName<kCmpFNames>};
const AttrConstraint kRoundingMode = {"allowed 32-bit signless integer cases: 0, 1, 2, 3, 4",
                                      isPosition<kRoundingNames, 32>,
                                      AttrSyntax::Keyword,
                                      nullptr,
                                      kRoundingNames,
                                      fromName<kRoundingNames, 32>,
                                      toName<kRoundingNames>};

std::string_view predicateName(CmpIPredicate predicate) {
  return kCmpINames[static_cast<size_t>(predicate)];
}
std::string_view predicateName(CmpFPredicate predicate) {
  return kCmpFNames[static_cast<size_t>(predicate)];
}

CmpIPredicate swapped(CmpIPredicate predicate) {
  using enum CmpIPredicate;
  constexpr CmpIPredicate kSwapped[] = {eq, ne, sgt, sge, slt, sle, ugt, uge, ult, ule};
  return kSwapped[static_cast<size_t>(predicate)];
}

CmpIPredicate inverted(CmpIPredicate predicate) {
  using enum CmpIPredicate;
  constexpr CmpIPredicate kInverted[] = {ne, eq, sge, sgt, sle, slt, uge, ugt, ule, ult};
  return kInverted[static_cast<size_t>(predicate)];
}

namespace {

template <class Int> bool compareOrdered(unsigned relation, Int a, Int b) {
  switch (relation) {
    case 0: return a < b;
    case 1: return a <= b;
    case 2: return a > b;
    default: return a >= b;
  }
}

}  // namespace

bool evaluate(CmpIPredicate predicate, uint64_t lhs, uint64_t rhs, unsigned width) {
  unsigned shift = 64 - width;
  lhs <<= shift;
  rhs <<= shift;
  if (predicate == CmpIPredicate::eq) return lhs == rhs;
  if (predicate == CmpIPredicate::ne) return lhs != rhs;
  unsigned relation = static_cast<unsigned>(predicate) - static_cast<unsigned>(CmpIPredicate::slt);
  if (predicate >= CmpIPredicate::ult) return compareOrdered(relation - 4, lhs, rhs);
  return compareOrdered(relation, static_cast<int64_t>(lhs), static_cast<int64_t>(rhs));
}

bool evaluate(CmpFPredicate predicate, double a, double b) {
  using enum CmpFPredicate;
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
    case AlwaysFalse: return false;
    case OEQ: return a == b;
    case OGT: return a > b;
    case OGE: return a >= b;
    case OLT: return a < b;
    case OLE: return a <= b;
    case ONE: return !unordered && a != b;
    case ORD: return !unordered;
    case UEQ: return unordered || a == b;
    case UGT: return unordered || a > b;
    case UGE: return unordered || a >= b;
    case ULT: return unordered || a < b;
    case ULE: return unordered || a <= b;
    case UNE: return unordered || a != b;
    case UNO: return unordered;
    case AlwaysTrue: return true;
  }
  return false;
}

// -- Flag sets -----------------------------------------------------------------------------------

namespace {

/// A set of flags written `<a,b>`, stored as one keyword text so that equal sets are equal.
struct FlagSet {
  std::string_view attrName;   // full name, "arith.fastmath"
  std::string_view expected;   // for messages
  std::string_view separator;  // between printed flags
  std::span<const std::string_view> names;
  uint32_t all = 0;  // printed as `allName` when not 0
  std::string_view allName = {};

  std::string text(uint32_t flags) const {
    if (flags == 0) return "none";
    if (flags == all) return std::string(allName);
    std::string result;
    for (size_t i = 0; i < names.size(); ++i) {
      if (!(flags >> i & 1)) continue;
      if (!result.empty()) result += separator;
      result += names[i];
    }
    return result;
  }

  /// Empty when `word` is not a flag.
  std::optional<uint32_t> flag(std::string_view word) const {
    if (word == "none") return 0;
    if (all && word == allName) return all;
    for (size_t i = 0; i < names.size(); ++i)
      if (names[i] == word) return uint32_t(1) << i;
    return std::nullopt;
  }

  std::optional<uint32_t> flags(std::string_view text) const {
    uint32_t result = 0;
    for (std::string_view piece : split(text, ',')) {
      std::optional<uint32_t> one = flag(trim(piece));
      if (!one) return std::nullopt;
      result |= *one;
    }
    return result;
  }

  Attribute attr(Context& context, uint32_t flags) const {
    return DialectAttr::getKeyword(context, attrName, text(flags));
  }

  uint32_t of(Attribute attribute) const {
    auto set = attribute.dynCast<DialectAttr>();
    if (!set || set.name() != attrName) return 0;
    return flags(set.keyword()).value_or(0);
  }

  LogicalResult parse(AttrParser& parser, uint32_t& flags) const {
    return parser.parseList(Delimiter::Angle, [&]() -> LogicalResult {
      Location where = parser.location();
      std::string word;
      if (failed(parser.parseAnyKeyword(word))) return failure();
      std::optional<uint32_t> one = flag(word);
      if (!one)
        return parser.emitError(where)
               << "expected " << expected << ", found '" << word << "'" << didYouMean(word, names);
      flags |= *one;
      return success();
    });
  }
};

constexpr std::string_view kFastMathNames[] = {"reassoc", "nnan",     "ninf", "nsz",
                                               "arcp",    "contract", "afn"};
constexpr std::string_view kOverflowNames[] = {"nsw", "nuw"};
constexpr FlagSet kFastMath = {
    "arith.fastmath",
    "fast-math flags to be one of: none, reassoc, nnan, ninf, nsz, arcp, contract, afn, fast",
    ",",
    kFastMathNames,
    kFast,
    "fast"};
constexpr FlagSet kOverflow = {
    "arith.overflow", "integer overflow flags to be one of: none, nsw, nuw", ", ", kOverflowNames};

template <const FlagSet& Set> bool isSet(Attribute attribute) {
  auto set = attribute.dynCast<DialectAttr>();
  return set && set.name() == Set.attrName;
}

template <const FlagSet& Set>
LogicalResult parseParameters(AttrParser& parser, std::vector<Attribute>& parameters) {
  uint32_t flags = 0;
  if (failed(Set.parse(parser, flags))) return failure();
  parameters.push_back(StringAttr::get(parser.context(), Set.text(flags)));
  return success();
}

void printParameters(AttrPrinter& printer, DialectAttr attribute) {
  printer << "<" << attribute.keyword() << ">";
}

/// `<...>` in a format; nothing is stored for no flags, which is what an absent attribute means.
template <const FlagSet& Set>
LogicalResult parseFlags(OpParser& parser, FormatValues& values,
                         std::span<const std::string_view> arguments) {
  uint32_t flags = 0;
  if (failed(Set.parse(parser, flags))) return failure();
  Context& context = parser.context();
  if (flags)
    values.attributes().set(Identifier::get(context, arguments[0]), Set.attr(context, flags));
  return success();
}

void printFlags(OpPrinter& printer, Operation& op, std::span<const std::string_view> arguments) {
  printer << "<" << op.attrOf<DialectAttr>(arguments[0]).keyword() << ">";
}

}  // namespace

const AttrConstraint kFastMathFlags = {"Floating point fast math flags", isSet<kFastMath>};
const AttrConstraint kOverflowFlags = {"Integer overflow arith flags", isSet<kOverflow>};

uint32_t fastMathOf(const Operation& op) { return kFastMath.of(op.attr("fastmath")); }
Attribute fastMathAttr(Context& context, uint32_t flags) { return kFastMath.attr(context, flags); }
uint32_t overflowOf(const Operation& op) { return kOverflow.of(op.attr("overflowFlags")); }
Attribute overflowAttr(Context& context, uint32_t flags) { return kOverflow.attr(context, flags); }

void registerFlagAttributes(Dialect& dialect) {
  dialect.attr({"arith.fastmath",
                "Set of fast-math flags of a float op.",
                {},
                parseParameters<kFastMath>,
                printParameters});
  dialect.attr({"arith.overflow",
                "What an integer op promises not to do: nsw, nuw.",
                {},
                parseParameters<kOverflow>,
                printParameters});
  registerCustomDirective({"FastMath", parseFlags<kFastMath>, printFlags});
  registerCustomDirective({"Overflow", parseFlags<kOverflow>, printFlags});
}

}  // namespace airlite::arith
