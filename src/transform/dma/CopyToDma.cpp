// air-copy-to-dma: copies between levels of memory become air.dma_memcpy_nd.
//
// Matches memref.copy, linalg.copy, linalg.pack and linalg.unpack on memrefs. linalg.copy becomes
// memref.copy; a copy between different memory spaces becomes a DMA (destination first), numbered
// `id` = 1, 2, ... in the order of the program. A subview, transpose or reinterpret_cast that a
// side is taken through becomes that side's offsets, sizes and strides; a side without has empty
// lists. The offset of a reinterpret_cast goes into the dimension whose stride is 1. pack and
// unpack become one DMA whose unpacked side walks the tiles: dimensions that a subview leaves out, outer
// dimensions in their order, then the tiles.
//
// Declines, with a remark: copies within one memory space; pack and unpack with padding, sizes that
// are not static, or tiles that do not divide them. A view that cannot be written as lists (dynamic
// layout strides, an offset without a dimension of stride 1, a cast of a shifted memref) is kept,
// the DMA then takes all of it. affine.dma_start and dma_wait are left alone.
#include "CopyToDma.hpp"

#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>

namespace airlite {

namespace {

using memref::MixedIndex;

/// One side of a DMA. All lists are empty or of one length.
struct Side {
  Value memref;
  std::vector<MixedIndex> offsets, sizes, strides;

  void append(const Side& other) {
    offsets.insert(offsets.end(), other.offsets.begin(), other.offsets.end());
    sizes.insert(sizes.end(), other.sizes.begin(), other.sizes.end());
    strides.insert(strides.end(), other.strides.begin(), other.strides.end());
  }
};

/// The value where it is a constant, too.
MixedIndex simplified(MixedIndex index) {
  if (!index.value) return index;
  std::optional<int64_t> constant = constantIntOf(index.value);
  return constant ? MixedIndex(*constant) : index;
}

MixedIndex add(Builder& builder, Location location, MixedIndex a, MixedIndex b) {
  auto isZero = [](MixedIndex index) { return index.isConstant() && index.constant == 0; };
  if (isZero(a)) return b;
  if (isZero(b)) return a;
  int64_t sum = 0;
  if (a.isConstant() && b.isConstant() && !__builtin_add_overflow(a.constant, b.constant, &sum))
    return sum;
  auto value = [&](MixedIndex index) {
    return index.value ? index.value : builder.constantIndex(location, index.constant);
  };
  Value left = value(a), right = value(b);
  return builder.create(location, "arith.addi", {left, right}, {left.type()})->result();
}

std::vector<MixedIndex> constants(std::span<const int64_t> values) {
  return std::vector<MixedIndex>(values.begin(), values.end());
}

/// Strides of a ranked memref when all are static and its elements start at its base.
std::optional<std::vector<int64_t>> staticStrides(Type type) {
  auto memref = type.dynCast<MemRefType>();
  std::optional<StridedForm> form = memref ? memref.stridedForm() : std::nullopt;
  if (!form ||
      std::find(form->strides.begin(), form->strides.end(), kDynamic) != form->strides.end())
    return std::nullopt;
  return form->strides;
}

/// Follows views from `side.memref` to what they are taken of, and writes them into the lists.
class ViewPeeler {
 public:
  explicit ViewPeeler(Builder& builder) : builder_(builder) {}

  Side peel(Value value) {
    Operation* op = value.definingOp();
    std::optional<Side> side;
    if (op && isa<memref::TransposeOp>(op)) side = transposed(memref::TransposeOp(op));
    if (op && isa<memref::SubViewOp>(op)) side = subview(memref::SubViewOp(op));
    if (op && isa<memref::ReinterpretCastOp>(op)) side = cast(memref::ReinterpretCastOp(op));
    return side ? *side : Side{value, {}, {}, {}};
  }

