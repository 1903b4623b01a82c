// Tensors: memory that nobody writes after it is made. Slices are views, an insertion copies.
#include "airlite/dialect/Tensor.hpp"

#include "Access.hpp"
#include "dialect/ConstantFolding.hpp"

namespace airlite::interp {

namespace {

Type elementOf(Value value) { return elementTypeOrSelf(value.type()); }

/// in: all sizes.
Step doEmpty(Run& run, const Inst& inst) {
  const auto& layout = *static_cast<const ElementLayout*>(inst.data);
  std::vector<int64_t> sizes(inst.numIn);
  if (Step s = readNumbers(run, inst, 0, inst.numIn, sizes.data(), "a size"); s != Step::Next)
    return s;
  bool negative = std::any_of(sizes.begin(), sizes.end(), [](int64_t size) { return size < 0; });
  if (negative || product(sizes) > kMaxBytes / layout.stride()) {
    run.machine.error(run, *inst.op) << "no tensor can have the shape " << indexText(sizes);
    return Step::Fail;
  }
  run.out(inst).set(SlotKind::View, newView(sizes, layout, inst.op));
  return Step::Next;
}

}  // namespace

bool emitEmpty(Builder& b, Operation& op, const Builder::Registers& sizes, Type element,
               uint32_t out) {
  ElementLayout layout = layoutOf(element);
  if (!layout.bytes || sizes.size() > kMaxRank) return false;
  b.emit(doEmpty, op, sizes, out).data = b.arena().make<ElementLayout>(layout);
  return true;
}

namespace {

bool compileEmpty(Builder& b, Operation& op) {
  tensor::EmptyOp empty(&op);
  return emitEmpty(b, op, mixedRegisters(b, op, empty.sizes()), empty.type().elementType(),
                   b.defineResults(op));
}

bool compileExtract(Builder& b, Operation& op) {
  tensor::ExtractOp extract(&op);
  Builder::Registers indices = b.useAll(extract.indices());
  emitLoad(b, op, b.use(extract.tensor()), indices, elementOf(extract.tensor()),
           b.defineResults(op));
  return true;
}

bool compileInsert(Builder& b, Operation& op) {
  tensor::InsertOp insert(&op);
  Builder::Registers indices = b.useAll(insert.indices());
  uint32_t out = b.defineResults(op);
  if (!layoutOf(elementOf(insert.dest())).bytes) return false;
  emitCopyTensor(b, op, b.use(insert.dest()), insert.dest().type(), out);
  emitStore(b, op, b.use(insert.scalar()), out, indices, elementOf(insert.dest()));
  return true;
}

bool compileTensorForward(Builder& b, Operation& op) {
  b.move(op, {b.use(op.operand(0))}, {b.defineResults(op)});
  return true;
}

bool compileTensorFromElements(Builder& b, Operation& op) {
  auto type = op.result().type().cast<RankedTensorType>();
  std::vector<memref::MixedIndex> sizes(type.shape().begin(), type.shape().end());
  uint32_t out = b.defineResults(op);
  if (!type.hasStaticShape() ||
      !emitEmpty(b, op, mixedRegisters(b, op, sizes), type.elementType(), out))
    return false;
  std::vector<int64_t> index(sizes.size(), 0);
  for (Value element : op.operands()) {
    Builder::Registers at;
    for (int64_t i : index)
      at.push_back(b.constant(op, i));
    emitStore(b, op, b.use(element), out, at, type.elementType());
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < type.dim(d)) break;
      index[d] = 0;
    }
  }
  return true;
}

// -- Slices and shapes ----------------------------------------------------------------------------

bool compileTensorExtractSlice(Builder& b, Operation& op) {
  tensor::ExtractSliceOp slice(&op);
  std::optional<std::vector<bool>> dropped = slice.droppedDims();
  if (!dropped || dropped->size() > kMaxRank) return false;
  emitSubView(b, op, b.use(op.operand(0)), slice, *dropped, b.defineResults(op));
  return true;
}

