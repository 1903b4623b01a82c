// See FewChannels.hpp.
#include "FewChannels.hpp"

#include "FillBefore.hpp"
#include "airlite/dialect/MemRef.hpp"

#include <cmath>

namespace airlite::tiling {

namespace {

/// Of factors of the matrix unit along the reduction.
constexpr int64_t kUnitDepth = 8;

bool isPlusZero(Value number) {
  Operation* op = number.definingOp();
  const Attribute value = op && op->is("arith.constant") ? op->attr("value") : Attribute();
  if (const auto real = value.dynCast<FloatAttr>())
    return real.value() == 0 && !std::signbit(real.value());
  const auto integer = value.dynCast<IntegerAttr>();
  return integer && integer.value() == 0;
}

/// The copy into an image that the program pads with zeros, for the convolution alone.
std::optional<Padding> paddingOfImage(Value image, const Operation& convolution) {
  Operation* alloc = image.definingOp();
  if (!alloc || !isa<memref::AllocOp>(alloc)) return std::nullopt;
  Operation* view = nullptr;
  for (OpOperand& use : image.uses()) {
    Operation* user = use.owner();
    if (isa<memref::SubViewOp>(user) && !view)
      view = user;
    else if (user != &convolution && !user->is("linalg.fill") && !user->is("memref.dealloc"))
      return std::nullopt;
  }
  if (!view || !view->result().hasOneUse()) return std::nullopt;
  const auto padding = paddingOf(*(*view->result().uses().begin()).owner());
  const bool isOfImage = padding && padding->to == image &&
                         padding->copy->block() == convolution.block() &&
                         isPlusZero(padding->fill->operand(0));
  return isOfImage ? padding : std::nullopt;
}

/// What makes the padded image, the last op first.
std::vector<Operation*> opsOf(const Padding& padding) {
  std::vector<Operation*> ops;
  for (OpOperand& use : padding.to.uses())
    if (use.owner()->is("memref.dealloc")) ops.push_back(use.owner());
  memref::SubViewOp view = padding.view;
  ops.insert(ops.end(), {padding.copy, view.op(), padding.fill, padding.to.definingOp()});
  return ops;
}

int64_t inWholeBlocks(int64_t channels) {
  return (channels + kUnitDepth - 1) / kUnitDepth * kUnitDepth;
}

/// Whether rows of few channels cost more than the copies and products with zeros, in cycles of all cores as measured. Products of f32 take
/// several of the unit, so that zeros cost more.
bool isCheaper(MemRefType image, MemRefType filter, MemRefType result, bool movesByOne) {
  constexpr double kStarts = 20000, kOfResults = 15000, kOfCopy = 1.3, kOfUnit = 0.009,
                   kOfRows = 0.06, kOfSteps = 0.3;
  if (image.elementType().isF32() && movesByOne) return false;
  const double windows = double(result.numElements()) * double(filter.dim(2) * filter.dim(3));
  const double now = windows * double(image.dim(1)) * (movesByOne ? kOfRows : kOfSteps);
  const bool cutsResults = inWholeBlocks(filter.dim(0)) != filter.dim(0);
  return kStarts + (cutsResults ? kOfResults : 0) + kOfCopy * double(image.numElements()) +
             kOfUnit * windows * kUnitDepth <
         now;
}

}  // namespace

std::optional<FewChannels> fewChannelsOf(linalg::StructuredOp op, bool movesByOne,
                                         int64_t l1Bytes) {
  const Value image = op.inputs()[0], filter = op.inputs()[1];
  const auto shape = image.type().cast<MemRefType>(), window = filter.type().cast<MemRefType>(),
             result = op.outputs()[0].type().cast<MemRefType>();
  if (shape.dim(1) >= kUnitDepth || !isCheaper(shape, window, result, movesByOne))
    return std::nullopt;
  // Filters become whole blocks of the unit as well, unless there are sums already that they add to.
  const int64_t filters = inWholeBlocks(window.dim(0));
  if (filters != window.dim(0) && !fillBefore(op)) return std::nullopt;
  FewChannels few;
  few.image = {
      image, {0, 2, 3, 1}, {0, 0, 0, 0}, {shape.dim(0), shape.dim(2), shape.dim(3), kUnitDepth}, 2};
  few.filter = {
      filter, {2, 3, 1, 0}, {0, 0, 0, 0}, {window.dim(2), window.dim(3), kUnitDepth, filters}, 0};
  if (const auto padding = paddingOfImage(image, *op)) {
    few.image.from = padding->from;
    const std::vector<int64_t> offsets = padding->offsets();
    for (size_t dim = 0; dim < few.image.dims.size(); ++dim)
      few.image.offsets[dim] = offsets[static_cast<size_t>(few.image.dims[dim])];
    few.dead = opsOf(*padding);
  }
  const bool isPossible = few.image.canShare(l1Bytes) && few.filter.canShare(l1Bytes);
  return isPossible ? std::optional(few) : std::nullopt;
}

}  // namespace airlite::tiling
