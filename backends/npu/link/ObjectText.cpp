#include "airlite/npu/link/ObjectText.hpp"

#include "ElfCodes.hpp"
#include "airlite/npu/device/Device.hpp"
#include "airlite/npu/isa/Disassembler.hpp"
#include "airlite/npu/isa/Relocations.hpp"
#include "airlite/npu/isa/Text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace airlite::npu::link {
namespace {

constexpr size_t wordsPerLine = 4;

/// A place that gets a symbol's value when it is linked.
struct Use {
  uint8_t number = 0;
  std::string symbol;  ///< with the addend: `table+8`
};

/// Bytes of one section or segment, and what is known about them by address.
struct Content {
  ByteSpan bytes;
  uint32_t base = 0;
  const isa::InstructionSet* set = &isa::aie2();
  std::multimap<uint32_t, std::string> labels = {};
  std::multimap<uint32_t, Use> uses = {};

  uint32_t end() const { return base + uint32_t(bytes.size()); }
  ByteSpan at(uint32_t address, uint32_t size) const { return bytes.subspan(address - base, size); }
};

std::string withAddend(const std::string& symbol, int64_t addend) {
  return addend ? fmt::format("{}{:+}", symbol, addend) : symbol;
}

std::string lineOf(std::string_view statement, uint32_t address, std::string_view comment) {
  const std::string_view colon = comment.empty() ? "" : ": ";
  return fmt::format("  {:<60} // {:04x}{}{}\n", statement, address, colon, comment);
}

std::string labelLines(const Content& content, uint32_t address) {
  std::string text;
  const auto [first, last] = content.labels.equal_range(address);
  for (auto at = first; at != last; ++at)
    text += at->second + ":\n";
  return text;
}

// -- Data -----------------------------------------------------------------------------------------

uint32_t wordAt(const Content& content, uint32_t address) {
  const ByteSpan b = content.at(address, 4);
  return uint32_t(b[0]) | uint32_t(b[1]) << 8 | uint32_t(b[2]) << 16 | uint32_t(b[3]) << 24;
}

/// Where data has to be cut into pieces: at the next label, symbol, or the end.
uint32_t nextPlace(const Content& content, uint32_t address) {
  uint32_t next = content.end();
  if (const auto label = content.labels.upper_bound(address); label != content.labels.end())
    next = std::min(next, label->first);
  if (const auto use = content.uses.upper_bound(address); use != content.uses.end())
    next = std::min(next, use->first);
  return next;
}

std::string numbersLine(const Content& content, uint32_t address, uint32_t count, uint32_t size) {
  std::string text = size == 4 ? ".word " : ".byte ";
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t at = address + i * size;
    text += i ? ", " : "";
    text += fmt::format("{:#x}", size == 4 ? wordAt(content, at) : content.at(at, 1)[0]);
  }
  return lineOf(text, address, "");
}

/// One statement of data from `address` on, at most to `end`; moves `address` after it.
std::string dataLine(const Content& content, uint32_t& address, uint32_t end) {
  const uint32_t from = address;
  if (const auto use = content.uses.find(from); use != content.uses.end() && end - from >= 4) {
    address += 4;
    return lineOf(fmt::format(".word {}", use->second.symbol), from,
                  fmt::format("R_AIE_{}", use->second.number));
  }
  const uint32_t bytes = std::min(end, nextPlace(content, from)) - from;
  const uint32_t size = bytes >= 4 ? 4 : 1;
  const auto count = std::min<uint32_t>(bytes / size, wordsPerLine);
  address += count * size;
  return numbersLine(content, from, count, size);
}

std::string dataLines(const Content& content, uint32_t begin, uint32_t end) {
  std::string text;
  for (uint32_t at = begin; at < end;) {
    if (at != begin) text += labelLines(content, at);
    text += dataLine(content, at, end);
  }
  return text;
}

// -- Code -----------------------------------------------------------------------------------------

/// Labels of the content, and the symbols that the relocations of one bundle name.
class BundleNames : public isa::SymbolNames {
 public:
  BundleNames(const Content& content, const isa::ProgramBundle& bundle)
      : content_(content), bundle_(bundle) {}

