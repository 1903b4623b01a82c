#include "LaneConstants.hpp"

#include "Queries.hpp"

#include <array>
#include <cstdint>

namespace airlite::npu::codegen {

using isa::Form;

namespace {

constexpr std::array kBroadcasts = {Form::VBCST_8, Form::VBCST_16, Form::VBCST_32};

}  // namespace

Operand LaneConstants::splat(Type vector, uint32_t bits) {
  const size_t lane = laneIndex(vector);
  if (const Operand* found = splats_.find({lane, bits})) return *found;
  LaneWords words;
  constexpr std::array<uint32_t, 3> kLanes = {0xff, 0xffff, 0xffffffff},
                                    kCopies = {0x01010101, 0x00010001, 1};
  words.fill((bits & kLanes[lane]) * kCopies[lane]);
  if (auto row = loaded(words, RegClass::Vector)) return splats_.set({lane, bits}, *row);
  Operand row = emitter_.fresh(RegClass::Vector);
  emitter_.emit(kBroadcasts[lane], {row, emitter_.constant(bits)});
  return splats_.set({lane, bits}, row);
}

std::optional<Operand> LaneConstants::loaded(const LaneWords& words, RegClass regClass) {
  if (!emitter_.isInRow() || (emitter_.isAie2() && !state_.lanesAddress({}))) return std::nullopt;
  const auto at = state_.lanesAddress(words);
  if (!at) return std::nullopt;
  constexpr unsigned kBytes = sizeof(LaneWords);
  const AccessForms& forms =
      regClass == RegClass::HalfAccumulator ? sumLoad(emitter_) : vectorLoad(emitter_, kBytes);
  Operand row = emitter_.fresh(regClass);
  for (uint32_t offset = 0; offset < kBytes; offset += forms.partBytes) {
    const Part part = forms.partBytes == kBytes ? forms.alone : offset ? Part::High : Part::Low;
    const Address from = addressOf(*at + offset, forms);
    accessPart(emitter_, forms, row.at(part), from).isConstant = true;
  }
  return row;
}

bool LaneConstants::loadZero(Operand half) {
  const auto at = emitter_.isInRow() ? state_.lanesAddress({}) : std::nullopt;
  if (!at) return false;
  const AccessForms& forms = vectorLoad(emitter_, kHalfBytes);
  accessPart(emitter_, forms, half, addressOf(*at, forms));
  return true;
}

/// From the zeros on, which are loaded most: the second load slot of AIE2 has short immediates only.
Address LaneConstants::addressOf(uint32_t at, const AccessForms& forms) {
  const auto first = emitter_.isAie2() ? state_.lanesAddress({}) : std::nullopt;
  const isa::ImmediateRow& range = offsetRange(forms);
  const int64_t offset = first ? int64_t{at} - *first : INT64_MAX;
  if (offset < range.smallest || offset > range.largest)
    return fixedAddress(emitter_, at, forms.partBytes, forms);
  return {emitter_.constant(*first, RegClass::Pointer),
          Operand::imm(offset),
          {false, at, at + forms.partBytes}};
}

}  // namespace airlite::npu::codegen
