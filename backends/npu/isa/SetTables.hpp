// What the rows of the two instruction sets are made with, and where they are.
#pragma once

#include "airlite/npu/isa/Tables.hpp"

namespace airlite::npu::isa {

using SlotRows = std::array<SlotRow, kSlotCount>;

inline constexpr SlotRows kAie2Slots = {{{21, Form::NOPA},
                                         {16, Form::NOPB},
                                         {21, Form::NOPS},
                                         {20, Form::NOPX},
                                         {22, Form::NOPM},
                                         {42, Form::NOPXM},
                                         {26, Form::NOPV},
                                         {1, Form::NOP}}};
inline constexpr SlotRows kAie2pSlots = {{{20, Form::P_NOPA},
                                          {17, Form::P_NOPB},
                                          {20, Form::P_NOPS},
                                          {20, Form::P_NOPX},
                                          {22, Form::P_NOPM},
                                          {42, Form::P_NOPXM},
                                          {26, Form::P_NOPV},
                                          {1, Form::P_NOP}}};

std::span<const FormRow> aie2Forms();
std::span<const FormRow> aie2pForms();
std::span<const FormatRow> aie2Formats();
std::span<const FormatRow> aie2pFormats();

}  // namespace airlite::npu::isa
