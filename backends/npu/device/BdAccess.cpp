#include "airlite/npu/device/BdAccess.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace airlite::npu {
namespace {

/// One dimension; `size` 0 never ends.
struct Dim {
  int64_t step;
  int64_t size;
  int64_t before;
  int64_t after;
  int64_t run() const { return before + size + after; }
};

BdField field(BdField first, unsigned dim) { return BdField(unsigned(first) + dim); }

Dim dimOf(const BufferDescriptor& bd, unsigned dim) {
  const auto& limits = limitsOf(bd.kind());
  const bool hasWrap = dim < limits.wraps;
  const auto get = [&](BdField first) { return bd.get(field(first, dim)); };
  return {get(BdField::D0Step), hasWrap ? get(BdField::D0Wrap) : 0,
          hasWrap ? get(BdField::D0Before) : 0, hasWrap ? get(BdField::D0After) : 0};
}

bool hasPadding(const BufferDescriptor& bd) {
  for (unsigned dim = 0; dim < limitsOf(bd.kind()).wraps; ++dim)
    if (dimOf(bd, dim).before || dimOf(bd, dim).after) return true;
  return false;
}

/// The dimension that never ends: the first without a wrap, at the latest the highest.
unsigned openDim(const BufferDescriptor& bd) {
  const unsigned dims = limitsOf(bd.kind()).dims;
  for (unsigned dim = 0; dim < dims; ++dim)
    if (dimOf(bd, dim).size == 0) return dim;
  return dims - 1;
}

/// The largest offset among the first `count` words of dimensions 0 .. `dim`.
int64_t largest(const BufferDescriptor& bd, unsigned dim, int64_t count) {
  const Dim own = dimOf(bd, dim);
  if (dim == 0) return (count - 1) * own.step;
  int64_t below = 1;
  for (unsigned lower = 0; lower < dim; ++lower)
    below *= dimOf(bd, lower).size;
  const int64_t top = (count - 1) / below;
  const int64_t last = top * own.step + largest(bd, dim - 1, (count - 1) % below + 1);
  if (top == 0) return last;
  return std::max(last, (top - 1) * own.step + largest(bd, dim - 1, below));
}

/// Words that come from memory when every dimension that ends is run to its end.
int64_t wordsWithoutPadding(const BufferDescriptor& bd) {
  const int64_t length = bd.get(BdField::Length);
  if (!hasPadding(bd)) return length;
  int64_t sent = 1, data = 1;
  const unsigned open = openDim(bd);
  for (unsigned dim = 0; dim < open; ++dim) {
    sent *= dimOf(bd, dim).run();
    data *= dimOf(bd, dim).size;
  }
  // The open dimension has no padding after it, but may have some before.
  const int64_t rows = (length + sent - 1) / sent - dimOf(bd, open).before;
  return std::max<int64_t>(rows, 1) * data;
}

int64_t wordsOfMemory(TileKind kind) { return toWords(limitsOf(kind).dataMemory).value; }

}  // namespace

std::optional<Words> wordOf(const BufferDescriptor& bd, int64_t index, int64_t iteration) {
  int64_t offset = iteration * bd.get(BdField::IterationStep);
  const unsigned open = openDim(bd);
  for (unsigned dim = 0; dim <= open; ++dim) {
    const Dim own = dimOf(bd, dim);
    const int64_t at = dim == open ? index : index % own.run();
    if (dim < open) index /= own.run();
    const bool isAfter = dim < open && at >= own.before + own.size;
    if (at < own.before || isAfter) return std::nullopt;
    offset += (at - own.before) * own.step;
  }
  return Words(offset);
}

Words reachOf(const BufferDescriptor& bd) {
  const int64_t moves = (bd.get(BdField::IterationWrap) - 1) * bd.get(BdField::IterationStep);
  const int64_t words = std::max<int64_t>(wordsWithoutPadding(bd), 1);
  return Words(moves + largest(bd, openDim(bd), words) + 1);
}

std::optional<Error> outOfMemory(const BufferDescriptor& bd) {
  if (bd.kind() == TileKind::Shim) return std::nullopt;
  const int64_t size = wordsOfMemory(bd.kind());
  const int64_t start = bd.get(BdField::Base) % size, end = start + reachOf(bd).value;
  if (end <= size) return std::nullopt;
  return Error{fmt::format("the BD reaches byte {:#x} of a memory of {:#x} bytes",
                           end * bytesPerWord - 1, size * bytesPerWord)};
}

}  // namespace airlite::npu
