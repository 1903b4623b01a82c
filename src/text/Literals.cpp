// Numbers as text.
#include "Literals.hpp"

#include <charconv>
#include <limits>

namespace airlite::text {

std::optional<uint64_t> parseUnsigned(std::string_view digits) {
  int base = 10;
  if (digits.starts_with("0x")) {
    base = 16;
    digits.remove_prefix(2);
  }
  uint64_t value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::optional<int64_t> parseSigned(bool isNegative, std::string_view digits) {
  std::optional<uint64_t> magnitude = parseUnsigned(digits);
  uint64_t largest = uint64_t(std::numeric_limits<int64_t>::max()) + isNegative;
  if (!magnitude || *magnitude > largest) return std::nullopt;
  return static_cast<int64_t>(isNegative ? 0 - *magnitude : *magnitude);
}

double parseDouble(std::string_view literal) {
  double value = 0;
  auto [end, error] = std::from_chars(literal.data(), literal.data() + literal.size(), value);
  if (error != std::errc::result_out_of_range) return value;
  // from_chars leaves the value alone: too small or too large, told apart by the exponent's sign.
  bool tiny = literal.find("e-") != literal.npos || literal.find("E-") != literal.npos;
  return tiny ? 0.0 : std::numeric_limits<double>::infinity();
}

}  // namespace airlite::text