  std::string nameOf(int64_t address) const override {
    if (address < 0 || address > UINT32_MAX) return "";
    const auto label = content_.labels.find(uint32_t(address));
    return label == content_.labels.end() ? "" : label->second;
  }
  std::string nameOf(const isa::Instruction& instruction, unsigned operand) const override {
    const auto number = isa::relocationFor(bundle_.bundle.format(), instruction.form(), operand);
    const auto [first, last] = content_.uses.equal_range(bundle_.address);
    for (auto use = first; use != last; ++use)
      if (number == use->second.number) return use->second.symbol;
    return "";
  }

 private:
  const Content& content_;
  const isa::ProgramBundle& bundle_;
};

std::string hexOf(ByteSpan bytes) {
  std::string text;
  for (const uint8_t byte : bytes)
    text += fmt::format("{:02x}", byte);
  return text;
}

std::string bundleLine(const Content& content, const isa::ProgramBundle& bundle) {
  const BundleNames names(content, bundle);
  std::string comment = hexOf(content.at(bundle.address, bundle.bundle.size()));
  const auto [first, last] = content.uses.equal_range(bundle.address);
  for (auto use = first; use != last; ++use)
    comment += fmt::format(" R_AIE_{} {}", use->second.number, use->second.symbol);
  return lineOf(isa::print(bundle.bundle, &names), bundle.address, comment);
}

/// Targets of jumps that have no label get one.
void labelTargets(Content& content, const isa::Program& program) {
  for (const isa::ProgramBundle& b : program.bundles)
    for (const isa::Instruction& instruction : b.bundle.instructions())
      for (unsigned i = 0; i < instruction.row().operandCount; ++i) {
        const isa::OperandRow& op = instruction.row().operands[i];
        if (op.kind != isa::OperandKind::Immediate || !isa::immediate(op.type).isTarget) continue;
        const auto target = uint32_t(instruction.imm(i));
        if (content.uses.contains(b.address) || content.labels.contains(target) ||
            program.indexAt(target) == program.bundles.size())
          continue;
        content.labels.emplace(target, fmt::format("L{:04x}", target));
      }
}

std::string codeLines(Content content) {
  const isa::Disassembly found =
      isa::disassemble(std::as_bytes(content.bytes), content.base, *content.set);
  labelTargets(content, found.program);
  std::string text;
  uint32_t at = content.base;
  for (const isa::ProgramBundle& bundle : found.program.bundles) {
    if (at < bundle.address) text += labelLines(content, at);
    text += dataLines(content, at, bundle.address);  // what is not a bundle
    text += labelLines(content, bundle.address);
    text += bundleLine(content, bundle);
    at = bundle.end();
  }
  if (at < content.end() || content.bytes.empty()) text += labelLines(content, at);
  return text + dataLines(content, at, content.end());
}

// -- Objects --------------------------------------------------------------------------------------

Content contentOf(const Object& object, uint32_t index) {
  const ObjectSection& section = object.sections[index];
  Content content{.bytes = section.bytes, .set = object.set};
  for (const ObjectSymbol& symbol : object.symbols)
    if (symbol.place == SymbolPlace::Section && symbol.section == index &&
        symbol.type != SymbolType::Section && !symbol.name.empty())
      content.labels.emplace(symbol.value, symbol.name);
  for (const ObjectRelocation& relocation : section.relocations)
    content.uses.emplace(relocation.offset,
                         Use{relocation.number, withAddend(object.symbols[relocation.symbol].name,
                                                           relocation.addend)});
  return content;
}

std::string zerosLines(const Content& content, uint32_t size) {
  std::string text;
  for (uint32_t at = 0; at < size;) {
    if (at) text += labelLines(content, at);
    const auto label = content.labels.upper_bound(at);
    const uint32_t end = label == content.labels.end() ? size : std::min(size, label->first);
    text += lineOf(fmt::format(".space {}", end - at), at, "");
    at = end;
  }
  return text;
}

