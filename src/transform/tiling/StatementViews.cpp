#include "StatementViews.hpp"

#include <algorithm>

namespace airlite::tiling {

namespace {

using analysis::LoopIndex;
using memref::MixedIndex;

/// Of one index: a loop of the statement, what its round counts for, and how many there are.
struct Term {
  unsigned loop;
  int64_t factor, count;
};

/// One index of a place, over the loops of its statement.
class IndexReader {
 public:
  IndexReader(const LoopStatements& nest, const LoopIndex& index, const std::vector<size_t>& loops)
      : constant_(index.constant), numLoops_(loops.size()) {
    for (unsigned i = 0; i < loops.size(); ++i)
      if (const int64_t factor = LoopStatements::factor(index, loops[i]))
        terms_.push_back({i, factor, nest.loops[loops[i]].count});
  }

  /// The dimensions that one of `size` elements becomes; empty: none will do.
  std::vector<ViewDim> dimsOf(int64_t size, PlaceUse use) const {
    int64_t least = constant_, most = constant_;
    for (const Term& term : terms_) {
      const int64_t way = term.factor * (term.count - 1);
      (way < 0 ? least : most) += way;
    }
    if (least < 0 || most >= size) return {};
    if (terms_.empty()) return {droppedDim(size, constant_)};
    if (terms_.size() > 1)
      if (std::vector<ViewDim> dims = split(size); !dims.empty()) return dims;
    const bool isBackwards =
        std::ranges::any_of(terms_, [](const Term& t) { return t.factor < 0; });
    if (use == PlaceUse::Store && (terms_.size() > 1 || isBackwards)) return {};
    if (isBackwards && (terms_.size() > 1 || terms_[0].factor != -1)) return {};
    ViewDim dim{size, least, most - least + 1, 1, false, none()};
    for (const Term& term : terms_)
      dim.index.factors[term.loop] = term.factor;
    if (isBackwards) dim.index.constant = most - least;
    if (use == PlaceUse::Store) {
      dim.stride = terms_[0].factor;
      dim.extent = terms_[0].count;
      dim.index.factors[terms_[0].loop] = 1;
    }
    return {dim};
  }

 private:
  LoopIndex none() const { return {0, std::vector<int64_t>(numLoops_, 0)}; }

  ViewDim droppedDim(int64_t size, int64_t at) const { return {size, at, 1, 1, true, none()}; }

  /// Each loop takes turns of all those after it: a dimension for each of them.
  std::vector<ViewDim> split(int64_t size) const {
    std::vector<Term> terms = terms_;
    std::ranges::sort(terms, std::ranges::greater(), &Term::factor);
    std::vector<ViewDim> dims;
    int64_t left = size, at = constant_;
    for (const Term& term : terms) {
      if (term.factor < 1 || left % term.factor) return {};
      ViewDim dim{left / term.factor, at / term.factor, term.count, 1, false, none()};
      if (dim.offset + dim.extent > dim.size) return {};
      dim.index.factors[term.loop] = 1;
      dims.push_back(dim);
      at %= term.factor;
      left = term.factor;
    }
    if (left > 1) dims.push_back(droppedDim(left, at));
    return dims;
  }

  int64_t constant_;
  size_t numLoops_;
  std::vector<Term> terms_;
};

std::vector<int64_t> shapeOf(const LoopStatements& nest, const StatementMemory& memory) {
  if (memory.memref) {
    const auto shape = memory.memref.type().cast<MemRefType>().shape();
    return {shape.begin(), shape.end()};
  }
  std::vector<int64_t> shape;
  for (size_t loop : memory.loops)
    shape.push_back(nest.loops[loop].count);
  shape.insert(shape.end(), memory.shape.begin(), memory.shape.end());
  return shape;
}

AffineExpr exprOf(Context& context, const LoopIndex& index) {
  AffineExpr expr = AffineExpr::constant(context, index.constant);
  for (unsigned loop = 0; loop < index.factors.size(); ++loop)
    expr = expr + AffineExpr::dim(context, loop) * index.factors[loop];
  return expr;
}

/// Of a view with some dimensions left out.
MemRefType withoutDropped(MemRefType full, const std::vector<ViewDim>& dims) {
  const auto form = full.stridedForm();
  std::vector<int64_t> shape, strides;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i].isDropped) continue;
    shape.push_back(full.dim(i));
    strides.push_back(form->strides[i]);
  }
  return MemRefType::get(full.context(), shape, full.elementType(),
                         StridedLayoutAttr::get(full.context(), form->offset, strides),
                         full.memorySpace());
}

}  // namespace

AffineMap PlaceView::map(Context& context, unsigned numLoops) const {
  std::vector<AffineExpr> results;
  for (const std::vector<ViewDim>& parts : dims)
    for (const ViewDim& dim : parts)
      if (!dim.isDropped) results.push_back(exprOf(context, dim.index));
  return AffineMap::get(context, numLoops, 0, results);
}

bool PlaceView::isPartOf(const PlaceView& other) const {
  return std::ranges::equal(dims, other.dims, [](const auto& parts, const auto& others) {
    return std::ranges::equal(parts, others, &ViewDim::hasPartOf);
  });
}

std::optional<PlaceView> viewOfPlace(const LoopStatements& nest, const StatementPlace& place,
                                     const std::vector<size_t>& loops, PlaceUse use) {
  const std::vector<int64_t> shape = shapeOf(nest, nest.memories[place.memory]);
  PlaceView view;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == kDynamic) return std::nullopt;
    view.dims.push_back(IndexReader(nest, place.index[i], loops).dimsOf(shape[i], use));
    if (view.dims.back().empty()) return std::nullopt;
  }
  if (use == PlaceUse::Store && needsRound(place)) {
    ViewDim& last = view.dims.back().back();
    last.isDropped = false;
    last.index.factors.resize(loops.size() + 1);
    last.index.factors.back() = 1;
  }
  return view;
}

bool needsRound(const StatementPlace& place) {
  return !place.index.empty() && std::ranges::all_of(place.index, [](const LoopIndex& index) {
    return std::ranges::all_of(index.factors, [](int64_t factor) { return factor == 0; });
  });
}

Value makeView(const PlaceView& view, Builder& builder, Location location, Value memref) {
  std::vector<ViewDim> dims;
  std::vector<int64_t> shape, offsets, sizes, strides;
  memref::Reassociation groups;
  for (const std::vector<ViewDim>& parts : view.dims) {
    groups.emplace_back();
    for (const ViewDim& dim : parts) {
      groups.back().push_back(static_cast<int64_t>(dims.size()));
      dims.push_back(dim);
      shape.push_back(dim.size);
      offsets.push_back(dim.offset);
      sizes.push_back(dim.extent);
      strides.push_back(dim.stride);
    }
  }
  if (dims.size() > view.dims.size())
    memref = memref::ExpandShapeOp::create(builder, location, memref, shape, groups).result();
  const bool isWhole = sizes == shape && std::ranges::none_of(dims, &ViewDim::isDropped);
  if (isWhole) return memref;
  const auto type = memref.type().cast<MemRefType>();
  const MemRefType full = memref::SubViewOp::inferType(type, offsets, sizes, strides);
  const auto mixed = [](const std::vector<int64_t>& list) {
    return std::vector<MixedIndex>(list.begin(), list.end());
  };
  return memref::SubViewOp::create(builder, location, memref, mixed(offsets), mixed(sizes),
                                   mixed(strides), withoutDropped(full, dims))
      .result();
}

}  // namespace airlite::tiling
