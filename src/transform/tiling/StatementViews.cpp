#include "StatementViews.hpp"

#include <algorithm>

namespace airlite::tiling {

bool isTurned(const Statement& statement, size_t loop) {
  return std::ranges::any_of(statement.to.index, [&](const analysis::LoopIndex& index) {
    return LoopStatements::factor(index, loop) < 0;
  });
}

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
  IndexReader(const LoopStatements& nest, const Statement& statement, const LoopIndex& index)
      : constant_(index.constant), numLoops_(statement.loops.size()) {
    for (unsigned i = 0; i < numLoops_; ++i) {
      const size_t loop = statement.loops[i];
      int64_t factor = LoopStatements::factor(index, loop);
      if (factor == 0) continue;
      const int64_t count = nest.loops[loop].count;
      if (isTurned(statement, loop)) constant_ += factor * (count - 1), factor = -factor;
      terms_.push_back({i, factor, count});
    }
  }

  /// Whether these have steps that divide the dimension.
  bool isEven() const { return isEven_; }

  /// The dimensions that one of `size` elements becomes; empty: none will do.
  std::vector<ViewDim> dimsOf(int64_t size, PlaceUse use) {
    int64_t least = constant_, most = constant_;
    for (const Term& term : terms_) {
      const int64_t way = term.factor * (term.count - 1);
      (way < 0 ? least : most) += way;
    }
    if (least < 0 || most >= size) return {};
    if (terms_.empty()) return {droppedDim(size, constant_)};
    if (terms_.size() > 1)
      if (std::vector<ViewDim> dims = split(size); !dims.empty()) return dims;
    isEven_ = true;
    const bool isBackwards =
        std::ranges::any_of(terms_, [](const Term& t) { return t.factor < 0; });
    if (use == PlaceUse::Store && (terms_.size() > 1 || isBackwards)) return {};
    if (isBackwards && (terms_.size() > 1 || terms_[0].factor != -1)) return {};
    ViewDim dim{size, 1, least, most - least + 1, 1, false, none()};
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

  ViewDim droppedDim(int64_t size, int64_t at) const { return {size, 1, at, 1, 1, true, none()}; }

  /// Each loop takes turns of all those after it: a dimension for each of them.
  std::vector<ViewDim> split(int64_t size) {
    std::vector<Term> terms = terms_;
    std::ranges::sort(terms, std::ranges::greater(), &Term::factor);
    std::vector<ViewDim> dims;
    int64_t left = size, at = constant_;
    for (const Term& term : terms) {
      if (term.factor < 1) return {};
      ViewDim dim{left / term.factor, term.factor, at / term.factor, term.count, 1, false, none()};
      const bool isFirst = dims.empty();
      if (left % term.factor) isEven_ = false;
      if (isFirst && !isEven_) ++dim.size;
      if (dim.offset + dim.extent > dim.size) return {};
      dim.index.factors[term.loop] = 1;
      dims.push_back(dim);
      at %= term.factor;
      left = term.factor;
    }
    if (left > 1) dims.push_back(droppedDim(left, at));
    return dims;
  }

  bool isEven_ = true;
  int64_t constant_;
  size_t numLoops_;
  std::vector<Term> terms_;
};

/// Of an uneven view: transfers move words of 4 bytes, and rows that are none are only aligned in views of other kinds.
bool hasWholeWords(const PlaceView& view, const StatementMemory& memory,
                   const std::vector<int64_t>& shape) {
  constexpr int64_t kWord = 4;
  if (!memory.part.empty()) return false;
  if (memory.memref && !memory.memref.type().cast<MemRefType>().hasIdentityLayout()) return false;
  int64_t bytes = std::max<int64_t>(1, memory.element.bitWidth() / 8);
  for (size_t i = shape.size(); i-- > 0;) {
    for (const ViewDim& dim : view.dims[i]) {
      const int64_t stride = bytes * dim.step * dim.stride;
      const bool isRow = i + 1 == shape.size() && dim.step * dim.stride == 1;
      if ((!isRow && !dim.isDropped && stride % kWord) || bytes * dim.step * dim.offset % kWord)
        return false;
    }
    bytes *= shape[i];
  }
  return true;
}

AffineExpr exprOf(Context& context, const LoopIndex& index) {
  AffineExpr expr = AffineExpr::constant(context, index.constant);
  for (unsigned loop = 0; loop < index.factors.size(); ++loop)
    expr = expr + AffineExpr::dim(context, loop) * index.factors[loop];
  return expr;
}

std::vector<MixedIndex> mixed(const std::vector<int64_t>& list) {
  return {list.begin(), list.end()};
}

}  // namespace

AffineMap PlaceView::map(Context& context, unsigned numLoops) const {
  std::vector<AffineExpr> results;
  for (const std::vector<ViewDim>& parts : dims)
    for (const ViewDim& dim : parts)
      if (!dim.isDropped) results.push_back(exprOf(context, dim.index));
  return AffineMap::get(context, numLoops, 0, results);
}

