// Rules of one buffer descriptor: do its offset, length, dimensions and padding fit the fields of
// the hardware and the buffer? Limits are those of the device table.
#include "AieInternal.hpp"

#include <algorithm>
#include <limits>

namespace airlite::aie {

int64_t addSaturated(int64_t a, int64_t b) {
  int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<int64_t>::max() : sum;
}
int64_t multiplySaturated(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<int64_t>::max() : product;
}

namespace {

constexpr int64_t kMaxOutOfOrderId = 63;

bool isWhole(int64_t elements, int64_t elementBytes) {
  return multiplySaturated(elements, elementBytes) % kWordBytes == 0;
}
/// In 32-bit words; elements smaller than a word need not fill one (checked apart).
int64_t words(int64_t elements, int64_t elementBytes) {
  return multiplySaturated(elements, elementBytes) / kWordBytes;
}

/// Dimensions of constant size and stride, innermost first, without those that never step.
struct StaticDim {
  int64_t size, stride;
};

/// Empty optional: some dimension is only known at run time.
std::optional<std::vector<StaticDim>> staticDims(std::span<const BdDim> dims) {
  std::vector<StaticDim> found;
  for (size_t i = dims.size(); i-- > 0;) {
    if (!dims[i].size.isConstant() || !dims[i].stride.isConstant()) return std::nullopt;
    if (dims[i].size.constant != 1)
      found.push_back({dims[i].size.constant, dims[i].stride.constant});
  }
  return found;
}

/// Elements one after the other: a linear transfer needs no dimensions at all.
bool isContiguous(std::span<const StaticDim> dims) {
  int64_t next = 1;
  for (const StaticDim& dim : dims) {
    if (dim.stride != next) return false;
    next = multiplySaturated(next, dim.size);
  }
  return true;
}

LogicalResult verifySigns(Operation& op, const BdShape& shape) {
  for (const BdDim& dim : shape.dims) {
    if (dim.size.isConstant() && dim.size.constant < 1)
      return op.emitOpError() << "sizes must be positive, found " << dim.size.constant;
    if (!dim.stride.isConstant()) continue;
    bool steps = !dim.size.isConstant() || dim.size.constant > 1;
    if (dim.stride.constant < 0 || (dim.stride.constant == 0 && steps && !shape.repeats))
      return op.emitOpError() << "strides must be positive, found " << dim.stride.constant;
  }
  return success();
}

LogicalResult verifyInnermost(Operation& op, StaticDim dim, int64_t bytes, bool repeats) {
  if (bytes != kWordBytes && dim.stride != 1 && !(repeats && dim.stride == 0))
    return op.emitOpError() << "innermost stride must be 1 for elements of " << bytes
                            << " bytes, found " << dim.stride;
  if (isWhole(dim.size, bytes)) return success();
  return op.emitOpError() << "innermost size must be a multiple of 4 bytes, found " << dim.size
                          << " elements of " << bytes << " bytes";
}

LogicalResult verifyStep(Operation& op, StaticDim dim, int64_t bytes, int64_t maxStep) {
  if (!isWhole(dim.stride, bytes))
    return op.emitOpError() << "stride must be a multiple of 4 bytes, found " << dim.stride
                            << " elements of " << bytes << " bytes";
  if (words(dim.stride, bytes) <= maxStep) return success();
  return op.emitOpError() << "stride of " << words(dim.stride, bytes)
                          << " words exceeds the limit of " << maxStep;
}

/// The outermost dimension needs no wrap: it ends with the length.
LogicalResult verifyFields(Operation& op, std::span<const StaticDim> dims, const BdShape& shape,
                           const BdLimits& limits) {
  int64_t bytes = shape.elementBytes;
  for (size_t i = 0; i < dims.size(); ++i) {
    bool innermost = i == 0;
    const BdDimension& field = limits.dimensions[i];
    if (innermost && !shape.mayBeSplit &&
        failed(verifyInnermost(op, dims[i], bytes, shape.repeats)))
      return failure();
    bool isFree = shape.mayBeSplit || (innermost && dims[i].stride <= 1);
    if (!isFree && failed(verifyStep(op, dims[i], bytes, field.maxStep))) return failure();
    if (i + 1 == dims.size()) return success();
    int64_t wrap = innermost ? words(dims[i].size, bytes) : dims[i].size;
    if (wrap > field.maxWrap)
      return op.emitOpError() << "size of " << wrap << (innermost ? " words" : "")
                              << " exceeds the limit of " << field.maxWrap;
  }
  return success();
}

/// The dimension beyond those of the descriptor: repetitions with an own step, or none.
LogicalResult verifyIteration(Operation& op, const BdDim& dim, const BdShape& shape,
                              const BdLimits& limits) {
  if (!dim.size.isConstant() || !dim.stride.isConstant()) return success();
  int64_t size = dim.size.constant, stride = dim.stride.constant;
  int64_t most = stride == 0 ? kMaxTaskRepeats : limits.maxIterations;
  if (size > most)
    return op.emitOpError() << "repetitions (" << size << ") exceed the limit of " << most;
  if (size == 1 || shape.mayBeSplit) return success();
  return verifyStep(op, {size, stride}, shape.elementBytes, limits.maxIterationStep);
}

}  // namespace

LogicalResult verifyBdShape(Operation& op, const BdShape& shape, const BdLimits& limits) {
  if (shape.dims.empty()) return success();
  if (limits.numDimensions == 0)
    return op.emitOpError() << "not supported: sizes and strides on a first-generation device";
  size_t most = limits.numDimensions + (shape.repeats ? 1u : 0u);
  if (shape.dims.size() > most)
    return op.emitOpError() << "cannot have more than " << most
                            << " dimensions in this tile, found " << shape.dims.size();
  if (failed(verifySigns(op, shape))) return failure();
  std::span<const BdDim> inner = shape.dims;
  if (inner.size() > limits.numDimensions) {
    if (failed(verifyIteration(op, inner[0], shape, limits))) return failure();
    inner = inner.subspan(1);
  }
  auto dims = staticDims(inner);
  if (!dims || isContiguous(*dims)) return success();
  return verifyFields(op, *dims, shape, limits);
}

LogicalResult verifyPacketInfo(Operation& op, std::optional<PacketInfo> packet) {
  if (!packet) return success();
  if (packet->id > kMaxPacketId)
    return op.emitOpError() << "packet id field can only hold 5 bits, found " << packet->id;
  if (packet->type <= kMaxPacketType) return success();
  return op.emitOpError() << "packet type field can only hold 3 bits, found " << packet->type;
}

// -- The op -------------------------------------------------------------------------------------

namespace {

/// Where a descriptor stands: in a DMA program or in a runtime task; null elsewhere.
Operation* programOf(Operation& op) {
  Operation* parent = op.parentOp();
  bool isTask = parent && parent->name().starts_with("aiex.dma_configure_task");
  return asDmaOp(parent) || isTask ? parent : nullptr;
}

/// The tile of a descriptor's DMA; a task for a shim allocation runs on a shim.
std::optional<TileKind> dmaKind(Operation& program) {
  if (program.is("aiex.dma_configure_task_for")) return TileKind::ShimNoc;
  TileOp tile = program.numOperands() ? tileOf(program.operand(0)) : TileOp();
  return tile ? tile.kind() : std::nullopt;
}

unsigned numDynamic(DenseArrayAttr statics) {
  if (!statics) return 0;
  return static_cast<unsigned>(
      std::count(statics.values().begin(), statics.values().end(), kDynamic));
}

LogicalResult verifyMixedList(Operation& op, std::string_view name, std::string_view attribute,
                              unsigned group) {
  unsigned wanted = numDynamic(op.attrOf<DenseArrayAttr>(attribute));
  if (op.operandGroup(group).size() == wanted) return success();
  return op.emitOpError() << "expected " << wanted << " dynamic " << name << " values, found "
                          << op.operandGroup(group).size();
}

LogicalResult verifyMixedScalar(Operation& op, std::string_view name, std::string_view attribute,
                                unsigned group) {
  if (op.operandGroup(group).empty()) return success();
  if (op.hasAttr(attribute))
    return op.emitOpError() << "has both a constant and a runtime " << name;
  if (!asDmaOp(op.parentOp())) return success();
  return op.emitOpError() << name << " must be constant outside of a runtime task";
}

LogicalResult verifyMixed(Operation& op) {
  auto sizes = op.attrOf<DenseArrayAttr>("static_sizes");
  auto strides = op.attrOf<DenseArrayAttr>("static_strides");
  size_t numSizes = sizes ? sizes.size() : 0, numStrides = strides ? strides.size() : 0;
  if (numSizes != numStrides)
    return op.emitOpError() << "expected the same number of sizes (" << numSizes
                            << ") and strides (" << numStrides << ")";
  if (failed(verifyMixedList(op, "sizes", "static_sizes", kBdSizes)) ||
      failed(verifyMixedList(op, "strides", "static_strides", kBdStrides)))
    return failure();
  bool isRuntime = numDynamic(sizes) || numDynamic(strides);
  if (isRuntime && asDmaOp(op.parentOp()))
    return op.emitOpError() << "sizes and strides must be constant outside of a runtime task";
  if (failed(verifyMixedScalar(op, "offset", "static_offset", kBdOffset))) return failure();
  return verifyMixedScalar(op, "length", "static_len", kBdLength);
}

/// The memory of a buffer is whole words: the last one may have room for more small elements.
int64_t bufferElements(DmaBdOp bd) {
  auto type = bd.buffer().type().dynCast<MemRefType>();
  if (!type || !type.hasStaticShape()) return std::numeric_limits<int64_t>::max();
  return toWholeWords(type.numElements(), elementBytes(type.elementType()).value_or(0));
}

/// Constant offset and length, the length as it is without one; checked for whole words.
LogicalResult verifyExtent(Operation& op, DmaBdOp bd, int64_t bytes, const BdLimits& limits) {
  MaybeStatic offset = bd.offset();
  if (offset.isConstant() && offset.constant < 0)
    return op.emitOpError() << "offset must not be negative, found " << offset.constant;
  // Tasks may ask for what is still to be split or rejected, see BdShape::mayBeSplit.
  bool isTask = !asDmaOp(op.parentOp());
  if (!isTask && !isWhole(offset.constant, bytes))
    return op.emitOpError() << "offset must be a multiple of 4 bytes, found " << offset.constant
                            << " elements of " << bytes << " bytes";
  auto length = bd.length();
  if (!length || !length->isConstant()) return success();
  if (length->constant < 0)
    return op.emitOpError() << "length must not be negative, found " << length->constant;
  if (!isTask && !isWhole(length->constant, bytes))
    return op.emitOpError() << "length must be a multiple of 4 bytes, found " << length->constant
                            << " elements of " << bytes << " bytes";
  if (static_cast<uint64_t>(words(length->constant, bytes)) <= limits.maxLength) return success();
  return op.emitOpError() << "length of " << words(length->constant, bytes)
                          << " words exceeds the limit of " << limits.maxLength;
}

/// The last element that constant dimensions reach, counted from the offset.
std::optional<int64_t> lastIndex(const std::vector<BdDim>& dims) {
  int64_t last = 0;
  for (const BdDim& dim : dims) {
    if (!dim.size.isConstant() || !dim.stride.isConstant()) return std::nullopt;
    last = addSaturated(last, multiplySaturated(dim.size.constant - 1, dim.stride.constant));
  }
  return last;
}

/// The type of an argument of a runtime sequence does not bound the buffer that it refers to.
LogicalResult verifyInside(Operation& op, DmaBdOp bd) {
  MaybeStatic offset = bd.offset();
  if (bd.buffer().isBlockArgument() || !offset.isConstant()) return success();
  int64_t elements = bufferElements(bd);
  auto dims = bd.dims();
  if (!dims.empty()) {
    auto last = lastIndex(dims);
    int64_t index = last ? addSaturated(*last, offset.constant) : 0;
    if (index < elements) return success();
    return op.emitOpError() << "sizes and strides reach element " << index << " of a buffer of "
                            << elements;
  }
  auto length = bd.length();
  if (length && !length->isConstant()) return success();
  int64_t count = length ? length->constant : elements;
  if (addSaturated(count, offset.constant) <= elements) return success();
  return op.emitOpError() << "transfer of " << count << " elements at offset " << offset.constant
                          << " runs past the end of the " << elements << "-element buffer";
}

LogicalResult verifyPad(Operation& op, BdPad pad, const BdDimension& field, bool isInnermost,
                        int64_t bytes) {
  if (isInnermost && !(isWhole(pad.before, bytes) && isWhole(pad.after, bytes)))
    return op.emitOpError() << "innermost padding must be a multiple of 4 bytes, found "
                            << pad.before << " and " << pad.after << " elements of " << bytes
                            << " bytes";
  int64_t before = isInnermost ? words(pad.before, bytes) : pad.before;
  int64_t after = isInnermost ? words(pad.after, bytes) : pad.after;
  if (before <= field.maxPadBefore && after <= field.maxPadAfter) return success();
  return op.emitOpError() << "padding of " << before << " before and " << after
                          << " after exceeds the limits of " << field.maxPadBefore << " and "
                          << field.maxPadAfter;
}

LogicalResult verifyPadding(Operation& op, DmaBdOp bd, int64_t bytes, TileKind kind,
                            const BdLimits& limits) {
  std::vector<BdPad> pads = bd.padding();
  if (pads.empty()) return success();
  if (kind != TileKind::Mem) return op.emitOpError() << "padding is only supported in memory tiles";
  if (pads.size() != bd.dims().size())
    return op.emitOpError() << "expected padding for each of the " << bd.dims().size()
                            << " dimensions, found " << pads.size();
  for (size_t i = 0; i < pads.size() && i < limits.dimensions.size(); ++i)
    if (failed(verifyPad(op, pads[pads.size() - 1 - i], limits.dimensions[i], i == 0, bytes)))
      return failure();
  return success();
}

LogicalResult verifyBurst(Operation& op, TileKind kind, Generation generation) {
  int64_t burst = intAttr(op, "burst_length").value_or(0);
  if (burst == 0) return success();
  if (kind != TileKind::ShimNoc)
    return op.emitOpError() << "burst length is only supported in shim tiles";
  bool known = burst == 64 || burst == 128 || burst == 256 ||
               (burst == 512 && generation == Generation::Aie2p);
  if (known) return success();
  return op.emitOpError() << "burst length of " << burst << " bytes is not one of this device";
}

}  // namespace

/// It travels in the header of a packet.
static LogicalResult verifyOutOfOrderId(Operation& op, DmaBdOp bd, bool mayGetPacket) {
  const auto id = bd.outOfOrderId();
  if (!id) return success();
  if (!bd.packet() && !mayGetPacket)
    return op.emitOpError() << "out_of_order_id needs a packet, whose header carries it";
  return requireRange(op, "out_of_order_id", *id, 0, kMaxOutOfOrderId);
}

LogicalResult verifyDmaBd(Operation& op) {
  Operation* program = programOf(op);
  if (!program) return op.emitOpError() << "expects to be in a DMA program or a runtime task";
  DmaBdOp bd(&op);
  if (failed(verifyMixed(op)) || failed(verifyPacketInfo(op, bd.packet()))) return failure();
  auto bytes = elementBytes(elementTypeOrSelf(bd.buffer().type()));
  if (!bytes)
    return op.emitOpError() << "expects a buffer whose elements are numbers, found "
                            << bd.buffer().type();
  auto kind = dmaKind(*program);
  const Device& device = deviceOf(op);
  if (!kind || device.limits(*kind).bds == 0) return success();  // reported at the program
  const TileLimits& limits = device.limits(*kind);
  bool isTask = !asDmaOp(program);
  if (auto id = bd.bdId(); id && failed(requireRange(op, "bd_id", *id, 0, limits.bds - 1)))
    return failure();
  if (failed(verifyOutOfOrderId(op, bd, isTask)) ||
      failed(verifyExtent(op, bd, *bytes, limits.bd)) ||
      failed(verifyBdShape(op, {*bytes, bd.dims(), isTask, isTask}, limits.bd)) ||
      failed(verifyInside(op, bd)) || failed(verifyPadding(op, bd, *bytes, *kind, limits.bd)))
    return failure();
  return verifyBurst(op, *kind, device.generation);
}

}  // namespace airlite::aie
