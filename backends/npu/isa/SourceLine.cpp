#include "SourceLine.hpp"

#include <algorithm>
#include <charconv>

namespace airlite::npu::isa {
namespace {

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

Piece trimmed(Piece piece) {
  while (!piece.text.empty() && isBlank(piece.text.front())) {
    piece.text.remove_prefix(1);
    ++piece.offset;
  }
  while (!piece.text.empty() && isBlank(piece.text.back()))
    piece.text.remove_suffix(1);
  return piece;
}

std::vector<Piece> splitAt(const Piece& piece, char separator) {
  std::vector<Piece> pieces;
  for (size_t at = 0; at <= piece.text.size();) {
    size_t end = std::min(piece.text.find(separator, at), piece.text.size());
    pieces.push_back(trimmed({piece.text.substr(at, end - at), piece.offset + at}));
    at = end + 1;
  }
  return pieces;
}

}  // namespace

bool isNameChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '$' || c == '@';
}

bool isSymbolName(std::string_view text) {
  return !text.empty() && !(text[0] >= '0' && text[0] <= '9') &&
         std::ranges::all_of(text, isNameChar);
}

SourceLine splitLine(std::string_view text) {
  SourceLine line;
  line.statement = trimmed({text.substr(0, text.find("//")), 0});
  for (;;) {
    Piece& rest = line.statement;
    size_t end = 0;
    while (end < rest.text.size() && isNameChar(rest.text[end]))
      ++end;
    if (end == rest.text.size() || rest.text[end] != ':') return line;
    Piece label{rest.text.substr(0, end), rest.offset};
    if (!isSymbolName(label.text)) return line;
    line.labels.push_back(label);
    rest = trimmed({rest.text.substr(end + 1), rest.offset + end + 1});
  }
}

std::vector<Piece> splitSlots(const Piece& statement) { return splitAt(statement, ';'); }

Directive splitDirective(const Piece& statement) {
  Directive directive;
  size_t end = std::min(statement.text.find_first_of(" \t"), statement.text.size());
  directive.name = statement.text.substr(0, end);
  directive.offset = statement.offset;
  Piece rest = trimmed({statement.text.substr(end), statement.offset + end});
  if (!rest.text.empty()) directive.arguments = splitAt(rest, ',');
  return directive;
}

std::optional<int64_t> parseInteger(std::string_view text) {
  bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  int base = text.starts_with("0x") || text.starts_with("0X") ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  uint64_t value = 0;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (code != std::errc() || end != text.data() + text.size() || value >> 33) return std::nullopt;
  return negative ? -static_cast<int64_t>(value) : static_cast<int64_t>(value);
}

SymbolText splitSymbol(std::string_view text) {
  size_t sign = text.find_first_of("+-", 1);
  std::string_view name = text.substr(0, sign);
  if (!isSymbolName(name)) return {};
  if (sign == std::string_view::npos) return {std::string(name), 0};
  std::optional<int64_t> addend = parseInteger(text.substr(sign + (text[sign] == '+')));
  return addend ? SymbolText{std::string(name), *addend} : SymbolText{};
}

}  // namespace airlite::npu::isa
