// air-convolution-to-matmul: a convolution whose window is one element is a product of matrices.
//
// Matches, in a function, linalg.conv_2d_nhwc_hwcf and linalg.conv_2d_nchw_fchw (of one image) on contiguous buffers
// of static shape, with a window of 1 x 1 that moves by one element. It becomes a linalg.matmul on the same
// buffers with all pixels as one dimension. What fills the result, and the elementwise ops on buffers of its shape that
// read it or follow such ops, get the same dimensions, so that later passes see what belongs together; a buffer of the function
// that nobody uses otherwise is made with them at once.
//
// Declines, with a remark: another window or step, buffers with strides, several images with channels outside.
#include "CollapsedViews.hpp"
#include "RowShares.hpp"
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

/// Why a convolution is no product of matrices; empty: it is one, with its dimensions in `groups`.
std::string_view obstacleOf(StructuredOp op, memref::Reassociation& groups) {
  const bool areLast = op->is("linalg.conv_2d_nhwc_hwcf");
  const MemRefType x = plainType(op.inputs()[0]), w = plainType(op.inputs()[1]),
                   y = plainType(op.outputs()[0]);
  if (!x || !w || !y) return "its buffers are not contiguous, or not of static shape";
  const unsigned window = areLast ? 0 : 2, image = areLast ? 1 : 2;
  if (w.dim(window) != 1 || w.dim(window + 1) != 1) return "its window has several elements";
  for (unsigned dim : {image, image + 1})
    if (x.dim(dim) != y.dim(dim)) return "its window moves by several elements";
  if (!areLast && x.dim(0) != 1) return "it has several images with channels outside";
  groups = areLast ? kChannelsLast : kChannelsFirst;
  return {};
}

class Converter {
 public:
  Converter(Operation& function, const memref::Reassociation& groups)
      : function_(function), groups_(groups) {}

  void convert(StructuredOp conv) {
    const bool areLast = groups_ == kChannelsLast;
    Value image = views_.of(conv.inputs()[0], groups_), out = views_.of(conv.outputs()[0], groups_);
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
      : Pass("air-convolution-to-matmul", "Turns convolutions by single elements into products") {
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
