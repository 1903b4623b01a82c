// Fuzz target: the program of an NPU core, as assembly and as bytes. What is refused is refused
// with a place; what assembles is shown as a source that has the same bytes; any bytes are shown as
// a source that has the same bytes, unless code begins at an odd address; any program can be
// checked.
#include "Target.hpp"
#include "airlite/npu/isa/Assembler.hpp"
#include "airlite/npu/isa/Disassembler.hpp"
#include "airlite/npu/isa/Hazards.hpp"

using namespace airlite;
using namespace airlite::npu::isa;

static void checkBytes(const std::vector<std::byte>& bytes) {
  Disassembly found = disassemble(bytes);
  (void)findHazards(found.program, {.readsInFlight = true, .assumeAliasing = true});
  std::string source = printSource(found, bytes);
  for (const ProgramBundle& b : found.program.bundles)
    if (b.address % 2) return;
  Assembly again = assemble(source);
  if (!again.ok())
    fuzz::fail("what the disassembler shows assembles", source, again.errors[0].message);
  if (again.bytes != bytes) fuzz::fail("what the disassembler shows has the same bytes", source);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  Assembly assembly = assemble(text);
  for (const SourceError& error : assembly.errors)
    if (!error.line || !error.column || error.message.empty())
      fuzz::fail("an error has a place and a reason", text, error.message);
  if (assembly.ok()) checkBytes(assembly.bytes);
  std::span<const std::byte> raw = std::as_bytes(std::span(data, std::min<size_t>(size, 512)));
  checkBytes({raw.begin(), raw.end()});
  return 0;
}

std::vector<std::string> fuzz::seedsIn(std::string_view path, const std::string& text) {
  if (!path.ends_with(".s")) return {};
  std::vector<std::string> seeds{text};
  if (Assembly a = assemble(text); a.ok())
    seeds.emplace_back(reinterpret_cast<const char*>(a.bytes.data()), a.bytes.size());
  return seeds;
}
