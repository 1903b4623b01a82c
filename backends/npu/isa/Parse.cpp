// From text to instructions: each form of the mnemonic is tried against the words of the line; the
// first that takes them all wins, the one that came farthest says what was wrong.
#include "SourceLine.hpp"
#include "airlite/npu/isa/Text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace airlite::npu::isa {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

std::string lowered(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), lower);
  return out;
}

bool sameText(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

// -- Words --------------------------------------------------------------------------------------

/// A word, `#` and what follows it, or one character.
struct Token {
  std::string_view text;
  size_t offset;
};

size_t wordEnd(std::string_view text, size_t at) {
  while (at < text.size() && isNameChar(text[at]))
    ++at;
  return at;
}

/// `#-4`, `#label+8`, `r17:r16` are one token each.
size_t tokenEnd(std::string_view text, size_t at) {
  size_t start = at;
  if (text[at] == '#') {
    for (++at; at < text.size() && (isNameChar(text[at]) || text[at] == '-' || text[at] == '+');)
      ++at;
    return at;
  }
  at = wordEnd(text, at);
  if (at < text.size() && text[at] == ':' && at > start) at = wordEnd(text, at + 1);
  return std::max(at, start + 1);
}

std::vector<Token> tokenize(std::string_view text) {
  std::vector<Token> tokens;
  for (size_t at = 0; at < text.size();) {
    if (text[at] == ' ' || text[at] == '\t') {
      ++at;
      continue;
    }
    size_t end = tokenEnd(text, at);
    tokens.push_back({text.substr(at, end - at), at});
    at = end;
  }
  tokens.push_back({"", text.size()});
  return tokens;
}

// -- Names --------------------------------------------------------------------------------------

/// Forms sorted by mnemonic.
struct Mnemonics {
  std::vector<Form> forms;
  std::vector<std::string_view> names;
};

Mnemonics mnemonicsOf(const InstructionSet& set) {
  Mnemonics m;
  for (size_t i = 0; i < set.forms.size(); ++i)
    m.forms.push_back(set.formAt(i));
  auto nameOf = [](Form form) { return row(form).mnemonic(); };
  std::ranges::stable_sort(m.forms, {}, nameOf);
  for (Form form : m.forms)
    if (m.names.empty() || m.names.back() != nameOf(form)) m.names.push_back(nameOf(form));
  return m;
}

const Mnemonics& allMnemonics(const InstructionSet& set) {
  static const Mnemonics ofAie2 = mnemonicsOf(aie2()), ofAie2p = mnemonicsOf(aie2p());
  return &set == &aie2() ? ofAie2 : ofAie2p;
}

struct NamedReg {
  std::string text;
  Reg reg;
};

/// Sorted by text in small letters, in which the sets agree; `d0` and its 3D twin share one.
const std::vector<NamedReg>& registerNames() {
  static const std::vector<NamedReg> all = [] {
    std::vector<NamedReg> names;
    for (unsigned i = 0; i < kRegCount; ++i) {
      const RegRow& reg = row(static_cast<Reg>(i));
      names.push_back({lowered(reg.text.empty() ? reg.textP : reg.text), static_cast<Reg>(i)});
    }
    std::ranges::stable_sort(names, {}, &NamedReg::text);
    return names;
  }();
  return all;
}

std::span<const NamedReg> registersNamed(std::string_view text) {
  std::string name = lowered(text);
  const std::vector<NamedReg>& all = registerNames();
  auto begin = std::ranges::lower_bound(all, name, {}, &NamedReg::text);
  auto end = std::ranges::upper_bound(all, name, {}, &NamedReg::text);
  return {begin, end};
}

// -- Operands -----------------------------------------------------------------------------------

struct Number {
  int64_t value = 0;
  std::string symbol;
};

/// `-4`, `0x1f`, `label`, `label+8`, `label-0x8`, without the `#`.
std::optional<Number> number(std::string_view text) {
  if (auto value = parseInteger(text)) return Number{*value, ""};
  SymbolText symbol = splitSymbol(text);
  if (symbol.name.empty()) return std::nullopt;
  return Number{symbol.addend, symbol.name};
}

constexpr std::string_view kExpected = "expected ";

/// Matches one form against the tokens after the mnemonic.
class Match {
 public:
  Match(Form form, std::span<const Token> tokens)
      : form_(row(form)), id_(form), set_(setOf(form)), tokens_(tokens) {}

  bool run() {
    std::string_view text = form_.text;
    size_t at = std::min(text.find(' '), text.size());
    while (at < text.size()) {
      if (text[at] == ' ') {
        ++at;
        continue;
      }
      bool operand = text[at] == '$';
      // A register pair of a form is one token, as it is in the line.
      size_t end = operand ? wordEnd(text, at + 1) : tokenEnd(text, at);
      std::string_view word = text.substr(at, end - at);
      if (operand ? !readOperand(word) : !readLiteral(word)) return false;
      at = end;
    }
    if (tokens_[next_].text.empty()) return finish();
    return fail("nothing more after this instruction, or ';' before the next slot");
  }

  const ParsedInstruction& result() const { return parsed_; }
  size_t progress() const { return next_; }
  const std::string& message() const { return message_; }

 private:
  bool fail(const std::string& expected) {
    message_ = std::string(kExpected) + expected;
    return false;
  }

  bool readLiteral(std::string_view text) {
    if (!sameText(tokens_[next_].text, text)) return fail(fmt::format("'{}'", text));
    ++next_;
    return true;
  }

  /// `word` is the place of the form's text: `$s0`, or `$s0.fx2flt` with an ending that belongs to
  /// the instruction.
  bool readOperand(std::string_view word) {
    unsigned index = form_.textOrder[operand_++];
    const OperandRow& op = form_.operands[index];
    std::string_view ending = word.substr(std::min(word.find('.'), word.size()));
    bool read =
        op.kind == OperandKind::Immediate ? readNumber(op, index) : readRegister(op, ending);
    if (read) ++next_;
    return read;
  }

  bool readRegister(const OperandRow& op, std::string_view ending) {
    std::string_view text = tokens_[next_].text;
    size_t size = std::max(text.size(), ending.size()) - ending.size();
    if (!sameText(text.substr(std::min(size, text.size())), ending))
      return fail(fmt::format("a register and '{}'", ending));
    for (const NamedReg& named : registersNamed(text.substr(0, size))) {
      if (op.kind != OperandKind::Register && named.reg == implied(op)) return true;
      if (op.kind != OperandKind::Register || !contains(op.type, named.reg)) continue;
      const std::optional<Reg> twin = registers_[op.letter - 'a'];
      if (twin && *twin != named.reg)
        return fail(fmt::format("{}, which this instruction names twice", textOf(*twin, set_)));
      values_.push_back(Value::of(named.reg));
      registers_[op.letter - 'a'] = named.reg;
      return true;
    }
    return fail(op.kind != OperandKind::Register ? std::string(textOf(implied(op), set_))
                                                 : "one of " + describe(op.type, set_));
  }

  /// A fixed register, or the part of an operand that the text names before it.
  Reg implied(const OperandRow& op) const {
    return op.kind == OperandKind::Fixed ? op.reg : partOf(*registers_[op.letter - 'a'], op.part);
  }

  bool readNumber(const OperandRow& op, unsigned index) {
    std::string_view text = tokens_[next_].text;
    if (!text.starts_with('#')) return fail("a number, '#' and " + describe(op.type));
    std::optional<Number> read = number(text.substr(1));
    if (!read) return fail("a number or a symbol after '#'");
    if (!read->symbol.empty()) {
      parsed_.symbol = read->symbol;
      parsed_.addend = read->value;
      parsed_.symbolOperand = index;
      const ImmediateRow& range = immediate(op.type);
      values_.push_back(Value::of(std::clamp(0, range.smallest, range.largest)));
      return true;
    }
    int64_t value = read->value;
    // 32 bits may be written without a sign.
    if (immediate(op.type).width == 32 && value > INT32_MAX && value <= UINT32_MAX)
      value -= int64_t{1} << 32;
    if (!fits(op.type, value)) return fail(describe(op.type));
    values_.push_back(Value::of(static_cast<int32_t>(value)));
    return true;
  }

  bool finish() {
    auto made = Instruction::make(id_, values_);
    if (made)
      parsed_.instruction = *made;
    else
      message_ = made.error().message;
    return bool(made);
  }

  const FormRow& form_;
  Form id_;
  const InstructionSet& set_;
  std::span<const Token> tokens_;
  size_t next_ = 0;
  unsigned operand_ = 0;
  std::vector<Value> values_;
  std::array<std::optional<Reg>, kMaxOperands> registers_{};  ///< by letter
  ParsedInstruction parsed_;
  std::string message_;
};

}  // namespace

