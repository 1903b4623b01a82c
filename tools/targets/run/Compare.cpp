// Compares arrays element by element.
#include "Compare.hpp"

#include "Arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace airlite::tools {

namespace {

class Comparer {
 public:
  Comparer(const NpyArray& got, const NpyArray& expected, const Tolerance& tolerance)
      : got_(got), expected_(expected), tolerance_(tolerance) {}

  Comparison run() {
    if (got_.type != expected_.type || got_.shape != expected_.shape)
      return {false, fmt::format("has shape {} of {}, but shape {} of {} is expected",
                                 shapeText(got_.shape), npyTypeName(got_.type),
                                 shapeText(expected_.shape), npyTypeName(expected_.type))};
    size_t count = got_.numElements(), first = count, different = 0;
    for (size_t i = 0; i < count; ++i) {
      if (same(i)) continue;
      first = std::min(first, i);
      ++different;
    }
    if (different) return {false, difference(first, different, count)};
    if (inexact_ == 0) return {true, fmt::format("{} elements, all with the same bits", count)};
    return {true, fmt::format("{} elements, {} with other bits, largest difference {:.3g}", count,
                              inexact_, largest_)};
  }

 private:
  bool same(size_t i) {
    size_t bytes = npyElementBytes(got_.type);
    if (!std::memcmp(got_.data.data() + i * bytes, expected_.data.data() + i * bytes, bytes))
      return true;
    double a = npyNumber(got_, i), b = npyNumber(expected_, i);
    if (std::isnan(a) && std::isnan(b)) return true;
    if (tolerance_.relative == 0 && tolerance_.absolute == 0) return false;
    double distance = std::fabs(a - b);
    if (!(a == b || distance <= tolerance_.absolute + tolerance_.relative * std::fabs(b)))
      return false;
    ++inexact_;
    largest_ = std::max(largest_, distance);
    return true;
  }

  std::string difference(size_t first, size_t different, size_t count) const {
    return fmt::format("differs at [{}]: got {}, expected {} ({} of {} elements differ)",
                       indexText(first), npyText(got_, first), npyText(expected_, first), different,
                       count);
  }

  std::string indexText(size_t position) const {
    std::string text;
    for (size_t d = got_.shape.size(); d-- > 0;) {
      size_t size = static_cast<size_t>(got_.shape[d]);
      text = std::to_string(position % size) + (text.empty() ? "" : ", ") + text;
      position /= size;
    }
    return text;
  }

  const NpyArray& got_;
  const NpyArray& expected_;
  Tolerance tolerance_;
  size_t inexact_ = 0;
  double largest_ = 0;
};

}  // namespace

Comparison compareArrays(const NpyArray& got, const NpyArray& expected,
                         const Tolerance& tolerance) {
  return Comparer(got, expected, tolerance).run();
}

}  // namespace airlite::tools
