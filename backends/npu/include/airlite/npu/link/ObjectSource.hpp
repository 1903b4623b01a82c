// Objects from assembly, and from code that airlite has generated.
//
//   AssembledObject made = assembleObject(".text\n.global f\nf: ret lr\n", "f.o");
//   if (made.ok()) request.objects.push_back(made.object);
#pragma once

#include "airlite/npu/isa/Assembler.hpp"
#include "airlite/npu/link/Object.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::npu::link {

struct AssembledObject {
  Object object;
  std::vector<isa::SourceError> errors;  ///< the object means nothing unless this is empty

  bool ok() const { return errors.empty(); }
};

/// The assembler's language with sections: `.text`, `.rodata`, `.data`, `.bss` (and names that
/// begin so, with `.section`), `.global`, `.weak`, `.comm`. Labels are local unless they are said
/// to be global; symbols that the source does not define are left to the linker.
AssembledObject assembleObject(std::string_view source, std::string name,
                               const isa::InstructionSet& set = isa::aie2());

/// Generated code that is laid out from address 0 and begins there; its symbols are global.
/// `uses` are what other objects have: `relocation` as isa::relocationFor gives it.
Object objectOf(const isa::Program& program, std::span<const isa::SymbolUse> uses,
                std::string name);

}  // namespace airlite::npu::link
