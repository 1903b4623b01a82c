// How indices and shapes read in messages.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace airlite {

/// `[0, 1]`.
inline std::string indexText(std::span<const int64_t> index) {
  std::string text = "[";
  for (size_t i = 0; i < index.size(); ++i)
    text += (i ? ", " : "") + std::to_string(index[i]);
  return text + "]";
}

}  // namespace airlite
