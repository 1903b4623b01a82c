#include "SelectWidths.hpp"

#include "LateStores.hpp"
#include "SelectProducts.hpp"
#include "VectorForms.hpp"
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

bool isOf8(Type vector) { return elementTypeOrSelf(vector).bitWidth() == 8; }

/// Whether the op reads 256 bits, from either half of a register.
bool takesHalf(const Operation& op) {
  return op.is("arith.extsi") || op.is("arith.extui") || op.is("arith.extf");
}

/// Whether the op takes rows of lanes and gives one, each 256 or 512 bits.
bool areRows(Operation& op) {
  return (rowBits(op.operand(0).type()) == 256 && rowBits(op.result().type()) == 512) ||
         (rowBits(op.operand(0).type()) == 512 && rowBits(op.result().type()) == 256);
}

bool isVectorOf(Type type, int64_t lanes, unsigned bits) {
  auto vector = type.dynCast<VectorType>();
  return vector && vector.numElements() == lanes && vector.elementType().isInteger(bits);
}

/// 16 numbers of 32 bits to sums of 64, or back.
bool changesSums(Operation& op, Type narrow, Type wide) {
  if (isVectorOf(narrow, 16, 32) && isVectorOf(wide, 16, 64)) return true;
  op.emitOpError() << "changes widths of lanes, for which the machine has nothing";
  return false;
}

}  // namespace

/// Signed ones of 16 bits go through an accumulator, unsigned ones get zeros in between.
bool WidthSelector::widenLanes(Operation& op) {
  Type type = op.operand(0).type();
  if (!checkedClass(op, type) || !checkedClass(op, op.result().type())) return false;
  if (op.result().hasUses() && std::ranges::all_of(op.result().uses(), [](OpOperand& use) {
        return isShortProduct(*use.owner());
      }))
    return true;  // multiplied as it is
  Operand half = rows_.halfOf(op.operand(0));
  if (op.is("arith.extui")) {
    const uint32_t mode = kInterleave[isOf8(type) ? 0 : 1] + (half.part == Part::High ? 1 : 0);
    values_.alias(op.result(),
                  shuffled(emitter_, half.at(Part::Whole), lanes_.splat(type, 0), mode));
  } else if (isOf8(type)) {
    changeWidth(emitter_, Form::VUNPACK_S16_S8, values_.define(op.result()), half);
  } else {
    Operand sums = emitter_.fresh(RegClass::HalfAccumulator);
    setShift(emitter_);
    changeWidth(emitter_, Form::VUPS_S32_S16_mv_ups_w2b, sums, half, Operand::of(Reg::s0));
    emitter_.emit(Form::VMOV_mv_x, {values_.define(op.result()), sums.at(rowOfSums(emitter_))});
  }
  return true;
}

/// The lower half of each lane.
bool WidthSelector::narrowLanes(Operation& op) {
  Type type = op.result().type();
  if (!checkedClass(op, type) || !checkedClass(op, op.operand(0).type())) return false;
  Operand row = rows_.rowOf(op.operand(0));
  values_.alias(op.result(), shuffled(emitter_, row, row, kEvenLanes[isOf8(type) ? 0 : 1]));
  return true;
}

/// Sums of 64 bits are as large as an accumulator.
bool WidthSelector::checkSum(Operation& op, Type type) {
  if (fitsAccumulator(type, emitter_)) return true;
  op.emitOpError() << "makes or takes " << type
                   << "; not supported: sums that are no accumulator of " << emitter_.set().name;
  return false;
}

bool WidthSelector::selectWiden(Operation& op) {
  if (areRows(op)) return widenLanes(op);
  if (values_.has(op.result())) return true;  // loaded like this
  if (!changesSums(op, op.operand(0).type(), op.result().type())) return false;
  setShift(emitter_);
  if (!checkSum(op, op.result().type())) return false;
  Operand to = values_.define(op.result()), from = values_.reg(op.operand(0));
  changeWidth(emitter_, Form::VUPS_S64_S32_mv_ups_x2c, to, from, Operand::of(Reg::s0));
  return true;
}

