#include "sim/array/Compression.hpp"

#include <bit>

namespace airlite::npu::sim {
namespace {

/// Bytes lie in words with the lowest first, bits of masks too.
uint32_t byteAt(const uint32_t* words, unsigned number) {
  return words[number / 4] >> 8 * (number % 4) & 0xFF;
}
void setByte(uint32_t* words, unsigned number, uint32_t byte) {
  words[number / 4] |= byte << 8 * (number % 4);
}

/// The words after a mask, guard bits among them.
unsigned wordsAfter(BlockShape shape, const uint32_t* mask) {
  unsigned bytes = 0;
  for (unsigned i = 0; i < shape.maskWords(); ++i)
    bytes += unsigned(std::popcount(mask[i]));
  const unsigned unit = 4 * shape.maskWords();
  return (bytes + unit - 1) / unit * shape.maskWords();
}

}  // namespace

void Compressor::pack() {
  packed_ = {};
  uint32_t* afterMask = packed_.data() + shape_.maskWords();
  unsigned kept = 0;
  for (unsigned i = 0; i < 4 * shape_.words; ++i) {
    const uint32_t byte = byteAt(block_.data(), i);
    if (byte == 0) continue;
    packed_[i / 32] |= 1u << i % 32;
    setByte(afterMask, kept++, byte);
  }
  count_ = shape_.maskWords() + wordsAfter(shape_, packed_.data());
  filled_ = sent_ = 0;
}

std::optional<uint32_t> Compressor::next() {
  if (sent_ == count_ && !takes()) pack();
  if (sent_ == count_) return std::nullopt;
  return packed_[sent_];
}

bool Decompressor::isWhole() const {
  return count_ >= shape_.maskWords() &&
         count_ == shape_.maskWords() + wordsAfter(shape_, packed_.data());
}

void Decompressor::unpack() {
  const uint32_t* afterMask = packed_.data() + shape_.maskWords();
  unsigned taken = 0;
  block_ = {};
  for (unsigned i = 0; i < 4 * shape_.words; ++i)
    if (packed_[i / 32] >> i % 32 & 1) setByte(block_.data(), i, byteAt(afterMask, taken++));
  count_ = written_ = 0;
}

std::optional<uint32_t> Decompressor::next() {
  if (written_ >= shape_.words && isWhole()) unpack();
  if (written_ >= shape_.words) return std::nullopt;
  return block_[written_];
}

}  // namespace airlite::npu::sim
