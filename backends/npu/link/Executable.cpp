// The executable of a linked core: what loaders read, and after it sections and symbols for people
// and debuggers.
#include "ElfCodes.hpp"
#include "airlite/npu/link/Linker.hpp"
#include "image/ByteIo.hpp"

#include <algorithm>

namespace airlite::npu::link {
namespace {

class Tables {
 public:
  explicit Tables(CoreElf& elf) : elf_(elf), end_(writeCoreElf(elf).size()) {
    elf_.sections.push_back({});
    names_.put(uint8_t(0));
  }

  void addSegment(const ElfSegment& segment, bool isCode) {
    elf_.sections.push_back({.name = nameOf(isCode ? ".text" : ".data"),
                             .type = elf::progBits,
                             .flags = elf::alloc | (isCode ? elf::executable : elf::write),
                             .addr = segment.vaddr,
                             .offset = segment.offset,
                             .size = segment.filesz,
                             .addralign = isCode ? isa::kCodeAlignment : 4});
  }

  void addSymbols(const std::vector<PlacedSymbol>& symbols) {
    ByteWriter rows, texts;
    rows.zeros(elf::symbolBytes);
    texts.put(uint8_t(0));
    uint32_t locals = 1;
    for (const bool isLocal : {true, false})
      for (const PlacedSymbol& symbol : symbols) {
        if (symbol.isLocal != isLocal) continue;
        locals += isLocal;
        addSymbol(rows, texts, symbol);
      }
    const auto strings = uint32_t(elf_.sections.size() + 1);
    append({.name = nameOf(".symtab"),
            .type = elf::symbolTable,
            .link = strings,
            .info = locals,
            .addralign = 4,
            .entsize = elf::symbolBytes},
           rows.take());
    append({.name = nameOf(".strtab"), .type = elf::strings, .addralign = 1}, texts.take());
  }

  void finish() {
    elf_.header.shstrndx = uint16_t(elf_.sections.size());
    const uint32_t name = nameOf(".shstrtab");
    append({.name = name, .type = elf::strings, .addralign = 1}, names_.take());
    elf_.pieces.push_back({end_, after_.take()});
    elf_.header.shoff = uint32_t((end_ + elf_.pieces.back().data.size() + 3) / 4 * 4);
    elf_.header.shnum = uint16_t(elf_.sections.size());
    elf_ = *readCoreElf(writeCoreElf(elf_));  // pieces that touch become one
  }

 private:
  uint32_t nameOf(std::string_view text) {
    const auto at = uint32_t(names_.size());
    put(names_, text);
    return at;
  }
  static void put(ByteWriter& out, std::string_view text) {
    out.bytes({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
    out.put(uint8_t(0));
  }

  /// The section that holds the address: 0 (none) for a symbol in zeros after the last byte.
  uint16_t sectionAt(uint32_t address) const {
    for (size_t i = 1; i < elf_.sections.size(); ++i)
      if (address >= elf_.sections[i].addr &&
          address - elf_.sections[i].addr <= elf_.sections[i].size)
        return uint16_t(i);
    return elf::absolute;
  }

  void addSymbol(ByteWriter& rows, ByteWriter& texts, const PlacedSymbol& symbol) {
    rows.word(uint32_t(texts.size()));
    put(texts, symbol.name);
    rows.word(symbol.address);
    rows.word(symbol.size);
    rows.put(uint8_t(uint8_t(symbol.isLocal ? ElfBinding::Local : ElfBinding::Global) << 4 |
                     uint8_t(symbol.type)));
    rows.put(uint8_t(0));
    rows.put(sectionAt(symbol.address));
  }

  void append(ElfSection section, const ByteVector& bytes) {
    section.offset = uint32_t(end_ + after_.size());
    section.size = uint32_t(bytes.size());
    after_.bytes(bytes);
    elf_.sections.push_back(section);
  }

  CoreElf& elf_;
  uint64_t end_;  // of what loaders read
  ByteWriter after_, names_;
};

}  // namespace

CoreElf executableOf(const Linked& linked, std::optional<uint32_t> flags) {
  CoreElf elf = makeCoreElf(linked.chunks(), linked.entry, flags.value_or(linked.set->elfFlags));
  Tables tables(elf);
  for (size_t i = 0; i < elf.segments.size(); ++i)
    tables.addSegment(elf.segments[i], i == 0);
  tables.addSymbols(linked.symbols);
  tables.finish();
  return elf;
}

}  // namespace airlite::npu::link
