// Programs of cores as files: executables, and source that people read.
#include "airlite/npu/isa/Disassembler.hpp"
#include "airlite/npu/lower/Images.hpp"
#include "airlite/support/Text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <map>

namespace airlite::npu {
namespace {

CoreChunk chunkOf(const BufferConfig& data) {
  CoreChunk chunk{ownCoreMemory + uint32_t(data.offset.value), {}, 0};
  for (const uint32_t word : data.initial)
    for (unsigned shift = 0; shift < 32; shift += 8)
      chunk.data.push_back(uint8_t(word >> shift));
  if (data.initial.empty()) chunk.zeros = uint32_t(data.size.value);
  return chunk;
}

/// Program memory from the segments of a file.
std::vector<std::byte> programOf(const CoreElf& elf) {
  std::vector<std::byte> bytes;
  const TileLimits& limits = limitsOf(TileKind::Core);
  const auto loads = loadsOf(elf, {0, Device::firstCoreRow});
  if (!loads) return bytes;
  for (const CoreLoad& load : *loads) {
    if (load.offset < limits.programOffset) continue;
    const size_t at = load.offset - limits.programOffset, size = load.words.size() * 4;
    if (bytes.size() < at + size) bytes.resize(at + size);
    for (size_t i = 0; i < size; ++i)
      bytes[at + i] = std::byte(load.words[i / 4] >> i % 4 * 8);
  }
  return bytes;
}

/// Source places by the address of the first bundle that comes from them.
std::map<uint32_t, std::string> placesOf(const CoreConfig& core, const Context& context) {
  std::map<uint32_t, std::string> places;
  std::string last;
  for (size_t i = 0; i < core.program.bundles.size() && i < core.bundleLocations.size(); ++i) {
    const auto place = sourcePlace(context, core.bundleLocations[i]);
    std::string text =
        place ? fmt::format("{}:{}:{}", place->file, place->line, place->column) : "";
    if (text == last) continue;
    last = text;
    if (!text.empty()) places[core.program.bundles[i].address] = std::move(text);
  }
  return places;
}

/// The address that the disassembler writes after each bundle; none for labels.
std::optional<uint32_t> addressIn(std::string_view line) {
  const size_t comment = line.rfind("// ");
  if (comment == line.npos) return std::nullopt;
  uint32_t address = 0;
  const char* begin = line.data() + comment + 3;
  const auto [end, error] = std::from_chars(begin, line.data() + line.size(), address, 16);
  return error == std::errc() && *end == ':' ? std::optional(address) : std::nullopt;
}

}  // namespace

std::vector<std::byte> programImage(const CoreConfig& core) {
  if (!core.elf.empty()) {
    const auto elf = readCoreElf(core.elf);
    return elf ? programOf(*elf) : std::vector<std::byte>();
  }
  std::vector<std::byte> bytes(size_t(programBytes(core).value));
  for (const isa::ProgramBundle& bundle : core.program.bundles)
    bundle.bundle.encode(bytes.data() + bundle.address);
  return bytes;
}

CoreElf coreElfOf(const CoreConfig& core, Generation generation) {
  if (!core.elf.empty())
    if (auto elf = readCoreElf(core.elf)) return *elf;
  const auto program = programImage(core);
  std::vector<CoreChunk> chunks{{0, ByteVector(program.size()), 0}};
  std::memcpy(chunks[0].data.data(), program.data(), program.size());
  for (const BufferConfig& data : core.constants)
    chunks.push_back(chunkOf(data));
  return makeCoreElf(chunks, core.entry, generation == Generation::Aie2 ? 2 : 3);
}

std::string coreSource(const CoreConfig& core, const Context& context) {
  const auto bytes = programImage(core);
  const auto places = placesOf(core, context);
  const isa::InstructionSet& set =
      core.program.bundles.empty() ? isa::aie2() : core.program.bundles.front().bundle.set();
  const std::string source = isa::printSource(isa::disassemble(bytes, 0, set), bytes);
  std::string out;
  for (std::string_view line : split(source, '\n')) {
    if (line.empty()) continue;
    const auto address = addressIn(line);
    const auto place = address ? places.find(*address) : places.end();
    if (place != places.end()) out += fmt::format("// {}\n", place->second);
    out += std::string(line) + "\n";
  }
  return out;
}

}  // namespace airlite::npu