 private:
  std::optional<Side> transposed(memref::TransposeOp op) {
    Side inner = peel(op.source());
    if (inner.sizes.empty()) {
      std::optional<Side> whole = wholeLists(op.source());
      if (!whole) return std::nullopt;
      inner = *whole;
    }
    Side result{inner.memref, {}, {}, {}};
    if (op.permutation().numResults() != inner.sizes.size()) return std::nullopt;
    for (AffineExpr dim : op.permutation().results()) {
      result.offsets.push_back(inner.offsets[dim.position()]);
      result.sizes.push_back(inner.sizes[dim.position()]);
      result.strides.push_back(inner.strides[dim.position()]);
    }
    return result;
  }

  std::optional<Side> subview(memref::SubViewOp op) {
    std::vector<MixedIndex> steps = op.strides();
    bool contiguous = std::all_of(steps.begin(), steps.end(), [](MixedIndex step) {
      return simplified(step) == MixedIndex(1);
    });
    if (!contiguous) return std::nullopt;  // list offsets would be multiplied by the step
    Side result{op.source(), op.offsets(), op.sizes(), {}};
    auto base = dynCast<memref::ReinterpretCastOp>(op.source().definingOp());
    std::optional<Side> under = base ? cast(base) : std::nullopt;
    if (under) {
      result.memref = under->memref;
      result.strides = under->strides;
      for (size_t i = 0; i < result.offsets.size(); ++i)
        result.offsets[i] =
            add(builder_, op->location(), simplified(result.offsets[i]), under->offsets[i]);
      return result;
    }
    std::optional<std::vector<int64_t>> strides = staticStrides(op.source().type());
    if (!strides) return std::nullopt;
    result.strides = constants(*strides);
    return result;
  }

  std::optional<Side> cast(memref::ReinterpretCastOp op) {
    auto source = op.source().type().dynCast<MemRefType>();
    // The offset counts from the base of the buffer, lists count from that of the memref.
    if (source && !source.hasIdentityLayout()) return std::nullopt;
    Side result{op.source(), {}, op.sizes(), op.strides()};
    for (MixedIndex& stride : result.strides)
      stride = simplified(stride);
    result.offsets.assign(result.sizes.size(), MixedIndex(0));
    MixedIndex offset = simplified(op.offsets().front());
    if (offset == MixedIndex(0)) return result;
    for (size_t i = result.strides.size(); i--;)
      if (result.strides[i] == MixedIndex(1)) {
        result.offsets[i] = offset;
        return result;
      }
    return std::nullopt;
  }

 public:
  /// All of a memref, written out.
  static std::optional<Side> wholeLists(Value memref) {
    auto type = memref.type().dynCast<MemRefType>();
    std::optional<std::vector<int64_t>> strides = staticStrides(memref.type());
    if (!strides || !type.hasStaticShape()) return std::nullopt;
    Side result{memref, {}, constants(type.shape()), constants(*strides)};
    result.offsets.assign(result.sizes.size(), MixedIndex(0));
    return result;
  }

