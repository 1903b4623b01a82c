// Lines of assembly, cut into labels, slots and arguments; and the numbers in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::npu::isa {

/// A part of a line without blanks at its ends, and where in the line it begins.
struct Piece {
  std::string_view text;
  size_t offset = 0;
};

struct SourceLine {
  std::vector<Piece> labels;
  Piece statement;  ///< empty: none
};

struct Directive {
  std::string_view name;
  size_t offset = 0;
  std::vector<Piece> arguments;
};

/// `label+8`
struct SymbolText {
  std::string name;
  int64_t addend = 0;
};

/// Takes off the comment (`//` to the end) and the labels (`name:`).
SourceLine splitLine(std::string_view text);
/// The pieces between `;`.
std::vector<Piece> splitSlots(const Piece& statement);
/// `.word 1, 2`: name and arguments.
Directive splitDirective(const Piece& statement);

/// Letters, digits and `_ . $ @`, not beginning with a digit.
bool isSymbolName(std::string_view text);
bool isNameChar(char c);
/// `-4`, `0x1f`; none for anything else and beyond 33 bits.
std::optional<int64_t> parseInteger(std::string_view text);
/// A name and what is added to it; the name is empty when the text is none.
SymbolText splitSymbol(std::string_view text);

}  // namespace airlite::npu::isa
