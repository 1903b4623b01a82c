// memref ops that see a buffer in another way.
#include "FunctionEmitter.hpp"
#include "airlite/dialect/MemRef.hpp"

namespace airlite::gpu {
namespace {

LlvmValues mixedValues(FunctionEmitter& e, std::span<const memref::MixedIndex> mixed) {
  LlvmValues values;
  for (const auto& entry : mixed)
    values.push_back(entry.isConstant() ? e.i64(entry.constant) : e.get(entry.value));
  return values;
}

LogicalResult emitSubView(FunctionEmitter& e, Operation& op) {
  const memref::SubViewOp view(&op);
  const auto& source = e.memref(view.source());
  const auto dropped = view.droppedDims();
  if (!dropped) return unsupported(op, "this rank reduction of memref.subview");
  const auto sizes = mixedValues(e, view.sizes());
  const auto steps = mixedValues(e, view.strides());
  MemRefParts parts{source.base, e.linearIndex(source, mixedValues(e, view.offsets())), {}, {}};
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (i < dropped->size() && (*dropped)[i]) continue;
    parts.sizes.push_back(sizes[i]);
    parts.strides.push_back(e.builder.CreateMul(source.strides[i], steps[i]));
  }
  e.setMemref(op.result(), std::move(parts));
  return success();
}

LogicalResult emitReinterpretCast(FunctionEmitter& e, Operation& op) {
  const memref::ReinterpretCastOp cast(&op);
  if (!cast.source().type().isa<MemRefType>())
    return unsupported(op, "a cast of an unranked memref");
  const auto offsets = cast.offsets();
  MemRefParts parts{e.memref(cast.source()).base, mixedValues(e, offsets)[0],
                    mixedValues(e, cast.sizes()), mixedValues(e, cast.strides())};
  e.setMemref(op.result(), std::move(parts));
  return success();
}

/// The same parts under another type, which may know more or less of them.
LogicalResult emitSameParts(FunctionEmitter& e, Operation& op) {
  const auto from = op.operand(0).type().dynCast<MemRefType>();
  const auto to = op.result().type().dynCast<MemRefType>();
  if (!from || !to) return unsupported(op, "a cast of unranked memrefs");
  if (e.owner.addressSpace(from) != e.owner.addressSpace(to))
    return unsupported(op, "a cast between memory spaces");
  e.setMemref(op.result(), e.memref(op.operand(0)));
  return success();
}

LogicalResult emitAssumeAlignment(FunctionEmitter& e, Operation& op) {
  return op.numResults() ? emitSameParts(e, op) : success();
}

LogicalResult emitViewTranspose(FunctionEmitter& e, Operation& op) {
  const memref::TransposeOp transpose(&op);
  const auto& source = e.memref(transpose.source());
  MemRefParts parts{source.base, source.offset, {}, {}};
  for (const auto& result : transpose.permutation().results()) {
    parts.sizes.push_back(source.sizes[result.position()]);
    parts.strides.push_back(source.strides[result.position()]);
  }
  e.setMemref(op.result(), std::move(parts));
  return success();
}

LogicalResult emitView(FunctionEmitter& e, Operation& op) {
  const memref::ViewOp view(&op);
  const auto& source = e.memref(view.source());
  auto* byte = e.builder.CreateAdd(source.offset, e.get(view.byteShift()));
  auto* base = e.builder.CreateInBoundsGEP(e.builder.getInt8Ty(), source.base, byte);
  const auto dynamic = e.getAll(view.sizes());
  LlvmValues sizes = staticSizes(e, view.resultType());
  size_t next = 0;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (view.resultType().isDynamicDim(i)) sizes[i] = dynamic[next++];
  e.setMemref(op.result(), e.rowMajor(base, std::move(sizes)));
  return success();
}

// -- Reshapes ------------------------------------------------------------------------------------

LogicalResult emitExpandShape(FunctionEmitter& e, Operation& op) {
  const memref::ExpandShapeOp expand(&op);
  const auto& source = e.memref(expand.source());
  MemRefParts parts{source.base, source.offset, mixedValues(e, expand.outputShape()), {}};
  if (parts.sizes.size() != expand.resultType().shape().size())
    return unsupported(op, "memref.expand_shape without an output shape");
  parts.strides.assign(parts.sizes.size(), e.i64(1));
  const auto groups = expand.reassociation();
  for (size_t i = 0; i < groups.size(); ++i) {
    auto* stride = source.strides[i];
    for (size_t k = groups[i].size(); k-- > 0;) {
      const auto dim = static_cast<size_t>(groups[i][k]);
      parts.strides[dim] = stride;
      stride = e.builder.CreateMul(stride, parts.sizes[dim]);
    }
  }
  e.setMemref(op.result(), std::move(parts));
  return success();
}

/// The dim whose stride a group has: its last one that can have more than one element.
size_t innermostDim(MemRefType type, std::span<const int64_t> group) {
  for (size_t k = group.size(); k-- > 0;)
    if (type.dim(static_cast<size_t>(group[k])) != 1) return static_cast<size_t>(group[k]);
  return static_cast<size_t>(group.back());
}

LogicalResult emitCollapseShape(FunctionEmitter& e, Operation& op) {
  const memref::CollapseShapeOp collapse(&op);
  const auto& source = e.memref(collapse.source());
  MemRefParts parts{source.base, source.offset, {}, {}};
  for (const auto& group : collapse.reassociation()) {
    llvm::Value* size = e.i64(1);
    for (int64_t dim : group)
      size = e.builder.CreateMul(size, source.sizes[static_cast<size_t>(dim)]);
    parts.sizes.push_back(size);
    parts.strides.push_back(source.strides[innermostDim(collapse.sourceType(), group)]);
  }
  e.setMemref(op.result(), std::move(parts));
  return success();
}

LogicalResult emitMetadata(FunctionEmitter& e, Operation& op) {
  const auto& source = e.memref(op.operand(0));
  e.setMemref(op.result(0), MemRefParts{source.base, e.i64(0), {}, {}});
  e.set(op.result(1), source.offset);
  const auto rank = source.sizes.size();
  for (unsigned i = 0; i < rank; ++i) {
    e.set(op.result(2 + i), source.sizes[i]);
    e.set(op.result(static_cast<unsigned>(2 + rank + i)), source.strides[i]);
  }
  return success();
}

}  // namespace

void addViewOps(EmitTable& table) {
  table["memref.subview"] = emitSubView;
  table["memref.reinterpret_cast"] = emitReinterpretCast;
  table["memref.cast"] = emitSameParts;
  table["memref.memory_space_cast"] = emitSameParts;
  table["memref.assume_alignment"] = emitAssumeAlignment;
  table["memref.transpose"] = emitViewTranspose;
  table["memref.view"] = emitView;
  table["memref.expand_shape"] = emitExpandShape;
  table["memref.collapse_shape"] = emitCollapseShape;
  table["memref.extract_strided_metadata"] = emitMetadata;
}

}  // namespace airlite::gpu