std::span<const std::string_view> mnemonics(const InstructionSet& set) {
  return allMnemonics(set).names;
}

std::span<const Form> formsNamed(std::string_view mnemonic, const InstructionSet& set) {
  const std::vector<Form>& all = allMnemonics(set).forms;
  auto nameOf = [](Form form) { return row(form).mnemonic(); };
  auto begin = std::ranges::lower_bound(all, mnemonic, {}, nameOf);
  auto end = std::ranges::upper_bound(all, mnemonic, {}, nameOf);
  return {begin, end};
}

std::optional<ParsedInstruction> parseInstruction(std::string_view text, TextError& error,
                                                  const InstructionSet& set) {
  std::vector<Token> tokens = tokenize(text);
  std::span<const Form> candidates = formsNamed(lowered(tokens[0].text), set);
  if (candidates.empty()) {
    error = {fmt::format("unknown instruction '{}'", tokens[0].text), tokens[0].offset,
             std::max<size_t>(1, tokens[0].text.size()), lowered(tokens[0].text)};
    return std::nullopt;
  }
  std::span<const Token> rest = std::span(tokens).subspan(1);
  size_t farthest = 0;
  std::vector<std::string> messages;
  for (Form form : candidates) {
    Match match(form, rest);
    if (match.run()) return match.result();
    if (match.progress() > farthest) messages.clear();
    if (match.progress() < farthest) continue;
    farthest = match.progress();
    if (std::ranges::find(messages, match.message()) == messages.end())
      messages.push_back(match.message());
  }
  std::string message = messages[0];
  for (size_t i = 1; i < messages.size(); ++i) {
    std::string_view other = messages[i];
    if (other.starts_with(kExpected)) other.remove_prefix(kExpected.size());
    message += "; or " + std::string(other);
  }
  error = {message, rest[farthest].offset, std::max<size_t>(1, rest[farthest].text.size()), ""};
  return std::nullopt;
}

}  // namespace airlite::npu::isa
