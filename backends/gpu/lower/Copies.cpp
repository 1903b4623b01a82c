// Turns copies into loops of loads and stores. Where several work-items share a copy, consecutive
// ones take consecutive elements; vectors move where both sides are contiguous and aligned.
#include "Kernel.hpp"
#include "Side.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"

#include <algorithm>

namespace airlite::gpu {
namespace {

constexpr int64_t kMaxVectorBytes = 16;
constexpr int64_t kMaxVectorElements = 8;

struct Padding {
  std::vector<int64_t> before, after;
  bool empty() const { return before.empty(); }
};

/// The work-items that share a copy.
struct Workers {
  Index id = 0;
  int64_t count = 1;
};

/// One transfer: from a side, or a value to fill with.
struct Transfer {
  Side dst;
  std::optional<Side> src;
  Value fill;
  Padding padding;
};

int64_t bytesOfElements(Type type) {
  if (!type.isInteger() && !type.isFloat()) return 0;
  unsigned bits = type.bitWidth();
  return bits >= 8 && bits % 8 == 0 ? bits / 8 : 0;
}

/// Innermost dim is a row of a multiple of `width`, and rows start at multiples.
bool isAlignedFor(const Side& side, int64_t width) {
  if (knownDivisor(side.base) % width != 0) return false;
  if (side.dims.empty()) return false;
  const Dim& inner = side.dims.back();
  if (!inner.stride.is(1) || !inner.size.isConstant() || inner.size.constant % width != 0)
    return false;
  return std::all_of(side.dims.begin(), side.dims.end() - 1,
                     [&](const Dim& dim) { return knownDivisor(dim.stride) % width == 0; });
}

/// Elements moved at once.
int64_t vectorWidth(const Transfer& transfer) {
  int64_t bytes = bytesOfElements(transfer.dst.element());
  if (!bytes || !transfer.src || !transfer.padding.empty()) return 1;
  for (int64_t width = kMaxVectorElements; width > 1; width /= 2)
    if (width * bytes <= kMaxVectorBytes && isAlignedFor(transfer.dst, width) &&
        isAlignedFor(*transfer.src, width))
      return width;
  return 1;
}

class TransferEmitter {
 public:
  TransferEmitter(Operation& op, const Builder& builder, Transfer transfer, Workers workers)
      : op_(op), transfer_(std::move(transfer)), workers_(workers), builder_(builder) {}

  void run() {
    IndexMath math = mathHere();
    if (volume(math, transfer_.dst).is(0)) return;
    bool nested = workers_.count == 1 && transfer_.padding.empty() && transfer_.src &&
                  simplifyTogether(transfer_.dst, *transfer_.src);
    if (!nested) simplifyEach();
    width_ = vectorWidth(transfer_);
    dst_ = flatMemory(math, transfer_.dst);
    if (transfer_.src) src_ = flatMemory(math, *transfer_.src);
    nested ? emitNest() : emitLinear();
  }

 private:
  IndexMath mathHere() { return IndexMath(builder_, op_.location()); }

  void simplifyEach() {
    simplify(transfer_.dst);
    if (transfer_.src && transfer_.padding.empty()) simplify(*transfer_.src);
  }

  /// A loop that the builder is then inside of; the value counts in steps.
  Value openLoop(Index lower, Index upper, int64_t step) {
    IndexMath math = mathHere();
    Value from = math.value(lower), to = math.value(upper), by = math.value(step);
    scf::ForOp loop = scf::ForOp::create(builder_, op_.location(), from, to, by);
    builder_.setBefore(loop.body().back());
    return loop.inductionVar();
  }

  // -- One work-item: a loop for each dim -------------------------------------------------------

  void emitNest() {
    const std::vector<Dim>& dims = transfer_.dst.dims;
    Index to = transfer_.dst.base, from = transfer_.src->base;
    for (size_t i = 0; i < dims.size(); ++i) {
      bool inner = i + 1 == dims.size();
      Index at = Index(0);
      if (!(inner && dims[i].size.is(width_)))
        at = Index(openLoop(0, dims[i].size, inner ? width_ : 1));
      IndexMath math = mathHere();
      to = math.add(to, math.mul(at, dims[i].stride));
      from = math.add(from, math.mul(at, transfer_.src->dims[i].stride));
    }
    store(load(from), to);
  }

  // -- Shared: elements in row-major order ------------------------------------------------------

  void emitLinear() {
    IndexMath math = mathHere();
    Index steps = math.div(volume(math, transfer_.dst), width_);
    int64_t count = workers_.count;
    if (!workers_.id.isConstant() && steps.isConstant() && steps.constant <= count) {
      if (steps.constant < count)
        openIf(math.compare(arith::CmpIPredicate::ult, workers_.id, steps));
      return emitAt(workers_.id);
    }
    bool even = steps.isConstant() && steps.constant % count == 0;
    Index step = Index(openLoop(even ? Index(0) : workers_.id, steps, count));
    emitAt(even ? mathHere().add(step, workers_.id) : step);
  }

