// Two passes: lines to bundles with their addresses, which need no symbol; then the symbols.
#include "airlite/npu/isa/Assembler.hpp"

#include "SourceLine.hpp"
#include "airlite/npu/isa/Relocations.hpp"
#include "airlite/npu/isa/Text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>

namespace airlite::npu::isa {
namespace {

constexpr uint32_t kMaxBytes = 1 << 20;  // what 20-bit addresses reach

/// A symbol where an immediate (`bundle` of the program) or a data word stands.
struct Fixup {
  size_t bundle;  // kData: a data word
  ParsedInstruction parsed;
  uint32_t address;
  SourceError place;  // without a message
};

constexpr size_t kData = ~size_t{0};

/// One class: the first pass leaves bytes, symbols and places to fill in, which the second
/// completes; all directives write the same bytes.
class Assembler {
 public:
  explicit Assembler(const AssembleOptions& options) : options_(options) {
    out_.base = options.base;
  }

  Assembly run(std::string_view source) {
    while (!source.empty() && !full()) {
      ++line_;
      size_t end = std::min(source.find('\n'), source.size());
      readLine(source.substr(0, end));
      source.remove_prefix(std::min(end + 1, source.size()));
    }
    for (const Fixup& fixup : fixups_)
      resolve(fixup);
    std::ranges::stable_sort(out_.errors, {}, &SourceError::line);
    for (const auto& [name, symbol] : symbols_)
      if (auto address = static_cast<uint32_t>(symbol.value); symbol.isLabel)
        out_.program.symbols.push_back({name, address, isCodeAt(address)});
    writeBundles();
    return std::move(out_);
  }

 private:
  struct Defined {
    int64_t value;
    bool isLabel;
  };

  bool full() const { return out_.errors.size() >= options_.maxErrors; }
  uint32_t cursor() const { return out_.base + static_cast<uint32_t>(out_.bytes.size()); }
  bool isCodeAt(uint32_t address) const {
    return out_.program.indexAt(address) < out_.program.bundles.size();
  }

  void fail(size_t offset, size_t length, std::string message, std::string unknown = "") {
    if (full()) return;
    out_.errors.push_back({line_, static_cast<unsigned>(offset + 1),
                           static_cast<unsigned>(std::max<size_t>(1, length)), std::move(message),
                           std::move(unknown)});
  }

  // -- Lines --------------------------------------------------------------------------------------

  void readLine(std::string_view text) {
    SourceLine line = splitLine(text);
    for (const Piece& label : line.labels)
      define(label.text, label.offset, cursor(), true);
    if (line.statement.text.empty()) return;
    if (line.statement.text.starts_with('.'))
      directive(line.statement);
    else
      bundle(line.statement);
    if (out_.bytes.size() > kMaxBytes) {
      fail(0, 1, "more than 1 MiB of program");
      out_.errors.resize(std::min(out_.errors.size(), options_.maxErrors));
      options_.maxErrors = out_.errors.size();
    }
  }

  void define(std::string_view name, size_t offset, int64_t value, bool isLabel) {
    if (symbols_.try_emplace(std::string(name), Defined{value, isLabel}).second) return;
    fail(offset, name.size(), fmt::format("'{}' is defined twice", name));
  }

  void bundle(const Piece& statement) {
    std::vector<Instruction> instructions;
    std::vector<Fixup> symbols;
    for (const Piece& slot : splitSlots(statement)) {
      TextError error;
      std::optional<ParsedInstruction> parsed = parseInstruction(slot.text, error, *options_.set);
      if (!parsed)
        return fail(slot.offset + error.offset, error.length, error.message, error.unknown);
      instructions.push_back(parsed->instruction);
      if (parsed->symbol.empty()) continue;
      SourceError place{line_, static_cast<unsigned>(slot.offset + 1),
                        static_cast<unsigned>(slot.text.size()), ""};
      symbols.push_back({out_.program.bundles.size(), *parsed, cursor(), place});
    }
    Result<Bundle> made = Bundle::make(instructions);
    if (!made) return fail(statement.offset, statement.text.size(), made.error().message);
    if (cursor() % 2) return fail(statement.offset, 1, "a bundle at an odd address");
    fixups_.insert(fixups_.end(), symbols.begin(), symbols.end());
    append(*made);
  }

