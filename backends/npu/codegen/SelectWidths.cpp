// Lanes that change their width or their place: conversions between integers of which one is twice
// as wide, halves of registers, shuffles (docs/hardware/vector_facts.md, sections 5, 6 and 9).
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

/// The op that makes 16 lanes of i32 from 16 bits each; null: another one, or none.
Operation* widenerOf(Value value) {
  Operation* op = value.definingOp();
  const bool widens = op && (op->is("arith.extsi") || op->is("arith.extui"));
  return widens && rowBits(op->result().type()) == 512 &&
                 elementTypeOrSelf(op->operand(0).type()).isInteger(16)
             ? op
             : nullptr;
}

/// Which half of a register a row of 256 bits lies in.
Part placeInRegister(Value half) {
  Operation* op = half.definingOp();
  return op && op->is("vector.extract_strided_slice") ? halfTaken(*op) : Part::Low;
}

/// A product of lanes of 16 bits in 32 bits, from the same half of two registers.
bool isShortProduct(Operation& op) {
  if (!op.is("arith.muli") || !op.result().type().isa<VectorType>()) return false;
  Operation *a = widenerOf(op.operand(0)), *b = widenerOf(op.operand(1));
  return a && b && placeInRegister(a->operand(0)) == placeInRegister(b->operand(0));
}

}  // namespace

/// One instruction has the products of both halves, exactly.
bool Selector::multiplyShort(Operation& op) {
  constexpr uint32_t kLeftSigned = 0x200, kRightSigned = 0x100;
  if (!isShortProduct(op)) return false;
  Operation *a = widenerOf(op.operand(0)), *b = widenerOf(op.operand(1));
  Operand left = halfOf(a->operand(0)), right = halfOf(b->operand(0));
  const uint32_t configuration = kProductsOf16 | (a->is("arith.extsi") ? kLeftSigned : 0) |
                                 (b->is("arith.extsi") ? kRightSigned : 0);
  auto [place, isNew] = shortProducts_.try_emplace({left.number, right.number, configuration});
  if (isNew) {
    place->second = fresh(RegClass::Accumulator);
    emit(Form::VMUL_vmac_cm_core_dense,
         {place->second, left.at(Part::Whole), right.at(Part::Whole), constant(configuration)});
  }
  emit(Form::VMOV_mv_x, {define(op.result()), place->second.at(left.part)});
  return true;
}

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
  if (op.result().hasUses() && std::ranges::all_of(op.result().uses(), [](OpOperand& use) {
        return isShortProduct(*use.owner());
      }))
    return true;  // multiplied as it is
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

/// Up into wider lanes of an accumulator and down again, both without saturation.
void Selector::shiftLanes(Operand to, Operand row, Type type, uint32_t up, uint32_t down) {
  Operand none = Operand::of(Reg::s0), by = Operand::of(Reg::s1);
  setShift();
  emit(Form::MOV_mv_cg, {by, Operand::imm(static_cast<int32_t>(up | down))});
  const Operand upBy = up ? by : none, downBy = down ? by : none;
  auto through = [&](Form widen, Form narrow, Part part) {
    Operand wide = fresh(RegClass::Accumulator);
    emit(widen, {wide, row.at(part), upBy});
    emit(narrow, {to.at(part), wide, downBy});
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
bool Selector::selectLaneShift(Operation& op) {
  Type type = op.result().type();
  auto bits = splatOf(op.operand(1));
  if (!checkedClass(op, type)) return false;
  const uint32_t width = elementTypeOrSelf(type).bitWidth();
  if (!bits || *bits < 0 || *bits >= static_cast<int32_t>(width)) {
    op.emitOpError() << "shifts " << type << "; not supported: anything but a constant less than "
                     << width;
    return false;
  }
  const auto by = static_cast<uint32_t>(*bits);
  Operand row = rowOf(op.operand(0)), shifted = fresh(RegClass::Vector);
  if (op.is("arith.shli")) {
    shiftLanes(shifted, row, type, by, 0);
  } else {
    row = computeVector(Form::VBAND, row, splat(type, ~uint32_t{0} << by));
    shiftLanes(shifted, row, type, 0, by);
  }
  if (op.is("arith.shrui"))
    shifted = computeVector(Form::VBAND, shifted, splat(type, ~uint32_t{0} >> (32 - width) >> by));
  alias(op.result(), shifted);
  return true;
}

bool Selector::selectShuffle(Operation& op) {
  auto type = op.operand(0).type().cast<VectorType>();
  if (!checkedClass(op, type) || !checkedClass(op, op.result().type())) return false;
  auto by = vector::rotationOf(op);
  if (by && rowBits(type) == 512) return turnLanes(op, *by);
  auto mode =
      findShuffleMode(type.elementType().bitWidth() / 8, vector::maskOf(op), type.numElements());
  if (!mode) {
    op.emitOpError() << "shuffles " << op.result().type()
                     << " as the machine does not: it turns 512 bits, or transposes two registers";
    return false;
  }
  alias(op.result(), shuffled(rowOf(op.operand(0)), rowOf(op.operand(1)), *mode));
  return true;
}

}  // namespace airlite::npu::codegen
