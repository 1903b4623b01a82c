#include "airlite/npu/device/Registers.hpp"

#include "airlite/npu/device/BufferDescriptor.hpp"
#include "airlite/npu/device/Device.hpp"
#include "airlite/npu/device/StreamSwitch.hpp"
#include "support/catch_all.hpp"

using namespace airlite::npu;

namespace {

constexpr TileKind kinds[] = {TileKind::Core, TileKind::Mem, TileKind::Shim};
constexpr Generation generations[] = {Generation::Aie2, Generation::Aie2p};

std::string nameAt(TileKind kind, uint32_t offset, Generation generation = Generation::Aie2) {
  const auto found = registerAt(kind, generation, offset);
  return found ? found->name() : "";
}

}  // namespace

TEST_CASE("every register is found by name and by offset", "[npu][device]") {
  for (const auto kind : kinds)
    for (const auto generation : generations)
      for (const auto& row : registerRows(kind)) {
        if (!(row.generations & uint8_t(generation))) continue;
        for (uint32_t index = 0; index < row.count; ++index) {
          const Register one{&row, index};
          INFO(one.name());
          const auto at = registerAt(kind, generation, one.offset());
          REQUIRE(at);
          CHECK(at->name() == one.name());
          const auto named = registerNamed(kind, generation, one.name());
          REQUIRE(named);
          CHECK(named->offset() == one.offset());
        }
      }
}

TEST_CASE("fields of a register do not overlap and have different names", "[npu][device]") {
  for (const auto kind : kinds)
    for (const auto& row : registerRows(kind)) {
      if (row.width != 32) continue;
      const auto fields = Register{&row, 0}.fields();
      uint32_t taken = 0;
      for (const auto& field : fields) {
        INFO(row.pattern << '.' << field.name);
        CHECK((taken & maskOf(field)) == 0);
        CHECK(field.lsb + field.width <= 32);
        CHECK(Register{&row, 0}.field(field.name) == &field);
        taken |= maskOf(field);
      }
    }
}

TEST_CASE("registers that the formats name", "[npu][device]") {
  CHECK(nameAt(TileKind::Core, 0x32000) == "Core_Control");
  CHECK(nameAt(TileKind::Core, 0x1D0AC) == "DMA_BD5_3");
  CHECK(nameAt(TileKind::Core, 0x1DE14) == "DMA_MM2S_0_Start_Queue");
  CHECK(nameAt(TileKind::Mem, 0xA063C) == "DMA_MM2S_1_Start_Queue");
  CHECK(nameAt(TileKind::Mem, 0xC0010) == "Lock1_value");
  CHECK(nameAt(TileKind::Shim, 0x14000) == "Lock0_value");
  CHECK(nameAt(TileKind::Core, 0x36030) == "Tile_Control");
  CHECK(nameAt(TileKind::Core, 0x60020, Generation::Aie2p) == "Tile_Control");
  CHECK(nameAt(TileKind::Core, 0x36030, Generation::Aie2p) == "");
  CHECK(nameAt(TileKind::Core, 0x32002) == "");
  CHECK(nameAt(TileKind::Core, 0xFFFFF) == "");
  CHECK_FALSE(registerNamed(TileKind::Core, Generation::Aie2, "DMA_BD16_0"));
  CHECK_FALSE(registerNamed(TileKind::Core, Generation::Aie2, "DMA_BD05_0"));
  CHECK_FALSE(registerNamed(TileKind::Core, Generation::Aie2, "DMA_BD_0"));
  CHECK_FALSE(registerNamed(TileKind::Core, Generation::Aie2, ""));
}

TEST_CASE("the device model and the register map agree on offsets", "[npu][device]") {
  for (const auto kind : kinds) {
    const auto& limits = limitsOf(kind);
    for (unsigned bd = 0; bd < limits.bds; ++bd)
      for (unsigned word = 0; word < limits.bdWords; ++word)
        CHECK(nameAt(kind, limits.bd.at(bd) + 4 * word) ==
              "DMA_BD" + std::to_string(bd) + "_" + std::to_string(word));
    for (unsigned lock = 0; lock < limits.locks; ++lock)
      CHECK(nameAt(kind, limits.lockValue.at(lock)) == "Lock" + std::to_string(lock) + "_value");
    for (const auto direction : {DmaDirection::S2mm, DmaDirection::Mm2s})
      for (unsigned channel = 0; channel < limits.channels; ++channel) {
        const auto who = std::string(name(direction)) + "_" + std::to_string(channel);
        CHECK(nameAt(kind, controlOffset(kind, direction, channel)) == "DMA_" + who + "_Ctrl");
        const auto queue = startQueueOffset(kind, direction, channel);
        CHECK(nameAt(kind, queue) ==
              "DMA_" + who + (kind == TileKind::Shim ? "_Task_Queue" : "_Start_Queue"));
        CHECK(channelOfStartQueue(kind, queue)->channel == channel);
        CHECK(nameAt(kind, statusOffset(kind, direction, channel)) ==
              "DMA_" + who.substr(0, 4) + "_Status_" + std::to_string(channel));
      }
  }
}

TEST_CASE("BD fields lie where the register map has them", "[npu][device]") {
  for (const auto kind : kinds)
    for (unsigned i = 0; i < bdFieldCount; ++i) {
      const auto field = BdField(i);
      const auto limits = limitsOf(kind, field);
      if (!limits || field == BdField::Base || field == BdField::Length || field == BdField::Valid)
        continue;
      INFO(name(kind) << ' ' << name(field));
      const int64_t probe = std::min<int64_t>(limits->most, defaultOf(field) + 1);
      const auto bd = BdBuilder(kind).length(Words(1)).set(field, probe).make();
      const auto plain = BdBuilder(kind).length(Words(1)).make();
      // A field that cannot stand alone (padding needs wraps) is covered by the random round trip.
      if (!bd) continue;
      const auto words = encodeBd(*bd), base = encodeBd(*plain);
      for (unsigned word = 0; word < words.size(); ++word) {
        if (words[word] == base[word]) continue;
        const auto found = registerAt(kind, Generation::Aie2, limitsOf(kind).bd.at(0) + 4 * word);
        REQUIRE(found);
        const auto* row = found->field(name(field));
        REQUIRE(row);
        CHECK(valueIn(*row, words[word]) == uint32_t(probe - defaultOf(field)));
      }
    }
}

TEST_CASE("stream switch ports lie where the register map has them", "[npu][device]") {
  for (const auto kind : kinds) {
    for (unsigned i = 0; i < portCount(kind, PortSide::Master); ++i)
      CHECK(nameAt(kind, masterOffset(kind, i)).starts_with("Stream_Switch_Master_Config_"));
    for (unsigned i = 0; i < portCount(kind, PortSide::Slave); ++i) {
      CHECK(nameAt(kind, slaveOffset(kind, i)).starts_with("Stream_Switch_Slave_Config_"));
      for (unsigned slot = 0; slot < slotCount; ++slot)
        CHECK(nameAt(kind, slotOffset(kind, i, slot)).ends_with("Slot" + std::to_string(slot)));
    }
  }
}
