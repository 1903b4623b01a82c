// Assembly text of instructions and bundles, as the public toolchains of this machine write it:
// slots apart with `;`, `#` before immediates, `[p0], #4` for addresses. docs/npu_isa.md has the
// whole syntax. Reading is the assembler's: Assembler.hpp.
//
//   std::string text = print(bundle);  // "lda r3, [p0, #0] ; nops"
//   TextError error;
//   std::optional<ParsedInstruction> parsed = parseInstruction("mova r0, #7", error);
#pragma once

#include "airlite/npu/isa/Bundle.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace airlite::npu::isa {

/// Gives names to print for numbers, or empty texts for the numbers themselves.
class SymbolNames {
 public:
  virtual ~SymbolNames() = default;
  /// Of a program address that is the target of a jump.
  virtual std::string nameOf(int64_t address) const = 0;
  /// Of an immediate that a relocation will set.
  virtual std::string nameOf(const Instruction&, unsigned /*operand*/) const { return {}; }
};

/// `lda r3, [p0, #0]`. Branch targets are shown by `names` when it knows them.
std::string print(const Instruction& instruction, const SymbolNames* names = nullptr);

/// `lda r3, [p0, #0] ; nops`: every slot of the format, so that the text assembles to the same
/// bytes.
std::string print(const Bundle& bundle, const SymbolNames* names = nullptr);

/// One instruction of a text, and the symbol in the position of one of its immediates.
struct ParsedInstruction {
  Instruction instruction;  ///< with a number that fits for the symbol
  std::string symbol;       ///< empty: none
  int64_t addend = 0;
  unsigned symbolOperand = 0;
};

/// Where in the text something is wrong; the message has no place in it.
struct TextError {
  std::string message;
  size_t offset = 0;
  size_t length = 1;
  std::string unknown;  ///< a mnemonic that does not exist, for a suggestion from mnemonics()
};

/// Reads one instruction from `text`, all of it. Letters may be large or small.
std::optional<ParsedInstruction> parseInstruction(std::string_view text, TextError& error,
                                                  const InstructionSet& set = aie2());

/// The forms that begin with this mnemonic, in small letters.
std::span<const Form> formsNamed(std::string_view mnemonic, const InstructionSet& set = aie2());
/// All mnemonics, sorted, each once.
std::span<const std::string_view> mnemonics(const InstructionSet& set = aie2());

}  // namespace airlite::npu::isa
