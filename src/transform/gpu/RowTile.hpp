// The tile of rows that a wave has: its place in memory and in the row, and values of it.
#pragma once

#include "GridWriter.hpp"
#include "RowKernel.hpp"

namespace airlite::gpu {

class RowTile : public GridWriter {
 protected:
  RowTile(const RowChain& chain, const RowPlan& plan, const amdgpu::GpuDevice& device)
      : GridWriter(linalg::StructuredOp(chain.ops.back()), device), chain_(chain), plan_(plan) {}

  const RowNode& at(int node) const { return chain_.nodes[static_cast<size_t>(node)]; }

  // -- Levels
  /// A row for each workgroup; `inSegment` writes what all its waves share.
  template <class InSegment> void openRow(InSegment inSegment) {
    countRows();
    openGroups(rows_);
    row_ = group();
    inSegment();
    openWaves(plan_.waves, true);
    wave_ = waveOfGroup();
    column_ = times(wave_, plan_.columns);
    findRow();
  }
  /// A tile for each wave, those of a row one after the other. Waves after the last one do nothing.
  void openTiles();

  // -- Shapes
  /// No tile leaves the rows, or the columns.
  bool hasWholeRows() const { return plan_.rows == 1 || isKnown(0, chain_.rowLoops, plan_.rows); }
  bool hasWholeColumns() const;
  /// A tile has several rows.
  bool isInRows() const { return plan_.rows > 1; }
  /// Of a value that differs over these; empty: a number.
  std::vector<int64_t> shapeOf(unsigned over) const;
  Type typeOf(unsigned over, Type element) const;
  /// f32 for floats of 16 bits.
  Type widened(Type element) const;
  /// A number, or a vector, to one that differs over more.
  Value raise(Value value, unsigned over, unsigned to);

  // -- Memory
  VectorPlace vectorPlace(const RowPlace& place, unsigned over);
  /// Of a number in `memref`, which is set to a view of the place's.
  std::vector<Value> numberIndices(const RowPlace& place, Value& memref);
  Value readMemory(const RowNode& node);

  const RowChain& chain_;
  const RowPlan& plan_;
  Value rows_, columns_;       ///< how many
  Value row_, column_, wave_;  ///< first ones of the tile; number of the wave in the row

 private:
  void countRows();
  Value sizeOfLoop(unsigned loop);
  Value product(unsigned from, unsigned to);
  /// Indices of the row for each loop, where one number is not enough.
  void findRow();
  bool isKnown(unsigned from, unsigned to, int64_t multiple) const;
  /// The memref with one dimension for its rows and one for its columns, where it has them.
  Value collapsed(const RowPlace& place, bool joinsRows);
  std::vector<Value> indicesOf(const RowPlace& place);

  std::vector<Value> rowIndices_;
};

}  // namespace airlite::gpu
