// The lexer: MLIR's lexical syntax.
#include "Lexer.hpp"

#include <array>

namespace airlite::text {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool isHexDigit(char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool isSuffixChar(char c) { return isLetter(c) || isDigit(c) || c == '$' || c == '.' || c == '_' || c == '-'; }

int hexValue(char c) {
  if (isDigit(c)) return c - '0';
  return (c | 0x20) - 'a' + 10;
}

}  // namespace

bool isWordStart(char c) { return isLetter(c) || c == '_'; }
bool isWordChar(char c) { return isWordStart(c) || isDigit(c) || c == '$' || c == '.'; }

void Lexer::skipBlanks() {
  while (at_ < text_.size()) {
    char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++at_;
      continue;
    }
    if (c != '/' || peek(1) != '/') return;
    size_t end = text_.find('\n', at_);
    at_ = static_cast<uint32_t>(end == std::string_view::npos ? text_.size() : end);
  }
}

Token Lexer::fail(uint32_t start, std::string message) {
  error_ = std::move(message);
  return make(TokenKind::Error, start);
}

Token Lexer::next() {
  skipBlanks();
  uint32_t start = at_;
  if (at_ >= text_.size()) return make(TokenKind::End, start);
  char c = text_[at_];
  if (isWordStart(c)) return lexWord(start);
  if (isDigit(c)) return lexNumber(start);
  switch (c) {
    case '"': return lexString(start);
    case '%': return lexPrefixed(TokenKind::Value, start);
    case '#': return lexPrefixed(TokenKind::AttrAlias, start);
    case '!': return lexPrefixed(TokenKind::TypeAlias, start);
    case '^': return lexPrefixed(TokenKind::Block, start);
    case '@': return lexSymbol(start);
    default: return lexPunctuation(start);
  }
}

Token Lexer::lexWord(uint32_t start) {
  while (isWordChar(peek())) ++at_;
  return make(TokenKind::Word, start);
}

Token Lexer::lexNumber(uint32_t start) {
  if (peek() == '0' && peek(1) == 'x' && isHexDigit(peek(2))) {
    at_ += 2;
    while (isHexDigit(peek())) ++at_;
    return make(TokenKind::Integer, start);
  }
  while (isDigit(peek())) ++at_;
  if (peek() != '.') return make(TokenKind::Integer, start);
  ++at_;
  while (isDigit(peek())) ++at_;
  if (peek() == 'e' || peek() == 'E') {
    size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
    if (isDigit(peek(1 + sign))) {
      at_ += 1 + sign;
      while (isDigit(peek())) ++at_;
    }
  }
  return make(TokenKind::Float, start);
}

Token Lexer::lexString(uint32_t start) {
  ++at_;
  while (at_ < text_.size()) {
    char c = text_[at_];
    if (c == '"') {
      ++at_;
      return make(TokenKind::String, start);
    }
    if (c == '\n') break;
    if (c != '\\') {
      ++at_;
      continue;
    }
    char next = peek(1);
    bool simple = next == '"' || next == '\\' || next == 'n' || next == 't';
    bool hex = isHexDigit(next) && isHexDigit(peek(2));
    if (!simple && !hex) {
      ++at_;
      return fail(start, "unknown escape in string literal");
    }
    at_ += simple ? 2 : 3;
  }
  return fail(start, "expected '\"' at the end of the string literal");
}

Token Lexer::lexPrefixed(TokenKind kind, uint32_t start) {
  ++at_;
  if (isDigit(peek())) {
    while (isDigit(peek())) ++at_;
    return make(kind, start);
  }
  // `!dialect.type` and `#dialect.attr` take no '-': "#map->" must end at the map.
  bool dash = kind == TokenKind::Value || kind == TokenKind::Block;
  while (isSuffixChar(peek()) && (dash || peek() != '-')) ++at_;
  if (at_ == start + 1)
    return fail(start, std::string("expected a name after '") + text_[start] + "'");
  return make(kind, start);
}

Token Lexer::lexSymbol(uint32_t start) {
  ++at_;
  if (peek() == '"') {
    Token string = lexString(at_);
    return string.is(TokenKind::Error) ? string : make(TokenKind::Symbol, start);
  }
  if (!isWordStart(peek())) return fail(start, "expected a name after '@'");
  while (isWordChar(peek()) || peek() == '-') ++at_;
  return make(TokenKind::Symbol, start);
}

Token Lexer::lexPunctuation(uint32_t start) {
  static constexpr std::array<std::string_view, 5> kLong = {"...", "->", "::", "{-#", "#-}"};
  std::string_view rest = text_.substr(start);
  for (std::string_view p : kLong) {
    if (!rest.starts_with(p)) continue;
    at_ += static_cast<uint32_t>(p.size());
    return make(TokenKind::Punctuation, start);
  }
  ++at_;
  if (std::string_view("()[]{}<>,:=*?+-|/").find(rest[0]) != std::string_view::npos)
    return make(TokenKind::Punctuation, start);
  return fail(start, "unexpected character");
}

std::string unescapeString(std::string_view quoted) {
  std::string out;
  std::string_view in = quoted.substr(1, quoted.size() - 2);
  for (size_t i = 0; i < in.size(); ++i) {
    if (in[i] != '\\') {
      out += in[i];
      continue;
    }
    char c = in[++i];
    if (c == '"' || c == '\\') {
      out += c;
    } else if (c == 'n') {
      out += '\n';
    } else if (c == 't') {
      out += '\t';
    } else {
      out += static_cast<char>(hexValue(c) * 16 + hexValue(in[++i]));
    }
  }
  return out;
}

}  // namespace airlite::text
