// Small text helpers: spelling suggestions, escapes, UTF-8.
#include "airlite/support/Text.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace airlite {

// Optimal string alignment: three rows of the usual table are enough.
unsigned editDistance(std::string_view a, std::string_view b) {
  std::vector<unsigned> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    last[j] = static_cast<unsigned>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<unsigned>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      unsigned replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replace, last[j] + 1, row[j - 1] + 1});
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

namespace {

// Beyond this a name is not a misspelling, and hostile input must not cost quadratic time.
constexpr size_t kLongestName = 256;

size_t lengthDifference(std::string_view a, std::string_view b) {
  return a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
}

}  // namespace

std::string_view nearestName(std::string_view name, std::span<const std::string_view> candidates) {
  std::string_view best;
  if (name.empty() || name.size() > kLongestName) return best;
  unsigned bestDistance = static_cast<unsigned>(name.size() / 3) + 1;
  for (std::string_view candidate : candidates) {
    if (lengthDifference(name, candidate) >= bestDistance) continue;
    unsigned distance = editDistance(name, candidate);
    if (distance >= bestDistance) continue;
    bestDistance = distance;
    best = candidate;
  }
  return best;
}

std::string didYouMean(std::string_view name, std::span<const std::string_view> candidates) {
  std::string_view nearest = nearestName(name, candidates);
  if (nearest.empty()) return {};
  return "; did you mean '" + std::string(nearest) + "'?";
}

void appendEscaped(std::string& out, std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  auto isPlain = [](char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; };
  if (std::all_of(text.begin(), text.end(), isPlain)) {
    out += text;
    return;
  }
  for (char c : text) {
    if (c == '\\') {
      out += "\\\\";
    } else if (isPlain(c)) {
      out += c;
    } else {
      auto byte = static_cast<unsigned char>(c);
      out += {'\\', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
}

namespace {

bool isContinuation(unsigned char byte) { return (byte & 0xc0) == 0x80; }

// The range of the second byte is what rules out overlong forms, surrogates and values that are
// too large.
bool secondByteFits(unsigned char lead, unsigned char second) {
  if (!isContinuation(second)) return false;
  switch (lead) {
    case 0xe0: return second >= 0xa0;
    case 0xed: return second < 0xa0;
    case 0xf0: return second >= 0x90;
    case 0xf4: return second < 0x90;
    default: return true;
  }
}

size_t sequenceLength(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

}  // namespace

/// How many characters at the start are ASCII, in whole blocks and then one by one.
static size_t asciiPrefix(std::string_view text) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  size_t at = 0;
  for (uint64_t words[8]; at + sizeof words <= text.size(); at += sizeof words) {
    std::memcpy(words, text.data() + at, sizeof words);
    uint64_t all = 0;
    for (uint64_t word : words)
      all |= word;
    if (all & kHighBits) break;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80)
    ++at;
  return at;
}

size_t utf8Length(std::string_view text) {
  if (text.empty()) return 0;
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  size_t length = sequenceLength(byte(0));
  if (length < 2) return length;
  if (text.size() < length || !secondByteFits(byte(0), byte(1))) return 0;
  for (size_t i = 2; i < length; ++i)
    if (!isContinuation(byte(i))) return 0;
  return length;
}

bool isValidUtf8(std::string_view text, size_t& badOffset) {
  for (size_t at = 0;;) {
    at += asciiPrefix(text.substr(at));
    if (at >= text.size()) return true;
    size_t length = utf8Length(text.substr(at));
    if (length == 0) {
      badOffset = at;
      return false;
    }
    at += length;
  }
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (;;) {
    size_t end = text.find(separator);
    pieces.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\f\v";
  size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace airlite
