#include "WaveViews.hpp"

#include "Side.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"

#include <algorithm>

namespace airlite::gpu {
namespace {

bool isSame(const air::IndexEntry& a, const air::IndexEntry& b) {
  const auto known = a.known();
  return known ? known == b.known() : a.value == b.value;
}

bool isSame(const air::Access& a, const air::Access& b) {
  const auto isSameList = [](const auto& x, const auto& y) {
    return std::ranges::equal(x, y, [](const auto& p, const auto& q) { return isSame(p, q); });
  };
  return a.memref == b.memref && isSameList(a.offsets, b.offsets) && isSameList(a.sizes, b.sizes) &&
         isSameList(a.strides, b.strides);
}

/// The op of `block` that is or holds `op`; null: it is elsewhere.
Operation* stepOf(Operation* op, Block* block) {
  while (op && op->block() != block)
    op = op->parentOp();
  return op;
}

class Mirror {
 public:
  Mirror(Kernel& kernel, Operation& herd, Operation& buffer)
      : kernel_(kernel), herd_(herd), buffer_(buffer) {}

  /// Whether it is one.
  bool read() {
    for (OpOperand& use : buffer_.result().uses())
      if (!addUse(*use.owner())) return false;
    if (!in_) return false;
    l2_ = air::DmaMemcpyNdOp(in_).src().memref;
    return isBufferOfL2() && followsCopies() && isFree();
  }

  bool replace() {
    const air::DmaMemcpyNdOp dma(in_);
    Builder builder = Builder::before(*in_);
    const IndexMath math(builder, in_->location());
    const auto side = sideOf(math, *in_, dma.src(), dma.dst());
    const auto type = buffer_.result().type().cast<MemRefType>();
    const auto numbers = side ? stridesIn(*side, type) : std::nullopt;
    if (!numbers) return false;
    // A number that lies at two places of the copy is changed twice here.
    if (!writers_.empty() && !areApart(math, side->dims).known) return false;
    const std::vector<memref::MixedIndex> sizes(type.shape().begin(), type.shape().end()),
        strides(numbers->begin(), numbers->end());
    const bool isFixed = side->base.isConstant();
    const MemRefType part = MemRefType::get(
        type.context(), type.shape(), type.elementType(),
        StridedLayoutAttr::get(type.context(), isFixed ? side->base.constant : kDynamic, *numbers),
        side->root.type().cast<MemRefType>().memorySpace());
    const memref::MixedIndex offset =
        isFixed ? memref::MixedIndex(side->base.constant) : memref::MixedIndex(side->base.value);
    const Value view = memref::ReinterpretCastOp::create(builder, in_->location(), side->root,
                                                         offset, sizes, strides, part)
                           ->result();
    for (Operation* op : {in_, out_})
      if (op) op->erase();
    for (Operation* op : ends_)
      op->erase();
    buffer_.result().replaceAllUsesWith(view);
    buffer_.erase();
    return true;
  }

 private:
  /// Memory of its own, or of a place that it shares with others at other times (Buffers.cpp).
  bool isBufferOfL2() const {
    const Operation* maker = l2_.definingOp();
    return maker && (maker->is("memref.alloc") || maker->is("memref.view")) &&
           isLevel(l2_, air::MemoryLevel::L2);
  }

  bool addUse(Operation& op) {
    if (op.is("memref.dealloc")) return ends_.push_back(&op), true;
    if (isa<air::DmaMemcpyNdOp>(&op)) return addCopy(op);
    const bool isPlain = linalg::asStructured(&op) || op.is("memref.load") ||
                         op.is("memref.store") || op.is("vector.transfer_read") ||
                         op.is("vector.transfer_write");
    if (!isPlain) return false;
    (mayWrite(op, buffer_.result()) ? writers_ : readers_).push_back(&op);
    return true;
  }

