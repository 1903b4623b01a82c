#include "Objects.hpp"

#include "../common/Session.hpp"
#include "Asm.hpp"
#include "Images.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/npu/link/Archive.hpp"
#include "airlite/npu/link/Linker.hpp"
#include "airlite/npu/link/ObjectFiles.hpp"
#include "airlite/npu/link/ObjectSource.hpp"
#include "airlite/npu/link/ObjectText.hpp"
#include "airlite/npu/link/Runtime.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

namespace airlite::tools {
namespace {

using namespace npu;

constexpr uint32_t kDataEnd =  // of the memories that a core sees
    ownCoreMemory + aie::limitsOf(aie::Generation::Aie2, aie::TileKind::Core).memoryBytes;

ByteSpan spanOf(std::string_view bytes) {
  return {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
}

std::string_view textOf(const ByteVector& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

int refused(const std::string& path, const Error& refusal) {
  const auto place = refusal.place ? fmt::format(" at byte {:#x}", *refusal.place) : "";
  return inputError(fmt::format("{}:{} {}", inputName(path), place, refusal.message));
}

/// `kernel.o` of `build/kernel.o`: what messages and symbols call it.
std::string fileName(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

/// NAME=VALUE, decimal or 0x.
std::optional<link::KnownSymbol> symbolOf(std::string_view text) {
  const size_t sign = text.find('=');
  if (sign == 0 || sign == std::string_view::npos) return std::nullopt;
  std::string_view digits = text.substr(sign + 1);
  const int base = digits.starts_with("0x") ? 16 : 10;
  if (base == 16) digits.remove_prefix(2);
  link::KnownSymbol symbol{std::string(text.substr(0, sign))};
  const auto [end, code] =
      std::from_chars(digits.data(), digits.data() + digits.size(), symbol.value, base);
  if (code != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return symbol;
}

bool addSymbols(const Request& request, link::LinkRequest& job) {
  for (const std::string& text : request.symbols) {
    const auto symbol = symbolOf(text);
    if (!symbol) return inputError(fmt::format("'{}' is not NAME=VALUE", text)) == kSuccess;
    job.symbols.push_back(*symbol);
  }
  return true;
}

/// The first object says which cores the program is for, unless the command line does.
bool addObject(const Request& request, const std::string& path, link::LinkRequest& job) {
  const std::string here[] = {"."};
  uint32_t flags = link::kAnyGeneration;
  if (!request.device.empty()) {
    const isa::InstructionSet* set = instructionsOf(request);
    if (!set) return false;
    flags = set->elfFlags;
  }
  auto objects = link::loadObjects(path, here, flags);
  if (!objects) return inputError(objects.error().message) == kSuccess;
  std::ranges::move(*objects, std::back_inserter(job.objects));
  return true;
}

std::vector<std::string> filesOf(const Request& request) {
  std::vector<std::string> files{request.input};
  if (!request.second.empty()) files.push_back(request.second);
  files.insert(files.end(), request.more.begin(), request.more.end());
  return files;
}

}  // namespace

bool isElf(std::string_view bytes) {
  return bytes.starts_with("\x7F"
                           "ELF");
}

int showArchive(const Request& request, std::string_view bytes) {
  const auto objects =
      link::objectsOf(spanOf(bytes), fileName(inputName(request.input)), link::kAnyGeneration);
  if (!objects) return refused(request.input, objects.error());
  std::string text;
  for (const link::Object& object : *objects)
    text += (text.empty() ? "" : "\n") + link::printObject(object);
  return write(request, text);
}

int showElf(const Request& request, std::string_view bytes) {
  if (link::isObject(spanOf(bytes))) {
    const auto object =
        link::readObject(spanOf(bytes), fileName(inputName(request.input)), link::kAnyGeneration);
    if (!object) return refused(request.input, object.error());
    if (!instructionsOf(request, object->set->elfFlags)) return kFailure;
    return write(request, link::printObject(*object));
  }
  const auto elf = readCoreElf(spanOf(bytes));
  if (!elf) return refused(request.input, elf.error());
  if (!instructionsOf(request, elf->header.flags)) return kFailure;
  const auto text = link::printExecutable(*elf);
  return text ? write(request, *text) : refused(request.input, text.error());
}

const isa::InstructionSet* readProgram(const Request& request, std::string_view bytes,
                                       std::string& program) {
  const auto elf = readCoreElf(spanOf(bytes));
  if (!elf) return refused(request.input, elf.error()), nullptr;
  if (link::isObject(spanOf(bytes)))
    return refused(request.input, {"an object: its jumps are not known before it is linked"}),
           nullptr;
  for (const ElfSegment* segment : loadable(*elf)) {
    if (segment->paddr >= isa::kProgramMemoryBytes) continue;
    const ByteVector code = fileBytes(*elf, segment->offset, segment->filesz);
    program.resize(std::max(program.size(), segment->paddr + code.size()));
    std::copy(code.begin(), code.end(), program.begin() + segment->paddr);
  }
  return instructionsOf(request, elf->header.flags);
}

int show(const Request& request) {
  std::string bytes;
  if (!read(request.input, bytes)) return kFailure;
  if (link::isArchive(spanOf(bytes))) return showArchive(request, bytes);
  return link::isObject(spanOf(bytes)) ? showElf(request, bytes)
                                       : images::printBytes(request, bytes);
}

int writeObject(const Request& request, std::string_view source) {
  const isa::InstructionSet* set = instructionsOf(request);
  if (!set) return kFailure;
  const auto made = link::assembleObject(source, fileName(inputName(request.input)), *set);
  printErrors(request, source, made.errors, *set);
  return made.ok() ? write(request, textOf(link::writeObject(made.object))) : int(kFailure);
}

int runLinker(const Request& request) {
  link::LinkRequest job{.entry = request.entry, .keepsUnused = request.keepsUnused};
  for (const std::string& file : filesOf(request))
    if (!addObject(request, file, job)) return kFailure;
  if (!job.objects.empty()) job.objects.push_back(link::runtimeObject(*job.objects[0].set));
  if (!addSymbols(request, job)) return kFailure;
  const uint32_t whole = kDataEnd - std::min(kDataEnd, request.dataBegin);
  job.data = {{request.dataBegin, request.dataBytes ? request.dataBytes : whole}};
  const link::LinkResult result = link::linkCore(job);
  for (const std::string& error : result.errors)
    inputError(error);
  if (!result.ok()) return kFailure;
  return write(request, textOf(writeCoreElf(link::executableOf(result.linked))));
}

}  // namespace airlite::tools
