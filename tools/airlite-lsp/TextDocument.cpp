// Text, lines and places, see the header.
#include "TextDocument.hpp"

#include "airlite/support/Text.hpp"

#include <algorithm>
#include <utility>

namespace airlite::tools {

void TextDocument::setText(std::string text) {
  text_ = std::move(text);
  lineStarts_.assign(1, 0);
  for (size_t at = text_.find_first_of("\r\n"); at != std::string::npos;
       at = text_.find_first_of("\r\n", at)) {
    at += text_[at] == '\r' && at + 1 < text_.size() && text_[at + 1] == '\n' ? 2 : 1;
    lineStarts_.push_back(static_cast<uint32_t>(at));
  }
}

uint32_t TextDocument::lineStart(size_t line) const {
  return line < lineStarts_.size() ? lineStarts_[line] : size();
}

std::string_view TextDocument::lineText(size_t line) const {
  const uint32_t begin = lineStart(line);
  std::string_view found = std::string_view(text_).substr(begin, lineStart(line + 1) - begin);
  while (!found.empty() && (found.back() == '\n' || found.back() == '\r'))
    found.remove_suffix(1);
  return found;
}

/// Bytes and UTF-16 units of the character that `text` begins with.
static std::pair<uint32_t, uint32_t> characterSize(std::string_view text) {
  const size_t bytes = std::max<size_t>(utf8Length(text), 1);
  return {static_cast<uint32_t>(bytes), bytes == 4 ? 2 : 1};
}

uint32_t TextDocument::offsetOf(Position position) const {
  std::string_view line = lineText(position.line);
  uint32_t at = 0;
  for (uint32_t units = 0; at < line.size();) {
    const auto [bytes, width] = characterSize(line.substr(at));
    units += width;
    if (units > position.character) break;
    at += bytes;
  }
  return lineStart(position.line) + at;
}

Position TextDocument::positionOf(uint32_t offset) const {
  offset = std::min(offset, size());
  const auto next = std::upper_bound(lineStarts_.begin(), lineStarts_.end(), offset);
  Position position{static_cast<uint32_t>(next - lineStarts_.begin()) - 1, 0};
  std::string_view before = lineText(position.line);
  before = before.substr(0, offset - lineStart(position.line));
  while (!before.empty()) {
    const auto [bytes, width] = characterSize(before);
    position.character += width;
    before.remove_prefix(std::min<size_t>(bytes, before.size()));
  }
  return position;
}

void TextDocument::replace(const TextRange& range, std::string_view text) {
  const uint32_t begin = offsetOf(range.start), end = std::max(begin, offsetOf(range.end));
  text_.replace(begin, end - begin, text);
  setText(std::move(text_));
}

}  // namespace airlite::tools
