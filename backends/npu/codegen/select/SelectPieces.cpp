#include "SelectPieces.hpp"

#include "Access.hpp"
#include "VectorForms.hpp"
#include "airlite/dialect/Evaluate.hpp"
#include "airlite/ir/OpDef.hpp"

#include <cstddef>
#include <span>
#include <utility>

namespace airlite::npu::codegen {

using isa::Form;

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
Operand PieceSelector::restOf(Value value, unsigned piece) {
  if (piece == 0) return rows_.sumOf(value);
  if (const Operand* found = rests_.find({value.impl(), piece})) return *found;
  Operand before = restOf(value, piece - 1), taken = emitter_.fresh(RegClass::HalfAccumulator),
          rest = emitter_.fresh(RegClass::HalfAccumulator);
  emitter_.emit(Form::VCONV_FP32_BF16,
                {taken.at(rowOfSums(emitter_)), piecePlace(value, piece - 1)});
  emitter_.emit(Form::VSUB_F, {rest, before, taken, emitter_.constant(floatSum(emitter_))});
  return rests_.set({value.impl(), piece}, rest);
}

/// The half of a register in which a piece is already, or is from now on.
Operand PieceSelector::piecePlace(Value value, unsigned piece) {
  if (!emitter_.isAie2()) return pieceAlone(value, piece).at(Part::Low);
  if (const Operand* found = piecePlaces_.find({value.impl(), piece})) return *found;
  if (piece == 0)
    makePiece(emitter_.fresh(RegClass::Vector).at(Part::Low), value, piece);
  else
    pieces(value, piece - 1, piece);  // the products of these two are needed, too
  return *piecePlaces_.find({value.impl(), piece});
}

/// Converts a row into half of a register, where it is the piece of that number; what was converted
/// before may be copied, in the slot that has more room.
void PieceSelector::makePiece(Operand half, Value value, unsigned piece) {
  const Operand* found = piecePlaces_.find({value.impl(), piece});
  const Operand before = found ? *found : Operand();
  piecePlaces_.set({value.impl(), piece}, half);
  if (before.isRegister() && hasRoomForMove()) {
    emitter_.emit(Form::VMOV_mv_w, {half, before});
    return;
  }
  Operand rest = restOf(value, piece);
  setRounding(emitter_);
  emitter_.emit(Form::VCONV_BF16_FP32, {half, rest.at(rowOfSums(emitter_))});
}

/// Are there fewer instructions of the slot mv than of st so far?
bool PieceSelector::hasRoomForMove() const {
  int64_t more = 0;
  for (const MachineInst& inst : emitter_.instructions()) {
    const isa::Slot slot = inst.row().slot;
    more += (slot == isa::Slot::St) - (slot == isa::Slot::Mv);
  }
  return more > 0;
}

Operand PieceSelector::constantPieces(uint32_t bits, unsigned low, unsigned high) {
  const auto all = bf16_pieces::split(bits, 3);
  auto wordOf = [&](unsigned piece) {
    return piece == kNoPiece ? 0u : uint32_t{all[piece]} * 0x00010001u;
  };
  LaneWords words;
  for (size_t i = 0; i < words.size(); ++i)
    words[i] = wordOf(i < words.size() / 2 ? low : high);
  if (auto loaded = lanes_.loaded(words, RegClass::Vector)) return *loaded;
  auto lanes = [&](unsigned piece) {
    Operand result = emitter_.fresh(RegClass::Vector);
    emitter_.emit(Form::VBCST_16, {result, emitter_.constant(piece == kNoPiece ? 0 : all[piece])});
    return result;
  };
  Operand first = lanes(low);
  if (low == high) return first;
  Operand both = emitter_.fresh(RegClass::Vector);
  emitter_.emit(Form::VSHUFFLE, {both, first, lanes(high), emitter_.constant(kLowHalves)});
  return both;
}

/// What is widened is its own first piece.
Operand PieceSelector::narrowPieces(Operation& widening, bool isTwice) {
  const Operand half = rows_.halfOf(widening.operand(0)), lanes = half.at(Part::Whole);
  return shuffled(emitter_, lanes, isTwice ? lanes : constantPieces(0, 0, 0),
                  half.part == Part::High ? kHighHalves : kLowHalves);
}

/// By a load, for which there is room in loops of products.
void PieceSelector::setZero(Operand half) {
  if (!lanes_.loadZero(half))
    emitter_.emit(Form::VMOV_mv_w, {half, constantPieces(0, 0, 0).at(Part::Low)});
}

Operand PieceSelector::pieces(Value value, unsigned low, unsigned high) {
  if (const Operand* found = pieces_.find({value.impl(), low, high})) return *found;
  return pieces_.set({value.impl(), low, high}, newPieces(value, low, high));
}

Operand PieceSelector::newPieces(Value value, unsigned low, unsigned high) {
  if (auto bits = splatBits(value)) return constantPieces(static_cast<uint32_t>(*bits), low, high);
  if (isOneBf16(value) && low == 0 && (high == 0 || high == kNoPiece))
    return narrowPieces(*value.definingOp(), high == 0);
  if (low <= high) return convertedPieces(value, low, high);
  Operand swapped = pieces(value, high, low), both = emitter_.fresh(RegClass::Vector);
  emitter_.emit(Form::VSHIFT, {both, swapped, swapped, emitter_.constant(kHalfBytes)});
  return both;
}

Operand PieceSelector::convertedPieces(Value value, unsigned low, unsigned high) {
  // Both halves are written one after the other: what is read before it is complete lives long.
  restOf(value, high == kNoPiece ? low : high);
  Operand both = emitter_.fresh(RegClass::Vector);
  makePiece(both.at(Part::Low), value, low);
  if (high == kNoPiece)
    setZero(both.at(Part::High));
  else
    makePiece(both.at(Part::High), value, high);
  return both;
}

/// A piece alone in the low half of a register.
Operand PieceSelector::pieceAlone(Value value, unsigned piece) {
  if (auto bits = splatBits(value))
    return constantPieces(static_cast<uint32_t>(*bits), piece, piece);
  if (isOneBf16(value) && piece == 0 && !piecePlaces_.find({value.impl(), piece})) {
    const Operand half = rows_.halfOf(value.definingOp()->operand(0));
    Operand place = half;
    if (half.part != Part::Low) {
      place = emitter_.fresh(RegClass::Vector).at(Part::Low);
      emitter_.emit(Form::VMOV_mv_w, {place, half});
    }
    piecePlaces_.find({value.impl(), piece});
    piecePlaces_.set({value.impl(), piece}, place);
  }
  if (const Operand* found = piecePlaces_.find({value.impl(), piece}))
    return found->at(Part::Whole);
  restOf(value, piece);  // with the pieces before
  const Operand place = emitter_.fresh(RegClass::Vector);
  makePiece(place.at(Part::Low), value, piece);
  return place;
}

/// Products of AIE2P, one after the other.
void PieceSelector::addProducts(Operation& op, Bf16PieceCounts counts) {
  Operand sum = rows_.sumOf(op.operand(2));
  const std::span<const Bf16Step> steps = bf16Steps(counts);
  for (size_t i = 0; i < steps.size(); ++i) {
    const auto [left, right] = steps[i].terms[0];
    const Operand a = pieceAlone(op.operand(0), left), b = pieceAlone(op.operand(1), right);
    const Operand next = i + 1 == steps.size() ? values_.define(op.result())
                                               : emitter_.fresh(RegClass::HalfAccumulator);
    emitter_.emit(Form::P_VMAC_f_vmac_bf_vmul_bf_core_X_X,
                  {next, sum, a, b, emitter_.constant(kProductsOfBf16P)});
    sum = next;
  }
}

/// Two products are added at once, in any order: with the larger piece of what stays the same in each round first, it needs no
/// second register all along for its pieces the other way round.
Bf16Step PieceSelector::inBestOrder(Bf16Step step, Operation& op) {
  const auto stays = [&](Value value) { return value.parentBlock() != op.block(); };
  if (step.count == 2 && stays(op.operand(1)) && !stays(op.operand(0)) &&
      step.terms[0].b > step.terms[1].b)
    std::swap(step.terms[0], step.terms[1]);
  return step;
}

bool PieceSelector::selectFma(Operation& op) {
  Type type = op.result().type();
  auto counts = bf16PiecesOf(op);
  const bool addsAlone = counts && counts->products == 1;
  if (!isFloatRow(type) || !counts || addsAlone == emitter_.isAie2()) {
    op.emitOpError() << "computes " << type
                     << "; not supported: anything but 16 lanes of f32 with '" << kBf16Pieces
                     << "', whose products are added as those of " << emitter_.set().name;
    return false;
  }
  if (addsAlone) {
    addProducts(op, *counts);
    return true;
  }
  const bool isAlone = splatBits(op.operand(2)) == 0;
  Operand sum = isAlone ? Operand() : rows_.sumOf(op.operand(2));
  const std::span<const Bf16Step> steps = bf16Steps(*counts);
  for (size_t i = 0; i < steps.size(); ++i) {
    const auto [terms, count] = inBestOrder(steps[i], op);
    const bool isPair = count == 2;
    Operand a = pieces(op.operand(0), terms[0].a, isPair ? terms[1].a : kNoPiece),
            b = pieces(op.operand(1), terms[0].b, isPair ? terms[1].b : kNoPiece);
    Operand next = i + 1 == steps.size() ? values_.define(op.result())
                                         : emitter_.fresh(RegClass::HalfAccumulator);
    if (i == 0 && isAlone)
      emitter_.emit(Form::VMUL_F_vmac_bm_core_dense,
                    {next, a, b, emitter_.constant(kProductsOfBf16)});
    else
      emitter_.emit(Form::VMAC_F_vmac_bm_core_dense,
                    {next, sum, a, b, emitter_.constant(kProductsOfBf16)});
    sum = next;
  }
  return true;
}

}  // namespace airlite::npu::codegen