  void append(const Bundle& bundle) {
    out_.program.bundles.push_back({cursor(), bundle, line_});
    out_.bytes.resize(out_.bytes.size() + bundle.size());
    afterCode_ = true;
  }

  // -- Directives
  // -----------------------------------------------------------------------------------

  void directive(const Piece& statement) {
    Directive d = splitDirective(statement);
    if (d.name == ".align") return align(d, 1, 4096);
    if (d.name == ".p2align") return align(d, 0, 12);
    if (d.name == ".space") return space(d);
    if (d.name == ".equ") return equ(d);
    if (d.name == ".byte") return data(d, 1);
    if (d.name == ".half") return data(d, 2);
    if (d.name == ".word") return data(d, 4);
    if (d.name == ".text" || d.name == ".global" || d.name == ".globl")
      return;  // for objects, which are made of the same sources: npu/link/ObjectSource.hpp
    fail(
        statement.offset, d.name.size(),
        fmt::format(
            "unknown directive '{}', there are .align, .p2align, .byte, .half, .word, .space, .equ",
            d.name));
  }

  bool wantArguments(const Directive& d, size_t count) {
    if (d.arguments.size() == count) return true;
    fail(d.offset, d.name.size(),
         fmt::format("'{}' takes {} argument{}", d.name, count, count == 1 ? "" : "s"));
    return false;
  }

  std::optional<int64_t> numberIn(const Piece& piece, int64_t low, int64_t high) {
    std::optional<int64_t> value = parseInteger(piece.text);
    if (value && *value >= low && *value <= high) return value;
    fail(piece.offset, piece.text.size(),
         fmt::format("expected a number from {} to {}", low, high));
    return std::nullopt;
  }

  /// `.p2align` has the exponent.
  void align(const Directive& d, int64_t low, int64_t high) {
    if (!wantArguments(d, 1)) return;
    std::optional<int64_t> to = numberIn(d.arguments[0], low, high);
    if (!to) return;
    if (low == 0) to = int64_t{1} << *to;
    if (!std::has_single_bit(static_cast<uint64_t>(*to)))
      return fail(d.arguments[0].offset, d.arguments[0].text.size(), "expected a power of two");
    out_.alignment = std::max(out_.alignment, static_cast<uint32_t>(*to));
    auto gap = static_cast<unsigned>(-cursor() & (*to - 1));
    if (!afterCode_ || gap % 2) return out_.bytes.resize(out_.bytes.size() + gap);
    for (; gap; gap -= std::min(gap, kMaxBundleBytes))
      append(nops(std::min(gap, kMaxBundleBytes)));
  }

  /// Each even number of bytes is a bundle.
  Bundle nops(unsigned bytes) const { return Bundle(*chooseFormat(0, bytes, *options_.set)); }

  void space(const Directive& d) {
    if (!wantArguments(d, 1)) return;
    if (auto bytes = numberIn(d.arguments[0], 0, kMaxBytes)) {
      out_.bytes.resize(out_.bytes.size() + *bytes);
      afterCode_ = false;
    }
  }

  void equ(const Directive& d) {
    if (!wantArguments(d, 2)) return;
    if (!isSymbolName(d.arguments[0].text))
      return fail(d.arguments[0].offset, d.arguments[0].text.size(), "expected a name");
    if (auto value = numberIn(d.arguments[1], INT32_MIN, UINT32_MAX))
      define(d.arguments[0].text, d.arguments[0].offset, *value, false);
  }

  void data(const Directive& d, unsigned bytes) {
    if (d.arguments.empty()) return fail(d.offset, d.name.size(), "expected numbers after it");
    for (const Piece& argument : d.arguments) {
      int64_t value = 0;
      SymbolText symbol = splitSymbol(argument.text);
      if (bytes == 4 && isSymbolName(symbol.name))
        dataSymbol(argument, symbol);
      else if (auto read = numberIn(argument, -(int64_t{1} << (bytes * 8 - 1)),
                                    (int64_t{1} << bytes * 8) - 1))
        value = *read;
      for (unsigned i = 0; i < bytes; ++i)
        out_.bytes.push_back(static_cast<std::byte>(value >> i * 8 & 0xff));
    }
    afterCode_ = false;
  }

