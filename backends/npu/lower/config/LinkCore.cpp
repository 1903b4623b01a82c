#include "LinkCore.hpp"

#include "airlite/ir/Context.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/npu/isa/Disassembler.hpp"
#include "airlite/npu/link/ObjectFiles.hpp"
#include "airlite/npu/link/ObjectSource.hpp"

#include <algorithm>
#include <filesystem>
#include <span>

namespace airlite::npu {
namespace {

constexpr uint32_t dataAlignment = 64;  // the widest access of a core

/// Files that define what the core calls, each once.
std::vector<std::string> filesOf(aie::CoreOp core, const codegen::CoreCode& code) {
  std::vector<std::string> files;
  const auto add = [&](std::string_view file) {
    if (!file.empty() && std::ranges::find(files, file) == files.end()) files.emplace_back(file);
  };
  add(core.linkWith());
  for (Operation& member : core->parentOp()->region().front().ops()) {
    auto file = member.attrOf<StringAttr>("link_with");
    const bool isCalled = std::ranges::count(code.undefined, symbolName(member)) != 0;
    if (member.is("func.func") && file && isCalled) add(file.value());
  }
  return files;
}

/// Beside the design, then where the compiler was started.
std::vector<std::string> foldersOf(aie::CoreOp core) {
  const Location place = core->location();
  if (!place.isInSource()) return {"."};
  const std::filesystem::path file(core->context().sources().name(place.source()));
  const std::string folder = file.parent_path().string();
  return folder.empty() ? std::vector<std::string>{"."} : std::vector<std::string>{folder, "."};
}

/// What the data of the program leaves of the room for it.
link::MemoryRegion freeData(const codegen::CoreSurroundings& around,
                            const codegen::CoreCode& code) {
  uint32_t begin = around.constantsAddress;
  const uint32_t end = begin + uint32_t(around.constantsSize.value);
  for (const codegen::CoreData& data : code.data)
    begin = std::max(begin, data.address + uint32_t(data.words.size()) * 4);
  begin = std::min(end, (begin + dataAlignment - 1) / dataAlignment * dataAlignment);
  return {begin, end - begin};
}

codegen::CoreData dataOf(const CoreChunk& chunk) {
  codegen::CoreData data{"linked", chunk.address, {}};
  data.words.resize((chunk.data.size() + chunk.zeros + 3) / 4);
  for (size_t i = 0; i < chunk.data.size(); ++i)
    data.words[i / 4] |= uint32_t(chunk.data[i]) << i % 4 * 8;
  return data;
}

/// The linked program; own bundles keep their places and so their locations.
LogicalResult takeProgram(aie::CoreOp core, const link::Linked& linked, codegen::CoreCode& code) {
  const auto bytes = std::as_bytes(std::span(linked.program));
  isa::Disassembly program = isa::disassemble(bytes);
  if (!program.undecoded.empty())
    return core->emitOpError() << "links code that is no instruction at address "
                               << program.undecoded.front().address << ": "
                               << program.undecoded.front().message;
  std::vector<Location> locations(program.program.bundles.size());
  for (size_t i = 0; i < code.program.bundles.size() && i < code.bundleLocations.size(); ++i) {
    const size_t at = program.program.indexAt(code.program.bundles[i].address);
    if (at < locations.size()) locations[at] = code.bundleLocations[i];
  }
  code.program = std::move(program.program);
  code.bundleLocations = std::move(locations);
  return success();
}

}  // namespace

LogicalResult linkProgram(aie::CoreOp core, const codegen::CoreSurroundings& around,
                          const std::vector<link::KnownSymbol>& symbols, Generation generation,
                          codegen::CoreCode& code) {
  if (code.undefined.empty()) return success();
  link::LinkRequest request;
  request.objects.push_back(link::objectOf(code.program, code.relocations, "the core"));
  for (const std::string& file : filesOf(core, code)) {
    auto object = link::loadObject(file, foldersOf(core), uint32_t(generation) + 1);
    if (!object) return core->emitOpError() << object.refusal().message;
    request.objects.push_back(std::move(*object));
  }
  request.data.push_back(freeData(around, code));
  request.symbols = symbols;
  const link::LinkResult result = link::linkCore(request);
  LogicalResult status = success();
  for (const std::string& error : result.errors)
    status |= core->emitOpError() << error;
  if (failed(status) || failed(takeProgram(core, result.linked, code))) return failure();
  for (const CoreChunk& chunk : result.linked.data)
    code.data.push_back(dataOf(chunk));
  code.undefined.clear();
  code.relocations.clear();
  return success();
}

}  // namespace airlite::npu
