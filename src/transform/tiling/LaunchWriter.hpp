// Ops of launches that copy parts of buffers of the host by cores: buffers, parts, copies, loops and places. Base of what writes them
// (RowMover.cpp, BoxMover.cpp). Private to transform/.
#pragma once

#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace airlite::tiling {

/// Of the vectors that cores copy: rows of a matrix that begin at multiples of this are copied fastest.
constexpr int64_t kRowVectorBytes = 32;
/// Room after what is copied in L1: what begins at any byte is a part of two vectors, and the last vectors go on after the end.
constexpr int64_t kSlackBytes = 4 * kRowVectorBytes;
/// Of what comes and goes for a core in a launch instance; longer ones gain nothing.
constexpr int64_t kTileBytes = 24576;
constexpr int64_t roundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

/// Cores that take part, and what each has for what it copies.
struct RowCores {
  int64_t rows = 1, columns = 1;
  int64_t l1Bytes = 0;
};

class LaunchWriter {
 public:
  /// `element` is that of all buffers.
  LaunchWriter(Rewriter& rewriter, Location location, Type element)
      : rewriter_(rewriter), location_(location), element_(element) {}

 protected:
  using MixedIndex = memref::MixedIndex;

  int64_t elementBytes() const { return element_.bitWidth() / 8; }
  int64_t lanes() const { return kRowVectorBytes / elementBytes(); }
  VectorType vectorType() const;

  Value number(int64_t value) { return rewriter_.constantIndex(location_, value); }
  Value binary(std::string_view name, Value a, Value b);
  Value sum(Value a, Value b) { return binary("arith.addi", a, b); }
  Value product(Value value, int64_t by) { return binary("arith.muli", value, number(by)); }
  /// Outside of cores, where places are maps: the sum of products.
  MixedIndex place(int64_t first, std::initializer_list<std::pair<Value, int64_t>> terms);
  MixedIndex times(Value value, int64_t by) { return place(0, {{value, by}}); }

  /// A row-major buffer in one dimension.
  Value flat(Value memory);
  Value part(Value memory, std::vector<MixedIndex> offsets, std::vector<MixedIndex> sizes);
  /// In L1 (2) or L2 (1).
  Value alloc(std::vector<int64_t> shape, int64_t space);
  void copy(Value from, Value to) { memref::CopyOp::create(rewriter_, location_, from, to); }
  void free(Value memory) { memref::DeallocOp::create(rewriter_, location_, memory); }
  /// Elements of a flat buffer from a place on, as many for each column of the array.
  Value ofColumns(Value memory, MixedIndex first, int64_t elements, int64_t columns);
  /// What a core has of a buffer in L2.
  Value ofCore(Value memory, int64_t elements, Value column, Value core) {
    return part(memory, {column, times(core, elements)}, {1, elements});
  }
  /// In L1, longer than its elements by what vectors at their end go on.
  Value room(int64_t elements);
  /// To a part of L1. What ends inside of a word comes into memory of its own: the rest of the word is filled, too.
  void bringIn(Value source, Value target, int64_t elements);
  // Vectors of 32 bytes, in flat buffers.
  Value zeros();
  Value loadVector(Value memory, Value place);
  void storeVector(Value vector, Value memory, Value place);
  void moveVector(Value from, Value to, Value source, Value target);

  Operation* parallel(int64_t first, int64_t second, FunctionRef<void(Value, Value)> body);
  void loop(int64_t end, int64_t step, FunctionRef<void(Value)> body);

  Rewriter& rewriter_;
  Location location_;
  Type element_;

 private:
  void inside(Block& block, FunctionRef<void()> body);
};

}  // namespace airlite::tiling
