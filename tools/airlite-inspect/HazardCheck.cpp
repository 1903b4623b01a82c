// The hazard checker on the command line.
#include "../common/Session.hpp"
#include "Asm.hpp"
#include "Objects.hpp"
#include "SourceText.hpp"
#include "airlite/npu/isa/Disassembler.hpp"
#include "airlite/npu/isa/Hazards.hpp"

#include <fmt/format.h>

#include <iostream>

namespace airlite::tools {
namespace {

using namespace npu::isa;

unsigned lineAt(const Program& program, uint32_t address) {
  size_t index = program.indexAt(address);
  return index < program.bundles.size() ? program.bundles[index].line : 0;
}

std::string cycles(int count) {
  return count > 0 ? fmt::format(", {} cycle{} short", count, count == 1 ? "" : "s") : "";
}

/// The source of a program, empty when there are only bytes.
struct Checked {
  std::string_view file;
  std::string source;
  Program program;
  bool isCompiled = false;
};

void showHazard(const Checked& checked, const Hazard& hazard) {
  std::string text =
      fmt::format("{}{} [{}]", hazard.message, cycles(hazard.missing), name(hazard.kind));
  unsigned line = lineAt(checked.program, hazard.second);
  if (!line) text = fmt::format("at {:#06x}: {}", hazard.second, text);
  std::cerr << formatMessage(checked.file, checked.source, {line, 0}, "error", text);
  if (hazard.first == hazard.second) return;
  unsigned first = lineAt(checked.program, hazard.first);
  std::cerr << formatMessage(checked.file, checked.source, {first, 0}, "note",
                             first
                                 ? "the first of the two"
                                 : fmt::format("the first of the two is at {:#06x}", hazard.first));
}

bool decode(const Request& request, const std::string& bytes, const InstructionSet& set,
            Program& program) {
  Disassembly found = disassemble(asBytes(bytes), request.base, set);
  for (const Undecoded& bad : found.undecoded)
    std::cerr << formatMessage(inputName(request.input), "", {}, "error",
                               fmt::format("at {:#06x}: {}", bad.address, bad.message));
  program = std::move(found.program);
  return found.undecoded.empty();
}

bool load(const Request& request, Checked& checked) {
  std::string text;
  if (!read(request.input, text)) return false;
  checked.isCompiled = isElf(text);
  if (checked.isCompiled) {
    std::string program;
    const InstructionSet* set = readProgram(request, text, program);
    return set && decode(request, program, *set, checked.program);
  }
  const InstructionSet* set = instructionsOf(request);
  if (!set) return false;
  if (!request.input.ends_with(".s")) return decode(request, text, *set, checked.program);
  Assembly assembly = assemble(text, {.base = request.base, .set = set});
  printErrors(request, text, assembly.errors, *set);
  checked.source = std::move(text);
  checked.program = std::move(assembly.program);
  return assembly.ok();
}

}  // namespace

int runHazardCheck(const Request& request) {
  std::string file = inputName(request.input);
  Checked checked{file};
  if (!load(request, checked)) return kFailure;
  const bool all = request.readsInFlight;
  std::vector<Hazard> hazards = findHazards(
      checked.program, {.readsInFlight = all, .isCompiled = checked.isCompiled && !all});
  for (const Hazard& hazard : hazards)
    showHazard(checked, hazard);
  return hazards.empty() ? kSuccess : kFailure;
}

}  // namespace airlite::tools
