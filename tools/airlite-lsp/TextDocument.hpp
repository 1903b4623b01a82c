// The text of a file in an editor, with places as the protocol writes them: lines, and UTF-16 units
// in them, both from 0.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::tools {

struct Position {
  uint32_t line = 0;
  uint32_t character = 0;
  bool operator==(const Position&) const = default;
};

struct TextRange {
  Position start;
  Position end;
};

/// Lines end with \n, \r\n or \r. The text is UTF-8.
class TextDocument {
 public:
  explicit TextDocument(std::string text = {}) { setText(std::move(text)); }

  const std::string& text() const { return text_; }
  uint32_t size() const { return static_cast<uint32_t>(text_.size()); }
  void setText(std::string text);
  /// Replaces what is in `range`. A place past the end of its line is that end, one past the
  /// last line the end of the text.
  void replace(const TextRange& range, std::string_view text);

  /// A place within a character of several units is the begin of the character.
  uint32_t offsetOf(Position position) const;
  Position positionOf(uint32_t offset) const;
  TextRange rangeOf(uint32_t begin, uint32_t end) const {
    return {positionOf(begin), positionOf(end)};
  }
  /// First byte of a line; that of one past the last line is the end of the text.
  uint32_t lineStart(size_t line) const;
  /// Without its end.
  std::string_view lineText(size_t line) const;
  size_t numLines() const { return lineStarts_.size(); }

 private:
  std::string text_;
  std::vector<uint32_t> lineStarts_;
};

}  // namespace airlite::tools
