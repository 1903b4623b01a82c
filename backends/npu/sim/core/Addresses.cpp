// Addresses and the pointers that move with them (docs/hardware/isa.md, rules.memory.addr_modes).
// Pointers have 20 bits and wrap.
#include "Pipeline.hpp"

#include <fmt/format.h>

namespace airlite::npu::sim::core {
namespace {

using isa::AddressMode;
using isa::Reg;

constexpr uint32_t kPointerMask = 0xfffff;
/// The four registers of a dimension.
struct Dimension {
  Reg step, size, stride, count;
};

Dimension dimension(Reg d) {
  const auto& parts = row(d).parts;
  return {parts[0], parts[1], parts[2], parts[3]};
}

}  // namespace

void Pipeline::addressStep(Flight& flight) {
  const AddressUse& use = flight.op->address;
  const bool onStack = use.mode == AddressMode::Stack || use.mode == AddressMode::StackImm;
  const uint32_t pointer = registers_.u32(onStack ? Reg::SP : use.pointer);
  flight.address = pointer;
  if (use.mode == AddressMode::Index) flight.address += registers_.u32(use.modifier);
  if (use.mode == AddressMode::IndexImm || use.mode == AddressMode::Stack)
    flight.address += static_cast<uint32_t>(use.immediate);
  flight.address &= kPointerMask;
  if (flight.op->alignment) checkAlignment(flight);
  movePointer(flight, pointer);
}

void Pipeline::checkAlignment(const Flight& flight) {
  const unsigned alignment = flight.op->alignment;
  if (flight.address % alignment == 0) return;
  fault(flight.pc, fmt::format("{}: address {:#x} is not a multiple of {}",
                               row(flight.op->form).mnemonic(), flight.address, alignment));
}

void Pipeline::movePointer(const Flight& flight, uint32_t pointer) {
  const AddressUse& use = flight.op->address;
  auto moved = [&](uint32_t by) { pushU32(use.pointer, pointer + by); };
  switch (use.mode) {
    case AddressMode::Post: return moved(registers_.u32(use.modifier));
    case AddressMode::PostImm: return moved(static_cast<uint32_t>(use.immediate));
    case AddressMode::StackImm:
      return pushU32(Reg::SP, pointer + static_cast<uint32_t>(use.immediate));
    case AddressMode::Post2d: {
      Dimension d = dimension(use.modifier);
      const uint32_t count = registers_.u32(d.count);
      const bool isLast = count == registers_.u32(d.size);
      pushU32(d.count, isLast ? 0 : count + 1);
      return moved(registers_.u32(isLast ? d.step : d.stride));
    }
    case AddressMode::Post3d: {
      Dimension low = dimension(row(use.modifier).parts[0]);
      Dimension high = dimension(row(use.modifier).parts[1]);
      const uint32_t inner = registers_.u32(low.count), outer = registers_.u32(high.count);
      const bool innerLast = inner == registers_.u32(low.size);
      const bool outerLast = outer == registers_.u32(high.size);
      pushU32(low.count, innerLast ? 0 : inner + 1);
      if (innerLast) pushU32(high.count, outerLast ? 0 : outer + 1);
      return moved(registers_.u32(!innerLast ? low.stride : outerLast ? low.step : high.stride));
    }
    default: return;
  }
}

}  // namespace airlite::npu::sim::core
