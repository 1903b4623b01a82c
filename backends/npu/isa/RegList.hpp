// A short list of registers as the rows of *.inc write one: `{Reg::r0, Reg::r1}`.
#pragma once

#include "airlite/npu/isa/Names.hpp"

#include <array>
#include <cstddef>

namespace airlite::npu::isa {

template <size_t N> struct RegList {
  std::array<Reg, N> regs{};
  uint8_t count = 0;

  template <class... R> constexpr RegList(R... list) : regs{list...}, count(sizeof...(R)) {}
};

}  // namespace airlite::npu::isa
