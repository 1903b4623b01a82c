// air-convolution-to-matmul: a convolution whose window is one element, or whose filters are most of what it reads, is a product
// of matrices.
//
// Matches, in a function, linalg.conv_2d_nhwc_hwcf and linalg.conv_2d_nchw_fchw (of one image) on contiguous buffers
// of static shape, with a window of 1 x 1 that moves by one element. It becomes a linalg.matmul on the same
// buffers with all pixels as one dimension. Where a window has several elements, and all windows of the images together are much less
// than the filters, each window becomes a row of a buffer that is made for them (im2col): products read their right factor
// once, in rows that are as long as memory likes, and cores need not lay it out. What fills the result, and the elementwise ops on buffers of its shape that
// read it or follow such ops, get the same dimensions, so that later passes see what belongs together; a buffer of the function
// that nobody uses otherwise is made with them at once.
//
// Declines, with a remark: another window or step unless the filters are so large, buffers with strides, several images with
// channels outside.
#include "CollapsedViews.hpp"
#include "RowShares.hpp"
#include "TilePlan.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace airlite {

using linalg::StructuredOp;

namespace {

constexpr unsigned kRank = 4;

const memref::Reassociation kChannelsLast = {{0, 1, 2}, {3}};
const memref::Reassociation kChannelsFirst = {{0, 1}, {2, 3}};

/// A contiguous buffer of four dimensions.
MemRefType plainType(Value value) {
  const MemRefType type = tiling::contiguousType(value);
  return type && type.rank() == kRank ? type : MemRefType();
}

bool areChannelsLast(StructuredOp conv) { return conv->is("linalg.conv_2d_nhwc_hwcf"); }

/// Whether a convolution on plain buffers had better be a product of its windows and filters. Filters that are so many times what all windows are come slowly, in
/// the short rows that cores of an image take (docs/log.md, "Windows as rows").
bool hasLargeFilters(StructuredOp conv) {
  constexpr int64_t kTimes = 2, kLeastBytes = 1 << 18;
  const MemRefType x = plainType(conv.inputs()[0]), w = plainType(conv.inputs()[1]),
                   y = plainType(conv.outputs()[0]);
  if (!areChannelsLast(conv) || x.elementType() != w.elementType()) return false;
  const int64_t bytes = elementBytesOf(conv.inputs()[0]), filters = y.dim(kRank - 1);
  return x.dim(kRank - 1) * bytes % aie::kWordBytes == 0 &&
         w.numElements() * bytes >= kLeastBytes && filters * filters >= kTimes * y.numElements();
}

/// Why the windows of a convolution are not the pixels of its images, one after the other; empty: they are.
std::string_view obstacleOfPixels(StructuredOp conv) {
  const MemRefType x = plainType(conv.inputs()[0]), w = plainType(conv.inputs()[1]),
                   y = plainType(conv.outputs()[0]);
  const bool areLast = areChannelsLast(conv);
  const unsigned window = areLast ? 0 : 2, image = areLast ? 1 : 2;
  if (w.dim(window) != 1 || w.dim(window + 1) != 1) return "its window has several elements";
  for (unsigned dim : {image, image + 1})
    if (x.dim(dim) != y.dim(dim)) return "its window moves by several elements";
  return areLast || x.dim(0) == 1 ? "" : "it has several images with channels outside";
}

/// Why a convolution is no product of matrices; empty: it is one, with its dimensions in `groups`.
std::string_view obstacleOf(StructuredOp op, memref::Reassociation& groups) {
  if (!std::ranges::all_of(op->operands(), [](Value value) { return bool(plainType(value)); }))
    return "its buffers are not contiguous, or not of static shape";
  groups = areChannelsLast(op) ? kChannelsLast : kChannelsFirst;
  return hasLargeFilters(op) ? "" : obstacleOfPixels(op);
}

class Converter {
 public:
  Converter(Operation& function, const memref::Reassociation& groups)
      : function_(function), groups_(groups) {}

  void convert(StructuredOp conv) {
    const bool areLast = groups_ == kChannelsLast;
    Value out = views_.of(conv.outputs()[0], groups_);
    Value image =
        obstacleOfPixels(conv).empty() ? views_.of(conv.inputs()[0], groups_) : windowsOf(conv);
    // The window lies with the channels: [1 1 in out] and [out in 1 1].
    Builder builder = Builder::before(*conv.op());
    Value weights = memref::CollapseShapeOp::create(
                        builder, conv->location(), conv.inputs()[1],
                        areLast ? kChannelsLast : memref::Reassociation{{0}, {1, 2, 3}})
                        .result();
    const std::vector<Value> factors =
        areLast ? std::vector<Value>{image, weights} : std::vector<Value>{weights, image};
    linalg::createNamedOp(builder, conv->location(), "linalg.matmul", factors, std::span(&out, 1));
    of_.insert(conv.outputs()[0]);
    conv->erase();
  }

  void followers() {
    for (Operation* op = function_.region().front().empty() ? nullptr
                                                            : &function_.region().front().front();
         op; op = op->next())
      if (StructuredOp structured = linalg::asStructured(op)) follow(structured);
    views_.remakeBuffers();
  }

