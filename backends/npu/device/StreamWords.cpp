#include "airlite/npu/device/StreamWords.hpp"

#include "airlite/npu/device/Device.hpp"

#include <fmt/format.h>

#include <bit>

namespace airlite::npu {
namespace {

constexpr uint32_t parityBit = 1u << 31;

Error exceeds(const char* field, uint64_t needed, uint64_t limit) {
  return {fmt::format("{} is {}, the limit is {}", field, needed, limit)};
}

bool hasOddParity(uint32_t word) { return std::popcount(word) % 2 == 1; }

Error unknownBits(const char* what, uint32_t unknown) {
  return {fmt::format("{} has bits that no field names: {:#010x}", what, unknown)};
}

}  // namespace

uint32_t withOddParity(uint32_t word) {
  word &= ~parityBit;
  return hasOddParity(word) ? word : word | parityBit;
}

Result<uint32_t> encode(TileKind kind, const QueueEntry& entry) {
  const unsigned bds = limitsOf(kind).bds;
  if (entry.bd >= bds) return exceeds("Start_BD_ID", entry.bd, bds - 1);
  if (entry.repeat < 1 || entry.repeat > maxTaskRepeat)
    return Error{
        fmt::format("a task repeats {} times, the queue has 1..{}", entry.repeat, maxTaskRepeat)};
  return uint32_t(entry.bd) | uint32_t(entry.repeat - 1) << 16 | (entry.issuesToken ? 1u << 31 : 0);
}

Result<QueueEntry> decodeQueueEntry(TileKind kind, uint32_t word) {
  const uint32_t bdMask = kind == TileKind::Mem ? 0x3F : 0xF;
  const uint32_t known = bdMask | 0xFF << 16 | 1u << 31;
  if (word & ~known) return unknownBits("a queue entry", word & ~known);
  const auto bd = uint8_t(word & bdMask);
  if (bd >= limitsOf(kind).bds) return exceeds("Start_BD_ID", bd, limitsOf(kind).bds - 1);
  return QueueEntry{bd, uint16_t((word >> 16 & 0xFF) + 1), bool(word >> 31)};
}

Result<uint32_t> encode(const PacketHeader& header) {
  if (header.id > 31) return exceeds("packet id", header.id, 31);
  if (header.type > 7) return exceeds("packet type", header.type, 7);
  if (header.source.row > 31) return exceeds("source row", header.source.row, 31);
  if (header.source.column > 127) return exceeds("source column", header.source.column, 127);
  if (header.outOfOrderId > 63) return exceeds("out-of-order id", header.outOfOrderId, 63);
  return withOddParity(uint32_t(header.id) | uint32_t(header.outOfOrderId) << 5 |
                       uint32_t(header.type) << 12 | uint32_t(header.source.row) << 16 |
                       uint32_t(header.source.column) << 21);
}

Result<PacketHeader> decodePacketHeader(uint32_t word) {
  constexpr uint32_t known = 0x8FFF77FF;
  if (word & ~known) return unknownBits("a packet header", word & ~known);
  if (!hasOddParity(word)) return Error{"a packet header with even parity"};
  return PacketHeader{uint8_t(word & 31), uint8_t(word >> 12 & 7),
                      Tile{uint8_t(word >> 21 & 127), uint8_t(word >> 16 & 31)},
                      uint8_t(word >> 5 & 63)};
}

Result<uint32_t> encode(const ControlHeader& header) {
  if (header.offset > Address::offsetMask)
    return exceeds("register offset", header.offset, Address::offsetMask);
  if (header.words < 1 || header.words > 4)
    return Error{fmt::format("a control packet of {} words, the limits are 1..4", header.words)};
  if (header.returnId > 127) return exceeds("return id", header.returnId, 127);
  return withOddParity(header.offset | uint32_t(header.words - 1) << 20 |
                       uint32_t(header.operation) << 22 | uint32_t(header.returnId) << 24);
}

Result<ControlHeader> decodeControlHeader(uint32_t word) {
  if (!hasOddParity(word)) return Error{"a control packet with even parity"};
  return ControlHeader{word & Address::offsetMask, uint8_t((word >> 20 & 3) + 1),
                       ControlOperation(word >> 22 & 3), uint8_t(word >> 24 & 127)};
}

}  // namespace airlite::npu