bool ViewDim::isBackwards() const {
  return std::ranges::any_of(index.factors, [](int64_t factor) { return factor < 0; });
}

bool PlaceView::isBackwards(unsigned dim) const {
  for (const std::vector<ViewDim>& parts : dims)
    for (const ViewDim& part : parts)
      if (!part.isDropped && dim-- == 0) return part.isBackwards();
  return false;
}

bool PlaceView::isBackwards() const {
  return std::ranges::any_of(
      dims, [](const auto& parts) { return std::ranges::any_of(parts, &ViewDim::isBackwards); });
}

PlaceView PlaceView::forwards() const {
  PlaceView view = *this;
  for (std::vector<ViewDim>& parts : view.dims)
    for (ViewDim& dim : parts) {
      if (!dim.isBackwards()) continue;
      dim.index.constant = 0;
      for (int64_t& factor : dim.index.factors)
        factor = -factor;
    }
  return view;
}

bool PlaceView::isPartOf(const PlaceView& other) const {
  return std::ranges::equal(dims, other.dims, [](const auto& parts, const auto& others) {
    return std::ranges::equal(parts, others, &ViewDim::hasPartOf);
  });
}

std::optional<PlaceView> viewOfPlace(const LoopStatements& nest, const Statement& statement,
                                     const StatementPlace& place, PlaceUse use) {
  const std::vector<int64_t> shape = nest.shapeOf(place.memory);
  PlaceView view;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == kDynamic) return std::nullopt;
    IndexReader reader(nest, statement, place.index[i]);
    view.dims.push_back(reader.dimsOf(shape[i], use));
    if (view.dims.back().empty()) return std::nullopt;
    view.isEven &= reader.isEven();
  }
  if (!view.isEven && !hasWholeWords(view, nest.memories[place.memory], shape)) return std::nullopt;
  if (use == PlaceUse::Store && needsRound(place)) {
    ViewDim& last = view.dims.back().back();
    last.isDropped = false;
    last.index.factors.resize(statement.loops.size() + 1);
    last.index.factors.back() = 1;
  }
  return view;
}

bool needsRound(const StatementPlace& place) {
  return !place.index.empty() && std::ranges::all_of(place.index, [](const LoopIndex& index) {
    return std::ranges::all_of(index.factors, [](int64_t factor) { return factor == 0; });
  });
}

/// Steps do not divide the dimensions: rows that lie one after the other are taken as they lie.
static Value makeUnevenView(const PlaceView& view, Builder& builder, Location location,
                            Value memref) {
  const auto type = memref.type().cast<MemRefType>();
  const std::vector<int64_t> own = type.stridedForm()->strides;
  int64_t offset = 0;
  std::vector<int64_t> sizes, strides;
  for (size_t i = 0; i < own.size(); ++i)
    for (const ViewDim& dim : view.dims[i]) {
      offset += dim.offset * dim.step * own[i];
      if (dim.isDropped) continue;
      sizes.push_back(dim.extent);
      strides.push_back(dim.stride * dim.step * own[i]);
    }
  const auto made =
      MemRefType::get(type.context(), sizes, type.elementType(),
                      StridedLayoutAttr::get(type.context(), offset, strides), type.memorySpace());
  return memref::ReinterpretCastOp::create(builder, location, memref, MixedIndex(offset),
                                           mixed(sizes), mixed(strides), made)
      .result();
}

Value makeView(const PlaceView& view, Builder& builder, Location location, Value memref) {
  if (!view.isEven) return makeUnevenView(view, builder, location, memref);
  std::vector<int64_t> shape, offsets, sizes, strides;
  std::vector<bool> dropped;
  memref::Reassociation groups;
  for (const std::vector<ViewDim>& parts : view.dims) {
    groups.emplace_back();
    for (const ViewDim& dim : parts) {
      groups.back().push_back(static_cast<int64_t>(shape.size()));
      shape.push_back(dim.size);
      offsets.push_back(dim.offset);
      sizes.push_back(dim.extent);
      strides.push_back(dim.stride);
      dropped.push_back(dim.isDropped);
    }
  }
  if (shape.size() > view.dims.size())
    memref = memref::ExpandShapeOp::create(builder, location, memref, shape, groups).result();
  const bool isWhole = sizes == shape && std::ranges::count(dropped, true) == 0;
  if (isWhole) return memref;
  const MemRefType type = memref::SubViewOp::inferReducedType(memref.type().cast<MemRefType>(),
                                                              offsets, sizes, strides, dropped);
  return memref::SubViewOp::create(builder, location, memref, mixed(offsets), mixed(sizes),
                                   mixed(strides), type)
      .result();
}

}  // namespace airlite::tiling
