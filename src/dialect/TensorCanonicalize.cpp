// Canonical forms of the tensor ops: constants move into types and attributes, casts move towards
// the end, what says nothing goes away.
#include "RegionRewrites.hpp"
#include "TensorInternal.hpp"
#include "airlite/dialect/Linalg.hpp"

#include <algorithm>

namespace airlite::tensor {

namespace {

/// `from` says all that `to` says about its shape, and maybe more.
bool saysNoLess(Type from, Type to) {
  auto a = from.dynCast<RankedTensorType>(), b = to.dynCast<RankedTensorType>();
  if (!a || !b || a.rank() != b.rank() || a.encoding() != b.encoding()) return false;
  for (size_t i = 0; i < a.shape().size(); ++i)
    if (a.isDynamicDim(i) && !b.isDynamicDim(i)) return false;
  return true;
}

Value castTo(Rewriter& rewriter, Location location, Value value, Type type) {
  if (value.type() == type) return value;
  return CastOp::create(rewriter, location, value, type).result();
}

/// Ops with one operand per dynamic size: those sizes that are constants move into the type.
LogicalResult moveSizesIntoType(Operation& op, OperandRange operands, Rewriter& rewriter) {
  auto type = op.result().type().cast<RankedTensorType>();
  std::vector<MixedIndex> sizes = memref::mixedIndices(type.shape(), operands);
  if (!memref::makeConstantsStatic(sizes)) return failure();
  std::vector<int64_t> shape;
  std::vector<Value> values;
  memref::splitMixed(sizes, shape, values);
  OperationState state(op.location(), op.def());
  state.attributes = NamedAttrList(op.attributes());
  state.addOperands(values);
  state.resultTypes.push_back(
      RankedTensorType::get(op.context(), shape, type.elementType(), type.encoding()));
  for (unsigned i = 0; i < op.numRegions(); ++i)
    state.addRegion();
  rewriter.setBefore(op);
  Operation* made = rewriter.create(state);
  for (unsigned i = 0; i < op.numRegions(); ++i)
    made->region(i).takeBody(op.region(i));
  replaceWithCast(op, made->result(), rewriter);
  return success();
}

}  // namespace

Value forgottenSource(Value value) {
  CastOp cast = dynCast<CastOp>(value.definingOp());
  bool forgets = cast && saysNoLess(cast.source().type(), cast.result().type());
  return forgets ? cast.source() : Value();
}

void replaceWithCast(Operation& op, Value value, Rewriter& rewriter) {
  rewriter.setBefore(op);
  rewriter.replaceOp(op, castTo(rewriter, op.location(), value, op.result().type()));
}

LogicalResult emptyConstantSizes(Operation& op, Rewriter& rewriter) {
  return moveSizesIntoType(op, op.operands(), rewriter);
}

LogicalResult generateConstantSizes(Operation& op, Rewriter& rewriter) {
  return moveSizesIntoType(op, op.operands(), rewriter);
}

// -- cast ---------------------------------------------------------------------------------------

/// A cast of tensor.empty that knows more: the tensor is made so.
LogicalResult castOfEmpty(Operation& op, Rewriter& rewriter) {
  CastOp cast(&op);
  EmptyOp empty = dynCast<EmptyOp>(cast.source().definingOp());
  if (!empty || !saysNoLess(op.result().type(), empty.type())) return failure();
  auto type = op.result().type().cast<RankedTensorType>();
  std::vector<MixedIndex> sizes = empty.sizes();
  for (size_t i = 0; i < sizes.size(); ++i)
    if (!type.isDynamicDim(i)) sizes[i] = MixedIndex(type.dim(i));
  rewriter.setBefore(op);
  EmptyOp made =
      EmptyOp::create(rewriter, op.location(), sizes, type.elementType(), type.encoding());
  rewriter.replaceOp(op, made->result());
  return success();
}

namespace {

/// What the type in the middle knows, the source or the result knows too: it checks nothing that
/// they do not.
bool middleIsRedundant(ShapedType source, ShapedType middle, ShapedType result) {
  if (!middle.hasRank()) return true;
  if (!source.hasRank() && !result.hasRank()) return false;
  for (size_t i = 0; i < middle.shape().size(); ++i) {
    bool known = (source.hasRank() && !source.isDynamicDim(i)) ||
                 (result.hasRank() && !result.isDynamicDim(i));
    if (!middle.isDynamicDim(i) && !known) return false;
  }
  return true;
}

}  // namespace

LogicalResult castOfCast(Operation& op, Rewriter& rewriter) {
  CastOp cast(&op);
  CastOp inner = dynCast<CastOp>(cast.source().definingOp());
  if (!inner || !CastOp::compatible(inner.source().type(), op.result().type())) return failure();
  if (!middleIsRedundant(inner.source().type().cast<ShapedType>(),
                         inner.result().type().cast<ShapedType>(),
                         op.result().type().cast<ShapedType>()))
    return failure();
  rewriter.modify(op, [&] { op.setOperand(0, inner.source()); });
  return success();
}

namespace {

/// Sizes of the slice where the type of its part says what they are.
std::vector<MixedIndex> sizesFromPart(SliceView slice, RankedTensorType part) {
  std::vector<MixedIndex> sizes = slice.sizes();
  auto dropped = slice.droppedDims();
  for (size_t i = 0, kept = 0; dropped && i < sizes.size(); ++i) {
    if ((*dropped)[i]) continue;
    if (!part.isDynamicDim(kept)) sizes[i] = MixedIndex(part.dim(kept));
    ++kept;
  }
  return sizes;
}

}  // namespace

/// A slice that is cast to sizes that are known is taken with them.
LogicalResult castOfExtractSlice(Operation& op, Rewriter& rewriter) {
  CastOp cast(&op);
  ExtractSliceOp slice = dynCast<ExtractSliceOp>(cast.source().definingOp());
  if (!slice || !saysNoLess(op.result().type(), slice.partType())) return failure();
  auto type = op.result().type().cast<RankedTensorType>();
  if (type == slice.partType()) return failure();
  rewriter.setBefore(op);
  ExtractSliceOp made =
      ExtractSliceOp::create(rewriter, op.location(), slice.source(), slice.offsets(),
                             sizesFromPart(slice, type), slice.strides(), type);
  rewriter.replaceOp(op, made.result());
  return success();
}

// -- dim, extract -------------------------------------------------------------------------------

/// The size of a reshaped tensor stands in its shape operand; that of a buffer's elements is the
/// buffer's.
LogicalResult dimOfReshape(Operation& op, Rewriter& rewriter) {
  DimOp dim(&op);
  Operation* source = dim.source().definingOp();
  if (!source) return failure();
  rewriter.setBefore(op);
  if (source->is("bufferization.to_tensor")) {
    rewriter.replaceOp(
        op, *rewriter.create(op.location(), "memref.dim", {source->operand(0), dim.index()},
                             {rewriter.indexType()}));
    return success();
  }
  if (!source->is("tensor.reshape")) return failure();
  Value shape = source->operand(1);
  Type element = elementTypeOrSelf(shape.type());
  Value size =
      rewriter.create(op.location(), "tensor.extract", {shape, dim.index()}, {element})->result();
  if (!element.isIndex())
    size = rewriter.create(op.location(), "arith.index_cast", {size}, {rewriter.indexType()})
               ->result();
  rewriter.replaceOp(op, size);
  return success();
}

/// One element of a generated tensor is computed where it is asked for.
LogicalResult extractOfGenerate(Operation& op, Rewriter& rewriter) {
  ExtractOp extract(&op);
  Operation* generate = extract.tensor().definingOp();
  if (!generate || !generate->is("tensor.generate") || !isPure(*generate)) return failure();
  Block& body = generate->region().front();
  IRMapping mapping;
  for (unsigned i = 0; i < body.numArguments(); ++i)
    mapping.map(body.argument(i), extract.indices()[i]);
  rewriter.setBefore(op);
  for (Operation& inner : body.ops())
    if (&inner != body.terminator()) rewriter.clone(inner, mapping);
  rewriter.replaceOp(op, mapping.lookupOr(body.terminator()->operand(0)));
  return success();
}

LogicalResult extractOfIndexCast(Operation& op, Rewriter& rewriter) {
  ExtractOp extract(&op);
  Operation* cast = extract.tensor().definingOp();
  if (!cast || !cast->is("arith.index_cast")) return failure();
  std::vector<Value> operands = op.operands().vec();
  operands[0] = cast->operand(0);
  Type element[] = {elementTypeOrSelf(operands[0].type())};
  rewriter.setBefore(op);
  Value value = rewriter.create(op.location(), "tensor.extract", operands, element)->result();
  rewriter.replaceOp(
      op, *rewriter.create(op.location(), "arith.index_cast", {value}, {op.result().type()}));
  return success();
}

// -- Slices -------------------------------------------------------------------------------------

namespace {

struct SliceLists {
  std::vector<MixedIndex> offsets, sizes, strides;
  explicit SliceLists(SliceView slice)
      : offsets(slice.offsets()), sizes(slice.sizes()), strides(slice.strides()) {}
};

/// The type of the part with other sizes, with the same dims left out.
RankedTensorType partTypeFor(SliceView slice, std::span<const MixedIndex> sizes) {
  RankedTensorType part = slice.partType();
  auto dropped = slice.droppedDims();
  std::vector<int64_t> shape;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (!(*dropped)[i]) shape.push_back(sizes[i].isConstant() ? sizes[i].constant : kDynamic);
  return RankedTensorType::get(part.context(), shape, part.elementType(), part.encoding());
}

/// insert_slice and parallel_insert_slice with other operands.
Operation* rebuildInsert(SliceView slice, Value source, Value dest, const SliceLists& lists,
                         Rewriter& rewriter) {
  OperationState state(slice->location(), slice->def());
  Context& context = slice->context();
  state.attributes = NamedAttrList(slice->attributes());
  state.operands = {source, dest};
  std::vector<int32_t> segments = {1, 1};
  std::pair<std::string_view, const std::vector<MixedIndex>*> parts[] = {
      {"static_offsets", &lists.offsets},
      {"static_sizes", &lists.sizes},
      {"static_strides", &lists.strides}};
  for (const auto& [name, list] : parts) {
    std::vector<int64_t> statics;
    std::vector<Value> values;
    memref::splitMixed(*list, statics, values);
    segments.push_back(static_cast<int32_t>(values.size()));
    state.addOperands(values);
    state.addAttribute(context, name, DenseArrayAttr::getI64(context, statics));
  }
  state.setOperandSegments(context, segments);
  if (slice->numResults()) state.resultTypes.push_back(dest.type());
  return rewriter.create(state);
}

void replaceInsert(SliceView slice, Operation& made, Rewriter& rewriter) {
  if (slice->numResults())
    replaceWithCast(*slice, made.result(), rewriter);
  else
    rewriter.eraseOp(*slice);
}

/// A cast for the terminator of scf.forall stands before it: nothing else may stand inside.
void setBeforeInsert(SliceView slice, Rewriter& rewriter) {
  bool parallel = isa<ParallelInsertSliceOp>(slice.op());
  rewriter.setBefore(parallel ? *slice->parentOp() : *slice);
}

}  // namespace

LogicalResult sliceConstantArguments(Operation& op, Rewriter& rewriter) {
  SliceView slice(&op);
  SliceLists lists(slice);
  bool changed = memref::makeConstantsStatic(lists.offsets);
  changed |= memref::makeConstantsStatic(lists.sizes);
  changed |= memref::makeConstantsStatic(lists.strides);
  if (!changed || !slice.droppedDims()) return failure();
  RankedTensorType part = partTypeFor(slice, lists.sizes);
  if (isa<ExtractSliceOp>(&op)) {
    rewriter.setBefore(op);
    ExtractSliceOp made = ExtractSliceOp::create(rewriter, op.location(), slice.source(),
                                                 lists.offsets, lists.sizes, lists.strides, part);
    replaceWithCast(op, made.result(), rewriter);
    return success();
  }
  setBeforeInsert(slice, rewriter);
  Value source = castTo(rewriter, op.location(), slice.source(), part);
  rewriter.setBefore(op);
  replaceInsert(slice, *rebuildInsert(slice, source, op.operand(1), lists, rewriter), rewriter);
  return success();
}

LogicalResult extractSliceOfCast(Operation& op, Rewriter& rewriter) {
  Value source = forgottenSource(op.operand(0));
  if (!source) return failure();
  rewriter.modify(op, [&] { op.setOperand(0, source); });
  return success();
}

/// An element is inserted into what was cast when that says more about its shape.
LogicalResult insertOfCast(Operation& op, Rewriter& rewriter) {
  Value dest = forgottenSource(op.operand(1));
  if (!dest) return failure();
  std::vector<Value> operands = op.operands().vec();
  operands[1] = dest;
  Type types[] = {dest.type()};
  replaceWithCast(op, recreate(rewriter, op, operands, types)->result(), rewriter);
  return success();
}

LogicalResult insertSliceOfCast(Operation& op, Rewriter& rewriter) {
  InsertSliceOp slice(&op);
  Value source = forgottenSource(slice.source()), dest = forgottenSource(slice.dest());
  if ((!source && !dest) || !slice.droppedDims()) return failure();
  SliceLists lists(slice);
  if (source) lists.sizes = sizesFromPart(slice, source.type().cast<RankedTensorType>());
  rewriter.setBefore(op);
  Operation* made = rebuildInsert(slice, source ? source : slice.source(),
                                  dest ? dest : slice.dest(), lists, rewriter);
  replaceInsert(slice, *made, rewriter);
  return success();
}

// -- Reshapes -----------------------------------------------------------------------------------

namespace {

Operation* createReshape(Operation& like, Value source, const memref::Reassociation& groups,
                         bool expand, Rewriter& rewriter) {
  Context& context = like.context();
  OperationState state(context, like.location(),
                       expand ? "tensor.expand_shape" : "tensor.collapse_shape");
  auto type = like.result().type().cast<RankedTensorType>();
  state.operands.push_back(source);
  state.resultTypes.push_back(type);
  state.addAttribute(context, "reassociation", memref::reassociationAttr(context, groups));
  if (expand) {
    Attribute shape = like.attr("static_output_shape");
    state.addAttribute(context, "static_output_shape",
                       shape ? shape : DenseArrayAttr::getI64(context, type.shape()));
    if (like.is("tensor.expand_shape")) state.addOperands(like.operandGroup(1u));
  }
  rewriter.setBefore(like);
  return rewriter.create(state);
}

LogicalResult composeSameKind(Operation& op, Operation& inner, Rewriter& rewriter) {
  bool expand = op.is("tensor.expand_shape");
  memref::Reassociation first = memref::ReshapeView(&inner).reassociation();
  memref::Reassociation second = memref::ReshapeView(&op).reassociation();
  if (first.empty() || second.empty()) return failure();
  memref::Reassociation groups =
      expand ? memref::composeGroups(first, second) : memref::composeGroups(second, first);
  rewriter.replaceOp(op, *createReshape(op, inner.operand(0), groups, expand, rewriter));
  return success();
}

/// collapse(expand(x)) where one undoes part of the other is a single reshape of x.
LogicalResult composeMixed(Operation& op, Operation& inner, Rewriter& rewriter) {
  auto source = inner.operand(0).type().cast<RankedTensorType>();
  auto result = op.result().type().cast<RankedTensorType>();
  if (!op.is("tensor.collapse_shape") || !source.hasStaticShape() || !result.hasStaticShape() ||
      source.rank() == result.rank())
    return failure();
  bool expand = source.rank() < result.rank();
  memref::Reassociation split = memref::ReshapeView(&inner).reassociation();
  memref::Reassociation merge = memref::ReshapeView(&op).reassociation();
  memref::Reassociation groups =
      expand ? memref::regroup(split, merge) : memref::regroup(merge, split);
  if (groups.empty()) return failure();
  rewriter.replaceOp(op, *createReshape(op, inner.operand(0), groups, expand, rewriter));
  return success();
}

/// expand(collapse(x)) is a single reshape of x when one of the two shapes is a grouping of the
/// other.
LogicalResult composeExpandOfCollapse(Operation& op, Operation& inner, Rewriter& rewriter) {
  auto source = inner.operand(0).type().cast<RankedTensorType>();
  auto result = op.result().type().cast<RankedTensorType>();
  if (!source.hasStaticShape() || !result.hasStaticShape() || source.rank() == result.rank())
    return failure();
  bool expand = source.rank() < result.rank();
  memref::Reassociation groups = expand ? memref::groupsBetween(result.shape(), source.shape())
                                        : memref::groupsBetween(source.shape(), result.shape());
  if (groups.empty()) return failure();
  rewriter.replaceOp(op, *createReshape(op, inner.operand(0), groups, expand, rewriter));
  return success();
}

/// A reshaped fill fills the reshaped tensor.
LogicalResult reshapeOfFill(Operation& op, Operation& fill, Rewriter& rewriter) {
  if (fill.numResults() != 1 || fill.numOperands() != 2) return failure();
  IRMapping mapping;
  mapping.map(fill.result(), fill.operand(1));
  rewriter.setBefore(op);
  Value dest[] = {rewriter.clone(op, mapping)->result()};
  Value element[] = {fill.operand(0)};
  rewriter.replaceOp(
      op, *linalg::createNamedOp(rewriter, fill.location(), "linalg.fill", element, dest));
  return success();
}

}  // namespace

LogicalResult composeReshapes(Operation& op, Rewriter& rewriter) {
  Operation* inner = op.operand(0).definingOp();
  if (!inner) return failure();
  if (inner->is("tensor.from_elements") && op.result().type().cast<ShapedType>().hasStaticShape()) {
    Type type[] = {op.result().type()};
    rewriter.setBefore(op);
    rewriter.replaceOp(
        op, *rewriter.create(op.location(), "tensor.from_elements", inner->operands().vec(), type));
    return success();
  }
  if (inner->name() == op.name()) return composeSameKind(op, *inner, rewriter);
  if (inner->is("linalg.fill")) return reshapeOfFill(op, *inner, rewriter);
  return inner->is("tensor.expand_shape")     ? composeMixed(op, *inner, rewriter)
         : inner->is("tensor.collapse_shape") ? composeExpandOfCollapse(op, *inner, rewriter)
                                              : failure();
}

/// collapse(cast(x)) is the collapse of x, cast.
LogicalResult reshapeOfCast(Operation& op, Rewriter& rewriter) {
  Value source = forgottenSource(op.operand(0));
  if (!source) return failure();
  auto type = source.type().cast<RankedTensorType>();
  std::vector<int64_t> shape;
  for (const std::vector<int64_t>& group : memref::ReshapeView(&op).reassociation()) {
    shape.push_back(1);
    for (int64_t dim : group)
      shape.back() = memref::saturatingMul(shape.back(), type.dim(static_cast<size_t>(dim)));
  }
  Type result[] = {RankedTensorType::get(op.context(), shape, type.elementType(), type.encoding())};
  rewriter.setBefore(op);
  Operation* made = rewriter.create(op.location(), op.name(), std::vector<Value>{source}, result,
                                    op.attributes().value());
  replaceWithCast(op, made->result(), rewriter);
  return success();
}

// -- pad ----------------------------------------------------------------------------------------

namespace {

/// The pad with another source and other amounts; its type says what these tell, and what the
/// result type said before. Where the two contradict each other, the program never gets here.
LogicalResult rebuildPad(PadOp pad, Value source, const std::vector<MixedIndex>& low,
                         const std::vector<MixedIndex>& high, Rewriter& rewriter) {
  Context& context = pad->context();
  OperationState state(pad->location(), pad->def());
  state.attributes = NamedAttrList(pad->attributes());
  state.operands.push_back(source);
  std::vector<int64_t> lows, highs, shape;
  std::vector<Value> lowValues, highValues;
  memref::splitMixed(low, lows, lowValues);
  memref::splitMixed(high, highs, highValues);
  state.addOperands(lowValues);
  state.addOperands(highValues);
  int32_t segments[] = {1, static_cast<int32_t>(lowValues.size()),
                        static_cast<int32_t>(highValues.size())};
  state.setOperandSegments(context, segments);
  state.addAttribute(context, "static_low", DenseArrayAttr::getI64(context, lows));
  state.addAttribute(context, "static_high", DenseArrayAttr::getI64(context, highs));
  auto type = source.type().cast<RankedTensorType>();
  RankedTensorType before = pad.resultType();
  for (size_t i = 0; i < lows.size(); ++i) {
    int64_t size = memref::saturatingAdd(type.dim(i), memref::saturatingAdd(lows[i], highs[i]));
    shape.push_back(size == kDynamic ? before.dim(i) : size);
  }
  if (!shapesAgree(shape, before.shape())) return failure();
  state.resultTypes.push_back(
      RankedTensorType::get(context, shape, before.elementType(), before.encoding()));
  state.addRegion();
  rewriter.setBefore(*pad);
  Operation* made = rewriter.create(state);
  made->region().takeBody(pad->region());
  replaceWithCast(*pad, made->result(), rewriter);
  return success();
}

}  // namespace

LogicalResult padConstantSizes(Operation& op, Rewriter& rewriter) {
  PadOp pad(&op);
  std::vector<MixedIndex> low = pad.low(), high = pad.high();
  bool changed = memref::makeConstantsStatic(low);
  changed |= memref::makeConstantsStatic(high);
  if (!changed) return failure();
  return rebuildPad(pad, pad.source(), low, high, rewriter);
}

LogicalResult padOfCast(Operation& op, Rewriter& rewriter) {
  PadOp pad(&op);
  Value source = forgottenSource(pad.source());
  return source ? rebuildPad(pad, source, pad.low(), pad.high(), rewriter) : failure();
}

LogicalResult padOfNothing(Operation& op, Rewriter& rewriter) {
  PadOp pad(&op);
  auto isZero = [](const MixedIndex& entry) { return entry.isConstant() && entry.constant == 0; };
  std::vector<MixedIndex> low = pad.low(), high = pad.high();
  if (!CastOp::compatible(pad.sourceType(), pad.resultType())) return failure();
  if (pad.nofold() || !std::all_of(low.begin(), low.end(), isZero) ||
      !std::all_of(high.begin(), high.end(), isZero))
    return failure();
  replaceWithCast(op, pad.source(), rewriter);
  return success();
}

/// A filled tensor, padded with the element that fills it, is a larger filled one. Only where its
/// size is known: otherwise there would be more to compute than before.
LogicalResult padOfFill(Operation& op, Rewriter& rewriter) {
  PadOp pad(&op);
  RankedTensorType type = pad.resultType();
  Operation* fill = pad.source().definingOp();
  if (!fill || !fill->is("linalg.fill") || !type.hasStaticShape() || pad.nofold() ||
      op.region().front().back().operand(0) != fill->operand(0))
    return failure();
  rewriter.setBefore(op);
  std::vector<MixedIndex> sizes(type.shape().begin(), type.shape().end());
  Value element[] = {fill->operand(0)};
  Value dest[] = {
      EmptyOp::create(rewriter, op.location(), sizes, type.elementType(), type.encoding())
          ->result()};
  rewriter.replaceOp(op,
                     *linalg::createNamedOp(rewriter, op.location(), "linalg.fill", element, dest));
  return success();
}

}  // namespace airlite::tensor
