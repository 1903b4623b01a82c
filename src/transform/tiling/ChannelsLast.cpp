// air-channels-last: convolutions and pooling on images whose channels lie outside become ones whose channels lie side by side.
//
//   pool(x: [n, c, h, w]) -> y    ->    t = transpose x: [n, h, w, c]; pool t -> s; transpose s -> y
//
// Matches, on buffers of the host of static shape, linalg.pooling_nchw_max and _sum, linalg.conv_2d_nchw_fchw and
// linalg.depthwise_conv_2d_nchw_chw, and linalg.conv_1d_ncw_fcw as one on images of one row, where that is worth the launches that transpose. Vectors along rows of such an image would begin at any element, or at every second one; channels that lie side by side
// are whole vectors, and rows of factors of the matrix unit. Three transposes cost the bytes twice more.
//
// Convolutions of few channels get eight of them, the others zeros, which the matrix unit takes at once (FewChannels.hpp): image and filter are copied by loops
// that cores share, and an image that the program pads with zeros is padded by these.
//
// Declines: fewer channels than are worth a vector, but for convolutions whose window moves by more than one element or whose rows are no
// whole words; depthwise convolutions of integers where neither is so, whose rows cores shift; convolutions by single elements; with `exact` convolutions of floats, whose sums would have another order.
#include "CollapsedViews.hpp"
#include "FewChannels.hpp"
#include "FillBefore.hpp"
#include "TilePlan.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/transform/ArrayDefaults.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string_view>
#include <vector>