  void openIf(Value condition) {
    scf::IfOp guard = scf::IfOp::create(builder_, op_.location(), {}, condition);
    builder_.setBefore(guard.thenBlock().back());
  }

  void emitAt(Index step) {
    IndexMath math = mathHere();
    Index position = math.mul(step, width_);
    Value value;
    if (!transfer_.src)
      value = transfer_.fill;
    else if (transfer_.padding.empty())
      value = load(elementAt(*transfer_.src, position));
    else
      value = loadPadded(position);
    store(value, elementAt(transfer_.dst, position));
  }

  /// Coordinates of element `position` in a space of these sizes.
  std::vector<Index> coordinates(std::span<const Index> sizes, Index position) {
    IndexMath math = mathHere();
    std::vector<Index> result(sizes.size());
    for (size_t i = sizes.size(); i-- > 0;) {
      result[i] = i ? math.rem(position, sizes[i]) : position;
      if (i) position = math.div(position, sizes[i]);
    }
    return result;
  }

  Index elementAt(const Side& side, Index position) {
    std::vector<Index> sizes;
    for (const Dim& dim : side.dims)
      sizes.push_back(dim.size);
    return elementAt(side, coordinates(sizes, position));
  }

  Index elementAt(const Side& side, std::span<const Index> at) {
    IndexMath math = mathHere();
    Index element = side.base;
    for (size_t i = 0; i < at.size(); ++i)
      element = math.add(element, math.mul(at[i], side.dims[i].stride));
    return element;
  }

  /// Zero around the source.
  Value loadPadded(Index position) {
    IndexMath math = mathHere();
    const Side& src = *transfer_.src;
    std::vector<Index> sizes;
    for (size_t i = 0; i < src.dims.size(); ++i)
      sizes.push_back(
          math.add(src.dims[i].size, transfer_.padding.before[i] + transfer_.padding.after[i]));
    std::vector<Index> at = coordinates(sizes, position);
    Value inside;
    for (size_t i = 0; i < at.size(); ++i) {
      at[i] = math.add(at[i], -transfer_.padding.before[i]);
      Value fits = math.compare(arith::CmpIPredicate::ult, at[i], src.dims[i].size);
      inside = inside ? andOf(inside, fits) : fits;
    }
    return inside ? loadIf(inside, at) : load(elementAt(src, at));
  }

  Value andOf(Value a, Value b) {
    return builder_.create(op_.location(), "arith.andi", {a, b}, {a.type()})->result();
  }

  Value loadIf(Value condition, std::span<const Index> at) {
    const Type types[] = {transfer_.src->element()};
    scf::IfOp choice = scf::IfOp::create(builder_, op_.location(), types, condition, true);
    builder_.setToEnd(choice.thenBlock());
    const Value loaded[] = {load(elementAt(*transfer_.src, at))};
    scf::YieldOp::create(builder_, op_.location(), loaded);
    builder_.setToEnd(choice.elseBlock());
    const Value zeros[] = {zero(types[0])};
    scf::YieldOp::create(builder_, op_.location(), zeros);
    builder_.setAfter(*choice.op());
    return choice->result();
  }

  Value zero(Type type) {
    if (type.isFloat()) return builder_.constant(op_.location(), FloatAttr::get(type, 0));
    return builder_.constant(op_.location(), IntegerAttr::get(type, 0));
  }

  // -- Elements -----------------------------------------------------------------------------------

  Value load(Index element) {
    const Value at[] = {mathHere().value(element)};
    if (width_ == 1) return memref::LoadOp::create(builder_, op_.location(), src_, at).result();
    const int64_t shape[] = {width_};
    Type type = VectorType::get(op_.context(), shape, transfer_.dst.element());
    Operation* load = builder_.create(op_.location(), "vector.load", {src_, at[0]}, {type});
    align(*load, *transfer_.src);
    return load->result();
  }

  void store(Value value, Index element) {
    const Value at[] = {mathHere().value(element)};
    if (width_ == 1)
      memref::StoreOp::create(builder_, op_.location(), value, dst_, at);
    else
      align(*builder_.create(op_.location(), "vector.store", {value, dst_, at[0]}, {}),
            transfer_.dst);
  }

  /// Buffers of the kernel start at multiples of the widest access (kLdsAlignment), and so do the vectors in them.
  void align(Operation& access, const Side& side) {
    const Operation* buffer = side.root.definingOp();
    if (!buffer || !(buffer->is("memref.alloc") || buffer->is("memref.alloca"))) return;
    access.setAttr("alignment", builder_.i64Attr(width_ * bytesOfElements(side.element())));
  }

  Operation& op_;
  Transfer transfer_;
  Workers workers_;
  Builder builder_;
  int64_t width_ = 1;
  Value dst_, src_;
};

// -- What is copied -------------------------------------------------------------------------------

class CopyLowering {
 public:
  CopyLowering(Kernel& kernel, Operation& op, CopyScope scope)
      : kernel_(kernel), op_(op), scope_(scope) {}