 private:
  /// A new matrix, each row of which is a window of an image.
  static Value windowsOf(StructuredOp conv) {
    // Of the loops of a convolution all but that over filters: images, rows and columns of the result, those of the window, channels.
    constexpr unsigned kFilters = 3, kDims = 6;
    Context& context = conv->context();
    Builder builder = Builder::before(*conv.op());
    Value image = conv.inputs()[0];
    const Type element = elementTypeOrSelf(image.type());
    std::vector<int64_t> shape = conv.loopSizes();
    shape.erase(shape.begin() + kFilters);
    const Value windows =
        memref::AllocOp::create(builder, conv->location(), MemRefType::get(context, shape, element))
            .result();
    std::vector<AffineExpr> loops;
    for (unsigned loop = 0; loop <= kDims; ++loop)
      loops.push_back(AffineExpr::dim(context, loop < kFilters ? loop : loop - 1));
    std::vector<AffineExpr> read;
    for (AffineExpr index : conv.indexingMaps()[0].results())
      read.push_back(index.replace(loops, {}));
    const std::vector<AffineMap> maps = {AffineMap::get(context, kDims, 0, read),
                                         AffineMap::identity(context, kDims)};
    const std::vector<linalg::IteratorKind> kinds(kDims, linalg::IteratorKind::Parallel);
    StructuredOp gather =
        linalg::createGeneric(builder, conv->location(), {&image, 1}, {&windows, 1}, maps, kinds);
    Builder body = Builder::atEnd(gather.body());
    body.create(conv->location(), "linalg.yield", {gather.bodyArgument(0)}, {});
    const Value rows =
        memref::CollapseShapeOp::create(builder, conv->location(), windows, {{0, 1, 2}, {3, 4, 5}})
            .result();
    builder.setAfter(*conv.op());
    memref::DeallocOp::create(builder, conv->location(), windows);
    return rows;
  }

  void follow(StructuredOp op) {
    const bool isOne =
        std::ranges::any_of(op->operands(), [&](Value operand) { return of_.contains(operand); });
    if (!isOne) return;
    if (op->is("linalg.fill")) return op->setOperand(1, views_.of(op.outputs()[0], groups_));
    std::vector<Attribute> maps;
    if (!op->is("linalg.generic") || !readMaps(op, maps)) return;
    const std::vector<Value> outputs(op.outputs().begin(), op.outputs().end());
    for (unsigned i = 0; i < op->numOperands(); ++i)
      if (plainType(op->operand(i)) && op.indexingMaps()[i].isIdentity())
        op->setOperand(i, views_.of(op->operand(i), groups_));
    op->setAttr("indexing_maps", ArrayAttr::get(op->context(), maps));
    const auto kinds = op->attrOf<ArrayAttr>("iterator_types");
    op->setAttr("iterator_types",
                ArrayAttr::get(op->context(), std::vector<Attribute>(2, kinds[0])));
    of_.insert(outputs.begin(), outputs.end());
  }

  /// The maps with two dimensions. False where one has a part of what becomes one, or the op is not elementwise.
  bool readMaps(StructuredOp op, std::vector<Attribute>& maps) const {
    Context& context = op->context();
    const bool isElementwise = op.numLoops() == kRank && op->attrOf<ArrayAttr>("iterator_types") &&
                               std::ranges::all_of(op.iterators(), [](linalg::IteratorKind kind) {
                                 return kind == linalg::IteratorKind::Parallel;
                               });
    if (!isElementwise || op.usesIndices()) return false;
    for (unsigned i = 0; i < op->numOperands(); ++i) {
      const AffineMap map = op.indexingMaps()[i];
      AffineMap flat = AffineMap::get(context, 2, 0, {});
      if (plainType(op->operand(i)) && map.isIdentity())
        flat = AffineMap::identity(context, 2);
      else if (const auto group = groupOf(map); group)
        flat = AffineMap::get(context, 2, 0, std::vector{AffineExpr::dim(context, *group)});
      else if (map.numResults() != 0)
        return false;
      maps.push_back(AffineMapAttr::get(flat));
    }
    return true;
  }

  /// The new loop of a row that goes along the channels, which no other dimension joins.
  std::optional<unsigned> groupOf(AffineMap map) const {
    if (map.numResults() != 1 || map.result(0).kind() != AffineKind::Dim) return std::nullopt;
    for (unsigned group = 0; group < groups_.size(); ++group)
      if (groups_[group].size() == 1 && groups_[group][0] == map.result(0).position()) return group;
    // One image: its number is always 0.
    if (groups_ == kChannelsFirst && map.result(0).position() == 1) return 0;
    return std::nullopt;
  }

  Operation& function_;
  memref::Reassociation groups_;
  tiling::CollapsedViews views_;
  std::unordered_set<Value> of_;  // buffers with views
};

class ConvolutionToMatmul : public Pass {
 public:
  ConvolutionToMatmul()
      : Pass("air-convolution-to-matmul",
             "Turns convolutions by single elements, and those with large filters, into products") {
    anchor("func.func");
    example("airlite-opt --air-convolution-to-matmul in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    bool changed = false;
    for (const memref::Reassociation& groups : {kChannelsLast, kChannelsFirst}) {
      Converter converter(function, groups);
      bool found = false;
      for (Operation* op : convolutions(function)) {
        memref::Reassociation own;
        if (std::string_view why = obstacleOf(StructuredOp(op), own); !why.empty()) {
          if (groups == kChannelsLast) context.remark(*op, "no product: " + std::string(why));
          continue;
        }
        if (own != groups) continue;
        converter.convert(StructuredOp(op));
        found = true;
      }
      if (found) converter.followers();
      changed |= found;
    }
    return changedIf(changed);
  }

 private:
  static std::vector<Operation*> convolutions(Operation& function) {
    std::vector<Operation*> ops;
    function.walk([&](Operation& op) {
      const bool isOne = op.is("linalg.conv_2d_nhwc_hwcf") || op.is("linalg.conv_2d_nchw_fchw");
      if (isOne && op.parentOp() == &function && StructuredOp(&op).onBuffers()) ops.push_back(&op);
    });
    return ops;
  }
};

}  // namespace

void registerConvolutionToMatmul(PassRegistry& registry) { registry.add<ConvolutionToMatmul>(); }

}  // namespace airlite
