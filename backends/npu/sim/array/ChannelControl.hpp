// What the control register of a DMA channel says.
#pragma once

#include "airlite/npu/device/Tile.hpp"
#include "airlite/support/Result.hpp"

#include <cstdint>
#include <string_view>

namespace airlite::npu::sim {

struct ChannelControl {
  uint8_t controllerId = 0;
  bool isHeld = false;  ///< in reset
  bool isOutOfOrder = false;
  bool mayCompress = false;      ///< or decompress, where BDs say so
  bool finishesOnTlast = false;  ///< S2MM: the end of a packet ends its BD
  bool pausesMemory = false, pausesStream = false;
};

/// An error: the model does not know what the word means. `name`: of the channel, for the message.
Result<ChannelControl> decodeChannelControl(TileKind kind, bool isSender, std::string_view name,
                                            uint32_t word);

}  // namespace airlite::npu::sim
