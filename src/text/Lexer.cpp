// The lexer: MLIR's lexical syntax.
#include "Lexer.hpp"

#include <algorithm>
#include <array>

namespace airlite::text {

namespace {

// Reading is bound by looking at characters: one table look-up answers what one may be.
enum CharClass : uint8_t {
  kDigit = 1,
  kWordStart = 2,
  kWordOther = 4,
  kDash = 8,
  kPunctuation = 16,  // a token by itself, whatever follows
  kBlank = 32,
};

constexpr std::array<uint8_t, 256> makeClasses() {
  std::array<uint8_t, 256> classes{};
  for (int c = 'a'; c <= 'z'; ++c)
    classes[c] = classes[c - 'a' + 'A'] = kWordStart;
  for (int c = '0'; c <= '9'; ++c)
    classes[c] = kDigit;
  classes['_'] = kWordStart;
  classes['$'] = classes['.'] = kWordOther;
  for (char c : std::string_view("()[]}<>,=*?+|/"))
    classes[static_cast<uint8_t>(c)] = kPunctuation;
  for (char c : std::string_view(" \t\n\r"))
    classes[static_cast<uint8_t>(c)] = kBlank;
  classes['-'] = kDash;
  return classes;
}
constexpr std::array<uint8_t, 256> kClasses = makeClasses();

bool isOf(char c, unsigned classes) { return kClasses[static_cast<uint8_t>(c)] & classes; }
bool isDigit(char c) { return isOf(c, kDigit); }
bool isHexDigit(char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

int hexValue(char c) {
  if (isDigit(c)) return c - '0';
  return (c | 0x20) - 'a' + 10;
}

}  // namespace

bool isWordStart(char c) { return isOf(c, kWordStart); }
bool isWordChar(char c) { return isOf(c, kWordStart | kWordOther | kDigit); }

/// The first character from `at` on that is of none of `classes`. Runs are short: a call for each
/// would cost as much as the run.
[[gnu::always_inline]] inline uint32_t Lexer::endOfRun(uint32_t at, unsigned classes) const {
  const char* next = text_.data() + at;
  const char* end = text_.data() + text_.size();
  while (next != end && isOf(*next, classes))
    ++next;
  return static_cast<uint32_t>(next - text_.data());
}

void Lexer::skipBlanks() {
  while (true) {
    at_ = endOfRun(at_, kBlank);
    if (peek() != '/' || peek(1) != '/') return;
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
  if (isOf(c, kPunctuation)) {
    ++at_;
    return make(TokenKind::Punctuation, start);
  }
  if (isWordStart(c)) return lexWord(start);
  if (isDigit(c)) return lexNumber(start);
  switch (c) {
    case '"': return lexString(start);
    case '%': return lexPrefixed(TokenKind::Value, start);
    case '#':
      if (peek(1) == '-' && peek(2) == '}') return lexPunctuation(start);
      return lexPrefixed(TokenKind::AttrAlias, start);
    case '!': return lexPrefixed(TokenKind::TypeAlias, start);
    case '^': return lexPrefixed(TokenKind::Block, start);
    case '@': return lexSymbol(start);
    default: return lexPunctuation(start);
  }
}

Token Lexer::lexWord(uint32_t start) {
  at_ = endOfRun(start + 1, kWordStart | kWordOther | kDigit);
  return make(TokenKind::Word, start);
}

Token Lexer::lexNumber(uint32_t start) {
  if (peek() == '0' && peek(1) == 'x' && isHexDigit(peek(2))) {
    at_ += 2;
    while (isHexDigit(peek()))
      ++at_;
    return make(TokenKind::Integer, start);
  }
  while (isDigit(peek()))
    ++at_;
  if (peek() != '.') return make(TokenKind::Integer, start);
  ++at_;
  while (isDigit(peek()))
    ++at_;
  if (peek() == 'e' || peek() == 'E') {
    size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
    if (isDigit(peek(1 + sign))) {
      at_ += 1 + sign;
      while (isDigit(peek()))
        ++at_;
    }
  }
  return make(TokenKind::Float, start);
}

Token Lexer::lexString(uint32_t start) {
  constexpr unsigned kPlain = kWordStart | kWordOther | kDigit;
  for (at_ = endOfRun(start + 1, kPlain); at_ < text_.size(); at_ = endOfRun(at_, kPlain)) {
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
  at_ = endOfRun(start + 1, kDigit);
  if (at_ > start + 1) return make(kind, start);
  // `!dialect.type` and `#dialect.attr` take no '-': "#map->" must end at the map.
  bool dash = kind == TokenKind::Value || kind == TokenKind::Block;
  unsigned classes = kWordStart | kWordOther | kDigit | (dash ? kDash : 0);
  at_ = endOfRun(at_, classes);
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
  while (isWordChar(peek()) || peek() == '-')
    ++at_;
  return make(TokenKind::Symbol, start);
}

Token Lexer::lexPunctuation(uint32_t start) {
  std::string_view rest = text_.substr(start);
  size_t length = 1;
  switch (rest[0]) {
    case '.': length = rest.starts_with("...") ? 3 : 0; break;
    case '-': length = rest.starts_with("->") ? 2 : 1; break;
    case ':': length = rest.starts_with("::") ? 2 : 1; break;
    case '{': length = rest.starts_with("{-#") ? 3 : 1; break;
    case '#': length = 3; break;  // "#-}", see next()
    default: length = 0; break;
  }
  at_ += static_cast<uint32_t>(std::max<size_t>(length, 1));
  if (length == 0) return fail(start, "unexpected character");
  return make(TokenKind::Punctuation, start);
}

std::string unescapeString(std::string_view quoted) {
  std::string out;
  std::string_view in = quoted.substr(1, quoted.size() - 2);
  if (in.find('\\') == std::string_view::npos) return std::string(in);
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
