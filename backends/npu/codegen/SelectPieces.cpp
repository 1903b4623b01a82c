// Products of f32 in pieces of bf16 (support/Bf16Pieces.hpp): math.fma on rows of 16 lanes. A
// register of vectors has room for one piece of each lane in either half, and one instruction adds
// the products of both.
#include "Select.hpp"
#include "airlite/dialect/Evaluate.hpp"
#include "airlite/ir/OpDef.hpp"

#include <utility>

namespace airlite::npu::codegen {

using isa::Form;
using isa::Reg;

namespace {

// T256_2x2_lo and _hi: the low halves of two registers, or the high ones.
constexpr uint32_t kLowHalves = 10, kHighHalves = 11;
constexpr unsigned kNoPiece = 3;  // zeros; after all pieces

/// Lanes of bf16, widened.
bool isOneBf16(Value value) {
  Operation* op = value.definingOp();
  return op && op->is("arith.extf") && elementTypeOrSelf(op->operand(0).type()).isBF16();
}

}  // namespace

/// What is left of the lanes when the pieces before number `piece` are taken away.
Operand Selector::restOf(Value value, unsigned piece) {
  if (piece == 0) return sumOf(value);
  auto [place, isNew] = rests_.try_emplace({value.impl(), piece});
  if (!isNew) return place->second;
  Operand before = restOf(value, piece - 1), taken = fresh(RegClass::HalfAccumulator),
          rest = fresh(RegClass::HalfAccumulator);
  emit(Form::VCONV_FP32_BF16, {taken, piecePlace(value, piece - 1)});
  emit(Form::VSUB_F, {rest, before, taken, constant(kFloatSum)});
  return rests_[{value.impl(), piece}] = rest;
}

/// The half of a register in which a piece is already, or is from now on.
Operand Selector::piecePlace(Value value, unsigned piece) {
  auto found = piecePlaces_.find({value.impl(), piece});
  if (found != piecePlaces_.end()) return found->second;
  if (piece == 0)
    makePiece(fresh(RegClass::Vector).at(Part::Low), value, piece);
  else
    pieces(value, piece - 1, piece);  // the products of these two are needed, too
  return piecePlaces_.at({value.impl(), piece});
}

/// Converts a row into half of a register, where it is the piece of that number; what was converted
/// before may be copied, in the slot that has more room.
void Selector::makePiece(Operand half, Value value, unsigned piece) {
  auto [place, isNew] = piecePlaces_.try_emplace({value.impl(), piece}, half);
  const Operand before = std::exchange(place->second, half);
  if (!isNew && hasRoomForMove()) return void(emit(Form::VMOV_mv_w, {half, before}));
  Operand rest = restOf(value, piece);
  setRounding();
  emit(Form::VCONV_BF16_FP32, {half, rest});
}

/// Are there fewer instructions of the slot mv than of st so far?
bool Selector::hasRoomForMove() const {
  int64_t more = 0;
  for (const MachineInst& inst : function_.blocks[block_].instructions) {
    const isa::Slot slot = inst.row().slot;
    more += (slot == isa::Slot::St) - (slot == isa::Slot::Mv);
  }
  return more > 0;
}

Operand Selector::constantPieces(uint32_t bits, unsigned low, unsigned high) {
  const auto all = bf16_pieces::split(bits, 3);
  auto wordOf = [&](unsigned piece) {
    return piece == kNoPiece ? 0u : uint32_t{all[piece]} * 0x00010001u;
  };
  LaneWords words;
  for (size_t i = 0; i < words.size(); ++i)
    words[i] = wordOf(i < words.size() / 2 ? low : high);
  if (auto loaded = loadedLanes(words, RegClass::Vector)) return *loaded;
  auto lanes = [&](unsigned piece) {
    Operand result = fresh(RegClass::Vector);
    emit(Form::VBCST_16, {result, constant(piece == kNoPiece ? 0 : all[piece])});
    return result;
  };
  Operand first = lanes(low);
  if (low == high) return first;
  Operand both = fresh(RegClass::Vector);
  emit(Form::VSHUFFLE, {both, first, lanes(high), constant(kLowHalves)});
  return both;
}

/// What is widened is its own first piece.
Operand Selector::narrowPieces(Operation& widening, bool isTwice) {
  const Operand half = halfOf(widening.operand(0)), lanes = half.at(Part::Whole);
  return shuffled(lanes, isTwice ? lanes : constantPieces(0, 0, 0),
                  half.part == Part::High ? kHighHalves : kLowHalves);
}

/// By a load, for which there is room in loops of products.
void Selector::setZero(Operand half) {
  const auto at = isInRow_ ? state_.lanesAddress({}) : std::nullopt;
  if (at)
    accessPart(kVectorLoad, half, fixedAddress(*at, kHalfBytes, kVectorLoad));
  else
    emit(Form::VMOV_mv_w, {half, constantPieces(0, 0, 0).at(Part::Low)});
}

Operand Selector::pieces(Value value, unsigned low, unsigned high) {
  auto found = pieces_.find({value.impl(), low, high});
  if (found != pieces_.end()) return found->second;
  Operand both;
  if (auto bits = splatOf(value)) {
    both = constantPieces(static_cast<uint32_t>(*bits), low, high);
  } else if (isOneBf16(value) && low == 0 && (high == 0 || high == kNoPiece)) {
    both = narrowPieces(*value.definingOp(), high == 0);
  } else if (low > high) {
    Operand swapped = pieces(value, high, low);
    both = fresh(RegClass::Vector);
    emit(Form::VSHIFT, {both, swapped, swapped, constant(kHalfBytes)});
  } else {
    both = convertedPieces(value, low, high);
  }
  return pieces_[{value.impl(), low, high}] = both;
}

Operand Selector::convertedPieces(Value value, unsigned low, unsigned high) {
  // Both halves are written one after the other: what is read before it is complete lives long.
  restOf(value, high == kNoPiece ? low : high);
  Operand both = fresh(RegClass::Vector);
  makePiece(both.at(Part::Low), value, low);
  if (high == kNoPiece)
    setZero(both.at(Part::High));
  else
    makePiece(both.at(Part::High), value, high);
  return both;
}

bool Selector::selectFma(Operation& op) {
  Type type = op.result().type();
  auto counts = bf16PiecesOf(op);
  if (!isFloatRow(type) || !counts) {
    op.emitOpError() << "computes " << type
                     << "; not supported: anything but 16 lanes of f32 with '" << kBf16Pieces
                     << "'";
    return false;
  }
  const bool isAlone = splatOf(op.operand(2)) == 0;
  Operand sum = isAlone ? Operand() : sumOf(op.operand(2));
  const std::span<const Bf16Step> steps = bf16Steps(*counts);
  for (size_t i = 0; i < steps.size(); ++i) {
    const auto& [terms, count] = steps[i];
    const bool isPair = count == 2;
    Operand a = pieces(op.operand(0), terms[0].a, isPair ? terms[1].a : kNoPiece),
            b = pieces(op.operand(1), terms[0].b, isPair ? terms[1].b : kNoPiece);
    Operand next = i + 1 == steps.size() ? define(op.result()) : fresh(RegClass::HalfAccumulator);
    if (i == 0 && isAlone)
      emit(Form::VMUL_F_vmac_bm_core_dense, {next, a, b, constant(kProductsOfBf16)});
    else
      emit(Form::VMAC_F_vmac_bm_core_dense, {next, sum, a, b, constant(kProductsOfBf16)});
    sum = next;
  }
  return true;
}

}  // namespace airlite::npu::codegen
