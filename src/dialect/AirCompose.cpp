// Views of memory (subview, cast, reinterpret_cast, transpose, expand and collapse) move into the
// access lists of the transfers that use them; lists that say "the whole memref" become empty.
//
// A view is followed from its base as a list of dims, each with an offset, a size and a stride in
// elements; what a dim that is left out adds to the address becomes a dim of size 1 in front. Where
// that cannot be said exactly (dynamic strides, padding whose dims would shift, offsets that are
// memref coordinates) the transfer keeps the view. An offset into a dim that a view covers in full
// is 0: any other would leave the buffer, which memref.subview does not allow.
#include "AirSyntax.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>

namespace airlite::air {

namespace {

using memref::MixedIndex;

constexpr int64_t kUnknown = kDynamic;  // as a constant without a value: nobody knows

bool isKnown(const MixedIndex& index) { return index.value || index.constant != kUnknown; }
std::optional<int64_t> constantOf(const MixedIndex& index) {
  if (index.value) return constantIntOf(index.value);
  return index.constant == kUnknown ? std::nullopt : std::optional<int64_t>(index.constant);
}

/// constant + sum of value * factor.
struct Offset {
  int64_t constant = 0;
  std::vector<std::pair<Value, int64_t>> terms;

  bool isZero() const { return constant == 0 && terms.empty(); }
  /// False when a number leaves 64 bits.
  bool add(const Offset& other, int64_t factor) {
    int64_t product = 0;
    if (__builtin_mul_overflow(other.constant, factor, &product) ||
        __builtin_add_overflow(constant, product, &constant))
      return false;
    for (auto [value, own] : other.terms) {
      if (__builtin_mul_overflow(own, factor, &product)) return false;
      terms.emplace_back(value, product);
    }
    return true;
  }
  /// Of a positive number.
  bool isMultipleOf(int64_t divisor) const {
    if (divisor <= 0 || constant % divisor) return false;
    for (auto [value, factor] : terms)
      if (factor % divisor) return false;
    return true;
  }
  void divideBy(int64_t divisor) {
    constant /= divisor;
    for (auto& [value, factor] : terms)
      factor /= divisor;
  }
};

Offset offsetOf(const MixedIndex& index) {
  if (std::optional<int64_t> constant = constantOf(index)) return {*constant, {}};
  return {0, {{index.value, 1}}};
}

struct Dim {
  Offset offset;  // in steps of `stride`
  MixedIndex size, stride;
};

/// A memref as a piece of another one.
struct View {
  Value base;
  std::vector<Dim> dims;
  std::vector<Dim> inFront;  // of size 1: parts of the address that no dim of the view has
};

// -- From a base through each kind of view --------------------------------------------------------

View wholeOf(Value memref) {
  View view{memref, {}, {}};
  MemRefType type = memref.type().dynCast<MemRefType>();
  if (!type) return view;
  auto form = type.stridedForm();
  for (size_t i = 0; i < type.shape().size(); ++i) {
    int64_t stride = form ? form->strides[i] : kUnknown;
    view.dims.push_back({{}, MixedIndex(type.shape()[i]), MixedIndex(stride)});
  }
  return view;
}

/// Takes the offset out of `dim`, to the front.
void moveToFront(View& view, Dim& dim) {
  if (dim.offset.isZero()) return;
  view.inFront.push_back({dim.offset, MixedIndex(1), dim.stride});
  dim.offset = {};
}

bool applyStep(View& view, Dim& dim, const MixedIndex& step) {
  std::optional<int64_t> factor = constantOf(step), stride = constantOf(dim.stride);
  if (factor == 1) return true;
  int64_t product = 0;
  if (!factor || !stride || __builtin_mul_overflow(*factor, *stride, &product)) return false;
  if (dim.offset.isMultipleOf(*factor))
    dim.offset.divideBy(*factor);
  else
    moveToFront(view, dim);
  dim.stride = MixedIndex(product);
  return true;
}

bool narrow(View& view, Dim& dim, const MixedIndex& offset, const MixedIndex& size,
            const MixedIndex& step) {
  std::optional<int64_t> all = constantOf(dim.size), part = constantOf(size);
  bool covers = all && all == part && constantOf(step) == 1;
  if (!covers && !dim.offset.add(offsetOf(offset), 1)) return false;
  dim.size = size;
  return applyStep(view, dim, step);
}

bool applySubView(memref::SubViewOp op, View& view) {
  auto offsets = op.offsets(), sizes = op.sizes(), steps = op.strides();
  auto dropped = op.droppedDims();
  if (view.dims.size() != offsets.size() || !dropped) return false;
  std::vector<Dim> kept;
  for (size_t i = 0; i < view.dims.size(); ++i) {
    Dim dim = view.dims[i];
    if (!narrow(view, dim, offsets[i], sizes[i], steps[i])) return false;
    if ((*dropped)[i])
      moveToFront(view, dim);
    else
      kept.push_back(dim);
  }
  view.dims = std::move(kept);
  return true;
}

bool applyTranspose(memref::TransposeOp op, View& view) {
  AffineMap permutation = op.permutation();
  if (view.dims.size() != permutation.numResults()) return false;
  std::vector<Dim> moved;
  for (unsigned i = 0; i < permutation.numResults(); ++i)
    moved.push_back(view.dims[permutation.result(i).position()]);
  view.dims = std::move(moved);
  return true;
}

/// The dims of `shape` that `dim` splits into; empty when a stride is not known.
bool split(const Dim& dim, std::span<const MixedIndex> shape, std::vector<Dim>& out) {
  std::vector<Dim> inner(shape.size());
  MixedIndex stride = dim.stride;
  for (size_t i = shape.size(); i--;) {
    inner[i] = {{}, shape[i], stride};
    if (i == 0) break;
    std::optional<int64_t> step = constantOf(stride), size = constantOf(shape[i]);
    int64_t product = 0;
    if (!step || !size || __builtin_mul_overflow(*step, *size, &product)) return false;
    stride = MixedIndex(product);
  }
  if (inner.empty()) return false;
  inner.back().offset = dim.offset;
  out.insert(out.end(), inner.begin(), inner.end());
  return true;
}

bool applyExpand(memref::ExpandShapeOp op, View& view) {
  std::vector<MixedIndex> shape = op.outputShape();
  memref::Reassociation groups = op.reassociation();
  if (groups.size() != view.dims.size()) return false;
  std::vector<Dim> dims;
  // Expanding a memref without dims gives dims of size 1.
  if (groups.empty())
    for (const MixedIndex& size : shape)
      dims.push_back({{}, size, MixedIndex(1)});
  for (size_t g = 0, at = 0; g < groups.size(); at += groups[g++].size())
    if (!split(view.dims[g], std::span(shape).subspan(at, groups[g].size()), dims)) return false;
  view.dims = std::move(dims);
  return true;
}

/// One dim for a group that lies one after another in memory.
bool join(View& view, std::span<const Dim> group, Dim& joined) {
  joined = {{}, MixedIndex(1), group.empty() ? MixedIndex(1) : group.back().stride};
  int64_t size = 1;
  bool known = true;
  for (const Dim& dim : group) {
    std::optional<int64_t> own = constantOf(dim.size);
    known &= own && !__builtin_mul_overflow(size, own.value_or(1), &size);
    if (own != 1) joined.stride = dim.stride;
  }
  joined.size = MixedIndex(known ? size : kUnknown);
  std::optional<int64_t> unit = constantOf(joined.stride);
  for (Dim dim : group) {
    std::optional<int64_t> stride = constantOf(dim.stride);
    bool fits = stride && unit && *unit > 0 && *stride % *unit == 0;
    if (!fits)
      moveToFront(view, dim);
    else if (!joined.offset.add(dim.offset, *stride / *unit))
      return false;
  }
  return true;
}

bool applyCollapse(memref::CollapseShapeOp op, View& view) {
  memref::Reassociation groups = op.reassociation();
  std::vector<Dim> dims;
  size_t at = 0;
  for (const std::vector<int64_t>& group : groups) {
    if (at + group.size() > view.dims.size()) return false;
    Dim joined;
    if (!join(view, std::span(view.dims).subspan(at, group.size()), joined)) return false;
    dims.push_back(joined);
    at += group.size();
  }
  // Collapsing to no dim at all: every dim is of size 1.
  for (; at < view.dims.size(); ++at)
    moveToFront(view, view.dims[at]);
  view.dims = std::move(dims);
  return true;
}

/// Sizes that the cast knows better.
bool applyCast(memref::CastOp op, View& view) {
  MemRefType type = op.result().type().dynCast<MemRefType>();
  if (!op.source().type().isa<MemRefType>()) return false;
  if (!type) return true;
  for (size_t i = 0; i < view.dims.size(); ++i)
    if (!isKnown(view.dims[i].size)) view.dims[i].size = MixedIndex(type.shape()[i]);
  return true;
}

bool keepsPointer(Operation& op) {
  return isa<memref::SubViewOp>(&op) || isa<memref::CastOp>(&op) || isa<memref::TransposeOp>(&op) ||
         isa<memref::ExpandShapeOp>(&op) || isa<memref::CollapseShapeOp>(&op) ||
         isa<memref::ReinterpretCastOp>(&op);
}

/// A reinterpret_cast counts from the start of the buffer, whatever view it is given.
bool applyReinterpretCast(memref::ReinterpretCastOp op, View& view) {
  Value root = op.source();
  while (root.definingOp() && keepsPointer(*root.definingOp()))
    root = root.definingOp()->operand(0);
  if (MemRefType type = root.type().dynCast<MemRefType>()) {
    auto form = type.stridedForm();
    if (!form || form->offset != 0) return false;
  }
  std::vector<MixedIndex> sizes = op.sizes(), strides = op.strides();
  view = {root, {}, {}};
  for (size_t i = 0; i < sizes.size(); ++i)
    view.dims.push_back({{}, sizes[i], strides[i]});
  Dim flat{offsetOf(op.offsets()[0]), MixedIndex(1), MixedIndex(1)};
  for (size_t i = view.dims.size(); i-- && !flat.offset.isZero();)
    if (constantOf(view.dims[i].stride) == 1) std::swap(view.dims[i].offset, flat.offset);
  moveToFront(view, flat);
  return true;
}

bool apply(Operation& op, View& view) {
  if (auto v = dynCast<memref::SubViewOp>(&op)) return applySubView(v, view);
  if (auto v = dynCast<memref::CastOp>(&op)) return applyCast(v, view);
  if (auto v = dynCast<memref::TransposeOp>(&op)) return applyTranspose(v, view);
  if (auto v = dynCast<memref::ExpandShapeOp>(&op)) return applyExpand(v, view);
  if (auto v = dynCast<memref::CollapseShapeOp>(&op)) return applyCollapse(v, view);
  return applyReinterpretCast(memref::ReinterpretCastOp(&op), view);
}

/// `memref` as a piece of what lies as far back as can be said exactly.
View viewOf(Value memref) {
  std::vector<Operation*> chain;
  Value root = memref;
  for (Operation* op = root.definingOp(); op && keepsPointer(*op); op = root.definingOp()) {
    chain.push_back(op);
    root = op->operand(0);
  }
  View view = wholeOf(root);
  for (size_t i = chain.size(); i--;)
    if (!apply(*chain[i], view)) view = wholeOf(chain[i]->result());
  return view;
}

// -- Into the lists -------------------------------------------------------------------------------

struct Lists {
  std::vector<Dim> dims;
  bool isValid = false;
};

/// The view as it is: all its dims.
Lists listsOfWhole(const View& view) {
  Lists lists{view.inFront, true};
  lists.dims.insert(lists.dims.end(), view.dims.begin(), view.dims.end());
  // One element: empty lists would mean the whole base.
  if (lists.dims.empty()) lists.dims.push_back({{}, MixedIndex(1), MixedIndex(1)});
  for (const Dim& dim : lists.dims)
    lists.isValid &= isKnown(dim.size) && isKnown(dim.stride);
  return lists;
}

/// How much `stride` of a list entry has to be multiplied by to give `wanted`; 0: not possible.
int64_t ratio(const MixedIndex& wanted, const MixedIndex& stride) {
  if (wanted.value && wanted.value == stride.value) return 1;
  std::optional<int64_t> a = constantOf(wanted), b = constantOf(stride);
  return a && b && *b > 0 && *a % *b == 0 ? *a / *b : 0;
}

/// Adds the offset of one dim of the view to the list entry that steps alike, `preferred` first.
bool addToLists(const Dim& dim, size_t preferred, Lists& lists) {
  if (dim.offset.isZero()) return true;
  if (!isKnown(dim.stride)) return false;
  auto tryEntry = [&](size_t i, bool exactly) {
    int64_t factor = ratio(dim.stride, lists.dims[i].stride);
    return factor && (!exactly || factor == 1) && lists.dims[i].offset.add(dim.offset, factor);
  };
  for (bool exactly : {true, false}) {
    if (preferred < lists.dims.size() && tryEntry(preferred, exactly)) return true;
    for (size_t i = lists.dims.size(); i--;)
      if (tryEntry(i, exactly)) return true;
  }
  lists.dims.insert(lists.dims.begin(), {dim.offset, MixedIndex(1), dim.stride});
  return true;
}

MixedIndex mixed(const IndexEntry& entry) {
  return entry.value ? MixedIndex(entry.value) : MixedIndex(entry.constant);
}

/// The op's own lists, counted from where the view begins.
Lists listsOfPart(const Access& access, const View& view) {
  Lists lists{{}, true};
  size_t count = access.offsets.size();
  if (count != access.sizes.size() || count != access.strides.size()) return {};
  for (size_t i = 0; i < count; ++i)
    lists.dims.push_back(
        {offsetOf(mixed(access.offsets[i])), mixed(access.sizes[i]), mixed(access.strides[i])});
  for (size_t i = view.dims.size(); i--;) {
    size_t fromBack = view.dims.size() - i;
    size_t preferred = fromBack <= lists.dims.size() ? lists.dims.size() - fromBack : count;
    if (!addToLists(view.dims[i], preferred, lists)) return {};
  }
  for (const Dim& dim : view.inFront)
    if (!addToLists(dim, lists.dims.size(), lists)) return {};
  return lists;
}

/// Whether the lists walk through all of `memref` in the order of its elements.
bool coversInOrder(const Lists& lists, Value memref) {
  MemRefType type = memref.type().dynCast<MemRefType>();
  if (!type || !type.hasStaticShape()) return false;
  auto form = type.stridedForm();
  MemRefType plain = MemRefType::get(type.context(), type.shape(), type.elementType());
  if (!form || form->strides != plain.stridedForm()->strides) return false;
  int64_t run = 1;
  for (size_t i = lists.dims.size(); i--;) {
    const Dim& dim = lists.dims[i];
    std::optional<int64_t> size = constantOf(dim.size), stride = constantOf(dim.stride);
    if (!dim.offset.isZero() || !size || !stride) return false;
    bool dummy = *size == 1 && *stride == 0;
    if (!dummy && *stride != run) return false;
    if (__builtin_mul_overflow(run, *size, &run)) return false;
  }
  return run == type.numElements();
}

// -- The rewrite ----------------------------------------------------------------------------------

Value materialize(const Offset& offset, Location location, Rewriter& rewriter) {
  Value sum;
  auto create = [&](std::string_view name, Value a, Value b) {
    return rewriter.create(location, name, {a, b}, {rewriter.indexType()})->result();
  };
  for (auto [value, factor] : offset.terms) {
    Value term = value;
    if (factor != 1) term = create("arith.muli", value, rewriter.constantIndex(location, factor));
    sum = sum ? create("arith.addi", sum, term) : term;
  }
  if (offset.constant == 0) return sum;
  return create("arith.addi", sum, rewriter.constantIndex(location, offset.constant));
}

void setList(Operation& op, const ListNames& names, std::span<const MixedIndex> list) {
  std::vector<int64_t> statics;
  std::vector<Value> values;
  memref::splitMixed(list, statics, values);
  op.setAttr(names.statics, DenseArrayAttr::getI64(op.context(), statics));
  op.setOperandGroup(static_cast<unsigned>(op.def().operandIndex(names.values)), values);
}

void setLists(Operation& op, const AccessNames& side, Value memref, const Lists& lists,
              Rewriter& rewriter) {
  std::vector<MixedIndex> offsets, sizes, strides;
  rewriter.setBefore(op);
  for (const Dim& dim : lists.dims) {
    bool isConstant = dim.offset.terms.empty();
    offsets.push_back(isConstant ? MixedIndex(dim.offset.constant)
                                 : MixedIndex(materialize(dim.offset, op.location(), rewriter)));
    sizes.push_back(dim.size);
    strides.push_back(dim.stride);
  }
  rewriter.modify(op, [&] {
    setList(op, side.offsets, offsets);
    setList(op, side.sizes, sizes);
    setList(op, side.strides, strides);
    op.setOperandGroup(static_cast<unsigned>(op.def().operandIndex(side.memref)), {&memref, 1});
    // A number that was given to the transfer as it was; passes that need numbers give new ones.
    op.removeAttr("id");
  });
}

/// As many elements as the memref has, as far as numbers say it.
bool mayCoverAll(std::span<const int64_t> sizes, Value memref) {
  MemRefType type = memref.type().dynCast<MemRefType>();
  if (!type || !type.hasStaticShape()) return false;
  int64_t count = 1;
  for (int64_t size : sizes)
    if (size == kDynamic || __builtin_mul_overflow(count, size, &count)) return true;
  return count == type.numElements();
}

/// The buffer is not a view, and the access does not cover all of it, or nobody knows where it begins;
/// or it is all of it already.
bool staysAsItIs(Operation& op, const AccessNames& side) {
  AccessParts parts = partsOf(op, side);
  Operation* def = parts.memref.definingOp();
  if (def && keepsPointer(*def)) return false;
  OperandRange dynamic = parts.offsets.values;
  bool isOpen = std::any_of(dynamic.begin(), dynamic.end(),
                            [](Value offset) { return !constantIntOf(offset); });
  if (isOpen) return true;
  auto offsets = parts.offsets.entries(), sizes = parts.sizes.entries();
  bool isAhead = std::any_of(offsets.begin(), offsets.end(),
                             [](int64_t offset) { return offset != 0 && offset != kDynamic; });
  if (isAhead) return true;
  if (!sizes.empty()) return !mayCoverAll(sizes, parts.memref);
  return parts.offsets.length() == 0 && parts.strides.length() == 0 && parts.sizes.length() == 0;
}

LogicalResult composeSide(Operation& op, const AccessNames& side, const Access& access,
                          Rewriter& rewriter) {
  bool padded = op.hasAttr("pad_before") || op.hasAttr("pad_after");
  View view = viewOf(access.memref);
  bool moves = view.base != access.memref;
  if (!moves && access.isWhole()) return failure();
  Lists lists = access.isWhole() ? listsOfWhole(view) : listsOfPart(access, view);
  size_t ownDims = access.isWhole() ? view.dims.size() : access.sizes.size();
  // Padding goes with the dims by their number.
  if (!lists.isValid || (padded && lists.dims.size() != ownDims)) return failure();
  bool whole = !padded && coversInOrder(lists, view.base);
  if (!moves && !whole) return failure();
  if (whole) lists.dims.clear();
  setLists(op, side, view.base, lists, rewriter);
  return success();
}

/// A cascade moves a whole buffer: only casts can be looked through.
LogicalResult composeCast(Operation& op, const AccessNames& side, const Access& access,
                          Rewriter& rewriter) {
  Operation* def = access.memref.definingOp();
  memref::CastOp cast = def ? dynCast<memref::CastOp>(def) : memref::CastOp();
  if (!cast || !access.isWhole() || !cast.source().type().isa<MemRefType>()) return failure();
  Value source = cast.source();
  rewriter.modify(op, [&] {
    op.setOperandGroup(static_cast<unsigned>(op.def().operandIndex(side.memref)), {&source, 1});
  });
  return success();
}

}  // namespace

LogicalResult composeDmaViews(Operation& op, Rewriter& rewriter) {
  DmaMemcpyNdOp dma(&op);
  bool changed = !staysAsItIs(op, kSrc) && succeeded(composeSide(op, kSrc, dma.src(), rewriter));
  changed |= !staysAsItIs(op, kDst) && succeeded(composeSide(op, kDst, dma.dst(), rewriter));
  return success(changed);
}

LogicalResult composeChannelViews(Operation& op, Rewriter& rewriter) {
  ChannelAccessOp transfer(&op);
  const AccessNames& side = transfer.isPut() ? kSrc : kDst;
  if (staysAsItIs(op, side)) return failure();
  Access access = transfer.access();
  // Looking the channel up takes as long as there are symbols: not where it makes no difference.
  if (access.isWhole() && viewOf(access.memref).base == access.memref) return failure();
  ChannelOp channel = transfer.channel();
  if (!channel) return failure();  // it may be a cascade
  if (channel.canonicalType() == "npu_cascade") return composeCast(op, side, access, rewriter);
  return composeSide(op, side, access, rewriter);
}

}  // namespace airlite::air