namespace airlite {

namespace {

using linalg::StructuredOp;

/// Which dimension of the old operand each one of the new operand is.
using Order = std::vector<int64_t>;

struct Row {
  std::string_view name, channelsLast;
  Order filter;
  bool sumsChannels = false;
};

const Order kImage = {0, 2, 3, 1};

const Row* rowOf(const Operation& op) {
  static const Row kRows[] = {
      {"linalg.conv_2d_nchw_fchw", "linalg.conv_2d_nhwc_hwcf", {2, 3, 1, 0}, true},
      {"linalg.depthwise_conv_2d_nchw_chw", "linalg.depthwise_conv_2d_nhwc_hwc", {1, 2, 0}},
      {"linalg.pooling_nchw_max", "linalg.pooling_nhwc_max", {0, 1}},
      {"linalg.pooling_nchw_sum", "linalg.pooling_nhwc_sum", {0, 1}},
  };
  const auto row = std::ranges::find_if(kRows, [&](const Row& known) { return op.is(known.name); });
  return row == std::end(kRows) ? nullptr : &*row;
}

bool isPlain(Value value) {
  auto type = value.type().dynCast<MemRefType>();
  return type && type.hasStaticShape() && air::memoryLevel(type) == air::MemoryLevel::L3;
}

bool isOneRun(Value value) { return value.type().cast<MemRefType>().hasIdentityLayout(); }

/// Whether the window moves by one element each time.
bool movesByOne(const Operation& op) {
  const auto strides = op.attrOf<DenseElementsAttr>("strides");
  return !strides || (strides.isSplat() && strides.splatValue().cast<IntegerAttr>().value() == 1);
}

/// A window of one element that goes over each: the op is a product of matrices as it is.
bool isProduct(const Operation& op) {
  const auto window = op.operand(1).type().cast<MemRefType>();
  return movesByOne(op) && window.dim(window.rank() - 2) == 1 && window.dim(window.rank() - 1) == 1;
}

/// Whether cores take rows as they are: the window moves by one element, and a DMA moves rows.
bool hasEasyRows(const Operation& op) {
  const auto image = op.operand(0).type().cast<MemRefType>();
  return movesByOne(op) && image.dim(3) * image.elementType().bitWidth() / 8 % aie::kWordBytes == 0;
}

/// Whether cores take all rows of an image with its results as one (air-join-window-rows): a DMA moves these from row to row of the
/// image.
bool hasJoinedRows(const Operation& op) {
  const auto image = op.operand(0).type().cast<MemRefType>(),
             result = op.operand(2).type().cast<MemRefType>();
  const int64_t bytes = elementBytesOf(op.operand(0)), ofResult = elementBytesOf(op.operand(2));
  return movesByOne(op) && image.dim(2) * image.dim(3) * bytes % aie::kWordBytes == 0 &&
         image.dim(3) * ofResult % aie::kWordBytes == 0 &&
         result.dim(3) * ofResult % aie::kWordBytes == 0;
}

/// Whether a DMA moves images to cores as they are: rows are whole words, or so many planes that are have room twice.
bool canMoveRows(const Operation& op, int64_t l1Bytes) {
  const auto image = op.operand(0).type().cast<MemRefType>(),
             result = op.operand(2).type().cast<MemRefType>();
  const int64_t row = image.dim(3) * elementBytesOf(op.operand(0)), plane = image.dim(2) * row;
  if (row % aie::kWordBytes == 0) return true;
  const int64_t planes = std::lcm(plane, int64_t{aie::kWordBytes}) / plane,
                ofResult = result.dim(2) * result.dim(3) * elementBytesOf(op.operand(2));
  return image.dim(1) % planes == 0 && 2 * planes * (plane + ofResult) <= l1Bytes;
}

/// Whether the window moves by so many elements that cores keep every second one of a row, once or more often
/// (air-aie-vectorize-core), and a DMA moves what they need.
bool hasSteppedRows(const Operation& op, int64_t l1Bytes) {
  const auto strides = op.attrOf<DenseElementsAttr>("strides");
  const auto result = op.operand(2).type().cast<MemRefType>();
  if (!strides) return false;
  const int64_t step = strides.element(strides.numElements() - 1).cast<IntegerAttr>().value();
  return step > 1 && isRowStep(step) && canMoveRows(op, l1Bytes) &&
         result.dim(3) * elementBytesOf(op.operand(2)) % aie::kWordBytes == 0;
}

/// Cycles that an element of a window takes along rows of an image, as measured; of a convolution, a product.
double cyclesOfElement(const Operation& op, bool sumsChannels) {
  const Type element = elementTypeOrSelf(op.operand(0).type());
  if (sumsChannels && hasEasyRows(op) && !element.isF32()) return element.isInteger() ? 0.1 : 0.2;
  if (sumsChannels) return element.isInteger() ? 0.6 : 1.5;
  if (element.isBF16()) return 18;
  return element.isF32() ? 8 : 3;
}

/// Whether rows cost more than the launches that transpose.
bool isWorthIt(const Operation& op, bool sumsChannels) {
  constexpr double kTransposes = 100000;
  double cycles = cyclesOfElement(op, sumsChannels);
  const auto image = op.operand(0).type().cast<MemRefType>(),
             window = op.operand(1).type().cast<MemRefType>(),
             result = op.operand(2).type().cast<MemRefType>();
  for (unsigned dim = 0; dim < result.rank(); ++dim)
    cycles *= static_cast<double>(result.dim(dim));
  for (unsigned dim = window.rank() - 2; dim < window.rank(); ++dim)
    cycles *= static_cast<double>(window.dim(dim));
  if (sumsChannels) cycles *= static_cast<double>(image.dim(1));
  return cycles > kTransposes;
}

Attribute zeroOf(Type element) {
  if (element.isFloat()) return FloatAttr::get(element, 0.0);
  return IntegerAttr::get(element, 0);
}

class ChannelMover {
 public:
  ChannelMover(StructuredOp op, const Row& row, Rewriter& rewriter)
      : op_(op), row_(row), rewriter_(rewriter) {}

  void run() {
    rewriter_.setBefore(*op_.op());
    const Value image = moved(op_.inputs()[0], kImage),
                filter = moved(op_.inputs()[1], row_.filter);
    run(image, filter);
  }
  void run(const tiling::FewChannels& few) {
    rewriter_.setBefore(*op_.op());
    const Value image = filled(few.image), filter = filled(few.filter);
    run(image, filter);
    for (Operation* op : few.dead)
      rewriter_.eraseOp(*op);
  }

