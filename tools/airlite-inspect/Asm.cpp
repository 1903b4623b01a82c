#include "Asm.hpp"

#include "../common/Session.hpp"
#include "Objects.hpp"
#include "SourceText.hpp"
#include "airlite/npu/isa/Disassembler.hpp"
#include "airlite/npu/isa/Text.hpp"
#include "airlite/support/Text.hpp"

#include <fmt/format.h>

#include <iostream>

namespace airlite::tools {
namespace {

std::string suggestion(const npu::isa::SourceError& error) {
  return error.unknown.empty() ? "" : didYouMean(error.unknown, npu::isa::mnemonics());
}

}  // namespace

void printErrors(const Request& request, std::string_view source,
                 const std::vector<npu::isa::SourceError>& errors) {
  for (const npu::isa::SourceError& e : errors)
    std::cerr << formatMessage(inputName(request.input), source, {e.line, e.column, e.length},
                               "error", e.message + suggestion(e));
}

int runAssembler(const Request& request) {
  std::string source;
  if (!read(request.input, source)) return kFailure;
  if (request.isObject) return writeObject(request, source);
  npu::isa::Assembly assembly = npu::isa::assemble(source, {.base = request.base});
  printErrors(request, source, assembly.errors);
  if (!assembly.ok()) return kFailure;
  return write(request,
               {reinterpret_cast<const char*>(assembly.bytes.data()), assembly.bytes.size()});
}

int runDisassembler(const Request& request) {
  std::string bytes;
  if (!read(request.input, bytes)) return kFailure;
  if (isElf(bytes)) return showElf(request, bytes);
  npu::isa::Disassembly found = npu::isa::disassemble(asBytes(bytes), request.base);
  int code = write(request, npu::isa::printSource(found, asBytes(bytes), request.base));
  for (const npu::isa::Undecoded& bad : found.undecoded)
    std::cerr << formatMessage(inputName(request.input), "", {}, "error",
                               fmt::format("at {:#06x}: {}", bad.address, bad.message));
  return found.undecoded.empty() ? code : static_cast<int>(kFailure);
}

}  // namespace airlite::tools