  LogicalResult run() {
    Builder builder = Builder::before(op_);
    IndexMath math(builder, op_.location());
    std::optional<Transfer> transfer = isa<air::DmaMemcpyNdOp>(&op_) ? ofDma(math) : ofOther(math);
    if (!transfer || failed(check(math, *transfer))) return failure();
    emit(math, *transfer);
    op_.erase();
    return success();
  }

 private:
  /// Where elements lie at one place the last one wins: only those that lie apart are shared.
  void emit(const IndexMath& math, const Transfer& transfer) {
    const bool isShared = scope_ != CopyScope::Item && transfer.src;
    const Truth apart = isShared ? areApart(math, transfer.dst.dims) : Truth();
    Builder builder = Builder::before(op_);
    if (!apart.known) return emitAlone(builder, transfer);
    if (!apart.value) return TransferEmitter(op_, builder, transfer, workers()).run();
    scf::IfOp choice = scf::IfOp::create(builder, op_.location(), {}, apart.value, true);
    builder.setBefore(choice.thenBlock().back());
    TransferEmitter(op_, builder, transfer, workers()).run();
    builder.setBefore(choice.elseBlock().back());
    emitAlone(builder, transfer);
  }

  /// By the first of the workers.
  void emitAlone(Builder& builder, const Transfer& transfer) {
    const IndexMath math(builder, op_.location());
    scf::IfOp guard = scf::IfOp::create(builder, op_.location(), {},
                                        math.compare(arith::CmpIPredicate::eq, workers().id, 0));
    builder.setBefore(guard.thenBlock().back());
    TransferEmitter(op_, builder, transfer, {}).run();
  }

  Workers workers() const {
    if (scope_ == CopyScope::Item) return {};
    if (scope_ == CopyScope::Wave) return {Index(kernel_.lane), kernel_.shape.wave};
    return {Index(kernel_.item), kernel_.shape.items()};
  }

  std::optional<Transfer> ofDma(const IndexMath& math) {
    air::DmaMemcpyNdOp dma(&op_);
    air::Access to = dma.dst(), from = dma.src();
    if (hasTwoReadings(to) || hasTwoReadings(from))
      kernel_.context->remark(op_, "offsets are taken in the strides of the list, which are not "
                                   "those of the memref");
    auto dst = sideOf(math, op_, to, from), src = sideOf(math, op_, from, to);
    if (!dst || !src) return std::nullopt;
    return Transfer{*dst, *src, Value(), Padding{dma.padBefore(), dma.padAfter()}};
  }

  /// memref.copy and linalg.copy (source, target), linalg.fill (value, target).
  std::optional<Transfer> ofOther(const IndexMath& math) {
    air::Access to, from;
    to.memref = op_.operand(1);
    from.memref = op_.operand(0);
    auto dst = sideOf(math, op_, to, from);
    if (!dst) return std::nullopt;
    if (op_.is("linalg.fill")) return Transfer{*dst, std::nullopt, op_.operand(0), Padding()};
    auto src = sideOf(math, op_, from, to);
    if (!src) return std::nullopt;
    return Transfer{*dst, *src, Value(), Padding()};
  }

  LogicalResult check(const IndexMath& math, const Transfer& transfer) {
    if (!transfer.src) return success();
    if (transfer.dst.element() != transfer.src->element())
      return op_.emitOpError() << "copies elements of type " << transfer.src->element()
                               << " to elements of type " << transfer.dst.element();
    const Padding& padding = transfer.padding;
    if (!padding.empty() && padding.before.size() != transfer.src->dims.size())
      return op_.emitOpError() << "pads " << padding.before.size() << " dimensions, the source has "
                               << transfer.src->dims.size();
    return checkVolume(math, transfer);
  }

  LogicalResult checkVolume(const IndexMath& math, const Transfer& transfer) {
    Side padded = *transfer.src;
    for (size_t i = 0; i < transfer.padding.before.size(); ++i)
      padded.dims[i].size =
          math.add(padded.dims[i].size, transfer.padding.before[i] + transfer.padding.after[i]);
    Index to = volume(math, transfer.dst), from = volume(math, padded);
    if (!to.isConstant() || !from.isConstant() || to.constant == from.constant) return success();
    return op_.emitOpError() << "copies " << from.constant << " elements to a place for "
                             << to.constant;
  }

  Kernel& kernel_;
  Operation& op_;
  CopyScope scope_;
};

}  // namespace

LogicalResult lowerCopies(Kernel& kernel) {
  std::vector<Operation*> ops;
  kernel.func->walk(
      [&](Operation& op) {
        if (kernel.copies.count(&op)) ops.push_back(&op);
      },
      WalkOrder::PreOrder);
  LogicalResult result = success();
  for (Operation* op : ops)
    result |= CopyLowering(kernel, *op, kernel.copies[op]).run();
  return result;
}

}  // namespace airlite::gpu
