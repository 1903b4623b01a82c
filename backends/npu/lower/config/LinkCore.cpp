#include "LinkCore.hpp"

#include "airlite/ir/Context.hpp"
#include "airlite/npu/isa/Disassembler.hpp"
#include "airlite/npu/link/Linker.hpp"
#include "airlite/npu/link/ObjectFiles.hpp"
#include "airlite/npu/link/ObjectSource.hpp"
#include "airlite/npu/link/Runtime.hpp"
#include "airlite/npu/link/StackNeed.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace airlite::npu {
namespace {

constexpr std::string_view attribute = "link_with";

struct Taken {
  int64_t begin, end;
};

/// What neither stack, buffers nor the data of the code have of the core's own memory.
std::vector<link::MemoryRegion> freeRegions(const TileConfig* tile, const codegen::CoreCode& code,
                                            Bytes stack) {
  std::vector<Taken> taken{{0, stack.value}};
  if (tile)
    for (const BufferConfig& buffer : tile->buffers)
      taken.push_back({buffer.offset.value, (buffer.offset + buffer.size).value});
  for (const codegen::CoreData& data : code.data) {
    const int64_t begin = int64_t(data.address) - ownCoreMemory;
    taken.push_back({begin, begin + int64_t(data.words.size()) * bytesPerWord});
  }
  const int64_t all = limitsOf(TileKind::Core).dataMemory.value;
  taken.push_back({all, all});
  std::ranges::sort(taken, {}, &Taken::begin);
  std::vector<link::MemoryRegion> free;
  int64_t at = 0;
  for (const Taken& next : taken) {
    if (next.begin > at) free.push_back({ownCoreMemory + uint32_t(at), uint32_t(next.begin - at)});
    at = std::max(at, next.end);
  }
  return free;
}

CoreChunk chunkOf(const codegen::CoreData& data) {
  CoreChunk chunk{data.address, {}, 0};
  for (const uint32_t word : data.words)
    for (unsigned shift = 0; shift < 32; shift += 8)
      chunk.data.push_back(uint8_t(word >> shift));
  return chunk;
}

class CoreLink {
 public:
  CoreLink(const Layout& layout, aie::CoreOp core, const codegen::CoreCode& code)
      : layout_(layout), core_(core), code_(code) {}

  LogicalResult run(const codegen::CoreSurroundings& around, CoreConfig& made) {
    link::LinkRequest request;
    request.objects.push_back(link::objectOf(code_.program, code_.relocations, "the core"));
    if (failed(addObjects(request))) return failure();
    request.data = freeRegions(layout_.config.of(layout_.tileOf(*core_)), code_, around.stackSize);
    addBuffers(around, request);
    link::LinkResult result = link::linkCore(request);
    if (!result.ok()) return refuse(result.errors);
    if (failed(checkStack(result.linked, around.stackSize))) return failure();
    store(result.linked, made);
    return success();
  }

 private:
  uint32_t flags() const { return layout_.device.generation == Generation::Aie2 ? 2 : 3; }

  /// Beside the source first.
  std::vector<std::string> folders() const {
    std::vector<std::string> folders;
    const Location place = core_->location();
    if (place.isInSource())
      folders.push_back(std::filesystem::path(core_->context().sources().name(place.source()))
                            .parent_path()
                            .string());
    folders.insert(folders.end(), layout_.objectFolders.begin(), layout_.objectFolders.end());
    return folders;
  }

  /// Of the core, and of the declarations of functions that it calls; each once.
  std::vector<std::string> fileNames() const {
    std::vector<std::string> names;
    const auto add = [&](const Operation& op) {
      const auto name = op.attrOf<StringAttr>(attribute);
      if (name && std::ranges::find(names, name.value()) == names.end())
        names.emplace_back(name.value());
    };
    add(*core_);
    for (Operation& member : layout_.op.body().ops()) {
      const auto symbol = member.attrOf<StringAttr>("sym_name");
      if (member.is("func.func") && symbol &&
          std::ranges::find(code_.undefined, symbol.value()) != code_.undefined.end())
        add(member);
    }
    return names;
  }

  LogicalResult addObjects(link::LinkRequest& request) const {
    const std::vector<std::string> names = fileNames();
    if (names.empty())
      return core_->emitOpError() << "calls '" << code_.undefined.front()
                                  << "', which nothing defines and no object is named for ("
                                  << attribute << ")";
    for (const std::string& name : names) {
      auto objects = link::loadObjects(name, folders(), flags());
      if (!objects) return core_->emitOpError() << attribute << ": " << objects.error().message;
      std::ranges::move(*objects, std::back_inserter(request.objects));
    }
    request.objects.push_back(link::runtimeObject(*request.objects[0].set));
    return success();
  }

  void addBuffers(const codegen::CoreSurroundings& around, link::LinkRequest& request) const {
    for (const auto& [buffer, address] : around.buffers)
      if (Operation* op = buffer.definingOp(); op && airlite::isa<aie::BufferOp>(op))
        request.symbols.push_back({nameOf(layout_, aie::BufferOp(op)), address});
  }

  LogicalResult refuse(const std::vector<std::string>& errors) const {
    InFlightDiagnostic error = core_->emitOpError();
    error << "cannot be linked: " << errors.front();
    for (size_t i = 1; i < errors.size(); ++i)
      error.note(core_->location()) << errors[i];
    return error;
  }

  /// Buffers follow the stack. A function that needs more stack overwrites them, and nothing reports it.
  LogicalResult checkStack(const link::Linked& linked, Bytes size) const {
    const auto need = link::stackNeedOf(linked);
    if (!need || need->bytes <= size.value) return success();
    return core_->emitOpError() << "needs " << need->bytes << " bytes of stack ("
                                << fmt::format("{}", fmt::join(need->calls, ", "))
                                << "); its stack_size is " << size.value;
  }

  void store(link::Linked& linked, CoreConfig& made) const {
    for (const codegen::CoreData& data : code_.data)
      linked.data.push_back(chunkOf(data));
    made.elf = writeCoreElf(link::executableOf(linked, flags()));
    made.program =
        isa::disassemble(std::as_bytes(std::span(linked.program)), 0, *linked.set).program;
    made.program.symbols = code_.program.symbols;
    made.bundleLocations.resize(made.program.bundles.size(), core_->location());
    made.entry = linked.entry;
  }

  const Layout& layout_;
  aie::CoreOp core_;
  const codegen::CoreCode& code_;
};

}  // namespace

LogicalResult linkObjects(const Layout& layout, aie::CoreOp core, const codegen::CoreCode& code,
                          const codegen::CoreSurroundings& around, CoreConfig& made) {
  return CoreLink(layout, core, code).run(around, made);
}

}  // namespace airlite::npu