std::string bindingLine(const ObjectSymbol& symbol) {
  if (symbol.binding == ElfBinding::Local || symbol.place == SymbolPlace::Common) return "";
  if (symbol.place == SymbolPlace::Undefined && symbol.binding == ElfBinding::Global) return "";
  return fmt::format("{} {}\n", symbol.binding == ElfBinding::Weak ? ".weak" : ".global",
                     symbol.name);
}

std::string bodyOf(const ObjectSection& section, const Content& content) {
  if (section.kind == SectionKind::Code) return codeLines(content);
  const std::string first = labelLines(content, 0);
  if (section.kind == SectionKind::Zeros) return first + zerosLines(content, section.zeros);
  return first + dataLines(content, 0, section.size());
}

std::string sectionText(const Object& object, uint32_t index) {
  const ObjectSection& section = object.sections[index];
  const Content content = contentOf(object, index);
  const std::string group =
      section.group ? fmt::format(", group {}", object.groups[*section.group]) : "";
  const std::string title = fmt::format(".section {}", section.name);
  std::string text = fmt::format("\n{:<62} // {}, {} bytes{}\n.align {}\n", title,
                                 name(section.kind), section.size(), group, section.alignment);
  text += bodyOf(section, content);
  return section.size() ? text + labelLines(content, section.size()) : text;
}

std::string otherSymbolLine(const ObjectSymbol& symbol) {
  if (symbol.place == SymbolPlace::Common)
    return fmt::format(".comm {}, {}, {}\n", symbol.name, symbol.size, symbol.value);
  if (symbol.place == SymbolPlace::Absolute && !symbol.name.empty() &&
      symbol.type != SymbolType::File)
    return fmt::format(".equ {}, {:#x}\n", symbol.name, symbol.value);
  if (symbol.place == SymbolPlace::Undefined && symbol.binding != ElfBinding::Local)
    return fmt::format("// undefined: {}\n", symbol.name);
  return "";
}

}  // namespace

std::string printObject(const Object& object) {
  std::string text = fmt::format("// object {}\n", object.name);
  for (const ObjectSymbol& symbol : object.symbols)
    text += bindingLine(symbol) + otherSymbolLine(symbol);
  for (uint32_t i = 0; i < object.sections.size(); ++i)
    text += sectionText(object, i);
  return text;
}

Result<const isa::InstructionSet*> instructionsOfElf(const CoreElf& elf) {
  for (const isa::InstructionSet* set : isa::instructionSets())
    if (set->elfFlags == elf.header.flags) return set;
  return Error{fmt::format("no instruction set for e_flags {}", elf.header.flags)};
}

Result<std::string> printExecutable(const CoreElf& elf) {
  const auto set = instructionsOfElf(elf);
  if (!set) return set.error();
  std::multimap<uint32_t, std::string> labels;
  for (const ElfSection& section : elf.sections) {
    if (section.type != elf::symbolTable) continue;
    const auto symbols = symbolsOf(elf, section);
    if (!symbols) return symbols.error();
    for (const ElfSymbol& symbol : *symbols)
      if (symbol.section != undefinedSection && symbol.section < elf::reservedSections &&
          symbol.type <= uint8_t(SymbolType::Function) && !symbol.name.empty())
        labels.emplace(symbol.value, symbol.name);
  }
  std::string text = fmt::format("// executable, entry {:#x}\n", elf.header.entry);
  for (const ElfSegment* segment : loadable(elf)) {
    const bool isCode = segment->paddr < *coreWindow(Neighbour::South);
    const ByteVector bytes = fileBytes(elf, segment->offset, segment->filesz);
    const Content content{.bytes = bytes, .base = segment->paddr, .set = *set, .labels = labels};
    text += fmt::format("\n// {} bytes of {} at {:#x}, {} of zeros after them\n", segment->filesz,
                        isCode ? "code" : "data", segment->paddr,
                        segment->memsz - std::min(segment->memsz, segment->filesz));
    if (!isCode) text += labelLines(content, content.base);
    text += isCode ? codeLines(content) : dataLines(content, content.base, content.end());
  }
  return text;
}

}  // namespace airlite::npu::link
