// What the tests of the array share: configurations made with the encoders of device/.
#pragma once

#include "airlite/npu/device/BufferDescriptor.hpp"
#include "airlite/npu/device/StreamSwitch.hpp"
#include "airlite/npu/device/StreamWords.hpp"
#include "airlite/npu/sim/array/Array.hpp"
#include "airlite/support/SplitMix64.hpp"
#include "support/catch_all.hpp"

#include <cstring>
#include <string>
#include <vector>

namespace airlite::npu::sim::tests {

using Words32 = std::vector<uint32_t>;

/// Commands in the order given; becomes a CDO, or is applied by it.
struct Setup {
  Cdo cdo;

  void write(Tile tile, uint32_t offset, uint32_t value) {
    cdo.commands.push_back(cdoWrite(addressOf(tile, offset).value, value));
  }
  void mask(Tile tile, uint32_t offset, uint32_t mask, uint32_t value) {
    cdo.commands.push_back(cdoMaskWrite(addressOf(tile, offset).value, mask, value));
  }
  void block(Tile tile, uint32_t offset, Words32 words) {
    appendAligned(cdo, cdoBlockWrite(addressOf(tile, offset).value, std::move(words)));
  }
  void lock(Tile tile, unsigned lock, unsigned value) {
    write(tile, limitsOf(kindOfRow(tile.row)).lockValue.at(lock), value);
  }
  void bd(Tile tile, unsigned id, const BdBuilder& builder) {
    const auto bd = builder.make();
    INFO(bd.error().message);
    REQUIRE(bool(bd));
    block(tile, limitsOf(kindOfRow(tile.row)).bd.at(id), encodeBd(*bd));
  }
  void start(Tile tile, DmaDirection direction, unsigned channel, const QueueEntry& entry) {
    const auto kind = kindOfRow(tile.row);
    write(tile, startQueueOffset(kind, direction, channel), *encode(kind, entry));
  }
  void circuit(Tile tile, Port from, Port to) {
    const auto kind = kindOfRow(tile.row);
    const unsigned slave = portIndex(kind, PortSide::Slave, from).value();
    write(tile, masterOffset(kind, portIndex(kind, PortSide::Master, to).value()),
          *encode(MasterConfig{.slave = uint8_t(slave)}));
    write(tile, slaveOffset(kind, slave), *encode(SlaveConfig{}));
  }
  void packetSlave(Tile tile, Port from, unsigned slot, const SlotConfig& config) {
    const auto kind = kindOfRow(tile.row);
    const unsigned slave = portIndex(kind, PortSide::Slave, from).value();
    write(tile, slaveOffset(kind, slave), *encode(SlaveConfig{.isPacket = true}));
    write(tile, slotOffset(kind, slave, slot), *encode(config));
  }
  void packetMaster(Tile tile, Port to, unsigned arbiter, unsigned msels, bool drops) {
    const auto kind = kindOfRow(tile.row);
    write(tile, masterOffset(kind, portIndex(kind, PortSide::Master, to).value()),
          *encode(MasterConfig{.isPacket = true,
                               .dropsHeader = drops,
                               .arbiter = uint8_t(arbiter),
                               .msels = uint8_t(msels)}));
  }
  void shimDma(Tile tile, bool intoArray, unsigned channel) {
    const auto* field = shimMuxFor(intoArray, channel);
    mask(tile, intoArray ? shimMuxOffset : shimDemuxOffset, 3u << field->lsb,
         uint32_t(ShimSource::Dma) << field->lsb);
  }
};

inline const Device& npu1() { return *Device::named("npu1"); }

inline void applied(Array& array, const Setup& setup) {
  const auto fault = array.apply(setup.cdo);
  INFO((fault ? fault->text : std::string()));
  REQUIRE_FALSE(fault);
}

inline Words32 randomWords(uint64_t seed, size_t count) {
  SplitMix64 random(seed);
  Words32 words(count);
  for (auto& word : words)
    word = uint32_t(random.next());
  return words;
}

inline Words32 wordsAt(std::span<const uint8_t> bytes, size_t offset, size_t count) {
  Words32 words(count);
  std::memcpy(words.data(), bytes.subspan(offset, 4 * count).data(), 4 * count);
  return words;
}

inline void finishes(const RunResult& result) {
  INFO(result.text());
  REQUIRE(result.outcome == Outcome::Finished);
}

inline constexpr Port dma(unsigned n) { return {Bundle::Dma, uint8_t(n)}; }
inline constexpr Port north(unsigned n) { return {Bundle::North, uint8_t(n)}; }
inline constexpr Port south(unsigned n) { return {Bundle::South, uint8_t(n)}; }
constexpr Port ctrl{Bundle::Ctrl, 0};

/// What the array stops with; "none" when it comes to its end.
inline std::string faultAfter(const Setup& setup, const Device& device = npu1()) {
  Array array(device);
  applied(array, setup);
  const auto result = array.settle();
  return result.fault ? result.fault->text : "none";
}

/// Shim MM2S 0 -> SOUTH3 -> NORTH0 -> S2MM 0 of the memory tile above; its MM2S 0 back by SOUTH0 -> NORTH0 ->
/// SOUTH2; tokens of the shim from CTRL0 to SOUTH0.
inline void circuitsThroughMemory(Setup& setup, Tile shim, Tile mem) {
  setup.circuit(mem, south(0), dma(0));
  setup.circuit(mem, dma(0), south(0));
  setup.circuit(shim, south(3), north(0));
  setup.circuit(shim, north(0), south(2));
  setup.circuit(shim, ctrl, south(0));
  setup.shimDma(shim, true, 0);
  setup.shimDma(shim, false, 0);
}

/// The same, where BD 0 of the memory tile serves its S2MM 0, and BD 1 its MM2S 0.
inline void routeThroughMemory(Setup& setup, Tile shim, Tile mem) {
  circuitsThroughMemory(setup, shim, mem);
  setup.start(mem, DmaDirection::S2mm, 0, {.bd = 0});
  setup.start(mem, DmaDirection::Mm2s, 0, {.bd = 1});
}

}  // namespace airlite::npu::sim::tests
