#include "Asm.hpp"

#include "../common/Session.hpp"
#include "Objects.hpp"
#include "SourceText.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/npu/isa/Disassembler.hpp"
#include "airlite/npu/isa/Generations.hpp"
#include "airlite/npu/isa/Text.hpp"
#include "airlite/support/Text.hpp"

#include <fmt/format.h>

#include <iostream>

namespace airlite::tools {
namespace {

std::string suggestion(const npu::isa::SourceError& error, const npu::isa::InstructionSet& set) {
  return error.unknown.empty() ? "" : didYouMean(error.unknown, npu::isa::mnemonics(set));
}

const npu::isa::InstructionSet* refuseSet(const std::string& message) {
  inputError(message);
  return nullptr;
}

}  // namespace

const npu::isa::InstructionSet* instructionsOf(const Request& request) {
  const aie::Device* device = aie::findDevice(deviceName(request));
  if (!device) return refuseSet(fmt::format("there is no device '{}'", deviceName(request)));
  if (const auto* set = npu::isa::instructionSetOf(device->generation)) return set;
  return refuseSet(
      fmt::format("not supported: the instructions of cores of '{}'", deviceName(request)));
}

const npu::isa::InstructionSet* instructionsOf(const Request& request, uint32_t elfFlags) {
  const npu::isa::InstructionSet* asked = instructionsOf(request);
  if (!asked) return nullptr;
  for (const npu::isa::InstructionSet* set : npu::isa::instructionSets()) {
    if (set->elfFlags != elfFlags) continue;
    if (request.device.empty() || set == asked) return set;
    return refuseSet(fmt::format("{}: compiled for {} cores, '{}' has {}", inputName(request.input),
                                 set->name, request.device, asked->name));
  }
  return refuseSet(fmt::format("{}: no instruction set is known for e_flags {:#x}",
                               inputName(request.input), elfFlags));
}

void printErrors(const Request& request, std::string_view source,
                 const std::vector<npu::isa::SourceError>& errors,
                 const npu::isa::InstructionSet& set) {
  for (const npu::isa::SourceError& e : errors)
    std::cerr << formatMessage(inputName(request.input), source, {e.line, e.column, e.length},
                               "error", e.message + suggestion(e, set));
}

int runAssembler(const Request& request) {
  std::string source;
  if (!read(request.input, source)) return kFailure;
  if (request.isObject) return writeObject(request, source);
  const npu::isa::InstructionSet* set = instructionsOf(request);
  if (!set) return kFailure;
  npu::isa::Assembly assembly = npu::isa::assemble(source, {.base = request.base, .set = set});
  printErrors(request, source, assembly.errors, *set);
  if (!assembly.ok()) return kFailure;
  return write(request,
               {reinterpret_cast<const char*>(assembly.bytes.data()), assembly.bytes.size()});
}

int runDisassembler(const Request& request) {
  std::string bytes;
  if (!read(request.input, bytes)) return kFailure;
  if (isElf(bytes)) return showElf(request, bytes);
  const npu::isa::InstructionSet* set = instructionsOf(request);
  if (!set) return kFailure;
  npu::isa::Disassembly found = npu::isa::disassemble(asBytes(bytes), request.base, *set);
  int code = write(request, npu::isa::printSource(found, asBytes(bytes), request.base));
  for (const npu::isa::Undecoded& bad : found.undecoded)
    std::cerr << formatMessage(inputName(request.input), "", {}, "error",
                               fmt::format("at {:#06x}: {}", bad.address, bad.message));
  return found.undecoded.empty() ? code : static_cast<int>(kFailure);
}

}  // namespace airlite::tools
