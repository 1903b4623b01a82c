// Core programs: assembly to bytes, bytes to assembly.
#pragma once

#include "Request.hpp"
#include "airlite/npu/isa/Assembler.hpp"

namespace airlite::tools {

int runAssembler(const Request& request);
int runDisassembler(const Request& request);
/// A source (a name that ends in .s) or bytes: what breaks the rules of the machine, on stderr.
int runHazardCheck(const Request& request);

/// The messages of a source that did not assemble, on stderr.
void printErrors(const Request& request, std::string_view source,
                 const std::vector<npu::isa::SourceError>& errors);

}  // namespace airlite::tools