 private:
  void run(Value image, Value filter) {
    Operation* fill = tiling::fillBefore(op_);
    const Value old = op_.outputs()[0];
    const Value sums = allocate(old, kImage, filtersOf(filter));
    if (fill) {
      const Value number = fill->operand(0);
      linalg::createNamedOp(rewriter_, location(), "linalg.fill", {&number, 1}, {&sums, 1});
      rewriter_.eraseOp(*fill);
    } else {
      transpose(old, sums, kImage);
    }
    const Value inputs[] = {image, filter};
    linalg::createNamedOp(rewriter_, location(), row_.channelsLast, inputs, {&sums, 1},
                          attributes());
    Order back(kImage.size());
    for (size_t dim = 0; dim < kImage.size(); ++dim)
      back[static_cast<size_t>(kImage[dim])] = static_cast<int64_t>(dim);
    transpose(channelsOf(sums, old), old, back);
    for (Value buffer : made_)
      memref::DeallocOp::create(rewriter_, location(), buffer);
    rewriter_.eraseOp(*op_.op());
  }

  Location location() const { return op_->location(); }

  std::vector<NamedAttribute> attributes() const {
    std::vector<NamedAttribute> kept;
    for (std::string_view name : {"strides", "dilations"})
      if (Attribute attribute = op_->attr(name)) kept.push_back(rewriter_.named(name, attribute));
    return kept;
  }

  /// With channels last, of what sums them up.
  std::optional<int64_t> filtersOf(Value filter) const {
    if (!row_.sumsChannels) return std::nullopt;
    return filter.type().cast<MemRefType>().dim(3);
  }

  /// With the dimensions of `like` in another order, and with `last` elements along the last one.
  Value allocate(Value like, const Order& order, std::optional<int64_t> last = {}) {
    auto type = like.type().cast<MemRefType>();
    std::vector<int64_t> shape;
    for (int64_t dim : order)
      shape.push_back(type.dim(static_cast<unsigned>(dim)));
    if (last) shape.back() = *last;
    made_.push_back(
        memref::AllocOp::create(rewriter_, location(),
                                MemRefType::get(rewriter_.context(), shape, type.elementType()))
            .result());
    return made_.back();
  }

  Value filled(const tiling::FilledCopy& copy) {
    const Type element = elementTypeOrSelf(copy.from.type());
    std::vector<int64_t> shape = copy.shape;
    // Channels of a row of pixels are one row, which is filled by vectors.
    const bool areRows = copy.place() + 2 < shape.size();
    if (areRows) shape[shape.size() - 2] *= shape.back(), shape.pop_back();
    const auto type = MemRefType::get(rewriter_.context(), shape, element);
    const Value to = memref::AllocOp::create(rewriter_, location(), type).result();
    made_.push_back(to);
    const Value zero = rewriter_.constant(location(), zeroOf(element));
    if (!copy.fillsAll())
      linalg::createNamedOp(rewriter_, location(), "linalg.fill", {&zero, 1}, {&to, 1});
    tiling::writeFilledCopy(copy, to, zero, rewriter_, location());
    if (!areRows) return to;
    const memref::Reassociation groups = {{0}, {1}, {2, 3}};
    return memref::ExpandShapeOp::create(rewriter_, location(), to, copy.shape, groups).result();
  }

  /// Dimensions of what cores turn are one where they stay beside each other: their tiles divide more. DMAs turn words.
  void transpose(Value from, Value to, const Order& order) {
    const bool isOfWords = elementBytesOf(from) == aie::kWordBytes;
    const memref::Reassociation groups = runsOf(order, isOfWords);
    memref::Reassociation sources;
    for (const std::vector<int64_t>& group : groups) {
      sources.emplace_back();
      for (int64_t dim : group)
        sources.back().push_back(order[static_cast<size_t>(dim)]);
    }
    std::ranges::sort(sources);
    Context& context = rewriter_.context();
    const auto rank = static_cast<unsigned>(groups.size());
    std::vector<AffineExpr> place(rank);
    for (unsigned dim = 0; dim < rank; ++dim) {
      const auto source = std::ranges::find_if(sources, [&](const std::vector<int64_t>& group) {
        return group.front() == order[static_cast<size_t>(groups[dim].front())];
      });
      place[static_cast<size_t>(source - sources.begin())] = AffineExpr::dim(context, dim);
    }
    const AffineMap maps[] = {AffineMap::get(context, rank, 0, place),
                              AffineMap::identity(context, rank)};
    const std::vector<linalg::IteratorKind> kinds(rank, linalg::IteratorKind::Parallel);
    const Value input = views_.of(from, sources), output = views_.of(to, groups);
    const StructuredOp copy =
        linalg::createGeneric(rewriter_, location(), {&input, 1}, {&output, 1}, maps, kinds);
    Builder::atEnd(copy.body()).create(location(), "linalg.yield", {copy.bodyArgument(0)}, {});
  }

