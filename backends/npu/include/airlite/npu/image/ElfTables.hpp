// Symbols and relocations of an ELF object, as a linker needs them. Source: the ELF specification,
// 32 bit; what the relocation types mean is the matter of the instruction set.
//
//   Result<std::vector<ElfSymbol>> symbols = symbolsOf(elf, elf.sections[3]);
#pragma once

#include "airlite/npu/image/CoreElf.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace airlite::npu {

enum class ElfSectionType : uint32_t {
  Progbits = 1,
  Symbols = 2,
  Strings = 3,
  Rela = 4,
  NoBits = 8
};
enum class ElfBinding : uint8_t { Local = 0, Global = 1, Weak = 2 };
constexpr uint16_t undefinedSection = 0;
constexpr uint16_t absoluteSection = 0xFFF1;

struct ElfSymbol {
  std::string name;
  uint32_t value = 0;
  uint32_t size = 0;
  uint8_t type = 0;  ///< 1 object, 2 function, 3 section, 4 file
  ElfBinding binding = ElfBinding::Local;
  uint8_t other = 0;
  uint16_t section = undefinedSection;
  friend bool operator==(const ElfSymbol&, const ElfSymbol&) = default;
};

struct ElfRelocation {
  uint32_t offset = 0;
  uint32_t symbol = 0;  ///< index in the table of symbols
  uint8_t type = 0;
  int32_t addend = 0;
  friend bool operator==(const ElfRelocation&, const ElfRelocation&) = default;
};

/// The symbols of a section of type Symbols. Refuses one that is cut, and names outside of their
/// table.
Result<std::vector<ElfSymbol>> symbolsOf(const CoreElf& elf, const ElfSection& section);

/// The relocations of a section of type Rela. Refuses one that is cut.
Result<std::vector<ElfRelocation>> relocationsOf(const CoreElf& elf, const ElfSection& section);

/// The bytes of a section: zeros for NoBits.
ByteVector contentOf(const CoreElf& elf, const ElfSection& section);

}  // namespace airlite::npu
