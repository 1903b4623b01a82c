// Lines are dealt to the sections they stand in; each section is then a source for the assembler,
// with empty lines for those of the others, so that line numbers stay.
#include "airlite/npu/link/ObjectSource.hpp"

#include "isa/SourceLine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

namespace airlite::npu::link {
namespace {

using isa::SourceError;

constexpr size_t mostSections = 256;
constexpr int64_t mostCommonBytes = 1 << 20;  // of a common symbol
constexpr int64_t mostCommonAlignment = 1 << 16;
constexpr uint32_t dataAlignment = 4;

struct KindOfName {
  std::string_view prefix;
  SectionKind kind;
};
constexpr KindOfName kindsOfNames[] = {{".text", SectionKind::Code},
                                       {".rodata", SectionKind::ReadOnly},
                                       {".data", SectionKind::Data},
                                       {".bss", SectionKind::Zeros}};

std::optional<SectionKind> kindOfName(std::string_view name) {
  for (const KindOfName& row : kindsOfNames)
    if (name == row.prefix || (name.starts_with(row.prefix) && name[row.prefix.size()] == '.'))
      return row.kind;
  return std::nullopt;
}

/// A line of the source that the assembler reads.
struct Line {
  unsigned number = 0;
  std::string text;
  std::optional<size_t> section;  ///< none: for all of them (a number with a name)
};

/// One class: each line adds to the sections and symbols of one object, which directives and labels
/// before it chose.
class ObjectAssembler {
 public:
  ObjectAssembler(std::string name, const isa::InstructionSet& set) {
    out_.object.name = std::move(name);
    out_.object.set = &set;
  }

  AssembledObject run(std::string_view source) {
    enter(".text");
    while (!source.empty()) {
      ++line_;
      const size_t end = std::min(source.find('\n'), source.size());
      readLine(source.substr(0, end));
      source.remove_prefix(std::min(end + 1, source.size()));
    }
    for (size_t i = 0; i < out_.object.sections.size(); ++i)
      assemble(i);
    checkBindings();
    std::ranges::stable_sort(out_.errors, {}, &SourceError::line);
    dropEmptySections();
    return std::move(out_);
  }

 private:
  struct Mention {
    unsigned line;
    unsigned column;
    ElfBinding binding;
  };

  void fail(const isa::Piece& at, std::string message) {
    out_.errors.push_back({line_, unsigned(at.offset + 1),
                           unsigned(std::max<size_t>(at.text.size(), 1)), std::move(message), ""});
  }

  // -- Lines --------------------------------------------------------------------------------------

  void readLine(std::string_view text) {
    const isa::SourceLine line = isa::splitLine(text);
    for (const isa::Piece& label : line.labels)
      noteLabel(label);
    const isa::Directive d = line.statement.text.starts_with('.')
                                 ? isa::splitDirective(line.statement)
                                 : isa::Directive{};
    if (!isOurs(d)) return lines_.push_back({line_, std::string(text), section_}), void();
    lines_.push_back({line_, std::string(text.substr(0, line.statement.offset)), section_});
    if (d.name == ".equ") {
      const std::string blanks(line.statement.offset, ' ');
      lines_.push_back({line_, blanks + std::string(line.statement.text), std::nullopt});
    } else {
      directive(d);
    }
  }

  void noteLabel(const isa::Piece& label) {
    const auto [at, isNew] = sectionOfLabel_.try_emplace(std::string(label.text), section_);
    if (!isNew && at->second != section_)  // in one section the assembler says so
      fail(label, fmt::format("'{}' is defined twice", label.text));
  }

  static bool isOurs(const isa::Directive& d) {
    static constexpr std::string_view names[] = {".equ",   ".section", ".global",
                                                 ".globl", ".weak",    ".comm"};
    return std::ranges::find(names, d.name) != std::end(names) || kindOfName(d.name);
  }

  void directive(const isa::Directive& d) {
    if (d.name == ".comm") return common(d);
    if (d.name == ".section") return section(d);
    if (!kindOfName(d.name)) return bind(d);
    if (!d.arguments.empty()) return fail(d.arguments[0], "nothing is expected here");
    enter(d.name);
  }

  void section(const isa::Directive& d) {
    const isa::Piece place{d.name, d.offset};
    if (d.arguments.size() != 1) return fail(place, "'.section' takes 1 argument");
    if (!kindOfName(d.arguments[0].text))
      return fail(d.arguments[0], "expected a name that begins with .text, .rodata, .data or .bss");
    if (out_.object.sections.size() == mostSections)
      return fail(place, fmt::format("more than {} sections", mostSections));
    enter(d.arguments[0].text);
  }

