#include "Shuffle.hpp"

#include <span>

namespace airlite::npu::sim::core {
namespace {

enum class Half : uint8_t {
  Low,     ///< of the transposed 1024 bits
  High,    ///< the other
  Blocks,  ///< blocks of the first operand, one after the other
};

/// A matrix of elements, the row after the other, is read column after column.
struct ShuffleMode {
  uint8_t elementBytes, rows, columns;
  Half half;
};

// In the order of the modes. A flip reverses the columns of its blocks, which is not a transposition
// and stands apart.
constexpr ShuffleMode kShuffleModes[] = {
    {1, 64, 2, Half::Low},    {1, 64, 2, Half::High},   {2, 32, 2, Half::Low},
    {2, 32, 2, Half::High},   {4, 16, 2, Half::Low},    {4, 16, 2, Half::High},
    {8, 8, 2, Half::Low},     {8, 8, 2, Half::High},    {16, 4, 2, Half::Low},
    {16, 4, 2, Half::High},   {32, 2, 2, Half::Low},    {32, 2, 2, Half::High},
    {16, 2, 4, Half::Low},    {16, 2, 4, Half::High},   {8, 2, 8, Half::Low},
    {8, 2, 8, Half::High},    {4, 2, 16, Half::Low},    {4, 2, 16, Half::High},
    {2, 2, 32, Half::Low},    {2, 2, 32, Half::High},   {1, 2, 64, Half::Low},
    {1, 2, 64, Half::High},   {64, 1, 2, Half::Low},    {64, 1, 2, Half::High},
    {2, 16, 4, Half::Low},    {2, 16, 4, Half::High},   {2, 4, 16, Half::Low},
    {2, 4, 16, Half::High},   {2, 8, 4, Half::Blocks},  {2, 4, 8, Half::Blocks},
    {4, 8, 4, Half::Low},     {4, 8, 4, Half::High},    {4, 4, 8, Half::Low},
    {4, 4, 8, Half::High},    {4, 4, 4, Half::Blocks},  {1, 8, 8, Half::Blocks},
    {1, 16, 4, Half::Blocks}, {1, 4, 16, Half::Blocks}, {2, 1, 2, Half::Blocks},
    {2, 4, 4, Half::Blocks},  {2, 4, 2, Half::Blocks},  {2, 2, 4, Half::Blocks},
    {2, 8, 2, Half::Blocks},  {2, 2, 8, Half::Blocks},  {2, 16, 2, Half::Blocks},
    {2, 2, 16, Half::Blocks}, {1, 8, 4, Half::Blocks},  {1, 4, 8, Half::Blocks},
    {4, 8, 2, Half::Blocks},  {4, 2, 8, Half::Blocks},  {8, 4, 2, Half::Blocks},
    {8, 2, 4, Half::Blocks},  {2, 8, 8, Half::Low},     {2, 8, 8, Half::High},
    {4, 1, 16, Half::Blocks}, {1, 1, 4, Half::Blocks},
};
static_assert(std::size(kShuffleModes) == kAie2pShuffleModes);

/// Modes that turn elements around within their blocks: which bits of a byte's number change.
unsigned flipped(uint32_t mode) {
  switch (mode) {
    case 38: return 2;   // T16_1x2_flip
    case 54: return 60;  // T32_1x16_flip
    case 55: return 3;   // T8_1x4_flip
    default: return 0;
  }
}

/// Where byte `i` of the result comes from.
unsigned source(const ShuffleMode& mode, unsigned i) {
  const unsigned block = mode.rows * mode.columns;
  const unsigned element = i / mode.elementBytes;
  const unsigned inBlock = element % block;
  const unsigned row = inBlock % mode.rows, column = inBlock / mode.rows;
  const unsigned from = element / block * block + row * mode.columns + column;
  return from * mode.elementBytes + i % mode.elementBytes;
}

}  // namespace

bool shuffle(const Value& low, const Value& high, uint32_t number, Value& result) {
  if (number >= std::size(kShuffleModes)) return false;
  const ShuffleMode& mode = kShuffleModes[number];
  const unsigned flip = flipped(number);
  const unsigned base = mode.half == Half::High ? kVectorBytes : 0;
  for (unsigned i = 0; i < kVectorBytes; ++i) {
    const unsigned from = flip ? i ^ flip : source(mode, base + i);
    result.bytes[i] = from < kVectorBytes ? low.bytes[from] : high.bytes[from - kVectorBytes];
  }
  return true;
}

}  // namespace airlite::npu::sim::core
