// ELF objects to plain data. A file of any tool may come in, and a broken one: everything that is
// an index or an offset is looked at before it is used.
#include "ElfCodes.hpp"
#include "airlite/npu/isa/Relocations.hpp"
#include "airlite/npu/link/Object.hpp"
#include "image/ByteIo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string_view>

namespace airlite::npu::link {
namespace {

constexpr uint32_t mostAlignment = 1 << 16;  // of a window of data memory
constexpr uint32_t mostZeros = 1 << 20;      // nothing a core sees is as large

struct Opening {
  std::string_view bytes;
  const char* what;
};
// Files that are named as objects by mistake.
constexpr Opening openings[] = {
    {"!<arch>\n", "an archive where an object should be"},
    {"!<thin>\n", "not supported: a thin archive; name its objects"},
    {"BC\xC0\xDE", "not an object but LLVM bitcode: it was compiled with -flto or -emit-llvm"},
};

std::optional<Error> wrongOpening(ByteSpan bytes) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (const Opening& opening : openings)
    if (text.starts_with(opening.bytes)) return Error{opening.what, 0};
  return std::nullopt;
}

std::string generationName(uint32_t flags) {
  if (flags >= 1 && flags <= 3) return std::array{"AIE1", "AIE2", "AIE2P"}[flags - 1];
  return fmt::format("an unknown generation (e_flags {:#x})", flags);
}

const isa::InstructionSet* setOfFlags(uint32_t flags) {
  for (const isa::InstructionSet* set : isa::instructionSets())
    if (set->elfFlags == flags) return set;
  return nullptr;
}

std::optional<Error> wrongHeader(const ElfHeader& header, uint32_t flags) {
  constexpr uint64_t typeAt = 16, flagsAt = 36;
  if (header.type == elf::executableType)
    return Error{"an executable, objects (compiled with -c) are linked", typeAt};
  if (header.type != elf::objectType)
    return Error{fmt::format("an ELF file of type {}, objects have 1", header.type), typeAt};
  if (header.flags == flags) return std::nullopt;
  if (flags == kAnyGeneration)
    return setOfFlags(header.flags)
               ? std::nullopt
               : std::optional(
                     Error{fmt::format("compiled for {}, whose instructions are not known",
                                       generationName(header.flags)),
                           flagsAt});
  return Error{fmt::format("compiled for {}, the core is {}", generationName(header.flags),
                           generationName(flags)),
               flagsAt};
}

/// One class: sections, symbols and relocations name each other by index, and a check of one looks
/// into what the others left.
class ObjectReader {
 public:
  ObjectReader(const CoreElf& elf, uint64_t fileSize, std::string name) : elf_(elf) {
    object_.name = std::move(name);
    if (const isa::InstructionSet* set = setOfFlags(elf.header.flags)) object_.set = set;
    object_.symbols.clear();
    checkSizes(fileSize);
  }

  Result<Object> run() {
    each(&ObjectReader::takeSection);
    each(&ObjectReader::takeSymbols);
    if (object_.symbols.empty()) object_.symbols = Object{}.symbols;
    each(&ObjectReader::takeGroup);
    each(&ObjectReader::takeRelocations);
    if (refusal_) return *refusal_;
    return std::move(object_);
  }

 private:
  static constexpr uint32_t notLoaded = ~uint32_t{0};

  void refuse(const ElfSection& section, std::string message) {
    if (!refusal_) refusal_ = Error{std::move(message), section.offset};
  }
  std::string nameOf(const ElfSection& section) const { return sectionName(elf_, section); }

  void each(void (ObjectReader::*take)(uint32_t index)) {
    for (uint32_t i = 0; i < elf_.sections.size() && !refusal_; ++i)
      (this->*take)(i);
  }

  /// Sections share no bytes; a file where they do could claim any amount of memory.
  void checkSizes(uint64_t fileSize) {
    uint64_t sum = 0;
    for (const ElfSection& section : elf_.sections)
      if (section.type != elf::noBits) sum += section.size;
    if (sum > fileSize) refusal_ = Error{"sections overlap", elf_.header.shoff};
    loaded_.assign(elf_.sections.size(), notLoaded);
  }

  // -- Sections -----------------------------------------------------------------------------------

  void takeSection(uint32_t index) {
    const ElfSection& section = elf_.sections[index];
    if (section.type == elf::extendedIndices)
      return refuse(section, "not supported: an object of more than 65000 sections");
    if (!(section.flags & elf::alloc)) return;
    if (section.flags & elf::threadLocal)
      return refuse(section, "not supported: thread-local data, " + nameOf(section));
    if (section.type >= elf::initArray && section.type <= elf::preinitArray && section.size)
      return refuse(section,
                    fmt::format("not supported: constructors or destructors of global objects ({})",
                                nameOf(section)));
    if (section.type != elf::progBits && section.type != elf::noBits) return;
    addSection(index, section);
  }

