// What a workgroup of attention reads: heads, fragments of queries, blocks of keys and values in LDS.
#pragma once

#include "AttentionKernel.hpp"
#include "TileWriter.hpp"
#include "airlite/dialect/MemRef.hpp"

#include <bit>

namespace airlite::gpu {

/// Rows and columns of a block that a wave brings to LDS: both are powers of two.
struct Share {
  int64_t rows = 0, columns = 0;
  Value row, column;  ///< first ones in the block
};
class AttentionMemory : public TileWriter {
 protected:
  AttentionMemory(const Attention& attention, const AttentionPlan& plan)
      : TileWriter(attention.result),
        a_(attention),
        plan_(plan),
        rows_(plan.scores->m),
        columns_(plan.scores->n),
        f32_(FloatType::get(context(), FloatKind::F32)) {}

  Value sizeOfLoop(unsigned loop) {
    if (a_.sizes[loop] != kDynamic) return index(a_.sizes[loop]);
    const std::pair<Value, AffineMap> operands[] = {
        {a_.q, a_.mapQ}, {a_.k, a_.mapK}, {a_.o, a_.mapO}};
    for (const auto& [memref, map] : operands)
      for (unsigned i = 0; i < map.numResults(); ++i)
        if (map.result(i).position() == loop)
          return builder_
              .create(location(), "memref.dim", {memref, index(i)}, {builder_.indexType()})
              ->result();
    return index(1);
  }

  /// The last loop is the fastest.
  void takeHead(Value number) {
    std::vector<unsigned> batch;
    for (unsigned loop = 0; loop < a_.rank; ++loop)
      if (a_.isBatch(loop)) batch.push_back(loop);
    for (size_t i = batch.size(); i-- > 0;) {
      starts_[batch[i]] = number;
      if (i == 0) return;
      const Value size = sizeOfLoop(batch[i]);
      starts_[batch[i]] = binary("arith.remui", number, size);
      number = binary("arith.divui", number, size);
    }
  }

  Value allocTile(std::vector<int64_t> shape, Type element) {
    if (plan_.isDouble) shape.insert(shape.begin(), 2);
    const auto type = MemRefType::get(context(), shape, element, Attribute(), builder_.i64Attr(1));
    return memref::AllocOp::create(builder_, location(), type)->result();
  }

  bool isWhole(unsigned loop, int64_t block) const {
    return a_.sizes[loop] > 0 && a_.sizes[loop] % block == 0;  // open sizes are below 0
  }

  // -- From memory ---------------------------------------------------------------------------------

  /// Columns of all rows where these can be divided by the waves, else some rows in pieces.
  std::vector<Share> sharesOf(int64_t rows, int64_t columns, Value wave, bool byColumns) {
    const int64_t part = columns / plan_.waves;
    const bool isDivided = columns % plan_.waves == 0 && part >= kFewColumns &&
                           std::has_single_bit(static_cast<uint64_t>(part));
    if (byColumns && isDivided) return {{rows, part, index(0), times(wave, part)}};
    std::vector<Share> shares;
    const int64_t piece = columns & -columns;
    const Value row = times(wave, rows / plan_.waves);
    for (int64_t column = 0; column < columns; column += piece)
      shares.push_back({rows / plan_.waves, piece, row, index(column)});
    return shares;
  }
  static constexpr int64_t kFewColumns = 8;

  /// A tile of rows along `rowLoop`, which lie one after the other.
  Value load(Value memref, AffineMap map, unsigned rowLoop, Value row, int64_t rows,
             int64_t rowBlock, unsigned columnLoop, Value column, int64_t columns,
             int64_t allColumns) {
    Tile tile{starts_, {rowLoop, columnLoop}, {rows, columns}, {true, true}};
    tile.starts[rowLoop] = row;
    tile.starts[columnLoop] = column;
    tile.inside[0] = isWhole(rowLoop, rowBlock);
    tile.inside[1] = a_.sizes[columnLoop] == allColumns;
    return readTile(memref, map, tile);
  }

  /// Fragments along d.
  std::vector<Value> loadQueries(Value first) {
    std::vector<Value> fragments;
    for (int64_t d = 0; d < plan_.depth; d += plan_.contractD())
      fragments.push_back(convert(load(a_.q, a_.mapQ, a_.m, first, columns_, plan_.blockM(), a_.d(),
                                       index(d), plan_.contractD(), plan_.depth),
                                  a_.factor));
    return fragments;
  }

  /// The shares of a wave of the keys, then of the values, which are turned.
  std::vector<Value> loadBlocks(Value first) {
    std::vector<Value> loaded;
    for (const Share& share : keyShares_)
      loaded.push_back(load(a_.k, a_.mapK, a_.n, binary("arith.addi", first, share.row), share.rows,
                            plan_.keys, a_.d(), share.column, share.columns, plan_.depth));
    for (const Share& share : valueShares_)
      loaded.push_back(
          transpose(load(a_.v, a_.mapV, a_.n, binary("arith.addi", first, share.row), share.rows,
                         plan_.keys, a_.e(), share.column, share.columns, plan_.columns)));
    return loaded;
  }

  void storeBlocks(const std::vector<Value>& loaded, Value buffer) {
    auto at = loaded.begin();
    for (const Share& share : keyShares_)
      store(widenedHere(*at++, a_.factor), keyTile_, buffer, share.row, share.column);
    for (const Share& share : valueShares_)
      store(widenedHere(*at++, a_.value), valueTile_, buffer, share.column, share.row);
  }

  /// Floats of eight bits are widened when they have arrived. The compiler would do it earlier, for all of
  /// them at once, and run out of registers.
  Value widenedHere(Value loaded, Type element) {
    if (elementTypeOrSelf(loaded.type()) == element) return loaded;
    builder_.create(location(), "gpu.schedule_barrier", {}, {});
    return convert(loaded, element);
  }

  std::vector<Value> tileOperands(Value tile, Value buffer, Value row, Value column) const {
    std::vector<Value> operands = {tile};
    if (plan_.isDouble) operands.push_back(buffer);
    operands.push_back(row);
    operands.push_back(column);
    return operands;
  }

  void store(Value vector, Value tile, Value buffer, Value row, Value column) {
    std::vector<Value> operands = tileOperands(tile, buffer, row, column);
    operands.insert(operands.begin(), vector);
    builder_.create(location(), "vector.store", operands, {});
  }

  Value fragment(Value tile, Type element, Value buffer, int64_t row, int64_t rows, int64_t column,
                 int64_t columns) {
    const Type types[] = {vectorType({rows, columns}, element)};
    return builder_
        .create(location(), "vector.load", tileOperands(tile, buffer, index(row), index(column)),
                types)
        ->result();
  }
  const Attention& a_;
  const AttentionPlan& plan_;
  const int64_t rows_, columns_;  ///< keys and queries of a tile of scores
  const Type f32_;
  std::vector<Value> starts_;  ///< of the loops of the head; others are set where they are known
  Value keyTile_, valueTile_;
  std::vector<Share> keyShares_, valueShares_;
};

}  // namespace airlite::gpu
