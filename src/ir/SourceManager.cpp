// Line and column of a place in a source text, found with a table of line starts made when the
// first question comes.
#include "airlite/ir/SourceManager.hpp"

#include <algorithm>

namespace airlite {

uint32_t SourceManager::add(std::string name, std::string text, unsigned firstLine) {
  buffers_.push_back({std::move(name), std::move(text), firstLine, {}});
  return static_cast<uint32_t>(buffers_.size());
}

size_t SourceManager::lineIndex(const Buffer& buffer, uint32_t offset) {
  std::vector<uint32_t>& starts = buffer.lineStarts;
  if (starts.empty()) {
    starts.push_back(0);
    for (size_t at = buffer.text.find('\n'); at != std::string::npos;
         at = buffer.text.find('\n', at + 1))
      starts.push_back(static_cast<uint32_t>(at + 1));
  }
  auto next = std::upper_bound(starts.begin(), starts.end(), offset);
  return static_cast<size_t>(next - starts.begin()) - 1;
}

LineColumn SourceManager::lineColumn(Location location) const {
  if (!location.isInSource() || location.source() > buffers_.size()) return {};
  const Buffer& source = buffer(location.source());
  auto offset = static_cast<uint32_t>(std::min<size_t>(location.offset(), source.text.size()));
  size_t index = lineIndex(source, offset);
  return {static_cast<unsigned>(index) + source.firstLine, offset - source.lineStarts[index] + 1};
}

std::string_view SourceManager::lineText(Location location) const {
  if (!location.isInSource() || location.source() > buffers_.size()) return {};
  const Buffer& source = buffer(location.source());
  std::string_view text = source.text;
  auto offset = static_cast<uint32_t>(std::min<size_t>(location.offset(), text.size()));
  size_t index = lineIndex(source, offset);
  size_t start = source.lineStarts[index];
  std::string_view line = text.substr(start, text.find('\n', start) - start);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace airlite
