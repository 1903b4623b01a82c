#include "SourceText.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace airlite::tools {
namespace {

std::string_view lineOf(std::string_view source, unsigned line) {
  for (; line > 1; --line) {
    size_t end = source.find('\n');
    if (end == std::string_view::npos) return {};
    source.remove_prefix(end + 1);
  }
  return source.substr(0, source.find_first_of("\r\n"));
}

/// Tabs stay tabs, so that the caret stands below its character.
std::string caretLine(std::string_view line, const SourcePlace& place) {
  std::string text;
  for (unsigned i = 0; i + 1 < place.column; ++i)
    text += i < line.size() && line[i] == '\t' ? '\t' : ' ';
  return text + "^" + std::string(place.length > 1 ? place.length - 1 : 0, '~');
}

}  // namespace

std::string formatMessage(std::string_view file, std::string_view source, const SourcePlace& place,
                          std::string_view severity, std::string_view message) {
  if (!place.line) return fmt::format("{}: {}: {}\n", file, severity, message);
  std::string_view line = lineOf(source, place.line);
  std::string text = fmt::format("{}:{}:{}: {}: {}\n{}\n", file, place.line,
                                 std::max(place.column, 1u), severity, message, line);
  return place.column ? text + caretLine(line, place) + "\n" : text;
}

}  // namespace airlite::tools