  /// Dimensions that follow each other in what `order` comes from, too; none with others where they `areAlone`.
  static memref::Reassociation runsOf(const Order& order, bool areAlone) {
    memref::Reassociation groups;
    for (size_t dim = 0; dim < order.size(); ++dim) {
      if (dim == 0 || areAlone || order[dim] != order[dim - 1] + 1) groups.emplace_back();
      groups.back().push_back(static_cast<int64_t>(dim));
    }
    return groups;
  }

  /// Without those that zeros of the filter make.
  Value channelsOf(Value sums, Value old) {
    const auto type = sums.type().cast<MemRefType>();
    std::vector<memref::MixedIndex> offsets(type.rank(), 0), sizes, ones(type.rank(), 1);
    for (int64_t size : type.shape())
      sizes.push_back(size);
    const int64_t channels = old.type().cast<MemRefType>().dim(1);
    if (type.dim(3) == channels) return sums;
    sizes.back() = channels;
    return memref::SubViewOp::create(rewriter_, location(), sums, offsets, sizes, ones).result();
  }

  Value moved(Value operand, const Order& order) {
    if (std::ranges::is_sorted(order)) return operand;
    const Value copy = allocate(operand, order);
    transpose(operand, copy, order);
    return copy;
  }

  StructuredOp op_;
  const Row& row_;
  Rewriter& rewriter_;
  tiling::CollapsedViews views_;
  std::vector<Value> made_;
};

/// A convolution on rows as one on images that have one.
class OneRow {
 public:
  OneRow(StructuredOp op, Rewriter& rewriter) : op_(op), rewriter_(rewriter) {}

  /// In front of the op itself, which stays.
  StructuredOp make() {
    fill_ = tiling::fillBefore(op_);
    rewriter_.setBefore(*op_.op());
    std::vector<Value> views;
    for (Value operand : op_->operands())
      views.push_back(withRow(operand));
    std::vector<NamedAttribute> attributes;
    for (std::string_view name : {"strides", "dilations"})
      attributes.push_back(rewriter_.named(name, withOne(op_->attrOf<DenseElementsAttr>(name))));
    made_ =
        StructuredOp(linalg::createNamedOp(rewriter_, op_->location(), "linalg.conv_2d_nchw_fchw",
                                           {views.data(), 2}, {&views[2], 1}, attributes));
    return made_;
  }
  void takeBack() {
    rewriter_.eraseOp(*made_.op());
    for (Operation* view : views_)
      rewriter_.eraseOp(*view);
  }
  /// A fill that comes before becomes one of the view.
  void finish() {
    if (fill_) {
      const Value number = fill_->operand(0), sums = made_.outputs()[0];
      rewriter_.setBefore(*made_.op());
      linalg::createNamedOp(rewriter_, fill_->location(), "linalg.fill", {&number, 1}, {&sums, 1});
      rewriter_.eraseOp(*fill_);
    }
    rewriter_.eraseOp(*op_.op());
  }

 private:
  Value withRow(Value rows) {
    const auto type = rows.type().cast<MemRefType>();
    const std::vector<int64_t> shape = {type.dim(0), type.dim(1), 1, type.dim(2)};
    const memref::Reassociation groups = {{0}, {1}, {2, 3}};
    auto view = memref::ExpandShapeOp::create(rewriter_, op_->location(), rows, shape, groups);
    views_.push_back(view.op());
    return view.result();
  }

