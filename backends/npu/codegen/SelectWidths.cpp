// Lanes that change their width or their place: conversions between integers of which one is twice
// as wide, halves of registers, shuffles (vector_facts.md, sections 5, 6 and 9).
#include "Select.hpp"
#include "airlite/dialect/Vector.hpp"
#include "airlite/npu/device/ShuffleModes.hpp"

#include <algorithm>
#include <array>

namespace airlite::npu::codegen {

using isa::Form;
using isa::Reg;

namespace {

// Modes for lanes of 8 and of 16 bits.
constexpr std::array<uint32_t, 2> kInterleave = {20, 18};  // T8_2x64_lo, T16_2x32_lo
constexpr std::array<uint32_t, 2> kEvenLanes = {0, 2};     // T8_64x2_lo, T16_32x2_lo

int64_t rowBits(Type type) {
  auto vector = type.dynCast<VectorType>();
  if (!vector || vector.rank() != 1) return 0;
  return vector.numElements() * vector.elementType().bitWidth();
}

bool isOf8(Type vector) { return elementTypeOrSelf(vector).bitWidth() == 8; }

/// Whether the op reads 256 bits, from either half of a register.
bool takesHalf(const Operation& op) {
  return op.is("arith.extsi") || op.is("arith.extui") || op.is("arith.extf");
}

Part halfTaken(Operation& slice) {
  auto offsets = slice.attrOf<ArrayAttr>("offsets");
  return offsets[0].cast<IntegerAttr>().value() ? Part::High : Part::Low;
}

}  // namespace

bool Selector::areRows(Operation& op) const {
  return (rowBits(op.operand(0).type()) == 256 && rowBits(op.result().type()) == 512) ||
         (rowBits(op.operand(0).type()) == 512 && rowBits(op.result().type()) == 256);
}

Operand Selector::halfOf(Value value) {
  Operation* slice = value.definingOp();
  if (!slice || !slice->is("vector.extract_strided_slice")) return rowOf(value).at(Part::Low);
  return rowOf(slice->operand(0)).at(halfTaken(*slice));
}

Operand Selector::shuffled(Operand low, Operand high, uint32_t mode) {
  Operand result = fresh(RegClass::Vector);
  emit(Form::VSHUFFLE, {result, low, high, constant(mode)});
  return result;
}

/// Signed ones of 16 bits go through an accumulator, unsigned ones get zeros in between.
bool Selector::widenLanes(Operation& op) {
  Type type = op.operand(0).type();
  if (!checkedClass(op, type) || !checkedClass(op, op.result().type())) return false;
  Operand half = halfOf(op.operand(0));
  if (op.is("arith.extui")) {
    const uint32_t mode = kInterleave[isOf8(type) ? 0 : 1] + (half.part == Part::High ? 1 : 0);
    alias(op.result(), shuffled(half.at(Part::Whole), splat(type, 0), mode));
  } else if (isOf8(type)) {
    emit(Form::VUNPACK_S16_S8, {define(op.result()), half});
  } else {
    Operand sums = fresh(RegClass::HalfAccumulator);
    setShift();
    emit(Form::VUPS_S32_S16_mv_ups_w2b, {sums, half, Operand::of(Reg::s0)});
    emit(Form::VMOV_mv_x, {define(op.result()), sums});
  }
  return true;
}

/// The lower half of each lane.
bool Selector::narrowLanes(Operation& op) {
  Type type = op.result().type();
  if (!checkedClass(op, type) || !checkedClass(op, op.operand(0).type())) return false;
  Operand row = rowOf(op.operand(0));
  alias(op.result(), shuffled(row, row, kEvenLanes[isOf8(type) ? 0 : 1]));
  return true;
}

/// One half of a register; those that read either half look for it where it is.
bool Selector::selectSlice(Operation& op) {
  if (rowBits(op.operand(0).type()) != 512 || rowBits(op.result().type()) != 256) {
    op.emitOpError() << "takes a slice; not supported: anything but half of 512 bits";
    return false;
  }
  Operand row = rowOf(op.operand(0));
  if (halfTaken(op) == Part::Low) {
    alias(op.result(), row);
  } else if (!std::ranges::all_of(op.result().uses(),
                                  [](OpOperand& use) { return takesHalf(*use.owner()); })) {
    Operand half = fresh(RegClass::Vector);
    emit(Form::VMOV_mv_w, {half.at(Part::Low), row.at(Part::High)});
    alias(op.result(), half);
  }
  return true;
}

/// A register turned by whole lanes: the bytes of twice itself from some place on.
bool Selector::turnLanes(Operation& op, int64_t by) {
  const int64_t bytes = by * elementTypeOrSelf(op.result().type()).bitWidth() / 8;
  Operand row = rowOf(op.operand(0)), turned = fresh(RegClass::Vector);
  emit(Form::VSHIFT, {turned, row, row, constant(static_cast<uint32_t>(bytes))});
  alias(op.result(), turned);
  return true;
}

bool Selector::selectShuffle(Operation& op) {
  auto type = op.operand(0).type().cast<VectorType>();
  if (!checkedClass(op, type) || !checkedClass(op, op.result().type())) return false;
  auto by = vector::rotationOf(op);
  if (by && rowBits(type) == 512) return turnLanes(op, *by);
  auto mode = findShuffleMode(type.elementType().bitWidth() / 8, vector::maskOf(op),
                              type.numElements());
  if (!mode) {
    op.emitOpError() << "shuffles " << op.result().type()
                     << " as the machine does not: it turns 512 bits, or transposes two registers";
    return false;
  }
  alias(op.result(), shuffled(rowOf(op.operand(0)), rowOf(op.operand(1)), *mode));
  return true;
}

}  // namespace airlite::npu::codegen