  bool addCopy(Operation& op) {
    const air::DmaMemcpyNdOp dma(&op);
    if (!dma.padBefore().empty() || !dma.padAfter().empty()) return false;
    const bool isIn = dma.dst().memref == buffer_.result();
    Operation*& known = isIn ? in_ : out_;
    if (known || !(isIn ? dma.dst() : dma.src()).isWhole()) return false;
    known = &op;
    return true;
  }

  /// All uses come after the copy into it, and what changes it comes before the copy back.
  bool followsCopies() const {
    if (out_ && !isSame(air::DmaMemcpyNdOp(in_).src(), air::DmaMemcpyNdOp(out_).dst()))
      return false;
    Block* block = in_->block();
    // What is changed is always copied back, and once.
    if (!writers_.empty() && (!out_ || out_->block() != block)) return false;
    const auto isBetween = [&](Operation* op, Operation* end) {
      Operation* step = stepOf(op, block);
      return step && in_->isBeforeInBlock(step) && (!end || step->isBeforeInBlock(end));
    };
    return (!out_ || isBetween(out_, nullptr)) &&
           std::ranges::all_of(readers_, [&](Operation* op) { return isBetween(op, nullptr); }) &&
           std::ranges::all_of(writers_, [&](Operation* op) { return isBetween(op, out_); });
  }

  /// Nothing else in the herd writes the L2 buffer, or, where this one is changed, reads it.
  bool isFree() const {
    bool isFree = true;
    herd_.walkWith([&](Operation& op) {
      if (!isLeaf(op)) return WalkResult::Advance;
      std::vector<EffectInstance> effects;
      if (&op == in_ || &op == out_) return WalkResult::Skip;
      if (!effectsOf(op, effects)) isFree = false;
      for (const EffectInstance& effect : effects) {
        const bool isRead = effect.effect == Effect::Read, isWrite = effect.effect == Effect::Write;
        if (!isWrite && !(isRead && !writers_.empty())) continue;
        const Value root = effect.value ? rootOf(kernel_, effect.value) : Value();
        if (!root || root == rootOf(kernel_, l2_)) isFree = false;
      }
      return WalkResult::Skip;
    });
    return isFree;
  }

  /// Of the buffer where it lies in L2: that of the side's last dims, which are its own, or of a row of all its elements.
  static std::optional<std::vector<int64_t>> stridesIn(const Side& side, MemRefType type) {
    const size_t rank = type.rank(), count = side.dims.size();
    const auto hasSizes = [&](std::span<const int64_t> sizes) {
      for (size_t i = 0; i < count; ++i) {
        const int64_t wanted = i + sizes.size() < count ? 1 : sizes[i + sizes.size() - count];
        if (!side.dims[i].size.is(wanted) || !side.dims[i].stride.isConstant()) return false;
      }
      return count >= sizes.size();
    };
    const int64_t all = type.numElements();
    if (hasSizes({&all, 1}) && count && side.dims.back().stride.is(1) && type.hasIdentityLayout())
      return type.stridedForm()->strides;
    if (!hasSizes(type.shape())) return std::nullopt;
    std::vector<int64_t> strides;
    for (size_t i = count - rank; i < count; ++i)
      strides.push_back(side.dims[i].stride.constant);
    return strides;
  }

  Kernel& kernel_;
  Operation& herd_;
  Operation& buffer_;
  Operation *in_ = nullptr, *out_ = nullptr;
  std::vector<Operation*> readers_, writers_, ends_;
  Value l2_;
};

}  // namespace

void useL2InPlace(Kernel& kernel, Operation& herd) {
  std::vector<Operation*> buffers;
  for (Operation& op : kernel.body().ops())
    if (kernel.herdBuffers.count(&op) && isLevel(op.result(), air::MemoryLevel::L1) &&
        std::ranges::all_of(op.result().uses(),
                            [&](OpOperand& use) { return herd.isAncestor(use.owner()); }))
      buffers.push_back(&op);
  for (Operation* buffer : buffers) {
    Mirror mirror(kernel, herd, *buffer);
    if (mirror.read() && mirror.replace()) kernel.herdBuffers.erase(buffer);
  }
}

}  // namespace airlite::gpu
