// See FewChannels.hpp.
#include "FewChannels.hpp"

#include "FillBefore.hpp"
#include "RowMover.hpp"
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

/// An image that the program fills with zeros and copies another one into, for the convolution alone.
struct PaddedImage {
  Value from;
  std::vector<int64_t> offsets;
  std::vector<Operation*> ops;  ///< that make it, the last one first
};

std::optional<PaddedImage> paddedImageOf(Value image, const Operation& convolution) {
  Operation* alloc = image.definingOp();
  if (!alloc || !isa<memref::AllocOp>(alloc)) return std::nullopt;
  Operation *view = nullptr, *dealloc = nullptr;
  for (OpOperand& use : image.uses()) {
    Operation* user = use.owner();
    if (isa<memref::SubViewOp>(user) && !view)
      view = user;
    else if (user->is("memref.dealloc"))
      dealloc = user;
    else if (user != &convolution && !user->is("linalg.fill"))
      return std::nullopt;
  }
  if (!view || !view->result().hasOneUse() || !isPlainPart(memref::SubViewOp(view)))
    return std::nullopt;
  Operation* copy = (*view->result().uses().begin()).owner();
  const bool isCopy = (copy->is("linalg.copy") || copy->is("memref.copy")) &&
                      copy->operand(1) == view->result() && copy->block() == convolution.block();
  Operation* fill =
      isCopy && isWholeOfHost(copy->operand(0)) ? fillBeforeCopy(image, *copy) : nullptr;
  if (!fill || !isPlusZero(fill->operand(0))) return std::nullopt;
  const auto offsets = memref::SubViewOp(view).staticOffsets();
  PaddedImage padded{copy->operand(0), {offsets.begin(), offsets.end()}, {copy, view, fill, alloc}};
  if (dealloc) padded.ops.insert(padded.ops.begin(), dealloc);
  return padded;
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

std::optional<FewChannels> fewChannelsOf(linalg::StructuredOp op, int64_t l1Bytes) {
  const Value image = op.inputs()[0], filter = op.inputs()[1];
  const auto shape = image.type().cast<MemRefType>(), window = filter.type().cast<MemRefType>(),
             result = op.outputs()[0].type().cast<MemRefType>();
  const auto strides = op->attrOf<DenseElementsAttr>("strides");
  const bool movesByOne =
      !strides || (strides.isSplat() && strides.splatValue().cast<IntegerAttr>().value() == 1);
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
  if (const auto padded = paddedImageOf(image, *op)) {
    few.image.from = padded->from;
    for (size_t dim = 0; dim < few.image.dims.size(); ++dim)
      few.image.offsets[dim] = padded->offsets[static_cast<size_t>(few.image.dims[dim])];
    few.dead = padded->ops;
  }
  const bool isPossible = few.image.canShare(l1Bytes) && few.filter.canShare(l1Bytes);
  return isPossible ? std::optional(few) : std::nullopt;
}

}  // namespace airlite::tiling