/// A copy of the whole, into which the part is copied.
bool compileTensorInsertSlice(Builder& b, Operation& op) {
  tensor::InsertSliceOp slice(&op);
  std::optional<std::vector<bool>> dropped = slice.droppedDims();
  Type element = elementOf(slice.dest());
  if (!dropped || dropped->size() > kMaxRank || !layoutOf(element).bytes) return false;
  uint32_t source = b.use(op.operand(0)), out = b.defineResults(op), part = b.temporary();
  emitCopyTensor(b, op, b.use(slice.dest()), slice.dest().type(), out);
  emitSubView(b, op, out, slice, *dropped, part);
  emitCopy(b, op, source, part, element);
  return true;
}

/// A slice is not contiguous: its elements are copied before dimensions become one.
uint32_t contiguous(Builder& b, Operation& op) {
  return emitCopyTensor(b, op, b.use(op.operand(0)), op.operand(0).type(), b.temporary());
}

bool compileExpandShape(Builder& b, Operation& op) {
  auto type = op.result().type().cast<RankedTensorType>();
  if (type.rank() > kMaxRank || !layoutOf(type.elementType()).bytes) return false;
  // The sizes in its operands are those of open dimensions.
  Builder::Registers in = b.useAll(op.operands());
  emitExpand(b, op, in[0], memref::ReshapeView(&op).reassociation(),
             {type.shape().begin(), type.shape().end()}, {in.begin() + 1, in.end()},
             b.defineResults(op));
  return true;
}

bool compileCollapseShape(Builder& b, Operation& op) {
  if (!layoutOf(elementOf(op.operand(0))).bytes) return false;
  emitCollapse(b, op, contiguous(b, op), memref::ReshapeView(&op).reassociation(),
               b.defineResults(op));
  return true;
}

Step doTensorConstant(Run& run, const Inst& inst) {
  run.out(inst) = *static_cast<const Slot*>(inst.data);
  return Step::Next;
}

bool compileCopyTensor(Builder& b, Operation& op) {
  if (!layoutOf(elementOf(op.operand(0))).bytes || op.numResults() != 1) return false;
  emitCopyTensor(b, op, b.use(op.operand(0)), op.operand(0).type(), b.defineResults(op));
  return true;
}

}  // namespace

bool compileTensorConstant(Builder& b, Operation& op) {
  auto type = op.result().type().dynCast<RankedTensorType>();
  std::optional<folding::ConstantBits> bits = folding::ConstantBits::get(op.attr("value"));
  if (!type || !bits || !type.hasStaticShape() || type.numElements() > kMaxBytes / 64) return false;
  ElementLayout layout = layoutOf(type.elementType());
  View* view = newView({type.shape().begin(), type.shape().end()}, layout, &op);
  Slot slot;
  slot.set(SlotKind::View, view);
  for (int64_t i = 0, end = type.numElements(); i < end; ++i)
    storeLane(*view->memory, static_cast<size_t>(i) * layout.bytes, layout.bytes,
              {bits->at(bits->isSplat() ? 0 : i), 0});
  b.emit(doTensorConstant, op, {}, b.defineResults(op)).data = b.arena().make<Slot>(slot);
  return true;
}

void addTensor(CompileTable& table) {
  table["tensor.empty"] = compileEmpty;
  table["tensor.extract"] = compileExtract;
  table["tensor.insert"] = compileInsert;
  table["tensor.from_elements"] = compileTensorFromElements;
  table["tensor.cast"] = compileTensorForward;
  table["tensor.extract_slice"] = compileTensorExtractSlice;
  table["tensor.insert_slice"] = compileTensorInsertSlice;
  table["tensor.expand_shape"] = compileExpandShape;
  table["tensor.collapse_shape"] = compileCollapseShape;
  table["tensor.dim"] = table.at("memref.dim");
  addTensorShapes(table);
  table["bufferization.to_tensor"] = compileCopyTensor;
  table["bufferization.to_memref"] = compileCopyTensor;
  table["bufferization.to_buffer"] = compileCopyTensor;
  table["bufferization.clone"] = compileCopyTensor;
}

}  // namespace airlite::interp
