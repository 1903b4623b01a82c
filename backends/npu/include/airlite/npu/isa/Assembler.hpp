// Assembly source to bytes. docs/npu_isa.md has the syntax.
//
//   Assembly assembly = assemble("mova r0, #7\nret lr\n");
//   if (!assembly.ok()) return report(assembly.errors.front());
#pragma once

#include "airlite/npu/isa/Program.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::npu::isa {

/// A mistake in a source: line and column from 1, how many characters it concerns.
struct SourceError {
  unsigned line = 0;
  unsigned column = 0;
  unsigned length = 1;
  std::string message;
  std::string unknown;  ///< a mnemonic that does not exist, for a suggestion from mnemonics()
};

/// A place whose value is not known here: a symbol that the source does not define, or whose
/// address a linker chooses.
struct SymbolUse {
  uint32_t address = 0;  ///< of the bundle or data word
  uint8_t relocation = 0;
  std::string symbol;
  int64_t addend = 0;
};

struct AssembleOptions {
  uint32_t base = 0;           ///< address of the first byte
  bool keepUndefined = false;  ///< undefined symbols become relocations instead of errors
  bool keepLabels = false;     ///< labels, too: a linker may move the bytes
  const InstructionSet* set = &aie2();
  size_t maxErrors = 20;
};

struct Assembly {
  uint32_t base = 0;
  uint32_t alignment = 0;  ///< the largest that the source asks for; 0 when it does not
  std::vector<std::byte> bytes;
  Program program;
  std::vector<SymbolUse> relocations;
  std::vector<SourceError> errors;  ///< the rest means nothing unless this is empty

  bool ok() const { return errors.empty(); }
};

/// One bundle to a line. Each bundle gets the smallest format that holds its slots. `.align` after
/// code is filled with one bundle of no-operations, after data with zeros.
Assembly assemble(std::string_view source, const AssembleOptions& options = {});

}  // namespace airlite::npu::isa
