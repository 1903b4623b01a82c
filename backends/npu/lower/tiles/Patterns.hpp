// Walks over the elements that a descriptor moves.
#pragma once

#include "Sites.hpp"

#include <span>

namespace airlite::npu {

/// Calls `visit` with the place of each element of a pattern without pads, in the order of the stream,
/// until it returns false. True when it never did.
template <class Visit> bool walkPattern(const Pattern& pattern, Visit visit) {
  auto inner = [&](auto& self, std::span<const std::pair<int64_t, int64_t>> dims,
                   int64_t place) -> bool {
    if (dims.empty()) return visit(place);
    for (int64_t i = 0; i < dims[0].first; ++i)
      if (!self(self, dims.subspan(1), place + i * dims[0].second)) return false;
    return true;
  };
  if (!pattern.dims.empty()) return inner(inner, pattern.dims, pattern.offset);
  const std::pair<int64_t, int64_t> line[] = {{pattern.length, 1}};
  return inner(inner, line, pattern.offset);
}

}  // namespace airlite::npu