/// Where only a store reads the result, the store cuts.
bool WidthSelector::selectNarrow(Operation& op) {
  if (areRows(op)) return narrowLanes(op);
  if (isInStore(op)) return true;
  if (!changesSums(op, op.result().type(), op.operand(0).type())) return false;
  setShift(emitter_);
  if (!checkSum(op, op.operand(0).type())) return false;
  Operand to = values_.define(op.result()), from = values_.reg(op.operand(0));
  changeWidth(emitter_, Form::VSRS_S32_S64_mv_x_srs, to, from, Operand::of(Reg::s0));
  return true;
}

/// One half of a register; those that read either half look for it where it is.
bool WidthSelector::selectSlice(Operation& op) {
  if (isColumnOfTile(op)) return true;
  if (rowBits(op.operand(0).type()) != 512 || rowBits(op.result().type()) != 256) {
    op.emitOpError() << "takes a slice; not supported: anything but half of 512 bits";
    return false;
  }
  Operand row = rows_.rowOf(op.operand(0));
  if (halfTaken(op) == Part::Low) {
    values_.alias(op.result(), row);
  } else if (!std::ranges::all_of(op.result().uses(),
                                  [](OpOperand& use) { return takesHalf(*use.owner()); })) {
    Operand half = emitter_.fresh(RegClass::Vector);
    emitter_.emit(Form::VMOV_mv_w, {half.at(Part::Low), row.at(Part::High)});
    values_.alias(op.result(), half);
  }
  return true;
}

/// A register turned by whole lanes: the bytes of twice itself from some place on.
bool WidthSelector::turnLanes(Operation& op, int64_t by) {
  const int64_t bytes = by * elementTypeOrSelf(op.result().type()).bitWidth() / 8;
  Operand row = rows_.rowOf(op.operand(0)), turned = emitter_.fresh(RegClass::Vector);
  emitter_.emit(Form::VSHIFT, {turned, row, row, emitter_.constant(static_cast<uint32_t>(bytes))});
  values_.alias(op.result(), turned);
  return true;
}

/// From any byte of two registers on, which a register says.
bool WidthSelector::selectByteShift(Operation& op) {
  Type type = op.result().type();
  if (!checkedClass(op, type)) return false;
  if (rowBits(type) != 512) {
    op.emitOpError() << "shifts " << type << "; not supported: anything but 512 bits";
    return false;
  }
  Operand shifted = emitter_.fresh(RegClass::Vector);
  emitter_.emit(Form::VSHIFT, {shifted, rows_.rowOf(op.operand(0)), rows_.rowOf(op.operand(1)),
                               values_.reg(op.operand(2))});
  values_.alias(op.result(), shifted);
  return true;
}

/// Two vectors of 256 bits in one register.
void WidthSelector::joinHalves(Operation& op) {
  Operand both = emitter_.fresh(RegClass::Vector);
  emitter_.emit(Form::VMOV_mv_w, {both.at(Part::Low), rows_.halfOf(op.operand(0))});
  emitter_.emit(Form::VMOV_mv_w, {both.at(Part::High), rows_.halfOf(op.operand(1))});
  values_.alias(op.result(), both);
}

/// Up into wider lanes of an accumulator and down again, both without saturation.
void WidthSelector::shiftLanes(Operand to, Operand row, Type type, uint32_t up, uint32_t down) {
  Operand none = Operand::of(Reg::s0), by = Operand::of(Reg::s1);
  setShift(emitter_);
  emitter_.emit(Form::MOV_mv_cg, {by, Operand::imm(static_cast<int32_t>(up | down))});
  const Operand upBy = up ? by : none, downBy = down ? by : none;
  auto through = [&](Form widen, Form narrow, Part part) {
    Operand wide = emitter_.fresh(RegClass::Accumulator);
    changeWidth(emitter_, widen, wide, row.at(part), upBy);
    changeWidth(emitter_, narrow, to.at(part), wide, downBy);
  };
  const unsigned width = elementTypeOrSelf(type).bitWidth();
  if (width == 32) {
    through(Form::VUPS_S64_S32_mv_ups_x2c, Form::VSRS_S32_S64_mv_x_srs, Part::Whole);
  } else if (width == 16) {
    through(Form::VUPS_S32_S16_mv_ups_x2c, Form::VSRS_S16_S32_mv_x_srs, Part::Whole);
  } else {
    through(Form::VUPS_S32_S8_mv_ups_w2c, Form::VSRS_S8_S32_mv_w_srs, Part::Low);
    if (rowBits(type) == 512)
      through(Form::VUPS_S32_S8_mv_ups_w2c, Form::VSRS_S8_S32_mv_w_srs, Part::High);
  }
}

