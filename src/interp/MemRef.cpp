// The memref dialect without its views: memory that comes and goes, loads, stores and copies.
#include "RankSide.hpp"
#include "Ranks.hpp"
#include "airlite/analysis/HandOver.hpp"
#include "airlite/dialect/Evaluate.hpp"
#include "airlite/dialect/Reductions.hpp"
#include "airlite/ir/Symbols.hpp"
#include "dialect/ConstantFolding.hpp"

#include <algorithm>
#include <cstring>

namespace airlite::interp {

namespace {

// -- Allocation -----------------------------------------------------------------------------------

struct Allocation {
  ElementLayout layout;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;  // empty: row-major
  int64_t offset = 0;
  uint8_t level = 0;
  bool onStack = false;
  bool isSymmetric = false;
  bool isZero = false;    // where nothing is written
  bool isShared = false;  // by the cores that use it
};

/// Elements up to the last one of a strided form; -1 when it is too large.
int64_t extentOf(const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides,
                 int64_t offset) {
  int64_t last = offset;
  for (size_t i = 0; i < sizes.size(); ++i) {
    int64_t step = 0;
    if (sizes[i] == 0) return 0;
    if (__builtin_mul_overflow(sizes[i] - 1, strides[i], &step) ||
        __builtin_add_overflow(last, step, &last))
      return -1;
  }
  return last + 1;
}

Step doAlloc(Run& run, const Inst& inst) {
  const auto& allocation = *static_cast<const Allocation*>(inst.data);
  std::vector<int64_t> sizes = allocation.shape;
  uint32_t next = 0;
  for (int64_t& size : sizes) {
    if (size != kDynamic) continue;
    if (Step s = readNumbers(run, inst, next++, 1, &size, "a size"); s != Step::Next) return s;
    if (size >= 0) continue;
    run.machine.error(run, *inst.op) << "the size of memory is negative: " << size;
    return Step::Fail;
  }
  std::vector<int64_t> strides =
      allocation.strides.empty() ? rowMajorStrides(sizes) : allocation.strides;
  int64_t extent = product(sizes) == INT64_MAX ? -1 : extentOf(sizes, strides, allocation.offset);
  if (extent < 0 || extent > kMaxBytes / allocation.layout.stride()) {
    run.machine.error(run, *inst.op) << "memory of shape " << indexText(sizes) << " is too large";
    return Step::Fail;
  }
  auto* view = new View;
  view->memory = std::make_shared<Memory>();
  view->memory->data.resize(static_cast<size_t>(extent) * allocation.layout.stride());
  view->memory->known.resize(view->memory->data.size(), allocation.isZero);
  view->memory->level = allocation.level;
  view->memory->allocatedBy = inst.op;
  bool isOutside = run.process.level == Level::Launch || run.process.level == Level::Segment;
  view->memory->perCore = isOutside && !allocation.isShared &&
                          allocation.level == static_cast<uint8_t>(air::MemoryLevel::L1);
  view->offset = allocation.offset;
  view->sizes = std::move(sizes);
  view->strides = std::move(strides);
  if (allocation.isSymmetric) view->memory = symmetricMemory(run, inst, view->memory);
  if (!view->memory) {
    delete view;
    return Step::Fail;
  }
  if (allocation.onStack) run.process.frames.back().stack.push_back(view->memory);
  run.out(inst).set(SlotKind::View, view);
  return Step::Next;
}

bool compileAlloc(Builder& b, Operation& op) {
  memref::AllocLikeOp alloc(&op);
  MemRefType type = alloc.type();
  std::optional<StridedForm> form = type.stridedForm();
  Allocation allocation;
  allocation.layout = layoutOf(type.elementType());
  if (!allocation.layout.bytes || !form || !alloc.symbolOperands().empty()) return false;
  allocation.shape.assign(type.shape().begin(), type.shape().end());
  if (!type.hasIdentityLayout()) {
    allocation.strides = form->strides;
    allocation.offset = form->offset;
    for (int64_t stride : form->strides)
      if (stride < 0) return false;  // open strides as well
    if (form->offset < 0) return false;
  }
  if (auto level = air::memoryLevel(type)) allocation.level = static_cast<uint8_t>(*level);
  allocation.onStack = op.is("memref.alloca");
  allocation.isSymmetric = op.hasAttr("air.symmetric");
  allocation.isZero = op.hasAttr(air::kZeroMemory);
  allocation.isShared =
      air::memoryLevel(type) == air::MemoryLevel::L1 && analysis::handOverOf(op.result()).isShared;
  Builder::Registers in = b.useAll(alloc.dynamicSizes());
  b.emit(doAlloc, op, in, b.defineResults(op)).data = b.arena().make<Allocation>(allocation);
  return true;
}

}  // namespace

Operation* freedBy(Run& run, const Memory& memory) {
  return memory.freedByAny ? run.machine.side()->store().freedBy(memory) : memory.freedBy;
}

Step freeMemory(Run& run, const Inst& inst, Memory& memory) {
  if (isFreed(memory)) {
    InFlightDiagnostic error = run.machine.error(run, *inst.op);
    error << "memory is freed twice";
    if (const Operation* by = freedBy(run, memory))
      error.note(by->location()) << "it is freed here before";
    return Step::Fail;
  }
  memory.freed = true;
  memory.freedBy = inst.op;
  if (memory.freedByAny) run.machine.side()->store().noteFreed(memory, *inst.op);
  memory.data = {};
  memory.known = {};
  for (auto& [core, copy] : memory.copies) {
    copy->freed = true;
    copy->freedBy = inst.op;
  }
  memory.copies.clear();
  return Step::Next;
}

namespace {

Step doDealloc(Run& run, const Inst& inst) {
  const Slot& slot = run.in(inst, 0);
  return slot.kind() == SlotKind::View ? freeMemory(run, inst, *slot.as<View>().memory)
                                       : Step::Retry;
}

bool compileDealloc(Builder& b, Operation& op) {
  b.emit(doDealloc, op, {b.use(op.operand(0))});
  return true;
}

/// in: the memory that goes, the fresh one.
Step doMoveOver(Run& run, const Inst& inst) {
  const auto& layout = *static_cast<const ElementLayout*>(inst.data);
  const Slot &before = run.in(inst, 0), &after = run.in(inst, 1);
  if (before.kind() != SlotKind::View || after.kind() != SlotKind::View) return Step::Retry;
  const View &from = before.as<View>(), &to = after.as<View>();
  if (Step s = checkMemory(run, inst, from, false); s != Step::Next) return s;
  std::vector<int64_t> common{std::min(from.sizes[0], to.sizes[0])};
  Piece piece;
  if (Step s = readPiece(run, inst, from, {common, from.strides, 0}, layout.stride(), piece);
      s != Step::Next)
    return s;
  if (Step s = writePiece(run, inst, to, {common, to.strides, 0}, layout.stride(), piece);
      s != Step::Next)
    return s;
  return freeMemory(run, inst, *from.memory);
}

bool compileRealloc(Builder& b, Operation& op) {
  auto type = op.result().type().cast<MemRefType>();
  Allocation allocation;
  allocation.layout = layoutOf(type.elementType());
  if (!allocation.layout.bytes || !type.hasIdentityLayout()) return false;
  allocation.shape.assign(type.shape().begin(), type.shape().end());
  if (auto level = air::memoryLevel(type)) allocation.level = static_cast<uint8_t>(*level);
  Builder::Registers in = b.useAll(op.operands());
  uint32_t out = b.defineResults(op), fresh = b.temporary();
  b.emit(doAlloc, op, {in.begin() + 1, in.end()}, fresh).data =
      b.arena().make<Allocation>(allocation);
  b.emit(doMoveOver, op, {in[0], fresh}).data = b.arena().make<ElementLayout>(allocation.layout);
  b.move(op, {fresh}, {out});
  return true;
}

// -- Globals --------------------------------------------------------------------------------------

/// Where the elements of a global lie: static sizes and strides, as small as it can be.
View placeOf(MemRefType type) {
  View view;
  StridedForm form = *type.stridedForm();
  view.offset = form.offset;
  view.sizes.assign(type.shape().begin(), type.shape().end());
  view.strides.assign(form.strides.begin(), form.strides.end());
  return view;
}

/// Elements from the first byte of its memory to its last.
int64_t extentOf(const View& view) {
  int64_t last = view.offset;
  for (size_t i = 0; i < view.sizes.size(); ++i)
    last += std::max<int64_t>(view.sizes[i] - 1, 0) * view.strides[i];
  return last + 1;
}

std::shared_ptr<Memory> makeGlobal(memref::GlobalOp global, const ElementLayout& layout) {
  auto memory = std::make_shared<Memory>();
  View place = placeOf(global.type());
  memory->data.resize(static_cast<size_t>(extentOf(place)) * layout.stride());
  memory->known.resize(memory->data.size());
  memory->allocatedBy = global.op();
  memory->constant = global.isConstant();
  if (auto level = air::memoryLevel(global.type())) memory->level = static_cast<uint8_t>(*level);
  std::optional<folding::ConstantBits> bits = folding::ConstantBits::get(global.initialValue());
  int64_t i = 0;
  if (bits)
    forEachOffset(place.sizes, place.strides, place.offset, [&](int64_t at) {
      storeLane(*memory, static_cast<size_t>(at) * layout.bytes, layout.bytes,
                {bits->at(bits->isSplat() ? 0 : i++), 0});
      return true;
    });
  return memory;
}

Step doGetGlobal(Run& run, const Inst& inst) {
  memref::GlobalOp global(static_cast<Operation*>(const_cast<void*>(inst.data)));
  auto* view = new View(placeOf(global.type()));
  view->memory = globalMemory(run.machine, global);
  run.out(inst).set(SlotKind::View, view);
  return Step::Next;
}

/// Static, with strides that lead forward; small numbers first, so that their sum is one.
bool hasPlace(MemRefType type) {
  auto isSmall = [](int64_t number) { return number >= 0 && number <= kMaxBytes; };
  std::optional<StridedForm> form = type.stridedForm();
  return form && type.hasStaticShape() && isSmall(form->offset) &&
         std::ranges::all_of(form->strides, isSmall) && type.numElements() <= kMaxBytes / 64 &&
         extentOf(placeOf(type)) <= kMaxBytes / 64;
}

bool canHold(memref::GlobalOp global) {
  ElementLayout layout = layoutOf(global.type().elementType());
  return layout.bytes && !layout.isVector && hasPlace(global.type());
}

bool compileGetGlobal(Builder& b, Operation& op) {
  auto global = dynCast<memref::GlobalOp>(lookupSymbol(&op, memref::GetGlobalOp(&op).name()));
  if (!global || !canHold(global)) return false;
  b.emit(doGetGlobal, op, {}, b.defineResults(op)).data = global.op();
  return true;
}

// -- Loads, stores, copies ------------------------------------------------------------------------

bool compileLoad(Builder& b, Operation& op) {
  memref::LoadOp load(&op);
  Builder::Registers indices = b.useAll(load.indices());
  emitLoad(b, op, b.use(load.memref()), indices, load.memrefType().elementType(),
           b.defineResults(op));
  return true;
}

bool compileStore(Builder& b, Operation& op) {
  memref::StoreOp store(&op);
  Builder::Registers indices = b.useAll(store.indices());
  emitStore(b, op, b.use(store.value()), b.use(store.memref()), indices,
            store.memrefType().elementType());
  return true;
}

Step doCopy(Run& run, const Inst& inst) {
  const auto& layout = *static_cast<const ElementLayout*>(inst.data);
  if (run.in(inst, 0).kind() != SlotKind::View || run.in(inst, 1).kind() != SlotKind::View)
    return Step::Retry;
  const View &from = run.in(inst, 0).as<View>(), &to = run.in(inst, 1).as<View>();
  if (Step s = checkMemory(run, inst, from, false); s != Step::Next) return s;
  if (Step s = checkMemory(run, inst, to, true); s != Step::Next) return s;
  if (from.sizes != to.sizes) {
    run.machine.error(run, *inst.op) << "copy from the shape " << indexText(from.sizes)
                                     << " to the shape " << indexText(to.sizes);
    return Step::Fail;
  }
  Piece piece;
  Window source{from.sizes, from.strides, 0}, target{to.sizes, to.strides, 0};
  if (Step s = readPiece(run, inst, from, source, layout.stride(), piece); s != Step::Next)
    return s;
  return writePiece(run, inst, to, target, layout.stride(), piece);
}

bool compileCopy(Builder& b, Operation& op) {
  Type element = elementTypeOrSelf(op.operand(0).type());
  if (!layoutOf(element).bytes) return false;
  emitCopy(b, op, b.use(op.operand(0)), b.use(op.operand(1)), element);
  return true;
}

// -- Read, modify, write: one instruction, so nobody comes between -------------------------------

struct Atomic {
  ElementLayout layout;
  ElementOp element;  // no function: the value replaces what is there
};

/// in: value, memref, indices; out: what was there before.
Step doAtomic(Run& run, const Inst& inst) {
  const auto& atomic = *static_cast<const Atomic*>(inst.data);
  const Slot& slot = run.in(inst, 1);
  if (slot.kind() != SlotKind::View || run.in(inst, 0).kind() == SlotKind::Pending)
    return Step::Retry;
  const View& view = slot.as<View>();
  int64_t index[kMaxRank], at = 0;
  size_t address = 0;
  uint32_t rank = inst.numIn - 2;
  if (Step s = readNumbers(run, inst, 2, rank, index, "an index"); s != Step::Next) return s;
  if (Step s = checkMemory(run, inst, view, true); s != Step::Next) return s;
  if (Step s = checkIndices(run, inst, view, {index, rank}, at); s != Step::Next) return s;
  if (Step s = addressOf(run, inst, view, at, atomic.layout.stride(), address); s != Step::Next)
    return s;
  AtomicTurn turn(run, *view.memory);
  Slot before, after = run.in(inst, 0);
  loadSlot(run, inst, view, address, atomic.layout, before);
  if (atomic.element.compute && before.isBits() && after.isBits()) {
    uint64_t in[] = {before.bits(), after.bits()}, out[2];
    atomic.element.compute(atomic.element, in, out);
    after.setBits(out[0]);
  } else if (atomic.element.compute && before.isPoison()) {
    after = before;
  }
  storeSlot(run, view, address, atomic.layout, after);
  run.out(inst) = before;
  return Step::Next;
}

bool compileAtomic(Builder& b, Operation& op) {
  memref::AtomicRmwOp rmw(&op);
  Type element = rmw.value().type();
  Atomic atomic;
  atomic.layout = layoutOf(element);
  if (!atomic.layout.bytes || atomic.layout.isVector || rmw.indices().size() > kMaxRank)
    return false;
  if (rmw.kind() != memref::AtomicKind::Assign) {
    std::optional<ElementOp> found = namedElementOp(combinerOf(rmw.kind()), element, element);
    if (!found) return false;
    atomic.element = *found;
  }
  Builder::Registers in = b.useAll(op.operands());
  b.emit(doAtomic, op, in, b.defineResults(op)).data = b.arena().make<Atomic>(atomic);
  return true;
}

/// Stores the value if the element is still what it was; goes back to `jump` otherwise. in: the
/// value, what it was made of, the memref, the indices.
Step doStoreIfSame(Run& run, const Inst& inst) {
  const auto& layout = *static_cast<const ElementLayout*>(inst.data);
  const Slot &value = run.in(inst, 0), &before = run.in(inst, 1), &memref = run.in(inst, 2);
  if (memref.kind() != SlotKind::View || value.kind() == SlotKind::Pending) return Step::Retry;
  const View& view = memref.as<View>();
  int64_t index[kMaxRank], at = 0;
  size_t address = 0;
  uint32_t rank = inst.numIn - 3;
  if (Step s = readNumbers(run, inst, 3, rank, index, "an index"); s != Step::Next) return s;
  if (Step s = checkMemory(run, inst, view, true); s != Step::Next) return s;
  if (Step s = checkIndices(run, inst, view, {index, rank}, at); s != Step::Next) return s;
  if (Step s = addressOf(run, inst, view, at, layout.stride(), address); s != Step::Next) return s;
  AtomicTurn turn(run, *view.memory);
  Slot now;
  loadSlot(run, inst, view, address, layout, now);
  bool same = now.isPoison() ? before.isPoison() : before.isBits() && before.bits() == now.bits();
  if (!same)
    run.pc = inst.jump;
  else
    storeSlot(run, view, address, layout, value);
  return Step::Next;
}

/// The body, which has no effects, is done again when somebody came between.
bool compileGenericAtomic(Builder& b, Operation& op) {
  Type element = op.result().type();
  ElementLayout layout = layoutOf(element);
  if (!layout.bytes || op.numOperands() > kMaxRank || !op.region(0).hasOneBlock()) return false;
  Block& body = op.region(0).front();
  Builder::Registers in = b.useAll(op.operands());
  uint32_t out = b.defineResults(op), before = b.define(body.argument(0)), value = 0;
  uint32_t start = b.here();
  emitLoad(b, op, in[0], {in.begin() + 1, in.end()}, element, before);
  b.block(body, [&](Operation& end) { value = b.use(end.operand(0)); });
  in.insert(in.begin(), {value, before});
  Inst& store = b.emit(doStoreIfSame, op, in);
  store.data = b.arena().make<ElementLayout>(layout);
  store.jump = start;
  b.move(op, {before}, {out});
  return true;
}

}  // namespace

std::shared_ptr<Memory> globalMemory(Machine& machine, memref::GlobalOp global) {
  std::shared_ptr<Memory>& memory = machine.globals[global.op()];
  if (!memory && canHold(global))
    memory = makeGlobal(global, layoutOf(global.type().elementType()));
  return memory;
}

void emitCopy(Builder& b, Operation& op, uint32_t from, uint32_t to, Type element) {
  b.emit(doCopy, op, {from, to}).data = b.arena().make<ElementLayout>(layoutOf(element));
}

void addMemRef(CompileTable& table) {
  table["memref.alloc"] = compileAlloc;
  table["memref.alloca"] = compileAlloc;
  table["memref.dealloc"] = compileDealloc;
  table["memref.realloc"] = compileRealloc;
  table["memref.generic_atomic_rmw"] = compileGenericAtomic;
  table["memref.get_global"] = compileGetGlobal;
  table["memref.load"] = compileLoad;
  table["memref.store"] = compileStore;
  table["memref.copy"] = compileCopy;
  table["memref.atomic_rmw"] = compileAtomic;
}

}  // namespace airlite::interp
