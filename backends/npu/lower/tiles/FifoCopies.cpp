// What a core does with the objects of a FIFO in place of a put or get.
#include "ChannelFifos.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>

namespace airlite::npu {

namespace {

std::vector<int64_t> shapeOf(MemRefType type) { return {type.shape().begin(), type.shape().end()}; }

/// One class, since each step makes ops at the place where the builder stands.
class FifoCopy {
 public:
  FifoCopy(const CoreAccess& access, const std::string& name, MemRefType object)
      : op_(*access.op.op()),
        access_(access.op.access()),
        shape_(access.shape),
        strides_(access.strides),
        isPut_(access.op.isPut()),
        name_(name),
        object_(object),
        builder_(Builder::before(op_)) {}

  void run() {
    Value held = acquire();
    Value memory = memoryView(), object = objectView(held);
    builder_.create(op_.location(), "memref.copy",
                    {isPut_ ? memory : object, isPut_ ? object : memory}, {});
    createUse("aie.objectfifo.release", {});
    Rewriter(op_.context()).eraseOp(op_);
  }

 private:
  Value acquire() {
    const Type held = fifoType("aie.objectfifosubview", object_);
    Operation* acquired = createUse("aie.objectfifo.acquire", held);
    return builder_
        .create(op_.location(), "aie.objectfifo.subview.access", {acquired->result()}, {object_},
                {builder_.named("index", builder_.i32Attr(0))})
        ->result();
  }

  Operation* createUse(std::string_view use, Type result) {
    Context& context = builder_.context();
    OperationState state(context, op_.location(), use);
    if (result) state.resultTypes.push_back(result);
    state.addAttribute(context, "port",
                       keyword(context, *state.def, "port", isPut_ ? "Produce" : "Consume"));
    state.addAttribute(context, "objFifo_name", SymbolRefAttr::get(context, name_));
    state.addAttribute(context, "size", builder_.i32Attr(1));
    return builder_.create(state);
  }

  /// An object is contiguous: it may be seen with any shape of its size.
  Value objectView(Value object) {
    if (shapeOf(object_) == shape_) return object;
    return cast(object, memref::MixedIndex(0), contiguous(), false);
  }

  std::vector<int64_t> contiguous() const {
    return MemRefType::get(op_.context(), shape_, object_.elementType()).stridedForm()->strides;
  }

  Value memoryView() {
    auto type = access_.memref.type().cast<MemRefType>();
    if (access_.sizes.empty()) return access_.memref;
    const memref::MixedIndex offset = offsetOf(*type.stridedForm());
    const bool isAll = offset == memref::MixedIndex(0) && shape_ == shapeOf(type) &&
                       strides_ == type.stridedForm()->strides;
    if (isAll) return access_.memref;
    return cast(access_.memref, offset, strides_, true);
  }

  /// Where it begins: offsets that are coordinates go with the strides of the memory.
  memref::MixedIndex offsetOf(const StridedForm& form) {
    const std::vector<int64_t>& steps =
        access_.offsets.size() == strides_.size() ? strides_ : form.strides;
    int64_t constant = form.offset;
    Value sum;
    const auto add = [&](Value value) { sum = sum ? compute("arith.addi", sum, value) : value; };
    for (size_t i = 0; i < access_.offsets.size() && i < steps.size(); ++i) {
      const air::IndexEntry& entry = access_.offsets[i];
      if (const auto known = entry.known())
        constant += *known * steps[i];
      else
        add(steps[i] == 1 ? entry.value : compute("arith.muli", entry.value, index(steps[i])));
    }
    if (!sum) return memref::MixedIndex(constant);
    if (constant != 0) add(index(constant));
    return memref::MixedIndex(sum);
  }

  Value index(int64_t number) { return builder_.constantIndex(op_.location(), number); }
  Value compute(std::string_view op, Value a, Value b) {
    return builder_.create(op_.location(), op, {a, b}, {builder_.indexType()})->result();
  }

  Value cast(Value memory, memref::MixedIndex offset, const std::vector<int64_t>& strides,
             bool isStrided) {
    auto type = memory.type().cast<MemRefType>();
    Attribute layout;
    if (isStrided)
      layout = StridedLayoutAttr::get(op_.context(),
                                      offset.isConstant() ? offset.constant : kDynamic, strides);
    const MemRefType view =
        MemRefType::get(op_.context(), shape_, type.elementType(), layout, type.memorySpace());
    const std::vector<memref::MixedIndex> sizes(shape_.begin(), shape_.end()),
        steps(strides.begin(), strides.end());
    return memref::ReinterpretCastOp::create(builder_, op_.location(), memory, offset, sizes, steps,
                                             view)
        ->result();
  }

  Operation& op_;
  const air::Access access_;
  const std::vector<int64_t>&shape_, &strides_;
  const bool isPut_;
  const std::string& name_;
  const MemRefType object_;
  Builder builder_;
};

}  // namespace

Type fifoType(std::string_view name, MemRefType object) {
  const Attribute parameter[] = {TypeAttr::get(object)};
  Context& context = object.context();
  return DialectType::get(context, *context.findType(name), parameter);
}

LogicalResult readCoreAccess(Operation& op, CoreAccess& access) {
  access.op = air::ChannelAccessOp(&op);
  if (failed(air::checkChannelUse(access.op)) || failed(checkRequests(op, op))) return failure();
  const air::ChannelOp channel = access.op.channel();
  if (channel.canonicalType() != "npu_dma_stream")
    return op.emitOpError() << "not supported by object FIFOs: channels of type '"
                            << channel.channelType() << "'";
  const air::Access memory = access.op.access();
  const auto type = memory.memref.type().dynCast<MemRefType>();
  const auto form = type ? type.stridedForm() : std::nullopt;
  if (!form || !type.hasStaticShape() || form->offset == kDynamic)
    return op.emitOpError() << "not supported: a transfer of " << memory.memref.type();
  if (op.hasAttr("pad_before") || op.hasAttr("pad_after") || op.hasAttr("air.refeed_count"))
    return op.emitOpError()
           << "not supported by object FIFOs: padding, and data that are sent again";
  auto sizes = constantsOf(memory.sizes), strides = constantsOf(memory.strides);
  if (!sizes || !strides)
    return op.emitOpError()
           << "not supported by object FIFOs: sizes and strides that are not constant";
  if (failed(readPlace(access.op, access.place))) return failure();
  access.shape = memory.sizes.empty() ? shapeOf(type) : std::move(*sizes);
  access.strides = std::move(*strides);
  return success();
}

LogicalResult copyThroughFifo(const CoreAccess& access, const std::string& name,
                              MemRefType object) {
  int64_t moved = 1;
  for (int64_t size : access.shape)
    moved *= size;
  if (moved != object.numElements())
    return access.op->emitOpError()
           << "not supported by object FIFOs: it moves " << moved
           << " elements, another transfer of its channel " << object.numElements();
  FifoCopy(access, name, object).run();
  return success();
}

}  // namespace airlite::npu
