// Ops that make another window on the same memory, and questions about windows.
#include "Access.hpp"
#include "dialect/ConstantFolding.hpp"

namespace airlite::interp {

namespace {

/// A new view on the memory of operand 0; null when that is not a view yet.
View* viewOf(Run& run, const Inst& inst) {
  const Slot& slot = run.in(inst, 0);
  if (slot.kind() != SlotKind::View) return nullptr;
  const View& source = slot.as<View>();
  auto* view = new View;
  view->memory = source.memory;
  view->base = source.base;
  view->offset = source.offset;
  return view;
}

/// Owns a view until it is in a register.
struct Made {
  explicit Made(View* view) : view(view) {
    if (view) slot.set(SlotKind::View, view);
  }
  Slot slot;
  View* view;
};

Step put(Run& run, const Inst& inst, Made& made) {
  run.out(inst) = std::move(made.slot);
  return Step::Next;
}

// -- Subviews -------------------------------------------------------------------------------------

/// in: the source, then offsets, sizes and strides of all its dimensions; data: dropped dimensions.
Step doSubView(Run& run, const Inst& inst) {
  const auto& dropped = *static_cast<const std::vector<bool>*>(inst.data);
  size_t rank = dropped.size();
  int64_t numbers[3 * kMaxRank];
  if (run.in(inst, 0).kind() != SlotKind::View) return Step::Retry;
  if (Step s = readNumbers(run, inst, 1, static_cast<uint32_t>(3 * rank), numbers, "an operand");
      s != Step::Next)
    return s;
  const int64_t *offsets = numbers, *sizes = numbers + rank, *strides = numbers + 2 * rank;
  const View& source = run.in(inst, 0).as<View>();
  Made made(viewOf(run, inst));
  for (size_t i = 0; i < rank; ++i) {
    int64_t last = offsets[i] + (sizes[i] - 1) * strides[i];
    bool inside = sizes[i] >= 0 && offsets[i] >= 0 &&
                  (sizes[i] == 0 || (last >= 0 && last < source.sizes[i]));
    if (!inside) {
      run.machine.error(run, *inst.op)
          << "'" << inst.op->name() << "' at " << indexText({offsets, rank}) << " of size "
          << indexText({sizes, rank}) << " is outside of the shape " << indexText(source.sizes);
      return Step::Fail;
    }
    made.view->offset += offsets[i] * source.strides[i];
    if (dropped[i]) continue;
    made.view->sizes.push_back(sizes[i]);
    made.view->strides.push_back(strides[i] * source.strides[i]);
  }
  return put(run, inst, made);
}

bool compileSubView(Builder& b, Operation& op) {
  memref::SubViewOp sub(&op);
  auto dropped = sub.droppedDims();
  if (!dropped || dropped->size() > kMaxRank) return false;
  emitSubView(b, op, b.use(sub.source()), sub, *dropped, b.defineResults(op));
  return true;
}

// -- Casts ----------------------------------------------------------------------------------------

struct StaticForm {
  std::vector<int64_t> sizes, strides;
  int64_t offset = kDynamic;
  bool isRanked = false;
};

bool agrees(int64_t stated, int64_t found) { return stated == kDynamic || stated == found; }

/// The view stays; what the type of the result states has to be true of it.
Step doCast(Run& run, const Inst& inst) {
  const auto& form = *static_cast<const StaticForm*>(inst.data);
  const Slot& slot = run.in(inst, 0);
  if (slot.kind() != SlotKind::View) return Step::Retry;
  const View& view = slot.as<View>();
  bool fine = !form.isRanked ||
              (form.sizes.size() == view.sizes.size() && agrees(form.offset, view.offset));
  for (size_t i = 0; fine && form.isRanked && i < form.sizes.size(); ++i)
    fine = agrees(form.sizes[i], view.sizes[i]) && agrees(form.strides[i], view.strides[i]);
  if (!fine) {
    run.machine.error(run, *inst.op)
        << "'" << inst.op->name() << "' to a type that the memref does not have: its shape is "
        << indexText(view.sizes) << ", its strides are " << indexText(view.strides)
        << ", its offset is " << view.offset;
    return Step::Fail;
  }
  Slot same = slot;
  run.out(inst) = std::move(same);
  return Step::Next;
}

StaticForm formOf(Type type) {
  StaticForm form;
  auto memref = type.dynCast<MemRefType>();
  std::optional<StridedForm> strided = memref ? memref.stridedForm() : std::nullopt;
  if (!strided) return form;
  form.isRanked = true;
  form.sizes.assign(memref.shape().begin(), memref.shape().end());
  form.strides = strided->strides;
  form.offset = strided->offset;
  return form;
}

bool compileCast(Builder& b, Operation& op) {
  Builder::Registers in{b.use(op.operand(0))};
  Inst& inst = b.emit(doCast, op, in, b.defineResults(op));
  inst.data = b.arena().make<StaticForm>(formOf(op.result().type()));
  return true;
}

/// The same bits are seen at another level: only the type changes.
bool compileSameView(Builder& b, Operation& op) {
  if (op.numResults() == 1) b.move(op, {b.use(op.operand(0))}, {b.defineResults(op)});
  return true;
}

/// in: the source, the offset, the sizes, the strides; imm: rank.
Step doReinterpret(Run& run, const Inst& inst) {
  auto rank = static_cast<size_t>(inst.imm);
  int64_t numbers[1 + 2 * kMaxRank];
  if (run.in(inst, 0).kind() != SlotKind::View) return Step::Retry;
  if (Step s = readNumbers(run, inst, 1, inst.numIn - 1, numbers, "an operand"); s != Step::Next)
    return s;
  Made made(viewOf(run, inst));
  made.view->offset = numbers[0];
  made.view->sizes.assign(numbers + 1, numbers + 1 + rank);
  made.view->strides.assign(numbers + 1 + rank, numbers + 1 + 2 * rank);
  return put(run, inst, made);
}

bool compileReinterpret(Builder& b, Operation& op) {
  memref::ReinterpretCastOp cast(&op);
  if (cast.sizes().size() > kMaxRank) return false;
  Builder::Registers in{b.use(cast.source())};
  for (const auto& list : {cast.offsets(), cast.sizes(), cast.strides()})
    for (uint32_t reg : mixedRegisters(b, op, list))
      in.push_back(reg);
  b.emit(doReinterpret, op, in, b.defineResults(op)).imm =
      static_cast<int64_t>(cast.sizes().size());
  return true;
}

/// in: the source, the shift in bytes, the open sizes; data: the shape.
Step doView(Run& run, const Inst& inst) {
  const auto& shape = *static_cast<const std::vector<int64_t>*>(inst.data);
  int64_t numbers[1 + kMaxRank];
  if (run.in(inst, 0).kind() != SlotKind::View) return Step::Retry;
  if (Step s = readNumbers(run, inst, 1, inst.numIn - 1, numbers, "an operand"); s != Step::Next)
    return s;
  Made made(viewOf(run, inst));
  made.view->base += made.view->offset + numbers[0];
  made.view->offset = 0;
  made.view->sizes = shape;
  size_t next = 1;
  for (int64_t& size : made.view->sizes)
    if (size == kDynamic) size = numbers[next++];
  made.view->strides = rowMajorStrides(made.view->sizes);
  int64_t end = made.view->base + product(made.view->sizes) * inst.imm;
  if (numbers[0] < 0 || end > static_cast<int64_t>(made.view->memory->data.size())) {
    run.machine.error(run, *inst.op)
        << "'memref.view' of " << indexText(made.view->sizes) << " at byte " << numbers[0]
        << " is outside of " << made.view->memory->data.size() << " bytes";
    return Step::Fail;
  }
  return put(run, inst, made);
}

bool compileView(Builder& b, Operation& op) {
  memref::ViewOp view(&op);
  MemRefType type = view.resultType();
  ElementLayout layout = layoutOf(type.elementType());
  if (!layout.bytes || type.rank() > kMaxRank || !type.hasIdentityLayout()) return false;
  Builder::Registers in{b.use(view.source()), b.use(view.byteShift())};
  for (Value size : view.sizes())
    in.push_back(b.use(size));
  Inst& inst = b.emit(doView, op, in, b.defineResults(op));
  inst.data = b.arena().make<std::vector<int64_t>>({type.shape().begin(), type.shape().end()});
  inst.imm = layout.stride();
  return true;
}

// -- Shapes ---------------------------------------------------------------------------------------

Step doTranspose(Run& run, const Inst& inst) {
  const auto& order = *static_cast<const std::vector<unsigned>*>(inst.data);
  Made made(viewOf(run, inst));
  if (!made.view) return Step::Retry;
  const View& source = run.in(inst, 0).as<View>();
  for (unsigned from : order) {
    made.view->sizes.push_back(source.sizes[from]);
    made.view->strides.push_back(source.strides[from]);
  }
  return put(run, inst, made);
}

bool compileViewTranspose(Builder& b, Operation& op) {
  std::vector<unsigned> order;
  for (AffineExpr expr : memref::TransposeOp(&op).permutation().results())
    order.push_back(expr.position());
  Builder::Registers in{b.use(op.operand(0))};
  b.emit(doTranspose, op, in, b.defineResults(op)).data =
      b.arena().make<std::vector<unsigned>>(order);
  return true;
}

Step badShape(Run& run, const Inst& inst, const View& source) {
  run.machine.error(run, *inst.op)
      << "'" << inst.op->name() << "' does not fit the shape " << indexText(source.sizes)
      << " with strides " << indexText(source.strides);
  return Step::Fail;
}

/// Dimensions of one group from the one they make together.
struct Reshape {
  memref::Reassociation groups;
  std::vector<int64_t> shape;  // of the result
};

/// in: the source, the open sizes of the result.
Step doExpand(Run& run, const Inst& inst) {
  const auto& reshape = *static_cast<const Reshape*>(inst.data);
  Made made(viewOf(run, inst));
  if (!made.view) return Step::Retry;
  const View& source = run.in(inst, 0).as<View>();
  std::vector<int64_t> sizes = reshape.shape;
  uint32_t next = 1;
  for (int64_t& size : sizes) {
    if (size != kDynamic) continue;
    if (Step s = readNumbers(run, inst, next++, 1, &size, "a size"); s != Step::Next) return s;
  }
  made.view->strides.resize(sizes.size());
  for (size_t g = 0; g < reshape.groups.size(); ++g) {
    int64_t stride = source.strides[g], count = 1;
    for (size_t i = reshape.groups[g].size(); i-- > 0;) {
      auto dim = static_cast<size_t>(reshape.groups[g][i]);
      made.view->strides[dim] = stride;
      stride *= sizes[dim];
      count *= sizes[dim];
    }
    if (count != source.sizes[g]) return badShape(run, inst, source);
  }
  if (reshape.groups.empty()) made.view->strides.assign(sizes.size(), 1);
  made.view->sizes = std::move(sizes);
  return put(run, inst, made);
}

/// A group becomes one dimension: each step over one of its dimensions is as long as all steps over
/// the next.
Step doCollapse(Run& run, const Inst& inst) {
  const auto& reshape = *static_cast<const Reshape*>(inst.data);
  Made made(viewOf(run, inst));
  if (!made.view) return Step::Retry;
  const View& source = run.in(inst, 0).as<View>();
  for (const std::vector<int64_t>& group : reshape.groups) {
    int64_t count = 1, stride = 1, expected = 0;
    bool any = false;
    for (size_t i = group.size(); i-- > 0;) {
      auto dim = static_cast<size_t>(group[i]);
      if (source.sizes[dim] == 1) continue;
      if (any && source.strides[dim] != expected) return badShape(run, inst, source);
      if (!any) stride = source.strides[dim];
      any = true;
      count *= source.sizes[dim];
      expected = source.strides[dim] * source.sizes[dim];
    }
    if (!any) stride = group.empty() ? 1 : source.strides[static_cast<size_t>(group.back())];
    made.view->sizes.push_back(count);
    made.view->strides.push_back(stride);
  }
  return put(run, inst, made);
}

bool compileExpand(Builder& b, Operation& op) {
  memref::ExpandShapeOp expand(&op);
  MemRefType type = expand.resultType();
  Builder::Registers in = b.useAll(op.operands());
  emitExpand(b, op, in[0], expand.reassociation(), {type.shape().begin(), type.shape().end()},
             {in.begin() + 1, in.end()}, b.defineResults(op));
  return true;
}

/// in: the source, the sizes, which stand in memory of their own; data: layout of a size.
Step doReshape(Run& run, const Inst& inst) {
  const auto& layout = *static_cast<const ElementLayout*>(inst.data);
  const Slot& list = run.in(inst, 1);
  Made made(viewOf(run, inst));
  if (!made.view || list.kind() != SlotKind::View) return Step::Retry;
  const View &source = run.in(inst, 0).as<View>(), &shape = list.as<View>();
  if (Step s = checkMemory(run, inst, shape, false); s != Step::Next) return s;
  for (int64_t i = 0; i < shape.sizes[0]; ++i) {
    size_t address = 0;
    Slot size;
    if (Step s = addressOf(run, inst, shape, i * shape.strides[0], layout.stride(), address);
        s != Step::Next)
      return s;
    loadSlot(run, inst, shape, address, layout, size);
    if (size.isPoison()) return run.machine.poisonError(run, inst, size, "a size");
    made.view->sizes.push_back(folding::signExtend(size.bits(), layout.bytes * 8));
  }
  const std::vector<int64_t>& sizes = made.view->sizes;
  bool negative = std::any_of(sizes.begin(), sizes.end(), [](int64_t size) { return size < 0; });
  // Steps over a dimension of size 1 are never taken.
  std::vector<int64_t> dense = rowMajorStrides(source.sizes);
  bool isDense = true;
  for (size_t i = 0; i < dense.size(); ++i)
    isDense = isDense && (source.sizes[i] == 1 || source.strides[i] == dense[i]);
  if (negative || !isDense || product(sizes) != product(source.sizes)) {
    run.machine.error(run, *inst.op)
        << "'" << inst.op->name() << "' to " << indexText(sizes) << " does not fit the shape "
        << indexText(source.sizes) << " with strides " << indexText(source.strides);
    return Step::Fail;
  }
  made.view->strides = rowMajorStrides(sizes);
  return put(run, inst, made);
}

bool compileReshape(Builder& b, Operation& op) {
  return emitReshape(b, op, b.use(op.operand(0)), b.defineResults(op));
}

bool compileCollapse(Builder& b, Operation& op) {
  emitCollapse(b, op, b.use(op.operand(0)), memref::CollapseShapeOp(&op).reassociation(),
               b.defineResults(op));
  return true;
}

// -- Questions ------------------------------------------------------------------------------------

Step doDim(Run& run, const Inst& inst) {
  int64_t index = 0;
  if (run.in(inst, 0).kind() != SlotKind::View) return Step::Retry;
  if (Step s = readNumbers(run, inst, 1, 1, &index, "the index"); s != Step::Next) return s;
  const View& view = run.in(inst, 0).as<View>();
  if (index < 0 || index >= static_cast<int64_t>(view.sizes.size())) {
    run.machine.error(run, *inst.op)
        << "there is no dimension " << index << " in the shape " << indexText(view.sizes);
    return Step::Fail;
  }
  run.out(inst).setBits(static_cast<uint64_t>(view.sizes[static_cast<size_t>(index)]));
  return Step::Next;
}

bool compileDim(Builder& b, Operation& op) {
  Builder::Registers in = b.useAll(op.operands());
  b.emit(doDim, op, in, b.defineResults(op));
  return true;
}

Step doRank(Run& run, const Inst& inst) {
  const Slot& slot = run.in(inst, 0);
  if (slot.kind() != SlotKind::View) return Step::Retry;
  run.out(inst).setBits(slot.as<View>().sizes.size());
  return Step::Next;
}

bool compileRank(Builder& b, Operation& op) {
  Builder::Registers in{b.use(op.operand(0))};
  b.emit(doRank, op, in, b.defineResults(op));
  return true;
}

/// out: the memory, the offset, sizes, strides.
Step doMetadata(Run& run, const Inst& inst) {
  Made made(viewOf(run, inst));
  if (!made.view) return Step::Retry;
  Slot source = run.in(inst, 0);
  const View& view = source.as<View>();
  made.view->offset = 0;
  run.out(inst, 0) = std::move(made.slot);
  run.out(inst, 1).setBits(static_cast<uint64_t>(view.offset));
  auto rank = static_cast<uint32_t>(view.sizes.size());
  for (uint32_t i = 0; i < rank; ++i) {
    run.out(inst, 2 + i).setBits(static_cast<uint64_t>(view.sizes[i]));
    run.out(inst, 2 + rank + i).setBits(static_cast<uint64_t>(view.strides[i]));
  }
  return Step::Next;
}

bool compileMetadata(Builder& b, Operation& op) {
  Builder::Registers in{b.use(op.operand(0))};
  b.emit(doMetadata, op, in, b.defineResults(op));
  return true;
}

}  // namespace

void emitSubView(Builder& b, Operation& op, uint32_t source,
                 const memref::OffsetSizeStrideView& window, const std::vector<bool>& dropped,
                 uint32_t out) {
  Builder::Registers lists;
  for (const auto& list : {window.offsets(), window.sizes(), window.strides()})
    for (uint32_t reg : mixedRegisters(b, op, list))
      lists.push_back(reg);
  emitWindow(b, op, source, lists, dropped, out);
}

void emitWindow(Builder& b, Operation& op, uint32_t source, const Builder::Registers& lists,
                const std::vector<bool>& dropped, uint32_t out) {
  Builder::Registers in{source};
  in.insert(in.end(), lists.begin(), lists.end());
  b.emit(doSubView, op, in, out).data = b.arena().make<std::vector<bool>>(dropped);
}

void emitExpand(Builder& b, Operation& op, uint32_t source, const memref::Reassociation& groups,
                std::vector<int64_t> shape, const Builder::Registers& openSizes, uint32_t out) {
  Builder::Registers in{source};
  in.insert(in.end(), openSizes.begin(), openSizes.end());
  b.emit(doExpand, op, in, out).data = b.arena().make<Reshape>({groups, std::move(shape)});
}

bool emitReshape(Builder& b, Operation& op, uint32_t source, uint32_t out) {
  ElementLayout layout = layoutOf(elementTypeOrSelf(op.operand(1).type()));
  if (!layout.bytes) return false;
  b.emit(doReshape, op, {source, b.use(op.operand(1))}, out).data =
      b.arena().make<ElementLayout>(layout);
  return true;
}

void emitCollapse(Builder& b, Operation& op, uint32_t source, const memref::Reassociation& groups,
                  uint32_t out) {
  b.emit(doCollapse, op, {source}, out).data = b.arena().make<Reshape>({groups, {}});
}

void addViews(CompileTable& table) {
  table["memref.subview"] = compileSubView;
  table["memref.cast"] = compileCast;
  table["memref.memory_space_cast"] = compileSameView;
  table["memref.assume_alignment"] = compileSameView;
  table["memref.reinterpret_cast"] = compileReinterpret;
  table["memref.view"] = compileView;
  table["memref.transpose"] = compileViewTranspose;
  table["memref.expand_shape"] = compileExpand;
  table["memref.collapse_shape"] = compileCollapse;
  table["memref.reshape"] = compileReshape;
  table["memref.dim"] = compileDim;
  table["memref.rank"] = compileRank;
  table["memref.extract_strided_metadata"] = compileMetadata;
}

}  // namespace airlite::interp
