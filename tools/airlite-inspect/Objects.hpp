// The part of airlite-inspect that is about ELF objects: made from assembly, shown, linked.
#pragma once

#include "Request.hpp"
#include "airlite/npu/isa/Tables.hpp"

#include <string_view>

namespace airlite::tools {

bool isElf(std::string_view bytes);

/// Any file: objects as assembly with their symbols, all else as images are shown.
int show(const Request& request);
/// An ELF object or executable as assembly with its symbols.
int showElf(const Request& request, std::string_view bytes);
/// The program memory of an executable, from address 0, and its instruction set; null for an object
/// or a broken file, after saying why.
const npu::isa::InstructionSet* readProgram(const Request& request, std::string_view elf,
                                            std::string& bytes);
/// `--asm -c`: the source as an ELF object.
int writeObject(const Request& request, std::string_view source);
/// `--link`: objects to the executable of a core.
int runLinker(const Request& request);

}  // namespace airlite::tools
