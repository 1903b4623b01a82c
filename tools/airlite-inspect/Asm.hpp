// Core programs: assembly to bytes, bytes to assembly.
#pragma once

#include "Request.hpp"
#include "airlite/npu/isa/Assembler.hpp"

namespace airlite::tools {

/// The instructions of the device that the command line names, npu1 otherwise; null when there is
/// none, which has been said.
const npu::isa::InstructionSet* instructionsOf(const Request& request);
/// The same for an ELF file with these e_flags, which must be those of the device if one is named.
const npu::isa::InstructionSet* instructionsOf(const Request& request, uint32_t elfFlags);

int runAssembler(const Request& request);
int runDisassembler(const Request& request);
/// A source (a name that ends in .s) or bytes: what breaks the rules of the machine, on stderr.
int runHazardCheck(const Request& request);

/// The messages of a source that did not assemble, on stderr.
void printErrors(const Request& request, std::string_view source,
                 const std::vector<npu::isa::SourceError>& errors,
                 const npu::isa::InstructionSet& set);

}  // namespace airlite::tools
