// The programs of cores: compiled against the places that have been chosen, or read from a file.
#include "DesignLayout.hpp"
#include "LinkCore.hpp"
#include "airlite/ir/Context.hpp"
#include "airlite/npu/image/CoreElf.hpp"
#include "airlite/npu/isa/Generations.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace airlite::npu {
namespace {

namespace fs = std::filesystem;

constexpr int64_t dataAlignment = 64;  // the widest access of a core

/// [begin, end) of a core's own data memory.
struct Gap {
  int64_t begin = 0, end = 0;
  int64_t size() const { return end - begin; }
};

/// The largest piece that neither the stack nor a buffer has.
Gap largestGap(const TileConfig* tile, int64_t stack) {
  Gap best, next{stack, 0};
  std::vector<BufferConfig> buffers = tile ? tile->buffers : std::vector<BufferConfig>();
  std::ranges::sort(buffers, {}, &BufferConfig::offset);
  const auto consider = [&](int64_t end) {
    next.begin = (next.begin + dataAlignment - 1) / dataAlignment * dataAlignment;
    next.end = end;
    if (next.size() > best.size()) best = next;
  };
  for (const BufferConfig& buffer : buffers) {
    consider(buffer.offset.value);
    next.begin = std::max(next.begin, (buffer.offset + buffer.size).value);
  }
  consider(limitsOf(TileKind::Core).dataMemory.value);
  return best;
}

class Cores {
 public:
  Cores(Layout& layout, const CoreCompiler& compile) : layout_(layout), compile_(compile) {}

  LogicalResult run() {
    for (aie::CoreOp core : membersOf<aie::CoreOp>(layout_.op)) {
      const bool isFile = core->hasAttr("elf_file");
      if (failed(checkReach(core))) return failure();
      if (failed(isFile ? load(core) : compile(core))) return failure();
    }
    return success(layout_.deepCores.empty());
  }

 private:
  // -- What the core sees -----------------------------------------------------------------------

  std::optional<Neighbour> sideOf(aie::CoreOp core, const Operation& element) const {
    const auto side = layout_.neighbour(layout_.tileOf(*core), layout_.tileOf(element));
    return side && coreWindow(*side) ? side : std::nullopt;
  }

  LogicalResult checkReach(aie::CoreOp core) const {
    LogicalResult result = success();
    core.body().walk([&](Operation& op) {
      for (Value operand : op.operands()) {
        Operation* source = operand.definingOp();
        if (!airlite::isa<aie::BufferOp>(source) && !airlite::isa<aie::LockOp>(source)) continue;
        if (!sideOf(core, *source))
          result |= op.emitOpError()
                    << "uses a " << (airlite::isa<aie::LockOp>(source) ? "lock" : "buffer")
                    << " of " << name(layout_.tileOf(*source)) << ", which the core of "
                    << name(layout_.tileOf(*core)) << " does not reach";
      }
    });
    return result;
  }

  codegen::CoreSurroundings surroundings(aie::CoreOp core) const {
    codegen::CoreSurroundings seen;
    for (auto& [op, offset] : layout_.buffers)
      if (auto side = sideOf(core, *op))
        seen.buffers[op->result()] = *coreWindow(*side) + uint32_t(offset.value);
    for (auto& [op, number] : layout_.locks)
      if (auto side = sideOf(core, *op)) seen.locks[op->result()] = *coreLockBase(*side) + number;
    const Gap gap = largestGap(layout_.config.of(layout_.tileOf(*core)), core.stackBytes());
    seen.set = isa::instructionSetOf(layout_.device.generation);
    seen.stackAddress = ownCoreMemory;
    seen.stackSize = Bytes(core.stackBytes());
    seen.constantsAddress = ownCoreMemory + uint32_t(gap.begin);
    seen.constantsSize = Bytes(gap.size());
    return seen;
  }

  // -- Compiled ---------------------------------------------------------------------------------

  LogicalResult compile(aie::CoreOp core) {
    if (!compile_)
      return core->emitOpError() << "not supported: a program that is not in an elf_file";
    const auto around = surroundings(core);
    std::optional<codegen::CoreCode> code = compile_(*core, around);
    if (!code) return failure();
    const bool isDeep = code->stackUsed > around.stackSize;
    if (isDeep && !core->hasAttr("stack_size")) {
      layout_.deepCores.push_back({core, code->stackUsed});
      return success();
    }
    if (isDeep)
      return core->emitOpError() << "needs " << code->stackUsed.value
                                 << " bytes of stack, stack_size is " << around.stackSize.value;
    CoreConfig made;
    made.bundleLocations = std::move(code->bundleLocations);
    if (!code->undefined.empty() && failed(linkObjects(layout_, core, *code, around, made)))
      return failure();
    if (made.elf.empty()) made.program = std::move(code->program);
    if (!made.program.bundles.empty()) made.entry = made.program.bundles.front().address;
    for (codegen::CoreData& data : code->data)
      if (failed(addData(core, around, data, made))) return failure();
    return finish(core, std::move(made));
  }

