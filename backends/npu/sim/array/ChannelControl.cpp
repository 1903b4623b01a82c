#include "sim/array/ChannelControl.hpp"

#include "airlite/npu/device/StreamSwitch.hpp"

#include <fmt/format.h>

namespace airlite::npu::sim {
namespace {

/// Bits of a control register [AM025: DMA_S2MM_0_Ctrl and its like of the three modules].
constexpr uint32_t controllerMask = 0xFF00;
constexpr uint32_t formerEnableBit = 1 << 0;  // "Reserved (previously Enable)": streams set it
constexpr uint32_t resetBit = 1 << 1, compressionBit = 1 << 4;        // not shims
constexpr uint32_t pauseMemoryBit = 1 << 1, pauseStreamBit = 1 << 2;  // shims
constexpr uint32_t outOfOrderBit = 1 << 3;                            // S2MM
/// S2MM: 0 off, 1 without counts of words, 2 counts in tokens, 3 counts in a register.
constexpr uint32_t finishOnTlastMask = 3 << 16, finishWithoutCounts = 1 << 16;

uint32_t controlBits(TileKind kind, bool isSender) {
  const uint32_t own =
      kind == TileKind::Shim ? pauseMemoryBit | pauseStreamBit : resetBit | compressionBit;
  return controllerMask | formerEnableBit | own |
         (isSender ? 0 : outOfOrderBit | finishOnTlastMask);
}

}  // namespace

Result<ChannelControl> decodeChannelControl(TileKind kind, bool isSender, std::string_view name,
                                            uint32_t word) {
  const uint32_t known = controlBits(kind, isSender);
  const uint32_t finish = isSender ? 0 : word & finishOnTlastMask;
  if (finish > finishWithoutCounts)
    return Error{fmt::format("FoT_Mode {} of {} (finish on TLAST, with counts of words): not "
                             "modelled",
                             finish >> 16, name)};
  if (word & ~known)
    return Error{fmt::format("control bits {:#x} of {}: not modelled", word & ~known, name)};
  const uint32_t id = (word & controllerMask) >> 8;
  if (id >= packetIdCount)
    return Error{
        fmt::format("controller id {} of {}, a packet id is below {}", id, name, packetIdCount)};
  const bool isShim = kind == TileKind::Shim;
  return ChannelControl{.controllerId = uint8_t(id),
                        .isHeld = !isShim && (word & resetBit),
                        .isOutOfOrder = bool(word & outOfOrderBit),
                        .mayCompress = bool(word & compressionBit),
                        .finishesOnTlast = finish != 0,
                        .pausesMemory = isShim && (word & pauseMemoryBit),
                        .pausesStream = isShim && (word & pauseStreamBit)};
}

}  // namespace airlite::npu::sim
