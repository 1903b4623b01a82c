// Punctuation, keywords, literals and lists: the small change of the parser.
#include "airlite/text/AttrParser.hpp"

#include <charconv>

#include "Literals.hpp"
#include "ParserState.hpp"

namespace airlite {

using text::Token;
using text::TokenKind;

Context& AttrParser::context() const { return state_.context(); }
Location AttrParser::location() const { return state_.location(); }
InFlightDiagnostic AttrParser::emitError() const { return state_.error(); }
InFlightDiagnostic AttrParser::emitError(Location where) const { return state_.error(where); }

bool AttrParser::nextIs(std::string_view punctuation) const {
  return state_.token().isPunctuation(punctuation);
}

bool AttrParser::parseOptional(std::string_view punctuation) {
  if (!nextIs(punctuation)) return false;
  state_.advance();
  return true;
}

/// What stands at the next token, for "expected ..., found ..." messages.
static std::string found(const Token& token) {
  if (token.is(TokenKind::End)) return ", found end of input";
  return ", found '" + std::string(token.text.substr(0, 40)) + "'";
}

LogicalResult AttrParser::parse(std::string_view punctuation) {
  if (parseOptional(punctuation)) return success();
  return emitError() << "expected '" << punctuation << "'" << found(state_.token());
}

bool AttrParser::nextIsKeyword(std::string_view keyword) const {
  return state_.token().isWord(keyword);
}

bool AttrParser::parseOptionalKeyword(std::string_view keyword) {
  if (!nextIsKeyword(keyword)) return false;
  state_.advance();
  return true;
}

LogicalResult AttrParser::parseKeyword(std::string_view keyword) {
  if (parseOptionalKeyword(keyword)) return success();
  return emitError() << "expected '" << keyword << "'" << found(state_.token());
}

bool AttrParser::parseOptionalAnyKeyword(std::string& keyword) {
  if (!state_.token().is(TokenKind::Word)) return false;
  keyword = state_.token().text;
  state_.advance();
  return true;
}

LogicalResult AttrParser::parseAnyKeyword(std::string& keyword) {
  if (parseOptionalAnyKeyword(keyword)) return success();
  return emitError() << "expected a keyword" << found(state_.token());
}

LogicalResult AttrParser::parseKeywordOrString(std::string& text) {
  if (parseOptionalAnyKeyword(text) || parseOptionalString(text)) return success();
  return emitError() << "expected a keyword or a string" << found(state_.token());
}

bool AttrParser::parseOptionalString(std::string& text) {
  if (!state_.token().is(TokenKind::String)) return false;
  text = text::unescapeString(state_.token().text);
  state_.advance();
  return true;
}

LogicalResult AttrParser::parseString(std::string& text) {
  if (parseOptionalString(text)) return success();
  return emitError() << "expected a string" << found(state_.token());
}

bool AttrParser::parseOptionalSymbolName(std::string& name) {
  if (!state_.token().is(TokenKind::Symbol)) return false;
  std::string_view spelling = state_.token().text.substr(1);
  name = spelling[0] == '"' ? text::unescapeString(spelling) : std::string(spelling);
  state_.advance();
  return true;
}

LogicalResult AttrParser::parseSymbolName(std::string& name) {
  if (parseOptionalSymbolName(name)) return success();
  return emitError() << "expected a symbol name such as '@name'" << found(state_.token());
}

bool AttrParser::parseOptionalInteger(int64_t& value, LogicalResult& status) {
  bool negative = nextIs("-");
  if (!negative && !state_.token().is(TokenKind::Integer)) return false;
  Location start = location();
  if (negative) state_.advance();
  if (!state_.token().is(TokenKind::Integer)) {
    status = emitError() << "expected an integer" << found(state_.token());
    return true;
  }
  std::optional<uint64_t> magnitude = text::parseUnsigned(state_.token().text);
  state_.advance();
  if (!magnitude || (negative && *magnitude > (uint64_t(1) << 63)) ||
      (!negative && *magnitude > uint64_t(INT64_MAX)))
    status = emitError(start) << "integer value too large: 64 bits at most";
  else
    value = negative ? static_cast<int64_t>(0 - *magnitude) : static_cast<int64_t>(*magnitude);
  return true;
}

LogicalResult AttrParser::parseInteger(int64_t& value) {
  LogicalResult status = success();
  if (parseOptionalInteger(value, status)) return status;
  return emitError() << "expected an integer" << found(state_.token());
}

LogicalResult AttrParser::parseFloat(double& value) {
  bool negative = parseOptional("-");
  const Token& token = state_.token();
  if (!token.is(TokenKind::Float) && !token.is(TokenKind::Integer))
    return emitError() << "expected a floating point literal" << found(token);
  value = text::parseDouble(token.text);
  if (negative) value = -value;
  state_.advance();
  return success();
}

// Dimensions are read from the characters: "4x8xf32" is not made of sensible tokens.
LogicalResult AttrParser::parseDimensionList(std::vector<int64_t>& dims, bool allowDynamic,
                                             bool trailingX) {
  std::string_view source = state_.text();
  uint32_t at = state_.token().offset;
  uint32_t wanted = at;  // where reading goes on
  while (at < source.size()) {
    uint32_t end = at;
    while (end < source.size() && source[end] >= '0' && source[end] <= '9') ++end;
    bool dynamic = end == at && source[end] == '?';
    if (end == at && !dynamic) break;
    uint32_t after = dynamic ? end + 1 : end;
    bool isX = after < source.size() && source[after] == 'x';
    if (trailingX && !isX) break;
    Location where = state_.locationOf(at);
    if (dynamic && !allowDynamic) return emitError(where) << "expected static shape";
    std::optional<uint64_t> size = uint64_t(0);
    if (!dynamic) size = text::parseUnsigned(source.substr(at, end - at));
    if (!size || *size > uint64_t(INT64_MAX))
      return emitError(where) << "dimension is too large: 63 bits at most";
    dims.push_back(dynamic ? kDynamic : static_cast<int64_t>(*size));
    wanted = isX ? after + 1 : after;
    at = wanted;
    if (!isX) break;
  }
  if (wanted != state_.token().offset) state_.restartAt(wanted);
  return success();
}

namespace {
struct Brackets {
  std::string_view open, close;
  bool optional;
};
Brackets bracketsOf(Delimiter delimiter) {
  switch (delimiter) {
    case Delimiter::None: return {"", "", false};
    case Delimiter::Paren: return {"(", ")", false};
    case Delimiter::Square: return {"[", "]", false};
    case Delimiter::Angle: return {"<", ">", false};
    case Delimiter::Braces: return {"{", "}", false};
    case Delimiter::OptionalParen: return {"(", ")", true};
    case Delimiter::OptionalSquare: return {"[", "]", true};
    case Delimiter::OptionalAngle: return {"<", ">", true};
    case Delimiter::OptionalBraces: return {"{", "}", true};
  }
  return {"", "", false};
}
}  // namespace

LogicalResult AttrParser::parseList(Delimiter delimiter, FunctionRef<LogicalResult()> item) {
  Brackets brackets = bracketsOf(delimiter);
  if (!brackets.open.empty()) {
    if (brackets.optional && !nextIs(brackets.open)) return success();
    if (failed(parse(brackets.open))) return failure();
    if (parseOptional(brackets.close)) return success();
  }
  do {
    if (failed(item())) return failure();
  } while (parseOptional(","));
  return brackets.close.empty() ? success() : parse(brackets.close);
}

LogicalResult AttrParser::parseColonType(Type& type) {
  if (failed(parse(":"))) return failure();
  return parseType(type);
}

LogicalResult AttrParser::parseTypeList(std::vector<Type>& types) {
  return parseList(Delimiter::None, [&] { return parseType(types.emplace_back()); });
}

LogicalResult AttrParser::parseColonTypeList(std::vector<Type>& types) {
  if (failed(parse(":"))) return failure();
  return parseTypeList(types);
}

bool AttrParser::parseOptionalColonTypeList(std::vector<Type>& types, LogicalResult& status) {
  if (!parseOptional(":")) return false;
  status = parseTypeList(types);
  return true;
}

LogicalResult AttrParser::parseTypeListMaybeParens(std::vector<Type>& types) {
  if (!nextIs("(")) return parseType(types.emplace_back());
  // `(a, b) -> c` is a function type, not a list.
  uint32_t start = state_.token().offset;
  size_t before = types.size();
  LogicalResult list =
      parseList(Delimiter::Paren, [&] { return parseType(types.emplace_back()); });
  if (failed(list)) return failure();
  if (!nextIs("->")) return success();
  types.resize(before);
  state_.restartAt(start);
  return parseType(types.emplace_back());
}

LogicalResult AttrParser::parseOptionalArrowTypeList(std::vector<Type>& types) {
  if (!parseOptional("->")) return success();
  return parseTypeListMaybeParens(types);
}

LogicalResult AttrParser::parseFunctionType(FunctionType& type) {
  Location where = location();
  Type parsed;
  if (failed(parseType(parsed))) return failure();
  type = parsed.dynCast<FunctionType>();
  if (type) return success();
  return emitError(where) << "expected a function type, found " << parsed;
}

LogicalResult AttrParser::parseBalancedAngles(std::string_view& inside) {
  if (!nextIs("<")) return parse("<");
  uint32_t start = state_.token().end();
  std::string closers;
  do {
    const Token& token = state_.token();
    if (token.is(TokenKind::End) || token.is(TokenKind::Error))
      return emitError() << "expected '>' that closes this";
    if (token.is(TokenKind::Punctuation)) {
      char c = token.text.size() == 1 ? token.text[0] : 0;
      if (c == '<') closers += '>';
      if (c == '(') closers += ')';
      if (c == '[') closers += ']';
      if (c == '{') closers += '}';
      bool closes = c == '>' || c == ')' || c == ']' || c == '}';
      if (closes && closers.back() != c)
        return emitError() << "unbalanced '" << c << "', expected '" << closers.back() << "'";
      if (closes) closers.pop_back();
    }
    if (closers.empty()) inside = state_.text().substr(start, token.offset - start);
    state_.advance();
  } while (!closers.empty());
  return success();
}

}  // namespace airlite
