// Bytes to bundles and to a source that assembles to the same bytes.
//
//   Disassembly found = disassemble(bytes);
//   std::string source = printSource(found, bytes);
#pragma once

#include "airlite/npu/isa/Program.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace airlite::npu::isa {

/// Bytes that are not a bundle, and why.
struct Undecoded {
  uint32_t address = 0;
  uint32_t size = 0;
  std::string message;
};

struct Disassembly {
  Program program;
  std::vector<Undecoded> undecoded;
};

/// Decodes from the first byte on. Where no format fits, it skips two bytes and continues after
/// them.
Disassembly disassemble(std::span<const std::byte> bytes, uint32_t base = 0,
                        const InstructionSet& set = aie2());

/// A bundle to a line, labels at the targets of jumps, address and bytes as comments; bytes that
/// are not a bundle as `.byte` with the reason.
std::string printSource(const Disassembly& disassembly, std::span<const std::byte> bytes,
                        uint32_t base = 0);

}  // namespace airlite::npu::isa
