#include "sim/array/ControlPort.hpp"

#include "sim/array/State.hpp"

#include <fmt/format.h>

#include <utility>

namespace airlite::npu::sim {

/// A request: the register, and how many words follow.
std::optional<std::string> ControlPort::begin(const Flit& flit) {
  const auto header = decodeControlHeader(flit.value);
  if (!header) return header.error().message;
  header_ = *header;
  if (header_.operation == ControlOperation::Read)
    return fmt::format("a control packet that reads {:#x}: not modelled", header_.offset);
  if (header_.operation == ControlOperation::BlockWrite)
    return fmt::format("a control packet that writes a block at {:#x}: not modelled",
                       header_.offset);
  left_ = header_.words;
  return std::nullopt;
}

std::optional<std::string> ControlPort::take(TileState& tile, const Flit& flit, bool hasHeader) {
  if (flit.isToken) return "a task-completion token came to the control port";
  const bool isStreamHeader = !isInPacket_ && hasHeader;
  isInPacket_ = !flit.isLast;
  if (!isStreamHeader && left_ == 0) {
    if (auto wrong = begin(flit)) return wrong;
    if (flit.isLast) return "a control packet ends before its data";
    return std::nullopt;
  }
  if (isStreamHeader)
    return flit.isLast ? std::optional<std::string>("a control packet is empty") : std::nullopt;
  --left_;
  if (flit.isLast && left_ > 0)
    return fmt::format("a control packet ends {} words before its data", left_);
  return writeRegister(tile, std::exchange(header_.offset, header_.offset + 4), flit.value,
                       ~uint32_t(0));
}

}  // namespace airlite::npu::sim
