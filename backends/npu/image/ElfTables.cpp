#include "airlite/npu/image/ElfTables.hpp"

#include "image/ByteIo.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace airlite::npu {
namespace {

constexpr uint32_t symbolSize = 16, relocationSize = 12;
/// Zeros of a section that has no bytes in the file: no memory of a tile is larger.
constexpr uint32_t mostZeros = 1 << 20;
/// Of the name of a symbol: hostile tables could make each name as long as the file.
constexpr long mostNameBytes = 4096;

bool is(const ElfSection& section, ElfSectionType type) { return section.type == uint32_t(type); }

std::optional<Error> wrongTable(const ElfSection& section, ElfSectionType type, uint32_t rowSize,
                                const char* what) {
  if (!is(section, type)) return Error{fmt::format("not a table of {}", what), section.offset};
  if (section.size % rowSize)
    return Error{fmt::format("a table of {} with {} bytes", what, section.size), section.offset};
  return std::nullopt;
}

/// The text at `at`; a refusal when it lies outside or does not end.
Result<std::string> nameAt(const ByteVector& names, uint32_t at, uint64_t place) {
  if (at == 0) return std::string();
  if (at >= names.size()) return Error{"the name of a symbol lies outside of its table", place};
  const auto begin = names.begin() + at;
  const auto limit = begin + std::min(mostNameBytes, long(names.end() - begin));
  const auto end = std::find(begin, limit, 0);
  if (end == limit)
    return Error{fmt::format("a name of a symbol has no end in {} bytes", mostNameBytes), place};
  return std::string(begin, end);
}

}  // namespace

ByteVector contentOf(const CoreElf& elf, const ElfSection& section) {
  if (is(section, ElfSectionType::NoBits)) return ByteVector(std::min(section.size, mostZeros));
  return fileBytes(elf, section.offset, section.size);
}

Result<std::vector<ElfSymbol>> symbolsOf(const CoreElf& elf, const ElfSection& section) {
  if (auto refusal = wrongTable(section, ElfSectionType::Symbols, symbolSize, "symbols"))
    return *refusal;
  const bool hasNames = section.link < elf.sections.size();
  const auto names = hasNames ? contentOf(elf, elf.sections[section.link]) : ByteVector();
  const auto rows = contentOf(elf, section);
  ByteReader in(rows);
  std::vector<ElfSymbol> symbols;
  while (in.left() > 0) {
    const uint64_t place = section.offset + in.at();
    auto name = nameAt(names, in.word("a symbol"), place);
    if (!name) return name.error();
    ElfSymbol symbol{.name = std::move(*name)};
    symbol.value = in.word("a symbol");
    symbol.size = in.word("a symbol");
    const auto info = in.take<uint8_t>("a symbol");
    symbol.type = info & 15;
    symbol.binding = ElfBinding(info >> 4);
    symbol.other = in.take<uint8_t>("a symbol");
    symbol.section = in.take<uint16_t>("a symbol");
    symbols.push_back(std::move(symbol));
  }
  return symbols;
}

Result<std::vector<ElfRelocation>> relocationsOf(const CoreElf& elf, const ElfSection& section) {
  if (auto refusal = wrongTable(section, ElfSectionType::Rela, relocationSize, "relocations"))
    return *refusal;
  const auto rows = contentOf(elf, section);
  ByteReader in(rows);
  std::vector<ElfRelocation> relocations;
  while (in.left() > 0) {
    ElfRelocation relocation{.offset = in.word("a relocation")};
    const uint32_t info = in.word("a relocation");
    relocation.symbol = info >> 8;
    relocation.type = uint8_t(info);
    relocation.addend = int32_t(in.word("a relocation"));
    relocations.push_back(relocation);
  }
  return relocations;
}

}  // namespace airlite::npu
