// See ShuffleModes.hpp.
#include "airlite/npu/device/ShuffleModes.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace airlite::npu {

namespace {

constexpr int64_t kRegisterBytes = 64;

/// Source: docs/hardware/vector_facts.md, section 9.
struct Transposition {
  uint32_t number;
  int64_t elementBytes, rows, columns;

  /// Where byte `i` comes from, of matrices that lie one after the other.
  int64_t source(int64_t i) const {
    const int64_t matrix = i / (rows * columns * elementBytes) * rows * columns;
    const int64_t element = i / elementBytes - matrix;
    return (matrix + element % rows * columns + element / rows) * elementBytes + i % elementBytes;
  }
};

/// Of the first register alone, one block after the other.
constexpr std::array<Transposition, 15> kOfBlocks = {{{28, 2, 8, 4},
                                                      {29, 2, 4, 8},
                                                      {34, 4, 4, 4},
                                                      {35, 1, 8, 8},
                                                      {36, 1, 16, 4},
                                                      {37, 1, 4, 16},
                                                      {39, 2, 4, 4},
                                                      {40, 2, 4, 2},
                                                      {41, 2, 2, 4},
                                                      {42, 2, 8, 2},
                                                      {43, 2, 2, 8},
                                                      {44, 2, 16, 2},
                                                      {45, 2, 2, 16},
                                                      {46, 1, 8, 4},
                                                      {47, 1, 4, 8}}};

/// Of both registers: mode `number` gives the lower half, the mode after it the upper one.
constexpr std::array<Transposition, 16> kTranspositions = {{{0, 1, 64, 2},
                                                            {2, 2, 32, 2},
                                                            {4, 4, 16, 2},
                                                            {6, 8, 8, 2},
                                                            {8, 16, 4, 2},
                                                            {10, 32, 2, 2},
                                                            {12, 16, 2, 4},
                                                            {14, 8, 2, 8},
                                                            {16, 4, 2, 16},
                                                            {18, 2, 2, 32},
                                                            {20, 1, 2, 64},
                                                            {22, 64, 1, 2},
                                                            {24, 2, 16, 4},
                                                            {26, 2, 4, 16},
                                                            {30, 4, 8, 4},
                                                            {32, 4, 4, 8}}};
/// Of AIE2P besides: docs/hardware/aie2p.md, "vshuffle".
constexpr Transposition kSquareOfAie2p = {52, 2, 8, 8};

/// Where each byte of the result comes from.
std::vector<int64_t> sourcesOf(int64_t bytes, std::span<const int64_t> from, int64_t lanes) {
  std::vector<int64_t> sources;
  for (int64_t element : from)
    for (int64_t i = 0; i < bytes; ++i)
      sources.push_back((element < lanes ? 0 : kRegisterBytes - lanes * bytes) + element * bytes +
                        i);
  return sources;
}

}  // namespace

std::optional<uint32_t> findShuffleMode(aie::Generation generation, unsigned elementBytes,
                                        std::span<const int64_t> from, int64_t lanes) {
  const std::vector<int64_t> sources = sourcesOf(elementBytes, from, lanes);
  auto gives = [&](const Transposition& mode, int64_t first) {
    return std::ranges::all_of(sources, [&](int64_t byte) { return byte == mode.source(first++); });
  };
  auto halfOf = [&](const Transposition& mode) -> std::optional<uint32_t> {
    for (uint32_t half : {0u, 1u})
      if (gives(mode, half * kRegisterBytes)) return mode.number + half;
    return std::nullopt;
  };
  for (const Transposition& mode : kTranspositions)
    if (auto found = halfOf(mode)) return found;
  for (const Transposition& mode : kOfBlocks)
    if (gives(mode, 0)) return mode.number;
  return generation == aie::Generation::Aie2p ? halfOf(kSquareOfAie2p) : std::nullopt;
}

}  // namespace airlite::npu
