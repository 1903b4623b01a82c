// The register map by name: registers and fields of each tile kind, both ways.
// Source: AM025 cross-checked with the names of aie-rt (AIE2), aie-rt alone (AIE2P).
//
//   auto control = registerNamed(TileKind::Core, Generation::Aie2, "Core_Control");
//   uint32_t enable = maskOf(*control->field("Enable"));
#pragma once

#include "airlite/device/AieDevices.hpp"
#include "airlite/npu/device/Tile.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace airlite::npu {

/// Of NPUs: Aie2 and Aie2p.
using aie::Generation;

/// Bits lsb .. lsb + width - 1 of a register.
struct FieldRow {
  const char* name;
  uint8_t lsb;
  uint16_t width;
};

/// Registers that differ in one number only: `count` of them, `stride` bytes apart, from `offset`.
/// The number replaces '#' in `pattern` and starts at `first`.
struct RegisterRow {
  uint32_t offset;
  uint32_t stride;
  uint16_t first;
  uint16_t count;
  uint8_t generations;  ///< bit 0: Aie2, bit 1: Aie2p
  uint16_t width;       ///< bits: 32, but 128 or 256 for memories and vector registers
  uint16_t fieldsBegin;
  uint8_t fieldCount;
  const char* pattern;
};

/// One register of a tile.
struct Register {
  const RegisterRow* row;
  uint32_t index;  ///< 0 .. row->count - 1

  uint32_t offset() const { return row->offset + index * row->stride; }
  std::string name() const;
  std::span<const FieldRow> fields() const;
  /// The field of that name, or null.
  const FieldRow* field(std::string_view name) const;
};

/// The register that starts at `offset`; none when nothing of that generation is known there.
std::optional<Register> registerAt(TileKind kind, Generation generation, uint32_t offset);
std::optional<Register> registerNamed(TileKind kind, Generation generation, std::string_view name);
/// All rows, ordered by offset: for documentation and tests.
std::span<const RegisterRow> registerRows(TileKind kind);

/// The bits of a field of a 32-bit register, in place.
constexpr uint32_t maskOf(const FieldRow& field) {
  return (field.width >= 32 ? ~0u : (1u << field.width) - 1) << field.lsb;
}
constexpr uint32_t valueIn(const FieldRow& field, uint32_t word) {
  return (word & maskOf(field)) >> field.lsb;
}

}  // namespace airlite::npu