 private:
  Builder& builder_;
};

void addList(Context& context, OperationState& state, std::vector<int32_t>& segments,
             std::string_view staticName, std::span<const MixedIndex> list) {
  std::vector<int64_t> statics;
  std::vector<Value> values;
  memref::splitMixed(list, statics, values);
  state.addOperands(values);
  segments.push_back(static_cast<int32_t>(values.size()));
  state.addAttribute(context, staticName, DenseArrayAttr::getI64(context, statics));
}

Operation* createDma(Builder& builder, Location location, const Side& dst, const Side& src,
                     int64_t id) {
  OperationState state(builder.context(), location, "air.dma_memcpy_nd");
  std::vector<int32_t> segments{0};
  auto addSide = [&](const Side& side, const std::string& name) {
    state.operands.push_back(side.memref);
    segments.push_back(1);
    addList(builder.context(), state, segments, "static_" + name + "_offsets", side.offsets);
    addList(builder.context(), state, segments, "static_" + name + "_sizes", side.sizes);
    addList(builder.context(), state, segments, "static_" + name + "_strides", side.strides);
  };
  addSide(dst, "dst");
  addSide(src, "src");
  state.setOperandSegments(builder.context(), segments);
  state.addAttribute(builder.context(), "id", builder.i32Attr(id));
  return builder.insert(Operation::create(builder.context(), state));
}

bool sameSpace(Type a, Type b) {
  std::optional<air::MemoryLevel> left = air::memoryLevel(a), right = air::memoryLevel(b);
  return left && right ? *left == *right : memorySpaceOf(a) == memorySpaceOf(b);
}

/// The DMA; null when it stays a copy. `nextId` counts up.
Operation* convertPlainCopy(Operation& op, Value source, Value target, int64_t& nextId,
                            PassContext& context) {
  if (sameSpace(source.type(), target.type())) {
    context.remark(op, "stays a copy: both sides are in one memory space");
    return nullptr;
  }
  Builder builder = Builder::before(op);
  ViewPeeler peeler(builder);
  Side dst = peeler.peel(target), src = peeler.peel(source);
  Operation* dma = createDma(builder, op.location(), dst, src, nextId++);
  op.erase();
  return dma;
}

class CopyToDma : public Pass {
 public:
  CopyToDma() : Pass("air-copy-to-dma", "Turns copies between memory spaces into DMAs") {
    anchor("builtin.module");
    example("airlite-opt --air-copy-to-dma in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    context.declareEffectChange(CountedEffect::Store, "copies become DMAs");
    context.declareEffectChange(CountedEffect::Dma, "copies become DMAs");
    nextId_ = 1;
    bool changed = false;
    std::vector<Operation*> ops;
    module.walk([&](Operation& op) {
      if (op.is("memref.copy") || op.is("linalg.copy") || op.is("linalg.pack") ||
          op.is("linalg.unpack"))
        ops.push_back(&op);
    });
    for (Operation* op : ops)
      changed |= convert(*op, context);
    return changedIf(changed);
  }

 private:
  bool convert(Operation& op, PassContext& context) {
    if (op.is("linalg.pack") || op.is("linalg.unpack")) return convertPack(op, context);
    if (op.is("linalg.copy")) return convertLinalg(op, context);
    return convertCopy(op, op.operand(0), op.operand(1), context);
  }

  bool convertCopy(Operation& op, Value source, Value target, PassContext& context) {
    return convertPlainCopy(op, source, target, nextId_, context) != nullptr;
  }

  bool convertLinalg(Operation& op, PassContext& context) {
    linalg::StructuredOp copy(&op);
    Value source = copy.inputs()[0], target = copy.outputs()[0];
    if (!source.type().isa<MemRefType>() || !target.type().isa<MemRefType>()) {
      context.remark(op, "stays a copy: not on memrefs");
      return false;
    }
    if (elementTypeOrSelf(source.type()) != elementTypeOrSelf(target.type())) {
      context.remark(op, "stays a copy: it converts elements");
      return false;
    }
    Builder builder = Builder::before(op);
    auto plain = memref::CopyOp::create(builder, op.location(), source, target);
    op.erase();
    convertCopy(*plain.op(), source, target, context);
    return true;
  }

  /// The dimensions of one element that a view of `side.memref` leaves out; `side` keeps the others.
  static Side takeDropped(Side& side, Value view) {
    Side taken{side.memref, {}, {}, {}};
    const auto subview = dynCast<memref::SubViewOp>(view.definingOp());
    const auto dropped = subview ? subview.droppedDims() : std::nullopt;
    if (!dropped || dropped->size() != side.sizes.size()) return taken;
    Side kept = taken;
    for (size_t i = 0; i < dropped->size(); ++i) {
      Side& to = (*dropped)[i] ? taken : kept;
      to.offsets.push_back(side.offsets[i]);
      to.sizes.push_back(side.sizes[i]);
      to.strides.push_back(side.strides[i]);
    }
    side = std::move(kept);
    return taken;
  }

  /// Sizes and strides of the plain side in the order in which the packed side is laid out.
  static std::optional<Side> tiled(const Side& plain, linalg::PackView pack) {
    std::vector<int64_t> tiles = pack.innerTiles(), positions = pack.innerDims();
    Side result{plain.memref, {}, {}, {}};
    Side inner = result;
    std::vector<int64_t> outerSize, outerStride;
    for (size_t i = 0; i < plain.sizes.size(); ++i) {
      MixedIndex size = simplified(plain.sizes[i]), stride = simplified(plain.strides[i]);
      if (!size.isConstant() || !stride.isConstant()) return std::nullopt;
      outerSize.push_back(size.constant);
      outerStride.push_back(stride.constant);
    }
    std::vector<bool> isTiled(outerSize.size(), false);
    for (size_t i = 0; i < tiles.size(); ++i) {
      size_t dim = static_cast<size_t>(positions[i]);
      if (tiles[i] == kDynamic || tiles[i] <= 0 || outerSize[dim] % tiles[i]) return std::nullopt;
      inner.offsets.push_back(plain.offsets[dim]);
      inner.sizes.push_back(tiles[i]);
      inner.strides.push_back(outerStride[dim]);
      outerSize[dim] /= tiles[i];
      if (__builtin_mul_overflow(outerStride[dim], tiles[i], &outerStride[dim]))
        return std::nullopt;
      isTiled[dim] = true;
    }
    for (int64_t position : pack.outerPermutation()) {
      size_t dim = static_cast<size_t>(position);
      result.offsets.push_back(isTiled[dim] ? MixedIndex(0) : plain.offsets[dim]);
      result.sizes.push_back(outerSize[dim]);
      result.strides.push_back(outerStride[dim]);
    }
    result.append(inner);
    return result;
  }

  bool convertPack(Operation& op, PassContext& context) {
    linalg::PackView pack(&op);
    bool packs = op.is("linalg.pack");
    Value source = pack.source(), target = pack.dest();
    auto stays = [&](std::string_view why) {
      context.remark(op, why);
      return false;
    };
    if (!source.type().isa<MemRefType>()) return stays("stays: not on memrefs");
    if (sameSpace(source.type(), target.type()))
      return stays("stays: both sides are in one memory space");
    if (packs && !op.operandGroup("padding_value").empty()) return stays("stays: it pads");
    Builder builder = Builder::before(op);
    ViewPeeler peeler(builder);
    Value plainValue = packs ? source : target;
    Side plain = peeler.peel(plainValue);
    Side walk = takeDropped(plain, plainValue);
    if (plain.sizes.empty() ||
        plain.sizes.size() != static_cast<size_t>(plainValue.type().cast<MemRefType>().rank()))
      plain = ViewPeeler::wholeLists(plainValue).value_or(Side{plainValue, {}, {}, {}});
    const std::optional<Side> tiles = plain.sizes.empty() ? std::nullopt : tiled(plain, pack);
    if (!tiles)
      return stays("stays: sizes and strides are not static, or tiles do not divide them");
    Side packed = peeler.peel(packs ? target : source);
    walk.memref = tiles->memref;
    walk.append(*tiles);
    createDma(builder, op.location(), packs ? packed : walk, packs ? walk : packed, nextId_++);
    op.erase();
    return true;
  }

  int64_t nextId_ = 1;
};

}  // namespace

Operation* copyToDma(Operation& copy, PassContext& context) {
  Operation* root = copy.parentOfName("func.func");
  int64_t nextId = 1;
  (root ? root : &copy)->walk([&](Operation& op) {
    auto id = op.is("air.dma_memcpy_nd") ? op.attrOf<IntegerAttr>("id") : IntegerAttr();
    if (id) nextId = std::max(nextId, id.value() + 1);
  });
  return convertPlainCopy(copy, copy.operand(0), copy.operand(1), nextId, context);
}

void registerCopyToDma(PassRegistry& registry) { registry.add<CopyToDma>(); }

}  // namespace airlite
