// Objects and executables as assembly that people read.
//
//   std::string source = printObject(object);
//   AssembledObject same = assembleObject(source, "same.o");
#pragma once

#include "airlite/npu/image/CoreElf.hpp"
#include "airlite/npu/link/Object.hpp"

#include <string>

namespace airlite::npu::link {

/// Sections with their labels, bundles with the symbols that relocations name, data as words. The
/// text is a source: `assembleObject` makes an equal object of it, as long as section names and
/// symbols are those that the assembler has (groups and debug information are not).
std::string printObject(const Object& object);

/// The instruction set of an executable or object, which its e_flags tell; refuses others.
Result<const isa::InstructionSet*> instructionsOfElf(const CoreElf& elf);

/// What is in program and data memory, with the symbols of the file if it has any. Refuses tables
/// of symbols that are broken.
Result<std::string> printExecutable(const CoreElf& elf);

}  // namespace airlite::npu::link
