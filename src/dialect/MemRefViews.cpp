// Views of buffers: what type subview, expand_shape, collapse_shape and transpose give, and the
// verifiers that compare it with what is written.
#include "MemRefInternal.hpp"

#include <algorithm>
#include <map>

namespace airlite::memref {

// -- Mixed lists and saturating arithmetic ------------------------------------------------------

std::vector<MixedIndex> mixedIndices(std::span<const int64_t> statics, OperandRange values) {
  std::vector<MixedIndex> mixed;
  unsigned next = 0;
  for (int64_t constant : statics) {
    MixedIndex& entry = mixed.emplace_back(constant);
    if (constant == kDynamic && next < values.size()) entry.value = values[next++];
  }
  return mixed;
}

void splitMixed(std::span<const MixedIndex> mixed, std::vector<int64_t>& statics,
                std::vector<Value>& values) {
  for (const MixedIndex& entry : mixed) {
    statics.push_back(entry.isConstant() ? entry.constant : kDynamic);
    if (!entry.isConstant()) values.push_back(entry.value);
  }
}

int64_t saturatingMul(int64_t a, int64_t b) {
  if (a == 0 || b == 0) return 0;
  int64_t product;
  if (a == kDynamic || b == kDynamic || __builtin_mul_overflow(a, b, &product)) return kDynamic;
  return product;
}

int64_t saturatingAdd(int64_t a, int64_t b) {
  int64_t sum;
  if (a == kDynamic || b == kDynamic || __builtin_add_overflow(a, b, &sum)) return kDynamic;
  return sum;
}

// -- subview ------------------------------------------------------------------------------------

MemRefType SubViewOp::inferType(MemRefType source, std::span<const int64_t> offsets,
                                std::span<const int64_t> sizes, std::span<const int64_t> strides) {
  auto rank = static_cast<size_t>(source.rank());
  std::optional<StridedForm> form = source.stridedForm();
  if (!form || offsets.size() != rank || sizes.size() != rank || strides.size() != rank)
    return MemRefType();
  int64_t offset = form->offset;
  std::vector<int64_t> newStrides;
  for (size_t i = 0; i < rank; ++i) {
    offset = saturatingAdd(offset, saturatingMul(offsets[i], form->strides[i]));
    newStrides.push_back(saturatingMul(strides[i], form->strides[i]));
  }
  Attribute layout = StridedLayoutAttr::get(source.context(), offset, newStrides);
  return MemRefType::get(source.context(), sizes, source.elementType(), layout,
                         source.memorySpace());
}

MemRefType SubViewOp::inferReducedType(MemRefType source, std::span<const int64_t> offsets,
                                       std::span<const int64_t> sizes,
                                       std::span<const int64_t> strides,
                                       const std::vector<bool>& dropped) {
  const MemRefType full = inferType(source, offsets, sizes, strides);
  if (!full) return full;
  const auto form = full.stridedForm();
  std::vector<int64_t> shape, kept;
  for (size_t i = 0; i < dropped.size(); ++i) {
    if (dropped[i]) continue;
    shape.push_back(full.dim(i));
    kept.push_back(form->strides[i]);
  }
  return MemRefType::get(full.context(), shape, full.elementType(),
                         StridedLayoutAttr::get(full.context(), form->offset, kept),
                         full.memorySpace());
}

namespace {

/// How often each stride occurs.
std::map<int64_t, int> countStrides(std::span<const int64_t> strides) {
  std::map<int64_t, int> counts;
  for (int64_t stride : strides)
    ++counts[stride];
  return counts;
}

/// Which dims of `full` a rank-reduced `reduced` leaves out: unit dims, told apart by their strides
/// where there are more of them than were dropped.
std::optional<std::vector<bool>> findDroppedDims(MemRefType full, MemRefType reduced,
                                                 std::span<const int64_t> sizes) {
  std::vector<bool> dropped(sizes.size(), false);
  auto wanted = full.rank() - reduced.rank();
  if (wanted == 0) return dropped;
  for (size_t i = 0; i < sizes.size(); ++i)
    dropped[i] = sizes[i] == 1;
  if (std::count(dropped.begin(), dropped.end(), true) == wanted) return dropped;
  auto fullForm = full.stridedForm(), reducedForm = reduced.stridedForm();
  if (!fullForm || !reducedForm) return std::nullopt;
  std::map<int64_t, int> left = countStrides(fullForm->strides);
  std::map<int64_t, int> kept = countStrides(reducedForm->strides);
  for (size_t i = 0; i < dropped.size(); ++i) {
    if (!dropped[i]) continue;
    int64_t stride = fullForm->strides[i];
    if (left[stride] < kept[stride]) return std::nullopt;
    if (left[stride] > kept[stride])
      --left[stride];
    else
      dropped[i] = false;
  }
  if (std::count(dropped.begin(), dropped.end(), true) != wanted) return std::nullopt;
  return dropped;
}

}  // namespace

bool isShapeReduction(std::span<const int64_t> full, std::span<const int64_t> reduced) {
  size_t next = 0;
  for (int64_t size : full) {
    if (next < reduced.size() && reduced[next] == size)
      ++next;
    else if (size != 1)
      return false;
  }
  return next == reduced.size();
}

namespace {

bool stridesAgree(MemRefType full, MemRefType reduced, const std::vector<bool>& dropped) {
  auto fullForm = full.stridedForm(), reducedForm = reduced.stridedForm();
  if (!fullForm || !reducedForm || fullForm->offset != reducedForm->offset) return false;
  size_t next = 0;
  for (size_t i = 0; i < dropped.size(); ++i)
    if (!dropped[i] && fullForm->strides[i] != reducedForm->strides.at(next++)) return false;
  return true;
}

}  // namespace

LogicalResult verifyOffsetSizeStride(Operation& op) {
  OffsetSizeStrideView view(&op);
  size_t offsets = view.staticOffsets().size(), sizes = view.staticSizes().size(),
         strides = view.staticStrides().size();
  constexpr std::string_view why = ") so the rank of the result type is well-formed";
  bool oneOffset = op.is("memref.reinterpret_cast");
  if (oneOffset ? offsets != 1 : offsets != sizes)
    return op.emitError() << "expected mixed offsets rank to match mixed sizes rank (" << offsets
                          << " vs " << (oneOffset ? 1 : sizes) << why;
  if (sizes != strides)
    return op.emitError() << "expected mixed sizes rank to match mixed strides rank (" << sizes
                          << " vs " << strides << why;
  std::pair<std::string_view, std::span<const int64_t>> lists[] = {
      {"offset", view.staticOffsets()},
      {"size", view.staticSizes()},
      {"stride", view.staticStrides()}};
  for (const auto& [name, values] : lists) {
    auto dynamic = std::count(values.begin(), values.end(), kDynamic);
    if (dynamic != op.operandGroup(std::string(name) + "s").size())
      return op.emitOpError() << "expected " << dynamic << " dynamic " << name << " values";
  }
  for (int64_t size : view.staticSizes())
    if (size < 0 && size != kDynamic)
      return op.emitError() << "expected sizes to be non-negative, but got " << size;
  for (int64_t offset : view.staticOffsets())
    if (offset < 0 && offset != kDynamic)
      return op.emitError() << "expected offsets to be non-negative, but got " << offset;
  return success();
}

namespace {

LogicalResult resultMismatch(Operation& op, MemRefType expected, std::string_view what) {
  return op.emitError() << "expected result type to be " << expected
                        << " or a rank-reduced version. (mismatch of result " << what << ")";
}

}  // namespace

std::optional<std::vector<bool>> SubViewOp::droppedDims() const {
  MemRefType full = inferType(sourceType(), staticOffsets(), staticSizes(), staticStrides());
  return full ? findDroppedDims(full, resultType(), staticSizes()) : std::nullopt;
}

LogicalResult verifySubView(Operation& op) {
  SubViewOp view(&op);
  MemRefType source = view.sourceType(), result = view.resultType();
  if (failed(verifyOffsetSizeStride(op))) return failure();
  if (view.staticSizes().size() != static_cast<size_t>(source.rank()))
    return op.emitError() << "expected " << source.rank() << " offset values, found "
                          << view.staticSizes().size();
  if (source.memorySpace() != result.memorySpace())
    return op.emitError() << "different memory spaces specified for base memref type " << source
                          << " and subview memref type " << result;
  if (!source.stridedForm()) return op.emitError() << "base type " << source << " is not strided";
  MemRefType expected =
      SubViewOp::inferType(source, view.staticOffsets(), view.staticSizes(), view.staticStrides());
  if (result.rank() > expected.rank())
    return op.emitError() << "expected result rank to be smaller or equal to the source rank";
  if (result.elementType() != source.elementType())
    return op.emitError() << "expected result element type to be " << source.elementType();
  if (!isShapeReduction(expected.shape(), result.shape()))
    return resultMismatch(op, expected, "sizes");
  auto dropped = findDroppedDims(expected, result, view.staticSizes());
  if (!dropped || !stridesAgree(expected, result, *dropped))
    return resultMismatch(op, expected, "layout");
  return success();
}

SubViewOp SubViewOp::create(Builder& builder, Location location, Value source,
                            std::span<const MixedIndex> offsets, std::span<const MixedIndex> sizes,
                            std::span<const MixedIndex> strides, MemRefType type) {
  Context& context = builder.context();
  OperationState state(context, location, "memref.subview");
  state.operands.push_back(source);
  std::vector<int64_t> statics[3];
  std::vector<int32_t> segments = {1};
  std::span<const MixedIndex> lists[] = {offsets, sizes, strides};
  std::string_view names[] = {"static_offsets", "static_sizes", "static_strides"};
  for (int i = 0; i < 3; ++i) {
    std::vector<Value> values;
    splitMixed(lists[i], statics[i], values);
    segments.push_back(static_cast<int32_t>(values.size()));
    state.addOperands(values);
    state.addAttribute(context, names[i], DenseArrayAttr::getI64(context, statics[i]));
  }
  state.setOperandSegments(context, segments);
  auto sourceType = source.type().cast<MemRefType>();
  state.resultTypes.push_back(type ? type
                                   : inferType(sourceType, statics[0], statics[1], statics[2]));
  return SubViewOp(builder.create(state));
}

// -- reinterpret_cast ---------------------------------------------------------------------------

namespace {

/// Two sizes, strides or offsets that are both known and different.
bool clash(int64_t expected, int64_t found) {
  return expected != kDynamic && found != kDynamic && expected != found;
}

LogicalResult verifyReinterpretedLayout(Operation& op, ReinterpretCastOp cast) {
  MemRefType result = cast.resultType();
  std::optional<StridedForm> form = result.stridedForm();
  if (!form)
    return op.emitError() << "expected result type to have strided layout but found " << result;
  if (clash(cast.staticOffsets()[0], form->offset))
    return op.emitError() << "expected result type with offset = " << cast.staticOffsets()[0]
                          << " instead of " << form->offset;
  for (size_t i = 0; i < form->strides.size(); ++i)
    if (clash(cast.staticStrides()[i], form->strides[i]))
      return op.emitError() << "expected result type with stride = " << cast.staticStrides()[i]
                            << " instead of " << form->strides[i] << " in dim = " << i;
  return success();
}

}  // namespace

LogicalResult verifyReinterpretCast(Operation& op) {
  ReinterpretCastOp cast(&op);
  if (failed(verifyOffsetSizeStride(op))) return failure();
  Type source = cast.source().type();
  MemRefType result = cast.resultType();
  if (memorySpaceOf(source) != result.memorySpace())
    return op.emitError() << "different memory spaces specified for source type " << source
                          << " and result memref type " << result;
  if (elementTypeOrSelf(source) != result.elementType())
    return op.emitError() << "different element types specified for source type " << source
                          << " and result memref type " << result;
  std::span<const int64_t> sizes = cast.staticSizes();
  if (sizes.size() != static_cast<size_t>(result.rank()))
    return op.emitError() << "expected " << result.rank() << " size values, found " << sizes.size();
  for (size_t i = 0; i < sizes.size(); ++i)
    if (clash(sizes[i], result.dim(i)))
      return op.emitError() << "expected result type with size = " << sizes[i] << " instead of "
                            << result.dim(i) << " in dim = " << i;
  return verifyReinterpretedLayout(op, cast);
}

ReinterpretCastOp ReinterpretCastOp::create(Builder& builder, Location location, Value source,
                                            MixedIndex offset, std::span<const MixedIndex> sizes,
                                            std::span<const MixedIndex> strides, MemRefType type) {
  Context& context = builder.context();
  OperationState state(context, location, "memref.reinterpret_cast");
  state.operands.push_back(source);
  std::vector<int32_t> segments = {1};
  auto add = [&](std::span<const MixedIndex> list, std::string_view name) {
    std::vector<int64_t> statics;
    std::vector<Value> values;
    splitMixed(list, statics, values);
    segments.push_back(static_cast<int32_t>(values.size()));
    state.addOperands(values);
    state.addAttribute(context, name, DenseArrayAttr::getI64(context, statics));
  };
  add(std::span<const MixedIndex>(&offset, 1), "static_offsets");
  add(sizes, "static_sizes");
  add(strides, "static_strides");
  state.setOperandSegments(context, segments);
  state.resultTypes.push_back(type);
  return ReinterpretCastOp(builder.create(state));
}

// -- expand_shape, collapse_shape ---------------------------------------------------------------

Attribute reassociationAttr(Context& context, const Reassociation& groups) {
  std::vector<Attribute> outer;
  Type i64 = IntegerType::get(context, 64);
  for (const std::vector<int64_t>& group : groups) {
    std::vector<Attribute> inner;
    for (int64_t dim : group)
      inner.push_back(IntegerAttr::get(i64, dim));
    outer.push_back(ArrayAttr::get(context, inner));
  }
  return ArrayAttr::get(context, outer);
}

ExpandShapeOp ExpandShapeOp::create(Builder& builder, Location location, Value source,
                                    std::span<const int64_t> shape, const Reassociation& groups) {
  Context& context = builder.context();
  OperationState state(context, location, "memref.expand_shape");
  state.operands.push_back(source);
  state.addAttribute(context, "reassociation", reassociationAttr(context, groups));
  state.addAttribute(context, "static_output_shape", DenseArrayAttr::getI64(context, shape));
  state.resultTypes.push_back(inferType(source.type().cast<MemRefType>(), shape, groups));
  return ExpandShapeOp(builder.create(state));
}

CollapseShapeOp CollapseShapeOp::create(Builder& builder, Location location, Value source,
                                        const Reassociation& groups) {
  Context& context = builder.context();
  OperationState state(context, location, "memref.collapse_shape");
  state.operands.push_back(source);
  state.addAttribute(context, "reassociation", reassociationAttr(context, groups));
  state.resultTypes.push_back(inferType(source.type().cast<MemRefType>(), groups));
  return CollapseShapeOp(builder.create(state));
}

Reassociation ReshapeView::reassociation() const {
  Reassociation groups;
  auto outer = op_->attrOf<ArrayAttr>("reassociation");
  for (size_t i = 0; outer && i < outer.size(); ++i) {
    groups.emplace_back();
    auto inner = outer[i].dynCast<ArrayAttr>();
    for (size_t j = 0; inner && j < inner.size(); ++j)
      groups.back().push_back(constantInt(inner[j]).value_or(-1));
  }
  return groups;
}

namespace {

/// One group for each collapsed dim, all expanded dims in order.
bool groupsFit(const Reassociation& groups, size_t collapsedRank, size_t expandedRank) {
  if (groups.size() != collapsedRank) return false;
  int64_t next = 0;
  for (const std::vector<int64_t>& group : groups)
    for (int64_t dim : group)
      if (dim != next++) return false;
  return static_cast<size_t>(next) == expandedRank;
}

/// Walks a group from its last dim: checks that each stride is the product of what is inside it.
bool isContiguous(std::span<const int64_t> shape, std::span<const int64_t> strides,
                  const std::vector<int64_t>& group, int64_t lastStride) {
  int64_t stride = lastStride;
  for (size_t i = group.size(); i-- > 1;) {
    auto dim = static_cast<size_t>(group[i]);
    stride = saturatingMul(stride, shape[dim]);
    if (shape[dim - 1] != 1 && clash(stride, strides[dim - 1])) return false;
  }
  return true;
}

/// The stride of the last dim that is not 1; unknown when that dim may turn out to be 1.
int64_t collapsedStride(std::span<const int64_t> shape, std::span<const int64_t> strides,
                        const std::vector<int64_t>& group) {
  size_t last = group.size() - 1;
  while (last > 0 && shape[static_cast<size_t>(group[last])] == 1)
    --last;
  auto dim = static_cast<size_t>(group[last]);
  return last > 0 && shape[dim] == kDynamic ? kDynamic : strides[dim];
}

int64_t groupSize(std::span<const int64_t> shape, const std::vector<int64_t>& group) {
  int64_t size = 1;
  for (int64_t dim : group)
    size = saturatingMul(size, shape[static_cast<size_t>(dim)]);
  return size;
}

}  // namespace

MemRefType ExpandShapeOp::inferType(MemRefType source, std::span<const int64_t> shape,
                                    const Reassociation& groups) {
  if (!groupsFit(groups, static_cast<size_t>(source.rank()), shape.size())) return MemRefType();
  Context& context = source.context();
  if (!source.layout())
    return MemRefType::get(context, shape, source.elementType(), Attribute(), source.memorySpace());
  std::optional<StridedForm> form = source.stridedForm();
  if (!form) return MemRefType();
  std::vector<int64_t> strides(shape.size());
  for (size_t g = 0; g < groups.size(); ++g) {
    int64_t stride = form->strides[g];
    for (size_t i = groups[g].size(); i-- > 0;) {
      auto dim = static_cast<size_t>(groups[g][i]);
      strides[dim] = stride;
      stride = saturatingMul(stride, shape[dim]);
    }
  }
  return MemRefType::get(context, shape, source.elementType(),
                         StridedLayoutAttr::get(context, form->offset, strides),
                         source.memorySpace());
}

MemRefType CollapseShapeOp::inferType(MemRefType source, const Reassociation& groups) {
  if (!groupsFit(groups, groups.size(), static_cast<size_t>(source.rank()))) return MemRefType();
  Context& context = source.context();
  std::vector<int64_t> shape;
  for (const std::vector<int64_t>& group : groups)
    shape.push_back(groupSize(source.shape(), group));
  if (!source.layout())
    return MemRefType::get(context, shape, source.elementType(), Attribute(), source.memorySpace());
  std::optional<StridedForm> form = source.stridedForm();
  if (!form) return MemRefType();
  std::vector<int64_t> strides;
  for (const std::vector<int64_t>& group : groups) {
    if (group.empty()) return MemRefType();
    strides.push_back(collapsedStride(source.shape(), form->strides, group));
    if (!isContiguous(source.shape(), form->strides, group, strides.back())) return MemRefType();
  }
  return MemRefType::get(context, shape, source.elementType(),
                         StridedLayoutAttr::get(context, form->offset, strides),
                         source.memorySpace());
}

namespace {

LogicalResult verifyGroups(Operation& op, MemRefType collapsed, MemRefType expanded,
                           const Reassociation& groups) {
  if (groups.size() != static_cast<size_t>(collapsed.rank()))
    return op.emitOpError() << "invalid number of reassociation groups: found " << groups.size()
                            << ", expected " << collapsed.rank();
  int64_t next = 0;
  for (const std::vector<int64_t>& group : groups)
    for (int64_t dim : group)
      if (dim != next++) return op.emitOpError() << "reassociation indices must be contiguous";
  if (next != expanded.rank() && collapsed.rank() != 0)
    return op.emitOpError() << "expected reassociation indices to cover " << expanded.rank()
                            << " dims, found " << next;
  return success();
}

LogicalResult verifyGroupSizes(Operation& op, MemRefType collapsed, MemRefType expanded,
                               const Reassociation& groups) {
  if (collapsed.rank() == 0) {
    for (int64_t size : expanded.shape())
      if (size != 1)
        return op.emitOpError() << "rank 0 memrefs can only be extended/collapsed with/from ones";
    return success();
  }
  for (size_t i = 0; i < groups.size(); ++i) {
    int64_t size = groupSize(expanded.shape(), groups[i]);
    bool dynamic = std::any_of(groups[i].begin(), groups[i].end(), [&](int64_t dim) {
      return expanded.isDynamicDim(static_cast<size_t>(dim));
    });
    if (dynamic != collapsed.isDynamicDim(i))
      return op.emitOpError() << "collapsed dim (" << i
                              << ") must be dynamic if and only if reassociation group is dynamic";
    if (!dynamic && size != collapsed.dim(i))
      return op.emitOpError() << "collapsed dim size (" << collapsed.dim(i)
                              << ") must equal reassociation group size (" << size << ")";
  }
  return success();
}

/// The same memref, whichever way its layout is written.
bool sameView(MemRefType a, MemRefType b) {
  if (a == b) return true;
  if (a.elementType() != b.elementType() || a.memorySpace() != b.memorySpace() ||
      !std::equal(a.shape().begin(), a.shape().end(), b.shape().begin(), b.shape().end()))
    return false;
  auto left = a.stridedForm(), right = b.stridedForm();
  return left && right && left->offset == right->offset && left->strides == right->strides;
}

}  // namespace

LogicalResult verifyOutputShape(Operation& op, std::string_view sizesAre) {
  auto result = op.result().type().cast<ShapedType>();
  std::span<const int64_t> shape = op.attrOf<DenseArrayAttr>("static_output_shape").values();
  if (shape.size() != static_cast<size_t>(result.rank()))
    return op.emitOpError() << "expected number of static shape " << sizesAre
                            << " to be equal to the output rank (" << result.rank()
                            << ") but found " << shape.size() << " inputs instead";
  auto dynamic = std::count(shape.begin(), shape.end(), kDynamic);
  if (dynamic != op.operandGroup(1u).size())
    return op.emitOpError() << "mismatch in dynamic dims in output_shape and static_output_shape: "
                            << "static_output_shape has " << dynamic
                            << " dynamic dims while output_shape has " << op.operandGroup(1u).size()
                            << " values";
  for (size_t i = 0; i < shape.size(); ++i)
    if (clash(result.dim(i), shape[i]))
      return op.emitOpError() << "invalid output shape provided at pos " << i;
  return success();
}

LogicalResult verifyExpandShape(Operation& op) {
  ExpandShapeOp expand(&op);
  MemRefType source = expand.sourceType(), result = expand.resultType();
  Reassociation groups = expand.reassociation();
  if (source.rank() > result.rank())
    return op.emitOpError() << "has source rank " << source.rank() << " and result rank "
                            << result.rank() << ". This is not an expansion (" << source.rank()
                            << " > " << result.rank() << ")";
  if (failed(verifyGroups(op, source, result, groups)) ||
      failed(verifyGroupSizes(op, source, result, groups)))
    return failure();
  MemRefType expected = ExpandShapeOp::inferType(source, result.shape(), groups);
  if (!expected && source.rank()) return op.emitOpError() << "invalid source layout map";
  if (expected && !sameView(expected, result))
    return op.emitOpError() << "expected expanded type to be " << expected << " but found "
                            << result;
  return verifyOutputShape(op, "bounds");
}

LogicalResult verifyCollapseShape(Operation& op) {
  CollapseShapeOp collapse(&op);
  MemRefType source = collapse.sourceType(), result = collapse.resultType();
  Reassociation groups = collapse.reassociation();
  if (source.rank() < result.rank())
    return op.emitOpError() << "has source rank " << source.rank() << " and result rank "
                            << result.rank() << ". This is not a collapse (" << source.rank()
                            << " < " << result.rank() << ")";
  if (failed(verifyGroups(op, result, source, groups)) ||
      failed(verifyGroupSizes(op, result, source, groups)))
    return failure();
  if (result.rank() == 0) return success();
  MemRefType expected = CollapseShapeOp::inferType(source, groups);
  if (!expected)
    return op.emitOpError() << "invalid source layout map or collapsing non-contiguous dims";
  if (!sameView(expected, result))
    return op.emitOpError() << "expected collapsed type to be " << expected << " but found "
                            << result;
  return success();
}

// -- transpose ----------------------------------------------------------------------------------

MemRefType TransposeOp::inferType(MemRefType source, AffineMap permutation) {
  std::optional<StridedForm> form = source.stridedForm();
  if (!form) return MemRefType();
  std::vector<int64_t> shape, strides;
  for (AffineExpr dim : permutation.results()) {
    shape.push_back(source.dim(dim.position()));
    strides.push_back(form->strides[dim.position()]);
  }
  Context& context = source.context();
  return MemRefType::get(context, shape, source.elementType(),
                         StridedLayoutAttr::get(context, form->offset, strides),
                         source.memorySpace());
}

LogicalResult verifyTranspose(Operation& op) {
  TransposeOp transpose(&op);
  auto source = transpose.source().type().cast<MemRefType>();
  auto result = transpose.result().type().cast<MemRefType>();
  AffineMap map = transpose.permutation();
  if (!map.isPermutation()) return op.emitOpError() << "expected a permutation map";
  if (map.numDims() != static_cast<unsigned>(source.rank()))
    return op.emitOpError() << "expected a permutation map of same rank as the input";
  MemRefType expected = TransposeOp::inferType(source, map);
  if (!expected) return op.emitOpError() << "expected an input with a strided layout";
  if (!sameView(expected, result))
    return op.emitOpError() << "result type " << result
                            << " is not equivalent to the canonical transposed input type "
                            << expected;
  return success();
}

}  // namespace airlite::memref
