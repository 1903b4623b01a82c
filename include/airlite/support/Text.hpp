// Small text helpers that several rooms need.
//
//   std::string hint = didYouMean("canonicalise", names);  // "; did you mean 'canonicalize'?"
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace airlite {

/// Number of single-character edits (insert, delete, replace, swap of neighbours) from `a` to `b`.
unsigned editDistance(std::string_view a, std::string_view b);

/// The candidate closest to `name`, or an empty view when none is close enough to be a likely
/// misspelling (more than a third of the letters differ).
std::string_view nearestName(std::string_view name, std::span<const std::string_view> candidates);

/// `; did you mean 'x'?`, or nothing when no candidate is close.
std::string didYouMean(std::string_view name, std::span<const std::string_view> candidates);

/// Appends `text` as the inside of a quoted string: `"`, `\` and non-printable bytes escaped as
/// MLIR does (`\22`, `\5C`, `\0A`, ...).
void appendEscaped(std::string& out, std::string_view text);

/// True when `text` is well-formed UTF-8; otherwise `badOffset` is the first bad byte.
bool isValidUtf8(std::string_view text, size_t& badOffset);

/// Bytes of the well-formed UTF-8 sequence that `text` starts with; 0 when there is none.
size_t utf8Length(std::string_view text);

/// Splits at `separator`; an empty text gives one empty piece.
std::vector<std::string_view> split(std::string_view text, char separator);

/// `text` without blanks at both ends.
std::string_view trim(std::string_view text);

}  // namespace airlite
