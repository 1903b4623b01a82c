// The port of a tile at which control packets write its registers.
#pragma once

#include "airlite/npu/device/StreamWords.hpp"
#include "sim/array/Fifo.hpp"

#include <optional>
#include <string>

namespace airlite::npu::sim {

struct TileState;

/// Takes words one after the other: what they mean depends on those before.
class ControlPort {
 public:
  /// `hasHeader`: the packet still has the header that led it here. A text: the model does not know
  /// what the word does.
  std::optional<std::string> take(TileState& tile, const Flit& flit, bool hasHeader);
  /// Words have come, and the packet is not at its end.
  bool isWithin() const { return isInPacket_; }

 private:
  std::optional<std::string> begin(const Flit& flit);

  ControlHeader header_;
  unsigned left_ = 0;        ///< data words of the request under way
  bool isInPacket_ = false;  ///< of the stream
};

}  // namespace airlite::npu::sim
