// Text as Graphviz reads it.
#pragma once

#include <string>
#include <string_view>

namespace airlite::detail {

/// In quotes; lines of the text are set flush left.
inline std::string dotQuoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\l";
    else
      out += c;
  }
  return out + "\"";
}

}  // namespace airlite::detail