  DenseElementsAttr withOne(DenseElementsAttr inRow) const {
    Context& context = rewriter_.context();
    const int64_t two = 2;
    const Type element = inRow ? inRow.type().elementType() : IntegerType::get(context, 64);
    const Attribute one = IntegerAttr::get(element, 1),
                    both[] = {one, inRow ? inRow.splatValue() : one};
    return DenseElementsAttr::get(VectorType::get(context, {&two, 1}, element), both);
  }

  StructuredOp op_, made_;
  Rewriter& rewriter_;
  Operation* fill_ = nullptr;
  std::vector<Operation*> views_;
};

constexpr int64_t kFewestChannels = 8;

class ChannelsLast : public Pass {
 public:
  ChannelsLast() : Pass("air-channels-last", "Moves channels of images inside, where vectors go") {
    anchor("func.func");
    option("exact", exact_, "not where sums of floats get another order");
    option("l1-bytes", l1Bytes_, "memory of a core that buffers may take");
    example("airlite-opt --air-channels-last in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    std::vector<Operation*> ops, ofOneRow;
    function.walk([&](Operation& op) {
      const bool isPart = op.parentOp() == &function;
      if (!isPart || !std::ranges::all_of(op.operands(), isPlain)) return;
      if (rowOf(op)) ops.push_back(&op);
      if (op.is("linalg.conv_1d_ncw_fcw") && std::ranges::all_of(op.operands(), isOneRun))
        ofOneRow.push_back(&op);
    });
    Rewriter rewriter(function.context());
    bool changed = false;
    for (Operation* op : ops)
      changed |= move(StructuredOp(op), *rowOf(*op), rewriter, context);
    for (Operation* op : ofOneRow)
      changed |= moveOneRow(StructuredOp(op), rewriter, context);
    return changedIf(changed);
  }

 private:
  bool move(StructuredOp op, const Row& row, Rewriter& rewriter, PassContext& context) const {
    ChannelMover mover(op, row, rewriter);
    const bool mayFill = row.sumsChannels && !isProduct(*op) && mayReorder(*op);
    if (const auto few =
            mayFill ? tiling::fewChannelsOf(op, movesByOne(*op), l1Bytes_) : std::nullopt) {
      context.declareEffectChange(CountedEffect::Store, "copies of a convolution's operands");
      context.remark(*op, "on copies of eight channels, which lie side by side");
      mover.run(*few);
      return true;
    }
    if (!isMeant(*op, row)) return false;
    context.remark(*op, "on copies whose channels lie side by side");
    mover.run();
    return true;
  }

  /// A convolution on rows as one on images of one row, if its channels move.
  bool moveOneRow(StructuredOp op, Rewriter& rewriter, PassContext& context) const {
    OneRow images(op, rewriter);
    const StructuredOp made = images.make();
    const Row& row = *rowOf(*made.op());
    const auto image = made.inputs()[0].type().cast<MemRefType>();
    if (image.dim(1) < kFewestChannels || !isMeant(*made.op(), row))
      return images.takeBack(), false;
    images.finish();
    return move(made, row, rewriter, context);
  }

  /// Sums of integers are the same in any order.
  bool mayReorder(const Operation& op) const {
    return !exact_ || elementTypeOrSelf(op.operand(0).type()).isInteger();
  }

  bool isMeant(Operation& op, const Row& known) const {
    if ((known.sumsChannels && isProduct(op)) || !isWorthIt(op, known.sumsChannels)) return false;
    const Type element = elementTypeOrSelf(op.operand(0).type());
    const auto image = op.operand(0).type().cast<MemRefType>();
    const bool hasChannels = image.dim(1) >= kFewestChannels;
    // Of such rows cores shift those of integers, and lay out few channels.
    const bool isEasy = hasEasyRows(op);
    if (known.sumsChannels) return mayReorder(op) && (hasChannels || !isEasy);
    const bool isDepthwise = known.filter.size() > 2;
    return hasChannels && !hasJoinedRows(op) && !hasSteppedRows(op, l1Bytes_) &&
           !(isDepthwise && isEasy && element.isInteger());
  }

  bool exact_ = false;
  int64_t l1Bytes_ = tileBytes(aie::defaultNpu());
};

}  // namespace

void registerChannelsLast(PassRegistry& registry) { registry.add<ChannelsLast>(); }

}  // namespace airlite