/// By a number of bits that is the same for all lanes. To the right, the bits that go are cleared
/// before, so that nothing is rounded; without a sign, the bits that come are cleared afterwards.
bool WidthSelector::selectLaneShift(Operation& op) {
  Type type = op.result().type();
  auto bits = splatBits(op.operand(1));
  if (!checkedClass(op, type)) return false;
  const uint32_t width = elementTypeOrSelf(type).bitWidth();
  if (!bits || *bits < 0 || *bits >= static_cast<int32_t>(width)) {
    op.emitOpError() << "shifts " << type << "; not supported: anything but a constant less than "
                     << width;
    return false;
  }
  const auto by = static_cast<uint32_t>(*bits);
  Operand row = rows_.rowOf(op.operand(0)), shifted = emitter_.fresh(RegClass::Vector);
  if (op.is("arith.shli")) {
    shiftLanes(shifted, row, type, by, 0);
  } else {
    row = computeVector(emitter_, Form::VBAND, row, lanes_.splat(type, ~uint32_t{0} << by));
    shiftLanes(shifted, row, type, 0, by);
  }
  if (op.is("arith.shrui"))
    shifted = computeVector(emitter_, Form::VBAND, shifted,
                            lanes_.splat(type, ~uint32_t{0} >> (32 - width) >> by));
  values_.alias(op.result(), shifted);
  return true;
}

/// Lanes whose bit is set from the second vector.
bool WidthSelector::blendLanes(Operation& op, uint64_t second) {
  const size_t lane = laneIndex(op.result().type());
  Operand mask = laneMask(emitter_, lane);
  if (lane != 0) {
    mask = emitter_.constant(static_cast<uint32_t>(second), RegClass::Mask);
  } else {
    for (auto [half, bits] : {std::pair(Reg::r16, second), std::pair(Reg::r17, second >> 32)})
      emitter_.setConstant(Operand::of(half), static_cast<uint32_t>(bits));
  }
  values_.alias(op.result(), choose(emitter_, lane, rows_.rowOf(op.operand(0)),
                                    rows_.rowOf(op.operand(1)), mask));
  return true;
}

bool WidthSelector::selectShuffle(Operation& op) {
  auto type = op.operand(0).type().cast<VectorType>();
  if (!checkedClass(op, type) || !checkedClass(op, op.result().type())) return false;
  auto by = vector::rotationOf(op);
  if (by && rowBits(type) == 512) return turnLanes(op, *by);
  if (rowBits(type) == 256 && vector::isConcatenation(op)) return joinHalves(op), true;
  if (auto second = vector::blendOf(op)) return blendLanes(op, *second);
  const auto generation = emitter_.isAie2() ? aie::Generation::Aie2 : aie::Generation::Aie2p;
  auto mode = findShuffleMode(generation, type.elementType().bitWidth() / 8, vector::maskOf(op),
                              type.numElements());
  if (!mode) {
    op.emitOpError() << "shuffles " << op.result().type()
                     << " as the machine does not: it turns 512 bits, takes each lane from one of "
                        "two registers, or "
                        "transposes both";
    return false;
  }
  values_.alias(op.result(),
                shuffled(emitter_, rows_.rowOf(op.operand(0)), rows_.rowOf(op.operand(1)), *mode));
  return true;
}

}  // namespace airlite::npu::codegen
