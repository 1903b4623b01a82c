// Rules of single instructions of runtime sequences: places, registers and descriptor fields.
#include "AiexInternal.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>

namespace airlite::aiex {

using aie::intAttr;
using aie::requireRange;
using aie::TileKind;

namespace {

/// Bytes of the address space of one tile (docs/hardware/formats.md section 1).
constexpr int64_t kTileSpace = 1 << 20;

std::optional<int64_t> constantValueOf(Value value) {
  Operation* source = value.definingOp();
  if (!source || !source->hasTrait(Trait::ConstantLike)) return std::nullopt;
  return constantInt(source->attr("value"));
}

/// `column` and `row` of an instruction, checked against the device.
LogicalResult findTile(Operation& op, std::optional<TileKind>& kind) {
  const aie::Device& device = aie::deviceOf(op);
  int64_t column = intAttr(op, "column").value_or(0), row = intAttr(op, "row").value_or(0);
  if (failed(requireRange(op, "column", column, 0, device.columns - 1)) ||
      failed(requireRange(op, "row", row, 0, device.rows - 1)))
    return failure();
  kind = device.kindOf({column, row});
  return success();
}

aie::BufferOp bufferNamed(Operation& op) {
  return dynCast<aie::BufferOp>(lookupSymbol(&op, op.attrOf<SymbolRefAttr>("buffer")));
}

/// A buffer, a tile, or neither.
LogicalResult verifyTarget(Operation& op) {
  bool hasColumn = op.hasAttr("column"), hasRow = op.hasAttr("row");
  if (hasColumn != hasRow) return op.emitOpError() << "expects both column and row, or none";
  if (op.hasAttr("buffer") && !bufferNamed(op))
    return op.emitOpError() << op.attr("buffer") << " is not an aie.buffer";
  std::optional<TileKind> kind;
  return hasColumn ? findTile(op, kind) : success();
}

/// Registers are words; with a tile the address is one of its space.
LogicalResult verifyAddress(Operation& op, int64_t address, bool inTile) {
  if (address % 4 != 0)
    return op.emitOpError() << "address must be a multiple of 4, found " << address;
  if (!inTile || (address >= 0 && address < kTileSpace)) return success();
  return op.emitOpError() << "address " << address << " does not lie in a tile (below "
                          << kTileSpace << ")";
}

}  // namespace

// -- Writes -------------------------------------------------------------------------------------

LogicalResult verifyWrite(Operation& op) {
  if (failed(verifyInSequence(op)) || failed(verifyTarget(op))) return failure();
  auto address = constantValueOf(op.operand(0));
  if (!address || op.hasAttr("buffer")) return success();
  return verifyAddress(op, *address, op.hasAttr("column"));
}

LogicalResult verifyBlockWrite(Operation& op) {
  if (failed(verifyInSequence(op)) || failed(verifyTarget(op))) return failure();
  auto type = op.operand(0).type().cast<MemRefType>();
  if (!type.hasStaticShape() || !type.elementType().isInteger(32))
    return op.emitOpError() << "expects a memref of 32-bit integers of fixed size, found " << type;
  if (op.hasAttr("buffer")) return success();
  return verifyAddress(op, intAttr(op, "address").value_or(0), op.hasAttr("column"));
}

LogicalResult verifyRtpWrite(Operation& op) {
  if (failed(verifyInSequence(op))) return failure();
  aie::BufferOp buffer = bufferNamed(op);
  if (!buffer) return op.emitOpError() << op.attr("buffer") << " is not an aie.buffer";
  auto bytes = buffer.bytes();
  int64_t words = bytes.value_or(0) / 4, index = intAttr(op, "index").value_or(0);
  if (!bytes || index < words) return success();
  return op.emitOpError() << "index " << index << " is out of bounds of a buffer of " << words
                          << " words";
}

LogicalResult verifyAddressPatch(Operation& op) {
  if (failed(verifyInSequence(op)) ||
      failed(verifyAddress(op, intAttr(op, "addr").value_or(0), false)))
    return failure();
  int64_t argument = intAttr(op, "arg_idx").value_or(0);
  if (argument >= 0) return success();
  return op.emitOpError() << "argument index must not be negative, found " << argument;
}

/// Field widths of the header: docs/hardware/formats.md section 4.5.
LogicalResult verifyControlPacket(Operation& op) {
  auto data = op.attrOf<DenseArrayAttr>("data");
  int64_t words = data ? static_cast<int64_t>(data.size()) : 0;
  int64_t length = intAttr(op, "length").value_or(words ? words : 1);
  if (failed(verifyInSequence(op)) ||
      failed(requireRange(op, "opcode", intAttr(op, "opcode").value_or(0), 0, 3)) ||
      failed(requireRange(op, "stream id", intAttr(op, "stream_id").value_or(0), 0, 127)) ||
      failed(requireRange(op, "length", length, 1, 4)))
    return failure();
  if (!data || words == length) return success();
  return op.emitOpError() << "expects " << length << " words of data, found " << words;
}

// -- npu.writebd ----------------------------------------------------------------------------------

namespace {

constexpr std::string_view kWriteBdFields[] = {"column",          "row",
                                               "bd_id",           "buffer_length",
                                               "buffer_offset",   "enable_packet",
                                               "out_of_order_id", "packet_id",
                                               "packet_type",     "d0_size",
                                               "d0_stride",       "d1_size",
                                               "d1_stride",       "d2_size",
                                               "d2_stride",       "iteration_current",
                                               "iteration_size",  "iteration_stride",
                                               "next_bd",         "use_next_bd",
                                               "valid_bd",        "lock_rel_val",
                                               "lock_rel_id",     "lock_acq_enable",
                                               "lock_acq_val",    "lock_acq_id",
                                               "d0_zero_before",  "d1_zero_before",
                                               "d2_zero_before",  "d0_zero_after",
                                               "d1_zero_after",   "d2_zero_after"};

/// The values as they go into the fields: sizes as they are, steps and iterations minus one.
struct FieldLimit {
  std::string_view name;
  int64_t low, high;
};

/// Fields whose limits are the same everywhere (docs/hardware/formats.md section 3).
constexpr FieldLimit kCommonLimits[] = {{"enable_packet", 0, 1},    {"packet_id", 0, 31},
                                        {"packet_type", 0, 7},      {"use_next_bd", 0, 1},
                                        {"valid_bd", 0, 1},         {"lock_acq_enable", 0, 1},
                                        {"lock_acq_val", -64, 63},  {"lock_rel_val", -64, 63},
                                        {"out_of_order_id", 0, 63}, {"iteration_current", 0, 63}};

LogicalResult verifyField(Operation& op, std::string_view name, int64_t low, int64_t high) {
  return requireRange(op, name, intAttr(op, name).value_or(0), low, high);
}

LogicalResult verifyDimensionFields(Operation& op, const aie::BdLimits& limits) {
  for (unsigned i = 0; i < 3; ++i) {
    const aie::BdDimension& field = limits.dimensions[i];
    std::string prefix = "d" + std::to_string(i);
    // The highest dimension has no wrap field: its size only says how far the length reaches.
    int64_t maxWrap = field.maxWrap ? field.maxWrap : INT32_MAX;
    if (failed(verifyField(op, prefix + "_size", 0, maxWrap)) ||
        failed(verifyField(op, prefix + "_stride", 0, int64_t{field.maxStep} - 1)) ||
        failed(verifyField(op, prefix + "_zero_before", 0, field.maxPadBefore)) ||
        failed(verifyField(op, prefix + "_zero_after", 0, field.maxPadAfter)))
      return failure();
  }
  if (failed(verifyField(op, "iteration_size", 0, int64_t{limits.maxIterations} - 1)))
    return failure();
  return verifyField(op, "iteration_stride", 0, int64_t{limits.maxIterationStep} - 1);
}

LogicalResult verifyDmaTile(Operation& op, const aie::TileLimits*& limits) {
  std::optional<TileKind> kind;
  if (failed(findTile(op, kind))) return failure();
  limits = &aie::deviceOf(op).limits(*kind);
  if (limits->bds != 0) return success();
  return op.emitOpError() << "expects a tile with a DMA, found a " << aie::tileKindName(*kind);
}

}  // namespace

std::span<const std::string_view> writeBdFields() { return kWriteBdFields; }

LogicalResult verifyWriteBd(Operation& op) {
  const aie::TileLimits* limits = nullptr;
  if (failed(verifyInSequence(op)) || failed(verifyDmaTile(op, limits))) return failure();
  for (const FieldLimit& field : kCommonLimits)
    if (failed(verifyField(op, field.name, field.low, field.high))) return failure();
  for (std::string_view id : {"bd_id", "next_bd"})
    if (failed(verifyField(op, id, 0, limits->bds - 1))) return failure();
  // Neighbours' locks follow or precede the own ones in a memory tile.
  int64_t locks = limits->locks * (limits->bd.numDimensions == 4 ? 3 : 1);
  for (std::string_view id : {"lock_acq_id", "lock_rel_id"})
    if (failed(verifyField(op, id, 0, locks - 1))) return failure();
  if (limits->bd.numDimensions == 0)
    return op.emitOpError() << "not supported: descriptors of a first-generation device";
  return verifyDimensionFields(op, limits->bd);
}

LogicalResult verifyPushQueue(Operation& op) {
  const aie::TileLimits* limits = nullptr;
  if (failed(verifyInSequence(op)) || failed(verifyDmaTile(op, limits)) ||
      failed(verifyField(op, "channel", 0, limits->channels - 1)))
    return failure();
  auto repeats = constantValueOf(op.operand(0)), id = constantValueOf(op.operand(1));
  if (repeats && failed(requireRange(op, "repeat count", *repeats, 0, aie::kMaxTaskRepeats - 1)))
    return failure();
  return id ? requireRange(op, "bd_id", *id, 0, limits->bds - 1) : success();
}

// -- Copies -------------------------------------------------------------------------------------

LogicalResult verifyDmaWait(Operation& op) {
  Operation* endpoint = nullptr;
  if (failed(verifyInSequence(op))) return failure();
  return findEndpoint(op, op.attrOf<SymbolRefAttr>("symbol"), endpoint);
}

namespace {

constexpr size_t kCopyDims = 4;

/// Four entries; those that are open have an operand each.
LogicalResult readList(Operation& op, std::string_view name, unsigned group,
                       std::vector<aie::MaybeStatic>& entries) {
  auto statics = op.attrOf<DenseArrayAttr>("static_" + std::string(name)).values();
  if (statics.size() != kCopyDims)
    return op.emitOpError() << "expects " << kCopyDims << " " << name << ", found "
                            << statics.size();
  OperandRange values = op.operandGroup(group);
  unsigned next = 0;
  for (int64_t constant : statics) {
    bool isOpen = constant == kDynamic;
    bool isThere = isOpen && next < values.size();
    entries.push_back({isOpen ? 0 : constant, isThere ? values[next] : Value()});
    next += isOpen;
  }
  if (next == values.size()) return success();
  return op.emitOpError() << "expected " << next << " dynamic " << name << " values, found "
                          << values.size();
}

LogicalResult verifyAccess(Operation& op, const aie::TileLimits& limits) {
  std::vector<aie::MaybeStatic> offsets, sizes, strides;
  if (failed(readList(op, "offsets", kCopyOffsets, offsets)) ||
      failed(readList(op, "sizes", kCopySizes, sizes)) ||
      failed(readList(op, "strides", kCopyStrides, strides)))
    return failure();
  auto bytes = aie::elementBytes(elementTypeOrSelf(op.operand(0).type()));
  if (!bytes)
    return op.emitOpError() << "expects a buffer whose elements are numbers, found "
                            << op.operand(0).type();
  aie::BdShape shape{*bytes, {}, /*repeats=*/true, /*mayBeSplit=*/false};
  for (size_t i = 0; i < kCopyDims; ++i)
    shape.dims.push_back({sizes[i], strides[i]});
  return aie::verifyBdShape(op, shape, limits.bd);
}

}  // namespace

LogicalResult verifyMemcpy(Operation& op) {
  Operation* endpoint = nullptr;
  const aie::TileLimits& limits = aie::deviceOf(op).limits(TileKind::ShimNoc);
  if (failed(verifyInSequence(op)) ||
      failed(findEndpoint(op, op.attrOf<SymbolRefAttr>("metadata"), endpoint)) ||
      failed(verifyField(op, "id", 0, limits.bds - 1)) ||
      failed(aie::verifyPacketInfo(op, aie::packetInfo(op.attr("packet")))))
    return failure();
  for (std::string_view pad : {"d0_zero_before", "d1_zero_before", "d2_zero_before",
                               "d0_zero_after", "d1_zero_after", "d2_zero_after"})
    if (intAttr(op, pad).value_or(0) != 0)
      return op.emitOpError() << "padding is only supported in memory tiles";
  return verifyAccess(op, limits);
}

}  // namespace airlite::aiex
