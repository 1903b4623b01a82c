// What the DMAs of core and memory tiles make of zeros: a block of memory goes over the stream as a
// mask, a bit for each byte, and the bytes that are not zero.
//
// AIE2: AM020 ("Sparsity") has blocks of 256 bits, a mask of 32 with a 1 for each byte that is not
// zero, those bytes, and guard bits up to the next whole word. That bit n stands for byte n, that
// bytes keep their order and that guard bits are zeros follows from a Phoenix: the hashes of its
// output that mlir-aie publishes (programming_examples/basic/dma_compression, npu1) are those of
// what stands here, both ways. AIE2P: nothing public describes it; blocks of 512 bits, masks of 64
// and guard bits up to the next 64 are what gives the hashes published for npu2, both ways.
// tests/npu/run/compression.mlir and compression_npu2.mlir make all four.
//
// Assumed, as nothing public says it: blocks are counted in the order of the stream, after access
// patterns and padding; TLAST comes with the last word of a BD's last block.
#pragma once

#include "airlite/npu/device/Registers.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace airlite::npu::sim {

/// How a generation cuts what it compresses.
struct BlockShape {
  unsigned words = 8;  ///< of a block, a multiple of 8
  /// Words of the mask; bytes after it fill as many words or a multiple of them.
  constexpr unsigned maskWords() const { return words / 8; }
};
constexpr BlockShape blockShape(Generation generation) {
  return {generation == Generation::Aie2 ? 8u : 16u};
}
constexpr unsigned mostBlockWords = 16;

/// The sender's side: words of memory in, words of the stream out, a word of each in a cycle.
class Compressor {
 public:
  explicit Compressor(BlockShape shape = {}) : shape_(shape) {}

  /// Whether a word of memory has a place.
  bool takes() const { return filled_ < shape_.words; }
  void take(uint32_t word) { block_[filled_++] = word; }
  /// The next word of the stream, if there is one.
  std::optional<uint32_t> next();
  void pop() { ++sent_; }
  bool isEmpty() const { return filled_ == 0 && sent_ == count_; }

 private:
  void pack();

  BlockShape shape_;
  std::array<uint32_t, mostBlockWords> block_{};
  unsigned filled_ = 0;
  std::array<uint32_t, mostBlockWords + 2> packed_{};
  unsigned count_ = 0, sent_ = 0;
};

/// The receiver's side, the other way round.
class Decompressor {
 public:
  explicit Decompressor(BlockShape shape = {}) : shape_(shape) {}

  bool takes() const { return !isWhole(); }
  void take(uint32_t word) { packed_[count_++] = word; }
  /// No block is here in part: the next word is the first of a mask.
  bool isBetweenBlocks() const { return count_ == 0 || isWhole(); }
  /// The next word for memory, if there is one.
  std::optional<uint32_t> next();
  void pop() { ++written_; }

 private:
  bool isWhole() const;
  void unpack();

  BlockShape shape_;
  std::array<uint32_t, mostBlockWords + 2> packed_{};
  unsigned count_ = 0;
  std::array<uint32_t, mostBlockWords> block_{};
  unsigned written_ = mostBlockWords;
};

}  // namespace airlite::npu::sim
