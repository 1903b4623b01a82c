// Splits source text into tokens. A token is a view into the text: nothing is copied.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace airlite::text {

enum class TokenKind : uint8_t {
  End,
  Error,    // see Lexer::errorMessage
  Word,     // bare identifier, dots allowed
  Integer,  // decimal or 0x...
  Float,
  String,     // with the quotes
  Value,      // %name
  Symbol,     // @name or @"name"
  AttrAlias,  // #name, also the #N after a value
  TypeAlias,  // !name
  Block,      // ^name
  Punctuation,
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;
  uint32_t offset = 0;
  uint32_t end() const { return offset + static_cast<uint32_t>(text.size()); }
  bool is(TokenKind k) const { return kind == k; }
  bool isPunctuation(std::string_view p) const {
    // Asked several times per token: the first character tells nearly always.
    if (kind != TokenKind::Punctuation || text[0] != p[0] || text.size() != p.size()) return false;
    return p.size() == 1 || text == p;
  }
  bool isWord(std::string_view w) const { return kind == TokenKind::Word && text == w; }
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  Token next();
  /// Lexing continues at this byte.
  void setPosition(uint32_t offset) { at_ = offset; }
  uint32_t position() const { return at_; }
  std::string_view text() const { return text_; }
  /// What is wrong with the last Error token.
  const std::string& errorMessage() const { return error_; }

 private:
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : 0; }
  uint32_t endOfRun(uint32_t at, unsigned classes) const;
  void skipBlanks();
  Token make(TokenKind kind, uint32_t start) const {
    return {kind, text_.substr(start, at_ - start), start};
  }
  Token fail(uint32_t start, std::string message);
  Token lexWord(uint32_t start);
  Token lexNumber(uint32_t start);
  Token lexString(uint32_t start);
  Token lexPrefixed(TokenKind kind, uint32_t start);
  Token lexSymbol(uint32_t start);
  Token lexPunctuation(uint32_t start);

  std::string_view text_;
  uint32_t at_ = 0;
  std::string error_;
};

bool isWordStart(char c);
bool isWordChar(char c);

/// The inside of a string token with its escapes resolved. The token is well formed.
std::string unescapeString(std::string_view quoted);

}  // namespace airlite::text
