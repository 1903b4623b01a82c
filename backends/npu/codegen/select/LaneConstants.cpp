#include "LaneConstants.hpp"

#include "Access.hpp"
#include "Queries.hpp"

#include <array>

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
  const auto at = emitter_.isInRow() ? state_.lanesAddress(words) : std::nullopt;
  if (!at) return std::nullopt;
  constexpr unsigned kBytes = sizeof(LaneWords);
  const AccessForms& forms =
      regClass == RegClass::HalfAccumulator ? sumLoad(emitter_) : vectorLoad(emitter_, kBytes);
  Operand row = emitter_.fresh(regClass);
  for (uint32_t offset = 0; offset < kBytes; offset += forms.partBytes) {
    const Part part = forms.partBytes == kBytes ? forms.alone : offset ? Part::High : Part::Low;
    const Address from = fixedAddress(emitter_, *at + offset, forms.partBytes, forms);
    accessPart(emitter_, forms, row.at(part), from).isConstant = true;
  }
  return row;
}

bool LaneConstants::loadZero(Operand half) {
  const auto at = emitter_.isInRow() ? state_.lanesAddress({}) : std::nullopt;
  if (!at) return false;
  const AccessForms& forms = vectorLoad(emitter_, kHalfBytes);
  accessPart(emitter_, forms, half, fixedAddress(emitter_, *at, kHalfBytes, forms));
  return true;
}

}  // namespace airlite::npu::codegen
