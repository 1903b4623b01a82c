// Messages about a line of a source: place, the line, a caret under what is meant.
#pragma once

#include <string>
#include <string_view>

namespace airlite::tools {

/// Line and column count from 1; column 0 shows no caret.
struct SourcePlace {
  unsigned line = 0;
  unsigned column = 0;
  unsigned length = 1;
};

/// `file:line:col: error: message`, the line, and a caret run. Ends with a newline.
std::string formatMessage(std::string_view file, std::string_view source, const SourcePlace& place,
                          std::string_view severity, std::string_view message);

}  // namespace airlite::tools