  LogicalResult addData(aie::CoreOp core, const codegen::CoreSurroundings& around,
                        codegen::CoreData& data, CoreConfig& made) const {
    const Bytes size(int64_t(data.words.size()) * bytesPerWord);
    const int64_t begin = int64_t(data.address) - around.constantsAddress;
    if (begin < 0 || begin + size.value > around.constantsSize.value)
      return core->emitOpError() << "has data of " << size.value << " bytes at " << begin
                                 << " of the " << around.constantsSize.value
                                 << " bytes that are left";
    made.constants.push_back({data.name, Bytes(int64_t(data.address) - ownCoreMemory), size,
                              std::move(data.words), core->location()});
    return success();
  }

  LogicalResult finish(aie::CoreOp core, CoreConfig made) {
    made.stackSize = Bytes(core.stackBytes());
    made.location = core->location();
    const Bytes needed = programBytes(made), there = limitsOf(TileKind::Core).programMemory;
    if (needed > there)
      return core->emitOpError() << "has a program of " << needed.value
                                 << " bytes, program memory has " << there.value;
    layout_.at(layout_.tileOf(*core)).core = std::move(made);
    return success();
  }

  // -- From a file ------------------------------------------------------------------------------

  /// Beside the design, unless the path is absolute.
  static fs::path pathOf(aie::CoreOp core) {
    const fs::path file = core->attrOf<StringAttr>("elf_file").value();
    const Location place = core->location();
    if (file.is_absolute() || !place.isInSource()) return file;
    const fs::path beside =
        fs::path(core->context().sources().name(place.source())).parent_path() / file;
    return fs::exists(beside) ? beside : file;
  }

  LogicalResult load(aie::CoreOp core) {
    const fs::path path = pathOf(core);
    std::ifstream in(path, std::ios::binary);
    if (!in) return core->emitOpError() << "cannot read elf_file '" << path.string() << "'";
    CoreConfig made;
    made.elf.assign(std::istreambuf_iterator<char>(in), {});
    const auto elf = readCoreElf(made.elf);
    if (!elf) return bad(core, path, elf.error());
    const auto loads = loadsOf(*elf, layout_.tileOf(*core));
    if (!loads) return bad(core, path, loads.error());
    for (const CoreLoad& load : *loads)
      if (failed(checkLoad(core, load))) return failure();
    made.entry = elf->header.entry;
    return finish(core, std::move(made));
  }

  static LogicalResult bad(aie::CoreOp core, const fs::path& path, const Error& refusal) {
    return core->emitOpError() << "'" << path.string() << "': " << refusal.message;
  }

  /// Data of the file must not lie where the design has put a buffer.
  LogicalResult checkLoad(aie::CoreOp core, const CoreLoad& load) const {
    const TileConfig* tile = layout_.config.of(load.tile);
    const int64_t begin = load.offset, end = begin + int64_t(load.words.size()) * bytesPerWord;
    if (!tile || begin >= limitsOf(TileKind::Core).dataMemory.value) return success();
    for (const BufferConfig& buffer : tile->buffers) {
      if (end <= buffer.offset.value || begin >= (buffer.offset + buffer.size).value) continue;
      InFlightDiagnostic error = core->emitOpError();
      error << "loads data to bytes " << begin << " to " << end - 1 << " of " << name(load.tile)
            << ", where buffer '" << buffer.name << "' is";
      error.note(buffer.location) << "an address keeps it away from there";
      return error;
    }
    return success();
  }

  Layout& layout_;
  const CoreCompiler& compile_;
};

}  // namespace

LogicalResult makeCores(Layout& layout, const CoreCompiler& compile) {
  return Cores(layout, compile).run();
}

Bytes programBytes(const CoreConfig& core) {
  if (core.elf.empty())
    return Bytes(core.program.bundles.empty() ? 0 : core.program.bundles.back().end());
  const auto elf = readCoreElf(core.elf);
  const auto loads = elf ? loadsOf(*elf, {0, Device::firstCoreRow}) : Error{};
  Bytes end;
  if (!loads) return end;
  const TileLimits& limits = limitsOf(TileKind::Core);
  for (const CoreLoad& load : *loads)
    if (load.offset >= limits.programOffset)
      end = std::max(end, Bytes(load.offset - limits.programOffset) +
                              toBytes(Words(int64_t(load.words.size()))));
  return end;
}

}  // namespace airlite::npu