  void enter(std::string_view name) {
    auto& sections = out_.object.sections;
    const auto at = std::ranges::find(sections, name, &ObjectSection::name);
    section_ = size_t(at - sections.begin());
    if (at == sections.end())
      sections.push_back({.name = std::string(name), .kind = *kindOfName(name)});
  }

  void bind(const isa::Directive& d) {
    if (d.arguments.empty())
      return fail({d.name, d.offset}, fmt::format("expected names after '{}'", d.name));
    for (const isa::Piece& argument : d.arguments) {
      if (!isa::isSymbolName(argument.text)) return fail(argument, "expected a name");
      bindings_[std::string(argument.text)] = {
          line_, unsigned(argument.offset + 1),
          d.name == ".weak" ? ElfBinding::Weak : ElfBinding::Global};
    }
  }

  void common(const isa::Directive& d) {
    const size_t count = d.arguments.size();
    if (count != 2 && count != 3)
      return fail({d.name, d.offset}, "'.comm' takes a name, a size and an alignment");
    if (!isa::isSymbolName(d.arguments[0].text)) return fail(d.arguments[0], "expected a name");
    const auto size = isa::parseInteger(d.arguments[1].text);
    if (!size || *size < 1 || *size > mostCommonBytes)
      return fail(d.arguments[1], fmt::format("expected a number from 1 to {}", mostCommonBytes));
    const auto alignment = count == 3 ? isa::parseInteger(d.arguments[2].text) : dataAlignment;
    if (!alignment || *alignment < 1 || *alignment > mostCommonAlignment ||
        !std::has_single_bit(uint64_t(*alignment)))
      return fail(d.arguments[2], "expected a power of two");
    if (!sectionOfLabel_.try_emplace(std::string(d.arguments[0].text), mostSections).second)
      return fail(d.arguments[0], fmt::format("'{}' is defined twice", d.arguments[0].text));
    add({.name = std::string(d.arguments[0].text),
         .binding = ElfBinding::Global,
         .type = SymbolType::Data,
         .place = SymbolPlace::Common,
         .value = uint32_t(*alignment),
         .size = uint32_t(*size)});
  }

  // -- Sections -----------------------------------------------------------------------------------

  /// Of a line in pieces (labels, and a number with a name) each keeps its columns.
  std::string sourceOf(size_t section) const {
    std::string text;
    unsigned at = 1;
    size_t begin = 0;
    for (const Line& line : lines_) {
      if (line.section && *line.section != section) continue;
      for (; at < line.number; ++at)
        begin = (text += '\n').size();
      const size_t have = text.size() - begin;
      if (line.text.size() > have) text += line.text.substr(have);
    }
    return text;
  }

  void assemble(size_t index) {
    isa::Assembly made = isa::assemble(
        sourceOf(index), {.keepUndefined = true, .keepLabels = true, .set = out_.object.set});
    ObjectSection& section = out_.object.sections[index];
    for (SourceError& error : made.errors)
      if (reported_.insert({error.line, error.column, error.message}).second)
        out_.errors.push_back(std::move(error));
    checkContent(section, made);
    section.alignment = alignmentOf(section.kind, made.alignment);
    const auto* bytes = reinterpret_cast<const uint8_t*>(made.bytes.data());
    if (section.kind == SectionKind::Zeros)
      section.zeros = uint32_t(made.bytes.size());
    else
      section.bytes.assign(bytes, bytes + made.bytes.size());
    for (const isa::Symbol& label : made.program.symbols)
      define(index, label);
    for (const isa::SymbolUse& use : made.relocations)
      pending_.push_back({index, use});
    if (index + 1 == out_.object.sections.size()) addRelocations();
  }

  /// Data that asks for less than a word gets what it asks for.
  static uint32_t alignmentOf(SectionKind kind, uint32_t asked) {
    if (kind == SectionKind::Code) return std::max(asked, isa::kCodeAlignment);
    return asked ? asked : dataAlignment;
  }

  void checkContent(const ObjectSection& section, const isa::Assembly& made) {
    if (section.kind != SectionKind::Code && !made.program.bundles.empty())
      out_.errors.push_back(
          {made.program.bundles[0].line, 1, 1,
           fmt::format("instructions belong into .text, this is {}", section.name), ""});
    const bool hasBytes =
        std::ranges::any_of(made.bytes, [](std::byte b) { return b != std::byte{}; });
    if (section.kind == SectionKind::Zeros && (hasBytes || !made.relocations.empty()))
      out_.errors.push_back(
          {lineOfSection(section), 1, 1, fmt::format("{} can have zeros only", section.name), ""});
  }

