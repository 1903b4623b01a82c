// One side of a copy: where its elements lie in the flat memory of a buffer.
#include "Side.hpp"

#include "airlite/dialect/MemRef.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace airlite::gpu {
namespace {

/// A memref as a piece of its root's memory.
struct Geometry {
  Value root;
  Index offset;
  std::vector<Index> sizes, strides;
};

class GeometryFinder {
 public:
  GeometryFinder(const IndexMath& math, Operation& op) : math_(math), op_(op) {}

  std::optional<Geometry> find(Value memref) {
    if (!memref.type().isa<MemRefType>()) return fail("an unranked memref", memref);
    Operation* def = memref.definingOp();
    auto type = memref.type().cast<MemRefType>();
    auto form = type.stridedForm();
    if (!form) return fail("a layout without strides", memref);
    if (def && def->is("memref.cast")) return find(def->operand(0));
    if (def && def->is("memref.subview")) return ofSubview(memref::SubViewOp(def));
    if (def && def->is("memref.transpose")) return ofTranspose(memref::TransposeOp(def));
    bool isView = def && (def->is("memref.expand_shape") || def->is("memref.collapse_shape"));
    if (isView && form->offset == kDynamic) return ofReshape(*def, memref, *form);
    if (form->offset == kDynamic) return fail("an offset that is not constant", memref);
    Geometry geometry = {memref, Index(form->offset), {}, {}};
    return addShape(geometry, memref, *form);
  }

 private:
  std::optional<Geometry> fail(std::string_view what, Value memref) {
    op_.emitOpError() << "not supported: a copy of a memref with " << what << ": " << memref.type();
    return std::nullopt;
  }

  Index sizeOf(Value memref, size_t dim) {
    auto type = memref.type().cast<MemRefType>();
    if (!type.isDynamicDim(dim)) return Index(type.dim(dim));
    return Index(
        memref::DimOp::create(math_.builder(), math_.location(), memref, static_cast<int64_t>(dim))
            ->result());
  }

  /// Unknown strides are those of a row-major memref, or cannot be told.
  std::optional<Geometry> addShape(Geometry geometry, Value memref, const StridedForm& form) {
    auto type = memref.type().cast<MemRefType>();
    size_t rank = form.strides.size();
    geometry.sizes.resize(rank);
    geometry.strides.resize(rank);
    for (size_t i = 0; i < rank; ++i)
      geometry.sizes[i] = sizeOf(memref, i);
    Index rowMajor = 1;
    for (size_t i = rank; i-- > 0;) {
      bool known = form.strides[i] != kDynamic;
      if (!known && !type.hasIdentityLayout()) return fail("strides that are not constant", memref);
      geometry.strides[i] = known ? Index(form.strides[i]) : rowMajor;
      if (!type.hasStaticShape()) rowMajor = math_.mul(rowMajor, geometry.sizes[i]);
    }
    return geometry;
  }

  static Index indexOf(const memref::MixedIndex& mixed) {
    return mixed.isConstant() ? Index(mixed.constant) : Index(mixed.value);
  }

  std::optional<Geometry> ofSubview(memref::SubViewOp view) {
    std::optional<Geometry> source = find(view.source());
    auto dropped = view.droppedDims();
    if (!source) return source;
    Geometry geometry = {source->root, source->offset, {}, {}};
    auto offsets = view.offsets(), sizes = view.sizes(), strides = view.strides();
    for (size_t i = 0; i < offsets.size(); ++i) {
      Index stride = source->strides[i];
      geometry.offset = math_.add(geometry.offset, math_.mul(indexOf(offsets[i]), stride));
      if (dropped && (*dropped)[i]) continue;
      geometry.sizes.push_back(indexOf(sizes[i]));
      geometry.strides.push_back(math_.mul(indexOf(strides[i]), stride));
    }
    return geometry;
  }

  std::optional<Geometry> ofTranspose(memref::TransposeOp view) {
    std::optional<Geometry> source = find(view.source());
    AffineMap map = view.permutation();
    if (!source || !map.isPermutation()) return source;
    Geometry geometry = {source->root, source->offset, {}, {}};
    for (AffineExpr dim : map.results()) {
      geometry.sizes.push_back(source->sizes[dim.position()]);
      geometry.strides.push_back(source->strides[dim.position()]);
    }
    return geometry;
  }

  std::optional<Geometry> ofReshape(Operation& view, Value memref, const StridedForm& form) {
    std::optional<Geometry> source = find(view.operand(0));
    if (!source) return source;
    Geometry geometry = {source->root, source->offset, {}, {}};
    return addShape(geometry, memref, form);
  }

