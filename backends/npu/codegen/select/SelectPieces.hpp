// Products of f32 in pieces of bf16 (support/Bf16Pieces.hpp): math.fma on rows of 16 lanes. A register
// of vectors has room for one piece of each lane in either half, and one instruction adds the products
// of both.
#pragma once

#include "RowPlaces.hpp"
#include "airlite/support/Bf16Pieces.hpp"

#include <cstdint>
#include <tuple>
#include <utility>

namespace airlite::npu::codegen {

class PieceSelector {
 public:
  PieceSelector(Emitter& emitter, Values& values, RowPlaces& rows, LaneConstants& lanes)
      : emitter_(emitter),
        values_(values),
        rows_(rows),
        lanes_(lanes),
        pieces_(emitter),
        rests_(emitter),
        piecePlaces_(emitter) {}

  bool selectFma(Operation& op);

 private:
  Operand pieceAlone(Value value, unsigned piece);
  void addProducts(Operation& op, Bf16PieceCounts counts);
  /// Two pieces of bf16 of the lanes of a row of f32, side by side.
  Operand pieces(Value value, unsigned low, unsigned high);
  Operand newPieces(Value value, unsigned low, unsigned high);
  Operand narrowPieces(Operation& widening, bool isTwice);
  Operand constantPieces(uint32_t bits, unsigned low, unsigned high);
  Operand restOf(Value value, unsigned piece);
  Operand convertedPieces(Value value, unsigned low, unsigned high);
  Operand piecePlace(Value value, unsigned piece);
  void makePiece(Operand half, Value value, unsigned piece);
  bool hasRoomForMove() const;
  static Bf16Step inBestOrder(Bf16Step step, Operation& op);
  void setZero(Operand half);

  Emitter& emitter_;
  Values& values_;
  RowPlaces& rows_;
  LaneConstants& lanes_;
  /// By value and the numbers of both pieces.
  BlockCache<std::tuple<const void*, unsigned, unsigned>> pieces_;
  /// What is left of a value before a piece.
  BlockCache<std::pair<const void*, unsigned>> rests_;
  BlockCache<std::pair<const void*, unsigned>> piecePlaces_;  ///< halves with one piece
};

}  // namespace airlite::npu::codegen
