// Checks and element access (see Access.hpp).
#include "Access.hpp"

#include <cstring>
#include <optional>

namespace airlite::interp {

Step readNumbers(Run& run, const Inst& inst, uint32_t first, uint32_t count, int64_t* numbers,
                 std::string_view what) {
  for (uint32_t i = 0; i < count; ++i) {
    const Slot& slot = run.in(inst, first + i);
    if (!slot.isBits()) [[unlikely]]
      return slot.isPoison() ? run.machine.poisonError(run, inst, slot, what) : Step::Retry;
    numbers[i] = slot.number();
  }
  return Step::Next;
}

Builder::Registers mixedRegisters(Builder& b, Operation& op,
                                  std::span<const memref::MixedIndex> list) {
  Builder::Registers registers;
  for (const memref::MixedIndex& entry : list)
    registers.push_back(entry.isConstant() ? b.constant(op, entry.constant) : b.use(entry.value));
  return registers;
}

// -- What may be touched --------------------------------------------------------------------------

namespace {

constexpr std::string_view kPlaces[] = {"a function", "an air.launch", "an air.segment",
                                        "an air.herd"};

Step wrongLevel(Run& run, const Inst& inst, const View& view) {
  auto level = static_cast<air::MemoryLevel>(view.memory->level);
  run.machine.error(run, *inst.op)
      << "'" << inst.op->name() << "' in " << kPlaces[static_cast<size_t>(run.process.level)]
      << " touches " << air::levelName(level)
      << " memory: data moves between levels by air.dma_memcpy_nd and channels";
  return Step::Fail;
}

bool isForeign(Run& run, const Memory& memory) {
  Level level = run.process.level;
  LevelRule rule = run.machine.options().levels;
  if (level == Level::Host || rule == LevelRule::Free) return false;
  auto own = static_cast<uint8_t>(static_cast<uint8_t>(level) - 1);
  return rule == LevelRule::Strict ? memory.level != own : memory.level > own;
}

void noteMemory(InFlightDiagnostic& error, const Memory& memory) {
  if (memory.allocatedBy) error.note(memory.allocatedBy->location()) << "it is allocated here";
}

}  // namespace

bool mayTouch(Run& run, const Memory& memory, bool writes) {
  return !isForeign(run, memory) && !isFreed(memory) && !(writes && memory.constant);
}

Step checkMemory(Run& run, const Inst& inst, const View& view, bool writes) {
  if (isForeign(run, *view.memory)) [[unlikely]]
    return wrongLevel(run, inst, view);
  return checkAlive(run, inst, view, writes);
}

Step checkAlive(Run& run, const Inst& inst, const View& view, bool writes) {
  Memory& memory = *view.memory;
  if (isFreed(memory)) [[unlikely]] {
    InFlightDiagnostic error = run.machine.error(run, *inst.op);
    error << "'" << inst.op->name() << "' uses memory after it is freed";
    if (const Operation* by = freedBy(run, memory))
      error.note(by->location()) << "it is freed here";
    noteMemory(error, memory);
    return Step::Fail;
  }
  if (writes && memory.constant) [[unlikely]] {
    run.machine.error(run, *inst.op) << "'" << inst.op->name() << "' writes to constant memory";
    return Step::Fail;
  }
  return Step::Next;
}

Step addressOf(Run& run, const Inst& inst, const View& view, int64_t at, uint32_t stride,
               size_t& address) {
  int64_t element = 0, byte = 0;
  bool fine = !__builtin_add_overflow(view.offset, at, &element) &&
              !__builtin_mul_overflow(element, static_cast<int64_t>(stride), &byte) &&
              !__builtin_add_overflow(byte, view.base, &byte) && byte >= 0 &&
              byte + stride <= static_cast<int64_t>(view.memory->data.size());
  if (!fine) [[unlikely]] {
    InFlightDiagnostic error = run.machine.error(run, *inst.op);
    error << "'" << inst.op->name() << "' reaches outside of memory: element " << element << " of "
          << (stride ? view.memory->data.size() / stride : 0);
    noteMemory(error, *view.memory);
    return Step::Fail;
  }
  address = static_cast<size_t>(byte);
  return Step::Next;
}

Step checkIndices(Run& run, const Inst& inst, const View& view, std::span<const int64_t> index,
                  int64_t& at) {
  at = 0;
  for (size_t i = 0; i < index.size(); ++i) {
    if (index[i] < 0 || index[i] >= view.sizes[i]) [[unlikely]] {
      InFlightDiagnostic error = run.machine.error(run, *inst.op);
      error << "index " << indexText(index) << " of '" << inst.op->name()
            << "' is outside of the shape " << indexText(view.sizes);
      noteMemory(error, *view.memory);
      return Step::Fail;
    }
    at += index[i] * view.strides[i];
  }
  return Step::Next;
}

// -- Elements -------------------------------------------------------------------------------------

void loadSlot(Run& run, const Inst& inst, const View& view, size_t address,
              const ElementLayout& layout, Slot& out) {
  auto originOf = [&] {
    return run.machine.origins.of(inst.op, "'" + std::string(inst.op->name()) +
                                               "' reads an element that nothing was stored to");
  };
  if (!layout.isVector) {
    Lane lane = loadLane(*view.memory, address, layout.bytes);
    if (lane.origin) [[unlikely]]
      return out.setPoison(originOf());
    return out.setBits(lane.bits);
  }
  auto* array = new Array;
  Slot result;
  result.set(SlotKind::Array, array);
  for (uint32_t i = 0; i < layout.lanes; ++i) {
    Lane lane = loadLane(*view.memory, address + i * layout.bytes, layout.bytes);
    if (lane.origin) lane.origin = originOf();
    array->lanes.push_back(lane);
  }
  out = std::move(result);
}

bool storeSlot(Run&, const View& view, size_t address, const ElementLayout& layout,
               const Slot& value) {
  if (!layout.isVector) {
    if (!value.isBits() && !value.isPoison()) return false;
    storeLane(*view.memory, address, layout.bytes, {value.bits(), value.isPoison() ? 1u : 0u});
    return true;
  }
  if (value.kind() != SlotKind::Array) return false;
  const std::vector<Lane>& lanes = value.as<Array>().lanes;
  for (uint32_t i = 0; i < layout.lanes; ++i)
    storeLane(*view.memory, address + i * layout.bytes, layout.bytes, lanes[i]);
  return true;
}

View* newView(std::vector<int64_t> sizes, const ElementLayout& layout, Operation* op) {
  auto* view = new View;
  view->memory = std::make_shared<Memory>();
  view->memory->allocatedBy = op;
  view->strides = rowMajorStrides(sizes);
  auto bytes = static_cast<size_t>(product(sizes)) * layout.stride();
  view->memory->data.resize(bytes);
  view->memory->known.resize(bytes);
  view->sizes = std::move(sizes);
  return view;
}

// -- Pieces ---------------------------------------------------------------------------------------

namespace {

/// The byte that the window begins with; nothing when it is not there.
std::optional<size_t> firstByte(const View& view, const Window& window, uint32_t stride) {
  int64_t byte = view.base + (view.offset + window.start) * static_cast<int64_t>(stride);
  return byte < 0 ? std::nullopt : std::optional(static_cast<size_t>(byte));
}

int64_t routeAt(const Memory& memory, std::optional<size_t> byte) {
  for (const auto& [at, route] : memory.routes)
    if (at == byte) return route;
  return -1;
}

/// What arrives takes the place of what was there.
void setRoute(Memory& memory, std::optional<size_t> byte, int64_t route) {
  if (memory.routes.empty() && route < 0) return;
  std::erase_if(memory.routes, [&](const auto& entry) { return entry.first == byte; });
  if (route >= 0 && byte) memory.routes.emplace_back(*byte, route);
}

}  // namespace

Step readPiece(Run& run, const Inst& inst, const View& view, const Window& window, uint32_t stride,
               Piece& piece) {
  Step result = Step::Next;
  piece.route = routeAt(*view.memory, firstByte(view, window, stride));
  forEachOffset(window.sizes, window.strides, window.start, [&](int64_t at) {
    size_t address = 0;
    result = addressOf(run, inst, view, at, stride, address);
    if (result != Step::Next) return false;
    const std::byte* data = view.memory->data.data() + address;
    const uint8_t* known = view.memory->known.data() + address;
    piece.data.insert(piece.data.end(), data, data + stride);
    piece.known.insert(piece.known.end(), known, known + stride);
    return true;
  });
  return result;
}

Step writePiece(Run& run, const Inst& inst, const View& view, const Window& window, uint32_t stride,
                const Piece& piece) {
  Step result = Step::Next;
  size_t next = 0;
  setRoute(*view.memory, firstByte(view, window, stride), piece.route);
  forEachOffset(window.sizes, window.strides, window.start, [&](int64_t at) {
    size_t address = 0;
    result = addressOf(run, inst, view, at, stride, address);
    if (result != Step::Next) return false;
    std::memcpy(view.memory->data.data() + address, piece.data.data() + next, stride);
    std::memcpy(view.memory->known.data() + address, piece.known.data() + next, stride);
    next += stride;
    return true;
  });
  return result;
}

// -- Loads and stores -----------------------------------------------------------------------------

namespace {

/// in: the memref at `first`, then the indices.
Step locate(Run& run, const Inst& inst, uint32_t first, bool writes, const ElementLayout& layout,
            size_t& address) {
  const Slot& memref = run.in(inst, first);
  if (memref.kind() != SlotKind::View) return Step::Retry;
  const View& view = memref.as<View>();
  int64_t index[kMaxRank], at = 0;
  uint32_t rank = inst.numIn - first - 1;
  if (Step s = readNumbers(run, inst, first + 1, rank, index, "an index"); s != Step::Next)
    return s;
  if (Step s = checkMemory(run, inst, view, writes); s != Step::Next) return s;
  if (Step s = checkIndices(run, inst, view, {index, rank}, at); s != Step::Next) return s;
  return addressOf(run, inst, view, at, layout.stride(), address);
}

Step doLoad(Run& run, const Inst& inst) {
  const auto& layout = *static_cast<const ElementLayout*>(inst.data);
  size_t address = 0;
  if (Step s = locate(run, inst, 0, false, layout, address); s != Step::Next) return s;
  loadSlot(run, inst, run.in(inst, 0).as<View>(), address, layout, run.out(inst));
  return Step::Next;
}

Step doStore(Run& run, const Inst& inst) {
  const auto& layout = *static_cast<const ElementLayout*>(inst.data);
  size_t address = 0;
  if (run.in(inst, 0).kind() == SlotKind::Pending) return Step::Retry;
  if (Step s = locate(run, inst, 1, true, layout, address); s != Step::Next) return s;
  bool stored = storeSlot(run, run.in(inst, 1).as<View>(), address, layout, run.in(inst, 0));
  return stored ? Step::Next : Step::Retry;
}

bool fits(const ElementLayout& layout, size_t rank) { return layout.bytes && rank <= kMaxRank; }

}  // namespace

void emitLoad(Builder& b, Operation& op, uint32_t memref, const Builder::Registers& indices,
              Type element, uint32_t out) {
  ElementLayout layout = layoutOf(element);
  if (!fits(layout, indices.size())) return b.unsupported(op);
  Builder::Registers in{memref};
  in.insert(in.end(), indices.begin(), indices.end());
  b.emit(doLoad, op, in, out).data = b.arena().make<ElementLayout>(layout);
}

void emitStore(Builder& b, Operation& op, uint32_t value, uint32_t memref,
               const Builder::Registers& indices, Type element) {
  ElementLayout layout = layoutOf(element);
  if (!fits(layout, indices.size())) return b.unsupported(op);
  Builder::Registers in{value, memref};
  in.insert(in.end(), indices.begin(), indices.end());
  b.emit(doStore, op, in).data = b.arena().make<ElementLayout>(layout);
}

}  // namespace airlite::interp
