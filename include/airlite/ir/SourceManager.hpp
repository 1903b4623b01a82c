// Owns the text of every input, so that locations can be eight bytes and diagnostics can quote.
//
//   auto [line, column] = sources.lineColumn(location);
//   std::cerr << sources.lineText(location);
#pragma once

#include "airlite/ir/Location.hpp"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace airlite {

/// A position as people write it: lines and columns count from 1, columns count bytes.
struct LineColumn {
  unsigned line = 0;
  unsigned column = 0;
};

class SourceManager {
 public:
  /// Takes over `text`. Returns the handle that Location::inSource wants. `firstLine` shifts the
  /// line numbers of a piece cut out of a larger file (`--split-input-file`).
  uint32_t add(std::string name, std::string text, unsigned firstLine = 1);
  /// The handle that was given out last; 0: none yet.
  uint32_t last() const { return static_cast<uint32_t>(buffers_.size()); }

  std::string_view name(uint32_t source) const { return buffer(source).name; }
  std::string_view text(uint32_t source) const { return buffer(source).text; }
  LineColumn lineColumn(Location location) const;
  /// The line of `location` (which must be in a source), without its end.
  std::string_view lineText(Location location) const;

 private:
  struct Buffer {
    std::string name;
    std::string text;
    unsigned firstLine;
    mutable std::vector<uint32_t> lineStarts;  // filled at the first question
  };
  const Buffer& buffer(uint32_t source) const { return buffers_[source - 1]; }
  static size_t lineIndex(const Buffer& buffer, uint32_t offset);

  std::deque<Buffer> buffers_;  // addresses must be stable: tokens and names point into the text
};

}  // namespace airlite