  void dataSymbol(const Piece& argument, const SymbolText& symbol) {
    ParsedInstruction parsed;
    parsed.symbol = symbol.name;
    parsed.addend = symbol.addend;
    fixups_.push_back({kData,
                       parsed,
                       cursor(),
                       {line_, static_cast<unsigned>(argument.offset + 1),
                        static_cast<unsigned>(argument.text.size()), ""}});
  }

  // -- Symbols
  // ----------------------------------------------------------------------------------------

  void failAt(const SourceError& place, std::string message) {
    if (full()) return;
    out_.errors.push_back(place);
    out_.errors.back().message = std::move(message);
  }

  void resolve(const Fixup& fixup) {
    auto symbol = symbols_.find(fixup.parsed.symbol);
    if (symbol == symbols_.end()) return undefined(fixup);
    if (options_.keepLabels && symbol->second.isLabel)
      return keep(fixup, "lies where the linker puts it");
    int64_t value = symbol->second.value + fixup.parsed.addend;
    if (fixup.bundle == kData) {
      std::span<std::byte> word = std::span(out_.bytes).subspan(fixup.address - out_.base, 4);
      if (value < INT32_MIN || value > UINT32_MAX)
        return failAt(fixup.place, fmt::format("{:#x} does not fit into a word", value));
      for (unsigned i = 0; i < 4; ++i)
        word[i] = static_cast<std::byte>(value >> i * 8 & 0xff);
      return;
    }
    const Instruction& instruction = fixup.parsed.instruction;
    const OperandRow& op = instruction.row().operands[fixup.parsed.symbolOperand];
    // 32 bits may be written without a sign.
    if (immediate(op.type).width == 32 && value > INT32_MAX && value <= UINT32_MAX)
      value -= int64_t{1} << 32;
    Result<Instruction> made = instruction.withImmediate(fixup.parsed.symbolOperand, value);
    if (!made) return failAt(fixup.place, made.error().message);
    out_.program.bundles[fixup.bundle].bundle.replace(*made);
  }

  void undefined(const Fixup& fixup) {
    if (options_.keepUndefined) return keep(fixup, "is not defined");
    failAt(fixup.place, fmt::format("undefined symbol '{}'", fixup.parsed.symbol));
  }

  /// The symbol becomes a relocation.
  void keep(const Fixup& fixup, std::string_view why) {
    const ParsedInstruction& p = fixup.parsed;
    std::optional<uint8_t> number = dataRelocation32(*options_.set);
    if (fixup.bundle != kData)
      number = relocationFor(out_.program.bundles[fixup.bundle].bundle.format(),
                             p.instruction.form(), p.symbolOperand);
    if (!number && fixup.bundle == kData)
      return failAt(fixup.place,
                    fmt::format("not supported: the relocation of a data word in objects of {} is "
                                "not known, and '{}' {}",
                                options_.set->name, p.symbol, why));
    if (!number)
      return failAt(fixup.place,
                    fmt::format("objects have no relocation for '{}' here, and '{}' {}",
                                p.instruction.row().mnemonic(), p.symbol, why));
    out_.relocations.push_back({fixup.address, *number, p.symbol, p.addend});
  }

  void writeBundles() {
    for (const ProgramBundle& b : out_.program.bundles)
      b.bundle.encode(out_.bytes.data() + (b.address - out_.base));
  }

  AssembleOptions options_;
  Assembly out_;
  unsigned line_ = 0;
  bool afterCode_ = true;
  std::map<std::string, Defined, std::less<>> symbols_;
  std::vector<Fixup> fixups_;
};

}  // namespace

Assembly assemble(std::string_view source, const AssembleOptions& options) {
  return Assembler(options).run(source);
}

size_t Program::indexAt(uint32_t address) const {
  auto at = std::ranges::lower_bound(bundles, address, {}, &ProgramBundle::address);
  bool found = at != bundles.end() && at->address == address;
  return found ? static_cast<size_t>(at - bundles.begin()) : bundles.size();
}

}  // namespace airlite::npu::isa
