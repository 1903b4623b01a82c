// Plain data to an ELF object: the sections, their relocations, groups, and the tables of names.
#include "ElfCodes.hpp"
#include "airlite/npu/link/Object.hpp"
#include "image/ByteIo.hpp"

#include <algorithm>
#include <numeric>

namespace airlite::npu::link {
namespace {

/// Texts one after the other, each ended by a zero; the first is empty.
class Names {
 public:
  uint32_t add(std::string_view text) {
    if (text.empty()) return 0;
    const auto at = uint32_t(out_.size());
    out_.bytes({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
    out_.put(uint8_t(0));
    return at;
  }
  ByteVector take() { return out_.take(); }

 private:
  static ByteWriter withEmpty() {
    ByteWriter out;
    out.put(uint8_t(0));
    return out;
  }
  ByteWriter out_ = withEmpty();
};

uint32_t flagsOf(const ObjectSection& section) {
  const uint32_t byKind[] = {elf::executable, 0, elf::write, elf::write};
  return elf::alloc | byKind[unsigned(section.kind)] | (section.group ? elf::inGroup : 0) |
         (section.isKept ? elf::retain : 0);
}

class Writer {
 public:
  Writer(const Object& object, uint32_t flags) : object_(object) {
    elf_.header.ident = {0x7F, 'E', 'L', 'F', 1, 1, 1};
    elf_.header.type = elf::objectType;
    elf_.header.flags = flags;
    orderSymbols();
  }

  ByteVector run() {
    add("", {}, {});
    for (const ObjectSection& section : object_.sections)
      addSection(section);
    symbolTable_ = uint32_t(elf_.sections.size()) + groupCount() + relocatedCount();
    addGroups();
    for (uint32_t i = 0; i < object_.sections.size(); ++i)
      addRelocations(i);
    addSymbols();
    add(".strtab", {.type = elf::strings, .addralign = 1}, symbolNames_.take());
    elf_.header.shstrndx = uint16_t(elf_.sections.size());
    const uint32_t name = names_.add(".shstrtab");
    addNamed(name, {.type = elf::strings, .addralign = 1}, names_.take());
    return finish();
  }

 private:
  static uint32_t fileIndex(uint32_t section) { return section + 1; }  // after the empty one

  uint32_t groupCount() const { return uint32_t(object_.groups.size()); }
  uint32_t relocatedCount() const {
    return uint32_t(std::ranges::count_if(
        object_.sections, [](const ObjectSection& s) { return !s.relocations.empty(); }));
  }

  void orderSymbols() {
    std::vector<uint32_t> order(object_.symbols.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_partition(
        order, [&](uint32_t i) { return object_.symbols[i].binding == ElfBinding::Local; });
    newIndex_.resize(order.size());
    for (uint32_t i = 0; i < order.size(); ++i)
      newIndex_[order[i]] = i;
    order_ = std::move(order);
  }

  // -- Sections -----------------------------------------------------------------------------------

  void add(std::string_view name, ElfSection section, const ByteVector& bytes) {
    addNamed(names_.add(name), section, bytes);
  }

  void addNamed(uint32_t name, ElfSection section, const ByteVector& bytes) {
    body_.alignTo(std::max(section.addralign, 1u));
    section.name = name;
    section.offset = section.type ? uint32_t(headerBytes + body_.size()) : 0;
    if (section.type != elf::noBits) section.size = uint32_t(bytes.size());
    body_.bytes(bytes);
    elf_.sections.push_back(section);
  }

  void addSection(const ObjectSection& section) {
    const bool isZeros = section.kind == SectionKind::Zeros;
    add(section.name,
        {.type = isZeros ? elf::noBits : elf::progBits,
         .flags = flagsOf(section),
         .size = section.zeros,
         .addralign = section.alignment},
        section.bytes);
  }

  void addGroups() {
    for (uint32_t group = 0; group < groupCount(); ++group) {
      ByteWriter words;
      words.word(elf::onlyOne);
      for (uint32_t i = 0; i < object_.sections.size(); ++i)
        if (object_.sections[i].group == group) words.word(fileIndex(i));
      add(".group",
          {.type = elf::group,
           .link = symbolTable_,
           .info = symbolNamed(object_.groups[group]),
           .addralign = 4,
           .entsize = elf::wordBytes},
          words.take());
    }
  }

  /// The name of a group is that of a symbol.
  uint32_t symbolNamed(const std::string& name) const {
    for (uint32_t i = 0; i < object_.symbols.size(); ++i)
      if (object_.symbols[i].name == name) return newIndex_[i];
    return 0;
  }

  void addRelocations(uint32_t index) {
    const ObjectSection& section = object_.sections[index];
    if (section.relocations.empty()) return;
    ByteWriter rows;
    for (const ObjectRelocation& relocation : section.relocations) {
      rows.word(relocation.offset);
      rows.word(newIndex_[relocation.symbol] << 8 | relocation.number);
      rows.word(uint32_t(relocation.addend));
    }
    add(".rela" + section.name,
        {.type = elf::rela,
         .flags = elf::infoLink,
         .link = symbolTable_,
         .info = fileIndex(index),
         .addralign = 4,
         .entsize = elf::relaBytes},
        rows.take());
  }

  // -- Symbols ------------------------------------------------------------------------------------

  static uint16_t sectionOf(const ObjectSymbol& symbol) {
    switch (symbol.place) {
      case SymbolPlace::Section: return uint16_t(fileIndex(symbol.section));
      case SymbolPlace::Absolute: return elf::absolute;
      case SymbolPlace::Common: return elf::common;
      case SymbolPlace::Undefined:
      case SymbolPlace::NotLoaded: break;
    }
    return undefinedSection;
  }

  void addSymbol(ByteWriter& rows, const ObjectSymbol& symbol) {
    const bool isSection = symbol.type == SymbolType::Section;
    rows.word(isSection ? 0 : symbolNames_.add(symbol.name));
    rows.word(symbol.value);
    rows.word(symbol.size);
    rows.put(uint8_t(uint8_t(symbol.binding) << 4 | uint8_t(symbol.type)));
    rows.put(uint8_t(0));
    rows.put(sectionOf(symbol));
  }

  void addSymbols() {
    ByteWriter rows;
    rows.zeros(elf::symbolBytes);
    for (size_t i = 1; i < order_.size(); ++i)
      addSymbol(rows, object_.symbols[order_[i]]);
    const auto locals =
        uint32_t(std::ranges::count(object_.symbols, ElfBinding::Local, &ObjectSymbol::binding));
    add(".symtab",
        {.type = elf::symbolTable,
         .link = symbolTable_ + 1,
         .info = locals,
         .addralign = 4,
         .entsize = elf::symbolBytes},
        rows.take());
  }

  ByteVector finish() {
    body_.alignTo(4);
    elf_.header.shoff = uint32_t(headerBytes + body_.size());
    elf_.header.shnum = uint16_t(elf_.sections.size());
    elf_.header.phentsize = 0;
    elf_.pieces = {{headerBytes, body_.take()}};
    return writeCoreElf(elf_);
  }

  static constexpr uint64_t headerBytes = 52;

  const Object& object_;
  CoreElf elf_;
  ByteWriter body_;  // of the file after its header
  Names names_, symbolNames_;
  std::vector<uint32_t> order_;     // symbols of the object as the file has them
  std::vector<uint32_t> newIndex_;  // and the other way
  uint32_t symbolTable_ = 0;
};

}  // namespace

ByteVector writeObject(const Object& object, std::optional<uint32_t> flags) {
  return Writer(object, flags.value_or(object.set->elfFlags)).run();
}

}  // namespace airlite::npu::link
