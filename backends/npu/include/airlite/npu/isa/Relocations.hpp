// The relocations of AIE ELF objects (e_machine 264): where the value S + A goes.
//
//   Result<void> done = relocate(kDataRelocation32, bytes, symbol + addend);
#pragma once

#include "airlite/npu/isa/Tables.hpp"
#include "airlite/support/Result.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace airlite::npu::isa {

enum class RelocationKind : uint8_t {
  Target,     ///< address of a jump, 20 bits
  Immediate,  ///< of mova, movx, mov, movxm: an address of 20 bits, cut to the field
  Data20,     ///< low 20 bits of a data word
  Data32,     ///< a data word
};

/// Value bits [value, value + width) go to bits [bundle, bundle + width) of the bundle or word.
struct RelocationField {
  uint8_t bundle;
  uint8_t value;
  uint8_t width;
};

struct RelocationRow {
  uint8_t number;  ///< r_type: R_AIE_number
  uint8_t bytes;   ///< of the bundle or word that it changes
  RelocationKind kind;
  RelocationField fields[2];  ///< the second may be empty
};

/// AIE2's; those of AIE2P are not known (docs/npu_isa.md).
inline constexpr uint8_t kDataRelocation20 = 52, kDataRelocation32 = 53;
/// The relocation of a data word; none when it is not known.
inline std::optional<uint8_t> dataRelocation32(const InstructionSet& set) {
  return &set == &aie2() ? std::optional(kDataRelocation32) : std::nullopt;
}

/// All rows; row n has number n.
std::span<const RelocationRow> relocations(const InstructionSet& set = aie2());

/// The relocation for an immediate of an instruction in a bundle of this format; none when objects
/// cannot say it.
std::optional<uint8_t> relocationFor(Format format, Form form, unsigned operand);

/// Puts `value` (symbol plus addend) into the bundle or word at `bytes`. Fails when the value is
/// out of range, the number unknown or the place too short.
Result<void> relocate(uint8_t number, std::span<std::byte> bytes, int64_t value,
                      const InstructionSet& set = aie2());

}  // namespace airlite::npu::isa
