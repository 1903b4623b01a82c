// Numbers as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace airlite::text {

/// Decimal, or hexadecimal after `0x`; empty when it does not fit 64 bits.
std::optional<uint64_t> parseUnsigned(std::string_view digits);
/// The same after a sign, which belongs to the number: the least integer has no positive twin.
std::optional<int64_t> parseSigned(bool isNegative, std::string_view digits);
/// A float or integer literal as the nearest double (infinite when too large).
double parseDouble(std::string_view literal);

}  // namespace airlite::text