  const IndexMath& math_;
  Operation& op_;
};

Index indexOf(const air::IndexEntry& entry) {
  return entry.value ? Index(entry.value) : Index(entry.constant);
}

/// Adds sum(offset_k * stride_k).
void addOffsets(const IndexMath& math, Side& side, const air::Access& access,
                std::span<const Index> strides) {
  for (size_t i = 0; i < access.offsets.size() && i < strides.size(); ++i)
    side.base = math.add(side.base, math.mul(indexOf(access.offsets[i]), strides[i]));
}

/// Without sizes: those of the other side where it has as many, else the whole memref.
std::vector<Dim> dimsOf(const Geometry& geometry, const air::Access& access,
                        const air::Access& other) {
  std::vector<Dim> dims;
  for (size_t i = 0; i < access.sizes.size(); ++i)
    dims.push_back({indexOf(access.sizes[i]), indexOf(access.strides[i])});
  if (!access.sizes.empty()) return dims;
  bool partial = !access.offsets.empty() && other.sizes.size() == geometry.sizes.size();
  for (size_t i = 0; i < geometry.sizes.size(); ++i)
    dims.push_back({partial ? indexOf(other.sizes[i]) : geometry.sizes[i], geometry.strides[i]});
  return dims;
}

bool isRowOf(const Dim& outer, const Dim& inner) {
  if (!inner.size.isConstant() || !inner.stride.isConstant()) return false;
  int64_t span = 0;
  return !__builtin_mul_overflow(inner.size.constant, inner.stride.constant, &span) &&
         outer.stride.is(span);
}

void join(Dim& outer, const Dim& inner, int64_t size) {
  outer.size = Index(size);
  outer.stride = inner.stride;
}

/// The size of both, when it is known.
std::optional<int64_t> joinedSize(const Dim& outer, const Dim& inner) {
  int64_t size = 0;
  if (!outer.size.isConstant() || !inner.size.isConstant()) return std::nullopt;
  if (__builtin_mul_overflow(outer.size.constant, inner.size.constant, &size)) return std::nullopt;
  return size;
}

bool sameSize(Index a, Index b) { return a.constant == b.constant && a.value == b.value; }

void dropUnitDims(Side& side) {
  std::erase_if(side.dims, [](const Dim& dim) { return dim.size.is(1); });
}

/// Joins dim `i` with the next one in all `sides` if it may in all.
bool tryJoin(std::span<Side* const> sides, size_t i) {
  auto size = joinedSize(sides[0]->dims[i], sides[0]->dims[i + 1]);
  for (Side* side : sides)
    if (!size || !isRowOf(side->dims[i], side->dims[i + 1])) return false;
  for (Side* side : sides) {
    join(side->dims[i], side->dims[i + 1], *size);
    side->dims.erase(side->dims.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
  return true;
}

void joinRows(std::span<Side* const> sides) {
  for (size_t i = sides[0]->dims.size(); i-- > 0;)
    if (i + 1 < sides[0]->dims.size()) tryJoin(sides, i);
}

/// Elements that the flat memory has to reach over.
Index extent(const IndexMath& math, const MemRefType type, Value root) {
  auto form = type.stridedForm();
  Index last = 0, rows = 1;
  for (size_t i = form->strides.size(); i-- > 0;) {
    Index size = type.isDynamicDim(i) ? Index(memref::DimOp::create(math.builder(), math.location(),
                                                                    root, static_cast<int64_t>(i))
                                                  ->result())
                                      : Index(type.dim(i));
    Index stride = form->strides[i] == kDynamic ? rows : Index(form->strides[i]);
    last = math.add(last, math.mul(math.add(size, -1), stride));
    rows = math.mul(rows, size);
  }
  return math.add(last, 1);
}

/// Those of more than one round; strides that are not known come last.
std::vector<Dim> fromNearToFar(std::span<const Dim> dims) {
  std::vector<Dim> loops;
  for (size_t i = dims.size(); i-- > 0;) {
    Dim dim = dims[i];
    if (dim.size.is(1)) continue;
    if (dim.stride.isConstant()) dim.stride.constant = std::abs(dim.stride.constant);
    loops.push_back(dim);
  }
  std::ranges::stable_sort(loops, {}, [](const Dim& dim) {
    return dim.stride.isConstant() ? dim.stride.constant : std::numeric_limits<int64_t>::max();
  });
  return loops;
}

Value both(const IndexMath& math, Value a, Value b) {
  if (!a) return b;
  return math.builder().create(math.location(), "arith.andi", {a, b}, {a.type()})->result();
}

memref::MixedIndex mixed(Index index) {
  return index.isConstant() ? memref::MixedIndex(index.constant) : memref::MixedIndex(index.value);
}

}  // namespace

std::optional<Side> sideOf(const IndexMath& math, Operation& op, const air::Access& access,
                           const air::Access& other) {
  auto geometry = GeometryFinder(math, op).find(access.memref);
  if (!geometry) return std::nullopt;
  Side side = {geometry->root, geometry->offset, dimsOf(*geometry, access, other)};
  bool ownStrides = access.offsets.size() == access.strides.size();
  std::vector<Index> strides;
  for (const air::IndexEntry& stride : access.strides)
    strides.push_back(indexOf(stride));
  addOffsets(math, side, access, ownStrides ? strides : geometry->strides);
  // The offset of the root itself is part of its flat memory.
  auto form = side.root.type().cast<MemRefType>().stridedForm();
  side.base = math.add(side.base, Index(-form->offset));
  return side;
}

bool hasTwoReadings(const air::Access& access) {
  auto type = access.memref.type().dynCast<MemRefType>();
  auto form = type ? type.stridedForm() : std::nullopt;
  if (!form || access.offsets.size() != form->strides.size() ||
      access.strides.size() != form->strides.size())
    return false;
  for (size_t i = 0; i < form->strides.size(); ++i) {
    auto offset = access.offsets[i].known();
    if (offset != 0 && access.strides[i].known() != form->strides[i]) return true;
  }
  return false;
}

Index volume(const IndexMath& math, const Side& side) {
  Index result = 1;
  for (const Dim& dim : side.dims)
    result = math.mul(result, dim.size);
  return result;
}

void simplify(Side& side) {
  dropUnitDims(side);
  Side* sides[] = {&side};
  joinRows(sides);
}

bool simplifyTogether(Side& a, Side& b) {
  Side x = a, y = b;
  dropUnitDims(x);
  dropUnitDims(y);
  if (x.dims.size() != y.dims.size()) return false;
  for (size_t i = 0; i < x.dims.size(); ++i)
    if (!sameSize(x.dims[i].size, y.dims[i].size)) return false;
  Side* sides[] = {&x, &y};
  joinRows(sides);
  a = x;
  b = y;
  return true;
}

Truth areApart(const IndexMath& math, std::span<const Dim> dims) {
  const std::vector<Dim> loops = fromNearToFar(dims);
  Index reach = 1;  // of the loops before
  Value condition;
  for (size_t i = 0; i < loops.size(); ++i) {
    const auto [size, stride] = loops[i];
    const bool isRow = sameSize(stride, reach), isLast = i + 1 == loops.size();
    if (!isRow && stride.isConstant() && reach.isConstant()) {
      if (stride.constant < reach.constant) return {false, Value()};
    } else if (!isRow) {
      condition = both(math, condition, math.compare(arith::CmpIPredicate::sge, stride, reach));
    }
    if (isLast) break;
    reach = isRow ? math.mul(size, stride) : math.add(reach, math.mul(math.add(size, -1), stride));
  }
  return {true, condition};
}

bool areApart(MemRefType type) {
  const auto form = type.stridedForm();
  if (!form || type.hasIdentityLayout()) return true;
  std::vector<Dim> known;
  for (unsigned i = 0; i < type.rank(); ++i)
    if (form->strides[i] != kDynamic && !type.isDynamicDim(i))
      known.push_back({type.dim(i), form->strides[i]});
  int64_t last = 0;  // of the loops before
  for (const auto& [size, stride] : fromNearToFar(known)) {
    if (stride.constant <= last) return false;
    last += (size.constant - 1) * stride.constant;
  }
  return true;
}

Value flatMemory(const IndexMath& math, const Side& side) {
  auto type = side.root.type().cast<MemRefType>();
  if (type.rank() == 1 && type.hasIdentityLayout()) return side.root;
  Index size = extent(math, type, side.root);
  int64_t offset = type.stridedForm()->offset;
  const int64_t shape[] = {size.isConstant() ? size.constant : kDynamic};
  const int64_t one[] = {1};
  Attribute layout = offset ? StridedLayoutAttr::get(type.context(), offset, one) : Attribute();
  MemRefType flat =
      MemRefType::get(type.context(), shape, type.elementType(), layout, type.memorySpace());
  const memref::MixedIndex sizes[] = {mixed(size)}, strides[] = {memref::MixedIndex(1)};
  return memref::ReinterpretCastOp::create(math.builder(), math.location(), side.root,
                                           memref::MixedIndex(offset), sizes, strides, flat)
      ->result();
}

}  // namespace airlite::gpu