  unsigned lineOfSection(const ObjectSection& section) const {
    const auto index = size_t(&section - out_.object.sections.data());
    const auto at = std::ranges::find(lines_, std::optional(index), &Line::section);
    return at == lines_.end() ? 1 : at->number;
  }

  // -- Symbols ------------------------------------------------------------------------------------

  void add(ObjectSymbol symbol) {
    indexOf_[symbol.name] = uint32_t(out_.object.symbols.size());
    out_.object.symbols.push_back(std::move(symbol));
  }

  ElfBinding bindingOf(const std::string& name, ElfBinding otherwise) const {
    const auto at = bindings_.find(name);
    return at == bindings_.end() ? otherwise : at->second.binding;
  }

  void define(size_t section, const isa::Symbol& label) {
    add({.name = label.name,
         .binding = bindingOf(label.name, ElfBinding::Local),
         .type = label.isCode ? SymbolType::Function : SymbolType::Data,
         .place = SymbolPlace::Section,
         .section = uint32_t(section),
         .value = label.address});
  }

  uint32_t indexOf(const std::string& name) {
    if (!indexOf_.contains(name))
      add({.name = name, .binding = bindingOf(name, ElfBinding::Global)});
    return indexOf_[name];
  }

  /// When the labels of all sections are known.
  void addRelocations() {
    for (const auto& [section, use] : pending_)
      out_.object.sections[section].relocations.push_back(
          {use.address, use.relocation, indexOf(use.symbol), use.addend});
  }

  void checkBindings() {
    for (const auto& [name, mention] : bindings_)
      if (!indexOf_.contains(name) && mention.binding == ElfBinding::Global)
        out_.errors.push_back({mention.line, mention.column, unsigned(name.size()),
                               fmt::format("'{}' is neither defined nor used here", name), ""});
  }

  /// The section at the start stays away when nothing is in it.
  void dropEmptySections() {
    auto& sections = out_.object.sections;
    if (sections.size() < 2 || sections[0].size() || hasSymbol(0)) return;
    sections.erase(sections.begin());
    for (ObjectSymbol& symbol : out_.object.symbols)
      if (symbol.place == SymbolPlace::Section) --symbol.section;
  }
  bool hasSymbol(uint32_t section) const {
    return std::ranges::any_of(out_.object.symbols, [&](const ObjectSymbol& symbol) {
      return symbol.place == SymbolPlace::Section && symbol.section == section;
    });
  }

  struct Pending {
    size_t section;
    isa::SymbolUse use;
  };

  AssembledObject out_;
  unsigned line_ = 0;
  size_t section_ = 0;
  std::vector<Line> lines_;
  std::vector<Pending> pending_;
  std::map<std::string, size_t> sectionOfLabel_;
  std::map<std::string, Mention> bindings_;
  std::map<std::string, uint32_t> indexOf_;
  std::set<std::tuple<unsigned, unsigned, std::string>> reported_;
};

ByteVector bytesOf(const isa::Program& program) {
  ByteVector bytes;
  for (const isa::ProgramBundle& b : program.bundles) {
    bytes.resize(std::max<size_t>(bytes.size(), b.end()));
    b.bundle.encode(reinterpret_cast<std::byte*>(bytes.data()) + b.address);
  }
  return bytes;
}

}  // namespace

AssembledObject assembleObject(std::string_view source, std::string name,
                               const isa::InstructionSet& set) {
  return ObjectAssembler(std::move(name), set).run(source);
}

Object objectOf(const isa::Program& program, std::span<const isa::SymbolUse> uses,
                std::string name) {
  Object object{.name = std::move(name)};
  if (!program.bundles.empty()) object.set = &program.bundles[0].bundle.set();
  ObjectSection code{
      .name = ".text", .alignment = isa::kCodeAlignment, .bytes = bytesOf(program), .address = 0};
  std::map<std::string, uint32_t> indexOf;
  const auto add = [&](ObjectSymbol symbol) {
    indexOf[symbol.name] = uint32_t(object.symbols.size());
    object.symbols.push_back(std::move(symbol));
  };
  for (const isa::Symbol& symbol : program.symbols)
    add({.name = symbol.name,
         .binding = ElfBinding::Global,
         .type = symbol.isCode ? SymbolType::Function : SymbolType::None,
         .place = SymbolPlace::Section,
         .value = symbol.address});
  for (const isa::SymbolUse& use : uses) {
    if (!indexOf.contains(use.symbol)) add({.name = use.symbol, .binding = ElfBinding::Global});
    code.relocations.push_back({use.address, use.relocation, indexOf[use.symbol], use.addend});
  }
  object.sections.push_back(std::move(code));
  return object;
}

}  // namespace airlite::npu::link