  void addSection(uint32_t index, const ElfSection& section) {
    const uint32_t alignment = std::max(section.addralign, 1u);
    if (!std::has_single_bit(alignment) || alignment > mostAlignment)
      return refuse(section, fmt::format("{} has an alignment of {}", nameOf(section), alignment));
    const bool isZeros = section.type == elf::noBits;
    if (isZeros && section.size > mostZeros)
      return refuse(section, fmt::format("{} has {} bytes", nameOf(section), section.size));
    if (isZeros && section.flags & elf::executable)
      return refuse(section, fmt::format("{} is code without bytes", nameOf(section)));
    loaded_[index] = uint32_t(object_.sections.size());
    object_.sections.push_back({.name = nameOf(section),
                                .kind = kindOf(section),
                                .alignment = alignment,
                                .bytes = isZeros ? ByteVector() : contentOf(elf_, section),
                                .zeros = isZeros ? section.size : 0,
                                .isKept = (section.flags & elf::retain) != 0});
  }

  static SectionKind kindOf(const ElfSection& section) {
    if (section.type == elf::noBits) return SectionKind::Zeros;
    if (section.flags & elf::executable) return SectionKind::Code;
    return section.flags & elf::write ? SectionKind::Data : SectionKind::ReadOnly;
  }

  // -- Symbols ------------------------------------------------------------------------------------

  void takeSymbols(uint32_t index) {
    const ElfSection& section = elf_.sections[index];
    if (section.type != elf::symbolTable) return;
    if (symbolTable_) return refuse(section, "two tables of symbols");
    symbolTable_ = index;
    auto symbols = symbolsOf(elf_, section);
    if (!symbols) {
      refusal_ = symbols.error();
      return;
    }
    for (uint32_t i = 0; i < symbols->size() && !refusal_; ++i)
      takeSymbol(section, i, std::move((*symbols)[i]));
  }

  void takeSymbol(const ElfSection& table, uint32_t index, ElfSymbol&& from) {
    if (!index) {
      object_.symbols.push_back({.place = SymbolPlace::Absolute});
      return;
    }
    ObjectSymbol symbol{.name = std::move(from.name), .value = from.value, .size = from.size};
    if (!takeKind(table, from, symbol) || !takePlace(table, from, symbol)) return;
    if (symbol.type == SymbolType::Section && from.section < elf_.sections.size())
      symbol.name = nameOf(elf_.sections[from.section]);
    if (symbol.binding != ElfBinding::Local && symbol.name.empty())
      return refuse(table, fmt::format("symbol {} is global and has no name", index));
    object_.symbols.push_back(std::move(symbol));
  }

  bool takeKind(const ElfSection& table, const ElfSymbol& from, ObjectSymbol& symbol) {
    const auto binding = uint8_t(from.binding);
    if (from.type == elf::threadLocalSymbol || from.type == elf::indirectFunction)
      refuse(table, fmt::format("not supported: '{}' is {}", symbol.name,
                                from.type == elf::threadLocalSymbol ? "thread-local"
                                                                    : "an indirect function"));
    else if (binding > uint8_t(ElfBinding::Weak) && binding != elf::uniqueBinding)
      refuse(table, fmt::format("'{}' has an unknown binding {}", symbol.name, binding));
    // One of several equal definitions: what weak symbols are.
    symbol.binding = binding == elf::uniqueBinding ? ElfBinding::Weak : from.binding;
    symbol.type = from.type <= uint8_t(SymbolType::File) ? SymbolType(from.type) : SymbolType::None;
    return !refusal_;
  }

  bool takePlace(const ElfSection& table, const ElfSymbol& from, ObjectSymbol& symbol) {
    if (from.section == undefinedSection) return true;
    if (from.section == elf::absolute) return symbol.place = SymbolPlace::Absolute, true;
    if (from.section == elf::common) return takeCommon(table, symbol);
    if (from.section >= elf_.sections.size()) {
      refuse(table, fmt::format("'{}' is in section {}, there are {}", symbol.name, from.section,
                                elf_.sections.size()));
      return false;
    }
    symbol.section = loaded_[from.section];
    symbol.place = symbol.section == notLoaded ? SymbolPlace::NotLoaded : SymbolPlace::Section;
    if (symbol.place == SymbolPlace::NotLoaded) {
      symbol.section = 0;
      return true;
    }
    const ObjectSection& section = object_.sections[symbol.section];
    if (symbol.value <= section.size()) return true;
    refuse(table, fmt::format("'{}' is at byte {} of {}, which has {}", symbol.name, symbol.value,
                              section.name, section.size()));
    return false;
  }

  bool takeCommon(const ElfSection& table, ObjectSymbol& symbol) {
    symbol.place = SymbolPlace::Common;
    symbol.value = std::max(symbol.value, 1u);
    if (std::has_single_bit(symbol.value) && symbol.value <= mostAlignment &&
        symbol.size <= mostZeros && symbol.binding != ElfBinding::Local)
      return true;
    refuse(table, fmt::format("the common symbol '{}' wants {} bytes at multiples of {}",
                              symbol.name, symbol.size, symbol.value));
    return false;
  }

  // -- Groups -------------------------------------------------------------------------------------

