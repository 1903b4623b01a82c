// What the tests of images share: words, random bytes, and hostile copies of files.
#pragma once

#include "airlite/npu/image/Image.hpp"
#include "airlite/support/Result.hpp"
#include "airlite/support/SplitMix64.hpp"
#include "support/catch_all.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace airlite::npu::tests {

using Word = uint32_t;
using WordVector = std::vector<uint32_t>;

inline uint32_t below(SplitMix64& random, uint32_t limit) {
  return uint32_t(random.next() % limit);
}

inline WordVector randomWords(SplitMix64& random, size_t most) {
  WordVector words(random.next() % (most + 1));
  for (auto& word : words)
    word = uint32_t(random.next());
  return words;
}

inline ByteVector randomBytes(SplitMix64& random, size_t most) {
  ByteVector bytes(random.next() % (most + 1));
  for (auto& byte : bytes)
    byte = uint8_t(random.next());
  return bytes;
}

inline ByteVector toBytes(const WordVector& words) {
  ByteVector bytes;
  for (const Word word : words)
    for (int shift = 0; shift < 32; shift += 8)
      bytes.push_back(uint8_t(word >> shift));
  return bytes;
}

/// "06030100 00000104" as words.
inline WordVector wordsOf(const std::string& text) {
  WordVector words;
  std::istringstream in(text);
  for (std::string word; in >> word;)
    words.push_back(Word(std::stoul(word, nullptr, 16)));
  return words;
}

inline nlohmann::json vectors() {
  std::ifstream in(AIRLITE_SOURCE_DIR "/tests/npu/image/Inputs/vectors.json");
  return nlohmann::json::parse(in);
}

/// A reader must give a value or a reason with a place for every prefix and for random flips; what
/// it accepts it must write back as it was.
using Rewrite = std::function<Result<ByteVector>(ByteSpan)>;
inline void attack(const ByteVector& good, const Rewrite& rewrite, uint64_t seed, int flips) {
  const auto probe = [&](const ByteVector& bytes) {
    const auto back = rewrite(bytes);
    if (back && *back != bytes) FAIL("accepted bytes that it writes differently");
    if (!back && (back.error().message.empty() || !back.error().place))
      FAIL("refused without a reason or a place: " << back.error().message);
  };
  for (size_t size = 0; size < good.size(); ++size)
    probe(ByteVector(good.begin(), good.begin() + long(size)));
  SplitMix64 random(seed);
  for (int i = 0; i < flips; ++i) {
    ByteVector bytes = good;
    for (uint32_t n = 1 + below(random, 3); n > 0; --n)
      bytes[random.next() % bytes.size()] ^= uint8_t(1u << below(random, 8));
    probe(bytes);
  }
  SUCCEED();
}

/// read, then write.
template <class Read, class Write> Rewrite rewriting(Read read, Write write) {
  return [=](ByteSpan bytes) -> Result<ByteVector> {
    auto value = read(bytes);
    if (!value) return value.error();
    return write(*value);
  };
}

}  // namespace airlite::npu::tests
