// An object file for cores, or own code that is not linked yet, as plain data: what the linker
// takes. Read from ELF files of any compiler, written as ELF. Source: the ELF specification, 32
// bit; docs/hardware/isa.md, `elf`.
//
//   Result<Object> object = readObject(bytes, "kernel.o");
//   for (const ObjectSymbol& symbol : object->symbols) visit(symbol.name, symbol.value);
#pragma once

#include "airlite/npu/image/ElfTables.hpp"
#include "airlite/npu/isa/Tables.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::npu::link {

/// What a section is in the memories of a core. Code is in program memory, which only the
/// program counter reaches; everything else is in data memory.
enum class SectionKind : uint8_t { Code, ReadOnly, Data, Zeros };

/// "code", "read-only", "data", "zeros".
std::string_view name(SectionKind kind);

/// Symbol plus addend go to the bundle or word at `offset`.
struct ObjectRelocation {
  uint32_t offset = 0;  ///< bytes from the start of the section
  uint8_t number = 0;   ///< R_AIE_number, see isa/Relocations.hpp
  uint32_t symbol = 0;  ///< index in Object::symbols
  int64_t addend = 0;
  friend bool operator==(const ObjectRelocation&, const ObjectRelocation&) = default;
};

struct ObjectSection {
  std::string name;
  SectionKind kind = SectionKind::Code;
  uint32_t alignment = 1;  ///< a power of two
  ByteVector bytes = {};   ///< none of Zeros
  uint32_t zeros = 0;      ///< size of Zeros
  std::vector<ObjectRelocation> relocations = {};
  std::optional<uint32_t> group = std::nullopt;  ///< index in Object::groups
  bool isKept = false;                           ///< linked though nothing refers to it
  /// Its fixed address: for code whose own jumps are resolved already. Not in files.
  std::optional<uint32_t> address = std::nullopt;

  uint32_t size() const { return kind == SectionKind::Zeros ? zeros : uint32_t(bytes.size()); }
  friend bool operator==(const ObjectSection&, const ObjectSection&) = default;
};

enum class SymbolPlace : uint8_t {
  Undefined,  ///< another object has it
  Section,    ///< `value` bytes into a section
  Absolute,   ///< `value` is the number itself
  Common,     ///< wants `size` bytes of zeros at a multiple of `value`, shared by name
  NotLoaded,  ///< in a section that has no memory: debug information
};

enum class SymbolType : uint8_t { None = 0, Data = 1, Function = 2, Section = 3, File = 4 };

struct ObjectSymbol {
  std::string name;
  ElfBinding binding = ElfBinding::Local;
  SymbolType type = SymbolType::None;
  SymbolPlace place = SymbolPlace::Undefined;
  uint32_t section = 0;  ///< index in Object::sections
  uint32_t value = 0;
  uint32_t size = 0;  ///< bytes; 0: not said
  friend bool operator==(const ObjectSymbol&, const ObjectSymbol&) = default;
};

struct Object {
  std::string name;  ///< as messages call it
  std::vector<ObjectSection> sections = {};
  /// The first is the nameless symbol that ELF has there: the number 0.
  std::vector<ObjectSymbol> symbols = {{.place = SymbolPlace::Absolute}};
  /// Names of groups of sections that several objects may bring; one of each name is linked.
  std::vector<std::string> groups = {};
  bool isMember = false;  ///< of an archive: linked only when it defines what others need
  const isa::InstructionSet* set = &isa::aie2();  ///< of its code, and of its relocations
  friend bool operator==(const Object&, const Object&) = default;
};

/// Reads an ELF object (e_type 1). Sections without memory (debug information, notes) are left
/// out; relocations without addends (REL) take theirs from the bytes they change. Refuses, with the
/// offset: archives (see Archive.hpp), bitcode, executables, other machines and generations
/// (`flags` as in ElfHeader, or kAnyGeneration), wrong indices, constructors that should run before
/// the program, thread-local data.
Result<Object> readObject(ByteSpan bytes, std::string name, uint32_t flags = 2);
/// Every generation that there is an instruction set for.
inline constexpr uint32_t kAnyGeneration = 0;

/// An ELF object: local symbols move before the others, as ELF wants them. The generation is that
/// of the object's instruction set unless `flags` says another.
ByteVector writeObject(const Object& object, std::optional<uint32_t> flags = std::nullopt);

/// Whether the bytes are an ELF object rather than an executable or anything else.
bool isObject(ByteSpan bytes);

}  // namespace airlite::npu::link
