// Objects to the program and data of one core: symbols are resolved, sections get addresses,
// relocations are applied. docs/npu_link.md has the rules.
//
//   LinkResult result = linkCore({.objects = objects, .data = {{0x70400, 0x4000}}});
//   for (const std::string& error : result.errors) report(error);
#pragma once

#include "airlite/npu/isa/Program.hpp"
#include "airlite/npu/link/Object.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace airlite::npu::link {

/// Bytes [begin, begin + size) as the core counts (its own memory from 0x70000).
struct MemoryRegion {
  uint32_t begin = 0;
  uint32_t size = 0;
};

/// A name that objects may use for a place or number known here: a buffer, the stack.
struct KnownSymbol {
  std::string name;
  uint32_t value = 0;
};

struct LinkRequest {
  std::vector<Object> objects = {};
  /// Where the core starts; it is put at address 0, where cores begin. Empty: generated code, or
  /// the first code of the first object that has any.
  std::string entry = {};
  /// What of data memory is free: neither buffers nor stack.
  std::vector<MemoryRegion> data = {};
  std::vector<KnownSymbol> symbols = {};
  uint32_t programBytes = isa::kProgramMemoryBytes;
  bool keepsUnused = false;  ///< sections that nothing refers to are linked all the same
};

struct PlacedSection {
  std::string object;
  std::string name;  ///< of a common symbol: `COMMON name`
  SectionKind kind = SectionKind::Code;
  uint32_t address = 0;
  uint32_t size = 0;
};

struct PlacedSymbol {
  std::string name;
  std::string object;
  uint32_t address = 0;
  uint32_t size = 0;
  SymbolType type = SymbolType::None;
  bool isLocal = false;
};

/// The memory image of a core.
struct Linked {
  ByteVector program;           ///< from address 0
  std::vector<CoreChunk> data;  ///< by address, whole words
  uint32_t entry = 0;
  std::vector<PlacedSection> sections;  ///< by address
  std::vector<PlacedSymbol> symbols;    ///< by address: those of code and data, known ones not
  const isa::InstructionSet* set = &isa::aie2();

  /// Program and data as `makeCoreElf` takes them.
  std::vector<CoreChunk> chunks() const;
  const PlacedSymbol* symbolNamed(std::string_view name) const;
};

struct LinkResult {
  Linked linked;                    ///< means nothing unless `errors` is empty
  std::vector<std::string> errors;  ///< each names the objects it is about; at most 20

  bool ok() const { return errors.empty(); }
};

/// All objects are of one instruction set.
LinkResult linkCore(const LinkRequest& request);

/// The executable: chunks, sections and symbols (which loaders skip and people read). The
/// generation is that of the instruction set unless `flags` says another.
CoreElf executableOf(const Linked& linked, std::optional<uint32_t> flags = std::nullopt);

}  // namespace airlite::npu::link
