// Punctuation, keywords, literals and lists: what all of the syntax is read with.
//
// One class: it is the vocabulary of all syntax; what is longer than a few lines is read elsewhere.
#include "Indexer.hpp"
#include "Literals.hpp"
#include "ParserState.hpp"
#include "airlite/text/AttrParser.hpp"

#include <charconv>

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

bool AttrParser::nextIsSymbolName() const { return state_.token().is(TokenKind::Symbol); }

bool AttrParser::parseOptionalSymbolName(std::string& name) {
  if (!nextIsSymbolName()) return false;
  std::string_view spelling = state_.token().text.substr(1);
  name = spelling[0] == '"' ? text::unescapeString(spelling) : std::string(spelling);
  if (state_.indexer) state_.indexer->mention(SourceIndex::NameKind::Symbol, state_.nameSpan());
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
  std::optional<int64_t> number = text::parseSigned(negative, state_.token().text);
  state_.advance();
  if (!number)
    status = emitError(start) << "integer value too large: 64 bits at most";
  else
    value = *number;
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

/// A number or `?` in the text from `at` on; `end` is where it ends, `at` when there is none.
struct Dimension {
  bool isDynamic = false;
  bool isX = false;  // an `x` follows
  uint32_t end = 0;
  std::optional<uint64_t> size = uint64_t(0);
};
static Dimension readDimension(std::string_view source, uint32_t at) {
  Dimension read;
  read.end = at;
  while (read.end < source.size() && source[read.end] >= '0' && source[read.end] <= '9')
    ++read.end;
  read.isDynamic = read.end == at && source[at] == '?';
  if (!read.isDynamic && read.end > at)
    read.size = text::parseUnsigned(source.substr(at, read.end - at));
  if (read.isDynamic) ++read.end;
  read.isX = read.end < source.size() && source[read.end] == 'x';
  return read;
}

// Dimensions are read from the characters: "4x8xf32" is not made of sensible tokens.
LogicalResult AttrParser::parseDimensionList(std::vector<int64_t>& dims, bool allowDynamic,
                                             bool trailingX) {
  std::string_view source = state_.text();
  uint32_t wanted = state_.token().offset;  // where reading continues
  for (bool isX = true; isX && wanted < source.size();) {
    Dimension read = readDimension(source, wanted);
    isX = read.isX;
    if (read.end == wanted || (trailingX && !isX)) break;
    Location where = state_.locationOf(wanted);
    if (read.isDynamic && !allowDynamic) return emitError(where) << "expected static shape";
    if (!read.size || *read.size > uint64_t(INT64_MAX))
      return emitError(where) << "dimension is too large: 63 bits at most";
    dims.push_back(read.isDynamic ? kDynamic : static_cast<int64_t>(*read.size));
    wanted = isX ? read.end + 1 : read.end;
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
  LogicalResult list = parseList(Delimiter::Paren, [&] { return parseType(types.emplace_back()); });
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

/// Is this body of `dialect<body>` written `dialect.body`?
static bool isPrettyBody(std::string_view body) {
  if (body.empty() || !text::isWordStart(body[0]) || body[0] == '_') return false;
  auto isPart = [](char c) { return text::isWordChar(c) && c != '$'; };
  size_t end = 0;
  while (end < body.size() && isPart(body[end]))
    ++end;
  return end == body.size() || (body[end] == '<' && body.back() == '>');
}

/// The end of the string literal that starts at `at`; npos when the line ends first.
static size_t endOfString(std::string_view text, size_t at) {
  for (++at; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == '"') return at + 1;
    if (text[at] == '\\') ++at;
  }
  return std::string_view::npos;
}

// The text is that of a dialect nobody knows, so characters count, not tokens: any brackets have
// to match, strings are strings and `->` is not a bracket.
LogicalResult AttrParser::parseBalancedAngles(std::string_view& inside) {
  if (!nextIs("<")) return parse("<");
  constexpr std::string_view kOpen = "<([{", kClose = ">)]}";
  std::string_view text = state_.text();
  size_t start = state_.token().offset;
  std::vector<size_t> open;
  auto unbalanced = [&](size_t at) -> LogicalResult {
    return emitError(state_.locationOf(static_cast<uint32_t>(at)))
           << "unbalanced '" << text[at] << "' character in pretty dialect name";
  };
  for (size_t at = start; at < text.size(); ++at) {
    char c = text[at];
    if (text.substr(at, 2) == "->") {
      ++at;
    } else if (c == '"') {
      size_t end = endOfString(text, at);
      if (end == std::string_view::npos) return unbalanced(open.back());
      at = end - 1;
    } else if (kOpen.find(c) != std::string_view::npos) {
      open.push_back(at);
    } else if (size_t which = kClose.find(c); which != std::string_view::npos) {
      if (text[open.back()] != kOpen[which]) return unbalanced(open.back());
      open.pop_back();
    }
    if (!open.empty()) continue;
    inside = text.substr(start + 1, at - start - 1);
    state_.restartAt(static_cast<uint32_t>(at + 1));
    return success();
  }
  return unbalanced(open.back());
}

LogicalResult text::readOpaqueSymbol(AttrParser& parser, ParserState& state, std::string& symbol) {
  Token name = state.token();
  symbol = name.text.substr(1);
  bool isLong = symbol.find('.') == std::string::npos;
  state.advance();
  if (state.token().offset != name.end() || !parser.nextIs("<")) return success();
  std::string_view inside;
  if (failed(parser.parseBalancedAngles(inside))) return failure();
  if (isLong && isPrettyBody(inside))
    symbol += "." + std::string(inside);
  else
    symbol += "<" + std::string(inside) + ">";
  return success();
}

}  // namespace airlite
