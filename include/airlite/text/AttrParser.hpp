// Reading punctuation, keywords, types and attributes: what dialect types and attributes need, and
// the lower half of what op syntax needs (see OpParser).
//
//   Type element;  // of `<i32>`
//   if (failed(parser.parse("<")) || failed(parser.parseType(element))) return failure();
//   return parser.parse(">");
#pragma once

#include "airlite/ir/Context.hpp"
#include "airlite/support/FunctionRef.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace airlite {

namespace text {
class ParserState;
}

/// How a list is enclosed. The Optional forms also accept that the whole list is absent.
enum class Delimiter {
  None,
  Paren,
  Square,
  Angle,
  Braces,
  OptionalParen,
  OptionalSquare,
  OptionalAngle,
  OptionalBraces
};

/// All `parse...` functions report what they expected and fail; all `parseOptional...` functions
/// return false (or an empty optional) without consuming anything when the thing is not there.
class AttrParser {
 public:
  explicit AttrParser(text::ParserState& state) : state_(state) {}

  Context& context() const;
  /// Place of the next token.
  Location location() const;
  InFlightDiagnostic emitError() const;
  InFlightDiagnostic emitError(Location location) const;

  // Punctuation: "(", ")", "[", "]", "{", "}", "<", ">", ",", ":", "=", "->", "*", "?", "::",
  // "+", "-", "|", "/", "...".
  LogicalResult parse(std::string_view punctuation);
  bool parseOptional(std::string_view punctuation);
  /// True when the next token is this punctuation; consumes nothing.
  bool nextIs(std::string_view punctuation) const;

  /// A keyword: a bare identifier (dots allowed).
  LogicalResult parseKeyword(std::string_view keyword);
  LogicalResult parseAnyKeyword(std::string& keyword);
  bool parseOptionalKeyword(std::string_view keyword);
  bool parseOptionalAnyKeyword(std::string& keyword);
  bool nextIsKeyword(std::string_view keyword) const;
  LogicalResult parseKeywordOrString(std::string& text);

  LogicalResult parseString(std::string& text);
  bool parseOptionalString(std::string& text);
  /// `@name` or `@"na me"`.
  LogicalResult parseSymbolName(std::string& name);
  bool nextIsSymbolName() const;
  bool parseOptionalSymbolName(std::string& name);
  /// Decimal or hexadecimal, with an optional minus.
  LogicalResult parseInteger(int64_t& value);
  /// Empty: no integer. A failure inside (overflow) is reported and gives failure.
  bool parseOptionalInteger(int64_t& value, LogicalResult& status);
  LogicalResult parseFloat(double& value);
  /// `4x?x8x` (with the last x) before an element type.
  LogicalResult parseDimensionList(std::vector<int64_t>& dims, bool allowDynamic = true,
                                   bool trailingX = true);

  /// `item` once per element, separated by commas.
  LogicalResult parseList(Delimiter delimiter, FunctionRef<LogicalResult()> item);

  LogicalResult parseType(Type& type);
  bool parseOptionalType(Type& type, LogicalResult& status);
  LogicalResult parseColonType(Type& type);
  /// `t1, t2, ...`, at least one.
  LogicalResult parseTypeList(std::vector<Type>& types);
  /// `: t1, t2, ...`
  LogicalResult parseColonTypeList(std::vector<Type>& types);
  bool parseOptionalColonTypeList(std::vector<Type>& types, LogicalResult& status);
  /// `-> t` or `-> (t1, t2)`; absent: nothing.
  LogicalResult parseOptionalArrowTypeList(std::vector<Type>& types);
  /// `t` or `(t1, t2)`.
  LogicalResult parseTypeListMaybeParens(std::vector<Type>& types);
  LogicalResult parseFunctionType(FunctionType& type);

  /// `type`: the type of a number that is written without one.
  LogicalResult parseAttribute(Attribute& attribute, Type type = Type());
  /// Does the next token start an attribute other than a type? A `loc` does not: it may be that of
  /// the op.
  bool nextIsAttribute() const;
  bool parseOptionalAttribute(Attribute& attribute, LogicalResult& status, Type type = Type());
  /// `{a = 1, b}`.
  LogicalResult parseAttrDict(NamedAttrList& attributes);
  LogicalResult parseOptionalAttrDict(NamedAttrList& attributes);
  /// `attributes {...}`.
  LogicalResult parseOptionalAttrDictWithKeyword(NamedAttrList& attributes);
  LogicalResult parseAffineMap(AffineMap& map);
  LogicalResult parseIntegerSet(IntegerSet& set);
  /// An affine expression over dims and symbols that are already named.
  LogicalResult parseAffineExpr(std::span<const std::pair<std::string_view, AffineExpr>> names,
                                AffineExpr& expr);
  /// Skips a balanced `<...>` and returns its inside.
  LogicalResult parseBalancedAngles(std::string_view& inside);
  /// `loc(...)` at the end of an op; absent: nothing.
  LogicalResult parseOptionalLocation(Location& location);

 protected:
  text::ParserState& state_;
};

}  // namespace airlite
