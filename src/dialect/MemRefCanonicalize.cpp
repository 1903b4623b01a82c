// Canonical forms of the memref ops: constants move into types and attributes, casts and views
// that say nothing go away.
#include "MemRefInternal.hpp"

#include <algorithm>

namespace airlite::memref {

namespace {

/// Replaces `op` by `value`, cast to the type that its users expect.
LogicalResult replaceWithCast(Operation& op, Value value, Rewriter& rewriter) {
  Type wanted = op.result().type();
  if (value.type() != wanted) {
    rewriter.setBefore(op);
    value = CastOp::create(rewriter, op.location(), value, wanted).result();
  }
  rewriter.replaceOp(op, value);
  return success();
}

}  // namespace

bool makeConstantsStatic(std::vector<MixedIndex>& list) {
  bool changed = false;
  for (MixedIndex& entry : list) {
    std::optional<int64_t> value = entry.value ? constantIntOf(entry.value) : std::nullopt;
    if (!value || *value < 0) continue;
    entry = MixedIndex(*value);
    changed = true;
  }
  return changed;
}

std::vector<int64_t> staticsOf(std::span<const MixedIndex> mixed) {
  std::vector<int64_t> statics;
  std::vector<Value> values;
  splitMixed(mixed, statics, values);
  return statics;
}

// -- alloc, alloca ------------------------------------------------------------------------------

LogicalResult simplifyAllocConstants(Operation& op, Rewriter& rewriter) {
  AllocLikeOp alloc(&op);
  MemRefType type = alloc.type();
  std::vector<int64_t> shape(type.shape().begin(), type.shape().end());
  std::vector<MixedIndex> sizes = mixedIndices(shape, alloc.dynamicSizes());
  if (!makeConstantsStatic(sizes)) return failure();
  std::vector<int64_t> statics;
  std::vector<Value> values;
  splitMixed(sizes, statics, values);
  OperationState state(op.location(), op.def());
  state.attributes = op.attributes();
  int32_t segments[] = {static_cast<int32_t>(values.size()),
                        static_cast<int32_t>(alloc.symbolOperands().size())};
  state.addOperands(values);
  state.addOperands(alloc.symbolOperands());
  state.setOperandSegments(op.context(), segments);
  state.resultTypes.push_back(MemRefType::get(op.context(), statics, type.elementType(),
                                              type.layout(), type.memorySpace()));
  rewriter.setBefore(op);
  return replaceWithCast(op, rewriter.create(state)->result(), rewriter);
}

/// A buffer that is only written and freed is never seen.
LogicalResult removeDeadAlloc(Operation& op, Rewriter& rewriter) {
  Value buffer = op.result();
  auto isWriteOnly = [&](OpOperand& use) {
    StoreOp store = dynCast<StoreOp>(use.owner());
    return isa<DeallocOp>(use.owner()) || (store && store.value() != buffer);
  };
  for (OpOperand& use : buffer.uses())
    if (!isWriteOnly(use)) return failure();
  while (buffer.hasUses())
    rewriter.eraseOp(*buffer.uses().begin()->owner());
  rewriter.eraseOp(op);
  return success();
}

/// A copy onto itself, or of no elements.
LogicalResult eraseSelfCopy(Operation& op, Rewriter& rewriter) {
  std::span<const int64_t> shape = CopyOp(&op).source().type().cast<ShapedType>().shape();
  bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  if (!empty && CopyOp(&op).source() != CopyOp(&op).target()) return failure();
  rewriter.eraseOp(op);
  return success();
}

// -- subview ------------------------------------------------------------------------------------

namespace {

/// The type of `view` with other lists or another source, with the same dims left out.
MemRefType reducedType(SubViewOp view, MemRefType source, std::span<const int64_t> offsets,
                       std::span<const int64_t> sizes, std::span<const int64_t> strides) {
  const auto dropped = view.droppedDims();
  return dropped ? SubViewOp::inferReducedType(source, offsets, sizes, strides, *dropped)
                 : MemRefType();
}

/// Whether a view of the cast may as well be taken of what was cast: nothing known gets lost.
bool castOnlyForgets(MemRefType source, MemRefType result) {
  auto from = source.stridedForm(), to = result.stridedForm();
  if (!from || !to || source.rank() != result.rank()) return false;
  auto forgets = [](int64_t a, int64_t b) { return a == b || b == kDynamic; };
  for (size_t i = 0; i < from->strides.size(); ++i)
    if (!forgets(source.dim(i), result.dim(i)) || !forgets(from->strides[i], to->strides[i]))
      return false;
  return forgets(from->offset, to->offset);
}

struct SubViewLists {
  std::vector<MixedIndex> offsets, sizes, strides;
  explicit SubViewLists(SubViewOp view)
      : offsets(view.offsets()), sizes(view.sizes()), strides(view.strides()) {}
};

LogicalResult rebuildSubView(SubViewOp view, Value source, const SubViewLists& lists,
                             Rewriter& rewriter) {
  MemRefType type = reducedType(view, source.type().cast<MemRefType>(), staticsOf(lists.offsets),
                                staticsOf(lists.sizes), staticsOf(lists.strides));
  if (!type) return failure();
  rewriter.setBefore(*view);
  SubViewOp rebuilt = SubViewOp::create(rewriter, view->location(), source, lists.offsets,
                                        lists.sizes, lists.strides, type);
  return replaceWithCast(*view, rebuilt.result(), rewriter);
}

}  // namespace

LogicalResult subViewConstantArguments(Operation& op, Rewriter& rewriter) {
  SubViewOp view(&op);
  SubViewLists lists(view);
  bool changed = makeConstantsStatic(lists.offsets);
  changed |= makeConstantsStatic(lists.sizes);
  changed |= makeConstantsStatic(lists.strides);
  return changed ? rebuildSubView(view, view.source(), lists, rewriter) : failure();
}

LogicalResult subViewOfCast(Operation& op, Rewriter& rewriter) {
  SubViewOp view(&op);
  CastOp cast = dynCast<CastOp>(view.source().definingOp());
  auto source = cast ? cast.source().type().dynCast<MemRefType>() : MemRefType();
  if (!source || !castOnlyForgets(source, view.sourceType())) return failure();
  return rebuildSubView(view, cast.source(), SubViewLists(view), rewriter);
}

/// A subview of all of a static memref is the memref.
LogicalResult trivialSubView(Operation& op, Rewriter& rewriter) {
  SubViewOp view(&op);
  MemRefType source = view.sourceType();
  auto all = [](std::span<const int64_t> list, int64_t wanted) {
    return std::all_of(list.begin(), list.end(), [&](int64_t v) { return v == wanted; });
  };
  bool whole = source.hasStaticShape() && source.rank() == view.resultType().rank() &&
               all(view.staticOffsets(), 0) && all(view.staticStrides(), 1) &&
               std::ranges::equal(view.staticSizes(), source.shape());
  if (!whole || (source != view.resultType() && !CastOp::compatible(source, view.resultType())))
    return failure();
  return replaceWithCast(op, view.source(), rewriter);
}

// -- reinterpret_cast, view, metadata -----------------------------------------------------------

namespace {

/// `entry` is what result `index` of the metadata op gives, or the constant that it stands for.
bool isMetadata(const MixedIndex& entry, Operation& metadata, unsigned index, int64_t known) {
  if (entry.value == metadata.result(index)) return true;
  std::optional<int64_t> constant =
      entry.isConstant() ? std::optional(entry.constant) : constantIntOf(entry.value);
  return constant && known != kDynamic && *constant == known;
}

bool restoresSource(ReinterpretCastOp cast, Operation& metadata) {
  auto source = metadata.operand(0).type().cast<MemRefType>();
  auto form = source.stridedForm();
  auto rank = static_cast<unsigned>(source.rank());
  std::vector<MixedIndex> sizes = cast.sizes(), strides = cast.strides();
  if (!form || sizes.size() != rank || !isMetadata(cast.offsets()[0], metadata, 1, form->offset))
    return false;
  for (unsigned i = 0; i < rank; ++i)
    if (!isMetadata(sizes[i], metadata, 2 + i, source.dim(i)) ||
        !isMetadata(strides[i], metadata, 2 + rank + i, form->strides[i]))
      return false;
  return true;
}

}  // namespace

LogicalResult reinterpretCastOfMetadata(Operation& op, Rewriter& rewriter) {
  ReinterpretCastOp cast(&op);
  Operation* metadata = cast.source().definingOp();
  if (!metadata || !metadata->is("memref.extract_strided_metadata") ||
      cast.source() != metadata->result(0) || !restoresSource(cast, *metadata))
    return failure();
  Value source = metadata->operand(0);
  if (source.type() != op.result().type() && !CastOp::compatible(source.type(), op.result().type()))
    return failure();
  return replaceWithCast(op, source, rewriter);
}

LogicalResult reinterpretCastConstants(Operation& op, Rewriter& rewriter) {
  ReinterpretCastOp cast(&op);
  std::vector<MixedIndex> offsets = cast.offsets(), sizes = cast.sizes(), strides = cast.strides();
  bool changed = makeConstantsStatic(offsets);
  changed |= makeConstantsStatic(sizes);
  changed |= makeConstantsStatic(strides);
  if (!changed) return failure();
  MemRefType type = cast.resultType();
  Attribute layout =
      StridedLayoutAttr::get(op.context(), staticsOf(offsets)[0], staticsOf(strides));
  MemRefType known = MemRefType::get(op.context(), staticsOf(sizes), type.elementType(), layout,
                                     type.memorySpace());
  if (!CastOp::compatible(known, type)) return failure();
  rewriter.setBefore(op);
  ReinterpretCastOp made = ReinterpretCastOp::create(rewriter, op.location(), cast.source(),
                                                     offsets[0], sizes, strides, known);
  return replaceWithCast(op, made.result(), rewriter);
}

LogicalResult viewConstantSizes(Operation& op, Rewriter& rewriter) {
  ViewOp view(&op);
  MemRefType type = view.resultType();
  std::vector<MixedIndex> sizes = mixedIndices(type.shape(), view.sizes());
  if (!makeConstantsStatic(sizes)) return failure();
  std::vector<int64_t> shape;
  std::vector<Value> operands = {view.source(), view.byteShift()};
  splitMixed(sizes, shape, operands);
  Type newType[] = {
      MemRefType::get(op.context(), shape, type.elementType(), Attribute(), type.memorySpace())};
  rewriter.setBefore(op);
  Operation* made =
      rewriter.create(op.location(), "memref.view", operands, newType, op.attributes().value());
  return replaceWithCast(op, made->result(), rewriter);
}

/// The size of a reshaped memref stands in its shape operand. It is read right after the reshape,
/// where the sizes still are what they were.
LogicalResult dimOfReshape(Operation& op, Rewriter& rewriter) {
  Operation* reshape = DimOp(&op).source().definingOp();
  std::optional<int64_t> index = constantIntOf(DimOp(&op).index());
  if (!reshape || !reshape->is("memref.reshape") || !index) return failure();
  rewriter.setAfter(*reshape);
  Value at[] = {rewriter.constantIndex(op.location(), *index)};
  Value size = LoadOp::create(rewriter, op.location(), reshape->operand(1), at).result();
  if (!size.type().isIndex())
    size = rewriter.create(op.location(), "arith.index_cast", {size}, {rewriter.indexType()})
               ->result();
  rewriter.replaceOp(op, size);
  return success();
}

LogicalResult metadataConstants(Operation& op, Rewriter& rewriter) {
  auto source = op.operand(0).type().cast<MemRefType>();
  auto form = source.stridedForm();
  if (!form) return failure();
  std::vector<int64_t> known = {form->offset};
  known.insert(known.end(), source.shape().begin(), source.shape().end());
  known.insert(known.end(), form->strides.begin(), form->strides.end());
  bool changed = false;
  for (unsigned i = 0; i < known.size(); ++i) {
    Value result = op.result(1 + i);
    if (known[i] == kDynamic || !result.hasUses()) continue;
    rewriter.setBefore(op);
    rewriter.replaceAllUses(result, rewriter.constantIndex(op.location(), known[i]));
    changed = true;
  }
  return success(changed);
}

// -- Reshapes of reshapes -----------------------------------------------------------------------

Reassociation composeGroups(const Reassociation& outer, const Reassociation& inner) {
  Reassociation composed;
  for (const std::vector<int64_t>& group : outer) {
    composed.emplace_back();
    for (int64_t dim : group) {
      const auto& dims = inner[static_cast<size_t>(dim)];
      composed.back().insert(composed.back().end(), dims.begin(), dims.end());
    }
  }
  return composed;
}

Reassociation regroup(const Reassociation& coarse, const Reassociation& fine) {
  Reassociation groups;
  size_t next = 0;
  for (const std::vector<int64_t>& wide : coarse) {
    groups.emplace_back();
    size_t covered = 0;
    while (covered < wide.size() && next < fine.size()) {
      covered += fine[next].size();
      groups.back().push_back(static_cast<int64_t>(next++));
    }
    if (covered != wide.size()) return {};
  }
  return next == fine.size() ? groups : Reassociation();
}

Reassociation groupsBetween(std::span<const int64_t> fine, std::span<const int64_t> coarse) {
  Reassociation groups;
  size_t next = 0;
  for (int64_t wanted : coarse) {
    int64_t product = 1;
    groups.emplace_back();
    while (next < fine.size() && (groups.back().empty() || product != wanted)) {
      product = saturatingMul(product, fine[next]);
      groups.back().push_back(static_cast<int64_t>(next++));
    }
    if (product != wanted || groups.back().empty()) return {};
  }
  // What is left has one element.
  while (!groups.empty() && next < fine.size() && fine[next] == 1)
    groups.back().push_back(static_cast<int64_t>(next++));
  return next == fine.size() ? groups : Reassociation();
}

bool isSplitUnique(ShapedType expanded, const Reassociation& groups) {
  auto isDynamic = [&](int64_t dim) { return expanded.isDynamicDim(static_cast<size_t>(dim)); };
  return std::all_of(groups.begin(), groups.end(), [&](const std::vector<int64_t>& group) {
    return std::count_if(group.begin(), group.end(), isDynamic) <= 1;
  });
}

namespace {

Operation* createReshape(Operation& like, Value source, const Reassociation& groups, bool expand,
                         Rewriter& rewriter) {
  Context& context = like.context();
  OperationState state(context, like.location(),
                       expand ? "memref.expand_shape" : "memref.collapse_shape");
  state.operands.push_back(source);
  auto type = like.result().type().cast<MemRefType>();
  state.resultTypes.push_back(type);
  state.addAttribute(context, "reassociation", reassociationAttr(context, groups));
  if (expand) {
    Attribute shape = like.attr("static_output_shape");
    state.addAttribute(context, "static_output_shape",
                       shape ? shape : DenseArrayAttr::getI64(context, type.shape()));
    if (isa<ExpandShapeOp>(&like)) state.addOperands(like.operandGroup(1u));
  }
  rewriter.setBefore(like);
  return rewriter.create(state);
}

}  // namespace

LogicalResult composeExpandOfExpand(Operation& op, Rewriter& rewriter) {
  ExpandShapeOp expand(&op);
  ExpandShapeOp inner = dynCast<ExpandShapeOp>(expand.source().definingOp());
  if (!inner) return failure();
  Reassociation groups = composeGroups(inner.reassociation(), expand.reassociation());
  rewriter.replaceOp(op, *createReshape(op, inner.source(), groups, true, rewriter));
  return success();
}

LogicalResult composeCollapseOfCollapse(Operation& op, Rewriter& rewriter) {
  CollapseShapeOp collapse(&op);
  CollapseShapeOp inner = dynCast<CollapseShapeOp>(collapse.source().definingOp());
  if (!inner) return failure();
  Reassociation groups = composeGroups(collapse.reassociation(), inner.reassociation());
  rewriter.replaceOp(op, *createReshape(op, inner.source(), groups, false, rewriter));
  return success();
}

/// collapse(expand(x)) where one undoes part of the other is a single reshape of x.
LogicalResult composeMixedReshapes(Operation& op, Rewriter& rewriter) {
  ReshapeView view(&op);
  ExpandShapeOp inner = dynCast<ExpandShapeOp>(view.source().definingOp());
  if (!inner || !view.resultType().hasStaticShape()) return failure();
  bool expand = inner.sourceType().rank() < view.resultType().rank();
  Reassociation split = inner.reassociation(), merge = view.reassociation();
  Reassociation groups = expand ? regroup(split, merge) : regroup(merge, split);
  if (groups.empty() || inner.sourceType().rank() == view.resultType().rank()) return failure();
  MemRefType type =
      expand ? ExpandShapeOp::inferType(inner.sourceType(), view.resultType().shape(), groups)
             : CollapseShapeOp::inferType(inner.sourceType(), groups);
  if (type != view.resultType()) return failure();
  rewriter.replaceOp(op, *createReshape(op, inner.source(), groups, expand, rewriter));
  return success();
}

/// expand(collapse(x)) is a single reshape of x when one of the two shapes is a grouping of the
/// other.
LogicalResult composeExpandOfCollapse(Operation& op, Rewriter& rewriter) {
  ExpandShapeOp expand(&op);
  CollapseShapeOp inner = dynCast<CollapseShapeOp>(expand.source().definingOp());
  if (!inner || !inner.sourceType().hasStaticShape() || !expand.resultType().hasStaticShape())
    return failure();
  MemRefType source = inner.sourceType(), result = expand.resultType();
  if (source.rank() == result.rank()) return failure();
  bool expands = source.rank() < result.rank();
  Reassociation groups = expands ? groupsBetween(result.shape(), source.shape())
                                 : groupsBetween(source.shape(), result.shape());
  if (groups.empty()) return failure();
  MemRefType type = expands ? ExpandShapeOp::inferType(source, result.shape(), groups)
                            : CollapseShapeOp::inferType(source, groups);
  if (type != result) return failure();
  rewriter.replaceOp(op, *createReshape(op, inner.source(), groups, expands, rewriter));
  return success();
}

LogicalResult composeTransposes(Operation& op, Rewriter& rewriter) {
  TransposeOp transpose(&op);
  TransposeOp inner = dynCast<TransposeOp>(transpose.source().definingOp());
  if (!inner) return failure();
  AffineMap map = transpose.permutation().compose(inner.permutation());
  rewriter.modify(op, [&] {
    op.setOperand(0, inner.source());
    op.setAttr("permutation", AffineMapAttr::get(map));
  });
  return success();
}

// -- alloca_scope -------------------------------------------------------------------------------

namespace {

/// May leave something on the stack: an alloca, or an op that nobody knows.
bool mayAllocateOnStack(Operation& op) {
  std::vector<EffectInstance> effects;
  return isa<AllocaOp>(&op) || !effectsOf(op, effects);
}

bool containsStackAllocation(Operation& scope) {
  WalkResult result = scope.walkWith([&](Operation& op) {
    if (&op == &scope) return WalkResult::Advance;
    if (mayAllocateOnStack(op)) return WalkResult::Interrupt;
    return op.hasTrait(Trait::AllocationScope) ? WalkResult::Skip : WalkResult::Advance;
  });
  return result == WalkResult::Interrupt;
}

}  // namespace

/// A scope without allocations, or at the end of another scope, ends nothing early.
LogicalResult inlineAllocaScope(Operation& op, Rewriter& rewriter) {
  Operation* parent = op.parentOp();
  bool isLast = op.next() && op.next()->hasTrait(Trait::Terminator) && !op.next()->next() &&
                parent && parent->hasTrait(Trait::AllocationScope) && parent->numRegions() == 1 &&
                parent->region().hasOneBlock();
  if (!op.region().hasOneBlock() || (!isLast && containsStackAllocation(op))) return failure();
  Operation* end = op.region().front().terminator();
  if (!end || !end->is("memref.alloca_scope.return")) return failure();
  std::vector<Value> results = end->operands().vec();
  rewriter.eraseOp(*end);
  rewriter.inlineBlockBefore(op.region().front(), op, {});
  rewriter.replaceOp(op, results);
  return success();
}

}  // namespace airlite::memref