  void takeGroup(uint32_t index) {
    const ElfSection& section = elf_.sections[index];
    if (section.type != elf::group) return;
    const ByteVector content = contentOf(elf_, section);
    ByteReader in(content);
    if (content.size() % elf::wordBytes || content.empty())
      return refuse(section, fmt::format("a group of {} bytes", content.size()));
    if (in.word("a group") != elf::onlyOne) return;  // its sections are linked together: no matter
    if (section.info >= object_.symbols.size())
      return refuse(section, fmt::format("a group is named by symbol {}, there are {}",
                                         section.info, object_.symbols.size()));
    const auto number = uint32_t(object_.groups.size());
    object_.groups.push_back(object_.symbols[section.info].name);
    while (in.left() && !refusal_)
      takeMember(section, number, in.word("a group"));
  }

  void takeMember(const ElfSection& group, uint32_t number, uint32_t member) {
    if (member >= elf_.sections.size())
      return refuse(group, fmt::format("section {} is in a group, there are {}", member,
                                       elf_.sections.size()));
    if (loaded_[member] == notLoaded) return;
    ObjectSection& section = object_.sections[loaded_[member]];
    if (section.group) return refuse(group, section.name + " is in two groups");
    section.group = number;
  }

  // -- Relocations --------------------------------------------------------------------------------

  void takeRelocations(uint32_t index) {
    const ElfSection& table = elf_.sections[index];
    if (table.type != elf::rela && table.type != elf::rel) return;
    if (table.info >= elf_.sections.size())
      return refuse(table, fmt::format("relocations of section {}, there are {}", table.info,
                                       elf_.sections.size()));
    if (loaded_[table.info] == notLoaded) return;
    if (!symbolTable_ || table.link != *symbolTable_)
      return refuse(table, fmt::format("relocations with symbols of section {}", table.link));
    ObjectSection& section = object_.sections[loaded_[table.info]];
    if (section.kind == SectionKind::Zeros)
      return refuse(table, fmt::format("relocations of {}, which has no bytes", section.name));
    const uint32_t rowBytes = table.type == elf::rela ? elf::relaBytes : elf::relBytes;
    if (table.size % rowBytes)
      return refuse(table, fmt::format("a table of relocations with {} bytes", table.size));
    const ByteVector rows = contentOf(elf_, table);
    ByteReader in(rows);
    while (in.left() && !refusal_)
      takeRelocation(in, table, section);
  }

  void takeRelocation(ByteReader& in, const ElfSection& table, ObjectSection& section) {
    ObjectRelocation relocation{.offset = in.word("a relocation")};
    const uint32_t info = in.word("a relocation");
    relocation.number = uint8_t(info);
    relocation.symbol = info >> 8;
    if (table.type == elf::rela) relocation.addend = int32_t(in.word("a relocation"));
    if (relocation.symbol >= object_.symbols.size())
      return refuse(table, fmt::format("a relocation with symbol {}, there are {}",
                                       relocation.symbol, object_.symbols.size()));
    if (relocation.number >= isa::relocations(*object_.set).size())
      return refuse(
          table, fmt::format("unknown relocation R_AIE_{} in {}", relocation.number, section.name));
    const isa::RelocationRow& row = isa::relocations(*object_.set)[relocation.number];
    if (relocation.offset > section.size() || section.size() - relocation.offset < row.bytes)
      return refuse(table, fmt::format("R_AIE_{} at byte {} of {}, which has {}", row.number,
                                       relocation.offset, section.name, section.size()));
    if (table.type == elf::rel) relocation.addend = addendIn(section, relocation.offset, row);
    section.relocations.push_back(relocation);
  }

  /// What stands in the fields of the relocation, with its sign.
  static int64_t addendIn(const ObjectSection& section, uint32_t offset,
                          const isa::RelocationRow& row) {
    isa::Word128 word;
    for (unsigned i = 0; i < row.bytes; ++i)
      word.set(i * 8, 8, section.bytes[offset + i]);
    uint64_t value = 0;
    unsigned width = 0;
    for (const isa::RelocationField& field : row.fields) {
      if (field.width) value |= word.get(field.bundle, field.width) << field.value;
      width += field.width;
    }
    return int64_t(value << (64 - width)) >> (64 - width);
  }

  const CoreElf& elf_;
  Object object_;
  std::vector<uint32_t> loaded_;  ///< for each section of the file that of the object, or notLoaded
  std::optional<uint32_t> symbolTable_;
  std::optional<Error> refusal_;
};

}  // namespace

std::string_view name(SectionKind kind) {
  constexpr std::string_view names[] = {"code", "read-only", "data", "zeros"};
  return names[unsigned(kind)];
}

bool isObject(ByteSpan bytes) {
  const auto elf = readCoreElf(bytes);
  return elf && elf->header.type == elf::objectType;
}

Result<Object> readObject(ByteSpan bytes, std::string name, uint32_t flags) {
  if (bytes.empty()) return Error{"the file is empty", 0};
  if (auto refusal = wrongOpening(bytes)) return *refusal;
  const auto elf = readCoreElf(bytes);
  if (!elf) return elf.error();
  if (auto refusal = wrongHeader(elf->header, flags)) return *refusal;
  return ObjectReader(*elf, bytes.size(), std::move(name)).run();
}

}  // namespace airlite::npu::link
