// The words that channels and streams carry besides BDs: entries of a start queue, stream packet
// headers and control packets. Source: docs/hardware/formats.md sections 2 and 4.5; the id for out-of-order
// receivers: the struct of packet headers in aiebu (github.com/Xilinx/aiebu), 6 bits wide as in BDs.
//
//   Result<uint32_t> word = encode(TileKind::Shim, QueueEntry{.bd = 3, .repeat = 2});
#pragma once

#include "airlite/npu/device/Tile.hpp"
#include "airlite/support/Result.hpp"

#include <cstdint>

namespace airlite::npu {

/// An entry of a channel's start queue: run that BD (and its chain) `repeat` times.
struct QueueEntry {
  uint8_t bd = 0;
  uint16_t repeat = 1;       ///< 1 .. maxTaskRepeat
  bool issuesToken = false;  ///< a task-completion token when done
  friend bool operator==(const QueueEntry&, const QueueEntry&) = default;
};
/// Refuses a BD the tile does not have and a repeat out of range, by name.
Result<uint32_t> encode(TileKind kind, const QueueEntry& entry);
/// Refuses bits that no field names.
Result<QueueEntry> decodeQueueEntry(TileKind kind, uint32_t word);

/// The header that a packet carries through the switches. Bit 31 makes the number of ones odd.
struct PacketHeader {
  uint8_t id = 0;    ///< 0..31
  uint8_t type = 0;  ///< 0..7
  Tile source;
  uint8_t outOfOrderId = 0;  ///< 0..63: the BD of a receiver that uses it, in bits 10:5
  friend bool operator==(const PacketHeader&, const PacketHeader&) = default;
};
Result<uint32_t> encode(const PacketHeader& header);
/// Refuses wrong parity and unknown bits.
Result<PacketHeader> decodePacketHeader(uint32_t word);

enum class ControlOperation : uint8_t { Write, Read, WriteIncrement, BlockWrite };

/// The first word of a control packet, after the stream header; 1..4 data words follow.
struct ControlHeader {
  uint32_t offset = 0;  ///< of the register within the tile
  uint8_t words = 1;
  ControlOperation operation = ControlOperation::Write;
  uint8_t returnId = 0;  ///< stream id of the answer
  friend bool operator==(const ControlHeader&, const ControlHeader&) = default;
};
Result<uint32_t> encode(const ControlHeader& header);
Result<ControlHeader> decodeControlHeader(uint32_t word);

/// `word` with bit 31 such that the number of ones is odd.
uint32_t withOddParity(uint32_t word);

}  // namespace airlite::npu
